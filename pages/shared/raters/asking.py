"""What is asked about the raters: who, on what level of measurement, against which floor."""

from __future__ import annotations

import streamlit as st

import metrics
from metrics import Ratings
from metrics.analyses.raters.gate import FLOORS, Bands, usual_edges
from metrics.analyses.raters.levels import confirmed_words
from metrics.analyses.raters.result import RatersReport
from metrics.data.abstention import Mode, mode_labels
from metrics.data.nonverdicts import modes_of
from metrics.data.order import MEASUREMENTS, Measurement, levels_of
from metrics.data.ratings import Role
from pages.shared import as_lines, asking, cached, state

WHO, LEVEL, ON, FLOOR, SHOW, CRITERION = (f"raters_{name}" for name in ("who", "level", "on", "floor", "show", "criterion"))
NAMES: dict[Role, str] = {"human": "Humans", "judge": "Judges"}
CONFIRMED = "confirmed"
LEVELS: dict[str, str] = {level: level.capitalize() for level in MEASUREMENTS}
LEVEL_HELP = (
    "How α takes the labels. Nominal: two labels agree or do not. Ordinal: near labels disagree less. Interval and ratio: by the "
    "difference of their numbers. Above nominal, κ of two raters has quadratic weights."
)
COEFFICIENTS = {"alpha": "α", "kappa": "mean κ"}
FLOOR_HELP = (
    "Passes where the lower end of the interval is at the floor or above, fails where the upper end is below it. "
    "Usual floors: α 0.667, or 0.8 for a gold set; mean κ of pairs 0.6."
)
OUTER = (0, 2)
"""Edges of the bands that are asked for; the one between them is the floor."""
GATE = as_lines.named(Bands)


def roles_of(ratings: Ratings) -> list[Role]:
    """Return roles with two raters or more; raters without a role count as humans."""
    unsaid = sum(rater.role is None for rater in ratings.raters)
    n: dict[Role, int] = {"human": len(ratings.humans) + unsaid, "judge": len(ratings.judges)}
    return [role for role in NAMES if n[role] > 1] if ratings.has_items else []


def role(roles: list[Role]) -> Role:
    """Return whose agreement is looked at."""
    wanted = asking.held_or_linked(WHO, NAMES)
    return wanted if wanted in roles else (roles or list(NAMES))[0]


def choosers(dataset: state.Dataset, roles: list[Role]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if len(roles) > 1:
            asking.one_of("Among", NAMES, WHO, options=roles)
        level(dataset)
        on = asking.one_of("Gate on", COEFFICIENTS, ON)
        floor = st.number_input(
            "Floor", 0.0, 0.99, value=FLOORS["kappa" if on == "kappa" else "alpha"], step=0.05, format="%.3f", width=120,
            key=f"{FLOOR}_{on}", help=FLOOR_HELP, **asking.BOUND,
        )  # fmt: skip
        with st.popover("Bands"):
            st.markdown("Where the lowest band ends and the highest begins. The floor parts the two between.")
            for place in OUTER:
                below, above = Bands().words[place : place + 2]
                edge = usual_edges(floor)[place]
                st.number_input(f"{below} | {above}", -1.0, 1.0, value=edge, step=0.05, key=_edge(edge), **asking.BOUND)


def _edge(usual: float) -> str:
    return f"raters_edge_{usual:g}"


def level(dataset: state.Dataset) -> None:
    """How α takes the labels, where they can be taken in more than one way."""
    known = levels(dataset)
    if len(known) > 1:
        names = LEVELS | {CONFIRMED: f"As confirmed: {confirmed_words(dataset.ratings, mode(dataset))}"}
        asking.one_of("Level of α", names, LEVEL, options=known, help=LEVEL_HELP)


def levels(dataset: state.Dataset) -> tuple[str, ...]:
    """Return what the scales say, first, and the other levels that the labels allow."""
    scheme = dataset.ratings.scheme
    known = levels_of(mode_labels(scheme, mode(dataset)), ordered=bool(scheme.order))
    confirmed_level = confirmed_words(dataset.ratings, mode(dataset))
    return (CONFIRMED, *(level for level in known if level != confirmed_level))


def level_asked(dataset: state.Dataset) -> Measurement | None:
    """Return the level chosen; None for what the confirmed scale of each criterion says."""
    wanted = asking.held(LEVEL, levels(dataset))
    return next((level for level in MEASUREMENTS if level == wanted), None)


def mode(dataset: state.Dataset) -> Mode:
    """Return what an answer without a verdict is, as the sidebar says."""
    return asking.held("mode", modes_of(dataset.ratings))


def bands() -> Bands:
    """Return the floor and the bands around it."""
    on = asking.held(ON, tuple(COEFFICIENTS))
    floor = float(st.session_state.get(f"{FLOOR}_{on}", FLOORS[on]))
    low, _, high = (float(st.session_state.get(_edge(edge), edge)) for edge in usual_edges(floor))
    return Bands(on, floor, (low, floor, high))


def call(dataset: state.Dataset, report: RatersReport) -> as_lines.Call:
    """Return the call that gives a report."""
    asked, first = bands(), next(iter(roles_of(dataset.ratings)), None)
    edges = asked.edges if asked.edges != usual_edges(asked.line) else ()
    floor = None if asked.floor == FLOORS[asked.on] else asked.floor
    gate = as_lines.Call(GATE, {"on": asked.on, "floor": floor, "edges": edges}, ())
    return as_lines.call(
        "raters",
        None,
        dataset,
        role=None if report.role == first else report.role,
        level=level_asked(dataset),
        abstention=mode(dataset),
        bands=gate if gate.settled() else None,
    )


def raters_report(dataset: state.Dataset, roles: list[Role]) -> RatersReport:
    """Return the report that the choices ask for.

    Raises
    ------
    InputError
        As `metrics.raters`.
    """
    asked = {"role": role(roles), "level": level_asked(dataset), "abstention": mode(dataset), "bands": bands()}
    return cached.once(metrics.raters, dataset, **asked)
