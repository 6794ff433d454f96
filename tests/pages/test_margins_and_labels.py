"""Items for tuning, weights, margins and what to label next, as pages say them."""

from __future__ import annotations

from typing import Any

import pytest

import metrics
from metrics.analyses.comparison.readings import unit_of
from metrics.analyses.sampling.readings import drawn_words
from metrics.results.words import bounds, estimate, value
from pages.shared.compare import provenance
from pages.shared.plain import escape
from tests.metrics.test_weights_of_groups import rows as groups_of_items
from tests.pages.own_file import opened
from tests.pages.seen import text_of

COMPARE, LABELS, AGREEMENT, ROC, KAPPA_PHI = (
    f"pages/judge/{name}.py" for name in ("compare", "labels", "agreement", "roc", "kappa_phi")
)
SAMPLE = "assets/support_answers.csv"


def split_file() -> bytes:
    lines = ["item,human,verdict,split,weight"]
    lines += [
        f"q{i},{'yes' if i % 3 else 'no'},{'yes' if i % 4 else 'no'},{'dev' if i < 25 else 'test'},{1 + i % 2}" for i in range(60)
    ]
    return "\n".join(lines).encode()


def unlabelled_file() -> bytes:
    lines = ["item,human,judge,verdict"]
    for i in range(160):
        human, wrong = "yes" if i % 2 else "no", "no" if i % 2 else "yes"
        for name, every in (("A", 7), ("B", 5)):
            lines.append(f"q{i},{human if i < 70 else ''},{name},{wrong if i % every == 0 else human}")
    return "\n".join(lines).encode()


def test_a_file_opens_with_its_items_for_a_test_and_says_what_the_others_are(visit: Any) -> None:
    app, alone = opened(visit, AGREEMENT, split_file()), escape("Only items where split = test: 35 of 60 items.")
    tuned = escape("25 of 60 items are dev by ‘split’")
    assert alone in text_of(app)
    assert tuned not in text_of(app)
    app.button(key="filter.off").click().run()
    assert alone not in text_of(app)
    assert text_of(app).count(tuned) == 1
    app.button(key="filter.only_test").click().run()
    assert not app.exception
    assert alone in text_of(app)
    assert tuned not in text_of(app)


@pytest.mark.parametrize("part", ["dev", "test"])
def test_a_file_of_one_part_opens_whole(visit: Any, part: str) -> None:
    app = opened(visit, AGREEMENT, split_file().replace(b"dev", part.encode()).replace(b"test", part.encode()))
    assert not [button for button in app.button if button.key == "filter.off"]
    assert "60 items" in text_of(app)


def test_a_page_without_weighted_numbers_says_so_and_one_with_them_does_not(visit: Any) -> None:
    said = escape("The column ‘weight’ is not used here")
    assert said in text_of(opened(visit, KAPPA_PHI, split_file()))
    for page in (AGREEMENT, ROC):
        assert said not in text_of(opened(visit, page, split_file()))


@pytest.mark.parametrize("unit", ["item", "prompt"])
def test_cards_of_two_judges_count_items_by_their_weights(visit: Any, unit: str) -> None:
    content = groups_of_items()
    app = opened(visit, COMPARE, content)
    app.selectbox(key="compare.metric").set_value("kappa").run()
    app.selectbox(key="unit").set_value(unit).run()
    assert not app.exception
    found = metrics.compare(metrics.read(content), "A", "B", "kappa", unit=unit)
    cards = {card.label: card for card in app.metric}
    for letter, side, weighted in (("A", found.a, found.weighted.a), ("B", found.b, found.weighted.b)):
        card = cards[f"{letter}: {letter}, by ‘weight’"]
        assert (card.value, card.delta) == (value(weighted.value), bounds(weighted.ends))
        assert card.proto.delta_description == f"unweighted {value(side.estimate.value)}"
        assert card.delta != bounds(side.estimate.ends)
        quoted = provenance.side_citation(found, side)
        assert f"κ of {letter} by ‘weight’" in quoted
        assert estimate(weighted) in quoted
    assert cards["Difference in κ, by ‘weight’"].value == value(found.weighted.difference.value, unit_of(found))
    assert estimate(found.weighted.difference, unit_of(found)) in provenance.citation(found)
    assert ("‘prompt’" if unit == "prompt" else "by item") in provenance.method(found)
    assert provenance.method(found).endswith("by ‘weight’")


@pytest.mark.parametrize(("margin", "word"), [(0.1, "non-inferior"), (0.02, "undecided")])
def test_a_margin_is_held_on_the_page_as_in_the_package(visit: Any, margin: float, word: str) -> None:
    app = visit(COMPARE, **{"compare.margin": str(margin)})
    assert not app.exception
    found = metrics.compare(metrics.read(SAMPLE), "strict", "lenient", margin=margin)
    assert word in found.reading
    assert escape(found.reading) in text_of(app)


def test_how_many_items_a_margin_takes(visit: Any) -> None:
    app = visit(LABELS, **{"labels.question": "margin"})
    assert not app.exception
    plan = metrics.plan_margin(metrics.compare(metrics.read(SAMPLE), "strict", "lenient"), 0.05)
    assert escape(plan.sentence) in text_of(app)


def test_what_to_label_next_is_that_of_the_package(visit: Any) -> None:
    app = opened(visit, LABELS, unlabelled_file())
    plan = metrics.label_next(metrics.read(unlabelled_file()), 100)
    assert escape(drawn_words(plan)) in text_of(app)
    assert plan.n == 90
    app.number_input(key="labels.next_n").set_value(40).run()
    assert not app.exception
    assert "40 items of 90 without a label" in text_of(app)
    files = {button.proto.label for button in app.get("download_button")}
    assert {"Sheet (CSV)", "Sheet with a list of labels (Excel)", "Sheet to print (HTML)"} <= files


def test_where_every_item_has_a_label_the_page_says_what_is_lacking(visit: Any) -> None:
    app = visit(LABELS)
    assert not app.exception
    assert "every item that strict answered has a label" in text_of(app).replace("\\", "")
