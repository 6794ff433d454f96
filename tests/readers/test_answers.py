"""Answers to one file, for another of the same shape: the same file is read the same, and what does not fit is not used."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from metrics.data.ratings import Ratings
from metrics.data.read_options import ReadOptions
from metrics.errors import InputError
from metrics.readers import Proposal, TextTable, build, confirmed, open_table, propose
from metrics.readers.answers import answers_for, answers_of, shape_key
from metrics.readers.repeats import check_repeats
from tests.shared_data import files

CORPUS = Path(__file__).resolve().parents[1] / "fuzz" / "corpus" / "table"
SAMPLES = [*sorted(CORPUS.iterdir()), *(path for path in files("data/*.csv") if path.stat().st_size < 1 << 20)]
Stated = dict[str, str]


def table(text: str, name: str = "march.csv") -> TextTable:
    return open_table(text.encode(), name)


def read_as(source: TextTable, how: ReadOptions) -> Proposal:
    columns, labels, scale = (dict(pairs) or None for pairs in (how.columns, how.labels, how.scale))
    repeats = check_repeats(how.repeats or "refuse")
    return propose(source, columns, labels, how.order or None, scale, repeats, bool(how.merge_spellings), how.match)


def alike(one: Ratings, other: Ratings) -> bool:
    schemes = [(ratings.scheme.kinds, ratings.scheme.order, ratings.scheme.scales) for ratings in (one, other)]
    codes = ((one.label, other.label), (one.row, other.row), (one.rater, other.rater), (one.item, other.item))
    same = all(np.array_equal(*pair) for pair in codes)
    return same and schemes[0] == schemes[1] and one.raters == other.raters and dict(one.columns) == dict(other.columns)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_the_same_file_has_no_question_left_and_is_read_the_same(path: Path) -> None:
    try:
        source = open_table(path.read_bytes(), path.name)
        proposal = propose(source)
        unsaid = proposal.missing or any(doubt.about == "roles" for doubt in proposal.doubts)
        ratings = None if unsaid else build(source, confirmed(proposal))
    except InputError:
        pytest.skip("no file to answer anything of")
    if ratings is None:
        pytest.skip("what is asked has no proposed answer")
    answers = answers_of(source, proposal)
    assert answers is not None
    again = open_table(path.read_bytes(), "april.csv")
    reuse = answers_for(again, answers)
    asked = {doubt.sentence for doubt in proposal.blocking}
    assert not reuse.why
    assert reuse.used or not asked
    known = read_as(again, reuse.how)
    assert not known.blocking
    assert alike(build(again, known), ratings)


PAIRS = "item,human,verdict\nq1,a,b\nq2,b,b\nq3,a,a\n"
MEANT = {"a": "positive", "b": "negative"}


def answered(text: str, columns: Stated | None = None, labels: Stated | None = None, **more: object):
    source = table(text)
    answers = answers_of(source, propose(source, columns, labels, **more))  # type: ignore[arg-type]
    assert answers is not None
    return answers


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (PAIRS.replace("q3,a,a", "q3,c,a"), "the label ‘c’ is new"),
        (PAIRS.replace("q3,a,a", "q3,yes,a"), "the label ‘yes’ is new"),
        (PAIRS.replace("q3,a,a", "q3,A,a"), ""),
        (PAIRS.replace("q3,a,a", "q3,,a"), ""),
        (PAIRS.replace("b", "a"), ""),
    ],
)
def test_every_label_was_there_or_no_meaning_is_used(text: str, why: str) -> None:
    reuse = answers_for(table(text), answered(PAIRS, labels=MEANT))
    assert (reuse.why, reuse.used, dict(reuse.how.labels)) == (why, not why, {} if why else MEANT)


def test_a_word_that_would_now_mean_something_else_is_not_taken_over() -> None:
    """Beside fair, good and bad are steps of a scale; alone they are two sides."""
    steps = answered("item,human,verdict\nq1,good,bad\nq2,fair,bad\nq3,poor,great\n")
    assert steps.how.order == ("bad", "poor", "fair", "good", "great")
    reuse = answers_for(table("item,human,verdict\nq1,good,bad\nq2,bad,bad\n"), steps)
    assert (reuse.why, reuse.how.order) == ("the label ‘bad’ may mean something else", ())
    reuse = answers_for(table("item,human,verdict\nq1,poor,bad\nq2,fair,great\nq3,fair,good\n"), steps)
    assert (reuse.why, reuse.how.order) == ("", steps.how.order)


def test_a_criterion_that_was_not_there_leaves_labels_and_scales_open() -> None:
    scored = "item,criterion,human,verdict\nq1,tone,1,2\nq2,tone,3,3\n"
    before = answered(scored, scale={"tone": "ordinal"})
    assert dict(answers_for(table(scored), before).how.scale) == {"tone": "ordinal"}
    reuse = answers_for(table(scored.replace("q2,tone", "q2,depth")), before)
    assert (reuse.why, reuse.how.scale) == ("the criterion ‘depth’ is new", ())


LONG = "item,rater,label\nq1,ana,yes\nq1,gpt,no\nq2,ana,no\nq2,gpt,no\n"
ROLES = {"role:gpt": "judge", "role:*": "human"}


def test_everybody_else_is_who_was_there() -> None:
    before = answered(LONG, columns=ROLES)
    assert dict(before.how.columns) == {"role:ana": "human", "role:gpt": "judge"}
    assert dict(read_as(table(LONG), answers_for(table(LONG), before).how).roles) == {"ana": "human", "gpt": "judge"}
    later = table(LONG.replace("q2,ana", "q2,zoe"))
    assert dict(read_as(later, answers_for(later, before).how).roles) == {"ana": "human", "gpt": "judge", "zoe": None}
    alone = table(LONG.replace("gpt", "bot").replace("ana", "zoe"))
    assert answers_for(alone, before).how.columns == ()


def test_words_for_roles_are_those_that_were_there() -> None:
    text = "item,rater,role,label\nq1,ana,mensch,yes\nq1,gpt,llm,no\nq2,ben,gast,no\nq2,gpt,llm,no\n"
    before = answered(text, columns={"role:mensch": "human", "role:*": "human"})
    assert dict(before.how.columns) == {"role:mensch": "human", "role:gast": "human"}
    later = table(text.replace("gast", "amt"))
    roles = read_as(later, answers_for(later, before).how).roles
    assert dict(roles) == {"mensch": "human", "amt": None}


def test_names_that_are_alike_are_merged_where_the_same_were() -> None:
    text = LONG.replace("q2,ana", "q2,Ana")
    before = answered(text, columns=ROLES, merge_spellings=True)
    assert answers_for(table(text), before).how.merge_spellings == "names"
    assert answers_for(table(text.replace("q2,gpt", "q2,GPT")), before).how.merge_spellings == ""
    assert answers_for(table(LONG), before).how.merge_spellings == ""


def test_columns_that_would_be_something_else_are_not_used() -> None:
    before = answered(PAIRS, labels=MEANT)
    odd = table("item,human,verdict\n" + "".join(f"q{n},text {n},text {n}\n" for n in range(90)))
    reuse = answers_for(odd, before)
    assert (reuse.used, reuse.why, reuse.how) == (False, "its columns may mean something else", odd.how)


def both(gold: str, judge: str, *, names: tuple[str, str] = ("gold.csv", "judge.csv")) -> TextTable:
    parts = []
    for name, text in zip(names, (gold, judge), strict=True):
        part = BytesIO(text.encode())
        part.name = name
        parts.append(part)
    return open_table(parts)


def test_joined_files_are_known_by_their_columns_whatever_their_names_and_order() -> None:
    gold, judge = "no,said\nq1,a\nq2,b\nq3,a\n", "no,more,answer\nq1,1,a\nq2,2,b\nq3,3,b\n"
    source = both(gold, judge)
    stated = {"item": "no", "gold.csv:human": "said", "judge.csv:verdict": "answer"}
    answers = answers_of(source, propose(source, stated, MEANT))
    assert answers is not None
    later = both(judge, gold, names=("gpt.csv", "people.csv"))
    assert shape_key(later) == shape_key(source)
    reuse = answers_for(later, answers)
    assert dict(reuse.how.columns) == {"item": "no", "people.csv:human": "said", "gpt.csv:verdict": "answer"}
    assert (reuse.used, reuse.why) == (True, "")
    ratings = build(later, read_as(later, reuse.how))
    assert (ratings.humans, ratings.judges) == (("people",), ("gpt",))


def test_files_of_the_same_columns_that_were_answered_differently_are_not_remembered() -> None:
    text = "no,said\nq1,a\nq2,b\nq3,a\n"
    source = both(text, text)
    assert (
        answers_of(source, propose(source, {"gold.csv:human": "said", "judge.csv:verdict": "said", "item": "no"}, MEANT)) is None
    )
