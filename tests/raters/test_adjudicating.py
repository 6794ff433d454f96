"""Disputed units side by side, and what was settled as a column of the file."""

from __future__ import annotations

import pytest

import metrics
from metrics.analyses.raters.adjudicating import disagreements, key_of, rater_labels_of, unit_frame, with_adjudicated

LONG = b"""item,criterion,rater,label,role,why
1,tone,ana,MET,human,polite
1,tone,ben,UNMET,human,*curt*
1,tone,cem,CANNOT_ASSESS,human,
1,facts,ana,MET,human,
1,facts,ben,MET,human,
2,tone,ana,UNMET,human,
2,tone,ben,UNMET,human,
2,tone,cem,MET,human,fine
"""
WIDE = b"item,ana_tone,ben_tone,ana_facts,ben_facts\n1,MET,UNMET,MET,MET\n2,MET,MET,UNMET,MET\n"


@pytest.fixture
def long() -> metrics.Ratings:
    return metrics.read(LONG)


def test_units_are_listed_most_disputed_first_with_what_each_wrote(long) -> None:
    found = disagreements(long, role="human")
    frame = unit_frame(long, found, found.places(), {("2", "tone"): "UNMET"})
    assert frame["item"].tolist() == ["1", "2"]
    assert frame["adjudicated"].tolist() == ["", "UNMET"]
    assert frame["votes"].tolist() == ["1 × MET · 1 × UNMET", "1 × MET · 2 × UNMET"]
    assert frame["human: cem"].tolist() == ["CANNOT_ASSESS", "MET"]
    assert frame["entropy, bits"].tolist() == pytest.approx([1, 0.9182958340544896])


def test_what_each_rater_said_stands_with_the_other_columns_as_typed(long) -> None:
    found = disagreements(long, role="human")
    place = int(found.places()[0])
    assert key_of(long, found, place) == ("1", "tone")
    told = {one.rater: (one.label, dict(one.texts)) for one in rater_labels_of(long, found, place)}
    assert told == {"ana": ("MET", {"why": "polite"}), "ben": ("UNMET", {"why": "*curt*"}), "cem": ("CANNOT_ASSESS", {})}


def test_the_file_keeps_its_rows_and_gets_a_column(long) -> None:
    frame = with_adjudicated(long, {("1", "tone"): "MET"})
    assert frame.columns.tolist() == ["item", "criterion", "rater", "label", "role", "why", "adjudicated"]
    assert frame["adjudicated"].tolist() == ["MET"] * 3 + [""] * 5
    assert len(frame) == 8


def test_rows_that_a_later_one_replaced_are_filled_with_the_rest() -> None:
    again = LONG + b"1,tone,ana,UNMET,human,on second thoughts\n1,tone,bot,MET,judge,\n1, tone ,dov,,human,\n"
    frame = with_adjudicated(metrics.read(again, repeats="last"), {("1", "tone"): "MET"})
    assert frame["adjudicated"].tolist() == ["MET"] * 3 + [""] * 5 + ["MET"] * 3


def test_every_run_of_a_decision_is_filled() -> None:
    rows = [
        f"{item},c,{who},{label},human,{run}"
        for item in "12"
        for who, label in (("ana", "MET"), ("ben", "UNMET"))
        for run in "123"
    ]
    ratings = metrics.read("\n".join(["item,criterion,rater,label,role,run", *rows]).encode())
    assert with_adjudicated(ratings, {("2", "c"): "MET"})["adjudicated"].tolist() == [""] * 6 + ["MET"] * 6


def test_without_a_column_of_criteria_the_item_alone_counts() -> None:
    rows = ["item,rater,label,role", "1,ana,MET,human", "1,ben,UNMET,human", "2,ana,MET,human", "1,ana,UNMET,human"]
    ratings = metrics.read("\n".join(rows).encode(), repeats="last")
    frame = with_adjudicated(ratings, {("1", ratings.criteria[0]): "MET"})
    assert frame["adjudicated"].tolist() == ["MET", "MET", "", "MET"]


def test_nothing_settled_is_an_empty_column(long) -> None:
    assert set(with_adjudicated(long, {})["adjudicated"]) == {""}


def test_a_column_of_that_name_in_the_file_stays() -> None:
    ratings = metrics.read(LONG.replace(b"why", b"adjudicated"))
    frame = with_adjudicated(ratings, {("2", "tone"): "MET"})
    assert frame["adjudicated"].tolist()[0] == "polite"
    assert frame["adjudicated 2"].tolist() == [""] * 5 + ["MET"] * 3


def test_a_row_with_several_criteria_gets_a_column_for_each_that_was_settled() -> None:
    columns = {f"human:{who}::{what}": f"{who}_{what}" for who in ("ana", "ben") for what in ("tone", "facts")}
    frame = with_adjudicated(metrics.read(WIDE, columns={"item": "item", **columns}), {("1", "tone"): "MET"})
    assert frame["adjudicated: tone"].tolist() == ["MET", ""]
    assert "adjudicated: facts" not in frame


def test_many_raters_are_votes_alone() -> None:
    lines = ["item,rater,label,role", *(f"1,r{n},{'MET' if n % 3 else 'UNMET'},human" for n in range(13))]
    ratings = metrics.read("\n".join(lines).encode())
    found = disagreements(ratings, role="human")
    frame = unit_frame(ratings, found, found.places(), {})
    assert frame["votes"].tolist() == ["8 × MET · 5 × UNMET"]
    assert not [name for name in frame if name.startswith("human:")]
    assert len(rater_labels_of(ratings, found, 0)) == 13


def test_counts_have_no_file_rows_to_settle() -> None:
    counts = metrics.read(b"human,judge,n\nMET,MET,3\nUNMET,MET,1\n")
    with pytest.raises(metrics.InputError, match="no raters"):
        disagreements(counts)
