"""Ties, invalid answers and failed calls, each with a handling of its own, against a count row by row."""

from __future__ import annotations

import json
import math
from itertools import product

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, cohen_kappa_score, confusion_matrix

from metrics import agreement, compare
from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.agreement.decisions import decisions_behind
from metrics.analyses.settings import Settings
from metrics.data.abstention import MODES
from metrics.data.aggregation import OPEN, UNDECIDED, ItemRule, item_verdicts
from metrics.data.nonverdicts import handled
from metrics.data.pairs import patterns_of
from metrics.intervals.resampling import Frame
from tests.metrics.every_kind import AXIS, USUAL, counted, every_handling, label_of, sides


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
    assert item.more["coverage"] == {"n_total": 5, "n_split": 0, "coverage": 0.4, "by_reference": {"MET": 1.0, "UNMET": 1.0}}


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
        assert (micro.decisions.mode_matrix(mode, k) @ micro.total == report.micro.confusion.ravel()).all()
        assert (item.decisions.mode_matrix(mode, k) @ item.total == report.item.confusion.ravel()).all()


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
    low, high = found["kappa"].ends
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
        asked = [i for i in range(50) if handling.get("error") or "ERR" not in (a[i][0], b[i][0])]
        answered = [i for i in asked if all(counted([human[i][0]], [own[i][0]], mode, handling) for own in (a, b))]
        for side, own in ((found.a, a), (found.b, b)):
            pairs = counted([human[i][0] for i in answered], [own[i][0] for i in answered], mode, handling)
            kappa = cohen_kappa_score(*zip(*pairs, strict=True), labels=AXIS[mode])
            assert side.estimate.value == pytest.approx(kappa, abs=1e-12)
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
