"""Everything that is computed once for a report and its checklist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from metrics.analyses.abstention.bounds import Bounds
from metrics.analyses.abstention.relation import Relation
from metrics.analyses.ensembles.matrices import Matrices
from metrics.analyses.raters.result import RatersReport
from metrics.analyses.records import AgreementReport
from metrics.analyses.scores.result import ScoresReport
from metrics.analyses.settings import Settings
from metrics.data.scales import Scales


@dataclass(frozen=True, eq=False)
class Findings:
    """What the checklist and the report rest on.

    What is None was not computed, or does not exist for these data. Where a human and a judge met, `agreement` or `scores`
    is there; of a file of raters of one kind only how they agree with each other.

    Attributes
    ----------
    agreement : AgreementReport or None
        Of all judges, over the criteria whose labels can be counted; None where every criterion is a score.
    settings : Settings or None
        The choices behind it; a cost matrix, which no declaration carries, is here.
    scores : ScoresReport or None
        Of the ordered criteria; of the continuous ones where there are no ordered ones.
    numbers : ScoresReport or None
        Of the continuous criteria, where there are ordered ones too.
    scales : Scales or None
        Scale of every criterion of the file, and how far it was stated.
    humans, between : RatersReport or None
        How the humans, and the judges, agree with each other.
    matrices : Matrices or None
        Of all judges where there are several.
    relations : mapping of judge to (judge's silence and label, human's silence and label)
    bounds : mapping of judge to bounds of the level of the headline
        Over everything that the open decisions could have been.
    groups : mapping of column to (groups, items)
        Columns of the file that group items, such as a prompt: several items to a value.
    left_out_criteria : tuple of str
        Criteria of the file that were not asked for, or that none of these reports counts.
    humans_each : (int, int) or None
        Fewest and most humans who rated one decision; None where no human did, and for a table of counts.
    votes_each : (str, int, int) or None
        A column that says how many votes are behind a label of the human, with the fewest and the most; None without one, and
        where it says one vote throughout.
    """

    agreement: AgreementReport | None = None
    settings: Settings | None = None
    scores: ScoresReport | None = None
    numbers: ScoresReport | None = None
    scales: Scales | None = None
    humans: RatersReport | None = None
    between: RatersReport | None = None
    matrices: Matrices | None = None
    relations: Mapping[str, tuple[Relation, Relation]] = field(default_factory=dict)
    bounds: Mapping[str, Bounds] = field(default_factory=dict)
    groups: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    left_out_criteria: tuple[str, ...] = ()
    humans_each: tuple[int, int] | None = None
    votes_each: tuple[str, int, int] | None = None
