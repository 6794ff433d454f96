"""The units the raters differ on: looked at one by one, settled, and taken away as a new column of the file."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.raters.adjudicating import (
    BEFORE,
    COLUMN,
    ENTROPY,
    LONG,
    Disagreements,
    disagreements,
    key_of,
    rater_labels_of,
    unit_frame,
    with_adjudicated,
    with_labels,
)
from metrics.analyses.raters.readings_evidence import disagreements_reading, order_words, pattern_words
from metrics.analyses.raters.result import RatersReport
from metrics.data.ratings import Ratings
from metrics.results.safe_csv import safe_csv
from metrics.results.words import NEEDS_ROWS, UNDEFINED, count, number, several
from pages.shared import asking, history, parts, sheets, state, texts
from pages.shared.disagreements import presets
from pages.shared.plain import emphasis, escape
from pages.shared.raters.asking import CRITERION, level_asked

PATTERN, AGREED = "raters_pattern", "raters_agreed"
AT, ASKED = "raters.at", "raters.asked"
HISTORY = history.History[tuple[str, str], str]("raters")
MOST_ROWS = 200
OPEN = "Not decided"
DECIDED = (
    f"The file with a column *{COLUMN}* keeps people’s labels, so no number changes. The other file has the decided labels in "
    f"their place, and people’s in *{BEFORE}*: open it as a data set, or on *Rubric review* under *Before and after*. People "
    "agree in it because somebody decided, so its α says nothing about the rubric."
)
DECIMALS = {ENTROPY: st.column_config.NumberColumn(format="%.2f")}
Settled = dict[tuple[str, str], str]


def section(dataset: state.Dataset, report: RatersReport) -> None:
    ratings = dataset.ratings
    disagreement = disagreements(ratings, role=report.role, level=level_asked(dataset), abstention=report.declaration.abstention)
    parts.headed("Where do they disagree?", order_words(disagreement.weighted))
    parts.reading(disagreements_reading(disagreement, emphasis))
    if not ratings.has_rows:
        st.info(NEEDS_ROWS, icon=":material/info:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        criterion, pattern = _criterion(ratings), _pattern(disagreement)
        agreed = st.toggle("Those all agree on too", key=AGREED, **asking.BOUND)
    places = disagreement.places(criterion=criterion, pattern=pattern, split=not agreed)
    settled = HISTORY.of(dataset.id)
    _stay(dataset, (criterion, pattern, agreed))
    if not len(places):
        st.info("Nothing here: the raters agree on all of these. Choose another pattern or criterion.", icon=":material/info:")
    else:
        _show_unit(dataset, disagreement, places, settled)
        shown = unit_frame(ratings, disagreement, places[:MOST_ROWS], settled)
        parts.rows(shown, len(places), disagreement.unit, "raters.units", column_config=DECIMALS)
        presets.link(rows="judges" if report.role == "judge" else "people", criterion=st.session_state.get(CRITERION) or "")
    _away(dataset, disagreement, places, settled, of_judges=report.role == "judge")


def _criterion(ratings: Ratings) -> int | None:
    asking.criterion(ratings.criteria, CRITERION, 240)
    criterion = asking.chosen_criterion(ratings.criteria, CRITERION)
    return None if criterion is None else ratings.criteria.index(criterion)


def _pattern(disagreement: Disagreements) -> int | None:
    """Return which votes, of those that occur."""
    known = {
        pattern_words(pattern, disagreement.units.classes): place
        for place, pattern in enumerate(disagreement.patterns)
        if pattern.split
    }
    if len(known) < 2:
        return None
    st.selectbox("Pattern of votes", list(known), index=None, key=PATTERN, placeholder="Every pattern", width=320, **asking.BOUND)
    return known.get(st.session_state.get(PATTERN, ""))


def _stay(dataset: state.Dataset, asked: object) -> None:
    """Begin with the first unit again where others are asked for, or another file is in view."""
    if st.session_state.get(ASKED) != (dataset.id, asked):
        st.session_state[ASKED] = (dataset.id, asked)
        st.session_state[AT] = 0


def _show_unit(dataset: state.Dataset, disagreement: Disagreements, places, settled: Settled) -> None:
    """One unit: what everybody said, and the label settled on."""
    at = min(st.session_state.get(AT, 0), len(places) - 1)
    place = int(places[at])
    item, criterion = key = key_of(dataset.ratings, disagreement, place)
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Previous", key="raters.previous", disabled=at == 0, on_click=_go, args=(at - 1,))
            st.button("Next", key="raters.next", disabled=at + 1 >= len(places), on_click=_go, args=(at + 1,))
            on = f" · {emphasis(criterion)}" if len(dataset.ratings.criteria) > 1 else ""
            st.markdown(
                f"{count(at + 1)} of {count(len(places))}: item {emphasis(item)}{on} · {number(disagreement.entropy[place])} bits"
            )
        rater_labels = rater_labels_of(dataset.ratings, disagreement, place, texts.chosen(dataset))
        columns = {
            "rater": [rater_label.rater for rater_label in rater_labels],
            "label": [rater_label.label for rater_label in rater_labels],
        }
        if any(rater_label.reason for rater_label in rater_labels):
            columns["reason"] = [rater_label.reason for rater_label in rater_labels]
        for name in dict.fromkeys(column for rater_label in rater_labels for column in rater_label.texts):
            columns[name if name not in columns else f"{name} (file)"] = [
                rater_label.texts.get(name, "") for rater_label in rater_labels
            ]
        st.dataframe(
            columns, hide_index=True, key="raters.said", placeholder=UNDEFINED, alt=f"What {count(len(rater_labels))} raters said"
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            settled_label = settled.get(key, OPEN)
            options = _options(dataset.ratings, disagreement, settled_label)
            widget = f"raters.label {dataset.id} {item} {criterion}"
            # What is kept decides, also after Undo and in another mode.
            st.session_state[widget] = settled_label
            st.radio(
                "Decided label", options, key=widget, horizontal=True, format_func=escape, on_change=_settle,
                args=(dataset.id, key, widget),
            )  # fmt: skip
            history.buttons(HISTORY, dataset.id, "raters")


def _options(ratings: Ratings, disagreement: Disagreements, settled_label: str) -> list[str]:
    """Return the labels of the file that a team can settle on, and what it has settled on."""
    silent = [label for label in ratings.scheme.of("abstention") if label not in ratings.scheme.unused]
    return list(dict.fromkeys([OPEN, *disagreement.units.classes, *silent, settled_label]))


def _go(at: int) -> None:
    st.session_state[AT] = at


def _settle(data: str, key: tuple[str, str], widget: str) -> None:
    label, others = st.session_state[widget], {name: kept for name, kept in HISTORY.of(data).items() if name != key}
    HISTORY.put(data, others if label == OPEN else others | {key: label}, f"{', '.join(key)}: {label}")


def _away(dataset: state.Dataset, disagreement: Disagreements, places, settled: Settled, *, of_judges: bool) -> None:
    ratings = dataset.ratings
    with st.container(horizontal=True, vertical_alignment="center"):
        sheets.download(
            sheets.these(len(places), disagreement.unit),
            lambda: unit_frame(ratings, disagreement, places, settled),
            "disagreements.csv", "raters.units_csv")  # fmt: skip
        if settled:
            parts.download(
                f"The file with {several(len(settled), 'labels')} decided (CSV)",
                lambda: safe_csv(with_adjudicated(ratings, settled)), "adjudicated.csv", "raters.settled_csv",
            )  # fmt: skip
            if not of_judges and (ratings.source.shape in LONG or ratings.humans):
                parts.download(
                    "The file with the decided labels as people’s (CSV)", lambda: safe_csv(with_labels(ratings, settled)),
                    "decided.csv", "raters.replaced_csv",
                )  # fmt: skip
                st.markdown(f":small[{DECIDED}]")
        else:
            st.markdown("Decide on a label to download the file with a column *adjudicated*.")
