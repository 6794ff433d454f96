from __future__ import annotations

import csv
import io

import pytest

from metrics.content.audit import readings, worked
from metrics.content.audit.adding import additions
from metrics.content.audit.counting import Wanted, by_practice, left
from metrics.content.audit.sources import SOURCES
from metrics.content.audit.systems import BY_KEY, NONE_NAMED, SYSTEMS
from metrics.report.checklist.practice import NAMES
from metrics.results.safe_csv import safe_csv
from pages.shared.audit import asking, details
from pages.shared.page_records import PAGES
from tests.pages.seen import figure, unescaped, words_in

AUDIT = "pages/learn/audit.py"


def shown(app) -> list[str]:
    """Names in the table."""
    return list(app.dataframe[0].value["System"])


def plain(text: object) -> str:
    return str(text).replace("\\", "").replace("\u2060", "")


def headings(app) -> list[str]:
    return [plain(heading.value) for heading in app.header]


def details_of(app) -> dict[str, str]:
    """What would be added, by practice."""
    frame = next(table.value for table in app.table if "What it would add" in table.value)
    return {plain(practice): plain(text) for practice, text in zip(frame.iloc[:, 0], frame.iloc[:, 1], strict=True)}


def test_all_24_stand_there_with_what_is_said_of_them_and_where_that_comes_from(visit) -> None:
    app = visit(AUDIT)
    assert [title.value for title in app.title] == ["Reporting audit"]
    text = unescaped(app)
    question = "What does a full report say of one system’s labels, and what do 24 of them state?"
    sentences = (
        question,
        worked.pooled_reading(worked.pooled()),
        readings.CAVEAT,
        readings.headline(SYSTEMS),
        readings.reading(SYSTEMS),
        readings.ORIGIN,
    )
    places = [text.index(sentence) for sentence in sentences]
    assert places[:5] == sorted(places[:5]), "the worked system comes first, and the caveat stands before any count"
    assert "leave out" not in text
    assert shown(app) == [system.name for system in SYSTEMS]
    assert not app.error


def test_the_figure_and_its_text_hold_the_counts(visit) -> None:
    chart = figure(visit(AUDIT), "audit.practices")
    named = by_practice(SYSTEMS)
    for trace, state in zip(chart["data"], ("said", "otherwise", "not said", "not asked"), strict=True):
        hovers = [f"<b>{name}</b><br>{number} {NAMES[number]}" for number in NAMES for name in named[number][state]]
        assert [hover.rpartition("<br>")[0].replace("&amp;", "&") for hover in trace["hovertext"]] == hovers
    assert "4 of 15" in words_in(chart)
    assert all(f"{number} {name}" in words_in(chart).replace("<br>", " ") for number, name in NAMES.items())


def test_each_choice_leaves_what_it_says_and_all_of_them_together(visit) -> None:
    app = visit(AUDIT)
    app.selectbox(key=asking.CATEGORY).set_value("GRADED").run()
    assert shown(app) == [one.name for one in left(Wanted(category="GRADED"))]
    app.selectbox(key=asking.MEASURE).set_value("kendall").run()
    assert shown(app) == ["SEEval", "FLASK"]
    app.selectbox(key=asking.SCALE).set_value("ordinal").run()
    assert shown(app) == ["FLASK"]
    app.text_input(key=asking.TEXT).set_value("ye 2024").run()
    assert shown(app) == ["FLASK"]
    assert readings.headline(left(Wanted(category="GRADED", scale="ordinal", measure="kendall"))) in unescaped(app)
    assert not app.exception


def test_a_link_restores_the_filter_and_the_system_in_plain_names_too(visit) -> None:
    app = visit(AUDIT, audit_category="PAIRWISE", audit_scale="ordinal", audit_system="auto-j")
    assert shown(app) == ["MT-Bench and Chatbot Arena", "Auto-J"]
    assert app.selectbox(key=asking.SYSTEM).value == "auto-j"
    assert "Auto-J" in headings(app)
    app = visit(AUDIT, audit_category="Pairwise", audit_measure="None named", audit_text="ranking")
    assert shown(app) == ["JuStRank"]
    assert "audit_measure" in app.query_params


def test_nothing_left_says_why_and_offers_all_again(visit) -> None:
    app = visit(AUDIT, audit_category="MULTI-CLASS", audit_measure="f1", audit_text="*no* [such](x)")
    assert not app.dataframe
    assert "No system is left: Multi-class and F1-style agreement and “*no* [such](x)”. Loosen a choice above." in unescaped(app)
    assert readings.ORIGIN in unescaped(app)
    next(button for button in app.button if button.label == "Show all").click().run()
    assert len(shown(app)) == 24
    assert not app.exception


@pytest.mark.parametrize("key", ["checkeval", "mt-bench", "flask", "ragas", "poll", "judge-bench", "instructeval"])
def test_one_system_shows_its_facts_what_would_be_added_and_its_data(visit, key) -> None:
    app = visit(AUDIT, audit_system=key)
    system, text = BY_KEY[key], unescaped(app)
    assert system.output in text
    assert system.link in text
    asked = [one for one in additions(system) if one.state != "not asked"]
    found = details_of(app)
    assert list(found) == [f"{details.MARKS[one.state]} {one.number}. {one.name}" for one in asked]
    for one, cell in zip(asked, found.values(), strict=True):
        assert cell.replace("  \n", " ").startswith(one.text)
    source = SOURCES[key]
    if source.place:
        assert source.link in text
        assert source.licence in text
        assert source.checked in text
    else:
        assert readings.NO_DATA in text
    assert [block.value for block in app.code] == ([source.command] if source.loads else [])


def test_every_system_opens(visit) -> None:
    app = visit(AUDIT)
    for system in SYSTEMS:
        app.selectbox(key=asking.SYSTEM).set_value(system.key).run()
        assert not app.exception
        assert system.output in unescaped(app)


def test_a_system_that_a_choice_leaves_out_gives_way_to_the_first_that_is_left(visit) -> None:
    app = visit(AUDIT, audit_system="flask")
    app.selectbox(key=asking.CATEGORY).set_value("BINARY").run()
    assert app.selectbox(key=asking.SYSTEM).value == "checkeval"
    assert not app.exception


def test_a_row_of_the_table_opens_its_system(monkeypatch) -> None:
    kept = {"table": {"selection": {"rows": [1]}}, asking.SYSTEM: "ares"}
    monkeypatch.setattr(asking.st, "session_state", kept)
    asking.open_row("table", ["flask", "ragas"])
    assert kept[asking.SYSTEM] == "ragas"
    kept["table"] = {"selection": {"rows": []}}
    asking.open_row("table", ["flask", "ragas"])
    assert kept[asking.SYSTEM] == "ragas"


def test_every_page_it_sends_to_is_one() -> None:
    names = {name for system in SYSTEMS for one in additions(system) for name in one.pages}
    assert names <= {page.name for page in PAGES}


def test_the_sidebar_has_no_effect_and_says_so(visit) -> None:
    app = visit(AUDIT)
    assert app.selectbox(key="data").disabled
    assert "published systems" in app.selectbox(key="data").help
    assert app.radio(key="mode").disabled


def test_it_needs_no_data_set(visit) -> None:
    app = visit(AUDIT, data="unknown-one")
    assert len(shown(app)) == 24
    assert not app.exception


def test_room_view_shows_one_thing_at_a_time_of_what_the_link_leaves(visit) -> None:
    app = visit(AUDIT, view="room", audit_category="ENSEMBLE")
    assert "1 of 6" in unescaped(app)
    assert worked.pooled_reading(worked.pooled()) in unescaped(app)
    for place in range(2, 7):
        app.button(key="room.right").click().run()
        assert not app.exception
        assert f"{place} of 6" in unescaped(app)
        assert (readings.headline(left(Wanted(category="ENSEMBLE"))) in unescaped(app)) == (place == 3)
    assert "PoLL" in headings(app)


def test_the_download_is_of_what_is_left() -> None:
    systems = left(Wanted(measure=NONE_NAMED))
    rows = list(csv.DictReader(io.StringIO(safe_csv(readings.sheet(systems)))))
    assert [row["system"] for row in rows] == [one.name for one in systems]
    assert {row["reports"] for row in rows} == {"None named"}
    assert all(row["11 would be added"] for row in rows)


def test_the_checklist_for_ones_own_data_is_one_step_away(visit) -> None:
    assert any(link.proto.page.endswith("report") for link in visit(AUDIT).get("page_link"))
