"""Who thinks alike: values and hatched gaps of every pair, groups framed and named, the reference in the same order."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from metrics.figures.alike import alike, alt
from metrics.figures.alike_groups import by_group
from metrics.figures.alike_list import alike_list
from metrics.figures.alike_parts import MOST, WRITTEN, Alike, Group, WithReference
from metrics.figures.theme import DARK, LIGHT, blend, contrast
from tests.figures.lab_tables import assert_apart, boxes, notes, shown, texts

LONG = "A rater of forty characters, exactly so!"
VALUES = np.array([[1, 0.62, -0.11], [0.62, 1, np.nan], [-0.11, np.nan, 1]])
SHARED = np.array([[60, 48, 30], [48, 50, 0], [30, 0, 40]])
THREE = Alike(["Ana", "Bo", "Cyd"], VALUES, SHARED, who="raters")


def made(n: int, missing: float = 0.1, groups=(), reference: bool = True, seed: int = 1) -> Alike:
    rng = np.random.default_rng(seed)
    values = np.clip(rng.normal(0.4, 0.3, (n, n)), -0.4, 1)
    values = (values + values.T) / 2
    gone = rng.random((n, n)) < missing
    values[gone | gone.T] = np.nan
    np.fill_diagonal(values, 1)
    shared = rng.integers(0, 99, (n, n))
    own = [WithReference(float(value), value - 0.1, value + 0.1) for value in rng.uniform(0, 0.9, n)]
    own[n // 2] = WithReference(math.nan, reason="judge says MET only")
    names = [f"{LONG[: 3 + 5 * i % 37]} {i}" for i in range(n)]
    return Alike(names, values, shared, groups, own if reference else None, "majority of all humans but one")


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
    "123": made(123, 0.3, tuple(Group(i, i + 9, 0.5, (f"10 × model {i}", "1 × odd")) for i in range(0, 110, 14))),
}


def layers(figure) -> list[np.ndarray]:
    """Cells of the three maps: undefined, diagonal, values."""
    return [np.asarray(trace.z) for trace in figure.data[:3]]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("width", [640, 1200])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_no_two_texts_meet_and_none_leaves_the_figure(case, width, scale) -> None:
    assert_apart(alike(CASES[case], theme="light", scale=scale, width=width), width * scale)


@pytest.mark.parametrize(
    "found", [THREE, CASES["two"], replace(THREE, groups=(Group(0, 2, 0.86),)), made(5, 0.1, GROUPS[:2], False)]
)
def test_few_raters_fit_a_phone(found) -> None:
    figure = alike(found, theme="dark", width=340)
    assert_apart(figure, 340)
    cells = [note for note in notes(figure) if note["xref"] == "x" and note["yref"] == "y"]
    assert len(cells) == len(found) * (len(found) - 1)


@pytest.mark.parametrize("case", [case for case in CASES if case != "123"])
def test_every_cell_is_a_value_a_gap_or_the_diagonal(case) -> None:
    found = CASES[case]
    undefined, own, values = layers(alike(found, theme="light"))
    there = np.stack([~np.isnan(layer.astype(float)) for layer in (undefined, own, values)])
    assert (there.sum(axis=0) == 1).all()
    assert (there[1] == np.eye(len(found), dtype=bool)).all()
    assert (there[0] == found.undefined).all()
    assert values[there[2]] == pytest.approx(found.values[there[2]], abs=1e-6)


def test_values_stand_in_the_cells_and_gaps_are_dashes() -> None:
    cells = {
        (note["y"], note["x"]): note["text"]
        for note in notes(alike(THREE, theme="light"))
        if note["yref"] == "y" and note["xref"] == "x"
    }
    assert cells == {(0, 1): "0.62", (1, 0): "0.62", (0, 2): "−0.11", (2, 0): "−0.11", (1, 2): "–", (2, 1): "–"}
    assert "– undefined" in texts(alike(THREE, theme="light"))
    twelve = made(WRITTEN, 0, GROUPS)
    written = [note for note in notes(alike(twelve, theme="light", width=640)) if note["yref"] == "y" and note["xref"] == "x"]
    assert len(written) == WRITTEN * (WRITTEN - 1)
    assert "– undefined" not in texts(alike(replace(twelve, reference=None), theme="light"))


def test_values_are_read_on_their_cell() -> None:
    for theme, colours in (("light", LIGHT), ("dark", DARK)):
        for value in np.linspace(-0.2, 1, 25):
            found = replace(THREE, values=np.where(np.eye(3) == 1, 1, value))
            note = next(note for note in notes(alike(found, theme=theme)) if note["xref"] == "x" and note["yref"] == "y")
            fill = (
                blend(colours.page, colours.kappa, value) if value >= 0 else blend(colours.page, colours.below_zero, value / -0.2)
            )
            assert contrast(note["font"]["color"], fill) >= 4.5, (theme, value)


def test_many_gaps_have_a_line_through_each_run_and_no_colour() -> None:
    found = CASES["65"]
    dashes = alike(found, theme="light").data[3]
    spans = [(int(y), x0 + 0.25, x1 + 0.75) for x0, x1, y in zip(dashes.x[::3], dashes.x[1::3], dashes.y[::3], strict=True)]
    crossed = np.zeros((65, 65), dtype=bool)
    for row, first, behind in spans:
        crossed[row, round(first) : round(behind)] = True
    assert (crossed == found.undefined).all()
    assert dashes.line.color == LIGHT.neutral


@pytest.mark.parametrize(("theme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_colours_lead_from_page_to_kappa_and_turn_at_zero(theme, colours) -> None:
    values = alike(THREE, theme=theme).data[2]
    at_zero = (0 - values.zmin) / (values.zmax - values.zmin)
    assert (values.zmin, values.zmax) == (pytest.approx(-0.2), 1)
    assert list(values.colorscale[1]) == [pytest.approx(at_zero), colours.page]
    assert (values.colorscale[0][1], values.colorscale[2][1]) == (colours.below_zero, colours.kappa)
    assert list(values.colorbar.ticktext) == ["−.2", "0", ".5", "κ = 1"]
    assert alike(made(20, 0, reference=False, seed=0), theme=theme).data[2].zmin < 0
    level = replace(THREE, values=np.abs(VALUES))
    assert alike(level, theme=theme).data[2].zmin == 0


def test_shared_items_are_under_the_pointer() -> None:
    figure = alike(THREE, theme="light")
    assert np.asarray(figure.data[2].customdata).tolist() == SHARED.tolist()
    assert "%{customdata:,} shared items" in figure.data[2].hovertemplate
    assert "undefined</b><br>%{customdata" in figure.data[0].hovertemplate


def test_groups_are_framed_and_named_by_mean_and_share() -> None:
    figure = alike(CASES["twelve"], theme="light")
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
    figure = alike(found, theme="light")
    placed = [(text, top) for text, _, top, _, _ in boxes(figure, 640) if text.startswith("<b>mean")]
    assert [top for _, top in placed] == sorted(top for _, top in placed)
    assert len(placed) == len(CLOSE)
    assert "<b>" not in "".join(text.replace("<b>mean", "") for text, _ in placed)


def test_the_reference_stands_in_the_same_rows() -> None:
    found = CASES["65"]
    dots = alike(found, theme="light").data[-1]
    kept = [i for i, one in enumerate(found.reference) if not math.isnan(one.value)]
    assert list(dots.y) == kept
    assert list(dots.x) == pytest.approx([found.reference[i].value for i in kept])
    assert dots.error_x.array == pytest.approx([0.1] * 64)
    assert [place for (place,) in dots.customdata] == kept
    missing = [note for note in notes(alike(found, theme="light")) if note["xref"] == "x2" and note["yref"] == "y"]
    assert [(note["y"], note["text"]) for note in missing] == [(32, "– undefined")]
    assert "judge says MET only" in missing[0]["hovertext"]


def test_names_are_escaped_whole_on_hover_and_told_apart() -> None:
    found = replace(THREE, names=["<img src=x onerror=alert(1)>", LONG, LONG])
    figure = alike(found, theme="light")
    json = figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")
    assert "<img" not in json
    assert LONG in [note.get("hovertext") for note in notes(figure)]
    assert len(set(figure.data[2].x)) == 3


def test_above_eighty_there_are_groups_alone() -> None:
    found = CASES["123"]
    assert len(found) > MOST
    groups = by_group(found)
    assert list(groups.names) == [", ".join(group.shares) for group in found.groups]
    assert np.diag(groups.values) == pytest.approx([0.5] * 8)
    assert groups.values[0, 1] == pytest.approx(np.nanmean(found.values[0:10, 14:24]))
    assert groups.reference[0].value == pytest.approx(np.mean([one.value for one in found.reference[:10]]))
    assert "43 judges in no group" in texts(alike(found, theme="light"))
    assert [
        note["text"] for note in notes(alike(found, theme="light")) if (note["x"], note["y"], note["xref"]) == (0, 0, "x")
    ] == ["0.50"]
    assert texts(alike(replace(found, groups=()), theme="light")) == ["No groups among more than 80"]


def test_alt_says_every_pair_of_few_and_the_ends_of_many() -> None:
    told = alt(THREE)
    assert told == (
        "κ between 3 raters. Ana and Bo 0.62 on 48 shared items; Ana and Cyd −0.11 on 30 shared items; "
        "Bo and Cyd undefined on 0 shared items."
    )
    many = alt(CASES["thirteen"])
    pairs = CASES["thirteen"].values[np.triu_indices(13, 1)]
    assert f"{np.isnan(pairs).sum()} pairs undefined" in many
    assert f"{np.nanmax(pairs):.2f}" in many
    assert "Group of 6 (4 × GPT, 2 × a name that is long indeed)" in many
    assert "undefined: judge says MET only" in many
    assert alt(replace(THREE, names=[], values=np.zeros((0, 0)))) == "No two to compare."
    assert texts(alike(Alike(["A"], np.eye(1), np.eye(1, dtype=int)), theme="light")) == ["No two to compare"]


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
    assert texts(alike_list(replace(CASES["123"], groups=()), theme="light")) == ["No groups among more than 80"]
