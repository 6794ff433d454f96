"""What was found on ordered and continuous criteria, and on preferences under every way of counting ties."""

from __future__ import annotations

from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.preferences.compute import CONVENTIONS
from metrics.analyses.preferences.readings import KAPPA
from metrics.analyses.scores.provenance import estimate_text, extent, kind_words, open_words, scale_words, worth_words
from metrics.analyses.scores.result import JudgeScores, ScoresReport
from metrics.measures.catalogue import keys_at
from metrics.measures.metric import Place
from metrics.report.material import Material
from metrics.report.methods_data import listed, the_judge
from metrics.results import words

TIES = {"exclude": "left out", "class": "as a third answer", "half": "as half a win"}


def scores(material: Material) -> list[str]:
    """Return the sentences on ordered and continuous criteria."""
    return [sentence for report in material.scored for sentence in _of(material, report)]


def _of(material: Material, report: ScoresReport) -> list[str]:
    judge = report.judges.get(material.contents.judge) or next(iter(report.judges.values()))
    names = report.declaration.criteria
    kind = "ordered labels" if report.on == "label" else "numbers"
    scale = words.uncapital(scale_words(report))
    opened = open_words(report, judge, None)
    description = "; ".join(part for part in (scale, opened, extent(judge, None)) if part)
    numbers = [f"{_name(key)} {_value(judge, key)}" for key in _keys(report, judge) if key not in judge.pooled.undefined]
    clause = f"we found {', '.join(numbers)}" if numbers else "no number is defined"
    where = f"On {words.several(len(names), 'criteria')} with {kind} ({listed(names)}; {description})"
    who = "" if material.headline is not None and judge.name == material.contents.judge else f" for {the_judge(judge.name)}"
    worth = worth_words(report.order).strip()
    return [f"{where} {clause}{who}.", _two_units(judge), _undefined(report, judge), worth, _intervals(report, judge)]


def _two_units(judge: JudgeScores) -> str:
    """Return which of the numbers may not be quoted, as the two sides do not use one unit."""
    if not judge.two_units:
        return ""
    where = f"On {listed(list(judge.two_units))} " if len(judge.criteria) > 1 else ""
    sentence = (
        f"{where}the numbers of judge and reference are in two units: concordance, errors and bias over them have no meaning"
    )
    return f"{words.capital(sentence)}, correlations are not affected."


def _keys(report: ScoresReport, judge: JudgeScores) -> list[str]:
    place: Place = "scores methods" if report.on == "label" else "numbers methods"
    return [key for key in keys_at(place, records=RECORDS) if key in judge.pooled.values]


def _name(key: str) -> str:
    return RECORDS[key].phrase or RECORDS[key].name


def _value(judge: JudgeScores, key: str) -> str:
    """Return a number over all criteria together, never without the mean over them."""
    text = estimate_text(judge.pooled, key)
    if len(judge.criteria) < 2 or key in judge.mean.undefined:
        return text
    return (
        f"{text} (mean over {(judge.mean[key].of or (0, 0))[0]} of {len(judge.criteria)} "
        f"criteria {estimate_text(judge.mean, key)})"
    )


def _undefined(report: ScoresReport, judge: JudgeScores) -> str:
    parts = [
        f"{_name(key)} is undefined because {judge.pooled.undefined[key]}"
        for key in _keys(report, judge)
        if key in judge.pooled.undefined
    ]
    return f"Not every number exists: {'; '.join(parts)}." if parts else ""


def _intervals(report: ScoresReport, judge: JudgeScores) -> str:
    if report.settings.interval == "none":
        return "No intervals were computed for them."
    methods: dict[str, list[str]] = {}
    for key in _keys(report, judge):
        interval = judge.pooled[key].interval
        if interval is not None and interval.ends is not None:
            methods.setdefault(kind_words(report, interval), []).append(_name(key))
    if not methods:
        return ""
    how = "; ".join(f"{method} for {listed(names)}" for method, names in methods.items())
    return f"Their brackets are {words.percent(report.settings.confidence)} intervals: {how}."


def preferences(material: Material) -> list[str]:
    """Return κ of the headline's judge under every way of counting ties, where somebody said tie."""
    judge_preferences = material.preferences.get(material.contents.judge)
    if judge_preferences is None or not judge_preferences.n_ties or not material.contents.has("kappa"):
        return []
    parts = []
    for convention in CONVENTIONS:
        preference, key = judge_preferences.on(convention, None), KAPPA[convention]
        estimate = preference.values[key]
        value = f"undefined ({estimate.undefined})" if estimate.undefined else words.number(estimate.value)
        ends = words.behind(estimate.ends)
        parts.append(f"{value}{ends} with ties {TIES[convention]} ({words.several(preference.n, 'decisions')})")
    return [f"κ is {listed(parts)}."]
