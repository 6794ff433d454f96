"""Sentences of the checklist that are true only on some data, on data where they are and where they are not."""

from __future__ import annotations

import re
from typing import Any

import pytest

import metrics
from metrics.report.checklist.contents import Contents
from metrics.report.checklist.gathering import findings


def evidence(number: int, ratings: metrics.Ratings, level: Any = "micro", **how: Any) -> str:
    contents = Contents(level=level)
    return " ".join(metrics.checklist(findings(ratings, contents, **how), contents=contents).practices[number - 1].evidence)


def table(rows: list[str], head: str = "item,criterion,judge,human,verdict", **how: Any) -> metrics.Ratings:
    return metrics.read("\n".join([head, *rows, ""]).encode(), **how)


def labels(human: str, judge: str, n: int, criteria: str = "c") -> metrics.Ratings:
    names = {"M": "MET", "U": "UNMET", "A": "CANNOT_ASSESS"}
    rows = [
        f"i{k},{c},j,{names[human[k % len(human)]]},{names[judge[(k + place) % len(judge)]]}"
        for k in range(n)
        for place, c in enumerate(criteria)
    ]
    return table(rows)


def test_a_drift_within_chance_makes_nobody_strict() -> None:
    few = evidence(4, labels("MUMUMMU", "MUMUMUU", 21))
    assert "do not tell whether the judge is strict or lenient" in few
    assert "There is no significant label-rate bias" in few
    assert "The judge is strict" in evidence(4, labels("MMMMMMU", "MMUUUUU", 70))


def test_kappa_of_two_constant_sides_is_undefined_by_name() -> None:
    text = evidence(5, table([f"i{k},{c},j,MET,{'UNMET' if c == 'd' and k % 2 else 'MET'}" for k in range(8) for c in "cd"]))
    assert "κ undefined (both sides give only MET)" in text
    assert "κ 0 by construction" in text
    assert "–" not in text


def test_at_item_level_the_association_is_of_items() -> None:
    ratings = labels("MMUM", "MUMMM", 20, "ab")
    assert "On these 20 items φ" in evidence(2, ratings, level="item")
    assert "On these 40 decisions φ" in evidence(2, ratings)


def test_at_item_level_coverage_of_decisions_stands_beside_no_kappa_of_items() -> None:
    ratings = labels("MMUMA", "MUMMMMU", 35, "ab")
    assert evidence(8, ratings).startswith("κ ")
    item = evidence(8, ratings, level="item")
    assert item.startswith("Coverage ")
    assert "item verdicts left open" in item
    assert "decisions left open" in evidence(8, ratings)


def test_split_votes_are_no_abstentions_of_anybody() -> None:
    rows = [
        f"i{k},j,{who},{'MET' if (k + (who == 'bo') * (k < 3)) % 2 else 'UNMET'},MET" for k in range(9) for who in ("ana", "bo")
    ]
    text = evidence(6, table(rows, "item,judge,rater,human,verdict"))
    assert "The people’s votes split on 3 of 9 decisions with several votes (33\u00a0%); these are left out" in text
    assert "abstention" not in text
    assert "abstentions: excluded" in evidence(6, labels("MUA", "MU", 12))


def test_where_abstentions_count_split_votes_are_still_left_out() -> None:
    rows = [
        f"i{k},j,{who},{'MET' if (k + (who == 'bo') * (k < 3)) % 2 else 'UNMET'},{'CANNOT_ASSESS' if k > 7 else 'MET'}"
        for k in range(9)
        for who in ("ana", "bo")
    ]
    split, whole = table(rows, "item,judge,rater,human,verdict"), labels("MUA", "MU", 12)
    for mode, how in (("as_category", "kept as a class"), ("as_unmet", "counted as UNMET")):
        text = evidence(8, split, abstention=mode)
        assert text.startswith(
            f"3 of 9 decisions are left out, split votes; abstentions are {how}. The people’s votes split on 3"
        )
        assert "Nothing" not in text
        assert evidence(8, whole, abstention=mode).startswith("Nothing is excluded: abstentions")
    dropped = table([f"i{k},c,j,MET,{('tie', 'MET', 'UNMET')[k % 3]}" for k in range(12)], labels={"tie": "tie"})
    said = evidence(8, dropped, abstention="as_category", handling={"tie": "exclude"})
    assert said == "4 of 12 decisions are left out, ties; abstentions are kept as a class."
    assert "left out" not in evidence(8, whole, abstention="as_category", handling={"tie": "exclude"})


def test_accuracy_with_close_bounds_shows_that_they_differ() -> None:
    rows = [f"i{k},j,{'abc'[k % 3]},{'INVALID' if k == 0 else 'abc'[(k // 2) % 3]}" for k in range(900)]
    classes = {"a": "class", "b": "class", "c": "class", "INVALID": "invalid"}
    text = evidence(8, table(rows, "item,judge,human,verdict", labels=classes))
    low, high = text.split("accuracy is in [")[1].split("\u00a0%]")[0].split(", ")
    assert float(low) < float(high)


def test_a_number_that_nobody_computed_is_not_said_to_be_reported() -> None:
    rows = [f"i{k},c,{j},{'MET' if k % 2 else 'UNMET'},{'MET' if k % 3 else 'UNMET'}" for k in range(12) for j in ("one", "two")]
    ratings = table(rows)
    alone = metrics.checklist(metrics.agreement(ratings)).practices[10]
    assert "Reported" not in " ".join(alone.evidence)
    assert alone.state == "not met"
    assert "Reported: Krippendorff’s α" in evidence(11, ratings)


def test_an_association_that_is_undefined_is_not_met() -> None:
    """A judge that says MET always: there is no number to name."""

    def practice(ratings: metrics.Ratings) -> Any:
        return metrics.checklist(findings(ratings, Contents())).practices[1]

    none = practice(labels("MMU", "M", 30))
    assert none.state == "not applicable"
    assert none.evidence == ("All five are undefined here: the judge gives one label only, MET.",)
    assert practice(labels("MMU", "MUM", 30)).state == "met"


def test_an_order_that_was_given_is_a_scale_that_was_said() -> None:
    rows = [f"i{k},c,j,{('poor', 'fair', 'good')[k % 3]},{('poor', 'fair', 'good')[k % 4 % 3]}" for k in range(30)]
    given = table(rows, order=["poor", "fair", "good"])
    assert "Nobody said" not in evidence(1, given)
    classes = table(rows, labels=dict.fromkeys(("poor", "fair", "good"), "class"))
    assert "Nobody said that c is nominal" in evidence(1, classes)


def test_one_decision_is_not_called_decisions() -> None:
    assert "on 1 decision, the judge 1 time MET;" in evidence(5, table(["i0,c,j,MET,MET"]))
    assert "on 2 decisions, the judge 2 times MET;" in evidence(5, table(["i0,c,j,MET,MET", "i1,c,j,MET,MET"]))


def test_kappa_within_stands_beside_the_pooled_one() -> None:
    assert "; κ within" in evidence(10, labels("MUMUMMU", "MUMMMUU", 21, "ab"))
    assert "κ within" not in evidence(10, labels("MUMUMMU", "MUMMMUU", 21))


def test_judges_on_other_decisions_are_not_ranked_by_their_kappas() -> None:
    rows = [f"i{k},c,{j},{'MET' if k % 2 else 'UNMET'},{own}" for k in range(20) for j, own in (("a", "MET"), ("b", "UNMET"))]
    apart = "each on the decisions it answered (coverage 70\u00a0% to 100\u00a0%): that ranks no judges"
    silent = [row.replace(",UNMET", ",CANNOT_ASSESS") if ",b," in row and k < 12 and row.endswith("UNMET") else row
              for k, row in enumerate(rows)]  # fmt: skip
    silent = [row if not row.count("CANNOT_ASSESS") > 1 else row.replace("CANNOT_ASSESS", "UNMET", 1) for row in silent]
    assert apart in evidence(3, table(silent))
    assert "ranks no judges" not in evidence(3, table(rows))


def test_what_only_one_side_labelled_was_left_out_too() -> None:
    rows = [f"i{k},c,{'MET' if k % 2 else 'UNMET'},{('', 'MET')[k > 9] if k % 3 else 'UNMET'}" for k in range(60)]
    ratings = table(rows, "item,criterion,human,verdict")
    assert (
        evidence(8, ratings)
        == "Coverage is 100\u00a0% of what both sides rated; 6 decisions with a label of one side only are in no number."
    )
    assert "a verdict wherever both rated" in evidence(6, ratings)
    whole = table([row for row in rows if not row.endswith(",")], "item,criterion,human,verdict")
    assert evidence(8, whole) == "Coverage is 100\u00a0%: nothing was left out."
    assert "a verdict everywhere" in evidence(6, whole)


def test_how_far_kappa_lies_below_accuracy_is_what_the_two_printed_numbers_say() -> None:
    for n in range(40, 90):
        text = evidence(3, labels("MUMUMMU", "MUMUUUMMUMU", n))
        accuracy, kappa, apart = re.search(r"Accuracy (\d+)\s%.*?κ (−?[\d.]+) \[.*?, (−?[\d.]+) below accuracy", text).groups()
        assert float(apart.replace("−", "-")) == pytest.approx(int(accuracy) / 100 - float(kappa.replace("−", "-")))
    assert re.search(r"; κ 1.00 \[.*\], the same as accuracy\.$", evidence(3, labels("MU", "MU", 40)))
