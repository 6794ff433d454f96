from __future__ import annotations

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from metrics.content.lab import readings
from metrics.content.lab.lessons import STEPS
from metrics.content.lab.scenes import at_step
from metrics.figures import theme
from pages.shared import exporting, picture

LAB = "pages/learn/lab.py"


def script(group: str, title: str) -> None:
    import streamlit as st

    from pages.shared.picture import picture_buttons

    with st.container(key=group):
        st.markdown("figures")
    picture_buttons("picture", group, title, ["Binary ·\x00 no abstentions.", "n = 100"], "lab_table")


@pytest.fixture
def told():
    """What the buttons are told about a group."""

    def run(group: str, title: str = "κ is 0.43") -> dict[str, object]:
        app = AppTest.from_function(script, kwargs={"group": group, "title": title}).run()
        assert not app.exception
        (component,) = app.get("bidi_component")
        data: dict[str, object] = json.loads(component.proto.json)
        return data

    return run


def test_the_buttons_know_the_group_by_the_class_it_has_in_the_page(told) -> None:
    assert told("lab.figures 1a")["group"] == "lab-figures-1a"


def test_what_stands_above_the_figures_is_plain_text(told) -> None:
    data = told("figures", "<b>κ</b> & φ\u202e")
    assert data["title"] == "<b>κ</b> & φ"
    assert data["lines"] == ["Binary ·  no abstentions.", "n = 100"]
    assert data["name"] == "lab_table"


def test_the_ground_is_that_of_the_theme(told) -> None:
    assert told("figures")["colours"] == {"page": theme.LIGHT.page, "text": theme.LIGHT.text, "muted": theme.LIGHT.muted}


def test_the_drawing_asks_nobody_else() -> None:
    js = "".join(path.read_text(encoding="utf-8") for path in (picture.DRAWING, picture.JS, exporting.JS))
    assert set(re.findall(r"https?://[^\"']+", js)) == {"http://www.w3.org/2000/svg"}
    assert ".innerHTML" not in js


def of_the_lab(app: AppTest) -> dict[str, object]:
    found = [json.loads(component.proto.json) for component in app.get("bidi_component")]
    (data,) = [one for one in found if one.get("group") == "lab_views"]
    return data


def test_the_lab_s_picture_carries_the_step_s_words_and_the_declaration(visit) -> None:
    app = visit(LAB, lab_step="2b", lab_view="full")
    scene = at_step("2b")
    data = of_the_lab(app)
    assert data["title"] == STEPS["2b"].title(scene.picture, scene.other)
    assert data["lines"] == [STEPS["2b"].sentence(scene.picture, scene.other), readings.header(scene.picture).text()]


def test_of_two_tables_both_are_declared_and_a_touched_step_says_nothing(visit) -> None:
    data = of_the_lab(visit(LAB, lab_a="45_5_95_855", lab_b="9_1_9_81", lab_step="2b", lab_view="full"))
    assert data["title"] == "Your own table, started from step 2b"
    assert len(data["lines"]) == 2
    assert "table A, 1\u202f000 decisions" in data["lines"][0]
    assert "table B, 100 decisions" in data["lines"][1]
