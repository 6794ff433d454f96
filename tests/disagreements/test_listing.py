"""Every list holds what a slow reader finds in the file, in the order that it finds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import metrics
from metrics import Ratings
from metrics.analyses.agreement.compute import agreement_of
from metrics.analyses.disagreements.listing import Listing, listing_of
from metrics.analyses.disagreements.query import (
    MOST_VALUES,
    Query,
    cells_in_use,
    columns_with_values,
    find,
    loosened,
    position,
    with_text,
    with_value,
)
from metrics.analyses.disagreements.tables import why
from metrics.analyses.review.compute import review_criteria
from metrics.analyses.review.informative import most_telling
from metrics.analyses.settings import Settings, settings_of
from metrics.data.abstention import MODES, Mode
from metrics.data.pairs import cells_of
from tests.conftest import paired, ratings_of
from tests.disagreements.made import Key, Slow, drawn, read
from tests.review import made as reviewed

SEEDS = (1, 2, 3)
SIDES = (("human", "ana"), ("judge", "gpt"))


def listed(listing: Listing, query: Query) -> list[Key]:
    ratings, cells = listing.ratings, listing.cells
    return [
        (str(ratings.items[int(cells.item[cell])]), ratings.criteria[int(cells.criterion[cell])])
        for cell in find(listing, query).decisions
    ]


def keys_in(listing: Listing, mask: np.ndarray) -> list[Key]:
    cells, ratings = listing.cells, listing.ratings
    return [
        (str(ratings.items[int(cells.item[cell])]), ratings.criteria[int(cells.criterion[cell])]) for cell in np.flatnonzero(mask)
    ]


def items_in(listing: Listing, query: Query) -> list[str]:
    return [str(listing.ratings.items[int(place)]) for place in find(listing, query).items]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", SEEDS)
def test_each_kind_of_rows_is_what_a_slow_reader_finds(seed: int, mode: Mode) -> None:
    frame = drawn(seed)
    slow, listing = Slow(frame, mode), listing_of(read(frame), Settings(mode, judges=("j0",)), other="j1")
    wanted = slow.rows("j0", "j1")
    kinds = {rows: sorted(keys_in(listing, mask)) for rows, mask in listing.kinds.items()}
    drawn_too = kinds.pop("check", kinds["disagreements"])  # disagreements and a random part of the agreements: tests/coding
    assert set(kinds["disagreements"]) <= set(drawn_too) <= set(kinds["all"])
    assert kinds == {rows: sorted(keys) for rows, keys in wanted.items()}
    assert all(wanted[rows] for rows in wanted if (mode, rows) != ("as_category", "no_verdict"))
    assert {rows: listing.count(mask) for rows, mask in listing.kinds.items() if rows != "check"} == {
        rows: len(keys) for rows, keys in wanted.items()
    }


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_clearest_disagreement_comes_first(seed: int, mode: Mode) -> None:
    frame = drawn(seed)
    slow, listing = Slow(frame, mode), listing_of(read(frame), Settings(mode, judges=("j0",)), other="j1")
    clearest = slow.clearest("j0")
    assert items_in(listing, Query("disagreements")) == slow.items_of(clearest)
    by_item = {item: [key for key in clearest if key[0] == item] for item in slow.items_of(clearest)}
    assert listed(listing, Query("disagreements")) == [key for keys in by_item.values() for key in keys]
    only = [key for key in slow.clearest("j1") if key in set(slow.rows("j0", "j1")["only_judge"])]
    assert items_in(listing, Query("only_judge")) == slow.items_of(only)
    for role, rows in (("human", "people"), ("judge", "judges")):
        assert items_in(listing, Query(rows)) == slow.items_of(slow.split(role))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_most_judges_miss_begins_with_the_items_that_have_most_wrong_verdicts_there(seed: int) -> None:
    frame = drawn(seed)
    slow, listing = Slow(frame), listing_of(read(frame), Settings(judges=("j0",)))
    wanted = slow.rows("j0", "j1")["most"]
    n = {item: sum(slow.n_wrong(key) for key in wanted if key[0] == item) for item in slow.items_of(wanted)}
    found = items_in(listing, Query("most"))
    assert [n[item] for item in found] == sorted(n.values(), reverse=True)
    assert why(listing, "most", find(listing, Query("most")).decisions[:1])[0].endswith(" judges wrong")


def test_all_decisions_begin_with_the_disagreements_and_go_on_as_in_the_file() -> None:
    frame = drawn(4)
    slow, listing = Slow(frame), listing_of(read(frame), Settings(judges=("j0",)))
    clearest = slow.clearest("j0")
    rest = [key for key in slow.rows("j0", "j1")["all"] if key not in clearest]
    assert items_in(listing, Query("all")) == slow.items_of([*clearest, *rest])
    assert items_in(listing, Query("all", sort="file")) == slow.items_of(slow.rows("j0", "j1")["all"])


def test_labels_far_apart_in_their_order_come_before_others() -> None:
    order = ("1", "2", "3", "4")
    frame = drawn(5, labels=order, humans=1, scores=False)
    slow, ratings = Slow(frame), read(frame, scale="ordinal", order=list(order))
    listing = listing_of(ratings, Settings(judges=("j0",)))
    assert items_in(listing, Query("disagreements")) == slow.items_of(slow.clearest("j0", order))


@pytest.mark.parametrize("seed", SEEDS)
def test_most_disputed_criteria_first(seed: int) -> None:
    frame = drawn(seed)
    slow, listing = Slow(frame), listing_of(read(frame), Settings(judges=("j0",)))
    clearest = slow.clearest("j0")
    first = slow.items_of(clearest)
    n = {item: sum(key[0] == item for key in clearest) for item in first}
    matches = find(listing, Query("disagreements", sort="most"))
    assert items_in(listing, Query("disagreements", sort="most")) == sorted(first, key=lambda item: -n[item])
    assert matches.disputed.tolist() == sorted(n.values(), reverse=True)


def test_every_cell_of_the_table_has_its_decisions() -> None:
    frame = drawn(6)
    slow = Slow(frame, "as_category")
    listing = listing_of(read(frame), Settings("as_category", judges=("j0",)))
    table = {
        (r, c): [key for key in slow.keys if (slow.reference(key), slow.verdict("j0", key)) == (r, c)]
        for r in listing.labels for c in listing.labels
    }  # fmt: skip
    in_use = cells_in_use(listing)
    assert {(listing.labels[r], listing.labels[c]) for r, c in in_use} == {cell for cell, keys in table.items() if keys}
    for r, c in in_use:
        assert sorted(listed(listing, Query("all", cell=(r, c)))) == sorted(table[listing.labels[r], listing.labels[c]])
    errors = [len(table[listing.labels[r], listing.labels[c]]) for r, c in in_use if r != c]
    assert errors == sorted(errors, reverse=True)
    assert all(r != c for r, c in in_use[: len(errors)])


@pytest.mark.parametrize("text", ["PEARS", "q1", "by h1", "a+b", "G2", ".", "nothing has this", " said of 3.1 "])
def test_a_text_is_found_in_ids_texts_and_reasons_as_it_stands(text: str) -> None:
    frame = drawn(7)
    slow, ratings = Slow(frame), read(frame)
    wanted = [key for key in slow.keys if slow.has(key, text.strip())]
    assert keys_in(listing_of(ratings, Settings(judges=("j0",))), with_text(ratings, text)) == wanted
    assert bool(wanted) is (text != "nothing has this")
    assert len(wanted) < len(slow.keys) or text == "."


def test_no_text_filters_nothing() -> None:
    ratings = read(drawn(7))
    assert with_text(ratings, "  ").all()


def test_a_reason_is_that_of_its_own_criterion_in_a_wide_file() -> None:
    text = "item,tone_ana,tone_gpt,tone_gpt_reason,fit_ana,fit_gpt,fit_gpt_reason\n" + "".join(
        f"i{n},yes,{'yes' if n % 2 else 'no'},rude {n},yes,{'no' if n % 3 else 'yes'},short {n}\n" for n in range(12)
    )
    columns = {f"{role}:{name}::{on}": f"{on}_{name}" for on in ("tone", "fit") for role, name in SIDES}
    ratings = metrics.read(text.encode(), columns=columns)
    assert ratings.reason_columns is not None
    listing = listing_of(ratings, Settings(judges=("gpt",)))
    assert {key[1] for key in keys_in(listing, with_text(ratings, "rude"))} == {"tone"}
    assert keys_in(listing, with_text(ratings, "short 7")) == [("i7", "fit")]


def test_a_column_of_the_file_filters_by_its_values() -> None:
    frame = drawn(8)
    slow, ratings = Slow(frame), read(frame)
    assert list(columns_with_values(ratings)) == ["group"]
    counts = frame["group"].value_counts()
    assert columns_with_values(ratings)["group"] == sorted(counts.index, key=lambda name: (-counts[name], name))
    listing = listing_of(ratings, Settings(judges=("j0",)))
    group_of = dict(zip(frame["item"], frame["group"], strict=True))
    assert keys_in(listing, with_value(ratings, "group", "g2")) == [key for key in slow.keys if group_of[key[0]] == "g2"]
    assert not with_value(ratings, "group", "no such").any()
    assert not with_value(ratings, "no such", "g2").any()


def test_columns_that_group_nothing_are_not_offered() -> None:
    frame = drawn(8, n=4)
    frame["same"], frame["own"] = "x", [f"{n}" for n in range(len(frame))]
    frame["many"] = [f"{n // 2}" for n in range(len(frame))]
    assert 1 < frame["many"].nunique() <= MOST_VALUES
    assert list(columns_with_values(read(frame))) == ["group", "many"]
    wide = drawn(8, n=120)
    wide["many"] = [f"{n // 2}" for n in range(len(wide))]
    assert wide["many"].nunique() > MOST_VALUES
    assert list(columns_with_values(read(wide))) == ["group"]


def test_filters_come_together_and_each_is_left_out_in_turn() -> None:
    frame = drawn(9)
    slow, listing = Slow(frame), listing_of(read(frame), Settings(judges=("j0",)))
    query = Query("disagreements", cell=(1, 0), criterion="c1", column="group", value="g1", search="pears")
    assert query.filters == ("cell", "criterion", "column", "search")

    def fits(key: Key, without: str = "") -> bool:
        tests = {
            "cell": (slow.reference(key), slow.verdict("j0", key)) == ("UNMET", "MET"),
            "criterion": key[1] == "c1",
            "column": frame.loc[frame["item"] == key[0], "group"].iloc[0] == "g1",
            "search": slow.has(key, "pears"),
        }
        return all(passed for name, passed in tests.items() if name != without)

    wrong = slow.rows("j0", "j1")["disagreements"]
    assert sorted(listed(listing, query)) == sorted(key for key in wrong if fits(key))
    left = {name: len(slow.items_of([key for key in wrong if fits(key, name)])) for name in query.filters}
    assert loosened(listing, query) == left
    assert max(left.values()) > 0
    assert not Query("all", column="group").filters


def test_an_item_is_found_by_its_id_where_it_is_on_the_list() -> None:
    listing = listing_of(read(drawn(9)), Settings(judges=("j0",)))
    matches = find(listing, Query("disagreements"))
    names = items_in(listing, Query("disagreements"))
    assert [position(listing, matches, name) for name in names] == list(range(len(names)))
    assert position(listing, matches, "no such item") is None
    agreed = set(items_in(listing, Query("all"))) - set(names)
    assert agreed
    assert all(position(listing, matches, name) is None for name in agreed)


KLEENE = {"exclude": None, "as_unmet": "UNMET", "as_category": "CA"}


@pytest.mark.parametrize("mode", MODES)
def test_at_the_item_level_items_are_counted_by_their_verdicts(mode: Mode) -> None:
    rng = np.random.default_rng(11)
    sides = [rng.choice(["MET", "UNMET", "CA"], (60, 3), p=[0.75, 0.15, 0.1]).tolist() for _ in range(2)]
    ratings = paired(*sides)
    listing = listing_of(ratings, Settings(mode, judges=("j",)), level="item")

    def verdict(labels: list[str]) -> str | None:
        given = ["UNMET" if label == "CA" and mode == "as_unmet" else label for label in labels]
        return "UNMET" if "UNMET" in given else KLEENE[mode] if "CA" in given else "MET"

    both = [(verdict(h), verdict(j)) for h, j in zip(*sides, strict=True)]
    wrong = [f"i{n}" for n, (h, j) in enumerate(both) if h is not None and j is not None and h != j]
    assert sorted(items_in(listing, Query("disagreements"))) == sorted(wrong)
    assert listing.count(listing.kinds["disagreements"]) == len(wrong) == find(listing, Query("disagreements")).n
    silent = sum(None in pair for pair in both) if mode == "exclude" else sum("CA" in pair for pair in both)
    assert listing.count(listing.kinds["no_verdict"]) == (silent if mode == "exclude" else 0)
    false = [f"i{n}" for n, pair in enumerate(both) if pair == ("UNMET", "MET")]
    assert sorted(items_in(listing, Query("all", cell=(1, 0)))) == sorted(false)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", ["micro", "item"])
def test_the_counts_are_those_of_the_report(mode: Mode, level: str) -> None:
    ratings = read(drawn(12, gaps=0))
    settings = settings_of(ratings, abstention=mode, judges=["j1"], interval="none")
    block = agreement_of(ratings, settings).judges["j1"].level(level)  # type: ignore[arg-type]
    listing = listing_of(ratings, settings, level=level)  # type: ignore[arg-type]
    table = np.asarray(block.confusion)
    assert listing.count(listing.kinds["disagreements"]) == table.sum() - np.trace(table)
    assert listing.count(listing.settled) == block.n
    for r in range(len(table)):
        for c in range(len(table)):
            assert find(listing, Query("all", cell=(r, c))).n == table[r, c]


def test_raters_alone_are_listed_by_their_votes() -> None:
    frame = drawn(13, judges=0, humans=4)
    slow, listing = Slow(frame), listing_of(read(frame), Settings())
    assert list(listing.kinds) == ["people", "all"]
    assert listing.first == "people"
    assert items_in(listing, Query("people")) == slow.items_of(slow.split("human"))
    assert find(listing, Query("all")).n == len(slow.keys)
    assert cells_in_use(listing) == ()


def test_people_with_labels_far_apart_in_their_order_come_first() -> None:
    said = {"near": ("1", "2"), "far": ("1", "4"), "alike": ("3", "3"), "between": ("2", "4")}
    rows = [(item, "c", who, "human", label) for item, both in said.items() for who, label in zip("ab", both, strict=True)]
    text = "\n".join(["item,criterion,rater,role,label", *(",".join(row) for row in rows)])
    ratings = metrics.read(text.encode(), order=["1", "2", "3", "4"])
    assert items_in(listing_of(ratings, Settings()), Query("people")) == ["far", "between", "near"]


def test_raters_without_a_role_are_people() -> None:
    frame = drawn(13, judges=0, humans=3)
    slow = Slow(frame)
    ratings = read(frame)
    nobody = replace(ratings, raters=tuple(replace(rater, role=None) for rater in ratings.raters), memo={})
    assert items_in(listing_of(nobody, Settings()), Query("people")) == slow.items_of(slow.split("human"))


def test_judges_alone_are_listed_by_their_votes() -> None:
    frame = drawn(14, humans=0)
    slow, listing = Slow(frame), listing_of(read(frame), Settings())
    assert list(listing.kinds) == ["judges", "all"]
    assert items_in(listing, Query("judges")) == slow.items_of(slow.split("judge"))


def test_one_rater_alone_has_all_decisions_and_nothing_to_compare() -> None:
    listing = listing_of(ratings_of([("i0", "c", "h", "human", "MET"), ("i1", "c", "h", "human", "UNMET")]), Settings())
    assert list(listing.kinds) == ["all"]
    assert not listing.disputed("all").any()


def test_a_failed_call_is_no_verdict() -> None:
    ratings = paired([["MET"], ["MET"], ["MET"]], [["MET"], ["ERR"], [None]])
    listing = listing_of(ratings, Settings(judges=("j",)))
    assert items_in(listing, Query("no_verdict")) == ["i1"]
    assert items_in(listing, Query("all")) == ["i0", "i1"]


def numbers(text: str) -> Ratings:
    return metrics.read(text.encode(), scale="continuous")


def test_numbers_lie_apart_by_their_distance() -> None:
    rng = np.random.default_rng(16)
    rows = [(f"i{n}", f"c{c}", round(rng.random() * 5, 2), round(rng.random() * 5, 2)) for n in range(40) for c in range(2)]
    text = "item,criterion,judge,human,verdict\n" + "".join(f"{i},{c},bot,{h},{v}\n" for i, c, h, v in rows)
    ratings = numbers(text)
    listing = listing_of(ratings, Settings(judges=("bot",)))
    assert listing.numbers is not None
    assert not listing.numbers.by_rank
    apart = sorted(rows, key=lambda row: -abs(row[2] - row[3]))
    assert items_in(listing, Query("disagreements")) == list(dict.fromkeys(row[0] for row in apart))
    assert find(listing, Query("disagreements")).n == sum(h != v for _, _, h, v in rows)


def test_numbers_in_two_units_lie_apart_by_their_ranks() -> None:
    rng = np.random.default_rng(17)
    human, judge = rng.permutation(30) / 30, rng.permutation(30) * 10 + 100
    text = "item,judge,human,verdict\n" + "".join(f"i{n},bot,{human[n]:.3f},{judge[n]}\n" for n in range(30))
    listing = listing_of(numbers(text), Settings(judges=("bot",)))
    assert listing.numbers is not None
    assert listing.numbers.by_rank
    ranks = [sorted(side).index(x) for side in (human.tolist(), judge.tolist()) for x in side]
    apart = {f"i{n}": abs(ranks[n] - ranks[30 + n]) for n in range(30)}
    wanted = sorted((name for name in apart if apart[name]), key=lambda name: -apart[name])
    assert items_in(listing, Query("disagreements")) == wanted
    assert listing.numbers.distance.tolist() == pytest.approx([n / 30 for n in apart.values()])


def test_people_who_give_numbers_differ_by_their_range() -> None:
    rng = np.random.default_rng(18)
    given = {f"i{n}": 9 * rng.random(3) for n in range(20)}
    text = "item,criterion,rater,role,label\n" + "".join(
        f"{item},c,h{rater},human,{x:.3f}\n" for item, numbers_of in given.items() for rater, x in enumerate(numbers_of)
    )
    listing = listing_of(numbers(text), Settings())
    spread = {item: float(np.ptp(np.round(those, 3))) for item, those in given.items()}
    assert listing.first == "people"
    wanted = sorted((item for item in spread if spread[item] > 0), key=lambda item: -round(spread[item], 6))
    assert items_in(listing, Query("people")) == wanted


def test_the_order_is_that_of_the_rubric_review() -> None:
    ratings = read(reviewed.drawn(3))
    settings = settings_of(ratings, judges=["bot"], interval="none")
    for review in review_criteria(ratings, "bot", settings):
        tellings, n = most_telling(review, most=1000)
        cells = cells_of(review.ratings)
        telling = [str(review.ratings.items[int(cells.item[one.place])]) for one in tellings]
        listing = listing_of(review.ratings, settings)
        assert items_in(listing, Query("disagreements")) == telling
        assert find(listing, Query("disagreements")).n == n > 0


def test_at_the_item_level_items_are_listed_on_which_most_judges_are_wrong() -> None:
    frame = drawn(SEEDS[0])
    listing = listing_of(read(frame), Settings(judges=("j0",)), level="item")
    answered, wrong = listing.n_answered
    items = listing.cells.item[2 * wrong > answered]
    assert {*listing.cells.item[listing.kinds["most"]].tolist()} == {*items.tolist()} != set()
    assert len(items_in(listing, Query("most"))) == len({*items.tolist()})
