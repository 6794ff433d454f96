"""What became of answers without a verdict: how they count, how many there are, what they depend on, what they cost."""

from __future__ import annotations

from dataclasses import replace

from metrics.analyses.abstention.bounds import NO_DECISION
from metrics.analyses.abstention.readings import bounds_reading
from metrics.analyses.abstention.readings_costs import preset_names
from metrics.analyses.abstention.relation import Relation
from metrics.analyses.abstention.tables import COVERED, SILENT, SPLIT, bounds_table, coverage_table
from metrics.analyses.provenance import handling_of, mode_words
from metrics.analyses.records import Block
from metrics.data.abstention import Coverage
from metrics.data.labels import EMPTY_CELL
from metrics.data.vocabulary import Kind
from metrics.measures.catalogue import BY_KEY
from metrics.measures.cost_matrices import preset_of
from metrics.report.document import Part, Section
from metrics.report.material import Material
from metrics.report.parts import NUMBER, RATES, association_keys, based, confidence_words, keys_of, method_of, undefined_notes
from metrics.results import words
from metrics.results.prose import Listing, Paragraph
from metrics.results.tables import ENDS, Cell, Column, Table, cell, form_of, selected

KIND_NAMES: dict[Kind, str] = {
    "positive": "positive", "negative": "negative", "class": "classes", "abstention": "no verdict", "tie": "tie",
    "invalid": "invalid answer", "error": "failed call", "missing": "no rating", "number": "a score",
}  # fmt: skip


def mode(material: Material) -> Section | None:
    """Return how answers without a verdict count, and what the labels mean."""
    if not material.contents.has("mode") or material.agreement is None:
        return None
    d = material.declaration
    negative = d.labels["negative"][0] if d.labels.get("negative") else "negative"
    handled = handling_of(d) or "ties and invalid answers follow the abstentions; failed calls are not ratings"
    sentence = f"{mode_words(d.abstention, words.plain(negative))}; {handled}."
    kinds: tuple[Kind, ...] = tuple(KIND_NAMES)
    labels = [
        f"{KIND_NAMES[kind]}: {', '.join(words.plain(label or EMPTY_CELL) for label in d.labels[kind])}"
        for kind in kinds
        if d.labels.get(kind)
    ]
    return Section("mode", "How answers count", (Paragraph(words.capital(sentence)), Listing(tuple(labels))))


def coverage(material: Material) -> Section | None:
    """Return the rates of both sides for every judge."""
    if not material.contents.has("coverage") or material.agreement is None:
        return None
    d = material.declaration
    coverages = {name: report.coverage for name, report in material.agreement.judges.items()}
    whole = all(judge_coverage.n_covered == judge_coverage.n_total for judge_coverage in coverages.values())
    of_both = "that the reference and the judge both rated" if whole else "with a row of both the reference and the judge"
    caption = (
        f"Decisions {of_both}. Abstention κ: whether both leave the same decisions open. "
        f"{words.plain(d.file_words)}, reference: {words.plain(d.reference_words())}. {_one_side(coverages)}"
    )
    table = coverage_table("judge", coverages)
    covered = selected(table, ("judge", "decisions", "with both verdicts", *COVERED, "abstention κ"))
    voted = any(judge_coverage.n_voted for judge_coverage in coverages.values())
    of_votes = " A split vote of the humans is no abstention. Its share is of the decisions with several votes."
    rates = (
        "Answers without a verdict, as shares of the same decisions; failed calls of all calls. A tie and an invalid answer are "
        f"abstentions here, whatever they count as elsewhere.{of_votes if voted else ''}"
    )
    silent = selected(table, ("judge", *SILENT, *(SPLIT if voted else ())))
    tables = (
        replace(covered, caption=caption, notes=_kappa_notes(coverages)),
        replace(silent, key="coverage-rates", caption=rates),
        *_by_criterion(material),
    )
    return Section("coverage", "Coverage", tables)


def _kappa_notes(coverages: dict[str, Coverage]) -> tuple[str, ...]:
    """Return of whom abstention κ tells nothing, a sentence to each reason."""
    reasons: dict[str, list[str]] = {}
    for name, judge_coverage in coverages.items():
        if judge_coverage.abstention_kappa_reason:
            undefined = "undefined: " if cell(judge_coverage.abstention_kappa) is None else ""
            reasons.setdefault(f"{undefined}{judge_coverage.abstention_kappa_reason.replace('human', 'reference')}", []).append(
                name
            )
    return tuple(f"Abstention κ of {', '.join(map(words.plain, names))} is {why}." for why, names in reasons.items())


def _one_side(coverages: dict[str, Coverage]) -> str:
    """Return decisions that only one side rated."""
    lone = [
        f"{words.count(judge_coverage.n_human_only)} and {words.count(judge_coverage.n_judge_only)} ({words.plain(name)})"
        for name, judge_coverage in coverages.items()
        if judge_coverage.n_human_only or judge_coverage.n_judge_only
    ]
    if not lone:
        return _of_both_sides(coverages)
    return f"Not counted in any number, decisions that the reference alone, and the judge alone, rated: {'; '.join(lone)}."


def _of_both_sides(coverages: dict[str, Coverage]) -> str:
    """Return that both rated every decision, or how many each leaves open, where no decision lacks a row.

    The number of the reference can differ from judge to judge.
    """
    by_reference = {
        round(judge_coverage.n_total * (1 - judge_coverage.human_coverage))
        for judge_coverage in coverages.values()
        if judge_coverage.n_total
    }
    most = max(by_reference, default=0)
    gone = {
        words.plain(name): round(judge_coverage.n_total * judge_coverage.judge_abstention_rate)
        for name, judge_coverage in coverages.items()
        if judge_coverage.n_total
    }
    left = [f"the reference leaves {'up to ' if len(by_reference) > 1 else ''}{words.count(most)} open"] if most else []
    left += [f"{name} leaves {words.count(n)} open" for name, n in gone.items() if n]
    left += [
        f"{words.several(one.n_errors, 'calls')} of {words.plain(name)} failed" for name, one in coverages.items() if one.n_errors
    ]
    return f"Every decision has a row of both; {', '.join(left)}." if left else "Every decision was rated by both."


def _by_criterion(material: Material) -> tuple[Table, ...]:
    """Return the headline's judge on every criterion, where somebody abstained."""
    judge = material.headline
    if judge is None or len(judge.criteria) < 2 or judge.coverage.n_covered == judge.coverage.n_total:
        return ()
    heads = ("criterion", "decisions", "with both verdicts", *COVERED, *list(SILENT)[:3])
    caption = f"{words.plain(judge.name)} and the reference by criterion, as above."
    table = selected(coverage_table("criterion", judge.criterion_coverage), heads)
    return (replace(table, key="coverage-criteria", caption=caption),)


def nonresponse(material: Material) -> Section | None:
    """Return whether abstentions depend on the other side's label, and how far the numbers could move."""
    judge = material.headline
    if judge is None or not material.contents.has("silence"):
        return None
    if judge.coverage.n_covered == judge.coverage.n_total:
        text = (
            f"Neither the reference nor {words.plain(judge.name)} abstained, so there is no association and there are no bounds."
        )
        return Section("silence", "What abstentions depend on", (Paragraph(text),))
    parts: list[Part] = [_relations(material)]
    parts += _bounds(material)
    return Section("silence", "What abstentions depend on", tuple(parts))


def _relations(material: Material) -> Part:
    """Return the associations that can be estimated, and below why others cannot; where none can, the reasons alone."""
    named = (Column("judge"), Column("whose abstentions"), Column("by the label of"))
    # three decimals: an interval that begins just above 0 is another finding than one that holds it
    head = (*named, Column("V", "three", ENDS), Column("decisions", "count"), Column("reading"))
    rows, notes = [], []
    for name, pair in material.findings.relations.items():
        for relation in pair:
            who, other = ("judge", "reference") if relation.side == "judge" else ("reference", "judge")
            if relation.v.defined:
                rows.append((name, who, other, relation.v, relation.n, _reading(relation)))
            else:
                why = relation.v.why.replace("human", "reference")
                notes.append(f"Undefined, {words.plain(name)}, abstentions of the {who}: {why}.")
    if not rows:
        return Paragraph(" ".join(dict.fromkeys(notes)))
    caption = (
        "Cramér’s V of abstaining and the other side’s label, 0 where they are unrelated. Intervals "
        f"{confidence_words(material)}, by the default rules. Where the interval excludes 0, the answered decisions are not "
        "representative of all."
    )
    return Table("silence", caption, head, tuple(rows), tuple(dict.fromkeys(notes)))


def _reading(relation: Relation) -> str:
    if relation.related is None:
        return "too few decisions"
    return "associated" if relation.related else "no association found"


def _bounds(material: Material) -> list[Part]:
    bounds = material.findings.bounds.get(material.contents.judge)
    judge, block = material.headline, material.block
    if bounds is None or judge is None or block is None:
        return []
    shown = {*keys_of(material, block), *(key for _, key in association_keys(material, block))}
    if not _same_axis(material):
        shown = {*shown, "phi", "f1", *(RATES if material.contents.has("rates") else ())}
    by_metric = {key: bound for key, bound in bounds.by_metric.items() if key in shown}
    notes = [
        f"No bounds of {BY_KEY[key].symbol}: {bound.reason}."
        for key, bound in by_metric.items()
        if bound.reason and bound.reason != NO_DECISION
    ]
    if not _same_axis(material):
        notes.append(
            "No values beside the bounds: these are of two labels, and with abstentions kept as a class the numbers are of three."
        )
    unit = "items" if material.contents.level == "item" else "decisions"
    caption = (
        f"How far the numbers of {words.plain(judge.name)} could move had the {words.count(bounds.n_open)} open of "
        f"{words.several(bounds.n_total, unit)} been decided. {based(material, judge.name, intervals=False)}"
    )
    beside = {"value": Column("value", NUMBER)} if _same_axis(material) else {}
    heads = {"metric": "metric"} | beside | {"worst_case": "smallest", "best_case": "largest"}
    table = selected(bounds_table(replace(bounds, by_metric=by_metric), block), heads)
    written = tuple(form_of(BY_KEY[key]) for key in by_metric)
    table = replace(table, caption=caption, notes=tuple(dict.fromkeys(notes)), forms=written)
    key = "kappa" if material.contents.has("kappa") else "accuracy"
    text = bounds_reading(bounds, key, block, unit) if _same_axis(material) else ""
    return [table, *([Paragraph(words.capital(text), "note")] if text else [])]


def _same_axis(material: Material) -> bool:
    """Return whether values and bounds are of tables with the same labels."""
    return not material.three


def cost(material: Material) -> Section | None:
    """Return the cost matrix of three answers with weighted κ under it, where abstentions are a class."""
    settings, report = material.findings.settings, material.agreement
    if settings is None or report is None or settings.cost is None or not material.contents.has("mode"):
        return None
    labels = next(iter(report.judges.values())).micro.labels
    head = (Column("reference \\ judge"), *(Column(label, NUMBER) for label in labels))
    rows: tuple[tuple[Cell, ...], ...] = tuple((name, *row) for name, row in zip(labels, settings.cost, strict=True))
    preset = preset_of(settings.cost)
    called = f" ({words.plain(preset_names((labels[0], labels[1], labels[2]))[preset])})" if preset else ""
    matrix = Table("cost", f"What each confusion costs{called}.", head, rows)
    return Section("cost", "Cost of three answers", (matrix, _weighted(material)))


def _weighted(material: Material) -> Table:
    assert material.agreement is not None
    head = (
        Column("judge"), Column("κ_w micro", NUMBER, ENDS), Column("interval"), Column("κ_w macro", NUMBER),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    blocks: dict[str, Block] = {}
    for name, judge in material.agreement.judges.items():
        value, mean = judge.micro["weighted_kappa"], judge.macro["weighted_kappa"]
        rows.append((name, value, method_of(material, judge.micro, "weighted_kappa"), mean))
        blocks |= {words.plain(name): judge.micro, f"{words.plain(name)}, macro": judge.macro}
    caption = f"Weighted κ of every judge under these costs. {based(material, material.contents.judge)}"
    return Table("weighted", caption, head, tuple(rows), undefined_notes(blocks, ["weighted_kappa"]))
