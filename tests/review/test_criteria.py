"""The criteria under review: order, numbers, bands, disagreements, suggestions, definitions."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.review import readings
from metrics.analyses.review.compute import Reviewed, definition_of, review_criteria
from metrics.analyses.review.decisions import Decision, Review, read_review
from metrics.analyses.review.informative import AS_IN_FILE, most_telling, ranked_words
from metrics.analyses.review.readings import band_of, band_words, touched
from metrics.analyses.review.suggesting import suggestion
from metrics.analyses.review.tables import decisions_table, meeting_json, telling_frame
from metrics.analyses.settings import Settings
from metrics.data.abstention import on_axis
from metrics.data.pairs import reference_states
from metrics.results.tables import in_full
from tests.review.made import cells, read, rubric

SAMPLE = "assets/support_answers.csv"


def reviewed(pairs: list[tuple[str, str]], **choices: object) -> Reviewed:
    return review_criteria(read({"tone": pairs}), "bot", Settings(**choices))[0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "word"),
    [(-0.01, "poor"), (0.0, "slight"), (0.2, "slight"), (0.21, "fair"), (0.4, "fair"), (0.6, "moderate"), (0.61, "substantial"),
     (0.8, "substantial"), (0.81, "almost perfect"), (1.0, "almost perfect"), (-1.0, "poor")],
)  # fmt: skip
def test_bands_are_those_of_landis_and_koch(value: float, word: str) -> None:
    found = band_of(value)
    assert found is not None
    assert found.word == word


def test_an_interval_over_two_bands_or_more_says_so() -> None:
    assert band_words(0.5, (0.45, 0.55)) == "moderate"
    assert band_words(0.5, (0.45, 0.65)) == "moderate or substantial: the interval touches two bands"
    assert band_words(0.5, (0.1, 0.65)) == "slight to substantial: the interval touches 4 bands"
    assert band_words(0.768, (0.72, 0.8049)) == "substantial"
    assert band_words(0.806, (0.801, 0.9)) == "substantial or almost perfect: the interval touches two bands"
    assert band_words(0.5, None) == "moderate, without an interval"
    assert band_words(math.nan, None).startswith("no band")
    assert [band.word for band in touched((-0.1, 0.1))] == ["poor", "slight"]


@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
def test_every_number_is_that_of_the_package_and_the_worst_comes_first(mode: str) -> None:
    ratings = metrics.read(SAMPLE)
    humans = metrics.raters(ratings, role="human").criteria
    for judge in ratings.judges:
        report = metrics.agreement(ratings, abstention=mode).judges[judge]
        found = review_criteria(ratings, judge, Settings(mode), humans)
        for own in found:
            assert own.block is not None
            assert own.block.values == pytest.approx(report.criteria[own.criterion].values, nan_ok=True)
            assert own.kappa.ends == report.criteria[own.criterion]["kappa"].ends
            np.testing.assert_equal(vars(own.coverage), vars(report.criterion_coverage[own.criterion]))  # NaN equals NaN here
            assert own.humans is humans[own.criterion]
        values = [own.kappa.value for own in found]
        assert values == sorted(values)


def test_an_order_is_settled_only_where_neighbours_are_told_apart() -> None:
    low, mid, high = cells([[60, 60], [60, 60]]), cells([[90, 30], [30, 90]]), cells([[119, 1], [1, 119]])
    near = cells([[61, 59], [60, 60]])
    settled = review_criteria(read({"c": high, "a": low, "b": mid}), "bot", Settings())
    assert [own.criterion for own in settled] == ["a", "b", "c"]
    assert readings.order_words(settled) == "sorted by κ"
    assert readings.order_reading(settled) == "Sorted by κ: the lowest first."
    noise = review_criteria(read({"b": near, "a": low, "c": high}), "bot", Settings())
    assert readings.order_words(noise) == "by κ; order uncertain"
    assert readings.order_reading(noise).endswith("uncertain: κ of a is not significantly below that of b.")
    none = review_criteria(read({"b": near, "a": low, "c": high}), "bot", Settings(interval="none"))
    assert readings.order_reading(none).endswith(
        "κ of a is not significantly below that of b, and so with 1 pair of neighbours more."
    )
    assert readings.order_words(settled[:1]) == "sorted by κ"


def test_scores_alone_are_sorted_by_nothing() -> None:
    frame = pd.DataFrame(
        {"item": f"i{i}", "criterion": criterion, "human": i / 7, "judge": "bot", "verdict": (i + i % 3) / 7}
        for i in range(20) for criterion in ("length", "depth")
    )  # fmt: skip
    found = review_criteria(metrics.read(frame, scale="continuous"), "bot", Settings())
    assert [own.criterion for own in found] == ["length", "depth"]
    assert readings.order_words(found) == "as in the file"
    assert readings.order_reading(found) == "Scores have no κ: the criteria stand as in the file."


def test_criteria_without_a_kappa_come_first_and_scores_last() -> None:
    good, flat = cells([[20, 2], [2, 20]]), [("MET", "MET")] * 44
    frame = rubric({"good": good, "bad": cells([[12, 10], [10, 12]]), "flat": flat})
    numbers = [{"item": f"i{i}", "criterion": "length", "rater": who, "role": role, "label": 0.5 + i / 7 + add}
               for i in range(44) for who, role, add in (("ana", "human", 0.0), ("bot", "judge", 0.3))]  # fmt: skip
    ratings = metrics.read(pd.concat([frame, pd.DataFrame(numbers)]), scale={"length": "continuous"})
    found = review_criteria(ratings, "bot", Settings())
    assert [own.criterion for own in found] == ["flat", "bad", "good", "length"]
    assert not found[0].kappa.defined
    assert found[0].kappa.undefined
    assert (found[-1].report, found[-1].missing) == (None, "its values are numbers, not labels")
    assert "Scores" in suggestion(found[-1]).text
    rule = "Sorted by κ: criteria without a κ first, then the lowest. Scores come last: they have no κ."
    assert readings.order_reading(found).startswith(rule)


def test_a_mixed_rubric_weighs_its_ordered_criteria_and_keeps_the_others() -> None:
    rng = np.random.default_rng(0)
    grades = [(str(h), str(min(5, max(1, h + rng.integers(-1, 2))))) for h in rng.integers(1, 6, 60)]
    ratings = read({"tone": cells([[20, 10], [10, 20]]), "clear": grades}, scale={"clear": "ordinal", "tone": "binary"})
    found = {own.criterion: own for own in review_criteria(ratings, "bot", Settings())}
    block = metrics.scores(ratings.on_criteria(("clear",))).judges["bot"].pooled
    assert found["clear"].kappa.value == block.values["weighted_kappa_quadratic"]
    assert found["clear"].main is not None
    assert found["clear"].main.labels == ("1", "2", "3", "4", "5")
    assert "square of their distance" in readings.nominal_words(found["clear"])
    alone = metrics.agreement(ratings.on_criteria(("tone",))).judges["bot"].micro
    assert (found["tone"].kappa.value, found["tone"].key) == (alone.values["kappa"], "kappa")
    assert "On an ordinal criterion that is κ with quadratic weights." in readings.order_reading(list(found.values()))
    assert "That is κ with quadratic weights." in readings.order_reading([found["clear"]])
    third = {own.criterion: own for own in review_criteria(ratings, "bot", Settings("as_category"))}["clear"]
    assert third.ordered is None
    assert "does not use" in readings.nominal_words(third)


def three_humans() -> pd.DataFrame:
    """Items by who says what: humans a b c, the judge under review, another judge; and the judge's score."""
    rows = []
    kinds = {"split": ("MET MET UNMET", "UNMET", "MET", 0.8), "all": ("MET MET MET", "UNMET", "UNMET", 0.4),
             "sure": ("MET MET MET", "UNMET", "UNMET", 0.1), "agree": ("MET MET MET", "MET", "MET", 0.9),
             "no": ("UNMET UNMET UNMET", "UNMET", "UNMET", 0.2)}  # fmt: skip
    for item, (humans, bot, other, score) in kinds.items():
        for name, label in zip("abc", humans.split(), strict=True):
            rows.append({"item": item, "rater": name, "role": "human", "label": label, "score": "", "text": f"*{item}*"})
        rows.append({"item": item, "rater": "bot", "role": "judge", "label": bot, "score": score, "text": f"*{item}*"})
        rows.append({"item": item, "rater": "two", "role": "judge", "label": other, "score": "", "text": f"*{item}*"})
    return pd.DataFrame(rows).assign(criterion="tone")


def test_the_most_telling_disagreement_has_all_humans_against_a_judge_that_is_sure() -> None:
    own = review_criteria(metrics.read(three_humans()), "bot", Settings())[0]
    found, n = most_telling(own)
    assert n == 3
    frame = telling_frame(own, found)
    assert frame["item"].tolist() == ["sure", "all", "split"]
    assert frame["text"].tolist() == ["*sure*", "*all*", "*split*"]
    assert found[0].why == "3 of 3 humans · sure of its verdict · 0 of 1 other judge"
    assert found[2].why == "2 of 3 humans · its own score · 1 of 1 other judge"
    assert len(most_telling(own, 2)[0]) == 2
    assert ranked_words(found).startswith("Sorted by how many more humans contradict the judge than agree, then by how sure")
    assert "steps" not in ranked_words(found)
    assert ranked_words(most_telling(reviewed(cells([[9, 3], [2, 8]])))[0]) == AS_IN_FILE


def test_disagreements_are_exactly_the_cells_off_the_diagonal() -> None:
    ratings = metrics.read(SAMPLE)
    for mode in ("exclude", "as_unmet", "as_category"):
        for own in review_criteria(ratings, "strict", Settings(mode)):
            found, n = most_telling(own, 10_000)
            table = np.asarray(own.block.confusion)  # type: ignore[union-attr]
            assert n == len(found) == table.sum() - np.trace(table)
            states = on_axis(reference_states(own.ratings, own.settings.reference), own.ratings.scheme, mode)
            of_reference = np.bincount([states[one.place] for one in found], minlength=len(table))
            assert of_reference.tolist() == (table.sum(1) - np.diag(table)).tolist()


def test_far_errors_of_an_order_come_before_near_ones() -> None:
    pairs = cells([[9, 1, 0, 0], [1, 9, 1, 0], [0, 1, 9, 1], [1, 0, 1, 9]], ("1", "2", "3", "4"))
    found, n = most_telling(review_criteria(read({"clear": pairs}, scale="ordinal"), "bot", Settings())[0])
    assert (n, found[0].steps, {one.steps for one in found[1:]}) == (7, 3, {1})
    assert found[0].why == "3 steps apart"


def test_a_table_of_counts_has_numbers_and_no_disagreements() -> None:
    ratings = metrics.read("assets/rao_balanced.csv")
    own = review_criteria(ratings, ratings.judges[0], Settings())[0]
    assert own.kappa.defined
    assert most_telling(own) == ((), 0)


def test_drift_and_abstention_are_said_with_their_numbers() -> None:
    own = reviewed(cells([[40, 30], [1, 40]]) + [("CANNOT_ASSESS", "MET")] * 9)
    drift = readings.drift_words(own).replace("\u00a0", " ")
    assert drift.startswith("the judge says MET on 37 % of decisions, the reference on 63 %: −26 points")
    assert readings.abstention_words(own).replace("\u00a0", " ") == (
        "the judge left 0 % of 120 decisions open, the reference 8 %. Both decided 93 %."
    )
    assert readings.humans_words(own).startswith("one human label at most")
    assert "not significant" not in drift
    assert "the reference on 50\u00a0%: the same share here [" in readings.drift_words(reviewed(cells([[20, 5], [5, 20]])))
    assert "the same share" not in readings.drift_words(reviewed(cells([[20, 5], [6, 20]])))
    assert readings.drift_words(reviewed(cells([[20, 5], [7, 18]]))).endswith(", not significant.")


def test_a_definition_comes_from_the_file_where_it_has_one() -> None:
    frame = rubric({"tone": cells([[5, 1], [1, 5]]), "facts": cells([[5, 1], [1, 5]])})
    assert definition_of(metrics.read(frame), "tone").text == ""
    frame["Criterion_Text"] = np.where(frame["criterion"] == "tone", "Is it <b>polite</b>?", "Is it true?")
    found = definition_of(metrics.read(frame), "tone")
    assert (found.text, found.column, found.n_others) == ("Is it <b>polite</b>?", "Criterion_Text", 0)
    frame.loc[frame.index[0], "Criterion_Text"] = "An older wording"
    found = definition_of(metrics.read(frame), "tone")
    assert (found.text, found.n_others) == ("Is it <b>polite</b>?", 1)
    items = rubric({"tone": cells([[5, 1], [1, 5]])})
    items["description"] = "What " + items["item"] + " is about"
    assert definition_of(metrics.read(items), "tone").text == ""


def test_decisions_go_to_a_file_and_come_back() -> None:
    made = Review(
        "f.csv", "ab12", {"tone": Decision("split", "Ana", "see *item 3*"), "gone": Decision("drop"), "open": Decision()}
    )
    back = read_review(made.to_json())
    assert back.decisions == {"tone": made.decisions["tone"], "gone": made.decisions["gone"]}
    assert readings.strangers(back, ("tone", "facts")) == ("gone",)
    text = readings.loaded_words(back, ("tone", "facts"), "other")
    assert "Loaded: 1 criterion" in text or "Loaded: 1 criteria" in text
    assert "‘gone’" in text
    assert "another file, f.csv" in text
    assert readings.progress_words(back, ("tone", "facts")) == "1 of 2 decided: 1 split"
    assert readings.place_words(2, back.of("tone"), "tone") == "✓ 3 tone: split"
    assert readings.place_words(0, back.of("facts")) == "○ 1"


@pytest.mark.parametrize(
    "text",
    ["", "[" * 100_000, "{}", "[]", "\x00", b"\xff\xfe\x00",
     json.dumps({"kind": "rubric review", "version": 2, "file": "", "sha256": "", "decisions": {}}),
     json.dumps({"kind": "rubric review", "version": 1, "file": "", "sha256": "", "decisions": {"a": {"action": "burn"}}}),
     json.dumps({"kind": "rubric review", "version": 1, "file": "", "sha256": "", "decisions": {"a": 3}})],
    ids=["empty", "deep", "object", "list", "NUL", "bytes", "version", "action", "no decision"],
)  # fmt: skip
def test_a_file_that_holds_no_review_is_refused_with_a_sentence(text: str | bytes) -> None:
    with pytest.raises(metrics.InputError, match="file"):
        read_review(text)


def test_all_decisions_stand_in_one_table_with_their_numbers() -> None:
    found = review_criteria(metrics.read(SAMPLE), "strict", Settings())
    made = Review(decisions={"Polite tone": Decision("split", "Ana", due="May")})
    frame = pd.DataFrame(in_full(decisions_table(made, found, "2026-03-04")))
    assert set(frame["date"]) == {"2026-03-04"}
    assert frame.set_index("criterion").loc["Polite tone", "due"] == "May"
    assert frame["criterion"].tolist() == [own.criterion for own in found]
    assert frame.set_index("criterion").loc["Polite tone", ["decision", "owner"]].tolist() == ["Split in two", "Ana"]
    assert frame["kappa"].tolist() == [own.kappa.value for own in found]


def test_the_file_of_a_meeting_reads_without_the_data_and_is_read_again() -> None:
    found = review_criteria(metrics.read(SAMPLE), "strict", Settings())
    made = Review("a.csv", "ab", {"Polite tone": Decision("split", "Ana", due="May")})
    text = meeting_json(made, found, "2026-03-04")
    told = json.loads(text, parse_constant=pytest.fail)
    assert (told["date"], told["people"]) == ("2026-03-04", ["ana", "ben"])
    assert [row["criterion"] for row in told["rests_on"]] == [own.criterion for own in found]
    for row, own in zip(told["rests_on"], found, strict=True):
        assert row["kappa"] == (own.kappa.value if own.kappa.defined else None)
        assert {"low", "high", "n", "judge", "abstention", "coverage", "owner", "due", "decision"} <= set(row)
    assert read_review(text) == made
