"""Groups of items left out as wholes where items have weights: a jackknife by hand, repeated rows, equal weights, simulation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

import metrics
from metrics.analyses.evaluation import catalogue_family
from metrics.analyses.weighing import Together, Weighing, grouped, small_cells
from metrics.measures.coefficients import cohen_kappa

N_GROUPS = 48


def rows(seed: int = 0, *, groups: int = N_GROUPS, copies: bool = False, weights: tuple[int, ...] = (1, 2, 5)) -> bytes:
    """Write two criteria and two judges with scores, the items of a prompt alike; with copies an item of weight w is w items."""
    rng = np.random.default_rng(seed)
    lines = ["item,prompt,topic,lang,criterion,human,judge,verdict,score" + ("" if copies else ",weight")]
    for group in range(groups):
        ease, share = rng.normal(), rng.normal()
        for item in range(int(rng.integers(2, 6))):
            weight = int(rng.choice(weights))
            cells = []
            for criterion in "ab":
                truth = rng.random() < 1 / (1 + math.exp(-share))
                for judge, skill in (("A", -0.8), ("B", -1.6)):
                    said = truth ^ (rng.random() < 1 / (1 + math.exp(-(skill + ease))))
                    score = 0.5 * said + 0.5 * rng.random()
                    labels = ["no", "yes"][truth], judge, ["no", "yes"][said], f"{score:.3f}"
                    cells.append(",".join(["xy"[group % 2], ["en", "de"][item % 2], criterion, *labels]))
            for copy in range(weight if copies else 1):
                ending = "" if copies else f",{weight}"
                lines += [f"q{group}-{item}-{copy},p{group},{cell}{ending}" for cell in cells]
    return "\n".join(lines).encode()


def of_groups(seed: int = 0, criterion: str = "a") -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return reference and judge, what an item weighs and its group, of a criterion and judge A."""
    table = [line.split(",") for line in rows(seed).decode().splitlines()[1:]]
    kept = [line for line in table if line[4] == criterion and line[6] == "A"]
    human, judge = (np.array([line[at] == "yes" for line in kept]) for at in (5, 7))
    return human, judge, np.array([float(line[9]) for line in kept]), np.array([int(line[1][1:]) for line in kept])


def table_of(human: np.ndarray, judge: np.ndarray, weight: np.ndarray) -> np.ndarray:
    return np.bincount((~human) * 2 + (~judge), weight, minlength=4).reshape(2, 2)


def by_hand(group: np.ndarray, value: Callable[[np.ndarray], float]) -> float:
    """Return the standard error of a number of rows when the rows of each group are left out."""
    left = np.array([value(group != each) for each in np.unique(group)])
    return float(((len(left) - 1) / len(left) * ((left - left.mean()) ** 2).sum()) ** 0.5)


def test_the_interval_is_that_of_a_jackknife_of_groups_by_hand() -> None:
    human, judge, weight, group = of_groups()
    one = metrics.agreement(metrics.read(rows()), unit="prompt").judges["A"].weighted.criteria["a"]

    def accuracy(kept: np.ndarray) -> float:
        return float(weight[kept & (human == judge)].sum() / weight[kept].sum())

    def kappa(kept: np.ndarray) -> float:
        return float(cohen_kappa(table_of(human[kept], judge[kept], weight[kept])))

    everybody, t = np.ones(len(group), bool), stats.t.ppf(0.975, N_GROUPS - 1)
    value, error = accuracy(everybody), by_hand(group, accuracy)
    centre, reach = np.log(value / (1 - value)), t * error / (value * (1 - value))
    assert one.estimates["accuracy"].note == ""
    assert one.estimates["accuracy"].ends == pytest.approx([1 / (1 + np.exp(-centre + side * reach)) for side in (1, -1)])
    value, error = kappa(everybody), by_hand(group, kappa)
    ends = np.tanh(np.arctanh(value) + np.array([-1, 1]) * t * error / (1 - value**2))
    assert one.estimates["kappa"].value == pytest.approx(value)
    assert one.estimates["kappa"].ends == pytest.approx(ends)
    assert one.n_items == len(group)
    assert one.n_effective == pytest.approx(weight.sum() ** 2 / (weight**2).sum())


def test_the_mean_over_criteria_leaves_a_group_out_of_all_of_them() -> None:
    found = metrics.agreement(metrics.read(rows()), unit="prompt").judges["A"].weighted.macro["kappa"]
    (human, said, weight, group), (human_b, said_b, *_) = of_groups(), of_groups(criterion="b")

    def mean(kept: np.ndarray) -> float:
        both = table_of(human[kept], said[kept], weight[kept]), table_of(human_b[kept], said_b[kept], weight[kept])
        return float(np.mean([cohen_kappa(table) for table in both]))

    value = mean(np.ones(len(group), bool))
    reach = stats.t.ppf(0.975, N_GROUPS - 1) * by_hand(group, mean) / (1 - value**2)
    assert (found.value, found.note) == (pytest.approx(value), "")
    assert found.ends == pytest.approx(np.tanh(np.arctanh(value) + np.array([-1, 1]) * reach))


def ends(report: Any, path: Callable[[Any], Any]) -> list[float]:
    estimate = path(report)
    return [estimate.value, *estimate.ends]


def judge(report: Any) -> Any:
    return report.judges["A"]


REPEATED: dict[str, tuple[Callable[[metrics.Ratings], Any], Callable[[Any], Any], Callable[[Any], Any]]] = {
    **{
        f"agreement, {key}": (
            lambda file: metrics.agreement(file, unit="prompt"),
            lambda report, key=key: judge(report).weighted.estimates[key],
            lambda report, key=key: judge(report).micro[key],
        )
        for key in ("kappa", "accuracy", "f1", "kappa_within")
    },
    "agreement, one criterion": (
        lambda file: metrics.agreement(file, unit="prompt"),
        lambda report: judge(report).weighted.criteria["b"].estimates["recall"],
        lambda report: judge(report).criteria["b"]["recall"],
    ),
    "agreement, item": (
        lambda file: metrics.agreement(file, unit="prompt"),
        lambda report: judge(report).weighted.item.estimates["kappa"],
        lambda report: judge(report).item["kappa"],
    ),
    "roc": (
        lambda file: metrics.roc(file, unit="prompt"),
        lambda report: judge(report).pooled.weighted.area,
        lambda report: judge(report).pooled.curve.area,
    ),
    "roc, mean": (
        lambda file: metrics.roc(file, unit="prompt"),
        lambda report: judge(report).mean.weighted,
        lambda report: judge(report).mean.area,
    ),
    "comparison": (
        lambda file: metrics.compare(file, "A", "B", "accuracy", unit="prompt", replicates=9),
        lambda report: report.weighted.difference,
        lambda report: report.difference,
    ),
    "comparison, mean of κ": (
        lambda file: metrics.compare(file, "A", "B", level="macro", unit="prompt", replicates=9),
        lambda report: report.weighted.difference,
        lambda report: report.difference,
    ),
    "slices": (
        lambda file: metrics.slices(file, "topic", unit="prompt"),
        *[lambda report: judge(report)["x"]["kappa"]] * 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REPEATED)
def test_the_interval_is_that_of_items_repeated_as_often(name: str) -> None:
    """A group whose items are repeated has the table of the group by weight, so that leaving it out changes the same."""
    make, weighted, plain = REPEATED[name]
    by_weight, repeated = (make(metrics.read(rows(copies=copies))) for copies in (False, True))
    assert ends(by_weight, weighted) == pytest.approx(ends(repeated, plain), abs=1e-12)
    if weighted is not plain:
        assert ends(by_weight, plain) != pytest.approx(ends(repeated, plain), abs=1e-3)


def test_differences_of_numbers_are_those_of_items_repeated_as_often() -> None:
    def numbers(copies: bool) -> Any:
        read = [line.split(",") for line in rows(copies=copies).decode().splitlines()[1:]]
        lines = ["item,prompt,criterion,human,verdict" + ("" if copies else ",weight")]
        lines += [
            ",".join([*line[:2], line[4], {"no": "1.2", "yes": "2.7"}[line[5]], f"{float(line[8]) * 3:.3f}", *line[9:]])
            for line in read
            if line[6] == "A"
        ]
        (found,) = metrics.scores(metrics.read("\n".join(lines).encode(), scale="continuous"), unit="prompt").judges.values()
        return found

    by_weight, repeated = numbers(False), numbers(True)
    for key in ("bias", "mae", "pearson"):
        found, expected = by_weight.weighted.estimates[key], repeated.pooled[key]
        assert [found.value, *found.ends] == pytest.approx([expected.value, *expected.ends])
    assert by_weight.weighted.estimates["spearman"].ends == pytest.approx(repeated.pooled["spearman"].ends, abs=0.02)


@pytest.mark.parametrize("by", ["topic", "lang"])
def test_tests_between_groups_are_those_of_items_repeated_as_often(by: str) -> None:
    """Of a column that holds whole prompts, and of one that cuts through them."""
    by_weight, repeated = (
        judge(metrics.slices(metrics.read(rows(copies=copies)), by, unit="prompt", replicates=199)) for copies in (False, True)
    )
    assert by_weight.weights == "weight"
    first, second = (next(iter(each.slices)) for each in (by_weight, repeated))
    assert first["kappa"].value == pytest.approx(second["kappa"].value)
    assert by_weight.test.q == pytest.approx(repeated.test.q, rel=0.05)


def test_an_effect_on_a_judge_is_that_of_items_repeated_as_often() -> None:
    """Of two sources either is the other one turned."""
    effects = [metrics.biases(metrics.read(rows(copies=copies)), unit="prompt").judges["A"][0] for copies in (False, True)]
    found, expected = effects[0].weighted, effects[1].effect
    assert (abs(found.estimate.value), found.p) == pytest.approx((abs(expected.estimate.value), expected.p))
    assert effects[0].effect.p != pytest.approx(expected.p)


def test_whole_groups_are_swapped_with_the_weights_of_their_items() -> None:
    """Few groups are swapped in all ways, so that the p is that of the repeated rows, whatever the random numbers."""
    by_weight, repeated = (
        metrics.compare(metrics.read(rows(3, groups=9, copies=copies)), "A", "B", "accuracy", unit="prompt")
        for copies in (False, True)
    )
    assert repeated.permutation.exact
    assert by_weight.weighted.p == pytest.approx(repeated.permutation.p)
    assert by_weight.weighted.p != pytest.approx(by_weight.permutation.p)


def test_a_margin_is_held_by_groups_as_by_repeated_items() -> None:
    by_weight, repeated = (
        metrics.compare(metrics.read(rows(copies=copies)), "A", "B", "accuracy", unit="prompt", margin=0.02, replicates=9)
        for copies in (False, True)
    )
    assert by_weight.held.verdict == repeated.held.verdict
    assert by_weight.held.worst >= repeated.held.worst - 1e-12, "few heavy groups may hide how far one of them moves it"


def test_equal_weights_are_none_and_change_no_digit() -> None:
    alike = metrics.agreement(metrics.read(rows(weights=(3,))), unit="prompt")
    plain = metrics.agreement(metrics.read(rows(weights=(3,)).replace(b",weight\n", b",other\n")), unit="prompt")
    assert alike.judges["A"].weighted is None
    assert alike.judges["A"].micro.to_dict() == plain.judges["A"].micro.to_dict()
    assert "weights" not in alike.to_dict()["declaration"]


@pytest.mark.parametrize("key", ["kappa", "accuracy", "recall", "f1"])
def test_groups_of_items_of_weight_1_have_the_interval_without_weights(key: str) -> None:
    human, judge_, weight, group = of_groups(4)
    kind = ((~human) * 2 + (~judge_)).astype(np.int64)
    together = Together(group.astype(np.int64), "groups by ‘prompt’")
    items = grouped(np.eye(4).reshape(4, 2, 2), kind, np.ones(len(weight)), np.ones(len(weight), np.int64), together).items
    family = catalogue_family(("yes", "no"), keys=(key,))
    found = Weighing("weight", family, 0.95, small_cells).numbers(items).estimates[key]
    names = np.array(["no", "yes"])
    lines = ["item,prompt,human,verdict"]
    lines += [f"q{i},p{g},{names[int(h)]},{names[int(j)]}" for i, (g, h, j) in enumerate(zip(group, human, judge_, strict=True))]
    (report,) = metrics.agreement(metrics.read("\n".join(lines).encode()), unit="prompt").judges.values()
    assert [found.value, *found.ends] == pytest.approx([report.micro[key].value, *report.micro[key].ends], abs=1e-12)


def test_groups_of_one_item_each_are_items() -> None:
    lines = rows().decode().splitlines()
    alone = [lines[0], *(",".join([cells[0], cells[0], *cells[2:]]) for cells in (line.split(",") for line in lines[1:]))]
    file = metrics.read("\n".join(alone).encode())
    grouped_, items = (metrics.agreement(file, unit=unit).judges["A"].weighted for unit in ("prompt", "item"))
    assert grouped_.to_dict() == items.to_dict()


def test_few_groups_are_counted_as_groups() -> None:
    found = metrics.agreement(metrics.read(rows(1, groups=12)), unit="prompt").judges["A"].weighted.estimates["kappa"]
    assert "groups by ‘prompt’ with one label of the reference" in found.note
    assert found.ends is not None
    assert found.ends[0] < found.value < found.ends[1]


@pytest.mark.slow("simulates")
@pytest.mark.parametrize("groups", [20, 60])
def test_groups_that_err_alike_keep_the_coverage(groups: int) -> None:
    """Groups and the items in them are drawn more often where they are hard; errors of a group go together."""
    rng, runs = np.random.default_rng(groups), 150
    family = catalogue_family(("yes", "no"), keys=("kappa", "accuracy"))
    asked = Weighing("weight", family, 0.95, small_cells)

    def population(n: int) -> tuple[np.ndarray, ...]:
        group = np.repeat(np.arange(n), rng.integers(2, 12, n))
        own, tempt = rng.normal(0, 1, n)[group], rng.normal(0, 0.8, n)[group]
        hard, human = (rng.random(len(group)) < 1 / (1 + np.exp(-(middle + tempt))) for middle in (-1, 0))
        wrong = rng.random(len(group)) < 1 / (1 + np.exp(-(np.where(hard, -0.5, -2.2) + own)))
        return group, hard, human, human ^ wrong

    _, _, human, said = population(200_000)
    whole = table_of(human, said, np.ones(len(human)))
    true = {key: float(function(whole)) for key, function in family.functions.items()}
    covered = dict.fromkeys(true, 0)
    for _ in range(runs):
        group, hard, human, said = population(int(1.6 * groups))
        easy = np.bincount(group, hard) / np.bincount(group) <= 0.3
        drawn = (rng.random(len(easy)) < np.where(easy, 0.35, 1))[group] & (rng.random(len(group)) < np.where(hard, 1, 0.35))
        weight = (np.where(easy[group], 1 / 0.35, 1) * np.where(hard, 1, 1 / 0.35))[drawn]
        kind = ((~human) * 2 + (~said))[drawn].astype(np.int64)
        together = Together(group[drawn], "groups")
        items = grouped(np.eye(4).reshape(4, 2, 2), kind, weight, np.ones(len(weight), np.int64), together).items
        for key, estimate in asked.numbers(items).estimates.items():
            covered[key] += estimate.ends[0] <= true[key] <= estimate.ends[1]
    assert all(hits / runs >= 0.92 for hits in covered.values()), covered
