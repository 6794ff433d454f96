"""Below the two sides: what became of the rows, and what the file looks like."""

from __future__ import annotations

from typing import Any

import streamlit as st

from metrics import InputError
from metrics.analyses.provenance import citation_line
from metrics.data.ratings import Ratings, written_out
from metrics.readers import TextTable
from metrics.readers.excluded_rows import REPEATED, REPEATED_EARLIER, left_out_rows
from metrics.readers.import_report import ImportReport, import_report
from metrics.readers.opening import own_files
from metrics.results.safe_csv import safe_csv
from metrics.results.words import count
from pages.shared import cached, parts, sheets, state
from pages.shared.plain import escape, sentence, short

PREVIEW, MOST_COLUMNS = 50, 200
REPORT = "import report"
QUOTED = {
    "Rows read": "rows read", "Used": "rows used", "Left out": "rows left out", "Repeated": "rows repeated, of those left out",
    "Unmatched": "decisions of one side only",
}  # fmt: skip


def account(dataset: state.Dataset) -> None:
    """Rows used and left out, with reasons."""
    ratings = dataset.ratings
    reasons = ratings.left_out.counts()
    left = sum(reasons.values())
    st.header("Rows used and left out", anchor=False)
    counted = {
        "Rows read": (ratings.source.rows, ""),
        "Used": (ratings.rows_used, ""),
        "Left out": (left, ""),
        "Repeated": (
            sum(reasons.get(why, 0) for why in (REPEATED, REPEATED_EARLIER)),
            "Among those left out: another row counts.",
        ),
    } | _unmatched(dataset)
    sheets.declare({"file": ratings.source.name, "sha256": ratings.source.sha256})
    context = (f"{count(ratings.source.rows)} rows read", ratings.source.name, ratings.source.sha256[:4])
    numbers = [
        parts.Headline(name, count(n), "", about, citation=citation_line(QUOTED[name], count(n), context))
        for name, (n, about) in counted.items()
    ]
    parts.headline(numbers, "counters")
    report = _report(ratings)
    for reason in report.left_out:
        examples = ", ".join(f"row {example.row}{f' ({example.item})' if example.item else ''}" for example in reason.examples)
        st.markdown(f"- {count(reason.count)} × {sentence(reason.reason)}{f': {escape(examples)}' if examples else ''}")
    for note in report.assumptions:
        st.markdown(f"- {sentence(note)}")
    if left:
        parts.download(
            f"Rows left out, with reasons ({count(left)}, CSV)",
            lambda: safe_csv(left_out_rows(ratings, dataset.table)),
            "left_out.csv",
            "data.left_out",
        )


def again(dataset: state.Dataset) -> None:
    """Who answered each question about the file, and how to read it the same way elsewhere."""
    report = _report(dataset.ratings)
    with st.expander("Read the file the same way: command line, Python, and who answered each question"):
        sheets_alone = () if dataset.table is None else own_files(dataset.table)
        if sheets_alone:
            st.markdown(f"First save each sheet as a file: {', '.join(short(sheet.name) for sheet in sheets_alone)}.")
        st.code(report.command, language="shell", wrap_lines=True)
        st.code(report.python, language="python", wrap_lines=True)
        answers = {
            "question": [answer.question for answer in report.answers],
            "answer": [answer.answer for answer in report.answers],
            "answered by": [answer.by for answer in report.answers],
        }
        look = sheets.text_columns(answers)
        st.dataframe(
            answers, hide_index=True, key="data.answers", column_config=look, alt="Who answered each question about the file"
        )


def _report(ratings: Ratings) -> ImportReport:
    """Return what became of the file; made once for these ratings."""
    if REPORT not in ratings.memo:
        ratings.memo[REPORT] = import_report(ratings)
    report: ImportReport = ratings.memo[REPORT]
    return report


def _unmatched(dataset: state.Dataset) -> dict[str, tuple[int, str]]:
    """Return decisions of one side only, with what they are; nothing where nobody is compared."""
    chosen = state.choices()
    if chosen is None:
        return {}
    try:
        coverage = cached.report(dataset, chosen).judges[chosen.judge].coverage
    except InputError:
        return {}
    about = (
        f"Decisions that only one side gave: {count(coverage.n_human_only)} the reference alone, "
        f"{count(coverage.n_judge_only)} the judge in view alone. They are in no number."
    )
    return {"Unmatched": (coverage.n_human_only + coverage.n_judge_only, about)}


def _preview_frame(table: TextTable) -> Any:
    """Return the first rows as text; in a tally with the items that each stands for."""
    first = table.data.select(table.columns[:MOST_COLUMNS]).slice(0, PREVIEW)
    frame = written_out(first).to_pandas().astype(str)
    if table.merged is not None:
        frame["items of the kind"] = [count(int(n)) for n in table.merged.times[:PREVIEW]]
    return frame


def preview(table: TextTable) -> None:
    what = "file" if table.merged is None else "tally"
    st.header(f"The first rows of the {what}", anchor=False)
    if len(table.columns) > MOST_COLUMNS:
        st.caption(f"The first {MOST_COLUMNS} of {count(len(table.columns))} columns.")
    shown = _preview_frame(table).to_dict("list")
    look = sheets.text_columns(shown)
    st.dataframe(shown, hide_index=True, key="data.preview", column_config=look, alt=f"The first rows of the {what}")
