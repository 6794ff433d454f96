"""A report as plain text for the terminal."""

from __future__ import annotations

from metrics import words
from metrics.aggregation import LEVELS
from metrics.catalogue import BY_KEY, keys_at
from metrics.declaration import header
from metrics.results import AgreementReport, Block, JudgeReport
from metrics.standing import CODES, standing

SHOWN = keys_at("terminal")
WIDE = 26
COLUMN = 30


def summary(report: AgreementReport) -> str:
    """Return declaration, tables and metrics of every judge, and the warnings."""
    parts = ["\n".join(_judge(report, judge)) for judge in report.judges.values()]
    notes = [warning.message for warning in report.warnings if warning.code not in CODES]
    if notes:
        parts.append("\n".join(["Note", *(f"  {note}" for note in notes)]))
    return "\n\n".join(parts)


def _judge(report: AgreementReport, judge: JudgeReport) -> list[str]:
    lines = [f"{judge.name}", f"  {header(report, judge.name, 'micro').text()}", f"  {_rows(report)}"]
    first = [warning.message for warning in standing(judge, float(str(report.declaration.interval["confidence"])))]
    lines += [*(f"  {text}" for text in first), ""]
    lines += [f"  {line}" for line in _table(judge.micro)]
    lines += ["", "  " + "".join([" " * WIDE, *(f"{level:>{COLUMN}}" for level in LEVELS)])]
    for key in SHOWN:
        if key in judge.micro.values:
            record = BY_KEY[key]
            values = [_value(judge.level(level), key) for level in LEVELS]
            lines.append("  " + f"{record.name:<{WIDE}}" + "".join(f"{value:>{COLUMN}}" for value in values))
    lines += [f"  {line}" for line in _undefined(judge)]
    return [*lines, "", *_criteria(judge)]


def _value(block: Block, key: str) -> str:
    """Return a value and, behind it, its interval."""
    return words.estimate(block[key], BY_KEY[key].unit)


def _rows(report: AgreementReport) -> str:
    d = report.declaration
    left = "".join(f"; {words.count(count)} left out: {reason}" for reason, count in d.left_out.items())
    return f"Rows: {words.count(d.rows_used)} of {words.count(d.rows_read)} used{left}."


def _table(block: Block) -> list[str]:
    if block.confusion is None:
        return []
    names = words.shorten_all(block.labels, 16)
    corner = "reference \\ judge"
    lines = ["".join([f"{corner:<18}", *(f"{name:>18}" for name in names)])]
    for name, row in zip(names, block.confusion.tolist(), strict=True):
        lines.append("".join([f"{name:<18}", *(f"{words.count(cell):>18}" for cell in row)]))
    return lines


def _undefined(judge: JudgeReport) -> list[str]:
    """Return reasons by level, each with the metrics it holds for."""
    found: dict[str, list[str]] = {}
    for level in LEVELS:
        for key, why in judge.level(level).undefined.items():
            if key in SHOWN:
                found.setdefault(f"{level}: {why}", []).append(BY_KEY[key].symbol)
    return ["Undefined", *(f"  {reason} ({', '.join(symbols)})" for reason, symbols in found.items())] if found else []


def _criteria(judge: JudgeReport) -> list[str]:
    keys = [key for key in keys_at("terminal criteria") if key in judge.micro.values]
    lines = ["  " + "".join([f"{'criterion':<{WIDE}}", f"{'n':>8}", *(f"{BY_KEY[key].symbol:>24}" for key in keys)])]
    for name, block in judge.criteria.items():
        values = [_value(block, key) for key in keys]
        mark = ("  one label only" if block.n else "  no decision") if block.degenerate else ""
        cells = "".join(f"{value:>24}" for value in values)
        lines.append(f"  {words.shorten(name, WIDE - 2):<{WIDE}}{words.count(block.n):>8}{cells}{mark}")
    return lines
