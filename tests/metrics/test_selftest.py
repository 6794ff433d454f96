"""The self-test agrees here, and notices when a number, a table or a function is another."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from metrics.commands import cli
from metrics.content.selftest import checking, readings
from metrics.content.selftest.checking import exactly, self_test
from metrics.content.selftest.published import TABLES, Number
from metrics.measures.coefficients import expected_agreement

IN_THE_FILE = {
    "Balanced labels": "rao.worked.1", "A rare label": "rao.worked.2",
    "A judge that always says no": "rao.worked.3_always_negative",
    "Abstentions left out": "rao.appB.exclude", "Abstentions as negative": "rao.appB.recode",
    "Abstentions kept as a class": "rao.appB.three_class", "Two criteria, pooled and averaged": "rao.sec5.1.matched_tables",
    "Two raters with unlike rates": "rao.obs2.unequal_marginals", "Rare violations, judge A": "collot.table1.A",
    "Rare violations, judge B": "collot.table1.B", "Few violations found, judge A": "collot.table2.A",
    "Few violations found, judge B": "collot.table2.B", "Two raters, pass and fail": "irr.kappa_example",
    "Every label positive, a judge that says so of half": "rao.pe_limit", "One label only": "irr.alpha_code.no_variation",
    "Twelve items with one to four ratings": "irr.alpha_code.krippendorff12",
    "Five items with two or five ratings": "irr.alpha_code.unequal",
}  # fmt: skip
NAMES = {
    "kappa": ("cohen_kappa", "kappa", "micro_kappa"), "phi": ("phi_mcc", "phi", "average_pairwise_phi"),
    "recall": ("recall_tpr",), "specificity": ("specificity_tnr",), "predicted_prevalence": ("judge_rate",),
    "expected_agreement": ("p_e", "limit_p_e"), "f1": ("f1", "f1_met"), "n": ("N_eff",), "mcc_multiclass": ("mcc_gorodkin",),
    "fleiss": ("fleiss_kappa",), "alpha": ("krippendorff_alpha", "canonical"),
    "kappa first": ("kappa_A",), "kappa second": ("kappa_B",), "kappa macro": ("macro_kappa",),
}  # fmt: skip


def test_every_published_number_agrees() -> None:
    found = self_test()
    assert found.agrees
    assert readings.verdict(found) == f"All {len(found.checks)} published numbers agree."
    assert len(found.checks) == sum(len(table.numbers) for table in TABLES) > 70
    wrong_in_print = {(check.table, check.printed) for check in found.checks if check.as_printed is False}
    assert wrong_in_print == {
        ("Abstentions left out", "0.416"), ("Two criteria, pooled and averaged", "0.85"),
        ("Every label positive, a judge that says so of half", "1.0"), ("Two raters, pass and fail", "0.46"),
        ("Twelve items with one to four ratings", "0.720"), ("Five items with two or five ratings", "0.431"),
        ("One label only", "1.0"),
    }  # fmt: skip
    shown = readings.summary(found)
    for table in TABLES:
        assert bool(table.why) == (table.name in {name for name, _ in wrong_in_print})
        assert table.why in shown


def by_pairs(units: tuple[str, ...], weight: Callable[[int], Fraction]) -> Fraction | None:
    """Krippendorff’s α of labels, every ordered pair of an item's m labels weighing as much as told."""
    units = tuple(unit for unit in units if len(unit) > 1)
    pairs = [(a, b, weight(len(unit))) for unit in units for a, b in permutations(unit, 2)]
    labels = "".join(units)
    n, unlike = len(labels), sum(a != b for a, b in permutations(labels, 2))
    observed = sum((own for a, b, own in pairs if a != b), Fraction()) / sum(own for *_, own in pairs)
    return 1 - observed * n * (n - 1) / unlike if unlike else None


def test_the_guides_alpha_is_right_where_all_items_have_as_many_ratings_only() -> None:
    """Pairs that weigh alike give what its code returns; weighed by 1 / (m − 1) they give what is expected."""
    for table in (table for table in TABLES if table.units):
        (number,) = table.numbers
        right, code = by_pairs(table.units, lambda m: Fraction(1, m - 1)), by_pairs(table.units, lambda m: Fraction(1))
        assert right == (Fraction(number.exact) if number.exact else None)
        assert number.printed == ("1.0" if code is None else f"{float(code):.3f}")
    equal = ("aab", "aaa", "bba", "bbb")
    assert by_pairs(equal, lambda m: Fraction(1, m - 1)) == by_pairs(equal, lambda m: Fraction(1)) == Fraction(7, 18)


@pytest.mark.parametrize("rate", [0.5, 0.9])
def test_expected_agreement_tends_to_the_judges_rate(rate: float) -> None:
    for negatives in (1e-3, 1e-6, 0):
        table = np.array([[rate, 1 - rate], [rate * negatives, (1 - rate) * negatives]])
        assert expected_agreement(table) == pytest.approx(rate, abs=2 * negatives + 1e-12)
    assert expected_agreement(np.array([[1.0, 0.0], [0.0, 1e-9]])) == pytest.approx(1)


def test_what_is_expected_was_computed_elsewhere_too(published) -> None:
    checks = [check for check in self_test().checks if check.table in IN_THE_FILE]
    compared = 0
    for check in checks:
        expected = published[IN_THE_FILE[check.table]]["expected"]
        for name in NAMES.get(check.key, (check.key,)):
            if name in expected:
                other = math.nan if expected[name] is None else expected[name]
                assert check.expected == pytest.approx(other, abs=1e-12, nan_ok=True), check
                compared += 1
    assert compared >= len(checks) - 3  # coverage and the rate of a limit stand in entries of their own


def test_a_wrong_number_is_named() -> None:
    wrong = replace(TABLES[0], numbers=(*TABLES[0].numbers[:2], Number("kappa", "2/5"), Number("accuracy", "7/11")))
    found = self_test([wrong])
    assert [check.key for check in found.wrong] == ["accuracy"]
    assert readings.verdict(found) == "1 of 4 published numbers differ: Accuracy of “Balanced labels”."
    assert readings.outcome(found.wrong[0]) == readings.DIFFERS
    assert found.to_dict()["agrees"] is False


@pytest.mark.parametrize("exact", ["", "0"])
def test_undefined_and_nought_are_two_things(exact: str) -> None:
    expected, key = ("", "kappa") if exact == "" else ("0", "phi")
    found = self_test([replace(TABLES[2], numbers=(Number(key, expected),))])
    assert not found.agrees
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["checks"][0]["difference"] is None
    assert readings.difference(found.checks[0]) == "one is undefined"


def test_a_function_that_is_off_in_the_ninth_digit_is_seen(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    right = checking.fleiss_kappa
    monkeypatch.setattr(checking, "fleiss_kappa", lambda votes: right(votes) + 1e-9)
    with pytest.raises(SystemExit) as ended:
        cli.main(["selftest", "--json"])
    assert ended.value.code == 1
    told = json.loads(capsys.readouterr().out)
    assert [check["key"] for check in told["checks"] if not check["agrees"]] == ["fleiss"]
    assert told["versions"]["numpy"]
    assert set(told["optional"]) == set(checking.OPTIONAL)


def test_the_command_says_the_same_as_text(capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["selftest"])
    assert not ended.value.code
    shown = capsys.readouterr().out
    assert shown.startswith("All ")
    assert shown.count(readings.AGREES) == len(self_test().checks)


def test_fractions_and_roots() -> None:
    assert exactly("√9/16") == 0.75
    assert exactly("-1/5") == -0.2
    assert math.isnan(exactly(""))
