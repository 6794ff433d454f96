"""Golden decisions and unlabelled verdicts of a file."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.analyses.settings import settings_of
from metrics.analyses.true_rate.compute import correct_prevalence
from metrics.analyses.true_rate.measured import measured
from metrics.analyses.true_rate.readings import quote, reading, same_rows


def file_of(build_ratings, cells, alone, criterion="c"):
    """Ratings with these labelled counts TP, FN, FP, TN and unlabelled positives and negatives."""
    rows, i = [], 0
    pairs = zip(cells, (("MET", "MET"), ("MET", "UNMET"), ("UNMET", "MET"), ("UNMET", "UNMET")), strict=True)
    for count, (human, judge) in pairs:
        for _ in range(count):
            rows += [(f"i{i}", criterion, "h", "human", human), (f"i{i}", criterion, "j", "judge", judge)]
            i += 1
    for count, judge in zip(alone, ("MET", "UNMET"), strict=True):
        for _ in range(count):
            rows.append((f"i{i}", criterion, "j", "judge", judge))
            i += 1
    return rows


def test_labelled_and_unlabelled_answers(build_ratings) -> None:
    ratings = build_ratings(file_of(build_ratings, (30, 5, 4, 61), (80, 220)))
    found = measured(ratings, "j", settings_of(ratings))
    assert found.golden.counts.tolist() == [[30, 5], [4, 61]]
    assert (found.alone_positive, found.alone) == (80, 300)
    seen = found.verification
    assert (seen.positive_labelled, seen.positive, seen.negative_labelled, seen.negative) == (34, 114, 66, 286)
    assert found.note == ""
    report = metrics.agreement(ratings).judges["j"].micro
    assert found.golden.youden_j.ends == report["youden_j"].ends


def test_only_judge_positives_labelled_is_refused(build_ratings) -> None:
    ratings = build_ratings(file_of(build_ratings, (30, 0, 14, 0), (0, 220)))
    found = measured(ratings, "j", settings_of(ratings))
    corrected = correct_prevalence(44, 264, found.golden, labelled=found.verification)
    assert corrected.undefined.startswith("Only answers the judge called positive carry human labels")


def test_one_criterion_or_all(build_ratings) -> None:
    rows = file_of(build_ratings, (30, 5, 4, 61), (8, 22)) + file_of(build_ratings, (10, 15, 4, 71), (3, 27), "d")
    ratings = build_ratings(rows)
    settings = settings_of(ratings)
    one, both = measured(ratings, "j", settings, "d"), measured(ratings, "j", settings)
    assert one.golden.counts.tolist() == [[10, 15], [4, 71]]
    assert (one.alone_positive, one.alone, one.note) == (3, 30, "")
    assert one.scope == "criterion d"
    assert both.scope == "pooled over 2 criteria, decisions taken as independent"
    assert both.golden.counts.tolist() == [[40, 20], [8, 132]]
    assert "are correlated" in both.note
    assert both.golden.youden_j.ends == metrics.agreement(ratings).judges["j"].micro["youden_j"].ends


def test_abstentions_follow_the_mode(build_ratings) -> None:
    rows = file_of(build_ratings, (30, 5, 4, 61), (8, 22))
    rows += [("x1", "c", "j", "judge", "CA"), ("x2", "c", "h", "human", "CA"), ("x2", "c", "j", "judge", "MET")]
    ratings = build_ratings(rows)
    dropped = measured(ratings, "j", settings_of(ratings))
    recoded = measured(ratings, "j", settings_of(ratings, abstention="as_unmet"))
    third = measured(ratings, "j", settings_of(ratings, abstention="as_category"))
    assert (dropped.alone_positive, dropped.alone) == (third.alone_positive, third.alone) == (8, 30)
    assert (recoded.alone_positive, recoded.alone) == (8, 31)
    assert recoded.golden.fp == dropped.golden.fp + 1


@pytest.mark.parametrize("open_cells", [0, 4])
def test_the_measured_rate_counts_verdicts_the_reference_leaves_open(build_ratings, open_cells: int) -> None:
    """The judge's own share rests on what the judge said; the golden set and the paired shares keep to what both said."""
    rows = file_of(build_ratings, (30, 5, 4, 61), (2, 1))
    for i in range(open_cells):
        rows += [(f"o{i}", "c", "h", "human", "CA"), (f"o{i}", "c", "j", "judge", "MET" if i else "UNMET")]
    rows += [("s", "c", "h", "human", "MET"), ("s", "c", "j", "judge", "CA")]
    ratings = build_ratings(rows)
    own = measured(ratings, "j", settings_of(ratings))
    assert own.start == ((36, 103) if not open_cells else (39, 107))
    assert own.golden.counts.tolist() == [[30, 5], [4, 61]]
    assert "100 decisions of the golden set the reference says MET in 35.0\u00a0%, the judge in 34.0\u00a0%" in same_rows(own)
    assert (own.alone_positive, own.alone) == (2, 3)


def test_refusals(build_ratings) -> None:
    ratings = build_ratings(file_of(build_ratings, (3, 1, 1, 3), (1, 1)))
    with pytest.raises(metrics.InputError, match="no criterion"):
        measured(ratings, "j", settings_of(ratings), "zzz")
    empty = build_ratings([("a", "c", "h", "human", "MET"), ("b", "c", "j", "judge", "MET")])
    with pytest.raises(metrics.InputError, match="no decision has a verdict"):
        measured(empty, "j", settings_of(empty))


@pytest.mark.parametrize("kind", ["guesses", "credited", "plain"])
def test_pooled_rates_that_credit_knowing_the_criterion_are_told(kind: str) -> None:
    """Verdicts drawn at each criterion's own rate; right on most of two criteria; and so where labels are as frequent on both."""
    rng, rows = np.random.default_rng(3), []
    for criterion, rate in (("a", 0.5), ("b", 0.5)) if kind == "plain" else (("a", 0.1), ("b", 0.9)):
        human = rng.random(80) < rate
        judge = rng.random(80) < rate if kind == "guesses" else human ^ (rng.random(80) < 0.2)
        rows += [f"{i},{criterion},j,{LABELS[h]},{LABELS[j]}" for i, (h, j) in enumerate(zip(human, judge, strict=True))]
    ratings = metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows]).encode())
    pooled = measured(ratings, "j", settings_of(ratings))
    assert ("credit the judge for knowing which criterion is common" in pooled.note) == (kind == "credited")
    assert ("the criteria differ in their label rates" in pooled.golden.unlike_within) == (kind == "guesses")
    assert measured(ratings, "j", settings_of(ratings), "a").note == ""


LABELS = {True: "MET", False: "UNMET"}


def of_golden(build_ratings, cells) -> tuple[str, str]:
    """What is read, and quoted, of a rate measured on the golden set itself."""
    ratings = build_ratings(file_of(build_ratings, cells, (0, 0)))
    own = measured(ratings, "j", settings_of(ratings))
    found, same = correct_prevalence(*own.start, own.golden), same_rows(own)
    return reading(found, "MET", same=same), quote(found, "j", "MET", same=same)


def test_on_the_golden_set_itself_the_paired_test_speaks(build_ratings) -> None:
    """25 misses and 5 false alarms: the intervals of two samples would overlap, the paired difference excludes 0."""
    for text in of_golden(build_ratings, (175, 25, 5, 35)):
        assert (
            "240 decisions of the golden set the reference says MET in 83.3\u00a0%, the judge in 75.0\u00a0%. Label-rate" in text
        )
        assert "the judge says MET less often than the reference, by 8.3\u00a0points" in text
        assert "s many new answers" in text
        assert "do not differ significantly" not in text
        assert "The raw rate lies" not in text


def test_on_the_golden_set_itself_errors_alike_show_no_direction(build_ratings) -> None:
    for text in of_golden(build_ratings, (170, 14, 12, 44)):
        assert "the reference says MET in 76.7\u00a0%, the judge in 75.8\u00a0%: −0.8\u00a0points [" in text
        assert "There is no significant label-rate bias." in text
        assert "often than the reference" not in text


def test_a_rate_of_answers_with_a_verdict_says_so_where_the_judge_leaves_others_open(build_ratings) -> None:
    """Where a judge abstains on one label the corrected rate of its verdicts left out the true one in half of such files."""
    rows = file_of(build_ratings, (30, 5, 4, 61), (80, 220))
    for at in range(20):
        human = "MET" if at < 2 else "UNMET"
        rows += [(f"open{at}", "c", "h", "human", human), (f"open{at}", "c", "j", "judge", "CA")]
    ratings = build_ratings(rows)
    note = measured(ratings, "j", settings_of(ratings)).note
    assert " ".join(note.split()) == (
        "The rates are those of answers with a verdict of the judge. Of golden decisions the reference says MET in 35 % of "
        "those, and in 10 % of the 20 others."
    )
    assert measured(ratings, "j", settings_of(ratings, abstention="as_unmet")).note == ""


def test_answers_without_a_verdict_are_said_too_where_only_unlabelled_ones_lack_it(build_ratings) -> None:
    rows = file_of(build_ratings, (30, 5, 4, 61), (80, 220))
    rows += [(f"open{at}", "c", "j", "judge", "CA") for at in range(20)]
    ratings = build_ratings(rows)
    assert measured(ratings, "j", settings_of(ratings)).note == (
        "The rate is that of answers with a verdict of the judge. 20 answers without a human label have none; what people would "
        "say of them is not known."
    )
    assert measured(ratings, "j", settings_of(ratings, abstention="as_unmet")).note == ""
