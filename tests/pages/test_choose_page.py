from __future__ import annotations

import json
from pathlib import Path

import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import metrics
from metrics.analyses.judge_selection import readings as judge_selection_readings
from metrics.analyses.judge_selection import readings_classes, readings_disagreements
from metrics.analyses.judge_selection.classes import CLASSES, REVERSAL
from metrics.analyses.judge_selection.ranking import rank_judges, rank_tables
from metrics.analyses.judge_selection.readings import answers_words
from metrics.analyses.judge_selection.tables import readings
from metrics.analyses.settings import settings_of
from metrics.results.tables import as_text
from metrics.results.words import count, number, percent
from pages.shared import job
from tests.pages.own_file import opened
from tests.pages.seen import copies_of, figure, numbers_of, text_of, unescaped, words_in

ROOT = Path(__file__).resolve().parents[2]
PAGE = "pages/choose/choose.py"
TABLE1 = {"Judge A": [[63, 20], [133, 784]], "Judge B": [[47, 36], [69, 848]]}
TABLE2 = {"Judge A": [[50, 150], [20, 780]], "Judge B": [[40, 160], [0, 800]]}


def emphasis(text: str) -> str:
    return f"*{text}*"


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(ROOT / "assets/support_answers.csv")


@pytest.mark.parametrize("at", [None, 20, 60])
def test_the_page_says_what_the_package_computes(visit, sample, at) -> None:
    app = visit(PAGE, **({} if at is None else {"choose_at": str(at)}))
    found = rank_judges(sample, settings_of(sample), prevalence=None if at is None else at / 100)
    numbers = numbers_of(app)
    assert numbers["First"] == found.first.name
    assert numbers["Answers needed"] == answers_words(found.first.answers.value)
    assert numbers["SNR of the first" if at else "BA of the first"] in (
        number(found.first.values["snr"]), percent(found.first.values["balanced_accuracy"])
    )  # fmt: skip
    assert judge_selection_readings.reading(found, emphasis) in text_of(app)
    for line in readings_disagreements.disagreements(found, emphasis):
        assert line in text_of(app)
    table = next(frame.value for frame in app.dataframe if "readings" in frame.value.columns)
    assert table.to_dict("list") == as_text(readings(found))
    assert answers_words(found.first.answers.value) in words_in(figure(app, "choose.ranked"))


@pytest.mark.parametrize(("name", "tables"), [("table1", TABLE1), ("table2", TABLE2)])
def test_published_tables(visit, name, tables) -> None:
    app = visit(PAGE, choose_judges=name, choose_at="20")
    found = rank_tables(tables, prevalence=0.2)
    assert numbers_of(app)["First"] == found.first.name
    assert judge_selection_readings.reading(found, emphasis) in text_of(app)
    assert "taken as independent" in text_of(app)


def test_on_table_2_the_lower_j_needs_fewer_answers(visit) -> None:
    app = visit(PAGE, choose_judges="table2", choose_at="20")
    assert numbers_of(app)["Answers needed"] == "1\u202f506"
    assert "*Judge A* 2\u202f018, although *Judge A* has the higher J" in text_of(app)


def test_other_metric_criterion_and_difference(visit, sample) -> None:
    criterion = sample.criteria[0]
    app = visit(PAGE, choose_by="kappa", choose_criterion=criterion, choose_apart="5")
    found = rank_judges(sample, settings_of(sample), difference=0.05, by="kappa", criterion=criterion)
    assert numbers_of(app)["First"] == found.first.name
    assert numbers_of(app)["κ of the first"] == number(found.first.values["kappa"])
    assert numbers_of(app)["Answers needed"] == answers_words(found.first.answers.value)
    n = sum(found.first.sizes)
    assert f"on {criterion}. Reference" in unescaped(app).replace("**", "")
    assert f"{count(n)} of " in unescaped(app)
    assert "micro over" not in text_of(app)


def test_a_bar_says_how_many_pairs_are_compared_and_goes(visit, monkeypatch) -> None:
    told: list[tuple[float, str]] = []
    plain = DeltaGenerator.progress

    def progress(self, value, text=None, **more):
        told.append((value, text))
        return plain(self, value, text, **more)

    monkeypatch.setattr(DeltaGenerator, "progress", progress)
    monkeypatch.setattr(job, "SLOW", 1e9)
    visit(PAGE)
    assert told == []
    monkeypatch.setattr(job, "SLOW", 0.0)
    st.cache_resource.clear()
    app = visit(PAGE)
    assert told == [(1.0, "3 of 3 pairs of judges")]
    assert not app.get("progress")
    app.run()
    assert len(told) == 1


def test_table_2_names_the_cheaper_judge_before_a_prevalence_is_stated(visit) -> None:
    app = visit(PAGE, choose_judges="table2")
    assert "*Judge B* is the cheaper one with the lower J, so the first under BA is not the cheapest" in text_of(app)


def test_every_judge_has_the_interval_of_its_cost(visit) -> None:
    app = visit(PAGE, choose_judges="table2", choose_at="20")
    frame = next(element.value for element in app.dataframe if "golden" in element.value.columns)
    low, high = rank_tables(TABLE2, prevalence=0.2).first.answers.ends
    assert frame["answers"][0] == f"1\u202f506 [{answers_words(low)}, {answers_words(high)}]"
    assert frame["answers"][1].startswith("2\u202f018 [")
    assert list(frame["golden"]) == ["200 + 800", "200 + 800"]


def test_metrics_that_put_another_judge_first_are_named_before_the_first(visit) -> None:
    app = visit(PAGE, choose_judges="classes")
    said = readings_disagreements.disagreements(rank_tables(REVERSAL, labels=CLASSES), emphasis)[0]
    assert "first; " in said
    order = [element.value for element in app.main if element.type in ("markdown", "metric")]
    assert order.index(said) < order.index("Judge A")
    assert app.metric[0].delta == "by BA, of 2 judges"


@pytest.mark.parametrize("by", ["macro_j", "Macro J (one-vs-rest)"])
def test_a_link_restores_the_metric_and_the_judge_of_classes(visit, by) -> None:
    app = visit(PAGE, choose_judges="classes", choose_by_classes=by, choose_classes_of="Judge A")
    assert numbers_of(app)["First"] == "Judge B"
    assert "for *Judge A* BA is 0.807" in text_of(app)


def classes_of(app) -> dict[str, list[str]]:
    """The table of each class against the rest."""
    frame = next(element.value for element in app.dataframe if "class" in element.value.columns)
    return {name: list(frame[name]) for name in frame.columns}


def test_three_classes_whose_ranks_reverse(visit) -> None:
    app = visit(PAGE, choose_judges="classes")
    found = rank_tables(REVERSAL, labels=CLASSES)
    assert numbers_of(app)["First"] == "Judge A"
    assert numbers_of(app)["BA of the first"] == "81\u00a0%"
    assert numbers_of(app)["macro J"] == "0.66"
    assert "Answers needed" not in numbers_of(app)
    assert readings_classes.ranking_agreement(found, emphasis) in text_of(app)
    assert readings_classes.relation(found.first.golden, emphasis) in text_of(app)
    for text in readings_classes.published():
        assert text[1:] in text_of(app)
    assert classes_of(app)["J"] == ["0.52", "0.61", "0.85"]
    assert app.number_input(key="choose_at").disabled
    app.selectbox(key="choose_classes_of").set_value("Judge B").run()
    assert classes_of(app)["J"] == ["0.99", "0.57", "0.65"]
    assert "for *Judge B* BA is 0.763 and macro J 0.739" in text_of(app)
    app.selectbox(key="choose_by_classes").set_value("macro_j").run()
    assert numbers_of(app)["First"] == "Judge B"
    assert numbers_of(app)["macro J of the first"] == "0.74"


def test_the_third_class_ranks_three_classes_and_says_what_is_lost(visit, sample) -> None:
    app = visit(PAGE, mode="as_category", choose_at="20")
    found = rank_judges(sample, settings_of(sample, abstention="as_category"))
    assert numbers_of(app)["First"] == ("–" if found.disputed else found.first.name)
    assert numbers_of(app)["BA of the first"] == percent(found.first.values["balanced_accuracy"])
    assert readings_classes.relation(found.first.golden, emphasis) in unescaped(app)
    assert "do not keep abstentions as a class" in text_of(app)
    assert "abstentions kept as a class" in unescaped(app)
    app.radio(key="mode").set_value("exclude").run()
    assert "SNR of the first" in numbers_of(app)


def test_a_file_of_three_classes_is_ranked(visit) -> None:
    app = visit("pages/data/data.py")
    rows = [
        f"q{i},{who},{'abc'[i % 3]},{'abc'[(i + (i % slip == 0)) % 3]}"
        for who, slip in (("one", 4), ("two", 9))
        for i in range(90)
    ]
    app.file_uploader(key="data.upload").upload(
        "k.csv", "\n".join(["item,judge,human,verdict", *rows]).encode(), "text/csv"
    ).run()
    for label in "abc":
        {box.label: box for box in app.selectbox}[f"Meaning of {label}"].set_value("class").run()
    app.button(key="data.use").click().run()
    app.switch_page(PAGE).run()
    assert not app.exception
    assert numbers_of(app)["First"] == "two"
    assert "BA and macro J rank these 2 judges alike." in text_of(app)
    assert "is exact here: the classes are of equal size." in text_of(app)
    assert "do not count" not in text_of(app)
    app.switch_page("pages/judge/agreement.py").run()
    assert not app.exception
    assert classes_of(app)["class"] == ["a", "b", "c"]
    assert "is exact here" in text_of(app)


def test_judges_whose_names_shorten_alike_can_each_be_shown_class_by_class(visit) -> None:
    app, names = visit("pages/data/data.py"), [f"a-judge-of-a-long-family-{size}-with-the-same-ending" for size in (1, 2)]
    rows = [f"q{i},{who},{'abc'[i % 3]},{'abc'[(i + (i % 4 == 0)) % 3]}" for who in names for i in range(30)]
    app.file_uploader(key="data.upload").upload(
        "k.csv", "\n".join(["item,judge,human,verdict", *rows]).encode(), "text/csv"
    ).run()
    for label in "abc":
        {box.label: box for box in app.selectbox}[f"Meaning of {label}"].set_value("class").run()
    app.button(key="data.use").click().run()
    app.switch_page(PAGE).run()
    assert not app.exception
    assert sorted(app.selectbox(key="choose_classes_of").options) == names


def test_one_judge_is_said(visit) -> None:
    app = visit(PAGE, data="rao_two_criteria", choose_at="30")
    assert "This file has one judge" in text_of(app)
    assert numbers_of(app)["First"] == "judge"


@pytest.mark.parametrize("data", ["rao_always_negative", "rao_abstention", "collot_table2_b", "gone"])
@pytest.mark.parametrize("mode", ["exclude", "as_category"])
def test_every_sample_opens(visit, data, mode) -> None:
    app = visit(PAGE, data=data, mode=mode)
    assert "Read this as" in text_of(app)


def test_room_view(visit) -> None:
    app = visit(PAGE, view="room", choose_at="20")
    app.button(key="room.right").click().run()
    assert not app.exception
    assert "**Read this as:**" in text_of(app)


def test_room_view_of_classes(visit) -> None:
    app = visit(PAGE, view="room", choose_judges="classes")
    for _ in range(3):
        app.button(key="room.right").click().run()
        assert not app.exception
    assert "4 of 4" in text_of(app)
    assert "**Read this as:** on this data: class sizes" in text_of(app)


def test_nothing_to_compare_is_no_zero(visit) -> None:
    assert numbers_of(visit(PAGE, data="rao_two_criteria"))["Not told apart from it"] == "–"
    app = visit(PAGE)
    assert numbers_of(app)["Not told apart from it"] == "0"
    card = next(one for one in app.metric if one.label == "Not told apart from it")
    assert card.delta == "each compared with it differs"
    assert "Each judge minus " in text_of(app)


def test_no_judge_is_first_where_none_has_a_value(visit) -> None:
    rows = "".join(f"q{n},yes,{'yes' if n else 'no'},{'yes' if n > 2 else 'no'}\n" for n in range(20))
    app = opened(visit, PAGE, f"item,human,one,two\n{rows}".encode())
    assert numbers_of(app)["First"] == "–"
    (first,) = (one for one in app.metric if one.label == "First")
    assert first.delta == "no judge has a value"
    assert "one" not in first.help


def test_a_name_in_the_headline_is_plain_text(visit) -> None:
    app = visit("pages/data/data.py")
    rows = [f"q{i},**j** $x$,{'yes' if i % 3 else 'no'},{'yes' if i % 4 else 'no'}" for i in range(40)]
    app.file_uploader(key="data.upload").upload(
        "g.csv", "\n".join(["item,judge,human,verdict", *rows]).encode(), "text/csv"
    ).run()
    app.button(key="data.use").click().run()
    app.switch_page(PAGE).run()
    assert not app.exception
    assert numbers_of(app)["First"] == r"\*\*j\*\* \$x\$"


def no_judge() -> bytes:
    rows = [f"q{i},{who},human,{'yes' if i % 3 else 'no'}" for i in range(40) for who in ("ana", "ben")]
    return "\n".join(["item,rater,role,label", *rows]).encode()


@pytest.mark.parametrize("page", [PAGE, "pages/choose/rate.py"])
def test_without_a_judge_the_page_has_no_number_and_says_why(visit, page) -> None:
    app = opened(visit, page, no_judge())
    assert "No judge is among the raters of own.csv: its rows come from ana and ben." in unescaped(app)
    assert not app.metric
    assert not app.get("plotly_chart")
    assert not app.get("download_button")


def test_of_many_raters_the_empty_page_names_some_and_counts_the_others(visit) -> None:
    app = opened(visit, PAGE, b"item,rater,role,label\n" + b"".join(
        f"q{i},r{rater},human,{'yes' if (i + rater) % 3 else 'no'}\n".encode() for i in range(20) for rater in range(9)
    ))  # fmt: skip
    assert "its rows come from r0, r1, r2 and 6 more." in unescaped(app)
    assert "Judge A" not in text_of(app)
    assert "340" not in text_of(app)
    assert "choose a published table" in text_of(app) or "choose Counts or Rates" in text_of(app)


@pytest.mark.parametrize("table", ["table1", "table2", "classes"])
def test_an_example_beside_a_file_says_that_it_is_one_and_not_the_file_s(visit, file_names, table) -> None:
    app = opened(visit, PAGE, no_judge())
    app.selectbox(key="choose_judges").set_value(table).run()
    assert not app.exception
    assert "Example, not from own.csv: " in unescaped(app)
    assert numbers_of(app)["First"] in ("Judge A", "Judge B")
    assert all("Example, not from own.csv" in text for _, text in copies_of(app))
    assert file_names >= {"example_judges.csv", "example_pairs.csv"}
    assert "judges.csv" not in file_names
    app.selectbox(key="choose_judges").set_value("file").run()
    assert not app.metric


@pytest.mark.parametrize("page", [PAGE, "pages/choose/rate.py", "pages/learn/prevalence.py"])
def test_scores_have_no_table_and_the_page_says_so(visit, page) -> None:
    scores = "item,criterion,judge,human,verdict\n" + "".join(f"i{i},tone,j,{i / 7:.3f},{i / 9:.3f}\n" for i in range(40))
    app = opened(visit, page, scores.encode())
    assert "their values are scores, and this page counts labels" in text_of(app)
    assert not app.error
    assert bool(app.metric) is (page == "pages/learn/prevalence.py")


HEAD = "item,judge,human,verdict\n"


def test_where_no_number_of_answers_would_do_stands_a_dash_and_why(visit) -> None:
    def rows(judge: str, verdicts: str) -> str:
        labels = {"m": "MET", "u": "UNMET"}
        return "".join(f"i{at},{judge},{labels['mu'[at >= 20]]},{labels[one]}\n" for at, one in enumerate(verdicts))

    better = rows("better", "m" * 18 + "u" * 18 + "mmmm")
    app = opened(visit, PAGE, (HEAD + better + rows("coin", "mu" * 20)).encode())
    columns = json.loads(next(one.proto.columns for one in app.dataframe if "answers" in one.value.columns))
    assert columns["answers"]["type_config"]["type"] == "number"
    assert columns["κ"]["type_config"]["type"] == "progress"
    assert unescaped(app).count("Undefined for coin: it is at chance, and no number of answers is enough (answers).") == 1
    alone = opened(visit, PAGE, (HEAD + better + rows("worse", "m" * 15 + "u" * 20 + "m" * 5)).encode())
    columns = json.loads(next(one.proto.columns for one in alone.dataframe if "answers" in one.value.columns))
    assert columns["answers"]["type_config"]["type"] == "progress"
    assert "Undefined for" not in text_of(alone)


def test_no_page_shows_what_explains_its_constants(visit) -> None:
    """Streamlit writes bare strings of a script to its page, unless it is told not to."""
    assert "Px that" not in text_of(visit(PAGE))
