from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from metrics.commands.cli import main
from metrics.content.audit import readings
from metrics.content.audit.adding import STATES, additions
from metrics.content.audit.counting import Wanted, by_practice, categories, crosstab, left
from metrics.content.audit.practices import ASKED, DEPENDS
from metrics.content.audit.sources import SOURCES
from metrics.content.audit.systems import BY_KEY, MEASURES, NONE_NAMED, SEVERAL, SYSTEMS, Category, Measure
from metrics.data.labels import Scale
from metrics.report.checklist.practice import NAMES
from metrics.results.safe_csv import safe_csv
from tests.shared_data import data

ROOT = Path(__file__).resolve().parents[2]
ADDRESSES = {"data", "agreement", "kappa-phi", "abstention", "choices", "scores", "preferences", "ensemble", "scales"}
FILES = {
    "checkeval": "topicalchat_unieval.csv",
    "mt-bench": "mtbench_gpt4_pairwise.csv",
    "pandalm": "raw/pandalm_testset-v1.json",
    "llmbar": "llmbar_natural.csv",
    "llm-rubric": "llmrubric_real_ordinal.csv",
    "ragas": "ragas_annotated.csv",
    "judge-bench": "dices350_raters.csv",
}
"""Public labels of the systems, in the layout that their line loads."""


def state(key: str, number: int) -> str:
    return {one.number: one.state for one in additions(BY_KEY[key])}[number]


def test_there_are_24_in_the_categories_of_the_table() -> None:
    assert len(SYSTEMS) == len(BY_KEY) == len({one.name for one in SYSTEMS}) == 24
    assert Counter(one.category for one in SYSTEMS) == {
        "GRADED": 11, "PAIRWISE": 7, "BINARY": 3, "ENSEMBLE": 2, "MULTI-CLASS": 1,
    }  # fmt: skip
    assert categories(SYSTEMS) == Counter(one.category for one in SYSTEMS)
    assert [one.name for one in SYSTEMS if one.category == "BINARY"] == ["CheckEval", "ARES", "RAGAS"]
    assert {one.year for one in SYSTEMS} == {2023, 2024, 2025}


def test_every_fact_is_of_a_known_kind() -> None:
    assert tuple(MEASURES) == get_args(Measure)
    for one in SYSTEMS:
        assert one.category in get_args(Category)
        assert set(one.scales) <= set(get_args(Scale))
        assert set(one.reports) <= set(MEASURES)
        assert len(set(one.reports)) == len(one.reports)
        assert bool(one.nonresponse) == bool(one.handling)
        assert one.link.startswith(("https://arxiv.org/abs/2", "https://aclanthology.org/202"))
        assert one.output


def test_what_is_reported_is_what_the_table_lists() -> None:
    assert BY_KEY["flask"].reports == ("pearson", "spearman", "kendall")
    assert BY_KEY["judge-bench"].reports == ("kappa", "spearman", "alpha")
    assert [one.key for one in SYSTEMS if one.no_second_name] == ["alpacaeval", "pandalm", "judgelm", "justrank"]
    assert [one.key for one in SYSTEMS if one.nonresponse] == ["mt-bench", "auto-j", "ragas"]


def test_eleven_practices_each_with_a_sentence_and_a_page_where_it_applies() -> None:
    assert list(NAMES) == list(range(1, 12))
    assert set(ASKED) == set(DEPENDS) == set(range(1, 11))
    assert all(set(by_scale) == set(get_args(Scale)) for by_scale in ASKED.values())
    for system in SYSTEMS:
        found = additions(system)
        assert [one.number for one in found] == list(NAMES)
        for one in found:
            assert one.state in STATES
            assert one.text.endswith(".")
            assert set(one.pages) <= ADDRESSES
            assert bool(one.pages) == (one.state in ("not said", "otherwise"))


def test_no_sentence_calls_unknown_what_the_table_does_not_say_missing() -> None:
    texts = [one.text for system in SYSTEMS for one in additions(system)] + [*STATES.values(), readings.ORIGIN]
    assert not [text for text in texts if "missing" in text.lower() or "fails" in text.lower()]


@pytest.mark.parametrize(
    ("key", "number", "expected"),
    [
        ("judge-bench", 1, "said"), ("g-eval", 1, "not said"),
        ("pandalm", 2, "said"), ("checkeval", 2, "not said"), ("flask", 2, "not asked"),
        ("pandalm", 3, "not said"), ("g-eval", 3, "not asked"), ("tigerscore", 4, "not asked"),
        ("mt-bench", 6, "said"), ("auto-j", 6, "said"), ("ragas", 6, "otherwise"), ("llmbar", 6, "not said"),
        ("ragas", 7, "otherwise"), ("mt-bench", 7, "not said"),
        ("ares", 9, "not asked"), ("llm-rubric", 9, "not said"),
        ("poll", 11, "not said"), ("chateval", 11, "not said"), ("judge-bench", 11, "not asked"),
    ],
)  # fmt: skip
def test_the_scale_says_what_applies_and_the_facts_what_is_met(key: str, number: int, expected: str) -> None:
    assert state(key, number) == expected


def test_a_listed_measure_is_named_beside_what_would_join_it() -> None:
    texts = {key: {one.number: one.text for one in additions(BY_KEY[key])} for key in ("pandalm", "judge-bench", "checkeval")}
    assert texts["pandalm"][3].startswith("Listed: F1-style agreement; κ is not.")
    assert texts["judge-bench"][3].startswith("Listed: Cohen’s κ; accuracy is not.")
    assert "not of the yes/no answers" in texts["checkeval"][2]


def test_every_practice_counts_every_system_once() -> None:
    named = by_practice(SYSTEMS)
    assert all(sorted(sum(own.values(), ())) == sorted(system.name for system in SYSTEMS) for own in named.values())
    tally = {number: {state: len(names) for state, names in own.items()} for number, own in named.items()}
    assert all(sum(own.values()) == 24 for own in tally.values())
    assert tally[2] == {"said": 4, "otherwise": 0, "not said": 11, "not asked": 9}
    assert tally[11]["not asked"] == 22
    asked = sum(24 - own["not asked"] for own in tally.values())
    assert f"asks {asked} things" in readings.reading(SYSTEMS)


def test_the_crosstab_adds_up() -> None:
    table = crosstab(SYSTEMS)
    assert table["GRADED"]["pearson"] == 4
    assert table["MULTI-CLASS"]["kappa"] == 1
    for measure in MEASURES:
        assert sum(own[measure] for own in table.values()) == sum(measure in one.reports for one in SYSTEMS)
    assert sum(own[NONE_NAMED] for own in table.values()) == sum(not one.reports for one in SYSTEMS) == 8


def test_filters_leave_what_they_say() -> None:
    assert left(Wanted()) == SYSTEMS
    assert len(left(Wanted(category="PAIRWISE"))) == 7
    assert [one.key for one in left(Wanted(scale="nominal"))] == ["judgelm", "judge-bench"]
    assert {"poll", "chateval", "checkeval"} <= {one.key for one in left(Wanted(scale=SEVERAL))}
    assert [one.key for one in left(Wanted(measure="kappa"))] == ["judge-bench"]
    assert all(not one.reports for one in left(Wanted(measure=NONE_NAMED)))
    assert [one.key for one in left(Wanted(category="GRADED", measure="kendall"))] == ["seeval", "flask"]
    assert [one.key for one in left(Wanted(text="zheng 2023"))] == ["mt-bench"]
    assert [one.key for one in left(Wanted(text="  APACHE-2.0 pandalm "))] == ["pandalm"]
    assert left(Wanted(category="MULTI-CLASS", measure="f1")) == ()


def test_the_headline_counts_what_is_left() -> None:
    line = readings.headline(SYSTEMS)
    assert line.startswith("24 systems: 11 graded, 7 pairwise, 3 binary, 2 ensemble, 1 multi-class.")
    assert "10 with a correlation, 1 with Cohen’s κ, 8 with no measure" in line
    assert "nothing for 21." in line
    assert readings.headline(left(Wanted(measure="kappa"))).startswith(
        "1 system: 1 multi-class. By the table, 1 with a correlation"
    )


def test_every_system_has_a_source_and_a_licence_only_where_something_was_read() -> None:
    assert set(SOURCES) == set(BY_KEY)
    for source in SOURCES.values():
        assert bool(source.place) == bool(source.checked) == bool(source.holds)
        assert bool(source.command) == bool(source.layout)
        assert not source.link or source.link.startswith(("https://github.com/", "https://huggingface.co/"))
        assert source.place or source.licence == "not established"
        assert not re.search(r"(?<![\w.:/])/\w", f"{source}"), "a path of some machine"


@pytest.mark.parametrize("key", FILES)
def test_the_line_loads_the_public_labels(key: str) -> None:
    path = data(FILES[key])
    words = shlex.split(SOURCES[key].command)
    assert words[:3] == ["python", "-m", "metrics"]
    with pytest.raises(SystemExit) as stop:
        main([words[3], str(path), *words[5:]])
    assert not stop.value.code


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("g-eval", "item,criterion,human,verdict\n1,fluency,2.5,2.4\n2,fluency,1,1.5\n3,fluency,3,2.9\n"),
        ("alpacaeval", "item,human,verdict\n1,A,B\n2,tie,A\n3,B,B\n"),
        ("auto-j", "item,human,verdict\n1,A,tie\n2,tie,A\n3,B,B\n"),
        ("judgelm", "item,human,verdict\n1,A,tie\n2,tie,A\n3,B,B\n"),
        ("ares", "item,criterion,human,verdict\n1,Answer_Relevance,1,0\n2,Answer_Relevance,1,1\n3,Answer_Relevance,0,0\n"),
    ],
)
def test_the_line_loads_a_file_in_the_layout_it_names(key: str, text: str, tmp_path: Path) -> None:
    words = shlex.split(SOURCES[key].command)
    path = tmp_path / words[4]
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as stop:
        main([words[3], str(path), *words[5:]])
    assert not stop.value.code


def test_every_line_is_loaded_by_a_test() -> None:
    loaded = {*FILES, "g-eval", "alpacaeval", "auto-j", "judgelm", "ares"}
    assert {key for key, source in SOURCES.items() if source.loads} == loaded


def test_the_download_holds_every_practice_and_is_safe() -> None:
    sheet = readings.sheet(SYSTEMS)
    assert all(len(column) == 24 for column in sheet.values())
    assert len([name for name in sheet if name.split(" ")[0].isdigit()]) == 22
    lines = safe_csv(sheet)
    assert not [cell for cell in lines.replace("\r\n", ",").split(",") if cell.startswith(("=", "@"))]


def test_filtering_nothing_changes_no_number() -> None:
    assert readings.rows(left(Wanted())) == readings.rows(SYSTEMS)
    assert Wanted().empty
    assert not Wanted(text="x").empty
