"""What must be known beside the agreement of judges: one warning each."""

from __future__ import annotations

from collections.abc import Mapping

from metrics.analyses.agreement.coverage import failed, unmatched, votes_apart
from metrics.analyses.agreement.standing import standing
from metrics.analyses.agreement.weighted import weighted_words
from metrics.analyses.cautions import cautions
from metrics.analyses.grouped_items import errors_alike
from metrics.analyses.records import JudgeReport, Warn
from metrics.analyses.settings import Settings
from metrics.data.labels import Scheme
from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of
from metrics.data.vocabulary import Kind


def warnings_of(ratings: Ratings, settings: Settings, reports: Mapping[str, JudgeReport]) -> tuple[Warn, ...]:
    """Return what must be known of the judges, of the file and of the choices."""
    warns = [warning for report in reports.values() for warning in standing(report, settings.confidence)]
    for name, report in reports.items():
        warns += [Warn("degenerate_criterion", f"{name}: {text}") for text in _degenerate(report)]
        warns += [*unmatched(name, report.coverage, ratings), *failed(name, report.coverage, ratings.scheme)]
    warns += votes_apart({name: report.coverage for name, report in reports.items()})
    if ratings.scheme.scale != "binary" and scales_of(ratings).mixed:
        warns.append(Warn("mixed_scales", scales_of(ratings).mixed_words()))
    warns += [*cautions(ratings, mode=settings.abstention, weighted=True), *errors_alike(ratings, settings)]
    negative = [name for name, weight in settings.item_rule.weights if weight < 0]
    recoded = "an abstention" if settings.abstention == "as_unmet" else _recoded(ratings.scheme)
    if recoded and negative:
        warns.append(
            Warn(
                "recode_favours_item",
                f"Counting {recoded} as negative favours the item on {negative[0]}, whose weight is negative.",
            )
        )
    warns += [Warn("weighted", weighted_words(report)) for report in reports.values() if report.weighted is not None]
    return tuple(warns)


def _degenerate(report: JudgeReport) -> list[str]:
    out = []
    for criterion, block in report.criteria.items():
        if not block.n:
            out.append(f"on {criterion} no decision is left.")
        elif block.one_sided:
            side, label = block.one_sided
            chance = "; κ is then 0 by construction, chance level" if block.values["kappa"] == 0 else ""
            out.append(f"on {criterion} the {side} says only {label}{chance}.")
    return out


def _recoded(scheme: Scheme) -> str:
    """Return a kind that has a handling of its own and is recoded as negative."""
    names: dict[Kind, str] = {"tie": "a tie", "invalid": "an invalid answer", "error": "a failed call"}
    return next((names[kind] for kind, how in scheme.handling if how == "as_unmet"), "")
