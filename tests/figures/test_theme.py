"""Colours, contrast and text from files."""

from __future__ import annotations

import dataclasses
import re
from itertools import combinations

import pytest

from metrics.figures import theme
from metrics.figures.cost_path import SHADE

ROLES = ("reference", "judge", "correct", "false_positive", "false_negative", "abstention", "kappa", "phi", "warning")


@pytest.mark.parametrize("colours", [theme.LIGHT, theme.DARK])
def test_every_colour_is_a_hex_value(colours: theme.Tokens) -> None:
    for name, value in dataclasses.asdict(colours).items():
        for colour in value if name == "series" else (value,):
            assert re.fullmatch(r"#[0-9A-F]{6}", colour), name


@pytest.mark.parametrize("colours", [theme.LIGHT, theme.DARK])
def test_contrast(colours: theme.Tokens) -> None:
    for role in (*ROLES, "text", "muted"):
        assert theme.contrast(getattr(colours, role), colours.page) >= 4.5, role
    for colour in (colours.neutral, *colours.series):
        assert theme.contrast(colour, colours.page) >= 3
        assert theme.contrast(colour, colours.sidebar) >= 3
    for fill in (colours.correct_fill, colours.selected, colours.warning_fill, colours.below_zero):
        assert theme.contrast(colours.text, fill) >= 4.5
    for role in ("kappa", "phi", "judge", "reference", "text", "muted"):
        assert theme.contrast(getattr(colours, role), colours.selected) >= 4.5, f"{role} in an outlined row"
    assert theme.contrast(colours.kappa, theme.blend(colours.page, colours.kappa, SHADE)) >= 4.5


@pytest.mark.parametrize("colours", [theme.LIGHT, theme.DARK])
def test_no_two_roles_share_a_colour(colours: theme.Tokens) -> None:
    assert len({getattr(colours, role) for role in (*ROLES, "neutral")}) == len(ROLES) + 1
    assert len(set(colours.series)) == 10


def test_in_the_dark_a_missed_one_is_no_brighter_than_a_false_one() -> None:
    missed, false = (theme.contrast(colour, "#000000") for colour in (theme.DARK.false_negative, theme.DARK.false_positive))
    assert missed <= false < theme.contrast(theme.DARK.text, "#000000")


def test_both_themes() -> None:
    assert theme.tokens("light") is theme.LIGHT
    assert theme.tokens("dark") is theme.DARK


def test_coefficients_have_a_colour_and_a_symbol_of_their_own() -> None:
    looks = [theme.coefficient(symbol, theme.LIGHT) for symbol in ("κ", "φ", "AC1")]
    assert all(a[0] != b[0] and a[1] != b[1] for a, b in combinations(looks, 2))


@pytest.mark.parametrize(
    ("typed", "escaped"),
    [
        ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
        ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"),
        ("R&D &lt;", "R&amp;D &amp;lt;"),
        ("$x^2$", "&#36;x^2&#36;"),
        ("two\nlines", "two lines"),
    ],
)
def test_text_from_a_file_is_shown_as_typed(typed: str, escaped: str) -> None:
    assert theme.escape(typed) == escaped


def test_fit_and_wrap_keep_to_the_width() -> None:
    name = "A criterion of forty characters, exactly"
    for width in (40, 90, 150, 400):
        assert theme.text_width(theme.fit(name, width, 14), 14) <= width
        lines = theme.wrap(name, width, 14)
        assert len(lines) <= 2
        assert all(theme.text_width(line, 14) <= width for line in lines)
    assert theme.wrap(name, 400, 14) == [name]
    assert theme.wrap("Donaudampfschifffahrtsgesellschaft", 90, 14)[0].startswith("Donau")
    assert theme.wrap("full_compliance", 90, 14, bold=True) == ["full_", "compliance"]
    assert theme.wrap("gpt-4-turbo answers", 60, 14)[0] == "gpt-4-"
    assert theme.text_width("漢字", 14) == 28


def test_the_modebar_holds_nothing_but_the_download() -> None:
    config = theme.config("confusion")
    assert config["modeBarButtons"] == [["toImage"]]
    assert config["toImageButtonOptions"]["filename"] == "confusion"
    theme.config("other")["modeBarButtons"].clear()
    assert theme.config("confusion")["modeBarButtons"]


def test_blend_ends_where_it_should() -> None:
    assert theme.blend("#FFFFFF", "#2410A8", 0) == "#FFFFFF"
    assert theme.blend("#FFFFFF", "#2410A8", 1) == "#2410A8"
    assert theme.readable("#000000", theme.LIGHT) == theme.LIGHT.page
