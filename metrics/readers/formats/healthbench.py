"""HealthBench: the labels of physicians in the meta-evaluation, and the answers of a grader."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from metrics.readers.formats.canonical import Rows, canonical, chosen, everywhere, first_filled, is_in, mapped, text
from metrics.readers.formats.cells import dicts, listed_in, riding, within, word
from metrics.readers.formats.record import Format, Record, having
from metrics.readers.table import TextTable

NO_LABEL = "a physician without a label"
NOBODY = "physician {}"
"""A label whose physician the file does not name, by its place in the list."""
JUDGE = "judge"
_BESIDE = ("prompt_id", "category", "prompt", "completion")
_EMPTY = frozenset({"", "null", "none", "nan"})


def read_physicians(lines: Iterable[Record], rows: Rows) -> None:
    """Read the meta-evaluation: one rating for each label of a list, by the physician at the same place of another."""
    for line in lines:
        item, criterion = word(line.get("completion_id")), word(line.get("rubric"))
        labels, physicians = listed_in(line, "binary_labels"), listed_in(line, "anonymized_physician_ids")
        more = riding({name: line.get(name) for name in _BESIDE})
        for place, (label, physician) in enumerate(zip_longest(labels, physicians), start=1):
            if word(label).casefold() in _EMPTY:
                rows.leave(NO_LABEL)
            else:
                rows.add(item, criterion, word(physician) or NOBODY.format(place), "human", word(label), more=more)


def read_grader(table: TextTable) -> TextTable:
    """Return the answers of a grader, one in each row; an empty one is a call that failed."""
    label = mapped(text(table, "criteria_met"), lambda word: "" if word.casefold() in _EMPTY else word)
    names = [text(table, name) for name in ("grader", "grader_model", "judge", "model")]
    columns = {
        "item": first_filled(text(table, "completion_id"), text(table, "prompt_id")),
        "criterion": text(table, "rubric"),
        "rater": first_filled(*names, everywhere(JUDGE, table.n_rows)),
        "role": everywhere("judge", table.n_rows),
        "label": label,
        "reason": text(table, "explanation"),
        "status": chosen(is_in(label, ""), "error", "ok"),
    }
    return canonical(table, columns)


def read_results(whole: Record, rows: Rows) -> None:
    """Read all results of an evaluation (`…_allresults.json`): each answer with its rubric, graded."""
    for example in dicts(within(whole, "metadata", "example_level_metadata")):
        item = word(example.get("completion_id") or example.get("prompt_id"))
        more = riding({name: example.get(name) for name in _BESIDE})
        for graded in dicts(example.get("rubric_items")):
            label = word(graded.get("criteria_met"))
            failed = label.casefold() in _EMPTY
            rows.add(
                item, word(graded.get("criterion")), JUDGE, "judge", "" if failed else label,
                reason=word(graded.get("explanation")), status="error" if failed else "ok",
                more={**more, **riding({"points": graded.get("points"), "tags": graded.get("tags")})},
            )  # fmt: skip


def _graded(whole: Record) -> bool:
    first = next(dicts(within(whole, "metadata", "example_level_metadata")), None)
    return isinstance(within(first, "rubric_items"), list)


FORMATS: tuple[Format, ...] = (
    Format(
        "HealthBench", "HealthBench’s meta-evaluation", "Take the file of the meta-evaluation as HealthBench publishes it.",
        "records", having("completion_id", "binary_labels"), read_records=read_physicians,
    ),
    Format(
        "HealthBench", "a grader’s answers to HealthBench",
        "Write one line for each answer: completion_id, rubric, criteria_met and explanation.", "table",
        having("rubric", "criteria_met"), read_table=read_grader,
    ),
    Format(
        "HealthBench", "a graded evaluation of HealthBench", "Run simple_evals, and send its file …_allresults.json.", "object",
        having("metadata"), _graded, read_object=read_results,
    ),
)  # fmt: skip
