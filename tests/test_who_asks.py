"""No sentence speaks of options to Python or to a page, and what is suggested on the command line can be pasted there."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path

import click
import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.analyses.comparison.joining import join, read_second
from metrics.asker import Asker, answering, asker
from metrics.commands.cli import commands, main
from metrics.report.checklist.compute import checklist
from metrics.report.checklist.gathering import findings

ROOT = Path(__file__).resolve().parent.parent
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
KEYWORD = re.compile(r"\b[a-z_]{3,}=(?:[\"'\[{]|True\b|$|[,. )])|\bin Python\b|\bmetrics\.[a-z]")
ALLOWED = {"worded": (0,), "flag": (0,), "by": (0,), "answer": (0,), "Lack": (2,), "Step": (2,)}
"""Places of arguments that may name an option: what only the command line says, a practice's “command line: …”, a
step's command."""
KNOWN = {option for command in commands.commands.values() for own in command.params for option in own.opts}
TOOLS = "formats"
"""The folder whose sentences say how other tools make their exports: with options and keywords of theirs, never of ours."""
ASKERS: tuple[Asker, ...] = ("command", "python", "page")


@cache
def texts(path: Path) -> list[tuple[ast.Constant, ast.Call | None, int]]:
    """Texts of a module that are no docstrings, each with the innermost call that takes it and its place there."""
    found, left = [], [(ast.parse(path.read_text(encoding="utf-8")), None, -1)]
    while left:
        node, call, at = left.pop()
        if isinstance(node, ast.Constant):
            found += [(node, call, at)] if isinstance(node.value, str) else []
        elif isinstance(node, ast.Call):
            left += [(child, node, own) for own, child in enumerate(node.args)]
            left += [(child, call, at) for child in (node.func, *node.keywords)]
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            left += [(child, call, at) for child in ast.iter_child_nodes(node)]
    return found


def place(call: ast.Call | None) -> str:
    return call.func.id if call is not None and isinstance(call.func, ast.Name) else ""


MODULES = [
    path
    for path in sorted((ROOT / "metrics").rglob("*.py"))
    if (not {"commands", "cli.py", "asker.py"} & set(path.relative_to(ROOT).parts) and path.name != "sources.py")
    or path.parent.name == "engines"
]


@pytest.mark.slow("reads all code")
def test_only_the_command_line_hears_of_options() -> None:
    """An option outside the commands stands where only they read it, and one of them has it."""
    wrong = []
    for path in MODULES:
        for text, call, at in texts(path):
            named = OPTION.findall(text.value)
            spoken = at in ALLOWED.get(place(call), ()) or path.name == "on_weights.py"
            if path.parent.name == TOOLS:
                named = [name for name in named if name in KNOWN]
            wrong += [f"{path.relative_to(ROOT)}:{text.lineno}: {name}" for name in named if not spoken or name not in KNOWN]
    assert not wrong


MARKED_UP = {"figures", "report", "autorubric.py", "notebook.py", TOOLS}
"""Where attributes of HTML and SVG stand, which look like keywords."""


OF_PYTHON = {"in_memory.py", "from_labels.py", "checks.py"}
"""What is in memory is given by Python alone."""


@pytest.mark.slow("reads all code")
def test_only_python_hears_of_keywords() -> None:
    wrong = []
    for path in MODULES:
        for text, call, at in texts(path):
            if (MARKED_UP | OF_PYTHON) & set(path.parts) or (place(call), at) == ("worded", 1):
                continue
            wrong += [f"{path.relative_to(ROOT)}:{text.lineno}: {text.value}" for _ in KEYWORD.findall(text.value)]
    assert not wrong


def test_no_page_names_an_option() -> None:
    wrong = []
    for path in [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]:
        plain = [text.value for text, _, _ in texts(path) if "var(--" not in text.value]
        wrong += [f"{path.relative_to(ROOT)}: {name}" for text in plain for name in OPTION.findall(text)]
    assert not wrong


def test_callbacks_and_threads_of_the_dashboard_are_answered_as_a_page() -> None:
    assert asker() == "python"
    AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    heard: list[str] = []
    thread = threading.Thread(target=lambda: heard.append(asker()))
    thread.start()
    thread.join()
    assert heard == ["page"]


NAMES = ("nicht sicher", 'sagt "ja", oft', "kostet $5", "Größe", "it's so!", "a=b, c", "-x", "über `alles`", "zwei\nZeilen")


def written(folder: Path, name: str, head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    path = folder / name
    cells = [["" if cell is None else str(cell).replace('"', '""') for cell in row] for row in [head, *rows]]
    path.write_text("\n".join(",".join(f'"{cell}"' for cell in row) for row in cells) + "\n", encoding="utf-8")
    return str(path)


def words(line: str) -> list[str]:
    """The words that a shell makes of a line."""
    done = subprocess.run(["bash", "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True)
    return done.stdout.decode().split("\0")[:-1]


def typed(capsys: pytest.CaptureFixture[str], line: str) -> tuple[int, str, str]:
    """What the command line makes of a line pasted into it."""
    with pytest.raises(SystemExit) as stop:
        main(words(line))
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def suggested(said: str, opening: str) -> str:
    """The rest of the line after some words."""
    return said.rsplit(opening, 1)[1].strip().split("\n")[0]


@pytest.mark.parametrize("name", NAMES)
def test_labels_and_columns_that_are_guessed(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    rows = [(f"q{n}", ("blue", name, "green")[n % 3], ("green", name)[n % 2]) for n in range(12)]
    path = written(tmp_path, "meine Datei.csv", ("id", f"{name} human", "judge_label"), rows)
    line = f"agreement {shlex.quote(path)} --json"
    code, _, err = typed(capsys, line)
    assert code == 2
    assert err.count("\n") == 1
    code, out, err = typed(capsys, f"{line} {suggested(err, 'If this is right:')}")
    assert (code, err) == (0, "")
    assert out


@pytest.mark.parametrize("name", NAMES)
def test_criteria_to_count_where_others_hold_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    head = ("item", "criterion", "judge", "human", "verdict")
    rows: list[tuple[object, ...]] = [(f"q{n}", "grade", "j", n * 1.37, n * 1.5 + 0.2) for n in range(30)]
    others = [name, *(f"criterion {k}" for k in range(8))]
    rows += [(f"q{n}", other, "j", ("yes", "no")[n % 2], ("yes", "no")[n % 3 % 2]) for n in range(30) for other in others]
    path = written(tmp_path, "mixed file.csv", head, rows)
    scales = {"grade": "continuous", "all": "binary"}
    said = {}
    for who in ASKERS:
        with answering(who), pytest.raises(metrics.InputError) as caught:
            metrics.agreement(metrics.read(path, scale=scales))
        said[who] = str(caught.value)
    assert "metrics.scores" in said["python"]
    assert "metrics.scores" not in said["command"] + said["page"]
    assert not OPTION.search(said["python"].replace(name, "") + said["page"].replace(name, ""))
    assert not KEYWORD.search(said["page"].split(": ", 1)[1])
    line = f"agreement {shlex.quote(path)} --scale grade=continuous,all=binary --json "
    code, _, err = typed(capsys, line + suggested(said["command"], " with ").removesuffix("."))
    assert (code, err) == (0, "")
    taken = keywords(said["python"].rsplit(" with ", 1)[1].removesuffix("."))
    found = metrics.agreement(metrics.read(path, scale=scales, **taken))  # type: ignore[arg-type]
    assert len(found.judges["j"].criteria) == len(others)


def keywords(text: str) -> dict[str, object]:
    """What Python makes of the keywords of a suggestion."""
    taken: dict[str, object] = eval(f"dict({text})", {"dict": dict})
    return taken


@pytest.mark.parametrize("name", NAMES)
def test_a_scale_to_turn(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    rows = [(f"q{n}", name, 1 + n % 5, 5 - (n + (n % 7 == 0)) % 5) for n in range(40)]
    path = written(tmp_path, "scores of mine.csv", ("item", "judge", "human", "verdict"), rows)
    line = f"scores {shlex.quote(path)} --scale ordinal "
    code, out, _ = typed(capsys, line)
    assert code == 0
    code, out, err = typed(capsys, line + suggested(out, "round:"))
    assert (code, err) == (0, "")
    assert "Reversed" in out
    ratings = metrics.read(path, scale="ordinal")
    turned = metrics.scores(ratings, **keywords(suggested(metrics.scores(ratings).summary(), "round:")))  # type: ignore[arg-type]
    assert turned.turned == ratings.judges
    with answering("page"):
        assert "To turn" not in metrics.scores(metrics.read(path, scale="ordinal")).summary()


def test_a_direction_to_turn_is_said_alike_to_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = ("item", "judge", "human", "verdict", "score")
    rows = [(f"q{n}", "j", ("yes", "no")[n % 2], ("yes", "no")[n % 2], n % 2 + n / 100) for n in range(40)]
    path = written(tmp_path, "with scores.csv", head, rows)
    _, out, _ = typed(capsys, f"roc {shlex.quote(path)}")
    assert "if lower scores are meant to be positive, say that the direction is lower." in out
    code, out, _ = typed(capsys, f"roc {shlex.quote(path)} --direction lower")
    assert code == 0
    assert "say that" not in out


def test_two_files_with_several_judges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = ("item", "judge", "human", "verdict")
    paths = []
    for place, judges in enumerate([("a one", "a two"), ("b one",)]):
        rows = [(f"q{n}", j, ("yes", "no")[n % 2], ("yes", "no")[n % 3 % 2]) for n in range(12) for j in judges]
        paths.append(written(tmp_path, f"file {place}.csv", head, rows))
    line = f"compare {shlex.join(paths)} --json "
    code, _, err = typed(capsys, line)
    assert (code, "Name one as --a: a one, a two" in err) == (2, True)
    assert typed(capsys, f"{line} --a 'a two'")[0] == 0
    for who, way in (("python", "Name one as a=: "), ("page", "Name one as the first of the two: ")):
        first = metrics.read(paths[0])
        both = join(first, read_second(paths[1], first))
        with answering(who), pytest.raises(metrics.InputError, match=way):
            both.pair(None, None)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_checklist_says_to_type(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """The options of the practices that are not met, each on the command line of the report."""
    head = ("item", "criterion", "judge", "human", "verdict", "Prompt No. $1")
    ends = {name: ("red", "blue", "green"), f"{name} 2": ("1", "2", "3"), "plain": ("yes", "no", "yes")}
    rows: list[tuple[object, ...]] = [
        (f"q{n}", criterion, "j", labels[n % 3], labels[n % 5 % 3], f"p{n // 2}")
        for n in range(60)
        for criterion, labels in ends.items()
    ]
    path = written(tmp_path, "in groups.csv", head, rows)
    kinds = dict.fromkeys(("red", "blue", "green", "1", "2", "3"), "class")
    found = checklist(findings(metrics.read(path, labels=kinds)))
    lines = [
        own.action.split("(command line: ")[1].removesuffix(").") for own in found.practices if "(command line" in own.action
    ]
    lines = [line for line in lines if "…" not in line and " or " not in line]
    assert {line.split()[0] for line in lines} >= {"--criteria", "--scale", "--unit"}
    whole = (
        f"report {shlex.quote(path)} --labels {','.join(f'{label}=class' for label in kinds)} --out {shlex.quote(f'{path}.json')}"
    )
    for line in lines:
        assert typed(capsys, f"{whole} {line}")[::2] == (0, ""), line


ROWS: list[tuple[object, ...]] = [("q1", "yes", "no"), ("q2", "no", "no"), ("q3", "yes", "yes")]


@pytest.mark.slow("starts processes")
@pytest.mark.parametrize("columns", [40, 60])
def test_a_narrow_terminal_breaks_no_line(tmp_path: Path, columns: int) -> None:
    path = written(tmp_path, "a file with a long name.csv", ("id", "the human label", "the judge label"), ROWS)
    narrow, broad = (
        subprocess.run(
            [sys.executable, "-m", "metrics", "agreement", path], capture_output=True, text=True, cwd=ROOT, check=False,
            env={**os.environ, "COLUMNS": str(width)},
        ).stderr
        for width in (columns, 300)
    )  # fmt: skip
    assert narrow == broad
    assert "If this is right: " in narrow
    assert narrow.count("\n") == 1


@pytest.mark.parametrize("columns", [40, 60, 200])
@pytest.mark.parametrize("command", commands.commands.values(), ids=lambda command: command.name)
def test_help_breaks_no_example(monkeypatch: pytest.MonkeyPatch, command: click.Command, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = command.get_help(command.context_class(command, info_name=command.name)).split()
    for own in command.params:
        for word in (getattr(own, "help", None) or "").split():
            if "=" in word or word.startswith("--") or ";" in word:
                assert word in shown
