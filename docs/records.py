"""Pages made of records: one for each metric, each tool whose exports are read, each command, and each group of public names."""

from __future__ import annotations

import ast
import importlib
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import groupby, product
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

import metrics
from docs.notebooks import fenced
from metrics.analyses.comparison.readings import direction
from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.paired_numbers import Paired, measures
from metrics.analyses.raters.result import STATISTICS, RatersReport
from metrics.commands.cli import PROGRAM, Context, commands
from metrics.commands.fail_under import COMPLEMENT
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.measures.metric import Metric, why_undefined
from metrics.readers import open_table
from metrics.readers.formats.record import Format
from metrics.readers.formats.registry import FORMATS, MODULES
from metrics.report.as_markdown import escaped
from metrics.results import words
from metrics.results.estimate import Estimate

ROOT = Path(__file__).resolve().parent.parent
METRICS: dict[str, Metric] = {**BY_KEY, **{key: one for key, one in (RECORDS | STATISTICS).items() if key not in BY_KEY}}
"""Every metric by its key; one that has two records is the one of two classes."""
GROUPS = {
    "beyond chance": "Beyond chance", "agreement": "Agreement", "rates": "Rates and errors", "shape": "Label rates",
    "numbers": "Numbers and ordered labels", "votes": "Several raters",
}  # fmt: skip
SHOWN = ("item", "criterion", "rater", "role", "label", "score", "reason")
MOST_ROWS = 8
POSITIVE, NEGATIVE = "the positive label", "the negative label"
SYMBOLS = """Of two labels the reference’s come first: TP both positive, FN the judge’s miss, FP the judge’s false pass, TN both
negative, N all of them. TPR = TP / (TP + FN) and FPR = FP / (FP + TN). π and π̂ are the shares of positives of reference and
judge, and q = (π + π̂) / 2. *Agreement* is the share of equal labels, *chance* what the label rates alone would give.

Of more labels, r and c are the sums of a row and of a column, *agreed* those on the diagonal, n the decisions of a cell.

Of numbers, x is one of the reference and y one of the judge; x̄, ȳ and d̄ are means."""
SCALES = {
    "logit": "log odds", "fisher": "Fisher’s z", "log": "logarithm", "root": "square root", None: "its own",
}  # fmt: skip


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of Markdown, whose cells are Markdown."""
    names = list(head)
    lines = [names, ["---"] * len(names), *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def code(text: str) -> str:
    return f"`{text.replace('|', chr(92) + '|')}`"


# Metrics


def group_of(record: Metric) -> str:
    """Key of the group that a metric is listed in."""
    if record.key in STATISTICS and record.key not in BY_KEY:
        return "votes"
    return record.group if record.key in BY_KEY else "numbers"


def metric_index() -> str:
    blocks = ["# Every number", "One page for each metric: formula, range, where it is undefined, what moves it, and its source."]
    for key, title in GROUPS.items():
        rows = [
            (f"[{escaped(one.name)}]({one.key}.md)", escaped(one.answers)) for one in METRICS.values() if group_of(one) == key
        ]
        blocks += [f"## {title}", table(("metric", "what it answers"), rows)]
    return "\n\n".join([*blocks, "## Symbols", SYMBOLS])


def metric_page(record: Metric) -> str:
    facts = [
        ("Formula", code(record.formula)),
        ("Range", f"{_end(record.low)} to {_end(record.high)}; {_end(record.best)} where judge and reference are equal")
        if record.group != "shape"
        else ("Range", f"{_end(record.low)} to {_end(record.high)}"),
        ("Undefined", escaped("; ".join(undefined(record)))),
        ("Interval", f"symmetric on this scale: {SCALES[record.transform]}" if record.has_interval else "none"),
        ("Key", code(record.key) + _gated(record)),
        ("Source", _linked(record.source)),
    ]
    blocks = [
        f"# {escaped(record.name)}",
        escaped(record.answers),
        table(("property", "of this number"), [(f"**{name}**", text) for name, text in facts]),
    ]
    blocks += ["## What moves it", *_moves(record)]
    public = public_name(record)
    if public:
        call = f"metrics.{public}(y_true, y_pred)" if record.takes != "cost" else f"metrics.{public}(y_true, y_pred, weights)"
        blocks += ["## In Python", f"{code(call)}, or of counts: [{public}](../python/measures.md#{anchor(public)})."]
    blocks.append("[What the symbols are](index.md#symbols), and [how an interval is chosen](../intervals.md).")
    return "\n\n".join(blocks)


def public_name(record: Metric) -> str:
    """Name in `metrics` of the function of a metric; empty where it has none."""
    for name in metrics.__all__:
        if getattr(getattr(metrics, name), "__wrapped__", None) is record.function:
            return str(name)
    return ""


def undefined(record: Metric) -> list[str]:
    """Why a metric has no value, on the smallest tables that show it."""
    small = [np.array(cells, float).reshape(2, 2) for cells in product((0, 1), repeat=4)]
    found = [why_undefined(record, counts, (POSITIVE, NEGATIVE)) for counts in small]
    reasons = list(dict.fromkeys(reason for reason in found if reason))
    if record.fewest > 2:
        reasons.append(f"there are fewer than {record.fewest} labels")
    if record.varies:
        reasons.append("a side has values that are all equal")
    return reasons


def _gated(record: Metric) -> str:
    """Where its key is written: a floor needs an interval and a metric of which more is better, a margin one of the two sides."""
    gated = record.has_interval and record.key in BY_KEY
    options = [code("--fail-under")] if gated and record.key not in COMPLEMENT else []
    options += [code("--margin")] if gated and direction(record.key) else []
    return f", in {words.listed(['JSON', 'tables', *options])}"


def _linked(source: str) -> str:
    """A source, with its digital object identifier as a link for who follows it."""
    return re.sub(r"doi:(\S+?)(?=[;,]?(?:\s|$))", r"[doi:\1](<https://doi.org/\1>)", words.capital(source).replace("|", "\\|"))


def _end(value: float) -> str:
    return f"{'−' if value < 0 else ''}∞" if math.isinf(value) else f"{value:g}".replace("-", "−")


def _moves(record: Metric) -> Iterator[str]:
    if record.key in STATISTICS and record.key not in BY_KEY:
        said, values = "Three people on 300 items with three ordered labels", _of_votes(record.key)
    elif record.takes == "pairs":
        said, values = "Numbers of a judge beside those of people, 200 pairs", _of_pairs(record.key)
    else:
        said, values = "The same kind of judge on 1 000 decisions", _of_counts(record)
    unit = "" if record.unit == "values" else record.unit
    write = words.p3 if unit == "p" else partial(words.value, unit=unit)
    yield f"{said}, and one thing changed at a time."
    yield table(("situation", escaped(record.symbol)), [(name, write(value)) for name, value in values.items()])
    yield "\n".join(f"- {line}" for line in _exchanged(record))


def _of_counts(record: Metric) -> dict[str, float]:
    k = 2 if record.classes in ("two", "any") and record.key in BY_KEY else 3
    even, often = np.full(k, 1 / k), np.array([0.9, *[0.1 / (k - 1)] * (k - 1)])
    rare = np.array([0.1, *[0.9 / (k - 1)] * (k - 1)])
    if k == 2:
        usual, generous = np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([[0.97, 0.03], [0.4, 0.6]])
        finds, first = "90 % of the positives and 80 % of the negatives", "the positive label"
    else:
        usual = np.array([[0.8, 0.18, 0.02], [0.1, 0.8, 0.1], [0.02, 0.18, 0.8]])
        generous = np.array([[0.94, 0.05, 0.01], [0.3, 0.6, 0.1], [0.1, 0.3, 0.6]])
        finds, first = "80 % of each of three labels", "the first label"
    tables = {
        f"every label equally often; the judge finds {finds}": even[:, None] * usual,
        f"{first} is on 10 % of the decisions": rare[:, None] * usual,
        f"{first} is on 90 % of the decisions": often[:, None] * usual,
        f"the judge says {first} too often": even[:, None] * generous,
    }
    return {name: _value(record, 1000 * shares) for name, shares in tables.items()}


def _value(record: Metric, counts: FloatArray) -> float:
    k = len(counts)
    if record.takes == "criteria":
        counts = np.stack([counts, np.full((k, k), 1000 / k**2)])
    beside: Mapping[str, tuple[Any, ...]] = {"values": (np.arange(k)[::-1].astype(float),), "cost": (1 - np.eye(k),)}
    return float(record.function(counts, *beside.get(record.takes, ())))


@cache
def _paired() -> dict[str, Mapping[str, Estimate]]:
    rng = np.random.default_rng(0)
    x, error = rng.normal(5, 1, 200), rng.normal(0, 0.5, 200)
    judged = {
        "the judge errs by half the spread of the items": (x, x + error),
        "the judge is one higher throughout": (x, x + error + 1),
        "the judge spreads its numbers twice as wide": (x, 5 + 2 * (x - 5) + error),
        "the items are half as different": (5 + (x - 5) / 2, 5 + (x - 5) / 2 + error),
    }
    return {name: measures(Paired(*pair), confidence=None) for name, pair in judged.items()}


def _of_pairs(key: str) -> dict[str, float]:
    return {name: found[key].value for name, found in _paired().items()}


@cache
def _voted() -> dict[str, RatersReport]:
    rng = np.random.default_rng(0)
    even, often = rng.integers(1, 4, 300), rng.choice([1, 2, 3], 300, p=[0.9, 0.05, 0.05])
    moved = np.where(rng.random((300, 3)) < 0.8, 0, rng.choice([-1, 1], (300, 3)))
    strict = moved + np.array([0, 0, 1])
    made = {
        "every label equally often; each is right on 80 %": even[:, None] + moved,
        "the lowest label is on 90 % of the items": often[:, None] + moved,
        "one of them is a label higher throughout": even[:, None] + strict,
    }
    return {name: metrics.raters(_votes(np.clip(labels, 1, 3)), level="ordinal") for name, labels in made.items()}


def _votes(labels: NDArray[np.int64]) -> metrics.Ratings:
    rows = [
        {"item": item, "criterion": "whole", "rater": "abc"[rater], "role": "human", "label": int(label)}
        for (item, rater), label in np.ndenumerate(labels)
    ]
    return metrics.read(rows, order=["1", "2", "3"], scale="ordinal")


def _of_votes(key: str) -> dict[str, float]:
    return {name: report.pooled[key].value for name, report in _voted().items()}


def _exchanged(record: Metric) -> Iterator[str]:
    if record.key in STATISTICS and record.key not in BY_KEY:
        yield "No rater is the reference: all of them count alike."
    elif record.takes in ("values", "pairs"):
        yield "It is of the numbers themselves: another spacing of the labels is another number."
    elif record.key not in BY_KEY:
        yield "The numbers that the labels stand for play no part."
    else:
        if record.takes == "criteria":
            yield "A second criterion, on which the judge says labels by chance, stands beside every situation above."
        for what, becomes in (("reference and judge", record.transposed), ("positive and negative label", record.flipped)):
            yield f"Exchange {what}: {_becomes(record, becomes)}."


def _becomes(record: Metric, becomes: str) -> str:
    other = becomes.removeprefix("-")
    if not other:
        return "another number"
    name = "the same number" if other == record.key else f"[{escaped(BY_KEY[other].name)}]({other}.md)"
    return f"{name} with the other sign" if becomes.startswith("-") else name


# Formats


def slug(tool: str) -> str:
    return tool.lower().replace(" ", "-")


def tools() -> dict[str, list[Format]]:
    """Exports by tool, in the order of names; of one tool those that can be used first."""
    known = sorted(FORMATS, key=lambda form: (form.tool.casefold(), not form.usable))
    return {tool: list(forms) for tool, forms in groupby(known, key=lambda form: form.tool)}


def format_index() -> str:
    rows = [
        (f"[From {escaped(tool)} to κ]({slug(tool)}.md)", escaped("; ".join(form.what for form in forms if form.usable)))
        for tool, forms in tools().items()
    ]
    return "\n\n".join([
        "# Exports of tools",
        "Kappascope knows these exports by their fields, and reads them as they are. For any other table see "
        "[A table of your own](../tables.md).",
        table(("tool", "what is read"), rows),
    ])  # fmt: skip


def format_page(tool: str, forms: list[Format]) -> str:
    blocks = [f"# From {escaped(tool)} to κ", "## Export it there"]
    usable = [form for form in forms if form.usable]
    for how in dict.fromkeys(form.how for form in usable):
        blocks += [escaped(how), "\n".join(f"- {escaped(words.capital(form.what))}" for form in usable if form.how == how)]
    blocks += [f"!!! warning\n\n    {escaped(f'{words.capital(form.what)} cannot be used. {form.why} {form.how}')}"
               for form in forms if not form.usable]  # fmt: skip
    name, sample = sample_of(usable)
    blocks += ["## Read it", "On the page *Data* drop the file in. On the command line, and in Python:"]
    blocks += [fenced(f"{PROGRAM} {name}", "sh"), fenced(f'import metrics\n\nratings = metrics.read("{name}")', "python")]
    blocks += ["## What is read of it", *_read(name, sample)]
    return "\n\n".join(blocks)


def sample_of(forms: list[Format]) -> tuple[str, bytes]:
    """A small file as the tool writes it: those that the readers are tested with."""
    (module,) = {one.__name__.rpartition(".")[2] for one in MODULES if forms[0] in one.FORMATS}
    samples: Mapping[str, bytes] = importlib.import_module(f"tests.readers.test_format_{module}").SAMPLES
    whats = {form.what for form in forms}
    return next((name, data) for name, data in samples.items() if open_table(data, name).format in whats)


def _read(name: str, sample: bytes) -> Iterator[str]:
    read = open_table(sample, name)
    columns = {column: read.data[column].to_pylist() for column in SHOWN}
    filled = [column for column, cells in columns.items() if any(cells)]
    rows = list(zip(*(columns[column][:MOST_ROWS] for column in filled), strict=True))
    n = words.several(read.data.num_rows, "ratings")
    yield f"A file of {n} becomes these rows; the role says who is human and who a judge."
    yield table(filled, [[escaped(words.shorten(str(cell or ""), 60)) for cell in row] for row in rows])
    roles = set(columns["role"]) - {"human", "judge", ""}
    if roles:
        said = ",".join(f"{role}=judge" for role in sorted(roles))
        yield f"A role that is neither is asked for; answer it once: {code(f'{PROGRAM} agreement {name} --roles {said}')}."
    if read.notes:
        yield "The reader says of it:"
        yield "\n".join(f"- {escaped(note)}" for note in read.notes)
    if read.skipped:
        yield "Rows that are no ratings are left out, each with its reason:"
        yield "\n".join(f"- {escaped(why)}" for why in dict.fromkeys(why for _, why in read.skipped))


# Commands


def command_page() -> str:
    blocks = ["# Every command", "The same words stand behind `--help`. Exit codes and JSON: [In a pipeline](pipeline.md)."]
    for name, command in commands.commands.items():
        context = Context(command, info_name=f"{PROGRAM} {name}", terminal_width=100, max_content_width=100)
        blocks += [f"## {name}", fenced(command.get_help(context))]
    return "\n\n".join(blocks)


def whole_help() -> str:
    """What `kappascope --help` says."""
    return commands.get_help(click.Context(commands, info_name=PROGRAM, terminal_width=100, max_content_width=100))


# Python


def names() -> dict[str, str]:
    """Public name to the module that defines it, as the stub of the package says."""
    stub = ast.parse((ROOT / "metrics" / "__init__.pyi").read_text("utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: f"metrics.{node.module}" for node in imports for alias in node.names}


def target(name: str, module: str) -> str:
    """Where what a name stands for is written: of a function that takes labels too, the function of counts."""
    function = getattr(getattr(metrics, name), "__wrapped__", None)
    written = function if function is not None and module.endswith("from_labels") else None
    return f"{written.__module__}.{written.__name__}" if written is not None else f"{module}.{name}"


def room(module: str) -> str:
    """Name of the page that a module's names stand on."""
    parts = module.split(".")[1:]
    if parts[-1] == "from_labels":
        return "measures"
    return parts[1] if parts[0] == "analyses" and len(parts) > 2 else parts[0]


def rooms() -> dict[str, list[str]]:
    """Public names by page."""
    known = names()
    ordered = sorted(known, key=lambda name: (room(known[name]), list(known).index(name)))
    return {page: list(there) for page, there in groupby(ordered, key=lambda name: room(known[name]))}


def anchor(name: str) -> str:
    return target(name, names()[name])


def first_line(name: str) -> str:
    text = (getattr(metrics, name).__doc__ or "").strip().partition("\n")[0] if callable(getattr(metrics, name)) else ""
    return escaped(text.replace(":math:", ""))


def python_index() -> str:
    blocks = [
        "# Every public name",
        "`import metrics` and `import kappascope` offer the same names, each loaded where it is first used. Undefined numbers "
        "are NaN with their reason; input that cannot be used raises `InputError`.",
    ]
    for page, there in rooms().items():
        rows = [(f"[{escaped(name)}]({page}.md#{anchor(name)})", first_line(name)) for name in there]
        blocks += [f"## {words.capital(page.replace('_', ' '))}", table(("name", "what it is"), rows)]
    return "\n\n".join(blocks)


def python_page(page: str, there: list[str]) -> str:
    blocks = [f"# {words.capital(page.replace('_', ' '))}"]
    if page == "measures":
        blocks.append(
            "Every function of this page takes counts, or two sequences of labels of the same length, the reference first: "
            "`metrics.cohen_kappa(y_true, y_pred)`. `positive=` names the positive label where it is not plain. "
            "[What each number answers](../metrics/index.md)."
        )
    known = names()
    return "\n\n".join([*blocks, *(f"::: {target(name, known[name])}" for name in there)])
