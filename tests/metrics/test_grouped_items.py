"""Items that come several from one conversation: how much wider an interval must be, and when a reader is told."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.grouped_items import ITEMS_IN_GROUPS, design_effect

GROUPS, SIZE = 15, 20


def in_groups(seed: int, spread: float, column: str = "conversation_id") -> metrics.Ratings:
    """Two judges, each right with a chance of its own in every group."""
    rng, rows = np.random.default_rng(seed), []
    for group in range(GROUPS):
        chances = {judge: np.clip(0.75 + spread * rng.standard_normal(), 0.05, 0.95) for judge in "AB"}
        for place in range(SIZE):
            met = bool(rng.random() < 0.5)
            for judge, chance in chances.items():
                said = bool(met ^ (rng.random() > chance))
                rows.append(
                    {"item": f"{group}-{place}", column: f"c{group}", "judge": judge, "human": "ny"[met], "verdict": "ny"[said]}
                )
    return metrics.read(pd.DataFrame(rows), labels={"y": "positive", "n": "negative"})


def warned(report: metrics.AgreementReport) -> list[str]:
    return [warning.message for warning in report.warnings if warning.code == ITEMS_IN_GROUPS]


def test_the_design_effect_is_one_without_likeness_and_the_mean_size_where_all_are_alike() -> None:
    rng = np.random.default_rng(1)
    size = rng.integers(2, 9, 40)
    group = np.repeat(np.arange(40), size)
    alike, p = design_effect(np.repeat(rng.random(40), size), group)
    assert alike == pytest.approx((size**2).sum() / size.sum())
    assert p == 0
    alone = [design_effect(rng.random(len(group)), group) for _ in range(400)]
    assert np.mean([deff for deff, _ in alone]) == pytest.approx(1, abs=0.05)
    assert np.mean([p <= 0.05 for _, p in alone]) == pytest.approx(0.05, abs=0.03)
    assert all(np.isnan(design_effect(np.ones(5), np.arange(5))))


@pytest.mark.parametrize("seed", range(3))
def test_a_reader_is_told_by_how_much_intervals_are_too_narrow(seed: int) -> None:
    ratings = in_groups(seed, 0.3)
    report, by_group = metrics.agreement(ratings), metrics.agreement(ratings, unit="conversation_id")
    (text,) = warned(report)
    assert text.startswith("Items lie in 15 groups by ‘conversation_id’, and errors are alike within them.")
    assert text.endswith("Leave whole groups out: unit='conversation_id'.")
    times = float(text.split("about ")[1].split(" times")[0])
    wider = [by_group.judges[name].micro["accuracy"].width / report.judges[name].micro["accuracy"].width for name in "AB"]
    assert times == pytest.approx(max(wider), rel=0.35)
    assert not warned(by_group)
    assert not warned(metrics.agreement(ratings, interval="none"))
    assert text in [statement.text for statement in metrics.overview(ratings).verdict]


def test_the_judge_whose_errors_alone_are_alike_is_named() -> None:
    rng = np.random.default_rng(0)
    human = np.arange(240) % 2
    said = {"A": human ^ (rng.random(240) < 0.1), "B": human ^ (np.arange(240) // 8 % 5 == 0)}
    frame = pd.DataFrame(
        [(at, at // 8, judge, human[at], verdict[at]) for judge, verdict in said.items() for at in range(240)],
        columns=["item", "conversation_id", "judge", "human", "verdict"],
    )
    (text,) = warned(metrics.agreement(metrics.read(frame)))
    assert ", and errors of B are alike within them. Intervals of B by item are about " in text


@pytest.mark.parametrize("column", ["cluster", "group_id", "annotation batch"])
def test_groups_of_any_name_for_what_is_drawn_together_are_warned_of(column: str) -> None:
    column = column.removeprefix("annotation ")
    assert f"‘{column}’" in warned(metrics.agreement(in_groups(0, 0.3, column=column)))[0]


def test_a_direction_is_not_claimed_without_a_word_where_errors_are_alike_within_groups() -> None:
    rng = np.random.default_rng(3)
    rows = []
    for group in range(GROUPS):
        strict = rng.random() < 0.5
        for place in range(SIZE):
            met = bool(rng.random() < 0.6)
            says = met and not (strict and rng.random() < 0.5)
            rows.append({"item": f"{group}-{place}", "cluster": group, "human": "ny"[met], "verdict": "ny"[says]})
    ratings = metrics.read(pd.DataFrame(rows), labels={"y": "positive", "n": "negative"})
    (errors,) = (statement.text for statement in metrics.overview(ratings).verdict if statement.kind == "errors")
    assert "Label-rate bias" in errors
    assert errors.endswith("That takes items as independent, which they are not.")
    (errors,) = (one.text for one in metrics.overview(ratings, unit="cluster").verdict if one.kind == "errors")
    assert "independent" not in errors


def test_groups_without_likeness_and_kinds_of_items_are_not_warned_of() -> None:
    assert sum(bool(warned(metrics.agreement(in_groups(seed, 0.0)))) for seed in range(12)) <= 1
    assert not warned(metrics.agreement(in_groups(0, 0.3, column="topic")))


def test_judges_that_differ_alike_within_groups_are_not_called_apart_without_a_word() -> None:
    ratings = next(
        made for made in (in_groups(seed, 0.3) for seed in range(50)) if metrics.compare(made, "A", "B", replicates=500).settled
    )
    by_item = metrics.compare(ratings, "A", "B")
    assert "with items taken as independent, which they are not" in by_item.reading
    assert any("differences are alike within them" in note for note in by_item.notes)
    leads, second, *_ = [statement.text for statement in metrics.overview(ratings).verdict]
    assert leads.endswith("That takes items as independent, which they are not.")
    assert second.startswith("Items lie in 15 groups by ‘conversation_id’")
    by_group = metrics.compare(ratings, "A", "B", unit="conversation_id")
    assert by_group.difference.width > 1.5 * by_item.difference.width
    assert "which they are not" not in by_group.reading
    assert not any("alike within them" in note for note in by_group.notes)


@pytest.mark.parametrize(("copies", "told"), [(4, True), (1, False)])
def test_a_reader_is_told_of_items_that_are_copies_of_one_another(copies: int, told: bool) -> None:
    """Sixty answers written four times each: one of two equal judges seemed ahead in 11 of 30 such files, without a word."""
    rng, rows = np.random.default_rng(1), []
    for text in range(60):
        met = bool(rng.random() < 0.5)
        said = {judge: met ^ bool(rng.random() > 0.8) for judge in "AB"}
        for place in range(copies):
            item = {"item": f"{text}-{place}", "response": f"The answer of number {text} to a question that is asked"}
            rows += [item | {"judge": judge, "human": "ny"[met], "verdict": "ny"[one]} for judge, one in said.items()]
    report = metrics.agreement(metrics.read(pd.DataFrame(rows), labels={"y": "positive", "n": "negative"}))
    assert any(text.startswith("Items lie in 60 groups by ‘response’") for text in warned(report)) is told


def test_what_stands_for_no_text_makes_no_items_alike() -> None:
    rng, rows = np.random.default_rng(3), []
    for place in range(200):
        met, without = bool(rng.random() < 0.5), place % 2 == 0
        wrong = bool(rng.random() < (0.05 if without else 0.45))
        context = "N/A" if without else f"The passage of number {place} that a question is asked about"
        rows.append({"item": place, "context": context, "human": "ny"[met], "verdict": "ny"[met ^ wrong]})
    report = metrics.agreement(metrics.read(pd.DataFrame(rows), labels={"y": "positive", "n": "negative"}))
    assert not any("‘context’" in text for text in warned(report))
