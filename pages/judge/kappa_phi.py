"""Does the judge say the positive label too often, and what does it cost?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from metrics.analyses.agreement import readings
from metrics.analyses.kappa_phi import rows as gap_rows
from metrics.analyses.provenance import citation, header
from metrics.analyses.records import Block
from metrics.data.labels import DEFAULT_POSITIVE
from metrics.measures.catalogue import keys_at
from metrics.results.words import p3
from pages.shared import as_lines, cached, interval_notes, opening, parts, stage, state
from pages.shared.kappa_phi import asking, dumbbells, nothing, numbers, views
from pages.shared.plain import short

HEADLINE = keys_at("gap headline")


def answer(dataset: state.Dataset, chosen: state.Choices) -> None:
    report = cached.report(dataset, chosen)
    if gap_rows.readable(report):
        _show(asking.gap_view(dataset, chosen, report))
    elif state.in_room_view():
        stage.one_at_a_time([partial(nothing.to_read, dataset, chosen, report)])
    else:
        parts.sample_note(dataset)
        nothing.to_read(dataset, chosen, report)


def _question(dataset: state.Dataset | None) -> str:
    binary = dataset is None or dataset.ratings.scheme.scale == "binary"
    word = dataset.ratings.scheme.classes[0] if dataset is not None and binary else DEFAULT_POSITIVE
    what = f"**{short(word)}**" if binary else "one label"
    return f"Does the judge say {what} too often, and what does it cost?"


def _show(asked: asking.GapView) -> None:
    dataset, chosen, report = asked.dataset, asked.chosen, asked.report
    asking.write_link(asked)
    parts.sample_note_at_desk(dataset)
    where = report, chosen.judge, chosen.level, "drift"
    parts.declaration(header(*where), citation(*where))
    block = report.judges[chosen.judge].level(chosen.level)
    headline = partial(parts.headline, _headline(asked))
    if state.in_room_view():
        stage.one_at_a_time([headline, partial(dumbbells.section, asked), *views.every(asked)])
        return
    headline()
    interval_notes.interval_notes(block, HEADLINE)
    dumbbells.section(asked)
    views.chosen_one(asked)
    numbers.table(asked)
    place = as_lines.path("judges", [chosen.judge], chosen.level, [HEADLINE[0]])
    as_lines.section(dataset, as_lines.View(as_lines.call("agreement", chosen.settings(), dataset), place))


def _headline(asked: asking.GapView) -> list[parts.Headline]:
    where = asked.report, asked.chosen.judge, asked.chosen.level
    block = asked.report.judges[asked.chosen.judge].level(asked.chosen.level)
    number_of = partial(parts.number_of, block, copied=partial(citation, *where))
    drift = readings.drift_words(block, short(block.labels[0]))
    ratio = number_of("kappa_phi_ratio", "share that κ keeps")
    kept, of = p3(block.values["kappa_phi_ratio"]), _mean_over(block, "kappa_phi_ratio")
    chance = gap_rows.BY_CONSTRUCTION if gap_rows.by_construction(block) else ""
    return [
        number_of("kappa", chance or _mean_over(block, "kappa")),
        number_of("phi", _mean_over(block, "phi")),
        replace(ratio, value=kept, second=of or "1: no bias", third="1: no bias" if of else ""),
        number_of("drift", " · ".join(part for part in (drift, _mean_over(block, "drift")) if part)),
    ]


def _mean_over(block: Block, key: str) -> str:
    """Over how many criteria a number is a mean, where that is not all of them."""
    share = gap_rows.share_of_criteria(block, key)
    return f"{share} criteria" if share else ""


opening.page(_question(state.dataset()), answer)
