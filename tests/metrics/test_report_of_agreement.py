"""`metrics.agreement`: what its JSON holds, at every level, in every mode, on every kind of data."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics.data.abstention import MODES
from metrics.measures.catalogue import applicable
from metrics.measures.cost_matrices import slide_cost
from metrics.readers import from_counts

STATES = np.array(["MET", "UNMET", "CA", "TIE", "BAD", "ERR", None], object)
FRAME = {"n", "labels", "confusion", "intervals", "interval_methods", "undefined"}
BINARY = {
    "accuracy", "expected_agreement", "precision", "recall", "specificity", "npv", "fpr", "fnr", "f1", "f1_negative", "macro_f1",
    "balanced_accuracy", "youden_j", "kappa", "kappa_within", "phi", "kappa_phi_gap", "kappa_phi_ratio", "prevalence",
    "predicted_prevalence", "drift", "pabak", "gwet_ac1", "scott_pi", "prevalence_index", "bias_index", "baseline_accuracy",
    "baseline_accuracy_by_criterion",
} | {metric.key for metric in applicable(2)}  # fmt: skip
"""What is promised, and every metric that the catalogue has gained since."""
CRITERIA_ONLY = {"kappa_within", "baseline_accuracy_by_criterion"}
THREE = {
    "accuracy", "kappa", "mcc_multiclass", "balanced_accuracy", "macro_j", "macro_f1", "expected_agreement", "baseline_accuracy",
    "baseline_accuracy_by_criterion", "kappa_within",
} | {metric.key for metric in applicable(3)}  # fmt: skip
PER_CLASS = {"classes_used", "per_class"}
COVERAGE = {
    "n_total", "n_covered", "coverage", "judge_coverage", "human_coverage", "judge_abstention_rate", "human_abstention_rate",
    "both_abstention_rate", "error_rate", "tie_rate", "invalid_rate", "abstention_kappa", "abstention_kappa_reason",
    "n_human_only", "n_judge_only", "n_split", "n_voted", "split_rate", "apart_rate",
}  # fmt: skip
DECLARATION = {
    "file", "sha256", "metrics_version", "scale", "abstention", "labels", "handling", "n_items", "criteria", "judges",
    "reference", "item_rule", "interval", "rows",
}  # fmt: skip


def sides(seed: int, n_items: int, n_criteria: int, agree: float = 0.6):
    rng = np.random.default_rng(seed)
    human = rng.choice(7, (n_items, n_criteria), p=np.array([7, 5, 2, 0.5, 0.5, 0.5, 0.5]) / 16)
    judge = np.where(rng.random(human.shape) < agree, human, rng.choice(7, human.shape))
    human[0, 0], judge[0, 0] = 0, 1
    return STATES[human].tolist(), STATES[judge].tolist()


def report(ratings, mode="exclude", **options):
    return metrics.agreement(ratings, abstention=mode, interval="none", **options)


def strict(found) -> dict:
    out = found.to_dict()
    return json.loads(json.dumps(out, allow_nan=False))


@pytest.mark.parametrize("mode", ["exclude", "as_unmet"])
def test_keys_of_two_classes(build_paired, mode) -> None:
    out = strict(report(build_paired(*sides(1, 40, 3)), mode))
    assert set(out) == {"version", "declaration", "judges", "warnings"}
    assert out["version"] == 1
    assert set(out["declaration"]) == DECLARATION
    judge = out["judges"]["j"]
    assert set(judge) == {"micro", "macro", "item", "criteria", "coverage"}
    assert set(judge["micro"]) == BINARY | FRAME
    own = BINARY - CRITERIA_ONLY
    assert set(judge["macro"]) == own | {"defined", "intervals", "interval_methods", "undefined"}
    assert set(judge["item"]) == own | FRAME | {"left_out", "coverage", "complete"}
    for block in judge["criteria"].values():
        assert set(block) == own | FRAME | {"degenerate"}
    assert set(judge["coverage"]) == COVERAGE
    assert judge["micro"]["labels"] == ["MET", "UNMET"]


def test_keys_of_three_classes(build_paired) -> None:
    ratings = build_paired(*sides(1, 40, 3))
    for cost in (None, "nominal"):
        judge = strict(report(ratings, "as_category", cost=cost))["judges"]["j"]
        keys = THREE | ({"weighted_kappa"} if cost else set())
        assert set(judge["micro"]) == keys | FRAME | PER_CLASS
        assert set(judge["item"]) == keys - CRITERIA_ONLY | FRAME | PER_CLASS | {"left_out", "coverage", "complete"}
        assert set(judge["macro"]["defined"]) == keys - CRITERIA_ONLY
        for block in judge["criteria"].values():
            assert set(block) == keys - CRITERIA_ONLY | FRAME | PER_CLASS | {"degenerate"}
        assert set(judge["micro"]["per_class"]) == {"MET", "UNMET", "CA / TIE / BAD"}
        assert set(judge["micro"]["per_class"]["CA / TIE / BAD"]) == {"precision", "recall", "f1", "youden_j"}
        if cost:
            assert judge["micro"]["weighted_kappa"] == pytest.approx(judge["micro"]["kappa"], abs=1e-12)


def test_every_metric_of_the_catalogue_is_in_some_report(build_paired) -> None:
    ratings = build_paired(*sides(1, 40, 3))
    shown = {mode: set(strict(report(ratings, mode))["judges"]["j"]["micro"]) for mode in MODES}
    assert {metric.key for metric in applicable(2)} <= shown["exclude"] & shown["as_unmet"]
    assert {metric.key for metric in applicable(3)} <= shown["as_category"]
    assert {metric.key for metric in metrics.CATALOGUE} <= shown["exclude"] | shown["as_category"]


def test_three_labels_even_when_nobody_abstained(build_of_tables) -> None:
    judge = strict(report(build_of_tables([[3, 1], [1, 2]], labels=("MET", "UNMET")), "as_category"))["judges"]["j"]
    for block in (judge["micro"], judge["item"], judge["criteria"]["c0"]):
        assert block["labels"] == ["MET", "UNMET", "CA"]
        assert block["confusion"] == [[3, 1, 0], [1, 2, 0], [0, 0, 0]]
        assert block["classes_used"] == 2
        assert block["per_class"]["CA"] == dict.fromkeys(("precision", "recall", "f1", "youden_j"))
    plain = strict(report(build_of_tables([[3, 1], [1, 2]], labels=("MET", "UNMET"))))["judges"]["j"]["micro"]
    for key in ("kappa", "accuracy", "macro_f1", "balanced_accuracy"):
        assert judge["micro"][key] == pytest.approx(plain[key], abs=1e-12)
    unnamed = {"MET": "positive", "UNMET": "negative"}
    ratings = build_of_tables([[3, 1], [1, 2]], labels=("MET", "UNMET"), kinds=unnamed)
    assert strict(report(ratings, "as_category"))["judges"]["j"]["micro"]["labels"] == ["MET", "UNMET", "CANNOT_ASSESS"]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n_items=st.integers(1, 12), n_criteria=st.integers(1, 3), mode=st.sampled_from(MODES))
def test_undefined_is_null_with_a_reason_and_nothing_else_is(build_paired, seed, n_items, n_criteria, mode) -> None:
    ratings = build_paired(*sides(seed, n_items, n_criteria, agree=0.9))
    found = report(ratings, mode, cost="as-negative" if mode == "as_category" else None)
    judge = strict(found)["judges"]["j"]
    for block in (judge["micro"], judge["macro"], judge["item"], *judge["criteria"].values()):
        numbers = {key for key in block if key in metrics.BY_KEY}
        assert {key for key in numbers if block[key] is None} == set(block["undefined"])
        assert all(isinstance(reason, str) and reason for reason in block["undefined"].values())
        assert block["intervals"] == block["interval_methods"] == {}
    for key, (k, total) in judge["macro"]["defined"].items():
        own = [block[key] for block in judge["criteria"].values()]
        assert (k, total) == (sum(value is not None for value in own), n_criteria)
        mean = np.mean([value for value in own if value is not None]) if k else None
        assert judge["macro"][key] == (None if mean is None else pytest.approx(mean, abs=1e-12))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n_items=st.integers(2, 25), n_criteria=st.integers(1, 4), mode=st.sampled_from(MODES))
def test_every_number_is_its_metric_on_the_table_beside_it(build_paired, seed, n_items, n_criteria, mode) -> None:
    judge = report(build_paired(*sides(seed, n_items, n_criteria)), mode).judges["j"]
    tables = np.array([block.confusion for block in judge.criteria.values()])
    assert (judge.micro.confusion == tables.sum(0)).all()
    for block in (judge.micro, judge.item, *judge.criteria.values()):
        assert block.n == block.confusion.sum()
        margins = [(block.confusion.sum(axis) > 0).sum() for axis in (0, 1)]
        assert block.degenerate == (min(margins) < 2)
        for metric in applicable(len(block.labels), "table"):
            assert block.values[metric.key] == pytest.approx(float(metric.function(block.confusion)), abs=1e-12, nan_ok=True)
    for metric in applicable(len(judge.micro.labels), "criteria"):
        assert judge.micro.values[metric.key] == pytest.approx(float(metric.function(tables)), abs=1e-12, nan_ok=True)


def numbers(found) -> dict:
    """What a report says of each judge, with the criteria by name."""
    judges = found.to_dict()["judges"]
    return json.loads(json.dumps({name: judges[name] for name in sorted(judges)}, sort_keys=True))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), mode=st.sampled_from(MODES), data=st.data())
def test_the_order_of_rows_items_criteria_and_raters_changes_nothing(build_ratings, seed, mode, data) -> None:
    rng = np.random.default_rng(seed)
    raters = [("h0", "human"), ("h1", "human"), ("h2", "human"), ("j", "judge"), ("k", "judge")]
    rows = [
        (f"i{i}", f"c{c}", *rater, str(rng.choice(["MET", "UNMET", "CA"], p=[0.5, 0.35, 0.15])))
        for i in range(12) for c in range(3) for rater in raters if rng.random() < 0.9
    ]  # fmt: skip
    names = {"items": [f"i{i}" for i in range(12)], "criteria": ["c0", "c1", "c2"], "raters": raters}
    before = numbers(report(build_ratings(rows, **names), mode))
    mixed = {key: data.draw(st.permutations(value)) for key, value in names.items()}
    after = numbers(report(build_ratings(data.draw(st.permutations(rows)), **mixed), mode))
    assert flat(after) == pytest.approx(flat(before), abs=1e-12, nan_ok=True)


def flat(value, path: str = "") -> dict[str, object]:
    if isinstance(value, dict):
        return {key: inner for name, below in value.items() for key, inner in flat(below, f"{path}/{name}").items()}
    if isinstance(value, list):
        return {key: inner for i, below in enumerate(value) for key, inner in flat(below, f"{path}/{i}").items()}
    return {path: math.nan if value is None else value} if not isinstance(value, str) else {}


@pytest.mark.parametrize("mode", MODES)
def test_counts_are_the_same_decisions_without_items(build_of_tables, mode) -> None:
    table = [[30, 10, 5], [10, 20, 5], [5, 5, 10]]
    kinds = {"MET": "positive", "UNMET": "negative", "CA": "abstention"}
    counted = strict(report(from_counts(table, list(kinds), kinds=kinds), mode))
    one_by_one = strict(report(build_of_tables(table, kinds=kinds), mode))
    assert counted["declaration"]["n_items"] is None
    assert one_by_one["declaration"]["n_items"] == 100
    (ours,), theirs = counted["judges"].values(), one_by_one["judges"]["j"]
    assert ours["micro"] == theirs["micro"]
    assert ours["coverage"] == theirs["coverage"]
    item = ours["item"]
    assert item["n"] == 0
    assert item["undefined"]["kappa"] == "a table of counts has no items"
    assert all(item[key] is None for key in item["undefined"])
    assert set(item["undefined"]) == set(theirs["item"]) & set(metrics.BY_KEY)


def test_multiplicities_equal_items_repeated(build_paired) -> None:
    human, judge = sides(5, 15, 3)
    times = np.random.default_rng(5).integers(1, 5, 15)
    repeated = [[side[i] for i in range(15) for _ in range(times[i])] for side in (human, judge)]
    for mode in MODES:
        ours = numbers(report(build_paired(human, judge, multiplicity=times), mode))["j"]
        theirs = numbers(report(build_paired(*repeated), mode))["j"]
        for part in ("micro", "macro", "criteria", "coverage"):
            assert flat(ours[part]) == pytest.approx(flat(theirs[part]), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("mode", ["exclude", "as_category"])
def test_four_classes(build_of_tables, mode) -> None:
    kinds = {"good": "class", "fair": "class", "poor": "class", "bad": "class", "pass": "abstention"}
    table = np.random.default_rng(3).integers(0, 9, (5, 5))
    ratings = build_of_tables(table, labels=list(kinds), kinds=kinds, order=("bad", "poor", "fair", "good"))
    out = strict(report(ratings, mode))
    judge, order = out["judges"]["j"], [3, 2, 1, 0] + ([4] if mode == "as_category" else [])
    assert out["declaration"]["scale"] == "nominal"
    assert judge["micro"]["labels"] == [list(kinds)[i] for i in order]
    wanted = table[np.ix_(order, order)]
    assert judge["micro"]["confusion"] == wanted.tolist()
    assert judge["micro"]["kappa"] == pytest.approx(float(metrics.cohen_kappa(wanted)), abs=1e-12)
    distance = {"weighted_kappa_quadratic"} if mode == "exclude" else set()  # the labels have an order
    assert set(judge["micro"]) == THREE | FRAME | PER_CLASS | distance
    assert judge["item"]["n"] == 0
    assert set(judge["item"]["undefined"]) == THREE - CRITERIA_ONLY
    assert judge["coverage"]["coverage"] == pytest.approx(table[:4, :4].sum() / table.sum())
    with pytest.raises(metrics.InputError, match="as_unmet needs a negative label"):
        report(ratings, "as_unmet")
    with pytest.raises(metrics.InputError, match="binary scale"):
        report(ratings, "as_category", cost="nominal")


def test_costs(build_of_tables) -> None:
    table = [[30, 10, 5], [9, 20, 4], [5, 6, 10]]
    ratings = build_of_tables(table)
    given_matrix = [[0, 1, 2], [3, 0, 1], [1, 1, 0]]
    costs = {"nominal": 1 - np.eye(3), "halfway": slide_cost(0.5), "as-negative": slide_cost(0.0), "as-positive": slide_cost(1.0)}
    for cost, matrix in [*costs.items(), (given_matrix, given_matrix), (np.array(given_matrix), given_matrix)]:
        block = report(ratings, "as_category", cost=cost).judges["j"].micro
        assert block.values["weighted_kappa"] == pytest.approx(float(metrics.weighted_kappa(table, matrix)), abs=1e-12)
    assert slide_cost(0.25).tolist() == [[0, 1, 0.75], [1, 0, 0.25], [0.75, 0.25, 0]], "W(N,A) = s, W(P,A) = 1 − s"
    recoded = report(ratings, "as_unmet").judges["j"].micro.values["kappa"]
    assert report(ratings, "as_category", cost="as-negative").judges["j"].micro.values["weighted_kappa"] == pytest.approx(recoded)
    assert "weighted_kappa" not in report(ratings, "as_category").judges["j"].micro.values


def test_two_criteria_at_chance_pool_to_agreement_that_is_not_there(build_of_tables) -> None:
    tables = [np.rint(np.outer([p, 1 - p], [p, 1 - p]) * 400) for p in (0.80, 0.05)]
    judge = report(build_of_tables(*tables, labels=("MET", "UNMET"))).judges["j"]
    assert [round(block.values["kappa"], 12) for block in judge.criteria.values()] == [0, 0]
    assert round(judge.micro.values["kappa"], 3) == 0.575
    assert judge.micro.values["kappa_within"] == pytest.approx(0, abs=1e-12)
    assert judge.micro.values["baseline_accuracy"] == pytest.approx(0.575)
    assert judge.micro.values["baseline_accuracy_by_criterion"] == pytest.approx((0.8 + 0.95) / 2)


CHOICES = [
    ({"abstention": "ignore"}, "Unknown abstention mode 'ignore'"),
    ({"judges": ["nobody"]}, "no judge is called 'nobody'"),
    ({"judges": ["h"]}, "no judge is called 'h'"),
    ({"reference": "nobody"}, "no human rater is called 'nobody'"),
    ({"reference": "j"}, "no human rater is called 'j'"),
    ({"item_rule": "any"}, "Unknown item rule 'any'"),
    ({"item_rule": "threshold"}, "needs a threshold"),
    ({"item_rule": "threshold", "threshold": 2}, "at most 1"),
    ({"weights": {"zzz": 1}}, "No criterion is called 'zzz'"),
    ({"weights": {"c0": 0.0}}, "above 0"),
    ({"cost": "nominal"}, "as_category"),
    ({"abstention": "as_category", "cost": "free"}, "Unknown cost 'free'"),
    ({"abstention": "as_category", "cost": [[0, 1], [1, 0]]}, "3 x 3"),
    ({"abstention": "as_category", "cost": [[0, 1, 1], [1, 0, 1], [1, 1, 5]]}, "diagonal"),
    ({"abstention": "as_category", "cost": [[0, "x", 1], [1, 0, 1], [1, 1, 0]]}, "cost matrix"),
    ({"interval": "sometimes"}, "Unknown interval"),
    ({"confidence": 1.0}, "between 0 and 1"),
    ({"confidence": 0.0}, "between 0 and 1"),
]


@pytest.mark.parametrize(("choice", "says"), CHOICES)
def test_choices_that_do_not_exist_are_refused(build_paired, choice, says) -> None:
    with pytest.raises(metrics.InputError, match=says):
        metrics.agreement(build_paired([["MET"]], [["UNMET"]]), **choice)


def test_both_sides_are_needed(build_ratings) -> None:
    with pytest.raises(metrics.InputError, match="no judge is among the raters"):
        metrics.agreement(build_ratings([("i", "c", "h", "human", "MET")]))
    with pytest.raises(metrics.InputError, match="no human is among the raters"):
        metrics.agreement(build_ratings([("i", "c", "j", "judge", "MET")]))
    unknown = [("i", "c", "x", None, "MET"), ("i", "c", "y", None, "MET")]
    with pytest.raises(
        metrics.InputError, match=r"whether x, y are human or judge.*or say it of each: roles=\{.*\}, or the other way round"
    ):
        metrics.agreement(build_ratings(unknown))


def test_the_declaration_says_what_was_chosen(build_ratings) -> None:
    raters = (("a", "human"), ("b", "human"), ("j", "judge"), ("k", "judge"))
    rows = [(f"i{i}", "c", *who, "MET" if i % 3 else "UNMET") for i in range(6) for who in raters]
    rule = {"item_rule": "threshold", "threshold": 0.5, "weights": {"c": 2}}
    found = strict(report(build_ratings(rows), reference="unanimous", judges=["k"], **rule))
    declared = found["declaration"]
    assert list(found["judges"]) == declared["judges"] == ["k"]
    assert declared["reference"] == "unanimous"
    assert declared["item_rule"] == {"rule": "threshold", "threshold": 0.5, "weights": {"c": 2}}
    assert declared["abstention"] == "exclude"
    assert declared["rows"] == {"read": 24, "used": 24, "left_out": []}
    assert declared["labels"] == {
        "positive": ["MET"], "negative": ["UNMET"], "abstention": ["CA"], "tie": ["TIE"], "invalid": ["BAD"],
        "error": ["ERR"], "missing": ["GONE"],
    }  # fmt: skip
    assert strict(report(build_ratings(rows)))["declaration"]["reference"] == "majority"
    one = [row for row in rows if row[2] != "b"]
    assert strict(report(build_ratings(one)))["declaration"]["reference"] == "a"


def test_warnings(build_paired) -> None:
    human = [["MET", "MET", None, "MET"], ["MET", "UNMET", "MET", "UNMET"]]
    judge = [["MET", "MET", "MET", "ERR"], ["UNMET", "UNMET", None, "UNMET"]]
    found = strict(report(build_paired(human, judge)))
    said = [(warning["code"], warning["message"]) for warning in found["warnings"]]
    assert {code for code, _ in said} == {"degenerate_criterion", "unmatched", "failed_calls"}
    assert ("degenerate_criterion", "j: on c0 the reference says only MET; κ is then 0 by construction, chance level.") in said
    assert ("degenerate_criterion", "j: on c2 no decision is left.") in said
    flags = {name: block["degenerate"] for name, block in found["judges"]["j"]["criteria"].items()}
    assert flags == {"c0": True, "c1": False, "c2": True, "c3": True}
    assert found["judges"]["j"]["macro"]["defined"]["kappa"] == [2, 4]
    assert found["judges"]["j"]["macro"]["defined"]["phi"] == [1, 4]


def test_other_ways_out(build_paired) -> None:
    found = report(build_paired(*sides(2, 20, 2)))
    frame = found.to_frame()
    assert set(frame["level"]) == {"micro", "macro", "item", "criterion"}
    kappa = frame[(frame["level"] == "micro") & (frame["metric"] == "kappa")]
    assert kappa["value"].tolist() == [found.judges["j"].micro.values["kappa"]]
    assert "κ" in found.summary() or "kappa" in found.summary()


def test_a_weight_column_that_is_not_used_is_said() -> None:
    rows = "1,MET,MET,2\n2,UNMET,MET,2\n3,UNMET,UNMET,2\n"
    with_weight = metrics.agreement(metrics.read(("item,human,verdict,Weight\n" + rows).encode()))
    assert [w.message for w in with_weight.warnings if w.code == "weight_unused"] == [
        "The column ‘Weight’ is not used, all items weigh the same: every decision counts once."
    ]
    without = metrics.agreement(metrics.read(("item,human,verdict,other\n" + rows).encode()))
    assert "weight_unused" not in {w.code for w in without.warnings}
