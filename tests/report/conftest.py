"""Files of every kind that a report is made from, read once."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import metrics
from metrics import Ratings
from metrics.report.making import Report, report_of

ASSETS = Path(__file__).resolve().parents[2] / "assets"
SAMPLES = tuple(record["file"] for record in json.loads((ASSETS / "samples.json").read_text("utf-8")))
SHADES = ("yes", "no", "unsure")


def table(head: str, rows: list[tuple[object, ...]]) -> bytes:
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]).encode()


def several() -> bytes:
    """Three humans, two judges, ties, invalid answers, failed calls, a one-sided criterion, a prompt for every three items."""
    words = ("yes", "no", "unsure", "tie", "???", "yes", "no", "no", "yes", "timeout")
    rows = [
        (f"i{n}", c, who, role, "yes" if c == "safe" else said, f"p{n // 3}")
        for n in range(36)
        for c in ("tone", "facts", "safe")
        for who, role, said in (
            ("ana", "human", SHADES[n % 2]), ("bo", "human", SHADES[(n // 2) % 2]), ("cy", "human", SHADES[n % 3]),
            ("one", "judge", words[(n * 7 + len(c)) % 10]), ("two", "judge", SHADES[(n + len(c)) % 2]),
        )
    ]  # fmt: skip
    return table("item,criterion,rater,role,label,prompt", rows)


def mixed() -> bytes:
    rows = [
        (f"i{n}", c, "j", h, v)
        for n in range(40)
        for c, h, v in (
            ("ok", SHADES[n % 2], SHADES[n % 3]), ("depth", n % 4 + 1, (n * 3) % 4 + 1), ("score", n / 7, n / 5 + n % 3),
        )
    ]  # fmt: skip
    return table("item,criterion,judge,human,verdict", rows)


def pairwise() -> bytes:
    says = ("A", "B", "tie")
    return table("item,human,verdict", [(n, says[n % 3], says[(n // 2) % 3]) for n in range(60)])


def humans_only() -> bytes:
    rows = [(n, who, "human", SHADES[(n + k) % (2 + k)]) for n in range(30) for k, who in enumerate(("ana", "bo"))]
    return table("item,rater,role,label", rows)


KINDS: dict[str, tuple[Callable[[], bytes], dict[str, Any]]] = {
    "several": (several, {"labels": {"???": "invalid", "timeout": "error", "tie": "tie"}}),
    "mixed": (mixed, {"scale": {"ok": "binary", "depth": "ordinal", "score": "continuous"}}),
    "pairwise": (pairwise, {"labels": {"A": "positive", "B": "negative", "tie": "tie"}}),
    "humans": (humans_only, {}),
}


@cache
def bytes_of(name: str) -> bytes:
    return KINDS[name][0]() if name in KINDS else (ASSETS / name).read_bytes()


@cache
def ratings_named(name: str) -> Ratings:
    return metrics.read(bytes_of(name), **(KINDS[name][1] if name in KINDS else {}))


@cache
def plain_report(name: str) -> Report:
    return report_of(ratings_named(name))


@pytest.fixture(params=(*SAMPLES, *KINDS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)
