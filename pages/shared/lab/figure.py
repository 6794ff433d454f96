"""The figure that one holds: a table as a hundred dots whose dividers are dragged, and what follows from it, in the browser."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from metrics.content.lab.javascript import formulas
from metrics.content.lab.lessons import lesson_of
from metrics.content.lab.pictures import Picture
from metrics.content.lab.provenance import ON_AVERAGE
from metrics.content.lab.scenes import Scene
from metrics.figures import confusion
from metrics.figures import theme as figure_theme
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import shorten, uncapital
from pages.shared import component, parts, state
from pages.shared.lab import held
from pages.shared.mark import HOLDING

KEY = "lab.figure"
JS = Path(__file__).with_suffix(".js")
ROOM = 24 / 13
"""How much larger the words of the figure are in the room, where none has less than 24 px."""
LONGEST = 14
"""Letters of a label that stand on the figure."""
OWN = "your table; the sentence has the step’s numbers"
AVERAGE = uncapital(ON_AVERAGE).removesuffix(".")
HTML = '<div class="held"></div>'
CSS = """
:host {display: block; container-type: inline-size}
.held {font-family: var(--st-font); color: var(--st-text-color)}
.tables {display: flex; gap: 1.5rem}
.legend {
  margin: .25rem 0 0; display: flex; flex-wrap: wrap; gap: 0 1rem; min-height: 1.5em;
  font-size: calc(.875rem * var(--scale)); color: var(--muted);
}
.key::before {
  content: ""; display: inline-block; box-sizing: border-box; width: .75em; height: .75em; margin-right: .4em;
  border: 2px solid var(--tint, var(--muted)); border-radius: 50%; background: var(--inside, var(--tint, var(--muted)));
}
.key:is(.missed, .alarm)::before {border-radius: 0; transform: rotate(45deg) scale(.9)}
.key:is(.open, .missed, .drag) {--inside: transparent}
.key.correct {--inside: linear-gradient(90deg, var(--tint) 50%, transparent 50%)}
.key.correct {--tint: var(--correct)}
.key.missed {--tint: var(--missed)}
.key.alarm {--tint: var(--alarm)}
.key.drag {--tint: var(--judge)}
.panel {flex: 1 1 0; min-width: 0; display: grid; gap: 0 1.5rem; align-content: start}
.name {
  font-weight: 600; font-size: calc(.875rem * var(--scale)); min-height: 1.5em; grid-column: 1 / -1;
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}
.stage {display: block; width: 100%; overflow: visible}
.side {min-width: 0; display: flex; flex-direction: column; gap: .75rem}
.bars {display: block; width: 100%; overflow: visible}
.space {display: block; overflow: visible}
text {fill: var(--st-text-color); font-family: var(--st-font); font-variant-numeric: tabular-nums}
text.number {font-weight: 700}
text.small {fill: var(--muted)}
.held[data-room="true"] .live {font-size: calc(13px * var(--scale)); line-height: 1.3}
.held[data-room="true"] .legend {
  font-size: calc(13px * var(--scale)); line-height: 1.25; min-height: 0; gap: 0 1.25rem;
}
.held[data-room="true"] .name {font-size: calc(14px * var(--scale)); min-height: 0; line-height: 1.2}
.held[data-room="true"] .side {gap: .4rem}
.live {margin: 0; font-size: calc(1rem * var(--scale)); line-height: 1.7; font-variant-numeric: tabular-nums}
.scrub {
  display: inline-block; min-width: 2ch; padding: 0 .3em; line-height: 1.25; text-align: center; font-weight: 700;
  cursor: ew-resize; touch-action: pan-y; user-select: none; border-bottom: 2px dashed var(--judge); border-radius: .2rem;
}
.grip {cursor: ns-resize}
.grip, .grip * {touch-action: none}
.grip.prevalence {cursor: ew-resize}
.grip.spot {cursor: move}
.grip .reach {fill: transparent}
.grip .wide {stroke: transparent; stroke-width: 16}
.grip .thin {stroke: var(--judge); stroke-width: 2}
.grip .knob {fill: var(--st-background-color); stroke: var(--judge); stroke-width: 2}
.grip.spot .knob {fill: var(--judge)}
.grip .arrows {fill: none; stroke: var(--judge); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round}
.grip:is(:hover, :focus) .knob {fill: var(--selected)}
.grip:focus, .scrub:focus {outline: none}
.grip:focus-visible .knob {stroke: var(--st-text-color); stroke-width: 4}
.scrub:focus-visible {outline: 2px solid var(--st-text-color); outline-offset: 1px}
.scrub:hover {background: var(--selected)}
@container (min-width: 600px) {
  .held[data-panels="1"] .panel {grid-template-columns: minmax(0, 3fr) minmax(240px, 2fr)}
  .held[data-room="false"] .panel {max-width: 60rem}
}
@container (max-width: 599px) {
  .held[data-panels="2"] .tables {gap: .75rem}
  .held[data-panels="2"] .live {font-size: .875rem; line-height: 1.5}
  .side {margin-top: .5rem}
}
"""


def held_figure(scene: Scene) -> None:
    """The scene under the hand: every move is kept by the session, the last one always."""
    step = scene.origin
    stated = st.session_state.get(KEY, {}).get("moved") or (0, "", (), False)
    pictures = [scene.picture, *([scene.other] if scene.b is not None and scene.other is not None else [])]
    shows = step.shows if step is not None else ("accuracy", "expected_agreement", "kappa")
    data: dict[str, Any] = {
        "id": scene.step,
        "heard": stated[0],
        "tables": [_table(picture, shows) for picture in pictures],
        "labels": [shorten(label, LONGEST) for label in scene.words],
        "unit": scene.unit,
        "shows": list(shows),
        "names": {key: BY_KEY[key].symbol for key in shows} | {"expected_agreement": "chance"},
        "drawn": step.drawn if step is not None else "told",
        "sentence": len(pictures) == 1 or _said_beside_two(scene),
        "roc": len(pictures) == 1,
        "notes": _notes(scene, pictures),
        "scale": ROOM if state.in_room_view() else 1.0,
        "colours": _colours(),
    }
    component.mount("lab_figure", formulas(), HOLDING, JS, key=KEY, data=data, html=HTML, css=CSS, on_moved_change=_take)


def _said_beside_two(scene: Scene) -> bool:
    """Return whether each of two tables has its sentence, whose numbers can be pulled.

    Lesson 1 is read in ninety seconds: its steps say all that there is to say, until a table is another. In the room two
    sentences would take their height from the tables.
    """
    first = scene.origin is not None and lesson_of(scene.step).number == 1
    return not state.in_room_view() and (scene.custom or not first)


def _notes(scene: Scene, pictures: Sequence[Picture]) -> list[str]:
    """Return what is to be known of the tables in view, beside how their dots are read."""
    notes = {OWN: scene.origin is not None and scene.custom, AVERAGE: any(picture.table.on_average for picture in pictures)}
    return [note for note, applies in notes.items() if applies]


def _table(picture: Picture, shows: Sequence[str]) -> dict[str, Any]:
    """Return one table; what is given by rates has the counts on average, and whole ones for the hand that takes hold of it."""
    silent, on_average = sum(picture.table.silent), picture.table.on_average
    beside = picture.mode == "exclude" and picture.two
    return {
        "name": f"Judge {picture.name}" if picture.name else "",
        "counts": [[n if on_average else round(n) for n in row] for row in picture.counts.tolist()],
        "whole": picture.table.driven_by_counts().confusion_counts if on_average else None,
        "rates": [None if math.isnan(rate) else rate for rate in picture.rates],
        "shelf": round(silent) if beside else 0,
        "held": picture.two and (beside or not silent),
        "values": None if picture.two else {key: None if math.isnan(x) else x for key, x in picture.values.items()},
        "why": {key: picture.why(key) for key in shows if key in picture.values and picture.why(key)},
        "alt": confusion.alt(picture.counts, picture.labels, abstention=None if picture.two else 2, unit=picture.unit, true=True),
    }


def _colours() -> dict[str, str]:
    t = figure_theme.tokens(parts.theme())
    return {
        "text": t.text, "muted": t.muted, "grid": t.grid, "axis": t.axis, "selected": t.selected, "judge": t.judge,
        "correct": t.correct, "correctFill": t.correct_fill, "alarm": t.false_positive, "missed": t.false_negative,
        "abstention": t.abstention, "kappa": t.kappa, "phi": t.phi, "neutral": t.neutral,
    }  # fmt: skip


def _take() -> None:
    """Keep the tables that the hand made, unless it made them of a step that is no longer in view."""
    _, step, tables, holding = st.session_state[KEY]["moved"]
    if step == held.scene().step:
        for cells, second in zip(tables, (False, True), strict=False):
            held.place(tuple(int(n) for n in cells), second=second)
        held.hand(holding)
