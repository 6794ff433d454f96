"""Biases against hand-made files: an effect that was put in is found, none is found where there is none, rivals are named."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.analyses.biases.compute import biases, family_of
from metrics.analyses.biases.difference import stratified_difference
from metrics.analyses.biases.readings import means, reading
from metrics.analyses.settings import settings_of
from metrics.errors import InputError

CONFIDENCE = 0.95


def by_hand(outcome, group, stratum) -> float:
    """Mantel and Haenszel's risk difference, summed stratum by stratum."""
    above = below = 0.0
    for s in set(stratum):
        one, zero = outcome[(stratum == s) & (group == 1)], outcome[(stratum == s) & (group == 0)]
        if len(one) and len(zero):
            total = len(one) + len(zero)
            above += (one.sum() * len(zero) - zero.sum() * len(one)) / total
            below += len(one) * len(zero) / total
    return above / below


@pytest.mark.parametrize("seed", range(5))
def test_the_difference_is_that_of_mantel_and_haenszel(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 200
    outcome, group, stratum = rng.integers(0, 2, n).astype(float), rng.integers(0, 2, n), rng.integers(0, 6, n)
    estimate = stratified_difference(outcome, group, stratum, np.arange(n), CONFIDENCE)
    assert estimate.value == pytest.approx(by_hand(outcome, group, stratum), abs=1e-12)
    turned = stratified_difference(outcome, 1 - group, stratum, np.arange(n), CONFIDENCE)
    assert turned.value == pytest.approx(-estimate.value)
    assert turned.ends == pytest.approx((-estimate.ends[1], -estimate.ends[0]))


def test_one_stratum_has_the_width_of_two_proportions() -> None:
    rng = np.random.default_rng(3)
    n = 4000
    outcome, group = (rng.random(n) < 0.3).astype(float), rng.integers(0, 2, n)
    estimate = stratified_difference(outcome, group, np.zeros(n, np.int64), np.arange(n), CONFIDENCE)
    error = sum(outcome[group == place].var() / (group == place).sum() for place in (0, 1)) ** 0.5
    assert estimate.width == pytest.approx(2 * 1.96 * error, rel=0.01)


def test_decisions_of_one_item_are_not_taken_for_independent() -> None:
    rng = np.random.default_rng(4)
    item = np.repeat(np.arange(200), 5)
    outcome = np.repeat(rng.integers(0, 2, 200), 5).astype(float)
    group = np.repeat(rng.integers(0, 2, 200), 5)
    none = np.zeros(1000, np.int64)
    together = stratified_difference(outcome, group, none, item, CONFIDENCE)
    apart = stratified_difference(outcome, group, none, np.arange(1000), CONFIDENCE)
    assert together.width > 2 * apart.width


@pytest.mark.parametrize("case", ["few", "one group"])
def test_what_cannot_be_told_is_undefined(case: str) -> None:
    n = 30
    group = np.zeros(n, np.int64)
    if case == "few":
        group[:5] = 1
    estimate = stratified_difference(np.ones(n), group, np.zeros(n, np.int64), np.arange(n), CONFIDENCE)
    assert np.isnan(estimate.value)
    assert estimate.ends is None
    assert estimate.why == ("a group has fewer than 10 items" if case == "few" else "no stratum holds both groups")


def test_intervals_cover_what_was_drawn() -> None:
    rng = np.random.default_rng(7)
    hits = 0
    for _ in range(400):
        item = np.repeat(np.arange(80), 3)
        group = np.repeat(rng.integers(0, 2, 80), 3)
        stratum = np.tile(np.arange(3), 80)
        kind = np.repeat(rng.random(80), 3)
        outcome = (rng.random(240) < 0.15 + 0.5 * kind + 0.1 * group).astype(float)
        low, high = stratified_difference(outcome, group, stratum, item, CONFIDENCE).ends
        hits += low <= 0.1 <= high
    assert 0.925 <= hits / 400 <= 0.985


def data(n: int = 300, *, longer: float = 0.0, own: float = 0.0, tied: bool = False, seed: int = 0) -> bytes:
    """Items with an answer of random length and a model; the judge passes longer, or its own family's, more often."""
    rng = np.random.default_rng(seed)
    lines = ["item,judge,human,verdict,answer,model"]
    for i in range(n):
        is_own = rng.random() < 0.5
        length = int(rng.integers(50, 400)) if not tied else int(rng.integers(50, 200) + 250 * is_own)
        human = rng.random() < 0.5
        up = longer * (length > 225) + own * is_own
        said = rng.random() < (0.8 if human else 0.2) + up * 0.6
        words = ("yes" if human else "no", "yes" if said else "no")
        lines.append(f"q{i},gpt-4o,{words[0]},{words[1]},{'a' * length},{'gpt-4' if is_own else 'claude-3'}")
    return "\n".join(lines).encode()


def found(content: bytes):
    ratings = metrics.read(content)
    return {bias.kind: bias for bias in biases(ratings, settings_of(ratings), "gpt-4o")}


def test_a_judge_that_passes_longer_answers_is_told() -> None:
    bias = found(data(longer=0.6))["length"]
    assert bias.judge.ends[0] > 0.1
    said = reading(bias, "yes")
    assert said.startswith("The judge says yes more often on texts in answer of more than")
    assert "with the same reference label, by" in said
    assert "+" not in said.split(".")[0]
    assert "padding" in means(bias)
    assert bias.items
    assert sum(bias.n) == 300


def test_a_judge_that_passes_its_own_family_is_told() -> None:
    kinds = found(data(own=0.6))
    assert kinds["family"].judge.ends[0] > 0.1
    assert "answers of its own family, GPT in model, beyond what the reference says" in reading(kinds["family"], "yes")
    assert kinds["length"].judge.ends[0] < 0 < kinds["length"].judge.ends[1]


def test_without_an_effect_no_direction_is_said() -> None:
    for bias in found(data(seed=1)).values():
        said = reading(bias, "yes")
        assert said.startswith("No significant effect of")
        assert "Confounded" not in said


def test_a_length_that_is_the_familys_is_called_confounded() -> None:
    bias = found(data(n=600, own=0.6, tied=True))["length"]
    (rival,) = bias.rivals
    assert rival.column == "model"
    assert rival.tie > 0.9
    assert "Confounded with model" in reading(bias, "yes")
    assert not means(bias)


@pytest.mark.parametrize(
    ("name", "family"),
    [("gpt-4o-mini", "GPT"), ("o3-mini", "GPT"), ("claude-3-5-sonnet", "Claude"), ("vicuna-13b", "Llama"),
     ("Mixtral-8x7B", "Mistral"), ("annotator22", ""), ("human", ""), ("photo", "")],
)  # fmt: skip
def test_families_are_known_by_name(name: str, family: str) -> None:
    assert family_of(name) == family


def test_numbers_have_no_positive_side() -> None:
    rows = "\n".join(["item,human,verdict", *(f"q{i},{i % 4},{i % 3}" for i in range(20))])
    ratings = metrics.read(rows.encode(), scale="ordinal")
    with pytest.raises(InputError, match="two opposite sides"):
        biases(ratings, settings_of(ratings), ratings.judges[0])


def test_which_of_two_is_better_has_no_side_that_length_could_favour() -> None:
    rows = "\n".join(["item,human,verdict", *(f"q{i},{'AB'[i % 2]},{'AB'[i % 3 == 0]}" for i in range(20))])
    ratings = metrics.read(rows.encode(), labels={"A": "positive", "B": "negative"})
    with pytest.raises(InputError, match="two opposite sides"):
        biases(ratings, settings_of(ratings), ratings.judges[0])
