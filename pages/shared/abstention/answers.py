"""What the page on abstention is drawn from, kept for the session where it takes a moment."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from metrics import Ratings
from metrics.analyses.abstention.bounds import Bounds, bounds
from metrics.analyses.abstention.nonresponse import Group, by_criterion, by_judge, by_label, by_prompt, decisions_of
from metrics.analyses.abstention.relation import JointAbstention, Relation, joint_abstention, relation
from metrics.analyses.abstention.selective import Curve, Traded, risk_coverage, tradeoff
from metrics.analyses.provenance import Header, header
from metrics.analyses.records import AgreementReport, Block, JudgeReport
from metrics.analyses.settings import Settings
from metrics.data.abstention import Mode
from metrics.data.aggregation import Level
from pages.shared import bootstrap_job


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
    return _bounds(asked.request.dataset.key, asked.settings, asked.level, _ratings=asked.ratings)


def together_of(asked: ModeReports) -> JointAbstention:
    return _joint_abstention(asked.request.dataset.key, asked.settings, _ratings=asked.ratings)


def points_of(asked: ModeReports) -> tuple[Traded, ...]:
    return _points(asked.request.dataset.key, asked.settings.reference, asked.settings, _ratings=asked.ratings)


def curve_of(asked: ModeReports) -> Curve | str:
    return _curve(asked.request.dataset.key, asked.settings, _ratings=asked.ratings)


def silence_of(asked: ModeReports) -> Nonresponse:
    return _nonresponse(asked.request.dataset.key, asked.settings, _ratings=asked.ratings)


def judges_of(asked: ModeReports) -> list[Group]:
    return _judges(asked.request.dataset.key, asked.settings, _ratings=asked.ratings)


Key = tuple[str, object]
REPR = {Settings: repr}


@st.cache_resource(show_spinner=False, max_entries=32, scope="session", hash_funcs=REPR)
def _bounds(key: Key, settings: Settings, level: Level, _ratings: Ratings) -> Bounds:
    return bounds(_ratings, settings.judges[0], settings, level)


@st.cache_resource(show_spinner=False, max_entries=32, scope="session", hash_funcs=REPR)
def _joint_abstention(key: Key, settings: Settings, _ratings: Ratings) -> JointAbstention:
    return joint_abstention(_ratings, settings.judges[0], settings)


@st.cache_resource(show_spinner=False, max_entries=16, scope="session")
def _points(key: Key, reference: str, _settings: Settings, _ratings: Ratings) -> tuple[Traded, ...]:
    return tradeoff(_ratings, _settings)


@st.cache_resource(show_spinner=False, max_entries=16, scope="session", hash_funcs=REPR)
def _curve(key: Key, settings: Settings, _ratings: Ratings) -> Curve | str:
    return risk_coverage(_ratings, settings.judges[0], settings)


@st.cache_resource(show_spinner=False, max_entries=16, scope="session", hash_funcs=REPR)
def _nonresponse(key: Key, settings: Settings, _ratings: Ratings) -> Nonresponse:
    judge, confidence = settings.judges[0], settings.confidence
    decisions = decisions_of(_ratings, judge, settings.reference)
    groups, others = by_label(_ratings.scheme, decisions, confidence)
    return Nonresponse(
        by_criterion(_ratings, decisions, confidence),
        by_prompt(_ratings, judge, decisions, confidence),
        groups,
        others,
        relation(_ratings, judge, settings, "judge"),
        relation(_ratings, judge, settings, "human"),
    )


@st.cache_resource(show_spinner="Reading all judges", max_entries=8, scope="session", hash_funcs=REPR)
def _judges(key: Key, settings: Settings, _ratings: Ratings) -> list[Group]:
    return by_judge(_ratings, settings, settings.confidence)
