"""Marks that are held: their stops lie on what the figure draws, and what makes way for them is the mark alone."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from metrics.analyses.prevalence import readings as prevalence_readings
from metrics.analyses.prevalence.compute import sweep
from metrics.analyses.true_rate.compute import MOST_RATES, at_every_rate, correct_prevalence
from metrics.analyses.true_rate.golden import golden_set
from metrics.analyses.true_rate.readings import rate_words
from metrics.figures import prevalence, rate, roc
from metrics.figures.stops import HELD, Stops
from metrics.results import words

GOLDEN = golden_set([[63, 20], [133, 784]])


def held_parts(figure) -> tuple[int, int, int]:
    layout = figure.layout
    return (
        sum(trace.meta == HELD for trace in figure.data),
        sum(note.name == HELD for note in layout.annotations),
        sum(shape.name == HELD for shape in layout.shapes),
    )


def test_every_stop_needs_all_its_parts() -> None:
    with pytest.raises(ValueError, match="words, lines and bands"):
        Stops([(0, 0), (1, 1)], ["one"], [])
    with pytest.raises(ValueError, match="words, lines and bands"):
        Stops([(0, 0)], ["one"], [("red", [])])


def test_the_nearest_stop_across_and_up() -> None:
    stops = Stops([(0.0, 0.9), (0.5, 0.5), (1.0, 0.1)], ["a", "b", "c"], [])
    assert [stops.nearest(x) for x in (-1, 0.3, 0.9)] == [0, 1, 2]
    assert [stops.nearest(y, up=True) for y in (1, 0.4, 0)] == [0, 1, 2]


def test_on_a_roc_curve_a_line_goes_down_to_chance() -> None:
    stops = roc.stops([(0.1, 0.6), (0.4, 0.9)], ["one", "two"], theme="light")
    assert [path for _, paths in stops.lines for path in paths] == [((0.1, 0.1), (0.1, 0.6)), ((0.4, 0.4), (0.4, 0.9))]


def test_of_a_roc_curve_the_chosen_threshold_makes_way_and_the_best_one_stays() -> None:
    base = {"name": "s", "fpr": [0, 0.1, 1], "tpr": [0, 0.8, 1], "hovers": ["", "", ""], "area": "0.85", "best": (0.1, 0.8),
            "best_cut": "0.5", "j_here": 0.7}  # fmt: skip
    drawn = [
        roc.roc_space([], roc.Scored(**base, **more), positive="MET", negative="UNMET", theme="light")
        for more in ({}, {"cut": (0.5, 0.9), "cut_words": "threshold 0.2"})
    ]
    assert held_parts(drawn[0]) == (0, 0, 0)
    assert held_parts(drawn[1])[0] == 2
    assert {note.name for note in drawn[1].layout.annotations if "threshold 0.2" in note.text} == {HELD}


@pytest.mark.parametrize("rates", [(0.9, 0.1), (0.2, 0.7), (1.0, 0.0)])
def test_a_prevalence_stops_at_every_place_of_the_sweep_with_its_numbers(rates: tuple[float, float]) -> None:
    one, keys = sweep(*rates), ("accuracy", "kappa")
    said = prevalence_readings.stop_words(one, keys)
    stops = prevalence.stops(one, keys, said, theme="light")
    assert [x for x, _ in stops.spots] == one.prevalence.tolist()
    for at in (0.005, 0.05, 0.5, 0.995):
        there = one.at(at)
        numbers = f"accuracy {words.percent(there['accuracy'])}, κ {words.number(there['kappa'])}"
        assert stops.words[stops.nearest(at)] == f"at {prevalence_readings.share(at)}: {numbers}"
    figure = prevalence.sweep_lines(
        one, keys, [prevalence.Place("here", 0.3), prevalence.Place("deployed", 0.1, held=True)], theme="light"
    )
    assert {y for _, y in stops.spots} == {figure.layout.yaxis.range[0]}
    marked = sum(key in prevalence.MARKED for key in keys)
    assert held_parts(figure) == (marked, 1, 1)
    assert held_parts(prevalence.sweep_lines(one, keys, [prevalence.Place("deployed", 0.1)], theme="light")) == (0, 0, 0)


def test_without_a_metric_a_stop_says_where_it_is() -> None:
    assert prevalence_readings.stop_words(sweep(0.9, 0.1), ())[9] == f"at {words.percent(0.05)}"
    assert prevalence_readings.stop_words(sweep(0.0, 0.0), ("phi",))[9] == f"at {words.percent(0.05)}: φ {words.UNDEFINED}"


@pytest.mark.parametrize("n", [1, 7, 400, 401, 12_345])
def test_every_rate_that_can_be_measured_is_tried(n: int) -> None:
    rates = at_every_rate(n, GOLDEN, 0.95)
    counts = [one.judge_positive for one in rates]
    assert (counts[0], counts[-1]) == (0, n)
    assert len(counts) == len(set(counts)) == min(n + 1, MOST_RATES)
    assert max(b - a for a, b in itertools.pairwise(counts)) <= -(-n // (MOST_RATES - 1))
    odd = at_every_rate(n, GOLDEN, 0.95, also=n // 2 + 1)
    assert n // 2 + 1 in [one.judge_positive for one in odd], "the rate in view is one of the stops"
    for one in rates[:: max(len(rates) // 9, 1)]:
        assert one.to_dict() == correct_prevalence(one.judge_positive, n, GOLDEN, confidence=0.95).to_dict()


def test_a_measured_rate_stops_on_the_judges_line_and_its_words_are_those_of_the_page() -> None:
    rates = at_every_rate(1000, GOLDEN, 0.95)
    stops = rate.stops(rates, [rate_words(one) for one in rates], theme="light")
    inside = [(x, y) for (x, y), one in zip(stops.spots, rates, strict=True) if one.defined and not one.clipped]
    tpr, fpr = GOLDEN.tpr, GOLDEN.fpr
    assert len(inside) > 100
    # Lang and Reiczigel add a decision or two to the golden set, so the stop lies a little beside the line.
    assert np.allclose([fpr + (tpr - fpr) * x for x, _ in inside], [y for _, y in inside], atol=0.005)
    one = next(one for one in rates if one.judge_positive == 340)
    at = stops.nearest(0.34, up=True)
    assert stops.words[at] == f"measured {words.estimate(one.raw, words.TENTHS)}: true {words.estimate(one, words.TENTHS)}"
    (_, measured), (_, true) = stops.bands
    assert measured[at] == ((0.0, one.raw.ends[0]), (one.value, one.raw.ends[1]))
    assert true[at] == ((one.ends[0], 0.0), (one.ends[1], 0.34))
    assert held_parts(rate.rate_line(one, theme="light")) == (1, 2, 4)


@pytest.mark.parametrize(("golden", "ends"), [([[190, 10], [20, 180]], (0.0, 1.0)), ([[20, 180], [190, 10]], (1.0, 0.0))])
def test_a_rate_that_no_true_rate_fits_stops_at_the_end_beyond_which_it_lies(
    golden: list[list[int]], ends: tuple[float, float]
) -> None:
    rates = at_every_rate(5000, golden_set(golden), 0.95)
    assert not rates[0].defined
    assert not rates[-1].defined
    stops = rate.stops(rates, [rate_words(one) for one in rates], theme="light")
    assert (stops.spots[0][0], stops.spots[-1][0]) == ends
    assert stops.words[0].endswith("no true rate fits it")
    (_, down), (_, true) = stops.lines[1], stops.bands[1]
    assert down[0] == true[0] == ()
