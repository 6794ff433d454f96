"""Split votes of people have their own name and count: on items, beside the judge's silence, in tables and in ROC curves."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import pytest
from sklearn.metrics import matthews_corrcoef

import metrics
from metrics.analyses.abstention import readings
from metrics.analyses.abstention.nonresponse import NO_VERDICT, SPLIT, by_criterion, by_judge, by_label, by_prompt, decisions_of
from metrics.analyses.abstention.relation import relation
from metrics.analyses.abstention.tables import groups_table
from metrics.analyses.roc.provenance import header
from metrics.analyses.settings import settings_of
from metrics.data.abstention import MODES
from metrics.results.tables import in_full

SAMPLE = Path(metrics.__file__).parents[1] / "assets/support_answers.csv"
LABELS = ("MET", "UNMET")
Cell = tuple[str, str]


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(SAMPLE)


@pytest.fixture(scope="module")
def raw() -> tuple[dict[Cell, str], dict[str, dict[Cell, str]]]:
    """What the people say together on each decision, and what each judge says, from the rows of the file."""
    votes: dict[Cell, list[str]] = defaultdict(list)
    judges: dict[str, dict[Cell, str]] = defaultdict(dict)
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cell = row["item"], row["criterion"]
            if row["role"] == "human":
                votes[cell].append(row["label"])
            else:
                judges[row["rater"]][cell] = row["label"]
    return {cell: together(given) for cell, given in votes.items()}, judges


def together(given: list[str]) -> str:
    met, unmet = (given.count(label) for label in LABELS)
    if met == unmet:
        return SPLIT if met else NO_VERDICT
    return "MET" if met > unmet else "UNMET"


def said(label: str) -> str:
    return label if label in LABELS else NO_VERDICT


def pairs(raw, judge: str) -> dict[Cell, tuple[str, str]]:
    people, judges = raw
    return {cell: (people[cell], said(label)) for cell, label in judges[judge].items() if cell in people}


def whole_items(raw, judge: str) -> list[list[tuple[str, str]]]:
    """Items on which neither side lacks a criterion that anybody answered."""
    rubric: dict[str, set[str]] = defaultdict(set)
    for cells in (raw[0], *raw[1].values()):
        for item, criterion in cells:
            rubric[item].add(criterion)
    own = pairs(raw, judge)
    found = [[own.get((item, criterion)) for criterion in sorted(names)] for item, names in rubric.items()]
    return [item for item in found if None not in item]


def verdict(labels: list[str], *, recoded: bool) -> str:
    """All met: one UNMET decides; else a split vote, then silence, leaves it open."""
    labels = ["UNMET" if recoded and label == NO_VERDICT else label for label in labels]
    return next((label for label in ("UNMET", SPLIT, NO_VERDICT) if label in labels), "MET")


@pytest.mark.parametrize("mode", MODES)
def test_items_are_those_of_the_rows(sample, raw, mode) -> None:
    report = metrics.agreement(sample, abstention=mode, interval="none")
    for name, its in report.judges.items():
        items = whole_items(raw, name)
        sides = [tuple(verdict([pair[side] for pair in item], recoded=mode == "as_unmet") for side in (0, 1)) for item in items]
        coverage = its.item.more["coverage"]
        assert coverage["n_total"] == len(items)
        assert coverage["n_split"] == sum(reference == SPLIT for reference, _ in sides) > 0
        assert its.item.more["left_out"] == sample.n_items - len(items)
        used = [pair for pair in sides if pair[0] != SPLIT and (mode == "as_category" or NO_VERDICT not in pair)]
        assert its.item.n == len(used)
        free = [item for item in items if not {NO_VERDICT, SPLIT} & {label for pair in item for label in pair}]
        assert its.item.more["complete"]["n"] == len(free)
        assert its.item.more["complete"]["n_split"] == sum(SPLIT in {people for people, _ in item} for item in items)
        agreed = sum(verdict([one for one, _ in item], recoded=False) == verdict([two for _, two in item], recoded=False)
                     for item in free)  # fmt: skip
        assert its.item.more["complete"]["accuracy"] == pytest.approx(agreed / len(free))


def test_items_of_the_sample_under_recoding(sample) -> None:
    its = metrics.agreement(sample, abstention="as_unmet", judges=["strict"], interval="none").judges["strict"].item
    assert (its.n, its.more["left_out"], its.more["coverage"]["n_split"], its.more["complete"]["n"]) == (211, 11, 4, 164)


def test_the_reading_of_items_names_split_votes(sample) -> None:
    its = metrics.agreement(sample, judges=["strict"], interval="none").judges["strict"].item
    text = readings.item_reading(its.more, "all", LABELS, criteria=5)
    assert "4 items hang on split votes of the people: they are left out." in text
    assert "On the 164 items without any abstention or split vote κ is" in text
    assert "split" not in readings.item_reading(alone(sample).more, "all", LABELS, criteria=5)


def alone(sample: metrics.Ratings):
    """The items beside one person, with whom no vote can split."""
    its = metrics.agreement(sample, judges=["strict"], reference="ana", interval="none").judges["strict"].item
    assert (its.more["coverage"]["n_split"], its.more["complete"]["n_split"]) == (0, 0)
    return its


@pytest.mark.parametrize("judge", ["strict", "cautious"])
def test_silence_of_the_judge_beside_a_split_vote(sample, raw, judge) -> None:
    own = pairs(raw, judge)
    decisions = decisions_of(sample, judge, settings_of(sample).reference)
    assert decisions.n_split == sum(people == SPLIT for people, _ in own.values()) == 14
    groups, others = by_label(sample.scheme, decisions)
    assert [group.name for group in groups] == [*LABELS, NO_VERDICT, SPLIT]
    assert [group.name for group in others] == [*LABELS, NO_VERDICT]
    for group in groups:
        of = [one for people, one in own.values() if people == group.name]
        assert (group.judge.count, group.judge.total) == (of.count(NO_VERDICT), len(of))
    for group in others:
        of = [people for people, one in own.values() if one == group.name]
        assert (group.human.count, group.human.total) == (of.count(NO_VERDICT), len(of))


def test_rates_divide_by_every_decision_with_a_row_of_both(sample, raw) -> None:
    settings = settings_of(sample)
    for group in by_judge(sample, settings):
        own = list(pairs(raw, group.name).values())
        coverage = metrics.agreement(sample, judges=[group.name], interval="none").judges[group.name].coverage
        assert group.judge.value == pytest.approx(coverage.judge_abstention_rate)
        assert group.human.value == pytest.approx(coverage.human_abstention_rate)
        assert (group.split.count, group.split.total) == (sum(people == SPLIT for people, _ in own), len(own))
    decisions = decisions_of(sample, "strict", settings.reference)
    for group in by_criterion(sample, decisions):
        own = [pair for cell, pair in pairs(raw, "strict").items() if cell[1] == group.name]
        counts = [sum(people == SPLIT for people, _ in own), sum(one == NO_VERDICT for _, one in own), len(own)]
        assert [group.split.count, group.judge.count, group.split.total] == counts
    assert sum(group.split.count for group in by_prompt(sample, "strict", decisions)) == 14


def test_the_table_has_rows_for_split_votes_where_there_are_any(sample) -> None:
    def sides(reference: str) -> set[str]:
        decisions = decisions_of(sample, "strict", reference)
        own, _ = by_label(sample.scheme, decisions)
        assert (own[-1].name == SPLIT) == (reference != "ana")
        return set(in_full(groups_table({"criterion": by_criterion(sample, decisions)}))["side"])

    assert sides("majority") == {"judge", "human", "split votes"}
    assert sides("ana") == {"judge", "human"}


def test_a_label_is_named_as_the_extreme_never_a_split_vote() -> None:
    """The judge is silent on every split vote, and more often where people say no than where they say yes."""
    rows = ["item,criterion,rater,role,label"]
    for place in range(200):
        people = ("MET", "MET") if place % 2 else ("UNMET", "UNMET")
        people = ("MET", "UNMET") if place % 5 == 0 else people
        rows += [f"i{place},c,{who},human,{label}" for who, label in zip(("ana", "ben"), people, strict=True)]
        quiet = place % 5 == 0 or (people[0] == "UNMET" and place % 3 == 0)
        rows.append(f"i{place},c,bot,judge,{'CANNOT_ASSESS' if quiet else 'MET'}")
    ratings = metrics.read("\n".join(rows).encode())
    settings = settings_of(ratings)
    own, _ = by_label(ratings.scheme, decisions_of(ratings, "bot", settings.reference))
    assert own[-1].judge.value == 1
    text = readings.relation_sentence(relation(ratings, "bot", settings), own, "bot")
    assert "most often at UNMET" in text
    assert SPLIT not in text


def test_roc_names_split_votes(sample) -> None:
    report = metrics.roc(sample, interval="none")
    own = report.judges["strict"].to_dict()
    assert own["left_out"]["split"] == own["criteria"]["all"]["n_split"] == 14
    assert own["left_out"]["reference_open"] == 31
    assert "split votes left out (14)" in header(report, "strict", None).text()
    assert any(warning.message == "strict: 14 split votes of people are left out." for warning in report.warnings)
    alone = metrics.roc(sample, interval="none", reference="ana")
    assert alone.judges["strict"].to_dict()["left_out"]["split"] == 0
    assert "split" not in header(alone, "strict", None).text()
    assert not any("split votes" in warning.message for warning in alone.warnings)


def test_roc_without_scores_says_that_nobody_abstained() -> None:
    rows = ["item,criterion,rater,role,label"]
    for place in range(40):
        people = ("MET", "UNMET") if place < 4 else (LABELS[place % 2],) * 2
        rows += [f"i{place},c,{who},human,{label}" for who, label in zip(("ana", "ben"), people, strict=True)]
        rows.append(f"i{place},c,bot,judge,{LABELS[place % 3 == 0]}")
    report = metrics.roc(metrics.read("\n".join(rows).encode()), interval="none")
    text = header(report, "bot", None).text().replace("\u00a0", " ")
    assert "no abstentions, split votes left out (4), coverage 90 %" in text
    assert "abstentions excluded" not in text


def test_three_answers_of_the_sample_are_those_of_the_rows(sample, raw) -> None:
    """What the pages on costs and the lab quote of the first judge."""
    own = [pair for pair in pairs(raw, "strict").values() if pair[0] != SPLIT]
    its = metrics.agreement(sample, judges=["strict"], abstention="as_category", interval="none").judges["strict"]
    assert (len(own), its.coverage.n_total) == (1105, 1119)
    assert sum(people == "MET" for people, _ in own) == its.micro.confusion[0].sum() == 600
    assert (
        its.micro.values["mcc_multiclass"]
        == pytest.approx(matthews_corrcoef(*zip(*own, strict=True)))
        == pytest.approx(0.632, abs=5e-4)
    )
