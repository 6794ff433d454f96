"""What the handling of ties, invalid answers and failed calls is called, refused for and written as; and on published tables."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from itertools import product

import pytest
from sklearn.metrics import cohen_kappa_score, confusion_matrix

import metrics
from metrics import InputError, agreement, read
from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.provenance import citation, header
from metrics.analyses.settings import Settings
from metrics.commands.cli import main
from metrics.data.abstention import MODES
from tests.conftest import paired
from tests.metrics.every_kind import AXIS, HOW, counted, sides
from tests.shared_data import data


def test_the_third_class_is_named_after_what_is_in_it(build_ratings):
    kinds = {"1": "positive", "2": "negative", "tie": "tie", "INVALID": "invalid"}
    rows = [
        ("a", "c", "h", "human", "1"),
        ("a", "c", "j", "judge", "tie"),
        ("b", "c", "h", "human", "2"),
        ("b", "c", "j", "judge", "2"),
    ]
    ratings = build_ratings(rows, kinds=kinds)
    labels = [
        agreement(ratings, abstention="as_category", handling=how, interval="none").judges["j"].micro.labels[-1]
        for how in ({}, {"tie": "exclude"}, {"tie": "as_unmet", "invalid": "exclude"})
    ]
    assert labels == ["tie", "INVALID", "CANNOT_ASSESS"]


def test_ties_alone_are_called_ties(build_ratings):
    kinds = {"A": "positive", "B": "negative", "tie": "tie", "?": "abstention"}

    def said(silent: str, **options: str) -> str:
        answers = [("A", "A"), ("B", "B"), ("A", "B"), (silent, "A"), ("B", silent)]
        rows = [
            (f"q{n}", "c", name, role, label)
            for n, pair in enumerate(answers)
            for name, role, label in zip("hj", ("human", "judge"), pair, strict=True)
        ]
        report = agreement(build_ratings(rows, kinds=kinds), interval="none", **options)
        return header(report, "j", "micro", "kappa").text()

    assert "ties excluded, coverage 60\u00a0%" in said("tie")
    assert "ties kept as a class" in said("tie", abstention="as_category")
    assert "abstentions" not in said("tie")
    assert "abstentions excluded, coverage 60\u00a0%" in said("?")
    assert "ties" not in said("?")


@pytest.mark.parametrize(
    ("words", "handling", "name"),
    [
        (("tie", "INVALID"), {}, "tie / INVALID"),
        (("tie", "INVALID"), {"tie": "exclude"}, "INVALID"),
        (("tie", "INVALID"), {"invalid": "as_unmet"}, "tie"),
        (("tie", "tie"), {}, "tie"),
        (("CANNOT_ASSESS", "CANNOT_ASSESS"), {}, "CANNOT_ASSESS"),
        (("CANNOT_ASSESS", "tie"), {}, "no verdict"),
        (("CANNOT_ASSESS", "tie"), {"tie": "exclude"}, "CANNOT_ASSESS"),
        (("INVALID", "timeout"), {}, "INVALID"),
        (("INVALID", "timeout"), {"error": "as_category"}, "no verdict"),
    ],
)
def test_a_class_of_several_kinds_is_named_after_all_that_occur(build_ratings, words, handling, name):
    kinds = {
        "1": "positive",
        "2": "negative",
        "CANNOT_ASSESS": "abstention",
        "tie": "tie",
        "INVALID": "invalid",
        "timeout": "error",
    }
    said = [("1", "1"), ("2", "2"), ("1", words[0]), ("2", words[1])]
    sides = list(zip(("h", "j"), ("human", "judge"), zip(*said, strict=True), strict=True))
    rows = [(f"i{i}", "c", who, role, label) for who, role, labels in sides for i, label in enumerate(labels)]
    ratings = build_ratings(rows, kinds=kinds)
    report = agreement(ratings, abstention="as_category", handling=handling, interval="none")
    assert report.to_dict()["judges"]["j"]["micro"]["labels"] == ["1", "2", name]


@pytest.mark.parametrize(
    ("handling", "mode", "said"),
    [
        ({"tie": "drop"}, "exclude", "Unknown handling 'drop' of tie. Use one of: abstention, exclude, as_unmet, as_category."),
        ({"abstention": "exclude"}, "exclude", "An abstention follows the abstention mode."),
        ({"missing": "exclude"}, "exclude", "No handling can be given to 'missing'. Use one of: tie, invalid, error."),
        ({"error": "as_category"}, "exclude", "error=as_category needs a class to go to."),
        ({"tie": "as_category"}, "as_unmet", "tie=as_category needs a class to go to."),
    ],
)
def test_what_cannot_be_is_refused(handling, mode, said, build_paired):
    with pytest.raises(InputError) as caught:
        agreement(build_paired(*sides(11)), abstention=mode, handling=handling)
    assert said in str(caught.value)


def test_classes_have_no_negative_label_to_recode_to(build_ratings):
    kinds = {"a": "class", "b": "class", "c": "class", "TIE": "tie"}
    rows = [
        (f"i{i}", "c", who, role, label)
        for who, role in (("h", "human"), ("j", "judge"))
        for i, label in enumerate(["a", "b", "c", "TIE"])
    ]
    ratings = build_ratings(rows, kinds=kinds)
    with pytest.raises(InputError, match="tie=as_unmet needs a negative label; these labels are classes"):
        agreement(ratings, handling={"tie": "as_unmet"})
    assert agreement(ratings, abstention="as_category", handling={"tie": "exclude"}, interval="none").judges["j"].micro.n == 3


def test_the_declaration_says_what_becomes_of_each(build_paired):
    ratings = build_paired(*sides(12))
    handling = {"tie": "exclude", "invalid": "as_unmet", "error": "as_unmet"}
    report = agreement(ratings, handling=handling)
    its = report.judges["j"].coverage
    bold = header(report, "j", "micro").bold
    said = "ties left out; invalid answers counted as UNMET; failed calls counted as UNMET"
    assert f"abstentions excluded, both gave a verdict on {round(100 * its.coverage)}\u00a0%; {said} · micro" in bold
    assert said in citation(report, "j", "micro", "kappa")
    assert said in report.summary()
    assert report.to_dict()["declaration"]["handling"] == handling
    assert set(report.to_frame()["handling"]) == {"tie=exclude, invalid=as_unmet, error=as_unmet"}
    assert [w.message for w in report.warnings if w.code == "failed_calls_counted"] == [
        f"j: {its.n_errors} judge calls failed, and are in the numbers: failed calls counted as UNMET."
    ]
    assert f"of {its.n_total + its.n_errors} decisions" in header(report, "j", "micro").rest
    assert "failed_calls" in {w.code for w in agreement(ratings).warnings}
    silent = agreement(ratings, handling={"error": "abstention"}).warnings
    assert f"j: {its.n_errors} judge calls failed; they count as abstentions." in [w.message for w in silent]


def test_one_failed_call_is_one(build_paired):
    for failing, first in ((1, "j: 1 judge call failed"), (2, "j: 2 judge calls failed")):
        said = [["MET"], ["UNMET"]] * 6 + [["failed"]] * failing
        ratings = build_paired([["MET"]] * len(said), said, kinds={"MET": "positive", "UNMET": "negative", "failed": "error"})
        one = failing == 1
        for handling, rest in (
            (None, f"; {'it counts' if one else 'they count'} as missing."),
            ({"error": "abstention"}, f"; {'it counts as an abstention' if one else 'they count as abstentions'}."),
            ({"error": "as_unmet"}, f", and {'is' if one else 'are'} in the numbers: failed calls counted as UNMET."),
        ):
            assert f"{first}{rest}" in [w.message for w in agreement(ratings, handling=handling).warnings]


def test_the_declaration_is_silent_about_kinds_that_do_not_occur(build_paired):
    ratings = build_paired([["MET"], ["UNMET"], ["TIE"]] * 4, [["MET"], ["MET"], ["UNMET"]] * 4)
    report = agreement(ratings, handling={"tie": "as_unmet", "invalid": "exclude"})
    assert header(report, "j", "micro").bold == "Binary · both gave a verdict on 67\u00a0%; ties counted as UNMET."
    usual = agreement(ratings, handling={"invalid": "exclude"})
    assert header(usual, "j", "micro").bold == "Binary · ties excluded, coverage 67\u00a0%."
    nobody = build_paired([["MET"], ["UNMET"]] * 4, [["MET"], ["MET"]] * 4)
    assert header(agreement(nobody, handling={"tie": "as_unmet"}), "j", "micro").bold == "Binary · no abstentions."


def test_recoding_a_tie_favours_an_item_on_a_criterion_that_counts_against_it(build_paired):
    ratings = build_paired(*sides(13))
    said = agreement(ratings, handling={"tie": "as_unmet"}, weights={"c1": -1.0}, interval="none").warnings
    assert any(w.code == "recode_favours_item" and "Counting a tie as negative" in w.message for w in said)
    usual = agreement(ratings, handling={"tie": "exclude"}, weights={"c1": -1.0}, interval="none").warnings
    assert not any(w.code == "recode_favours_item" for w in usual)


def test_calls_that_all_failed_can_be_counted(build_paired):
    ratings = build_paired([["MET"], ["UNMET"]], [["ERR"], ["ERR"]])
    with pytest.raises(InputError, match="every judge call on an item with a human label failed"):
        agreement(ratings)
    found = agreement(ratings, handling={"error": "as_unmet"}, interval="none").judges["j"].micro
    assert found.confusion.tolist() == [[0, 1], [0, 1]]


def test_the_command_line_takes_a_handling(tmp_path, capsys):
    file = tmp_path / "labels.csv"
    rows = ["item,human,verdict", "1,MET,MET", "2,UNMET,tie", "3,MET,UNMET", "4,tie,UNMET", "5,MET,tie"]
    file.write_text("\n".join(rows))
    for options, n in (([], 2), (["--handling", "tie=as_unmet"], 5), (["--handling", "tie=exclude,invalid=as_unmet"], 2)):
        with pytest.raises(SystemExit) as stop:
            main(["agreement", str(file), "--labels", "tie=tie", "--json", "--interval", "none", *options])
        assert stop.value.code == 0
        found = json.loads(capsys.readouterr().out)
        assert found["judges"]["judge"]["micro"]["n"] == n
    assert found["declaration"]["handling"] == {"tie": "exclude", "invalid": "as_unmet"}
    for given, said in (("tie", "--handling: 'tie' has no “=”"), ("tie=no", "Unknown handling 'no' of tie")):
        with pytest.raises(SystemExit) as stop:
            main(["agreement", str(file), "--labels", "tie=tie", "--json", "--handling", given])
        out, err = capsys.readouterr()
        assert (stop.value.code, out) == (2, "")
        assert said in err


def published_rows(name: str) -> list[dict[str, str]]:
    with data(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


PANDALM = {"1": "MET", "2": "UNMET", "tie": "TIE", "INVALID": "BAD"}
PUBLISHED = [
    ("pandalm_pairwise.csv", {"1": "positive", "2": "negative", "tie": "tie"}, PANDALM),
    ("mtbench_gpt4_pairwise.csv", {"A": "positive", "B": "negative", "tie": "tie"}, {"A": "MET", "B": "UNMET", "tie": "TIE"}),
]  # fmt: skip


def test_a_tie_counted_as_the_second_answer_is_warned_of():
    """No page offers it; asked for by name it is done, and said to be no win."""
    kinds = {"A": "positive", "B": "negative", "tie": "tie"}
    for words, warned in (("A", "B", "tie"), True), (("MET", "UNMET", "tie"), False):
        names = dict(zip(kinds, words, strict=True))
        rows = [[[names[("A", "B", "tie")[(i + own) % 3]]] for i in range(12)] for own in (0, 1)]
        ratings = paired(*rows, kinds={names[label]: kind for label, kind in kinds.items()})
        for mode in MODES:
            codes = [warning.code for warning in agreement(ratings, abstention=mode).warnings]
            assert ("tie_as_negative" in codes) == (warned and mode == "as_unmet"), (words, mode)


@pytest.mark.parametrize(("name", "labels", "says"), PUBLISHED, ids=["pandalm", "mtbench"])
def test_published_tables_with_ties_and_invalid_answers(name, labels, says):
    rows = published_rows(name)
    ratings = read(data(name), labels=labels)
    for mode, tie, invalid in product(MODES, HOW[:3], HOW[:3]):
        handling = {"tie": tie, "invalid": invalid}
        report = agreement(ratings, abstention=mode, handling=handling, interval="none")
        for judge, found in report.judges.items():
            own = [row for row in rows if row["judge"] == judge]
            pairs = counted([says[row["human"]] for row in own], [says[row["verdict"]] for row in own], mode, handling)
            expected = confusion_matrix(*zip(*pairs, strict=True), labels=AXIS[mode])
            assert (found.micro.confusion == expected).all(), (judge, mode, handling)
            assert found.micro.values["kappa"] == pytest.approx(cohen_kappa_score(*zip(*pairs, strict=True)), abs=1e-12)
            assert found.coverage.n_total == len(own)


def test_what_handling_moves_on_published_ties():
    ratings = read(data("pandalm_pairwise.csv"), labels=PUBLISHED[0][1])
    settings = Settings("exclude", "human", ("gpt-3.5-turbo",), interval="none")
    kappas = {
        tie: judge_report(ratings, "gpt-3.5-turbo", replace(settings, handling=(("tie", tie),))).micro
        for tie in ("exclude", "as_unmet")
    }
    assert kappas["exclude"].n < kappas["as_unmet"].n <= 999
    assert kappas["exclude"].values["kappa"] == pytest.approx(0.630, abs=5e-4)
    assert kappas["as_unmet"].values["kappa"] == pytest.approx(0.561, abs=5e-4)


def _said(labels: str, names: dict[str, str], **how: str) -> list[str]:
    """What stands above the numbers of agreement, scores and the ROC curve; A and B, else as named, the judge always A."""
    rows = [f"i{i},c,j,{names.get(mark, mark)},A" for i, mark in enumerate(labels)]
    kinds = {"A": "positive", "B": "negative"} | {names[mark]: kind for mark, kind in how.items()}
    ratings = metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows]).encode(), labels=kinds)
    reports = metrics.agreement(ratings), metrics.scores(ratings), metrics.roc(ratings)
    return [text.summary().split("\n")[1] for text in reports]


def test_ties_are_not_called_abstentions_where_nobody_abstained() -> None:
    agreed, scored, curve = _said("ABABABTTTT", {"T": "tie", "N": "NA"}, T="tie", N="abstention")
    assert "· ties excluded, coverage 60\u00a0%." in agreed
    assert "· ties excluded, coverage 60\u00a0%." in scored
    assert "· decisions without a verdict excluded, coverage 60\u00a0%." in curve
    agreed, scored, _ = _said("ABABABTTTN", {"T": "tie", "N": "NA"}, T="tie", N="abstention")
    assert "· abstentions excluded, coverage 60\u00a0%." in agreed
    assert "· abstentions excluded, coverage 60\u00a0%." in scored


def test_how_many_answers_are_recoded_is_told() -> None:
    rows = [f"i{i},c,j,{'MET' if i % 2 else 'UNMET'},{'NA' if i < 5 else 'MET'}" for i in range(10)]
    ratings = metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows]).encode(), labels={"NA": "abstention"})
    recoded = metrics.agreement(ratings, abstention="as_unmet").summary()
    assert "abstentions counted as UNMET, both gave a verdict on 50\u00a0%." in recoded
    full = metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows]).replace("NA", "UNMET").encode())
    assert "Binary · no abstentions." in metrics.agreement(full, abstention="as_unmet").summary()


def test_one_decision_on_one_item_has_no_interval_and_says_so() -> None:
    head = "item,criterion,judge,human,verdict\n"
    one = metrics.read(f"{head}i0,c,j,MET,MET".encode())
    assert "1 decision on 1 item. No intervals: only 1 item." in metrics.agreement(one).summary()
    assert "1 decision on 1 item." in metrics.scores(one).summary()
    assert "Reference: human. 1 decision. " in metrics.roc(one).summary()
    two = metrics.agreement(metrics.read(f"{head}i0,c,j,MET,MET\ni1,c,j,UNMET,UNMET".encode())).summary()
    assert "2 decisions on 2 items. Intervals" in two
    assert "No intervals" not in two


def test_a_criterion_without_a_decision_is_not_one_label() -> None:
    rows = [f"i{i},c,j,{'MET' if i % 2 else 'UNMET'},NA" for i in range(10)]
    none = metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows]).encode(), labels={"NA": "abstention"})
    assert "  no decision" in metrics.agreement(none).summary()
    assert "one label only" not in metrics.agreement(none).summary()
    assert "  one label only" in metrics.agreement(none, abstention="as_unmet").summary()


def test_numbers_of_neighbouring_columns_do_not_touch() -> None:
    rows = [f"i{i},c,j,{'MET' if i < 28 else 'UNMET'},MET" for i in range(40)]
    said = metrics.agreement(metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows]).encode())).summary()
    assert said.count("+30 points [+15, +45 points]".replace(" points", "\u00a0points")) == 3
    assert "points]+" not in said
