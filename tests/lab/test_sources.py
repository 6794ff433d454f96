"""What a table says of where it came from."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from metrics.content.lab import provenance
from metrics.content.lab.pictures import Picture, Source, source_lines
from metrics.content.lab.scenes import Scene, treated
from metrics.content.lab.tables import ConfusionTable, Rates
from metrics.results.words import shorten
from tests.conftest import ratings_of

TABLE = ConfusionTable((40.0, 10.0, 20.0, 30.0), (5.0, 0.0, 0.0, 0.0, 0.0))
LONG = "a file with a name that is much too long for one line.csv"


def source(*told: tuple[str, str], table: ConfusionTable = TABLE, mode: str = "exclude") -> Source:
    return Source("", "data", told or (("Judge", "gpt-4"), ("criterion", "Clarity"), ("from", LONG)), table, mode)


def came(scene: Scene) -> str:
    return provenance.came(scene.picture)


def test_names_are_shortened_on_screen_and_whole_in_what_is_taken_away() -> None:
    own = Scene("", TABLE, source=source()).picture
    assert provenance.came(own) == f"Judge gpt-4, criterion Clarity, from {shorten(LONG)}."
    assert provenance.header(own).rest.startswith(provenance.came(own))
    assert LONG in provenance.header(own, whole=True).rest
    assert f"; Judge gpt-4, criterion Clarity, from {LONG}; no interval" in provenance.citation(own, "kappa")
    assert provenance.came(Picture(TABLE)) == ""


def test_a_touch_is_said_and_taking_it_back_too() -> None:
    scene = Scene("", TABLE, source=source())
    touched = scene.with_table(replace(TABLE, confusion_counts=(41.0, 10.0, 20.0, 30.0)))
    assert came(touched).startswith("Changed by hand; started from judge gpt-4, criterion Clarity, from ")
    assert came(touched.with_table(TABLE)) == came(scene)
    assert came(replace(scene, mode="as_unmet")).startswith("Changed by hand")
    assert came(replace(scene, lit="f1", task="below-zero")) == came(scene)
    silent = replace(TABLE, silent=(6.0, 0.0, 0.0, 0.0, 0.0))
    assert came(scene.with_table(silent)).startswith("Changed by hand")


@pytest.mark.parametrize("decided", [(975, 171, 308, 24), (1, 2, 300, 400), (0, 0, 3, 5)])
def test_what_drives_a_table_does_not_change_it_and_a_moved_rate_does(decided) -> None:
    table = ConfusionTable(tuple(map(float, decided)))
    scene = Scene("", table, source=source(table=table))
    driven = scene.with_table(table.driven_by_rates())
    assert came(driven) == came(scene)
    assert came(driven.with_table(driven.a.driven_by_counts())) == came(scene)
    moved = driven.a.rates.with_percent("prevalence", 50.0)
    assert came(driven.with_table(ConfusionTable.of_rates(replace(moved, n=1001)))).startswith("Changed by hand")


def test_a_table_that_is_an_average_is_not_the_whole_one_it_rounds_to() -> None:
    average = ConfusionTable.of_rates(Rates(0.05, 0.9, 0.9, 333))
    own = source(table=average.driven_by_counts())
    assert own.is_of(average.driven_by_counts(), "exclude")
    assert not own.is_of(average, "exclude")


def test_of_a_and_b_the_one_that_came_says_so() -> None:
    scene = Scene("", TABLE, TABLE, source=source())
    other = replace(TABLE, confusion_counts=(1.0, 2.0, 3.0, 4.0))
    assert provenance.came(scene.picture) == provenance.came(scene.other) != ""
    left = scene.with_table(other)
    assert (provenance.came(left.picture), provenance.came(left.other)) == ("", provenance.came(scene.other))
    swapped = replace(left, a=left.b, b=left.a)
    assert (provenance.came(swapped.picture), provenance.came(swapped.other)) == (provenance.came(scene.picture), "")
    both = left.with_table(other, second=True)
    assert provenance.came(both.picture).startswith("Changed by hand")
    assert provenance.came(both.other) == ""


def test_the_key_of_a_source_tells_sources_apart_and_says_no_name() -> None:
    own = source()
    others = [
        source(("Judge", "gpt-5")), source(mode="as_unmet"), source(table=ConfusionTable((1.0,) * 4)), replace(own, page="roc"),
        replace(own, data="other"),
    ]  # fmt: skip
    keys = [one.key for one in (own, *others)]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch("[0-9a-f]{8}", key) for key in keys)
    assert source().key == own.key


def test_a_table_says_its_judge_its_part_its_file_and_its_abstentions() -> None:
    ratings = ratings_of([(i, c, *who, "MET") for i in "ab" for c in "xy" for who in (("h", "human"), ("j", "judge"))])
    assert [word for word, _ in source_lines(ratings, "j", "majority", "")] == ["Judge", "2 criteria pooled", "from"]
    text = Source("", "", source_lines(ratings, "j", "majority", "no abstentions", criterion="x"), TABLE, "exclude").text()
    assert text == f"Judge j, criterion x, from {shorten(ratings.source.name)}, no abstentions"
    told = source_lines(ratings, "j", "majority", "", item=True, more=("decisions shared with", "k"))
    assert [" ".join(part).strip() for part in told[1:3]] == ["verdicts on whole items", "decisions shared with k"]


@pytest.mark.parametrize(
    ("scene", "says"),
    [
        (Scene("", TABLE), "abstentions excluded"),
        (Scene("", TABLE, mode="as_unmet"), "abstentions counted as UNMET"),
        (Scene("", TABLE, mode="as_category"), "abstentions kept as a class"),
        (Scene("", ConfusionTable((1.0,) * 4)), "no abstentions"),
        (Scene("", ConfusionTable((1.0,) * 4), left=3), ""),
        (Scene("", ConfusionTable((1.0,) * 4), mode="as_unmet", words=("yes", "no", "-")), "abstentions counted as no"),
    ],
)
def test_what_became_of_the_abstentions(scene: Scene, says: str) -> None:
    assert treated(scene) == says
