"""The expected interval over the number of items: band, rules and names are those of the plan."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest

from metrics.analyses.planning.compute import SIZES, Plan
from metrics.analyses.planning.independence import Spread
from metrics.analyses.planning.sizes import Needed, expected_interval
from metrics.figures import theme
from metrics.figures.spreads import alt as spreads_alt
from metrics.figures.spreads import flat_beside_items
from metrics.figures.widths import FIRST, LAST, alt, interval_widths
from metrics.measures.transforms import Interval
from metrics.results.estimate import NOT_HERE, Estimate
from tests.figures.drawn import texts


def made(value: float = 0.7, error: float = 0.03, line: float = 0.6, n_now: int = 200, needed: int | None = 90, **more) -> Plan:
    ends = [expected_interval(value, error, n_now, n, "fisher") if n_now else (math.nan, math.nan) for n in SIZES]
    low, high = zip(*ends, strict=True)
    now = expected_interval(value, error, n_now, n_now, "fisher") if n_now else (math.nan, math.nan)
    today = Estimate(value, None if math.isnan(now[0]) else Interval(*now, "jackknife"))
    plan = Plan(
        "Is κ of j above?", "kappa", today, error, line, n_now, SIZES, low, high,
        Needed(needed, "" if needed else "the estimate is below the line"), "a sentence.", "fisher",
    )  # fmt: skip
    return replace(plan, **more)


def apart(**more) -> Plan:
    return made(value=-0.03, error=0.03, line=0.05, transform=None, difference=True, **more)


def test_the_band_is_the_plan() -> None:
    plan = made()
    low, high, estimate, today = interval_widths(plan, theme="light").data
    assert list(low.y) == pytest.approx(plan.low)
    assert list(high.y) == pytest.approx(plan.high)
    assert [round(10**x) for x in low.x] == list(plan.sizes)
    assert high.fill == "tonexty"
    assert set(estimate.y) == {0.7}
    assert 10 ** today.x[0] == pytest.approx(200)
    assert today.y[0] + today.error_y.array[0] == pytest.approx(plan.today.ends[1])
    assert today.y[0] - today.error_y.arrayminus[0] == pytest.approx(plan.today.ends[0])


def test_rules_and_lines_stand_where_they_belong() -> None:
    figure = interval_widths(made(), theme="light")
    upright = {round(10**shape.x0): shape.line.dash for shape in figure.layout.shapes if shape.x0 == shape.x1}
    assert upright == {200: "solid", 90: "dash"}
    assert [shape.y0 for shape in figure.layout.shapes if shape.line.dash == "dot"] == [0.6]
    said = texts(figure)
    assert {"200 today", "about 90 needed", "<b>0.70</b>", "0.60 asked", "labelled items, log scale"} <= set(said)


def test_a_difference_has_zero_and_both_sides() -> None:
    figure = interval_widths(apart(), theme="dark")
    assert sorted(shape.y0 for shape in figure.layout.shapes if shape.line.dash == "dot") == [-0.05, 0.05]
    assert {"0 equal", "+0.05", "−0.05", "<b>−0.03</b>"} <= set(texts(figure))
    shares = interval_widths(replace(apart(), metric="accuracy"), theme="dark")
    assert "+5.0\u00a0points" in texts(shares)


def test_shares_are_in_percent() -> None:
    figure = interval_widths(replace(made(), metric="accuracy", transform="logit"), theme="light")
    assert "60\u00a0% asked" in texts(figure)
    assert all(text.endswith("\u00a0%") for text in figure.layout.yaxis.ticktext)


def test_numbers_beyond_the_axis_stand_at_its_end() -> None:
    figure = interval_widths(made(n_now=70_000, needed=12_345), theme="light")
    assert "70\u202f000 today ▸" in texts(figure)
    assert "about 13\u202f000 needed ▸" in texts(figure)
    assert not [shape for shape in figure.layout.shapes if shape.x0 == shape.x1]
    assert len(figure.data) == 3


def test_no_number_needed_has_no_rule() -> None:
    figure = interval_widths(made(needed=None), theme="light")
    assert not any("needed" in text for text in texts(figure))


@pytest.mark.parametrize("plan", [made(value=math.nan), made(error=math.nan), made(value=1.0), made(n_now=0)])
def test_nothing_to_draw_says_so(plan: Plan) -> None:
    figure = interval_widths(plan, theme="light")
    assert not figure.data
    assert texts(figure) == ["No interval to draw"]
    assert alt(plan).startswith("No interval to expect")


@pytest.mark.parametrize("scale", [1.0, 1.4])
@pytest.mark.parametrize("line", [0.69, 0.7, 0.72, 0.0, 0.99, -0.5])
def test_names_right_of_the_plot_never_touch(line: float, scale: float) -> None:
    for plan in (made(line=line), replace(apart(), line=max(0.001, abs(line)))):
        figure = interval_widths(plan, theme="light", scale=scale)
        low, high = figure.layout.yaxis.range
        plot = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
        names = [note for note in figure.layout.annotations if note.xref == "paper" and note.yref == "y"]
        places = sorted((note.y - low) / (high - low) * plot + note.yshift for note in names)
        assert len(places) == (4 if plan.difference else 2)
        assert all(b - a >= 18 * scale for a, b in pairwise(places))
        assert places[0] > -20 * scale
        assert places[-1] < plot + 20 * scale
        for note in names:
            bold = note.text.startswith("<b>")
            plain = note.text.removeprefix("<b>").removesuffix("</b>")
            assert theme.text_width(plain, note.font.size, bold=bold) + note.xshift <= figure.layout.margin.r


@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize("n_now", [25, 26, 60, 226, 900, 2250, 4900, 5000])
@pytest.mark.parametrize("needed", [2, 25, 27, 230, 420, 560, 1000, 5000, 990_000])
def test_labels_of_the_rules_stay_inside_at_340_px(n_now: int, needed: int, settled: bool) -> None:
    figure = interval_widths(made(n_now=n_now, needed=needed, settled=settled), theme="light")
    plot = 340 - figure.layout.margin.l - figure.layout.margin.r
    assert plot >= 200
    for note in figure.layout.annotations:
        if note.yref == "paper" and note.y == 1:
            low, high = figure.layout.xaxis.range
            middle = (note.x - low) / (high - low) * plot + note.xshift
            wide = theme.text_width(note.text, note.font.size)
            left = middle - wide / 2
            assert left >= -figure.layout.margin.l
            assert left + wide <= plot + figure.layout.margin.r


def test_alt_says_the_numbers() -> None:
    said = alt(made())
    for text in ("200 items today: 0.70", "about 90 items needed", "25 items [", "5\u202f000 items ["):
        assert text in said
    assert "no number of items needed" in alt(made(needed=None))


def test_axis_is_the_one_promised() -> None:
    figure = interval_widths(made(), theme="light")
    assert [round(10**end) for end in figure.layout.xaxis.range] == [FIRST, LAST]
    assert figure.layout.showlegend is False


def jackknifed(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, Interval(low, high, "jackknife"))


SPREADS = (
    Spread("kappa", jackknifed(0.81, 0.77, 0.85), jackknifed(0.81, 0.76, 0.86), 1.3, 0.87, 905, 226),
    Spread("accuracy", jackknifed(0.91, 0.89, 0.93), jackknifed(0.91, 0.88, 0.94), 1.4, 0.8, 905, 226),
    Spread("f1", Estimate(1.0), Estimate(1.0), math.nan, math.nan, 905, 226),
    Spread("balanced_accuracy", NOT_HERE, NOT_HERE, math.nan, math.nan, 905, 226),
)


def test_two_whiskers_for_each_metric() -> None:
    figure = flat_beside_items(SPREADS, theme="light")
    assert [list(trace.x) for trace in figure.data] == [[0.0]] * 6
    assert [trace.marker.symbol[0] for trace in figure.data[:2]] == ["circle-open", "circle"]
    assert figure.data[1].error_x.array[0] == pytest.approx(0.05)
    said = texts(figure)
    assert said.count("flat") == said.count("items") == 4
    assert {"0.87", "1.30", "–", "<b>κ</b>", "0.81", "91\u00a0%", "<b>BA</b>", "distance from the value"} <= set(said)
    assert figure.layout.xaxis.range[1] == pytest.approx(-figure.layout.xaxis.range[0])
    assert figure.layout.xaxis.range[1] > 0.05
    assert figure.layout.xaxis.ticktext == ("−.05", "0", "+.05")


def test_spreads_without_anything() -> None:
    assert texts(flat_beside_items((), theme="light")) == ["No interval to compare"]
    assert not flat_beside_items(SPREADS[2:], theme="dark").data
    assert "0.87 times as wide, design effect 1.30" in spreads_alt(SPREADS)
    assert spreads_alt(()) == "No interval to compare."


def test_an_axis_begins_with_the_items_of_today_where_they_are_few() -> None:
    plan = made(n_now=12, needed=9)
    figure = interval_widths(plan, theme="light")
    assert {"12 today", "◂ about 9 needed"} <= set(texts(figure))
    assert 10 ** figure.layout.xaxis.range[0] == pytest.approx(12)
    assert figure.layout.xaxis.ticktext == ("12", "25", "100", "500", "2\u202f000", "5\u202f000")
    assert [round(10**shape.x0) for shape in figure.layout.shapes if shape.x0 == shape.x1] == [12]
    assert 10 ** figure.data[3].x[0] == pytest.approx(12)
    low, high = figure.layout.yaxis.range
    assert low < plan.today.ends[0] < plan.today.ends[1] < high
    assert interval_widths(made(n_now=20), theme="light").layout.xaxis.ticktext[:2] == ("20", "100")
    assert interval_widths(made(n_now=25), theme="light").layout.xaxis.ticktext[:2] == ("25", "100")


def test_groups_are_named_and_an_interval_off_the_axis_does_not_stretch_it() -> None:
    many = replace(made(n_now=70_000, error=0.001), today=Estimate(0.7, Interval(-0.9, 0.99, "jackknife")))
    assert interval_widths(many, theme="light").layout.yaxis.range[0] > -0.9
    few = replace(made(n_now=4, error=0.2), counted="groups by ‘prompt’")
    figure = interval_widths(few, theme="light")
    assert "labelled groups by ‘prompt’, log scale" in texts(figure)
    assert figure.layout.yaxis.range[0] < few.today.ends[0]
    assert "4 groups by ‘prompt’ today" in alt(few)
    assert "5\u202f000 groups by ‘prompt’ [" in alt(few)
