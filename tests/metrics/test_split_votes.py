"""People whose votes split: neither a verdict nor an abstention, counted under its own name and left out in every mode."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import metrics
from metrics.analyses.abstention.bounds import bounds
from metrics.analyses.abstention.readings import bounds_reading, coverage_reading, nobody
from metrics.analyses.abstention.readings_tradeoff import tradeoff_reading
from metrics.analyses.abstention.relation import joint_abstention
from metrics.analyses.abstention.selective import tradeoff
from metrics.analyses.agreement.decisions import state_names
from metrics.analyses.review.compute import review_criteria
from metrics.analyses.review.readings import abstention_words
from metrics.analyses.review.suggesting import suggestion
from metrics.analyses.settings import Settings, settings_of
from metrics.data.abstention import MODES
from metrics.data.pairs import reference_states

LIKERT = dict.fromkeys("12345", "class")


def votes(*decisions: str, judge: str | None = None, criterion: str = "c", **options: Any) -> metrics.Ratings:
    """One decision for each word, whose letters are what the people say (M, U, ? or a number); the judge's letters in `judge`."""
    names = {"M": "MET", "U": "UNMET", "?": "CANNOT_ASSESS"}
    rows = ["item,criterion,rater,role,label"]
    for place, word in enumerate(decisions):
        rows += [f"i{place},{criterion},p{who},human,{names.get(letter, letter)}" for who, letter in enumerate(word)]
        said = (judge or "M" * len(decisions))[place]
        rows.append(f"i{place},{criterion},bot,judge,{names.get(said, said)}")
    return metrics.read("\n".join(rows).encode(), **options)


def bot(ratings: metrics.Ratings, **options: Any) -> Any:
    return metrics.agreement(ratings, interval="none", **options).judges["bot"]


def states(ratings: metrics.Ratings, reference: str = "auto") -> list[str]:
    names = [*ratings.scheme.classes, "abstention", "tie", "invalid", "split", "error", "missing"]
    return [names[state] for state in reference_states(ratings, reference)]


def test_a_tie_is_a_split_and_who_abstains_does_not_vote() -> None:
    ratings = votes("MU", "MM", "M?", "??", "MU?", "MMU", "M???", "MMUU")
    assert states(ratings) == ["split", "MET", "MET", "abstention", "split", "MET", "MET", "split"]
    assert states(ratings, "unanimous") == ["split", "MET", "MET", "abstention", "split", "split", "MET", "split"]
    assert states(ratings, "p0") == ["MET"] * 3 + ["abstention"] + ["MET"] * 4


@pytest.mark.parametrize("mode", MODES)
def test_a_split_is_left_out_in_every_mode_and_counted_once(mode: str) -> None:
    its = bot(votes("MU", "MM", "M?", "??", "UU", "MU", judge="MMM?UM"), abstention=mode)
    coverage = its.coverage
    assert its.micro.n == {"exclude": 3, "as_unmet": 4, "as_category": 4}[mode]
    assert (coverage.n_total, coverage.n_covered, coverage.n_split, coverage.n_voted) == (6, 3, 2, 4)
    assert coverage.split_rate == 0.5
    assert coverage.human_coverage == pytest.approx(3 / 6)
    assert coverage.human_abstention_rate == pytest.approx(1 / 6)
    assert coverage.answers("split") == 2
    assert coverage.answers("abstention") == 2
    assert coverage.human_coverage + coverage.human_abstention_rate + coverage.n_split / 6 == pytest.approx(1)


def test_silence_beside_a_split_is_in_no_kappa_of_silence() -> None:
    with_split, without = (bot(votes(*words, judge=judge)) for words, judge in (
        (("MU", "MM", "??", "UU"), "?M?U"), (("MM", "??", "UU"), "M?U"),
    ))  # fmt: skip
    assert with_split.coverage.abstention_kappa == without.coverage.abstention_kappa == 1
    assert with_split.coverage.judge_abstention_rate == 0.5


def test_the_declaration_says_split_votes_and_no_abstentions_where_nobody_abstained() -> None:
    report = metrics.agreement(votes("MU", "MM", "UU", "MM"), interval="none")
    assert "no abstentions, split votes left out (1), coverage 75" in report.summary()
    said = metrics.agreement(votes("MU", "MM", "UU", "M?", "??"), interval="none").summary()
    assert "abstentions excluded, split votes left out (1), coverage 60" in said
    clean = metrics.agreement(votes("MM", "UU", "M?", "??"), interval="none").summary()
    assert "split" not in clean
    assert "abstentions excluded, coverage 75" in clean


def test_a_share_of_verdicts_is_named_where_others_count_too() -> None:
    """Of 5 decisions 4 count, 2 have a verdict of both; without a split vote or a third class both shares are one."""
    data = votes("MU", "MM", "UU", "M?", "??", judge="MMU?M")
    third = metrics.agreement(data, abstention="as_category", interval="none").summary()
    assert "split votes left out (1), both gave a verdict on 40\u00a0%" in third
    assert "4 of 5 decisions (80\u00a0%)" in third
    assert "coverage 40" not in third
    excluded = metrics.agreement(data, interval="none").summary()
    assert "split votes left out (1), coverage 40" in excluded
    assert "2 of 5 decisions on" in excluded


def test_many_splits_are_warned_of_and_few_are_not() -> None:
    def warned(n_split: int) -> list[str]:
        report = metrics.agreement(votes(*["MU"] * n_split, *["MM", "UU"] * 10, judge="MU" * 10 + "M" * n_split), interval="none")
        return [warn.message for warn in report.warnings if warn.code == "split_votes"]

    assert warned(2) == []
    assert warned(3) == [
        "The people’s votes split on 3 of 23 decisions with several votes (13\u00a0%); these are left out. "
        "What is left is easier than the whole."
    ]


def test_ordered_labels_take_the_low_median() -> None:
    ratings = votes("13", "45", "15", "225", "1", judge="23221", labels=LIKERT)
    assert states(ratings) == ["1", "4", "1", "2", "1"]
    assert states(ratings, "median") == states(ratings)
    assert states(ratings, "majority") == ["split", "split", "split", "2", "1"]
    report = metrics.agreement(ratings, interval="none")
    assert report.declaration.reference == "median"
    assert "low median of the humans" in report.summary()
    coverage = report.judges["bot"].coverage
    assert (coverage.n_split, coverage.n_covered, coverage.n_voted, coverage.apart_rate) == (0, 5, 4, 0.75)
    told = "The people’s median is between two labels on 3 of 4 decisions with several votes (75\u00a0%); the lower one counts."
    for made in (report, metrics.scores(ratings, interval="none")):
        assert told in [warn.message for warn in made.warnings]
    equal = metrics.agreement(votes("11", "55", "2", judge="123", labels=LIKERT), interval="none")
    assert not [warn for warn in equal.warnings if warn.code == "median_between"]


def test_the_low_median_is_that_of_a_sorted_list() -> None:
    words = ["".join(word) for n in (1, 2, 3, 4) for word in product("1234", repeat=n)]
    ratings = votes(*words, judge="1234" * (len(words) // 4), labels=LIKERT)
    assert states(ratings) == [sorted(word)[(len(word) - 1) // 2] for word in words]


def test_words_without_an_order_have_no_median() -> None:
    ratings = votes("ab", "bb", judge="ab", labels={"a": "class", "b": "class", "c": "class"})
    assert states(ratings) == ["split", "b"]
    with pytest.raises(metrics.InputError, match="a median needs ordered labels"):
        metrics.agreement(ratings, reference="median")
    ordered = votes("ab", "cb", judge="ab", labels={"a": "class", "b": "class", "c": "class"}, order=["c", "b", "a"])
    assert states(ordered) == ["b", "c"]
    with pytest.raises(metrics.InputError, match="a mean needs numbers"):
        metrics.agreement(ordered, reference="mean")


def test_a_tie_that_a_person_says_is_an_answer() -> None:
    rows = ["item,rater,role,label"]
    for item, word in (("1", "ATT"), ("2", "AT"), ("3", "TT")):
        rows += [f"{item},p{who},human,{'tie' if letter == 'T' else letter}" for who, letter in enumerate(word)]
        rows.append(f"{item},bot,judge,B")
    ratings = metrics.read("\n".join(rows).encode(), labels={"A": "positive", "B": "negative", "tie": "tie"})
    assert states(ratings) == ["tie", "split", "tie"]


def test_an_item_verdict_that_hangs_on_a_split_is_left_out_and_one_that_does_not_stands() -> None:
    rows = ["item,criterion,rater,role,label"]
    said = {("hangs", "c"): "MU", ("hangs", "d"): "MM", ("stands", "c"): "MU", ("stands", "d"): "UU", ("whole", "c"): "MM"}
    for (item, criterion), word in (said | {("whole", "d"): "MM"}).items():
        rows += [f"{item},{criterion},p{who},human,{'MET' if letter == 'M' else 'UNMET'}" for who, letter in enumerate(word)]
        rows.append(f"{item},{criterion},bot,judge,MET")
    ratings = metrics.read("\n".join(rows).encode())
    for mode in MODES:
        item = bot(ratings, abstention=mode).item
        assert item.n == 2, mode
        assert item.confusion.sum(1)[:2].tolist() == [1, 1]


def test_a_kind_of_a_label_is_never_a_split() -> None:
    with pytest.raises(metrics.InputError, match="no kind of label"):
        metrics.read(b"item,human,verdict\n1,yes,yes\n2,no,no", labels={"yes": "split"})
    with pytest.raises(metrics.InputError, match="No handling can be given to 'split'"):
        metrics.agreement(votes("MU", "MM", "UU"), handling={"split": "as_unmet"})


def test_bounds_complete_a_split_with_any_label_that_ties() -> None:
    words, judge = ("MU", "MM", "UU", "??"), "MMMU"
    settings = settings_of(votes(*words, judge=judge))
    found = bounds(votes(*words, judge=judge), "bot", settings)
    assert (found.n_open, found.n_split, found.n_total) == (2, 1, 4)
    assert found.by_metric["accuracy"].ends == (0.25, 0.75)
    assert "the 2 open decisions (1 of them split votes)" in bounds_reading(
        found, "accuracy", bot(votes(*words, judge=judge)).micro
    )
    # with three classes the judge's c cannot become right where a and b tie, and its a can
    three = {"a": "class", "b": "class", "c": "class"}
    for said, high in (("ca", 0.5), ("aa", 1.0)):
        ratings = votes("ab", "aa", judge=said, labels=three)
        assert bounds(ratings, "bot", settings_of(ratings)).by_metric["accuracy"].ends == (0.5, high)
    item = bounds(votes(*words, judge=judge), "bot", settings, "item")
    assert item.by_metric["accuracy"].ends == (0.25, 0.75)


def test_the_page_of_abstention_tells_splits_from_silence() -> None:
    ratings = votes("MU", "MM", "UU", "MU", judge="MMUU")
    settings, report = settings_of(ratings, judges=["bot"]), bot(ratings)
    found = joint_abstention(ratings, "bot", settings)
    assert (found.n, found.split, found.joint, found.human, found.judge) == (4, 2, 0.5, 0.5, 1.0)
    assert coverage_reading(found) == (
        "neither the judge nor the human abstained on these 4 decisions. On 2 of 4 decisions the people’s votes split: "
        "no verdict of theirs, and no abstention."
    )
    assert nobody(report.coverage, [report.micro] * 3, "bot").startswith(
        "Neither bot nor the human abstained. All three modes give the same number"
    )
    assert "split on 2 of 4" in nobody(report.coverage, [report.micro] * 3, "bot")
    traded = tradeoff(ratings, settings)
    assert traded[0].coverage == 0.5
    assert "neither it nor the human abstained. On 50\u00a0% the people’s votes split." in tradeoff_reading(traded, "bot", None)
    clean = votes("MM", "UU", judge="MU")
    assert "split" not in coverage_reading(joint_abstention(clean, "bot", settings_of(clean, judges=["bot"])))
    assert "split" not in tradeoff_reading(tradeoff(clean, settings_of(clean, judges=["bot"])), "bot", None)


def test_the_review_does_not_take_split_votes_for_bad_wording() -> None:
    judge = "MU" * 30 + "M" * 12 + "U" * 8
    for open_vote, silent in (("MU", 0.0), ("??", 0.25)):
        own = review_criteria(votes(*["MM", "UU"] * 30, *[open_vote] * 20, judge=judge), "bot", Settings())[0]
        assert own.coverage is not None
        assert own.coverage.human_abstention_rate == silent  # what the advice on wording rests on
        assert ("The people’s votes split on 20 of 80" in abstention_words(own)) is (silent == 0)
        assert silent or "where it does not show" not in suggestion(own).text


def test_a_selection_of_decisions_names_a_split_vote() -> None:
    ratings = votes("MU", "MM", "UU")
    names, scheme = state_names(ratings), ratings.scheme
    assert names[scheme.state("split")] == "split vote"
    assert names[scheme.state("error")] == "failed call"
    assert names[scheme.state("missing")] == ""
