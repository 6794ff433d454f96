"""Formulas with numbers put in: what is printed gives what is printed."""

from __future__ import annotations

import itertools
import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.content.lab.formulas import LONGEST, NAMES, TWO, Worked, three, worked
from metrics.content.lab.pictures import BARS, BARS_OF_THREE, Picture
from metrics.content.lab.tables import MOST, ConfusionTable, Rates
from metrics.results import words

NUMBER = re.compile(r"(?<![\w.])(?:\d[\d\u202f]*)?\.?\d+")
HALF = Fraction(1, 200) + Fraction(1, 10**9)
EXACT = {
    "accuracy": {(0, 0), (1, 1)}, "pabak": {(0, 0), (1, 1)}, "f1": {(0, 0), (0, 1), (1, 0)}, "recall": {(0, 0), (0, 1)},
    "specificity": {(1, 0), (1, 1)}, "fpr": {(1, 0), (1, 1)}, "precision": {(0, 0), (1, 0)}, "prevalence": {(0, 0), (0, 1)},
    "predicted_prevalence": {(0, 0), (1, 0)}, "drift": {(0, 1), (1, 0)},
}  # fmt: skip
counts = st.integers(0, MOST)
shares = st.floats(0, 1)


def root(x: Fraction) -> Fraction:
    return Fraction(math.sqrt(x))


def evaluated(text: str, **names: Fraction) -> Fraction:
    """An expression as a reader with a calculator works it out."""
    code = NUMBER.sub(lambda found: f'F("{found.group().replace(words.THIN_SPACE, "")}")', text)
    code = code.replace("·", "*").replace("−", "-").replace("√", "root")
    assert re.fullmatch(r'[\sF"().\d+*/\-rotA-Za-zπ̂_]*', code), text
    return eval(code, {"F": Fraction, "root": root, **names})


def check(picture: Picture, key: str) -> Worked:
    own, value = worked(key, picture), picture.values[key]
    assert own.key == key
    assert own.result == words.number(value)
    if math.isnan(value):
        assert own.reason
        assert own.short == own.where == ""
        with pytest.raises(ZeroDivisionError):
            evaluated(own.substituted)
        return own
    assert own.reason == ""
    wanted = Fraction(own.result.replace(words.MINUS, "-"))
    assert abs(evaluated(own.substituted) - wanted) <= HALF, own
    assert len(own.short) <= LONGEST
    if own.short:
        assert abs(evaluated(own.short) - wanted) <= HALF, own
    for equation in filter(None, own.where.split(", ")):
        parts = equation.split(" = ")
        if len(parts) == 3:
            decimals = len(parts[2].partition(".")[2])
            assert abs(evaluated(parts[1]) - evaluated(parts[2])) <= Fraction(1, 2 * 10**decimals) * (decimals > 0), own
            assert parts[2] in own.substituted
    return own


@pytest.mark.parametrize("key", TWO)
def test_what_is_printed_gives_the_result_on_every_small_table(key: str) -> None:
    seen = {
        check(Picture(ConfusionTable(cells)), key).result == words.UNDEFINED
        for cells in itertools.product((0, 1, 2, 5), repeat=4)
    }
    assert False in seen


@given(st.tuples(counts, counts, counts, counts))
def test_what_is_printed_gives_the_result_up_to_a_billion_a_cell(cells: tuple[int, ...]) -> None:
    picture = Picture(ConfusionTable(cells))
    for key in TWO:
        check(picture, key)


@given(st.lists(st.sampled_from([0, 1, 2, 10**6, 10**9 - 1, 10**9]), min_size=4, max_size=4))
def test_what_is_printed_gives_the_result_where_cells_are_of_very_different_size(cells: list[int]) -> None:
    picture = Picture(ConfusionTable(tuple(cells)))
    for key in TWO:
        check(picture, key)


@given(shares, shares, shares, st.integers(0, MOST) | st.integers(0, 50))
def test_what_is_printed_gives_the_result_of_a_table_of_rates(at: float, tpr: float, tnr: float, n: int) -> None:
    picture = Picture(ConfusionTable.of_rates(Rates(at, tpr, tnr, n)))
    for key in TWO:
        check(picture, key)


@given(st.lists(st.integers(0, 9) | counts, min_size=9, max_size=9))
def test_what_is_printed_gives_the_result_with_no_verdict_as_a_class(cells: list[int]) -> None:
    table = np.array([*cells[:8], cells[8] + 1]).reshape(3, 3)
    if table.max() <= MOST:
        picture = Picture(ConfusionTable.of_counts(table), "as_category")
        assert not picture.two
        for key in three(picture):
            check(picture, key)


@pytest.mark.parametrize("key", TWO)
@pytest.mark.parametrize("cells", [(45, 5, 95, 855), (1, 2, 3, 4), (40, 20, 5, 35)])
def test_the_formula_in_symbols_is_the_metric(key: str, cells: tuple[int, ...]) -> None:
    picture = Picture(ConfusionTable(cells))
    tp, fn, fp, tn = map(Fraction, cells)
    n = tp + fn + fp + tn
    pi, hat = (tp + fn) / n, (tp + fp) / n
    names = {
        "TP": tp, "FN": fn, "FP": fp, "TN": tn, "N": n, "agreement": (tp + tn) / n, "chance": pi * hat + (1 - pi) * (1 - hat),
        "pi": pi, "hat": hat, "q": (pi + hat) / 2, "TPR": tp / (tp + fn), "TNR": tn / (fp + tn), "FPR": fp / (fp + tn),
    }  # fmt: skip
    general = worked(key, picture).general.replace("π̂", "hat").replace("π", "pi")
    assert float(evaluated(general, **names)) == pytest.approx(picture.values[key], abs=1e-12)


@pytest.mark.parametrize("key", TWO)
def test_cells_that_are_lit_are_those_the_formula_uses(key: str) -> None:
    own = worked(key, Picture(ConfusionTable((45, 5, 95, 855))))
    assert set(own.cells) == EXACT.get(key, {(0, 0), (0, 1), (1, 0), (1, 1)})
    used = {place for place, name in {(0, 0): "TP", (0, 1): "FN", (1, 0): "FP", (1, 1): "TN"}.items() if name in own.general}
    assert used <= set(own.cells)


@pytest.mark.parametrize(
    "picture", [Picture(ConfusionTable((1, 2, 3, 4))), Picture(ConfusionTable((1, 2, 3, 4), (1, 1, 1, 1, 1)), "as_category")]
)
def test_every_bar_has_a_formula(picture: Picture) -> None:
    assert {worked(key, picture).key for key in picture.bars} == set(BARS if picture.two else BARS_OF_THREE)
    every = {(row, column) for row in range(len(picture.counts)) for column in range(len(picture.counts))}
    assert set(worked("kappa", picture).cells) == every


def test_a_metric_of_two_labels_has_no_formula_of_three() -> None:
    with pytest.raises(KeyError):
        worked("f1", Picture(ConfusionTable((1, 2, 3, 4), (1, 1, 1, 1, 1)), "as_category"))


@pytest.mark.parametrize(
    ("key", "substituted", "result"),
    [
        ("accuracy", "(45 + 855) / 1 000", "0.90"),
        ("balanced_accuracy", "(.90 + .90) / 2", "0.90"),
        ("f1", "2 · 45 / (2 · 45 + 95 + 5)", "0.47"),
        ("gwet_ac1", "(.90 − .172) / (1 − .172)", "0.88"),
        ("pabak", "2 · .90 − 1", "0.80"),
        ("phi", "(45 · 855 − 5 · 95) / √(50 · 950 · 140 · 860)", "0.50"),
        ("kappa", "(.90 − .824) / (1 − .824)", "0.43"),
        ("precision", "45 / (45 + 95)", "0.32"),
    ],
)
def test_two_digits_unless_the_result_needs_more(key: str, substituted: str, result: str) -> None:
    own = worked(key, Picture(ConfusionTable((45, 5, 95, 855))))
    assert (own.substituted.replace(words.THIN_SPACE, " "), own.result) == (substituted, result)


def test_the_symbols_are_said_with_their_numbers() -> None:
    own = worked("kappa", Picture(ConfusionTable((45, 5, 95, 855))))
    assert own.where.replace(words.THIN_SPACE, " ") == (
        "agreement = (45 + 855) / 1 000 = .90, chance = .05 · .14 + .95 · .86 = .824, "
        "how often two with these label rates agree at random"
    )


def test_an_undefined_metric_shows_what_it_divides_by() -> None:
    own = worked("phi", Picture(ConfusionTable((0, 10, 0, 90))))
    assert own.substituted == "(0 · 90 − 10 · 0) / √(10 · 90 · 0 · 100)"
    assert (own.result, own.reason) == ("–", "the judge gives one label only, UNMET")


@pytest.mark.parametrize("key", TWO)
@pytest.mark.parametrize("cells", [(45, 5, 95, 855), (1, 2, 3, 4), (40, 20, 5, 35)])
def test_each_form_in_counts_says_itself_in_symbols(key: str, cells: tuple[int, ...]) -> None:
    names = dict(zip(("TP", "FN", "FP", "TN", "N"), map(Fraction, (*cells, sum(cells))), strict=True))
    sums = {"P": cells[0] + cells[1], "M": cells[2] + cells[3], "J": cells[0] + cells[2], "K": cells[1] + cells[3]}
    numbers = {**names, **sums, "Q": sums["P"] + sums["J"], "R": sums["M"] + sums["K"]}
    for form in TWO[key].forms[1:]:
        used = {name: Fraction(numbers[name]) for name in NAMES.findall(form.text)}
        assert evaluated(form.general, **names) == form.value(**used) == evaluated(form.text.format(**used))


@pytest.mark.parametrize("key", TWO)
def test_without_a_decision_symbols_and_numbers_are_one_formula(key: str) -> None:
    own = worked(key, Picture(ConfusionTable((0, 0, 0, 0))))
    assert own.general == (TWO[key].forms[-1].general or TWO[key].general)
    assert not re.search("agreement|chance|TPR|TNR|FPR|π|q", own.general)
    assert not re.search(r"[^0-9 ·+−/()√]", own.substituted)


def test_kappa_in_counts_is_kappa_in_counts_in_symbols_too() -> None:
    in_counts = "2 · (TP · TN − FN · FP) / ((TP + FN) · (FN + TN) + (TP + FP) · (FP + TN))"
    empty, huge = (worked("kappa", Picture(ConfusionTable(cells))) for cells in ((0, 0, 0, 0), (1, 0, 1, 999_999_999)))
    assert empty.general == huge.general == in_counts
    assert empty.substituted == "2 · (0 · 0 − 0 · 0) / (0 · 0 + 0 · 0)"
    undefined = worked("kappa", Picture(ConfusionTable((0, 0, 0, 9))))
    assert (undefined.general, undefined.substituted) == ("(agreement − chance) / (1 − chance)", "(1 − 1) / (1 − 1)")


def test_beyond_six_digits_a_formula_is_in_counts() -> None:
    own = worked("kappa", Picture(ConfusionTable((1, 0, 1, 999_999_999))))
    assert own.result == "0.67"
    assert "." not in own.substituted
    assert own.where == ""


def test_a_count_that_is_no_whole_number_has_as_few_digits_as_do() -> None:
    picture = Picture(ConfusionTable.of_rates(Rates(0.053, 0.873, 0.912, 1000)))
    assert worked("f1", picture).substituted == "2 · 46.3 / (2 · 46.3 + 83.3 + 6.7)"
    assert worked("accuracy", Picture(ConfusionTable.of_rates(Rates(0.5, 0.5, 0.5, 3)))).substituted == "(0.75 + 0.75) / 3"


def test_a_share_that_is_nearly_one_or_nothing_is_not_printed_as_such() -> None:
    own = worked("kappa", Picture(ConfusionTable((5_000, 1, 1, 5_000))))
    assert own.result == "1.00"
    assert own.substituted == "(.9998 − .50) / (1 − .50)"
    assert worked("youden_j", Picture(ConfusionTable((90, 10, 4, 996)))).substituted == ".90 − .004"
