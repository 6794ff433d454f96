"""What one session may hold: refused in words, and free again once a file is removed."""

from __future__ import annotations

import gc

import pytest

from pages.shared import quota
from pages.shared.data import pending
from tests.pages.conftest import Open
from tests.pages.files import DATA, uploaded


def file_of(mark: str, n: int = 400) -> bytes:
    lines = (f"{mark}{i},c,j,{'MET' if i % 3 else 'UNMET'},{'MET' if i % 4 else 'UNMET'}\n" for i in range(n))
    return ("item,criterion,judge,human,verdict\n" + "".join(lines)).encode()


def test_files_beyond_the_quota_are_refused_until_one_is_removed(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit(DATA)
    assert not [button for button in app.button if "data.remove" in str(button.key)]
    uploaded(app, "first.csv", file_of("a"))
    held = app.session_state[quota.TABLES]
    size = sum(table.nbytes for table in held.values())
    assert size > 1000
    monkeypatch.setattr(quota, "most", lambda: 2 * size + size // 2)
    uploaded(app, "second.csv", file_of("b"))
    assert len(held) == 2
    app.file_uploader(key="data.upload").upload("third.csv", file_of("c"), "text/csv").run()
    (said,) = [error.value for error in app.error]
    assert "Your files take" in said
    assert "Remove one on the page Data" in said
    assert len(held) == 2
    first = next(name for name, title in titles(app).items() if title == "first.csv")
    app.button(key=f"data.remove {first}").click().run()
    assert first not in titles(app)
    gc.collect()
    assert len(held) == 1
    uploaded(app, "fourth.csv", file_of("d"))
    assert len(held) == 2
    assert set(titles(app).values()) == {"second.csv", "fourth.csv"}


def test_one_file_beyond_the_quota_is_told_so_and_one_given_twice_counts_once(
    visit: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = uploaded(visit(DATA), "own.csv", file_of("a"))
    size = sum(table.nbytes for table in app.session_state[quota.TABLES].values())
    monkeypatch.setattr(quota, "most", lambda: size + 10)
    uploaded(app, "again.csv", file_of("a"))
    app.file_uploader(key="data.upload").upload("large.csv", file_of("b", 2000), "text/csv").run()
    assert "This file takes" in app.error[0].value
    in_view = app.session_state["data"]
    app.button(key=f"data.remove {in_view}").click().run()
    assert app.session_state["data"] == "support_answers"
    assert not app.exception


def test_files_that_are_given_and_never_used_take_each_other_s_place(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit(DATA)
    monkeypatch.setattr(quota, "most", lambda: 20_000)
    for mark in "abcdef":
        app.file_uploader(key="data.upload").upload(f"{mark}.csv", file_of(mark), "text/csv").run()
        assert not app.error
    (draft,) = app.session_state[pending.DRAFTS].values()
    assert draft.table.name == "f.csv"
    app.button(key="data.use").click().run().switch_page(DATA).run()
    app.file_uploader(key="data.upload").upload("f.csv", file_of("f"), "text/csv").run()
    (again,) = app.session_state[pending.DRAFTS].values()
    assert again.files, "it could be read in another way"
    app.button(key="data.forget").click().run()
    (left,) = app.session_state[pending.DRAFTS].values()
    assert left.files == ()
    assert not app.exception


def titles(app: object) -> dict[str, str]:
    return {name: dataset.title for name, dataset in app.session_state["uploads"].items()}  # type: ignore[attr-defined]


def test_no_limit_where_none_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for given, wanted in ((None, 0), ("", 0), ("many", 0), ("200", 200 << 20)):
        if given is None:
            monkeypatch.delenv(quota.SETTING, raising=False)
        else:
            monkeypatch.setenv(quota.SETTING, given)
        assert quota.most() == wanted
