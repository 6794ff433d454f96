"""What would have the browser look at the whole page again, or draw a figure twice, is not sent."""

from __future__ import annotations

import json
import re

import pytest

from pages.shared import screen
from pages.shared.page_records import AGREEMENT, LAB, OVERVIEW, PAGES

ANYWHERE = re.compile(r'\[data-testid="st(App|Main|MainBlockContainer)"\][^ ,{]*:has\(')


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_no_rule_asks_what_there_is_anywhere_on_the_page_but_in_the_lab(visit, page) -> None:
    rules = [part.proto.body for part in visit(page.path).get("html") if part.proto.body.startswith("<style")]
    assert len(rules) == 1, "one message for all rules"
    assert (page is LAB) == bool(ANYWHERE.search(rules[0]))


@pytest.mark.parametrize("telephone", [False, True])
def test_what_a_narrow_declaration_leaves_out_is_sent_to_a_telephone_alone(visit, telephone, monkeypatch) -> None:
    monkeypatch.setattr(screen, "_of_telephone", lambda: telephone)
    assert len(visit(AGREEMENT.path).get("popover")) == telephone


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
