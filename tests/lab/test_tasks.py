"""Each task can be solved by hand, is not solved where it begins, and tells a near miss from a solution."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import words
from metrics.lab.pictures import Picture
from metrics.lab.tables import Rates, Table, read
from metrics.lab.tasks import BESIDE, TASKS, TASKS_BY_KEY, TWO_LABELS, Task

SOLVED = {
    "below-zero": ["0_50_50_900", "900_50_50_0", "800_100_100_0", "0_10_10_80"],
    "up-and-down": ["10_8_8_174", "0_1_0_99", "40_30_30_900"],
    "undefined": ["0_10_0_90", "100_0_0_0", "90_0_10_0", "0_0_1_999"],
    "f1-flatters": ["90_0_10_0", "820_90_90_0", "1000_0_100_5"],
    "equal-with-drift": ["10_10_40_40", "1_9_10_90", "20_60_1_3"],
    "equal-kappa": ["40_20_5_35 40_5_20_35", "0_10_0_90 90_0_10_0", "40_20_5_35 35_5_20_40"],
    "better-judge": ["40_10_10_40 9_1_99_891", "80_20_20_80 50_5_95_850"],
}
MISSED = {
    "below-zero": ["0_101_100_799", "0_10_0_90", "0_0_0_0", "50_50_50_850"],
    "up-and-down": ["10_12_8_70", "50_5_5_50", "0_0_0_100"],
    "undefined": ["0_11_0_89", "1_9_0_90", "0_0_0_0"],
    "f1-flatters": ["80_10_10_0", "90_0_10_2", "0_0_0_100"],
    "equal-with-drift": ["40_0_20_40", "0_10_0_90", "0_0_0_0", "9_10_40_40", "25_25_25_25", "500000000_1000_1001_500000000"],
    "equal-kappa": ["40_20_5_35 40_20_5_35", "40_20_5_35 39_6_20_35", "50_0_0_50 50_0_0_50", "0_0_0_100 0_0_0_100"],
    "better-judge": ["40_10_10_40 8_2_99_891", "40_10_10_40 0_0_10_90", "9_1_99_891 40_10_10_40", "40_10_10_40 450_50_50_450"],
}
cells = st.tuples(*[st.integers(0, 30) | st.integers(0, 1000)] * 4)


def pictures(texts: str) -> tuple[Picture, Picture | None]:
    first, _, second = texts.partition(" ")
    return Picture(read(first), name="A"), Picture(read(second), name="B") if second else None


def at_start(task: Task) -> tuple[Picture, Picture | None]:
    return Picture(task.start), None if task.beside is None else Picture(task.beside)


def marks(task: Task, pair: tuple[Picture, Picture | None]) -> int:
    return task.state(*pair).count("✓")


@pytest.mark.parametrize("task", TASKS, ids=TASKS_BY_KEY)
def test_no_task_is_solved_where_it_begins(task: Task) -> None:
    assert not task.solved(*at_start(task))
    assert marks(task, at_start(task)) < len(task.goals)
    assert task.two == (task.beside is not None)
    assert task.text.endswith(".")
    assert task.hint.endswith((".", "?"))


@pytest.mark.parametrize(("key", "texts"), [(key, text) for key, some in SOLVED.items() for text in some])
def test_solutions(key: str, texts: str) -> None:
    task, pair = TASKS_BY_KEY[key], pictures(texts)
    assert task.solved(*pair)
    assert marks(task, pair) == len(task.goals)
    assert all(0 <= n <= 1000 and n == round(n) for p in pair if p is not None for n in p.table.decided)


@pytest.mark.parametrize(("key", "texts"), [(key, text) for key, some in MISSED.items() for text in some])
def test_near_misses(key: str, texts: str) -> None:
    task, pair = TASKS_BY_KEY[key], pictures(texts)
    assert not task.solved(*pair)
    assert marks(task, pair) < len(task.goals)


def test_every_task_has_solutions_and_misses_here() -> None:
    assert list(SOLVED) == list(MISSED) == list(TASKS_BY_KEY) == [task.key for task in TASKS]


@given(cells)
def test_tasks_of_one_table_agree_with_whole_numbers(given_cells: tuple[int, ...]) -> None:
    tp, fn, fp, tn = given_cells
    n, agreed, lean = sum(given_cells), tp + tn, tp * tn - fn * fp
    chance = (tp + fn) * (fn + tn) + (tp + fp) * (fp + tn)
    varies = (tp + fn) * (fp + tn) * (tp + fp) * (fn + tn) > 0
    wanted = {
        "below-zero": n > 0 and 5 * agreed >= 4 * n and lean < 0,
        "up-and-down": 5 * agreed > 4 * n and chance > 0 and 10 * lean < 3 * chance,
        "undefined": n > 0 and 10 * agreed >= 9 * n and not varies,
        "f1-flatters": tp + fn + fp > 0 and 20 * tp >= 9 * (2 * tp + fn + fp) and chance > 0 and 20 * lean < chance,
        "equal-with-drift": varies and lean == 0 and fn != fp,
    }
    picture = Picture(Table(tuple(map(float, given_cells))))
    assert {key: TASKS_BY_KEY[key].solved(picture) for key in wanted} == wanted


@given(cells, cells)
def test_tasks_of_two_tables_see_what_is_printed(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    a, b = Picture(Table(tuple(map(float, first)))), Picture(Table(tuple(map(float, second))))
    kappas = [words.number(p.values["kappa"]) for p in (a, b)]
    leans = [cells[1] - cells[2] for cells in (first, second)]
    wanted = "–" not in kappas and kappas[0] == kappas[1] and leans[0] * leans[1] < 0
    assert TASKS_BY_KEY["equal-kappa"].solved(a, b) == wanted
    assert TASKS_BY_KEY["equal-kappa"].solved(b, a) == wanted


def test_a_judge_given_by_rates_solves_it_too() -> None:
    equal_rates = Picture(Table.of_rates(Rates(0.3, 0.37, 0.63, 777)))
    assert TASKS_BY_KEY["equal-with-drift"].solved(equal_rates)
    assert not TASKS_BY_KEY["equal-with-drift"].solved(Picture(Table.of_rates(Rates(0.3, 0.371, 0.63, 777))))
    assert TASKS_BY_KEY["below-zero"].solved(Picture(Table.of_rates(Rates(0.05, 0, 0.95, 1000))))


def test_the_state_says_how_near_it_is() -> None:
    task = TASKS_BY_KEY["below-zero"]
    shown = {
        text: task.state(*pictures(text)).replace(words.HARD_SPACE, " ") for text in ("39_11_11_39", "0_50_50_900", "0_0_0_100")
    }
    assert shown["39_11_11_39"] == "agreement 78 % (to be 80 % or more), κ 0.56 (to be below 0)"
    assert shown["0_50_50_900"] == "agreement 90 % ✓, κ −0.05 ✓"
    assert shown["0_0_0_100"] == "agreement 100 % ✓, κ undefined (to be below 0)"
    assert task.state(*pictures("1_999_2_1000000")).endswith("κ 0.002 (to be below 0)")


def test_two_tables_are_named() -> None:
    state = TASKS_BY_KEY["equal-kappa"].state(*pictures("40_20_5_35 30_10_10_50"))
    assert state.startswith("κ 0.51 in A and 0.58 in B (to be equal), A misses 20 and passes 5; B misses 10 and passes 10 (")


def test_what_a_task_cannot_be_asked_of_is_said() -> None:
    third = Picture(Table((0, 50, 50, 900), (1, 1, 1, 1, 1)), "as_category")
    one, two = TASKS_BY_KEY["below-zero"], TASKS_BY_KEY["equal-kappa"]
    assert not one.solved(third)
    assert one.state(third) == TWO_LABELS
    assert not two.solved(Picture(Table((1, 2, 3, 4))))
    assert two.state(Picture(Table((1, 2, 3, 4)))) == BESIDE
    assert two.state(third, third) == TWO_LABELS
    assert one.solved(Picture(Table((0, 50, 50, 900), (1, 1, 1, 1, 1))))
