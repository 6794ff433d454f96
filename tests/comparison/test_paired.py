"""Two judges on the same items: against leaving out, and swapping, one item at a time, literally."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, t
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

import metrics
from metrics.analyses.comparison.compute import compare, compare_all
from metrics.analyses.comparison.paired import Paired, Statistic
from metrics.analyses.comparison.pairwise import comparable
from metrics.analyses.comparison.permutation import mcnemar
from metrics.measures.catalogue import BY_KEY
from metrics.measures.exact_tests import holm

pytestmark = pytest.mark.slow("every interval left out one by one")

MODES = ("exclude", "as_unmet", "as_category")
LABELS = np.array(["MET", "UNMET", "CANNOT_ASSESS", ""])


def table(seed: int, n_items: int = 30, n_criteria: int = 3, *, gaps: float = 0.08, wrong: float = 0.2) -> pd.DataFrame:
    """Two judges and a human; abstentions and missing rows where `gaps` is not 0."""
    rng = np.random.default_rng(seed)
    effect = rng.normal(size=(n_items, 1))
    human = (effect + rng.normal(size=(n_items, n_criteria)) > -0.4).astype(int)
    rows = []
    sides = {"human": human}
    for name, rate in (("a", wrong), ("b", wrong * 0.7)):
        sides[name] = np.where(rng.random(human.shape) < rate, 1 - human, human)
    for role, own in sides.items():
        code = np.where(rng.random(own.shape) < gaps, 2, 1 - own)
        code = np.where(rng.random(own.shape) < gaps, 3, code)
        rows += [
            {"item": f"i{i}", "criterion": f"c{c}", "rater": role, "role": "human" if role == "human" else "judge",
             "label": LABELS[code[i, c]]}
            for i, c in np.ndindex(*own.shape)
        ]  # fmt: skip
    return pd.DataFrame([row for row in rows if row["label"]])


def wide(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per shared decision, the verdicts of all three side by side."""
    return frame.pivot_table(index=["item", "criterion"], columns="rater", values="label", aggfunc="first").dropna()


def literal_values(shared: pd.DataFrame, metric: str, level: str, mode: str) -> tuple[float, float]:
    """Both values from plain counting, on the decisions both answered."""
    labels = ["MET", "UNMET", "CANNOT_ASSESS"][: 3 if mode == "as_category" else 2]
    if mode == "as_unmet":
        shared = shared.replace("CANNOT_ASSESS", "UNMET")
    if mode == "exclude":
        shared = shared[shared.isin(["MET", "UNMET"]).all(axis=1)]
    groups = [own for _, own in shared.groupby(level="criterion")] if level == "macro" else [shared]
    found = []
    for own in groups:
        tables = []
        human, *given = (own[name].to_numpy(object) for name in ("human", "a", "b"))
        for judge in given:
            counts = np.array([[((human == r) & (judge == c)).sum() for c in labels] for r in labels], float)
            tables.append(float(BY_KEY[metric].function(counts)))
        found.append(tables)
    values = np.array(found)
    values = values[~np.isnan(values).any(1)]
    return tuple(values.mean(0)) if len(values) else (np.nan, np.nan)


def literal_difference(shared: pd.DataFrame, metric: str, level: str, mode: str) -> float:
    a, b = literal_values(shared, metric, level, mode)
    return b - a


def counted_items(shared: pd.DataFrame, mode: str) -> list[str]:
    if mode == "exclude":
        met = shared.isin(["MET", "UNMET"])
        shared = shared[met["human"] & met["a"] & met["b"]]
    return sorted(set(shared.index.get_level_values("item")))


@pytest.mark.slow("leaves out or swaps units one at a time")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", ["micro", "macro"])
@pytest.mark.parametrize("metric", ["kappa", "accuracy", "macro_f1", "balanced_accuracy"])
@pytest.mark.parametrize("seed", [1, 2])
def test_difference_and_error_are_the_literal_ones(seed: int, metric: str, level: str, mode: str) -> None:
    frame = table(seed, n_items=16)
    one = compare(metrics.read(frame), "a", "b", metric, level=level, abstention=mode, replicates=10)
    shared = wide(frame)
    a, b = literal_values(shared, metric, level, mode)
    assert (one.a.estimate.value, one.b.estimate.value) == pytest.approx((a, b), abs=1e-12)
    items = counted_items(shared, mode)
    assert one.n_items == len(items)
    without = [literal_difference(shared.drop(index=item, level="item"), metric, level, mode) for item in items]
    n, left = len(items), np.array(without)
    error = np.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum())
    assert one.error == pytest.approx(error, abs=1e-12)
    reach = t.ppf(0.975, n - 1) * error
    assert one.difference.ends == pytest.approx((b - a - reach, b - a + reach), abs=1e-12)


@pytest.mark.slow("leaves out or swaps units one at a time")
@pytest.mark.parametrize("level", ["micro", "macro"])
@pytest.mark.parametrize("seed", range(3))
def test_all_swaps_are_the_literal_ones(seed: int, level: str) -> None:
    frame = table(seed, n_items=6, n_criteria=2)
    one = compare(metrics.read(frame), "a", "b", level=level, abstention="as_unmet")
    shared = wide(frame)
    items = sorted(set(shared.index.get_level_values("item")))
    observed, found = abs(one.difference.value), []
    for swap in itertools.product([False, True], repeat=len(items)):
        swapped = shared.copy()
        rows = swapped.index.get_level_values("item").isin([i for i, s in zip(items, swap, strict=True) if s])
        swapped.loc[rows, ["a", "b"]] = swapped.loc[rows, ["b", "a"]].to_numpy()
        found.append(literal_difference(swapped, "kappa", level, "as_unmet"))
    values = np.abs(np.array(found))
    defined = values[~np.isnan(values)]
    assert one.permutation.exact
    assert one.permutation.p == pytest.approx((defined >= observed - 1e-12).mean(), abs=1e-12)


def test_random_swaps_come_near_all_swaps(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = metrics.read(table(5, n_items=14, n_criteria=3, wrong=0.3))
    monkeypatch.setattr("metrics.analyses.comparison.permutation.ALL_SWAPS", 14)
    for level in ("micro", "macro"):
        exact = compare(ratings, "a", "b", level=level).permutation
        assert exact.exact
        with monkeypatch.context() as few:
            few.setattr("metrics.analyses.comparison.permutation.ALL_SWAPS", 3)
            drawn = compare(ratings, "a", "b", level=level, replicates=20_000, rng=3).permutation
        assert not drawn.exact
        assert drawn.replicates == 20_000
        assert drawn.p == pytest.approx(exact.p, abs=0.02)


@pytest.mark.slow("simulates")
def test_under_the_null_p_is_spread_evenly() -> None:
    rng, found = np.random.default_rng(11), []
    for _ in range(300):
        human = rng.integers(0, 2, (40, 2))
        wrong = rng.random((2, 40, 2)) < np.where(rng.random((40, 1)) < 0.5, 0.05, 0.4)
        frame = pd.DataFrame(
            [
                {"item": i, "criterion": c, "judge": name, "human": LABELS[human[i, c]],
                 "verdict": LABELS[human[i, c] ^ int(wrong[j, i, c])]}
                for j, name in enumerate("ab") for i, c in np.ndindex(40, 2)
            ]
        )  # fmt: skip
        found.append(compare(metrics.read(frame), "a", "b", replicates=400, rng=rng).permutation.p)
    p = np.array(found)
    for level in (0.05, 0.25, 0.5, 0.75):
        assert (p <= level).mean() == pytest.approx(level, abs=0.07)


@settings(deadline=None, max_examples=40)
@given(only_a=st.integers(0, 60), only_b=st.integers(0, 60))
def test_mcnemar_is_the_exact_one(only_a: int, only_b: int) -> None:
    p = mcnemar(only_a, only_b).p
    if only_a + only_b:
        assert p == pytest.approx(binomtest(only_a, only_a + only_b).pvalue, abs=1e-12)
    assert p == pytest.approx(min(1.0, statsmodels_mcnemar([[5, only_a], [only_b, 7]], exact=True).pvalue), abs=1e-12)


@pytest.mark.parametrize("more", [5, 100_000, 5_000_000_000])
def test_mcnemar_of_billions_of_decisions_is_that_of_the_normal_distribution(more: int) -> None:
    half = 2_000_000_000
    assert mcnemar(half, half + more).p == pytest.approx(2 * norm.sf((more - 1) / np.sqrt(2 * half + more)), rel=1e-6)


def test_judges_that_only_abstain_have_no_difference_and_no_crash() -> None:
    rows = [{"item": i, "judge": j, "human": "n/a", "verdict": "n/a", "topic": i % 2} for i in range(6) for j in "ab"]
    ratings = metrics.read(pd.DataFrame(rows), labels={"n/a": "abstention"})
    for unit in ("item", "topic"):
        one = compare(ratings, "a", "b", unit=unit, replicates=50)
        assert (one.to_dict()["difference"], one.difference.interval) == (None, None)
        assert metrics.agreement(ratings, unit=unit).judges["a"].micro.n == 0


@settings(deadline=None, max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    level=st.sampled_from(["micro", "macro", "item"]),
    mode=st.sampled_from(MODES),
    k=st.integers(1, 3),
)
def test_swapping_the_judges_turns_the_sign(seed: int, level: str, mode: str, k: int) -> None:
    ratings = metrics.read(table(seed, n_items=20, n_criteria=k, gaps=0.03))
    one, other = (compare(ratings, *pair, level=level, abstention=mode, replicates=200) for pair in (("a", "b"), ("b", "a")))
    assert one.difference.value == pytest.approx(-other.difference.value, nan_ok=True)
    assert one.error == pytest.approx(other.error, nan_ok=True)
    assert (one.a.estimate.value, one.a.n_only) == pytest.approx((other.b.estimate.value, other.b.n_only), nan_ok=True)
    assert one.outcomes["only_a"] == other.outcomes["only_b"]
    if one.permutation.exact:
        assert one.permutation.p == pytest.approx(other.permutation.p, nan_ok=True)
    if one.difference.ends:
        assert one.difference.ends == pytest.approx((-other.difference.ends[1], -other.difference.ends[0]))
        assert one.difference.ends[0] < one.difference.value < one.difference.ends[1]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_complete_data_give_the_values_of_the_report(mode: str, level: str) -> None:
    ratings = metrics.read(table(3, n_items=60, gaps=0))
    report = metrics.agreement(ratings, abstention=mode)
    for metric in comparable(ratings, mode):
        if BY_KEY[metric].takes == "criteria" and level != "micro":
            continue
        one = compare(ratings, "a", "b", metric, level=level, abstention=mode, replicates=10)
        for side in (one.a, one.b):
            block = report.judges[side.name].level(level)
            assert side.estimate.value == pytest.approx(block.values[metric], abs=1e-12), metric
            assert side.estimate.ends == pytest.approx(block[metric].ends), metric


def test_unmatched_decisions_are_counted_by_side() -> None:
    frame = table(4, gaps=0)
    drop = ((frame["rater"] == "a") & frame["item"].isin(["i1", "i2"])) | ((frame["rater"] == "b") & (frame["item"] == "i3"))
    drop |= (frame["rater"] == "human") & (frame["item"] == "i4")
    one = compare(metrics.read(frame[~drop]), "a", "b", replicates=10)
    assert (one.a.n_only, one.b.n_only, one.n_no_reference, one.n_shared) == (3, 6, 3, 78)
    assert "6 only b judged" in one.summary()


def test_one_criterion_of_several_is_the_data_with_that_criterion_alone() -> None:
    frame = table(6)
    one = compare(metrics.read(frame), "a", "b", criterion="c1")
    alone = compare(metrics.read(frame[frame["criterion"] == "c1"]), "a", "b")
    assert one.to_dict() | {"declaration": 0, "criterion": 0} == alone.to_dict() | {"declaration": 0, "criterion": 0}
    assert one.mcnemar is not None
    counts = (one.outcomes["only_a"], one.outcomes["only_b"])
    assert one.mcnemar.p == pytest.approx(binomtest(counts[0], sum(counts)).pvalue)


def test_mcnemar_is_refused_over_several_criteria() -> None:
    one = compare(metrics.read(table(6)), "a", "b")
    assert one.mcnemar is None
    assert "choose one criterion" in one.no_mcnemar
    assert one.to_dict()["no_mcnemar"]


def test_equal_judges_are_separated_by_no_item() -> None:
    frame = table(7, n_criteria=1, gaps=0)
    twin = frame[frame["rater"] == "a"].assign(rater="twin")
    one = compare(metrics.read(pd.concat([frame, twin])), "a", "twin")
    assert (one.difference.value, one.difference.interval, one.permutation.p) == (0.0, None, 1.0)
    assert one.no_interval == "no item separates them"
    assert one.reading == "on 30 shared items no item separates a and twin."
    assert one.mcnemar.p == 1.0
    assert not one.settled


def test_an_undefined_difference_has_a_reason_and_no_number() -> None:
    rows = [{"item": i, "judge": j, "human": "MET", "verdict": "MET"} for i in range(5) for j in "ab"]
    one = compare(metrics.read(pd.DataFrame(rows), labels={"MET": "positive", "UNMET": "negative"}), "a", "b")
    out = one.to_dict()
    assert (out["difference"], out["interval"], out["permutation"]["p"]) == (None, None, None)
    assert out["undefined"] == "a: both sides give only MET"
    assert "undefined" in one.reading


def test_undefined_replicates_are_counted() -> None:
    human, a, b = ["MET"] * 4, ["MET", "MET", "MET", "UNMET"], ["UNMET", "MET", "MET", "MET"]
    rows = [
        {"item": i, "judge": j, "human": human[i], "verdict": own[i]} for j, own in (("a", a), ("b", b)) for i in range(4)
    ]  # fmt: skip
    one = compare(metrics.read(pd.DataFrame(rows)), "a", "b")
    assert one.permutation.n_differ == 2
    assert (one.permutation.replicates, one.permutation.undefined) == (4, 2)
    assert one.permutation.p == 1.0


def test_reading_names_the_winner_whatever_the_order() -> None:
    rows = []
    for i in range(200):
        human = LABELS[i % 2]
        rows.append({"item": i, "judge": "good", "human": human, "verdict": human if i % 10 else LABELS[1 - i % 2]})
        rows.append({"item": i, "judge": "poor", "human": human, "verdict": human if i % 3 else LABELS[1 - i % 2]})
    ratings = metrics.read(pd.DataFrame(rows))
    for pair in (("good", "poor"), ("poor", "good")):
        one = compare(ratings, *pair, replicates=500)
        assert one.reading.startswith("on 200 shared items good beats poor by 0.47 [0.")
        assert "in κ: significant (p = 0.002)" in one.reading
        assert "good beats poor" in compare(ratings, *pair, "fnr", replicates=500).reading
    assert compare(ratings, "good", "poor", "accuracy", replicates=500).difference.value == pytest.approx(-0.235, abs=0.01)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"b": "a"}, "itself"),
        ({"b": "zed"}, "zed"),
        ({"metric": "prevalence"}, "cannot be compared"),
        ({"metric": "nonsense"}, "cannot be compared"),
        ({"level": "nano"}, "Unknown level"),
        ({"criterion": "c9"}, "c9"),
        ({"criterion": "c1", "level": "macro"}, "no level"),
        ({"metric": "kappa_within", "level": "macro"}, "Use the level micro"),
        ({"replicates": 0}, "replicate"),
        ({"confidence": 1.5}, "between 0 and 1"),
    ],
)
def test_what_cannot_be_compared_is_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(metrics.InputError, match=said):
        compare(metrics.read(table(1)), **({"a": "a", "b": "b"} | options))


def test_judges_without_a_shared_decision_are_refused() -> None:
    frame = table(4, gaps=0)
    drop = ((frame["rater"] == "a") & (frame["item"] < "i2")) | ((frame["rater"] == "b") & (frame["item"] >= "i2"))
    with pytest.raises(metrics.InputError, match="share no item and criterion"):
        compare(metrics.read(frame[~drop]), "a", "b")


def test_a_table_of_counts_is_refused() -> None:
    counts = pd.DataFrame({"human": ["MET", "UNMET"], "judge": ["MET", "MET"], "n": [5, 6]})
    with pytest.raises(metrics.InputError, match="table of counts"):
        compare(metrics.read(counts, labels={"UNMET": "negative"}), "judge", "x")


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_is_the_known_one(p: list[float]) -> None:
    assert holm([*p, np.nan])[:-1] == pytest.approx(multipletests(p, method="holm")[1])
    assert np.isnan(holm([*p, np.nan])[-1])


def test_all_judges_against_a_baseline_and_against_the_best() -> None:
    frame = table(8, n_items=60, gaps=0)
    more = frame[frame["rater"] == "b"].assign(rater="c")
    ratings = metrics.read(pd.concat([frame, more]))
    fixed = compare_all(ratings, "a", replicates=50)
    assert [one.a.name for one in fixed.against] == ["a", "a"]
    assert {one.b.name for one in fixed.against} == {"b", "c"}
    assert not fixed.best
    best = compare_all(ratings, replicates=50)
    assert best.best
    assert best.baseline == "b"
    assert "chosen as the best on the same data" in best.reading
    assert list(best.to_frame()["b"]) == ["c", "a"]
    assert best.to_dict()["judges"][0]["difference"] == 0.0
    with pytest.raises(metrics.InputError, match="Name a baseline"):
        compare_all(ratings, metric="drift")
    with pytest.raises(metrics.InputError, match="beside"):
        compare_all(ratings, "a", judges=["a"])


def test_the_same_seed_gives_the_same_digits() -> None:
    ratings = metrics.read(table(9, n_items=80))
    first, second = (compare(ratings, "a", "b", replicates=300).to_dict() for _ in range(2))
    assert first == second
    assert (
        compare_all(ratings, "a", replicates=100, rng=4).to_dict() == compare_all(ratings, "a", replicates=100, rng=4).to_dict()
    )


def test_notes_say_what_the_values_leave_out() -> None:
    frame = table(2)
    one = compare(metrics.read(frame), "a", "b", replicates=20)
    labels = frame.pivot(index=["item", "criterion"], columns="rater", values="label")
    answered = int(labels.isin(["MET", "UNMET"]).all(axis=1).sum())
    assert f"the comparison rests on the {answered} both answered" in " ".join(one.notes)
    assert compare(metrics.read(table(2, n_criteria=1, gaps=0)), "a", "b", replicates=20).notes == ()
    frame = table(3, gaps=0)
    frame.loc[(frame["criterion"] == "c1") & (frame["rater"] != "b"), "label"] = "MET"
    frame.loc[(frame["criterion"] == "c1") & (frame["rater"] == "b"), "label"] = "MET"
    macro = compare(metrics.read(frame), "a", "b", level="macro", replicates=20)
    assert macro.difference.of == (2, 3)
    assert any("2 of 3 criteria" in note for note in macro.notes)
    few = compare(metrics.read(table(1, n_items=6, n_criteria=1, gaps=0, wrong=0.6)), "a", "b")
    assert few.difference.interval is None or any("only 6 items" in note for note in few.notes)


def test_three_classes_and_costs() -> None:
    ratings = metrics.read(table(4))
    one = compare(ratings, "a", "b", "weighted_kappa", abstention="as_category", cost="halfway", replicates=20)
    report = metrics.agreement(ratings, abstention="as_category", cost="halfway")
    assert one.a.block.labels == report.judges["a"].micro.labels
    assert one.difference.ends is not None
    assert one.difference.ends[0] < one.difference.value < one.difference.ends[1]
    with pytest.raises(metrics.InputError, match="cannot be compared"):
        compare(ratings, "a", "b", "phi", abstention="as_category")


@pytest.mark.slow("simulates")
@pytest.mark.parametrize("apart", [False, True])
def test_the_interval_of_the_difference_covers(apart: bool) -> None:
    """Item effects, judges that err together; 400 samples of 50 items by 3 criteria."""
    rng, statistic = np.random.default_rng(2), Statistic(metrics.cohen_kappa, "mean" if apart else "pooled")
    truth = np.subtract(*_simulated(rng, 200_000, apart).values(statistic)[::-1])
    hits = []
    for _ in range(400):
        paired = _simulated(rng, 50, apart)
        a, b = paired.values(statistic)
        hits.append(abs(b - a - truth) <= t.ppf(0.975, 49) * paired.error(statistic))
    assert 0.92 <= np.mean(hits) <= 0.98


def _simulated(rng: np.random.Generator, n: int, apart: bool, n_criteria: int = 3) -> Paired:
    effect = rng.normal(size=(2, n, 1)) * np.sqrt(0.3)
    noise = rng.normal(size=(3, n, n_criteria)) * np.sqrt(0.7)
    human = effect[0] + noise[0] > 0
    wrong = [effect[1] + own > cut for own, cut in zip(noise[1:], (0.85, 1.3), strict=True)]
    item, criterion = np.divmod(np.arange(n * n_criteria), n_criteria)
    cells = [(~human * 2 + (human == own)).ravel().astype(np.int64) for own in wrong]
    return Paired.of(
        item.astype(np.int32), criterion.astype(np.int32), *cells, k=2, n_items=n, n_criteria=n_criteria, apart=apart
    )  # fmt: skip
