"""Declaration, copied numbers and readings: sentences that follow the numbers in both directions."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np
import pytest

import metrics
from metrics.analyses.agreement.readings import confusion_reading, criteria_reading, drift_words, grid_reading, one_sided_words
from metrics.analyses.provenance import citation, header
from metrics.analyses.records import Block
from metrics.data.abstention import MODES
from metrics.results.estimate import Estimate

ROWS = [
    ("1", "a", "MET", "MET"), ("1", "b", "UNMET", "UNMET"), ("2", "a", "MET", "UNMET"), ("2", "b", "UNMET", "UNMET"),
    ("3", "a", "UNMET", "UNMET"), ("3", "b", "UNMET", "UNMET"), ("4", "a", "CANNOT_ASSESS", "MET"), ("4", "b", "UNMET", "UNMET"),
]  # fmt: skip


def report(rows=ROWS, **choices):
    text = "item,criterion,judge,human,verdict\n" + "\n".join(f"{i},{c},j,{h},{v}" for i, c, h, v in rows)
    return metrics.agreement(metrics.read(text.encode()), **choices)


def block(table, labels=("MET", "UNMET")) -> Block:
    table = np.asarray(table)
    return Block(int(table.sum()), tuple(labels), table, estimates={"kappa": Estimate(float(metrics.cohen_kappa(table)))})


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("exclude", "Binary · abstentions excluded, coverage 88\u00a0% · micro over 2 criteria."),
        ("as_unmet", "Binary · abstentions counted as UNMET, both gave a verdict on 88\u00a0% · micro over 2 criteria."),
        ("as_category", "Binary · abstentions kept as a class · micro over 2 criteria."),
    ],
)
def test_header_names_the_mode(mode, says) -> None:
    assert header(report(abstention=mode), "j", "micro").bold == says


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("exclude", "abstentions excluded, coverage of decisions 88\u00a0%"),
        ("as_unmet", "abstentions counted as UNMET, both gave a verdict on 88\u00a0% of decisions"),
    ],
)
def test_coverage_is_said_to_be_of_decisions_beside_numbers_of_items(mode, says) -> None:
    made = report(abstention=mode)
    assert f"· {says} · item level" in header(made, "j", "item").bold
    assert says in citation(made, "j", "item", "kappa")
    assert "of decisions" not in header(made, "j", "macro").bold


def test_header_without_abstentions_and_with_one_criterion_is_short() -> None:
    only_a = [row for row in ROWS if row[1] == "a" and row[2] != "CANNOT_ASSESS"]
    assert header(report(only_a), "j", "macro").bold == "Binary · no abstentions."


def test_header_of_macro_counts_the_criteria_that_have_a_value() -> None:
    assert header(report(), "j", "macro").bold.endswith("macro over 2 criteria, κ defined in 1 of 2.")


def test_header_of_the_item_level_names_the_rule() -> None:
    assert "item level, all criteria met" in header(report(), "j", "item").bold
    by_share = report(item_rule="threshold", threshold=0.6, weights={"a": 2})
    assert "item level, score ≥ 0.60, criteria weighted" in header(by_share, "j", "item").bold


def test_header_counts_decisions_and_items() -> None:
    assert "7 of 8 decisions on 4 items." in header(report(), "j", "micro").rest
    assert "4 of 4 items." in header(report(), "j", "item").rest
    undecided = [*ROWS, ("5", "a", "CANNOT_ASSESS", "MET"), ("5", "b", "MET", "MET")]
    assert "4 of 5 items." in header(report(undecided), "j", "item").rest


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_a_copied_number_carries_its_declaration(mode, level) -> None:
    text = citation(report(abstention=mode), "j", level, "accuracy")
    assert text.startswith("accuracy = ")
    assert "n = " in text
    assert "reference: human" in text


def test_a_copied_undefined_number_says_why() -> None:
    constant = [(i, "a", "MET", "MET") for i in "123"]
    text = citation(report(constant), "j", "micro", "kappa")
    assert "undefined: both sides give only MET" in text


def counted(table, labels=("MET", "UNMET"), **choices) -> Block:
    """The block of a table of counts, with intervals and directions."""
    text = f"human \\ judge,{labels[0]},{labels[1]}\n" + "\n".join(
        f"{name},{row[0]},{row[1]}" for name, row in zip(labels, table, strict=True)
    )
    kinds = {labels[0]: "positive", labels[1]: "negative"}
    return next(iter(metrics.agreement(metrics.read(text.encode(), labels=kinds), **choices).judges.values())).micro


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ([[40, 10], [30, 20]], "Label-rate bias: the judge says MET more often than the reference, by 20 points"),
        ([[40, 10], [30, 20]], "The judge is lenient: it says UNMET on 20 % of MET, and MET on 60 % of UNMET."),
        ([[20, 30], [10, 40]], "Label-rate bias: the judge says MET less often than the reference, by 20 points"),
        ([[20, 30], [10, 40]], "The judge is strict: it says UNMET on 60 % of MET, and MET on 20 % of UNMET."),
        ([[40, 10], [11, 30]], "There is no significant label-rate bias. The two error rates, 20 % and 27 %, do not differ"),
        ([[40, 4], [0, 30]], "There is no significant label-rate bias: only 4 decisions have an error, and a test needs 6."),
        (
            [[40, 4], [0, 30]],
            "The two error rates do not tell whether the judge is strict or lenient: 4 decisions have an error, 6 are needed.",
        ),
        ([[40, 0], [0, 30]], "The two never differ."),
    ],
)
def test_confusion_reading_takes_a_direction_only_where_it_is_shown(table, says) -> None:
    assert says in confusion_reading(counted(table)).replace("\u00a0", " ")


def test_equal_error_rates_are_never_strict_however_rare_a_label_is() -> None:
    says = confusion_reading(counted([[175, 25], [5, 35]])).replace("\u00a0", " ")
    assert "Label-rate bias: the judge says MET less often than the reference, by 8.3 points" in says
    assert says.endswith("The two error rates, 13 % and 13 %, do not differ significantly: prevalence alone can make the bias.")
    turned = confusion_reading(counted([[35, 5], [25, 175]]))
    assert "more often than the reference" in turned
    assert "lenient" not in turned


@pytest.mark.parametrize(("labels", "says"), [("MET UNMET", "The judge is strict: "), ("A B", "The judge is biased towards B: ")])
def test_only_yes_and_no_can_be_judged_strictly(labels, says) -> None:
    one, other = labels.split()
    rows = [("one" if i < 60 else "other", "one" if i < 30 or i > 116 else "other") for i in range(120)]
    names = {"one": one, "other": other}
    text = "\n".join(["item,judge,human,verdict", *(f"i{i},j,{names[h]},{names[v]}" for i, (h, v) in enumerate(rows))])
    ratings = metrics.read(text.encode(), labels={one: "positive", other: "negative"})
    reading = confusion_reading(metrics.agreement(ratings).judges["j"].micro)
    assert says in reading
    assert "missed" not in reading
    assert "passed" not in reading


def test_confusion_reading_counts() -> None:
    says = confusion_reading(block([[498, 35], [49, 323]]))
    assert says == (
        "of 533 decisions the reference calls MET, the judge calls 35 UNMET; of 372 it calls UNMET, the judge calls 49 MET."
    )


def test_confusion_reading_of_three_classes_names_the_commonest_confusion() -> None:
    says = confusion_reading(block([[30, 10, 5], [25, 20, 5], [5, 5, 10]], ("MET", "UNMET", "CANNOT_ASSESS")))
    assert "on 55; most often the human says UNMET and the judge MET (25 times)" in says
    once = confusion_reading(block([[3, 0, 0], [0, 2, 0], [0, 1, 0]], ("Yes", "No", "Partially")))
    assert once.endswith(" on 1; most often the human says Partially and the judge No (once).")
    for other in (10, 12):  # of six confusions one of twelve in 42 is nothing to speak of
        near = confusion_reading(block([[30, other, 5], [12, 20, 5], [5, 5, 10]], ("MET", "UNMET", "CANNOT_ASSESS")))
        assert near.endswith(f"on {32 + other}; no one confusion is clearly the commonest.")


def test_confusion_reading_of_nothing() -> None:
    assert confusion_reading(block([[0, 0], [0, 0]])) == "no decision is left."


def test_grid_reading_finds_what_moves_most() -> None:
    coverage = report().judges["j"].coverage
    by_mode = grid_reading([[0.8, 0.7, 0.7], [0.4, 0.4, 0.4], [0.5, 0.5, 0.5]], "kappa", coverage, "j")
    assert "from 0.40 to 0.80" in by_mode
    assert "The mode moves it most, over the whole range." in by_mode
    by_level = grid_reading([[0.8, 0.2, 0.7], [0.8, 0.3, 0.7], [np.nan, 0.3, 0.7]], "kappa", coverage, "j")
    assert "The level moves it most, over the whole range." in by_level
    alike = grid_reading([[0.8, 0.6, 0.7], [0.6, 0.6, 0.6], [0.7, 0.7, 0.7]], "kappa", coverage, "j")
    assert "The mode and the level each move it over the whole range." in alike
    assert "1 of the 9 is undefined" in by_level
    part = grid_reading([[0.8, 0.7, 0.6], [0.5, 0.4, 0.3]], "kappa", coverage, "j")
    assert "from 0.30 to 0.80" in part
    assert "The mode moves it most, by up to 0.30." in part


def test_grid_reading_without_abstentions_and_one_criterion() -> None:
    coverage = report([row for row in ROWS if row[2] != "CANNOT_ASSESS"]).judges["j"].coverage
    assert grid_reading([[0.8] * 3] * 3, "kappa", coverage, "j").startswith("neither j nor the human abstained.")


def test_grid_reading_of_numbers_that_print_alike() -> None:
    says = grid_reading([[0.631, 0.631, np.nan], [0.634, 0.634, np.nan]], "kappa", report().judges["j"].coverage, "j")
    assert says.startswith("κ is 0.63 under every choice.")
    assert "2 of the 6 are undefined." in says


def test_grid_reading_of_undefined_numbers() -> None:
    assert "undefined under every choice" in grid_reading([[np.nan] * 3] * 3, "phi", report().judges["j"].coverage, "j")


def test_criteria_reading_names_the_weakest_and_why() -> None:
    criteria = measured(tone=[[170, 15], [14, 6]], source=[[60, 5], [5, 60]])
    assert criteria_reading(criteria, "kappa") == (
        "agreement is weakest on tone (κ 0.21), where the human said UNMET only 20 times in 205."
    )
    criteria = measured(tone=[[60, 5], [4, 60]], source=[[60, 30], [10, 60]])
    assert criteria_reading(criteria, "kappa") == (
        "agreement is weakest on source (κ 0.51), where the judge says UNMET on 30 of 90 MET, and MET on 10 of 70 UNMET."
    )


def measured(**tables: list[list[int]]) -> Mapping[str, Block]:
    """Criteria with their intervals."""
    rows = [
        f"{name}{cell}{i},{name},j,{human},{judge}"
        for name, table in tables.items()
        for cell, (human, judge) in enumerate(product(("MET", "UNMET"), repeat=2))
        for i in range(table[cell // 2][cell % 2])
    ]
    ratings = metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows]).encode())
    return metrics.agreement(ratings).judges["j"].criteria


def test_no_criterion_is_the_weakest_where_none_is_significantly_below() -> None:
    near = criteria_reading(measured(tone=[[30, 9], [8, 30]], source=[[30, 7], [8, 30]], other=[[30, 0], [0, 30]]), "kappa")
    assert near.startswith("Cohen’s κ is lowest on tone (κ 0.56), where ")
    assert near.endswith(" That is not significantly below source (κ 0.60).")
    same = criteria_reading(measured(c1=[[9, 0], [0, 9]], c2=[[5, 0], [0, 5]]), "kappa")
    assert same == "κ is 1.00 on each of 2 criteria."
    tied = criteria_reading(measured(a=[[40, 15], [15, 40]], b=[[40, 15], [15, 40]], c=[[90, 1], [1, 90]]), "kappa")
    assert tied == "Cohen’s κ is lowest on 2 criteria alike (κ 0.45)."
    alone = criteria_reading(measured(a=[[40, 15], [15, 40]], b=[[9, 0], [0, 0]]), "kappa")
    assert alone.startswith("κ is 0.45 on a, where ")
    assert "weakest" not in near + same + tied + alone


def test_a_label_is_rare_for_how_many_labels_there_are() -> None:
    def weakest(judged: str, *said: str) -> str:
        both = {name: zip(judged, of_judge, strict=True) for name, of_judge in zip(("source", "tone"), said, strict=True)}
        rows = [f"{i},{name},j,{h},{v}" for name, pairs in both.items() for i, (h, v) in enumerate(pairs)]
        table = "\n".join(["item,criterion,judge,human,verdict", *rows]).encode()
        read = metrics.read(table, scale={"tone": "nominal", "source": "nominal"})
        return criteria_reading(metrics.agreement(read).judges["j"].criteria, "kappa")

    assert weakest("abcde" * 20, "abcde" * 20, "abcde" * 12 + "bcdea" * 8).endswith("where 40 of 100 answers differ.")
    rare = "abce" * 25 + "d"
    assert "where the human said d only 1 time in 101." in weakest(rare, rare, "abce" * 15 + "bcea" * 10 + "d")


def test_a_kappa_that_is_0_by_construction_is_not_the_lowest() -> None:
    one = measured(rare=[[1, 1], [6, 92]], common=[[40, 3], [4, 53]], all=[[93, 7], [0, 0]])
    assert criteria_reading(one, "kappa") == (
        "agreement is weakest on rare (κ 0.20), where the human said MET only 2 times in 100. κ is 0 by construction on all, "
        "where the reference says only MET."
    )
    assert "construction" not in criteria_reading(one, "accuracy")
    every = criteria_reading(measured(a=[[9, 1], [0, 0]], b=[[8, 2], [0, 0]]), "kappa")
    assert every == "κ is 0 by construction on 2 criteria, where a side gives one label only."
    assert "construction" not in criteria_reading(measured(a=[[9, 1], [9, 1]], b=[[8, 2], [1, 9]]), "kappa")


def test_criteria_reading_says_which_are_undefined() -> None:
    j = report().judges["j"]
    assert "One criterion is undefined: both sides give only UNMET." in criteria_reading(j.criteria, "kappa")
    every = criteria_reading(measured(a=[[9, 0], [0, 0]], b=[[0, 0], [0, 9]]), "kappa")
    assert every == "κ is undefined on every criterion: both sides give only MET; both sides give only UNMET."
    alike = criteria_reading(measured(a=[[9, 0], [0, 0]], b=[[8, 0], [0, 0]]), "kappa")
    assert alike == "κ is undefined on every criterion: both sides give only MET."


def test_names_are_wrapped_wherever_they_come_from_the_file() -> None:
    says = confusion_reading(block([[40, 10], [30, 20]], ("*yes*", "<b>no</b>")), name=lambda text: f"«{text}»")
    assert says.count("«*yes*»") == 2
    assert says.count("«<b>no</b>»") == 2
    assert "*yes*" not in confusion_reading(counted([[40, 10], [30, 20]], ("yes", "no")), name=lambda text: f"«{text}»")


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ([[40, 10], [30, 20]], "says MET more"), ([[20, 30], [10, 40]], "says MET less"),
        ([[40, 10], [10, 40]], "not significant"), ([[50, 0], [0, 50]], "says MET as often"),
        ([[40, 10], [12, 38]], "not significant"),
    ],
)  # fmt: skip
def test_drift_in_words(table, says) -> None:
    assert drift_words(counted(table), "MET") == says


def test_no_direction_without_an_interval() -> None:
    assert drift_words(counted([[40, 10], [30, 20]], interval="none"), "MET") == "direction not tested"
    assert drift_words(counted([[40, 10], [10, 40]], interval="none"), "MET") == "the same share here"


def test_the_side_that_is_nearly_constant_is_the_one_named() -> None:
    for table, says in (
        ([[0, 20], [2, 124]], "where the judge says UNMET on 144 of 146 decisions"),
        ([[2, 18], [6, 120]], "where the human said MET only 20 times in 146"),
        ([[2, 1], [2, 141]], "where the human said MET only 3 times in 146"),
    ):
        assert f"), {says}." in criteria_reading(measured(low=table, high=[[80, 3], [4, 80]]), "kappa")


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({}, "95\u00a0%, item bootstrap, 200 replicates, seed 0."),
        ({"rng": 7, "confidence": 0.9}, "90\u00a0%, item bootstrap, 200 replicates, seed 7."),
        ({"interval": "bca"}, "item BCa bootstrap, 200 replicates, seed 0."),
        ({"unit": "decision"}, "flat bootstrap, assumes independent decisions, 200 replicates, seed 0."),
        ({"unit": "criterion"}, "criterion bootstrap, 200 replicates, seed 0."),
        ({"unit": "hierarchical"}, "hierarchical bootstrap, items and criteria within them drawn, 200 replicates, seed 0."),
        ({"unit": "prompt"}, "bootstrap of whole groups by ‘prompt’, 200 replicates, seed 0."),
    ],
)
def test_header_names_the_bootstrap(choices, says) -> None:
    text = "item,criterion,judge,human,verdict,prompt\n" + "\n".join(
        f"{i},{c},j,{('MET', 'UNMET')[i % 2]},{('MET', 'UNMET')[(i // (3 + place)) % 2]},p{i // 4}"
        for i in range(40)
        for place, c in enumerate("ab")
    )
    drawn = metrics.agreement(metrics.read(text.encode()), **({"interval": "bootstrap", "replicates": 200} | choices))
    assert header(drawn, "j", "micro").rest.endswith(says)
    assert says.rstrip(".").split("%, ")[-1] in citation(drawn, "j", "micro", "kappa")


def test_header_of_a_bootstrap_of_counts_draws_decisions() -> None:
    ratings = metrics.read(b"human \\ judge,MET,UNMET\nMET,30,10\nUNMET,20,40\n")
    drawn = metrics.agreement(ratings, interval="bootstrap", replicates=200)
    assert "decision bootstrap, 200 replicates, seed 0." in header(drawn, ratings.judges[0], "micro").rest


def test_a_side_with_one_label_is_named() -> None:
    assert one_sided_words(block([[40, 0], [30, 0]])) == "judge says only MET"
    assert one_sided_words(block([[0, 0], [30, 5]])) == "reference says only UNMET"
    assert one_sided_words(block([[40, 10], [30, 5]])) == ""
    assert one_sided_words(block([[0, 0], [0, 0]])) == ""


def test_chance_by_construction_is_said() -> None:
    rows = [(i, "a", label, "MET") for i, label in enumerate(("MET", "UNMET", "MET"))]
    said = [warning.message for warning in report(rows).warnings]
    assert "j: on a the judge says only MET; κ is then 0 by construction, chance level." in said


def test_a_label_that_is_a_number_is_not_read_as_a_count(build_of_tables) -> None:
    rows = [f"i{k},c,j,{'1' if k % 2 else '2'},{'1' if k % 3 else '2'}" for k in range(30)]
    ratings = metrics.read(
        "\n".join(["item,criterion,judge,human,verdict", *rows]).encode(), labels={"1": "positive", "2": "negative"}
    )
    says = confusion_reading(metrics.agreement(ratings).judges["j"].micro)
    assert says.startswith(
        "of 15 decisions the reference calls ‘1’, the judge calls 5 ‘2’; of 15 it calls ‘2’, the judge calls 10 ‘1’."
    )
    assert "‘" not in confusion_reading(metrics.agreement(build_of_tables([[9, 5], [5, 9]])).judges["j"].micro)


def test_undefined_choices_give_no_number() -> None:
    coverage = report([row for row in ROWS if row[2] != "CANNOT_ASSESS"]).judges["j"].coverage
    some = grid_reading([[0.8, 0.8, np.nan]] * 3, "kappa", coverage, "j")
    assert some == "neither j nor the human abstained. Every choice that gives a number gives the same number, 0.80."
    assert grid_reading([[0.8] * 3] * 3, "kappa", coverage, "j").endswith("All choices give the same number, 0.80.")
