"""A report says what `metrics` says, number by number, and the same every time."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import metrics
from metrics import InputError
from metrics.analyses.review.decisions import Decision, Review
from metrics.data.labels import RubricCriterion
from metrics.data.part import counted
from metrics.data.scales import scales_of
from metrics.measures.catalogue import BY_KEY
from metrics.report import as_csv
from metrics.report.checklist.contents import ASSOCIATIONS, INTER_JUDGE, SWITCHES, Contents
from metrics.report.document import Figure, Verdicts
from metrics.report.making import Report, report_of
from metrics.report.parts import form_of, notes_of, row_name
from metrics.results.prose import Paragraph
from metrics.results.tables import Cell, Table, texts
from tests.report.conftest import SAMPLES, SHADES, bytes_of, plain_report, ratings_named

ASKED = Contents(associations=tuple(ASSOCIATIONS), inter_judge=tuple(INTER_JUDGE))


def table(report: Report, key: str) -> Table:
    return next(one for one in report.document().tables() if one.key == key)


def keys(report: Report) -> list[str]:
    return [section.key for section in report.document().sections]


def column(found: Table, name: str) -> list[Cell]:
    place = [one.name for one in found.columns].index(name)
    return [row[place] for row in found.rows]


def same(cell: Cell, value: float | None) -> bool:
    if value is None or math.isnan(value):
        return cell is None
    return cell == value


def test_the_json_holds_what_metrics_gives(name: str) -> None:
    ratings, found = ratings_named(name), plain_report(name).to_dict()
    part = counted(ratings)
    want: Any = None if part is None else metrics.agreement(part).to_dict()
    assert found["agreement"] == want
    if part is not None and len(part.humans) > 1:
        assert found["humans"] == metrics.raters(part, role="human").to_dict()
    if part is not None and len(part.judges) > 1:
        assert found["between"] == metrics.raters(part, role="judge").to_dict()
    wanted = [ratings.on_criteria(names) for kind in ("ordinal", "continuous") if (names := scales_of(ratings).of(kind))]  # type: ignore[arg-type]
    assert found["scores"] == [metrics.scores(one).to_dict() for one in wanted]


def test_every_number_of_the_document_is_one_of_metrics(name: str) -> None:
    """Of each table of floats: every cell is a value or an end that a fresh call gives."""
    ratings, report = ratings_named(name), plain_report(name)
    found = report.to_dict()
    there = set(_leaves({key: found[key] for key in found if key not in ("methods", "recipe")}))
    if found["agreement"] is not None:
        judges = metrics.agreement(counted(ratings) or ratings).judges.values()
        own = [vars(coverage) for judge in judges for coverage in judge.criterion_coverage.values()]
        there |= {value for coverage in own for value in coverage.values() if isinstance(value, float)}
    for one in report.document().tables():
        if one.key == "settings":
            continue
        for row in one.rows:
            outside = [cell for cell in row if isinstance(cell, float) and cell not in there]
            assert not outside, (one.key, row)


def _leaves(found: Any) -> list[float]:
    if isinstance(found, dict):
        return [number for value in found.values() for number in _leaves(value)]
    if isinstance(found, list):
        return [number for value in found for number in _leaves(value)]
    return [found] if isinstance(found, int | float) else []


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_the_headline_is_the_block_of_its_level(sample: str, level: Any) -> None:
    report = report_of(ratings_named(sample), contents=Contents(level=level), interval="none")
    judge = next(iter(metrics.agreement(ratings_named(sample), interval="none").judges.values()))
    block = judge.level(level)
    found = table(report, "numbers")
    shown = dict(zip(column(found, "metric"), column(found, "value"), strict=True))
    assert len(shown) >= 6
    by_name = {row_name(BY_KEY[key].name, form_of(BY_KEY[key])): key for key in block.values}
    for called, value in shown.items():
        assert same(value, block.values[by_name[str(called)]]), called
    missing = [BY_KEY[key].symbol for key in block.undefined if row_name(BY_KEY[key].name, form_of(BY_KEY[key])) in shown]
    assert all(any(symbol in note for note in found.notes) for symbol in missing)


@pytest.mark.parametrize("sample", SAMPLES)
def test_criteria_are_all_there_with_their_counts(sample: str) -> None:
    report = metrics.agreement(ratings_named(sample))
    judge = next(iter(report.judges.values()))
    found, numbers = table(plain_report(sample), "criteria"), table(plain_report(sample), "criteria-agreement")
    assert column(found, "criterion") == column(numbers, "criterion") == list(judge.criteria)
    for at, block in enumerate(judge.criteria.values()):
        counts = [column(found, cell)[at] for cell in ("TP", "FN", "FP", "TN")]
        assert counts == np.asarray(block.confusion).ravel().tolist()
        assert (column(numbers, "κ low")[at], column(numbers, "κ high")[at]) == (block["kappa"].ends or (None, None))
        assert same(column(numbers, "κ")[at], block.values["kappa"])
        assert bool(column(found, "one label only")[at]) == block.degenerate
    degenerate = [name for name, block in judge.criteria.items() if block.degenerate]
    assert all(any(name in note for note in found.notes) for name in degenerate)


def test_the_one_sided_criterion_is_named_with_its_reason() -> None:
    found = table(plain_report("several"), "criteria")
    assert any("safe" in note and "says only yes" in note for note in found.notes)
    assert dict(zip(column(found, "criterion"), column(found, "n"), strict=True))["safe"] == 36


def test_figures_hold_the_numbers_of_their_tables(name: str) -> None:
    report = plain_report(name)
    for figure in report.document().figures():
        assert isinstance(figure, Figure)
        assert len(figure.alt) > 20
        if figure.kind == "confusion":
            counts = [list(row[1:-1]) for row in table(report, "confusion").rows[:-1]]
            assert figure.shows["counts"] == counts
        elif figure.key == "band":
            leader = report.material.agreement.judges[report.material.overview.leader]
            assert figure.shows["rows"][0][1] in leader.micro.values.values()
        else:
            rows = figure.shows["rows"]
            assert [row[1] for row in rows] == column(table(report, "criteria-agreement"), "κ")


def test_an_association_under_five_names_is_one_number() -> None:
    report = report_of(ratings_named("support_answers.csv"), contents=ASKED)
    found = table(report, "numbers")
    shown = dict(zip(column(found, "metric"), column(found, "value"), strict=True))
    phi = metrics.agreement(ratings_named("support_answers.csv")).judges["strict"].micro.values["phi"]
    assert {shown[called] for called in ("φ", "MCC", "Pearson’s r", "Spearman’s ρ", "Kendall’s τ_b")} == {phi}
    assert any("equal on two labels" in note for note in found.notes)
    assert [row[0] for row in table(report, "between").rows] == ["Krippendorff’s α", "Fleiss’ κ", "Mean φ of pairs"]


def test_with_a_third_class_association_is_r_k_and_costs_are_listed() -> None:
    ratings = ratings_named("support_answers.csv")
    report = report_of(ratings, contents=ASKED, abstention="as_category", cost="0,1,0.25;1,0,0.5;0.25,0.5,0")
    fresh = metrics.agreement(ratings, abstention="as_category", cost="0,1,0.25;1,0,0.5;0.25,0.5,0")
    shown = dict(zip(*(column(table(report, "numbers"), key) for key in ("metric", "value")), strict=True))
    assert shown["R_K"] == fresh.judges["strict"].micro.values["mcc_multiclass"]
    assert not {"φ", "MCC"} & set(shown)
    assert [row[1:] for row in table(report, "cost").rows] == [(0.0, 1.0, 0.25), (1.0, 0.0, 0.5), (0.25, 0.5, 0.0)]
    weighted = column(table(report, "weighted"), "κ_w micro")
    assert weighted == [judge.micro.values["weighted_kappa"] for judge in fresh.judges.values()]


@pytest.mark.parametrize(
    ("part", "gone"),
    [("confusion", "confusion"), ("criteria", "criteria"), ("mode", "mode"), ("coverage", "coverage"), ("silence", "silence"),
     ("levels", "levels"), ("judges", "judges"), ("raters", "raters"), ("review", "review"), ("checklist", "checklist")],
)  # fmt: skip
def test_a_part_that_is_left_out_is_gone(part: str, gone: str) -> None:
    ratings = ratings_named("support_answers.csv")
    review = Review("f", ratings.source.sha256, {"Polite tone": Decision("keep", "Ana", "fine")})
    with_it = report_of(ratings, interval="none", review=review)
    without = report_of(ratings, interval="none", review=review, contents=Contents(without=frozenset({part})))
    assert gone in keys(with_it)
    assert gone not in keys(without)
    assert part in SWITCHES


@pytest.mark.parametrize(
    ("part", "names"), [("kappa", {"Cohen’s κ", "κ within criteria"}), ("rates", {"Precision", "Recall (TPR)"})]
)
def test_numbers_that_are_left_out_are_gone(part: str, names: set[str]) -> None:
    ratings = ratings_named("support_answers.csv")
    shown = [
        set(column(table(report_of(ratings, interval="none", contents=contents), "numbers"), "metric"))
        for contents in (Contents(), Contents(without=frozenset({part})))
    ]
    assert names <= shown[0]
    assert not names & shown[1]


def test_the_headline_can_be_another_judge() -> None:
    report = report_of(ratings_named("support_answers.csv"), contents=Contents(judge="cautious"), interval="none")
    fresh = metrics.agreement(ratings_named("support_answers.csv"), interval="none")
    assert column(table(report, "numbers"), "value")[0] == fresh.judges["cautious"].micro.values["accuracy"]
    with pytest.raises(InputError, match="no judge is called"):
        report_of(ratings_named("support_answers.csv"), contents=Contents(judge="nobody"))


def test_the_same_file_and_settings_give_the_same_bytes(name: str) -> None:
    again = report_of(metrics.read(bytes_of(name), **_how(name)))
    assert again.to_json() == plain_report(name).to_json()
    assert repr(again.document()) == repr(plain_report(name).document())


def _how(name: str) -> dict[str, Any]:
    from tests.report.conftest import KINDS

    return KINDS[name][1] if name in KINDS else {}


def test_strict_json(name: str) -> None:
    json.loads(plain_report(name).to_json(), parse_constant=pytest.fail)


def test_keys_of_tables_are_their_own(name: str) -> None:
    found = [one.key for one in plain_report(name).document().tables()]
    assert len(found) == len(set(found))
    assert all(set(key) <= set("abcdefghijklmnopqrstuvwxyz-") for key in found)
    for one in plain_report(name).document().tables():
        assert all(len(row) == len(one.columns) for row in one.rows), one.key
        assert len(one.columns) <= 11, f"{one.key} is too wide for a page"


def test_what_people_said_is_there() -> None:
    ratings = ratings_named("support_answers.csv")
    review = Review("older.csv", "1" * 64, {"Polite tone": Decision("split", "Ana", "two things"), "gone": Decision("drop")})
    report = report_of(ratings, review=review, answers={"annotators": "Two agents", "prompt": " "}, interval="none")
    found = table(report, "review")
    kappa = report.material.agreement.judges["strict"].criteria["Polite tone"]  # type: ignore[union-attr]
    assert ("Polite tone", "Split in two", "Ana", "two things", kappa.values["kappa"], kappa.n) in found.rows
    assert any("another file" in note for note in found.notes)
    assert any("gone" in note for note in found.notes)
    assert table(report, "answers").rows == (("Who the annotators were", "Two agents"),)
    assert "definition" not in [column.name for column in found.columns], "nobody typed one"
    assert report.to_dict()["review"] == review.to_dict()
    verdicts = [part for section in report.document().sections for part in section.parts if isinstance(part, Verdicts)]
    assert [row.number for row in verdicts[0].rows] == list(range(1, 12))
    with pytest.raises(InputError, match="Nothing is asked"):
        report_of(ratings, answers={"mood": "good"})


def test_every_table_says_what_its_numbers_rest_on() -> None:
    for sample in SAMPLES:
        lead = plain_report(sample).document().lead
        assert "declaration" in {one.kind for one in lead}
        assert any(isinstance(one, Paragraph) and plain_report(sample).material.recipe.sha256 in one.text for one in lead)
        for one in plain_report(sample).document().tables():
            assert one.caption


def test_without_intervals_no_column_of_ends_is_left() -> None:
    report = report_of(ratings_named("support_answers.csv"), interval="none")
    for one in report.document().tables():
        if one.key != "silence":
            assert not [head.name for head in one.columns if head.name.endswith((" low", " high"))]


def test_humans_alone_have_a_report() -> None:
    report = plain_report("humans")
    assert {"raters", "methods", "settings"} <= set(keys(report))
    assert "numbers" not in keys(report)
    alpha = metrics.raters(ratings_named("humans")).pooled.values["alpha"]
    assert column(table(report, "humans"), "value")[0] == alpha
    assert f"{alpha:.2f}" in report.methods


def test_nothing_to_report_is_said() -> None:
    lone = metrics.read(b"item,rater,label\n1,ana,yes\n1,bo,no\n2,ana,no\n", columns={"role:ana": "human", "role:bo": "judge"})
    assert report_of(lone).material.agreement is not None


def test_weights_of_a_rubric_count_unless_others_are_given() -> None:
    ratings = ratings_named("several")
    rubric = tuple(RubricCriterion(name, weight, "binary") for name, weight in (("tone", -1.0), ("facts", 1.0), ("safe", 2.0)))
    weighted = replace(ratings, source=replace(ratings.source, rubric=rubric), memo={})
    for given in (None, {}, {"tone": 3.0}):
        report = report_of(weighted, interval="none", weights=given, item_rule="threshold", threshold=0.6)
        fresh = metrics.agreement(weighted, interval="none", weights=given, item_rule="threshold", threshold=0.6)
        assert report.to_dict()["agreement"] == fresh.to_dict()
        assert report.material.recipe.weights == dict(fresh.declaration.item_rule.get("weights", {}))  # type: ignore[call-overload]


def test_a_matrix_of_many_labels_has_a_row_to_a_cell() -> None:
    rows = [f"{n},l{n % 12},l{n * 5 % 12 if n % 3 else n % 12}" for n in range(90)]
    kinds = {f"l{k}": "class" for k in range(12)}
    ratings = metrics.read("\n".join(["item,human,verdict", *rows]).encode(), labels=kinds)
    found = table(report_of(ratings, interval="none"), "confusion")
    block = next(iter(metrics.agreement(ratings, interval="none").judges.values())).micro
    counts = np.zeros((12, 12), np.int64)
    for reference, judge, n in found.rows:
        counts[block.labels.index(str(reference)), block.labels.index(str(judge))] = n
    assert counts.tolist() == np.asarray(block.confusion).tolist()


NASTY = ("<script>alert(1)</script>", "=HYPERLINK(1)", "\\end{table}% _x_ & $", "\u202eabc", "ж🙂|*b*|[a](b)", "x" * 5000)


def test_names_of_any_kind_reach_the_report_whole() -> None:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["item", "criterion", "judge", "human", "verdict"])
    for n in range(12):
        for k, name in enumerate(NASTY):
            writer.writerow([f"{name} {n}", name, NASTY[k - 1], SHADES[n % 2], SHADES[(n + k) % 2]])
    ratings = metrics.read(out.getvalue().encode())
    report = report_of(
        ratings, interval="none", answers={"task": NASTY[0]}, review=Review("", "", {NASTY[1]: Decision("keep", NASTY[2])})
    )
    assert set(NASTY) <= set(column(table(report, "criteria"), "criterion"))
    found = json.loads(report.to_json())
    assert set(found["agreement"]["declaration"]["criteria"]) == set(NASTY)
    assert "x" * 5000 in report.methods
    assert "\u202e" not in report.methods


def test_a_kappa_of_abstention_that_tells_nothing_says_why() -> None:
    """Where one side alone abstains κ is 0 whatever that side does; the note said undefined, and only where nobody did."""
    rows = ["item,judge,human,verdict"]
    for n in range(12):
        human, shy = SHADES[n % 2], "unsure" if n % 5 == 0 else SHADES[n % 2]
        rows += [f"i{n},sure,{human},yes", f"i{n},shy,{human},{shy}"]
    notes = table(report_of(metrics.read("\n".join(rows).encode())), "coverage").notes
    assert notes == (
        "Abstention κ of sure is undefined: neither side abstained.",
        "Abstention κ of shy is 0 by construction: only the judge abstains.",
    )
    both = [f"i{n},shy,{SHADES[n % 3]},{SHADES[(n // 2) % 3]}" for n in range(18)]
    assert not table(report_of(metrics.read("\n".join([rows[0], *both]).encode())), "coverage").notes


def test_a_note_on_intervals_names_the_numbers_it_is_about(name: str) -> None:
    for found in plain_report(name).document().tables():
        notes = [note for note in found.notes if note.startswith("Interval, ")]
        about = [
            (note.split(": ")[0], symbol) for note in notes for symbol in note.removesuffix(").").rsplit("(", 1)[1].split(", ")
        ]
        assert len(about) == len(set(about)), notes


def test_notes_of_one_place_and_reason_are_one_sentence() -> None:
    found = [("", "why", "κ"), ("", "why", "φ"), ("Q1", "why", "κ"), ("", "other", "κ")]
    assert notes_of("Undefined", found) == ("Undefined, why (κ, φ).", "Undefined, Q1: why (κ).", "Undefined, other (κ).")


@pytest.mark.parametrize("overlap", [True, False])
def test_pairs_of_humans_are_a_table_where_there_are_any(overlap: bool) -> None:
    rows = [f"i{n},{'ana' if n % 2 else 'bo'},human,{SHADES[n % 2]}\ni{n},j,judge,yes" for n in range(20)]
    more = ["i1,bo,human,no"] if overlap else []
    ratings = metrics.read(io.BytesIO("\n".join(["item,rater,role,label", *rows, *more]).encode()))
    section = next(one for one in report_of(ratings).document().sections if one.key == "raters")
    said = [part.text for part in section.parts if isinstance(part, Paragraph)]
    assert ("humans-pairs" in [part.key for part in section.parts if isinstance(part, Table)]) is overlap
    assert said == ([] if overlap else ["No decision has labels of two humans, so how far the 2 humans agree is unknown."])
    assert overlap is any(isinstance(part, Table) for part in section.parts)


WRITTEN = {"%": r"[<>]?\d+ %", "points": r"0|[+−][\d.]+", "": r"−?\d+\.\d\d"}


@pytest.mark.parametrize("key", ["numbers", "levels", "bounds"])
def test_numbers_of_several_units_in_one_column_each_stand_in_their_own(key: str) -> None:
    """A share was 0.68 in the tables and 68 % in the sentences of one report."""
    found = table(plain_report("support_answers.csv"), key)
    units = {record.name: record.unit for record in BY_KEY.values()} | {"Label-rate bias, points": "points"}
    floats = {place for place, one in enumerate(found.columns) if one.format == "number"}
    seen: set[str] = set()
    for row in texts(found):
        unit = units.get(row[0], "")
        seen.add(unit)
        shown = [row[place].replace("\u00a0", " ") for place in floats if row[place] != "–"]
        assert [text for text in shown if not re.fullmatch(WRITTEN[unit], text)] == []
    assert {"", "%"} <= seen
    assert ("points" in seen) == (key != "bounds")


def test_a_column_of_one_number_has_its_unit() -> None:
    report = plain_report("support_answers.csv")
    tables = [table(report, key) for key in ("criteria", "criteria-agreement", "judges-accuracy")]
    forms = {one.name: one.format for found in tables for one in found.columns}
    shares = {forms[name] for name in ("π", "π̂", "accuracy", "accuracy low", "TPR")}
    assert (shares, forms["label-rate bias high"], forms["κ"], forms["F1"]) == ({"percent"}, "points", "number", "number")


def test_scores_and_preferences_stand_in_their_units() -> None:
    scored = next(one for one in plain_report("mixed").document().tables() if one.key == "ordered-a")
    forms = {row[0]: form for row, form in zip(scored.rows, scored.forms, strict=True)}
    assert (forms["Exact agreement"], forms["Spearman’s ρ"]) == ("percent", "number")
    ties = table(plain_report("pairwise"), "preferences-a")
    forms = {row[1]: form for row, form in zip(ties.rows, ties.forms, strict=True)}
    wanted = {"accuracy": "percent", "wins, judge": "percent", "difference of wins, points": "points", "κ": "number"}
    assert {name: forms[name] for name in wanted} == wanted


def test_the_csv_keeps_numbers_in_full_and_says_what_they_are_in() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv.write(plain_report("support_answers.csv")).decode())))
    units = {row["number"]: row["unit"] for row in rows}
    share = "share of 1"
    wanted = {"accuracy": share, "drift": "difference of shares of 1", "kappa": "", "percent_agreement": share}
    assert {name: units[name] for name in wanted} == wanted
    assert all(float(row["value"]) <= 1 for row in rows if row["unit"] == "share of 1" and row["value"])
