"""Judges in order under every metric: published tables, brute force, what is told apart, degenerate judges."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest

import metrics
from metrics.analyses.judge_selection import readings, readings_disagreements
from metrics.analyses.judge_selection.candidates import AT, RANKED, SNR, benchmark_of
from metrics.analyses.judge_selection.ranking import rank_judges, rank_tables
from metrics.analyses.settings import settings_of
from metrics.results.estimate import Estimate

TABLE1 = {"Judge A": [[63, 20], [133, 784]], "Judge B": [[47, 36], [69, 848]]}
TABLE2 = {"Judge A": [[50, 150], [20, 780]], "Judge B": [[40, 160], [0, 800]]}
JUDGES = {"sharp": (0.92, 0.06), "calm": (0.70, 0.02), "loose": (0.97, 0.45), "coin": (0.5, 0.5)}


@pytest.fixture(scope="module")
def several(build_ratings):
    """400 items, one criterion, four judges of known rates."""
    rng = np.random.default_rng(11)
    truth = rng.random(400) < 0.3
    rows = [(f"i{i}", "c", "h", "human", "MET" if met else "UNMET") for i, met in enumerate(truth)]
    for name, (tpr, fpr) in JUDGES.items():
        says = rng.random(400) < np.where(truth, tpr, fpr)
        rows += [(f"i{i}", "c", name, "judge", "MET" if met else "UNMET") for i, met in enumerate(says)]
    return build_ratings(rows)


@pytest.fixture(scope="module")
def ranking(several):
    return rank_judges(several, prevalence=0.1)


def firsts(found) -> dict[str, str]:
    return {key: found.firsts(key)[0].name for key in RANKED}


def test_published_table_1_splits_the_metrics() -> None:
    found = firsts(rank_tables(TABLE1))
    assert {key for key, who in found.items() if who == "Judge B"} == {"accuracy", "f1", "macro_f1", "kappa"}
    assert found["balanced_accuracy"] == found["youden_j"] == found["phi"] == "Judge A"


def test_published_table_2_the_lower_j_needs_fewer_answers() -> None:
    found = rank_tables(TABLE2, prevalence=0.2)
    assert found.by == SNR
    assert [one.name for one in found.order] == ["Judge B", "Judge A"]
    assert firsts(found)["balanced_accuracy"] == "Judge A"
    assert [one.answers.value for one in found.order] == pytest.approx([1505.8054345290873, 2017.4362499154126], abs=1e-6)
    text = readings.reading(found)
    assert "Judge B needs 1\u202f506 answers per model, Judge A 2\u202f018, although Judge A has the higher J" in text
    assert "is not told apart from Judge A" in text
    why = " ".join(readings_disagreements.disagreements(found))
    assert "In this sample SNR, accuracy and φ put Judge B first; BA, J, F1, macro-F1 and κ put Judge A first." in why
    assert "1.12 times" in why
    assert "1.30 times" in why


def test_published_table_2_names_the_cheaper_judge_before_a_prevalence_is_stated() -> None:
    text = readings.reading(rank_tables(TABLE2))
    assert "Judge A needs 2\u202f018 answers per model, Judge B 1\u202f506" in text
    assert "Judge B is the cheaper one with the lower J, so the first under BA is not the cheapest" in text


def test_published_table_1_every_metric_is_explained() -> None:
    why = " ".join(readings_disagreements.disagreements(rank_tables(TABLE1))[1:])
    assert "accuracy counts TNR 11.0 times as much as TPR, and Judge B has the higher TNR (92\u00a0% against 85\u00a0%)" in why
    assert "69 of 116 positive verdicts of Judge B, 133 of 196 of Judge A (precision 41\u00a0% against 32\u00a0%)" in why
    assert "0.47 and 0.94 for Judge B against 0.45 and 0.91 for Judge A" in why
    assert "Judge A says positive in 20\u00a0%, Judge B in 12\u00a0%, the reference in 8\u00a0%" in why
    assert "κ keeps 0.889 of φ for Judge A and 0.983 for Judge B" in why


def test_ties_at_the_top_are_said_and_who_moves_below() -> None:
    found = rank_tables({"a": [[80, 3], [10, 907]], "b": [[80, 3], [10, 907]], **TABLE1})
    why = readings_disagreements.disagreements(found)
    assert why[0] == "In this sample every metric puts a and b first."
    assert why[1] == "Below, 2 of 4 judges change rank with the metric, Judge A as far as any: 3 under SNR, 4 under accuracy."
    alone = rank_tables({"a": [[40, 2], [3, 55]], "b": [[30, 12], [13, 45]]})
    assert readings_disagreements.disagreements(alone) == ("In this sample every metric puts a first.",)


def test_a_judge_no_better_than_chance_is_not_called_backwards() -> None:
    found = rank_tables({"weak": [[19, 21], [31, 29]]}, prevalence=0.2)
    assert found.first.by_chance
    assert "if it is any better than chance (J [" in readings.reading(found)
    text = " ".join(readings.warnings(found))
    assert "The interval of J includes 0 for weak" in text
    assert "inverted" not in text
    back = rank_tables({"back": [[10, 40], [80, 20]]}, prevalence=0.2)
    assert "back, inverted, needs" in readings.reading(back)


def test_the_cheapest_of_all_is_named_where_the_first_is_not() -> None:
    tables = {**TABLE2, "middling": [[52, 148], [40, 760]]}
    found = rank_tables(tables, by="balanced_accuracy")
    cheapest = min(found.order, key=lambda one: one.answers.value).name
    assert found.first.name != cheapest
    assert f"{cheapest} is the cheaper one" in readings.reading(found)


def test_ranked_by_balanced_accuracy_until_a_prevalence_is_stated() -> None:
    assert rank_tables(TABLE2).by == "balanced_accuracy"
    assert rank_tables(TABLE2).benchmark.prevalence == pytest.approx(0.2)
    assert rank_tables(TABLE1, by="kappa").order[0].name == "Judge B"


def test_every_value_is_that_of_the_catalogue(several, ranking) -> None:
    report = metrics.agreement(several, interval="none")
    for one in ranking.order:
        micro = report.judges[one.name].micro
        for key in RANKED[1:]:
            assert one.values[key] == pytest.approx(micro.values[key], abs=1e-12)
        assert one.values[SNR] == pytest.approx(float(metrics.signal_to_noise(micro.confusion, 0.1)), abs=1e-12)
        assert one.answers.value == pytest.approx(float(metrics.answers_needed(one.tpr, one.fpr, 0.05, 0.15)))


def test_ranks_by_sorting(ranking) -> None:
    for key in RANKED:
        values = [one.values[key] for one in ranking.order]
        assert list(ranking.ranks[key]) == [1 + sum(other > own for other in values) for own in values]
    assert [one.values[SNR] for one in ranking.order] == sorted((one.values[SNR] for one in ranking.order), reverse=True)


def test_balanced_accuracy_and_j_always_rank_alike() -> None:
    rng = np.random.default_rng(2)
    found = rank_tables({f"j{i}": rng.integers(1, 40, (2, 2)) for i in range(9)}, prevalence=0.3)
    assert found.ranks["balanced_accuracy"] == found.ranks["youden_j"]


def test_on_one_golden_set_at_its_own_prevalence_phi_and_snr_rank_alike(several) -> None:
    truth = metrics.agreement(several, interval="none").judges["sharp"].micro.values["prevalence"]
    found = rank_judges(several, prevalence=truth)
    assert found.ranks["phi"] == found.ranks[SNR]
    for one in found.order:
        assert one.values[AT] == pytest.approx(one.values["phi"], abs=1e-9)


def test_pairs_by_leaving_out_one_item_at_a_time(several, ranking) -> None:
    states = np.array([[several.labels[code] == "MET" for code in several.label[several.rater == r]] for r in range(5)])
    names = [rater.name for rater in several.raters]
    pair = next(pair for pair in ranking.pairs if {pair.first, pair.second} == {"sharp", "loose"})
    places = [names.index(pair.first), names.index(pair.second)]

    def difference(keep) -> float:
        values = []
        for place in places:
            table = [[np.sum(keep & (states[0] == r) & (states[place] == c)) for c in (True, False)] for r in (True, False)]
            values.append(float(metrics.signal_to_noise(table, 0.1)))
        return values[0] - values[1]

    left = np.array([difference(np.arange(400) != i) for i in range(400)])
    error = math.sqrt(399 / 400 * ((left - left.mean()) ** 2).sum())
    assert pair.difference.value == pytest.approx(difference(np.ones(400, bool)), abs=1e-12)
    assert pair.difference.ends is not None
    assert (pair.difference.ends[1] - pair.difference.ends[0]) / 2 == pytest.approx(error * 1.965927, rel=1e-5)
    assert pair.paired


def test_what_was_paired_before_does_not_change_a_pair(build_ratings) -> None:
    """Metric, benchmark, mode, criterion and handling each give the pairs of ratings that were never looked at."""
    rng = np.random.default_rng(21)
    names = np.array(["MET", "UNMET", "CA", "BAD"])
    rows = [
        (f"i{i}", f"c{c}", who, role, names[rng.choice(4, p=[0.4, 0.4, 0.1, 0.1])])
        for i, c in itertools.product(range(60), range(2))
        for who, role in (("h", "human"), ("a", "judge"), ("b", "judge"))
    ]
    used = build_ratings(rows)
    asked = [
        ({}, {"prevalence": 0.1}), ({}, {"prevalence": 0.4}), ({}, {"by": "kappa"}), ({}, {"criterion": "c1"}),
        ({"abstention": "as_unmet"}, {}), ({"abstention": "as_category"}, {}), ({"handling": {"invalid": "as_unmet"}}, {}),
    ]  # fmt: skip
    found = []
    for choices, options in asked:
        pairs = rank_judges(used, settings_of(used, **choices), **options).pairs
        fresh = build_ratings(rows)
        assert pairs == rank_judges(fresh, settings_of(fresh, **choices), **options).pairs
        found.append(pairs[0].difference.value)
    assert len(set(found)) == len(asked)


def test_what_is_told_apart_and_what_is_not(ranking) -> None:
    assert ranking.order[-1].name == "coin"
    assert ranking.inseparable("coin") == ()
    assert all(pair.separable == (pair.p <= 0.05) for pair in ranking.pairs)
    for bracket in ranking.brackets:
        assert len(bracket) > 1
        inside = [pair for pair in ranking.pairs if pair.first in bracket and pair.second in bracket]
        assert not any(pair.separable for pair in inside)


def test_the_same_judge_twice_shares_a_rank_and_a_bracket(build_ratings) -> None:
    rows = []
    for i in range(60):
        human = "MET" if i % 3 else "UNMET"
        verdict = human if i % 5 else "MET"
        rows += [(f"i{i}", "c", "h", "human", human)] + [(f"i{i}", "c", who, "judge", verdict) for who in ("a", "b")]
    found = rank_judges(build_ratings(rows), prevalence=0.2)
    assert found.brackets == (("a", "b"),)
    assert all(ranks == (1, 1) for ranks in found.ranks.values())
    assert not found.pairs[0].separable
    assert math.isnan(found.pairs[0].p)


@pytest.mark.slow("many files of judges alike")
def test_pairs_reject_rarely_when_judges_are_alike() -> None:
    rng, rejected = np.random.default_rng(8), 0
    for _ in range(120):
        tp, fp = rng.binomial(80, 0.8, 2), rng.binomial(220, 0.1, 2)
        tables = {name: [[a, 80 - a], [b, 220 - b]] for name, a, b in zip("xy", tp, fp, strict=True)}
        rejected += rank_tables(tables, prevalence=0.2).pairs[0].separable
    assert 1 <= rejected <= 15


@pytest.mark.parametrize(
    ("n", "more"), [(3, ""), (4, "The same holds for 1 more pair."), (6, "The same holds for 3 more pairs.")]
)
def test_pairs_that_turn_round_on_their_own_decisions_are_named_or_counted(n, more) -> None:
    found = rank_tables({name: [[80, 20 + i], [10, 90]] for i, name in enumerate("abcd")}, prevalence=0.3)
    turned = tuple(replace(pair, difference=Estimate(-0.1), separable=i < n, n_shared=40) for i, pair in enumerate(found.pairs))
    told = [
        line
        for line in readings.warnings(replace(found, pairs=turned))
        if "decisions both made" in line or "The same holds" in line
    ]
    assert len(told) == 3 + bool(more)
    assert told[0].startswith("On the 40 decisions both made b is ahead of a, not behind")
    assert told[-1] == more or not more


def test_a_judge_with_one_class_comes_last_with_its_reason() -> None:
    found = rank_tables({"no positives": [[0, 0], [3, 40]], **TABLE1}, prevalence=0.2)
    last = found.order[-1]
    assert last.name == "no positives"
    assert math.isnan(last.values[SNR])
    assert "reference never says" in last.undefined[SNR]
    assert found.ranks[SNR][-1] is None
    assert all("no positives" not in (pair.first, pair.second) for pair in found.pairs)
    json.dumps(found.to_dict(), allow_nan=False)


def test_every_judge_undefined() -> None:
    found = rank_tables({"a": [[0, 0], [3, 4]], "b": [[0, 0], [0, 9]]}, prevalence=0.2)
    assert readings.reading(found) == "SNR is undefined for every judge."
    assert found.pairs == ()
    assert found.brackets == ()


def test_a_judge_that_never_errs_and_one_at_chance() -> None:
    found = rank_tables({"perfect": [[40, 0], [0, 60]], "chance": [[20, 20], [30, 30]]}, prevalence=0.2)
    assert [one.name for one in found.order] == ["perfect", "chance"]
    assert found.order[1].answers.value == math.inf
    assert "perfect needs 250 answers per model; chance is at chance, so that no number of answers is enough" in readings.reading(
        found
    )
    assert found.pairs[0].separable


def test_every_dash_of_the_table_has_its_reason_once() -> None:
    tables = {"perfect": [[40, 0], [0, 60]], "chance": [[20, 20], [30, 30]], "coin": [[25, 25], [25, 25]]}
    found = rank_tables(tables, prevalence=0.2)
    assert readings.dashes(found, ("answers", "kappa")) == (
        "Undefined for chance and coin: it is at chance, and no number of answers is enough (answers).",
    )
    assert readings.dashes(found, ("kappa",)) == ()
    narrow = rank_tables({"narrow": [[20, 0], [0, 0]], "broad": [[40, 10], [10, 40]]}, by="accuracy")
    told = readings.dashes(narrow, ("answers", "youden_j"))
    assert told[0] == "Undefined for narrow: it was rated on positives only (answers)."
    assert told[1].endswith("(J).")
    assert not [line for line in told if "broad" in line]


def test_thin_golden_sets_and_judges_that_run_backwards_are_named() -> None:
    found = rank_tables({"thin": [[9, 1], [2, 50]], "back": [[10, 40], [80, 20]]}, prevalence=0.2)
    text = " ".join(readings.warnings(found))
    assert "Fewer than 30" in text
    assert "thin" in text
    assert "J is below 0 for back" in text
    assert "taken as independent" in text


def test_names_go_through_the_given_function() -> None:
    marked = readings_disagreements.disagreements(rank_tables(TABLE1), lambda text: f"<{text}>")
    assert all("Judge" not in text.replace("<Judge A>", "").replace("<Judge B>", "") for text in marked)
    assert any("11.0 times" in text for text in marked)


def test_benchmark_moves_inside_the_range() -> None:
    assert benchmark_of(0.02, 0.1).models == (0.0, 0.1)
    assert benchmark_of(0.99, 0.1).models == pytest.approx((0.9, 1.0))


@pytest.mark.parametrize(("prevalence", "difference"), [(0.0, 0.1), (1.2, 0.1), (0.2, 0.0), (0.2, math.nan)])
def test_odd_benchmarks_are_refused(prevalence, difference) -> None:
    with pytest.raises(metrics.InputError, match="between 0 and 1"):
        rank_tables(TABLE1, prevalence=prevalence, difference=difference)


def test_unknown_metrics_and_criteria_are_refused(several) -> None:
    with pytest.raises(metrics.InputError, match="cannot be ranked by"):
        rank_tables(TABLE1, by="wisdom")
    with pytest.raises(metrics.InputError, match="two labels"):
        rank_judges(several, settings_of(several, abstention="as_category"), prevalence=0.2)
    with pytest.raises(metrics.InputError, match="no criterion"):
        rank_judges(several, criterion="x")


def test_counts_files_are_ranked_without_items(build_of_tables) -> None:
    ratings = build_of_tables(TABLE2["Judge A"], labels=("MET", "UNMET"))
    found = rank_judges(ratings, prevalence=0.2)
    assert found.order[0].values[SNR] == pytest.approx(rank_tables(TABLE2, prevalence=0.2).order[1].values[SNR])
    assert readings.reading(found).startswith("at a benchmark prevalence of 20\u00a0% j needs 2\u202f018 answers")


def test_several_criteria_use_whole_items(build_ratings) -> None:
    rng = np.random.default_rng(6)
    rows = []
    for i in range(80):
        truth = rng.random() < 0.4
        wrong = rng.random() < 0.2
        for c in range(3):
            human = "MET" if truth else "UNMET"
            verdict = ("UNMET" if truth else "MET") if wrong else human
            rows += [(f"i{i}", f"c{c}", "h", "human", human), (f"i{i}", f"c{c}", "j", "judge", verdict)]
    ratings = build_ratings(rows)
    pooled = rank_judges(ratings, prevalence=0.4).order[0]
    single = rank_judges(ratings, prevalence=0.4, criterion="c0").order[0]
    widths = [one[SNR].ends[1] - one[SNR].ends[0] for one in (pooled, single)]
    assert pooled.values["kappa"] == pytest.approx(single.values["kappa"])
    assert 0.85 < widths[0] / widths[1] < 1.3  # three equal criteria say no more than one


@pytest.mark.parametrize(
    ("narrow", "words"),
    [
        ([[20, 0], [0, 0]], "narrow was rated on positives only, where accuracy is TPR alone (100 %); broad on both labels."),
        ([[0, 0], [0, 20]], "narrow was rated on negatives only, where accuracy is TNR alone (100 %); broad on both labels."),
    ],
)
def test_a_leader_in_accuracy_rated_on_one_label_only(narrow, words) -> None:
    found = rank_tables({"narrow": narrow, "broad": [[40, 10], [10, 40]]})
    told = " ".join(readings_disagreements.disagreements(found)).replace("\u00a0", " ")
    assert words in told
    assert "nan" not in told


def test_what_a_judge_needs_is_undefined_where_it_was_rated_on_one_label_only() -> None:
    tables = {"narrow": [[20, 0], [0, 0]], "broad": [[40, 10], [10, 40]], "coin": [[25, 25], [25, 25]]}
    text = readings.reading(rank_tables(tables, by="accuracy"))
    assert "what narrow needs is undefined, for it was rated on positives only; broad needs " in text
    other = readings.reading(rank_tables({**tables, "narrow": [[0, 0], [1, 19]]}, by="accuracy"))
    assert "what narrow needs is undefined, for it was rated on negatives only" in other
    assert "at chance" not in text + other
    mixed = {"dear": [[2, 8], [2, 88]], "narrow": [[17, 3], [0, 0]], "cheap": [[40, 10], [10, 40]]}
    assert ": cheap is the cheaper one, so the first under accuracy is not the cheapest." in readings.reading(
        rank_tables(mixed, by="accuracy")
    )


def test_what_has_no_value_is_not_said_to_be_compared() -> None:
    tables = {"sharp": [[490, 10], [10, 490]], "weak": [[300, 200], [200, 300]]}
    narrow = {"narrow": [[5, 5], [0, 0]]}
    assert "sharp differs significantly from every other judge." in readings.reading(rank_tables(tables, by="youden_j"))
    told = readings.reading(rank_tables(tables | narrow, by="youden_j"))
    assert "sharp differs significantly from every other judge that has a value." in told
    assert readings_disagreements.disagreements(rank_tables(tables))[0] == "In this sample every metric puts sharp first."
    one_label = rank_tables({"one": [[9, 1], [0, 0]], "two": [[9, 1], [0, 0]]})
    assert not all(one_label.firsts(key) for key in one_label.keys)
    assert (
        readings_disagreements.disagreements(one_label)[0]
        == "In this sample every metric that has a value puts one and two first."
    )


@pytest.mark.parametrize(("first", "second", "told"), [((300, 80), (400, 170), True), ((300, 50), (375, 80), False)])
def test_phi_carried_elsewhere_is_told_where_it_differs(first, second, told) -> None:
    """φ and SNR put different judges first; carried to the benchmark their φ are apart at two decimals, or are not."""
    tables = {name: [[tp, 500 - tp], [fp, 500 - fp]] for name, (tp, fp) in (("s", first), ("t", second))}
    ranking = rank_tables(tables, prevalence=0.05)
    assert ranking.firsts("phi")[0] is not ranking.firsts(SNR)[0]
    assert ("carried to" in " ".join(readings_disagreements.disagreements(ranking))) == told
