"""A rubric before and after: against leaving out one item of both files at a time, literally, and against `compare`."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

import metrics
from metrics import InputError
from metrics.analyses.comparison.joining import join
from metrics.analyses.review.before_after import before_after
from metrics.analyses.review.readings import change_words, declared_words, reads, whole_words
from metrics.analyses.settings import Settings
from tests.review.made import cells, drawn, read, rubric

MODES = ("exclude", "as_unmet", "as_category")
LABELS = ["MET", "UNMET", "CANNOT_ASSESS"]


def wide(frame: pd.DataFrame, criterion: str) -> pd.DataFrame:
    own = frame[frame["criterion"] == criterion]
    return own.pivot_table(index="item", columns="role", values="label", aggfunc="first").dropna()


def literal_kappa(pairs: pd.DataFrame, mode: str) -> float:
    """κ by counting."""
    own = pairs.replace("CANNOT_ASSESS", "UNMET") if mode == "as_unmet" else pairs
    labels = LABELS if mode == "as_category" else LABELS[:2]
    own = own[own["human"].isin(labels) & own["judge"].isin(labels)]
    same = (own["human"] == own["judge"]).mean()
    chance = sum((own["human"] == label).mean() * (own["judge"] == label).mean() for label in labels)
    return (same - chance) / (1 - chance)


@pytest.mark.slow("leaves out items one at a time")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(3))
def test_value_difference_and_interval_are_those_of_leaving_out_one_item_of_both_files(seed: int, mode: str) -> None:
    first, second = drawn(seed), drawn(seed + 100, n=55, wrong=0.1)
    found = before_after(metrics.read(first), metrics.read(second), "bot", Settings(mode))
    for one in found.changes:
        a, b = wide(first, one.criterion), wide(second, one.criterion)
        items = sorted(set(a.index) & set(b.index))
        a, b = a.loc[items], b.loc[items]
        assert one.n_shared == len(items)
        alone = literal_kappa(a, mode), literal_kappa(b, mode)
        assert one.alone == pytest.approx(alone, abs=1e-12)
        if mode == "exclude":
            answered = [(own != "CANNOT_ASSESS").all(axis=1) for own in (a, b)]
            assert one.n_alone == tuple(int(own.sum()) for own in answered)
            a, b = a[answered[0] & answered[1]], b[answered[0] & answered[1]]
        assert one.n == len(a)
        values = literal_kappa(a, mode), literal_kappa(b, mode)
        assert (one.before.estimate.value, one.after.estimate.value) == pytest.approx(values, abs=1e-12)
        counts = list(a.index)
        assert one.n_items == len(counts)
        left = np.array([literal_kappa(b.drop(item), mode) - literal_kappa(a.drop(item), mode) for item in counts])
        n = len(counts)
        reach = t.ppf(0.975, n - 1) * np.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum())
        difference = values[1] - values[0]
        assert one.difference.value == pytest.approx(difference, abs=1e-12)
        assert one.difference.ends == pytest.approx((difference - reach, difference + reach), abs=1e-9)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("criterion", ["tone", "facts"])
def test_where_only_the_judge_changed_it_is_the_comparison_of_two_judges(mode: str, criterion: str) -> None:
    first = drawn(5)
    rng, second = np.random.default_rng(1), first.copy()
    flipped = (second["role"] == "judge") & (rng.random(len(second)) < 0.3)
    second.loc[flipped, "label"] = "MET"
    before, after = (metrics.read(io.BytesIO(one.to_csv(index=False).encode())) for one in (first, second))
    found = before_after(before, after, "bot", Settings(mode)).of(criterion)
    joined = join(before, after)
    a, b = joined.pair(None, None)
    same = metrics.compare(joined.ratings, a, b, criterion=criterion, abstention=mode, replicates=100)
    assert found is not None
    assert (found.before.estimate.value, found.after.estimate.value) == (same.a.estimate.value, same.b.estimate.value)
    assert found.difference.value == same.difference.value
    assert found.difference.ends == same.difference.ends
    assert (found.before.estimate.interval, found.after.estimate.interval) == (same.a.estimate.interval, same.b.estimate.interval)
    assert (found.n_shared, found.n_items, found.n_differ) == (same.n_shared, same.n_items, same.permutation.n_differ)
    assert found.n_reference == 0
    assert found.n_judge > 0


def test_the_same_file_twice_has_no_difference_and_says_why() -> None:
    ratings = metrics.read(drawn(1))
    found = before_after(ratings, ratings, "bot", Settings())
    for one in found.changes:
        assert one.difference.value == 0
        assert one.difference.interval is None
        assert one.difference.no_interval == "no label changed"
        assert (one.n_differ, one.n_judge, one.n_reference, one.n_only) == (0, 0, 0, (0, 0))
        assert change_words(one).startswith("No change: κ ")
        report = metrics.agreement(ratings).judges["bot"].criteria[one.criterion]
        assert one.before.estimate.value == report.values["kappa"]
        assert one.before.estimate.interval == report.intervals["kappa"]


def test_where_each_decision_has_one_human_the_reference_is_called_so() -> None:
    frame = rubric({"tone": [("MET", "MET"), ("UNMET", "MET"), ("MET", "UNMET"), ("UNMET", "UNMET")] * 5})
    people = frame.rater.eq("ana") & frame.item.str[-1:].isin(["1", "3"])
    shared = metrics.read(frame.assign(rater=frame.rater.mask(people, "ben")))
    said = declared_words(before_after(shared, metrics.read(frame), "bot", Settings()))
    assert (
        "Before: DataFrame, judge bot, reference one human for each decision. After: DataFrame, judge bot, reference ana." in said
    )


def test_items_of_one_file_only_are_counted_and_criteria_of_one_file_only_are_named() -> None:
    table = cells([[20, 5], [5, 20]])
    first = read({"tone": table, "old": table})
    second = read({"tone": table, "new": table}, start=10)
    found = before_after(first, second, "bot", Settings())
    one = found.of("tone")
    assert one is not None
    assert (one.n_shared, one.n_only) == (40, (10, 10))
    assert (found.only_before, found.only_after) == (("old",), ("new",))
    frame = found.to_frame().set_index("criterion")
    assert frame.loc["tone", ["n_only_before", "n_only_after"]].tolist() == [10, 10]
    assert frame.loc["old", "why_not"] == "only in the file before"
    assert frame.loc["new", "why_not"] == "only in the file after"
    assert "left out: 10 only before, 10 only after" in change_words(one)
    assert "Only in" in whole_words(found)


def test_a_relabelled_reference_moves_kappa_and_is_counted_apart_from_the_judge() -> None:
    pairs = cells([[30, 10], [10, 30]])
    mended = [(judge, judge) for _, judge in pairs]
    found = before_after(read({"tone": pairs}), read({"tone": mended}), "bot", Settings()).of("tone")
    assert found is not None
    assert found.after.estimate.value == 1
    assert (found.n_judge, found.n_reference, found.n_differ) == (0, 20, 20)
    assert found.direction == 1
    assert change_words(found).startswith("Better: κ 0.50 → 1.00, difference +0.50 [")
    assert "the reference changed on 20" in change_words(found)


def test_one_side_that_says_one_label_only_is_undefined_with_its_reason() -> None:
    both = cells([[30, 10], [10, 30]])
    found = before_after(read({"tone": both}), read({"tone": [("MET", "MET")] * 80}), "bot", Settings()).of("tone")
    assert found is not None
    assert np.isnan(found.difference.value)
    assert found.difference.undefined.startswith("after: ")
    assert change_words(found).startswith("Undefined difference: κ 0.50 → –; after: ")


def test_ordered_labels_have_quadratic_weights_in_both_files() -> None:
    rng = np.random.default_rng(3)
    human = rng.integers(1, 6, 80)
    sides = [np.clip(human + rng.integers(-far, far + 1, 80), 1, 5) for far in (2, 1)]
    files = [read({"clear": [(str(h), str(j)) for h, j in zip(human, judge, strict=True)]}, scale="ordinal") for judge in sides]
    found = before_after(files[0], files[1], "bot", Settings()).of("clear")
    assert found is not None
    assert found.metric == "weighted_kappa_quadratic"
    for side, ratings in zip((found.before, found.after), files, strict=True):
        block = metrics.scores(ratings).judges["bot"].pooled
        assert side.estimate.value == block.values["weighted_kappa_quadratic"]
        assert side.estimate.interval == block.intervals["weighted_kappa_quadratic"]


def test_classes_are_matched_by_name_whatever_their_order_in_the_files() -> None:
    labels = ("red", "green", "blue")
    pairs = cells([[9, 2, 1], [1, 9, 2], [2, 1, 9]], labels)
    classes = dict.fromkeys(labels, "class")
    first = read({"colour": pairs}, labels=classes)
    second = metrics.read(rubric({"colour": pairs}).iloc[::-1], labels=classes)
    found = before_after(first, second, "bot", Settings()).of("colour")
    assert found is not None
    assert (found.n_differ, found.difference.value) == (0, 0)


def test_groups_of_items_are_left_out_as_a_whole() -> None:
    first, second = drawn(7), drawn(8)
    for frame in (first, second):
        frame["prompt"] = frame["item"].str.slice(1).astype(int) // 6
    ratings = metrics.read(first)
    by_item, by_group = (
        before_after(ratings, metrics.read(second), "bot", Settings(unit=unit)).of("tone") for unit in ("item", "prompt")
    )
    assert by_item is not None
    assert by_group is not None
    assert by_item.difference.value == by_group.difference.value
    assert by_item.difference.ends != by_group.difference.ends
    assert by_group.difference.ends is not None


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ({"other": cells([[5, 1], [1, 5]])}, "share no criterion"),
        (None, "table of counts"),
    ],
)
def test_files_that_cannot_be_paired_are_refused(second: dict[str, list[tuple[str, str]]] | None, said: str) -> None:
    first = read({"tone": cells([[5, 1], [1, 5]])})
    other = metrics.read("assets/rao_balanced.csv") if second is None else read(second)
    with pytest.raises(InputError, match=said):
        before_after(first, other, "bot", Settings())


def test_files_without_a_common_item_or_judge_are_refused() -> None:
    pairs = cells([[5, 1], [1, 5]])
    first = read({"tone": pairs})
    with pytest.raises(InputError, match="share no item"):
        before_after(first, read({"tone": pairs}, start=100), "bot", Settings())
    two = metrics.read(pd.concat([rubric({"tone": pairs}, judge="x"), rubric({"tone": pairs}, judge="y")]).drop_duplicates())
    with pytest.raises(InputError, match="no judge 'bot'"):
        before_after(first, two, "bot", Settings())
    assert before_after(first, two, "bot", Settings(), "y").judges == ("bot", "y")


def test_only_decisions_answered_in_both_files_are_compared_and_each_file_says_how_many_it_answers() -> None:
    """60 decisions alike in both files; the file after answers 40 more, all right, which is no change on the 60."""
    common, more = cells([[20, 10], [10, 20]]), cells([[20, 0], [0, 20]])
    first = read({"tone": [*common, *((human, "CANNOT_ASSESS") for human, _ in more)]})
    second = read({"tone": [*common, *more]})
    one = before_after(first, second, "bot", Settings()).of("tone")
    assert one is not None
    assert (one.n_shared, one.n, one.n_alone) == (100, 60, (60, 100))
    assert one.before.estimate.value == one.after.estimate.value == one.alone[0]
    assert one.alone[1] == metrics.agreement(second).judges["bot"].micro.values["kappa"] > one.alone[0]
    text = change_words(one)
    assert text.startswith("No change: κ 0.33 → 0.33.")
    assert "On 60 answered in both files, of 100 decisions: 60 answered before, 100 after" in text
    assert "On all that each file answers, κ is 0.33 before and 0.60 after: not the same decisions." in text
    row = before_after(first, second, "bot", Settings()).to_frame().iloc[0]
    assert row[["n", "n_before", "n_after", "n_shared"]].tolist() == [60, 60, 100, 100]
    assert row[["coverage_before", "coverage_after"]].tolist() == [0.6, 1.0]


def test_where_every_decision_is_answered_nothing_is_said_of_other_decisions() -> None:
    pairs = cells([[20, 10], [10, 20]])
    one = before_after(read({"tone": pairs}), read({"tone": cells([[25, 5], [10, 20]])}), "bot", Settings()).of("tone")
    assert one is not None
    assert "On 60 decisions of both files; " in change_words(one)
    assert "not the same decisions" not in change_words(one)


def changed_on(n: int) -> list[tuple[str, str]]:
    """80 decisions, of 20 wrong ones `n` put right."""
    return cells([[30 + n, 10 - n], [10, 30]])


def test_better_is_said_after_correction_over_the_criteria_only() -> None:
    """Seven items put right: alone p = 2/128; with seven criteria of noise beside it that is no finding."""
    before, still = changed_on(0), cells([[29, 11], [11, 29]])
    for others, direction in ((0, 1), (7, 0)):
        names = {f"other {i}": (before, [*still[:3], *before[3:]]) for i in range(others)}
        first = read({"tone": before} | {name: own[0] for name, own in names.items()})
        second = read({"tone": changed_on(7)} | dict.fromkeys(names, still))
        found = before_after(first, second, "bot", Settings())
        one = found.of("tone")
        assert one is not None
        assert one.difference.ends is not None
        assert one.difference.ends[0] > 0
        assert one.p == 2 / 128
        assert one.n_tested == others + 1
        assert one.direction == direction
        assert ("1 better" in whole_words(found)) is (direction == 1)
    assert one.p_holm == 8 * 2 / 128
    assert change_words(one).startswith("No significant difference: κ 0.50 → 0.68, difference +0.18 [")
    assert "(this criterion alone); p = 0.125, Holm’s correction for 8 criteria." in change_words(one)
    expected = "Of 8 criteria in both files: 8 with no significant difference, Holm’s correction for 8 criteria."
    assert whole_words(found) == expected


def test_a_criterion_on_which_no_label_changed_is_not_one_without_a_significant_difference() -> None:
    same, better = cells([[20, 10], [10, 20]]), cells([[29, 1], [1, 29]])
    found = before_after(read({"tone": same, "facts": same}), read({"tone": same, "facts": better}), "bot", Settings())
    assert whole_words(found) == "Of 2 criteria in both files: 1 better, 1 with no change, Holm’s correction for 2 criteria."
    unchanged = found.of("tone")
    assert unchanged is not None
    assert reads(unchanged) == "no change"
    assert change_words(unchanged).startswith("No change: κ 0.33 → 0.33.")


def test_a_criterion_on_which_a_mode_does_not_apply_carries_its_own_mode() -> None:
    labels = {"red": "class", "blue": "class"}
    pairs = cells([[9, 2], [3, 9]], ("red", "blue"))
    found = before_after(
        read({"colour": pairs}, labels=labels), read({"colour": pairs}, labels=labels), "bot", Settings("as_unmet")
    )
    assert found.to_frame()["abstention"].tolist() == ["exclude"]


def test_every_label_that_is_another_is_listed_with_both_answers() -> None:
    first, second = drawn(3), drawn(3)
    rng = np.random.default_rng(3)
    changed = rng.choice(len(second), 12, replace=False)
    second.loc[second.index[changed], "label"] = ["UNMET" if label == "MET" else "MET" for label in second["label"].iloc[changed]]
    found = before_after(metrics.read(first), metrics.read(second), "bot", Settings("exclude"))
    frame = found.relabelled_frame()
    assert found.n_relabelled == len(frame)
    expected = set()
    for criterion in {one.criterion for one in found.changes}:
        a, b = wide(first, criterion), wide(second, criterion)
        for item in set(a.index) & set(b.index):
            said = [("no verdict" if side == "CANNOT_ASSESS" else side) for side in
                    (a.loc[item, "human"], b.loc[item, "human"], a.loc[item, "judge"], b.loc[item, "judge"])]  # fmt: skip
            if said[0] != said[1] or said[2] != said[3]:
                expected.add((str(item), criterion, *said))
    assert expected
    assert set(frame.itertuples(index=False, name=None)) == expected
    assert sum(one.n_judge + one.n_reference for one in found.changes) >= len(frame)


def test_the_same_file_twice_has_no_label_that_is_another() -> None:
    ratings = metrics.read(drawn(4))
    found = before_after(ratings, ratings, "bot", Settings("exclude"))
    assert found.n_relabelled == 0
    assert found.relabelled_frame().empty
