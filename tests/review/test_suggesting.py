"""The advice on one criterion: people first, the judge after them, and nothing on the wording that the labels do not show."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.raters.advice import next_step
from metrics.analyses.raters.ceiling import human_ceiling
from metrics.analyses.raters.evidence import evidence
from metrics.analyses.review.compute import Reviewed, review_criteria
from metrics.analyses.review.readings import drift_words
from metrics.analyses.review.suggesting import Suggestion, often_silent, suggestion
from metrics.analyses.settings import Settings
from metrics.data.ratings import Ratings
from tests.raters.test_scales_apart import people_and_judge
from tests.review.made import cells, read


def drawn(
    n: int, share: float, slips: float, errors: tuple[float, float], *, people: int = 3, silent: float = 0.0, seed: int = 0
) -> Ratings:
    """Items whose people slip at a rate, and a judge with its two error rates."""
    rng, rows = np.random.default_rng(seed), []
    for i in range(n):
        met = rng.random() < share
        common = {"item": f"i{i}", "criterion": "tone"}
        for name in "abc"[:people]:
            label = "MET" if met ^ (rng.random() < slips) else "UNMET"
            label = "CANNOT_ASSESS" if rng.random() < silent else label
            rows.append(common | {"rater": name, "role": "human", "label": label})
        label = "MET" if met ^ (rng.random() < errors[0 if met else 1]) else "UNMET"
        rows.append(common | {"rater": "bot", "role": "judge", "label": label})
    return metrics.read(pd.DataFrame(rows))


def reviewed(ratings: Ratings) -> Reviewed:
    many = sum(rater.role == "human" for rater in ratings.raters) > 1
    humans = metrics.raters(ratings, role="human").criteria if many else {}
    return review_criteria(ratings, ratings.judges[0], Settings(), humans)[0]


def said(ratings: Ratings) -> Suggestion:
    found = suggestion(reviewed(ratings))
    return Suggestion(found.action, found.text.replace("\u00a0", " "))


def test_one_person_an_item_says_nothing_of_the_wording() -> None:
    found = said(read({"tone": cells([[40, 30], [1, 40]])}))
    assert (found.action, found.text[:40]) == ("", "No item has labels of two people, so the")
    assert found.text.endswith(
        "Have a second person label 50 items first: an agreement of 90 % then has an interval some 18 points wide."
    )
    assert "The judge is strict" in found.text
    assert "strict" not in said(read({"tone": cells([[175, 25], [5, 35]])})).text
    assert said(read({"tone": cells([[9, 1], [1, 9]])})).text.endswith("label 20 items first.")
    table = said(metrics.read("assets/rao_balanced.csv"))
    assert table.text.startswith("A table of counts does not show how far people agree")


def test_labels_turned_round_are_asked_about_before_a_second_person() -> None:
    turned = said(read({"tone": cells([[8, 20], [28, 4]])})).text
    assert turned.startswith("bot: κ −0.58 [")
    assert turned.endswith(
        "is below chance. Does one side use the two labels the other way round? Find that out before anything else."
    )
    near = said(read({"tone": cells([[13, 17], [16, 14]])})).text
    assert "other way round" not in near
    assert "Have a second person label 50 items first: an agreement of 90 %" in near


def test_a_scale_turned_round_is_asked_about_too() -> None:
    pairs = [(str(k), str(6 - k)) for k in range(1, 6) for _ in range(6)] + [("3", "2"), ("4", "3")]
    turned = said(read({"tone": pairs}, scale="ordinal")).text
    assert "Does one side use the scale the other way round?" in turned
    same = [(human, human) for human, _ in pairs]
    assert "other way round" not in said(read({"tone": same}, scale="ordinal")).text


def test_a_second_person_is_not_asked_for_where_the_items_are_too_few_or_of_one_label() -> None:
    few = said(read({"tone": cells([[3, 1], [0, 2]])})).text
    assert few == "6 items with labels of both sides say nothing of the wording. Have two people label 50 items first."
    one = said(read({"tone": cells([[1, 0], [0, 0]])})).text
    assert one == "The reference says MET on the one item: add items that should get another label."
    assert said(read({"tone": cells([[30, 8], [0, 0]])})).text.startswith("The reference says MET on all 38 items: add items")
    both = said(read({"tone": cells([[30, 8], [0, 10]])})).text
    assert "second person" in both


def test_a_rare_label_asks_for_items_and_not_for_another_wording() -> None:
    found = said(drawn(60, 0.08, 0.0, (0.1, 0.1)))
    assert (found.action, found.text[:30]) == ("", "The reference says MET on only")
    assert "add items that should get MET" in found.text
    found = said(drawn(800, 0.02, 0.02, (0.02, 0.02)))
    assert found.action == ""
    assert "Add items that should get MET before you change the rubric" in found.text
    assert "harpen" not in found.text


def test_people_below_the_floor_are_told_what_their_own_page_says() -> None:
    ratings = drawn(200, 0.5, 0.45, (0.1, 0.1))
    own = reviewed(ratings)
    gate = own.humans.gate  # type: ignore[union-attr]
    step = next_step(evidence(ratings, role="human").criteria["tone"], gate.verdict, gate.needed.n, rare=gate.rare)
    found = suggestion(own)
    assert found.action == "sharpen"
    assert found.text.endswith(step)
    assert "is below the floor of 0.667." in found.text


def test_people_across_the_floor_need_more_labels() -> None:
    found = said(drawn(25, 0.5, 0.08, (0.1, 0.1)))
    assert found.action == ""
    assert "is not significantly above or below the floor of 0.667. Label more items before you change anything." in found.text


def test_people_who_often_give_no_verdict_need_a_rule_for_it() -> None:
    found = said(drawn(200, 0.5, 0.4, (0.1, 0.1), silent=0.5))
    assert found.action == "sharpen"
    assert found.text.startswith("People give no verdict in 46 % of labels")
    assert "no verdict" not in said(drawn(200, 0.5, 0.03, (0.03, 0.03), silent=0.3)).text


def test_a_judge_as_good_as_people_keeps_the_wording() -> None:
    found = said(drawn(200, 0.5, 0.03, (0.03, 0.03), seed=3))
    assert found.action == "keep"
    assert "above the floor of 0.667: keep the wording." in found.text


@pytest.mark.parametrize(("errors", "word"), [((0.35, 0.03), "strict"), ((0.03, 0.35), "lenient")])
def test_a_judge_below_people_is_changed_and_not_the_wording(errors: tuple[float, float], word: str) -> None:
    found = said(drawn(200, 0.5, 0.03, errors))
    assert found.action == "judge"
    assert "change the judge or its prompt, not the wording." in found.text
    assert re.search(r"κ of the judge lies 0\.\d\d \[.*\] below that of a person against the others: change", found.text)
    assert f"The judge is {word}" in found.text


def test_who_agree_may_be_wrong_together_until_somebody_read_what_they_differ_on() -> None:
    own = reviewed(drawn(200, 0.5, 0.03, (0.35, 0.03)))
    unread = "Read the disagreements first: no number shows whether the judge or the people are wrong there."
    assert suggestion(own).text.endswith(unread)
    assert suggestion(own, {"judge": 9}).text.endswith(unread)
    assert unread not in suggestion(own, {"judge": 10}).text
    assert suggestion(own, {"judge": 10}).action == "judge"


def graded(far: float, *, order: tuple[str, ...] | None) -> Ratings:
    """Four grades by three people who hardly slip, and a judge that is far off at a rate."""
    rng, rows = np.random.default_rng(5), []
    for i in range(200):
        grade = int(rng.integers(1, 5))
        for name in "abc":
            rows.append({"item": f"i{i}", "rater": name, "role": "human", "label": f"g{grade if rng.random() < 0.97 else 3}"})
        rows.append({"item": f"i{i}", "rater": "bot", "role": "judge", "label": f"g{grade if rng.random() > far else 5 - grade}"})
    return metrics.read(pd.DataFrame(rows), scale="nominal" if order is None else None, order=order)


def test_of_ordered_labels_the_judge_and_people_are_measured_by_the_number_of_their_scale() -> None:
    ratings = graded(0.4, order=("g1", "g2", "g3", "g4"))
    found, ceiling = said(ratings), human_ceiling(ratings, "bot")
    assert ceiling.metric == "weighted_kappa_quadratic"
    assert f"and κ quadratic of the judge lies {-ceiling.difference.value:.2f}" in found.text
    found, ceiling = said(graded(0.4, order=None)), human_ceiling(graded(0.4, order=None), "bot", "kappa")
    assert f"and κ of the judge lies {-ceiling.difference.value:.2f}" in found.text


def test_a_bias_that_prevalence_makes_is_not_called_strict() -> None:
    found = said(drawn(300, 0.83, 0.02, (0.125, 0.125)))
    assert "Label-rate bias: the judge says MET less often than the reference" in found.text
    assert "prevalence alone can make the bias" in found.text
    assert "strict" not in found.text


def test_where_nothing_is_shown_nothing_is_advised() -> None:
    found = said(drawn(60, 0.5, 0.02, (0.15, 0.15)))
    assert found.action == ""
    assert "nothing is decided. Read the disagreements first." in found.text


def test_a_judge_that_never_gives_a_verdict_is_no_matter_of_labels() -> None:
    human = [str(label) for label in ("MET", "UNMET") for _ in range(20)]
    never = said(read({"tone": [(label, "CANNOT_ASSESS") for label in human]}))
    assert never.action == ""
    assert never.text.startswith("The judge gives no verdict on all 40 decisions. Find out why before")
    once = said(read({"tone": [("MET", "MET"), *[(label, "CANNOT_ASSESS") for label in human]]}))
    assert "The judge gives no verdict" not in once.text


def test_the_largest_drift_of_several_labels_is_that_of_the_sample() -> None:
    pairs = [(label, judge) for label, judge in zip("aabbcc" * 5, "abbbcc" * 5, strict=True)]
    three = read({"tone": pairs}, labels=dict.fromkeys("abc", "class"))
    assert "the largest of all labels in this sample (not tested)" in drift_words(reviewed(three))
    assert "tested" not in drift_words(reviewed(read({"tone": cells([[30, 10], [2, 30]])})))


def test_two_labels_that_are_both_rare_are_asked_for_at_once() -> None:
    found = said(drawn(15, 0.5, 0.0, (0.1, 0.1), seed=2))
    n_met = int(found.text.split("MET on only ")[1].split()[0]) if "MET on only" in found.text else 0
    assert 0 < n_met < 10
    assert "UNMET on only" in found.text
    assert "add items that should get MET or UNMET, to 10 or more of each." in found.text


def test_a_reference_is_not_blamed_for_the_silence_of_the_judge() -> None:
    rows = [
        {"item": i, "rater": who, "role": "judge" if who == "bot" else "human", "label": label}
        for i in range(200)
        for who, label in (("ana", "MET" if i < 100 else "UNMET"), ("bot", "CANNOT_ASSESS" if i < 100 else "UNMET"))
    ]
    found = said(metrics.read(pd.DataFrame(rows)))
    assert found.text.startswith("Where both answer, the reference says UNMET on all 100 items; where it gives another label")
    assert "add items" not in found.text


def test_a_judge_that_is_kept_is_said_to_be_below_people_where_it_is() -> None:
    ratings = drawn(800, 0.5, 0.01, (0.06, 0.06), seed=5)
    ceiling = human_ceiling(ratings, "bot")
    assert ceiling is not None
    assert ceiling.settled
    found = said(ratings)
    assert found.action == "keep"
    assert re.search(r"\. κ of the judge lies 0\.\d\d \[.*\] below that of a person against the others\.$", found.text)


def test_people_on_two_scales_are_asked_and_no_wording_is_sharpened() -> None:
    found = said(metrics.read(people_and_judge("two"), scale="ordinal"))
    assert found.action == ""
    assert "Check first whether all use one scale: the numbers of ann go from" in found.text


def test_codes_of_readers_come_before_a_suggestion_to_change_the_judge() -> None:
    review = reviewed(drawn(200, 0.5, 0.02, (0.35, 0.35)))
    assert suggestion(review).action == "judge"
    for codes, action, text in (
        ({"judge": 40}, "judge", "not the wording"),
        ({"judge": 5, "rubric": 25}, "sharpen", "25 are put down to an unclear rubric: sharpen the wording first."),
        ({"judge": 5, "human": 25}, "relabel", "25 are put down to people: correct their labels first."),
        ({"judge": 14, "human": 18}, "", "only 14 are put down to the judge: settle the others before the judge is changed."),
        ({"human": 9}, "judge", "not the wording"),
    ):
        found = suggestion(review, codes)
        assert found.action == action
        assert text in found.text.replace("\u00a0", " ")


def answering(error: float, silent: float, n: int = 200) -> Ratings:
    """Two people who agree, and a judge that errs and is silent at a rate."""
    rng, rows = np.random.default_rng(2), []
    for i in range(n):
        true = rng.random() < 0.5
        rows += [(f"i{i}", name, "human", "yes" if true ^ (rng.random() < 0.02) else "no") for name in "ab"]
        label = "yes" if true ^ (rng.random() < error) else "no"
        rows.append((f"i{i}", "bot", "judge", "CANNOT_ASSESS" if rng.random() < silent else label))
    return metrics.read(pd.DataFrame(rows, columns=["item", "rater", "role", "label"]))


def test_a_judge_that_often_gives_no_verdict_is_asked_why_before_anything_is_kept() -> None:
    assert said(answering(0.02, 0.0)).action == "keep"
    found = said(answering(0.02, 0.5))
    assert found.action == ""
    assert found.text.startswith("The judge gives no verdict on ")
    assert "Find out why" in found.text


def test_items_to_label_are_all_of_them_where_the_judge_answers_few() -> None:
    few = said(answering(0.11, 0.12, n=80)).text
    assert "items, of which both answer 8" in few
    assert "would say whether it reaches" in few


def shifted(by: int) -> Ratings:
    rng, rows = np.random.default_rng(7), []
    for i in range(150):
        true = int(rng.integers(1, 6))
        for name in "ab":
            rows.append((f"i{i}", name, "human", int(np.clip(true + (rng.random() < 0.05), 1, 5))))
        rows.append((f"i{i}", "bot", "judge", int(np.clip(true + by * (rng.random() < 0.9), 1, 5))))
    return metrics.read(pd.DataFrame(rows, columns=["item", "rater", "role", "label"]), scale="ordinal")


def test_a_judge_a_step_too_high_is_to_be_changed_whatever_its_weighted_kappa() -> None:
    found = said(shifted(1))
    assert found.action == "judge"
    assert "It rates higher by half a step or more." in found.text
    assert said(shifted(0)).action == "keep"


def test_ties_of_a_judge_are_answers() -> None:
    coverage = reviewed(answering(0.02, 0.5)).coverage
    assert coverage is not None
    assert often_silent(coverage, 0.95) == coverage.judge_abstention_rate
    tied = replace(coverage, tie_rate={"human": 0.0, "judge": coverage.judge_abstention_rate})
    assert often_silent(tied, 0.95) == 0.0
