"""The page on judges together: how alike they are, how they err, and a panel of them as one more judge."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.analyses.ensembles.matrices import judge_matrices
from metrics.analyses.ensembles.readings import alike_reading, errors_reading, growth_reading, worth_words
from metrics.analyses.ensembles.readings_matrices import matrices_reading
from metrics.analyses.ensembles.weighted import weighted_agreement
from metrics.data.part import of_criterion
from metrics.measures.cost_matrices import cost_of
from metrics.results.words import bounds, count, estimate, number, three
from pages.shared import screen
from tests.pages.own_file import opened
from tests.pages.seen import figure, numbers_of, text_of, unescaped, words_in
from tests.shared_data import data

PAGE, AGREEMENT = "pages/rubric/ensemble.py", "pages/judge/agreement.py"
SAMPLE = Path("assets/support_answers.csv")
SIDES = {"output_1": "positive", "output_2": "negative"}
SAID = {"ana": "110110", "one": "110100", "two": "010111", "three": "110011", "four": "010110"}


def test_one_decision_is_not_these(visit) -> None:
    rows = "".join(
        f"q{n},{'yes' if n % 2 else 'no'},{'yes' if n % 2 and n > 1 else 'no'},{'yes' if n % 2 else 'no'}\n" for n in range(20)
    )
    app = opened(visit, PAGE, f"item,human,one,two\n{rows}".encode())
    assert "This decision (CSV)" in {button.label for button in app.get("download_button")}


def test_a_telephone_shows_how_far_every_two_of_a_few_judges_agree(visit, monkeypatch) -> None:
    monkeypatch.setattr(screen, "narrow", lambda: True)
    app = opened(visit, PAGE, own("ana one two three four"))
    assert "framed" not in text_of(app)
    shown = words_in(figure(app, "ensemble.pairs"))
    assert all(
        f"{first} · {second}" in shown or f"{second} · {first}" in shown
        for first, second in combinations(SAID, 2)
        if first != "ana"
    )


def own(names: str, extra: str = "") -> bytes:
    """Six kinds of item, each six times; `ana` is a human, the others are judges."""
    lines = [f"item,criterion,rater,role,label{',run' if extra else ''}"]
    for name in names.split():
        for item in range(36):
            label = "MET" if SAID[name][item // 6] == "1" else "UNMET"
            role = "human" if name == "ana" else "judge"
            lines.append(f"i{item},tone,{name},{role},{label}{',1' if extra else ''}")
    return "\n".join(lines + ([extra] if extra else [])).encode()


def show(app, view: str):
    app.segmented_control(key="ensemble_show").set_value(view).run()
    assert not app.exception
    return app


def figure_alt(app, key: str) -> str:
    return next(chart.proto.alt for chart in app.get("plotly_chart") if key in chart.proto.id)


def shown(app, column: str):
    """The table with a column."""
    return next(frame.value for frame in app.dataframe if column in frame.value.columns)


def test_the_sample_s_numbers_are_those_of_the_package(visit) -> None:
    app = visit(PAGE)
    ratings = metrics.read(SAMPLE)
    block = metrics.raters(ratings, role="judge").pooled
    errors = metrics.shared_errors(ratings)
    seen = numbers_of(app)
    assert seen["Krippendorff's α"] == number(block.values["alpha"])
    assert seen["Mean κ of pairs"] == number(block.values["mean_pairwise_kappa"])
    assert seen["Judges"] == "3"
    assert seen["Effective judges"] == worth_words(errors)[0]
    deltas = {metric.label: metric.delta for metric in app.metric}
    assert deltas["Krippendorff's α"] == bounds(block["alpha"].ends)
    assert deltas["Effective judges"] == worth_words(errors)[1]
    assert "by 3 judges" in text_of(app)
    assert "Errors: against the reference, majority of the humans." in unescaped(app)
    assert "Errors: against the reference, ana." in unescaped(visit(PAGE, reference="ana"))
    assert len(metrics.split_decisions(ratings)) == 321
    assert "the judges split on 321 of 1\u202f130 decisions" in text_of(app)


def test_every_view_shows_what_the_package_says(visit) -> None:
    app, ratings = visit(PAGE), metrics.read(SAMPLE)
    assert figure(app, "ensemble.alike")
    show(app, "errors")
    table, errors = shown(app, "both wrong"), metrics.shared_errors(ratings)
    first, second = (errors.judges.index(table[column][0]) for column in ("judge", "and"))
    assert table["both wrong"][0] == errors.both[first, second]
    assert table["φ of errors"].tolist() == sorted((three(x) for x in errors.phi[np.triu_indices(3, 1)]), reverse=True)
    assert figure(app, "ensemble.together")
    show(app, "growth")
    assert growth_reading(metrics.panel_growth(ratings))[:60] in unescaped(app)
    assert figure(app, "ensemble.growth")
    app.segmented_control(key="ensemble_rule").set_value("any").run()
    assert growth_reading(metrics.panel_growth(ratings, rule="any"))[:60] in unescaped(app)
    show(app, "matrices")
    found = judge_matrices(ratings)
    heads = [line.value for line in app.markdown if "  \nκ " in line.value and line.value.startswith("**")]
    assert heads == [
        f"**{name}**  \nκ {estimate(kappa)} · n {count(found.n[place])}"
        for place, (name, kappa) in enumerate(zip(found.judges, found.kappa, strict=True))
    ]
    report = metrics.agreement(ratings)
    assert {name: kappa.value for name, kappa in zip(found.judges, found.kappa, strict=True)} == pytest.approx(
        {name: judge.micro.values["kappa"] for name, judge in report.judges.items()}
    )


def test_one_criterion_can_be_looked_at_by_itself(visit) -> None:
    app, ratings = visit(PAGE), metrics.read(SAMPLE)
    name = "Right length"
    assert "pooled over 5 criteria.**" in unescaped(app)
    app.selectbox(key="ensemble_criterion").set_value(name).run()
    block, own = metrics.raters(ratings, role="judge").criteria[name], of_criterion(ratings, name)
    errors = metrics.shared_errors(own)
    assert f"missing · on {name}.**" in unescaped(app)
    assert "pooled over" not in unescaped(app)
    assert numbers_of(app)["Krippendorff's α"] == number(block.values["alpha"])
    assert numbers_of(app)["Effective judges"] == worth_words(errors)[0]
    assert f"the judges split on {len(metrics.split_decisions(own))} of 226 decisions" in text_of(app)
    for view, wanted in {
        "errors": errors_reading(errors),
        "growth": growth_reading(metrics.panel_growth(own)),
        "matrices": matrices_reading(judge_matrices(own)),
        "alike": alike_reading(metrics.think_alike(own)),
    }.items():
        assert wanted[:70] in unescaped(show(app, view)).replace("*", "")
    assert "share of items" in words_in(figure(show(app, "errors"), "ensemble.together"))
    app.selectbox(key="ensemble_criterion").set_value(None).run()
    assert "share of decisions" in words_in(figure(app, "ensemble.together"))
    linked = visit(PAGE, ensemble_criterion=name)
    assert numbers_of(linked)["Effective judges"] == worth_words(errors)[0]
    assert "pooled over 5 criteria" in unescaped(visit(PAGE, ensemble_criterion="Nowhere"))


def test_a_criterion_without_a_reference_says_so(visit) -> None:
    lines = own("ana one two three").decode().splitlines()
    more = [line.replace(",tone,", ",cite,") for line in lines[1:] if ",ana," not in line]
    app = opened(visit, PAGE, "\n".join(lines + more).encode())
    assert "Effective judges" in numbers_of(app)
    app.selectbox(key="ensemble_criterion").set_value("cite").run()
    assert "No decision of these judges has a label of the reference, ana, so nothing here says who is right." in unescaped(app)
    assert app.segmented_control(key="ensemble_show").options == ["Which judges agree"]
    assert "Errors: against" not in unescaped(app)
    assert not app.exception


def test_the_strip_shows_how_sure_each_kappa_is(visit) -> None:
    app, found = visit(PAGE), metrics.think_alike(metrics.read(SAMPLE))
    for kappa in found.with_reference:
        assert bounds(kappa.ends) in figure_alt(app, "ensemble.alike")
    assert "κ with the reference, majority of the humans, and its interval" in unescaped(app)


def test_panels_that_were_stopped_are_shown_and_gone_on_with(visit) -> None:
    app = show(visit(PAGE), "growth")
    (job,) = app.session_state["ensemble.growths"].values()
    whole = job.part
    job._part, job.state = replace(whole, sizes=whole.sizes[:1]), "stopped"
    app.run()
    assert "Stopped after 1 of 2 sizes, which are shown." in text_of(app)
    assert "one judge alone has κ" in unescaped(app)
    app.button(key="ensemble.grow").click().run()
    assert "Stopped after" not in text_of(app)
    assert growth_reading(whole)[:60] in unescaped(app)


def test_three_answers_come_with_their_costs(visit) -> None:
    app = visit(PAGE, mode="as_category", ensemble_show="Matrices")
    ratings = metrics.read(SAMPLE)
    found = weighted_agreement(ratings, "halfway")
    assert numbers_of(app)["α under W"] == number(found.at_chosen_cost.alpha.value)
    assert next(metric.delta for metric in app.metric if metric.label == "Mean weighted κ") == bounds(
        found.at_chosen_cost.mean_kappa.ends
    )
    matrices = judge_matrices(ratings, abstention="as_category", cost=cost_of("halfway"))
    for place in range(3):
        own = f"weighted κ {estimate(matrices.weighted[place])}"
        assert any(line.value.endswith(own) for line in app.markdown)
    costs = shown(app, "judge: CANNOT_ASSESS")
    assert costs["judge: CANNOT_ASSESS"].tolist() == ["0.5", "0.5", "0"]
    assert costs["reference"].tolist() == ["MET", "UNMET", "CANNOT_ASSESS"]
    assert "Any two of the three answers count as equally far apart; with other costs: Matrices." in unescaped(app)
    assert "equally far apart" not in unescaped(visit(PAGE))
    assert numbers_of(app)["Krippendorff's α"] == number(
        metrics.raters(ratings, role="judge", abstention="as_category").pooled.values["alpha"]
    )
    other = visit(PAGE, mode="as_category", ensemble_show="Matrices", cost="0,1,1;1,0,1;1,1,0")
    assert numbers_of(other)["α under W"] == numbers_of(other)["Krippendorff's α"]
    assert "0,1,1;1,0,1;1,1,0" in unescaped(other)


def add_panel(app, rule: str = "majority", judges: tuple[str, ...] = ()):
    data = app.selectbox(key="data").value
    app.segmented_control(key=f"ensemble.panel_rule {data}").set_value(rule).run()
    app.multiselect(key=f"ensemble.panel_judges {data}").set_value(list(judges)).run()
    app.button(key="ensemble.add_panel").click().run()
    assert not app.exception
    return app


def test_a_panel_is_a_judge_on_other_pages_until_it_is_removed(visit) -> None:
    app = add_panel(visit(PAGE))
    name = "majority of 3 judges"
    assert app.query_params["panel"] == "majority"
    assert app.selectbox(key="judge").options == ["strict", "lenient", "cautious", name]
    assert numbers_of(app)["Judges"] == "3"
    app.switch_page(AGREEMENT).run()
    assert app.selectbox(key="judge").value == name
    assert app.selectbox(key="judge").value == app.query_params["judge"] == name
    report = metrics.agreement(metrics.with_panel(metrics.read(SAMPLE)), judges=[name])
    assert numbers_of(app)["Cohen’s κ"] == number(report.judges[name].micro.values["kappa"])
    assert "Panel: majority of strict, lenient, cautious." in unescaped(app)
    assert app.query_params["panel"] == "majority"
    app.switch_page("pages/judge/compare.py").run()
    app.selectbox(key="b").set_value(name).run()
    assert "Panel: majority of strict, lenient, cautious." in unescaped(app)
    app.switch_page(PAGE).run()
    app.button(key="ensemble.remove_panel").click().run()
    assert app.selectbox(key="judge").options == ["strict", "lenient", "cautious"]
    assert "panel" not in app.query_params
    app.switch_page(AGREEMENT).run()
    assert app.selectbox(key="judge").value == "strict"
    assert not app.exception


def test_a_panel_beside_another_judge_can_be_taken_up(visit) -> None:
    app = visit(PAGE, panel="majority", judge="lenient")
    app.button(key="ensemble.judge_panel").click().run()
    assert app.selectbox(key="judge").value == "majority of 3 judges"
    assert not [button for button in app.button if button.key == "ensemble.judge_panel"]


def test_panels_of_the_same_name_keep_their_numbers_apart(visit) -> None:
    ratings = metrics.read(own("ana one two three four"))
    app = opened(visit, PAGE, own("ana one two three four"))
    name, seen = "majority of 3 judges", []
    for judges in (("one", "two", "three"), ("two", "three", "four")):
        add_panel(app, "majority", judges)
        app.switch_page(AGREEMENT).run()
        app.selectbox(key="judge").set_value(name).run()
        report = metrics.agreement(metrics.with_panel(ratings, judges=judges), judges=[name])
        assert numbers_of(app)["Cohen’s κ"] == number(report.judges[name].micro.values["kappa"])
        seen.append(numbers_of(app)["Cohen’s κ"])
        app.switch_page(PAGE).run()
        app.button(key="ensemble.remove_panel").click().run()
    assert seen[0] != seen[1]


def test_a_link_brings_its_panel(visit) -> None:
    app = visit(AGREEMENT, panel="unanimous", panel_of=["strict", "cautious"], judge="unanimous of 2 judges")
    assert app.selectbox(key="judge").value == "unanimous of 2 judges"
    assert "Panel: unanimous verdict of strict, cautious." in unescaped(app)
    for wrong in ({"panel": "loudest"}, {"panel": "any", "panel_of": ["strict", "nobody"]}):
        assert visit(PAGE, **wrong).selectbox(key="judge").options == ["strict", "lenient", "cautious"]


@pytest.mark.parametrize(
    "page",
    ["judge/kappa_phi", "judge/abstention", "judge/choices", "judge/roc", "judge/labels", "choose/rate", "learn/prevalence"],
)
def test_every_page_says_of_whom_a_panel_is_made(visit, page) -> None:
    app = visit(f"pages/{page}.py", panel="majority", judge="majority of 3 judges")
    assert "anel: majority of strict, lenient, cautious" in unescaped(app)


def test_a_panel_stays_with_its_data_set(visit) -> None:
    app = add_panel(opened(visit, PAGE, own("ana one two")))
    own_id = app.selectbox(key="data").value
    assert "majority of 2 judges" in app.selectbox(key="judge").options
    app.selectbox(key="data").set_value("support_answers").run()
    assert app.selectbox(key="judge").options == ["strict", "lenient", "cautious"]
    assert "panel" not in app.query_params
    app.selectbox(key="data").set_value(own_id).run()
    assert "majority of 2 judges" in app.selectbox(key="judge").options


def test_one_judge_is_told_what_to_do(visit) -> None:
    app = opened(visit, PAGE, own("ana one"))
    assert "This file has one judge. Add a second file" in app.info[-1].value
    assert not app.metric
    app.file_uploader(key="compare.second").upload("more.csv", own("ana two"), "text/csv").run()
    assert numbers_of(app)["Judges"] == "2"


def test_no_judge_is_told_what_is_needed(visit) -> None:
    app = opened(visit, PAGE, own("ana one").replace(b",judge,", b",human,"))
    assert "No judge is among the raters" in app.info[-1].value
    assert not app.metric


def test_the_way_to_the_data_page_is_open_also_with_a_choice_in_the_address(visit) -> None:
    one = opened(lambda page: visit(page, mode="as_unmet"), "pages/rubric/raters.py", own("ana one"))
    next(button for button in one.button if button.label == "Open a file").click().run()
    assert not one.exception
    assert one.title[0].value == "Data"


def test_without_humans_nobody_errs(visit) -> None:
    app = opened(visit, PAGE, own("one two three"))
    ratings = metrics.read(own("one two three"))
    assert numbers_of(app)["Krippendorff's α"] == number(metrics.raters(ratings, role="judge").pooled.values["alpha"])
    assert "Effective judges" not in numbers_of(app)
    assert app.segmented_control(key="ensemble_show").options == ["Which judges agree"]
    assert "no human label" in text_of(app)
    assert "the judges split on" in text_of(app)
    add_panel(app)
    assert not app.exception


def test_everybody_saying_one_thing_is_undefined_and_says_so(visit) -> None:
    app = opened(visit, PAGE, own("ana one two three").replace(b"UNMET", b"MET"))
    assert numbers_of(app)["Krippendorff's α"] == "–"
    assert numbers_of(app)["Effective judges"] == "–"
    assert "only one label is given" in unescaped(app)
    assert "no judge is wrong on a decision that another one answered too" in unescaped(app)
    for view in ("errors", "growth", "matrices", "alike"):
        show(app, view)
    assert "the judges agree. There is nothing to look at." in text_of(app)


def test_repeated_runs_are_shown_where_there_are_any(visit) -> None:
    assert "Repeated runs" not in visit(PAGE).segmented_control(key="ensemble_show").options
    more = "\n".join(f"i{item},tone,one,judge,{'MET' if item < 6 or item > 30 else 'UNMET'},2" for item in range(36))
    app = show(opened(visit, PAGE, own("ana one two", more)), "runs")
    (found,) = metrics.self_agreement(metrics.read(own("ana one two", more)))
    table = shown(app, "agrees with itself")
    assert table["judge"].tolist() == ["one"]
    assert table["decisions"].tolist() == [count(found.n_decisions)]
    assert "asked again, *one* gives the same answer" in unescaped(app)
    alone = opened(visit, PAGE, own("ana one", more))
    assert shown(alone, "agrees with itself")["judge"].tolist() == ["one"]


def graded() -> bytes:
    """Labels 1 to 3 of a human and two judges, of whom one was asked twice."""
    lines = ["item,criterion,rater,role,label,run"]
    for item in range(36):
        told = {"ana": item % 3 + 1, "one": (item + item // 9) % 3 + 1, "two": max(1, item % 3)}
        lines += [f"i{item},tone,{who},{'human' if who == 'ana' else 'judge'},{label},1" for who, label in told.items()]
        lines.append(f"i{item},tone,one,judge,{item % 3 + 1},2")
    return "\n".join(lines).encode()


def test_the_level_of_alpha_leaves_kappa_to_the_scale(visit) -> None:
    app = opened(visit, PAGE, graded())
    before = numbers_of(app)
    assert "Mean κ quadratic of pairs" in before
    app.segmented_control(key="raters_level").set_value("nominal").run()
    after = numbers_of(app)
    assert after["Krippendorff's α"] != before["Krippendorff's α"]
    assert after["Mean κ quadratic of pairs"] == before["Mean κ quadratic of pairs"]
    assert "κ quadratic of two runs" in shown(show(app, "runs"), "agrees with itself").columns
    assert (
        "κ quadratic of two runs"
        not in shown(show(opened(visit, PAGE, own("ana one two", "i0,tone,one,judge,UNMET,2")), "runs"), "judge").columns
    )


def test_the_queue_can_be_narrowed_to_what_has_no_reference(visit) -> None:
    app, queue = visit(PAGE), metrics.split_decisions(metrics.read(SAMPLE))
    assert len(shown(app, "two differ")) == 200
    assert "The first 200 of 321 decisions" in text_of(app)
    app.toggle(key="ensemble_unlabelled").set_value(True).run()
    assert len(shown(app, "two differ")) == queue.without_reference().n > 0
    assert not queue.unlabelled.any()
    said = text_of(app)
    assert f"On {queue.without_reference().n} the human labels give no reference." in said
    assert "no human label yet" not in said


def test_sixty_five_judges(visit) -> None:
    path = data("llmbar_natural.csv")
    app = visit("pages/data/data.py")
    app.file_uploader(key="data.upload").upload("llmbar.csv", path.read_bytes(), "text/csv").run()
    app.button(key="data.use").click().run()
    app.switch_page(PAGE).run()
    ratings = metrics.read(path, labels=SIDES)
    assert numbers_of(app)["Judges"] == "65"
    assert numbers_of(app)["Effective judges"] == worth_words(metrics.shared_errors(ratings))[0] == "3.5"
    assert "The 15 *GPT-4* and 2 *PaLM2* judges agree with a mean κ of 0.84 [0.77, 0.89]: nearly one judge" in unescaped(app)
    show(app, "matrices")
    charts = [chart for chart in app.get("plotly_chart") if "ensemble.matrix" in chart.proto.id]
    assert len(charts) == 12
    found = judge_matrices(ratings)
    table = shown(app, "output_1 → output_2")
    assert table["judge"].tolist() == list(found.judges)
    assert table["output_1 → output_2"].tolist() == [count(n) for n in found.tables[:, 0, 1]]
    assert table["interval"][64] == bounds(found.kappa[64].ends)
    part = app.selectbox(key="ensemble_part")
    assert (part.value, part.options[-1]) == ("1–12 of 65", "61–65 of 65")
    part.set_value("61–65 of 65").run()
    charts = [chart for chart in app.get("plotly_chart") if "ensemble.matrix" in chart.proto.id]
    assert [chart.proto.alt.split(":")[0] for chart in charts] == list(found.judges[60:])
    app.selectbox(key="data").set_value("support_answers").run()
    assert not app.exception
    assert "ensemble_part" not in {box.key for box in app.selectbox}
