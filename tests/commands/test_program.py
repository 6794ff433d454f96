"""`kappascope FILE`: the overview without a command, and what else can be typed in its place."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from metrics.commands.cli import commands, main

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "assets" / "rao_abstention.csv"


def call(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


@contextmanager
def stdin(text: str) -> Iterator[None]:
    """A pipe that holds the text, in the place of what is piped into this process."""
    own, (out, into) = os.dup(0), os.pipe()
    os.write(into, text.encode())
    os.close(into)
    os.dup2(out, 0)
    try:
        yield
    finally:
        os.dup2(own, 0)
        os.close(own)
        os.close(out)


@pytest.mark.parametrize("options", [[], ["--json"], ["--abstention", "as_unmet"], ["-h"]], ids=" ".join)
def test_a_file_alone_is_its_overview(capsys, options) -> None:
    alone, named = (call(capsys, *words, SAMPLE, *options) for words in ([], ["overview"]))
    assert alone == named
    assert (alone[0], alone[2]) == (0, "")
    assert alone[1]


def test_help_is_asked_for_alike_whatever_started_a_command() -> None:
    for command in (commands, *commands.commands.values()):
        run = command.context_class(command, info_name=command.name)
        assert set(command.get_help_option_names(run)) == {"-h", "--help"}


def test_options_may_stand_before_the_file(capsys) -> None:
    options = ["--abstention", "as_unmet", "--json"]
    assert call(capsys, *options, SAMPLE) == call(capsys, "overview", SAMPLE, *options)
    assert call(capsys, *options, SAMPLE) != call(capsys, "--json", SAMPLE)


def test_commands_are_what_they_were(capsys) -> None:
    shown = call(capsys, "agreement", SAMPLE)
    assert shown[0] == 0
    assert shown != call(capsys, SAMPLE)


@pytest.mark.parametrize("name", ["labels", "labels.csv", "meine labels", "-labels.csv"])
def test_a_file_may_be_called_anything_else(capsys, tmp_path, monkeypatch, name) -> None:
    shutil.copy(SAMPLE, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    words = ["--", name] if name.startswith("-") else [name]
    code, out, err = call(capsys, *words)
    assert (code, err) == (0, "")
    assert out


@pytest.mark.parametrize("name", ["report", "scores"])
def test_a_file_called_like_a_command_is_written_with_its_folder(capsys, tmp_path, monkeypatch, name) -> None:
    monkeypatch.chdir(tmp_path)
    assert "./" not in call(capsys, name)[2]
    shutil.copy(SAMPLE, tmp_path / name)
    code, out, err = call(capsys, name)
    assert (code, out) == (2, "")
    assert f"‘{name}’ is a command" in err
    assert f"write ./{name}." in err
    assert call(capsys, f"./{name}")[0] == 0


def test_a_command_without_a_file_is_never_taken_for_one(capsys, tmp_path, monkeypatch) -> None:
    shutil.copy(SAMPLE, tmp_path / "selftest")
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, "selftest")
    assert (code, err) == (0, "")
    assert out


@pytest.mark.parametrize(("word", "meant"), [("agrement", "agreement"), ("item_scores", "item-scores"), ("overveiw", "overview")])
def test_a_mistyped_command_is_no_file(capsys, word, meant) -> None:
    code, out, err = call(capsys, word, SAMPLE)
    assert (code, out) == (2, "")
    assert f"‘{word}’ is no command" in err
    assert f"Is {meant} meant?" in err


def test_a_word_like_no_command_lists_them(capsys) -> None:
    code, _, err = call(capsys, "zzz")
    assert code == 2
    assert all(name in err for name in commands.commands)


def test_a_missing_file_is_said_to_be_missing(capsys, tmp_path) -> None:
    code, _, err = call(capsys, tmp_path / "labels.csv")
    assert code == 2
    assert "There is no file" in err


def test_nothing_typed_is_the_help(capsys) -> None:
    nothing, asked = call(capsys), call(capsys, "--help")
    assert nothing == asked
    assert nothing[0] == 0
    assert all(name in nothing[1] for name in commands.commands)
    assert "./report" in nothing[1]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/usr/local/bin/kappascope", "kappascope"),
        ("C/kappascope.exe", "kappascope"),
        ("metrics/__main__.py", "python -m metrics"),
    ],
)
def test_the_program_calls_itself_as_it_was_called(capsys, monkeypatch, path, name) -> None:
    monkeypatch.setattr(sys, "argv", [path])
    assert call(capsys, "--help")[1].startswith(f"Usage: {name} [OPTIONS]")


def test_the_installed_script_is_the_command_line(capsys, monkeypatch) -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    script = EntryPoint("kappascope", scripts["kappascope"], "console_scripts").load()
    monkeypatch.setattr(sys, "argv", ["bin/kappascope", str(SAMPLE), "--json"])
    with pytest.raises(SystemExit) as stop:
        script()
    assert stop.value.code == 0
    assert capsys.readouterr().out == call(capsys, "overview", SAMPLE, "--json")[1]


@pytest.mark.parametrize(
    "words",
    [
        ("-",),
        ("agreement", "-", "--json"),
        ("agreement", "gold.csv", "--with", "-", "--json"),
        ("compare", "before.csv", "-"),
    ],
)
def test_a_dash_is_what_is_piped_in(capsys, monkeypatch, tmp_path, words) -> None:
    pairs = [(f"q{i}", ("no", "yes")[i % 2], ("no", "yes")[i % 3 == 0]) for i in range(30)]
    (tmp_path / "gold.csv").write_text("item,human\n" + "".join(f"{item},{human}\n" for item, human, _ in pairs))
    joined = "--with" in words
    piped = "item,judge\n" if joined else "item,human,verdict\n"
    piped += "".join(f"{item},{judge}\n" if joined else f"{item},{human},{judge}\n" for item, human, judge in pairs)
    (tmp_path / "before.csv").write_text(piped)
    monkeypatch.chdir(tmp_path)
    with stdin(piped):
        code, out, err = call(capsys, *words)
    assert (code, err) == (0, "")
    if "--json" in words:
        assert next(iter(json.loads(out)["judges"].values()))["micro"]["n"] == 30


def test_cuts_without_a_column_are_refused(capsys) -> None:
    code, out, err = call(capsys, "agreement", SAMPLE, "--cuts", "1,2")
    assert (code, out) == (2, "")
    assert "--cuts goes with --by" in err
