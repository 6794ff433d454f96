"""Repeated runs: kept by the readers, agreement with oneself, and the share of disagreement that is noise."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multinomial

import metrics
from metrics.analyses.ensembles.runs import (
    NO_DISAGREEMENT,
    NO_RUNS,
    ONE_LABEL,
    RunVotes,
    majority_of_runs,
    raters_with_runs,
    self_agreement,
    self_agreement_of,
)
from metrics.data.pairs import verdicts

PAIRS = b"""item,criterion,judge,run,human,verdict
a,c,j,2,MET,UNMET
a,c,j,1,MET,MET
a,c,j,10,MET,MET
b,c,j,1,UNMET,UNMET
b,c,j,2,UNMET,UNMET
b,c,j,10,UNMET,UNMET
c,c,j,2,MET,UNMET
c,c,j,10,MET,UNMET
d,c,j,1,UNMET,MET
a,c,k,1,MET,MET
b,c,k,1,UNMET,UNMET
"""
LONG = b"""item,rater,role,run,label
a,h,human,,MET
a,j,judge,second,UNMET
a,j,judge,first,MET
b,h,human,,UNMET
b,j,judge,second,UNMET
b,j,judge,second,MET
b,j,judge,first,UNMET
"""


def of(*votes: tuple[int, ...], reference: list[int] | None = None, item: list[int] | None = None) -> RunVotes:
    counts = np.array(votes, np.int64)
    n = len(counts)
    return RunVotes(counts, np.array(reference or [0] * n), np.array(item or range(n), np.int32))


def test_pairs_keep_every_run_and_take_the_first() -> None:
    ratings = metrics.read(PAIRS)
    assert ratings.runs is not None
    assert ratings.runs.names[:3] == ("1", "2", "10")
    said = [ratings.labels[code] for code in ratings.label[ratings.rater == ratings.code("j", "judge")]]
    assert said == ["MET", "UNMET", "UNMET", "MET"]
    # decision d and judge k were asked once: no repeated run
    assert len(ratings.runs.item) == 8
    assert raters_with_runs(ratings) == ("j",)
    assert raters_with_runs(ratings, "human") == ()
    assert ratings.rows_used == 11
    assert not len(ratings.left_out.rows)
    assert ratings.source.runs == "first"
    (note,) = ratings.source.notes
    assert "8 ratings of 3 decisions" in note
    assert "first run" in note


def test_a_later_run_that_stands_in_for_the_first_is_counted() -> None:
    def note(*rows: str) -> str:
        head = "item,judge,run,human,verdict" if rows[0].count(",") == 4 else "item,run,human,verdict"
        (text,) = metrics.read("\n".join((head, *rows)).encode()).source.notes
        return text

    three = [f"{item},{run},MET,{'' if item == 'b' and run == 1 else 'MET'}" for item in "abc" for run in (1, 2, 3)]
    assert "On 1 decision the first run has no label: a later one counts." in note(*three)
    once = [f"i{k},j,2,MET,MET" for k in range(20)] + [f"i{k},j,1,MET,MET" for k in range(3)]
    assert "6 ratings of 3 decisions" in note(*once)
    assert "On 17 decisions the first run has no label" in note(*once)
    each = [f"i{k},{judge},{run},MET,MET" for k in range(5) for judge, run in (("j", 1), ("j", 2), ("k", 3), ("k", 4))]
    assert "has no label" not in note(*each)


def test_rows_of_ratings_keep_runs_and_drop_what_repeats_within_one() -> None:
    with pytest.raises(metrics.InputError, match=r"Rows 6 and 7 of .* differ in ‘label’"):
        metrics.read(LONG)
    ratings = metrics.read(LONG, repeats="last")
    assert ratings.runs is not None
    # names are no numbers: the order is that of the file
    assert ratings.runs.names[:2] == ("second", "first")
    assert ratings.left_out.counts() == {"repeated: a later row gives the same item, criterion and rater": 1}
    judged = ratings.rater == ratings.code("j", "judge")
    assert [ratings.labels[code] for code in ratings.label[judged]] == ["UNMET", "MET"]
    assert sorted(ratings.runs.row.tolist()) == [1, 2, 5, 6]


def test_a_run_column_without_repeats_changes_nothing() -> None:
    text = b"item,judge,run,human,verdict\na,j,1,MET,MET\nb,j,2,MET,UNMET\nc,j,,UNMET,UNMET\n"
    ratings = metrics.read(text)
    assert ratings.runs is None
    assert ratings.source.runs == ""
    assert ratings.source.notes == ()
    assert "runs" not in metrics.agreement(ratings).to_dict()["declaration"]
    with pytest.raises(metrics.InputError, match="nobody was asked twice"):
        majority_of_runs(ratings)
    with pytest.raises(metrics.InputError, match="no judge was asked twice"):
        self_agreement(ratings)


def test_different_human_labels_beside_the_runs_are_still_refused() -> None:
    text = b"item,judge,run,human,verdict\na,j,1,MET,MET\na,j,2,UNMET,MET\nb,j,1,UNMET,MET\n"
    with pytest.raises(metrics.InputError, match=r"The human's label of item ‘a’ differs"):
        metrics.read(text)


def test_several_humans_beside_the_same_run_are_one_verdict() -> None:
    rows = [f"{i},j,{r},{h},{'MET' if h == 'x' else 'UNMET'},MET" for i in "ab" for r in (1, 2) for h in "xy"]
    ratings = metrics.read("\n".join(["item,judge,run,rater,human,verdict", *rows]).encode())
    assert ratings.runs is not None
    assert len(ratings.runs.item) == 4
    assert len(ratings.item) == 2 * 2 + 2


def test_the_numbers_are_those_of_a_file_with_the_first_run_alone() -> None:
    first = b"""item,criterion,judge,human,verdict
a,c,j,MET,MET
b,c,j,UNMET,UNMET
c,c,j,MET,UNMET
d,c,j,UNMET,MET
a,c,k,MET,MET
b,c,k,UNMET,UNMET
"""
    found, alone = (metrics.agreement(metrics.read(text)).to_dict() for text in (PAIRS, first))
    assert found["judges"] == alone["judges"]
    assert found["declaration"]["runs"] == "first"
    assert "First of repeated runs." in metrics.agreement(metrics.read(PAIRS)).summary()


def test_three_decisions_by_hand() -> None:
    """Votes (2, 1), (0, 3), (0, 2) for MET, UNMET; the reference says MET, UNMET, MET."""
    found = self_agreement(metrics.read(PAIRS))[0]
    # pairs that agree: 1 of 3, 3 of 3, 1 of 1
    assert found.agreement.value == pytest.approx(float(Fraction(1, 3) + 1 + 1) / 3)
    # runs that differ from the reference: 1 of 3, none, all
    assert found.disagreement.value == pytest.approx(float(Fraction(1, 3) + 0 + 1) / 3)
    # half of the differing pairs: 1/3, 0, 0
    assert found.noise.value == pytest.approx(1 / 9)
    assert found.share.value == pytest.approx(float(Fraction(1, 9) / Fraction(4, 9)))
    assert found.by_majority == pytest.approx(1 / 3)
    assert (found.n_decisions, found.n_compared, found.never, found.n_runs, found.n_items) == (3, 3, 1, 3, 3)
    q = float(Fraction(2, 3)) / 3
    assert found.kappa.value == pytest.approx(1 - (2 / 9) / (1 - q**2 - (1 - q) ** 2))


def test_kappa_of_runs_is_fleiss_where_all_have_as_many() -> None:
    from statsmodels.stats.inter_rater import fleiss_kappa

    votes = [(3, 0), (2, 1), (0, 3), (1, 2), (3, 0), (3, 0)]
    assert self_agreement_of(of(*votes), "j").kappa.value == pytest.approx(fleiss_kappa(np.array(votes)))


def graded(*names: str) -> bytes:
    """Five items asked twice each, of three labels by these names, low to high."""
    runs = ["00", "01", "12", "22", "02"]
    rows = [f"i{item},c,j,{run},{names[1]},{names[int(own[run])]}" for item, own in enumerate(runs) for run in (0, 1)]
    return "\n".join(["item,criterion,judge,run,human,verdict", *rows]).encode()


def test_kappa_of_runs_counts_how_far_apart_ordered_labels_are() -> None:
    """Squares of the places: D_o = (0 + 1 + 1 + 0 + 4)/5; q = (.4, .2, .4) gives D_e = 2(.08 + .08 + 4 · .16)."""
    (ordered,) = self_agreement(metrics.read(graded("1", "2", "3"), labels=dict.fromkeys("123", "class"), scale="ordinal"))
    assert ordered.weighted
    assert ordered.kappa.value == pytest.approx(1 - 1.2 / 1.6)
    named = dict.fromkeys(("red", "blue", "green"), "class")
    (nominal,) = self_agreement(metrics.read(graded("red", "blue", "green"), labels=named))
    assert not nominal.weighted
    assert nominal.kappa.value == pytest.approx(1 - 0.6 / 0.64)
    kept = self_agreement(
        metrics.read(graded("1", "2", "3"), labels=dict.fromkeys("123", "class"), scale="ordinal"), abstention="as_category"
    )
    assert not kept[0].weighted
    assert ordered.agreement.value == nominal.agreement.value == pytest.approx(0.4)


@given(
    st.lists(st.floats(0.02, 1), min_size=3, max_size=3), st.integers(2, 4), st.integers(0, 2),
)  # fmt: skip
def test_noise_and_disagreement_are_unbiased_whatever_the_number_of_runs(weights, n, truth) -> None:
    """Over all outcomes of n runs the means are ½(1 − Σ p²) and 1 − p_h; exactly."""
    p = np.array(weights) / sum(weights)
    noise = wrong = 0.0
    for votes in itertools.product(range(n + 1), repeat=3):
        if sum(votes) == n:
            chance = float(multinomial.pmf(votes, n, p))
            found = self_agreement_of(of(votes, reference=[truth]), "j")
            noise += chance * found.noise.value
            wrong += chance * found.disagreement.value
    assert noise == pytest.approx((1 - float((p**2).sum())) / 2, abs=1e-9)
    assert wrong == pytest.approx(1 - p[truth], abs=1e-9)
    truth_vector = np.eye(3)[truth]
    assert wrong == pytest.approx(noise + float(((p - truth_vector) ** 2).sum()) / 2, abs=1e-9)


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3).filter(lambda v: sum(v) > 1), min_size=1, max_size=12), st.data())
def test_noise_is_at_most_the_disagreement_on_every_decision(votes, data) -> None:
    reference = [data.draw(st.integers(0, 2)) for _ in votes]
    found = self_agreement_of(of(*votes, reference=reference), "j")
    assert -1e-12 <= found.noise.value <= found.disagreement.value + 1e-12
    if found.disagreement.value == 0:
        assert math.isnan(found.share.value)
        assert found.share.undefined == NO_DISAGREEMENT
    else:
        assert -1e-12 <= found.share.value <= 1 + 1e-12


def test_half_of_the_disagreement_of_a_coin_is_noise_and_none_of_a_stubborn_judge() -> None:
    rng = np.random.default_rng(3)
    coin = rng.binomial(4, 0.5, 4000)
    found = self_agreement_of(of(*[(int(c), 4 - int(c)) for c in coin], reference=rng.integers(0, 2, 4000).tolist()), "coin")
    assert found.disagreement.value == pytest.approx(0.5, abs=0.02)
    assert found.share.value == pytest.approx(0.5, abs=0.03)
    stubborn = self_agreement_of(of((3, 0), (0, 3), (0, 3), reference=[0, 0, 1]), "s")
    assert stubborn.share.value == 0
    assert stubborn.agreement.value == 1
    # a share on the boundary has no logit interval
    assert stubborn.share.ends is None
    assert stubborn.disagreement.ends is not None


def test_interval_is_the_jackknife_over_items_by_brute_force() -> None:
    votes, reference, item = [(2, 1), (1, 2), (3, 0), (0, 3), (2, 1)], [0, 0, 1, 1, 0], [0, 0, 1, 2, 3]
    found = self_agreement_of(of(*votes, reference=reference, item=item), "j")
    left = []
    for gone in range(4):
        kept = [place for place in range(5) if item[place] != gone]
        chosen = of(*[votes[i] for i in kept], reference=[reference[i] for i in kept], item=[item[i] for i in kept])
        left.append(self_agreement_of(chosen, "j").share.value)
    error = math.sqrt(3 / 4 * sum((x - sum(left) / 4) ** 2 for x in left))
    x = found.share.value
    low, high = found.share.ends
    slope = error / (x * (1 - x))
    assert math.log(high / (1 - high)) - math.log(low / (1 - low)) == pytest.approx(2 * 3.182446305 * slope)


def test_degenerate_runs_are_undefined_with_a_reason() -> None:
    nothing = self_agreement_of(RunVotes(np.zeros((0, 2), np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32)), "j")
    for share in (nothing.agreement, nothing.kappa, nothing.disagreement, nothing.share):
        assert math.isnan(share.value)
        assert share.undefined == NO_RUNS
    assert math.isnan(nothing.by_majority)
    alike = self_agreement_of(of((3, 0), (2, 0)), "j")
    assert alike.agreement.value == 1
    assert math.isnan(alike.kappa.value)
    assert alike.kappa.undefined == ONE_LABEL
    assert alike.share.undefined == NO_DISAGREEMENT
    unknown = self_agreement_of(of((1, 2), reference=[-1]), "j")
    assert unknown.agreement.value == pytest.approx(1 / 3)
    assert math.isnan(unknown.noise.value)
    assert unknown.agreement.ends is None


def test_majority_of_runs_is_a_choice_and_says_so() -> None:
    ratings = majority_of_runs(metrics.read(PAIRS))
    # j: a (2 of 3 MET), b, c all UNMET, d asked once
    assert verdicts(ratings, "j", "judge").tolist() == [0, 1, 1, 0]
    declared = metrics.agreement(ratings)
    assert declared.to_dict()["declaration"]["runs"] == "majority"
    assert "Majority of repeated runs." in declared.summary()
    assert self_agreement(ratings)[0].agreement == self_agreement(metrics.read(PAIRS))[0].agreement


def test_majority_of_two_runs_that_differ_is_no_verdict() -> None:
    ratings = metrics.read(
        b"item,judge,run,human,verdict\na,j,1,MET,MET\na,j,2,MET,UNMET\nb,j,1,UNMET,UNMET\nb,j,2,UNMET,UNMET\n"
    )
    settled = majority_of_runs(ratings)
    assert verdicts(settled, "j", "judge").tolist() == [settled.scheme.state("abstention"), 1]
    assert metrics.agreement(settled).judges["j"].coverage.judge_abstention_rate == 0.5
    assert set(ratings.labels) == {"MET", "UNMET"}


def test_humans_asked_twice_agree_with_themselves() -> None:
    text = b"item,rater,role,run,label\na,h,human,1,MET\na,h,human,2,UNMET\nb,h,human,1,MET\nb,h,human,2,MET\na,j,judge,1,MET\n"
    (found,) = self_agreement(metrics.read(text), role="human")
    assert found.name == "h"
    assert found.agreement.value == 0.5
    assert found.n_compared == 0
    assert math.isnan(found.share.value)


def test_two_files_keep_their_runs_and_panels() -> None:
    other = b"""item,criterion,judge,run,human,verdict
b,c,m,x,UNMET,MET
b,c,m,1,UNMET,UNMET
a,c,m,x,MET,MET
a,c,m,1,MET,MET
a,c,l,1,MET,MET
b,c,l,1,UNMET,UNMET
"""
    first, second = metrics.read(PAIRS), metrics.read(other)
    joined = metrics.join(first, second).ratings
    alone = {own.name: own for ratings in (first, second) for own in self_agreement(ratings)}
    assert {own.name: own.agreement for own in self_agreement(joined)} == {n: own.agreement for n, own in alone.items()}
    assert {own.name: own.share for own in self_agreement(joined)} == {n: own.share for n, own in alone.items()}
    assert joined.source.runs == "first"
    row = joined.runs.row[-1]
    assert joined.table.column("judge")[int(row)].as_py() == "m"
    panels = metrics.join(metrics.with_panel(first), metrics.with_panel(second)).ratings
    assert [panel.judges for panel in panels.source.panels] == [("j", "k"), ("m", "l")]
    assert {panel.name for panel in panels.source.panels} <= set(panels.judges)
    with pytest.raises(metrics.InputError, match="take repeated runs differently"):
        metrics.join(majority_of_runs(first), second)


def test_runs_without_a_verdict_are_no_runs() -> None:
    rows = ["a,j,1,MET,MET", "a,j,2,MET,error", "b,j,1,MET,MET", "b,j,2,MET,unsure", "c,j,1,MET,MET", "c,j,2,MET,UNMET"]
    labels = {"error": "error", "unsure": "abstention"}
    ratings = metrics.read("\n".join(["item,judge,run,human,verdict", *rows]).encode(), labels=labels)
    (found,) = self_agreement(ratings)
    assert (found.n_decisions, found.agreement.value) == (1, 0.0)
    (third,) = self_agreement(ratings, abstention="as_category")
    assert (third.n_decisions, third.agreement.value) == (2, 0.0)
    # a failed call does not outvote a verdict
    assert verdicts(majority_of_runs(ratings), "j", "judge").tolist()[0] == 0


def test_the_majority_of_runs_keeps_the_spelling_of_the_file() -> None:
    rows = ["a,j,1,MET,met", "a,j,2,MET,MET", "a,j,3,MET,MET", "b,j,1,UNMET,UNMET"]
    settled = majority_of_runs(metrics.read("\n".join(["item,judge,run,human,verdict", *rows]).encode()))
    judged = settled.rater == settled.code("j", "judge")
    assert [settled.labels[code] for code in settled.label[judged]] == ["met", "UNMET"]


def test_a_panel_of_first_runs_cannot_be_of_majorities_afterwards() -> None:
    with pytest.raises(metrics.InputError, match="A panel was made of the first runs"):
        majority_of_runs(metrics.with_panel(metrics.read(PAIRS)))
    panel = metrics.with_panel(majority_of_runs(metrics.read(PAIRS)))
    assert (panel.source.runs, len(panel.source.panels)) == ("majority", 1)
