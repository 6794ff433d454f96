"""What was answered of labels and their order: the scale follows it, and an order that is proposed can be taken or changed."""

from __future__ import annotations

import metrics
from tests.pages.seen import text_of
from tests.pages.test_data_page import upload, use_ratings
from tests.pages.test_scales_of_criteria import plain, scale_of

DATA, AGREEMENT = "pages/data/data.py", "pages/judge/agreement.py"
WORDS = ("bad", "poor", "fair", "good", "great")
ASKED = (
    "The labels bad, poor, fair, good, great are steps of a scale. Confirm this order, low to high, or say what each label means."
)


def rows(labels: tuple[str, ...], criteria: int = 1) -> bytes:
    """Every label in turn from the human, the one before it from the judge."""
    said = [
        f"q{place},c{criterion},{label},{labels[place % len(labels) - 1]}"
        for criterion in range(criteria)
        for place, label in enumerate(2 * labels)
    ]
    return "\n".join(["item,criterion,human,verdict", *said]).encode()


def meaning(app, label: str):
    return next(box for box in app.selectbox if box.label == f"Meaning of {label}")


def order(app):
    return next(box for box in app.multiselect if box.label.startswith("Order of the classes"))


def scales_in_table(app) -> set[str]:
    return next(set(frame.value["scale"]) for frame in app.dataframe if "scale" in frame.value)


def test_a_label_that_is_a_class_makes_the_scale_nominal_and_no_other_answer_does(visit) -> None:
    app = upload(visit(DATA), "partly.csv", rows(("Yes", "No", "Partially")))
    assert scale_of(app, "c0").value == "binary"
    meaning(app, "Partially").set_value("abstention").run()
    assert scale_of(app, "c0").value == "binary"
    meaning(app, "Partially").set_value("class").run()
    assert scale_of(app, "c0").value == "nominal"
    assert "The labels are words without an order: No, Yes, Partially." in plain(app)
    assert "3 classes, none of them the positive one: Yes, No and Partially." in plain(app).replace("*", "")
    app.switch_page(AGREEMENT).run()
    app.switch_page(DATA).run()
    assert scale_of(app, "c0").value == "nominal"
    meaning(app, "Partially").set_value("invalid").run()
    assert scale_of(app, "c0").value == "binary"
    meaning(app, "Partially").set_value("class").run()
    ratings = use_ratings(app)
    assert metrics.data.scales.scales_of(ratings).used == ("nominal",)
    assert ratings.scheme.classes == ("Yes", "No", "Partially")


def test_a_table_of_many_scales_follows_the_labels(visit) -> None:
    app = upload(visit(DATA), "many.csv", rows(("Yes", "No", "Partially"), criteria=14))
    assert meaning(app, "Partially").value == "class"  # given by people, and more than twice
    assert scales_in_table(app) == {"Nominal"}
    meaning(app, "Partially").set_value("abstention").run()
    assert scales_in_table(app) == {"Binary"}
    meaning(app, "Partially").set_value("class").run()
    assert scales_in_table(app) == {"Nominal"}
    assert not app.warning


def test_an_order_given_to_classes_makes_the_scale_ordinal(visit) -> None:
    app = upload(visit(DATA), "partly.csv", rows(("Yes", "No", "Partially")))
    for label in ("Yes", "No", "Partially"):
        meaning(app, label).set_value("class").run()
    assert order(app).value == []
    order(app).set_value(["No", "Partially", "Yes"]).run()
    assert scale_of(app, "c0").value == "ordinal"
    assert use_ratings(app).scheme.order == ("No", "Partially", "Yes")


def test_steps_are_shown_in_their_order_to_be_confirmed(visit) -> None:
    data = rows((*WORDS[::-1], "N/A"))
    app = upload(visit(DATA), "words.csv", data)
    assert ASKED in plain(app)
    assert order(app).value == list(WORDS)
    assert scale_of(app, "c0").value == "ordinal"
    assert {label: meaning(app, label).value for label in WORDS} == dict.fromkeys(WORDS, "class")
    ratings = use_ratings(app)
    assert ratings.scheme == metrics.read(data, order=WORDS).scheme
    app.run()
    assert ASKED not in plain(app)
    assert order(app).value == list(WORDS)


def test_two_sides_are_asked_no_order(visit) -> None:
    app = upload(visit(DATA), "sides.csv", rows(("good", "bad", "N/A")))
    assert "steps of a scale" not in text_of(app)
    assert not app.multiselect
    assert scale_of(app, "c0").value == "binary"
    assert use_ratings(app).scheme == metrics.read(rows(("good", "bad", "N/A"))).scheme


def test_a_proposed_order_can_be_changed_and_left(visit) -> None:
    app = upload(visit(DATA), "words.csv", rows(WORDS))
    meaning(app, "fair").set_value("abstention").run()
    assert order(app).value == ["bad", "poor", "good", "great"]
    assert ASKED not in plain(app)
    assert scale_of(app, "c0").value == "ordinal"
    meaning(app, "fair").set_value("class").run()
    order(app).set_value(list(WORDS[::-1])).run()
    assert not app.error
    assert use_ratings(app).scheme.order == WORDS[::-1]
    order(app).set_value([]).run()
    assert scale_of(app, "c0").value == "nominal"
    ratings = use_ratings(app)
    assert ratings.scheme.order == ()
    assert metrics.data.scales.scales_of(ratings).used == ("nominal",)


def test_steps_on_a_scale_that_was_chosen_have_no_order(visit) -> None:
    app = upload(visit(DATA), "words.csv", rows(WORDS))
    scale_of(app, "c0").set_value("nominal").run()
    assert ASKED not in plain(app)
    assert order(app).value == []
    assert use_ratings(app).scheme.order == ()
    scale_of(app, "c0").set_value("ordinal").run()
    assert order(app).value == list(WORDS)
    assert use_ratings(app).scheme.order == WORDS
