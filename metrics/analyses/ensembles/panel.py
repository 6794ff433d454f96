"""A panel of judges as a judge of its own: one more rater, whose verdict is what its judges say together.

Its verdicts stand in no row of the file; they are ratings like all others, and so are those of a majority of runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from metrics.data.arguments import one_of
from metrics.data.checks import takes_ratings
from metrics.data.labels import NO_VERDICT, Scheme
from metrics.data.pairs import cells_of, votes_of
from metrics.data.ratings import Panel, PanelRule, Rater, Ratings, named_judges
from metrics.data.scales import refuse_scores
from metrics.data.vocabulary import normalise
from metrics.data.votes import majority_vote
from metrics.errors import InputError

RULES: tuple[PanelRule, ...] = get_args(PanelRule)


@takes_ratings
def with_panel(
    ratings: Ratings,
    rule: str = "majority",
    judges: Sequence[str] | None = None,
    *,
    quorum: int | None = None,
    name: str | None = None,
) -> Ratings:
    """Return the ratings with one judge more: a panel.

    The panel goes through everything a judge goes through. `Source.panels`, a note and the declaration say what it is.

    Parameters
    ----------
    rule : {"majority", "unanimous", "any"}
        `majority`: the answer most of its judges gave. `unanimous`: the answer all gave. `any`: positive where a judge
        says so; else no verdict where a judge gave none; else negative. A tie, and a unanimous panel that differs, are
        abstentions. As for several humans, "no verdict" is an answer that can win. Of a unanimous panel that is positive
        only where all are, take `abstention="as_unmet"`.
    judges : sequence of str, optional
        Default: all judges of the file. A panel cannot sit on a panel.
    quorum : int, optional
        Judges that must have answered; fewer, and the panel has no rating there. Default: more than half of them. A failed
        call and a missing row are no answer; the judges who answered decide.
    name : str, optional
        Default: the rule and how many, `majority of 3 judges`.

    Returns
    -------
    Ratings
        Of the given ones only the tallies are new. The panel has no scores; its rows are those of its first judge there.

    Raises
    ------
    InputError
        For an unknown rule or judge, fewer than two judges, a table of counts, the rule `any` where no label is positive, a
        quorum that is none, a name that a judge has, and a panel that never reaches its quorum.
    """
    members = panel_judges(ratings, judges)
    chosen = rule_of(ratings.scheme, rule)
    needed = _quorum(quorum, len(members))
    votes = votes_of(ratings, members, "judge")
    answers = votes[:, : ratings.scheme.state("error")].sum(1)
    speaks = answers >= needed
    if not speaks.any():
        raise InputError(f"{ratings.source.name}: on no decision did {needed} of these {len(members)} judges answer.")
    called = _name(ratings, name, chosen, len(members))
    failed, times = votes[:, ratings.scheme.state("error")], ratings.weight[cells_of(ratings).item]
    panel = Panel(
        called, chosen, members, needed, int(times @ speaks), int(times @ (speaks & (answers < len(members)))),
        int(times @ (~speaks & (answers + failed > 0))), int(times @ failed),
    )  # fmt: skip
    return _added(ratings, panel, _verdicts(votes, ratings.scheme, chosen), np.flatnonzero(speaks))


def panel_judges(ratings: Ratings, judges: Sequence[str] | None) -> tuple[str, ...]:
    """Return the judges of a panel, checked: those named, or all that are no panel themselves, in the order of the file."""
    refuse_scores(ratings)
    if not ratings.has_items:
        raise InputError(f"{ratings.source.name}: a table of counts does not say which judges met. Use a file of ratings.")
    panels = {panel.name for panel in ratings.source.panels}
    free = [name for name in ratings.judges if name not in panels]
    asked = dict.fromkeys(named_judges(ratings, free if judges is None else judges))
    for name in asked:
        if name in panels:
            raise InputError(f"{name!r} is a panel. Name the judges of which it is made.")
    members = tuple(name for name in free if name in asked)
    if len(members) < 2:
        raise InputError(f"{ratings.source.name}: a panel needs two or more judges; there is {len(members) or 'none'}.")
    return members


def panel_words(panel: Panel) -> str:
    """Return what a panel is, and on what it speaks, as the notes of the ratings say it."""
    many, most = len(panel.judges), 12
    who = ", ".join(panel.judges[:most]) + (f" and {many - most} more" if many > most else "")
    rule_text = {
        "majority": "the answer most of them gave; a tie is no verdict",
        "unanimous": "the answer all of them gave; else no verdict",
        "any": "positive where one of them says so",
    }[panel.rule]
    gaps = f", {panel.n_incomplete} of them answered by fewer than {many}" if panel.n_incomplete else ""
    out = f"; on {panel.n_below_quorum} more too few answered" if panel.n_below_quorum else ""
    failed = f" {panel.n_failed} calls of its judges failed and are no answers." if panel.n_failed else ""
    return (
        f"‘{panel.name}’ is a panel, no judge of the file. It is made of {who}: "
        f"{rule_text}. It speaks where {panel.quorum} or more "
        f"of them answered: on {panel.n_decisions} decisions{gaps}{out}.{failed}"
    )


def rule_of(scheme: Scheme, rule: str) -> PanelRule:
    """Return the rule of a panel, checked against the scale."""
    panel_rule = one_of("rule", rule, RULES, " of a panel")
    if panel_rule == "any" and scheme.scale != "binary":
        raise InputError("The rule any needs a positive label; these labels are classes. Use majority or unanimous.")
    return panel_rule


def _quorum(quorum: int | None, n: int) -> int:
    if quorum is None:
        return n // 2 + 1
    if not 1 <= quorum <= n:
        raise InputError(f"The quorum of a panel of {n} must be between 1 and {n}, not {quorum}.")
    return int(quorum)


def _name(ratings: Ratings, name: str | None, rule: PanelRule, n: int) -> str:
    if name is not None:
        if name in ratings.judges:
            raise InputError(f"{ratings.source.name}: a judge is called {name!r} already. Give the panel another name.")
        return name
    plain = f"{rule} of {n} judges"
    names = (plain if number == 1 else f"{plain} ({number})" for number in range(1, len(ratings.judges) + 2))
    return next(candidate for candidate in names if candidate not in ratings.judges)


def _verdicts(votes: NDArray[np.int32], scheme: Scheme, rule: PanelRule) -> NDArray[np.int8]:
    """Return the state of the panel on every cell, shape (n_cells,), from votes of shape (n_cells, n_states)."""
    if rule != "any":
        return majority_vote(votes, scheme, unanimous=rule == "unanimous")
    silent = votes[:, scheme.n_classes : scheme.state("error")].any(1)
    open_or_not = np.where(silent, scheme.state("abstention"), 1)
    return np.where(votes[:, 0] > 0, 0, open_or_not).astype(np.int8)


def _added(ratings: Ratings, panel: Panel, states: NDArray[np.int8], places: NDArray[np.int64]) -> Ratings:
    """Return the ratings with a panel's verdicts on some of the cells."""
    spoken = with_abstention_label(ratings) if (states[places] == ratings.scheme.state("abstention")).any() else ratings
    cells, n = cells_of(ratings), len(places)
    score = spoken.score
    source = replace(
        spoken.source, panels=(*spoken.source.panels, panel), notes=(*spoken.source.notes, panel_words(panel))
    )  # fmt: skip
    return replace(
        spoken,
        source=source,
        raters=(*spoken.raters, Rater(panel.name, "judge")),
        item=np.concatenate([spoken.item, cells.item[places]]),
        criterion=np.concatenate([spoken.criterion, cells.criterion[places]]),
        rater=np.concatenate([spoken.rater, np.full(n, len(spoken.raters), np.int32)]),
        label=np.concatenate([spoken.label, labels_of(spoken, states[places])]),
        row=np.concatenate([spoken.row, _rows(ratings, panel.judges)[places]]),
        score=None if score is None else np.concatenate([score, np.full(n, np.nan)]),
        memo={},
    )


def _rows(ratings: Ratings, judges: Sequence[str]) -> NDArray[np.int64]:
    """Return data row of the first of some judges on every cell; 0 where there is none."""
    asked = np.array([rater.role == "judge" and rater.name in judges for rater in ratings.raters])[ratings.rater]
    places = np.flatnonzero(asked)
    order = places[np.argsort(ratings.rater[places], kind="stable")][::-1]
    rows = np.zeros(len(cells_of(ratings)), np.int64)
    rows[cells_of(ratings).of_rating[order]] = ratings.row[order]
    return rows


def with_abstention_label(ratings: Ratings) -> Ratings:
    """Return the ratings with a label for "no verdict", which a tie of verdicts needs and a file without abstentions lacks."""
    states = ratings.scheme.states(ratings.labels)
    if (states == ratings.scheme.state("abstention")).any():
        return ratings
    named = next(iter(ratings.scheme.of("abstention")), None)
    label = named or _free(NO_VERDICT, [label for label, _ in ratings.scheme.kinds])
    kinds = ratings.scheme.kinds if named else (*ratings.scheme.kinds, (label, "abstention"))
    return replace(ratings, labels=(*ratings.labels, label), scheme=replace(ratings.scheme, kinds=kinds), memo={})


def labels_of(ratings: Ratings, states: NDArray[np.int8]) -> NDArray[np.int32]:
    """Return a label of each state, as code.

    Parameters
    ----------
    ratings : Ratings
    states : ndarray of int8, shape (n,)
        Every one must be that of a label.

    Returns
    -------
    ndarray of int32, shape (n,)
    """
    first = np.full(ratings.scheme.n_states, -1, np.int32)
    meaning = ratings.scheme.states(ratings.labels)
    first[meaning[::-1]] = np.arange(len(meaning), dtype=np.int32)[::-1]
    codes: NDArray[np.int32] = first[states]
    return codes


def _free(name: str, taken: list[str]) -> str:
    forms = {normalise(label) for label in taken}
    free_name = name
    while normalise(free_name) in forms:
        free_name += " (panel)"
    return free_name
