"""The lines at the end of every page: what they type gives the very numbers of the page, in Python and on the command line."""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

import metrics
from metrics.analyses.disagreements.query import Query
from metrics.analyses.disagreements.tables import listed_frame
from metrics.analyses.review.decisions import Decision, Review
from metrics.asker import answering
from metrics.commands.cli import commands
from metrics.results.words import TENTHS, UNDEFINED, bounds, estimate, value
from pages.shared.page_records import AUDIT, DATA, PAGES
from tests.pages.conftest import Open
from tests.pages.files import FIRST, SECOND, second, several, used
from tests.pages.seen import text_of

ROOT = Path(__file__).resolve().parents[2]
TITLE = "This view as Python"
UNITS = {"judge/preferences": "%", "choose/rate": TENTHS}
"""Units of first numbers, where they are always shares."""
ACCURACY = {"judge/compare": "points", "judge/labels": "%"}
MANY = {
    "judge": "lenient", "mode": "as_unmet", "level": "item", "rule": "threshold", "threshold": "0.6", "confidence": "90",
    "reference": "Agent 2",
}  # fmt: skip
SAMPLE_VIEWS = [
    ("judge/overview", {}), ("judge/overview", MANY), ("judge/overview", {"overview.judge": "lenient", "level": "macro"}),
    ("judge/agreement", {}), ("judge/agreement", MANY), ("judge/agreement", {"level": "macro", "mode": "as_category"}),
    ("judge/agreement", {"interval": "bootstrap", "unit": "decision", "replicates": "500", "seed": "7"}),
    ("judge/agreement", {"interval": "jackknife", "reference": "unanimous"}), ("judge/agreement", {"interval": "none"}),
    ("judge/agreement", {"data": "rao_two_criteria", "level": "macro"}),
    ("judge/agreement", {"data": "rao_abstention", "mode": "as_unmet"}),
    ("judge/preferences", {}), ("judge/preferences", {"preferences.ties": "class", "preferences.criterion": "Polite tone"}),
    ("judge/compare", {}), ("judge/compare", MANY | {"a": "cautious", "b": "strict", "compare.metric": "kappa"}),
    ("judge/compare", {"compare.criterion": "Polite tone", "compare.metric": "accuracy"}),
    ("judge/kappa_phi", {}), ("judge/kappa_phi", {"level": "macro", "judge": "cautious"}),
    ("judge/choices", MANY | {"confidence": "99"}), ("judge/choices", {"choices.show": "Aggregation"}),
    ("judge/abstention", {}), ("judge/abstention", {"level": "item", "judge": "cautious"}),
    ("judge/labels", {}), ("judge/labels", {"labels.question": "apart", "labels.margin": "0.1", "confidence": "90"}),
    ("judge/labels", {"labels.line": "0.5", "labels.metric": "accuracy", "level": "macro"}),
    ("judge/scores", {}), ("judge/scores", {"judge": "lenient", "reference": "Agent 1"}),
    ("judge/roc", {}), ("judge/roc", {"roc.criterion": "Polite tone", "judge": "cautious", "confidence": "90"}),
    ("rubric/raters", {}), ("rubric/raters", {"raters_who": "Judges", "mode": "as_category", "raters_floor_alpha": "0.8"}),
    ("rubric/raters", {"raters_on": "mean κ", "raters_floor_kappa": "0.7"}),
    ("rubric/ensemble", {}), ("rubric/ensemble", {"ensemble_criterion": "Polite tone", "mode": "as_category"}),
    ("choose/choose", {}), ("choose/choose", MANY | {"choose_at": "5", "choose_apart": "2"}),
    ("choose/choose", {"choose_judges": "table1", "choose_by": "f1"}), ("choose/choose", {"choose_judges": "classes"}),
    ("choose/rate", {}), ("choose/rate", {"rate_criterion": "Polite tone", "mode": "as_unmet", "confidence": "90"}),
    ("choose/rate", {"rate_from": "typed", "rate_tp": "50", "rate_positive": "100"}),
    ("choose/rate", {"rate_from": "rates", "rate_tpr": "80"}),
    ("learn/prevalence", {}), ("learn/prevalence", MANY | {"sweep_at": "20"}),
    ("learn/prevalence", {"sweep_from": "typed", "sweep_tpr": "70"}),
]  # fmt: skip


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Where the bundled samples lie as the lines say."""
    with contextlib.chdir(ROOT):
        yield


def lines_of(app: AppTest) -> tuple[str, list[str]]:
    """The Python at the end of the page, and the commands."""
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
    assert plainly(tile.value) == _shown(first, unit)
    ends = getattr(first, "ends", None)
    if ends:
        assert bounds(ends, unit) in (tile.delta, tile.proto.delta_description)
    assert not lines or len(lines) == len(reports)
    for line, report in zip(lines, reports, strict=False):
        assert json.loads(run_command(line, "--json")) == json.loads(json.dumps(report.to_dict()))


def plainly(text: str) -> str:
    """Without what keeps a file's text plain."""
    return text.replace("\\", "").replace("\u2060", "")


def _shown(number: Any, unit: str) -> str:
    if number is None or isinstance(number, str):
        return number or UNDEFINED
    return value(getattr(number, "value", number), unit)


@pytest.mark.parametrize(("page", "query"), SAMPLE_VIEWS, ids=str)
def test_the_lines_give_the_first_number(visit: Open, page: str, query: dict[str, str]) -> None:
    unit = ACCURACY[page] if "accuracy" in query.values() else UNITS.get(page, "")
    agrees(visit(f"pages/{page}.py", **query), unit)


def long_file(criteria: dict[str, list[str]], n: int = 40, wrong: float = 0.2) -> bytes:
    """Two people and two judges on criteria with these labels; the topic of an item groups items."""
    rng = np.random.default_rng(3)
    rows = []
    for item in range(n):
        for criterion, labels in criteria.items():
            true = labels[int(rng.integers(len(labels)))]
            for rater, role in (("ann", "human"), ("bob", "human"), ("gpt, 4", "judge"), ("o'brian", "judge")):
                label = labels[int(rng.integers(len(labels)))] if rng.random() < wrong else true
                rows.append((f"q{item}", criterion, rater, role, label, f"t{item // 4}"))
    head = ["item", "criterion", "rater", "role", "label", "topic"]
    return pd.DataFrame(rows, columns=head).to_csv(index=False).encode()


YES_NO = {"is it, polite?": ["yes", "no"], "a=b": ["yes", "no", "not sure"]}
GRADES = {"tone": ["1", "2", "3", "4"], "depth": ["1", "2", "3", "4"]}
NAME = "labels of mine, 1.csv"


@pytest.fixture
def own(visit: Open, tmp_path: Path) -> Callable[..., AppTest]:
    """A file of one's own, opened and confirmed as proposed; it lies where the lines are run."""

    def start(content: bytes, *answers: Callable[[AppTest], object], name: str = NAME, **query: str) -> AppTest:
        (tmp_path / name).write_bytes(content)
        app = visit("pages/data/data.py", **query)
        app.file_uploader(key="data.upload").upload(name, content, "text/csv").run()
        for answer in answers:
            answer(app)
        app.button(key="data.use").click().run()
        assert not app.exception
        return app

    return start


def visited(app: AppTest, page: str, **choices: object) -> AppTest:
    """The page with answers of the sidebar, or of its own."""
    app.switch_page(f"pages/{page}.py").run()
    for key, answer in choices.items():
        app.session_state[key] = answer
    app.run()
    assert not app.exception
    return app


@pytest.mark.parametrize(
    "page", ["overview", "agreement", "compare", "kappa_phi", "choices", "abstention", "labels", "roc", "scores"]
)
def test_names_of_a_file_are_typed_as_they_are(own, tmp_path, page) -> None:
    app = own(long_file(YES_NO))
    with contextlib.chdir(tmp_path):
        agrees(visited(app, f"judge/{page}"))
        mode = "exclude" if page == "kappa_phi" else "as_category"
        agrees(visited(app, f"judge/{page}", judge="gpt, 4", reference="bob", unit="topic", mode=mode))


def test_a_ranking_takes_what_ties_count_as(own, tmp_path) -> None:
    app = own(long_file(UNCLEAR, 60))
    with contextlib.chdir(tmp_path):
        usual = run_python(lines_of(visited(app, "choose/choose"))[0])[1][0].first.values["balanced_accuracy"]
        (report,) = run_python(lines_of(visited(app, "choose/choose", **HANDLED))[0])[1]
    assert app.metric[1].value == value(report.first.values["balanced_accuracy"], "%")
    assert report.first.values["balanced_accuracy"] != usual


@pytest.mark.parametrize("page", ["rubric/raters", "rubric/ensemble", "choose/choose", "choose/rate", "learn/prevalence"])
def test_names_of_a_file_are_typed_as_they_are_everywhere(own, tmp_path, page) -> None:
    app = own(long_file(YES_NO))
    with contextlib.chdir(tmp_path):
        agrees(visited(app, page, judge="gpt, 4", reference="unanimous"), UNITS.get(page, ""))


def test_weights_and_a_threshold(own, tmp_path) -> None:
    app = own(long_file(YES_NO))
    weights = {app.session_state["data"]: {"a=b": 3.0}}
    visited(app, "judge/agreement", weights=weights, level="item", rule="threshold", threshold=0.6)
    text, lines = lines_of(app)
    assert 'weights={"a=b": 3.0}' in text
    assert """--weights '"a=b"=3.0'""" in lines[0]
    with contextlib.chdir(tmp_path):
        agrees(app)


ORDERED = [
    "judge/overview",
    "judge/agreement",
    "judge/scores",
    "judge/compare",
    "judge/choices",
    "rubric/raters",
    "choose/choose",
]


@pytest.mark.parametrize("page", ORDERED)
def test_labels_in_order(own, tmp_path, page) -> None:
    app = own(long_file(GRADES))
    with contextlib.chdir(tmp_path):
        agrees(visited(app, page))
        agrees(visited(app, page, reference="majority", judge="o'brian", unit="topic"))


def test_what_options_are_worth_and_cost(own, tmp_path) -> None:
    app = own(long_file(GRADES | {"tone": ["1", "2", "3", "4", "CANNOT_ASSESS"]}))
    answers = {"scores.values": "1=0, 2=1, 3=2, 4=10", "scores.cost": "0,1,2,3; 1,0,1,2; 2,1,0,1; 3,2,1,0"}
    app = visited(app, "judge/scores", **answers, **{"scores.open": "as_unmet", "scores.criterion": "tone"})
    text, (line,) = lines_of(app)
    assert all(name in text for name in ("values=", "cost=", 'abstention="as_unmet"', 'criteria["tone"]'))
    assert "--cost '0.0,1.0," in line or '--cost "0.0,1.0,' in line
    with contextlib.chdir(tmp_path):
        agrees(app)


@pytest.mark.parametrize(
    "page", ["judge/overview", "judge/agreement", "judge/scores", "rubric/raters", "judge/roc", "choose/choose"]
)
def test_criteria_on_several_scales(own, tmp_path, page) -> None:
    app = own(long_file(YES_NO | GRADES))
    with contextlib.chdir(tmp_path):
        agrees(visited(app, page))
        agrees(visited(app, page, scale="binary"))


def test_numbers(own, tmp_path) -> None:
    rng = np.random.default_rng(1)
    true = rng.normal(50, 20, 60).round(2)
    frame = pd.DataFrame({"item": [f"q{n}" for n in range(60)], "judge": "gpt", "human": true})
    frame["verdict"] = (true + rng.normal(0, 9, 60)).round(2)
    app = own(frame.to_csv(index=False).encode())
    with contextlib.chdir(tmp_path):
        for page in ("judge/overview", "judge/scores"):
            agrees(visited(app, page, confidence=90))
            assert 'scale={"overall": "continuous"}' in lines_of(app)[0]


def test_people_without_a_judge(own, tmp_path) -> None:
    frame = pd.read_csv(io.BytesIO(long_file(YES_NO)))
    app = own(frame[frame["role"] == "human"].to_csv(index=False).encode())
    with contextlib.chdir(tmp_path):
        for page in ("judge/overview", "rubric/raters"):
            agrees(visited(app, page, mode="as_category"))
            assert 'abstention="as_category"' in lines_of(app)[0]


UNCLEAR = {"polite": ["yes", "no", "TIE", "INVALID", "ERROR"]}
HANDLED = {"tie": "as_unmet", "invalid": "exclude", "error": "as_unmet"}


@pytest.mark.parametrize(
    "page", ["judge/overview", "judge/agreement", "judge/compare", "rubric/raters", "choose/choose", "judge/roc"]
)
def test_answers_that_are_no_verdict(own, tmp_path, page) -> None:
    app = own(long_file(UNCLEAR, 60))
    with contextlib.chdir(tmp_path):
        before = lines_of(visited(app, page))[0]
        agrees(visited(app, page, **HANDLED))
    text, lines = lines_of(app)
    assert text != before
    assert bool(lines) == ("handling=" in text) == ("handled(" not in text) or page == "choose/choose"


def test_a_panel_of_judges_has_no_command(visit) -> None:
    app = visit("pages/judge/agreement.py", panel="majority", panel_of=["strict", "lenient"])
    app.selectbox(key="judge").set_value("majority of 2 judges").run()
    text, lines = lines_of(app)
    assert 'metrics.with_panel(ratings, rule="majority"' in text or "metrics.with_panel(ratings, judges=" in text
    assert not lines
    agrees(app)


def test_files_that_are_read_together(visit, tmp_path) -> None:
    frame = pd.read_csv(io.BytesIO(long_file(YES_NO)))
    files = {f"{role}.csv": frame[frame["role"] == role].to_csv(index=False).encode() for role in ("human", "judge")}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    app = used(several(visit("pages/data/data.py"), *files.items()))
    with contextlib.chdir(tmp_path):
        agrees(visited(app, "judge/agreement"))
    text, (line,) = lines_of(app)
    assert 'metrics.read(["human.csv", "judge.csv"]' in text
    assert "agreement human.csv --with judge.csv" in line


def test_what_was_answered_for_the_file_is_said_again(own, tmp_path) -> None:
    def answer(app: AppTest) -> None:
        for label, kind in (("blue", "positive"), ("red", "negative")):
            next(box for box in app.selectbox if box.label == f"Meaning of {label}").set_value(kind).run()

    app = own(long_file({"polite": ["blue", "red"]}), answer)
    with contextlib.chdir(tmp_path):
        agrees(visited(app, "judge/agreement"))
    text, (line,) = lines_of(app)
    assert 'labels={"red": "negative", "blue": "positive"}' in text
    assert "--labels red=negative,blue=positive" in line


@pytest.mark.parametrize("labels", [(b"MET", b"UNMET"), (b"blue", b"red")], ids=str)
def test_a_second_file_beside_the_first(own, tmp_path, labels) -> None:
    """Plain labels need no word on the command line; what was said of others goes to one file at a time."""

    def answer(app: AppTest) -> None:
        for box in [box for box in app.selectbox if box.label.startswith("Meaning of ")]:
            box.set_value("positive" if labels[0].decode() in box.label else "negative").run()

    contents = [
        content.replace(b"UNMET", b"?").replace(b"MET", labels[0]).replace(b"?", labels[1]) for content in (FIRST, SECOND)
    ]
    app = own(contents[0], *([] if b"MET" in labels else [answer]), name="one.csv")
    (tmp_path / "two.csv").write_bytes(contents[1])
    app = second(visited(app, "judge/compare"), "two.csv", contents[1])
    text, lines = lines_of(app)
    assert "ratings = metrics.join(first, second).ratings" in text
    assert lines == (["python -m metrics compare one.csv two.csv --a old --b new"] if b"MET" in labels else [])
    with contextlib.chdir(tmp_path):
        _, (report,), _ = run_python(text)
        assert plainly(app.metric[0].value) == _shown(report.difference, "")
        for line in lines:
            written = json.loads(run_command(line, "--json"))
            assert written.pop("unmatched_rows")
            assert written == json.loads(json.dumps(report.to_dict()))
    app = visited(app, "judge/agreement")
    assert len(lines_of(app)[1]) == 0
    with contextlib.chdir(tmp_path):
        agrees(app)


@pytest.mark.parametrize(
    "query", [{}, {"mode": "as_unmet", "level": "macro", "judge": "lenient", "confidence": "90", "left_out": "raters"}], ids=str
)
def test_the_report_is_the_same_file(visit, tmp_path, query) -> None:
    app = visit("pages/report/report.py", **query)
    app.text_input(key="tell prompt support_answers").set_value("v7, “two words”").run()
    text, (line,) = lines_of(app)
    for path in (tmp_path / "assets",):
        path.symlink_to(ROOT / "assets")
    with contextlib.chdir(tmp_path):
        variables, _, _ = run_python(text)
        written = Path("report.html").read_bytes()
        Path("report.html").unlink()
        run_command(line)
        assert Path("report.html").read_bytes() == written
    assert variables["report"].material.checklist.count_words in text_of(app)
    assert "v7" in written.decode()


def test_the_decisions_of_a_review_go_into_the_report(visit, tmp_path) -> None:
    app = visit("pages/rubric/review.py")
    app.text_area[0].set_value("Ask for two links.").run()
    source = metrics.read(ROOT / "assets" / "support_answers.csv").source
    saved = Review(source.name, source.sha256, {"Polite tone": Decision(note="Ask for two links.")}).to_json()
    app.switch_page("pages/report/report.py").run()
    text, (line,) = lines_of(app)
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    (tmp_path / "rubric_review.json").write_text(saved, encoding="utf-8")
    with contextlib.chdir(tmp_path):
        run_python(text)
        written = Path("report.html").read_bytes()
        run_command(line)
        assert Path("report.html").read_bytes() == written
    assert "Ask for two links." in written.decode()


@pytest.mark.parametrize(
    "query", [{}, MANY, {"mode": "as_category", "disagreements.rows": "no_verdict", "disagreements.search": "q1"}], ids=str
)
def test_a_list_of_items(visit, query) -> None:
    app = visit("pages/disagreements/disagreements.py", **query)
    text, lines = lines_of(app)
    assert not lines
    lists_what_is_shown(app, text)


def lists_what_is_shown(app: AppTest, text: str) -> None:
    variables, _, (number,) = run_python(text)
    frame = listed_frame(variables["listing"], variables["found"], Query(rows="all"))
    shown = next(table.value for table in app.dataframe if "item" in table.value)
    assert list(frame["item"].unique()[: len(shown)]) == list(shown["item"])
    assert number == variables["found"].n > 0


def test_raters_alone_have_a_list_too(own, tmp_path) -> None:
    frame = pd.read_csv(io.BytesIO(long_file(YES_NO)))
    app = own(frame[frame["role"] == "human"].to_csv(index=False).encode())
    app = visited(app, "disagreements/disagreements", mode="as_category")
    with contextlib.chdir(tmp_path):
        lists_what_is_shown(app, lines_of(app)[0])


def test_a_simulation(visit) -> None:
    app = visit("pages/choose/simulation.py", sim_scenarios="500", sim_n_golden="400", sim_seed="3", sim_p_model_to="20")
    text, (line,) = lines_of(app)
    _, (report,), (number,) = run_python(text)
    assert app.metric[0].value == f"{100 * number.value:.1f}\u00a0%"
    assert json.loads(run_command(line, "--json")) == json.loads(json.dumps(report.to_dict()))


def test_the_number_that_is_lit_in_the_lab(visit) -> None:
    app = visit("pages/learn/lab.py")
    text, lines = lines_of(app)
    assert (run_python(text)[2], lines) == ([0.9], [])


@pytest.mark.parametrize("query", [{}, {"mode": "as_unmet"}, {"data": "rao_two_criteria"}], ids=str)
def test_the_first_fit_of_the_scales(visit, query) -> None:
    app = visit("pages/learn/scales.py", **query)
    _, _, (number,) = run_python(lines_of(app)[0])
    shown = estimate(number, "%")
    assert any(plainly(str(cell)).startswith(shown) for table in app.table for cell in table.value.iloc[0])


def test_the_data_page_reads_the_file_the_same_way(own, tmp_path) -> None:
    app = own(long_file(YES_NO)).switch_page("pages/data/data.py").run()
    python = next(code.value for code in app.code if code.language == "python")
    with contextlib.chdir(tmp_path):
        assert app.metric[0].value == f"{eval(python, {'metrics': metrics}).source.rows}"


def test_every_page_has_its_lines_once(visit) -> None:
    for page in PAGES:
        shown = [part.label for part in visit(page.path).expander if part.label.startswith(TITLE)]
        assert len(shown) == (page not in (AUDIT, DATA)), page.file


def test_room_view_has_none(visit) -> None:
    assert not visit("pages/judge/agreement.py", view="room").code
