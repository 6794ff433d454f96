"""What a session tells the browser to keep, and what it takes back of it: its owner's work, and nothing that harms."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import StopException

from metrics.readers import from_counts
from pages.shared.keeping import again, device
from pages.shared.keeping import work as work_kept
from tests.pages.files import DATA, FIRST, SECOND, several, upload, uploaded, use, used
from tests.pages.seen import text_of, unescaped
from tests.pages.test_joined_files import GOLD, JUDGE

REVIEW = "pages/rubric/review.py"


def told(app) -> dict[str, Any]:
    """What the browser is told with the last run."""
    (part,) = [part.proto for part in app.get("bidi_component") if part.proto.component_name == "keeping"]
    return json.loads(part.json)


def work(app) -> dict[str, Any]:
    return device.unpacked(told(app)["text"])


def says(app, name: str, content: Any, *, files: int = 0, choices: dict[str, str] | None = None):
    """The browser has said what it keeps of a data set."""
    inventory = {"sets": 1, "files": {name: files} if files else {}, "why": {}, "off": False}
    text = content if isinstance(content, str) else device.packed(content)
    app.session_state[device.KEY] = {"found": {"id": name, "text": text, "choices": choices or {}, "inventory": inventory}}
    return app.run()


def decided(app, action: str = "split"):
    (pills,) = [group for group in app.get("button_group") if group.label == "Decision"]
    pills.set_value(action).run()
    assert not app.exception
    return app


def test_a_sample_that_nothing_was_done_with_is_nothing_to_keep(visit):
    assert told(visit())["text"] == ""
    assert told(visit())["id"] == "support_answers"


def test_what_was_done_is_told_and_taken_back_by_another_session(visit):
    app = upload(visit(DATA), "march.csv", FIRST)
    app.switch_page(REVIEW).run()
    decided(app)
    app.switch_page("pages/report/report.py").run()
    next(box for box in app.text_input if box.label.startswith("Judge model")).set_value("model 7").run()
    kept, name = work(app), told(app)["id"]
    assert kept["title"] == "march.csv"
    assert [decision["action"] for decision in kept["review"]["decisions"].values()] == ["split"]
    assert list(kept["fields"].values()) == ["model 7"]
    again = says(upload(visit(DATA), "march.csv", FIRST), name, kept)
    assert not again.exception
    assert work(again) == kept


def test_what_was_decided_since_counts(visit):
    app = decided(visit(REVIEW))
    kept = work(app)
    other = decided(visit(REVIEW), "keep")
    says(other, "support_answers", kept)
    assert [decision["action"] for decision in work(other)["review"]["decisions"].values()] == ["keep"]


@pytest.mark.parametrize(
    "content",
    [
        "no base64",
        base64.b64encode(b"no zlib").decode(),
        base64.b64encode(zlib.compress(b"[1")).decode(),
        {"review": {"kind": "other"}, "settled": [1], "weights": {"a": "x"}, "fields": 3, "texts": 5, "typed": 1, "sent": 4},
        {"reading": {"columns": 1}, "sent": [["a"]], "title": ["t"]},
    ],
)
def test_what_no_session_has_written_is_passed_over(visit, content: Any):
    app = says(visit(REVIEW, data="0123abcd"), "0123abcd", content, files=3)
    assert not app.exception
    assert not app.error
    assert not says(visit(REVIEW), "support_answers", content).exception


def test_a_text_that_unfolds_without_end_is_not_unfolded():
    bomb = base64.b64encode(zlib.compress(b" " * (64 << 20) + b"{}")).decode()
    assert len(bomb) < 100_000
    assert device.unpacked(bomb) == {}


def test_what_is_too_much_for_the_connection_is_not_sent():
    assert device.packed({"settled": [f"{i * 7919 % 1000003}" for i in range(10)]}) is not None
    assert device.packed({"settled": [f"{i * 7919 % 1000003}" for i in range(200_000)]}) is None


def reopened(visit, page: str, kept: dict[str, Any], name: str, *files: tuple[str, bytes]):
    app = says(visit(page, data=name), name, kept, files=sum(len(data) for _, data in files))
    assert "Opening " in text_of(app)
    assert " again …" in text_of(app)
    assert not app.title
    app.file_uploader(key=device.UPLOADER).set_value([(file, data, "text/csv") for file, data in files]).run()
    assert not app.exception
    return app


def test_a_kept_file_is_opened_with_its_answers_on_the_page_of_the_reload(visit):
    app = visit(DATA)
    app.file_uploader(key="data.upload").upload("march.csv", FIRST, "text/csv").run()
    next(box for box in app.selectbox if box.label == "Meaning of MET").set_value("negative").run()
    next(box for box in app.selectbox if box.label == "Meaning of UNMET").set_value("positive").run()
    app = use(app)
    ratings = app.session_state["uploads"][app.session_state["data"]].ratings
    assert ratings.scheme.classes[0] == "UNMET"
    kept, name = work(app), told(app)["id"]
    again = reopened(visit, REVIEW, kept, name, ("march.csv", FIRST))
    assert again.session_state["data"] == name
    assert again.session_state["uploads"][name].ratings.scheme.kinds == ratings.scheme.kinds
    assert again.title[0].value == "Rubric review"
    assert not [box for box in again.get("file_uploader") if box.key == device.UPLOADER]
    assert work(again) == kept


def cut_short_once(monkeypatch, module: object, name: str) -> None:
    """The next run that comes there is stopped, as one is for which the browser has a newer message."""
    whole, waiting = getattr(module, name), [True]

    def stops(*what: Any) -> Any:
        if waiting and waiting.pop():
            raise StopException
        return whole(*what)

    monkeypatch.setattr(module, name, stops)


@pytest.mark.parametrize(("module", "name"), [(work_kept, "put"), (again, "_open_typed"), (again, "_tell")])
def test_what_the_browser_said_to_a_run_that_is_cut_short_is_taken_by_the_next(visit, monkeypatch, module: object, name: str):
    app = decided(upload(visit(DATA), "march.csv", FIRST).switch_page(REVIEW).run())
    kept, data = work(app), told(app)["id"]
    cut_short_once(monkeypatch, module, name)
    later = visit(REVIEW, data=data)
    says(later, data, kept, files=len(FIRST))
    assert " again …" not in text_of(later)
    assert " again …" in text_of(later.run())
    cut_short_once(monkeypatch, again, "_open_one")
    later.file_uploader(key=device.UPLOADER).set_value([("march.csv", FIRST, "text/csv")]).run()
    assert "uploads" not in later.session_state or data not in later.session_state["uploads"]
    assert work(later.run()) == kept


def test_a_kept_file_that_fails_unexpectedly_fails_once(visit, monkeypatch):
    app = decided(upload(visit(DATA), "march.csv", FIRST).switch_page(REVIEW).run())
    kept, data = work(app), told(app)["id"]
    later = says(visit(REVIEW, data=data), data, kept, files=len(FIRST))

    def fails(*_: Any) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(again, "_open_one", fails)
    later.file_uploader(key=device.UPLOADER).set_value([("march.csv", FIRST, "text/csv")]).run()
    later.run()
    assert not later.exception
    assert "the disk is full" not in text_of(later)
    assert later.title


def test_what_another_tab_wrote_to_a_run_that_is_cut_short_is_taken_by_the_next(visit, monkeypatch):
    here, there = visit(REVIEW), decided(visit(REVIEW))
    cut_short_once(monkeypatch, work_kept, "merge")
    another_tab(here, work(there), {})
    assert work(here.run()) == work(there)


def test_files_that_were_joined_are_all_asked_for_whatever_their_order(visit):
    app = used(several(visit(DATA), ("gold.csv", GOLD), ("judge.csv", JUDGE)))
    (adder,) = [box for box in app.file_uploader if box.label.startswith("Add a file to")]
    adder.upload("second.csv", b"id,judge_b\nq1,no\nq2,no\nq3,yes\nq4,no\n", "text/csv").run()
    app = use(app)
    kept, name = work(app), told(app)["id"]
    assert [file for file, *_ in told(app)["sent"]] == ["gold.csv", "judge.csv", "second.csv"]
    later = b"id,judge_b\nq1,no\nq2,no\nq3,yes\nq4,no\n"
    again = reopened(visit, DATA, kept, name, ("second.csv", later), ("judge.csv", JUDGE), ("gold.csv", GOLD))
    assert again.session_state["uploads"][name].ratings.judges == app.session_state["uploads"][name].ratings.judges
    assert work(again) == kept


def test_another_file_of_that_name_is_not_taken_for_it(visit):
    app = upload(visit(DATA), "march.csv", FIRST)
    other = FIRST.replace(b"q11", b"q12")
    again = reopened(visit, REVIEW, work(app), told(app)["id"], ("march.csv", other))
    assert "You opened *march.csv* on this device before" in unescaped(again)
    assert "uploads" not in again.session_state or not again.session_state["uploads"]


def test_the_owner_is_told_otherwise_than_another_person(visit):
    assert "which is not open here" in text_of(visit(REVIEW, data="0123abcd"))
    owner = says(visit(REVIEW, data="0123abcd"), "0123abcd", {"title": "march.csv"})
    assert "You opened *march.csv* on this device before. Drop it in again" in unescaped(owner)
    assert "not open here" not in unescaped(owner)


def test_who_does_not_wait_is_told_what_else_to_do(visit):
    app = says(visit(REVIEW, data="0123abcd"), "0123abcd", {"title": "march.csv", "sent": [["march.csv", 3, ""]]}, files=3)
    app.button(key="keep.stop").click().run()
    assert "You opened *march.csv*" in unescaped(app)


def test_a_file_that_is_dropped_in_again_has_its_answers(visit):
    app = visit(DATA)
    app.file_uploader(key="data.upload").upload("march.csv", FIRST, "text/csv").run()
    next(box for box in app.selectbox if box.label == "Meaning of MET").set_value("negative").run()
    next(box for box in app.selectbox if box.label == "Meaning of UNMET").set_value("positive").run()
    app = use(app)
    again = upload(says(visit(DATA, data=told(app)["id"]), told(app)["id"], work(app)), "march.csv", FIRST)
    assert work(again)["reading"] == work(app)["reading"]


def test_a_typed_table_needs_no_file(visit):
    typed = [[[30, 5], [4, 21]], ["MET", "UNMET"]]
    name = from_counts(*typed, name="typed table").source.sha256[:8]
    app = says(visit("pages/judge/agreement.py", data=name), name, {"title": "Typed table", "typed": typed})
    assert app.session_state["data"] == name
    assert work(app)["typed"] == typed
    assert app.metric


def test_consent_is_asked_for_once_and_off_at_first(visit):
    app = upload(visit(DATA), "march.csv", FIRST)
    (toggle,) = [box for box in app.toggle if box.label.startswith("Remember this file")]
    assert not toggle.value
    assert told(app)["remember"] is None
    toggle.set_value(True).run()
    assert told(app)["remember"] is True
    assert [(name, size) for name, size, _ in told(app)["sent"]] == [("march.csv", len(FIRST))]


def test_a_removed_data_set_is_forgotten_until_it_is_opened_again(visit):
    app = upload(visit(DATA), "march.csv", FIRST)
    name = told(app)["id"]
    app.switch_page(DATA).run().button(key=f"data.remove {name}").click().run()
    assert told(app)["gone"] == [name]
    app = uploaded(app, "second.csv", SECOND)
    assert told(app)["gone"] == [name]
    app.file_uploader(key="data.upload").upload("march.csv", FIRST, "text/csv").run()
    app = use(app)
    assert told(app)["gone"] == []


def test_forgetting_is_told_and_nothing_comes_back(visit):
    app = says(upload(visit(DATA), "march.csv", FIRST), "0123abcd", {"title": "older.csv"}, files=3)
    assert "This browser keeps your choices, answers and decisions on 1 data set with its file (0.1 MB)" in text_of(app)
    app.button(key="keep.forget").click().run()
    assert told(app)["forgets"] == 1
    assert "This browser keeps" not in text_of(app)


def test_choices_of_another_page_come_back_and_a_link_is_left_alone(visit):
    choices = {"choices": "?choices.metric=Accuracy&data=support_answers", "review": "?review_criterion=x"}
    app = says(visit(DATA), "support_answers", {}, choices=choices)
    app.switch_page("pages/judge/choices.py").run()
    assert app.session_state["choices.metric"] == "accuracy"
    linked = says(visit(DATA), "support_answers", {}, choices=choices)
    linked.query_params["choices.show"] = "x"
    linked.switch_page("pages/judge/choices.py").run()
    assert linked.session_state["choices.metric"] != "accuracy"


@pytest.mark.parametrize("opened", [False, True], ids=["chosen from the disk", "open already"])
@pytest.mark.parametrize(
    ("page", "key", "take", "shown"),
    [
        (REVIEW, "review.again", "review.take", "After: *june.csv*"),
        ("pages/judge/compare.py", "compare.second", "compare.add", "Is **june** better than **march**"),
    ],
    ids=["before and after", "two judges"],
)
def test_a_second_file_is_sent_again_with_the_first(visit, page: str, key: str, take: str, shown: str, opened: bool):
    later = FIRST.replace(b"old,MET,MET", b"old,MET,UNMET", 2)
    if opened:
        app = upload(uploaded(visit(DATA), "june.csv", later).switch_page(DATA).run(), "march.csv", FIRST)
        app.switch_page(page).run().button(key=take).click().run()
    else:
        app = upload(visit(DATA), "march.csv", FIRST).switch_page(page).run()
        app.file_uploader(key=key).upload("june.csv", later, "text/csv").run()
    assert not app.exception
    assert shown in unescaped(app)
    kept, name, choices = work(app), told(app)["id"], dict(app.query_params)
    assert [file for file, *_ in kept["sent"]] == ["march.csv", "june.csv"]
    again = reopened(
        lambda page, **query: visit(page, **choices | query), page, kept, name, ("june.csv", later), ("march.csv", FIRST)
    )
    assert shown in unescaped(again)
    assert work(again) == kept


def test_a_second_file_that_is_removed_is_not_sent_again(visit):
    app = upload(visit(DATA), "march.csv", FIRST).switch_page(REVIEW).run()
    app.file_uploader(key="review.again").upload("june.csv", FIRST.replace(b"old,MET,MET", b"old,MET,UNMET", 2), "text/csv").run()
    app.button(key="review.away").click().run()
    assert [file for file, *_ in work(app)["sent"]] == ["march.csv"]


def decisions(app) -> dict[str, str]:
    return {name: entry["action"] for name, entry in work(app).get("review", {}).get("decisions", {}).items()}


def another_tab(app, theirs: dict[str, Any], base: dict[str, Any], n: int = 1):
    """Another tab of the browser has written; `base` is what both had before."""
    name = told(app)["id"]
    app.session_state[device.KEY] = {"other": {"id": name, "text": device.packed(theirs), "base": device.packed(base), "n": n}}
    return app.run()


def test_what_another_tab_wrote_stands_beside_what_was_done_here(visit):
    here, there = decided(visit(REVIEW)), visit(REVIEW)
    mine = decisions(here)
    there.button(key="review.next").click().run()
    decided(there, "keep")
    theirs = work(there)
    another_tab(here, theirs, {})
    assert decisions(here) == mine | decisions(there)
    assert len(decisions(here)) == 2
    here.button(key="review.undo").click().run()
    assert decisions(here) == mine


def test_of_one_decision_the_later_tab_counts_and_what_it_took_back_is_gone(visit):
    here = decided(visit(REVIEW))
    base = work(here)
    (name,) = decisions(here)
    there = decided(visit(REVIEW), "drop")
    another_tab(here, work(there), base)
    assert decisions(here) == {name: "drop"}
    another_tab(here, {}, work(there), n=2)
    assert decisions(here) == {}
    assert not here.exception


@pytest.mark.parametrize("text", ["no base64", device.packed({"review": 3, "codes": {"kind": "x"}, "settled": [1]})])
def test_what_no_tab_has_written_changes_nothing(visit, text: str):
    here = decided(visit(REVIEW))
    mine = decisions(here)
    here.session_state[device.KEY] = {"other": {"id": told(here)["id"], "text": text, "base": "", "n": 1}}
    here.run()
    assert not here.exception
    assert decisions(here) == mine
