"""The functions of counts, as `metrics` offers them: of a table of counts, or of two sequences of labels.

`metrics.measures` computes; here two sequences become the table that `metrics.agreement` makes of the same labels.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike

from metrics.data.abstention import apply_mode
from metrics.data.checks import named, one_given
from metrics.data.pairs import patterns_of
from metrics.data.ratings import Ratings
from metrics.data.vocabulary import is_number
from metrics.errors import InputError
from metrics.measures import coefficients, rates
from metrics.measures.arrays import FloatArray, OtherClasses
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import Weights
from metrics.readers.in_memory import read_sequences
from metrics.results import words

_RECORDS = {metric.function: metric for metric in BY_KEY.values()}
_OF_LABELS = """

    Of labels
    ---------
    ``{name}(y_true, y_pred)`` takes two sequences of labels of the same length, the reference first, and returns a float: lists,
    tuples, arrays or Series. ``positive=`` names the positive label where it is not plain{more}. Pairs without a verdict on
    either side are left out, with a `UserWarning` that counts them. Anything else raises `InputError`.
    """
INSTEAD = " classes. Make them two labels first, or take macro_f1, mcc_multiclass, accuracy or cohen_kappa."
"""What follows where a number of two classes was asked of more."""


class CountFunction(Protocol):
    """A function of two sequences of labels, or of counts, reference in rows and judge in columns."""

    __name__: str

    @overload
    def __call__(self, y_true: Any, y_pred: Any, **options: Any) -> float: ...
    @overload
    def __call__(self, counts: ArrayLike, **options: Any) -> FloatArray: ...


class CostFunction(Protocol):
    """A function of two sequences of labels, or of counts, and of what a confusion costs."""

    __name__: str

    @overload
    def __call__(self, y_true: Any, y_pred: Any, weights: Weights, **options: Any) -> float: ...
    @overload
    def __call__(self, counts: ArrayLike, weights: Weights, **options: Any) -> FloatArray: ...


def takes_labels(function: Callable[..., FloatArray]) -> Any:
    """Return a function of counts that takes two sequences of labels too.

    Parameters
    ----------
    function : callable
        Of the catalogue: of counts, shape (..., K, K), and what they weigh.
    """
    record = _RECORDS[function]
    weighted = len(inspect.signature(function).parameters) > 1 and record.takes == "cost"

    @wraps(function)
    def either(
        y_true: Any = None, y_pred: Any = None, *weights: Any, counts: Any = None, positive: Any = None, criterion: Any = None,
        **options: Any,
    ) -> Any:  # fmt: skip
        first = one_given(counts=counts, y_true=y_true)
        if weighted and y_pred is not None and not weights and "weights" not in options and _is_table(first):
            y_pred, weights = None, (y_pred,)
        if y_pred is None and positive is None and criterion is None:
            return _computed(function, _counts(first, function.__name__), *weights, **options)
        if criterion is not None and record.takes != "criteria":
            raise InputError(f"{function.__name__} takes no criterion: it reads all labels together.")
        ratings = read_sequences(first, y_pred, criterion=criterion, positive=positive, symmetric=record.flipped == record.key)
        _check_order(ratings, function, *weights, *options.values())
        table = table_of(ratings)
        return float(_computed(function, table if record.takes == "criteria" else table.sum(0), *weights, **options))

    # Found under the name by which it is imported, so that it can be pickled; `wraps` gave it that of the function of counts.
    either.__module__ = "metrics"
    more = "; ``criterion=`` is a third sequence, what each label is about" if record.takes == "criteria" else ""
    either.__doc__ = f"{(function.__doc__ or '').rstrip()}{_OF_LABELS.format(name=function.__name__, more=more)}"
    either.__signature__ = _signature(function, record.takes == "criteria")  # type: ignore[attr-defined]
    return either


def _signature(function: Callable[..., FloatArray], of_criteria: bool) -> inspect.Signature:
    """Return what a function takes that takes labels too: both names of its first argument, and what it weighs."""
    names = ("y_true", "y_pred", "counts", "positive", *(("criterion",) if of_criteria else ()))
    kinds = {"y_true": _PLACE, "y_pred": _PLACE}
    plain = [inspect.Parameter(name, kinds.get(name, _NAME), default=None) for name in names]
    own = [one.replace(kind=_NAME) for one in list(inspect.signature(function).parameters.values())[1:]]
    return inspect.Signature([*plain, *own])


_PLACE, _NAME = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY


def _computed(function: Callable[..., FloatArray], table: Any, *weights: Any, **options: Any) -> FloatArray:
    """Return what a function of counts computes; what it refuses is refused by the name that was called.

    Raises
    ------
    TypeError
        For an argument that it does not have.
    InputError
        For counts or weights that it cannot take.
    """
    try:
        call = inspect.signature(function).bind(table, *weights, **options)
    except TypeError as problem:
        raise TypeError(f"{function.__name__}() {problem}") from None
    try:
        return function(*call.args, **call.kwargs)
    except ValueError as problem:
        raise InputError(f"{function.__name__}: {problem}{INSTEAD if isinstance(problem, OtherClasses) else '.'}") from None


def table_of(ratings: Ratings) -> FloatArray:
    """Return the counts of one judge and one human, shape (C, K, K), reference in rows, as `metrics.agreement` has them.

    Warns
    -----
    UserWarning
        With the number of pairs that have no verdict on either side.
    """
    table = apply_mode(patterns_of(ratings, ratings.judges[0], ratings.humans[0]).raw, ratings.scheme, "exclude")
    left_out = ratings.source.rows - int(table.sum())
    if left_out:
        pairs = f"{words.count(left_out)} of {words.count(ratings.source.rows)} pairs"
        text = f"{pairs} lack a verdict on one side or both, and are left out. metrics.agreement says why."
        warnings.warn(text, stacklevel=3)
    return np.asarray(table, np.float64)


def _check_order(ratings: Ratings, function: Callable[..., FloatArray], *weights: object) -> None:
    """Refuse to weigh the distance of labels that have no order."""
    classes = ratings.scheme.classes
    by_distance = function is coefficients.weighted_kappa_quadratic or {"linear", "quadratic"} & {
        w for w in weights if isinstance(w, str)
    }
    if by_distance and len(classes) > 2 and not ratings.scheme.order and not all(map(is_number, classes)):
        names = words.listed([words.shorten(name) for name in classes], 6)
        raise InputError(f"The labels {names} have no order, so none is further from another. Give numbers, or steps of a scale.")


def _is_table(given: Any) -> bool:
    """Return whether something has rows and columns, and is no sequence of labels."""
    try:
        return np.ndim(given) > 1
    except ValueError:  # rows of different lengths
        return False


def _counts(counts: Any, name: str) -> Any:
    """Return counts, or refuse what is none with what may be given."""
    try:
        array = np.empty(0) if np.iscomplexobj(counts) else np.asarray(counts, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.ndim < 2:
        raise InputError(
            f"{name} takes counts, shape (…, K, K), reference in rows and judge in columns, or two sequences of labels: "
            f"metrics.{name}(y_true, y_pred); not {named(counts)} alone."
        )
    return array


accuracy: CountFunction = takes_labels(coefficients.accuracy)
cohen_kappa: CountFunction = takes_labels(coefficients.cohen_kappa)
expected_agreement: CountFunction = takes_labels(coefficients.expected_agreement)
gwet_ac1: CountFunction = takes_labels(coefficients.gwet_ac1)
kappa_phi_gap: CountFunction = takes_labels(coefficients.kappa_phi_gap)
kappa_phi_ratio: CountFunction = takes_labels(coefficients.kappa_phi_ratio)
kappa_within: CountFunction = takes_labels(coefficients.kappa_within)
mcc_multiclass: CountFunction = takes_labels(coefficients.mcc_multiclass)
pabak: CountFunction = takes_labels(coefficients.pabak)
phi: CountFunction = takes_labels(coefficients.phi)
scott_pi: CountFunction = takes_labels(coefficients.scott_pi)
weighted_kappa: CostFunction = takes_labels(coefficients.weighted_kappa)
weighted_kappa_quadratic: CountFunction = takes_labels(coefficients.weighted_kappa_quadratic)
balanced_accuracy: CountFunction = takes_labels(rates.balanced_accuracy)
baseline_accuracy: CountFunction = takes_labels(rates.baseline_accuracy)
baseline_accuracy_by_criterion: CountFunction = takes_labels(rates.baseline_accuracy_by_criterion)
bias_index: CountFunction = takes_labels(rates.bias_index)
drift: CountFunction = takes_labels(rates.drift)
f1: CountFunction = takes_labels(rates.f1)
f1_negative: CountFunction = takes_labels(rates.f1_negative)
fnr: CountFunction = takes_labels(rates.fnr)
fpr: CountFunction = takes_labels(rates.fpr)
macro_f1: CountFunction = takes_labels(rates.macro_f1)
macro_j: CountFunction = takes_labels(rates.macro_j)
markedness: CountFunction = takes_labels(rates.markedness)
npv: CountFunction = takes_labels(rates.npv)
precision: CountFunction = takes_labels(rates.precision)
predicted_prevalence: CountFunction = takes_labels(rates.predicted_prevalence)
prevalence: CountFunction = takes_labels(rates.prevalence)
prevalence_index: CountFunction = takes_labels(rates.prevalence_index)
recall: CountFunction = takes_labels(rates.recall)
specificity: CountFunction = takes_labels(rates.specificity)
youden_j: CountFunction = takes_labels(rates.youden_j)
