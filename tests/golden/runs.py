"""Every command under every mode and level on every file: what it prints, as numbers and as texts.

`python -m tests.golden` writes both anew; a diff of `tests/golden/numbers` and `tests/golden/texts` shows what a change changed.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import metrics
from metrics.commands.cli import main
from metrics.report import making
from metrics.report.checklist import gathering
from tests.golden.sources import READING, path_of

MODES = ("exclude", "as_unmet", "as_category")
LEVELS = ("micro", "macro", "item")
Options = tuple[str, ...]
REPORT = tuple(("--abstention", mode, "--level", level) for mode in MODES for level in LEVELS)
COMMANDS: Mapping[str, tuple[Options, ...]] = {
    "agreement": tuple(("--abstention", mode) for mode in MODES),
    "compare": tuple(
        ("--baseline", "best", "--replicates", "500", "--abstention", mode, *level)
        for mode in MODES
        for level in ((), *(("--level", level, "--metric", "kappa") for level in LEVELS))
    ),
    "raters": tuple(("--abstention", mode, "--role", role) for mode in MODES for role in ("human", "judge")),
    "scores": tuple(("--abstention", mode) for mode in MODES[:2]),
    "item-scores": ((),),
    "overview": tuple(("--abstention", mode) for mode in MODES),
    "roc": ((),),
}
WITHOUT_FILE: Mapping[str, tuple[Options, ...]] = {
    "select": (("--scenarios", "200"), ("--scenarios", "200", "--seed", "3", "--models", "3")),
    "selftest": ((),),
}
SENTENCE = "…"
"""Stands in the numbers where the output has a text, which is kept with the texts."""
DIGITS = 12
"""What is kept of a number: behind them, machines round otherwise, and a diff would show that instead of a change."""


@dataclass(frozen=True)
class Printed:
    """What one run printed: its exit code, standard output and standard error."""

    code: int
    out: str
    err: str


@dataclass
class Frozen:
    """Numbers and texts of one command on one file, a section for each set of options."""

    numbers: list[str]
    texts: list[str]

    def add(self, title: str, printed: Printed, body: str = "") -> None:
        """Take what a run printed, or a file `body` that it wrote; a refusal is a text."""
        if printed.code == 2:
            self.texts += [f"## {title}: exit 2", printed.err]
            return
        sentences: list[str] = []
        values = numbers_of(json.loads(body or printed.out), sentences)
        self.numbers += [f"## {title}: exit {printed.code}", json.dumps(values, indent=0, ensure_ascii=False)]
        self.texts += [f"## {title}: sentences", *sentences]

    def tell(self, title: str, text: str) -> None:
        self.texts += [f"## {title}", text]


def numbers_of(value: Any, sentences: list[str]) -> Any:
    """Put a mark in place of every text of two words or more, which is gathered in order; round the numbers."""
    if isinstance(value, dict):
        return {name: numbers_of(inner, sentences) for name, inner in value.items()}
    if isinstance(value, list):
        return [numbers_of(inner, sentences) for inner in value]
    if isinstance(value, str) and " " in value.strip():
        sentences.append(value)
        return SENTENCE
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


@contextlib.contextmanager
def computed_once() -> Iterator[None]:
    """Let the commands on one file share what they read, the JSON and the text of a command what they compute, and the reports
    at every level what does not depend on the level.
    """
    commands = [
        (metrics, name) for name in ("read", "agreement", "compare_all", "raters", "scores", "item_scores", "roc", "overview")
    ]
    with pytest.MonkeyPatch.context() as patch:
        for module, name in (*commands, (gathering, "agreement_of"), (making, "overview_of")):
            patch.setattr(module, name, remembering(getattr(module, name)))
        yield


def remembering(function: Callable[..., Any]) -> Callable[..., Any]:
    """Keep each result of a function, by the path or the very ratings that it was given and by the choices."""
    results: dict[tuple[Any, str], tuple[Any, Any]] = {}

    def result(source: Any, *given: Any, **chosen: Any) -> Any:
        key = source if isinstance(source, str) else id(source), repr((given, chosen))
        if key not in results:
            results[key] = source, function(source, *given, **chosen)  # an id is of nothing else while its object is held
        return results[key][1]

    return result


def run(*args: str) -> Printed:
    """Run a command in this process; what it prints of a path is the name of the file, which does not depend on the folder."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(list(args))
        except SystemExit as stop:
            code = int(stop.code or 0)
    printed = [out.getvalue(), err.getvalue()]
    for path in (Path(arg) for arg in args if Path(arg).is_absolute()):
        printed = [text.replace(str(path), path.name) for text in printed]
    return Printed(code, *printed)


def of_command(command: str, name: str, folder: Path) -> Frozen:
    """Freeze a command on a file under all its options; without a name, one that takes no file."""
    source = (str(path_of(name, folder)), *READING.get(name, ())) if name else ()
    frozen = Frozen([], [])
    for options in (COMMANDS if name else WITHOUT_FILE)[command]:
        title = " ".join((command, *options))
        frozen.add(title, run(command, *source, *options, "--json"))
        text = run(command, *source, *options)
        if text.code != 2:
            frozen.tell(title, text.out + text.err)
    return frozen


def of_report(name: str, folder: Path) -> Frozen:
    """Freeze the report on a file: its JSON in every mode, its text in every mode and at every level."""
    source, frozen = (str(path_of(name, folder)), *READING.get(name, ())), Frozen([], [])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "0")
        _add_reports(frozen, name, folder, source)
    return frozen


def _add_reports(frozen: Frozen, name: str, folder: Path, source: Sequence[str]) -> None:
    for options in REPORT:
        title, path = " ".join(("report", *options)), folder / f"{name}-report"
        data, text = path.with_suffix(".json"), path.with_suffix(".md")
        with_data = options[-1] == LEVELS[0]
        printed = run("report", *source, *options, "--out", str(text), *(("--out", str(data)) if with_data else ()))
        if with_data:
            frozen.add(title, printed, data.read_text(encoding="utf-8") if printed.code != 2 else "")
        if printed.code != 2:
            frozen.tell(title, text.read_text(encoding="utf-8"))
