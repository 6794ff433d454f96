"""Units by entropy, patterns of votes, and label rates of each rater against the others."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import metrics
from metrics import InputError
from metrics.analyses.raters.adjudicating import disagreements, entropy_of
from metrics.analyses.raters.label_rates import label_rates
from tests.made_files import lines
from tests.shared_data import data

LONG = {"M": "MET", "U": "UNMET", "?": "CA"}


def file_of(build_ratings, said, criterion="c"):
    return build_ratings(
        [
            (f"i{i}", criterion, who, "human", LONG[label])
            for who, labels in said.items()
            for i, label in enumerate(labels)
            if label != " "
        ]
    )


def test_entropy_by_hand() -> None:
    votes = np.array([[1, 1, 0], [2, 1, 0], [3, 0, 0], [1, 1, 1], [2, 2, 4], [1, 0, 0], [0, 0, 0]])
    expected = [1.0, math.log2(3) - 2 / 3, 0.0, math.log2(3), 1.5, math.nan, math.nan]
    assert entropy_of(votes) == pytest.approx(expected, nan_ok=True)
    rng = np.random.default_rng(0)
    many = rng.integers(0, 6, (200, 4))
    many = many[many.sum(1) > 1]
    assert entropy_of(many) == pytest.approx(stats.entropy(many, base=2, axis=1))
    assert math.copysign(1, entropy_of(np.array([3, 0]))) == 1


def test_most_disputed_first(build_ratings) -> None:
    said = {"h1": "MMMM U", "h2": "MUUM  ", "h3": "MMU   ", "h4": "MMM   "}
    found = disagreements(file_of(build_ratings, said))
    # i2 is 2:2, i1 3:1, then the two all agree on, the one with more labels first; i5 has one label
    assert found.units.item.tolist() == [2, 1, 0, 3]
    assert found.entropy == pytest.approx([1.0, 2 - 0.75 * math.log2(3), 0, 0])
    assert (found.n_split, found.n_single, found.unit) == (2, 1, "items")
    assert [(one.votes, one.n_units, one.split) for one in found.patterns] == [
        ((2, 2), 1, True), ((3, 1), 1, True), ((4, 0), 1, False), ((2, 0), 1, False),
    ]  # fmt: skip
    assert [found.patterns[own].votes for own in found.pattern] == [(2, 2), (3, 1), (4, 0), (2, 0)]
    assert [found.units.classes[label] for label in found.units.labels[0]] == ["MET", "UNMET", "UNMET", "MET"]


def test_patterns_and_criteria_choose(build_ratings) -> None:
    rows = [
        (f"i{i}", f"c{i % 2}", who, "human", LONG[label])
        for who, labels in {"h1": "MMMMMM", "h2": "MUUUMU", "h3": "MUMMMM"}.items()
        for i, label in enumerate(labels)
    ]
    found = disagreements(build_ratings(rows))
    assert [(one.votes, one.n_units) for one in found.patterns] == [((2, 1), 3), ((1, 2), 1), ((3, 0), 2)]
    assert found.units.item[found.places()].tolist() == [1, 2, 3, 5]
    assert found.units.item[found.places(pattern=0)].tolist() == [2, 3, 5]
    assert found.units.item[found.places(criterion=0)].tolist() == [2]
    assert found.units.item[found.places(criterion=0, split=False)].tolist() == [2, 0, 4]
    assert found.units.item[found.places(criterion=1, pattern=1)].tolist() == [1]


def test_abstentions_are_labels_only_as_a_category(build_ratings) -> None:
    ratings = file_of(build_ratings, {"h1": "M?U", "h2": "M?M", "h3": "??U"})
    assert disagreements(ratings).n_split == 1
    third = disagreements(ratings, abstention="as_category")
    assert (third.n_split, third.n_single) == (2, 0)
    assert third.units.classes[third.units.labels[0][-1]] in ("CA", "UNMET")


def test_nobody_shares_an_item(build_ratings) -> None:
    ratings = file_of(build_ratings, {"h1": "MU  ", "h2": "  MU"})
    found = disagreements(ratings)
    assert (len(found.units), found.n_split, found.n_single, found.patterns) == (0, 0, 4, ())
    for one in label_rates(ratings):
        assert math.isnan(one.drift.value)
        assert one.drift.undefined == "no unit is shared with another rater"


def test_rates_by_hand(build_ratings) -> None:
    # h1 says MET on 3 of 4; the others, on the same items, on 1/2, 0, 1, 1/2 of their labels
    said = {"h1": "MMMU ", "h2": "MUMUM", "h3": "UUMM "}
    found = label_rates(file_of(build_ratings, said))
    assert [(one.rater, one.label) for one in found[:3]] == [("h1", "MET"), ("h1", "UNMET"), ("h2", "MET")]
    first = found[0]
    assert (first.n, first.n_items, first.rate, first.others, first.drift.value) == (4, 4, 0.75, 0.5, 0.25)
    apart = np.array([0.5, 1.0, 0.0, -0.5])
    error = apart.std(ddof=1) / 2
    reach = stats.t.ppf(0.975, 3) * error / (1 - 0.25**2)
    assert first.drift.ends == pytest.approx(tuple(np.tanh(np.arctanh(0.25) + side * reach) for side in (-1, 1)))
    assert not first.differs
    assert found[1].drift.value == -0.25


def test_items_are_left_out_whole(build_ratings) -> None:
    rng = np.random.default_rng(4)
    rows = [
        (f"i{i}", f"c{c}", who, "human", "MET" if rng.random() < 0.6 else "UNMET")
        for i in range(12)
        for c in range(3)
        for who in ("h1", "h2", "h3")
        if rng.random() < 0.8
    ]
    found = label_rates(build_ratings(rows))[0].drift
    left = [label_rates(build_ratings([row for row in rows if row[0] != f"i{i}"]))[0].drift.value for i in range(12)]
    error = math.sqrt(11 / 12 * ((np.array(left) - np.mean(left)) ** 2).sum())
    reach = stats.t.ppf(0.975, 11) * error / (1 - found.value**2)
    assert found.ends == pytest.approx(tuple(np.tanh(np.arctanh(found.value) + side * reach) for side in (-1, 1)))


def test_rates_without_an_interval(build_ratings) -> None:
    alike = label_rates(file_of(build_ratings, {"h1": "MMM", "h2": "MMM"}))[0].drift
    assert (alike.value, alike.interval, alike.no_interval) == (
        0,
        None,
        "leaving out one item never changes the difference",
    )
    one = label_rates(file_of(build_ratings, {"h1": "M", "h2": "U"}))[0].drift
    assert (one.value, one.interval, one.no_interval) == (1, None, "only one item is shared with another rater")
    always = label_rates(file_of(build_ratings, {"h1": "MMM", "h2": "UUU"}))[0].drift
    assert (always.value, always.interval) == (1, None)
    assert always.no_interval


def test_one_criterion_and_an_unknown_one(build_ratings) -> None:
    rows = [("i0", "c", "h1", "human", "MET"), ("i0", "c", "h2", "human", "MET"), ("i0", "d", "h1", "human", "MET")]
    ratings = build_ratings([*rows, ("i0", "d", "h2", "human", "UNMET")])
    assert [label_rates(ratings, criterion=own)[0].drift.value for own in ("c", "d")] == [0, 1]
    with pytest.raises(InputError, match="no criterion is called"):
        label_rates(ratings, criterion="x")


def yes_by_rater(n_items: int = 60) -> str:
    """Nine people on items of every share of Yes; `eager` says Yes to nearly all, and some are unsure."""
    rng = np.random.default_rng(2)
    share = rng.random(n_items)
    people = {f"r{n}": share for n in range(8)} | {"eager": np.full(n_items, 0.95)}
    rows = [
        (f"i{i}", "human", name, "Unsure" if rng.random() < 0.05 else "Yes" if rng.random() < chance[i] else "No")
        for name, chance in people.items()
        for i in range(n_items)
    ]
    return lines("item_id,role,rater,label", rows)


@pytest.mark.parametrize(
    ("name", "eager", "n", "n_split", "apart"),
    [("made up", "eager", 60, 52, 0.4), ("dices350_raters.csv", "r081", 350, 350, 0.6)],
)
def test_rates_of_many_raters(name: str, eager: str, n: int, n_split: int, apart: float) -> None:
    text = yes_by_rater() if name == "made up" else data(name).read_text("utf-8")
    ratings = metrics.read(text.encode())
    found = disagreements(ratings)
    assert (len(found.units), found.n_split) == (n, n_split)
    rates = {(one.rater, one.label): one for one in label_rates(ratings)}
    frame = ratings.table.to_pandas()
    frame = frame[frame.label != "Unsure"]
    yes = (frame.label == "Yes").groupby([frame.item_id, frame.rater]).first().unstack().astype(float)
    others = yes.drop(columns=eager).mean(axis=1)
    own = yes[eager].dropna()
    one = rates[eager, "Yes"]
    assert (one.rate, one.others) == pytest.approx((own.mean(), others[own.index].mean()))
    assert one.differs
    assert one.drift.value > apart
