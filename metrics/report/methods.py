"""The paragraph of methods: true for exactly this run, every number as the report has it."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.analyses.provenance import handling_of
from metrics.analyses.raters.provenance import treated
from metrics.analyses.raters.result import STATISTICS, RatersReport, estimate_text
from metrics.report import methods_data, methods_numbers, methods_scales
from metrics.report.checklist.contents import INTER_JUDGE
from metrics.report.material import Material
from metrics.report.sections_review import made_with
from metrics.results import words

ASKED = {
    "task": "Task", "items": "Items", "annotators": "Annotators", "instructions": "Instructions to annotators",
    "judge_model": "Judge model", "prompt": "Prompt", "temperature": "Sampling of the judge",
    "abstentions": "How abstentions were asked for", "ties": "How ties were asked for",
}  # fmt: skip
"""Question to its name in the paragraph; who made the report stands on the first page alone."""


def methods(material: Material) -> str:
    """Return what was compared, how, and what was found, in one paragraph."""
    parts: list[str] = methods_data.compared(material)
    if material.headline is not None:
        parts += methods_data.rated(material)
        parts += methods_data.open_answers(material)
        parts += methods_numbers.number_sentences(material)
        parts += methods_scales.preferences(material)
    parts += methods_scales.scores(material)
    parts += _among(material)
    parts += _answers(material)
    parts.append(_software(material))
    return " ".join(part for part in parts if part)


def _among(material: Material) -> list[str]:
    """Return how the humans, and the judges, agree with each other."""
    sentences = []
    humans, between = material.findings.humans, material.findings.between
    if humans is not None and material.contents.has("raters"):
        sentences += _of_humans(material, humans)
    if between is not None and material.contents.has("judges"):
        sentences.append(_statistic_sentence(between, tuple(material.contents.inter_judge)))
    return sentences


def _of_humans(material: Material, humans: RatersReport) -> list[str]:
    """Return agreement among the humans and the gate, where any two of them rated the same."""
    if material.findings.humans_each == (1, 1):
        return ["No decision was rated by two humans, so agreement among humans cannot be estimated."]
    return [_statistic_sentence(humans, ("alpha",)), _gate(humans)]


def _statistic_sentence(report: RatersReport, keys: Sequence[str]) -> str:
    """Return agreement among raters of one role, pooled and as the mean over criteria."""
    block = report.pooled
    many = len(report.criteria) > 1
    clauses = []
    for key in keys:
        name = _name(report, key)
        level = f" ({block.level} level)" if key == "alpha" else ""
        if block[key].undefined:
            clauses.append(f"{name}{level} is undefined because {block[key].undefined}")
            continue
        text = f"{name}{level} is {estimate_text(block, key)}"
        if many:
            mean = report.mean(key)
            over = " of ".join(map(str, mean.of or ()))
            text += f" over all criteria together; mean over {over} criteria {words.value(mean.value, STATISTICS[key].unit)}"
        clauses.append(text)
    who = words.several(len(report.raters), f"{report.role}s")
    if not clauses:
        return ""
    units = words.several(block.n_items, block.unit)
    treated = _treated(report)
    start = f"Among the {who} ({words.count(block.n_ratings)} labels on {units}; {treated})"
    intervals = ""
    if any(key in block.intervals for key in keys):
        intervals = f" ({words.percent(report.declaration.confidence)} intervals by the jackknife over items)"
    return f"{start}, {'; '.join(clauses)}{intervals}."


def _treated(report: RatersReport) -> str:
    """Return what answers without a verdict are; where some kinds go their own way, which."""
    d, handling = report.declaration, words.plain(handling_of(report.declaration))
    return f"{treated(d).replace('answers without a verdict', 'abstentions')}; {handling}" if handling else treated(d)


def _name(report: RatersReport, key: str) -> str:
    names = INTER_JUDGE | {"alpha": "Krippendorff’s α"}
    if key == "mean_pairwise_phi":
        return f"the mean {'R_K' if len(report.pooled.classes) > 2 else 'φ'} of pairs"
    return str(names[key])  # type: ignore[index]


def _gate(report: RatersReport) -> str:
    """Return how many criteria pass the gate, and why the others do not."""
    blocks = report.criteria.values()
    there = [block.gate.verdict for block in blocks if block.judged not in block.undefined]
    if not there:
        return ""
    if report.declaration.interval["method"] == "none":
        return "No criterion was put to the gate, which asks for an interval."
    on = report.gate_symbol
    line = f"the whole interval of {on} to be at {words.three(report.bands.line)} or above"
    if len(blocks) == 1:
        verb = {"passes": "passes", "fails": "fails", "undecided": "neither passes nor fails"}[there[0]]
        return f"The criterion {verb} a gate that asks for {line}.{_paradox(report)}"
    counts = [(there.count("fails"), "below it"), (there.count("undecided"), "undecided"),
              (len(blocks) - len(there), f"{on} undefined")]  # fmt: skip
    rest = ", ".join(f"{words.count(n)}: {why}" for n, why in counts if n)
    passed = f"{words.count(there.count('passes'))} of {words.count(len(blocks))} criteria pass"
    return f"{passed} a gate that asks for {line}{f' ({rest})' if rest else ''}.{_paradox(report)}"


def _paradox(report: RatersReport) -> str:
    """Return on how many criteria the raters agree and a rare label alone keeps them from passing."""
    found = [block.gate.rare.lowers for block in report.criteria.values() if block.gate.rare is not None]
    effects = {
        True: "but a label is rare, which lowers α and κ (prevalence paradox)",
        False: "but a label is too rare to tell how far α reaches",
    }
    several = len(report.criteria) > 1
    return "".join(
        f" The raters agree{f' on {words.count(n)} of those that do not pass' if several else ''}, {effect}."
        for lowers, effect in effects.items()
        if (n := found.count(lowers))
    )


def _answers(material: Material) -> list[str]:
    """Return the answers of whoever made the report, as stated."""
    sentences = []
    for key, name in ASKED.items():
        whole = words.plain(material.answers.get(key, ""))
        if whole:
            sentences.append(f"{name}: {whole}{'' if whole.endswith(('.', '!', '?', '…')) else '.'}")
    return sentences


def _software(material: Material) -> str:
    recipe = material.recipe
    rows, out = material.rows, ""
    if rows.gone:
        reasons = "; ".join(f"{words.count(count)}: {words.plain(reason)}" for reason, count in rows.left_out)
        out = f"{words.count(rows.gone)} of {words.count(rows.read)} rows of the file were left out ({reasons}). "
    file = f"{words.plain(recipe.file)} (SHA-256 {recipe.sha256})"
    return f"{out}Computed with {made_with()} from the file {file}."
