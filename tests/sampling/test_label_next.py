"""What to label next: drawn as often as the weights say, unbiased and covered by simulation, and read back from the sheet."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.analyses.item_weights import item_weights
from metrics.analyses.sampling import readings
from metrics.analyses.sampling.result import LabelPlan
from metrics.analyses.sampling.strata import allocated
from metrics.commands.cli import commands
from metrics.errors import InputError
from metrics.measures.coefficients import cohen_kappa
from metrics.report.label_sheet import sheet_file


def yn(value: bool) -> str:
    return "yes" if value else "no"


class World:
    """Items of which a quarter is hard, two judges, and a human label of each."""

    def __init__(self, n: int, seed: int, *, rare: float = 0.3) -> None:
        rng = np.random.default_rng(seed)
        hard = rng.random(n) < 0.25
        self.n, self.human = n, rng.random(n) < rare
        self.a, self.b = (self.human ^ (rng.random(n) < np.where(hard, 0.35, 0.03)) for _ in range(2))

    def rows(self, labelled: np.ndarray, criteria: tuple[str, ...] = ("",)) -> bytes:
        extra = "" if criteria == ("",) else "criterion,"
        lines = [f"item,{extra}human,judge,verdict,question"]
        for i in range(self.n):
            for criterion in criteria:
                own = f"{criterion}," if extra else ""
                said = f"{yn(self.human[i]) if labelled[i] else ''},"
                lines += [
                    f"q{i},{own}{said}{name},{yn(side[i])},Is <b>{i}</b> so?" for name, side in (("A", self.a), ("B", self.b))
                ]
        return "\n".join(lines).encode()

    def kappa(self) -> float:
        table = np.zeros((2, 2))
        np.add.at(table, (self.human.astype(int), self.a.astype(int)), 1)
        return float(cohen_kappa(table))


def first(n: int, labelled: int) -> np.ndarray:
    return np.arange(n) < labelled


def plan_of(content: bytes, n: int = 60, **how) -> LabelPlan:
    return metrics.label_next(metrics.read(content), n, **how)


@pytest.mark.parametrize("purpose", ["kappa", "rare", "difference"])
def test_weights_add_up_to_the_items_without_a_label(purpose: str) -> None:
    plan = plan_of(World(500, 1).rows(first(500, 80)), purpose=purpose)
    assert plan.n == len(set(plan.items)) == 60
    assert sum(plan.weights) == pytest.approx(420)
    assert not {f"q{i}" for i in range(80)} & set(plan.items)
    assert all(stratum.n_drawn >= 1 for stratum in plan.strata if stratum.n_free)
    assert plan.n_effective <= 60
    assert json.loads(json.dumps(plan.to_dict(), allow_nan=False))["n"] == 60
    assert LabelPlan.from_json(plan.to_json()).to_dict() == plan.to_dict()


def test_more_are_drawn_where_the_judge_errs() -> None:
    plan = plan_of(World(2000, 2).rows(first(2000, 400)), 100)
    rates = {stratum.name: stratum.n_drawn / stratum.n_free for stratum in plan.strata}
    assert min(rates["yes, judges differ"], rates["no, judges differ"]) > 1.3 * min(rates["yes"], rates["no"])


def test_the_same_seed_draws_the_same_items_and_another_one_others() -> None:
    content = World(300, 3).rows(first(300, 70))
    assert plan_of(content).items == plan_of(content).items
    assert plan_of(content, rng=1).items != plan_of(content).items


@pytest.mark.slow("simulates")
def test_estimates_are_unbiased_and_covered_and_no_more_is_promised_than_is_spared() -> None:
    world, runs, n, pilot = World(600, 4), 120, 60, 80
    truth, rng = world.kappa(), np.random.default_rng(4)
    by_strata, at_random, hits, told = [], [], 0, []
    for run in range(runs):
        labelled = np.zeros(world.n, bool)
        labelled[rng.choice(world.n, pilot, replace=False)] = True
        plan = plan_of(world.rows(labelled), n, rng=run)
        told += [] if plan.spared is None else [plan.spared.ratio]
        drawn = np.array([int(item[1:]) for item in plan.items])
        for items, weight, out in (
            (drawn, np.array(plan.weights), by_strata),
            (rng.choice(np.flatnonzero(~labelled), n, replace=False), np.full(n, (world.n - pilot) / n), at_random),
        ):
            rows = ["item,human,verdict,weight"]
            rows += [f"q{i},{yn(world.human[i])},{yn(world.a[i])},1" for i in np.flatnonzero(labelled)]
            rows += [f"q{i},{yn(world.human[i])},{yn(world.a[i])},{w:.6g}" for i, w in zip(items, weight, strict=True)]
            (judge,) = metrics.agreement(metrics.read("\n".join(rows).encode())).judges.values()
            assert judge.weighted is not None
            out.append(judge.weighted.estimates["kappa"])
    values = np.array([estimate.value for estimate in by_strata])
    assert abs(values.mean() - truth) < 3.5 * values.std() / runs**0.5
    hits = np.mean([estimate.ends[0] <= truth <= estimate.ends[1] for estimate in by_strata if estimate.ends])
    assert hits >= 0.92
    spared = np.mean([(estimate.value - truth) ** 2 for estimate in at_random]) / np.mean((values - truth) ** 2)
    assert spared > 1.1
    assert len(told) > 0.9 * runs
    assert np.median(told) < spared * 1.3


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_a_sheet_that_was_filled_opens_beside_the_file_and_its_weights_count(form: str, tmp_path: Path) -> None:
    world, labelled = World(200, 5), first(200, 50)
    file = tmp_path / "labels.csv"
    file.write_bytes(world.rows(labelled, ("tone", "facts")))
    plan = metrics.label_next(metrics.read(file), 40)
    sheet = tmp_path / f"sheet.{form}"
    sheet.write_bytes(sheet_file(plan, form))
    frame = pd.read_csv(sheet) if form == "csv" else pd.read_excel(sheet)
    frame["human"] = [yn(world.human[int(item[1:])]) for item in frame["item"]]
    frame.to_csv(sheet, index=False) if form == "csv" else frame.to_excel(sheet, index=False)
    ratings = metrics.read([file, sheet])
    weights = item_weights(ratings)
    assert weights is not None
    labelled_items = [
        place for place, item in enumerate(ratings.items) if str(item) in {*plan.items, *(f"q{i}" for i in range(50))}
    ]
    assert weights[labelled_items].sum() == pytest.approx(200, rel=1e-4)
    report = metrics.agreement(ratings)
    assert report.judges["A"].weighted is not None
    assert report.judges["A"].weighted.n_items == 90
    assert report.judges["A"].weighted.counts.sum() == pytest.approx(400, rel=1e-4)
    assert "50 labelled items have no weight and stand for themselves." in [warning.message for warning in report.warnings]


def test_the_sheet_says_nothing_of_any_judge() -> None:
    plan = plan_of(World(120, 6).rows(first(120, 30), ("tone", "facts")), 20, criterion="tone")
    frame = plan.to_frame()
    assert list(frame.columns) == ["item", "criterion", "question", "human", "weight"]
    assert len(frame) == 20
    assert set(frame["human"]) == {""}
    assert set(frame["criterion"]) == {"tone"}


def test_the_workbook_asks_for_a_label_of_a_list_and_hides_the_weights() -> None:
    plan = plan_of(World(120, 7).rows(first(120, 30)), 20)
    sheet = openpyxl.load_workbook(io.BytesIO(sheet_file(plan, "xlsx"))).active
    heads = [cell.value for cell in sheet[1]]
    (validation,) = sheet.data_validations.dataValidation
    column = openpyxl.utils.get_column_letter(heads.index("human") + 1)
    assert str(validation.sqref) == f"{column}2:{column}21"
    assert validation.formula1 == '"yes,no"'
    assert sheet.column_dimensions[openpyxl.utils.get_column_letter(heads.index("weight") + 1)].hidden


def test_the_page_to_print_has_a_box_for_each_label_no_weight_and_no_markup_of_the_file() -> None:
    plan = plan_of(World(120, 8).rows(first(120, 30)), 20)
    page = sheet_file(plan, "html").decode()
    assert page.count('<span class="choice">yes</span>') == 20
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "weight" not in page.split("</style>")[1]


def test_before_the_first_label_errors_are_looked_for_where_judges_differ() -> None:
    world = World(400, 9)
    lines = [f"q{i},{name},judge,{yn(side[i])}" for i in range(400) for name, side in (("A", world.a), ("B", world.b))]
    plan = plan_of("\n".join(["item,rater,role,label", *lines]).encode(), 60)
    rates = {stratum.name: stratum.n_drawn / stratum.n_free for stratum in plan.strata}
    assert min(rates["yes, judges differ"], rates["no, judges differ"]) > max(rates["yes"], rates["no"])
    assert plan.spared is None
    assert "cannot be tried out" in plan.summary()


def test_where_fewer_are_left_all_are_drawn_each_for_itself() -> None:
    plan = plan_of(World(100, 10).rows(first(100, 70)), 500)
    assert plan.n == 30
    assert set(plan.weights) == {1.0}


@pytest.mark.parametrize(
    ("how", "text"),
    [
        ({"purpose": "luck"}, "Unknown purpose"), ({"judge": "C"}, "no judge is called 'C'"), ({"n": 0}, "at least 1 item"),
        ({"purpose": "difference", "judge": "A", "other": "A"}, "needs two judges"),
        ({"criterion": "x"}, "no criterion is called"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused(how: dict[str, object], text: str) -> None:
    with pytest.raises(InputError, match=text):
        plan_of(World(60, 11).rows(first(60, 20)), **how)


def test_a_file_with_all_labels_is_refused_with_the_mend() -> None:
    with pytest.raises(InputError, match=r"every item that A answered has a label.*nobody labelled"):
        plan_of(World(60, 12).rows(first(60, 60)))


@given(
    sizes=st.lists(st.integers(0, 400), min_size=1, max_size=8).filter(any),
    spread=st.lists(st.floats(0.01, 1.0), min_size=8, max_size=8),
    n=st.integers(1, 300),
)
def test_a_draw_is_as_large_as_asked_and_takes_no_more_than_there_is(sizes: list[int], spread: list[float], n: int) -> None:
    have = np.array(sizes)
    drawn = allocated(n, have, np.array(spread[: len(sizes)]))
    assert drawn.sum() == min(n, have.sum())
    assert (drawn <= have).all()
    assert (drawn >= 0).all()


def test_the_command_writes_the_sheet(tmp_path: Path) -> None:
    file, sheet = tmp_path / "labels.csv", tmp_path / "sheet.xlsx"
    file.write_bytes(World(200, 13).rows(first(200, 70)))
    found = CliRunner().invoke(commands, ["label-next", str(file), "-n", "30", "--for", "rare", "--out", str(sheet), "--json"])
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["purpose"] == "rare"
    assert sheet.stat().st_size > 1000
    wrong = CliRunner().invoke(commands, ["label-next", str(file), "--out", str(tmp_path / "sheet.pdf")])
    assert isinstance(wrong.exception, InputError)


def test_items_whose_score_lies_near_the_cut_are_a_stratum_of_their_own() -> None:
    rng = np.random.default_rng(14)
    score = rng.random(300)
    human = rng.random(300) < score
    lines = ["item,human,verdict,score"]
    lines += [f"q{i},{yn(human[i]) if i < 80 else ''},{yn(score[i] > 0.5)},{score[i]:.4f}" for i in range(300)]
    plan = plan_of("\n".join(lines).encode(), 60)
    rates = {stratum.name: stratum.n_drawn / stratum.n_free for stratum in plan.strata}
    assert set(rates) == {"yes", "yes, near the cut", "no", "no, near the cut"}
    assert rates["yes, near the cut"] + rates["no, near the cut"] > rates["yes"] + rates["no"]


def test_over_several_criteria_a_stratum_is_how_many_have_the_other_verdict() -> None:
    rng = np.random.default_rng(15)
    lines = ["item,criterion,human,verdict"]
    for i in range(200):
        share = rng.random()
        lines += [f"q{i},c{c},{yn(rng.random() < share) if i < 60 else ''},{yn(rng.random() < share)}" for c in range(6)]
    plan = plan_of("\n".join(lines).encode(), 60)
    assert len(plan.strata) == 3
    assert all(stratum.name.endswith(" no") for stratum in plan.strata)
    assert min(stratum.n_items for stratum in plan.strata) > 30


def test_one_stratum_is_all_items_and_spares_nothing() -> None:
    rng = np.random.default_rng(8)
    rows = [
        {
            "item": f"q{k}",
            "criterion": on,
            "judge": who,
            "human": human if k < 60 else "",
            "verdict": str(rng.choice(["yes", "no"])),
        }
        for k in range(120)
        for on, human in (("a", str(rng.choice(["yes", "no"]))), ("b", "yes"))
        for who in ("gpt", "llama")
    ]
    ratings = metrics.read(pd.DataFrame(rows))
    few, more = metrics.label_next(ratings, 12), metrics.label_next(ratings, 25)
    assert [one.name for one in few.strata] == ["all items"]
    assert "as likely as any other: from 20 items on" in readings.spared_words(few)
    assert "All items drawn weigh the same." in readings.summary(few)
    assert len(more.strata) > 1
    assert any(one.name.endswith(", and the like") for one in more.strata)
