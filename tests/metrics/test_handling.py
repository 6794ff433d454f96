"""Ties, invalid answers and failed calls, each with a handling of its own, against a count row by row."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, cohen_kappa_score, confusion_matrix

from metrics import InputError, agreement, compare, read
from metrics.abstention import MODES
from metrics.aggregation import OPEN, UNDECIDED, ItemRule, item_verdicts
from metrics.choices import Settings
from metrics.cli import main
from metrics.declaration import copied, header
from metrics.handling import handled
from metrics.intervals.resampling import Frame
from metrics.judging import judge_report
from metrics.pairs import patterns_of
from metrics.selecting import decisions_behind

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
SAYS = {"MET": "MET", "UNMET": "UNMET", "CA": "abstention", "TIE": "tie", "BAD": "invalid", "ERR": "error"}
HOW = ("abstention", "exclude", "as_unmet", "as_category")
USUAL = {"tie": "abstention", "invalid": "abstention", "error": "exclude"}
AXIS = {"exclude": ["MET", "UNMET"], "as_unmet": ["MET", "UNMET"], "as_category": ["MET", "UNMET", "CA"]}


def every_handling(mode: str) -> list[dict[str, str]]:
    found = [dict(zip(USUAL, hows, strict=True)) for hows in product(HOW, repeat=3)]
    return [own for own in found if mode == "as_category" or "as_category" not in own.values()]


def label_of(says: str | None, mode: str, handling: dict[str, str]) -> str | None:
    """What one answer counts as, straight from the rules; None where it does not count."""
    if says in ("MET", "UNMET", None):
        return says
    kind = SAYS[says]
    own = {**USUAL, **handling}.get(kind, "abstention")
    own = mode if own == "abstention" else own
    return {"exclude": None, "as_unmet": "UNMET", "as_category": "CA"}[own]


def sides(seed: int, n: int = 60, criteria: int = 2) -> tuple[list[list[str | None]], list[list[str | None]]]:
    rng = np.random.default_rng(seed)
    human = rng.choice(["MET", "UNMET", "CA", "TIE", "BAD"], size=(n, criteria), p=[0.4, 0.3, 0.1, 0.1, 0.1])
    judge = np.where(rng.random((n, criteria)) < 0.6, human, rng.choice(list(SAYS), size=(n, criteria)))
    return human.tolist(), judge.tolist()


def counted(human: Any, judge: Any, mode: str, handling: dict[str, str]) -> list[tuple[str, str]]:
    pairs = [(label_of(h, mode, handling), label_of(j, mode, handling)) for h, j in zip(human, judge, strict=True)]
    return [(h, j) for h, j in pairs if h is not None and j is not None]


@pytest.mark.parametrize("mode", MODES)
def test_every_combination_equals_a_count_row_by_row(mode, build_paired):
    human, judge = sides(1)
    ratings = build_paired(human, judge)
    flat = [[says for row in side for says in row] for side in (human, judge)]
    tables = set()
    for handling in every_handling(mode):
        found = agreement(ratings, abstention=mode, handling=handling, interval="none").judges["j"]
        pairs = counted(*flat, mode, handling)
        h, j = zip(*pairs, strict=True)
        assert found.micro.n == len(pairs)
        assert (found.micro.confusion == confusion_matrix(h, j, labels=AXIS[mode])).all(), handling
        assert found.micro.values["kappa"] == pytest.approx(cohen_kappa_score(h, j, labels=AXIS[mode]), abs=1e-12)
        assert found.micro.values["accuracy"] == pytest.approx(accuracy_score(h, j), abs=1e-12)
        for c, block in enumerate(found.criteria.values()):
            own = counted([row[c] for row in human], [row[c] for row in judge], mode, handling)
            assert (block.confusion == confusion_matrix(*zip(*own, strict=True), labels=AXIS[mode])).all()
        tables.add(found.micro.confusion.tobytes())
    assert len(tables) >= 8


def kleene(says: list[str | None], rule: ItemRule, names: list[str]) -> str:
    """YES, NO or OPEN over all completions of the answers that are "CA", by trying them all."""
    weights = {name: dict(rule.weights).get(name, 1.0) for name in names}
    free = [i for i, answer in enumerate(says) if answer == "CA"]
    outcomes = set()
    for filled in product(("MET", "UNMET"), repeat=len(free)):
        full = list(says)
        for place, answer in zip(free, filled, strict=True):
            full[place] = answer
        met = {name for name, answer in zip(names, full, strict=True) if answer == "MET"}
        if rule.rule == "all":
            outcomes.add(all((w > 0) == (name in met) for name, w in weights.items() if w))
        else:
            most = sum(w for w in weights.values() if w > 0)
            outcomes.add(sum(weights[name] for name in met) >= rule.threshold * most - 1e-9)
    return "OPEN" if len(outcomes) == 2 else ("YES" if outcomes == {True} else "NO")


def item_verdict(says: list[str | None], mode: str, handling: dict[str, str], rule: ItemRule, names: list[str]) -> str:
    """The verdict on one item of one side: abstentions carried, answers that are left out tried both ways."""
    if any(answer is None or (answer == "ERR" and handling.get("error", "exclude") == "exclude") for answer in says):
        return "ABSENT"
    carried = [label_of(answer, "as_unmet" if mode == "as_unmet" else "as_category", handling) for answer in says]
    left = [i for i, answer in enumerate(carried) if answer is None]
    verdicts = set()
    for filled in product(("MET", "UNMET"), repeat=len(left)):
        full = list(carried)
        for place, answer in zip(left, filled, strict=True):
            full[place] = answer
        verdicts.add(kleene(full, rule, names))
    return verdicts.pop() if len(verdicts) == 1 else "LEFT"


RULES = [ItemRule(), ItemRule("threshold", 0.5, (("c0", 2.0), ("c2", -1.0))), ItemRule("all", None, (("c1", -1.0),))]


@pytest.mark.parametrize("rule", RULES, ids=["all", "threshold", "negative"])
@pytest.mark.parametrize("mode", MODES)
def test_item_verdicts_carry_the_handling(mode, rule, build_paired):
    human, judge = sides(2, 80, 3)
    ratings = build_paired(human, judge)
    names = list(ratings.criteria)
    axis = ["YES", "NO", "OPEN"] if mode == "as_category" else ["YES", "NO"]
    sizes = set()
    for handling in every_handling(mode)[::3]:
        settings = Settings(mode, "h", ("j",), rule, interval="none", handling=tuple(handling.items()))
        item = judge_report(ratings, "j", settings).item
        verdicts = [[item_verdict(row, mode, handling, rule, names) for row in side] for side in (human, judge)]
        both = [(h, j) for h, j in zip(*verdicts, strict=True) if h in axis and j in axis]
        expected = [[both.count((h, j)) for j in axis] for h in axis]
        assert item.confusion.tolist() == expected, handling
        assert item.more["left_out"] == sum("ABSENT" in pair for pair in zip(*verdicts, strict=True))
        sizes.add(item.n)
    assert len(sizes) > 3


def test_an_item_that_hangs_on_an_answer_left_out_is_no_undecided_item(build_paired):
    human = [["MET", "TIE"], ["UNMET", "TIE"], ["MET", "CA"], ["CA", "TIE"], ["MET", "MET"]]
    ratings = handled(build_paired(human, [["MET", "MET"]] * 5), (("tie", "exclude"),))
    found = item_verdicts(patterns_of(ratings, "j", "h"), ratings.scheme, ItemRule(), ratings.criteria, as_unmet=False)
    by_item = found.reference[patterns_of(ratings, "j", "h").of_item]
    assert by_item.tolist() == [OPEN, 1, UNDECIDED, OPEN, 0]
    item = agreement(ratings, abstention="as_category", interval="none").judges["j"].item
    assert item.confusion.tolist() == [[1, 0, 0], [1, 0, 0], [1, 0, 0]]
    assert item.more["coverage"] == {"n_total": 5, "coverage": 0.4, "by_reference": {"MET": 1.0, "UNMET": 1.0}}


def test_a_failed_call_that_counts_as_unmet_does_not_leave_its_item_out(build_paired):
    ratings = build_paired([["MET", "MET"], ["MET", "UNMET"]], [["MET", "ERR"], ["MET", "UNMET"]])
    usual = agreement(ratings, interval="none").judges["j"]
    assert (usual.item.more["left_out"], usual.item.n, usual.n_items) == (1, 1, 2)
    found = agreement(ratings, handling={"error": "as_unmet"}, interval="none").judges["j"]
    assert found.item.more["left_out"] == 0
    assert found.item.confusion.tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize("mode", MODES)
def test_the_decisions_behind_the_table_are_those_counted(mode, build_paired):
    ratings = build_paired(*sides(3))
    for handling in every_handling(mode):
        settings = Settings(mode, "h", ("j",), interval="none", handling=tuple(handling.items()))
        table = judge_report(ratings, "j", settings).micro.confusion
        for row, column in np.ndindex(table.shape):
            assert len(decisions_behind(ratings, "j", settings, cell=(row, column))) == table[row, column]


@pytest.mark.parametrize("mode", MODES)
def test_what_a_bootstrap_draws_adds_up_to_the_tables(mode, build_paired):
    ratings = build_paired(*sides(4, 60, 3))
    for handling in every_handling(mode)[::5]:
        settings = Settings(mode, "h", ("j",), interval="none", handling=tuple(handling.items()))
        report, own = judge_report(ratings, "j", settings), settings.on(ratings)
        frame = Frame.of(patterns_of(own, "j", "h"), own.scheme, [mode], ItemRule(), own.criteria)
        k = frame.k[mode]
        micro, item = frame.pooled(), frame.item()
        assert (micro.decisions.fold(mode, k) @ micro.total == report.micro.confusion.ravel()).all()
        assert (item.decisions.fold(mode, k) @ item.total == report.item.confusion.ravel()).all()


@pytest.mark.parametrize("handling", [{"tie": "as_unmet"}, {"error": "as_unmet", "tie": "exclude"}, {"invalid": "as_unmet"}])
def test_the_jackknife_leaves_out_items_of_the_same_decisions(handling, build_paired):
    human, judge = sides(5, 40)
    found = agreement(build_paired(human, judge), handling=handling, interval="jackknife").judges["j"].micro
    left = []
    for gone in range(len(human)):
        rest = [[says for i, row in enumerate(side) if i != gone for says in row] for side in (human, judge)]
        pairs = counted(*rest, "exclude", handling)
        if len(pairs) < found.n:
            left.append(cohen_kappa_score(*zip(*pairs, strict=True)))
    n = len(left)
    error = math.sqrt((n - 1) / n * float(((np.array(left) - np.mean(left)) ** 2).sum()))
    low, high = found.ends("kappa")
    value = found.values["kappa"]
    reach = (math.atanh(high) - math.atanh(low)) / 2
    from scipy.stats import t

    assert reach == pytest.approx(t.ppf(0.975, n - 1) * error / (1 - value**2), rel=1e-9)


@pytest.mark.parametrize("mode", MODES)
def test_two_judges_are_compared_on_decisions_that_count(mode, build_ratings):
    human, a = sides(6, 50, 1)
    _, b = sides(7, 50, 1)
    rows = [
        (f"i{i}", "c0", who, role, row[0])
        for who, role, side in (("h", "human", human), ("a", "judge", a), ("b", "judge", b))
        for i, row in enumerate(side)
    ]
    ratings = build_ratings(rows, criteria=["c0"])
    for handling in ({"tie": "exclude"}, {"tie": "as_unmet", "error": "as_unmet"}, {"invalid": "exclude", "error": "abstention"}):
        found = compare(ratings, "a", "b", abstention=mode, handling=handling, replicates=1)
        answered = [i for i in range(50) if handling.get("error") or "ERR" not in (a[i][0], b[i][0])]
        for side, own in ((found.a, a), (found.b, b)):
            pairs = counted([human[i][0] for i in answered], [own[i][0] for i in answered], mode, handling)
            assert side.value == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True), labels=AXIS[mode]), abs=1e-12)
        assert found.declaration.handling == handling


@pytest.mark.parametrize("mode", MODES)
def test_coverage_does_not_depend_on_the_handling(mode, build_paired):
    ratings = build_paired(*sides(8))
    usual = agreement(ratings, interval="none").judges["j"].coverage
    for handling in every_handling(mode):
        assert agreement(ratings, abstention=mode, handling=handling, interval="none").judges["j"].coverage == usual


def test_nothing_said_changes_nothing_but_the_declaration(build_paired):
    ratings = build_paired(*sides(9))
    usual = agreement(ratings).to_dict()
    assert usual["declaration"].pop("handling") == {}
    for given in ({}, {"tie": "abstention"}, dict(USUAL)):
        said = agreement(ratings, handling=given).to_dict()
        assert said["declaration"].pop("handling") == {}
        assert json.dumps(said) == json.dumps(usual)


def test_the_tallies_of_the_ratings_are_kept(build_paired):
    ratings = build_paired(*sides(10))
    agreement(ratings, interval="none")
    tallied = patterns_of(ratings, "j", "h")
    other = handled(ratings, (("tie", "as_unmet"),))
    assert other.memo is ratings.memo
    assert patterns_of(other, "j", "h") is tallied
    assert agreement(other, interval="none").declaration.handling == {"tie": "as_unmet"}
    assert agreement(other, handling={}, interval="none").declaration.handling == {}


def test_the_third_class_is_named_after_what_is_in_it(build_ratings):
    kinds = {"1": "positive", "2": "negative", "tie": "tie", "INVALID": "invalid"}
    rows = [
        ("a", "c", "h", "human", "1"),
        ("a", "c", "j", "judge", "tie"),
        ("b", "c", "h", "human", "2"),
        ("b", "c", "j", "judge", "2"),
    ]
    ratings = build_ratings(rows, kinds=kinds)
    labels = [
        agreement(ratings, abstention="as_category", handling=how, interval="none").judges["j"].micro.labels[-1]
        for how in ({}, {"tie": "exclude"}, {"tie": "as_unmet", "invalid": "exclude"})
    ]
    assert labels == ["tie", "INVALID", "CANNOT_ASSESS"]


@pytest.mark.parametrize(
    ("words", "handling", "name"),
    [
        (("tie", "INVALID"), {}, "tie / INVALID"),
        (("tie", "INVALID"), {"tie": "exclude"}, "INVALID"),
        (("tie", "INVALID"), {"invalid": "as_unmet"}, "tie"),
        (("tie", "tie"), {}, "tie"),
        (("CANNOT_ASSESS", "CANNOT_ASSESS"), {}, "CANNOT_ASSESS"),
        (("CANNOT_ASSESS", "tie"), {}, "no verdict"),
        (("CANNOT_ASSESS", "tie"), {"tie": "exclude"}, "CANNOT_ASSESS"),
        (("INVALID", "timeout"), {}, "INVALID"),
        (("INVALID", "timeout"), {"error": "as_category"}, "no verdict"),
    ],
)
def test_a_class_of_several_kinds_is_named_after_all_that_occur(build_ratings, words, handling, name):
    kinds = {
        "1": "positive",
        "2": "negative",
        "CANNOT_ASSESS": "abstention",
        "tie": "tie",
        "INVALID": "invalid",
        "timeout": "error",
    }
    said = [("1", "1"), ("2", "2"), ("1", words[0]), ("2", words[1])]
    sides = list(zip(("h", "j"), ("human", "judge"), zip(*said, strict=True), strict=True))
    rows = [(f"i{i}", "c", who, role, label) for who, role, labels in sides for i, label in enumerate(labels)]
    ratings = build_ratings(rows, kinds=kinds)
    report = agreement(ratings, abstention="as_category", handling=handling, interval="none")
    assert report.to_dict()["judges"]["j"]["micro"]["labels"] == ["1", "2", name]


@pytest.mark.parametrize(
    ("handling", "mode", "said"),
    [
        ({"tie": "drop"}, "exclude", "Unknown handling 'drop' of tie. Use one of: abstention, exclude, as_unmet, as_category."),
        ({"abstention": "exclude"}, "exclude", "An abstention follows the abstention mode."),
        ({"missing": "exclude"}, "exclude", "No handling can be given to 'missing'. Use one of: tie, invalid, error."),
        ({"error": "as_category"}, "exclude", "error=as_category needs a class to go to."),
        ({"tie": "as_category"}, "as_unmet", "tie=as_category needs a class to go to."),
    ],
)
def test_what_cannot_be_is_refused(handling, mode, said, build_paired):
    with pytest.raises(InputError) as caught:
        agreement(build_paired(*sides(11)), abstention=mode, handling=handling)
    assert said in str(caught.value)


def test_classes_have_no_negative_label_to_recode_to(build_ratings):
    kinds = {"a": "class", "b": "class", "c": "class", "TIE": "tie"}
    rows = [
        (f"i{i}", "c", who, role, label)
        for who, role in (("h", "human"), ("j", "judge"))
        for i, label in enumerate(["a", "b", "c", "TIE"])
    ]
    ratings = build_ratings(rows, kinds=kinds)
    with pytest.raises(InputError, match="tie=as_unmet needs a negative label; these labels are classes"):
        agreement(ratings, handling={"tie": "as_unmet"})
    assert agreement(ratings, abstention="as_category", handling={"tie": "exclude"}, interval="none").judges["j"].micro.n == 3


def test_the_declaration_says_what_becomes_of_each(build_paired):
    ratings = build_paired(*sides(12))
    handling = {"tie": "exclude", "invalid": "as_unmet", "error": "as_unmet"}
    report = agreement(ratings, handling=handling)
    its = report.judges["j"].coverage
    bold = header(report, "j", "micro").bold
    said = "ties left out; invalid answers counted as UNMET; failed calls counted as UNMET"
    assert f"abstentions excluded, gave a verdict: {round(100 * its.coverage)}\u00a0%; {said} · micro" in bold
    assert said in copied(report, "j", "micro", "kappa")
    assert said in report.summary()
    assert report.to_dict()["declaration"]["handling"] == handling
    assert set(report.to_frame()["handling"]) == {"tie=exclude, invalid=as_unmet, error=as_unmet"}
    assert [w.message for w in report.warnings if w.code == "failed_calls_counted"] == [
        f"j: {its.n_errors} judge calls failed, and are in the numbers: failed calls counted as UNMET."
    ]
    assert f"of {its.n_total + its.n_errors} decisions" in header(report, "j", "micro").rest
    assert "failed_calls" in {w.code for w in agreement(ratings).warnings}
    silent = agreement(ratings, handling={"error": "abstention"}).warnings
    assert f"j: {its.n_errors} judge calls failed; they count as abstentions." in [w.message for w in silent]


def test_the_declaration_is_silent_about_kinds_that_do_not_occur(build_paired):
    ratings = build_paired([["MET"], ["UNMET"], ["TIE"]] * 4, [["MET"], ["MET"], ["UNMET"]] * 4)
    report = agreement(ratings, handling={"tie": "as_unmet", "invalid": "exclude"})
    assert header(report, "j", "micro").bold == "Binary · gave a verdict: 67\u00a0%; ties counted as UNMET."
    usual = agreement(ratings, handling={"invalid": "exclude"})
    assert header(usual, "j", "micro").bold == "Binary · abstentions excluded, coverage 67\u00a0%."
    nobody = build_paired([["MET"], ["UNMET"]] * 4, [["MET"], ["MET"]] * 4)
    assert header(agreement(nobody, handling={"tie": "as_unmet"}), "j", "micro").bold == "Binary · no abstentions."


def test_recoding_a_tie_favours_an_item_on_a_criterion_that_counts_against_it(build_paired):
    ratings = build_paired(*sides(13))
    said = agreement(ratings, handling={"tie": "as_unmet"}, weights={"c1": -1.0}, interval="none").warnings
    assert any(w.code == "recode_favours_item" and "Counting a tie as negative" in w.message for w in said)
    usual = agreement(ratings, handling={"tie": "exclude"}, weights={"c1": -1.0}, interval="none").warnings
    assert not any(w.code == "recode_favours_item" for w in usual)


def test_calls_that_all_failed_can_be_counted(build_paired):
    ratings = build_paired([["MET"], ["UNMET"]], [["ERR"], ["ERR"]])
    with pytest.raises(InputError, match="every judge call on an item with a human label failed"):
        agreement(ratings)
    found = agreement(ratings, handling={"error": "as_unmet"}, interval="none").judges["j"].micro
    assert found.confusion.tolist() == [[0, 1], [0, 1]]


def test_the_command_line_takes_a_handling(tmp_path, capsys):
    file = tmp_path / "labels.csv"
    rows = ["item,human,verdict", "1,MET,MET", "2,UNMET,tie", "3,MET,UNMET", "4,tie,UNMET", "5,MET,tie"]
    file.write_text("\n".join(rows))
    for options, n in (([], 2), (["--handling", "tie=as_unmet"], 5), (["--handling", "tie=exclude,invalid=as_unmet"], 2)):
        with pytest.raises(SystemExit) as stop:
            main(["agreement", str(file), "--labels", "tie=tie", "--json", "--interval", "none", *options])
        assert stop.value.code == 0
        found = json.loads(capsys.readouterr().out)
        assert found["judges"]["judge"]["micro"]["n"] == n
    assert found["declaration"]["handling"] == {"tie": "exclude", "invalid": "as_unmet"}
    for given, said in (("tie", "--handling: 'tie' has no “=”"), ("tie=no", "Unknown handling 'no' of tie")):
        with pytest.raises(SystemExit) as stop:
            main(["agreement", str(file), "--labels", "tie=tie", "--json", "--handling", given])
        out, err = capsys.readouterr()
        assert (stop.value.code, out) == (2, "")
        assert said in err


def published_rows(name: str) -> list[dict[str, str]]:
    if not (DATA / name).exists():
        pytest.skip("the published tables are not here")
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


PANDALM = {"1": "MET", "2": "UNMET", "tie": "TIE", "INVALID": "BAD"}
PUBLISHED = [
    ("pandalm_pairwise.csv", {"1": "positive", "2": "negative", "tie": "tie"}, PANDALM),
    ("mtbench_gpt4_pairwise.csv", {"A": "positive", "B": "negative", "tie": "tie"}, {"A": "MET", "B": "UNMET", "tie": "TIE"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "labels", "says"), PUBLISHED, ids=["pandalm", "mtbench"])
def test_published_tables_with_ties_and_invalid_answers(name, labels, says):
    rows = published_rows(name)
    ratings = read(DATA / name, labels=labels)
    for mode, tie, invalid in product(MODES, HOW[:3], HOW[:3]):
        handling = {"tie": tie, "invalid": invalid}
        report = agreement(ratings, abstention=mode, handling=handling, interval="none")
        for judge, found in report.judges.items():
            own = [row for row in rows if row["judge"] == judge]
            pairs = counted([says[row["human"]] for row in own], [says[row["verdict"]] for row in own], mode, handling)
            expected = confusion_matrix(*zip(*pairs, strict=True), labels=AXIS[mode])
            assert (found.micro.confusion == expected).all(), (judge, mode, handling)
            assert found.micro.values["kappa"] == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True)), abs=1e-12)
            assert found.coverage.n_total == len(own)


def test_what_handling_moves_on_published_ties():
    published_rows("pandalm_pairwise.csv")
    ratings = read(DATA / "pandalm_pairwise.csv", labels=PUBLISHED[0][1])
    settings = Settings("exclude", "human", ("gpt-3.5-turbo",), interval="none")
    kappas = {
        tie: judge_report(ratings, "gpt-3.5-turbo", replace(settings, handling=(("tie", tie),))).micro
        for tie in ("exclude", "as_unmet")
    }
    assert kappas["exclude"].n < kappas["as_unmet"].n <= 999
    assert kappas["exclude"].values["kappa"] == pytest.approx(0.630, abs=5e-4)
    assert kappas["as_unmet"].values["kappa"] == pytest.approx(0.561, abs=5e-4)
