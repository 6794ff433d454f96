"""The scale of every criterion: proposed, stated, and what the ratings of some criteria are."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.data.labels import NUMBER
from metrics.data.part import OTHER_LABEL
from metrics.data.scales import scales_of, stated_scales
from metrics.errors import InputError
from metrics.measures.units import other_ends, two_units
from tests.shared_data import data, shared

MIXED = b"""item,criterion,human,verdict
q1,cites,MET,MET
q2,cites,UNMET,MET
q3,cites,UNMET,UNMET
q1,polite,MET,CANNOT_ASSESS
q2,polite,MET,MET
q3,polite,MET,MET
q1,depth,4,5
q2,depth,2,2
q3,depth,1,3
q4,depth,5,NA
q1,better,A,B
q2,better,A,A
q3,better,tie,A
"""
SAID = {"depth": "ordinal", "better": "pairwise"}


def long(rows: list[tuple[str, str]], criterion: str = "c") -> bytes:
    return "\n".join(["item,criterion,human,verdict", *(f"i{n},{criterion},{h},{v}" for n, (h, v) in enumerate(rows))]).encode()


@pytest.mark.parametrize(
    ("rows", "how", "scale", "classes", "possible"),
    [
        ([("MET", "UNMET"), ("MET", "CANNOT_ASSESS")], {}, "binary", ("UNMET", "MET"), ("binary", "nominal")),
        ([("1", "0"), ("1.0", "1")], {}, "binary", ("0", "1"), ("binary", "ordinal", "continuous", "nominal")),
        ([("A", "B"), ("tie", "A")], {"scale": "pairwise"}, "pairwise", ("B", "A"), ("binary", "pairwise", "nominal")),
        (
            [("A", "B"), ("tie", "A")],
            {"labels": {"A": "positive", "B": "negative", "tie": "tie"}},
            "pairwise",
            ("B", "A"),
            ("binary", "pairwise", "nominal"),
        ),
        ([("3", "1"), ("10", "2")], {"scale": "ordinal"}, "ordinal", ("1", "2", "3", "10"), None),
        (
            [("3", "1"), ("10", "2")],
            {"labels": dict.fromkeys(("1", "2", "3", "10"), "class")},
            "ordinal",
            ("1", "2", "3", "10"),
            None,
        ),
        ([("low", "high"), ("mid", "mid")], {"order": ["low", "mid", "high"]}, "ordinal", ("low", "mid", "high"), None),
        ([("red", "blue"), ("green", "red")], {"scale": "nominal"}, "nominal", None, ("ordinal", "nominal")),
        ([("yes", "no"), ("partial", "no")], {"labels": {"partial": "class"}}, "nominal", None, ("ordinal", "nominal")),
        (
            [(str(n), str(n + 1)) for n in range(12)],
            {"labels": {str(n): "class" for n in range(13)}},
            "ordinal",
            tuple(map(str, range(13))),
            ("ordinal", "continuous", "nominal"),
        ),
        ([("0.5", "0.25"), ("3", "NA")], {"scale": "continuous"}, "continuous", (NUMBER,), ("ordinal", "continuous")),
    ],
)
def test_the_scale_follows_from_the_labels(rows, how, scale, classes, possible) -> None:
    found = scales_of(metrics.read(long(rows), **how)).on("c")
    assert found.scale == scale
    assert classes is None or found.classes == classes
    assert possible is None or set(found.possible) == set(possible)
    assert found.scale in found.possible
    assert found.why.endswith(".")
    assert found.is_given is ("scale" in how)


def test_a_mixed_rubric_is_read_criterion_by_criterion() -> None:
    ratings = metrics.read(MIXED, scale=SAID)
    scales = scales_of(ratings)
    assert scales.declaration() == {"cites": "binary", "polite": "binary", "depth": "ordinal", "better": "pairwise"}
    assert scales.mixed
    assert scales.two_sided == ("cites", "polite", "better")
    assert scales.on("depth").classes == ("1", "2", "3", "4", "5")
    assert ratings.scheme.scale == "nominal"


def test_the_binary_part_is_what_it_would_be_alone() -> None:
    whole = metrics.read(MIXED, scale=SAID)
    part = whole.on_criteria(["polite", "cites"])
    alone = metrics.read(b"\n".join(line for line in MIXED.split(b"\n") if b"depth" not in line and b"better" not in line))
    assert part.criteria == alone.criteria == ("cites", "polite")
    assert part.scheme.classes == ("MET", "UNMET")
    assert part.items.to_pylist() == alone.items.to_pylist()
    ours, theirs = metrics.agreement(part).to_dict(), metrics.agreement(alone).to_dict()
    assert ours["judges"] == theirs["judges"]
    assert ours["declaration"]["labels"]["positive"] == ["MET"]
    assert ours["declaration"]["rows"] == {
        "read": 13,
        "used": 6,
        "left_out": [{"reason": "on a criterion that is not counted here", "count": 7}],
    }


def test_the_ordinal_part_keeps_its_order_and_abstentions() -> None:
    part = metrics.read(MIXED, scale=SAID).on_criteria(["depth"])
    assert part.scheme.classes == ("1", "2", "3", "4", "5")
    assert part.scheme.of("abstention") == ("CANNOT_ASSESS", "NA")
    assert metrics.agreement(part).judges["judge"].micro.n == 3
    assert metrics.agreement(part).judges["judge"].coverage.n_total == 4


def test_a_label_of_two_scales_is_what_each_of_them_says() -> None:
    rows = [("a", "1", "0"), ("a", "0", "0"), ("a", "1", "1"), ("b", "1", "2"), ("b", "5", "0"), ("b", "3", "4")]
    text = "\n".join(["item,criterion,human,verdict", *(f"i{n},{c},{h},{v}" for n, (c, h, v) in enumerate(rows))]).encode()
    ratings = metrics.read(text, scale={"a": "binary", "b": "ordinal"})
    assert ratings.on_criteria(["a"]).scheme.classes == ("1", "0")
    assert ratings.on_criteria(["b"]).scheme.classes == ("0", "1", "2", "3", "4", "5")
    report = metrics.agreement(ratings.on_criteria(["a"])).judges["judge"].micro
    assert report.confusion.tolist() == [[1, 1], [0, 1]]


def test_a_side_that_nobody_chose_has_its_name() -> None:
    rows = b"item,criterion,human,verdict\nq1,a,yes,yes\nq2,a,yes,yes\nq1,b,1,2\nq2,b,4,3\n"
    part = metrics.read(rows, scale={"b": "ordinal"}).on_criteria(["a"])
    assert part.scheme.classes == ("yes", "no")


def test_runs_go_with_their_criteria() -> None:
    rows = b"""item,criterion,judge,run,human,verdict
q1,a,g,1,MET,MET
q1,a,g,2,MET,UNMET
q2,a,g,1,UNMET,UNMET
q1,b,g,1,3,4
q1,b,g,2,3,2
q2,b,g,1,4,4
"""
    part = metrics.read(rows, scale={"b": "ordinal"}).on_criteria(["a"])
    assert part.runs is not None
    assert [part.labels[code] for code in part.runs.label] == ["MET", "UNMET"]
    assert part.left_out.counts() == {"on a criterion that is not counted here": 3}
    assert metrics.self_agreement(part)[0].n_decisions == 1


def test_all_criteria_are_the_ratings_themselves() -> None:
    ratings = metrics.read(MIXED, scale=SAID)
    assert ratings.on_criteria(ratings.criteria) is ratings
    assert ratings.on_criteria(["depth"]) is ratings.on_criteria(["depth"])
    with pytest.raises(InputError, match=r"no criterion is called ‘tone’. Criteria: cites, polite, depth, better"):
        ratings.on_criteria(["tone"])
    with pytest.raises(InputError, match=r"name at least one"):
        ratings.on_criteria([])


def test_agreement_says_that_scales_are_mixed_and_declares_them() -> None:
    report = metrics.agreement(metrics.read(MIXED, scale=SAID), interval="none")
    assert "mixed_scales" in {warning.code for warning in report.warnings}
    assert report.to_dict()["declaration"]["scales"]["depth"] == "ordinal"
    assert report.declaration.scale_words() == "2 binary, 1 ordinal and 1 pairwise criteria"
    assert report.declaration.scale_words("depth") == "ordinal"
    plain = metrics.agreement(metrics.read(long([("MET", "UNMET"), ("UNMET", "UNMET")])), interval="none")
    assert "scales" not in plain.to_dict()["declaration"]
    assert not [warning for warning in plain.warnings if warning.code == "mixed_scales"]


@pytest.mark.parametrize("count", [metrics.agreement, metrics.raters, metrics.roc])
def test_scores_are_no_labels(count) -> None:
    scores = metrics.read(long([("0.5", "0.25"), ("3", "NA")]), scale="continuous")
    with pytest.raises(InputError, match=r"every criterion is on a continuous scale.*metrics\.scores"):
        count(scores)


def test_the_way_to_the_other_criteria_is_named() -> None:
    text = MIXED + b"q1,length,0.1,0.25\nq2,length,0.7,0.55\n"
    ratings = metrics.read(text, scale=SAID | {"length": "continuous"})
    with pytest.raises(InputError, match=r'length: on a continuous scale.*criteria=\["cites", "polite", "depth", "better"\]'):
        metrics.agreement(ratings)
    assert metrics.agreement(ratings.on_criteria(["cites"])).judges["judge"].micro.n == 3
    assert metrics.read(text, scale=SAID | {"length": "continuous"}, criteria=["cites"]).criteria == ("cites",)


def test_numbers_are_scores_and_words_keep_their_meaning() -> None:
    ratings = metrics.read(
        long([("0.5", '"0,25"'), ("3", "NA"), ("1e2", "error: timeout"), ("2", "good"), ("", "")]), scale="continuous"
    )
    by_human = ratings.rater == ratings.code("human", "human")
    assert ratings.score is not None
    assert ratings.score[by_human].tolist() == [0.5, 3, 100, 2]
    np.testing.assert_array_equal(ratings.score[~by_human], [0.25, np.nan, np.nan])
    states = [ratings.scheme.state("abstention"), ratings.scheme.state("error")]
    assert ratings.state[~by_human].tolist() == [0, *states]
    assert ratings.left_out.counts() == {"no label": 1}
    assert any("1 cell of ‘verdict’ holds neither a number nor a word for no verdict (‘good’)" in n for n in ratings.source.notes)


def test_a_number_that_stands_for_no_rating_is_none() -> None:
    ratings = metrics.read(long([("0.5", "99"), ("3", "1.5")]), scale="continuous", labels={"99": "abstention"})
    assert ratings.state.tolist().count(ratings.scheme.state("abstention")) == 1


def test_a_score_column_counts_before_the_number_of_the_label() -> None:
    text = b"item,human,verdict,score\nq1,1,0.5,0.55\nq2,2,0.7,\n"
    ratings = metrics.read(text, scale="continuous")
    assert ratings.score is not None
    assert ratings.score.tolist() == [1, 2, 0.55, 0.7]
    assert "‘verdict’ and ‘score’ hold different numbers in 1 row: those of ‘score’ count." in ratings.source.notes


def test_numbers_repeated_beside_several_humans_must_be_one() -> None:
    head = b"item,rater,human,verdict\nq1,ana,1,0.5\n"
    assert metrics.read(head + b"q1,ben,2,0.5\n", scale="continuous").n_items == 1
    with pytest.raises(InputError, match=r"differs between row 2 .‘0.5’. and row 3 .‘0.75’."):
        metrics.read(head + b"q1,ben,2,0.75\n", scale="continuous")


def test_one_criterion_of_a_wide_file_is_continuous() -> None:
    text = b"id,human_tone,gpt_tone,human_len,gpt_len\nq1,MET,UNMET,0.5,0.75\nq2,UNMET,UNMET,0.1,0.2\n"
    columns = {
        "item": "id", "human:human::tone": "human_tone", "judge:gpt::tone": "gpt_tone",
        "human:human::len": "human_len", "judge:gpt::len": "gpt_len",
    }  # fmt: skip
    ratings = metrics.read(text, columns=columns, scale={"len": "continuous"})
    assert scales_of(ratings).declaration() == {"tone": "binary", "len": "continuous"}
    own = ratings.criterion == ratings.criteria.index("len")
    assert ratings.score is not None
    assert ratings.score[own].tolist() == [0.5, 0.1, 0.75, 0.2]
    assert np.isnan(ratings.score[~own]).all()
    assert ratings.on_criteria(["tone"]).scheme.classes == ("MET", "UNMET")


def test_many_numbers_are_asked_not_guessed() -> None:
    rows = long([(f"{n / 60:.4f}", f"{n / 59:.4f}") for n in range(60)])
    with pytest.raises(InputError, match=r'holds 60 different numbers.*If this is right: scale="continuous"$'):
        metrics.read(rows)
    with pytest.raises(InputError, match=r"different values. Is it free text, or a score"):
        metrics.read(rows, scale="ordinal")
    some = rows + b"\n" + long([("MET", "UNMET"), ("MET", "MET")], "d").split(b"\n", 1)[1].replace(b"i", b"j")
    with pytest.raises(InputError, match=r'Confirm for c that.*scale={"c": "continuous"}'):
        metrics.read(some)
    assert scales_of(metrics.read(some, scale={"c": "continuous"})).declaration() == {"c": "continuous", "d": "binary"}


def test_scores_beside_yes_and_no_belong_in_a_score_column() -> None:
    rows = long([("MET", f"{n / 60:.4f}") for n in range(60)])
    with pytest.raises(InputError, match=r"different values. Is it free text, or a score"):
        metrics.read(rows)


@pytest.mark.parametrize(
    ("scale", "says"),
    [
        ("likert", "‘likert’ .* is no scale. Scales: binary, pairwise, ordinal, continuous, nominal"),
        ({"tone": "ordinal"}, "no criterion is called ‘tone’. Criteria: c"),
        ("binary", "criterion ‘c’ cannot be binary; its labels are ‘1’, ‘2’, ‘3’"),
    ],
)
def test_a_scale_that_cannot_be_is_refused(scale, says: str) -> None:
    with pytest.raises(InputError, match=says):
        metrics.read(long([("1", "2"), ("3", "1")]), scale=scale, labels=dict.fromkeys("123", "class"))


def test_words_without_order_are_not_ordinal() -> None:
    rows = long([("plain", "fancy"), ("bold", "bold")])
    with pytest.raises(
        InputError, match=r"‘plain’, ‘bold’, ‘fancy’ have no place yet. Give the order of all labels, low to high, with order="
    ):
        metrics.read(rows, scale="ordinal")
    assert metrics.read(rows, scale="ordinal", order=["plain", "bold", "fancy"]).scheme.classes == ("plain", "bold", "fancy")


def test_all_stands_for_those_not_named() -> None:
    assert stated_scales({"all": "ordinal", "b": "binary"}, ("a", "b", "c"), "f") == {
        "a": "ordinal",
        "b": "binary",
        "c": "ordinal",
    }
    assert stated_scales(None, ("a",), "f") == {}


def test_a_given_scale_stands_over_the_proposed() -> None:
    ratings = metrics.read(MIXED, scale=SAID)
    assert scales_of(ratings, {"depth": "nominal"}).on("depth").scale == "nominal"
    assert scales_of(ratings).on("depth").scale == "ordinal"


def test_a_table_of_counts_holds_no_scores() -> None:
    text = b"human,judge,n\n1,1,3\n1,2,4\n2,2,5\n3,1,2\n"
    with pytest.raises(InputError, match=r"its labels are classes, no scores"):
        metrics.read(text, scale="continuous")
    assert scales_of(metrics.read(text)).declaration() == {"overall": "ordinal"}


@pytest.mark.parametrize(
    ("name", "how", "declared"),
    [
        ("topicalchat_unieval.csv", {"scale": "continuous"}, "continuous"),
        ("viescore_t2i.csv", {"scale": "continuous"}, "continuous"),
        ("viescore_t2i.csv", {"scale": "ordinal"}, "ordinal"),
        ("viescore_t2i_raters.csv", {"scale": "ordinal"}, "ordinal"),
        ("llmrubric_real_ordinal.csv", {"scale": "ordinal"}, "ordinal"),
        ("llmrubric_real_binary.csv", {}, "binary"),
        ("mtbench_gpt4_pairwise.csv", {"scale": "pairwise"}, "pairwise"),
        ("pandalm_pairwise.csv", {"scale": "pairwise"}, "pairwise"),
        ("llmbar_natural.csv", {"scale": "pairwise"}, "pairwise"),
        ("xstest_refusal.csv", {"scale": "nominal"}, "nominal"),
    ],
)
def test_real_files_open_with_one_line(name: str, how: dict[str, str], declared: str) -> None:
    ratings = metrics.read(data(name), **how)
    scales = scales_of(ratings)
    assert scales.used == (declared,)
    assert ratings.rows_used + len(ratings.left_out.rows) == ratings.source.rows


def test_scores_of_a_real_file_are_the_numbers_of_its_cells() -> None:
    import pandas as pd

    frame = pd.read_csv(data("topicalchat_unieval.csv"))
    ratings = metrics.read(data("topicalchat_unieval.csv"), scale="continuous")
    assert ratings.score is not None
    by_judge = np.array([rater.role == "judge" for rater in ratings.raters])[ratings.rater]
    np.testing.assert_array_equal(ratings.score[by_judge], frame["verdict"].to_numpy()[ratings.row[by_judge]])
    np.testing.assert_array_equal(ratings.score[~by_judge], frame["human"].to_numpy()[ratings.row[~by_judge]])


@pytest.mark.parametrize(
    ("name", "mixed"),
    [
        ("topicalchat_unieval.csv", {"coherence", "naturalness", "overall"}),
        ("viescore_t2i.csv", {"PQ", "SC"}),
        ("llmrubric_real_ordinal.csv", set()),
    ],
)
def test_sides_in_two_units_are_told_by_their_numbers(name: str, mixed: set[str]) -> None:
    ratings = metrics.read(data(name), scale="continuous")
    assert ratings.score is not None
    by_judge = np.array([rater.role == "judge" for rater in ratings.raters])[ratings.rater]
    found = set()
    for place, criterion in enumerate(ratings.criteria):
        own = ratings.criterion == place
        if two_units(ratings.score[own & ~by_judge], ratings.score[own & by_judge]):
            found.add(criterion)
    assert found == mixed


@pytest.mark.parametrize(
    ("human", "judge", "says"),
    [
        (
            [1, 2, 3, 2],
            [0.1, 0.9, 0.4],
            "Half of the human's numbers lie well above everything the judge says (human 1 to 3; judge 0.1 to 0.9)",
        ),
        (
            [0, 0.5, 1],
            [7, 8, 0.5],
            "Half of the judge's numbers lie well above everything the human says (human 0 to 1; judge 0.5 to 8)",
        ),
        ([5, 1, 9], [20, 2, 30], "Half of the judge's numbers lie well above everything the human says"),
        ([1, 2, 5, 5, 5], [3, 3, 3], ""),
        ([1, 2, 3, 4], [2.9, 3.1, 3], ""),
        ([1, 2, 3], [2, 3, 4], ""),
        ([0.5, 1, 1], [0.1, 0.5, 0.99], ""),
        ([1], [9, 9], ""),
        ([np.nan, 1], [9, 9], ""),
    ],
)
def test_two_units(human, judge, says: str) -> None:
    assert two_units(human, judge).startswith(says)
    assert bool(two_units(human, judge)) == bool(says)


@pytest.mark.parametrize(
    ("human", "judge", "says"),
    [
        (range(1, 11), range(2, 21, 2), "the judge’s numbers go from 2 to 20, the human’s from 1 to 10."),
        ([1, 2, 3, 4, 5] * 3, [0, 1, 2, 3, 4] * 3, "the judge’s numbers go from 0 to 4, the human’s from 1 to 5."),
        ([0.1, 0.5, 0.9] * 4, [10, 50, 90] * 4, "the judge’s numbers go from 10 to 90, the human’s from 0.1 to 0.9."),
        ([1, 2, 3, 4, 5] * 3, [5, 4, 3, 2, 1] * 3, ""),
        ([1, 2, 3, 4, 5] * 3, [2, 3, 4, 5, 5] * 3, ""),
        ([1, 2, 3, 4, 5] * 3, [1, 2, 3, 4, 5] * 3, ""),
        # One number far off sets an end, and leaves the rest farther apart than before.
        ([1, 2, 3, 4, 5] * 3, [1, 2, 3, 4, 5] * 2 + [1, 2, 3, 4, 500], ""),
        ([1, 2, 3, 4], [10, 20, 30, 40], ""),
        ([3] * 12, range(12), ""),
        ([np.nan, 1, 2, 3] * 4, [7, 0, 1, 2] * 4, "the judge’s numbers go from 0 to 2, the human’s from 1 to 3."),
        (range(1, 11), range(10), "the judge’s numbers go from 0 to 9, the human’s from 1 to 10."),
        # One range of many steps, a little lower: a mean error.
        ([*range(73, 89, 2), 90, 91], [*range(71, 87, 2), 88, 89], ""),
        ([0.12, 0.3, 0.31, 0.5, 0.84] * 3, [0.1, 0.27, 0.29, 0.48, 0.81] * 3, ""),
        (range(73, 92, 2), range(10, 101, 10), "the judge’s numbers go from 10 to 100, the human’s from 73 to 91."),
    ],
)
def test_ends_that_may_be_two_scales(human, judge, says: str) -> None:
    human, judge = list(human), list(judge)
    assert other_ends(human, judge).startswith(says)
    assert bool(other_ends(human, judge)) == bool(says)
    pairs, times = np.unique(np.array([human, judge], float), axis=1, return_counts=True)
    assert other_ends(*pairs, times) == other_ends(human, judge)


def test_a_rubric_in_the_file_says_the_scales() -> None:
    run = shared("formats/examples/autorubric")
    ratings = metrics.read([run / "dataset.json", run / "experiment_single"])
    scales = scales_of(ratings)
    assert scales.declaration() == {"correctness": "binary", "invents_policy": "binary", "clarity": "ordinal"}
    assert scales.on("clarity").classes == ("Unclear", "Acceptable", "Clear")
    assert ratings.on_criteria(["clarity"]).scheme.classes == ("Unclear", "Acceptable", "Clear")
    part = ratings.on_criteria(scales.two_sided)
    assert part.scheme.classes == ("MET", "UNMET")
    assert [own.name for own in part.source.rubric] == ["correctness", "invents_policy"]
    assert metrics.agreement(part).declaration.scale_words() == "binary"


@pytest.mark.parametrize("scale", ["nominal", "ordinal"])
@pytest.mark.parametrize("order", [None, ["1", "2", "3"]])
def test_raters_with_one_label_on_a_criterion_are_undefined_there(scale: str, order: list[str] | None) -> None:
    """Not a refusal in the words of the code: the other criteria have their numbers, and this one its reason."""
    who = [("ana", "human"), ("ben", "human"), ("gpt", "judge")]
    rows = [
        f"i{n},{c},{name},{role},{'3' if c == 'b' else 'no' if n % 3 == 0 and not (n == 3 and name == 'ben') else 'yes'}"
        for n in range(12)
        for c in "ab"
        for name, role in who
    ]
    ratings = metrics.read("\n".join(["item,criterion,rater,role,label", *rows]).encode(), scale={"b": scale}, order=order)
    for report in (metrics.raters(ratings), metrics.raters(ratings.on_criteria(["b"]))):
        assert report.criteria["b"].undefined["alpha"] == "only one label is given"
    assert 0 < metrics.raters(ratings).criteria["a"].values["alpha"] < 1
    block = metrics.agreement(ratings.on_criteria(["b"])).judges["gpt"].micro
    assert (block.n, block.values["accuracy"], "kappa" in block.undefined) == (12, 1, True)
    assert OTHER_LABEL not in ratings.on_criteria(["a"]).scheme.classes


def two_columns(pairs: list[tuple[object, object]]) -> bytes:
    return "\n".join(["item,human,verdict", *(f"i{place},{one},{other}" for place, (one, other) in enumerate(pairs))]).encode()


APART = [(place % 3 / 2, 10 * ((place + place // 7) % 3) / 2) for place in range(60)]
"""People give 0, 0.5 and 1, the judge 0, 5 and 10."""


def test_numbers_in_two_units_are_proposed_as_scores() -> None:
    with pytest.raises(metrics.InputError, match="those of the human from 0 to 1 and those of the judge from 0 to 10") as raised:
        metrics.read(two_columns(APART))
    assert 'scale="continuous"' in str(raised.value)
    with pytest.raises(metrics.InputError, match=r"are numbers\. Confirm them as classes"):
        metrics.read(two_columns([(one, other / 10) for one, other in APART]))


@pytest.mark.parametrize(
    "stated",
    [
        {"scale": "ordinal"},
        {"order": ["0.0", "0.5", "1.0", "5.0", "10.0"]},
        {"labels": dict.fromkeys(["0.0", "0.5", "1.0", "5.0", "10.0"], "class")},
    ],
    ids=["scale", "order", "labels"],
)
def test_numbers_in_two_units_stay_labels_where_somebody_says_so(stated: dict) -> None:
    assert scales_of(metrics.read(two_columns(APART), **stated)).used == ("ordinal",)
