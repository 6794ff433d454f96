"""The bundled samples are what their descriptions say."""

from __future__ import annotations

import csv
import json
import runpy
from collections import Counter, defaultdict
from pathlib import Path

import pytest

ASSETS = Path(__file__).resolve().parent.parent / "assets"
CANNOT = "CANNOT_ASSESS"
Unit = tuple[str, str]


def rows() -> list[dict[str, str]]:
    with (ASSETS / "support_answers.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def majority(table: list[dict[str, str]]) -> dict[Unit, str]:
    votes: dict[Unit, Counter[str]] = defaultdict(Counter)
    for row in table:
        if row["role"] == "human":
            votes[row["item"], row["criterion"]][row["label"]] += 1
    return {unit: labels.most_common(1)[0][0] if len(labels) == 1 else CANNOT for unit, labels in votes.items()}


def decided(table: list[dict[str, str]], judge: str) -> list[tuple[Unit, bool, bool]]:
    """Units that both the majority of the people and the judge decide: (unit, human MET, judge MET)."""
    human = majority(table)
    found = []
    for row in table:
        unit = row["item"], row["criterion"]
        if row["rater"] == judge and CANNOT not in (row["label"], human.get(unit, CANNOT)):
            found.append((unit, human[unit] == "MET", row["label"] == "MET"))
    return found


def share(values: list[bool]) -> float:
    return sum(values) / len(values)


def drift(table: list[dict[str, str]], judge: str) -> float:
    pairs = decided(table, judge)
    return share([judged for _, _, judged in pairs]) - share([met for _, met, _ in pairs])


def kappa(pairs: list[tuple[Unit, bool, bool]]) -> float:
    human, judge = share([met for _, met, _ in pairs]), share([judged for _, _, judged in pairs])
    observed = share([met == judged for _, met, judged in pairs])
    expected = human * judge + (1 - human) * (1 - judge)
    return (observed - expected) / (1 - expected)


def test_the_generator_gives_the_bundled_file_byte_for_byte() -> None:
    made = runpy.run_path(str(ASSETS / "make_support_answers.py"))["as_csv"]()
    assert made == (ASSETS / "support_answers.csv").read_bytes()


def test_size_and_shape() -> None:
    table = rows()
    assert (ASSETS / "support_answers.csv").stat().st_size < 1_000_000
    assert len({row["item"] for row in table}) == 226
    assert len({row["criterion"] for row in table}) == 5
    assert {(row["rater"], row["role"]) for row in table} == {
        ("ana", "human"),
        ("ben", "human"),
        ("strict", "judge"),
        ("lenient", "judge"),
        ("cautious", "judge"),
    }
    assert {row["label"] for row in table} == {"MET", "UNMET", CANNOT}
    assert len({(row["item"], row["criterion"], row["rater"]) for row in table}) == len(table)


def test_some_ratings_are_missing() -> None:
    given = Counter(row["rater"] for row in rows())
    assert all(count < 226 * 5 for count in given.values())
    assert given["ben"] < 121 * 5


def test_scores_prompts_and_order_go_with_the_role() -> None:
    for row in rows():
        if row["role"] == "judge":
            assert 0 <= float(row["score"]) <= 1
            assert row["prompt"] in {"p1", "p2"}
            assert row["order"] == ""
        else:
            assert row["score"] == row["prompt"] == ""
            assert int(row["order"]) >= 1


@pytest.mark.parametrize("rater", ["ana", "ben"])
def test_order_numbers_every_label_of_a_human_once(rater: str) -> None:
    turns = sorted(int(row["order"]) for row in rows() if row["rater"] == rater)
    assert turns == list(range(1, len(turns) + 1))


def test_texts_are_one_per_item() -> None:
    content = defaultdict(set)
    for row in rows():
        content[row["item"]].add((row["question"], row["answer"]))
    assert all(len(pairs) == 1 for pairs in content.values())
    assert len({next(iter(pairs))[0] for pairs in content.values()}) == 226


def test_criteria_differ_in_prevalence() -> None:
    found = defaultdict(list)
    for (_, criterion), label in majority(rows()).items():
        if label != CANNOT:
            found[criterion].append(label == "MET")
    prevalence = {criterion: share(values) for criterion, values in found.items()}
    assert prevalence["Polite tone"] == pytest.approx(0.95, abs=0.015)
    assert prevalence["Cites a source"] == pytest.approx(0.33, abs=0.05)
    assert max(prevalence.values()) - min(prevalence.values()) > 0.5


def test_judges_have_their_character() -> None:
    table = rows()
    assert drift(table, "lenient") > 0.08
    assert drift(table, "strict") < -0.08
    assert abs(drift(table, "cautious")) < 0.03
    abstained = {
        judge: share([row["label"] == CANNOT for row in table if row["rater"] == judge]) for judge in ("strict", "cautious")
    }
    assert abstained["cautious"] > 0.1
    assert abstained["strict"] < 0.03


def test_cautious_is_accurate_on_four_fifths_of_the_decisions() -> None:
    pairs = decided(rows(), "cautious")
    assert len(pairs) / (226 * 5) == pytest.approx(0.80, abs=0.02)
    assert share([met == judged for _, met, judged in pairs]) == pytest.approx(0.91, abs=0.01)
    assert kappa(pairs) == pytest.approx(0.81, abs=0.015)


def test_people_abstain_and_disagree_sometimes() -> None:
    table = rows()
    by_person = {name: {(r["item"], r["criterion"]): r["label"] for r in table if r["rater"] == name} for name in ("ana", "ben")}
    both = by_person["ana"].keys() & by_person["ben"].keys()
    assert 0.01 < share([by_person["ana"][unit] != by_person["ben"][unit] for unit in both]) < 0.2
    assert all(0.01 < share([label == CANNOT for label in labels.values()]) < 0.15 for labels in by_person.values())


def test_items_have_an_effect_on_all_their_criteria() -> None:
    """The number of MET per item varies more than if criteria were independent within an item."""
    met = defaultdict(list)
    by_criterion = defaultdict(list)
    for (item, criterion), label in majority(rows()).items():
        met[item].append(label == "MET")
        by_criterion[criterion].append(label == "MET")
    totals = [sum(values) for values in met.values() if len(values) == 5]
    mean = sum(totals) / len(totals)
    variance = sum((total - mean) ** 2 for total in totals) / len(totals)
    assert variance > 1.15 * sum(share(values) * (1 - share(values)) for values in by_criterion.values())


@pytest.mark.parametrize(
    ("name", "a", "b"),
    [
        ("rao_two_criteria", (784, 16, 16, 184), (12, 38, 38, 912)),
        ("pooled_at_chance", (256, 64, 64, 16), (1, 19, 19, 361)),
    ],
)
def test_two_criteria(name: str, a: tuple[int, ...], b: tuple[int, ...]) -> None:
    """TP, FN, FP, TN of both, and how they fall together: on no cell further from independence than rounding must take it."""
    made = runpy.run_path(str(ASSETS / "make_two_criteria.py"))["as_csv"](f"{name}.csv")
    assert made == (ASSETS / f"{name}.csv").read_bytes()
    cells = {(human, judge): i for i, (human, judge) in enumerate((h, j) for h in ("MET", "UNMET") for j in ("MET", "UNMET"))}
    items: dict[str, dict[str, int]] = defaultdict(dict)
    for row in csv.DictReader(made.decode().splitlines()):
        items[row["item"]][row["criterion"]] = cells[row["human"], row["verdict"]]
    joint = Counter((item["A"], item["B"]) for item in items.values())
    assert tuple(sum(n for (i, _), n in joint.items() if i == cell) for cell in range(4)) == a
    assert tuple(sum(n for (_, j), n in joint.items() if j == cell) for cell in range(4)) == b
    assert all(abs(joint[i, j] - a[i] * b[j] / sum(a)) <= 1 for i in range(4) for j in range(4))


def samples() -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads((ASSETS / "samples.json").read_text(encoding="utf-8"))
    return found


def test_index_names_every_sample_file_once() -> None:
    listed = [sample["file"] for sample in samples()]
    assert sorted(listed) == sorted(path.name for path in ASSETS.glob("*.csv") if path.name != "template.csv")
    assert len({sample["id"] for sample in samples()}) == len(listed)
    for sample in samples():
        assert set(sample) == {"id", "file", "title", "description", "source"}
        assert all(sample.values())
        assert sample["description"].endswith(".")


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("rao_balanced", [[40, 10], [20, 30]]),
        ("rao_rare_label", [[5, 5], [0, 90]]),
        ("rao_always_negative", [[0, 10], [0, 90]]),
        ("rao_abstention", [[30, 10, 5], [10, 20, 5], [5, 5, 10]]),
        ("collot_table1_a", [[63, 20], [133, 784]]),
        ("collot_table1_b", [[47, 36], [69, 848]]),
        ("collot_table2_a", [[50, 150], [20, 780]]),
        ("collot_table2_b", [[40, 160], [0, 800]]),
    ],
)
def test_published_tables(name: str, counts: list[list[int]]) -> None:
    with (ASSETS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        header, *body = csv.reader(file)
    assert header[0] == "human \\ judge"
    assert [row[0] for row in body] == header[1:]
    assert [[int(cell) for cell in row[1:]] for row in body] == counts


def test_template_is_a_pairs_file() -> None:
    with (ASSETS / "template.csv").open(encoding="utf-8", newline="") as file:
        header, *body = csv.reader(file)
    assert header == ["item", "criterion", "judge", "human", "verdict"]
    assert 4 <= len(body) <= 6
    assert all(len(row) == 5 for row in body)
