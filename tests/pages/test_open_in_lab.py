from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.analyses.roc.result import at_cut
from metrics.analyses.settings import Settings
from metrics.analyses.true_rate.measured import measured
from metrics.content.lab.scenes import Scene, from_address
from metrics.content.lab.tables import ConfusionTable
from metrics.data.abstention import MODES
from metrics.results.words import shorten
from pages.shared.page_records import FIRST, PAGES
from tests.pages.own_file import opened, rows
from tests.pages.seen import figure, unescaped

ROOT = Path(__file__).resolve().parents[2]
AGREEMENT, ABSTENTION, COMPARE = "pages/judge/agreement.py", "pages/judge/abstention.py", "pages/judge/compare.py"
KAPPA_PHI, ROC, RATE = "pages/judge/kappa_phi.py", "pages/judge/roc.py", "pages/choose/rate.py"


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


def table(carried: dict[str, str]) -> ConfusionTable:
    assert not scene(carried).step
    assert scene(carried).b is None
    return scene(carried).a


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(ROOT / "assets/support_answers.csv")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_agreement_carries_the_table_of_its_mosaic(visit, sample, mode, level) -> None:
    app = visit(AGREEMENT, mode=mode, level=level)
    judge = metrics.agreement(sample, abstention=mode, judges=[sample.judges[0]], interval="none").judges[sample.judges[0]]
    item = level == "item"
    block = judge.item if item else judge.micro
    (carried,) = links(app).values()
    picture = scene(carried).picture
    np.testing.assert_array_equal(picture.counts, block.confusion)
    assert (picture.values["kappa"], picture.n, picture.mode) == (block.values["kappa"], block.n, mode)
    assert picture.unit == ("items" if item else "decisions")
    whole = sample.n_items if item else judge.coverage.n_total
    assert table(carried).n + picture.left == whole
    # Recoding comes before the item verdicts, so that no item is left open.
    assert table(carried).abstains == (not item or mode != "as_unmet")
    # Split votes are left out of the lab's table, and told as such: its coverage is that of the rest.
    plain = metrics.agreement(sample, judges=[sample.judges[0]], interval="none").judges[sample.judges[0]]
    covered = plain.item.n if item and mode != "as_unmet" else block.n if item else judge.coverage.n_covered
    assert table(carried).coverage == covered / table(carried).n
    assert item or picture.left == judge.coverage.n_split > 0
    assert "lab_words" not in carried


@pytest.mark.parametrize(
    ("mode", "level", "declared"),
    [
        ("exclude", "micro", "abstentions excluded, coverage"),
        ("as_unmet", "micro", "abstentions counted as UNMET, 14 of 1 119 decisions left out · one table of"),
        ("as_category", "micro", "abstentions kept as a class, 14 of 1 119 decisions left out · one table of"),
        ("as_unmet", "item", "abstentions counted as UNMET, 15 of 226 items left out · one table of 211 items"),
    ],
)
def test_the_lab_declares_the_table_as_the_page_does(visit, sample, mode, level, declared) -> None:
    (carried,) = links(visit(AGREEMENT, mode=mode, level=level)).values()
    text = " ".join(markdown.value for markdown in visit("pages/learn/lab.py", **carried).markdown)
    told = next(iter(re.findall(r"Binary · [^*]*\.", re.sub("[\u00a0\u202f]", " ", text).replace("\\", ""))))
    assert declared in told
    assert ("items" in told, "decisions" in told) == (level == "item", level != "item")
    if mode == "exclude":
        own = metrics.agreement(sample, judges=[sample.judges[0]], interval="none").judges[sample.judges[0]].coverage
        assert f"{own.n_covered:,} of {own.n_total - own.n_split:,} decisions".replace(",", " ") in told


def test_of_items_of_recoded_decisions_no_other_mode_is_offered(visit) -> None:
    (carried,) = links(visit(AGREEMENT, mode="as_unmet", level="item")).values()
    app = visit("pages/learn/lab.py", **carried)
    assert any("counted as UNMET before this table was made" in markdown.value for markdown in app.markdown)
    assert not [toggle.label for toggle in app.toggle if "without a verdict" in toggle.label]
    assert not app.radio or all("without a verdict" not in radio.label for radio in app.radio)
    (other,) = links(visit(AGREEMENT, mode="exclude", level="item")).values()
    (question,) = [radio.label for radio in visit("pages/learn/lab.py", **other).radio if "without a verdict" in radio.label]
    assert question == "Items without a verdict count as"


@pytest.mark.parametrize("mode", ["exclude", "as_unmet"])
def test_ties_that_are_left_out_are_told_apart(visit, mode) -> None:
    said = [("yes", "yes"), ("yes", "tie"), ("no", "no"), ("no", "yes"), ("tie", "tie"), ("no", "CANNOT_ASSESS")] * 4
    app = opened(visit, AGREEMENT, rows((f"q{i}", "c", *pair) for i, pair in enumerate(said)))
    app.session_state["tie"] = "exclude"
    app.session_state["mode"] = mode
    app.run()
    (carried,) = links(app).values()
    found = scene(carried)
    assert found.mode == mode
    assert found.left == (0 if mode == "exclude" else 8)
    np.testing.assert_array_equal(found.picture.counts, [[4, 0], [4, 4 if mode == "exclude" else 8]])


def test_every_mode_of_abstention_carries_its_own(visit, sample) -> None:
    app = visit(ABSTENTION)
    found = list(links(app).values())
    for mode, carried in zip(MODES, found, strict=True):
        shown = metrics.agreement(sample, abstention=mode, judges=[sample.judges[0]], interval="none").judges[sample.judges[0]]
        np.testing.assert_array_equal(scene(carried).picture.counts, shown.micro.confusion)
    assert table(found[0]) == table(found[1]) == table(found[2])


def test_compare_carries_a_and_b(visit, sample) -> None:
    app = visit(COMPARE)
    one = metrics.compare(sample, *sample.judges[:2])
    found = links(app)
    for name, side in (("Open A in the lab", one.a), ("Open B in the lab", one.b)):
        np.testing.assert_array_equal(scene(found[name]).picture.counts, side.block.confusion)
        assert table(found[name]).n == one.n_shared - one.outcomes["open"] == side.block.n


def test_a_row_of_kappa_and_phi(visit, sample) -> None:
    app = visit(KAPPA_PHI)
    assert not links(app)
    app.segmented_control(key="gap_show").set_value("names").run()
    app.selectbox(key="kappa_phi.subject").set_value("Polite tone").run()
    (carried,) = links(app).values()
    judge = metrics.agreement(sample, judges=[sample.judges[0]], interval="none").judges[sample.judges[0]]
    np.testing.assert_array_equal(scene(carried).picture.counts, judge.criteria["Polite tone"].confusion)
    assert table(carried).coverage == judge.criterion_coverage["Polite tone"].coverage


def test_a_cut_carries_the_table_beside_it(visit, sample) -> None:
    report = metrics.roc(sample, interval="none")
    curve = report.judges[sample.judges[0]].pooled.curve
    app = visit(ROC)
    (carried,) = links(app).values()
    np.testing.assert_array_equal(table(carried).counts(), at_cut(curve.best, report.declaration).confusion)
    assert table(carried).n + scene(carried).left == report.judges[sample.judges[0]].pooled.n_total
    app.session_state["roc.cut"] = curve.tally.ends[1]
    app.run()
    (moved,) = links(app).values()
    assert table(moved).counts().sum() == table(carried).counts().sum()
    assert table(moved).counts()[:, 0].sum() < table(carried).counts()[:, 0].sum()


@pytest.mark.parametrize("page", [AGREEMENT, ROC])
def test_a_file_without_scores_carries_its_verdicts_and_its_labels(visit, page) -> None:
    words = {"MET": "yes", "UNMET": "no"}
    verdicts = [("MET", "MET")] * 5 + [("MET", "UNMET")] * 2 + [("UNMET", "MET")] + [("UNMET", "UNMET")] * 4
    own = rows((f"q{i}", "c", words[human], words[judge]) for i, (human, judge) in enumerate(verdicts))
    (carried,) = links(opened(visit, page, own)).values()
    assert scene(carried) == Scene("", ConfusionTable((5, 2, 1, 4)), words=("yes", "no", "CANNOT_ASSESS"))


def test_the_golden_set_of_the_measured_rate(visit, sample) -> None:
    app = visit(RATE)
    (carried,) = links(app).values()
    golden = measured(sample, sample.judges[0], Settings(judges=(sample.judges[0],))).golden
    np.testing.assert_array_equal(table(carried).counts(), golden.counts)
    app.segmented_control(key="rate_from").set_value("typed").run()
    (carried,) = links(app).values()
    assert scene(carried) == Scene("", ConfusionTable((63, 20, 133, 784)))
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


LAB = "pages/learn/lab.py"
LONG = f"{'Clear and ' * 12}<b>bold</b>"
PAIRS = ("yes,yes", "yes,no", "no,no", "no,no", "no,yes", "yes,CANNOT_ASSESS") * 3
TWO = rows((f"q{i}", name, *pair.split(",")) for name in ("*Tone*", LONG) for i, pair in enumerate(PAIRS))


def follow(app: AppTest, carried: dict[str, str]) -> AppTest:
    """The lab as somebody meets it who clicks the link."""
    app.query_params.clear()
    for key, value in carried.items():
        app.query_params[key] = value
    app.switch_page(LAB).run()
    assert not app.exception
    return app


def read_off(app: AppTest) -> str:
    return unescaped(app).replace("\u00a0", " ").replace("\u202f", "")


def back(app: AppTest) -> list[str]:
    return [link.proto.label for link in app.get("page_link") if link.proto.label.startswith("Back to")]


def typed(app: AppTest, cell: str):
    return next(box for box in app.number_input if box.key.startswith(f"lab a {cell} typed"))


def test_the_lab_says_where_the_table_came_from_until_it_is_touched(visit) -> None:
    app = opened(visit, AGREEMENT, TWO)
    (carried,) = links(app).values()
    follow(app, carried)
    came = "2 criteria pooled, from own.csv, abstentions excluded."
    assert f"Judge j, {came}" in read_off(app)
    assert back(app) == ["Back to Agreement"]
    typed(app, "TP").set_value(7).run()
    assert f"Changed by hand; started from judge j, {came}" in read_off(app)
    assert "Your own table, started from judge j, 2 criteria pooled" in read_off(app)
    app.button(key="lab.undo").click().run()
    assert "Changed by hand" not in read_off(app)
    assert f"Judge j, {came}" in read_off(app)
    app.button(key="lab.next").click().run()
    assert "own.csv" not in read_off(app)
    assert not back(app)


def test_how_a_table_is_driven_does_not_touch_it_and_another_mode_does(visit) -> None:
    app = opened(visit, AGREEMENT, TWO)
    (carried,) = links(app).values()
    follow(app, carried)
    next(one for one in app.segmented_control if one.key.startswith("lab drive a")).set_value("rates").run()
    assert "Judge j, 2 criteria pooled" in read_off(app)
    assert "Changed by hand" not in read_off(app)
    next(one for one in app.radio if one.key.startswith("lab mode")).set_value("as_unmet").run()
    assert "Changed by hand; started from judge j, 2 criteria pooled, from own.csv, abstentions excluded." in read_off(app)


def test_of_two_tables_the_one_that_came_from_the_page_says_so(visit) -> None:
    app = opened(visit, AGREEMENT, TWO)
    (carried,) = links(app).values()
    follow(app, carried)
    next(one for one in app.toggle if one.key.startswith("lab second")).set_value(True).run()
    assert read_off(app).partition("A and B in numbers")[2].count("from own.csv, abstentions excluded.") == 1
    assert read_off(app).partition("A and B in numbers")[0].count("Judge j, 2 criteria pooled, from own.csv") == 2
    typed(app, "TP").set_value(7).run()
    assert "Changed by hand" not in read_off(app)
    assert read_off(app).count("from own.csv, abstentions excluded.") == 1
    assert "Judge j" in read_off(app).partition("A and B in numbers")[2]
    assert "Your own table" in read_off(app)


@pytest.mark.parametrize("name", ["*Tone*", LONG])
def test_a_criterion_is_named_as_plain_text_and_not_in_the_address(visit, name) -> None:
    app = opened(visit, KAPPA_PHI, TWO)
    app.segmented_control(key="gap_show").set_value("names").run()
    app.selectbox(key="kappa_phi.subject").set_value(name).run()
    (carried,) = links(app).values()
    assert re.fullmatch("[0-9a-f]{8}", carried["lab_from"])
    assert not any(word in " ".join(carried.values()) for word in ("Tone", "Clear", "own", "csv"))
    follow(app, carried)
    shown = [str(one.value) for one in [*app.markdown, *app.header] if "Judge j" in str(one.value)]
    assert len(shown) >= 2
    assert not any("*Tone*" in text or "<b>" in text or LONG in text for text in shown)
    assert f"criterion {shorten(name)}, from own.csv" in read_off(app)
    assert back(app) == ["Back to κ and φ"]


@pytest.mark.parametrize("page", [AGREEMENT, ABSTENTION, COMPARE, ROC, RATE])
def test_each_page_says_what_its_table_is_and_is_the_way_back(visit, sample, page) -> None:
    app = visit(page)
    carried = next(iter(links(app).values()))
    judge, other = sample.judges[:2]
    humans = ", reference majority of the humans" if len(sample.humans) > 1 else ""
    ends = f"{humans}, from support_answers.csv, abstentions excluded."
    said, title = {
        AGREEMENT: (ends, "Agreement"),
        ABSTENTION: (ends, "Abstention"),
        COMPARE: (f", decisions answered by {other} too{humans}, from support_answers.csv", "Compare judges"),
        ROC: (", score ≥ ", "ROC and thresholds"),
        RATE: (f", golden set{ends}", "Corrected rate"),
    }[page]
    follow(app, carried)
    assert f"Judge {judge}, 5 criteria pooled{said}" in read_off(app)
    assert back(app) == [f"Back to {title}"]


def test_pages_that_lead_to_the_lab_are_known_there_by_their_addresses(registered) -> None:
    known = {page["url_pathname"]: page["page_script_hash"] for page in registered.values()}
    there = [page for page in PAGES if page.opens_lab]
    assert {page.name for page in there if page is not FIRST} <= set(known)
    assert all((ROOT / page.path).exists() for page in there)


def test_the_counts_of_a_golden_set_typed_by_hand_say_so(visit) -> None:
    app = visit(RATE, rate_from="typed", rate_tp="64")
    (carried,) = links(app).values()
    follow(app, carried)
    assert "Golden set typed on the page Corrected rate." in read_off(app)


def test_the_counts_of_the_example_golden_set_say_so(visit) -> None:
    app = visit(RATE, rate_from="typed")
    (carried,) = links(app).values()
    follow(app, carried)
    assert "Golden set of the example on the page Corrected rate." in read_off(app)


def test_without_the_file_a_link_opens_the_same_table_as_one_s_own(visit) -> None:
    app = opened(visit, AGREEMENT, TWO)
    (carried,) = links(app).values()
    elsewhere = visit(LAB, **carried)
    assert "Your own table" in read_off(elsewhere)
    assert "own.csv" not in read_off(elsewhere)
    assert not back(elsewhere)
    follow(app, carried)
    for key in ("lab.mosaic_a", "lab.split", "lab.lines", "lab.space"):
        assert figure(app, key) == figure(elsewhere, key)


def test_a_link_to_a_table_of_the_sample_says_so_in_another_session(visit) -> None:
    (carried,) = links(visit(AGREEMENT)).values()
    assert "from support_answers.csv, abstentions excluded." in read_off(visit(LAB, **carried))
    for changed in ({"lab_a": "1_2_3_4"}, {"lab_mode": "as_unmet"}):
        assert "Changed by hand; started from judge" in read_off(visit(LAB, **carried | changed))
    assert "support_answers" not in read_off(visit(LAB, **carried | {"lab_from": "00000000"}))
    assert "support_answers" not in read_off(visit(LAB, **carried, lab_step="1a"))


def test_the_way_back_goes_with_the_data_set(visit) -> None:
    app = opened(visit, AGREEMENT, TWO)
    (carried,) = links(app).values()
    follow(app, carried)
    app.session_state["data"] = "support_answers"
    app.run()
    assert "from own.csv" in read_off(app)
    assert not back(app)


def test_the_room_has_no_link(visit) -> None:
    app = visit(AGREEMENT, view="room")
    app.button(key="room.right").click().run()
    assert app.get("plotly_chart")
    assert not links(app)
