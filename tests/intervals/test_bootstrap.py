"""Draws on merged items against draws of rows, SciPy's bootstrap, and literal leave-one-out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import metrics
from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.planning.independence import design_effects
from metrics.analyses.settings import settings_of
from metrics.data.abstention import MODES
from metrics.data.aggregation import ItemRule
from metrics.data.pairs import patterns_of
from metrics.intervals.bootstrap import CRITERIA, ITEM, MACRO, MICRO, accelerations, evaluate, replicate
from metrics.intervals.resampling import DRAWS_PER_CATEGORY, Drawer, Frame
from metrics.measures.catalogue import applicable

pytestmark = pytest.mark.slow("resampling")

STATES = ("MET", "UNMET", "CANNOT_ASSESS")


def verdicts(seed, n_items=80, n_criteria=3, error=0.2, abstain=0.1, effect=1.0):
    """Reference and judge codes with a latent item effect on both."""
    rng = np.random.default_rng(seed)
    shared = effect * rng.normal(size=(2, n_items, 1))
    human = (shared[0] + rng.normal(size=(n_items, n_criteria)) > 0).astype(int)
    wrong = shared[1] + rng.normal(size=human.shape) > np.sqrt(1 + effect**2) * stats.norm.isf(error)
    judge = np.where(wrong, 1 - human, human)
    for side in (human, judge):
        side[rng.random(side.shape) < abstain] = 2
    return human, judge


def read(human, judge):
    lines = ["item,criterion,judge,human,verdict"]
    lines += [f"{i},c{c},j,{STATES[human[i][c]]},{STATES[judge[i][c]]}" for i in range(len(human)) for c in range(len(human[0]))]
    return metrics.read("\n".join(lines).encode())


def frame_of(ratings, modes=MODES, rule=None) -> Frame:
    patterns = patterns_of(ratings, "j", "human")
    return Frame.of(patterns, ratings.scheme, modes, rule or ItemRule(), ratings.criteria).used()


def functions_of(frame):
    return {mode: {m.key: m.function for m in applicable(k) if m.transform} for mode, k in frame.k.items()}


def kappa_of_codes(human, judge, axis=-1):
    """Kappa of two yes/no lists, pairs with an abstention dropped."""
    kept = (human < 2) & (judge < 2)
    cell = [((human == r) & (judge == c) & kept).sum(axis) for r in (0, 1) for c in (0, 1)]
    return metrics.cohen_kappa(np.stack(cell, -1).reshape(*cell[0].shape, 2, 2))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rule", [ItemRule(), ItemRule("threshold", 0.6)])
def test_the_data_themselves_give_the_values_of_the_report(mode, rule) -> None:
    ratings = read(*verdicts(1))
    chosen = {"item_rule": rule.rule, "threshold": rule.threshold}
    judge = metrics.agreement(ratings, abstention=mode, interval="none", **chosen).judges["j"]
    frame = frame_of(ratings, rule=rule)
    found = evaluate(frame, mode, functions_of(frame)[mode], frame.total[:, None])
    blocks = [judge.micro, judge.macro, judge.item, *judge.criteria.values()]
    for key, column in found.items():
        for place, block in enumerate(blocks):
            assert column[place, 0] == pytest.approx(block.values.get(key, np.nan), abs=1e-14, nan_ok=True), (key, place)


@pytest.mark.parametrize("weight", [[3, 1, 1, 200, 40, 0, 5], [1] * 30, [500, 20], [DRAWS_PER_CATEGORY - 1] * 4])
def test_a_draw_is_multinomial(weight) -> None:
    weight = np.array(weight)
    drawer = Drawer.of(weight)
    drawn = drawer.draw(np.random.default_rng(3), 40_000)
    weight = weight[drawer.order]
    n, share = weight.sum(), weight / weight.sum()
    assert (drawn.sum(1) == n).all()
    assert (drawn[:, weight == 0] == 0).all()
    spread = np.sqrt(n * share * (1 - share))
    assert drawn.mean(0) == pytest.approx(weight, abs=5 * spread.max() / 200)
    exact = n * (np.diag(share) - np.outer(share, share))
    assert np.cov(drawn.T) == pytest.approx(exact, abs=0.05 * exact.max())


def test_merged_items_draw_like_rows() -> None:
    n = 300
    human, judge = verdicts(2, n_items=n, abstain=0.03)
    frame = frame_of(read(human, judge), ("exclude",))
    assert (frame.weight >= DRAWS_PER_CATEGORY).any()
    assert (frame.weight < DRAWS_PER_CATEGORY).any()
    functions = {"exclude": {"kappa": metrics.cohen_kappa}}
    found = replicate(frame, functions, replicates=4000, rng=np.random.default_rng(0))["exclude"].values["kappa"]
    rows = np.random.default_rng(1).integers(0, n, (4000, n))
    drawn = human[rows], judge[rows]
    flat = [side.reshape(4000, -1) for side in drawn]
    by_criterion = kappa_of_codes(*drawn, axis=1)
    item = [np.where((side == 1).any(-1), 1, np.where((side == 2).any(-1), 2, 0)) for side in drawn]
    literal = {MICRO: kappa_of_codes(*flat), MACRO: np.nanmean(by_criterion, -1), ITEM: kappa_of_codes(*item)}
    literal |= {CRITERIA + c: by_criterion[:, c] for c in range(3)}
    for place, values in literal.items():
        # Ties would make the test exact only in the limit, so values are told apart to twelve digits.
        assert stats.ks_2samp(found[place].round(12), values.round(12)).pvalue > 0.01, place


@pytest.mark.parametrize("unit", ["pooled", "criterion"])
def test_a_smaller_statistic_gives_the_same_distribution(unit) -> None:
    frame = frame_of(read(*verdicts(3, n_items=200)), ("as_category",))
    small, place = (frame.pooled(), MICRO) if unit == "pooled" else (frame.criterion(1), CRITERIA + 1)
    assert len(small.weight) < len(frame.weight)
    wanted = {"as_category": {"kappa": metrics.cohen_kappa}}
    values = [
        replicate(own, wanted, replicates=4000, rng=np.random.default_rng(seed))["as_category"].values["kappa"][at]
        for seed, (own, at) in enumerate([(frame, place), (small, MICRO)])
    ]
    assert stats.ks_2samp(*(column.round(12) for column in values)).pvalue > 0.01
    small_value = evaluate(small, "as_category", wanted["as_category"], small.total[:, None])["kappa"][MICRO, 0]
    assert small_value == evaluate(frame, "as_category", wanted["as_category"], frame.total[:, None])["kappa"][place, 0]


@pytest.mark.parametrize("mode", MODES)
def test_micro_alone_needs_no_joint_patterns(mode) -> None:
    ratings = read(*verdicts(3))
    short, long = Frame.micro(patterns_of(ratings, "j", "human"), ratings.scheme, mode), frame_of(ratings, (mode,)).pooled()
    rows = [sorted(zip(*own.features.toarray().tolist(), own.weight.tolist(), strict=True)) for own in (short, long.used())]
    counted = [[row for row in own if any(row[:-1])] for own in rows]
    assert counted[0] == counted[1]


@pytest.mark.parametrize(("interval", "method"), [("bootstrap", "percentile"), ("bca", "BCa")])
def test_equal_to_scipy(interval, method) -> None:
    human, judge = verdicts(4, n_items=120, n_criteria=2)
    settings = {"interval": interval, "replicates": 20_000, "rng": 5}
    ours = metrics.agreement(read(human, judge), **settings).judges["j"]

    def micro(rows, axis=-1):
        return kappa_of_codes(*(side[rows].reshape(*rows.shape[:-1], -1) for side in (human, judge)))

    def single(rows, axis=-1):
        return kappa_of_codes(human[rows, 0], judge[rows, 0])

    for ends, statistic in ((ours.micro["kappa"].ends, micro), (ours.criteria["c0"]["kappa"].ends, single)):
        peer = stats.bootstrap(
            (np.arange(120),), statistic, n_resamples=20_000, batch=2000, method=method, rng=np.random.default_rng(6)
        )
        # The Monte Carlo error of either end is about .02 standard errors.
        off = 0.1 * peer.standard_error
        assert ends == pytest.approx(tuple(peer.confidence_interval), abs=off)


@pytest.mark.parametrize("drawn", ["item", "decision", "criterion"])
def test_acceleration_is_the_literal_one(drawn) -> None:
    human, judge = verdicts(5, n_items=40, n_criteria=4)
    frame = frame_of(read(human, judge), ("exclude",))
    found = accelerations(frame, "exclude", {"kappa": metrics.cohen_kappa}, drawn)["kappa"]

    def literal(left):
        off = left.mean() - left
        return (off**3).sum() / (6 * (off**2).sum() ** 1.5)

    kept = (human < 2) & (judge < 2)
    if drawn == "criterion":
        left = [kappa_of_codes(np.delete(human, c, 1).ravel(), np.delete(judge, c, 1).ravel()) for c in range(4)]
        own = kappa_of_codes(human, judge, axis=0)
        assert found[MACRO] == pytest.approx(literal(np.array([np.delete(own, c).mean() for c in range(4)])))
    elif drawn == "decision":
        flat = human[kept], judge[kept]
        left = [kappa_of_codes(*(np.delete(side, i) for side in flat)) for i in range(kept.sum())]
    else:
        used = np.flatnonzero(kept.any(1))
        left = [kappa_of_codes(*(np.delete(side, i, 0).ravel() for side in (human, judge))) for i in used]
        own = np.array([kappa_of_codes(np.delete(human, i, 0), np.delete(judge, i, 0), axis=0).mean() for i in used])
        assert found[MACRO] == pytest.approx(literal(own))
    assert found[MICRO] == pytest.approx(literal(np.array(left)))


@pytest.mark.parametrize("unit", ["item", "decision", "criterion", "hierarchical"])
@pytest.mark.parametrize("interval", ["bootstrap", "bca"])
def test_a_seed_gives_the_same_digits(unit, interval) -> None:
    ratings = read(*verdicts(6, n_criteria=4))
    choices = {"interval": interval, "unit": unit, "replicates": 300}
    default, zero, one, again = (
        metrics.agreement(ratings, **choices, **seed).to_dict() for seed in ({}, {"rng": 0}, {"rng": 1}, {"rng": 1})
    )
    assert default == zero
    assert one == again
    assert one["declaration"]["interval"] == {
        "method": interval, "unit": unit, "confidence": 0.95, "seed": 1, "replicates": 300,
    }  # fmt: skip
    assert one["judges"]["j"]["micro"]["intervals"] != zero["judges"]["j"]["micro"]["intervals"]
    generator = metrics.agreement(ratings, **choices, rng=np.random.default_rng(1)).to_dict()
    assert generator["judges"] == one["judges"]


def test_a_judge_has_the_same_interval_alone_and_beside_others() -> None:
    human, judge = verdicts(7)
    other = verdicts(8)[1]
    lines = ["item,criterion,judge,human,verdict"]
    lines += [
        f"{i},c{c},{name},{STATES[human[i][c]]},{STATES[side[i][c]]}"
        for name, side in (("a", other), ("b", judge))
        for i in range(len(human))
        for c in range(3)
    ]
    ratings = metrics.read("\n".join(lines).encode())
    both = metrics.agreement(ratings, interval="bootstrap", replicates=200).to_dict()["judges"]
    alone = metrics.agreement(ratings, interval="bootstrap", replicates=200, judges=["b"]).to_dict()["judges"]
    assert both["b"] == alone["b"]


def test_undefined_replicates_are_counted_and_said() -> None:
    human = [[0, 1]] * 2 + [[1, 1]] * 28 + [[1, 0]] * 10
    judge = [[0, 1], [1, 1]] + [[1, 1]] * 26 + [[1, 0]] * 12
    ratings = read(human, judge)
    report = metrics.agreement(ratings, interval="bootstrap", replicates=1000, rng=3).to_dict()["judges"]["j"]
    block = report["criteria"]["c0"]
    count = block["undefined_replicates"]["recall"]
    assert count == pytest.approx(1000 * (38 / 40) ** 40, abs=60)
    assert block["interval_notes"]["recall"].startswith(f"{count} of 1000 replicates undefined")
    assert block["undefined_replicates"]["phi"] >= count
    assert "accuracy" not in block["undefined_replicates"]
    assert report["micro"]["undefined_replicates"] == {}
    assert report["macro"]["undefined_replicates"] == {}
    assert report["micro"]["replicates"] == 1000


def test_a_perfect_judge_has_no_bootstrap_interval_of_no_width() -> None:
    human = verdicts(9, abstain=0)[0]
    micro = metrics.agreement(read(human, human), interval="bootstrap", replicates=200).judges["j"].micro
    assert micro["kappa"].ends is None
    assert "the replicates do not differ" in micro.intervals["kappa"].note
    assert micro["prevalence"].ends is not None
    assert metrics.agreement(read(human, human), interval="bca", replicates=200).judges["j"].micro["kappa"].ends is None


def widths(ratings, key="accuracy", **choices):
    judge = metrics.agreement(ratings, replicates=4000, **choices).judges["j"]
    return np.array([np.diff(judge.level(level)[key].ends)[0] for level in ("micro", "macro", "item")])


def test_flat_is_too_narrow_under_item_effects_and_hierarchical_too_wide_on_a_fixed_rubric() -> None:
    ratings = read(*verdicts(10, n_items=300, n_criteria=5, abstain=0, effect=1.5))
    item, flat, both = (widths(ratings, interval="bootstrap", unit=unit) for unit in ("item", "decision", "hierarchical"))
    assert (flat[:2] < 0.8 * item[:2]).all()
    assert (both[:2] > 1.05 * item[:2]).all()
    assert flat[2] == pytest.approx(item[2], rel=0.08)
    assert both[2] == pytest.approx(item[2], rel=0.08)
    assert widths(ratings, interval="jackknife")[:2] == pytest.approx(item[:2], rel=0.06)


def test_criteria_drawn_are_the_criteria_of_the_data() -> None:
    frame = frame_of(read(*verdicts(11, n_criteria=3)), ("exclude",))
    wanted = {"kappa": metrics.cohen_kappa}
    values = evaluate(frame, "exclude", wanted, frame.total[:, None])["kappa"][CRITERIA:, 0]
    found = replicate(frame, {"exclude": wanted}, drawn="criterion", replicates=5000, rng=np.random.default_rng(2))
    drawn = found["exclude"].values["kappa"][MACRO]
    means = {round(np.mean([values[i] for i in (a, b, c)]), 9) for a in range(3) for b in range(3) for c in range(3)}
    assert set(drawn.round(9)) == means
    assert drawn.var() == pytest.approx(values.var() / 3, rel=0.08)


def test_within_an_item_as_many_decisions_are_drawn_as_it_has() -> None:
    frame = frame_of(read(*verdicts(12, n_items=30, abstain=0)), ("exclude",))
    wanted = {"exclude": {"accuracy": metrics.accuracy}}
    values = replicate(frame, wanted, drawn="hierarchical", replicates=3000, rng=np.random.default_rng(2))["exclude"].values
    human, judge = verdicts(12, n_items=30, abstain=0)
    rng = np.random.default_rng(4)
    rows, columns = rng.integers(0, 30, (3000, 30, 1)), rng.integers(0, 3, (3000, 30, 3))
    literal = (human[rows, columns] == judge[rows, columns]).mean((1, 2))
    assert stats.ks_2samp(values["accuracy"][MICRO].round(9), literal.round(9)).pvalue > 0.01


def test_work_reports_its_progress_and_keeps_what_it_has_when_stopped() -> None:
    ratings = read(*verdicts(13))
    settings = settings_of(ratings, interval="bootstrap", replicates=1000, rng=2)
    seen: list[float] = []
    whole = judge_report(ratings, "j", settings, seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1
    assert len(seen) > 10
    stopped = judge_report(ratings, "j", settings, lambda done: done >= 0.3)
    assert stopped.micro.more["replicates"] == 300
    assert whole.micro.more["replicates"] == 1000
    assert stopped.micro["kappa"].ends is not None


def test_a_table_of_counts_draws_its_decisions() -> None:
    ratings = metrics.read(b"human,judge,n\nMET,MET,30\nMET,UNMET,10\nUNMET,MET,10\nUNMET,UNMET,50\n")
    report = metrics.agreement(ratings, interval="bootstrap", replicates=500).to_dict()
    judge = next(iter(report["judges"].values()))
    assert report["declaration"]["interval"]["unit"] == "decision"
    low, high = judge["micro"]["intervals"]["kappa"]
    assert low < judge["micro"]["kappa"] < high
    assert judge["item"]["intervals"] == {}


@pytest.mark.parametrize("kind", ["jackknife", "dirichlet", "wilson"])
def test_one_rule_for_every_number(kind) -> None:
    judge = metrics.agreement(read(*verdicts(14)), interval=kind).judges["j"]
    for level, _, block in judge.blocks():
        assert {interval.method for interval in block.intervals.values()} <= {kind}, level
        assert bool(block.intervals) == (level != "macro" or kind == "jackknife")
    assert set(judge.micro.intervals) >= {"accuracy", "prevalence"}
    assert ("kappa" in judge.micro.intervals) == (kind != "wilson")
    if kind != "jackknife":
        assert judge.micro.intervals["accuracy"].note == "assumes independent decisions"


def test_the_design_effect_is_the_ratio_of_the_bootstrap_variances() -> None:
    ratings = read(*verdicts(15, n_items=300, n_criteria=5, effect=1.5))
    settings = settings_of(ratings)
    frame = frame_of(ratings, ("exclude",))
    wanted = {"exclude": {"accuracy": metrics.accuracy, "kappa": metrics.cohen_kappa}}
    spread = {
        drawn: replicate(frame, wanted, drawn=drawn, replicates=4000, rng=np.random.default_rng(1))["exclude"].values
        for drawn in ("item", "decision")
    }
    for place, level in ((MICRO, "micro"), (MACRO, "macro")):
        for key in ("accuracy", "kappa"):
            effect = design_effects(ratings, "j", settings)[level][key]
            assert effect.clustered == pytest.approx(spread["item"][key][place].std(), rel=0.06)
            assert effect.flat == pytest.approx(spread["decision"][key][place].std(), rel=0.06)
            assert effect.ratio == pytest.approx((effect.clustered / effect.flat) ** 2)
            assert effect.ratio > 1.4
    single = read(*verdicts(15, n_criteria=1))
    alone = design_effects(single, "j", settings_of(single))
    assert alone["micro"]["kappa"].ratio == pytest.approx(1)


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"interval": "wald"}, "Unknown interval 'wald'"),
        ({"unit": "decision"}, "interval bootstrap or bca, not auto"),
        ({"unit": "hierarchical", "interval": "jackknife"}, "interval bootstrap or bca, not jackknife"),
        ({"interval": "bootstrap", "replicates": 0}, "between 100 and 100000, not 0"),
        ({"interval": "bca", "replicates": 10**9}, "between 100 and 100000"),
        ({"interval": "bca", "rng": -1}, "whole number from 0"),
        ({"interval": "bca", "rng": True}, "whole number from 0"),
        ({"interval": "bootstrap", "unit": "nobody"}, "no column is called ‘nobody’"),
        ({"interval": "wilson", "unit": "decision"}, "Use it with"),
    ],
)
def test_choices_that_make_no_sense_are_refused(choices, said) -> None:
    with pytest.raises(metrics.InputError) as refusal:
        metrics.agreement(read(*verdicts(16, n_items=10)), **choices)
    assert said in str(refusal.value)


def test_one_criterion_has_none_to_draw() -> None:
    with pytest.raises(metrics.InputError, match="two or more"):
        metrics.agreement(read(*verdicts(16, n_criteria=1)), interval="bootstrap", unit="criterion")
