"""The words of every made-up verdict, approved once; `make golden` writes them anew, and `git diff` shows what changes."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import metrics  # noqa: E402
from tests.overview.made import MADE  # noqa: E402

APPROVED = HERE / "approved.txt"


def wording() -> str:
    return "\n".join(f"## {name}\n{metrics.overview(ratings()).summary()}\n" for name, ratings in MADE.items())


def test_the_words_are_those_that_were_approved() -> None:
    assert APPROVED.read_text(encoding="utf-8") == wording()


if __name__ == "__main__":
    APPROVED.write_text(wording(), encoding="utf-8")
