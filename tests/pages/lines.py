"""The lines at the end of a page, run as they are typed."""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
from typing import Any

from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from metrics.analyses.disagreements.query import Query
from metrics.analyses.disagreements.tables import listed_frame
from metrics.asker import answering
from metrics.commands.cli import commands
from metrics.results.words import TENTHS, UNDEFINED, bounds, value
from pages.shared.as_lines import OPEN

TITLE = "This view as Python"
UNITS = {"judge/preferences": "%", "choose/rate": TENTHS}
"""Units of first numbers, where they are always shares."""


def lines_of(app: AppTest) -> tuple[str, list[str]]:
    """The Python at the end of the page, once that is open, and the commands."""
    if not app.session_state[OPEN]:
        app.session_state[OPEN] = True
        app.run()
    shown = [part for part in app.expander if part.label.startswith(TITLE)]
    assert len(shown) == 1
    python, *command = shown[0].code
    assert [python.language, *(part.language for part in command)] == ["python", "shell"][: 1 + len(command)]
    assert shown[0].label == (f"{TITLE} and as a command" if command else TITLE)
    return python.value, command[0].value.split("\n") if command else []


def run_python(text: str) -> tuple[dict[str, Any], list[Any], list[Any]]:
    """The variables, each view's report and each number, in their order."""
    variables: dict[str, Any] = {}
    reports, numbers = [], []
    with contextlib.redirect_stdout(io.StringIO()), answering("command"):
        for block in text.split("\n\n"):
            exec(block, variables)
            reports += [variables[name] for name in re.findall(r"^(report|overview|sweep) = ", block, re.MULTILINE)[-1:]]
            if re.search(r"^number = ", block, re.MULTILINE):
                numbers.append(variables["number"])
    return variables, reports, numbers


def run_command(line: str, *more: str) -> str:
    """What a line prints that is pasted into a shell."""
    done = subprocess.run(["bash", "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True)
    program, *words = done.stdout.decode().split("\0")[:-1]
    assert (program, words[:2]) == ("python", ["-m", "metrics"])
    with answering("command"):
        ran = CliRunner().invoke(commands, [*words[2:], *more], standalone_mode=False)
    if ran.exception is not None:
        raise ran.exception
    return ran.stdout


def agrees(app: AppTest, unit: str = "") -> None:
    """The Python gives the number of the first tile with its interval, and each command the report of its call."""
    text, lines = lines_of(app)
    _, reports, numbers = run_python(text)
    first, tile = numbers[0], app.metric[0]
    assert plainly(tile.value) == shown(first, unit)
    ends = getattr(first, "ends", None)
    if ends:
        assert bounds(ends, unit) in (tile.delta, tile.proto.delta_description.split(" · ")[0])
    assert not lines or len(lines) == len(reports)
    for line, report in zip(lines, reports, strict=False):
        assert json.loads(run_command(line, "--json")) == json.loads(json.dumps(report.to_dict()))


def plainly(text: str) -> str:
    """Without what keeps a file's text plain."""
    return text.replace("\\", "").replace("\u2060", "")


def shown(number: Any, unit: str) -> str:
    if number is None or isinstance(number, str):
        return number or UNDEFINED
    return value(getattr(number, "value", number), unit)


def lists_what_is_shown(app: AppTest, text: str) -> None:
    variables, _, (number,) = run_python(text)
    frame = listed_frame(variables["listing"], variables["matches"], Query(rows="all"))
    shown = next(table.value for table in app.dataframe if "item" in table.value)
    assert list(frame["item"].unique()[: len(shown)]) == list(shown["item"])
    assert number == variables["matches"].n > 0
