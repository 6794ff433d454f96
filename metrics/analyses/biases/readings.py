"""What biases say, in sentences, and the report as plain text; no direction where the interval holds 0."""

from __future__ import annotations

from metrics.analyses.biases.result import Bias, BiasReport, told_together
from metrics.analyses.cautions import weights_unused_words
from metrics.analyses.preferences.readings import order_reading
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.prose import Listing, Paragraph, Passage
from metrics.results.words import quoted

FAVOURS = {"length": "long texts", "source": "this source", "kinship": "its own family"}
"""What the judge favours, or disfavours, were nothing else behind an effect."""


def sentence(bias: Bias, report: BiasReport) -> str:
    """Return a bias in words: its size, whether it is told from none, and what else may be behind it.

    Parameters
    ----------
    bias : Bias
    report : BiasReport
        It is of.
    """
    return f"{_sentence(bias, report)}{_by_weight(bias, report)}"


def what_changes(report: BiasReport) -> str:
    """Return what an effect is a change of."""
    if "pairwise" in report.declaration.scales.values():
        return "how much more often than people, on the same decisions"
    return f"{'mean label' if report.scale else 'share of positive verdicts'} where the human label is the same"


def swayed(bias: Bias, report: BiasReport, name: str) -> str:
    """Return a bias that is told in one short sentence, for a first look.

    Parameters
    ----------
    bias : Bias
    report : BiasReport
        It is of.
    name : str
        Of the judge, as it is shown.
    """
    more, size = bias.effect.estimate.value > 0, _size(bias.effect.estimate, report)
    own = f"answers of its own family, {bias.value}" if bias.kind == "kinship" else "longer texts"
    step = " for each doubling" if bias.kind == "length" else ""
    of = quoted(bias.column)
    if bias.pairwise:
        own = "the answer of its own family" if bias.kind == "kinship" else "the longer answer"
        return f"{name} prefers {own} {'more' if more else 'less'} often than people do: {size}{step} ({of})."
    on = "At the same human label"
    if bias.on and len(bias.on) < bias.n_criteria:
        size = _size(bias.on[0][1].estimate, report)
        on = f"On {words.shorten(bias.on[0][0])}, at the same human label"
        of += f"; shown on {words.count(len(bias.on))} of {words.count(bias.n_criteria)} criteria"
    if report.scale:
        return f"{on} {name} rates {own} {'higher' if more else 'lower'}: {size}{step} ({of})."
    label = words.marked(words.shorten(report.positive))
    return f"{on} {name} says {label} {'more' if more else 'less'} often of {own}: {size}{step} ({of})."


def _size(estimate: Estimate, report: BiasReport) -> str:
    """Return a change with its sign and its interval: in points of a share, or on the scale of the labels."""
    if not report.scale:
        return words.estimate(estimate, "points")
    return f"{words.signed(estimate.value, 2)}{words.behind(estimate.ends)}"


def _by_weight(bias: Bias, report: BiasReport) -> str:
    """Return the effect with every item by its weight."""
    effect, beyond = bias.weighted, bias.weighted_beyond
    if effect is None or not effect.estimate.ends:
        return ""
    p = f"p {words.p_value(effect.p)}"
    apart = f", beyond people {_size(beyond.estimate, report)}" if beyond is not None and beyond.estimate.ends else ""
    return f" By weight the change is {_size(effect.estimate, report)} ({p}){apart}."


def _sentence(bias: Bias, report: BiasReport) -> str:
    estimate = bias.effect.estimate
    if not estimate.ends:
        return f"{_what(bias)}: no effect is measured, for {estimate.why}."
    many = f", corrected for {words.several(bias.n_tested, 'groups')}" if bias.n_tested > 1 else ""
    p = f"p {words.p_value(bias.effect.p)}{many}"
    if not bias.significant:
        effect = f"{_size(estimate, report)}{report.scale} {_where(bias)} ({p})"
        return f"{_what(bias)}: no significant effect, {effect}.{_people(bias)}{_beside(bias, report)}"
    if bias.pairwise:
        return _of_pair(bias, p, report)
    more = estimate.value > 0
    size = _size(abs(estimate), report).replace("+", "")
    beside = "" if bias.kind == "length" else " than elsewhere"
    says = f"says {words.marked(words.shorten(report.positive))} {'more' if more else 'less'} often"
    if report.scale:
        says = f"rates {'higher' if more else 'lower'}"
    text = f"{_what(bias)}: with the same human label the judge {says} {_where(bias)}{beside}, by {size}{report.scale} ({p})"
    return f"{text}{_beyond(bias, report, more=more)}{_on(bias, report)}{_errors(bias)}{_beside(bias, report)}"


def _beyond(bias: Bias, report: BiasReport, *, more: bool) -> str:
    """Return what an effect at the same human label means: nothing where people's own labels change as much."""
    assert bias.beyond is not None
    apart, turned = _size(bias.beyond.estimate, report), bool(bias.beyond.estimate.sign)
    if not bias.told:
        return (
            f". Beyond people on the same decisions the difference is {apart}, not significant{' that way' if turned else ''}. "
            "Errors in people’s labels alone can make the effect at the same label, so no bias is shown."
        )
    return (
        f", and beyond people on the same decisions by {apart}."
        + _if_held(
            bias, report, " Unless its verdicts follow quality more closely than the labels of people do, it "
            f"{'favours' if more else 'disfavours'} {FAVOURS[bias.kind]}.",
        )
    )  # fmt: skip


def _if_held(bias: Bias, report: BiasReport, conclusion: str) -> str:
    """Return what an effect means; that it means nothing where it does not hold among all properties that were looked at."""
    beside = next((biases for biases in report.judges.values() if any(bias is other for other in biases)), (bias,))
    if any(bias is other for other in told_together(beside)):
        return conclusion
    return f" Corrected for the {words.several(len(beside), 'properties')} looked at it does not hold, so no bias is shown."


def _on(bias: Bias, report: BiasReport) -> str:
    """Return which criteria show an effect by themselves, where not all do."""
    if not bias.on or len(bias.on) == bias.n_criteria:
        return ""
    shown = [f"{words.shorten(name)} ({_size(effect.estimate, report)})" for name, effect in bias.on]
    return (
        f" By itself it shows on {words.count(len(shown))} of {words.count(bias.n_criteria)} criteria: {words.listed(shown, 3)}."
    )


def _of_pair(bias: Bias, p: str, report: BiasReport) -> str:
    """Return an effect that is told, of one answer against another."""
    estimate, more = bias.effect.estimate, bias.effect.estimate.value > 0
    size = words.estimate(abs(estimate), "points").replace("+", "")
    answer = "the longer answer" if bias.kind == "length" else "the answer of its own family"
    step = " for each doubling of the ratio" if bias.kind == "length" else ""
    favours = "length" if bias.kind == "length" else "its own family"
    return (
        f"{_what(bias)}: the judge prefers {answer} {'more' if more else 'less'} often than people do on the same decisions, by "
        f"{size}{step} ({p})."
        + _if_held(
            bias, report, f" Unless its choices follow quality {'more' if more else 'less'} closely than theirs, it "
            f"{'favours' if more else 'disfavours'} {favours}.",
        )
        + f"{_people(bias)}{_beside(bias, report)}"
    )  # fmt: skip


def _people(bias: Bias) -> str:
    """Return what people themselves prefer by the property, of two answers."""
    people = bias.people
    if people is None or not people.estimate.ends:
        return ""
    sign, size = people.estimate.sign, words.estimate(people.estimate, "points")
    by, answers, each = "family", ("the answer of that family", "the answer of another family"), ""
    if bias.kind == "length":
        by, answers, each = "length", ("the longer answer", "the shorter answer"), f" {_where(bias)}"
    if not sign:
        return f" People themselves show no significant preference by {by}: {size}{each}."
    size = words.estimate(abs(people.estimate), "points").replace("+", "")
    return f" People themselves prefer {answers[sign < 0]} by {size}{each}."


def _what(bias: Bias) -> str:
    if bias.pairwise and bias.kind == "length":
        return f"Length of one answer against the other, by {quoted(bias.column)}"
    return {
        "length": f"Length of {quoted(bias.column)}",
        "source": f"Source {quoted(bias.column)}",
        "kinship": f"Answers of the judge’s own family, {bias.value}, by {quoted(bias.column)}",
    }[bias.kind]


def _where(bias: Bias) -> str:
    return {
        "length": "for each doubling of the " + ("ratio" if bias.pairwise else "length"),
        "source": f"where it is {quoted(bias.value)}",
        "kinship": "more than people" if bias.pairwise else "there",
    }[bias.kind]


def _errors(bias: Bias) -> str:
    errors = bias.errors.estimate
    if not errors.ends:
        return ""
    seen = "changes by" if errors.sign else "does not change significantly:"
    return f" The share of errors {seen} {words.estimate(errors, 'points')}."


def _beside(bias: Bias, report: BiasReport) -> str:
    if not bias.confounded:
        return ""
    named = words.listed([f"{quoted(column)} ({words.percent(share)} of it)" for column, share in bias.confounded], 3)
    text = f" Confounded with {named}"
    if bias.held is None or not bias.held.estimate.ends:
        return f"{text}."
    return f"{text}: with {quoted(bias.confounded[0][0])} held the change is {_size(bias.held.estimate, report)}."


def headline(report: BiasReport, judge: str) -> str:
    """Return which properties have a significant effect on a judge, or that none has.

    Parameters
    ----------
    report : BiasReport
    judge : str
    """
    if report.why:
        what = "length and kinship" if report.positions else "biases"
        return f"{what} are not measured: {report.why}."
    if judge in report.two_scales:
        return f"biases of {quoted(judge)} are not measured: {report.two_scales[judge]}"
    biases = report.judges[judge]
    told, alone = told_together(biases), sum(bias.told for bias in biases)
    if not biases:
        return "no text and no column of the file has enough answers to look for a bias."
    looked = _looked(len(biases))
    if alone and not told:
        shows = "one shows an effect by itself" if alone == 1 else f"{words.count(alone)} show an effect by themselves"
        return f"no effect on {quoted(judge)} is significant, corrected for the {looked} looked at; {shows}."
    if not told and any(bias.significant for bias in biases):
        varies = words.listed([words.uncapital(_what(bias)) for bias in biases if bias.significant])
        return (
            f"no bias of {quoted(judge)} is shown: its verdicts differ by {varies} where the human label is the same, and beyond "
            f"people on the same decisions no such difference is shown ({_looked(len(biases))} looked at)."
        )
    if not told:
        return f"no significant effect on {quoted(judge)} of {_looked(len(biases))} looked at."
    corrected = f", corrected for {looked}" if len(biases) > 1 else ""
    names = words.listed([words.uncapital(_what(bias)) for bias in told])
    if told[0].pairwise:
        weighed = {"length": "the length of an answer", "kinship": "whether an answer is of its own family"}
        named = words.listed(list(dict.fromkeys(weighed[bias.kind] for bias in told)))
        return f"{quoted(judge)} gives other weight than people to {named}{corrected}."
    return f"where the human label is the same, the verdicts of {quoted(judge)} still differ by {names}{corrected}."


def _looked(n: int) -> str:
    return "the one property" if n == 1 else f"{words.count(n)} properties"


def summary(report: BiasReport) -> str:
    """Return the biases of every judge, a line to a property."""
    parts = []
    for judge, biases in report.judges.items():
        lines = [judge, f"  {words.capital(headline(report, judge))}"]
        for bias in biases:
            lines.append(f"  {sentence(bias, report)}")
            if bias.items:
                lines.append(f"    Items that show it: {words.listed(list(bias.items))}.")
        parts.append("\n".join(lines))
    orders = [order_reading(one) for one in report.positions.values()]
    return "\n\n".join([*(parts or [words.capital(headline(report, ""))]), *orders, *notes_on_weights(report)])


def passages(report: BiasReport) -> tuple[Passage, ...]:
    """Return what a notebook shows."""
    shown: list[Passage] = []
    for judge, biases in report.judges.items():
        shown.append(Paragraph(words.capital(headline(report, judge)), "verdict"))
        shown.append(Listing(tuple(sentence(bias, report) for bias in biases)))
    shown = shown or [Paragraph(words.capital(headline(report, "")), "verdict")]
    orders = [order_reading(one) for one in report.positions.values()]
    return (*shown, *(Paragraph(text, "note") for text in (*orders, *notes_on_weights(report))))


def notes_on_weights(report: BiasReport) -> list[str]:
    """Return which numbers count items by their weights, or that none does; nothing without a column of them."""
    d = report.declaration
    if d.weights:
        return [f"Changes by weight count every item by ‘{words.shorten(d.weights)}’; the other numbers count every item once."]
    return [weights_unused_words(d.weights_unused)] if d.weights_unused else []
