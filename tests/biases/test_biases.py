"""Biases at the same human label: the slope is that of a regression with strata, and what is not there is not seen."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

import metrics
from metrics.analyses.biases import readings
from metrics.analyses.biases.measured import beyond_people, explained, family_of
from metrics.analyses.biases.result import Bias, told_together
from metrics.analyses.biases.within_labels import Decisions, distances, slope

MODELS = ("gpt-4o", "claude-3-opus", "gemini-1.5-pro", "llama-3-70b")


def drawn(seed: int, n: int = 120, criteria: int = 2, pull: float = 0.0) -> tuple[Decisions, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(6, 1, n)
    positive = rng.random((n, criteria)) < 1 / (1 + np.exp(-(x - 6)))[:, None]
    judge = rng.random((n, criteria)) < np.clip(np.where(positive, 0.8, 0.2) + pull * (x - 6)[:, None], 0.02, 0.98)
    item = np.repeat(np.arange(n), criteria)
    stratum = np.tile(np.arange(criteria), n) * 2 + 1 - positive.ravel()
    weight = np.ones(n * criteria)
    return Decisions(item, stratum, judge.ravel(), positive.ravel(), item, weight), np.repeat(x, criteria)


def regression(decisions: Decisions, y: np.ndarray, x: np.ndarray) -> float:
    """Return the slope of a regression with a level of its own for every stratum."""
    dummies = (decisions.stratum[:, None] == np.unique(decisions.stratum)).astype(float)
    fitted = sm.WLS(y.astype(float), np.column_stack([x, dummies]), weights=decisions.weight).fit()
    return float(fitted.params[0])


@pytest.mark.parametrize("seed", range(4))
def test_the_slope_is_that_of_a_regression_with_strata(seed: int) -> None:
    decisions, x = drawn(seed)
    found = slope(decisions, decisions.judge, x, 0.95)
    assert found.estimate.value == pytest.approx(regression(decisions, decisions.judge, x))
    wrong = slope(decisions, decisions.wrong, x, 0.95)
    assert wrong.estimate.value == pytest.approx(regression(decisions, decisions.wrong, x))


def test_its_error_is_near_that_of_items_left_out() -> None:
    decisions, x = drawn(7, n=80)
    found = slope(decisions, decisions.judge, x, 0.95)
    left = []
    for item in range(80):
        kept = decisions.item != item
        left.append(regression(decisions.at(kept), decisions.judge[kept], x[kept]))
    jackknife = math.sqrt(79 / 80 * float(((np.array(left) - np.mean(left)) ** 2).sum()))
    assert found.estimate.ends is not None
    half = (found.estimate.ends[1] - found.estimate.ends[0]) / 2
    assert half / 1.9905 == pytest.approx(jackknife, rel=0.05)


def test_a_property_that_only_goes_with_the_label_is_no_bias() -> None:
    """The label depends on the length and the verdict on the label alone: at most 9 of 80 effects are told."""
    told = 0
    for seed in range(80):
        decisions, x = drawn(seed, n=60)
        found = slope(decisions, decisions.judge, x, 0.95)
        told += found.p <= 0.05
    assert told <= 9


@pytest.mark.parametrize(("people", "judge"), [(0.1, 0.1), (0.1, 0.2), (0.2, 0.2)])
def test_errors_in_the_labels_of_people_are_not_told_as_a_bias_of_the_judge(people: float, judge: float) -> None:
    """Better answers are longer; people and judge err alike at any length: most files have an effect at the same label."""
    at_label = told = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        x = rng.normal(6, 1, 300)
        good = rng.random(300) < 1 / (1 + np.exp(-(x - 6)))
        reference, verdict = good ^ (rng.random(300) < people), good ^ (rng.random(300) < judge)
        decisions = Decisions(np.arange(300), 1 - reference.astype(int), verdict, reference, np.arange(300), np.ones(300))
        effect, beyond = slope(decisions, verdict, x, 0.95), beyond_people(decisions, x, 0.95)
        found = Bias("length", "answer", "", effect, effect, beyond=beyond)
        at_label += found.significant
        told += found.told
    assert at_label > 20
    assert told <= 6


def test_a_pull_is_seen() -> None:
    decisions, x = drawn(3, n=400, pull=0.1)
    found = slope(decisions, decisions.judge, x, 0.95)
    assert found.p < 0.01
    assert found.estimate.ends is not None
    assert found.estimate.ends[0] < 0.1 < found.estimate.ends[1] + 0.05


def test_nothing_that_varies_has_no_value_and_few_items_no_interval() -> None:
    decisions, x = drawn(5, n=60)
    assert math.isnan(slope(decisions, decisions.judge, np.ones_like(x), 0.95).estimate.value)
    few = decisions.item < 12
    found = slope(decisions.at(few), decisions.judge[few], x[few], 0.95)
    assert found.estimate.defined
    assert "fewer than 20 items" in found.estimate.why
    same = slope(decisions, decisions.reference, x, 0.95)
    assert same.estimate.ends is None


def test_a_weight_counts_as_often() -> None:
    decisions, x = drawn(9, n=60)
    twice = replace(decisions, weight=decisions.weight * 2)
    once, again = (slope(each, each.judge, x, 0.95).estimate.value for each in (decisions, twice))
    assert again == pytest.approx(once)


def test_variance_explained_is_that_of_groups() -> None:
    x, code = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0, 0, 1, 1])
    assert explained(x, code, np.ones(4)) == pytest.approx(1)
    assert explained(x, np.array([0, 1, 0, 1]), np.ones(4)) == pytest.approx(0)
    assert explained(np.ones(4), code, np.ones(4)) == 0


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("gpt-4o", "GPT"), ("ChatGPT-0301", "GPT"), ("o3-mini", "GPT"), ("claude-3-5-sonnet", "Claude"), ("Gemma 2", "Gemini"),
        ("meta-llama/Llama-3", "Llama"), ("mixtral-8x7b", "Mistral"), ("my model", ""), ("gpt4-vs-claude", ""),
    ],
)  # fmt: skip
def test_families_are_told_by_name(name: str, family: str) -> None:
    assert family_of(name) == family


def answers(n: int = 600, kin: float = 0.0, length: float = 0.0, seed: int = 1) -> pd.DataFrame:
    """Return answers of four models, of which the judge favours its own family by `kin` and long ones by `length`."""
    rng = np.random.default_rng(seed)
    model = rng.choice(MODELS, n)
    words = rng.integers(12, 120, n)
    positive = rng.random(n) < np.where(model == "llama-3-70b", 0.4, 0.6)
    rate = np.where(positive, 0.8, 0.2) + kin * (model == "gpt-4o") + length * (np.log2(words) - 6)
    judge = rng.random(n) < np.clip(rate, 0.02, 0.98)
    return pd.DataFrame(
        {
            "item": [f"i{place}" for place in range(n)], "judge": "gpt-4-turbo", "human": np.where(positive, "yes", "no"),
            "verdict": np.where(judge, "yes", "no"), "model": model, "answer": ["word " * int(each) for each in words],
        }
    )  # fmt: skip


def test_kinship_length_and_source_are_told_where_they_are() -> None:
    report = metrics.biases(metrics.read(answers(kin=0.18, length=0.12)))
    biases = {bias.kind: bias for bias in report.judges["gpt-4-turbo"]}
    assert set(biases) == {"length", "source", "kinship"}
    assert biases["kinship"].told
    assert biases["kinship"].value == "GPT"
    assert biases["kinship"].effect.estimate.sign == 1
    assert biases["length"].told
    assert biases["source"].value == "gpt-4o"
    assert "own family, GPT" in readings.headline(report, "gpt-4-turbo")
    frame = answers(kin=0.18, length=0.12).set_index("item")
    for item in biases["kinship"].items:
        row = frame.loc[item]
        assert (row["human"], row["verdict"], row["model"]) == ("no", "yes", "gpt-4o")


def test_what_is_not_there_is_not_said() -> None:
    said = []
    for seed in range(8):
        report = metrics.biases(metrics.read(answers(400, seed=seed)))
        for bias in report.judges["gpt-4-turbo"]:
            said.append(bias.told)
            if not bias.told:
                wanted = "so no bias is shown" if bias.significant else "no significant effect"
                assert wanted in readings.sentence(bias, report)
    assert sum(said) <= 4


@pytest.mark.slow("simulates")
def test_a_headline_is_corrected_for_all_properties_looked_at() -> None:
    """A judge without any bias, in files of ten columns of two values."""
    named = 0
    for seed in range(40):
        rng, frame = np.random.default_rng(seed), answers(200, seed=seed)[["item", "judge", "human", "verdict"]]
        noise = {f"col{place}": rng.choice(["u", "v"], len(frame)) for place in range(10)}
        report = metrics.biases(metrics.read(frame.assign(**noise)))
        told = told_together(report.judges["gpt-4-turbo"])
        named += bool(told)
        alone = [bias for bias in report.judges["gpt-4-turbo"] if bias.told]
        if alone and not told:
            assert "corrected for the 10 properties looked at" in readings.headline(report, "gpt-4-turbo")
            single = readings.sentence(alone[0], report)
            assert "for the 10 properties looked at it does not hold, so no bias is shown" in single
            assert "favours" not in single
    assert named <= 5


def test_numbers_that_say_how_long_an_answer_is_are_read_as_its_text_is() -> None:
    frame = answers(kin=0.0, length=0.12)
    size = frame["answer"].str.strip().str.len()
    counted = frame.assign(answer_chars=size, completion_tokens=size).drop(columns="answer")
    of_text, of_number = (
        [bias for bias in metrics.biases(metrics.read(each)).judges["gpt-4-turbo"] if bias.kind == "length"]
        for each in (frame, counted)
    )
    assert [bias.column for bias in of_number] == ["answer_chars"]
    assert of_number[0].effect == of_text[0].effect


def test_a_confounder_is_named_and_held() -> None:
    frame = answers(600)
    frame["answer"] = np.where(frame["model"] == "gpt-4o", "word " * 200, frame["answer"])
    report = metrics.biases(metrics.read(frame))
    length = next(bias for bias in report.judges["gpt-4-turbo"] if bias.kind == "length")
    assert length.confounded[0][0] == "model"
    assert length.held is not None
    assert "Confounded with ‘model’" in readings.sentence(length, report)


def test_a_file_without_columns_or_with_classes_says_why() -> None:
    report = metrics.biases(metrics.read(answers(60)[["item", "human", "verdict"]]))
    assert "no column" in report.summary().lower() or "no column" in report.why
    labels = {"a": "class", "b": "class", "c": "class"}
    frame = pd.DataFrame({"item": range(30), "human": list("abc") * 10, "verdict": list("abc") * 10, "x": list("uv") * 15})
    assert "yes or no" in metrics.biases(metrics.read(frame, labels=labels)).why


def test_json_and_the_command(capsys: Any, tmp_path: Any) -> None:
    from metrics.commands.cli import main

    report = metrics.biases(metrics.read(answers(200, kin=0.2)))
    assert metrics.BiasReport.from_json(report.to_json()).to_dict() == report.to_dict()
    path = tmp_path / "answers.csv"
    answers(200, kin=0.2).to_csv(path, index=False)
    with pytest.raises(SystemExit) as stop:
        main(["biases", str(path), "--json"])
    assert not stop.value.code
    document = json.loads(capsys.readouterr().out)
    assert document["judges"]["gpt-4-turbo"] == json.loads(json.dumps(report.to_dict()["judges"]["gpt-4-turbo"]))


def test_the_furthest_source_is_found_as_a_slope_of_each_would_find_it() -> None:
    decisions, _ = drawn(11, n=300)
    group = np.random.default_rng(12).integers(0, 4, 300)[decisions.item]
    pulled = replace(decisions, judge=decisions.judge | ((group == 2) & (np.arange(len(group)) % 3 == 0)))
    far = distances(pulled, group, 5)
    slopes = [slope(pulled, pulled.judge, (group == place).astype(float), 0.95).estimate.value for place in range(4)]
    assert (np.sign(far[:4]) == np.sign(slopes)).all()
    assert int(np.abs(far[:4]).argmax()) == int(np.abs(slopes).argmax()) == 2
    assert math.isnan(far[4])


def rated(seed: int, pull: float = 0.0, *, shrunk: float = 1.0) -> pd.DataFrame:
    """Return ratings of 1 to 5 where better answers are longer; people and judge see the quality alike, but for the pull."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(3, 1, 200)
    size = np.exp(4.5 + 0.5 * (quality - 3) + rng.normal(0, 0.6, 200)).astype(int) + 5
    people = quality + rng.normal(0, 0.6, 200)
    judge = 3 + shrunk * (quality - 3) + pull * (np.log2(size) - 6) + rng.normal(0, 0.6, 200)
    human, verdict = (np.clip(np.rint(side), 1, 5).astype(int) for side in (people, judge))
    return pd.DataFrame({"item": [f"i{i}" for i in range(200)], "human": human, "verdict": verdict, "answer_chars": size})


def of_ordered(frame: pd.DataFrame) -> tuple[Bias, metrics.BiasReport]:
    report = metrics.biases(metrics.read(frame, scale="ordinal"))
    ((found,),) = report.judges.values()
    return found, report


def test_the_effect_on_ordered_labels_is_that_of_a_regression_with_strata() -> None:
    frame = rated(2, pull=0.3)
    found, report = of_ordered(frame)
    x = np.log2(frame["answer_chars"].to_numpy(float))
    levels = (frame["human"].to_numpy()[:, None] == np.unique(frame["human"])).astype(float)
    fitted = sm.OLS(frame["verdict"].to_numpy(float), np.column_stack([x, levels])).fit()
    assert found.effect.estimate.value == pytest.approx(float(fitted.params[0]))
    gap = (frame["verdict"] - frame["human"]).to_numpy(float)
    assert found.beyond.estimate.value == pytest.approx(float(sm.OLS(gap, sm.add_constant(x)).fit().params[1]))
    assert found.told
    text = readings.sentence(found, report)
    assert "rates higher for each doubling of the length, by 0." in text
    assert "on the scale from ‘1’ to ‘5’" in text
    assert (report.to_dict()["positive"], report.to_dict()["scale"]) == (None, "on the scale from ‘1’ to ‘5’")
    for item in found.items:
        row = frame.set_index("item").loc[item]
        assert row["verdict"] > row["human"]


@pytest.mark.slow("simulates")
@pytest.mark.parametrize("shrunk", [1.0, 0.6])
def test_quality_that_goes_with_length_is_no_bias_of_ordered_labels(shrunk: float) -> None:
    """At the same label of people the judge rates longer answers higher in most files, for they are better: none may be told."""
    made = [of_ordered(rated(seed, shrunk=shrunk)) for seed in range(40)]
    found = [bias for bias, _ in made]
    for bias, report in made:
        said = readings.headline(report, "judge")
        assert said.startswith("no bias of ‘judge’ is shown: its verdicts differ by length of") == (
            bias.significant and not bias.told
        )
        assert said.startswith("no significant effect") == (not bias.significant)
    assert sum(bias.significant for bias in found) > 20
    assert sum(bias.told for bias in found) <= 4


def test_the_criterion_that_carries_an_effect_is_named_with_its_own() -> None:
    carrier, rows = rated(2, pull=0.8), []
    for seed, name in enumerate(("length", *"abcd")):
        rng, own = np.random.default_rng(seed), carrier.assign(criterion=name)
        if name != "length":
            human = rng.integers(1, 6, 200)
            own = own.assign(human=human, verdict=np.clip(human + (rng.random(200) < 0.2), 1, 5))
        rows.append(own)
    found, report = of_ordered(pd.concat(rows))
    assert [name for name, _ in found.on] == ["length"]
    alone, _ = of_ordered(carrier)
    assert found.on[0][1].estimate.value == pytest.approx(alone.effect.estimate.value)
    assert found.effect.estimate.value < alone.effect.estimate.value / 2
    assert "By itself it shows on 1 of 5 criteria: length (+0." in readings.sentence(found, report)
    assert readings.swayed(found, report, "judge").startswith(
        "On length, at the same human label judge rates longer texts higher"
    )
    assert found.to_dict()["on"]["length"]["n_items"] == 200
    assert alone.on == ()


def test_a_judge_that_may_use_another_scale_is_not_measured() -> None:
    frame = rated(2)
    ten = frame.assign(verdict=(2 * frame["verdict"] - (frame["answer_chars"] % 2)).clip(1, 10))
    report = metrics.biases(metrics.read(ten, scale="ordinal"))
    assert report.judges == {"judge": ()}
    assert "Check first whether both use one scale" in report.summary()
    assert "two_scales" in report.to_dict()


def test_words_in_order_count_as_places_and_criteria_of_two_scales_are_not_mixed() -> None:
    frame = rated(2, pull=0.3)
    names = {1: "poor", 2: "fair", 3: "good", 4: "fine", 5: "superb"}
    worded = frame.assign(human=frame["human"].map(names), verdict=frame["verdict"].map(names))
    report = metrics.biases(metrics.read(worded, order=list(names.values())))
    ((found,),) = report.judges.values()
    assert found.effect.estimate.value == pytest.approx(of_ordered(frame)[0].effect.estimate.value)
    assert "places on the scale from poor to superb" in readings.sentence(found, report)
    fall = {name: 6 - number for number, name in names.items()}
    grades = frame.assign(human=frame["human"].map(lambda n: 6 - n), verdict=frame["verdict"].map(lambda n: 6 - n))
    best_first = metrics.biases(metrics.read(grades, order=[str(number) for number in fall.values()]))
    ((graded,),) = best_first.judges.values()
    assert graded.effect.estimate.value == pytest.approx(found.effect.estimate.value), "higher is better, whatever the numbers"
    assert best_first.scale == " places on the scale from ‘5’ to ‘1’"
    both = pd.concat([frame.assign(criterion="a").astype({"human": str, "verdict": str}), worded.assign(criterion="b")])
    mixed = metrics.biases(metrics.read(both, scale={"a": "ordinal", "b": "nominal"}))
    assert mixed.why == "criteria are on different scales"


def weighed(seed: int, gain: int = 1) -> tuple[str, np.ndarray]:
    """Write items of which some stand for three, with texts whose length sways the judge."""
    rng = np.random.default_rng(seed)
    weight = rng.choice([1, 3], 90)
    lines = ["item,criterion,human,verdict,response,weight"]
    for i, w in enumerate(weight):
        size = int(rng.integers(5, 60))
        for criterion in "ab":
            human = rng.random() < 0.5
            judge = rng.random() < np.clip((0.75 if human else 0.2) + 0.004 * (size - 30) * (w == 3), 0, 1)
            lines.append(f"q{i},{criterion},{'yes' if human else 'no'},{'yes' if judge else 'no'},{'word ' * size},{w * gain}")
    return "\n".join(lines), weight


def length_of(text: str) -> Bias:
    (found,) = metrics.biases(metrics.read(text.encode())).judges.values()
    return next(bias for bias in found if bias.kind == "length")


@pytest.mark.parametrize("seed", range(3))
def test_an_effect_by_weight_is_that_of_items_repeated_as_often(seed: int) -> None:
    text, weight = weighed(seed)
    head, *lines = text.splitlines()
    often = [head]
    for i, times in enumerate(weight):
        for again in range(times):
            often += [line.replace(f"q{i},", f"q{i}-{again},", 1).rsplit(",", 1)[0] + ",1" for line in lines[2 * i : 2 * i + 2]]
    expected, found = length_of("\n".join(often)), length_of(text)
    assert expected.weighted is None
    assert found.weighted.estimate.value == pytest.approx(expected.effect.estimate.value)
    assert found.weighted_beyond.estimate.value == pytest.approx(expected.beyond.estimate.value)
    assert found.effect.estimate.value != pytest.approx(expected.effect.estimate.value)
    assert found.weighted.estimate.width > expected.effect.estimate.width, "an item that stands for three was labelled once"


def test_the_unit_of_weights_changes_no_digit() -> None:
    one, other = (length_of(weighed(1, gain)[0]).weighted for gain in (1, 4))
    assert one.estimate.ends == pytest.approx(other.estimate.ends)
    assert one.p == pytest.approx(other.p)


def test_an_effect_by_weight_covers_that_of_all_items() -> None:
    rng = np.random.default_rng(4)
    n, each, runs = 6000, 60, 200
    hard = rng.random(n) < 0.2
    x = rng.normal(0, 1, n)
    human = rng.random(n) < 0.5
    judge = rng.random(n) < np.clip(np.where(human, 0.7, 0.3) + np.where(hard, 0.2, 0.0) * x, 0, 1)

    def of(items: np.ndarray, worth: np.ndarray) -> Decisions:
        return Decisions(
            np.arange(len(items)), (~human[items]).astype(int), judge[items], human[items], items, np.ones(len(items)), worth
        )

    true = slope(of(np.arange(n), np.ones(n)), judge, x, 0.95).estimate.value
    values, plain, hits = [], [], 0
    for _ in range(runs):
        items = np.concatenate([rng.choice(np.flatnonzero(part), each, False) for part in (hard, ~hard)])
        drawn_items = of(items, np.where(hard[items], hard.sum() / each, (~hard).sum() / each))
        weighted = drawn_items.by_weight()
        assert weighted is not None
        found = slope(weighted, judge[items], x[items], 0.95).estimate
        values.append(found.value)
        plain.append(slope(drawn_items, judge[items], x[items], 0.95).estimate.value)
        hits += found.ends[0] <= true <= found.ends[1]
    assert abs(np.mean(values) - true) < 4 * np.std(values) / runs**0.5
    assert 0.91 <= hits / runs <= 0.99
    assert abs(np.mean(plain) - true) > 0.03
