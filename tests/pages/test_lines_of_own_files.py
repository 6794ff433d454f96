"""The lines at the end of a page, of files of one's own: names, answers given for the file, criteria on any scale."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.results.words import value
from tests.pages.conftest import Open
from tests.pages.files import FIRST, SECOND, second, several, used
from tests.pages.lines import UNITS, agrees, lines_of, lists_what_is_shown, plainly, run_command, run_python, shown


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


@pytest.mark.parametrize("page", ["overview", "agreement", "compare", "kappa_phi", "abstention", "labels", "roc", "scores"])
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
        assert plainly(app.metric[0].value) == shown(report.difference, "")
        for line in lines:
            written = json.loads(run_command(line, "--json"))
            assert written.pop("unmatched_rows")
            assert written == json.loads(json.dumps(report.to_dict()))
    app = visited(app, "judge/agreement")
    assert len(lines_of(app)[1]) == 0
    with contextlib.chdir(tmp_path):
        agrees(app)


def test_raters_alone_have_a_list_too(own, tmp_path) -> None:
    frame = pd.read_csv(io.BytesIO(long_file(YES_NO)))
    app = own(frame[frame["role"] == "human"].to_csv(index=False).encode())
    app = visited(app, "disagreements/disagreements", mode="as_category")
    with contextlib.chdir(tmp_path):
        lists_what_is_shown(app, lines_of(app)[0])


def test_the_data_page_reads_the_file_the_same_way(own, tmp_path) -> None:
    app = own(long_file(YES_NO)).switch_page("pages/data/data.py").run()
    python = next(code.value for code in app.code if code.language == "python")
    with contextlib.chdir(tmp_path):
        assert app.metric[0].value == f"{eval(python, {'metrics': metrics}).source.rows}"
