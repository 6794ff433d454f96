from __future__ import annotations

from pathlib import Path

import pytest

import metrics
from metrics.abstention import MODES
from metrics.aggregation import LEVELS
from metrics.catalogue import BY_KEY
from metrics.contests import contest_frame
from metrics.contrasts import difference_words
from metrics.words import bounds, count, number, p3, value
from tests.pages.seen import figure, numbers_of, text_of, words_in

ROOT = Path(__file__).resolve().parents[2]
DATA, COMPARE = "pages/data/data.py", "pages/judge/compare.py"
SAMPLE = ROOT / "assets/support_answers.csv"
FIRST = b"item,criterion,judge,human,verdict,note\n" + b"".join(
    f"q{i},tone,old,{('MET', 'UNMET')[i % 2]},{('MET', 'UNMET')[i % 3 == 0]},note {i}\n".encode() for i in range(12)
)
SECOND = FIRST.replace(b",old,", b",new,").replace(b"q11,", b"q99,")


def upload(app, name: str, data: bytes):
    app.file_uploader(key="data.upload").upload(name, data, "text/csv").run()
    app.button(key="data.use").click().run()
    assert not app.exception
    return app


def second(app, name: str, data: bytes):
    app.file_uploader(key="compare.second").upload(name, data, "text/csv").run()
    assert not app.exception
    return app


def unescaped(app) -> str:
    return text_of(app).replace("\\", "").replace("\u2060", "")


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
    found = metrics.compare(sample, a, b, level=level, abstention=mode)
    shown = numbers_of(app)
    assert shown["Difference in κ"] == difference_words(found)
    assert shown[f"A: {a}"] == number(found.a.value)
    assert shown[f"B: {b}"] == number(found.b.value)
    assert shown["p, permutation"] == p3(found.permutation.p)
    assert shown["B right where A is wrong"] == count(found.outcomes["only_b"])
    assert shown["A right where B is wrong"] == count(found.outcomes["only_a"])
    assert found.reading in unescaped(app)
    assert metrics.compare_all(sample, level=level, abstention=mode).reading in unescaped(app)


@pytest.mark.parametrize("metric", ["accuracy", "fpr", "drift", "kappa_within", "phi"])
def test_every_kind_of_metric(visit, sample, metric):
    app = visit(COMPARE)
    app.selectbox(key="compare.metric").set_value(metric).run()
    assert not app.exception
    a, b = sample.judges[:2]
    found, record = metrics.compare(sample, a, b, metric), BY_KEY[metric]
    shown = numbers_of(app)
    assert shown[f"Difference in {record.symbol}"] == difference_words(found)
    assert shown[f"A: {a}"] == value(found.a.value, record.unit)


def test_a_metric_without_better_has_no_best(visit, sample):
    app = visit(COMPARE)
    app.selectbox(key="compare.metric").set_value("drift").run()
    assert app.selectbox(key="compare.baseline").options == list(sample.judges)
    assert "the best on these data" not in text_of(app)


def test_figures_hold_the_numbers(visit, sample):
    app = visit(COMPARE)
    found = metrics.compare(sample, *sample.judges[:2])
    assert bounds(found.ends) in words_in(figure(app, "compare.difference"))
    for letter, side in (("a", found.a), ("b", found.b)):
        assert str(side.block.confusion[0, 0]) in words_in(figure(app, f"compare.mosaic_{letter}"))
    forest = words_in(figure(app, "compare.forest"))
    for one in metrics.compare_all(sample).against:
        assert one.b.name in forest
        assert difference_words(one) in forest
    for chart in app.get("plotly_chart"):
        assert "κ" in chart.proto.alt or "MET" in chart.proto.alt


def test_one_criterion_allows_mcnemar(visit, sample):
    app = visit(COMPARE)
    assert "McNemar" not in next(metric.delta for metric in app.metric if metric.label.startswith("p"))
    app.segmented_control(key="level").set_value("macro").run()
    app.selectbox(key="compare.criterion").set_value("Polite tone").run()
    assert not app.exception
    found = metrics.compare(sample, *sample.judges[:2], criterion="Polite tone")
    assert next(metric.delta for metric in app.metric if metric.label.startswith("p")) == f"McNemar {p3(found.mcnemar.p)}"
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
    assert "was chosen as the best on these very data" in text_of(app)
    app.selectbox(key="compare.baseline").set_value("strict").run()
    assert metrics.compare_all(sample, "strict").reading in unescaped(app)
    assert "best on these very data" not in text_of(app)


def test_swap_turns_the_sign(visit):
    app = visit(COMPARE)
    before = numbers_of(app)["Difference in κ"]
    app.button(key="compare.swap").click().run()
    assert not app.exception
    assert numbers_of(app)["Difference in κ"] == before.replace("−", "")
    assert "Is **strict** better than **lenient**" in text_of(app)


def test_a_link_names_both_judges(visit):
    app = visit(COMPARE, a="cautious", b="strict")
    assert "Is **strict** better than **cautious**" in text_of(app)


def test_a_judge_is_not_compared_with_itself(visit):
    app = visit(COMPARE)
    app.selectbox(key="b").set_value("strict").run()
    assert "same judge" in text_of(app)
    assert not app.metric


def test_counts_cannot_be_compared(visit):
    app = visit(COMPARE, data="rao_balanced")
    assert "does not say which items both judges saw" in text_of(app)
    assert not app.metric


def test_one_judge_asks_for_a_second_file(visit):
    app = upload(visit(DATA), "old.csv", FIRST)
    app.switch_page(COMPARE).run()
    assert "This file has one judge. Add a second file with the same items to compare them." in text_of(app)
    second(app, "new.csv", SECOND)
    assert "Is **new** better than **old**" in text_of(app)
    assert "1 of *old\\.csv* and 1 of *new\\.csv*" in text_of(app)
    from metrics.joining import join

    joined = join(metrics.read(FIRST), metrics.read(SECOND))
    found = metrics.compare(joined.ratings, "old", "new")
    assert numbers_of(app)["Difference in κ"] == difference_words(found)
    app.switch_page(DATA).run()
    assert not app.exception
    app.switch_page("pages/judge/agreement.py").run()
    assert not app.exception


def test_two_versions_of_one_judge_are_named_after_their_files(visit):
    app = upload(visit(DATA), "v1.csv", FIRST)
    app.switch_page(COMPARE).run()
    second(app, "v2.csv", FIRST.replace(b"note 3", b"note x").replace(b"q3,tone,old,UNMET,UNMET", b"q3,tone,old,UNMET,MET"))
    assert "Is **v2** better than **v1**" in text_of(app)
    assert "every row of a judge has a partner" in text_of(app)


def test_differing_human_labels_are_refused(visit):
    app = upload(visit(DATA), "old.csv", FIRST)
    app.switch_page(COMPARE).run()
    second(app, "new.csv", SECOND.replace(b"q4,tone,new,MET", b"q4,tone,new,UNMET"))
    assert "about item ‘q4’" in unescaped(app)
    assert "This file has one judge" in text_of(app)


def test_a_file_in_doubt_is_sent_to_the_data_page(visit):
    app = upload(visit(DATA), "old.csv", FIRST)
    app.switch_page(COMPARE).run()
    second(app, "new.csv", SECOND.replace(b"new,MET,MET", b"new,MET,maybe"))
    assert "Open this file on the Data page" in app.error[0].value


@pytest.mark.parametrize("data", [b"", b"item,human\n", b"PK\x03\x04"])
def test_a_broken_second_file_leaves_the_page(visit, data):
    app = upload(visit(DATA), "old.csv", FIRST)
    app.switch_page(COMPARE).run()
    second(app, "new.csv", data)
    assert app.error
    assert "This file has one judge" in text_of(app)


def test_a_file_open_already_can_be_the_second(visit):
    app = upload(upload(visit(DATA), "old.csv", FIRST), "new.csv", SECOND)
    app.switch_page(COMPARE).run()
    app.button(key="compare.add").click().run()
    assert not app.exception
    assert "Is **old** better than **new**" in text_of(app)


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
    path = ROOT.parent / "shared" / "data" / f"{name}.csv"
    if not path.exists():
        pytest.skip("the real data are not here")
    app = upload(visit(DATA), path.name, path.read_bytes())
    app.switch_page(COMPARE).run()
    assert not app.exception
    assert numbers_of(app)["Difference in κ"] != "–"
    assert len(app.selectbox(key="a").options) == judges
