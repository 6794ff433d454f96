"""The effect of one property of answers, or of pairs, on a judge: what it is confounded with, and the items that show it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.biases.result import Bias
from metrics.analyses.biases.within_labels import Decisions, Effect, slope
from metrics.analyses.preferences.compute import CODES
from metrics.analyses.preferences.positions import answers_of, named_systems, system_columns
from metrics.analyses.settings import Settings
from metrics.data.item_columns import Codes, encoded_column, kind_of_column
from metrics.data.item_texts import free_columns
from metrics.data.pairs import cell_ratings, cells_of, reference_states
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
ENDS = (("a", "b"), ("1", "2"), ("first", "second"), ("left", "right"))
"""What the names of two columns end with that say the same of both answers."""
SIZE = re.compile(r"(.*[^a-z])?(len|length|tokens?|words?|chars?|characters)([^a-z].*)?", re.IGNORECASE)
"""What a column of numbers is called that says how long an answer is."""
CALL = re.compile(r"prompt|completion|input|total|usage|reason|judge|llm|cost", re.IGNORECASE)
"""What is said of a judge's call in such a name, and not of an answer."""


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


@dataclass(frozen=True)
class AnswerPair:
    """Two columns that say the same of both answers."""

    first: str
    second: str

    @property
    def title(self) -> str:
        return f"{self.first} / {self.second}"


def length_columns(ratings: Ratings) -> tuple[AnswerPair, ...]:
    """Return the columns with the texts of both answers, or with how long they are."""
    return tuple(pair for pair in _pairs(ratings) if _sized(ratings, pair.first) and _sized(ratings, pair.second))


def biases_of_pairs(ratings: Ratings, judge: str, settings: Settings) -> tuple[Bias, ...]:
    """Return how length and kinship sway a judge of two answers, in shares of decisions, a tie counting one half to each.

    Parameters
    ----------
    ratings : Ratings
        With one label for the first answer, one for the second, and ties or none.
    judge : str
    settings : Settings

    Returns
    -------
    tuple of Bias
        How much more often than people the judge prefers an answer: for each doubling of its length against the other one, and
        an answer of its own family against one of another. People's own preference stands beside each.
    """
    decisions = decisions_of_pairs(ratings, judge, settings)
    rows = ratings.row[decisions.rating]
    found: dict[str, tuple[Bias, FloatArray]] = {}
    for pair in length_columns(ratings):
        first, second = (_sizes(ratings, column, rows) for column in (pair.first, pair.second))
        there = (first > 0) & (second > 0)
        x = np.log2(np.where(there, first, 1.0) / np.where(there, second, 1.0))
        found[f"length of {pair.title}"] = Bias("length", pair.title, "", NOTHING, NOTHING), np.where(there, x, np.nan)
    found |= {bias.column: (bias, x) for bias, x in _kinship(ratings, judge, rows)}
    return tuple(_of_pair(ratings, decisions, title, found, settings) for title in found)


def decisions_of_pairs(ratings: Ratings, judge: str, settings: Settings) -> Decisions:
    """Return decisions that judge and reference both answered, each as how much of a win it is for the first answer."""
    places = cell_ratings(ratings, judge, "judge")
    cell = np.flatnonzero(places >= 0)
    verdict = answers_of(ratings.scheme, ratings.state[places[cell]])
    truth = answers_of(ratings.scheme, reference_states(ratings, settings.reference)[cell])
    kept = np.flatnonzero((verdict >= 0) & (truth >= 0))
    cell, sides = cell[kept], (CODES[verdict[kept]], CODES[truth[kept]])
    return Decisions.of(ratings, settings, cell, places[cell], sides, cells_of(ratings).criterion[cell].astype(np.int64))


def _of_pair(
    ratings: Ratings, decisions: Decisions, title: str, found: dict[str, tuple[Bias, FloatArray]], settings: Settings
) -> Bias:
    bias, x = found[title]
    there = np.isfinite(x)
    part = decisions.at(there)
    beside = {name: _steps(other)[there] for name, (_, other) in found.items() if name != title}
    made = measured(ratings, part, x[there], beside, settings, bias, part.judge - part.reference.astype(np.float64))
    people = slope(part, part.reference, x[there], settings.confidence)
    # Both answers have one share of errors: which of the two the judge leans to says nothing of it.
    return replace(made, people=people, errors=NOTHING, pairwise=True)


def _steps(x: FloatArray) -> NDArray[np.int64]:
    """Return a property in few steps, so that it can be held: whole doublings of length, or whose answer is kin; -1 for none."""
    known = np.where(np.isfinite(x), x, 0.0)
    return np.where(np.isfinite(x), np.clip(np.rint(known), -3, 3) + 3, -1).astype(np.int64)


def _kinship(ratings: Ratings, judge: str, rows: NDArray[np.int64]) -> Iterator[tuple[Bias, FloatArray]]:
    columns, family = system_columns(ratings), family_of(judge)
    if columns is None or not family:
        return
    names, first, second = named_systems(ratings, columns, rows)
    own = np.array([*(family_of(name) == family for name in names), False], np.float64)
    if not 0 < own.sum() < len(names):
        return
    x = np.where((first >= 0) & (second >= 0), own[first] - own[second], np.nan)
    yield Bias("kinship", " / ".join(columns), family, NOTHING, NOTHING), x


def _pairs(ratings: Ratings) -> Iterator[AnswerPair]:
    names = free_columns(ratings) if ratings.has_rows else []
    lower = {name.strip().lower(): name for name in reversed(names)}
    for name, column in lower.items():
        for first, second in ENDS:
            for before, after in ((name.removesuffix(first), ""), ("", name.removeprefix(first))):
                stem = before or after
                other = lower.get(f"{before}{second}" if before else f"{second}{after}")
                marked = stem[-1:] in ("_", "-", " ") or stem[:1] in ("_", "-", " ") or first.isdigit()
                if stem != name and stem and marked and other is not None:
                    yield AnswerPair(column, other)


def _sized(ratings: Ratings, column: str) -> bool:
    """Return whether a column says how long an answer is: by its texts, or by its name and its numbers."""
    kind = kind_of_column(ratings, column)
    return kind == "length" or (kind == "numbers" and SIZE.fullmatch(column.strip()) is not None)


def _sizes(ratings: Ratings, column: str, rows: NDArray[np.int64]) -> FloatArray:
    """Return the number of each row, or how long its text is; 0 where there is none."""
    codes, values = encoded_column(ratings, column)
    long = kind_of_column(ratings, column) == "length"
    known = np.array([len(value) if long else float(value or 0) for value in values], np.float64)
    return np.asarray(known[codes[rows]], np.float64)
