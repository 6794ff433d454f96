"""`metrics.roc` from a file to JSON: what is counted, reported and refused."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit, logit, stdtrit
from sklearn.metrics import roc_auc_score

import metrics
from metrics.analyses.roc.provenance import area_words, header
from metrics.analyses.roc.readings import area_reading, reading, summary
from metrics.analyses.roc.result import CHOSEN_EACH, NO_SCORE, NOTHING_CALLED
from metrics.analyses.roc.tallies import ScoreTally
from metrics.results.words import percent
from tests.roc.made import column, made_up, ratings_of, turned_round
from tests.shared_data import data

ROOT = Path(__file__).resolve().parents[2]
KEYS = {"n", "n_positive", "auc", "youden_j", "threshold", "tpr", "fpr", "n_optimal_thresholds", "intervals", "held_out"}
HELD_OUT = {"threshold", "youden_j", "tpr", "fpr", "n", "in_sample_youden_j", "seed"}


def test_pairs_with_one_score_are_counted_half_in_words() -> None:
    tally = ScoreTally(np.array([3.0, 2.0, 1.0]), np.array([6, 3, 1]), np.array([1, 4, 6]))
    pairs = [(p, n) for p in np.repeat(tally.level, tally.positive) for n in np.repeat(tally.level, tally.negative)]
    assert tally.tied == pytest.approx(np.mean([p == n for p, n in pairs]))
    assert math.isnan(ScoreTally(np.array([1.0]), np.array([3]), np.array([0])).tied)
    rows = [
        f"{n},{human},{'yes' if level > 1.5 else 'no'},{level}"
        for n, (human, level) in enumerate([("yes", v) for v in np.repeat(tally.level, tally.positive)]
                                           + [("no", v) for v in np.repeat(tally.level, tally.negative)])
    ]  # fmt: skip
    text = area_reading(metrics.roc(metrics.read(io.StringIO("\n".join(["item,human,verdict,score", *rows])))), "judge", None)
    higher = 100 * np.mean([(p > n) + (p == n) / 2 for p, n in pairs])
    assert f"has the higher score in {higher:.0f} % of cases, with ties (22 %) counted half" in text.replace(
        "\N{NO-BREAK SPACE}", " "
    )


@pytest.mark.parametrize("criteria", [1, 3])
def test_the_shape_of_the_json(criteria) -> None:
    found = json.loads(json.dumps(metrics.roc(ratings_of(made_up(criteria=criteria))).to_dict(), allow_nan=False))
    judge = found["judges"]["j"]
    assert list(judge["criteria"]) == ["all", *(f"c{i}" for i in range(criteria))]
    for block in judge["criteria"].values():
        assert set(block) >= KEYS
        assert set(block["held_out"]) >= HELD_OUT
        assert block["undefined"] == {}
    assert judge["mean_over_criteria"]["defined"] == [criteria, criteria]
    means = np.mean([judge["criteria"][f"c{i}"]["auc"] for i in range(criteria)])
    assert judge["mean_over_criteria"]["auc"] == pytest.approx(means)
    low, high = judge["mean_over_criteria"]["intervals"]["auc"]
    assert low < judge["mean_over_criteria"]["auc"] < high
    assert judge["mean_over_criteria"]["intervals"]["youden_j"] is None
    assert judge["mean_over_criteria"]["interval_notes"] == {"youden_j": CHOSEN_EACH}
    best = [block["youden_j"] for name, block in judge["criteria"].items() if name != "all"]
    assert judge["mean_over_criteria"]["youden_j"] == pytest.approx(sum(best) / criteria)
    assert found["declaration"]["direction"] == "positive where score >= threshold"
    assert found["declaration"]["held_out"] == {"method": "split", "folds": None, "seed": 0}


def test_scores_meet_human_labels_and_the_rest_is_counted() -> None:
    text = made_up()
    rows = [row for row in column(text) if row[3] != "CANNOT_ASSESS" and row[5]]
    block = metrics.roc(ratings_of(text)).to_dict()["judges"]["j"]
    truth, score = [row[3] == "MET" for row in rows], [float(row[5]) for row in rows]
    assert block["criteria"]["all"]["n"] == len(rows)
    assert block["criteria"]["all"]["n_positive"] == sum(truth)
    assert block["criteria"]["all"]["auc"] == pytest.approx(roc_auc_score(truth, score))
    silent = sum(row[3] == "CANNOT_ASSESS" for row in column(text))
    unscored = sum(row[3] != "CANNOT_ASSESS" and row[4] != "CANNOT_ASSESS" and not row[5] for row in column(text))
    assert block["left_out"] == {"reference_open": silent, "split": 0, "unscored": unscored}


def test_each_criterion_is_what_it_is_alone() -> None:
    text = made_up()
    whole = metrics.roc(ratings_of(text)).to_dict()["judges"]["j"]["criteria"]
    for place in range(2):
        lines = [line for line in text.splitlines() if line.startswith("item") or f",c{place}," in line]
        alone = metrics.roc(ratings_of("\n".join(lines))).to_dict()["judges"]["j"]["criteria"]
        assert alone["all"] == alone[f"c{place}"]
        same = whole[f"c{place}"]
        for key in ("auc", "youden_j", "threshold", "n", "intervals", "calibration", "verdict"):
            assert same[key] == alone["all"][key]


def test_a_criterion_named_all_is_told_apart() -> None:
    found = metrics.roc(ratings_of(made_up().replace(",c0,", ",all,"))).to_dict()["judges"]["j"]["criteria"]
    assert list(found) == ["all", "all (criterion)", "c1"]
    assert found["all"]["n"] == found["all (criterion)"]["n"] + found["c1"]["n"]


def test_judges_without_scores_are_points() -> None:
    text = "\n".join(line.rpartition(",")[0] for line in made_up(criteria=1).splitlines())
    block = metrics.roc(ratings_of(text)).to_dict()["judges"]["j"]["criteria"]["all"]
    micro = metrics.agreement(ratings_of(text)).judges["j"].micro
    assert block["scored"] is False
    assert block["auc"] is None
    assert block["undefined"]["auc"] == NO_SCORE
    assert (block["tpr"], block["fpr"]) == pytest.approx((micro.values["recall"], micro.values["fpr"]))
    assert block["intervals"]["youden_j"] == pytest.approx(list(micro["youden_j"].ends))
    assert block["held_out"] is None


def test_the_point_of_the_verdicts_stands_beside_the_curve() -> None:
    report = metrics.roc(ratings_of(made_up()))
    micro = metrics.agreement(ratings_of(made_up())).judges["j"].micro
    point = report.judges["j"].pooled.verdict
    assert point.table.tolist() == micro.confusion.tolist()
    assert point["youden_j"].ends == pytest.approx(micro["youden_j"].ends)


def test_a_failed_call_is_missing_and_an_own_abstention_with_a_score_counts() -> None:
    text = (
        "item,judge,human,verdict,score\n1,j,MET,MET,0.9\n2,j,UNMET,CANNOT_ASSESS,0.4\n3,j,MET,timeout,0.1\n4,j,UNMET,UNMET,0.2\n"
    )
    ratings = metrics.read(text.encode(), labels={"timeout": "error"})
    block = metrics.roc(ratings).judges["j"].pooled
    assert block.n == 3
    assert block.verdict.n == 2
    assert block.curve.area.value == 1.0


def test_infinity_is_null_and_one_class_is_undefined_with_a_reason() -> None:
    turned = "item,judge,human,verdict,score\n1,j,MET,MET,1\n2,j,UNMET,MET,5\n3,j,UNMET,MET,6\n"
    block = metrics.roc(ratings_of(turned)).to_dict()["judges"]["j"]["criteria"]["all"]
    assert (block["threshold"], block["youden_j"], block["tpr"], block["fpr"]) == (None, 0.0, 0.0, 0.0)
    assert "threshold" not in block["undefined"]
    assert block["threshold_notes"] == {"threshold": NOTHING_CALLED}
    one = "item,judge,human,verdict,score\n1,j,MET,MET,1\n2,j,MET,MET,5\n"
    block = metrics.roc(ratings_of(one)).to_dict()["judges"]["j"]["criteria"]["all"]
    assert (block["auc"], block["threshold"], block["held_out"]) == (None, None, None)
    assert "no negative" in block["undefined"]["auc"]
    assert "threshold_notes" not in block


@pytest.mark.parametrize("holding_out", ["split", "cross"])
def test_a_cut_held_out_at_infinity_says_what_its_null_means(holding_out) -> None:
    turned = "\n".join(f"{i},j,{'MET' if i % 2 else 'UNMET'},MET,{(i + 1) % 2}" for i in range(40))
    report = metrics.roc(ratings_of(f"item,judge,human,verdict,score\n{turned}\n"), holding_out=holding_out)
    held = report.to_dict()["judges"]["j"]["criteria"]["all"]["held_out"]
    assert held["threshold"] is None
    assert None in held["thresholds"]
    assert held["threshold_notes"] == {"threshold": NOTHING_CALLED, "thresholds": NOTHING_CALLED}


def test_a_score_against_the_label_is_reported_not_turned() -> None:
    text = made_up(criteria=1)
    turned = turned_round(text)
    report, straight = metrics.roc(ratings_of(turned)), metrics.roc(ratings_of(text))
    assert report.judges["j"].pooled.curve.area.value == pytest.approx(1 - straight.judges["j"].pooled.curve.area.value)
    assert [warning.code for warning in report.warnings if warning.code == "below_chance"] == ["below_chance"]
    assert "below_chance" not in [warning.code for warning in straight.warnings]
    assert any("the direction is lower" in warning.message for warning in report.warnings)


def test_a_pooled_area_far_from_the_mean_is_explained() -> None:
    rng = np.random.default_rng(3)
    rows = [f"i{i},{c},j,{'MET' if rng.random() < rate else 'UNMET'},MET,{rng.normal(rate * 4, 1):.3f}"
            for i in range(150) for c, rate in (("easy", 0.9), ("hard", 0.1))]  # fmt: skip
    report = metrics.roc(ratings_of("item,criterion,judge,human,verdict,score\n" + "\n".join(rows)))
    one = report.judges["j"]
    assert one.pooled.curve.area.value > 0.75
    assert one.mean.area.value == pytest.approx(0.5, abs=0.08)
    assert any(warning.code == "pooled_area" and "how often they are met" in warning.message for warning in report.warnings)


def test_the_mean_is_left_out_item_by_item() -> None:
    ratings = ratings_of(made_up(n=25))
    interval = metrics.roc(ratings).judges["j"].mean.area.interval
    rows = [row for row in column(made_up(n=25)) if row[3] != "CANNOT_ASSESS" and row[5]]

    def mean_area(kept) -> float:
        areas = []
        for name in ("c0", "c1"):
            own = [row for row in kept if row[1] == name]
            areas.append(roc_auc_score([row[3] == "MET" for row in own], [float(row[5]) for row in own]))
        return float(np.mean(areas))

    items = sorted({row[0] for row in rows})
    left = np.array([mean_area([row for row in rows if row[0] != item]) for item in items])
    error = np.sqrt((len(items) - 1) / len(items) * ((left - left.mean()) ** 2).sum())
    whole = mean_area(rows)
    step = stdtrit(len(items) - 1, 0.975) * error / (whole * (1 - whole))
    assert (interval.low, interval.high) == pytest.approx(tuple(expit(logit(whole) + np.array([-step, step]))))


def test_without_intervals_there_are_none() -> None:
    block = metrics.roc(ratings_of(made_up()), interval="none", holding_out="none").to_dict()["judges"]["j"]["criteria"]["all"]
    assert block["intervals"] == {}
    assert block["held_out"] is None
    assert block["undefined"] == {"held_out": "no validation was asked for"}


def test_a_table_of_counts_is_a_point() -> None:
    ratings = metrics.read(b"human,judge,n\nMET,MET,40\nMET,UNMET,10\nUNMET,MET,20\nUNMET,UNMET,30\n")
    block = next(iter(metrics.roc(ratings).judges.values())).pooled
    assert block.verdict.table.tolist() == [[40, 10], [20, 30]]
    micro = next(iter(metrics.agreement(ratings).judges.values())).micro
    assert block.verdict["youden_j"].ends == pytest.approx(micro["youden_j"].ends)


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        ({"judges": ["nobody"]}, "nobody"),
        ({"reference": "anna"}, "anna"),
        ({"interval": "bca"}, "bca"),
        ({"holding_out": "some"}, "some"),
        ({"direction": "sideways"}, "sideways"),
        ({"holding_out": "cross", "folds": 1}, "folds"),
        ({"unit": "nowhere"}, "nowhere"),
        ({"confidence": 1.5}, "confidence"),
    ],
)
def test_unknown_choices_are_refused(choice, says) -> None:
    with pytest.raises(metrics.InputError, match=says):
        metrics.roc(ratings_of(made_up()), **choice)


def test_classes_need_a_positive_and_a_negative_one() -> None:
    text = b"item,judge,human,verdict\n1,j,A,B\n2,j,B,B\n3,j,C,A\n"
    ratings = metrics.read(text, labels={"A": "class", "B": "class", "C": "class"})
    with pytest.raises(metrics.InputError, match=r'labels=\{"A": "negative", "B": "negative", "C": "positive"\}'):
        metrics.roc(ratings)


def test_nothing_shared_is_refused() -> None:
    text = b"item,rater,role,label,score\n1,h,human,MET,\n2,j,judge,MET,0.4\n"
    with pytest.raises(metrics.InputError, match="share none"):
        metrics.roc(metrics.read(text))


def test_the_frame_holds_every_threshold() -> None:
    report = metrics.roc(ratings_of(made_up(criteria=1)))
    frame = report.to_frame()
    curve = frame[(frame["criterion"] == "all") & (frame["of"] == "score")]
    assert len(curve) == len(report.judges["j"].pooled.curve.tally.level) + 1
    assert (curve[["TP", "FN", "FP", "TN"]].sum(axis=1) == report.judges["j"].pooled.n).all()


def test_open_decisions_of_a_table_of_counts_count_as_often_as_they_stand() -> None:
    text = b"human,judge,n\nMET,MET,40\nMET,UNMET,10\nUNMET,UNMET,30\nCANNOT_ASSESS,MET,7\nMET,CANNOT_ASSESS,5\n"
    one = next(iter(metrics.roc(metrics.read(text)).judges.values()))
    assert one.n_open == 7
    assert one.pooled.n_total == 92
    coverage = next(iter(metrics.agreement(metrics.read(text)).judges.values())).coverage
    assert one.pooled.coverage == pytest.approx(coverage.coverage)


def test_what_is_declared_names_scores_verdicts_and_coverage() -> None:
    ratings = ratings_of(made_up())
    report = metrics.roc(ratings, holding_out="cross", folds=4)
    its, coverage = report.judges["j"].pooled, metrics.agreement(ratings).judges["j"].coverage
    assert (its.n_total, its.coverage) == (coverage.n_total, pytest.approx(coverage.coverage))
    told = header(report, "j", None).text()
    assert f"Scores on {its.n} of {its.n_total} decisions" in told
    assert f"verdicts on {its.verdict.n}, decisions without a verdict excluded, coverage {percent(its.coverage)}" in told
    assert "Held out: 4 folds of the items in turn, seed 0." in told


def test_an_interval_over_groups_is_declared_by_their_column() -> None:
    lines = made_up(240, criteria=1).splitlines()
    text = "\n".join([lines[0] + ",prompt", *(f"{line},p{i // 4}" for i, line in enumerate(lines[1:]))])
    few = header(metrics.roc(ratings_of(made_up(criteria=1))), "j", None).rest
    assert "AUC DeLong widened by Newcombe (few items of a class), J Dirichlet" in few
    assert "‘prompt’ jackknife" in header(metrics.roc(ratings_of(text), unit="prompt"), "j", None).rest
    assert "AUC DeLong, J Dirichlet" in header(metrics.roc(ratings_of(text)), "j", None).rest


def test_a_pooled_area_without_a_mean_says_why() -> None:
    rows = [f"i{i},{'c0' if i % 2 else 'c1'},j,{'MET' if i % 2 else 'UNMET'},MET,{i % 7}" for i in range(60)]
    report = metrics.roc(ratings_of("item,criterion,judge,human,verdict,score\n" + "\n".join(rows)))
    assert "no criterion has both labels" in area_reading(report, "j", None)
    assert area_words(report, "j", None).endswith("mean –")
    assert "mean over 0 of 2 criteria" in report.summary()


@pytest.mark.parametrize("name", ["dices350_expert_vs_crowd", "llmrubric_real_binary"])
def test_real_scores_equal_scikit_learn(name) -> None:
    ratings = metrics.read(data(f"{name}.csv"))
    report = metrics.roc(ratings)
    lines = [line.split(",") for line in data(f"{name}.csv").read_text().splitlines()]
    place = {title: i for i, title in enumerate(lines[0])}
    yes, no = ratings.scheme.classes
    used = [row for row in lines[1:] if row[place["human"]] in (yes, no)]
    for criterion, block in next(iter(report.judges.values())).criteria.items():
        own = [row for row in used if row[place["criterion"]] == criterion]
        truth, score = [row[place["human"]] == yes for row in own], [float(row[place["score"]]) for row in own]
        assert block.n == len(own)
        assert block.curve.area.value == pytest.approx(roc_auc_score(truth, score), abs=1e-12)


def test_real_judges_without_scores_and_with_few() -> None:
    labels = {"full_compliance": "negative", "full_refusal": "positive", "partial_refusal": "positive"}
    refusal = metrics.roc(metrics.read(data("xstest_refusal.csv"), labels=labels))
    assert not any(one.pooled.scored for one in refusal.judges.values())
    pairs = metrics.read(data("llmbar_natural.csv"), labels={"output_1": "positive", "output_2": "negative"})
    scored = [name for name, one in metrics.roc(pairs).judges.items() if one.pooled.scored]
    assert scored
    assert all("Rating" in name for name in scored)


def test_no_criterion_is_lost_beside_one_called_all() -> None:
    lines = ["item,criterion,judge,human,verdict,score"]
    for criterion in ("all", "all (criterion)"):
        lines += [f"{i},{criterion},bot,{'MET' if i % 2 else 'UNMET'},{'MET' if i % 3 else 'UNMET'},{i / 10}" for i in range(10)]
    told = metrics.roc(metrics.read("\n".join(lines).encode())).to_dict()["judges"]["bot"]["criteria"]
    assert list(told) == ["all", "all (criterion) 2", "all (criterion)"]


def _verdicts(tables: dict[str, tuple[int, int, int, int]]) -> metrics.Ratings:
    """Criteria with as many TP, FN, FP and TN."""
    rows = ["item,criterion,judge,human,verdict"]
    for name, counts in tables.items():
        pairs = zip((("MET", "MET"), ("MET", "UNMET"), ("UNMET", "MET"), ("UNMET", "UNMET")), counts, strict=True)
        cells = [pair for pair, n in pairs for _ in range(n)]
        rows += [f"i{place},{name},j,{human},{judge}" for place, (human, judge) in enumerate(cells)]
    return metrics.read("\n".join(rows).encode())


def test_a_pooled_j_is_not_read_alone_where_no_criterion_shows_it() -> None:
    guesses = metrics.roc(_verdicts({"easy": (63, 13, 4, 0), "hard": (0, 9, 7, 64)}))
    said = reading(guesses, "j", None)
    assert (
        "on 2 criteria J is \u22120.17 to \u22120.10: "
        "part of the pooled J comes from criteria that differ in how often they are met." in said
    )
    assert "criteria" not in reading(guesses, "j", "easy")
    sees = metrics.roc(_verdicts({"one": (36, 4, 4, 36), "two": (30, 10, 5, 35)}))
    assert "criteria" not in reading(sees, "j", None)


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ({"a": (20, 0, 0, 0), "b": (0, 0, 1, 19)}, True),
        ({"a": (20, 0, 0, 0), "b": (0, 0, 1, 19), "c": (9, 1, 1, 9)}, False),
        ({"a": (9, 0, 0, 0), "b": (0, 0, 1, 19)}, False),
        ({"a": (20, 0, 0, 0), "b": (19, 1, 0, 0)}, False),
    ],
)
def test_a_pooled_j_that_no_criterion_has_is_said_to_be_pooled(tables, said) -> None:
    """Not of criteria of less than ten decisions, where a label may be missing by chance, nor where no J is pooled."""
    report = metrics.roc(_verdicts(tables))
    told = "That is pooled over criteria; within criteria J is undefined: on each criterion the reference gives one label only."
    assert (told in reading(report, "j", None)) == (told in summary(report)) == said
    assert told not in reading(report, "j", "a")


def test_false_alarms_are_a_share_of_the_negatives() -> None:
    said = reading(metrics.roc(_verdicts({"c": (36, 4, 4, 36)})), "j", None)
    assert said == "j finds 90\u00a0% of MET and says MET on 10\u00a0% of UNMET, J 0.80 [0.63, 0.89]."


def test_a_cut_is_praised_only_where_one_does_better_than_guessing() -> None:
    rng = np.random.default_rng(3)
    met = rng.random(80) < 0.5

    def said(score: np.ndarray) -> str:
        rows = [f"i{i},c,j,{'MET' if own else 'UNMET'},MET,{x:.3f}" for i, (own, x) in enumerate(zip(met, score, strict=True))]
        text = "\n".join(["item,criterion,judge,human,verdict,score", *rows])
        return reading(metrics.roc(metrics.read(text.encode())), "j", None).partition("says only MET. ")[2]

    good = said(np.where(met, 0.65, 0.35) + 0.2 * rng.normal(size=80))
    assert good.startswith("The best threshold of one half of the items reaches J 0.")
    assert " there and 0." in good
    assert "] on the other half: " in good
    nothing = "No threshold does better than chance on the items that chose it."
    assert said(np.full(80, 0.7)) == nothing
    assert said(np.where(met, 0.2, 0.8)) == nothing


@pytest.mark.parametrize(
    ("labels", "options", "said"),
    [
        ("12345", {"scale": "ordinal"}, '{"1": "negative", "2": "negative", "3": "negative", "4": "negative", "5": "positive"}'),
        (("poor", "fair", "good"), {"order": ["poor", "fair", "good"]}, '{"poor": "negative", "fair": "negative", "good": "pos'),
    ],
)
def test_the_top_of_an_order_is_offered_as_the_positive_label(labels, options, said) -> None:
    rows = [f"i{i},c,j,{labels[i % len(labels)]},{labels[i * 2 % len(labels)]}" for i in range(30)]
    data = metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows]).encode(), **options)
    with pytest.raises(metrics.InputError, match="Say of each on which side it is") as refused:
        metrics.roc(data)
    assert said in str(refused.value)


def test_a_mixed_rubric_is_told_which_criteria_have_two_labels() -> None:
    rows = [f"i{i},cites,j,{'yes' if i % 2 else 'no'},{'yes' if i % 3 else 'no'}" for i in range(30)]
    rows += [f"i{i},depth,j,{i % 5 + 1},{i % 4 + 1}" for i in range(30)]
    text = "\n".join(["item,criterion,judge,human,verdict", *rows])
    data = metrics.read(text.encode(), scale={"cites": "binary", "depth": "ordinal"})
    with pytest.raises(metrics.InputError, match=r"which only cites has\. Take with criteria= the criteria with two labels"):
        metrics.roc(data)


def test_why_a_pooled_area_differs_is_said_only_beyond_the_interval_of_the_mean() -> None:
    rng, rows = np.random.default_rng(0), []
    for item in range(150):
        for criterion, rate in (("easy", 0.85), ("hard", 0.15)):
            up = rng.random() < rate
            score = np.clip(rng.normal(0.5 + 0.25 * (criterion == "easy") + 0.1 * up, 0.15), 0, 1)
            rows.append(f"i{item},{criterion},j,{'MET' if up else 'UNMET'},MET,{score:.2f}")
    easy = "\n".join(["item,criterion,judge,human,verdict,score", *rows])
    assert (
        "criteria is 0.61 [0.52, 0.68]: part of the pooled AUC comes from criteria that differ in how often they are met."
        in area_reading(metrics.roc(ratings_of(easy)), "j", None)
    )
    few = area_reading(metrics.roc(ratings_of(made_up(12, seed=2))), "j", None)
    assert few.endswith(
        "in 86\u00a0% of cases, pooled; the mean over 2 of 2 criteria is 0.82 [0.56, 0.94], "
        "whose interval includes the pooled one."
    )


def _scored(positive: tuple[str, ...], negative: tuple[str, ...]) -> metrics.RocReport:
    names = [*positive, *negative]
    rows = [f"i{k},c,j,{names[k % len(names)]},{names[(k * 7 // 5) % len(names)]},{(k * 37 % 50) / 50}" for k in range(50)]
    meaning = dict.fromkeys(positive, "positive") | dict.fromkeys(negative, "negative")
    return metrics.roc(metrics.read("\n".join(["item,criterion,judge,human,verdict,score", *rows]).encode(), labels=meaning))


def test_every_positive_label_is_named_and_a_number_is_no_count() -> None:
    report = _scored(("8", "9"), ("5",))
    for said in (reading(report, "j", None), area_reading(report, "j", None)):
        assert "‘8’ or ‘9’" in said
    assert "of ‘8’ or ‘9’ and says ‘8’ or ‘9’ on" in reading(report, "j", None)
    assert "‘8’ or ‘9’ where score" in header(report, "j", None).text()
    plain = _scored(("good",), ("bad",))
    assert "of good and says good on" in reading(plain, "j", None)
    assert "‘" not in reading(plain, "j", None)
    many = _scored(("6", "7", "8", "9"), ("5",))
    assert "‘6’, ‘7’ or 2 others" in reading(many, "j", None)


def test_verdicts_on_other_decisions_than_the_scores_are_not_set_against_thresholds() -> None:
    said = {0: "CANNOT_ASSESS", 1: "MET", 2: "UNMET"}
    rows = [f"{i},j,{'MET' if i % 2 else 'UNMET'},{said[i % 3]},{(i * 7) % 11 / 10}" for i in range(60)]
    apart = metrics.roc(ratings_of("item,judge,human,verdict,score\n" + "\n".join(rows)))
    told = "J of the verdicts is on 40 decisions and J of thresholds on 60: they do not compare."
    assert told in reading(apart, "j", None)
    same = metrics.roc(ratings_of("item,judge,human,verdict,score\n" + "\n".join(row for row in rows if "CANNOT" not in row)))
    assert "do not compare" not in reading(same, "j", None)


def test_a_constant_score_is_at_chance_by_construction() -> None:
    rows = [f"i{n},{'yes' if n % 3 else 'no'},yes,0.7" for n in range(60)]
    report = metrics.roc(metrics.read("\n".join(["item,human,verdict,score", *rows]).encode()))
    text = summary(report)
    assert "J 0.00 [" in text
    assert "That is chance by construction, because judge says only yes." in text
    assert "Every decision has the same score, so AUC is 0.50 by construction." in text
    assert "indistinguishable" not in text
    assert "hence too good" not in text
    assert "hence too good" in summary(metrics.roc(ratings_of(made_up())))
