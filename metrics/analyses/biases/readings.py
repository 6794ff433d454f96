"""What biases say, in sentences, and the report as plain text; no direction where the interval holds 0."""

from __future__ import annotations

from metrics.analyses.biases.result import Bias, BiasReport
from metrics.results import words
from metrics.results.prose import Listing, Paragraph, Passage

FAVOURS = {"length": "long texts", "source": "this source", "kinship": "its own family"}
"""What the judge favours, or disfavours, were nothing else behind an effect."""


def quoted(name: str) -> str:
    return f"‘{words.shorten(name)}’"


def sentence(bias: Bias, positive: str) -> str:
    """Return a bias in words: its size, whether it is told from none, and what else may be behind it.

    Parameters
    ----------
    bias : Bias
    positive : str
        The label whose share is looked at.
    """
    estimate = bias.effect.estimate
    if not estimate.ends:
        return f"{_what(bias)}: no effect is measured, for {estimate.why}."
    many = f", corrected for {words.several(bias.n_tested, 'groups')}" if bias.n_tested > 1 else ""
    p = f"p {words.p_value(bias.effect.p)}{many}"
    if not bias.told:
        return f"{_what(bias)}: no significant effect, {words.estimate(estimate, 'points')} {_where(bias)} ({p}).{_beside(bias)}"
    label, more = words.marked(words.shorten(positive)), estimate.value > 0
    size = words.estimate(abs(estimate), "points").replace("+", "")
    beside = "" if bias.kind == "length" else " than elsewhere"
    return (
        f"{_what(bias)}: with the same human label the judge says {label} {'more' if more else 'less'} often "
        f"{_where(bias)}{beside}, by {size} ({p}). Unless something else differs there, it "
        f"{'favours' if more else 'disfavours'} {FAVOURS[bias.kind]}.{_errors(bias)}{_beside(bias)}"
    )


def _what(bias: Bias) -> str:
    return {
        "length": f"Length of {quoted(bias.column)}",
        "source": f"Source {quoted(bias.column)}",
        "kinship": f"Answers of the judge’s own family, {bias.value}, by {quoted(bias.column)}",
    }[bias.kind]


def _where(bias: Bias) -> str:
    return {
        "length": "for each doubling of the length",
        "source": f"where it is {quoted(bias.value)}",
        "kinship": "there",
    }[bias.kind]


def _errors(bias: Bias) -> str:
    errors = bias.errors.estimate
    if not errors.ends:
        return ""
    seen = "changes by" if errors.sign else "does not change significantly:"
    return f" The share of errors {seen} {words.estimate(errors, 'points')}."


def _beside(bias: Bias) -> str:
    if not bias.confounded:
        return ""
    named = words.listed([f"{quoted(column)} ({words.percent(share)} of it)" for column, share in bias.confounded], 3)
    text = f" Confounded with {named}"
    if bias.held is None or not bias.held.estimate.ends:
        return f"{text}."
    return f"{text}: with {quoted(bias.confounded[0][0])} held the change is {words.estimate(bias.held.estimate, 'points')}."


def headline(report: BiasReport, judge: str) -> str:
    """Return which properties have a significant effect on a judge, or that none has.

    Parameters
    ----------
    report : BiasReport
    judge : str
    """
    if report.why:
        return f"biases are not measured: {report.why}."
    biases = report.judges[judge]
    told = [bias for bias in biases if bias.told]
    if not biases:
        return "no text and no column of the file has enough answers to look for a bias."
    if not told:
        looked = "the one property" if len(biases) == 1 else f"{words.count(len(biases))} properties"
        return f"no significant effect on {quoted(judge)} of {looked} looked at."
    names = words.listed([_what(bias)[:1].lower() + _what(bias)[1:] for bias in told])
    return f"where the human label is the same, the verdicts of {quoted(judge)} still differ by {names}."


def summary(report: BiasReport) -> str:
    """Return the biases of every judge, a line to a property."""
    parts = []
    for judge, biases in report.judges.items():
        lines = [judge, f"  {words.capital(headline(report, judge))}"]
        for bias in biases:
            lines.append(f"  {sentence(bias, report.positive)}")
            if bias.items:
                lines.append(f"    Items that show it: {words.listed(list(bias.items))}.")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) if parts else words.capital(headline(report, ""))


def passages(report: BiasReport) -> tuple[Passage, ...]:
    """Return what a notebook shows."""
    shown: list[Passage] = []
    for judge, biases in report.judges.items():
        shown.append(Paragraph(words.capital(headline(report, judge)), "verdict"))
        shown.append(Listing(tuple(sentence(bias, report.positive) for bias in biases)))
    return tuple(shown) or (Paragraph(words.capital(headline(report, "")), "verdict"),)
