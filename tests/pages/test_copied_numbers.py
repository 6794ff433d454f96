"""Every large number of every page can be quoted with what it rests on."""

from __future__ import annotations

from pathlib import Path

import pytest

import metrics
from metrics.analyses.provenance import citation
from tests.pages.seen import copies_of, every_number_can_be_quoted

AGREEMENT = "pages/judge/agreement.py"

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "assets" / "support_answers.csv"
PAGES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "pages").glob("*/*.py") if path.parent.name != "shared")
VIEWS = {
    "pages/judge/abstention.py": [{"abstention_show": "Cost matrix"}, {"level": "Item"}, {"data": "rao_balanced"}],
    "pages/judge/choices.py": [{"choices.show": "Aggregation"}],
    "pages/judge/labels.py": [{"labels.question": "Two judges apart?"}],
    "pages/rubric/raters.py": [{"raters_show": "Human ceiling"}],
    "pages/rubric/ensemble.py": [{"mode": "Keep as a class", "ensemble_show": "Matrices"}],
    "pages/choose/rate.py": [{"rate_from": "typed"}],
    "pages/choose/choose.py": [{"choose_judges": "Three classes, ranks reversed"}, {"mode": "Keep as a class"}],
    "pages/learn/prevalence.py": [{"sweep_from": "typed"}],
    "pages/disagreements/disagreements.py": [{"rows": "judges", "mode": "Keep as a class"}, {"level": "Item"}],
    "pages/judge/agreement.py": [{"mode": "Keep as a class"}, {"level": "Item"}, {"data": "rao_always_negative"}],
}  # fmt: skip


@pytest.mark.parametrize(("page", "query"), [(page, query) for page in PAGES for query in ({}, *VIEWS.get(page, []))], ids=str)
def test_every_number_of_every_page_can_be_quoted(visit, page, query) -> None:
    assert every_number_can_be_quoted(visit(page, **query))


def test_the_text_is_that_of_the_package(visit) -> None:
    app = visit(AGREEMENT, judge="lenient", level="Macro")
    report = metrics.agreement(metrics.read(SAMPLE))
    texts = dict(copies_of(app))
    assert texts == {
        name: citation(report, "lenient", "macro", key)
        for name, key in (("Cohen’s κ", "kappa"), ("φ", "phi"), ("Accuracy", "accuracy"), ("Label-rate bias", "drift"))
    }


def test_a_number_says_why_there_is_none(visit) -> None:
    texts = dict(copies_of(visit(AGREEMENT, data="rao_always_negative")))
    assert texts["φ"].startswith("φ undefined: ")
    assert "(binary; " in texts["φ"]
