from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.abstention import MODES
from metrics.choices import Settings
from metrics.correcting.measured import measured
from metrics.lab.scenes import Scene, from_address
from metrics.lab.tables import MOST, Table
from metrics.ranking.curves import at_cut
from pages.shared.to_lab import address
from tests.pages.own_file import opened, rows

ROOT = Path(__file__).resolve().parents[2]
AGREEMENT, ABSTENTION, COMPARE = "pages/judge/agreement.py", "pages/judge/abstention.py", "pages/judge/compare.py"
GAP, ROC, RATE = "pages/judge/kappa_phi.py", "pages/judge/roc.py", "pages/choose/rate.py"


def links(app: AppTest) -> dict[str, dict[str, str]]:
    """What the links to the lab carry, by their names; several of one name are numbered."""
    found: dict[str, dict[str, str]] = {}
    for link in app.get("page_link"):
        if "lab" in link.proto.label.split():
            name = link.proto.label
            name += f" {sum(other.startswith(name) for other in found) + 1}" if name in found else ""
            found[name] = {key: values[0] for key, values in parse_qs(link.proto.query_string).items()}
    return found


def scene(carried: dict[str, str]) -> Scene:
    """The picture that the lab opens."""
    return from_address(carried)


def table(carried: dict[str, str]) -> Table:
    assert not scene(carried).step
    assert scene(carried).b is None
    return scene(carried).a


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(ROOT / "assets/support_answers.csv")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_agreement_carries_the_table_of_its_mosaic(visit, sample, mode, level) -> None:
    app = visit(mode=mode, level=level)
    judge = metrics.agreement(sample, abstention=mode, judges=[sample.judges[0]], interval="none").judges[sample.judges[0]]
    shown = (judge.item if level == "item" else judge.micro).confusion
    (carried,) = links(app).values()
    np.testing.assert_array_equal(scene(carried).picture.counts, shown)
    assert table(carried).abstains == (mode == "as_category")
    assert "lab_words" not in carried


def test_every_mode_of_abstention_carries_its_own(visit, sample) -> None:
    app = visit(ABSTENTION)
    found = list(links(app).values())
    for mode, carried in zip(MODES, found, strict=True):
        shown = metrics.agreement(sample, abstention=mode, judges=[sample.judges[0]], interval="none").judges[sample.judges[0]]
        np.testing.assert_array_equal(scene(carried).picture.counts, shown.micro.confusion)
    np.testing.assert_array_equal(table(found[2]).counts("exclude"), table(found[0]).counts())


def test_compare_carries_a_and_b(visit, sample) -> None:
    app = visit(COMPARE)
    one = metrics.compare(sample, *sample.judges[:2])
    found = links(app)
    for name, side in (("Open A in the lab", one.a), ("Open B in the lab", one.b)):
        np.testing.assert_array_equal(table(found[name]).counts(), side.block.confusion)


def test_a_row_of_kappa_and_phi(visit, sample) -> None:
    app = visit(GAP)
    assert not links(app)
    app.segmented_control(key="gap_show").set_value("names").run()
    app.selectbox(key="kappa_phi.subject").set_value("Polite tone").run()
    (carried,) = links(app).values()
    judge = metrics.agreement(sample, judges=[sample.judges[0]], interval="none").judges[sample.judges[0]]
    np.testing.assert_array_equal(table(carried).counts(), judge.criteria["Polite tone"].confusion)


def test_a_cut_carries_the_table_beside_it(visit, sample) -> None:
    report = metrics.roc(sample, interval="none")
    curve = report.judges[sample.judges[0]].pooled.curve
    app = visit(ROC)
    (carried,) = links(app).values()
    np.testing.assert_array_equal(table(carried).counts(), at_cut(curve.best, report.declaration).confusion)
    app.slider(key="roc.cut").set_value(curve.tally.ends[1]).run()
    (moved,) = links(app).values()
    assert table(moved).counts().sum() == table(carried).counts().sum()
    assert table(moved).counts()[:, 0].sum() < table(carried).counts()[:, 0].sum()


@pytest.mark.parametrize("page", [AGREEMENT, ROC])
def test_a_file_without_scores_carries_its_verdicts_and_its_labels(visit, page) -> None:
    words = {"MET": "yes", "UNMET": "no"}
    verdicts = [("MET", "MET")] * 5 + [("MET", "UNMET")] * 2 + [("UNMET", "MET")] + [("UNMET", "UNMET")] * 4
    own = rows((f"q{i}", "c", words[human], words[judge]) for i, (human, judge) in enumerate(verdicts))
    (carried,) = links(opened(visit, page, own)).values()
    assert scene(carried) == Scene("", Table((5, 2, 1, 4)), words=("yes", "no", "CANNOT_ASSESS"))


def test_the_golden_set_of_the_measured_rate(visit, sample) -> None:
    app = visit(RATE)
    (carried,) = links(app).values()
    golden = measured(sample, sample.judges[0], Settings(judges=(sample.judges[0],))).golden
    np.testing.assert_array_equal(table(carried).counts(), golden.counts)
    app.segmented_control(key="rate_from").set_value("typed").run()
    (carried,) = links(app).values()
    assert scene(carried) == Scene("", Table((63, 20, 133, 784)))
    app.segmented_control(key="rate_from").set_value("rates").run()
    (carried,) = links(app).values()
    np.testing.assert_allclose(table(carried).counts().sum(1), [83, 917])


@pytest.mark.parametrize("page", [AGREEMENT, ABSTENTION, COMPARE])
def test_more_than_two_labels_have_no_link(visit, page) -> None:
    own = rows((f"q{i}", "c", "abc"[i % 3], "abc"[i % 3 if i % 4 else 0]) for i in range(30))
    app = visit("pages/data/data.py")
    app.file_uploader(key="data.upload").upload("own.csv", own.replace(b",j,", b",j1,") + _second(own), "text/csv").run()
    for box in app.selectbox:
        if box.label.startswith("Meaning of"):
            box.set_value("class")
    app.run()
    app.button(key="data.use").click().run()
    app.switch_page(page).run()
    assert not app.exception
    assert app.get("plotly_chart") or app.table
    assert not links(app)


def _second(own: bytes) -> bytes:
    """The rows of another judge, who says the same."""
    return b"".join(line.replace(b",j,", b",j2,") for line in own.splitlines(keepends=True) if b",j," in line)


def test_the_room_has_no_link(visit) -> None:
    app = visit(view="room")
    app.button(key="room.right").click().run()
    assert app.get("plotly_chart")
    assert not links(app)


@pytest.mark.parametrize(
    ("confusion", "abstention"),
    [
        (None, None),
        ([[0, 0], [0, 0]], None),
        (np.zeros((3, 3)), 2),
        (np.ones((3, 3)), None),
        (np.ones((4, 4)), 3),
        ([[MOST + 1, 0], [0, 1]], None),
        ([[2]], None),
    ],
)
def test_what_the_lab_cannot_draw_has_no_address(confusion, abstention) -> None:
    assert address(confusion, ("MET", "UNMET", "CANNOT_ASSESS", "x"), abstention) is None


def test_the_address_of_a_table() -> None:
    plain = address([[45, 5], [95, 855]], ("MET", "UNMET"))
    assert plain["lab_a"] == "45_5_95_855"
    assert scene(plain) == Scene("", Table((45, 5, 95, 855)))
    assert scene(address([[45, 5], [95, MOST]], ("yes", "no"))).words == ("yes", "no", "CANNOT_ASSESS")
    three, silent = [[30, 10, 5], [10, 20, 5], [5, 5, 10]], Table((30, 10, 10, 20), (5, 5, 5, 5, 10))
    assert scene(address(three, ("MET", "UNMET", "CANNOT_ASSESS"), 2)) == Scene("", silent, mode="as_category")
    assert scene(address(three, ("MET", "UNMET", "NA"), 2)).words == ("MET", "UNMET", "NA")
    nobody = [[30, 10, 0], [10, 20, 0], [0, 0, 0]]
    assert scene(address(nobody, ("MET", "UNMET", "CANNOT_ASSESS"), 2)) == Scene("", Table((30, 10, 10, 20)))


def test_labels_arrive_as_they_left_and_apart() -> None:
    long = "the answer is entirely right, says {} of the raters"
    labels = long.format("one"), long.format("two"), "<b>~ no verdict & more</b>"
    words = scene(address([[1, 2, 3], [4, 5, 6], [7, 8, 9]], labels, 2)).words
    assert len(set(words)) == 3
    assert max(map(len, words)) <= 28
    assert words[2] == "<b>  no verdict & more</b>"
