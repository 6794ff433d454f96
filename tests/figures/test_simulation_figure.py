"""Success and loss by metric: every metric keeps its row and its name, whatever the run."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from metrics.analyses.simulation.compute import CHOSEN_BY, NAMES, SYMBOLS, Selection
from metrics.analyses.simulation.readings import FIRST, LOSS, SUCCESS, by_loss, loss_words, success_words
from metrics.analyses.simulation.scenarios import Setting
from metrics.analyses.simulation.studies import AXES, Run, Study
from metrics.figures import theme
from metrics.figures.simulation import SERIES, dots_alt, lines_alt, look, metric_dots, metric_lines
from tests.figures.drawn import texts
from tests.studies import run

WORDS = {LOSS: loss_words, SUCCESS: success_words}


@pytest.fixture(scope="module")
def single() -> Run:
    return run(Study(Setting(2000)))


@pytest.fixture(scope="module")
def along() -> Run:
    return run(Study(Setting(500), "n_golden"))


def bare(text: str) -> str:
    return text.replace("<b>", "").replace("</b>", "")


def made(losses: dict[str, float], n: int = 100) -> Run:
    """A run in which every scenario has the losses told, and a best judge is picked wherever nothing is lost."""
    outcomes = np.zeros((3, len(CHOSEN_BY), n))
    outcomes[2] = np.array([losses.get(key, 0.0) for key in CHOSEN_BY])[:, None]
    outcomes[:2] = outcomes[2] == 0
    setting = Setting(n)
    return Run(Study(setting), (Selection(setting, n, outcomes.sum(-1), outcomes @ outcomes.swapaxes(-1, -2)),))


@pytest.mark.parametrize("outcome", [LOSS, SUCCESS])
def test_rows_stand_in_the_order_of_the_loss_in_both_figures(single, outcome) -> None:
    figure = metric_dots(single, outcome, theme="light")
    order = by_loss(single.selections[0])
    assert [text for text in texts(figure) if text in NAMES.values()] == [NAMES[key] for key in order]
    (dots,) = figure.data
    assert list(dots.x) == [single.selections[0].outcome(outcome, key).value for key in order]
    assert list(np.diff(dots.y) > 0) == [True] * 6
    assert (dots.marker.color, set(dots.marker.symbol)) == (theme.LIGHT.judge, {"circle"})
    losses = [single.selections[0].outcome(LOSS, key).value for key in order]
    assert losses == sorted(losses)


@pytest.mark.parametrize("outcome", [LOSS, SUCCESS])
def test_bars_are_two_errors_and_every_value_is_written(single, outcome) -> None:
    figure = metric_dots(single, outcome, theme="dark")
    written = {bare(text) for text in texts(figure)}
    (dots,) = figure.data
    assert dots.error_x.visible
    for place, key in enumerate(by_loss(single.selections[0])):
        own = single.selections[0].outcome(outcome, key)
        assert dots.error_x.array[place] == pytest.approx(2 * own.error)
        assert dots.error_x.arrayminus[place] == pytest.approx(2 * own.error)
        assert WORDS[outcome](own) in written


@pytest.mark.parametrize("outcome", [LOSS, SUCCESS])
@pytest.mark.parametrize("width", [340, 600])
def test_every_value_fits_beside_its_dot(single, outcome, width) -> None:
    figure = metric_dots(single, outcome, theme="light", width=width)
    (low, high), margin = figure.layout.xaxis.range, figure.layout.margin
    plot = width - margin.l - margin.r
    for note in figure.layout.annotations:
        if note.xref == "x":
            middle = (note.x - low) / (high - low) * plot
            half = theme.text_width(bare(note.text), note.font.size, bold=True) / 2
            assert middle - half >= -1
            assert middle + half <= plot + 1
        else:
            assert theme.text_width(note.text, note.font.size) <= margin.l


def test_losses_that_hardly_differ_do_not_stand_on_an_axis_from_zero() -> None:
    near = metric_dots(made({key: 0.05 + 0.001 * i for i, key in enumerate(CHOSEN_BY)}), LOSS, theme="light")
    assert near.layout.xaxis.range[0] > 0
    far = metric_dots(made({key: 0.01 + 0.01 * i for i, key in enumerate(CHOSEN_BY)}), LOSS, theme="light")
    assert 0 in far.layout.xaxis.tickvals


def test_a_run_in_which_all_metrics_agree_is_drawn() -> None:
    for outcome, value in ((LOSS, 0.0), (SUCCESS, 1.0)):
        figure = metric_dots(made({}), outcome, theme="light")
        assert list(figure.data[0].x) == [value] * 7
        low, high = figure.layout.xaxis.range
        assert low < value < high
        assert max(figure.layout.xaxis.tickvals) <= 1
    assert "0.0000 ± 0.0000" in dots_alt(made({}), LOSS)
    assert "100.0 ± 0.0\u00a0%" in dots_alt(made({}), SUCCESS)


def test_one_scenario_has_no_bars() -> None:
    for study in (Study(Setting(1)), Study(Setting(1), "n_eval")):
        only = run(study)
        assert math.isnan(only.selections[0].outcome(LOSS, "f1").error)
        for outcome in (LOSS, SUCCESS):
            draw, alt, bars = (
                (metric_dots, dots_alt, "error_x") if study.along == "none" else (metric_lines, lines_alt, "error_y")
            )  # fmt: skip
            figure = draw(only, outcome, theme="light")
            assert not any(trace[bars].visible for trace in figure.data)
            assert "nan" not in figure.to_json().lower()
            assert "error unknown" in alt(only, outcome)
            assert "±" not in alt(only, outcome)


@pytest.mark.parametrize("outcome", [LOSS, SUCCESS])
@pytest.mark.parametrize("axis", AXES[1:])
def test_a_line_per_metric_with_its_name_at_the_end(outcome, axis) -> None:
    found = run(Study(Setting(300), axis))
    figure = metric_lines(found, outcome, theme="light")
    assert len(figure.data) == len(CHOSEN_BY)
    drawn = {trace.hovertext[0].split("<b>")[1].split("</b>")[0]: trace for trace in figure.data}
    for key in CHOSEN_BY:
        values = [own.outcome(outcome, key) for own in found.selections]
        assert list(drawn[NAMES[key]].y) == [own.value for own in values]
        assert list(drawn[NAMES[key]].error_y.array) == pytest.approx([2 * own.error for own in values])
    named = {bare(note.text): note for note in figure.layout.annotations if note.showarrow}
    assert set(named) == {SYMBOLS[key] for key in CHOSEN_BY}
    for key in CHOSEN_BY:
        assert named[SYMBOLS[key]].y == found.selections[-1].outcome(outcome, key).value
        assert named[SYMBOLS[key]].arrowcolor == drawn[NAMES[key]].line.color


def test_names_keep_their_distance_and_the_order_of_the_lines(along) -> None:
    for outcome in (LOSS, SUCCESS):
        figure = metric_lines(along, outcome, theme="light")
        low, high = figure.layout.yaxis.range
        plot = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
        names = [note for note in figure.layout.annotations if note.showarrow]
        heights = [(note.y - low) / (high - low) * plot - note.ay for note in names]
        assert [note.y for note in names] == sorted(note.y for note in names)
        assert all(above - below >= 18 - 1e-6 for below, above in itertools.pairwise(heights))
        assert max(heights) <= plot + 1


def test_sizes_stand_on_a_logarithmic_axis(along) -> None:
    figure = metric_lines(along, LOSS, theme="light")
    assert list(figure.data[0].x) == [math.log10(25 * 2**step) for step in range(12)]
    assert figure.layout.xaxis.ticktext == ("25", "400", "6\u202f400", "51\u202f200")
    assert "golden answers, log scale" in texts(figure)
    places = metric_lines(run(Study(Setting(50), "p_golden")), LOSS, theme="light")
    assert list(places.data[0].x) == [0, 1, 2]
    assert "golden prevalence" in texts(places)


def test_the_alternative_text_has_the_numbers(single, along) -> None:
    own = single.selections[0]
    said = dots_alt(single, LOSS)
    assert said.startswith("Mean loss by the metric that chooses the judge, least loss first, ± one Monte Carlo standard error: ")
    assert [part.split(" 0.")[0] for part in said.removesuffix(".").split(": ")[1].split("; ")] == [
        NAMES[key] for key in by_loss(own)
    ]
    assert f"Cohen’s κ {success_words(own.outcome(SUCCESS, 'kappa'))}" in dots_alt(single, SUCCESS)
    assert success_words(own.outcome(FIRST, "kappa")) not in dots_alt(single, SUCCESS)
    told = lines_alt(along, LOSS)
    assert "against golden answers" in told
    for place, name in ((0, "25"), (4, "400"), (11, "51\u202f200")):
        part = told.split(f"at {name}: ")[1].split(";")[0]
        assert f"SNR {loss_words(along.selections[place].outcome(LOSS, 'snr'))}" in part


def test_seven_looks() -> None:
    for name in ("light", "dark"):
        looks = [look(key, theme.tokens(name)) for key in CHOSEN_BY]
        assert len({colour for colour, _ in looks}) == len({symbol for _, symbol in looks}) == 7
    assert look("kappa", theme.LIGHT) == (theme.LIGHT.kappa, "circle")
    assert look("phi", theme.DARK) == (theme.DARK.phi, "diamond")
    assert set(SERIES) | {"kappa", "phi"} == set(CHOSEN_BY)


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_the_room_view_enlarges(single, along, scale) -> None:
    for figure in (metric_dots(single, LOSS, theme="light", scale=scale), metric_lines(along, LOSS, theme="light", scale=scale)):
        assert figure.layout.font.size == pytest.approx(14 * scale)
        assert figure.layout.height > 240 * scale


def test_a_part_of_a_run_is_drawn_as_far_as_it_is() -> None:
    study = Study(Setting(30_000))
    part = run(study, lambda found: True)
    whole = run(replace(study, setting=Setting(10_000)))
    assert part.stopped
    assert metric_dots(part, LOSS, theme="light").to_json() == metric_dots(whole, LOSS, theme="light").to_json()
