"""Runs made of autorubric's own objects, scored by it, and read by us from what it would write to disk."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

import metrics
from metrics.readers import combine_files

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else the import of autorubric asks the network for prices
VERDICTS = ("MET", "UNMET", "CANNOT_ASSESS")
ABSTAIN, FAILED = -1, -2
"""Codes of answers beside the options 0, 1, … (of a binary criterion MET, UNMET)."""


class Peer:
    """Its names, wherever in it they are. Its import takes seconds, so only a process that asks for one of them does it.

    Whoever collects tests asks every object of a module for names with an underscore.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        for part in ("autorubric", "autorubric.types", "autorubric.eval", "autorubric.metrics"):
            if hasattr(import_module(part), name):
                return getattr(import_module(part), name)
        raise AttributeError(name)


peer = Peer()


class Criteria(Sequence[Any]):
    """Criteria that are made when somebody looks at them."""

    def __init__(self, *asked: tuple[Any, ...]) -> None:
        self._asked = asked

    @cached_property
    def _made(self) -> tuple[Any, ...]:
        return tuple(criterion(*one) for one in self._asked)

    def __getitem__(self, place: Any) -> Any:
        return self._made[place]

    def __len__(self) -> int:
        return len(self._asked)

    def __add__(self, other: Criteria) -> Criteria:
        return Criteria(*self._asked, *other._asked)


def criterion(name: str, weight: float = 1.0, options: int = 0, scale: str = "ordinal", na: bool = True) -> Any:
    """A binary criterion, or one of some options worth 0 to 1 and one that is not applicable."""
    if not options:
        return peer.Criterion(name=name, weight=weight, requirement=f"about {name}")
    values = np.linspace(0, 1, options) ** 1.5
    listed = [peer.CriterionOption(label=f"{name}-{place}", value=float(value)) for place, value in enumerate(values)]
    listed += [peer.CriterionOption(label="N/A", value=0.0, na=True)] if na else []
    return peer.Criterion(name=name, weight=weight, requirement=f"about {name}", options=listed, scale_type=scale)


@dataclass
class Run:
    """Answers of the human (items, criteria) and of each judge, as codes; a lone judge makes a run of single reports.

    Attributes
    ----------
    failed_items : tuple of int
        Items without any report.
    superseded : set of (item, criterion, judge)
        Votes that were recorded and did not count.
    apart : bool
        Every item has a rubric of its own, with other requirements.
    """

    criteria: Sequence[Any]
    human: np.ndarray
    judges: dict[str, np.ndarray]
    failed_items: tuple[int, ...] = ()
    superseded: frozenset[tuple[int, int, str]] = frozenset()
    apart: bool = False

    @property
    def dataset(self) -> Any:
        truths = [[self._truth(c, code) for c, code in zip(self.criteria, row, strict=True)] for row in self.human]
        items = [
            peer.DataItem(
                submission=f"s{i}", description="d", ground_truth=truth, rubric=peer.Rubric(self.of(i)) if self.apart else None
            )
            for i, truth in enumerate(truths)
        ]
        rubric = None if self.apart else peer.Rubric(list(self.criteria))
        return peer.RubricDataset(prompt="p", rubric=rubric, items=items)

    def of(self, item: int) -> list[Any]:
        """The criteria of an item."""
        if not self.apart:
            return list(self.criteria)
        return [its.model_copy(update={"requirement": f"{item}: {its.requirement}"}) for its in self.criteria]

    @staticmethod
    def _truth(its: Any, code: int) -> Any:
        if its.options is None:
            return _verdict(code)
        return its.options[code if code >= 0 else len(its.options) - 1].label

    @property
    def result(self) -> Any:
        dataset = self.dataset
        found = []
        for i, item in enumerate(dataset.items):
            error = "it raised" if i in self.failed_items else None
            report = peer.EvaluationReport(score=None, raw_score=None, error=error) if error else self._report(i)
            found.append(peer.ItemResult(item_idx=i, item=item, report=report, duration_seconds=1.0, error=error))
        return peer.EvalResult(
            item_results=found,
            total_items=len(found),
            successful_items=len(found) - len(self.failed_items),
            failed_items=len(self.failed_items),
            total_token_usage=None,
            total_completion_cost=None,
            timing_stats=None,
            started_at=None,
            completed_at=None,
            errors=[],
        )

    def _report(self, item: int) -> Any:
        if len(self.judges) == 1:
            codes = next(iter(self.judges.values()))[item]
            reports = [_single(c, code) for c, code in zip(self.of(item), codes, strict=True)]
            return peer.EvaluationReport(score=_score(reports), raw_score=0.0, report=reports)
        reports = [self._voted(item, place) for place in range(len(self.criteria))]
        own = {
            name: _score([_single(c, code) for c, code in zip(self.criteria, codes[item], strict=True)])
            for name, codes in self.judges.items()
        }
        whole = _score([_single(c, self._final(item, place)) for place, c in enumerate(self.criteria)])
        return peer.EnsembleEvaluationReport(score=whole, raw_score=0.0, report=reports, judge_scores=own)

    def _final(self, item: int, place: int) -> int:
        """The answer most judges gave, of several the first; failed where all calls did."""
        codes = [int(codes[item, place]) for name, codes in self.judges.items() if not self._is_out(item, place, name)]
        counted = [code for code in codes if code != FAILED]
        return max(sorted(set(counted)), key=counted.count) if counted else FAILED

    def _is_out(self, item: int, place: int, judge: str) -> bool:
        return (item, place, judge) in self.superseded

    def _voted(self, item: int, place: int) -> Any:
        its = self.criteria[place]
        final = self._final(item, place)
        votes = [
            _vote(its, name, int(codes[item, place]), self._is_out(item, place, name)) for name, codes in self.judges.items()
        ]
        error = "parse: no JSON" if final == FAILED else None
        if its.options is None:
            verdict = _verdict(final)
            return peer.EnsembleCriterionReport(criterion=its, final_verdict=verdict, final_reason="r", votes=votes, error=error)
        chosen = peer.AggregatedMultiChoiceVerdict(**_chosen(its, final), aggregated_value=0.0)
        return peer.EnsembleCriterionReport(
            criterion=its,
            final_verdict=None,
            final_reason="r",
            final_multi_choice_verdict=chosen,
            multi_choice_votes=votes,
            error=error,
        )

    def scored(self, **options: Any) -> Any:
        """What autorubric makes of it."""
        return peer.compute_metrics(self.result, self.dataset, **options)

    def files(self) -> bytes:
        """An archive of the dataset and the run as autorubric writes them."""
        lines = "\n".join(json.dumps(item.to_dict()) for item in self.result.item_results)
        judges = [{"judge_id": name} for name in self.judges]
        manifest = {"dataset_hash": "x", "total_items": len(self.human), "grader_config": {"judges": judges}}
        return combine_files(
            [
                ("dataset.json", self.dataset.to_json().encode()),
                ("items.jsonl", lines.encode()),
                ("manifest.json", json.dumps(manifest).encode()),
            ]
        )

    def read(self) -> metrics.Ratings:
        return metrics.read(self.files())


def _verdict(code: int) -> Any:
    return peer.CriterionVerdict[VERDICTS[code if code >= 0 else 2]]


def _single(its: Any, code: int) -> Any:
    error = "parse: no JSON" if code == FAILED else None
    if its.options is None:
        said = {"verdict": _verdict(code)}
    else:
        said = {"multi_choice_verdict": peer.MultiChoiceVerdict(**_chosen(its, code))}
    return peer.CriterionReport(**its.model_dump(), **said, reason="r", error=error)


def _chosen(its: Any, code: int) -> dict[str, Any]:
    place = code if code >= 0 else len(its.options) - 1
    option = its.options[place]
    return {"selected_index": place, "selected_label": option.label, "value": option.value, "na": option.na}


def _vote(its: Any, judge: str, code: int, superseded: bool) -> Any:
    error = "parse: no JSON" if code == FAILED else None
    if its.options is None:
        verdict = _verdict(code)
        return peer.JudgeVote(judge_id=judge, verdict=verdict, reason="r", error=error, superseded=superseded)
    return peer.MultiChoiceJudgeVote(judge_id=judge, **_chosen(its, code), reason="r", error=error, superseded=superseded)


def _score(reports: Sequence[Any]) -> float | None:
    """The score of its grader with its default settings."""
    from autorubric.scoring import score_reports
    from autorubric.types import CannotAssessConfig

    if all(report.error for report in reports):
        return None
    return score_reports(list(reports), CannotAssessConfig())


def answers(rng: np.random.Generator, criteria: Sequence[Any], n: int, abstain: float = 0.0) -> np.ndarray:
    """Random answers, each option about as likely as the next."""
    found = np.stack([rng.integers(0, _options(its), n) for its in criteria], axis=1)
    return np.where(rng.random(found.shape) < abstain, ABSTAIN, found)


def noisy(
    rng: np.random.Generator, criteria: Sequence[Any], truth: np.ndarray, wrong: float, abstain: float = 0.0, failed: float = 0.0
) -> np.ndarray:
    """Answers that follow others most of the time."""
    own = answers(rng, criteria, len(truth))
    found = np.where((rng.random(truth.shape) < wrong) | (truth < 0), own, truth)
    found = np.where(rng.random(truth.shape) < abstain, ABSTAIN, found)
    return np.where(rng.random(truth.shape) < failed, FAILED, found)


def _options(its: Any) -> int:
    return 2 if its.options is None else sum(not option.na for option in its.options)
