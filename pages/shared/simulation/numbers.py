"""Numbers of the simulation: headline, the claims, the table of all, the downloads."""

from __future__ import annotations

import json

import streamlit as st

from metrics.analyses.provenance import citation_line
from metrics.analyses.simulation import readings
from metrics.analyses.simulation.claims import VERDICTS, claims
from metrics.analyses.simulation.compute import SNR, SYMBOLS
from metrics.analyses.simulation.studies import AXIS_NAMES, Run
from metrics.analyses.simulation.tables import outcomes
from metrics.asker import literal
from metrics.results.tables import as_text
from pages.shared import as_lines, parts, sheets
from pages.shared.plain import escape

MARKS = {"reproduced": "✓", "not": "✕", "level": "=", "unsettled": "?"}
NO_CLAIM = "After one scenario there is no Monte Carlo error, so no claim can be judged."


def headline(run: Run) -> list[parts.Headline]:
    """Return how often two metrics pick a best judge, and the least and the most that is lost; at the last point of an axis."""
    selection, order, context = run.selections[-1], readings.by_loss(run.selections[-1]), readings.header(run).provenance()
    point = f"at {AXIS_NAMES[run.study.along]} {run.study.points[-1].name}" if run.study.along != "none" else ""
    at = f"at {run.study.points[-1].name}" if run.study.along != "none" else ""
    headlines = []
    for key in (SNR, readings.BA):
        value, error = readings.success_parts(selection.outcome(readings.SUCCESS, key))
        text = citation_line(f"{SYMBOLS[key]} picks a best judge", f"{value} {error}", (point, *context))
        headlines.append(
            parts.Headline(f"{SYMBOLS[key]} picks best", value, error, readings.TERMS[readings.PICKED], third=at, citation=text)
        )
    for word, key in (("Least", order[0]), ("Most", order[-1])):
        value, error = readings.loss_parts(selection.outcome(readings.LOSS, key))
        text = citation_line(f"{word.lower()} loss of ranking accuracy, by {SYMBOLS[key]}", f"{value} {error}", (point, *context))
        second = f"{SYMBOLS[key]} {error}"
        headlines.append(parts.Headline(f"{word} loss", value, second, readings.TERMS[readings.LOST], third=at, citation=text))
    return headlines


def view(run: Run) -> as_lines.View:
    """Return the call behind the headline, and where its first number is; along an axis that of the last point."""
    asked = as_lines.Call("select_judge", vars(run.study.points[-1].setting), ())
    return as_lines.View(asked, f".outcome({literal(readings.SUCCESS)}, {literal(SNR)})", command="select")


def claims_table(run: Run) -> None:
    """Each claim of the source beside what this run shows of it, and how that is decided."""
    checked_claims = claims(run)
    if not checked_claims:
        st.markdown(NO_CLAIM)
        return
    columns = {
        "what the paper claims": [f"{escape(claim.text)} :small[{escape(claim.where)}]" for claim in checked_claims],
        "this run": [escape(claim.evidence) for claim in checked_claims],
        "verdict": [f"**{MARKS[claim.verdict]} {VERDICTS[claim.verdict]}**" for claim in checked_claims],
    }
    plain = {
        "claim": [claim.text for claim in checked_claims],
        "where": [claim.where for claim in checked_claims],
        "this run": [claim.evidence for claim in checked_claims],
        "verdict": [VERDICTS[claim.verdict] for claim in checked_claims],
    }
    sheets.show(columns, "The claims (CSV)", "claims.csv", "simulation.claims_csv", alt="Claims of the paper", plain=plain)
    st.markdown(f":small[{escape(readings.DECIDED)}]")


def table(run: Run) -> None:
    """Every metric at every point, and the words of the page."""
    with st.expander("Every metric: how often a best judge is picked, and what is lost"):
        st.dataframe(as_text(outcomes(run)), hide_index=True, key="simulation.table", alt="Success and loss by metric")
        st.markdown(escape(readings.ERRORS))
    with st.expander("What is simulated, and what the words mean"):
        for name, text in readings.TERMS.items():
            st.markdown(f"**{name}:** {escape(text)}")
        st.markdown(escape(readings.CONVENTIONS))
    with st.container(horizontal=True):
        sheets.download("All numbers (CSV)", run.to_frame, "simulation.csv", "simulation.csv")
        parts.download("All numbers (JSON)", lambda: _json(run), "simulation.json", "simulation.json", "application/json")


def _json(run: Run) -> str:
    return json.dumps(run.to_dict(), indent=2, allow_nan=False)
