"""Who abstains, and on what: rates by label, criterion, prompt and judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics.analyses.abstention import readings
from metrics.analyses.abstention.nonresponse import NO_VERDICT, SPLIT, Group
from metrics.analyses.abstention.shares import Share
from metrics.analyses.abstention.tables import groups_table
from metrics.analyses.agreement.coverage import split_votes_sentence
from metrics.figures.rates import alt, silence_rates
from metrics.results.tables import as_text, in_full
from metrics.results.words import count, uncapital
from pages.shared import asking, parts, sheets, state
from pages.shared.abstention.answers import ModeReports, judges_of, silence_of
from pages.shared.plain import emphasis

BY = "abstention_by"
BY_NAMES = {"criterion": "Criterion", "prompt": "Prompt", "judge": "Judge"}
MOST_ROWS = 16
STANDS_FOR = {NO_VERDICT: f"gave {NO_VERDICT}", SPLIT: "votes split"}
NOBODY = "Nobody abstained here, so there is nothing to ask about."
"""Said instead of two figures of zeros."""


def drawings(asked: ModeReports) -> list[Callable[[], None]]:
    """Return the figures, one at a time in the room."""
    if not _anyone(asked):
        return [lambda: st.info(NOBODY, icon=":material/info:") and None]
    return [lambda: _labels(asked), lambda: _groups(asked)]


def section(asked: ModeReports) -> None:
    drawn = drawings(asked)
    if len(drawn) < 2:
        drawn[0]()
        return
    parts.side_by_side(dict(zip(("wide_labels", "wide_groups"), drawn, strict=True)))
    _table(asked)


def _anyone(asked: ModeReports) -> bool:
    coverage = asked.reported.coverage
    silent = any(group.judge is not None and group.judge.count for group in judges_of(asked))
    return silent or coverage.n_covered + coverage.n_split < coverage.n_total


def _labels(asked: ModeReports) -> None:
    nonresponse = silence_of(asked)
    what = asked.silent
    parts.lone_heading(f"Do {what} depend on the label?", "share left open, by what the other side said")
    rows = [_named(group, "human") for group in nonresponse.by_human_label if _ever(nonresponse.by_human_label)]
    rows += [_named(group, "judge") for group in nonresponse.by_judge_label if _ever(nonresponse.by_judge_label)]
    rows = [row for row in rows if any(share.total for _, share in row.sides)]
    if rows:
        parts.drawing("abstention.labels", silence_rates, partial(alt, what="label of the other side"), rows)
    sides = [(nonresponse.of_judge, nonresponse.by_human_label), (nonresponse.of_human, nonresponse.by_judge_label)]
    sentences = [
        readings.relation_sentence(relation, groups, asked.judge, name=emphasis, what=what)
        for relation, groups in sides
        if _ever(groups)
    ]
    parts.reading(
        " ".join([uncapital(sentences[0]), *sentences[1:]]) if sentences else "neither side left anything open for this judge."
    )


def _ever(groups: Sequence[Group]) -> bool:
    return any(share.count for group in groups for _, share in group.sides)


def _named(group: Group, other: str) -> Group:
    label = group.name if group.is_label else STANDS_FOR[group.name]
    return replace(group, name=f"{other}: {label}")


def _by(asked: ModeReports) -> dict[str, list[Group]]:
    """Return what rates can be taken over here."""
    nonresponse = silence_of(asked)
    out = {"criterion": nonresponse.criteria}
    if nonresponse.prompts:
        out["prompt"] = nonresponse.prompts
    if len(asked.ratings.judges) > 1:
        out["judge"] = judges_of(asked)
    return out


def _groups(asked: ModeReports) -> None:
    options = _by(asked)
    with parts.heading("Who abstains, and on what?", "share left open"):
        if len(options) > 1 and not state.in_room_view():
            asking.one_of("By", BY_NAMES, BY, options=options, bare=True)
    by = asking.held(BY, list(options))
    groups = options[by]
    shown = _most(groups)
    if by == "judge":
        shown = [replace(row, human=None) for row in shown]
    names = [row.name for row in shown]
    selected = names.index(asked.judge) if by == "judge" and asked.judge in names else None
    if _ever(groups):
        parts.drawing("abstention.groups", silence_rates, partial(alt, what=by), shown, look={"selected": selected})
    if len(shown) < len(groups):
        st.markdown(f"The {count(len(shown))} that are left open most, of {count(len(groups))}; the table holds all.")
    plain = [replace(group, human=None) for group in groups] if by == "judge" else groups
    parts.reading(readings.groups_reading(plain, by, name=emphasis, of=asked.silent))
    if asked.reported.coverage.n_split:
        st.markdown(split_votes_sentence(asked.reported.coverage))


def _most(groups: list[Group]) -> list[Group]:
    """In the order given where they fit, else those with the highest rates."""
    if len(groups) <= MOST_ROWS:
        return groups
    return sorted(groups, key=lambda group: -max(_rate(group.judge), _rate(group.human)))[:MOST_ROWS]


def _rate(share: Share | None) -> float:
    return share.value if share is not None and share.total else 0.0


def _table(asked: ModeReports) -> None:
    nonresponse = silence_of(asked)
    kinds = _by(asked) | {"human's label": nonresponse.by_human_label, "judge's label": nonresponse.by_judge_label}
    table = groups_table(kinds)
    full = in_full(table)
    with st.expander("The same as a table: counts, rates and intervals"):
        shown = as_text(table) | {"open": full["open"], "decisions": full["decisions"]}
        del shown["items"]
        st.dataframe(shown, hide_index=True, key="abstention.rates_table", alt="Rates of giving no verdict")
        st.markdown(
            "Wilson where every item has one decision; else the item jackknife, made wider where few items abstain. "
            f"Judge: {emphasis(asked.judge)}, except by judge."
        )
        sheets.download("Rates (CSV)", lambda: full, "abstention.csv", "abstention.rates_csv", extra_columns=asked.provenance)
