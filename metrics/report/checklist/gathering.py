"""From ratings and choices to everything that a report and its checklist rest on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from metrics.analyses.abstention.bounds import bounds
from metrics.analyses.abstention.relation import relation
from metrics.analyses.agreement.compute import agreement_of
from metrics.analyses.ensembles.matrices import Matrices, judge_matrices
from metrics.analyses.raters.compute import raters
from metrics.analyses.raters.result import RatersReport
from metrics.analyses.records import AgreementReport
from metrics.analyses.scores.compute import scores
from metrics.analyses.scores.result import ScoresReport
from metrics.analyses.settings import Settings, settings_of
from metrics.data.part import counted, taken
from metrics.data.ratings import Ratings, Role
from metrics.data.scales import scales_of
from metrics.errors import InputError
from metrics.intervals.cluster import grouping_columns
from metrics.intervals.methods import PLACES
from metrics.readers.names import fold_name
from metrics.report.checklist.case import Findings
from metrics.report.checklist.contents import Contents

Found = TypeVar("Found")
VOTES = {
    f"{start}{what}" for what in ("votes", "raters", "annotators", "annotations")
    for start in ("n_", "n_human_", "num_", "number_of_")
} | {"votes", "human_votes", "vote_count"}  # fmt: skip
"""Names of a column that says how many people are behind a label."""


def findings(ratings: Ratings, contents: Contents | None = None, **choices: Any) -> Findings:
    """Return everything a report says of some ratings.

    Criteria with a positive and a negative side are counted together; where there are none, all criteria with labels are.
    Ordered and continuous criteria have their distances and correlations beside.

    Parameters
    ----------
    ratings : Ratings
    contents : Contents, optional
        Its level is that of the bounds.
    choices
        As `metrics.agreement` takes them. What scores do not have is left out there: a cost of abstentions, a third class,
        item rules and draws.

    Raises
    ------
    InputError
        As `metrics.agreement` and, on continuous scales, `metrics.scores`.
    """
    asked = _Request(ratings, choices)
    scales, groups = scales_of(ratings), grouping_columns(ratings)
    if not (ratings.humans and ratings.judges):
        return _one_kind(Findings(scales=scales, groups=groups), asked, ratings)
    part = counted(ratings)
    report, settings = (None, None) if part is None else asked.agreement(part)
    ordered, continuous = _part(ratings, scales.of("ordinal")), _part(ratings, scales.of("continuous"))
    alone = report is None and ordered is None
    near = asked.scores(ordered, needed=report is None)
    far = asked.scores(continuous, needed=alone)
    basic_findings = Findings(
        agreement=report,
        settings=settings,
        scores=near or far,
        numbers=far if near else None,
        scales=scales,
        groups=groups,
        left_out_criteria=_left_out(
            ratings, part, *(scores_report for scores_report in (near, far) if scores_report is not None)
        ),
        humans_each=_humans_each(ratings),
        votes_each=_votes_each(ratings),
    )
    return (
        basic_findings
        if part is None or settings is None
        else _with_supplements(basic_findings, asked, part, settings, contents or Contents())
    )


def _part(ratings: Ratings, names: Sequence[str]) -> Ratings | None:
    return ratings.on_criteria(names) if names else None


def _humans_each(ratings: Ratings) -> tuple[int, int] | None:
    """Return fewest and most humans on one decision that a human rated."""
    if not ratings.has_items:
        return None
    human = ratings.by_role("human")
    each = np.bincount(ratings.item[human].astype(np.int64) * len(ratings.criteria) + ratings.criterion[human])
    each = each[each > 0]
    return (int(each.min()), int(each.max())) if each.size else None


def _votes_each(ratings: Ratings) -> tuple[str, int, int] | None:
    """Return the column with how many votes are behind each label of the human, the fewest and the most.

    None where all have one.
    """
    if ratings.table is None:
        return None
    for name in ratings.table.column_names:
        if fold_name(name) in VOTES:
            cells = set(ratings.table[name].take(ratings.row[ratings.by_role("human")]).cast("string").unique().to_pylist())
            votes = [int(cell) for cell in cells if cell is not None and cell.strip().isdecimal()]
            if len(votes) == len(cells) and votes and max(votes) > 1:
                return name, min(votes), max(votes)
    return None


def _left_out(ratings: Ratings, *counted: Ratings | ScoresReport | None) -> tuple[str, ...]:
    """Return criteria of the file that are in none of the numbers."""
    there: set[str] = set()
    for counted_part in counted:
        if counted_part is not None:
            there |= set(counted_part.criteria if isinstance(counted_part, Ratings) else counted_part.declaration.criteria)
    return (*ratings.source.set_aside, *(name for name in ratings.criteria if name not in there))


def _with_supplements(
    basic_findings: Findings, asked: _Request, part: Ratings, settings: Settings, contents: Contents
) -> Findings:
    """Return the findings with what stands beside the agreement: raters, matrices, and what was left open."""
    names = settings.judges
    return replace(
        basic_findings,
        humans=asked.raters(part, "human", part.humans),
        between=asked.raters(part, "judge", names),
        matrices=_matrices(part, settings),
        relations={name: (relation(part, name, settings), relation(part, name, settings, "human")) for name in names},
        bounds={name: bounds(part, name, settings, contents.level) for name in names},
    )


def _one_kind(basic_findings: Findings, asked: _Request, ratings: Ratings) -> Findings:
    """Return how raters of one kind agree: humans only, judges only, or raters of whom nobody said what they are."""
    part = _part(ratings, tuple(name for name in ratings.criteria if name not in scales_of(ratings).of("continuous")))
    basic_findings = replace(basic_findings, left_out_criteria=_left_out(ratings, part))
    if part is None:
        return basic_findings
    role: Role = "judge" if part.judges else "human"
    names = part.judges if part.judges else tuple(rater.name for rater in part.raters)
    report = asked.raters(part, role, names)
    return replace(basic_findings, between=report) if role == "judge" else replace(basic_findings, humans=report)


def _matrices(part: Ratings, settings: Settings) -> Matrices | None:
    panels = {panel.name for panel in part.source.panels}
    plain = [name for name in settings.judges if name not in panels]
    if len(plain) < 2:
        return None
    return _or_none(
        lambda: judge_matrices(
            settings.on(part), judges=plain, reference=settings.reference, abstention=settings.abstention, cost=settings.cost
        )
    )


def _or_none(compute: Callable[[], Found]) -> Found | None:
    """Return the result; None where it does not exist for these data. Whoever asks has checked the choices before."""
    try:
        return compute()
    except InputError:
        return None


@dataclass(frozen=True, eq=False)
class _Request:
    """The choices, as each kind of number takes them."""

    ratings: Ratings
    choices: Mapping[str, Any]

    def agreement(self, part: Ratings) -> tuple[AgreementReport, Settings]:
        options = dict(self.choices) | {"weights": self._weights(part), "judges": self._judges(part)}
        settings = settings_of(part, **options)
        return agreement_of(part, settings), settings

    def scores(self, part: Ratings | None, *, needed: bool) -> ScoresReport | None:
        """Return distances and correlations; None where they do not exist and other numbers do."""
        if part is None:
            return None
        continuous = bool(scales_of(part).of("continuous"))
        recoded = self.choices.get("abstention") == "as_unmet" and not continuous
        options = self._given("interval", "unit", "reference", "confidence") | {
            "abstention": "as_unmet" if recoded else "exclude",
            "weights": self._weights(part) if recoded else None,
            "judges": self._judges(part),
        }
        return scores(part, **options) if needed else _or_none(lambda: scores(part, **options))

    def raters(self, part: Ratings, role: Role, names: Sequence[str]) -> RatersReport | None:
        """Return how several raters of a role agree; None where there are fewer than two."""
        panels = {panel.name for panel in part.source.panels}
        plain = [name for name in names if name not in panels]
        if len(plain) < 2 or not part.has_items:
            return None
        options = self._given("abstention", "interval", "confidence", "handling")
        options["role"] = role if part.judges or part.humans else None
        kept = part if role == "human" else by_judges(part, plain)
        return _or_none(lambda: raters(kept, **options))

    def _given(self, *names: str) -> dict[str, Any]:
        """Return choices that were made, of these; where only the default rules exist, as they have them."""
        options = {name: self.choices[name] for name in names if name in self.choices}
        if options.get("interval", "none") != "none":
            options["interval"] = "auto"
        if options.get("unit") in PLACES:
            options["unit"] = "item"
        return options

    def _weights(self, part: Ratings) -> Mapping[str, float] | None:
        """Return those of the criteria counted; one that the file does not have stays, to be refused."""
        given, others = self.choices.get("weights"), set(self.ratings.criteria) - set(part.criteria)
        return None if given is None else {name: weight for name, weight in given.items() if name not in others}

    def _judges(self, part: Ratings) -> Sequence[str] | None:
        """Return those who rated the criteria counted; one that the file does not have stays, to be refused."""
        given = self.choices.get("judges")
        names = [given] if isinstance(given, str) else given
        if not names:
            return None
        others = set(self.ratings.judges) - set(part.judges)
        return [name for name in names if name not in others] or None


def by_judges(ratings: Ratings, names: Sequence[str]) -> Ratings:
    """Return the ratings without the other judges."""
    gone = [rater.role == "judge" and rater.name not in names for rater in ratings.raters]
    if not any(gone):
        return ratings
    kept = np.flatnonzero(~np.array(gone)[ratings.rater])
    places = np.cumsum(~np.array(gone)) - 1
    raters = tuple(rater for rater, out in zip(ratings.raters, gone, strict=True) if not out)
    return taken(ratings, kept, raters=raters, rater=places[ratings.rater[kept]].astype(np.int32), runs=None, memo={})
