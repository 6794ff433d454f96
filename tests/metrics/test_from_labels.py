"""Every function of counts takes two sequences of labels, with the numbers of the report; and only ratings are ratings."""

from __future__ import annotations

import inspect
import itertools
import math
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.measures.catalogue import BY_KEY

RECORDS = [pytest.param(record, id=record.key) for record in BY_KEY.values()]
ROWS = [("yes", "yes")] * 5 + [("yes", "no")] * 2 + [("no", "yes")] + [("no", "no")] * 4
Y, P = zip(*ROWS, strict=True)
TAKE_RATINGS = [
    name
    for name in metrics.__all__
    if inspect.isfunction(getattr(metrics, name))
    and any(kind == "Ratings" for kind in (p.annotation for p in inspect.signature(getattr(metrics, name)).parameters.values()))
]


def extra(record) -> tuple[str, ...]:
    return ("linear",) if record.takes == "cost" else ()


@pytest.mark.parametrize("record", RECORDS)
def test_labels_have_the_value_of_their_counts(record) -> None:
    function = getattr(metrics, record.function.__name__)
    counts = np.array([[[5, 2], [1, 4]]]) if record.takes == "criteria" else [[5, 2], [1, 4]]
    value = function(Y, P, *extra(record))
    assert type(value) is float
    assert value == float(record.function(counts, *extra(record)))
    assert function(counts, *extra(record)) == record.function(counts, *extra(record))


@pytest.mark.parametrize("record", RECORDS)
def test_labels_have_the_value_of_the_report(record) -> None:
    block = metrics.agreement(Y, P).judges["judge"].micro
    if record.key in block.values:
        assert getattr(metrics, record.function.__name__)(Y, P, *extra(record)) == block[record.key].value


@pytest.mark.slow("every small pair")
def test_every_small_pair_of_sequences() -> None:
    for n in (1, 2, 3):
        for labels in itertools.product([0, 1], repeat=2 * n):
            y, p = labels[:n], labels[n:]
            counts = np.zeros((2, 2))
            np.add.at(counts, (1 - np.array(y), 1 - np.array(p)), 1)
            for function in (metrics.cohen_kappa, metrics.recall, metrics.phi):
                np.testing.assert_equal(function(y, p), float(function(counts)))


def test_it_is_a_scorer() -> None:
    learn = pytest.importorskip("sklearn.metrics")
    tree = pytest.importorskip("sklearn.dummy").DummyClassifier(strategy="uniform", random_state=0)
    validation = pytest.importorskip("sklearn.model_selection")
    x, y = np.zeros((40, 1)), np.arange(40) % 2
    ours = validation.cross_val_score(tree, x, y, scoring=learn.make_scorer(metrics.cohen_kappa), error_score="raise")
    theirs = validation.cross_val_score(tree, x, y, scoring=learn.make_scorer(learn.cohen_kappa_score), error_score="raise")
    np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_a_scorer_takes_the_positive_label() -> None:
    learn = pytest.importorskip("sklearn.metrics")
    scorer = learn.make_scorer(metrics.recall, positive="ham")

    class Echo(pytest.importorskip("sklearn.base").ClassifierMixin, pytest.importorskip("sklearn.base").BaseEstimator):
        classes_ = ("ham", "spam")

        def predict(self, x):
            return np.array(["ham", "spam", "ham"])

    assert scorer(Echo(), None, ["ham", "ham", "spam"]) == 0.5


def test_which_label_is_positive_matters_where_it_matters() -> None:
    y, p = ["spam", "ham", "spam"], ["spam", "spam", "spam"]
    assert metrics.cohen_kappa(y, p) == 0
    with pytest.raises(metrics.InputError, match="positive="):
        metrics.recall(y, p)
    assert metrics.recall(y, p, positive="spam") == 1
    assert math.isnan(metrics.recall(["ham"], ["ham"], positive="spam"))
    assert math.isnan(metrics.cohen_kappa(["spam", "spam"], ["spam", "spam"]))


def test_classes_and_their_distances() -> None:
    y, p = [1, 2, 3, 1, 2], [1, 3, 3, 2, 2]
    learn = pytest.importorskip("sklearn.metrics")
    for weights in (None, "linear", "quadratic"):
        assert metrics.cohen_kappa(y, p, weights=weights) == pytest.approx(learn.cohen_kappa_score(y, p, weights=weights))
    assert metrics.weighted_kappa_quadratic(["low", "medium", "high"], ["low", "high", "high"]) == pytest.approx(0.8)
    assert metrics.cohen_kappa(["cat", "dog", "bird"], ["cat", "dog", "dog"]) == pytest.approx(0.5)
    for weights in ("linear", "quadratic"):
        with pytest.raises(metrics.InputError, match="have no order"):
            metrics.cohen_kappa(["cat", "dog", "bird"], ["cat", "dog", "dog"], weights=weights)


def test_criteria_are_a_third_sequence() -> None:
    y, p, criterion = [1, 0, 1, 0, 1, 1], [1, 0, 0, 0, 1, 0], list("aaabbb")
    tables = np.array([[[1, 1], [0, 1]], [[1, 1], [0, 1]]])
    assert metrics.kappa_within(y, p, criterion=criterion) == metrics.kappa_within(tables)
    with pytest.raises(metrics.InputError, match="takes no criterion"):
        metrics.cohen_kappa(y, p, criterion=criterion)


def test_pairs_that_are_left_out_are_counted() -> None:
    with pytest.warns(UserWarning, match="2 of 4 pairs"):
        assert metrics.accuracy([1, None, 0, 1], [1, 1, np.nan, 1]) == 1
    with pytest.warns(UserWarning, match="1 of 3 pairs"):
        metrics.accuracy(["MET", "CANNOT_ASSESS", "UNMET"], ["MET", "MET", "UNMET"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        metrics.accuracy(Y, P)


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("given", [(Y,), (5,), ("x",), ([["a"]],), (None,), (Y, P[:3]), ({"a": 1}, {"a": 1})])
def test_whatever_else_is_refused(record, given) -> None:
    with pytest.raises(metrics.InputError):
        getattr(metrics, record.function.__name__)(*given)


BAD = {
    "negative": [[4, -1], [2, 3]], "nan": [[4, np.nan], [2, 3]], "none": [[4, None], [2, 3]], "inf": [[4, np.inf], [2, 3]],
    "3x2": [[1, 2]] * 3, "1x1": [[5]], "0x0": np.zeros((0, 0)), "complex": np.ones((2, 2)) * 1j, "ragged": [[1, 2], [3]],
    "texts": [["a", "b"], ["c", "d"]],
}  # fmt: skip


@pytest.mark.parametrize("counts", BAD.values(), ids=BAD)
@pytest.mark.parametrize("record", RECORDS)
def test_bad_counts_are_refused_by_the_name_that_was_called(record, counts) -> None:
    name = record.function.__name__
    with pytest.raises(metrics.InputError, match=f"^{name}|y_true"):
        getattr(metrics, name)(counts, *extra(record))


@pytest.mark.parametrize("name", ["f1", "recall", "youden_j", "phi", "prevalence", "drift"])
def test_counts_of_more_classes_are_refused_with_what_takes_them(name: str) -> None:
    with pytest.raises(metrics.InputError, match=rf"^{name}: .* 2 classes, got 3 classes\. .*take macro_f1"):
        getattr(metrics, name)(np.ones((3, 3)))
    with pytest.raises(metrics.InputError, match=r"not negative\.$"):
        metrics.scott_pi(-np.ones((3, 3)))


@pytest.mark.parametrize(
    "weights", ["zz", "", 3, {}, {"a": 1}, ["x"], [1, 2], [[0, -1], [1, 0]], [[0, 0], [0, 0]], object(), b"x"]
)
@pytest.mark.parametrize("given", [([[4, 1], [2, 3]],), (Y, P)], ids=["counts", "labels"])
def test_weights_that_are_none_are_refused(given, weights) -> None:
    for function in (metrics.cohen_kappa, metrics.weighted_kappa):
        with pytest.raises(metrics.InputError, match=r"^(cohen|weighted)_kappa: .*(weights|cost)"):
            function(*given, weights=weights)


@pytest.mark.parametrize("record", RECORDS)
def test_arguments_have_the_names_that_are_documented(record) -> None:
    function, counts = getattr(metrics, record.function.__name__), [[5, 2], [1, 4]]
    more = {"weights": "linear"} if record.takes == "cost" else {}
    if record.takes == "criteria":
        counts = [counts]
    assert function(y_true=Y, y_pred=P, **more) == function(Y, P, **more) == function(Y, y_pred=P, positive="yes", **more)
    assert function(counts=counts, **more) == function(counts, **more)
    shown = inspect.signature(function)
    assert {"y_true", "y_pred", "counts", "positive"} <= set(shown.parameters)
    assert ("criterion" in shown.parameters) == (record.takes == "criteria")
    assert shown.bind(Y, P, **more)
    with pytest.raises(metrics.InputError, match="two names of the same"):
        function(counts, counts=counts, **more)
    with pytest.raises(TypeError, match=rf"{function.__name__}\(\) got an unexpected keyword argument 'foo'"):
        function(Y, P, foo=1, **more)


def test_agreement_takes_labels_by_their_names() -> None:
    named, placed = metrics.agreement(y_true=Y, y_pred=P), metrics.agreement(Y, P)
    assert named.to_dict() == placed.to_dict()
    with pytest.raises(metrics.InputError, match="two names of the same"):
        metrics.agreement(Y, P, y_true=Y)
    with pytest.raises(metrics.InputError, match="agreement cannot take None"):
        metrics.agreement()


TYPED = """
import metrics
a: float = metrics.cohen_kappa(["yes"], ["no"], weights="linear")
b: float = metrics.f1(y_true=["yes"], y_pred=["no"], positive="yes")
c: float = metrics.weighted_kappa([1, 2], [2, 1], "linear")
d = metrics.cohen_kappa([[1, 2], [2, 1]]).shape + metrics.weighted_kappa([[1, 2], [2, 1]], "linear").shape
"""


@pytest.mark.slow("checks the types of the package")
def test_labels_give_a_number_to_who_checks_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    file = tmp_path / "typed.py"
    file.write_text(TYPED, "utf-8")
    # In a process of its own: what mypy keeps of every module would slow each full collection of all later tests.
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", ".mypy_cache", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stdout + done.stderr


def test_functions_that_take_ratings_are_known() -> None:
    assert {"compare", "compare_all", "scores", "raters", "overview", "roc", "join", "rank_judges", "item_scores"} <= set(
        TAKE_RATINGS
    )


@pytest.mark.parametrize("name", TAKE_RATINGS)
@pytest.mark.parametrize(
    "source", [pd.DataFrame({"a": [1]}), "labels.csv", None, [1, 0], {"a": 1}], ids=lambda s: type(s).__name__
)
def test_what_is_no_ratings_is_refused_with_how_to_make_them(name: str, source: object) -> None:
    function = getattr(metrics, name)
    needed = [
        p for p in inspect.signature(function).parameters.values() if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
    ]
    with pytest.raises(metrics.InputError, match=rf"{name} takes ratings, not .*metrics\.read"):
        function(*[source] * len(needed))
    with pytest.raises(metrics.InputError, match=rf"{name} takes ratings, not .*metrics\.read"):
        function(**{p.name: source for p in needed})


def test_both_ratings_of_a_join_are_looked_at() -> None:
    ratings = metrics.read("assets/support_answers.csv")
    with pytest.raises(metrics.InputError, match="join takes ratings"):
        metrics.join(ratings, "labels.csv")
