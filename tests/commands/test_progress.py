"""What a long command says while it runs."""

import io
import sys
import time
from contextlib import nullcontext, redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import pytest

import metrics
from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.settings import settings_of
from metrics.asker import answering
from metrics.engines import count
from metrics.intervals import bootstrap
from metrics.results import progress
from metrics.results.progress import BLANKED, CLEARED, Steps, part, shown

FILE = Path(__file__).parents[2] / "assets" / "support_answers.csv"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def said(stream: io.StringIO, share: float, quiet: float = 0.0) -> str:
    with Steps("Counting", stream, quiet, 0.01) as steps:
        steps.watch(lambda: share)
        end = time.monotonic() + 5
        while quiet == 0 and stream.isatty() and "Counting" not in stream.getvalue() and time.monotonic() < end:
            time.sleep(0.005)
        steps.write_step("10 rows.")
    return stream.getvalue()


def test_a_terminal_says_how_far_the_step_is_and_is_left_clean() -> None:
    found = said(Terminal(), 0.42)
    assert f"{CLEARED}Counting · 0 s · 42 % of this step" in found
    assert f"{CLEARED}10 rows.\n" in found
    assert found.endswith(CLEARED)
    assert "of this step" not in said(Terminal(), -1.0)


def test_a_file_gets_a_line_a_step_and_a_quick_count_says_nothing() -> None:
    assert said(io.StringIO(), 0.42) == "10 rows.\n"
    assert said(io.StringIO(), 0.42, quiet=60) == ""
    assert set(said(Terminal(), 0.42, quiet=60)) <= set(CLEARED)


def test_duckdb_tells_its_share_and_nothing_after_its_end() -> None:
    given = []
    count(FILE, watched=given.append)
    assert [share() for share in given] == [-1.0]


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python that runs behind a notebook."""
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))


def wait(cell: io.StringIO, word: str) -> None:
    end = time.monotonic() + 5
    while word not in cell.getvalue() and time.monotonic() < end:
        time.sleep(0.005)


@pytest.mark.usefixtures("notebook")
def test_a_notebook_is_told_and_left_clean() -> None:
    with redirect_stdout(io.StringIO()) as cell, shown("Bootstrap", 0.0, 0.01) as tell:
        assert tell is not None
        part(tell, 1, 4)(0.5)
        wait(cell, "38 %")
    assert "Bootstrap · 0 s · 38 %" in cell.getvalue()
    assert "of this step" not in cell.getvalue()
    assert cell.getvalue().endswith(BLANKED)
    assert max(map(len, cell.getvalue().split("\r"))) <= progress.WIDEST


@pytest.mark.usefixtures("notebook")
def test_quick_work_leaves_a_notebook_as_it_is() -> None:
    with redirect_stdout(io.StringIO()) as cell, shown("Bootstrap") as tell:
        assert tell is not None
        tell(0.5)
    assert cell.getvalue() == ""


@pytest.mark.usefixtures("notebook")
def test_a_script_and_a_page_are_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering("page"), shown("Bootstrap") as tell:
        assert tell is None
    monkeypatch.delitem(sys.modules, "IPython")
    with shown("Bootstrap") as tell:
        assert tell is None
    with answering("command"), redirect_stderr(io.StringIO()), shown("Bootstrap") as tell:
        assert tell is None


def test_a_command_on_a_terminal_is_told() -> None:
    with answering("command"), redirect_stderr(Terminal()) as terminal, shown("Simulation", 0.0, 0.01) as tell:
        assert tell is not None
        tell(0.25)
        wait(terminal, "25 %")
    assert f"{CLEARED}Simulation · 0 s · 25 %" in terminal.getvalue()


LONG = {
    "agreement": lambda ratings: metrics.agreement(ratings, interval="bootstrap", replicates=200).to_dict(),
    "bca": lambda ratings: metrics.agreement(ratings, interval="bca", unit="hierarchical", replicates=100).to_dict(),
    "compare": lambda ratings: metrics.compare(ratings, "strict", "cautious", replicates=500).to_dict(),
    "compare_all": lambda ratings: metrics.compare_all(ratings, replicates=300).to_dict(),
    "decisions": lambda ratings: metrics.agreement(ratings, interval="bootstrap", unit="decision", replicates=100).to_dict(),
    "criteria": lambda ratings: metrics.agreement(ratings, interval="bootstrap", unit="criterion", replicates=100).to_dict(),
    "panel_growth": lambda ratings: vars(metrics.panel_growth(ratings, subsets=20)),
    "select_judge": lambda ratings: metrics.select_judge(scenarios=40, judges=5, models=4).to_dict(),
}


@pytest.mark.parametrize("name", LONG)
def test_telling_how_far_it_is_changes_no_digit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ratings, heard = metrics.read(FILE), []
    alone = LONG[name](ratings)
    for module in [own for own in list(sys.modules.values()) if getattr(own, "shown", None) is shown]:
        monkeypatch.setattr(module, "shown", lambda doing: nullcontext(heard.append))
    assert repr(LONG[name](ratings)) == repr(alone)
    assert heard == sorted(heard)
    assert heard[-1] == pytest.approx(1)


@pytest.mark.parametrize("unit", ["item", "hierarchical", "decision", "criterion"])
@pytest.mark.parametrize(("cells", "drawn"), [(6_000, 900), (20_000, 2_300), (40_000, 100_000)])
def test_windows_and_blocks_of_any_size_draw_the_same(unit: str, cells: int, drawn: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "MOST_CELLS", cells)
    monkeypatch.setattr(bootstrap, "MOST_DRAWN", drawn)
    ratings, heard = metrics.read(FILE), []
    settings = settings_of(ratings, judges=["strict"], interval="bootstrap", unit=unit, replicates=130)
    alone = judge_report(ratings, "strict", settings)
    told = judge_report(ratings, "strict", settings, heard.append)
    assert repr(told.micro.to_dict()) == repr(alone.micro.to_dict())
    assert repr(told.macro.to_dict()) == repr(alone.macro.to_dict())
    assert len(heard) >= 20
