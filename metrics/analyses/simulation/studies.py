"""One setting, or the same setting along an axis; and the settings of the source as presets.

Source: Collot et al., Balanced Accuracy: The Right Metric for Evaluating LLM Judges, Section 6.3 and Appendix A.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, get_args

import pandas as pd

from metrics.analyses.simulation.compute import Selection, parts
from metrics.analyses.simulation.scenarios import Range, Setting
from metrics.results import words

Axis = Literal["none", "p_golden", "n_golden", "n_eval"]
AXES: tuple[Axis, ...] = get_args(Axis)
AXIS_NAMES: Mapping[Axis, str] = MappingProxyType({
    "none": "nothing",
    "p_golden": "golden prevalence",
    "n_golden": "golden answers",
    "n_eval": "answers per model",
})  # fmt: skip
SIZES = tuple(25 * 2**step for step in range(12))
"""25 to 51,200, as in Figures 4 and 5."""
REGIMES: Mapping[str, Range] = MappingProxyType({
    "30–70\u00a0%": (0.3, 0.7), "5–20\u00a0%": (0.05, 0.2), "0.5–5\u00a0%": (0.005, 0.05),
})  # fmt: skip
ALONG = 20_000
"""Scenarios at each point of an axis in the presets."""


START = Setting()


@dataclass(frozen=True)
class Point:
    """One setting of a study.

    Attributes
    ----------
    name : str
        As it stands at the axis; empty where nothing varies.
    size : int, optional
        Where the axis is a number of answers.
    """

    name: str
    setting: Setting
    size: int | None = None


@dataclass(frozen=True)
class Study:
    """A setting, simulated once or at every place of an axis; all points share the seed."""

    setting: Setting = START
    along: Axis = "none"

    @property
    def points(self) -> tuple[Point, ...]:
        """In the order of the axis."""
        if self.along == "p_golden":
            return tuple(Point(name, replace(self.setting, p_golden=ends)) for name, ends in REGIMES.items())
        if self.along == "n_golden":
            return tuple(Point(words.count(size), replace(self.setting, n_golden=size), size) for size in SIZES)
        if self.along == "n_eval":
            return tuple(Point(words.count(size), replace(self.setting, n_eval=size), size) for size in SIZES)
        return (Point("", self.setting),)

    @property
    def cells(self) -> int:
        """Judgements of a model by a judge to draw, which is what the time follows."""
        return len(self.points) * self.setting.scenarios * self.setting.models * self.setting.judges


@dataclass(frozen=True)
class Preset:
    """A study with a name and what it stands for, in one sentence."""

    name: str
    says: str
    study: Study


LIKE_TABLE_3 = Setting(p_golden=(0.5, 1.0))
LARGE = Setting(ALONG, n_eval=2000, n_golden=2000)
PRESETS: Mapping[str, Preset] = MappingProxyType({
    "start": Preset(
        "Golden set like the models", "Golden set and models at 1–50 %; judges of any quality, also worse than chance.", Study()
    ),
    "table3": Preset(
        "Collot et al., Table 3",
        "200 answers per model, 800 golden, as in Section 6.3; with the 2\u202f000 of each in Appendix A balanced accuracy has "
        "a rank gap of about 0.015, not the printed 0.033. The golden prevalence is not stated: 50–100 % comes closest.",
        Study(LIKE_TABLE_3),
    ),
    "figure3": Preset(
        "Collot et al., Figure 3", "2\u202f000 answers per model, 2\u202f000 golden, at three prevalences of the golden set.",
        Study(LARGE, "p_golden"),
    ),
    "figure4": Preset(
        "Collot et al., Figure 4", "Golden sets of 25 to 51\u202f200 answers, 2\u202f000 answers per model.",
        Study(LARGE, "n_golden"),
    ),
    "figure5": Preset(
        "Collot et al., Figure 5",
        "25 to 51\u202f200 answers per model, a golden set of 2\u202f000. The caption fits rare golden positives, Table 3 "
        "common ones.",
        Study(LARGE, "n_eval"),
    ),
    "rare": Preset(
        "Small golden sets, rare positives", "As Figure 4, with 0.5–5 % positive in the golden set.",
        Study(replace(LARGE, p_golden=(0.005, 0.05)), "n_golden"),
    ),
    "better": Preset(
        "Judges better than chance", "TPR above 50 %, FPR below 50 %, and 1–10 % positive in golden set and models.",
        Study(replace(LARGE, scenarios=100_000, tpr=(0.5, 1.0), fpr=(0.0, 0.5), p_golden=(0.01, 0.1), p_model=(0.01, 0.1))),
    ),
})  # fmt: skip


@dataclass(frozen=True)
class Run:
    """What a study has found so far, one `Selection` for every point; all points are equally far."""

    study: Study
    selections: tuple[Selection, ...]

    @property
    def done(self) -> int:
        """Scenarios simulated at each point."""
        return self.selections[0].done

    @property
    def stopped(self) -> bool:
        return self.selections[0].stopped

    @property
    def share(self) -> float:
        """How much of what was asked is done, from 0 to 1."""
        return self.done / self.study.setting.scenarios

    def to_dict(self) -> dict[str, Any]:
        """Return the run as JSON takes it: what varies, and the object of `select` for every point."""
        points = zip(self.study.points, self.selections, strict=True)
        return {
            "version": 1,
            "along": self.study.along,
            "points": [{"name": p.name} | selection.to_dict() for p, selection in points],
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row per point, metric and outcome, with the whole setting."""
        return pd.concat([selection.to_frame() for selection in self.selections], ignore_index=True)


def preset_of(study: Study) -> str | None:
    """Return the preset that simulates the same points, if there is one."""
    same = (name for name, preset in PRESETS.items() if (preset.study.along, preset.study.points) == (study.along, study.points))
    return next(same, None)


def steps(study: Study) -> Iterator[Run]:
    """Yield a study as it grows, a block at every point in turn, so that a part of it compares points on equal terms."""
    for selections in zip(*(parts(point.setting) for point in study.points), strict=True):
        yield Run(study, selections)
