"""Numbers of the ranking: headline, the table with bars, pairs, the download."""

from __future__ import annotations

import math
from collections.abc import Sequence

import streamlit as st

from metrics.analyses.judge_selection import tables
from metrics.analyses.judge_selection.candidates import AT, NAMES, SNR, SYMBOLS, Candidate, unit_of
from metrics.analyses.judge_selection.golden import BA
from metrics.analyses.judge_selection.ranking import Ranking
from metrics.analyses.judge_selection.readings import answers_words, dashes
from metrics.analyses.prevalence.power import whole
from metrics.analyses.provenance import citation_line
from metrics.measures.catalogue import BY_KEY
from metrics.results.tables import as_text, in_full
from metrics.results.words import UNDEFINED, apart, bounds, count, estimate, p3, percent, plain, printed, shorten, value
from pages.shared import documents, parts, sheets
from pages.shared.plain import escape, short

COLUMNS = (SNR, "answers", BA, "youden_j", AT, "kappa", "phi", "f1", "macro_f1", "accuracy")
"""Of the table with two classes: what judges are ranked by, and what it costs."""
WIDTH = 80
ABOUT = {
    SNR: "J over the spread of the rate the judge reports at the benchmark’s prevalence: slope over noise.",
    AT: "φ of the same judge on items of the benchmark’s prevalence; the cost against a judge that never errs is 1/φ².",
}
COST = (
    "Answers per model that distinguish the two prevalences with power 80 %, rounded up; independent answers, with "
    "those that the judge leaves open as often as here."
)
UNNAMED = "no judge is named"
NOT_APART = "judges not told apart from the first"


def headline(ranking: Ranking, context: Sequence[str]) -> list[parts.Headline]:
    """Return large numbers; `context` is what they rest on, for a number to quote."""
    first = ranking.first
    by = ", ".join(filter(None, (f"ranked by {SYMBOLS[ranking.by]}", ranking.over)))
    context = (f"judge: {plain(first.name)}", *_benchmark(ranking), *context)
    n = len(ranking.order)
    among = "the only judge" if n == 1 else f"of {count(n)} judges"
    nobody = "" if ranking.usable else "no judge has a value"
    text = citation_line(f"first {among}", UNDEFINED if nobody else plain(first.name), (by, *context[1:]), reason=nobody)
    under = nobody or (among if n == 1 else f"by {SYMBOLS[ranking.by]}, {among}")
    name = UNDEFINED if nobody else escape(shorten(first.name, 16))
    who = parts.Headline("First", name, under, "" if nobody else short(first.name), citation=text)
    if ranking.named is None:
        return _unnamed(ranking, among, context[1:])
    same = count(len(ranking.inseparable(first.name))) if ranking.pairs else UNDEFINED
    help_text = "Judges with no significant difference from the first: Holm over the pairs compared."
    text = citation_line(NOT_APART, same, (by, "Holm over the pairs compared", *context))
    if not ranking.pairs:
        text = citation_line(NOT_APART, same, context, reason="there is nothing to compare")
    under = "no significant difference" if ranking.inseparable(first.name) else "each compared with it differs"
    under = under if ranking.pairs else "nothing to compare"
    like = parts.Headline("Not told apart from it", same, under, help_text, citation=text)
    other = (
        _value_of(first, "macro_j" if ranking.by == BA else BA, context) if ranking.benchmark is None else _cost(ranking, context)
    )
    return [who, _value_of(first, ranking.by, context, " of the first"), other, like]


def _unnamed(ranking: Ranking, among: str, context: Sequence[str]) -> list[parts.Headline]:
    """Return the cards where no judge is named: none of them has a number, for each would be that of a judge."""
    open_ = not (ranking.disputed or ranking.first.unlike_within)
    why = "order from decisions only one answered" if open_ else "readings disagree"
    over = "On all that each answered" if open_ else "Pooled over criteria"
    other = "The decisions both answered say" if open_ else "Another reading says"
    about = f"{over}: {short(ranking.first.name)}. {other} otherwise."
    cost = "macro J" if ranking.by == BA else "BA"
    labels = {
        f"first {among}": ("First", why, about), SYMBOLS[ranking.by]: (f"{SYMBOLS[ranking.by]} of the first", UNNAMED, ""),
        "answers needed per model" if ranking.benchmark else cost: ("Answers needed" if ranking.benchmark else cost, UNNAMED, ""),
        NOT_APART: ("Not told apart from it", UNNAMED, ""),
    }  # fmt: skip
    reason = "the order comes from decisions that only one of them answered" if open_ else "the readings disagree"
    return [
        parts.Headline(label, UNDEFINED, below, about, citation=citation_line(what, UNDEFINED, context, reason=reason))
        for what, (label, below, about) in labels.items()
    ]


def _benchmark(ranking: Ranking) -> tuple[str, ...]:
    if ranking.benchmark is None:
        return ()
    low, high = ranking.benchmark.models
    return (f"benchmark prevalence {percent(ranking.benchmark.prevalence)}, {percent(low)} against {percent(high)}",)


def _value_of(candidate: Candidate, key: str, context: Sequence[str], whose: str = "") -> parts.Headline:
    help_text, reason = ABOUT.get(key) or documents.help_of(BY_KEY[key]), candidate[key].undefined
    text = citation_line(SYMBOLS[key], estimate(candidate[key], unit_of(key)), context, reason=reason)
    return parts.Headline(f"{SYMBOLS[key]}{whose}", *_shown(candidate, key), help_text, reason, citation=text)


def _cost(ranking: Ranking, context: Sequence[str]) -> parts.Headline:
    low, high = ranking.benchmark.models if ranking.benchmark else (math.nan, math.nan)
    needed, ends = answers_words(ranking.first.answers.value), _cost_ends(ranking.first.answers.ends)
    between = f" {ends}" if ranking.first.answers.ends else ""
    text = citation_line(
        "answers needed per model", f"{needed}{between}", ("power 80 %", *context), reason=ranking.first.no_answers
    )
    help_text = f"Telling {percent(low)} from {percent(high)}. {COST}"
    return parts.Headline("Answers needed", needed, ends, help_text, citation=text)


def _shown(candidate: Candidate, key: str) -> tuple[str, str]:
    return apart(candidate[key], unit_of(key), "no interval")


def _cost_ends(ends: tuple[float, float] | None) -> str:
    if ends is None:
        return "no interval"
    most = whole(ends[1])
    return f"[{answers_words(ends[0])}, {'∞' if most is None else count(most)}]"


def table(ranking: Ranking) -> None:
    """All judges with a bar in every cell."""
    order = ranking.order
    keys = ranking.keys if ranking.benchmark is None else COLUMNS
    shown: dict[str, list[object]] = {"judge": [plain(candidate.name) for candidate in order]}
    config: dict[str, object] = {"judge": st.column_config.TextColumn("judge", pinned=True)}
    for key in keys:
        shown[_head(key)] = [_bar(candidate, key) for candidate in order]
        config[_head(key)] = _column(ranking, key)
    st.dataframe(
        shown, hide_index=True, key="choose.table", placeholder=UNDEFINED, alt=f"Judges by {NAMES[ranking.by]}",
        column_config=config,
    )  # fmt: skip
    parts.notes(dashes(ranking, keys))


def _head(key: str) -> str:
    return SYMBOLS.get(key, key)


def _bar(candidate: Candidate, key: str) -> float | int | None:
    """As it is written: percent out of 100, answers rounded up, no minus before a zero."""
    if key == "answers":
        return whole(candidate.answers.value)
    x = candidate.values[key]
    if math.isnan(x):
        return None
    return 100 * x if unit_of(key) == "%" else printed(x)


def _column(ranking: Ranking, key: str) -> object:
    bars = [_bar(candidate, key) for candidate in ranking.order]
    values = [float(bar) for bar in bars if bar is not None]
    cost = key == "answers"
    most, form = (100.0, "%.0f %%") if unit_of(key) == "%" else (1.0, "%d" if cost else "%.2f")
    about = COST if cost else ABOUT.get(key) or BY_KEY[key].answers
    if len(values) < len(bars):
        # A bar has no dash where there is no number.
        return st.column_config.NumberColumn(_head(key), help=about, format=form, width=WIDTH)
    return st.column_config.ProgressColumn(
        _head(key), help=about, format=form, min_value=min([0.0, *values]), max_value=max([most, *values]),
        color="gray" if cost else None, width=WIDTH,
    )  # fmt: skip


def readings(ranking: Ranking) -> None:
    """Each judge minus the first over decisions, over criteria and within criteria."""
    if ranking.against:
        first = plain(ranking.first.name)
        st.markdown(f"Each judge minus {short(ranking.first.name)}, with the {percent(ranking.confidence)} interval:")
        st.dataframe(
            as_text(tables.readings(ranking)),
            hide_index=True,
            key="choose.readings",
            placeholder=UNDEFINED,
            alt=f"Each judge minus {first}",
        )


def details(ranking: Ranking, *, example: bool) -> None:
    """Intervals and ranks of every judge, and every pair that was compared; files of an example are named so."""
    mark = "example_" if example else ""
    order = ranking.order
    with st.expander("Intervals and ranks under every metric"):
        columns = {"judge": [plain(candidate.name) for candidate in order]}
        for key in ranking.keys:
            columns[SYMBOLS[key]] = [
                f"{' '.join(_shown(candidate, key))} · rank {rank}" if rank else UNDEFINED
                for candidate, rank in zip(order, ranking.ranks[key], strict=True)
            ]
        if ranking.benchmark is not None:
            columns["answers"] = [
                f"{answers_words(candidate.answers.value)} {_cost_ends(candidate.answers.ends)}" for candidate in order
            ]
        columns["golden"] = [" + ".join(count(n) for n in candidate.sizes) for candidate in order]
        st.dataframe(columns, hide_index=True, key="choose.details", placeholder=UNDEFINED, alt="Intervals and ranks")
    if ranking.pairs:
        with st.expander(f"{_how_many(ranking)}: difference in {SYMBOLS[ranking.by]}, interval, p corrected by Holm"):
            pairs = _pairs(ranking)
            sheets.frame(pairs, "Pairs (CSV)", f"{mark}pairs.csv", "choose.pairs", placeholder=UNDEFINED, alt="Pairs of judges")
    sheets.download("The ranking (CSV)", lambda: in_full(tables.ranked(ranking)), f"{mark}judges.csv", "choose.csv")


def _how_many(ranking: Ranking) -> str:
    return "1 pair" if len(ranking.pairs) == 1 else f"{count(len(ranking.pairs))} pairs"


def _pairs(ranking: Ranking) -> dict[str, list[str]]:
    pairs = ranking.pairs
    return {
        "first": [plain(pair.first) for pair in pairs],
        "second": [plain(pair.second) for pair in pairs],
        "difference": [_difference(pair.difference.value, ranking.by) for pair in pairs],
        "interval": [bounds(pair.difference.ends, _difference_unit(ranking.by)) for pair in pairs],
        "p, Holm": [p3(pair.p) for pair in pairs],
        _apart_head(ranking): [
            "readings disagree" if ranking.contradicted(pair) else "yes" if pair.separable else "no" for pair in pairs
        ],
    }


def _apart_head(ranking: Ranking) -> str:
    """Where no judge is named, a difference of pooled decisions alone names none."""
    return "significant" if ranking.named or not ranking.over else "significant when pooled"


def _difference_unit(key: str) -> str:
    """Two percentages differ by points."""
    return "points" if unit_of(key) == "%" else ""


def _difference(x: float, key: str) -> str:
    return value(x, _difference_unit(key))
