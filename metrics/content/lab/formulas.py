"""Formulas with the numbers of a table put in, printed with as many digits as the printed result needs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial

from metrics.content.lab.pictures import Picture
from metrics.content.lab.tables import ConfusionTable
from metrics.content.lab.terms import FEWEST, MOST, Printed, fewest, gives
from metrics.data.abstention import Mode
from metrics.data.memo import memoised
from metrics.measures.catalogue import BY_KEY
from metrics.results import words

LONGEST = 28
"""Letters of a formula that still fit at a bar's end."""
DECIMALS = 11
"""Two more than the decimals of a count that comes from rates, which is printed with two fewer than a share."""
WHOLE = Fraction(1, 10**8)
"""A sum of counts that come from rates is whole where it is so near to it."""
NAMES = re.compile(r"\{(\w+)\}")
TP, FN, FP, TN = (0, 0), (0, 1), (1, 0), (1, 1)
ALL = (TP, FN, FP, TN)
DIAGONAL = (TP, TN)

Numbers = Mapping[str, Fraction | None]
"""Counts and sums of counts begin with a capital letter; the others are shares, None where undefined."""
Cells = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Worked:
    """A metric worked out by hand.

    Attributes
    ----------
    general : str
        The formula in symbols, the same that the numbers are put into.
    substituted : str
        The same with the table's numbers; what is printed gives what is printed in `result`. Of an undefined metric it
        divides by 0.
    short : str
        A form of it for a bar's end; empty where none fits.
    result : str
        Two decimals, "–" where undefined.
    reason : str
        Why it is undefined; empty otherwise.
    cells : tuple of (row, column)
        Cells the formula uses; N uses a cell only where nothing less than the whole table is needed.
    where : str
        What its symbols are, with their numbers; empty where the formula has counts alone.
    """

    key: str
    general: str
    substituted: str
    short: str
    result: str
    reason: str
    cells: Cells
    where: str = ""


@dataclass(frozen=True)
class Form:
    """A formula as it is printed, and the same computed from the numbers as they are printed."""

    text: str
    value: Callable[..., Fraction | float]
    general: str = ""
    """It in symbols, where that is not the metric's usual formula."""


@dataclass(frozen=True)
class Formula:
    """A formula in symbols, its forms in numbers (the first that its digits suffice for is shown; the last is in counts)."""

    general: str
    cells: Cells
    forms: tuple[Form, ...]
    short: Form | None = None
    where: tuple[tuple[str, str, Form], ...] = ()
    """Symbol, name of its number, and how it comes about."""
    notes: tuple[str, ...] = ()
    """What remains to be said of the symbols."""


def _root(x: Fraction) -> float:
    return math.sqrt(x)


_CHANCE = Form("({o} − {e}) / (1 − {e})", lambda o, e: (o - e) / (1 - e))
_RATES = Form("{pi} · {hat} + {ip} · {ihat}", lambda pi, hat, ip, ihat: pi * hat + ip * ihat)
_SEEN = Form("({TP} + {TN}) / {N}", lambda TP, TN, N: (TP + TN) / N)
_RECALL = Form("{TP} / ({TP} + {FN})", lambda TP, FN: TP / (TP + FN))
_TNR = Form("{TN} / ({FP} + {TN})", lambda FP, TN: TN / (FP + TN))
_FPR = Form("{FP} / ({FP} + {TN})", lambda FP, TN: FP / (FP + TN))

TWO: dict[str, Formula] = {
    "accuracy": Formula(BY_KEY["accuracy"].formula, DIAGONAL, (_SEEN,), Form("{tp} + {tn}", lambda tp, tn: tp + tn)),
    "balanced_accuracy": Formula(
        BY_KEY["balanced_accuracy"].formula, ALL,
        (
            Form("({tpr} + {tnr}) / 2", lambda tpr, tnr: (tpr + tnr) / 2),
            Form(
                "({TP} / ({TP} + {FN}) + {TN} / ({FP} + {TN})) / 2",
                lambda TP, FN, FP, TN: (TP / (TP + FN) + TN / (FP + TN)) / 2,
                "(TP / (TP + FN) + TN / (FP + TN)) / 2",
            ),
        ),
        where=(("TPR", "tpr", _RECALL), ("TNR", "tnr", _TNR)),
    ),
    "f1": Formula(
        BY_KEY["f1"].formula, (TP, FN, FP),
        (Form("2 · {TP} / (2 · {TP} + {FP} + {FN})", lambda TP, FP, FN: 2 * TP / (2 * TP + FP + FN)),),
        Form("2 · {ppv} · {tpr} / ({ppv} + {tpr})", lambda ppv, tpr: 2 * ppv * tpr / (ppv + tpr)),
    ),
    "gwet_ac1": Formula(
        BY_KEY["gwet_ac1"].formula, ALL,
        (
            Form("({o} − {c}) / (1 − {c})", lambda o, c: (o - c) / (1 - c)),
            Form(
                "(2 · {N} · ({TP} + {TN}) − {Q} · {R}) / (2 · {N} · {N} − {Q} · {R})",
                lambda N, TP, TN, Q, R: (2 * N * (TP + TN) - Q * R) / (2 * N * N - Q * R),
                "(2 · N · (TP + TN) − (2 · TP + FN + FP) · (2 · TN + FN + FP)) / "
                "(2 · N · N − (2 · TP + FN + FP) · (2 · TN + FN + FP))",
            ),
        ),
        where=(
            ("agreement", "o", _SEEN),
            ("2 · q · (1 − q)", "c", Form("2 · {q} · {iq}", lambda q, iq: 2 * q * iq)),
        ),
        notes=("q = (π + π̂) / 2", "how often human and judge say the positive label, on average"),
    ),
    "pabak": Formula(
        BY_KEY["pabak"].formula, DIAGONAL,
        (
            Form("2 · {o} − 1", lambda o: 2 * o - 1),
            Form("2 · ({TP} + {TN}) / {N} − 1", lambda TP, TN, N: 2 * (TP + TN) / N - 1, "2 · (TP + TN) / N − 1"),
        ),
        where=(("agreement", "o", _SEEN),),
    ),
    "phi": Formula(
        BY_KEY["phi"].formula, ALL,
        (
            Form(
                "({TP} · {TN} − {FN} · {FP}) / √({P} · {M} · {J} · {K})",
                lambda TP, TN, FN, FP, P, M, J, K: (TP * TN - FN * FP) / _root(P * M * J * K),
            ),
        ),
    ),
    "kappa": Formula(
        BY_KEY["kappa"].formula, ALL,
        (
            _CHANCE,
            Form(
                "2 · ({TP} · {TN} − {FN} · {FP}) / ({P} · {K} + {J} · {M})",
                lambda TP, TN, FN, FP, P, K, J, M: 2 * (TP * TN - FN * FP) / (P * K + J * M),
                "2 · (TP · TN − FN · FP) / ((TP + FN) · (FN + TN) + (TP + FP) · (FP + TN))",
            ),
        ),
        where=(("agreement", "o", _SEEN), ("chance", "e", _RATES)),
        notes=("how often two with these label rates agree at random",),
    ),
    "recall": Formula(BY_KEY["recall"].formula, (TP, FN), (_RECALL,)),
    "specificity": Formula(BY_KEY["specificity"].formula, (FP, TN), (_TNR,)),
    "fpr": Formula(BY_KEY["fpr"].formula, (FP, TN), (_FPR,)),
    "precision": Formula(BY_KEY["precision"].formula, (TP, FP), (Form("{TP} / ({TP} + {FP})", lambda TP, FP: TP / (TP + FP)),)),
    "youden_j": Formula(
        BY_KEY["youden_j"].formula, ALL,
        (
            Form("{tpr} − {fpr}", lambda tpr, fpr: tpr - fpr),
            Form(
                "{TP} / ({TP} + {FN}) − {FP} / ({FP} + {TN})",
                lambda TP, FN, FP, TN: TP / (TP + FN) - FP / (FP + TN),
                "TP / (TP + FN) − FP / (FP + TN)",
            ),
        ),
        where=(("TPR", "tpr", _RECALL), ("FPR", "fpr", _FPR)),
    ),
    "prevalence": Formula(
        BY_KEY["prevalence"].formula, (TP, FN), (Form("({TP} + {FN}) / {N}", lambda TP, FN, N: (TP + FN) / N),)
    ),
    "predicted_prevalence": Formula(
        BY_KEY["predicted_prevalence"].formula, (TP, FP), (Form("({TP} + {FP}) / {N}", lambda TP, FP, N: (TP + FP) / N),)
    ),
    "drift": Formula(BY_KEY["drift"].formula, (FN, FP), (Form("({FP} − {FN}) / {N}", lambda FP, FN, N: (FP - FN) / N),)),
    "expected_agreement": Formula(
        BY_KEY["expected_agreement"].formula, ALL,
        (
            _RATES,
            Form(
                "({P} · {J} + {M} · {K}) / ({N} · {N})",
                lambda P, J, M, K, N: (P * J + M * K) / (N * N),
                "((TP + FN) · (TP + FP) + (FP + TN) · (FN + TN)) / (N · N)",
            ),
        ),
    ),
}  # fmt: skip


def worked(key: str, picture: Picture) -> Worked:
    """Return a metric of one table, worked out.

    Raises
    ------
    KeyError
        For a metric that a table of so many labels does not have; see `TWO` and `three`.
    """
    return memoised(picture, ("worked", key), lambda: _worked(key, picture))


def _worked(key: str, picture: Picture) -> Worked:
    formula = TWO[key] if picture.two else three(picture)[key]
    numbers = _numbers(picture.table, picture.mode, picture.third)
    value = picture.values[key]
    result, reason = words.number(value), picture.why(key)
    if math.isnan(value):
        form, printed = _undefined(formula, numbers)
        return Worked(key, form.general or formula.general, printed, "", result, reason, formula.cells)
    form, digits, printed = _first(formula.forms, numbers, value)
    short = _short(formula, printed, numbers, value)
    where = _where(formula, numbers, digits) if form is formula.forms[0] else ""
    return Worked(key, form.general or formula.general, printed, short, result, reason, formula.cells, where)


def three(picture: Picture) -> dict[str, Formula]:
    """Return the formulas of a table in which "no verdict" is a class of its own."""
    places = range(len(picture.counts))
    everywhere = tuple((row, column) for row in places for column in places)
    used = [k for k in places if picture.counts[k].any() or picture.counts[:, k].any()]
    seen = Form(
        f"({' + '.join(f'{{D{k}}}' for k in places)}) / {{N}}",
        lambda N, **d: sum(d.values()) / N,
    )
    by_chance = Form("{E} / ({N} · {N})", lambda E, N: E / (N * N))
    each = [f"2 · {{D{k}}} / ({{R{k}}} + {{C{k}}})" for k in used]
    return {
        "accuracy": Formula("(agreed on each class, added up) / N", tuple((k, k) for k in places), (seen,)),
        "kappa": Formula(
            "(agreement − chance) / (1 − chance)", everywhere,
            (
                _CHANCE,
                Form(
                    "({N} · {S} − {E}) / ({N} · {N} − {E})",
                    lambda N, S, E: (N * S - E) / (N * N - E),
                    "(N · agreed − Σ r · c) / (N · N − Σ r · c)",
                ),
            ),
            where=(("agreement", "o", seen), ("chance", "e", by_chance)),
        ),
        "mcc_multiclass": Formula(
            BY_KEY["mcc_multiclass"].formula, everywhere,
            (
                Form(
                    "({N} · {S} − {E}) / √(({N} · {N} − {RR}) · ({N} · {N} − {CC}))",
                    lambda N, S, E, RR, CC: (N * S - E) / _root((N * N - RR) * (N * N - CC)),
                ),
            ),
        ),
        "macro_f1": Formula(
            BY_KEY["macro_f1"].formula, everywhere,
            (
                Form(
                    f"({' + '.join(f'{{f{k}}}' for k in used)}) / {len(used)}",
                    lambda **f: sum(f.values()) / len(f),
                ),
                Form(
                    f"({' + '.join(each)}) / {len(used)}",
                    lambda **n: sum(2 * n[f"D{k}"] / (n[f"R{k}"] + n[f"C{k}"]) for k in used) / len(used),
                ),
            ),
        ),
        "expected_agreement": Formula("Σ r · c / N²", everywhere, (by_chance,)),
    }  # fmt: skip


@lru_cache(maxsize=16)
def _numbers(table: ConfusionTable, mode: Mode, third: bool) -> Numbers:
    """Return everything the formulas name, exact."""
    counts = [[Fraction(repr(float(n))) for n in row] for row in table.counts(mode, third=third)]
    rows, columns = [_sum(row) for row in counts], [_sum(column) for column in zip(*counts, strict=True)]
    agreed = [row[k] for k, row in enumerate(counts)]
    n, hits, by_chance = _sum(rows), _sum(agreed), _sum(r * c for r, c in zip(rows, columns, strict=True))
    numbers = {"N": n, "S": hits, "E": by_chance, "o": _over(hits, n), "e": _over(by_chance, n * n)}
    if len(counts) > 2:
        numbers |= {"RR": _sum(r * r for r in rows), "CC": _sum(c * c for c in columns)}
        for k, (hit, r, c) in enumerate(zip(agreed, rows, columns, strict=True)):
            numbers |= {f"D{k}": hit, f"R{k}": r, f"C{k}": c, f"f{k}": _over(2 * hit, r + c)}
        return numbers
    (tp, fn), (fp, tn) = counts
    (p, m), (j, k_) = rows, columns
    return numbers | {
        "TP": tp, "FN": fn, "FP": fp, "TN": tn, "P": p, "M": m, "J": j, "K": k_, "Q": p + j, "R": m + k_,
        "tpr": _over(tp, p), "tnr": _over(tn, m), "fpr": _over(fp, m), "ppv": _over(tp, j),
        "tp": _over(tp, n), "tn": _over(tn, n), "pi": _over(p, n), "ip": _over(m, n), "hat": _over(j, n), "ihat": _over(k_, n),
        "q": _over(p + j, 2 * n), "iq": _over(m + k_, 2 * n), "c": _over((p + j) * (m + k_), 2 * n * n),
    }  # fmt: skip


def _sum(parts: Iterable[Fraction]) -> Fraction:
    return sum(parts, start=Fraction())


def _over(above: Fraction, below: Fraction) -> Fraction | None:
    return above / below if below else None


def _first(forms: tuple[Form, ...], numbers: Numbers, value: float) -> tuple[Form, int, str]:
    """Return the first form, with the fewest digits, that gives the value as it is printed; else the last form in full."""
    for form in forms:
        most = DECIMALS if form is forms[-1] else MOST
        digits_and_text = fewest(partial(_put_in, form, numbers), gives(value), range(FEWEST, most + 1))
        if digits_and_text is not None:
            return form, *digits_and_text
    whole = _put_in(forms[-1], numbers, DECIMALS)
    return forms[-1], DECIMALS, "" if whole is None else whole[0]


def _put_in(form: Form, numbers: Numbers, digits: int) -> Printed | None:
    """Return a form with numbers of so many digits and what it gives; None where a number cannot be printed so."""
    texts = {}
    for name in set(NAMES.findall(form.text)):
        text = _printed(name, numbers[name], digits)
        if text is None:
            return None
        texts[name] = text
    try:
        result = Fraction(form.value(**{name: Fraction(text.replace(words.THIN_SPACE, "")) for name, text in texts.items()}))
    except ZeroDivisionError:
        return form.text.format(**texts), None
    return form.text.format(**texts), result


def _printed(name: str, x: Fraction | None, digits: int) -> str | None:
    """Return a number of a formula: .90, .824, 1 000, 26.7; None where a share would read 0 or 1 and is not."""
    if x is None:
        return None
    if name[0].isupper():
        return _counted(x, digits - 2)
    if x in (0, 1):
        return str(x)
    text = f"{float(x):.{digits}f}"
    if float(text) in (0, 1):
        return None
    return text[1:4] + text[4:].rstrip("0")


def _counted(x: Fraction, decimals: int) -> str | None:
    near = round(x)
    if x == near or (near and abs(x - near) < WHOLE):
        return f"{near:,}".replace(",", words.THIN_SPACE)
    text = f"{float(x):,.{decimals}f}".rstrip("0").rstrip(".").replace(",", words.THIN_SPACE)
    return None if text == "0" else text


def _undefined(formula: Formula, numbers: Numbers) -> tuple[Form, str]:
    """Return the first form whose numbers there are: it divides by 0."""
    for form in formula.forms:
        for digits in range(FEWEST, DECIMALS + 1):
            printout = _put_in(form, numbers, digits)
            if printout is not None and printout[1] is None:
                return form, printout[0]
    return formula.forms[-1], words.UNDEFINED


def _short(formula: Formula, printed: str, numbers: Numbers, value: float) -> str:
    for text in (printed, printed.replace(" · ", "·")):
        if len(text) <= LONGEST:
            return text
    if formula.short is None:
        return ""
    _, digits, text = _first((formula.short,), numbers, value)
    return text if digits <= MOST and len(text) <= LONGEST else ""


def _rounds_to(shown: Fraction, half: Fraction, fraction: Fraction) -> bool:
    return abs(fraction - shown) <= half


def _where(formula: Formula, numbers: Numbers, digits: int) -> str:
    """Return the symbols of a formula, with as many digits as it has itself: agreement = (45 + 855) / 1 000 = .90, chance = …"""
    equations = []
    for symbol, name, form in formula.where:
        shown = _printed(name, numbers[name], digits)
        if shown is None:
            continue
        near = partial(_rounds_to, Fraction(shown), Fraction(1, 2 * 10**digits))
        digits_and_text = fewest(partial(_put_in, form, numbers), near, range(digits, DECIMALS + 1))
        if digits_and_text is not None:
            equations.append(f"{symbol} = {digits_and_text[1]} = {shown}")
    return ", ".join([*equations, *formula.notes])
