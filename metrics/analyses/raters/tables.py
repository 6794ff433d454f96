"""Tables of agreement among raters: statistics of all criteria together, every criterion by its need, every two raters.

The report as plain text for the terminal is made of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from metrics.analyses.raters.equivalences import same_numbers
from metrics.analyses.raters.gate import needed_words
from metrics.analyses.raters.provenance import header
from metrics.analyses.raters.readings import rare_label_words, rare_words, single_people
from metrics.analyses.raters.readings_ceiling import ceiling_reading, margin_reading, margins_reading
from metrics.analyses.raters.result import STATISTICS, RaterBlock, RatersReport, of_pairs, pairs_rule
from metrics.analyses.records import notes_of
from metrics.measures.catalogue import QUADRATIC_KAPPA
from metrics.results import tables, words
from metrics.results.prose import Paragraph, Passage
from metrics.results.tables import ENDS, Cell, Column, Table, by_metric, form_of, without_empty

WIDE = 30
VERDICTS = {"passes": "passes", "fails": "fails", "undecided": "undecided"}
BESIDE_FLOOR = {"passes": "above the floor", "fails": "below the floor", "undecided": VERDICTS["undecided"]}
"""The same of judges, who pass no gate: their agreement is no reference."""
NO_VERDICT = "no verdict"


def statistics(
    report: RatersReport,
    names: Sequence[tuple[str, str]],
    value: str,
    key: str = "statistics",
    caption: str = "",
    notes: Iterable[str] = (),
) -> Table:
    """Return statistics of all criteria together.

    Parameters
    ----------
    names : sequence of (str, str)
        What each statistic is called, and its key.
    value : str
        Heading of the values.
    """
    rows = [(name, statistic, form_of(STATISTICS[statistic])) for name, statistic in names]
    return by_metric(key, caption, Column("statistic"), rows, [(Column(value, "number", ENDS), report.pooled)], notes)


def by_need(report: RatersReport, units: str, caption: str = "", notes: Iterable[str] = ()) -> Table:
    """Return every criterion with its units and the statistic that the gate is on.

    Parameters
    ----------
    report : RatersReport
    units : str
        Heading of the number of units.
    caption : str
    notes : iterable of str
        Below the table.
    """
    blocks: dict[str, RaterBlock] = {name: report.criteria[name] for name in report.by_need()}
    head = (Column("criterion"), Column(units, "count"), Column(report.gate_symbol, "number", ENDS))
    rows: list[tuple[Cell, ...]] = [(name, block.n_pairable, block[block.judged]) for name, block in blocks.items()]
    return Table("gate", caption, head, tuple(rows), tuple(notes))


def pairs(report: RatersReport, criterion: str | None = None) -> Table:
    """Return every two raters that share a unit of a criterion, or of any."""
    block = report.block(criterion)
    weighted = [] if block.pairs.penalty is None else [Column(QUADRATIC_KAPPA.key, "number")]
    head = (
        Column("a"), Column("b"), Column("n", "count"), *weighted, Column("kappa", "number"), Column("phi", "number"),
        Column("percent_agreement", "percent"),
    )  # fmt: skip
    return Table("pairs", "", head, tuple(tuple(pair.values()) for pair in block.pair_rows()))


def verdict_words(verdict: str, role: str = "human") -> str:
    """Return a verdict of the gate in a word: of people they pass or fail, of judges where their agreement lies."""
    return (BESIDE_FLOOR if role == "judge" else VERDICTS)[verdict]


def summary(report: RatersReport) -> str:
    """Return declaration, statistics over all criteria, the criteria by need for attention, and the warnings."""
    lines = [*_heading_lines(report), "", *_statistics(report), "", *_same(report.pooled), "", *_criteria(report)]
    lines += ["", *_margins(report)] if report.margins else []
    return "\n\n".join(["\n".join(lines), *notes_of(report.warnings)])


def _margins(report: RatersReport) -> list[str]:
    """Return how each judge stands to a human left out, and to the margin."""
    lines = ["  Judges against a human left out"]
    for one in report.margins:
        lines.append(f"  {words.capital(ceiling_reading(one.ceiling))}")
        lines.append(f"  {margin_reading(one.ceiling, one.held.margin)}")
    return lines + [f"  {text}" for text in margins_reading(report.margins)]


def passages(report: RatersReport) -> tuple[Passage, ...]:
    """Return what a notebook shows: how many criteria pass, the statistics of all together, every criterion by need."""
    gate = _criteria_table(report)
    return (
        Paragraph(gate_heading(report), "verdict"),
        Paragraph(header(report).text(), "declaration"),
        without_empty(_statistics_table(report)),
        replace(gate, caption=_gate_caption(report), notes=tuple(map(words.capital, paradoxes(report)))),
        *(Paragraph(margin_reading(one.ceiling, one.held.margin)) for one in report.margins),
        *(Paragraph(text) for text in margins_reading(report.margins)),
        *(Paragraph(warning.message, "note") for warning in report.warnings),
    )


def gate_heading(report: RatersReport) -> str:
    """Return how many criteria pass, as a heading; of a single one its verdict."""
    gates, judges = [block.gate for block in report.criteria.values()], report.role == "judge"
    if len(gates) == 1:
        answer = f"{NO_VERDICT}: {gates[0].reason}" if gates[0].reason else verdict_words(gates[0].verdict, report.role)
        who = "single people" if single_people(report) else "the humans"
        asks = "Do the judges agree with each other?" if judges else f"Do {who} pass the gate?"
        return f"{asks} {answer[0].upper()}{answer[1:]}"
    verdicts = [NO_VERDICT if gate.reason else gate.verdict for gate in gates]
    passed, failed = (words.count(verdicts.count(verdict)) for verdict in ("passes", "fails"))
    of = words.count(len(gates))
    heading = f"Which criteria pass the gate? {passed} of {of} pass, {failed} fail"
    if judges:
        heading = f"On which criteria do the judges agree? {passed} of {of} above the floor, {failed} below"
    rest = (("undecided", VERDICTS["undecided"]), (NO_VERDICT, "without a verdict"))
    return heading + "".join(f", {words.count(verdicts.count(kind))} {how}" for kind, how in rest if kind in verdicts)


def gate_words(block: RaterBlock, role: str = "human") -> str:
    """Return the verdict of the gate with what would decide it: "undecided; about 140 would show …"."""
    gate = block.gate
    rare = f"; {rare_label_words(gate.rare)}" if gate.rare is not None else ""
    if gate.verdict != "undecided":
        return f"{verdict_words(gate.verdict, role)}{rare}"
    if gate.reason:
        return f"{NO_VERDICT}: {gate.reason}"
    if gate.needed.n is None:
        return f"{VERDICTS['undecided']}; {gate.needed.reason}{rare}"
    stays = f"if {block.symbol(block.judged)} stays at {words.on_its_side(block.values[block.judged], gate.line)}"
    return f"{VERDICTS['undecided']}; {needed_words(gate.needed.n, gate.would)}, {stays}{rare}"


def _heading_lines(report: RatersReport) -> list[str]:
    who = words.several(len(report.raters), f"{report.role}s")
    rows = [f"  {report.declaration.rows_words}"] if report.declaration.left_out else []
    return [f"Agreement among {who}", f"  {header(report).text()}", *rows]


def _statistics(report: RatersReport) -> list[str]:
    table = _statistics_table(report)
    lines = tables.lines(table, (-WIDE, 22, 22), corner="", whole=True)
    return [f"  {line}" for line in (*lines, *table.notes)]


def _statistics_table(report: RatersReport) -> Table:
    keys, notes = list(report.pooled.values), []
    if report.pooled.mean_of and (rule := pairs_rule(report.pooled)):
        notes.append(f"Means of pairs are over those {rule}.")
    notes += [f"{report.pooled.symbol(key)} is undefined: {why}." for key, why in report.pooled.undefined.items()]
    table = statistics(report, [(_name(report.pooled, key), key) for key in keys], "all", notes=notes)
    if len(report.criteria) < 2:
        return table
    return tables.with_column(table, Column("mean over criteria"), (_mean(report, key) for key in keys))


def _mean(report: RatersReport, key: str) -> str:
    estimate = report.mean(key)
    return f"{words.value(estimate.value, STATISTICS[key].unit)} ({' of '.join(map(str, estimate.of or ()))})"


def _name(block: RaterBlock, key: str) -> str:
    if key == "fleiss_kappa" and block.fleiss_n_items:
        return f"Fleiss' κ ({words.count(block.fleiss_n_items)} with {block.fleiss_n_ratings})"
    if key in block.mean_of:
        return f"{block.symbol(key)} of {of_pairs(block, key)}"
    return STATISTICS[key].name


def _same(block: RaterBlock) -> list[str]:
    phrases = {"same": "the same number", "differ": "not the same here", "unrelated": "another question"}
    return [
        f"  {equivalence.title(block)}, {phrases[equivalence.kind]}: {equivalence.why}" for equivalence in same_numbers(block)
    ]


def _gate_caption(report: RatersReport) -> str:
    what = "Agreement of the judges" if report.role == "judge" else "Gate"
    on, line = report.gate_symbol, words.three(report.bands.line)
    return f"{what}: the interval of {on} against {line}, by verdict, then by {on}"


def _criteria_table(report: RatersReport) -> Table:
    blocks = (report.criteria[name] for name in report.by_need())
    verdicts = (", ".join(filter(None, (block.gate.band, gate_words(block, report.role)))) for block in blocks)
    return tables.with_column(by_need(report, "items"), Column("band, verdict"), verdicts)


def _criteria(report: RatersReport) -> list[str]:
    lines = [f"  {_gate_caption(report)}"]
    lines += [f"  {line}" for line in tables.lines(_criteria_table(report), (-WIDE, 8, 22, 0))]
    lines += [f"  {words.capital(paradox)}" for paradox in paradoxes(report)]
    return lines


def paradoxes(report: RatersReport) -> list[str]:
    """Return the prevalence paradox of every criterion that does not pass because a label is rare."""
    gates = {name: report.criteria[name].gate for name in report.by_need()}
    many = len(gates) > 1
    return [
        f"{words.plain(name)}: {rare_words(gate.rare, role=report.role)}" if many else rare_words(gate.rare, role=report.role)
        for name, gate in gates.items()
        if gate.rare is not None
    ]
