"""What leaving out ties does to the agreement of raters: whoever takes the close calls out finds more of it."""

from __future__ import annotations

from metrics.analyses.raters.alpha import alpha_of, coincidences
from metrics.analyses.raters.provenance import silent_of
from metrics.analyses.raters.result import RatersReport
from metrics.analyses.raters.tally import tally_of
from metrics.analyses.raters.units import units_of
from metrics.data.order import values_of
from metrics.data.ratings import Ratings
from metrics.data.unique_items import kinds_of
from metrics.results import words


def ties_left_out(ratings: Ratings, report: RatersReport) -> str:
    """Return how many labels are ties that the report leaves out, and α with them as a class; empty where none are left out."""
    d, block = report.declaration, report.pooled
    what = silent_of(d)
    if d.abstention != "exclude" or "ties" not in what or block.level != "nominal":
        return ""
    units = units_of(kinds_of(ratings), "judge" if report.role == "judge" else "human", mode="as_category")
    left = units.n_ratings - block.n_ratings
    if not left:
        return ""
    tally = tally_of(units)
    alpha = float(alpha_of(coincidences(tally.votes, tally.times), values_of(units.classes, "nominal"), "nominal"))
    share = words.percent(left / units.n_ratings)
    return (
        f"{words.count(left)} of {words.count(units.n_ratings)} labels are {what}, and left out ({share}). α as it stands is "
        f"{words.number(block.values['alpha'])}; as a class of their own they make it {words.number(alpha)}."
    )
