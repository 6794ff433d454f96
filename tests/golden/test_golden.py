"""No digit, no key and no sentence changes unless its golden file does: `make golden` writes them anew, `git diff` shows it."""

from __future__ import annotations

import difflib
import math
from pathlib import Path

import pytest

from tests.golden.freezing import HERE, NO_FILE, SOURCES, files_of

SAME = 1e-9
"""Relative: libraries of linear algebra on other machines round otherwise in the last digits, and nothing else may differ."""
SHOWN = 40
QUICK = ("numbers", "pooled_at_chance", "rao_two_criteria", "votes", NO_FILE)
EVERY = [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow("every command on a file")) for name in SOURCES]


def same_line(frozen: str, now: str) -> bool:
    """Tell whether two lines of JSON agree but for the last digits of a number."""
    key, _, value = frozen.rstrip(",").rpartition(": ")
    other_key, _, other = now.rstrip(",").rpartition(": ")
    try:
        return key == other_key and math.isclose(float(value), float(other), rel_tol=SAME, abs_tol=SAME)
    except ValueError:
        return False


def changes(frozen: str, now: str) -> list[str]:
    before, after = frozen.splitlines(), now.splitlines()
    if len(before) == len(after) and all(a == b or same_line(a, b) for a, b in zip(before, after, strict=True)):
        return []
    return list(difflib.unified_diff(before, after, "frozen", "now", n=1, lineterm=""))


@pytest.mark.parametrize("source", EVERY)
def test_numbers_and_texts_are_those_that_were_frozen(source: str, tmp_path: Path) -> None:
    texts = files_of(source, tmp_path)
    frozen = {path for kind in ("numbers", "texts") for path in (HERE / kind / source.replace(" ", "_")).glob("*.txt")}
    assert frozen == set(texts)
    changed = {path: changes(path.read_text(encoding="utf-8"), text) for path, text in texts.items()}
    told = [f"{path.relative_to(HERE)}:\n" + "\n".join(lines[:SHOWN]) for path, lines in changed.items() if lines]
    assert not told, "\n\n".join([*told, "Where this is meant, run `make golden` and look at the diff."])


def test_a_digit_a_key_and_a_word_are_changes_and_rounding_is_none() -> None:
    assert not changes('"kappa": 0.1234567890123,', '"kappa": 0.1234567890124,')
    assert changes('"kappa": 0.1234567,', '"kappa": 0.1234568,')
    assert changes('"kappa": 0.5,', '"phi": 0.5,')
    assert changes('"kappa": 0.5,', '"kappa": null,')
    assert changes("B is better", "A is better")
    assert changes('"a": 1', '"a": 1\n"b": 2')
