"""What drives a table of the lab: its counts, or two rates, a prevalence and how many; and what was left open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from metrics.content.lab import provenance
from metrics.content.lab.scenes import Scene
from metrics.content.lab.tables import MOST, ConfusionTable, Rates, full_scale, slider_step, step_of
from metrics.data.abstention import MODE_NAMES, MODES
from metrics.results.words import count
from pages.shared.lab import held
from pages.shared.plain import escape, short

DRIVES_HELP = (
    "Counts: how many decisions of each kind. Rates: which share is {positive} (prevalence), how much of it the judge finds "
    "(TPR), and how much of what is {negative} (TNR)."
)
DRIVES = {"counts": "counts", "rates": "prevalence, TPR, TNR"}
CELLS = ("TP", "FN", "FP", "TN")
RATE_NAMES = {
    "prevalence": (
        "Prevalence π: share that is {positive}, %",
        "How often the human says {positive}. It belongs to what is judged, not to the judge.",
    ),
    "tpr": ("TPR: {positive} found, %", "Of what the human calls {positive}, the share that the judge calls {positive} too."),
    "tnr": ("TNR: {negative} found, %", "Of what the human calls {negative}, the share that the judge calls {negative} too."),
}
SLIDER_STEP = 0.5
TYPED_WIDTH, SILENT_WIDTH = 110, 105


def drive(table: ConfusionTable, *, second: bool) -> None:
    """The questions that make one of the two tables."""
    side = "b" if second else "a"
    positive, negative = (short(word) for word in held.scene().words[:2])
    key = held.key(f"lab drive {side}", "counts" if table.rates is None else "rates")
    st.segmented_control(
        f"{_whose(second)}Change the table by",
        list(DRIVES),
        format_func=DRIVES.__getitem__,
        required=True,
        help=DRIVES_HELP.format(positive=positive, negative=negative),
        key=key,
        on_change=held.answer,
        args=(key, _driven, second),
    )
    if table.rates is None:
        _counts(table, side, second)
    else:
        _rates(table.rates, side, second)
    _silent(table, side, second)


def _whose(second: bool) -> str:
    """Return which of two tables a question is about; nothing where there is one."""
    if held.scene().b is None:
        return ""
    return "B · " if second else "A · "


def _driven(wanted: str, second: bool) -> None:
    held.change_table(lambda table: table.driven_by_rates() if wanted == "rates" else table.driven_by_counts(), second=second)


def _counts(table: ConfusionTable, side: str, second: bool) -> None:
    positive, negative = (short(word) for word in held.scene().words[:2])
    names = (f"both say {positive}", "missed passes", "false passes", f"both say {negative}")
    top = _top(table, side)
    for place, (cell, name) in enumerate(zip(CELLS, names, strict=True)):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            for kind in ("slider", "typed"):
                key = held.key(
                    f"lab {side} {cell} {kind}", round(table.confusion_counts[place]), top if kind == "slider" else None
                )
                look = {"key": key, "on_change": held.answer, "args": (key, _counted, place, second, kind)}
                if kind == "slider":
                    st.slider(f"{_whose(second)}{cell}: {name} (0 to {count(top)})", 0, top, step=slider_step(top), **look)
                else:
                    label = f"{_whose(second)}{cell}, typed"
                    st.number_input(
                        label, 0, MOST, step=step_of(table.n), width=TYPED_WIDTH, label_visibility="collapsed", **look
                    )


def _top(table: ConfusionTable, side: str) -> int:
    """Return the sliders' end; it grows with the table but does not shrink under a finger."""
    key = f"{held.TOP} {side}"
    st.session_state[key] = max(full_scale(max(table.confusion_counts)), st.session_state.get(key, 0))
    top: int = st.session_state[key]
    return top


def _counted(n: int, place: int, second: bool, kind: str) -> None:
    if kind == "typed":
        held.fit_sliders()
    held.change_table(
        lambda table: replace(
            table, confusion_counts=(*table.confusion_counts[:place], float(n), *table.confusion_counts[place + 1 :])
        ),
        second=second,
    )


def _rates(rates: Rates, side: str, second: bool) -> None:
    positive, negative = (short(word) for word in held.scene().words[:2])
    for name, (text, helps) in RATE_NAMES.items():
        facts = {"positive": positive, "negative": negative}
        label = _whose(second) + text.format(**facts)
        key = held.key(f"lab {side} {name}", rates.in_percent[name])
        look = {"help": helps.format(**facts), "on_change": held.answer, "args": (key, _rated, name, second)}
        st.slider(label, 0.0, 100.0, step=SLIDER_STEP, format="%g", key=key, **look)
    key = held.key(f"lab {side} n", rates.n)
    look = {"on_change": held.answer, "args": (key, _sized, second)}
    st.number_input(f"{_whose(second)}{held.scene().unit.capitalize()} N", 0, MOST, step=step_of(rates.n), key=key, **look)


def _rated(percent: float, name: str, second: bool) -> None:
    _make(lambda rates: rates.with_percent(name, percent), second)


def _sized(n: int, second: bool) -> None:
    _make(lambda rates: replace(rates, n=n), second)


def _make(make: Callable[[Rates], Rates], second: bool) -> None:
    """Other rates for a table that is driven by them."""
    held.change_table(
        lambda table: table if table.rates is None else ConfusionTable.of_rates(make(table.rates), table.silent), second=second
    )


def _silent(table: ConfusionTable, side: str, second: bool) -> None:
    positive, negative = (short(word) for word in held.scene().words[:2])
    names = (
        f"judge silent, human {positive}", f"judge silent, human {negative}",
        f"human silent, judge {positive}", f"human silent, judge {negative}", "both silent",
    )  # fmt: skip
    scene = held.scene()
    if scene.recoded:
        if not second:
            st.markdown(f":small[{escape(provenance.recoded_note(scene.picture))}]")
        return
    without = f"{scene.unit.capitalize()} without a verdict"
    if not table.abstains and not st.toggle(f"{_whose(second)}{without}", key=f"lab {side} opened"):
        return
    with st.container(border=True):
        if not second:
            _mode(f"{without} count as")
        with st.container(horizontal=True, gap="small"):
            for place, name in enumerate(names):
                key = held.key(f"lab {side} silent {place}", round(table.silent[place]))
                look = {"width": SILENT_WIDTH, "on_change": held.answer, "args": (key, _silenced, place, second)}
                st.number_input(f"{_whose(second)}{name}", 0, MOST, key=key, **look)


def _silenced(n: int, place: int, second: bool) -> None:
    held.change_table(
        lambda table: replace(table, silent=(*table.silent[:place], float(n), *table.silent[place + 1 :])), second=second
    )


def _mode(question: str) -> None:
    key = held.key("lab mode", held.scene().mode)
    st.radio(
        question,
        MODES,
        format_func=MODE_NAMES.__getitem__,
        key=key,
        help="What a missing verdict is taken for. The three answers are three different numbers.",
        on_change=held.answer,
        args=(key, lambda mode: held.change(mode=mode)),
    )


def second(scene: Scene) -> None:
    """Whether a second table stands beside the first."""
    key = held.key("lab second", scene.b is not None)
    st.toggle("A | B: a second table beside it", key=key, on_change=held.answer, args=(key, _second))


def _second(wanted: bool) -> None:
    held.change(b=held.scene().a if wanted else None)


def both(scene: Scene) -> None:
    """What is done with A and B together."""
    with st.container(horizontal=True, gap="small"):
        for key, label, changes in (
            ("lab.copy", "B = A", {"b": scene.a}),
            ("lab.turn", "B = A, errors swapped", {"b": scene.a.turned()}),
            ("lab.swap", "Swap A and B", {"a": scene.b, "b": scene.a, "left": 0}),
        ):
            st.button(label, key=key, on_click=held.change, kwargs=changes)
