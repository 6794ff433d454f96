"""A panel of judges as a judge of its own: its verdicts by hand, what counts as an answer, and that it passes everywhere."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.analyses.ensembles.panel import panel_words, with_panel
from metrics.data.pairs import verdicts
from tests.shared_data import data

MET, UNMET, CA, TIE, BAD, SPLIT, ERR, MISSING = range(8)
VOTES = {
    # item: what a, b, c say -> majority, unanimous, any
    "all": ("MET", "MET", "MET"),
    "two": ("MET", "MET", "UNMET"),
    "one": ("MET", "UNMET", "UNMET"),
    "no": ("UNMET", "UNMET", "UNMET"),
    "open": ("CA", "CA", "MET"),
    "split": ("MET", "UNMET", "CA"),
    "shy": ("CA", "UNMET", "UNMET"),
    "short": ("MET", "UNMET", None),
    "failed": ("ERR", "MET", "MET"),
    "alone": ("ERR", None, "MET"),
    "dead": ("ERR", "ERR", "ERR"),
    "ties": ("TIE", "TIE", "TIE"),
    "mixed": ("TIE", "BAD", "MET"),
}
EXPECTED = {
    "majority": (MET, MET, UNMET, UNMET, CA, CA, UNMET, CA, MET, MISSING, MISSING, TIE, CA),
    "unanimous": (MET, CA, CA, UNMET, CA, CA, CA, CA, MET, MISSING, MISSING, TIE, CA),
    "any": (MET, MET, MET, UNMET, MET, MET, CA, MET, MET, MISSING, MISSING, CA, MET),
}


@pytest.fixture(scope="module")
def three(build_ratings):
    rows = [(item, "c", "h", "human", "MET" if place % 2 else "UNMET") for place, item in enumerate(VOTES)]
    for place, name in enumerate("abc"):
        rows += [(item, "c", name, "judge", said[place]) for item, said in VOTES.items() if said[place]]
    return build_ratings(rows, items=list(VOTES))


@pytest.mark.parametrize("rule", EXPECTED)
def test_verdicts_by_hand(three, rule) -> None:
    found = with_panel(three, rule)
    assert tuple(verdicts(found, f"{rule} of 3 judges", "judge").tolist()) == EXPECTED[rule]


def test_what_is_no_answer_is_counted_and_said(three) -> None:
    found = with_panel(three)
    (panel,) = found.source.panels
    assert panel.name == "majority of 3 judges"
    assert panel.judges == ("a", "b", "c")
    assert (panel.quorum, panel.n_decisions, panel.n_incomplete, panel.n_below_quorum, panel.n_failed) == (2, 11, 2, 2, 5)
    note = found.source.notes[-1]
    assert note == panel_words(panel)
    assert "is a panel, no judge of the file" in note
    assert "made of a, b, c" in note
    assert "2 or more of them answered: on 11 decisions, 2 of them answered by fewer than 3; on 2 more too few" in note
    assert "5 calls of its judges failed" in note


def test_a_quorum_of_one_and_of_all(three) -> None:
    one = with_panel(three, quorum=1)
    assert verdicts(one, "majority of 3 judges", "judge")[list(VOTES).index("alone")] == MET
    every = with_panel(three, quorum=3)
    assert every.source.panels[0].n_incomplete == 0
    assert verdicts(every, "majority of 3 judges", "judge")[list(VOTES).index("failed")] == MISSING


def test_a_majority_panel_is_what_a_file_with_that_judge_gives(three, build_ratings) -> None:
    """The same verdicts typed in as a judge of the file give the same report."""
    labels = ["MET", "UNMET", "CA", "TIE", "BAD"]
    rows = [(item, "c", "h", "human", "MET" if place % 2 else "UNMET") for place, item in enumerate(VOTES)]
    rows += [
        (item, "c", "p", "judge", labels[state])
        for item, state in zip(VOTES, EXPECTED["majority"], strict=True)
        if state != MISSING
    ]
    typed = metrics.agreement(build_ratings(rows, items=list(VOTES)), judges=["p"]).judges["p"].to_dict()
    panel = metrics.agreement(with_panel(three), judges=["majority of 3 judges"]).judges["majority of 3 judges"].to_dict()
    assert panel == typed


def test_the_other_judges_keep_their_numbers(three) -> None:
    before, after = (metrics.agreement(own).to_dict()["judges"] for own in (three, with_panel(three)))
    assert {name: after[name] for name in before} == before


def test_it_goes_through_everything_and_the_declaration_names_its_judges(three) -> None:
    found = with_panel(three, judges=["c", "a"])
    name = "majority of 2 judges"
    declared = metrics.agreement(found).to_dict()["declaration"]
    assert declared["panels"] == {name: {"rule": "majority", "judges": ["a", "c"], "quorum": 2}}
    assert "panels" not in metrics.agreement(found, judges=["a"]).to_dict()["declaration"]
    assert "Panel: majority of a, c." in metrics.agreement(found).summary()
    assert metrics.compare(found, "a", name, replicates=200).to_dict()
    assert name in [one.name for one in metrics.rank_judges(found).order]
    assert metrics.agreement(found, abstention="as_category").judges[name].micro.n


def test_a_panel_is_no_rater_among_the_judges_it_is_made_of(three) -> None:
    before, after = (metrics.raters(own, role="judge").to_dict()["criteria"] for own in (three, with_panel(three)))
    assert after == before


def test_names_do_not_collide(three) -> None:
    twice = with_panel(with_panel(three, judges=["a", "b"]), judges=["b", "c"])
    assert twice.judges[-2:] == ("majority of 2 judges", "majority of 2 judges (2)")
    assert [panel.judges for panel in twice.source.panels] == [("a", "b"), ("b", "c")]
    # a further panel sits without the panels
    assert with_panel(twice).source.panels[-1].judges == ("a", "b", "c")
    named = with_panel(three, name="jury")
    assert named.judges[-1] == "jury"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "most"}, "Unknown rule 'most'"),
        ({"judges": ["a"]}, "needs two or more judges; there is 1"),
        ({"judges": ["a", "x"]}, "no judge is called 'x'"),
        ({"quorum": 0}, "between 1 and 3, not 0"),
        ({"quorum": 4}, "between 1 and 3, not 4"),
        ({"name": "a"}, "called 'a' already"),
    ],
)
def test_refusals(three, options, message) -> None:
    with pytest.raises(metrics.InputError, match=message):
        with_panel(three, **options)


def test_a_panel_cannot_sit_on_a_panel(three) -> None:
    once = with_panel(three)
    with pytest.raises(metrics.InputError, match="is a panel"):
        with_panel(once, judges=["a", "majority of 3 judges"])


def test_counts_classes_and_silence_are_refused(build_ratings) -> None:
    counts = metrics.read(b"human,judge,n\nMET,MET,5\nMET,UNMET,2\nUNMET,UNMET,4\n")
    with pytest.raises(metrics.InputError, match="table of counts"):
        with_panel(counts)
    kinds = {"x": "class", "y": "class"}
    rows = [("i", "c", who, role, "x") for who, role in (("h", "human"), ("a", "judge"), ("b", "judge"))]
    classes = build_ratings(rows, kinds=kinds)
    with pytest.raises(metrics.InputError, match="needs a positive label"):
        with_panel(classes, "any")
    assert with_panel(classes).judges[-1] == "majority of 2 judges"
    failed = build_ratings([("i", "c", "h", "human", "MET"), ("i", "c", "a", "judge", "ERR"), ("i", "c", "b", "judge", "MET")])
    with pytest.raises(metrics.InputError, match="did 2 of these 2 judges answer"):
        with_panel(failed)


def test_a_file_without_abstentions_gets_a_label_for_a_tie() -> None:
    text = b"item,judge,human,verdict\na,x,MET,MET\na,y,MET,UNMET\nb,x,UNMET,UNMET\nb,y,UNMET,UNMET\n"
    ratings = metrics.read(text)
    found = with_panel(ratings)
    assert found.labels == (*ratings.labels, "no verdict")
    assert found.scheme.of("abstention") == ("no verdict",)
    its = metrics.agreement(found).judges["majority of 2 judges"]
    assert its.coverage.judge_abstention_rate == 0.5
    assert metrics.agreement(found, abstention="as_category").judges["x"].micro.labels[-1] == "no verdict"
    assert ratings.scheme.of("abstention") == ()


def test_a_label_of_that_name_with_another_meaning_is_not_taken(build_ratings) -> None:
    kinds = {"MET": "positive", "no verdict": "negative"}
    rows = [("i", "c", "h", "human", "MET"), ("i", "c", "a", "judge", "MET"), ("i", "c", "b", "judge", "no verdict")]
    found = with_panel(build_ratings(rows, kinds=kinds))
    assert found.scheme.of("abstention") == ("no verdict (panel)",)


@given(st.lists(st.lists(st.sampled_from(["MET", "UNMET", "CA"]), min_size=5, max_size=5), min_size=1, max_size=8), st.data())
def test_order_of_judges_and_rows_does_not_matter(build_ratings, said, data) -> None:
    rows = [(f"i{i}", "c", f"j{j}", "judge", label) for i, labels in enumerate(said) for j, label in enumerate(labels)]
    rows += [(f"i{i}", "c", "h", "human", "MET") for i in range(len(said))]
    items = [f"i{i}" for i in range(len(said))]
    plain = with_panel(build_ratings(rows, items=items))
    mixed = with_panel(build_ratings(data.draw(st.permutations(rows)), items=items))
    name = "majority of 5 judges"
    assert verdicts(plain, name, "judge").tolist() == verdicts(mixed, name, "judge").tolist()
    for i, labels in enumerate(said):
        top = Counter(labels).most_common()
        clear = len(top) == 1 or top[0][1] > top[1][1]
        assert verdicts(plain, name, "judge")[i] == (["MET", "UNMET", "CA"].index(top[0][0]) if clear else CA)


def test_65_real_judges() -> None:
    ratings = metrics.read(
        data("llmbar_natural.csv"), labels={"output_1": "positive", "output_2": "negative"},
    )  # fmt: skip
    found = with_panel(ratings)
    name = "majority of 65 judges"
    assert found.judges[-1] == name
    report = metrics.agreement(found, judges=[name])
    answered = np.sum([verdicts(ratings, judge, "judge") < 2 for judge in ratings.judges], axis=0)
    assert report.judges[name].coverage.n_total == (answered > 32).sum() == 100
    assert 0.6 < report.judges[name].micro.values["kappa"] < 0.95
    assert metrics.compare(found, "GPT-4/CoT", name, replicates=200).to_dict()


def test_a_panel_has_no_scores_and_the_rows_of_its_first_judge() -> None:
    rows = ["a,x,MET,MET,.9", "a,y,MET,UNMET,.2", "a,z,MET,MET,.8", "b,y,UNMET,UNMET,.1", "b,z,UNMET,UNMET,.3"]
    ratings = metrics.read("\n".join(["item,judge,human,verdict,score", *rows]).encode())
    found = with_panel(ratings)
    own = found.rater == len(found.raters) - 1
    assert np.isnan(found.score[own]).all()
    assert found.row[own].tolist() == [0, 3]
    np.testing.assert_array_equal(found.score[~own], ratings.score)
