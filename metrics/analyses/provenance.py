"""The sentence that gives a number its meaning, for page headers, copied numbers and exports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from metrics.analyses.records import AgreementReport, Declaration, JudgeReport
from metrics.data.abstention import Coverage
from metrics.data.aggregation import Level
from metrics.data.labels import HANDLED, Handling
from metrics.data.nonverdicts import handling_words
from metrics.data.vocabulary import Kind
from metrics.intervals.bootstrap import METHODS
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval
from metrics.results import words

UNITS = ("item", "decision", "criterion", "hierarchical")
"""Units that are not a column of the file."""
NAMED = {
    "delong": "DeLong", "dirichlet": "Dirichlet", "mover": "MOVER", "newcombe": "Newcombe", "score": "Tango", "wilson": "Wilson",
}  # fmt: skip
"""Methods of intervals to what they are called after."""
MEMBERS = 5
"""Judges of a panel that a declaration names; of more it says how many."""


@dataclass(frozen=True)
class Header:
    """The declaration of a page: what changes the number, then the rest, then the file."""

    bold: str
    rest: str
    file: str
    digest: str
    columns: Mapping[str, object] = field(default_factory=dict, compare=False)
    """The same for tables, by column; see `columns_of`."""

    @staticmethod
    def of(d: Declaration, bold: Iterable[str], rest: str, columns: Mapping[str, object], *judges: str) -> Header:
        """Return what stands above numbers that a declaration is behind; what is empty in `bold` is left out."""
        start = " · ".join(part for part in bold if part)
        return Header(f"{start}.", f"{rest.strip()}{made_of(d, *judges)}", d.file, d.sha256[:4], columns)

    def text(self) -> str:
        """Return all of it as plain text."""
        return " ".join(part for part in (self.bold, self.rest, self.file, self.digest) if part)

    def provenance(self) -> tuple[str, ...]:
        """Return what stands in the brackets behind a number that has no declaration of its own."""
        parts = (*self.bold.rstrip(".").split(" · "), self.rest.rstrip("."), self.file)
        first, *others = (part for part in parts if part)
        return (words.uncapital(first), *(words.uncapital(part) if part.startswith("Reference: ") else part for part in others))


def citation_line(name: str, shown: str, parts: Iterable[str], *, reason: str = "", beside: str = "") -> str:
    """Return a number with what it rests on, to quote.

    As "κ = 0.64 [0.43, 0.81] (binary; …)", or "κ undefined: why (binary; …)".

    Parameters
    ----------
    name : str
        Symbol of the number.
    shown : str
        Its value with the interval.
    parts : iterable of str
        What it rests on; empty parts are left out.
    reason : str
        Why it is undefined; empty where it has a value.
    beside : str
        What is quoted with it, such as the baseline of an accuracy.
    """
    start = f"{name} undefined: {reason}" if reason else f"{name} {shown if shown.startswith('<') else f'= {shown}'}"
    rest = "; ".join(part for part in parts if part)
    return f"{start}{f', {beside}' if beside else ''}{f' ({rest})' if rest else ''}"


def header(report: AgreementReport, judge: str, level: Level, metric: str = "kappa", criterion: str | None = None) -> Header:
    """Return what a page says above its numbers about one judge at one level, or on one of several criteria.

    Parameters
    ----------
    report : AgreementReport
    judge : str
    level : Level
    metric : str
        Key of the metric whose interval is described.
    criterion : str, optional
        One of the criteria; all of them by default.
    """
    d, judge_report = _on(report, judge, criterion)
    bold = d.scale_words().capitalize(), _treated(d, judge_report, level), _over(report, d, judge_report, level, metric)
    rest = f"Reference: {d.reference_words()}. {_extent(d, judge_report, level)}. {_method(d, judge_report, level, metric)}"
    where = level if criterion is None else f"on {criterion}"
    columns = columns_of(d, judge=judge, level=where, coverage=judge_report.coverage.coverage)
    return Header.of(d, bold, rest, columns, judge)


def columns_of(d: Declaration, *, judge: str = "", level: str = "", coverage: object = "") -> dict[str, object]:
    """Return what a table says in every row of what its page declares.

    `declared_…` is the page's choice, which a row may leave.

    Parameters
    ----------
    d : Declaration
    judge : str
    level : str
        The level, or on which criterion.
    coverage : object
        Share of the decisions with both verdicts, as it is to stand in a cell.

    Returns
    -------
    dict of str to object
        Column to the cell of every row; no column for what is empty.
    """
    chosen = {
        "declared_judge": judge, "declared_scale": d.scale_words(), "declared_abstention": d.abstention,
        "declared_level": level, "declared_coverage": coverage,
    }  # fmt: skip
    columns = {name: what for name, what in chosen.items() if what != ""}
    return {**columns, "reference": d.reference, **d.file_columns()}


def basis(report: AgreementReport, judge: str) -> str:
    """Return what numbers of one judge share at every level and on every criterion: scale, abstentions, reference."""
    d, judge_report = report.declaration, report.judges[judge]
    sentence = " · ".join(part for part in (d.scale_words().capitalize(), _treated(d, judge_report)) if part)
    return f"{sentence}. Reference: {d.reference_words()}.{made_of(d, judge)}"


def _treated(d: Declaration, report: JudgeReport, level: Level = "micro") -> str:
    """Return what became of answers without a verdict."""
    return "; ".join(part for part in (_mode(d, report, level), handling_of(d, report)) if part)


def citation(report: AgreementReport, judge: str, level: Level, metric: str, criterion: str | None = None) -> str:
    """Return a number with everything needed to quote it; accuracy never without its baseline.

    Parameters
    ----------
    report : AgreementReport
    judge : str
    level : Level
    metric : str
        Key in the catalogue.
    criterion : str, optional
        One of the criteria; all of them by default.
    """
    (_, judge_report), record = _on(report, judge, criterion), BY_KEY[metric]
    block = judge_report.level(level)
    estimate = block[metric]
    shown = words.p3(estimate.value) if metric == "kappa_phi_ratio" else words.estimate(estimate, record.unit)
    parts = declaration_parts(report, judge, level, metric, criterion, block[metric].interval)
    beside = f"baseline {words.percent(block.values['baseline_accuracy'])}" if metric == "accuracy" else ""
    return citation_line(record.symbol, shown, parts, reason=block[metric].undefined, beside=beside)


def declaration_parts(
    report: AgreementReport,
    judge: str,
    level: Level,
    metric: str = "",
    criterion: str | None = None,
    interval: Interval | None = None,
) -> list[str]:
    """Return what a number of one judge rests on, part by part.

    Parameters
    ----------
    metric : str
        Key of the number; empty for one that is not in the catalogue.
    interval : Interval, optional
        The number's own.
    """
    d, judge_report = _on(report, judge, criterion)
    over = _over(report, d, judge_report, level, metric)
    parts = [
        d.scale_words(),
        _mode(d, judge_report, level),
        handling_of(d, judge_report),
        over,
        f"n = {_extent(d, judge_report, level)}",
        *who(d, judge),
    ]
    if interval is not None and interval.ends is not None:
        parts.append(f"{interval_words(d, interval)} {words.percent(d.confidence)}")
    return [part for part in parts if part]


def who(d: Declaration, *judges: str) -> list[str]:
    """Return the reference, of whom panels are made, which of repeated runs count, of what the file is a tally, which items."""
    return [f"reference: {d.reference_words()}", *_made_of(d, *judges)]


def _on(report: AgreementReport, judge: str, criterion: str | None) -> tuple[Declaration, JudgeReport]:
    """Return declaration and numbers of a judge, of one criterion where it is named."""
    agreement_report = report if criterion is None else report.on_one(judge, criterion)
    return agreement_report.declaration, agreement_report.judges[judge]


def _over(report: AgreementReport, d: Declaration, judge: JudgeReport, level: Level, metric: str) -> str:
    """Return what the number is over: the level, or one of several criteria."""
    if len(d.criteria) < len(report.declaration.criteria):
        return f"on {words.shorten(d.criteria[0])}"
    return _level(d, judge, level, metric)


def _method(d: Declaration, judge: JudgeReport, level: Level, metric: str) -> str:
    """Return how the interval of the page's metric was found."""
    if d.interval["method"] == "none":
        return "No intervals."
    interval = judge.level(level)[metric].interval
    if interval is None and judge.n_used == 1:
        return "No intervals: only 1 item."
    if interval is None or interval.ends is None:
        return ""
    return f"Intervals {words.percent(d.confidence)}, {interval_words(d, interval)}."


def jackknife_words(d: Declaration) -> str:
    """Name the jackknife by what it leaves out one at a time: items, groups of them, or decisions where there are no items."""
    unit = str(d.interval["unit"])
    unit_word = "decision" if d.n_items is None else "item"
    return f"{unit_word if unit in UNITS else f'‘{unit}’'} jackknife"


def interval_words(d: Declaration, interval: Interval, why: str = "small cell") -> str:
    """Return how an interval was found: item jackknife, item jackknife widened by Dirichlet (small cell), why it was."""
    if "bootstrap" in interval.method:
        unit = str(d.interval["unit"])
        return f"{_bootstrap(d, interval.method, '' if unit in UNITS else f'‘{unit}’')}, {_draws(d)}"
    names = NAMED | {"jackknife": jackknife_words(d)}
    first, _, second = interval.method.partition("+")
    widened = f" widened by {names.get(second, second)}{f' ({why})' if why else ''}" if second else ""
    return f"{names.get(first, first)}{widened}"


def _bootstrap(d: Declaration, method: str, groups: str) -> str:
    """Return a bootstrap by what it draws: `item bootstrap`, `flat BCa bootstrap, assumes independent decisions`."""
    name, _, rest = method.partition(", ")
    if groups:
        return f"{name} of whole groups by {groups}"
    if not rest:
        return f"{'decision' if d.n_items is None else 'item'} {name}"
    unit = {METHODS["decision"]: "flat", METHODS["criterion"]: "criterion", METHODS["hierarchical"]: "hierarchical"}
    drawn = unit[f"bootstrap, {rest}"]
    return f"{drawn} {name}" if drawn == "criterion" else f"{drawn} {name}, {rest}"


def _draws(d: Declaration) -> str:
    return f"{words.count(int(str(d.interval['replicates'])))} replicates, seed {d.interval['seed']}"


def made_of(d: Declaration, *judges: str) -> str:
    """Return what else the numbers of some judges rest on, as sentences to add: panels, repeated runs, a tally, some items only.

    Empty without.
    """
    return "".join(f" {part[0].upper()}{part[1:]}." for part in _made_of(d, *judges))


def _made_of(d: Declaration, *judges: str) -> list[str]:
    parts = [*(panel_words(d, judge) for judge in judges), _runs(d), tally_words(d), d.taken]
    return [part for part in parts if part]


def panel_words(d: Declaration, judge: str) -> str:
    """Return of whom a panel is made; empty for a judge of the file."""
    if judge not in d.panels:
        return ""
    names = [str(name) for name in cast("list[str]", d.panels[judge]["judges"])]
    shown, more = words.shorten_all(names[:MEMBERS]), len(names) - MEMBERS
    rule = {"majority": "majority", "unanimous": "unanimous verdict", "any": "any positive verdict"}[str(d.panels[judge]["rule"])]
    return f"panel: {rule} of {', '.join(shown)}{f' and {words.count(more)} more' if more > 0 else ''}"


def _runs(d: Declaration) -> str:
    """Return which of several runs of one decision the numbers take."""
    return {"first": "first of repeated runs", "majority": "majority of repeated runs"}.get(d.runs, "")


def tally_words(d: Declaration) -> str:
    """Return that the file is a tally, and of what; empty for a file with a row per rating."""
    return f"tally: {words.several(d.tally['kinds'], 'kinds')} of {words.several(d.tally['items'], 'items')}" if d.tally else ""


def mode_words(mode: str, negative: str, what: str = "abstentions") -> str:
    """Return an abstention mode in a sentence.

    Parameters
    ----------
    mode : str
    negative : str
        Name of the negative label.
    what : str
        What the mode treats.
    """
    return {
        "exclude": f"{what} excluded",
        "as_unmet": f"{what} counted as {negative}",
        "as_category": f"{what} kept as a class",
    }[mode]


def silent_words(coverage: Coverage, handling: Mapping[Kind, Handling] | None = None) -> str:
    """Return what the mode treats here: abstentions, or ties and invalid answers where nobody abstained."""
    names: dict[Kind, str] = {"tie": "ties", "invalid": "invalid answers"}
    usual: Mapping[Kind, Handling] = handling or {}
    others = [name for kind, name in names.items() if coverage.answers(kind) and usual.get(kind, "abstention") == "abstention"]
    return "abstentions" if coverage.answers("abstention") or not others else " and ".join(others)


def _mode(d: Declaration, judge: JudgeReport, level: Level) -> str:
    coverage, covered = judge.coverage, _covered(d, judge, level)
    split = f"split votes left out ({words.count(coverage.n_split)})" if coverage.n_split else ""
    if coverage.n_total == coverage.n_covered + coverage.n_split and d.abstention != "as_category":
        return f"no abstentions, {split}, {covered}" if split else "no abstentions"
    if d.abstention != "as_category" and handling_of(d, judge) and not _follow(d, coverage):
        return ", ".join(filter(None, [split, covered]))
    what = silent_words(coverage, d.handling)
    text = mode_words(d.abstention, _negative(d), what)
    return ", ".join(filter(None, [text, split, covered if split or d.abstention != "as_category" else ""]))


def _covered(d: Declaration, judge: JudgeReport, level: Level) -> str:
    """Return coverage; where answers without a verdict stand in the numbers, N is another share and it is said of what this is
    one. So it is where N is that of items.
    """
    share = words.percent(judge.coverage.coverage)
    if level != "item":
        return f"both gave a verdict on {share}" if _some_count(d, judge) else f"coverage {share}"
    return f"both gave a verdict on {share} of decisions" if _some_count(d, judge) else f"coverage of decisions {share}"


def _some_count(d: Declaration, judge: JudgeReport) -> bool:
    """Return whether answers without a verdict may stand in the numbers."""
    return d.abstention != "exclude" or bool(handling_of(d, judge))


def handling_of(d: Declaration, judge: JudgeReport | None = None) -> str:
    """Return what becomes of ties, invalid answers and failed calls that do not follow the abstentions.

    Of those a judge met.
    """
    how_by_kind = {kind: how for kind, how in d.handling.items() if judge is None or judge.coverage.answers(kind)}
    return "; ".join(handling_words(kind, how, _negative(d)) for kind, how in how_by_kind.items())


def _follow(d: Declaration, coverage: Coverage) -> bool:
    """Return whether some answer is treated as the mode says."""
    others = [kind for kind, usual in HANDLED.items() if d.handling.get(kind, usual) == "abstention"]
    return any(coverage.answers(kind) for kind in ("abstention", *others))


def _negative(d: Declaration) -> str:
    return d.labels["negative"][0] if d.labels["negative"] else "negative"


def _level(d: Declaration, judge: JudgeReport, level: Level, metric: str) -> str:
    if len(d.criteria) == 1:
        return ""
    over = f"{level} over {words.count(len(d.criteria))} criteria"
    if level == "micro":
        return over
    if level == "macro":
        defined, of = judge.macro[metric].of or (len(d.criteria), len(d.criteria))
        return over if defined == of else f"{over}, {BY_KEY[metric].symbol} defined in {defined} of {of}"
    return item_level_words(d)


def item_level_words(d: Declaration) -> str:
    """Return the level of items, and when one is met."""
    weighted = ", criteria weighted" if "weights" in d.item_rule else ""
    if d.item_rule["rule"] == "threshold":
        return f"item level, score ≥ {words.number(float(str(d.item_rule['threshold'])))}{weighted}"
    return f"item level, all criteria met{weighted}"


def _extent(d: Declaration, judge: JudgeReport, level: Level) -> str:
    """Return how many decisions or items the number rests on."""
    on = items_behind(judge.n_used, judge.n_items)
    if level == "item":
        if d.n_items is None:
            return "0 items: a table of counts has none"
        return f"{words.count(judge.item.n)} of {words.several(d.n_items, 'items')}"
    n = judge.micro.n
    failed = judge.coverage.n_errors if d.handling.get("error", "exclude") != "exclude" else 0
    total = judge.coverage.n_total + failed
    share = f" ({words.percent(n / total)})" if n is not None and n < total and _some_count(d, judge) else ""
    return f"{words.out_of(n, total, 'decisions')}{share}{on}"


def items_behind(used: int | None, rated: int | None) -> str:
    """Return on how many items pooled numbers rest, of how many that both sides rated; empty for a table of counts."""
    return "" if used is None or rated is None else f" on {words.out_of(used, max(used, rated), 'items')}"
