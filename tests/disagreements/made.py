"""Files of verdicts, made up, and what a slow reader finds in them: row by row, with no code of the package."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

import metrics
from metrics import Ratings

LABELS = {"MET": "positive", "UNMET": "negative", "CA": "abstention"}
Key = tuple[str, str]
"""Item and criterion."""


def drawn(
    seed: int, *, n: int = 30, criteria: int = 3, humans: int = 2, judges: int = 3, gaps: float = 0.15, scores: bool = True,
    labels: Sequence[str] = ("MET", "UNMET", "CA"),
) -> pd.DataFrame:  # fmt: skip
    """A row a rating, in the order of the items; some are not there, and some texts hold what others do not.

    The scores of the first judge say nothing of its verdicts, those of all others follow them.
    """
    rng = np.random.default_rng(seed)
    shares = [0.47, 0.43, 0.1] if len(labels) == 3 else [1 / len(labels)] * len(labels)
    rows = []
    for i, c in itertools.product(range(n), range(criteria)):
        for who, role, many in (("h", "human", humans), ("j", "judge", judges)):
            for rater in range(many):
                if rng.random() < gaps:
                    continue
                label = str(rng.choice(list(labels), p=shares))
                score = "" if not scores or role == "human" or rng.random() < 0.2 else f"{_score(rng.random(), label, rater):.3f}"
                rows.append(
                    {
                        "item": f"q{i}", "criterion": f"c{c}", "rater": f"{who}{rater}", "role": role, "label": label,
                        "score": score, "group": f"g{i % 4}", "question": f"Why {('apples', 'PEARS', 'a+b')[i % 3]} {i}?",
                        "reason": f"said of {i}.{c} by {who}{rater}" if rng.random() < 0.5 else "",
                    }
                )  # fmt: skip
    return pd.DataFrame(rows)


def _score(drawn: float, label: str, rater: int) -> float:
    return drawn if rater == 0 else (drawn + (label in {"MET", "yes"})) / 2


def read(frame: pd.DataFrame, **how: object) -> Ratings:
    labels = {name: LABELS[name] for name in dict.fromkeys(frame["label"]) if name in LABELS}
    asked: dict[str, object] = {"labels": labels} if labels else {}
    return metrics.read(frame.to_csv(index=False).encode(), **{**asked, **how})  # type: ignore[arg-type]


@dataclass
class Slow:
    """The same file read slowly: the verdict of every side on every decision, in a mode; None where there is none."""

    frame: pd.DataFrame
    mode: str = "exclude"
    said: dict[tuple[str, str], dict[Key, str]] = field(default_factory=dict)
    score: dict[tuple[str, str], dict[Key, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for row in self.frame.to_dict("records"):
            key = row["item"], row["criterion"]
            self.said.setdefault((row["role"], row["rater"]), {})[key] = row["label"]
            if row.get("score"):
                self.score.setdefault((row["role"], row["rater"]), {})[key] = float(row["score"])

    @cached_property
    def keys(self) -> list[Key]:
        items = list(dict.fromkeys(self.frame["item"]))
        criteria = list(dict.fromkeys(self.frame["criterion"]))
        there = set(zip(self.frame["item"], self.frame["criterion"], strict=True))
        return [(item, criterion) for item in items for criterion in criteria if (item, criterion) in there]

    def names(self, role: str) -> list[str]:
        return [name for own, name in self.said if own == role]

    def in_mode(self, label: str | None) -> str | None:
        if label == "CA":
            return {"exclude": None, "as_unmet": "UNMET", "as_category": "CA"}[self.mode]
        return None if label == "split" else label

    def raw_reference(self, key: Key) -> str | None:
        """The most frequent label of those who do not abstain; a tie is a split vote."""
        given = [self.said["human", name][key] for name in self.names("human") if key in self.said["human", name]]
        if not given:
            return None
        votes = Counter(label for label in given if label != "CA").most_common()
        if not votes:
            return "CA"
        return "split" if len(votes) > 1 and votes[0][1] == votes[1][1] else votes[0][0]

    def reference(self, key: Key) -> str | None:
        return self.in_mode(self.raw_reference(key))

    def verdict(self, judge: str, key: Key) -> str | None:
        return self.in_mode(self.said["judge", judge].get(key))

    def votes(self, role: str, key: Key, but: str = "") -> Counter[str]:
        given = (self.in_mode(self.said[role, name].get(key)) for name in self.names(role) if name != but)
        return Counter(label for label in given if label is not None)

    def wrong(self, judge: str, key: Key) -> bool:
        sides = self.reference(key), self.verdict(judge, key)
        return None not in sides and sides[0] != sides[1]

    def right(self, judge: str, key: Key) -> bool:
        return self.reference(key) is not None and self.reference(key) == self.verdict(judge, key)

    def n_wrong(self, key: Key) -> int:
        return sum(self.wrong(judge, key) for judge in self.names("judge"))

    def most_wrong(self, key: Key) -> bool:
        return self.n_wrong(key) > sum(self.right(judge, key) for judge in self.names("judge"))

    def rows(self, judge: str, other: str) -> dict[str, list[Key]]:
        rated = [key for key in self.keys if self.raw_reference(key) is not None and key in self.said["judge", judge]]
        settled = [key for key in rated if self.reference(key) is not None and self.verdict(judge, key) is not None]
        wrong = [key for key in self.keys if self.wrong(judge, key)]
        return {
            "disagreements": wrong,
            "no_verdict": [key for key in rated if key not in settled],
            "most": [key for key in self.keys if self.most_wrong(key)],
            "only_judge": [key for key in self.keys if self.right(judge, key) and self.wrong(other, key)],
            "only_other": [key for key in wrong if self.right(other, key)],
            "neither": [key for key in wrong if self.wrong(other, key)],
            "people": [key for key in self.keys if len(self.votes("human", key)) > 1],
            "judges": [key for key in self.keys if len(self.votes("judge", key)) > 1],
            "all": rated,
        }

    @cached_property
    def means(self) -> dict[str, tuple[float, float]]:
        """Mean scores of each judge where it says MET and UNMET; NaN where they lie no further apart than scores do."""
        found = {}
        for judge in self.names("judge"):
            given = self.score.get(("judge", judge), {})
            sides = [[x for where, x in given.items() if self.verdict(judge, where) == label] for label in ("MET", "UNMET")]
            high, low = (sum(side) / len(side) if side else math.nan for side in sides)
            follow = abs(high - low) > np.std([x for side in sides for x in side]) if all(sides) else False
            found[judge] = (high, low) if follow else (math.nan, math.nan)
        return found

    def sure(self, judge: str, key: Key) -> float:
        """How far the score lies on the side of its verdict, from the middle of the means of both; NaN without that."""
        given = self.score.get(("judge", judge), {})
        high, low = self.means[judge]
        from_middle = (given.get(key, math.nan) - (high + low) / 2) / (high - low)
        return {"MET": from_middle, "UNMET": -from_middle}.get(str(self.verdict(judge, key)), math.nan)

    def clearest(self, judge: str, order: Sequence[str] = ()) -> list[Key]:
        """The judge's errors, most telling first."""

        def rank(key: Key) -> tuple[float, ...]:
            reference, verdict = str(self.reference(key)), str(self.verdict(judge, key))
            people, others = self.votes("human", key), self.votes("judge", key, but=judge)
            apart = abs(order.index(reference) - order.index(verdict)) if order else 0
            sure = self.sure(judge, key)
            return (
                -apart, people[verdict] - people[reference], math.inf if math.isnan(sure) else -sure,
                others[verdict] - others[reference], self.keys.index(key),
            )  # fmt: skip

        return sorted((key for key in self.keys if self.wrong(judge, key)), key=rank)

    def split(self, role: str) -> list[Key]:
        """Decisions on which a role differs: people by the entropy of their votes, then by how many there are; judges by the
        chance that two of them differ.
        """

        def rank(key: Key) -> tuple[float, ...]:
            votes = self.votes(role, key)
            n = votes.total()
            if role == "judge":
                alike = sum(those * (those - 1) for those in votes.values()) / (n * (n - 1))
                return round(alike, 9), self.keys.index(key)
            entropy = -sum(those / n * math.log2(those / n) for those in votes.values())
            return -round(entropy, 9), -n, self.keys.index(key)

        return sorted((key for key in self.keys if len(self.votes(role, key)) > 1), key=rank)

    def has(self, key: Key, text: str, columns: Sequence[str] = ("group", "question", "reason")) -> bool:
        """Whether the id or a cell of a row of the decision holds the text."""
        mine = (self.frame["item"] == key[0]) & (self.frame["criterion"] == key[1])
        cells = [key[0], *(str(cell) for name in columns for cell in self.frame.loc[mine, name])]
        return any(text.casefold() in cell.casefold() for cell in cells)

    def items_of(self, keys: Sequence[Key]) -> list[str]:
        return list(dict.fromkeys(item for item, _ in keys))


def keys_of(ratings: Ratings, cells: Sequence[int], places: Mapping[str, np.ndarray]) -> Iterator[Key]:
    for cell in cells:
        yield str(ratings.items[int(places["item"][cell])]), ratings.criteria[int(places["criterion"][cell])]
