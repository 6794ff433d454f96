"""Is every number of a report what its file gives? Read it again by its recipe, compute again, compare to the last digit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from metrics.analyses.review.decisions import review_of
from metrics.errors import InputError
from metrics.report.as_json import KIND, VERSION
from metrics.report.checklist.contents import Contents, check_answers
from metrics.report.making import Report, report_of
from metrics.report.recipe import Recipe
from metrics.results import words
from metrics.version import __version__

Json = dict[str, Any]
NO_REPORT = "is not a report of this program. Use a report.json that “report” wrote."
ABOUT_THE_PROGRAM = ("metrics_version", "made_with")
SHOWN = 5
"""Differences that are named one by one."""
MISSING = object()


@dataclass(frozen=True)
class Difference:
    """One place where the report and the file differ.

    Attributes
    ----------
    place : str
        Where in the JSON: `agreement.judges.j1.micro.kappa`.
    reported, recomputed : Any
        In the report, and computed anew; `MISSING` where there is nothing.
    """

    place: str
    reported: Any
    recomputed: Any

    def words(self) -> str:
        return f"{self.place}: the report says {_value_text(self.reported)}, the file gives {_value_text(self.recomputed)}"


@dataclass(frozen=True, eq=False)
class Verified:
    """What came of it.

    Attributes
    ----------
    report : Report or None
        Made anew; None where another file does not even allow it, and `problem` says why.
    n_numbers : int
        Numbers compared.
    differences : tuple of Difference
    said_sha256, found_sha256 : str
        Digest in the report, and of the file.
    said_version : str
        Version of the program that made the report.
    """

    report: Report | None
    n_numbers: int
    differences: tuple[Difference, ...]
    said_sha256: str
    found_sha256: str
    said_version: str
    said_file: str
    problem: str = ""

    @property
    def same(self) -> bool:
        """Every number to the last digit, from a file with the same bytes."""
        return not self.differences and not self.problem and self.said_sha256 == self.found_sha256

    def sentences(self) -> tuple[str, ...]:
        """Return what came of it, for people."""
        sentences = []
        if self.said_sha256 != self.found_sha256:
            sentences.append(
                f"This is another file: the report was made from {words.plain(self.said_file)} with SHA-256 {self.said_sha256}, "
                f"this one has {self.found_sha256}."
            )
        if self.said_version != __version__:
            sentences.append(f"The report was made with version {self.said_version}, this is {__version__}.")
        if self.problem:
            return (*sentences, f"No number can be compared: {self.problem}")
        numbers = f"{words.several(self.n_numbers, 'numbers')} of the report"
        if not self.differences:
            return (f"Same numbers to the last digit: {numbers} computed again and equal.", *sentences)
        many = len(self.differences)
        sentences.insert(0, f"Not the same: {words.several(many, 'differences')} among {numbers}.")
        sentences += [f"{difference.words()}." for difference in self.differences[:SHOWN]]
        return (*sentences, *([f"{words.count(many - SHOWN)} more."] if many > SHOWN else []))


def verify(text: str | bytes, source: Any, name: str = "The report") -> Verified:
    """Return whether a report in JSON is what a file gives.

    Parameters
    ----------
    text : str or bytes
        The report.
    source : path, bytes, file object, or a list of these
        The file, as `metrics.read` takes it.
    name : str
        What the report is called in messages.

    Raises
    ------
    InputError
        Where the text is no report, and where the file cannot be read as the report's was.
    """
    stated_report = read_report(text, name)
    recipe, contents, answers = (
        Recipe.from_dict(stated_report["recipe"]),
        contents_of(stated_report["contents"]),
        _answers(stated_report["answers"]),
    )
    review = None if stated_report["review"] is None else review_of(stated_report["review"], name)
    ratings, version = recipe.read(source), str(stated_report.get("metrics_version"))
    digest = ratings.source.sha256
    try:
        report = report_of(ratings, recipe=recipe, contents=contents, answers=answers, review=review)
    except InputError as error:
        if digest == recipe.sha256:
            raise
        return Verified(None, 0, (), recipe.sha256, digest, version, recipe.file, str(error))
    computed_report = json.loads(report.to_json())
    # the paragraph of methods names the version, which is no number
    skipped = set() if version == __version__ else {"methods"}
    # nor does a report have an overview that was written before there was one
    skipped |= {"overview"} - set(stated_report)
    differences = tuple(_differences(_numbers_only(stated_report, skipped), _numbers_only(computed_report, skipped), ""))
    return Verified(
        report,
        sum(1 for _ in _leaves(computed_report)),
        tuple(difference for difference in differences if difference.place.rpartition(".")[2] not in ABOUT_THE_PROGRAM),
        recipe.sha256,
        digest,
        version,
        recipe.file,
    )


def read_report(text: str | bytes, name: str = "The report") -> Json:
    """Return the JSON of a report, checked as far as it is followed.

    Raises
    ------
    InputError
        For anything else.
    """
    try:
        report_dict = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise InputError(f"{name} is not JSON. Use a report.json that “report” wrote.") from None
    if not isinstance(report_dict, dict) or report_dict.get("kind") != KIND:
        raise InputError(f"{name} {NO_REPORT}")
    if report_dict.get("version") != VERSION:
        raise InputError(f"{name} has the form {report_dict.get('version')!r} of a report; this program reads {VERSION}.")
    missing = [key for key in ("recipe", "contents", "answers", "review") if key not in report_dict]
    if missing:
        raise InputError(f"{name} {NO_REPORT} It lacks {missing[0]!r}.")
    return report_dict


def contents_of(contents_dict: Any) -> Contents:
    """Return what a report shows, as `metrics.report.as_json.contents_dict` wrote it.

    Raises
    ------
    InputError
        For an unknown name, and anything else.
    """
    keys = ("judge", "level", "associations", "inter_judge", "without")
    if not isinstance(contents_dict, dict) or set(contents_dict) != set(keys):
        raise InputError(f"The contents of the report must name {', '.join(keys)} and nothing else.")
    listed = [contents_dict[key] for key in keys[2:]]
    if not all(isinstance(names, list) and all(isinstance(name, str) for name in names) for names in listed):
        raise InputError("The contents of the report are not lists of names.")
    if not isinstance(contents_dict["judge"], str) or not isinstance(contents_dict["level"], str):
        raise InputError("The judge and the level of the report’s contents must be names.")
    associations, inter_judge, without = listed
    level: Any = contents_dict["level"]
    return Contents(contents_dict["judge"], level, tuple(associations), tuple(inter_judge), frozenset(without))


def _answers(answers: Any) -> dict[str, str]:
    if not isinstance(answers, dict) or not all(isinstance(text, str) for text in answers.values()):
        raise InputError("The answers of the report are not texts by question.")
    return check_answers(answers)


def _refuse_constant(text: str) -> None:
    raise ValueError(text)


def _numbers_only(report_dict: Json, skipped: set[str]) -> Json:
    return {key: value for key, value in report_dict.items() if key not in skipped}


def _differences(stated: Any, computed: Any, place: str) -> Iterator[Difference]:
    """Yield every leaf that differs, in the order of the report."""
    if isinstance(stated, dict) and isinstance(computed, dict):
        for key in dict.fromkeys((*stated, *computed)):
            yield from _differences(stated.get(key, MISSING), computed.get(key, MISSING), f"{place}.{key}" if place else key)
    elif isinstance(stated, list) and isinstance(computed, list) and len(stated) == len(computed):
        for number, (stated_value, other) in enumerate(zip(stated, computed, strict=True)):
            yield from _differences(stated_value, other, f"{place}[{number}]")
    elif type(stated) is not type(computed) or stated != computed:
        yield Difference(place, stated, computed)


def _leaves(node: Any) -> Iterator[float]:
    """Yield every number, at any depth."""
    if isinstance(node, dict):
        for value in node.values():
            yield from _leaves(value)
    elif isinstance(node, list):
        for value in node:
            yield from _leaves(value)
    elif isinstance(node, int | float) and not isinstance(node, bool):
        yield node


def _value_text(value: Any) -> str:
    if value is MISSING:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return words.plain(text) if len(text) <= 80 else f"{words.plain(text[:79])}…"
