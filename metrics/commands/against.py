"""A gate against an earlier report: is any judge worse than it was, beyond a margin that somebody stated?"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metrics.analyses.agreement.weighted import by_weight, of_weight
from metrics.analyses.comparison.levels import independent_difference
from metrics.analyses.comparison.margin import UNCHANGED, decimals, stated
from metrics.analyses.comparison.readings import breaks_with_silence, direction
from metrics.analyses.leading import read_first
from metrics.analyses.records import AgreementReport, JudgeReport
from metrics.commands.fail_under import WARNING, Threshold, floor_of
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval
from metrics.results import words
from metrics.results.estimate import Estimate

if TYPE_CHECKING:
    from metrics.analyses.comparison.result import Comparison

OPTION, MARGIN = "--against", "--margin"
SAME = ("abstention", "reference", "item_rule", "handling", "where")
"""Choices under which both reports must have been made, by their names in a declaration."""
COMPARED = ("abstention", "reference", "cost", "item_rule", "threshold", "weights", "handling", "unit", "confidence")
"""Choices of the command that a paired difference rests on too."""
DIGITS = 3
"""Decimals of a difference, more where these do not tell its end from the margin."""
NO_SWAPS = 1
"""Replicates of a permutation test whose p no gate looks at."""
Reread = Callable[[Path], Ratings]
Block = Mapping[str, Any]


@dataclass(frozen=True)
class Earlier:
    """An earlier report of agreement, as the command line printed it, and the labels behind it where they are found.

    Attributes
    ----------
    ratings : Ratings or None
        None where the file is not there any more, or is another one by now.
    """

    path: Path
    declaration: Mapping[str, Any]
    judges: Mapping[str, Any]
    ratings: Ratings | None


@dataclass(frozen=True)
class Paired:
    """What the decisions that both answered say beside their difference.

    Attributes
    ----------
    values : (float, float)
        Of the judge before and now, on these decisions.
    breaks : str
        Why the margin does not hold with what is left open counted; empty where it does, and where no more is left open.
    """

    values: tuple[float, float]
    breaks: str


@dataclass(frozen=True)
class Held:
    """One metric of one judge beside its earlier value.

    Attributes
    ----------
    judge, before_name : str
        Of the judge now and in the earlier report.
    asked : Threshold
        Level, metric and margin.
    before, after, difference : Estimate
        The difference is that of now less that of before, on the decisions both answered where it is paired.
    paired : Paired or None
        None where the difference is of two independent intervals.
    coverage : (float, float)
        Before and now.
    weight : str
        What names the weight by which the numbers count items; empty where there is none.
    unpaired : str
        What would pair the items, where they are not.
    """

    judge: str
    before_name: str
    asked: Threshold
    before: Estimate
    after: Estimate
    difference: Estimate
    paired: Paired | None
    coverage: tuple[float, float]
    unpaired: str = ""
    weight: str = ""

    @property
    def name(self) -> str:
        """The number that is held."""
        return f"{self.asked.level} {self.asked.metric}{self.weight}"

    @property
    def holds(self) -> bool:
        """Whether the end of the interval on the worse side is within the margin, with what the judge leaves open counted too."""
        return self.worst >= -self.asked.line and not (self.paired and self.paired.breaks)

    @property
    def worst(self) -> float:
        """How far the judge may have gone towards the better side at least; below 0 it may be worse. NaN without an interval."""
        if self.difference.ends is None:
            return math.nan
        low, high = self.difference.ends
        return low if direction(self.asked.metric) > 0 else -high

    @property
    def sentence(self) -> str:
        """What is decided, and by which numbers."""
        name = f"{words.plain(self.judge)}: {self.name}"
        if self.difference.ends is None:
            return f"{name} has no difference to go by ({self.difference.why or 'no interval'})."
        digits = max(DIGITS, decimals(-self.worst, self.asked.line))
        low, high = (words.signed(end, digits) for end in self.difference.ends)
        of_margin = " for a margin" if self.paired and self.asked.line else ""
        numbers = f"{words.p3(self.before.value)} before, {words.p3(self.after.value)} now, "
        numbers += (
            f"difference {signed(self.difference.value)} [{low}, {high}]{of_margin}, {self._how}"
            if self.difference.width
            else "with the same verdicts on the same decisions, so that nothing separates them"
        )
        margin = f"a margin of {stated(self.asked.line)}"
        if self.holds:
            return f"{name} is no worse by more than {margin}: {numbers}.{self._less_answered}"
        if self.paired and self.paired.breaks and self.worst >= -self.asked.line:
            return f"{name} may be worse by more than {margin}: {numbers}, but {self.paired.breaks}.{self._less_answered}"
        side = -self.difference.ends[1] if direction(self.asked.metric) > 0 else self.difference.ends[0]
        shown = "is worse" if side > self.asked.line else "may be worse"
        unpaired = "" if self.paired or not self.unpaired else f" {self.unpaired}"
        return f"{name} {shown} by more than {margin}: {numbers}.{unpaired}{self._less_answered}"

    @property
    def _how(self) -> str:
        if self.paired is None:
            return "of two independent intervals"
        values = (self.before.value, self.after.value)
        there = [words.p3(value) for value in self.paired.values]
        same = there == [words.p3(value) for value in values]
        if self.difference.interval and self.difference.interval.method == UNCHANGED and self.difference.width:
            return "paired on the decisions of both, of which none changed: so few do not show more"
        return f"paired on the decisions of both{'' if same else f', {there[0]} before and {there[1]} now on these'}"

    @property
    def _less_answered(self) -> str:
        was, now = (words.percent(share) for share in self.coverage)
        return f" Coverage is {now}, before it was {was}." if self.coverage[1] < self.coverage[0] and was != now else ""


def margins_of(texts: Sequence[str]) -> list[Threshold]:
    """Return `kappa=0.05` or `macro.kappa=0.05` as margins.

    Raises
    ------
    InputError
        For an unknown level or metric, a margin below 0, and a metric that has no better side.
    """
    margins = [floor_of(text, MARGIN) for text in texts]
    for margin in margins:
        if margin.line < 0:
            raise InputError(f"{MARGIN}: {margin.line:g} is below 0. A margin says how much worse is still taken.")
        if not direction(margin.metric):
            raise InputError(f"{MARGIN}: {margin.metric} has no better side, so no judge is worse by it.")
    return margins


def earlier(path: Path, now: Ratings, reread: Reread) -> Earlier:
    """Return an earlier report, and the labels behind it: those of now, or a file of its name and digest beside it.

    Raises
    ------
    InputError
        For a file that is no report of `agreement --json`.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        declaration, judges = document["declaration"], document["judges"]
        name, digest = str(declaration["file"]), str(declaration["sha256"])
        if not all(isinstance(judge["micro"], dict) for judge in judges.values()):
            raise TypeError
    except OSError as problem:
        raise InputError(f"{OPTION}: {path} cannot be read: {problem.strerror}.") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(
            f"{OPTION}: {path} is no report of agreement. Write one with agreement FILE --json > last.json."
        ) from None
    return Earlier(path, declaration, judges, _labels(path, name, digest, now, reread))


def _labels(path: Path, name: str, digest: str, now: Ratings, reread: Reread) -> Ratings | None:
    if digest == now.source.sha256:
        return now
    for folder in dict.fromkeys((path.parent, Path.cwd())):
        try:
            found = reread(folder / Path(name).name)
        except (InputError, OSError):
            continue
        if found.source.sha256 == digest:
            return found
    return None


def held_against(
    report: AgreementReport, now: Ratings, before: Earlier, margins: Sequence[Threshold], **choices: Any
) -> list[Held]:
    """Return every judge of both reports beside its earlier self, by each metric that has a margin, else by the first one read.

    Parameters
    ----------
    report : AgreementReport
    now : Ratings
        Those it was made of.
    before : Earlier
    margins : sequence of Threshold
    choices
        Those it was made with, as `metrics.agreement` takes them.

    Raises
    ------
    InputError
        Where the reports were made under other choices, without intervals, or have no judge in common.
    """
    _check_choices(report, before)
    if lost := [name for name in before.declaration.get("criteria") or () if name not in report.declaration.criteria]:
        raise InputError(
            f"{OPTION}: {before.path.name} has criteria that are not here: {words.named(lost)}. Make that report again from its "
            "labels, with --criteria and the names of both."
        )
    pairs = _pairs(report, before)
    held = []
    for after_name, before_name in pairs:
        judge = report.judges[after_name]
        for asked in margins or [Threshold("micro", read_first(judge), 0.0)]:
            held.append(_held(now, before, judge, before_name, asked, choices))
    return held


def _check_choices(report: AgreementReport, before: Earlier) -> None:
    now = report.to_dict()["declaration"]
    for choice in SAME:
        was, there = before.declaration.get(choice), now.get(choice)
        if was != there:
            raise InputError(
                f"{OPTION}: {before.path.name} was made with {choice} {_written(was)}, this report with {_written(there)}."
            )
    kinds = [
        {label: kind for kind, labels in (one.get("labels") or {}).items() for label in labels}
        for one in (before.declaration, now)
    ]
    if turned := [label for label, kind in kinds[0].items() if kinds[1].get(label, kind) != kind]:
        names = words.listed([words.marked(label) for label in turned], 4)
        raise InputError(
            f"{OPTION}: {before.path.name} was made with another meaning of {names}. State the same labels for both."
        )
    was, there = ((one.get("interval") or {}).get("confidence") for one in (before.declaration, now))
    if was is not None and was != there:
        raise InputError(f"{OPTION}: {before.path.name} was made with confidence {was:g}, this report with {there:g}.")


def _written(value: object) -> str:
    return str(value.get("rule", value)) if isinstance(value, dict) else str(value)


def _pairs(report: AgreementReport, before: Earlier) -> list[tuple[str, str]]:
    """Return judges of both by their names; a single one on each side is the same judge under another name."""
    both = [(name, name) for name in report.judges if name in before.judges]
    if not both and len(report.judges) == len(before.judges) == 1:
        return [(next(iter(report.judges)), next(iter(before.judges)))]
    if not both:
        names = words.listed([words.shorten(name) for name in before.judges], 6)
        raise InputError(f"{OPTION}: no judge of {before.path.name} is judged here. It has {names}.")
    return both


def held_against_nothing(report: AgreementReport, before: Earlier) -> list[str]:
    """Return a sentence for every judge of one report that the other has not, where both have several: nothing holds it."""
    pairs = _pairs(report, before)
    gone = [name for name in before.judges if name not in {earlier for _, earlier in pairs}]
    new = [name for name in report.judges if name not in {now for now, _ in pairs}]
    return [
        *(f"{WARNING} {name} of {before.path.name} is not judged here, so it is held against nothing." for name in gone),
        *(f"{WARNING} {name} is not in {before.path.name}, so it is held against nothing." for name in new),
    ]


def _held(
    now: Ratings, before: Earlier, judge: JudgeReport, before_name: str, asked: Threshold, choices: Mapping[str, Any]
) -> Held:
    block = by_weight(judge).level(asked.level)
    if asked.metric not in block.values:
        raise InputError(f"{MARGIN}: {asked.metric} is not computed at the {asked.level} level here.")
    was, after = _before(before, before_name, asked), block[asked.metric]
    unknown = (after, None) if block.withheld and not after.defined else None
    paired = unknown or _paired(now, before, judge.name, before_name, asked, choices)
    difference, beside = paired or (independent_difference(was, after), None)
    covered = before.judges[before_name].get("coverage") or {}
    coverage = float(covered.get("coverage") or math.nan), judge.coverage.coverage
    unpaired = "Keep the earlier labels beside the report, so that items are paired"
    if before.ratings is not None:
        unpaired = "None of the earlier decisions could be paired with these"
    unpaired += "." if asked.line else f", or state {MARGIN}."
    return Held(judge.name, before_name, asked, was, after, difference, beside, coverage, unpaired, of_weight(judge))


def _before(before: Earlier, name: str, asked: Threshold) -> Estimate:
    block: Block = before.judges[name].get(asked.level) or {}
    block = block.get("weighted") or block
    value, ends = block.get(asked.metric), (block.get("intervals") or {}).get(asked.metric)
    if value is None:
        why = (block.get("undefined") or {}).get(asked.metric) or "not in the earlier report"
        return Estimate(math.nan, None, str(why))
    if not ends:
        return Estimate(float(value), None, "the earlier report has no interval for it")
    return Estimate(float(value), Interval(float(ends[0]), float(ends[1]), "reported"))


def _paired(
    now: Ratings, before: Earlier, after_name: str, before_name: str, asked: Threshold, choices: Mapping[str, Any]
) -> tuple[Estimate, Paired | None] | None:
    """Return the difference on the decisions both answered; None where the earlier labels are not found, or share nothing.

    It is undefined where people's labels are others now: then a judge that did not change would be better or worse.
    """
    if before.ratings is None:
        return None
    if before.ratings is now and after_name == before_name:
        value = _before(before, before_name, asked).value
        if math.isnan(value):
            return Estimate(math.nan, None, f"{asked.metric} is undefined"), None
        return Estimate(0.0, Interval(0.0, 0.0, "the same labels")), Paired((value, value), "")
    from metrics.analyses.comparison.compute import compare
    from metrics.analyses.comparison.joining import OtherReference, join

    chosen = {name: choices[name] for name in COMPARED if name in choices}
    try:
        if before.ratings is now:
            ratings, names = now, (before_name, after_name)
        else:
            joined = join(before.ratings, now)
            ratings, names = joined.ratings, joined.pair(before_name, after_name)
        record = BY_KEY[asked.metric]
        margin = asked.line if 0 < asked.line < record.high - record.low else None
        made = compare(ratings, *names, asked.metric, level=asked.level, margin=margin, replicates=NO_SWAPS, **chosen)
    except OtherReference as other:
        return Estimate(math.nan, None, str(other).rstrip(".")), None
    except InputError:
        return None
    less = made.b.coverage < made.a.coverage
    breaks = breaks_with_silence(made, asked.line, direction(asked.metric)) if less else ""
    return _decides(made), Paired((made.decisive[0].a, made.decisive[0].b), breaks)


def _decides(made: Comparison) -> Estimate:
    """Return the difference with the interval that decides, by weight where items have weights.

    With a margin that is the interval for it, by which `compare` decides too.
    """
    difference, unseen = made.decisive[0].difference, made.unseen
    if made.held is not None and made.held.interval is not None:
        return replace(difference, interval=Interval(*made.held.interval, difference.method or UNCHANGED))
    if unseen is None:
        return difference
    same = Interval(0.0, 0.0, UNCHANGED)
    return replace(difference, interval=unseen if made.a.n_only or made.b.n_only else same)


def signed(value: float) -> str:
    """Return a difference as a gate writes it."""
    return words.signed(value, DIGITS)
