"""A column above the item: whole groups left out or drawn, against leaving out and drawing them literally."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import metrics
from metrics.analyses.planning.independence import design_effects
from metrics.analyses.report_intervals import Tallied
from metrics.analyses.settings import settings_of
from metrics.data.abstention import MODES, apply_mode
from metrics.data.aggregation import ItemRule
from metrics.data.pairs import patterns_of, reference_states, verdicts
from metrics.data.ratings import Ratings
from metrics.intervals.bootstrap import ITEM, MACRO, MICRO, accelerations, evaluate, replicate
from metrics.intervals.cluster import Clustered, clusters_of
from metrics.intervals.jackknife import pooled_errors, within_errors
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import applicable
from metrics.measures.transforms import student, transformed

pytestmark = pytest.mark.slow("resampling")

STATES = ("MET", "UNMET", "CANNOT_ASSESS")
PER_PROMPT = 3


def some_text(seed: int = 0, n_items: int = 60, n_criteria: int = 3, per_prompt: int = PER_PROMPT) -> str:
    """Verdicts that share an effect within a prompt, with abstentions and gaps."""
    rng = np.random.default_rng(seed)
    effect = np.repeat(rng.normal(size=(-(-n_items // per_prompt), 1)), per_prompt, 0)[:n_items]
    human = (effect + rng.normal(size=(n_items, n_criteria)) > 0).astype(int)
    judge = np.where(rng.random(human.shape) < 0.15 + 0.2 * (effect > 0.5), 1 - human, human)
    for side in (human, judge):
        side[rng.random(side.shape) < 0.1] = 2
    order = rng.permutation(n_items)
    lines = [
        f"item {i},c{c},j,{STATES[human[i, c]]},{STATES[judge[i, c]]}, prompt {i // per_prompt} ,{i}"
        for i in order
        for c in range(n_criteria)
        if rng.random() < 0.95
    ]
    return "\n".join(["item,criterion,judge,human,verdict,Prompt,own", *lines])


def read(text: str) -> Ratings:
    return metrics.read(text.encode())


def by_cluster(ratings: Ratings, mode: str) -> FloatArray:
    """Tables group by group straight from the ratings, shape (groups, C, K, K)."""
    from metrics.data.pairs import cells_of

    cells, r = cells_of(ratings), ratings.scheme.n_states
    group = np.array([int(str(item).split()[1]) // PER_PROMPT for item in ratings.items.to_pylist()])
    raw = np.zeros((group.max() + 1, len(ratings.criteria), r, r), np.int64)
    np.add.at(raw, (group[cells.item], cells.criterion, reference_states(ratings, "human"), verdicts(ratings, "j", "judge")), 1)
    found = apply_mode(raw, ratings.scheme, mode)
    return found[found.sum((1, 2, 3)) > 0].astype(float)


def clustered(ratings: Ratings, mode: str) -> Clustered:
    patterns = patterns_of(ratings, "j", "human")
    tallied = Tallied(patterns, ratings.scheme, mode, ItemRule(), clusters_of(ratings, "Prompt"), ratings.criteria)
    return Clustered(tallied.frame().decisions_only(), mode, "Prompt")


def literal(values: FloatArray) -> float:
    n = len(values)
    return float(np.sqrt((n - 1) / n * ((values - values.mean()) ** 2).sum()))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(3))
def test_errors_are_the_literal_ones_of_leaving_one_group_out(mode: str, seed: int) -> None:
    ratings = read(some_text(seed))
    units, tables = clustered(ratings, mode), by_cluster(ratings, mode)
    total = tables.sum(0)
    functions = {m.key: m.function for m in applicable(total.shape[-1], "table")}
    assert units.n_units == len(tables) == 20
    pooled = pooled_errors(units, total.sum(0), functions)
    macro = units.macro(total, functions)
    for key, function, error in zip(functions, functions.values(), macro.errors(), strict=True):
        assert pooled[key] == pytest.approx(literal(function((total - tables).sum(1))), abs=1e-12, nan_ok=True), key
        left = function(total - tables)
        defined = ~np.isnan(left)
        assert error == pytest.approx(literal(np.where(defined, left, 0).sum(1) / defined.sum(1)), abs=1e-12), key
    assert within_errors(units, total)[0] == pytest.approx(literal(metrics.kappa_within(total - tables)), abs=1e-12)
    place = list(functions).index("accuracy")
    exact = np.corrcoef(metrics.accuracy(total - tables).T)
    assert macro.correlations(place, np.ones(len(total), bool)) == pytest.approx(exact, abs=1e-9)
    for c in range(len(total)):
        own = tables[:, c][tables[:, c].sum((1, 2)) > 0]
        expected = literal(metrics.accuracy(total[c] - own))
        assert pooled_errors(units.criterion(c), total[c], functions)["accuracy"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_the_report_takes_them(mode: str) -> None:
    ratings = read(some_text(4, n_items=180))
    report = metrics.agreement(ratings, abstention=mode, unit="Prompt")
    assert report.declaration.interval["unit"] == "Prompt"
    judge, tables = report.judges["j"], by_cluster(ratings, mode)
    total = tables.sum(0)
    quantile = student(len(tables) - 1, 0.95)
    for key in ("accuracy", "kappa"):
        function, transform = getattr(metrics, {"kappa": "cohen_kappa"}.get(key, key)), {"kappa": "fisher"}.get(key, "logit")
        left = function((total - tables).sum(1))
        assert judge.micro.intervals[key].method == "jackknife"
        assert judge.micro[key].ends == pytest.approx(transformed(judge.micro.values[key], literal(left), transform, quantile))
        mean = function(total - tables).mean(1)
        assert judge.macro[key].ends == pytest.approx(transformed(judge.macro.values[key], literal(mean), transform, quantile))
        own = literal(function(total[0] - tables[tables[:, 0].sum((1, 2)) > 0][:, 0]))
        assert judge.criteria["c0"].intervals[key].method.startswith("jackknife")
        if not judge.criteria["c0"].intervals[key].note:
            assert judge.criteria["c0"][key].ends == pytest.approx(
                transformed(judge.criteria["c0"].values[key], own, transform, quantile), rel=0.02
            )
    assert judge.item.intervals["kappa"].method.startswith("jackknife")


def test_groups_of_one_item_change_nothing() -> None:
    ratings = read(some_text(5))
    plain, own = (metrics.agreement(ratings, unit=unit).to_dict()["judges"] for unit in ("item", "own"))
    assert plain == own
    drawn = [metrics.agreement(ratings, unit=unit, interval="bootstrap", replicates=200).to_dict() for unit in ("item", "own")]
    assert drawn[0]["judges"] == drawn[1]["judges"]


def test_one_criterion_and_the_item_level_leave_the_single_table_rules() -> None:
    ratings = read(some_text(6, n_items=150, n_criteria=1))
    item, prompt = (metrics.agreement(ratings, unit=unit).judges["j"] for unit in ("item", "Prompt"))
    assert item.micro.intervals["accuracy"].method == "wilson"
    assert prompt.micro.intervals["accuracy"].method == "jackknife"
    assert prompt.micro["accuracy"].ends == prompt.macro["accuracy"].ends == prompt.criteria["c0"]["accuracy"].ends
    assert prompt.micro["kappa_within"].ends == prompt.micro["kappa"].ends
    assert prompt.item.intervals["accuracy"].method == "jackknife"


def test_shared_effects_widen_and_the_design_effect_says_so() -> None:
    text = some_text(7, n_items=400, per_prompt=20)
    ratings = read(text)
    item, prompt = (metrics.agreement(ratings, unit=unit).judges["j"] for unit in ("item", "Prompt"))
    for level in ("micro", "macro", "item"):
        inner, outer = item.level(level)["prevalence"].ends, prompt.level(level)["prevalence"].ends
        assert outer[1] - outer[0] > 1.5 * (inner[1] - inner[0]), level
    by_item, by_prompt = (design_effects(ratings, "j", settings_of(ratings, unit=unit)) for unit in ("item", "Prompt"))
    for level in ("micro", "macro"):
        assert by_prompt[level]["prevalence"].flat == by_item[level]["prevalence"].flat
        assert by_prompt[level]["prevalence"].ratio > 2 * by_item[level]["prevalence"].ratio > 2


@pytest.mark.parametrize(
    ("interval", "said"),
    [("auto", "small cell: 6 groups by ‘Prompt’ with a reference positive"), ("jackknife", "only 6 groups by ‘Prompt’")],
)
def test_few_groups_are_said(interval: str, said: str) -> None:
    ratings = read(some_text(8, n_items=120, per_prompt=20))
    judge = metrics.agreement(ratings, unit="Prompt", interval=interval).judges["j"]
    assert judge.micro.intervals["accuracy"].note == said
    assert judge.macro.intervals["accuracy"].note == "only 6 groups by ‘Prompt’"


def test_a_small_cell_counts_groups() -> None:
    lines = ["item,criterion,judge,human,verdict,prompt"]
    lines += [
        f"{i},c{c},j,{'MET' if i < 10 else 'UNMET'},{'MET' if i < 10 or i == 30 else 'UNMET'},p{i // 2}"
        for i in range(60)
        for c in range(2)
    ]
    found = metrics.agreement(read("\n".join(lines)), unit="prompt").judges["j"].micro.intervals["kappa"]
    assert found.note == "small cell: 5 groups by ‘prompt’ with a reference positive"
    assert found.method == "jackknife+dirichlet"


def test_whole_groups_are_drawn() -> None:
    ratings = read(some_text(9, n_items=90))
    patterns = patterns_of(ratings, "j", "human")
    frame = Tallied(patterns, ratings.scheme, "exclude", ItemRule(), clusters_of(ratings, "Prompt"), ratings.criteria).frame()
    wanted = {"kappa": metrics.cohen_kappa}
    found = replicate(frame, {"exclude": wanted}, drawn="cluster", replicates=3000, rng=np.random.default_rng(0))
    values = found["exclude"].values["kappa"]
    tables = by_cluster(ratings, "exclude")
    rows = np.random.default_rng(1).integers(0, len(tables), (3000, len(tables)))
    drawn = tables[rows].sum(1)
    assert stats.ks_2samp(values[MICRO].round(12), metrics.cohen_kappa(drawn.sum(1)).round(12)).pvalue > 0.01
    assert stats.ks_2samp(values[MACRO].round(12), metrics.cohen_kappa(drawn).mean(1).round(12)).pvalue > 0.01
    item = metrics.agreement(ratings, interval="none").judges["j"].item
    whole = evaluate(frame, "exclude", wanted, frame.total[:, None])["kappa"][ITEM, 0]
    assert whole == pytest.approx(item.values["kappa"], abs=1e-14)
    left = metrics.cohen_kappa((tables.sum(0) - tables).sum(1))
    off = left.mean() - left
    exact = (off**3).sum() / (6 * (off**2).sum() ** 1.5)
    assert accelerations(frame, "exclude", wanted, "cluster")["kappa"][MICRO] == pytest.approx(exact)


@pytest.mark.parametrize("interval", ["auto", "jackknife", "bootstrap", "bca"])
def test_the_column_is_found_by_its_name_in_any_case_and_named_as_in_the_file(interval: str) -> None:
    ratings = read(some_text(10))
    reports = [metrics.agreement(ratings, unit=unit, interval=interval, replicates=200) for unit in ("Prompt", " PROMPT ")]
    assert reports[0].to_dict() == reports[1].to_dict()
    assert reports[1].declaration.interval["unit"] == "Prompt"
    assert "‘Prompt’" in reports[1].summary()


HEAD = "item,criterion,judge,human,verdict,prompt\n"


@pytest.mark.parametrize(
    ("rows", "said", "row"),
    [
        ("a,c1,j,MET,MET,p\na,c2,j,MET,MET,q\nb,c1,j,UNMET,MET,q\n", "item ‘a’ has two values in ‘prompt’, ‘p’ and ‘q’", 2),
        ("a,c1,j,MET,MET,p\nb,c1,j,UNMET,MET,\n", "item ‘b’ has no value in ‘prompt’", None),
        ("a,c1,j,MET,MET,p\nb,c1,j,UNMET,MET,p\n", "all items have the same value in ‘prompt’, ‘p’", None),
    ],
)
@pytest.mark.parametrize("interval", ["auto", "bootstrap"])
def test_an_item_lies_in_exactly_one_group_of_several(rows: str, said: str, row: int | None, interval: str) -> None:
    with pytest.raises(metrics.InputError) as refusal:
        metrics.agreement(read(HEAD + rows), unit="prompt", interval=interval)
    assert said in str(refusal.value)
    assert refusal.value.column == "prompt"
    assert refusal.value.row == row


def test_a_cell_left_empty_on_one_row_of_an_item_is_no_second_value() -> None:
    rows = "a,c1,j,MET,MET,p\na,c2,j,MET,MET,\nb,c1,j,UNMET,MET,q\n"
    assert clusters_of(read(HEAD + rows), "prompt").of_item.tolist() == [0, 1]


def test_counts_have_no_groups() -> None:
    ratings = metrics.read(b"human,judge,n\nMET,MET,30\nMET,UNMET,10\nUNMET,MET,10\nUNMET,UNMET,50\n")
    with pytest.raises(metrics.InputError, match="no column to group items by"):
        metrics.agreement(ratings, unit="prompt")
