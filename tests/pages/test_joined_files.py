"""Several files on the page *Data*: the picture of the join, what can be said of it, one click back, one more file later."""

from __future__ import annotations

import io

import pandas as pd
import pytest

import metrics
from tests.pages.files import DATA, several, uploaded, use, used
from tests.pages.seen import text_of

GOLD = b"id,gold\nq1,yes\nq2,no\nq3,yes\nq4,no\nq9,yes\n"
JUDGE = b"id,judge\nq1,yes\nq2,yes\nq3,yes\nq4,no\n"
SECOND = b"id,judge_b\nq1,no\nq2,no\nq3,yes\nq4,no\n"


def picture(app) -> pd.DataFrame:
    (frame,) = [frame.value for frame in app.dataframe if "taken for" in frame.value.columns]
    return frame


def test_several_files_are_joined_and_the_picture_says_how(visit):
    app = several(visit(DATA), ("gold.csv", GOLD), ("judge.csv", JUDGE))
    assert not app.exception
    shown = picture(app)
    assert shown["file"].tolist() == ["gold.csv", "judge.csv"]
    assert shown["ids in another file"].tolist() == [0.8, 1.0]
    assert "gold.csv: 4 of 5 ids used, not found elsewhere: q9" in text_of(app).replace("\\", "").replace("\u2060", "")
    assert not [box for box in app.segmented_control if box.label == "Compare ids"], "what is certain is not asked"
    assert any(button.label == "Ids without a partner (1, CSV)" for button in app.get("download_button"))
    app = use(app)
    report = metrics.agreement(
        metrics.read([_file("gold.csv", GOLD), _file("judge.csv", JUDGE)], columns={"item": "id", "gold.csv:human": "gold"})
    )
    assert report.judges["judge"].micro.n == 4
    assert app.session_state["data"] in app.session_state["uploads"]


def _file(name: str, data: bytes) -> io.BytesIO:
    file = io.BytesIO(data)
    file.name = name
    return file


def test_few_ids_in_common_are_asked_about(visit):
    app = several(visit(DATA), ("gold.csv", GOLD), ("judge.csv", JUDGE.replace(b"q3", b"x3").replace(b"q4", b"x4")))
    assert "Only 2 of the 4 ids of judge.csv are in another file" in text_of(app).replace("\\", "").replace("\u2060", "")
    (control,) = [box for box in app.segmented_control if box.label == "Compare ids"]
    control.set_value("exact").run()
    assert "Only 2 of the 4 ids" not in text_of(app)


def test_a_table_of_keys_has_no_raters(visit):
    keys = [(f"h{k}", f"s{k % 3}", f"m{k // 3}") for k in range(6)]
    gold = "key_id,gold\n" + "".join(f"{own},{'yes' if k % 2 else 'no'}\n" for k, (own, *_) in enumerate(keys))
    judge = "scenario,system,judge\n" + "".join(f"{scenario},{system},yes\n" for _, scenario, system in keys)
    table = "key_id,scenario,system\n" + "".join(",".join(key) + "\n" for key in keys)
    files = [("gold.csv", gold), ("keys.csv", table), ("judge.csv", judge)]
    app = several(visit(DATA), *((name, text.encode()) for name, text in files))
    assert picture(app)["taken for"].tolist()[1] == "keys"
    said = text_of(app).replace("\\", "").replace("\u2060", "")
    assert "keys.csv: 6 of 6 ids used.]" in said
    assert "gold.csv: 6 of 6 ids used. Raters: gold.]" in said


def test_one_click_undoes_the_join(visit):
    app = several(visit(DATA), ("gold.csv", GOLD), ("judge.csv", JUDGE))
    app.button(key="data.unjoin").click().run()
    assert not app.exception
    assert not [frame for frame in app.dataframe if "taken for" in frame.value.columns]
    (which,) = [box for box in app.selectbox if box.label == "Open 2 files"]
    assert which.options[which.index] == "only judge.csv"


def test_roles_can_be_changed(visit):
    app = several(visit(DATA), ("ana.csv", GOLD.replace(b"gold", b"label")), ("ben.csv", JUDGE.replace(b"judge", b"label")))
    assert not app.exception
    (roles,) = [frame.value for frame in app.dataframe if "is" in frame.value.columns]
    assert roles["rater"].tolist() == ["ana", "ben"]
    assert roles["is"].tolist() == ["not known, counts as human"] * 2


def test_beside_people_the_other_is_proposed_as_the_judge(visit):
    app = several(visit(DATA), ("gold.csv", GOLD), ("other.csv", JUDGE.replace(b"judge", b"label")))
    (roles,) = [frame.value for frame in app.dataframe if "is" in frame.value.columns]
    assert dict(zip(roles["rater"], roles["is"], strict=True)) == {"gold": "human", "other": "judge"}
    ratings = next(reversed(use(app).session_state["uploads"].values())).ratings
    assert (ratings.humans, ratings.judges) == (("gold",), ("other",))


@pytest.mark.parametrize("case", ["upper", "zeros"])
def test_ids_that_differ_in_little_are_asked_about(visit, case: str):
    gold, judge = (GOLD, JUDGE.replace(b"q", b"Q")) if case == "upper" else (GOLD.replace(b"q", b"00"), JUDGE.replace(b"q", b""))
    app = several(visit(DATA), ("gold.csv", gold), ("judge.csv", judge))
    assert "if " in text_of(app)
    (control,) = [box for box in app.segmented_control if box.label == "Compare ids"]
    control.set_value("loose").run()
    assert not app.exception
    assert picture(app)["ids in another file"].tolist() == [0.8, 1.0]
    app = use(app)
    assert not app.error


def test_ids_in_two_ways_of_writing_are_proposed_as_one(visit):
    app = several(visit(DATA), ("gold.csv", GOLD.replace(b"q", b"Case ")), ("judge.csv", JUDGE.replace(b"q", b"")))
    asked = "None of the 4 ids of judge.csv is in another file to the letter, and 4 if what stands around their number may differ"
    assert asked in text_of(app).replace("\\", "").replace("\u2060", "")
    (control,) = [box for box in app.segmented_control if box.label == "Compare ids"]
    assert control.value == "loose", "the proposed answer is chosen"
    assert picture(app)["ids in another file"].tolist() == [0.8, 1.0]
    ratings = next(reversed(use(app).session_state["uploads"].values())).ratings
    assert (ratings.source.how.match, ratings.n_items) == ("loose", 5)


def test_ids_that_count_from_0_and_from_1_are_asked_about(visit):
    def of(side: str, first: int) -> bytes:
        return "\n".join(
            [f"id,{side}", *(f"{place},{'yes' if place % 3 else 'no'}" for place in range(first, first + 9))]
        ).encode()

    app = several(visit(DATA), ("gold.csv", of("gold", 0)), ("judge.csv", of("judge", 1)))
    assert "numbers its items from 0 and judge.csv from 1, 9 each" in text_of(app).replace("\\", "").replace("\u2060", "")
    (control,) = [box for box in app.segmented_control if box.label == "Compare ids"]
    control.set_value("exact").run()
    assert "numbers its items from 0" not in text_of(app)


def test_nothing_in_common_keeps_what_was_open(visit):
    app = several(visit(DATA), ("gold.csv", GOLD), ("judge.csv", JUDGE.replace(b"q", b"x")))
    assert not app.exception
    assert "No item of" in " ".join(error.value for error in app.error)


def test_a_further_file_joins_the_one_in_view(visit):
    app = used(several(visit(DATA), ("gold.csv", GOLD), ("judge.csv", JUDGE)))
    (adder,) = [box for box in app.file_uploader if box.label.startswith("Add a file to")]
    adder.upload("judge_b.csv", SECOND, "text/csv").run()
    assert not app.exception
    assert picture(app)["file"].tolist() == ["gold.csv", "judge.csv", "judge_b.csv"]
    app = used(app)
    (open_now,) = [data for name, data in app.session_state["uploads"].items() if name == app.session_state["data"]]
    assert set(open_now.ratings.judges) == {"judge", "judge_b"}


def test_what_was_said_of_the_first_file_stays_said(visit):
    app = uploaded(visit(DATA), "labels.csv", b"item,human,verdict\nq1,1,1\nq2,0,1\nq3,1,1\nq4,0,0\n")
    (adder,) = [box for box in app.file_uploader if box.label.startswith("Add a file to")]
    adder.upload("judge_b.csv", SECOND.replace(b"yes", b"1").replace(b"no", b"0"), "text/csv").run()
    assert not app.exception
    assert picture(app)["ids in another file"].tolist() == [1.0, 1.0]


def test_the_page_says_how_to_read_the_files_the_same_way(visit):
    app = used(several(visit(DATA), ("gold.csv", GOLD), ("judge.csv", JUDGE)))
    command, python = (block.value for block in app.code[-2:])
    assert "gold.csv --with judge.csv" in command
    assert 'metrics.read(["gold.csv", "judge.csv"]' in python
    (answers,) = [frame.value for frame in app.dataframe if "answered by" in frame.value.columns]
    assert set(answers["answered by"]) <= {"user", "file", "vocabulary"}


def test_a_row_left_out_is_named(visit):
    app = uploaded(visit(DATA), "labels.csv", b"item,human,verdict\nq1,yes,yes\nq2,no,yes\nq3,,\n")
    assert "1 × no label: row 4" in text_of(app).replace("\\", "").replace("\u2060", "")
