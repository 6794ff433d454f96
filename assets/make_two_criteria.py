"""Two rubrics of two criteria, from the tables of counts of each criterion.

Run: python assets/make_two_criteria.py

The tables fix everything but how the criteria fall together on an item. Here they do so independently, as nearly as whole
items allow.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

Table = tuple[int, int, int, int]
"""TP, FN, FP, TN."""
VERDICTS = (("MET", "MET"), ("MET", "UNMET"), ("UNMET", "MET"), ("UNMET", "UNMET"))
"""Human and judge in the cells of a table."""
RUBRICS: dict[str, tuple[Table, Table]] = {
    # kappa .9 at prevalence .80 and kappa .2 at .05, the judge's rates equal to the human's.
    "rao_two_criteria.csv": ((784, 16, 16, 184), (12, 38, 38, 912)),
    # The same prevalences, the judge's verdicts independent of the human's: kappa 0 on both.
    "pooled_at_chance.csv": ((256, 64, 64, 16), (1, 19, 19, 361)),
}


def fall_together(a: Sequence[int], b: Sequence[int]) -> list[list[int]]:
    """Items by cell of A (rows) and of B, with these margins and near a * b / n."""
    n = sum(a)
    cells = [[x * y // n for y in b] for x in a]
    places = sorted(((-(x * y % n), i, j) for i, x in enumerate(a) for j, y in enumerate(b)))
    for _, i, j in (*places, *places):
        if sum(cells[i]) < a[i] and sum(row[j] for row in cells) < b[j]:
            cells[i][j] += 1
    return cells


def as_csv(name: str) -> bytes:
    a, b = RUBRICS[name]
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["item", "criterion", "judge", "human", "verdict"])
    item = 0
    for i, row in enumerate(fall_together(a, b)):
        for j, count in enumerate(row):
            for _ in range(count):
                item += 1
                for criterion, cell in (("A", i), ("B", j)):
                    writer.writerow([f"i{item:04d}", criterion, "judge", *VERDICTS[cell]])
    return buffer.getvalue().encode()


if __name__ == "__main__":
    for name in RUBRICS:
        (Path(__file__).parent / name).write_bytes(as_csv(name))
