"""Around the views: the declaration, the differences of A and B, the tasks, and what can be taken away."""

from __future__ import annotations

import streamlit as st

from metrics.content.lab import provenance, readings
from metrics.content.lab.scenes import Scene
from pages.shared import parts, sheets, to_lab
from pages.shared.lab import lessons, tasks, views
from pages.shared.page_records import SWEEP
from pages.shared.picture import picture_buttons
from pages.shared.plain import escape, escaped

SWEPT = ("sweep_tpr", "sweep_tnr", "sweep_at")


def declaration(scene: Scene) -> None:
    """What the numbers of the table rest on, and the one lit to quote."""
    picture, tables = scene.picture, (scene.picture, scene.other if scene.b is not None else None)
    whole = " ".join(provenance.header(picture, whole=True).text() for picture in tables if picture is not None)
    parts.declaration(provenance.header(picture), provenance.citation(picture, views.lit(scene, picture)), whole)
    with st.container(key="lab_back"):
        to_lab.back(scene.source)


def below(scene: Scene) -> None:
    """What stands below the bars."""
    downloads(scene)
    differences(scene)
    tasks.chooser(scene)


def downloads(scene: Scene) -> None:
    picture = scene.picture
    with st.container(horizontal=True, vertical_alignment="center"):
        sheets.download(
            "The table and its numbers (CSV)",
            lambda: readings.frame(picture, scene.other if scene.b is not None else None),
            "lab.csv",
            "lab.csv",
        )
        _picture(scene)
        if not picture.without_rates:
            asked = dict(zip(SWEPT, picture.in_percent, strict=True)) | {"sweep_from": "typed"}
            st.page_link(SWEEP.path, label="This judge at every prevalence", query_params=asked)


def _picture(scene: Scene) -> None:
    """The views as one picture, under the step's words and what the numbers rest on."""
    title, sentence = lessons.words(scene)
    tables = (scene.picture, scene.other if scene.b is not None else None)
    rest = [provenance.header(picture).text() for picture in tables if picture is not None]
    picture_buttons("lab.picture", "lab_views", title, [line for line in (sentence, *rest) if line], "lab")


def differences(scene: Scene) -> None:
    """What differs between A and B."""
    b = scene.other
    if scene.b is None or b is None:
        return
    parts.headed("A and B in numbers", provenance.header(b).text())
    columns = readings.differences(scene.picture, b)
    # Below the table, which would be wider than a telephone with them.
    reasons = columns.pop("undefined because", [])
    st.table(escaped(columns), hide_index=True, alt="Metrics of A and B and their differences")
    why = [f"{name} is undefined. {reason}." for name, reason in zip(columns["metric"], reasons, strict=False) if reason]
    if why:
        st.markdown(f":small[{escape(' '.join(why))}]")
