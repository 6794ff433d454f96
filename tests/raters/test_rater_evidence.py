"""Why raters disagree: what the labels show, what they do not, and where they cannot."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import metrics
from metrics.analyses.raters.evidence import evidence
from metrics.analyses.raters.fatigue import fatigue, positions
from metrics.analyses.raters.levels import pair_disagreement
from metrics.analyses.raters.units import units_of
from metrics.measures.exact_tests import holm
from tests.made_files import three_raters
from tests.shared_data import data

LONG = {"M": "MET", "U": "UNMET", "?": "CA"}
FLIP = {"M": "U", "U": "M"}


def file_of(build_ratings, said, criterion="c"):
    return build_ratings(
        [
            (f"i{i}", criterion, who, "human", LONG[label])
            for who, labels in said.items()
            for i, label in enumerate(labels)
            if label != " "
        ]
    )


def flipped(labels, places):
    return "".join(FLIP[label] if i in places else label for i, label in enumerate(labels))


TRUTH = "MU" * 20


def test_pair_disagreement_by_hand() -> None:
    votes = np.array([[2, 0], [1, 1], [2, 1], [2, 2], [1, 0], [0, 0]])
    assert pair_disagreement(votes) == pytest.approx([0, 1, 2 / 3, 2 / 3, np.nan, np.nan], nan_ok=True)


def test_excess_by_hand(build_ratings) -> None:
    # h4 differs from the three others on 10 of 40 items, on which these agree
    said = {f"h{h}": TRUTH for h in (1, 2, 3)} | {"h4": flipped(TRUTH, range(10))}
    own = evidence(file_of(build_ratings, said)).criteria["all"]
    first = own.training.raters[0]
    assert (first.name, first.n, first.n_items) == ("h4", 40, 40)
    assert (first.disagreement, first.others, first.excess.value) == (0.25, 0, 0.25)
    error = math.sqrt(0.25 * 0.75 / 39)
    reach = stats.t.ppf(0.975, 39) * error
    assert first.excess.ends == pytest.approx((0.25 - reach, 0.25 + reach))
    assert first.p == pytest.approx(stats.t.sf(0.25 / error, 39))
    assert first.corrected == pytest.approx(4 * first.p)
    # each of the others differs from one of three on 10 items, where the other three pairs hold 2 of 3 that differ
    other = own.training.raters[1]
    assert (other.disagreement, other.others) == pytest.approx((10 / 40 / 3, 10 / 40 * 2 / 3))
    assert sum(one.excess.value for one in own.training.raters) == pytest.approx(0)


def test_one_rater_apart_is_training(build_ratings) -> None:
    said = {f"h{h}": TRUTH for h in (1, 2, 3)} | {"h4": flipped(TRUTH, range(10))}
    own = evidence(file_of(build_ratings, said)).criteria["c"]
    assert own.causes == ("training",)
    assert [one.name for one in own.training.outliers] == ["h4"]
    a = own.ambiguity
    assert (a.n_units, a.n_items, a.n_split, a.disagreement, a.without, a.spread) == (40, 40, 10, 0.125, 0, False)


def test_disagreement_of_all_is_ambiguity(build_ratings) -> None:
    # four raters, each alone on ten items of its own
    said = {f"h{h}": flipped(TRUTH, range(10 * h, 10 * h + 10)) for h in range(4)}
    own = evidence(file_of(build_ratings, said)).criteria["c"]
    assert own.causes == ("ambiguity",)
    assert own.training.outliers == ()
    assert [one.excess.value for one in own.training.raters] == pytest.approx([0, 0, 0, 0])
    assert (own.ambiguity.n_split, own.ambiguity.disagreement) == (40, 0.5)
    assert math.isnan(own.ambiguity.without)


def test_both_causes_show_together(build_ratings) -> None:
    rng = np.random.default_rng(3)
    said = {f"h{h}": flipped(TRUTH * 4, rng.permutation(160)[:40].tolist()) for h in range(4)}
    said["h4"] = flipped(TRUTH * 4, rng.permutation(160)[:90].tolist())
    own = evidence(file_of(build_ratings, said)).criteria["c"]
    assert own.causes == ("training", "ambiguity")
    assert own.ambiguity.without > 0.5 * own.ambiguity.disagreement


def test_two_camps_are_no_matter_of_training(build_ratings) -> None:
    # three against two: nobody is apart from the rest, the raters are
    said = {f"h{h}": TRUTH for h in range(2)} | {f"h{h}": flipped(TRUTH, range(0, 40, 2)) for h in (2, 3)}
    own = evidence(file_of(build_ratings, said)).criteria["c"]
    assert own.training.shows is False
    assert own.causes == ("ambiguity",)


def test_a_small_excess_is_not_apart_however_sure(build_ratings) -> None:
    said = {f"h{h}": TRUTH * 20 for h in range(3)} | {"h3": flipped(TRUTH * 20, range(30))}
    first = evidence(file_of(build_ratings, said)).criteria["c"].training.raters[0]
    assert first.excess.value == pytest.approx(30 / 800)
    assert first.corrected < 1e-6
    assert not first.is_outlier


def test_alike_raters_are_rarely_apart(build_ratings) -> None:
    """Of files of raters who differ by chance alone, about one in twenty or fewer names somebody."""
    rng = np.random.default_rng(8)
    named = 0
    for _ in range(60):
        said = {f"h{h}": flipped(TRUTH * 2, np.flatnonzero(rng.random(80) < 0.2).tolist()) for h in range(5)}
        named += bool(evidence(file_of(build_ratings, said)).criteria["c"].training.outliers)
    assert named <= 7


def test_two_raters_cannot_show_who_is_apart(build_ratings) -> None:
    own = evidence(file_of(build_ratings, {"h1": TRUTH, "h2": flipped(TRUTH, range(10))})).criteria["c"]
    assert own.training.undefined == "with fewer than 3 raters nobody can be called an outlier"
    assert (own.ambiguity.spread, own.ambiguity.n_split, own.causes) == (None, 10, ())


def test_too_few_items_show_nothing(build_ratings) -> None:
    own = evidence(file_of(build_ratings, {"h1": "MUM", "h2": "MUU", "h3": "MMM"})).criteria["c"]
    assert own.training.undefined == "fewer than 3 raters share 10 items with two others"
    assert own.fatigue.change.undefined == "fewer than 10 items with two labels by raters who gave 10 or more"
    assert own.repeats.share.undefined == "nobody labelled anything twice"
    assert own.causes == ()
    empty = evidence(file_of(build_ratings, {"h1": "MU  ", "h2": "  MU"})).criteria["c"].ambiguity
    assert (empty.n_units, empty.undefined, empty.spread) == (0, "no unit has two labels", None)
    assert math.isnan(empty.disagreement)


def test_each_criterion_and_one_called_all(build_ratings) -> None:
    rows = [
        (f"i{i}", criterion, who, "human", LONG[label])
        for criterion in ("all", "d")
        for who, labels in {"h1": TRUTH, "h2": TRUTH, "h3": flipped(TRUTH, range(12) if criterion == "d" else ())}.items()
        for i, label in enumerate(labels)
    ]
    found = evidence(build_ratings(rows))
    assert list(found.criteria) == ["all", "all (criterion)", "d"]
    assert [own.ambiguity.n_split for own in found.criteria.values()] == [12, 0, 12]
    whole = found.criteria["all"].ambiguity
    assert (whole.n_units, whole.n_items, whole.unit) == (80, 40, "decisions")
    assert found.criteria["d"].ambiguity.unit == "items"
    places = found.criteria["d"].ambiguity.units
    assert sorted(found.units.item[places].tolist()) == list(range(12))
    assert set(found.units.criterion[places].tolist()) == {1}


def worn(seed, n_items, n_raters, early, late, *, own_order=True):
    """Rows in the order of work of raters whose rate of errors goes from `early` to `late`."""
    rng = np.random.default_rng(seed)
    rows = []
    for h in range(n_raters):
        order = rng.permutation(n_items) if own_order else np.arange(n_items)
        for place, item in enumerate(order):
            wrong = rng.random() < early + (late - early) * place / (n_items - 1)
            rows.append((f"i{item}", "c", f"h{h}", "human", "MET" if (item % 2 == 0) ^ wrong else "UNMET"))
    return rows


def test_fall_in_agreement_against_least_squares(build_ratings) -> None:
    rows = worn(1, 30, 4, 0.05, 0.5)
    ratings = build_ratings(rows)
    found = evidence(ratings).criteria["c"].fatigue
    data = pd.DataFrame(rows, columns=["item", "c", "rater", "role", "label"])
    data["x"] = data.groupby("rater").cumcount() / 29
    data["y"] = [
        np.mean(data.label[(data.item == item) & (data.rater != rater)] == label)
        for item, rater, label in zip(data.item, data.rater, data.label, strict=True)
    ]

    def slope(part):
        design = pd.get_dummies(part.rater).to_numpy(float)
        return np.linalg.lstsq(np.column_stack([part.x, design]), part.y.to_numpy(), rcond=None)[0][0]

    assert found.change.value == pytest.approx(slope(data))
    # y stays as it is when another item goes, so the slope without an item is that of its rows
    left = np.array([slope(data[data.item != f"i{i}"]) for i in range(30)])
    error = math.sqrt(29 / 30 * ((left - left.mean()) ** 2).sum())
    reach = stats.t.ppf(0.975, 29) * error
    assert found.change.ends == pytest.approx((found.change.value - reach, found.change.value + reach))
    assert (found.by, found.column, found.n, found.n_items, found.n_raters) == ("row", "", 120, 30, 4)
    assert found.last - found.first == pytest.approx(found.change.value)


def test_tired_raters_show_only_in_orders_of_their_own(build_ratings) -> None:
    tired = evidence(build_ratings(worn(2, 120, 4, 0.0, 0.5))).criteria["c"]
    assert tired.fatigue.change.sign < 0
    assert tired.fatigue.same_order < 0.5
    assert "fatigue" in tired.causes
    together = evidence(build_ratings(worn(2, 120, 4, 0.0, 0.5, own_order=False))).criteria["c"]
    assert together.fatigue.change.sign < 0
    assert together.fatigue.same_order == pytest.approx(1)
    assert "fatigue" not in together.causes
    steady = evidence(build_ratings(worn(2, 120, 4, 0.2, 0.2))).criteria["c"]
    assert steady.fatigue.change.sign >= 0
    assert evidence(build_ratings(worn(2, 120, 4, 0.5, 0.0))).criteria["c"].fatigue.change.sign > 0


def frame_of(rows, **more):
    data = pd.DataFrame(rows, columns=["item", "criterion", "rater", "role", "label"])
    return data.assign(**more)


def test_time_goes_before_the_rows_of_the_file() -> None:
    rows = worn(4, 40, 3, 0.0, 0.5)
    stamps = [f"2024-05-{1 + place // 24 % 28:02d} {place % 24:02d}:00" for place in range(len(rows))]
    data = frame_of(rows, timestamp=stamps)
    shuffled = metrics.read(data.sample(frac=1, random_state=1))
    found = evidence(shuffled).criteria["c"].fatigue
    assert (found.by, found.column) == ("time", "timestamp")
    in_order = evidence(metrics.read(frame_of(rows))).criteria["c"].fatigue
    assert found.change.value == pytest.approx(in_order.change.value)
    units = units_of(shuffled, "human")
    position, by, _ = positions(shuffled, units)
    assert by == "time"
    assert np.nanmin(position) == 0
    assert np.nanmax(position) == 1


def test_unreadable_times_fall_back_to_the_rows() -> None:
    data = frame_of(worn(4, 20, 3, 0.0, 0.5), timestamp="whenever")
    assert evidence(metrics.read(data)).criteria["c"].fatigue.by == "row"


def test_agreement_that_never_changes(build_ratings) -> None:
    found = evidence(file_of(build_ratings, {f"h{h}": TRUTH for h in range(3)})).criteria["c"]
    assert (found.fatigue.change.value, found.fatigue.change.interval) == (0, None)
    assert found.fatigue.change.sign >= 0
    assert found.causes == ()


def test_fatigue_of_a_single_position(build_ratings) -> None:
    units = units_of(file_of(build_ratings, {"h1": TRUTH, "h2": TRUTH}), "human")
    found = fatigue(units, np.full(units.labels.shape, 0.5), "time", "t")
    assert found.change.undefined == "all labels of a rater have the same place in the order"
    assert math.isnan(found.change.value)


def test_raters_who_contradict_themselves() -> None:
    first = [("i0", "MET"), ("i1", "MET"), ("i2", "UNMET"), ("i3", "CA")]
    rows = [(item, "c", who, "human", label) for who in ("a", "b") for item, label in first]
    again = [("i0", "c", "a", "human", "UNMET"), ("i1", "c", "a", "human", "MET"), ("i2", "c", "b", "human", "MET"),
             ("i3", "c", "b", "human", "MET"), ("i2", "c", "j", "judge", "MET"), ("i2", "c", "j", "judge", "UNMET")]  # fmt: skip
    labels = {"MET": "positive", "UNMET": "negative", "CA": "abstention"}
    found = evidence(metrics.read(frame_of([*rows, *again]), labels=labels, repeats="last"), role="human").criteria["c"]
    # i3 of b was no verdict before; of three that count, one is the same
    assert (found.repeats.n, found.repeats.n_same) == (3, 1)
    assert found.repeats.share.value == pytest.approx(1 / 3)
    assert found.repeats.share.interval is not None
    # two of three labels changed are too few to say anything about the raters
    assert found.causes == ()


def corrected(n_again: int, n_changed: int):
    """Two raters who agree on 60 items; one of them labels some again, and changes its mind on some of those."""
    rows = [(f"i{i}", "c", who, "human", "MET" if i % 2 else "UNMET") for who in ("a", "b") for i in range(60)]
    again = [(f"i{i}", "c", "a", "human", "MET" if (i % 2) ^ (i < n_changed) else "UNMET") for i in range(n_again)]
    return evidence(metrics.read(frame_of([*rows, *again]), repeats="last"), role="human").criteria["c"]


@pytest.mark.parametrize(
    ("n_again", "n_changed", "shows"),
    [(1, 1, False), (9, 9, False), (10, 10, True), (40, 2, False), (40, 4, False), (40, 8, True)],
)
def test_low_self_agreement_is_a_cause_from_ten_labels_and_beyond_noise(n_again, n_changed, shows) -> None:
    found = corrected(n_again, n_changed)
    assert (found.repeats.n, found.repeats.n_same) == (n_again, n_again - n_changed)
    assert found.repeats.shows is shows
    assert ("self-agreement" in found.causes) is shows
    assert "fatigue" not in found.causes


def test_runs_of_a_rater_are_labels_given_again() -> None:
    rows = [
        (f"i{i}", "c", who, "human", "MET" if (i + (who == "a") * run) % 2 else "UNMET", run)
        for i, who, run in itertools.product(range(4), ("a", "b"), range(3))
    ]
    data = pd.DataFrame(rows, columns=["item", "criterion", "rater", "role", "label", "run"])
    found = evidence(metrics.read(data), role="human").criteria["c"].repeats
    # a says something else in its second run and the first thing again in its third; b never changes
    assert (found.n, found.n_same) == (16, 12)


def test_the_one_rater_apart_is_named_where_the_rater_is_apart() -> None:
    labels = dict.fromkeys(("0.0", "0.5", "1.0"), "class")
    found = evidence(metrics.read(three_raters().encode(), labels=labels), role="human").criteria
    assert {name: [one.name for one in found[name].training.outliers] for name in ("quality", "match")} == {
        "quality": ["rater3"], "match": [],
    }  # fmt: skip


def test_real_files() -> None:
    order = {"0.0": "class", "0.5": "class", "1.0": "class"}
    ratings = metrics.read(data("viescore_t2i_raters.csv"), labels=order)
    image = evidence(ratings, level="nominal").criteria
    assert set(image) == {"all", "PQ", "SC"}
    assert [one.name for one in image["PQ"].training.outliers] == ["rater3"]
    assert not evidence(ratings).criteria["PQ"].training.outliers  # near grades disagree less: nobody needs training
    # the file is sorted by system, for all raters alike: the fall in agreement is not theirs
    assert image["PQ"].fatigue.change.sign < 0
    assert image["PQ"].causes == ("training", "ambiguity")
    assert image["SC"].causes == ("ambiguity",)
    dices = evidence(metrics.read(data("dices350_raters.csv"))).criteria["all"]
    assert dices.n_raters == 123
    assert 0 < len(dices.training.outliers) < 61


def test_criteria_that_come_one_after_another_are_read_each_from_its_own_first_rating(build_ratings) -> None:
    easy = [(item, "easy", rater, role, label) for item, _, rater, role, label in worn(7, 60, 4, 0.0, 0.0)]
    hard = [(item, "hard", rater, role, label) for item, _, rater, role, label in worn(8, 60, 4, 0.5, 0.3)]
    alone = evidence(build_ratings(hard)).criteria["hard"].fatigue
    found = evidence(build_ratings(easy + hard)).criteria
    assert found["hard"].fatigue.change.value == pytest.approx(alone.change.value)
    assert found["hard"].fatigue.change.ends == pytest.approx(alone.change.ends)
    # Nobody tires: the second criterion is harder, and on it all do better and better, each in an order of its own.
    assert found["all"].fatigue.same_order < 0.5
    assert found["all"].fatigue.change.value == pytest.approx(alone.change.value / 2)


def test_of_many_criteria_some_would_seem_to_show_something(build_ratings) -> None:
    """Raters alike in all: p counts after Holm, for a fall over the criteria, for one rater over raters and criteria."""
    rows = [
        (item, f"c{place}", rater, role, label)
        for place in range(8)
        for item, _, rater, role, label in worn(60 + place, 40, 4, 0.2, 0.2)
    ]
    found = evidence(build_ratings(rows)).criteria
    own = [found[f"c{place}"] for place in range(8)]
    falls = [record.fatigue.p for record in own]
    assert [record.fatigue.corrected for record in own] == pytest.approx(list(holm(falls)))
    error = (own[0].fatigue.change.ends[1] - own[0].fatigue.change.value) / stats.t.ppf(0.975, 39)
    assert falls[0] == pytest.approx(2 * stats.t.sf(abs(own[0].fatigue.change.value) / error, 39))
    raters = [rater for record in own for rater in record.training.raters]
    assert [rater.corrected for rater in raters] == pytest.approx(list(holm([rater.p for rater in raters])))
    assert min(falls) < 0.05 < min(record.fatigue.corrected for record in own)
    assert not any({"fatigue", "training"} & set(record.causes) for record in found.values())
