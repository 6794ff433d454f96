"""Leave one human out: values by hand, by an independent loop, and where there are none."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics import InputError
from metrics.analyses.ensembles.panel import with_panel
from metrics.analyses.raters import left_out
from metrics.analyses.raters.ceiling import human_ceiling, rule_for
from metrics.analyses.raters.provenance import ceiling_citation
from tests.made_files import JUDGE, three_raters, votes
from tests.shared_data import data

pytestmark = pytest.mark.slow("loops over dictionaries as an oracle")

VOTES = {"A": "positive", "B": "negative", "tie": "tie"}
HAND = {"h1": "MMUU", "h2": "MMUM", "h3": "MUUU", "j": "MMUU"}
LONG = {"M": "MET", "U": "UNMET", "?": "CA"}


def file_of(build_ratings, said, roles=None):
    """One criterion; a string of labels for each rater, a space for none; `j` and the like are judges."""
    rows = [
        (f"i{i}", "c", who, "judge" if who.startswith("j") else "human", LONG[label])
        for who, labels in said.items()
        for i, label in enumerate(labels)
        if label != " "
    ]
    return build_ratings(rows)


def test_by_hand(build_ratings) -> None:
    # without h1 the rest says M - U -, without h2 M - U U, without h3 M M U -; an even split is left out
    said = HAND | {"j": "MMUM"}
    found = human_ceiling(file_of(build_ratings, said), "j", "accuracy", least=1)
    assert [one.n for one in found.left_out] == [2, 3, 3]
    assert [one.human for one in found.left_out] == pytest.approx([1, 2 / 3, 2 / 3])
    assert [one.judge for one in found.left_out] == pytest.approx([1, 2 / 3, 1])
    assert (found.human.value, found.value.value) == pytest.approx((7 / 9, 8 / 9))
    # without one item the difference is 1/6, 0, 1/6, 1/9
    assert found.difference.value == pytest.approx(1 / 9)
    assert found.error == pytest.approx(math.sqrt(1 / 72))
    reach = 3.182446305284263 * math.sqrt(1 / 72)
    assert found.difference.ends == pytest.approx((1 / 9 - reach, 1 / 9 + reach))
    assert (found.n_items, found.n_humans, found.n_decisions, found.settled) == (4, 3, 8, False)


def test_rule_for_the_rest(build_ratings) -> None:
    said = {"h1": "MMMM", "h2": "MMUM", "h3": "MUUM", "h4": "MMMU", "j": "MUMM"}
    ratings = file_of(build_ratings, said)
    majority = human_ceiling(ratings, "j", "accuracy", least=1)
    unanimous = human_ceiling(ratings, "j", "accuracy", reference="unanimous", least=1)
    # without h1: M M U M against M - - -
    assert (majority.left_out[0].n, unanimous.left_out[0].n) == (4, 1)
    assert (majority.left_out[0].human, majority.left_out[0].judge) == (0.75, 0.5)
    assert (unanimous.left_out[0].human, unanimous.left_out[0].judge) == (1, 1)


def loop(ratings, judge, metric, mode, rule, criterion=None, least=1, without=None):
    """(judge, human) as means over the humans, from dictionaries of labels."""
    function = metrics.BY_KEY[metric].function
    positive, negative = ratings.scheme.classes
    classes = [positive, negative, "CA"] if mode == "as_category" else [positive, negative]
    kinds = dict(ratings.scheme.kinds)
    word = {"positive": positive, "negative": negative, "abstention": "CA", "tie": "TIE", "invalid": "CA"}
    said: dict[str, dict[tuple[int, int], str]] = {}
    for item, crit, rater, label in zip(ratings.item, ratings.criterion, ratings.rater, ratings.label, strict=True):
        own = word.get(kinds[ratings.labels[label]])
        if own is None or item == without or (criterion is not None and ratings.criteria[crit] != criterion):
            continue
        said.setdefault(ratings.raters[rater].name, {})[int(item), int(crit)] = own

    def shown(label):
        label = "CA" if label == "TIE" else label
        return label if label in classes else (negative if mode == "as_unmet" and label == "CA" else None)

    values = []
    for left in ratings.humans:
        table = np.zeros((2, len(classes), len(classes)))
        for cell, own in said.get(left, {}).items():
            rest = Counter(said[name][cell] for name in ratings.humans if name != left and cell in said.get(name, {}))
            if not rest or (cell not in said.get(judge, {})):
                continue
            votes = Counter({label: n for label, n in rest.items() if label != "CA"}) or rest
            (first, n), *others = votes.most_common()
            clear = not others if rule == "unanimous" else not others or others[0][1] < n
            reference = shown(first) if clear else None  # a split vote
            sides = shown(said[judge][cell]), shown(own)
            if None in (reference, *sides):
                continue
            for side, label in enumerate(sides):
                table[side, classes.index(reference), classes.index(label)] += 1
        pair = function(table)
        if table[0].sum() >= least and not np.isnan(pair).any():
            values.append(pair)
    return np.mean(values, axis=0) if values else np.array([np.nan, np.nan])


def random_file(build_ratings, seed, n_humans=4, n_items=14, n_criteria=2, gaps=0.3):
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(n_items):
        for criterion in range(n_criteria):
            truth = rng.random() < 0.6
            for who in [f"h{h}" for h in range(n_humans)] + ["j"]:
                if rng.random() < gaps:
                    continue
                label = "CA" if rng.random() < 0.12 else "MET" if truth ^ (rng.random() < 0.25) else "UNMET"
                rows.append((f"i{item}", f"c{criterion}", who, "judge" if who == "j" else "human", label))
    return build_ratings(rows)


@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
@pytest.mark.parametrize("rule", ["majority", "unanimous"])
@pytest.mark.parametrize("metric", ["kappa", "accuracy"])
def test_against_a_loop_over_dictionaries(build_ratings, metric, rule, mode) -> None:
    for seed in range(4):
        ratings = random_file(build_ratings, seed)
        criterion = None if seed % 2 else "c1"
        found = human_ceiling(ratings, "j", metric, abstention=mode, reference=rule, criterion=criterion, least=3)
        judge, human = loop(ratings, "j", metric, mode, rule, criterion, least=3)
        assert (found.value.value, found.human.value) == pytest.approx((judge, human), nan_ok=True)


def test_jackknife_against_a_loop(build_ratings) -> None:
    ratings = random_file(build_ratings, 12, n_criteria=4, gaps=0.1)
    found = human_ceiling(ratings, "j", "kappa", least=1)
    pairs = [loop(ratings, "j", "kappa", "exclude", "majority", without=item) for item in range(ratings.n_items)]
    left = np.array([judge - human for judge, human in pairs])
    n = len(left)
    assert found.n_items == n
    assert found.error == pytest.approx(math.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum()))


def test_work_in_blocks_changes_nothing(build_ratings, monkeypatch) -> None:
    ratings = random_file(build_ratings, 3)
    whole = human_ceiling(ratings, "j", least=1)
    monkeypatch.setattr(left_out, "BLOCK", 24)
    assert human_ceiling(ratings, "j", least=1).to_dict() == whole.to_dict()


def test_phi_and_more_than_two_classes(build_ratings) -> None:
    ratings = random_file(build_ratings, 5)
    judge, human = loop(ratings, "j", "phi", "exclude", "majority")
    found = human_ceiling(ratings, "j", "phi", least=1)
    assert (found.value.value, found.human.value) == pytest.approx((judge, human))
    with pytest.raises(InputError, match="cannot be read in 'phi'"):
        human_ceiling(ratings, "j", "phi", abstention="as_category")
    judge, human = loop(ratings, "j", "mcc_multiclass", "as_category", "majority")
    found = human_ceiling(ratings, "j", "mcc_multiclass", abstention="as_category", least=1)
    assert (found.value.value, found.human.value) == pytest.approx((judge, human))


def test_a_judge_that_copies_a_human(build_ratings) -> None:
    said = {"h1": "MUMUMMUUMM", "h2": "MUMUMUUUMM", "h3": "MMMUMMUUMU"}
    found = human_ceiling(file_of(build_ratings, said | {"j": said["h2"]}), "j", least=1)
    assert found.left_out[1].difference == 0
    assert (found.left_out[0].n, found.left_out[0].human, found.left_out[0].judge) == (7, 1, 1)
    assert found.left_out[2].judge > found.left_out[2].human


def test_order_of_the_humans_does_not_matter(build_ratings) -> None:
    said = {"h1": "MUMUMMUUMU", "h2": "MUMUMUUUMM", "h3": "MMMUMMUUUU", "j": "MUMUUMUUMU"}
    turned = {name: said[name] for name in ("h3", "h1", "h2", "j")}
    one, two = (human_ceiling(file_of(build_ratings, own), "j", least=1) for own in (said, turned))
    assert (one.value.value, one.human.value, one.error) == pytest.approx((two.value.value, two.human.value, two.error))


def test_humans_alone(build_ratings) -> None:
    found = human_ceiling(file_of(build_ratings, HAND), None, "accuracy", least=1)
    assert found.human.value == pytest.approx(7 / 9)
    assert math.isnan(found.value.value)
    assert math.isnan(found.difference.value)
    assert found.difference.interval is None
    assert all(math.isnan(one.judge) for one in found.left_out)
    assert found.difference.undefined == "there is no judge"
    assert found.human.interval is not None
    assert found.value.interval is None
    ratings = file_of(build_ratings, HAND | {"j": "MMUM"})
    for judge in (None, "j"):
        text = ceiling_citation(metrics.raters(ratings), human_ceiling(ratings, judge, "accuracy", least=1), "human")
        assert text.startswith("accuracy of a human against the other humans = 78\u00a0% [")
    none = ceiling_citation(metrics.raters(ratings), human_ceiling(ratings, "j"), "human")
    assert none.startswith("κ of a human against the other humans undefined: no human shares 10 decisions")


def test_one_label_only_is_undefined(build_ratings) -> None:
    ratings = file_of(build_ratings, {"h1": "MMMM", "h2": "MMMM", "h3": "MMMM", "j": "MMMM"})
    found = human_ceiling(ratings, "j", "kappa", least=1)
    assert math.isnan(found.human.value)
    assert math.isnan(found.difference.value)
    assert found.difference.undefined == "κ is undefined for every human left out: both sides give only MET"
    share = human_ceiling(ratings, "j", "accuracy", least=1)
    assert (share.value.value, share.human.value, share.difference.value, share.settled) == (1, 1, 0, False)
    # four items that never differ: as wide as two independent shares of four, not without width
    wide = math.hypot(1 - 4 / (4 + 1.959964**2), 0)
    assert share.difference.ends == pytest.approx((-wide, wide), abs=1e-4)


def test_few_decisions_are_not_counted(build_ratings) -> None:
    said = {"h1": "MUMUMMUUMUMU", "h2": "MUMUMUUUMMMU", "h3": "MM          ", "j": "MUMUUMUUMUMM"}
    found = human_ceiling(file_of(build_ratings, said), "j")
    assert [one.counted for one in found.left_out] == [True, True, False]
    assert found.left_out[2].undefined == "fewer than 10 shared decisions"
    none = human_ceiling(file_of(build_ratings, HAND), "j")
    assert none.difference.undefined == "no human shares 10 decisions with the judge and a reference of the others"
    assert math.isnan(none.human.value)
    assert none.to_dict()["human"] is None
    assert none.n_items == 0


def test_judge_elsewhere_and_one_item(build_ratings) -> None:
    nothing = human_ceiling(file_of(build_ratings, {"h1": "MUM ", "h2": "MUU ", "j": "   M"}), "j", "accuracy", least=1)
    assert [one.n for one in nothing.left_out] == [0, 0]
    assert nothing.left_out[0].undefined == "no decision is shared with the judge and a reference of the others"
    one = human_ceiling(file_of(build_ratings, {"h1": "M", "h2": "M", "j": "U"}), "j", "accuracy", least=1)
    assert (one.value.value, one.human.value, one.difference.no_interval) == (0, 1, "there is only one shared item")


def test_refusals(build_ratings) -> None:
    ratings = file_of(build_ratings, HAND)
    for wrong, options in (
        ("no judge is called 'x'", {"judge": "x"}),
        ("cannot be read in 'f1'", {"judge": "j", "metric": "f1"}),
        ("its reference is a rule", {"judge": "j", "reference": "h1"}),
        ("no criterion is called 'd'", {"judge": "j", "criterion": "d"}),
    ):
        with pytest.raises(InputError, match=wrong):
            human_ceiling(ratings, **options)
    with pytest.raises(InputError, match="two or more"):
        human_ceiling(file_of(build_ratings, {"h1": "MU", "j": "MU"}), "j")
    assert [rule_for(ratings, name) for name in ("unanimous", "auto", "h1")] == ["unanimous", "majority", "majority"]


def test_many_people_who_each_saw_a_part() -> None:
    ratings = metrics.read(votes().encode(), labels=VOTES)
    found = human_ceiling(ratings, JUDGE, "accuracy")
    judge, human = loop(ratings, JUDGE, "accuracy", "exclude", "majority", least=10)
    assert (found.value.value, found.human.value) == pytest.approx((judge, human))
    assert found.n_humans == 12


def test_a_panel_of_guessers_lies_below_the_ceiling() -> None:
    panel = with_panel(metrics.read(three_raters().encode(), labels=dict.fromkeys(("0.0", "0.5", "1.0"), "class")), "majority")
    found = {judge: human_ceiling(panel, judge, "kappa") for judge in (JUDGE, panel.judges[-1])}
    assert all(one.settled and one.difference.value < 0 for one in found.values())
    assert len({one.judge for one in found.values()}) == 2


def test_mt_bench() -> None:
    ratings = metrics.read(data("mtbench_gpt4_votes.csv"), labels=VOTES)
    found = human_ceiling(ratings, "gpt-4-pair", "accuracy")
    judge, human = loop(ratings, "gpt-4-pair", "accuracy", "exclude", "majority", least=10)
    assert (found.value.value, found.human.value) == pytest.approx((judge, human))
    assert found.n_humans == 59
    assert not found.settled


def test_pandalm_annotators_without_a_judge() -> None:
    ratings = metrics.read(data("pandalm_raters.csv"), labels={"1": "positive", "2": "negative", "tie": "tie"})
    found = human_ceiling(ratings, None, abstention="as_category")
    assert [one.n for one in found.left_out] == [917, 928, 912]  # where the other two agree
    assert found.human.value == pytest.approx(0.9256, abs=5e-5)


def test_a_panel_has_a_ceiling_like_any_judge() -> None:
    people = pd.read_csv(data("viescore_t2i_raters.csv")).assign(role="human")
    judges = pd.read_csv(data("viescore_t2i.csv"))[["item_id", "criterion", "judge", "verdict"]]
    judges = judges.assign(role="judge", label=(judges.verdict / 5).round() / 2).rename(columns={"judge": "rater"})
    both = pd.concat([people, judges.drop(columns="verdict")])
    ratings = metrics.read(both, labels={"0.0": "class", "0.5": "class", "1.0": "class"})
    panel = with_panel(ratings, "majority")
    name = panel.judges[-1]
    found = {judge: human_ceiling(panel, judge) for judge in ("gpt4v", name)}
    for one in found.values():
        assert one.settled
        assert one.difference.value < 0
    assert len({one.judge for one in found.values()}) == 2


def slips(build_ratings, seed: int, n_humans: int, n_items: int, error: float, judge: float, n_criteria: int = 1):
    """Everybody gives the truth but for slips; the judge has a rate of its own."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(n_items):
        for criterion in range(n_criteria):
            truth = rng.random() < 0.5
            for who in [f"h{h}" for h in range(n_humans)] + ["j"]:
                wrong = rng.random() < (judge if who == "j" else error)
                label = "MET" if truth ^ wrong else "UNMET"
                rows.append((f"i{item}", f"c{criterion}", who, "judge" if who == "j" else "human", label))
    return build_ratings(rows)


def test_a_judge_without_a_slip_is_not_above_humans_with_few(build_ratings) -> None:
    said = {f"h{h}": "".join("U" if item == h else "M" for item in range(60)) for h in range(5)}
    found = human_ceiling(file_of(build_ratings, said | {"j": "M" * 60}), "j", "accuracy")
    assert found.difference.value == pytest.approx(1 / 60)
    assert found.difference.value > 2.0 * found.error  # the jackknife alone would call it above
    low, high = found.difference.ends
    assert low < 0 < high
    assert not found.settled
    # five items, each with one slip of six raters: the judge has it in none of them
    assert found.exchange.ways > 0
    assert found.exchange.above == pytest.approx((5 / 6) ** 5, abs=0.04)
    assert found.to_dict()["p_above"] == found.exchange.above


def test_a_judge_that_slips_far_more_often_is_below(build_ratings) -> None:
    for metric in ("accuracy", "kappa", "phi"):
        found = human_ceiling(slips(build_ratings, 3, 3, 80, 0.02, 0.3), "j", metric)
        assert found.settled
        assert found.difference.value < 0
        assert found.exchange.below <= 0.025 < found.exchange.above


def test_every_way_of_exchanging_few_items_is_counted(build_ratings) -> None:
    # two items differ: the judge alone is wrong on both, so it is the lowest in 1 of 4 · 4 ways
    said = {"h1": "MUMUMUMUMUMU", "h2": "MUMUMUMUMUMU", "h3": "MUMUMUMUMUMU", "j": "UMMUMUMUMUMU"}
    found = human_ceiling(file_of(build_ratings, said), "j", "accuracy")
    assert (found.exchange.ways, found.exchange.exact) == (16, True)
    assert found.exchange.below == pytest.approx(1 / 16)
    assert found.exchange.above == 1
    assert not found.settled


def test_above_and_below_are_rarely_said_of_a_judge_that_is_one_of_the_humans(build_ratings, monkeypatch) -> None:
    """40 samples of 3 humans, 30 items, 5 % slips; the jackknife alone said one of the two in 11 %."""
    from metrics.analyses.raters import exchange

    monkeypatch.setattr(exchange, "MOST_DRAWS", 199)
    found = [human_ceiling(slips(build_ratings, seed, 3, 30, 0.05, 0.05), "j", "kappa") for seed in range(40)]
    known = [one for one in found if one.difference.interval is not None]
    assert sum(not one.difference.sign for one in known) >= 0.92 * len(known)
    assert sum(one.settled for one in known) <= 1


def test_an_interval_alone_does_not_settle_it(build_ratings) -> None:
    from dataclasses import replace

    from metrics.analyses.raters.exchange import Exchange
    from metrics.analyses.raters.readings_ceiling import ceiling_reading

    found = human_ceiling(slips(build_ratings, 3, 3, 80, 0.02, 0.3), "j", "accuracy")
    assert "the judge stays below the human ceiling by" in ceiling_reading(found)
    open_ = replace(found, exchange=Exchange(above=0.98, below=0.04, ways=199))
    assert not open_.settled
    assert "is undecided: a rater drawn for the judge reaches it with p = 0.040." in ceiling_reading(open_)
    assert "not significant" not in ceiling_reading(open_)
