"""The Simulation page: fields, presets and links ask; what is run, stopped or refused is said; claims are those of the run."""

from __future__ import annotations

import json

import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from metrics.analyses.simulation import readings
from metrics.analyses.simulation.claims import VERDICTS, claims
from metrics.analyses.simulation.scenarios import Setting
from metrics.analyses.simulation.studies import PRESETS, Run, Study
from metrics.figures.simulation import dots_alt
from pages.shared.simulation import asking, numbers, running
from tests.pages.seen import figure, numbers_of, text_of, unescaped, words_in
from tests.studies import run

PAGE = "pages/choose/simulation.py"
LOSS = "simulation.mean_loss"
SMALL = Setting(30_000, n_golden=100)


def least(found: Run) -> str:
    own = found.selections[-1]
    return readings.loss_parts(own.outcome(readings.LOSS, readings.by_loss(own)[0]))[0]


def shows(app, found: Run) -> None:
    """The page stands on this run."""
    own = found.selections[-1]
    shown = numbers_of(app)
    assert shown["SNR picks best"] == readings.success_parts(own.outcome(readings.SUCCESS, "snr"))[0]
    assert shown["BA picks best"] == readings.success_parts(own.outcome(readings.SUCCESS, "balanced_accuracy"))[0]
    assert shown["Least loss"] == least(found)
    assert readings.reading(found) in unescaped(app)
    assert readings.loss_reading(found) in unescaped(app)


def press(app):
    app.button(key="simulation.run").click().run()
    assert not app.exception
    return app


def claims_shown(app) -> list[tuple[str, str, str]]:
    columns = app.table[0].value.map(lambda cell: cell.replace("\\", "").replace("\u2060", ""))
    return list(columns.itertuples(index=False, name=None))


def claims_of(found: Run) -> list[tuple[str, str, str]]:
    return [
        (f"{one.text} :small[{one.where}]", one.evidence, f"**{numbers.MARKS[one.verdict]} {VERDICTS[one.verdict]}**")
        for one in claims(found)
    ]


@pytest.fixture(scope="module")
def start() -> Run:
    return run(Study())


def test_the_page_opens_with_the_first_preset_answered(visit, start) -> None:
    app = visit(PAGE)
    assert app.selectbox(key="sim_preset").value == "start"
    shows(app, start)
    header = readings.header(start)
    assert f"**{header.bold}** {header.rest}" in unescaped(app)
    assert "seed 0" in header.rest
    assert readings.success_words(start.selections[0].outcome(readings.SUCCESS, "f1")) in words_in(
        figure(app, "simulation.success_any_best")
    )
    assert app.button(key="simulation.run").disabled
    assert readings.DECIDED in unescaped(app)
    for name, text in readings.TERMS.items():
        assert f"**{name}:** {text}" in unescaped(app)


@pytest.mark.parametrize("name", ["table3", "figure3", "better"])
def test_a_preset_fills_the_fields_and_answers(visit, name) -> None:
    app = visit(PAGE)
    app.selectbox(key="sim_preset").set_value(name).run()
    assert not app.exception
    found, its = run(PRESETS[name].study), PRESETS[name].study.setting
    assert app.selectbox(key="sim_preset").value == name
    assert app.selectbox(key="sim_along").value == PRESETS[name].study.along
    assert app.number_input(key="sim_n_eval").value == its.n_eval
    assert app.number_input(key="sim_p_golden_to").value == pytest.approx(100 * its.p_golden[1])
    assert app.number_input(key="sim_tpr_from").value == pytest.approx(100 * its.tpr[0])
    assert app.number_input(key="sim_p_golden_from").disabled == (name == "figure3")
    assert PRESETS[name].says in unescaped(app)
    shows(app, found)
    assert claims_shown(app) == claims_of(found)


def test_along_an_axis_every_point_is_drawn(visit) -> None:
    app = visit(PAGE, sim_preset="figure4")
    drawn = figure(app, LOSS)
    assert len(drawn["data"]) == 7
    found = run(PRESETS["figure4"].study)
    shows(app, found)
    whole = next(frame.value for frame in app.dataframe if "mean loss" in frame.value)
    assert len(whole) == 12 * 7
    assert whole["mean loss"].iloc[-7] == readings.loss_words(
        found.selections[-1].outcome(readings.LOSS, readings.by_loss(found.selections[-1])[0])
    )
    assert list(dict.fromkeys(whole["golden answers"])) == [point.name for point in found.study.points]


def test_a_touched_field_makes_it_custom_and_waits_for_run(visit, start) -> None:
    app = visit(PAGE)
    app.number_input(key="sim_n_golden").set_value(100).run()
    app.number_input(key="sim_scenarios").set_value(30_000).run()
    assert app.selectbox(key="sim_preset").value == asking.CUSTOM
    assert "Not run yet" in text_of(app)
    assert "Still showing the run before" in text_of(app)
    shows(app, start)
    shows(press(app), run(Study(SMALL)))
    assert "Not run yet" not in text_of(app)
    app.selectbox(key="sim_preset").set_value("start").run()
    assert app.number_input(key="sim_n_golden").value == 800
    assert app.number_input(key="sim_scenarios").value == 100_000
    shows(app, start)


def test_what_was_run_is_kept_for_the_session(visit, start, monkeypatch) -> None:
    app = visit(PAGE)
    app.number_input(key="sim_seed").set_value(3).run()
    press(app)
    monkeypatch.setattr(running, "steps", None)
    app.number_input(key="sim_seed").set_value(0).run()
    assert not app.exception
    assert app.selectbox(key="sim_preset").value == "start"
    shows(app, start)
    app.switch_page("pages/data/data.py").run()
    app.switch_page(PAGE).run()
    assert not app.exception
    shows(app, start)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("sim_p_model_from", 60.0, "Model prevalence runs from 60\u00a0% down to 50\u00a0%. Swap its ends"),
        ("sim_p_model_from", 50.0, "Model prevalence: both ends are 50\u00a0%, so the models have no true order."),
        ("sim_fpr_to", 0.0, None),
        ("sim_p_golden_to", 0.5, "Golden prevalence runs from 1\u00a0% down to 0.5\u00a0%."),
    ],
)
def test_an_impossible_setting_is_a_sentence_and_loses_nothing(visit, start, field, value, words) -> None:
    app = visit(PAGE)
    before = app.number_input(key=field).value
    app.number_input(key=field).set_value(value).run()
    assert not app.exception
    assert app.selectbox(key="sim_preset").value == asking.CUSTOM
    if words is None:
        assert not app.error
    else:
        assert words in unescaped(app)
        assert "Still showing the run before." in unescaped(app)
    shows(app, start)
    app.number_input(key=field).set_value(before).run()
    assert not app.error
    assert app.selectbox(key="sim_preset").value == "start"


def test_a_link_restores_the_question_and_its_answer(visit) -> None:
    link = {"sim_n_golden": "100", "sim_scenarios": "30000", "sim_fpr_to": "50.0", "sim_at": "5.0", "sim_seed": "7"}
    app = visit(PAGE, **link)
    setting = Setting(30_000, n_golden=100, fpr=(0.0, 0.5), benchmark_prevalence=0.05, seed=7)
    assert app.selectbox(key="sim_preset").value == asking.CUSTOM
    shows(app, run(Study(setting)))
    assert "SNR for 5\u00a0%; seed 7" in unescaped(app)
    for along in ("n_eval", "answers per model"):
        app = visit(PAGE, sim_along=along, sim_scenarios="300")
        shows(app, run(Study(Setting(300), "n_eval")))


def test_a_link_to_something_long_waits_for_run(visit) -> None:
    app = visit(PAGE, sim_scenarios="10000000")
    assert not numbers_of(app)
    assert "Press Run" in text_of(app)
    assert not app.button(key="simulation.run").disabled


def test_a_stopped_run_keeps_its_part_and_can_be_run_whole(visit, monkeypatch) -> None:
    app = visit(PAGE)
    app.number_input(key="sim_scenarios").set_value(50_000).run()
    monkeypatch.setattr(running, "AT_ONCE", 0)
    monkeypatch.setattr(running, "SLICE", 0)
    with monkeypatch.context() as cut:
        cut.setattr(DeltaGenerator, "progress", lambda self, share, text: st.stop() if share >= 30_000 / 50_000 else None)
        press(app)
        assert "**Running:** 20\u202f000 of 50\u202f000 scenarios." in unescaped(app)
        assert ", of 50\u202f000 asked, running" in unescaped(app)
        shows(app, run(Study(Setting(50_000)), lambda found: found.done >= 20_000))
        assert app.button(key="simulation.run").label == "Stop"
        press(app)
    part = run(Study(Setting(50_000)), lambda found: found.done >= 30_000)
    assert "**Stopped** after 30\u202f000 of 50\u202f000 scenarios; these are kept and shown." in unescaped(app)
    assert readings.header(part).bold in unescaped(app)
    assert "stopped" in readings.header(part).bold
    shows(app, part)
    assert claims_shown(app) == claims_of(part)
    app.run()
    shows(app, part)
    assert app.button(key="simulation.run").label == "Go on"
    shows(press(app), run(Study(Setting(50_000))))
    assert "Stopped" not in text_of(app)


def test_going_elsewhere_does_not_lose_what_is_done(visit, monkeypatch) -> None:
    app = visit(PAGE, sim_scenarios="10000000")
    monkeypatch.setattr(running, "AT_ONCE", 0)
    with monkeypatch.context() as cut:
        cut.setattr(DeltaGenerator, "progress", lambda *_, **__: st.stop())
        press(app)
        app.number_input(key="sim_scenarios").set_value(30_000).run()
        assert "Not run yet" in text_of(app)
        app.number_input(key="sim_scenarios").set_value(10_000_000).run()
        assert "**Running:**" in unescaped(app)
        press(app)
    assert "**Stopped** after" in unescaped(app)
    assert not app.exception


def test_one_scenario_has_no_error_and_no_claim(visit) -> None:
    app = visit(PAGE, sim_scenarios="1")
    assert numbers.NO_CLAIM in text_of(app)
    assert [metric.delta for metric in app.metric][:2] == [readings.NO_ERROR] * 2
    assert "is not enough" in text_of(app)
    assert not [text for text in (unescaped(app), json.dumps(figure(app, LOSS))) if "nan" in text.lower().split()]
    assert not app.table


def test_the_sidebar_is_greyed_with_its_reason(visit) -> None:
    app = visit(PAGE)
    for key in ("data", "judge", "reference", "rule"):
        assert app.selectbox(key=key).disabled, key
        assert "takes no data" in app.selectbox(key=key).help
    assert app.radio(key="mode").disabled
    app.switch_page("pages/judge/agreement.py").run()
    assert not app.selectbox(key="data").disabled


def test_it_needs_no_data_set(visit, start) -> None:
    shows(visit(PAGE, data="gone"), start)


def test_downloads_and_room_view(visit, start) -> None:
    app = visit(PAGE)
    labels = [button.label for button in app.get("download_button")]
    assert labels == ["The claims (CSV)", "All numbers (CSV)", "All numbers (JSON)"]
    held = json.loads(numbers._json(start))
    assert held == start.to_dict()
    assert held["points"][0]["scenarios_done"] == 100_000
    app = visit(PAGE, view="room")
    assert "1 of 4" in text_of(app)
    for _ in range(3):
        app.button(key="room.right").click().run()
        assert not app.exception
    assert claims_shown(app) == claims_of(start)


def test_the_figure_carries_its_alternative_text(visit, start) -> None:
    app = visit(PAGE)
    chart = next(chart for chart in app.get("plotly_chart") if LOSS in chart.proto.id)
    assert chart.proto.alt == dots_alt(start, readings.LOSS)
