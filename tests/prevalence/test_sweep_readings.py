from __future__ import annotations

import pytest

from metrics.analyses.prevalence.compute import sweep
from metrics.analyses.prevalence.readings import reading, ribbon_note, share, span, still_reading, typed, zone_reading
from metrics.measures.catalogue import applicable

P = "\u00a0%"


def test_a_typed_rate_has_two_decimals_at_most_unless_fewer_would_make_all_or_nothing_of_it() -> None:
    rates = (0.9, 0.884, 1 - 0.088, 8 / 9, 0.9995, 0.7999999999, 0, 1, 0.999996, 0.000004)
    assert [typed(rate) for rate in rates] == [
        f"{rate}{P}" for rate in ("90", "88.4", "91.2", "88.89", "99.95", "80", "0", "100", "99.9996", "0.0004")
    ]


def test_down_up_and_alike() -> None:
    one = sweep(0.9, 0.1)
    assert reading(one, 0.05, 0.34) == (
        f"the same judge has κ 0.78 at your 34{P} and would have only 0.43 at 5{P}. "
        "Nothing about the judge changed, only the mix of items."
    )
    assert f"has κ 0.43 at your 5{P} and would have as much as 0.78 at 34{P}" in reading(one, 0.34, 0.05)
    assert reading(one, 0.34, 0.34) == f"the same judge has κ 0.78 at your 34{P} and at 34{P} alike."
    assert reading(sweep(0.4, 0.4), 0.1, 0.5) == f"the same judge has κ 0.00 at your 50{P} and at 10{P} alike."


def test_without_data_the_best_prevalence_is_named() -> None:
    assert (
        reading(sweep(0.9, 0.1), 0.05, None)
        == f"a judge with these rates would have κ 0.43 at 5{P}, and 0.80 at 50{P}, where it is highest."
    )
    highest = f"a judge with these rates would have κ 0.80 at 50{P}, where it is highest."
    assert reading(sweep(0.9, 0.1), 0.5, None) == highest
    assert "the same at every other prevalence" in reading(sweep(0.9, 0.1), 0.05, None, "youden_j")


@pytest.mark.parametrize(
    ("tpr", "fpr", "text"),
    [
        (0.3, 0.0, f"0.46 as prevalence nears 0{P}, where it is highest."),
        (1.0, 0.3, f"0.82 as prevalence nears 100{P}, where it is highest."),
        (0.0, 0.4, f"−0.43 at 39{P}, where it is lowest."),
        (0.4, 0.9, f"−0.51 at 55{P}, where it is lowest."),
    ],
)
def test_the_extreme_of_kappa_is_none_of_the_points_that_are_drawn(tpr: float, fpr: float, text: str) -> None:
    assert reading(sweep(tpr, fpr), 0.05, None).endswith(f", and {text}")


def test_undefined_is_said() -> None:
    assert reading(sweep(0.0, 0.0), 0.05, 0.3, "phi") == (
        f"φ is undefined at 30{P}: one of the two sides would give one label only."
    )


def test_inside_and_outside_the_zone() -> None:
    one = sweep(0.9, 0.1)
    assert f"is below 10.5{P} and above 89.5{P}; 5{P} lies inside it: accuracy 90{P}, κ 0.43." in zone_reading(one, 0.05)
    assert f"is below 23.2{P}; 50{P} lies outside it" in zone_reading(sweep(0.383, 0.074), 0.5)
    assert f"34{P} lies outside it: accuracy 90{P}, κ 0.78." in zone_reading(one, 0.34)
    assert zone_reading(sweep(0.6, 0.4), 0.3) == "At no prevalence is accuracy at least 0.80 while κ is below 0.60."


def test_the_zone_is_where_both_numbers_say_so() -> None:
    one = sweep(0.9, 0.1)
    edge = 0.10471  # between two points of the zones
    assert one.at(edge)["kappa"] < 0.6
    assert "lies inside it" in zone_reading(one, edge)
    # accuracy is .80 where nothing is positive, and nowhere else
    assert f"is 0{P}; 50{P} lies outside it" in zone_reading(sweep(0.7, 0.2), 0.5)
    # at 0 % κ is undefined, and below 0.60 at once beyond it
    assert f"is below 20{P};" in zone_reading(sweep(0.0, 0.0), 0.5)


def test_an_end_that_the_range_names_does_not_lie_outside_it() -> None:
    """κ is 0.60 at 25 % and less just above, where the zone begins."""
    assert f"is 25{P} to 40{P}; 25{P} lies at the edge of it: accuracy 88{P}, κ 0.60." in zone_reading(sweep(0.5, 0.0), 0.25)
    assert f"24{P} lies outside it" in zone_reading(sweep(0.5, 0.0), 0.24)
    assert f"40{P} lies inside it" in zone_reading(sweep(0.5, 0.0), 0.4)


def test_what_stays_and_why() -> None:
    always = "BA, J, TPR, TNR, FPR and FNR stay for every judge."
    moving = len(applicable(2, "table")) - len(("BA", "J", "TPR", "TNR", "FPR", "FNR"))
    assert still_reading(sweep(0.9, 0.2)) == f"{moving} metrics move. {always}"
    assert (
        still_reading(sweep(0.9, 0.1)) == f"{moving - 2} metrics move. {always} PABAK and accuracy stay here because TPR = TNR."
    )
    assert "here because TPR = FPR." in still_reading(sweep(0.4, 0.4))
    assert "here because TPR and TNR are 1." in still_reading(sweep(1.0, 0.0))
    assert "here because TPR and TNR are 0." in still_reading(sweep(0.0, 1.0))
    assert "accuracy, p_e, markedness and π̂ stay here because TPR = FPR = TNR." in still_reading(sweep(0.5, 0.5))
    assert "F1⁻ and NPV stay here because TPR is 1." in still_reading(sweep(1.0, 0.3))
    assert "F1 and precision stay here because TNR is 1." in still_reading(sweep(0.3, 0.0))


@pytest.mark.parametrize(("rate", "undefined"), [(0.0, "precision"), (1.0, "NPV")])
def test_what_a_judge_of_one_label_has_nowhere_does_not_stay(rate: float, undefined: str) -> None:
    one = sweep(rate, rate)
    text = still_reading(one)
    assert f"φ, κ − φ, κ/φ, markedness and {undefined} are undefined at every prevalence: the judge gives one label only." in text
    stays = text.partition("stay for every judge.")[2].partition("here because the judge gives one label only.")[0]
    assert "κ" in stays
    assert not {"φ", undefined} & set(stays.replace(",", "").split())
    assert set(one.moving) | set(one.still) | set(one.undefined) == set(one.values)


def test_the_band_is_named() -> None:
    assert ribbon_note("kappa", 1200) == f"band: κ in 95{P} of golden sets of 1\u202f200"


def test_a_judge_below_chance_is_not_praised() -> None:
    assert f"has κ −0.09 at your 78{P} and would have −0.01 at 5{P}." in reading(sweep(0.851, 0.928), 0.05, 0.7754)


def test_prevalences_keep_what_tells_them_apart() -> None:
    shown = [share(x) for x in (0.34, 0.338, 0.005, 0.105, 0.003, 0.9973, 0.0002, 0.0, 1.0)]
    assert shown == [f"34{P}", f"34{P}", f"0.5{P}", f"10.5{P}", f"0.3{P}", f"99.7{P}", f"<1{P}", f"0{P}", f"100{P}"]
    assert span(0.0, 1.0) == "every prevalence"
    assert span(0.2, 0.9) == f"20{P} to 90{P}"
    assert (span(0.9347, 1.0), span(0.94, 1.0), span(0.0, 0.0649)) == (f"above 93.5{P}", f"above 94{P}", f"below 6.5{P}")
    # accuracy .8508 π + .0723 (1 − π) reaches .80 at 93.5 %
    assert f"is above 93.5{P}; 94{P} lies inside it" in zone_reading(sweep(0.8508, 0.9277), 0.94)
    assert (span(0.0, 0.0005), span(0.9995, 1.0)) == (f"below 0.1{P}", f"above 99.9{P}")
