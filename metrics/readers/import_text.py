"""What became of a file, as a text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.data.labels import EMPTY_CELL
from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of
from metrics.readers.import_report import Answer, By, ImportReport, Reason
from metrics.results.words import MOST_NAMED, count, listed, plain, several, shorten

BY: dict[By, str] = {
    "file": "The file says", "vocabulary": "Known words", "user": "Said by you",
}  # fmt: skip


def summary(report: ImportReport) -> str:
    """Return the report as lines of text."""
    return "\n".join(_lines(report))


PAIR = (("human", "human"), ("verdict", "judge"))


def understood_line(ratings: Ratings) -> str:
    """Return what a file was taken for in one line: who rates, what its labels are, how many rows count."""
    people, judges = ([rater.name for rater in ratings.raters if (rater.role == "judge") is judge] for judge in (False, True))
    columns = dict(ratings.columns)
    parts = [_who(people, "human"), _who(judges, "judge")]
    if ratings.source.shape == "pairs" and not {columns.get("human"), columns.get("verdict")} <= {"human", "verdict"}:
        parts = [f"column ‘{shorten(columns[role])}’ holds the {who}’s verdicts" for role, who in PAIR if role in columns]
    if ratings.source.together and not ratings.source.columns_of_file:
        parts.append(f"each output of one ‘{shorten(ratings.source.together)}’ is an item")
    if ratings.source.columns_of_file:
        parts.append("every decision counts as an item, as criteria differ from item to item")
    used = scales_of(ratings).used
    if used == ("continuous",):
        parts.append("the labels are scores")
    elif used == ("ordinal",):
        steps = [shorten(label) for label in ratings.scheme.order or ratings.scheme.classes]
        parts.append(f"the labels are steps, {steps[0]} to {steps[-1]}")
    elif used == ("pairwise",) and len(ratings.scheme.classes) == 2:
        first, second = map(shorten, ratings.scheme.classes)
        parts.append(f"‘{first}’ prefers the first answer, ‘{second}’ the second")
    elif ratings.scheme.scale == "binary":
        parts.append(f"{shorten(ratings.scheme.classes[0])} counts as positive")
    if threshold := ratings.source.how.threshold_words:
        parts.append(f"a judge’s number is positive at {threshold}")
    n, rows = ratings.rows_used, ratings.source.rows
    parts.append(f"{f'all {count(rows)}' if n == rows else f'{count(n)} of {count(rows)}'} rows read")
    return f"{plain(ratings.source.name)}: {'; '.join(part for part in parts if part)}."


def _who(names: list[str], role: str) -> str:
    if len(names) > MOST_NAMED:
        return f"{count(len(names))} {role}s, such as {shorten(names[0])}"
    if names in ([], [role]):
        return f"1 {role}" if names else ""
    shown = listed([shorten(name) for name in names])
    return f"{shown} is the {role}" if len(names) == 1 else f"{count(len(names))} {role}s, {shown}"


def _lines(report: ImportReport) -> Iterator[str]:
    yield f"{plain(report.file)} is {report.what}."
    left = sum(reason.count for reason in report.left_out)
    yield f"Rows: {count(report.read)} read, {count(report.used)} used, {count(left)} left out."
    yield from map(_left_out, report.left_out)
    yield "Raters:"
    for rater in report.raters:
        silent = f", {several(rater.abstentions, 'abstentions')}" if rater.abstentions else ""
        failed = f", {count(rater.errors)} failed {'call' if rater.errors == 1 else 'calls'}" if rater.errors else ""
        yield f"  {plain(rater.rater)} ({rater.role or 'role unknown'}): {several(rater.ratings, 'ratings')}{silent}{failed}"
    if report.items is not None:
        items = report.items
        yield f"Items: {count(items.human)} rated by people, {count(items.judge)} by judges, {count(items.both)} by both."
    yield "Labels:"
    others = "judges" if all(rater.role for rater in report.raters) else "others"
    for label in report.labels:
        by = ", ".join(f"{count(n)} by {who}" for n, who in ((label.human, "people"), (label.judge, others)) if n)
        yield f"  {plain(label.label) or EMPTY_CELL} is {label.kind}: {by}"
    if report.assumptions:
        yield "Assumed:"
        yield from (f"  {plain(note)}" for note in report.assumptions)
    for who, words in BY.items():
        answers = [_answer(answer) for answer in report.answers if answer.by == who]
        if answers:
            yield f"{words}: {'; '.join(answers)}."
    yield "To read it the same way:"
    yield from (f"  {line}" for line in (report.command, report.python) if line)


def _answer(answer: Answer) -> str:
    return f"{plain(answer.question)} is {plain(answer.answer)}"


def _left_out(reason: Reason) -> str:
    examples = [f"row {count(one.row)}{f', item {plain(one.item)}' if one.item else ''}" for one in reason.examples]
    more = ", …" if examples and reason.count > len(examples) else ""
    shown = f" ({'; '.join(examples)}{more})" if examples else ""
    return f"  {count(reason.count)} × {reason.reason}{shown}"
