"""From ratings to merged items: nothing lost, nothing invented, whatever the order of the rows."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics.data.pairs import cells_of, patterns_of, reference_states, verdicts
from metrics.data.patterns import NOT_ASKED

LABELS = ("MET", "UNMET", "CA", "TIE", "BAD", "ERR", "GONE")
SILENT = ("CA", "BAD")
STATES = ("MET", "UNMET", "CA", "TIE", "BAD", "SPLIT", "ERR", "GONE")
STATE = {label: place for place, label in enumerate(STATES)}
R = len(STATES)


def ragged_rows(seed: int, n_items: int, n_criteria: int, n_humans: int, density: float, kinds: int = 6):
    """Rows of two judges and some humans, shuffled; some cells of some items are rated by nobody."""
    rng = np.random.default_rng(seed)
    raters = [(f"h{i}", "human") for i in range(n_humans)] + [("j", "judge"), ("k", "judge")]
    weights = np.array([6, 6, 2, 1, 1, 1][:kinds], float)
    rows = []
    for item in range(n_items):
        for criterion in range(n_criteria):
            if rng.random() < 0.15:
                continue
            for rater, role in raters:
                if rng.random() < density:
                    label = LABELS[rng.choice(kinds, p=weights / weights.sum())]
                    rows.append((f"i{item}", f"c{criterion}", rater, role, label))
    rng.shuffle(rows)
    rows = [tuple(map(str, row)) for row in rows] + [("i0", "c0", "j", "judge", "MET")] * (not rows)
    return rows, {"items": [f"i{i}" for i in range(n_items)], "criteria": [f"c{c}" for c in range(n_criteria)], "raters": raters}


def given_by(rows, rater: str) -> dict[tuple[str, str], str]:
    return {(item, criterion): label for item, criterion, who, _, label in rows if who == rater}


def decided(labels: list[str], rule: str) -> str:
    """Verdict of several humans on one cell; failed calls are no votes, and who gives no verdict has none."""
    votes = [label for label in labels if label not in ("ERR", "GONE")]
    if not votes:
        return "GONE"
    counts = Counter(label for label in votes if label not in SILENT)
    if not counts:
        return votes[0] if len(set(votes)) == 1 else "CA"
    (best, most), *others = counts.most_common()
    if (rule == "unanimous" and others) or (rule == "majority" and any(n == most for _, n in others)):
        return "SPLIT"
    return best


def naive_reference(rows, reference: str) -> dict[tuple[str, str], str]:
    humans = sorted({row[2] for row in rows if row[3] == "human"})
    if reference not in ("majority", "unanimous"):
        own = given_by(rows, reference)
        return {cell: "GONE" if label == "ERR" else label for cell, label in own.items()}
    cells = {(row[0], row[1]) for row in rows}
    by_human = [given_by(rows, human) for human in humans]
    return {cell: decided([own[cell] for own in by_human if cell in own], reference) for cell in cells}


def naive_raw(rows, judge: str, reference: str, criteria) -> np.ndarray:
    raw, truth, own = np.zeros((len(criteria), R, R), int), naive_reference(rows, reference), given_by(rows, judge)
    for item, criterion in {(row[0], row[1]) for row in rows}:
        pair = truth.get((item, criterion), "GONE"), own.get((item, criterion), "GONE")
        raw[criteria.index(criterion), STATE[pair[0]], STATE[pair[1]]] += 1
    return raw


SHAPES = st.tuples(
    st.integers(0, 10**6), st.integers(1, 25), st.integers(1, 5), st.integers(2, 4), st.sampled_from([0.3, 0.7, 1.0])
)


@settings(max_examples=80, deadline=None)
@given(shape=SHAPES, reference=st.sampled_from(["majority", "unanimous", "h0", "h1"]), judge=st.sampled_from(["j", "k"]))
def test_raw_counts_equal_a_plain_loop(build_ratings, shape, reference, judge) -> None:
    rows, names = ragged_rows(*shape)
    patterns = patterns_of(build_ratings(rows, **names), judge, reference)
    assert (patterns.raw == naive_raw(rows, judge, reference, names["criteria"])).all()
    assert patterns.multiplicity.sum() == len(names["items"])
    assert (np.bincount(patterns.of_item, minlength=len(patterns.multiplicity)) == patterns.multiplicity).all()
    assert patterns.n_states == R


@settings(max_examples=60, deadline=None)
@given(shape=SHAPES, reference=st.sampled_from(["majority", "unanimous", "h1"]))
def test_every_item_has_the_pattern_of_its_own_cells(build_ratings, shape, reference) -> None:
    rows, names = ragged_rows(*shape)
    patterns = patterns_of(build_ratings(rows, **names), "j", reference)
    truth, own = naive_reference(rows, reference), given_by(rows, "j")
    asked = {(row[0], row[1]) for row in rows}
    for place, item in enumerate(names["items"]):
        for c, criterion in enumerate(names["criteria"]):
            cell, pattern = (item, criterion), patterns.of_item[place]
            wanted = (STATE[truth.get(cell, "GONE")], STATE[own.get(cell, "GONE")]) if cell in asked else (NOT_ASKED, NOT_ASKED)
            assert (patterns.reference[c, pattern], patterns.judge[c, pattern]) == wanted


def columns(patterns) -> list[tuple[int, ...]]:
    """The patterns as the tuples they are sorted by."""
    return [tuple(pair) for pair in np.stack([patterns.reference, patterns.judge], 1).reshape(-1, patterns.reference.shape[1]).T]


@settings(max_examples=40, deadline=None)
@given(shape=SHAPES, seed=st.integers(0, 99))
def test_patterns_are_distinct_in_order_and_the_same_for_every_order_of_rows_and_items(build_ratings, shape, seed) -> None:
    rows, names = ragged_rows(*shape)
    patterns = patterns_of(build_ratings(rows, **names), "j", "majority")
    assert columns(patterns) == sorted(set(columns(patterns)))
    rng = np.random.default_rng(seed)
    mixed = [rows[i] for i in rng.permutation(len(rows))]
    items = [names["items"][i] for i in rng.permutation(len(names["items"]))]
    again = patterns_of(build_ratings(mixed, **names | {"items": items}), "j", "majority")
    assert columns(again) == columns(patterns)
    assert (again.multiplicity == patterns.multiplicity).all()


@pytest.mark.parametrize("n_criteria", [1, 13, 40, 200])
@pytest.mark.parametrize("n_items", [1, 60])
def test_many_criteria_and_one(build_ratings, n_criteria: int, n_items: int) -> None:
    rows, names = ragged_rows(7, n_items, n_criteria, 3, 0.8)
    for reference in ("majority", "h2"):
        patterns = patterns_of(build_ratings(rows, **names), "j", reference)
        assert (patterns.raw == naive_raw(rows, "j", reference, names["criteria"])).all()
        assert columns(patterns) == sorted(set(columns(patterns)))


def test_items_that_differ_only_in_the_last_of_many_criteria_stay_apart(build_paired) -> None:
    human = [["MET"] * 50, ["MET"] * 49 + ["UNMET"], ["UNMET"] + ["MET"] * 49, ["MET"] * 50]
    patterns = patterns_of(build_paired(human, human), "j", "h")
    assert patterns.multiplicity.tolist() == [2, 1, 1]
    assert patterns.of_item.tolist() == [0, 1, 2, 0]


CELLS = [
    (["MET"], "MET", "MET"), (["ERR"], "GONE", "GONE"), ([], "GONE", "GONE"), (["MET", "UNMET"], "SPLIT", "SPLIT"),
    (["MET", "MET", "UNMET"], "MET", "SPLIT"), (["MET", "MET", "MET"], "MET", "MET"), (["MET", "CA"], "MET", "MET"),
    (["MET", "CA", "CA", "CA"], "MET", "MET"), (["CA", "CA"], "CA", "CA"), (["CA", "BAD"], "CA", "CA"),
    (["MET", "CA", "TIE"], "SPLIT", "SPLIT"), (["TIE", "TIE"], "TIE", "TIE"), (["TIE", "TIE", "MET"], "TIE", "SPLIT"),
    (["BAD", "BAD", "BAD"], "BAD", "BAD"), (["TIE", "BAD"], "TIE", "TIE"), (["MET", "ERR", "ERR"], "MET", "MET"),
    (["MET", "UNMET", "CA"], "SPLIT", "SPLIT"), (["MET", "MET", "UNMET", "UNMET", "CA"], "SPLIT", "SPLIT"),
]  # fmt: skip


@pytest.mark.parametrize(("labels", "majority", "unanimous"), CELLS)
def test_several_humans_on_one_cell(build_ratings, labels, majority, unanimous) -> None:
    rows = [("i", "c", f"h{place}", "human", label) for place, label in enumerate(labels)] + [("i", "c", "j", "judge", "MET")]
    raters = [(f"h{i}", "human") for i in range(5)] + [("j", "judge")]
    ratings = build_ratings(rows, raters=raters)
    for rule, wanted in (("majority", majority), ("unanimous", unanimous)):
        assert decided(labels, rule) == wanted
        assert reference_states(ratings, rule).tolist() == [STATE[wanted]]


def test_one_human_is_the_reference_whatever_the_rule(build_paired) -> None:
    ratings = build_paired([["MET"], ["ERR"], [None], ["TIE"]], [["UNMET"], ["MET"], ["MET"], ["ERR"]])
    wanted = [STATE["MET"], STATE["GONE"], STATE["GONE"], STATE["TIE"]]
    for reference in ("majority", "unanimous", "h"):
        assert reference_states(ratings, reference).tolist() == wanted
    assert verdicts(ratings, "j", "judge").tolist() == [STATE["UNMET"], STATE["MET"], STATE["MET"], STATE["ERR"]]
    with pytest.raises(metrics.InputError, match="no human rater is called 'j'"):
        reference_states(ratings, "j")


def test_a_name_shared_by_a_human_and_a_judge_is_two_raters(build_ratings) -> None:
    rows = [("i", "c", "gpt", "human", "MET"), ("i", "c", "gpt", "judge", "UNMET")]
    ratings = build_ratings(rows)
    assert verdicts(ratings, "gpt", "human").tolist() == [0]
    assert verdicts(ratings, "gpt", "judge").tolist() == [1]
    judge = metrics.agreement(ratings, interval="none").judges["gpt"]
    assert judge.micro.confusion.tolist() == [[0, 1], [0, 0]]


def test_cells_are_those_anyone_rated(build_ratings) -> None:
    rows = [("b", "y", "j", "judge", "MET"), ("a", "x", "h", "human", "MET"), ("b", "y", "h", "human", "CA")]
    cells = cells_of(build_ratings(rows, items=["a", "b"], criteria=["x", "y"]))
    assert list(zip(cells.item.tolist(), cells.criterion.tolist(), strict=True)) == [(0, 0), (1, 1)]
    assert cells.of_rating.tolist() == [1, 0, 1]


@settings(max_examples=25, deadline=None)
@given(shape=SHAPES, seed=st.integers(0, 99))
def test_counts_of_items_equal_items_repeated(build_ratings, shape, seed) -> None:
    rows, names = ragged_rows(*shape)
    times = np.random.default_rng(seed).integers(0, 4, len(names["items"]))
    repeated = [(f"{item}.{copy}", *rest) for item, *rest in rows for copy in range(times[names["items"].index(item)])]
    items = [f"{item}.{copy}" for item, n in zip(names["items"], times, strict=True) for copy in range(n)]
    counted = patterns_of(build_ratings(rows, **names, multiplicity=times), "j", "majority")
    if repeated:
        long = patterns_of(build_ratings(repeated, **names | {"items": items}), "j", "majority")
        assert (counted.raw == long.raw).all()
    else:
        assert counted.raw.sum() == 0
