"""A judge that gives numbers where people say yes or no: asked for a threshold, then counted, with its numbers as scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, roc_auc_score

import metrics
from metrics.data.threshold import Threshold, threshold_in
from metrics.errors import InputError
from metrics.readers import build, open_table, propose
from metrics.readers.proposing import confirmed
from metrics.readers.read_lines import completed
from metrics.report.making import report_of

RNG = np.random.default_rng(11)
TRUTH = RNG.random(80) < 0.5
NUMBERS = np.clip(TRUTH * 2 + RNG.integers(1, 4, 80), 1, 5)
RULE = {">=3": "positive"}


def pairs(words: tuple[str, str] = ("fail", "pass"), head: str = "item,human,verdict", numbers: object = NUMBERS) -> bytes:
    rows = [f"i{place},{words[int(truth)]},{number}" for place, (truth, number) in enumerate(zip(TRUTH, numbers, strict=True))]
    return "\n".join([head, *rows]).encode()


def wide() -> bytes:
    rows = [
        f"i{place},{('no', 'yes')[int(truth)]},{number},{6 - number}"
        for place, (truth, number) in enumerate(zip(TRUTH, NUMBERS, strict=True))
    ]
    return "\n".join(["item,ana,a,b", *rows]).encode()


def long(*, beside: bool) -> bytes:
    """Ratings in rows, the judge's number in the place of its label or in a column of scores."""
    rows = []
    for place, (truth, number) in enumerate(zip(TRUTH, NUMBERS, strict=True)):
        rows.append(f"i{place},h,human,{('no', 'yes')[int(truth)]},")
        rows.append(f"i{place},j,judge,{f',{number}' if beside else f'{number},'}")
    return "\n".join(["item,rater,role,label,score", *rows]).encode()


def kappa(above: float = 3) -> float:
    return float(cohen_kappa_score(TRUTH, above <= NUMBERS))


def value(ratings: metrics.Ratings, judge: str | None = None) -> float:
    judges = metrics.agreement(ratings, interval="none").judges
    return float(judges[judge or next(iter(judges))].micro["kappa"].value)


@pytest.mark.parametrize("words", [("fail", "pass"), ("0", "1"), ("no", "yes")])
def test_numbers_against_yes_and_no_are_asked_for_a_threshold(words: tuple[str, str]) -> None:
    with pytest.raises(InputError, match="from which number on the judge’s answer is positive") as raised:
        metrics.read(pairs(words))
    assert 'labels={">=3": "positive"}' in str(raised.value)
    ratings = metrics.read(pairs(words), labels=RULE)
    assert ratings.scheme.classes == words[::-1]
    assert value(ratings) == pytest.approx(kappa(), abs=1e-12)


def test_the_numbers_stay_as_scores() -> None:
    ratings = metrics.read(pairs(), labels={">=4": "positive"})
    assert value(ratings) == pytest.approx(kappa(4), abs=1e-12)
    curve = metrics.roc(ratings, interval="none", holding_out="none").judges["judge"].pooled.curve
    assert curve is not None
    assert curve.area.value == pytest.approx(roc_auc_score(TRUTH, NUMBERS), abs=1e-12)


def test_a_column_of_scores_stands_for_a_verdict_that_is_not_there() -> None:
    with pytest.raises(InputError, match="verdict is ‘score’"):
        metrics.read(pairs(head="item,human,score"))
    ratings = metrics.read(pairs(head="item,human,score"), columns={"verdict": "score"}, labels=RULE)
    assert value(ratings) == pytest.approx(kappa(), abs=1e-12)
    assert np.isfinite(ratings.score).sum() == len(NUMBERS)


@pytest.mark.parametrize("beside", [False, True])
def test_rows_of_raters(beside: bool) -> None:
    ratings = metrics.read(long(beside=beside), labels=RULE)
    assert value(ratings) == pytest.approx(kappa(), abs=1e-12)
    assert np.isfinite(ratings.score).sum() == len(NUMBERS)


def test_columns_of_several_judges() -> None:
    ratings = metrics.read(wide(), columns={"human:ana": "ana", "judge:a": "a", "judge:b": "b"}, labels=RULE)
    assert value(ratings, "a") == pytest.approx(kappa(), abs=1e-12)
    assert value(ratings, "b") == pytest.approx(float(cohen_kappa_score(TRUTH, NUMBERS <= 3)), abs=1e-12)


def test_less_may_be_better_and_a_comma_is_a_point() -> None:
    ratings = metrics.read(pairs(), labels={"<=2,5": "positive"})
    assert value(ratings) == pytest.approx(float(cohen_kappa_score(TRUTH, NUMBERS <= 2.5)), abs=1e-12)


def test_a_silent_judge_stays_silent() -> None:
    numbers = [*NUMBERS[:-1], "CANNOT_ASSESS"]
    coverage = metrics.agreement(metrics.read(pairs(numbers=numbers), labels=RULE)).judges["judge"].coverage
    assert (coverage.n_total, coverage.n_covered) == (80, 79)


def test_a_threshold_is_settled_like_other_answers_and_reads_back() -> None:
    proposal = propose(open_table(pairs()))
    assert (proposal.threshold, proposal.threshold_in_doubt) == (">=3", True)
    assert proposal.labels_answer == RULE
    stated = propose(open_table(pairs()), labels=proposal.labels_answer)
    assert (stated.threshold, stated.threshold_in_doubt, stated.blocking) == (">=3", False, ())
    assert "counts as positive where it is 3 or more." in " ".join(stated.notes)
    assert build(open_table(pairs()), confirmed(proposal)).source.how.threshold_words == "3 or more"


@pytest.mark.parametrize(
    "stated",
    [{"scale": "continuous"}, {"labels": {**{str(n): "class" for n in range(1, 6)}, "0": "class"}}],
    ids=["scores", "classes"],
)
def test_who_says_what_the_numbers_are_is_not_asked(stated: dict) -> None:
    assert propose(open_table(pairs(("0", "1"))), **stated).threshold == ""


@pytest.mark.parametrize(
    ("words", "numbers"),
    [(("fail", "pass"), np.where(TRUTH, "pass", "fail")), (("1", "5"), NUMBERS), (("0", "1"), TRUTH.astype(int))],
    ids=["labels on both sides", "numbers on both sides", "0 and 1 on both sides"],
)
def test_labels_that_match_are_never_asked_for_one(words: tuple[str, str], numbers: object) -> None:
    assert propose(open_table(pairs(words, numbers=numbers))).threshold == ""


def test_the_middle_is_proposed() -> None:
    assert str(Threshold.between(np.array([1.0, 5.0]))) == ">=3"
    assert str(Threshold.between(np.array([0.1, 0.2]))) == ">=0.5"
    assert str(Threshold.between(np.array([0.0, 100.0]))) == ">=50"


def test_what_a_threshold_may_say() -> None:
    assert threshold_in({">= 3": "positive", "n/a": "missing"}) == (Threshold(3.0), {"n/a": "missing"})
    assert threshold_in({">=3": "positive", "<=0.25": "positive"})[0] == Threshold(0.25, above=False)
    assert threshold_in(None) == (None, {})
    with pytest.raises(InputError, match="which says what is positive"):
        threshold_in({">=3": "negative"})


def test_headers_and_words_of_a_feedback_export_need_no_answer_but_the_threshold() -> None:
    rows = [
        f"c{place},{criterion},{('thumbs down', 'thumbs up')[int(truth)]},{number / 5},{('de', 'en')[place % 2]}"
        for place, (truth, number) in enumerate(zip(TRUTH, NUMBERS, strict=True))
        for criterion in ("helpful", "polite")
    ]
    proposal = propose(open_table("\n".join(["conversation,criterion,human_label,llm_score,language", *rows]).encode()))
    assert dict(proposal.columns) == {
        "criterion": "criterion", "human": "human_label", "verdict": "llm_score", "item": "conversation",
    }  # fmt: skip
    assert [doubt.about for doubt in proposal.blocking if doubt.about != "columns"] == ["labels"]
    assert proposal.threshold == ">=0.5"


def test_whoever_reads_the_first_answer_is_told_that_a_threshold_was_chosen() -> None:
    ratings = metrics.read(pairs(), labels=RULE)
    overview = metrics.overview(ratings)
    texts = [step.text for step in overview.next if step.key == "roc"]
    assert texts == ["See how judge does at other thresholds: 3 or more is a choice, not an answer of the judge."]
    assert overview.to_dict()["declaration"]["threshold"] == "3 or more"
    said = report_of(ratings).methods
    assert "A judge’s number is positive at 3 or more." in said


def test_the_line_to_read_it_again_names_no_column_that_the_threshold_made(tmp_path: Path) -> None:
    path = tmp_path / "scored.csv"
    path.write_text("id,human,judge\n" + "\n".join(f"i{i},{'yes' if i % 2 else 'no'},{i % 9 + 0.5}" for i in range(40)))
    said = {"columns": {"verdict": "judge", "item": "id"}, "labels": {">=5": "positive"}}
    ratings = metrics.read(path, **said)
    how = completed(ratings)
    assert "score" not in dict(how.columns)
    again = metrics.read(path, columns=dict(how.columns), labels=dict(how.labels))
    assert metrics.agreement(again).to_dict()["judges"] == metrics.agreement(ratings).to_dict()["judges"]


@pytest.mark.parametrize(
    ("column", "words", "sign"),
    [
        ("error_score", ("wrong", "correct"), "<="), ("toxicity_rating", ("unsafe", "safe"), "<="),
        ("error_score", ("no", "yes"), ">="), ("harmlessness_score", ("unsafe", "safe"), ">="),
        ("llm_score", ("wrong", "correct"), ">="),
    ],
)  # fmt: skip
def test_of_numbers_that_count_faults_by_their_name_the_low_ones_are_proposed_as_good(column, words, sign) -> None:
    shares = np.round(np.clip(TRUTH * 0.3 + RNG.random(80) * 0.6, 0, 1), 4)
    proposal = propose(open_table(pairs(words, f"item,human_label,{column}", shares)), columns={"verdict": column})
    assert proposal.threshold == f"{sign}0.5"
    asked = " ".join(doubt.sentence for doubt in proposal.doubts)
    assert ("up to which number the judge’s answer is positive" in asked) == (sign == "<=")
