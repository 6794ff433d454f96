"""`metrics.raters`: the report, its JSON, the command, and what is undefined."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.raters import tables
from metrics.analyses.raters.alpha import krippendorff_alpha
from metrics.analyses.raters.coefficients import fleiss_kappa
from metrics.analyses.raters.compute import NO_PAIR, ONE_LABEL
from metrics.analyses.raters.equivalences import UNSEEN, same_numbers
from metrics.analyses.raters.evidence import evidence
from metrics.analyses.raters.gate import Bands
from metrics.analyses.raters.tables import gate_heading
from metrics.commands.cli import main
from metrics.errors import InputError
from metrics.measures.transforms import student
from metrics.results.report import name_beside_all
from metrics.results.tables import in_full
from tests.raters.made import labels, rows, votes
from tests.shared_data import data

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("MET", "UNMET")
KEYS = ("alpha", "fleiss_kappa", "mean_pairwise_kappa", "mean_pairwise_phi", "gwet_ac1", "percent_agreement")


def ratings_of(codes, names=NAMES, **options) -> metrics.Ratings:
    item, criterion = options.pop("item", None), options.pop("criterion", None)
    return metrics.read(rows(np.asarray(codes), names, item, criterion).encode(), **options)


def call(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


@pytest.fixture(scope="module")
def two_criteria() -> metrics.Ratings:
    own = labels(3, n=120, raters=4, k=2, missing=0.2)
    n = len(own)
    return ratings_of(own, item=[unit // 2 for unit in range(n)], criterion=["cd"[unit % 2] for unit in range(n)])


def test_the_json_has_every_name_of_the_contract(two_criteria) -> None:
    found = json.loads(json.dumps(metrics.raters(two_criteria).to_dict(), allow_nan=False))
    assert list(found["criteria"]) == ["all", "c", "d"]
    counted = ("n_items", "n_raters", "n_ratings", "fleiss_n_items", "fleiss_n_ratings")
    for block in found["criteria"].values():
        assert all(isinstance(block[key], int) for key in counted)
        assert all(block["intervals"][key][0] < block[key] < block["intervals"][key][1] for key in KEYS)
        assert block["level"] == "nominal"
        assert set(block["pairs"][0]) == {"a", "b", "n", "kappa", "phi", "percent_agreement"}
        assert {"verdict", "band", "n_needed"} <= set(block["gate"])
    declared = found["declaration"]
    assert declared["role"] == "human"
    assert sorted(declared["raters"]) == ["r0", "r1", "r2", "r3"]
    assert (declared["abstention"], declared["level"], declared["gate"]["floor"]) == ("exclude", "nominal", 0.667)
    assert "reference" not in declared
    assert found["warnings"] == []


def test_the_counts(two_criteria) -> None:
    own = votes(labels(3, n=120, raters=4, k=2, missing=0.2), 2)
    block = metrics.raters(two_criteria).pooled
    assert (block.n_items, block.n_ratings, block.n_raters) == (len(own), own.sum(), 4)
    assert block.n_pairable == (own.sum(1) > 1).sum()
    assert block.fleiss_n_items == (own.sum(1) == block.fleiss_n_ratings).sum()
    per = metrics.raters(two_criteria).criteria["c"]
    assert per.n_items == len(own[::2])


def test_all_pools_the_criteria_and_leaves_out_whole_items(two_criteria) -> None:
    own = votes(labels(3, n=120, raters=4, k=2, missing=0.2), 2)
    block = metrics.raters(two_criteria).pooled
    assert block.values["alpha"] == pytest.approx(float(krippendorff_alpha(own)), abs=1e-12)
    item = np.arange(len(own)) // 2
    there = [one for one in np.unique(item) if (own[item == one].sum(1) > 1).any()]
    left = np.array([float(krippendorff_alpha(own[item != one])) for one in there])
    n, alpha = len(left), block.values["alpha"]
    half = student(n - 1, 0.95) * np.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum()) / (1 - alpha**2)
    assert block["alpha"].ends == pytest.approx((np.tanh(np.arctanh(alpha) - half), np.tanh(np.arctanh(alpha) + half)), abs=1e-10)


def test_a_criterion_named_all_is_told_apart() -> None:
    own = labels(1, n=40, k=2, raters=2, missing=0)
    ratings = ratings_of(own, item=np.arange(40) // 2, criterion=["all", "c"] * 20)
    report = metrics.raters(ratings)
    assert list(report.to_dict()["criteria"]) == ["all", "all (criterion)", "c"]
    assert report.to_dict()["criteria"]["all"]["n_items"] == 40
    assert report.to_dict()["criteria"]["all (criterion)"]["n_items"] == 20


def test_a_criterion_named_all_takes_no_name_of_another() -> None:
    own = labels(1, n=90, k=2, raters=2, missing=0)
    own[::3, 1] = own[::3, 0]
    names = ["all", "all (criterion)", "all (criterion) 2"]
    ratings = ratings_of(own, item=np.arange(90) // 3, criterion=names * 30)
    report, shown = metrics.raters(ratings), evidence(ratings).criteria
    found = report.to_dict()["criteria"]
    assert list(found) == list(shown) == ["all", "all (criterion) 3", *names[1:]]
    assert found["all (criterion) 3"]["alpha"] == report.criteria["all"].values["alpha"] == 1
    assert found["all (criterion)"]["alpha"] == report.criteria["all (criterion)"].values["alpha"] < 1
    assert shown["all (criterion) 3"].ambiguity.n_split == 0 < shown["all (criterion)"].ambiguity.n_split
    assert name_beside_all("all", names[:2]) == "all (criterion) 2"
    assert [name_beside_all(name, names[1:]) for name in names[1:]] == names[1:]


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_numeric_labels_are_ordered_by_value_unless_an_order_is_given(level) -> None:
    own, names = labels(5, n=50, raters=4), ("10", "2", "1")
    counts = votes(own)
    peer = krippendorff.alpha(value_counts=counts[:, ::-1], value_domain=[1, 2, 10], level_of_measurement=level)
    kinds = dict.fromkeys(names, "class")
    for order in (None, ["1", "2", "10"]):
        ratings = ratings_of(own, names, labels=kinds, order=order)
        assert metrics.raters(ratings, level=level).pooled.values["alpha"] == pytest.approx(peer, abs=1e-12)
    other = metrics.raters(ratings_of(own, names, labels=kinds, order=["2", "1", "10"]), level=level).pooled.values["alpha"]
    given = krippendorff.alpha(value_counts=counts[:, [1, 2, 0]], value_domain=[1, 2, 3], level_of_measurement=level)
    assert other == pytest.approx(given if level == "ordinal" else peer, abs=1e-12)


def test_ac2_stands_beside_ac1_above_nominal() -> None:
    ratings = ratings_of(labels(5), ("1", "2", "3"), labels=dict.fromkeys("123", "class"))
    assert "gwet_ac2" not in metrics.raters(ratings, level="nominal").pooled.values
    block = metrics.raters(ratings, level="ordinal").pooled
    low, high = block["gwet_ac2"].ends
    assert low < block.values["gwet_ac2"] < high
    assert block.values["gwet_ac1"] == metrics.raters(ratings).pooled.values["gwet_ac1"]


def test_words_need_an_order() -> None:
    names = ("low", "mid", "high")
    ratings = ratings_of(labels(5), names, labels=dict.fromkeys(names, "class"))
    with pytest.raises(InputError, match="order="):
        metrics.raters(ratings, level="ordinal")
    ordered = ratings_of(labels(5), names, labels=dict.fromkeys(names, "class"), order=names)
    peer = krippendorff.alpha(value_counts=votes(labels(5)), level_of_measurement="ordinal")
    assert metrics.raters(ordered, level="ordinal").pooled.values["alpha"] == pytest.approx(peer, abs=1e-12)


def test_abstentions_are_missing_or_a_class() -> None:
    own = labels(7, n=60, raters=3, missing=0)
    names = (*NAMES, "CANNOT_ASSESS")
    counts = votes(own)
    ratings = ratings_of(own, names)
    excluded, third = metrics.raters(ratings).pooled, metrics.raters(ratings, abstention="as_category").pooled
    assert excluded.values["alpha"] == pytest.approx(float(krippendorff_alpha(counts[:, :2])), abs=1e-12)
    assert third.values["alpha"] == pytest.approx(float(krippendorff_alpha(counts)), abs=1e-12)
    merged = np.column_stack([counts[:, 0], counts[:, 1:].sum(1)])
    recoded = metrics.raters(ratings, abstention="as_unmet").pooled
    assert recoded.values["alpha"] == pytest.approx(float(krippendorff_alpha(merged)), abs=1e-12)
    assert third.complete
    assert not excluded.complete


def test_one_label_only_is_undefined_and_says_so() -> None:
    block = metrics.raters(ratings_of(np.zeros((30, 3), int))).pooled
    assert block.undefined["alpha"] == ONE_LABEL
    assert set(block.undefined) == {"alpha", "fleiss_kappa", "mean_pairwise_kappa", "mean_pairwise_phi"}
    assert block.values["percent_agreement"] == block.values["gwet_ac1"] == 1
    found = block.to_dict()
    assert found["alpha"] is None
    assert found["intervals"]["alpha"] is None
    assert (found["gate"]["verdict"], found["gate"]["reason"]) == ("undecided", ONE_LABEL)
    low, high = block["percent_agreement"].ends
    assert 0.8 < low < high == 1


def test_raters_that_share_no_item() -> None:
    own = np.full((20, 2), -1)
    own[:10, 0], own[10:, 1] = np.arange(10) % 2, np.arange(10) % 2
    block = metrics.raters(ratings_of(own)).pooled
    assert dict(block.undefined) == dict.fromkeys(KEYS, NO_PAIR)
    assert block.to_dict()["intervals"] == dict.fromkeys(KEYS)
    assert block.to_dict()["pairs"] == []
    assert block.intervals == {}
    assert (block.fleiss_n_items, block.fleiss_n_ratings) == (0, 0)


def test_pairs_of_few_items_are_shown_but_in_no_mean() -> None:
    own = labels(2, n=9, raters=3, k=2, missing=0)
    block = metrics.raters(ratings_of(own)).pooled
    assert len(block.to_dict()["pairs"]) == 3
    assert "share 10 items" in block.undefined["mean_pairwise_kappa"]
    assert not np.isnan(block.values["alpha"])


@pytest.mark.parametrize("wrong", [0, 1, 3])
def test_nearly_full_agreement_has_an_interval_that_is_not_too_good(wrong) -> None:
    own = np.repeat((np.arange(50) % 2)[:, None], 3, 1)
    own[:wrong, 0] = 1 - own[:wrong, 0]
    block = metrics.raters(ratings_of(own)).pooled
    for key in KEYS:
        low, high = block[key].ends
        assert low < block.values[key] <= high <= 1
        assert low < 1 - wrong / 50
        assert "dirichlet" in block.intervals[key].method or "wilson" in block.intervals[key].method
        assert f"{wrong} item" in block.intervals[key].note
    assert block.gate.verdict == "passes"


def test_many_disagreements_leave_the_jackknife_alone() -> None:
    block = metrics.raters(ratings_of(labels(3, n=80, k=2, missing=0))).pooled
    assert {found.method for found in block.intervals.values()} == {"jackknife"}
    assert "interval_notes" not in block.to_dict()


def test_without_intervals_nothing_is_decided(two_criteria) -> None:
    report = metrics.raters(two_criteria, interval="none")
    assert report.pooled.to_dict()["intervals"] == {}
    assert report.pooled.gate.verdict == "undecided"
    assert report.pooled.gate.reason == "there is no interval"


def test_one_item_has_no_interval() -> None:
    block = metrics.raters(ratings_of([[0, 1, 0]])).pooled
    assert block.values["alpha"] == pytest.approx(float(krippendorff_alpha([[2, 1]])))
    assert block.intervals == {}
    found = block.to_dict()
    assert set(found["intervals"]) == set(KEYS)
    assert set(found["intervals"].values()) == {None}
    assert found["interval_notes"]["alpha"].startswith("no interval: one item")
    assert found["gate"]["reason"] == "there is no interval"


def test_many_labels_and_hardly_a_disagreement_have_no_interval_but_of_the_agreement() -> None:
    names = tuple(map(str, range(1, 13)))
    own = np.repeat((np.arange(36) % 12)[:, None], 3, 1)
    block = metrics.raters(ratings_of(own, names, labels=dict.fromkeys(names, "class"))).pooled
    assert block.values["alpha"] == 1
    assert set(block.intervals) == {"percent_agreement"}
    assert "so many labels" in block.to_dict()["interval_notes"]["alpha"]


def test_more_confidence_is_a_wider_interval(two_criteria) -> None:
    narrow, wide = (metrics.raters(two_criteria, confidence=confidence).pooled for confidence in (0.8, 0.99))
    for key in KEYS:
        assert wide[key].ends[0] < narrow[key].ends[0] < narrow[key].ends[1] < wide[key].ends[1]


def test_criteria_that_fail_come_first_and_those_that_pass_last() -> None:
    good, bad = labels(1, n=120, k=2, raters=3, missing=0, knows=0.97), labels(2, n=120, k=2, raters=3, missing=0, knows=0.2)
    some = labels(3, n=120, k=2, raters=3, missing=0, knows=0.82)
    silent = np.zeros((120, 3), int)
    parts = {"good": good, "bad": bad, "some": some, "silent": silent}
    criterion = [name for name in parts for _ in range(120)]
    report = metrics.raters(ratings_of(np.concatenate(list(parts.values())), item=[*range(120)] * 4, criterion=criterion))
    assert [report.criteria[name].gate.verdict for name in ("bad", "some", "silent", "good")] == [
        "fails", "undecided", "undecided", "passes",
    ]  # fmt: skip
    assert report.by_need() == ["bad", "some", "silent", "good"]
    heading = "Which criteria pass the gate? 1 of 4 pass, 1 fail, 1 undecided, 1 without a verdict"
    assert gate_heading(report) == heading
    assert report.mean("alpha").of == (3, 4)
    assert report.to_dict()["mean_over_criteria"]["defined"]["alpha"] == [3, 4]
    assert "pooled_alpha" in {warning.code for warning in report.warnings}


def test_the_heading_of_a_single_criterion_is_its_verdict() -> None:
    asks = "Do the humans pass the gate?"
    assert gate_heading(metrics.raters(ratings_of(np.zeros((30, 3), int)))) == f"{asks} No verdict: {ONE_LABEL}"
    own = labels(3, n=120, k=2, raters=3, missing=0, knows=0.82)
    assert gate_heading(metrics.raters(ratings_of(own))) == f"{asks} Undecided"
    assert gate_heading(metrics.raters(ratings_of(own), interval="none")) == f"{asks} No verdict: there is no interval"


def test_the_gate_follows_the_bands(two_criteria) -> None:
    report = metrics.raters(two_criteria, bands=Bands(on="kappa", floor=0.05))
    assert report.pooled.gate.on == "kappa"
    assert report.pooled.gate.verdict == "passes"
    assert metrics.raters(two_criteria, bands=Bands(floor=0.95)).pooled.gate.verdict == "fails"


def test_rates_of_raters() -> None:
    own = np.array([[0, 0, -1], [0, 1, -1], [1, 1, -1], [0, 1, 0]])
    block = metrics.raters(ratings_of(own)).pooled
    assert [rates["MET"] for rates in block.rates] == [0.75, 0.25, 1.0]


def test_frames_carry_their_declaration(two_criteria) -> None:
    report = metrics.raters(two_criteria)
    frame = report.to_frame()
    assert len(frame) == 3 * len(KEYS)
    assert {"criterion", "statistic", "value", "low", "high", "undefined", "level", "role", "abstention", "file"} <= set(frame)
    own = frame.set_index(["criterion", "statistic"])
    assert own.loc[("all", "alpha"), "value"] == report.pooled.values["alpha"]
    pairs = pd.DataFrame(in_full(tables.pairs(report, "c")))
    assert len(pairs) == 6


@pytest.mark.parametrize(
    "choices",
    [
        {"level": "rank"}, {"role": "person"}, {"abstention": "drop"}, {"interval": "wilson"}, {"confidence": 1.0},
        {"role": "judge"}, {"level": "ordinal", "abstention": "as_category"}, {"handling": {"tie": "keep"}},
    ],
)  # fmt: skip
def test_choices_that_are_none_are_refused(two_criteria, choices) -> None:
    with pytest.raises(InputError):
        metrics.raters(two_criteria, **choices)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_numbers_are_those_of_the_handling_asked_for_whatever_was_asked_before(order) -> None:
    def ratings() -> metrics.Ratings:
        return metrics.read(rows(labels(2, n=40), ("MET", "UNMET", "tie")).encode(), labels={"tie": "tie"})

    choices = {"abstention": "as_category"}, {"abstention": "as_category", "handling": {"tie": "exclude"}}
    fresh = [metrics.raters(ratings(), **own).to_dict()["criteria"] for own in choices]
    assert fresh[0] != fresh[1]
    one = ratings()
    for place in order:
        assert metrics.raters(one, **choices[place]).to_dict()["criteria"] == fresh[place]


def test_counts_have_no_raters() -> None:
    ratings = metrics.read(b"human,judge,n\nMET,MET,10\nMET,UNMET,3\nUNMET,UNMET,9\n")
    with pytest.raises(InputError, match="no raters"):
        metrics.raters(ratings)


def test_a_file_that_does_not_say_who_is_human_is_warned_of() -> None:
    text = rows(labels(1, n=20, k=2), NAMES).replace(",role,", ",").replace(",human,", ",")
    report = metrics.raters(metrics.read(text.encode()))
    assert [warning.code for warning in report.warnings] == ["role_unknown"]


def test_a_rater_called_like_a_judge_is_no_person_before_somebody_says_so() -> None:
    text = rows(labels(1, n=20, k=2), NAMES).replace(",role,", ",").replace(",human,", ",")
    mixed = text.replace(",r1,", ",gpt-4,")
    for analysis in (metrics.raters, metrics.overview):
        with pytest.raises(InputError, match=r"‘gpt-4’ is called like a judge|gpt-4 is called like a judge"):
            analysis(metrics.read(mixed.encode()))
    assert metrics.raters(metrics.read(mixed.encode(), roles={"gpt-4": "judge", "*": "human"})).raters == ("r0", "r2", "r3")
    models = metrics.read(re.sub(r",r(\d),", r",gpt-\1,", text).encode())
    report = metrics.raters(models)
    assert (report.role, len(report.raters)) == ("judge", 4)
    assert [warning.code for warning in report.warnings] == ["role_unknown"]


# Which of them are one number.


def found_of(own, **choices) -> dict[tuple[str, str], object]:
    return {(found.a, found.b): found for found in same_numbers(metrics.raters(ratings_of(own), **choices).pooled)}


def test_in_a_complete_design_alpha_and_fleiss_are_one_number_of_many_items() -> None:
    few, many = (found_of(labels(1, n=n, k=2, raters=3, missing=0))["alpha", "fleiss_kappa"] for n in (40, 800))
    assert (few.kind, many.kind) == ("differ", "same")
    assert many.difference < UNSEEN < few.difference
    said = "every item has 3 labels, so α is Fleiss’ κ plus (1 − κ_F)/(N·R)"
    assert few.why == f"{said} = {few.difference:.3f}, which vanishes with more items."
    assert many.why == f"{said}, less than 0.001: three decimals do not show it."


def test_full_agreement_leaves_no_term() -> None:
    found = found_of(np.repeat(np.arange(40)[:, None] % 2, 3, 1))["alpha", "fleiss_kappa"]
    assert found.kind == "same"
    assert found.why.endswith("(1 − κ_F)/(N·R), here 0: three decimals do not show it.")


def test_units_are_decisions_where_criteria_are_pooled() -> None:
    own = labels(1, n=80, k=2, raters=3, missing=0)
    ratings = ratings_of(own, item=np.arange(80) // 2, criterion=["c", "d"] * 40)
    report = metrics.raters(ratings)
    assert same_numbers(report.pooled)[0].why.startswith("every decision has 3 labels")
    assert same_numbers(report.criteria["c"])[0].why.startswith("every item has 3 labels")
    own[:4, 1:] = -1
    some = metrics.raters(ratings_of(own, item=np.arange(80) // 2, criterion=["c", "d"] * 40))
    assert same_numbers(some.pooled)[0].why.startswith("every decision with two labels or more has exactly 3, so α is")
    own[:8, 1] = own[:8, 0]
    gaps = metrics.raters(ratings_of(own, item=np.arange(80) // 2, criterion=["c", "d"] * 40)).pooled
    alpha, fleiss = same_numbers(gaps)[:2]
    assert alpha.why == "α uses all 80 decisions with two labels or more, Fleiss’ κ the 76 with exactly 3."
    assert fleiss.why == "not every rater labelled every decision, so the two rest on other decisions and need not agree."


def test_an_item_of_one_label_is_in_neither_and_does_not_part_them() -> None:
    own = labels(1, n=40, k=2, raters=3, missing=0)
    own[:4, 1:] = -1
    found = found_of(own)["alpha", "fleiss_kappa"]
    assert found.why.startswith("every item with two labels or more has exactly 3, so α is Fleiss’ κ plus")
    assert found.difference == pytest.approx((1 - float(fleiss_kappa(votes(own[4:], 2)))) / (36 * 3), abs=1e-12)


@pytest.mark.parametrize("equal", [True, False])
def test_two_raters_share_what_fleiss_and_phi_rest_on(equal: bool) -> None:
    own = np.zeros((100, 2), int)
    own[:20, 0] = own[10:30, 1] = 1
    own[60:, 1] = -1
    own[90:, 0] = 1
    if not equal:
        own[40:45, 1] = 1
    found = found_of(own)["fleiss_kappa", "mean_pairwise_phi"]
    assert found.kind == ("same" if equal else "differ")
    said = "both rest on the 60 items that every rater labelled"
    there = (
        f"they are equal only where all give every label equally often there, here they lie {abs(found.difference):.3f} apart."
    )
    assert found.why == (f"{said}, and are equal there." if equal else f"{said}; {there}")


def test_with_gaps_they_rest_on_other_items() -> None:
    found = found_of(labels(1, n=40, k=2, raters=3))["alpha", "fleiss_kappa"]
    assert found.kind == "differ"
    assert "exactly" in found.why


def test_fleiss_is_phi_only_at_equal_rates(published) -> None:
    own = np.zeros((100, 2), int)
    own[:20, 0] = own[:80, 1] = 1
    apart = found_of(own)["fleiss_kappa", "mean_pairwise_phi"]
    assert (apart.kind, round(apart.difference, 12)) == ("differ", -0.45)
    assert "60\u00a0points" in apart.why
    equal = np.zeros((100, 2), int)
    equal[:20, 0] = equal[10:30, 1] = 1
    both = found_of(equal)
    assert both["fleiss_kappa", "mean_pairwise_phi"].kind == "same"
    assert both["mean_pairwise_kappa", "mean_pairwise_phi"].kind == "same"


def test_with_three_labels_the_correlation_has_another_name() -> None:
    own = labels(5, n=40, raters=3, missing=0)
    block = metrics.raters(ratings_of(own, ("1", "2", "3"), labels=dict.fromkeys("123", "class"))).pooled
    assert [found.title(block) for found in same_numbers(block)][1] == "Fleiss’ κ and mean R_K"
    assert block.to_dict()["labels"] == ["1", "2", "3"]
    assert metrics.raters(ratings_of(labels(5, k=2))).pooled.symbol("mean_pairwise_phi") == "mean φ"


def test_an_undefined_number_is_compared_with_none() -> None:
    assert found_of(np.zeros((30, 3), int)) == {}


# The command.


def test_the_command_prints_what_python_returns(capsys, tmp_path) -> None:
    path = tmp_path / "raters.csv"
    own = labels(5, n=60)
    path.write_text(rows(own, ("1", "2", "3")))
    how = ["--labels", "1=class,2=class,3=class"]
    options = ["--level", "ordinal", "--confidence", "0.9", "--gate-on", "kappa", "--floor", "0.5"]
    code, out, err = call(capsys, "raters", path, "--json", *how, *options)
    assert (code, err) == (0, "")
    ratings = metrics.read(path, labels=dict.fromkeys("123", "class"))
    report = metrics.raters(ratings, level="ordinal", confidence=0.9, bands=Bands(on="kappa", floor=0.5))
    assert json.loads(out) == json.loads(json.dumps(report.to_dict()))


@pytest.mark.slow("starts a process")
def test_the_command_as_a_process(tmp_path) -> None:
    path = tmp_path / "raters.csv"
    path.write_text(rows(labels(5, k=2), NAMES))
    command = [sys.executable, "-m", "metrics", "raters", str(path), "--json", "--interval", "none"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["criteria"]["all"]["intervals"] == {}


@pytest.mark.parametrize("options", [["--level", "ordinal"], ["--role", "judge"], ["--gate-on", "phi"], ["--floor", "2"]])
def test_the_command_refuses_in_one_sentence(capsys, tmp_path, options) -> None:
    path = tmp_path / "raters.csv"
    path.write_text(rows(labels(5, k=2), NAMES))
    code, out, err = call(capsys, "raters", path, "--json", *options)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert "Traceback" not in err


def test_the_summary_has_its_numbers_and_the_criteria_by_need(capsys, tmp_path) -> None:
    path = tmp_path / "raters.csv"
    own = labels(3, n=120, raters=4, k=2, missing=0)
    path.write_text(rows(own, NAMES, np.arange(120) // 2, ["c", "d"] * 60))
    report = metrics.raters(metrics.read(path))
    code, out, _ = call(capsys, "raters", path)
    assert code == 0
    low, high = report.pooled["alpha"].ends
    assert f"{report.pooled.values['alpha']:.2f} [{low:.2f}, {high:.2f}]" in out
    assert "480 labels on 120 decisions, each by all 4 humans." in out
    assert "2 of 2" in out
    assert [line.split()[0] for line in out.splitlines() if line.startswith(("  c ", "  d "))] == report.by_need()
    assert "α and Fleiss’ κ, not the same here: every decision has 4 labels" in out


# Published data.


def test_the_published_kappas_of_pandalm() -> None:
    ratings = metrics.read(data("pandalm_raters.csv"), labels={"1": "class", "2": "class", "tie": "class"})
    pairs = metrics.raters(ratings).pooled.to_dict()["pairs"]
    assert sorted(round(pair["kappa"], 2) for pair in pairs) == [0.85, 0.86, 0.88]
    assert [pair["n"] for pair in pairs] == [999] * 3


def test_the_published_agreement_of_experts_on_mtbench() -> None:
    table = pd.read_csv(data("mtbench_raters.csv"), dtype=str)
    experts = table[table["rater"].str.startswith("expert")]
    ratings = metrics.read(experts, labels={"A": "class", "B": "class", "tie": "tie"})
    block = metrics.raters(ratings).pooled
    assert block.values["percent_agreement"] == pytest.approx(0.81, abs=0.006)
    assert not block.complete
    everyone = metrics.raters(metrics.read(table, labels={"A": "class", "B": "class", "tie": "tie"})).pooled
    assert everyone.n_raters == 65


@pytest.mark.parametrize(
    ("name", "role", "how", "raters"),
    [
        ("xstest_raters", "human", {"labels": dict.fromkeys(("full_compliance", "full_refusal", "partial_refusal"), "class")}, 2),
        ("dices350_raters", "human", {}, 123),
        ("viescore_t2i_raters", "human", {"order": ["0.0", "0.5", "1.0"]}, 3),
        ("llmbar_natural", "judge", {"labels": {"output_1": "positive", "output_2": "negative"}}, 65),
    ],
)
def test_the_package_agrees_on_real_data(name, role, how, raters) -> None:
    ratings = metrics.read(data(f"{name}.csv"), **how)
    from metrics.analyses.raters.units import units_of

    counts = units_of(ratings, role).votes
    block = metrics.raters(ratings, role=role).pooled
    assert block.level == ("ordinal" if "order" in how else "nominal")
    peer = krippendorff.alpha(value_counts=counts, level_of_measurement=block.level)
    assert block.values["alpha"] == pytest.approx(peer, abs=1e-12)
    assert block.n_raters == raters
    assert all(not np.isnan(value) for value in block.values.values())


def test_agreement_below_minus_one_has_an_interval_all_the_same() -> None:
    """Two raters at opposite ends: AC2 by distance can lie below −1, where Fisher's z ends; no interval is lost."""
    opposed = np.array([(0, 2), (2, 0)] * 12, np.int16)
    kinds = {"labels": dict.fromkeys("123", "class"), "order": ["1", "2", "3"]}
    for codes in (np.concatenate([opposed, [(0, 1), (1, 2)]]).astype(np.int16), opposed):
        block = metrics.raters(ratings_of(codes, ("1", "2", "3"), **kinds), level="interval").pooled
        value, (low, high) = block.values["gwet_ac2"], block["gwet_ac2"].ends
        weights = 1 - (np.subtract.outer(np.arange(3), np.arange(3)) / 2) ** 2
        rates = np.bincount(codes.ravel(), minlength=3) / codes.size
        by_chance = weights.sum() / 6 * (rates * (1 - rates)).sum()
        agreed = np.mean([weights[one, other] for one, other in codes])
        assert value == pytest.approx((agreed - by_chance) / (1 - by_chance))
        assert value < -0.9
        assert low <= value < high
        assert (low < value) == (rates[1] > 0)  # of the labels 1 and 3 alone no two raters can be farther apart
    assert value <= -1
