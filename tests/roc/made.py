"""Scores made up for the tests of ROC."""

from __future__ import annotations

import numpy as np

import metrics


def made_up(n: int = 120, criteria: int = 2, seed: int = 1) -> str:
    """Items by criteria with scores that know something; every seventh human is silent, every eleventh score is missing."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n * criteria):
        up = rng.random() < 0.4
        score = "" if i % 11 == 10 else f"{np.clip(rng.normal(0.65 if up else 0.4, 0.2), 0, 1):.2f}"
        human = "CANNOT_ASSESS" if i % 7 == 6 else "MET" if up else "UNMET"
        verdict = "CANNOT_ASSESS" if i % 13 == 12 else "MET" if score and float(score) > 0.5 else "UNMET"
        rows.append(f"i{i // criteria},c{i % criteria},j,{human},{verdict},{score}")
    return "item,criterion,judge,human,verdict,score\n" + "\n".join(rows) + "\n"


def ratings_of(text: str) -> metrics.Ratings:
    return metrics.read(text.encode())


def column(text: str) -> list[list[str]]:
    return [line.split(",") for line in text.splitlines()[1:]]


def turned_round(text: str) -> str:
    """The same file with 1 − score in the place of every score."""
    parted = [line.rpartition(",") for line in text.splitlines()]
    others = [last if last in ("", "score") else f"{1 - float(last):.2f}" for _, _, last in parted]
    return "\n".join(f"{first},{last}" for (first, _, _), last in zip(parted, others, strict=True))
