"""Advice on a grid of people's agreement × the judge's errors × prevalence, beside what each file was made to need.

What a cell needs follows from how it was made: how often a person slips, how often the judge does, and how rare a label is. The
thresholds of the program are not used; cells that lie between two needs ask only that nothing opposite is said.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.review.test_suggesting import drawn, said

SLIPS = (0.02, 0.1, 0.38)
ERRORS = ((0.02, 0.02), (0.12, 0.12), (0.4, 0.02), (0.02, 0.4), (0.4, 0.4))
SHARES = (0.5, 0.85, 0.2, 0.015)
N, SEEDS = 260, 5
RELIABLE, UNRELIABLE = 0.8, 0.5
"""Agreement of people beyond chance from which labels are called reliable, and below which nobody calls them so."""
LEAST = 6
"""Items of the rarer label that no draw of a cell reaches tens of."""


def chance_corrected(table: np.ndarray) -> float:
    """κ of a population table."""
    by_chance = table.sum(1) @ table.sum(0)
    return float((np.trace(table) - by_chance) / (1 - by_chance))


def flips(one: float, other: float) -> np.ndarray:
    """Label given by the true one: rows true MET, UNMET."""
    return np.array([[1 - one, one], [other, 1 - other]])


def needs(slips: float, errors: tuple[float, float], share: float) -> str:
    """Return what a file made like this needs: "items", "sharpen", "judge", "keep"; empty where that is in between."""
    truth, person, judge = np.array([share, 1 - share]), flips(slips, slips), flips(*errors)
    two = person.T @ np.diag(truth) @ person
    agree = chance_corrected(two)
    if min(truth) * N < LEAST:
        return {SLIPS[0]: "items", SLIPS[-1]: "sharpen"}.get(slips, "")
    if agree < UNRELIABLE:
        return "sharpen"
    if agree < RELIABLE:
        return ""
    against = {name: chance_corrected(side.T @ np.diag(truth) @ person) for name, side in (("person", person), ("judge", judge))}
    lost = against["person"] - against["judge"]
    return "judge" if lost > 0.2 else "keep" if lost < 0.02 else ""


GRID = [(cell, needs(*cell)) for cell in product(SLIPS, ERRORS, SHARES)]
OPPOSITE = {
    "sharpen": {"keep", "judge"},
    "judge": {"keep", "sharpen"},
    "keep": {"judge", "sharpen"},
    "items": {"sharpen", "judge"},
}


def test_the_grid_holds_every_need_often() -> None:
    found = [need for _, need in GRID]
    assert {need: found.count(need) >= 3 for need in OPPOSITE} == dict.fromkeys(OPPOSITE, True)


@pytest.mark.parametrize(("cell", "need"), GRID, ids=lambda value: str(value).replace(" ", ""))
def test_the_advice_is_what_the_file_was_made_to_need(cell: tuple[float, tuple[float, float], float], need: str) -> None:
    slips, errors, share = cell
    given = [said(drawn(N, share, slips, errors, seed=seed)) for seed in range(SEEDS)]
    actions = [one.action for one in given]
    if need == "items":
        assert actions == [""] * SEEDS
        assert all("add items" in one.text or "items that should get" in one.text for one in given)
        return
    if not need:
        assert not {"keep"} & set(actions) or max(errors) <= 0.12
        return
    assert not OPPOSITE[need] & set(actions), actions
    assert actions.count(need) >= SEEDS - 1, [one.text for one in given]


@pytest.mark.parametrize("share", [0.5, 0.2])
def test_people_who_abstain_are_told_from_people_who_disagree(share: float) -> None:
    """Both keep labels from being a reference, and a rule for what cannot be assessed mends the one alone."""
    for seed in range(SEEDS):
        silent = said(drawn(N, share, 0.38, (0.05, 0.05), silent=0.45, seed=seed))
        apart = said(drawn(N, share, 0.38, (0.05, 0.05), seed=seed))
        agreed = said(drawn(N, share, 0.01, (0.01, 0.01), silent=0.45, seed=seed))
        assert (silent.action, apart.action) == ("sharpen", "sharpen")
        assert "give no verdict" in silent.text
        assert "verdict" not in apart.text
        assert agreed.action == "keep"


@pytest.mark.parametrize("slips", [0.02, 0.38])
def test_two_people_who_differ_are_no_abstention(slips: float) -> None:
    """Votes of two that split give no majority: that is disagreement, whatever share of the items it is."""
    for seed in range(SEEDS):
        found = said(drawn(N, 0.5, slips, (0.02, 0.02), people=2, seed=seed))
        assert "no verdict" not in found.text
        assert found.action in (("", "sharpen") if slips > 0.1 else ("keep",))
        assert ("they differ on" in found.text) is (slips > 0.1)


@pytest.mark.parametrize("errors", ERRORS)
@pytest.mark.parametrize("share", [0.5, 0.2])
def test_one_person_an_item_never_blames_wording_or_judge(errors: tuple[float, float], share: float) -> None:
    for seed in range(SEEDS):
        assert said(drawn(N, share, 0.1, errors, people=1, seed=seed)).action == ""
