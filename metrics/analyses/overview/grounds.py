"""What the verdict on one judge rests on: the numbers of the other analyses, side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy.special import ndtri

from metrics.analyses.abstention.bounds import Bounds
from metrics.analyses.abstention.relation import Relation as Silence
from metrics.analyses.agreement.standing import LEAST
from metrics.analyses.agreement.weighted import of_weight
from metrics.analyses.biases.result import BiasReport
from metrics.analyses.cautions import LABELS_UNREAD, told_of
from metrics.analyses.comparison.forest import Forest
from metrics.analyses.comparison.readings import symbol_of
from metrics.analyses.comparison.result import Comparison
from metrics.analyses.ensembles.runs import SelfAgreement
from metrics.analyses.grouped_items import ITEMS_IN_GROUPS
from metrics.analyses.leading import read_first
from metrics.analyses.multiverse.pooling import Pooling
from metrics.analyses.overview.result import Relation, Statement, numbers_of
from metrics.analyses.preferences.compute import Preferences
from metrics.analyses.raters.ceiling import Ceiling
from metrics.analyses.records import AgreementReport, Block, JudgeReport
from metrics.analyses.scores.result import ScoresReport
from metrics.data.aggregation import Level
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from metrics.results.estimate import Estimate


@dataclass(frozen=True, eq=False)
class Grounds:
    """The numbers on one judge.

    Attributes
    ----------
    report, judge : AgreementReport, JudgeReport
        Every number by weight where the file has weights, and the judge with every decision counted once, `once`.
    metric, level : str
        What judges are compared by: κ within criteria, of a single criterion κ, of ordered labels κ with quadratic weights.
    ceiling : Ceiling or None
        None where no two humans overlap.
    pooling : Pooling or None
        None for a single criterion, and of ordered labels.
    bounds : Bounds
        Over all completions of what is left open.
    silence : Silence or None
        Whether the judge gives no verdict more often where people give one label than where they give another.
    preferences : Preferences or None
        Of pairwise labels with ties left out.
    scores : ScoresReport or None
        Of ordered labels.
    forest : Forest or None
        Every judge against the leader; None for the reason in `not_compared`.
    runs : SelfAgreement or None
        Of the judge, where the file has several runs of it.
    biases : BiasReport or None
        Of the judge; None of more decisions than a first look has the time for.
    named_errors : bool
        Errors are named by the label given, for no criterion asks yes or no.
    """

    report: AgreementReport
    judge: JudgeReport
    once: JudgeReport
    metric: str
    level: Level
    bounds: Bounds
    named_errors: bool
    silence: Silence | None = None
    ceiling: Ceiling | None = None
    pooling: Pooling | None = None
    preferences: Preferences | None = None
    scores: ScoresReport | None = None
    forest: Forest | None = None
    not_compared: str = ""
    runs: SelfAgreement | None = None
    biases: BiasReport | None = None

    @property
    def name(self) -> str:
        return words.shorten(self.judge.name)

    @property
    def the_reference(self) -> str:
        d = self.report.declaration
        return "people" if d.one_human_each else d.the_reference()

    @property
    def confidence(self) -> float:
        return self.report.declaration.confidence

    @property
    def many(self) -> bool:
        """Whether there are several criteria."""
        return len(self.judge.criteria) > 1

    @property
    def pooled(self) -> Block:
        return self.judge.micro

    @property
    def pooled_key(self) -> str:
        """The metric of the scale, on all decisions."""
        return read_first(self.judge)

    @property
    def headline(self) -> Estimate:
        """The number that the judge is read by, by weight where the file has weights."""
        return self.judge.level(self.level)[self.metric]

    @property
    def sign(self) -> int:
        """On which side of chance its interval lies as it is printed; 0 where it holds chance or there is none."""
        return words.side_of_0(self.headline.ends)

    @property
    def symbol(self) -> str:
        """That number in a sentence."""
        return f"{headline_words(self.metric, self.level, len(self.judge.criteria))}{self.of_weight}"

    @property
    def pooled_symbol(self) -> str:
        """The metric of the scale in a sentence."""
        return f"{BY_KEY[self.pooled_key].symbol}{self.of_weight}"

    @property
    def of_weight(self) -> str:
        """Behind what is weighted; empty where the file has no weights."""
        return of_weight(self.judge)

    @property
    def counted_once(self) -> str:
        """The headline with every decision counted once, behind the weighted one; empty where the file has no weights."""
        once = self.once.level(self.level)[self.metric]
        return f", and {words.estimate(once)} with every decision counted once" if self.of_weight and once.defined else ""

    @property
    def readings(self) -> dict[str, Estimate]:
        """The metric of the scale over decisions, over criteria and within them; empty for a single criterion."""
        if not self.many:
            return {}
        key = self.pooled_key
        shown = {"pooled": self.pooled[key], "as the mean over criteria": self.judge.macro[key]}
        if key == "kappa" and "kappa_within" in self.pooled:
            shown["within criteria"] = self.pooled["kappa_within"]
        return {name: estimate for name, estimate in shown.items() if estimate.defined}

    @property
    def in_groups(self) -> str:
        """The warning that items lie in groups within which errors are alike; empty where no column shows it."""
        return next((warning.message for warning in self.report.warnings if warning.code == ITEMS_IN_GROUPS), "")

    @property
    def readings_disagree(self) -> bool:
        """Whether one reading excludes 0 and another does not, or excludes it on the other side."""
        return len({words.side_of_0(estimate.ends) for estimate in self.readings.values() if estimate.ends is not None}) > 1

    @property
    def any_reading_agrees(self) -> bool:
        """Whether some reading lies beyond chance."""
        return any(words.side_of_0(estimate.ends) > 0 for estimate in self.readings.values())

    @property
    def no_verdict(self) -> str:
        """Why no verdict can be given on the judge; empty where one can."""
        return no_verdict(self.judge)


def headline_words(metric: str, level: str, n_criteria: int) -> str:
    """Return a metric with what it is over: "κ within criteria", "mean κ quadratic of 4 criteria"."""
    if level == "macro" and n_criteria > 1:
        return f"mean {BY_KEY[metric].symbol} of {words.count(n_criteria)} criteria"
    return symbol_of(metric)


def no_verdict(judge: JudgeReport) -> str:
    """Return why the labels allow no verdict on a judge, as a clause; empty where they do."""
    block = judge.micro
    n, what = (block.n or 0, "decisions") if judge.n_used is None else (judge.n_used, "items")
    if not n:
        if never_decides(judge):
            return f"it gives no verdict on any of {words.several(judge.coverage.n_total, 'decisions')}"
        return "no decision has a verdict of both sides"
    if why := one_verdict_labelled(judge):
        return why
    if n < LEAST:
        return f"it rests on {words.several(n, what)}, and {LEAST} are the least"
    if block.one_sided is not None and block.one_sided[0] == "reference":
        where = "where both answer, " if judge.coverage.n_labels_open else ""
        return f"{where}the reference says only {words.marked(words.shorten(block.one_sided[1]))}"
    if _one_sided_everywhere(judge):
        return "on each criterion the reference gives one label only"
    return ""


def one_verdict_labelled(judge: JudgeReport, who: str = "it") -> str:
    """Return that people labelled decisions of one verdict of a judge only, as a clause; empty where they did not."""
    labelling = judge.labelling
    if labelling is None or labelling.only is None:
        return ""
    text = labelling.one_verdict(who)
    return f"{text[0].lower()}{text[1:]}"


def leaves_open(judge: JudgeReport) -> float:
    """Return the share of decisions that people answer and the judge does not."""
    coverage = judge.coverage
    return coverage.judge_abstention_rate - coverage.both_abstention_rate if coverage.n_total else 0.0


def never_decides(judge: JudgeReport) -> bool:
    """Return whether people answer and the judge never does."""
    return leaves_open(judge) > 0 and judge.coverage.judge_abstention_rate == 1


def _one_sided_everywhere(judge: JudgeReport) -> bool:
    """Return whether the reference gives one label only on each of several criteria, so that pooled it only tells them apart."""
    used = [block for block in judge.criteria.values() if block.n]
    return len(used) > 1 and all(block.one_sided is not None and block.one_sided[0] == "reference" for block in used)


def relation_to_leader(forest: Forest | None, name: str, leader: str) -> tuple[Relation, Comparison | None, float | None]:
    """Return how a judge stands to the leader, the comparison behind that, and the corrected p that decides.

    Parameters
    ----------
    forest : Forest or None
        None where judges are not compared.
    name, leader : str
        Judges.
    """
    if name == leader:
        return "leader", None, None
    if forest is None or name not in forest.met:
        return "not compared", None, None
    comparison, p = forest.met[name][0], forest.p_by_name[name]
    if forest.is_disputed(name):
        return "disputed", comparison, p
    if not comparison.decisive[0].difference.defined:
        return "undefined", comparison, p
    if not forest.is_different(name):
        return "tied", comparison, p
    return ("ahead" if comparison.winner == name else "behind"), comparison, p


def end_for_all(one: Estimate, n: int, side: int, confidence: float) -> float:
    """Return the lower (0) or upper (1) end of one of n coefficients for all at once (Bonferroni), on Fisher's scale.

    NaN without an interval, and where value or end is 1 or −1, which that scale does not hold.
    """
    if one.ends is None or not (abs(one.value) < 1 and abs(one.ends[side]) < 1):
        return math.nan
    tail = (1 - confidence) / 2
    value, end = np.arctanh([one.value, one.ends[side]])
    return float(np.tanh(value + (end - value) * ndtri(tail / n) / ndtri(tail)))


class OnJudge(Protocol):
    """What is known of one judge, of labels or of numbers."""

    @property
    def judge(self) -> Any: ...

    @property
    def report(self) -> AgreementReport | ScoresReport: ...


def statement_of(kind: str, text: str, grounds: OnJudge, numbers: Mapping[str, Any]) -> Statement:
    """Return a statement on the judge of these grounds.

    Parameters
    ----------
    kind, text : str
    grounds : Grounds
    numbers : mapping
        JSON-ready: what it rests on.
    """
    return Statement(kind, text, {"judge": grounds.judge.name, **numbers})


def unread(grounds: OnJudge) -> Statement | None:
    """Return which labels of the file count nowhere; None where all that it holds are read."""
    text = told_of(LABELS_UNREAD, grounds.report.warnings)
    return statement_of(LABELS_UNREAD, text, grounds, {}) if text else None


def headline_numbers(grounds: Grounds) -> dict[str, Any]:
    """Return the number that the judge is read by, JSON-ready; the weighted one beside it where the file has weights."""
    once, by_weight = grounds.once.level(grounds.level)[grounds.metric], grounds.judge.weighted
    weighted = {} if by_weight is None else {"weighted": {"column": by_weight.column, **numbers_of(grounds.headline)}}
    return {"metric": grounds.metric, "level": grounds.level, **numbers_of(once), **weighted}
