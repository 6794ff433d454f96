"""Agreement split: the parts are the numbers, and the printed quotient gives the printed κ."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest

from metrics.content.lab.tables import ConfusionTable, Rates
from metrics.figures.lab_split import Split, agreement_split, alt
from metrics.figures.theme import LIGHT
from metrics.results.words import number
from tests.figures.lab_tables import PAIRS, RARE, boxes, counted, driven, notes, said, seen


def bars_of(figure) -> list[tuple[float, float, str]]:
    """(start, length, hatch) of each part."""
    (bars, _) = figure.data
    return list(zip(bars.base, bars.x, bars.marker.pattern.shape, strict=True))


def test_chance_and_what_is_earned_are_the_numbers() -> None:
    figure = agreement_split(seen(driven(0.05)), None, theme="light")
    chance, earned = bars_of(figure)
    assert chance == (0, pytest.approx(0.824), "")
    assert earned == (pytest.approx(0.824), pytest.approx(0.076), "")
    (room,) = figure.layout.shapes
    assert (room.x0, room.x1) == (pytest.approx(0.824), 1)
    assert figure.data[0].marker.color[1] == LIGHT.kappa
    assert list(figure.data[1].x) == [pytest.approx(0.9)]
    assert "κ = .076 / .176 =\u00a00.43" in said(figure)
    assert "chance .824" in said(figure)
    assert "agreement .90" in said(figure)
    assert "5\u00a0% MET" in said(figure)


def test_agreement_below_chance_is_hatched_up_to_it() -> None:
    figure = agreement_split(PAIRS["below zero"][0], None, theme="dark")
    chance, lacking = bars_of(figure)
    assert chance[1] == pytest.approx(0.905)
    assert lacking == (pytest.approx(0.9), pytest.approx(0.005), "\\")
    assert "κ = −.005 / .095 =\u00a0−0.05" in said(figure)


def test_the_step_before_stands_above_and_a_before_b() -> None:
    now, before = PAIRS["rare beside even"]
    told = said(agreement_split(now, before, theme="light"))
    assert told.index("step 2a · 50\u00a0% MET") < told.index("step 2b · 5\u00a0% MET")
    told = said(agreement_split(*PAIRS["perfect"], theme="light"))
    assert told.index("A · 50\u00a0% MET") < told.index("B · 5\u00a0% MET")


def test_undefined_says_why() -> None:
    pair = PAIRS["one label only"]
    for told in (said(agreement_split(*pair, theme="light")), alt(*pair)):
        assert "κ = 0 / 0, undefined: both sides give only UNMET" in told


def printed(split: Split) -> float | None:
    """What the quotient gives as it is printed; None where it has none."""
    found = re.fullmatch(r"κ = (−?[\d.]+) / ([\d.]+) = ", split.quotient)
    return float(found[1].replace("−", "-")) / float(found[2]) if found else None


def tables():
    yield from (counted(*cells) for cells in itertools.product(range(5), repeat=4) if any(cells))
    rng = np.random.default_rng(6)
    yield from (counted(*cells) for cells in np.round(10 ** rng.uniform(0, 9, (400, 4))).tolist())
    yield from (ConfusionTable.of_rates(Rates(*rates, n=997)) for rates in rng.random((200, 3)).tolist())


def test_the_printed_quotient_gives_the_printed_kappa() -> None:
    without = 0
    for split in (Split(seen(table)) for table in tables()):
        if math.isnan(split.kappa):
            assert split.quotient.startswith("κ = 0 / 0")
            assert split.chance == 1
            continue
        given, shown = printed(split), float(number(split.kappa).replace("−", "-"))
        assert split.result == number(split.kappa)
        if given is None:
            without += 1
            assert split.digits is None
            continue
        assert abs(given - shown) <= 0.005 + 1e-9, split
        chance = float(split.chance_text.removeprefix("chance "))
        assert abs(chance - split.chance) <= 0.5 * 10**-split.digits + 1e-12
        assert chance not in (0, 1) or math.isclose(split.chance, chance, abs_tol=1e-12), split
    assert without < 40


def test_no_more_digits_are_printed_than_the_result_needs() -> None:
    assert Split(seen(counted(9, 3, 2, 7))).quotient == "κ = .259 / .497 = "
    assert Split(seen(RARE)).quotient == "κ = .076 / .176 = "


@pytest.mark.parametrize("pair", [name for name, (now, _) in PAIRS.items() if now.n])
def test_the_name_of_chance_stands_on_it_or_on_nothing(pair) -> None:
    own = Split(PAIRS[pair][0])
    figure = agreement_split(PAIRS[pair][0], None, theme="light")
    (name,) = [box for box in boxes(figure, 340) if "chance" in box[0]]
    (note,) = [note for note in notes(figure) if "chance" in note["text"]]
    solid, whole = (5 + 330 * end for end in sorted((min(own.chance, own.observed), own.chance)))
    on_a_chip, below = "bgcolor" in note, note["text"].startswith("▴")
    assert below or name[3] <= (whole if on_a_chip else solid) + 1 or (own.lacking and name[1] >= whole)


def test_only_what_the_digits_cannot_hold_goes_without_a_quotient() -> None:
    split = Split(seen(counted(10**9, 1, 1, 1)))
    assert split.quotient == "κ = "
    assert split.chance_text == "chance nearly all"
    assert Split(seen(counted(1, 1, 1, 10**5))).quotient == "κ = .00002 / .00004 = "


def test_the_text_for_those_who_do_not_see_it_has_the_numbers() -> None:
    told = alt(*PAIRS["rare beside even"])
    assert "step 2a: 50\u00a0% MET, agreement 0.90, chance .50, κ = .40 / .50 = 0.80" in told
    assert "step 2b: 5\u00a0% MET, agreement 0.90, chance .824, κ = .076 / .176 = 0.43" in told
    assert "A: no decision to show" in alt(*PAIRS["nothing beside"])


@pytest.mark.parametrize(("cells", "said_so"), [
    ((10**9, 1, 0, 10**9), "nearly all"), ((1, 10**9, 10**9, 0), "nearly none"), ((5, 0, 0, 5), "1"), ((0, 5, 5, 0), "0"),
])  # fmt: skip
def test_an_agreement_of_nearly_all_or_nothing_is_not_printed_as_such(cells: tuple[int, ...], said_so: str) -> None:
    figure = agreement_split(seen(counted(*cells)), None, theme="light")
    assert f"agreement {said_so}" in said(figure).split(" | ")
