"""What codes of disagreements say, in sentences."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.coding.codes import CODES, Code, Coding
from metrics.analyses.coding.compute import OVERALL, Checked, CodingReport, Counted, Recount, key_of
from metrics.analyses.disagreements.listing import Listing
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import cohen_kappa
from metrics.results import words

FLATTERS = (
    "Only disagreements were looked at, so the corrected number flatters the judge: where people and judge are wrong together, "
    "nothing was corrected."
)


def progress_words(counted: Counted) -> str:
    """Return how many disagreements are coded and with what: "3 of 40 disagreements coded: 2 judge wrong, 1 human wrong".

    Those on which the reader cannot tell stand behind.
    """
    by = ", ".join(f"{words.count(n)} {CODES[code].lower()}" for code, n in counted.codes.items() if n)
    of = words.several(counted.n, "disagreements")
    unsure = f"; cannot tell on {words.count(counted.n_unsure)}" if counted.n_unsure else ""
    return f"{words.count(counted.n_coded)} of {of} coded{f': {by}' if by else ''}{unsure}"


def blind_words(listing: Listing, coding: Coding, cells: NDArray[np.int64]) -> str:
    """Return how many decisions of a list the reader labelled without seeing the others: "3 of 40 decisions labelled blind".

    Those on which the reader cannot tell, and gave no label, stand behind.
    """
    each = [coding.of(key_of(listing, cell)) for cell in cells.tolist()]
    n, n_unsure = sum(bool(one.own) for one in each), sum(one.code == "unsure" and not one.own for one in each)
    unsure = f"; cannot tell on {words.count(n_unsure)}" if n_unsure else ""
    return f"{words.count(n)} of {words.several(len(cells), 'decisions')} labelled blind{unsure}"


def own_reading(coding: Coding, judge: str) -> str:
    """Return whose label the reader gave without seeing either; empty where none was given so.

    Disagreements and agreements apart: of an agreement a label can only be that of both or of neither.
    """
    codes = [coded.code for key, coded in coding.codes.items() if coded.own and coded.code != "unsure" and key[2] == judge]
    differ = [code for code in codes if code not in ("right", "wrong")]
    agree = [code for code in codes if code in ("right", "wrong")]
    parts = []
    if differ:
        sides = [(differ.count("judge"), "that of the people"), (differ.count("human"), "the judge’s")]
        rest = len(differ) - sum(n for n, _ in sides)
        shown = [f"{words.count(n)} {whose}" for n, whose in [*sides, (rest, "neither or coded otherwise since")] if n]
        parts.append(f"Of {words.several(len(differ), 'disagreements')} labelled blind the label is {words.listed(shown)}.")
    if agree:
        same = words.count(agree.count("right"))
        parts.append(f"Of {words.several(len(agree), 'agreements')} labelled blind it is that of both on {same}.")
    return " ".join(parts)


def code_reading(counted: Counted) -> str:
    """Return which code is the commonest, with its share; no claim where its interval does not leave half of them."""
    if not counted.n_coded:
        return "No disagreement is coded yet."
    most: Code = max(counted.codes, key=lambda code: counted.codes[code])
    alike = [CODES[code].lower() for code, n in counted.codes.items() if n == counted.codes[most]]
    if len(alike) > 1:
        return f"No code is the commonest: {words.listed(alike)}, {words.count(counted.codes[most])} each."
    share = counted.share(most)
    of = f"{words.count(counted.codes[most])} of {words.count(counted.n_coded)} coded"
    if counted.n_coded == counted.n or share.ends is None:
        return f"{CODES[most]}: {of} ({words.percent(share.value)})."
    rest = words.several(counted.n - counted.n_coded, "disagreements")
    sure = "" if share.ends[0] > 0.5 else " No code is shown to be that of most disagreements."
    return f"{CODES[most]}: {of}, {words.estimate(share, '%')} if the {rest} without a code are like these.{sure}"


def recount_reading(recount: Recount) -> str:
    """Return one number as labelled and with people's errors corrected, and why the second flatters."""
    symbol = BY_KEY[recount.metric].symbol
    labels = "label" if recount.n_corrected == 1 else "labels"
    return (
        f"{symbol} is {words.estimate(recount.as_labelled)} as labelled and {words.estimate(recount.corrected)} with "
        f"{words.count(recount.n_corrected)} {labels} of people corrected. {FLATTERS}"
    )


def checked_reading(checked: Checked) -> str:
    """Return what a random part of the agreements adds: agreement with people's errors corrected on both sides of the table."""
    name, n = words.shorten(checked.criterion), words.several(checked.n_agreements, "agreements")
    found = f"{words.count(checked.n_coded)} of {n} on {name} coded: {words.count(checked.n_wrong)} wrong on both sides."
    if not checked.estimate.defined:
        return f"{found} {BY_KEY[checked.metric].symbol} with people’s errors corrected is not estimated: {checked.estimate.why}."
    return (
        f"{found} With people’s errors corrected {BY_KEY[checked.metric].symbol} is estimated at "
        f"{words.estimate(checked.estimate)}, unbiased where the coded decisions are a random part of their kind."
    )


def criterion_reading(report: CodingReport, criterion: str) -> str:
    """Return what the codes of one criterion say."""
    counted = report.criteria[criterion]
    parts = [f"{progress_words(counted)}."]
    if counted.n_coded > 1:
        parts.append(code_reading(counted))
    if criterion in report.recounts:
        parts.append(recount_reading(report.recounts[criterion]))
    if criterion in report.checked:
        parts.append(checked_reading(report.checked[criterion]))
    return " ".join(parts)


def report_reading(report: CodingReport) -> str:
    """Return what the codes of a judge's disagreements say."""
    parts = [code_reading(report.overall)]
    if OVERALL in report.recounts:
        parts.append(recount_reading(report.recounts[OVERALL]))
    known = [checked for checked in report.checked.values() if checked.estimate.defined]
    parts += map(checked_reading, known)
    if len(known) < len(report.checked):
        without = words.several(len(report.checked) - len(known), "criteria")
        parts.append(f"On {without} with a coded agreement too few kinds of decisions are coded for an estimate.")
    return " ".join(parts)


def loaded_words(before: Coding, other: Coding, counts: np.ndarray, sha256: str) -> str:
    """Return what was taken from a file of codes, and how far both people agree.

    Parameters
    ----------
    before, other : Coding
        The codes held so far, and those of the file.
    counts : ndarray of int64, shape (4, 4)
        Decisions that both coded, as `both_coded` gives them.
    sha256 : str
        Digest of the file in view.
    """
    new = sum(bool(coded.code) and not before.of(key).code for key, coded in other.codes.items())
    parts = [f"{words.several(new, 'codes')} taken over; nothing that was coded here is replaced."]
    n = int(counts.sum())
    if n:
        same, kappa = int(np.trace(counts)), float(cohen_kappa(counts))
        agree = "κ is undefined: both give one code only" if np.isnan(kappa) else f"κ {words.number(kappa)}"
        parts.append(f"Of {words.several(n, 'decisions')} that both coded, {words.count(same)} have the same code ({agree}).")
    if other.sha256 and other.sha256 != sha256:
        parts.append(f"They were made on {words.shorten(other.file)}, another file than the one in view.")
    return " ".join(parts)
