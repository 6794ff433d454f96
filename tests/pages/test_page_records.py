"""Every page is a record, and nothing else says where a page is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from pages.shared.page_records import FIRST, LEARN, PAGES, Control, entries, page_of

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "pages/shared/page_records.py"
SCRIPTS = {str(path.relative_to(ROOT)) for path in (ROOT / "pages").glob("*/*.py") if path.parent.name != "shared"}


def test_every_script_is_a_record_and_every_record_a_script() -> None:
    assert sorted(page.path for page in PAGES) == sorted(SCRIPTS)
    assert len({page.name for page in PAGES}) == len(PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_at_its_address(page: Any, registered: dict[str, Any]) -> None:
    (known,) = (own for own in registered.values() if own["script_path"].endswith(page.path))
    assert known["url_pathname"] == ("" if page is FIRST else page.name)
    assert known["page_name"] == (page.title if page.entry == LEARN else page.entry)
    assert page_of(known["url_pathname"]) is page


def test_no_other_file_holds_the_script_of_a_page() -> None:
    others = [ROOT / "app.py", *(path for path in (ROOT / "pages").rglob("*.py") if path != RECORDS)]
    found = {path.name: re.findall(r"[\"']pages/\w+/\w+\.py[\"']", path.read_text(encoding="utf-8")) for path in others}
    assert not {name: own for name, own in found.items() if own}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_reason_is_for_a_control_and_a_method_for_a_page_with_one(page: Any) -> None:
    assert set(page.because) <= set(get_args(Control))
    assert bool(page.one_method) is (page.intervals == "one method")


def test_the_entries_are_few_and_every_page_is_behind_one() -> None:
    led = [page for page in PAGES if page.leads and page.entry != LEARN]
    assert [page.entry for page in led] == list(dict.fromkeys(page.entry for page in PAGES if page.entry != LEARN))
    assert len(led) <= 8
    for page in PAGES:
        assert page.entry == LEARN or page in next(own for own in led if own.entry == page.entry).siblings
        assert page.title == (page.entry if page.tab else page.label), "a page has the name of its tab, or of its entry"


def test_only_what_leads_an_entry_is_in_the_navigation() -> None:
    known = entries()
    assert list(known) == ["", LEARN]
    shown = [page.visibility == "visible" for page in known[""]]
    assert shown == [page.leads for page in PAGES if page.entry != LEARN]
    assert all(page.visibility == "visible" for page in known[LEARN])
