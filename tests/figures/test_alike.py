"""Who thinks alike: values and gaps of every pair, groups framed and named, the reference in the same order."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from metrics.figures.agreement_heatmap import agreement_heatmap, alt, broadest
from metrics.figures.agreement_heatmap_groups import by_group
from metrics.figures.agreement_heatmap_list import PAIRS as LISTED
from metrics.figures.agreement_heatmap_list import alike_list, lists_every_pair, n_listed, pair_list, pairs_alt
from metrics.figures.agreement_heatmap_list import alt as list_alt
from metrics.figures.agreement_heatmap_parts import BROAD, MOST, NAMED, WRITTEN, AgreementHeatmap, Drawing, Group
from metrics.figures.theme import DARK, LIGHT, blend, contrast, tokens
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from tests.figures.lab_tables import assert_apart, boxes, notes, shown, texts

LONG = "A rater of forty characters, exactly so!"
VALUES = np.array([[1, 0.62, -0.11], [0.62, 1, np.nan], [-0.11, np.nan, 1]])
SHARED = np.array([[60, 48, 30], [48, 50, 0], [30, 0, 40]])
THREE = AgreementHeatmap(["Ana", "Bo", "Cyd"], VALUES, SHARED, who="raters")


def made(n: int, missing: float = 0.1, groups=(), reference: bool = True, seed: int = 1) -> AgreementHeatmap:
    rng = np.random.default_rng(seed)
    values = np.clip(rng.normal(0.4, 0.3, (n, n)), -0.4, 1)
    values = (values + values.T) / 2
    gone = rng.random((n, n)) < missing
    values[gone | gone.T] = np.nan
    np.fill_diagonal(values, 1)
    shared = rng.integers(0, 99, (n, n))
    own = [Estimate(float(value), Interval(value - 0.1, value + 0.1, "")) for value in rng.uniform(0, 0.9, n)]
    own[n // 2] = Estimate(math.nan, why="judge says MET only")
    names = [f"{LONG[: 3 + 5 * i % 37]} {i}" for i in range(n)]
    return AgreementHeatmap(names, values, shared, groups, own if reference else None, "majority of all humans but one")


GROUPS = (Group(0, 1, 0.71, ("2 × X",)), Group(2, 3, 0.5), Group(4, 9, 0.81, ("4 × GPT", "2 × a name that is long indeed")))
CLOSE = tuple(Group(i, i + 1, 0.5 + i / 200, ("1 × A", "1 × <b>", "1 × C", "1 × D", "1 × E")) for i in range(0, 64, 2))
CASES = {
    "three": THREE,
    "two": made(2, 0, (Group(0, 1, 0.3, ("2 × A",)),)),
    "twelve": made(12, 0.1, GROUPS),
    "no reference": made(12, 0.1, GROUPS, reference=False),
    "thirteen": made(13, 0.4, GROUPS),
    "65": made(65, 0.6, tuple(Group(i, i + 2, 0.5, ("3 × A",)) for i in range(0, 60, 4))),
    "65 in close groups": made(65, 0, CLOSE),
    "all undefined": made(20, 1),
    "123 without groups": made(123, 0.3, reference=False),
    "301": made(MOST + 1, 0, tuple(Group(i, i + 9, 0.5, (f"10 × model {i}", "1 × odd")) for i in range(0, 110, 14))),
    "123": made(123, 0.3, tuple(Group(i, i + 9, 0.5, (f"10 × model {i}", "1 × odd")) for i in range(0, 110, 14))),
}


def layers(figure) -> list[np.ndarray]:
    """Cells of the three maps: undefined, diagonal, values; those may be squares of several sizes."""
    undefined, own, values = figure.data[:3]
    cells = np.full(np.shape(own.z), np.nan)
    if values.type == "scatter":
        place = {name: i for i, name in enumerate(undefined.x)}
        for x, y, value in zip(values.x, values.y, values.marker.color, strict=True):
            cells[place[y], place[x]] = value
    return [np.asarray(undefined.z), np.asarray(own.z), cells if values.type == "scatter" else np.asarray(values.z)]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("width", [640, 1200])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_no_two_texts_meet_and_none_leaves_the_figure(case, width, scale) -> None:
    assert_apart(agreement_heatmap(CASES[case], theme="light", scale=scale, width=width), width * scale)


@pytest.mark.parametrize(
    "found", [THREE, CASES["two"], replace(THREE, groups=(Group(0, 2, 0.86),)), made(5, 0.1, GROUPS[:2], False)]
)
def test_few_raters_fit_a_phone(found) -> None:
    figure = agreement_heatmap(found, theme="dark", width=340)
    assert_apart(figure, 340)
    cells = [note for note in notes(figure) if note["xref"] == "x" and note["yref"] == "y"]
    assert len(cells) == int((found.drawn & ~(found.undefined & (found.shared == 0))).sum())


@pytest.mark.parametrize("case", [case for case in CASES if case != "301"])
def test_every_cell_is_a_value_a_gap_or_the_diagonal(case) -> None:
    found = CASES[case]
    undefined, own, values = layers(agreement_heatmap(found, theme="light"))
    there = np.stack([~np.isnan(layer.astype(float)) for layer in (undefined, own, values)])
    assert (there.sum(axis=0) == 1).all()
    assert (there[1] == np.eye(len(found), dtype=bool)).all()
    assert (there[0] == found.undefined).all()
    assert values[there[2]] == pytest.approx(found.values[there[2]], abs=6e-4)


def test_values_stand_in_the_cells_and_pairs_that_share_nothing_have_blank_ones() -> None:
    cells = {
        (note["y"], note["x"]): shown(note["text"])
        for note in notes(agreement_heatmap(THREE, theme="light"))
        if note["yref"] == "y" and note["xref"] == "x"
    }
    assert cells == {
        **dict.fromkeys(((0, 1), (1, 0)), "0.62\nn 48"),
        **dict.fromkeys(((0, 2), (2, 0)), "−0.11\nn 30"),
    }
    assert "blank: no value; n: shared decisions" in texts(agreement_heatmap(THREE, theme="light"))
    same = replace(THREE, shared=SHARED + 1)
    assert "–" in " ".join(texts(agreement_heatmap(same, theme="light")))
    assert "– undefined; n: shared decisions" in texts(agreement_heatmap(same, theme="light"))
    twelve = made(WRITTEN, 0, GROUPS)
    written = [
        note for note in notes(agreement_heatmap(twelve, theme="light", width=640)) if note["yref"] == "y" and note["xref"] == "x"
    ]
    assert len(written) == WRITTEN * (WRITTEN - 1)
    assert "undefined" not in " ".join(texts(agreement_heatmap(replace(twelve, reference=None), theme="light")))


def test_values_are_read_on_their_cell() -> None:
    for theme, colours in (("light", LIGHT), ("dark", DARK)):
        for value in np.linspace(-0.2, 1, 25):
            found = replace(THREE, values=np.where(np.eye(3) == 1, 1, value))
            note = next(
                note for note in notes(agreement_heatmap(found, theme=theme)) if note["xref"] == "x" and note["yref"] == "y"
            )
            fill = (
                blend(colours.page, colours.kappa, value) if value >= 0 else blend(colours.page, colours.below_zero, value / -0.2)
            )
            assert contrast(note["font"]["color"], fill) >= 4.5, (theme, value)


def test_cells_of_many_are_as_large_as_their_shared_decisions_are_many() -> None:
    found = made(30, 0.3, reference=False)
    figure = agreement_heatmap(found, theme="light")
    squares = figure.data[2]
    assert list(figure.layout.xaxis3.categoryarray) == list(figure.layout.yaxis3.categoryarray) == list(figure.data[0].x)
    assert squares.marker.symbol == "square"
    place = {name: i for i, name in enumerate(agreement_heatmap(found, theme="light").data[0].x)}
    shared = np.array([found.shared[place[y], place[x]] for x, y in zip(squares.x, squares.y, strict=True)])
    sizes = np.array(squares.marker.size)
    assert (np.diff(sizes[np.argsort(shared, kind="stable")]) >= 0).all()
    assert sizes.max() < 14
    assert sizes.min() >= 2
    areas = sizes[shared > 0.3 * shared.max()] ** 2 / shared[shared > 0.3 * shared.max()]
    assert areas.max() / areas.min() < 1.1
    assert all(f"{n} shared decision" in hover for n, hover in zip(shared, squares.hovertext, strict=True))
    even = replace(found, shared=np.full((30, 30), 50))
    assert agreement_heatmap(even, theme="light").data[2].type == "heatmap"
    assert agreement_heatmap(CASES["65"], theme="light").data[2].type == "heatmap", "cells too small to have sizes"


def test_many_raters_who_hardly_met_are_listed_by_pairs() -> None:
    rng = np.random.default_rng(4)
    shared = np.where(rng.random((20, 20)) < 0.1, 30, 0)
    shared = np.maximum(shared, shared.T) + np.eye(20, dtype=int)
    shared[3, 7] = shared[7, 3] = 99
    values = np.where(shared > 0, 0.4, np.nan)
    values[3, 7] = values[7, 3] = np.nan
    found = AgreementHeatmap([f"r{i}" for i in range(20)], values, shared, who="raters")
    assert found.sparse
    assert not CASES["65"].sparse
    assert not replace(THREE, shared=np.zeros((3, 3), int)).sparse
    drawn = texts(pair_list(found, theme="light"))
    assert drawn.index("r3 · r7") < min(drawn.index(text) for text in drawn if " · " in text and text != "r3 · r7")
    assert "n 99" in drawn
    assert n_listed(found) == min(LISTED, int(np.triu(shared > 0, 1).sum()))
    assert pairs_alt(found).startswith("κ of pairs of raters. r3 · r7 undefined: one label only, n 99; ")
    hovers = [text for trace in pair_list(THREE, theme="light").data for text in trace.hovertext or trace.text or ()]
    assert not any("one label only" in text for text in hovers), "every listed pair has a value"
    nobody = replace(found, shared=np.zeros((20, 20), int))
    assert (n_listed(nobody), pairs_alt(nobody)) == (0, "No two to compare.")
    assert [lists_every_pair(each) for each in (THREE, found, nobody)] == [True, False, False]


@pytest.mark.parametrize(("theme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_colours_lead_from_page_to_kappa_and_turn_at_zero(theme, colours) -> None:
    values = agreement_heatmap(THREE, theme=theme).data[2]
    at_zero = (0 - values.zmin) / (values.zmax - values.zmin)
    assert (values.zmin, values.zmax) == (pytest.approx(-0.2), 1)
    assert list(values.colorscale[1]) == [pytest.approx(at_zero), colours.page]
    assert (values.colorscale[0][1], values.colorscale[2][1]) == (colours.below_zero, colours.kappa)
    assert list(values.colorbar.ticktext) == ["−.2", "0", ".5", "κ = 1"]
    assert agreement_heatmap(made(20, 0, reference=False, seed=0), theme=theme).data[2].marker.cmin < 0
    level = replace(THREE, values=np.abs(VALUES))
    assert agreement_heatmap(level, theme=theme).data[2].zmin == 0


def test_shared_items_are_under_the_pointer() -> None:
    figure = agreement_heatmap(THREE, theme="light")
    assert np.asarray(figure.data[2].customdata).tolist() == SHARED.tolist()
    assert "%{customdata:,} shared decisions" in figure.data[2].hovertemplate
    assert "undefined</b><br>%{customdata" in figure.data[0].hovertemplate


def test_groups_are_framed_and_named_by_mean_and_share() -> None:
    figure = agreement_heatmap(CASES["twelve"], theme="light")
    frames = [shape for shape in figure.to_dict()["layout"]["shapes"] if shape["type"] == "rect"]
    assert [(frame["x0"], frame["x1"], frame["y0"], frame["y1"]) for frame in frames] == [
        (group.first - 0.5, group.last + 0.5, group.first - 0.5, group.last + 0.5) for group in GROUPS
    ]
    told = [shown(text) for text in texts(figure)]
    assert "mean κ 0.71\n2 × X" in told
    assert "mean κ 0.50" in told
    assert any(text.startswith("mean κ 0.81\n4 × GPT\n2 × ") for text in told)


def test_labels_stand_in_the_order_of_their_groups_however_close() -> None:
    found = CASES["65 in close groups"]
    figure = agreement_heatmap(found, theme="light")
    placed = [(text, top) for text, _, top, _, _ in boxes(figure, 640) if text.startswith("<b>mean")]
    assert [top for _, top in placed] == sorted(top for _, top in placed)
    assert len(placed) == len(CLOSE)
    assert "<b>" not in "".join(text.replace("<b>mean", "") for text, _ in placed)


def test_the_reference_stands_in_the_same_rows() -> None:
    found = CASES["65"]
    dots = agreement_heatmap(found, theme="light").data[-1]
    kept = [i for i, one in enumerate(found.reference) if not math.isnan(one.value)]
    assert list(dots.y) == kept
    assert list(dots.x) == pytest.approx([found.reference[i].value for i in kept])
    assert dots.error_x.array == pytest.approx([0.1] * 64)
    assert [place for (place,) in dots.customdata] == kept
    missing = [note for note in notes(agreement_heatmap(found, theme="light")) if note["xref"] == "x2" and note["yref"] == "y"]
    assert [(note["y"], note["text"]) for note in missing] == [(32, "– undefined")]
    assert "judge says MET only" in missing[0]["hovertext"]


def test_of_few_the_strip_says_value_and_interval() -> None:
    own = [Estimate(0.57, Interval(0.51, 0.63, "")), Estimate(0.46), Estimate(math.nan, why="judge says MET only")]
    found = replace(THREE, reference=own)
    strip = [note for note in notes(agreement_heatmap(found, theme="light")) if note["xref"] == "x2" and note["yref"] == "y"]
    assert [(note["text"], note["y"]) for note in strip] == [
        ("– undefined", 2), ("0.57", 0), ("[0.51, 0.63]", 0), ("0.46", 1),
    ]  # fmt: skip
    value, ends = strip[1:3]
    assert value["yshift"] > 0 > ends["yshift"]
    assert value["x"] == 0.57


def test_names_are_escaped_whole_on_hover_and_told_apart() -> None:
    found = replace(THREE, names=["<img src=x onerror=alert(1)>", LONG, LONG])
    figure = agreement_heatmap(found, theme="light")
    json = figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")
    assert "<img" not in json
    assert LONG in [note.get("hovertext") for note in notes(figure)]
    assert len(set(figure.data[2].x)) == 3


def test_above_three_hundred_there_are_groups_alone() -> None:
    found = CASES["301"]
    assert len(found) > MOST
    groups = by_group(found)
    assert list(groups.names) == [", ".join(group.shares) for group in found.groups]
    assert np.diag(groups.values) == pytest.approx([0.5] * 8)
    assert groups.values[0, 1] == pytest.approx(np.nanmean(found.values[0:10, 14:24]))
    assert groups.reference[0].value == pytest.approx(np.mean([one.value for one in found.reference[:10]]))
    assert "; 221 judges in no group" in " ".join(texts(agreement_heatmap(found, theme="light"))).replace("<br>", " ")
    assert [
        shown(note["text"]).split("\n")[0]
        for note in notes(agreement_heatmap(found, theme="light"))
        if (note["x"], note["y"], note["xref"]) == (0, 0, "x")
    ] == ["0.50"]
    assert texts(agreement_heatmap(replace(found, groups=()), theme="light")) == ["No groups among more than 300"]


@pytest.mark.parametrize("case", ["123", "123 without groups"])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_above_eighty_the_whole_map_stands_without_names(case, scale) -> None:
    found = CASES[case]
    assert NAMED < len(found) <= MOST
    figure = agreement_heatmap(found, theme="light", scale=scale)
    layout = figure.to_dict()["layout"]
    row = (layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]) / len(found)
    assert 4 <= row / scale <= 6.05
    assert not [note for note in notes(figure) if note["xanchor"] == "right"]
    assert "names under the pointer" in shown(" ".join(texts(figure))).replace("\n", " ")
    assert [name.rstrip("\u00a0") for name in figure.data[2].y] == list(found.names)
    frames = [shape for shape in layout["shapes"] if shape["type"] == "rect"]
    assert [(frame["x0"], frame["x1"]) for frame in frames] == [(one.first - 0.5, one.last + 0.5) for one in found.groups]
    assert sum(text.startswith("<b>mean κ 0.50") for text in texts(figure)) == len(found.groups)


def test_without_names_a_rater_without_a_reference_has_a_dash_in_the_strip() -> None:
    found = CASES["123"]
    dash = agreement_heatmap(found, theme="light").data[-1]
    assert (list(dash.y), dash.marker.symbol, dash.xaxis) == ([61], "line-ew-open", "x2")
    assert "undefined: judge says MET only" in dash.hovertext[0]
    assert "undefined" not in [note["text"] for note in notes(agreement_heatmap(found, theme="light")) if note["xref"] == "x2"]


def shared_said(found: AgreementHeatmap, **look) -> str:
    """What stands beside the colour bar, in one line."""
    (note,) = [
        note for note in notes(agreement_heatmap(found, theme="light", **look)) if note["y"] == 0 and note["yref"] == "paper"
    ]
    return shown(note["text"]).replace("\n", " ")


def test_shared_items_stand_in_the_cell_or_their_ends_beside_the_bar() -> None:
    twelve = made(12, 0, GROUPS)
    assert shared_said(twelve) == "n: shared decisions"
    many = replace(twelve, shared=twelve.shared + 100)
    assert shared_said(many) == "under κ: shared decisions"
    assert f"0.41\n{many.shared[0, 1]}" in [shown(text) for text in texts(agreement_heatmap(many, theme="light"))]
    lots = replace(twelve, shared=twelve.shared + 12000)
    off = ~np.eye(12, dtype=bool)
    ends = [f"{n:,}".replace(",", "\u202f") for n in (lots.shared[off].min(), lots.shared[off].max())]
    assert shared_said(lots) == f"n from {ends[0]} to {ends[1]} shared decisions"
    assert "0.41" in texts(agreement_heatmap(lots, theme="light"))
    assert shared_said(replace(made(13, 0), shared=np.full((13, 13), 350))) == "n 350 shared decisions"
    gone = CASES["65"]
    there = gone.shared[gone.drawn & ~gone.undefined]
    assert shared_said(gone) == f"blank: no value; n from {there.min()} to {there.max()} shared decisions"


@pytest.mark.parametrize("groups", [(), (Group(0, 1, 0.7, ("2 × GPT",)),)])
@pytest.mark.parametrize("reference", [True, False])
@pytest.mark.parametrize("n", [2, 3, 5, 8, 12, 123])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_cells_are_nearly_square_where_the_figure_is_broadest(n, reference, groups, scale) -> None:
    found = made(n, 0.1, groups, reference)
    most = broadest(found, theme="light", scale=scale)
    figure = agreement_heatmap(found, theme="light", scale=scale).to_dict()["layout"]
    across = most - figure["margin"]["l"] - figure["margin"]["r"]
    cell = across * figure["xaxis"]["domain"][1] / n
    assert cell / Drawing(tokens("light"), scale, found, 640 * scale).row == pytest.approx(BROAD, abs=0.02)
    assert_apart(agreement_heatmap(found, theme="light", scale=scale), min(most, 640 * scale))


def test_flat_rows_with_names_take_the_page() -> None:
    assert broadest(CASES["thirteen"], theme="light") is None
    assert broadest(CASES["65"], theme="light") is None
    assert broadest(AgreementHeatmap(["A"], np.eye(1), np.eye(1, dtype=int)), theme="light") is None


def test_alt_says_every_pair_of_few_and_the_ends_of_many() -> None:
    told = alt(THREE)
    assert told == (
        "κ between 3 raters. Ana and Bo 0.62 on 48 shared decisions; Ana and Cyd −0.11 on 30 shared decisions; "
        "Bo and Cyd undefined on 0 shared decisions."
    )
    many = alt(CASES["thirteen"])
    pairs = CASES["thirteen"].values[np.triu_indices(13, 1)]
    assert f"{np.isnan(pairs).sum()} pairs undefined" in many
    assert f"{np.nanmax(pairs):.2f}" in many
    assert "Group of 6 (4 × GPT, 2 × a name that is long indeed)" in many
    assert "undefined: judge says MET only" in many
    assert alt(replace(THREE, names=[], values=np.zeros((0, 0)))) == "No two to compare."
    assert texts(agreement_heatmap(AgreementHeatmap(["A"], np.eye(1), np.eye(1, dtype=int)), theme="light")) == [
        "No two to compare"
    ]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("width", [340, 390])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_on_a_phone_no_two_texts_of_the_list_meet(case, width, scale) -> None:
    assert_apart(alike_list(CASES[case], theme="light", scale=scale, width=width), width * scale)


@pytest.mark.parametrize("case", ["twelve", "thirteen", "65", "65 in close groups"])
def test_the_list_holds_every_rater_in_order_under_its_group(case) -> None:
    found = CASES[case]
    figure = alike_list(found, theme="dark")
    (dots,) = figure.data
    kept = [i for i, one in enumerate(found.reference) if not math.isnan(one.value)]
    assert [place for (place,) in dots.customdata] == kept
    assert list(dots.x) == pytest.approx([found.reference[i].value for i in kept])
    places = [(note["y"], note["text"]) for note in notes(figure) if note["xanchor"] == "left" and note.get("xref") == "paper"]
    headings = [(y, text) for y, text in places if text.startswith("<b>mean κ")]
    assert len(headings) == len(found.groups)
    heights = dict(zip(kept, dots.y, strict=True))
    for group, (y, text) in zip(found.groups, headings, strict=True):
        assert f"{group.mean:.2f}" in text
        members = [heights[i] for i in range(group.first, group.last + 1) if i in heights]
        others = [heights[i] for i in heights if i < group.first]
        assert max(others, default=0) < y < min(members)


def test_the_list_says_what_is_in_no_group_and_why_a_value_is_missing() -> None:
    told = texts(alike_list(CASES["twelve"], theme="light"))
    assert told.count("in no group") == 1
    assert {"κ with majority of all humans but one", "–", "judge says MET only"} <= set(told)
    assert "in no group" not in texts(alike_list(replace(CASES["twelve"], groups=()), theme="light"))


def test_without_a_reference_the_list_shows_the_mean_with_the_others() -> None:
    figure = alike_list(THREE, theme="light")
    assert list(figure.data[0].x) == pytest.approx([(0.62 - 0.11) / 2, 0.62, -0.11])
    assert "mean κ with the others" in texts(figure)
    alone = alike_list(CASES["all undefined"], theme="light")
    assert sum(text == "–" for text in texts(alone)) == 1
    lonely = alike_list(replace(CASES["all undefined"], reference=None), theme="light")
    assert not len(lonely.data[0].x)
    assert texts(lonely).count("no pair has a value") == 20


def test_above_eighty_the_list_holds_groups_alone() -> None:
    told = [shown(text).replace("\u00a0", " ") for text in texts(alike_list(CASES["123"], theme="light"))]
    assert "mean κ 0.50 · 10 × model 0, 1 × odd" in told
    assert told.count("10 judges") == 8
    assert "mean κ with majority of all humans but one" in told
    assert "43 judges in no group" in told


def test_without_groups_the_list_holds_both_ends_of_many() -> None:
    found = made(123, 0.02, seed=3)
    found.values[7] = found.values[:, 7] = np.nan
    figure = alike_list(found, theme="light")
    means = [np.nanmean(np.delete(row, i)) if i != 7 else np.nan for i, row in enumerate(found.values)]
    order = [i for i in np.argsort(means) if i != 7]
    kept = order[:10] + order[-10:]
    assert list(figure.data[0].x) == pytest.approx([means[i] for i in kept])
    assert [hover.split("<br>")[0] for hover in figure.data[0].hovertext] == [found.names[i] for i in kept]
    told = [shown(text).replace("\n", " ") for text in texts(figure)]
    assert (
        "No groups among 123 judges. Here are the 10 with the lowest and the 10 with the highest mean κ with the others." in told
    )
    assert {"Lowest", "Highest", "mean κ with the others", "1 judge without any κ"} <= set(told)
    heights = {note["text"]: note["y"] for note in notes(figure)}
    assert heights["Lowest"] < figure.data[0].y[0] < figure.data[0].y[9] < heights["Highest"] < figure.data[0].y[10]


def test_of_many_without_any_value_the_list_says_so() -> None:
    found = made(90, 1)
    assert texts(alike_list(found, theme="light")) == ["90 judges: fewer than two with a mean κ with the others"]


@pytest.mark.parametrize("case", CASES)
def test_the_words_beside_the_list_have_every_number_in_it(case) -> None:
    for found in (CASES[case], replace(CASES[case], reference=None)):
        values = [text.text for text in alike_list(found, theme="light").layout.annotations if text.xanchor == "right"]
        told = list_alt(found)
        assert all(text in told for text in values if text.removeprefix("−")[:1].isdigit())


def test_the_words_beside_a_map_of_many_say_how_many_items_are_shared() -> None:
    found = CASES["123"]
    there = found.shared[found.drawn]
    assert f"{there.min()} to {there.max()} shared decisions per pair" in alt(found)
