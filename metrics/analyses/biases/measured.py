"""The effect of one property of answers on a judge, with what it is confounded with and the items that show it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.biases.result import Bias
from metrics.analyses.biases.within_labels import Decisions, Effect, slope
from metrics.analyses.settings import Settings
from metrics.data.item_columns import Codes
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray
from metrics.measures.exact_tests import holm
from metrics.results.estimate import NOT_HERE

CONFOUNDED = 0.2
"""Share of the variance of a property that another column must explain to be named beside it."""
MOST_ITEMS = 3
"""Items that show a bias."""
NOTHING = Effect(NOT_HERE, math.nan, 0)
FAMILIES: dict[str, str] = {
    "GPT": r"gpt|chatgpt|davinci|openai|\bo[1345]\b",
    "Claude": r"claude|anthropic",
    "Gemini": r"gemini|gemma|palm|bard",
    "Llama": r"llama",
    "Mistral": r"mistral|mixtral",
    "Qwen": r"qwen|qwq",
    "DeepSeek": r"deepseek",
    "Command": r"command-?r|cohere",
    "Grok": r"grok",
    "Phi": r"\bphi\b|phi-?\d",
    "Nova": r"\bnova\b",
}
"""Name of a family to what its members are called. A model trained on the answers of another family is no member of it."""


def measured(
    ratings: Ratings,
    part: Decisions,
    x: FloatArray,
    beside: Mapping[str, Codes],
    settings: Settings,
    bias: Bias,
    outcome: FloatArray | None = None,
) -> Bias:
    """Return a bias with its effects, with what the property is confounded with, and with the items that show it.

    Parameters
    ----------
    ratings : Ratings
    part : Decisions
    x : ndarray, shape (n,)
        The property.
    beside : mapping of str to ndarray of int64, shape (n,)
        What else is known of the decisions, in groups; -1 for none.
    settings : Settings
    bias : Bias
        What it is of.
    outcome : ndarray, shape (n,), optional
        What changes with the property; default the verdict of the judge.
    """
    changes = part.judge if outcome is None else outcome
    effect = slope(part, changes, x, settings.confidence)
    errors = slope(part, part.wrong, x, settings.confidence)
    shares = {title: explained(x, code, part.weight) for title, code in beside.items()}
    confounded = sorted(((title, share) for title, share in shares.items() if share >= CONFOUNDED), key=lambda pair: -pair[1])
    held = None
    if confounded:
        held = slope(part, changes, x, settings.confidence, beside[confounded[0][0]] + 1)
    items = _showing(ratings, part, x, effect)
    beyond = None if bias.pairwise else beyond_people(part, x, settings.confidence)
    of_criteria = () if bias.pairwise or not effect.estimate.sign else _by_criterion(ratings, part, changes, x, settings)
    on = tuple((name, one) for name, one in of_criteria if one.estimate.sign == effect.estimate.sign)
    made = replace(
        bias, effect=effect, errors=errors, confounded=tuple(confounded), held=held, items=items, beyond=beyond, on=on,
        n_criteria=len(ratings.criteria),
    )  # fmt: skip
    by_weight = part.by_weight()
    if by_weight is None:
        return made
    weighted = slope(by_weight, changes, x, settings.confidence)
    return replace(
        made, weighted=weighted, weighted_beyond=None if beyond is None else beyond_people(by_weight, x, settings.confidence)
    )


def _by_criterion(
    ratings: Ratings, part: Decisions, outcome: NDArray[np.bool_] | FloatArray, x: FloatArray, settings: Settings
) -> Iterator[tuple[str, Effect]]:
    """Yield the criteria that show an effect by themselves, corrected for their number (Holm), the largest first."""
    codes = part.stratum // part.labels
    if len(ratings.criteria) < 2:
        return
    found = [
        (name, slope(part.at(codes == code), outcome[codes == code], x[codes == code], settings.confidence))
        for code, name in enumerate(ratings.criteria)
    ]
    p, most = holm([one.p for _, one in found]), 1 - settings.confidence
    shown = [pair for pair, corrected in zip(found, p, strict=True) if corrected <= most]
    yield from sorted(shown, key=lambda pair: -abs(pair[1].estimate.value))


def beyond_people(part: Decisions, x: FloatArray, confidence: float) -> Effect:
    """Return how much more the judge's share, or mean label, changes with a property than that of people on the same decisions.

    Where people's labels have errors, answers with one label still differ in quality. A property that goes with quality then
    changes the verdicts of any good judge: with 10 to 20 % of wrong labels an effect at the same label was significant in 44 to
    99 % of 150 simulated files without a bias, together with this one in 1 to 4 %, in 29 % where people erred twice as often
    as the judge.
    """
    return slope(
        replace(part, stratum=part.stratum // part.labels), part.judge.astype(np.float64) - part.reference, x, confidence
    )


def explained(x: FloatArray, code: Codes, weight: FloatArray) -> float:
    """Return the share of the variance of a property that groups explain (η²); 0 where it does not vary.

    Parameters
    ----------
    x : ndarray, shape (n,)
    code : ndarray of int64, shape (n,)
        Group of each, -1 for none.
    weight : ndarray, shape (n,)
    """
    total = weight.sum()
    centred = x - weight @ x / total if total else x
    whole = float(weight @ centred**2)
    if not whole > 1e-12:
        return 0.0
    sums, n = np.bincount(code + 1, weights=weight * centred), np.bincount(code + 1, weights=weight)
    return float((sums[n > 0] ** 2 / n[n > 0]).sum() / whole)


def _showing(ratings: Ratings, part: Decisions, x: FloatArray, effect: Effect) -> tuple[str, ...]:
    """Return items with an error in the direction of the effect, where the property is strongest."""
    if not ratings.has_rows or not effect.estimate.sign:
        return ()
    # How far the judge leans to the side that the effect says, times how much of the property there is on that side.
    lean = (part.judge.astype(np.float64) - part.reference) * x * effect.estimate.sign
    wrong = part.wrong & (lean > 0)
    order: Sequence[int] = np.flatnonzero(wrong)[np.argsort(-lean[wrong], kind="stable")].tolist()
    names = dict.fromkeys(str(ratings.items[int(ratings.item[part.rating[at]])]) for at in order)
    return tuple(names)[:MOST_ITEMS]


def family_of(name: str) -> str:
    """Return the family of a model by its name; empty where none is known, or several are named."""
    plain = name.lower().replace("_", "-")
    known = [family for family, pattern in FAMILIES.items() if re.search(pattern, plain)]
    return known[0] if len(known) == 1 else ""
