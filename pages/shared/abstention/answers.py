"""What the page on abstention is drawn from, kept for the session where it takes a moment."""

from __future__ import annotations

from dataclasses import dataclass, replace

from metrics import Ratings
from metrics.analyses.abstention.bounds import Bounds, bounds
from metrics.analyses.abstention.nonresponse import Group, by_criterion, by_judge, by_label, by_prompt, decisions_of
from metrics.analyses.abstention.relation import JointAbstention, Relation, joint_abstention, relation
from metrics.analyses.abstention.selective import Curve, Traded, risk_coverage, tradeoff
from metrics.analyses.provenance import Header, header, silent_words
from metrics.analyses.records import AgreementReport, Block, JudgeReport
from metrics.analyses.settings import Settings
from metrics.data.abstention import Mode
from metrics.data.aggregation import Level
from pages.shared import bootstrap_job, cached
from pages.shared.view import Dataset


@dataclass(frozen=True, eq=False)
class ModeReports:
    """The request and its reports, one per mode."""

    request: bootstrap_job.Request
    reports: dict[Mode, AgreementReport]

    @property
    def ratings(self) -> Ratings:
        return self.request.dataset.ratings

    @property
    def judge(self) -> str:
        return self.request.chosen.judge

    @property
    def level(self) -> Level:
        return self.request.chosen.level

    @property
    def settings(self) -> Settings:
        """Of the numbers that have one method of their own: only the confidence is chosen."""
        return _confident(self.request)

    @property
    def reported(self) -> JudgeReport:
        """The judge where both answer."""
        return self.reports["exclude"].judges[self.judge]

    @property
    def silent(self) -> str:
        """What the answers without a verdict are, in the plural: ties are no abstentions."""
        report = self.reports["exclude"]
        return silent_words(report.judges[self.judge].coverage, report.declaration.handling)

    @property
    def blocks(self) -> dict[Mode, Block]:
        return {mode: report.judges[self.judge].level(self.level) for mode, report in self.reports.items()}

    @property
    def unit(self) -> str:
        return "items" if self.level == "item" else "decisions"

    @property
    def header(self) -> Header:
        return header(self.reports["exclude"], self.judge, self.level)

    @property
    def provenance(self) -> dict[str, str]:
        """What every row of a download says."""
        return {"judge": self.judge, "declaration": self.header.text()}


@dataclass(frozen=True)
class Nonresponse:
    """Who left what open."""

    criteria: list[Group]
    prompts: list[Group]
    by_human_label: list[Group]
    by_judge_label: list[Group]
    of_judge: Relation
    of_human: Relation


def _confident(request: bootstrap_job.Request) -> Settings:
    settings = request.chosen.settings("exclude")
    return type(request.wanted)(confidence=request.wanted.confidence).added_to(settings)


def bounds_of(asked: ModeReports) -> Bounds:
    return cached.once(bounds, asked.request.dataset, asked.judge, asked.settings, asked.level)


def together_of(asked: ModeReports) -> JointAbstention:
    return cached.once(joint_abstention, asked.request.dataset, asked.judge, asked.settings)


def points_of(asked: ModeReports) -> tuple[Traded, ...]:
    return cached.once(tradeoff, asked.request.dataset, replace(asked.settings, judges=()))


def curve_of(asked: ModeReports) -> Curve | str:
    return cached.once(risk_coverage, asked.request.dataset, asked.judge, asked.settings)


def silence_of(asked: ModeReports) -> Nonresponse:
    return cached.once(_nonresponse, asked.request.dataset, asked.judge, asked.settings)


def judges_of(asked: ModeReports) -> list[Group]:
    return _judges(asked.request.dataset, asked.settings)


def _nonresponse(ratings: Ratings, judge: str, settings: Settings) -> Nonresponse:
    decisions, confidence = decisions_of(ratings, judge, settings.reference), settings.confidence
    groups, others = by_label(ratings.scheme, decisions, confidence)
    return Nonresponse(
        by_criterion(ratings, decisions, confidence),
        by_prompt(ratings, judge, decisions, confidence),
        groups,
        others,
        relation(ratings, judge, settings, "judge"),
        relation(ratings, judge, settings, "human"),
    )


@cached.of_file(max_entries=8, show_spinner="Reading all judges")
def _judges(dataset: Dataset, settings: Settings) -> list[Group]:
    return by_judge(dataset.ratings, settings, settings.confidence)
