from __future__ import annotations

import pytest

from metrics.figures.audit import Part, alt, practice_dots

PARTS = (
    Part("a", "says met", "met"),
    Part("b", "says not met", "missed"),
    Part("c", "does not say", "open"),
    Part("d", "not asked", "none"),
)


def named(**counts: int) -> dict[str, list[str]]:
    """So many systems of each part, all with names of their own."""
    return {key: [f"{key}{i}" for i in range(n)] for key, n in counts.items()}


ROWS = [
    ("1 First", named(a=1, b=0, c=22, d=1)),
    ("2 " + "a long name of a practice " * 6, named(a=4, b=2, c=9, d=9)),
]


def texts(figure) -> list[str]:
    return [note["text"] for note in figure.layout.to_plotly_json()["annotations"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_every_system_is_a_dot_of_its_part_in_one_row_each(theme, scale) -> None:
    figure = practice_dots(ROWS, PARTS, theme=theme, scale=scale)
    assert [len(trace.x) for trace in figure.data] == [5, 2, 31, 10]
    assert [hover.split("</b>")[0] for hover in figure.data[1].hovertext] == ["<b>b0", "<b>b1"]
    for y in set(figure.data[0].y):
        row = sorted(x for trace in figure.data for x, at in zip(trace.x, trace.y, strict=True) if at == y)
        assert row == [place + 0.5 for place in range(24)]
    assert len({(trace.marker.symbol, trace.marker.color) for trace in figure.data}) == 4
    shown = texts(figure)
    assert [text for text in shown if " of " in text and text[0].isdigit() and len(text) < 9] == ["1 of 23", "4 of 15"]
    assert "1 First" in shown
    assert all(part.name in " ".join(shown) for part in PARTS)


def test_rows_do_not_meet_and_a_long_name_takes_two_lines() -> None:
    figure = practice_dots(ROWS, PARTS, theme="light")
    one, two = sorted(set(figure.data[0].y))
    assert two - one > figure.data[0].marker.size + 19
    assert any("<br>" in text and "…" in text for text in texts(figure))
    assert max(figure.data[0].y) < figure.layout.height


def test_dots_do_not_touch_where_the_figure_is_narrowest() -> None:
    figure = practice_dots(ROWS, PARTS, theme="light")
    margin = figure.layout.margin
    assert figure.data[0].marker.size < (340 - margin.l - margin.r) / 24


def test_names_beside_the_dots_make_the_figure_lower() -> None:
    above, beside = (practice_dots(ROWS, PARTS, theme="light", width=640, beside=yes) for yes in (False, True))
    assert beside.layout.height < above.layout.height
    assert beside.layout.margin.l > 100
    assert texts(beside)[-2:] == texts(above)[-2:] == ["1 of 23", "4 of 15"]


def test_names_from_outside_are_text() -> None:
    figure = practice_dots([("1 <b>x</b>", named(a=1, b=0, c=0, d=0))], PARTS, theme="light")
    assert "1 &lt;b&gt;x&lt;/b&gt;" in texts(figure)
    assert "1 &lt;b&gt;x&lt;/b&gt;" in figure.data[0].hovertext[0]


def test_the_alternative_holds_the_numbers_and_nothing_has_a_sentence() -> None:
    assert alt(ROWS[:1], PARTS) == "Systems by practice. 1 First: says met 1, does not say 22, not asked 1."
    empty = [("1 First", dict.fromkeys("abcd", ()))]
    assert alt(empty, PARTS) == "No system to show."
    assert texts(practice_dots(empty, PARTS, theme="light")) == ["No system to show"]
    assert texts(practice_dots([], PARTS, theme="dark")) == ["No system to show"]
