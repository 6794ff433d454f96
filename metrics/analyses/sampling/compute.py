"""Which items to label next: from ratings to a plan."""

from __future__ import annotations

from typing import get_args

import numpy as np

from metrics.analyses.agreement.decisions import any_row, free_texts, refuse_tally
from metrics.analyses.sampling.result import LABEL, WEIGHT, LabelPlan, Stratum
from metrics.analyses.sampling.strata import Ints, Pool, Purpose, allocated, pool_of, spared, spreads
from metrics.data.arguments import one_of
from metrics.data.checks import takes_ratings
from metrics.data.item_texts import item_texts
from metrics.data.pairs import cells_of
from metrics.data.ratings import Ratings, named_judges
from metrics.data.scales import scales_of
from metrics.errors import InputError
from metrics.results.words import listed

SEED = 0
ASKED = ("positive", "negative", "class", "number", "abstention", "tie")
"""Kinds of labels that a person may give."""


@takes_ratings
def label_next(
    ratings: Ratings,
    n: int = 100,
    *,
    purpose: str = "kappa",
    judge: str | None = None,
    other: str | None = None,
    criterion: str | None = None,
    reference: str = "auto",
    rng: int = SEED,
) -> LabelPlan:
    """Return the items that people should label next, so that one number gets a narrower interval for fewer labels.

    Items that the judge answered and nobody labelled are drawn at random within strata: by the judge's verdict, and by whether
    judges differ. From each as many as its size times how far its items move the number (Neyman), as the labelled ones show it;
    without any, errors are taken to be more frequent where judges differ. The weight of an item is one over the chance that it
    was drawn, so that with the labels that are there already every count of the whole file is unbiased.

    Parameters
    ----------
    ratings : Ratings
    n : int
        Items to label; all of those without a label where there are fewer.
    purpose : {"kappa", "rare", "difference"}
        κ of the judge; the share of the rarer label that it finds; or κ of two judges, one less the other.
    judge : str, optional
        Default: the first one.
    other : str, optional
        Of a difference: the judge compared with. Default: the first one beside.
    criterion : str, optional
        The criterion whose number is asked for; default all, an item then is labelled on each.
    reference : str
        As in `metrics.agreement`.
    rng : int
        Seed of the draw.

    Returns
    -------
    LabelPlan
        Its `to_frame` is the blind sheet.

    Raises
    ------
    InputError
        For a table of counts, a tally, numbers in place of labels, an unknown name or purpose, one judge where two are compared,
        and where no item is without a label.

    References: Cochran (1977), Sampling Techniques, section 5.5.
    """
    asked: Purpose = one_of("purpose", purpose, get_args(Purpose), " of labels")
    first, second = _judges(ratings, asked, judge, other)
    _check(ratings, n, criterion)
    pool = pool_of(ratings, first, second or None, criterion, reference, n)
    if pool.labelled.all():
        on = f" on {criterion}" if criterion else ""
        raise InputError(
            f"{ratings.source.name}: every item that {first} answered has a label{on}. Add a file with its answers to items that "
            "nobody labelled."
        )
    source = np.random.default_rng(rng)
    drawn = allocated(n, pool.free, spreads(pool, asked, pool.labelled))
    places = source.permutation(_drawn(pool, drawn, source))
    weight = (pool.free / np.maximum(drawn, 1))[pool.stratum[places]]
    items = pool.items[places]
    return LabelPlan(
        ratings.source.name, ratings.source.sha256, ratings.source.how.where, asked, first, second, criterion or "",
        (criterion,) if criterion else ratings.criteria, reference, _labels(ratings), rng, _strata(pool, drawn),
        tuple(str(ratings.items[int(item)]) for item in items), tuple(weight.tolist()), _texts(ratings, items),
        spared(pool, asked, int(drawn.sum()), source),
    )  # fmt: skip


def _judges(ratings: Ratings, purpose: Purpose, judge: str | None, other: str | None) -> tuple[str, str]:
    name, known = ratings.source.name, ratings.judges
    judge, other = (next(iter(named_judges(ratings, wanted)), None) for wanted in (judge, other))
    if not known:
        raise InputError(f"{name} has no judge: items are drawn by what a judge says of them. Say who is one with roles.")
    first = judge or next(one for one in known if one != other or len(known) == 1)
    if purpose != "difference":
        return first, ""
    rest = [one for one in known if one != first]
    if not rest or other == first:
        raise InputError(f"{name}: a difference needs two judges. Judges: {listed(known, 12)}.")
    return first, other or rest[0]


def _check(ratings: Ratings, n: int, criterion: str | None) -> None:
    name = ratings.source.name
    if n < 1:
        raise InputError(f"There must be at least 1 item to label, not {n}.")
    if not ratings.has_items:
        raise InputError(f"{name} is a table of counts: it has no items to draw from.")
    refuse_tally(ratings)
    if criterion is not None and criterion not in ratings.criteria:
        raise InputError(f"{name}: no criterion is called {criterion!r}. Criteria: {listed(ratings.criteria, 12)}.")
    if any(scales_of(ratings).on(one).scale == "continuous" for one in ((criterion,) if criterion else ratings.criteria)):
        raise InputError(f"{name}: strata are made of labels, and these are numbers. Draw the items at random.")


def _drawn(pool: Pool, drawn: Ints, source: np.random.Generator) -> Ints:
    chosen = [
        source.choice(np.flatnonzero(~pool.labelled & (pool.stratum == place)), count, replace=False)
        for place, count in enumerate(drawn.tolist()) if count
    ]  # fmt: skip
    return np.concatenate(chosen)


def _strata(pool: Pool, drawn: Ints) -> tuple[Stratum, ...]:
    size = len(pool.names)
    wrong = pool.tables[0].sum((1, 2)) > np.trace(pool.tables[0], axis1=1, axis2=2)
    counts = (np.bincount(pool.stratum[mask], minlength=size).tolist() for mask in (pool.labelled, wrong))
    rows = zip(pool.names, pool.sizes.tolist(), *counts, pool.free.tolist(), drawn.tolist(), strict=True)
    return tuple(Stratum(*row) for row in rows)


def _labels(ratings: Ratings) -> tuple[str, ...]:
    kinds = [label for kind in ASKED for label in ratings.scheme.of(kind)]  # type: ignore[arg-type]
    return tuple(dict.fromkeys(kinds))


def _texts(ratings: Ratings, items: Ints) -> dict[str, tuple[str, ...]]:
    """Return the texts of items, without columns that a sheet has already, or of what a judge said."""
    names = [name for name in item_texts(ratings) if name.casefold() not in ("item", "criterion", LABEL, WEIGHT)]
    if not names:
        return {}
    row_of_item = np.zeros(ratings.n_unique, np.int64)
    cells = cells_of(ratings)
    row_of_item[cells.item[::-1]] = any_row(ratings)[::-1]
    frame = free_texts(ratings, row_of_item[items], names)
    return {name: tuple("" if text is None else str(text) for text in frame[name]) for name in frame.columns}
