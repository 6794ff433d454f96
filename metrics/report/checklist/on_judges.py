"""Practice 11: how several judges agree is one number, and each of them has its matrix."""

from __future__ import annotations

from metrics.analyses.raters.equivalences import same_numbers
from metrics.analyses.raters.result import RaterBlock, estimate_text
from metrics.report.checklist.case import Case, listed
from metrics.report.checklist.contents import INTER_JUDGE
from metrics.report.checklist.practice import Lack, Practice, judged, put_back, without_object
from metrics.results import words

RELATED = (("alpha", "fleiss_kappa"), ("fleiss_kappa", "mean_pairwise_phi"))


def ensemble(case: Case) -> Practice:
    """Return the practice: met where one number says how the judges agree, and every judge's matrix is reported."""
    names = case.findings.judges or (() if case.findings.between is None else case.findings.between.raters)
    if len(names) < 2:
        return without_object(11, "There is one judge" if names else "There is no judge")
    if case.agreement is None and case.compared:
        return without_object(11, f"{words.count(len(names))} judges give scores on a continuous scale, which have no matrix")
    between = case.findings.between
    chosen = case.contents.inter_judge
    lacks = [
        None if case.contents.has("judges") else put_back("judges"),
        None if between is not None else Lack("Find out how the judges agree with each other", "ensemble"),
        None if case.agreement is not None else Lack("Add a human’s labels: a matrix needs a reference", "data"),
        _choose(chosen),
        None if between is None else _undefined(between.pooled, chosen),
    ]
    evidence = [*([] if between is None else [*_between(between.pooled), _reported(chosen)]), _matrices(case)]
    return judged(11, evidence, lacks)


def _choose(chosen: tuple[str, ...]) -> Lack | None:
    if len(chosen) == 1:
        return None
    if not chosen:
        return Lack(f"Choose one number for how the judges agree: {', '.join(INTER_JUDGE.values())}", "report")
    first, *others = (INTER_JUDGE[key] for key in INTER_JUDGE if key in chosen)
    return Lack(f"Report one: {first}, without {listed(others)}", "report")


def _undefined(block: RaterBlock, chosen: tuple[str, ...]) -> Lack | None:
    """Return the lack where the one number reported has no value."""
    gone = next((key for key in chosen if key in block.undefined), None)
    if gone is None:
        return None
    there = [INTER_JUDGE[key] for key in INTER_JUDGE if key in block.values and key not in block.undefined]
    why = f"{block.symbol(gone)} is undefined, {block.undefined[gone]}"
    if there:
        return Lack(f"Report {there[0]}: {why}", "report")
    return Lack(f"Add decisions on which the judges’ labels vary: {why}", "data")


def _reported(chosen: tuple[str, ...]) -> str:
    names = [INTER_JUDGE[key] for key in INTER_JUDGE if key in chosen]
    return f"Reported: {listed(names)}" if names else "None of them is reported"


def _between(block: RaterBlock) -> list[str]:
    """Return the three numbers, and why they are or are not one."""
    values = [f"{block.symbol(key)} {estimate_text(block, key)}" for key in INTER_JUDGE if key in block.values]
    gone = [f"{block.symbol(key)} is undefined: {block.undefined[key]}" for key in INTER_JUDGE if key in block.undefined]
    why = [
        f"{equivalence.title(block)}: {equivalence.why}"
        for equivalence in same_numbers(block)
        if (equivalence.a, equivalence.b) in RELATED
    ]
    return [f"Among {words.several(block.n_raters, 'judges')}: {'; '.join(values)}", *gone, *why]


def _matrices(case: Case) -> str:
    if case.agreement is None:
        return "No judge has a matrix without a reference"
    if not case.contents.has("judges"):
        return ""
    n = len(case.agreement.judges)
    k = case.classes
    return f"{words.several(n, 'matrices')} of {k} × {k}, one of each judge" if n > 1 else ""
