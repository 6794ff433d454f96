"""What a long command says while it runs."""

import io
import time
from pathlib import Path

from metrics.commands.count import CLEARED, Steps
from metrics.engines import count

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
