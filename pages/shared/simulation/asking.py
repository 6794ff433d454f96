"""What is simulated: a preset or settings of one's own. The fields are the question; the preset is named by what they hold."""

from __future__ import annotations

from typing import Any

import streamlit as st

from metrics import InputError
from metrics.analyses.simulation.readings import RANGES
from metrics.analyses.simulation.scenarios import MOST_ANSWERS, MOST_JUDGES, MOST_MODELS, MOST_SCENARIOS, Range, Setting
from metrics.analyses.simulation.studies import AXES, AXIS_NAMES, PRESETS, START, Axis, Study, preset_of
from pages.shared import asking, state
from pages.shared.intervals import MOST_SEED

PREFIX = "sim_"
PRESET, ALONG, AT, SEED = (PREFIX + name for name in ("preset", "along", "at", "seed"))
CUSTOM = "custom"
VARIED = "This is what varies along the axis."
COUNTS = {
    "n_golden": ("Golden answers", 1, MOST_ANSWERS, 100, "Answers with a known label, on which judges are scored and chosen."),
    "n_eval": ("Answers per model", 1, MOST_ANSWERS, 100, "Answers of each model that a judge rates to rank the models."),
    "scenarios": ("Scenarios", 1, MOST_SCENARIOS, 10_000, "Worlds that are drawn; at every point where something varies."),
    "models": ("Models", 2, MOST_MODELS, 1, "Models to rank in each scenario."),
    "judges": ("Judges", 2, MOST_JUDGES, 1, "Judges to choose from in each scenario."),
}
RANGE_HELP = {
    "p_golden": "Share of positives in the golden set, drawn evenly between the two ends in each scenario.",
    "p_model": "Share of positives in a model’s answers, drawn evenly between the two ends for each model.",
    "tpr": "Of the positives, the share a judge finds; drawn evenly between the two ends for each judge.",
    "fpr": "Of the negatives, the share a judge calls positive; drawn evenly between the two ends for each judge.",
}
AT_HELP = "What signal to noise is computed for. Left empty: the middle of the model prevalence."


def choosers() -> None:
    """The preset, what varies and the sizes in view; the rest in an expander. All of it stands in the address."""
    _from_a_name()
    state.translate({ALONG: AXIS_NAMES})
    with st.container(horizontal=True, vertical_alignment="bottom", key="simulation_choices"):
        preset = st.container(width=250)
        along = _along()
        for name in ("n_golden", "n_eval", "scenarios"):
            _count(name, 148, varied=name == along)
    with st.expander("Models, judges and prevalences"), st.container(horizontal=True, vertical_alignment="bottom"):
        for name in ("p_golden", "p_model"):
            _range(name, varied=name == along)
        for name in ("models", "judges"):
            _count(name, 110)
        for name in ("tpr", "fpr"):
            _range(name)
        st.number_input(
            "Benchmark prevalence, %", 0.1, 99.9, None, step=1.0, format="%g", key=AT, placeholder="middle", help=AT_HELP,
            width=148, **asking.BOUND,
        )  # fmt: skip
        st.number_input(
            "Seed", 0, MOST_SEED, START.seed, step=1, key=SEED, help="The same seed gives the same digits.", width=120,
            **asking.BOUND,
        )  # fmt: skip
    with preset:
        _preset()


def _along() -> Axis:
    chosen: Axis = st.selectbox(
        "What varies", AXES, format_func=lambda name: AXIS_NAMES.get(name, name), key=ALONG, width=180, **asking.BOUND,
        help="Along an axis the simulation runs once at every point of it.",
    )  # fmt: skip
    return chosen


def _count(name: str, width: int, *, varied: bool = False) -> None:
    label, low, high, step, help_text = COUNTS[name]
    st.number_input(
        label, low, high, getattr(START, name), step=step, key=PREFIX + name, help=VARIED if varied else help_text,
        disabled=varied, width=width, **asking.BOUND,
    )  # fmt: skip


def _range(name: str, *, varied: bool = False) -> None:
    """Both ends, side by side on the narrowest screen too."""
    with st.container(horizontal=True, vertical_alignment="bottom", width=312):
        for end, start, key in zip(("from", "to"), getattr(START, name), _ends(name), strict=True):
            st.number_input(
                f"{RANGES[name]} {end},\u00a0%", 0.0, 100.0, _percent(start), step=1.0, format="%g", key=key, disabled=varied,
                help=VARIED if varied else RANGE_HELP[name], width=148, **asking.BOUND,
            )  # fmt: skip


def _preset() -> None:
    """The name of what the fields hold; choosing one fills them."""
    preset_name = preset()
    names = {name: study_preset.name for name, study_preset in PRESETS.items()} | ({} if preset_name else {CUSTOM: "Custom"})
    st.session_state[PRESET] = preset_name or CUSTOM
    st.selectbox(
        "Preset", list(names), format_func=lambda name: names.get(name, name), key=PRESET, on_change=_fill,
        help="Settings of the paper whose claims are checked, and two where its advice is hardest pressed.",
    )  # fmt: skip


def _fill() -> None:
    chosen = st.session_state[PRESET]
    if chosen in PRESETS:
        fill(PRESETS[chosen].study)


def fill(study: Study) -> None:
    """Put a study into the fields; before they are drawn."""
    st.session_state.update(_values(study))


def _values(study: Study) -> dict[str, Any]:
    """Return what each field holds."""
    setting = study.setting
    at = None if setting.benchmark_prevalence is None else _percent(setting.benchmark_prevalence)
    ends = {key: _percent(end) for name in RANGES for key, end in zip(_ends(name), getattr(setting, name), strict=True)}
    counts = {PREFIX + name: getattr(setting, name) for name in COUNTS}
    return {ALONG: study.along, SEED: setting.seed, AT: at} | counts | ends


def _from_a_name() -> None:
    """A link may name a preset instead of what it holds; in its place come the fields that differ from the start."""
    if PRESET not in st.query_params:
        return
    named = st.query_params[PRESET]
    del st.query_params[PRESET]
    if named in PRESETS:
        values, start = _values(PRESETS[named].study), _values(Study())
        st.query_params.update({key: str(value) for key, value in values.items() if value != start[key]})
    st.rerun()


def requested_study() -> Study | InputError:
    """Return the study as the fields have it, or why there is none."""
    held = st.session_state
    counts = {name: int(held.get(PREFIX + name, getattr(START, name))) for name in COUNTS}
    ranges = {name: _shares(name) for name in RANGES}
    at = held.get(AT)
    try:
        setting = Setting(
            **counts, **ranges, benchmark_prevalence=None if at is None else _share(at), seed=int(held.get(SEED, START.seed))
        )  # fmt: skip
    except InputError as error:
        return error
    return Study(setting, asking.held(ALONG, AXES))


def preset() -> str | None:
    """Return the preset whose settings the fields hold, if there is one."""
    study = requested_study()
    return None if isinstance(study, InputError) else preset_of(study)


def _ends(name: str) -> tuple[str, str]:
    return f"{PREFIX}{name}_from", f"{PREFIX}{name}_to"


def _shares(name: str) -> Range:
    low, high = (
        _share(st.session_state.get(key, _percent(start))) for key, start in zip(_ends(name), getattr(START, name), strict=True)
    )  # fmt: skip
    return low, high


def _percent(share: float) -> float:
    return round(100 * share, 8)


def _share(percent: float) -> float:
    return round(percent / 100, 10)
