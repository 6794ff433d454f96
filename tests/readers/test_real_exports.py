"""Habits of tools and sheets that people share: batches of Mechanical Turk, remarks above, what a word does not tell."""

from __future__ import annotations

from pathlib import Path

import pytest

import metrics
from metrics import InputError
from metrics.readers import build, confirmed, open_table, propose
from tests.made_files import lines

N = range(12)


def saved(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def kinds(path: Path | list[Path]) -> dict[str, str]:
    return {row.label: row.kind for row in propose(open_table(path)).labels}


# Mechanical Turk


def batch(*answers: str) -> str:
    rows = [
        (f"H{k}", f"w{who}", f"text {k}", *("AB"[(k * who + place) % 2] for place, _ in enumerate(answers)))
        for k in N
        for who in (1, 2)
    ]
    return lines(f"HITId,WorkerId,Input.text,{','.join(answers)}", rows)


@pytest.mark.parametrize("answers", [("Answer.best", "Answer.worst"), ("Answer.choice.label",)])
def test_answers_of_a_batch_are_those_of_its_workers(tmp_path: Path, answers: tuple[str, ...]) -> None:
    table = open_table(saved(tmp_path, "batch.csv", batch(*answers)))
    ratings = build(table, confirmed(propose(table)))
    assert [rater.name for rater in ratings.raters] == ["w1", "w2"]
    assert ratings.n_items == len(N)
    assert ratings.criteria == (("best", "worst") if len(answers) > 1 else ("overall",))


def test_columns_to_fill_in_have_no_cells(tmp_path: Path) -> None:
    short = batch("Answer.choice").replace("Answer.choice", "Answer.choice,Approve,Reject", 1)
    table = open_table(saved(tmp_path, "batch.csv", short))
    assert table.columns == ("HITId", "WorkerId", "Input.text", "Answer.choice")
    assert "Not read, because no row has a cell for them: Approve, Reject." in table.notes
    with pytest.raises(InputError, match="has 4 cells, the header has 6"):
        open_table(saved(tmp_path, "other.csv", short.replace("Approve,Reject", "note,why")))
    with pytest.raises(InputError, match="has 4 cells, the header has 6"):
        open_table(saved(tmp_path, "torn.csv", short + "H9,w1,text 9,A,yes\n"))


# What stands above


@pytest.mark.parametrize("end", ["\n```\n", "\n", ""])
def test_json_that_a_model_wrote_stands_within_marks(tmp_path: Path, end: str) -> None:
    rows = "\n".join(f'{{"id": "q{k}", "human": "{"yes no".split()[k % 2]}", "judge": "yes"}}' for k in N)
    table = open_table(saved(tmp_path, "labels.jsonl", f"```json\n{rows}{end}"))
    assert (table.columns, table.n_rows) == (("id", "human", "judge"), len(N))
    torn = f"```json\n{rows[:-9]}\n{rows}"
    with pytest.raises(InputError, match=f"(Row|Line) {len(N) + 1} of"):
        open_table(saved(tmp_path, "torn.jsonl", torn))


def test_remarks_with_commas_stand_above_the_header(tmp_path: Path) -> None:
    remarks = "# Fill in verdict_2, one of three:,,\n#  yes, no, unclear,\n#,,\n"
    text = remarks + lines("row_id,verdict_1,verdict_2", [(f"M{k}", ("yes", "no")[k % 2], ("yes", "no")[k % 3 > 0]) for k in N])
    table = open_table(saved(tmp_path, "sheet.csv", text))
    assert table.columns == ("row_id", "verdict_1", "verdict_2")
    assert (table.first_row, table.n_rows) == (5, len(N))
    marked = open_table(saved(tmp_path, "marked.csv", lines("#id,human,judge", [(f"M{k}", "yes", "no") for k in N])))
    assert (marked.columns[0], marked.n_rows) == ("#id", len(N))


def test_rising_numbers_name_columns_also_where_some_are_gone(tmp_path: Path) -> None:
    text = lines("0,1,2,3,6,9", [[(k * place) % 7 + 1 for place in range(1, 7)] for k in range(1, 12)])
    table = open_table(saved(tmp_path, "answers.csv", text))
    assert (table.columns, table.n_rows) == (("0", "1", "2", "3", "6", "9"), 11)
    assert propose(table).shape == "wide"  # no table of counts, though its rows begin with numbers of columns


# What a word does not tell


def test_columns_that_say_verdict_alone_are_nobody_s(tmp_path: Path) -> None:
    words = "correct", "incorrect", "overbroad"
    text = lines("row_id,verdict_1,verdict_2", [(f"M{k}", words[k % 3], words[(k + (k == 4)) % 3]) for k in N])
    proposal = propose(open_table(saved(tmp_path, "adjudication.csv", text)))
    assert [role for role, _ in proposal.columns if ":" in role] == ["rater:verdict_1", "rater:verdict_2"]
    assert {row.label: row.kind for row in proposal.labels}["overbroad"] == "class"


def test_files_that_say_verdict_alone_are_nobody_s_and_one_of_an_annotator_is_a_person_s(tmp_path: Path) -> None:
    one, other, person = (
        saved(tmp_path, name, lines("id,verdict", [(f"M{k}", ("yes", "no")[k % 2]) for k in N]))
        for name in ("first.csv", "second.csv", "annotator_01.csv")
    )
    table = open_table([one, other])
    assert [rater.role for rater in build(table, confirmed(propose(table))).raters] == [None, None]
    ratings = metrics.read([person, one])
    assert (ratings.humans, ratings.judges) == (("annotator_01",), ("first",))


def test_sheets_that_nobody_filled_in_are_refused(tmp_path: Path) -> None:
    empty = [
        saved(tmp_path, f"{who}.csv", lines("case_id,verdict,notes", [(f"c{k}", "", "") for k in N])) for who in ("ana", "ben")
    ]
    with pytest.raises(InputError, match=r"ana\.csv: ‘verdict’ is empty in every row"):
        metrics.read(empty)
    table = open_table(empty)
    with pytest.raises(InputError, match="is empty in every row"):
        build(table, confirmed(propose(table)))


@pytest.mark.parametrize(
    ("low", "steps", "kind"),
    [(-1, (1, 2, 3), "class"), (-1, (-1, 2, 3), "missing"), (-1, (0, 1), "class"), (0, (1, 2, 3), None)],
)
def test_minus_one_is_an_answer_beside_0_and_1_and_none_beside_more(
    tmp_path: Path, low: int, steps: tuple[int, ...], kind: str
) -> None:
    rows = [(who, f"c{k}", (low, 0, 1)[(k + who) % 3], steps[k % len(steps)]) for who in (1, 2) for k in N]
    said = kinds(saved(tmp_path, "people.csv", lines("participant_id,comparison_id,prefers,strength", rows)))
    assert said.get("-1") == kind


def test_a_word_that_two_judges_say_is_a_class_and_one_judge_s_is_not(tmp_path: Path) -> None:
    words = "yes", "no", "blurry"
    both = lines("item,gpt4,claude", [(f"q{k}", words[k % 3], words[k % 3]) for k in N])
    one = lines("item,gpt4,claude", [(f"q{k}", words[k % 3], words[k % 2]) for k in N])
    assert kinds(saved(tmp_path, "both.csv", both))["blurry"] == "class"
    assert kinds(saved(tmp_path, "one.csv", one))["blurry"] == "invalid"


def test_a_refusal_is_what_an_answer_did_where_its_criterion_has_no_verdicts(tmp_path: Path) -> None:
    acts, told = ("act", "refuse", "hedge"), ("yes", "no")
    heads = "id,human_label,judge_label,human_tells,judge_tells"
    rows = [(f"q{k}", acts[k % 3], acts[k // 2 % 3], told[k % 2], told[k // 3 % 2]) for k in N]
    assert kinds(saved(tmp_path, "two.csv", lines(heads, rows)))["refuse"] == "class"
    beside = [
        (item, human, judge, told, "refuse" if k % 3 == 0 else said) for k, (item, human, judge, told, said) in enumerate(rows)
    ]
    assert kinds(saved(tmp_path, "beside.csv", lines(heads, beside)))["refuse"] == "abstention"


def test_the_verdict_of_an_annotator_stands_beside_what_is_worked_out_of_it(tmp_path: Path) -> None:
    rows = [
        (who, f"p{k}__{way}", f"p{k}", way, "ABA"[(k + place) % 3], ("old", "new")[(k + place) % 2], "old", k % 2 == place)
        for k in N
        for way in ("fwd", "rev")
        for place, who in enumerate(("ann_1", "ann_2"))
    ]
    heads = "annotator_id,case_id,base_id,order,verdict,effective_preference,winner_by_rule,aligns_rule"
    proposal = propose(open_table(saved(tmp_path, "annotations.csv", lines(heads, rows))))
    assert dict(proposal.columns) == {"rater": "annotator_id", "label": "verdict", "item": "case_id"}


def test_numbers_of_documents_are_items_beside_their_raters(tmp_path: Path) -> None:
    rows = [
        (k, who, ("True", "False")[k % 2], ("True", "False")[(k + place) % 3 > 0]) for k in N for place, who in enumerate("ab")
    ]
    proposal = propose(open_table(saved(tmp_path, "checks.csv", lines("Doc,evaluator_name,malignant,graded", rows))))
    assert dict(proposal.columns)["item"] == "Doc"


def test_metrics_of_a_program_that_asks_a_model_are_a_judge_s(tmp_path: Path) -> None:
    rows = [(f"q{k}", k % 5 / 4, k % 3 / 2, k % 4 / 3) for k in N]
    proposal = propose(open_table(saved(tmp_path, "results.csv", lines("id,faithfulness,answer_relevancy,context_recall", rows))))
    assert [role.split(":")[0] for role, _ in proposal.columns if ":" in role] == ["judge"] * 3


def test_a_hash_and_a_model_are_the_item_together(tmp_path: Path) -> None:
    rows = [
        (f"{k * 7919:x}", model, ("yes", "no")[k % 2], ("yes", "no")[k % 3 > 0])
        for k in range(100, 112)
        for model in ("bart", "pgn")
    ]
    proposal = propose(open_table(saved(tmp_path, "outputs.csv", lines("hash,model_name,faithful,correct", rows))))
    assert dict(proposal.columns)["item"] == "hash and model_name"


def test_a_label_that_is_stated_and_not_there_is_named_beside_the_one_that_is_asked_about(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        "mail.csv",
        lines("item,human,verdict", [(f"q{k}", ("ham", "spam")[k % 2], ("ham", "spam")[k % 3 > 0]) for k in N]),
    )
    with pytest.raises(InputError, match=r"‘span’ is no label of the file\. ‘spam’"):
        metrics.read(path, labels={"ham": "negative", "span": "positive"})
    assert metrics.read(path, labels={"ham": "negative", "spam": "positive", "eggs": "tie"}).n_items == len(N)
