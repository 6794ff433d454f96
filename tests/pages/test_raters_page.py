"""The page on raters: the gate, the ceiling, the disagreements."""

from __future__ import annotations

import pandas as pd

import metrics
from metrics.analyses.raters.adjudicating import BEFORE, with_adjudicated, with_labels
from metrics.analyses.raters.alternative import alternative_annotator
from metrics.analyses.raters.ceiling import human_ceiling
from metrics.analyses.raters.equivalences import same_numbers
from metrics.results.words import bounds, capital, number, percent
from tests.pages.own_file import opened
from tests.pages.seen import figure, text_of, unescaped, words_in

PAGE = "pages/rubric/raters.py"
LABELS = {"ana": "110110", "ben": "110100", "cem": "010111", "bot": "110011"}


def own(names: str = "ana ben cem bot", repeat: int = 6) -> bytes:
    """Six kinds of item, each several times; everyone rates one criterion, `bot` is a judge."""
    lines = ["item,criterion,rater,role,label,why"]
    for name in names.split():
        for item in range(len(LABELS[name]) * repeat):
            label = "MET" if LABELS[name][item // repeat] == "1" else "UNMET"
            lines.append(f"i{item},tone,{name},{'judge' if name == 'bot' else 'human'},{label},*because {item}*")
    return "\n".join(lines).encode()


def seen(app) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def test_labels_that_pass_are_held_against_the_bar_of_a_gold_set(visit) -> None:
    lines = ["item,criterion,rater,role,label"]
    for item in range(120):
        for place, name in enumerate(("ana", "ben", "cem")):
            met = (item % 2) ^ (item % 40 == 20 + place)
            lines.append(f"i{item},tone,{name},human,{'MET' if met else 'UNMET'}")
    app = opened(visit, PAGE, "\n".join(lines).encode())
    said = "It also reaches 0.8, the bar for a gold set, on which judges are calibrated or a release decided."
    assert said in unescaped(app)
    assert "is 0.8: 2 of 5 criteria reach it, 3 are undecided." in unescaped(visit(PAGE))
    assert "gold set, on which" not in unescaped(visit(PAGE, raters_floor_alpha="0.9"))


def test_the_gate_counts_the_items_that_alpha_rests_on(visit) -> None:
    lonely = [f"lone{n},tone,ana,human,MET,alone" for n in range(5)]
    app = opened(visit, PAGE, "\n".join([own().decode(), *lonely]).encode())
    assert "36 items" in words_in(figure(app, "raters.gate"))


def test_the_sample_s_numbers_are_those_of_the_package(visit) -> None:
    app = visit(PAGE)
    report = metrics.raters(metrics.read("assets/support_answers.csv"))
    shown = seen(app)
    assert shown["Krippendorff's α"] == number(report.pooled.values["alpha"])
    assert shown["Gwet's AC1"] == number(report.pooled.values["gwet_ac1"])
    assert shown["Percent agreement"] == percent(report.pooled.values["percent_agreement"])
    deltas = {metric.label: metric.delta for metric in app.metric}
    assert deltas["Krippendorff's α"] == bounds(report.pooled["alpha"].ends)
    words = words_in(figure(app, "raters.gate"))
    for name in report.criteria:
        assert name in words
    assert "by 2 humans" in text_of(app)
    for one in same_numbers(report.pooled):
        assert one.title(report.pooled) in unescaped(app)
        assert f".** {capital(one.why)}" in unescaped(app)
    assert not app.exception


def test_judges_have_their_own_numbers_and_the_floor_decides(visit) -> None:
    app = visit(PAGE, raters_who="Judges")
    report = metrics.raters(metrics.read("assets/support_answers.csv"), role="judge")
    assert seen(app)["Krippendorff's α"] == number(report.pooled.values["alpha"])
    assert "among the judges" in unescaped(app)
    high, low = (visit(PAGE, raters_floor_alpha=floor) for floor in ("0.99", "0"))
    assert "0 of 5 pass" in unescaped(high)
    assert "5 of 5 pass" in unescaped(low)
    high, low = (visit(PAGE, raters_who="Judges", raters_floor_alpha=floor) for floor in ("0.99", "0"))
    assert "0 of 5 above the floor, 5 below" in unescaped(high)
    assert "5 of 5 above the floor, 0 below" in unescaped(low)
    for page in (app, high, low):
        assert "How far do the judges agree with each other?" in unescaped(page)
        assert said_of_a_rubric(page) == []
    assert said_of_a_rubric(visit(PAGE, raters_floor_alpha="0.99"))


def said_of_a_rubric(app) -> list[str]:
    """Words that fit people and their rubric only."""
    seen = unescaped(app) + " ".join(words_in(figure(app, "raters.gate")))
    known = (
        "Sharpen",
        "sharpen",
        "Train ",
        "Next step",
        "not ready",
        "well specified",
        "Fatigue",
        "the wording",
        "✕ fails",
        "Talk",
    )
    return [word for word in known if word in seen]


def test_one_human_and_several_judges_show_judges_and_no_advice(visit) -> None:
    lines = ["item,criterion,rater,role,label"]
    for item in range(60):
        labels = {"ana": item % 2, "gpt": item % 2, "bot": item % 3 == 0, "llm": item % 2, "far": 1 - item % 2}
        for name, met in labels.items():
            lines.append(f"i{item},tone,{name},{'human' if name == 'ana' else 'judge'},{'MET' if met else 'UNMET'}")
    app = opened(visit, PAGE, "\n".join(lines).encode())
    assert "Agreement among judges" in [title.value for title in app.title]
    assert "Do the judges agree with each other? Below the floor" in unescaped(app)
    assert "Agreement among judges says nothing about the rubric" in unescaped(app)
    assert said_of_a_rubric(app) == []


def test_labels_without_a_verdict_follow_the_sidebar(visit) -> None:
    app = visit(PAGE, mode="as_category")
    report = metrics.raters(metrics.read("assets/support_answers.csv"), abstention="as_category")
    assert seen(app)["Krippendorff's α"] == number(report.pooled.values["alpha"])
    assert "kept as a class" in text_of(app)


def test_the_human_ceiling_and_the_test_of_a_stand_in(visit) -> None:
    app = opened(visit, PAGE, own())
    app.segmented_control(key="raters_show").set_value("ceiling").run()
    ratings = metrics.read(own())
    found, test = human_ceiling(ratings, "bot"), alternative_annotator(ratings, "bot")
    assert seen(app)["The judge, κ"] == number(found.value.value)
    assert seen(app)["A human, κ"] == number(found.human.value)
    assert seen(app)["Winning rate ω"] == percent(test.winning_rate.value)
    assert seen(app)["Advantage probability ρ"] == percent(test.advantage.value)
    app.segmented_control(key="raters_are").set_value("experts").run()
    assert seen(app)["Winning rate ω"] == percent(alternative_annotator(ratings, "bot", epsilon="experts").winning_rate.value)


def settled_file(app) -> pd.DataFrame:
    """What the button on the page takes away."""
    assert [one for one in app.get("download_button") if "decided" in one.proto.label]
    settled = next(found for found in app.session_state["raters.decided"].values() if found)
    return with_adjudicated(metrics.read(own()), settled)


def label_of(app):
    return next(radio for radio in app.radio if radio.label == "Decided label")


def test_a_label_is_settled_kept_undone_and_taken_away(visit) -> None:
    app = opened(visit, PAGE, own())
    app.segmented_control(key="raters_show").set_value("disagreements").run()
    assert "1 of 18" in unescaped(app)
    first = unescaped(app).split("1 of 18: item *")[1].split("*")[0]
    label_of(app).set_value("MET").run()
    assert label_of(app).value == "MET"
    assert set(settled_file(app).query(f"item == '{first}'")["adjudicated"]) == {"MET"}
    app.button(key="raters.next").click().run()
    label_of(app).set_value("UNMET").run()
    app.switch_page("pages/judge/agreement.py").run()
    app.switch_page(PAGE).run()
    assert sorted(settled_file(app)["adjudicated"].unique()) == ["", "MET", "UNMET"]
    app.button(key="raters.undo").click().run()
    assert sorted(settled_file(app)["adjudicated"].unique()) == ["", "MET"]
    app.button(key="raters.undo").click().run()
    assert not [one for one in app.get("download_button") if "decided" in one.proto.label]
    assert app.button(key="raters.undo").disabled


def test_decided_labels_are_taken_away_so_that_they_count(visit) -> None:
    app = opened(visit, PAGE, own())
    app.segmented_control(key="raters_show").set_value("disagreements").run()
    replaced = "The file with the decided labels as people’s (CSV)"
    assert replaced not in [one.proto.label for one in app.get("download_button")]
    label_of(app).set_value("MET").run()
    assert replaced in [one.proto.label for one in app.get("download_button")]
    assert "keeps people’s labels, so no number changes." in unescaped(app)
    ((item, _),) = settled = next(found for found in app.session_state["raters.decided"].values() if found)
    frame = with_labels(metrics.read(own()), settled)
    assert set(frame.query(f"item == '{item}' and role == 'human'")["label"]) == {"MET"}
    assert set(frame.query(f"item == '{item}' and role == 'human'")[BEFORE]) == {"MET", "UNMET"}


def test_what_raters_wrote_is_shown_as_typed(visit) -> None:
    app = opened(visit, PAGE, own())
    app.segmented_control(key="raters_show").set_value("disagreements").run()
    told = next(frame.value for frame in app.dataframe if "why" in frame.value.columns)
    assert told["why"].str.startswith("*because").all()
    assert told["rater"].tolist() == ["ana", "ben", "cem"]


def test_a_pattern_of_votes_narrows_the_list(visit) -> None:
    app = opened(visit, PAGE, own())
    app.segmented_control(key="raters_show").set_value("disagreements").run()
    app.button(key="raters.next").click().run()
    app.selectbox(key="raters_pattern").select_index(0).run()
    assert "of 18:" not in unescaped(app)
    assert "1 of " in unescaped(app)
    chosen = app.selectbox(key="raters_pattern").value
    app.switch_page("pages/judge/agreement.py").run()
    app.switch_page(PAGE).run()
    assert app.selectbox(key="raters_pattern").value == chosen
    assert not app.exception


def test_one_human_and_one_judge_are_told_what_is_needed(visit) -> None:
    app = opened(visit, PAGE, own("ana bot"))
    assert "two people or more" in app.info[-1].value
    assert not app.metric


def test_raters_without_a_judge_are_enough(visit) -> None:
    app = opened(visit, PAGE, own("ana ben cem"))
    assert seen(app)["Krippendorff's α"] == number(metrics.raters(metrics.read(own("ana ben cem"))).pooled.values["alpha"])
    app.segmented_control(key="raters_show").set_value("ceiling").run()
    assert "The judge, κ" not in seen(app)
    assert seen(app)["A human, κ"] == number(human_ceiling(metrics.read(own("ana ben cem")), None).human.value)


def test_everybody_saying_one_thing_is_undefined_and_says_so(visit) -> None:
    app = opened(visit, PAGE, own().replace(b"UNMET", b"MET"))
    assert seen(app)["Krippendorff's α"] == "–"
    assert "only one label is given" in unescaped(app)
    for view in ("ceiling", "disagreements"):
        app.segmented_control(key="raters_show").set_value(view).run()
        assert not app.exception


def test_the_team_s_own_bands_and_what_is_wrong_with_them(visit) -> None:
    usual = visit(PAGE)
    assert "well" in words_in(figure(usual, "raters.gate"))
    app = usual.number_input(key="raters_edge_0.8").set_value(0.5).run()
    assert "Bands need edges that rise" in app.error[0].value
    assert not app.exception


def test_two_raters_are_a_sentence_and_three_a_map(visit) -> None:
    pairs = metrics.raters(metrics.read("assets/support_answers.csv")).pooled.pairs
    assert f"reach κ {number(pairs.kappa[0])}" in unescaped(visit(PAGE))
    app = opened(visit, PAGE, own())
    assert "reach κ" not in unescaped(app)
    report = metrics.raters(metrics.read(own()))
    for pair in report.pooled.pair_rows():
        assert number(pair["kappa"]) in words_in(figure(app, "raters.alike"))


def test_every_statistic_stands_in_the_expander_and_the_mean_beside_the_pooled_alpha(visit) -> None:
    app = visit(PAGE)
    report = metrics.raters(metrics.read("assets/support_answers.csv"))
    told = next(frame.value for frame in app.dataframe if "statistic" in frame.value.columns)
    assert told["statistic"].tolist() == [report.pooled.symbol(key) for key in report.pooled.values]
    assert number(report.pooled.values["fleiss_kappa"]) in told["value"].tolist()
    mean = report.mean("alpha")
    described = {metric.label: metric.proto.delta_description for metric in app.metric}
    assert described["Krippendorff's α"] == f"mean of {mean.of[0]} criteria {number(mean.value)}"


def test_a_pooled_alpha_that_flatters_says_so(visit) -> None:
    """Two criteria, one nearly always met and one nearly never: the raters tell them apart, but not the items in them."""
    lines = ["item,criterion,rater,role,label"]
    for name, at in (("ana", 0), ("ben", 5)):
        for item in range(40):
            for criterion, usual in (("easy", "MET"), ("hard", "UNMET")):
                other = "UNMET" if usual == "MET" else "MET"
                lines.append(f"i{item},{criterion},{name},human,{other if item % 10 == at else usual}")
    content = "\n".join(lines).encode()
    (warning,) = metrics.raters(metrics.read(content)).warnings
    assert warning.code == "pooled_alpha"
    assert warning.message in unescaped(opened(visit, PAGE, content))


def test_undo_reaches_no_other_file_and_a_label_of_another_mode_is_kept(visit) -> None:
    content = own() + b"\ni0,tone,dan,human,CANNOT_ASSESS,x"
    app = opened(visit, PAGE, content)
    app.segmented_control(key="raters_show").set_value("disagreements").run()
    label_of(app).set_value("CANNOT_ASSESS").run()
    assert label_of(app).value == "CANNOT_ASSESS"
    app.selectbox(key="data").select("support_answers").run()
    assert app.button(key="raters.undo").disabled
    assert "1 of 14" in unescaped(app)


def test_the_evidence_leads_to_the_items(visit) -> None:
    app = visit(PAGE)
    app.selectbox(key="raters_evidence_of").select("Right length").run()
    app.button(key="raters.list").click().run()
    assert app.segmented_control(key="raters_show").value == "disagreements"
    assert app.selectbox(key="raters_criterion").value == "Right length"
    assert "Right length" in unescaped(app).split("1 of ")[1][:60]


def test_the_gate_is_read_out(visit) -> None:
    report = metrics.raters(metrics.read("assets/support_answers.csv"))
    assert f"{report.by_need()[0]}" in unescaped(visit(PAGE)).split("Read this as:")[1][:80]
    assert "so these labels are not ready to serve as a reference" in unescaped(visit(PAGE, raters_floor_alpha="0.99"))


def graded() -> bytes:
    """Four people one grade off each other."""
    lines = ["item,criterion,rater,role,label"]
    for item in range(90):
        for place, name in enumerate(("ana", "ben", "cem", "dan")):
            lines.append(f"i{item},tone,{name},human,{1 + min(4, item % 5 + (item * (place + 2)) % 7 // 5 + (place == 3))}")
    return "\n".join(lines).encode()


def test_the_level_follows_the_confirmed_scale_and_the_control_says_so(visit) -> None:
    ratings = metrics.read(graded(), scale="ordinal")
    app = opened(visit, PAGE, graded())
    report = metrics.raters(ratings)
    assert report.level == "ordinal"
    assert seen(app)["Krippendorff's α"] == number(report.pooled.values["alpha"])
    control = app.segmented_control(key="raters_level")
    assert control.options == ["As confirmed: ordinal", "Nominal", "Interval", "Ratio"]
    assert "Disagreement is weighted by distance" in unescaped(app)
    assert "Train" not in words_in(figure(app, "raters.gate"))
    control.set_value("nominal").run()
    nominal = metrics.raters(ratings, level="nominal")
    assert seen(app)["Krippendorff's α"] == number(nominal.pooled.values["alpha"])
    assert number(nominal.pooled.values["alpha"]) != number(report.pooled.values["alpha"])
    assert "Find out first why" in words_in(figure(app, "raters.gate"))
    assert "weighted by distance" not in unescaped(app)
    app.selectbox(key="data").select("support_answers").run()
    assert not app.exception


def test_criteria_called_all_keep_their_own_evidence(visit) -> None:
    one = own("ana ben cem")
    agreed = b"\n".join(line.replace(b"UNMET", b"MET") for line in one.splitlines()[1:])
    content = one.replace(b",tone,", b",all (criterion),") + b"\n" + agreed.replace(b",tone,", b",all,")
    app = opened(visit, PAGE, content)
    app.selectbox(key="raters_evidence_of").select("all").run()
    assert "Disagreement: the raters agree on all" in unescaped(app).replace("**", "")


def test_raters_who_share_nothing_are_told_so_without_a_map(visit) -> None:
    lines = ["item,criterion,rater,role,label", *(f"{i},tone,r{i % 3},human,{'MET' if i % 2 else 'UNMET'}" for i in range(12))]
    app = opened(visit, PAGE, "\n".join(lines).encode())
    assert "No two raters labelled the same item" in app.info[-1].value
    assert not app.metric, "four dashes, and four sentences that say why, tell no more"
    assert not app.get("plotly_chart")


def test_a_criterion_that_nobody_shares_is_told_so_beside_one_that_is_shared(visit) -> None:
    lines = [f"{i},tone,r{rater},human,{'MET' if (i + rater) % 3 else 'UNMET'}" for i in range(12) for rater in range(3)]
    lines += [f"{i},depth,r{i % 3},human,{'MET' if i % 2 else 'UNMET'}" for i in range(12)]
    app = opened(visit, PAGE, "\n".join(["item,criterion,rater,role,label", *lines]).encode())
    assert app.metric
    app.selectbox(key="raters_criterion").select("depth").run()
    assert "No two raters labelled the same item" in app.info[-1].value
    assert "raters.alike" not in [chart.proto.id.rsplit("-", 1)[-1] for chart in app.get("plotly_chart")]
    for view in ("ceiling", "disagreements"):
        app.segmented_control(key="raters_show").set_value(view).run()
        assert not app.exception


def test_of_two_raters_nobody_is_compared_with_the_others(visit) -> None:
    assert "than the other on the same items" in unescaped(opened(visit, PAGE, own("ana ben")))
    assert "than the others on the same items" in unescaped(opened(visit, PAGE, own("ana ben cem")))
