from __future__ import annotations

import pytest

import metrics
from metrics.content.scale_guide.fitting import GUIDES
from metrics.results.words import number
from tests.pages.test_data_page import upload, use
from tests.pages.test_scales_of_criteria import MIXED, plain
from tests.shared_data import data

DATA, SCALES = "pages/data/data.py", "pages/learn/scales.py"


def cells(app) -> dict[str, list[str]]:
    """Rows of the table of numbers by their first column, empty columns left out."""
    frame = app.table[0].value
    return {str(row.iloc[0]): [str(cell) for cell in row.iloc[1:]] for _, row in frame.iterrows()}


@pytest.mark.parametrize("scale", GUIDES)
def test_every_scale_says_what_fits_what_is_one_number_and_what_must_be_stated(visit, scale) -> None:
    app = visit(SCALES, scale_guide=scale)
    guide = GUIDES[scale]
    assert app.segmented_control(key="scale_guide").value == scale
    assert set(cells(app)) == {fit.name for fit in guide.fits}
    text = plain(app)
    for sentence in (*guide.reporting_requirements, *(one.why for one in (*guide.collapses, *guide.misfits))):
        assert sentence in text


def test_the_scale_of_the_data_is_chosen_to_begin_with_and_its_numbers_stand_beside(visit) -> None:
    app = visit(SCALES)
    assert app.segmented_control(key="scale_guide").value == "binary"
    assert "Binary · abstentions excluded, split votes left out (14), coverage" in plain(app)
    kappa = cells(app)["Cohen’s κ"][0]
    app.switch_page("pages/judge/agreement.py").run()
    shown = next(metric for metric in app.metric if metric.label == "Cohen’s κ")
    assert kappa.startswith(shown.value)


def test_a_nominal_scale_takes_the_abstention_as_a_class(visit) -> None:
    app = visit(SCALES, scale_guide="nominal")
    assert "Binary · abstentions kept as a class" in plain(app)
    assert cells(app)["R_K"][0] != "–"
    assert cells(app)["κ, own weights"][0] == "–"


def test_a_scale_the_data_do_not_have_says_which_they_have(visit) -> None:
    app = visit(SCALES, scale_guide="ordinal")
    assert "No criterion of this data set is ordinal; its criteria are binary." in plain(app)
    assert len(next(iter(cells(app).values()))) == 1


def test_each_part_of_a_mixed_rubric_has_its_numbers(visit) -> None:
    app = use(upload(visit(DATA), "mixed.csv", MIXED))
    app.switch_page(SCALES).run()
    assert "micro over 2 criteria" in plain(app)
    assert cells(app)["Accuracy"][0].startswith("86\u00a0%")
    app.segmented_control(key="scale_guide").set_value("ordinal").run()
    assert "Ordinal 1–5" in plain(app)
    assert cells(app)["Exact agreement"][0].startswith("50\u00a0%")


def test_scores_have_their_numbers(visit) -> None:
    path = data("topicalchat_unieval.csv")
    app = use(upload(visit(DATA), path.name, path.read_bytes()))
    app.switch_page(SCALES).run()
    assert app.segmented_control(key="scale_guide").value == "continuous"
    assert "Continuous · pooled over 6 criteria" in plain(app)
    pooled = metrics.scores(metrics.read(path, scale="continuous")).judges["unieval"].pooled
    assert cells(app)["Pearson’s r"][0].startswith(number(pooled.values["pearson"]))
    assert all(cell != "–" for cell, *_ in cells(app).values())
