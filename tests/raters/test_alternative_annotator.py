"""The alternative-annotator test against its definition: by hand, by a loop over dictionaries, and where it has no answer."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest
from scipy import stats

import metrics
from metrics import InputError
from metrics.analyses.raters.alternative import alternative_annotator
from metrics.measures.exact_tests import signed_rank_p, t_below
from tests.made_files import JUDGE, votes
from tests.shared_data import data

VOTES = {"A": "positive", "B": "negative", "tie": "tie"}
LONG = {"M": "MET", "U": "UNMET", "?": "CA"}


def file_of(build_ratings, kinds):
    """`kinds`: (labels of h1, h2, ..., judge; how many items), for instance ("MMUM", 32)."""
    rows, i = [], 0
    for labels, count in kinds:
        for _ in range(count):
            for place, label in enumerate(labels):
                if label != " ":
                    who = ("j", "judge") if place == len(labels) - 1 else (f"h{place + 1}", "human")
                    rows.append((f"i{i}", "c", *who, LONG[label]))
            i += 1
    return build_ratings(rows)


HAND = (("MMUM", 32), ("MMUU", 4), ("MMMU", 4))
"""h1 and h2: even on 36 items and the better one on 4. h3: the judge better on 32, even on 4, worse on 4."""


def test_by_hand(build_ratings) -> None:
    ratings = file_of(build_ratings, HAND)
    found = alternative_annotator(ratings, "j", epsilon="skilled")
    assert [one.advantage for one in found.annotators] == pytest.approx([0.9, 0.9, 0.9])
    assert [one.human_advantage for one in found.annotators] == pytest.approx([1.0, 1.0, 0.2])
    # mean of W_h - W_f is 0.1 with variance 0.09 · 40/39
    t = (0.1 - 0.15) / math.sqrt(0.09 * 40 / 39 / 40)
    assert found.annotators[0].p == pytest.approx(stats.t.cdf(t, 39))
    assert [one.won for one in found.annotators] == [False, False, True]
    assert (found.winning_rate.value, found.advantage.value, found.passed) == pytest.approx((1 / 3, 0.9, False))


def test_allowance_decides(build_ratings) -> None:
    ratings = file_of(build_ratings, HAND)
    experts = alternative_annotator(ratings, "j", epsilon="experts")
    p = stats.t.cdf((0.1 - 0.2) / math.sqrt(0.09 * 40 / 39 / 40), 39)
    # Benjamini and Yekutieli: the largest of three p counts times 1 + 1/2 + 1/3
    assert experts.annotators[0].corrected == pytest.approx(p * 11 / 6)
    assert (experts.winning_rate.value, experts.passed, experts.epsilon, experts.kind) == (1.0, True, 0.2, "experts")
    assert alternative_annotator(ratings, "j", epsilon=0.2).kind == ""
    assert [alternative_annotator(ratings, "j", epsilon=own).epsilon for own in ("skilled", "crowd")] == [0.15, 0.1]
    assert alternative_annotator(ratings, "j", epsilon=0.0).n_won == 1


def test_correction_is_for_dependent_tests(build_ratings) -> None:
    # p is 0.04 or less for each and the sum of 1/i is 11/6, so that the plain level would call what the corrected does not
    found = alternative_annotator(file_of(build_ratings, HAND), "j", epsilon=0.19)
    assert found.annotators[0].p < 0.05 < found.annotators[0].corrected
    assert [one.won for one in found.annotators] == [False, False, True]


def test_few_items_take_wilcoxon(build_ratings) -> None:
    found = alternative_annotator(file_of(build_ratings, (("MMUM", 10), ("MMMU", 2))), "j", epsilon=0.1)
    assert {one.test for one in found.annotators} == {"wilcoxon"}
    # h1: ten ties at -0.1 share the ranks 1 to 10, the two at 0.9 share 11 and 12
    sums = [5.5 * low + 11.5 * high for low in range(11) for high in range(3)]
    ways = [math.comb(10, low) * math.comb(2, high) for low in range(11) for high in range(3)]
    p = sum(way for way, total in zip(ways, sums, strict=True) if total <= 23) / 2**12
    assert found.annotators[0].p == pytest.approx(p)
    assert [one.test for one in alternative_annotator(file_of(build_ratings, HAND), "j").annotators] == ["t"] * 3


def test_signed_ranks_by_hand_and_by_scipy() -> None:
    assert signed_rank_p(np.array([-1.0, -2.0, 3.0])) == 5 / 8
    assert signed_rank_p(np.array([-0.15] * 4 + [0.85])) == 12 / 32
    assert signed_rank_p(np.array([-1.0, 0.0, -2.0])) == 1 / 4
    assert math.isnan(signed_rank_p(np.zeros(5)))
    rng = np.random.default_rng(3)
    for _ in range(20):
        values = rng.normal(-0.3, 1, rng.integers(5, 29))
        assert signed_rank_p(values) == pytest.approx(stats.wilcoxon(values, alternative="less", method="exact").pvalue)


@pytest.mark.slow("permutations by SciPy")
def test_signed_ranks_with_ties_by_scipy() -> None:
    rng, whole = np.random.default_rng(3), stats.PermutationMethod(n_resamples=np.inf)
    for _ in range(10):
        tied = rng.choice([-1.15, -0.15, 0.85], 10)
        assert signed_rank_p(tied) == pytest.approx(stats.wilcoxon(tied, alternative="less", method=whole).pvalue)


def test_t_by_scipy() -> None:
    values, one = np.random.default_rng(1).normal(-0.1, 1, 40), np.ones(40, np.int64)
    assert t_below(values, one) == pytest.approx(stats.ttest_1samp(values, 0, alternative="less").pvalue)
    assert (t_below(np.full(40, -0.1), one), t_below(np.full(40, 0.1), one)) == (0, 1)
    times = np.arange(40) % 4
    assert t_below(values, times) == pytest.approx(t_below(np.repeat(values, times), one[:1].repeat(times.sum())))
    assert math.isnan(t_below(np.zeros(40), one))
    assert math.isnan(t_below(np.ones(1), one[:1]))


def random_rows(seed, n_humans=5, n_items=40, n_criteria=1, gaps=0.3):
    rng = np.random.default_rng(seed)
    rows = []
    for item, criterion in itertools.product(range(n_items), range(n_criteria)):
        truth = rng.random() < 0.6
        for who in [f"h{h}" for h in range(n_humans)] + ["j"]:
            if rng.random() > gaps:
                label = "CA" if rng.random() < 0.1 else "MET" if truth ^ (rng.random() < 0.3) else "UNMET"
                rows.append((f"i{item}", f"c{criterion}", who, "judge" if who == "j" else "human", label))
    return rows


def indicators(said, judge, left, score):
    """(W_f, W_h) per instance by the definition, from {rater: {instance: value}}."""
    for cell, own in said[left].items():
        rest = [said[name][cell] for name in said if name not in (left, "j") and cell in said[name]]
        if rest and cell in judge:
            machine, human = score(judge[cell], rest), score(own, rest)
            yield cell, machine >= human, human >= machine


def same(value, rest):
    return float(np.mean([value == other for other in rest]))


@pytest.mark.parametrize("mode", ["exclude", "as_category"])
@pytest.mark.parametrize("n_criteria", [1, 3])
def test_against_a_loop_over_the_definition(build_ratings, n_criteria, mode) -> None:
    for seed in range(3):
        rows = random_rows(seed, n_criteria=n_criteria)
        said: dict[str, dict[tuple[str, str], str]] = {f"h{h}": {} for h in range(5)} | {"j": {}}
        for item, criterion, who, _, label in rows:
            if label != "CA" or mode == "as_category":
                said[who][item, criterion] = label
        found = alternative_annotator(build_ratings(rows), "j", epsilon=0.15, abstention=mode, least=2)
        tested = []
        for one in found.annotators:
            by_item: dict[str, list[tuple[bool, bool]]] = {}
            for (item, _), machine, human in indicators(said, said["j"], one.name, same):
                by_item.setdefault(item, []).append((machine, human))
            means = np.array([np.mean(own, axis=0) for own in by_item.values()])
            d = means[:, 1] - means[:, 0] - 0.15
            assert (one.n, one.n_items) == (sum(map(len, by_item.values())), len(by_item))
            assert (one.advantage, one.human_advantage) == pytest.approx(tuple(means.mean(0)))
            p = stats.ttest_1samp(d, 0, alternative="less").pvalue if len(d) >= 30 else signed_rank_p(d)
            assert one.p == pytest.approx(p)
            tested.append((p, means[:, 0].mean()))
        corrected = stats.false_discovery_control([p for p, _ in tested], method="by")
        assert found.winning_rate.value == pytest.approx(np.mean(corrected <= 0.05))
        assert found.advantage.value == pytest.approx(np.mean([own for _, own in tested]))


def test_interval_of_the_advantage_is_a_jackknife_over_items(build_ratings) -> None:
    rows = random_rows(7, n_criteria=2, gaps=0.1)
    found = alternative_annotator(build_ratings(rows), "j", least=2)
    fewer = [alternative_annotator(build_ratings([row for row in rows if row[0] != f"i{i}"]), "j", least=2) for i in range(40)]
    left = np.array([one.advantage.value for one in fewer if one.n_items < found.n_items])
    n = len(left)
    assert n == found.n_items
    error = math.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum())
    rho = found.advantage.value
    ends = [1 / (1 + math.exp(-(math.log(rho / (1 - rho)) + side * stats.t.ppf(0.975, n - 1) * error / (rho * (1 - rho)))))
            for side in (-1, 1)]  # fmt: skip
    assert found.advantage.ends == pytest.approx(tuple(ends))


def scored(build_ratings, values):
    """`values`: one row per item: scores of h1, h2, ..., judge; every label is the same."""
    names = [*(f"h{h + 1}" for h in range(len(values[0]) - 1)), "j"]
    rows, scores = [], []
    for i, row in enumerate(values):
        for name, value in zip(names, row, strict=True):
            rows.append((f"i{i}", "c", name, "judge" if name == "j" else "human", "MET"))
            scores.append(value)
    return dataclasses.replace(build_ratings(rows), score=np.array(scores, np.float64))


def test_scores_by_hand(build_ratings) -> None:
    # against 2 and 3 the judge's 2 beats 1; against 1 and 3 the two are even; against 1 and 2 it beats 3
    ratings = scored(build_ratings, [(1, 2, 3, 2)] * 12)
    found = alternative_annotator(ratings, "j", scoring="scores")
    assert [one.advantage for one in found.annotators] == [1, 1, 1]
    assert [one.human_advantage for one in found.annotators] == [0, 1, 0]
    assert found.ranges == ((2, 2), (1, 3))


def test_scores_that_tie_but_for_rounding(build_ratings) -> None:
    # 0.15 and 0.25 are equally far from 0.1 and 0.3
    found = alternative_annotator(scored(build_ratings, [(0.1, 0.25, 0.3, 0.15)] * 10), "j", scoring="scores")
    assert (found.annotators[1].advantage, found.annotators[1].human_advantage) == (1, 1)


def test_scores_against_a_loop(build_ratings) -> None:
    values = np.random.default_rng(5).normal(size=(35, 5))
    values[3, 1] = values[8, 4] = np.nan
    found = alternative_annotator(scored(build_ratings, values.tolist()), "j", scoring="scores", epsilon=0.1)

    def distance(value, rest):
        return -float(np.sqrt(np.mean((value - np.array(rest)) ** 2)))

    columns = dict(zip(["h1", "h2", "h3", "h4", "j"], values.T, strict=True))
    said = {name: {i: own for i, own in enumerate(column) if not np.isnan(own)} for name, column in columns.items()}
    for one in found.annotators:
        both = np.array([pair[1:] for pair in indicators(said, said["j"], one.name, distance)])
        assert (one.n, one.advantage, one.human_advantage) == (len(both), *both.mean(0))


def test_numeric_labels_stand_in_for_scores(build_ratings) -> None:
    kinds = {"1": "class", "2": "class", "3": "class"}
    rows = [
        (f"i{i}", "c", who, "judge" if who == "j" else "human", label)
        for i in range(12)
        for who, label in (("h1", "1"), ("h2", "2"), ("h3", "3"), ("j", "2"))
    ]
    found = alternative_annotator(build_ratings(rows, kinds=kinds), "j", scoring="scores")
    assert [one.human_advantage for one in found.annotators] == [0, 1, 0]
    with pytest.raises(InputError, match="labels with an order"):
        alternative_annotator(file_of(build_ratings, HAND), "j", scoring="scores")


def test_a_majority_judge_is_always_as_good(build_ratings) -> None:
    # the optimal jury: under accuracy nobody is more like the others than who gives their majority
    rng = np.random.default_rng(2)
    kinds = []
    for _ in range(60):
        humans = rng.choice(list("MU"), 5, p=[0.6, 0.4])
        kinds.append(("".join(humans) + ("M" if (humans == "M").sum() > 2 else "U"), 1))
    found = alternative_annotator(file_of(build_ratings, kinds), "j", epsilon="crowd")
    assert found.advantage.value == 1
    assert found.passed
    assert found.advantage.interval is None


def test_fewer_than_three_humans(build_ratings) -> None:
    found = alternative_annotator(file_of(build_ratings, (("MUM", 40),)), "j")
    assert found.passed is None
    assert math.isnan(found.winning_rate.value)
    assert math.isnan(found.advantage.value)
    assert found.winning_rate.undefined == "the test needs 3 humans with 10 items each; 2 have them"
    few = alternative_annotator(file_of(build_ratings, (("MMUM", 9),)), "j")
    assert few.winning_rate.undefined == "the test needs 3 humans with 10 items each; none have them"
    assert few.annotators[0].undefined == "fewer than 10 items with the judge and another human"
    assert few.passed is None
    with pytest.raises(InputError, match="two or more"):
        alternative_annotator(file_of(build_ratings, (("MM", 40),)), "j")


def test_no_allowance_and_no_difference(build_ratings) -> None:
    alike = (("MMMM", 20), ("UUUU", 20))
    found = alternative_annotator(file_of(build_ratings, alike), "j", epsilon=0.0)
    assert found.annotators[0].undefined == "every item differs by exactly ε, 0.0"
    assert found.passed is None
    assert alternative_annotator(file_of(build_ratings, alike), "j").winning_rate.value == 1


def test_one_label_shows_nothing(build_ratings) -> None:
    why = "only one label occurs, so nobody could be unlike the others"
    for epsilon in (0.15, 0.0):
        found = alternative_annotator(file_of(build_ratings, (("MMMM", 40),)), "j", epsilon=epsilon)
        assert (found.passed, found.winning_rate.undefined, found.n_won, found.tested) == (None, why, 0, ())
        assert math.isnan(found.winning_rate.value)
        assert math.isnan(found.advantage.value)
        assert {one.undefined for one in found.annotators} == {why}
        assert not any(one.won or one.lost for one in found.annotators)
    # a second label that no trial has does not help; one that a trial has does
    outside = file_of(build_ratings, (("MMMM", 40), ("U   ", 1)))
    assert alternative_annotator(outside, "j").winning_rate.undefined == why
    assert alternative_annotator(file_of(build_ratings, (("MMMM", 40), ("MMMU", 1))), "j").passed
    scores = alternative_annotator(scored(build_ratings, [(0.5, 0.5, 0.5, 0.5)] * 40), "j", scoring="scores")
    assert scores.winning_rate.undefined == "only one score occurs, so nobody could be unlike the others"


def test_the_other_way_round_shows_who_is_better(build_ratings) -> None:
    found = alternative_annotator(file_of(build_ratings, (("MMMU", 20), ("MMMM", 10), ("UUUU", 10))), "j", epsilon=0.15)
    assert [one.lost for one in found.annotators] == [True] * 3
    # mean of W_h - W_f is 0.5 with variance 0.25 · 40/39; three alike p are each times 1 + 1/2 + 1/3
    t = (0.5 - 0.15) / math.sqrt(0.25 / 39)
    assert found.annotators[0].p == pytest.approx(stats.t.cdf(t, 39))
    assert stats.t.sf(t, 39) * 11 / 6 < 0.05
    few = alternative_annotator(file_of(build_ratings, (("MMMU", 5), ("MMMM", 5))), "j", epsilon=0.15)
    assert few.n_lost == 0
    assert few.n_won == 0
    short = alternative_annotator(file_of(build_ratings, (("MMMU", 11), ("UUUU", 1))), "j", epsilon=0.15)
    assert [one.test for one in short.annotators] == ["wilcoxon"] * 3
    assert short.n_lost == 3
    assert found.annotators[0].lost


def test_refusals(build_ratings) -> None:
    ratings = file_of(build_ratings, HAND)
    for wrong, options in (
        ("Unknown annotators 'novices'", {"epsilon": "novices"}),
        ("from 0 to below 1", {"epsilon": 1.0}),
        ("from 0 to below 1", {"epsilon": float("nan")}),
        ("Unknown scoring", {"scoring": "ranks"}),
        ("no criterion is called", {"criterion": "d"}),
    ):
        with pytest.raises(InputError, match=wrong):
            alternative_annotator(ratings, "j", **options)
    with pytest.raises(InputError, match="no judge is called"):
        alternative_annotator(ratings, "h1")


def test_annotators_with_thirty_items() -> None:
    ratings = metrics.read(votes().encode(), labels=VOTES)
    many = alternative_annotator(ratings, JUDGE, epsilon="experts", least=30)
    everyone = alternative_annotator(ratings, JUDGE, epsilon="experts")
    assert ({one.test for one in many.tested}, {one.test for one in everyone.tested}) == ({"t"}, {"t", "wilcoxon"})
    assert 3 < len(many.tested) < len(everyone.tested) == 12
    assert many.passed


def test_mt_bench_of_annotators_with_thirty_items() -> None:
    """As the authors' program takes them: annotators with 30 items or more, t test."""
    ratings = metrics.read(data("mtbench_gpt4_votes.csv"), labels=VOTES)
    found = alternative_annotator(ratings, "gpt-4-pair", epsilon="experts", least=30)
    assert {one.test for one in found.tested} == {"t"}
    assert (len(found.tested), found.n_won, found.passed) == (4, 4, True)
    all_of_them = alternative_annotator(ratings, "gpt-4-pair", epsilon="experts")
    assert len(all_of_them.tested) > 40
    assert not all_of_them.passed
