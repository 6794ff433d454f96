from __future__ import annotations

import pytest

from metrics.figures.audit import Part, alt, practice_bars

PARTS = (
    Part("a", "says met", "met"),
    Part("b", "says not met", "missed"),
    Part("c", "does not say", "open"),
    Part("d", "not asked", "none"),
)
ROWS = [
    ("1 First", {"a": 1, "b": 0, "c": 22, "d": 1}),
    ("2 " + "a long name of a practice " * 6, {"a": 4, "b": 2, "c": 9, "d": 9}),
]


def texts(figure) -> list[str]:
    return [note["text"] for note in figure.layout.to_plotly_json()["annotations"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_every_part_is_drawn_with_its_count(theme, scale) -> None:
    figure = practice_bars(ROWS, PARTS, theme=theme, scale=scale)
    assert [list(trace.x) for trace in figure.data] == [[1, 4], [0, 2], [22, 9], [1, 9]]
    shown = texts(figure)
    assert [text for text in shown if text.isdigit()] == ["1", "22", "1", "4", "2", "9", "9"]
    assert "1 First" in shown
    assert all(part.name in " ".join(shown) for part in PARTS)


def test_rows_do_not_meet_and_a_long_name_takes_two_lines() -> None:
    figure = practice_bars(ROWS, PARTS, theme="light")
    one, two = figure.data[0].y
    assert two - one > figure.data[0].width[0] + 19
    assert any("<br>" in text and "…" in text for text in texts(figure))
    assert max(figure.data[0].y) < figure.layout.height


def test_names_beside_the_bars_make_the_figure_lower() -> None:
    above, beside = (practice_bars(ROWS, PARTS, theme="light", width=640, beside=yes) for yes in (False, True))
    assert beside.layout.height < above.layout.height
    assert beside.layout.margin.l > 100
    assert [text for text in texts(beside) if text.isdigit()] == [text for text in texts(above) if text.isdigit()]


def test_names_from_outside_are_text() -> None:
    figure = practice_bars([("1 <b>x</b>", {"a": 1, "b": 0, "c": 0, "d": 0})], PARTS, theme="light")
    assert "1 &lt;b&gt;x&lt;/b&gt;" in texts(figure)


def test_the_alternative_holds_the_numbers_and_nothing_has_a_sentence() -> None:
    assert alt(ROWS[:1], PARTS) == "Systems by practice. 1 First: says met 1, does not say 22, not asked 1."
    empty = [("1 First", dict.fromkeys("abcd", 0))]
    assert alt(empty, PARTS) == "No system to show."
    assert texts(practice_bars(empty, PARTS, theme="light")) == ["No system to show"]
    assert texts(practice_bars([], PARTS, theme="dark")) == ["No system to show"]
