"""Of judges alone nothing is said about a rubric, training or fatigue; of people on the same labels it is."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.analyses.raters.evidence import evidence
from metrics.analyses.raters.gate import JUDGE_WORDS, RUBRIC_WORDS, Bands
from metrics.analyses.raters.readings import OF_JUDGES, gate_reading
from metrics.analyses.raters.readings_evidence import evidence_readings
from metrics.analyses.raters.tables import gate_heading
from tests.raters.made import labels, rows

RUBRIC = ("rubric is", "reference", "not ready", "sharpen", "revise", "well specified", "wording", "Train", "Fatigue", " pass")


def read(codes: np.ndarray, role: str) -> metrics.Ratings:
    return metrics.read(rows(codes, ["MET", "UNMET"]).replace(",human,", f",{role},").encode())


def told(codes: np.ndarray, role: str) -> str:
    ratings = read(codes, role)
    report = metrics.raters(ratings, role=role)
    shown = evidence_readings(evidence(ratings, role=role).criteria["c"], role)
    return "\n".join([gate_heading(report), gate_reading(report), report.summary(), *(f"{head}: {text}" for head, text in shown)])


@pytest.mark.parametrize("knows", [0.1, 0.7, 0.99])
def test_judges_hear_nothing_of_a_rubric_and_people_do(knows) -> None:
    codes = labels(4, n=300, raters=4, k=2, missing=0, knows=knows)
    judges, people = told(codes, "judge"), told(codes, "human")
    assert [word for word in RUBRIC if word in judges] == []
    assert OF_JUDGES in judges
    assert OF_JUDGES not in people
    assert "can serve as a reference" in people or "not ready to serve as a reference" in people


def test_a_judge_apart_is_named_and_not_trained() -> None:
    codes = np.tile(np.arange(120)[:, None] % 2, (1, 4)).astype(np.int16)
    codes[:, 3] = 1 - codes[:, 3]
    assert "One outlying judge: r3 is an outlier" in told(codes, "judge")
    assert "Train" not in told(codes, "judge")


def test_bands_of_judges_are_sizes_unless_the_team_has_words_of_its_own() -> None:
    codes = labels(4, n=300, raters=4, k=2, missing=0, knows=0.7)
    assert metrics.raters(read(codes, "judge")).bands.words == JUDGE_WORDS
    assert metrics.raters(read(codes, "human")).bands.words == RUBRIC_WORDS
    own = Bands(words=("a", "b", "c", "d"))
    assert metrics.raters(read(codes, "judge"), bands=own).bands.words == own.words


def test_a_rare_label_among_judges_is_named_without_a_rubric() -> None:
    codes = np.zeros((800, 3), np.int16)
    codes[:20, 0] = codes[20:40, 1] = codes[40:50] = 1
    judges = told(codes, "judge")
    assert "prevalence paradox" in judges
    assert "rubric is" not in judges
    assert "do not show that the rubric is unclear" in told(codes, "human")
