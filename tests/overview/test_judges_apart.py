"""Judges that share no decision are read each on its own, and told to be not compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.overview.result import Overview

Answers = Mapping[str, Callable[[int], bool]]
EACH_ITS_OWN: Answers = {f"j{k}": lambda at, k=k: at % 3 == k for k in range(3)}
NOISE = {"j2": 0.9}
ONE_ALONE: Answers = {"j0": lambda at: at < 80, "j1": lambda at: at < 80, "j2": lambda at: at >= 80}


def overview(answers: Answers, *, numbers: bool) -> Overview:
    rng, rows = np.random.default_rng(1), []
    label = (lambda value: round(50 + 17.3 * value, 2)) if numbers else (lambda value: "MET" if value > 0 else "UNMET")
    for at in range(120):
        quality = rng.normal()
        rows.append((f"i{at}", "h", "human", label(quality)))
        rows += [
            (f"i{at}", j, "judge", label(quality + NOISE.get(j, 0.3) * rng.normal())) for j, there in answers.items() if there(at)
        ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "role", "label"])
    return metrics.overview(metrics.read(frame, **({"scale": "continuous"} if numbers else {})))


@pytest.mark.parametrize("numbers", [False, True])
def test_nobody_is_compared_where_each_judge_answered_its_own_items(numbers: bool) -> None:
    found = overview(EACH_ITS_OWN, numbers=numbers)
    assert sorted(row.relation for row in found.judges) == ["leader", "not compared", "not compared"]
    assert [row.n for row in found.judges] == [40, 40, 40]
    said = next(statement.text for statement in found.verdict if statement.kind == "leader")
    assert ("none is named the better one" if numbers else f"no other judge answered what {found.leader} answered") in said


@pytest.mark.parametrize("numbers", [False, True])
def test_a_judge_that_met_the_leader_on_nothing_is_named(numbers: bool) -> None:
    found = overview(ONE_ALONE, numbers=numbers)
    relations = {row.name: row.relation for row in found.judges}
    assert relations["j2"] == "not compared"
    assert "not compared" not in {relations["j0"], relations["j1"]}
    said = next(statement.text for statement in found.verdict if statement.kind == "leader")
    assert "j2 is not compared with it: they share no decision." in said


@pytest.mark.parametrize(("better", "told"), [(0.97, True), (0.8, False)])
def test_a_criterion_on_which_the_leader_alone_is_better_is_named_where_judges_are_tied(better: float, told: bool) -> None:
    rng, rows = np.random.default_rng(4), []
    for criterion in ("c1", "c2", "c3", "c4"):
        for at in range(150):
            met = bool(rng.random() < 0.5)
            for judge in "AB":
                right = {("c3", "A"): better, ("c3", "B"): 0.8, ("c1", "B"): 0.9}.get((criterion, judge), 0.85)
                said = met ^ bool(rng.random() > right)
                rows.append((f"i{at}", criterion, judge, "no yes".split()[met], "no yes".split()[said]))
    found = metrics.overview(metrics.read(pd.DataFrame(rows, columns=["item", "criterion", "judge", "human", "verdict"])))
    said = next(statement.text for statement in found.verdict if statement.kind == "leader")
    assert "No significant difference shows" in said
    assert ("On c3 A is right significantly more often than B." in said) is told
    assert ("Compare A and B on single criteria before you choose one." in [step.text for step in found.next]) is told


def three_judges(seed: int, *, sure: bool | None = None) -> metrics.Ratings:
    """Of 60 items; with scores that say nothing of the verdicts, or from which these follow."""
    rng = np.random.default_rng(seed)
    rows = ["item,judge,human,verdict" + (",score" if sure is not None else "")]
    for i in range(60):
        human = rng.random() < 0.5
        for j, right in enumerate((0.9, 0.78, 0.7)):
            said = int(human ^ (rng.random() > right))
            rows.append(f"i{i},j{j},{int(human)},{said}")
            if sure is not None:
                rows[-1] += f",{(said + rng.random()) / 2 if sure else rng.random():.3f}"
    return metrics.read("\n".join(rows).encode())


def test_a_p_that_other_judges_raise_says_that_they_do() -> None:
    said = metrics.overview(three_judges(2)).verdict[0].text
    assert "The interval excludes 0, the test, corrected for 3 judges, does not agree (p = 0.104)." in said


@pytest.mark.parametrize("sure", [True, False])
def test_a_score_that_says_nothing_of_the_verdict_makes_no_judge_sure(sure: bool) -> None:
    found = metrics.overview(three_judges(2, sure=sure))
    assert any(row.why.endswith("a judge is sure") for row in found.items) is sure


def of_numbers(*judges: tuple[float, float, float]) -> Overview:
    """Judges of numbers by offset, slope and noise, each about the same reference."""
    rng = np.random.default_rng(2)
    truth = rng.normal(60, 15, 150)
    answers = [60 + slope * (truth - 60) + offset + rng.normal(0, noise, 150) for offset, slope, noise in judges]
    rows = [
        (f"i{at}", f"j{k}", human, value)
        for k, said in enumerate(answers)
        for at, (human, value) in enumerate(zip(truth, said, strict=True))
    ]
    frame = pd.DataFrame(rows, columns=["item", "judge", "human", "verdict"])
    return metrics.overview(metrics.read(frame, scale="continuous"))


def said_of(found: Overview, kind: str) -> str:
    return next(statement.text for statement in found.verdict if statement.kind == kind)


def test_an_offset_of_the_judge_with_the_highest_correlation_is_held_against_others_that_have_none() -> None:
    found = of_numbers((6, 1, 5), (0, 1, 6))
    assert found.leader == "j0"
    assert "r does not see that. The mean error is nearer to 0 for j1 (" in said_of(found, "errors")
    assert "lower numbers than the reference. r does not see that. The mean error is nearer to 0 for j1 (" in said_of(
        of_numbers((-6, 1, 5), (0, 1, 6)), "errors"
    )
    assert "does not see" not in said_of(of_numbers((0, 1, 5), (0, 1, 6)), "errors")


def test_a_judge_nearer_to_the_reference_than_the_one_of_the_highest_correlation_is_named() -> None:
    found = of_numbers((0, 0.5, 2), (0, 1, 6))
    assert found.leader == "j0"
    said = said_of(found, "leader")
    assert (
        ", but by Lin’s concordance, which counts an offset and another spread too, j1 is significantly ahead of it by 0." in said
    )
    assert "j0 is significantly ahead of j1 in r." in said or "No significant difference in r shows from j1." in said
    assert "concordance" not in said_of(of_numbers((0, 1, 5), (0, 1, 6)), "leader")
    three = said_of(of_numbers((10, 1, 5), (0, 1, 5.5), (0, 1, 15)), "leader")
    assert "j1 is significantly ahead of it by" in three
    assert "j0 is significantly ahead of j2 in r, by intervals" in three, (
        "who is ahead of whom is named where two are talked about"
    )


def test_a_judge_that_uses_less_of_the_scale_is_told_to() -> None:
    assert "j0 uses less of the scale: the numbers spread 0." in said_of(of_numbers((0, 0.5, 3)), "errors")
    assert "uses less" not in said_of(of_numbers((0, 1, 3)), "errors")


@pytest.mark.parametrize(("slope", "noise", "told"), [(1.0, 2.0, False), (0.3, 0.7, True)])
def test_less_of_the_scale_is_no_habit_where_a_criterion_has_more(slope: float, noise: float, told: bool) -> None:
    rng = np.random.default_rng(0)
    rows = [
        (f"i{at}", criterion, human, 5 + slopes * (human - 5) + rng.normal(0, noises))
        for criterion, slopes, noises in (("a", 0.3, 0.7), ("b", 0.3, 0.7), ("c", slope, noise))
        for at, human in enumerate(rng.normal(5, 2, 80))
    ]
    frame = pd.DataFrame(rows, columns=["item", "criterion", "human", "verdict"])
    found = metrics.overview(metrics.read(frame, scale="continuous"))
    assert ("uses less of the scale" in said_of(found, "errors")) is told
