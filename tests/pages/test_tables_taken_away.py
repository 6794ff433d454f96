"""Every table of every page leaves as a file that no spreadsheet computes and that says what its numbers rest on."""

from __future__ import annotations

import ast
import csv
import io
import re
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

import metrics
from metrics.analyses.kappa_phi.rows import by_criterion
from metrics.analyses.multiverse.compute import evaluated, space_of
from metrics.analyses.multiverse.result import multiverse
from metrics.analyses.review.compute import review_criteria
from metrics.analyses.settings import Settings, settings_of
from metrics.results.safe_csv import FORMULA_STARTS, safe_csv
from pages.shared import sheets
from tests.pages import own_file
from tests.pages.test_copied_numbers import PAGES, ROOT, SAMPLE
from tests.pages.test_copied_numbers import VIEWS as NUMBERS
from tests.review.made import drawn

AGREEMENT = "pages/judge/agreement.py"

Made = dict[str, Callable[[], str]]
AUDIT, OF_NO_FILE = "pages/learn/audit.py", ("pages/choose/simulation.py", "pages/learn/lab.py")
ONE_OF = {
    "mode": ("declared_abstention", "abstention"), "level": ("declared_level", "level"),
    "coverage": ("declared_coverage", "coverage"),
    "reference": ("reference", "declared_reference"), "file": ("file",), "digest": ("sha256",),
    "declaration": ("declaration", "interval"),
}  # fmt: skip
VIEWS = NUMBERS | {
    "pages/judge/kappa_phi.py": [{"gap_show": "Five names, one number"}, {"gap_show": "Variance"}],
    "pages/choose/rate.py": [{"rate_show": show} for show in ("Two models", "Answers needed", "A random part is labelled")],
    "pages/judge/agreement.py": [{"mode": "Keep as a class"}],
    "pages/judge/abstention.py": [{"abstention_show": "Cost matrix"}, {"abstention_show": "Who abstains, and on what"}],
}
WITHOUT = {
    "pages/shared/abstention/modes.py": "the tables of the modes, together in one file, and the numbers beside",
    "pages/shared/abstention/price.py": "bounds.csv",
    "pages/shared/abstention/who.py": "abstention.csv",
    "pages/shared/audit/details.py": "words alone",
    "pages/shared/choices/every.py": "every_choice.csv",
    "pages/shared/choices/levels.py": "aggregation.csv",
    "pages/shared/choose/numbers.py": "judges.csv",
    "pages/shared/compare/everyone.py": "judges.csv, which has every reading",
    "pages/shared/data/joined.py": "files of a join; the ids without a partner have a download",
    "pages/shared/data/outcome.py": "the first rows of the file itself, and who answered each question about it",
    "pages/shared/data/sheet_choice.py": "the first rows of each sheet of the file itself",
    "pages/shared/disagreements/listed.py": "disagreements.csv",
    "pages/shared/ensemble/errors.py": "shared_errors.csv",
    "pages/shared/ensemble/matrices.py": "matrices.csv",
    "pages/shared/ensemble/runs.py": "runs.csv",
    "pages/shared/kappa_phi/numbers.py": "kappa_phi.csv and standard_errors.csv",
    "pages/shared/lab/around.py": "lab.csv",
    "pages/shared/parts.py": "the rows of a table, of which the page has the download",
    "pages/shared/raters/disagreements.py": "disagreements.csv",
    "pages/shared/selftest.py": "selftest.json",
    "pages/shared/raters/numbers.py": "raters.csv",
    "pages/shared/roc/numbers.py": "roc.csv",
    "pages/shared/simulation/numbers.py": "simulation.csv",
    "pages/shared/sheets.py": "the one place where a table has its download",
    "pages/choose/rate.py": "measured_rate.csv",
    "pages/shared/overview/body.py": "judges.csv",
    "pages/judge/agreement.py": "criteria.csv",
    "pages/judge/labels.py": "widths.csv",
    "pages/learn/audit.py": "reporting-audit.csv",
}
"""Files that draw a table by themselves, with the download that holds its numbers."""


RECORD = re.compile(r"\b[A-Z]\w*\(\w+=|\bobject at 0x|\barray\(|\bnp\.\w+\(")
"""How Python writes a record of its own, which is no cell."""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    """What the downloads of a page make, by their keys; every table that is made once it is open is."""
    found: Made = {}
    button = sheets.button
    monkeypatch.setattr(sheets, "unfolded", lambda label, key: nullcontext(True))

    def kept(label: str, make: Callable[[], str], name: str, key: str, mime: str = "text/csv") -> None:
        found[key] = make
        button(label, make, name, key, mime)

    monkeypatch.setattr(sheets, "button", kept)
    return found


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def is_guarded(cell: str) -> bool:
    return not cell.startswith(FORMULA_STARTS) or re.fullmatch(r"-[\d.]+(e-?\d+)?|-inf", cell) is not None


@pytest.mark.parametrize(("page", "query"), [(page, query) for page in PAGES for query in ({}, *VIEWS.get(page, []))], ids=str)
def test_every_file_says_what_its_numbers_rest_on(visit, made, page, query) -> None:
    visit(page, **query)
    typed = "rate_from" in query or "sweep_from" in query or "choose_judges" in query
    for key, make in made.items():
        rows = rows_of(make())
        assert rows, key
        assert all(is_guarded(cell) for row in rows for cell in row.values() if cell), key
        assert not [cell for row in rows for cell in row.values() if cell and RECORD.search(cell)], key
        wanted = () if page == AUDIT else ("declaration",) if page in OF_NO_FILE or typed else tuple(ONE_OF)
        for name in wanted:
            assert any(row for row in rows[:1] if any(row.get(column) for column in ONE_OF[name])), (key, name, list(rows[0]))
        if "sha256" in rows[0] and not typed:
            assert len(rows[0]["sha256"]) == 64


def test_a_table_that_declares_each_row_stays_as_the_package_makes_it(visit, made) -> None:
    visit(AGREEMENT, mode="Keep as a class")
    report = metrics.agreement(metrics.read(SAMPLE), abstention="as_category")
    assert made["agreement.csv"]() == safe_csv(report.to_frame())
    rows = rows_of(made["agreement.table_csv"]())
    assert {row["declared_level"] for row in rows} == {"micro"}
    assert {row["declared_abstention"] for row in rows} == {"as_category"}


def test_the_files_of_kappa_and_phi_and_of_every_choice_hold_the_numbers_of_the_chosen_judge(visit, made) -> None:
    sample = metrics.read(SAMPLE)
    visit("pages/judge/kappa_phi.py", judge="lenient")
    report = metrics.agreement(sample, judges=["lenient"])
    rows = rows_of(made["kappa_phi.csv"]())
    assert {row["judge"] for row in rows} == {"lenient"}
    assert {row["sha256"] for row in rows} == {report.declaration.sha256}
    criteria = {row.name: row.drift for row in by_criterion(report.judges["lenient"])}
    assert {row["criterion"]: float(row["drift"]) for row in rows[1:]} == pytest.approx(criteria)
    visit("pages/judge/choices.py", judge="cautious", interval="none")
    settings = settings_of(sample, judges=["cautious"], interval="none")
    space = space_of(sample, "cautious", settings, "micro")
    every = {choice: evaluated(sample, "cautious", choice) for choice in set(map(space.settings, space.analyses))}
    rows = rows_of(made["choices.csv"]())
    columns = multiverse(space, every, "kappa").columns
    assert [float(row["value"]) for row in rows] == pytest.approx([column.value for column in columns])
    assert sum(row["declared"] == "yes" for row in rows) == 1


def test_each_row_of_the_saved_decisions_declares_its_own_criterion(visit, made) -> None:
    """Not the one on screen: criteria of one file have different coverage and n."""
    visit("pages/rubric/review.py")
    found = {own.criterion: own for own in review_criteria(metrics.read(SAMPLE), "strict", Settings())}
    rows = rows_of(made["review.csv"]())
    assert len({row["coverage"] for row in rows}) > 1
    assert len({row["declaration"] for row in rows}) == len(rows) == len(found)
    for row in rows:
        own = found[row["criterion"]]
        assert own.coverage is not None
        assert float(row["coverage"]) == pytest.approx(own.coverage.coverage)
        assert f" {row['n']} of {own.coverage.n_total} decisions" in row["declaration"]
        assert not [name for name in row if name.startswith("declared_")]


def test_before_and_after_declares_both_files_and_not_the_criterion_on_screen(visit, made) -> None:
    first, second = drawn(3), drawn(9, wrong=0.1)
    app = own_file.opened(visit, "pages/rubric/review.py", first.to_csv(index=False).encode())
    app.file_uploader(key="review.again").upload("later.csv", second.to_csv(index=False).encode(), "text/csv").run()
    for row in rows_of(made["review.changes_csv"]()):
        assert row["declaration"].startswith("Before: own.csv, judge bot, reference ana. After: later.csv, judge bot")
        assert not [name for name in row if name.startswith("declared_")]
        assert int(row["n"]) <= min(int(row["n_before"]), int(row["n_after"])) <= int(row["n_shared"])


def test_what_is_told_never_takes_the_place_of_a_column() -> None:
    told = {"reference": "majority", "file": "a.csv", "declaration": "=x"}
    (row,) = rows_of(safe_csv({"reference": ["MET"], "file": ["a.csv"]}, told))
    assert row == {"reference": "MET", "file": "a.csv", "declared_reference": "majority", "declaration": "'=x"}


def test_hostile_names_compute_nothing_in_any_file(visit, made) -> None:
    names = ("=HYPERLINK(1)", "+1+1", "@SUM(A1)", "-2+3")
    rows = [(f"{name}{n}", name, f"{n % 2}", f"{n % 3 % 2}") for name in names for n in range(12)]
    app = own_file.opened(visit, "pages/judge/agreement.py", own_file.rows(rows))
    for page in ("pages/judge/agreement.py", "pages/judge/abstention.py", "pages/judge/kappa_phi.py", "pages/choose/choose.py"):
        app.switch_page(page).run()
        assert not app.exception
    assert len(made) > 8
    for key, make in made.items():
        assert all(is_guarded(cell) for row in rows_of(make()) for cell in row.values() if cell), key
    criteria = {row["criterion"] for row in rows_of(made["agreement.table_csv"]())}
    assert criteria == {f"'{name}" for name in names}


def test_no_table_is_without_a_file() -> None:
    drawn = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "pages").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("table", "dataframe") and getattr(node.value, "id", "") == "st"
    }
    assert drawn <= set(WITHOUT), "draw it with pages.shared.sheets, or say which download holds its numbers"


def test_decimals_of_a_table_are_rounded_as_elsewhere() -> None:
    look = sheets.numbers({"criterion": ["a", "b", "c"], "n": [1, 2, 3], "κ": [-0.004, 0.125, float("nan")]})
    assert [str(value) for value in look["data"]["κ"]] == ["0.0", "0.13", "nan"]
    assert (list(look["column_config"]), look["data"]["n"]) == (["κ", "criterion"], [1, 2, 3])


def test_no_page_writes_the_decimals_of_a_table_by_itself() -> None:
    """The browser writes -0.00: columns of decimals come from `sheets.numbers`."""
    by_itself = re.compile(r'NumberColumn\([^)]*format="%')
    found = {path.name for path in (ROOT / "pages").rglob("*.py") if by_itself.search(path.read_text(encoding="utf-8"))}
    assert found <= {"disagreements.py"}, "entropies are never negative; all else can be"


def test_streamlit_s_own_files_which_say_nothing_are_off() -> None:
    assert "disableDataExport = true" in (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    assert Path(sheets.__file__).name == "sheets.py"
