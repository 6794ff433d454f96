"""Every judge beside the others, how the judges agree with each other, and how the humans do."""

from __future__ import annotations

from dataclasses import replace

from metrics.analyses.comparison.readings import LEVEL_WORDS
from metrics.analyses.ensembles.readings_matrices import matrices_reading
from metrics.analyses.provenance import handling_of, mode_words
from metrics.analyses.raters import tables
from metrics.analyses.raters.provenance import header, treated
from metrics.analyses.raters.result import MEAN_KAPPAS, STATISTICS, RaterBlock, RatersReport
from metrics.analyses.raters.tables import gate_words, paradoxes
from metrics.analyses.records import AgreementReport, JudgeReport
from metrics.data.aggregation import LEVEL_NAMES, Level
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA
from metrics.report.checklist.contents import INTER_JUDGE
from metrics.report.document import Part, Section
from metrics.report.material import Material
from metrics.report.methods_data import listed
from metrics.report.parts import NUMBER, association_keys, confidence_words, interval_notes, notes_of, undefined_notes
from metrics.results import words
from metrics.results.prose import Paragraph
from metrics.results.tables import ENDS, Column, Table, by_part, form_of, selected, with_column, with_ends

JUDGE = (Column("judge"), Column("n", "count"))
MOST_PAIRS = 105
"""Pairs that are printed: those of fifteen raters."""
OWN_DECISIONS = "Each row counts the decisions that this judge answered. A higher number can come from its abstentions."
CREDITED = "κ micro also credits knowing which criterion gets which label; κ within criteria does not."


def judges(material: Material) -> Section | None:
    """Return every judge with the reference, and how several judges agree with each other."""
    report, between = material.agreement, material.findings.between
    if not material.contents.has("judges") or ((report is None or len(report.judges) < 2) and between is None):
        return None
    parts: list[Part] = []
    if report is not None and len(report.judges) > 1:
        parts += [*_each(material), *_readings(material, report)]
    if material.findings.matrices is not None and material.contents.has("kappa"):
        parts.append(Paragraph(f"All criteria together: {matrices_reading(material.findings.matrices)}", "note"))
    if between is not None:
        shown = tuple(material.contents.inter_judge)
        parts.append(_statistics(between, "between", shown))
        parts += [_criteria(between, "between-criteria", shown)] if len(between.criteria) > 1 and shown else []
        parts.append(_pairs(between, "between-pairs"))
    return Section("judges", "Every judge, and how the judges agree", tuple(parts))


def _each(material: Material) -> list[Table]:
    """Return agreement beyond chance and association, then accuracy and the rest."""
    report, level = material.agreement, material.contents.level
    assert report is not None
    first = next(iter(report.judges.values())).micro
    beyond = [("κ", "kappa")] if material.contents.has("kappa") else []
    beyond += [("φ" if key == "phi" else name, key) for name, key in association_keys(material, first)[:1]]
    rest = [("F1", "f1"), ("label-rate bias", "drift")] if len(first.labels) == 2 else [("macro-F1", "macro_f1")]
    shown = {"judges": beyond, "judges-accuracy": [("accuracy", "accuracy"), *rest]}
    return [_side_by_side(material, report, level, key, columns) for key, columns in shown.items()]


def _side_by_side(material: Material, report: AgreementReport, level: Level, key: str, shown: list[tuple[str, str]]) -> Table:
    keys = [metric for _, metric in shown]
    metrics = [(with_ends(name, form_of(BY_KEY[metric])), metric) for name, metric in shown]
    blocks = {words.plain(name): report.level(level) for name, report in report.judges.items()}
    rows = [((report.name, _decisions(report, level)), report.level(level)) for report in report.judges.values()]
    notes = (*_own_decisions(report), *undefined_notes(blocks, keys), *interval_notes(blocks, keys))
    d = material.declaration
    over = f"{LEVEL_NAMES[level]} over {words.several(len(d.criteria), 'criteria')}. " if len(d.criteria) > 1 else ""
    coverage = "; ".join(
        f"{words.plain(name)} {words.percent(report.coverage.coverage)}" for name, report in report.judges.items()
    )
    caption = f"Every judge with the reference. {over}{_shared(material)} Coverage: {coverage}."
    return by_part(key, caption, JUDGE, rows, metrics, notes)


def _readings(material: Material, report: AgreementReport) -> list[Table]:
    """Return κ of every judge over decisions, over criteria and within criteria; nothing with one criterion."""
    known = any("kappa_within" in report.micro.values for report in report.judges.values())
    if not known or len(report.declaration.criteria) < 2 or not material.contents.has("kappa"):
        return []
    head = (*JUDGE, *(with_ends(f"κ {name}") for name in LEVEL_WORDS.values()))
    rows, blocks = [], {}
    for judge_report in report.judges.values():
        rows.append(
            (
                judge_report.name,
                judge_report.micro.n,
                judge_report.micro["kappa"],
                judge_report.macro["kappa"],
                judge_report.micro["kappa_within"],
            )
        )
        blocks[words.plain(judge_report.name)] = judge_report.micro
    notes = CREDITED, *undefined_notes(blocks, ["kappa_within"]), *interval_notes(blocks, ["kappa_within"])
    caption = f"κ of every judge over decisions, over criteria and within criteria. {_shared(material)}"
    return [Table("judges-readings", caption, head, tuple(rows), notes)]


def _own_decisions(report: AgreementReport) -> tuple[str, ...]:
    """Return that the rows compare nobody, where the judges did not answer the same decisions."""
    return (OWN_DECISIONS,) if len({report.micro.n for report in report.judges.values()}) > 1 else ()


def _shared(material: Material) -> str:
    """Return what holds for every judge: coverage is each one's own, and said beside."""
    d = material.declaration
    negative = words.plain(d.labels["negative"][0]) if d.labels.get("negative") else "negative"
    treated = "; ".join(part for part in (mode_words(d.abstention, negative), handling_of(d)) if part)
    asked = f"Intervals {confidence_words(material)}." if d.interval["method"] != "none" else "No intervals."
    return f"{d.scale_words().capitalize()} · {treated}. Reference: {words.plain(d.reference_words())}. {asked}"


def _decisions(report: JudgeReport, level: Level) -> int | None:
    return report.micro.n if level == "macro" else report.level(level).n


def raters(material: Material) -> Section | None:
    """Return how the humans agree, and whether that passes the gate."""
    humans = material.findings.humans
    if humans is None or not material.contents.has("raters"):
        return None
    title = "How the humans agree"
    if not humans.pooled.n_pairable:
        who = words.several(len(humans.raters), "humans")
        text = f"No decision has labels of two humans, so how far the {who} agree is unknown."
        return Section("raters", title, (Paragraph(text),))
    parts = (_statistics(humans, "humans", tuple(humans.pooled.values)), _gate(humans), _pairs(humans, "humans-pairs"))
    return Section("raters", title, parts)


def _statistics(report: RatersReport, key: str, shown: tuple[str, ...]) -> Table:
    """Return statistics of all criteria together, beside the mean over them."""
    many, block = len(report.criteria) > 1, report.pooled
    names = [(_called(block, name), name) for name in shown]
    who = words.several(len(report.raters), f"{report.role}s")
    declaration = header(report)
    caption = f"Agreement among {who}: {listed(report.raters)}. {declaration.bold} {declaration.rest}"
    value = "all together" if many else "value"
    table = tables.statistics(report, names, value, key, caption, _undefined({"": block}, shown))
    if many:
        means = [report.mean(name) for name in shown]
        table = with_column(table, Column("mean over criteria", NUMBER), means)
        table = with_column(
            table, Column("criteria with a value"), (" of ".join(map(str, estimate.of or ())) for estimate in means)
        )
    for place, what in enumerate(("labels", "units", "raters")):
        table = with_column(table, Column(what, "count"), (_rests_on(block, name)[place] for name in shown))
    return table


def _rests_on(block: RaterBlock, key: str) -> tuple[int, int, int]:
    """Return on how many labels, units and raters a statistic rests."""
    units = block.fleiss_n_items if key == "fleiss_kappa" else block.n_items
    labels = units * block.fleiss_n_ratings if key == "fleiss_kappa" else block.n_ratings
    return labels, units, block.n_raters


def _criteria(report: RatersReport, key: str, shown: tuple[str, ...]) -> Table:
    """Return the same on every criterion."""
    head = (Column("criterion"), Column("units", "count"))
    metrics = [(Column(report.pooled.symbol(name), form_of(STATISTICS[name]), ENDS), name) for name in shown]
    rows = [((criterion, block.n_items), block) for criterion, block in report.criteria.items()]
    d = report.declaration
    answers = "; ".join(part for part in (treated(d), handling_of(d)) if part)
    caption = f"Agreement among {report.role}s by criterion. {d.scale_words().capitalize()} · {answers}. {header(report).rest}"
    return by_part(key, caption, head, rows, metrics, _undefined(dict(report.criteria), shown))


def _undefined(blocks: dict[str, RaterBlock], shown: tuple[str, ...]) -> tuple[str, ...]:
    return notes_of(
        "Undefined",
        (
            (words.plain(where), block[name].undefined, block.symbol(name))
            for where, block in blocks.items()
            for name in shown
            if block[name].undefined
        ),
    )


def _called(block: RaterBlock, key: str) -> str:
    if key in MEAN_KAPPAS:
        return MEAN_KAPPAS[key]
    known = INTER_JUDGE.get(key)  # type: ignore[call-overload]
    if known and not (key == "mean_pairwise_phi" and len(block.classes) > 2):
        return str(known)
    return STATISTICS[key].name if block.symbol(key) == STATISTICS[key].symbol else "Mean R_K of pairs"


def _gate(report: RatersReport) -> Table:
    on = report.gate_symbol
    edges = ", ".join(words.three(edge).removesuffix("0") for edge in report.bands.edges)
    caption = (
        f"The gate, criterion by criterion, sorted by verdict, then by {on}: passes where the whole interval of {on} is at "
        f"{words.three(report.bands.line)} or above, fails where it is below. Bands end at {edges}. {header(report).rest}"
    )
    blocks = [report.criteria[name] for name in report.by_need()]
    table = tables.by_need(report, "units", caption, paradoxes(report))
    table = with_column(table, Column("band"), (block.gate.band for block in blocks))
    return with_column(table, Column("gate"), map(gate_words, blocks))


def _pairs(report: RatersReport, key: str) -> Part:
    """Return every pair, where there are any, and few enough to be read."""
    if not len(report.pooled.pairs.n):
        return Paragraph(f"No two {report.role}s share a decision, so there are no pairs.")
    if len(report.pooled.pairs.n) > MOST_PAIRS:
        many = words.count(len(report.pooled.pairs.n))
        return Paragraph(f"The {many} pairs of {report.role}s are too many to print; the JSON of this report lists each.")
    table, block = tables.pairs(report), report.pooled
    weighted = {} if block.pairs.penalty is None else {QUADRATIC_KAPPA.key: block.kappa_symbol}
    phi = "R_K" if len(block.classes) > 2 else "φ"
    heads = {"a": "one", "b": "other", "n": "n"} | weighted | {"kappa": "κ", "phi": phi, "percent_agreement": "agreement"}
    notes = ("A dash: one of the two, or both, gave one label only.",) if any(None in row for row in table.rows) else ()
    caption = f"Pairs of {report.role}s, all criteria together. {header(report).bold}"
    return replace(selected(table, heads), key=key, caption=caption, notes=notes)
