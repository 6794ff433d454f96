"""Made-up tables with the layouts of published files: what is tried on those is tried here for whoever lacks them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

GRADES = ("1", "2", "3", "4")
JUDGE = "grader"
OTHER = {"MET": "UNMET", "UNMET": "MET"}


def lines(head: str, rows: Iterable[Iterable[object]]) -> str:
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n"


def graded(n_items: int = 60, n_criteria: int = 6, seed: int = 7) -> str:
    """Grades 1 to 4 by one human and one judge, some NA; the judge says 3 only on the last criterion but one."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(n_items):
        effect = rng.normal()
        for criterion in range(n_criteria):
            human, judge = np.clip(np.round(2.5 + 0.3 * criterion - 0.5 + effect + rng.normal(size=2)), 1, 4).astype(int)
            sides = ["NA" if rng.random() < 0.08 else str(human), "3" if criterion == n_criteria - 2 else str(judge)]
            if criterion != n_criteria - 2 and rng.random() < 0.05:
                sides[1] = "NA"
            rows.append((f"d{item}", f"Q{criterion}", JUDGE, *sides))
    return lines("item_id,criterion,judge,human,verdict", rows)


def numbers(n_items: int = 120, seed: int = 3) -> str:
    """Means of three people beside a score; on `tone` and `overall` the two sides count in different units."""
    rng = np.random.default_rng(seed)
    scales = {"tone": (1, 3), "overall": (1, 5), "grounded": (0, 1), "clear": (0, 1)}
    rows = []
    for item in range(n_items):
        effect = rng.normal()
        for criterion, (low, high) in scales.items():
            people = np.clip(np.round((effect + rng.normal(size=3)) / 3 * (high - low) + (low + high) / 2), low, high)
            score = 1 / (1 + np.exp(-0.7 - 1.5 * effect - rng.normal()))
            # Rounded, as the last digits of an exponential differ from machine to machine.
            rows.append((f"t{item}", criterion, JUDGE, people.mean(), round(float(score), 6)))
    return lines("item_id,criterion,judge,human,verdict", rows)


def votes(n_items: int = 160, n_people: int = 12, seed: int = 11) -> str:
    """Two answers compared by a judge and by three of many people each, the first four of whom see half of the items."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(n_items):
        names, quality = ["A", "B", "tie"], rng.normal()

        def said(noise: float, names: list[str] = names, quality: float = quality) -> str:
            seen = quality + noise * rng.normal()
            return names[2] if abs(seen) < 0.15 else names[0] if seen > 0 else names[1]

        people = sorted({item % 4, (item // 2) % 4, 4 + int(rng.integers(n_people - 4))} | {4 + item % (n_people - 4)})
        rows += [(f"v{item}", "answer", f"person{who}", "human", said(0.8)) for who in people]
        rows.append((f"v{item}", "answer", JUDGE, "judge", said(0.5)))
    return lines("item,criterion,rater,role,label", rows)


def three_raters(n_items: int = 150, seed: int = 5) -> str:
    """Three people grade 0, 0.5 or 1 on two criteria, and two judges; on `quality` the third is apart."""
    rng = np.random.default_rng(seed)
    raters = (*((f"rater{n}", "human") for n in (1, 2, 3)), (JUDGE, "judge"), ("other", "judge"))
    rows = []
    for item in range(n_items):
        for criterion in ("quality", "match"):
            truth = rng.integers(3)
            for rater, role in raters:
                chance = {"rater3": 0.9 if criterion == "quality" else 0.25, JUDGE: 0.7, "other": 0.8}.get(rater, 0.25)
                label = rng.integers(3) if rng.random() < chance else truth
                rows.append((f"p{item}", criterion, rater, role, label / 2))
    return lines("item,criterion,rater,role,label", rows)


def guesser_and_seer(n: int = 200) -> pd.DataFrame:
    """One judge gives each criterion its majority label, with 2 % noise; the other sees, and leans against it."""
    rng, rows = np.random.default_rng(0), []
    for criterion, rate in (("easy", 0.85), ("hard", 0.15)):
        human = rng.random(n) < rate
        guess = (np.full(n, rate > 0.5)) ^ (rng.random(n) < 0.02)
        sees = np.where(rng.random(n) < np.where(human == (rate > 0.5), 0.3, 0.15), ~human, human)
        for name, own in (("guesses", guess), ("sees", sees)):
            rows += [
                {"item": i, "criterion": criterion, "judge": name, "human": "MET" if human[i] else "UNMET",
                 "verdict": "MET" if own[i] else "UNMET"}
                for i in range(n)
            ]  # fmt: skip
    return pd.DataFrame(rows)


def silent(errors: int = 40, open_: int = 30, n: int = 160, worse: int = 0) -> pd.DataFrame:
    """B is A with `open_` of its errors left open; A is wrong on `worse` more of the decisions that both answer."""
    rows = []
    for i in range(n):
        human = "MET" if i % 2 else "UNMET"
        a = OTHER[human] if i < errors else human
        b = "CANNOT_ASSESS" if i < open_ else a
        rows += [{"item": i, "judge": "A", "human": human, "verdict": OTHER[a] if n - i <= worse else a},
                 {"item": i, "judge": "B", "human": human, "verdict": b}]  # fmt: skip
    return pd.DataFrame(rows)


def better() -> pd.DataFrame:
    """The judge that sees is right on 95 % of everything."""
    frame = guesser_and_seer()
    right = (frame["judge"] == "sees") & (frame["item"] % 20 > 0)
    return frame.assign(verdict=np.where(right, frame["human"], frame["verdict"]))


def by_judge(frame: pd.DataFrame) -> dict[str, bytes]:
    """A file for each judge, by its name."""
    return {f"{name}.csv": own.to_csv(index=False).encode() for name, own in frame.groupby("judge")}
