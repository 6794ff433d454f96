"""The decisions on which judge and people differ, judge by judge: the report of the command `disagreements`, and its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Any

import pandas as pd

from metrics.analyses.agreement.decisions import reason_of, refuse_tally
from metrics.analyses.disagreements.listing import Rows, listing_of
from metrics.analyses.disagreements.query import Query, find
from metrics.analyses.disagreements.readings import NO_ITEMS, ROWS, opening
from metrics.analyses.disagreements.tables import cut, listed_frame
from metrics.analyses.records import Declaration
from metrics.analyses.settings import Settings, declaration_of, settings_of
from metrics.asker import flag, worded
from metrics.data.abstention import MODES
from metrics.data.arguments import one_of
from metrics.data.checks import takes_ratings
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.results import words
from metrics.results.report import Json, Report

MOST = 20
"""Decisions of a list that its text shows."""
SIDES = ("human: ", "judge: ")
"""How the names of columns of labels begin."""


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
