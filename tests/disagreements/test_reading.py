"""An item in full, and a list as tables: what is shown is what the file says."""

from __future__ import annotations

import math

import numpy as np
import pytest

import metrics
from metrics.analyses.disagreements import tables
from metrics.analyses.disagreements.listing import Listing, listing_of
from metrics.analyses.disagreements.query import Matches, Query, find
from metrics.analyses.disagreements.reading import MOST_TEXTS, ItemRead, item_read
from metrics.analyses.settings import Settings
from tests.conftest import paired
from tests.disagreements.made import Slow, drawn, read


def first_item(listing: Listing, query: Query, place: int = 0) -> ItemRead:
    matches = find(listing, query)
    return item_read(listing, int(matches.items[place]), query.rows, matches.of(place))


@pytest.mark.parametrize("rows", ["disagreements", "only_judge", "people", "judges", "no_verdict", "all"])
def test_everything_that_is_said_of_an_item_is_there(rows: str) -> None:
    frame = drawn(21)
    slow, listing = Slow(frame), listing_of(read(frame), Settings(judges=("j0",)), other="j1")
    query = Query(rows)  # type: ignore[arg-type]
    wanted = slow.rows("j0", "j1")
    matches = find(listing, query)
    for place in range(len(matches.items)):
        item = item_read(listing, int(matches.items[place]), query.rows, matches.of(place))
        of_item = frame[frame["item"] == item.item]
        said = {(one.criterion, answer.rater, answer.label, answer.reason) for one in item.criteria for answer in one.answers}
        assert said == set(zip(of_item["criterion"], of_item["rater"], of_item["label"], of_item["reason"], strict=True))
        on_list = [one.criterion for one in item.criteria if one.listed]
        assert sorted(on_list) == sorted(criterion for own, criterion in wanted[rows] if own == item.item)
        assert [one.criterion for one in item.criteria][: len(on_list)] == on_list, "those of the list come first"
        then = [one.disputed for one in item.criteria[len(on_list) :]]
        assert then == sorted(then, reverse=True)
        assert item.rows == tuple(of_item.index + 2)
        assert item.texts == (("question", tuple(of_item["question"].unique())),)
        assert item.facts == (("group", tuple(of_item["group"].unique())),)


def test_a_judge_that_differs_from_the_reference_is_marked() -> None:
    frame = drawn(22)
    slow, listing = Slow(frame), listing_of(read(frame), Settings(judges=("j2",)), other="j1")
    matches = find(listing, Query("all"))
    marked = 0
    for place in range(len(matches.items)):
        item = item_read(listing, int(matches.items[place]), "all", matches.of(place))
        for one in item.criteria:
            key = item.item, one.criterion
            raw = slow.raw_reference(key)
            assert one.reference == {"split": "split vote", None: ""}.get(raw, raw)
            assert one.disputed == slow.wrong("j2", key)
            assert {answer.rater for answer in one.answers if answer.differs} == {
                name for name in slow.names("judge") if slow.wrong(name, key)
            }
            marked += sum(answer.differs for answer in one.answers)
            scores = {answer.rater: answer.score for answer in one.answers if not math.isnan(answer.score)}
            known = {name: slow.score["judge", name][key] for name in slow.names("judge") if key in slow.score["judge", name]}
            assert scores == known
            assert [answer.rater for answer in one.answers] == [
                name for name in ("h0", "h1", "j2", "j1", "j0") if name in {answer.rater for answer in one.answers}
            ]
    assert marked


def test_numbers_stand_in_the_place_of_labels() -> None:
    text = "item,judge,human,verdict\n" + "".join(f"i{n},bot,{n / 7:.3f},{n / 5:.3f}\n" for n in range(1, 30))
    listing = listing_of(metrics.read(text.encode(), scale="continuous"), Settings(judges=("bot",)))
    item = first_item(listing, Query("disagreements"))
    (one,) = item.criteria
    assert item.item == "i29"
    assert (one.reference, one.why) == ("4.14", "1.66 apart")
    assert [(answer.rater, answer.label) for answer in one.answers] == [("human", "4.14"), ("bot", "5.80")]
    assert not any(answer.differs for answer in one.answers)


def test_only_asked_columns_are_read_and_of_many_texts_the_first() -> None:
    frame = drawn(23, humans=12, judges=12)
    frame["note"] = [f"note {n}" for n in range(len(frame))]
    listing = listing_of(read(frame), Settings(judges=("j0",)))
    matches = find(listing, Query("disagreements"))
    item = item_read(listing, int(matches.items[0]), "disagreements", matches.of(0), ["group"])
    assert (item.texts, [name for name, _ in item.facts]) == ((), ["group"])
    item = item_read(listing, int(matches.items[0]), "disagreements", matches.of(0))
    assert dict(item.facts)["note"] == tuple(frame.loc[frame["item"] == item.item, "note"])[:MOST_TEXTS]


def the_list(query: Query, **how: int) -> tuple[Slow, Listing, Matches]:
    frame = drawn(24, **how)  # type: ignore[arg-type]
    listing = listing_of(read(frame), Settings(judges=("j0",)))
    return Slow(frame), listing, find(listing, query)


def test_a_part_of_a_list_stands_on_the_screen() -> None:
    query = Query("disagreements")
    slow, listing, matches = the_list(query)
    clearest = slow.clearest("j0")
    items = slow.items_of(clearest)
    shown = tables.listed(listing, matches, query, 2, 7)
    assert shown["item"] == items[2:7]
    assert [cell.replace(" and ", ", ").split(", ") for cell in map(str, shown["criteria"])] == [
        [criterion for own, criterion in clearest if own == item] for item in items[2:7]
    ]
    assert len(tables.listed(listing, matches, query, 0, 10_000)["item"]) == len(items)
    assert tables.listed(listing, matches, query, len(items), len(items) + 5) == {"item": []}


def test_of_one_criterion_both_sides_stand_beside_the_item() -> None:
    query = Query("disagreements")
    slow, listing, matches = the_list(query, criteria=1)
    shown = tables.listed(listing, matches, query, 0, 100)
    keys = slow.clearest("j0")
    assert "criteria" not in shown
    assert shown["reference"] == [slow.reference(key) for key in keys]
    assert shown["judge"] == [slow.verdict("j0", key) for key in keys]


def test_the_votes_say_why_raters_are_on_a_list() -> None:
    query = Query("people")
    slow, listing, matches = the_list(query, criteria=1, humans=5)
    shown = tables.listed(listing, matches, query, 0, 100)
    for key, text in zip(slow.split("human"), shown["why"], strict=True):
        counted = {name: int(n) for n, name in (part.split(" × ") for part in str(text).split(" · "))}
        assert counted == dict(slow.votes("human", key))


def test_a_file_of_the_list_holds_every_decision_with_reasons_and_texts() -> None:
    query = Query("disagreements", criterion="c1")
    slow, listing, matches = the_list(query)
    frame = tables.listed_frame(listing, matches, query)
    wanted = [key for key in slow.clearest("j0") if key[1] == "c1"]
    assert list(zip(frame["item"], frame["criterion"], strict=True)) == wanted
    assert set(frame["disagreement"]) == {"yes"}
    for name in slow.names("judge"):
        assert frame[f"judge: {name}"].tolist() == [slow.said["judge", name].get(key, "") for key in wanted]
        assert f"judge: {name} reason" in frame
    assert frame["question"].str.startswith("Why ").all()
    everything = Query("all")
    all_frame = tables.listed_frame(listing, find(listing, everything), everything)
    marked = all_frame.loc[all_frame["disagreement"] == "yes", ["item", "criterion"]].itertuples(index=False, name=None)
    assert sorted(marked) == sorted(slow.rows("j0", "j1")["disagreements"])


def test_a_file_of_raters_alone_has_the_labels_of_each() -> None:
    frame = drawn(25, judges=0, humans=3)
    slow, listing = Slow(frame), listing_of(read(frame), Settings())
    query = Query("people")
    taken = tables.listed_frame(listing, find(listing, query), query)
    assert "reference" not in taken
    keys = list(zip(taken["item"], taken["criterion"], strict=True))
    assert keys
    for name in slow.names("human"):
        assert taken[f"human: {name}"].tolist() == [slow.said["human", name].get(key, "") for key in keys]


def test_a_column_of_the_file_named_as_one_of_ours_keeps_its_name() -> None:
    frame = drawn(26)
    frame["why"] = [f"because {n}" for n in range(len(frame))]
    frame["disagreement"] = "mine"
    listing = listing_of(read(frame), Settings(judges=("j0",)))
    query = Query("disagreements")
    taken = tables.listed_frame(listing, find(listing, query), query)
    assert taken.columns.is_unique
    assert taken["why"].str.startswith("because").all()
    assert set(taken["disagreement"]) == {"mine"}
    assert set(taken["disagreement (list)"]) == {"yes"}


def test_disagreements_come_with_what_speaks_against_the_judge() -> None:
    query = Query("disagreements")
    slow, listing, matches = the_list(query, criteria=1, humans=3)
    texts = tables.why(listing, "disagreements", matches.decisions)
    for key, text in zip(slow.clearest("j0"), texts, strict=True):
        people = slow.votes("human", key)
        sides = people[str(slow.reference(key))], people[str(slow.verdict("j0", key))]
        if sum(sides) > 1:
            assert f"{sides[0]} of {sum(sides)} humans" in text
    agreed = np.flatnonzero(~listing.differs)[:5]
    assert tables.why(listing, "disagreements", agreed) == [""] * 5


def test_an_item_that_is_there_as_a_whole_has_its_verdicts_and_its_disputed_criteria() -> None:
    human = [["MET", "MET", "MET"], ["MET", "UNMET", "CA"], ["MET", "MET", "CA"]]
    judge = [["MET", "UNMET", "UNMET"], ["MET", "MET", "MET"], ["UNMET", "MET", "MET"]]
    listing = listing_of(paired(human, judge), Settings("as_category", judges=("j",)), level="item")
    query = Query("disagreements")
    matches = find(listing, query)
    read_by_item = {
        str(listing.ratings.items[int(place)]): first_item(listing, query, n) for n, place in enumerate(matches.items)
    }
    assert {item: own.verdicts for item, own in read_by_item.items()} == {
        "i0": ("MET", "UNMET"), "i1": ("UNMET", "MET"), "i2": ("CA", "UNMET"),
    }  # fmt: skip
    assert {item: [one.criterion for one in own.criteria if one.listed] for item, own in read_by_item.items()} == {
        "i0": ["c1", "c2"], "i1": ["c1", "c2"], "i2": ["c0", "c2"],
    }  # fmt: skip
    shown = tables.listed(listing, matches, query, 0, 10)
    assert dict(zip(shown["item"], shown["criteria"], strict=True)) == {"i0": "c1 and c2", "i1": "c1 and c2", "i2": "c0 and c2"}
    left_open = listing_of(paired(human, judge), Settings(judges=("j",)), level="item")
    everything = Query("all", sort="file")
    assert first_item(left_open, everything, 2).verdicts == ("", "UNMET")


def test_of_numbers_the_criterion_farthest_apart_stands_beside_the_item() -> None:
    text = "item,criterion,judge,human,verdict\n" + "".join(
        f"i{n},c{c},bot,{n / 7:.3f},{n / 7 + (n * 3 + c * 5) % 11 / 9:.3f}\n" for n in range(30) for c in range(2)
    )
    listing = listing_of(metrics.read(text.encode(), scale="continuous"), Settings(judges=("bot",)))
    query = Query("disagreements")
    shown = tables.listed(listing, find(listing, query), query, 0, 30)
    apart = {(n, c): (n * 3 + c * 5) % 11 for n in range(30) for c in range(2)}
    for item, criterion, reason in zip(shown["item"], shown["criterion"], shown["why"], strict=True):
        n = int(str(item)[1:])
        assert apart[n, int(str(criterion)[1:])] == max(apart[n, 0], apart[n, 1])
        assert str(reason).endswith("apart")
