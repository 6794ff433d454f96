"""What people and judges wrote stands beside their labels wherever decisions are listed; which texts do is chosen once."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from tests.pages.own_file import opened

AGREEMENT, REVIEW, RATERS, COMPARE, ENSEMBLE = (
    "pages/judge/agreement.py", "pages/rubric/review.py", "pages/rubric/raters.py", "pages/judge/compare.py",
    "pages/rubric/ensemble.py",
)  # fmt: skip
MARKED = "**bold** <b>tag</b> [x](javascript:1)"


def own() -> bytes:
    """Two people and two judges on one criterion, each with a reason; texts of the items, and a topic."""
    lines = ["item,criterion,rater,role,label,reason,topic,answer,question"]
    for item in range(24):
        for place, (name, role) in enumerate((("ana", "human"), ("ben", "human"), ("gpt", "judge"), ("bot", "judge"))):
            label = "MET" if (item // (place + 1)) % 2 else "UNMET"
            lines.append(f"i{item},tone,{name},{role},{label},{MARKED} {name} {item},t{item % 3},Answer {item},Question {item}")
    return "\n".join(lines).encode()


def table(app: AppTest, column: str) -> Any:
    return next(frame.value for frame in app.dataframe if column in frame.value.columns)


def choice(app: AppTest) -> Any:
    return next(widget for widget in app.multiselect if widget.label == "Texts beside the labels")


def test_the_decisions_behind_a_number_have_both_reasons(visit) -> None:
    app = opened(visit, AGREEMENT, own())
    app.selectbox(key="agreement.criterion").set_value("tone").run()
    rows = table(app, "reference")
    names = list(rows.columns)
    assert names[3:9] == [
        "human: ana", "human: ana reason", "human: ben", "human: ben reason", "judge: gpt", "judge: gpt reason",
    ]  # fmt: skip
    assert rows["judge: gpt reason"][0] == f"{MARKED} gpt 0", "as it stands in the file"
    assert names[-3:] == ["question", "answer", "topic"], "texts of the items first"


def test_which_texts_stand_beside_the_labels_is_kept_from_page_to_page(visit) -> None:
    app = opened(visit, AGREEMENT, own())
    app.selectbox(key="agreement.criterion").set_value("tone").run()
    assert choice(app).value == ["question", "answer", "topic"]
    choice(app).set_value(["topic"]).run()
    rows = table(app, "reference")
    assert "topic" in rows.columns
    assert not {"question", "answer"} & set(rows.columns)
    app.switch_page(COMPARE).run()
    assert choice(app).value == ["topic"]
    rows = table(app, "row of B")
    assert "question" not in rows.columns
    assert list(rows.columns).index("judge: bot reason") == list(rows.columns).index("judge: bot") + 1
    app.switch_page(AGREEMENT).run()
    choice(app).set_value([]).run()
    assert not app.exception
    assert "topic" not in table(app, "reference").columns


def test_the_disagreements_of_a_criterion_and_the_disputes_of_raters_have_them(visit) -> None:
    app = opened(visit, REVIEW, own())
    names = list(table(app, "against the judge").columns)
    assert names[names.index("judge: gpt") + 1] == "judge: gpt reason"
    assert names[names.index("human: ben") + 1] == "human: ben reason"
    app.switch_page(RATERS).run()
    app.segmented_control(key="raters_show").set_value("disagreements").run()
    assert not app.exception
    said = table(app, "label")
    assert list(said.columns)[:3] == ["rater", "label", "reason"]
    assert said["reason"][0].startswith(f"{MARKED} ana")
    listed = list(table(app, "votes").columns)
    assert listed[listed.index("human: ana") + 1] == "human: ana reason"


def test_the_decisions_that_judges_split_on_have_them(visit) -> None:
    app = opened(visit, ENSEMBLE, own())
    queue = table(app, "two differ")
    assert list(queue.columns)[-11:] == [
        "judge: gpt", "judge: gpt reason", "judge: bot", "judge: bot reason",
        "human: ana", "human: ana reason", "human: ben", "human: ben reason", "question", "answer", "topic",
    ]  # fmt: skip
    for row in queue.to_dict("records"):
        item = int(row["item"].removeprefix("i"))
        assert row["judge: gpt"] == ("MET" if (item // 3) % 2 else "UNMET") != row["judge: bot"]
        assert row["judge: bot reason"] == f"{MARKED} bot {item}", "as it stands in the file"
        assert row["human: ben reason"] == f"{MARKED} ben {item}"
        assert row["answer"] == f"Answer {item}"
    choice(app).set_value([]).run()
    assert list(table(app, "two differ").columns)[-1] == "human: ben reason"


def test_no_text_of_the_file_is_rendered(visit) -> None:
    app = opened(visit, AGREEMENT, own())
    app.selectbox(key="agreement.criterion").set_value("tone").run()
    for page in (REVIEW, ENSEMBLE):
        app.switch_page(page).run()
        assert not any("bold" in str(element.value) for element in (*app.markdown, *app.caption))


def test_a_file_without_texts_has_nothing_to_choose(visit) -> None:
    lines = [
        "item,judge,human,verdict",
        *(f"i{n},g,{'MET' if n % 2 else 'UNMET'},{'MET' if n % 3 else 'UNMET'}" for n in range(12)),
    ]
    app = opened(visit, AGREEMENT, "\n".join(lines).encode())
    app.selectbox(key="agreement.cell").set_value((0, 1)).run()
    assert not [widget for widget in app.multiselect if widget.label == "Texts beside the labels"]
