"""A recipe reads the same file the same way: same codes, labels and meanings, same numbers."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics import InputError, Ratings
from metrics.data.part import counted
from metrics.data.scales import scales_of
from metrics.readers import build, confirmed, open_table, propose
from metrics.report.recipe import Recipe, recipe_of
from tests.shared_data import files

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    *sorted((ROOT / "assets").glob("*.csv")),
    *files("data/*.csv"),
    *files("formats/examples/**/*"),
]
ROWS = [(f"i{n}", c, j, h, v) for n in range(30) for c in ("tone", "facts") for j, h, v in (
    ("a", "yes" if n % 3 else "no", "yes" if n % 2 else "no"), ("b", "yes" if n % 3 else "no", "yes" if n % 5 else "no"),
    ("c", "yes" if n % 3 else "no", "no" if n % 7 else "unsure"))]  # fmt: skip


def opened(path: Path) -> Ratings:
    """A file as the Data page opens it when every proposal is taken."""
    try:
        table = open_table(path)
        proposal = propose(table)
        if proposal.missing:
            pytest.skip("a column is missing")
        return build(table, confirmed(proposal))
    except InputError as problem:
        pytest.skip(str(problem))


def assert_same(a: Ratings, b: Ratings) -> None:
    assert (a.scheme, a.criteria, a.raters, a.labels, a.columns) == (b.scheme, b.criteria, b.raters, b.labels, b.columns)
    assert (a.source, a.rows_used, a.left_out.counts()) == (b.source, b.rows_used, b.left_out.counts())
    assert a.items.equals(b.items)
    for name in ("item", "criterion", "rater", "label", "row", "score", "multiplicity", "numbers"):
        mine, its = getattr(a, name), getattr(b, name)
        assert (mine is None) == (its is None), name
        if mine is not None:
            np.testing.assert_array_equal(mine, its, err_msg=name)
    assert (a.runs is None) == (b.runs is None)
    if a.runs is not None and b.runs is not None:
        np.testing.assert_array_equal(a.runs.label, b.runs.label)


def through_json(recipe: Recipe) -> Recipe:
    found = Recipe.from_dict(json.loads(json.dumps(recipe.to_dict(), allow_nan=False)))
    assert found == recipe
    return found


def numbers(ratings: Ratings, recipe: Recipe) -> str:
    return json.dumps(metrics.agreement(ratings, **recipe.choices()).to_dict(), allow_nan=False)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_is_read_the_same_again(path: Path) -> None:
    ratings = opened(path)
    recipe = through_json(recipe_of(ratings))
    again = recipe.read(path.read_bytes())
    assert_same(ratings, again)
    mine, its = counted(ratings), counted(again)
    if mine is not None and its is not None and ratings.source.rows < 20_000:
        try:
            want = json.dumps(metrics.agreement(mine).to_dict(), allow_nan=False)
        except InputError:
            return
        assert numbers(its, recipe) == want


def test_the_files_are_there() -> None:
    assert len(FILES) >= 11


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    lines = [f"{i};{c};{j};{h};{v}" for i, c, j, h, v in ROWS]
    path.write_bytes(
        ("id;Kriterium;wer;Mensch;Urteil\n" + "\n".join(lines) + "\nzu;viele;Zellen;in;dieser;Zeile\n").encode("utf-16")
    )
    return path


SAID = {"columns": {"item": "id", "criterion": "Kriterium", "judge": "wer", "human": "Mensch", "verdict": "Urteil"}}


def test_what_was_said_is_kept(table: Path) -> None:
    ratings = metrics.read(
        table, **SAID, labels={"yes": "negative", "no": "positive", "unsure": "invalid"}, scale="binary", criteria=["facts"],
        skip_bad_rows=True, delimiter=";", encoding="utf-16",
    )  # fmt: skip
    recipe = through_json(recipe_of(ratings, judges=["c", "a"], abstention="as_unmet", handling={"invalid": "exclude"}))
    again = recipe.read(str(table))
    assert_same(ratings, again)
    assert recipe.reading.criteria == ("facts",)
    assert recipe.judges == ("c", "a")
    assert numbers(again, recipe) == json.dumps(
        metrics.agreement(ratings, judges=["c", "a"], abstention="as_unmet", handling={"invalid": "exclude"}).to_dict()
    )


def test_what_was_said_matters(table: Path) -> None:
    """The recipe is not a shadow of what the file makes plain itself."""
    plain = recipe_of(metrics.read(table, **SAID, skip_bad_rows=True))
    turned = recipe_of(metrics.read(table, **SAID, labels={"yes": "negative", "no": "positive"}, skip_bad_rows=True))
    assert plain.read(table).scheme != turned.read(table).scheme
    assert numbers(plain.read(table), plain) != numbers(turned.read(table), turned)


def test_a_workbook_remembers_its_sheet(tmp_path: Path) -> None:
    frame = pd.DataFrame(ROWS, columns=["item", "criterion", "judge", "human", "verdict"])
    with pd.ExcelWriter(tmp_path / "two.xlsx") as book:
        frame.head(60).to_excel(book, sheet_name="first", index=False)
        frame.to_excel(book, sheet_name="second", index=False)
    ratings = metrics.read(tmp_path / "two.xlsx", sheet="second")
    assert ratings.source.rows == len(ROWS)
    assert_same(ratings, recipe_of(ratings).read(tmp_path / "two.xlsx"))


def test_panels_runs_and_parts_are_made_again(tmp_path: Path) -> None:
    draw = random.Random(4)
    rows = [
        (f"i{n}", c, j, run, "MET" if n % 3 else "UNMET", draw.choice(["MET", "UNMET"]))
        for n in range(20) for c in ("tone", "facts") for j in ("a", "b", "c") for run in "123"
    ]  # fmt: skip
    path = tmp_path / "runs.csv"
    pd.DataFrame(rows, columns=["item", "criterion", "judge", "run", "human", "verdict"]).to_csv(path, index=False)
    first = metrics.read(path)
    made = metrics.with_panel(metrics.majority_of_runs(first.on_criteria(["tone"])), "any", ["a", "c"], quorum=1, name="both")
    recipe = through_json(recipe_of(made))
    assert recipe.panels[0].quorum == 1
    assert_same(made, recipe.read(path))
    assert recipe_of(first).runs == ""
    assert_same(first, recipe_of(first).read(path))


def test_choices_are_settled_so_that_two_ways_to_say_them_are_one(tmp_path: Path) -> None:
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    said = recipe_of(ratings, abstention="as_category", cost="nominal", weights={}, handling={}, rng=0)
    assert said == recipe_of(ratings, abstention="as_category", cost="0,1,1;1,0,1;1,1,0")
    assert said.judges == ratings.judges
    with pytest.raises(InputError, match="seed"):
        recipe_of(ratings, interval="bootstrap", rng=np.random.default_rng(1))


def test_a_handling_of_the_ratings_is_a_choice(table: Path) -> None:
    from metrics.data.nonverdicts import handled

    ratings = metrics.read(table, **SAID, labels={"unsure": "invalid"}, skip_bad_rows=True)
    treated = handled(ratings, (("invalid", "as_unmet"),))
    recipe = recipe_of(treated)
    assert recipe.handling == {"invalid": "as_unmet"}
    again = recipe.read(table)
    assert metrics.agreement(again, **recipe.choices()).to_dict() == metrics.agreement(treated).to_dict()


def test_mixed_scales_take_the_choices_of_their_yes_no_part(tmp_path: Path) -> None:
    rows = [(f"i{n}", "j", c, h, v) for n in range(40) for c, h, v in (
        ("ok", "yes" if n % 2 else "no", "yes" if n % 3 else "unsure"), ("depth", str(n % 5), str(n % 4)))]  # fmt: skip
    path = tmp_path / "mixed.csv"
    pd.DataFrame(rows, columns=["item", "judge", "criterion", "human", "verdict"]).to_csv(path, index=False)
    table = open_table(path)
    ratings = build(table, confirmed(propose(table, scale={"ok": "binary", "depth": "ordinal"})))
    assert scales_of(ratings).mixed
    recipe = through_json(recipe_of(ratings, abstention="as_unmet"))
    assert_same(ratings, recipe.read(path))


def junk() -> list[object]:
    good = recipe_of(metrics.read(ROOT / "assets/rao_abstention.csv")).to_dict()
    reading, choices = good["reading"], good["choices"]
    return [
        None, [], "recipe", {}, good | {"more": 1}, good | {"runs": "last"}, good | {"sha256": 3}, good | {"panels": {}},
        good | {"panels": [{"name": "p"}]}, good | {"reading": reading | {"columns": {"item": 3}}},
        good | {"reading": reading | {"order": "abc"}}, good | {"reading": reading | {"skip_bad_rows": 1}},
        good | {"choices": choices | {"seed": True}}, good | {"choices": choices | {"confidence": "0.95"}},
        good | {"choices": choices | {"confidence": float("nan")}}, good | {"choices": choices | {"cost": [[0, "1"]]}},
        good | {"choices": choices | {"weights": {"a": None}}},
        good | {"choices": {k: v for k, v in choices.items() if k != "unit"}},
        good | {"choices": choices | {"judges": "j1"}}, good | {"reading": None},
    ]  # fmt: skip


@pytest.mark.parametrize("place", range(20))
def test_junk_is_refused_with_a_sentence(place: int) -> None:
    with pytest.raises(InputError, match="no usable recipe"):
        Recipe.from_dict(junk()[place])
