"""Raters, ensembles, ROC curves, scores and preferences from a tally are those of the rows, to the last digit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import metrics
from metrics.analyses.ensembles.cluster_judges import think_alike
from metrics.analyses.ensembles.errors import shared_errors
from metrics.analyses.ensembles.growth import panel_growth
from metrics.analyses.ensembles.matrices import judge_matrices
from metrics.analyses.ensembles.panel import with_panel
from metrics.analyses.ensembles.readings import split_reading
from metrics.analyses.ensembles.runs import self_agreement
from metrics.analyses.ensembles.split import split_decisions
from metrics.analyses.ensembles.weighted import weighted_agreement
from metrics.analyses.preferences.compute import preferences
from metrics.analyses.preferences.positions import positions
from metrics.analyses.preferences.systems import systems
from metrics.analyses.raters.adjudicating import disagreements
from metrics.analyses.raters.alternative import alternative_annotator
from metrics.analyses.raters.ceiling import human_ceiling
from metrics.analyses.raters.evidence import evidence
from metrics.analyses.raters.label_rates import label_rates
from metrics.analyses.scores.compute import scores
from metrics.analyses.scores.item_scores import item_scores
from metrics.data.ratings import Ratings
from metrics.engines import count
from metrics.errors import InputError
from tests.raters.written import of_disagreements, of_evidence
from tests.shared_data import data
from tests.tallies import tally_of, text_of

ROOT = Path(__file__).parents[2]
AB = {"A": "positive", "B": "negative", "tie": "tie"}
LEVELS = dict.fromkeys(["full_compliance", "full_refusal", "partial_refusal"], "class")
HOW: dict[str, dict[str, Any]] = {
    "rao_two_criteria": {},
    "support_answers": {},
    "dices350_expert_vs_crowd": {},
    "llmrubric_real_ordinal": {"order": ["1", "2", "3", "4"]},
    "ragas_annotated": {},
    "mtbench_gpt4_pairwise": {"labels": AB},
    "mtbench_raters": {"labels": AB},
    "xstest_refusal": {"labels": LEVELS},
    "topicalchat_unieval": {"scale": "continuous"},
    "viescore_t2i_raters": {"labels": dict.fromkeys(["0", "0.5", "1"], "class")},
}
"""How each file is read."""
KEPT = {"xstest_refusal": ("prompt_id",)}
"""Columns that reports speak of without being asked, and that a tally must keep for that."""
Report = Callable[[Ratings], Any]


def judge(ratings: Ratings) -> str:
    if not ratings.judges:
        raise InputError("no judge")
    return ratings.judges[0]


def seen(ratings: Ratings) -> Any:
    """What raters show, but for the order of rows."""
    records = of_evidence(evidence(ratings)).values()
    return [{key: own for key, own in one.items() if key not in ("fatigue", "causes")} for one in records]


REPORTS: dict[str, Report] = {
    "raters": lambda ratings: metrics.raters(ratings).to_dict(),
    "raters, ordinal": lambda ratings: metrics.raters(ratings, level="ordinal").to_dict(),
    "evidence": seen,
    "disagreements": lambda ratings: of_disagreements(disagreements(ratings)),
    "rates": label_rates,
    "ceiling": lambda ratings: human_ceiling(ratings, next(iter(ratings.judges), None)),
    "alternative": lambda ratings: alternative_annotator(ratings, judge(ratings)),
    "roc": lambda ratings: metrics.roc(ratings).to_dict(),
    "roc, folds": lambda ratings: metrics.roc(ratings, holding_out="cross", rng=3).to_dict(),
    "scores": lambda ratings: scores(ratings).to_dict(),
    "scores, numbers": lambda ratings: scores(ratings, on="score").to_dict(),
    "item scores": lambda ratings: item_scores(ratings).to_dict(),
    "preferences": lambda ratings: preferences(ratings, judge(ratings)),
    "errors": shared_errors,
    "growth": panel_growth,
    "matrices": judge_matrices,
    "alike": think_alike,
    "weighted": weighted_agreement,
    "split": lambda ratings: split_reading(split_decisions(ratings)),
    "panel": lambda ratings: (with_panel(ratings).source.panels, metrics.agreement(with_panel(ratings)).to_dict()),
}


@cache
def both(name: str) -> tuple[Ratings, Ratings]:
    """The rows of a file, and a tally of them."""
    sample = ROOT / "assets" / f"{name}.csv"
    path = sample if sample.exists() else data(f"{name}.csv")
    return metrics.read(path, **HOW[name]), tally_of(path, keep=KEPT.get(name, ()), **HOW[name])


def told(report: Report, ratings: Ratings) -> str:
    try:
        return text_of(plain(report(ratings)))
    except InputError as error:
        return str(error)


def plain(found: Any) -> Any:
    """Whatever a result is made of, as JSON knows it."""
    if is_dataclass(found) and not isinstance(found, type):
        return {own.name: plain(getattr(found, own.name)) for own in fields(found)}
    if isinstance(found, Mapping):
        return {str(key): plain(own) for key, own in found.items()}
    if isinstance(found, (list, tuple)):
        return [plain(own) for own in found]
    return found.tolist() if isinstance(found, (np.ndarray, np.generic)) else found


@pytest.mark.slow("all on rows and on their tally")
@pytest.mark.parametrize("name", HOW)
def test_every_report_is_that_of_the_rows(name: str) -> None:
    whole, tally = both(name)
    assert tally.n_items == whole.n_items
    for key, report in REPORTS.items():
        assert told(report, tally) == told(report, whole), key


def table_of(n: int, seed: int, n_systems: int, criteria: tuple[str, ...]) -> str:
    """Two answers compared, in both orders, for some systems, by two judges of which one was asked twice, with scores."""
    rng = np.random.default_rng(seed)
    lines = ["item,criterion,rater,role,label,run,score,verdict_swapped,model_a,model_b,prompt"]
    for item in range(n):
        a, b = rng.choice(["x", "y", "z"][:n_systems], 2, replace=False)
        for criterion in criteria:
            for rater, role in (("h1", "human"), ("h2", "human"), ("j1", "judge"), ("j2", "judge")):
                for run in range(1 + (rater == "j1")):
                    label, swapped = rng.choice(["A", "B", "tie"], 2, p=[0.8, 0.15, 0.05])
                    score = int(label == "A")
                    cells = (f"i{item}", criterion, rater, role, label, run + 1, score, swapped, a, b, f"p{item % 3}")
                    lines.append(",".join(map(str, cells)))
    return "\n".join(lines) + "\n"


@pytest.mark.slow("all on rows and on their tally")
@pytest.mark.parametrize(("n", "n_systems", "criteria"), [(30, 3, ("c1", "c2")), (300, 2, ("c1",))])
def test_columns_that_are_kept_and_runs(tmp_path: Path, n: int, n_systems: int, criteria: tuple[str, ...]) -> None:
    path = tmp_path / "made.csv"
    path.write_text(table_of(n, 1, n_systems, criteria))
    kept = ("verdict_swapped", "model_a", "model_b", "prompt")
    whole, tally = metrics.read(path, labels=AB), tally_of(path, labels=AB, keep=kept)
    assert tally.runs is not None
    assert (tally.n_unique < n) == (n == 300)
    more: dict[str, Report] = {
        "positions": lambda ratings: positions(ratings, "j1"),
        "systems": lambda ratings: systems(ratings, "j2"),
        "runs": self_agreement,
        "roc by prompt": lambda ratings: metrics.roc(ratings, unit="prompt").to_dict(),
        "numbers by prompt": lambda ratings: scores(ratings, on="score", unit="prompt").to_dict(),
    }
    for key, report in (REPORTS | more).items():
        assert told(report, tally) == told(report, whole), key


@pytest.mark.slow("all on rows and on their tally")
def test_a_counted_file_with_repeated_rows_gives_the_numbers_of_its_rows() -> None:
    path = data("mtbench_gpt4_votes.csv")
    whole, tally = metrics.read(path, labels=AB), metrics.read(count(path).to_bytes(), labels=AB)
    for key in ("raters", "evidence", "ceiling", "roc", "scores"):
        one, other = (told(REPORTS[key], own).replace(own.source.name, "the file") for own in (whole, tally))
        assert one == other, key


SAID = st.sampled_from(["yes", "no", "no", "N/A", ""])
ITEM = st.tuples(*[st.tuples(SAID, st.integers(0, 2))] * 8)
"""What two humans and two judges say on two criteria, each with a number; nothing where the label is empty."""
QUICK = ("raters", "evidence", "disagreements", "rates", "ceiling", "roc", "scores", "item scores", "errors", "alike", "split")


@pytest.mark.slow("all on rows and on their tally")
@settings(max_examples=4, deadline=None, phases=[Phase.generate])
@given(st.lists(st.tuples(ITEM, st.integers(1, 6)), min_size=2, max_size=6))
def test_any_table_with_items_that_are_alike(kinds: list[tuple[tuple[tuple[str, int], ...], int]]) -> None:
    lines = ["item,criterion,rater,role,label,score", "a,c1,h1,human,yes,1", "a,c1,j1,judge,no,0", "a,c2,j2,judge,no,0"]
    raters = (("h1", "human"), ("h2", "human"), ("j1", "judge"), ("j2", "judge"))
    slots = [(criterion, *rater) for criterion in ("c1", "c2") for rater in raters]
    for place, (said, times) in enumerate(kinds):
        given_there = [(*slot, label, str(score)) for slot, (label, score) in zip(slots, said, strict=True) if label]
        lines += [f"{place}.{item}," + ",".join(own) for item in range(times) for own in given_there]
    content = ("\n".join(lines) + "\n").encode()
    how = {"labels": {"yes": "positive", "no": "negative", "N/A": "abstention"}}
    whole, tally = metrics.read(content, **how), tally_of(content, **how)
    assert tally.n_unique <= len(kinds) + 1
    for key in QUICK:
        assert told(REPORTS[key], tally) == told(REPORTS[key], whole), key
