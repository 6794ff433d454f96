"""A figure of plain dicts is plotly's own figure, only sooner."""

from __future__ import annotations

import copy
import json
import math
import pickle

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest

from metrics.figures import theme as style
from metrics.figures.marks import annotation
from metrics.figures.traces import Figure, bar, drawn, heatmap, scatter

LAYOUT = style.layout(style.LIGHT, height=300, xaxis={"range": [0, 1], "visible": False}, meta=[{"unnamed": 2}])
TRACES = [
    scatter(x=np.array([0.1, 0.2, math.nan]), y=[1.5, None, 3], mode="lines", line={"color": "#123456", "dash": None}),
    scatter(x=np.array([1, 2], np.float32), y=(3, 4), customdata=[[0], [1]], marker={"size": np.array([3.0, 4.0])}),
    bar(x=["a", "b"], y=np.array([1, 2]), hovertext=["<b>a</b>", "NaN is a word"]),
    heatmap(z=np.arange(6.0).reshape(2, 3), colorscale=[[0, "#000000"], [1, "#FFFFFF"]]),
]
NOTES = [annotation("a note", 0.5, 0.5, size=14, colour="#123456", hovertext=None)]
SHAPES = [{"type": "line", "x0": 0, "x1": 1, "y0": 0, "y1": 1, "line": {"width": 1}}]


def figure() -> Figure:
    return drawn(LAYOUT, TRACES, annotations=NOTES, shapes=SHAPES)


def known() -> go.Figure:
    """The same, all of it checked and copied by plotly."""
    return go.Figure(data=TRACES, layout={**LAYOUT, "annotations": NOTES, "shapes": SHAPES})


def values(part: object) -> object:
    """Lists of numbers, in whichever form they travel, and no template."""
    if isinstance(part, dict) and "bdata" in part:
        import base64

        array = np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"])
        shape = [int(n) for n in str(part["shape"]).split(",")] if "shape" in part else [-1]
        return values(array.reshape(shape).tolist())
    if isinstance(part, dict):
        return {name: values(own) for name, own in part.items() if name != "template"}
    if isinstance(part, list):
        return [values(own) for own in part]
    return None if isinstance(part, float) and math.isnan(part) else part


def test_what_is_sent_is_what_plotly_makes_of_it() -> None:
    ours = json.loads(pio.to_json(figure().to_dict(), validate=False))
    assert values(ours) == values(json.loads(known().to_json()))


def test_numbers_travel_as_bytes_of_their_own_kind() -> None:
    first, second, third, last = figure().to_dict()["data"]
    assert first["x"]["dtype"] == "f8"
    assert second["x"]["dtype"] == "f4"
    assert third["y"] == [1, 2]
    assert (last["z"]["dtype"], last["z"]["shape"]) == ("f8", "2, 3")


def test_its_parts_are_those_of_plotly() -> None:
    ours = figure()
    assert ours.layout.annotations[0].text == "a note"
    assert ours.data[0].line.color == "#123456"
    assert values(json.loads(ours.to_json())) == values(json.loads(known().to_json()))
    ours.add_annotation(text="another")
    assert len(ours.to_dict()["layout"]["annotations"]) == 2


def test_a_part_unknown_to_plotly_is_found_when_it_is_looked_into() -> None:
    with pytest.raises(ValueError, match="thickness"):
        _ = drawn(LAYOUT, [scatter(x=[0], y=[0], line={"thickness": 3})]).data


def test_what_is_noted_is_read_without_a_look_into_the_rest() -> None:
    broken = drawn(LAYOUT, [scatter(line={"thickness": 3})])
    assert broken.noted == {"unnamed": 2}
    looked_into = figure()
    assert len(looked_into.data) == len(TRACES)
    assert looked_into.noted == {"unnamed": 2}
    assert Figure().noted == {}


def test_what_was_written_stays_as_it_was() -> None:
    before = copy.deepcopy((LAYOUT, NOTES, SHAPES))
    sent = figure().to_dict()
    pio.to_json(sent, validate=False)
    sent["layout"]["height"] = 1
    assert before == (LAYOUT, NOTES, SHAPES)
    assert TRACES[0]["line"] == {"color": "#123456", "dash": None}


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda own: pickle.loads(pickle.dumps(own)), Figure])
def test_a_copy_sends_the_same(again) -> None:
    ours = figure()
    assert values(json.loads(again(ours).to_json())) == values(json.loads(ours.to_json()))


def test_an_empty_figure() -> None:
    assert values(json.loads(Figure().to_json())) == {"data": [], "layout": {}}
    assert not Figure().data
    with pytest.raises(AttributeError, match="surface_of_the_moon"):
        _ = Figure().surface_of_the_moon
