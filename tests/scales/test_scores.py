"""`metrics.scores` on ordered labels: from rows to a report."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score

import metrics
from metrics.analyses.ordered_catalogue import ORDERED
from metrics.analyses.scores.readings import readings
from metrics.analyses.scores.result import JudgeScores
from metrics.data.labels import RubricCriterion
from metrics.errors import InputError
from metrics.results.words import percent
from tests.made_files import graded
from tests.shared_data import data

FOUR = ("1", "2", "3", "4")
KINDS = {"1": "class", "2": "class", "3": "class", "4": "class", "NA": "abstention", "ERR": "error", "BAD": "invalid"}
KEYS = (
    "n", "pearson", "spearman", "kendall_tau_b", "rmse", "mae", "bias", "exact_agreement", "adjacent_agreement",
    "weighted_kappa_linear", "weighted_kappa_quadratic", "intervals",
)  # fmt: skip


@pytest.fixture(scope="module", params=["made up", "llmrubric_real_ordinal.csv"])
def text(request) -> str:
    return graded() if request.param == "made up" else data(request.param).read_text("utf-8")


@pytest.fixture(scope="module")
def rubric(text) -> metrics.Ratings:
    return metrics.read(text.encode(), order=FOUR)


@pytest.fixture(scope="module")
def report(rubric) -> metrics.ScoresReport:
    return metrics.scores(rubric)


def only(report: metrics.ScoresReport) -> JudgeScores:
    (its,) = report.judges.values()
    return its


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def oracle(pairs: list[tuple[float, float]], classes: list[float]) -> dict[str, float]:
    a, b = np.array(pairs).T
    vary = len(set(a)) > 1 and len(set(b)) > 1
    places = [[classes.index(one) for one in side] for side in (a, b)]

    def kappa(weights: str | None) -> float:
        return float(cohen_kappa_score(*places, labels=list(range(len(classes))), weights=weights))

    return {
        "exact_agreement": float((a == b).mean()),
        "adjacent_agreement": float((np.abs(np.subtract(*places)) <= 1).mean()),
        "weighted_kappa_quadratic": kappa("quadratic"), "weighted_kappa_linear": kappa("linear"), "kappa": kappa(None),
        "spearman": float(stats.spearmanr(a, b).statistic) if vary else math.nan,
        "kendall_tau_b": float(stats.kendalltau(a, b).statistic) if vary else math.nan,
        "pearson": float(stats.pearsonr(a, b).statistic) if vary else math.nan,
        "rmse": float(np.sqrt(np.mean((b - a) ** 2))), "mae": float(np.mean(np.abs(b - a))), "bias": float(np.mean(b - a)),
    }  # fmt: skip


def test_rubric_scores_equal_scipy_and_scikit_learn(text, report) -> None:
    rows = [row for row in rows_of(text) if "NA" not in (row["human"], row["verdict"])]
    its = only(report)
    for criterion in [None, *its.criteria]:
        own = [(float(r["human"]), float(r["verdict"])) for r in rows if criterion in (None, r["criterion"])]
        block = its.block(criterion)
        assert block.n == len(own)
        wanted = oracle(own, [1.0, 2.0, 3.0, 4.0])
        assert {key: block.values[key] for key in wanted} == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_real_scores_on_two_ranges_equal_scipy_and_scikit_learn() -> None:
    path = data("viescore_t2i.csv")
    classes = [0.0, 0.5, 1, 2, 3, 4, 5, 6, 7, 7.5, 8, 8.5, 9, 10]
    ratings = metrics.read(path, order=[f"{one:g}" for one in classes])
    report = metrics.scores(ratings, judges=["gpt4o"], interval="none")
    own = [(float(r["human"]), float(r["verdict"])) for r in rows_of(path.read_text("utf-8")) if r["judge"] == "gpt4o"]
    wanted = oracle(own, classes)
    block = report.judges["gpt4o"].pooled
    assert {key: block.values[key] for key in wanted} == pytest.approx(wanted, abs=1e-12)
    assert [warning.code for warning in report.warnings] == ["other_options"]
    assert "97\u00a0% of decisions the judge gives an option that the reference never gives" in report.warnings[0].message


def test_the_mean_is_over_the_criteria_where_a_number_is_defined(report) -> None:
    its = only(report)
    for key, value in its.mean.values.items():
        own = [block.values[key] for block in its.criteria.values() if not math.isnan(block.values[key])]
        assert value == pytest.approx(np.mean(own), abs=1e-15)
        assert its.mean[key].of == (len(own), len(its.criteria))
    assert its.mean["spearman"].of[0] < len(its.criteria)


def test_the_json_has_the_contract(report) -> None:
    found = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    (judge,) = found["judges"].values()
    assert list(judge["criteria"]) == ["all", *report.declaration.criteria]
    for block in judge["criteria"].values():
        assert set(KEYS) <= set(block)
        assert block["labels"] == list(FOUR)
        assert set(block["intervals"]) == {measure.key for measure in ORDERED}
        for key, reason in block["undefined"].items():
            assert block[key] is None
            assert reason
            assert block["intervals"][key] is None
        for key, ends in block["intervals"].items():
            assert ends is None or ends[0] <= block[key] <= ends[1]
            assert ends is None or ends[0] < ends[1]
    assert judge["criteria"]["Q4"]["undefined"]["spearman"] == "the judge gives one label only, 3"
    assert judge["criteria"]["Q4"]["weighted_kappa_quadratic"] == 0
    assert judge["coverage"]["n_covered"] == judge["criteria"]["all"]["n"]
    assert {key: found["declaration"][key] for key in ("scale", "on", "order", "values", "values_from")} == {
        "scale": "ordinal", "on": "label", "order": list(FOUR), "values": {"1": 1, "2": 2, "3": 3, "4": 4},
        "values_from": "labels",
    }  # fmt: skip
    assert set(judge["criteria"]["Q0"]["per_class"]["1"]) == {"precision", "recall", "f1", "youden_j"}


def test_numbers_of_a_published_rubric() -> None:
    found = metrics.scores(metrics.read(data("llmrubric_real_ordinal.csv"), order=FOUR)).to_dict()
    judge = found["judges"]["gpt-3.5-turbo-16k"]
    assert list(judge["criteria"]) == ["all", *(f"Q{i}" for i in range(9))]
    assert (
        judge["mean_over_criteria"]["defined"] | {"pearson": [7, 9], "spearman": [7, 9]} == judge["mean_over_criteria"]["defined"]
    )
    assert judge["coverage"]["n_covered"] == 1701
    assert judge["criteria"]["Q0"]["n"] == 223


def test_the_table_has_one_row_per_level_and_number(report) -> None:
    frame = report.to_frame()
    assert len(frame) == (1 + 1 + len(report.declaration.criteria)) * len(ORDERED)
    row = frame[(frame.level == "criterion") & (frame.criterion == "Q0") & (frame.metric == "rmse")].iloc[0]
    block = only(report).criteria["Q0"]
    assert (row.value, row.n, row.scale, row.order) == (block.values["rmse"], block.n, "ordinal", "1 < 2 < 3 < 4")
    assert (row.low, row.high) == block["rmse"].ends
    mean = frame[(frame.level == "mean") & (frame.metric == "spearman")].iloc[0]
    n = len(report.declaration.criteria)
    assert (mean.criteria_defined, mean.undefined) == (f"{only(report).mean['spearman'].of[0]}of{n}", "")


def test_an_option_that_nobody_chose_changes_no_number_but_its_neighbours(build_of_tables) -> None:
    table = np.array([[9, 2, 0], [1, 8, 3], [0, 2, 7]])
    ratings = build_of_tables(table, kinds=KINDS, labels=("1", "2", "3"))
    plain = metrics.scores(ratings, interval="none").judges["j"].pooled
    longer = metrics.scores(ratings, order=("0", "1", "2", "3", "4", "5"), interval="none").judges["j"].pooled
    assert longer.confusion.shape == (6, 6)
    assert {key: longer.values[key] for key in plain.values} == pytest.approx(dict(plain.values), abs=1e-12)
    apart = metrics.scores(ratings, order=("1", "1.5", "2", "3"), interval="none").judges["j"].pooled
    assert apart.values["adjacent_agreement"] < plain.values["adjacent_agreement"]
    assert apart.values["rmse"] == pytest.approx(plain.values["rmse"])


def test_values_move_distances_and_pearson_and_nothing_else(build_of_tables) -> None:
    ratings = build_of_tables(np.array([[9, 2, 1], [1, 8, 3], [0, 2, 7]]), kinds=KINDS, labels=("1", "2", "3"))
    plain = metrics.scores(ratings, interval="none").judges["j"].pooled.values
    other = metrics.scores(ratings, interval="none", values={"1": 0, "2": 10, "3": 100}).judges["j"].pooled.values
    moved = {key for key in plain if plain[key] != pytest.approx(other[key], abs=1e-12)}
    assert moved == {"pearson", "rmse", "mae", "bias"}


def test_turning_the_order_turns_only_the_bias_of_words(build_of_tables) -> None:
    names = ("low", "mid", "high")
    ratings = build_of_tables(np.array([[9, 2, 1], [1, 8, 3], [0, 2, 7]]), kinds=dict.fromkeys(names, "class"), labels=names)
    up = metrics.scores(ratings, order=names, interval="none").judges["j"].pooled.values
    down = metrics.scores(ratings, order=names[::-1], interval="none").judges["j"].pooled.values
    assert down["bias"] == pytest.approx(-up["bias"])
    assert {key: down[key] for key in up if key != "bias"} == pytest.approx({k: v for k, v in up.items() if k != "bias"})


def open_ratings(build_paired) -> metrics.Ratings:
    human = [["1", "4"], ["2", "NA"], ["NA", "3"], ["4", "2"], ["3", "1"]]
    judge = [["NA", "4"], ["2", "NA"], ["1", "BAD"], ["4", "ERR"], [None, "1"]]
    return build_paired(human, judge, kinds=KINDS)


def test_abstentions_are_dropped_or_count_as_the_lowest_and_on_negative_weight_as_the_highest(build_paired) -> None:
    ratings = open_ratings(build_paired)
    dropped = metrics.scores(ratings, interval="none").judges["j"]
    assert [block.n for block in (dropped.pooled, *dropped.criteria.values())] == [4, 2, 2]
    lowest = metrics.scores(ratings, abstention="as_unmet", interval="none").judges["j"]
    assert lowest.criteria["c0"].confusion.tolist() == [[2, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    assert lowest.criteria["c1"].confusion.tolist() == [[2, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]]
    turned = metrics.scores(ratings, abstention="as_unmet", weights={"c1": -2}, interval="none")
    assert turned.judges["j"].criteria["c1"].confusion.tolist() == [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 2]]
    assert turned.judges["j"].criteria["c0"].confusion.tolist() == lowest.criteria["c0"].confusion.tolist()
    assert turned.reversed == ("c1",)
    assert turned.to_dict()["declaration"]["abstention_is_highest_on"] == ["c1"]
    assert turned.judges["j"].coverage == dropped.coverage
    codes = [warning.code for warning in turned.warnings]
    assert {"failed_calls", "unmatched"} <= set(codes)


def test_an_abstention_has_no_place_in_an_order(build_paired) -> None:
    with pytest.raises(InputError, match="has no place in an order"):
        metrics.scores(open_ratings(build_paired), abstention="as_category")


@pytest.mark.parametrize(
    ("choices", "said"),
    [({"on": "rank"}, "Unknown choice 'rank'"), ({"abstention": "guess"}, "Unknown abstention mode 'guess'"),
     ({"interval": "bca"}, "Unknown interval 'bca'"), ({"judges": ["x"]}, "no judge is called 'x'"),
     ({"weights": {"x": 1}}, "No criterion is called 'x'"), ({"confidence": 2}, "between 0 and 1"),
     ({"cost": [[0, 1], [1, 0]]}, "must be 4 x 4"), ({"unit": "prompt"}, "no column to group"),
     ({"order": ("1", "2")}, "lacks ‘3’, ‘4’")],
)  # fmt: skip
def test_what_is_refused(build_paired, choices, said) -> None:
    with pytest.raises(InputError, match=said):
        metrics.scores(open_ratings(build_paired), **choices)


def test_a_cost_matrix_gives_one_more_kappa(rubric) -> None:
    away = np.abs(np.subtract.outer(range(4), range(4)))
    report = metrics.scores(rubric, cost=away**2)
    block = only(report).pooled
    assert block.values["weighted_kappa"] == pytest.approx(block.values["weighted_kappa_quadratic"], abs=1e-12)
    assert block["weighted_kappa"].ends == pytest.approx(block["weighted_kappa_quadratic"].ends, abs=1e-9)
    assert report.to_dict()["declaration"]["cost"] == (away**2).tolist()


def test_one_criterion_is_pooled_and_mean_alike(build_of_tables) -> None:
    ratings = build_of_tables(np.array([[9, 2, 1], [1, 8, 3], [0, 2, 7]]), kinds=KINDS, labels=("1", "2", "3"))
    its = metrics.scores(ratings).judges["j"]
    assert its.pooled.values == pytest.approx(its.mean.values)
    assert its.pooled.intervals == its.mean.intervals == its.criteria["c0"].intervals


def test_undefined_numbers_say_why(build_of_tables) -> None:
    never = np.zeros((3, 3), int)
    both = np.diag([0, 5, 0])
    judge = np.array([[0, 3, 0], [0, 4, 0], [0, 2, 0]])
    fine = np.array([[2, 1, 0], [0, 3, 1], [0, 0, 4]])
    ratings = build_of_tables(never, both, judge, fine, kinds=KINDS, labels=("1", "2", "3"))
    report = metrics.scores(ratings)
    blocks = report.judges["j"].criteria
    assert set(blocks["c0"].undefined.values()) == {"no decision is left"}
    assert set(blocks["c0"].undefined) == {measure.key for measure in ORDERED}
    assert blocks["c1"].undefined["weighted_kappa_quadratic"] == "both sides give only 2"
    assert blocks["c1"].undefined["pearson"] == "the reference gives one label only, 2"
    assert blocks["c1"].values["exact_agreement"] == 1
    assert blocks["c1"].values["rmse"] == 0
    assert blocks["c2"].undefined["kendall_tau_b"] == "the judge gives one label only, 2"
    assert blocks["c2"].values["weighted_kappa_linear"] == 0
    assert not blocks["c3"].undefined
    texts = [warning.message for warning in report.warnings if warning.code == "degenerate_criterion"]
    assert texts == [
        "j: on c0 no decision is left.",
        "j: on c1 and c2 a side says one option only; κ is then 0 by construction, chance level, or undefined, and correlations "
        "are undefined.",
    ]
    json.dumps(report.to_dict(), allow_nan=False)


def test_numbers_that_are_missing_between_labels_are_named(build_of_tables) -> None:
    ratings = build_of_tables(np.array([[4, 2], [1, 3]]), kinds={"1": "class", "5": "class"}, labels=("1", "5"))
    assert [warning.code for warning in metrics.scores(ratings).warnings] == ["numbers_missing"]
    named = metrics.scores(ratings, order=("1", "2", "3", "4", "5"))
    assert named.warnings == ()
    falling = metrics.scores(ratings, values={"1": 3, "5": 1}, order=("1", "5"))
    assert [warning.code for warning in falling.warnings] == ["values_against_order"]


def test_two_labels_are_an_order_as_well(build_of_tables) -> None:
    table = np.array([[30, 10], [5, 20]])
    ratings = build_of_tables(table)
    block = metrics.scores(ratings).judges["j"].pooled
    assert block.labels == ("UNMET", "MET")
    assert block.confusion.tolist() == [[20, 5], [10, 30]]
    assert block.values["weighted_kappa_quadratic"] == pytest.approx(float(metrics.cohen_kappa(table)))
    assert block.values["bias"] == pytest.approx(float(metrics.drift(table)))


def test_several_humans_decide_before_anything_is_recoded(build_ratings) -> None:
    rows = [
        ("a", "c", "h1", "human", "1"), ("a", "c", "h2", "human", "NA"), ("a", "c", "h3", "human", "4"),
        ("a", "c", "j", "judge", "1"),
        ("b", "c", "h1", "human", "4"), ("b", "c", "h2", "human", "4"), ("b", "c", "h3", "human", "NA"),
        ("b", "c", "j", "judge", "4"),
    ]  # fmt: skip
    ratings = build_ratings(rows, kinds=KINDS)
    assert metrics.scores(ratings, interval="none").judges["j"].pooled.n == 2  # the low median; who abstains has no vote
    assert metrics.scores(ratings, reference="majority", interval="none").judges["j"].pooled.n == 1
    recoded = metrics.scores(ratings, abstention="as_unmet", interval="none").judges["j"].pooled
    assert recoded.confusion.tolist() == [[1, 0], [0, 1]]
    assert metrics.scores(ratings, reference="h1", interval="none").judges["j"].pooled.n == 2


def test_no_shared_item_is_said_as_for_agreement(build_paired) -> None:
    ratings = build_paired([["1"], [None]], [[None], ["2"]], kinds=KINDS)
    with pytest.raises(InputError, match="share none on any criterion"):
        metrics.scores(ratings)


def test_a_table_of_counts_has_decisions_and_no_items(tmp_path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("human,judge,n\n1,1,30\n1,2,10\n2,2,20\n2,3,5\n3,3,12\n3,1,2\n")
    report = metrics.scores(metrics.read(path, order=("1", "2", "3")))
    its = next(iter(report.judges.values()))
    assert its.n_items is None
    assert its.pooled.n == 79
    assert its.pooled.values["adjacent_agreement"] == pytest.approx(77 / 79)


RUBRIC = (
    RubricCriterion("clarity", 2.0, "ordinal", (("unclear", 0.0), ("fine", 0.5), ("clear", 1.0))),
    RubricCriterion("harm", -3.0, "ordinal", (("none", 0.0), ("some", 0.4), ("much", 1.0))),
)


def with_rubric(build_paired, rubric) -> metrics.Ratings:
    names = [label for own in RUBRIC for label, _ in own.options]
    rng = np.random.default_rng(1)
    sides = [
        [[names[a], names[3 + b]] for a, b in zip(rng.integers(0, 3, 30), rng.integers(0, 3, 30), strict=True)] for _ in range(2)
    ]
    sides[0][0][1] = "NA"
    found = build_paired(*sides, kinds={**dict.fromkeys(names, "class"), "NA": "abstention"}, order=names)
    renamed = replace(found, criteria=("clarity", "harm"), memo={})
    return replace(renamed, source=replace(found.source, rubric=rubric), memo={})


def test_a_rubric_says_what_options_are_worth_and_which_weight_is_negative(build_paired) -> None:
    ratings = with_rubric(build_paired, RUBRIC)
    report = metrics.scores(ratings, abstention="as_unmet")
    assert report.order.values == (0.0, 0.5, 1.0, 0.0, 0.4, 1.0)
    assert report.order.source == "given"
    assert report.reversed == ("harm",)
    confusion = report.judges["j"].criteria["harm"].confusion
    assert confusion[5].sum() == metrics.scores(ratings).judges["j"].criteria["harm"].confusion[5].sum() + 1
    assert metrics.scores(ratings, abstention="as_unmet", weights={"harm": 1}).reversed == ()


def test_criteria_with_options_of_their_own_are_not_pooled(build_paired) -> None:
    report = metrics.scores(with_rubric(build_paired, RUBRIC))
    assert report.warnings == ()
    its = report.judges["j"]
    why = "clarity and harm have no option in common, so options cannot be pooled"
    lost = {"baseline_accuracy", "adjacent_baseline", "weighted_kappa_quadratic", "weighted_kappa_linear", "kappa", "spearman"}
    assert {key for key, own in its.pooled.undefined.items() if own == why} == lost | {"kendall_tau_b"}
    assert set(its.pooled.intervals) == {"exact_agreement", "adjacent_agreement", "pearson", "rmse", "mae", "bias"}
    assert its.pooled.values["exact_agreement"] == pytest.approx(
        sum(block.values["exact_agreement"] * block.n for block in its.criteria.values()) / its.pooled.n
    )
    assert not math.isnan(its.mean.values["weighted_kappa_quadratic"])
    said = readings(report, "j")
    near = sum(block.values["adjacent_agreement"] * block.n for block in its.criteria.values()) / its.pooled.n
    assert said[0].endswith(f" of 59 decisions and one at most one away in {percent(near)}.")
    assert said[1].startswith(f"κ quadratic is undefined: {why}; the mean over 2 criteria is ")
    assert "nan" not in report.summary()
    same = (RUBRIC[0], replace(RUBRIC[1], options=(*RUBRIC[0].options, *RUBRIC[1].options)))
    assert not metrics.scores(with_rubric(build_paired, same)).judges["j"].pooled.undefined


def test_one_criterion_of_negative_weight_alone(build_paired) -> None:
    ratings = open_ratings(build_paired).on_criteria(["c1"])
    found = metrics.scores(ratings, abstention="as_unmet", weights={"c1": -1}, interval="none")
    assert found.reversed == ("c1",)
