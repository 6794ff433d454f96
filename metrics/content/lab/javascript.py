"""The formulas of the lab as JavaScript, so that a figure under the hand computes what the catalogue does.

What is emitted is the formula in counts that `metrics.content.lab.formulas` prints; a test holds it equal to the catalogue over
all small tables.
"""

from __future__ import annotations

import re

from metrics.content.lab.formulas import NAMES, TWO

SUMS = {
    "N": "TP + FN + FP + TN", "P": "TP + FN", "M": "FP + TN", "J": "TP + FP", "K": "FN + TN",
    "Q": "2 * TP + FN + FP", "R": "2 * TN + FN + FP",
}  # fmt: skip
"""What the formulas name beside the four cells."""
SIGNS = {"·": "*", "−": "-", "√": "Math.sqrt"}
EXPRESSION = re.compile(r"[\w\s.()*/+-]+")


def emitted(key: str) -> str:
    """Return a metric of two labels as a function of TP, FN, FP, TN; NaN where it is undefined.

    Raises
    ------
    KeyError
        For a metric that has no formula in counts.
    ValueError
        For a formula with a sign that has no counterpart.
    """
    text = TWO[key].forms[-1].text
    used = dict.fromkeys(NAMES.findall(text))
    body = NAMES.sub(r"\1", text)
    for sign, operator in SIGNS.items():
        body = body.replace(sign, operator)
    if not EXPRESSION.fullmatch(body) or not used.keys() <= SUMS.keys() | {"TP", "FN", "FP", "TN"}:
        raise ValueError(f"{key}: {text}")
    sums = "".join(f"const {name} = {SUMS[name]}; " for name in used if name in SUMS)
    return f"(TP, FN, FP, TN) => {{ {sums}return {body}; }}"


def formulas() -> str:
    """Return all of them as one constant, `METRICS`, by the keys of the catalogue."""
    return "const METRICS = {\n" + "".join(f"  {key}: {emitted(key)},\n" for key in TWO) + "};\n"
