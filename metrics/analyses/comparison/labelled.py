"""What people's labels leave of a comparison where they depend on the verdicts of a judge."""

from __future__ import annotations

import math
from dataclasses import replace

from metrics.analyses.comparison.result import Comparison, Side
from metrics.analyses.verification import labelling_of
from metrics.data.ratings import Ratings
from metrics.results.estimate import Estimate


def by_labelling(comparison: Comparison, ratings: Ratings) -> Comparison:
    """Return a comparison with what must be known of its labels, and undefined where they cannot tell the judges apart.

    That is where people labelled decisions of one verdict of a judge only: they then are no sample for the other judge either.

    Parameters
    ----------
    comparison : Comparison
    ratings : Ratings
        Those that it was made of.
    """
    found = {name: labelling_of(ratings, name, comparison.settings) for name in comparison.settings.judges}
    told = {name: one for name, one in found.items() if one is not None}
    unknown = {name: why for name, one in told.items() if (why := one.why_unknown(comparison.criterion))}
    notes = tuple(f"{name}: {text}" for name, one in told.items() if (text := one.sentence()))
    comparison = replace(comparison, cautions=(*notes, *comparison.cautions))
    if not unknown:
        return comparison
    name, why = next(iter(unknown.items()))
    nothing = Estimate(math.nan, why=f"{name}: {why}")
    return replace(
        comparison,
        a=_unknown(comparison.a, nothing),
        b=_unknown(comparison.b, nothing),
        difference=nothing,
        error=math.nan,
        permutation=replace(comparison.permutation, p=math.nan),
        mcnemar=None,
        no_mcnemar=nothing.why,
        readings=dict.fromkeys(comparison.readings),
        silence=None,
        growth=(math.nan, math.nan),
        on_criteria=(),
        weighted=None,
    )


def _unknown(side: Side, nothing: Estimate) -> Side:
    block = replace(side.block, estimates=dict.fromkeys(side.block.estimates, nothing))
    return replace(side, estimate=nothing, block=block)
