"""What was answered of a file is proposed for the next one of the same shape, for as long as the session lasts."""

from __future__ import annotations

import pytest

import metrics
from metrics.data.scales import scales_of
from metrics.results.words import number
from pages.shared.overview import landing
from tests.pages.files import DATA, several, used
from tests.pages.seen import numbers_of, unescaped
from tests.pages.test_data_page import upload, use_ratings
from tests.pages.test_kept_on_device import says, told, work

AGREEMENT = "pages/judge/agreement.py"
COLOURS = ("blue", "green", "red")


def rows(n: int, labels: tuple[str, ...] = COLOURS, head: str = "ticket,first,second", start: int = 0) -> bytes:
    said = (f"q{i},{labels[i % len(labels)]},{labels[(i * i + i // 4) % len(labels)]}" for i in range(start, start + n))
    return "\n".join([head, *said]).encode()


def box(app, label: str):
    return next(one for one in app.selectbox if one.label == label)


def answer(app, **meanings: str):
    """Which column is what, and what the colours mean, as somebody says it in the form."""
    box(app, "Each row is").set_value("pairs").run()
    for label, column in (("Item", "ticket"), ("The human's verdict", "second"), ("The judge's verdict", "first")):
        box(app, label).set_value(column).run()
    for label, kind in (meanings or {"blue": "negative", "green": "positive", "red": "abstention"}).items():
        box(app, f"Meaning of {label}").set_value(kind).run()
    assert not app.exception
    return app


def march(visit):
    app = upload(visit(DATA), "march.csv", rows(20))
    assert "you answered" not in unescaped(app)
    return used(answer(app))


def test_the_next_file_opens_at_once_with_the_same_numbers(visit) -> None:
    april = rows(30, start=7)
    app = upload(march(visit), "april.csv", april)
    assert "As you answered for **march.csv**." in unescaped(app)
    assert "have no meaning yet" not in unescaped(app)
    assert "Confirm" not in unescaped(app)
    assert box(app, "Meaning of green").value == "positive"
    assert box(app, "The human's verdict").value == "second"
    ratings = use_ratings(app)
    columns, labels = {"item": "ticket", "human": "second", "verdict": "first"}, {"blue": "negative", "green": "positive"}
    alone = metrics.read(april, columns=columns, labels=labels | {"red": "abstention"})
    assert ratings.scheme == alone.scheme
    told, known = (metrics.agreement(one, interval="none").to_dict() for one in (ratings, alone))
    assert told["judges"] == known["judges"]
    app.switch_page(AGREEMENT).run()
    assert not app.exception
    assert numbers_of(app)["Cohen’s κ"] == number(known["judges"]["judge"]["micro"]["kappa"])


def test_what_was_taken_over_can_be_changed(visit) -> None:
    app = upload(march(visit), "april.csv", rows(30, start=7))
    box(app, "Meaning of red").set_value("negative").run()
    box(app, "The judge's verdict").set_value("second").run()
    box(app, "The human's verdict").set_value("first").run()
    ratings = use_ratings(app)
    assert dict(ratings.columns)["human"] == "first"
    assert set(ratings.scheme.of("negative")) == {"blue", "red"}
    app = upload(app, "may.csv", rows(12, start=40))
    assert "As you answered for **april.csv**." in unescaped(app), "the newest answers count"
    assert box(app, "Meaning of red").value == "negative"


def test_forget_asks_everything_again(visit) -> None:
    app = upload(march(visit), "april.csv", rows(30, start=7))
    app.button(key="data.forget_answers").click().run()
    assert "you answered" not in unescaped(app)
    assert "have no meaning yet" in unescaped(app)
    assert box(app, "Each row is").value == "wide"
    app = upload(app, "may.csv", rows(12, start=40))
    assert "you answered" not in unescaped(app)
    assert "have no meaning yet" in unescaped(app)


def test_a_file_that_is_removed_takes_its_answers_along(visit) -> None:
    app = march(visit)
    next(button for button in app.button if str(button.key).startswith("data.remove ")).click().run()
    app = upload(app, "april.csv", rows(30, start=7))
    assert "you answered" not in unescaped(app)


def test_a_file_without_an_answer_leaves_nothing_to_take_over(visit) -> None:
    data = rows(20, ("Yes", "No"), "item,human,verdict")
    app = used(upload(visit(DATA), "march.csv", data))
    app = upload(app, "april.csv", rows(30, ("Yes", "No"), "item,human,verdict"))
    assert "you answered" not in unescaped(app)


@pytest.mark.parametrize("head", ["ticket,first,third", "first,ticket,second", "ticket,first,second,note"])
def test_other_columns_are_another_shape(visit, head: str) -> None:
    data = rows(20, head=head)
    data = (
        data if head.count(",") == 2 else b"\n".join(line + b",x" * (place > 0) for place, line in enumerate(data.split(b"\n")))
    )
    app = upload(march(visit), "other.csv", data)
    assert "you answered" not in unescaped(app)
    assert "have no meaning yet" in unescaped(app)


def test_a_label_that_was_not_there_is_asked_and_no_other_meaning_is_taken_over(visit) -> None:
    app = upload(march(visit), "april.csv", rows(20, ("blue", "green", "grey")))
    assert "In part as you answered for **march.csv**: the label ‘grey’ is new." in unescaped(app)
    assert "have no meaning yet" in unescaped(app)
    assert box(app, "The human's verdict").value == "second"
    assert box(app, "Meaning of green").value != "positive"


def test_a_known_word_that_was_not_there_is_not_mixed_with_meanings_turned_round(visit) -> None:
    """Yes counted as negative in the first file; the vocabulary would take Y for positive beside it."""
    data = rows(20, ("Yes", "No"), "item,human,verdict")
    app = upload(visit(DATA), "march.csv", data)
    next(button for button in app.button if button.label.startswith("Swap")).click().run()
    app = used(app)
    same = upload(app, "april.csv", rows(30, ("Yes", "No"), "item,human,verdict", start=5))
    assert "As you answered for **march.csv**." in unescaped(same)
    assert "Positive verdict:** No" in unescaped(same)
    other = upload(same, "may.csv", rows(30, ("Yes", "No", "Y"), "item,human,verdict", start=5))
    assert "Not as you answered for **march.csv**: the label ‘Y’ is new." in unescaped(other)
    assert "Positive verdict:** Yes" in unescaped(other)


def test_fewer_labels_keep_their_meanings(visit) -> None:
    app = upload(march(visit), "april.csv", rows(20, ("blue", "green")))
    assert "As you answered for **march.csv**." in unescaped(app)
    scheme = use_ratings(app).scheme
    assert (scheme.of("positive"), scheme.of("negative"), scheme.of("abstention")) == (("green",), ("blue",), ("red",))


def long(raters: tuple[str, ...], labels: tuple[str, ...] = ("1", "2", "3"), criterion: str = "tone") -> bytes:
    lines = [
        f"q{item},{criterion},{rater},{labels[(item + place * (item % 2)) % len(labels)]}"
        for item in range(12)
        for place, rater in enumerate(raters)
    ]
    return "\n".join(["item,criterion,rater,label", *lines]).encode()


def test_who_is_human_and_who_a_judge_is_known_of_those_who_were_there(visit) -> None:
    app = upload(visit(DATA), "march.csv", long(("ana", "gpt")))
    assert "No column of the file says it" in unescaped(app)
    app = used(app)
    same = upload(app, "april.csv", long(("gpt", "ana")))
    assert "As you answered for **march.csv**." in unescaped(same)
    assert "No column of the file says it" not in unescaped(same)
    assert ":material/help:" not in unescaped(same)
    ratings = use_ratings(same)
    assert (ratings.humans, ratings.judges) == (("ana",), ("gpt",))
    assert scales_of(ratings).used == ("ordinal",)
    other = upload(same, "may.csv", long(("ana", "gpt", "zoe")))
    assert "No column of the file says it." in unescaped(other)
    (people,) = [frame.value for frame in other.dataframe if "is" in frame.value.columns]
    assert dict(zip(people["rater"], people["is"], strict=True)) == {"ana": "human", "gpt": "judge", "zoe": "like all others"}


def test_a_new_criterion_asks_what_labels_mean(visit) -> None:
    app = used(upload(visit(DATA), "march.csv", long(("ana", "gpt"))))
    other = upload(app, "april.csv", long(("ana", "gpt"), criterion="depth"))
    assert "In part as you answered for **march.csv**: the criterion ‘depth’ is new." in unescaped(other)
    (asked,) = [radio for radio in other.radio if "What kind of numbers?" in radio.label]
    assert asked.value == "ordinal"


def barred(n: int, start: int = 0) -> bytes:
    """Bars between columns, and as many commas in every row: the names of the columns do not tell which of both is meant."""
    lines = (f"q{i}|{COLOURS[i % 3]},|{COLOURS[(i * i + i // 4) % 3]}," for i in range(start, start + n))
    return "\n".join(["ticket|first,by ana|second,by gpt", *lines]).encode()


def read_with(app, **choices: object):
    for name, value in choices.items():
        next(one for one in (*app.selectbox, *app.checkbox) if one.label.startswith(name)).set_value(value)
    next(button for button in app.button if button.label == "Read it that way").click().run()
    assert not app.exception
    return app


def columns(app) -> tuple[str, ...]:
    return app.session_state["data.drafts"][app.session_state["data.pending"]].table.columns


def test_how_the_file_is_read_is_an_answer_too(visit) -> None:
    app = upload(visit(DATA), "march.txt", barred(20))
    assert columns(app) == ("ticket|first", "by ana|second", "by gpt")
    app = read_with(app, Delimiter="|")
    app = used(app)
    app = upload(app, "april.txt", barred(30, start=9))
    assert columns(app) == ("ticket", "first,by ana", "second,by gpt")
    assert "As you answered for **march.txt**." in unescaped(app)
    app = upload(app, "else.csv", rows(9))
    assert columns(app) == ("ticket", "first", "second")
    assert "you answered" not in unescaped(app)


def test_rows_that_cannot_be_read_are_left_out_of_the_next_file_too(visit) -> None:
    def ragged(n: int) -> bytes:
        return rows(n, ("Yes", "No"), "item,human,verdict").replace(b"q5,", b"q5,x,")

    app = upload(visit(DATA), "march.csv", ragged(20))
    app.button(key="data.skip").click().run()
    app = upload(used(app), "april.csv", ragged(30))
    assert not app.error
    assert "As you answered for **march.csv**." in unescaped(app)
    app.button(key="data.forget_answers").click().run()
    assert "Correct the row" in unescaped(app)
    app.button(key="data.skip").click().run()
    used(app)
    assert numbers_of(app)["Left out"] == "1"


def test_leaving_rows_out_keeps_the_delimiter(visit) -> None:
    app = upload(visit(DATA), "march.txt", barred(20))
    app = upload(app, "bad.txt", barred(20).replace(b"q5|", b"q5|x|"))
    app = read_with(app, Delimiter="|")
    assert "Correct the row" in unescaped(app)
    app.button(key="data.skip").click().run()
    assert columns(app) == ("ticket", "first,by ana", "second,by gpt")


def test_which_of_contradicting_rows_counts_is_an_answer_too(visit) -> None:
    twice = rows(20, ("Yes", "No"), "item,human,verdict") + b"\nq1,Yes,Yes\nq1,No,No"
    app = upload(visit(DATA), "march.csv", twice)
    app.button(key="data.use").click().run()
    next(one for one in app.segmented_control if one.label.startswith("Rows that contradict")).set_value("last").run()
    app = used(app)
    app = used(upload(app, "april.csv", rows(30, ("Yes", "No"), "item,human,verdict", start=3) + b"\nq4,Yes,Yes\nq4,No,No"))
    assert not app.error
    assert int(numbers_of(app)["Repeated"]) > 0


def test_files_that_are_joined_have_a_shape_too(visit) -> None:
    def pair(n: int) -> tuple[bytes, bytes]:
        gold = "\n".join(["case,said", *(f"q{i},{COLOURS[i % 2]}" for i in range(n))])
        judge = "\n".join(["case,answer,note", *(f"q{i},{COLOURS[(i * i + i // 3) % 2]},n{i}" for i in range(n))])
        return gold.encode(), judge.encode()

    (gold, judge), (gold_of_april, judge_of_april) = pair(12), pair(20)
    app = several(visit(DATA), ("gold.csv", gold), ("judge.csv", judge))
    box(app, "Meaning of blue").set_value("negative").run()
    box(app, "Meaning of green").set_value("positive").run()
    app = used(app)
    app = several(app, ("judge.csv", judge_of_april), ("gold.csv", gold_of_april))
    assert "As you answered for **gold.csv + judge.csv**." in unescaped(app)
    assert "have no meaning yet" not in unescaped(app)
    ratings = use_ratings(app)
    assert (ratings.scheme.of("positive"), ratings.scheme.of("negative")) == (("green",), ("blue",))
    assert (ratings.humans, ratings.judges) == (("gold",), ("judge",))
    renamed = several(app, ("judge.csv", judge), ("people.csv", gold))
    assert "have no meaning yet" not in unescaped(renamed)


def test_a_session_knows_nothing_of_another(visit) -> None:
    march(visit)
    app = upload(visit(DATA), "april.csv", rows(30, start=7))
    assert "you answered" not in unescaped(app)


def test_a_file_dropped_on_the_first_page_says_so_too(visit) -> None:
    app = march(visit)
    app.selectbox(key="data").set_value("support_answers").run()
    app.switch_page("pages/judge/overview.py").run()
    app.file_uploader(key=landing.UPLOAD).upload("april.csv", rows(30, start=7), "text/csv").run()
    assert not app.exception
    assert [title.value for title in app.title] == ["Data"]
    assert "As you answered for **march.csv**." in unescaped(app)


def test_what_the_browser_kept_of_a_file_counts_before_answers_to_another(visit) -> None:
    """April was answered otherwise in a session before; March has just been answered."""
    april = rows(30, start=7)
    before = used(answer(upload(visit(DATA), "april.csv", april), blue="positive", green="negative", red="class"))
    kept, name = work(before), told(before)["id"]
    app = says(march(visit), name, kept)
    app = upload(app, "april.csv", april)
    assert "you answered" not in unescaped(app)
    assert {box(app, f"Meaning of {label}").value for label in ("blue", "red")} == {"positive", "class"}
