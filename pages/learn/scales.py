"""Which numbers fit my scale?"""

from __future__ import annotations

import streamlit as st

from metrics.content.scale_guide.fitting import GUIDES, Guide
from metrics.data.scale_words import SCALE_MEANS, SCALE_NAMES
from metrics.data.scales import SCALES
from metrics.results.words import UNDEFINED
from pages.shared import as_lines, asking, parts, sheets, stage, state
from pages.shared.guide import numbers
from pages.shared.plain import emphasis, escape

ASKS = "Which numbers fit my scale?"
GUIDE = "scale_guide"
SOURCE = "After Rao & Callison-Burch, Table 1 and checklist."


def page() -> None:
    dataset, chosen = state.dataset(), state.choices()
    parts.title(ASKS)
    state.translate({GUIDE: dict(SCALE_NAMES)})
    parts.sample_note_at_desk(dataset)
    guide = GUIDES[_scale(dataset)]
    guide_values = numbers.guide_numbers(dataset, chosen, guide)
    means = SCALE_MEANS[guide.scale]
    st.markdown(f"**{SCALE_NAMES[guide.scale]}**: {means}. For example: {guide.examples}")
    if guide_values.head is not None:
        parts.declaration(guide_values.head, guide_values.citation)
    elif guide_values.lacking:
        st.markdown(f":material/info: {escape(guide_values.lacking)}")
    if state.in_room_view():
        stage.one_at_a_time(
            [lambda: _fits(guide, guide_values), lambda: _collapses(guide), lambda: _reporting_requirements(guide)]
        )
        return
    with st.container(horizontal=True, gap="large"):
        with st.container(key="wide_guide_fits"):
            _fits(guide, guide_values)
        with st.container(key="wide_guide_rest"):
            _collapses(guide)
            _reporting_requirements(guide)
    st.markdown(f":small[{SOURCE}]")
    if guide_values.part is not None and guide_values.view is not None:
        as_lines.section(guide_values.part, guide_values.view)


def _scale(dataset: state.Dataset | None) -> str:
    dataset_scale = numbers.own_scale(dataset)
    chosen: str = st.segmented_control(
        "Judgment scale",
        SCALES,
        default=dataset_scale,
        required=True,
        format_func=lambda scale: SCALE_NAMES[scale],
        key=GUIDE,
        help="The scale of the data set in view is chosen to begin with.",
        **asking.BOUND,
    )
    return chosen if chosen in GUIDES else dataset_scale


def _fits(guide: Guide, guide_values: numbers.GuideNumbers) -> None:
    st.header("Fits", anchor=False)
    st.markdown(f":small[The page {guide.page} shows them, with their figures.]")
    rows = {"metric": [fit.name for fit in guide.fits], "What it answers": [fit.why for fit in guide.fits]}
    if guide_values.texts:
        rows = {
            "metric": rows["metric"],
            f"{emphasis(guide_values.judge)}": [numbers.cell(guide_values, fit.key) for fit in guide.fits],
        } | rows
    names = {"metric": [fit.name for fit in guide.fits], "numbers": [numbers.cell(guide_values, fit.key) for fit in guide.fits]}
    plain = names | {"judge": [guide_values.judge] * len(guide.fits), "answers": [fit.why for fit in guide.fits]}
    sheets.show(rows, "These numbers (CSV)", "fits.csv", "scales.fits_csv", alt="Numbers that fit the scale", plain=plain)
    for warning in guide_values.warnings:
        st.markdown(f":small[{escape(warning)}]")
    reasons = {fit.name: (guide_values.reasons or {}).get(fit.key, "") for fit in guide.fits}
    for name, why in reasons.items():
        if why:
            st.markdown(f":small[{escape(name)} is undefined here: {escape(why)}.]")
    if guide_values.texts and any(not fit.key for fit in guide.fits):
        st.markdown(f":small[{UNDEFINED}: see the page {guide.page}.]")
    st.header("Does not fit", anchor=False)
    st.markdown("\n".join(f"- **{escape(misfit.names)}.** {escape(misfit.why)}" for misfit in guide.misfits))


def _collapses(guide: Guide) -> None:
    st.header("Collapses", anchor=False)
    st.markdown("\n".join(f"- **{escape(collapse.names)}.** {escape(collapse.why)}" for collapse in guide.collapses))


def _reporting_requirements(guide: Guide) -> None:
    st.header("Must be stated", anchor=False)
    st.markdown("\n".join(f"- {escape(line)}" for line in guide.reporting_requirements))


page()
