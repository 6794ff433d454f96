"""Ties, invalid answers and failed calls in the sidebar: a page shows what the package computes with the same handling."""

from __future__ import annotations

from io import BytesIO

import pytest

import metrics
from metrics.results.words import number
from pages.shared.abstention.price import GAPS_HANDLED, HANDLED
from tests.pages.seen import numbers_of, text_of

COMPARE = "pages/judge/compare.py"
MEANS = {"MET": "positive", "UNMET": "negative", "TIE": "tie", "INVALID": "invalid", "ERROR": "error"}


def table(unclear: bool = True) -> bytes:
    rows = ["item,judge,human,verdict"]
    for i in range(60):
        human = "MET" if i % 3 else "UNMET"
        for shift, judge in enumerate(("a", "b")):
            wrong = (i + shift) % 5 == 0
            verdict = human if not wrong else {"MET": "UNMET", "UNMET": "MET"}[human]
            if unclear:
                verdict = {0: "TIE", 1: "INVALID", 2: "ERROR"}.get((i + 3 * shift) % 13, verdict)
            rows.append(f"q{i},{judge},{human},{verdict}")
    return "\n".join(rows).encode()


@pytest.fixture
def opened(visit):
    """The Agreement page of an uploaded table."""

    def start(content: bytes, **query: str):
        app = visit("pages/data/data.py", **query)
        app.file_uploader(key="data.upload").upload("answers.csv", content, "text/csv").run()
        for label, kind in MEANS.items():
            box = next((box for box in app.selectbox if box.label == f"Meaning of {label}"), None)
            if box is not None:
                box.set_value(kind).run()
        app.button(key="data.use").click().run()
        app.switch_page("pages/judge/agreement.py").run()
        assert not app.exception
        return app

    return start


def kappa(**choices) -> str:
    ratings = metrics.read(BytesIO(table()), labels=MEANS)
    report = metrics.agreement(ratings, judges=["a"], interval="none", **choices)
    return number(report.judges["a"].micro.values["kappa"])


def test_each_kind_has_its_own_choice_that_changes_every_number(opened):
    app = opened(table())
    assert numbers_of(app)["Cohen’s κ"] == kappa()
    steps = [("tie", "as_unmet"), ("error", "as_unmet"), ("invalid", "as_unmet")]
    handling = {}
    for kind, how in steps:
        app.selectbox(key=kind).set_value(how).run()
        assert not app.exception
        handling[kind] = how
        assert numbers_of(app)["Cohen’s κ"] == kappa(handling=handling)
    said = text_of(app).replace("\\", "")
    assert "ties counted as UNMET; invalid answers counted as UNMET; failed calls counted as UNMET" in said
    shown = {kappa(handling=dict(steps[:n])) for n in range(4)}
    assert len(shown) == 4


def test_one_button_brings_back_the_usual(opened):
    app = opened(table())
    assert "usual" not in [button.key for button in app.button]
    app.selectbox(key="tie").set_value("as_unmet").run()
    app.button(key="usual").click().run()
    assert app.selectbox(key="tie").value == "abstention"
    assert numbers_of(app)["Cohen’s κ"] == kappa()
    assert "usual" not in [button.key for button in app.button]


def test_the_choice_stays_on_other_pages(opened):
    app = opened(table())
    app.selectbox(key="error").set_value("as_unmet").run()
    app.switch_page(COMPARE).run()
    assert not app.exception
    assert "failed calls counted as UNMET" in text_of(app).replace("\\", "")
    ratings = metrics.read(BytesIO(table()), labels=MEANS)
    compared = metrics.compare(ratings, "a", "b", handling={"error": "as_unmet"}, replicates=100)
    assert f"{compared.n_items} items" in text_of(app)


def test_only_kinds_of_the_file_can_be_chosen(opened):
    app = opened(table(unclear=False))
    assert not {"tie", "invalid", "error"} & {box.key for box in app.selectbox}


def test_a_link_with_names_of_the_package_and_a_kind_the_sample_lacks(visit):
    usual = numbers_of(visit())
    app = visit(tie="exclude", error="as_unmet")
    assert not app.exception
    assert numbers_of(app) == usual


@pytest.mark.parametrize("named", ["as_unmet", "Recode as negative"])
def test_a_link_carries_the_choice(opened, named):
    assert numbers_of(opened(table(), tie=named))["Cohen’s κ"] == kappa(handling={"tie": "as_unmet"})


def test_third_class_keeps_the_handling(opened):
    app = opened(table())
    app.radio(key="mode").set_value("as_category").run()
    app.selectbox(key="tie").set_value("exclude").run()
    assert numbers_of(app)["Cohen’s κ"] == kappa(abstention="as_category", handling={"tie": "exclude"})


def test_the_data_page_says_that_it_has_no_effect_there(opened):
    app = opened(table())
    app.switch_page("pages/data/data.py").run()
    assert app.selectbox(key="tie").disabled


def test_the_views_of_abstention_say_how_a_handling_counts_in_them(opened):
    app = opened(table())
    app.switch_page("pages/judge/abstention.py").run()
    assert not app.exception
    assert HANDLED not in text_of(app)
    assert GAPS_HANDLED not in text_of(app)
    assert "ties and invalid answers excluded, coverage" in text_of(app).replace("\\", "")
    app.selectbox(key="tie").set_value("as_unmet").run()
    assert not app.exception
    assert text_of(app).count(HANDLED) == 2
    assert text_of(app).count(GAPS_HANDLED) == 1
    assert "invalid answers excluded, both gave a verdict on " in text_of(app).replace("\\", "")
