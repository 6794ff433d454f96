"""Item verdicts against all completions of the abstentions, and the tables made of them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics.data.aggregation import (
    ABSENT,
    NO,
    UNDECIDED,
    YES,
    ItemRule,
    fold_items,
    item_table,
    item_verdicts,
)
from metrics.data.pairs import patterns_of
from metrics.measures.arrays import mean_where_defined

LABELS = np.array(["MET", "UNMET", "CA", "TIE", "BAD", "ERR", None], object)
SILENT = ("CA", "TIE", "BAD")
WEIGHTS = [-2.0, -1.0, -0.1, 0.0, 0.1, 0.2, 0.3, 0.7, 1.0, 3.0]


def met_by(rule: ItemRule, weights: list[float], met: list[bool]) -> bool:
    """The rule on one item without abstentions, as it is worded."""
    if rule.rule == "all":
        return all(m for w, m in zip(weights, met, strict=True) if w > 0) and not any(
            m for w, m in zip(weights, met, strict=True) if w < 0
        )
    most = math.fsum(w for w in weights if w > 0)
    return math.fsum(w for w, m in zip(weights, met, strict=True) if m) >= rule.threshold * most - 1e-9 * most


def by_completions(labels: list[str], rule: ItemRule, weights: list[float]) -> int:
    """Verdict on which every way to fill the abstentions agrees; undecided when they differ."""
    options = [(True, False) if label in SILENT else (label == "MET",) for label in labels]
    outcomes = {met_by(rule, weights, list(filled)) for filled in itertools.product(*options)}
    return UNDECIDED if len(outcomes) == 2 else YES if outcomes == {True} else NO


def naive_verdicts(human, judge, rule: ItemRule, weights, as_unmet: bool) -> list[tuple[int, int, bool]]:
    """(reference, judge, complete) of each item; an item's rubric is the criteria with any row for it."""
    out = []
    for sides in zip(human, judge, strict=True):
        asked = [c for c in range(len(weights)) if any(side[c] is not None for side in sides)]
        own = [weights[c] for c in asked]
        kept = [[side[c] for c in asked] for side in sides]
        if not any(w > 0 for w in own) or any(label in (None, "ERR") for side in kept for label in side):
            out.append((ABSENT, ABSENT, False))
            continue
        silent = any(label in SILENT for side in kept for label in side)
        if as_unmet:
            kept, silent = [["UNMET" if label in SILENT else label for label in side] for side in kept], False
        out.append((*(by_completions(side, rule, own) for side in kept), not silent))
    return out


def random_sides(seed: int, n_items: int, n_criteria: int, gaps: float = 1.0):
    rng = np.random.default_rng(seed)
    weights = np.array([8, 3, 3, 0.5, 0.5, 0.4 * gaps, 0.6 * gaps])
    sides = LABELS[rng.choice(7, (2, n_items, n_criteria), p=weights / weights.sum())]
    sides[:, rng.random((n_items, n_criteria)) < 0.1 * gaps] = None
    return sides[0].tolist(), sides[1].tolist()


RULES = st.one_of(
    st.just(("all", None)),
    st.tuples(st.just("threshold"), st.sampled_from([0.1, 0.25, 0.3, 1 / 3, 0.5, 0.6, 2 / 3, 0.7, 0.9, 1.0])),
)


@settings(max_examples=120, deadline=None)
@given(
    st.integers(0, 10**6), st.integers(1, 12), st.lists(st.sampled_from(WEIGHTS), min_size=1, max_size=5), RULES, st.booleans()
)
def test_verdicts_are_those_on_which_all_completions_agree(build_paired, seed, n_items, weights, rule, as_unmet) -> None:
    weights[0] = abs(weights[0]) or 1.0
    human, judge = random_sides(seed, n_items, len(weights))
    ratings = build_paired(human, judge)
    if not len(ratings.item):
        return
    named = ItemRule.of(*rule, {f"c{c}": w for c, w in enumerate(weights)}, ratings.criteria)
    patterns = patterns_of(ratings, "j", "h")
    found = item_verdicts(patterns, ratings.scheme, named, ratings.criteria, as_unmet=as_unmet)
    # A failed human call is no rating, so on a criterion the judge skipped too it stays part of the rubric: a row is there.
    wanted = naive_verdicts(human, judge, named, weights, as_unmet)
    for place, (reference, own, complete) in enumerate(wanted):
        pattern = patterns.of_item[place]
        absent = ABSENT in (found.reference[pattern], found.judge[pattern])
        if reference == ABSENT:
            assert absent
        else:
            assert (found.reference[pattern], found.judge[pattern]) == (reference, own)
            if not as_unmet:
                assert bool(found.complete[pattern]) == complete
    table = np.zeros((3, 3), int)
    complete_table = np.zeros((3, 3), int)
    for reference, own, complete in wanted:
        if reference != ABSENT:
            table[reference, own] += 1
            complete_table[reference, own] += complete
    assert (item_table(found, patterns.multiplicity) == table).all()
    if not as_unmet:
        assert (item_table(found, patterns.multiplicity * found.complete) == complete_table).all()
    else:
        assert table[UNDECIDED].sum() == table[:, UNDECIDED].sum() == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 30), st.lists(st.sampled_from([0.0, 0.2, 1.0, 3.0]), min_size=1, max_size=5), RULES)
def test_without_negative_weights_recoding_is_the_kleene_table_with_abstention_merged(
    build_paired, seed, n_items, weights, rule
) -> None:
    weights[0] = weights[0] or 1.0
    human, judge = random_sides(seed, n_items, len(weights))
    ratings = build_paired(human, judge)
    if not len(ratings.item):
        return
    named = ItemRule.of(*rule, {f"c{c}": w for c, w in enumerate(weights)}, ratings.criteria)
    patterns = patterns_of(ratings, "j", "h")
    kleene, recoded = (
        item_table(item_verdicts(patterns, ratings.scheme, named, ratings.criteria, as_unmet=flag), patterns.multiplicity)
        for flag in (False, True)
    )
    merged = np.add.reduceat(np.add.reduceat(kleene, [0, 1], axis=0), [0, 1], axis=1)
    assert (fold_items(recoded, "as_unmet") == merged).all()
    assert (fold_items(kleene, "as_category") == kleene).all()
    assert (fold_items(kleene, "exclude") == kleene[:2, :2]).all()


def test_with_a_negative_weight_recoding_favours_the_item(build_paired) -> None:
    ratings = build_paired([["MET", "CA"]], [["MET", "MET"]])
    settings_ = {"weights": {"c1": -1.0}, "interval": "none"}
    open_ = metrics.agreement(ratings, abstention="as_category", **settings_).judges["j"].item
    assert open_.confusion.tolist() == [[0, 0, 0], [0, 0, 0], [0, 1, 0]]
    recoded = metrics.agreement(ratings, abstention="as_unmet", **settings_)
    assert recoded.judges["j"].item.confusion.tolist() == [[0, 1], [0, 0]]
    assert "recode_favours_item" in [warning.code for warning in recoded.warnings]
    plain = metrics.agreement(ratings, abstention="as_unmet", interval="none")
    assert "recode_favours_item" not in [warning.code for warning in plain.warnings]


@pytest.mark.parametrize(
    ("labels", "weights", "threshold", "verdict"),
    [
        (["MET", "MET"], [1, 1], None, YES),
        (["MET", "CA"], [1, 1], None, UNDECIDED),
        (["UNMET", "CA"], [1, 1], None, NO),
        (["MET", "CA"], [1, 0], None, YES),
        (["MET", "CA"], [1, -1], None, UNDECIDED),
        (["UNMET", "CA"], [1, -1], None, NO),
        (["MET", "UNMET"], [1, -1], None, YES),
        (["MET", "MET"], [1, -1], None, NO),
        (["MET", "UNMET", "UNMET"], [1, 1, 1], 1 / 3, YES),
        (["MET", "MET", "MET", "UNMET", "UNMET"], [0.1, 0.1, 0.1, 0.1, 0.1], 0.6, YES),
        (["UNMET", "UNMET", "MET"], [0.1, 0.2, 0.3], 0.5, YES),
        (["UNMET", "MET", "MET"], [0.1, 0.2, 0.7], 0.9, YES),
        (["UNMET", "UNMET", "MET"], [0.1, 0.2, 0.2999], 0.5, NO),
        (["MET", "CA"], [1, 1], 0.5, YES),
        (["UNMET", "CA"], [1, 1], 0.5, UNDECIDED),
        (["UNMET", "CA"], [1, 1], 0.6, NO),
        (["MET", "CA"], [2, -1], 0.5, YES),
        (["MET", "CA"], [2, -1], 0.6, UNDECIDED),
        (["CA", "CA"], [1, -1], 1.0, UNDECIDED),
    ],
)
def test_verdicts_by_hand(build_paired, labels, weights, threshold, verdict) -> None:
    named = {f"c{c}": w for c, w in enumerate(weights)}
    ratings = build_paired([labels], [labels])
    rule = ItemRule.of("all" if threshold is None else "threshold", threshold, named, ratings.criteria)
    found = item_verdicts(patterns_of(ratings, "j", "h"), ratings.scheme, rule, ratings.criteria, as_unmet=False)
    assert found.reference.tolist() == found.judge.tolist() == [verdict]


def test_items_that_lack_a_criterion_are_left_out_and_counted(build_paired) -> None:
    human = [["MET", "MET"], ["MET", None], ["MET", "UNMET"], ["UNMET", None], ["MET", "ERR"], [None, None]]
    judge = [["MET", "MET"], ["MET", None], ["MET", None], ["UNMET", "MET"], ["MET", "MET"], ["MET", "MET"]]
    item = metrics.agreement(build_paired(human, judge), interval="none").judges["j"].item
    assert item.confusion.tolist() == [[2, 0], [0, 0]], "the second item's rubric is one criterion only"
    assert item.more["left_out"] == 4
    failed = metrics.agreement(build_paired([["MET", "MET"]] * 2, [["MET", "ERR"], ["MET", "MET"]]), interval="none").judges["j"]
    assert failed.item.n == 1
    assert failed.item.more["left_out"] == 1


def test_coverage_by_reference_verdict_and_complete_items(build_paired) -> None:
    human = [["MET", "MET"]] * 4 + [["UNMET", "MET"]] * 4 + [["CA", "MET"]] * 2
    by_item = "MET MET, MET CA, MET CA, UNMET CA, UNMET CA, UNMET UNMET, MET CA, MET MET, MET MET, UNMET MET"
    judge = [labels.split() for labels in by_item.split(", ")]
    recoded = metrics.agreement(build_paired(human, judge), abstention="as_unmet", interval="none").judges["j"].item
    assert recoded.n == 10
    assert recoded.more["complete"]["n"] == 3, "recoding an abstention does not make its item complete"
    assert recoded.more["complete"]["kappa"] == pytest.approx(float(metrics.cohen_kappa([[1, 0], [1, 1]])))
    for mode in ("exclude", "as_category"):
        item = metrics.agreement(build_paired(human, judge), abstention=mode, interval="none").judges["j"].item
        kleene = [[1, 1, 2], [1, 2, 1], [1, 1, 0]]
        assert item.confusion.tolist() == (kleene if mode == "as_category" else [row[:2] for row in kleene[:2]])
        coverage = item.more["coverage"]
        assert coverage["n_total"] == 10
        assert coverage["coverage"] == pytest.approx(5 / 10)
        assert coverage["by_reference"] == {"MET": pytest.approx(0.5), "UNMET": pytest.approx(0.75)}
        complete = item.more["complete"]
        assert complete["n"] == 3, "items without any abstention on either side"
        assert complete["accuracy"] == pytest.approx(2 / 3)
        assert complete["kappa"] == pytest.approx(float(metrics.cohen_kappa([[1, 0], [1, 1]])))


def test_mean_over_the_criteria_that_have_a_value() -> None:
    assert mean_where_defined(np.array([0.5, np.nan, 0.1])) == (pytest.approx(0.3), 2)
    mean, count = mean_where_defined(np.array([np.nan]))
    assert math.isnan(mean)
    assert count == 0


@pytest.mark.parametrize(
    ("rule", "threshold", "weights", "says"),
    [
        ("most", None, None, "Unknown item rule"),
        ("threshold", None, None, "needs a threshold"),
        ("all", 0.5, None, "takes none"),
        ("threshold", 0.0, None, "above 0"),
        ("threshold", 1.01, None, "at most 1"),
        ("threshold", math.nan, None, "above 0"),
        ("all", None, {"nope": 1.0}, "No criterion is called 'nope'"),
        ("all", None, {"c0": math.inf}, "finite"),
        ("all", None, {"c0": math.nan}, "finite"),
        ("all", None, {"c0": 0.0, "c1": -1.0}, "above 0"),
    ],
)
def test_rules_that_make_no_sense_are_refused(build_paired, rule, threshold, weights, says) -> None:
    with pytest.raises(metrics.InputError, match=says):
        ItemRule.of(rule, threshold, weights, ("c0", "c1"))
    ratings = build_paired([["MET", "MET"]], [["MET", "UNMET"]])
    with pytest.raises(metrics.InputError, match=says):
        metrics.agreement(ratings, item_rule=rule, threshold=threshold, weights=weights, interval="none")
