"""A scale that runs the other way is asked about, can be turned, and is declared as turned."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.analyses.scores.binarised import cut_sweep
from metrics.analyses.scores.provenance import header
from metrics.data.order import Order
from metrics.data.reversed_raters import turned

TOP = {"clear": 5, "short": 3}


def rows(*, flip: bool, n: int = 40) -> str:
    rng, lines = np.random.default_rng(4), ["item,criterion,judge,human,verdict"]
    for i in range(n):
        for criterion, top in TOP.items():
            human = 1 + i % top
            judge = int(np.clip(human + rng.integers(-1, 2), 1, top))
            judge = top + 1 - judge if flip else judge
            lines.append(f"i{i},{criterion},j,{human},{'NA' if i % 9 == 8 else judge}")
    return "\n".join(lines)


def read(**how: bool) -> metrics.Ratings:
    return metrics.read(rows(**how).encode(), scale="ordinal")


def test_turning_a_reversed_scale_gives_the_numbers_of_the_right_one() -> None:
    right, again = metrics.scores(read(flip=False)), metrics.scores(read(flip=True), turn=["j"])
    for one, other in zip(right.judges["j"].criteria.values(), again.judges["j"].criteria.values(), strict=True):
        assert other.values == pytest.approx(one.values, nan_ok=True)
        assert other.intervals == one.intervals
    np.testing.assert_equal(vars(again.judges["j"].coverage), vars(right.judges["j"].coverage))
    sweeps = [cut_sweep(read(flip=flip), report, "j") for flip, report in ((False, right), (True, again))]
    for one, other in zip(sweeps[0].cuts, sweeps[1].cuts, strict=True):
        assert other.block(None).values == pytest.approx(one.block(None).values, nan_ok=True)


def test_what_is_turned_is_declared_and_what_is_not_is_not() -> None:
    again, plain = metrics.scores(read(flip=True), turn=["j"]), metrics.scores(read(flip=True))
    assert "Reversed: the scale of j." in header(again, "j").rest
    assert again.to_dict()["declaration"]["turned"] == ["j"]
    assert "Turned" not in header(plain, "j").rest
    assert "turned" not in plain.to_dict()["declaration"]
    assert plain.summary().endswith('To turn the scale of j round: turn=["j"]')
    assert "To turn" not in again.summary()
    assert "To turn" not in metrics.scores(read(flip=False)).summary()


def test_only_labels_of_known_raters_turn() -> None:
    ratings = read(flip=True)
    with pytest.raises(metrics.InputError, match="no rater is called 'x'"):
        metrics.scores(ratings, turn=["x"])
    order = Order(("1", "2", "3", "4", "5"), (1.0, 2.0, 3.0, 4.0, 5.0), "labels")
    twice = turned(turned(ratings, ["j"], order), ["j"], order)
    assert [twice.labels[code] for code in twice.label] == [ratings.labels[code] for code in ratings.label]
    human = [rater.role == "human" for rater in ratings.raters]
    same = np.array(human)[ratings.rater]
    once = turned(ratings, ["j"], order)
    assert (once.label[same] == ratings.label[same]).all()
    assert (once.label[~same] != ratings.label[~same]).any()
