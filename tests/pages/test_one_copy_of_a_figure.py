"""A figure with two arrangements is sent once: the one for the window that the browser has."""

from __future__ import annotations

import pytest

from pages.shared import page_records, screen


@pytest.mark.parametrize("telephone", [False, True])
@pytest.mark.parametrize("page", [page.path for page in page_records.PAGES])
def test_no_alternative_text_is_sent_twice(visit, page: str, telephone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "_of_telephone", lambda: telephone)
    texts = [chart.proto.alt for chart in visit(page).get("plotly_chart")]
    assert len(texts) == len(set(texts))
