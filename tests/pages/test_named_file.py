"""`kappascope app FILE`: a session begins with the file, whichever link it comes by; what is in doubt is asked on *Data*."""

from __future__ import annotations

import pytest

import metrics
from pages.shared.data import named_file

ROWS = "item,judge,human,verdict\n" + "\n".join(f"{n},j,{'yes' if n % 2 else 'no'},{'yes' if n % 3 else 'no'}" for n in range(20))


@pytest.fixture
def file(tmp_path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "labels.csv"
    path.write_text(ROWS)
    monkeypatch.setenv(named_file.FILE, str(path))
    return path


def test_the_session_begins_with_it(file, visit) -> None:
    app = visit()
    assert app.selectbox(key="data").value == metrics.read(file).source.sha256[:8]
    assert app.title[0].value == "Overview"
    assert not [toggle for toggle in app.toggle if "Remember" in toggle.label]


def test_a_reload_finds_it_again(file, visit) -> None:
    name = metrics.read(file).source.sha256[:8]
    app = visit(data=name, mode="as_unmet")
    assert app.selectbox(key="data").value == name
    assert app.radio(key="mode").value != "Exclude"


def test_a_link_to_a_sample_shows_the_sample_with_the_file_beside_it(file, visit) -> None:
    app = visit(data="rao_balanced")
    assert app.selectbox(key="data").value == "rao_balanced"
    assert any("labels.csv" in option for option in app.selectbox(key="data").options)


def test_what_is_in_doubt_is_asked(file, visit) -> None:
    file.write_text(ROWS.replace("yes", "spam").replace("no", "ham"))
    assert visit().title[0].value == "Data"


def test_a_file_that_is_gone_or_no_table_is_refused_there(file, visit) -> None:
    file.write_bytes(b"\x00\x01\x02")
    app = visit()
    assert app.title[0].value == "Data"
    assert app.error
    file.unlink()
    app = visit()
    assert "cannot be read" in app.error[0].value


def test_without_one_the_sample_is_open(visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(named_file.FILE, raising=False)
    assert visit().selectbox(key="data").value == "support_answers"
