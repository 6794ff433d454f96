"""What must be known about the intervals of a page, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from metrics.analyses.records import Block, JudgeReport
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import count, listed
from pages.shared import sheets
from pages.shared.plain import escape, short

UNDEFINED = "replicates undefined"


def interval_notes(block: Block, keys: Sequence[str]) -> None:
    """The notes beside the headline's intervals, each said once."""
    by_note: dict[tuple[str, bool], list[str]] = {}
    for key in keys:
        interval = block[key].interval
        for note in _parts(interval.note) if interval is not None else ():
            by_note.setdefault((note, block[key].ends is None), []).append(key)
    for (note, missing), noted_keys in by_note.items():
        st.markdown(_sentence(note, noted_keys, block, missing=missing))


def _parts(note: str) -> list[str]:
    """The count of undefined replicates, which differs by metric, apart from the rest."""
    if note.endswith(UNDEFINED):
        return [UNDEFINED]
    _, joined, rest = note.partition(f"{UNDEFINED}; ")
    return [UNDEFINED, rest] if joined else [note] if note else []


def _sentence(note: str, keys: list[str], block: Block, *, missing: bool) -> str:
    names = escape(listed([_name(key) for key in keys]))
    many = len(keys) > 1
    if note == UNDEFINED:
        lacking, of = block.more["undefined_replicates"], block.more["replicates"]
        counts = listed([f"{_name(key)} in {count(lacking.get(key, 0))}" for key in keys])
        return f"Replicates without a value, left out of the interval: {escape(counts)} of {count(of)}."
    if missing:
        return f"No interval of {names}: {escape(note)}."
    kind, _, why = note.partition(": ")
    some = f"the interval{'s' * many} of {names}"
    if kind == "small cell" and why:
        return f"Small cell, {escape(why)}: {some} {'are' if many else 'is'} made wide enough for so few cases."
    return f"{escape(note[:1].upper() + note[1:])} behind {some}." if note.startswith("only ") else f"{escape(note)} ({some})."


def _name(key: str) -> str:
    """As the headline calls it."""
    return "label-rate bias" if key == "drift" else BY_KEY[key].symbol


def undefined_replicates(judge: JudgeReport) -> None:
    """How many replicates had no value, by level or criterion and metric; nothing where all had one."""
    rows = [
        {"where": criterion or level, "metric": BY_KEY[key].name, "undefined": n, "replicates": block.more["replicates"]}
        for level, criterion, block in judge.blocks()
        for key, n in block.more.get("undefined_replicates", {}).items()
    ]
    if not rows:
        return
    with st.expander(f"Undefined replicates of {short(judge.name)}: counts by metric"):
        st.markdown("A replicate without a value, for instance because it drew one label only, is left out of that interval.")
        alt = "Undefined replicates by metric"
        sheets.frame(rows, "Undefined replicates (CSV)", "undefined_replicates.csv", "agreement.undefined", alt=alt)
