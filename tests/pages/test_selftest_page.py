"""The self-test stands behind any address, and leaves everything as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from metrics.content.selftest import checking, published, readings
from pages.shared import selftest
from pages.shared.plain import unescaped
from tests.pages.conftest import Open

ADDRESSES = [
    (None, {}),
    ("pages/judge/roc.py", {"mode": "junk", "data": "nowhere"}),
    ("pages/learn/lab.py", {"view": "room"}),
]


@pytest.mark.parametrize(("page", "query"), ADDRESSES)
def test_behind_every_address(visit: Open, page: str | None, query: dict[str, str]) -> None:
    app = visit(page, selftest="", **query)
    assert app.title[0].value == "Self-test"
    (verdict,) = app.success
    assert unescaped(verdict.value).strip("*") == readings.verdict(checking.self_test())
    shown = [cell for table in app.table for cell in table.value.to_numpy().ravel()]
    assert shown.count(readings.AGREES) == len(checking.self_test().checks)
    assert "numpy" in shown
    text = unescaped(" ".join(own.value for own in app.markdown))
    assert all(table.why in text for table in published.TABLES)
    names = [table.proto.alt for table in app.table]
    assert all(names)
    assert len(set(names)) == len(names)
    assert all(str(head).strip() for table in app.table for head in table.value.columns)
    app.button(key="selftest_back").click().run()
    assert not app.exception
    assert app.title[0].value != "Self-test"


def test_a_difference_is_an_error_with_its_name(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    first = published.TABLES[0]
    wrong = replace(first, numbers=(*first.numbers[1:], published.Number("accuracy", "1/2")))
    found = checking.self_test([wrong, *published.TABLES[1:]])
    monkeypatch.setattr(selftest, "self_test", lambda: found)
    app = visit(selftest="")
    assert not app.success
    assert "1 of 87 published numbers differ: Accuracy of “Balanced labels”" in unescaped(app.error[0].value)
    assert readings.DIFFERS in app.table[0].value.to_numpy()


def test_many_who_ask_at_once_cost_one_computation(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[int] = []
    found = checking.self_test()
    monkeypatch.setattr(selftest, "self_test", lambda: (runs.append(1), found)[1])
    for _ in range(3):
        visit(selftest="").run()
    assert len(runs) == 1
    selftest._computed.clear()
    assert visit(selftest="").success
    assert len(runs) == 2
