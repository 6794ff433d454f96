"""Which way a judge errs: by item, corrected for few, and only where the data show it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

import metrics
from metrics.analyses.agreement.readings import (
    bias_sign,
    confusion_reading,
    drift_words,
    error_rates_words,
    label_rates_words,
    leaning,
)
from metrics.analyses.directions import Directions, directions_of
from metrics.analyses.kappa_phi.readings_habit import habit_reading
from metrics.analyses.kappa_phi.rows import by_criterion, pooled
from metrics.analyses.records import AgreementReport
from metrics.analyses.scores.readings import bias_reading
from metrics.measures.exact_tests import fisher, sign_flip, sign_test
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from tests.conftest import of_tables


def ratings(rows):
    text = "item,criterion,judge,human,verdict\n" + "\n".join(f"{i},{c},j,{h},{v}" for i, c, h, v in rows)
    return metrics.read(text.encode())


def only(report: AgreementReport):
    return next(iter(report.judges.values())).micro


def five_alarms(items: int, criteria: int = 5):
    """20 items; on the first `items` of them the judge raises a false alarm on every criterion."""
    for i, c in itertools.product(range(20), range(criteria + 3)):
        human = "MET" if c < 3 else "UNMET"
        yield i, f"c{c}", human, "MET" if c < 3 or i < items else "UNMET"


def test_errors_of_one_item_are_one_piece_of_evidence() -> None:
    block = metrics.agreement(ratings(five_alarms(1))).judges["j"].micro
    says = confusion_reading(block)
    assert bias_sign(block) == 0
    assert "only 1 item has more of one error than of the other, and a test needs 6." in says
    assert "strict or lenient: 1 item has an error, 6 are needed." in says
    assert drift_words(block, "MET") == "not significant"
    never = metrics.agreement(ratings(five_alarms(0))).judges["j"].micro
    assert label_rates_words(never).endswith(": no item has more of one error than of the other, and a test needs 6.")
    rows = "".join(f"i{at},MET,MET,{at % 9}\ni{at}b,UNMET,UNMET,{at % 9}\n" for at in range(30))
    grouped = metrics.agreement(metrics.read(f"item,human,verdict,document\n{rows}".encode()), unit="document")
    assert ": no group by ‘document’ has more of one error" in label_rates_words(only(grouped))


def test_errors_of_many_items_take_a_direction() -> None:
    block = metrics.agreement(ratings(five_alarms(8))).judges["j"].micro
    assert block.directions.label_rates.p == pytest.approx(2 / 2**8)
    assert "the judge says MET more often than the reference" in label_rates_words(block)
    assert "The judge is lenient" in confusion_reading(block)


def drift_in(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, Interval(low, high, "jackknife"))


def test_four_to_none_is_no_direction_and_six_to_none_is() -> None:
    for n, sign, p in ((4, 0, 0.125), (5, 0, 0.0625), (6, 1, 0.03125)):
        tables = np.array([[[1, 0], [0, 0]], [[0, 0], [1, 0]], [[0, 0], [0, 1]]], float)
        found = directions_of(
            tables, np.array([30.0, n, 30.0]), word="items", binary=True, confidence=0.95, drift=drift_in(0.01, 0.2)
        )
        assert found.label_rates.p == pytest.approx(p)
        assert found.label_rates.sign == sign


def test_no_direction_where_the_interval_holds_0() -> None:
    tables, units = np.array([[[0, 0], [1, 0]], [[1, 0], [0, 1]]], float), np.array([20.0, 40.0])
    options = {"word": "items", "binary": True, "confidence": 0.95}
    assert directions_of(tables, units, drift=drift_in(-0.01, 0.3), **options).label_rates.sign == 0
    assert directions_of(tables, units, drift=drift_in(0.01, 0.3), **options).label_rates.sign == 1


def test_sign_flip_is_the_share_of_all_signs() -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        sums = rng.integers(-4, 5, rng.integers(1, 10))
        kept = sums[sums != 0]
        ways = [abs(sum(np.array(signs) * kept)) >= abs(sums.sum()) for signs in itertools.product((1, -1), repeat=len(kept))]
        assert sign_flip(*np.unique(sums, return_counts=True)) == pytest.approx(np.mean(ways), abs=1e-12)


def test_a_bound_on_sign_flips_decides_as_the_flips_do() -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        sums, units = np.array([-2, -1, 0, 1, 2]), rng.integers(0, 90, 5)
        exact, bounded = sign_flip(sums, units), sign_flip(sums, units, 0.05)
        assert (bounded <= 0.05) == (exact <= 0.05)
        assert bounded >= exact * (1 - 1e-9)


def test_sign_flip_of_billions_costs_no_more() -> None:
    few = sign_flip(np.array([-2, -1, 1, 2]), np.array([1000, 3000, 3100, 1010]))
    exact = sign_flip(np.array([-2, -1, 1, 2]), np.array([5000, 9000, 9160, 5010]))
    assert few == pytest.approx(2 * stats.norm.sf(119 / np.sqrt(4 * 2010 + 6100)), rel=5e-3)
    assert exact == pytest.approx(2 * stats.norm.sf(179 / np.sqrt(4 * 10010 + 18160)), rel=5e-3)
    assert 0 < sign_flip(np.array([-2, 1]), np.array([10**8, 2 * 10**8 + 30_000])) < 0.5
    assert sign_flip(np.array([0]), np.array([50])) == 1
    assert sign_test(0, 0) == 1


def test_fisher_is_that_of_scipy() -> None:
    rng = np.random.default_rng(5)
    for table in rng.integers(0, 30, (60, 2, 2)):
        assert fisher(table) == pytest.approx(stats.fisher_exact(table)[1], abs=1e-9)
    assert fisher(np.array([[10**8, 10**8], [10**8, 10**8 + 10**6]])) < 1e-12


def test_two_answers_are_never_strict() -> None:
    text = "item,criterion,judge,human,verdict\n" + "".join(
        f"{i},c,j,{'A' if i < 50 else 'B'},{'B' if i < 30 or i >= 55 else 'A'}\n" for i in range(100)
    )
    kinds = {"A": "class", "B": "class"}
    block = metrics.agreement(metrics.read(text.encode(), labels=kinds)).judges["j"].micro
    says = confusion_reading(block)
    assert "The judge is biased towards B" in says
    assert "strict" not in says


def test_directions_are_in_the_json_and_come_back() -> None:
    for rows in (five_alarms(1), five_alarms(8)):
        report = metrics.agreement(ratings(rows))
        block = AgreementReport.from_json(report.to_json()).judges["j"].micro
        assert confusion_reading(block) == confusion_reading(report.judges["j"].micro)
        assert report.to_dict()["judges"]["j"]["micro"]["directions"]["word"] == "items"


def test_said_in_at_most_1_in_20_samples_without_a_bias() -> None:
    """Items whose ten decisions all err one way: pooled decisions would say a direction in 9 to 35 % of samples."""
    rng, said, n = np.random.default_rng(0), 0, 300
    for _ in range(n):
        wrong = rng.random((50, 10)) < rng.beta(0.3, 2.7, (50, 1))
        human = rng.random((50, 10)) < 0.5
        one_way = rng.random((50, 1)) < 0.5
        judge = np.where(wrong, one_way, human)
        cells = np.stack([human & judge, human & ~judge, ~human & judge, ~human & ~judge], -1).sum(1)
        tables, units = np.unique(cells, axis=0, return_counts=True)
        found = directions_of(
            tables.reshape(-1, 2, 2).astype(float), units.astype(float), word="items", binary=True, confidence=0.95,
            drift=Estimate(0.1),
        )  # fmt: skip
        said += bool(found.label_rates.sign)
    assert said / n <= 0.08


def test_groups_of_items_are_the_units_and_a_level_without_items_has_none() -> None:
    lines = ["item,criterion,judge,human,verdict,topic"]
    for i, c in itertools.product(range(40), "ab"):
        human = "MET" if (i + (c == "a")) % 2 else "UNMET"
        judge = "MET" if i < 8 else human
        lines.append(f"i{i},{c},j,{human},{judge},t{i // 4}")
    text = "\n".join(lines).encode()
    grouped = metrics.agreement(metrics.read(text), unit="topic").judges["j"]
    assert grouped.micro.directions.word == "groups by ‘topic’"
    assert grouped.micro.directions.label_rates.n_uneven == 2
    assert bias_sign(grouped.micro) == 0
    assert bias_sign(metrics.agreement(metrics.read(text)).judges["j"].micro) == 1
    classes = metrics.agreement(metrics.read(text, labels={"MET": "class", "UNMET": "class"}), unit="topic").judges["j"]
    assert classes.item.directions is None
    assert classes.micro.directions.label_rates.n_uneven == 2


def test_pooled_decisions_take_no_direction_that_a_criterion_contradicts() -> None:
    report = metrics.agreement(of_tables([[60, 60], [5, 75]], [[95, 5], [25, 75]]))
    micro, told = report.judges["j"].micro, report.judges["j"].criteria
    assert [told[name].directions.error_rates.sign for name in ("c0", "c1")] == [1, -1]
    assert micro.directions.error_rates.sign == 0
    assert (
        "do not tell whether the judge is strict or lenient: it errs one way on c0 and the other way on c1."
        in error_rates_words(micro)
    )
    assert "The judge is" not in error_rates_words(micro)
    strict = [[60, 40], [5, 95]]
    alike = metrics.agreement(of_tables(strict, strict)).judges["j"].micro
    assert "The judge is strict" in error_rates_words(alike)


LESS, MORE, EVEN = [[60, 30], [5, 105]], [[95, 5], [28, 72]], [[80, 15], [15, 90]]


@pytest.mark.parametrize(
    ("tables", "less", "more"),
    [
        ([LESS, MORE], ("c0",), ("c1",)),
        ([LESS, MORE, EVEN], ("c0",), ("c1",)),
        ([LESS, EVEN], (), ()),
        ([EVEN, EVEN], (), ()),
        ([LESS, MORE, MORE, MORE, MORE], (), ()),
    ],
)
def test_opposite_biases_of_criteria_cancel_in_the_pooled_one(tables, less, more) -> None:
    ratings = of_tables(*tables)
    judge = metrics.agreement(ratings).judges["j"]
    block = judge.micro
    found = block.directions.opposite
    assert ((found.less, found.more) if found else ((), ())) == (less, more)
    assert Directions.from_dict(block.directions.to_dict()) == block.directions
    said = [label_rates_words(block), habit_reading(by_criterion(judge), "MET", pooled=pooled(judge, "micro"))]
    for text in (*said, bias_reading(metrics.scores(ratings), "j")):
        cancel = "but MET is given less often on c0 and more often on c1: the two cancel." in text
        assert cancel == text.startswith("Pooled, the share of MET does not differ significantly (") == bool(less)
    assert (drift_words(block, "MET") == "criteria cancel") == bool(less)


def test_biases_that_correction_for_the_number_of_criteria_takes_away_do_not_cancel() -> None:
    """Seven errors of one kind are p 0.016: significant of two criteria, not of four."""
    few, other = [[43, 7], [0, 50]], [[50, 0], [7, 43]]
    none = [[50, 0], [0, 50]]
    told = [metrics.agreement(of_tables(*tables)).judges["j"].micro for tables in ((few, other), (few, other, EVEN, none))]
    assert [bool(block.directions.opposite) for block in told] == [True, False]
    assert "no significant label-rate bias" in label_rates_words(told[1])


def test_as_many_errors_of_either_kind_are_no_leaning() -> None:
    """Guesses at the label rate of a criterion: all of a rare label is missed, of the common one a twentieth."""
    for table in ([[0, 15], [15, 270]], [[192, 48], [48, 12]]):
        block = metrics.agreement(of_tables(table)).judges["j"].micro
        found = block.directions.error_rates
        # the error rates differ beyond chance
        assert found.p < 0.05
        assert (found.sign, leaning(block)) == (0, "")
        says = error_rates_words(block)
        assert says.endswith(": the two error rates differ, the two label rates do not significantly.")
    # with twice as many misses as false alarms both rates point one way
    block = metrics.agreement(of_tables([[30, 40], [20, 270]])).judges["j"].micro
    assert leaning(block) == "strict"
    assert "The judge is strict: it says UNMET on 57" in error_rates_words(block)
    # a low rate of misses among many can still be more misses than false alarms
    block = metrics.agreement(of_tables([[400, 60], [20, 20]])).judges["j"].micro
    assert (bias_sign(block), leaning(block)) == (-1, "")
    assert "the two error rates point one way, the two label rates the other" in error_rates_words(block)


@pytest.mark.parametrize(("alarms", "told"), [(5, False), (6, True)])
def test_the_interval_of_drift_and_its_test_come_to_one_conclusion(alarms, told) -> None:
    """Of 5 false alarms and no miss the exact p is .0625, but Tango's score interval alone leaves out 0."""
    block = only(metrics.agreement(of_tables([[40, 0], [alarms, 155]])))
    low, high = block["drift"].ends
    assert low <= alarms / 200 <= high
    assert (low > 0) == told == bool(bias_sign(block))
    assert (drift_words(block, "MET") == "not significant") != told
    assert (block["bias_index"].ends[0] * block["bias_index"].ends[1] > 0) == told


def test_an_interval_that_was_asked_for_stays_as_its_method_gives_it() -> None:
    asked = only(metrics.agreement(of_tables([[40, 0], [5, 155]]), interval="jackknife"))
    assert asked["drift"].ends[0] > 0
    assert not bias_sign(asked)


@pytest.mark.parametrize(("seed", "told"), [(24, False), (158, False), (2, True)])
def test_the_interval_of_pooled_drift_rests_on_the_test_by_item(seed, told) -> None:
    """Items on which the judge leans to MET; the jackknife alone leaves out 0 in one of twenty such files without p below .05."""
    rng, rows = np.random.default_rng(seed), []
    for i in range(int(rng.integers(20, 60))):
        bad, up = rng.random() < 0.3, rng.random() < 0.75
        for c in range(3):
            human = rng.random() < 0.5
            judge = up if bad and rng.random() < 0.6 else human
            rows.append((i, f"c{c}", "MET" if human else "UNMET", "MET" if judge else "UNMET"))
    block = only(metrics.agreement(ratings(rows)))
    assert (block["drift"].ends[0] > 0) == told == bool(bias_sign(block))
    assert (block.directions.label_rates.p <= 0.05) == told
