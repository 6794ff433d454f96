"""Shapes in which labels of people and models are published: who is who, on what, and what is worked out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import build as build_ratings
from metrics.readers import confirmed, open_table, propose
from metrics.readers.proposal import Proposal

N = 40
Columns = Mapping[str, Sequence[object] | np.ndarray]


def flips(values: np.ndarray, seed: int, words: Sequence[object] = (0, 1)) -> np.ndarray:
    """Return labels of which a fifth is another one."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(len(values)) < 0.2, rng.choice(np.array(words), len(values)), values)


def some(words: Sequence[object], seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).choice(np.array(words), N)


def proposed(tmp_path: Path, columns: Columns, name: str = "labels.csv") -> Proposal:
    path = tmp_path / name
    pd.DataFrame({"id": [f"r{k}" for k in range(N)], **columns}).to_csv(path, index=False)
    return propose(open_table(path))


def raters_on_criteria(proposal: Proposal) -> dict[str, str]:
    return {column: role for role, column in proposal.columns if ":" in role}


def test_a_person_s_0_and_1_beside_a_program_s_true_and_false(tmp_path: Path) -> None:
    gold = some((0, 1))
    columns = {"is_strict": flips(gold, 1) == 1, "is_broad": flips(gold, 2) == 1, "gold_label": gold}
    assert raters_on_criteria(proposed(tmp_path, columns))["gold_label"] == "human:gold_label"


def test_criteria_that_end_in_whose_labels_they_are_in_each_file(tmp_path: Path) -> None:
    criteria = ("groundedness", "helpfulness", "brand_voice")
    people = {f"{name}_human": some((1, 2, 3, 4, 5), place) for place, name in enumerate(criteria)}
    judges = {name.replace("human", "judge"): flips(cells, 7, (1, 2, 3, 4, 5)) for name, cells in people.items()}
    judges["brand_voice_judge"][:] = 5  # a judge may say the same of every item
    gold, judge = tmp_path / "gold.csv", tmp_path / "judge_scores.csv"
    ids = [f"r{k}" for k in range(N)]
    pd.DataFrame({"id": ids, **people, "rater": "author"}).to_csv(gold, index=False)
    pd.DataFrame({"id": ids, **judges}).to_csv(judge, index=False)
    table = open_table([gold, judge])
    ratings = build_ratings(table, confirmed(propose(table)))
    assert ratings.criteria == criteria
    assert (ratings.humans, len(ratings.judges)) == (("author",), 1)
    (judged,) = metrics.agreement(ratings).judges.values()
    for name in criteria:
        by_hand = (people[f"{name}_human"] == judges[f"{name}_judge"]).mean()
        assert judged.criteria[name].estimates["accuracy"].value == pytest.approx(by_hand)


@pytest.mark.parametrize("name", ["is_flip", "unanimous", "diff"])
def test_a_flag_in_other_words_that_compares_two_columns_is_no_rater(tmp_path: Path, name: str) -> None:
    first = some((-1, 0, 1))
    second = flips(first, 3, (-1, 0, 1))
    columns = {"human_label": first, "llm_label": second, name: first != second}
    assert name not in dict(proposed(tmp_path, columns).columns).values()


def test_a_flag_of_its_own_is_no_comparison(tmp_path: Path) -> None:
    first = some(("yes", "no"))
    columns = {"ana": first, "ben": flips(first, 3, ("yes", "no")), "cem": flips(first, 4, ("yes", "no"))}
    assert set(raters_on_criteria(proposed(tmp_path, columns))) == {"ana", "ben", "cem"}


def test_whether_both_agree_on_each_criterion_within_records(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    records = []
    for k in range(12):
        of = {c: dict(zip(("human", "judge"), rng.choice(["pass", "fail"], 2).tolist(), strict=True)) for c in ("C1", "C2")}
        records.append(
            {
                "incident": f"i{k}",
                "criteria": {c: {**sides, "agree": sides["human"] == sides["judge"]} for c, sides in of.items()},
            }
        )
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps({"version": "v3", "per_criterion": {"C1": {"rate": 1.0}}, "per_incident": records}), "utf-8")
    table = open_table(path)
    ratings = build_ratings(table, confirmed(propose(table)))
    assert (ratings.n_items, ratings.criteria, ratings.humans, ratings.judges) == (12, ("C1", "C2"), ("human",), ("judge",))


def test_an_answer_as_it_was_given_beside_both_sides_of_each_field(tmp_path: Path) -> None:
    columns: dict[str, np.ndarray] = {}
    for place, (field, words) in enumerate(
        (("law", ("texas", "delaware")), ("days", ("30", "60")), ("change", ("True", "False")))
    ):
        gold = some(words, place)
        pred = flips(gold, place + 9, words)
        columns |= {
            field: np.char.upper(pred),
            f"correct_{field}": gold == pred,
            f"norm_pred_{field}": pred,
            f"norm_gold_{field}": gold,
        }
    split = raters_on_criteria(proposed(tmp_path, columns))
    assert split == {
        f"norm_{side}_{field}": f"{role}:norm_{side}::{field}"
        for field in ("law", "days", "change")
        for side, role in (("pred", "judge"), ("gold", "human"))
    }


def test_numbered_coders_behind_criteria_with_their_scale(tmp_path: Path) -> None:
    criteria = ("human_frame_conflict(0/1)", "human_frame_economic(0/1)", "human_interest(0/1)")
    columns = {f"{name}_coder{k}": some((0, 1), place + k) for place, name in enumerate(criteria) for k in (1, 2)}
    split = raters_on_criteria(proposed(tmp_path, columns))
    assert split["human_frame_conflict(0/1)_coder2"] == "human:coder2::frame_conflict(0/1)"
    assert len(split) == 6


def test_a_pair_in_words_that_nobody_knows_is_named_where_it_is_not_read(tmp_path: Path) -> None:
    words, points = ("AUTO_HANDLE", "ESCALATE"), (4.2, 4.5, 4.7, 4.9)
    human = some(words)
    columns = {
        "agent_decision": flips(human, 2, words), "human_expected_decision": human,
        "judge_overall_score": some(points, 5), "human_overall_score": some(points, 6),
    }  # fmt: skip
    proposal = proposed(tmp_path, columns)
    assert dict(proposal.columns)["human"] == "human_overall_score"
    assert any("not read" in note and "human_expected_decision" in note for note in proposal.notes)


def test_a_screening_by_two_models_is_of_two_judges(tmp_path: Path) -> None:
    columns = {f"decision_{model}": some(("include", "exclude"), place) for place, model in enumerate(("codex", "gemini"))}
    assert all(role.startswith("judge:") for role in raters_on_criteria(proposed(tmp_path, columns)).values())


def test_criteria_that_end_in_human_are_of_one_person(tmp_path: Path) -> None:
    columns = {f"{name}_human": some((1, 2, 3), place) for place, name in enumerate(("clarity", "tone", "overall"))}
    split = raters_on_criteria(proposed(tmp_path, columns))
    assert split["tone_human"] == "human:human::tone"
    people = {f"{name}_human": some((1, 2, 3), place) for place, name in enumerate(("annotator1", "annotator2"))}
    assert set(raters_on_criteria(proposed(tmp_path, people)).values()) == {f"human:{name}" for name in people}


def test_results_of_an_analysis_are_no_labels(tmp_path: Path) -> None:
    path = tmp_path / "agreement.csv"
    path.write_text(
        "dimension,n_valid,exact_agreement,cohen_kappa,quadratic_weighted_kappa\ntone,30,0.8,0.6,0.7\ndepth,30,0.7,0.6,0.7\n"
    )
    said = "‘cohen_kappa’, ‘quadratic_weighted_kappa’ are results of an analysis. Send the labels that it was made from."
    with pytest.raises(metrics.InputError, match=said):
        propose(open_table(path))
    with_labels = path.read_text().replace("kappa", "kapp").replace("n_valid", "p_value") + "tone,30,0.8,0.6,0.7\n"
    path.write_text("human,judge_label," + with_labels.replace("\n", "\nyes,no,", 3))
    assert propose(open_table(path)).column("human") == "human", "a p value beside labels is no reason"


def test_a_note_of_the_evaluator_names_nobody(tmp_path: Path) -> None:
    columns = {"err_facts": some((0, 1)), "err_language": some((0, 1), 2), "evaluator_note": ["", "typo", "units", "typo"] * 10}
    assert "evaluator_note" not in dict(proposed(tmp_path, columns).columns).values()


def test_the_run_of_a_model_is_no_rater(tmp_path: Path) -> None:
    columns = {"iteration": [0, 1] * 20, "GPT-5": some((1, 2, 3)), "Llama-3": some((1, 2, 3), 2), "human": some((1, 2, 3), 3)}
    assert "iteration" not in raters_on_criteria(proposed(tmp_path, columns))


def test_winners_of_several_people_are_labels(tmp_path: Path) -> None:
    words = ("model_1", "model_2", "tie")
    columns = {f"winner{k}": some(words, k) for k in (1, 2, 3)}
    assert set(raters_on_criteria(proposed(tmp_path, columns))) == set(columns)


def test_ann_names_the_rater_of_an_annotation(tmp_path: Path) -> None:
    rows = [(k, f"Ann. {who}", name, (k + who) % 3) for k in range(12) for who in (1, 2) for name in ("bias", "tone")]
    path = tmp_path / "ratings.csv"
    pd.DataFrame(rows, columns=["art_id", "ann", "criteriaID", "annotation"]).to_csv(path, index=False)
    found = dict(propose(open_table(path)).columns)
    assert found == {"item": "art_id", "rater": "ann", "criterion": "criteriaID", "label": "annotation"}
