"""The page of preferences: it shows what the package computes, under every way of counting ties and in both orders."""

from __future__ import annotations

import io

import numpy as np
import pytest

import metrics
from metrics.analyses.preferences import readings as said
from metrics.analyses.preferences.compute import preferences
from metrics.analyses.preferences.positions import positions
from metrics.analyses.preferences.systems import systems
from metrics.analyses.preferences.tables import by_criterion, systems_table
from metrics.results.tables import as_text
from metrics.results.words import bounds, percent, value
from tests.pages import own_file
from tests.pages.seen import figure, numbers_of, text_of, unescaped, words_in

DATA, PAGE = "pages/data/data.py", "pages/judge/preferences.py"
KINDS = {"A": "positive", "B": "negative", "tie": "tie"}


def pairs(seed: int = 4, orders: bool = True, words: tuple[str, ...] = ("A", "B", "tie")) -> str:
    rng = np.random.default_rng(seed)
    lines = ["item,criterion,judge,human,verdict" + (",verdict_swapped" if orders else "")]
    for item in range(60):
        for criterion in ("style", "facts"):
            human = words[rng.integers(len(words))]
            first, second = (human if rng.random() < 0.7 else words[rng.integers(len(words))] for _ in range(2))
            lines.append(f"i{item},{criterion},j,{human},{first}" + (f",{second}" if orders else ""))
    return "\n".join(lines)


def read(text: str) -> metrics.Ratings:
    return metrics.read(io.BytesIO(text.encode()), labels=KINDS)


@pytest.mark.parametrize("convention", ["exclude", "class", "half"])
def test_every_way_of_counting_ties(visit, convention) -> None:
    text = pairs()
    app = own_file.opened(visit, PAGE, text.encode())
    app.segmented_control(key="preferences.ties").select(convention).run()
    its = preferences(read(text), "j")
    own = its.pooled[convention]
    shown = numbers_of(app)
    kappa = "κ, ties halfway" if convention == "half" else "Cohen’s κ"
    assert shown[kappa] == value(own.values[said.KAPPA[convention]].value)
    accuracy = "Mean credit" if convention == "half" else "Accuracy"
    assert shown[accuracy] == percent(own.values[said.AGREEMENT[convention]].value)
    assert shown["A wins"] == percent(own.wins.judge.value)
    assert said.header(its, convention, None).bold in unescaped(app)
    assert said.wins_reading(its, convention, None)[2:] in unescaped(app)
    ways = words_in(figure(app, "preferences.ways"))
    assert all(value(its.pooled[one].values[said.KAPPA[one]].value) in ways for one in its.pooled)
    table = next(frame.value for frame in app.dataframe if "Criterion" in frame.value.columns)
    assert list(table["Criterion"]) == ["All, pooled", "style", "facts", "Mean over criteria"]
    assert list(table.iloc[:, 3]) == list(as_text(by_criterion(its, convention)).values())[3]


def test_one_criterion(visit) -> None:
    text = pairs()
    app = own_file.opened(visit, PAGE, text.encode())
    app.selectbox(key="preferences.criterion").select("facts").run()
    its = preferences(read(text), "j")
    assert numbers_of(app)["Cohen’s κ"] == value(its.criteria["facts"]["exclude"].values["kappa"].value)
    assert "on facts" in unescaped(app)


@pytest.mark.parametrize("word", ["Third answer", "class"])
def test_a_link_brings_the_way_of_counting_back(visit, word) -> None:
    app = visit(PAGE, **{"preferences.ties": word})
    assert app.segmented_control(key="preferences.ties").value == "class"


def test_either_order(visit) -> None:
    text = pairs()
    app = own_file.opened(visit, PAGE, text.encode())
    its = positions(read(text), "j")
    shown = numbers_of(app)
    assert shown["Same answer in both orders"] == percent(its.consistent.value)
    assert shown["Changed to the answer shown first"] == percent(its.first_place.value)
    same = next(metric for metric in app.metric if metric.label == "Same answer in both orders")
    assert same.delta == bounds(its.consistent.ends, "%")
    assert said.order_reading(its)[2:] in unescaped(app)
    assert figure(app, "preferences.orders")["data"]


def test_one_order_says_how_to_get_the_other(visit) -> None:
    app = own_file.opened(visit, PAGE, pairs(orders=False).encode())
    assert "verdict_swapped" in text_of(app)
    assert "Same answer in both orders" not in numbers_of(app)


def test_yes_and_no_are_no_preference(visit) -> None:
    app = visit(PAGE)
    assert "read like verdicts on one answer" in text_of(app)
    assert "Neither side ever says tie" in text_of(app)


def test_only_ties(visit) -> None:
    lines = "\n".join(
        ["item,criterion,judge,human,verdict", *(f"i{n},c,j,tie,tie" for n in range(9)), "x,c,j,A,tie", "y,c,j,B,tie"]
    )
    app = own_file.opened(visit, PAGE, lines.encode())
    assert numbers_of(app)["Cohen’s κ"] == "–"
    assert "is undefined: no decision is left" in unescaped(app)


def test_more_classes_are_sent_to_the_data_page(visit) -> None:
    rows = [f"i{n},c,j,{('red', 'green', 'blue')[n % 3]},{('red', 'green')[n % 2]}" for n in range(30)]
    app = visit(DATA)
    app.file_uploader(key="data.upload").upload(
        "given.csv", "\n".join(["item,criterion,judge,human,verdict", *rows]).encode(), "text/csv"
    ).run()
    for box in app.selectbox:
        if box.label.startswith("Meaning of"):
            box.select("class").run()
    app.button(key="data.use").click().run()
    app.switch_page(PAGE).run()
    assert "Say on the Data page which label is which" in text_of(app)


def test_whom_the_judge_favours(visit) -> None:
    lines = pairs(orders=False).splitlines()
    named = [f"{lines[0]},model_a,model_b", *(f"{line},red,{('blue', 'green')[n % 2]}" for n, line in enumerate(lines[1:]))]
    app = own_file.opened(visit, PAGE, "\n".join(named).encode())
    found = systems(read("\n".join(named)), "j")
    assert said.systems_reading(found, "j")[2:40] in unescaped(app)
    table = next(frame.value for frame in app.dataframe if "System" in frame.value.columns)
    assert list(table["Judge less reference"]) == systems_table(found)["Judge less reference"]


def test_nothing_is_recoded_as_the_second_of_two_answers(visit) -> None:
    """A tie, or no answer, is no win of B; a missing MET may count as UNMET."""
    other = {"A": "MET", "B": "UNMET"}
    for words, offered in ((("A", "B", "tie", "INVALID"), False), (tuple(other.get(w, w) for w in ("A", "B", "N/A")), True)):
        app = own_file.opened(visit, "pages/judge/abstention.py", pairs(orders=False, words=words).encode())
        assert ("Count as negative" in app.radio(key="mode").options) == offered
        assert ("Count as negative." in text_of(app)) == offered
        assert all("Count as negative" not in one.options for one in app.selectbox)
        app.switch_page("pages/judge/agreement.py").run()
        assert not app.exception
        alt = next(chart.proto.alt for chart in app.get("plotly_chart") if "agreement.grid" in chart.proto.id)
        assert ("Count as negative" in alt) == offered
        app.radio(key="mode").set_value("as_category").run()
        app.switch_page("pages/judge/kappa_phi.py").run()
        assert ("Count as negative" in [button.label for button in app.button]) == offered
        assert ("Choose Exclude or Count as negative." in text_of(app)) == offered


def test_what_has_no_winner_is_called_a_tie_in_the_choices(visit) -> None:
    app = own_file.opened(visit, PAGE, pairs().encode())
    assert [radio.label for radio in app.sidebar.radio if radio.key == "mode"] == ["Ties and abstentions"]
    other = visit("pages/judge/agreement.py")
    assert [radio.label for radio in other.sidebar.radio if radio.key == "mode"] == ["Abstentions"]


@pytest.mark.parametrize("words", [("A", "B", "tie"), ("A", "B", "tie", "invalid")])
def test_what_becomes_of_a_tie_elsewhere_is_said(visit, words) -> None:
    app = own_file.opened(visit, "pages/judge/abstention.py", pairs(orders=False, words=words).encode())
    assert "A tie counts as no verdict on this page." in unescaped(app)
    kept = "ties and invalid answers are one class" if "invalid" in words else "a tie is an answer of its own"
    assert kept in app.radio(key="mode").proto.captions
