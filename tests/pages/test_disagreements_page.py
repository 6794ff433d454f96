"""The page Disagreements: the list that is asked for, on every scale, with the item in full and nothing of it rendered."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics import Ratings
from metrics.analyses.disagreements import tables
from metrics.analyses.disagreements.listing import Listing, listing_of
from metrics.analyses.disagreements.query import Query, find
from metrics.analyses.disagreements.readings import NO_ITEMS, ROWS, cell_words, opening
from metrics.analyses.settings import Settings
from metrics.results.safe_csv import FORMULA_STARTS
from metrics.results.words import NEEDS_ROWS, count, several
from pages.shared import sheets
from pages.shared.disagreements.presets import SORTS, preset
from pages.shared.state import Dataset
from tests import made_files
from tests.metrics.test_tallied_reports import both
from tests.pages.conftest import ROOT, Open
from tests.pages.files import DATA, upload, use
from tests.pages.files import several as dropped
from tests.pages.seen import text_of, unescaped
from tests.pages.test_plain import HOSTILE
from tests.pages.test_scales_of_criteria import MIXED

PAGE = "pages/disagreements/disagreements.py"
SAMPLE = ROOT / "assets" / "support_answers.csv"
PAIRS = {"A": "positive", "B": "negative", "tie": "tie"}


@pytest.fixture
def with_ratings(registered: dict[str, Any]) -> Callable[..., AppTest]:
    """The page with ratings of one's own."""

    def start(ratings: Ratings, page: str = PAGE, **query: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.session_state["uploads"] = {"own": Dataset("own", "Own", "upload", ratings)}
        app.session_state["data"] = "own"
        for key, value in query.items():
            app.query_params[key] = value
        app._registered_pages = registered
        app.switch_page(page)
        app.run()
        assert not app.exception
        return app

    return start


def sample(judge: str = "strict", mode: str = "exclude", **how: str) -> Listing:
    return listing_of(metrics.read(SAMPLE), Settings(mode, judges=(judge,)), **how)  # type: ignore[arg-type]


def ids(listing: Listing, query: Query) -> list[str]:
    return listing.ratings.items.take(find(listing, query).items).to_pylist()  # type: ignore[no-any-return]


def listed(app: AppTest) -> pd.DataFrame:
    return next(frame.value for frame in app.dataframe if "item" in frame.value.columns)


def read_item(app: AppTest) -> str:
    (heading,) = [one.value.split("\n")[0].removeprefix("## ") for one in app.main.markdown if one.value.startswith("## ")]
    return heading.replace("\\", "").replace("\u2060", "")


def on_list(app: AppTest) -> str:
    return next(one.value for one in app.markdown if one.value.startswith(":small[") and "item" in one.value)


def has_lists(app: AppTest, listing: Listing, query: Query) -> None:
    """The page shows this list, with the first item in full."""
    wanted = ids(listing, query)
    assert listed(app)["item"].tolist() == wanted[:200]
    assert read_item(app) == wanted[0]
    assert f"**1 of {count(len(wanted))}**" in text_of(app)
    assert several(len(wanted), "items") in on_list(app)


def test_the_first_sentence_answers_and_the_list_begins_with_the_clearest(visit: Open) -> None:
    app, listing = visit(PAGE), sample()
    assert opening(listing).split(" and ")[1] in unescaped(app)
    has_lists(app, listing, Query("disagreements"))
    assert app.radio(key="rows").options == [ROWS[rows] for rows in listing.kinds]
    captions = list(app.radio(key="rows").proto.captions)
    assert captions == [count(listing.count(mask)) for mask in listing.kinds.values()]


@pytest.mark.parametrize("rows", ["no_verdict", "most", "people", "judges", "all"])
def test_rows_are_chosen_on_the_page_and_by_a_link(visit: Open, rows: str) -> None:
    query = Query(rows)  # type: ignore[arg-type]
    app = visit(PAGE)
    app.radio(key="rows").set_value(rows).run()
    assert not app.exception
    has_lists(app, sample(), query)
    has_lists(visit(PAGE, rows=ROWS[query.rows]), sample(), query)
    has_lists(visit(PAGE, rows=rows), sample(), query)


@pytest.mark.parametrize("sort", ["most", "file"])
def test_the_order_is_chosen(visit: Open, sort: str) -> None:
    app = visit(PAGE)
    app.selectbox(key="sort").set_value(sort).run()
    has_lists(app, sample(), Query("disagreements", sort=sort))  # type: ignore[arg-type]
    assert app.selectbox(key="sort").options == list(SORTS.values())


def test_mode_level_judge_and_reference_act_on_the_list(visit: Open) -> None:
    app = visit(PAGE)
    app.radio(key="mode").set_value("as_category").run()
    has_lists(app, sample(mode="as_category"), Query("disagreements"))
    app.segmented_control(key="level").set_value("item").run()
    has_lists(app, sample(mode="as_category", level="item"), Query("disagreements"))
    app.segmented_control(key="level").set_value("micro").run()
    app.selectbox(key="judge").set_value("lenient").run()
    has_lists(app, sample("lenient", "as_category"), Query("disagreements"))
    app.selectbox(key="reference").set_value("ana").run()
    ana = listing_of(metrics.read(SAMPLE), Settings("as_category", "ana", ("lenient",)))
    has_lists(app, ana, Query("disagreements"))
    assert "*lenient* and *ana* disagree" in text_of(app)


PRESETS: list[tuple[dict[str, Any], dict[str, str], Query]] = [
    ({"cell": ("UNMET", "MET")}, {}, Query("disagreements", cell=(1, 0))),
    ({"cell": ("MET", "MET")}, {}, Query("all", cell=(0, 0))),
    ({"criterion": "Polite tone"}, {}, Query("disagreements", criterion="Polite tone")),
    ({"rows": "only_judge", "other": "lenient"}, {"other": "lenient"}, Query("only_judge")),
    ({"rows": "only_other", "other": "lenient"}, {"other": "lenient"}, Query("only_other")),
    ({"rows": "neither", "other": "cautious"}, {"other": "cautious"}, Query("neither")),
    ({"rows": "people"}, {}, Query("people")),
    ({"rows": "judges", "sort": "file"}, {}, Query("judges", sort="file")),
    ({"search": "ROUTER"}, {}, Query("disagreements", search="router")),
]


@pytest.mark.parametrize(("wanted", "how", "query"), PRESETS, ids=lambda part: str(part)[:40])
def test_a_preset_opens_its_list(visit: Open, wanted: dict[str, Any], how: dict[str, str], query: Query) -> None:
    has_lists(visit(PAGE, **preset(**wanted)), sample(**how), query)


def test_a_preset_names_the_judge_and_the_item(visit: Open) -> None:
    listing = sample("lenient", other="strict")
    third = ids(listing, Query("only_judge"))[2]
    app = visit(PAGE, **preset(rows="only_judge", judge="lenient", other="strict", item=third))
    assert read_item(app) == third
    assert f"**3 of {count(len(ids(listing, Query('only_judge'))))}**" in text_of(app)


def test_an_item_that_is_not_on_the_list_is_said_to_be_missing(visit: Open) -> None:
    agreed = next(iter(set(ids(sample(), Query("all"))) - set(ids(sample(), Query("disagreements")))))
    app = visit(PAGE, item=agreed)
    assert f"Item *{agreed}* is not on this list" in text_of(app)
    app.button(key="disagreements.all").click().run()
    assert read_item(app) == agreed
    assert "is not on this list" not in text_of(app)
    assert "not on this list" in text_of(visit(PAGE, item="no such item"))


def test_a_link_to_a_list_takes_the_place_of_what_was_asked_before(visit: Open) -> None:
    app = visit(PAGE, search="router", criterion="Polite tone")
    app.switch_page("pages/judge/agreement.py").run()
    app.query_params.clear()
    for key, value in preset(rows="people").items():
        app.query_params[key] = value
    app.switch_page(PAGE).run()
    has_lists(app, sample(), Query("people"))


def test_items_are_turned_one_by_one(visit: Open) -> None:
    app, names = visit(PAGE), ids(sample(), Query("disagreements"))
    assert app.button(key="disagreements.back").disabled
    for place in (1, 2):
        app.button(key="disagreements.next").click().run()
        assert read_item(app) == names[place]
    app.button(key="disagreements.back").click().run()
    assert read_item(app) == names[1]
    app.text_input(key="search").set_value("no such words").run()
    app.text_input(key="search").set_value("").run()
    assert read_item(app) == names[1], "a list that holds the item again shows it again"


def test_an_empty_list_names_the_filter_and_goes_back(visit: Open) -> None:
    app = visit(PAGE, criterion="Polite tone", search="no such words")
    n = len(ids(sample(), Query("disagreements", criterion="Polite tone")))
    assert f"No item fits all filters. There are without the search {several(n, 'items')}." in text_of(app)
    assert not app.get("download_button")
    app.button(key="disagreements.clear").click().run()
    has_lists(app, sample(), Query("disagreements"))
    app.button(key="disagreements.undo").click().run()
    assert app.text_input(key="search").value == "no such words"
    assert "No item fits all filters." in text_of(app)
    app.text_input(key="search").set_value("").run()
    has_lists(app, sample(), Query("disagreements", criterion="Polite tone"))


def test_filters_of_which_none_alone_empties_the_list(visit: Open) -> None:
    app = visit(PAGE, cell=cell_words("MET", "MET"), search="no such words")
    assert "leaving out one of them does not help" in text_of(app)


def test_rows_that_are_not_there_are_said_so(with_ratings: Callable[..., AppTest]) -> None:
    lines = [f"i{n},gpt,{label},{label}" for n, label in enumerate(["MET", "UNMET"] * 5)]
    app = with_ratings(metrics.read("\n".join(["item,judge,human,verdict", *lines]).encode()))
    assert "agree on all 10 decisions" in text_of(app)
    assert "No decision is in this list: disagreements." in text_of(app)
    app.radio(key="rows").set_value("all").run()
    assert len(listed(app)) == 10


def test_a_cell_of_agreement_shows_all_decisions(visit: Open) -> None:
    app = visit(PAGE)
    app.selectbox(key="cell").set_value((0, 0)).run()
    assert app.radio(key="rows").value == "all"
    has_lists(app, sample(), Query("all", cell=(0, 0)))


def test_a_column_filters_by_its_value(with_ratings: Callable[..., AppTest]) -> None:
    lines = [f"i{n},gpt,MET,{('MET', 'UNMET')[n % 2]},{('mail', 'chat', 'call')[n % 3]}" for n in range(30)]
    app = with_ratings(metrics.read("\n".join(["item,judge,human,verdict,channel", *lines]).encode()))
    assert not [box for box in app.selectbox if box.key == "value"]
    app.selectbox(key="column").set_value("channel").run()
    app.selectbox(key="value").set_value("chat").run()
    assert listed(app)["item"].tolist() == [f"i{n}" for n in range(30) if n % 2 and n % 3 == 1]
    app.selectbox(key="column").set_value(None).run()
    assert len(listed(app)) == 15


SCALES: dict[str, Callable[[], Ratings]] = {
    "order": lambda: metrics.read(made_files.graded().encode(), order=["1", "2", "3", "4"]),
    "numbers": lambda: metrics.read(made_files.numbers().encode(), scale="continuous"),
    "pairs": lambda: metrics.read(made_files.votes().encode(), labels=PAIRS),
    "three people": lambda: metrics.read(made_files.three_raters().encode(), order=["0.0", "0.5", "1.0"]),
}


@pytest.mark.parametrize("scale", SCALES)
def test_every_scale_has_its_list(with_ratings: Callable[..., AppTest], scale: str) -> None:
    ratings = SCALES[scale]()
    app = with_ratings(ratings)
    judges = ratings.judges[:1] if ratings.humans else ()
    listing = listing_of(ratings, Settings(judges=judges))
    assert re.split(r" on |\. ", opening(listing).rstrip("."))[-1] in unescaped(app)
    has_lists(app, listing, Query(listing.first))
    app.radio(key="rows").set_value("all").run()
    has_lists(app, listing, Query("all"))


def test_raters_alone_and_judges_alone(visit: Open, with_ratings: Callable[..., AppTest]) -> None:
    frame = pd.read_csv(SAMPLE, dtype=str, keep_default_na=False)
    for role, who in (("human", "People"), ("judge", "The judges")):
        ratings = metrics.read(frame[frame["role"] == role].to_csv(index=False).encode())
        app = with_ratings(ratings)
        assert text_of(app).count(f"{who} disagree on ") == 1
        listing = listing_of(ratings, Settings())
        has_lists(app, listing, Query(listing.first))


def test_a_table_of_counts_and_a_tally_have_no_items(visit: Open, with_ratings: Callable[..., AppTest]) -> None:
    assert NO_ITEMS in text_of(visit(PAGE, data="rao_balanced"))
    app = with_ratings(both("support_answers")[1])
    assert NEEDS_ROWS in text_of(app)
    assert not app.dataframe
    assert [button.label for button in app.main.button] == ["Open the table that was counted"]


def test_nothing_open_and_a_link_of_somebody_else(visit: Open) -> None:
    assert "not open here" in text_of(visit(PAGE, data="abcd1234"))


def test_joined_files_are_listed_together(visit: Open) -> None:
    gold = b"id,gold\nq1,yes\nq2,no\nq3,yes\nq4,no\n"
    judge = b"id,judge\nq1,yes\nq2,yes\nq3,yes\nq4,no\n"
    app = use(dropped(visit(DATA), ("gold.csv", gold), ("judge.csv", judge)))
    app.switch_page(PAGE).run()
    assert not app.exception
    assert listed(app)["item"].tolist() == ["q2"]


def test_texts_of_the_file_stay_texts(visit: Open) -> None:
    rows = ["item,criterion,judge,human,verdict,judge_reason,question"]
    for place, name in enumerate(HOSTILE):
        quoted = name.replace('"', '""')
        text = f"{quoted} {'x' * 60}\n\n    {quoted}\n# {quoted}"
        rows.append(f'"{quoted}","{quoted}",bot,{("MET", "UNMET")[place % 2]},MET,"{quoted}","{text}"')
    app = upload(visit(DATA), "own.csv", "\n".join(rows).encode())
    app.switch_page(PAGE).run()
    assert not app.exception
    wrong = [name for place, name in enumerate(HOSTILE) if place % 2]
    assert listed(app)["item"].tolist() == wrong
    for place, name in enumerate(wrong):
        shown = unescaped(app)
        assert shown.count(name.replace("\\", "")) >= 4, name
        for one in app.main.markdown:
            bare = one.value.replace("\\\\", "")
            assert bare.count("<") == bare.count("\\<"), one.value
            assert not any(line.startswith(("#", "    ", "- ")) and not line.startswith("## ") for line in bare.split("\n"))
        if place + 1 < len(wrong):
            app.button(key="disagreements.next").click().run()
            assert not app.exception


def test_hostile_answers_in_the_address_ask_for_nothing(visit: Open) -> None:
    keys = ("rows", "cell", "criterion", "column", "value", "sort", "other", "item")
    for text in ("<script>alert(1)</script>", "x" * 20_000, "\u202e=1+1"):
        app = visit(PAGE, **dict.fromkeys(keys, text))
        assert "<script>" not in text_of(app)
        assert listed(app)["item"].tolist() == ids(sample(), Query("disagreements"))
    app = visit(PAGE, search="(.*[")
    assert "No item fits all filters" in text_of(app)


def test_the_download_holds_the_whole_list_and_nothing_that_computes(
    with_ratings: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: dict[str, Callable[[], Any]] = {}
    button = sheets.button

    def kept(label: str, make: Callable[[], Any], name: str, key: str, mime: str = "text/csv") -> None:
        made[key] = make
        button(label, make, name, key, mime)

    monkeypatch.setattr(sheets, "button", kept)
    rows = [f"i{n},tone,gpt,MET,{('UNMET', 'MET')[n % 4 == 0]},=1+{n},@x{n}" for n in range(400)]
    text = "\n".join(["item,criterion,judge,human,verdict,judge_reason,question", *rows])
    ratings = metrics.read(text.encode())
    app = with_ratings(ratings)
    assert len(listed(app)) == 200
    assert "Shown: 1 to 200; the download holds all." in text_of(app)
    taken = list(csv.DictReader(io.StringIO(made["disagreements.csv"]())))
    listing, query = listing_of(ratings, Settings(judges=("gpt",))), Query("disagreements")
    frame = tables.listed_frame(listing, find(listing, query), query)
    assert len(taken) == len(frame) == 300
    assert [row["item"] for row in taken] == frame["item"].tolist()
    assert {row["judge: gpt reason"][:3] for row in taken} == {"'=1"}
    assert not any(cell.startswith(FORMULA_STARTS) for row in taken for cell in row.values() if cell)


def test_far_down_a_long_list_its_own_rows_are_shown(with_ratings: Callable[..., AppTest]) -> None:
    rows = [f"i{n},gpt,MET,UNMET" for n in range(450)] + ["z,gpt,UNMET,UNMET"]
    app = with_ratings(metrics.read("\n".join(["item,judge,human,verdict", *rows]).encode()), item="i433")
    assert read_item(app) == "i433"
    assert listed(app)["item"].tolist() == [f"i{n}" for n in range(400, 450)]
    assert "Shown: 401 to 450" in text_of(app)


def test_no_page_asks_for_a_list_by_itself() -> None:
    """Addresses of lists are made in one place."""
    allowed = {"presets.py", "asking.py", "listed.py", "page_records.py"}
    for path in Path(ROOT / "pages").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert path.name in allowed or "DISAGREEMENTS.path" not in text, path


def test_the_room_shows_one_item_at_a_time(visit: Open) -> None:
    app, names = visit(PAGE, view="room"), ids(sample(), Query("disagreements"))
    assert not app.dataframe
    assert not app.get("download_button")
    app.button(key="disagreements.next").click().run()
    assert read_item(app) == names[1]
    app.button(key="room.leave").click().run()
    assert not app.exception
    assert listed(app)["item"].tolist() == names
    assert read_item(app) == names[1]


def test_criteria_on_several_scales_are_in_one_list(visit: Open) -> None:
    app = upload(visit(DATA), "mixed.csv", MIXED)
    app.switch_page(PAGE).run()
    assert not app.exception
    assert "disagree on 4 of 13 decisions" in unescaped(app)
    assert set(listed(app)["item"]) == {"q1", "q2", "q3"}
    app.selectbox(key="scale").set_value("ordinal").run()
    assert not app.exception
    assert "disagree on 3 of 6 decisions" in unescaped(app)
