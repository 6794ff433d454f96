"""What a reader would decide by the overview: a rare label, silence, turned labels, one human, few rows."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

import metrics

Cells = dict[tuple[str, str], int]


def overview(cells: Cells, **options: object) -> metrics.Overview:
    """Overview of (human, judge) to how many items; `-` is an abstention."""
    rows = [(human, judge) for (human, judge), n in cells.items() for _ in range(n)]
    frame = pd.DataFrame(rows, columns=["human", "verdict"]).replace("-", "CANNOT_ASSESS")
    return metrics.overview(metrics.read(frame.assign(item=[f"q{n}" for n in range(len(frame))])), **options)


def said(report: metrics.Overview) -> str:
    return " ".join(statement.text for statement in report.verdict).replace("\u00a0", " ")


def next_steps(report: metrics.Overview) -> str:
    return " ".join(step.text for step in report.next)


def test_a_judge_that_finds_a_rare_label_is_no_judge_to_throw_away() -> None:
    report = overview({("MET", "MET"): 871, ("MET", "UNMET"): 79, ("UNMET", "UNMET"): 41, ("UNMET", "MET"): 9})
    assert "is right less often than a judge that always answers MET" in said(report)
    assert "Yet it finds 82 % [70, 91 %] of UNMET, with 8 % false alarms. Always answering MET finds none." in said(report)
    assert "Do not use" not in next_steps(report)
    assert "Decide what each error" in next_steps(report)


def test_a_judge_that_tells_nothing_apart_is_not_to_be_used() -> None:
    report = overview({("MET", "MET"): 75, ("MET", "UNMET"): 75, ("UNMET", "UNMET"): 5, ("UNMET", "MET"): 5})
    assert "is worse than a judge that always answers MET" in said(report)
    assert "Yet it finds" not in said(report)
    assert "Do not use" in next_steps(report)


@pytest.mark.parametrize("silent", [100, 40])
def test_silence_on_a_label_is_not_put_down_to_the_reference(silent: int) -> None:
    cells = {("MET", "-"): silent, ("UNMET", "UNMET"): 80, ("UNMET", "MET"): 20}
    report = overview(cells)
    assert "where both answer, the reference says only UNMET" in said(report)
    assert "Find out why" in next_steps(report)
    assert "Label items" not in next_steps(report) + said(report)
    assert "the reference says only UNMET" in said(overview({("UNMET", "UNMET"): 80, ("UNMET", "MET"): 20}))


def test_one_silent_decision_is_no_excuse_for_a_reference_of_one_label() -> None:
    report = overview({("UNMET", "UNMET"): 79, ("UNMET", "MET"): 20, ("UNMET", "-"): 1})
    assert "given: the reference says only UNMET. Label items that should get MET." in said(report)


def test_a_judge_that_never_decides_is_the_one_to_ask() -> None:
    report = overview({("MET", "-"): 30, ("UNMET", "-"): 20})
    assert "it gives no verdict on any of 50 decisions" in said(report)
    assert "never decides" in next_steps(report)


def test_labels_turned_round_are_looked_at_before_anything_else() -> None:
    report = overview({("MET", "UNMET"): 50, ("UNMET", "MET"): 40, ("MET", "MET"): 2})
    assert report.next[0].text.startswith("Check first which way round")
    assert report.next[0].command == "agreement FILE"
    assert "Do not use" not in next_steps(report)


def test_a_criterion_turned_round_is_looked_at_alone_for_its_judge() -> None:
    ratings = metrics.read(
        [
            {"item": f"q{i}", "criterion": criterion, "judge": judge, "human": "MET" if i % 2 else "UNMET", "verdict": verdict}
            for i in range(40)
            for judge in ("new", "old one")
            for criterion, verdict in (
                ("tone", "MET" if (i % 2) ^ (i % 10 == 0) else "UNMET"),
                ("own words", "UNMET" if (i % 2) ^ (i % (20 if judge == "new" else 5) == 0) else "MET"),
            )
        ]
    )
    step = metrics.overview(ratings).next[0]
    assert step.text == "Check first which way round old one and the reference use the labels on own words."
    assert step.command == 'agreement FILE --judges "old one" --criteria "own words"'


def graded(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> metrics.Overview:
    text = "item,criterion,human,verdict\n" + "".join(
        f"q{n},{criterion},{human},{judge}\n" for criterion, rows in (("a", a), ("b", b)) for n, (human, judge) in enumerate(rows)
    )
    return metrics.overview(metrics.read(io.BytesIO(text.encode()), scale="ordinal", order=list("12345")))


def test_criteria_on_both_sides_of_chance_have_no_mean() -> None:
    steps = [1, 2, 3, 4, 5] * 20
    report = graded([(step, 6 - step) for step in steps], [(step, step) for step in steps])
    assert "agrees with the human less than chance on a" in said(report)
    assert "a number over all criteria says little" in said(report)
    assert "no agreement" not in said(report)
    assert report.next[0].text.endswith("use the labels on a.")
    alike = graded([(step, step) for step in steps], [(step, step) for step in steps])
    assert "criteria_opposed" not in {statement.kind for statement in alike.verdict}


def test_two_rows_are_no_weakest_criterion() -> None:
    big = [("big", "MET", "MET")] * 60 + [("big", "UNMET", "UNMET")] * 60 + [("big", "MET", "UNMET")] * 6
    frame = pd.DataFrame([*big, ("small", "MET", "UNMET"), ("small", "UNMET", "MET")], columns=["criterion", "human", "verdict"])
    report = metrics.overview(metrics.read(frame.assign(item=[f"q{n}" for n in range(len(frame))])))
    assert "weakest" not in {statement.kind for statement in report.verdict}


def test_two_judges_alike_are_called_so() -> None:
    rows = [("MET", "MET")] * 40 + [("UNMET", "UNMET")] * 30 + [("MET", "UNMET")] * 9
    frame = pd.DataFrame(
        [(f"q{n}", judge, human, verdict) for judge in "AB" for n, (human, verdict) in enumerate(rows)],
        columns=["item", "judge", "human", "verdict"],
    )
    text = said(metrics.overview(metrics.read(frame)))
    assert "gives the same verdicts on what both answered." in text
    assert "No significant difference" not in text


def test_a_lead_over_people_that_one_human_makes_names_them() -> None:
    rng, truth = np.random.default_rng(3), np.tile([0, 1], 100)
    wrong = {"ana": 0.08, "ben": 0.08, "cem": 0.35, "bot": 0.08}
    rows = [
        (f"q{n}", who, "judge" if who == "bot" else "human", ("MET", "UNMET")[label])
        for who, share in wrong.items()
        for n, label in enumerate(truth ^ (rng.random(len(truth)) < share))
    ]
    text = said(metrics.overview(metrics.read(pd.DataFrame(rows, columns=["item", "rater", "role", "label"]))))
    assert "significantly more than a human does" in text
    assert "Human by human it ranges from" in text
    assert "beside cem" in text


def test_more_items_of_the_same_groups_are_no_advice() -> None:
    rows = [
        (f"q{n}", f"talk {n // 30}", ("MET", "UNMET")[n % 2], ("MET", "UNMET")[(n % 2) ^ (n // 30 % 3 == 0)]) for n in range(300)
    ]
    ratings = metrics.read(pd.DataFrame(rows, columns=["item", "conversation", "human", "verdict"]))
    report = metrics.overview(ratings, unit="conversation")
    assert {"no_agreement_shown", "readings_disagree"} & {statement.kind for statement in report.verdict}
    assert "Label about" not in next_steps(report)
