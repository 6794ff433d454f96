"""More than two classes: each against the rest, macro J, and how far the stated relation to balanced accuracy holds."""

from __future__ import annotations

import io
import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as sk

import metrics
from metrics.analyses.judge_selection import readings, readings_classes, readings_disagreements
from metrics.analyses.judge_selection.classes import CLASSES, COUNTEREXAMPLE, REVERSAL, class_scores_of, relation_of
from metrics.analyses.judge_selection.golden import (
    OF_MANY,
    catalogued,
    golden_of,
    golden_of_counts,
    golden_tables,
    one_vs_rest_tables,
)
from metrics.analyses.judge_selection.ranking import rank_judges, rank_tables
from metrics.analyses.settings import settings_of
from metrics.data.abstention import MODES

KINDS = {"a": "class", "b": "class", "c": "class", "NA": "abstention"}
EVEN = [[20, 6, 4], [1, 25, 4], [9, 0, 21]]


def rows_of(n: int, judges: dict[str, float], criteria: int = 1, seed: int = 3):
    """One human and judges that are right with some probability, else say anything."""
    rng = np.random.default_rng(seed)
    names = np.array(["a", "b", "c", "NA"])
    truth = rng.choice(4, (n, criteria), p=[0.6, 0.25, 0.1, 0.05])
    rows = [(f"i{i}", f"c{c}", "h", "human", names[truth[i, c]]) for i in range(n) for c in range(criteria)]
    for name, right in judges.items():
        says = np.where(rng.random(truth.shape) < right, truth, rng.choice(4, truth.shape, p=[0.4, 0.3, 0.25, 0.05]))
        rows += [(f"i{i}", f"c{c}", name, "judge", names[says[i, c]]) for i in range(n) for c in range(criteria)]
    return rows


@pytest.fixture(scope="module")
def three(build_ratings):
    return build_ratings(rows_of(300, {"good": 0.85, "fair": 0.6, "poor": 0.2}), kinds=KINDS)


@pytest.fixture(scope="module")
def two_criteria(build_ratings):
    return build_ratings(rows_of(160, {"good": 0.85, "fair": 0.6}, criteria=2), kinds=KINDS)


def test_the_published_counterexample(published) -> None:
    entry = published["collot.multiclass.counterexample"]
    assert np.array_equal(COUNTEREXAMPLE, entry["inputs"]["table_rows_truth"])
    found, expected = relation_of(COUNTEREXAMPLE), entry["expected"]
    assert found.balanced_accuracy == pytest.approx(expected["balanced_accuracy"], abs=1e-12)
    assert found.macro_j == pytest.approx(expected["macro_j_one_vs_rest"], abs=1e-12)
    assert found.implied_balanced_accuracy == pytest.approx(expected["rhs_((n-1)/n)macroJ+1/n"], abs=1e-12)
    assert found.balanced_j == pytest.approx(expected["macro_j_class_balanced_fpr"], abs=1e-12)
    assert not found.exact
    assert not found.even


def test_the_published_reversal_of_ranks(published) -> None:
    entry = published["collot.multiclass.rank_reversal"]
    expected = entry["expected"]
    found = rank_tables({f"Judge {letter}": entry["inputs"][f"judge_{letter}"] for letter in "AB"}, labels=CLASSES)
    assert {name: np.asarray(table).tolist() for name, table in REVERSAL.items()} == {
        one.name: one.counts.tolist() for one in found.order
    }
    for one in found.order:
        letter = one.name[-1]
        assert one.values["balanced_accuracy"] == pytest.approx(expected[f"BA_{letter}"], abs=1e-12)
        assert one.values["macro_j"] == pytest.approx(expected[f"macroJ_{letter}"], abs=1e-12)
    assert found.firsts("balanced_accuracy")[0].name == "Judge A"
    assert found.firsts("macro_j")[0].name == "Judge B"
    text = readings_classes.ranking_agreement(found)
    assert "BA prefers Judge A to Judge B (0.807 against 0.763), macro J Judge B (0.739 against 0.658)" in text


def test_micro_f1_over_all_classes_is_accuracy(published) -> None:
    entry = published["collot.micro_f1"]
    counts = entry["inputs"]
    tables = [[[counts["TP"], counts["FN"]], [counts["FP"], counts["TN"]]], COUNTEREXAMPLE, EVEN]
    for table in tables:
        parts = np.array([one_vs_rest_tables(table, place) for place in range(len(table))]).sum(0)
        assert metrics.f1(parts) == pytest.approx(float(metrics.accuracy(table)), abs=1e-12)
    assert metrics.accuracy(tables[0]) == pytest.approx(entry["expected"]["micro_f1_over_both_classes"], abs=1e-12)
    assert metrics.f1(tables[0]) == pytest.approx(entry["expected"]["binary_f1"], abs=1e-12)


def test_the_relation_is_exact_for_two_classes_and_for_equal_sizes() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        assert relation_of(rng.integers(1, 50, (2, 2))).exact
        k = int(rng.integers(3, 6))
        found = relation_of([rng.multinomial(60, rng.dirichlet(np.ones(k))) for _ in range(k)])
        assert found.even
        assert found.exact
        assert found.balanced_j == pytest.approx(found.macro_j, abs=1e-12)


def test_from_class_balanced_false_alarms_the_relation_is_always_exact() -> None:
    rng, off = np.random.default_rng(6), []
    for _ in range(50):
        k = int(rng.integers(3, 6))
        found = relation_of(rng.integers(1, 60, (k, k)) * rng.integers(1, 20, (k, 1)))
        assert ((k - 1) * found.balanced_j + 1) / k == pytest.approx(found.balanced_accuracy, abs=1e-12)
        off.append(abs(found.off))
    assert max(off) > 0.02


def test_a_class_the_reference_never_uses_is_left_out_and_counted() -> None:
    table = [[30, 5, 5], [10, 20, 0], [0, 0, 0]]
    found = relation_of(table)
    assert (found.n, found.sizes) == (2, (40, 30, 0))
    assert found.macro_j == pytest.approx(((30 / 40 - 10 / 30) + (20 / 30 - 5 / 40)) / 2)
    assert not found.exact
    text = readings_classes.relation(golden_of_counts("j", table, ("x", "y", "z"), 0.95))
    assert text.startswith("on this data: class sizes x: 40, y: 30 (the reference uses 2 of 3 classes); for j BA is 0.708")
    one = relation_of([[5, 3, 1], [0, 0, 0], [0, 0, 0]])
    assert math.isnan(one.macro_j)
    assert math.isnan(one.off)
    lonely = golden_of_counts("j", [[5, 3, 1], [0, 0, 0], [0, 0, 0]], ("x", "y", "z"), 0.95)
    assert "macro J is undefined" in readings_classes.relation(lonely)
    assert lonely.undefined["macro_j"] == "the reference gives one label only, x"


def test_macro_j_by_scikit_learn(three) -> None:
    settings = settings_of(three)
    for judge in three.judges:
        golden = golden_of(three, judge, settings)
        place = np.repeat(np.arange(9), golden.counts.ravel().astype(int))
        truth, judged = place // 3, place % 3
        js = [2 * sk.balanced_accuracy_score(truth == i, judged == i) - 1 for i in range(3)]
        assert golden.values["macro_j"] == pytest.approx(np.mean(js), abs=1e-12)
        assert [one.youden_j.value for one in class_scores_of(golden)] == pytest.approx(js, abs=1e-12)
        assert golden.values["macro_f1"] == pytest.approx(sk.f1_score(truth, judged, average="macro"), abs=1e-12)
        for i, one in enumerate(class_scores_of(golden)):
            assert (one.n, one.judged) == (int((truth == i).sum()), int((judged == i).sum()))
            assert one.recall == pytest.approx(sk.recall_score(truth == i, judged == i))
            assert one.fpr == pytest.approx(1 - sk.recall_score(truth != i, judged != i))


@pytest.mark.parametrize("data", ["three", "two_criteria"])
@pytest.mark.parametrize("mode", ["exclude", "as_category"])
def test_values_and_intervals_are_those_of_the_report(request, data, mode) -> None:
    ratings = request.getfixturevalue(data)
    settings = settings_of(ratings, abstention=mode)
    report = metrics.agreement(ratings, abstention=mode)
    for criterion in (None, ratings.criteria[0]):
        for golden in golden_tables(ratings, settings, criterion):
            its = report.judges[golden.name]
            block = its.micro if criterion is None else its.criteria[criterion]
            coverage = its.coverage if criterion is None else its.criterion_coverage[criterion]
            assert golden.labels == block.labels
            assert (golden.counts == block.confusion).all()
            assert golden.coverage == coverage.coverage
            for key in OF_MANY:
                assert golden.values[key] == pytest.approx(block.values[key], abs=1e-12)
                assert golden[key].ends == pytest.approx(block[key].ends, abs=1e-12)


SAMPLE = "assets/support_answers.csv"


@pytest.mark.parametrize("mode", MODES)
def test_two_classes_too_have_the_intervals_of_the_report(mode) -> None:
    ratings = metrics.read(SAMPLE)
    report = metrics.agreement(ratings, abstention=mode, confidence=0.9)
    for golden in golden_tables(ratings, settings_of(ratings, abstention=mode, confidence=0.9)):
        block = report.judges[golden.name].micro
        for key in catalogued(len(golden.labels)):
            assert golden[key].ends == pytest.approx(block[key].ends, abs=1e-12)


def read_with(rows, column: list[str], kinds: dict[str, str]) -> metrics.Ratings:
    """The same rows as a file with a column above the item."""
    frame = pd.DataFrame(rows, columns=["item", "criterion", "rater", "role", "label"]).assign(group=column)
    return metrics.read(io.BytesIO(frame.to_csv(index=False).encode()), labels=kinds)


@pytest.mark.parametrize(("criteria", "unit"), [(1, "item"), (2, "item"), (1, "group"), (2, "group")])
def test_one_class_against_the_rest_has_the_interval_of_a_file_with_two_labels(criteria, unit) -> None:
    rows = rows_of(120, {"good": 0.8}, criteria)
    groups = [f"g{int(row[0][1:]) // 3}" for row in rows]
    ratings = read_with(rows, groups, KINDS)
    scores = class_scores_of(golden_of(ratings, "good", settings_of(ratings, unit=unit)))
    for one in scores:
        merged = [(*row[:4], row[4] if row[4] in (one.label, "NA") else "rest") for row in rows]
        kinds = {one.label: "positive", "rest": "negative", "NA": "abstention"}
        block = metrics.agreement(read_with(merged, groups, kinds), unit=unit).judges["good"].micro
        assert one.youden_j.value == pytest.approx(block.values["youden_j"], abs=1e-12)
        assert one.youden_j.ends == pytest.approx(block["youden_j"].ends, abs=1e-12)


@pytest.mark.slow("simulates")
def test_the_interval_of_macro_j_covers() -> None:
    rng, n = np.random.default_rng(12), 400
    truth = np.array([[0.48, 0.08, 0.04], [0.04, 0.18, 0.03], [0.02, 0.03, 0.10]])
    target, inside = float(metrics.macro_j(truth)), 0
    for _ in range(n):
        ends = golden_of_counts("j", rng.multinomial(200, truth.ravel()).reshape(3, 3), CLASSES, 0.95)["macro_j"].ends
        inside += ends[0] <= target <= ends[1]
    assert 0.92 <= inside / n <= 0.985


def test_judges_of_three_classes_are_ranked(three) -> None:
    found = rank_judges(three)
    assert found.benchmark is None
    assert found.keys == OF_MANY
    assert found.by == "balanced_accuracy"
    assert [one.name for one in found.order] == ["good", "fair", "poor"]
    report = metrics.agreement(three, interval="none")
    for one, key in itertools.product(found.order, OF_MANY):
        assert one.values[key] == pytest.approx(report.judges[one.name].micro.values[key], abs=1e-12)
        assert math.isnan(one.answers.value)
    assert readings.reading(found).startswith("good has BA ")
    assert "answers" not in readings.reading(found)
    out = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert out["benchmark"] is None
    assert "answers_needed" not in out["judges"][0]
    assert out["labels"] == ["a", "b", "c"]


def test_pairs_of_three_classes_by_leaving_out_one_item_at_a_time(three) -> None:
    pair = next(pair for pair in rank_judges(three, by="macro_j").pairs if {pair.first, pair.second} == {"good", "fair"})
    names = [rater.name for rater in three.raters]
    says = np.array([[three.label[three.rater == r]] for r in range(len(names))])[:, 0]
    h, good, fair = (says[names.index(name)] for name in ("h", "good", "fair"))
    both = (h < 3) & (good < 3) & (fair < 3)

    def difference(keep) -> float:
        tables = [np.zeros((3, 3)), np.zeros((3, 3))]
        for table, own in zip(tables, (good, fair), strict=True):
            np.add.at(table, (h[keep & both], own[keep & both]), 1)
        return float(metrics.macro_j(tables[0]) - metrics.macro_j(tables[1]))

    whole, n = np.ones(300, bool), int(both.sum())
    left = np.array([difference(np.arange(300) != i) for i in np.flatnonzero(both)])
    error = math.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum())
    assert pair.difference.value == pytest.approx(difference(whole), abs=1e-12)
    assert pair.difference.ends is not None
    assert (pair.difference.ends[1] - pair.difference.ends[0]) / 2 == pytest.approx(error * 1.968, rel=2e-3)


def test_a_judge_that_leaves_the_hard_half_open_is_not_ahead_for_it() -> None:
    """A is right more often where it answers; on the decisions both made B is ahead."""
    rng = np.random.default_rng(2)
    rows = ["item,judge,human,verdict"]
    for i in range(400):
        truth, easy = rng.random() < 0.5, i < 200
        a, b = (truth if rng.random() < right else not truth for right in (0.90, 0.94 if easy else 0.60))
        for judge, verdict in (("a", a if easy else None), ("b", b)):
            said_ = "CANNOT_ASSESS" if verdict is None else "MET" if verdict else "UNMET"
            rows.append(f"{i},{judge},{'MET' if truth else 'UNMET'},{said_}")
    found = rank_judges(metrics.read("\n".join(rows).encode()))
    assert found.first.name == "a"
    (pair,) = found.pairs
    assert pair.n_shared == 200
    assert pair.difference.value < 0
    assert pair.separable
    assert "On the 200 decisions both made b is ahead of a, not behind" in " ".join(readings.warnings(found))


def test_the_third_class_of_abstentions_is_a_class() -> None:
    ratings = metrics.read(SAMPLE)
    found = rank_judges(ratings, settings_of(ratings, abstention="as_category"))
    assert found.labels == ("MET", "UNMET", "CANNOT_ASSESS")
    report = metrics.agreement(ratings, abstention="as_category", interval="none")
    for one in found.order:
        assert one.values["macro_j"] == pytest.approx(report.judges[one.name].micro.values["macro_j"], abs=1e-12)
        assert "CANNOT_ASSESS" in readings_classes.relation(one.golden)


def test_classes_have_no_benchmark(three) -> None:
    with pytest.raises(metrics.InputError, match="benchmark prevalence needs two labels"):
        rank_judges(three, prevalence=0.2)
    with pytest.raises(metrics.InputError, match="cannot be ranked by 'snr'"):
        rank_judges(three, by="snr")
    with pytest.raises(metrics.InputError, match="2 labels"):
        rank_tables(REVERSAL)


def test_disagreements_of_many_classes_have_their_numbers() -> None:
    why = readings_disagreements.disagreements(rank_tables(REVERSAL, labels=CLASSES))
    assert why[0] == "In this sample BA puts Judge A first; macro J, accuracy, macro-F1, κ and R_K put Judge B first."
    text = " ".join(why[1:])
    assert "Judge B finds 99\u00a0% of class 1 (83\u00a0% of the decisions) against 52\u00a0%" in text
    assert "Judge A finds 100\u00a0% of class 2 (8\u00a0% of the decisions) against 60\u00a0%" in text
    assert "2\u00a0% on average for Judge B against 15\u00a0% for Judge A" in text
    assert "of what Judge B calls class 2 67\u00a0% is right, against 19\u00a0%" in text
    marked = readings_disagreements.disagreements(rank_tables(REVERSAL, labels=CLASSES), lambda text: f"<{text}>")
    assert all("Judge" not in line.replace("<Judge A>", "").replace("<Judge B>", "") for line in marked)


def test_kappa_and_r_k_part_where_the_label_rates_do(three) -> None:
    ratings = metrics.read(SAMPLE)
    found = rank_judges(ratings, settings_of(ratings, abstention="as_category", reference="ana"))
    first = {key: found.firsts(key)[0] for key in ("kappa", "mcc_multiclass")}
    assert first["kappa"] is not first["mcc_multiclass"]
    shares = [one.values["kappa"] / one.values["mcc_multiclass"] for one in first.values()]
    assert shares[0] > shares[1]
    rater_labels_of = [f"{share:.3f} for {one.name}" for share, one in zip(shares, first.values(), strict=True)]
    assert f"κ/R_K is {rater_labels_of[0]} and {rater_labels_of[1]}." in readings_disagreements.disagreements(found)[-1]
    assert "κ/R_K" not in " ".join(readings_disagreements.disagreements(rank_judges(three)))


def test_coverage_is_no_matter_where_nothing_is_left_out() -> None:
    ratings = metrics.read(SAMPLE)
    for mode in MODES:
        text = " ".join(readings.warnings(rank_judges(ratings, settings_of(ratings, abstention=mode))))
        assert ("different shares of the decisions (84\u00a0% to 95\u00a0%)" in text) == (mode == "exclude")


def test_alike_both_ways() -> None:
    assert "alike" in readings_classes.ranking_agreement(rank_tables({"x": EVEN, "y": np.eye(3) * 30}, labels=CLASSES))
    assert "not" not in readings_classes.ranking_agreement(rank_tables({"x": EVEN, "y": np.eye(3) * 30}, labels=CLASSES))
    assert readings_classes.ranking_agreement(rank_tables({"x": EVEN}, labels=CLASSES)) == ""
    even = readings_classes.relation(golden_of_counts("x", EVEN, CLASSES, 0.95))
    assert even.endswith(f"{readings_classes.STATED} is exact here: the classes are of equal size.")


def test_what_is_published_is_said_with_its_numbers() -> None:
    counter, reversal = readings_classes.published()
    assert "classes of 100, 10, 10: BA is 0.733, macro J 0.614, and the relation gives 0.742" in counter
    assert "macro J is 0.600, from which it is exact" in counter
    assert "BA prefers Judge A to Judge B" in reversal


def test_many_classes_are_not_said_one_by_one() -> None:
    labels = tuple(f"k{i}" for i in range(9))
    golden = golden_of_counts("j", np.diag(np.arange(1, 10)) + 1, labels, 0.95)
    assert "3 more of 10 to 12" in readings_classes.relation(golden)


def test_thin_classes_are_named(three) -> None:
    few = rank_judges(three, replace(settings_of(three), judges=("good",)))
    assert few.order[0].thin == (min(few.order[0].sizes) < 30)
    assert "Fewer than 30 golden decisions of one class" in " ".join(readings.warnings(rank_tables(REVERSAL, labels=CLASSES)))


@pytest.mark.parametrize("turned", [True, False])
def test_a_judge_of_ordered_labels_turned_round_is_asked_about(turned) -> None:
    rng = np.random.default_rng(4)
    human = rng.integers(1, 6, 60)
    rows = [(f"i{i}", "c", name, role, str(own)) for i, h in enumerate(human)
            for name, role, own in (("h", "human", h), ("j", "judge", 6 - h if turned else h))]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "criterion", "rater", "role", "label"])
    told = " ".join(readings.warnings(rank_judges(metrics.read(frame, order=list("12345")))))
    assert ("κ quadratic is below 0 for j. Does one side use the scale the other way round?" in told) == turned


def test_a_guesser_of_three_classes_is_not_turned_round(three) -> None:
    assert "other way round" not in " ".join(readings.warnings(rank_judges(three)))
