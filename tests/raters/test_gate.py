"""The gate decides on the interval, names every band it touches, and says how many items would decide."""

from __future__ import annotations

import math

import pytest

from metrics.analyses.raters.gate import GOLD_FLOOR, Bands, gate_of, needed_words
from metrics.errors import InputError
from metrics.measures.transforms import Interval, student, transformed
from metrics.results.estimate import Estimate


def gate(value: float, low: float, high: float, n: int = 50, **bands):
    return gate_of(Estimate(value, Interval(low, high, "jackknife")), n, Bands(**bands))


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.667, 0.9, "passes"),  # at the floor is enough
        (0.6669, 0.9, "undecided"),
        (0.3, 0.667, "undecided"),  # fails only below
        (0.3, 0.6669, "fails"),
        (-0.2, 0.1, "fails"),
    ],
)
def test_the_verdict_is_the_intervals(low, high, verdict) -> None:
    assert gate((low + high) / 2, low, high).verdict == verdict


def test_an_estimate_above_the_floor_does_not_pass_by_itself() -> None:
    assert gate(0.75, 0.55, 0.87).verdict == "undecided"
    assert gate(0.60, 0.35, 0.78).verdict == "undecided"


@pytest.mark.parametrize(
    ("low", "high", "bands"),
    [
        (0.1, 0.3, ("revise",)),
        (0.1, 0.4, ("revise", "sharpen")),  # an edge belongs to the band above
        (0.39, 0.85, ("revise", "sharpen", "usable", "well specified")),
        (0.8, 0.9, ("well specified",)),
        (0.6, 0.7, ("sharpen", "usable")),
        (0.667, 0.7, ("usable",)),
    ],
)
def test_every_band_the_interval_touches_is_named(low, high, bands) -> None:
    found = gate((low + high) / 2, low, high)
    assert found.bands == bands
    assert found.band == " or ".join(bands)


@pytest.mark.parametrize("on", ["alpha", "kappa"])
@pytest.mark.parametrize("floor", [None, -0.5, 0.2, 0.4, 0.5, 0.667, 0.8, 0.85, 0.99])
def test_no_band_speaks_against_the_verdict(on, floor) -> None:
    bands = Bands(on, floor)
    assert bands.edges[1] == bands.line
    below, above = set(bands.words[:2]), set(bands.words[2:])
    for low in (-0.99, -0.3, 0.0, 0.1, 0.3, 0.45, 0.59, 0.62, 0.66, 0.7, 0.81, 0.9, 0.992):
        for wide in (0.001, 0.05, 0.3):
            found = gate_of(Estimate(low, Interval(low, low + wide, "jackknife")), 50, bands)
            if found.verdict == "fails":
                assert set(found.bands) <= below
            elif found.verdict == "passes":
                assert set(found.bands) <= above
            else:
                assert set(found.bands) & below
                assert set(found.bands) & above


def test_the_edges_of_kappa_are_the_guide_s_and_those_of_alpha_have_its_floor() -> None:
    assert Bands(on="kappa").edges == (0.4, 0.6, 0.8)
    assert Bands().edges == (0.4, 0.667, 0.8)
    assert gate(0.65, 0.63, 0.66).band == "sharpen"
    assert gate(0.65, 0.63, 0.66, on="kappa").band == "usable"


def test_floors_of_the_guide_and_of_the_team() -> None:
    assert Bands().line == 0.667
    assert Bands(on="kappa").line == 0.6
    assert gate(0.75, 0.7, 0.79, floor=GOLD_FLOOR).verdict == "fails"
    assert gate(0.65, 0.61, 0.7, on="kappa").verdict == "passes"
    assert gate(0.65, 0.61, 0.7).verdict == "undecided"


@pytest.mark.parametrize("value", [0.75, 0.57])
def test_so_many_items_would_decide(value) -> None:
    n, error = 60, 0.09
    ends = transformed(value, error, "fisher", student(n - 1, 0.95))
    found = gate_of(Estimate(value, Interval(*ends, "jackknife")), n)
    assert found.verdict == "undecided"
    z = 1.959963984540054 + 0.8416212335729143
    distance = abs(math.atanh(value) - math.atanh(0.667))
    assert found.needed.n == math.ceil(n * (z * error / (1 - value**2) / distance) ** 2)
    assert found.needed.n > n


def test_on_the_line_no_number_would() -> None:
    found = gate(0.667, 0.5, 0.79)
    assert found.needed.n is None
    assert "on the line" in found.needed.reason


def test_decided_needs_none() -> None:
    for ends in ((0.7, 0.9), (0.1, 0.3)):
        assert gate(sum(ends) / 2, *ends).needed.n is None


def test_without_a_value_or_an_interval_there_is_no_verdict_but_a_reason() -> None:
    undefined = gate_of(Estimate(math.nan, why="only one label is given"), 0)
    assert (undefined.verdict, undefined.bands, undefined.reason) == ("undecided", (), "only one label is given")
    assert undefined.to_dict()["band"] is None
    alone = gate_of(Estimate(0.7), 1)
    assert (alone.verdict, alone.bands, alone.reason) == ("undecided", ("usable",), "there is no interval")


@pytest.mark.parametrize(
    "given", [{"on": "phi"}, {"floor": 1.0}, {"edges": (0.6, 0.4, 0.8)}, {"edges": (0.5,)}, {"words": ("a", "b")}]
)
def test_bands_that_are_none_are_refused(given) -> None:
    with pytest.raises(InputError):
        Bands(**given)


def test_what_is_wrong_with_bands_is_said_alone() -> None:
    with pytest.raises(InputError, match=r"^Bands need edges that rise, each above the one before\.$"):
        Bands(edges=(0.4, 0.4, 0.8))
    with pytest.raises(InputError, match=r"^3 edges part 4 bands, not 2: a word for each\.$"):
        Bands(words=("a", "b"))


def test_a_team_may_have_bands_of_its_own() -> None:
    assert gate(0.55, 0.45, 0.62, edges=(0.5,), words=("no", "yes")).bands == ("no", "yes")


@pytest.mark.parametrize(("value", "would"), [(0.59, "fails"), (0.74, "passes")])
def test_the_items_needed_are_said_to_show_the_side_of_the_floor_on_which_the_value_lies(value: float, would: str) -> None:
    found = gate(value, value - 0.12, value + 0.1, 80)
    assert found.verdict == "undecided"
    assert found.needed.n is not None
    assert found.would == would
    assert needed_words(found.needed.n, found.would).endswith(
        f"agreement is {'below' if would == 'fails' else 'above'} the floor"
    )
