"""What is proposed of joined files that say little of themselves, and what is asked instead."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

import metrics
from metrics.data.join import Match
from metrics.readers import Proposal, open_table, propose

Write = Callable[..., list[Path]]
COMMANDS = ("open the door", "close the door", "dim the light", "open the door", "lock it", "unlock it", "dim the light")
ASKED = ("open", "close", "dim", "open", "lock", "open", "dim")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(**texts: str) -> list[Path]:
        """Write files under names in which `__` stands for the point."""
        paths = [tmp_path / name.replace("__", ".") for name in texts]
        for path, text in zip(paths, texts.values(), strict=True):
            path.write_text(text, encoding="utf-8")
        return paths

    return written


def proposed(paths: list[Path]) -> Proposal:
    return propose(open_table(paths))


def sheet(*columns: tuple[str, ...]) -> str:
    """Return a table of the columns, the name of each first."""
    return "\n".join(map(",".join, zip(*columns, strict=True)))


def coded(*intents: str, command: tuple[str, ...] = COMMANDS, name: str = "intent") -> str:
    sure = ("confidence", *("345"[len(intent) % 3] for intent in intents))
    return sheet(("command", *command[: len(intents)]), (name, *intents), sure)


def test_a_column_that_two_raters_have_alike_is_no_label_beside_one_that_differs(write: Write) -> None:
    other = ("close", *ASKED[1:])
    paths = write(coder1__csv=coded(*ASKED), coder2__csv=coded(*other))
    proposal = proposed(paths)
    assert proposal.columns_answer == {"label": "intent", "item": "#row"}
    said = " ".join(doubt.sentence for doubt in proposal.doubts)
    assert "label is ‘intent’, item is ‘#row’ in coder1.csv" in said
    assert "label is ‘intent’ in coder2.csv" in said
    ratings = metrics.read(paths, columns=proposal.columns_answer, labels=dict.fromkeys(ASKED, "class"))
    assert (ratings.n_items, len(ratings.label), ratings.left_out.n) == (7, 14, 0), "a command that comes twice is two items"


def test_nothing_is_proposed_of_files_whose_rows_are_in_another_order(write: Write) -> None:
    other = coded(*ASKED[::-1], command=COMMANDS[::-1])
    assert any(key.endswith("label") for key in proposed(write(coder1__csv=coded(*ASKED), coder2__csv=other)).missing)


def test_raters_of_one_mind_are_asked_for_the_label(write: Write) -> None:
    proposal = proposed(write(coder1__csv=coded(*ASKED), coder2__csv=coded(*ASKED)))
    assert any(key.endswith("label") for key in proposal.missing)


def test_a_column_that_is_alike_is_no_label_whatever_it_is_called(write: Write) -> None:
    strata = ("stratum_label", *("north", "south") * 3, "south")
    files = [sheet(strata, ("mood", *words)) for words in (ASKED, ("close", *ASKED[1:]))]
    assert proposed(write(coder1__csv=files[0], coder2__csv=files[1])).columns_answer == {"label": "mood", "item": "#row"}


def test_what_raters_are_told_counts_the_rows_that_repeat_an_item(write: Write) -> None:
    paths = write(coder1__csv=coded(*ASKED), coder2__csv=coded("close", *ASKED[1:-1], "dim"))
    how = {"item": "command", "label": "intent"}, dict.fromkeys(ASKED, "class"), {"coder1": "human", "coder2": "human"}
    ratings = metrics.read(paths, columns=how[0], labels=how[1], roles=how[2], repeats="last")
    said = metrics.raters(ratings).summary()
    assert "Rows: 10 of 14 used; 4 left out: repeated: a later row gives the same item, criterion and rater." in said
    everything = write(coder1__csv=coded(*ASKED[1:3], *ASKED[4:]), coder2__csv=coded(*ASKED[1:3], *ASKED[4:]))
    ratings = metrics.read(everything, columns={"item": "#row", "label": "intent"}, labels=how[1], roles=how[2])
    assert "Rows:" not in metrics.raters(ratings).summary(), "where every row counts there is nothing to say"


CRITERIA = ("relevance", "tone", "accuracy")


def graded(seed: int, *, reasoning: bool = False) -> str:
    """Return JSON of eight items with a score on each criterion, and why it was given."""
    rng = random.Random(seed)
    scores = [{name: rng.randint(1, 5) for name in CRITERIA} for _ in range(8)]
    nested = [{name: {"score": at, "reasoning": f"It is {at}."} for name, at in own.items()} for own in scores]
    return json.dumps([{"id": f"t{k}", "scores": own} for k, own in enumerate(nested if reasoning else scores)])


@pytest.mark.parametrize("reasoning", [True, False])
def test_a_file_beside_people_and_a_judge_is_not_proposed_as_people(write: Write, *, reasoning: bool) -> None:
    paths = write(human_labels__json=graded(1), claude_labels__json=graded(2), report__json=graded(3, reasoning=reasoning))
    for order in (paths, paths[::-1]):
        answer = proposed(order).columns_answer
        assert {key: who for key, who in answer.items() if key.startswith("role:")} == {
            "role:human_labels": "human", "role:claude_labels": "judge", "role:report": "judge",
        }  # fmt: skip


def test_one_column_of_labels_beside_people_and_a_judge_is_not_proposed_as_peoples(write: Write) -> None:
    ids = ("item", *(f"q{k}" for k in range(6)))
    said = [("label", *("yes", "no") * 3), ("label", *("yes", "no", "no") * 2), ("label", *("no", "yes") * 3)]
    files = [sheet(ids, labels) for labels in said]
    assert proposed(write(human__csv=files[0], gpt4__csv=files[1], second__csv=files[2])).roles_answer == {"second": "judge"}


@pytest.mark.parametrize("explained", [0, 1])
def test_reasoning_beside_each_score_speaks_for_a_judge(write: Write, explained: int) -> None:
    files = [graded(seed, reasoning=seed == explained) for seed in range(2)]
    answer = proposed(write(first__json=files[0], second__json=files[1])).columns_answer
    assert [answer["role:first"], answer["role:second"]] == [["judge", "human"], ["human", "judge"]][explained]


QUERIES, SYSTEMS = ("h1", "h2", "d1", "d2"), ("base", "full")
OUTPUTS = ("output_id", *(f"HV{k}" for k in range(8)))
MADE = ("scenario_id", *(query for query in QUERIES for _ in SYSTEMS)), ("system_name", *SYSTEMS * len(QUERIES))


def scored(seed: int) -> tuple[tuple[str, ...], ...]:
    rng = random.Random(seed)
    return tuple((name, *(str(rng.randint(1, 5)) for _ in range(8))) for name in CRITERIA)


def test_a_table_of_keys_tells_which_rows_of_two_files_are_one_item(write: Write) -> None:
    judge = sheet(*(column[:1] + column[:0:-1] for column in (*MADE, *scored(2))))
    paths = write(human_1__csv=sheet(OUTPUTS, *scored(1)), mapping__csv=sheet(OUTPUTS, *MADE), judge_scores__csv=judge)
    ratings = metrics.read(paths, columns=proposed(paths).columns_answer, scale="ordinal", labels=dict.fromkeys("12345", "class"))
    assert (ratings.n_items, len(ratings.label)) == (8, 48)
    report = metrics.agreement(ratings).judges["judge_scores"]
    for (name, *human), (_, *other) in zip(scored(1), scored(2), strict=True):
        same = sum(one == two for one, two in zip(human, other, strict=True))
        assert report.criteria[name]["accuracy"].value == pytest.approx(same / 8)
    join = ratings.source.join
    assert join is not None
    assert [(file.name, file.raters) for file in join.files] == [
        ("human_1.csv", ("human_1",)), ("mapping.csv", ()), ("judge_scores.csv", ("judge_scores",)),
    ]  # fmt: skip
    assert "mapping.csv for keys; judge_scores.csv for one rater" in join.sentences()[1]
    assert "judge_scores.csv: ‘output_id’ is looked up in mapping.csv by ‘scenario_id’, ‘system_name’." in ratings.source.notes


def test_a_table_of_keys_that_joins_no_other_files_holds_no_labels(write: Write) -> None:
    paths = write(
        human_1__csv=sheet(OUTPUTS, *scored(1)), human_2__csv=sheet(OUTPUTS, *scored(2)), mapping__csv=sheet(OUTPUTS, *MADE)
    )
    for files in (paths, paths[1:]):
        proposal = proposed(files)
        assert proposal.missing == ("mapping.csv:label",)
        said = " ".join(doubt.sentence for doubt in proposal.doubts)
        assert "mapping.csv: No column holds labels, only ids and what tells items apart. Leave the file out." in said


def test_labels_beside_two_ids_are_no_keys(write: Write) -> None:
    labels = ("answer", *("left", "right") * 4)
    paths = write(human_1__csv=sheet(OUTPUTS, MADE[0], labels), human_2__csv=sheet(OUTPUTS, MADE[0], labels))
    assert not proposed(paths).missing


def of_ids(*ids: str, seed: int) -> str:
    rng = random.Random(seed)
    return sheet(("ticket", *ids), ("label", *(rng.choice(("yes", "no")) for _ in ids)))


@pytest.mark.parametrize(
    ("others", "match", "n_shared"),
    [
        (("b2", "b3", "b4", "x1", "x2", "x3", "x4", "x5"), "exact", 3),
        (("B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9"), "loose", 8),
        (("b2", "b3", "b4", "B5", "x2", "x3", "x4", "x5"), "exact", 3),
        (("B2", "B3", "B4", "x1", "x2", "x3", "x4", "x5"), "loose", 3),
    ],
    ids=["few ids", "another case", "few ids, and one in another case", "few ids, and in another case"],
)
def test_the_line_to_paste_says_how_ids_are_compared(write: Write, others: tuple[str, ...], match: Match, n_shared: int) -> None:
    paths = write(human__csv=of_ids(*(f"b{k}" for k in range(2, 12)), seed=1), judge__csv=of_ids(*others, seed=2))
    with pytest.raises(metrics.InputError) as caught:
        metrics.read(paths)
    line = str(caught.value).partition(" If this is right: ")[2]
    assert f'match="{match}"' in line
    proposal = proposed(paths)
    assert proposal.match_answer == match
    ratings = metrics.read(paths, columns=proposal.columns_answer, match=proposal.match_answer)
    assert ratings.n_items == 18 - n_shared


def test_ids_of_which_only_the_numbers_are_alike_are_not_proposed_as_one(write: Write) -> None:
    paths = write(human__csv=of_ids(*(f"H{k:03}" for k in range(20)), seed=1), judge__csv=of_ids(*map(str, range(3, 30)), seed=2))
    proposal = proposed(paths)
    assert "if what stands around their number may differ" in proposal.blocking[0].sentence
    assert proposal.match_answer == ""


ALWAYS = ("pass",) * 6
VARIES = ("pass", "fail") * 3


def passed(**results: tuple[str, ...]) -> str:
    """Return JSON of six items with the result on each criterion, and whether all passed."""
    rows = [{name: {"result": said[at]} for name, said in results.items()} for at in range(6)]
    return json.dumps([{"id": f"i{k}", "scores": row, "cached": "false"} for k, row in enumerate(rows)])


def test_a_column_that_always_says_the_same_holds_labels_where_it_does_in_another_file(write: Write) -> None:
    human = passed(C1=ALWAYS, C2=ALWAYS, C3=ALWAYS)
    judge = passed(C1=ALWAYS, C2=VARIES, C3=("fail",) * 6)
    paths = write(human_labels__json=human, eval_judge__json=judge)
    for order in (paths, paths[::-1]):
        ratings = metrics.read(order, columns=proposed(order).columns_answer)
        assert set(ratings.criteria) == {"C1", "C2", "C3"}
        blocks = metrics.agreement(ratings).judges["eval_judge"].criteria
        assert {name: block["accuracy"].value for name, block in blocks.items()} == {"C1": 1, "C2": 0.5, "C3": 0}
        note = "Not read as a criterion, because every row says the same: ‘cached’."
        assert any(note in said for said in ratings.source.notes)


def test_one_column_that_always_says_the_same_is_the_label_that_another_file_has(write: Write) -> None:
    ids = ("id", *(f"i{k}" for k in range(6)))
    paths = write(human__csv=sheet(ids, ("clear", *ALWAYS)), judge__csv=sheet(ids, ("clear", *VARIES)))
    ratings = metrics.read(paths, columns=proposed(paths).columns_answer)
    assert metrics.agreement(ratings).judges["judge"].micro["accuracy"].value == 0.5


@pytest.mark.parametrize("words", [("ok",) * 6, ("false",) * 6])
def test_words_that_no_label_of_the_other_file_is_are_asked_about(write: Write, words: tuple[str, ...]) -> None:
    ids = ("id", *(f"i{k}" for k in range(6)))
    paths = write(human__csv=sheet(ids, ("cached", *words)), judge__csv=sheet(ids, ("clear", *VARIES), ("cached", *words)))
    assert "human.csv:label" in proposed(paths).missing
