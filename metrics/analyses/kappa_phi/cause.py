"""Which label rate parts κ from φ, and how far it would have to move."""

from __future__ import annotations

import math
from dataclasses import dataclass

from metrics.analyses.kappa_phi.rows import GapRow, State


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

    name: str
    prevalence: float
    predicted: float
    a: float
    b: float
    ratio: float
    kappa: float
    phi: float
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
        name=row.name,
        prevalence=pi,
        predicted=pihat,
        a=pi * (1 - pihat),
        b=pihat * (1 - pi),
        ratio=row.ratio,
        kappa=row.kappa,
        phi=row.phi,
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
