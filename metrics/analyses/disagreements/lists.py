"""The decisions on which judge and people differ, as tables and judge by judge: the report of `disagreements`, and its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Any

import numpy as np
import pandas as pd

from metrics.analyses.agreement.decisions import any_row, decision_frame, free_texts, reason_of, refuse_tally, state_names
from metrics.analyses.disagreements.listing import Ints, Listing, Mask, Rows, listing_of
from metrics.analyses.disagreements.query import NO_ITEMS, ROWS, Matches, Query, find, opening
from metrics.analyses.records import Declaration
from metrics.analyses.review.changes import AGAINST
from metrics.analyses.settings import Settings, declaration_of, settings_of
from metrics.asker import flag, worded
from metrics.data.abstention import MODES
from metrics.data.arguments import one_of
from metrics.data.checks import takes_ratings
from metrics.data.item_texts import item_texts
from metrics.data.pairs import reference_states, verdicts
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.results import words
from metrics.results.report import Json, Report

MOST = 20
"""Decisions of a list that its text shows."""
SIDES = ("human: ", "judge: ")
"""How the names of columns of labels begin."""
SNIPPET = 160
"""Letters of a text beside its item."""
WHY, JUDGES_WRONG = "why", "judges wrong"


@dataclass(frozen=True)
class DecisionList:
    """Decisions of one kind, the clearest disagreement first.

    Attributes
    ----------
    rows : Rows
        Which decisions.
    reading : str
        How many there are, of how many.
    columns : tuple of str
        Item, criterion, the reference, labels and reasons of everybody, and the file's other columns.
    decisions : tuple of mapping
        By column, JSON-ready.
    wrong : tuple of (int, int)
        Of each decision, judges that are wrong and judges that answered; empty without other judges of labels.
    """

    rows: Rows
    reading: str
    columns: tuple[str, ...]
    decisions: tuple[Mapping[str, Any], ...]
    wrong: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, eq=False)
class DisagreementReport(Report):
    """Lists of decisions by judge.

    Attributes
    ----------
    judges : mapping of str to DecisionList
        Of raters without a judge, or without a human, one list under "".
    """

    TEXT, OF = "analyses.disagreements.lists", "a list of disagreements"

    declaration: Declaration
    judges: Mapping[str, DecisionList]

    def to_dict(self) -> Json:
        """Return the JSON object of the command `disagreements`."""
        lists = {
            name: {
                "rows": listed.rows,
                "n": len(listed.decisions),
                "reading": listed.reading,
                "decisions": list(listed.decisions),
            }
            for name, listed in self.judges.items()
        }
        among = {"raters": lists.pop("")} if "" in lists else {}
        return {"version": 1, "declaration": self.declaration.to_dict(), "judges": lists, **among}

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each decision, with the judge in whose list it is."""
        parts = []
        for name, listed in self.judges.items():
            part = pd.DataFrame(list(listed.decisions), columns=list(listed.columns))
            if name:
                part.insert(0, "judge (list)" if "judge" in part else "judge", name)
            parts.append(part)
        return pd.concat(parts, ignore_index=True)


@takes_ratings
def disagreement_lists(ratings: Ratings, rows: str = "", **choices: Any) -> DisagreementReport:
    """Return the decisions on which each judge differs from the reference; without a judge those on which raters differ.

    Parameters
    ----------
    ratings : Ratings
    rows : str
        Other decisions: "no_verdict", "most", "people", "judges", "check", "all". By default those on which the sides differ.
    **choices
        As `metrics.agreement` takes them.

    Raises
    ------
    InputError
        As `metrics.agreement`; for a table of counts, and for rows that the file does not have.
    """
    refuse_tally(ratings)
    if not ratings.has_items or not ratings.has_rows:
        raise InputError(f"{ratings.source.name}: {NO_ITEMS}")
    judged = bool(ratings.judges) and bool(ratings.humans)
    settings = settings_of(ratings, scores=True, interval="none", **choices) if judged else _of_raters(ratings, **choices)
    by_judge = {name: replace(settings, judges=(name,)) for name in settings.judges} if judged else {"": settings}
    return DisagreementReport(
        declaration_of(ratings, settings), {name: _listed(ratings, settings, rows) for name, settings in by_judge.items()}
    )


def _of_raters(
    ratings: Ratings, abstention: str = "exclude", handling: Mapping[str, Any] | None = None, **others: Any
) -> Settings:
    """Return the choices that raters among each other have."""
    for name in ("judges", "reference"):
        if (given := others.get(name, "auto")) not in ("auto", None):
            missing = "human" if not ratings.humans else "judge"
            mend = f"Leave {flag(f'--{name}', given)} out, or say who is a {missing}"
            raise InputError(
                f"{ratings.source.name}: no {missing} is among the raters, so they are listed among each other. {mend}."
            )
    return Settings(one_of("abstention mode", abstention, MODES), handling=tuple((handling or {}).items()) or None)  # type: ignore[arg-type]


def _listed(ratings: Ratings, settings: Settings, rows: str) -> DecisionList:
    listing = listing_of(ratings, settings)
    query = Query(one_of("rows", rows or listing.first, tuple(listing.kinds)))
    matches = find(listing, query)
    frame = listed_frame(listing, matches, query)
    records: Any = frame.astype(object).where(frame.notna(), None).to_dict("records")
    wrong: tuple[tuple[int, int], ...] = ()
    if listing.judge is not None and listing.numbers is None and len(ratings.judges) > 1:
        answered, differ = (counts[matches.decisions].tolist() for counts in listing.n_answered)
        wrong = tuple(zip(differ, answered, strict=True))
    return DecisionList(query.rows, opening(listing), tuple(map(str, frame)), tuple(records), wrong)


def summary(report: DisagreementReport) -> str:
    """Return the first decisions of each list with labels and reasons; JSON and the table have all of them, and texts."""
    d = report.declaration
    mode = "" if d.abstention == "exclude" else f", abstentions {d.abstention}"
    reference = "" if "" in report.judges else f", reference: {d.reference_words()}"
    parts = [f"{words.plain(d.file_words)}, {d.scale_words()}{reference}{mode}"]
    first = next(iter(report.judges.values()))
    # On which decisions most judges err is the same for each of them.
    lists = {"": replace(first, reading="")} if first.rows == "most" else report.judges
    for name, listed in lists.items():
        parts.append("\n".join(_list_lines(listed, name, several=len(d.criteria) > 1)))
    return "\n\n".join(parts)


def _list_lines(listed: DecisionList, judge: str, *, several: bool) -> Iterator[str]:
    """Yield a list as lines: how many decisions, and each of them."""
    yield f"{listed.reading} {ROWS[listed.rows]}: {words.several(len(listed.decisions), 'decisions')}.".lstrip()
    for record, wrong in islice(zip_longest(listed.decisions, listed.wrong), MOST):
        yield from _lines(record, judge, wrong, several=several)
    if (more := len(listed.decisions) - MOST) > 0:
        where = worded("--out list.csv writes", "to_frame() has", "the download has")
        yield f"  {words.count(more)} more after these {MOST}: {where} all of them."


def _lines(record: Mapping[str, Any], judge: str, wrong: tuple[int, int] | None, *, several: bool) -> Iterator[str]:
    """Yield a decision as lines: where it is, what people and the judge say, and why."""
    yield f"  {' · '.join(words.plain(record[name]) for name in ('item', 'criterion')[: 1 + several])}"
    side = f"{SIDES[1]}{judge}"
    columns = [name for name in record if name.startswith(SIDES[0]) or (name.startswith(SIDES) and not judge)]
    columns += [name for name in record if judge and name in (side, reason_of(side))]
    reasons = [name for name in columns if name.endswith(reason_of(""))]
    labels = {
        "reference": record.get("reference"),
        **{name[len(SIDES[0]) :]: record[name] for name in columns if name not in reasons},
    }
    if judge and labels[judge] in (None, ""):
        labels[judge] = "no verdict"
    parts = [f"{words.shorten(who)} {words.shorten(label)}" for who, label in labels.items() if label not in (None, "")]
    if wrong and wrong[1]:
        parts.append(f"{words.count(wrong[0])} of {words.several(wrong[1], 'judges')} wrong")
    yield f"    {' · '.join(parts)}"
    spoken = ((name[len(SIDES[0]) :].removesuffix(reason_of("")), record[name]) for name in reasons)
    yield from (f"    {words.shorten(who)}: {cut(reason)}" for who, reason in spoken if reason)


def listed(
    listing: Listing, matches: Matches, query: Query, first: int, last: int, *, blind: bool = False
) -> dict[str, list[object]]:
    """Return the items of a list from one place to another, a row each, with its clearest decision there.

    Parameters
    ----------
    listing : Listing
    matches : Matches
    query : Query
        Whose list it is.
    first, last : int
        Places in the list; the last is not included.
    blind : bool
        Without what anybody says of the decisions.
    """
    ratings = listing.ratings
    places = range(first, min(last, len(matches.items)))
    clearest = matches.decisions[matches.starts[list(places)]] if places else np.zeros(0, np.int64)
    columns: dict[str, list[object]] = {"item": [words.plain(str(ratings.items[int(matches.items[place])])) for place in places]}
    if len(ratings.criteria) > 1 and listing.numbers is None:
        disputed = listing.disputed(query.rows)
        columns["criteria"] = [_named(listing, matches.of(place), disputed) for place in places]
    elif len(ratings.criteria) > 1:
        columns["criterion"] = [ratings.criteria[place] for place in listing.cells.criterion[clearest]]
    alone = "criteria" not in columns or bool((np.diff(matches.starts)[list(places)] == 1).all())
    if listing.judge is not None and alone and not blind:
        columns["reference"], columns["judge"] = _both(listing, clearest)
    whom = _whom(listing, query.rows)
    columns[whom or WHY] = [] if blind else [text.removeprefix(f"{whom}: ") for text in why(listing, query.rows, clearest)]
    if texts := item_texts(ratings)[:1]:
        snippets = free_texts(ratings, any_row(ratings)[clearest], texts)[texts[0]]
        columns[texts[0] if texts[0] not in columns else f"{texts[0]} (file)"] = [cut(text) for text in snippets]
    return {name: cells for name, cells in columns.items() if any(cells) or name == "item"}


def _named(listing: Listing, decisions: Ints, disputed: Mask) -> str:
    """Return the criteria for which an item is on a list; of an item that is there as a whole, the disputed ones."""
    decisions = decisions[disputed[decisions]] if listing.by_item else decisions
    names = [words.shorten(listing.ratings.criteria[place]) for place in listing.cells.criterion[decisions]]
    return words.listed(names, words.MOST_NAMED)


def cut(text: object) -> str:
    """Return a text on one line, cut to `SNIPPET` letters."""
    shown = words.plain("" if text is None else text)
    return shown if len(shown) <= SNIPPET else f"{shown[: SNIPPET - 1].rstrip()}{words.ELLIPSIS}"


def _both(listing: Listing, cells: Ints) -> tuple[list[object], list[object]]:
    """Return what reference and judge say, as they stand in the file."""
    assert listing.judge is not None
    if listing.numbers is not None:
        sides = listing.numbers.reference[cells], listing.numbers.judge[cells]
        return [words.number(x) for x in sides[0]], [words.number(x) for x in sides[1]]
    names = state_names(listing.ratings)
    states = reference_states(listing.ratings, listing.settings.reference), verdicts(listing.ratings, listing.judge.name, "judge")
    return names[states[0][cells]].tolist(), names[states[1][cells]].tolist()


def why(listing: Listing, rows: Rows, cells: Ints) -> list[str]:
    """Return what makes each decision a clear disagreement, in a few words; empty where there is nothing to say.

    Parameters
    ----------
    listing : Listing
    rows : Rows
        What the list is about.
    cells : ndarray of int64, shape (n,)
    """
    votes = listing.votes(rows)
    if votes is not None:
        return [_votes(votes[cell], listing.labels) for cell in cells]
    if listing.numbers is not None:
        return [_apart(listing, rows, int(cell)) for cell in cells]
    if rows == "most":
        of, wrong = (counts[cells].tolist() for counts in listing.n_answered)
        return [f"{words.count(n)} of {words.several(m, 'judges')} wrong" if m else "" for n, m in zip(wrong, of, strict=True)]
    speaks = listing.speaks(rows)
    if speaks is None:
        return [""] * len(cells)
    rows_of = np.searchsorted(speaks.place, cells)
    there = np.append(speaks.place, -1)[rows_of] == cells
    texts = (speaks.telling(row).why if known else "" for row, known in zip(rows_of.tolist(), there.tolist(), strict=True))
    return [f"{_whom(listing, rows)}: {text}" if text else "" for text in texts]


def _whom(listing: Listing, rows: Rows) -> str:
    """Return against whom that speaks which makes a disagreement clear; empty where it is votes or a distance."""
    if listing.numbers is not None or listing.votes(rows) is not None or rows == "most":
        return ""
    return "against the other judge" if rows == "only_judge" else AGAINST


def _votes(votes: Ints, labels: tuple[str, ...]) -> str:
    given = sorted(((int(n), name) for n, name in zip(votes, labels, strict=True) if n), reverse=True)
    return " · ".join(f"{words.count(n)} × {words.shorten(name)}" for n, name in given)


def _apart(listing: Listing, rows: Rows, cell: int) -> str:
    assert listing.numbers is not None
    numbers = listing.numbers
    if rows == "people" or listing.judge is None:
        return f"people from {words.number(numbers.lowest[cell])} to {words.number(numbers.highest[cell])}"
    distance = float(numbers.distance[cell])
    if distance < 0:
        return ""
    return f"{words.percent(distance)} of the ranks apart" if numbers.by_rank else f"{words.number(distance)} apart"


def listed_frame(listing: Listing, matches: Matches, query: Query) -> pd.DataFrame:
    """Return every decision of a list, a row each, in its order: labels and reasons of everybody, and the file's other columns.

    Where several judges give labels, a column counts the judges that are wrong.

    Parameters
    ----------
    listing : Listing
    matches : Matches
    query : Query
        Whose list it is.

    Raises
    ------
    InputError
        For a tally.
    """
    ratings = listing.ratings
    name = "" if listing.judge is None else listing.judge.name
    others = [judge for judge in ratings.judges if judge != name]
    frame = decision_frame(ratings, name, listing.settings, matches.decisions, None, others)
    disputed = (listing.differs if query.rows == "most" else listing.disputed(query.rows))[matches.decisions]
    ours: dict[str, Any] = {
        "disagreement": ["yes" if there else "no" for there in disputed],
        WHY: why(listing, query.rows, matches.decisions),
    }
    if name and listing.numbers is not None:
        frame["reference"] = listing.numbers.reference[matches.decisions]
        frame[f"judge: {name}"] = listing.numbers.judge[matches.decisions]
    elif name and others:
        ours[JUDGES_WRONG] = listing.n_answered[1][matches.decisions]
    for place, (name, cells) in enumerate(ours.items(), 2):
        frame.insert(place, f"{name} (list)" if name in frame else name, cells)
    return frame
