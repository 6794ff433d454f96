"""Which items to read first: where most judges err, or where raters disagree most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.overview.result import Decision, ItemRow
from metrics.analyses.raters.adjudicating import entropy_of
from metrics.analyses.raters.units import Units
from metrics.analyses.review.informative import USUAL, steps_apart, sureness
from metrics.analyses.scores.scored import numbers_of_cells
from metrics.analyses.settings import Settings
from metrics.data.abstention import mode_labels, mode_map, on_axis
from metrics.data.pairs import cells_of, reference_states, verdicts, votes_of
from metrics.data.ratings import Ratings
from metrics.results import words

MOST = 5
NO_ROWS = "a table of counts, or a tally, has no single items"
TWO_UNITS = "the two sides are in two units"
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Chosen:
    """Items to read first.

    Attributes
    ----------
    n : int
        Items that could have been chosen.
    why_none : str
        Why there is none; empty where there are some.
    alike : bool
        Whether others are as bad as the last of them, so that the order of the file chose.
    """

    rows: tuple[ItemRow, ...]
    n: int
    why_none: str = ""
    alike: bool = False


def wrong_items(ratings: Ratings, settings: Settings, weakest: Sequence[str] = ()) -> Chosen:
    """Return the items on which the judge, or most judges that answer, differ from the reference.

    First those with most such decisions; then with most wrong verdicts on them; then those farthest apart in an order; then those
    with more people for the reference, less those against it; then those on which a judge is surest by its score; then those
    wrong on the weakest criterion; then as in the file.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
        With judges.
    weakest : sequence of str
        Criteria, the weakest first.
    """
    if not ratings.has_items or not ratings.has_rows:
        return Chosen((), 0, NO_ROWS)
    scheme, mode, cells = settings.on(ratings).scheme, settings.abstention, cells_of(ratings)
    reference = on_axis(reference_states(ratings, settings.reference), scheme, mode)
    sides = np.stack([on_axis(verdicts(ratings, name, "judge"), scheme, mode) for name in settings.judges])
    answered = (sides >= 0) & (reference >= 0)
    wrong = answered & (sides != reference)
    n_wrong, n_answered = wrong.sum(0), answered.sum(0)
    places = np.flatnonzero(2 * n_wrong > n_answered)
    if not len(places):
        return Chosen((), 0, "the judge differs from the reference on none" if len(sides) == 1 else "most judges err on none")
    steps = np.where(wrong, _steps(ratings, mode_labels(scheme, mode), reference, sides), 0).max(0)
    votes = votes_of(ratings, ratings.humans, "human") @ mode_map(scheme, mode).T
    with_reference = np.where(reference >= 0, votes[np.arange(len(votes)), np.maximum(reference, 0)], 0)
    lead = 2 * with_reference - votes.sum(1)
    sure = _surest(ratings, settings, sides, wrong, places)
    items, group = np.unique(cells.item[places], return_inverse=True)
    n_decisions, n_verdicts = np.bincount(group), np.bincount(group, weights=n_wrong[places])
    farthest, most_lead, surest = (_largest(group, values) for values in (steps[places], lead[places], sure))
    strength = np.array([weakest.index(name) if name in weakest else len(weakest) for name in ratings.criteria])
    weak = _largest(group, -strength[cells.criterion[places]])
    ranked = np.stack([n_decisions, n_verdicts, farthest, most_lead, np.nan_to_num(surest, nan=-np.inf), weak])
    order = np.lexsort((items, *-ranked[::-1]))
    alike = len(order) > MOST and bool((ranked[:, order[MOST - 1]] == ranked[:, order[MOST]]).all())
    labels = np.array([*mode_labels(scheme, mode), ""], dtype=object)
    rows = []
    for at in order[:MOST].tolist():
        those = places[group == at]
        decisions = tuple(
            Decision(
                ratings.criteria[cells.criterion[cell]], str(labels[reference[cell]]),
                {name: str(labels[sides[j, cell]]) for j, name in enumerate(settings.judges)},
            )
            for cell in those
        )  # fmt: skip
        n_rated = int((n_answered[cells.item == items[at]] > 0).sum())
        why = " · ".join(_reasons(ratings, decisions, (n_wrong[those], n_answered[those]), n_rated))
        if farthest[at] > 1:
            why += f" · {'up to ' if len(those) > 1 else ''}{words.several(int(farthest[at]), 'steps')} apart"
        if (voters := votes[those].sum(1)).min() > 1:
            why += f" · {words.count(with_reference[those].sum())} of {words.several(int(voters.sum()), 'human votes')} say so"
        if surest[at] > USUAL:
            why += " · the judge is sure" if len(sides) == 1 else " · a judge is sure"
        rows.append(ItemRow(str(ratings.items[int(items[at])]), int(items[at]), decisions, why))
    return Chosen(tuple(rows), len(items), alike=alike)


def _largest(group: Ints, values: NDArray[np.float64] | Ints) -> NDArray[np.float64]:
    """Return largest value of each group; NaN where all of its values are."""
    largest = np.full(int(group.max()) + 1, np.nan)
    np.fmax.at(largest, group, values.astype(np.float64))
    return largest


def _surest(ratings: Ratings, settings: Settings, sides: Ints, wrong: NDArray[np.bool_], places: Ints) -> NDArray[np.float64]:
    """Return how sure the surest judge that errs is by its score, shape (n,); NaN where none has one."""
    sure = [
        np.where(wrong[j, places], sureness(ratings, name, places, sides[j]), np.nan) for j, name in enumerate(settings.judges)
    ]
    return np.asarray(np.fmax.reduce(np.stack(sure)))


def _reasons(ratings: Ratings, decisions: Sequence[Decision], verdicts: tuple[Ints, Ints], n_rated: int) -> Iterator[str]:
    names = words.listed([words.shorten(decision.criterion) for decision in decisions], words.MOST_NAMED)
    on = f"on {words.count(len(decisions))} of {words.several(n_rated, 'criteria')}: {names}" if len(ratings.criteria) > 1 else ""
    if len(decisions[0].labels) > 1:
        n_wrong, n_answered = int(verdicts[0].sum()), int(verdicts[1].sum())
        yield f"{words.count(n_wrong)} of {words.several(n_answered, 'verdicts')} of the judges wrong{f' {on}' if on else ''}"
        return
    if on and n_rated > 1:
        yield f"wrong {on}"
    elif on:
        yield f"wrong on {names}"
    else:
        label = next(iter(decisions[0].labels.values()))
        yield f"judge {words.marked(words.shorten(label))}, reference {words.marked(words.shorten(decisions[0].reference))}"


def _steps(ratings: Ratings, labels: tuple[str, ...], reference: Ints, sides: Ints) -> Ints:
    """Return places apart in the order of the labels, shape (J, n); 0 without an order."""
    if not 3 <= len(labels) <= ratings.scheme.n_classes:
        return np.zeros(sides.shape, np.int64)
    return steps_apart(ratings.scheme, reference, sides)


def far_items(ratings: Ratings, settings: Settings, two_units: Sequence[str]) -> Chosen:
    """Return the items on which the judges' numbers lie farthest from the reference's.

    Of several criteria a distance counts in standard deviations of the reference's numbers on its own: one of 1 to 100 would
    else hide one of 0 to 1.

    Parameters
    ----------
    ratings : Ratings
        With numbers.
    settings : Settings
        With judges.
    two_units : sequence of str
        Criteria on which the two sides' numbers cannot be compared.
    """
    if not ratings.has_items or not ratings.has_rows:
        return Chosen((), 0, NO_ROWS)
    cells = cells_of(ratings)
    sides = [numbers_of_cells(ratings, name, settings.reference) for name in settings.judges]
    reference, numbers = sides[0][0], np.stack([number for _, number in sides])
    distances = np.abs(numbers - reference)
    distances[:, np.isin(cells.criterion, [ratings.criteria.index(name) for name in two_units])] = np.nan
    known = np.flatnonzero(~np.isnan(distances).all(0))
    far, spread = np.zeros(len(cells)), _spread(reference, cells.criterion)
    far[known] = np.nanmedian(distances[:, known], axis=0)
    order = known[np.lexsort((known, -(far / spread)[known]))]
    order = order[far[order] > 0]
    first = order[np.sort(np.unique(cells.item[order], return_index=True)[1])]
    if not len(first):
        return Chosen((), 0, "no number of a judge differs from the reference’s" if len(known) else TWO_UNITS)
    rows = []
    for cell in first[:MOST].tolist():
        criterion = ratings.criteria[cells.criterion[cell]]
        given = {name: words.number(x) for name, x in zip(settings.judges, numbers[:, cell], strict=True) if np.isfinite(x)}
        on = f" on {words.shorten(criterion)}" if len(ratings.criteria) > 1 else ""
        usual = f"median of {words.several(len(given), 'judges')} " if len(given) > 1 else ""
        size = f", {words.number(far[cell] / spread[cell])} standard deviations of the reference there" if on else ""
        why = f"{usual}{words.number(far[cell])} from the reference{on}{size}"
        place = int(cells.item[cell])
        rows.append(ItemRow(str(ratings.items[place]), place, (Decision(criterion, words.number(reference[cell]), given),), why))
    last = (far / spread)[first[MOST - 1 : MOST + 1]]
    return Chosen(tuple(rows), len(first), alike=len(last) > 1 and bool(last[0] == last[1]))


def _spread(reference: NDArray[np.float64], criterion: NDArray[np.signedinteger]) -> NDArray[np.float64]:
    """Return the standard deviation of the reference's numbers on the criterion of each cell; where it has one number only, the
    largest of the others.
    """
    spreads = np.zeros(int(criterion.max(initial=0)) + 1)
    for place in range(len(spreads)):
        numbers = reference[(criterion == place) & np.isfinite(reference)]
        spreads[place] = numbers.std() if len(numbers) else 0.0
    spreads[spreads == 0] = spreads.max() or 1.0
    return np.asarray(spreads[criterion])


def disputed_items(ratings: Ratings, units: Units) -> Chosen:
    """Return the items on which raters disagree most: first the most even votes, then the most votes, then as in the file.

    Parameters
    ----------
    ratings : Ratings
    units : Units
        Of these ratings.
    """
    if not ratings.has_rows:
        return Chosen((), 0, NO_ROWS)
    votes = units.votes
    entropy = entropy_of(votes)
    split = np.flatnonzero(entropy > 0)
    if not len(split):
        return Chosen((), 0, "the raters never differ")
    split = split[np.lexsort((split, -votes[split].sum(1), -entropy[split]))]
    first = split[np.sort(np.unique(units.item[split], return_index=True)[1])]
    rows = []
    for place in first[:MOST].tolist():
        criterion = ratings.criteria[units.criterion[place]]
        labels = {
            rater: units.classes[label]
            for rater, label in zip(units.raters, units.labels[place].tolist(), strict=True)
            if label >= 0
        }
        shares = sorted(((int(n), name) for n, name in zip(votes[place], units.classes, strict=True) if n), reverse=True)
        on = f" on {words.shorten(criterion)}" if len(ratings.criteria) > 1 else ""
        said = " and ".join(f"{words.count(n)} {words.marked(words.shorten(name))}" for n, name in shares[: words.MOST_NAMED])
        why = f"votes split{on}: {said}"
        rows.append(
            ItemRow(str(ratings.items[int(units.item[place])]), int(units.item[place]), (Decision(criterion, "", labels),), why)
        )
    last, following = (votes[first[place]] if place < len(first) else None for place in (MOST - 1, MOST))
    alike = last is not None and following is not None and sorted(last.tolist()) == sorted(following.tolist())
    return Chosen(tuple(rows), len(first), alike=alike)
