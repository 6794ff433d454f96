"""The files whose numbers and texts are frozen: the bundled samples, and a made-up one of each kind that they lack."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tests import made_files

ROOT = Path(__file__).resolve().parents[2]
ASSETS = ROOT / "assets"


def classes(n_items: int = 80, seed: int = 17) -> str:
    """Three colours on two criteria by a human and two judges, one of whom leaves some open."""
    rng, names, rows = np.random.default_rng(seed), ["blue", "green", "red"], []
    for item in range(n_items):
        for criterion in ("sky", "sea"):
            human = rng.choice(names, p=[0.5, 0.3, 0.2])
            for judge, error in (("near", 0.1), ("far", 0.4)):
                verdict = rng.choice(names) if rng.random() < error else human
                silent = judge == "far" and rng.random() < 0.1
                rows.append((f"i{item}", criterion, judge, human, "CANNOT_ASSESS" if silent else verdict))
    return made_files.lines("item,criterion,judge,human,verdict", rows)


def degenerate() -> str:
    """A judge that says MET only, one that abstains only, and a criterion on which the human says UNMET only."""
    rows = []
    for item in range(24):
        for criterion in ("plain", "never"):
            human = "MET" if criterion == "plain" and item % 3 else "UNMET"
            rows += [(f"i{item}", criterion, "yes", human, "MET"), (f"i{item}", criterion, "mute", human, "CANNOT_ASSESS")]
            rows.append((f"i{item}", criterion, "fair", human, human if item % 5 else "MET"))
    return made_files.lines("item,criterion,judge,human,verdict", rows)


def scored(n_items: int = 90, seed: int = 23) -> str:
    """Verdicts with scores by two judges on three criteria, where some have no verdict and the judge errs on whole items."""
    rng, rows = np.random.default_rng(seed), []
    for item in range(n_items):
        ease = rng.normal()
        for criterion, lean in (("tone", 1.0), ("facts", 0.0), ("form", -1.0)):
            human = "MET" if ease + lean + rng.normal() > 0 else "UNMET"
            for judge, noise in (("sharp", 0.8), ("dull", 1.6)):
                score = round(float(1 / (1 + np.exp(-(ease + lean + noise * rng.normal())))), 3)
                verdict = "CANNOT_ASSESS" if abs(score - 0.5) < 0.03 else "MET" if score >= 0.5 else "UNMET"
                rows.append((f"i{item}", criterion, judge, human, verdict, score))
    return made_files.lines("item,criterion,judge,human,verdict,score", rows)


def samples() -> list[str]:
    return [sample["id"] for sample in json.loads((ASSETS / "samples.json").read_text(encoding="utf-8"))]


def from_frame(frame: Callable[[], object]) -> Callable[[], str]:
    def text() -> str:
        buffer = io.StringIO()
        frame().to_csv(buffer, index=False)  # type: ignore[attr-defined]
        return buffer.getvalue()

    return text


MADE: Mapping[str, Callable[[], str]] = {
    "classes": classes,
    "degenerate": degenerate,
    "graded": made_files.graded,
    "guesser": from_frame(made_files.guesser_and_seer),
    "numbers": made_files.numbers,
    "scored": scored,
    "silent": from_frame(made_files.silent),
    "three_raters": made_files.three_raters,
    "votes": made_files.votes,
}
READING: Mapping[str, tuple[str, ...]] = {
    "classes": ("--labels", "blue=class,green=class,red=class"),
    "graded": ("--order", "1,2,3,4"),
    "numbers": ("--scale", "continuous"),
    "three_raters": ("--order", "0.0,0.5,1.0"),
    "votes": ("--labels", "A=positive,B=negative,tie=tie"),
}
"""What has to be answered of a file before it can be read, on the command line."""
FILES = (*samples(), *MADE)


def path_of(name: str, folder: Path) -> Path:
    """Write a made-up file into the folder; a sample stays where it is."""
    if name not in MADE:
        return next(ASSETS.glob(f"{name}.*"))
    path = folder / f"{name}.csv"
    path.write_text(MADE[name](), encoding="utf-8")
    return path


def keywords_of(name: str) -> dict[str, Any]:
    """Give the answers of `READING` as Python takes them."""
    options = READING.get(name, ())
    words: dict[str, Any] = {}
    for option, text in zip(options[::2], options[1::2], strict=True):
        parts = text.split(",")
        words[option.strip("-")] = {
            "--labels": lambda parts=parts: dict(part.rsplit("=", 1) for part in parts),
            "--order": lambda parts=parts: parts,
            "--scale": lambda text=text: text,
        }[option]()
    return words
