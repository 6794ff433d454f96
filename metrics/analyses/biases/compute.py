"""What sways a judge where the human label is the same, from ratings and settings to a report; no text leaves the file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from metrics.analyses.biases.measured import NOTHING, family_of, measured
from metrics.analyses.biases.of_pairs import CALL, SIZE, biases_of_pairs, length_columns
from metrics.analyses.biases.result import Bias, BiasReport
from metrics.analyses.biases.within_labels import FEWEST, Decisions, Effect, distances
from metrics.analyses.preferences.positions import Positions, positions, swapped_column
from metrics.analyses.preferences.systems import system_columns
from metrics.analyses.scores.warnings import of_own_options, rubric_values
from metrics.analyses.settings import Settings, checked, chosen, declaration_of, weighted_declaration
from metrics.analyses.slices.grouping import By, Grouping, grouping, proposed, sizes
from metrics.data.abstention import mode_map
from metrics.data.checks import takes_ratings
from metrics.data.item_columns import Codes
from metrics.data.order import Order, order_of, worth_of_states
from metrics.data.pairs import cell_ratings, cells_of, reference_states, verdicts
from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of
from metrics.measures.arrays import FloatArray
from metrics.measures.units import other_ends, two_units
from metrics.results import words

MOST_SOURCES = 20
"""Groups of a column up to which it is looked at as a source."""


@takes_ratings
def biases(ratings: Ratings, **choices: Any) -> BiasReport:
    """Return what sways each judge where the human label is the same: length, source, and kinship with the judge.

    Every effect is a change of the share of positive verdicts, or of the mean label where labels are ordered, among decisions of
    one criterion with one human label, so that what people think of the answers is the baseline. Its standard error is that of
    whole items. Of two answers it is how much more often than people the judge prefers the longer one, or the one of its own
    family, on the same decisions.

    Parameters
    ----------
    ratings : Ratings
        As `metrics.read` returns them.
    **choices
        As `metrics.agreement` takes them.

    Returns
    -------
    BiasReport
        Without an effect where the file has neither texts nor grouping columns, or labels say neither yes or no nor more or
        less.

    Raises
    ------
    InputError
        As `metrics.agreement`.
    """
    return biases_of(ratings, chosen(ratings, "biases", choices))


def biases_of(ratings: Ratings, settings: Settings) -> BiasReport:
    """Return the biases under settings that are made already, as `biases` does."""
    settings = checked(ratings, settings)
    declaration = declaration_of(ratings, settings)
    positive = ratings.scheme.classes[0]
    if why := _not_measured(ratings):
        return BiasReport(declaration, positive, {}, why)
    if "pairwise" in scales_of(ratings).used:
        if not ratings.has_rows or not (length_columns(ratings) or system_columns(ratings)):
            why = "no two columns hold the texts, the lengths or the models of both answers, such as model_a and model_b"
            return BiasReport(declaration, positive, {}, why, _orders(ratings, settings))
        of_pairs = {name: biases_of_pairs(ratings, name, settings) for name in settings.judges}
        made = BiasReport(declaration, positive, of_pairs, positions=_orders(ratings, settings))
        return _declared(ratings, settings, made)
    columns = proposed(ratings)
    if not columns:
        return BiasReport(declaration, positive, {}, "no column of the file says anything of the answers")
    decisions = {name: decisions_of(ratings, name, settings) for name in settings.judges}
    apart = {name: why for name, made in decisions.items() if ratings.scheme.scale != "binary" and (why := _on_two_scales(made))}
    found = {name: () if name in apart else _of_judge(ratings, name, made, settings, columns) for name, made in decisions.items()}
    report = BiasReport(declaration, positive, found, scale=_scale_words(ratings), two_scales=apart)
    return _declared(ratings, settings, report)


def _on_two_scales(decisions: Decisions) -> str:
    """Return why a judge's labels less people's mean nothing; empty where both may use one scale."""
    sides = decisions.reference, decisions.judge, decisions.weight.astype(np.int64)
    return two_units(*sides) or other_ends(*sides)


def _not_measured(ratings: Ratings) -> str:
    """Return why labels have neither a share nor a mean; empty where they have."""
    used = scales_of(ratings).used
    if ratings.scheme.scale == "binary":
        return ""
    if used != ("ordinal",):
        return "criteria are on different scales" if len(used) > 1 else "the labels say neither yes or no nor more or less"
    apart = of_own_options(ratings)
    return f"criteria have options of their own, as {words.named(list(apart))}" if apart else ""


def _orders(ratings: Ratings, settings: Settings) -> dict[str, Positions]:
    """Return what the order of the answers does to each judge; empty where the file has the verdicts of one order alone."""
    return {
        name: positions(ratings, name, reference=settings.reference, confidence=settings.confidence)
        for name in settings.judges
        if swapped_column(ratings, name) is not None
    }


def _declared(ratings: Ratings, settings: Settings, report: BiasReport) -> BiasReport:
    """Return the report, which names the column of weights where an effect counts items by them."""
    weighted = any(bias.weighted is not None for biases in report.judges.values() for bias in biases)
    return replace(report, declaration=weighted_declaration(ratings, settings)) if weighted else report


def decisions_of(ratings: Ratings, judge: str, settings: Settings) -> Decisions:
    """Return decisions on which judge and reference both gave a verdict.

    Parameters
    ----------
    ratings : Ratings
        Of two labels, or of ordered ones.
    judge : str
    settings : Settings
    """
    handled = settings.on(ratings)
    cells, worth = cells_of(handled), _worth(handled, settings)
    reference, verdict = worth[reference_states(handled, settings.reference)], worth[verdicts(handled, judge, "judge")]
    kept = np.flatnonzero(np.isfinite(reference) & np.isfinite(verdict))
    known, label = np.unique(reference[kept], return_inverse=True)
    stratum = cells.criterion[kept].astype(np.int64) * len(known) + label
    sides, rating = (verdict[kept], reference[kept]), cell_ratings(handled, judge, "judge")[kept]
    return Decisions.of(ratings, settings, kept, rating, sides, stratum, max(len(known), 1))


def _worth(ratings: Ratings, settings: Settings) -> FloatArray:
    """Return what each state counts, shape (S,): 1 the positive label and 0 the negative one, or what an ordered label is worth.

    NaN for what is no verdict.
    """
    if ratings.scheme.scale == "binary":
        to_mode = mode_map(ratings.scheme, settings.abstention)[:2]
        return np.where(to_mode.any(0), to_mode[0], np.nan)
    return worth_of_states(ratings.scheme, _order(ratings))


def _order(ratings: Ratings) -> Order:
    """Return the labels from low to high, by their places where their values do not rise: then higher is better of either."""
    order = order_of(ratings.scheme, None, rubric_values(ratings), ratings.source.name)
    return order if order.rises else replace(order, values=tuple(map(float, range(1, order.k + 1))), source="places")


def _scale_words(ratings: Ratings) -> str:
    """Return the scale that a mean label is on, for the end of a number; empty of a share."""
    if ratings.scheme.scale == "binary":
        return ""
    order = _order(ratings)
    ends = " to ".join(words.marked(words.shorten(order.classes[at])) for at in (0, -1))
    return f"{' places' if order.source == 'places' else ''} on the scale from {ends}"


def _of_judge(ratings: Ratings, judge: str, decisions: Decisions, settings: Settings, columns: dict[str, By]) -> tuple[Bias, ...]:
    groups = {title: grouping(ratings, [by]) for title, by in columns.items() if by.kind == "values"}
    sources = {title: made for title, made in groups.items() if len(made.values) <= MOST_SOURCES and made.in_file is None}
    found = [_length(ratings, decisions, by, sources, settings) for by in columns.values() if _says_how_long(by)]
    found += [bias for made in sources.values() for bias in _source(ratings, decisions, made, settings)]
    kin = [_kinship(ratings, decisions, made, judge, sources, settings) for made in sources.values()]
    return (*found, *(bias for bias in kin if bias is not None))


def _says_how_long(by: By) -> bool:
    """Return whether a column holds texts, or numbers called after how long an answer is, and not after a judge's call."""
    named = SIZE.fullmatch(by.column.strip()) is not None and CALL.search(by.column) is None
    return by.kind == "length" or (by.kind == "numbers" and named)


def _length(ratings: Ratings, decisions: Decisions, by: By, sources: dict[str, Grouping], settings: Settings) -> Bias:
    """Return the bias of the length of an answer, for each doubling."""
    length = sizes(ratings, by)[decisions.rating]
    there = length > 0
    part, x = decisions.at(there), np.log2(np.where(there, length, 1.0))[there]
    return measured(ratings, part, x, _codes(part, sources), settings, Bias("length", by.column, "", NOTHING, NOTHING))


def _source(ratings: Ratings, decisions: Decisions, made: Grouping, settings: Settings) -> list[Bias]:
    """Return the source towards which the judge is most lenient or strict; none of fewer than two large enough.

    Its interval and p are corrected for the number of sources (Bonferroni): it is the furthest of them.
    """
    code = made.of_rating[decisions.rating]
    part, code = decisions.at(code >= 0), code[code >= 0]
    n_groups = len(made.values)
    pairs = np.unique(part.item * n_groups + code)
    n_items = np.bincount(pairs % n_groups, minlength=n_groups)
    far = np.abs(distances(part, code, n_groups))
    large = np.flatnonzero((n_items >= FEWEST) & (part.n_items - n_items >= FEWEST) & np.isfinite(far))
    if not len(large):
        return []
    # Two sources are one test: each is all the others of the other.
    n_tested = 1 if n_groups == 2 else len(large)
    furthest = int(large[far[large].argmax()])
    wider = replace(settings, confidence=1 - (1 - settings.confidence) / n_tested)
    first = Bias("source", made.by[0].column, made.values[furthest], NOTHING, NOTHING, n_tested)
    bias = measured(ratings, part, (code == furthest).astype(np.float64), {}, wider, first)
    weighted = bias.weighted and _corrected(bias.weighted, n_tested)
    return [replace(bias, effect=_corrected(bias.effect, n_tested), weighted=weighted)]


def _corrected(effect: Effect, n_tested: int) -> Effect:
    return replace(effect, p=min(1.0, n_tested * effect.p))


def _kinship(
    ratings: Ratings, decisions: Decisions, made: Grouping, judge: str, sources: dict[str, Grouping], settings: Settings
) -> Bias | None:
    """Return how the judge treats answers of its own family; None where the column names no models, or none of another one."""
    family = family_of(judge)
    families = [family_of(value) for value in made.values]
    if not family or family not in families or sum(map(bool, families)) * 2 < len(families) or len(set(families)) < 2:
        return None
    code = made.of_rating[decisions.rating]
    part, code = decisions.at(code >= 0), code[code >= 0]
    own = np.array([each == family for each in families])[code].astype(np.float64)
    others = {title: other for title, other in sources.items() if title != made.name}
    return measured(
        ratings, part, own, _codes(part, others), settings, Bias("kinship", made.by[0].column, family, NOTHING, NOTHING)
    )


def _codes(part: Decisions, sources: dict[str, Grouping]) -> dict[str, Codes]:
    """Return the group of every decision, by the titles of the columns."""
    return {title: made.of_rating[part.rating] for title, made in sources.items()}
