"""Every defensible set of choices: each number is that of the report, and none is missing or stands twice."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.analyses.multiverse.compute import ENOUGH, evaluated, seldom_humans, space_of
from metrics.analyses.multiverse.result import reading
from metrics.analyses.settings import Settings
from metrics.data.abstention import MODES
from tests.conftest import paired, ratings_of
from tests.metrics.spaces import LABELS, found, rated, space
from tests.shared_data import data

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(ROOT / "assets/support_answers.csv")


def test_every_number_is_the_reports(sample):
    its = space(sample, judge="cautious", interval="auto")
    columns = {tuple(column.names.items()): column for column in found(sample, its).columns}
    expected = 0
    for mode, reference, rule in itertools.product(MODES, ("majority", "ana", "ben"), ("all", 0.5)):
        threshold = None if rule == "all" else rule
        name = "threshold" if threshold else "all"
        report = metrics.agreement(
            sample, judges=["cautious"], abstention=mode, reference=reference, item_rule=name, threshold=threshold
        ).judges["cautious"]
        shown = {"exclude": "Exclude", "as_unmet": "Count as negative", "as_category": "Keep as a class"}[mode]
        who = {"majority": "Both agree"}.get(reference, reference)
        rest = {"tie": "Ties as abstentions", "invalid": "Invalid as abstentions"}
        for level in ("micro", "macro", "item") if rule == "all" else ("item",):
            own = {"rule": "All met" if rule == "all" else "Score ≥ 0.50"} if level == "item" else {}
            key = tuple(({"mode": shown, "level": level.capitalize()} | own | {"reference": who} | rest).items())
            assert columns[key].value == pytest.approx(report.level(level).values["kappa"], abs=1e-12)
            assert columns[key].ends == pytest.approx(report.level(level)["kappa"].ends, abs=1e-12)
            assert columns[key].n == report.level(level).n
            expected += 1
    assert expected == len(columns) == 36


def test_sorted_with_the_declared_one_named(sample):
    for mode, level in itertools.product(MODES, ("micro", "macro", "item")):
        its = found(sample, space(sample, level, judge="cautious", abstention=mode))
        values = [column.value for column in its.columns]
        assert values == sorted(values)
        declared = its.columns[its.declared_place]
        report = metrics.agreement(sample, judges=["cautious"], abstention=mode, interval="none").judges["cautious"]
        assert declared.value == pytest.approx(report.level(level).values["kappa"], abs=1e-12)


def test_no_analysis_stands_twice(sample):
    its = space(sample)
    keys = [(its.settings(analysis), its.level_of(analysis)) for analysis in its.analyses]
    assert len(set(keys)) == len(keys) == 36
    assert len({(s.abstention, s.reference, level) for s, level in keys if level != "item"}) == 18


@pytest.mark.slow("every choice of made-up files")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("labels", [("MET", "UNMET"), ("MET", "UNMET", "CA"), ("MET", "UNMET", "CA", "TIE"), LABELS])
def test_what_stands_for_another_has_its_tables(labels, seed):
    """Whatever is folded into one analysis gives the same table, and two analyses rest on different choices."""
    ratings = rated(12, 2, 1 + seed % 3, seed, labels)
    its = space(ratings, abstention=MODES[seed % 3], level=("micro", "macro", "item")[seed % 3])
    known = {s: evaluated(ratings, "j", s) for s in set(map(its.settings, its.same))}
    for analysis, stands in its.same.items():
        level = its.level_of(analysis)
        assert its.level_of(stands) == level
        if level == "macro":
            continue
        tables = [np.asarray(known[its.settings(one)][level].confusion) for one in (analysis, stands)]
        # A third class that nobody uses is the only way in which they may differ.
        assert (tables[0][:2, :2] == tables[1][:2, :2]).all()
        assert tables[0].sum() == tables[1].sum()
    assert its.declared_analysis in its.analyses
    assert set(its.same.values()) == set(its.analyses)


def test_nobody_abstains_so_all_modes_are_one():
    ratings = paired([["MET", "UNMET"], ["UNMET", "MET"], ["MET", "MET"]], [["MET", "UNMET"], ["MET", "MET"], ["UNMET", "MET"]])
    its = space(ratings, abstention="as_unmet")
    assert len(its.analyses) == 4
    assert {its.settings(analysis).abstention for analysis in its.analyses} == {"as_unmet"}
    assert any("all modes are one" in remark for remark in its.remarks)
    assert "mode" not in [dimension.key for dimension in its.varied]


def test_modes_stand_once_for_the_human_who_never_abstains():
    rows = [
        (f"i{i}", "c", who, "human", "CA" if who == "b" and i == 0 else "MET" if i % 2 else "UNMET")
        for i in range(8)
        for who in "ab"
    ]
    rows += [(f"i{i}", "c", "j", "judge", "MET" if i % 3 else "UNMET") for i in range(8)]
    its = space(ratings_of(rows), reference="a")
    by_reference = {name: [a for a in its.analyses if its.settings(a).reference == name] for name in ("a", "b", "majority")}
    # where b abstains, a alone decides, so a is also what most of them say
    assert {name: len(own) for name, own in by_reference.items()} == {"a": 1, "b": 3, "majority": 0}


def test_ties_and_invalid_answers_vary_beside_other_kinds():
    ratings = rated(40, 1, 1, 3)
    its = space(ratings)
    assert [dimension.key for dimension in its.varied] == ["mode", "tie", "invalid"]
    ways = {(s.abstention, s.handling) for s in map(its.settings, its.analyses)}
    assert len(ways) == len(its.analyses) == 4 + 4 + 9
    for analysis in its.analyses:
        settings = its.settings(analysis)
        report = metrics.agreement(
            ratings, abstention=settings.abstention, handling=dict(settings.handling), interval="none"
        ).judges["j"]
        value = next(column.value for column in found(ratings, its).columns if column.analysis == analysis)
        assert value == pytest.approx(report.micro.values["kappa"], abs=1e-12)


def test_of_analyses_that_mean_the_same_the_plainest_stands():
    """Recoding everything is said so, not as ties and invalid answers each recoded."""
    its = space(rated(40, 1, 1, 3, ("MET", "UNMET", "TIE", "BAD")))
    plain = [a for a in its.analyses if its.settings(a).abstention == "as_unmet" and not its.settings(a).handling]
    assert len(plain) == 1
    assert len(its.analyses) == 9


def test_ties_alone_are_what_the_mode_is_about():
    its = space(rated(40, 1, 1, 3, ("MET", "UNMET", "TIE")))
    assert [dimension.key for dimension in its.varied] == ["mode"]


def test_a_declared_handling_stays_declared():
    ratings = rated(40, 2, 1, 4)
    its = space(ratings, handling={"tie": "exclude"}, level="item")
    assert dict(its.settings(its.declared_analysis).handling) == {"tie": "exclude"}
    report = metrics.agreement(ratings, handling={"tie": "exclude"}, interval="none").judges["j"]
    whole = found(ratings, its)
    assert whole.columns[whole.declared_place].value == pytest.approx(report.item.values["kappa"], abs=1e-12)


def test_references_of_three_humans():
    ratings = rated(30, 1, 3, 5)
    options = space(ratings).dimensions[3].options
    assert [option.name for option in options] == [
        "Majority", "All agree", "h0", "h1", "h2", "Majority without h0", "Majority without h1", "Majority without h2",
    ]  # fmt: skip


def test_rules_that_give_the_same_labels_are_one():
    ratings = rated(30, 1, 2, 5)
    assert [option.name for option in space(ratings).dimensions[3].options] == ["Both agree", "h0", "h1"]
    its = space(ratings, reference="unanimous")
    assert its.settings(its.declared_analysis).reference == "unanimous"


def seldom(n: int = 40) -> metrics.Ratings:
    rows = [(f"i{i}", "c", who, "human", ("MET", "UNMET")[(i + len(who)) % 2]) for i in range(n) for who in ("a", "bb")]
    rows += [(f"i{i}", "c", "few", "human", "MET") for i in range(int(n * ENOUGH) - 1)]
    return ratings_of([*rows, *((f"i{i}", "c", "j", "judge", ("MET", "UNMET")[i % 2]) for i in range(n))])


def test_a_human_with_few_labels_is_a_reference_only_when_asked_for():
    ratings = seldom()
    assert seldom_humans(ratings, "j", "majority") == ("few",)
    others = ["majority without a", "majority without bb"]
    assert [option.key for option in space(ratings).dimensions[3].options][2:] == ["a", "bb", *others]
    assert any("‘few’ labelled less than 20" in remark for remark in space(ratings).remarks)
    asked = space(ratings, every_human=True)
    assert [option.key for option in asked.dimensions[3].options][2:] == ["a", "bb", "few", *others]
    assert not any("few" in remark for remark in asked.remarks)
    declared = space(ratings, reference="few")
    assert declared.settings(declared.declared_analysis).reference == "few"


def test_item_rules():
    ratings = rated(20, 3, 1, 6)
    assert [option.name for option in space(ratings).dimensions[2].options] == ["All met", "Score ≥ 0.50"]
    asked = space(ratings, item_rule="threshold", threshold=0.8, level="item")
    assert [option.name for option in asked.dimensions[2].options] == ["All met", "Score ≥ 0.50", "Score ≥ 0.80"]
    assert asked.settings(asked.declared_analysis).item_rule.threshold == 0.8
    every = space(ratings, item_rule="threshold", threshold=1.0, weights={"c0": 2.0}, level="item")
    assert [option.name for option in every.dimensions[2].options] == ["All met", "Score ≥ 0.50"]
    both = [evaluated(ratings, "j", s)["item"].confusion for s in (every.base, every.settings(every.declared_analysis))]
    assert (both[0] == both[1]).all()


@pytest.mark.parametrize(
    ("build", "levels", "says"),
    [
        (lambda: rated(10, 1, 1, 1), ["Micro"], "one criterion"),
        (lambda: rated(10, 2, 1, 1), ["Micro", "Macro", "Item"], ""),
    ],
)
def test_levels(build, levels, says):
    ratings = build()
    its = space_of(ratings, "j", Settings(judges=("j",), reference=ratings.humans[0]), "micro")
    assert [option.name for option in its.dimensions[1].options] == levels
    assert says in " ".join(its.remarks)


def test_the_declared_level_of_one_criterion_is_the_only_one():
    ratings = rated(20, 1, 1, 2)
    for level in ("micro", "macro", "item"):
        its = found(ratings, space(ratings, level))
        assert len(its.columns) > 1
        assert its.declared_place is not None


def test_classes_have_no_negative_and_no_item_level():
    kinds = {"a": "class", "b": "class", "c": "class", "CA": "abstention"}
    rng = np.random.default_rng(0)
    rows = [
        (f"i{i}", f"c{c}", who, role, str(rng.choice(list(kinds))))
        for i in range(30)
        for c in range(2)
        for who, role in (("h", "human"), ("j", "judge"))
    ]
    ratings = ratings_of(rows, kinds=kinds)
    its = space(ratings)
    assert {its.settings(analysis).abstention for analysis in its.analyses} == {"exclude", "as_category"}
    assert {its.level_of(analysis) for analysis in its.analyses} == {"micro", "macro"}
    assert len(its.remarks) == 2
    at_item = found(ratings, space(ratings, "item"))
    assert at_item.columns[at_item.declared_place].why.startswith("no rule")
    assert not math.isnan(at_item.columns[0].value)


def test_what_is_held_stays_declared(sample):
    its = space(sample, "item", abstention="as_unmet", reference="ben", item_rule="threshold", threshold=0.5)
    held = its.held(["mode", "rule"])
    assert [dimension.key for dimension in held.varied] == ["level", "reference"]
    assert {s.abstention for s in map(held.settings, held.analyses)} == {"as_unmet"}
    assert {s.item_rule.threshold for s in map(held.settings, held.analyses)} == {0.5}
    assert len(its.held([dimension.key for dimension in its.dimensions]).analyses) == 1
    assert held.settings(held.declared_analysis) == its.settings(its.declared_analysis)


def test_a_metric_that_a_mode_lacks_is_counted_not_invented(sample):
    phi = found(sample, space(sample), "phi")
    assert (len(phi.columns), phi.absent, phi.n) == (24, 12, 24)
    assert all(column.names["mode"] != "Keep as a class" for column in phi.columns)
    many = found(sample, space(sample), "mcc_multiclass")
    assert {column.names["mode"] for column in many.columns} == {"Keep as a class"}
    within = found(sample, space(sample), "kappa_within")
    assert {column.names["level"] for column in within.columns} == {"Micro"}
    assert {"phi", "mcc_multiclass", "kappa_within", "drift"} <= set(space(sample).metrics())


def test_undefined_analyses_stay_with_their_reason():
    human = [["MET", "UNMET"], ["MET", "MET"], ["UNMET", "UNMET"], ["MET", "CA"]]
    ratings = paired(human, [["MET", "UNMET"], ["MET", "UNMET"], ["MET", "UNMET"], ["MET", "UNMET"]])
    its = found(ratings, space(ratings), "phi")
    missing = [column for column in its.columns if not column.defined]
    assert missing
    assert its.columns[-len(missing) :] == tuple(missing)
    assert all(column.why for column in missing)
    assert sum(its.undefined().values()) == len(missing)
    assert f"{len(missing)} of the {len(its.columns)}" in reading(its)
    assert its.table()["undefined"][-1] == missing[-1].why


def test_table_holds_every_choice_and_the_declaration(sample):
    its = found(sample, space(sample, judge="cautious", interval="auto"))
    table = its.table()
    assert {len(column) for column in table.values()} == {36}
    assert table["declared"].count("yes") == 1
    assert table["declared"].index("yes") == its.declared_place
    assert set(table["abstention"]) == {"Exclude", "Count as negative", "Keep as a class"}
    assert [rule == "" for rule in table["item_rule"]] == [level != "Item" for level in table["level"]]
    assert all(low <= value <= high for low, value, high in zip(table["low"], table["value"], table["high"], strict=True))


@pytest.mark.parametrize("declared", ["exclude", "as_unmet"])
def test_a_tie_is_no_win_of_the_second_answer(declared):
    """Neither ties nor abstentions are counted as B, unless that is declared; a missing MET may count as UNMET."""
    rows = [[("A", "B", "tie", "CA")[(i + own) % 4] for i in range(24)] for own in (0, 1)]
    kinds = {"A": "positive", "B": "negative", "tie": "tie", "CA": "abstention"}

    def made(rows, kinds):
        its = space(paired(*([[label] for label in side] for side in rows), kinds=kinds), abstention=declared)
        names = [option.name for dimension in its.dimensions for option in dimension.options]
        return names, " ".join(its.remarks)

    names, said = made(rows, kinds)
    assert "Ties negative" not in names
    assert ("Count as negative" in names) == (declared == "as_unmet")
    if declared == "exclude":
        assert "No answer is recoded as B: a tie, or no answer, is no win of B." in said
    else:
        assert "is no win of B: Count as negative stands here only as it is declared." in said
    other = {"A": "MET", "B": "UNMET"}
    usual = [[other.get(label, label) for label in side] for side in rows]
    names, said = made(usual, {other.get(label, label): kind for label, kind in kinds.items()})
    assert {"Ties negative", "Count as negative"} <= set(names)
    assert "no win of" not in said


@pytest.mark.parametrize("name", ["mtbench_gpt4_votes", "pandalm_pairwise", "llmrubric_real_binary", "llmbar_natural"])
def test_real_files(name):
    path = data(f"{name}.csv")
    labels = {
        "mtbench_gpt4_votes": {"A": "positive", "B": "negative", "tie": "tie"},
        "pandalm_pairwise": {"1": "positive", "2": "negative", "tie": "tie", "INVALID": "invalid"},
        "llmbar_natural": {"output_1": "positive", "output_2": "negative", "INVALID": "invalid"},
    }.get(name)
    ratings = metrics.read(path, labels=labels)
    its = found(ratings, space(ratings))
    expected = {"mtbench_gpt4_votes": 16, "pandalm_pairwise": 4, "llmrubric_real_binary": 12}.get(name)
    assert expected is None or len(its.columns) == expected
    assert its.declared_place is not None
    assert len(its.columns) == its.n


@pytest.mark.parametrize("name", ["rao_abstention", "rao_balanced"])
def test_a_table_of_counts_has_no_item_level_to_be_the_same(name):
    ratings = metrics.read(ROOT / f"assets/{name}.csv")
    assert "There is one criterion, so micro and macro are one." in space(ratings).remarks
    assert "There is one criterion, so micro, macro and item are one." in space(rated(10, 1, 1, 1)).remarks
