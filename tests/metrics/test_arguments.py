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
from metrics.data.arguments import check_arguments
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
          way: Literal["up", "down"] = "up", table: Ratings | None = None, odd: Any = None) -> None: ...  # fmt: skip


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
        check_arguments(takes, (), given)
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
    check_arguments(takes, (), given)


def test_a_call_of_sequences_with_three_classes_needs_no_meaning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert metrics.cohen_kappa(["a", "b", "c"] * 3, ["a", "c", "c"] * 3) == pytest.approx(0.5)
    with pytest.raises(ValueError, match=r"shape \(\.\.\., C, K, K\)"):
        metrics.baseline_accuracy_by_criterion([[1, 2], [3, 4]])
