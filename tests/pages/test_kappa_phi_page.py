from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

import metrics
from metrics.analyses.kappa_phi import readings
from metrics.analyses.kappa_phi.five import five_names
from metrics.analyses.kappa_phi.readings_habit import habit_reading
from metrics.analyses.kappa_phi.rows import by_criterion, by_judge, cause_of, pooled, written_out
from metrics.analyses.kappa_phi.variances import variances_of
from metrics.data.aggregation import LEVELS
from metrics.results.words import number, p3, points
from pages.shared import screen
from pages.shared.plain import short
from tests.pages.seen import figure, numbers_of, text_of, words_in

ROOT = Path(__file__).resolve().parents[2]
DATA, PAGE = "pages/data/data.py", "pages/judge/kappa_phi.py"
SAMPLE = ROOT / "assets/support_answers.csv"
BROAD, NARROW = "kappa_phi.dumbbell_first_broad", "kappa_phi.dumbbell_first_narrow"
VIEWS = {"cause": "Which rate causes it", "names": "Five names, one number", "variance": "Variance"}
THIRD = "With three classes φ is not defined, and there is no gap to read. Choose Exclude or Count as negative."


def emphasis(text: str) -> str:
    return f"*{text}*"


def upload(app, rows, *, columns: str = "item,criterion,judge,human,verdict"):
    text = io.StringIO()
    csv.writer(text).writerows([columns.split(","), *rows])
    app.file_uploader(key="data.upload").upload("given.csv", text.getvalue().encode(), "text/csv").run()
    app.button(key="data.use").click().run()
    assert not app.exception
    app.switch_page(PAGE).run()
    assert not app.exception
    return app


def counts(table, *, criterion: str = "c", judge: str = "j", labels=("MET", "UNMET")):
    pairs = [(labels[r], labels[c]) for r in (0, 1) for c in (0, 1) for _ in range(table[r][c])]
    return [(f"q{i}", criterion, judge, human, verdict) for i, (human, verdict) in enumerate(pairs)]


def drawn_words(app, key: str) -> str:
    """Texts of a figure, those beside its marks included."""
    chart = figure(app, key)
    beside = [text for trace in chart["data"] for text in trace.get("text", ()) or ()]
    return " ".join([words_in(chart), *beside])


def unescaped(app) -> str:
    return text_of(app).replace("\\", "").replace("\u2060", "")


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(SAMPLE)


@pytest.mark.parametrize(("mode", "level"), [*(("exclude", level) for level in LEVELS), ("as_unmet", "micro")])
def test_the_page_says_what_the_package_computes(visit, sample, mode, level, monkeypatch):
    app = visit(PAGE)
    app.radio(key="mode").set_value(mode).run()
    app.segmented_control(key="level").set_value(level).run()
    assert not app.exception
    judge = metrics.agreement(sample, abstention=mode).judges[sample.judges[0]]
    block = judge.level(level)
    assert numbers_of(app) == {
        "Cohen’s κ": number(block.values["kappa"]),
        "φ": number(block.values["phi"]),
        "κ/φ": p3(block.values["kappa_phi_ratio"]),
        "Label-rate bias": points(block.values["drift"]),
    }
    rows = by_criterion(judge)
    assert readings.gap_reading(rows, "MET", name=emphasis) in text_of(app)
    assert habit_reading(rows, "MET", name=emphasis) in text_of(app)
    assert "Some means leave" not in text_of(app)
    assert readings.surface_reading(rows, name=emphasis) in text_of(app)
    for key, telephone in ((BROAD, False), (NARROW, True)):
        monkeypatch.setattr(screen, "_of_telephone", lambda telephone=telephone: telephone)
        drawn = drawn_words(app.run(), key)
        for row in (*rows, pooled(judge, level)):
            assert p3(row.ratio) in drawn
            assert number(row.kappa) in drawn
    assert points(rows[0].drift) in drawn_words(app, NARROW)


def test_the_question_uses_the_word_of_the_file(visit):
    assert "Does the judge say **MET** too often, and what does it cost?" in text_of(visit(PAGE))
    app = upload(visit(DATA), counts([[20, 10], [5, 20]], labels=("yes", "no")))
    assert "Does the judge say **yes** too often" in text_of(app)
    assert "because the two label rates differ by 9.1\u00a0points, not significantly" in text_of(app)


@pytest.mark.parametrize("judge", ["strict", "lenient", "cautious"])
def test_each_direction_of_drift(visit, sample, judge):
    app = visit(PAGE, judge=judge)
    rows = by_criterion(metrics.agreement(sample).judges[judge])
    assert readings.gap_reading(rows, "MET", name=emphasis) in text_of(app)
    word = {"strict": "less often", "lenient": "more often", "cautious": "less often"}[judge]
    assert word in readings.gap_reading(rows, "MET", name=emphasis)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([[40, 10], [10, 40]], "κ = φ: judge and human say *MET* equally often."),
        (
            [[10, 10], [40, 40]],
            "The gap is 0 although the label rates of *c* differ by 30\u00a0points: where φ is 0 there is nothing to lose.",
        ),
        ([[10, 40], [20, 30]], "κ is 0.02 above φ, nearer to 0, on *c* because the judge says *MET* 20\u00a0points less often"),
        ([[20, 0], [80, 0]], "φ is undefined on *c*: the judge gives one label only\\, MET."),
        ([[20, 0], [0, 0]], "φ is undefined on *c*: the reference gives one label only\\, MET."),
    ],
)
def test_special_tables_in_every_view(visit, table, words):
    app = upload(visit(DATA), counts(table))
    assert words in text_of(app)
    assert len(app.get("plotly_chart")) == 2
    for show in VIEWS:
        app.segmented_control(key="gap_show").set_value(show).run()
        assert not app.exception
    if table == [[10, 10], [40, 40]]:
        app.segmented_control(key="gap_show").set_value("cause").run()
        assert "The ratio 0.800 comes from the rates alone" in text_of(app)


@pytest.mark.parametrize("table", [[[20, 10], [0, 0]], [[20, 0], [10, 0]]])
def test_a_label_in_a_reason_is_shown_as_typed(visit, table):
    hostile = "YES_$a$ *b* :red[x]"
    app = visit(DATA)
    text = io.StringIO()
    csv.writer(text).writerows(["item,criterion,judge,human,verdict".split(","), *counts(table, labels=(hostile, "NO"))])
    app.file_uploader(key="data.upload").upload("given.csv", text.getvalue().encode(), "text/csv").run()
    next(box for box in app.selectbox if box.label.startswith("Meaning of YES")).set_value("positive").run()
    app.button(key="data.use").click().run()
    app.switch_page(PAGE).run()
    for show in ("surface", *VIEWS):
        app.segmented_control(key="gap_show").set_value(show).run()
        assert not app.exception
        assert f"gives one label only, {hostile}" in unescaped(app)
        assert "$a$" not in text_of(app)
        assert "*b*" not in text_of(app)


def test_a_link_brings_the_row_looked_at(visit, sample):
    app = visit(PAGE, **{"kappa_phi.subject": "Polite tone", "gap_show": "Which rate causes it"})
    rows = by_criterion(metrics.agreement(sample).judges[sample.judges[0]])
    polite = next(row for row in rows if row.name == "Polite tone")
    assert written_out(cause_of(polite)) in app.latex[0].value
    assert app.query_params["kappa_phi.subject"] == "Polite tone"
    app.selectbox(key="kappa_phi.subject").set_value(rows[1].name).run()
    assert app.query_params["kappa_phi.subject"] == rows[1].name
    app.selectbox(key="kappa_phi.subject").set_value(rows[0].name).run()
    assert "kappa_phi.subject" not in app.query_params
    assert written_out(cause_of(rows[0])) in app.latex[0].value


def test_a_link_to_a_row_that_is_not_here_shows_the_usual_one(visit, sample):
    app = visit(PAGE, **{"kappa_phi.subject": "none such", "gap_show": "Which rate causes it"})
    rows = by_criterion(metrics.agreement(sample).judges[sample.judges[0]])
    assert written_out(cause_of(rows[0])) in app.latex[0].value
    assert "kappa_phi.subject" not in app.query_params


def test_which_rate_causes_it(visit, sample):
    app = visit(PAGE)
    app.segmented_control(key="gap_show").set_value("cause").run()
    rows = by_criterion(metrics.agreement(sample).judges[sample.judges[0]])
    assert written_out(cause_of(rows[0])) in app.latex[0].value
    app.selectbox(key="kappa_phi.subject").set_value("Polite tone").run()
    assert not app.exception
    polite = next(row for row in rows if row.name == "Polite tone")
    assert written_out(cause_of(polite)) in app.latex[0].value
    assert readings.cause_reading(cause_of(polite), name=emphasis) in text_of(app)
    assert app.selectbox(key="kappa_phi.subject").options == ["All criteria (micro)", *(row.name for row in rows)]


@pytest.mark.parametrize(("name", "unit"), [("Whole items (item level)", "items"), ("Polite tone", "decisions")])
def test_the_cause_speaks_of_what_is_counted(visit, sample, name, unit):
    app = visit(PAGE, gap_show="Which rate causes it", level="Item")
    app.selectbox(key="kappa_phi.subject").set_value(name).run()
    judge = metrics.agreement(sample).judges[sample.judges[0]]
    row = next(row for row in (pooled(judge, "item"), *by_criterion(judge)) if row.name == name)
    assert readings.cause_reading(cause_of(row), unit, name=emphasis) in text_of(app)


def test_five_names_and_the_sentence_to_copy(visit, sample):
    app = visit(PAGE)
    app.segmented_control(key="gap_show").set_value("names").run()
    app.selectbox(key="kappa_phi.subject").set_value("All criteria (micro)").run()
    assert not app.exception
    its = metrics.agreement(sample)
    judge = sample.judges[0]
    row = pooled(its.judges[judge], "micro")
    found = five_names(row.block.confusion)
    assert found.equal
    values = [str(value).replace("\\", "") for value in app.table[0].value["value"]]
    assert values == [readings.all_digits(value) for value in found.values.values()]
    assert readings.five_reading(found) in text_of(app)
    assert readings.paper_sentence(its, judge, "micro", row) in unescaped(app)


def test_variances(visit, sample):
    app = visit(PAGE)
    app.segmented_control(key="gap_show").set_value("variance").run()
    assert not app.exception
    rows = by_criterion(metrics.agreement(sample).judges[sample.judges[0]])
    found = variances_of(rows[0], 0.95)
    assert readings.variance_reading(found, name=emphasis) in text_of(app)
    assert list(app.table[0].value["s.e."]) == [p3(found.kappa.error), p3(found.phi.error)]
    checked = app.table[1].value
    assert list(checked.iloc[:, 1]) == ["16/25", "0.640000", "16/25", "0.640000"]
    assert list(checked.iloc[:, 2]) == ["504/625", "0.806400", "13/16", "0.812500"]
    every = next(frame.value for frame in app.dataframe if "N·(Var φ − Var κ)" in frame.value.columns)
    assert len(every) == len(rows) + 1
    assert not [head for head in every.columns if "_" in head]
    assert {"κ s.e.", "φ N·Var", "κ textbook low", "φ shown elsewhere high"} <= set(every.columns)


def test_judges_as_rows(visit, sample):
    app = visit(PAGE)
    app.segmented_control(key="gap_rows").set_value("judge").run()
    assert not app.exception
    rows = by_judge(metrics.agreement(sample), "micro")
    assert readings.gap_reading(rows, "MET", "judge", name=emphasis) in text_of(app)
    drawn = drawn_words(app, BROAD)
    for row in rows:
        assert row.name in drawn
        assert p3(row.ratio) in drawn
    for show in VIEWS:
        app.segmented_control(key="gap_show").set_value(show).run()
        assert not app.exception
    app.selectbox(key="kappa_phi.subject").set_value("lenient").run()
    assert "*lenient*" in text_of(app)


def test_a_mean_over_criteria_of_judges_has_no_table(visit):
    app = visit(PAGE)
    app.segmented_control(key="gap_rows").set_value("judge").run()
    app.segmented_control(key="level").set_value("macro").run()
    for show in VIEWS:
        app.segmented_control(key="gap_show").set_value(show).run()
        assert not app.exception
        assert "A mean over criteria has no table of its own" in text_of(app)


def seconds_of(app) -> dict[str, str]:
    return {metric.label: metric.delta for metric in app.metric}


def test_judges_at_macro_name_no_cause_and_stay_off_the_surface(visit, sample):
    app = visit(PAGE)
    app.segmented_control(key="gap_rows").set_value("judge").run()
    app.segmented_control(key="level").set_value("macro").run()
    assert not app.exception
    rows = by_judge(metrics.agreement(sample), "macro")
    assert readings.gap_reading(rows, "MET", "judge", name=emphasis) in text_of(app)
    assert "because it says" not in text_of(app)
    assert f"nothing has a place here: {readings.NO_RATES}." in text_of(app)
    app.segmented_control(key="level").set_value("micro").run()
    assert "because it says" in text_of(app)
    assert readings.NO_RATES not in text_of(app)


def test_a_mean_over_some_criteria_says_over_how_many(visit):
    app = upload(visit(DATA), [*counts([[40, 10], [10, 40]], criterion="a"), *counts([[20, 0], [80, 0]], criterion="b")])
    assert not any("criteria" in second for second in seconds_of(app).values())
    app.segmented_control(key="level").set_value("macro").run()
    assert not app.exception
    seconds = seconds_of(app)
    assert seconds["φ"] == "1 of 2 criteria"
    assert seconds["κ/φ"] == "1 of 2 criteria"
    assert "1: no bias" in next(metric.proto.delta_description for metric in app.metric if metric.label == "κ/φ")
    assert "criteria" not in seconds["Cohen’s κ"]
    assert "Some means leave criteria out. Mean of criteria (macro): φ and κ/φ over 1 of 2 criteria." in text_of(app)


def test_criteria_at_chance_and_their_pool(visit):
    app = visit(PAGE, data="pooled_at_chance")
    assert numbers_of(app)["φ"] == "0.58"
    assert "on every criterion κ and φ are 0: " in text_of(app)
    assert "; pooled they are 0.58 (see Every choice, Aggregation)." in text_of(app)


def test_chance_level_by_construction(visit):
    app = visit(PAGE, data="rao_always_negative")
    assert numbers_of(app)["Cohen’s κ"] == "0.00"
    assert seconds_of(app)["Cohen’s κ"] == "chance level by construction"
    app.segmented_control(key="gap_show").set_value("names").run()
    assert "(chance level by construction)" in unescaped(app)
    assert "by construction" not in seconds_of(visit(PAGE))["Cohen’s κ"]


def test_three_classes_say_why_and_lead_back(visit, sample):
    app = visit(PAGE, mode="as_category")
    assert THIRD in text_of(app)
    assert not app.get("plotly_chart")
    assert not app.metric
    block = metrics.agreement(sample, abstention="as_category").judges[sample.judges[0]].micro
    assert f"κ is {number(block.values['kappa'])} and R_K {number(block.values['mcc_multiclass'])}" in unescaped(app)
    for button, mode in (("Exclude", "exclude"), ("Count as negative", "as_unmet")):
        app.radio(key="mode").set_value("as_category").run()
        next(found for found in app.button if found.label == button).click().run()
        assert not app.exception
        assert app.radio(key="mode").value == mode
        assert THIRD not in text_of(app)


def test_three_classes_can_leave_the_room(visit):
    app = visit(PAGE, mode="as_category", view="room")
    assert THIRD in text_of(app)
    app.button(key="room.leave").click().run()
    assert not app.exception
    assert THIRD in text_of(app)


def test_a_nominal_scale_says_why(visit):
    rows = [(f"q{i}", "c", "j", "abc"[i % 3], "abc"[i % 3 if i % 4 else 0]) for i in range(30)]
    app = visit(DATA)
    text = io.StringIO()
    csv.writer(text).writerows(["item,criterion,judge,human,verdict".split(","), *rows])
    app.file_uploader(key="data.upload").upload("given.csv", text.getvalue().encode(), "text/csv").run()
    for box in app.selectbox:
        if box.label.startswith("Meaning of"):
            box.set_value("class")
    app.run()
    app.button(key="data.use").click().run()
    app.switch_page(PAGE).run()
    assert not app.exception
    assert "Does the judge say one label too often" in text_of(app)
    assert "This scale has 3 labels" in text_of(app)
    assert not app.get("plotly_chart")


def test_no_data_and_one_side_only(visit):
    app = visit(PAGE, data="unknown00")
    assert "not open here" in text_of(app)
    assert "Does the judge say **MET** too often" in text_of(app)


def test_footnotes_give_the_right_value_where_the_paper_is_wrong(visit):
    app = visit(PAGE)
    assert "Only the ratio κ/φ does" in text_of(app)
    assert "There is a second one: TP·TN = FP·FN" in text_of(app)
    app.segmented_control(key="gap_show").set_value("names").run()
    assert "Three are enough" in text_of(app)
    app.segmented_control(key="gap_show").set_value("variance").run()
    assert "with four free margins 55/72" in text_of(app)


@pytest.mark.parametrize("table", [[[20, 10], [2, 20]], [[5, 20], [18, 2]]])
def test_the_heading_says_that_both_are_one_agreement_whichever_lies_lower(visit, table):
    said_above = unescaped(upload(visit(DATA), counts(table)))
    assert "One agreement, scaled twice: κ and φ differ only where the two rates of MET differ" in said_above
    assert "falls short of φ" not in said_above


def test_many_rows_stand_in_an_expander(visit):
    rows = [row for k in range(33) for row in counts([[6 + k % 5, 3], [2 + k % 3, 9]], criterion=f"criterion {k}")]
    app = upload(visit(DATA), rows)
    assert [box.label for box in app.expander if "less label-rate bias" in box.label] == [
        "3 more criteria, with less label-rate bias"
    ]
    assert len(figure(app, BROAD)["data"][0]["customdata"]) == 31
    assert len(app.get("plotly_chart")) == 2
    app.session_state["kappa_phi.rest"] = True
    app.run()
    assert not app.exception
    assert len(figure(app, "kappa_phi.dumbbell_rest_broad")["data"][0]["customdata"]) == 3


def test_the_table_and_the_files_carry_the_declaration(visit, sample):
    app = visit(PAGE)
    shown = next(frame.value for frame in app.dataframe if "κ/φ" in frame.value.columns)
    rows = by_criterion(metrics.agreement(sample).judges[sample.judges[0]])
    assert shown["criterion"].tolist() == ["All criteria (micro)", *(row.name for row in rows)]
    assert "sha256" not in shown.columns
    assert not [head for head in shown.columns if "_" in head]
    assert {"κ low", "φ high", "κ − φ", "π̂ − π", "why undefined"} <= set(shown.columns)
    assert any(button.label == "κ, φ and label-rate bias (CSV)" for button in app.get("download_button"))


@pytest.mark.parametrize("telephone", [False, True])
def test_figures_have_an_alternative_text(visit, sample, telephone, monkeypatch):
    monkeypatch.setattr(screen, "_of_telephone", lambda: telephone)
    app = visit(PAGE)
    assert len(app.get("plotly_chart")) == 2, "no second copy of a figure is sent"
    rows = by_criterion(metrics.agreement(sample).judges[sample.judges[0]])
    for chart in app.get("plotly_chart"):
        assert rows[0].name in chart.proto.alt
        digits = number if chart.proto.id.endswith("surface_narrow") else p3
        assert digits(rows[0].ratio) in chart.proto.alt


def test_room_view_shows_one_figure_at_a_time(visit):
    app = visit(PAGE, view="room")
    assert len(app.metric) == 4
    for charts, formulas in ((1, 0), (1, 1), (0, 1), (0, 0), (0, 0)):
        app.button(key="room.right").click().run()
        assert not app.exception
        assert len(app.get("plotly_chart")) == charts
        assert len(app.latex) == formulas
    assert app.button(key="room.right").disabled


def test_hostile_names_are_shown_as_typed(visit):
    rows = counts([[20, 30], [5, 45]], criterion="**c** $x$ <img src=x>", judge=":smile: [a](http://x.y)")
    app = upload(visit(DATA), rows)
    assert f"on *{short('**c** $x$ <img src=x>')}* because" in text_of(app)
    for show in VIEWS:
        app.segmented_control(key="gap_show").set_value(show).run()
        assert not app.exception
        assert "**c**" not in text_of(app)


def test_a_link_restores_the_view(visit):
    app = visit(PAGE, gap_show="Five names, one number", gap_rows="Judges")
    assert "What to write instead of five numbers" in text_of(app)
    assert "Of 3 judges" in text_of(app)
