"""How a panel's agreement grows with its size: tried out while somebody waits, with a bar and a way to stop."""

from __future__ import annotations

from functools import partial

import streamlit as st

import metrics
from metrics.analyses.ensembles.errors import SharedErrors
from metrics.analyses.ensembles.growth import Growth
from metrics.analyses.ensembles.readings import growth_reading
from metrics.analyses.ensembles.tables import growth_rows
from metrics.data.ratings import PanelRule
from metrics.figures import growth as growth_figure
from metrics.results.words import count
from pages.shared import asking as questions
from pages.shared import parts, sheets, state
from pages.shared.ensemble import asking
from pages.shared.job import Job, Progress, status_line
from pages.shared.plain import emphasis

JOBS = "ensemble.growths"
SEED_HELP = "Where a size has more than 1 000 panels, so many are drawn; the same seed gives the same ones."
BAND = "band: eight in ten panels · line: its 95 % interval for other items like these"


def section(dataset: state.Dataset) -> None:
    rules = asking.rules(dataset)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if not state.in_room_view():
            questions.one_of("A panel says", asking.RULE_NAMES, asking.RULE, options=rules, help=asking.RULE_HELP)
            st.number_input("Seed", 0, 2**31 - 1, 0, key=asking.SEED, width=110, help=SEED_HELP, **questions.BOUND)
    rule, seed = questions.held(asking.RULE, rules), int(st.session_state.get(asking.SEED) or 0)
    what = f"mean {asking.symbol(dataset)} of panels with the reference, {asking.chosen_reference_phrase(dataset)}, by their size"
    below = f"{what} · {BAND}{asking.over(dataset)}"
    parts.headed("How does a panel grow with its size?", below)
    _draw(_grown(dataset, rule, seed), asking.errors(dataset))


def _draw(growth: Growth, errors: SharedErrors) -> None:
    if not growth.sizes:
        st.markdown("It was stopped before the first size was done.")
        return
    best = growth.best_alone
    rules = [growth_figure.Rule("best judge alone", best[1].value, best[0])] if best else []
    alt = partial(growth_figure.alt, band="Band: eight in ten panels")
    parts.drawing("ensemble.growth", growth_figure.panel_growth, alt, growth.sizes, rules, symbol=growth.symbol)
    parts.reading(growth_reading(growth, emphasis, errors=errors))
    st.markdown(f":small[{_how(growth)}]")
    if not state.in_room_view():
        sheets.download("Panels by size (CSV)", lambda: growth_rows(growth), "panels.csv", "ensemble.growth_csv")


def _how(growth: Growth) -> str:
    drawn = [size for size in growth.sizes if not size.exact]
    if not drawn:
        return "All panels of every size were tried; nothing was drawn."
    return (
        f"Sizes {count(drawn[0].size)} to {count(drawn[-1].size)}: {count(drawn[0].n_panels)} panels drawn of each, "
        f"seed {growth.seed}; of the others, all there are."
    )


def _grown(dataset: state.Dataset, rule: PanelRule, seed: int) -> Growth:
    """Return the panels of every size, or of those done when it was stopped."""
    job: Job[Growth] = Job.of(JOBS, asking.place(dataset, rule, seed))
    reference, mode = asking.reference(), asking.mode(dataset)

    def grow(so_far: Growth | None, progress: Progress) -> Growth:
        return metrics.panel_growth(dataset.ratings, rule=rule, reference=reference, abstention=mode, rng=seed, progress=progress)

    growth = job.wait(grow, "Panels of every size are being tried.", "ensemble.grow")
    if job.stopped:
        with st.container(border=True):
            far = f"Stopped after {count(len(growth.sizes))} of {count(len(growth.requested_sizes))} sizes, which are shown."
            status_line(far, "Go on", "ensemble.grow", job)
    return growth
