"""Raters, scores and two judges by the values of a column: the report of each group's rows alone, beside the whole."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

import metrics
from metrics.analyses.slices.grouping import By
from metrics.analyses.slices.sliced import Sliced, sliced
from tests.slices.made import failing


def two_judges() -> pd.DataFrame:
    first, second = failing(300).assign(judge="a"), failing(300).assign(judge="b")
    rng = np.random.default_rng(1)
    second["verdict"] = np.where(rng.random(300) < 0.9, second["human"], "no")
    return pd.concat([first, second])


MAKES: dict[str, Any] = {
    "compare": lambda ratings: metrics.compare(ratings, "a", "b", replicates=199),
    "compare all": lambda ratings: metrics.compare_all(ratings, "a", replicates=199),
    "raters": lambda ratings: metrics.raters(ratings, role="judge"),
    "scores": lambda ratings: metrics.scores(ratings, on="label"),
}


@pytest.mark.parametrize("name", MAKES)
def test_a_part_is_the_report_of_the_file_filtered_to_it(name: str) -> None:
    frame, make = two_judges(), MAKES[name]
    how = {"order": ["no", "yes"]} if name == "scores" else {}
    report = sliced(metrics.read(frame, **how), [By("language")], make)
    for value in ("de", "en", "fr", "ja"):
        part = report.parts[value]
        assert not isinstance(part, str)
        alone = make(metrics.read(frame[frame["language"] == value], **how)).to_dict()
        own = part.to_dict()
        for key in set(own) - {"declaration", "settings"}:
            assert own[key] == alone[key]
    assert {key: report.to_dict()[key] for key in report.whole.to_dict()} == report.whole.to_dict()


def test_the_test_between_groups_is_that_of_their_intervals() -> None:
    report = sliced(metrics.read(two_judges()), [By("language")], MAKES["compare"])
    known = [each for each in report.numbers["difference"].values() if each.n >= 20]
    value = np.array([each.estimate.value for each in known])
    error = np.array([each.estimate.width for each in known]) / (2 * 1.959964)
    q = float((((value - (value / error**2).sum() / (1 / error**2).sum()) / error) ** 2).sum())
    test = report.tests["difference"]
    assert test.q == pytest.approx(q, rel=1e-6)
    assert test.df == len(known) - 1
    assert test.p == pytest.approx(chi2.sf(q, test.df))
    assert test.p < 0.05
    assert "differs between groups by ‘language’" in report.summary()


def test_groups_of_people_share_items_and_are_not_tested() -> None:
    rng = np.random.default_rng(2)
    rows = [
        {"item": item, "rater": rater, "role": "human", "label": rng.choice(["yes", "no"]), "team": team}
        for item in range(30)
        for rater, team in (("ann", "north"), ("bob", "north"), ("cleo", "south"), ("dan", "south"))
    ]
    frame = pd.DataFrame(rows)
    report = sliced(metrics.read(frame), [By("team")], metrics.raters)
    assert math.isnan(report.tests["alpha"].p)
    assert "share items" in report.summary()
    for team in ("north", "south"):
        part: Any = report.parts[team]
        alone = metrics.raters(metrics.read(frame[frame["team"] == team]))
        assert part.pooled["alpha"] == alone.pooled["alpha"]


def test_a_group_without_a_report_says_why() -> None:
    frame = two_judges()
    frame = frame[~((frame["judge"] == "b") & (frame["language"] == "ja"))]
    report = sliced(metrics.read(frame), [By("language")], MAKES["compare"])
    assert isinstance(report.parts["ja"], str)
    assert report.to_dict()["slices"]["ja"]["undefined"]
    assert "ja" in report.summary()


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "--a", "a", "--b", "b"),
        ("compare", "--baseline", "a"),
        ("raters", "--role", "judge"),
        ("scores", "--order", "no,yes"),
    ],
    ids=" ".join,
)
def test_every_command_prints_slices_beside_the_whole(words: tuple[str, ...], capsys: Any, tmp_path: Any) -> None:
    from metrics.commands.cli import main

    path = tmp_path / "answers.csv"
    two_judges().to_csv(path, index=False)
    for more in (["--json"], []):
        with pytest.raises(SystemExit) as stop:
            main([words[0], str(path), *words[1:], "--by", "language", *more])
        out = capsys.readouterr().out
        assert not stop.value.code
        if more:
            document = json.loads(out)
            assert set(document["slices"]) == {"de", "en", "fr", "ja", "xx"}
            assert "heterogeneity" in document
        elif "--baseline" not in words:
            assert "by language" in out


def test_scores_are_read_by_the_number_of_their_scale() -> None:
    rng = np.random.default_rng(4)
    human = rng.integers(1, 6, 200)
    frame = pd.DataFrame(
        {
            "item": range(200), "human": human, "verdict": np.clip(human + rng.integers(-1, 2, 200), 1, 5),
            "system": rng.choice(["x", "y"], 200),
        }
    )  # fmt: skip
    report: Sliced = sliced(metrics.read(frame, scale="ordinal"), [By("system")], metrics.scores)
    assert {each.symbol for each in report.numbers["judge"].values()} == {metrics.BY_KEY["weighted_kappa_quadratic"].symbol}
    assert 0 < report.tests["judge"].p <= 1
