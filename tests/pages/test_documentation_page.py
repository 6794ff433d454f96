"""The page that leads to the documentation, and the help of numbers that does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages.shared import documents
from tests.pages.conftest import Open

PAGE, OVERVIEW = "pages/learn/documentation.py", "pages/judge/overview.py"


def links(app) -> list[str]:
    return [address for part in app.markdown for address in re.findall(r"\]\((docs/[^)]+)\)", part.value)]


def test_where_it_is_given_out_every_part_of_it_is_a_link(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(documents.VARIABLE, "docs/")
    app = visit(PAGE)
    places = [place for entries in documents.CONTENTS.values() for place in entries.values()]
    assert links(app) == ["docs/index.html", *(f"docs/{place}.html" for place in places)]
    assert not app.info
    helped = [metric.proto.help for metric in visit(OVERVIEW).metric]
    assert helped
    assert all(re.search(r"\(docs/metrics/\w+\.html\)$", text) for text in helped)


@pytest.mark.parametrize("built", [True, False])
def test_where_it_is_not_the_page_says_what_to_type(
    visit: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, built: bool
) -> None:
    site = tmp_path / "index.html"
    if built:
        site.touch()
    monkeypatch.setattr(documents, "SITE", site)
    monkeypatch.delenv(documents.VARIABLE, raising=False)
    app = visit(PAGE)
    assert links(app) == []
    (said,) = app.info
    assert ("make app" if built else "make docs") in said.value
    assert not any("docs/" in metric.proto.help for metric in visit(OVERVIEW).metric)
