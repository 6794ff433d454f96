"""A report leaves the page as the command writes it, to the last byte, for a file of one's own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from metrics.analyses.review.decisions import Decision, Review
from metrics.commands.cli import main
from metrics.report.writing import FORMATS
from pages.shared import parts
from tests.pages.conftest import Open

PAGE, DATA, ENSEMBLE = "pages/report/report.py", "pages/data/data.py", "pages/rubric/ensemble.py"
COMPARED = tuple(FORMATS)
ANSWER = "Two *agents*, <b>five</b> years = ten"
DECIDED = Decision("sharpen", "Ana", "say *which* tone", "=A1")
SAID = ("good", "bad", "dunno")


def own_file() -> bytes:
    """Labels whose meaning has to be confirmed, two judges, and criteria of different weight."""
    made = [
        f"{n},{c},{who},{role},{label}"
        for n in range(40)
        for c in ("tone", "facts")
        for who, role, label in (
            ("ana", "human", SAID[n % 5 % 2]),
            ("one", "judge", SAID[(n + len(c)) % 7 % 3]),
            ("two", "judge", SAID[n * 3 % 5 % 2]),
        )
    ]
    return "\n".join(["item;criterion;rater;role;label", *(row.replace(",", ";") for row in made)]).encode()


Files = dict[str, Callable[[], bytes]]


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Files:
    """What a click on each of the buttons would bring."""
    found: Files = {}
    monkeypatch.setattr(parts, "download", lambda label, data, name, *rest: found.update({Path(name).suffix: data}))
    return found


def filled(visit: Open) -> AppTest:
    """The page after labels were confirmed, choices made, fields filled and a criterion decided on."""
    app = visit(DATA)
    app.file_uploader(key="data.upload").upload("own.csv", own_file(), "text/csv").run()
    for label, kind in zip(SAID, ("positive", "negative", "abstention"), strict=True):
        next(box for box in app.selectbox if box.label == f"Meaning of {label}").set_value(kind).run()
    app.button(key="data.use").click().run()
    data = app.selectbox(key="data").value
    for key, value in (("mode", "as_unmet"), ("rule", "threshold"), ("threshold", 0.7), ("level", "item"), ("judge", "two")):
        app.session_state[key] = value
    app.session_state["weights"] = {data: {"tone": 3.0, "facts": 1.0}}
    app.session_state["review.decided"] = {data: {"tone": DECIDED}}
    app.switch_page(PAGE).run()
    next(box for box in app.text_input if box.label == "Who the annotators were").set_value(ANSWER).run()
    app.multiselect(key="left_out").set_value(["silence"]).run()
    assert not app.exception
    return app


def command(*args: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["report", *map(str, args)])
    return int(stop.value.code or 0)


def told(name: str) -> tuple[object, ...]:
    """The options of the command that say what the page was told."""
    return (
        "--labels", "dunno=abstention", "--abstention", "as_unmet", "--item-rule", "threshold", "--threshold", "0.7",
        "--weights", "tone=3", "--level", "item", "--judge", "two", "--without", "silence", "--tell", f"annotators={ANSWER}",
        "--review", name,
    )  # fmt: skip


def test_page_and_command_write_the_same_bytes(visit: Open, offered: Files, tmp_path: Path) -> None:
    filled(visit)
    file, review = tmp_path / "own.csv", tmp_path / "review.json"
    file.write_bytes(own_file())
    review.write_text(Review("own.csv", hashlib.sha256(own_file()).hexdigest(), {"tone": DECIDED}).to_json(), "utf-8")
    outs = [tmp_path / f"said{suffix}" for suffix in COMPARED]
    assert command(file, *told(str(review)), *(part for out in outs for part in ("--out", out))) == 0
    assert [out.suffix for out in outs if out.read_bytes() != offered[out.suffix]()] == []


def test_what_the_command_has_no_option_for_it_takes_from_the_pages_json(
    visit: Open, offered: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = filled(visit)
    app.switch_page(ENSEMBLE).run()
    app.button(key="ensemble.add_panel").click().run()
    app.switch_page(PAGE).run()
    assert not app.exception
    file, given = tmp_path / "own.csv", tmp_path / "page.json"
    file.write_bytes(own_file())
    given.write_bytes(offered[".json"]())
    assert b'"panels": [\n   {' in given.read_bytes()
    outs = [tmp_path / f"again{suffix}" for suffix in COMPARED]
    assert command(file, "--from", given, *(part for out in outs for part in ("--out", out))) == 0
    assert capsys.readouterr().out.startswith("Same numbers to the last digit")
    assert [out.suffix for out in outs if out.read_bytes() != offered[out.suffix]()] == []
