"""The rubric review: a criterion a screen, decisions that stay, a file of them, and a second file of labels."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.analyses.review import readings as rater_labels_of
from metrics.analyses.review.before_after import before_after
from metrics.analyses.review.compute import review_criteria
from metrics.analyses.review.decisions import Decision, Review
from metrics.analyses.settings import Settings
from metrics.results.safe_csv import safe_csv
from metrics.results.words import bounds, number, signed
from tests.pages.conftest import Open
from tests.pages.own_file import opened
from tests.pages.seen import figure, text_of, unescaped, words_in
from tests.review.made import cells, drawn, rubric

PAGE, SAMPLE = "pages/rubric/review.py", "assets/support_answers.csv"
WORST = ("Polite tone", "No invented facts", "Right length", "Answers the question", "Cites a source")


def file(criteria: dict[str, list[tuple[str, str]]]) -> bytes:
    return rubric(criteria).to_csv(index=False).encode()


def in_view(app: AppTest) -> str:
    """Heading of the screen."""
    return next(line for line in unescaped(app).splitlines() if line.startswith("## ")).removeprefix("## ").split(" :small")[0]


def part(app: AppTest, what: str):
    """The widget of a decision."""
    kinds = [*app.get("button_group"), *app.text_input, *app.text_area]
    return next(one for one in kinds if one.key and one.key.startswith(f"review.{what} "))


def decide(app: AppTest, action: str) -> AppTest:
    part(app, "action").set_value(action).run()
    assert not app.exception
    return app


def decided(app: AppTest) -> dict[str, Decision]:
    return next(iter(app.session_state["review.decided"].values()), {})


def test_the_worst_criterion_comes_first_with_the_numbers_of_the_package(visit: Open) -> None:
    app = visit(PAGE)
    ratings = metrics.read(SAMPLE)
    humans = metrics.raters(ratings, role="human").criteria
    found = review_criteria(ratings, ratings.judges[0], Settings(), humans)
    assert tuple(own.criterion for own in found) == WORST
    for place, own in enumerate(found):
        assert in_view(app) == own.criterion
        said = unescaped(app)
        assert f"**{place + 1} of 5**" in said
        assert f"κ {number(own.kappa.value)} {bounds(own.kappa.ends)}" in said
        assert f"α {number(humans[own.criterion].values['alpha'])}" in said
        assert "Landis & Koch 1977" in said
        assert "Suggestion from the numbers, not a decision" in said
        assert number(own.kappa.value) in words_in(figure(app, "review.bands"))
        assert len(app.dataframe[0].value) == 5
        assert part(app, "action").value is None
        if place < 4:
            app.button(key="review.next").click().run()
        assert not app.exception
    assert app.button(key="review.next").disabled
    assert rater_labels_of.order_reading(found) in unescaped(app)
    assert "**5 of 5** :small[by κ; order uncertain]" in unescaped(app)
    assert "orst first" not in unescaped(app)


def test_decisions_stay_over_pages_are_undone_step_by_step_and_counted(visit: Open) -> None:
    app = decide(visit(PAGE), "sharpen")
    part(app, "owner").set_value("Ana").run()
    part(app, "note").set_value("say *which* tone").run()
    app.get("button_group")[0].set_value("Cites a source").run()
    assert in_view(app) == "Cites a source"
    decide(app, "keep")
    assert "2 of 5 decided: 1 keep, 1 sharpen" in unescaped(app)
    app.switch_page("pages/judge/agreement.py").run()
    app.switch_page(PAGE).run()
    assert in_view(app) == "Cites a source"
    assert part(app, "action").value == "keep"
    assert decided(app)["Polite tone"] == Decision("sharpen", "Ana", "say *which* tone")
    dots = app.get("button_group")[0]
    assert "✓ 1 Polite tone: sharpen" in [option.content for option in dots.proto.options]
    for left in (Decision("sharpen", "Ana", "say *which* tone"), Decision("sharpen", "Ana"), Decision("sharpen")):
        app.button(key="review.undo").click().run()
        assert decided(app) == {"Polite tone": left}
    app.button(key="review.undo").click().run()
    assert decided(app) == {}
    assert app.button(key="review.undo").disabled
    assert "0 of 5 decided" in unescaped(app)


def test_undo_says_what_it_takes_back_and_redo_brings_it_again(visit: Open) -> None:
    app = decide(visit(PAGE), "judge")
    assert app.button(key="review.undo").help.replace("\\", "") == "Takes back: Polite tone: change the judge."
    assert not [button for button in app.button if button.key == "review.redo"]
    app.button(key="review.undo").click().run()
    assert decided(app) == {}
    app.button(key="review.redo").click().run()
    assert decided(app) == {"Polite tone": Decision("judge")}
    assert "1 of 5 decided: 1 change the judge" in unescaped(app)
    app.button(key="review.undo").click().run()
    decide(app, "keep")
    assert not [button for button in app.button if button.key == "review.redo"]


def test_a_text_handed_over_while_it_is_typed_is_one_change_to_undo(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("pages.shared.history.time", SimpleNamespace(monotonic=lambda: now[0]))
    app = visit(PAGE)
    for now[0], text in ((1, "say"), (2, "say which"), (4, "say which tone"), (60, "say which tone, please")):
        part(app, "note").set_value(text).run()
    left = ["say which tone", ""]
    for text in left:
        app.button(key="review.undo").click().run()
        assert decided(app).get("Polite tone", Decision()).note == text
        assert part(app, "note").value == text
    assert app.button(key="review.undo").disabled


def test_decisions_are_kept_for_each_data_set(visit: Open) -> None:
    app = decide(opened(visit, PAGE, file({"tone": cells([[9, 3], [2, 8]])})), "drop")
    own = app.selectbox(key="data").value
    app.selectbox(key="data").set_value("support_answers").run()
    assert part(app, "action").value is None
    app.selectbox(key="data").set_value(own).run()
    assert part(app, "action").value == "drop"


def test_a_saved_review_is_loaded_says_what_is_not_here_and_can_be_undone(visit: Open) -> None:
    app = decide(visit(PAGE), "drop")
    saved = Review("other.csv", "ff" * 32, {"Polite tone": Decision("split", "Ben", "n"), "Humour <b>": Decision("keep")})
    app.file_uploader(key="review.load").upload("r.json", saved.to_json().encode(), "application/json").run()
    assert decided(app) == {"Polite tone": Decision("split", "Ben", "n")}
    assert part(app, "action").value == "split"
    assert part(app, "owner").value == "Ben"
    said = unescaped(app)
    assert "Not in this rubric, so left out: ‘Humour <b>’" in said
    assert "another file, other.csv" in said
    app.button(key="review.undo").click().run()
    assert decided(app) == {"Polite tone": Decision("drop")}


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", json.dumps({"kind": "other"}).encode()])
def test_a_file_without_a_review_is_refused_and_nothing_changes(visit: Open, content: bytes) -> None:
    app = decide(visit(PAGE), "drop")
    app.file_uploader(key="review.load").upload("r.json", content, "application/json").run()
    assert not app.exception
    assert "Save the decisions" in app.error[0].value
    assert decided(app) == {"Polite tone": Decision("drop")}


def test_a_wording_is_typed_and_one_of_the_file_is_shown_as_it_stands(visit: Open) -> None:
    frame = rubric({"tone": cells([[9, 3], [2, 8]])}).assign(definition="Is it *polite* :red[enough]?")
    app = opened(visit, PAGE, frame.to_csv(index=False).encode())
    assert "Definition.** Is it *polite* :red[enough]?" in unescaped(app)
    assert "*polite*" not in text_of(app)
    part(app, "definition").set_value("Would a customer call it polite?").run()
    assert "Definition.** Would a customer call it polite?" in unescaped(app)
    assert decided(app)["tone"].definition == "Would a customer call it polite?"


def test_names_that_look_like_markup_are_shown_as_typed(visit: Open) -> None:
    name = "*tone* <b>:red[x]</b> [a](http://b)"
    app = opened(visit, PAGE, file({name: cells([[9, 3], [2, 8]]), "b_c": cells([[9, 1], [2, 8]])}))
    assert in_view(app) == name
    assert "*tone*" not in text_of(app)
    assert name in unescaped(app)


def test_one_criterion_and_forty_each_have_their_screens(visit: Open) -> None:
    one = opened(visit, PAGE, file({"tone": cells([[9, 3], [2, 8]])}))
    assert "**1 of 1**" in unescaped(one)
    assert one.button(key="review.next").disabled
    content = file({f"c{i:02}": cells([[9, 3], [i % 4, 8]]) for i in range(40)})
    many = opened(visit, PAGE, content)
    names = [own.criterion for own in review_criteria(metrics.read(content), "bot", Settings())]
    dots = many.get("button_group")[0]
    assert [option.content for option in dots.proto.options] == [f"○ {i + 1}" for i in range(40)]
    for place in (39, 12):
        many.get("button_group")[0].set_value(names[place]).run()
        assert f"**{place + 1} of 40**" in unescaped(many)
    decide(many, "relabel")
    assert many.get("button_group")[0].proto.options[12].content == "✓ 13: relabel"


def test_a_mixed_rubric_shows_each_criterion_as_its_scale_asks(visit: Open) -> None:
    frame = rubric({"tone": cells([[20, 10], [10, 20]])})
    grades = [("low", "low")] * 9 + [("mid", "high")] * 5 + [("high", "high")] * 9 + [("mid", "mid")] * 9
    scores = [{"item": f"i{i}", "criterion": "length", "rater": who, "role": role, "label": f"{0.5 + i / 7 + add:.2f}"}
              for i in range(40) for who, role, add in (("ana", "human", 0.0), ("bot", "judge", 0.3))]  # fmt: skip
    app = opened(visit, PAGE, pd.concat([frame, rubric({"clear": grades}), pd.DataFrame(scores)]).to_csv(index=False).encode())
    seen = {}
    for place in range(3):
        seen[in_view(app)] = unescaped(app)
        if place < 2:
            app.button(key="review.next").click().run()
        assert not app.exception
    assert set(seen) == {"tone", "clear", "length"}
    assert "the page Scores" in seen["length"]
    assert "numbers, not labels" in seen["length"]
    assert "κ 0.33" in seen["tone"]


def test_a_table_of_counts_says_that_it_has_no_items(visit: Open) -> None:
    app = visit(PAGE, data="rao_balanced")
    assert "no disagreements to read" in unescaped(app)
    assert "cannot be paired" in unescaped(app)
    assert "disagreements below" not in unescaped(app)
    assert "a table of counts says nothing of single people" in unescaped(app)
    assert figure(app, "review.mosaic")
    assert not app.exception


def test_a_file_without_a_judge_says_what_is_missing(visit: Open) -> None:
    frame = rubric({"tone": cells([[9, 3], [2, 8]])}).assign(role="human")
    app = opened(visit, PAGE, frame.to_csv(index=False).encode())
    assert "No judge is among the raters" in unescaped(app)


def test_the_mode_of_the_sidebar_and_room_view_hold_here(visit: Open) -> None:
    app = visit(PAGE, mode="as_category", view="room")
    found = review_criteria(metrics.read(SAMPLE), "strict", Settings("as_category"))
    assert in_view(app) == found[0].criterion
    assert number(found[0].kappa.value) in unescaped(app)
    assert app.button(key="room.leave")
    assert not app.title
    decide(app, "keep")
    app.button(key="room.leave").click().run()
    assert app.title[0].value == "Rubric review"
    assert part(app, "action").value == "keep"


def test_a_second_file_shows_before_and_after_with_its_interval(visit: Open) -> None:
    first, second = drawn(3), drawn(9, wrong=0.1)
    app = opened(visit, PAGE, first.to_csv(index=False).encode())
    app.file_uploader(key="review.again").upload("later.csv", second.to_csv(index=False).encode(), "text/csv").run()
    assert not app.exception
    both = before_after(metrics.read(first), metrics.read(second), "bot", Settings())
    one = both.of(in_view(app))
    assert one is not None
    assert one.difference.ends is not None
    said = unescaped(app)
    assert f"κ {number(one.before.estimate.value)} → {number(one.after.estimate.value)}" in said
    assert bounds(one.difference.ends) in said
    assert {"before", "after"} <= set(words_in(figure(app, "review.bands")).split())
    table = next(frame.value for frame in app.dataframe if "difference" in frame.value)
    assert table["criterion"].tolist() == ["tone", "facts"]
    assert table["difference"].tolist() == [
        f"{signed(own.difference.value, 2)} {bounds(own.difference.ends)}" for own in both.changes if own.difference.ends
    ]
    assert "Before: own.csv, judge bot, reference ana. After: later.csv, judge bot, reference ana" in said
    assert len(safe_csv(both.to_frame()).splitlines()) == 3
    app.button(key="review.away").click().run()
    assert "→ " not in unescaped(app).split("Definition.")[1]


def test_a_second_file_that_shares_nothing_is_refused_and_the_screen_stays(visit: Open) -> None:
    app = opened(visit, PAGE, file({"tone": cells([[9, 3], [2, 8]])}))
    other = rubric({"tone": cells([[9, 3], [2, 8]])}, start=500).to_csv(index=False).encode()
    app.file_uploader(key="review.again").upload("later.csv", other, "text/csv").run()
    assert "share no item" in app.error[0].value.replace("\\", "")
    assert in_view(app) == "tone"
    app.file_uploader(key="review.again").upload("later.csv", file({"tone": cells([[10, 2], [2, 8]])}), "text/csv").run()
    assert not app.error
    assert not app.exception


def test_a_link_names_the_criterion_and_the_one_in_view_stands_in_the_address(visit: Open) -> None:
    app = visit(PAGE, review_criterion="Right length")
    assert in_view(app) == "Right length"
    app.button(key="review.next").click().run()
    assert in_view(app) == WORST[3]
    assert app.query_params["review_criterion"] in (WORST[3], [WORST[3]])
    assert in_view(visit(PAGE, review_criterion="Humour")) == WORST[0]


def test_broken_characters_in_a_file_of_decisions_are_replaced_and_the_page_stays(visit: Open) -> None:
    app = visit(PAGE)
    made = {"Polite tone": {"action": "keep", "note": "half \ud800 \x00 of one"}, "\udfff": {"action": "keep"}}
    content = {"kind": "rubric review", "version": 1, "file": "\ud800", "sha256": "", "decisions": made}
    app.file_uploader(key="review.load").upload("r.json", json.dumps(content).encode(), "application/json").run()
    assert not app.exception
    assert decided(app) == {"Polite tone": Decision("keep", "", "half ?  of one")}
    content["version"] = 2
    app.file_uploader(key="review.load").upload("r.json", json.dumps(content).encode(), "application/json").run()
    assert "version 2; this program reads version 1" in app.error[0].value.replace("\\", "")


def test_the_wording_of_a_criterion_is_no_column_of_its_disagreements(visit: Open) -> None:
    frame = rubric({"tone": cells([[9, 3], [1, 8]])}).assign(definition="Is it polite?", answer="text")
    app = opened(visit, PAGE, frame.to_csv(index=False).encode())
    assert "All 4 disagreements" in unescaped(app)
    shown = app.dataframe[0].value
    assert "definition" not in shown
    assert "answer" in shown


def test_the_report_is_one_step_away(visit: Open) -> None:
    assert any(link.proto.page.endswith("report") for link in visit(PAGE).get("page_link"))
