"""The published schema holds for every report, and notices what is no report."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import metrics
from metrics.analyses.review.decisions import ACTIONS, Decision, Review
from metrics.report.checklist.contents import SWITCHES, Contents
from metrics.report.making import report_of
from tests.report.conftest import plain_report, ratings_named

SCHEMA = json.loads((Path(metrics.__file__).parent / "report" / "schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_it_is_a_schema_of_the_draft_it_names() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_every_report_is_valid(name: str) -> None:
    VALIDATOR.validate(json.loads(plain_report(name).to_json()))


@pytest.mark.parametrize(
    "choices",
    [
        {"abstention": "as_category", "cost": "halfway"}, {"abstention": "as_unmet", "item_rule": "threshold", "threshold": 0.5},
        {"interval": "none"}, {"interval": "bootstrap", "replicates": 100, "unit": "prompt"}, {"handling": {"tie": "exclude"}},
        {"weights": {"tone": -2.0}}, {"contents": Contents("two", "item", (), (), frozenset(SWITCHES))},
        {"review": Review("f", "s", {"tone": Decision("drop", "a", "b", "c", "May")}), "answers": {"task": "x"}},
        *({"review": Review("f", "s", {"tone": Decision(action)})} for action in ACTIONS),
    ],
)  # fmt: skip
def test_every_choice_is_valid(choices: dict[str, Any]) -> None:
    VALIDATOR.validate(json.loads(report_of(ratings_named("several"), **choices).to_json()))


def test_a_panel_is_valid() -> None:
    made = metrics.with_panel(ratings_named("several"))
    VALIDATOR.validate(json.loads(report_of(made, interval="none").to_json()))


@pytest.mark.parametrize(
    ("path", "value"),
    [(("version",), 2), (("kind",), "rubric review"), (("agreement", "judges", "one", "micro", "kappa"), "0.5"),
     (("agreement", "judges", "one", "micro", "confusion"), [[1.5, 0], [0, 1]]), (("recipe", "choices", "seed"), -1),
     (("recipe", "choices", "abstention"), "drop"), (("agreement", "judges", "one", "micro", "intervals", "kappa"), [0.1]),
     (("checklist", "practices"), []), (("more",), 1), (("contents", "without"), ["nothing"])],
)  # fmt: skip
def test_it_notices_what_is_wrong(path: tuple[str, ...], value: Any) -> None:
    found = copy.deepcopy(json.loads(plain_report("several").to_json()))
    inner = found
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    assert not VALIDATOR.is_valid(found)


@pytest.mark.parametrize("key", SCHEMA["required"])
def test_it_misses_what_is_missing(key: str) -> None:
    found = json.loads(plain_report("rao_balanced.csv").to_json())
    del found[key]
    assert not VALIDATOR.is_valid(found)


@pytest.mark.parametrize("labels", [("no", "yes"), ("1", "2", "3")])
def test_a_report_of_items_with_weights_is_valid(labels: tuple[str, ...]) -> None:
    lines = ["item,criterion,rater,role,label,weight"]
    for i in range(60):
        for place, criterion in enumerate("ab"):
            for turn, (rater, role) in enumerate((("h1", "human"), ("h2", "human"), ("A", "judge"), ("B", "judge"))):
                label = labels[(i // 2 + place + (i % 7 == turn)) % len(labels)]
                lines.append(f"q{i},{criterion},{rater},{role},{label},{1 + i % 3}")
    scale = {"scale": "ordinal"} if len(labels) > 2 else {}
    made = json.loads(report_of(metrics.read("\n".join(lines).encode(), **scale)).to_json())
    VALIDATOR.validate(made)
    assert made["agreement"]["judges"]["A"]["micro"]["weighted"]["column"] == "weight"
    assert made["humans"]["criteria"]["a"]["weighted"]["n_items"] == 60
