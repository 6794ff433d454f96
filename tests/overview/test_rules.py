"""Each rule of the verdict both ways: what is said, what is not, and that the numbers are those of the analyses."""

from __future__ import annotations

import json
import re
from functools import cache, partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics import Overview
from metrics.analyses.abstention.bounds import bounds
from metrics.analyses.ensembles.runs import majority_of_runs, self_agreement
from metrics.analyses.overview.readings import with_long_symbol
from metrics.analyses.overview.result import FIRST_LOOK, MOST_WORDS, Statement, in_first_look
from metrics.analyses.overview.tables import chosen
from metrics.analyses.raters.alpha import krippendorff_alpha, of_mean_rating
from metrics.analyses.raters.ceiling import human_ceiling
from metrics.analyses.raters.readings import gate_reading
from metrics.analyses.raters.tables import gate_heading
from metrics.analyses.settings import settings_of
from metrics.results import words
from tests.overview.made import MADE, read, silent_where_wrong, two

DIRECTIONS = (
    "beyond chance:", "less than chance", "is worse than", "more often", "less often", "is lenient", "is strict",
    "significantly more", "significantly less", "weakest criterion", "rates higher", "rates lower",
)  # fmt: skip
MOST_WORDS_OF_A_SENTENCE = 22

KINDS = {
    "good": {"agreement", "errors"},
    "perfect": {"agreement", "errors"},
    "bad": {"agreement", "errors"},
    "at chance": {"no_agreement_shown", "errors"},
    "below chance": {"below_baseline", "below_chance", "errors"},
    "below baseline": {"below_baseline", "agreement", "errors"},
    "constant judge": {"constant_judge", "errors"},
    "one-sided reference": {"no_verdict", "errors"},
    "one item": {"no_verdict", "errors"},
    "few items": {"no_verdict", "errors"},
    "one label a criterion": {"no_verdict", "errors"},
    "nothing decided": {"no_verdict", "left_open"},
    "lenient": {"agreement", "errors"},
    "strict": {"agreement", "errors"},
    "abstaining": {"agreement", "errors", "left_open"},
    "abstaining a little": {"agreement", "errors"},
    "pooled alone": {"readings_disagree", "pooling", "criteria_below_baseline", "errors"},
    "lifted by pooling": {"agreement", "errors", "pooling"},
    "same pooled and within": {"agreement", "errors", "pooling"},
    "one weak criterion": {"agreement", "chance_on", "errors", "pooling"},
    "one weaker criterion": {"agreement", "errors", "pooling", "weakest"},
    "test and interval disagree far behind": {"leader", "judges_disputed", "agreement", "errors"},
    "two judges, one silent where it is wrong": {"unlabelled", "leader", "agreement", "errors"},
    "silent where it is wrong": {"agreement", "unlabelled", "errors"},
    "judges tied": {"leader", "agreement", "errors"},
    "judges apart": {"leader", "others", "agreement", "errors"},
    "people agree more": {"agreement", "people", "errors"},
    "people agree alike": {"agreement", "people", "errors"},
    "order": {"agreement", "errors", "one_label_on", "pooling"},
    "order, two people, judge alike": {"agreement", "people", "errors"},
    "order, two people, judge higher": {"agreement", "people", "errors"},
    "several runs": {"agreement", "repeated_runs", "errors"},
    "order, three people": {"leader", "agreement", "people", "errors", "pooling"},
    "numbers": {"agreement", "errors"},
    "pairs": {"agreement", "people", "errors", "left_open"},
    "two judges, silence decides": {"judges_disputed", "leader", "agreement", "errors", "left_open"},
    "people alone, agree": {"people"},
    "people alone, disagree": {"people"},
    "people alone, unsettled": {"people"},
    "people alone, few": {"no_verdict"},
    "people alone, rare label": {"people", "rare_label"},
    "judges alone": {"no_verdict", "judges_alike"},
}


@cache
def overview_of(name: str) -> Overview:
    return metrics.overview(MADE[name]())


def text_of(name: str, kind: str) -> str:
    statement = overview_of(name).statement(kind)
    assert statement is not None
    return statement.text


@pytest.mark.parametrize("name", KINDS)
def test_what_applies_is_said_and_nothing_else(name: str) -> None:
    assert {statement.kind for statement in overview_of(name).verdict} == KINDS[name]


@pytest.mark.parametrize("name", MADE)
def test_sentences_are_short_and_subjects_are_not_blank(name: str) -> None:
    for statement in overview_of(name).verdict:
        for sentence in re.split(r"(?<=[.?]) (?=\S)", re.sub(r" \[[^\]]*\]", "", statement.text)):
            assert len(sentence.split(" ")) <= MOST_WORDS_OF_A_SENTENCE, sentence


@pytest.mark.parametrize("name", MADE)
def test_a_report_goes_to_json_and_back_and_fits_a_screen(name: str) -> None:
    report = overview_of(name)
    assert Overview.from_json(report.to_json()).to_dict() == report.to_dict()
    json.dumps(report.to_dict(), allow_nan=False)
    assert max(map(len, report.summary().splitlines())) <= 80
    assert len(report.next) <= 2
    assert len(report.items) <= 5


def test_what_is_gravest_comes_first() -> None:
    firsts = {name: overview_of(name).verdict[0].kind for name in KINDS}
    assert firsts["below baseline"] == firsts["below chance"] == "below_baseline"
    assert firsts["pooled alone"] == "readings_disagree"
    assert overview_of("two judges, readings disagree").verdict[0].kind == "judges_disputed"
    assert firsts["one item"] == firsts["one-sided reference"] == firsts["few items"] == "no_verdict"


def test_a_side_is_named_only_where_both_error_rates_show_it() -> None:
    assert "is lenient" in text_of("lenient", "errors")
    assert "is strict" in text_of("strict", "errors")
    for name in ("good", "bad", "at chance", "below chance"):
        assert not re.search(r"lenient|strict|more often|less often", text_of(name, "errors"))


def test_a_band_is_named_only_without_the_yardstick_of_people() -> None:
    assert "Landis & Koch 1977" in text_of("good", "agreement")
    assert "Landis" not in text_of("people agree more", "agreement")
    assert "Landis" not in text_of("people agree alike", "agreement")
    assert "Landis" not in text_of("numbers", "agreement")


def test_a_symbol_is_spelled_out_once_and_never_inside_a_name() -> None:
    """The verdict on a judge of numbers called grader began “The numbers of gradePearson’s r follow”."""
    statements = [Statement("a", "grader is first: mean r of 2.", {}), Statement("b", "r is 0.5.", {})]
    spelled = [statement.text for statement in with_long_symbol(statements, "r", "Pearson’s r")]
    assert spelled == ["grader is first: mean Pearson’s r of 2.", "r is 0.5."]
    assert text_of("numbers", "agreement").startswith("The numbers of grader rise with")


def test_people_are_the_yardstick_only_where_they_agree_beyond_chance() -> None:
    assert "significantly less than a human" in text_of("people agree more", "people")
    assert "is not significant" in text_of("people agree alike", "people")
    assert "no yardstick" in text_of("people at chance", "people")


def test_no_verdict_names_why_and_what_to_label() -> None:
    assert "1 item" in text_of("one item", "no_verdict")
    assert "8 items" in text_of("few items", "no_verdict")
    assert "Label items that should get UNMET" in text_of("one-sided reference", "no_verdict")
    assert "on each criterion" in text_of("one label a criterion", "no_verdict")


def test_people_without_a_judge_are_told_whether_they_can_serve_as_a_reference() -> None:
    assert "The people agree well enough" in text_of("people alone, agree", "people")
    assert "The people do not agree well enough" in text_of("people alone, disagree", "people")
    assert "is undecided" in text_of("people alone, unsettled", "people")
    assert "is undecided" in text_of("people alone, rare label", "people")
    assert "5 items" in text_of("people alone, few", "no_verdict")


def people(n_raters: int, share_right: float, n_items: int = 60) -> metrics.Ratings:
    """Raters who give the item's own label with this chance, and else the other."""
    rng = np.random.default_rng(4)
    right = rng.random((n_items, n_raters)) < share_right
    rows = [
        f"i{item},r{rater},human,{('yes', 'no')[(item % 2) ^ (not right[item, rater])]}"
        for item in range(n_items)
        for rater in range(n_raters)
    ]
    return metrics.read("\n".join(["item,rater,role,label", *rows]).encode())


@pytest.mark.parametrize(
    ("n_raters", "share_right", "told"),
    [(7, 0.75, True), (2, 0.75, False), (7, 0.5, False), (7, 1.0, False)],
    ids=["many", "two", "at chance", "agree"],
)
def test_the_vote_of_many_raters_is_told_apart_from_one_rater(n_raters: int, share_right: float, told: bool) -> None:
    statement = metrics.overview(people(n_raters, share_right)).statement("vote_of_many")
    assert (statement is not None) is told
    assert statement is None or f"The share of an item’s raters, {n_raters} on average, who say" in statement.text


@pytest.mark.parametrize(("n_raters", "serves"), [(40, True), (7, False)])
def test_a_vote_that_can_serve_is_the_first_step_and_the_gate_speaks_of_single_people(n_raters: int, serves: bool) -> None:
    ratings = people(n_raters, 0.75)
    found = metrics.overview(ratings)
    assert found.statement("people").text.startswith("Single people do not agree well enough")
    assert ("It can serve as a reference" in found.statement("vote_of_many").text) is serves
    assert ("the majority of the raters is its reference" in found.next[0].text) is serves
    assert "so the labels of single people are not ready" in gate_reading(metrics.raters(ratings))
    assert gate_heading(metrics.raters(ratings)) == "Do single people pass the gate? Fails"
    assert gate_heading(metrics.raters(people(3, 0.6))) == "Do the humans pass the gate? Fails"


def test_what_pooling_makes_is_said_where_it_makes_something() -> None:
    assert "Pooling credits" in text_of("lifted by pooling", "pooling")
    assert "Pooling credits" in text_of("pooled alone", "pooling")
    assert "credits" not in text_of("same pooled and within", "pooling")


def test_the_leader_is_tied_or_apart_by_the_paired_comparison() -> None:
    tied, apart = overview_of("judges tied"), overview_of("judges apart")
    assert [row.relation for row in tied.judges] == ["leader", "tied"]
    assert [row.relation for row in apart.judges] == ["leader", "behind"]
    assert apart.leader == apart.judges[0].name == "good"
    forest = metrics.compare_all(MADE["judges apart"]())
    assert forest.different() == ("bad",)
    assert apart.judges[1].difference == forest.against[0].difference
    assert "significant difference" in text_of("judges tied", "leader")
    lead = -forest.against[0].difference
    assert lead.value > 0
    assert f"It is significantly ahead of bad by {words.estimate(lead)}: " in text_of("judges apart", "leader")


def test_a_lead_counts_the_decisions_with_an_answer_of_both_judges() -> None:
    rows = [{"item": f"i{i}", "h": "met" if i % 2 else "unmet", "a": "met" if i % 2 else "unmet"} for i in range(60)]
    rows = [row | {"b": "cannot assess" if i < 7 else row["h"] if i % 3 else "met"} for i, row in enumerate(rows)]
    columns = {"item": "item", "human:h": "h", "judge:a": "a", "judge:b": "b"}
    labels = {"met": "positive", "unmet": "negative", "cannot assess": "abstention"}
    leader = metrics.overview(metrics.read(rows, columns=columns, labels=labels)).statement("leader")
    assert leader is not None
    assert "on the 53 decisions that both answered" in leader.text


@pytest.mark.parametrize("abstention", ["exclude", "as_category"])
def test_a_label_that_a_judge_never_gives_is_named_with_how_often_the_reference_does(abstention: str) -> None:
    cells = {("red", "red"): 30, ("blue", "blue"): 25, ("green", "red"): 7, ("green", "blue"): 5, ("blue", "red"): 4}
    pairs = [pair for pair, times in cells.items() for _ in range(times)]
    rows = [{"item": f"i{place}", "human": human, "judge": judge} for place, (human, judge) in enumerate(pairs)]
    read = partial(metrics.read, columns={"item": "item", "human:human": "human", "judge:j": "judge"}, scale="nominal")
    ratings = read(rows)
    errors = metrics.overview(ratings, abstention=abstention).statement("errors")
    assert errors is not None
    assert " j never answers green, the label of the human on 12 decisions." in errors.text
    other = [row | {"judge": "green"} if row["item"] == "i0" else row for row in rows]
    again = metrics.overview(
        metrics.read(other, columns={"item": "item", "human:human": "human", "judge:j": "judge"}, scale="nominal")
    )
    assert "never answers" not in again.statement("errors").text


@pytest.mark.parametrize("judges", [1, 2])
def test_a_label_never_given_stands_in_the_first_sentence_and_takes_the_praise(judges: int) -> None:
    cells = {("red", "red"): 30, ("blue", "blue"): 25, ("green", "red"): 7, ("blue", "red"): 4}
    pairs = [pair for pair, times in cells.items() for _ in range(times)]
    rows = [{"item": f"i{place}", "human": human, "a": judge, "b": "red"} for place, (human, judge) in enumerate(pairs)]
    columns = {"item": "item", "human:human": "human"} | {f"judge:{name}": name for name in "ab"[:judges]}
    found = metrics.overview(metrics.read(rows, columns=columns, scale="nominal")).verdict
    assert ("leader" in {statement.kind for statement in found}) is (judges == 2)
    assert "but never answers green" in found[0].text
    text = " ".join(statement.text for statement in found)
    assert text.count("but never answers green") == 1
    assert "call that" not in text


@pytest.mark.parametrize(("best", "first"), [("right", "leader"), ("worse", "below_baseline")])
def test_a_judge_worse_than_a_constant_leads_only_where_it_is_the_one_that_is_read(best: str, first: str) -> None:
    rows = [{"item": f"i{i}", "h": "no" if i % 4 == 0 else "yes", "b": "yes" if i % 3 else "no"} for i in range(120)]
    rows = [row | {"a": row["h"] if best == "right" else row["b"]} for row in rows]
    columns = {"item": "item", "human:h": "h", "judge:a": "a", "judge:b": "b"}
    found = metrics.overview(metrics.read(rows, columns=columns))
    assert found.verdict[0].kind == first
    assert found.statement("below_baseline") is not None


def test_a_number_on_part_of_the_decisions_says_on_which_at_once() -> None:
    rows = [{"item": f"i{i}", "h": "AB"[i % 2], "j": "A" if i % 9 == 0 else "AB"[i % 2]} for i in range(80)]
    tied = [row | {"h": "tie"} if i % 4 == 3 else row for i, row in enumerate(rows)]
    columns = {"item": "item", "human:h": "h", "judge:j": "j"}
    labels = {"A": "positive", "B": "negative", "tie": "tie"}
    pairs = metrics.overview(metrics.read(tied, columns=columns, labels=labels))
    assert "beyond chance where neither says tie (75\u00a0% of decisions): " in pairs.verdict[0].text
    silent = [row | {"h": "nobody"} if i % 4 == 3 else row for i, row in enumerate(rows)]
    part = metrics.overview(metrics.read(silent, columns=columns, labels=labels | {"nobody": "abstention"}))
    assert "beyond chance where both answer (75\u00a0% of decisions): " in part.verdict[0].text
    none = metrics.overview(metrics.read(rows, columns=columns, labels=labels))
    assert "of decisions)" not in none.verdict[0].text
    settle = "Decide what a tie counts for before you quote κ, which depends on it."
    assert [settle in [step.text for step in found.next] for found in (pairs, part, none)] == [True, False, False]


@pytest.mark.parametrize(
    ("tables", "told"),
    [
        ([[[30, 2], [3, 30]], [[40, 0], [20, 0]]], "On c1, j answers MET in all 60 decisions."),
        ([[[30, 2], [3, 30]], [[40, 0], [20, 0]], [[0, 20], [0, 30]]], "j gives one label only on 2 of 3 criteria: c1 and c2."),
        ([[[30, 2], [3, 30]], [[40, 1], [20, 0]]], None),
        ([[[30, 2], [3, 30]], [[40, 20], [0, 0]]], None),
        ([[[30, 2], [3, 30]], [[4, 0], [2, 0]]], None),
        ([[[30, 0], [30, 0]], [[40, 0], [20, 0]]], None),
    ],
)
def test_a_criterion_of_one_label_is_named_where_the_reference_gives_both(
    tables: list[list[list[int]]], told: str | None
) -> None:
    found = metrics.overview(two(*tables))
    statement = found.statement("one_label_on")
    assert (statement is None) is (told is None)
    assert statement is None or statement.text == told


def test_items_that_are_all_alike_are_called_so() -> None:
    rows = [{"item": f"i{i}", "h": "AB"[i % 2], "j": "A" if i % 5 == 0 else "AB"[i % 2]} for i in range(100)]
    found = metrics.overview(metrics.read(rows, columns={"item": "item", "human:h": "h", "judge:j": "j"}, scale="nominal"))
    assert chosen(found) == "5 of 10 items with a disagreement, most wrong verdicts first; these are alike, in file order"


def test_numbers_of_a_narrow_criterion_are_read_first_where_they_lie_farther_by_its_spread() -> None:
    rows = ["item,criterion,human,verdict"]
    for place in range(40):
        human = place % 5
        rows += [f"i{place:02d},wide,{20 * human},{20 * human + (12 if place == 7 else 1)}"]
        rows += [f"i{place:02d},narrow,{human / 5},{human / 5 + (0.9 if place == 3 else 0.01)}"]
    found = metrics.overview(metrics.read("\n".join(rows).encode(), scale="continuous"))
    assert [row.item for row in found.items[:2]] == ["i03", "i07"]
    narrow, wide = (np.std([human * by for human in range(5)]) for by in (0.2, 20))
    assert (
        found.items[0].why == f"0.90 from the reference on narrow, {0.9 / narrow:.2f} standard deviations of the reference there"
    )
    assert found.items[1].why == f"12.00 from the reference on wide, {12 / wide:.2f} standard deviations of the reference there"
    assert "judge and reference differ, farthest in standard deviations first, the last of" in chosen(found)


def test_items_are_said_to_be_read_by_the_criteria_in_one_unit_where_others_are_in_two() -> None:
    lines = [f"i{i:02d},{name},{i % 5},{by * (i % 5) + i % 3 / 9}" for i in range(40) for name, by in (("one", 1), ("two", 100))]
    found = metrics.overview(metrics.read("\n".join(["item,criterion,human,verdict", *lines]).encode(), scale="continuous"))
    assert {decision.criterion for row in found.items for decision in row.decisions} == {"one"}
    assert "farthest in standard deviations first, on the criteria in one unit" in chosen(found)


def test_numbers_are_those_of_the_analyses() -> None:
    ratings = MADE["lifted by pooling"]()
    report, block = overview_of("lifted by pooling"), metrics.agreement(ratings).judges["j"].micro
    agreement, pooling = report.statement("agreement"), report.statement("pooling")
    assert agreement is not None
    assert pooling is not None
    assert agreement.numbers["metric"] == "kappa_within"
    assert (agreement.numbers["value"], tuple(agreement.numbers["interval"])) == (
        block.values["kappa_within"], block["kappa_within"].ends,
    )  # fmt: skip
    assert pooling.numbers["pooled"]["value"] == block.values["kappa"]
    assert report.judges[0].estimate == block["kappa_within"]
    assert {row.name: row.estimate.value for row in report.criteria} == {
        name: criterion.values["kappa"] for name, criterion in metrics.agreement(ratings).judges["j"].criteria.items()
    }


def test_ceiling_and_bounds_are_those_of_the_analyses() -> None:
    ratings = MADE["people agree more"]()
    ceiling, people = human_ceiling(ratings, "j"), overview_of("people agree more").statement("people")
    assert people is not None
    assert people.numbers["human_value"]["value"] == ceiling.human.value
    assert people.numbers["difference"]["interval"] == list(ceiling.difference.ends or ())
    ratings = MADE["abstaining"]()
    left_open = overview_of("abstaining").statement("left_open")
    assert left_open is not None
    assert left_open.numbers["bounds"]["kappa"] == list(bounds(ratings, "j", settings_of(ratings)).by_metric["kappa"].ends or ())


def test_what_a_criterion_of_no_agreement_means_stands_behind_the_agreement_and_first_among_the_steps() -> None:
    weak = overview_of("one weak criterion")
    assert [statement.kind for statement in weak.verdict[:2]] == ["agreement", "chance_on"]
    assert "on c1 (κ 0.16 [−0.04, 0.34]), significantly below the other." in text_of("one weak criterion", "chance_on")
    assert weak.next[0].text == "Do not use j on c1 as it is: read where it errs there."
    assert not any("as it is" in step.text for step in overview_of("one weaker criterion").next)


def test_decisions_that_a_judge_did_not_label_come_first_where_they_would_turn_who_leads() -> None:
    both, alone = (overview_of(name) for name in ("two judges, one silent where it is wrong", "silent where it is wrong"))
    assert (both.leader, both.verdict[0].kind) == ("mute", "unlabelled")
    assert both.verdict[0].text == (
        "mute has no label on 40 of 200 decisions (20\u00a0%) that people labelled; they are in no number. "
        "Counted as wrong, accuracy of mute would be 78\u00a0%, below that of open (91\u00a0%)."
    )
    assert both.next[0].text.startswith("Find out why mute gave no label there")
    assert [statement.kind for statement in alone.verdict[:2]] == ["agreement", "unlabelled"]
    assert "below" not in alone.verdict[1].text
    counted = metrics.overview(silent_where_wrong(), handling={"error": "as_unmet"})
    assert "unlabelled" not in [statement.kind for statement in counted.verdict]


def test_a_judge_without_a_decision_that_counts_has_no_accuracy_in_json() -> None:
    """Both people differ on the only item that it labelled."""
    rows = [
        (f"i{i}", who, role, "MET" if i % 2 else "UNMET") for i in range(40) for who, role in (("a", "human"), ("j", "judge"))
    ]
    rows += [("i1", "b", "human", "UNMET"), ("i1", "k", "judge", "MET")]
    found = metrics.overview(metrics.read(pd.DataFrame(rows, columns=["item", "rater", "role", "label"])))
    assert json.loads(found.to_json())["verdict"]
    assert found.statement("unlabelled").numbers["k"]["accuracy_as_wrong"] is None


def test_a_judge_far_behind_on_whom_test_and_interval_disagree_does_not_hide_who_leads() -> None:
    far = overview_of("test and interval disagree far behind")
    kinds = [statement.kind for statement in far.verdict]
    assert kinds.index("leader") < kinds.index("judges_disputed")
    assert far.verdict[kinds.index("leader")].text.startswith(f"{far.leader} has the highest")


def test_criteria_stand_worst_first_and_items_by_how_many_verdicts_are_wrong() -> None:
    report = overview_of("one weak criterion")
    assert [row.name for row in report.criteria] == ["c1", "c0"]
    judges = overview_of("judges apart")
    decisions = [[(decision.reference, *decision.labels.values()) for decision in row.decisions] for row in judges.items]
    n_wrong = [sum(label != reference for reference, *labels in row for label in labels) for row in decisions]
    assert n_wrong == sorted(n_wrong, reverse=True)
    assert all(row.why for row in judges.items)
    assert overview_of("perfect").items == ()
    assert overview_of("perfect").no_items


def test_without_intervals_nothing_has_a_direction() -> None:
    for name in ("good", "lenient", "below chance", "judges apart", "people agree more", "lifted by pooling"):
        text = " ".join(statement.text for statement in metrics.overview(MADE[name](), interval="none").verdict)
        assert not [words for words in DIRECTIONS if words in text], text


@pytest.mark.slow("many random tables")
@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(0, 14), min_size=4, max_size=4), min_size=1, max_size=3))
def test_no_direction_where_an_interval_holds_the_null(cells: list[list[int]]) -> None:
    tables = [np.reshape(counts, (2, 2)).tolist() for counts in cells if sum(counts)]
    if not tables:
        return
    ratings = two(*tables)
    report, judge = metrics.overview(ratings), metrics.agreement(ratings).judges["j"]
    kinds = {statement.kind: statement for statement in report.verdict}
    estimate = judge.level(report.level)[report.metric]  # type: ignore[arg-type]
    holds_0 = estimate.ends is None or estimate.ends[0] <= 0 <= estimate.ends[1]
    if holds_0:
        assert "below_chance" not in kinds
        assert "agreement" not in kinds or "beyond chance" not in kinds["agreement"].text
    drift = judge.micro["drift"].ends
    errors = kinds["errors"].text if "errors" in kinds else ""
    if drift is None or drift[0] <= 0 <= drift[1]:
        assert "often than the reference" not in errors
    if "no_verdict" in kinds:
        assert set(kinds) <= {"no_verdict", "errors", "left_open"}
        assert not [words for words in DIRECTIONS if words in errors]
    if "weakest" in kinds:
        lowest = judge.criteria[kinds["weakest"].numbers["criterion"]]["kappa"].value
        others = [block["kappa"].value for block in judge.criteria.values() if block["kappa"].defined and not block.one_sided]
        assert lowest == min(others)
    if "below_baseline" in kinds:
        accuracy, baseline = judge.micro["accuracy"], judge.micro.values["baseline_accuracy"]
        assert accuracy.ends is not None
        assert accuracy.ends[1] < baseline


def test_a_first_look_says_how_good_and_where_it_fails_and_is_short() -> None:
    for name in (*KINDS, "two judges, readings disagree"):
        said = overview_of(name).verdict
        held = [statement for statement, at_once in zip(said, in_first_look(said), strict=True) if at_once]
        assert held[0] is said[0]
        assert {statement.kind for statement in said} & FIRST_LOOK <= {statement.kind for statement in held}
        more = [statement for statement in held[1:] if statement.kind not in FIRST_LOOK]
        assert not more or sum(len(statement.text.split()) for statement in held) <= MOST_WORDS


def test_a_first_look_leaves_out_what_is_long_and_takes_what_follows_it() -> None:
    said = [Statement(kind, "word " * n, {}) for kind, n in (("leader", 30), ("people", 50), ("errors", 20), ("ties", 10))]
    assert in_first_look(said) == [True, False, True, True]
    assert in_first_look(said[:1] + said[2:]) == [True, True, True]


def test_a_label_that_a_judge_gives_to_most_is_named_and_one_it_never_gives_becomes_a_step() -> None:
    rows = [{"item": f"i{i}", "human": "abc"[i % 3], "judge": "a" if i % 3 == 1 else "b"} for i in range(60)]
    columns = {"item": "item", "human:human": "human", "judge:j": "judge"}
    found = metrics.overview(metrics.read(rows, columns=columns, scale="nominal"))
    errors = next(statement.text for statement in found.verdict if statement.kind == "errors")
    assert "j answers b on 67\u00a0% of decisions, the human on 33\u00a0%." in errors
    assert "j never answers c, the label of the human on 20 decisions." in errors
    assert "Say in the prompt of j when to answer c: it never does." in [step.text for step in found.next]


@pytest.mark.parametrize(("on", "told"), [(("no",), True), (("no", "yes"), False)])
def test_where_a_judge_is_silent_on_one_label_more_often_the_answers_are_said_not_to_be_like_the_others(on, told) -> None:
    lines = ["item,human,verdict"]
    for i in range(200):
        human = ("no", "yes")[i % 2]
        answer = "cannot assess" if human in on and i // 2 % (3 if told else 6) == 0 else ("yes", "no")[i % 2 ^ (i % 17 != 0)]
        lines.append(f"i{i},{human},{answer}")
    found = metrics.overview(metrics.read("\n".join(lines).encode())).statement("left_open")
    assert found is not None
    assert ("Abstentions of judge are associated with people’s label" in found.text) is told


@pytest.mark.parametrize(("right", "told"), [(1, True), (10, False)])
def test_a_label_that_is_nearly_always_missed_becomes_a_step_though_it_is_given_elsewhere(right: int, told: bool) -> None:
    rows = [{"item": f"i{i}", "human": "abc"[i % 3], "judge": "abc"[i % 3]} for i in range(60)]
    for row in [row for row in rows if row["human"] == "c"][right:]:
        row["judge"] = "b"
    columns = {"item": "item", "human:human": "human", "judge:j": "judge"}
    found = metrics.overview(metrics.read(rows, columns=columns, scale="nominal"))
    assert ("Say in the prompt of j when to answer c: it misses 19 of 20." in [step.text for step in found.next]) is told


def steps_apart(factor: float) -> metrics.Ratings:
    """People on 0 to 2, a judge that follows them and gives each number this many times as large."""
    rng, rows = np.random.default_rng(8), ["item,criterion,human,verdict"]
    for place in range(120):
        for criterion in ("a", "b"):
            human = int(rng.integers(0, 3))
            rows.append(f"i{place},{criterion},{human},{factor * int(np.clip(human + rng.integers(-1, 2), 0, 2)):g}")
    return metrics.read("\n".join(rows).encode(), scale="ordinal")


def other_judge(factor: float) -> metrics.Ratings:
    """The same with a second judge that gives the middle number of its own scale on every third item."""
    rng, rows = np.random.default_rng(8), ["item,judge,human,verdict"]
    for place in range(90):
        human = int(rng.integers(0, 3))
        rows += [
            f"i{place},judge,{human},{factor * human:g}",
            f"i{place},second,{human},{factor * (human if place % 3 else 1):g}",
        ]
    return metrics.read("\n".join(rows).encode(), scale="ordinal")


def test_labels_in_two_units_are_read_by_their_order_alone() -> None:
    alike, apart = (metrics.overview(steps_apart(factor)) for factor in (1, 10))
    assert (alike.metric, apart.metric) == ("weighted_kappa_quadratic", "spearman")
    assert {statement.kind for statement in apart.verdict} == {"agreement", "errors"}
    assert "different units on a and b, so no κ, accuracy or mean error is stated" in apart.verdict[1].text
    ranks = metrics.scores(steps_apart(1), on="label").judges["judge"].mean["spearman"]
    assert apart.judges[0].estimate.value == pytest.approx(ranks.value, abs=1e-12)
    assert [row.note for row in apart.criteria] == ["two units", "two units"]
    assert apart.next[0].text.startswith("Bring both sides to one unit")
    assert not apart.items
    assert apart.no_items == "the two sides are in two units"


def test_a_warning_of_two_units_takes_the_place_of_what_the_units_make() -> None:
    report = metrics.agreement(steps_apart(10))
    codes = [warning.code for warning in report.warnings]
    assert "two_units" in codes
    assert not {"below_baseline", "below_chance", "pooled_kappa_outside"} & set(codes)
    assert "two_units" not in [warning.code for warning in metrics.agreement(steps_apart(1)).warnings]


def test_the_share_of_a_panel_correlates_as_spearman_and_brown_say() -> None:
    rng = np.random.default_rng(1)
    share = rng.beta(2, 2, 20000)
    one, other = rng.binomial(9, share), rng.binomial(9, share)
    alpha = float(krippendorff_alpha(np.stack([one, 9 - one], 1)))
    assert of_mean_rating(alpha, 9) == pytest.approx(np.corrcoef(one, other)[0, 1], abs=0.01)
    assert of_mean_rating(alpha, 1) == pytest.approx(alpha)
    assert np.isnan(of_mean_rating(-0.1, 9))


def scored(errors: dict[str, float], n_items: int = 150) -> metrics.Ratings:
    """One human and judges of numbers, each with noise of this size, on two criteria."""
    rng, rows = np.random.default_rng(9), ["item,criterion,judge,human,verdict"]
    for place in range(n_items):
        for criterion in ("a", "b"):
            human = rng.normal()
            rows += [
                f"i{place},{criterion},{judge},{human:.4f},{human + error * rng.normal():.4f}" for judge, error in errors.items()
            ]
    return metrics.read("\n".join(rows).encode(), scale="continuous")


def test_judges_of_numbers_are_told_apart_by_intervals_for_all_pairs() -> None:
    found = metrics.overview(scored({"near": 0.5, "alike": 0.52, "far": 3.0}))
    assert found.leader in ("near", "alike")
    relations = {row.name: row.relation for row in found.judges}
    assert relations == {found.leader: "leader", "far": "behind"} | {({"near", "alike"} - {found.leader}).pop(): "tied"}
    lead = found.statement("leader")
    assert lead is not None
    assert "significantly ahead of far, by intervals for all 3 pairs at once. No significant difference shows from" in lead.text
    far = next(row for row in found.judges if row.name == "far")
    compared = metrics.compare_scores(scored({"near": 0.5, "alike": 0.52, "far": 3.0}), found.leader, "far", level="macro")
    assert far.difference == compared.difference


def test_two_judges_of_numbers_need_no_correction() -> None:
    lead = metrics.overview(scored({"near": 0.5, "far": 3.0})).statement("leader")
    assert lead is not None
    assert lead.text.endswith("It is significantly ahead of far.")


def test_a_comparison_by_kappa_says_that_the_labels_are_in_two_units() -> None:
    apart, alike = (metrics.compare(other_judge(factor), "judge", "second", replicates=9) for factor in (10, 1))
    assert sum("they are in two units" in text for text in apart.cautions) == 2
    assert not any("two units" in text for text in alike.cautions)


def test_runs_of_a_judge_are_no_secret() -> None:
    ratings = MADE["several runs"]()
    found = metrics.overview(ratings)
    (statement,) = [statement for statement in found.verdict if statement.kind == "repeated_runs"]
    (own,) = self_agreement(ratings)
    assert statement.numbers["agreement"]["value"] == own.agreement.value
    assert "The verdict is on the first of 5 runs of judge." in statement.text
    assert [step.text for step in found.next if step.key == "ensemble"] == [
        "Compare the runs of judge, or count the majority of them."
    ]
    of_most = metrics.overview(majority_of_runs(ratings))
    assert "The verdict is on most of 5 runs of judge." in of_most.summary().replace("\n    ", " ")
    assert "ensemble" not in [step.key for step in of_most.next]


def test_of_two_middle_labels_the_lower_makes_no_judge_generous() -> None:
    """Against two raters like itself a judge lies above the lower label, by half of the distance between the two."""
    said = {shift: metrics.overview(MADE[f"order, two people, judge {shift}"]()) for shift in ("alike", "higher")}
    mean_error = said["alike"].verdict[-1].numbers["mean_error"]
    assert mean_error["interval"][0] > 0
    assert "That shows no direction." in said["alike"].verdict[-1].text
    assert "gpt rates higher than" in said["higher"].verdict[-1].text
    ratings = MADE["order, two people, judge alike"]()
    frame = ratings_frame(ratings)
    ends = frame.xs("human", level="role").groupby("item").agg(["min", "max"])
    judge = frame.xs("judge", level="role").groupby("item").first()
    assert mean_error["value"] == pytest.approx((judge - ends["min"]).mean())
    scores = metrics.scores(ratings).judges["gpt"]
    assert scores.beside_upper(None) == pytest.approx((judge - ends["max"]).mean())
    assert scores.upper_less_lower["overall"] == pytest.approx((ends["max"] - ends["min"]).mean())


def ratings_frame(ratings: metrics.Ratings) -> pd.Series:
    """Labels as numbers by item, rater and role."""
    item, raters = [f"i{code}" for code in ratings.item], [ratings.raters[code] for code in ratings.rater]
    keys = [item, [rater.name for rater in raters], [rater.role for rater in raters]]
    numbers = [float(ratings.labels[code]) for code in ratings.label]
    return pd.Series(numbers, index=pd.MultiIndex.from_arrays(keys, names=["item", "rater", "role"]))


@pytest.mark.parametrize(
    ("judge", "apart"),
    [
        (lambda label, noise: np.clip(2 * label + noise, 1, 10), True),
        (lambda label, noise: label - 1, True),
        (lambda label, noise: np.minimum(label + 1, 5), False),
        (lambda label, noise: np.clip(label + noise, 1, 5), False),
        (lambda label, noise: np.clip(label, 2, 4), False),
    ],
    ids=["one to ten", "from nought", "one step up", "errors", "the middle alone"],
)
def test_a_judge_on_another_scale_is_not_sent_away(judge, apart: bool) -> None:
    """Nested and shifted ranges are two scales or one use of it: who reads must look before the numbers say anything."""
    rng = np.random.default_rng(5)
    label, noise = np.repeat(np.arange(1, 6), 24), rng.integers(-1, 2, 120)
    rows = [f"i{place},{truth},{own}" for place, (truth, own) in enumerate(zip(label, judge(label, noise), strict=True))]
    text = "\n".join(["item,human,verdict", *rows])
    for scale in ("ordinal", "continuous"):
        found = metrics.overview(read(text, scale=scale))
        said = found.summary().replace("\n    ", " ")
        assert (found.verdict[0].kind == "other_ends") == apart
        assert ("Check whether" in found.next[0].text) == apart
        assert ("is worse than a judge" in said or "Do not use" in said) <= (not apart)
        assert ("if both use one scale" in said) == apart
        scores = metrics.scores(read(text, scale=scale))
        assert ("may use two scales" in scores.summary()) == apart
        assert ("other_ends" in [warning.code for warning in scores.warnings]) == apart


def swaying(pull: float, scale: str = "ordinal", seed: int = 5) -> Overview:
    """Return the overview of a judge of 1 to 5, or of yes and no, that rates longer answers higher by `pull` a doubling."""
    rng = np.random.default_rng(seed)
    size = rng.integers(20, 800, 300)
    human = rng.integers(1, 6, 300)
    judge = np.clip(np.rint(human + pull * (np.log2(size) - 8) + rng.normal(0, 0.5, 300)), 1, 5).astype(int)
    sides = {"human": human, "verdict": judge}
    if scale == "binary":
        sides = {name: np.where(side > 3, "yes", "no") for name, side in sides.items()}
    frame = pd.DataFrame({"item": [f"i{i}" for i in range(300)], **sides, "answer_length": size})
    return metrics.overview(metrics.read(frame, scale=scale))


@pytest.mark.parametrize(
    ("scale", "text"),
    [
        ("ordinal", "At the same human label judge rates longer texts higher: +0."),
        ("binary", "At the same human label judge says yes more often of longer texts: +"),
    ],
)
def test_length_that_sways_a_judge_is_said_at_first_with_its_step(scale: str, text: str) -> None:
    found = swaying(0.6, scale)
    (stated,) = (statement for statement in found.verdict if statement.kind == "swayed")
    assert stated.text.startswith(text)
    assert stated.text.endswith(" for each doubling (‘answer_length’).")
    assert in_first_look(found.verdict)[list(found.verdict).index(stated)]
    assert ("slices", "biases FILE") in {(step.key, step.command) for step in found.next}
    assert max(len(sentence.split()) for sentence in stated.text.split(". ")) <= MOST_WORDS_OF_A_SENTENCE


def test_a_judge_that_nothing_sways_is_not_said_to_be() -> None:
    told = [seed for seed in range(20) if "swayed" in {statement.kind for statement in swaying(0.0, seed=seed).verdict}]
    assert len(told) <= 3


def in_both_orders(first: float) -> Overview:
    """Return the overview of a judge of pairs that gives as many as this of its 30 changed winners to the answer shown first."""
    rng, rows = np.random.default_rng(1), []
    for i in range(200):
        human = "AB"[i % 2]
        verdict = human if rng.random() < 0.9 else "BA"[i % 2]
        if i < 30:
            verdict = "A" if i < 30 * first else "B"
        rows.append((f"i{i}", human, verdict, {"A": "B", "B": "A"}[verdict] if i < 30 else verdict))
    frame = pd.DataFrame(rows, columns=["item", "human", "verdict", "verdict_swapped"])
    return metrics.overview(metrics.read(frame, labels={"A": "positive", "B": "negative"}))


@pytest.mark.parametrize(("first", "decides"), [(0.9, True), (0.1, True), (0.5, False)])
def test_what_the_order_of_two_answers_does_is_said_at_first(first: float, decides: bool) -> None:
    found = in_both_orders(first)
    (stated,) = (statement for statement in found.verdict if statement.kind == "order_of_answers")
    assert stated.numbers["consistent"]["value"] == pytest.approx(170 / 200)
    assert stated.numbers["place_decides"] is decides
    assert f"{round(30 * first)} of 30 times the answer shown first wins" in stated.text
    assert in_first_look(found.verdict)[list(found.verdict).index(stated)]
    assert ("preferences" in {step.key for step in found.next}) is decides


def silent_criterion(share: float) -> Overview:
    """Return the overview of a judge that gives no verdict on a share of one criterion of eleven."""
    rng, rows = np.random.default_rng(3), []
    for i in range(60):
        for c in range(11):
            human = rng.random() < 0.5
            verdict = "yes" if human ^ (rng.random() < 0.1) else "no"
            silent = c == 10 and i < share * 60
            rows.append((f"i{i}", f"c{c}", "yes" if human else "no", "CANNOT_ASSESS" if silent else verdict))
    return metrics.overview(metrics.read(pd.DataFrame(rows, columns=["item", "criterion", "human", "verdict"])))


@pytest.mark.parametrize(("share", "said"), [(1.0, "100 % of c10"), (0.6, "60 % of c10"), (0.2, ""), (0.0, "")])
def test_a_criterion_that_a_judge_leaves_open_is_named_however_few_its_decisions(share: float, said: str) -> None:
    found = silent_criterion(share)
    texts = {statement.kind: statement.text.replace("\u00a0", " ") for statement in found.verdict}
    assert texts.get("silent_on", "") == (f"judge gives no verdict on {said}." if said else "")
    assert any(step.text == "Find out why judge gives no verdict on c10." for step in found.next) is bool(said)


def test_one_human_apart_does_not_make_all_of_them_no_yardstick() -> None:
    rng, rows = np.random.default_rng(5), ["item,rater,role,label"]
    for i in range(200):
        truth = int(rng.integers(1, 6))
        given = {who: int(np.clip(truth + rng.integers(-1, 2), 1, 5)) for who in ("ann", "bob", "gpt")}
        given["cat"] = 6 - given["ann"] if i % 3 else int(rng.integers(1, 6))
        rows += [f"{i},{who},{'judge' if who == 'gpt' else 'human'},{label}" for who, label in given.items()]
    ratings = metrics.read("\n".join(rows).encode(), scale="ordinal")
    (people,) = (statement for statement in metrics.overview(ratings).verdict if statement.kind == "people")
    assert people.text.endswith("cat differs from the other humans, so the mean over humans is no yardstick.")
    assert "show no agreement" not in people.text
