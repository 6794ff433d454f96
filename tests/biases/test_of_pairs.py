"""Biases of two answers: the slope of judge less people, alike from both sides, and 0 where both lean alike."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

import metrics
from metrics.analyses.biases import readings
from metrics.analyses.biases.of_pairs import AnswerPair, length_columns

LABELS = {"A": "positive", "B": "negative", "tie": "tie"}
MODELS = ("gpt-4o", "claude-3-opus", "gemini-1.5-pro")

SHARES = metrics.BiasReport(metrics.agreement(["A", "B"], ["A", "B"], positive="A").declaration, "A", {})


def pairs(n: int = 240, seed: int = 1, longer: float = 0.0, own: float = 0.0) -> pd.DataFrame:
    """Return choices between two answers; the judge leans to the longer one, and to that of its family, as told."""
    rng = np.random.default_rng(seed)
    model = np.array([rng.choice(3, 2, replace=False) for _ in range(n)])
    words = rng.integers(20, 160, (n, 2))
    x = np.log2(words[:, 0] / words[:, 1])
    kin = (model[:, 0] == 0) * 1.0 - (model[:, 1] == 0)
    quality = 0.4 * x + rng.normal(size=n)
    rows = []
    for criterion in ("helpful", "clear"):
        people, judge = (quality + lean + rng.normal(size=n) for lean in (np.zeros(n), longer * x + own * kin))
        human, verdict = (np.where(np.abs(vote) < 0.25, "tie", np.where(vote > 0, "A", "B")) for vote in (people, judge))
        rows.append(
            pd.DataFrame(
                {
                    "item": [f"i{place}" for place in range(n)],
                    "criterion": criterion,
                    "judge": "gpt-4-judge",
                    "human": human,
                    "verdict": verdict,
                    "model_a": np.take(MODELS, model[:, 0]),
                    "model_b": np.take(MODELS, model[:, 1]),
                    "answer_a": ["wor " * size for size in words[:, 0]],
                    "answer_b": ["wor " * size for size in words[:, 1]],
                }
            )
        )
    return pd.concat(rows)


def biases(frame: pd.DataFrame, **choices: Any) -> dict[str, Any]:
    report = metrics.biases(metrics.read(frame, labels=LABELS), **choices)
    return {bias.kind: bias for bias in report.judges["gpt-4-judge"]}


def credit(labels: pd.Series) -> np.ndarray:
    return labels.map({"A": 1.0, "B": 0.0, "tie": 0.5}).to_numpy(float)


@pytest.mark.parametrize("seed", range(3))
def test_the_effect_is_the_slope_of_judge_less_people_within_criteria(seed: int) -> None:
    frame = pairs(seed=seed)
    x = np.log2(frame["answer_a"].str.strip().str.len() / frame["answer_b"].str.strip().str.len()).to_numpy(float)
    levels = pd.get_dummies(frame["criterion"]).to_numpy(float)
    fitted = sm.OLS(credit(frame["verdict"]) - credit(frame["human"]), np.column_stack([x, levels])).fit()
    people = sm.OLS(credit(frame["human"]), np.column_stack([x, levels])).fit()
    found = biases(frame)["length"]
    assert found.effect.estimate.value == pytest.approx(fitted.params[0])
    assert found.people.estimate.value == pytest.approx(people.params[0])
    assert found.effect.n_items == 240


@pytest.mark.parametrize("lean", [{"longer": 0.0}, {"longer": 0.8, "own": 1.0}])
def test_which_answer_is_called_the_first_changes_nothing(lean: dict[str, float]) -> None:
    frame = pairs(**lean)
    turned = frame.rename(columns={"model_a": "model_b", "model_b": "model_a", "answer_a": "answer_b", "answer_b": "answer_a"})
    for column in ("human", "verdict"):
        turned[column] = frame[column].map({"A": "B", "B": "A", "tie": "tie"})
    one, other = biases(frame), biases(turned)
    for kind in ("length", "kinship"):
        assert one[kind].effect.estimate.value == pytest.approx(other[kind].effect.estimate.value)
        assert one[kind].effect.estimate.ends == pytest.approx(other[kind].effect.estimate.ends)
        assert one[kind].items == other[kind].items


def test_a_property_that_judge_and_people_value_alike_is_no_bias() -> None:
    """At most 9 of 60 effects are told: P(more) < 0.001 at 5 %."""
    told = [bias.effect.p <= 0.05 for seed in range(30) for bias in biases(pairs(100, seed)).values()]
    assert len(told) == 60
    assert sum(told) <= 9


def test_a_judge_that_leans_is_seen_and_said() -> None:
    found = biases(pairs(longer=0.8, own=1.2))
    for kind, words in (
        ("length", "the longer answer more often than people do"),
        ("kinship", "the answer of its own family more often than people do"),
    ):
        assert found[kind].told
        assert found[kind].effect.estimate.value > 0
        assert words in readings.sentence(found[kind], SHARES)
        people = found[kind].people.estimate
        none = f"People themselves show no significant preference by {kind.replace('kinship', 'family')}: "
        told = "People themselves prefer the " if people.sign else none
        beside = readings.sentence(found[kind], SHARES)
        assert told in beside
        assert ("points] for each doubling of the ratio." in beside.partition(told)[2]) is (kind == "length")
        assert found[kind].items
    less = biases(pairs(longer=-0.8))["length"]
    assert "prefers the longer answer less often" in readings.sentence(less, SHARES)


def test_what_people_prefer_has_no_sign_and_no_direction_where_their_interval_holds_none() -> None:
    said = set()
    for seed in range(12):
        for bias in biases(pairs(150, seed)).values():
            text, people = readings.sentence(bias, SHARES), bias.people.estimate
            assert "by −" not in text.split("People themselves")[1]
            assert ("show no significant preference by " in text) is (people.sign == 0)
            said.add(people.sign)
    assert len(said) > 1


def test_no_direction_where_the_interval_holds_none() -> None:
    for bias in biases(pairs(60, 4)).values():
        low, high = bias.effect.estimate.ends
        if low <= 0 <= high:
            text = readings.sentence(bias, SHARES)
            assert "no significant effect" in text
            assert "favours" not in text


def test_length_and_family_that_go_together_are_said_to() -> None:
    frame = pairs(longer=0.8)
    sizes = {"gpt-4o": 200, "claude-3-opus": 30, "gemini-1.5-pro": 30}
    rng = np.random.default_rng(3)
    for side in ("a", "b"):
        frame[f"answer_{side}"] = ["wor " * (sizes[model] + int(rng.integers(0, 10))) for model in frame[f"model_{side}"]]
    found = biases(frame)["kinship"]
    assert found.confounded
    assert "Confounded with" in readings.sentence(found, SHARES)


def test_columns_of_both_answers_are_found_by_their_names() -> None:
    frame = pairs(80)
    ratings = metrics.read(frame, labels=LABELS)
    assert length_columns(ratings) == (AnswerPair("answer_a", "answer_b"),)
    frame["tokens_1"], frame["tokens_2"] = np.arange(160) + 1, np.arange(160)[::-1] + 1
    frame["rank_1"], frame["rank_2"] = np.arange(160), np.arange(160)
    renamed = metrics.read(frame.drop(columns=["answer_a", "answer_b"]), labels=LABELS)
    assert length_columns(renamed) == (AnswerPair("tokens_1", "tokens_2"),)


def test_a_file_that_says_nothing_of_the_answers_says_why() -> None:
    frame = pairs(60).drop(columns=["answer_a", "answer_b", "model_a", "model_b"]).assign(topic="x")
    report = metrics.biases(metrics.read(frame, labels=LABELS))
    assert "model_a and model_b" in report.why
    assert report.to_dict()["undefined"] == report.why


def test_the_command_and_its_json(capsys: Any, tmp_path: Any) -> None:
    from metrics.commands.cli import main

    path = tmp_path / "pairs.csv"
    pairs(longer=0.8).to_csv(path, index=False)
    for more in ([], ["--json"]):
        with pytest.raises(SystemExit) as stop:
            main(["biases", str(path), "--labels", "A=positive,B=negative,tie=tie", *more])
        out = capsys.readouterr().out
        assert not stop.value.code
        if more:
            first = json.loads(out)["judges"]["gpt-4-judge"][0]
            assert first["people"]["interval"]
            assert first["effect"] > 0
        else:
            assert "the longer answer more often than people do" in out


def test_what_the_order_of_the_answers_does_is_said_too() -> None:
    """A judge that takes the first answer in either order wherever the two are not far apart."""
    rng = np.random.default_rng(3)
    far = rng.random(120)
    human = np.where(rng.random(120) < 0.5, "A", "B")
    frame = pd.DataFrame(
        {
            "item": range(120), "judge": "first", "human": human, "verdict": np.where(far < 0.5, "A", human),
            "verdict_swapped": np.where(far < 0.5, "B", human),
        }
    )  # fmt: skip
    report = metrics.biases(metrics.read(frame, labels={"A": "positive", "B": "negative"}))
    n = int((far < 0.5).sum())
    said = f"Where the order changes the winner, {n} of {n} times the answer shown first wins"
    assert said in report.summary()
    assert report.summary().startswith("Length and kinship are not measured")
    assert report.to_dict()["positions"] == {"first": {"n": 120, "consistent": 120 - n, "changed": n, "first": n}}
