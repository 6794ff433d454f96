"""One score an item on each side, made of its criteria: how far the judge's lies from the reference's."""

from __future__ import annotations

from functools import partial

import streamlit as st

import metrics
from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.paired_numbers import Paired
from metrics.analyses.scores import readings_items
from metrics.analyses.scores.density import plane_of_differences, plane_of_pairs, share_between
from metrics.analyses.scores.item_scores import Compared, ItemScoresReport
from metrics.analyses.scores.tables import of_items
from metrics.figures import bland_altman, scatter
from metrics.measures.catalogue import keys_at
from metrics.results.estimate import Estimate
from metrics.results.tables import as_text
from metrics.results.words import bounds, count, signed, value
from pages.shared import as_lines, cached, documents, parts, sheets, stage, state, weights
from pages.shared.plain import escape

HEADLINE = keys_at("item scores headline", records=RECORDS)
WEIGHTS_HELP = "A criterion without a verdict is left out of the score of that side."


def show(dataset: state.Dataset, chosen: state.Choices) -> None:
    report = _report(dataset, chosen.judge, chosen.reference, _weights(dataset))
    judge_item_scores = report.judges[chosen.judge]
    parts.declaration(readings_items.header(report, chosen.judge), readings_items.citation(report, chosen.judge))
    drawings = {
        "wide_scores_plane": lambda: _pairs(report, chosen),
        "wide_scores_difference": lambda: _differences(report, chosen),
    }
    if state.in_room_view():
        stage.one_at_a_time(list(drawings.values()))
        return
    parts.headline([_number(judge_item_scores.all, key, readings_items.citation(report, chosen.judge, key)) for key in HEADLINE])
    parts.notes(warning.message for warning in parts.not_above(report.warnings))
    parts.reading(escape(readings_items.reading(report, chosen.judge)))
    parts.side_by_side(drawings)
    st.markdown(escape(readings_items.complete_reading(judge_item_scores)))
    with st.expander("Weights of the criteria"):
        st.markdown(WEIGHTS_HELP)
        weights.editor(dataset)
    parts.headed("All numbers", "value and interval · all items, and those on which both scores rest on the same criteria")
    table = _table(judge_item_scores.all, judge_item_scores.complete)
    parts.rows(table, len(table["Number"]), "numbers", "scores.item_numbers", height="content")
    sheets.download("Item scores (CSV)", report.to_frame, "item_scores.csv", "scores.item_csv")
    as_lines.section(dataset, _view(dataset, chosen))


def _view(dataset: state.Dataset, chosen: state.Choices) -> as_lines.View:
    asked = as_lines.call("item_scores", chosen.settings(), dataset, weights=as_lines.weights(dataset))
    return as_lines.View(asked, as_lines.path("judges", [chosen.judge], "all", "measures", [HEADLINE[0]]))


def _weights(dataset: state.Dataset) -> tuple[tuple[str, float], ...]:
    """Return those the user gave; none where they stand as the file's rubric has them."""
    return tuple(sorted(state.weights_of(dataset).items()))


@cached.of_file(max_entries=16, show_spinner="Scoring the items")
def _report(dataset: state.Dataset, judge: str, reference: str, weights: tuple[tuple[str, float], ...]) -> ItemScoresReport:
    return metrics.item_scores(dataset.ratings, judges=judge, reference=reference, weights=dict(weights) or None)


def _number(compared: Compared, key: str, copied: str) -> parts.Headline:
    estimate, record = compared.measures[key], RECORDS[key]
    text = signed(estimate.value, 2) if key == "bias" else value(estimate.value)
    second = bounds(estimate.ends, without="no interval")
    label = record.symbol if key == "rmse" else record.name
    return parts.Headline(
        label, text, second, documents.help_of(record), estimate.undefined, f"{count(compared.n)} items", copied
    )


def _table(whole: Compared, complete: Compared) -> dict[str, list[str]]:
    named = [(key, RECORDS[key].name) for key in whole.measures if key in RECORDS]
    parts = {f"All items, n {count(whole.n)}": whole, f"Without abstention, n {count(complete.n)}": complete}
    return as_text(of_items(named, list(parts.items())[: 1 if complete is whole else 2]))


def _pairs(report: ItemScoresReport, chosen: state.Choices) -> None:
    paired, estimates, names = _drawn(report, chosen)
    plane = plane_of_pairs(paired)
    parts.headed(
        "Score of the judge against the reference", "a mark: one item, or all items of a field, larger for more · diagonal: equal"
    )
    parts.drawing("scores.item_plane", scatter.score_scatter, scatter.alt, plane, estimates, names=names)


def _differences(report: ItemScoresReport, chosen: state.Choices) -> None:
    paired, estimates, names = _drawn(report, chosen)
    plane = plane_of_differences(paired)
    parts.headed(
        "How far apart", "judge minus reference over the mean of both · lines: bias and limits of agreement, bands: 95 %"
    )
    within = share_between(paired, estimates["loa_low"].value, estimates["loa_high"].value)
    alt = partial(bland_altman.alt, within=within)
    parts.drawing("scores.item_differences", bland_altman.bland_altman, alt, plane, estimates, names=names)


def _drawn(report: ItemScoresReport, chosen: state.Choices) -> tuple[Paired, dict[str, Estimate], tuple[str, str]]:
    judge_item_scores = report.judges[chosen.judge]
    names = report.declaration.the_reference(), chosen.judge
    return judge_item_scores.totals.merged().paired(), dict(judge_item_scores.all.measures), names
