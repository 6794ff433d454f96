"""Shapes that say the same as a plain table: answers as JSON, lists of ratings, units, raters as rows, headers of two rows."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

import metrics
from metrics.readers import Proposal, open_table, propose
from metrics.readers.composite_cells import UNREAD
from metrics.readers.qrels import is_qrels

N = 60
HUMAN = [("pass", "fail")[place % 3 == 0] for place in range(N)]
JUDGE = [("pass", "fail")[place % 4 == 0] for place in range(N)]


def csv_of(*columns: tuple[str, list[Any]], rows_first: list[list[str]] | None = None) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerows(rows_first or [[name for name, _ in columns]])
    writer.writerows(zip(*(cells for _, cells in columns), strict=True))
    return file.getvalue().encode()


def lines_of(*columns: tuple[str, list[Any]]) -> bytes:
    names = [name for name, _ in columns]
    return "\n".join(
        json.dumps(dict(zip(names, row, strict=True))) for row in zip(*(c for _, c in columns), strict=True)
    ).encode()


IDS = ("id", [f"i{place}" for place in range(N)])
PLAIN = csv_of(("item", IDS[1]), ("human", HUMAN), ("verdict", JUDGE))


def found(data: bytes) -> Proposal:
    return propose(open_table(data))


def as_proposed(data: bytes, **others: Any) -> metrics.Ratings:
    read = found(data)
    return metrics.read(data, columns=read.columns_answer, labels=read.labels_answer or None, **others)


def numbers(ratings: metrics.Ratings) -> Any:
    part = next(iter(metrics.agreement(ratings).judges.values())).micro
    return part.confusion.tolist(), part["kappa"].value


def answer(verdict: str, **others: Any) -> str:
    return json.dumps({"verdict": verdict, "reasoning": f"It is a {verdict}.", **others})


@pytest.mark.parametrize(
    "cell",
    [
        answer,
        lambda verdict: f"```json\n{answer(verdict)}\n```",
        lambda verdict: f"Let me see.\n```json\n{answer(verdict)}\n```\nDone.",
        lambda verdict: answer(verdict).replace('"', "'"),
    ],
)
@pytest.mark.parametrize("make", [csv_of, lines_of])
def test_the_fields_of_an_answer_are_columns(make: Any, cell: Any) -> None:
    data = make(IDS, ("human", HUMAN), ("judge_output", [cell(verdict) for verdict in JUDGE]))
    ratings = as_proposed(data)
    assert numbers(ratings) == numbers(metrics.read(PLAIN))
    assert dict(found(data).columns)["verdict"] == "judge_output.verdict"
    assert any("hold records: each of their fields is a column" in note for note in ratings.source.notes)


def test_records_of_a_tool_s_metadata_ride_along_and_cells_without_a_record_are_kept() -> None:
    tags = [json.dumps({"lang": ("de", "en")[place % 2], "deep": {"er": place}}) for place in range(N - 1)]
    table = open_table(csv_of(IDS, ("human", HUMAN), ("verdict", JUDGE), ("tags", [*tags, "none at all"])))
    assert table.columns == ("id", "human", "verdict", "tags.lang", "tags.deep.er", "tags")
    assert (table.cell(1, "tags.lang"), table.cell(N - 1, "tags.lang"), table.cell(N - 1, "tags")) == ("en", "", "none at all")
    assert table.notes[-1].endswith("1 cell holds none.")


def test_a_verdict_in_brackets_is_the_label_and_a_text_without_one_is_no_verdict() -> None:
    texts = [f"A long thought about both [[not yet]]. My verdict: [[{'A' if one == 'pass' else 'B'}]]" for one in JUDGE]
    humans = ["A" if one == "pass" else "B" for one in HUMAN]
    data = csv_of(IDS, ("human", humans), ("judge", [*texts[:-1], "I lost the thread."]))
    read = found(data)
    assert dict(read.columns)["verdict"] == "judge"
    table = open_table(data)
    assert table.coded("judge").names == ("B", "A", UNREAD)
    assert table.cell(0, "judge reason") == texts[0]
    assert next(row.kind for row in read.labels if row.label == UNREAD) == "invalid"


def test_lists_of_ratings_are_raters() -> None:
    three = [[1 + place % 5, 1 + place % 4, 1 + place % 5] for place in range(N)]
    gpt = [1 + place % 3 for place in range(N)]
    for make, cells in ((lines_of, three), (csv_of, list(map(str, three)))):
        columns = dict(found(make(IDS, ("human_scores", cells), ("gpt4_score", gpt))).columns)
        assert [column for role, column in columns.items() if role.startswith("human:")] == [
            f"human_scores {k}" for k in (1, 2, 3)
        ]
        assert columns["judge:gpt4_score"] == "gpt4_score"


@pytest.mark.parametrize(
    ("name", "lists"),
    [
        ("human_labels", [["rude", "long"][: 1 + place % 2] for place in range(N)]),  # the choices of one rater
        ("contexts", [["a", "a"]] * N),
        ("human_embedding", [list(range(13))] * N),
        ("human_spans", [[[1, 2]]] * N),
    ],
)
def test_other_lists_stay(name: str, lists: list[Any]) -> None:
    assert open_table(lines_of(IDS, (name, lists))).columns == ("id", name)


def test_a_list_of_one_label_is_that_label() -> None:
    data = lines_of(IDS, ("label", [[one] for one in HUMAN]), ("judge_label", JUDGE))
    assert numbers(as_proposed(data)) == numbers(metrics.read(PLAIN))


def test_lists_of_records_are_raters_by_criteria() -> None:
    names = ("coherence", "fluency")
    people = [[dict.fromkeys(names, 1 + (place + k) % 5) for k in range(3)] for place in range(N)]
    judge = [dict.fromkeys(names, 1 + place % 4) for place in range(N)]
    columns = dict(found(lines_of(IDS, ("expert_annotations", people), ("gpt4", judge))).columns)
    humans = [f"human:expert_annotations {k}::{name}" for k in (1, 2, 3) for name in names]
    assert set(columns) == {*humans, *(f"judge:gpt4::{name}" for name in names), "item"}


@pytest.mark.parametrize("unit", ["{}%", "{} %", "{}/5", "{} / 5", "Rating: {}", "**Score:** {}", "Final score = {}."])
def test_numbers_lose_their_unit(unit: str) -> None:
    values = [1 + place % 5 for place in range(N)]
    others = [1 + place % 4 for place in range(N)]
    data = csv_of(IDS, ("human", [unit.format(one) for one in values]), ("judge", [*map(unit.format, others[:-1]), "n/a"]))
    table = open_table(data)
    assert table.coded("human").names == tuple(map(str, range(1, 6)))
    assert "n/a" in table.coded("judge").names
    assert dict(found(data).columns)["verdict"] == "judge"


def test_dates_and_parts_of_several_wholes_stay() -> None:
    data = csv_of(IDS, ("day", [f"{1 + place % 28}/{1 + place % 12}" for place in range(N)]), ("time", ["3/5"] * N))
    assert open_table(data).cell(0, "day") == "1/1"
    assert open_table(data).cell(0, "time") == "3/5"


@pytest.mark.parametrize("head", ["human,judge", "human,gpt4", "human_score,judge_score", "human rating,llm rating"])
def test_two_columns_of_many_numbers_are_proposed(head: str) -> None:
    human, judge = head.split(",")
    columns = [(human, [f"{place / 7:.3f}" for place in range(N)]), (judge, [f"{place / 9:.3f}" for place in range(N)])]
    read = found(csv_of(IDS, *columns, ("judge_confidence", [f"{place / N:.2f}" for place in range(N)])))
    assert dict(read.columns) | {"item": "id", "human": human, "verdict": judge} == dict(read.columns)
    assert dict(read.scales) == {"overall": "continuous"}


def test_rows_that_are_raters_are_turned() -> None:
    rows = [["rater", *IDS[1]], ["ann", *HUMAN], ["gpt-4", *JUDGE]]
    data = "\n".join(map(",".join, rows)).encode()
    ratings = metrics.read(data, roles={"ann": "human", "gpt-4": "judge"})
    assert numbers(ratings) == numbers(metrics.read(PLAIN))
    assert ratings.record_numbers(ratings.row[[0, -1]]).tolist() == [2, 3]


FORM = ["{item} [{criterion}]", "{criterion} [{item}]", "{item}_{criterion}", "{criterion} {item}"]


@pytest.mark.parametrize("named", FORM)
def test_columns_of_rows_that_are_raters_may_ask_about_several_criteria(named: str) -> None:
    names = [(f"Response {k}", criterion) for k in range(N) for criterion in ("Tone", "Depth")]
    head = ["Timestamp", "Email Address", *(named.format(item=item, criterion=criterion) for item, criterion in names)]
    said = [label for label in HUMAN for _ in range(2)], [label for label in JUDGE for _ in range(2)]
    rows = [["2024/03/01 10:00:00", who, *labels] for who, labels in zip(("ana@x.org", "gpt-4"), said, strict=True)]
    read = metrics.read("\n".join(map(",".join, [head, *rows])).encode(), roles={"ana@x.org": "human", "gpt-4": "judge"})
    assert (read.n_items, read.criteria) == (N, ("Tone", "Depth"))
    expected = metrics.agreement(metrics.read(PLAIN)).judges["judge"].micro["accuracy"].value
    assert metrics.agreement(read).judges["gpt-4"].micro["accuracy"].value == pytest.approx(expected)


@pytest.mark.parametrize("named", ["q{a}_{b}", "{a}-{b}"])
def test_numbers_of_two_parts_are_items(named: str) -> None:
    items = [named.format(a=a, b=b) for a in range(N // 2) for b in range(2)]
    data = "\n".join(map(",".join, [["rater", *items], ["ann", *HUMAN], ["gpt-4", *JUDGE]])).encode()
    assert open_table(data).columns == ("rater", "item", "label")


@pytest.mark.parametrize("head", ["item", "essay", "prompt"])
def test_rows_that_are_items_stay(head: str) -> None:
    rows = [[head, *(f"c{place}" for place in range(12))], *([f"x{k}", *["yes", "no"] * 6] for k in range(3))]
    assert open_table("\n".join(map(",".join, rows)).encode()).n_rows == 3


def test_one_mark_in_several_columns_is_a_label() -> None:
    sides = [("model_a", "model_b", "tie")[place % 3] for place in range(N)]
    marks = [(f"winner_{side}", [int(one == side) for one in sides]) for side in ("model_a", "model_b", "tie")]
    models = [("model_a", ["x"] * N), ("model_b", ["y"] * N)]
    data = csv_of(IDS, *models, *marks, ("judge_winner", sides))
    columns = dict(found(data).columns)
    assert (columns["human"], columns["verdict"], columns["item"]) == ("winner", "judge_winner", "id")
    assert open_table(data).coded("winner").names == ("model_a", "model_b", "tie")


@pytest.mark.parametrize("names", [("tone_met", "tone_kept"), ("ok_yes", "ok_no")])
def test_marks_of_criteria_and_rows_with_two_marks_stay(names: tuple[str, str]) -> None:
    data = csv_of(IDS, *[(name, [1] * (N - place) + [0] * place) for place, name in enumerate(names)])
    assert open_table(data).columns == ("id", *names)


def test_whether_somebody_agrees_is_no_label() -> None:
    read = found(csv_of(IDS, ("judge_label", JUDGE), ("human_agrees", ["TRUE", "FALSE"] * (N // 2))))
    assert "human" in read.missing
    assert "‘human_agrees’ says who agrees with another label, and gives none." in read.blocking[0].sentence


def test_labels_behind_numbers_have_their_order() -> None:
    steps = ("10 - superb", "1 - poor", "2 - fair")
    labels = [steps[place % 3] for place in range(N)]
    read = found(csv_of(IDS, ("human", labels), ("judge", labels[::-1])))
    assert read.order == ("1 - poor", "2 - fair", "10 - superb")


def test_ids_that_became_decimals_match_loosely() -> None:
    gold = csv_of(("id", list(range(N))), ("human", HUMAN))
    judge = csv_of(("id", [f"{place}.0" for place in range(N)]), ("verdict", JUDGE))
    with pytest.raises(metrics.InputError, match=r"if the \.0 of whole numbers may differ"):
        metrics.read([gold, judge])
    assert numbers(metrics.read([gold, judge], match="loose", columns={"item": "id"})) == numbers(metrics.read(PLAIN))


TWO = (["item", "human", "human", "judge", "judge"], ["", "tone", "facts", "tone", "facts"])
BLANK = (["", "human", "", "judge", ""], ["item", "tone", "facts", "tone", "facts"])


@pytest.mark.parametrize("named", ["item", None])
@pytest.mark.parametrize("levels", [None, ["rater", "criterion"]])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_columns_of_two_levels_as_pandas_writes_them(named: str | None, levels: list[str] | None, kind: str) -> None:
    columns = pd.MultiIndex.from_product([["human", "judge"], ["tone", "facts"]], names=levels)
    index = pd.Index(IDS[1], name=named)
    frame = pd.DataFrame(list(zip(HUMAN, JUDGE, JUDGE, HUMAN, strict=True)), index, columns)
    file = io.BytesIO()
    if kind == "xlsx":
        frame.to_excel(file)
    else:
        frame.to_csv(file)
    read = found(file.getvalue())
    assert dict(read.columns)["human:human::tone"] == "human tone"
    assert len(read.columns) == 5
    table = open_table(file.getvalue())
    assert (table.n_rows, table.coded(table.columns[0]).names[0]) == (N, IDS[1][0])
    assert table.columns[0] == (named or "column 1")


@pytest.mark.parametrize("rows", [TWO, BLANK])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_header_of_two_rows_is_one_name_each(rows: tuple[list[str], list[str]], kind: str) -> None:
    cells = list(zip(IDS[1], HUMAN, JUDGE, JUDGE, HUMAN, strict=True))
    file = io.BytesIO()
    if kind == "xlsx":
        book = openpyxl.Workbook()
        for row in (*rows, *cells):
            book.active.append([cell or None for cell in row])
        book.save(file)
    else:
        file.write("\n".join(map(",".join, [*rows, *cells])).encode())
    read = found(file.getvalue())
    assert {role for role, _ in read.columns} >= {
        "human:human::tone",
        "human:human::facts",
        "judge:judge::tone",
        "judge:judge::facts",
    }
    table = open_table(file.getvalue())
    assert (table.columns[0], table.n_rows, table.number(0)) == ("item", N, 3)


@pytest.mark.parametrize(
    "second",
    [
        ["i0", "yes", "no", "no", "yes"],
        ["i0", "1", "2", "3", "4"],
        ["i0", "fine", "poor", "fine", "poor"],
        ["i0", "", "", "", ""],
    ],
)
def test_a_name_twice_above_labels_is_still_refused(second: list[str]) -> None:
    rows = [TWO[0], second, *([f"i{k}", "fine", "poor", "fine", "poor"] for k in range(1, 9))]
    with pytest.raises(metrics.InputError, match="appears twice"):
        open_table("\n".join(map(",".join, rows)).encode())


def test_the_three_rows_of_a_survey_s_header_are_left_out() -> None:
    ids = [json.dumps({"ImportId": name}, separators=(",", ":")) for name in ("_recordId", "QID1", "QID2")]
    rows = [["ResponseId", "gold", "judge"], ["Response ID", "Is it polite?", "And the judge?"], ids]
    data = csv_of(IDS, ("", HUMAN), ("", JUDGE), rows_first=rows)
    table = open_table(data)
    assert (table.n_rows, table.number(0), table.coded("gold").names) == (N, 4, ("fail", "pass"))
    assert any("Qualtrics" in note for note in table.notes)


def test_judgements_of_relevance_are_joined_by_topic_and_document(tmp_path: Path) -> None:
    def lines(grade: Any) -> str:
        return "".join(f"{topic} 0 d{doc}\t{grade(topic, doc)}\n" for topic in range(5) for doc in range(12))

    files = [
        ("human.qrels", lines(lambda topic, doc: (topic + doc) % 4)),
        ("llm.qrels", lines(lambda topic, doc: (topic + doc) % 3)),
    ]
    assert all(is_qrels(text.encode()) for _, text in files)
    table = open_table(files[0][1].encode(), "human.qrels")
    assert table.columns == ("item", "topic_id", "document_id", "label")
    assert (table.cell(0, "item"), table.cell(0, "label"), table.number(0)) == ("0 d0", "0", 1)
    paths = [tmp_path / name for name, _ in files]
    for path, (_, text) in zip(paths, files, strict=True):
        path.write_text(text)
    ratings = metrics.read(paths, labels=dict.fromkeys("0123", "class"))
    assert (ratings.n_items, ratings.humans, ratings.judges) == (60, ("human",), ("llm",))
    with pytest.raises(metrics.InputError, match=r"Line 6001 .* no topic"):
        open_table((files[0][1] * 100 + "a line\n").encode(), "human.qrels")


@pytest.mark.parametrize("text", ["item human judge\n1 yes no\n", "1 0 d1 3\n", "1 0 d1 x\n2 0 d1 y\n", ""])
def test_other_lines_are_no_judgements_of_relevance(text: str) -> None:
    assert not is_qrels(text.encode())


WHY = "the answer names the capital and says where it lies"


@pytest.mark.parametrize(
    "text",
    ["{}: " + WHY, "{} - " + WHY, "**{}**, " + WHY, "{}\n" + WHY, "{} (" + WHY + ")", WHY + ". Verdict: {}",
     "<verdict>{}</verdict> " + WHY, WHY + "\n\n**Verdict:** {}\n\nThanks"],
)  # fmt: skip
def test_a_judge_s_text_holds_its_verdict_at_the_start_between_tags_or_in_a_line(text: str) -> None:
    judge = [text.format(word.upper()) + f"{'' if text.endswith('}') else ' '}{'' if text.endswith('}') else place}"
             for place, word in enumerate(JUDGE)]  # fmt: skip
    judge = [cell if not text.endswith("}") else cell.replace(WHY, f"{WHY} {place}") for place, cell in enumerate(judge)]
    read = found(csv_of(IDS, ("human", HUMAN), ("llm", judge)))
    assert dict(read.columns)["verdict"] == "llm"
    assert {row.label.lower(): row.kind for row in read.labels} == {"pass": "positive", "fail": "negative"}


def test_a_text_that_begins_with_a_word_of_its_own_is_no_verdict() -> None:
    texts = [f"{('Paris', 'Rome')[place % 2]}: {WHY} {place}" for place in range(N)]
    assert open_table(csv_of(IDS, ("llm", texts))).coded("llm").names[0].startswith("Paris: the")


MOODS, STEPS = [("good", "bad", "mixed")[place % 3] for place in range(N)], [str(1 + place % 5) for place in range(N)]


def keyed(moods: list[str]) -> pd.DataFrame:
    """Return records whose options are keys of what was asked, one of each record chosen, as tables of one column each."""
    records = [
        {"id": f"i{place}", "labels": {"mood": {mood: "true"}, "pace": {f"step_{step}": step}}}
        for place, (mood, step) in enumerate(zip(moods, STEPS, strict=True))
    ]
    table = open_table(json.dumps(records).encode())
    return pd.DataFrame({name: table.data[name].to_pylist() for name in table.columns})


def test_the_key_that_a_record_has_is_its_label() -> None:
    table = keyed(MOODS)
    assert list(table.columns) == ["id", "labels.mood", "labels.pace"]
    assert table["labels.mood"].tolist() == MOODS
    assert table["labels.pace"].tolist() == STEPS


def test_keys_of_which_a_record_has_several_stay_columns() -> None:
    records = [{"id": f"i{place}", "mood": {mood: "true", "sure": "true"}} for place, mood in enumerate(MOODS)]
    assert "mood.sure" in open_table(json.dumps(records).encode()).columns
    assert "mood.bad" in open_table(json.dumps(records[:3]).encode()).columns, "three rows may be so by chance"
    ratings = [{"id": f"i{place}", "by": {mood: "yes" if place % 2 else "no"}} for place, mood in enumerate(MOODS)]
    assert "by.bad" in open_table(json.dumps(ratings).encode()).columns, "who answers yes or no is a rater, and no label"


def test_options_of_a_form_are_the_labels_of_its_question() -> None:
    marks = [(f"mood:::{name}", ["true" if mood == name else "" for mood in MOODS]) for name in ("good", "bad", "mixed")]
    table = open_table(csv_of(IDS, *marks))
    assert table.columns == ("id", "mood")
    assert table.data["mood"].to_pylist() == MOODS
