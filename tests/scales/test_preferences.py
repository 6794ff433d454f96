"""Preferences between two answers under every convention of ties, and in either order, against independent routes."""

from __future__ import annotations

import io
import math
from itertools import product

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import binomtest, pearsonr, t
from sklearn.metrics import accuracy_score, cohen_kappa_score, matthews_corrcoef

import metrics
from metrics import InputError
from metrics.analyses.preferences.compute import preferences
from metrics.analyses.preferences.positions import positions, swapped_column
from metrics.analyses.preferences.readings import header, order_reading
from tests.shared_data import data

KINDS = {"A": "positive", "B": "negative", "tie": "tie", "INVALID": "invalid", "unsure": "abstention"}
NAMES = ("A", "B", "tie")
CODE = {"A": 1.0, "B": 0.0, "tie": 0.5}


def rows_of(rng, n: int = 80, criteria: int = 1, extra: tuple[str, ...] = ()) -> list[tuple[str, str, str, str]]:
    words = [*NAMES, *extra]
    rows = []
    for item, c in product(range(n), range(criteria)):
        human = words[rng.choice(len(words), p=np.array([4, 3, 2, *[1] * len(extra)]) / (9 + len(extra)))]
        judge = human if rng.random() < 0.6 else words[rng.integers(len(words))]
        rows.append((f"i{item}", f"c{c}", human, judge))
    return rows


def read(rows, header: str = "item,criterion,human,verdict", **how):
    text = "\n".join([header, *(",".join(row) for row in rows)])
    return metrics.read(io.StringIO(text), labels=KINDS, **how)


@pytest.mark.parametrize("seed", range(4))
def test_every_convention_against_its_definition(seed: int) -> None:
    rows = rows_of(np.random.default_rng(seed), extra=("INVALID", "unsure"))
    its = preferences(read(rows), "judge")
    kept = [(h, j) for _, _, h, j in rows if h in NAMES and j in NAMES]
    human, judge = zip(*kept, strict=True)
    assert its.n_left_out == len(rows) - len(kept)
    third = its.pooled["class"]
    assert third.n == len(kept)
    assert third.values["accuracy"].value == pytest.approx(accuracy_score(human, judge), abs=1e-12)
    assert third.values["kappa"].value == pytest.approx(cohen_kappa_score(human, judge, labels=NAMES), abs=1e-12)
    assert third.values["mcc_multiclass"].value == pytest.approx(matthews_corrcoef(human, judge), abs=1e-12)
    decided = [(h, j) for h, j in kept if "tie" not in (h, j)]
    h2, j2 = zip(*decided, strict=True)
    out = its.pooled["exclude"]
    assert out.n == len(decided)
    assert out.values["kappa"].value == pytest.approx(cohen_kappa_score(h2, j2, labels=NAMES[:2]), abs=1e-12)
    r = pearsonr([CODE[x] for x in h2], [CODE[x] for x in j2]).statistic
    assert out.values["phi"].value == pytest.approx(r, abs=1e-12)
    credit = [1 - abs(CODE[h] - CODE[j]) for h, j in kept]
    half = its.pooled["half"]
    assert half.values["accuracy:half"].value == pytest.approx(np.mean(credit), abs=1e-12)
    apart = np.mean([abs(CODE[h] - CODE[j]) for h in human for j in judge])
    assert half.values["weighted_kappa:half"].value == pytest.approx(1 - (1 - np.mean(credit)) / apart, abs=1e-12)
    for name, worth in (("exclude", None), ("class", 0.0), ("half", 0.5)):
        pairs = decided if name == "exclude" else kept
        won = [np.mean([worth if x == "tie" else CODE[x] for x in side]) for side in zip(*pairs, strict=True)]
        wins = its.pooled[name].wins
        assert (wins.reference.value, wins.judge.value) == pytest.approx(tuple(won), abs=1e-12)
        assert wins.difference.value == pytest.approx(won[1] - won[0], abs=1e-12)


@pytest.mark.parametrize("criteria", [1, 3])
def test_intervals_of_credit_and_wins_leave_whole_items_out(criteria: int) -> None:
    rows = rows_of(np.random.default_rng(9), n=40, criteria=criteria)
    half = preferences(read(rows), "judge").pooled["half"]

    def of(kept) -> tuple[float, float]:
        credit = np.mean([1 - abs(CODE[h] - CODE[j]) for _, _, h, j in kept])
        return float(credit), float(np.mean([CODE[j] - CODE[h] for _, _, h, j in kept]))

    left = np.array([of([row for row in rows if row[0] != f"i{item}"]) for item in range(40)])
    errors = np.sqrt(39 / 40 * ((left - left.mean(0)) ** 2).sum(0))
    step = t.ppf(0.975, 39)
    credit, lean = of(rows)
    wide = step * errors[0] / (credit * (1 - credit))
    assert half.values["accuracy:half"].ends == pytest.approx(tuple(expit(logit(credit) + np.array([-wide, wide]))), abs=1e-9)
    assert half.wins.difference.ends == pytest.approx((lean - step * errors[1], lean + step * errors[1]), abs=1e-9)


def test_the_mean_over_criteria_is_of_the_defined_ones() -> None:
    rows = rows_of(np.random.default_rng(3), n=50, criteria=2) + [(f"i{n}", "flat", "A", "A") for n in range(50)]
    its = preferences(read(rows), "judge")
    own = [its.criteria[name]["exclude"].values["kappa"].value for name in ("c0", "c1")]
    assert math.isnan(its.criteria["flat"]["exclude"].values["kappa"].value)
    assert its.criteria["flat"]["exclude"].values["kappa"].undefined
    mean = its.means["exclude"]["kappa"]
    assert mean.value == pytest.approx(np.mean(own), abs=1e-12)
    assert mean.ends is not None
    assert mean.ends[0] < mean.value < mean.ends[1]


def test_without_ties_the_conventions_are_one_number() -> None:
    rows = [(i, c, h if h != "tie" else "A", j if j != "tie" else "B") for i, c, h, j in rows_of(np.random.default_rng(1))]
    its = preferences(read(rows), "judge").pooled
    assert its["exclude"].values["accuracy"].value == its["class"].values["accuracy"].value
    assert its["half"].values["accuracy:half"].value == pytest.approx(its["class"].values["accuracy"].value, abs=1e-12)
    assert its["half"].values["weighted_kappa:half"].value == pytest.approx(its["exclude"].values["kappa"].value, abs=1e-12)


def test_only_ties_leave_nothing_to_the_first_convention() -> None:
    its = preferences(read([(f"i{n}", "c", "tie", "tie") for n in range(12)]), "judge").pooled
    assert its["exclude"].n == 0
    assert all(math.isnan(one.value) and one.undefined and one.ends is None for one in its["exclude"].values.values())
    assert math.isnan(its["exclude"].wins.judge.value)
    assert its["exclude"].wins.judge.undefined
    assert its["class"].values["accuracy"].value == 1.0
    assert its["half"].wins.judge.value == 0.5


def test_no_answer_of_both_sides_is_refused() -> None:
    with pytest.raises(InputError, match="no decision has an answer"):
        preferences(read([("i1", "c", "unsure", "A"), ("i2", "c", "B", "unsure")]), "judge")


def test_the_published_votes() -> None:
    ratings = metrics.read(data("mtbench_gpt4_pairwise.csv"), labels={"A": "positive", "B": "negative", "tie": "tie"})
    its = preferences(ratings, "gpt-4-pair")
    assert its.counts.sum(0).tolist() == [[513, 64, 94], [61, 440, 90], [140, 146, 266]]
    assert its.pooled["exclude"].values["accuracy"].value == pytest.approx(953 / 1078)
    assert its.pooled["class"].values["accuracy"].value == pytest.approx(1219 / 1814)
    assert its.pooled["half"].values["accuracy:half"].value == pytest.approx((1219 + 470 / 2) / 1814)
    assert "1\u202f078 of 1\u202f814 decisions on 666 of 910 items." in header(its, "exclude", None).rest
    assert "1\u202f814 decisions on 910 items." in header(its, "class", None).rest
    assert "items." not in header(its, "exclude", "turn_1").rest


def test_either_order() -> None:
    rng = np.random.default_rng(5)
    rows = [(*row, NAMES[rng.integers(3)] if row[3] != "INVALID" else "INVALID") for row in rows_of(rng, extra=("INVALID",))]
    rows += [("late", "c0", "A", "B", "")]
    ratings = read(rows, "item,criterion,human,verdict,Verdict swapped")
    assert swapped_column(ratings, "judge") == "Verdict swapped"
    its = positions(ratings, "judge")
    both = [(h, v, s) for _, _, h, v, s in rows if v in NAMES and s in NAMES]
    assert (its.n, its.n_left_out) == (len(both), len(rows) - len(both))
    assert its.consistent.count == sum(v == s for _, v, s in both)
    turned = [(v, s) for _, v, s in both if v != s and "tie" not in (v, s)]
    assert (its.first_place.count, its.first_place.total) == (sum(v == "A" for v, _ in turned), len(turned))
    assert its.p == pytest.approx(binomtest(its.first_place.count, its.first_place.total).pvalue)
    known = [(h, v, s) for h, v, s in both if h in NAMES]
    assert its.right["file"].value == pytest.approx(np.mean([h == v for h, v, _ in known]))
    assert its.right["swapped"].value == pytest.approx(np.mean([h == s for h, _, s in known]))
    firm = [(h, v) for h, v, s in known if v == s and v != "tie"]
    assert (its.right["consistent"].count, its.right["consistent"].total) == (sum(h == v for h, v in firm), len(firm))


def test_an_order_that_decides_everything() -> None:
    rows = [(f"i{n}", "c", "A", "A", "B") for n in range(30)]
    its = positions(read(rows, "item,criterion,human,verdict,verdict_swapped"), "judge")
    assert its.consistent.value == 0
    assert its.first_place.value == 1
    assert its.p == pytest.approx(2 * 0.5**30)
    assert math.isnan(its.right["consistent"].value)


def orders_in_columns(places: bool = False) -> list[tuple[str, str, str, str, str, str]]:
    """Return items with a human and two judges in both orders; `places` where the first judge's other order names places."""
    rng = np.random.default_rng(8)
    sides = {"A": "B", "B": "A"}
    rows = []
    for n in range(120):
        human = "AB"[rng.integers(2)]
        steady, leaning = (human if rng.random() < 0.9 else sides[human] for _ in range(2))
        other = steady if rng.random() < 0.9 else sides[steady]
        rows.append((f"q{n}", human, steady, sides[other] if places else other, leaning, "B" if rng.random() < 0.5 else leaning))
    return rows


ORDERS_IN_COLUMNS = {"human:human": "human", "judge:gpt": "gpt", "judge:claude": "claude_ab"}


def test_a_judge_in_both_orders_is_no_further_judge() -> None:
    rows, head = orders_in_columns(), "item_id,human,gpt,gpt_swapped,claude_ab,claude_ba"
    with pytest.raises(InputError) as asked:
        read(rows, head)
    assert str(asked.value).endswith('judge:gpt": "gpt", "judge:claude_ab": "claude_ab"}')
    ratings = read(rows, head, columns=ORDERS_IN_COLUMNS)
    assert ratings.judges == ("gpt", "claude")
    assert [swapped_column(ratings, name) for name in ratings.judges] == ["gpt_swapped", "claude_ba"]
    its = positions(ratings, "claude")
    assert its.consistent.count == sum(row[4] == row[5] for row in rows)
    assert its.place_decides
    assert not its.by_place
    assert not positions(ratings, "gpt").place_decides


def test_verdicts_that_name_places_are_to_be_checked() -> None:
    ratings = read(orders_in_columns(places=True), "item_id,human,gpt,gpt_swapped,claude_ab,claude_ba", columns=ORDERS_IN_COLUMNS)
    its = positions(ratings, "gpt")
    assert its.by_place
    assert order_reading(its).endswith("Check that the verdicts of the other order name the answer and not its place.")
    assert "Check" not in order_reading(positions(ratings, "claude"))


def test_no_other_order_is_said() -> None:
    with pytest.raises(InputError, match="verdict_swapped"):
        positions(read(rows_of(np.random.default_rng(0))), "judge")


def test_the_published_orders() -> None:
    ratings = metrics.read(data("llmbar_natural.csv"), labels={"output_1": "positive", "output_2": "negative"})
    its = positions(ratings, "ChatGPT-0301/CoT")
    assert its.counts.tolist() == [[25, 24, 0], [2, 49, 0], [0, 0, 0]]
    assert (its.consistent.count, its.first_place.count, its.first_place.total) == (74, 24, 26)
