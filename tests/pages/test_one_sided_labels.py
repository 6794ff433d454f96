"""Labels on answers of one verdict only: no page shows a TPR, and each says why."""

from __future__ import annotations

import csv
import io

import pytest

import metrics
from metrics.analyses.labelling import ONLY_POSITIVES
from metrics.analyses.settings import settings_of
from metrics.analyses.verification import verification_of
from tests.pages.own_file import opened
from tests.pages.seen import numbers_of, unescaped

ROWS = [*[("yes", "yes")] * 45, *[("no", "yes")] * 40, *[("", "no")] * 100]


def table(pairs: list[tuple[str, str]] = ROWS) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([["item", "judge", "human", "verdict"], *[(f"q{i}", "j", *pair) for i, pair in enumerate(pairs)]])
    return text.getvalue()


@pytest.mark.parametrize("page", ["pages/learn/prevalence.py", "pages/choose/choose.py", "pages/judge/roc.py"])
def test_a_page_that_needs_tpr_refuses_it(visit, page) -> None:
    app = opened(visit, page, table().encode())
    assert ONLY_POSITIVES in unescaped(app)
    assert not {"100\u00a0%", "0.00", "1.00"} & set(numbers_of(app).values())


def test_the_command_and_python_say_so() -> None:
    ratings = metrics.read(table().encode())
    assert verification_of(ratings, "j", settings_of(ratings)).refusal() == ONLY_POSITIVES
    assert any(warning.message == f"j: {ONLY_POSITIVES}" for warning in metrics.roc(ratings).warnings)
    values = metrics.rank_judges(ratings).first.values
    assert all(values[key] != values[key] for key in ("balanced_accuracy", "youden_j", "snr"))


def test_labels_on_both_verdicts_refuse_nothing() -> None:
    ratings = metrics.read((table() + "extra,j,no,no\n").encode())
    assert not verification_of(ratings, "j", settings_of(ratings)).refusal()
    assert not [warning for warning in metrics.roc(ratings).warnings if warning.code == "one_sided_labels"]


MOSTLY = [*ROWS, *[("no", "no")] * 8, *[("yes", "no")] * 4]


@pytest.mark.parametrize("pairs", [ROWS, MOSTLY], ids=["one verdict", "more of one"])
@pytest.mark.parametrize("page", ["pages/judge/overview.py", "pages/judge/agreement.py"])
def test_a_page_of_the_judge_says_what_people_labelled_and_no_side_of_its_errors(visit, page, pairs) -> None:
    seen = unescaped(opened(visit, page, table(pairs).encode()))
    assert "eople labelled " in seen
    assert "The judge is lenient" not in seen


@pytest.mark.parametrize(
    "page",
    ["choose/rate", "judge/abstention", "judge/choices", "judge/kappa_phi", "judge/labels", "report/report", "rubric/review"],
)
def test_a_page_opens_where_no_number_of_the_judge_is_known(visit, page) -> None:
    assert not opened(visit, f"pages/{page}.py", table().encode()).exception
