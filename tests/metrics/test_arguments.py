"""Arguments of public functions: one of a wrong type is refused by its name, and nothing else is raised."""

from __future__ import annotations

import contextlib
import inspect
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.data.arguments import checked_arguments
from metrics.data.ratings import Ratings

WRONG: tuple[Any, ...] = ([1, 2], {"a": 1}, "x", -1, True, object(), (), b"x", np.array([1, 2]), float("nan"))
FUNCTIONS = {
    name: function
    for name in metrics.__all__
    if inspect.isfunction(function := getattr(metrics, name)) and next(iter(inspect.signature(function).parameters)) == "ratings"
}


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    rng = np.random.default_rng(1)
    rows = [
        {"item": f"q{k}", "criterion": criterion, "rater": rater, "role": role, "label": rng.choice(["yes", "no"]), "len": k}
        for k in range(12)
        for criterion in ("tone", "depth")
        for rater, role in (("ana", "human"), ("ben", "human"), ("gpt", "judge"), ("claude", "judge"))
    ]
    return metrics.read(pd.DataFrame(rows))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore")
def test_nothing_but_a_refusal_comes_of_a_wrong_argument(name: str, ratings: Ratings) -> None:
    function = FUNCTIONS[name]
    parameters = list(inspect.signature(function).parameters.values())[1:]
    if any(parameter.default is parameter.empty for parameter in parameters if parameter.kind.name != "VAR_POSITIONAL"):
        pytest.skip("takes more than ratings")
    for parameter in parameters:
        for wrong in WRONG if parameter.kind.name in ("KEYWORD_ONLY", "POSITIONAL_OR_KEYWORD") else ():
            if parameter.name not in ("cost", "progress"):  # an array of any kind; any function
                with contextlib.suppress(metrics.InputError):
                    function(ratings, **{parameter.name: wrong})


def takes(number: float = 1, *, text: str | None = None, words: Sequence[str] = (), pairs: Mapping[str, float] | None = None,
          way: Literal["", "up", "down"] = "up", table: Ratings | None = None, odd: Any = None) -> None: ...  # fmt: skip


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"number": "0.9"}, "number must be a number, not '0.9' (takes)."),
        ({"number": True}, "a number, not True."),
        ({"text": 3}, "text must be a text, not 3 (takes)."),
        ({"words": [b"x"]}, "a list, each a text, not [b'x']."),
        ({"pairs": "x"}, "a mapping of a text to a number, not 'x'."),
        ({"pairs": {"tone": "x"}}, "a mapping of a text to a number, not {'tone': 'x'}."),
        ({"way": 7}, "Unknown way 7. Use one of: up, down."),
        ({"way": "sideways"}, "Unknown way 'sideways'. Use one of: up, down."),
        ({"table": "file.csv"}, "Ratings, not 'file.csv'."),
        ({"text": list(range(99))}, "a text, not [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, …."),
    ],
)
def test_the_sentence_names_the_argument_and_what_it_takes(given: dict[str, Any], said: str) -> None:
    with pytest.raises(metrics.InputError) as refusal:
        checked_arguments(takes, (), given)
    assert said.rstrip(".") in str(refusal.value)


@pytest.mark.parametrize(
    "given",
    [
        {"number": np.float32(0.5)}, {"number": np.int64(3)}, {"text": None}, {"text": "x"}, {"words": "one"}, {"words": ("a",)},
        {"words": {"a": 1}.keys()}, {"pairs": {"a": np.float64(2)}}, {"pairs": pd.Series({"a": 1.0})}, {"way": "down"},
        {"odd": object()},
    ],
)  # fmt: skip
def test_what_fits_passes(given: dict[str, Any]) -> None:
    checked_arguments(takes, (), given)


def test_a_call_of_sequences_with_three_classes_needs_no_meaning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert metrics.cohen_kappa(["a", "b", "c"] * 3, ["a", "c", "c"] * 3) == pytest.approx(0.5)
    with pytest.raises(ValueError, match=r"shape \(\.\.\., C, K, K\)"):
        metrics.baseline_accuracy_by_criterion([[1, 2], [3, 4]])


@pytest.fixture(scope="module")
def report(ratings: Ratings) -> metrics.AgreementReport:
    return metrics.agreement(ratings)


@pytest.fixture(scope="module")
def comparison(ratings: Ratings) -> metrics.Comparison:
    return metrics.compare(ratings, "gpt", "claude", replicates=100)


OF_PLANS = [
    ("plan_floor", lambda r, c: (r, "kappa", 0.5), {}, "report must be JudgeReport"),
    ("plan_floor", lambda r, c: (r.judges["gpt"], "zz", 0.5), {}, "Unknown metric 'zz'"),
    ("plan_floor", lambda r, c: (r.judges["gpt"], "kappa", 0.5), {"criterion": "zz"}, "Unknown criterion 'zz'"),
    ("plan_floor", lambda r, c: (r.judges["gpt"], "kappa", 0.5), {"groups": ["zz"]}, "groups must be"),
    ("plan_difference", lambda r, c: (None,), {}, "comparison must be Comparison, not None"),
    ("plan_difference", lambda r, c: (c, 95), {}, "must be above 0 and below"),
    ("plan_margin", lambda r, c: (r, 0.1), {}, "comparison must be Comparison"),
]


@pytest.mark.parametrize(("name", "given", "named", "said"), OF_PLANS)
def test_a_plan_of_something_else_is_refused(name, given, named, said, report, comparison) -> None:
    with pytest.raises(metrics.InputError, match=said):
        getattr(metrics, name)(*given(report, comparison), **named)


TABLE = {"a": [[40, 10], [20, 30]]}
OF_NUMBERS = [
    ("rank_tables", (TABLE,), {"confidence": 95}), ("rank_tables", (TABLE,), {"confidence": 0}),
    ("rank_tables", (TABLE,), {"difference": None}), ("rank_tables", (TABLE,), {"labels": 3}),
    ("rank_tables", (TABLE,), {"labels": "zz"}), ("rank_tables", (TABLE,), {"prevalence": "zz"}), ("rank_tables", ([1],), {}),
    ("rank_tables", ({"a": [[-1, 2], [3, 4]]},), {}),
    ("answers_needed", (0.8, 0.2, 0.3, 0.4), {"power": 5}), ("answers_needed", (0.8, 0.2, 0.3, 0.4), {"answered": -1}),
    ("answers_needed", (0.8, 0.2, 0.3, 0.4), {"answered": 0}), ("answers_needed", (2, 0.2, 0.3, 0.4), {}),
    ("answers_needed", (0.8, 0.2, [0.3, 3], 0.4), {}), ("answers_needed", (0.8, 0.2, "zz", 0.4), {}),
    ("signal_to_noise", (TABLE["a"], 2), {}), ("signal_to_noise", ([[1, 2], [3, -4]], 0.5), {}),
    ("signal_to_noise", ("zz", 0.5), {}), ("sweep", (0.8, 0.1), {"prevalence": 3}), ("sweep", (0.8, 0.1), {"prevalence": None}),
    ("sweep", (0.8, 0.1), {"prevalence": [np.nan]}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "named"), OF_NUMBERS)
def test_numbers_out_of_range_are_refused_by_the_name_of_the_function(name: str, given, named) -> None:
    with pytest.raises(metrics.InputError, match=name):
        getattr(metrics, name)(*given, **named)


def test_numbers_within_their_range_are_taken() -> None:
    assert np.isnan(metrics.answers_needed(np.nan, 0.2, 0.3, 0.4))
    assert metrics.answers_needed([0.8, 0.9], 0.2, np.array([0.3, 0.2]), 0.4, answered=1).shape == (2,)
    assert metrics.sweep(0.8, 0.1, [0, 0.5, 1]).values["kappa"].shape == (3,)


def test_how_alike_judges_are_is_a_kappa(ratings: Ratings) -> None:
    with pytest.raises(metrics.InputError, match="least must be a number from −1 to 1, not 95"):
        metrics.think_alike(ratings, least=95)


ROWS = [{"item": k, "human": ("yes", "no")[k % 2], "verdict": ("yes", "no")[k % 3 > 0]} for k in range(12)]
READ = ("order", "criteria", "where", "scale", "delimiter", "columns", "labels", "roles", "repeats", "match", "sheet", "encoding")


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("wrong", [3, True, object(), 1.5])
def test_a_keyword_of_read_of_a_wrong_type_is_refused_by_its_name(name: str, wrong: object) -> None:
    with pytest.raises(metrics.InputError, match=rf"^(Unknown )?{name}\b"):
        metrics.read(ROWS, **{name: wrong})


@pytest.mark.parametrize("name", ["skip_bad_rows", "merge_spellings"])
def test_yes_or_no_is_no_text(name: str) -> None:
    with pytest.raises(metrics.InputError, match=f"{name} must be True or False, not 'zz'"):
        metrics.read(ROWS, **{name: "zz"})
    assert metrics.read(ROWS, **{name: np.True_}).n_items == metrics.read(ROWS, **{name: 1}).n_items == 12


def test_an_array_or_a_series_is_the_list_or_the_mapping_it_stands_for(ratings: Ratings) -> None:
    weights = {"tone": 2.0, "depth": 1.0}
    by_series, by_mapping = (metrics.agreement(ratings, weights=one) for one in (pd.Series(weights), weights))
    assert by_series.to_dict() == by_mapping.to_dict()
    grown = metrics.panel_growth(ratings, sizes=np.array([1, 2]))
    assert grown.requested_sizes == (1, 2)
    steps = [{"item": k, "human": k % 3 + 1, "verdict": k % 2 + 1} for k in range(12)]
    for order in (np.array([1, 2, 3]), pd.Series(["1", "2", "3"]), (1, 2, 3)):
        assert metrics.read(steps, order=order).scheme.order == ("1", "2", "3")
    assert metrics.read(steps, labels={1: "class", 2: "class", 3: "class"}).scheme.classes == ("1", "2", "3")


@pytest.mark.parametrize("name", ["slices", "biases"])
def test_a_name_that_nobody_knows_is_named_with_the_function_that_was_called(name: str, ratings: Ratings) -> None:
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'foo'$"):
        getattr(metrics, name)(ratings, foo=1)
    with pytest.raises(metrics.InputError, match="abstention must be a text"):
        getattr(metrics, name)(ratings, abstention=np.array([1, 2]))
