"""Files made up for slices."""

from __future__ import annotations

import numpy as np
import pandas as pd

VERSIONS = {"v1": 0.7, "v2": 0.85, "v10": 0.86}
"""Versions of a prompt, and how often each is right."""


def failing(n: int = 400, seed: int = 3, worst: str = "ja", error: float = 0.4) -> pd.DataFrame:
    """Return one decision an item, in four languages of which one has more errors, and one with four items."""
    rng = np.random.default_rng(seed)
    language = rng.choice(["de", "en", "fr", "ja"], n)
    language[:4] = "xx"
    positive = rng.random(n) < 0.6
    wrong = rng.random(n) < np.where(language == worst, error, 0.08)
    return pd.DataFrame(
        {
            "item": [f"i{place}" for place in range(n)],
            "human": np.where(positive, "yes", "no"),
            "verdict": np.where(positive ^ wrong, "yes", "no"),
            "language": language,
            "tokens": rng.integers(10, 900, n),
            "day": pd.date_range("2026-01-01", periods=n, freq="D").strftime("%Y-%m-%d"),
            "answer": ["word " * int(length) for length in rng.integers(10, 60, n)],
        }
    )


def versions(n: int = 120, criteria: tuple[str, ...] = ("c",), seed: int = 1) -> pd.DataFrame:
    """Return the same items judged by three versions of a prompt."""
    rng = np.random.default_rng(seed)
    rows = []
    for criterion in criteria:
        human = rng.random(n) < 0.5
        for name, accuracy in VERSIONS.items():
            right = rng.random(n) < accuracy
            rows += [
                {
                    "item": f"i{place}", "criterion": criterion, "human": "yes" if human[place] else "no",
                    "verdict": "yes" if human[place] == right[place] else "no", "prompt": name, "topic": "ab"[place % 2],
                }
                for place in range(n)
            ]  # fmt: skip
    return pd.DataFrame(rows)
