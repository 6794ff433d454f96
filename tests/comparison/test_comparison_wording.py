"""What is said of a comparison where its interval and its tests do not say the same, and of very few items."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import metrics
from metrics.analyses.comparison.compute import compare, compare_all
from metrics.analyses.comparison.result import Comparison
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from metrics.results.words import several

LABELS = np.array(["MET", "UNMET"])


def ratings(human: list[int], **judges: list[int]) -> metrics.Ratings:
    """One criterion; 0 is MET."""
    rows = [
        {"item": i, "judge": name, "human": LABELS[human[i]], "verdict": LABELS[said]}
        for name, own in judges.items()
        for i, said in enumerate(own)
    ]
    return metrics.read(pd.DataFrame(rows), labels={"MET": "positive", "UNMET": "negative"})


def random_pair(n: int = 60, seed: int = 3) -> Comparison:
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 2, n)
    sides = {name: (human ^ (rng.random(n) < rate)).tolist() for name, rate in (("a", 0.3), ("b", 0.15))}
    return compare(ratings(human.tolist(), **sides), "a", "b", replicates=200)


def told(one: Comparison, ends: tuple[float, float] | None, p: float, difference: float = 0.3) -> Comparison:
    """The comparison with another outcome."""
    interval = None if ends is None else Interval(*ends, "paired jackknife")
    why = "" if ends else "the difference is undefined when one item is left out"
    return replace(
        one, difference=Estimate(difference, interval, why), permutation=replace(one.permutation, p=p)
    )  # fmt: skip


def test_without_an_interval_the_reading_says_why_and_what_the_test_says() -> None:
    reading = told(random_pair(), None, 0.0001).reading
    assert reading == (
        "on 60 shared items b minus a is 0.30 in κ. There is no interval (the difference is undefined when one item is left "
        "out); the permutation test alone says p < 0.001."
    )


def test_one_or_two_items_have_a_reason() -> None:
    for n in (1, 2):
        one = compare(ratings([0, 1][:n], a=[1, 0][:n], b=[0, 1][:n]), "a", "b", "accuracy")
        assert one.difference.ends is not None or f"no interval ({one.no_interval})" in one.reading
        assert "beats" not in one.reading
        assert one.difference.ends is None or one.difference.interval.note


def test_a_test_that_rejects_beside_an_interval_that_holds_zero_is_named() -> None:
    reading = told(random_pair(), (-0.05, 0.76), 0.031).reading
    assert "there is no significant difference in κ: b minus a is 0.30 [−0.05, 0.76] (p = 0.031)" in reading
    assert "The permutation test rejects, but the interval includes 0" in reading
    assert "disagree" in reading


def test_mcnemar_is_about_accuracy_and_may_disagree_with_the_permutation_test() -> None:
    one = random_pair()
    assert one.mcnemar is not None
    assert "McNemar exact (accuracy) p" in one.summary()
    apart = replace(one, mcnemar=replace(one.mcnemar, p=0.2), permutation=replace(one.permutation, p=0.01))
    assert apart.notes[-1].endswith("disagree: the first is about accuracy, the second about κ.")
    same = replace(apart, permutation=replace(one.permutation, p=0.3))
    assert not any("McNemar" in note for note in (*same.notes, *replace(apart, metric="accuracy").notes))


@pytest.mark.parametrize(
    ("human", "a", "b", "metric", "why"),
    [
        ([0, 1] * 6, [1, 0] * 6, [0, 1] * 6, "accuracy", "leaving out one item never changes the difference"),
        (
            [0] * 11 + [1],
            [1] * 3 + [0] * 8 + [1],
            [1] * 6 + [0] * 5 + [1],
            "balanced_accuracy",
            "undefined when one item is left out",
        ),
    ],
)
def test_where_the_jackknife_has_no_answer_the_judges_own_intervals_give_one(human, a, b, metric, why) -> None:
    one = compare(ratings(human, a=a, b=b), "a", "b", metric)
    assert one.difference.interval is not None
    assert one.difference.interval.method == "mover"
    assert why in one.difference.interval.note
    (al, au), (bl, bu) = one.a.estimate.interval.ends, one.b.estimate.interval.ends
    low = one.difference.value - ((one.b.estimate.value - bl) ** 2 + (au - one.a.estimate.value) ** 2) ** 0.5
    high = one.difference.value + ((bu - one.b.estimate.value) ** 2 + (one.a.estimate.value - al) ** 2) ** 0.5
    assert one.difference.ends == pytest.approx((max(low, -1.0), min(high, 1.0)))
    assert one.difference.ends[0] < one.difference.ends[1]
    assert one.to_frame()["interval"].tolist() == ["mover"]
    assert "MOVER)" in one.summary()
    assert np.isnan(one.error)
    assert one.needed.n is None


@pytest.mark.parametrize(
    ("difference", "error", "reason"),
    [
        (0.0, 0.05, "the difference is 0"),
        (0.001, 0.05, "the difference is within a tenth of a standard error of 0"),
        (0.2, np.nan, "there is no standard error"),
    ],
)
def test_where_no_number_of_items_can_be_named_the_reading_says_why(difference: float, error: float, reason: str) -> None:
    one = replace(told(random_pair(), (-0.1, 0.5), 0.4, difference), error=error)
    assert "no significant difference" in one.reading
    assert "No number of items can be named: " in one.reading
    assert reason in one.reading


def test_small_cells_of_a_side_are_told() -> None:
    human = [0, 1] * 10
    data = ratings(human, a=[1, *human[1:]], b=[1, 0, 0, *human[3:]])
    one = compare(data, "a", "b")
    note = one.b.estimate.interval.note
    assert note.startswith("small cell")
    assert one.to_dict()["b"]["interval_note"] == note
    assert f"({note})" in one.summary()
    everyone = compare_all(data, "a")
    assert everyone.to_frame()["interval_note_b"].tolist() == [note]
    assert everyone.to_dict()["judges"][0]["interval_note_b"] == note
    assert f"own value: {note}" in everyone.summary()


def test_against_the_best_the_intervals_are_said_not_to_be_adjusted() -> None:
    data = ratings([0, 1] * 10, a=[1, 0] + [0, 1] * 9, b=[0, 0] + [0, 1] * 9, c=[1, 1] + [0, 1] * 9)
    said = "the intervals are not adjusted for the number of comparisons"
    assert said in compare_all(data).reading
    assert said in compare_all(data, "a").reading
    assert compare_all(data, "a").summary().count(said) == compare_all(data).summary().count(said) == 1
    assert "p is corrected for that choice" in compare_all(data).reading
    assert "Holm" not in compare_all(data).reading
    assert "with Holm’s correction for 2 comparisons" in compare_all(data, "a").reading


def test_one_item_is_not_called_items_and_a_sentence_starts_with_a_capital() -> None:
    single = compare(ratings([0], a=[1], b=[0]), "a", "b", "accuracy")
    assert single.reading.startswith("on 1 shared item b minus a is")
    assert "all swaps of 1 item that differs" in single.summary()
    assert compare_all(ratings([0, 1], a=[1, 0], b=[0, 1]), "a", "accuracy").reading.startswith(
        "0 of 1 judge differs significantly from a"
    )
    level = told(random_pair(), (-0.1, 0.1), 1.0, 0.0).reading
    assert "there is no significant difference in κ: b minus a is 0.00 [−0.10, 0.10]" in level
    assert (several(1, "groups by ‘prompts’"), several(2, "items")) == ("1 group by ‘prompts’", "2 items")


def _on_two(better: dict[str, tuple[int, int]], n: int = 60) -> metrics.Ratings:
    """Judges A and B that are wrong on so many items of each criterion, on different ones."""
    rows = ["item,criterion,judge,human,verdict"]
    for name, wrong in better.items():
        for judge, start, errors in (("A", 0, wrong[0]), ("B", wrong[0], wrong[1])):
            for item in range(n):
                human = "MET" if item % 2 else "UNMET"
                other = "UNMET" if item % 2 else "MET"
                rows.append(f"i{item},{name},{judge},{human},{other if start <= item < start + errors else human}")
    return metrics.read("\n".join(rows).encode())


def test_criteria_that_point_both_ways_are_told_beside_no_difference() -> None:
    one = compare(_on_two({"c1": (5, 25), "c2": (28, 7)}), "A", "B", replicates=200)
    assert "no significant difference" in one.reading
    shares = "c1 (92\u00a0% against 58\u00a0%), B on c2 (88\u00a0% against 53\u00a0%)"
    told = f"The criteria differ: A is right significantly more often on {shares}, Holm’s correction for 2 criteria."
    assert told in one.notes
    first, second = one.to_dict()["criteria"]
    assert (first["right_a"], first["right_b"], first["n"]) == (55, 35, 60)
    assert first["p"] == pytest.approx(2 * binomtest(5, 30).pvalue)
    assert second["p"] < 0.05
    for better in ({"c1": (5, 25), "c2": (5, 25)}, {"c1": (9, 12), "c2": (12, 9)}):
        other = compare(_on_two(better), "A", "B", replicates=200)
        assert not any("The criteria differ" in note for note in other.notes)
    assert compare(_on_two({"c1": (5, 25)}), "A", "B", replicates=200).on_criteria == ()


def test_items_that_are_there_already_would_not_find_the_difference() -> None:
    found = told(random_pair(), (0.1, 0.5), 0.06, 0.3)
    enough = replace(found, error=0.1)
    assert enough.needed.n is not None
    assert enough.needed.n <= enough.n_units
    assert "Detecting it would take" not in enough.reading
    few = replace(told(random_pair(), (-0.1, 0.7), 0.2, 0.3), error=0.2)
    assert few.needed.n is not None
    assert few.needed.n > few.n_units
    assert "Detecting it would take" in few.reading


def test_what_is_left_open_is_told_only_where_a_judge_leaves_it_open() -> None:
    """Ties of the reference are open to both judges alike, so there is nothing to add."""
    human, silent = ["A", "B"] * 12 + ["tie"] * 6, ["A", "B"] * 9 + ["A"] * 6
    rows = [
        f"i{i},c,{j},{h},{v}"
        for j, own in (("a", ["A"] * 30), ("b", [*silent, *["B"] * 6]))
        for i, (h, v) in enumerate(zip(human, own, strict=True))
    ]
    labels = {"A": "positive", "B": "negative", "tie": "tie"}
    said = lambda text: compare(metrics.read(text.encode(), labels=labels), "a", "b", replicates=50).summary()  # noqa: E731
    text = "\n".join(["item,criterion,judge,human,verdict", *rows])
    assert "only one of them answered" not in said(text).split("the comparison rests on")[1]
    assert "from decisions that only one of them answered" in said(text.replace("i3,c,b,B,B", "i3,c,b,B,tie"))


def test_coverage_is_not_said_of_answers_without_a_verdict() -> None:
    """b leaves 3 of 12 open; as a class of their own, and as negative, they count, and the share is not coverage."""
    rows = [
        f"i{i},c,{who},{'MET' if i % 2 else 'UNMET'},{'CANNOT_ASSESS' if who == 'b' and i < 3 else 'MET'}"
        for i in range(12)
        for who in "ab"
    ]
    data = metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows]).encode())
    for mode in ("as_category", "as_unmet"):
        text = compare(data, "a", "b", "accuracy", abstention=mode, replicates=20).summary()
        assert text.count("n = 12, 100\u00a0% count, with a verdict or without") == 2
        assert "coverage" not in text
    text = compare(data, "a", "b", "accuracy", replicates=20).summary()
    assert "n = 9, coverage 75\u00a0%" in text
    assert "with a verdict or without" not in text


def test_one_judge_ahead_on_single_criteria_is_told_where_nothing_is_over_all() -> None:
    errors = {f"c{place}": (10, 13) for place in range(8)} | {"rare": (22, 2)}
    ratings = _on_two(errors)
    found = compare(ratings, "A", "B", replicates=200)
    assert found.winner is None
    (note,) = [note for note in found.notes if "On single criteria" in note]
    assert note.startswith("On single criteria B is right significantly more often: on rare (97\u00a0% against 63\u00a0%)")
    assert note.endswith("Holm’s correction for 9 criteria.")
    overview = metrics.overview(ratings)
    assert "On rare B is right significantly more often." in overview.summary().replace("\n    ", " ")
    assert "Compare A and B on single criteria before you choose one." in [step.text for step in overview.next]
    ahead = compare(_on_two({"c1": (5, 25), "c2": (5, 25)}), "A", "B", replicates=200)
    assert ahead.winner == "A"
    assert not any("On single criteria" in note for note in ahead.notes)


def test_readings_that_are_none_significant_do_not_disagree() -> None:
    found = compare(_on_two({"c1": (9, 12), "c2": (12, 9)}), "A", "B", replicates=200)
    assert not found.disagree
    assert "no significant difference" in found.reading
    assert any(note.startswith("B minus A in κ: micro") for note in found.notes)
