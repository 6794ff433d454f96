"""Several files of which one has a column for each criterion: which columns are criteria, and on what the files are joined."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import open_table, propose

IDS = [f"q{k}" for k in range(40)]
WORDS = ("no", "yes")


def said(seed: int, *names: str) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"id": IDS, **{name: rng.choice(WORDS, len(IDS)) for name in names}})


def long(frame: pd.DataFrame, *names: str) -> pd.DataFrame:
    return frame.melt("id", list(names), "criterion", "label")


def read(folder: Path, people: pd.DataFrame | str, judge: pd.DataFrame) -> metrics.Ratings:
    """Return both files as they are proposed, people first; a text is a file of JSON."""
    paths = [folder / ("people.json" if isinstance(people, str) else "people.csv"), folder / "machine.csv"]
    if isinstance(people, str):
        paths[0].write_text(people, "utf-8")
    else:
        people.to_csv(paths[0], index=False)
    judge.to_csv(paths[1], index=False)
    proposal = propose(open_table(paths))
    return metrics.read(paths, columns=proposal.columns_answer, roles={"machine": "judge"})


def accuracy(ratings: metrics.Ratings) -> dict[str, float]:
    blocks = metrics.agreement(ratings).judges["machine"].criteria
    return {name: block["accuracy"].value for name, block in blocks.items()}


H, J = said(1, "helpful", "safe", "polite", "kind"), said(2, "helpful", "safe", "fluent", "verdict", "label")


@pytest.mark.parametrize(
    ("people", "judge", "criteria"),
    [
        (long(H, "helpful", "safe"), J[["id", "helpful", "safe", "verdict"]], {"helpful", "safe"}),
        (long(H, "helpful", "safe"), J[["id", "helpful", "safe", "label"]], {"helpful", "safe"}),
        (H[["id", "helpful", "safe"]], J[["id", "helpful", "safe", "verdict"]], {"helpful", "safe"}),
        (H[["id", "helpful", "safe"]], J[["id", "helpful", "safe", "label"]], {"helpful", "safe"}),
        (H, J[["id", "helpful", "safe", "fluent"]], {"helpful", "safe"}),
        (H[["id", "helpful", "polite"]], J[["id", "helpful", "fluent"]], {"helpful"}),
        (H[["id", "helpful", "safe"]], J[["id", "helpful"]], {"helpful"}),
        (long(H, "helpful"), J[["id", "helpful", "safe"]], {"helpful"}),
        (long(H, "helpful"), J[["id", "helpful", "verdict"]], {"helpful"}),
    ],
    ids=[
        "long and verdict", "long and label", "wide and verdict", "wide and label", "more alone than shared",
        "one shared", "one column", "one criterion beside another", "one criterion beside a verdict",
    ],
)  # fmt: skip
def test_columns_that_both_files_have_are_the_criteria(
    tmp_path: Path, people: pd.DataFrame, judge: pd.DataFrame, criteria: set[str]
) -> None:
    ratings = read(tmp_path, people, judge)
    assert set(ratings.criteria) == criteria
    assert accuracy(ratings) == pytest.approx({name: np.mean(H[name] == J[name]) for name in criteria})


@pytest.mark.parametrize("ends", [("", "_score"), ("_score", ""), ("", " label"), ("_rating", "_verdict"), ("", ".pass")])
def test_a_word_for_what_a_column_holds_is_no_part_of_its_criterion(tmp_path: Path, ends: tuple[str, str]) -> None:
    people, judge = (said(seed, "helpful", "safe", "polite") for seed in (1, 2))
    files = [
        frame.rename(columns={name: name + end for name in frame if name != "id"})
        for frame, end in zip((people, judge), ends, strict=True)
    ]
    by_hand = {name: float(np.mean(people[name] == judge[name])) for name in ("helpful", "safe", "polite")}
    assert accuracy(read(tmp_path, *files)) == pytest.approx(by_hand)


def test_what_one_file_alone_asks_is_named(tmp_path: Path) -> None:
    ratings = read(tmp_path, H[["id", "helpful", "safe"]], J[["id", "helpful", "safe", "verdict"]])
    assert any("not read: ‘verdict’" in note for note in ratings.source.notes)


@pytest.mark.parametrize("judges", [("gpt-4o", "claude"), ("machine a", "machine b")])
def test_a_mark_that_both_files_have_beside_their_raters_is_no_criterion(tmp_path: Path, judges: tuple[str, str]) -> None:
    people, machines = said(3, "ana", "ben"), said(4, *judges)
    flag = np.random.default_rng(5).choice(WORDS, len(IDS))
    people, machines = people.assign(flagged=flag), machines.assign(flagged=flag)
    paths = [tmp_path / "people.csv", tmp_path / "machine.csv"]
    for path, frame in zip(paths, (people, machines), strict=True):
        frame.to_csv(path, index=False)
    assert "flagged" not in propose(open_table(paths)).criteria


def tasks(name: str, share: float = 1.0) -> str:
    """Return an export of Label Studio whose own ids are none of the items; those stand in the data of most tasks."""
    records = [
        {
            "id": 1000 + k,
            "data": {"id": item if k < share * len(IDS) else f"x{k}", "answer": f"It is {k}."},
            "annotations": [
                {
                    "id": 5000 + k,
                    "completed_by": {"id": 3, "email": "ann@example.org"},
                    "was_cancelled": False,
                    "result": [{"from_name": name, "to_name": "a", "type": "choices", "value": {"choices": [label]}}],
                }
            ],
        }
        for k, (item, label) in enumerate(zip(IDS, H[name], strict=True))
    ]
    return json.dumps(records)


@pytest.mark.parametrize("columns", [["helpful"], ["helpful", "safe"], ["helpful", "verdict"]])
def test_ids_of_a_tool_give_way_to_those_of_the_other_file(tmp_path: Path, columns: list[str]) -> None:
    ratings = read(tmp_path, tasks("helpful"), J[["id", *columns]])
    assert ratings.criteria == ("helpful",)
    assert ratings.n_items == len(IDS)
    assert accuracy(ratings)["helpful"] == pytest.approx(np.mean(H["helpful"] == J["helpful"]))


def test_ids_that_a_tenth_of_the_items_lack_still_join(tmp_path: Path) -> None:
    ratings = read(tmp_path, tasks("helpful", 0.95), J[["id", "helpful"]])
    assert accuracy(ratings)["helpful"] == pytest.approx(np.mean(H["helpful"][:38] == J["helpful"][:38]))


def test_items_that_are_stated_stay(tmp_path: Path) -> None:
    paths = [tmp_path / "people.json", tmp_path / "machine.csv"]
    paths[0].write_text(tasks("helpful"), "utf-8")
    J[["id", "helpful"]].to_csv(paths[1], index=False)
    with pytest.raises(metrics.InputError, match="No item of people"):
        metrics.read(paths, columns={"people.json:item": "item", "machine.csv:judge:machine::helpful": "helpful"})


def numbered(frame: pd.DataFrame, seed: int, beside: str = "question") -> pd.DataFrame:
    """Return a file in an order of its own with the numbers of its rows in front."""
    shuffled = frame.rename(columns={"id": beside}).sample(frac=1, random_state=seed).reset_index(drop=True)
    return shuffled.assign(id=range(1, len(shuffled) + 1))[["id", *shuffled.columns]]


@pytest.mark.parametrize("beside", ["question", "question_id", "text"])
def test_numbers_of_rows_are_no_items_where_what_is_beside_them_says_so(tmp_path: Path, beside: str) -> None:
    people, judge = numbered(H[["id", "helpful", "safe"]], 1, beside), numbered(J[["id", "helpful", "safe"]], 2, beside)
    ratings = read(tmp_path, people, judge)
    assert accuracy(ratings) == pytest.approx({name: np.mean(H[name] == J[name]) for name in ("helpful", "safe")})
    assert any(f"by ‘{beside}’, on which they are joined" in note for note in ratings.source.notes)


def test_what_is_known_of_an_item_may_be_empty_in_one_file(tmp_path: Path) -> None:
    topics = np.random.default_rng(8).choice(["billing", "shipping"], len(IDS))
    some = [topic if k % 3 else "" for k, topic in enumerate(topics)]
    ratings = read(tmp_path, H[["id", "helpful", "safe"]].assign(topic=topics), J[["id", "helpful", "safe"]].assign(topic=some))
    assert set(ratings.criteria) == {"helpful", "safe"}


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_ids_stay_where_the_texts_of_both_files_do_not_contradict_them(tmp_path: Path, share: float) -> None:
    texts = [f"Why is {item} so?" for item in IDS]
    other = [text if k < share * len(IDS) else f"{text} Say it again." for k, text in enumerate(texts)]
    ratings = read(tmp_path, H[["id", "helpful"]].assign(question=texts), J[["id", "helpful"]].assign(question=other))
    assert dict(ratings.columns)["item"] != "question"
    assert accuracy(ratings)["overall"] == pytest.approx(np.mean(H["helpful"] == J["helpful"]))


def test_numbers_that_are_stated_to_be_the_items_stay(tmp_path: Path) -> None:
    paths = [tmp_path / "people.csv", tmp_path / "machine.csv"]
    for path, frame in zip(paths, (numbered(H[["id", "helpful"]], 1), numbered(J[["id", "helpful"]], 2)), strict=True):
        frame.to_csv(path, index=False)
    ratings = metrics.read(paths, columns={"item": "id", "label": "helpful"}, roles={"people": "human", "machine": "judge"})
    assert ratings.items.to_pylist()[:3] == ["1", "2", "3"]


@pytest.mark.parametrize("end", [" (1-5)", "?", " [0/1]", " (1 = poor, 5 = great)"])
def test_the_scale_behind_a_question_is_no_part_of_its_criterion(tmp_path: Path, end: str) -> None:
    people, judge = (said(seed, "helpful", "safe") for seed in (1, 2))
    files = people.rename(columns={name: name.title() + end for name in ("helpful", "safe")}), judge
    by_hand = {name: float(np.mean(people[name] == judge[name])) for name in ("helpful", "safe")}
    found = accuracy(read(tmp_path, *files))
    assert {name.lower(): value for name, value in found.items()} == pytest.approx(by_hand)


def test_each_file_of_a_judge_is_on_the_criterion_in_its_name(tmp_path: Path) -> None:
    people, judge = (said(seed, "helpful", "safe", "polite") for seed in (1, 2))
    people.to_csv(tmp_path / "gold.csv", index=False)
    for name in ("helpful", "safe", "polite"):
        judge[["id", name]].rename(columns={name: "verdict"}).to_csv(tmp_path / f"gpt4_{name}.csv", index=False)
    paths = [tmp_path / "gold.csv", *sorted(tmp_path.glob("gpt4_*.csv"))]
    ratings = metrics.read(paths, columns=propose(open_table(paths)).columns_answer)
    by_hand = {name: float(np.mean(people[name] == judge[name])) for name in ("helpful", "safe", "polite")}
    (only,) = ratings.judges
    blocks = metrics.agreement(ratings).judges[only].criteria
    assert {name: block["accuracy"].value for name, block in blocks.items()} == pytest.approx(by_hand)


def test_accents_may_be_written_in_two_ways(tmp_path: Path) -> None:
    people, judge = (said(seed, "helpful", "safe") for seed in (1, 2))
    for frame, form in ((people, "NFC"), (judge, "NFD")):
        frame["id"] = [unicodedata.normalize(form, f"Frage für {name}") for name in frame["id"]]
        frame.to_csv(tmp_path / f"{form}.csv", index=False)
    paths = [tmp_path / "NFC.csv", tmp_path / "NFD.csv"]
    table = open_table(paths)
    ratings = metrics.read(paths, columns=propose(table, match="loose").columns_answer, match="loose")
    assert ratings.n_items == len(IDS)


@pytest.mark.parametrize("form", ["rows of a rater", "records", "columns"])
@pytest.mark.parametrize("of_judge", [True, False])
def test_a_criterion_that_one_side_answers_alike_everywhere_is_counted(tmp_path: Path, form: str, *, of_judge: bool) -> None:
    people, judge = said(1, "tone", "depth", "facts"), said(2, "tone", "depth", "facts")
    (judge if of_judge else people)["facts"] = "no"
    frames = {"people": people, "machine": judge}
    paths = [tmp_path / f"{name}.jsonl" for name in frames]
    for path, (name, frame) in zip(paths, frames.items(), strict=True):
        records = frame.to_dict("records")
        if form == "rows of a rater":
            records = [record | {"labeler": "human" if name == "people" else "judge"} for record in records]
        if form == "records" and name == "machine":
            records = [{"id": record.pop("id"), "scores": record} for record in records]
        path.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")
    roles = {} if form == "rows of a rater" else {"people": "human", "machine": "judge"}
    ratings = metrics.read(paths, columns=propose(open_table(paths)).columns_answer, roles=roles)
    assert set(ratings.criteria) == {"tone", "depth", "facts"}
    assert len(ratings.label) == 2 * 3 * len(IDS)
    assert not [note for note in ratings.source.notes if "facts’" in note and "Not read" in note]
    name = ratings.judges[0]
    found = metrics.agreement(ratings).judges[name].criteria
    for criterion in ("tone", "depth", "facts"):
        assert found[criterion]["accuracy"].value == pytest.approx(float(np.mean(people[criterion] == judge[criterion])))


def test_what_is_known_of_all_items_is_named_where_the_other_file_does_not_ask_it(tmp_path: Path) -> None:
    people = said(1, "tone", "depth").assign(annotator="ana", consent="yes", facts="no")
    ratings = read(tmp_path, people, said(2, "tone", "depth", "facts"))
    assert set(ratings.criteria) == {"tone", "depth", "facts"}
    assert any("Not read as a criterion, because every row says the same: ‘consent’." in note for note in ratings.source.notes)


def test_labels_in_the_words_of_the_other_file_go_before_numbers(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    people, judge = (pd.DataFrame({"id": IDS, name: rng.choice(["weak", "fair", "good"], 40)}) for name in ("label", "bucket"))
    numbers = {name: rng.integers(1, 6, 40) for name in ("tone", "depth", "total")}
    paths = [tmp_path / "people.csv", *_written(tmp_path, judge.assign(**numbers))]
    people.to_csv(paths[0], index=False)
    labels = dict.fromkeys(("weak", "fair", "good"), "class")
    ratings = metrics.read(paths, columns=propose(open_table(paths)).columns_answer, labels=labels, roles={"machine": "judge"})
    assert ratings.criteria == ("overall",)
    by_hand = float(np.mean(people["label"] == judge["bucket"]))
    assert metrics.agreement(ratings).judges["machine"].level("micro").estimates["accuracy"].value == pytest.approx(by_hand)
    two = judge.assign(**numbers, first=rng.choice(["weak", "fair", "good"], 40))
    _written(tmp_path, two)
    proposal = propose(open_table(paths))
    assert "bucket" not in proposal.columns_answer.values(), "one of two columns would be a guess"


def _written(folder: Path, frame: pd.DataFrame) -> list[Path]:
    path = folder / "machine.csv"
    frame.to_csv(path, index=False)
    return [path]


def test_a_file_that_says_the_same_everywhere_is_told_so(tmp_path: Path) -> None:
    people = said(1, "label")
    paths = [tmp_path / "people.csv", tmp_path / "judge.json"]
    people.to_csv(paths[0], index=False)
    paths[1].write_text(json.dumps([{"id": name, "C1": {"result": "pass", "why": f"it is {name}"}} for name in IDS]), "utf-8")
    with pytest.raises(metrics.InputError) as caught:
        metrics.read(paths)
    assert "judge.json: No column holds labels that differ. The same in every row: ‘C1.result’ is ‘pass’." in str(caught.value)


@pytest.mark.parametrize("name", ["human_safe", "Human safe score", "safe_human"])
def test_a_column_of_one_side_is_on_the_criterion_in_its_name(tmp_path: Path, name: str) -> None:
    judge = said(2, "helpful", "safe", "polite")
    for turned in (False, True):
        paths = [tmp_path / "sheet.csv", *_written(tmp_path, judge)]
        H[["id", "safe"]].rename(columns={"safe": name}).to_csv(paths[0], index=False)
        paths = paths[::-1] if turned else paths
        proposal = propose(open_table(paths))
        assert proposal.columns_answer == {"role:sheet": "human", "role:machine": "judge"}
        ratings = metrics.read(paths, columns=proposal.columns_answer)
        assert accuracy(ratings) == pytest.approx({ratings.criteria[0]: np.mean(H["safe"] == judge["safe"])})
        assert any("not read: ‘helpful’, ‘polite’" in note for note in ratings.source.notes)


@pytest.mark.parametrize("name", ["human_label", "human_tone", "human_claude"])
def test_a_column_of_one_side_on_nothing_that_is_asked_stays_beside_raters(tmp_path: Path, name: str) -> None:
    judges = said(2, "claude", "gpt", "label").drop(columns="label" if name != "human_label" else "gpt")
    paths = [tmp_path / "sheet.csv", *_written(tmp_path, judges)]
    H[["id", "safe"]].rename(columns={"safe": name}).to_csv(paths[0], index=False)
    assert "role:sheet" not in propose(open_table(paths)).columns_answer


def coded(seed: int, *, alike: str = "") -> pd.DataFrame:
    """Return what one of two people wrote beside what is known of each item; in one column both may write the same."""
    rng, same = np.random.default_rng(seed), np.random.default_rng(0)
    frame = pd.DataFrame({"id": IDS, "stratum_label": same.choice(["big 2020", "small 2021"], 40), "file": "a/b"})
    mood = (same if alike == "mood" else rng).choice(["calm", "cross", "glad"], 40)
    strength = (same if alike == "strength" else rng).integers(1, 6, 40)
    return frame.assign(strength=strength, mood=mood, confidence=rng.random(40).round(2))


def of_two_people(folder: Path, frames: list[pd.DataFrame]) -> list[Path]:
    paths = [folder / "annotator_1.csv", folder / "annotator_2.csv"]
    for path, frame in zip(paths, frames, strict=True):
        frame.to_csv(path, index=False)
    return paths


@pytest.mark.parametrize("alike", ["", "mood", "strength"])
def test_what_is_alike_in_the_files_of_all_people_is_no_label(tmp_path: Path, alike: str) -> None:
    paths = of_two_people(tmp_path, [coded(seed, alike=alike) for seed in (1, 2)])
    proposal = propose(open_table(paths))
    assert "stratum_label" not in proposal.columns_answer.values()
    labels = dict.fromkeys(["calm", "cross", "glad", *map(str, range(1, 6))], "class")
    ratings = metrics.read(paths, columns=proposal.columns_answer, labels=labels)
    assert set(ratings.criteria) == ({"overall"} if alike else {"mood", "strength"})
    assert len(ratings.label) == 2 * 40 * (1 if alike else 2)
    assert set(map(str, ratings.labels)) & {"calm", "1"} == {"": {"calm", "1"}, "mood": {"1"}, "strength": {"calm"}}[alike]
    assert "stratum_label" in ratings.source.columns, "it may still make slices"


def test_what_is_alike_stays_a_label_where_nothing_else_may_be_one(tmp_path: Path) -> None:
    kept = ["id", "stratum_label", "file", "confidence"]
    paths = of_two_people(tmp_path, [coded(seed)[kept] for seed in (1, 2)])
    assert propose(open_table(paths)).columns_answer == {"human": "stratum_label"}


def test_a_verdict_on_which_two_people_agree_everywhere_stays_one(tmp_path: Path) -> None:
    verdicts = {"big 2020": "yes", "small 2021": "no"}
    frames = [coded(seed).rename(columns={"stratum_label": "our_label"}).replace({"our_label": verdicts}) for seed in (1, 2)]
    paths = of_two_people(tmp_path, [frame[["id", "our_label", "mood"]] for frame in frames])
    assert "our_label" in propose(open_table(paths)).columns_answer.values()


@pytest.mark.parametrize("column", ["annotator", "annotator_id", "coder_name", "Rater ID"])
def test_one_id_in_all_rows_says_who_graded_a_file_of_criteria(tmp_path: Path, column: str) -> None:
    paths = [tmp_path / "first sheet.csv", tmp_path / "second_sheet.csv"]
    for seed, path in enumerate(paths):
        grades = said(seed, "level_0_3", "pace_0_3").replace({"no": 2, "yes": 3}).assign(topic="t")
        grades.assign(**{column: f"A{seed}"}).to_csv(path, index=False)
    ratings = metrics.read(paths, columns=propose(open_table(paths)).columns_answer, scale="ordinal")
    assert list(ratings.humans) == ["A0", "A1"]


def test_in_a_file_without_names_the_numbers_of_the_other_file_are_the_labels(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    people = pd.DataFrame({"id": range(100, 140), "human_total": rng.integers(1, 6, 40)})
    texts = [f"what is the answer to {place}?" for place in range(40)]
    judge = pd.DataFrame(
        {"id": people["id"], "text": texts, "done": rng.choice(["True", "False"], 40), "n": rng.integers(1, 6, 40)}
    )
    paths = [tmp_path / "human_scores.csv", tmp_path / "judged.csv"]
    people.to_csv(paths[0], index=False)
    judge.to_csv(paths[1], index=False, header=False)
    columns = propose(open_table(paths)).columns_answer
    assert columns == {"human": "human_total", "label": "column 4"}
    ratings = metrics.read(paths, columns=columns, scale="ordinal", roles={"judged": "judge"})
    by_hand = float(np.mean(people["human_total"] == judge["n"]))
    assert metrics.agreement(ratings).judges["judged"].level("micro").estimates["accuracy"].value == pytest.approx(by_hand)
