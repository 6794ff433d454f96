"""Is every number of a report what its file gives? Read it again by its recipe, compute again, compare to the last digit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from metrics.analyses.review.decisions import review_of
from metrics.errors import InputError
from metrics.report.as_json import KIND, VERSION
from metrics.report.checklist.answers import checked
from metrics.report.checklist.contents import Contents
from metrics.report.making import Report, report_of
from metrics.report.recipe import Recipe
from metrics.results import words
from metrics.version import __version__

Json = dict[str, Any]
NO_REPORT = "is no report of this program. Take a report.json that “report” wrote."
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
    said, found : Any
        In the report, and computed anew; `MISSING` where there is nothing.
    """

    place: str
    said: Any
    found: Any

    def words(self) -> str:
        return f"{self.place}: the report says {_shown(self.said)}, the file gives {_shown(self.found)}"


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
        found = []
        if self.said_sha256 != self.found_sha256:
            found.append(
                f"This is another file: the report was made from {words.plain(self.said_file)} with SHA-256 {self.said_sha256}, "
                f"this one has {self.found_sha256}."
            )
        if self.said_version != __version__:
            found.append(f"The report was made with version {self.said_version}, this is {__version__}.")
        if self.problem:
            return (*found, f"No number can be compared: {self.problem}")
        numbers = f"{words.several(self.n_numbers, 'numbers')} of the report"
        if not self.differences:
            return (f"Same numbers to the last digit: {numbers} computed again and equal.", *found)
        many = len(self.differences)
        found.insert(0, f"Not the same: {words.several(many, 'differences')} among {numbers}.")
        found += [f"{one.words()}." for one in self.differences[:SHOWN]]
        return (*found, *([f"{words.count(many - SHOWN)} more."] if many > SHOWN else []))


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
    said = read_report(text, name)
    recipe, contents, answers = Recipe.from_dict(said["recipe"]), contents_of(said["contents"]), _answers(said["answers"])
    review = None if said["review"] is None else review_of(said["review"], name)
    ratings, version = recipe.read(source), str(said.get("metrics_version"))
    digest = ratings.source.sha256
    try:
        report = report_of(ratings, recipe=recipe, contents=contents, answers=answers, review=review)
    except InputError as error:
        if digest == recipe.sha256:
            raise
        return Verified(None, 0, (), recipe.sha256, digest, version, recipe.file, str(error))
    found = json.loads(report.to_json())
    # the paragraph of methods names the version, which is no number
    skipped = set() if version == __version__ else {"methods"}
    differences = tuple(_differences(_numbers_only(said, skipped), _numbers_only(found, skipped), ""))
    return Verified(
        report,
        sum(1 for _ in _leaves(found)),
        tuple(one for one in differences if one.place.rpartition(".")[2] not in ABOUT_THE_PROGRAM),
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
        found = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise InputError(f"{name} is not JSON. Take a report.json that “report” wrote.") from None
    if not isinstance(found, dict) or found.get("kind") != KIND:
        raise InputError(f"{name} {NO_REPORT}")
    if found.get("version") != VERSION:
        raise InputError(f"{name} has the form {found.get('version')!r} of a report; this program reads {VERSION}.")
    missing = [key for key in ("recipe", "contents", "answers", "review") if key not in found]
    if missing:
        raise InputError(f"{name} {NO_REPORT} It lacks {missing[0]!r}.")
    return found


def contents_of(found: Any) -> Contents:
    """Return what a report shows, as `metrics.report.as_json.contents_dict` wrote it.

    Raises
    ------
    InputError
        For an unknown name, and anything else.
    """
    keys = ("judge", "level", "associations", "inter_judge", "without")
    if not isinstance(found, dict) or set(found) != set(keys):
        raise InputError(f"The contents of the report must name {', '.join(keys)} and nothing else.")
    listed = [found[key] for key in keys[2:]]
    if not all(isinstance(one, list) and all(isinstance(name, str) for name in one) for one in listed):
        raise InputError("The contents of the report hold something other than lists of names.")
    if not isinstance(found["judge"], str) or not isinstance(found["level"], str):
        raise InputError("The judge and the level of the report’s contents must be names.")
    associations, inter_judge, without = listed
    level: Any = found["level"]
    return Contents(found["judge"], level, tuple(associations), tuple(inter_judge), frozenset(without))


def _answers(found: Any) -> dict[str, str]:
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise InputError("The answers of the report are no texts by question.")
    return checked(found)


def _refuse_constant(text: str) -> None:
    raise ValueError(text)


def _numbers_only(found: Json, skipped: set[str]) -> Json:
    return {key: value for key, value in found.items() if key not in skipped}


def _differences(said: Any, found: Any, place: str) -> Iterator[Difference]:
    """Yield every leaf that differs, in the order of the report."""
    if isinstance(said, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*said, *found)):
            yield from _differences(said.get(key, MISSING), found.get(key, MISSING), f"{place}.{key}" if place else key)
    elif isinstance(said, list) and isinstance(found, list) and len(said) == len(found):
        for number, (one, other) in enumerate(zip(said, found, strict=True)):
            yield from _differences(one, other, f"{place}[{number}]")
    elif type(said) is not type(found) or said != found:
        yield Difference(place, said, found)


def _leaves(found: Any) -> Iterator[float]:
    """Yield every number, at any depth."""
    if isinstance(found, dict):
        for value in found.values():
            yield from _leaves(value)
    elif isinstance(found, list):
        for value in found:
            yield from _leaves(value)
    elif isinstance(found, int | float) and not isinstance(found, bool):
        yield found


def _shown(value: Any) -> str:
    if value is MISSING:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return words.plain(text) if len(text) <= 80 else f"{words.plain(text[:79])}…"
