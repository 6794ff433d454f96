"""Every pair of judges at once: against two judges beside each other, and against leaving out one item at a time."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t
from statsmodels.stats.multitest import multipletests

import metrics
from metrics.analyses.comparison.paired import Paired, Statistic
from metrics.analyses.comparison.shared_decisions import shared_decisions
from metrics.analyses.judge_selection.candidates import RANKED
from metrics.analyses.judge_selection.golden import OF_MANY, golden_tables
from metrics.analyses.judge_selection.pairwise_tests import indistinguishable_groups
from metrics.analyses.judge_selection.ranking import rank_judges, rank_tables
from metrics.analyses.judge_selection.side_by_side import SideBySide
from metrics.analyses.prevalence.power import signal_to_noise
from metrics.analyses.settings import settings_of
from metrics.intervals.cluster import clusters_of
from metrics.measures.catalogue import BY_KEY

pytestmark = pytest.mark.slow("all pairs of many judges")

LABELS = np.array(["MET", "UNMET", "CA", "BAD", "ERR"])
MODES = ("exclude", "as_unmet", "as_category")


def crowd(build_ratings, seed: int, n_items: int, n_criteria: int, n_judges: int, gaps: float = 0.06):
    """Judges of rising error with abstentions, invalid answers, failed calls and missing rows."""
    rng, rows = np.random.default_rng(seed), []
    truth = rng.random((n_items, n_criteria)) < 0.4
    for j in range(-1, n_judges):
        wrong = rng.random(truth.shape) < 0.05 * (j + 1)
        code = np.where(rng.random(truth.shape) < gaps, rng.integers(2, 5, truth.shape), 1 - (truth ^ wrong))
        who, role = ("h", "human") if j < 0 else (f"j{j}", "judge")
        rows += [
            (f"i{i}", f"c{c}", who, role, LABELS[code[i, c]]) for i, c in np.ndindex(*truth.shape) if rng.random() > gaps / 2
        ]
    return build_ratings(rows)


def beside(ratings, settings, first: str, second: str, criterion: str | None) -> tuple[Paired | None, int]:
    """Two judges alone, by the route of Compare judges, and their decisions."""
    shared = shared_decisions(ratings, replace(settings, judges=(second, first)), criterion)
    made = (shared.reference >= 0) & (shared.verdicts[0] >= 0) & (shared.verdicts[1] >= 0)
    if not made.any():
        return None, 0
    k = 3 if settings.abstention == "as_category" else 2
    b, a = ((shared.reference * k + own)[made] for own in shared.verdicts)
    paired = Paired.of(
        shared.item[made], shared.criterion[made], b, a, k=k, n_items=ratings.n_items, n_criteria=len(shared.criteria),
        apart=False, cluster=clusters_of(ratings, settings.unit).of_item if settings.by_column else None,
    )  # fmt: skip
    return paired, int(made.sum())


def check(ratings, settings, keys, criterion: str | None = None, prevalence: float | None = None) -> int:
    """Each pair of a ranking against the two judges alone; how many have an interval under the last metric."""
    known: dict[frozenset[str], tuple[Paired | None, int]] = {}
    for pair in itertools.combinations(ratings.judges, 2):
        known[frozenset(pair)] = beside(ratings, settings, *pair, criterion)
    golden = golden_tables(ratings, settings, criterion)
    asked = {"criterion": criterion, "prevalence": prevalence, "golden": golden}
    return [_check(rank_judges(ratings, settings, by=key, **asked), key, ratings.judges, known) for key in keys][-1]


def _check(found, key, judges, known) -> int:
    assert [(pair.first, pair.second) for pair in found.pairs] == list(itertools.combinations([o.name for o in found.usable], 2))
    function = BY_KEY[key].function if key in BY_KEY else lambda counts: signal_to_noise(counts, found.benchmark.prevalence)
    statistic = Statistic(function, "pooled")
    plain = []
    for pair in found.pairs:
        paired, n = known[frozenset((pair.first, pair.second))]
        assert pair.n_shared == n
        difference, error, units = math.nan, math.nan, 0
        if paired is not None:
            sign = 1 if judges.index(pair.first) < judges.index(pair.second) else -1
            worse, better = paired.values(statistic)
            difference, units = sign * (better - worse), paired.n_units
            error = paired.error(statistic) if units > 1 else math.nan
        assert pair.difference.value == pytest.approx(difference, abs=1e-12, nan_ok=True)
        if not (math.isfinite(difference) and error > 1e-12):
            assert pair.difference.ends is None
            assert math.isnan(pair.p)
            plain.append(math.nan)
            continue
        reach = t.ppf(0.975, units - 1) * error
        assert pair.difference.ends == pytest.approx((difference - reach, difference + reach), rel=1e-10, abs=1e-12)
        plain.append(2 * t.cdf(-abs(difference) / error, units - 1))
    there = ~np.isnan(plain)
    if there.any():
        corrected = multipletests(np.array(plain)[there], method="holm")[1]
        assert np.array([pair.p for pair in found.pairs])[there] == pytest.approx(corrected, rel=1e-9)
    return int(there.sum())


@pytest.mark.slow("compares every pair of judges again")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("n_items", "n_criteria", "criterion"), [(60, 1, None), (40, 3, None), (40, 3, "c1"), (6, 1, None)])
def test_every_pair_is_that_of_two_judges_alone(build_ratings, mode, n_items, n_criteria, criterion) -> None:
    """One decision an item and several; more items than kinds of decision, and fewer."""
    ratings = crowd(build_ratings, 5, n_items, n_criteria, 5)
    keys = OF_MANY if mode == "as_category" else RANKED
    assert check(ratings, settings_of(ratings, abstention=mode), keys, criterion) > (8 if n_items > 6 else -1)


def test_with_a_prevalence_and_a_handling(build_ratings) -> None:
    ratings = crowd(build_ratings, 9, 50, 2, 5, gaps=0.2)
    for handling in ({"error": "as_unmet"}, {"invalid": "exclude"}):
        assert check(ratings, settings_of(ratings, abstention="as_unmet", handling=handling), ["snr"], prevalence=0.15) == 10


def test_groups_of_items_are_left_out_as_a_whole() -> None:
    rng, rows = np.random.default_rng(3), []
    for i, c in np.ndindex(60, 2):
        met = rng.random() < 0.5
        rows += [
            {"item": f"i{i}", "criterion": f"c{c}", "judge": f"j{j}", "human": "MET" if met else "UNMET", "topic": f"t{i // 5}",
             "verdict": ("UNMET" if met else "MET") if rng.random() < 0.1 + 0.05 * j else ("MET" if met else "UNMET")}
            for j in range(5)
        ]  # fmt: skip
    ratings = metrics.read(pd.DataFrame(rows))
    grouped, single = settings_of(ratings, unit="topic"), settings_of(ratings)
    assert check(ratings, grouped, ["kappa"]) == 10
    assert check(ratings, grouped, ["kappa"], "c0") == 10
    widths = [rank_judges(ratings, own, by="kappa").pairs[0].difference.ends for own in (grouped, single)]
    assert widths[0] != widths[1]


def test_judges_without_a_common_decision_have_no_difference(build_ratings) -> None:
    sides = {"h": "human", "a": "judge", "b": "judge", "c": "judge"}
    rows = [
        (f"i{i}", "c", who, role, "MET" if (i + (who == "c") * (i % 4 == 0)) % 2 else "UNMET")
        for i in range(40)
        for who, role in sides.items()
        if who in "hc" or (who == "a") == (i < 20)
    ]
    found = {(pair.first, pair.second): pair for pair in rank_judges(build_ratings(rows)).pairs}
    lost = found["a", "b"]
    assert (lost.n_shared, lost.difference.ends, lost.separable) == (0, None, False)
    assert not lost.difference.defined
    assert math.isnan(lost.p)
    assert {pair.n_shared for pair in found.values()} == {0, 20}
    assert rank_judges(build_ratings(rows)).to_dict()["pairs"][0]["difference"] is None


def test_blocks_change_nothing(build_ratings, monkeypatch) -> None:
    for n_criteria in (1, 2):
        ratings = crowd(build_ratings, 4, 50, n_criteria, 7)
        whole = rank_judges(ratings, by="phi").pairs
        monkeypatch.setattr("metrics.analyses.judge_selection.side_by_side.BLOCK", 1)
        assert rank_judges(ratings, by="phi").pairs == whole
        monkeypatch.undo()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("n_items", "n_criteria", "gaps"), [(150, 2, 0.2), (300, 3, 0.0), (400, 1, 0.1)])
def test_units_with_the_same_table_are_worked_out_once_to_the_last_bit(
    build_ratings, monkeypatch, mode, n_items, n_criteria, gaps
) -> None:
    rows = crowd(build_ratings, 12, n_items, n_criteria, 4, gaps)
    settings = settings_of(rows, abstention=mode)
    sides = SideBySide.of(rows, rows.judges, settings, None, 3 if mode == "as_category" else 2)
    places = np.triu_indices(4, 1)
    for key in OF_MANY if mode == "as_category" else RANKED[1:]:
        found = {}
        for few in (True, False):
            monkeypatch.setattr(SideBySide, "few_tables", few)
            monkeypatch.setattr(SideBySide, "by_kind", False)
            found[few] = sides.differences(*places, BY_KEY[key].function)
            monkeypatch.undo()
        for name in ("difference", "error", "df", "n_shared"):
            assert getattr(found[True], name).tobytes() == getattr(found[False], name).tobytes()


def test_same_tables_are_looked_for_where_there_are_fewer_of_them_than_units(build_ratings) -> None:
    """Two decisions of two classes: C(6, 2) = 15 tables; of three classes: C(11, 2) = 55."""
    for n_items, k, few in ((15, 2, False), (16, 2, True), (55, 3, False), (56, 3, True)):
        ratings = crowd(build_ratings, 1, n_items, 2, 2, gaps=0.0)
        settings = settings_of(ratings, abstention="exclude" if k == 2 else "as_category")
        sides = SideBySide.of(ratings, ratings.judges, settings, None, k)
        assert (sides.most, sides.n_units, sides.few_tables) == (2, n_items, few)


def test_pairs_are_compared_again_only_for_what_changes_them(build_ratings, monkeypatch) -> None:
    ratings, compared = crowd(build_ratings, 3, 60, 2, 4), []
    plain = SideBySide.differences

    def counted(self, *given):
        compared.append(id(self))
        return plain(self, *given)

    monkeypatch.setattr(SideBySide, "differences", counted)

    def times(settings=None, **asked) -> int:
        before = len(compared)
        rank_judges(ratings, settings, **asked)
        return len(compared) - before

    assert [times(), times(), times(prevalence=0.2, by="balanced_accuracy"), times(difference=0.05)] == [1, 0, 0, 0]
    assert [times(prevalence=0.2), times(prevalence=0.2, difference=0.3), times(prevalence=0.3)] == [1, 0, 1]
    assert [times(by="kappa"), times(), times(settings_of(ratings, confidence=0.9)), times(by="kappa")] == [1, 0, 0, 0]
    assert len(set(compared)) == 1
    assert [times(criterion="c1"), times(settings_of(ratings, abstention="as_unmet")), times()] == [1, 1, 1]
    assert sum(key == ("side by side",) for key in ratings.memo) == 1
    assert sorted(key[1] for key in ratings.memo if key[0] == "apart") == ["balanced_accuracy", "kappa", "snr"]


def test_progress_is_told_pair_by_pair(build_ratings, monkeypatch) -> None:
    monkeypatch.setattr("metrics.analyses.judge_selection.side_by_side.BLOCK", 1)
    told: list[tuple[int, int]] = []
    rank_judges(crowd(build_ratings, 3, 30, 2, 4), progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 6) for done in range(1, 7)]


def test_many_judges_are_all_compared_and_corrected_for_all_pairs() -> None:
    rng = np.random.default_rng(4)
    found = rank_tables({f"j{i}": rng.integers(5, 60, (2, 2)) for i in range(65)}, prevalence=0.3)
    assert len(found.pairs) == 65 * 64 // 2
    alone = rank_tables({one.name: one.counts for one in (found.order[0], found.order[40])}, prevalence=0.3).pairs[0]
    among = next(p for p in found.pairs if (p.first, p.second) == (found.order[0].name, found.order[40].name))
    assert among.difference == alone.difference
    assert among.p > alone.p
    least = min(pair.p for pair in found.pairs)
    own = next(pair for pair in found.pairs if pair.p == least)
    both = {one.name: one.counts for one in found.order if one.name in (own.first, own.second)}
    assert least == pytest.approx(2080 * rank_tables(both, prevalence=0.3).pairs[0].p)


def test_brackets_are_the_longest_runs_without_a_separable_pair() -> None:
    rng = np.random.default_rng(6)
    found = rank_tables({f"j{i}": [[200 - 3 * i + k, 3 * i], [10 + i, 190]] for i, k in enumerate(rng.integers(0, 9, 40))})
    names = [one.name for one in found.order]
    told = {(pair.first, pair.second) for pair in found.pairs if pair.separable}

    def joined(start: int, end: int) -> bool:
        return not any(pair in told for pair in itertools.combinations(names[start:end], 2))

    runs = [(a, b) for a, b in itertools.combinations(range(len(names) + 1), 2) if b - a > 1 and joined(a, b)]
    longest = [run for run in runs if not any(o != run and o[0] <= run[0] and run[1] <= o[1] for o in runs)]
    assert len(longest) > 4
    assert list(indistinguishable_groups(found.order, found.pairs)) == [tuple(names[a:b]) for a, b in longest]


def test_a_judge_is_level_with_itself(build_ratings) -> None:
    ratings = crowd(build_ratings, 2, 80, 2, 3)
    sides = SideBySide.of(ratings, ["j1", "j1", "j2"], settings_of(ratings), None, 2)
    places = np.array([0, 1, 2]), np.array([1, 2, 1])
    same, one, other = (sides.differences(*(side[[i]] for side in places), BY_KEY["phi"].function) for i in range(3))
    assert (same.difference[0], same.error[0]) == (0.0, 0.0)
    assert one.difference == -other.difference
    assert one.error == pytest.approx(other.error)
