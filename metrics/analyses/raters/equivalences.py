"""Which coefficients of agreement are one and the same number on these data, and why others are not."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from metrics.analyses.raters.coefficients import finite_sample_term
from metrics.analyses.raters.result import RaterBlock
from metrics.results import words

Kind = Literal["same", "differ", "unrelated"]
# Two computations of one number differ by less.
ROUNDING = 1e-9
UNSEEN = 0.0005
"""Below this two numbers read alike in three decimals."""


@dataclass(frozen=True)
class Equivalence:
    """How two coefficients stand to each other here.

    Attributes
    ----------
    a, b : str
        Keys of `STATISTICS`.
    difference : float
        Value of a less that of b; NaN where one is undefined.
    kind : {"same", "differ", "unrelated"}
        One number in three decimals; the same idea with other numbers here; another question.
    why : str
        One sentence with the numbers of these data.
    """

    a: str
    b: str
    difference: float
    kind: Kind
    why: str

    def title(self, block: RaterBlock) -> str:
        """Return the two in a word: "α and Fleiss’ κ"."""
        return f"{block.symbol(self.a)} and {block.symbol(self.b)}"


def same_numbers(block: RaterBlock) -> tuple[Equivalence, ...]:
    """Return the coefficients of a block compared with each other, the one that is primary first.

    Those that are undefined left out.
    """
    found = []
    for (a, b), rule in RULES.items():
        difference = block.values[a] - block.values[b]
        if not math.isnan(difference):
            found.append(Equivalence(a, b, difference, *rule(block, difference)))
    return tuple(found)


def rate_spread(block: RaterBlock) -> tuple[str, float]:
    """Return the label whose share differs most from rater to rater, and by how much; NaN where fewer than two gave labels."""
    rater_rates = [rates for rates in block.rates if not any(math.isnan(rate) for rate in rates.values())]
    if len(rater_rates) < 2:
        return "", math.nan
    spread = {
        label: max(rates[label] for rates in rater_rates) - min(rates[label] for rates in rater_rates) for label in rater_rates[0]
    }
    widest = max(spread, key=lambda label: spread[label])
    return widest, spread[widest]


def _alpha_and_fleiss(block: RaterBlock, difference: float) -> tuple[Kind, str]:
    if block.level != "nominal":
        return (
            "differ",
            f"α takes labels at the {block.level} level, where some disagreements weigh less; Fleiss’ κ takes all alike.",
        )
    n, m = block.fleiss_n_items, block.fleiss_n_ratings
    if n < block.n_pairable:
        every = f"α uses all {words.several(block.n_pairable, block.unit)} with two labels or more"
        return "differ", f"{every}, Fleiss’ κ the {words.count(n)} with exactly {words.count(m)}."
    term = finite_sample_term(block.values["fleiss_kappa"], n, m)
    unit = block.unit.removesuffix("s")
    every = f"every {unit} has {words.several(m, 'labels')}"
    if n < block.n_items:
        every = f"every {unit} with two labels or more has exactly {words.count(m)}"
    start = f"{every}, so α is Fleiss’ κ plus (1 − κ_F)/(N·R)"
    if term >= UNSEEN:
        return "differ", f"{start} = {words.p3(term)}, which vanishes with more items."
    size = "less than 0.001" if term > ROUNDING else "here 0"
    return "same", f"{start}, {size}: three decimals do not show it."


def _fleiss_and_phi(block: RaterBlock, difference: float) -> tuple[Kind, str]:
    label, spread = rate_spread(block)
    unit, shared = block.unit.removesuffix("s"), (block.fleiss_n_items, block.fleiss_n_ratings)
    if not block.complete and shared == (block.n_pairable, block.n_raters):
        where = f"both rest on the {words.several(block.n_pairable, block.unit)} that every rater labelled"
        if abs(difference) <= ROUNDING:
            return "same", f"{where}, and are equal there."
        why = (
            f"{where}; they are equal only where all give every label equally often "
            f"there, here they lie {_size(difference)} apart."
        )
    elif not block.complete:
        why = f"not every rater labelled every {unit}, so the two rest on other {block.unit} and need not agree."
    elif spread <= ROUNDING:
        if abs(difference) <= ROUNDING:
            return "same", "all raters give every label equally often."
        why = "all raters give every label equally often, but the mean leaves out pairs."
    else:
        why = (
            f"they are equal only where all raters give every label equally often; here the shares of {words.plain(label)} lie "
            f"{words.points(spread).lstrip('+')} apart. The two meet only if the raters’ shares do."
        )
    return "differ", why


def _kappa_and_phi(block: RaterBlock, difference: float) -> tuple[Kind, str]:
    other = block.symbol("mean_pairwise_phi").removeprefix("mean ")
    used = [block.mean_of[key] for key in ("mean_pairwise_kappa", "mean_pairwise_phi")]
    if used[0] != used[1]:
        why = (
            f"κ is defined for {words.count(used[0])} pairs of raters, {other} for {words.count(used[1])}: "
            f"where one gives one label only, {other} has no value."
        )
        return "differ", why
    if abs(difference) <= ROUNDING:
        return "same", "in every pair both raters give every label equally often, or agree no more than by chance."
    rates = f"κ of a pair is nearer to 0 than {other} wherever the two give a label at different rates"
    return "differ", f"{rates}, here by {_size(difference)} on average."


def _size(difference: float) -> str:
    return "less than 0.001" if abs(difference) < UNSEEN else words.p3(abs(difference))


def _alpha_and_ac1(block: RaterBlock, _: float) -> tuple[Kind, str]:
    why = (
        f"raters agree on {words.percent(block.values['percent_agreement'])} of pairs of labels; α asks how far beyond the label "
        "rates that is, AC1 takes little off when one label is common."
    )
    return "unrelated", why


RULES: dict[tuple[str, str], Callable[[RaterBlock, float], tuple[Kind, str]]] = {
    ("alpha", "fleiss_kappa"): _alpha_and_fleiss,
    ("fleiss_kappa", "mean_pairwise_phi"): _fleiss_and_phi,
    ("mean_pairwise_kappa", "mean_pairwise_phi"): _kappa_and_phi,
    ("alpha", "gwet_ac1"): _alpha_and_ac1,
}
"""What is said of two coefficients, from their difference."""
