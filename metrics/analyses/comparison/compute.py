"""Is one judge better than another? Paired on the decisions both gave."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from metrics.analyses.agreement.compute import agreement_of
from metrics.analyses.agreement.weighted import by_weight
from metrics.analyses.comparison.forest import Forest
from metrics.analyses.comparison.joint import Everybody, Share, joint_p
from metrics.analyses.comparison.margin import checked_margin
from metrics.analyses.comparison.paired import statistic_of
from metrics.analyses.comparison.pairwise import comparable, compare_pair, declaration, declared_by_weights
from metrics.analyses.comparison.permutation import Told
from metrics.analyses.comparison.readings import direction
from metrics.analyses.comparison.result import Comparison
from metrics.analyses.comparison.shared_decisions import Question
from metrics.analyses.leading import leading
from metrics.analyses.records import AgreementReport
from metrics.analyses.settings import Settings, checked, settings_of
from metrics.data.abstention import Mode
from metrics.data.aggregation import LEVELS, Level
from metrics.data.arguments import one_of
from metrics.data.checks import takes_ratings
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.intervals.methods import PLACES
from metrics.measures.catalogue import BY_KEY
from metrics.measures.exact_tests import holm
from metrics.results.estimate import Estimate
from metrics.results.progress import Tell, part, shown

REPLICATES = 10_000
BEST = "best"


@takes_ratings
def compare(
    ratings: Ratings,
    a: str,
    b: str,
    metric: str | None = None,
    *,
    level: Level | None = None,
    criterion: str | None = None,
    abstention: str = "exclude",
    reference: str = "auto",
    cost: str | ArrayLike | None = None,
    item_rule: str = "all",
    threshold: float | None = None,
    weights: Mapping[str, float] | None = None,
    unit: str = "item",
    confidence: float = 0.95,
    margin: float | None = None,
    replicates: int = REPLICATES,
    rng: np.random.Generator | int | None = None,
    handling: Mapping[str, str] | None = None,
    progress: Told | None = None,
) -> Comparison:
    """Return how judge B differs from judge A, on the decisions both answered and the reference has.

    The same difference at every level, with each judge on all it answered, and with abstentions recoded as negative stands beside
    it. A winner is named only where all of them agree.

    Parameters
    ----------
    ratings : Ratings
    a, b : str
        Judges. The difference is the value of B less that of A.
    metric : str, optional
        Key of the catalogue; by default `kappa_within` over several criteria, else `kappa`; of ordered labels
        `weighted_kappa_quadratic`.
    level : {"micro", "macro", "item"}, optional
        Macro: over the criteria where the metric is defined for both. By default micro; κ at a level where only that is given.
    criterion : str, optional
        Compare on this criterion alone.
    abstention, reference, cost, item_rule, threshold, weights, confidence, handling
        As in `metrics.agreement`.
    unit : str
        What is left out and swapped as a whole: `item`, or a column whose groups hold whole items.
    margin : float, optional
        How much worse B may be, on the metric's own scale, for the verdict whether it is non-inferior; there is no default.
    replicates : int
        Random swaps of the permutation test; few units that differ are swapped in all ways.
    rng : Generator or int, optional
        Source of the random swaps, or a seed; default seed 0.
    progress : callable, optional
        Told now and then what the permutation test has found so far; stops it by returning True, and what is done is kept.

    Raises
    ------
    InputError
        For an unknown choice, equal judges, a metric that has no difference, a margin that is not above 0 or of a metric without
        a better side, or judges that share no decision.
    """
    _check_data(ratings, unit, replicates)
    settings = settings_of(
        ratings, abstention=abstention, reference=reference, judges=(a, b), cost=cost, item_rule=item_rule,
        threshold=threshold, weights=weights, unit=unit, confidence=confidence, handling=handling,
    )  # fmt: skip
    asked = replace(question_of(ratings, metric, level, criterion, settings.abstention), margin=margin)
    with shown("Permutation test") as told:
        heard = progress or (told and _swapped(told))
        return comparison_of(ratings, settings, asked, replicates=replicates, rng=rng, progress=heard)


def _swapped(told: Tell) -> Told:
    """Return what hears a permutation test, and tells which share of its swaps is done."""
    return lambda test: told(test.replicates / test.asked)


def comparison_of(
    ratings: Ratings,
    settings: Settings,
    asked: Question,
    *,
    replicates: int = REPLICATES,
    rng: np.random.Generator | int | None = None,
    progress: Told | None = None,
) -> Comparison:
    """Return the second of two judges beside the first under settings that are made already, as `compare` does.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
        Their judges are the two.
    asked : Question
    replicates, rng, progress
        See `compare`.

    Raises
    ------
    InputError
        As `compare`.
    """
    _check_data(ratings, settings.unit, replicates)
    a, b = settings.judges
    settings = checked(ratings, settings)
    _check(ratings, settings, asked)
    if a == b:
        raise InputError(f"{a!r} cannot be compared with itself. Name two judges.")
    return compare_pair(ratings, settings, asked, replicates, _generator(rng), progress)


def question_of(
    ratings: Ratings, metric: str | None, level: Level | None, criterion: str | None, mode: Mode = "exclude"
) -> Question:
    """Return what is compared; where neither metric nor level is named, κ without credit for knowing which criterion is easy.

    That is κ within criteria, and of ordered labels the mean of their quadratic-weighted κ.

    Parameters
    ----------
    ratings : Ratings
    metric : str or None
        Key of the catalogue; None for the default.
    level : {"micro", "macro", "item"} or None
        None for the default.
    criterion : str or None
        Compare on this criterion alone; None for all.
    mode : {"exclude", "as_unmet", "as_category"}
        Abstention mode, on which the metric of the scale depends.
    """
    several, first = len(ratings.criteria) > 1 and criterion is None, leading(ratings, mode)
    if several and level is None and metric is None and first != "kappa":
        return Question(first, "macro", criterion)
    return Question(metric or ("kappa_within" if several and level is None else first), level or "micro", criterion)


def askable(ratings: Ratings, level: Level, criterion: str | None = None, mode: Mode = "exclude") -> tuple[str, ...]:
    """Return metrics that can be compared at a level or on a criterion, the one taken by default first.

    Parameters
    ----------
    ratings : Ratings
    level : {"micro", "macro", "item"}
    criterion : str, optional
        Single criterion; default: all.
    mode : {"exclude", "as_unmet", "as_category"}
        Abstention mode.

    Returns
    -------
    tuple of str
        Keys of the catalogue.
    """
    pooled = level == "micro" and criterion is None
    default = question_of(ratings, None, None if pooled else level, criterion, mode).metric
    keys = [key for key in comparable(ratings, mode) if pooled or BY_KEY[key].takes == "table"]
    return tuple(sorted(keys, key=lambda key: key != default))


@takes_ratings
def compare_all(
    ratings: Ratings,
    baseline: str | None = None,
    metric: str | None = None,
    *,
    judges: Sequence[str] | None = None,
    level: Level | None = None,
    criterion: str | None = None,
    abstention: str = "exclude",
    reference: str = "auto",
    cost: str | ArrayLike | None = None,
    item_rule: str = "all",
    threshold: float | None = None,
    weights: Mapping[str, float] | None = None,
    unit: str = "item",
    confidence: float = 0.95,
    margin: float | None = None,
    replicates: int = REPLICATES,
    rng: np.random.Generator | int | None = None,
    handling: Mapping[str, str] | None = None,
) -> Forest:
    """Return every judge against one baseline, each on the decisions it shares with that one.

    Parameters
    ----------
    baseline : str, optional
        A judge; by default the one with the best value on these data, which the result says; p is then corrected for picking it.
    judges : sequence of str, optional
        Default: all.

    The other parameters are those of `compare`.

    Raises
    ------
    InputError
        As `compare`; where there is no other judge; and without a baseline where the metric has no better side, or no value.
    """
    _check_data(ratings, unit, replicates)
    settings = settings_of(
        ratings, abstention=abstention, reference=reference, judges=judges, cost=cost, item_rule=item_rule,
        threshold=threshold, weights=weights, unit=unit, confidence=confidence, handling=handling,
    )  # fmt: skip
    asked = replace(question_of(ratings, metric, level, criterion, settings.abstention), margin=margin)
    contest = contest_of(ratings, baseline, asked, settings, replicates=replicates, rng=rng)
    with shown("Permutation tests") as told:
        each = [told and part(told, place, contest.steps) for place in range(contest.steps)]
        heard = [own and _swapped(own) for own in each[: len(contest.others)]]
        return contest.forest([contest.meet(place, own) for place, own in enumerate(heard)], each[-1])


@dataclass(frozen=True, eq=False)
class Contest:
    """A baseline and the judges to be compared with it, one after the other.

    Attributes
    ----------
    best : bool
        Whether the baseline is the judge with the best value on the same data.
    sources : tuple of Generator
        Of the random swaps, one for each of the others; each is good for one comparison.
    joint_source : Generator
        Of the correction for a baseline that was picked on these data; good for one forest.
    """

    ratings: Ratings
    settings: Settings
    question: Question
    baseline: str
    best: bool
    others: tuple[str, ...]
    replicates: int
    sources: tuple[np.random.Generator, ...]
    joint_source: np.random.Generator
    of_baseline: dict[bytes, Estimate] = field(default_factory=dict)
    """The baseline's own value with its interval, by the decisions that it shares."""

    def meet(self, place: int, progress: Told | None = None) -> Comparison:
        """Return one of the others against the baseline."""
        settings = replace(self.settings, judges=(self.baseline, self.others[place]))
        source, known = self.sources[place], self.of_baseline
        return compare_pair(self.ratings, settings, self.question, self.replicates, source, progress, of_first=known)

    @property
    def steps(self) -> int:
        """Comparisons to be made, and one more where p is corrected for picking the baseline."""
        return len(self.others) + self.best

    def forest(self, comparisons: Sequence[Comparison], progress: Share | None = None) -> Forest:
        """Return the comparisons made so far, best difference first; `progress` hears which share of the last step is done."""
        sign = direction(self.question.metric) or 1
        order = sorted(
            comparisons,
            key=lambda comparison: (not comparison.difference.defined, -sign * np.nan_to_num(comparison.difference.value)),
        )
        return Forest(
            declared_by_weights(
                declaration(self.ratings, self.settings, self.replicates),
                next((one.weighted for one in order if one.weighted), None),
            ),
            self.question.metric,
            self.question.level,
            self.baseline,
            self.best,
            tuple(order),
            holm([comparison.permutation.p for comparison in order], len(self.others) - len(order)),
            len(self.others),
            self.joint(order, progress) if self.best else None,
        )

    def joint(self, comparisons: Sequence[Comparison], progress: Share | None = None) -> tuple[float, ...]:
        """Return p of judges against the baseline, corrected for picking it on these data; never below the uncorrected one."""
        asked, judges = self.question, self.settings.judges
        everybody = Everybody.of(self.ratings, self.settings, asked.level, asked.criterion)
        statistic = statistic_of(asked.metric, asked.level, self.settings, many=everybody.n_criteria > 1)
        place_by_name = {name: place for place, name in enumerate(judges)}
        places, first = [place_by_name[comparison.b.name] for comparison in comparisons], place_by_name[self.baseline]
        joint = joint_p(everybody, statistic, first, places, self.replicates, self.joint_source, progress)
        return tuple(float(np.fmax(p, comparison.permutation.p)) for p, comparison in zip(joint, comparisons, strict=True))


def contest_of(
    ratings: Ratings,
    baseline: str | None,
    asked: Question,
    settings: Settings,
    *,
    replicates: int = REPLICATES,
    rng: np.random.Generator | int | None = None,
    report: AgreementReport | None = None,
) -> Contest:
    """Return the comparisons that `compare_all` makes, checked but not yet made.

    Parameters
    ----------
    ratings : Ratings
    baseline : str or None
        None for the judge with the best value on these data.
    asked : Question
    settings : Settings
        Without judges: of all.
    replicates, rng
        See `compare`.
    report : AgreementReport, optional
        Of these judges, with the units that are items, where it was made already.

    Raises
    ------
    InputError
        As `compare_all`.
    """
    _check_data(ratings, settings.unit, replicates)
    settings = checked(ratings, settings)
    _check(ratings, settings, asked)
    best = baseline is None or (baseline == BEST and BEST not in ratings.judges)
    chosen = _best(ratings, settings, asked, report) if best or baseline is None else baseline
    checked(ratings, replace(settings, judges=(chosen,)))
    others = tuple(name for name in settings.judges if name != chosen)
    if not others:
        raise InputError(f"{ratings.source.name}: there is no judge beside {chosen!r} to compare.")
    *sources, last = _generator(rng).spawn(len(others) + 1)
    return Contest(ratings, settings, asked, chosen, best, others, replicates, tuple(sources), last)


def _generator(rng: np.random.Generator | int | None) -> np.random.Generator:
    return rng if isinstance(rng, np.random.Generator) else np.random.default_rng(0 if rng is None else rng)


def _check_data(ratings: Ratings, unit: str, replicates: int) -> None:
    if not ratings.has_items:
        raise InputError(f"{ratings.source.name} is a table of counts: it does not say which items both judges saw.")
    if unit in PLACES[1:]:
        raise InputError(f"Judges are compared on whole items: the unit is item or a column that groups items, not {unit}.")
    if replicates < 1:
        raise InputError(f"The permutation test needs at least 1 replicate, not {replicates}.")


def _check(ratings: Ratings, settings: Settings, asked: Question) -> None:
    name, metric, level, criterion = ratings.source.name, asked.metric, asked.level, asked.criterion
    one_of("level", level, LEVELS)
    if criterion is not None and criterion not in ratings.criteria:
        raise InputError(f"{name}: no criterion is called {criterion!r}. Criteria: {', '.join(ratings.criteria[:12])}.")
    if criterion is not None and level != "micro":
        raise InputError("A single criterion has no level. Leave out one of the two.")
    if level == "item" and ratings.scheme.scale != "binary":
        raise InputError("No rule makes one item verdict of labels that are neither met nor unmet. Use micro or macro.")
    known = comparable(ratings, settings.abstention, settings.cost is not None)
    if metric not in known:
        raise InputError(f"Judges cannot be compared by {metric!r} here. Use one of: {', '.join(known)}.")
    if asked.margin is not None:
        checked_margin(asked.margin, metric, direction(metric))
    if BY_KEY[metric].takes == "criteria" and (level != "micro" or criterion is not None):
        raise InputError(f"{BY_KEY[metric].name} takes all criteria together. Use the level micro.")


def _best(ratings: Ratings, settings: Settings, asked: Question, report: AgreementReport | None) -> str:
    """Return the judge with the best value, each on all its own decisions; by weight where the file has weights."""
    metric, sign = asked.metric, direction(asked.metric)
    if not sign:
        raise InputError(f"More {BY_KEY[metric].symbol} is neither better nor worse, so no judge is the best. Name a baseline.")
    report = report or agreement_of(ratings, replace(settings, interval="none", unit="item"))
    values = {}
    for name in settings.judges:
        judge = by_weight(report.judges[name])
        block = judge.level(asked.level) if asked.criterion is None else judge.criteria[asked.criterion]
        values[name] = sign * block.values[metric]
    defined = {name: value for name, value in values.items() if not math.isnan(value)}
    if not defined:
        raise InputError(f"{BY_KEY[metric].name} is undefined for every judge.")
    return max(defined, key=lambda name: defined[name])
