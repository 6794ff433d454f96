"""Each task can be solved by hand, is not solved where it begins, and tells a near miss from a solution."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.content.lab.pictures import Picture
from metrics.content.lab.tables import ConfusionTable, Rates, read
from metrics.content.lab.tasks import BESIDE, TASKS, TASKS_BY_KEY, TWO_LABELS, Task
from metrics.results import words

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
Cells = tuple[float, ...]
Step = tuple[str, str, Callable[[Cells, Cells], bool]]
"""Words of a hint, the table or tables they lead to, and whether these lie that way from the ones before."""


def positives(table: Cells) -> float:
    return (table[0] + table[1]) / sum(table)


def rates(table: Cells) -> tuple[float, float]:
    return table[0] / (table[0] + table[1]), table[3] / (table[2] + table[3])


WALKS: dict[str, list[Step]] = {
    "below-zero": [
        ("Make one label rare", "8_2_5_90", lambda was, now: positives(now) <= 0.1 < positives(was)),
        ("miss all of it and still give it a few times, wrongly", "0_10_5_90",
         lambda was, now: not now[0] and now[2] == was[2] > 0),
    ],
    "up-and-down": [
        (
            "shrink what both call positive until the judge finds only half of it", "10_10_10_40",
            lambda was, now: now[1:] == was[1:] and now[0] < was[0] and now[0] == now[1],
        ),
        ("then let what both call negative grow", "10_10_10_100", lambda was, now: now[:3] == was[:3] and now[3] > was[3]),
    ],
    "undefined": [
        ("say one label only", "0_50_0_50", lambda was, now: was[0] * was[2] > now[0] + now[2] == 0),
        ("nearly all decisions be of that label", "0_5_0_45", lambda was, now: now[1] / now[3] < 0.2 < was[1] / was[3]),
    ],
    "f1-flatters": [
        ("decisions that both call negative", "45_5_5_20", lambda was, now: now[:3] == was[:3] and now[3] < was[3]),
        ("shrink to almost none", "45_5_5_1", lambda was, now: now[:3] == was[:3] and now[3] < was[3]),
    ],
    "equal-with-drift": [
        ("to half of what is positive", "20_20_10_50", lambda was, now: now[0] == now[1] and now[2:] == was[2:]),
        ("to half of what is negative", "20_20_30_30", lambda was, now: now[2] == now[3] and now[:2] == was[:2]),
    ],
    "equal-kappa": [
        ("missed passes and false passes exchanged", "40_20_5_35 40_5_20_35",
         lambda was, now: now[4:] == (was[0], was[2], was[1], was[3]) and now[:4] == was[:4]),
    ],
    "better-judge": [
        ("Keep the TPR and TNR of B", "40_10_10_40 9_1_5_45",
         lambda was, now: rates(now[4:]) == rates(was[4:]) and now[:4] == was[:4]),
        ("make one label rare in it: a tenth of the decisions or less", "40_10_10_40 9_1_9_81",
         lambda was, now: rates(now[4:]) == rates(was[4:]) and positives(now[4:]) <= 0.1 < positives(was[4:])),
    ],
}  # fmt: skip
cells = st.tuples(*[st.integers(0, 30) | st.integers(0, 1000)] * 4)


def pictures(texts: str) -> tuple[Picture, Picture | None]:
    first, _, second = texts.partition(" ")
    return Picture(read(first), name="A"), Picture(read(second), name="B") if second else None


def at_start(task: Task) -> tuple[Picture, Picture | None]:
    return Picture(task.start), None if task.second_table is None else Picture(task.second_table)


def marks(task: Task, pair: tuple[Picture, Picture | None]) -> int:
    return task.state(*pair).count("✓")


@pytest.mark.parametrize("task", TASKS, ids=TASKS_BY_KEY)
def test_no_task_is_solved_where_it_begins(task: Task) -> None:
    assert not task.solved(*at_start(task))
    assert marks(task, at_start(task)) < len(task.goals)
    assert task.two == (task.second_table is not None)
    assert task.text.endswith(".")
    assert all(text.endswith((".", "?")) for text in (*task.hints, task.why))


@pytest.mark.parametrize(("key", "texts"), [(key, text) for key, some in SOLVED.items() for text in some])
def test_solutions(key: str, texts: str) -> None:
    task, pair = TASKS_BY_KEY[key], pictures(texts)
    assert task.solved(*pair)
    assert marks(task, pair) == len(task.goals)
    assert all(0 <= n <= 1000 and n == round(n) for p in pair if p is not None for n in p.table.confusion_counts)


@pytest.mark.parametrize("task", TASKS, ids=TASKS_BY_KEY)
def test_a_hint_leads_from_the_start_to_a_solution(task: Task) -> None:
    was, places = decisions(at_start(task)), []
    for said, texts, that_way in WALKS[task.key]:
        pair = pictures(texts)
        now = decisions(pair)
        assert that_way(was, now), (said, was, now)
        places.append(task.hints[1].index(said))
        assert task.solved(*pair) == (len(places) == len(WALKS[task.key])), texts
        was = now
    assert places == sorted(places)


def decisions(pair: tuple[Picture, Picture | None]) -> Cells:
    return tuple(n for p in pair if p is not None for n in p.table.confusion_counts)


def test_what_hints_say_of_chance_and_rarity() -> None:
    start, end = Picture(TASKS_BY_KEY["up-and-down"].start).values, Picture(read("10_10_10_100")).values
    more = {key: end[key] - start[key] for key in ("accuracy", "expected_agreement")}
    assert more["expected_agreement"] > more["accuracy"] > 0
    assert (end["accuracy"], end["kappa"]) == pytest.approx((110 / 130, 9 / 22))
    grown = [Picture(read(f"40_10_10_{tn}")).values["kappa"] for tn in (40, 60, 100, 300, 1000)]
    assert grown == sorted(grown)
    half_found = [Picture(read(f"10_10_10_{tn}")).values["kappa"] for tn in (71, 100, 1000, 10**9)]
    assert max(half_found) <= 0.5
    assert TASKS_BY_KEY["up-and-down"].solved(Picture(read("10_10_10_71")))
    never = Picture(read("0_10_0_90")).values
    assert never["expected_agreement"] == never["accuracy"]
    wrongly = Picture(read("0_10_5_90")).values
    assert wrongly["expected_agreement"] > wrongly["accuracy"]
    better = TASKS_BY_KEY["better-judge"]
    assert [better.solved(*pictures(f"40_10_10_40 {b}")) for b in ("9_1_20_190", "81_9_1_9", "9_1_8_72")] == [True, True, False]


def test_the_better_judge_need_not_have_less_to_earn() -> None:
    task, (a, b) = TASKS_BY_KEY["better-judge"], pictures("810_90_50_50 95_5_405_495")
    assert task.solved(a, b)
    assert a.values["expected_agreement"] > b.values["expected_agreement"]
    assert "less to earn" not in task.why


@pytest.mark.parametrize(("key", "texts"), [(key, text) for key, some in MISSED.items() for text in some])
def test_near_misses(key: str, texts: str) -> None:
    task, pair = TASKS_BY_KEY[key], pictures(texts)
    assert not task.solved(*pair)
    assert marks(task, pair) < len(task.goals)


def test_every_task_has_solutions_and_misses_here() -> None:
    assert list(SOLVED) == list(MISSED) == list(WALKS) == list(TASKS_BY_KEY) == [task.key for task in TASKS]


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
    picture = Picture(ConfusionTable(tuple(map(float, given_cells))))
    assert {key: TASKS_BY_KEY[key].solved(picture) for key in wanted} == wanted


@given(cells, cells)
def test_tasks_of_two_tables_see_what_is_printed(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    a, b = Picture(ConfusionTable(tuple(map(float, first)))), Picture(ConfusionTable(tuple(map(float, second))))
    kappas = [words.number(p.values["kappa"]) for p in (a, b)]
    leans = [cells[1] - cells[2] for cells in (first, second)]
    wanted = "–" not in kappas and kappas[0] == kappas[1] and leans[0] * leans[1] < 0
    assert TASKS_BY_KEY["equal-kappa"].solved(a, b) == wanted
    assert TASKS_BY_KEY["equal-kappa"].solved(b, a) == wanted


def test_a_judge_given_by_rates_solves_it_too() -> None:
    equal_rates = Picture(ConfusionTable.of_rates(Rates(0.3, 0.37, 0.63, 777)))
    assert TASKS_BY_KEY["equal-with-drift"].solved(equal_rates)
    assert not TASKS_BY_KEY["equal-with-drift"].solved(Picture(ConfusionTable.of_rates(Rates(0.3, 0.371, 0.63, 777))))
    assert TASKS_BY_KEY["below-zero"].solved(Picture(ConfusionTable.of_rates(Rates(0.05, 0, 0.95, 1000))))


def test_the_state_says_how_near_it_is() -> None:
    task = TASKS_BY_KEY["below-zero"]
    shown = {
        text: task.state(*pictures(text)).replace(words.HARD_SPACE, " ") for text in ("39_11_11_39", "0_50_50_900", "0_0_0_100")
    }
    assert shown["39_11_11_39"] == "agreement 78 % (goal: 80 % or more), κ 0.56 (goal: below 0)"
    assert shown["0_50_50_900"] == "agreement 90 % ✓, κ −0.05 ✓"
    assert shown["0_0_0_100"] == "agreement 100 % ✓, κ undefined (goal: below 0)"
    assert task.state(*pictures("1_999_2_1000000")).endswith("κ 0.002 (goal: below 0)")


def test_two_tables_are_named() -> None:
    state = TASKS_BY_KEY["equal-kappa"].state(*pictures("40_20_5_35 30_10_10_50"))
    assert state.startswith(
        "κ 0.51 in A and 0.58 in B (goal: equal), A has 20 missed passes and 5 false passes; "
        "B has 10 missed passes and 10 false passes ("
    )


def test_what_a_task_cannot_be_asked_of_is_said() -> None:
    third = Picture(ConfusionTable((0, 50, 50, 900), (1, 1, 1, 1, 1)), "as_category")
    one, two = TASKS_BY_KEY["below-zero"], TASKS_BY_KEY["equal-kappa"]
    assert not one.solved(third)
    assert one.state(third) == TWO_LABELS
    assert not two.solved(Picture(ConfusionTable((1, 2, 3, 4))))
    assert two.state(Picture(ConfusionTable((1, 2, 3, 4)))) == BESIDE
    assert two.state(third, third) == TWO_LABELS
    assert one.solved(Picture(ConfusionTable((0, 50, 50, 900), (1, 1, 1, 1, 1))))
