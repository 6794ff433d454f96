"""What the gate says of its worst criterion, and two raters of each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import metrics
from metrics.analyses.raters.gate import Bands, gate_of
from metrics.analyses.raters.readings import gate_reading, gold_words, pair_reading
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from tests.raters.made import labels, rows


def report_of(codes: np.ndarray, **how) -> metrics.analyses.raters.result.RatersReport:
    names = ["MET", "UNMET"]
    return metrics.raters(metrics.read(rows(codes, names).encode()), **how)


@pytest.mark.parametrize(
    ("floor", "said"),
    [
        (-0.5, "above the floor of −0.500, so the labels can serve as a reference."),
        (0.99, "below the floor of 0.990, so these labels are not ready to serve as a reference."),
    ],
)
def test_the_floor_decides_what_is_said(floor, said) -> None:
    report = report_of(labels(1, n=200, raters=3, k=2, missing=0), bands=Bands(floor=floor))
    assert said in gate_reading(report)
    value = report.pooled.values["alpha"]
    middle = report_of(labels(1, n=200, raters=3, k=2, missing=0), bands=Bands(floor=value))
    assert "the interval includes the floor of " in gate_reading(middle)
    assert "so it is undecided whether the labels can serve as a reference." in gate_reading(middle)


def test_no_end_reads_as_if_it_lay_on_the_other_side_of_the_floor() -> None:
    """0.666 has two decimals in 0.67, which no floor of 0.667 is above."""
    report = report_of(labels(1, n=200, raters=3, k=2, missing=0))
    alpha = Estimate(0.45, Interval(0.21, 0.666, "jackknife"))
    block = report.pooled.with_intervals({"alpha": alpha.interval})
    block = replace(block, estimates={**block.estimates, "alpha": alpha}, gate=gate_of(alpha, 200))
    report = replace(report, pooled=block, criteria=dict.fromkeys(report.criteria, block))
    assert gate_reading(report).startswith("c: α 0.45 [0.21, 0.666] – below the floor of 0.667")
    assert "0.45 [0.21, 0.666]" in report.summary()
    assert "0.67]" not in report.summary()


def test_criteria_undefined_alike_are_not_one_of_them() -> None:
    codes = labels(1, n=40, raters=2, k=2, missing=0)
    alone = np.where(np.arange(2) == np.arange(len(codes))[:, None] % 2, codes, -1).astype(np.int16)

    def said(*made: np.ndarray) -> str:
        n = len(codes)
        text = rows(np.concatenate(made), ["MET", "UNMET"], [*range(n)] * len(made), [f"c{i // n}" for i in range(n * len(made))])
        return gate_reading(metrics.raters(metrics.read(text.encode())))

    every = (
        "α is undefined on each of 2 criteria: no item has two labels. There is nothing to hold against the floor of 0.667 yet."
    )
    assert said(alone, alone) == every
    assert said(alone).startswith("c0: α –, undefined: no item has two labels.")
    assert "on each of" not in said(alone, codes)


GOLD = "The bar for a gold set, on which judges are calibrated or a release decided, is 0.8: "


def with_errors(share: float, n: int = 400) -> np.ndarray:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, n)
    return np.where(rng.random((n, 3)) < share, 1 - truth[:, None], truth[:, None]).astype(np.int16)


@pytest.mark.parametrize(
    ("share", "n", "said"),
    [
        (0.0025, 400, "It also reaches 0.8, the bar for a gold set, on which judges are calibrated or a release decided."),
        (0.068, 1500, f"{GOLD}it is below that."),
        (0.05, 200, f"{GOLD}these items do not decide it."),
    ],
)
def test_what_passes_is_held_against_the_bar_of_a_gold_set_too(share, n, said) -> None:
    report = report_of(with_errors(share, n))
    assert report.pooled.gate.verdict == "passes"
    assert gate_reading(report).endswith(said)
    assert "gold set" not in gate_reading(report_of(with_errors(share, n), bands=Bands(floor=0.8)))
    assert "gold set" not in gate_reading(report_of(with_errors(0.4, n)))
    judges = rows(with_errors(share, n), ["MET", "UNMET"]).replace(",human,", ",judge,")
    assert "gold set" not in gate_reading(metrics.raters(metrics.read(judges.encode()), role="judge"))


def test_criteria_are_counted_against_the_bar_of_a_gold_set() -> None:
    report = report_of(with_errors(0.0025))
    block, short = report.pooled, report_of(with_errors(0.068, 1500)).pooled
    open_ = report_of(with_errors(0.05, 200)).pooled
    several = replace(report, criteria={"a": block, "b": short, "c": open_, "d": open_})
    assert gold_words(several) == f" {GOLD}1 of 4 criteria reaches it, 1 falls short, 2 are undecided."
    assert gold_words(replace(report, criteria={"a": short, "b": short})) == f" {GOLD}none of 2 criteria reach it, 2 fall short."


def test_one_label_is_undefined() -> None:
    assert "undefined: only one label is given" in gate_reading(report_of(np.zeros((9, 3), np.int16)))


def test_two_raters_with_much_little_and_nothing_in_common() -> None:
    both = labels(2, n=40, raters=2, k=2, missing=0)
    report = report_of(both)
    assert f"reach κ {report.pooled.pairs.kappa[0]:.2f} [" in pair_reading(report.pooled)
    assert "on the 40 they share" in pair_reading(report.pooled)
    few = report_of(both[:6])
    assert f"κ {few.pooled.pairs.kappa[0]:.2f}".replace("-", "−") in pair_reading(few.pooled)
    apart = np.array([[0, -1], [1, -1], [-1, 0], [-1, 1]], np.int16)
    assert "share no item" in pair_reading(report_of(apart).pooled)
    same = np.zeros((8, 2), np.int16)
    assert "κ is undefined" in pair_reading(report_of(same).pooled)


def _two_people(pairs: list[tuple[str, str]]) -> metrics.Ratings:
    rows = [
        f"i{i},c,{who},human,{label}"
        for i, own in enumerate(pairs)
        for who, label in zip(("ana", "bo"), own, strict=True)
        if label
    ]
    return metrics.read("\n".join(["item,criterion,rater,role,label", *rows]).encode())


def test_the_gate_counts_the_items_that_alpha_rests_on() -> None:
    pairs = [("MET", "MET"), ("UNMET", "UNMET"), ("MET", "UNMET")] * 8
    said = metrics.raters(_two_people([*pairs, *[("MET", "")] * 10])).summary().splitlines()
    assert next(line for line in said if line.startswith("  c ")).split()[1] == "24"
    whole = metrics.raters(_two_people(pairs)).summary().splitlines()
    assert next(line for line in whole if line.startswith("  c ")).split()[1] == "24"


def test_items_needed_hold_only_where_the_estimate_stays() -> None:
    few = metrics.raters(_two_people([("MET", "MET"), ("UNMET", "UNMET")] * 13 + [("MET", "UNMET")] * 4)).summary()
    assert " would show, with 80\u00a0% power, that agreement is above the floor, if α stays at 0.7" in few
    many = metrics.raters(_two_people([("MET", "MET"), ("UNMET", "UNMET")] * 150 + [("MET", "UNMET")] * 4)).summary()
    assert "would do" not in many


def test_label_rates_that_differ_by_chance_are_not_said_to_differ_for_ever() -> None:
    apart = metrics.raters(_two_people([("MET", "MET"), ("UNMET", "UNMET")] * 13 + [("MET", "UNMET")] * 4)).summary()
    assert "13 points apart. The two meet only if the raters’ shares do." in apart.replace("\u00a0", " ")
    assert "wherever the two give a label at different rates, here by 0.0" in apart
    even = metrics.raters(_two_people([("MET", "MET"), ("UNMET", "UNMET")] * 13 + [("MET", "UNMET"), ("UNMET", "MET")])).summary()
    assert "The two meet" not in even


def test_raters_of_one_role_are_named_and_led_to_their_agreement() -> None:
    with pytest.raises(metrics.InputError, match=r"rows come from ana and bo\. .* use metrics\.raters\."):
        metrics.agreement(_two_people([("MET", "MET"), ("UNMET", "MET")] * 5))
    both = metrics.read(b"item,criterion,human,verdict\ni0,c,MET,MET\ni1,c,UNMET,MET\n")
    assert metrics.agreement(both).judges
