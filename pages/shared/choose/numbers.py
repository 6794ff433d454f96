"""Numbers of the ranking: headline, the table with bars, pairs, the download."""

from __future__ import annotations

import math

import streamlit as st

from metrics.catalogue import BY_KEY
from metrics.choosing.candidates import AT, NAMES, RANKED, SNR, SYMBOLS, Candidate
from metrics.choosing.ranking import Ranking
from metrics.choosing.said import answers_words
from metrics.export import safe_csv
from metrics.sweeping.power import whole
from metrics.words import UNDEFINED, bounds, count, interval, number, p3, percent, plain, shorten, value
from pages.shared import parts
from pages.shared.plain import escape, short

COLUMNS = (SNR, "balanced_accuracy", "youden_j", AT, "kappa", "phi", "f1", "macro_f1", "accuracy")
ABOUT = {
    SNR: "J over the spread of the rate the judge reports at the benchmark’s prevalence: slope over noise.",
    AT: "φ of the same judge on items of the benchmark’s prevalence; the cost against a judge that never errs is 1/φ².",
}
COST = "Answers per model that tell the two prevalences apart with power 80 %, rounded up; independent answers."


def headline(ranking: Ranking) -> list[parts.Headline]:
    first, low_high = ranking.first, ranking.benchmark.models
    by = ranking.by
    value_of = parts.Headline(
        f"{SYMBOLS[by]} of the first", _value(first, by), _ends(first, by), ABOUT.get(by) or BY_KEY[by].answers,
        first.undefined.get(by, ""),
    )  # fmt: skip
    who = parts.Headline("First", escape(shorten(first.name, 16)), f"of {count(len(ranking.order))} judges", short(first.name))
    told = f"Telling {percent(low_high[0])} from {percent(low_high[1])}. {COST}"
    ends = first.answers_ends
    cost = parts.Headline("Answers needed", answers_words(first.answers), _cost_ends(ends), told)
    same = count(len(ranking.inseparable(first.name))) if ranking.pairs else UNDEFINED
    help_text = "Judges whose difference from the first could be noise: Holm over the pairs compared."
    tied = parts.Headline("Not told apart", same, "from the first" if ranking.pairs else "nothing to compare", help_text)
    return [who, value_of, cost, tied]


def _value(one: Candidate, key: str) -> str:
    unit = BY_KEY[key].unit if key in BY_KEY else ""
    return value(one.values[key], unit)


def _ends(one: Candidate, key: str) -> str:
    unit = BY_KEY[key].unit if key in BY_KEY else ""
    return bounds(one.ends[key], unit) if key in one.ends else "no interval"


def _cost_ends(ends: tuple[float, float] | None) -> str:
    if ends is None:
        return "no interval"
    most = whole(ends[1])
    return f"[{answers_words(ends[0])}, {'∞' if most is None else count(most)}]"


def table(ranking: Ranking) -> None:
    """All judges with a bar in every cell."""
    order = ranking.order
    shown: dict[str, list[object]] = {"judge": [plain(one.name) for one in order]}
    shown |= {SYMBOLS[key]: [_bar(one.values[key]) for one in order] for key in COLUMNS}
    shown["answers"] = [whole(one.answers) for one in order]
    bars = {SYMBOLS[key]: _column(ranking, key) for key in COLUMNS}
    most = max((one.answers for one in order if math.isfinite(one.answers)), default=1.0)
    cost = st.column_config.ProgressColumn("answers", help=COST, format="%d", min_value=0.0, max_value=most, color="gray")
    st.dataframe(
        shown, hide_index=True, key="choose.table", placeholder=UNDEFINED, alt=f"Judges by {NAMES[ranking.by]}",
        column_order=["judge", SYMBOLS[SNR], "answers", *(SYMBOLS[key] for key in COLUMNS[1:])],
        column_config={"judge": st.column_config.TextColumn("judge", pinned=True), **bars, "answers": cost},
    )  # fmt: skip


def _bar(x: float) -> float | None:
    return None if math.isnan(x) else x


def _column(ranking: Ranking, key: str) -> object:
    values = [one.values[key] for one in ranking.order if not math.isnan(one.values[key])]
    help_text = ABOUT.get(key) or BY_KEY[key].answers
    return st.column_config.ProgressColumn(
        SYMBOLS[key], help=help_text, format="%.2f", min_value=min([0.0, *values]), max_value=max([1.0, *values])
    )


def details(ranking: Ranking) -> None:
    """Intervals and ranks of every judge, and every pair that was compared."""
    order = ranking.order
    with st.expander("Intervals and ranks under every metric"):
        columns = {"judge": [plain(one.name) for one in order]}
        for key in RANKED:
            columns[SYMBOLS[key]] = [
                f"{_value(one, key)} {_ends(one, key)} · rank {rank}" if rank else UNDEFINED
                for one, rank in zip(order, ranking.ranks[key], strict=True)
            ]
        columns["golden"] = [f"{count(one.n_positive)} + {count(one.n_negative)}" for one in order]
        st.dataframe(columns, hide_index=True, key="choose.details", placeholder=UNDEFINED, alt="Intervals and ranks")
    if ranking.pairs:
        with st.expander(f"{_how_many(ranking)}: difference in {SYMBOLS[ranking.by]}, interval, p corrected by Holm"):
            st.dataframe(_pairs(ranking), hide_index=True, key="choose.pairs", placeholder=UNDEFINED, alt="Pairs of judges")
    parts.download("The ranking (CSV)", lambda: safe_csv(_frame(ranking)), "judges.csv", "choose.csv")


def _how_many(ranking: Ranking) -> str:
    return "1 pair" if len(ranking.pairs) == 1 else f"{count(len(ranking.pairs))} pairs"


def _pairs(ranking: Ranking) -> dict[str, list[str]]:
    pairs = ranking.pairs
    return {
        "first": [plain(pair.first) for pair in pairs],
        "second": [plain(pair.second) for pair in pairs],
        "difference": [number(pair.difference) for pair in pairs],
        "interval": [interval(pair.ends) if pair.ends else UNDEFINED for pair in pairs],
        "p, Holm": [p3(pair.p) for pair in pairs],
        "told apart": ["yes" if pair.separable else "no" for pair in pairs],
    }


def _frame(ranking: Ranking) -> dict[str, list[object]]:
    order, mark = ranking.order, ranking.benchmark
    frame: dict[str, list[object]] = {"judge": [one.name for one in order], "ranked_by": [ranking.by] * len(order)}
    for key in (*RANKED, AT):
        frame[key] = [one.values[key] for one in order]
        frame[f"{key}_low"] = [one.ends.get(key, (math.nan, math.nan))[0] for one in order]
        frame[f"{key}_high"] = [one.ends.get(key, (math.nan, math.nan))[1] for one in order]
    for key in RANKED:
        frame[f"{key}_rank"] = list(ranking.ranks[key])
    frame |= {
        name: [getattr(one, name) for one in order] for name in ("answers", "tpr", "fpr", "n_positive", "n_negative", "coverage")
    }
    told = {
        "benchmark_prevalence": mark.prevalence,
        "stated": mark.stated,
        "difference": mark.difference,
        "confidence": mark.confidence,
    }
    return frame | {name: [what] * len(order) for name, what in told.items()}
