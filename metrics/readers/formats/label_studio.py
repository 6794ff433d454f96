"""Label Studio: tasks as JSON, or as a table whose cells hold the lists of the JSON; annotations as CSV and JSON-MIN."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Any

from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.cells import WRITTEN, Answer, is_reason, listed_in, records_in, riding, status_of
from metrics.readers.formats.label_studio_answers import SEVERAL, Beside, is_about, result_of
from metrics.readers.formats.label_studio_rows import read_rows
from metrics.readers.formats.record import Format, Record, having
from metrics.readers.frames import text
from metrics.readers.messages import brief, listed, refuse, times
from metrics.readers.names import OVERALL
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_nested

JSON = "Label Studio’s export as JSON"
HOW = "Export JSON there, or CSV with the judge’s verdict in a field of the tasks."
UNNAMED = "undefined"
NO_ANSWER, ONLY_ID = "an annotation without an answer", "a prediction given by its id alone"
SKIPPED_ALONE = "a skipped task, of which no question is known"
_BY_ID = (
    "the file gives them by id alone. For the judge’s verdicts make an export snapshot through the API, with "
    'serialization_options {"predictions": {"only_id": false}}, or put them into a field of the tasks.'
)


def read_tasks(tasks: Iterable[Record], rows: Rows) -> None:
    """Add the ratings of tasks: people's annotations, and models' predictions.

    Raises
    ------
    InputError
        Where no task holds a rating.
    """
    reading = _Tasks(rows)
    for place, task in enumerate(tasks, start=1):
        reading.add(task, place)
    reading.finish()


class _Tasks:
    """What is known of the tasks so far."""

    def __init__(self, rows: Rows) -> None:
        self._rows, self._beside = rows, Beside()
        self._skipped: list[tuple[str, str, str, dict[str, str]]] = []
        self._emails: dict[str, str] = {}
        self._numbers: dict[str, None] = {}
        self._by_id = self._truths = self._unnamed = 0

    def add(self, task: Record, place: int) -> None:
        """Add the ratings of one task."""
        data = task.get("data")
        more = riding(data) if isinstance(data, dict) else {}
        item = text(task.get("id"))
        if not item:
            item = str(place)
            self._rows.note("The tasks have no id: their place in the file stands for it.")
        for annotation in listed_in(task, "annotations", "completions"):
            if isinstance(annotation, dict):
                self._annotation(item, annotation, more)
            else:
                self._rows.leave("an annotation given by its id alone")
        for prediction in listed_in(task, "predictions"):
            self._prediction(item, prediction, more)
        self._beside.add(item, more)

    def _annotation(self, item: str, annotation: Record, more: dict[str, str]) -> None:
        rater, when = self._person(annotation.get("completed_by")), text(annotation.get("created_at"))
        if annotation.get("was_cancelled") is True or annotation.get("skipped") is True:
            self._skipped.append((item, rater, when, more))
            return
        if annotation.get("ground_truth") is True:
            self._truths += 1
            more = more | {"ground_truth": "true"}
        self._answers(item, (rater, "human", when), annotation, more)

    def _prediction(self, item: str, prediction: Any, more: dict[str, str]) -> None:
        if not isinstance(prediction, dict):
            self._by_id += 1
            self._rows.leave(ONLY_ID)
            return
        model = text(prediction.get("model_version")).strip()
        self._unnamed += model in ("", UNNAMED)
        if prediction.get("score") is not None:
            more = more | {"prediction.score": text(prediction["score"])}
        self._beside.close()
        self._answers(item, (model or UNNAMED, "judge", text(prediction.get("created_at"))), prediction, more)

    def _answers(self, item: str, who: tuple[str, str, str], record: Record, more: dict[str, str]) -> None:
        """Add the answers of one annotation or prediction.

        Parameters
        ----------
        item : str
        who : (rater, role, time)
        record : dict
            The annotation or the prediction.
        more : dict of str to str
            Columns that ride along.
        """
        answers, words = _results(record)
        if not answers:
            self._rows.leave(WRITTEN if words else NO_ANSWER)
            return
        rater, role, when = who
        reasons = {name: written for name, written in words.items() if is_reason(name)}
        if len(words) > len(reasons):
            more = more | {name: written for name, written in words.items() if name not in reasons}
        for name, (label, score, why) in answers.items():
            if why:
                self._rows.leave(why)
                continue
            self._beside.heard(name, label, score)
            reason = "\n".join(written for about, written in reasons.items() if is_about(about, name, answers))
            self._rows.add(
                item, name, rater, role, label, score, timestamp=when, reason=reason, status=status_of(label), more=more
            )

    def _person(self, who: Any) -> str:
        """Return the name of a person: the e-mail, or the number where there is none."""
        if not isinstance(who, dict):
            number = text(who) or "human"
            self._numbers[number] = None
            return number
        email, number = text(who.get("email")).strip(), text(who.get("id"))
        if email and number:
            self._emails[number] = email
        return email or number or "human"

    def finish(self) -> None:
        """Add the skipped tasks, on every question of the file, and say what was assumed.

        Raises
        ------
        InputError
            Where no task holds a rating.
        """
        rows, questions = self._rows, tuple(self._beside.questions)
        for item, rater, when, more in self._skipped:
            for name in questions:
                rows.add(item, name, rater, "human", timestamp=when, status="abstain", more=more)
            if not questions:
                rows.leave(SKIPPED_ALONE)
        for item, name, column, label, score, more in self._beside.ratings(rows.note):
            rows.add(item, name, column, column, label, score, status=status_of(label), more=more)
        if not rows.n:
            refuse(f"{brief(rows.name)} is {JSON}. It holds no rating. {f'Of predictions {_BY_ID}' if self._by_id else HOW}")
        self._notes()

    def _notes(self) -> None:
        rows = self._rows
        if self._by_id:
            rows.note(f"{times(self._by_id, 'prediction is', 'predictions are')} left out: {_BY_ID}")
        if self._unnamed:
            rows.note(f"Predictions without a model version are one judge, ‘{UNNAMED}’.")
        if self._truths:
            marked = times(self._truths, "annotation is", "annotations are")
            rows.note(f"{marked} marked as ground truth, and counted as what the author said.")
        twice = [f"{number} is {self._emails[number]}" for number in self._numbers if number in self._emails]
        if twice:
            rows.note(f"Somebody is named by number and by e-mail, and counts as two raters: {listed(twice, 3)}.")


def _results(record: Record) -> tuple[dict[str, Answer], dict[str, str]]:
    """Return answers by question, and written words by the field that holds them."""
    answers: dict[str, Answer] = {}
    words: dict[str, str] = {}
    for name, (answer, written) in _named(record):
        if written:
            words[name] = f"{words[name]}\n{written}" if name in words else written
        elif name in answers:
            answers[name] = ("", "", SEVERAL)
        elif any(answer):
            answers[name] = answer
    return answers, words


def _named(record: Record) -> Iterator[tuple[str, tuple[Answer, str]]]:
    for result in listed_in(record, "result"):
        if isinstance(result, dict) and isinstance(result.get("value"), dict):
            yield text(result.get("from_name")).strip() or OVERALL, result_of(result["value"])


LISTS = ("annotations", "completions", "predictions")


def _fits(names: Set[str]) -> bool:
    return not names.isdisjoint(LISTS) and ("data" in names or any(name.startswith("data.") for name in names))


def _holds(record: Record) -> bool:
    return isinstance(record.get("data"), dict) and any(isinstance(record.get(name), list) for name in LISTS)


def _has_lists(table: TextTable) -> bool:
    return any(is_nested(table, name) for name in LISTS if name in table.columns)


def read_lists(table: TextTable) -> TextTable:
    """Return the ratings of tasks whose lists stand in cells."""
    rows = Rows(table.name)
    read_tasks(_tasks(table), rows)
    return rows.table(table.sha256, table.notes, table.skipped)


def _tasks(table: TextTable) -> Iterator[Record]:
    fields = {name: name.removeprefix("data.") for name in table.columns if name.startswith("data.")}
    for cells in records_in(table, *LISTS, "data"):
        yield cells | {"data": {field: cells[name] for name, field in fields.items()}} if fields else cells


TASKS = Format("Label Studio", JSON, HOW, "records", _fits, _holds, read_records=read_tasks)
ONE_TASK = Format(
    "Label Studio", "one task of Label Studio", HOW, "object", having("data", "annotations"), _holds,
    read_object=lambda task, rows: read_tasks([task], rows),
)  # fmt: skip
CELLS = Format(
    "Label Studio", "Label Studio’s export as a table with lists in its cells", HOW, "table", _fits, _has_lists,
    read_table=read_lists,
)  # fmt: skip
ANNOTATIONS = Format(
    "Label Studio", "Label Studio’s export as CSV or JSON-MIN", HOW, "table", having("annotation_id", "annotator", "lead_time"),
    read_table=read_rows,
)  # fmt: skip
FORMATS: tuple[Format, ...] = (TASKS, ONE_TASK, CELLS, ANNOTATIONS)
