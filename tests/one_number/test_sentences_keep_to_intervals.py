"""No sentence has a direction where the interval shown beside it holds the null."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

import metrics
from metrics.analyses.agreement.standing import standing
from metrics.analyses.raters.readings import gate_reading
from metrics.analyses.records import Block
from metrics.analyses.scores.readings import readings
from tests.one_number.made import BINARY, CLASSES, CONTINUOUS, GRADES, NOMINAL, ORDERED, TWO, drawn, file_of

INTERVAL = re.compile(r"\[\s*([−+]?[\d.,]+)[^\[\]]*?,\s*([−+]?[\d.,]+)[^\[\]]*\]")
ABOUT_0 = ("beyond chance", "worse than chance", "is below chance", "more generous", "stricter", "is the higher one", "beats",
           "is better", "is worse")  # fmt: skip
NOT_CLAIMED = (
    "cannot be estimated",
    "neither",
    "undecided",
    "uncertain",
    "is not shown",
    "does not say",
    "no significant",
    "not significant",
)


def noisy(seed: int) -> metrics.Ratings:
    """Small files near chance, where intervals often hold the null and tests may not."""
    rng = np.random.default_rng(seed)
    names = (TWO, GRADES, CLASSES)[seed % 3]
    n, c, error = int(rng.integers(8, 30)), int(rng.integers(1, 4)), float(rng.uniform(0.3, 1.2))
    return file_of(drawn(seed, n, c, len(names), error, rng.dirichlet(np.full(len(names), 2.0))), names)


MADE = BINARY | ORDERED | NOMINAL | CONTINUOUS
CHOSEN = (
    "one criterion", "three criteria", "rare", "constant judge", "few items", "grades, three criteria", "grades, nearly perfect",
    "three classes", "scores",
)  # fmt: skip
FILES = {
    **{name: MADE[name] for name in CHOSEN},
    **{f"noisy {seed}": (lambda s=seed: noisy(s)) for seed in range(15)},
}


def ends_in(sentence: str) -> list[tuple[float, float]]:
    """The intervals written in a sentence."""
    plain = [[float(end.replace("−", "-").replace(",", "")) for end in found] for found in INTERVAL.findall(sentence)]
    return [(low, high) for low, high in plain]


@cache
def sentences(name: str) -> list[str]:
    """What scores, agreement, raters and compare say of a file, sentence by sentence."""
    ratings = FILES[name]()
    told: list[str] = []
    try:
        report = metrics.scores(ratings)
        told += [text for name in report.judges for where in (None, *ratings.criteria) for text in readings(report, name, where)]
        agreement = metrics.agreement(ratings)
        told += [warning.message for judge in agreement.judges.values() for warning in standing(judge, 0.95)]
        told += [metrics.compare(ratings, "a", "b", replicates=20).summary()]
        told += [gate_reading(metrics.raters(ratings, role="judge"))]
    except metrics.InputError:
        pass
    return [sentence for text in told for sentence in re.split(r"(?<=[.?!])\s+(?=[A-Zκρ])|\n", text)]


@pytest.mark.parametrize("name", FILES)
def test_a_direction_is_said_only_beyond_its_interval(name: str) -> None:
    for sentence in sentences(name):
        found = ends_in(sentence)
        if not found or any(words in sentence for words in NOT_CLAIMED):
            continue
        if any(words in sentence for words in ABOUT_0):
            low, high = found[-1] if "higher one" in sentence else found[0]
            assert not low < 0 < high, sentence


@pytest.mark.parametrize("name", [name for name in FILES if name not in CONTINUOUS])
def test_better_than_one_option_is_said_only_beyond_the_interval_shown(name: str) -> None:
    try:
        report = metrics.scores(FILES[name]())
    except metrics.InputError:
        return
    for judge, its in report.judges.items():
        for where in (None, *its.criteria):
            block = its.block(where)
            if block.n:
                held_to(block, readings(report, judge, where)[0])


def held_to(block: Block, said: str) -> None:
    """Whether the claim of a sentence stands beside the intervals of its numbers."""
    keys = [key for key in ("exact_agreement", "adjacent_agreement") if not np.isnan(block.values[key])]
    claims = [0 if "not shown" in own else 1 if "does better" in own else -1 for own in re.findall(
        r"is not shown to do better|does better|does worse", said
    )]  # fmt: skip
    for key, claim in zip(keys, claims * len(keys) if len(claims) == 1 else claims, strict=False):
        ends, tested = block[key].ends, block.more["against_baseline"][key]
        if claim:
            assert tested["sign"] == claim, said
            assert ends is None or not ends[0] <= tested["baseline"] <= ends[1], said
        else:
            assert not tested["sign"] or (ends is not None and ends[0] <= tested["baseline"] <= ends[1]), said


def test_both_kinds_of_sentence_occur() -> None:
    told = [sentence for name in ("three criteria", "noisy 0", "noisy 1", "noisy 4", "noisy 7", "grades, three criteria")
            for sentence in sentences(name)]  # fmt: skip
    assert any("beyond chance" in sentence for sentence in told)
    assert any("which chance could do" in sentence or "chance could do either" in sentence for sentence in told)
    assert any("does better" in sentence for sentence in told)
    assert any("is not shown to do better" in sentence for sentence in told)


def test_a_paired_test_beside_an_interval_that_holds_the_baseline_makes_no_claim() -> None:
    """46 of 60 right beside 40 by one option: six items of one sign tell them apart, 77 % [65, 86] against 67 % does not."""
    rows = [("1", "1")] * 40 + [("2", "2")] * 6 + [("2", "3")] * 7 + [("3", "1")] * 7
    text = "item,judge,human,verdict\n" + "".join(f"i{n},j,{human},{verdict}\n" for n, (human, verdict) in enumerate(rows))
    report = metrics.scores(metrics.read(text.encode(), order=("1", "2", "3")))
    block = report.judges["j"].pooled
    ends, tested = block["exact_agreement"].ends, block.more["against_baseline"]["exact_agreement"]
    assert ends is not None
    assert ends[0] <= tested["baseline"] <= ends[1]
    assert tested["sign"] == 1
    assert "not shown to do better" in readings(report, "j")[0]
