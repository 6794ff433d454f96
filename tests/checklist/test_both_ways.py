"""Every practice met and missed, on data and choices made for it; the numbers it shows are those of `metrics`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import metrics
from metrics.analyses.abstention.third_answer import slide_of
from metrics.analyses.settings import settings_of
from metrics.intervals.cluster import is_above
from metrics.report.checklist.contents import Contents
from metrics.report.checklist.gathering import findings
from metrics.report.checklist.on_weights import cost_path
from metrics.report.checklist.practice import Practice
from metrics.results import words
from tests.checklist.opened import opened

NAMES = ("φ", "MCC", "Pearson’s r", "Spearman’s ρ", "Kendall’s τ_b")


def table(head: str, rows: Sequence[str], **how: Any) -> metrics.Ratings:
    return metrics.read("\n".join([head, *rows]).encode(), **how)


def verdict(
    number: int, data: Any, contents: Contents | None = None, answers: Mapping[str, str] | None = None, **how: Any
) -> Practice:
    found = findings(data, contents, **how) if isinstance(data, metrics.Ratings) else data
    return metrics.checklist(found, contents=contents or Contents(), answers=answers).practices[number - 1]


def without(*parts: str) -> Contents:
    return Contents(without=frozenset(parts))


def text(one: Practice) -> str:
    return " ".join(one.evidence)


def labelled(human: str, judge: str, n: int = 24, criteria: Sequence[str] = ("c1",), **how: Any) -> metrics.Ratings:
    """Every item labelled by both, the letters of two words in turn; L stands for a label in `how['names']`."""
    names = how.pop("names", {"M": "MET", "U": "UNMET", "A": "CANNOT_ASSESS", "T": "TIE", "I": "INVALID", "E": "ERROR"})
    rows = [
        f"i{i},{criterion},j,{names[human[(i + c) % len(human)]]},{names[judge[(i + 2 * c) % len(judge)]]}"
        for i in range(n)
        for c, criterion in enumerate(criteria)
    ]
    return table("item,criterion,judge,human,verdict", rows, **how)


PLAIN = labelled("MMUMU", "MUUMM", criteria=("c1", "c2"))
TIES = {"TIE": "tie"}
LETTERS = {"A": "positive", "B": "negative"}
GRADES = {"names": {letter: letter for letter in "1234"}, "labels": dict.fromkeys("1234", "class")}
COLOURS = {"names": {"R": "red", "G": "green", "B": "blue"}, "labels": dict.fromkeys(("red", "green", "blue"), "class")}


# 1: the scale


def preferences(**how: Any) -> metrics.Ratings:
    return labelled("ABB", "ABA", names={"A": "A", "B": "B"}, labels=LETTERS, **how)


@pytest.mark.parametrize(
    ("ratings", "says", "option"),
    [
        (preferences(), "binary", "--scale pairwise"),
        (labelled("1234", "1243", **GRADES), "nominal", "--scale ordinal"),
        (labelled("RGB", "RBG", **COLOURS), "ordinal", "--scale nominal"),
    ],
)
def test_1_a_scale_that_labels_do_not_settle_must_be_stated(ratings: metrics.Ratings, says: str, option: str) -> None:
    one = verdict(1, ratings)
    assert one.state == "not met"
    assert option in one.action
    assert one.page == "data"
    assert says in text(one)


@pytest.mark.parametrize(
    "ratings",
    [
        PLAIN,
        labelled("MMUA", "MUUM"),
        preferences(scale="pairwise"),
        labelled("1234", "1243", scale="ordinal", **GRADES),
        labelled("RGB", "RBG", scale="nominal", **COLOURS),
        labelled("10", "11", names={"1": "1", "0": "0"}),
    ],
)
def test_1_a_scale_that_is_stated_or_plain_is_named(ratings: metrics.Ratings) -> None:
    assert verdict(1, ratings).state == "met"


def test_1_one_table_of_two_scales_names_neither() -> None:
    rows = [f"i{i},word,j,{('red', 'blue', 'green')[i % 3]},{('red', 'green')[i % 2]}" for i in range(12)]
    rows += [f"i{i},grade,j,{1 + i % 4},{1 + i % 3}" for i in range(12)]
    ratings = table(
        "item,criterion,judge,human,verdict", rows, labels=dict.fromkeys(("red", "blue", "green", "1", "2", "3", "4"), "class"),
        scale={"word": "nominal", "grade": "ordinal"},
    )  # fmt: skip
    one = verdict(1, ratings)
    assert one.state == "not met"
    assert "--criteria word" in one.action or "--criteria grade" in one.action
    assert verdict(1, ratings.on_criteria(["grade"])).state == "met"


def test_1_grades_counted_as_names_only_are_not_on_their_scale() -> None:
    ratings = labelled("1234", "1243", scale="ordinal", **GRADES)
    whole = findings(ratings)
    assert verdict(1, whole).state == "met"
    counted_as_names = type(whole)(agreement=whole.agreement, scales=whole.scales)
    assert verdict(1, counted_as_names).page == "scores"
    assert verdict(1, metrics.agreement(ratings)).state == "not met"


# 2: association


def test_2_a_second_name_for_one_number_is_one_too_many() -> None:
    one = verdict(2, PLAIN, Contents(associations=("phi", "spearman", "mcc")))
    assert one.state == "not met"
    assert "φ alone" in one.action
    assert "MCC" in one.action
    kept = verdict(2, PLAIN)
    assert kept.state == "met"
    phi = metrics.agreement(PLAIN).judges["j"].micro.values["phi"]
    assert words.three(phi) in text(kept)
    assert all(name in text(kept) for name in NAMES)
    assert verdict(2, PLAIN, Contents(associations=())).state == "met"


def test_2_off_two_labels_the_five_are_several() -> None:
    grades = labelled("1234", "1243", scale="ordinal", **GRADES)
    one = verdict(2, grades, Contents(associations=("pearson", "spearman")))
    assert one.state == "not applicable"
    pooled = metrics.scores(grades).judges["j"].pooled.values
    for key in ("pearson", "spearman", "kendall_tau_b"):
        assert words.number(pooled[key]) in text(one)
    assert verdict(2, labelled("MUA", "MAU"), abstention="as_category").state == "not applicable"


# 3: accuracy and κ


def test_3_kappa_stands_beside_accuracy_or_does_not() -> None:
    one = verdict(3, PLAIN)
    block = metrics.agreement(PLAIN).judges["j"].micro
    assert one.state == "met"
    assert words.percent(block.values["accuracy"]) in text(one)
    assert words.percent(block.values["baseline_accuracy"]) in text(one)
    assert f"κ {words.number(block.values['kappa'])} {words.bounds(block['kappa'].ends)}" in text(one)
    assert words.number(block.values["accuracy"] - block.values["kappa"]) in text(one)
    assert verdict(3, PLAIN, without("kappa")).state == "not met"


def test_3_says_why_kappa_is_undefined() -> None:
    one = verdict(3, labelled("M", "M"))
    assert one.state == "not met", "an accuracy without κ beside it is what the practice forbids"
    assert "κ undefined (" in text(one)
    assert "Add items on which the labels vary: κ is undefined, both sides give only MET." in one.action
    nothing = verdict(3, labelled("M", "A"))
    assert nothing.state == "not applicable"
    assert "Accuracy and κ are undefined: no decision is left" in text(nothing)
    assert verdict(3, PLAIN).state == "met"
    assert verdict(3, labelled("11", "11", scale="ordinal", **GRADES)).state == "not met"


def test_3_grades_show_weighted_kappa_and_scores_have_no_accuracy() -> None:
    grades = labelled("1234", "1243", scale="ordinal", **GRADES)
    pooled = metrics.scores(grades).judges["j"].pooled
    one = verdict(3, grades)
    assert words.percent(pooled.values["exact_agreement"]) in text(one)
    assert words.number(pooled.values["weighted_kappa_quadratic"]) in text(one)
    assert verdict(3, numbers()).state == "not applicable"


def numbers() -> metrics.Ratings:
    rows = [f"i{i},j,{i / 7:.3f},{(i * i % 11) / 5:.3f}" for i in range(30)]
    return table("item,judge,human,verdict", rows, scale="continuous")


# 4: which errors


def test_4_matrix_or_precision_and_recall() -> None:
    assert verdict(4, PLAIN, without("confusion")).state == "met"
    assert verdict(4, PLAIN, without("rates")).state == "met"
    one = verdict(4, PLAIN, without("confusion", "rates"))
    assert one.state == "not met"
    block = metrics.agreement(PLAIN).judges["j"].micro
    (tp, fn), (fp, tn) = np.asarray(block.confusion).tolist()
    assert f"TP {tp}, FN {fn}, FP {fp}, TN {tn}" in text(one)
    assert words.percent(block.values["precision"]) in text(one)
    assert verdict(4, numbers()).state == "not applicable"


def test_4_with_three_classes_rates_are_not_enough() -> None:
    three = findings(labelled("MUA", "MAU"), abstention="as_category")
    assert verdict(4, three, without("confusion")).state == "not met"
    assert verdict(4, three).state == "met"


@pytest.mark.parametrize(
    ("human", "judge", "word"),
    [
        ("MUUUU", "MMMUU", "The judge is lenient"), ("MUMUMMU", "MUMUMUM", "do not differ significantly"),
        ("MMMMUU", "MUUMUU", "The judge is strict"),
        ("MU", "UM", "do not differ significantly"),
    ],
)  # fmt: skip
def test_4_says_which_way_the_judge_errs(human: str, judge: str, word: str) -> None:
    assert word in text(verdict(4, labelled(human, judge, 60)))


# 5: one-sided criteria


def test_5_one_sided_criteria_are_listed_with_counts() -> None:
    rows = [
        f"i{i},{c},j,{'MET' if i % 3 else 'UNMET'},{'MET' if c == 'easy' or i % 2 else 'UNMET'}"
        for i in range(12)
        for c in ("easy", "hard")
    ]
    ratings = table("item,criterion,judge,human,verdict", rows)
    one = verdict(5, ratings)
    assert one.state == "met"
    assert "easy: the judge says only MET on 12 decisions, the reference 8 times MET, 4 times UNMET" in text(one)
    assert "hard" not in text(one)
    assert verdict(5, ratings, without("criteria")).state == "not met"
    assert verdict(5, ratings.on_criteria(["hard"])).state == "not met"
    assert "easy" in verdict(5, ratings.on_criteria(["hard"])).action


def test_5_does_not_apply_where_both_sides_vary() -> None:
    assert verdict(5, PLAIN).state == "not applicable"
    assert verdict(5, numbers()).state == "not applicable"


def test_5_a_scale_that_is_counted_nowhere_is_named() -> None:
    rows = [f"i{i},met,j,{'MET' if i % 3 else 'UNMET'},{'MET' if i % 2 else 'UNMET'}" for i in range(12)]
    rows += [f"i{i},word,j,{('red', 'blue', 'green')[i % 3]},{('red', 'green')[i % 2]}" for i in range(12)]
    ratings = table("item,criterion,judge,human,verdict", rows, labels=dict.fromkeys(("red", "blue", "green"), "class"))
    one = verdict(5, ratings)
    assert one.state == "not met"
    assert "--criteria word" in one.action


# 6: what no verdict counts as


def test_6_abstentions_and_ties_need_an_answer_each() -> None:
    both = findings(labelled("MUAT", "MUUM", labels=TIES))
    assert verdict(6, both).asks == ("abstentions", "ties")
    assert "--tell abstentions" in verdict(6, both).action
    assert "--tell ties" in verdict(6, both, answers={"abstentions": "a third option"}).action
    said = {"abstentions": "a third option", "ties": "not at all"}
    one = verdict(6, both, answers=said)
    assert one.state == "met"
    assert "a third option" in text(one)
    assert verdict(6, both, without("mode"), said).state == "not met"
    assert verdict(6, PLAIN).state == "not applicable"


@pytest.mark.parametrize(
    ("how", "word"),
    [
        ({}, "6 ties: excluded"),
        ({"abstention": "as_unmet"}, "6 ties: counted as UNMET"),
        ({"handling": {"tie": "as_unmet"}}, "6 ties: counted as UNMET"),
        ({"abstention": "as_category", "handling": {"tie": "exclude"}}, "6 ties: left out"),
        ({"abstention": "as_category"}, "6 ties: kept as a class"),
    ],
)
def test_6_says_what_each_kind_counts_as(how: dict[str, Any], word: str) -> None:
    assert word in text(verdict(6, labelled("MUAT", "MUUM", labels=TIES), **how))


@pytest.mark.parametrize(
    ("silent", "says"),
    [
        ((6, 6), "12 abstentions of each judge and the reference:"),
        ((6, 6, 6), "12 abstentions of each judge and the reference:"),
        ((6, 4), "12 abstentions of a and the reference, more than with any other judge:"),
        ((6, 6, 4), "12 abstentions of a and the reference, as with 1 judge more, and more than with any other judge:"),
        ((6,), "12 abstentions:"),
    ],
)
def test_6_more_than_any_other_is_said_of_one_who_is(silent: tuple[int, ...], says: str) -> None:
    rows = [
        f"i{i},c,{who},{'CANNOT_ASSESS' if i < 6 else 'MET'},{'CANNOT_ASSESS' if i >= 30 - n else 'UNMET'}"
        for who, n in zip("abc", silent, strict=False)
        for i in range(30)
    ]
    assert says in text(verdict(6, table("item,criterion,judge,human,verdict", rows)))


def test_7_the_other_judges_are_silent_less_often_only_where_they_are() -> None:
    def rates(*silent: int) -> str:
        rows = [
            f"i{i},c,j{k},{'MET' if i % 2 else 'UNMET'},{'CANNOT_ASSESS' if i < n else 'MET'}"
            for k, n in enumerate(silent)
            for i in range(20)
        ]
        return text(verdict(7, table("item,criterion,judge,human,verdict", rows)))

    assert "The other 2 judges give no verdict as often." in rates(4, 4, 4, 4, 4)
    assert "The other 2 judges give no verdict less often." in rates(4, 4, 4, 3, 2)
    assert "The other 2 judges give no verdict no more often." in rates(4, 4, 4, 4, 2)


def test_6_invalid_answers_are_named_without_a_question() -> None:
    one = verdict(6, labelled("MUM", "MUI"))
    assert one.state == "met"
    assert "8 invalid answers: excluded" in text(one)


# 7: rates


def test_7_rates_of_both_sides_stand_there_or_do_not() -> None:
    ratings = labelled("MUAT", "MUUMI", labels=TIES)
    its = metrics.agreement(ratings).judges["j"].coverage
    one = verdict(7, ratings)
    assert one.state == "met"
    for rate in (
        its.judge_abstention_rate,
        its.human_abstention_rate,
        its.both_abstention_rate,
        its.tie_rate["human"],
        its.invalid_rate["judge"],
    ):
        assert words.percent1(rate) in text(one)
    assert "No failed call" in text(one)
    assert verdict(7, ratings, without("coverage")).state == "not met"


def test_7_counts_failed_calls() -> None:
    ratings = labelled("MU", "MUUE")
    its = metrics.agreement(ratings).judges["j"].coverage
    assert its.n_errors == 6
    assert f"j 6 ({words.percent1(its.error_rate)})" in text(verdict(7, ratings))


# 8: what was left out


def test_8_coverage_and_silence_are_both_needed() -> None:
    ratings = labelled("MUMMU", "MUAMMUU", n=140)
    found = findings(ratings)
    its, relation, bounds = found.agreement.judges["j"], found.relations["j"][0], found.bounds["j"]  # type: ignore[union-attr]
    one = verdict(8, found)
    assert one.state == "met"
    assert f"coverage {words.percent(its.coverage.coverage)}" in text(one)
    assert f"V\u00a0=\u00a0{words.number(relation.v.value)} {words.bounds(relation.v.ends)}" in text(one)
    assert words.bounds(bounds.by_metric["kappa"].ends) in text(one)  # type: ignore[arg-type]
    for part in ("coverage", "silence"):
        assert verdict(8, found, without(part)).state == "not met"
    assert verdict(8, metrics.agreement(ratings)).page == "abstention"


def test_8_silence_that_goes_with_the_label_is_said() -> None:
    ratings = labelled("MU", "AU", n=80)
    mixed = table(
        "item,judge,human,verdict",
        [
            f"i{i},j,{'MET' if i % 2 else 'UNMET'},{('CANNOT_ASSESS' if i % 4 == 1 else 'MET') if i % 2 else 'UNMET'}"
            for i in range(80)
        ],
    )
    assert findings(mixed).relations["j"][0].related
    assert "Abstentions of j are associated with the reference’s label" in text(verdict(8, mixed))
    assert findings(ratings).relations["j"][0].v.value == pytest.approx(1.0)


@pytest.mark.parametrize("how", [{"abstention": "as_unmet"}, {"abstention": "as_category"}])
def test_8_applies_only_where_something_is_excluded(how: dict[str, Any]) -> None:
    assert verdict(8, labelled("MUA", "MUU"), **how).state == "not applicable"
    assert verdict(8, PLAIN).state == "not applicable"


def test_8_missing_numbers_ask_how_they_came_about() -> None:
    rows = [f"i{i},j,{i / 7:.3f},{'NA' if i == 3 else f'{(i * i % 11) / 5:.3f}'}" for i in range(30)]
    ratings = table("item,judge,human,verdict", rows, scale="continuous")
    found = findings(ratings)
    one = verdict(8, found)
    assert one.state == "not met"
    assert f"Coverage {words.percent(29 / 30)} of 30 decisions" in text(one)
    assert verdict(8, found, answers={"abstentions": "the call timed out"}).state == "met"
    assert verdict(8, numbers()).state == "not applicable"
    assert "1 decision without a number" in text(verdict(6, found))


# 9: costs


def test_9_a_third_class_needs_its_costs() -> None:
    ratings = labelled("MUAMMU", "MAUMU", n=60, criteria=("c1", "c2"))
    one = verdict(9, ratings, abstention="as_category")
    assert one.state == "not met"
    assert one.page == "abstention"
    settings = settings_of(ratings, abstention="as_category")
    along = [point.value for _, point in slide_of(ratings, "j", settings, "micro").along]
    assert words.number(min(along)) in text(one)
    assert words.number(max(along) - min(along)) in text(one)
    counts = metrics.agreement(ratings, abstention="as_category").judges["j"].micro.confusion
    assert cost_path(np.asarray(counts, np.float64)) == pytest.approx(along, abs=1e-12)
    stated = verdict(9, ratings, abstention="as_category", cost="halfway")
    assert stated.state == "met"
    assert "“halfway”" in text(stated)
    assert verdict(9, metrics.agreement(ratings, abstention="as_category", cost="halfway")).state == "met"
    assert verdict(9, ratings).state == "not applicable"


def test_9_no_confusion_is_the_commonest_of_equals() -> None:
    assert "The commonest, " not in text(verdict(9, labelled("RGB", "GBR", scale="nominal", **COLOURS)))
    assert "The commonest, red taken as green, is 6 of 6" in text(
        verdict(9, labelled("RGBR", "GGBR", scale="nominal", **COLOURS))
    )


def test_9_names_have_no_distance_and_grades_do() -> None:
    one = verdict(9, labelled("RGB", "RBG", **COLOURS))
    assert (one.state, one.page) == ("not met", "data")
    assert verdict(9, labelled("RGB", "RBG", scale="nominal", **COLOURS)).state == "met"
    grades = labelled("1234", "1243", scale="ordinal", **GRADES)
    met = verdict(9, grades)
    assert met.state == "met"
    pooled = metrics.scores(grades).judges["j"].pooled.values
    for key in ("weighted_kappa_linear", "weighted_kappa_quadratic"):
        assert words.number(pooled[key]) in text(met)
    assert verdict(9, numbers()).state == "not applicable"


# 10: levels


def grouped(column: str, unit: str = "item", **how: Any) -> Practice:
    rows = [
        f"i{i},p{i // 4},{c},j,{'MET' if (i + k) % 3 else 'UNMET'},{'MET' if i % 2 else 'UNMET'}"
        for i in range(48)
        for k, c in enumerate("ab")
    ]
    return verdict(10, table(f"item,{column},criterion,judge,human,verdict", rows), unit=unit, **how)


def test_10_items_of_one_prompt_are_not_independent() -> None:
    one = grouped("prompt_id")
    assert one.state == "not met"
    assert "--unit prompt_id" in one.action
    assert "48 items come from 12 values of ‘prompt_id’" in text(one)
    assert grouped("prompt_id", unit="prompt_id").state == "met"
    assert grouped("prompt_id", interval="none").state == "met"
    assert grouped("colour").state == "met"


@pytest.mark.parametrize("column", ["prompt", "Prompt ID", "question_no", "documentId", "conversation", "source-name"])
def test_10_columns_that_items_come_from_are_known_by_name(column: str) -> None:
    assert is_above(column)


@pytest.mark.parametrize("column", ["prompt_type", "model", "score", "n_votes", "id", "dialogue_system", "", "評価"])
def test_10_other_columns_are_not(column: str) -> None:
    assert not is_above(column)


def test_10_levels_stand_side_by_side_or_do_not() -> None:
    its = metrics.agreement(PLAIN).judges["j"]
    one = verdict(10, PLAIN)
    assert one.state == "met"
    for block in (its.micro, its.macro, its.item):
        assert words.number(block.values["kappa"]) in text(one)
    assert verdict(10, PLAIN, without("levels")).state == "not met"
    assert verdict(10, labelled("MMUMU", "MUUMM")).state == "not applicable"


@pytest.mark.parametrize("how", [{"interval": "bootstrap", "unit": "decision", "replicates": 100}, {"interval": "wilson"}])
def test_10_decisions_on_one_item_are_not_independent(how: dict[str, Any]) -> None:
    one = verdict(10, PLAIN, **how)
    assert one.state == "not met"
    assert "--unit item" in one.action


def test_10_says_which_of_repeated_runs_counts() -> None:
    rows = [
        f"i{i},{r},{role},{run},{'MET' if (i * (run + 2)) % 3 else 'UNMET'}"
        for i in range(12)
        for r, role, run in (("h", "human", 0), ("j", "judge", 0), ("j", "judge", 1), ("j", "judge", 2))
    ]
    ratings = table("item,rater,role,run,label", rows)
    assert ratings.source.runs == "first"
    assert "the first counts" in text(verdict(10, ratings))
    assert "most of them" in text(verdict(10, metrics.majority_of_runs(ratings)))


# 11: several judges


def test_11_one_number_among_judges_and_a_matrix_of_each() -> None:
    found = findings(opened("support_answers"))
    one = verdict(11, found)
    assert one.state == "met"
    pooled = metrics.raters(opened("support_answers"), role="judge").pooled
    for key in ("alpha", "fleiss_kappa", "mean_pairwise_phi"):
        assert words.number(pooled.values[key]) in text(one)
    assert "3 matrices of 2 × 2" in text(one)
    two = verdict(11, found, Contents(inter_judge=("fleiss_kappa", "alpha")))
    assert two.state == "not met"
    assert "Krippendorff’s α, without Fleiss’ κ" in two.action
    assert verdict(11, found, Contents(inter_judge=())).state == "not met"
    assert verdict(11, found, without("judges")).state == "not met"
    assert verdict(11, metrics.agreement(opened("support_answers"))).page == "ensemble"
    assert verdict(11, opened("support_answers"), judges=["lenient"]).state == "not applicable"


def test_11_judges_with_other_rates_do_not_share_one_number() -> None:
    """Two judges, one nested in the other at 20 % and 80 %: φ is 0.25 and Fleiss’ κ below 0, however many items."""
    rows = [
        f"i{i},{judge},{'MET' if i % 2 else 'UNMET'},{'MET' if i % 10 < top else 'UNMET'}"
        for i in range(200)
        for judge, top in (("low", 2), ("high", 8))
    ]
    ratings = table("item,judge,human,verdict", rows)
    one = verdict(11, ratings)
    assert "Fleiss’ κ −0.20" in text(one)
    assert "mean φ 0.25" in text(one)
    assert "60\u00a0points apart" in text(one)


def test_11_a_number_without_a_value_is_no_number() -> None:
    def judges(first: str, second: str) -> metrics.Ratings:
        rows = [f"i{i},{who},{'MU'[i % 2]},{own[i % len(own)]}" for i in range(20) for who, own in (("a", first), ("b", second))]
        return table("item,judge,human,verdict", rows, labels={"M": "positive", "U": "negative"})

    same = verdict(11, judges("M", "M"))
    assert same.state == "not met"
    assert "α is undefined" in same.action
    assert same.page == "data"
    assert verdict(11, judges("MU", "MMU")).state == "met"


def test_11_without_a_human_there_is_no_matrix() -> None:
    rows = [f"i{i},{judge},judge,{'MET' if (i + k) % 3 else 'UNMET'}" for i in range(12) for k, judge in enumerate("ab")]
    one = verdict(11, table("item,rater,role,label", rows))
    assert one.state == "not met"
    assert "human" in one.action


def test_11_sixty_five_judges() -> None:
    one = verdict(11, opened("llmbar_natural"))
    assert "65 matrices of 2 × 2" in text(one)
