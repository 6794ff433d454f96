"""Labels of people that depend on the judge's verdict: nothing that they cannot tell is told, and every answer says so."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics import Ratings
from metrics.analyses.agreement.standing import LABELS_BY_VERDICT
from metrics.analyses.labelling import Verification
from metrics.commands.cli import main
from metrics.report.checklist.compute import checklist

N = 300
WHY = "people labelled only decisions that the judge calls yes"
Row = tuple[object, ...]
Labelled = Callable[[bool, float], bool]


def written(rows: Iterable[Row], head: str) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows([head.split(","), *rows])
    return text.getvalue().encode()


def one_judge(labelled: Labelled, *, n: int = N) -> bytes:
    """A judge that is right on four of five items; a person labels those that a rule chooses by its verdict and by lot."""
    rng, rows = np.random.default_rng(3), []
    for item in range(n):
        truth, lot = rng.random() < 0.5, rng.random()
        said = truth ^ (rng.random() < 0.2)
        rows.append((item, "j", word(truth) if labelled(said, lot) else "", word(said)))
    return written(rows, "item,judge,human,verdict")


def word(met: bool) -> str:
    return "yes" if met else "no"


def only_yes(said: bool, _lot: float) -> bool:
    return said


def mostly_yes(said: bool, lot: float) -> bool:
    return said or lot < 0.15


def by_lot(_said: bool, lot: float) -> bool:
    return lot < 0.4


def everything(_said: bool, _lot: float) -> bool:
    return True


def two_judges() -> bytes:
    """People labelled what judge a calls yes; b is another judge of the same items."""
    rng, rows = np.random.default_rng(1), []
    for item in range(N):
        truth = rng.random() < 0.6
        a, b = truth ^ (rng.random() < 0.2), truth ^ (rng.random() < 0.15)
        rows += [(item, judge, word(truth) if a else "", word(said)) for judge, said in (("a", a), ("b", b))]
    return written(rows, "item,judge,human,verdict")


def criteria() -> bytes:
    """Labels on c1 follow the verdict, c2 has every label, c3 none."""
    rng, rows = np.random.default_rng(1), []
    for item in range(200):
        for criterion in ("c1", "c2", "c3"):
            truth = rng.random() < 0.6
            said = truth ^ (rng.random() < 0.2)
            chosen = {"c1": mostly_yes(said, rng.random()), "c2": True, "c3": False}[criterion]
            rows.append((item, criterion, "j", word(truth) if chosen else "", word(said)))
    return written(rows, "item,criterion,judge,human,verdict")


def of_a_split() -> bytes:
    """People labelled the items for a test, of which fewer deserve a yes than of the live ones."""
    rng, rows = np.random.default_rng(1), []
    for item in range(400):
        test = item < 100
        truth = rng.random() < (0.5 if test else 0.9)
        rows.append((item, "j", word(truth) if test else "", word(truth ^ (rng.random() < 0.15)), "test" if test else "live"))
    return written(rows, "item,judge,human,verdict,split")


def verdict(ratings: Ratings) -> str:
    return " ".join(statement.text for statement in metrics.overview(ratings).verdict)


def test_where_one_verdict_alone_is_labelled_no_number_is_claimed_but_its_precision() -> None:
    ratings = metrics.read(one_judge(only_yes))
    judge = metrics.agreement(ratings).judges["j"]
    for block in (judge.micro, judge.macro, judge.item, judge.criteria["overall"]):
        assert {key for key, estimate in block.estimates.items() if estimate.defined} == {"precision"}
        assert block["recall"].why == block["kappa"].why == WHY
        assert not block.degenerate
    assert judge.micro.directions is None


def test_of_labels_on_the_negative_verdict_its_predictive_value_is_known() -> None:
    judge = metrics.agreement(metrics.read(one_judge(lambda said, lot: not said))).judges["j"]
    assert {key for key, estimate in judge.micro.estimates.items() if estimate.defined} == {"npv"}


def test_the_overview_gives_no_verdict_and_says_what_to_label() -> None:
    found = metrics.overview(metrics.read(one_judge(only_yes)))
    text = " ".join(statement.text for statement in found.verdict)
    assert text.startswith("No verdict on j can be given: people labelled only decisions that it calls yes (")
    assert "lenient" not in text
    assert "κ is 0" not in text
    assert "missed" not in text
    assert [step.text for step in found.next] == ["Label a random sample of the decisions that j calls no."]


def test_the_overview_begins_with_shares_labelled_and_claims_no_direction() -> None:
    text = verdict(metrics.read(one_judge(mostly_yes)))
    assert text.startswith("People labelled 100\u00a0% of the ")
    assert "so Cohen’s κ, error rates and bias are those of the labelled decisions, not of the file." in text
    assert "lenient" not in text
    assert "bias: the judge" not in text
    assert "label-rate bias" not in text


def test_agreement_says_it_before_its_numbers_and_names_no_side() -> None:
    report = metrics.agreement(metrics.read(one_judge(mostly_yes)))
    assert report.warnings[0].code == LABELS_BY_VERDICT
    assert report.summary().index("People labelled 100\u00a0% of the") < report.summary().index("Cohen")
    directions = report.judges["j"].micro.directions
    assert directions is not None
    assert directions.label_rates is None
    assert directions.error_rates is not None
    assert not directions.error_rates.sign
    assert directions.error_rates.reason
    assert report.judges["j"].micro["kappa"].defined


@pytest.mark.parametrize("made", [one_judge(by_lot), one_judge(everything), of_a_split()])
def test_nothing_is_said_of_labels_by_lot_of_all_labels_and_of_another_split(made: bytes) -> None:
    ratings = metrics.read(made)
    assert not [warning for warning in metrics.agreement(ratings).warnings if warning.code == LABELS_BY_VERDICT]
    assert "People labelled" not in verdict(ratings)
    assert "label-rate bias" in verdict(ratings)


def test_labels_chosen_by_one_judge_are_no_sample_for_another() -> None:
    ratings = metrics.read(two_judges())
    found = metrics.overview(ratings)
    text = " ".join(statement.text for statement in found.verdict)
    assert found.leader == "b"
    assert text.startswith("People labelled ")
    assert "No verdict can be given on a: people labelled only decisions that it calls yes (" in text
    assert found.next[0].text == "Label a random sample of the decisions that a calls no."
    compared = metrics.compare(ratings, "a", "b", margin=0.1)
    assert compared.winner is None
    assert not compared.difference.defined
    assert compared.difference.why == f"a: {WHY}"
    assert compared.held is not None
    assert compared.held.verdict == "undecided"
    assert [note[:20] for note in compared.notes[:2]] == ["a: People labelled o", "b: People labelled 7"]


def test_a_criterion_is_named_and_one_without_labels_does_not_count() -> None:
    judge = metrics.agreement(metrics.read(criteria())).judges["j"]
    assert judge.labelling is not None
    assert list(judge.labelling.criteria) == ["c1", "c2"]
    assert list(judge.labelling.bent) == ["c1"]
    directions = judge.criteria["c2"].directions
    assert directions is not None
    assert directions.label_rates is not None
    text = verdict(metrics.read(criteria()))
    assert text.startswith("On c1, which decisions people labelled depends on the verdict: they labelled 100\u00a0% of the ")


@pytest.mark.slow("simulates")
def test_random_labels_of_whole_items_are_rarely_taken_for_chosen_ones() -> None:
    found = 0
    for seed in range(60):
        rng, rows = np.random.default_rng(seed), []
        for item in range(40):
            easy, labelled = rng.random(), rng.random() < 0.5
            for criterion in "abcdefgh":
                truth = rng.random() < easy
                rows.append((item, criterion, "j", word(truth) if labelled else "", word(truth ^ (rng.random() < 0.1))))
        judge = metrics.agreement(metrics.read(written(rows, "item,criterion,judge,human,verdict")), interval="none").judges["j"]
        found += judge.labelling is not None and bool(judge.labelling.bent)
    assert found <= 2


def test_the_checklist_does_not_count_such_a_matrix_as_told() -> None:
    for labelled, said in ((only_yes, "labelled only decisions that j calls yes"), (mostly_yes, "labelled 100\u00a0% of the")):
        which = checklist(metrics.agreement(metrics.read(one_judge(labelled)))).practices[3]
        assert which.state == "not met"
        assert said in which.evidence[0]
        assert which.action == "Label a random sample of the decisions that j calls no."


def told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    return int(stop.value.code or 0), capsys.readouterr().err


def test_floors_fail_where_one_verdict_is_labelled_and_warn_where_more_of_one_is(tmp_path: Path, capsys) -> None:
    file = tmp_path / "labels.csv"
    file.write_bytes(one_judge(only_yes))
    code, said = told(["agreement", str(file), "--fail-under", "recall=0.85"], capsys)
    assert code == 1
    assert said == f"j: micro recall is undefined ({WHY}), so it is not known to reach 0.85.\n"
    assert told(["agreement", str(file), "--fail-under", "precision=0.5"], capsys) == (0, "")
    file.write_bytes(one_judge(mostly_yes))
    summary = tmp_path / "out.md"
    code, said = told(["agreement", str(file), "--fail-under", "recall=0.6", "--summary", str(summary)], capsys)
    assert code == 0
    assert said.startswith("Warning: j: People labelled 100\u00a0% of the ")
    assert "Warning: j: People labelled" in summary.read_text()


def test_against_an_earlier_report_an_unknown_number_does_not_hold(tmp_path: Path, capsys) -> None:
    old, new, before = tmp_path / "old.csv", tmp_path / "new.csv", tmp_path / "old.json"
    old.write_bytes(one_judge(everything))
    with pytest.raises(SystemExit):
        main(["agreement", str(old), "--json"])
    before.write_text(capsys.readouterr().out)
    new.write_bytes(one_judge(only_yes))
    code, said = told(["agreement", str(new), "--against", str(before), "--margin", "kappa=0.3"], capsys)
    assert code == 1
    assert said == f"j: micro kappa has no difference to go by ({WHY}).\n"


def test_the_shares_labelled_are_compared_by_fishers_exact_test() -> None:
    from scipy.stats import fisher_exact

    seen = Verification(90, 100, 20, 400)
    assert seen.p == pytest.approx(fisher_exact([[90, 10], [20, 380]]).pvalue)


def test_abstentions_as_a_class_are_neither_verdict() -> None:
    text = one_judge(mostly_yes).decode().replace("\r\n", "\n").splitlines()
    open_ones = [f"open{i},j,yes,CANNOT_ASSESS" for i in range(20)]
    ratings = metrics.read("\n".join([*text, *open_ones]).encode())
    both = [
        metrics.agreement(ratings, abstention=mode, interval="none").judges["j"].labelling for mode in ("exclude", "as_category")
    ]
    assert both[0] is not None
    assert both[0] == both[1]
