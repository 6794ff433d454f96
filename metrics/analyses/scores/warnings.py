"""What must be known beside scores of judges, one warning each, and what the rubric in the file says of ordered criteria."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from metrics.analyses.agreement.coverage import failed, unmatched, votes_apart
from metrics.analyses.agreement.standing import LABELS_BY_VERDICT
from metrics.analyses.cautions import MIXED_LABELS, on_criterion, two_units_words
from metrics.analyses.records import Warn
from metrics.analyses.scores.result import JudgeScores, On, Pairs
from metrics.asker import by
from metrics.data.abstention import Coverage
from metrics.data.order import Order
from metrics.data.ratings import Ratings
from metrics.data.scale_words import MOST_NAMES
from metrics.data.scales import scales_of
from metrics.data.vocabulary import normalise
from metrics.errors import InputError
from metrics.measures.units import MIXED
from metrics.results import words

MOSTLY = 0.5
"""Share of the decisions with an option the other side never gives, above which the two may not use one scale."""


def warnings_of_labels(ratings: Ratings, judges: Mapping[str, JudgeScores], order: Order) -> tuple[Warn, ...]:
    """Return what must be known of ordered labels: of their order, and of each judge."""
    out = []
    lacking = order.missing_numbers()
    if lacking:
        named = ", ".join(map(str, lacking[:6]))
        out.append(
            Warn(
                "numbers_missing",
                f"No label is called {named}, so its neighbours count as adjacent. If it is an option, name all {by('--order')}.",
            )
        )
    options_differ = of_own_options(ratings) is not None
    if not options_differ and not order.rises and not (order.source == "labels" and order.reversed):
        out.append(Warn("values_against_order", "The values do not rise with the order, so ranks and distances may disagree."))
    for name, judge in judges.items():
        if text := "" if judge.labelling is None else judge.labelling.sentence():
            out.append(Warn(LABELS_BY_VERDICT, f"{name}: {text}"))
        out += [Warn("degenerate_criterion", f"{name}: {text}") for text in _degenerate(judge)]
        out += (
            _on_other_ends(name, judge)
            or _on_other_options(name, judge)
            or ([_in_two_units(name, judge, MIXED_LABELS)] if judge.two_units else [])
        )
        if not isinstance(judge.coverage, Pairs):
            out += [*unmatched(name, judge.coverage, ratings), *failed(name, judge.coverage, ratings.scheme)]
    return (*out, *votes_apart({name: entry.coverage for name, entry in judges.items() if isinstance(entry.coverage, Coverage)}))


def warnings_of_numbers(judges: Mapping[str, JudgeScores]) -> tuple[Warn, ...]:
    """Return what must be known of numbers on a continuous scale, first of all that the two sides are in two units."""
    lacking = {
        n: judge.coverage.lacking_words(words.shorten(n)) for n, judge in judges.items() if isinstance(judge.coverage, Pairs)
    }
    return (
        *(_in_two_units(name, judge, MIXED) for name, judge in judges.items() if judge.two_units),
        *(warning for name, judge in judges.items() for warning in _on_other_ends(name, judge)),
        *(Warn("without_number", text) for text in lacking.values() if text),
    )


def warnings_of_other_scales(ratings: Ratings, part: Ratings, on: On) -> tuple[Warn, ...]:
    """Return the criteria that are not counted here."""
    others = [name for name in ratings.criteria if name not in part.criteria]
    if not others:
        return ()
    scales = scales_of(ratings)
    named = ", ".join(f"{words.shorten(name)} ({scales.on(name).scale})" for name in others[:6])
    more = f" and {words.count(len(others) - 6)} more" if len(others) > 6 else ""
    what = "with numbers on both sides" if on == "score" else "with ordered labels"
    n = words.count(len(part.criteria))
    sentence = f"{n} of {words.count(len(ratings.criteria))} criteria are counted, those {what}; not {named}{more}."
    return (Warn("other_scales", sentence),)


def _in_two_units(name: str, judge: JudgeScores, mixed: str) -> Warn:
    return Warn("two_units", f"{name}: {two_units_words(judge.two_units, len(judge.criteria), mixed)}")


def _on_other_ends(name: str, judge: JudgeScores) -> list[Warn]:
    if judge.two_units or not judge.other_ends:
        return []
    return [Warn("other_ends", f"{name}: {on_criterion(judge.other_ends, len(judge.criteria))}")]


def _on_other_options(name: str, judge: JudgeScores) -> list[Warn]:
    """Return where the judge mostly gives options that the reference never gives."""
    counts = np.asarray(judge.pooled.confusion)
    share = counts[:, counts.sum(1) == 0].sum() / max(counts.sum(), 1)
    if share <= MOSTLY:
        return []
    what = f"in {words.percent(share)} of decisions the judge gives an option that the reference never gives"
    why = "the two may not use one scale, and then only the correlations can be read"
    return [Warn("other_options", f"{name}: {what}; {why}.")]


def _degenerate(judge: JudgeScores) -> list[str]:
    """Return one sentence for all criteria of a kind: without a decision, and by the side that says one option only."""
    empty = tuple(criterion for criterion, block in judge.criteria.items() if not block.n)
    out = [f"on {words.named(empty, MOST_NAMES)} no decision is left."] if empty else []
    sided = {criterion: block for criterion, block in judge.criteria.items() if block.n and block.one_sided}
    if not sided:
        return out
    side_labels = {block.one_sided for block in sided.values()}
    side, label = next(iter(side_labels)) or ("", "")
    who = f"the {side} says only {label}" if len(side_labels) == 1 else "a side says one option only"
    flat = [criterion for criterion, block in sided.items() if block.values["weighted_kappa_quadratic"] == 0]
    chance = "; κ is then 0 by construction, chance level" if flat else ""
    chance += ", or undefined" if flat and len(flat) < len(sided) else ""
    return [*out, f"on {words.named(tuple(sided), MOST_NAMES)} {who}{chance}, and correlations are undefined."]


def negative_criteria(ratings: Ratings, weights: Mapping[str, float] | None) -> tuple[str, ...]:
    """Return criteria of negative weight, as given or as the rubric in the file has them."""
    unknown = [name for name in weights or {} if name not in ratings.criteria]
    if unknown:
        raise InputError(f"No criterion is called {unknown[0]!r}. Weights can be given to: {', '.join(ratings.criteria[:12])}.")
    given = {criterion.name: criterion.weight for criterion in ratings.source.rubric} if weights is None else weights
    return tuple(name for name, weight in given.items() if weight < 0)


def of_own_options(ratings: Ratings) -> tuple[str, str] | None:
    """Return two criteria whose options in the rubric of the file have no label in common; None where there are no such two."""
    labels_by_criterion = {
        criterion.name: {normalise(label) for label, _ in criterion.options}
        for criterion in ratings.source.rubric
        if criterion.options
    }
    pairs = combinations([name for name in ratings.criteria if name in labels_by_criterion], 2)
    return next(((first, other) for first, other in pairs if not labels_by_criterion[first] & labels_by_criterion[other]), None)


def rubric_values(ratings: Ratings) -> dict[str, float] | None:
    """Return what the rubric in the file says the options are worth.

    None where it says nothing, or no one thing of an option.
    """
    options_by_criterion = {
        criterion.name: criterion.options for criterion in ratings.source.rubric if criterion.scale == "ordinal"
    }
    pairs = {(label, value) for name in ratings.criteria for label, value in options_by_criterion.get(name, ())}
    value_by_label = dict(pairs)
    return (
        value_by_label
        if value_by_label and len(value_by_label) == len(pairs) and all(name in options_by_criterion for name in ratings.criteria)
        else None
    )
