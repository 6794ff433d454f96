"""Which metric picks the better judge, and how often?"""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics import InputError
from metrics.analyses.simulation import readings
from metrics.analyses.simulation.studies import PRESETS, Run
from metrics.figures import simulation as figures
from pages.shared import as_lines, opening, parts, stage, state
from pages.shared.plain import escape
from pages.shared.simulation import asking, numbers, running

ASKS = "Which metric picks the better judge, and how often?"
EMPTY = "Nothing has been simulated yet. Press Run."
STILL = "Still showing the run before."
SOURCE = "Collot et al., Balanced Accuracy: The Right Metric for Evaluating LLM Judges · judged under the settings of this run"
SHORT = (
    "SNR: signal to noise · BA: balanced accuracy · all metrics ran on the same scenarios: differences are surer than the bars"
)
BARS = "bar: two Monte Carlo standard errors"


def page() -> None:
    parts.title(ASKS)
    with opening.choosers():
        asking.choosers()
    study = asking.requested_study()
    if isinstance(study, InputError):
        _impossible(study)
        return
    job = running.of(study)
    name = asking.preset()
    bar = running.status(job, PRESETS[name].says if name else "")
    run = running.shown_run(job)
    if run is None:
        st.info(EMPTY, icon=":material/info:")
    else:
        show(run, running=job.going)
        if not job.going and run.share == 1:
            as_lines.section(None, numbers.view(run))
    running.go_on(study, job, bar)


def _impossible(error: InputError) -> None:
    """Why these settings cannot be simulated; what was there stays."""
    run = running.shown_run(None)
    st.error(escape(f"{readings.impossible(error)} {STILL if run else ''}"), icon=":material/error:")
    if run is not None:
        show(run)


def show(run: Run, *, running: bool = False) -> None:
    parts.declaration(readings.header(run, running=running), readings.quote(run))
    headline = partial(parts.headline, numbers.headline(run))
    drawings = [partial(_loss, run), partial(_success, run)]
    if state.in_room_view():
        stage.one_at_a_time([headline, *drawings, partial(_claims, run)])
        return
    headline()
    parts.side_by_side({"wide_loss": drawings[0], "wide_success": drawings[1]})
    st.markdown(f":small[{SHORT}]")
    _claims(run)
    numbers.table(run)


def _loss(run: Run) -> None:
    what = "loss: share of model pairs the best judge puts in true order, minus that of the judge chosen"
    _figure(run, readings.LOSS, "What choosing by each metric loses", what)
    parts.reading(escape(readings.loss_reading(run)))


def _success(run: Run) -> None:
    what = "share of scenarios in which the chosen judge ranks the models as well as the best one; ties count"
    _figure(run, readings.SUCCESS, "How often a best judge is picked", what)
    parts.reading(escape(readings.reading(run)))


def _figure(run: Run, outcome: str, title: str, what: str) -> None:
    along = run.study.along != "none"
    parts.lone_heading(title, f"{what} · {BARS}")
    draw, alt = (figures.metric_lines, figures.lines_alt) if along else (figures.metric_dots, figures.dots_alt)
    parts.drawing(f"simulation.{outcome}", draw, alt, run, outcome)


def _claims(run: Run) -> None:
    parts.lone_heading("What the paper claims, and what this run shows", SOURCE)
    numbers.claims_table(run)


page()
