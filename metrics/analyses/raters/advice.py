"""What to do next after the gate, tied to what the labels show."""

from __future__ import annotations

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.planning.sizes import about
from metrics.analyses.raters.evidence import CriterionEvidence
from metrics.analyses.raters.gate import RareLabel, Side, needed_words
from metrics.analyses.raters.readings import add_rare_words, listed_names
from metrics.analyses.raters.readings_evidence import leaning_reading
from metrics.results import words

PASSES, UNDECIDED = "passes", "undecided"
ANEW = "Label twenty items together, talk through the borderline ones, then label the next fifty apart and measure again."
ONE_SCALE = "Check first whether all use one scale"
UNSHOWN = "The labels do not show why."


def next_step(
    criterion_evidence: CriterionEvidence,
    verdict: str,
    n_needed: int | None = None,
    *,
    would: Side = "",
    undefined: str = "",
    why_not: str = "",
    rare: RareLabel | None = None,
    name: Name = plain_name,
) -> str:
    """Return what to do next after the gate, tied to what the data show.

    Parameters
    ----------
    verdict : {"passes", "fails", "undecided"}
    n_needed : int, optional
        Items that would decide; None where none would, for the reason in `why_not`.
    would : {"passes", "fails", ""}
        The verdict that they would show.
    undefined : str
        Why there is no value to judge, where there is none.
    rare : RareLabel, optional
        Of a gate that fails although the raters agree: then nothing speaks of the rubric.
    """
    if undefined:
        return f"Nothing to decide yet: {undefined}. {_more(criterion_evidence)}"
    if "scales" in criterion_evidence.causes:
        return f"{ONE_SCALE}: {criterion_evidence.scales}"
    if verdict == UNDECIDED:
        many = f": {why_not}" if why_not else ""
        shown = "" if n_needed is None else words.capital(needed_words(n_needed, would))
        many = f"{shown}." if shown else f"How many cannot be said{many}."
        if "training" in criterion_evidence.causes:
            return f"{find_out(criterion_evidence, name)} Then label more items. {many}"
        if leans := leaning_reading(criterion_evidence, name):
            return f"{leans} Agree first on when to give it, then label more items. {many}"
        return f"Label more items before you change anything. {many}"
    causes = [cause for cause in criterion_evidence.causes if cause != "ambiguity" or (verdict != PASSES and rare is None)]
    acts = [_act(cause, criterion_evidence, name) for cause in causes]
    if verdict == PASSES:
        return " ".join(["Calibrate the judge against these labels.", *(act.replace(" first ", " ", 1) for act in acts)])
    if rare is not None:
        share = f"{'it is' if len(rare.labels) == 1 else 'they are'} only {words.percent(rare.share)} of labels"
        return " ".join([*acts, f"{add_rare_words(rare, name)} before you change the rubric: {share}. Then measure again."])
    if acts:
        return " ".join(acts)
    unshown = leaning_reading(criterion_evidence, name) or UNSHOWN
    if not criterion_evidence.ambiguity.n_split:
        return f"{UNSHOWN} Have more raters label more items."
    many = words.several(criterion_evidence.ambiguity.n_split, criterion_evidence.ambiguity.unit)
    return (
        f"{unshown} Go through the {many} they differ on with the raters and write down how each is to be decided. Then label "
        "anew and measure again."
    )


def short_step(
    criterion_evidence: CriterionEvidence,
    verdict: str,
    n_needed: int | None = None,
    *,
    undefined: str = "",
    rare: RareLabel | None = None,
    name: Name = plain_name,
) -> str:
    """Return the first thing to do, in a few words, for a row of a figure or a table.

    Parameters
    ----------
    own, verdict, n_needed, undefined, rare, name
        As in `next_step`.
    """
    if undefined:
        return _more(criterion_evidence)
    if "scales" in criterion_evidence.causes:
        return f"{ONE_SCALE}."
    if verdict == UNDECIDED and "training" in criterion_evidence.causes:
        return find_out(criterion_evidence, name)
    if verdict == UNDECIDED:
        return "Label more items." if n_needed is None else f"Label {about(n_needed)} items."
    if verdict == PASSES:
        return "Calibrate the judge."
    first = criterion_evidence.causes[0] if criterion_evidence.causes else ""
    if first == "training":
        return find_out(criterion_evidence, name)
    if first == "fatigue":
        return "Smaller batches, rotate raters."
    if first == "self-agreement":
        return "Ask raters why they changed labels."
    if rare is not None:
        return f"{add_rare_words(rare, name)}."
    many = words.several(criterion_evidence.ambiguity.n_split, criterion_evidence.ambiguity.unit)
    return (
        f"Clarify the rubric ({many} disputed)."
        if first
        else f"Discuss {many}."
        if criterion_evidence.ambiguity.n_split
        else "Label more items."
    )


def find_out(criterion_evidence: CriterionEvidence, name: Name = plain_name) -> str:
    """Return that the reason why raters stand apart is to be found first: their labels may be turned round."""
    who, many = _outliers(criterion_evidence, name), len(criterion_evidence.training.outliers) > 1
    if _reversed(criterion_evidence):
        whose = f"{who} {'agree' if many else 'agrees'} with the others less than chance"
        return f"Check first which way round {who} {'use' if many else 'uses'} the scale: {whose}."
    return f"Find out first why {who} {'differ' if many else 'differs'} from the others."


def _reversed(criterion_evidence: CriterionEvidence) -> bool:
    return all(rater.is_reversed for rater in criterion_evidence.training.outliers)


def _outliers(criterion_evidence: CriterionEvidence, name: Name) -> str:
    return listed_names([rater.name for rater in criterion_evidence.training.outliers], name)


def _more(criterion_evidence: CriterionEvidence) -> str:
    if criterion_evidence.ambiguity.n_units:
        return "Add items that should get another label."
    return "Have two or more raters label the same items."


def _act(cause: str, criterion_evidence: CriterionEvidence, name: Name) -> str:
    if cause == "training":
        return f"{find_out(criterion_evidence, name)} {ANEW}"
    if cause == "fatigue":
        why = "agreement falls as the work goes on"
        return f"Give smaller batches and rotate raters: {why}. Slip in items labelled before, as a check."
    if cause == "self-agreement":
        return (
            "Ask the raters why they changed their labels: their self-agreement on repeated items is low. The labels do not show "
            "whether these are corrections, slips, or a rubric that can be read in two ways."
        )
    return (
        "Clarify the rubric: give examples and anchors for the "
        f"{words.several(criterion_evidence.ambiguity.n_split, criterion_evidence.ambiguity.unit)} the "
        "raters split on, or divide the criterion in two. Then label anew and measure again."
    )
