"""What would have the browser look at the whole page again, or draw a figure twice, is not sent."""

from __future__ import annotations

import json
import re

import pytest

from pages.shared.page_records import AGREEMENT, LAB, OVERVIEW, PAGES

ANYWHERE = re.compile(r'\[data-testid="st(App|Main|MainBlockContainer)"\][^ ,{]*:has\(')


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_no_rule_asks_what_there_is_anywhere_on_the_page_but_in_the_lab(visit, page) -> None:
    rules = "".join(part.proto.body for part in visit(page.path).get("html"))
    assert (page is LAB) == bool(ANYWHERE.search(rules))


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_plotly_takes_a_copy_of_a_figure_for_the_same(visit, page) -> None:
    """Lists are compared by the revision alone; anything else that a figure says of itself makes a copy another figure."""
    for chart in visit(page.path).get("plotly_chart"):
        layout = json.loads(chart.proto.spec)["layout"]
        assert layout["datarevision"] == 0
        assert isinstance(layout.get("meta", []), list)


@pytest.mark.parametrize(
    ("page", "key", "alt"), [(AGREEMENT, "agreement.table", "Table of criteria"), (OVERVIEW, "overview.judges", "All judges")]
)
def test_a_table_is_sent_once_it_is_open(visit, page, key: str, alt: str) -> None:
    app = visit(page.path)
    assert alt not in [table.proto.alt for table in app.dataframe]
    app.session_state[f"{key} unfolded"] = True
    assert alt in [table.proto.alt for table in app.run().dataframe]
