"""From which number on a judge's answer is positive, as it is stated among the meanings of labels."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.errors import InputError

_RULE = re.compile(r"(>=|<=)\s*([+-]?\d+(?:[.,]\d+)?)")


@dataclass(frozen=True)
class Threshold:
    """Which numbers of a judge are its positive answer: those at or above a number, or at or below it."""

    at: float
    above: bool = True

    def __str__(self) -> str:
        return f"{'>=' if self.above else '<='}{self.at:g}"

    @classmethod
    def of(cls, text: str) -> Threshold:
        """Return the threshold of a text such as ``>=3``."""
        rule = _RULE.fullmatch(text)
        if rule is None:
            raise ValueError(f"no threshold: {text!r}")
        return cls(float(rule[2].replace(",", ".")), rule[1] == ">=")

    @classmethod
    def between(cls, numbers: NDArray[np.float64]) -> Threshold:
        """Return the middle of the range of numbers; of shares and probabilities a half."""
        low, high = float(numbers.min()), float(numbers.max())
        return cls(0.5 if low >= 0 and high <= 1 else (low + high) / 2)

    @property
    def words(self) -> str:
        """As said in a sentence: "3 or more"."""
        return f"{self.at:g} or {'more' if self.above else 'less'}"

    def positive(self, numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which numbers are positive; NaN is not."""
        return numbers >= self.at if self.above else numbers <= self.at


def threshold_in(labels: Mapping[str, str] | None) -> tuple[Threshold | None, dict[str, str]]:
    """Return the threshold among stated meanings, ``{">=3": "positive"}``, the last of several, and the other meanings.

    Raises
    ------
    InputError
        For a threshold of another kind than positive.
    """
    threshold, others = None, {}
    for label, kind in (labels or {}).items():
        text = str(label).strip()
        if not _RULE.fullmatch(text):
            others[label] = kind
            continue
        if kind != "positive":
            raise InputError(f"‘{label}’ is a threshold, which says what is positive: {label}=positive. The rest is negative.")
        threshold = Threshold.of(text)
    return threshold, others
