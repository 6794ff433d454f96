"""Files as more tools and people write them: whose a column is, and what two of them say together."""

from __future__ import annotations

import io
from collections.abc import Sequence

import openpyxl
import pytest

import metrics
from metrics.readers import open_table, propose
from metrics.readers.rater_roles import role_of_column

N = 12
YES = ["yes", "no", "yes", "yes", "no", "no"] * 2
OTHER = ["yes", "no", "no", "yes", "no", "yes"] * 2
SCORE = [0.9 if word == "yes" else 0.2 for word in OTHER]


def csv(**columns: Sequence[object]) -> bytes:
    rows = zip(*columns.values(), strict=True)
    return "\n".join(",".join(map(str, row)) for row in (columns, *rows)).encode()


def roles(data: bytes) -> dict[str, str]:
    return dict(propose(open_table(data)).columns)


IDS = [f"q{n}" for n in range(N)]


def test_an_outcome_beside_its_own_score_is_the_judge_once_more() -> None:
    told = roles(csv(id=IDS, passing=OTHER, score=SCORE, human_score=[1, 3, 5] * 4))
    assert (told["human"], told["verdict"]) == ("human_score", "score")
    columns = {"id": IDS, "Tone Score": SCORE, "Tone Success": OTHER, "annotation": YES}
    assert roles(csv(**columns)) | {"item": ""} == {"human": "annotation", "verdict": "Tone Success", "item": ""}
    with pytest.raises(metrics.InputError, match="No column holds the human's verdict"):
        metrics.read(csv(id=IDS, passed=OTHER, score_raw=SCORE))


def test_an_outcome_that_the_score_does_not_tell_apart_is_somebody_else() -> None:
    told = roles(csv(id=IDS, passed=YES, judge_score=SCORE))
    assert (told["human"], told["verdict"]) == ("passed", "judge_score")


@pytest.mark.parametrize("name", ["reviewer_verdict", "QA verdict", "adjudicated_verdict", "annotator verdict", "sme_verdict"])
def test_a_verdict_of_people_is_theirs(name: str) -> None:
    assert role_of_column(name) == "human"
    assert role_of_column("verdict") == role_of_column("gpt reviewer verdict") == role_of_column("tone_verdict") == "judge"


def test_what_a_program_works_out_is_nobody_s_label_beside_both() -> None:
    proposal = propose(open_table(csv(id=IDS, exact_match=[1, 0] * 6, llm_judge=[1, 1, 0] * 4, human_label=[1, 0, 0] * 4)))
    assert dict(proposal.columns) == {"human": "human_label", "verdict": "llm_judge", "item": "id"}
    assert "‘exact_match’ is worked out by a program" in " ".join(proposal.notes)
    assert roles(csv(id=IDS, exact_match=[1, 0] * 6, llm_judge=[1, 1, 0] * 4))["human"] == "exact_match"


@pytest.mark.parametrize("name", ["model_identifier", "judge_model", "modelResponses.modelIdentifier"])
def test_one_model_throughout_is_no_verdict(name: str) -> None:
    data = csv(**{"id": IDS, name: ["nova-lite"] * N, "response_model": ["nova-lite"] * N, "human_label": YES})
    assert "nova-lite" not in [row.label for row in propose(open_table(data)).labels]


@pytest.mark.parametrize(
    "names",
    [
        ("Correct Human", "Correct GPT-4", "Complete Human", "Complete GPT-4"),
        ("correct/human_rating", "correct/score", "complete/human_rating", "complete/score"),
        ("human_correct", "Correct", "human_complete", "Complete"),
        ("Correct (human)", "Correct (LLM)", "Complete (human)", "Complete (LLM)"),
    ],
)
def test_two_raters_on_two_criteria(names: tuple[str, ...]) -> None:
    table = open_table(csv(**dict(zip(("id", *names), (IDS, YES, OTHER, OTHER, YES), strict=True))))
    proposal = propose(table)
    assert not proposal.missing
    assert not any("(" in key for key, _ in proposal.columns)
    kinds = {key.split(":")[0] + "::" + key.rpartition("::")[2].casefold() for key, _ in proposal.columns if "::" in key}
    assert kinds == {"human::correct", "judge::correct", "human::complete", "judge::complete"}


def test_zero_and_one_are_labels_beside_words() -> None:
    proposal = propose(open_table(csv(id=IDS, human=YES, judge=[1 if word == "yes" else 0 for word in OTHER])))
    assert dict(proposal.columns) == {"human": "human", "verdict": "judge", "item": "id"}
    assert not proposal.threshold
    assert propose(open_table(csv(id=IDS, human=YES, judge=[1, 3, 5] * 4))).threshold == ">=3"


def test_positive_is_not_proposed_as_the_negative() -> None:
    words = ["positive", "negative", "positive"] * 4
    assert propose(open_table(csv(id=IDS, gold=words, pred=words[::-1]))).labels_answer == {
        "positive": "positive", "negative": "negative",
    }  # fmt: skip


def test_marks_in_a_column_called_feedback_are_labels() -> None:
    told = roles(csv(id=IDS, **{"Human Feedback": [1, 0] * 6, "LLM judge": [1, 1, 0] * 4}))
    assert told["human"] == "Human Feedback"
    answers = ["YES" if word == "yes" else "NO" for word in OTHER]
    told = roles(csv(query=IDS, passing=OTHER, feedback=answers, score=SCORE, human_label=YES))
    assert (told["human"], told["verdict"]) == ("human_label", "passing")


def test_one_file_of_people_by_name_and_one_of_judges_by_name_are_joined() -> None:
    people, judges = csv(item=IDS, rater=["tom", "mia"] * 6, correct=YES), csv(item=IDS, judge=["gpt-4o"] * N, correct=OTHER)
    with pytest.raises(metrics.InputError, match="verdict is ‘correct’"):
        metrics.read([people, judges])
    ratings = metrics.read([people, judges], roles={"tom": "human", "mia": "human"}, columns={"item": "item", "label": "correct"})
    assert metrics.agreement(ratings).judges["gpt-4o"].micro.n == N


def book(rows: Sequence[Sequence[object]], *merged: str) -> bytes:
    file, made = io.BytesIO(), openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    for cells in merged:
        made.active.merge_cells(cells)
    made.save(file)
    return file.getvalue()


def test_cells_merged_over_rows_count_in_each() -> None:
    rows = [[name, part, word, other] for name in IDS[:6] for part, word, other in (("a", "yes", "no"), ("b", "no", "no"))]
    data = book([["item", "criterion", "human", "verdict"], *rows], *(f"A{n}:A{n + 1}" for n in range(2, 14, 2)))
    ratings = metrics.read(data)
    assert (len(ratings.items), len(ratings.criteria), ratings.left_out.n) == (6, 2, 0)
    assert "Merged cells count in each of their rows." in ratings.source.notes


def test_headings_merged_over_columns_stand_above_names_that_are_labels_elsewhere() -> None:
    top, below = ["Item", "Human", None, "LLM judge", None], [None, "Correct", "Complete", "Correct", "Complete"]
    rows = [list(row) for row in zip(IDS, YES, OTHER, OTHER, YES, strict=True)]
    table = open_table(book([top, below, *rows], "A1:A2", "B1:C1", "D1:E1"))
    assert table.columns == ("Item", "Human Correct", "Human Complete", "LLM judge Correct", "LLM judge Complete")
    assert table.n_rows == N


def test_a_box_that_is_not_ticked_is_proposed_as_a_no() -> None:
    ticks = ["checked" if word == "yes" else "" for word in YES]
    table = open_table(csv(**{"id": IDS, "Human: correct": ticks, "LLM: correct": ticks[::-1]}))
    assert propose(table).labels_answer == {"": "negative"}
    assert propose(open_table(csv(id=IDS, human=["TRUE", ""] * 6, verdict=["TRUE", "TRUE", ""] * 4))).labels_answer == {
        "": "missing"
    }


def test_items_that_a_tool_keeps_beside_its_own_ids_are_found_by_the_other_file() -> None:
    tasks = [f"HIT{n:03d}" for n in range(N)]
    people, judges = csv(**{"HITId": tasks, "Input.id": IDS, "Answer.correct": YES}), csv(id=IDS, gpt4_label=OTHER)
    columns, roles = {"label": "Answer.correct", "verdict": "gpt4_label"}, {"Answer.correct": "human"}
    ratings = metrics.read([people, judges], columns=columns, roles=roles)
    (judge,) = metrics.agreement(ratings).judges.values()
    assert (judge.micro.n, ratings.items[0].as_py()) == (N, "q0")
    twice = csv(**{"HITId": tasks, "Input.id": IDS, "copy": IDS, "Answer.correct": YES})
    with pytest.raises(metrics.InputError, match="No item of"):
        metrics.read([twice, judges])


@pytest.mark.parametrize("before", [["name"], ["Timestamp", "Email Address"], ["Timestamp", "Your name"]])
def test_a_form_has_a_row_for_each_person_and_a_column_for_each_item(before: list[str]) -> None:
    asked = [f"Is the answer correct? [{name}]" for name in IDS]
    people = [["5/4/2026 10:10:12", who][-len(before) :] for who in ("mia", "tom", "gpt-4o")]
    rows = [[*before, *asked], *([*who, *words] for who, words in zip(people, (YES, OTHER, YES), strict=True))]
    data = "\n".join(map(",".join, rows)).encode()
    table = open_table(data)
    assert table.columns == ("rater", "item", "label")
    assert (table.n_rows, table.data["item"][0].as_py(), table.data["rater"][0].as_py()) == (3 * N, "q0", "mia")
    ratings = metrics.read(data, roles={"mia": "human", "tom": "human", "gpt-4o": "judge"})
    assert metrics.agreement(ratings).judges["gpt-4o"].coverage.n_total == N


def test_few_items_of_many_people_are_no_form() -> None:
    rows = [["item", *(f"ann{n}" for n in range(8))], *([name, *YES[:8]] for name in IDS[:3])]
    assert open_table("\n".join(map(",".join, rows)).encode()).columns[0] == "item"


JUDGED = "item,criterion,verdict\n" + "".join(
    f"q{n},{name},{'yes' if n % 3 else 'no'}\n" for n in range(9) for name in ("tone", "fit")
)
OF_PEOPLE = {
    "other letters": "case_id,Tone,Fit\n" + "".join(f"q{n},{int(n % 2 > 0)},{int(n % 4 > 0)}\n" for n in range(9)),
    "one of them": "id,tone\n" + "".join(f"q{n},{'yes' if n % 2 else 'no'}\n" for n in range(9)),
    "one of them, and who": "id,reviewer,Tone\n" + "".join(f"q{n},mia,{'yes' if n % 2 else 'no'}\n" for n in range(9)),
}


@pytest.mark.parametrize("people", OF_PEOPLE.values(), ids=OF_PEOPLE)
@pytest.mark.parametrize("first", [0, 1])
def test_columns_of_people_are_on_the_criteria_of_the_judges_rows_that_they_are_called_after(
    tmp_path, people: str, first: int
) -> None:
    files = [tmp_path / "judge.csv", tmp_path / "people.csv"]
    for path, text in zip(files, (JUDGED, people), strict=True):
        path.write_text(text, "utf-8")
    files = files[::-1] if first else files
    with pytest.raises(metrics.InputError) as refused:
        metrics.read(files)
    who = "mia" if "mia" in people else "people"
    ratings = metrics.read(files, roles={who: "human"})
    both = ["tone", "fit"] if "case" in people else ["tone"]
    agreed = metrics.agreement(ratings, interval="none").judges["judge"]
    assert [name for name in agreed.criteria if agreed.criteria[name].n] == both
    assert f"the criteria of the human ‘{who}’ are ‘tone’ and ‘fit’" in str(refused.value) or len(both) == 1
    assert agreed.to_dict()["criteria"]["tone"]["confusion"] == [[3, 1], [3, 2]]


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("WAHR", "FALSCH"), ("VRAI", "FAUX"), ("VERDADERO", "FALSO"), ("richtig", "falsch"), ("tak", "nie"), ("OK", "NOK"),
        ("☑", "☐"), ("🟢", "🔴"), ("on-topic", "off-topic"), ("harmless", "harmful"), ("non-toxic", "toxic"), ("clean", "bug"),
        ("entailed", "contradicted"), ("present", "absent"),
    ],
)  # fmt: skip
def test_of_two_words_the_better_one_is_proposed_as_positive_and_asked(good: str, bad: str) -> None:
    said = [good, bad, good] * 4
    proposal = propose(open_table(csv(id=IDS, human=said, judge=said[::-1])))
    assert proposal.labels_answer == {good: "positive", bad: "negative"}
