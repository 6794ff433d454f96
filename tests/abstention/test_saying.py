"""Every sentence on abstention follows from the numbers: the data that would make it false turn it round."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.abstention import readings, readings_costs, readings_tradeoff
from metrics.analyses.abstention.bounds import NEVER, NO_GAPS, bounds, table_bounds
from metrics.analyses.abstention.nonresponse import Group, by_criterion, by_judge, by_label, decisions_of
from metrics.analyses.abstention.relation import joint_abstention, relation
from metrics.analyses.abstention.selective import Traded, risk_coverage, tradeoff
from metrics.analyses.abstention.shares import Share, share_of
from metrics.analyses.abstention.tables import (
    bounds_table,
    coverage_columns,
    curve_table,
    f1_of,
    groups_table,
    modes_table,
    tradeoff_table,
)
from metrics.analyses.settings import settings_of
from metrics.data.abstention import MODES
from metrics.results.tables import in_full
from metrics.results.words import percent

ROOT = Path(__file__).resolve().parents[2]
APPENDIX_B = [[30, 10, 5], [10, 20, 5], [5, 5, 10]]


def told(ratings: metrics.Ratings, judge: str = "j"):
    return ratings, judge, settings_of(ratings, judges=[judge])


def test_ties_are_not_called_abstentions(build_of_tables) -> None:
    for table, said in (
        ([[20, 0, 4], [0, 20, 5], [0, 0, 0]], "only the judge gives ties, on 9 of 49 decisions"),
        ([[20, 0, 0], [0, 20, 0], [0, 0, 0]], "neither the judge nor the human gave ties on these 40 decisions."),
        ([[20, 0, 4], [0, 20, 5], [1, 2, 3]], "would hold if they left decisions open independently"),
        ([[20, 0, 0], [0, 20, 0], [0, 0, 9]], "They leave the same decisions open more often than chance"),
    ):
        text = readings.coverage_reading(joint_abstention(*told(build_of_tables(table))), "ties")
        assert said in text
        assert "abstain " not in text


def test_groups_that_give_ties_do_not_abstain() -> None:
    groups = [Group(name, share_of([1, 0], [1, 1], [n, 100 - n])) for name, n in (("a", 60), ("b", 5))]
    assert readings.groups_reading(groups, "judge", of="ties").startswith("a gives ties most (60\u00a0%")
    none = [Group("a", share_of([1, 0], [1, 1], [0, 100]))]
    assert readings.groups_reading(none, "judge", of="ties") == "no judge gave ties."
    assert readings.groups_reading(none, "criterion", of="ties") == "neither the judge nor the human gave ties on any criterion."


def test_coverage_says_why_it_is_not_the_product(build_of_tables) -> None:
    text = readings.coverage_reading(joint_abstention(*told(build_of_tables(APPENDIX_B))))
    assert "the judge leaves 20 decisions open, the human 20, and on 10 both do" in text
    assert "joint coverage is 70\u00a0%" in text
    assert "80\u00a0% × 80\u00a0% = 64\u00a0%" in text
    assert "about 4 open on both" in text
    assert "more often than chance" in text


def test_more_on_both_than_by_chance_is_no_lack_of_a_sign(build_of_tables) -> None:
    joint = joint_abstention(*told(build_of_tables([[400, 40, 60], [40, 300, 52], [15, 15, 8]])))
    assert joint.kappa.ends is not None
    assert joint.kappa.ends[0] <= 0 < joint.kappa.value
    text = readings.coverage_reading(joint)
    assert "on 8 both do" in text
    assert "with about 5 open on both" in text
    assert "The interval of the abstention κ 0.0" in text
    assert "no sign" not in text


SAME = {
    "more often than chance": [[40, 2, 2], [2, 40, 2], [2, 2, 30]],
    "less often than chance": [[20, 2, 30], [2, 20, 30], [30, 30, 0]],
    "holds 0, so it is not shown that they leave the same decisions open": [[40, 5, 5], [5, 40, 5], [5, 5, 1]],
    "only the judge abstains, on 9 of 49": [[20, 0, 4], [0, 20, 5], [0, 0, 0]],
    "only the human abstains, on 9 of 49": [[20, 0, 0], [0, 20, 0], [4, 5, 0]],
    "neither the judge nor the human abstained on these 40": [[20, 0, 0], [0, 20, 0], [0, 0, 0]],
}


@pytest.mark.parametrize("said", SAME)
def test_every_reason_of_coverage(build_of_tables, said: str) -> None:
    text = readings.coverage_reading(joint_abstention(*told(build_of_tables(SAME[said]))))
    assert said in text
    assert not [other for other in SAME if other != said and other in text]


@pytest.mark.parametrize(
    ("table", "who"),
    [
        ([[20, 0, 4], [0, 20, 5], [0, 0, 0]], "only the judge abstains"),
        ([[20, 0, 0], [0, 20, 0], [4, 5, 0]], "only the human abstains"),
        ([[0, 0, 14], [0, 0, 15], [0, 0, 6]], "the judge never gave a verdict"),
        ([[40, 5, 5], [5, 40, 5], [5, 5, 1]], ""),
        ([[20, 0, 0], [0, 20, 0], [0, 0, 0]], ""),
    ],
)
def test_a_kappa_of_0_by_construction_is_no_finding(build_of_tables, table, who: str) -> None:
    text = readings.coverage_reading(joint_abstention(*told(build_of_tables(table))))
    assert text.endswith(f"Abstention κ is 0 by construction: {who}.") == bool(who)
    assert not who or "not shown" not in text
    assert who or "by construction" not in text


def related(ratings: metrics.Ratings, side: str = "judge") -> str:
    decisions = decisions_of(ratings, "j", told(ratings)[2].reference)
    groups = by_label(ratings.scheme, decisions)[side == "human"]
    return readings.relation_sentence(relation(*told(ratings), side), groups, "j")


def test_abstention_goes_with_the_label_or_not(build_of_tables) -> None:
    does = related(build_of_tables([[60, 5, 2], [5, 30, 40], [1, 1, 1]]))
    assert "are associated with the human’s label" in does
    assert "most often at UNMET (53\u00a0%), least often at MET (3\u00a0%)" in does
    other = related(build_of_tables([[30, 5, 40], [5, 60, 2], [1, 1, 1]]))
    assert "most often at MET" in other
    not_so = related(build_of_tables([[60, 5, 12], [5, 60, 12], [1, 1, 1]]))
    assert "No association of j’s abstentions with the human’s label is found (Cramér’s V\u00a0=\u00a00.00 [0.00," in not_so
    human = related(build_of_tables([[60, 5, 1], [5, 30, 1], [2, 40, 1]]), "human")
    assert human.startswith("Abstentions of the human are associated with j’s label")
    none = related(build_of_tables([[60, 5, 0], [5, 30, 0], [2, 40, 0]]))
    assert none.startswith("Whether abstentions of j depend on the human’s label cannot be estimated: ")
    assert none.endswith(": the judge gave a verdict wherever the human did.")


def test_groups_name_the_most_and_the_least(build_of_tables) -> None:
    ratings = build_of_tables([[60, 5, 40], [5, 60, 40], [1, 1, 1]], [[60, 5, 2], [5, 60, 1], [1, 1, 1]])
    groups = by_criterion(ratings, decisions_of(ratings, "j", told(ratings)[2].reference))
    text = readings.groups_reading(groups, "criterion")
    assert text.startswith("the judge leaves most open on c0 (38\u00a0%")
    assert "least on c1 (3\u00a0%)" in text
    assert "the human’s rate goes from " in text
    assert text.count("intervals overlap") == 1
    silent = build_of_tables([[5, 2, 0], [1, 6, 0], [0, 0, 0]])
    assert (
        readings.groups_reading(by_criterion(silent, decisions_of(silent, "j", "h")), "criterion")
        == "neither the judge nor the human abstained on any criterion."
    )
    assert readings.groups_reading(by_judge(silent, told(silent)[2]), "judge") == "no judge abstained."
    even = [Group(name, share_of([1, 0], [1, 1], [5, 15])) for name in "ab"]
    assert readings.groups_reading(even, "prompt") == "the judge leaves 25\u00a0% open on every prompt."
    assert readings.groups_reading(even[:1], "criterion") == "the judge leaves 25\u00a0% open."
    bare = [Group("a", Share(0.5, count=5, total=10, n_items=0)), Group("b", Share(0.1, count=1, total=10, n_items=0))]
    assert readings.groups_reading(bare, "criterion") == "the judge’s rate goes from 10\u00a0% (b) to 50\u00a0% (a)."
    judges = [Group("a", share_of([1, 0], [1, 1], [50, 50])), Group("b", share_of([1, 0], [1, 1], [5, 95]))]
    assert readings.groups_reading(judges, "judge").startswith("a abstains most (50\u00a0%")
    assert "overlap" not in readings.groups_reading(judges, "judge")
    three = [*judges, Group("c", share_of([1, 0], [1, 1], [50, 50]))]
    assert readings.groups_reading(three, "judge").startswith("a and 1 more abstains most (50\u00a0%")


def test_tradeoff_says_what_others_do() -> None:
    points = [
        Traded("a", 0.8, 0.9, 80, 100, 15, 10),
        Traded("b", 0.9, 0.95, 90, 100, 5, 5),
        Traded("c", 1.0, 0.7, 100, 100, 0, 0),
    ]
    text = readings_tradeoff.tradeoff_reading(points, "a", None)
    assert "where both answer, a is right 90\u00a0% of the time, but it and the human leave 20\u00a0% undecided." in text
    assert "Among 3 judges the share goes from 70\u00a0% (c, coverage 100\u00a0%) to 95\u00a0% (b, coverage 90\u00a0%)." in text
    assert text.endswith("That names no better judge: each judge answers other decisions, and no difference is tested.")
    tied = readings_tradeoff.tradeoff_reading([*points, Traded("d", 1.0, 0.95, 95, 100, 0, 0)], "a", None)
    assert "to 95\u00a0% (b and 1 more)" in tied
    assert "neither it nor the human abstained" in readings_tradeoff.tradeoff_reading(points, "c", None)
    level = [Traded("j0", 0.9, 0.6, 90, 100, 10, 0), Traded("j1", 0.8, 0.6, 80, 100, 20, 0)]
    for judge in ("j0", "j1"):
        assert readings_tradeoff.tradeoff_reading(level, judge, None).endswith(
            "All 2 judges are right equally often where they answer."
        )
    whole = [Traded("a", 1.0, 0.9, 100, 100, 0, 0), Traded("b", 1.0, 0.8, 100, 100, 0, 0)]
    # Nothing was traded: which of them is better is the matter of a comparison, that tests it.
    assert readings_tradeoff.tradeoff_reading(whole, "a", None).endswith("neither it nor the human abstained.")
    for judge in "abc":
        said = readings_tradeoff.tradeoff_reading(points, judge, None)
        assert not any(word in said for word in ("most often", "more often", "ahead"))
    none = [Traded("a", 0.0, math.nan, 0, 10, 10, 0)]
    assert "never answer the same decision" in readings_tradeoff.tradeoff_reading(none, "a", None)


LEAVE = {
    "where it answers, j is right 91\u00a0% of the time, but it leaves": [[20, 2, 4], [2, 20, 5], [0, 0, 0]],
    "where the human answers, j is right 91\u00a0% of the time, but the human leaves": [[20, 2, 0], [2, 20, 0], [4, 5, 0]],
    "where both answer, j is right 91\u00a0% of the time, but it and the human leave": [[20, 2, 0], [2, 20, 0], [0, 0, 9]],
    "where it answers, j is right 91\u00a0% of the time; neither it nor the human abstained": [[20, 2, 0], [2, 20, 0], [0, 0, 0]],
}


@pytest.mark.parametrize("said", LEAVE)
def test_the_sentence_says_who_left_decisions_open(build_of_tables, said: str) -> None:
    ratings = build_of_tables(LEAVE[said])
    points = tradeoff(ratings, told(ratings)[2])
    assert readings_tradeoff.tradeoff_reading(points, "j", None).startswith(said)
    for level in ("macro", "item"):
        assert "j is right on 91\u00a0% of its decisions" in readings_tradeoff.tradeoff_reading(points, "j", None, level=level)


def scored(kind: str) -> metrics.Ratings:
    """Errors at the lowest, at the highest, or at any distance from the cut."""
    rng = np.random.default_rng(2)
    score = rng.uniform(0, 1, 200)
    doubtful = np.abs(score - 0.5) < 0.2
    wrong = {"good": doubtful, "bad": ~doubtful, "none": doubtful | ~doubtful}[kind] & (rng.random(200) < 0.4)
    verdict = np.where(score >= 0.5, "MET", "UNMET")
    human = np.where(wrong, np.where(verdict == "MET", "UNMET", "MET"), verdict)
    items = [f"i{i}" for i in range(200)]
    return metrics.read(
        pd.DataFrame({"item": items, "criterion": "c", "judge": "j", "human": human, "verdict": verdict, "score": score})
    )


SURE = {
    "good": ("The scores of j predict which verdicts are wrong", "mislead", "not shown"),
    "bad": ("The scores of j mislead", "tell which", "not shown"),
    "none": ("It is not shown that the scores of j predict which", "mislead", "The scores"),
}


@pytest.mark.parametrize("kind", SURE)
def test_scores_tell_doubtful_verdicts_or_not(kind: str) -> None:
    ratings = scored(kind)
    curve = risk_coverage(*told(ratings))
    text = readings_tradeoff.tradeoff_reading(tradeoff(ratings, told(ratings)[2]), "j", curve)
    assert SURE[kind][0] in text
    assert not [other for other in SURE[kind][1:] if other in text]
    assert f"in {percent(curve.telling.value)}" in text
    note = readings_tradeoff.curve_note(curve, "MET")
    assert "Threshold in use: 0.500, MET at or above it, as all its verdicts say." in note


@pytest.mark.parametrize(("share", "little"), [(0.57, True), (0.6, False), (0.75, False)])
def test_scores_little_better_than_guessing_tell_a_little(share: float, little: bool) -> None:
    ratings = scored("good")
    found = risk_coverage(*told(ratings))
    interval = replace(found.telling.interval, low=share - 0.04, high=share + 0.03)
    curve = replace(found, telling=replace(found.telling, value=share, interval=interval))
    text = readings_tradeoff.tradeoff_reading(tradeoff(ratings, told(ratings)[2]), "j", curve)
    assert ("The scores of j predict a little which verdicts are wrong: " in text) == little
    assert ("The scores of j predict which verdicts are wrong: " in text) != little
    assert " of pairs (50\u00a0% is chance); mean risk" in text


def of_criteria(kind: str, n: int = 150) -> metrics.Ratings:
    """A hard criterion with unsure scores and an easy one with sure ones; within them scores tell, or not."""
    rng, rows = np.random.default_rng(6), []
    differ = ("hard", 0.0, 0.2, 0.45), ("easy", 0.3, 0.5, 0.03)
    alike = ("hard", 0.0, 0.5, 0.25), ("easy", 0.0, 0.5, 0.25)
    for criterion, low, high, rate in alike if kind == "alike" else differ:
        for item in range(n):
            distance, up = rng.uniform(low, high), rng.random() < 0.5
            wrong = rng.random() < (rate if kind == "between" else 1.6 * rate * (high - distance) / (high - low))
            if kind == "whole":
                wrong = criterion == "hard"
            verdict = "MET" if up else "UNMET"
            human = {"MET": "UNMET", "UNMET": "MET"}[verdict] if wrong else verdict
            rows.append((f"i{item}", criterion, "j", human, verdict, 0.5 + distance if up else 0.5 - distance))
    return metrics.read(pd.DataFrame(rows, columns=["item", "criterion", "judge", "human", "verdict", "score"]))


@pytest.mark.parametrize("kind", ["between", "whole", "within", "alike"])
def test_criteria_that_differ_do_not_make_scores_tell_which_verdicts_are_doubtful(kind: str) -> None:
    """Pooled over criteria .8 was a claim, where on each criterion the scores are at chance."""
    ratings = of_criteria(kind)
    curve = risk_coverage(*told(ratings))
    assert curve.pooled.settled or kind == "whole"
    text = readings_tradeoff.tradeoff_reading(tradeoff(ratings, told(ratings)[2]), "j", curve)
    claims = (
        "The scores of j predict which verdicts are wrong: a right verdict is surer than a wrong one on the same criterion in "
    )
    assert (claims in text) == (kind in ("within", "alike"))
    doubts = (
        "The readings disagree on whether the scores of j predict which verdicts are wrong: over all criteria a right verdict "
    )
    assert (doubts in text) == (kind == "between")
    if kind == "between":
        low, high = curve.telling.ends
        assert low < 0.5 < high
        assert f"in {percent(curve.pooled.b)}" in text
        assert f"within criteria in {percent(curve.telling.value)}" in text
    cannot = "cannot be estimated: over all criteria a right verdict is surer than a wrong one in 100\u00a0% of pairs, "
    cannot += "but on no criterion"
    assert (cannot in text) == (kind == "whole")
    alone = scored("good")
    assert "criteri" not in readings_tradeoff.tradeoff_reading(tradeoff(alone, told(alone)[2]), "j", risk_coverage(*told(alone)))


def test_scores_of_a_judge_without_an_error_cannot_be_read() -> None:
    frame = pd.DataFrame({"item": [f"i{i}" for i in range(20)], "criterion": "c", "judge": "j", "score": np.arange(20) / 20})
    verdict = np.where(frame.score >= 0.5, "MET", "UNMET")
    ratings = metrics.read(frame.assign(human=verdict, verdict=verdict))
    text = readings_tradeoff.tradeoff_reading(tradeoff(ratings, told(ratings)[2]), "j", risk_coverage(*told(ratings)))
    assert "cannot be estimated: none of them is wrong" in text


def test_bounds_say_where_the_value_lies(build_of_tables) -> None:
    ratings = build_of_tables(APPENDIX_B)
    block = metrics.agreement(ratings).judges["j"].micro
    text = readings.bounds_reading(bounds(*told(ratings)), "kappa", block)
    assert text.startswith("had the 30 open decisions been decided, κ could be anywhere from −0.01 to 0.60.")
    assert "outside" not in text
    assert text.endswith(readings.SAMPLING)
    beyond = build_of_tables([[0, 2, 14], [4, 4, 0], [0, 3, 0]])
    found, block = bounds(*told(beyond)), metrics.agreement(beyond).judges["j"].micro
    assert block.values["kappa"] < found.by_metric["kappa"].low
    assert "Even so, −0.36 where both answer is outside" in readings.bounds_reading(found, "kappa", block)
    assert "outside" not in readings.bounds_reading(found, "accuracy", block)


def test_bounds_that_read_alike_are_one_number(build_of_tables) -> None:
    ratings = build_of_tables([[1810, 190, 1], [100, 1900, 0], [0, 0, 0]])
    block = metrics.agreement(ratings).judges["j"].micro
    text = readings.bounds_reading(bounds(*told(ratings)), "accuracy", block)
    assert text.startswith("had the 1 open decision been decided, accuracy would read 93\u00a0% whichever way.")


def test_bounds_without_gaps_or_numbers(build_of_tables) -> None:
    closed = build_of_tables([[5, 2, 0], [1, 6, 0], [0, 0, 0]])
    block = metrics.agreement(closed).judges["j"].micro
    assert "nothing could move: κ is 0.57." in readings.bounds_reading(bounds(*told(closed)), "kappa", block)
    silent = build_of_tables([[0, 0, 5], [0, 0, 0], [0, 0, 0]])
    none = metrics.agreement(silent).judges["j"].micro
    assert "no bounds of φ" in readings.bounds_reading(bounds(*told(silent)), "phi", none)
    assert "Where both answer it is undefined" in readings.bounds_reading(bounds(*told(silent)), "accuracy", none)
    assert "nothing to bound" in readings.bounds_reading(table_bounds(np.zeros((3, 3), int)), "kappa", none)
    many = table_bounds(np.ones((4, 4), int))
    assert readings.bounds_reading(many, "kappa", none) == "κ has bounds for two classes only."


def test_an_undefined_number_says_why_it_is_undefined(build_of_tables) -> None:
    constant = build_of_tables([[5, 0, 0], [0, 0, 0], [0, 0, 0]])
    block = metrics.agreement(constant).judges["j"].micro
    found = bounds(*told(constant))
    text = readings.bounds_reading(found, "kappa", block)
    assert text.startswith("nothing was left open, so nothing could move: κ is undefined: both sides give only MET")
    assert found.by_metric["kappa"].reason == NO_GAPS
    assert bounds(*told(constant), "macro").by_metric["kappa"].reason == NO_GAPS
    silent = build_of_tables([[0, 0, 5], [0, 0, 0], [0, 0, 0]])
    assert bounds(*told(silent)).by_metric["phi"].reason == NEVER
    assert bounds(*told(silent), "macro").by_metric["phi"].reason == NEVER


def test_exclude_is_called_biased_only_where_it_can_be(build_of_tables) -> None:
    def said(*tables: list[list[int]]) -> str:
        more = metrics.agreement(build_of_tables(*tables), interval="none").judges["j"].item.more
        return readings.item_reading(more, "all", ("MET", "UNMET"), criteria=len(tables))

    closed = [[5, 2, 0], [1, 6, 0], [0, 0, 0]]
    assert "biased" in said(APPENDIX_B, APPENDIX_B)
    assert "biased" not in said(APPENDIX_B)
    assert "biased" not in said(closed, closed)
    assert "survive alike" not in said(closed, closed)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ([[1, 0, 0], [0, 0, 0], [0, 0, 0]], "neither the judge nor the human abstained on this 1 decision."),
        ([[1, 0, 0], [1, 0, 0], [0, 0, 0]], "neither the judge nor the human abstained on these 2 decisions."),
        ([[0, 0, 1], [0, 0, 0], [0, 0, 0]], "only the judge abstains, on 1 of 1 decision; joint"),
        ([[3, 0, 1], [0, 0, 0], [2, 0, 0]], "the judge leaves 1 decision open, the human 2, and on 0 both do."),
        ([[3, 0, 2], [0, 0, 0], [2, 0, 0]], "the judge leaves 2 decisions open, the human 2, and on 0 both do."),
    ],
)
def test_one_decision_is_no_plural(build_of_tables, table, said: str) -> None:
    assert readings.coverage_reading(joint_abstention(*told(build_of_tables(table)))).startswith(said)


def test_one_item_is_no_plural() -> None:
    more = {"coverage": {"coverage": 1.0, "n_split": 0, "by_reference": {}}, "complete": {"n": 1, "n_split": 0, "kappa": None}}
    assert "On the 1 item without any" in readings.item_reading(more, "all", ("MET", "UNMET"), criteria=1)


def test_nobody_abstained(build_of_tables) -> None:
    closed = metrics.agreement(build_of_tables([[5, 2, 0], [1, 6, 0], [0, 0, 0]])).judges["j"]
    assert (
        readings.nobody(closed.coverage, [closed.micro] * 3, "j")
        == "Neither j nor the human abstained. All three modes give the same number, 0.57."
    )
    assert readings.nobody(closed.coverage, [closed.micro] * 2, "j").startswith("Neither j nor the human abstained. Both modes")
    constant = metrics.agreement(build_of_tables([[5, 0, 0], [0, 0, 0], [0, 0, 0]])).judges["j"]
    assert "κ is undefined: both sides give only MET" in readings.nobody(constant.coverage, [constant.micro] * 3, "j")
    opened = metrics.agreement(build_of_tables(APPENDIX_B)).judges["j"]
    assert readings.nobody(opened.coverage, [opened.micro] * 3, "j") == ""


def test_item_level_says_who_survives(build_of_tables) -> None:
    ratings = build_of_tables(APPENDIX_B, [[30, 5, 10], [8, 30, 5], [2, 2, 8]])
    more = metrics.agreement(ratings, interval="none").judges["j"].item.more
    text = readings.item_reading(more, "all", ("MET", "UNMET"), criteria=2)
    by = more["coverage"]["by_reference"]
    assert (
        f"the judge decides {percent(by['MET'])} of the items the human calls MET and {percent(by['UNMET'])} of the items" in text
    )
    assert "biased at item level even where abstention is completely at random" in text
    assert "survive alike" not in text
    even = {**more, "coverage": {**more["coverage"], "by_reference": {"MET": 0.5, "UNMET": 0.5}}}
    assert "Here both survive alike." in readings.item_reading(even, "all", ("MET", "UNMET"), criteria=2)
    assert f"On the {more['complete']['n']} items without any abstention κ is" in text
    other = readings.item_reading(more, "threshold", ("MET", "UNMET"), criteria=2)
    assert "cannot change the verdict" in other
    every = metrics.agreement(build_of_tables([[0, 0, 5], [0, 0, 5], [0, 0, 0]]), interval="none").judges["j"].item.more
    assert "No item is free of abstentions" in readings.item_reading(every, "all", ("MET", "UNMET"), criteria=2)


def test_the_published_values_stand_in_the_table() -> None:
    ratings = metrics.read(ROOT / "assets/rao_abstention.csv")
    judge = ratings.judges[0]
    blocks = {mode: metrics.agreement(ratings, abstention=mode).judges[judge].micro for mode in MODES}
    shown = in_full(modes_table(blocks))
    assert [round(x, 3) for x in shown["accuracy"]] == [0.714, 0.7, 0.6]
    assert [round(x, 3) for x in shown["kappa"]] == [0.417, 0.394, 0.37]
    assert [round(x, 3) for x in shown["f1"]] == [0.75, 0.667, 0.667]
    assert shown["n"] == [70, 100, 100]
    assert shown["f1_is"] == ["F1", "F1", "F1, one-vs-rest"]
    for key in ("accuracy", "kappa", "f1"):
        for low, value, high in zip(shown[f"{key}_low"], shown[key], shown[f"{key}_high"], strict=True):
            assert low is None or low < value < high


def test_tables_hold_what_was_computed(build_of_tables) -> None:
    ratings = build_of_tables(APPENDIX_B)
    report = metrics.agreement(ratings).judges["j"]
    found = bounds(*told(ratings))
    table = in_full(bounds_table(found, report.micro))
    place = table["metric"].index("Cohen’s κ")
    assert (table["worst_case"][place], table["best_case"][place]) == found.by_metric["kappa"].ends
    assert (table["low"][place], table["high"][place]) == report.micro["kappa"].ends
    groups = {"criterion": by_criterion(ratings, decisions_of(ratings, "j", "h"))}
    assert coverage_columns(joint_abstention(*told(ratings)), 2)["joint_coverage"] == [0.7, 0.7]
    rates = in_full(groups_table(groups))
    assert rates["side"] == ["judge", "human"]
    assert rates["open"] == [20, 20]
    assert rates["interval"] == ["wilson", "wilson"]
    assert tradeoff_table(tradeoff(ratings, told(ratings)[2]))["coverage"] == [0.7]
    curve = risk_coverage(*told(scored("good")))
    assert curve_table(curve)["accuracy"][-1] == pytest.approx(curve.accuracy[-1])


def test_f1_of_a_mean_over_criteria_is_named(build_of_tables) -> None:
    report = metrics.agreement(build_of_tables(APPENDIX_B, APPENDIX_B), abstention="as_category").judges["j"]
    assert f1_of(report.macro, "as_category")[0] == "Macro-F1"
    name, own = f1_of(report.micro, "as_category")
    assert (name, own.value) == ("F1, one-vs-rest", pytest.approx(2 / 3))


def test_modes_differ_or_not(build_of_tables) -> None:
    reports = {mode: metrics.agreement(build_of_tables(APPENDIX_B), abstention=mode).judges["j"].micro for mode in MODES}
    text = readings_costs.modes_reading(reports)
    assert text.startswith(
        "the same verdicts give κ 0.42 under Exclude, 0.39 under Count as negative and 0.37 under Keep as a class."
    )
    assert text.endswith("moves κ by 0.05.")
    same = dict.fromkeys(MODES, reports["exclude"])
    assert readings_costs.modes_reading(same).startswith("κ is 0.42 whichever question")
    constant = metrics.agreement(build_of_tables([[5, 0, 0], [0, 0, 0], [0, 0, 0]])).judges["j"].micro
    assert "undefined" in readings_costs.modes_reading({"exclude": constant})
    some = readings_costs.modes_reading(
        {"exclude": constant, "as_unmet": reports["as_unmet"], "as_category": reports["as_category"]}
    )
    assert some == "κ is undefined under Exclude; it is 0.39 under Count as negative, 0.37 under Keep as a class."
    two = readings_costs.modes_reading({"exclude": constant, "as_unmet": constant, "as_category": reports["as_category"]})
    assert two == "κ is undefined under Exclude and Count as negative; it is 0.37 under Keep as a class."


def test_modes_of_which_one_is_undefined_are_not_called_alike(build_of_tables) -> None:
    ratings = build_of_tables([[5, 0, 3], [0, 0, 0], [2, 0, 2]])
    blocks = {mode: metrics.agreement(ratings, abstention=mode, interval="none").judges["j"].micro for mode in MODES}
    assert math.isnan(blocks["exclude"].values["kappa"])
    text = readings_costs.modes_reading(blocks)
    assert text.startswith("κ is undefined under Exclude; it is ")
    assert "whichever" not in text


def test_ties_handled_otherwise_are_still_no_verdict(build_of_tables) -> None:
    tables = [[20, 2, 6], [3, 20, 5], [4, 4, 3]]
    usual = build_of_tables(tables, labels=("MET", "UNMET", "TIE"))
    scheme = replace(usual.scheme, handling=(("tie", "as_unmet"),))
    treated = replace(usual, scheme=scheme)
    assert joint_abstention(*told(treated)) == joint_abstention(*told(usual))
    assert tradeoff(treated, told(treated)[2]) == tradeoff(usual, told(usual)[2])
    assert bounds(*told(usual)).n_open == 22
    found = bounds(*told(treated))
    assert found.n_open == 0
    assert found.by_metric["kappa"].low == metrics.agreement(treated).judges["j"].micro.values["kappa"]
    left_out = replace(usual, scheme=replace(usual.scheme, handling=(("tie", "exclude"),)))
    assert (bounds(*told(left_out)).n_open, bounds(*told(left_out)).n_total) == (0, 45)


@pytest.mark.parametrize("kappas", [(0.64, 0.44, 0.44), (0.5, 0.5, 0.5)])
def test_each_kappa_stands_under_its_mode(kappas) -> None:
    """Two equal values of three were said once, so that nobody could tell whose they were."""
    blocks = {mode: SimpleNamespace(values={"kappa": kappa}) for mode, kappa in zip(MODES, kappas, strict=True)}
    text = readings_costs.modes_reading(blocks)
    assert ("under Exclude" in text) == (len(set(kappas)) > 1)
    assert text.count("0.44") == kappas.count(0.44)
