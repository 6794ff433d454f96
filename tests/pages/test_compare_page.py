from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.comparison.discordant import contest_frame
from metrics.analyses.comparison.readings import unit_of
from metrics.analyses.settings import settings_of
from metrics.data.abstention import MODES
from metrics.data.aggregation import LEVELS
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from metrics.results.words import bounds, count, number, p3, percent, value
from pages.shared.compare import results
from tests.pages.files import FIRST, upload
from tests.pages.seen import figure, numbers_of, text_of, unescaped, words_in
from tests.shared_data import data

ROOT = Path(__file__).resolve().parents[2]
DATA, COMPARE = "pages/data/data.py", "pages/judge/compare.py"
SAMPLE = ROOT / "assets/support_answers.csv"


def rows_of(app):
    return next(frame.value for frame in app.dataframe if "reference" in frame.value.columns)


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(SAMPLE)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", LEVELS)
def test_the_page_says_what_the_package_computes(visit, sample, mode, level):
    app = visit(COMPARE)
    app.radio(key="mode").set_value(mode).run()
    app.segmented_control(key="level").set_value(level).run()
    assert not app.exception
    a, b = sample.judges[:2]
    asked = None if level == "micro" else level
    found = metrics.compare(sample, a, b, level=asked, abstention=mode)
    shown = numbers_of(app)
    assert shown[f"Difference in {BY_KEY[found.metric].symbol}"] == words.value(found.difference.value, unit_of(found))
    assert shown[f"A: {a}"] == number(found.a.estimate.value)
    assert shown[f"B: {b}"] == number(found.b.estimate.value)
    assert shown["p, permutation"] == p3(found.permutation.p)
    assert shown["B right where A is wrong"] == count(found.outcomes["only_b"])
    assert shown["A right where B is wrong"] == count(found.outcomes["only_a"])
    assert found.reading in unescaped(app)
    assert metrics.compare_all(sample, level=asked, abstention=mode).reading in unescaped(app)
    for note in found.notes:
        assert note in unescaped(app)


@pytest.mark.parametrize("metric", ["accuracy", "fpr", "drift", "kappa_within", "phi"])
def test_every_kind_of_metric(visit, sample, metric):
    app = visit(COMPARE)
    app.selectbox(key="compare.metric").set_value(metric).run()
    assert not app.exception
    a, b = sample.judges[:2]
    found, record = metrics.compare(sample, a, b, metric), BY_KEY[metric]
    shown = numbers_of(app)
    assert shown[f"Difference in {record.symbol}"] == words.value(found.difference.value, unit_of(found))
    assert shown[f"A: {a}"] == value(found.a.estimate.value, record.unit)


def test_a_metric_without_better_has_no_best(visit, sample):
    app = visit(COMPARE)
    app.selectbox(key="compare.metric").set_value("drift").run()
    assert app.selectbox(key="compare.baseline").options == list(sample.judges)
    assert "the best on these data" not in text_of(app)


def test_figures_hold_the_numbers(visit, sample):
    app = visit(COMPARE)
    found = metrics.compare(sample, *sample.judges[:2])
    assert bounds(found.difference.ends) in words_in(figure(app, "compare.difference"))
    for letter, side in (("a", found.a), ("b", found.b)):
        assert str(side.block.confusion[0, 0]) in words_in(figure(app, f"compare.mosaic_{letter}"))
    forest = words_in(figure(app, "compare.forest"))
    for one in metrics.compare_all(sample).against:
        assert one.b.name in forest
        assert words.value(one.difference.value, unit_of(one)) in forest
    for chart in app.get("plotly_chart"):
        assert "κ" in chart.proto.alt or "MET" in chart.proto.alt


def test_one_criterion_allows_mcnemar(visit, sample):
    app = visit(COMPARE)
    assert "McNemar" not in next(metric.delta for metric in app.metric if metric.label.startswith("p"))
    app.segmented_control(key="level").set_value("macro").run()
    app.selectbox(key="compare.criterion").set_value("Polite tone").run()
    assert not app.exception
    found = metrics.compare(sample, *sample.judges[:2], criterion="Polite tone")
    assert (
        next(metric.delta for metric in app.metric if metric.label.startswith("p")) == f"McNemar (accuracy) {p3(found.mcnemar.p)}"
    )
    assert set(rows_of(app)["criterion"]) == {"Polite tone"}


def test_lost_and_won_lists_the_texts(visit, sample):
    app = visit(COMPARE)
    found = metrics.compare(sample, *sample.judges[:2])
    for outcome in ("only_b", "only_a"):
        app.segmented_control(key="compare.list").set_value(outcome).run()
        wanted = contest_frame(sample, found, (outcome,))
        assert rows_of(app)["item"].tolist() == wanted["item"].tolist()[:200]
        assert {"question", "answer"} <= set(rows_of(app).columns)


def test_the_baseline_can_be_fixed(visit, sample):
    app = visit(COMPARE)
    assert "was chosen as the best on the same data" in text_of(app)
    assert "p corrected for the choice of the baseline; the lines are not adjusted." in text_of(app)
    table = next(frame.value for frame in app.dataframe if "readings" in frame.value.columns)
    assert list(table.columns[:4]) == ["judge", "micro", "macro", "within criteria"]
    app.selectbox(key="compare.baseline").set_value("strict").run()
    assert metrics.compare_all(sample, "strict").reading in unescaped(app)
    assert "best on the same data" not in text_of(app)
    assert "p corrected after Holm; the lines are not adjusted." in text_of(app)


def test_swap_turns_the_sign(visit):
    app = visit(COMPARE)
    before = numbers_of(app)["Difference in κ within"]
    app.button(key="compare.swap").click().run()
    assert not app.exception
    assert numbers_of(app)["Difference in κ within"] == before.replace("−", "")
    assert "Is **strict** better than **lenient**" in text_of(app)


def test_a_link_names_both_judges(visit):
    app = visit(COMPARE, a="cautious", b="strict")
    assert "Is **strict** better than **cautious**" in text_of(app)


def test_a_link_restores_every_choice(visit, sample):
    link = {"a": "cautious", "b": "strict", "compare.metric": "accuracy", "compare.criterion": "Polite tone"}
    app = visit(COMPARE, **link, **{"compare.baseline": "lenient", "compare.list": "Won by A"})
    found = metrics.compare(sample, "cautious", "strict", "accuracy", criterion="Polite tone")
    assert numbers_of(app)["Difference in accuracy"] == words.value(found.difference.value, unit_of(found))
    assert metrics.compare_all(sample, "lenient", "accuracy", criterion="Polite tone").reading in unescaped(app)
    assert app.segmented_control(key="compare.list").value == "only_a"
    room = visit(COMPARE, view="room", **link)
    assert numbers_of(room)["Difference in accuracy"] == words.value(found.difference.value, unit_of(found))


def test_a_judge_is_not_compared_with_itself(visit):
    app = visit(COMPARE)
    app.selectbox(key="b").set_value("strict").run()
    assert "same judge" in text_of(app)
    assert not app.metric


def test_counts_cannot_be_compared(visit):
    app = visit(COMPARE, data="rao_balanced")
    assert "does not say which items both judges saw" in text_of(app)
    assert not app.metric


def test_hostile_names_are_shown_as_typed(visit):
    names = ("<img src=x>", "**b** $x$", ":smile: [a](http://x.y)", "=cmd|' /C calc'!A0", "x" * 90)
    rows = "item,criterion,judge,human,verdict,note\n" + "".join(
        f'q{i},"*c* `k`","{name}",{("yes", "no")[i % 2]},{("yes", "no")[(i * place) % 3 == 0]},"=1+1"\n'
        for place, name in enumerate(names, 1)
        for i in range(14)
    )
    app = upload(visit(DATA), "*evil*.csv", rows.encode())
    app.switch_page(COMPARE).run()
    assert not app.exception
    assert "Is ****b** $x$** better than **<img src=x>**" in unescaped(app)
    assert "\\*\\*b\\*\\* \\$x\\$" in text_of(app)
    app.selectbox(key="b").set_value(names[3]).run()
    app.segmented_control(key="compare.list").set_value("only_a").run()
    assert not app.exception


def test_room_view_shows_one_figure_at_a_time(visit):
    app = visit(COMPARE, view="room")
    assert len(app.metric) == 4
    for charts in (1, 2, 1):
        app.button(key="room.right").click().run()
        assert not app.exception
        assert len(app.get("plotly_chart")) == charts
    assert app.button(key="room.right").disabled


@pytest.mark.parametrize(("name", "judges"), [("llmbar_natural", 65), ("pandalm_pairwise", 2)])
def test_real_files(visit, name, judges):
    path = data(f"{name}.csv")
    app = upload(visit(DATA), path.name, path.read_bytes())
    app.switch_page(COMPARE).run()
    assert not app.exception
    assert numbers_of(app)["Difference in κ"] != "–"
    assert len(app.selectbox(key="a").options) == judges


@pytest.mark.parametrize(
    ("link", "choices"),
    [({"confidence": "80"}, {"confidence": 0.8}), ({"unit": "prompt"}, {"unit": "prompt"}),
     ({"unit": "prompt", "confidence": "0.99", "level": "macro"}, {"unit": "prompt", "confidence": 0.99, "level": "macro"}),
     ({"interval": "bca", "unit": "decision"}, {})],
)  # fmt: skip
def test_confidence_and_groups_act(visit, sample, link, choices):
    app = visit(COMPARE, **link)
    found = metrics.compare(sample, *sample.judges[:2], **choices)
    assert next(metric.delta for metric in app.metric if metric.label.startswith("Difference in κ")) == words.bounds(
        found.difference.ends, unit_of(found)
    )
    assert numbers_of(app)["p, permutation"] == p3(found.permutation.p)
    deltas = {metric.label: metric.delta for metric in app.metric}
    assert deltas[f"A: {found.a.name}"] == bounds(found.a.estimate.interval.ends)
    said, share = unescaped(app), percent(found.settings.confidence)
    assert f"Interval {share}, paired jackknife by {'‘prompt’' if 'unit' in choices else 'item'}" in said
    assert f"difference and its {share} interval" in said
    assert found.reading in said
    everyone = metrics.compare_all(sample, **choices)
    assert everyone.reading in said
    alt = next(chart.proto.alt for chart in app.get("plotly_chart") if "compare.forest" in chart.proto.id)
    for one in everyone.against:
        assert bounds(one.difference.ends) in alt


def test_the_method_is_greyed_and_says_why(visit):
    app = visit(COMPARE)
    assert app.selectbox(key="interval").disabled
    assert "paired jackknife" in app.selectbox(key="interval").help
    assert not app.selectbox(key="unit").disabled
    assert not app.segmented_control(key="confidence").disabled
    assert "shown on the Agreement page" not in text_of(app)


def test_a_bootstrap_by_decisions_leaves_whole_items_out_here(visit):
    app = visit(COMPARE, interval="bootstrap", unit="decision")
    assert "On this page whole items are left out." in text_of(app)
    app.switch_page("pages/judge/agreement.py").run()
    assert app.selectbox(key="unit").value == "decision"


def test_judges_that_no_item_separates(visit):
    twin = FIRST + b"".join(line.replace(b",old,", b",twin,") + b"\n" for line in FIRST.splitlines()[1:])
    app = upload(visit(DATA), "twins.csv", twin)
    app.switch_page(COMPARE).run()
    assert not app.exception
    assert "on 12 shared items no item separates old and twin." in unescaped(app)
    p = next(metric for metric in app.metric if metric.label.startswith("p"))
    assert (p.value, p.delta) == ("1.000", "0 items differ")
    assert "McNemar’s test: no item separates them." in p.help
    assert "no interval" in next(metric.delta for metric in app.metric if metric.label.startswith("Difference"))


@pytest.mark.parametrize("baseline", [None, "a"])
def test_the_bar_covers_the_correction_for_a_baseline_that_was_picked(baseline: str | None, monkeypatch) -> None:
    rng, told = np.random.default_rng(4), []
    human = np.tile(rng.integers(0, 2, 60), 3)
    said = np.where(rng.random(180) < 0.3, 1 - human, human)
    names = np.array(["UNMET", "MET"])
    columns = {
        "item": np.tile(np.arange(60), 3),
        "judge": np.repeat(["a", "b", "c"], 60),
        "human": names[human],
        "verdict": names[said],
    }
    ratings = metrics.read(pd.DataFrame(columns))
    heard = lambda share, text, part=None: told.append((share, text))  # noqa: E731
    monkeypatch.setattr(results.Job, "wait", lambda job, work, what, key: work(None, heard))
    asked = results.ComparisonRequest("a", "b", "kappa", "micro", None)
    found = results.against(SimpleNamespace(ratings=ratings, key="k"), settings_of(ratings), asked, baseline)
    assert found.best is (baseline is None)
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    last = [share for share, text in told if text == "Correcting for a baseline picked on these data"]
    assert bool(last) is found.best
    assert all(share > 2 / 3 for share in last)
