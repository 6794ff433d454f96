"""Where the documentation is read: the site that this server gives out, and how it comes to be there."""

from __future__ import annotations

import os
from pathlib import Path

from metrics.measures.metric import Metric

SITE = Path(__file__).resolve().parents[2] / "docs" / "site" / "index.html"
VARIABLE = "KAPPASCOPE_DOCS"
"""Set by what serves the dashboard: the address of the site, from that of a page; empty where it gives out none."""
CONTENTS = {
    "From a file to a verdict": {
        "Check a judge": "tutorials/check_a_judge", "Teach the paradox": "tutorials/teach_the_paradox",
        "Review a rubric": "tutorials/review_a_rubric", "Compare two prompts": "tutorials/compare_two_prompts",
    },
    "Files": {"Exports of tools": "formats/index", "A table of your own": "tables"},
    "Numbers": {
        "Every number": "metrics/index", "How an interval is chosen, and how well it covers": "intervals",
        "Glossary": "glossary", "Errata of the papers": "errata",
    },
    "Without the dashboard": {
        "Every public name": "python/index", "Every command": "commands", "In a pipeline": "pipeline", "Coding agents": "agents",
    },
}  # fmt: skip
"""Heading to the name and the page of what stands under it."""
BUILD = "It is not built yet. Type `make docs` in the folder of Kappascope, and start the dashboard anew."
RESTART = "This server does not give it out. `make app` and `kappascope app` do."


def address(page: str) -> str:
    """Return the address of a page of the site, such as `metrics/kappa.html`; empty where there is none."""
    site = os.environ.get(VARIABLE, "")
    return f"{site}{page}" if site else ""


def lacking() -> str:
    """Return why there is no site here, and what to type; empty where there is one."""
    if os.environ.get(VARIABLE):
        return ""
    return RESTART if SITE.exists() else BUILD


def help_of(record: Metric, text: str = "") -> str:
    """Return what a metric answers, or a text in place of it, and a link to its page where there is one: Markdown."""
    page, said = address(f"metrics/{record.key}.html"), text or record.answers
    return f"{said} [Formula and source]({page})" if page else said
