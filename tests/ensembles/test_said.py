"""Sentences about panels, errors, groups, queues and runs: computed, in both directions, undefined where it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import metrics
from metrics.analyses.ensembles import readings
from metrics.analyses.ensembles.cluster_judges import think_alike
from metrics.analyses.ensembles.errors import SharedErrors, shared_errors
from metrics.analyses.ensembles.growth import panel_growth
from metrics.analyses.ensembles.panel import with_panel
from metrics.analyses.ensembles.runs import RunVotes, self_agreement_of
from metrics.analyses.ensembles.split import split_decisions
from metrics.measures.transforms import Interval
from metrics.results import words
from metrics.results.estimate import Estimate

INDEPENDENT = "independent errors, at the rates of each label, would make that"
TRUTH = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]


def wrong_on(*places: tuple[int, ...]) -> np.ndarray:
    """Judges who err on these decisions of `TRUTH`."""
    columns = np.array([TRUTH] * len(places)).T.copy()
    for judge, items in enumerate(places):
        columns[list(items), judge] = 1 - columns[list(items), judge]
    return columns


@pytest.fixture(scope="module")
def apart(build_judged):
    return build_judged(TRUTH, wrong_on((0, 6), (1, 7), (2, 8)))


@pytest.fixture(scope="module")
def together(build_judged):
    return build_judged(TRUTH, wrong_on((0, 1, 6), (0, 1, 6), (0, 1, 6, 7)))


def with_ends(errors: SharedErrors, low: float, high: float) -> SharedErrors:
    return replace(errors, correlation=replace(errors.correlation, interval=Interval(low, high, "jackknife")))


def test_growth_up_with_judges_that_err_apart(apart) -> None:
    text = readings.growth_reading(panel_growth(apart), errors=with_ends(shared_errors(apart), -0.4, -0.1))
    assert text.startswith("in this sample one judge alone has κ 0.67 [")
    assert "rises" not in text
    assert "with 3 it is 1.00 [0.49, 1.00]." in text
    assert "3 judges who erred independently of each other would reach 0.85: these make up for each other's errors." in text
    alone = "The best judge alone, j0, has 0.67 [0.11, 0.91]; chosen as the best on the same items."
    assert f"{alone} Only a comparison of the two says which is better." in text
    assert "than the panel" not in text


def test_growth_flat_with_judges_that_are_one(together) -> None:
    text = readings.growth_reading(panel_growth(together), errors=with_ends(shared_errors(together), 0.2, 0.95))
    assert "with 3 it is 0.50" in text
    assert "the rest is lost because these err on the same items" in text
    assert "; chosen as the best on the same items, it may do worse on others. Only a comparison" in text


def test_growth_names_shared_errors_only_where_they_show(apart, together) -> None:
    """The interval of the correlation holds 0 in both files, so neither loss nor gain has a cause."""
    for ratings in (apart, together):
        errors = shared_errors(ratings)
        assert errors.sign == 0
        text = readings.growth_reading(panel_growth(ratings), errors=errors)
        assert "the errors of these judges do not differ significantly from independent ones." in text
        assert "because" not in text
        assert "make up for" not in text
    assert "because" not in readings.growth_reading(panel_growth(together))


def test_judges_of_whom_one_never_errs_are_worth_nothing_by_construction(build_judged) -> None:
    found = shared_errors(build_judged(TRUTH, wrong_on((), (0, 1))))
    text = readings.errors_reading(found)
    assert "shared mistakes do not show" in text
    assert "worth" not in text
    assert "does not show" not in readings.errors_reading(shared_errors(build_judged(TRUTH, wrong_on((0, 1), (0, 2)))))


def test_growth_down_under_a_rule_that_hurts(build_judged) -> None:
    ratings = build_judged(TRUTH, wrong_on((6, 7), (8, 9), (10, 11)))
    text = readings.growth_reading(panel_growth(ratings, rule="any"))
    assert "with 3 it is 0.00" in text
    assert "it may do worse on others. Only a comparison of the two says which is better." in text
    assert "than the panel" not in text


def test_growth_says_when_the_panel_speaks_less(build_judged) -> None:
    text = readings.growth_reading(panel_growth(build_judged(TRUTH, wrong_on((0, 6), (1, 7)))))
    assert "It also has a verdict on fewer decisions: 67\u00a0% against 100\u00a0%." in text


def test_growth_peaks_and_is_undefined(build_judged) -> None:
    ratings = build_judged(TRUTH, wrong_on((0,), (1,), (2,), *[(0, 1, 2, 3, 6, 7)] * 4))
    growth = panel_growth(ratings)
    sizes = tuple(replace(size, kappa=Estimate(kappa)) for size, kappa in zip(growth.sizes, (0.5, 0.7, 0.6, 0.6), strict=True))
    assert "In this sample it is highest with 3 (κ 0.70)." in readings.growth_reading(replace(growth, sizes=sizes))
    flat = tuple(replace(size, kappa=Estimate(kappa)) for size, kappa in zip(growth.sizes, (0.5, 0.7, 0.7, 0.7), strict=True))
    assert "In this sample more than 3 (κ 0.70) add nothing." in readings.growth_reading(replace(growth, sizes=flat))
    constant = panel_growth(build_judged([0, 0], np.zeros((2, 2), int)))
    assert readings.growth_reading(constant) == "κ with the reference is undefined for every panel."
    one = panel_growth(ratings, sizes=[3])
    assert readings.growth_reading(one).startswith("a panel of 3 has κ ")


def test_errors_in_all_directions(build_judged, apart, together) -> None:
    text = readings.errors_reading(shared_errors(together))
    assert "go together with a correlation of 0.87 [" in text
    assert "]: they do not differ significantly from independent ones. The 3 judges are worth 1.1 independent ones" in text
    assert f"On 3 decisions of 12 more than half of them are wrong; {INDEPENDENT} 2.3." in text
    assert text.endswith("Two judges err together on only 3 items: the interval may be too short.")
    often = np.tile(wrong_on((0, 1, 6), (0, 1, 6), (0, 1, 6, 7)), (4, 1))
    text = readings.errors_reading(shared_errors(build_judged(TRUTH * 4, often)))
    assert "they tend to err on the same items. The 3 judges are worth 1.1 independent ones [1.0, " in text
    assert text.endswith(f"{INDEPENDENT} 9.1.")
    other = readings.errors_reading(shared_errors(apart))
    assert "correlation of −0.20" in other
    assert "On none of 12 decisions more than half" in other
    assert "are worth 5.0 independent ones" in other
    assert ", more than there are because the correlation is below 0 in this sample, not significantly. On none" in other
    assert "more than there are" not in text
    assert other.endswith("No two judges err on one item, so the interval says little.")
    turns = np.tile(wrong_on((0, 3, 6), (1, 4, 7), (2, 5, 8)), (20, 1))
    assert "more than there are because the correlation is below 0. " in readings.errors_reading(
        shared_errors(build_judged(TRUTH * 20, turns))
    )
    one = readings.errors_reading(shared_errors(build_judged(TRUTH, wrong_on((0, 1), (0, 1)))))
    assert "correlation of 1.00: it has no interval. The 2 judges are worth 1.0 independent one." in one
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 200)
    wrong = rng.random((200, 2)) < 0.2
    chance = readings.errors_reading(
        shared_errors(build_judged(truth.tolist(), np.where(wrong, 1 - truth[:, None], truth[:, None])))
    )
    assert "they do not differ significantly from independent ones" in chance
    assert f"both are wrong; {INDEPENDENT}" in chance
    assert " answered," not in chance
    right = readings.errors_reading(shared_errors(build_judged(TRUTH, wrong_on((), ()))))
    assert right == "whether the judges err together is undefined: no judge is wrong on a decision that another one answered too."


def test_errors_are_shared_on_decisions_that_all_answered(build_judged) -> None:
    truth = [0, 1] * 80
    left = np.array([truth] * 2).T.copy()
    left[:40] = 1 - left[:40]
    left[10:40, 1] = 2
    text = readings.errors_reading(shared_errors(build_judged(truth, left)))
    assert "a correlation of 1.00" in text
    assert f"On 10 decisions of 130 that both answered, both are wrong; {INDEPENDENT} 0.8." in text
    apart = np.full((40, 3), -1)
    apart[:20, :2] = np.array([truth[:20]] * 2).T
    apart[20:, 1:] = np.array([truth[20:40]] * 2).T
    apart[:4, :2] = 1 - apart[:4, :2]
    text = readings.errors_reading(shared_errors(build_judged(truth[:40], apart)))
    assert "No decision has an answer of all of them, so how many err at once is undefined." in text


def test_answers_that_the_reference_never_gives_are_told(build_judged) -> None:
    constant = shared_errors(build_judged([0] * 20, [[0, 1]] * 5 + [[1, 0]] * 5 + [[0, 0]] * 10))
    assert constant.never_given == 0.25
    told = "25\u00a0% of the judges’ answers are labels that the reference never gives; each counts as an error."
    assert told in readings.errors_reading(constant)
    some = shared_errors(build_judged([0] * 19 + [1], [[0, 1]] * 5 + [[1, 0]] * 5 + [[0, 0]] * 10))
    assert some.never_given == 0
    assert "never gives" not in readings.errors_reading(some)


def test_two_judges_that_never_err_together_are_worth_any_number(build_judged) -> None:
    found = shared_errors(build_judged([0, 1], [[0, 1], [0, 1]] * 1))
    assert "undefined" in readings.errors_reading(found)
    opposite = build_judged([0, 1] * 6, [[0, 1], [0, 1]] * 6)
    text = readings.errors_reading(shared_errors(opposite))
    assert "worth more than any number of independent ones" in text


def test_groups(build_judged, together) -> None:
    text = readings.alike_reading(think_alike(together))
    assert "nearly one judge, so that a panel of them adds little" in text
    lone = build_judged(TRUTH, wrong_on((0, 1, 2, 6, 7, 8), ()))
    assert readings.alike_reading(think_alike(lone)) == "the two judges agree with κ 0.00."
    three = build_judged(TRUTH, wrong_on((0, 1, 2, 6, 7, 8), (), (3, 4, 5, 9, 10, 11)))
    assert readings.alike_reading(think_alike(three)) == (
        "any two of the 3 judges agree with κ −0.33 on average; no two of them are nearly one judge."
    )
    near = readings.alike_reading(think_alike(build_judged(TRUTH, wrong_on((0, 1, 2, 6, 7, 8), (0, 1, 2, 6, 7, 8), (3, 4, 5)))))
    assert near.endswith("agree with 1.00, nearly one judge, and the 3 together are not.")
    four = build_judged(TRUTH, wrong_on((0, 1, 2, 6, 7, 8), (), (3, 4, 5, 9, 10, 11), (0, 3, 6, 9)))
    assert readings.alike_reading(think_alike(four)).endswith("no group of 3 or more agrees much more.")
    constant = build_judged([0, 0], np.zeros((2, 2), int))
    assert readings.alike_reading(think_alike(constant)) == "κ is undefined for every pair of judges."
    loose = readings.alike_reading(think_alike(build_judged(TRUTH, wrong_on((0,), (1,), (2,))), least=0.5))
    assert "alike, but not one judge" in loose


def test_pairs_that_share_little_make_no_group(build_judged) -> None:
    """Nine decisions alike say nothing; the map and the sentence rest on pairs of ten or more."""
    alike = wrong_on((0,), (0,), (0,))[:9]
    found = think_alike(build_judged(TRUTH[:9], alike))
    assert (found.groups, found.few, found.undefined) == ((), 3, 0)
    assert np.isnan(found.mean_kappa)
    assert found.kappa[0, 1] == 1
    assert readings.alike_reading(found) == "no two judges share 10 decisions, too few to say which agree."
    longer = wrong_on((0,), (0,), (0,), (0,))
    longer[9:, 3] = -1
    mixed = think_alike(build_judged(TRUTH, longer))
    assert [group.judges for group in mixed.groups] == [("j0", "j1", "j2")]
    assert "3 pairs share fewer than 10 decisions: these count as 0 in the order, and in no mean." in readings.alike_reading(
        mixed
    )
    longer[:9, 3] = 0
    longer[9, 3] = 0
    constant = think_alike(build_judged(TRUTH, longer))
    assert constant.few == constant.undefined == 0


def test_names_are_wrapped_everywhere(together, apart) -> None:
    def star(text: str) -> str:
        return f"*{text}*"

    assert "*j0*" in readings.growth_reading(panel_growth(apart), star)
    assert "*j" in readings.alike_reading(think_alike(together), star)
    assert "*majority of 3 judges*" in readings.panel_reading(with_panel(apart).source.panels[0], star)


def test_panels(apart, build_judged) -> None:
    assert readings.panel_reading(with_panel(apart).source.panels[0]) == (
        "majority of 3 judges is a panel of 3 judges: the answer most of them gave. It has an answer on 12 decisions, "
        "where 2 or more of them answered, all of them."
    )
    gaps = with_panel(build_judged([0, 0, 0], [[0, 0, 0], [0, 0, -1], [0, -1, 3]]), "any").source.panels[0]
    text = readings.panel_reading(gaps)
    assert "positive where one of them says so" in text
    assert "on 1 of these not all did. On 1 more too few answered, and the panel is silent." in text


def test_queues(build_judged, apart) -> None:
    assert readings.split_reading(split_decisions(apart)) == (
        "the judges split on 6 of 12 decisions. All of these have a reference, and most judges are against it on none of them."
    )
    against = readings.split_reading(split_decisions(build_judged([0, -1], [[1, 1, 0], [1, 0, 0]])))
    assert "1 of these has a reference, and most judges are against it on 1 of them. 1 has no human label yet." in against
    fresh = readings.split_reading(split_decisions(build_judged([-1, -1], [[1, 0], [-1, 0]])))
    assert "None of these has a human label yet" in fresh
    assert "On 1 decision fewer than two judges gave a verdict." in fresh
    silent = readings.split_reading(split_decisions(build_judged([0, 2, -1], [[1, 1, 0], [1, 0, 0], [0, 1, 1]])))
    assert silent.endswith(
        "1 of these has a reference, and most judges are against it on 1 of them. On 1 the human labels give no reference. "
        "1 has no human label yet."
    )
    undecided = readings.split_reading(split_decisions(build_judged([2, 2], [[1, 0], [1, 0]])))
    assert undecided == "the judges split on 2 of 2 decisions. On 2 the human labels give no reference."
    agreed = readings.split_reading(split_decisions(build_judged([0, 0], [[0, 0], [1, 1]])))
    assert agreed == "on all 2 decisions with two verdicts or more the judges agree. There is nothing to look at."
    assert "undefined" in readings.split_reading(split_decisions(build_judged([0], [[0, 2]])))


def votes(counts: list[tuple[int, int]], reference: list[int]) -> RunVotes:
    return RunVotes(np.array(counts), np.array(reference), np.arange(len(counts), dtype=np.int32))


def test_runs_in_all_directions() -> None:
    noisy = self_agreement_of(votes([(2, 1), (2, 1), (0, 3), (3, 0)], [0, 0, 0, 0]), "j")
    text = readings.runs_reading(noisy)
    assert text.startswith("asked again, j gives the same answer 66.7\u00a0% [")
    assert "(4 decisions asked up to 3 times, 2 answered in more than one way)" in text
    assert "40.0\u00a0% [" in text
    assert "In this sample the majority of its runs differs 25.0\u00a0% of the time." in text
    worse = readings.runs_reading(self_agreement_of(votes([(1, 2), (1, 2)], [0, 0]), "j"))
    assert "In this sample the majority of its runs differs 100.0\u00a0% of the time." in worse
    assert "more often" not in worse
    steady = readings.runs_reading(self_agreement_of(votes([(3, 0), (0, 3)], [0, 0]), "j"))
    assert "None of that shows as its own noise in these runs." in steady
    right = readings.runs_reading(self_agreement_of(votes([(3, 0)], [0]), "j"))
    assert "It never differs from the reference there" in right
    alone = readings.runs_reading(self_agreement_of(votes([(2, 1)], [-1]), "j"))
    assert "no decision asked twice has a reference" in alone
    nothing = RunVotes(np.zeros((0, 2), np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32))
    assert readings.runs_reading(self_agreement_of(nothing, "j")) == (
        "how far j agrees with itself is undefined: no decision has two runs with a verdict."
    )
    human = readings.runs_reading(self_agreement_of(votes([(2, 1)], [-1]), "h", role="human"))
    assert "reference" not in human


def test_the_real_file_reads_as_its_numbers_are(llmbar) -> None:
    assert (
        "The 65 judges are worth 3.5 independent ones [2.8, 4.5]. On 13 decisions of 96 that all answered, more"
        in readings.errors_reading(shared_errors(llmbar))
    )
    assert "The 15 GPT-4 and 2 PaLM2 judges agree with a mean κ of 0.84 [0.77, 0.89]: nearly one judge" in readings.alike_reading(
        think_alike(llmbar)
    )
    assert "The best judge alone, GPT-4/Rating_Metrics, has 0.92 [0.80, 0.97]; chosen as the best" in readings.growth_reading(
        panel_growth(llmbar, subsets=65)
    )
    assert metrics.agreement(with_panel(llmbar), judges=["majority of 65 judges"]).summary()


def test_errors_that_no_other_judge_could_share_are_not_denied(build_judged) -> None:
    """One judge leaves open what the other gets wrong."""
    labels = np.array([[label, label if i >= 4 else -1] for i, label in enumerate(TRUTH * 2)])
    labels[:4, 0] = 1 - labels[:4, 0]
    text = readings.errors_reading(shared_errors(build_judged(TRUTH * 2, labels)))
    assert text == "whether the judges err together is undefined: no judge is wrong on a decision that another one answered too."


def test_two_judges_that_are_nearly_one_are_named_where_no_three_are(build_judged) -> None:
    rng = np.random.default_rng(5)
    truth = (rng.random(80) < 0.5).astype(int)
    judges = np.where(rng.random((80, 3)) < 0.25, 1 - truth[:, None], truth[:, None])
    copy = judges[:, 2].copy()
    copy[3] = 1 - copy[3]
    alike = think_alike(build_judged(truth.tolist(), np.column_stack([judges, copy])))
    first, second = sorted(alike.judges.index(name) for name in ("j2", "j3"))
    kappa = words.number(alike.kappa[first, second])
    assert readings.alike_reading(alike).endswith(
        f"{alike.judges[first]} and {alike.judges[second]} agree with {kappa}, nearly one judge, and no 3 or more do."
    )
