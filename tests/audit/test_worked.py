"""The worked system: its counts, and what is computed of them, beside the same computed in another way."""

from __future__ import annotations

import csv
import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import metrics
from metrics.content.audit import llm_rubric, worked
from metrics.report.checklist.compute import checklist
from metrics.report.checklist.gathering import findings
from metrics.results.words import number, percent
from tests.shared_data import data

NAMES, TABLES = llm_rubric.two_labels()


def kappa(table: list[list[int]]) -> Fraction:
    """Cohen's κ by its definition, in whole numbers."""
    (tp, fn), (fp, tn) = table
    n = tp + fn + fp + tn
    observed = Fraction(tp + tn, n)
    expected = Fraction((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn), n * n)
    return (observed - expected) / (1 - expected)


def total(tables: list[list[list[int]]]) -> list[list[int]]:
    return [[sum(table[i][j] for table in tables) for j in (0, 1)] for i in (0, 1)]


def test_every_question_was_asked_of_the_same_dialogues() -> None:
    assert {np.array(table).shape for table in llm_rubric.COUNTS.values()} == {(5, 4)}
    assert {int(np.array(table).sum()) for table in llm_rubric.COUNTS.values()} == {223}
    assert "MIT" in llm_rubric.SOURCE


def test_the_counts_are_those_of_the_published_files() -> None:
    with data("llmrubric_real_ordinal.csv").open(encoding="utf-8") as file:
        found = Counter((row["criterion"], row["human"], row["verdict"]) for row in csv.DictReader(file))
    people = (*llm_rubric.GRADES, llm_rubric.NOT_APPLICABLE)
    kept = {
        (name, human, verdict): n
        for name, table in llm_rubric.COUNTS.items()
        for human, row in zip(people, table, strict=True)
        for verdict, n in zip(llm_rubric.GRADES, row, strict=True)
        if n
    }
    assert kept == found
    real = metrics.agreement(data("llmrubric_real_binary.csv"), interval="none").judges[llm_rubric.JUDGE]
    for name, table in zip(NAMES, TABLES, strict=True):
        assert real.criteria[name].confusion.tolist() == table.tolist()


def test_pooled_kappa_lies_below_every_question_and_one_question_makes_it() -> None:
    shown, tables = worked.pooled(), TABLES.tolist()
    by_hand = {name: kappa(table) for name, table in zip(NAMES, tables, strict=True)}
    assert {name: block.values["kappa"] for name, block in shown.by_question.items()} == pytest.approx(
        {name: float(value) for name, value in by_hand.items()}
    )
    whole = kappa(total(tables))
    assert shown.whole.values["kappa"] == pytest.approx(float(whole))
    assert whole < min(by_hand.values())
    far = {name: abs((table[0][1] - table[1][0]) / sum(map(sum, table))) for name, table in zip(NAMES, tables, strict=True)}
    assert shown.odd == max(far, key=far.__getitem__)
    rest = kappa(total([table for name, table in zip(NAMES, tables, strict=True) if name != shown.odd]))
    assert shown.without == pytest.approx(float(rest))
    assert rest > min(by_hand.values())


def test_the_sentence_says_what_the_counts_give() -> None:
    tables = dict(zip(NAMES, TABLES.tolist(), strict=True))
    by_hand = sorted(float(kappa(table)) for table in tables.values())
    judge = {name: (table[0][0] + table[1][0]) / sum(map(sum, table)) for name, table in tables.items()}
    people = {name: sum(table[0]) / sum(map(sum, table)) for name, table in tables.items()}
    odd = worked.pooled().odd
    others = [name for name in tables if name != odd]
    said = worked.pooled_reading(worked.pooled())
    assert f"between {number(by_hand[0])} and {number(by_hand[-1])}" in said
    assert f"says MET on {percent(judge[odd])} and people on {percent(people[odd])}" in said
    for rate in (judge, people):
        low, high = (percent(end(rate[name] for name in others)) for end in (min, max))
        assert f"{low} to {high}" in said


def test_the_practices_are_those_of_the_checklist_on_the_real_file() -> None:
    real = metrics.read(data("llmrubric_real_ordinal.csv"), order=llm_rubric.GRADES, labels={"NA": "abstention"})
    for ours, theirs in zip(worked.practices().practices, checklist(findings(real, interval="none")).practices, strict=True):
        assert (ours.number, ours.state) == (theirs.number, theirs.state)
        # Only an interval rests on which decisions lie on one dialogue, which counts do not hold.
        assert [re.sub(r" \[.*?\]", "", text) for text in ours.evidence] == [
            re.sub(r" \[.*?\]", "", text) for text in theirs.evidence
        ]


def test_the_lab_gets_the_tables_as_they_are() -> None:
    shown = worked.pooled()
    for question, table in ((None, total(TABLES.tolist())), (shown.odd, TABLES[NAMES.index(shown.odd)].tolist())):
        scene = shown.scene(question)
        assert scene is not None
        assert scene.address()["lab_a"] == "_".join(str(n) for row in table for n in row)
