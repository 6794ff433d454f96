"""Ties that raters gave are named as ties, and what leaving them out does to alpha is told."""

from __future__ import annotations

import metrics
from metrics.analyses.raters.provenance import header
from metrics.analyses.raters.result import of_pairs
from metrics.results.words import number

SIDES = {"A": "positive", "B": "negative", "tie": "tie"}


def rated(*labels: str, kinds: dict[str, str]) -> metrics.Ratings:
    """Two humans on items, a letter each: A, B, t for a tie, ? for no verdict."""
    named = {"A": "A", "B": "B", "t": "tie", "?": "CANNOT_ASSESS"}
    rows = [f"i{n},{who},{named[own[k]]}" for n, own in enumerate(labels) for k, who in enumerate(("ana", "ben"))]
    return metrics.read("\n".join(["item,rater,label", *rows]).encode(), columns={"role:*": "human"}, labels=kinds)


def told(report) -> list[str]:
    return [warning.message for warning in report.warnings if warning.code == "ties_left_out"]


def test_ties_left_out_are_counted_and_weighed() -> None:
    ratings = rated(*["AA", "BB"] * 10, *["At", "tB"] * 5, kinds=SIDES)
    report, third = metrics.raters(ratings), metrics.raters(ratings, abstention="as_category")
    assert "ties are missing" in header(report).bold
    assert "ties are kept as a class" in header(third).bold
    assert report.pooled.values["alpha"] == 1
    (said,) = told(report)
    assert said.startswith("10 of 60 labels are ties, and left out (17")
    assert said.endswith(f"α as it stands is 1.00; kept as a class they make it {number(third.pooled.values['alpha'])}.")
    assert not told(third)


def test_who_gives_no_verdict_gives_no_tie() -> None:
    alone = {"A": "positive", "B": "negative", "CANNOT_ASSESS": "abstention"}
    silent = metrics.raters(rated(*["AA", "BB"] * 10, *["A?", "BB"] * 5, kinds=alone))
    assert not told(silent)
    assert "answers without a verdict are missing" in header(silent).bold
    both = metrics.raters(rated(*["AA", "BB"] * 10, *["A?", "tB"] * 5, kinds=SIDES | {"CANNOT_ASSESS": "abstention"}))
    assert "ties and answers without a verdict are missing" in header(both).bold
    assert told(both)[0].startswith("10 of 60 labels are ties and answers without a verdict, and left out (")
    assert not told(metrics.raters(rated(*["AA", "BB"] * 10, "AB", kinds=SIDES)))
    handled = metrics.raters(rated(*["AA", "BB"] * 10, "At", kinds=SIDES), handling={"tie": "as_unmet"})
    assert not told(handled)


def test_the_units_with_two_labels_are_not_taken_for_raters() -> None:
    every = metrics.raters(rated(*["AA", "BB"] * 10, kinds=SIDES))
    assert "each by both humans" in header(every).rest
    some = metrics.raters(rated(*["AA", "BB"] * 10, "At", kinds=SIDES))
    assert "by 2 humans, 20 items with two labels or more" in header(some).rest


def test_a_mean_of_few_pairs_says_of_how_many() -> None:
    long = "item,rater,label\n" + "".join(f"i{n},{who},{'AB'[n % 2]}\n" for n in range(12) for who in ("ana", "ben"))
    kinds = {"A": "positive", "B": "negative"}
    every = metrics.read(long.encode(), columns={"role:*": "human"}, labels=kinds)
    assert of_pairs(metrics.raters(every).pooled, "mean_pairwise_kappa") == "1 pair"
    third = metrics.read(f"{long}i0,cem,A\ni1,cem,B\n".encode(), columns={"role:*": "human"}, labels=kinds)
    assert of_pairs(metrics.raters(third).pooled, "mean_pairwise_kappa") == "1 of 3 pairs"
    rule = "  Means of pairs are over those that share 10 decisions or more."
    assert rule in metrics.raters(third).summary().splitlines()
    assert rule not in metrics.raters(every).summary().splitlines()
