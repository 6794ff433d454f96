"""What judges are chosen for: where they come from, the benchmark, the difference to detect, the metric they are ranked by."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from metrics import InputError
from metrics.analyses.judge_selection.candidates import NAMES, RANKED, SNR
from metrics.analyses.judge_selection.classes import CLASSES, REVERSAL
from metrics.analyses.judge_selection.golden import BA, OF_MANY, GoldenTable, catalogued, golden_tables
from metrics.analyses.judge_selection.ranking import Ranking, rank_judges, rank_tables
from metrics.analyses.leading import leading
from metrics.analyses.settings import Settings, settings_of
from metrics.analyses.true_rate.measured import measured
from metrics.data.abstention import mode_labels
from metrics.results.words import count
from pages.shared import as_lines, asking, cached, intervals, state
from pages.shared.job import Job, Progress

JUDGES, AT, APART, BY, BY_OF_MANY, CRITERION = (
    f"choose_{name}" for name in ("judges", "at", "apart", "by", "by_classes", "criterion")
)
TABLES = {"table1": "Collot et al., Table 1", "table2": "Collot et al., Table 2", "classes": "Three classes, ranks reversed"}
HERE = "This file"
START = 10.0
JOBS = "choose.rankings"
SETTLED = as_lines.named(settings_of)
NO_RATE = "With more than two classes judges measure no one rate, so there is no benchmark, and no number of answers is stated."


def usable(dataset: state.Dataset | None, chosen: state.Choices | None) -> bool:
    return dataset is not None and chosen is not None and not state.only_scores()


def source(dataset: state.Dataset | None, chosen: state.Choices | None) -> str:
    """Return `file`, the published table the judges come from, or `none` where the file in view has no judges to rank."""
    held = st.session_state.get(JUDGES)
    if held in TABLES:
        return str(held)
    if dataset is None:
        return "table2"
    return "file" if usable(dataset, chosen) else "none"


def many(dataset: state.Dataset | None, chosen: state.Choices | None) -> bool:
    """Return whether the judges have more than two classes; the third class of abstentions is one."""
    where = source(dataset, chosen)
    if where in TABLES or dataset is None or chosen is None:
        return where == "classes"
    return len(mode_labels(dataset.ratings.scheme, chosen.mode)) > 2


def choosers(dataset: state.Dataset | None, chosen: state.Choices | None) -> None:
    """The parts of the question; each stands in the address."""
    names = ({} if dataset is None else {"file": HERE}) | {key: f"Example: {name}" for key, name in TABLES.items()}
    state.translate({JUDGES: names, BY: NAMES, BY_OF_MANY: NAMES})
    with st.container(horizontal=True, vertical_alignment="bottom", key="choose_choices"):
        st.selectbox(
            "Judges from", list(names), format_func=lambda name: names.get(name, name), key=JUDGES, width=220, **asking.BOUND
        )
        if source(dataset, chosen) == "none":
            return
        no_rate = NO_RATE if many(dataset, chosen) else ""
        st.number_input(
            "Benchmark prevalence, %", 1.0, 99.0, None, step=1.0, format="%g", key=AT, width=190, disabled=bool(no_rate),
            placeholder="none" if no_rate else "golden set’s", help=no_rate or
            "How common the positive label is where models will be compared. Once stated, judges are ranked by SNR there.",
            **asking.BOUND,
        )  # fmt: skip
        st.number_input(
            "Difference to detect, points", 1.0, 50.0, START, step=1.0, format="%g", key=APART, width=190, disabled=bool(no_rate),
            help=no_rate or "The difference of two models’ true rates that should be detected with power 80 %.",
            **asking.BOUND,
        )  # fmt: skip
        _ranked_by(_known(dataset, chosen), classes=bool(no_rate))
        if dataset is not None and source(dataset, chosen) == "file":
            asking.criterion(dataset.ratings.criteria, CRITERION, 180)


def _known(dataset: state.Dataset | None, chosen: state.Choices | None) -> tuple[str, ...]:
    """Return metrics that the judges may be ranked by, of several classes the one they are ranked by at first before the
    others.
    """
    if not many(dataset, chosen):
        return RANKED
    if dataset is None or chosen is None or source(dataset, chosen) != "file":
        return OF_MANY
    return catalogued(3, leading(dataset.ratings, chosen.mode))


def _ranked_by(known: tuple[str, ...], *, classes: bool) -> None:
    st.selectbox(
        "Ranked by", list(known), None, format_func=lambda key: NAMES.get(key, key), key=BY_OF_MANY if classes else BY,
        placeholder=NAMES[known[0] if classes else BA if prevalence() is None else SNR], width=190,
        help=f"{NAMES[known[0]]} until you choose." if classes else
        "Signal to noise where the benchmark’s prevalence is stated, else balanced accuracy.",
        **asking.BOUND,
    )  # fmt: skip


def _by(known: tuple[str, ...], *, classes: bool) -> str | None:
    held = st.session_state.get(BY_OF_MANY if classes else BY)
    return held if held in known else None


def prevalence() -> float | None:
    held = st.session_state.get(AT)
    return None if held is None else float(held) / 100


def criterion(dataset: state.Dataset) -> str | None:
    return asking.chosen_criterion(dataset.ratings.criteria, CRITERION)


def requested_ranking(dataset: state.Dataset | None, chosen: state.Choices | None) -> Ranking | InputError:
    """Return the ranking as it is asked for, or why there is none."""
    by, at, apart = _benchmark(dataset, chosen)
    where = source(dataset, chosen)
    try:
        if where in TABLES or dataset is None or chosen is None:
            return _published(where, at, apart, by)
        return _ranked(dataset, _settings(dataset, chosen), at, apart, by, criterion(dataset))
    except InputError as error:
        return error


def view(dataset: state.Dataset | None, chosen: state.Choices | None, ranking: Ranking) -> as_lines.View:
    """Return the call that ranks them, and where the first judge is; None stands there where none is named."""
    by, at, apart = _benchmark(dataset, chosen)
    asked, where = {"prevalence": at, "difference": apart, "by": by}, source(dataset, chosen)
    if where in TABLES or dataset is None or chosen is None:
        tables, labels = _tables(where)
        call = as_lines.Call("rank_tables", {**asked, "labels": labels}, (tables,))
    else:
        settings = as_lines.call(SETTLED, _settings(dataset, chosen), dataset)
        call = as_lines.call("rank_judges", None, dataset, **asked, criterion=criterion(dataset))
        call = replace(call, choices={"settings": settings if settings.settled() else None, **call.choices})
    place = as_lines.path("named", "name") if ranking.named else as_lines.path("named")
    return as_lines.View(call, place, estimate=False)


def _benchmark(dataset: state.Dataset | None, chosen: state.Choices | None) -> tuple[str | None, float | None, float]:
    """Return the metric judges are ranked by, the prevalence of the benchmark, and the difference to detect."""
    classes = many(dataset, chosen)
    by, at = _by(_known(dataset, chosen), classes=classes), None if classes else prevalence()
    return by, at, float(st.session_state.get(APART) or START) / 100


def _settings(dataset: state.Dataset, chosen: state.Choices) -> Settings:
    return intervals.jackknifed(dataset).added_to(replace(chosen.settings(), judges=dataset.ratings.judges))


def _ranked(
    dataset: state.Dataset, settings: Settings, at: float | None, apart: float, by: str | None, criterion: str | None
) -> Ranking:
    """Return the ranking of a file, kept for the session. The place of the bar stays, so that nothing below moves."""
    job: Job[Ranking] = Job.of(JOBS, repr((dataset.key, settings, at, apart, by, criterion)))

    def rank(so_far: Ranking | None, progress: Progress) -> Ranking:
        def report_pairs(done: int, total: int) -> None:
            progress(done / total, f"{count(done)} of {count(total)} pairs of judges")

        return rank_judges(
            dataset.ratings,
            settings,
            prevalence=at,
            difference=apart,
            by=by,
            criterion=criterion,
            golden=_golden(dataset, settings, criterion),
            progress=report_pairs,
        )

    with st.spinner("Ranking the judges", show_time=True):
        return job.wait(rank)


@cached.of_file(max_entries=8)
def _golden(dataset: state.Dataset, settings: Settings, criterion: str | None) -> tuple[GoldenTable, ...]:
    return golden_tables(dataset.ratings, settings, criterion)


@st.cache_resource(show_spinner=False, max_entries=24)
def _published(where: str, at: float | None, apart: float, by: str | None) -> Ranking:
    tables, labels = _tables(where)
    return rank_tables(tables, prevalence=at, difference=apart, by=by, labels=labels)


def _tables(where: str) -> tuple[dict[str, list[list[float]]], tuple[str, ...]]:
    """Return published counts by judge, reference in rows, and their labels."""
    if where == "classes":
        return {name: [list(row) for row in table] for name, table in REVERSAL.items()}, CLASSES
    counts_by_judge = {}
    for letter in ("a", "b"):
        ratings = cached.sample(f"collot_{where}_{letter}")
        counts_by_judge[f"Judge {letter.upper()}"] = measured(ratings, ratings.judges[0], Settings()).golden.counts.tolist()
    return counts_by_judge, ("violation", "no violation")
