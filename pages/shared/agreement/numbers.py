"""The numbers at the head of a judge's agreement, and the metric that its figures show."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from metrics.analyses.agreement import readings
from metrics.analyses.leading import leading
from metrics.analyses.provenance import citation
from metrics.analyses.records import AgreementReport, Block, JudgeReport
from metrics.analyses.settings import Settings
from metrics.data.aggregation import Level
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA, keys_at
from metrics.results.words import number, percent, signed, value
from pages.shared import as_lines, asking, parts, state
from pages.shared.abstention.price import kappa_headline
from pages.shared.plain import short

METRIC = "agreement.metric"
METRICS = keys_at("page")
Lead = tuple[str, Level]
"""The metric that a verdict is about, and the level it is at."""
NO_LEAD: Lead = ("", "micro")


def metrics_of(dataset: state.Dataset) -> tuple[str, ...]:
    """Return metrics on offer, the scale's own first."""
    first = leading(dataset.ratings)
    return (first, *(key for key in METRICS if key != first))


def metric_of(dataset: state.Dataset) -> str:
    known = metrics_of(dataset)
    asked = asking.held_or_linked(METRIC, {key: BY_KEY[key].name for key in known})
    return asked if asked in known else known[0]


def _level_of(key: str, chosen: state.Choices, lead: Lead) -> Level:
    """Return the level that a card is at: of what a verdict says of the mean over criteria, that mean."""
    return "macro" if (key, "macro") == lead and chosen.level == "micro" else chosen.level


def _mean_beside(judge: JudgeReport, chosen: state.Choices) -> str:
    """Return the mean over criteria of what a card pools; empty where it pools nothing."""
    mean = judge.level("macro").values.get(QUADRATIC_KAPPA.key, math.nan)
    pools = chosen.level == "micro" and len(judge.criteria) > 1 and not math.isnan(mean)
    return f"mean of criteria {number(mean)}" if pools else ""


def headline(report: AgreementReport, chosen: state.Choices, lead: Lead = NO_LEAD) -> list[parts.Headline]:
    judge = report.judges[chosen.judge]
    block = judge.level(chosen.level)
    values, k = block.values, len(block.labels)
    keys = headline_keys(block, chosen, lead)
    gap = f"κ − φ {signed(values['kappa_phi_gap'], 2)}" if "phi" in keys and not math.isnan(values["kappa_phi_gap"]) else ""
    within = values.get("kappa_within", math.nan)
    within_words = "" if math.isnan(within) or len(judge.criteria) < 2 else f"within criteria {number(within)}"
    pooled_words = f"pooled over criteria {number(values['kappa'])}"
    seconds = {"kappa": _defined(block), "kappa_within": "", "accuracy": f"baseline {percent(values['baseline_accuracy'])}"}
    if k == 2:
        seconds |= {"phi": "", "drift": readings.drift_words(block, short(block.labels[0]))}
    else:
        ordered = f"mean of {len(judge.criteria)} criteria" if lead == (QUADRATIC_KAPPA.key, "macro") else f"{k} labels in order"
        seconds |= {"mcc_multiclass": "φ, many classes", "macro_f1": f"{k} classes", QUADRATIC_KAPPA.key: ordered}
    levels = [_level_of(key, chosen, lead) for key in keys]
    tiles = [
        parts.number_of(judge.level(level), key, seconds[key], copied=partial(citation, report, chosen.judge, level))
        for key, level in zip(keys, levels, strict=True)
    ]
    beside = {"kappa": _joined(within_words, gap), "kappa_within": _joined(pooled_words, gap)}
    means = lead == (QUADRATIC_KAPPA.key, "macro") and chosen.level == "micro" and QUADRATIC_KAPPA.key in values
    quadratic = f"pooled over criteria {number(values[QUADRATIC_KAPPA.key])}" if means else _mean_beside(judge, chosen)
    beside |= {QUADRATIC_KAPPA.key: quadratic}
    tiles = [
        replace(tile, third=_joined(tile.third, beside[key])) if beside.get(key) else tile
        for key, tile in zip(keys, tiles, strict=True)
    ]
    if k > 2 and chosen.mode == "as_category":
        tiles.append(kappa_headline(report, chosen.judge, f"coverage {percent(judge.coverage.coverage)}"))
    return tiles


def _joined(*lines: str) -> str:
    return " · ".join(filter(None, lines))


def view(
    dataset: state.Dataset, judge: JudgeReport, chosen: state.Choices, settings: Settings, lead: Lead = NO_LEAD
) -> as_lines.View:
    """Return the call behind the headline, and where its first number is."""
    first = headline_keys(judge.level(chosen.level), chosen, lead)[0]
    place = as_lines.path("judges", [judge.name], _level_of(first, chosen, lead), [first])
    return as_lines.View(as_lines.call("agreement", settings, dataset), place)


def headline_keys(block: Block, chosen: state.Choices, lead: Lead = NO_LEAD) -> list[str]:
    """Return the metrics of the headline, κ in the form that the verdict is about where that is told.

    φ, of many classes R_K, stands beside κ where the two differ to the digits shown; macro-F1 for classes that have neither
    an order nor abstentions among them.
    """
    shown = {key: value(block.values[key], BY_KEY[key].unit) for key in ("kappa", "phi", "mcc_multiclass") if key in block.values}
    twins = [key for key in shown if key != "kappa" and shown[key] == shown["kappa"]]
    keys = [key for key in keys_at("headline", len(block.labels)) if key in block.values and key not in twins]
    classes = len(block.labels) > 2 and QUADRATIC_KAPPA.key not in keys and chosen.mode != "as_category"
    keys = keys if classes else [key for key in keys if key != "macro_f1"]
    metric = lead[0]
    within = metric == "kappa_within" and metric in block and block[metric].defined
    return [metric if within and key == "kappa" else key for key in keys]


def _defined(block: Block) -> str:
    """Return in how many criteria κ is defined, where it is a mean over them and some are missing."""
    defined, of = block["kappa"].of or (0, 0)
    return "" if defined == of else f"{defined} of {of} criteria"
