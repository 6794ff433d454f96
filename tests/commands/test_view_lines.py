"""A view as lines to type: what is left out, what stands in quotes, and when there is no command."""

from __future__ import annotations

import inspect
import shlex
from pathlib import Path

import pytest

import metrics
from metrics.analyses.settings import Settings, settings_of
from metrics.asker import answering, flag, literal
from metrics.commands.cli import commands
from metrics.commands.options import numbers, pairs_of
from metrics.commands.view_lines import Call, Name, Reading, View, chosen, command_text, path, python_text

ROOT = Path(__file__).resolve().parents[2]
READ = set(inspect.signature(metrics.read).parameters) | {"file", "file2", "beside"}
BESIDE = {"as_json", "fail_under", "against", "margin", "summary", "baseline", "judges", "by", "cuts", "find"}
"""Options of what is printed, and of another function behind the same command."""
BANDS = {"on", "floor"}
"""Keywords of `metrics.analyses.raters.gate.Bands`, which `raters` takes as one."""
SAMPLE = metrics.read(ROOT / "assets" / "support_answers.csv")


def text(call: Call, *number: str | list[str]) -> str:
    return python_text([View(call, path(*number))], Reading(SAMPLE, SAMPLE, ("labels.csv",)))


def command(call: Call) -> str:
    return command_text([View(call)], Reading(SAMPLE, SAMPLE, ("labels.csv",)))


@pytest.mark.parametrize("name", ["agreement", "compare", "item-scores", "overview", "raters", "roc", "scores"])
def test_an_option_is_called_like_the_keyword_and_has_its_default(name: str) -> None:
    known = inspect.signature(getattr(metrics, name.replace("-", "_"))).parameters
    command = commands.commands[name]
    usual = command.make_context(name, [], resilient_parsing=True).params
    for option in command.params:
        if option.name not in READ | BESIDE | BANDS:
            assert option.name in known, option.name
            default = known[option.name].default
            assert (usual[option.name] or None) == (default or None if default is not inspect.Parameter.empty else None), (
                option.name
            )


def test_defaults_are_not_written() -> None:
    usual = settings_of(SAMPLE)
    assert chosen("agreement", usual, SAMPLE).choices == {}
    assert text(chosen("agreement", usual, SAMPLE)).splitlines()[-2:] == [
        "report = metrics.agreement(ratings)",
        "print(report.summary())",
    ]
    assert command(chosen("agreement", usual, SAMPLE)) == "python -m metrics agreement labels.csv"


def test_a_seed_counts_where_something_is_drawn() -> None:
    settings = settings_of(SAMPLE, judges=["strict"], rng=3, replicates=500)
    assert set(chosen("agreement", settings, SAMPLE).choices) == {"judges"}
    drawn = settings_of(SAMPLE, judges=["strict"], rng=3, replicates=500, interval="bca")
    assert set(chosen("agreement", drawn, SAMPLE).choices) == {"judges", "rng", "replicates", "interval"}
    assert "--seed 3" in command(chosen("agreement", drawn, SAMPLE))
    assert "rng=3" in text(chosen("agreement", drawn, SAMPLE))


def test_choices_that_a_function_does_not_take_are_left() -> None:
    settings = settings_of(SAMPLE, abstention="as_unmet", confidence=0.9, item_rule="threshold", threshold=0.5)
    assert chosen("roc", settings, SAMPLE).choices == {"confidence": 0.9}


def test_a_choice_without_an_option_leaves_no_command() -> None:
    bands = Call("metrics.analyses.raters.gate.Bands", {"floor": 0.7, "edges": (0.1, 0.7, 0.9)}, ())
    assert "bands=Bands(floor=0.7, edges=(0.1, 0.7, 0.9))" in text(Call("raters", {"bands": bands}))
    assert not command(Call("raters", {"bands": bands}))
    bare = Call("metrics.analyses.raters.gate.Bands", {"floor": 0.7, "edges": ()}, ())
    assert command(Call("raters", {"bands": bare})) == "python -m metrics raters labels.csv --floor 0.7"
    assert not command(Call("rank_judges"))


def test_names_are_repeated_and_lists_stand_between_commas() -> None:
    choices = {"judges": ["a, b", "c"], "turn": ["x=1"], "values": {"a,b": 1.0, "c": 2}, "cost": [[0, 1], [1, 0]]}
    words = shlex.split(command(Call("scores", choices)))
    given = [(word, words[place + 1]) for place, word in enumerate(words) if word.startswith("--")]
    assert given[:3] == [("--judges", "a, b"), ("--judges", "c"), ("--turn", "x=1")]
    assert numbers(pairs_of([dict(given)["--values"]], "--values"), "", "") == {"a,b": 1.0, "c": 2.0}
    assert dict(given)["--cost"] == "0,1;1,0"


def test_a_panel_has_no_command() -> None:
    both = metrics.with_panel(SAMPLE, "unanimous", ["strict", "lenient"])
    reading = Reading(SAMPLE, both, ("labels.csv",))
    view = View(chosen("agreement", Settings(judges=both.judges), both))
    assert 'ratings = metrics.with_panel(ratings, rule="unanimous", judges=["strict", "lenient"])' in python_text([view], reading)
    assert not command_text([view], reading)
    everyone = metrics.with_panel(SAMPLE)
    assert "ratings = metrics.with_panel(ratings)\n" in python_text([view], Reading(SAMPLE, everyone))


def test_a_call_in_a_call_gets_its_line_and_imports_stand_once() -> None:
    settings = Call("metrics.analyses.settings.settings_of", {"abstention": "as_unmet"}, name="settings")
    other = Call("metrics.analyses.settings.Settings", {}, ())
    ranking = Call("rank_judges", {"settings": settings, "by": Name("settings.x"), "golden": other})
    assert text(ranking, "first", "name").splitlines() == [
        "import metrics",
        "from metrics.analyses.settings import Settings, settings_of",
        "",
        'ratings = metrics.read("labels.csv")',
        'settings = settings_of(ratings, abstention="as_unmet")',
        "report = metrics.rank_judges(ratings, settings=settings, by=settings.x, golden=Settings())",
        "number = report.first.name",
        "print(number.value, number.ends)",
    ]


VALUES = ["a", 'say "no"', "ä\n", 1, 0.1, True, None, ["a", 1.5], ("a",), (), {"a": (1, 2)}, {"x"}, set(), [[0.0, 1.0]]]
FLAGS = [(0.9, "--x 0.9"), (0, "--x 0"), ("", "--x"), (["a", "b,c"], "--x 'a,\"b,c\"'"), ([[0, 1], [1, 0]], '--x "0,1;1,0"')]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_literal_is_the_value(value: object) -> None:
    assert eval(literal(value)) == value


@pytest.mark.parametrize(("value", "shown"), FLAGS, ids=str)
def test_a_flag_takes_numbers_too(value: object, shown: str) -> None:
    with answering("command"):
        assert flag("--x", value) == shown  # type: ignore[arg-type]


def test_a_place_is_what_python_takes() -> None:
    assert path("judges", ['say "no"'], "micro", ["kappa"]) == '.judges["say \\"no\\""].micro["kappa"]'
