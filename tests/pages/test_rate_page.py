from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

import metrics
from metrics.analyses.settings import settings_of
from metrics.analyses.true_rate.compute import compare_rates, correct_prevalence
from metrics.analyses.true_rate.golden import golden_rates
from metrics.analyses.true_rate.measured import measured, prediction_powered
from metrics.analyses.true_rate.readings import difference_reading, powered_reading, quote, reading, same_rows
from metrics.results.words import TENTHS, bounds, count, estimate, percent1
from pages.shared.rate import more
from tests.pages.seen import figure, numbers_of, text_of, words_in

ROOT = Path(__file__).resolve().parents[2]
DATA, PAGE = "pages/data/data.py", "pages/choose/rate.py"


def plain(app) -> str:
    return text_of(app).replace("\\", "").replace("\u2060", "")


def _own():
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    return measured(ratings, ratings.judges[0], settings_of(ratings))


def upload(app, cells, alone):
    """Counts TP, FN, FP, TN with human labels, and judge positives and negatives without."""
    pairs = [("yes", "yes"), ("yes", "no"), ("no", "yes"), ("no", "no"), ("", "yes"), ("", "no")]
    labels = [pair for count, pair in zip((*cells, *alone), pairs, strict=True) for _ in range(count)]
    text = io.StringIO()
    csv.writer(text).writerows([["item", "judge", "human", "verdict"], *[(f"q{i}", "j", *pair) for i, pair in enumerate(labels)]])
    app.file_uploader(key="data.upload").upload("given.csv", text.getvalue().encode(), "text/csv").run()
    app.button(key="data.use").click().run()
    assert not app.exception
    app.switch_page(PAGE).run()
    assert not app.exception
    return app


def test_the_page_says_what_the_package_computes(visit) -> None:
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    app = visit(PAGE)
    own = measured(ratings, ratings.judges[0], settings_of(ratings))
    k, n = own.start
    assert (k, n) == own.verdicts == (466, 1104)
    found = correct_prevalence(k, n, own.golden, labelled=own.verification)
    assert numbers_of(app)["As measured"] == percent1(found.raw.value)
    assert numbers_of(app)["True rate"] == percent1(found.value)
    assert own.scope
    assert quote(found, ratings.judges[0], "MET", own.scope, same=same_rows(own)) in plain(app)
    assert numbers_of(app)["By the reference"] == percent1(own.golden.n_positive / own.golden.counts.sum())
    assert "the two do not differ significantly" not in plain(app)
    assert "The raw rate lies" not in plain(app)
    assert f"true {percent1(found.value)}" in words_in(figure(app, "rate.line"))
    assert f"on its {count(n)} verdicts in this file, golden set included" in plain(app)
    assert f"The reference calls {percent1(own.golden.n_positive / own.golden.counts.sum())} of the golden set" in plain(app)
    assert "xample" not in plain(app).replace(more.MADE_UP, "").replace("example model", "model")
    assert "340" not in plain(app)


def test_another_rate_criterion_and_judge(visit) -> None:
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    criterion = ratings.criteria[1]
    app = visit(PAGE, judge="lenient", rate_positive="500", rate_answers="800", rate_criterion=criterion)
    own = measured(ratings, "lenient", settings_of(ratings), criterion)
    found = correct_prevalence(500, 800, own.golden, labelled=own.verification)
    assert numbers_of(app)["True rate"] == percent1(found.value)
    assert "are correlated" not in plain(app)
    n = int(own.golden.counts.sum())
    assert f"· on {criterion}." in plain(app)
    assert f" {n} of 223 decisions on {n} items" in plain(app)
    assert f"criterion {criterion})." in plain(app)
    assert "golden set included" not in plain(app)
    assert "By the reference" not in numbers_of(app)
    assert "new answers" not in plain(app)
    assert "xample:" not in plain(app).replace(more.MADE_UP, "")


def test_answers_without_labels_in_the_file_are_the_measured_rate(visit) -> None:
    app = upload(visit(DATA), (45, 5, 12, 138), (300, 700))
    assert "The judge says 30\u00a0%" in plain(app)
    assert numbers_of(app)["As measured"] == "30.0\u00a0%"
    app.segmented_control(key="rate_show").set_value("part").run()
    assert not app.exception
    said = powered_reading(prediction_powered([[45, 5], [12, 138]], 300, 1000), "yes", name=lambda text: f"*{text}*")
    assert said in text_of(app)
    assert "Measured on the 1\u202f000 answers of this file" in plain(app)
    app.segmented_control(key="rate_measured").set_value("typed").run()
    app.number_input(key="rate_positive").set_value(260).run()
    assert not app.exception
    assert numbers_of(app)["As measured"] == "26.0\u00a0%"
    found = prediction_powered([[45, 5], [12, 138]], 260, 1000)
    assert powered_reading(found, "yes", name=lambda text: f"*{text}*") in text_of(app)


def test_only_judge_positives_labelled_is_refused(visit) -> None:
    app = upload(visit(DATA), (45, 0, 12, 0), (0, 700))
    assert "Only answers the judge called positive carry human labels" in plain(app)
    assert numbers_of(app)["True rate"] == "–"
    assert "differ by +10\u00a0points. Only answers the judge called positive" in plain(app)
    for show in ("needed", "part"):
        app.segmented_control(key="rate_show").set_value(show).run()
        assert not app.exception
        assert not [table for table in app.table if "answers per model" in table.value or "assumes" in table.value]
    assert "not a random part of these" in plain(app)


def test_a_weak_judge_is_refused(visit) -> None:
    app = upload(visit(DATA), (6, 5, 8, 9), (0, 0))
    assert "covers 0: this golden set does not show that the judge can measure a rate" in plain(app)
    app.segmented_control(key="rate_show").set_value("needed").run()
    assert not app.exception


def test_a_golden_set_by_hand(visit) -> None:
    app = visit(PAGE)
    app.segmented_control(key="rate_from").set_value("typed").run()
    app.number_input(key="rate_positive").set_value(120).run()
    assert not app.exception
    found = correct_prevalence(120, 1000, [[63, 20], [133, 784]])
    assert numbers_of(app)["True rate"] == percent1(found.value) == "0.0\u00a0%"
    assert "moved into the range" in plain(app)
    app.segmented_control(key="rate_show").set_value("part").run()
    assert "do not look like a random part of these" in plain(app)
    app.number_input(key="rate_positive").set_value(190).run()
    powered = prediction_powered([[63, 20], [133, 784]], 190, 1000)
    assert powered_reading(powered, "MET", name=lambda text: f"*{text}*") in text_of(app)


def test_published_rates_by_hand_from_a_link(visit) -> None:
    app = visit(PAGE, rate_from="rates", rate_tpr="80", rate_positives="200", rate_positive="250")
    found = correct_prevalence(250, 1000, golden_rates(0.8, 0.15, 200, 917))
    assert numbers_of(app)["True rate"] == percent1(found.value)
    assert quote(found, "in question", "MET") in plain(app)
    assert "typed by hand" in plain(app)


def test_a_rate_the_judge_cannot_report_is_refused(visit) -> None:
    app = upload(visit(DATA), (851, 149, 279, 21), (0, 0))
    assert numbers_of(app)["As measured"] == "86.9\u00a0%"
    app.number_input(key="rate_positive").set_value(442).run()
    assert numbers_of(app)["As measured"] == "34.0\u00a0%"
    assert "This judge calls between 85.1\u00a0% and 93.0\u00a0% of answers positive" in plain(app)
    assert numbers_of(app)["True rate"] == "–"
    app.number_input(key="rate_positive").set_value(1170).run()
    assert not app.exception
    assert numbers_of(app)["True rate"] != "–"


def test_the_start_is_that_of_each_file_and_never_the_last_one_s(visit) -> None:
    app = upload(visit(DATA), (45, 5, 12, 138), (0, 0))
    assert numbers_of(app)["As measured"] == "28.5\u00a0%"
    app.selectbox(key="data").set_value("support_answers").run()
    own = _own()
    assert numbers_of(app)["As measured"] == percent1(own.start[0] / own.start[1])


def test_what_nobody_typed_is_an_example_and_what_was_typed_is_none(visit, file_names) -> None:
    app = visit(PAGE)
    app.segmented_control(key="rate_from").set_value("typed").run()
    text = plain(app)
    assert "In this example the judge says 34" in text
    assert "Example: this golden set is judge A of Collot et al., Table 1, not support_answers.csv. Type your own." in text
    assert "Example: the measured rate, 340 of 1\u202f000, comes from no data. Type your own." in text
    assert "Example, no data: The judge in question" in text
    assert "typed by hand" not in text
    assert "example_rate.csv" in file_names
    file_names.clear()
    app.number_input(key="rate_tp").set_value(64).run()
    text = plain(app)
    assert "typed by hand" in text
    assert "Example: this golden set" not in text
    assert "Example: the measured rate" in text
    app.number_input(key="rate_positive").set_value(120).run()
    text = plain(app)
    assert "In this example" not in text
    assert "Example: the measured rate" not in text
    assert "Example, no data" not in text
    assert "measured_rate.csv" in file_names


def test_two_models_are_an_example_until_their_counts_are_typed(visit) -> None:
    app = visit(PAGE)
    assert "Example: the counts of both models come from no data" in plain(app)
    assert "example model 2 lies" in plain(app)
    app.number_input(key="rate_k1").set_value(121).run()
    assert "the counts of both models" not in plain(app)
    assert "example model" not in plain(app)


@pytest.mark.parametrize(("said_positive", "method"), [("1000", "as in Newcombe"), ("900", "Lang and Reiczigel (2014)")])
def test_a_rate_that_fits_within_the_noise_has_an_interval_that_is_named(visit, said_positive, method) -> None:
    cells = {"rate_tp": "3", "rate_fn": "0", "rate_fp": "0", "rate_tn": "100"}
    app = visit(PAGE, rate_from="typed", rate_positive=said_positive, rate_answers="1000", **cells)
    found = correct_prevalence(int(said_positive), 1000, [[3, 0], [0, 100]])
    assert found.fits == (method == "as in Newcombe")
    rate = next(metric for metric in app.metric if metric.label == "True rate")
    assert (rate.value, rate.delta) == (percent1(found.value), bounds(found.ends, TENTHS))
    assert method in rate.help
    assert reading(found, "*MET*") in plain(app)


def test_impossible_numbers_are_refused(visit) -> None:
    assert "called positive must lie between 0 and the number of answers" in plain(visit(PAGE, rate_positive="2000"))


def test_two_models_on_the_same_prompts(visit) -> None:
    app = visit(PAGE)
    app.checkbox(key="rate_same").check().run()
    assert not app.exception
    found = compare_rates((120, 500), (170, 500), _own().golden, both=100)
    assert difference_reading(found, "example model 1", "example model 2") in plain(app)
    assert "McNemar" in plain(app)
    (table,) = (table.value for table in app.table if "true, 95\u00a0% interval" in table.value)
    shown = [cell.replace("\\", "") for cell in table["true, 95\u00a0% interval"]]
    assert shown[:2] == [estimate(model, TENTHS) for model in found.models]
    app.number_input(key="rate_both").set_value(400).run()
    assert "both answers were called positive" in plain(app)


@pytest.mark.parametrize(("link", "show"), [("Answers needed", "needed"), ("A random part is labelled", "part")])
def test_links_open_the_other_views(visit, link, show) -> None:
    app = visit(PAGE, rate_show=link)
    assert "Read this as" in text_of(app)
    assert app.segmented_control(key="rate_show").value == show
    assert ("What this judge costs" in text_of(app)) == (show == "needed")


@pytest.mark.parametrize("sample", ["rao_always_negative", "collot_table2_b", "rao_abstention", "pooled_at_chance"])
@pytest.mark.parametrize("mode", ["exclude", "as_category"])
def test_every_sample_opens(visit, sample, mode) -> None:
    assert "To quote" in text_of(visit(PAGE, data=sample, mode=mode))


def test_room_view_and_no_data(visit) -> None:
    app = visit(PAGE, view="room")
    app.button(key="room.right").click().run()
    assert not app.exception
    assert "**Read this as:**" in text_of(app)
    assert "In this example the judge says 34" in text_of(visit(PAGE, data="gone"))
