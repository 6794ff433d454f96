"""The lines at the end of every page: what they type gives the very numbers of the page, in Python and on the command line."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.analyses.review.decisions import Decision, Review
from metrics.report.making import Report
from metrics.results.words import estimate
from pages.shared.page_records import AUDIT, DATA, DOCUMENTATION, PAGES
from tests.pages.conftest import Open
from tests.pages.lines import TITLE, UNITS, agrees, lines_of, lists_what_is_shown, plainly, run_command, run_python
from tests.pages.seen import text_of

ROOT = Path(__file__).resolve().parents[2]
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
def at_the_root() -> Iterator[None]:
    """Where the bundled samples lie as the lines say."""
    with contextlib.chdir(ROOT):
        yield


@pytest.mark.parametrize(("page", "query"), SAMPLE_VIEWS, ids=str)
def test_the_lines_give_the_first_number(visit: Open, page: str, query: dict[str, str]) -> None:
    unit = ACCURACY[page] if "accuracy" in query.values() else UNITS.get(page, "")
    agrees(visit(f"pages/{page}.py", **query), unit)


@pytest.mark.parametrize(
    "query", [{}, {"mode": "as_unmet", "level": "macro", "judge": "lenient", "confidence": "90", "left_out": "raters"}], ids=str
)
def test_the_report_is_the_same_file(visit, tmp_path, query) -> None:
    app = visit("pages/report/report.py", **query)
    app.text_input(key="tell prompt support_answers").set_value("v7, “two words”").run()
    report, written = written_alike(app, tmp_path)
    assert report.material.checklist.count_words in text_of(app)
    assert "v7" in written


def written_alike(app: AppTest, folder: Path) -> tuple[Report, str]:
    """The report that Python writes, of which the command writes every byte."""
    text, (line,) = lines_of(app)
    (folder / "assets").symlink_to(ROOT / "assets")
    with contextlib.chdir(folder):
        variables, _, _ = run_python(text)
        written = Path("report.html").read_bytes()
        Path("report.html").unlink()
        run_command(line)
        assert Path("report.html").read_bytes() == written
    return variables["report"], written.decode()


def test_the_decisions_of_a_review_go_into_the_report(visit, tmp_path) -> None:
    app = visit("pages/rubric/review.py")
    app.text_area[0].set_value("Ask for two links.").run()
    source = metrics.read(ROOT / "assets" / "support_answers.csv").source
    saved = Review(source.name, source.sha256, {"Polite tone": Decision(note="Ask for two links.")}).to_json()
    app.switch_page("pages/report/report.py").run()
    (tmp_path / "rubric_review.json").write_text(saved, encoding="utf-8")
    assert "Ask for two links." in written_alike(app, tmp_path)[1]


@pytest.mark.parametrize("query", [{}, {"judge": "lenient", "mode": "as_category", "confidence": "90"}], ids=str)
def test_the_criterion_under_review(visit, query) -> None:
    app = visit("pages/rubric/review.py", **query)
    text, (line,) = lines_of(app)
    _, (report,), (number,) = run_python(text)
    assert f"κ {estimate(number)}" in plainly(text_of(app))
    assert json.loads(run_command(line, "--json")) == json.loads(json.dumps(report.to_dict()))


@pytest.mark.parametrize(
    "query", [{}, MANY, {"mode": "as_category", "disagreements.rows": "no_verdict", "disagreements.search": "q1"}], ids=str
)
def test_a_list_of_items(visit, query) -> None:
    app = visit("pages/disagreements/disagreements.py", **query)
    text, lines = lines_of(app)
    assert not lines
    lists_what_is_shown(app, text)


def test_a_simulation(visit) -> None:
    app = visit("pages/choose/simulation.py", sim_scenarios="500", sim_n_golden="400", sim_seed="3", sim_p_model_to="20")
    text, (line,) = lines_of(app)
    _, (report,), (number,) = run_python(text)
    assert app.metric[0].value == f"{100 * number.value:.1f}\u00a0%"
    assert json.loads(run_command(line, "--json")) == json.loads(json.dumps(report.to_dict()))


def test_the_number_that_is_lit_in_the_lab(visit) -> None:
    app = visit("pages/learn/lab.py")
    text, lines = lines_of(app)
    assert (run_python(text)[2], lines) == ([0.9, 0.9], [])  # of both judges


@pytest.mark.parametrize("query", [{}, {"mode": "as_unmet"}, {"data": "rao_two_criteria"}], ids=str)
def test_the_first_fit_of_the_scales(visit, query) -> None:
    app = visit("pages/learn/scales.py", **query)
    _, _, (number,) = run_python(lines_of(app)[0])
    shown = estimate(number, "%")
    assert any(plainly(str(cell)).startswith(shown) for table in app.table for cell in table.value.iloc[0])


def test_every_page_has_its_lines_once(visit) -> None:
    for page in PAGES:
        shown = [part.label for part in visit(page.path).expander if part.label.startswith(TITLE)]
        assert len(shown) == (page not in (AUDIT, DATA, DOCUMENTATION)), page.file


def test_room_view_has_none(visit) -> None:
    assert not visit("pages/judge/agreement.py", view="room").code
