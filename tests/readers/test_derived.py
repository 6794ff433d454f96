"""Columns that are worked out of others: no rater, no verdict and no criterion of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import metrics
from metrics.readers import Proposal, open_table, propose

ALWAYS_TWO = [(2, 2, 2, 2), (2, 1, 2, 2), (2, 2, 2, 2), (2, 0, 2, 2), (2, 1, 2, 2), (2, 2, 2, 2), (2, 2, 2, 2), (2, 1, 2, 2)]
MARKS = [(5, 3, 4), (4, 4, 2), (3, 5, 5), (2, 2, 3), (5, 4, 4), (1, 3, 2), (4, 5, 3), (3, 1, 1)]


def sheet(header: str, rows: list[tuple[object, ...]], name: str = "sheet.csv") -> Proposal:
    lines = [header, *(",".join(map(str, (f"q{place}", *row))) for place, row in enumerate(rows))]
    return propose(open_table("\n".join(lines).encode(), name))


def test_criteria_on_which_a_person_always_says_the_same_are_read_in_a_file_of_people() -> None:
    found = sheet("id,accuracy,completeness,clarity,safety,overall_score", [(*row, sum(row)) for row in ALWAYS_TWO], "human.csv")
    assert found.criteria == ("accuracy", "completeness", "clarity", "safety")
    assert dict(found.roles) == {"human": "human"}
    assert not found.missing
    elsewhere = sheet("id,accuracy,completeness,clarity,safety,overall_score", [(*row, sum(row)) for row in ALWAYS_TWO])
    assert "human" not in dict(elsewhere.roles)


def test_a_criterion_that_always_says_the_same_is_read_or_named() -> None:
    rows = [(4, mark[0], mark[1], 4) for mark in MARKS]
    found = sheet("language,Accuracy,Fluency,Grammar,Wit", rows, "human_scores.csv")
    assert found.criteria == ("Accuracy", "Fluency", "Grammar")
    assert "Not read as a criterion, because every row says the same: ‘Wit’." in found.notes


def test_numbers_in_a_file_of_people_are_no_judges() -> None:
    rows = [(place % 3 + 7,) for place in range(8)]
    of_people = sheet("id,exam_score", rows, "human_ratings.csv")
    assert (dict(of_people.columns)["human"], of_people.missing) == ("exam_score", ("verdict",))
    several = sheet("id,exam_score,essay_score", [(*row, 100 - row[0]) for row in rows], "human_ratings.csv")
    assert several.missing == ("human", "verdict")
    assert dict(sheet("id,exam_score", rows, "ratings.csv").columns)["verdict"] == "exam_score"
    assert dict(sheet("id,llm_score", rows, "human_ratings.csv").columns)["verdict"] == "llm_score"


@pytest.mark.parametrize("whole", [sum, lambda row: sum(row) / len(row), lambda row: round(sum(row) / len(row), 1)])
@pytest.mark.parametrize("header", ["id,accuracy,clarity,safety,overall", "id,overall,accuracy,clarity,safety"])
def test_a_total_of_criteria_is_no_criterion(header: str, whole) -> None:
    last = header.endswith("overall")
    found = sheet(header, [(*row, whole(row)) if last else (whole(row), *row) for row in MARKS])
    assert found.criteria == ("accuracy", "clarity", "safety")
    assert last is False or "‘overall’ is worked out from the others, and is not read as one more of them." in found.notes


def test_what_is_nearly_a_total_and_criteria_that_are_alike_are_criteria() -> None:
    nearly = [(*row, round(sum(row) / 3) + (place == 4)) for place, row in enumerate(MARKS)]
    assert sheet("id,accuracy,clarity,safety,overall", nearly).criteria == ("accuracy", "clarity", "safety", "overall")
    alike = [(a, b, b, b) for a, b, _ in MARKS]
    assert sheet("id,accuracy,clarity,safety,helpful", alike).criteria == ("accuracy", "clarity", "safety", "helpful")
    flags = [(k % 2, int(k == 2), int(k % 2 or k == 2)) for k in range(8)]
    assert len(sheet("id,has_slang,has_typo,has_flaw", flags).criteria) == 3


def test_a_total_of_one_rater_beside_another_is_no_criterion() -> None:
    rows = [(*row, sum(row), *row[::-1], sum(row)) for row in MARKS]
    heads = [f"{who}_{name}" for who in ("human", "judge") for name in ("tone", "depth", "wit", "total")]
    found = sheet(",".join(["id", *heads]), rows)
    assert found.criteria == ("tone", "depth", "wit")


def test_a_mean_of_two_people_that_is_filled_in_where_they_are_near_is_no_third() -> None:
    pairs = [(3, 3), (4, 3), (5, 3), (4, 4), (4, 3), (4, 3), (5, 4), (4, 3), (4, 3)]
    rows = [(a, b, (a + b) / 2 if abs(a - b) < 2 else "") for a, b in pairs]
    found = sheet("id,mary_accuracy,tom_accuracy,validated_accuracy", rows)
    assert set(dict(found.columns).values()) == {"mary_accuracy", "tom_accuracy", "id"}
    assert "‘validated_accuracy’ is worked out from the others, and is not read as one more of them." in found.notes
    mean = sheet("id,mary_accuracy,tom_accuracy,mean,validated_accuracy", [(a, b, (a + b) / 2, one) for a, b, one in rows])
    assert set(dict(mean.columns).values()) == {"mary_accuracy", "tom_accuracy", "id"}
    whole = sheet("id,mary_accuracy,tom_accuracy,kim_accuracy", [(a, b, max(a, b)) for a, b in pairs])
    assert "kim_accuracy" in dict(whole.columns).values()
    halves = sheet("id,mary_accuracy,tom_accuracy,kim_accuracy", [(a, b, b + 0.5 * (a > 3)) for a, b in pairs[:5] * 2])
    assert "kim_accuracy" in dict(halves.columns).values()


GRID = [f"{who}_{name}" for who in ("a", "b", "consensus") for name in ("tone", "depth", "wit", "fit", "total")]
GRADES = [(2, 1, 0, 2), (1, 1, 2, 2), (0, 2, 2, 1), (2, 2, 1, 0), (1, 0, 2, 2), (2, 2, 2, 1), (0, 1, 1, 2), (2, 1, 2, 2)]
OTHERS = [(2, 1, 0, 2), (1, 2, 2, 2), (0, 2, 2, 1), (2, 1, 1, 0), (1, 0, 2, 1), (2, 2, 2, 1), (0, 0, 1, 2), (2, 1, 2, 2)]


def grid() -> bytes:
    rows = [(*a, sum(a), *b, sum(b), *b, sum(b)) for a, b in zip(GRADES, OTHERS, strict=True)]
    lines = [",".join(["item_id", *GRID]), *(",".join(map(str, (f"q{place}", *row))) for place, row in enumerate(rows))]
    return "\n".join(lines).encode()


def judged() -> bytes:
    rows = [
        {"item_id": f"q{k}", "judge_model": "gpt-5", "result": dict(zip(TONES, row, strict=True))} for k, row in enumerate(OTHERS)
    ]
    return "\n".join(map(json.dumps, rows)).encode()


TONES = ("tone", "depth", "wit", "fit")
WHO = {"a": "human", "b": "human", "consensus": "out"}


def test_raters_of_a_grid_are_asked_about_once_each_and_what_they_agreed_on_is_left_out() -> None:
    proposal = propose(open_table(grid(), "sheet.csv"))
    assert proposal.criteria == TONES
    assert (proposal.columns_answer, proposal.roles_answer) == ({"item": "item_id"} if "item" in proposal.guessed else {}, WHO)
    assert any("‘consensus’ reads like what people agreed on" in note for note in proposal.notes)
    said = propose(open_table(grid(), "sheet.csv"), roles=WHO)
    assert not [doubt for doubt in said.blocking if doubt.about == "columns"]
    ratings = metrics.read(grid(), roles=WHO, scale="ordinal")
    assert (ratings.humans, ratings.judges, ratings.criteria) == (("a", "b"), (), TONES)


def test_a_proposal_for_a_grid_beside_a_judge_is_whole_and_is_taken(tmp_path: Path) -> None:
    (tmp_path / "human_labels.csv").write_bytes(grid())
    (tmp_path / "judged.jsonl").write_bytes(judged())
    for names in (("human_labels.csv", "judged.jsonl"), ("judged.jsonl", "human_labels.csv")):
        paths = [tmp_path / name for name in names]
        with pytest.raises(metrics.InputError) as caught:
            metrics.read(paths)
        assert "more part" not in str(caught.value)
        proposal = propose(open_table(paths))
        columns, roles = proposal.columns_answer, proposal.roles_answer
        assert {name: columns.get(f"role:{name}") or roles[name] for name in WHO} == WHO
        ratings = metrics.read(paths, columns=columns, roles=roles or None, scale="ordinal")
        assert (ratings.humans, ratings.judges, ratings.criteria) == (("a", "b"), ("gpt-5",), TONES)
        told = propose(open_table(paths), roles=WHO)
        assert "human or judge" not in " ".join(doubt.sentence for doubt in told.blocking)
