"""Sentences about the ceiling, the alternative-annotator test and the evidence: both directions, and undefined where it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.analyses.raters import readings_ceiling as told
from metrics.analyses.raters import readings_evidence as said
from metrics.analyses.raters.adjudicating import disagreements
from metrics.analyses.raters.advice import next_step, short_step
from metrics.analyses.raters.alternative import Annotator, alternative_annotator
from metrics.analyses.raters.ceiling import human_ceiling
from metrics.analyses.raters.evidence import evidence
from metrics.analyses.raters.exchange import Exchange
from metrics.analyses.raters.intra_rater import Repeats
from metrics.analyses.raters.label_rates import label_rates
from metrics.commands.cli import main
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

LONG = {"M": "MET", "U": "UNMET", "?": "CA"}
FLIP = {"M": "U", "U": "M"}
TRUTH = "MU" * 20
HARD = "\u00a0"


def file_of(build_ratings, labels, criterion="c"):
    return build_ratings(
        [
            (f"i{i}", criterion, who, "judge" if who.startswith("j") else "human", LONG[label])
            for who, own in labels.items()
            for i, label in enumerate(own)
            if label != " "
        ]
    )


def flipped(labels, places):
    return "".join(FLIP[label] if i in places else label for i, label in enumerate(labels))


PEOPLE = {f"h{h}": flipped(TRUTH, range(3 * h, 3 * h + 6)) for h in range(3)}
APART = {f"h{h}": TRUTH for h in range(3)} | {"h3": flipped(TRUTH, range(10))}
WAVERING = Repeats(40, 30, Estimate(0.75, Interval(0.6, 0.86, "wilson")))
SPREAD = {f"h{h}": flipped(TRUTH, range(10 * h, 10 * h + 10)) for h in range(4)}


def star(text: str) -> str:
    return f"*{text}*"


def test_ceiling_in_all_directions(build_ratings) -> None:
    found = human_ceiling(file_of(build_ratings, PEOPLE | {"j": flipped(TRUTH, range(9, 14))}), "j")
    assert "against the majority of the others, *j* reaches κ" in told.ceiling_reading(found, star)
    known = replace(found, value=Estimate(0.5), human=Estimate(0.7))
    # twelve items have one of three humans apart; without either of the other two the rest is split
    end = "Mean over 3 humans, 40 items. A decision is left out where the others come to no label: 24 times."
    start = "against the majority of the others, j reaches κ 0.50, a human left out 0.70: "
    below = replace(known, difference=Estimate(-0.2, Interval(-0.3, -0.1, "jackknife")), exchange=Exchange(1.0, 0.01))
    assert told.ceiling_reading(below) == f"{start}the judge stays below the human ceiling by 0.20 [0.10, 0.30]. {end}"
    open_ = replace(known, difference=Estimate(-0.2, Interval(-0.5, 0.1, "paired jackknife")))
    assert told.ceiling_reading(open_) == f"{start}the difference of −0.20 [−0.50, 0.10] is not significant. {end}"
    barely = replace(below, difference=Estimate(-0.2, Interval(-0.3, -0.003, "paired jackknife")))
    assert barely.settled
    assert told.ceiling_reading(barely) == f"{start}the difference of −0.20 [−0.30, −0.003] is not significant. {end}"
    shares = replace(barely, metric="accuracy")
    assert f"stays below the human ceiling by 20{HARD}points [+0.3, +30{HARD}points]." in told.ceiling_reading(shares)
    above = replace(known, value=Estimate(0.9), difference=Estimate(0.2, Interval(0.1, 0.3, "paired jackknife")))
    above = replace(above, exchange=Exchange(above=0.01, below=1.0))
    more = "the judge is above it by 0.20 [0.10, 0.30]: more like the majority of the others than a human is"
    assert more in told.ceiling_reading(above)
    unanimous = told.ceiling_reading(replace(above, rule="unanimous"))
    assert unanimous.startswith("against what all the others agree on, j reaches κ")
    assert "more like what all the others agree on than a human is, which is not to be right more often." in unanimous
    assert "majority" not in unanimous
    without = replace(known, difference=Estimate(-0.2, why="there is only one shared item"))
    assert "is 0.20 below, without an interval, as there is only one shared item." in told.ceiling_reading(without)


def test_ceiling_in_percent_and_of_humans_alone(build_ratings) -> None:
    ratings = file_of(build_ratings, PEOPLE | {"j": flipped(TRUTH, range(20))})
    text = told.ceiling_reading(human_ceiling(ratings, "j", "accuracy"))
    assert (
        f"j reaches accuracy 69{HARD}% [51, 82{HARD}%], a human left out 88{HARD}% [79, 94{HARD}%]: the judge stays below" in text
    )
    assert f"by 19{HARD}points [+2.5, +36{HARD}points]." in text
    alone = told.ceiling_reading(human_ceiling(ratings, None))
    assert alone.startswith("a human left out reaches κ ")
    assert "against the majority of the others. There is no judge to set beside it. Mean over 3 humans, 40 items." in alone


def test_ceiling_says_how_many_decisions_have_no_reference(build_ratings) -> None:
    # without h1 the others are split on 4 items, without h2 on 4, without h3 on 8
    people = {"h1": flipped(TRUTH, range(4)), "h2": flipped(TRUTH, range(4, 8)), "h3": TRUTH, "j": TRUTH}
    ratings = file_of(build_ratings, people)
    for rule in ("majority", "unanimous"):
        found = human_ceiling(ratings, "j", reference=rule)
        assert [one.n_open for one in found.left_out] == [4, 4, 8]
        assert [one.n for one in found.left_out] == [36, 36, 32]
        assert found.to_dict()["n_open"] == found.n_open == 16
        left = "Mean over 3 humans, 40 items. A decision is left out where the others come to no label: 16 times."
        assert told.ceiling_reading(found).endswith(left)
    alone = human_ceiling(ratings, None)
    assert alone.n_open == 16
    none = human_ceiling(file_of(build_ratings, dict.fromkeys(people, TRUTH)), "j")
    assert none.n_open == 0
    assert "left out where" not in told.ceiling_reading(none)


def test_ceiling_says_who_is_left_out_and_when_it_is_undefined(build_ratings) -> None:
    ratings = file_of(build_ratings, PEOPLE | {"h9": "MU", "j": TRUTH})
    assert told.ceiling_reading(human_ceiling(ratings, "j")).endswith(
        "1 human with fewer than 10 shared decisions or an undefined value is not in it."
    )
    same = file_of(build_ratings, {"h1": "M" * 12, "h2": "M" * 12, "j": "M" * 12})
    assert told.ceiling_reading(human_ceiling(same, "j")) == (
        "the human ceiling is undefined: κ is undefined for every human left out: both sides give only MET."
    )
    level = told.ceiling_reading(human_ceiling(same, "j", "accuracy"))
    assert f"the difference of 0{HARD}points [−24, +24{HARD}points] is not significant." in level


def test_what_the_test_licenses(build_ratings) -> None:
    ratings = file_of(build_ratings, PEOPLE | {"j": TRUTH})
    passed = alternative_annotator(ratings, "j")
    text = told.alternative_reading(passed, star)
    assert text.startswith(
        "*j* passes: it wins against 3 of 3 humans (winning rate ω 100\u00a0%; "
        "50\u00a0% passes) at an allowance ε of 0.15 (skilled "
        "annotators), on 40 items. A win means less than ε worse than a person at agreeing with the others, not as good as a "
        "person. Whether the judge is right, and how it does on other items, the test does not say."
    )
    exact = told.alternative_reading(replace(passed, epsilon=0.0))
    assert "A win means better than a person at agreeing with the others. Whether" in exact
    one_lost = replace(passed, annotators=(replace(passed.annotators[0], won=False, lost=True), *passed.annotators[1:]))
    assert " Against 1 the judge is shown to be worse by more than ε." in told.alternative_reading(one_lost)
    assert "shown to be worse" not in text
    assert "(advantage probability ρ)." in text
    failed = alternative_annotator(file_of(build_ratings, PEOPLE | {"j": flipped(TRUTH, range(0, 40, 2))}), "j", epsilon=0.1)
    text = told.alternative_reading(failed)
    assert text.startswith(
        "j does not pass: it wins against 0 of 3 humans (winning rate ω 0\u00a0%; 50\u00a0% passes) at an allowance ε of"
    )
    # h1 is as like the others on all 40 items, the judge on 26; of h0 and h2 (37 items) it is not shown
    assert [one.lost for one in failed.annotators] == [False, True, False]
    assert "it is like the others less often than 1 of them by more than ε. That it is wrong more often does not follow." in text
    assert "annotators)" not in text
    assert "of 0.10, on 40 items." in text
    assert "Wilcoxon" not in text


def test_ceiling_and_test_side_by_side(build_ratings) -> None:
    ratings = file_of(build_ratings, PEOPLE | {"j": TRUTH})
    passed, ceiling = alternative_annotator(ratings, "j"), human_ceiling(ratings, "j")
    below = replace(ceiling, difference=Estimate(-0.2, Interval(-0.3, -0.1, "paired jackknife")))
    below = replace(below, exchange=Exchange(above=1.0, below=0.01))
    level = replace(ceiling, difference=Estimate(-0.2, Interval(-0.5, 0.1, "paired jackknife")))
    failed = replace(passed, winning_rate=Estimate(0.0))
    assert told.together_reading(below, passed) == (
        "the judge passes the test, and stays below the human ceiling in κ by 0.20 [0.10, 0.30]: the test forgives up to ε = "
        "0.15 of the items, and κ counts only what goes beyond the label rates. It is not as good as a person."
    )
    assert told.together_reading(replace(below, metric="accuracy"), passed) == (
        f"the judge passes the test, and stays below the human ceiling in accuracy by 20{HARD}points [+10, +30{HARD}points]: the "
        "test forgives up to ε = 0.15 of the items. It is not as good as a person."
    )
    assert told.together_reading(level, passed) == (
        "the judge passes the test, and the human ceiling in κ is higher by 0.20 [−0.10, 0.50], no significant difference. "
        "Neither shows the judge to be as good as a person."
    )
    higher = replace(ceiling, difference=Estimate(0.05, Interval(-0.1, 0.2, "paired jackknife")))
    assert told.together_reading(higher, passed) == ""
    assert told.together_reading(level, failed).startswith("the judge does not pass the test and is not shown to be below the ")
    assert told.together_reading(below, failed) == ""
    assert told.together_reading(human_ceiling(ratings, None), passed) == ""
    assert told.together_reading(below, replace(passed, winning_rate=Estimate(float("nan")))) == ""


def votes(build_ratings, kinds):
    """`kinds`: (labels of a, b, c and the judge; how many items)."""
    people = {who: "".join(own[place] * n for own, n in kinds) for place, who in enumerate(("h1", "h2", "h3", "j"))}
    return file_of(build_ratings, people)


def test_many_items_can_show_the_judge_worse_where_kappa_does_not(build_ratings) -> None:
    # humans say MET nearly always and differ at random; the judge says UNMET often, and on all that are UNMET by majority
    kinds = (("MMMM", 2000), ("MMMU", 600), ("MMUM", 30), ("MUMM", 30), ("UMMM", 30), ("UUMU", 10), ("MUUU", 10), ("UMUU", 10))
    ratings = votes(build_ratings, kinds)
    test, ceiling = alternative_annotator(ratings, "j"), human_ceiling(ratings, "j")
    assert [one.p > 0.99 for one in test.tested] == [True] * 3
    assert (test.passed, test.n_won, test.n_lost) == (False, 0, 3)
    level = replace(ceiling, difference=Estimate(0.02, Interval(-0.1, 0.14, "paired jackknife")))
    text = told.together_reading(level, test)
    assert "few items" not in text
    assert "shows the judge to be like the others less often than 3 of 3 humans, by more than ε. κ discounts" in text
    assert "neither" not in text
    assert (
        "It may not replace one of these humans by this test; it is like the others less often than 3 of them by more than ε. "
        "That it is wrong more often does not follow."
    ) in told.alternative_reading(test)


def test_few_items_prove_neither(build_ratings) -> None:
    kinds = (("MMMM", 16), ("UUUU", 16), ("MMMU", 4))
    ratings = votes(build_ratings, kinds)
    test, ceiling = alternative_annotator(ratings, "j", epsilon=0.1), human_ceiling(ratings, "j")
    assert (test.passed, test.n_won, test.n_lost) == (False, 0, 0)
    level = replace(ceiling, difference=Estimate(-0.1, Interval(-0.5, 0.3, "paired jackknife")))
    assert told.together_reading(level, test).endswith(
        "against each human on its own, and against 3 of 3 humans these items prove neither that the judge is worse by ε or more "
        "nor that it is not."
    )
    licence = "It may not replace one of these humans by this test; that it is worse than they are does not follow."
    assert licence in told.alternative_reading(test)
    mixed = replace(test, annotators=(replace(test.annotators[0], lost=True), *test.annotators[1:]))
    assert "less often than 1 of 3 humans, by more than ε. Against 2 the items prove neither. κ" in told.together_reading(
        level, mixed
    )


def test_wilcoxon_and_unequal_scales_are_said(build_ratings) -> None:
    short = {name: own[:12] for name, own in (PEOPLE | {"j": TRUTH}).items()}
    found = alternative_annotator(file_of(build_ratings, short), "j")
    assert "3 humans labelled fewer than 30 items and were tested with Wilcoxon’s signed-rank test" in told.alternative_reading(
        found
    )
    more = alternative_annotator(file_of(build_ratings, PEOPLE | {"h9": "MU", "j": TRUTH}), "j")
    assert " 1 human could not be tested. On " in told.alternative_reading(more)
    wide = replace(found, ranges=((0.0, 10.0), (0.0, 1.0)))
    assert told.alternative_reading(wide).endswith(
        "Scores are compared as they are: the judge’s run from 0.00 to 10.00, the humans’ from 0.00 to 1.00."
    )
    assert "Scores" not in told.alternative_reading(replace(found, ranges=((0.0, 1.0), (0.0, 1.0))))


def test_an_undefined_test_licenses_nothing(build_ratings) -> None:
    found = alternative_annotator(file_of(build_ratings, {"h1": TRUTH, "h2": TRUTH, "j": TRUTH}), "j")
    assert told.alternative_reading(found) == (
        "the alternative-annotator test is undefined: the test needs 3 humans with 10 items each; 2 have them."
    )
    assert isinstance(found.annotators[0], Annotator)


def test_training_in_all_directions(build_ratings) -> None:
    apart = evidence(file_of(build_ratings, APART)).criteria["c"].training
    assert said.training_reading(apart, star) == (
        f"*h3* is an outlier: *h3* differs from the others on 25{HARD}% of pairs, the others among themselves on 0{HARD}%, "
        f"+25{HARD}points [+11, +39{HARD}points]."
    )
    alike = evidence(file_of(build_ratings, SPREAD)).criteria["c"].training
    none = "none of the 4 raters with enough items is an outlier"
    level = ": none differs from the others more often than they do among themselves [−19, +19\u00a0points]."
    assert said.training_reading(alike) == none + level
    first = alike.raters[0]
    uneven = replace(alike, raters=(replace(first, excess=replace(first.excess, value=0.03)),))
    assert said.training_reading(uneven) == (
        "none of the 1 raters with enough items is an outlier. The largest difference from the others is that of "
        f"{uneven.raters[0].name}, +3.0{HARD}points [−19, +19{HARD}points]: no significant difference."
    )
    small = replace(alike, raters=(replace(first, excess=Estimate(0.03, Interval(0.01, 0.05, "jackknife"))),))
    assert said.training_reading(small).endswith(f": below 5.0{HARD}points, from which a rater is called an outlier.")
    same = evidence(file_of(build_ratings, {f"h{h}": TRUTH for h in range(3)})).criteria["c"].training
    assert said.training_reading(same) == (
        "none of the 3 raters with enough items is an outlier: none differs from the others more often than they do among "
        "themselves."
    )
    two = evidence(file_of(build_ratings, {"h1": TRUTH, "h2": TRUTH})).criteria["c"].training
    assert said.training_reading(two) == (
        "whether one rater differs from the others cannot be estimated: with fewer than 3 raters nobody can be called an outlier."
    )
    far = tuple(replace(one, corrected=0.001, excess=Estimate(0.2)) for one in apart.raters)
    camps = replace(apart, raters=far)
    assert said.training_reading(camps) == "4 of 4 raters differ from the rest: a split among them, not one outlier."


def test_ambiguity_in_all_directions(build_ratings) -> None:
    spread = evidence(file_of(build_ratings, SPREAD)).criteria["c"].ambiguity
    assert said.ambiguity_reading(spread) == (
        f"the raters differ on 40 of 40 items, in 50{HARD}% of pairs, and no single rater accounts for it. The labels "
        "do not show whether the wording, hard items or slips cause it."
    )
    apart = evidence(file_of(build_ratings, APART)).criteria["c"].ambiguity
    assert said.ambiguity_reading(apart).endswith(f"Without the outliers it is 0{HARD}%: they account for most of it.")
    both = replace(apart, spread=True, without=0.1)
    assert said.ambiguity_reading(both).endswith(f"it is still 10{HARD}%. {said.CAUSES}")
    two = evidence(file_of(build_ratings, {"h1": TRUTH, "h2": flipped(TRUTH, (1,))})).criteria["c"].ambiguity
    assert "Whether one rater causes it cannot be estimated: with fewer than 3 raters" in said.ambiguity_reading(two)
    agreed = replace(two, n_split=0)
    assert said.ambiguity_reading(agreed) == "the raters agree on all 40 items with two labels or more."
    assert said.ambiguity_reading(replace(two, n_units=0)) == "disagreement is undefined: no item has two labels."


def test_fatigue_in_all_directions(build_ratings) -> None:
    found = evidence(file_of(build_ratings, SPREAD)).criteria["c"].fatigue
    falls = replace(
        found, change=Estimate(-0.2, Interval(-0.3, -0.1, "jackknife")), first=0.9, last=0.7, same_order=0.1, corrected=0.01
    )
    rows = "by the rows of the file, if these stand in the order of work"
    assert said.fatigue_reading(falls) == (
        f"agreement with the others falls: −20{HARD}points [−30, −10{HARD}points] "
        "from a rater’s first label of a criterion to the last "
        f"({rows}), from 90{HARD}% to 70{HARD}%."
    )
    assert said.fatigue_reading(replace(falls, same_order=0.99)).endswith("so the later items may simply be harder.")
    among_many = said.fatigue_reading(replace(falls, corrected=0.06))
    start = "agreement with the others does not change significantly, with Holm’s correction for the criteria: −20"
    assert among_many.startswith(start)
    assert "(by time)" in said.fatigue_reading(replace(falls, by="time", column="when"))
    level = replace(falls, change=Estimate(-0.2, Interval(-0.3, 0.1, "jackknife")))
    assert said.fatigue_reading(level).startswith("agreement with the others does not change significantly: −20")
    rises = replace(falls, change=Estimate(0.2, Interval(0.1, 0.3, "jackknife")))
    assert said.fatigue_reading(rises).startswith("agreement with the others rises: +20")
    assert "there is no interval" in said.fatigue_reading(replace(falls, change=Estimate(-0.2)))
    same = evidence(file_of(build_ratings, {f"h{h}": TRUTH for h in range(3)})).criteria["c"].fatigue
    assert (
        said.fatigue_reading(same)
        == f"agreement with the others is the same from a rater’s first label of a criterion to the last ({rows})."
    )
    undefined = replace(falls, change=Estimate(float("nan"), why="too few"))
    assert said.fatigue_reading(undefined) == "whether agreement falls as the work goes on cannot be estimated: too few."


def test_repeats_in_both_directions() -> None:
    some = Repeats(40, 30, Estimate(0.75, Interval(0.6, 0.86, "wilson")))
    assert said.repeats_reading(some) == (
        f"given the same item again, raters gave the same label 30 of 40 times (self-agreement 75{HARD}% [60, 86{HARD}%])."
    )
    few = Repeats(1, 0, Estimate(0.0, Interval(0.0, 0.79, "wilson")))
    assert said.repeats_reading(few).endswith("[0, 79 %]). Fewer than 10 show nothing about the raters.")
    none = Repeats(0, 0, Estimate(float("nan"), why="nobody labelled anything twice"))
    assert (
        said.repeats_reading(none) == "whether raters agree with themselves cannot be estimated: nobody labelled anything twice."
    )


@pytest.fixture
def records(build_ratings):
    return {
        "training": evidence(file_of(build_ratings, APART)).criteria["c"],
        "ambiguity": evidence(file_of(build_ratings, SPREAD)).criteria["c"],
        "none": evidence(file_of(build_ratings, {"h1": TRUTH, "h2": flipped(TRUTH, (1,))})).criteria["c"],
        "agreed": evidence(file_of(build_ratings, {"h1": TRUTH, "h2": TRUTH})).criteria["c"],
        "apart": evidence(file_of(build_ratings, {"h1": "MU  ", "h2": "  MU"})).criteria["c"],
    }


def test_next_step_after_it_fails(records) -> None:
    def step(which):
        return next_step(records[which], "fails", name=star)

    assert step("training").startswith("Find out first why *h3* differs from the others. Label twenty items together")
    assert step("ambiguity").startswith("Clarify the rubric: give examples and anchors for the 40 items the raters split on")
    assert step("none").startswith("The labels do not show why. Go through the 1 item they differ on with the raters")
    assert step("agreed") == "The labels do not show why. Have more raters label more items."
    tired = replace(records["none"], repeats=WAVERING)
    assert next_step(tired, "fails") == (
        "Ask the raters why they changed their labels: their self-agreement on repeated items is low. The labels do not show "
        "whether these are corrections, slips, or a rubric that can be read in two ways."
    )
    fall = replace(tired.fatigue, change=Estimate(-0.2, Interval(-0.3, -0.1, "jackknife")), same_order=0.2, corrected=0.01)
    both = next_step(replace(tired, fatigue=fall), "fails")
    assert both.startswith("Give smaller batches and rotate raters: agreement falls as the work goes on. Slip in items labelled")
    assert "Ask the raters why they changed their labels" in both


def test_next_step_after_the_other_outcomes(records) -> None:
    assert next_step(records["ambiguity"], "passes") == "Calibrate the judge against these labels."
    assert next_step(records["training"], "passes").startswith(
        "Calibrate the judge against these labels. Find out why h3 differs from the others. Label twenty"
    )
    assert next_step(records["none"], "undecided", 140, would="fails") == (
        "Label more items before you change anything. About 140 would show, with 80\u00a0% power, that agreement is below the "
        "floor."
    )
    assert next_step(records["none"], "undecided", why_not="the value is on the line") == (
        "Label more items before you change anything. How many cannot be said: the value is on the line."
    )
    assert next_step(records["training"], "undecided", 140, would="passes", name=star) == (
        "Find out first why *h3* differs from the others. Then label more items. About 140 would show, with 80\u00a0% power, "
        "that agreement is above the floor."
    )
    assert next_step(records["apart"], "undecided", undefined="no item has two labels") == (
        "Nothing to decide yet: no item has two labels. Have two or more raters label the same items."
    )
    assert next_step(records["agreed"], "undecided", undefined="all give MET") == (
        "Nothing to decide yet: all give MET. Add items that should get another label."
    )


def test_a_rater_who_turns_the_scale_round_is_not_sent_to_be_trained(build_ratings) -> None:
    rng = np.random.default_rng(3)
    slips = {f"h{h}": flipped(TRUTH, set(rng.choice(40, 3, replace=False).tolist())) for h in range(3)}
    turned = flipped(TRUTH, set(range(40)) - set(rng.choice(40, 3, replace=False).tolist()))
    own = evidence(file_of(build_ratings, slips | {"cem": turned})).criteria["c"]
    first = own.training.raters[0]
    assert (first.name, first.is_outlier, first.is_reversed) == ("cem", True, True)
    assert first.beyond_chance == pytest.approx(1 - first.disagreement / 0.5, abs=0.02)
    said_of_it = "Check first which way round cem uses the scale: cem agrees with the others less than chance."
    assert next_step(own, "fails").startswith(said_of_it)
    assert short_step(own, "fails") == said_of_it
    wild = "".join(rng.choice(["M", "U"], 40))
    guessing = evidence(file_of(build_ratings, slips | {"cem": wild})).criteria["c"].training.raters[0]
    assert (guessing.name, guessing.is_outlier, guessing.is_reversed) == ("cem", True, False)


def test_short_steps(records) -> None:
    steps = {which: short_step(own, "fails", name=star) for which, own in records.items()}
    assert steps == {
        "training": "Find out first why *h3* differs from the others.",
        "ambiguity": "Clarify the rubric (40 items disputed).", "none": "Discuss 1 item.",
        "agreed": "Label more items.", "apart": "Label more items.",
    }  # fmt: skip
    tired = replace(records["none"], repeats=WAVERING)
    assert short_step(tired, "fails") == "Ask raters why they changed labels."
    fall = replace(tired.fatigue, change=Estimate(-0.2, Interval(-0.3, -0.1, "jackknife")), same_order=0.2, corrected=0.01)
    assert short_step(replace(tired, fatigue=fall), "fails") == "Smaller batches, rotate raters."
    assert short_step(tired, "passes") == "Calibrate the judge."
    assert short_step(tired, "undecided", 1400) == "Label about 1\u202f400 items."
    assert short_step(tired, "undecided") == "Label more items."
    assert short_step(records["training"], "undecided", 1400) == "Find out first why h3 differs from the others."
    assert short_step(records["apart"], "undecided", undefined="x") == "Have two or more raters label the same items."


def test_rates_in_both_directions(build_ratings) -> None:
    rng = np.random.default_rng(0)
    lenient = "".join("M" if label == "M" or rng.random() < 0.6 else "U" for label in TRUTH)
    rates = label_rates(file_of(build_ratings, {"h1": TRUTH, "h2": TRUTH, "h3": lenient}))
    text = said.rates_reading(rates, "MET", star)
    assert text.startswith("3 of 3 raters differ from the others; the farthest, *h3*, says *MET* ")
    assert "points more often than the others" in text
    turned = said.rates_reading(rates, "UNMET")
    assert "less often than the others [" in turned
    assert "+" not in turned
    assert text.split("[")[1] == turned.split("[")[1]
    assert text.endswith(". By chance alone about 1 in 20 would stand out.")
    two = label_rates(file_of(build_ratings, {"h1": TRUTH, "h3": lenient}))
    both = said.rates_reading(two, "MET", star)
    assert both.startswith(("*h1* says *MET* ", "*h3* says *MET* "))
    assert "often than *h" in both
    assert "farthest" not in both
    same = said.rates_reading(label_rates(file_of(build_ratings, {"h1": TRUTH, "h2": TRUTH})), "MET", star)
    assert same == "the two raters say *MET* equally often on the same items."
    near = said.rates_reading(label_rates(file_of(build_ratings, {"h1": TRUTH, "h2": flipped(TRUTH, (0,))})), "MET", star)
    assert near.startswith("the two raters do not differ significantly from each other in their share of *MET*: ")
    assert "other raters" not in near + same + both
    assert "others" not in near + same + both
    level = label_rates(file_of(build_ratings, {f"h{h}": TRUTH for h in range(3)}))
    assert said.rates_reading(level, "MET", star) == "each rater says *MET* as often as the others on the same items."
    assert not any(one.level for one in rates if one.rater == "h3")
    assert said.rates_reading(label_rates(file_of(build_ratings, PEOPLE)), "MET") == (
        f"each rater says MET as often as the others on the same items; interval of the difference [−14, +14{HARD}points]."
    )
    alike = label_rates(file_of(build_ratings, PEOPLE | {"h3": flipped(TRUTH, (0,))}))
    assert said.rates_reading(alike, "MET").startswith(
        "no rater’s share of MET differs significantly from that of the others: the largest is that of "
    )
    none = label_rates(file_of(build_ratings, {"h1": "MU  ", "h2": "  MU"}))
    assert said.rates_reading(none, "MET") == "how often each rater says MET cannot be compared: no item has two labels."


def test_disagreements_in_words(build_ratings) -> None:
    found = disagreements(file_of(build_ratings, {"h1": "MMMM ", "h2": "MUUM ", "h3": "MMMUM"}))
    assert said.disagreements_reading(found, star) == (
        "the raters differ on 3 of 4 items, most often 2 × *MET* · 1 × *UNMET* (3 times). 1 item with one label only is not "
        "counted."
    )
    rows = {f"h{rater:02d}": "".join("U" if rater <= item else "M" for item in range(12)) for rater in range(13)}
    assert said.disagreements_reading(disagreements(file_of(build_ratings, rows))) == "the raters differ on 12 of 12 items."
    agreed = disagreements(file_of(build_ratings, {"h1": "MM", "h2": "MM"}))
    assert said.disagreements_reading(agreed) == "the raters agree on all 2 items."
    none = disagreements(file_of(build_ratings, {"h1": "MU  ", "h2": "  MU"}))
    assert said.disagreements_reading(none) == "no item has two labels, so disagreement is undefined."


def noisy(seed: int, errors: dict[str, float], n: int = 400) -> dict[str, str]:
    """Raters with the truth but for a share of errors, drawn."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.5
    wrong = {name: rng.random(n) < share for name, share in errors.items()}
    return {name: "".join("MU"[int(own)] for own in truth ^ wrong[name]) for name in errors}


def test_a_judge_that_passes_below_the_ceiling_is_not_called_as_good_as_a_person(build_ratings) -> None:
    people = {f"h{place}": 0.03 for place in range(4)}
    worse = file_of(build_ratings, noisy(1, people | {"j": 0.12}))
    test, ceiling = alternative_annotator(worse, "j", epsilon="experts"), human_ceiling(worse, "j", "accuracy")
    assert test.passed
    assert ceiling.difference.value < -0.05
    assert ceiling.settled
    both = told.together_reading(ceiling, test)
    assert both.startswith("the judge passes the test, and stays below the human ceiling in accuracy by ")
    assert both.endswith("It is not as good as a person.")
    text = told.alternative_reading(test)
    assert "as a human is" not in text
    assert "less than ε worse than a person" in text
    alike = file_of(build_ratings, noisy(1, people | {"j": 0.0}))
    passed, above = alternative_annotator(alike, "j", epsilon="experts"), human_ceiling(alike, "j", "accuracy")
    assert passed.passed
    assert above.difference.value > 0
    assert told.together_reading(above, passed) == ""


@pytest.mark.parametrize(("lenient", "told"), [(0.35, True), (0.0, False)])
def test_of_two_people_the_one_who_says_a_label_more_often_is_named_before_more_items_are_asked_for(
    lenient: float, told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng, rows = np.random.default_rng(2), ["item,rater,role,label"]
    for at in range(100):
        met = rng.random() < 0.5
        for who, also in (("ann", 0.0), ("bob", lenient)):
            said = bool(met ^ (rng.random() < 0.07)) or rng.random() < also
            rows.append(f"i{at},{who},human,{'yes' if said else 'no'}")
    path = tmp_path / "two.csv"
    path.write_text("\n".join(rows) + "\n")
    text = "points less often than bob ["
    assert any(text in step.text for step in metrics.overview(metrics.read(path)).next) is told
    with pytest.raises(SystemExit):
        main(["raters", str(path)])
    said_there = capsys.readouterr().out.partition("\nNext\n")[2]
    assert (text in said_there) is told
    assert "The labels do not show why" not in said_there
    assert "[+" not in said_there


def test_who_is_lenient_over_all_criteria_is_not_said_of_one_on_which_it_is_the_other_way_round(tmp_path: Path) -> None:
    rng, rows = np.random.default_rng(4), ["item,criterion,rater,role,label"]
    for at in range(90):
        for criterion, also in (("c1", {"ann": 0.0, "bob": 0.5}), ("c2", {"ann": 0.15, "bob": 0.0})):
            met = rng.random() < 0.4
            rows += [
                f"i{at},{criterion},{who},human,{'yes' if met or rng.random() < more else 'no'}" for who, more in also.items()
            ]
    path = tmp_path / "ways.csv"
    path.write_text("\n".join(rows) + "\n")
    shown = evidence(metrics.read(path)).criteria
    leans = {name: said.leaning_reading(one) for name, one in shown.items()}
    assert "less often than bob" in leans["all"]
    assert "less often than bob" in leans["c1"]
    assert leans["c2"] == ""
