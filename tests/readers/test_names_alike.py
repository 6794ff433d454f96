"""Criteria and raters that differ in case or blanks alone: told with the mend, merged where it is said."""

from __future__ import annotations

import pytest

import metrics
from metrics.asker import answering
from metrics.data.similar_names import alike_names
from metrics.engines.count import count_frame
from metrics.readers import read_as
from metrics.report.recipe import Recipe, recipe_of

HEAD = "item,criterion,rater,role,label\n"
NAMES = (("Correctness", "Ana"), ("correctness", "ana"), ("Correctness ", "Ana"))
ROWS = [
    f"i{n},{criterion},{rater},{role},{'yes' if (n + (role == 'judge' and n % 4 == 0)) % 3 else 'no'}\n"
    for n in range(12)
    for criterion, person in [NAMES[n % 3]]
    for rater, role in ((person, "human"), ("gpt 4" if n % 2 else "GPT4", "judge"))
]
MIXED = HEAD + "".join(ROWS)
PLAIN = MIXED.replace("correctness", "Correctness").replace("ana", "Ana").replace("gpt 4", "GPT4")


def codes(report: metrics.AgreementReport) -> list[str]:
    return [warning.message for warning in report.warnings if warning.code == "alike_names"]


def test_names_that_are_alike_are_told_with_the_mend() -> None:
    ratings = metrics.read(MIXED.encode())
    assert (len(ratings.criteria), ratings.humans, len(ratings.judges)) == (2, ("Ana", "ana"), 2)
    found = codes(metrics.agreement(ratings, interval="none"))
    assert found[0] == (
        "Criteria that differ in case or blanks alone count apart: ‘Correctness’ and ‘correctness’. "
        "To merge them, read the file with merge_spellings=True, or say so on the Data page."
    )
    assert [text.split(":")[1].split(".")[0] for text in found[1:]] == [" ‘Ana’ and ‘ana’", " ‘GPT4’ and ‘gpt 4’"]
    with answering("command"):
        assert "with --merge-spellings" in codes(metrics.agreement(ratings, interval="none"))[0]
    people = metrics.read((MIXED + "i1,Correctness,Ben,human,yes\ni1,Correctness,Ana,human,yes\n").encode())
    assert any(warning.code == "alike_names" for warning in metrics.raters(people, interval="none").warnings)


@pytest.mark.parametrize("names", [("Ana", "Anna"), ("a-b", "a_b"), ("tone 1", "tone 2"), ("Ana", "Ana")])
def test_other_names_are_two(names: tuple[str, str]) -> None:
    assert alike_names(names) == ()


def test_plain_names_are_told_nothing() -> None:
    assert codes(metrics.agreement(metrics.read(PLAIN.encode()), interval="none")) == []


def test_merged_they_give_the_numbers_of_one_name() -> None:
    merged, plain = metrics.read(MIXED.encode(), merge_spellings=True), metrics.read(PLAIN.encode())
    assert (merged.criteria, merged.humans) == (plain.criteria, plain.humans)
    assert len(merged.judges) == 1
    found, wanted = (metrics.agreement(its, interval="none") for its in (merged, plain))
    assert [own.micro.values["kappa"] for own in found.judges.values()] == [
        own.micro.values["kappa"] for own in wanted.judges.values()
    ]
    assert codes(found) == []
    assert metrics.read(count_frame(merged.table.to_pandas()).to_bytes(), merge_spellings=True).criteria == plain.criteria


def test_merged_names_that_repeat_a_rating_are_seen() -> None:
    again = MIXED + "i0,correctness,Ana,human,{}\n"
    assert metrics.read(again.format("yes").encode()).left_out.n == 0
    with pytest.raises(metrics.InputError, match="give the same rating twice"):
        metrics.read(again.format("yes").encode(), merge_spellings=True)
    assert metrics.read(again.format("no").encode(), merge_spellings=True).left_out.n == 1


def test_a_report_reads_them_again_as_merged() -> None:
    ratings = metrics.read(MIXED.encode(), merge_spellings=True)
    recipe = Recipe.from_dict(recipe_of(ratings).to_dict())
    assert read_as(MIXED.encode(), recipe.reading).humans == ratings.humans
    assert "merge_spellings" not in recipe_of(metrics.read(MIXED.encode())).to_dict()["reading"]


BOTH = PLAIN + "".join(row.replace("GPT4", "other") for row in PLAIN.splitlines(keepends=True) if "judge" in row)


def rater_labels_of(text: str) -> dict[str, list[str]]:
    """What every command says of names that are alike."""
    ratings = metrics.read(text.encode())
    first, second = ratings.judges[:2]
    pair, forest = metrics.compare(ratings, first, second), metrics.compare_all(ratings, first)
    found = {
        "roc": [warning.message for warning in metrics.roc(ratings, interval="none").warnings],
        "scores": [warning.message for warning in metrics.scores(ratings, order=["no", "yes"], interval="none").warnings],
        "item-scores": [warning.message for warning in metrics.item_scores(ratings, interval="none").warnings],
        "compare": list(pair.notes),
        "compare as text": pair.summary().splitlines(),
        "baseline": forest.to_dict()["notes"],
        "baseline as text": forest.summary().splitlines(),
    }
    return {name: [text for text in texts if "differ in case or blanks alone" in text] for name, texts in found.items()}


def test_every_command_tells_names_that_are_alike() -> None:
    mixed = BOTH.replace("i1,Correctness", "i1,correctness")
    for command, texts in rater_labels_of(mixed).items():
        assert len(texts) == 1, command
        assert "Criteria that differ in case or blanks alone count apart: ‘Correctness’ and ‘correctness’." in texts[0]
    assert all(texts == [] for texts in rater_labels_of(BOTH).values())


def test_where_nothing_is_shared_the_mend_is_to_merge() -> None:
    rows = [row.replace("Correctness", "correctness") if "judge" in row else row for row in PLAIN.splitlines(keepends=True)]
    with pytest.raises(metrics.InputError, match="Criteria that differ in case or blanks alone count apart"):
        metrics.agreement(metrics.read("".join(rows).encode()))
    with pytest.raises(metrics.InputError, match="Make the ids and criterion names equal"):
        metrics.agreement(metrics.read("".join(rows).replace(",correctness", ",other").encode()))
