from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import InputError
from metrics.lab.lessons import STEPS, before
from metrics.lab.pictures import BARS, UNITS
from metrics.lab.scenes import FIRST, KEYS, LIT, MODE, NAMES, STEP, A, B, Scene, at_step, from_address, words_of
from metrics.lab.tables import MOST, WORDS, Rates, Table
from metrics.lab.tasks import TASKS_BY_KEY

counts = st.integers(0, 10**9).map(float)
tables = st.one_of(
    st.builds(lambda cells: Table(tuple(cells)), st.lists(counts, min_size=4, max_size=4)),
    st.builds(
        lambda cells, silent: Table(tuple(cells), tuple(silent)),
        st.lists(counts, min_size=4, max_size=4), st.lists(counts, min_size=5, max_size=5),
    ),
    st.builds(
        lambda a, b, c, n: Table.of_rates(Rates(a, b, c, n)),
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
    assert replace(scene, a=Table((1.0, 2.0, 3.0, 4.0))).custom
    assert replace(scene, b=Table((1.0, 2.0, 3.0, 4.0))).custom
    assert replace(scene, mode="as_category" if scene.mode == "exclude" else "exclude").custom
    assert not replace(scene, lit="f1").custom
    assert not replace(scene, task=next(iter(TASKS_BY_KEY))).custom


def test_what_a_picture_is_compared_with() -> None:
    later = next(key for key in STEPS if before(key) is not None and STEPS[key].beside is None)
    earlier = before(later)
    assert earlier is not None
    other = at_step(later).other
    assert other is not None
    assert (other.table, other.name) == (earlier.table, f"step {earlier.key}")
    own = replace(at_step(later), a=Table((1.0, 2.0, 3.0, 4.0)))
    assert own.other is not None
    assert (own.other.table, own.other.name) == (STEPS[later].table, f"step {later}")
    two = replace(own, b=Table((4.0, 3.0, 2.0, 1.0)))
    assert two.other is not None
    assert (two.picture.name, two.other.name, two.other.table) == ("A", "B", two.b)
    assert Scene("", Table((1.0, 2.0, 3.0, 4.0))).other is None


@pytest.mark.parametrize(
    ("told", "named"),
    [
        ({STEP: "99z"}, "99z"),
        ({A: "1_2_3"}, "1_2_3"),
        ({A: "1_2_3_x"}, "1_2_3_x"),
        ({A: "1_2_3_-4"}, "-4"),
        ({A: "r101_50_50_10"}, "prevalence"),
        ({A: "1e400_1_1_1"}, "1e400"),
        ({B: "nan_1_1_1"}, "nan"),
        ({MODE: "guess"}, "guess"),
        ({LIT: "roc"}, "roc"),
        ({"lab_task": "fly"}, "fly"),
        ({"lab_unit": "apples"}, "apples"),
        ({"lab_left": "-1"}, "-1"),
        ({"lab_left": "1.5"}, "1.5"),
        ({"lab_left": ""}, "leaves out"),
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
    scene = Scene("", Table((40.0, 10.0, 10.0, 40.0)), unit="items", left=9)
    assert (scene.picture.unit, scene.picture.left) == ("items", 9)
    assert scene.with_table(scene.a.driven_by_rates()).left == 9
    assert scene.with_table(Table((41.0, 10.0, 10.0, 40.0))).left == 0
    pair = scene.with_table(Table((41.0, 10.0, 10.0, 40.0)), second=True)
    assert (pair.left, pair.other.unit, pair.other.left) == (9, "items", 0)
    assert scene.with_table(scene.a, second=True).other.left == 9


def test_every_parameter_is_told() -> None:
    scene = Scene(
        "", Table((1.0,) * 4), Table((2.0,) * 4), "as_unmet", "f1", ("a", "b", "c"), next(iter(TASKS_BY_KEY)), "items", 7
    )
    assert set(scene.address()) == set(KEYS) - {STEP}
    assert set(replace(scene, step=FIRST).address()) == set(KEYS)


def test_an_empty_step_is_no_step() -> None:
    assert from_address({STEP: ""}) == at_step(FIRST)
    assert from_address({STEP: "", A: "1_2_3_4"}).a == Table((1.0, 2.0, 3.0, 4.0))


@pytest.mark.parametrize("text", ["1.5_2_3_4", "1e-300_0_0_0", "r50_90_90_100_0.5_0_0_0_0"])
def test_counts_of_a_link_are_whole(text: str) -> None:
    with pytest.raises(InputError, match="is not a table"):
        from_address({A: text})


def test_a_huge_number_of_a_link_is_not_printed_whole() -> None:
    with pytest.raises(InputError, match=r"1e\+300") as refused:
        from_address({A: "r50_90_90_1e300"})
    assert len(str(refused.value)) < 80


def test_a_mode_ends_with_the_last_abstention_and_a_recoded_table_keeps_it() -> None:
    silent = Scene("", Table((40, 10, 20, 30), (1, 0, 0, 0, 0)), mode="as_unmet")
    assert not silent.recoded
    cleared = silent.with_table(Table((40, 10, 20, 30)))
    assert (cleared.mode, cleared.recoded) == ("exclude", False)
    recoded = Scene("", Table((40, 10, 20, 30)), mode="as_unmet", unit="items")
    assert recoded.recoded
    assert recoded.with_table(Table((41, 10, 20, 30))).recoded
    assert not replace(recoded, b=silent.a).recoded
