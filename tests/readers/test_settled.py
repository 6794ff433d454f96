"""A file is opened without a question only where no answer would change a number."""

from __future__ import annotations

import pytest

import metrics
from metrics.readers import build, confirmed, propose
from metrics.readers.import_text import understood_line
from metrics.readers.opening import open_table
from metrics.readers.settled import settled

LABELS = ("pass", "fail")


def table(head: str, *, cells: tuple[str, str] = LABELS, n: int = 12) -> bytes:
    width = head.count(",") + 1
    rows = (",".join([f"q{i}", *(cells[(i + k * (i % 3 == 0)) % 2] for k in range(width - 1))]) for i in range(n))
    return "\n".join([head, *rows]).encode()


def is_settled(data: bytes) -> bool:
    opened = open_table(data, "own.csv")
    return settled(opened, propose(opened, None, None))


@pytest.mark.parametrize(
    "head",
    ["item,human,verdict", "id,gold,pred", "id,human_label,judge_label", "item_id,label,gpt4", "id,human_ana,human_ben,gpt4"],
)
def test_columns_whose_names_give_them_away_are_not_asked_about(head: str) -> None:
    assert is_settled(table(head))


@pytest.mark.parametrize("head", ["id,first,second", "id,label,gold", "id,pred_a,pred_b", "key,one,pred"])
def test_columns_that_a_name_leaves_open_are_asked_about(head: str) -> None:
    assert not is_settled(table(head))


@pytest.mark.parametrize("cells", [("3", "4"), ("Clear", "Unclear"), ("0.25", "0.75")])
def test_labels_that_could_change_a_number_are_asked_about(cells: tuple[str, str]) -> None:
    assert not is_settled(table("item,human,verdict", cells=cells))


def test_which_side_of_a_preference_is_positive_changes_no_number_that_is_shown_first() -> None:
    data = table("item,human,verdict", cells=("A", "B"), n=30)
    assert is_settled(data)
    kappas = []
    for labels in ({"A": "positive", "B": "negative"}, {"B": "positive", "A": "negative"}):
        found = metrics.overview(metrics.read(data, labels=labels))
        kappas.append([(row.estimate.value, row.estimate.ends, row.agreement.value) for row in found.judges])
    assert kappas[0] == kappas[1]


def test_what_was_guessed_is_said() -> None:
    opened = open_table(table("id,gold,pred"), "own.csv")
    ratings = build(opened, confirmed(propose(opened, None, None)))
    line = understood_line(ratings)
    assert "column ‘gold’ holds the human’s verdicts; column ‘pred’ holds the judge’s verdicts" in line
    assert "pass counts as positive; all 12 rows read" in line


def test_more_numbers_than_labels_could_be_are_told_and_not_asked() -> None:
    rows = [f"q{i},{i / 7:.3f},{(i * i % 53) / 9:.3f}" for i in range(60)]
    opened = open_table("\n".join(["item,human,verdict", *rows]).encode(), "own.csv")
    proposal = propose(opened, None, None)
    assert settled(opened, proposal)
    assert "the labels are scores" in understood_line(build(opened, confirmed(proposal)))


def test_steps_are_told_from_the_first_to_the_last() -> None:
    rows = "\n".join(f"q{i},{i % 4 + 1},{i * i % 4 + 1}" for i in range(12))
    line = understood_line(metrics.read(f"item,human,verdict\n{rows}".encode(), scale="ordinal"))
    assert "the labels are steps, 1 to 4" in line
