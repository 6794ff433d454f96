"""The paragraph of methods is true for exactly this run: every choice changes it, and every number in it is one of `metrics`."""

from __future__ import annotations

import re
from typing import Any

import pytest

import metrics
from metrics.data.nonverdicts import handled
from metrics.measures.catalogue import BY_KEY
from metrics.report.checklist.contents import QUESTIONS, Contents
from metrics.report.making import report_of
from metrics.report.sections_abstention import coverage
from metrics.results import words
from metrics.version import __version__
from tests.report.conftest import plain_report, ratings_named

BRACKET = re.compile(r"\[[^\]]*\]")


SAID: dict[str, str] = {}


def said(name: str = "several", **choices: Any) -> str:
    """The paragraph on a file as read, worked out once for every choice."""
    if not choices:
        return plain_report(name).methods
    asked = repr((name, sorted(choices.items())))
    if asked not in SAID:
        SAID[asked] = report_of(ratings_named(name), **choices).methods
    return SAID[asked]


CHANGES: list[tuple[str, dict[str, Any], str]] = [
    ("exclude", {}, "Decisions on which a side abstained are excluded (coverage 72"),
    ("recode", {"abstention": "as_unmet"}, "An abstention counts as ‘no’"),
    ("third class", {"abstention": "as_category"}, "Abstentions are kept as a class"),
    ("ties out", {"handling": {"tie": "exclude"}}, "7 ties (judge 7, reference 0) are left out."),
    ("ties like abstentions", {}, "7 ties (judge 7, reference 0) are treated as abstentions."),
    ("invalid recoded", {"handling": {"invalid": "as_unmet"}}, "7 invalid answers (judge 7, reference 0) are counted as ‘no’."),
    ("failed calls", {}, "8 failed calls are no rating and in no number."),
    ("failed calls counted", {"handling": {"error": "as_unmet"}}, "8 failed calls are counted as ‘no’."),
    ("majority", {}, "the majority of 3 humans (ana, bo and cy), split votes left out,"),
    ("unanimous", {"reference": "unanimous"}, "the verdict that all of 3 humans (ana, bo and cy) gave, split votes left out,"),
    ("one human", {"reference": "bo"}, "one of 3 humans (bo)"),
    ("all but one", {"reference": "majority without cy"}, "the majority of 2 of 3 humans, cy left out"),
    ("micro", {}, "Decisions of all criteria are counted together (micro)."),
    ("macro", {"contents": Contents(level="macro")}, "averaged over the criteria where they are defined (macro)"),
    ("item", {"contents": Contents(level="item")}, "an item is met if every criterion is"),
    ("threshold", {"contents": Contents(level="item"), "item_rule": "threshold", "threshold": 0.6},
     "an item is met if at least 0.60 of its criteria is met"),
    ("weights", {"contents": Contents(level="item"), "item_rule": "threshold", "threshold": 0.5, "weights": {"tone": 2.0}},
     "at least 0.50 of its weight is met (weights tone 2; others weigh 1)"),
    ("no intervals", {"interval": "none"}, "No intervals were computed."),
    ("confidence", {"confidence": 0.9}, "Brackets are 90"),
    ("bootstrap", {"interval": "bootstrap", "replicates": 150, "rng": 5}, "item bootstrap, 150 replicates, seed 5"),
    ("groups", {"unit": "prompt"}, "‘prompt’ jackknife"),
    ("groups drawn", {"interval": "bca", "unit": "prompt", "replicates": 100}, "BCa bootstrap of whole groups by ‘prompt’"),
    ("cost", {"abstention": "as_category", "cost": "halfway"}, "the cost matrix 0,1,0.5;1,0,0.5;0.5,0.5,0"),
    ("one judge", {"judges": ["two"]}, "We compared the judge two with"),
    ("judges", {}, "We compared 2 judges (one and two) with"),
    ("headline", {"contents": Contents(judge="two")}, "Numbers are those of the judge two"),
    ("humans", {}, "Among the 3 humans ("),
    ("inter-judge", {"contents": Contents(inter_judge=("fleiss_kappa",))}, "Fleiss’ κ is"),
    ("associations", {"contents": Contents(associations=("phi", "mcc"))}, "φ = MCC 0.25"),
    ("one-sided", {}, "On 1 of 3 criteria (safe) a side gives one label only"),
    ("answers", {"answers": {"annotators": "Two agents"}}, "Annotators: Two agents."),
]  # fmt: skip
"""What is chosen, and the words that say so: present with the choice, absent with the next one that differs in it."""


@pytest.mark.parametrize(("choices", "words_"), [case[1:] for case in CHANGES], ids=[case[0] for case in CHANGES])
def test_every_choice_is_said(choices: dict[str, Any], words_: str) -> None:
    assert words_ in said(**choices)


OTHERWISE: dict[str, dict[str, Any]] = {
    "exclude": {"abstention": "as_unmet"}, "majority": {"reference": "bo"}, "micro": {"contents": Contents(level="macro")},
    "ties like abstentions": {"handling": {"tie": "exclude"}}, "failed calls": {"handling": {"error": "as_unmet"}},
    "judges": {"judges": ["one"]}, "humans": {"contents": Contents(without=frozenset({"raters"}))},
    "one-sided": {"contents": Contents(without=frozenset({"criteria"}))},
}  # fmt: skip


@pytest.mark.parametrize(("name", "choices", "words_"), CHANGES, ids=[case[0] for case in CHANGES])
def test_what_was_not_chosen_is_not_said(name: str, choices: dict[str, Any], words_: str) -> None:
    assert words_ not in said(**OTHERWISE.get(name, {} if choices else {"interval": "none"}))


@pytest.mark.parametrize("level", ["micro", "macro", "item"])
@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
def test_every_number_of_the_headline_is_that_of_metrics(level: Any, mode: str) -> None:
    text = said("support_answers.csv", contents=Contents(level=level), abstention=mode)
    block = metrics.agreement(ratings_named("support_answers.csv"), abstention=mode).judges["strict"].level(level)
    found = re.search(r"we found (.*?)\. Brackets", text)
    assert found is not None
    for part in re.split(r", (?=[a-zA-Zκφ])", found[1]):
        key = next(key for called, key in CALLED if part.startswith(called))
        record, ends = BY_KEY[key], block[key].ends
        want = words.value(block.values[key], record.unit)
        assert want in part, part
        brackets = BRACKET.findall(part)
        assert brackets == ([] if ends is None else [words.bounds(ends, record.unit)]), part


CALLED = (
    ("accuracy", "accuracy"), ("baseline accuracy", "baseline_accuracy"), ("Cohen’s κ", "kappa"),
    ("κ within criteria", "kappa_within"), ("φ", "phi"), ("R_K", "mcc_multiclass"), ("precision", "precision"),
    ("recall", "recall"), ("specificity", "specificity"), ("F1", "f1"), ("macro-F1", "macro_f1"),
    ("balanced accuracy", "balanced_accuracy"), ("prevalence", "prevalence"),
    ("predicted prevalence", "predicted_prevalence"), ("label-rate bias", "drift"),
)  # fmt: skip


def test_what_is_undefined_is_said_with_its_reason() -> None:
    text = said("rao_always_negative.csv")
    assert "φ is undefined because the judge gives one label only, UNMET" in text
    assert "precision is undefined because the judge never says MET" in text
    assert "nan" not in text.lower()
    assert words.UNDEFINED not in text


def test_a_decision_with_a_row_but_no_verdict_was_not_rated_by_both() -> None:
    """Of 100 decisions the sides leave some open; in the other file none."""
    names = ("rao_abstention.csv", "rao_balanced.csv")
    methods = [said(name) for name in names]
    captions = [str(coverage(plain_report(name).material)) for name in names]
    assert ["both have a row on" in text for text in methods] == [True, False]
    assert ["both rated" in text for text in methods] == [False, True]
    assert ["Every decision has a row of both; " in text for text in captions] == [True, False]
    assert ["Every decision was rated by both." in text for text in captions] == [False, True]


def test_split_votes_are_among_what_the_reference_leaves_open() -> None:
    """14 split votes and 31 abstentions of 1 119; without a split vote one share says all."""
    for mode in ("exclude", "as_category"):
        text = said("support_answers.csv", abstention=mode)
        assert "the reference on 4\u00a0% (abstentions 3\u00a0%, split votes 1\u00a0%))" in text
    assert re.search(r"the reference on \d+\u00a0%\)", said("rao_abstention.csv"))
    assert "split votes" not in said("rao_abstention.csv")


def test_no_abstentions_are_said_to_be_none() -> None:
    assert "Neither side abstained." in said("rao_balanced.csv")
    assert "Neither side abstained." not in said("rao_abstention.csv")


def test_who_abstained_is_told_where_another_judge_did() -> None:
    rows = [
        f"i{k},c,{who},{'MET' if k % 2 else 'UNMET'},{'CANNOT_ASSESS' if silent and k < 10 else 'MET' if k % 3 else 'UNMET'}"
        for k in range(40) for who, silent in (("a", False), ("b", True))
    ]  # fmt: skip
    two = report_of(metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows]).encode()))
    told = "Neither side abstained where a is compared (b gives no verdict on 10 of 40 decisions)."
    assert told in two.methods
    six = next(one for one in two.material.checklist.practices if one.number == 6)
    assert "10 abstentions of b, more than with any other judge" in " ".join(six.evidence)
    one = report_of(metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows[::2]]).encode()))
    assert "Neither side abstained." in one.methods


def test_the_statistics_among_raters_are_those_of_metrics() -> None:
    text, ratings = said(), ratings_named("several")
    for role in ("human", "judge"):
        block = metrics.raters(ratings, role=role).pooled
        low, high = block.intervals["alpha"].low, block.intervals["alpha"].high
        assert f"is {words.number(block.values['alpha'])} {words.bounds((low, high))} over all criteria" in text


def test_ordered_and_continuous_criteria_have_their_own_numbers() -> None:
    text, ratings = said("mixed"), ratings_named("mixed")
    ordered = metrics.scores(ratings.on_criteria(["depth"])).judges["j"].pooled
    numbers = metrics.scores(ratings.on_criteria(["score"])).judges["j"].pooled
    assert f"quadratically weighted κ {words.number(ordered.values['weighted_kappa_quadratic'])} " in text
    assert f"Pearson’s r {words.number(numbers.values['pearson'])} " in text
    assert f"bias (judge minus reference) {words.signed(numbers.values['bias'], 2)} " in text
    assert "3 criteria (ok, depth and score)" in text
    assert "on 1 criterion (ok)" in text


def test_preferences_are_said_under_every_way_of_counting_ties() -> None:
    from metrics.analyses.preferences.compute import preferences

    its = preferences(ratings_named("pairwise"), "judge")
    text = said("pairwise")
    assert "Verdicts are pairwise preferences: ‘A’ is positive, ‘B’ negative. ‘tie’ is a tie." in text
    for convention, key in (("exclude", "kappa"), ("class", "kappa"), ("half", "weighted_kappa:half")):
        found = its.on(convention, None).values[key]  # type: ignore[arg-type]
        assert f"{words.number(found.value)} {words.bounds(found.ends)} with ties" in text


def test_a_panel_and_repeated_runs_are_said() -> None:
    panel = metrics.with_panel(ratings_named("support_answers.csv"), "unanimous", ["strict", "lenient"], name="both")
    text = report_of(panel, contents=Contents(judge="both"), interval="none").methods
    assert "both is not a single judge but a panel: unanimous verdict of strict, lenient." in text
    rows = [f"{n},{'yes' if n % 2 else 'no'},{run},{'yes' if (n + run) % 3 else 'no'}" for n in range(12) for run in (1, 2, 3)]
    twice = metrics.read("\n".join(["item,human,run,verdict", *rows]).encode())
    assert "its first run counts" in report_of(twice, interval="none").methods
    assert "the majority of its runs counts" in report_of(metrics.majority_of_runs(twice), interval="none").methods


def test_a_handling_of_the_ratings_is_said() -> None:
    treated = handled(ratings_named("several"), (("tie", "exclude"),))
    assert "7 ties (judge 7, reference 0) are left out." in report_of(treated, interval="none").methods


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.key)
def test_every_answer_is_in_it_but_who_made_the_report(question: Any) -> None:
    text = said("rao_balanced.csv", answers={question.key: "of this and that"}, interval="none")
    assert (": of this and that." in text) == (question.key != "author")


def test_it_names_program_and_file(name: str) -> None:
    report = plain_report(name)
    assert f"Kappascope {__version__}" in report.methods
    assert report.material.recipe.sha256 in report.methods
    assert "  " not in report.methods
    assert ".." not in report.methods
    assert not re.search(r"\bNone\b|\bnan\b|\{|\}", report.methods)


def test_rows_left_out_are_counted_with_their_reasons() -> None:
    rows = [f"{n},{'no' if n % 2 else 'yes'},{'no' if n % 3 else 'yes'}" for n in range(9)] + [",yes,no", "9,,"]
    text = report_of(metrics.read("\n".join(["item,human,verdict", *rows]).encode()), interval="none").methods
    assert "2 of 11 rows of the file were left out (" in text
    assert "left out (" not in said("rao_balanced.csv")


HEADER = "item,criterion,judge,rater,human,verdict"


def of_rows(rows: list[str], header: str = HEADER, **choices: Any) -> str:
    ratings = metrics.read("\n".join([header, *rows, ""]).encode())
    return report_of(ratings, contents=choices.pop("contents", Contents()), **choices).methods


def shared(raters: tuple[str, ...], n: int = 12) -> list[str]:
    """Items that each of the raters labels; item 0 has only the first."""
    return [
        f"i{k},tone,j,{rater},{'MET' if k % 3 else 'UNMET'},{'MET' if k % 2 else 'UNMET'}"
        for k in range(n)
        for place, rater in enumerate(raters)
        if k or not place
    ]


def test_humans_who_never_rate_the_same_make_no_majority_and_no_gate() -> None:
    text = of_rows([row.replace(",ana,", f",r{place % 3},") for place, row in enumerate(shared(("ana",)))])
    assert "with the labels of 3 humans (r0, r1 and r2), one of them for each decision," in text
    assert "No decision was rated by two humans" in text
    assert "majority" not in text
    assert "gate" not in text


def test_the_votes_behind_a_label_are_counted() -> None:
    text = of_rows(shared(("ana", "bo")))
    assert "with the majority of 2 humans (ana and bo), split votes left out," in text
    assert "Each decision was rated by 1 or 2 humans." in text
    assert "has no vote" not in text
    assert "Each decision was rated by 3 humans. A human who gave no verdict has no vote." in said()


def test_without_intervals_no_criterion_is_put_to_the_gate() -> None:
    assert "of 3 criteria pass" in said()
    assert "of 3 criteria pass" not in said(interval="none")


def test_a_column_of_labels_is_not_said_to_be_one_person() -> None:
    text = of_rows([f"a{k},j,MET,{'MET' if k % 2 else 'UNMET'}" for k in range(4)], "item,judge,human,verdict")
    assert "with one human label for each decision on 4 items." in text
    assert "criterion" not in text


@pytest.mark.parametrize(
    ("votes", "said"),
    [
        ("n_votes:1 3 5 2", "with one human label for each decision, made of 1 to 5 votes by the column ‘n_votes’, on 4 items."),
        ("votes:3 3 3 3", "with one human label for each decision, made of 3 votes by the column ‘votes’, on 4 items."),
        ("n_votes:1 1 1 1", "with one human label for each decision on 4 items."),
        ("votes:A B A B", "with one human label for each decision on 4 items."),
        ("n_tokens:1 3 5 2", "with one human label for each decision on 4 items."),
    ],
)
def test_a_column_of_vote_counts_is_told(votes: str, said: str) -> None:
    """One label that five people voted for is more than one person's word."""
    name, counts = votes.split(":")
    rows = [f"a{k},j,MET,{'MET' if k % 2 else 'UNMET'},{count}" for k, count in enumerate(counts.split())]
    assert said in of_rows(rows, f"item,judge,human,verdict,{name}")


def test_the_one_criterion_is_named() -> None:
    assert "items and 1 criterion (tone)." in of_rows(shared(("ana", "bo")))


def test_no_statistic_among_judges_makes_no_sentence() -> None:
    text = said(contents=Contents(inter_judge=()))
    assert "Among the 2 judges" not in text
    assert ", ." not in text


@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
def test_a_file_of_abstentions_only_has_a_paragraph(mode: str) -> None:
    text = of_rows([f"a{k},j,CANNOT_ASSESS,CANNOT_ASSESS" for k in range(4)], "item,judge,human,verdict", abstention=mode)
    assert "No answer is a verdict. ‘CANNOT_ASSESS’ is an abstention." in text


def test_a_criterion_without_decisions_is_not_called_one_sided() -> None:
    rows = [f"a{k},{c},j,MET,{v}" for k in range(6) for c, v in (("c", "MET"), ("d", "CANNOT_ASSESS"), ("e", "UNMET"))]
    text = of_rows(rows, "item,criterion,judge,human,verdict")
    assert "On 2 of 3 criteria (c and e) a side gives one label only; the criteria stay in the counts." in text
    assert "On 1 of 3 criteria (d) no decision is left." in text


def test_items_without_a_verdict_and_items_left_out_are_counted() -> None:
    text = said("support_answers.csv", contents=Contents(level="item"))
    assert "An item is left without a verdict where an abstention or a split vote could change it." in text
    assert "Items on which a side has no verdict are excluded (coverage of decisions 95" in text
    assert "11 items are left out because a side lacks a criterion; of 215 items rated on both sides 207 have a verdict" in text
    recoded = said("support_answers.csv", contents=Contents(level="item"), abstention="as_unmet")
    assert "An item is left without a verdict where a split vote could change it." in recoded
    clean = said("support_answers.csv", contents=Contents(level="item"), abstention="as_unmet", reference="ana")
    assert "without a verdict where" not in clean


def test_a_negative_weight_is_in_the_rule_as_it_is_counted() -> None:
    choices: dict[str, Any] = {"item_rule": "threshold", "threshold": 0.5, "weights": {"tone": -1.0}}
    text = said(contents=Contents(level="item"), **choices)
    assert "if the weights of its met criteria sum to at least 0.50 of all positive weights (weights tone −1;" in text


def test_ties_with_a_rule_of_their_own_are_said_of_the_humans_too() -> None:
    text = said(handling={"tie": "as_unmet"})
    assert "; abstentions are missing; ties" in text.replace("decisions; abstentions", "; abstentions")


def test_what_becomes_of_the_order_of_labels_is_said() -> None:
    rows = [f"i{n},h{n % 4 + 1},h{n // 2 % 4 + 1}" for n in range(24)]

    def methods(*names: str, **options: Any) -> str:
        text = "\n".join(["item,human,verdict", *rows])
        for place, label in enumerate(names):
            text = text.replace(f"h{place + 1}", label)
        return report_of(metrics.read(text.encode(), **options)).methods

    ordered = methods("1", "2", "3", "4", order=("1", "2", "3", "4"))
    assert "weighted and rank coefficients use their order, the others do not." in ordered
    assert "quadratically weighted κ" in ordered
    assert "without their order" not in ordered
    colours = ("red", "green", "blue", "grey")
    assert "without an order." in methods(*colours, labels=dict.fromkeys(colours, "class"))


def test_classes_are_all_counted_and_split_votes_are_no_abstentions() -> None:
    steps = ("poor", "fair", "good")
    rows = [f"i{k},c,j,{steps[k % 3]},{steps[k % 4 % 3]}" for k in range(30)]
    ordered = metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows]).encode(), order=list(steps))
    assert "Labels are 3 classes (‘poor’, ‘fair’ and ‘good’)" in report_of(ordered).methods
    rows = [
        f"i{k},c,{who},{role},{'MET' if k % 2 else 'UNMET'}"
        for k in range(20)
        for who, role in (("ana", "human"), ("j", "judge"))
    ]
    rows += [f"i{k},c,bo,human,{'MET' if k % 2 or not k % 4 else 'UNMET'}" for k in range(20)]
    split = metrics.read("\n".join(["item,criterion,rater,role,label", *rows]).encode())
    methods = report_of(split).methods
    assert "Neither side abstained; coverage is 75\u00a0%." in methods
    assert "a side abstained are excluded" not in methods


def test_a_pooled_kappa_of_several_criteria_is_not_alone() -> None:
    rows = [f"i{k},{c},j,{'MET' if k % 2 else 'UNMET'},{'MET' if k % 3 else 'UNMET'}" for k in range(30) for c in "ab"]
    head = "item,criterion,judge,human,verdict"
    assert re.search(r"Cohen’s κ \S+ \[[^\]]*\], κ within criteria \S+ \[", _of([head, *rows]))
    assert "κ within" not in _of([head, *(row for row in rows if ",a," in row)])


def test_numbers_in_two_units_are_not_quoted_as_if_in_one() -> None:
    head = "item,criterion,judge,human,verdict,human_score,score"
    own = [(k % 7 / 7, k) for k in range(40)]
    apart = [f"i{k},c,j,{1 + 4 * x},{x},{1 + 4 * x},{x}" for x, k in own]
    alike = [f"i{k},c,j,{x},{x / 2},{x},{x / 2}" for x, k in own]
    said = "The numbers of judge and reference are in two units: concordance, errors and bias over them have no meaning"
    assert said in _of([head, *apart], scale="continuous")
    assert "two units" not in _of([head, *alike], scale="continuous")


def _of(lines: list[str], **how: Any) -> str:
    return report_of(metrics.read("\n".join(lines).encode(), **how)).methods


@pytest.mark.parametrize("unit", ["item", "conversation_id"])
def test_what_an_interval_by_item_leaves_out_stands_in_the_paragraph(unit: str) -> None:
    lines = ["item,conversation_id,human,verdict"]
    for at in range(240):
        human = at % 2
        lines.append(f"i{at},v{at // 8},{('no', 'yes')[human]},{('no', 'yes')[human ^ (at // 8 % 5 == 0)]}")
    text = report_of(metrics.read("\n".join(lines).encode()), unit=unit).methods
    assert ("Items lie in 30 groups by ‘conversation_id’, and errors are alike within them." in text) is (unit == "item")
    assert ("times too narrow." in text) is (unit == "item")
    assert "Leave whole groups out" not in text


def test_numbers_beside_a_column_of_weights_are_told_to_count_every_decision_once() -> None:
    rows = [f"i{at},{('no', 'yes')[at % 2]},{('no', 'yes')[(at % 2) ^ (at % 7 == 0)]},{1 + at % 3}" for at in range(60)]
    told = "These numbers count every decision once, whatever its weight in ‘weight’."
    assert told in report_of(metrics.read("\n".join(["item,human,verdict,weight", *rows]).encode())).methods
    assert "every decision once" not in said()
