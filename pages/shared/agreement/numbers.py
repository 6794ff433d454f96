"""The numbers at the head of a judge's agreement, and the metric that its figures show."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
Card = tuple[str, Level]
"""A metric, and the level it is at."""
POOLED_OF = {"kappa_within": "kappa"}
"""A number that takes the criteria apart, and the one that pools them where it has another key."""


def metrics_of(dataset: state.Dataset) -> tuple[str, ...]:
    """Return metrics on offer, the scale's own first."""
    first = leading(dataset.ratings)
    return (first, *(key for key in METRICS if key != first))


def metric_of(dataset: state.Dataset) -> str:
    known = metrics_of(dataset)
    asked = asking.held_or_linked(METRIC, {key: BY_KEY[key].name for key in known})
    return asked if asked in known else known[0]


def cards(judge: JudgeReport, chosen: state.Choices, lead: Card | None = None) -> list[Card]:
    """Return the cards of the headline.

    The number that a verdict is about takes the place of the one that pools the criteria.
    """
    keys = headline_keys(judge.level(chosen.level), chosen)
    if lead is None or chosen.level != "micro" or not judge.level(lead[1])[lead[0]].defined:
        lead = None
    pooled = "" if lead is None else POOLED_OF.get(lead[0], lead[0])
    return [lead if lead is not None and key == pooled else (key, chosen.level) for key in keys]


def _mean_beside(judge: JudgeReport, chosen: state.Choices) -> str:
    """Return the mean over criteria of what a card pools; empty where it pools nothing."""
    mean = judge.level("macro").values.get(QUADRATIC_KAPPA.key, math.nan)
    pools = chosen.level == "micro" and len(judge.criteria) > 1 and not math.isnan(mean)
    return f"mean of criteria {number(mean)}" if pools else ""


def headline(report: AgreementReport, chosen: state.Choices, lead: Card | None = None) -> list[parts.Headline]:
    judge = report.judges[chosen.judge]
    block = judge.level(chosen.level)
    k, shown = len(block.labels), cards(judge, chosen, lead)
    seconds = {"kappa": _defined(block), "accuracy": f"baseline {percent(block.values['baseline_accuracy'])}"}
    if k == 2:
        seconds |= {"drift": readings.drift_words(block, short(block.labels[0]))}
    else:
        seconds |= {"mcc_multiclass": "φ, many classes", "macro_f1": f"{k} classes", QUADRATIC_KAPPA.key: f"{k} labels in order"}
    tiles = []
    for key, level in shown:
        quoted = partial(citation, report, chosen.judge, level)
        tile = parts.number_of(judge.level(level), key, seconds.get(key, ""), copied=quoted)
        beside = _joined(_other_reading(judge, chosen, (key, level)), _gap(block, [name for name, _ in shown]))
        tiles.append(replace(tile, third=_joined(tile.third, beside)) if "kappa" in key and beside else tile)
    if k > 2 and chosen.mode == "as_category":
        of_what = "of decisions, " if chosen.level == "item" else ""
        tiles.append(kappa_headline(report, chosen.judge, f"{of_what}coverage {percent(judge.coverage.coverage)}"))
    return tiles


def _other_reading(judge: JudgeReport, chosen: state.Choices, card: Card) -> str:
    """Return the reading of a number over criteria that its card does not show, where there are several."""
    key, level = card
    if len(judge.criteria) < 2:
        return ""
    if key in POOLED_OF or level != chosen.level:
        pooled = f"pooled over criteria {number(judge.micro.values[POOLED_OF.get(key, key)])}"
        return pooled if level == chosen.level else f"mean of {len(judge.criteria)} criteria · {pooled}"
    if key == QUADRATIC_KAPPA.key:
        return _mean_beside(judge, chosen)
    within = judge.level(level).values.get("kappa_within", math.nan)
    return "" if math.isnan(within) else f"within criteria {number(within)}"


def _gap(block: Block, keys: Sequence[str]) -> str:
    gap = block.values.get("kappa_phi_gap", math.nan)
    return f"κ − φ {signed(gap, 2)}" if "phi" in keys and not math.isnan(gap) else ""


def _joined(*lines: str) -> str:
    return " · ".join(filter(None, lines))


def view(
    dataset: state.Dataset, judge: JudgeReport, chosen: state.Choices, settings: Settings, lead: Card | None = None
) -> as_lines.View:
    """Return the call behind the headline, and where its first number is."""
    first, level = cards(judge, chosen, lead)[0]
    place = as_lines.path("judges", [judge.name], level, [first])
    return as_lines.View(as_lines.call("agreement", settings, dataset), place)


def headline_keys(block: Block, chosen: state.Choices) -> list[str]:
    """Return the metrics of the headline.

    φ, of many classes R_K, stands beside κ where the two differ to the digits shown; macro-F1 for classes that have neither
    an order nor abstentions among them.
    """
    shown = {key: value(block.values[key], BY_KEY[key].unit) for key in ("kappa", "phi", "mcc_multiclass") if key in block.values}
    twins = [key for key in shown if key != "kappa" and shown[key] == shown["kappa"]]
    keys = [key for key in keys_at("headline", len(block.labels)) if key in block.values and key not in twins]
    classes = len(block.labels) > 2 and QUADRATIC_KAPPA.key not in keys and chosen.mode != "as_category"
    return keys if classes else [key for key in keys if key != "macro_f1"]


def _defined(block: Block) -> str:
    """Return in how many criteria κ is defined, where it is a mean over them and some are missing."""
    defined, of = block["kappa"].of or (0, 0)
    return "" if defined == of else f"{defined} of {of} criteria"
