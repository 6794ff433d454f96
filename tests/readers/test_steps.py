"""Words for the steps of a scale: an order that is proposed, and where it is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from metrics.asker import answering
from metrics.commands.options import pairs_of, split
from metrics.data.scales import scales_of
from metrics.data.vocabulary import STEPS, steps_of
from metrics.errors import InputError
from metrics.readers import Proposal, confirmed, from_counts, open_table, propose, read
from metrics.readers.scaling import proposed_scales

pytestmark = pytest.mark.usefixtures("as_command")

WORDS = ("bad", "poor", "fair", "good", "great")
LIKERT = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")


def table(criteria: Mapping[str, Sequence[str]]) -> bytes:
    """Every label in turn from the human, the one before it from the judge."""
    rows = [
        f"i{place},{name},{label},{labels[place - 1]}" for name, labels in criteria.items() for place, label in enumerate(labels)
    ]
    return "\n".join(["item,criterion,human,verdict", *rows]).encode()


def proposed(*labels: str, **options: object) -> Proposal:
    return propose(open_table(table({"tone": labels})), **options)  # type: ignore[arg-type]


def scales(criteria: Mapping[str, Sequence[str]], **options: object) -> list[str]:
    opened = open_table(table(criteria))
    return [its.scale for its in proposed_scales(opened, propose(opened, **options)).criteria]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "order",
    [
        WORDS,
        ("Poor", "Fair", "Good", "Very good", "Excellent"),
        ("poor", "fair", "good", "excellent"),
        LIKERT,
        ("strongly_disagree", "disagree", "agree", "strongly_agree"),
        ("low", "medium", "high"),
        ("never", "rarely", "sometimes", "often", "always"),
        ("never", "sometimes", "always"),
    ],
)
def test_words_of_one_scale_are_proposed_in_their_order(order: Sequence[str]) -> None:
    shuffled = [*sorted(order), "N/A"]
    found = proposed(*shuffled)
    assert found.order == tuple(order)
    assert {row.label: row.kind for row in found.labels} == dict.fromkeys(order, "class") | {"N/A": "abstention"}
    assert [row.label for row in found.labels if row.in_doubt] == []
    assert scales({"tone": shuffled}) == ["ordinal"]
    (doubt,) = found.blocking
    assert doubt.sentence.startswith(f"The labels {', '.join(order)} are steps of a scale. Confirm this order, low to high,")
    assert confirmed(found).scheme.order == tuple(order)
    assert not confirmed(found).blocking


@pytest.mark.parametrize("order", [WORDS, LIKERT])
def test_the_command_names_the_whole_order_and_reads_the_file_by_it_as_the_page_does(order: Sequence[str]) -> None:
    data = table({"tone": order})
    with pytest.raises(InputError) as refused:
        read(data)
    assert "invalid" not in str(refused.value)
    (said,) = str(refused.value).split("If this is right: --order ")[1:]
    ratings = read(data, order=split(said.strip('"')))
    assert ratings.scheme == confirmed(proposed(*order)).scheme
    assert scales_of(ratings).used == ("ordinal",)
    with answering("page"):
        assert proposed(*order).order == tuple(order)


def test_two_opposite_words_stay_two_sides() -> None:
    for words, abstained in ((["good", "bad"], {}), (["good", "bad", "N/A"], {"N/A": "abstention"})):
        found = proposed(*words)
        assert {row.label: row.kind for row in found.labels} == {"good": "positive", "bad": "negative"} | abstained
        assert not found.blocking
        assert found.order == ()
        assert scales({"tone": words}) == ["binary"]
    for words in (["low", "high"], ["agree", "disagree"], ["Yes", "No", "Partially"], ["good", "bad", "purple"]):
        assert proposed(*words).order == ()
        assert "steps of a scale" not in proposed(*words).blocking[0].sentence


def test_words_without_one_order_are_asked_as_classes() -> None:
    two = {"tone": ["poor", "fair", "good"], "depth": ["low", "medium", "high"]}
    numbers = {"tone": ["poor", "fair", "good"], "depth": ["1", "2", "3"]}
    for criteria in ({"tone": ["bad", "fair", "okay", "good"]}, {"tone": [*WORDS, "purple"]}, two, numbers):
        found = propose(open_table(table(criteria)))
        assert found.order == ()
        assert "Confirm them as classes, or give with --order the order of all labels" in found.blocking[0].sentence
        assert set(found.labels_answer.values()) == {"class"}
        assert scales(criteria)[0] == "nominal"
        with pytest.raises(InputError, match="If this is right: --labels ") as refused:
            read(table(criteria))
        said = str(refused.value).rpartition("--labels ")[2]
        assert not propose(open_table(table(criteria)), labels=pairs_of([said], "--labels")).blocking


def test_steps_beside_another_criterion_keep_their_order() -> None:
    assert scales({"cites": ["yes", "no"], "depth": ["low", "medium", "high"]}) == ["binary", "ordinal"]
    assert scales({"cites": ["red", "blue", "green"], "depth": ["low", "medium", "high"]}) == ["nominal", "ordinal"]


def test_what_was_said_of_the_labels_or_the_scale_stands() -> None:
    given = proposed(*WORDS, labels=dict.fromkeys(WORDS, "class"))
    assert not given.blocking
    assert given.order == ()
    assert not proposed(*WORDS, scale="nominal").blocking
    assert proposed(*WORDS, scale="nominal").order == ()
    assert proposed(*WORDS, scale="ordinal").order == WORDS
    assert proposed(*WORDS, labels={"fair": "abstention"}).order == ("bad", "poor", "good", "great")
    assert "steps of a scale" not in proposed(*WORDS, scale="binary").blocking[0].sentence
    own = proposed(*WORDS, order=WORDS[::-1])
    assert own.order == WORDS[::-1]
    assert not own.blocking


def test_a_typed_table_of_steps_has_their_order() -> None:
    typed = from_counts(np.eye(3) * 4 + 1, ["good", "fair", "poor"])
    assert typed.scheme.order == ("poor", "fair", "good")
    assert from_counts(np.eye(2) * 4 + 1, ["good", "bad"]).scheme.scale == "binary"


def test_a_word_stands_in_one_list_once() -> None:
    for scale in STEPS:
        words = [word for step in scale for word in step]
        assert len(set(words)) == len(words)
        first = [step[0] for step in scale]
        assert steps_of(reversed(first)) == (tuple(first), tuple(first))
