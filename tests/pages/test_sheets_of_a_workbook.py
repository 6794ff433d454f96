"""A workbook of several sheets asks which, shows what each holds, and joins several like files."""

from __future__ import annotations

import metrics
from metrics.results.words import number
from pages.shared.overview import landing
from pages.shared.plain import short
from tests.pages.files import DATA, several, used
from tests.pages.seen import numbers_of, text_of, unescaped
from tests.pages.test_data_page import sheets_of, upload, use_ratings
from tests.pages.test_kept_on_device import reopened, told, work
from tests.readers.test_sheets import ABOUT, GOLD, GPT, workbook

AGREEMENT = "pages/judge/agreement.py"


def shown(app) -> list[list[list[str]]]:
    """The first rows of each sheet."""
    return [
        frame.value.to_numpy().tolist()
        for frame in app.dataframe
        if list(frame.value.columns) == list("ABCDEF"[: frame.value.shape[1]])
    ]  # fmt: skip


def ticked(app) -> dict[str, bool]:
    return {box.label: box.value for box in sheets_of(app)}


def tick(app, **wanted: bool):
    for name, on in wanted.items():
        next(box for box in sheets_of(app) if box.label == name).set_value(on).run()
        assert not app.exception
    return app


def test_each_sheet_shows_its_first_rows(visit) -> None:
    app = upload(visit(DATA), "labels.xlsx", workbook(gold=GOLD, gpt=GPT))
    assert "Which sheets of labels.xlsx?" in unescaped(app)
    assert ticked(app) == {"gold": True, "gpt": True}, "neither holds both sides"
    gold, gpt = shown(app)
    assert gold == [["id", "label"], ["q0", "no"], ["q1", "yes"], ["q2", "no"]]
    assert gpt == [["id", "verdict", "note"], ["q0", "no", "note 0"], ["q1", "yes", "note 1"], ["q2", "yes", "note 2"]]
    assert not app.text_input, "nobody types the name of a sheet"


def test_sheets_of_both_sides_are_proposed_with_those_that_have_their_ids_alone(visit) -> None:
    both = [("id", "human", "judge"), *((f"q{n}", "yes" if n % 2 else "no", "yes") for n in range(8))]
    assert ticked(upload(visit(DATA), "both.xlsx", workbook(both=both, copy=both))) == {"both": True, "copy": False}
    summary = [("Rater", "Mean"), ("gold", "0.5"), ("gpt", "0.6")]
    app = upload(visit(DATA), "labels.xlsx", workbook(about=ABOUT, gold=GOLD, Summary=summary, gpt=GPT))
    assert ticked(app) == {"about": False, "gold": True, "Summary": False, "gpt": True}
    assert use_ratings(app).judges == ("gpt",)


def test_two_sheets_are_joined_like_two_files(visit) -> None:
    app = tick(upload(visit(DATA), "labels.xlsx", workbook(about=ABOUT, gold=GOLD, gpt=GPT)), gpt=True)
    assert ticked(app) == {"about": False, "gold": True, "gpt": True}
    assert "gold.xlsx: 8 of 8 ids used" in unescaped(app)
    ratings = use_ratings(app)
    assert (ratings.humans, ratings.judges, ratings.source.name) == (("gold",), ("gpt",), "labels.xlsx")
    assert "First save each sheet as a file" not in unescaped(app)
    command, python = (block.value for block in app.code[-2:])
    assert ("overview labels.xlsx" in command, '--sheet "*"' in command) == (True, True)
    assert ('metrics.read("labels.xlsx"' in python, 'sheet="*"' in python) == (True, True)
    app.switch_page(AGREEMENT).run()
    known = metrics.agreement(ratings, interval="none").judges["gpt"].micro
    assert numbers_of(app)["Cohen’s κ"] == number(known.values["kappa"])


def test_two_of_three_sheets_have_to_be_saved_first(visit) -> None:
    app = tick(upload(visit(DATA), "labels.xlsx", workbook(gold=GOLD, gpt=GPT, bot=GPT)), gold=True, gpt=True, bot=False)
    use_ratings(app)
    assert "First save each sheet as a file: gold.xlsx, gpt.xlsx." in unescaped(app)
    command, python = (block.value for block in app.code[-2:])
    assert "gold.xlsx --with gpt.xlsx" in command
    assert 'metrics.read(["gold.xlsx", "gpt.xlsx"]' in python


def test_a_first_sheet_that_is_no_table_is_not_the_one_that_is_proposed(visit) -> None:
    both = [("item", "human", "verdict"), *((f"q{n}", "yes" if n % 2 else "no", "yes" if n % 3 else "no") for n in range(8))]
    app = upload(visit(DATA), "labels.xlsx", workbook(about=ABOUT, labels=both))
    assert ticked(app) == {"about": False, "labels": True}
    assert not app.error
    assert "Sheet labels of 2." in unescaped(app)
    assert "--sheet labels" in used(app).code[-2].value
    assert "First save" not in unescaped(app)


def test_a_sheet_that_cannot_be_read_says_why_and_another_can_be_chosen(visit) -> None:
    app = upload(visit(DATA), "labels.xlsx", workbook(gold=GOLD, about=ABOUT))
    app = tick(app, gold=False)
    assert "Choose a sheet." in unescaped(app)
    app = tick(app, about=True)
    assert any("has column names but no rows" in error.value for error in app.error)
    app = tick(app, about=False, gold=True)
    assert not app.error
    assert "Sheet gold of 2." in unescaped(app)


def test_a_workbook_beside_another_file_asks_for_its_sheet(visit) -> None:
    text = "\n".join(",".join(row) for row in GPT).encode()
    app = several(visit(DATA), ("people.xlsx", workbook(about=GPT, gold=GOLD)), ("gpt.csv", text))
    assert ticked(app) == {"about": True, "gold": False}
    app = tick(app, about=False, gold=True)
    ratings = use_ratings(app)
    assert (ratings.humans, ratings.judges) == (("people",), ("gpt",))
    command = app.code[-2].value
    assert "people.xlsx --with gpt.csv" in command
    assert "--sheet gold" in command


def test_the_same_sheets_of_the_next_workbook_are_proposed(visit) -> None:
    app = tick(upload(visit(DATA), "march.xlsx", workbook(about=ABOUT, gold=GOLD, gpt=GPT)), gpt=True)
    app = used(app)
    app = upload(app, "april.xlsx", workbook(about=ABOUT, gold=GOLD[:7], gpt=GPT[:7]))
    assert "As you answered for **march.xlsx**." in unescaped(app)
    assert ticked(app) == {"about": False, "gold": True, "gpt": True}
    assert (use_ratings(app).judges, numbers_of(app)["Rows read"]) == (("gpt",), "12")
    app = upload(app, "gold.csv", b"id,label\nq0,no\nq1,yes\n")
    assert "As you answered" not in unescaped(app)


def test_nothing_of_a_sheet_is_rendered(visit) -> None:
    marked, title = "**bold** <b>tag</b> $x$", "_b_ <i>t</i>"
    book = workbook(**{title.replace("/", ""): [(marked, "label"), (marked, "yes")], "gpt": GPT})
    app = upload(visit(DATA), "labels.xlsx", book)
    (name, _) = sheets_of(app)
    assert name.label == short("_b_ <i>t<i>") != "_b_ <i>t<i>"
    assert shown(app)[0][0] == [marked, "label"]
    assert "**bold**" in unescaped(app)
    assert "**bold**" not in text_of(app)


def test_a_workbook_dropped_on_the_first_page_asks_too(visit) -> None:
    both = [("item", "human", "verdict"), *((f"q{n}", "yes" if n % 2 else "no", "yes" if n % 3 else "no") for n in range(8))]
    for book in (workbook(labels=both, more=GPT), workbook(about=ABOUT, labels=both)):
        app = visit()
        app.file_uploader(key=landing.UPLOAD).upload("labels.xlsx", book, "application/octet-stream").run()
        assert not app.exception
        assert [title.value for title in app.title] == ["Data"]
        assert [name for name, on in ticked(app).items() if on] == ["labels"]
        assert "Sheet labels of 2." in unescaped(app)
        used(app)


def test_joined_sheets_come_back_with_a_reload(visit) -> None:
    book = workbook(about=ABOUT, gold=GOLD, gpt=GPT)
    app = used(tick(upload(visit(DATA), "labels.xlsx", book), gpt=True))
    kept, name = work(app), told(app)["id"]
    assert kept["sheets"] == [["gold", "gpt"]]
    again = reopened(visit, AGREEMENT, kept, name, ("labels.xlsx", book))
    assert again.session_state["data"] == name
    assert numbers_of(again) == numbers_of(app.switch_page(AGREEMENT).run())
    odd = reopened(visit, AGREEMENT, kept | {"sheets": [["gone"]]}, name, ("labels.xlsx", book))
    assert odd.session_state["data"] != name


def test_the_sheet_that_was_chosen_comes_back_with_a_reload(visit) -> None:
    both = [("item", "human", "verdict"), *((f"q{n}", "yes" if n % 2 else "no", "yes" if n % 3 else "no") for n in range(8))]
    book = workbook(about=ABOUT, labels=both)
    app = used(upload(visit(DATA), "labels.xlsx", book))
    kept, name = work(app), told(app)["id"]
    for content in (kept, {what: value for what, value in kept.items() if what != "sheets"}):
        again = reopened(visit, AGREEMENT, content, name, ("labels.xlsx", book))
        assert again.session_state["data"] == name
