"""Readings of the lab say what is drawn, both ways, and that something is undefined where it is."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.content.lab import provenance, readings
from metrics.content.lab.formulas import worked
from metrics.content.lab.lessons import STEPS, against
from metrics.content.lab.pictures import Picture
from metrics.content.lab.scenes import Scene
from metrics.content.lab.tables import MOST, NONE, ConfusionTable, Rates
from metrics.content.lab.terms import counted, in_points, part
from metrics.data.abstention import MODES
from metrics.results import words
from metrics.results.safe_csv import safe_csv
from metrics.results.words import amount

BALANCED = Picture(ConfusionTable.of_rates(Rates(0.5, 0.9, 0.9, 1000)), name="step 2a")
RARE = Picture(ConfusionTable((45, 5, 95, 855)))
EMPTY = Picture(ConfusionTable((0, 0, 0, 0)))
SILENT = ConfusionTable((30, 10, 10, 20), (5, 5, 5, 5, 10))
SPLIT = re.compile(r"(−?[\d.]+) / ([\d.]+) = (−?\d\.\d\d)")
counts = st.integers(0, 9) | st.integers(0, MOST)
tables = st.builds(
    ConfusionTable, st.tuples(*[counts.map(float)] * 4), st.just(NONE) | st.tuples(*[st.integers(0, 9).map(float)] * 5)
) | st.builds(ConfusionTable.of_rates, st.builds(Rates, st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), counts))


def plain(text: str) -> str:
    return text.replace(words.HARD_SPACE, " ").replace(words.THIN_SPACE, " ")


def of(*cells: float, name: str = "", silent: tuple[float, ...] = NONE) -> Picture:
    return Picture(ConfusionTable(cells, silent), name=name)


def _agreement(table: ConfusionTable) -> float:
    return Picture(table).values["accuracy"]


@pytest.mark.parametrize("mode", MODES)
@given(first=tables, second=tables, name=st.sampled_from(["B", "step 1a", ""]))
def test_everything_can_be_said_of_every_table(first: ConfusionTable, second: ConfusionTable, name: str, mode) -> None:
    p, other = Picture(first, mode, "A"), Picture(second, mode, name)
    one = (readings.mosaic_heading, readings.mosaic_reading, readings.split_reading, readings.lines_note, readings.lines_reading)
    texts = [say(p) for say in one]
    texts += [
        say(p, beside)
        for say in (readings.space_heading, readings.space_reading, readings.bars_reading)
        for beside in (None, other)
    ]
    texts += [provenance.header(p).text(), *(provenance.citation(p, key) for key in p.bars)]
    for text in texts:
        assert text
        assert not re.search(r"nan|inf(?!o)|\{|\}|  ", text), text
    rows = readings.differences(p, other)
    assert len({len(column) for column in rows.values()}) == 1


@given(tables)
def test_what_the_split_divides_gives_kappa(table: ConfusionTable) -> None:
    p = Picture(table)
    found = SPLIT.search(readings.split_reading(p))
    kappa = p.values["kappa"]
    if found is None:
        assert math.isnan(kappa) or abs(kappa) < 1e-6 or p.values["expected_agreement"] > 0.999
        return
    above, below, result = (Fraction(text.replace(words.MINUS, "-")) for text in found.groups())
    assert abs(above / below - result) <= Fraction(1, 200)
    assert result == Fraction(words.number(kappa).replace(words.MINUS, "-"))


def test_the_split_of_agreement() -> None:
    assert plain(readings.split_reading(RARE)) == (
        "of 90 % agreement chance alone would give 82.4 points; κ is the part of the remaining 17.6 that the judge earns: "
        "7.6 / 17.6 = 0.43."
    )
    below = plain(readings.split_reading(of(0, 50, 50, 900)))
    assert "chance alone would give 90.5 points, more than the 90 % agreed" in below
    assert below.endswith("κ = −0.5 / 9.5 = −0.05.")
    assert "the judge earns nothing, and κ is 0.00" in readings.split_reading(of(0, 10, 0, 90))
    assert readings.split_reading(of(0, 0, 0, 9)).startswith(
        "both sides give only UNMET, so chance alone gives the whole agreement"
    )
    assert readings.split_reading(of(0, 0, 0, 9)).endswith("κ is undefined.")
    assert readings.split_reading(EMPTY) == "there is no agreement to split: no decision is left."


def test_the_split_of_a_table_too_lopsided_for_points_has_none() -> None:
    text = readings.split_reading(of(MOST, 1, 3, 5))
    assert text.endswith("of the rest the judge earns κ 0.71.")
    assert "/" not in text


def test_the_lines_under_the_headings() -> None:
    two, three = of(4, 1, 2, 3), STEPS["7d"].picture()
    assert readings.mosaic_note(two, "accuracy").endswith("outlined: used by accuracy")
    assert readings.mosaic_note(two, "accuracy").startswith("area: count, at least a hairline")
    assert readings.mosaic_note(three, "kappa").startswith("colour: share of the row")
    assert readings.mosaic_note(three, "kappa").endswith("outlined: used by κ")
    assert readings.mosaic_note(two, "f1", brief=True) == "area: count · rows: human · columns: judge · outlined: used by F1"
    assert "agreement by chance alone, at the same label rates" in readings.split_note()
    assert readings.bars_note(RARE, None) == "the same table in seven numbers"
    assert readings.bars_note(Picture(SILENT, "as_category"), None) == "the same table in four numbers"
    assert readings.bars_note(RARE, BALANCED, ("accuracy", "kappa")) == (
        "the same table in seven numbers · this lesson needs accuracy and κ · open marks: step 2a"
    )
    assert readings.bars_note(RARE, of(1, 2, 3, 4, name="B")).endswith("bars A, open marks B")


def test_the_mosaic() -> None:
    assert plain(readings.mosaic_heading(RARE)) == "1 000 decisions"
    assert readings.mosaic_heading(of(1, 0, 0, 0, name="B")) == "B: 1 decision"
    assert readings.mosaic_heading(Picture(SILENT)) == "70 of 100 decisions"
    assert readings.mosaic_heading(Picture(SILENT, "as_unmet")) == "100 decisions"
    assert readings.mosaic_heading(EMPTY) == "No decision"
    assert readings.mosaic_reading(RARE).endswith("95 false passes of 950 UNMET. More errors say MET than UNMET.")
    assert readings.mosaic_reading(of(5, 5, 0, 90)).endswith("More errors say UNMET than MET.")
    assert readings.mosaic_reading(of(5, 5, 5, 90)).endswith(": 5 errors each way.")
    assert readings.mosaic_reading(of(0, 1, 1, 0)).endswith(": 1 error each way.")
    assert readings.mosaic_reading(of(0, 50, 50, 900)) == (
        "50 missed passes of 50 MET, 50 false passes of 950 UNMET: 50 errors each way."
    )
    assert readings.mosaic_reading(of(5, 0, 0, 90)).endswith("The two never differ.")
    assert readings.mosaic_reading(of(MOST, 1, 0, MOST)).endswith("More errors say UNMET than MET.")
    assert readings.mosaic_reading(of(0, MOST - 1, MOST, 0)).endswith("More errors say MET than UNMET.")
    on_average = Picture(ConfusionTable.of_rates(Rates(0.5, 1 / 3, 1 / 3, MOST)))
    assert "errors each way" in readings.mosaic_reading(on_average)
    assert "40 of 100 decisions" in readings.mosaic_reading(Picture(SILENT, "as_category"))


def test_the_lines() -> None:
    assert plain(readings.lines_reading(RARE)).startswith(
        "the same judge has κ 0.43 here, where 5 % are MET, and would have 0.80 at 50 %, where it is highest."
    )
    assert plain(readings.lines_reading(BALANCED)).startswith(
        "this judge has κ 0.80 here, where 50 % are MET, and at no other mix a higher one, in two decimals."
    )
    # κ at 34 %, where it is highest, reads as here
    assert "where 44.4 % are MET, and at no other mix a higher one" in plain(readings.lines_reading(of(1, 3, 1, 4)))
    # 38.7 %, from √FPR and √FNR
    assert "would have −0.43 at 39 %, where it is lowest" in plain(readings.lines_reading(of(0, 1, 2, 3)))
    assert "lowest" in readings.lines_reading(of(0, 50, 50, 900))
    assert plain(readings.lines_reading(of(5, 5, 0, 90))).count("have 0.67 as MET nears 0 %, where it is highest") == 1
    assert "κ is 0 or undefined at every prevalence" in readings.lines_reading(of(10, 10, 40, 40))
    assert "never errs, so κ is 1.00" in readings.lines_reading(of(10, 0, 0, 40))
    assert "always errs, so κ is below 0" in readings.lines_reading(of(0, 10, 40, 0))
    assert readings.lines_reading(of(0, 0, 3, 5)) == "there is no line: the human never says MET, so there is no TPR."
    assert readings.lines_reading(of(3, 5, 0, 0)) == "there is no line: the human never says UNMET, so there is no FPR."
    assert "is a class of its own" in readings.lines_reading(Picture(SILENT, "as_category"))
    assert plain(readings.lines_note(RARE)) == (
        "the same judge, which finds 90 % of MET (TPR) and 90 % of UNMET (TNR), however many are MET"
    )
    assert "TPR" not in readings.lines_note(EMPTY)


@pytest.mark.parametrize("at", [0.0, 1.0])
def test_the_lines_of_a_judge_whose_table_has_an_empty_row(at: float) -> None:
    judge = Picture(ConfusionTable.of_rates(Rates(at, 1.0, 0.9, 1000)))
    assert readings.has_rates(judge)
    assert math.isnan(judge.values["kappa"]) == (at == 1)
    text = plain(readings.lines_reading(judge))
    assert ("κ is undefined; the same judge’s κ would" in text) == (at == 1)
    assert f"where {at:.0%}".replace("%", " %") in text
    empty = Picture(ConfusionTable.of_rates(Rates(0.3, 0.9, 0.8, 0)))
    assert readings.lines_reading(empty) == "there is no line: no decision is left."
    assert readings.space_reading(empty, RARE) == "there is no point: no decision is left."
    assert "nothing moved" not in readings.space_heading(empty, RARE)


def test_roc_space() -> None:
    assert plain(readings.space_reading(RARE, BALANCED)) == (
        "the point did not move since step 2a: TPR 90 % and FPR 10 %, above the diagonal of chance (J 0.80)."
    )
    assert readings.space_heading(RARE, BALANCED) == "In ROC space: nothing moved"
    moved = plain(readings.space_reading(of(0, 50, 50, 900), BALANCED))
    assert moved.startswith(
        "the point moved since step 2a from TPR 90 % and FPR 10 % to TPR 0 % and FPR 5.3 %, below the diagonal"
    )
    assert readings.space_heading(of(0, 50, 50, 900), BALANCED) == readings.space_heading(RARE, None) == "In ROC space"
    assert "on the diagonal, where chance is (J 0.00)" in readings.space_reading(of(10, 10, 40, 40), None)
    assert readings.space_reading(of(0, 0, 3, 5), RARE) == "there is no point: the human never says MET, so there is no TPR."
    second = of(90, 10, 100, 900, name="B")
    assert plain(readings.space_reading(of(9, 1, 1, 9, name="A"), second)).startswith("A and B are on one point, TPR 90 %")
    assert readings.space_heading(of(9, 1, 1, 9, name="A"), second) == "In ROC space"
    assert plain(readings.space_reading(of(5, 5, 5, 5, name="A"), second)).startswith(
        "A is at TPR 50 % and FPR 50 %, on the diagonal"
    )


def test_bars_that_moved_come_first_and_the_furthest_before_the_others() -> None:
    assert readings.bars_reading(RARE, BALANCED) == (
        "since step 2a F1 (0.90 → 0.47), κ (0.80 → 0.43), φ (0.80 → 0.50) and AC1 (0.80 → 0.88) moved; "
        "accuracy, BA and PABAK stayed."
    )
    assert readings.bars_reading(BALANCED, Picture(BALANCED.table, name="step 1a")) == "since step 1a no coefficient moved."
    assert readings.bars_reading(RARE, None) == "one table, and its coefficients are between κ 0.43 and BA 0.90."
    assert readings.bars_reading(of(5, 0, 0, 5), None) == "every defined coefficient is 1.00."


def test_bars_of_two_tables_side_by_side() -> None:
    step = STEPS["5c"]
    assert readings.bars_reading(step.picture(), against("5c")) == (
        "from A to B differ BA (0.77 → 0.76); accuracy, F1, AC1, PABAK, φ and κ are equal."
    )
    b = Picture(step.table, name="B")
    assert readings.bars_reading(step.picture(), b).startswith("A and B differ in no coefficient; accuracy, ")


def test_bars_without_a_value_say_why() -> None:
    never = of(0, 10, 0, 90)
    assert readings.bars_reading(never, None).endswith("φ is undefined: the judge gives one label only, UNMET.")
    found = readings.bars_reading(of(1, 9, 0, 90), Picture(never.table, name="step 3b"))
    assert found.endswith(" Defined now: φ 0.30.")
    assert readings.bars_reading(EMPTY, RARE) == "every coefficient is undefined: no decision is left."
    beside = readings.bars_reading(of(45, 5, 95, 855, name="A"), of(0, 10, 0, 90, name="B"))
    assert beside.endswith("φ is undefined in B: the judge gives one label only, UNMET.")


def test_the_declaration() -> None:
    assert plain(provenance.header(RARE).text()) == (
        "Binary · no abstentions · one table of 1 000 decisions. Prevalence, the share that is MET, 5 %. "
        "No intervals: the lab takes the table as given."
    )
    assert not provenance.header(BALANCED).rest.endswith(provenance.ON_AVERAGE)
    assert provenance.header(Picture(ConfusionTable.of_rates(Rates(0.05, 0.9, 0.9, 10)))).rest.endswith(provenance.ON_AVERAGE)
    texts = [plain(provenance.header(Picture(SILENT, mode)).bold) for mode in MODES]
    assert texts == [
        "Binary · abstentions excluded, coverage 70 % · one table of 70 of 100 decisions.",
        "Binary · abstentions counted as UNMET · one table of 100 decisions.",
        "Binary · abstentions kept as a class · one table of 100 decisions.",
    ]
    assert "Prevalence" not in provenance.header(Picture(SILENT, "as_category")).rest
    assert provenance.header(EMPTY).rest.startswith("Prevalence undefined: no decision is left.")
    assert "table A, 1 decision." in provenance.header(of(1, 0, 0, 0, name="A")).bold


def test_a_number_is_copied_with_its_table() -> None:
    assert plain(provenance.citation(RARE, "kappa")) == (
        "κ = 0.43 (binary; no abstentions; 1 000 decisions: TP 45, FN 5, FP 95, TN 855; no interval: the table is taken as given)"
    )
    assert plain(provenance.citation(RARE, "accuracy")).startswith("accuracy = 90 % (")
    assert provenance.citation(of(0, 10, 0, 90), "phi").startswith("φ undefined: the judge gives one label only, UNMET (binary")
    assert "without a verdict 30" in provenance.citation(Picture(SILENT), "kappa")


def test_differences() -> None:
    rows = readings.differences(of(45, 5, 95, 855, name="A"), of(0, 10, 0, 90, name="B"))
    found = {name: [plain(cell) for cell in cells] for name, *cells in zip(*rows.values(), strict=True)}
    assert list(rows) == ["metric", "A", "B", "B − A", "undefined because"]
    assert found["decisions"] == ["1 000", "100", "−900", ""]
    assert found["Cohen’s κ"] == ["0.43", "0.00", "−0.43", ""]
    assert found["φ"] == ["0.50", "–", "–", "B: the judge gives one label only, UNMET"]
    assert found["Recall (TPR)"] == ["90 %", "0 %", "−90 points", ""]
    assert found["Gwet’s AC1"][2] == "+0.01"
    same = readings.differences(of(1, 2, 3, 4, name="A"), of(1, 2, 3, 4, name="B"))
    assert list(same) == ["metric", "A", "B", "B − A"]
    assert {plain(cell) for cell in same["B − A"]} == {"0", "0.00", "0 points"}


def test_differences_of_three_labels_and_two_are_those_both_have() -> None:
    three, two = Picture(SILENT, "as_category", "A"), Picture(ConfusionTable((45, 5, 95, 855)), "as_category", "B")
    assert readings.differences(three, two)["metric"] == ["decisions", "Cohen’s κ", "Accuracy"]


def test_the_file_holds_counts_numbers_and_declaration() -> None:
    p = Picture(SILENT, "as_category", words=("=yes", "no", "skip"))
    columns = readings.frame(p, Picture(ConfusionTable((0, 10, 0, 90)), name="step 3a"))
    rows = list(zip(*columns.values(), strict=True))
    assert rows[0][:5] == ("table", "=yes", "=yes", "count", 30.0)
    assert [row[4] for row in rows if row[:1] == ("table",) and row[3] == "count"] == [30, 10, 5, 10, 20, 5, 5, 5, 10]
    by_name = {(row[0], row[3]): row for row in rows if row[3] != "count"}
    assert by_name["table", "kappa"][4] == p.values["kappa"]
    assert by_name["table", "kappa"][7] == provenance.header(p).text()
    assert by_name["step 3a", "phi"][6] == "the judge gives one label only, UNMET"
    assert math.isnan(by_name["step 3a", "phi"][4])  # type: ignore[arg-type]
    assert ("table", "f1") not in by_name
    text = safe_csv(columns)
    assert "'=yes" in text
    assert text.count("\r\n") == len(rows) + 1


@pytest.mark.parametrize(
    ("x", "text"),
    [(0.9, "90 %"), (0.905, "90.5 %"), (0.8239999999999, "82.4 %"), (1.0, "100 %"), (0.0, "0 %"), (1 - 4e-9, ">99 %"),
     (1e-9, "<1 %"), (2 / 3, "66.7 %"), (0.9999, ">99 %"), (0.0004, "<1 %"), (0.004, "0.4 %"), (0.7000000000001, "70 %"),
     (math.nan, "–")],
)  # fmt: skip
def test_shares(x: float, text: str) -> None:
    assert plain(part(x)) == text


@pytest.mark.parametrize(
    ("x", "text"), [(1000, "1 000"), (26.69, "26.7"), (44.9999999, "45"), (0.01, "<0.1"), (0, "0"), (-12, "−12")]
)
def test_decisions(x: float, text: str) -> None:
    assert plain(amount(x)) == text


def test_units_and_lists() -> None:
    assert counted(1, "decisions") == "1 decision"
    assert (counted(0, "false passes"), counted(1, "false passes")) == ("0 false passes", "1 false pass")
    assert in_points(-0.095) == "9.5"
    assert words.listed(["κ"]) == "κ"
    assert words.listed(["κ", "φ", "F1"]) == "κ, φ and F1"
    assert words.listed(["κ", "φ", "F1", "J"], 2) == "κ, φ and 2 more"
    assert words.listed([]) == ""
    assert [words.capital(text) for text in ("the two", "κ is", "")] == ["The two", "κ is", ""]


@pytest.mark.parametrize(
    ("key", "p", "says"),
    [
        ("kappa", RARE, "κ uses all four cells."),
        ("recall", RARE, "TPR uses TP and FN."),
        ("precision", RARE, "precision uses TP and FP."),
        ("drift", RARE, "π̂ − π uses FN and FP."),
        ("kappa", Picture(SILENT, "as_category"), "κ uses all nine cells."),
        ("accuracy", Picture(SILENT, "as_category"), "accuracy uses the 3 cells in which human and judge give the same label."),
    ],
)
def test_the_cells_of_a_metric_are_named(key: str, p: Picture, says: str) -> None:
    assert readings.lit_cells(key, p) == says


def test_a_table_without_abstentions_beside_one_with_them_has_the_third_class_too() -> None:
    scene = Scene("", ConfusionTable((80, 40, 5, 5)), ConfusionTable((100, 20, 5, 5), (10, 0, 0, 0, 0)), mode="as_category")
    a, b = scene.picture, scene.other
    assert b is not None
    assert a.counts.tolist() == [[80, 40, 0], [5, 5, 0], [0, 0, 0]]
    assert (a.bars, a.labels, a.two) == (b.bars, b.labels, False)
    alone = Picture(scene.a)
    for key in ("kappa", "accuracy", "expected_agreement"):
        assert a.values[key] == pytest.approx(alone.values[key])
        assert worked(key, a).result == worked(key, alone).result
    assert a.values["mcc_multiclass"] == pytest.approx(alone.values["phi"])
    assert all(readings.with_rates(*pair) is None for pair in ((a, b), (b, a)))
    two = Scene("", scene.a, replace(scene.b, silent=NONE), mode="as_category")
    assert two.picture.two
    assert not two.other.third


def test_what_is_true_of_a_and_b_is_said_once() -> None:
    scene = Scene("", ConfusionTable((80, 40, 5, 5)), ConfusionTable((100, 20, 5, 5), (10, 0, 0, 0, 0)), mode="as_category")
    why = "TPR and FPR need two labels, and CANNOT_ASSESS is a class of its own here."
    assert readings.space_reading(scene.picture, scene.other) == f"there is no point: {why}"
    assert readings.of_both(readings.lines_reading, scene.picture, scene.other) == f"there is no line: {why}"
    lone = Scene("", ConfusionTable((0, 0, 5, 5)), ConfusionTable((40, 10, 20, 30)))
    text = plain(readings.space_reading(lone.picture, lone.other))
    assert text.startswith("A: there is no point: the human never says MET, so there is no TPR. B: TPR 80 % and FPR 40 %,")
