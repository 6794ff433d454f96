"""What stands above a list, on every scale."""

from __future__ import annotations

import pytest

import metrics
from metrics.analyses.disagreements.listing import listing_of
from metrics.analyses.disagreements.readings import ROWS, cell_words, opening
from metrics.analyses.settings import Settings
from metrics.results.words import count, percent
from tests import made_files
from tests.conftest import of_tables, paired, ratings_of
from tests.disagreements.made import Slow, drawn, read

PAIRS = {"A": "positive", "B": "negative", "tie": "tie"}


def said(ratings: metrics.Ratings, mode: str = "exclude", **how: str) -> str:
    judges = ratings.judges[:1] if ratings.humans else ()
    return opening(listing_of(ratings, Settings(mode, judges=judges), **how))  # type: ignore[arg-type]


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("\u00a0", " ")


def test_yes_and_no_are_told_by_their_errors() -> None:
    two = of_tables([[40, 7], [12, 41]], [[30, 1], [0, 69]], labels=("MET", "UNMET"))
    assert (
        plain(said(two))
        == "j and h disagree on 20 of 200 decisions (10 %), on 20 of 100 items. 12 false passes, 8 missed passes."
    )


def test_one_error_is_one_pass() -> None:
    one = of_tables([[4, 1], [1, 4]], labels=("MET", "UNMET"))
    assert plain(said(one)) == "j and h disagree on 2 of 10 decisions (20 %). 1 false pass, 1 missed pass."


def test_decisions_without_a_verdict_are_told_apart() -> None:
    silent = of_tables([[4, 1, 3], [0, 4, 0], [0, 0, 0]])
    assert plain(said(silent)).endswith("0 false passes, 1 missed pass. On 3 decisions a side gives no verdict.")
    assert "no verdict" not in said(silent, "as_unmet")
    assert plain(said(silent, "as_category")).startswith("j and h disagree on 4 of 12 decisions (33 %). 0 false passes")


def test_no_disagreement_and_no_decision() -> None:
    assert plain(said(of_tables([[5, 0], [0, 5]], labels=("MET", "UNMET")))) == "j and h agree on all 10 decisions."
    nothing = paired([["MET"], ["CA"]], [["CA"], ["MET"]])
    assert said(nothing) == "There is no decision on which j and h both give a verdict."


def test_items_are_counted_at_their_level() -> None:
    items = paired([["MET", "MET"], ["MET", "UNMET"], ["MET", "MET"]], [["MET", "MET"], ["MET", "MET"], ["UNMET", "UNMET"]])
    assert plain(said(items, level="item")) == "j and h disagree on 2 of 3 items (67 %). 1 false pass, 1 missed pass."


def test_preferences_differ_and_nothing_is_missed() -> None:
    text = plain(said(metrics.read(made_files.votes().encode(), labels=PAIRS)))
    assert "prefer different answers on" in text
    assert " A for B " in text
    assert "pass" not in text
    assert "verdict" not in text


def test_ordered_labels_have_no_passes() -> None:
    text = plain(said(metrics.read(made_files.graded().encode(), order=["1", "2", "3", "4"])))
    assert "disagree on" in text
    assert "pass" not in text


def test_numbers_lie_farthest_apart() -> None:
    text = plain(said(metrics.read(made_files.numbers().encode(), scale="continuous")))
    assert "differ most on item" in text
    assert "so distances are between ranks" in text


def test_numbers_that_are_equal_and_in_two_units() -> None:
    same = "item,judge,human,verdict\n" + "".join(f"i{n},bot,{n / 7:.3f},{n / 7:.3f}\n" for n in range(30))
    text = plain(said(metrics.read(same.encode(), scale="continuous")))
    assert text == "bot and the human give the same number on all 30 decisions."
    near = "item,judge,human,verdict\n" + "".join(f"i{n},bot,{n / 7:.3f},{n / 7 + n % 3 / 9:.3f}\n" for n in range(30))
    assert said(metrics.read(near.encode(), scale="continuous")).endswith("They differ on 20 of 30 decisions.")
    units = "item,judge,human,verdict\n" + "".join(f"i{n},bot,{n / 30:.3f},{100 + n * 7 % 30}\n" for n in range(30))
    apart = said(metrics.read(units.encode(), scale="continuous"))
    assert "so distances are between ranks" in apart
    assert "They differ on" not in apart, "numbers in two units are not equal or different"
    ranks = "item,judge,human,verdict\n" + "".join(f"i{n},bot,{n},{7 * n}\n" for n in range(1, 31))
    assert said(metrics.read(ranks.encode(), scale="continuous")).endswith("rank all 30 decisions alike.")


@pytest.mark.parametrize(("role", "who", "how"), [("human", "People", {"judges": 0}), ("judge", "The judges", {"humans": 0})])
def test_raters_alone_disagree(role: str, who: str, how: dict[str, int]) -> None:
    frame = drawn(31, **how)  # type: ignore[arg-type]
    slow = Slow(frame)
    split = slow.split(role)
    shared = [key for key in slow.keys if slow.votes(role, key).total() > 1]
    items = len(slow.items_of(split)), len(slow.items_of(shared))
    assert said(read(frame)) == (
        f"{who} disagree on {count(len(split))} of {count(len(shared))} decisions ({percent(len(split) / len(shared))}), "
        f"on {items[0]} of {items[1]} items."
    )


def test_raters_who_agree_and_one_alone() -> None:
    rows = [(f"i{n}", "c", who, "human", "MET" if n % 2 else "UNMET") for n in range(6) for who in ("a", "b")]
    assert plain(said(ratings_of(rows))) == "People agree on all 6 decisions that two or more rated."
    assert said(ratings_of(rows[::2])).startswith("Fewer than two raters")


def test_names_can_be_set_apart() -> None:
    two = of_tables([[4, 1], [1, 4]], labels=("MET", "UNMET"))
    listing = listing_of(two, Settings(judges=("j",)))
    assert opening(listing, lambda name: f"*{name}*").startswith("*j* and *h* disagree")


def test_every_kind_of_rows_has_words_of_its_own() -> None:
    assert len(set(ROWS.values())) == len(ROWS)
    assert cell_words("MET", "x" * 100).startswith("reference MET, judge xxx")
    assert len(cell_words("a" * 500, "b" * 500)) < 200
