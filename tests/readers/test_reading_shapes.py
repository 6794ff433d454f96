"""Shapes of tables, containers and encodings."""

from __future__ import annotations

import gzip
import io
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics.data.ratings import Rater, Ratings
from metrics.errors import InputError
from metrics.readers import build, open_table, propose, read

pytestmark = pytest.mark.usefixtures("as_command")

PAIRS = (
    "item_id,criterion,judge,human,verdict\n007,tone,j1,MET,UNMET\n007,tone,j2,MET,MET\n8,tone,j1,UNMET,NA\n8,tone,j2,UNMET,MET\n"
)


def said(ratings: Ratings) -> set[tuple[str, str, str, str]]:
    """(item, criterion, rater, label) of every rating."""
    items = ratings.items.to_pylist()
    codes = zip(ratings.item, ratings.criterion, ratings.rater, ratings.label, strict=True)
    return {(items[i], ratings.criteria[c], ratings.raters[r].name, ratings.labels[lab]) for i, c, r, lab in codes}


def accounted(ratings: Ratings) -> bool:
    return ratings.rows_used + len(ratings.left_out.rows) == ratings.source.rows


EXPECTED = {
    ("007", "tone", "human", "MET"),
    ("007", "tone", "j1", "UNMET"),
    ("007", "tone", "j2", "MET"),
    ("8", "tone", "human", "UNMET"),
    ("8", "tone", "j1", "NA"),
    ("8", "tone", "j2", "MET"),
}


def test_pairs_taken_without_asking() -> None:
    ratings = read(PAIRS.encode())
    assert said(ratings) == EXPECTED
    assert ratings.raters == (Rater("human", "human"), Rater("j1", "judge"), Rater("j2", "judge"))
    assert ratings.source.shape == "pairs"
    assert ratings.rows_used == ratings.source.rows == 4
    assert ratings.scheme.classes == ("MET", "UNMET")
    assert ratings.scheme.abstention_name == "NA"
    assert ratings.table is not None
    assert ratings.table.column_names == ["item_id", "criterion", "judge", "human", "verdict"]


@pytest.mark.parametrize(
    "header",
    ["Item ID,Criterion,JUDGE,Human,Verdict", " item-id , criterion,judge,human,verdict ", "item,criterion,judge,human,verdict"],
)
def test_names_alike(header: str) -> None:
    assert said(read((header + PAIRS[PAIRS.index("\n") :]).encode())) == EXPECTED


def test_other_columns_ride_along_unread() -> None:
    text = "id_of_prompt,item,human,verdict,label_notes\n1,a,MET,MET,zzz\n2,b,UNMET,MET,yyy\n"
    ratings = read(text.encode())
    assert said(ratings) == {
        ("a", "overall", "human", "MET"),
        ("a", "overall", "judge", "MET"),
        ("b", "overall", "human", "UNMET"),
        ("b", "overall", "judge", "MET"),
    }
    assert dict(ratings.columns) == {"item": "item", "human": "human", "verdict": "verdict"}


def variants() -> dict[str, bytes]:
    semicolon, tab, bar = (PAIRS.replace(",", mark) for mark in ";\t|")
    rows = [dict(zip(PAIRS.splitlines()[0].split(","), line.split(","), strict=True)) for line in PAIRS.splitlines()[1:]]
    parquet, arrow_dict = io.BytesIO(), io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), parquet)
    table = pa.Table.from_pylist(rows)
    pq.write_table(table.set_column(2, "judge", table["judge"].dictionary_encode()), arrow_dict)
    excel = io.BytesIO()
    pd.DataFrame(rows).to_excel(excel, index=False)
    return {
        "plain": PAIRS.encode(),
        "crlf": PAIRS.replace("\n", "\r\n").encode(),
        "cr": PAIRS.replace("\n", "\r").encode(),
        "no final line end": PAIRS.rstrip().encode(),
        "blank lines": PAIRS.replace("\n", "\n\n").encode(),
        "leading blank": b"\n\n" + PAIRS.encode(),
        "bom": b"\xef\xbb\xbf" + PAIRS.encode(),
        "utf16": PAIRS.encode("utf-16"),
        "utf16 le": PAIRS.encode("utf-16-le"),
        "utf16 be bom": b"\xfe\xff" + PAIRS.encode("utf-16-be"),
        "utf32": PAIRS.encode("utf-32"),
        "semicolon": semicolon.encode(),
        "tab": tab.encode(),
        "bar": bar.encode(),
        "tab utf16": tab.encode("utf-16"),
        "sep": b"sep=;\n" + semicolon.encode(),
        "quoted": "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in PAIRS.splitlines()).encode(),
        "gzip": gzip.compress(PAIRS.encode()),
        "gzip of utf16": gzip.compress(PAIRS.encode("utf-16")),
        "jsonl": "\n".join(map(json.dumps, rows)).encode(),
        "json": json.dumps(rows).encode(),
        "pretty": json.dumps(rows, indent=2).encode(),
        "json data": json.dumps({"data": rows, "meta": {}}).encode(),
        "jsonl bom gz": gzip.compress(b"\xef\xbb\xbf" + "\n".join(map(json.dumps, rows)).encode()),
        "parquet": parquet.getvalue(),
        "parquet dictionary": arrow_dict.getvalue(),
        "excel": excel.getvalue(),
    }


@pytest.mark.parametrize("name", variants())
def test_containers_and_encodings(name: str) -> None:
    ratings = read(variants()[name])
    assert said(ratings) == EXPECTED
    assert ratings.rows_used == 4


def test_sources(tmp_path) -> None:
    path = tmp_path / "labels.csv"
    path.write_bytes(PAIRS.encode())
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        for source in (
            path,
            str(path),
            binary,
            text,
            io.BytesIO(PAIRS.encode()),
            bytearray(PAIRS.encode()),
            frame,
            pa.Table.from_pandas(frame),
        ):
            assert said(read(source)) == EXPECTED
    assert read(path).source.name == "labels.csv"
    assert len(read(path).source.sha256) == 64
    assert read(frame).source.sha256 == read(frame.copy()).source.sha256 != read(frame[:3]).source.sha256


def test_nothing_is_written(tmp_path, monkeypatch, capfd) -> None:
    monkeypatch.chdir(tmp_path)
    read(PAIRS.encode())
    assert not list(tmp_path.iterdir())
    assert capfd.readouterr() == ("", "")


def test_windows_1252() -> None:
    text = "item,criterion,human,verdict\né1,Tön – “ok”,MET,UNMET\né2,Tön – “ok”,MET,MET\n"
    ratings = read(text.encode("cp1252"))
    assert ratings.criteria == ("Tön – “ok”",)
    assert ratings.items.to_pylist() == ["é1", "é2"]
    assert "Windows-1252" in " ".join(ratings.source.notes)


def test_cyrillic_is_guessed() -> None:
    rows = "".join(f"{n},вежливость и ясность ответа,MET,UNMET,это хороший ответ на вопрос пользователя\n" for n in range(40))
    ratings = read(("item,criterion,human,verdict,note\n" + rows).encode("cp1251"))
    assert ratings.criteria == ("вежливость и ясность ответа",)


def test_typed_columns_become_plain_text() -> None:
    frame = pd.DataFrame(
        {"item": [7, 8, 9], "human": [1.0, 0.0, np.nan], "verdict": [True, False, True], "score": [0.5, 1, None]}
    )
    ratings = read(frame)
    assert ratings.items.to_pylist() == ["7", "8", "9"]
    assert set(ratings.labels) == {"1", "0", "true", "false"}
    parquet, excel = io.BytesIO(), io.BytesIO()
    frame.to_parquet(parquet)
    frame.to_excel(excel, index=False)
    for source in (parquet.getvalue(), excel.getvalue()):
        again = read(source)
        assert said(again) == said(ratings)
        assert accounted(again)
        np.testing.assert_array_equal(again.score, ratings.score)


def test_ids_and_labels_stay_text() -> None:
    text = "item,human,verdict\n007,NA,None of it\n7,None,null\n 7,MET,UNMET\n1e3,MET,UNMET\n"
    table = open_table(text.encode())
    assert table.coded("human").names == ("NA", "None", "MET")
    ratings = read(text.encode(), labels={"none of it": "negative", "None": "negative"})
    assert ratings.items.to_pylist() == ["007", "7", " 7", "1e3"]
    assert ("7", "overall", "judge", "null") not in said(ratings)
    assert ("007", "overall", "human", "NA") in said(ratings)


def test_json_numbers_and_nothing() -> None:
    rows = [
        {"item": 1, "human": True, "verdict": "yes"},
        {"item": 2.0, "human": False, "verdict": None},
        {"item": "03", "human": True, "verdict": "no", "x": [1]},
    ]
    ratings = read(json.dumps(rows).encode())
    assert ratings.items.to_pylist() == ["1", "2", "03"]
    assert set(ratings.labels) == {"true", "false", "yes", "no"}
    assert ratings.source.first_row == 1


RATERS = """item,criterion,rater,role,label,score,timestamp
a,tone,ana,human,pass,0.2,2026-01-02
a,tone,ana,human,fail,0.9,2026-01-01
a,tone,gpt,LLM,fail,,
b,tone,ana,Expert,pass,x,
b,tone,gpt,judge,pass,"0,5",
b,tone,rule,CODE,pass,,
b,tone,ben,human,,,
"""


def test_long_raters_with_roles_repeats_and_scores() -> None:
    ratings = read(RATERS.encode())
    assert ratings.raters == (Rater("ana", "human"), Rater("gpt", "judge"))
    assert said(ratings) == {
        ("a", "tone", "ana", "pass"),
        ("a", "tone", "gpt", "fail"),
        ("b", "tone", "ana", "pass"),
        ("b", "tone", "gpt", "pass"),
    }
    assert ratings.left_out.counts() == {
        "rated by code, neither human nor judge": 1,
        "no label": 1,
        "repeated: a later row gives the same item, criterion and rater": 1,
    }
    assert ratings.left_out.rows.tolist() == [3, 7, 8]
    assert accounted(ratings)
    assert ratings.score is not None
    np.testing.assert_array_equal(ratings.score, [0.2, np.nan, np.nan, 0.5])
    assert ratings.source.notes == (
        "1 cell of ‘score’ could not be read as a number.",
        "1 row contradicts another row for the same rating: the latest by ‘timestamp’ counts.",
    )


def test_roles_missing_do_not_stop_reading() -> None:
    text = b"item,rater,label\na,ana,pass\na,gpt-4,fail\n"
    assert [rater.role for rater in read(text).raters] == [None, None]
    doubt = propose(open_table(text)).doubts[0]
    assert not doubt.blocking
    assert doubt.about == "roles"
    assert "--roles ana=human,gpt-4=judge" in doubt.sentence
    stated = read(text, columns={"role:gpt-4": "judge", "role:*": "human"})
    assert stated.humans == ("ana",)
    assert stated.judges == ("gpt-4",)
    assert not propose(open_table(text), {"role:gpt-4": "judge", "role:*": "human"}).doubts


def test_one_role_only_is_said_and_read() -> None:
    text = b"item,rater,role,label\na,ana,human,MET\na,ben,human,UNMET\n"
    (doubt,) = propose(open_table(text)).doubts
    assert doubt.sentence == "Every rater is a human. Agreement needs a judge on the same items."
    assert not doubt.blocking
    assert read(text).humans == ("ana", "ben")


def test_names_taken_by_guess_only_are_asked() -> None:
    with pytest.raises(InputError, match="--columns n=Count"):
        read(b"human,judge,Count\nPass,Pass,41\nFail,Fail,44\n")
    with pytest.raises(InputError, match="rater=annotator,label=value,criterion=metric,item=trace"):
        read(b"trace,metric,annotator,value\na,tone,ana,yes\na,tone,gpt,no\nb,tone,ana,no\n")


def test_a_rater_left_out() -> None:
    text = b"item,rater,label\na,ana,pass\na,gpt-4,fail\na,bot,fail\n"
    ratings = read(text, columns={"role:gpt-4": "judge", "role:*": "human", "role:bot": "none"})
    assert [rater.name for rater in ratings.raters] == ["ana", "gpt-4"]
    assert ratings.left_out.counts() == {"role is neither human nor judge": 1}


def test_unknown_role_is_asked() -> None:
    text = b"item,rater,role,label\na,ana,boss,pass\na,gpt,judge,fail\n"
    with pytest.raises(InputError, match=r"‘boss’ in row 2, column ‘role’, is neither human nor judge.*--roles boss=human"):
        read(text)
    assert read(text, columns={"role:boss": "human"}).humans == ("ana",)


def test_one_name_in_both_roles() -> None:
    ratings = read(b"item,rater,role,label\na,default,human,pass\na,default,judge,fail\n")
    assert ratings.raters == (Rater("default", "human"), Rater("default", "judge"))


def test_human_label_beside_several_judges_counts_once() -> None:
    ratings = read(PAIRS.encode())
    assert len(ratings.item) == 6
    with pytest.raises(InputError, match=r"human's label of item ‘8’ differs between row 4 .* and row 5 ") as caught:
        read(PAIRS.replace("8,tone,j2,UNMET", "8,tone,j2,MET").encode())
    assert caught.value.row == 5
    assert caught.value.column == "human"


def test_verdict_beside_several_humans_counts_once() -> None:
    text = "item,judge,human,rater,verdict\na,j,MET,ana,MET\na,j,UNMET,ben,MET\nb,j,MET,ana,UNMET\n"
    ratings = read(text.encode())
    assert ratings.humans == ("ana", "ben")
    assert len(ratings.item) == 5
    with pytest.raises(InputError, match="judge's verdict on item ‘a’ differs between row 2"):
        read(text.replace("UNMET,ben,MET", "UNMET,ben,UNMET").encode())


def test_same_spelling_is_no_difference() -> None:
    assert read(PAIRS.replace("8,tone,j2,UNMET", "8,tone,j2,unmet").encode()).n_items == 2


WIDE = "item_id,question,human_ana,human_ben,judge_a\na,x?,Pass,Fail,Pass\nb,y?,Fail,Fail,\nc,z?,,,\nd,v?,Pass,Pass,Fail\n"


def test_wide_is_confirmed() -> None:
    with pytest.raises(InputError, match="--columns human:ana=human_ana,human:ben=human_ben,judge:a=judge_a"):
        read(WIDE.encode())
    ratings = read(WIDE.encode(), columns={"human:ana": "human_ana", "human:ben": "human_ben", "judge:a": "judge_a"})
    assert ratings.humans == ("ana", "ben")
    assert ratings.judges == ("a",)
    assert len(ratings.item) == 8
    assert ratings.left_out.counts() == {"no label": 1}
    assert accounted(ratings)


def test_wide_by_criterion() -> None:
    text = "id,correct (Ana),correct (gpt-4),tone__human,tone__judge\n1,yes,no,yes,yes\n2,no,no,yes,no\n"
    table = open_table(text.encode())
    columns = dict(propose(table).columns)
    assert columns == {
        "human:Ana::correct": "correct (Ana)",
        "judge:gpt-4::correct": "correct (gpt-4)",
        "human:human::tone": "tone__human",
        "judge:judge::tone": "tone__judge",
        "item": "id",
    }
    ratings = build(table, propose(table, columns))
    assert ratings.criteria == ("correct", "tone")
    assert ("2", "correct", "Ana", "no") in said(ratings)
    assert len(ratings.item) == 8


def test_two_columns() -> None:
    ratings = read(b"human,verdict\nMET,UNMET\nMET,MET\n")
    assert ratings.items.to_pylist() == ["row 2", "row 3"]
    assert "each row is an item" in ratings.source.notes[0]
    with pytest.raises(InputError, match="--columns human=label,verdict=prediction"):
        read(b"label,prediction\nMET,UNMET\nMET,MET\n")
    assert read(b"label,prediction\nMET,UNMET\nMET,MET\n", columns={"human": "label", "verdict": "prediction"}).n_items == 2


def test_a_constant_column_is_not_proposed_as_the_label() -> None:
    """Prodigy asks whether one label holds: `label` says which, `answer` is the rating."""
    rows = [(item, who, ("accept", "reject")[(item + (who == "ben")) % 3 == 0]) for item in range(4) for who in ("ana", "ben")]
    lines = [f"{item},CORRECT,{answer},{who}" for item, who, answer in rows]
    named = "\n".join(["_task_hash,label,answer,_annotator_id", *lines]).encode()
    proposed = dict(propose(open_table(named), {"item": "_task_hash"}).columns)
    assert (proposed["rater"], proposed["label"]) == ("_annotator_id", "answer")
    with pytest.raises(InputError, match="label=answer"):
        read(named, columns={"item": "_task_hash"})
    stated = read(named, columns={"item": "_task_hash", "rater": "_annotator_id", "label": "answer"})
    assert set(stated.labels) == {"accept", "reject"}
    alone = b"item,rater,role,label\na,ana,human,MET\na,gpt,judge,MET\nb,ana,human,MET\nb,gpt,judge,MET\n"
    assert read(alone).labels == ("MET",)
    varied = named.replace(b"0,CORRECT", b"0,WRONG")
    asked = {"item": "_task_hash", "rater": "_annotator_id"}
    assert dict(propose(open_table(varied), asked).columns)["label"] == "label"


def test_numbers_of_classes_have_the_names_that_a_dataset_gives_them() -> None:
    features = {"label": {"names": ["neg", "pos"], "_type": "ClassLabel"}, "text": {"dtype": "string", "_type": "Value"}}
    table = pa.table({"text": [f"t{k}" for k in range(6)], "label": [0, 1, 1, 0, -1, 1], "judge": ["neg", "pos"] * 3})
    file = io.BytesIO()
    pq.write_table(table.replace_schema_metadata({"huggingface": json.dumps({"info": {"features": features}})}), file)
    read = open_table(file.getvalue())
    assert read.data["label"].to_pylist() == ["neg", "pos", "pos", "neg", "", "pos"]
    for broken in ("{", '{"info": 3}', '{"info": {"features": {"label": {"names": [1], "_type": "ClassLabel"}}}}'):
        other = io.BytesIO()
        pq.write_table(table.replace_schema_metadata({"huggingface": broken}), other)
        assert open_table(other.getvalue()).coded("label").names == ("0", "1", "-1")
