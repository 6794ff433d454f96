"""A judge held against people by a stated margin: the end that decides, by simulation, and the words."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import metrics
from metrics.analyses.raters.ceiling import LEAST_P, Ceiling, held_to_people, human_ceiling, p_worse
from metrics.analyses.raters.readings_ceiling import margin_reading
from metrics.commands.cli import commands
from metrics.errors import InputError


def ceiling(n: int, humans: int, human_errors: float, judge_errors: float, seed: int) -> Ceiling:
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.5
    lines = ["item,rater,role,label"]
    for name, role, errors in (*((f"h{h}", "human", human_errors) for h in range(humans)), ("j", "judge", judge_errors)):
        said = truth ^ (rng.random(n) < errors)
        lines += [f"{i},{name},{role},{'yes' if one else 'no'}" for i, one in enumerate(said)]
    return human_ceiling(metrics.read("\n".join(lines).encode()), "j", "accuracy")


@pytest.mark.slow("simulates")
def test_a_judge_on_the_margin_is_seldom_called_non_inferior() -> None:
    margin = -ceiling(20_000, 3, 0.05, 0.15, 1).difference.value
    assert margin == pytest.approx(0.1, abs=0.01)
    readings = [margin_reading(ceiling(60, 3, 0.05, 0.15, seed), margin) for seed in range(150)]
    assert sum("non-inferior" in text for text in readings) <= 0.025 * 150 + 3 * (0.025 * 0.975 * 150) ** 0.5


def test_every_verdict_is_said() -> None:
    good, bad = ceiling(400, 4, 0.1, 0.1, 2), ceiling(400, 4, 0.05, 0.4, 3)
    assert "j is non-inferior to a human by the margin of 10" in margin_reading(good, 0.1)
    assert "is undecided: it may be" in margin_reading(good, 0.001)
    assert "j is inferior to a human" in margin_reading(bad, 0.1)
    assert "by less than that" in margin_reading(bad, 0.6)


def test_two_humans_are_too_few() -> None:
    assert "takes 3 humans; 2 count here" in margin_reading(ceiling(100, 2, 0.1, 0.1, 4), 0.1)


def test_a_margin_that_says_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="margin must lie above 0"):
        margin_reading(ceiling(100, 3, 0.1, 0.1, 5), 0.0)


def labels(humans: int, human_errors: float, judges: dict[str, float], seed: int = 6, n: int = 300) -> bytes:
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.5
    lines = ["item,rater,role,label"]
    for name, role, errors in (
        *((f"h{h}", "human", human_errors) for h in range(humans)), *((name, "judge", errors) for name, errors in judges.items()),
    ):  # fmt: skip
        said = truth ^ (rng.random(n) < errors)
        lines += [f"{i},{name},{role},{'yes' if one else 'no'}" for i, one in enumerate(said)]
    return "\n".join(lines).encode()


def test_the_report_on_raters_holds_every_judge_to_a_margin_as_the_ceiling_does() -> None:
    ratings = metrics.read(labels(4, 0.08, {"good": 0.08, "bad": 0.4}))
    report = metrics.raters(ratings, margin=0.2)
    assert [one.ceiling.judge for one in report.margins] == ["good", "bad"]
    for one in report.margins:
        alone = human_ceiling(ratings, one.ceiling.judge)
        assert one.ceiling.to_dict() == alone.to_dict()
        assert replace(one.held, p=math.nan) == held_to_people(alone, 0.2)
        assert margin_reading(alone, 0.2) in report.summary().replace("\n  ", " ")
    assert [one.held.holds for one in report.margins] == [True, False]
    assert [one["margin"]["verdict"] for one in report.to_dict()["margins"]] == ["non-inferior", "inferior"]
    assert metrics.raters(ratings).margins == ()
    assert "margins" not in metrics.raters(ratings).to_dict()
    assert type(report).from_json(report.to_json()).to_dict() == report.to_dict()


def test_many_judges_are_held_to_the_margin_with_holms_correction() -> None:
    ratings = metrics.read(labels(4, 0.08, {"close": 0.11, "good": 0.08, "bad": 0.4}))
    (close, good, _) = metrics.raters(ratings, margin=0.2).margins
    margin = -close.ceiling.difference.ends[0] + 0.002
    report = metrics.raters(ratings, margin=margin)
    close, good, bad = report.margins
    p = [one.held.p for one in report.margins]
    assert p[2] == 0.5
    assert [one.p_holm for one in report.margins] == pytest.approx([2 * p[0], 3 * p[1], 1 * p[2]])
    assert (close.held.holds, close.non_inferior, good.non_inferior, bad.non_inferior) == (True, False, True, False)
    text = "3 judges are held to the margin, Holm’s correction for 3 judges: good is non-inferior to a human."
    assert text in report.summary().replace("\n  ", " ")
    assert [one["margin"]["p_holm"] for one in report.to_dict()["margins"]] == pytest.approx(
        [one.p_holm for one in report.margins]
    )
    alone = metrics.raters(metrics.read(labels(4, 0.08, {"good": 0.08})), margin=0.2)
    assert "Holm" not in alone.summary()
    two = metrics.raters(metrics.read(labels(2, 0.08, {"good": 0.08, "bad": 0.1})), margin=0.2)
    assert "Holm" not in two.summary()
    assert not any(one.non_inferior for one in two.margins)


@pytest.mark.parametrize("margin", [0.05, 0.1, 0.15, 0.3])
def test_the_p_of_a_margin_is_where_the_lower_end_meets_it(margin: float) -> None:
    ratings = metrics.read(labels(4, 0.08, {"good": 0.1}))
    made = human_ceiling(ratings, "good")
    p = p_worse(ratings, made, margin)
    assert held_to_people(made, margin).holds is (p <= 0.025)
    if 1.01 * LEAST_P < p < 0.49:
        low, _ = human_ceiling(ratings, "good", confidence=1 - 2 * p).difference.ends
        assert low == pytest.approx(-margin, abs=1e-3)


@pytest.mark.parametrize(
    ("humans", "low", "verdict"), [(4, -0.05, "non-inferior"), (4, -0.15, "undecided"), (2, -0.05, "undecided")]
)
def test_the_lower_end_against_the_margin_decides_and_two_humans_decide_nothing(humans: int, low: float, verdict: str) -> None:
    made = ceiling(100, humans, 0.1, 0.1, 4)
    difference = replace(made.difference, interval=replace(made.difference.interval, low=low, high=0.02))
    held = held_to_people(replace(made, difference=difference), 0.1)
    assert (held.verdict, held.worst) == (verdict, -low)
    assert bool(held.why) is (humans < 3)


@pytest.mark.parametrize(
    ("content", "how"),
    [(labels(3, 0.1, {}), {}), (labels(3, 0.1, {"a": 0.1, "b": 0.1}), {"role": "judge"})],
)
def test_a_margin_without_both_sides_is_refused(content: bytes, how: dict[str, str]) -> None:
    with pytest.raises(InputError, match="a margin holds judges against humans"):
        metrics.raters(metrics.read(content), margin=0.1, **how)


@pytest.mark.parametrize(("margin", "code", "said"), [("0.25", 0, "non-inferior to a human"), ("0.001", 1, "undecided")])
def test_the_command_says_it_and_exits_by_it(tmp_path: Path, margin: str, code: int, said: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(labels(4, 0.08, {"good": 0.08}))
    found = CliRunner().invoke(commands, ["raters", str(path), "--margin", margin], standalone_mode=False)
    assert found.return_value == code
    assert said in found.output
    as_json = CliRunner().invoke(commands, ["raters", str(path), "--margin", margin, "--json"], standalone_mode=False)
    assert json.loads(as_json.output)["margins"][0]["margin"]["holds"] is (code == 0)


def with_a_careless_human(errors: float, judge: float) -> metrics.Ratings:
    """Two careful humans, a third with errors of its own, and a judge."""
    rng = np.random.default_rng(11)
    truth = rng.random(200) < 0.5
    lines = ["item,rater,role,label"]
    people = (("ann", "human", 0.05), ("bob", "human", 0.05), ("cat", "human", errors), ("gpt", "judge", judge))
    for name, role, wrong in people:
        said = truth ^ (rng.random(200) < wrong)
        lines += [f"{i},{name},{role},{'yes' if one else 'no'}" for i, one in enumerate(said)]
    return metrics.read("\n".join(lines).encode())


def test_no_margin_is_held_to_humans_one_of_whom_differs_from_the_others(tmp_path: Path) -> None:
    ratings = with_a_careless_human(0.5, 0.15)
    report = metrics.raters(ratings, margin=0.1)
    (one,) = report.margins
    assert one.ceiling.difference.low is not None
    assert one.ceiling.difference.low > -0.1
    assert one.ceiling.apart == ("cat",)
    assert one.held.verdict == "undecided"
    assert (
        "Whether gpt is as good as a human within 0.1 is undecided: cat differs from the other humans, so the mean over humans "
        "is no measure of a human." in report.summary().replace("\n  ", " ")
    )
    (alike,) = metrics.raters(with_a_careless_human(0.05, 0.01), margin=0.1).margins
    assert alike.ceiling.apart == ()
    assert alike.held.holds


def test_a_judge_worse_even_than_careless_people_is_called_inferior() -> None:
    (one,) = metrics.raters(with_a_careless_human(0.5, 0.6), margin=0.1).margins
    assert one.ceiling.apart
    assert one.held.verdict == "inferior"
