"""Real and typical files: which are taken, which ask and how, and what comes out after the answer."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.asker import shell
from metrics.commands.options import pairs_of
from metrics.data.labels import AFTER_CLASSES
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.readers import build, confirmed, open_table, propose, read
from tests.shared_data import data, files, shared

pytestmark = pytest.mark.usefixtures("as_command")

TABLES = "formats/examples/tables"


def shares(ratings: Ratings) -> dict[str, int]:
    """Ratings by verdict state: the classes, then what is no verdict."""
    names = (*ratings.scheme.classes, *AFTER_CLASSES)
    counts = np.bincount(ratings.state, minlength=len(names))
    return {name: int(count) for name, count in zip(names, counts, strict=True) if count}


def accounted(ratings: Ratings) -> bool:
    return ratings.rows_used + len(ratings.left_out.rows) == ratings.source.rows


@pytest.mark.parametrize(
    ("name", "rows", "items", "judges", "humans", "states"),
    [
        ("llmrubric_real_binary.csv", 1784, 223, 1, 16, {"MET": 1146 + 1525, "UNMET": 332 + 259, "abstention": 306}),
        ("ragas_annotated.csv", 58, 58, 1, 1, {"MET": 35 + 39, "UNMET": 23 + 19}),
        ("dices350_expert_vs_crowd.csv", 350, 350, 1, 1, {"Yes": 175 + 80, "No": 175 + 270}),
        ("dices350_raters.csv", 43050, 350, 0, 0, {"Yes": 14064, "No": 26292, "abstention": 2694}),
    ],
)
def test_taken_without_asking(name: str, rows: int, items: int, judges: int, humans: int, states: dict[str, int]) -> None:
    ratings = read(data(name))
    assert (ratings.source.rows, ratings.n_items, len(ratings.judges)) == (rows, items, judges)
    assert len(ratings.humans) >= min(humans, 1)
    assert shares(ratings) == states
    assert ratings.rows_used == rows
    assert accounted(ratings)


AB = {"A": "positive", "B": "negative", "tie": "tie"}
LEVELS = dict.fromkeys(["full_compliance", "full_refusal", "partial_refusal"], "class")


@pytest.mark.parametrize(
    ("name", "question", "answer", "states"),
    [
        ("mtbench_gpt4_pairwise.csv", "which of two is better", AB, {"A": 671 + 714, "B": 591 + 650, "tie": 552 + 450}),
        ("mtbench_raters.csv", "which of two is better", AB, {"A": 1342, "B": 1233, "tie": 779}),
        (
            "pandalm_pairwise.csv",
            "--labels 1=positive,2=negative,tie=tie",
            {"1": "positive", "2": "negative", "tie": "tie"},
            {"1": 422 + 893, "2": 472 + 935, "tie": 105 + 145, "invalid": 25},
        ),
        (
            "llmbar_natural.csv",
            "--labels output_1=positive,output_2=negative",
            {"output_1": "positive", "output_2": "negative"},
            {"output_1": 42 + 3179, "output_2": 58 + 3305, "invalid": 16},
        ),
        (
            "xstest_refusal.csv",
            "‘full_compliance’ in row 2 (and 4825 more)",
            LEVELS,
            {"full_compliance": 1091 + 2644, "full_refusal": 983 + 1816, "partial_refusal": 176 + 29, "invalid": 11},
        ),
        (
            "xstest_raters.csv",
            "have no meaning yet",
            LEVELS,
            {"full_compliance": 2172, "full_refusal": 1982, "partial_refusal": 346},
        ),
        (
            "viescore_t2i_raters.csv",
            "The labels 0.0, 0.5, 1.0 are numbers",
            dict.fromkeys(["0", "0.5", "1"], "class"),
            {"0.0": 436, "0.5": 3935, "1.0": 1539},
        ),
    ],
)
def test_asked(name: str, question: str, answer: dict[str, str], states: dict[str, int]) -> None:
    with pytest.raises(InputError) as caught:
        read(data(name))
    assert question in str(caught.value)
    assert name in str(caught.value)
    assert "--labels" in str(caught.value)
    ratings = read(data(name), labels=answer)
    assert shares(ratings) == states
    assert accounted(ratings)
    assert ratings.rows_used == ratings.source.rows
    proposal = propose(open_table(data(name)))
    assert confirmed(proposal).scheme.n_classes == ratings.scheme.n_classes


def test_ordinal_labels_by_order() -> None:
    ratings = read(data("llmrubric_real_ordinal.csv"), order=["1", "2", "3", "4"])
    assert shares(ratings) == {"1": 116 + 74, "2": 401 + 268, "3": 608 + 1513, "4": 576 + 152, "abstention": 306}
    assert ratings.score is not None
    assert np.count_nonzero(~np.isnan(ratings.score)) == 2007


def test_votes_of_many_humans_beside_one_verdict() -> None:
    ratings = read(data("mtbench_gpt4_votes.csv"), labels=AB)
    judged = np.count_nonzero(ratings.rater == ratings.code("gpt-4-pair", "judge"))
    assert (judged, len(ratings.item) - judged) == (1814, 3354)
    assert ratings.left_out.counts() == {"repeated: a later row gives the same item, criterion and rater": 1}
    assert accounted(ratings)


def test_continuous_verdicts_are_no_labels() -> None:
    with pytest.raises(InputError) as caught:
        read(data("topicalchat_unieval.csv"))
    assert "‘verdict’ holds 2\u202f117 different numbers, more than labels would have" in str(caught.value)
    assert str(caught.value).endswith("If this is right: --scale continuous")


def asks(name: str, *parts: str) -> None:
    with pytest.raises(InputError) as caught:
        read(shared(f"{TABLES}/{name}"))
    for part in parts:
        assert part in str(caught.value)


def answered(name: str, **options: Any) -> Ratings:
    ratings = read(shared(f"{TABLES}/{name}"), **options)
    assert accounted(ratings)
    return ratings


def test_paired() -> None:
    asks("paired.csv", "--columns human=human_label,verdict=judge_label,item=id")
    ratings = answered("paired.csv", columns={"item": "id", "human": "human_label", "verdict": "judge_label"})
    assert shares(ratings) == {"Pass": 9, "Fail": 6}
    asks("evals_skills.csv", "human is ‘human_label’", "verdict is ‘judge_result’", "item is ‘trace_id’")


def test_paired_messy() -> None:
    asks(
        "paired_messy.csv",
        "--columns human=label,verdict=prediction",
        "‘Defer’ in row 9 may mean",
        "‘The answer is correct. Verdict: PASS’ in row 4 has no meaning yet.",
        "Say whether it is Pass, Fail, a class of its own, no verdict or invalid.",
        "Defer=abstention,The answer is correct. Verdict: PASS=invalid",
    )
    labels = {"Defer": "abstention", "The answer is correct. Verdict: PASS": "invalid"}
    ratings = answered("paired_messy.csv", columns={"human": "label", "verdict": "prediction"}, labels=labels)
    assert shares(ratings) == {"Pass": 7, "Fail": 4, "abstention": 3, "invalid": 1}
    assert ratings.rows_used == 8


def test_long() -> None:
    ratings = answered("long.csv")
    assert (ratings.humans, ratings.judges) == (("ana", "ben"), ("judge-a",))
    assert ratings.rows_used == 18


def test_long_messy() -> None:
    asks("long_messy.csv", "role is ‘Type’", "rater is ‘Grader’", "item is ‘Example ID’", "1, 4, 4.0 are numbers")
    columns = {"role": "Type", "rater": "Grader", "item": "Example ID"}
    ratings = answered("long_messy.csv", columns=columns, labels={"1": "positive", "4": "class"})
    assert ratings.left_out.counts() == {"no label": 1}
    assert ratings.items.to_pylist() == ["1", "01", "2", "3", "4"]
    assert shares(ratings) == {"1": 4, "Fail": 2, "4": 2, "abstention": 2, "error": 1}


def test_wide() -> None:
    asks("wide.csv", "--columns human:ana=human_ana,human:ben=human_ben,judge:a=judge_a")
    ratings = answered("wide.csv", columns={"human:ana": "human_ana", "human:ben": "human_ben", "judge:a": "judge_a"})
    assert shares(ratings) == {"Pass": 13, "Fail": 9}


CORRECT = {"item": "id", "human:Ana": "correct (Ana)", "human:Ben": "correct (Ben)", "judge:gpt": "correct (gpt judge)"}


def test_wide_messy() -> None:
    people = "‘correct (Ana)’, ‘correct (Ben)’, ‘tone_Ana’: human or judge?"
    asks(
        "wide_messy.csv",
        people,
        "are numbers",
        "‘?’ in row 6",
        "‘-’ in row 3",
    )
    with pytest.raises(InputError, match="‘\\?’ in row 6 may mean: not sure, or not rated"):
        read(shared(f"{TABLES}/wide_messy.csv"), columns=CORRECT)
    with pytest.raises(InputError, match=r"Rows 4 and 5 of wide_messy.csv .* differ in ‘correct \(Ben\)’: ‘0’, then ‘1’"):
        read(shared(f"{TABLES}/wide_messy.csv"), columns=CORRECT, labels={"?": "abstention"})
    ratings = answered("wide_messy.csv", columns=CORRECT, labels={"?": "abstention"}, repeats="last")
    assert shares(ratings) == {"1": 9, "0": 3, "abstention": 3}
    assert ratings.left_out.counts() == {"blank row": 1, "repeated: a later row gives the same item, criterion and rater": 1}
    assert ratings.left_out.rows.tolist() == [4, 7]


def test_failure_modes() -> None:
    asks("failure_modes_wide.csv", "Criterion ‘wrong_policy’ asks for something bad", "human:human::rude=rude__human")
    columns = dict(propose(open_table(shared(f"{TABLES}/failure_modes_wide.csv"))).columns)
    ratings = answered("failure_modes_wide.csv", columns=columns, labels={"1": "positive", "0": "negative"})
    assert shares(ratings) == {"1": 5, "0": 18}


def test_pairwise() -> None:
    asks(
        "pairwise.csv",
        "--columns human=human_winner,verdict=judge_winner,item=question_id",
        "model_b=negative",
        "tie (bothbad)=tie",
    )


def test_counts() -> None:
    assert answered("counts_2x2.csv").scheme.classes == ("Pass", "Fail")
    ratings = answered("counts_kxk.csv")
    assert ratings.scheme.classes == ("1", "2", "3", "4")
    assert ratings.multiplicity is not None
    assert ratings.multiplicity.sum() == 100
    assert ratings.left_out.counts() == {"row of totals": 1}
    assert (answered("counts_long.csv").n_unique, answered("counts_long.csv").n_items) == (4, 100)


def test_other_statistics_tables() -> None:
    asks("irr_subjects_by_raters.csv", "human:rater1=rater1", "item=column 1", "2, 3, 4, 5 are numbers")
    columns = {"item": "column 1", "rater:1": "rater1", "rater:2": "rater2", "rater:3": "rater3"}
    ratings = answered("irr_subjects_by_raters.csv", columns=columns, order=["1", "2", "3", "4", "5"])
    assert shares(ratings) == {"2": 3, "3": 4, "4": 9, "5": 6, "abstention": 2}
    asks("irrcac_distribution.csv", "counts raters per item (Pass, Fail, NA)", "Send one row per rating")
    asks("judgy_arrays.json", "not a list of records")


FILES = [*files("data/*.csv"), *files(f"{TABLES}/*.csv")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_stating_what_is_proposed_settles_it(path: Path) -> None:
    if path.name == "irrcac_distribution.csv":
        pytest.skip("refused before anything is proposed")
    table = open_table(path)
    proposal = propose(table)
    labels = {row.label: row.kind for row in proposal.labels}
    typed = pairs_of(shlex.split(shell(proposal.columns_answer)), "--columns") if proposal.columns_answer else {}
    for columns in (dict(proposal.columns), typed):
        again = propose(table, columns, labels, scale=proposal.scale_answer or None, repeats="last")
        assert not again.blocking
        assert not again.guessed
        assert dict(again.columns) == dict(proposal.columns)
        assert build(table, again).n_items > 0


READ = {"ragas_annotated_data.json"}
"""Raw files of a known tool: they hold all that is asked of others."""


@pytest.mark.parametrize("path", [path for path in files("data/raw/*") if path.name not in READ], ids=lambda path: path.name)
def test_raw_files_end_in_a_question(path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(path)
    assert path.name in str(caught.value)
    assert len(str(caught.value)) <= 1000


def test_raw_annotators_side_by_side() -> None:
    columns = {"item": "idx", **{f"human:{name}": name for name in ("annotator1", "annotator2", "annotator3")}}
    labels = {"0": "tie", "1": "positive", "2": "negative"}
    ratings = read(data("raw/pandalm_testset-v1.json"), columns=columns, labels=labels)
    assert shares(ratings) == {"1": 1255, "2": 1416, "tie": 326}
    assert ratings.items[0].as_py() == "0"
