"""Laws of every reader of a tool's export, on the samples that the tests of the readers hold."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from metrics import InputError
from metrics.readers import open_table, propose
from metrics.readers.formats.canonical import COLUMNS
from metrics.readers.formats.registry import FORMATS

HERE = Path(__file__).parent
SAMPLES: dict[str, bytes] = {
    f"{path.stem.removeprefix('test_format_')}/{name}": data
    for path in sorted(HERE.glob("test_format_*.py"))
    for name, data in importlib.import_module(f"tests.readers.{path.stem}").SAMPLES.items()
}
"""File name by module, and a small file as the tool writes it."""


def is_read_or_refused_in_a_sentence(name: str, data: bytes) -> bool:
    """Return whether a file is read, or refused with a sentence that fits a message; whatever else is raised is a defect."""
    try:
        propose(open_table(data, name.rpartition("/")[2]))
    except InputError as error:
        return 20 < len(str(error)) <= 1000
    return True


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_recognised_and_canonical(name: str) -> None:
    table = open_table(SAMPLES[name], name.rpartition("/")[2])
    assert table.format, "no format took it"
    assert set(COLUMNS) <= set(table.columns)
    assert set(table.data["status"].to_pylist()) <= {"ok", "abstain", "error"}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.8, 0.97])
def test_a_truncated_file_is_read_or_refused_in_a_sentence(name: str, share: float) -> None:
    data = SAMPLES[name]
    assert is_read_or_refused_in_a_sentence(name, data[: int(len(data) * share)])


def _mutations(value: Any, depth: int = 0) -> list[Any]:
    """Return the value without each of its keys, and with a wrong type in the place of each, to a small depth."""
    changed: list[Any] = []
    if depth > 6:
        return changed
    if isinstance(value, dict):
        for key in value:
            changed.append({other: cell for other, cell in value.items() if other != key})
            changed += [value | {key: wrong} for wrong in (None, 7, "text", [], {}, [None], {"x": [1]}, True)]
            changed += [value | {key: inner} for inner in _mutations(value[key], depth + 1)]
    elif isinstance(value, list) and value:
        changed += [[inner, *value[1:]] for inner in _mutations(value[0], depth + 1)]
        changed += [[wrong, *value[1:]] for wrong in (None, 7, "text", [], {})]
    return changed


@pytest.mark.slow("some ten thousand broken files")
@pytest.mark.parametrize("name", [name for name, data in SAMPLES.items() if data.lstrip()[:1] in (b"{", b"[")])
def test_a_missing_key_or_a_wrong_type_is_read_or_refused_in_a_sentence(name: str) -> None:
    try:
        whole, lines = json.loads(SAMPLES[name]), False
    except ValueError:
        whole, lines = [json.loads(line) for line in SAMPLES[name].splitlines() if line.strip()], True
    for changed in _mutations(whole):
        data = "\n".join(map(json.dumps, changed)) if lines else json.dumps(changed)
        assert is_read_or_refused_in_a_sentence(name, data.encode())


def test_every_usable_format_has_a_sample() -> None:
    recognised = {open_table(data, name.rpartition("/")[2]).format for name, data in SAMPLES.items()}
    assert recognised >= {form.what for form in FORMATS if form.usable}


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.what)
def test_a_format_says_what_it_is_and_how_to_make_it(form: Any) -> None:
    assert form.tool.casefold() in f"{form.what} {form.how}".casefold()
    assert form.how.endswith(".")
    assert form.usable == any((form.read_object, form.read_records, form.read_table))
