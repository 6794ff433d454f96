"""A number without a label is a rating, a judge's row with neither a failed call; nothing of it is dropped without a word."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import metrics
from metrics.data.labels import SCORE_ALONE
from metrics.data.ratings import Ratings
from metrics.engines import count
from metrics.readers import open_table, propose
from metrics.readers.excluded_rows import BESIDE_LABEL
from metrics.readers.table import NO_LABEL

pytestmark = pytest.mark.slow("each case as rows, as a file and as a tally")
RATERS = "item,criterion,rater,role,label,score\n"
PAIRS = "item,criterion,judge,human,verdict,human_score,score\n"


def long(*, criterion: str = "tone", human: str = "{yes},", judge: str = "{yes},", n: int = 12) -> str:
    """Rows of one human and one judge on every item; `{yes}` is a verdict, `{n}` a number."""
    rows = []
    for item in range(n):
        for who, role, cells in (("ana", "human", human), ("gpt", "judge", judge)):
            said = item % 3 and not (role == "judge" and item == 4)
            rows.append(f"i{item},{criterion},{who},{role}," + cells.format(yes="yes" if said else "no", n=item % 4 + 1) + "\n")
    return "".join(rows)


def read(text: str, **how: Any) -> Ratings:
    return metrics.read(text.encode(), **how)


def as_counted(text: str, folder: Path, **how: Any) -> Ratings:
    path = folder / "rows.csv"
    path.write_text(text)
    written = {count(path, engine=engine).to_bytes() for engine in ("duckdb", "polars")}
    assert len(written) == 1
    return metrics.read(written.pop(), **how)


def told(ratings: Ratings) -> dict[str, Any]:
    found: dict[str, Any] = metrics.agreement(ratings).to_dict()
    for name in ("sha256", "file", "tally"):
        found["declaration"].pop(name, None)
    return found


def of(ratings: Ratings, code: str) -> list[str]:
    return [warning.message for warning in metrics.agreement(ratings, interval="none").warnings if warning.code == code]


def test_where_no_row_has_a_label_the_scores_are_the_labels_and_their_scale_is_asked() -> None:
    text = RATERS + long() + long(criterion="depth", human=",{n}", judge=",{n}")
    with pytest.raises(metrics.InputError, match="The labels 1, 2, 3, 4 are numbers") as refused:
        read(text)
    assert "scale=" in str(refused.value)
    ratings = read(text, scale={"depth": "ordinal"})
    assert (ratings.rows_used, ratings.left_out.n) == (48, 0)
    assert metrics.agreement(ratings, interval="none").judges["gpt"].criteria["depth"].values["kappa"] == 1
    assert "‘label’ is empty on depth: the numbers of ‘score’ are the labels there." in ratings.source.notes
    same = read(RATERS + long() + long(criterion="depth", human="{n},", judge="{n},"), scale={"depth": "ordinal"})
    assert told(same)["judges"] == told(ratings)["judges"]
    assert not same.source.notes


def test_without_a_column_of_criteria_it_is_the_whole_file() -> None:
    text = "item,rater,role,label,score\n" + "".join(
        f"i{n},{who},,{n / 64}\n" for n in range(64) for who in ("a,human", "g,judge")
    )
    proposal = propose(open_table(text.encode()))
    assert "different numbers" in proposal.blocking[0].sentence
    ratings = read(text, scale="continuous")
    assert ratings.source.notes[-1] == "‘label’ is empty: the numbers of ‘score’ are the labels there."
    assert metrics.scores(ratings, interval="none").judges["g"].pooled.values["pearson"] == pytest.approx(1)


def test_in_pairs_both_sides_take_their_own_numbers() -> None:
    text = PAIRS + "".join(f"i{n},depth,gpt,,,{n % 4 + 1},{n % 4 + 1 if n else 4}\n" for n in range(12))
    ratings = read(text, scale="ordinal")
    assert metrics.agreement(ratings, interval="none").judges["gpt"].micro.values["accuracy"] == pytest.approx(11 / 12)


@pytest.mark.parametrize("shape", ["raters", "pairs"])
def test_a_score_beside_labels_of_others_is_a_rating_without_a_verdict(shape: str, tmp_path: Path) -> None:
    if shape == "raters":
        text = RATERS + long(judge=",0.{n}")
    else:
        text = PAIRS + "".join(f"i{n},tone,gpt,{'yes' if n % 3 else 'no'},,,0.{n % 4 + 1}\n" for n in range(12))
    for ratings in (read(text), as_counted(text, tmp_path)):
        assert ratings.rows_used == (24 if shape == "raters" else 12)
        alone = ratings.label == ratings.labels.index(SCORE_ALONE)
        assert ratings.weight[ratings.item[alone]].sum() == 12
        curve = metrics.roc(ratings, interval="none").judges["gpt"].pooled
        assert curve.n == 12
        assert curve.curve is not None
        with pytest.raises(metrics.InputError, match="gpt: 12 ratings with a score and without a label give no verdict"):
            metrics.agreement(ratings)


def test_few_scores_alone_are_told_and_count_as_not_rated(tmp_path: Path) -> None:
    text = RATERS + long(judge="{yes},0.{n}") + "i90,tone,ana,human,yes,\ni90,tone,gpt,judge,,0.7\n"
    for ratings in (read(text), as_counted(text, tmp_path)):
        coverage = metrics.agreement(ratings, interval="none").judges["gpt"].coverage
        assert (coverage.n_total, coverage.n_errors, ratings.left_out.n) == (12, 0, 0)
        assert of(ratings, "score_alone") == [
            "gpt: 1 rating with a score and without a label gives no verdict and counts as not rated. ROC curves take the scores."
        ]
        assert of(ratings, "unmatched") == ["gpt: not counted: 1 decision without a label of gpt."]
        assert metrics.roc(ratings, interval="none").judges["gpt"].pooled.n == 13
    assert of(read(RATERS + long(judge="{yes},0.{n}")), "score_alone") == []
    two = read(text + "i91,tone,ana,human,yes,\ni91,tone,gpt,judge,,0.7\n")
    assert "gpt: 2 ratings with a score and without a label give no verdict and count as not rated." in of(two, "score_alone")[0]


def test_without_scores_alone_one_side_rated() -> None:
    ratings = read(RATERS + long(judge="{yes},0.{n}") + "i90,tone,ana,human,yes,\n")
    assert of(ratings, "unmatched") == ["gpt: not counted: 1 decision without a rating of gpt."]


def test_on_numbers_a_score_alone_is_one_of_them() -> None:
    text = RATERS + long(human="0.{n},", judge="0.{n},") + "i90,tone,ana,human,0.5,\ni90,tone,gpt,judge,,0.5\n"
    ratings = read(text, scale="continuous")
    assert metrics.scores(ratings, interval="none").judges["gpt"].pooled.n == 13
    assert SCORE_ALONE not in ratings.labels


@pytest.mark.parametrize("shape", ["raters", "pairs"])
@pytest.mark.parametrize("cell", ["", "nan"])
def test_a_judges_row_with_neither_is_a_failed_call(shape: str, cell: str, tmp_path: Path) -> None:
    if shape == "raters":
        text = RATERS + long() + f"i90,tone,ana,human,yes,\ni90,tone,gpt,judge,,{cell}\n"
    else:
        text = PAIRS + "".join(f"i{n},tone,gpt,{'yes' if n % 3 else 'no'},{'no' if n % 3 else 'yes'},,\n" for n in range(12))
        text += f"i90,tone,gpt,yes,,,{cell}\n"
    for ratings in (read(text), as_counted(text, tmp_path)):
        report = metrics.agreement(ratings, interval="none").judges["gpt"]
        assert (report.coverage.n_total, report.coverage.n_errors) == (12, 1)
        assert report.coverage.error_rate == pytest.approx(1 / 13)
        assert ratings.left_out.n == 0
        assert len(of(ratings, "failed_calls")) == 1
    answered = {f"i90,tone,gpt,judge,,{cell}": "i90,tone,gpt,judge,yes,", f"i90,tone,gpt,yes,,,{cell}": "i90,tone,gpt,yes,yes,,"}
    for row, mended in answered.items():
        text = text.replace(row, mended)
    assert of(read(text), "failed_calls") == []


def test_a_failed_call_is_no_item_without_abstention() -> None:
    text = RATERS + long() + long(criterion="depth") + "i90,tone,ana,human,yes,\ni90,tone,gpt,judge,,\n"
    text += "i90,depth,ana,human,yes,\ni90,depth,gpt,judge,yes,\n"
    item = metrics.agreement(read(text), interval="none").judges["gpt"].item
    assert (item.n, item.more["left_out"], item.more["complete"]["n"]) == (12, 1, 12)


ANSWERS = ["yes" if n % 3 else "no" for n in range(6)]
TWO = "".join(f"i{n},a,{said}\ni{n},b,{said}\n" for n, said in enumerate(ANSWERS))
WIDE = "".join(f"i{n},{said},{said}\n" for n, said in enumerate(ANSWERS))


@pytest.mark.parametrize(
    "text",
    [
        RATERS + long() + "i90,tone,ana,human,,\ni90,tone,gpt,judge,yes,\n",
        "item,rater,label\n" + TWO + "i9,a,\ni9,b,yes\n",
        "item,human,verdict\n" + WIDE + "i9,yes,\n",
    ],
    ids=["a human's row", "a rater's of unknown role", "a wide table"],
)
def test_an_empty_cell_of_anybody_else_is_no_call(text: str, tmp_path: Path) -> None:
    for ratings in (read(text), as_counted(text, tmp_path)):
        assert "" not in ratings.labels
        assert not (ratings.state == ratings.scheme.state("error")).any()
        assert ratings.left_out.counts() == ({} if text.startswith("item,human") else {NO_LABEL: 1})


def test_it_can_be_said_that_an_empty_cell_is_no_row() -> None:
    ratings = read(RATERS + long() + "i90,tone,ana,human,yes,\ni90,tone,gpt,judge,,\n", labels={"": "missing"})
    assert metrics.agreement(ratings, interval="none").judges["gpt"].coverage.n_errors == 0
    assert ratings.left_out.counts() == {NO_LABEL: 1}


def test_what_is_empty_is_shown_with_its_meaning() -> None:
    text = RATERS + long() + "i90,tone,gpt,judge,,\ni91,tone,gpt,judge,,0.4\n"
    found = {row.label: (row.kind, row.count, row.row, row.in_doubt) for row in propose(open_table(text.encode())).labels}
    assert found[""] == ("error", 1, 26, False)
    assert found[SCORE_ALONE] == ("missing", 1, 27, False)
    assert not {"", SCORE_ALONE} & {row.label for row in propose(open_table((RATERS + long()).encode())).labels}


def test_a_row_beside_one_that_says_more_is_left_out_with_its_reason(tmp_path: Path) -> None:
    rows = ["i90,tone,gpt,judge,yes,\n", "i90,tone,gpt,judge,,\n", "i90,tone,gpt,judge,,0.4\n"]
    found = []
    for order in (rows, rows[::-1]):
        text = RATERS + long() + "i90,tone,ana,human,yes,\n" + "".join(order)
        for ratings in (read(text), as_counted(text, tmp_path)):
            assert ratings.left_out.counts() == {NO_LABEL: 1, BESIDE_LABEL: 1}
            found.append(json.dumps(told(ratings), sort_keys=True))
    assert len(set(found)) == 1
    assert read(RATERS + long()).left_out.n == 0


def test_in_pairs_the_verdict_of_another_row_counts(tmp_path: Path) -> None:
    text = PAIRS + "".join(f"i{n},tone,gpt,{'yes' if n % 3 else 'no'},{'no' if n % 3 else 'yes'},,\n" for n in range(12))
    text += "i90,tone,gpt,yes,,,\ni90,tone,gpt,,no,,\n"
    for ratings in (read(text), as_counted(text, tmp_path)):
        coverage = metrics.agreement(ratings, interval="none").judges["gpt"].coverage
        assert (coverage.n_total, coverage.n_errors, ratings.left_out.n) == (13, 0, 0)


@pytest.mark.parametrize("extra", ["", "i95,tone,gpt,judge,,\n", "i95,tone,gpt,judge,,0.3\n", "i95,tone,ana,human,,2\n"])
def test_a_tally_gives_the_numbers_of_its_rows(extra: str, tmp_path: Path) -> None:
    text = RATERS + long(judge="{yes},0.{n}") + "i90,tone,ana,human,no,\ni90,tone,gpt,judge,,\ni95,tone,ben,human,yes,\n" + extra
    whole, tally = read(text), as_counted(text, tmp_path)
    assert whole.left_out.counts() == tally.left_out.counts()
    assert json.dumps(told(whole), sort_keys=True) == json.dumps(told(tally), sort_keys=True)


def test_a_tally_takes_scores_as_labels_too(tmp_path: Path) -> None:
    text = RATERS + long() + long(criterion="depth", human=",{n}", judge=",{n}")
    whole, tally = read(text, scale={"depth": "ordinal"}), as_counted(text, tmp_path, scale={"depth": "ordinal"})
    assert json.dumps(told(whole), sort_keys=True) == json.dumps(told(tally), sort_keys=True)


def test_roles_that_are_said_of_a_tally_find_its_failed_calls(tmp_path: Path) -> None:
    rows = long().replace(",human,", ",").replace(",judge,", ",")
    text = "item,criterion,rater,label,score\n" + rows + "i90,tone,ana,yes,\ni90,tone,gpt,,\n"
    roles = {"role:gpt": "judge", "role:ana": "human"}
    whole, tally = read(text, columns=roles), as_counted(text, tmp_path, columns=roles)
    assert told(whole)["judges"]["gpt"]["coverage"]["error_rate"] == pytest.approx(1 / 13)
    assert json.dumps(told(whole), sort_keys=True) == json.dumps(told(tally), sort_keys=True)


def test_a_criterion_that_somebody_skipped_keeps_its_numbers() -> None:
    """A label that says that nobody decided stands beside the numbers; it does not take their place."""
    judge = {"model_version": "m", "result": [{"from_name": "depth", "type": "rating", "value": {"rating": 2}}]}
    tasks = [
        {"id": n, "data": {}, "predictions": [judge], "annotations": [
            {"completed_by": 1, "created_at": "", "was_cancelled": n == 2, "result": [
                {"from_name": "depth", "type": "rating", "value": {"rating": n + 1}},
            ]},
        ]} for n in range(3)
    ]  # fmt: skip
    ratings = metrics.read(json.dumps(tasks).encode(), scale="ordinal")
    assert set(ratings.labels) == {"1", "2", "skipped"}


def feedback(*rows: str) -> bytes:
    """Ratings as a judge and a person write them in one tool: key, person's or judge's, score and value."""
    head = '{"run_id": "r%s", "key": "%s", "score": %s, "value": %s, "feedback_source": {"type": "%s", "user_name": "%s"}}'
    return "\n".join(head % tuple(row.split()) for row in rows).encode()


def test_a_number_of_a_tool_stands_for_the_label_beside_the_same_number() -> None:
    people = [f"{n} ok {n % 2} {(chr(34) + ('Pass' if n % 2 else 'Fail') + chr(34))} app ana" for n in range(8)]
    judge = [f"{n} ok {int(n % 3 > 0)} null model -" for n in range(8)]
    ratings = metrics.read(io.BytesIO(feedback(*people, *judge)))
    (block,) = [report.micro for report in metrics.agreement(ratings).judges.values()]
    assert block.n == 8
    assert "0 is Fail, 1 is Pass" in " ".join(ratings.source.notes)
    written = metrics.ratings_table(ratings)
    assert [row["label"] for row in written.to_dict("records") if row["role"] == "judge"] == [""] * 8, (
        "the file says no word there"
    )


@pytest.mark.parametrize("other", ['9 ok 1 "Fail" app ana', "9 ok 0.5 null model -"])
def test_numbers_with_two_labels_or_none_stay_without(other: str) -> None:
    people = [f"{n} ok {n % 2} {(chr(34) + ('Pass' if n % 2 else 'Fail') + chr(34))} app ana" for n in range(8)]
    judge = [f"{n} ok {int(n % 3 > 0)} null model -" for n in range(8)]
    ratings = metrics.read(io.BytesIO(feedback(*people, *judge, other)))
    assert "the label beside the same number" not in " ".join(ratings.source.notes)
