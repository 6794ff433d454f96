"""One row per criterion or judge: κ, φ, the share of φ that κ keeps, and the drift that takes the rest.

A row with a table tells its cause: which label rate parts κ from φ, and how far it would have to move.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from metrics.analyses.agreement.readings import bias_sign
from metrics.analyses.provenance import handling_of
from metrics.analyses.records import AgreementReport, Block, Declaration, JudgeReport
from metrics.data.aggregation import Level
from metrics.measures.catalogue import BY_KEY, keys_at
from metrics.results import words

State = Literal["undefined", "phi is 0", "no drift", "drift", "mean"]
POOLED: Mapping[Level, str] = {
    "micro": "All criteria (micro)",
    "macro": "Mean of criteria (macro)",
    "item": "Whole items (item level)",
}
COLUMNS = keys_at("gap")
WITH_ENDS = keys_at("gap headline")
BY_CONSTRUCTION = "chance level by construction"
"""What a κ of 0 is where a side gives one label only."""
WORDS = {
    "se": "s.e.", "n_var": "N·Var", "n_var_gap": "N·(Var φ − Var κ)", "mean_over": "of criteria", "undefined": "why undefined",
    "flat_low": "textbook low", "flat_high": "textbook high",
    "shown_low": "shown elsewhere low", "shown_high": "shown elsewhere high",
}  # fmt: skip
"""Parts of the names of columns, as the page writes them."""
DECLARED = ("reference", "scale", "abstention", "ties, invalid, failed", "confidence", "file", "sha256")


@dataclass(frozen=True, eq=False)
class GapRow:
    """A criterion, a judge, or all criteria together."""

    name: str
    block: Block
    pooled: bool = False

    @property
    def kappa(self) -> float:
        return self.block.values["kappa"]

    @property
    def phi(self) -> float:
        return self.block.values["phi"]

    @property
    def ratio(self) -> float:
        """κ/φ from the two label rates; has a value where φ is 0."""
        return self.block.values["kappa_phi_ratio"]

    @property
    def gap(self) -> float:
        return self.block.values["kappa_phi_gap"]

    @property
    def drift(self) -> float:
        return self.block.values["drift"]

    @property
    def drift_ends(self) -> tuple[float, float] | None:
        return self.block["drift"].ends

    @property
    def bias_sign(self) -> int | None:
        """+1 where the judge is shown to give the positive label more often, -1 less often, 0 neither; None untested."""
        return bias_sign(self.block)

    @property
    def prevalence(self) -> float:
        return self.block.values["prevalence"]

    @property
    def predicted(self) -> float:
        return self.block.values["predicted_prevalence"]

    @property
    def n(self) -> int:
        return self.block.n or 0

    @property
    def has_table(self) -> bool:
        """A mean over criteria has none."""
        return self.block.confusion is not None

    @property
    def placed(self) -> bool:
        """Has a place over the two label rates; a mean over criteria has no rates that give its ratio."""
        return self.has_table and not math.isnan(self.ratio)

    @property
    def by_construction(self) -> bool:
        """κ is 0 because a side gives one label only, wherever the row has verdicts."""
        return by_construction(self.block)

    def share_of_criteria(self, key: str) -> str:
        """Return how many criteria a mean is over, "1 of 2"; empty for a mean over all of them and for a table."""
        return share_of_criteria(self.block, key)

    @property
    def reason(self) -> str:
        """Why φ is undefined; empty where it has a value."""
        return self.block["phi"].undefined

    @property
    def state(self) -> State:
        """What decides whether κ parts from φ: counts decide; a mean over criteria has none, so nothing does."""
        if math.isnan(self.phi):
            return "undefined"
        if self.block.confusion is None:
            return "mean"
        (tp, fn), (fp, tn) = self.block.confusion.tolist()
        if tp * tn == fp * fn:
            return "phi is 0"
        return "no drift" if fn == fp else "drift"


def by_construction(block: Block) -> bool:
    """Return whether κ is 0 only because a side gives one label only; φ is then undefined."""
    return block.values["kappa"] == 0 and math.isnan(block.values["phi"])


def share_of_criteria(block: Block, key: str) -> str:
    """Return how many criteria a mean is over, "1 of 2"; empty for a mean over all of them and for a table."""
    defined, of = block[key].of or (0, 0)
    return "" if defined == of else f"{words.count(defined)} of {words.count(of)}"


def readable(report: AgreementReport) -> bool:
    """Return whether there are two classes, so that φ and the gap are defined."""
    return all(len(judge.micro.labels) == 2 for judge in report.judges.values())


def by_criterion(judge: JudgeReport) -> tuple[GapRow, ...]:
    """Return one row per criterion, the largest drift first."""
    return in_order(GapRow(name, block) for name, block in judge.criteria.items())


def by_judge(report: AgreementReport, level: Level) -> tuple[GapRow, ...]:
    """Return one row per judge at one level, the largest drift first."""
    return in_order(GapRow(name, judge.level(level)) for name, judge in report.judges.items())


def pooled(judge: JudgeReport, level: Level) -> GapRow | None:
    """Return all criteria of a judge at one level; None where there is one criterion."""
    if len(judge.criteria) < 2:
        return None
    return GapRow(POOLED[level], judge.level(level), pooled=True)


def in_order(rows: Iterable[GapRow]) -> tuple[GapRow, ...]:
    """Return the rows by the size of the drift, the largest first; rows without one last."""
    return tuple(sorted(rows, key=lambda row: (math.isnan(row.drift), -abs(row.drift))))


def frame(rows: Sequence[GapRow], declaration: Declaration, what: str, judge: str, level: str) -> dict[str, list[object]]:
    """Return columns of a table of the rows with what gives them their meaning; undefined numbers are NaN.

    Parameters
    ----------
    rows : sequence of GapRow
    declaration : Declaration
    what : str
        Head of the column of names: "criterion" or "judge".
    judge : str
        In a column of its own, where the rows are not judges.
    level : str
    """
    columns: dict[str, list[object]] = {what: [row.name for row in rows], "n": [row.block.n for row in rows]}
    for cell, place in (("TP", (0, 0)), ("FN", (0, 1)), ("FP", (1, 0)), ("TN", (1, 1))):
        columns[cell] = [None if row.block.confusion is None else int(row.block.confusion[place]) for row in rows]
    for key in COLUMNS:
        columns[key] = [row.block.values[key] for row in rows]
        if key in WITH_ENDS:
            for end, word in enumerate(("low", "high")):
                columns[f"{key}_{word}"] = [(row.block[key].ends or (np.nan, np.nan))[end] for row in rows]
    for key in ("kappa", "phi"):
        columns[f"{key}_mean_over"] = [row.share_of_criteria(key) for row in rows]
    columns["undefined"] = [row.reason for row in rows]
    columns |= {"judge": [judge] * len(rows)} if what != "judge" else {}
    return columns | {"level": [level] * len(rows)} | declaration_columns(declaration, len(rows))


def heads(columns: Iterable[str]) -> dict[str, str]:
    """Return what stands above the columns of these tables on a page, by their names in a file."""
    return {name: _head(name) for name in columns}


def _head(name: str) -> str:
    key = max((key for key in BY_KEY if name == key or name.startswith(f"{key}_")), key=len, default="")
    rest = name[len(key) :].strip("_") if key else name
    return " ".join(filter(None, (BY_KEY[key].symbol if key else "", WORDS.get(rest, rest.replace("_", " ")))))


def declaration_columns(declaration: Declaration, n: int) -> dict[str, list[object]]:
    """Return columns that say what the numbers of a table rest on."""
    d = declaration
    values = (d.reference, d.scale, d.abstention, handling_of(d), d.interval.get("confidence"), d.file_words, d.sha256)
    return {name: [value] * n for name, value in zip(DECLARED, values, strict=True)}


@dataclass(frozen=True)
class Cause:
    """The ratio written out on one table.

    Attributes
    ----------
    a, b : float
        π(1 − π̂) and π̂(1 − π).
    surplus : int
        False alarms less misses: verdicts that would have to change, net, for the rates to be equal.
    """

    prevalence: float
    predicted: float
    a: float
    b: float
    ratio: float
    drift: float
    n: int
    false_alarms: int
    misses: int
    surplus: int
    state: State
    reason: str
    labels: tuple[str, ...]
    bias_sign: int | None


def cause_of(row: GapRow) -> Cause:
    """Return the ratio of a row with a table, written out.

    Raises
    ------
    ValueError
        For a mean over criteria, whose ratio is a mean of ratios.
    """
    if row.block.confusion is None:
        raise ValueError("a mean over criteria has no table")
    (_, fn), (fp, _) = row.block.confusion.tolist()
    pi, pihat = row.prevalence, row.predicted
    return Cause(
        prevalence=pi,
        predicted=pihat,
        a=pi * (1 - pihat),
        b=pihat * (1 - pi),
        ratio=row.ratio,
        drift=row.drift,
        n=row.n,
        false_alarms=fp,
        misses=fn,
        surplus=fp - fn,
        state=row.state,
        reason=row.reason,
        labels=row.block.labels,
        bias_sign=row.bias_sign,
    )


def written_out(cause: Cause) -> str:
    """Return a, B and the ratio with their numbers, as LaTeX; nothing from the file is in it."""
    pi, pihat, a, b = (_digits(x) for x in (cause.prevalence, cause.predicted, cause.a, cause.b))
    lines = (
        r"A &= \pi\,(1-\hat\pi)",
        rf"&= {pi} \times (1-{pihat}) = {a}",
        r"B &= \hat\pi\,(1-\pi)",
        rf"&= {pihat} \times (1-{pi}) = {b}",
        r"\frac{\kappa}{\varphi} &= \frac{2\sqrt{AB}}{A+B}",
        rf"&= \frac{{2\sqrt{{{a} \times {b}}}}}{{{a} + {b}}} = {_digits(cause.ratio)}",
    )
    return r"\begin{aligned}" + r" \\[.6em] ".join(lines) + r"\end{aligned}"


def _digits(x: float) -> str:
    """Return three decimals; of a small number three digits, so that it does not read as 0."""
    if math.isnan(x):
        return r"\text{–}"
    return f"{x:.3f}" if abs(x) >= 0.1 or x == 0 else f"{float(f'{x:.3g}'):.9f}".rstrip("0")
