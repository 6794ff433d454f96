"""Runs of autorubric: dataset and experiment, in a folder, a zip archive or several files."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metrics
from metrics.analyses.review.compute import definition_of
from metrics.data.scales import scales_of
from metrics.errors import InputError
from metrics.readers import bundles, combine_files, open_table, propose, read
from metrics.readers.autorubric_rubric import criteria_of, facts
from metrics.readers.scaling import proposed_scales
from tests.shared_data import shared

RUBRIC = [
    {"name": "right", "weight": 2.0, "requirement": "It is right."},
    {"name": "invents", "weight": -1.0, "requirement": "It invents."},
]
MANIFEST = {
    "dataset_hash": "x",
    "total_items": 2,
    "status": "completed",
    "grader_config": {"judges": [{"judge_id": "gpt"}]},
}


def dataset(items: list[Any] | None = None, rubric: Any = RUBRIC, **more: Any) -> bytes:
    items = items if items is not None else [["MET", "UNMET"], ["UNMET", "MET"]]
    full = [
        item if isinstance(item, dict) else {"submission": f"s{place}", "description": "the same", "ground_truth": item}
        for place, item in enumerate(items)
    ]
    return json.dumps({"name": "d", "rubric": rubric, "items": full} | more).encode()


def line(place: int, *verdicts: Any, rubric: list[dict[str, Any]] = RUBRIC, **more: Any) -> bytes:
    reports = [
        {**criterion, "reason": f"why {place}", "error": None} | (said if isinstance(said, dict) else {"verdict": said})
        for criterion, said in zip(rubric, verdicts, strict=True)
    ]
    found = {"item_idx": place, "error": None, "report": {"report_type": "single", "criterion_reports": reports}}
    return json.dumps(found | more).encode() + b"\n"


def ensemble(place: int, *votes: list[dict[str, Any]]) -> bytes:
    reports = [
        {"criterion": criterion, "final_verdict": "MET", "votes": its, "multi_choice_votes": []}
        for criterion, its in zip(RUBRIC, votes, strict=True)
    ]
    return json.dumps({"item_idx": place, "report": {"report_type": "ensemble", "criterion_reports": reports}}).encode() + b"\n"


def vote(judge: str, verdict: str, **more: Any) -> dict[str, Any]:
    return {"judge_id": judge, "verdict": verdict, "error": None, "superseded": False} | more


def zipped(**files: bytes) -> bytes:
    return combine_files([(f"{name}.json{'l' * (name == 'items')}", data) for name, data in files.items()])


def run(items: bytes, data: bytes | None = None, manifest: dict[str, Any] | None = MANIFEST) -> bytes:
    files = {"dataset": data or dataset(), "items": items}
    return zipped(**files, manifest=json.dumps(manifest).encode()) if manifest else zipped(**files)


GOOD = line(0, "MET", "UNMET") + line(1, "MET", "CANNOT_ASSESS")


def ratings_of(ratings: metrics.Ratings) -> set[tuple[str, ...]]:
    """(item, criterion, rater, role, label, score, status), as the expected files have them."""
    status = {"abstention": "abstain", "error": "error"}
    kinds = dict(ratings.scheme.kinds)
    items = ratings.items.to_pylist()
    found = set()
    for place in range(len(ratings.item)):
        label = ratings.labels[ratings.label[place]]
        rater = ratings.raters[ratings.rater[place]]
        score = "" if ratings.score is None or np.isnan(ratings.score[place]) else f"{ratings.score[place]:g}"
        its = status.get(kinds[label], "ok")
        found.add(
            (
                items[ratings.item[place]],
                ratings.criteria[ratings.criterion[place]],
                rater.name,
                rater.role or "",
                "" if its == "error" else label,
                score,
                its,
            )
        )
    return found


@pytest.fixture(name="examples")
def examples_fixture() -> Path:
    return shared("formats/examples/autorubric")


def expected(path: Path) -> set[tuple[str, ...]]:
    with path.open(encoding="utf-8") as file:
        columns = ("item", "criterion", "rater", "role", "label", "score", "status")
        return {tuple(row[column] for column in columns) for row in csv.DictReader(file)}


def folder_zip(folder: Path, *names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            path = folder / name
            for file in sorted(path.iterdir()) if path.is_dir() else [path]:
                archive.write(file, Path("all", file.relative_to(folder)))
    return out.getvalue()


@pytest.mark.parametrize("name", ["experiment_single", "experiment_ensemble_messy"])
def test_an_example_is_its_expected_table_whatever_it_comes_in(name: str, examples: Path, tmp_path) -> None:
    together_in = tmp_path / "run"
    together_in.mkdir()
    for file in [examples / "dataset.json", *(examples / name).iterdir()]:
        (together_in / file.name).write_bytes(file.read_bytes())
    sources: list[Any] = [
        [examples / "dataset.json", examples / name],
        [str(examples / name / "items.jsonl"), str(examples / "dataset.json"), str(examples / name / "manifest.json")],
        folder_zip(examples, "dataset.json", name),
        together_in,
    ]
    for source in sources:
        assert ratings_of(read(source)) == expected(examples / f"{name}.expected.csv")
    assert len({read(source).source.sha256 for source in sources if not isinstance(source, bytes)}) == 1


def test_what_the_messy_run_left_out_is_counted(examples: Path) -> None:
    ratings = read([examples / "dataset.json", examples / "experiment_ensemble_messy"])
    assert ratings.left_out.counts() == {"superseded: the criterion went on to other judges": 1}
    assert "The run covers 3 of the dataset's 8 items." in ratings.source.notes
    single = read([examples / "dataset.json", examples / "experiment_single"])
    assert single.left_out.counts() == {"the item failed as a whole": 1}
    for its in (ratings, single):
        assert its.rows_used + len(its.left_out.rows) == its.source.rows


def test_the_rubric_of_the_file_is_kept(examples: Path) -> None:
    ratings = read([examples / "dataset.json", examples / "experiment_single"])
    assert [(its.name, its.weight, its.scale) for its in ratings.source.rubric] == [
        ("correctness", 10.0, "binary"),
        ("invents_policy", -5.0, "binary"),
        ("clarity", 5.0, "ordinal"),
    ]
    assert ratings.source.rubric[2].options == (("Unclear", 0.0), ("Acceptable", 0.5), ("Clear", 1.0))
    assert ratings.scheme.order == ("Unclear", "Acceptable", "Clear")
    assert dict(ratings.scheme.kinds)["N/A"] == "abstention"


def test_a_plain_run() -> None:
    ratings = read(run(GOOD))
    assert ratings.scheme.classes == ("MET", "UNMET")
    assert ratings.humans == ("ground_truth",)
    assert ratings.judges == ("gpt",)
    assert ratings.items.to_pylist() == ["0", "1"]
    report = metrics.agreement(ratings, interval="none").judges["gpt"]
    assert report.micro.confusion.tolist() == [[1, 0], [1, 1]]
    assert report.coverage.judge_abstention_rate == 0.25


def test_the_users_word_is_over_the_files() -> None:
    ratings = read(run(GOOD), labels={"met": "negative", "Unmet": "positive"})
    assert ratings.scheme.classes == ("UNMET", "MET")
    assert dict(ratings.scheme.kinds)["CANNOT_ASSESS"] == "abstention"


def test_a_failed_vote_is_an_error_and_no_abstention() -> None:
    ratings = read(run(line(0, "MET", {"verdict": "MET", "error": "parse: no JSON"}) + line(1, "UNMET", "MET")))
    found = metrics.agreement(ratings, interval="none").judges["gpt"]
    assert found.coverage.n_total == 3
    assert found.coverage.n_errors == 1
    assert found.coverage.judge_abstention_rate == 0
    assert found.micro.n == 3


def test_a_report_that_failed_makes_its_verdicts_failed_ones() -> None:
    broken = json.loads(line(0, "MET", "UNMET"))
    broken["report"]["error"] = "every judgment failed"
    ratings = read(run(json.dumps(broken).encode() + b"\n" + line(1, "UNMET", "MET")))
    assert metrics.agreement(ratings, interval="none").judges["gpt"].coverage.n_errors == 2


def test_an_item_that_failed_as_a_whole_is_left_out_and_counted() -> None:
    failed = json.dumps({"item_idx": 1, "error": "timeout", "report": {"score": None, "error": "timeout"}}).encode()
    ratings = read(run(line(0, "MET", "UNMET") + failed + b"\n"))
    assert ratings.left_out.counts() == {"the item failed as a whole": 1}
    assert metrics.agreement(ratings, interval="none").judges["gpt"].micro.n == 2


def test_lines_come_in_any_order_a_later_one_counts_and_the_last_may_be_cut_off() -> None:
    again = line(1, "UNMET", "MET") + line(0, "UNMET", "UNMET") + line(0, "MET", "UNMET") + line(1, "MET", "MET")[:70]
    ratings = read(run(again))
    assert ratings.left_out.counts() == {
        "repeated: a later line holds the same item": 1,
        "the last line is cut off": 1,
    }
    assert metrics.agreement(ratings, interval="none").judges["gpt"].micro.values["accuracy"] == 1


def test_superseded_votes_are_left_out() -> None:
    both = [vote("small", "MET", superseded=True), vote("large", "UNMET")]
    items = ensemble(0, both, [vote("small", "UNMET")]) + ensemble(1, [vote("small", "MET")], [vote("small", "MET")])
    ratings = read(run(items, manifest=None))
    assert set(ratings.judges) == {"small", "large"}
    assert ratings.left_out.counts() == {"superseded: the criterion went on to other judges": 1}
    reports = metrics.agreement(ratings, interval="none").judges
    assert (reports["small"].micro.n, reports["large"].micro.n) == (3, 1)
    assert any("No manifest.json" in note for note in ratings.source.notes)


def test_rubrics_of_items_and_names_that_are_missing_or_double() -> None:
    own = [{"requirement": "a"}, {"requirement": "b", "name": "x", "weight": 3}, {"requirement": "c", "name": "x"}]
    given = dataset(
        [["MET", "UNMET"], {"submission": "", "description": "", "ground_truth": ["MET", "MET", "UNMET"], "rubric": own}],
        rubric={"guidelines": "g", "criteria": [{"criteria": RUBRIC}]},
    )
    ratings = read(run(line(0, "MET", "MET") + line(1, "MET", "MET", "MET", rubric=own), given))
    assert ratings.criteria == ("right", "invents", "C1", "x", "x (3)")
    assert [its.weight for its in ratings.source.rubric] == [2.0, -1.0, 10.0, 3.0, 10.0]


def test_a_weight_that_differs_between_items_is_none_of_the_criterion() -> None:
    other = [{**RUBRIC[0], "weight": 7}, RUBRIC[1]]
    items = [["MET", "UNMET"], {"submission": "", "description": "", "ground_truth": ["MET", "MET"], "rubric": other}]
    weights = [its.weight for its in read(run(GOOD, dataset(items))).source.rubric]
    assert np.isnan(weights[0])
    assert weights[1] == -1


def test_a_wording_is_that_of_a_criterion_where_every_item_has_the_same() -> None:
    assert [its.definition for its in read(run(GOOD)).source.rubric] == ["It is right.", "It invents."]
    assert definition_of(read(run(GOOD)), "invents").text == "It invents."
    other = [{**RUBRIC[0], "requirement": "It is right enough."}, RUBRIC[1]]
    items = [["MET", "UNMET"], {"submission": "", "description": "", "ground_truth": ["MET", "MET"], "rubric": other}]
    assert [its.definition for its in facts(criteria_of(json.loads(dataset(items)), "d"))] == ["", "It invents."]


def options(*names: str, scale: str = "ordinal", rise: bool = True) -> dict[str, Any]:
    values = np.linspace(0, 1, len(names)) if rise else np.linspace(1, 0, len(names))
    listed = [{"label": name, "value": float(value)} for name, value in zip(names, values, strict=True)]
    return {"requirement": "how", "weight": 1.0, "scale_type": scale, "options": listed}


def chosen(label: str | None, value: float | None = None, na: bool = False) -> dict[str, Any]:
    return {"verdict": None, "multi_choice_verdict": {"selected_label": label, "value": value, "na": na}}


def test_options_are_classes_in_the_rubrics_order_low_to_high() -> None:
    rubric = [
        {"name": "a"} | options("low", "middle", "high"),
        {"name": "b"} | options("very high", "high", "low", rise=False),
        {"name": "c"} | options("red", "blue", scale="nominal"),
    ]
    given = dataset([["LOW ", "high", "red"], ["middle", "low", "blue"]], rubric=rubric)
    items = line(0, chosen("low", 0), chosen("very high", 1), chosen("red", 0), rubric=rubric)
    items += line(1, chosen("high", 1), chosen("N/A", 0, na=True), chosen(None), rubric=rubric)
    ratings = read(run(items, given))
    assert ratings.scheme.order == ("low", "middle", "high", "very high")
    assert ratings.scheme.classes == ("low", "middle", "high", "very high", "blue", "red")
    assert {label: kind for label, kind in ratings.scheme.kinds if kind == "abstention"} == {
        "N/A": "abstention",
        "CANNOT_ASSESS": "abstention",
    }
    assert ratings.source.rubric[1].options == (("low", 0.0), ("high", 0.5), ("very high", 1.0))
    human = ratings.rater == ratings.code("ground_truth", "human")
    assert ratings.score is not None
    assert sorted(ratings.score[human]) == [0, 0, 0, 0.5, 0.5, 1]


def test_two_orders_that_contradict_each_other_state_none() -> None:
    rubric = [{"name": "a"} | options("x", "y"), {"name": "b"} | options("y", "x")]
    given = dataset([["x", "y"], ["y", "x"]], rubric=rubric)
    items = line(0, chosen("x", 0), chosen("x", 1), rubric=rubric) + line(1, chosen("y", 1), chosen("y", 0), rubric=rubric)
    assert read(run(items, given)).scheme.order == ()


def refused(source: Any, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        read(source, **options)
    assert len(str(caught.value)) <= 1000
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (dataset(), "is an autorubric dataset: it holds the humans' labels, but no judge's verdicts. Send it together with"),
        (GOOD, "is the items.jsonl of an autorubric run: it holds the judge's verdicts, but no human's labels"),
        (json.dumps(MANIFEST).encode(), "is the manifest.json of an autorubric run: it holds no verdicts"),
    ],
)
def test_one_file_alone_says_what_else_is_needed(data: bytes, says: str, tmp_path) -> None:
    assert says in refused(data)
    path = tmp_path / "any name.json"
    path.write_bytes(data)
    assert f"any name.json {says}" in refused(path)
    holds = says.replace("is ", "holds only ", 1)
    assert holds in refused([path])
    assert holds in refused(tmp_path)
    assert holds in refused(zipped(dataset=data, other=b"{}"))


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (run(GOOD + line(5, "MET", "MET")), "Line 3 of items.jsonl is about item 5, dataset.json has items 0 to 1"),
        (run(GOOD, manifest=MANIFEST | {"total_items": 9}), "The run was made on 9 items, dataset.json has 2"),
        (run(line(0, "MET", "UNMET") + b"{broken\n" + line(1, "MET", "MET")), "Line 2 of items.jsonl is not a valid JSON record"),
        (run(GOOD, dataset([["MET"], ["MET", "MET"]])), "Item 0 of dataset.json has 1 label as ground_truth, its rubric has 2"),
        (run(GOOD, dataset([["MET", "maybe"], None])), "the ground truth ‘maybe’ on ‘invents’ is none of MET, UNMET"),
        (run(line(0, "MET", "maybe")), "Item 0 of items.jsonl: the verdict ‘maybe’ on ‘invents’ is none of MET, UNMET"),
        (run(ensemble(0, [vote("a", "MET")], 3)), "Item 0 of items.jsonl holds votes of another form"),
        (run(ensemble(0, [vote("a", "MET")], [1])), "Item 0 of items.jsonl holds votes of another form"),
        (run(GOOD, dataset(rubric=RUBRIC[:1], items=[["MET"], ["MET"]])), "was judged on 2 criteria, the dataset has 1"),
        (run(GOOD, dataset(rubric=RUBRIC[::-1])), "was judged on ‘It is right.’ where the dataset has ‘It invents.’"),
        (run(GOOD, dataset(rubric=None)), "Item 0 of dataset.json has no rubric"),
        (run(GOOD, dataset(rubric=[{"requirement": "x", "weight": "much"}, RUBRIC[1]])), "The weight of ‘C1’"),
        (zipped(dataset=dataset(), other=dataset(name="e"), items=GOOD), "holds 2 datasets"),
        (combine_files([("a/items.jsonl", GOOD), ("b/items.jsonl", GOOD), ("d.json", dataset())]), "holds 2 runs"),
        (zipped(table=b'[{"item": 1}]', other=b"[]"), "data holds no run of autorubric"),
        (combine_files([("a.csv", b"item"), ("b.csv", b"item")]), "is not a table: it starts like a ZIP archive"),
    ],
)
def test_what_does_not_belong_together_is_refused(source: bytes, says: str) -> None:
    assert says in refused(source)


def test_a_broken_line_may_be_left_out() -> None:
    ratings = read(run(line(0, "MET", "UNMET") + b"{broken\n" + line(1, "MET", "MET")), skip_bad_rows=True)
    assert ratings.left_out.counts() == {"more or fewer cells than the header": 1}


def test_tables_are_no_part_of_a_run(tmp_path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("item,human,verdict\nq,MET,MET\n")
    assert "a.csv does not belong to a run of autorubric" in refused([tmp_path / "a.csv", GOOD])
    assert "holds no run of autorubric" in refused(tmp_path)


def test_a_table_that_holds_the_same_words_stays_a_table() -> None:
    records = [{"item": f"q{i}", "human": "MET", "verdict": "MET", "report": "item_idx", "item_idx": i} for i in range(3)]
    lines = "\n".join(json.dumps(record) for record in records).encode()
    assert open_table(lines).n_rows == 3
    assert read(json.dumps(records).encode()).n_items == 3


def test_archives_are_bounded_and_never_written(monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../evil.json", dataset())
        archive.writestr("/abs/items.jsonl", GOOD)
        archive.writestr("__MACOSX/._items.jsonl", b"junk")
    assert read(out.getvalue()).n_items == 2
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(bundles, "LARGEST_ARCHIVE", 1000)
    assert "unpacks to more than" in refused(zipped(dataset=dataset(), bomb=b" " * 5000))
    monkeypatch.setattr(bundles, "LARGEST_ARCHIVE", 1 << 20)
    assert "holds 201 JSON files" in refused(combine_files([(f"{i}.json", b"{}") for i in range(201)]))


def test_a_damaged_archive_is_refused() -> None:
    whole = bytearray(run(GOOD))
    place = whole.index(b"PK\x03\x04") + 60
    whole[place : place + 40] = bytes(40)
    assert "cannot be unpacked: it is cut off or damaged" in refused(bytes(whole))


def test_the_rubric_says_the_scales_and_an_option_nobody_chose_stays_in_the_order() -> None:
    rubric = [
        RUBRIC[0],
        {"name": "how"} | options("low", "middle", "high"),
        {"name": "which"} | options("x", "y", scale="nominal"),
    ]
    given = dataset([["MET", "low", "x"], ["UNMET", "high", "y"]], rubric=rubric)
    items = line(0, "MET", chosen("low", 0), chosen("y", 1), rubric=rubric)
    items += line(1, "MET", chosen("high", 1), chosen("y", 1), rubric=rubric)
    ratings = read(run(items, given))
    assert scales_of(ratings).declaration() == {"right": "binary", "how": "ordinal", "which": "nominal"}
    assert ratings.on_criteria(["how"]).scheme.order == ("low", "middle", "high")
    assert ratings.on_criteria(["right"]).scheme.classes == ("MET", "UNMET")
    assert ratings.on_criteria(["which"]).scheme.order == ()
    scores = metrics.scores(ratings.on_criteria(["how"]), interval="none").judges["gpt"].pooled
    assert scores.labels == ("low", "middle", "high")
    table = open_table(run(items, given))
    assert proposed_scales(table, propose(table)).declaration() == scales_of(ratings).declaration()
    assert scores.values["mae"] == 0
    assert metrics.scores(ratings.on_criteria(["how"]), interval="none").order.values == (0.0, 0.5, 1.0)
    given_values = {"low": 1, "middle": 2, "high": 9}
    assert metrics.scores(ratings.on_criteria(["how"]), values=given_values, interval="none").order.values == (1, 2, 9)
    assert scales_of(read(run(items, given), scale={"how": "nominal"})).on("how").scale == "nominal"


def test_a_criterion_of_negative_weight_counts_against_an_item_unless_weights_are_given() -> None:
    ratings = read(run(line(0, "MET", "UNMET") + line(1, "MET", "MET")))
    assert ratings.rubric_weights == {"right": 2.0, "invents": -1.0}
    report = metrics.agreement(ratings, interval="none")
    assert report.declaration.item_rule == {"rule": "all", "weights": {"right": 2.0, "invents": -1.0}}
    assert report.judges["gpt"].item.confusion.tolist() == [[1, 0], [0, 1]]
    plain = metrics.agreement(ratings, weights={"right": 1, "invents": 1}, interval="none").judges["gpt"]
    assert plain.item.confusion.tolist() == [[0, 0], [1, 1]]
    only = metrics.agreement(ratings.on_criteria(["invents"]), interval="none")
    assert only.declaration.item_rule == {"rule": "all"}


def test_a_locked_archive_is_told_from_a_damaged_one() -> None:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run/items.jsonl", '{"a": 1}\n' * 50)
    whole = kept.getvalue()
    for signature, place in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = whole.index(signature) + place
        whole = whole[:at] + bytes([whole[at] | 1]) + whole[at + 1 :]
    with pytest.raises(metrics.InputError, match="locked with a password"):
        metrics.read(whole)
    damaged = bytearray(kept.getvalue())
    damaged[45:60] = b"\xff" * 15
    with pytest.raises(metrics.InputError, match="cut off or damaged"):
        metrics.read(bytes(damaged))
