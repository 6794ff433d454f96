"""What raters write beside their labels: found by the names of columns, and shown beside the label it belongs to."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.analyses.agreement.decisions import decision_frame
from metrics.analyses.settings import Settings
from metrics.data.item_texts import item_texts, shown_first
from metrics.data.ratings import Ratings
from metrics.readers.long_form import ratings_table

LONG = """item,criterion,rater,role,label,reason,answer
a,tone,ana,human,yes,kind words,Thank you for asking
a,tone,gpt,judge,no,"=cold
start",Thank you for asking
b,tone,ana,human,no,,No
b,tone,gpt,judge,no, short ,No
"""
PAIRS = "item,human,human_reason,verdict,judge_reason\na,yes,kind,no,cold\nb,no,,no,short\n"
WIDE = """item,ana,ana_reason,ben,ben.comment,gpt,gpt explanation
a,yes,kind,no,cold,no,short
b,no,,yes,warm,yes,
c,no,,yes,,yes,fine
"""
ROLES = {"ana": "human", "ben": "human", "gpt": "judge"}


def reasons(ratings: Ratings) -> dict[tuple[str, str], str | None]:
    items = ratings.items.take(ratings.item).to_pylist()
    who = [ratings.raters[code].name for code in ratings.rater]
    return dict(zip(zip(items, who, strict=True), ratings.reasons(np.arange(len(items))), strict=True))


def frame(ratings: Ratings, texts: list[str] | None = None) -> dict[str, list[object]]:
    places = np.arange(ratings.n_items)
    return decision_frame(ratings, ratings.judges[0], Settings(), places, texts).to_dict("list")  # type: ignore[return-value]


def test_a_long_table_gives_the_reasons_of_both_roles() -> None:
    ratings = metrics.read(LONG.encode())
    assert reasons(ratings) == {
        ("a", "ana"): "kind words", ("a", "gpt"): "=cold\nstart", ("b", "ana"): None, ("b", "gpt"): "short",
    }  # fmt: skip
    assert ratings.reasons(np.array([-1, 0])) == [None, "kind words"]


@pytest.mark.parametrize("name", ["explanation", "Rationale", "comment", "critique", "notes", "feedback", "label_reason"])
def test_other_names_are_known(name: str) -> None:
    assert reasons(metrics.read(LONG.replace("reason", name).encode()))["a", "ana"] == "kind words"


def test_pairs_have_a_column_for_each_side() -> None:
    assert reasons(metrics.read(PAIRS.encode())) == {
        ("a", "human"): "kind", ("b", "human"): None, ("a", "judge"): "cold", ("b", "judge"): "short",
    }  # fmt: skip
    bare = PAIRS.replace("human_reason", "notes").replace("judge_reason", "explanation")
    assert reasons(metrics.read(bare.encode()))["a", "judge"] == "cold"
    assert reasons(metrics.read(bare.encode()))["a", "human"] is None, "whose notes they are nobody says"
    stated = metrics.read(bare.encode(), columns={"human_reason": "notes"})
    assert reasons(stated)["a", "human"] == "kind"


def test_wide_tables_have_one_beside_each_label() -> None:
    ratings = metrics.read(WIDE.encode(), roles=ROLES)
    assert ratings.source.shape == "wide"
    assert {key: text for key, text in reasons(ratings).items() if text} == {
        ("a", "ana"): "kind", ("a", "ben"): "cold", ("b", "ben"): "warm", ("a", "gpt"): "short", ("c", "gpt"): "fine",
    }  # fmt: skip


def test_by_criterion_each_column_of_labels_has_its_own() -> None:
    text = "item,tone_ana,tone_ana_reason,tone_gpt,fit_ana,fit_gpt,fit_gpt.reason\n" + "".join(
        f"{item},{a},kind,{b},{b},{a},short\n" for item, a, b in (("a", "yes", "no"), ("b", "no", "no"), ("c", "yes", "yes"))
    )
    columns = {
        f"{role}:{name}::{on}": f"{on}_{name}" for on in ("tone", "fit") for role, name in (("human", "ana"), ("judge", "gpt"))
    }
    ratings = metrics.read(text.encode(), columns=columns)
    assert ratings.reason_columns is not None
    assert ratings.reason_columns.names == ("tone_ana_reason", "fit_gpt.reason")
    assert ratings.reason_columns.place.tolist() == [[0, -1], [-1, 1]]


def test_nothing_is_kept_for_a_file_without_reasons() -> None:
    ratings = metrics.read(b"item,judge,human,verdict,topic\na,g,yes,no,x\nb,g,no,no,y\n")
    assert ratings.reason_columns is None
    assert ratings.reasons(np.arange(4)) == [None] * 4
    assert list(frame(ratings)) == ["item", "criterion", "reference", "judge: g", "row", "topic"]
    counts = metrics.read(b"human \\ judge,yes,no\nyes,3,1\nno,1,4\n")
    assert counts.reason_columns is None


def test_reasons_stand_beside_their_labels() -> None:
    shown = frame(metrics.read(LONG.encode()))
    assert list(shown) == [
        "item", "criterion", "reference", "human: ana reason", "judge: gpt", "judge: gpt reason", "row", "answer",
    ]  # fmt: skip
    assert shown["human: ana reason"] == ["kind words", ""]
    several = frame(metrics.read(WIDE.encode(), roles=ROLES))
    assert list(several)[3:9] == [
        "human: ana", "human: ana reason", "human: ben", "human: ben reason", "judge: gpt", "judge: gpt reason",
    ]  # fmt: skip


def test_texts_of_the_items_are_named_so_or_long() -> None:
    head = "item,judge,human,verdict,topic,passage,output_text,question\n"
    rows = "".join(f"{item},g,yes,{label},short,{'long words ' * 5},fine,why\n" for item, label in (("a", "no"), ("b", "yes")))
    ratings = metrics.read((head + rows).encode())
    assert item_texts(ratings) == ("question", "output_text", "passage")
    assert shown_first(ratings) == (["question", "output_text", "passage", "topic"],) * 2
    assert list(frame(ratings, ["passage", "topic"]))[-2:] == ["passage", "topic"]


ASKED = """item,prompt,response,human,verdict
1,What is the capital of France?,Paris,yes,unsure
2,What is the capital of Spain?,Madrid,yes,no
3,Who wrote Faust?,Schiller,no,yes
"""


def test_a_prompt_for_each_item_is_what_the_item_asks_and_stands_beside_its_labels() -> None:
    ratings = metrics.read(ASKED.encode(), labels={"unsure": "abstention"})
    assert item_texts(ratings) == ("prompt", "response")
    assert frame(ratings)["prompt"][0] == "What is the capital of France?"
    again = ratings_table(ratings)
    assert again.prompt.tolist() == [line.split(",")[1] for line in ASKED.splitlines()[1:] for _ in range(2)]
    assert list(again.columns).count("prompt") == 1
    assert (
        frame(metrics.read(again.to_csv(index=False).encode(), labels={"unsure": "abstention"}))["prompt"]
        == frame(ratings)["prompt"]
    )


def test_prompts_that_share_out_the_items_are_versions_of_the_judge() -> None:
    lines = [f"{i},{'You are strict.' if i % 2 else 'You are kind.'},text,yes,no" for i in range(20)]
    ratings = metrics.read("\n".join(["item,prompt,response,human,verdict", *lines]).encode())
    assert item_texts(ratings) == ("response",)
    assert set(ratings_table(ratings).prompt) == {"", "You are strict.", "You are kind."}
