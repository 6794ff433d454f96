"""A report of slices: who departs is named, what is too small is not, and every way out holds the same numbers."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics import InputError, SliceReport
from metrics.analyses.slices import readings, tables
from metrics.analyses.slices.searching import stepped_down
from metrics.results import words
from tests.slices.made import failing


@pytest.fixture(scope="module")
def report() -> SliceReport:
    return metrics.slices(metrics.read(failing()), "language", find=True)


def test_the_group_that_fails_is_first_and_named(report: SliceReport) -> None:
    judge = report.judges["judge"]
    assert judge.slices[0].value == "ja"
    assert judge.slices[-1].value == "xx"
    assert [each.value for each in judge.below] == ["ja"]
    assert "‘ja’" in readings.headline(report, judge)
    assert not any("lies above" in sentence for sentence in readings.sentences(report, judge))
    assert judge["xx"].small["kappa"] == "4 items"
    assert math.isnan(judge["xx"].p["kappa"])
    assert not math.isnan(judge["xx"].pooled["kappa"])


def test_groups_above_a_rest_that_holds_the_low_one_are_said_to_be_so() -> None:
    """Each of three equal groups is higher than the other two and the bad one together: the table has a low p for each."""
    found = metrics.slices(metrics.read(failing(1200)), "language")
    judge = found.judges["judge"]
    above = [each for each in judge.departing if each.departs("kappa") > 0]
    assert [each.value for each in judge.below] == ["ja"]
    assert len(above) > 1
    (said,) = [text for text in readings.sentences(found, judge) if "groups above are named" in text]
    assert all(f"‘{each.value}’" in said for each in above)
    assert "each of them is held against a rest that holds ‘ja’: groups above are named only where none is below." in said
    assert f"(p up to {words.p_value(max(each.p['kappa'] for each in above))})" in said
    without = metrics.slices(metrics.read(failing(1200, worst="none")), "language")
    assert not any("groups above are named" in text for text in readings.sentences(without, without.judges["judge"]))


def test_a_column_that_says_where_the_judge_is_right_is_no_slice() -> None:
    frame = failing(worst="none")
    alike = frame["human"] == frame["verdict"]
    frame["correct"] = np.where(alike, "True", "False")
    frame["kind"] = np.where(alike, "fine", np.where(frame["human"] == "yes", "missed", "false alarm"))
    columns = {"item": "item", "human": "human", "verdict": "verdict"}
    search = metrics.slices(metrics.read(frame, columns=columns), "language", find=True).searches["judge"]
    assert not search.departing
    assert not {"correct", "kind"} & set(search.columns)
    frame.loc[frame.index[alike][0], "correct"] = "False"
    search = metrics.slices(metrics.read(frame, columns=columns), "language", find=True).searches["judge"]
    assert search.departing[0].column == "correct"


def test_pooled_values_lie_between_a_group_and_the_mean_of_all(report: SliceReport) -> None:
    judge = report.judges["judge"]
    for each in judge.slices:
        if not each.small["kappa"]:
            low, high = sorted((each["kappa"].value, judge.test.centre))
            assert low - 0.03 <= each.pooled["kappa"] <= high + 0.03


def test_the_distance_is_that_of_prevalence_and_that_of_errors(report: SliceReport) -> None:
    judge = report.judges["judge"]
    whole = judge.whole.micro["prevalence"].value
    for each in judge.slices[:-1]:
        tpr, fpr = each["recall"].value, 1 - each["specificity"].value
        y = fpr + (tpr - fpr) * whole
        by_hand = 2 * (tpr - fpr) * whole * (1 - whole) / (whole * (1 - y) + y * (1 - whole))
        assert each.matched == pytest.approx(by_hand)


@pytest.mark.slow("simulates")
def test_nothing_is_said_of_groups_that_chance_explains() -> None:
    said = []
    for seed in range(6):
        report = metrics.slices(metrics.read(failing(200, seed, worst="none")), "language", find=True)
        judge = report.judges["judge"]
        said.append(bool(judge.departing))
        if not judge.departing and judge.test.p > 0.05:
            assert readings.headline(report, judge).startswith("no group differs significantly")
            assert not any("lies below" in sentence for sentence in readings.sentences(report, judge))
    assert sum(said) <= 2


def test_json_and_back_is_the_same_and_holds_agreement_beside_the_slices(report: SliceReport) -> None:
    document = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    alone = metrics.agreement(metrics.read(failing())).to_dict()
    assert {key: document[key] for key in alone} == json.loads(json.dumps(alone))
    assert set(document["slices"]) == {"de", "en", "fr", "ja", "xx"}
    assert document["heterogeneity"]["judge"]["kappa"]["p"] < 0.05
    assert SliceReport.from_json(report.to_json()).to_dict() == report.to_dict()
    assert document["search"]["judge"]["departing"][0]["value"] == "ja"


def test_the_frame_has_a_row_for_every_number(report: SliceReport) -> None:
    frame = report.to_frame()
    ja = frame[(frame["language"] == "ja") & (frame["metric"] == "kappa")].iloc[0]
    assert ja["value"] == report.judges["judge"]["ja"]["kappa"].value
    assert ja["low"] < ja["value"] < ja["high"]


def test_summary_and_table_name_every_group(report: SliceReport) -> None:
    table = tables.slice_table(report, report.judges["judge"])
    assert [row[0] for row in table.rows] == [each.value for each in report.judges["judge"].slices]
    for value in report.values:
        assert value in report.summary()
    assert "too small: 4 items" in report.summary()


def test_the_search_names_one_group_once() -> None:
    frame = failing()
    frame["japanese"] = np.where(frame["language"] == "ja", "yes", "no")
    found = metrics.slices(metrics.read(frame), find=True).searches["judge"]
    assert [(each.by, each.value) for each in found.departing] == [("language", "ja")]
    kept = metrics.slices(metrics.read(frame), "language").judges["judge"]["ja"]
    assert found.departing[0].estimate == kept["kappa"]
    rest = frame[(frame["language"] != "ja")]
    assert found.departing[0].rest == pytest.approx(metrics.agreement(metrics.read(rest)).judges["judge"].micro["kappa"].value)


def test_maxima_are_stepped_down() -> None:
    rng = np.random.default_rng(1)
    drawn = rng.normal(size=(999, 3))
    p = stepped_down(np.array([0.1, 6.0, -3.0]), drawn)
    assert p[1] == pytest.approx(0.001)
    assert p[1] <= p[2] <= p[0]
    single = (1 + (np.abs(drawn[:, 2]) >= 3).sum()) / 1000
    assert p[2] >= single


def test_groups_that_are_all_right_or_all_wrong_may_be_turned_round_or_made_of_the_answers() -> None:
    frame = failing(worst="none")
    frame["accepted"] = frame["verdict"] == frame["human"]
    report = metrics.slices(metrics.read(frame[["item", "human", "verdict", "accepted"]]), "accepted", find=True)
    judge = report.judges["judge"]
    assert readings.headline(report, judge) == (
        "every verdict is wrong in ‘false’ and right in the other groups by ‘accepted’: the labels there may be turned round, or "
        "‘accepted’ may be made of the answers."
    )
    assert any(text.startswith("‘false’ is lower than the others") for text in readings.sentences(report, judge))
    for small in (False, True):
        frame["rare"] = np.where(frame["item"].isin(["i1", "i2"]), "a", "b")
        columns = ["item", "human", "verdict", "accepted", *(["rare"] if small else [])]
        told = readings.search_reading(metrics.slices(metrics.read(frame[columns]), "accepted", find=True).searches["judge"])
        assert told.startswith("columns are not searched: in each group of ‘accepted’ the verdicts are all right or all")
    tiny = metrics.slices(metrics.read(pd.DataFrame({"item": range(4), "human": ["yes", "no"] * 2, "verdict": ["yes"] * 4,
                                                     "group": list("abab")})), "group")  # fmt: skip
    assert "made of the answers" not in readings.headline(tiny, tiny.judges["judge"])


def test_where_a_side_gives_one_label_the_first_sentence_says_so() -> None:
    frame = failing(worst="none")
    frame["language"] = np.where(
        frame["verdict"] == "yes", np.where(np.arange(400) % 2, "a", "b"), np.where(np.arange(400) % 9, "c", "d")
    )
    frame.loc[np.random.default_rng(5).random(400) < 0.3, "language"] = "e"
    report = metrics.slices(metrics.read(frame), "language")
    judge = report.judges["judge"]
    assert {each.only for each in judge.below} == {("judge", "yes"), ("judge", "no")}
    assert "made of the answers" not in readings.headline(report, judge)  # not one label in all of them
    frame["language"] = frame["language"].replace({"a": "e", "b": "e"})
    report = metrics.slices(metrics.read(frame), "language")
    told = readings.headline(report, report.judges["judge"])
    assert "; but the judge answers only no there, so κ is 0 by construction, and ‘language’ may be made of the answers." in told


def test_the_coverage_of_a_group_too_small_is_not_held_against_others(report: SliceReport) -> None:
    frame = failing()
    frame.loc[frame.index[:2], "verdict"] = "unclear"
    open_ = metrics.slices(metrics.read(frame, labels={"unclear": "abstention"}), "language")
    assert not any("Coverage" in sentence for sentence in readings.sentences(open_, open_.judges["judge"]))


def test_columns_that_cut_through_items_are_told_where_there_are_no_others() -> None:
    frame = failing()[["item", "human", "verdict", "language"]]
    twice = pd.concat([frame.assign(criterion="a"), frame.assign(criterion="b", language=frame["language"].replace("ja", "ko"))])
    found = metrics.slices(metrics.read(twice), "language", find=True).searches["judge"]
    assert readings.search_reading(found) == "columns are not searched: items have several values of ‘language’."


def test_slices_that_cut_through_items_are_tested_within_them() -> None:
    frame = pd.concat([failing(120).assign(criterion="a", part="1"), failing(120, 4).assign(criterion="b", part="2")])
    report = metrics.slices(metrics.read(frame), "part")
    judge = report.judges["judge"]
    assert judge.test.method == "permutation"
    assert judge.test.replicates == 499
    assert all(each["kappa"].defined for each in judge.slices)
    assert report.judges["judge"].slices[0].n == 120


def test_a_unit_above_the_item_is_kept_together() -> None:
    frame = failing(200)
    frame["prompt_id"] = [f"p{place // 4}" for place in range(200)]
    within = metrics.slices(metrics.read(frame), "language", unit="prompt_id").judges["judge"]
    assert within.test.replicates == 499
    frame["topic"] = [f"t{place // 40}" for place in range(200)]
    report = metrics.slices(metrics.read(frame), "topic", unit="prompt_id", find=True)
    assert report.judges["judge"].test.replicates == 1999
    assert "language" not in report.searches["judge"].columns


def test_classes_without_a_side_are_ranked_by_their_kappa() -> None:
    rng = np.random.default_rng(5)
    labels = np.array(["low", "middle", "high"])
    human, wrong = rng.integers(0, 3, 240), rng.random(240) < 0.2
    frame = pd.DataFrame(
        {
            "item": range(240), "human": labels[human], "verdict": labels[(human + wrong) % 3],
            "system": rng.choice(["a", "b"], 240),
        }
    )  # fmt: skip
    kinds = dict.fromkeys(labels, "class")
    nominal = metrics.slices(metrics.read(frame, labels=kinds), "system").judges["judge"]
    assert nominal.metric == "kappa"
    assert set(nominal.tests) == {"kappa"}
    ordered = metrics.slices(metrics.read(frame, labels=kinds, order=list(labels)), "system").judges["judge"]
    assert ordered.metric == "weighted_kappa_quadratic"
    assert 0 < ordered.test.p <= 1
    assert math.isnan(ordered.slices[0].matched)


def test_an_unknown_column_is_refused() -> None:
    with pytest.raises(InputError, match="Columns to group by"):
        metrics.slices(metrics.read(failing(40)), "topic")


def run(capsys: Any, *words: str) -> tuple[int, str, str]:
    from metrics.commands.cli import main

    with pytest.raises(SystemExit) as stop:
        main(words)
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def test_the_command_prints_the_slices_beside_the_whole(capsys: Any, tmp_path: Any) -> None:
    path = tmp_path / "answers.csv"
    failing().to_csv(path, index=False)
    code, out, _ = run(capsys, "agreement", str(path), "--by", "language", "--find-slices", "--json")
    assert code == 0
    document = json.loads(out)
    assert document["by"] == ["language"]
    assert document["slices"]["ja"]["judges"]["judge"]["micro"]["n"] > 0
    assert document["search"]["judge"]["departing"]
    code, out, _ = run(capsys, "agreement", str(path), "--by", "tokens", "--cuts", "100,500")
    assert code == 0
    assert "above 100 to 500" in out
    code, out, err = run(capsys, "agreement", str(path), "--by", "topic", "--json")
    assert (code, out) == (2, "")
    assert "language" in err


def test_the_text_has_each_column_once_where_the_metric_is_undefined_in_every_group() -> None:
    """People labelled only what the judge calls yes, so that κ is undefined in both groups, and its column is left out."""
    frame = failing(200, worst="none")
    frame["human"] = frame["human"].where(frame["verdict"] == "yes", "")
    frame["half"] = np.where(np.arange(200) < 100, "a", "b")
    text = metrics.slices(metrics.read(frame[["item", "human", "verdict", "half"]]), "half").summary()
    (head,) = [line.split() for line in text.splitlines() if line.startswith("  half ")]
    assert len(head) == len(set(head))
    assert "κ" not in head
