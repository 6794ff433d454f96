"""A teacher's lesson: read, refused with its place, and carried by an address."""

from __future__ import annotations

import base64
import json
import zlib
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import InputError, accuracy, cohen_kappa
from metrics.content.lab.lesson_file import (
    EXAMPLE,
    MOST_BYTES,
    MOST_IN_LINK,
    MOST_LETTERS,
    MOST_STEPS,
    packed,
    read_lesson,
    unpacked,
)
from metrics.results.words import number, percent

STEP: dict[str, Any] = {"title": "A", "sentence": "B", "table": [4, 1, 2, 3]}
BET: dict[str, Any] = {"question": "Which?", "options": ["a", "b"], "right": 1}


def lesson(**changes: Any) -> str:
    return json.dumps({"title": "T", "steps": [{**STEP, **changes}]})


def test_the_example_says_what_its_tables_give() -> None:
    found = read_lesson(EXAMPLE)
    first, second = found.steps
    table = [[45, 5], [45, 905]]
    assert percent(float(accuracy(table))) in first.filled(first.title)
    assert number(float(cohen_kappa(table))) in second.filled(second.title)
    assert first.bet is not None
    assert first.bet.options[first.bet.right] == "No"
    assert float(cohen_kappa(table)) < 0.8


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[1]", "write an object"),
        ('{"title":', "line 1: this is no JSON"),
        ("[" * 9000, "this is no JSON"),
        ('{"title": "T"}', "steps is missing"),
        ('{"title": "T", "steps": []}', f"1 to {MOST_STEPS} steps"),
        ('{"title": 3, "steps": []}', "1 to"),
        (lesson(table=[1, 2, 3]), "step 1, table: write four whole numbers"),
        (lesson(table=[1, 2, 3, -4]), "step 1, table"),
        (lesson(table=[1, 2, 3, 4.0]), "step 1, table"),
        (lesson(table=[True, 2, 3, 4]), "step 1, table"),
        (lesson(table=[0, 0, 0, 0]), "step 1, table"),
        (lesson(colour="red"), "no field 'colour'"),
        (lesson(title="x" * (MOST_LETTERS + 1)), "step 1, title: write a text"),
        (lesson(title="{nothing}"), "step 1, title: there is no number {nothing}"),
        (lesson(title="{picture}"), "step 1, title: there is no number"),
        (lesson(title="{__class__}"), "step 1, title: braces"),
        (lesson(sentence="{kappa.__class__}"), "step 1, sentence: braces"),
        (lesson(sentence="{kappa!r}"), "step 1, sentence: braces"),
        (lesson(bet={**BET, "right": 3}), "bet, right"),
        (lesson(bet={**BET, "right": 0}), "bet, right"),
        (lesson(bet={**BET, "options": ["a"]}), "bet, options"),
        (lesson(bet={**BET, "options": ["a", "a"]}), "two answers are the same"),
    ],
)
def test_what_is_no_lesson_is_refused_with_its_place(text: str, says: str) -> None:
    with pytest.raises(InputError, match=r"^own\.json") as refused:
        read_lesson(text, "own.json")
    assert says in str(refused.value)


def test_a_lesson_is_bounded_in_a_file_and_in_a_link() -> None:
    with pytest.raises(InputError, match="at most"):
        read_lesson(" " * (MOST_BYTES + 1))
    dice = Random(0)
    notes = ["".join(chr(dice.randint(0x4E00, 0x9FFF)) for _ in range(MOST_LETTERS)) for _ in range(9)]
    long = json.dumps({"title": "T", "steps": [{**STEP, "note": note} for note in notes]})
    assert read_lesson(long).steps[0].note == notes[0]
    with pytest.raises(InputError, match="too long for a link"):
        packed(long)


@given(st.lists(st.integers(0, 10**6), min_size=4, max_size=4).filter(any), st.text(max_size=40))
def test_a_link_holds_the_lesson_whole(table: list[int], words: str) -> None:
    text = lesson(table=table, note=words)
    assert unpacked(packed(text)) == read_lesson(text)


@given(st.text(max_size=80))
def test_whatever_else_a_link_says_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="link"):
        unpacked(text)


def test_a_link_that_unpacks_to_a_flood_is_refused() -> None:
    flood = base64.urlsafe_b64encode(zlib.compress(b" " * 3_000_000)).decode()
    assert len(flood) < MOST_IN_LINK
    with pytest.raises(InputError, match="cannot be read"):
        unpacked(flood)
