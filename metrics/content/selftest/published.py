"""Tables of counts and of ratings that two papers and a guide give, and the numbers that follow, as exact fractions.

Where a source has another number than its table gives, the exact one is what is expected, and its own stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from metrics.data.abstention import Mode

RAO = "Rao and Callison-Burch, Agreement Metrics for LLM-as-Judge Evaluation"
COLLOT = "Collot et al., Balanced Accuracy: The Right Metric for Evaluating LLM Judges"
GUIDE = "Guide to inter-rater agreement before a judge is calibrated"
Counts = tuple[tuple[int, ...], ...]
Level = Literal["micro", "macro", "first", "second"]


@dataclass(frozen=True)
class Number:
    """One number of a table.

    Attributes
    ----------
    key : str
        A metric of the catalogue, or one of `OTHERS`.
    exact : str
        A fraction, ``√`` before one for its root, or empty where the number is undefined.
    printed : str
        As the source has it, or its code returns it; empty where it has none.
    level : str
        Pooled, mean over criteria, or one of the two criteria.
    """

    key: str
    exact: str
    printed: str = ""
    level: Level = "micro"


@dataclass(frozen=True)
class Published:
    """Counts of one or two criteria, the human in rows: positive, negative, and no verdict where there are three.

    Attributes
    ----------
    units : tuple of str
        In place of counts the labels of each item, one letter per rater.
    why : str
        Where the source errs: what it does, and what is right.
    """

    name: str
    paper: str
    place: str
    counts: tuple[Counts, ...]
    numbers: tuple[Number, ...]
    mode: Mode = "exclude"
    units: tuple[str, ...] = ()
    why: str = ""


OTHERS: Mapping[str, str] = {
    "n": "Decisions counted", "coverage": "Coverage, both gave a verdict", "judge_coverage": "Coverage, the judge gave a verdict",
    "fleiss": "Fleiss’ κ", "alpha": "Krippendorff’s α", "n_var_kappa": "N · variance of κ", "n_var_phi": "N · variance of φ",
}  # fmt: skip
"""Numbers that no metric of the catalogue is."""


def _two(tp: int, fn: int, fp: int, tn: int) -> Counts:
    return ((tp, fn), (fp, tn))


_WEIGHS = "The code weighs an item of m ratings by m(m − 1). Krippendorff weighs it by m; both agree where every m is equal."


def _units(name: str, alpha: Number, why: str, *units: str) -> Published:
    return Published(name, GUIDE, "the code of α", (), (alpha,), units=units, why=why)


def _collot(name: str, place: str, counts: Counts, **values: tuple[str, str]) -> Published:
    return Published(
        name, COLLOT, place, (counts,), tuple(Number(key, *exact_and_printed) for key, exact_and_printed in values.items())
    )


_THREE: Counts = ((30, 10, 5), (10, 20, 5), (5, 5, 10))
TABLES = (
    Published(
        "Balanced labels", RAO, "Section 5", (_two(40, 10, 20, 30),),
        (
            Number("prevalence", "1/2", "0.50"), Number("predicted_prevalence", "3/5", "0.60"),
            Number("accuracy", "7/10", "0.700"), Number("f1", "8/11", "0.727"), Number("expected_agreement", "1/2", "0.500"),
            Number("kappa", "2/5", "0.400"), Number("phi", "√1/6", "0.408"),
        ),
    ),
    Published(
        "A rare label", RAO, "Section 5", (_two(5, 5, 0, 90),),
        (
            Number("prevalence", "1/10", "0.10"), Number("accuracy", "19/20", "0.95"), Number("kappa", "9/14", "0.643"),
            Number("phi", "√9/19", "0.688"),
        ),
    ),
    Published(
        "A judge that always says no", RAO, "Section 5", (_two(0, 10, 0, 90),),
        (Number("accuracy", "9/10", "0.90"), Number("kappa", "0", "0"), Number("phi", "", "undefined")),
    ),
    Published(
        "Every label positive, a judge that says so of half", RAO, "Section 5, where the prevalence tends to 1",
        (_two(50, 50, 0, 0),), (Number("predicted_prevalence", "1/2"), Number("expected_agreement", "1/2", "1.0")),
        why="The paper lets p_e tend to 1 with the prevalence. It tends to the judge’s own rate; to 1 only where both rates do.",
    ),
    Published(
        "Two criteria, pooled and averaged", RAO, "Section 5.1", (_two(784, 16, 16, 184), _two(12, 38, 38, 912)),
        (
            Number("kappa", "9/10", "0.9", "first"), Number("kappa", "1/5", "0.2", "second"),
            Number("kappa", "1739/1955", "0.85"), Number("kappa", "11/20", "0.55", "macro"),
        ),
        why="With equal rates of both sides the two pool to 0.89. For 0.85 the judge must give B’s rare label twice as often.",
    ),
    Published(
        "Abstentions left out", RAO, "Appendix B", (_THREE,),
        (
            Number("n", "70", "70"), Number("accuracy", "5/7", "0.714"), Number("kappa", "5/12", "0.416"),
            Number("f1", "3/4", "0.750"), Number("coverage", "7/10"), Number("judge_coverage", "4/5"),
        ),
        why="The paper cuts κ 0.41667 off after three digits in place of rounding it.",
    ),
    Published(
        "Abstentions as negative", RAO, "Appendix B", (_THREE,),
        (Number("n", "100", "100"), Number("accuracy", "7/10", "0.700"), Number("kappa", "13/33", "0.394"),
         Number("f1", "2/3", "0.667")),
        "as_unmet",
    ),
    Published(
        "Abstentions kept as a class", RAO, "Appendix B", (_THREE,),
        (Number("n", "100", "100"), Number("accuracy", "3/5", "0.600"), Number("kappa", "47/127", "0.370"),
         Number("mcc_multiclass", "47/127"), Number("macro_f1", "73/126")),
        "as_category",
    ),
    Published(
        "Two raters with unlike rates", RAO, "Observation 2", (_two(20, 0, 60, 20),),
        (Number("phi", "1/4"), Number("fleiss", "-1/5"), Number("alpha", "-97/500"), Number("kappa", "2/17")),
    ),
    Published(
        "Sampling variance, equal rates", RAO, "Appendix C", (_two(40, 10, 10, 40),),
        (Number("kappa", "3/5", "0.6"), Number("phi", "3/5", "0.6"), Number("n_var_kappa", "16/25", "0.640"),
         Number("n_var_phi", "16/25", "0.640")),
    ),
    Published(
        "Sampling variance, unlike rates", RAO, "Appendix C", (_two(40, 10, 20, 30),),
        (Number("n_var_kappa", "504/625", "0.806"), Number("n_var_phi", "13/16", "0.813")),
    ),
    _collot(
        "Rare violations, judge A", "Table 1", _two(63, 20, 133, 784),
        precision=("9/28", "0.32"), recall=("63/83", "0.76"), specificity=("112/131", "0.85"), youden_j=("6676/10873", "0.61"),
        f1=("14/31", "0.45"), macro_f1=("36351/53351", "0.68"), accuracy=("847/1000", "0.85"),
        balanced_accuracy=("17549/21746", "0.81"), prevalence=("83/1000", "0.083"),
    ),
    _collot(
        "Rare violations, judge B", "Table 1", _two(47, 36, 69, 848),
        precision=("47/116", "0.41"), recall=("47/83", "0.57"), specificity=("848/917", "0.92"), youden_j=("37372/76111", "0.49"),
        f1=("94/199", "0.47"), macro_f1=("253399/358399", "0.71"), accuracy=("179/200", "0.90"),
        balanced_accuracy=("113483/152222", "0.75"), prevalence=("83/1000", "0.083"),
    ),
    _collot(
        "Few violations found, judge A", "Table 2", _two(50, 150, 20, 780),
        precision=("5/7", "0.71"), recall=("1/4", "0.25"), specificity=("39/40", "0.975"), youden_j=("9/40", "0.225"),
        f1=("10/27", "0.37"), macro_f1=("2971/4671", "0.64"), accuracy=("83/100", "0.83"), balanced_accuracy=("49/80", "0.61"),
        prevalence=("1/5", "0.20"),
    ),
    _collot(
        "Few violations found, judge B", "Table 2", _two(40, 160, 0, 800),
        precision=("1", "1.00"), recall=("1/5", "0.20"), specificity=("1", "1.00"), youden_j=("1/5", "0.20"),
        f1=("1/3", "0.33"), macro_f1=("41/66", "0.62"), accuracy=("21/25", "0.84"), balanced_accuracy=("3/5", "0.60"),
        prevalence=("1/5", "0.20"),
    ),
    Published(
        "Two raters, pass and fail", GUIDE, "the example of κ", (_two(65, 5, 10, 20),),
        (Number("accuracy", "17/20"), Number("expected_agreement", "3/5"), Number("kappa", "5/8", "0.46")),
        why="The guide calls κ 0.46 borderline. Its own table gives 0.625, a band higher: usable.",
    ),
    _units(
        "Twelve items with one to four ratings", Number("alpha", "113/152", "0.720"), _WEIGHS,
        "aaa", "bbcb", "cccc", "cccc", "bbbb", "abcd", "dddd", "aaba", "bbbb", "eee", "aa", "c",
    ),
    _units(
        "Five items with two or five ratings", Number("alpha", "2/11", "0.431"), _WEIGHS, "aaaaa", "aaaab", "ab", "ba", "bb",
    ),
    _units(
        "One label only", Number("alpha", "", "1.0"),
        "The code returns 1.0. Where nothing varies α is 0/0, undefined; the guide’s own κ is undefined there too.", "aa", "aaa",
    ),
)  # fmt: skip
