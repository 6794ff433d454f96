from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import InputError
from metrics.content.lab.lessons import STEPS, before, step_name
from metrics.content.lab.pictures import BARS, UNITS, Source
from metrics.content.lab.scenes import (
    FIRST,
    FROM,
    KEYS,
    LIT,
    MODE,
    NAMES,
    STEP,
    A,
    B,
    Scene,
    at_step,
    from_address,
    read_tops,
    words_of,
)
from metrics.content.lab.tables import MOST, WORDS, ConfusionTable, Rates
from metrics.content.lab.tasks import TASKS_BY_KEY

counts = st.integers(0, 10**9).map(float)
tables = st.one_of(
    st.builds(lambda cells: ConfusionTable(tuple(cells)), st.lists(counts, min_size=4, max_size=4)),
    st.builds(
        lambda cells, silent: ConfusionTable(tuple(cells), tuple(silent)),
        st.lists(counts, min_size=4, max_size=4), st.lists(counts, min_size=5, max_size=5),
    ),
    st.builds(
        lambda a, b, c, n: ConfusionTable.of_rates(Rates(a, b, c, n)),
        *[st.floats(0, 1) for _ in range(3)], st.integers(0, 10**9),
    ),
)  # fmt: skip
scenes = st.builds(
    Scene,
    st.sampled_from(["", *STEPS]), tables, st.one_of(st.none(), tables), st.sampled_from(["exclude", "as_unmet", "as_category"]),
    st.sampled_from(BARS), st.sampled_from([WORDS, ("yes", "no", "unsure")]), st.sampled_from(["", *TASKS_BY_KEY]),
    st.sampled_from(UNITS), st.integers(0, MOST),
)  # fmt: skip


@given(scenes)
def test_a_link_opens_exactly_the_same_picture(scene: Scene) -> None:
    assert from_address(scene.address()) == scene


@pytest.mark.parametrize("key", STEPS)
def test_a_step_stands_in_the_address_by_its_key_alone(key: str) -> None:
    scene = at_step(key)
    assert not scene.custom
    assert scene.address() == ({} if key == FIRST else {STEP: key})


@pytest.mark.parametrize("key", STEPS)
def test_any_touch_of_the_table_makes_it_custom_and_another_formula_does_not(key: str) -> None:
    scene = at_step(key)
    assert replace(scene, a=ConfusionTable((1.0, 2.0, 3.0, 4.0))).custom
    assert replace(scene, b=ConfusionTable((1.0, 2.0, 3.0, 4.0))).custom
    assert replace(scene, mode="as_category" if scene.mode == "exclude" else "exclude").custom
    assert not replace(scene, lit="f1").custom
    assert not replace(scene, task=next(iter(TASKS_BY_KEY))).custom


def test_what_a_picture_is_compared_with() -> None:
    later = next(key for key in STEPS if before(key) is not None and STEPS[key].second_table is None)
    earlier = before(later)
    assert earlier is not None
    other = at_step(later).other
    assert other is not None
    assert (other.table, other.name) == (earlier.table, step_name(earlier.key))
    own = replace(at_step(later), a=ConfusionTable((1.0, 2.0, 3.0, 4.0)))
    assert own.other is not None
    assert (own.other.table, own.other.name) == (STEPS[later].table, step_name(later))
    two = replace(own, b=ConfusionTable((4.0, 3.0, 2.0, 1.0)))
    assert two.other is not None
    assert (two.picture.name, two.other.name, two.other.table) == ("A", "B", two.b)
    assert Scene("", ConfusionTable((1.0, 2.0, 3.0, 4.0))).other is None
    assert replace(own, task=next(iter(TASKS_BY_KEY))).other is None


@pytest.mark.parametrize(
    ("told", "named"),
    [
        ({STEP: "99z"}, "99z"),
        ({A: "1_2_3"}, "1_2_3"),
        ({A: "1_2_3_x"}, "1_2_3_x"),
        ({A: "1_2_3_-4"}, "TN lies between 0 and 1\u202f000\u202f000\u202f000, not −4"),
        ({A: "r101_50_50_10"}, "prevalence lies between 0\u00a0% and 100\u00a0%, not 101\u00a0%"),
        ({A: "r5_-0.5_50_10"}, "TPR lies between 0\u00a0% and 100\u00a0%, not −0.5\u00a0%"),
        ({A: "r5_50_100.0000001_10"}, "TNR lies between 0\u00a0% and 100\u00a0%, not more"),
        ({A: "r5_50_50_1e12"}, "N lies between .*, not 1\u202f000\u202f000\u202f000\u202f000"),
        ({A: "r5_50_50_10_0_0_0_0_-1"}, "a count without a verdict lies between .*, not −1"),
        ({A: "r5_50_50_10.5"}, "in percent and how many, such as r5_90_90_1000"),
        ({A: "1_2_3_4", B: "1_2"}, "cannot be table B: write whole numbers"),
        ({A: "1e400_1_1_1"}, "1e400"),
        ({B: "nan_1_1_1"}, "nan"),
        ({MODE: "guess"}, "‘guess’ cannot be what a missing verdict counts as: write exclude, as_unmet or as_category"),
        ({STEP: "9"}, f"write one of {', '.join(STEPS)}"),
        ({LIT: "roc"}, "roc"),
        ({"lab_task": "fly"}, "fly"),
        ({"lab_unit": "apples"}, "apples"),
        ({"lab_left": "-1"}, "-1"),
        ({"lab_left": "1.5"}, "1.5"),
        ({"lab_left": ""}, "left out: write a whole number from 0 to"),
        ({"lab_left": "9" * 5000}, "999"),
    ],
)
def test_a_link_that_says_what_there_is_not_is_refused_by_name(told: dict[str, str], named: str) -> None:
    with pytest.raises(InputError, match=named):
        from_address(told)


def test_words_of_a_file_are_shortened_and_kept_apart() -> None:
    assert words_of(["ja~ja", "x" * 60]) == ("ja ja", "x" * 14 + "…" + "x" * 13, WORDS[2])
    assert from_address({A: "1_2_3_4", NAMES: "yes~no"}).words == ("yes", "no", WORDS[2])
    assert words_of([]) == WORDS


def test_what_was_left_out_goes_with_the_table_it_was_left_out_of() -> None:
    scene = Scene("", ConfusionTable((40.0, 10.0, 10.0, 40.0)), unit="items", left=9)
    assert (scene.picture.unit, scene.picture.left) == ("items", 9)
    assert scene.with_table(scene.a.driven_by_rates()).left == 9
    assert scene.with_table(ConfusionTable((41.0, 10.0, 10.0, 40.0))).left == 0
    pair = scene.with_table(ConfusionTable((41.0, 10.0, 10.0, 40.0)), second=True)
    assert (pair.left, pair.other.unit, pair.other.left) == (9, "items", 0)
    assert scene.with_table(scene.a, second=True).other.left == 9


def test_every_parameter_is_told() -> None:
    scene = Scene(
        "",
        ConfusionTable((1.0,) * 4),
        ConfusionTable((2.0,) * 4),
        "as_unmet",
        "f1",
        ("a", "b", "c"),
        next(iter(TASKS_BY_KEY)),
        "items",
        7,
    )
    assert set(scene.address()) == set(KEYS) - {STEP, FROM}
    assert set(replace(scene, step=FIRST).address()) == set(KEYS) - {FROM}
    assert set(replace(scene, source=Source("", "d", (("Judge", "j"),), scene.a, "exclude")).address()) == set(KEYS) - {STEP}


def test_an_empty_step_is_no_step() -> None:
    assert from_address({STEP: ""}) == at_step(FIRST)
    assert from_address({STEP: "", A: "1_2_3_4"}).a == ConfusionTable((1.0, 2.0, 3.0, 4.0))


@pytest.mark.parametrize("text", ["1.5_2_3_4", "1e-300_0_0_0", "r50_90_90_100_0.5_0_0_0_0"])
def test_counts_of_a_link_are_whole(text: str) -> None:
    with pytest.raises(InputError, match="cannot be table A"):
        from_address({A: text})


def test_a_huge_number_of_a_link_is_not_printed_whole() -> None:
    with pytest.raises(InputError, match="not more") as refused:
        from_address({A: "r50_90_90_1e300"})
    assert len(str(refused.value)) < 100


def test_each_parameter_that_cannot_be_read_has_its_sentence() -> None:
    with pytest.raises(InputError) as refused:
        from_address({A: "1_2_3", B: "x", MODE: "guess", "lab_unit": "apples"})
    said = str(refused.value)
    assert [said.count(f"‘{text}’ cannot be") for text in ("1_2_3", "x", "guess", "apples")] == [1, 1, 1, 1]


@pytest.mark.parametrize(("text", "tops"), [("", []), ("2000", [2000]), ("2000_500", [2000, 500])])
def test_how_far_sliders_reach_is_read(text: str, tops: list[int]) -> None:
    assert read_tops(text) == tops


@pytest.mark.parametrize("text", ["50", "-1", "many", "1e4", "1000000001", "_", "100_x"])
def test_sliders_reach_no_further_than_a_table_and_are_not_too_short_to_grip(text: str) -> None:
    with pytest.raises(
        InputError, match="how far the sliders reach: write a whole number from 100 to 1\u202f000\u202f000\u202f000"
    ):
        read_tops(text)


def test_a_mode_ends_with_the_last_abstention_and_a_recoded_table_keeps_it() -> None:
    silent = Scene("", ConfusionTable((40, 10, 20, 30), (1, 0, 0, 0, 0)), mode="as_unmet")
    assert not silent.recoded
    cleared = silent.with_table(ConfusionTable((40, 10, 20, 30)))
    assert (cleared.mode, cleared.recoded) == ("exclude", False)
    recoded = Scene("", ConfusionTable((40, 10, 20, 30)), mode="as_unmet", unit="items")
    assert recoded.recoded
    assert recoded.with_table(ConfusionTable((41, 10, 20, 30))).recoded
    assert not replace(recoded, b=silent.a).recoded
