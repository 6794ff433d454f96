"""What was compared: judges, reference, items, criteria, labels, and what became of answers without a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.analyses.agreement.coverage import median_between_sentence, split_votes_sentence
from metrics.analyses.provenance import panel_words
from metrics.analyses.records import Declaration
from metrics.data.abstention import Coverage
from metrics.data.labels import HANDLED
from metrics.data.references import AUTO, HUMAN, MAJORITY, MEAN, MEDIAN, UNANIMOUS, left_out, rule_in
from metrics.data.vocabulary import Kind
from metrics.readers.names import OVERALL
from metrics.report.material import Material
from metrics.results import words

RULES = {
    AUTO: "the majority of {}, on ordered labels their low median, split votes left out",
    MAJORITY: "the majority of {}, split votes left out",
    UNANIMOUS: "the verdict that all of {} gave, split votes left out",
    MEDIAN: "the low median of {}",
    MEAN: "the mean of {}",
}
"""What several humans' labels come to."""
MOST = 12
"""Names that a sentence lists."""


def listed(names: Sequence[str]) -> str:
    """Return names in a sentence; of many the first."""
    return words.listed(names, MOST)


def quoted_labels(labels: Sequence[str]) -> str:
    """Return labels in a sentence, set apart from its words."""
    return listed([f"‘{label}’" for label in labels])


def compared(material: Material) -> list[str]:
    """Return who was compared with whom, on what, in which labels."""
    d, judge = material.declaration, material.contents.judge
    if material.headline is None and not material.scored:
        return []
    many = len(d.judges) > 1
    who = f"{words.count(len(d.judges))} judges ({listed(d.judges)})" if many else the_judge(d.judges[0])
    items = "" if material.n_items is None else f" on {words.several(material.n_items, 'items')}"
    names = counted(material)
    named = len(names) > 1 or any(name != OVERALL for name in names)
    criteria = f" and {words.several(len(names), 'criteria')} ({listed(names)})" if named else ""
    on = f"{items}{criteria}" if items else f" in a table of counts{criteria}"
    about = f"Numbers are those of {the_judge(judge)} unless said otherwise." if many else ""
    made = panel_words(d, judge)
    panel = f"{words.plain(judge)} is not a single judge but a {made}." if made else ""
    runs = {
        "first": "Where a rater was asked several times, its first run counts.",
        "majority": "Where a rater was asked several times, the majority of its runs counts. A tie counts as no verdict.",
    }.get(d.runs, "")
    return [f"We compared {who} with {_reference(material)}{on}.", _votes(material), about, panel, runs]


def counted(material: Material) -> list[str]:
    """Return criteria in any of the numbers."""
    d = material.declaration
    names = [name for report in material.scored for name in report.declaration.criteria]
    return list(dict.fromkeys((*d.criteria, *names)))


def rated(material: Material) -> list[str]:
    """Return how many decisions both sides rated, on which of several scales, and what the labels mean."""
    d, judge = material.declaration, material.headline
    assert judge is not None
    total = words.several(judge.coverage.n_total, "decisions")
    part = len(d.criteria) < len(counted(material))
    where = f" on {words.several(len(d.criteria), 'criteria')} ({listed(d.criteria)})" if part else ""
    both = "both rated" if judge.coverage.n_covered == judge.coverage.n_total else "both have a row on"
    return [f"The reference and {the_judge(judge.name)} {both} {total}{where}.", _scale(d)]


def the_judge(name: str) -> str:
    """Return a judge by name; one that the file does not name is called judge, and that once."""
    return "the judge" if name == "judge" else f"the judge {words.plain(name)}"


def _reference(material: Material) -> str:
    """Return whose labels are taken as true, and how several humans became one."""
    d, humans = material.declaration, material.humans
    n = words.count(len(humans))
    rule, without = rule_in(d.reference, humans), left_out(d.reference, humans)
    if rule and without is None and len(humans) > 1 and material.findings.humans_each == (1, 1):
        return f"the labels of {n} humans ({listed(humans)}), one of them for each decision,"
    if rule and without is not None:
        return f"{RULES[rule].format(f'{words.count(len(humans) - 1)} of {n} humans, {words.plain(without)} left out')},"
    if rule and len(humans) > 1:
        return f"{RULES[rule].format(f'{n} humans ({listed(humans)})')},"
    name = d.reference if d.reference in humans else d.reference.removeprefix(HUMAN)
    if name == "human":
        return f"one human label for each decision{_behind(material)}"
    called = f" ({words.plain(name)})"
    return f"one human{called}" if len(humans) == 1 else f"one of {n} humans{called}"


def _behind(material: Material) -> str:
    """Return how many votes the file says are behind each label."""
    if material.findings.votes_each is None:
        return ""
    name, low, high = material.findings.votes_each
    many = words.count(low) if low == high else f"{words.count(low)} to {words.count(high)}"
    return f", made of {many} votes by the column ‘{words.plain(name)}’,"


def _votes(material: Material) -> str:
    """Return how many humans stand behind one label of the reference, and that who abstains has no vote."""
    d, each = material.declaration, material.findings.humans_each
    if each is None or each[1] < 2 or not rule_in(d.reference, material.humans):
        return ""
    low, high = each
    many = words.count(low) if low == high else f"{words.count(low)} {'or' if high == low + 1 else 'to'} {words.count(high)}"
    silent = any(d.labels.get(kind) for kind in ("abstention", "invalid"))
    vote = " A human who gave no verdict has no vote." if silent else ""
    return f"Each decision was rated by {many} humans.{vote}"


def _scale(d: Declaration) -> str:
    """Return the scale, and what the labels mean."""
    if d.scale != "binary":
        classes = [name for kind in ("positive", "class", "negative") for name in d.labels.get(kind, ())]
        sentence = f"Labels are {words.count(len(classes))} classes ({quoted_labels(classes)})"
        ordered = "ordinal" in d.scales.values()
        how = "; weighted and rank coefficients use their order, the others do not" if ordered else " without an order"
        return f"{sentence}{how}.{_without(d)}"
    pair = "pairwise" in d.scales.values()
    kind = "Verdicts are pairwise preferences" if pair and set(d.scales.values()) == {"pairwise"} else "Verdicts are binary"
    sides = [f"{quoted_labels(d.labels[side])} is {side}" for side in ("positive", "negative") if d.labels[side]]
    sentence = f"{kind}: {', '.join(sides).replace(' is negative', ' negative') if len(sides) > 1 else ''.join(sides)}."
    cut = f" A judge’s number is positive at {d.threshold}." if d.threshold else ""
    return f"{sentence if sides else 'No answer is a verdict.'}{cut}{_without(d)}"


def _without(d: Declaration) -> str:
    """Return labels that give no verdict."""
    names = {"abstention": "an abstention", "tie": "a tie", "invalid": "an invalid answer", "error": "a failed call"}
    clauses = [f"{quoted_labels(d.labels[kind])} is {what}" for kind, what in names.items() if d.labels.get(kind)]
    return f" {'; '.join(clauses)}." if clauses else ""


def open_answers(material: Material) -> list[str]:
    """Return abstentions, ties, invalid answers and failed calls: how many, and what became of them."""
    d, judge = material.declaration, material.headline
    assert judge is not None
    coverage = judge.coverage
    sentences = [_abstained(material, d, coverage)]
    if coverage.n_split:
        sentences.append(split_votes_sentence(coverage))
    sentences.append(median_between_sentence(coverage))
    negative = quoted_labels(d.labels["negative"][:1]) if d.labels.get("negative") else "negative"
    for kind, usual in HANDLED.items():
        count = coverage.answers(kind)
        if count:
            how = d.handling.get(kind, usual)
            sentences.append(_handled(kind, count, how, negative, _by_side(coverage, kind)))
    return sentences


def _abstained(material: Material, d: Declaration, coverage: Coverage) -> str:
    if coverage.n_total == coverage.n_covered:
        return f"Neither side abstained{_others_abstained(material)}." if coverage.n_total else ""
    if coverage.n_total == coverage.n_covered + coverage.n_split:
        return f"Neither side abstained{_others_abstained(material)}; coverage is {words.percent(coverage.coverage)}."
    if not material.contents.has("mode") and not material.contents.has("coverage"):
        return ""
    counted = f"{words.count(coverage.n_covered)} of {words.several(coverage.n_total, 'decisions')}"
    shares = ""
    if material.contents.has("coverage"):
        shares = (
            f" (coverage {words.percent(coverage.coverage)}: both gave a verdict on {counted}; the judge gave none on "
            f"{words.percent(coverage.judge_abstention_rate)}, the reference on {_open_by_reference(coverage)})"
        )
    if not material.contents.has("mode"):
        return f"Some decisions lack a verdict{shares}."
    negative = quoted_labels(d.labels["negative"][:1]) if d.labels.get("negative") else "negative"
    sentence = {
        "exclude": "Decisions on which a side abstained are excluded",
        "as_unmet": f"An abstention counts as {negative}",
        "as_category": "Abstentions are kept as a class",
    }[d.abstention]
    if material.contents.level == "item" and d.abstention != "as_unmet":
        is_category = d.abstention == "as_category"
        sentence = f"Items on which a side has no verdict are {'kept as a class' if is_category else 'excluded'}"
        shares = shares.replace("(coverage", "(coverage of decisions")
    return f"{sentence}{shares}."


def _open_by_reference(coverage: Coverage) -> str:
    """Return share without a verdict of the reference; where votes split, by what it was instead of a verdict."""
    if not coverage.n_split:
        return words.percent(coverage.human_abstention_rate)
    tie, invalid = coverage.tie_rate["human"], coverage.invalid_rate["human"]
    abstention_rate = coverage.human_abstention_rate - tie - invalid
    shares = {
        "abstentions": abstention_rate,
        "ties": tie,
        "invalid answers": invalid,
        "split votes": coverage.n_split / coverage.n_total,
    }
    parts = ", ".join(f"{what} {words.percent(share)}" for what, share in shares.items() if round(share * coverage.n_total))
    return f"{words.percent(1 - coverage.human_coverage)} ({parts})"


def _others_abstained(material: Material) -> str:
    """Return of whom what is left open is said, where another judge of the report left decisions open."""
    assert material.headline is not None
    assert material.agreement is not None
    judges = material.agreement.judges
    gaps = {
        name: report.coverage.n_total - report.coverage.n_covered - report.coverage.n_split for name, report in judges.items()
    }
    silent = [name for name, gap in gaps.items() if gap and name != material.headline.name]
    if not silent:
        return ""
    least = max(silent, key=lambda name: gaps[name])
    more = f" and {words.several(len(silent) - 1, 'more judges')}" if len(silent) > 1 else ""
    left = f"{words.count(gaps[least])} of {words.several(judges[least].coverage.n_total, 'decisions')}"
    return f" where {words.plain(material.headline.name)} is compared ({words.plain(least)} gives no verdict on {left}{more})"


def _by_side(coverage: Coverage, kind: Kind) -> str:
    """Return whose answers they are; failed calls are the judge's."""
    rates = {"tie": coverage.tie_rate, "invalid": coverage.invalid_rate}.get(kind)
    if rates is None:
        return ""
    judge, reference = (words.count(round(coverage.n_total * rates[side])) for side in ("judge", "human"))
    return f" (judge {judge}, reference {reference})"


def _handled(kind: Kind, count: int, how: str, negative: str, sides: str) -> str:
    """Return what becomes of one kind of answer without a verdict."""
    units = {"tie": "ties", "invalid": "invalid answers", "error": "failed calls"}[kind]
    many = f"{words.several(count, units)}{sides}"
    becomes = {
        "abstention": "treated as abstentions", "exclude": "left out", "as_unmet": f"counted as {negative}",
        "as_category": "counted in the class of abstentions",
    }[how]  # fmt: skip
    if kind == "error" and how == "exclude":
        return f"{many} {words.are(count)} no rating and in no number."
    return f"{many} {words.are(count)} {becomes}."
