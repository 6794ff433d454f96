"""Agreement of judges with the reference: from ratings to a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.analyses.agreement.coverage import coverages, failed, unmatched, votes_apart, votes_beside
from metrics.analyses.agreement.decisions import item_level_of, no_item_level
from metrics.analyses.agreement.standing import by_labelling, standing
from metrics.analyses.agreement.weighted import weighted, weighted_words
from metrics.analyses.cautions import cautions, scores_alone
from metrics.analyses.directions import Directions
from metrics.analyses.evaluation import catalogue_family, evaluate
from metrics.analyses.grouped_items import errors_alike
from metrics.analyses.item_weights import item_weights
from metrics.analyses.leading import leading, with_distances
from metrics.analyses.records import AgreementReport, Block, JudgeReport, Warn
from metrics.analyses.report_intervals import Tallied, with_directions, with_intervals
from metrics.analyses.settings import Settings, checked, settings_of, weighted_declaration
from metrics.analyses.verification import labelling_of
from metrics.data.abstention import apply_mode, mode_labels, mode_map
from metrics.data.checks import checks_arguments, one_given
from metrics.data.labels import Scheme
from metrics.data.pairs import patterns_of
from metrics.data.patterns import Patterns
from metrics.data.ratings import Ratings, Role
from metrics.data.scales import scales_of
from metrics.data.similar_names import alike_sentences
from metrics.data.vocabulary import Kind
from metrics.errors import InputError
from metrics.intervals.bootstrap import Progress
from metrics.intervals.chance_together import AT_CHANCE
from metrics.measures.catalogue import applicable
from metrics.readers.in_memory import ratings_from
from metrics.results.estimate import estimates_of
from metrics.results.progress import part, shown

NOT_ASKED_FOR = "only pooled numbers were asked for"


@checks_arguments
def agreement(
    ratings: Any = None,
    y_pred: Any = None,
    *,
    y_true: Any = None,
    human: str | Sequence[str] | None = None,
    judge: str | Sequence[str] | None = None,
    item: str | None = None,
    criterion: str | None = None,
    positive: Any = None,
    abstention: str = "exclude",
    reference: str = "auto",
    judges: Sequence[str] | None = None,
    cost: str | ArrayLike | None = None,
    item_rule: str = "all",
    threshold: float | None = None,
    weights: Mapping[str, float] | None = None,
    interval: str = "auto",
    unit: str = "item",
    replicates: int = 2000,
    confidence: float = 0.95,
    rng: int | np.random.Generator | None = None,
    handling: Mapping[str, str] | None = None,
) -> AgreementReport:
    """Return how far each judge agrees with the reference, at every level.

    Parameters
    ----------
    ratings : Ratings, table, path, or sequence of labels, length n
        As `metrics.read` returns them, or anything it takes: a path, a pandas, Polars or PyArrow table, a list of dicts. With
        `y_pred`, the labels of the reference: a list, a tuple, an array or a Series; None and NaN are missing labels.
    y_pred : sequence of labels, length n, optional
        Those of the judge, place by place.
    y_true : sequence of labels, length n, optional
        Another name of the first argument, for labels: ``agreement(y_true=…, y_pred=…)``.
    human, judge : str or sequence of str, optional
        Columns of labels of a table. Default: as `metrics.read` finds them.
    item, criterion : str, optional
        Columns of a table. Without `item`, and a column of that name, every row is an item of its own.
    positive : label or sequence of labels, optional
        Which label is the positive one, where that is not plain, as it is of MET, yes, true and 1.
    abstention : {"exclude", "as_unmet", "as_category"}
        Drop decisions that a side left open; count an abstention as the negative label; or keep it as a class of its own.
    reference : str
        How several humans become one: `majority`, `unanimous`, of ordered labels `median` (of two the lower), or `auto`, what
        fits the scale; or one human's name. Split votes are left out in every mode.
    judges : sequence of str, optional
        Default: all.
    cost : {"nominal", "halfway", "as-negative", "as-positive"} or array_like, shape (3, 3), optional
        With `as_category`: cost of confusing positive, negative and abstention, for weighted kappa.
    item_rule, threshold, weights
        See `metrics.data.aggregation.ItemRule`. Default of the weights: the rubric of the file, else 1.
    interval : {"auto", "jackknife", "dirichlet", "wilson", "bootstrap", "bca", "none"}
        The default rules of `metrics.intervals.default`; one of these rules wherever it applies; draws with replacement, by
        percentiles or BCa; or point values only.
    unit : {"item", "decision", "criterion", "hierarchical"} or str
        What is left out or drawn: items; with a bootstrap also single decisions (as if independent), criteria, or items and
        then criteria within them; or the groups that a column of the file makes of the items.
    replicates : int
        Draws of a bootstrap.
    confidence : float
        In (0, 1).
    rng : int or numpy.random.Generator, optional
        Seed of a bootstrap; default 0, so that the same file gives the same digits.
    handling : mapping of kind to handling, optional
        What becomes of a `tie`, an `invalid` answer and a failed call (`error`) where they are not to follow the abstentions:
        `exclude`, `as_unmet`, `as_category` (in that mode only) or `abstention`. A failed call is missing unless named here.
        Coverage does not depend on it. Default: as in the scheme of the ratings, where none has one of its own.

    Returns
    -------
    AgreementReport

    Raises
    ------
    InputError
        For what is none of these, labels whose meaning is not plain, an unknown choice, ratings that lack a human, a judge or a
        shared item, and choices that do not fit the scale.
    """
    source = one_given(ratings=ratings, y_true=y_true)
    ratings = ratings_from(source, y_pred, human=human, judge=judge, item=item, criterion=criterion, positive=positive)
    settings = settings_of(
        ratings,
        abstention=abstention,
        reference=reference,
        judges=judges,
        cost=cost,
        item_rule=item_rule,
        threshold=threshold,
        weights=weights,
        interval=interval,
        unit=unit,
        replicates=replicates,
        confidence=confidence,
        rng=rng,
        handling=handling,
    )
    return agreement_of(ratings, settings)


def agreement_of(ratings: Ratings, settings: Settings) -> AgreementReport:
    """Return the agreement of each judge with the reference under settings that are made already, as `agreement` does.

    Raises
    ------
    InputError
        As `agreement`.
    """
    settings = checked(ratings, settings)
    ratings = settings.on(ratings)
    reports = dict(_reports(ratings, settings))
    coverages = [report.coverage for report in reports.values()]
    check_overlap(ratings, sum(coverage.n_total for coverage in coverages), sum(coverage.n_errors for coverage in coverages))
    return AgreementReport(weighted_declaration(ratings, settings), reports, warnings_of(ratings, settings, reports))


@dataclass(frozen=True, eq=False)
class Alike:
    """What judges that answered alike have in common, found once.

    Attributes
    ----------
    reports : dict
        By what judge and reference said of the items, and how people voted there.
    directions : dict
        Of single tables, by their counts.
    """

    reports: dict[bytes, JudgeReport] = field(default_factory=dict)
    directions: dict[bytes, Directions | None] = field(default_factory=dict)


def _reports(ratings: Ratings, settings: Settings) -> Iterator[tuple[str, JudgeReport]]:
    """Yield every judge with its report, and say in between how far a bootstrap is."""
    if settings.sampling is None:
        alike = Alike()
        yield from ((name, judge_report(ratings, name, settings, alike=alike)) for name in settings.judges)
        return
    with shown("Bootstrap") as told:
        for place, name in enumerate(settings.judges):
            yield name, judge_report(ratings, name, settings, told and part(told, place, len(settings.judges)))


def judge_report(
    ratings: Ratings,
    judge: str,
    settings: Settings,
    progress: Progress | None = None,
    *,
    only: Sequence[str] | None = None,
    alike: Alike | None = None,
) -> JudgeReport:
    """Return all blocks of one judge; cost grows with the number of distinct items, not with rows.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
    progress : callable, optional
        Gets the share of a bootstrap that is done, and stops it by returning True; what is done is kept.
    only : sequence of str, optional
        Metrics of the pooled table, where no others are wanted: nothing else gets default intervals, and nothing a direction.
    alike : Alike, optional
        What was found for other judges of these ratings under these settings.
    """
    ratings = settings.on(ratings)
    patterns, directions = patterns_of(ratings, judge, settings.reference), {} if alike is None else alike.directions
    make = partial(_judge_report, ratings, judge, settings, patterns, progress, only, directions)
    labelling = labelling_of(ratings, judge, settings)
    if alike is None or not _by_patterns(ratings, settings):
        return by_labelling(make(), labelling)
    key = _answered(patterns) + votes_beside(ratings, judge, settings.reference).tobytes()
    if key not in alike.reports:
        alike.reports[key] = make()
    return by_labelling(replace(alike.reports[key], name=judge), labelling)


def _answered(patterns: Patterns) -> bytes:
    """Return what a judge and the reference said of the items, whichever they are: alike where all numbers are."""
    asked = () if patterns.slots is None else (patterns.slots.criterion,)
    said = patterns.slot_reference, patterns.slot_judge, patterns.multiplicity, *asked
    return b"".join(array.tobytes() for array in said)


def _by_patterns(ratings: Ratings, settings: Settings) -> bool:
    """Return whether nothing but the patterns of a judge, and how people voted beside it, makes its report.

    No weight, group or order of its items, and no draw.
    """
    return (
        settings.sampling is None
        and not settings.by_column
        and item_weights(ratings) is None
        and leading(ratings, settings.abstention) == "kappa"
    )


def _judge_report(
    ratings: Ratings,
    judge: str,
    settings: Settings,
    patterns: Patterns,
    progress: Progress | None,
    only: Sequence[str] | None,
    known: dict[bytes, Directions | None],
) -> JudgeReport:
    scheme, mode = ratings.scheme, settings.abstention
    by_criterion = apply_mode(patterns.raw, scheme, mode)
    items = item_level_of(ratings, patterns, settings) if only is None else no_item_level(ratings, settings, NOT_ASKED_FOR)
    tables = np.stack([by_criterion.sum(0), *by_criterion, *items.tables])
    labels = mode_labels(scheme, mode)
    keys = [metric.key for metric in applicable(len(labels), "table") if only is None or metric.key in (*only, *AT_CHANCE)]
    family = catalogue_family(labels, settings.cost, keys)
    micro, *blocks = evaluate(tables, family)
    blocks, item_blocks = blocks[: len(by_criterion)], blocks[len(by_criterion) :]
    criteria = dict(zip(ratings.criteria, blocks, strict=True))
    coverage, criterion_coverage = coverages(ratings, judge, settings.reference, each=only is None)
    report = JudgeReport(
        name=judge,
        micro=_with_criteria(micro, by_criterion, len(family.labels)),
        macro=Block.mean_over(blocks, family.functions),
        item=items.finish(item_blocks, family),
        criteria=criteria,
        coverage=coverage,
        criterion_coverage=criterion_coverage,
        n_items=patterns.n_rated(scheme.end_of_rated) if ratings.has_items else None,
        n_used=patterns.n_items(mode_map(scheme, mode).sum(0) > 0) if ratings.has_items else None,
    )
    report = replace(report, weighted=weighted(ratings, judge, settings, family))
    if settings.interval == "none":
        return with_distances(report, ratings, settings)
    rule = settings.item_rule if ratings.has_items and scheme.scale == "binary" else None
    tallied = Tallied.of(ratings, patterns, settings, rule)
    report = with_intervals(
        report,
        tallied,
        family=family,
        kind=settings.interval,
        confidence=settings.confidence,
        sampling=settings.sampling,
        progress=progress,
        pooled_only=only is not None,
    )
    report = with_distances(report, ratings, settings)
    if only is not None:
        return report
    word, binary = "items" if ratings.has_items else "decisions", not scales_of(ratings).named_errors
    return with_directions(report, tallied, word, settings.confidence, binary=binary, known=known)


def _with_criteria(block: Block, by_criterion: NDArray[np.int64], k: int) -> Block:
    """Return the micro block with the metrics that need every criterion's table."""
    counts = by_criterion.astype(np.float64)
    extra = {metric.key: float(metric.function(counts)) for metric in applicable(k, "criteria")}
    reason = "no decision is left" if not counts.sum() else "no criterion has agreement left to chance"
    return replace(block, estimates={**block.estimates, **estimates_of(extra, dict.fromkeys(extra, reason))})


def check_overlap(ratings: Ratings, n_total: int, n_errors: int) -> None:
    """Raise where no decision was rated by both sides.

    Parameters
    ----------
    ratings : Ratings
    n_total : int
        Decisions that both sides rated, of all judges together.
    n_errors : int
        Decisions on which the judge call failed.

    Raises
    ------
    InputError
        Where `n_total` is 0, unless failed calls are counted.
    """
    if n_total:
        return
    if n_errors:
        if ratings.scheme.handled("error") != "exclude":
            return
        raise InputError(
            f"{ratings.source.name}: every judge call on an item with a human label failed. There is nothing to compare."
        )
    if alone := scores_alone(ratings):
        raise InputError(
            f"{ratings.source.name}: no decision has a label on both sides. {alone[0]} To compare labels, write each verdict "
            "into the column of labels."
        )
    judge, human = _ids(ratings, "judge"), _ids(ratings, "human")
    first = f" First ids: judge {judge[1]!r}, human {human[1]!r}." if ratings.has_rows else ""
    raise InputError(
        f"{ratings.source.name}: the judge's {judge[0]} items and the human's {human[0]} share none on any "
        f"criterion.{first} {next(iter(alike_sentences(ratings)), 'Make the ids and criterion names equal.')}"
    )


def _ids(ratings: Ratings, role: Role) -> tuple[int, str]:
    items = np.unique(ratings.item[ratings.by_role(role)])
    return int(ratings.weight[items].sum()), str(ratings.items[int(items[0])]) if len(items) else ""


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
