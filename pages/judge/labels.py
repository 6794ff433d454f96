"""How many labels would settle a question about a judge, or about two?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import InputError
from metrics.analyses.planning.compute import Plan
from metrics.analyses.planning.sizes import POWER, about
from metrics.analyses.provenance import citation_line
from metrics.figures import widths
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import UNDEFINED, apart, bounds, count, number, percent, points
from pages.shared import as_lines, documents, opening, parts, sheets, stage, state
from pages.shared.compare import second
from pages.shared.labels import asking, flat, sheet
from pages.shared.plain import escape, short

ASKS = "How many labels are enough?"
NO_ITEMS = (
    "This is a table of counts: it does not say which decisions belong to one item, so items cannot be planned from it. "
    "Open a file with one row per verdict."
)


def answer(dataset: state.Dataset, chosen: state.Choices) -> None:
    if not dataset.ratings.has_items:
        parts.sample_note(dataset)
        parts.lacking(NO_ITEMS, "Open a file")
        return
    parts.sample_note_at_desk(dataset)
    with opening.choosers():
        asking.choosers(dataset, chosen)
    parts_below = _below(dataset, chosen)
    if asking.of_two() and len(dataset.ratings.judges) < 2:
        second.needed(dataset)
    elif asking.same_judge(dataset, chosen):
        st.info("A and B are the same judge. Choose two.", icon=":material/info:")
    else:
        plan_answer = asking.answer(dataset, chosen)
        if isinstance(plan_answer, InputError):
            parts.refused(plan_answer)
        else:
            _show(plan_answer, parts_below)
            as_lines.section(dataset, as_lines.View(plan_answer.call, as_lines.path("today")))
            return
    for draw in parts_below:
        draw()


def _below(dataset: state.Dataset, chosen: state.Choices) -> list[partial[None]]:
    """Return what stands below the plan, whichever it is."""
    drawings = [partial(flat.section, dataset, chosen, asking.metric(dataset, chosen))]
    return [*drawings, partial(sheet.section, dataset, chosen)] if dataset.ratings.has_rows else drawings


def _show(plan_answer: asking.Answer, below: Sequence[partial[None]]) -> None:
    plan = plan_answer.plan
    parts.declaration(plan_answer.header, plan_answer.citation)
    headline = partial(parts.headline, _headline(plan_answer))
    if state.in_room_view():
        stage.one_at_a_time([headline, partial(_figure, plan_answer), *below])
        return
    headline()
    _figure(plan_answer)
    if widths.drawable(plan):
        _table(plan_answer)
    for draw in below:
        draw()


def _headline(plan_answer: asking.Answer) -> list[parts.Headline]:
    plan, context = plan_answer.plan, (plan_answer.who, *plan_answer.header.provenance())
    record = BY_KEY[plan.metric]
    name = f"Difference in {record.symbol}" if plan.difference else record.name
    name = f"{name} by ‘{short(plan.weights)}’" if plan.weights else name
    shown = apart(plan.today, plan.unit, "no interval")
    now = parts.Headline(name, *shown, documents.help_of(record), citation=plan_answer.citation)
    counted = escape(f"{plan.counted[:1].upper()}{plan.counted[1:]}")
    behind = f"{counted} with a verdict of both sides that counts here."
    n_now = count(plan.n_now)
    items = parts.Headline(
        f"{plan.kind.capitalize()} today",
        n_now,
        "that count here",
        behind,
        citation=citation_line(f"{plan.counted} today", n_now, context),
    )
    wide = _wide(plan.today.width, plan)
    width = parts.Headline(
        "Width today",
        wide,
        f"{percent(plan.confidence)} interval",
        "From the lower to the upper end of the interval. Four times as many make it about half as wide.",
        citation=citation_line(
            f"width of the interval of {name}", wide, context, reason="" if plan.today.ends else "the number has no interval"
        ),
    )
    return [now, items, replace(_needed(plan), citation=_needed_citation(plan, context)), width]


def _needed_citation(plan: Plan, context: Sequence[str]) -> str:
    rests = (f"question: {plan.question}", f"for {plan.needed_for}, power {percent(POWER)}", *context)
    known = plan.needed.n is not None
    shown = about(plan.needed.n) if plan.needed.n is not None else UNDEFINED
    what = f"{plan.counted} for {plan.needed_for}" if known and plan.settled else f"{plan.counted} needed"
    return citation_line(what, shown, rests, reason="" if known else f"{plan.in_place}: {plan.needed.reason}")


def _needed(plan: Plan) -> parts.Headline:
    power, label = percent(POWER), f"{plan.kind.capitalize()} needed"
    help_text = f"With so many, {power} of studies would answer the question if the truth is as assumed."
    if plan.needed.n is not None and plan.settled:
        label, help_text = f"{plan.kind.capitalize()} for {plan.needed_for}", f"Answered today: none are needed. {help_text}"
        return parts.Headline(label, about(plan.needed.n), "decided today", help_text)
    if plan.needed.n is not None:
        return parts.Headline(label, about(plan.needed.n), f"power {power}", help_text)
    return parts.Headline(label, UNDEFINED, plan.in_place, f"{help_text} Here none: {escape(plan.needed.reason)}.")


def _wide(width: float, plan: Plan) -> str:
    return points(width).lstrip("+") if plan.unit else number(width)


def _figure(plan_answer: asking.Answer) -> None:
    plan = plan_answer.plan
    what = f"difference: {plan_answer.who} · " if plan.difference else ""
    rules = (
        f"rule: {plan.kind} today" if plan.needed.n is None else f"rules: {plan.kind} today (solid) and {_dashed(plan)} (dashed)"
    )
    line = f"{what}band: {percent(plan.confidence)} interval to expect if the value stays · {rules}"
    parts.lone_heading(plan.question, line)
    if widths.drawable(plan):
        parts.drawing("labels.widths", widths.interval_widths, widths.alt, plan)
    parts.reading(escape(plan.sentence))


def _dashed(plan: Plan) -> str:
    return f"for {plan.needed_for}" if plan.settled else "needed"


def _table(plan_answer: asking.Answer) -> None:
    plan = plan_answer.plan
    columns = plan.expected()
    ends = zip(columns["low"], columns["high"], strict=True)
    shown = {
        escape(plan.counted): [count(n) for n in columns[plan.counted]],
        "interval to expect": [escape(bounds((low, high), plan.unit)) for low, high in ends],
        "width": [_wide(width, plan) for width in columns["width"]],
    }
    with st.expander(f"The same as a table: interval and width at 25 to 5\u202f000 {plan.kind}"):
        st.table(shown, hide_index=True)
    extra_columns = {
        "question": plan.question,
        "declaration": plan_answer.header.text(),
        "confidence": plan.confidence,
        "n_today": plan.n_now,
        "n_needed": plan.needed.n,
        "n_needed_for": plan.needed_for,
    }
    sheets.download("Widths to expect (CSV)", lambda: columns, "widths.csv", "labels.csv", extra_columns=extra_columns)


opening.page(ASKS, answer)
