"""`metrics.scores` on numbers: from rows to a report."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import metrics
from metrics.analyses.ordered_catalogue import NUMBERS, RECORDS
from metrics.analyses.paired_numbers import KEYS, Paired, measures
from metrics.analyses.scores.readings import bias_reading, readings
from metrics.analyses.scores.readings_numbers import concordance_reading, limits_reading
from metrics.errors import InputError
from metrics.measures.transforms import transformed
from metrics.results.words import listed
from tests.made_files import JUDGE, numbers
from tests.shared_data import data


@pytest.fixture(scope="module", params=["made up", "topicalchat_unieval.csv"])
def text(request) -> str:
    return numbers() if request.param == "made up" else data(request.param).read_text("utf-8")


@pytest.fixture(scope="module")
def ratings(text) -> metrics.Ratings:
    return metrics.read(text.encode(), scale="continuous")


@pytest.fixture(scope="module")
def report(ratings) -> metrics.ScoresReport:
    return metrics.scores(ratings)


@pytest.fixture(scope="module")
def judge(ratings) -> str:
    (name,) = ratings.judges
    return name


def pairs(text: str, criterion: str | None = None) -> tuple[np.ndarray, np.ndarray]:
    rows = [row for row in csv.DictReader(text.splitlines()) if criterion in (None, row["criterion"])]
    return tuple(np.array([float(row[side]) for row in rows]) for side in ("human", "verdict"))


def written(tmp_path: Path, text: str, **how: object) -> metrics.Ratings:
    path = tmp_path / "numbers.csv"
    path.write_text(text)
    return metrics.read(path, **how)


def some_numbers(n_items: int = 40, n_criteria: int = 3, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    effect = rng.normal(size=(n_items, 1))
    human = effect + rng.normal(size=(n_items, n_criteria)) + 3 * np.arange(n_criteria)
    return human.round(3), (human * 0.8 + 0.5 + rng.normal(size=human.shape) * 0.7).round(3)


def lines_of(human: np.ndarray, judge: np.ndarray) -> str:
    out = ["item,criterion,human,verdict,human_score,score"]
    for (i, c), number in np.ndenumerate(human):
        out.append(f"i{i},c{c},yes,no,{'' if math.isnan(number) else number},{judge[i, c]}")
    return "\n".join(out) + "\n"


def test_scores_equal_scipy(text, report, judge) -> None:
    its = report.judges[judge]
    for criterion in [None, *its.criteria]:
        a, b = pairs(text, criterion)
        block = its.block(criterion)
        assert block.n == len(a)
        wanted = {
            "pearson": stats.pearsonr(a, b).statistic, "spearman": stats.spearmanr(a, b).statistic,
            "kendall_tau_b": stats.kendalltau(a, b).statistic, "rmse": np.sqrt(np.mean((b - a) ** 2)),
            "mae": np.mean(np.abs(b - a)), "bias": np.mean(b - a), "bias_sd": np.std(b - a, ddof=1),
        }  # fmt: skip
        assert {key: block.values[key] for key in wanted} == pytest.approx(wanted, abs=1e-12)
        if criterion is not None:
            assert block.values["bias_p"] == pytest.approx(stats.ttest_rel(b, a).pvalue, rel=1e-9)
            assert block["bias"].ends == pytest.approx(tuple(stats.ttest_rel(b, a).confidence_interval(0.95)))


def test_every_block_is_what_pairs_of_numbers_tell(text, report, judge) -> None:
    first = report.declaration.criteria[0]
    wanted = measures(Paired(*pairs(text, first)))
    block = report.judges[judge].block(first)
    for key in KEYS[1:]:
        assert block.values[key] == pytest.approx(wanted[key].value, abs=1e-12)
        assert (block[key].ends is None) == (wanted[key].ends is None)
        assert block[key].ends is None or block[key].ends == pytest.approx(wanted[key].ends, abs=1e-12)


def test_the_mean_over_criteria_leaves_whole_items_out(tmp_path) -> None:
    human, judge = some_numbers()
    report = metrics.scores(written(tmp_path, lines_of(human, judge)), on="score")
    its = report.judges["judge"]
    functions = {
        "pearson": lambda a, b: stats.pearsonr(a, b).statistic, "rmse": lambda a, b: np.sqrt(np.mean((b - a) ** 2)),
        "bias": lambda a, b: np.mean(b - a), "spearman": lambda a, b: stats.spearmanr(a, b).statistic,
        "kendall_tau_b": lambda a, b: stats.kendalltau(a, b).statistic,
    }  # fmt: skip
    for key, function in functions.items():
        own = [function(human[:, c], judge[:, c]) for c in range(3)]
        assert its.mean.values[key] == pytest.approx(np.mean(own), abs=1e-12)
        left = [
            np.mean([function(np.delete(human[:, c], i), np.delete(judge[:, c], i)) for c in range(3)]) for i in range(len(human))
        ]
        error = math.sqrt((len(left) - 1) * np.var(left))
        transform = RECORDS[key].transform
        if transform == "root":
            ends = transformed(float(np.mean(own)), error, transform, float(stats.t.ppf(0.975, 39)))
            assert its.mean[key].ends == pytest.approx(ends, rel=1e-6)
            continue
        slope = {"fisher": 1 / (1 - np.mean(own) ** 2), "log": 1 / np.mean(own), None: 1.0}[transform]
        go = {"fisher": np.arctanh, "log": np.log, None: float}[transform]
        back = {"fisher": np.tanh, "log": np.exp, None: float}[transform]
        reach = stats.t.ppf(0.975, 39) * error * slope
        assert its.mean[key].ends == pytest.approx((back(go(np.mean(own)) - reach), back(go(np.mean(own)) + reach)), rel=1e-6)
    assert its.mean["pearson"].of == (3, 3)
    assert "bias_p" not in its.mean.values


def test_a_pooled_interval_leaves_whole_items_out(tmp_path) -> None:
    human, judge = some_numbers()
    report = metrics.scores(written(tmp_path, lines_of(human, judge)), on="score")
    unit = np.repeat(np.arange(40), 3)
    wanted = measures(Paired(human.ravel(), judge.ravel(), unit))
    block = report.judges["judge"].pooled
    assert block["pearson"].ends == pytest.approx(wanted["pearson"].ends)
    assert block.to_dict()["n_units"] == 40
    assert report.judges["judge"].n_items == 40


def test_decisions_without_a_number_are_counted(tmp_path) -> None:
    human, judge = some_numbers()
    human[:5, 0] = np.nan
    report = metrics.scores(written(tmp_path, lines_of(human, judge)), on="score", interval="none")
    its = report.judges["judge"]
    assert (its.coverage.n_total, its.coverage.n_covered, its.coverage.n_no_reference, its.coverage.n_no_judge) == (
        120,
        115,
        5,
        0,
    )
    assert its.criteria["c0"].n == 35
    assert its.to_dict()["coverage"]["coverage"] == pytest.approx(115 / 120)
    assert its.pooled.intervals == {}


def test_the_number_of_several_humans_is_their_mean(tmp_path) -> None:
    lines = ["item,criterion,rater,role,label,score"]
    for i in range(6):
        for name, role, number in (("a", "human", i), ("b", "human", i + 1), ("c", "human", 2 * i), ("j", "judge", i * i)):
            lines.append(f"i{i},c,{name},{role},{'yes' if number % 2 else 'no'},{number}")
    ratings = written(tmp_path, "\n".join(lines) + "\n")
    a, j = np.arange(6.0), np.arange(6.0) ** 2
    means = {"majority": (4 * a + 1) / 3, "a": a, "majority without c": (2 * a + 1) / 2}
    for reference, human in means.items():
        report = metrics.scores(ratings, reference=reference, on="score")
        assert report.judges["j"].pooled.values["bias"] == pytest.approx(np.mean(j - human))
    assert metrics.scores(ratings, on="score").declaration.reference == "the mean of the humans"
    assert metrics.scores(ratings, on="score", reference="a").declaration.reference == "a"
    without = metrics.scores(ratings, on="score", reference="majority without c").declaration.reference
    assert without == "the mean of the humans without c"
    with pytest.raises(InputError, match="hardly ever equal"):
        metrics.scores(ratings, on="score", reference="unanimous")


def test_numbers_in_the_place_of_labels_are_compared_without_asking(ratings, report) -> None:
    assert report.on == "score"
    assert report.declaration.scale == "continuous"
    assert report.order is None
    with pytest.raises(InputError, match=r"holds numbers, not labels\. Compare them with on=.score"):
        metrics.scores(ratings, on="label")


def test_two_units_are_named_with_the_criterion(report, judge) -> None:
    wanted = ("tone", "overall") if judge == JUDGE else ("naturalness", "coherence", "overall")
    warned = [warning.message for warning in report.warnings if warning.code == "two_units"]
    assert len(warned) == 1
    assert warned[0].startswith(f"{judge}: on {listed(wanted)} half of one side's numbers lie well outside")
    assert warned[0].endswith("two units. Bias, RMSE, MAE, spread and concordance mix them; correlations stand.")
    assert set(report.judges[judge].two_units) == set(wanted)
    for criterion, mixed in ((None, True), ("overall", True), (grounded(report), False)):
        said = bias_reading(report, judge, criterion)
        assert said.endswith("in two units here, so no mean error is stated.") is mixed
        assert ("so it is the" in said) is not mixed
        read = concordance_reading(report, judge, criterion)
        assert read.endswith("The two sides are in two units, so Lin’s CCC is not stated.") is mixed
        assert limits_reading(report, judge, criterion).startswith("Limits of agreement say nothing here") is mixed


def grounded(report: metrics.ScoresReport) -> str:
    return next(name for name in report.declaration.criteria if name.startswith("grounded"))


def test_the_json_is_strict_and_complete(report, text, judge) -> None:
    found = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    block = found["judges"][judge]["criteria"]["all"]
    assert {measure.key for measure in NUMBERS} | {"n", "intervals", "undefined"} <= set(block)
    assert block["n"] == len(pairs(text)[0])
    assert found["declaration"]["on"] == "score"
    n = len(report.declaration.criteria)
    assert found["judges"][judge]["mean_over_criteria"]["defined"]["spearman"] == [n, n]


@pytest.mark.parametrize(
    ("choices", "said"),
    [({"abstention": "as_unmet"}, "an abstention has no number"), ({"order": ("1", "2")}, "order: scores are numbers already"),
     ({"values": {"1": 2}}, "values: scores"), ({"cost": [[0, 1], [1, 0]]}, "cost: scores")],
)  # fmt: skip
def test_what_belongs_to_labels_is_refused(ratings, choices, said) -> None:
    with pytest.raises(InputError, match=said):
        metrics.scores(ratings, on="score", **choices)


def test_a_file_without_numbers_says_what_to_name(tmp_path) -> None:
    text = "item,human,verdict{}\n" + "".join(f"i{i},{'yes' if i % 2 else 'no'},yes{{}}\n" for i in range(6))
    with pytest.raises(InputError, match=r"no column holds numbers\. Name them score"):
        metrics.scores(written(tmp_path, text.replace("{}", "")), on="score")
    with pytest.raises(InputError, match="the reference has no numbers"):
        metrics.scores(written(tmp_path, text.replace("{}", ",score", 1).replace("{}", ",1.5")), on="score")


def test_constant_sides_and_few_items_say_why(tmp_path) -> None:
    human, judge = some_numbers(3, 1)
    judge[:] = 2.0
    report = metrics.scores(written(tmp_path, lines_of(human, judge)), on="score")
    block = report.judges["judge"].pooled
    assert block.undefined["pearson"] == "the judge gives one number only, 2"
    assert math.isnan(block.values["pearson"])
    assert block.to_dict()["no_interval"]["rmse"].startswith("only 3 items")
    assert concordance_reading(report, "judge") == "r is undefined: the judge gives one number only, 2."


def test_mixed_criteria_are_compared_where_they_can_be(tmp_path) -> None:
    lines = ["item,criterion,human,verdict"]
    for i in range(12):
        lines += [f"i{i},grade,{1 + i % 4},{1 + (i * i) % 4}", f"i{i},tone,{'MET' if i % 2 else 'UNMET'},MET"]
    text = "\n".join(lines) + "\n"
    report = metrics.scores(written(tmp_path, text, order=("1", "2", "3", "4")))
    assert tuple(report.judges["judge"].criteria) == ("grade",)
    assert report.declaration.criteria == ("grade",)
    first = report.warnings[0]
    assert (first.code, first.message) == (
        "other_scales", "1 of 2 criteria are counted, those with ordered labels; not tone (binary).",
    )  # fmt: skip


def test_what_pairs_of_numbers_say(tmp_path, report, judge) -> None:
    human, other = some_numbers(60, 1)
    said = metrics.scores(written(tmp_path, lines_of(human, other)), on="score")
    texts = readings(said, "judge")
    assert len(texts) == 4
    assert texts[0].startswith("r is 0.")
    assert texts[0].endswith("], beyond chance.")
    both = concordance_reading(report, judge, grounded(report))
    assert f": a shift between the two sides and a narrower spread of {judge} (0." in both
    assert both.endswith(" times that of the human) cost the rest.")
    assert "a bias of 0 has p <0.001, Cohen’s d +0." in limits_reading(report, judge, grounded(report))
    equal = metrics.scores(written(tmp_path, lines_of(human, human)), on="score")
    assert concordance_reading(equal, "judge").endswith("neither a shift nor another spread costs agreement.")
    assert "nan" not in equal.summary() + report.summary()


@pytest.mark.parametrize(
    ("n_items", "offset", "slope", "said"),
    [
        (12, 0.1, 1.0, ": no shift and no other spread is shown that would cost the rest."),
        (200, 0.6, 1.0, ": a shift between the two sides costs agreement."),
        (200, 0.0, 0.5, " times that of the human) costs agreement."),
    ],
)
def test_what_lowers_concordance_is_named_where_it_is_shown(
    n_items: int, offset: float, slope: float, said: str, tmp_path
) -> None:
    rng = np.random.default_rng(5)
    truth = rng.normal(size=(n_items, 1))
    human, judge = truth + rng.normal(0, 0.3, truth.shape), slope * truth + offset + rng.normal(0, 0.3, truth.shape)
    text = concordance_reading(metrics.scores(written(tmp_path, lines_of(human, judge)), on="score"), "judge")
    assert text.endswith(said)


def test_one_cause_is_not_said_to_cost_all_that_another_may_cost_too(tmp_path) -> None:
    """The shift is shown, the spread is not: one item far off makes it uncertain, and most of the loss."""
    human = np.array([*np.linspace(-1, 1, 14), 9.0])[:, None]
    judge = np.where(human > 1, 0.75, 1) * human - 0.4 + np.resize([0.1, -0.1], human.shape)
    report = metrics.scores(written(tmp_path, lines_of(human, judge)), on="score")
    low, high = report.judges["judge"].pooled["sd_ratio"].ends
    assert low < 1 < high
    assert concordance_reading(report, "judge").endswith(": a shift between the two sides costs agreement.")


def test_concordance_over_criteria_stands_beside_its_mean(tmp_path) -> None:
    rng = np.random.default_rng(7)
    human = rng.normal(size=(80, 3))
    judge = human * [0.4, 0.4, 1.2] + rng.normal(size=human.shape) * [0.35, 0.35, 1.0]
    report = metrics.scores(written(tmp_path, lines_of(human, judge)), on="score")
    mean = report.judges["judge"].mean.values
    assert mean["pearson"] - mean["ccc"] > 0.09
    beside = f", pooled (on average over criteria CCC is {mean['ccc']:.2f} and r {mean['pearson']:.2f}): "
    assert beside in concordance_reading(report, "judge")
    assert "pooled" not in concordance_reading(report, "judge", next(iter(report.judges["judge"].criteria)))


def test_three_items_that_fall_where_the_reference_rises_have_no_agreement_to_lose(tmp_path) -> None:
    human = np.array([[1.0], [2.0], [3.1]])
    report = metrics.scores(written(tmp_path, lines_of(human, 4 - human + [[0.1], [0], [0]])), on="score")
    assert ": without a correlation above chance there is no agreement" in concordance_reading(report, "judge")


def test_numbers_beside_a_verdict_of_0_or_1_are_at_no_distance() -> None:
    def said(human: tuple[float, ...], criterion: str | None = None) -> str:
        rows = [f"i{i},c,{human[i % len(human)]},{(i % 10) / 10}" for i in range(60)]
        ratings = metrics.read(("item,criterion,human,verdict\n" + "\n".join(rows)).encode(), scale="continuous")
        return bias_reading(metrics.scores(ratings), "judge", criterion)

    for criterion in (None, "c"):
        assert "the RMSE from the verdict of the human counted as 0 or 1 is 0.5" in said((0, 1, 1), criterion)
        assert "apart" not in said((0, 1, 1), criterion)
        assert "typically the two differ by 0.5" in said((0, 0.5, 1), criterion)


def test_a_cell_that_holds_no_number_counts_nowhere_and_is_named() -> None:
    rows = [f"i{place},{place % 7},{place % 7 + place % 2}" for place in range(30)]
    text = "\n".join(["item,human,verdict", *rows, "i30,4,oops", "i31,2,inf"])
    ratings = metrics.read(text.encode(), scale="continuous")
    report = metrics.scores(ratings)
    note = "2 cells of ‘verdict’ hold neither a number nor a word for no verdict (‘oops’, ‘inf’): left out."
    assert report.judges["judge"].pooled.n == 30
    assert [warning.message for warning in report.warnings if warning.code == "cells_left_out"] == [note]
    assert note in [statement.text for statement in metrics.overview(ratings).verdict]
    whole = metrics.read("\n".join(["item,human,verdict", *rows]).encode(), scale="continuous")
    assert not [statement for statement in metrics.overview(whole).verdict if statement.kind == "cells_left_out"]
