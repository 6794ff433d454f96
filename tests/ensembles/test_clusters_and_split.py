"""Judges that think alike, and the decisions they split on."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import metrics
from metrics.analyses.ensembles.cluster_judges import order_by_kappa, shared_names, think_alike
from metrics.analyses.ensembles.readings import split_reading
from metrics.analyses.ensembles.split import split_decisions, with_reasons


@pytest.fixture(scope="module")
def camps(build_judged):
    """Judges 0, 2, 4 say one thing, 1 and 3 another, 5 is by itself."""
    rng = np.random.default_rng(4)
    one, two, own = (rng.integers(0, 2, 80) for _ in range(3))
    said = np.stack([one, two, one, two, one, own], axis=1)
    said = np.where(rng.random(said.shape) < 0.05, 1 - said, said)
    return build_judged(one.tolist(), said)


def test_alike_judges_stand_side_by_side(camps) -> None:
    found = think_alike(camps, smallest=2)
    places = {name: place for place, name in enumerate(found.judges)}
    assert {frozenset(group.judges) for group in found.groups} == {frozenset({"j0", "j2", "j4"}), frozenset({"j1", "j3"})}
    for group in found.groups:
        assert sorted(places[name] for name in group.judges) == list(range(group.start, group.stop))
        inside = found.kappa[group.start : group.stop, group.start : group.stop]
        assert group.mean_kappa.value == pytest.approx(np.nanmean(inside))
    assert think_alike(camps).groups[0].judges == next(g for g in found.groups if len(g.judges) == 3).judges
    assert len(think_alike(camps).groups) == 1


def test_kappa_in_the_order_is_that_of_scikit_learn(camps) -> None:
    found = think_alike(camps)
    said = {name: metrics.data.pairs.verdicts(camps, name, "judge") for name in camps.judges}
    truth = metrics.data.pairs.verdicts(camps, "h", "human")
    for a, one in enumerate(found.judges):
        assert found.with_reference[a].value == pytest.approx(cohen_kappa_score(said[one], truth))
        for b, other in enumerate(found.judges):
            if a != b:
                assert found.kappa[a, b] == pytest.approx(cohen_kappa_score(said[one], said[other]))
                assert found.n[a, b] == 80
    assert found.mean_kappa == pytest.approx(np.nanmean(found.kappa))


def test_undefined_pairs_count_as_no_agreement_and_are_counted(build_judged) -> None:
    said = [[0, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 1]]
    found = think_alike(build_judged([0, 1, 0, 1], said), smallest=2)
    assert found.undefined == 1
    assert found.groups == ()
    assert math.isnan(found.kappa[0, 0])
    assert np.nansum(found.kappa) == 0


def test_order_needs_no_tree_for_one() -> None:
    assert order_by_kappa(np.array([[np.nan]]))[0].tolist() == [0]
    order, part = order_by_kappa(np.array([[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1]]), 0.5)
    assert part[0] == part[1] != part[2]
    assert sorted(order.tolist()) == [0, 1, 2]


def test_names_say_what_a_group_shares() -> None:
    assert shared_names(["GPT-4/CoT", "GPT-4 · Swap", "PaLM2/CoT"]) == (("GPT-4", 2), ("PaLM2", 1))
    assert shared_names(["gpt-4", "claude"]) == ()
    assert shared_names([]) == ()


def test_a_file_of_judges_alone_has_groups_and_a_queue(build_judged) -> None:
    ratings = build_judged([-1] * 4, [[0, 0, 1], [0, 0, 0], [1, 1, 0], [1, 0, 1]])
    assert not any(own.defined for own in think_alike(ratings).with_reference)
    queue = split_decisions(ratings)
    assert queue.unlabelled.all()
    assert len(queue) == 3


def test_queue_by_hand(build_judged) -> None:
    said = [
        [0, 0, 0, 0],  # agreed
        [0, 0, 0, 1],  # 3 : 1
        [0, 0, 1, 1],  # 2 : 2
        [0, 1, 2, 3],  # 1 : 1, one abstains, one call failed
        [0, 2, 2, -1],  # one class only
        [1, 1, 1, 0],  # 1 : 3, the majority against the human
    ]
    ratings = build_judged([0, 0, 0, 0, 0, 0], said)
    queue = split_decisions(ratings)
    table = queue.columns(ratings)
    assert table["item"] == ["i3", "i2", "i1", "i5"]
    assert queue.disagreement.tolist() == pytest.approx([1, 2 / 3, 1 / 2, 1 / 2])
    assert queue.votes.tolist() == [[1, 1], [2, 2], [3, 1], [1, 3]]
    assert (queue.n_agreed, queue.n_alone) == (1, 1)
    assert table["majority"] == ["", "", "MET", "UNMET"]
    assert queue.silent.tolist() == [1, 0, 0, 0]
    assert queue.missing.tolist() == [1, 0, 0, 0]
    assert queue.wrong_majority.tolist() == [False, False, False, True]
    assert table["reference"] == ["MET"] * 4
    frame = with_reasons(ratings, queue)
    assert frame["item"] == table["item"]
    said_of_i3 = [labels[0] for name, labels in frame.items() if name.startswith("judge: ")]
    assert said_of_i3 == ["MET", "UNMET", *said_of_i3[2:]]
    assert len(said_of_i3) == 4
    third = split_decisions(ratings, abstention="as_category")
    # one class and two abstentions are as far apart as 2 : 2, and come behind it in the file
    assert third.columns(ratings)["item"] == ["i3", "i2", "i4", "i1", "i5"]
    assert third.silent.tolist() == [1, 0, 2, 0, 0]


def test_judges_that_are_wrong_in_two_ways_are_most_judges_against_the_reference() -> None:
    said = {"q1": ("red", "blue"), "q2": ("red", "green"), "q3": ("blue", "green"), "q4": ("green", "green")}
    rows = [
        {"item": item, "judge": f"j{place}", "human": "green", "verdict": verdict}
        for item, verdicts in said.items()
        for place, verdict in enumerate(verdicts)
    ]
    ratings = metrics.read(rows, labels=dict.fromkeys(("red", "green", "blue"), "class"))
    queue = split_decisions(ratings)
    assert queue.majority.tolist() == [-1, -1, -1]
    assert queue.wrong_majority.tolist() == [True, False, False]
    assert "most judges are against it on 1 of them." in split_reading(queue)


def test_nothing_to_split(build_judged) -> None:
    queue = split_decisions(build_judged([0, 1], [[0, 0], [1, 1]]))
    assert len(queue) == 0
    assert queue.n_agreed == 2


def test_65_real_judges(llmbar) -> None:
    found = think_alike(llmbar, smallest=5)
    gpt4 = next(group for group in found.groups if group.shared[0] == ("GPT-4", 15))
    assert gpt4.mean_kappa.value == pytest.approx(0.84, abs=0.005)
    assert len(gpt4.judges) == 17
    queue = split_decisions(llmbar)
    assert len(queue) + queue.n_agreed + queue.n_alone == 100
    assert (np.diff(queue.disagreement) <= 0).all()
    assert not [name for name in with_reasons(llmbar, queue) if name.startswith("judge: ")], "votes say it of so many"


def test_real_ties(pandalm) -> None:
    queue = split_decisions(pandalm)
    assert (queue.disagreement == 1).all()
    assert len(queue) + queue.n_agreed + queue.n_alone == 999
    assert think_alike(pandalm).undefined == 0
