"""Labels that mean the same share a class on every scale; labels that do not stay apart."""

from __future__ import annotations

import pytest

import metrics
from metrics.data.labels import Scheme
from metrics.data.vocabulary import normalise
from metrics.engines.count import count_frame

HUMAN = ("Yes", "No", "Partially", "Yes", "No", "Yes")
JUDGE = ("Y", "No", "no", "yes", "No", "Y")
CLASS = {"Partially": "class"}


def pairs(human: tuple[str, ...] = HUMAN, judge: tuple[str, ...] = JUDGE) -> bytes:
    rows = (f"i{n},{a},{b}" for n, (a, b) in enumerate(zip(human, judge, strict=True)))
    return "\n".join(["item,human,verdict", *rows]).encode()


def kappa(source: object, **how: object) -> float:
    report = metrics.agreement(metrics.read(source, **how), interval="none")  # type: ignore[arg-type]
    return float(report.to_dict()["judges"]["judge"]["micro"]["kappa"])


@pytest.mark.parametrize(
    "how",
    [
        {"labels": CLASS}, {"labels": CLASS, "scale": "nominal"}, {"order": ["No", "Partially", "Yes"]},
        {"order": ["no", "partially", "yes"]}, {"labels": {**CLASS, "Yes": "class", "No": "class"}},
        {"labels": {**CLASS, "Y": "positive"}},
    ],
)  # fmt: skip
def test_spellings_of_yes_and_no_are_two_classes_beside_a_third(how: dict[str, object]) -> None:
    ratings = metrics.read(pairs(), **how)  # type: ignore[arg-type]
    assert len(ratings.scheme.classes) == 3
    assert kappa(pairs(), **how) == pytest.approx(5 / 7)
    assert len({normalise(ratings.labels[code]) for code in ratings.label}) == 3


def test_a_tally_gives_the_same() -> None:
    frame = metrics.read(pairs(), labels=CLASS).table.to_pandas()
    assert kappa(count_frame(frame).to_bytes(), labels=CLASS) == kappa(pairs(), labels=CLASS)


def test_a_table_of_counts_gives_the_same() -> None:
    text = b"human,judge,n\nYes,Y,2\nNo,No,2\nPartially,no,1\nYes,yes,1\n"
    assert kappa(text, labels=CLASS) == pytest.approx(5 / 7)


def test_other_criteria_and_scores_see_one_class() -> None:
    ratings = metrics.read(pairs(), order=["No", "Partially", "Yes"])
    found = metrics.scores(ratings).to_dict()["judges"]["judge"]["criteria"]["all"]
    assert found["exact_agreement"] == pytest.approx(5 / 6)
    assert ratings.on_criteria(["overall"]).scheme.classes == ratings.scheme.classes


@pytest.mark.parametrize(
    ("classes", "order"),
    [
        (("very good", "good", "fair"), ()), (("wrong", "bad", "ok", "good"), ("wrong", "bad", "ok", "good")),
        (("A", "A-", "B"), ()), (("1", "2", "10"), ("1", "2", "10")), (("yes", "yes, mostly", "no"), ()),
    ],
)  # fmt: skip
def test_labels_of_several_meanings_stay_apart(classes: tuple[str, ...], order: tuple[str, ...]) -> None:
    scheme = Scheme(tuple((label, "class") for label in classes), order)
    assert set(scheme.classes) == set(classes)
    assert sorted(scheme.states(classes).tolist()) == list(range(len(classes)))


def test_two_sides_that_the_user_names_are_two_classes() -> None:
    scheme = Scheme((("Yes", "positive"), ("Y", "negative"), ("half", "class")))
    assert scheme.classes == ("Yes", "Y", "half")


def test_spellings_agree_where_a_rating_is_repeated() -> None:
    again = pairs() + b"\ni0,yes,Yes"
    assert metrics.read(again, labels=CLASS).left_out.n == 1
    assert metrics.read(b"item,human,verdict\na,pass,MET\na,passed,met\nb,fail,UNMET\n").left_out.n == 1
    with pytest.raises(metrics.InputError, match="give the same rating twice"):
        metrics.read(pairs() + b"\ni0,Partially,Yes", labels=CLASS)


def test_pairs_of_raters_count_spellings_once() -> None:
    text = "item,rater,role,label\n" + "".join(
        f"i{n},ana,human,{a}\ni{n},ben,human,{b}\n" for n, (a, b) in enumerate(zip(HUMAN, JUDGE, strict=True))
    )
    found = metrics.raters(metrics.read(text.encode(), labels=CLASS), level="nominal").to_dict()["criteria"]["all"]
    assert found["percent_agreement"] == pytest.approx(5 / 6)


@pytest.mark.parametrize(
    "words",
    [
        ("1 - poor", "2 - fair", "3 - good"),
        ("1: poor", "2: fair", "3: good"),
        ("1 (poor)", "2 (fair)", "3 (good)"),
        ("Level 1", "Level 2", "Level 3"),
        ("1,0", "2,0", "3,0"),
        ("1.0", "2.0", "3.0"),
    ],
)
@pytest.mark.parametrize("ordered", [False, True])
def test_a_number_and_the_step_that_names_it_are_one_class(words: tuple[str, ...], ordered: bool) -> None:
    human, judge = (words * 4)[:11], ("1", "2", "3", "1", "2", "2", "1", "1", "3", "3", "2")
    rows = "\n".join(["item,human,verdict", *(f'i{n},"{a}",{b}' for n, (a, b) in enumerate(zip(human, judge, strict=True)))])
    how = {"order": list(words)} if ordered else {"labels": dict.fromkeys((*words, "1", "2", "3"), "class")}
    plain = pairs(("1", "2", "3") * 3 + ("1", "2"), judge)
    assert len(metrics.read(rows.encode(), **how).scheme.classes) == 3  # type: ignore[arg-type]
    assert kappa(rows.encode(), **how) == pytest.approx(kappa(plain, labels=dict.fromkeys("123", "class")))


def test_numbers_with_other_words_stay_apart_where_no_number_stands_alone() -> None:
    words = ("1 - poor", "1 - bad", "2 - good")
    scheme = Scheme(tuple((word, "class") for word in words))
    assert scheme.classes == words


def test_non_and_not_deny_alike() -> None:
    assert Scheme((("toxic", "class"), ("not toxic", "class"), ("non-toxic", "class"))).n_classes == 2
