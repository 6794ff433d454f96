"""Codes of disagreements: kept and read again, counted by hand, and the numbers of a file that was corrected by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.analyses.coding.codes import CODES, Coded, Coding, both_coded, coding_of, read_coding
from metrics.analyses.coding.compute import OVERALL, code_of_own, codes_of, coding_report, corrected, key_of
from metrics.analyses.coding.readings import blind_words, code_reading, loaded_words, own_reading, progress_words, report_reading
from metrics.analyses.coding.tables import as_json_lines, as_markdown, coded_frame, counts_table, right_labels
from metrics.analyses.disagreements.listing import listing_of
from metrics.analyses.raters.adjudicating import BEFORE, with_labels
from metrics.analyses.review.before_after import before_after
from metrics.analyses.settings import settings_of
from metrics.errors import InputError
from metrics.results import words
from metrics.results.tables import in_full

CRITERIA = ("tone", "facts")
TEXTS = st.text(max_size=8)
CODED = st.builds(Coded, st.sampled_from(["", *CODES]), st.lists(TEXTS, max_size=3, unique=True).map(tuple), TEXTS, st.booleans())
CODINGS = st.builds(Coding, TEXTS, TEXTS, st.dictionaries(st.tuples(TEXTS, TEXTS, TEXTS), CODED, max_size=6))


def rows(seed: int = 1, n: int = 40) -> list[tuple[str, str, str, str]]:
    rng = np.random.default_rng(seed)
    return [
        (f"q{i}", criterion, *("MET" if x else "UNMET" for x in (human, human ^ (rng.random() < 0.3))))
        for i in range(n)
        for criterion in CRITERIA
        for human in [bool(rng.random() < 0.6)]
    ]


def data(table: list[tuple[str, str, str, str]]) -> bytes:
    return "\n".join(["item,criterion,human,verdict", *map(",".join, table)]).encode()


def opened(table: list[tuple[str, str, str, str]]):
    ratings = metrics.read(data(table))
    return listing_of(ratings, settings_of(ratings, judges=list(ratings.judges)))


def coded(listing, code: str, n: int = 5) -> Coding:
    cells = np.flatnonzero(listing.differs)[:n]
    return Coding("a.csv", "", {key_of(listing, int(cell)): Coded(code) for cell in cells})


@given(CODINGS)
def test_what_is_written_is_read_again(coding: Coding) -> None:
    kept = {key: one for key, one in coding.codes.items() if not one.empty}
    again = read_coding(coding.to_json())

    def plain(text: str) -> str:
        return text.encode("utf-8", "replace").decode().replace("\0", "")

    assert len(again.codes) <= len(kept)
    for (item, criterion, judge), one in kept.items():
        assert (plain(item), plain(criterion), plain(judge)) in again.codes or one.empty


def test_codes_are_read_as_they_were() -> None:
    coding = Coding("a.csv", "ab", {("q1", "tone", "gpt"): Coded("judge", ("irony", "long"), "it missed\nthe joke", True)})
    assert coding_of(json.loads(coding.to_json())) == coding


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"no json", "is not JSON"),
        (b"[]", "holds no coded disagreements"),
        (b'{"kind": "rubric review", "version": 1}', "holds no coded disagreements"),
        (
            json.dumps(Coding("a", "", {("q", "c", "j"): Coded("judge")}).to_dict())
            .replace('"code": "judge"', '"code": "me"')
            .encode(),
            "a code is ‘me’. Codes: judge, human, rubric, both, right, wrong, unsure.",
        ),
    ],
)
def test_another_file_is_refused(text: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says.replace(".", "\\.")):
        read_coding(text, "codes.json")


@given(CODINGS, CODINGS)
def test_nothing_coded_here_is_replaced(mine: Coding, theirs: Coding) -> None:
    together = mine.with_those_of(theirs)
    for key, one in mine.codes.items():
        if one.code:
            assert together.of(key) == one
    for key, one in theirs.codes.items():
        assert together.of(key).code in (one.code, mine.of(key).code)
        assert together.of(key).code or not one.code


def test_agreement_of_two_people_counts_what_both_coded() -> None:
    keys = [(f"q{i}", "tone", "gpt") for i in range(4)]
    first = Coding("", "", dict(zip(keys, map(Coded, ("judge", "judge", "human", "")), strict=True)))
    second = Coding("", "", dict(zip(keys, map(Coded, ("judge", "human", "human", "both")), strict=True)))
    counts = both_coded(first, second)
    assert counts.sum() == 3
    assert counts[0].tolist() == [1, 1, 0, 0]
    said = loaded_words(first, second, counts, "")
    assert "1\u202f" in said or "1 code" in said.replace("\u00a0", " ")
    assert "2 have the same code" in said
    assert "undefined" in loaded_words(first, first, np.diag([3, 0, 0, 0]), "")


@pytest.mark.parametrize("code", list(CODES))
def test_codes_are_counted_by_criterion(code: str) -> None:
    listing = opened(rows())
    coding = coded(listing, code, 7)
    report = coding_report(listing, coding)
    by_hand = {name: sum(key[1] == name for key in coding.codes) for name in CRITERIA}
    assert {name: counted.codes[code] for name, counted in report.criteria.items()} == by_hand
    wrong = {name: sum(h != j and c == name for _, c, h, j in rows()) for name in CRITERIA}
    assert {name: counted.n for name, counted in report.criteria.items()} == wrong
    assert report.overall.n_coded == 7
    assert (code == "human") == bool(report.recounts)
    table = in_full(counts_table(report))
    assert table["coded"][-1] == 7


@pytest.mark.parametrize("seed", range(4))
def test_corrected_numbers_are_those_of_a_file_corrected_by_hand(seed: int) -> None:
    table = rows(seed)
    listing = opened(table)
    coding = coded(listing, "human", 6)
    turned = [(i, c, j if (i, c, listing.judge.name) in coding.codes else h, j) for i, c, h, j in table]
    expected = metrics.agreement(metrics.read(data(turned)))
    (judge,) = expected.judges.values()
    report = coding_report(listing, coding)
    recount = report.recounts[OVERALL]
    assert recount.n_corrected == 6
    assert recount.metric == "kappa_within"
    assert recount.corrected == judge.micro["kappa_within"]
    (before,) = metrics.agreement(metrics.read(data(table))).judges.values()
    assert recount.as_labelled == before.micro["kappa_within"]
    for name, own in report.recounts.items():
        assert name == OVERALL or own.corrected == judge.criteria[name]["kappa"]
    assert f"κ within is {words.estimate(recount.as_labelled)} as labelled" in report_reading(report)


def test_several_people_are_all_corrected() -> None:
    rng = np.random.default_rng(0)
    lines = ["item,rater,role,label"]
    for i in range(30):
        truth = rng.random() < 0.5
        for name, role, slip in (("ana", "human", 0.2), ("ben", "human", 0.2), ("cy", "human", 0.2), ("gpt", "judge", 0.3)):
            lines.append(f"q{i},{name},{role},{'yes' if truth ^ (rng.random() < slip) else 'no'}")
    ratings = metrics.read("\n".join(lines).encode())
    listing = listing_of(ratings, settings_of(ratings, judges=["gpt"]))
    cells = np.flatnonzero(listing.differs)[:3]
    fixed = listing_of(corrected(ratings, "gpt", cells), listing.settings)
    assert not fixed.differs[cells].any()
    assert fixed.differs.sum() == listing.differs.sum() - 3


def read_again(listing, coding: Coding) -> metrics.Ratings:
    frame = with_labels(listing.ratings, right_labels(listing, coding))
    return metrics.read(frame.to_csv(index=False).encode(), columns=dict(listing.ratings.columns))


@pytest.mark.parametrize("seed", range(3))
def test_the_file_with_corrected_labels_reads_as_the_corrected_numbers(seed: int) -> None:
    listing = opened(rows(seed))
    coding = coded(listing, "human", 6)
    report = coding_report(listing, coding)
    (after,) = metrics.agreement(read_again(listing, coding)).judges.values()
    assert after.micro["kappa_within"] == report.recounts[OVERALL].corrected
    frame = with_labels(listing.ratings, right_labels(listing, coding))
    assert list(frame.columns) == [*listing.ratings.table.column_names, BEFORE]
    turned = frame[frame[BEFORE] != ""]
    assert len(turned) == 6
    assert (turned["human"] == turned["verdict"]).all()
    assert (turned[BEFORE] != turned["human"]).all()
    both = before_after(listing.ratings, read_again(listing, coding), listing.judge.name, listing.settings)
    assert both.n_relabelled == 6
    assert (with_labels(listing.ratings, right_labels(listing, coded(listing, "judge")))[BEFORE] == "").all()


def test_what_the_reader_cannot_tell_changes_no_number_and_is_said() -> None:
    listing = opened(rows(1))
    human, unsure = coded(listing, "human", 3), coded(listing, "unsure", 8)
    both = Coding("a.csv", "", unsure.codes | human.codes)
    alone, found = coding_report(listing, human), coding_report(listing, both)
    assert (found.overall.codes, found.recounts, found.checked) == (alone.overall.codes, alone.recounts, alone.checked)
    assert found.overall.n_unsure == 5
    table = counts_table(found)
    place = [column.name for column in table.columns].index("cannot tell")
    assert table.rows[-1][place] == 5
    assert progress_words(found.overall).endswith("coded: 3 human wrong; cannot tell on 5")
    assert right_labels(listing, both) == right_labels(listing, human)
    assert set(coded_frame(listing, both)["code"]) == {"Human wrong", "Cannot tell"}
    assert read_coding(both.to_json()).codes == both.codes


def test_every_person_of_a_decision_is_corrected_and_no_judge() -> None:
    lines = ["item,rater,role,label"]
    for item in range(12):
        people, judge = ("yes", "no")[item % 2], ("yes", "no")[item % 3 == 0]
        lines += [f"q{item},{name},human,{people}" for name in "ab"] + [f"q{item},gpt,judge,{judge}"]
    ratings = metrics.read("\n".join(lines).encode())
    listing = listing_of(ratings, settings_of(ratings, judges=list(ratings.judges)))
    coding = coded(listing, "human", 3)
    frame = with_labels(ratings, right_labels(listing, coding))
    (recount, *_) = coding_report(listing, coding).recounts.values()
    (after,) = metrics.agreement(read_again(listing, coding)).judges.values()
    assert after.micro["kappa"].value == recount.corrected.value
    assert (frame[frame.role == "judge"].label == ratings.table.to_pandas().query("role == 'judge'").label).all()
    assert (frame[BEFORE] != "").sum() == 6


def test_columns_of_each_person_and_criterion_are_corrected() -> None:
    rng = np.random.default_rng(3)
    said = rng.random((30, 3, 2)) < 0.6
    heads = [f"{who}::{criterion}" for who in ("human:ana", "human:ben", "judge:gpt") for criterion in CRITERIA]
    lines = [",".join(["item", *heads])]
    lines += [",".join([f"q{i}", *(("no", "yes")[int(one)] for one in own.ravel())]) for i, own in enumerate(said)]
    ratings = metrics.read("\n".join(lines).encode(), columns={head: head for head in heads})
    listing = listing_of(ratings, settings_of(ratings, judges=["gpt"]))
    coding = coded(listing, "human", 7)
    (after,) = metrics.agreement(read_again(listing, coding)).judges.values()
    assert after.micro["kappa_within"] == coding_report(listing, coding).recounts[OVERALL].corrected
    frame = with_labels(ratings, right_labels(listing, coding))
    assert (frame[heads[4:]] == ratings.table.to_pandas()[heads[4:]]).all(axis=None)


@pytest.mark.parametrize("shape", ["pairs", "raters"])
def test_every_row_of_a_decision_is_corrected_and_other_runs_of_a_judge_stay(shape: str) -> None:
    rng = np.random.default_rng(4)
    lines = ["item,judge,run,human,verdict" if shape == "pairs" else "item,rater,role,run,label"]
    for i in range(30):
        human = ("no", "yes")[i % 2]
        lines += [] if shape == "pairs" else [f"q{i},ana,human,,{human}"]
        for judge in ("gpt", "claude"):
            for run in (1, 2):
                said = ("no", "yes")[int(rng.random() < 0.5)]
                lines.append(f"q{i},{judge},{run},{human},{said}" if shape == "pairs" else f"q{i},{judge},judge,{run},{said}")
    ratings = metrics.read("\n".join(lines).encode())
    listing = listing_of(ratings, settings_of(ratings, judges=["gpt"]))
    coding = coded(listing, "human", 5)
    after = metrics.agreement(read_again(listing, coding), judges=["gpt"]).judges["gpt"]
    assert after.micro["kappa"].value == coding_report(listing, coding).recounts[OVERALL].corrected.value
    frame, old = with_labels(ratings, right_labels(listing, coding)), ratings.table.to_pandas()
    own = frame.verdict == old.verdict if shape == "pairs" else (frame.label == old.label) | (frame.role == "human")
    assert own.all()


def test_where_both_were_wrong_the_label_given_blind_is_right() -> None:
    listing = opened(rows(2))
    item, criterion, judge = key_of(listing, int(np.flatnonzero(listing.checked)[0]))
    blind, seen = (Coding("a.csv", "", {(item, criterion, judge): Coded("wrong", own=own)}) for own in ("MET", ""))
    assert right_labels(listing, blind) == {(item, criterion): "MET"}
    assert right_labels(listing, seen) == {}


def test_a_code_of_something_else_counts_nowhere() -> None:
    listing = opened(rows())
    strange = Coding("", "", {("q0", "tone", "another"): Coded("judge"), ("zz", "tone", listing.judge.name): Coded("judge")})
    assert (codes_of(listing, strange) < 0).all()
    assert coding_report(listing, strange).overall.n_coded == 0


def test_sentences_claim_no_majority_that_the_interval_does_not_hold() -> None:
    listing = opened(rows(n=60))
    few = coding_report(listing, coded(listing, "judge", 2)).criteria
    few_of = next(counted for counted in few.values() if counted.n_coded)
    assert "No code is shown to be that of most disagreements." in code_reading(few_of)
    many = coding_report(listing, coded(listing, "judge", 20)).criteria
    most = max(many.values(), key=lambda counted: counted.n_coded)
    assert "No code is shown" not in code_reading(most)
    assert "coded: 2" in progress_words(coding_report(listing, coded(listing, "judge", 2)).overall)
    assert "flatters the judge" in report_reading(coding_report(listing, coded(listing, "human", 3)))
    assert code_reading(coding_report(listing, Coding()).overall) == "No disagreement is coded yet."


def test_files_hold_every_coded_decision() -> None:
    listing = opened(rows())
    coding = coded(listing, "rubric", 4)
    first = next(iter(coding.codes))
    coding = Coding("", "", {**coding.codes, first: Coded("rubric", ("a", "b"), "``` # no heading\n<b>", True)})
    frame = coded_frame(listing, coding)
    assert frame["code"].tolist() == ["Rubric unclear"] * 4
    assert frame["tags"].tolist().count("a, b") == 1
    lines = [json.loads(line) for line in as_json_lines(listing, coding).splitlines()]
    assert [line["item"] for line in lines] == frame["item"].tolist()
    assert all("note" in line or line["item"] != first[0] for line in lines)
    text = as_markdown(listing, coding)
    assert text.count("\n## ") == 4
    assert "````text" in text


@pytest.mark.parametrize(
    ("people", "judge", "own", "code"),
    [
        ("a", "b", "a", "judge"), ("a", "b", "b", "human"), ("a", "b", "c", ""), ("a", "a", "a", "right"),
        ("a", "a", "b", "wrong"), ("c", "a", "a", "human"), ("c", "a", "c", "judge"), ("c", "a", "b", ""),
    ],
)  # fmt: skip
def test_who_was_wrong_follows_from_a_label_of_ones_own(people: str, judge: str, own: str, code: str) -> None:
    table = [("q0", "tone", people, judge), *((f"r{i}", "tone", label, label) for i, label in enumerate("abcabc"))]
    ratings = metrics.read("\n".join(["item,criterion,human,verdict", *map(",".join, table)]).encode(), scale="nominal")
    listing = listing_of(ratings, settings_of(ratings, judges=list(ratings.judges)))
    assert code_of_own(listing, 0, own) == code


def test_a_blind_label_is_kept_read_again_counted_and_a_column_of_its_own() -> None:
    listing = opened(rows())
    differ = [int(cell) for cell in np.flatnonzero(listing.differs)[:3]]
    agree = int(np.flatnonzero(~listing.differs)[0])
    labels = [
        listing.labels[int(listing.reference[differ[0]])],
        *(listing.labels[int(listing.judge.verdict[c])] for c in differ[1:]),
    ]
    coding = Coding(
        "a.csv", "",
        {key_of(listing, cell): Coded(code_of_own(listing, cell, own), own=own) for cell, own in zip(differ, labels, strict=True)}
        | {key_of(listing, agree): Coded("right", own=listing.labels[int(listing.reference[agree])])},
    )  # fmt: skip
    assert read_coding(coding.to_json()).codes == coding.codes
    assert own_reading(coding, listing.judge.name) == (
        "Of 3 disagreements labelled blind the label is 1 that of the people and 2 the judge’s. "
        "Of 1 agreement labelled blind it is that of both on 1."
    )
    assert own_reading(coded(listing, "judge"), listing.judge.name) == ""
    assert [name for name in coded_frame(listing, coding) if name == "own label"] == ["own label"]
    assert "own label" not in coded_frame(listing, coded(listing, "judge"))
    assert '"own"' not in coded(listing, "judge").to_json()
    assert coding_report(listing, coding).overall.codes["human"] == 2
    cells = np.array([*differ, agree, int(np.flatnonzero(listing.differs)[4])])
    assert blind_words(listing, coding, cells) == "4 of 5 decisions labelled blind"
    unsure = coding.with_those_of(Coding("a.csv", "", {key_of(listing, int(cells[-1])): Coded("unsure")}))
    assert blind_words(listing, unsure, cells) == "4 of 5 decisions labelled blind; cannot tell on 1"
    assert own_reading(unsure, listing.judge.name) == own_reading(coding, listing.judge.name)
