"""Every defensible set of choices behind one number: which there are, and the number of each.

The number of an analysis is the one that `metrics.agreement` gives for its choices.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any

from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.leading import leading
from metrics.analyses.records import Block
from metrics.analyses.settings import Settings
from metrics.data.abstention import MODE_NAMES, MODES, SILENT, coverage_of, mode_labels
from metrics.data.aggregation import LEVEL_NAMES, LEVELS, ItemRule, Level
from metrics.data.labels import HANDLED, Handling, Scheme
from metrics.data.nonverdicts import modes_of, recodable
from metrics.data.pairs import patterns_of, reference_states, usual_rule
from metrics.data.ratings import Ratings
from metrics.data.references import AUTO, MAJORITY, MEAN, MEDIAN, OFFERED, UNANIMOUS, as_reference, left_out, references_of
from metrics.data.vocabulary import Kind
from metrics.measures.catalogue import BY_KEY, CATALOGUE, QUADRATIC_KAPPA, applicable
from metrics.results.words import count, number, percent, shorten

HANDLED_NAMES: dict[Handling, str] = {
    "abstention": "{} as abstentions", "exclude": "{} left out", "as_unmet": "{} negative", "as_category": "{} a class",
}  # fmt: skip
KIND_NAMES: dict[Kind, str] = {"tie": "Ties", "invalid": "Invalid"}
DIMENSIONS = {
    "mode": "mode", "level": "level", "rule": "item rule", "reference": "reference",
    "tie": "handling of ties", "invalid": "handling of invalid answers",
}  # fmt: skip
"""Key and name of each choice."""
FIELDS = {"mode": "abstention", "rule": "item_rule", "reference": "reference"}
"""Where `Settings` holds the answer to it; the handling of a kind stands in `handling`."""
OWN_WAY: tuple[Kind, ...] = ("tie", "invalid")
"""Kinds whose handling is a choice. A failed call is missing: no abstention, whatever one chooses."""
HALF = 0.5
"""The threshold that stands beside the rule that every criterion is met."""
ENOUGH = 0.2
"""Share of the judge's decisions that one human must have labelled to be a reference without being asked for."""
MOST_LEFT_OUT = 6
"""Humans up to which the majority of the others of each is an answer of its own."""
NOT_ASKED = -1
Analysis = tuple[int, ...]
"""Place of the answer to each choice; `NOT_ASKED` for the item rule above the item level."""
Levels = Mapping[Level, Block]


@dataclass(frozen=True)
class Option:
    """An answer to a choice: what `Settings` takes, its name, and what else means the same on these data."""

    key: Any
    name: str
    also: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Dimension:
    """A choice with its defensible answers."""

    key: str
    options: tuple[Option, ...]

    @property
    def name(self) -> str:
        return DIMENSIONS[self.key]

    def place(self, key: object) -> int:
        return next(i for i, option in enumerate(self.options) if key == option.key or key in option.also)


@dataclass(frozen=True)
class Space:
    """All choices about one judge.

    Attributes
    ----------
    base : Settings
        The declared choices.
    level : Level
        The declared level.
    dimensions : tuple of Dimension
        Mode, level, item rule, reference, handling of ties and of invalid answers; one answer where there is no choice.
    kinds : mapping
        Reference to the kinds of answer without a verdict that it or the judge gives.
    remarks : tuple of str
        Why an answer that one may look for is not among them, a sentence each.
    first : str
        The metric that the scale is read by first.
    """

    judge: str
    base: Settings
    level: Level
    scheme: Scheme
    dimensions: tuple[Dimension, ...]
    kinds: Mapping[str, tuple[Kind, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    first: str = "kappa"

    @cached_property
    def declared_analysis(self) -> Analysis:
        return self._canonical_places(
            tuple(dimension.place(self._declared_answers[dimension.key]) for dimension in self.dimensions)
        )

    @cached_property
    def same(self) -> dict[Analysis, Analysis]:
        """Every way to answer the choices, and the analysis that stands for it.

        Where nobody leaves a decision open, all modes give the same tables by construction: they are one analysis. Of such,
        the one nearest to the declared choices stands for the others.
        """
        declared_places = [dimension.place(self._declared_answers[dimension.key]) for dimension in self.dimensions]
        every = product(*(range(len(dimension.options)) for dimension in self.dimensions))
        near = sorted(every, key=lambda places: (sum(a != b for a, b in zip(places, declared_places, strict=True)), places))
        first: dict[object, Analysis] = {}
        asked = dict.fromkeys(map(self._canonical_places, near))
        return {analysis: first.setdefault(self._tables(analysis), analysis) for analysis in asked}

    @cached_property
    def analyses(self) -> tuple[Analysis, ...]:
        """Every set of choices that gives tables of its own."""
        return tuple(sorted(set(self.same.values())))

    @cached_property
    def varied(self) -> tuple[Dimension, ...]:
        """The choices with more than one answer among the analyses."""
        places = [{analysis[i] for analysis in self.analyses} - {NOT_ASKED} for i in range(len(self.dimensions))]
        return tuple(d for d, used in zip(self.dimensions, places, strict=True) if len(used) > 1)

    def held(self, keys: Collection[str]) -> Space:
        """Return the space in which these choices stay as declared."""
        kept = [
            replace(d, options=(d.options[d.place(self._declared_answers[d.key])],)) if d.key in keys else d
            for d in self.dimensions
        ]
        return replace(self, dimensions=tuple(kept))

    def answer(self, analysis: Analysis, key: str) -> Option | None:
        """Return the answer to one choice; None where it is not asked."""
        for dimension, place in zip(self.dimensions, analysis, strict=True):
            if dimension.key == key and place != NOT_ASKED:
                return dimension.options[place]
        return None

    def names(self, analysis: Analysis) -> dict[str, str]:
        """Return choice to the name of the answer; without those that are not asked."""
        return {d.key: d.options[place].name for d, place in zip(self.dimensions, analysis, strict=True) if place != NOT_ASKED}

    def level_of(self, analysis: Analysis) -> Level:
        option = self.answer(analysis, "level")
        return option.key if option else self.level

    def settings(self, analysis: Analysis) -> Settings:
        """Return its choices as `metrics.agreement` takes them; those that are not asked stay as declared."""
        if analysis not in self._settings:
            self._settings[analysis] = self._made(analysis)
        return self._settings[analysis]

    @cached_property
    def _settings(self) -> dict[Analysis, Settings]:
        return {}

    def _made(self, analysis: Analysis) -> Settings:
        options = {name: self.answer(analysis, key) for key, name in FIELDS.items()}
        changes: dict[str, Any] = {name: option.key for name, option in options.items() if option is not None}
        handling = {kind: option.key for kind in OWN_WAY if (option := self.answer(analysis, kind)) is not None}
        ways: dict[Kind, Handling] = {**HANDLED, **dict(self.base.handling or ()), **handling}
        changes["handling"] = tuple((kind, how) for kind, how in ways.items() if how != HANDLED[kind])
        return replace(self.base, **changes)

    def metrics(self) -> tuple[str, ...]:
        """Return keys of the metrics that exist in some analysis, the scale's own first."""
        keys = [self.first, *(record.key for record in CATALOGUE if record.key != self.first)]
        return tuple(key for key in keys if any(self.has(analysis, key) for analysis in self.analyses))

    def has(self, analysis: Analysis, metric: str) -> bool:
        """Return whether the metric exists for these choices, whatever the data."""
        record = BY_KEY[metric]
        mode = self.settings(analysis).abstention
        if record == QUADRATIC_KAPPA:
            return metric == self.first and mode == "exclude"
        k = len(mode_labels(self.scheme, mode))
        return record in applicable(k) and (record.takes == "table" or self.level_of(analysis) == "micro")

    @cached_property
    def _declared_answers(self) -> dict[str, object]:
        """The declared answer to each choice."""
        answers: dict[str, object] = {key: getattr(self.base, name) for key, name in FIELDS.items()}
        ways: dict[Kind, Handling] = {**HANDLED, **dict(self.base.handling or ())}
        return {**answers, "level": self.level, **{str(kind): how for kind, how in ways.items()}}

    def _canonical_places(self, places: Analysis) -> Analysis:
        """Return the answers with `NOT_ASKED` for the item rule above the item level."""
        keys = [dimension.key for dimension in self.dimensions]
        level = self.dimensions[keys.index("level")].options[places[keys.index("level")]].key
        return tuple(NOT_ASKED if key == "rule" and level != "item" else place for key, place in zip(keys, places, strict=True))

    def _tables(self, analysis: Analysis) -> object:
        """Return what is equal for two analyses only if they count the same verdicts as the same classes."""
        settings, level = self.settings(analysis), self.level_of(analysis)
        ways = {**HANDLED, **dict(settings.handling or ())}
        becomes = [
            _becomes(ways.get(kind, "abstention"), settings.abstention, level) for kind in self.kinds.get(settings.reference, ())
        ]
        return tuple(becomes), level, settings.item_rule if level == "item" else None, settings.reference


def _becomes(how: str, mode: str, level: Level) -> str:
    """Return what an answer without a verdict counts as.

    An item rule carries an abstention; left out, it takes the item with it.
    """
    if how != "abstention":
        return how
    return f"carried, {mode}" if level == "item" and mode != "as_unmet" else mode


def space_of(ratings: Ratings, judge: str, base: Settings, level: Level, *, every_human: bool = False) -> Space:
    """Return the choices these data leave open.

    Parameters
    ----------
    base, level
        The declared choices.
    every_human : bool
        Take also those humans for a reference who labelled less than `ENOUGH` of the judge's decisions.
    """
    reference, remarks = _references(ratings, judge, base.reference, every_human=every_human)
    kinds = {option.key: _open_kinds(ratings, judge, option.key, base) for option in reference.options}
    dimension_notes = [
        _modes(ratings, judge, kinds, base),
        _levels(ratings, level),
        (_rules(base.item_rule), ""),
        (reference, ""),
    ]
    dimension_notes += [(dimension, "") for dimension in _handlings(ratings, kinds, base)]
    remarks = [sentence for _, sentence in dimension_notes if sentence] + remarks
    base = replace(base, handling=ratings.scheme.handling if base.handling is None else base.handling)
    dimensions = tuple(dimension for dimension, _ in dimension_notes)
    return Space(judge, base, level, ratings.scheme, dimensions, kinds, tuple(remarks), leading(ratings))


def evaluated(ratings: Ratings, judge: str, settings: Settings) -> Levels:
    """Return the three levels under one set of choices.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings

    Returns
    -------
    mapping of level to Block
    """
    report = judge_report(ratings, judge, settings)
    return {level: report.level(level) for level in LEVELS}


def _open_kinds(ratings: Ratings, judge: str, reference: str, base: Settings) -> tuple[Kind, ...]:
    """Return kinds of answer without a verdict on the decisions of both; failed calls where they do not count as missing."""
    raw, scheme = patterns_of(ratings, judge, reference).raw.sum(0), ratings.scheme
    kinds = [kind for kind in SILENT if raw[scheme.state(kind)].sum() + raw[:, scheme.state(kind)].sum()]
    handling = dict(scheme.handling if base.handling is None else base.handling)
    failed = handling.get("error", "exclude") != "exclude" and raw[: scheme.state("error"), scheme.state("error")].sum()
    return (*kinds, *(("error",) if failed else ()))


def _modes(ratings: Ratings, judge: str, kinds: Mapping[str, tuple[Kind, ...]], base: Settings) -> tuple[Dimension, str]:
    modes = tuple(mode for mode in MODES if mode == base.abstention or mode in modes_of(ratings))
    remark = "" if "as_unmet" in modes else "These labels have no negative one to recode abstentions to."
    if ratings.scheme.scale == "binary" and not recodable(ratings):
        second = mode_labels(ratings.scheme, "exclude")[1]
        remark = f"No answer is recoded as {second}: a tie, or no answer, is no win of {second}."
        if base.abstention == "as_unmet":
            remark = f"A tie, or no answer, is no win of {second}: {MODE_NAMES['as_unmet']} stands here only as it is declared."
    if not any(kinds.values()):
        remark = f"Neither {shorten(judge)} nor the human leaves a decision open, so all modes are one."
    return Dimension("mode", tuple(Option(mode, MODE_NAMES[mode]) for mode in modes)), remark


def _handlings(ratings: Ratings, kinds: Mapping[str, tuple[Kind, ...]], base: Settings) -> list[Dimension]:
    """Return how ties and invalid answers are handled beside other answers without a verdict; alone, the mode is about them."""
    used = {kind for open_kinds in kinds.values() for kind in open_kinds}
    declared = dict(ratings.scheme.handling if base.handling is None else base.handling)
    dimensions = []
    for kind in OWN_WAY:
        ways: list[Handling] = ["abstention"]
        if kind in used and len(used) > 1:
            ways += ["exclude", "as_unmet"] if recodable(ratings) else ["exclude"]
        declared_way = declared.get(kind, "abstention")
        ways = ways if declared_way in ways else [*ways, declared_way] if kind in used and len(used) > 1 else [declared_way]
        name = KIND_NAMES[kind]
        dimensions.append(Dimension(kind, tuple(Option(how, HANDLED_NAMES[how].format(name)) for how in ways)))
    return dimensions


def has_item_level(ratings: Ratings) -> bool:
    """Return whether verdicts can be made item verdicts: a table of counts has no items, and classes have no rule."""
    return ratings.has_items and ratings.scheme.scale == "binary"


def _levels(ratings: Ratings, declared: Level) -> tuple[Dimension, str]:
    def of(*levels: Level) -> Dimension:
        return Dimension("level", tuple(Option(level, LEVEL_NAMES[level]) for level in levels))

    if len(ratings.criteria) == 1:
        only = Option("micro", LEVEL_NAMES["micro"], LEVELS)
        same = "micro, macro and item" if has_item_level(ratings) else "micro and macro"
        return Dimension("level", (only,)), f"There is one criterion, so {same} are one."
    if ratings.scheme.scale == "binary":
        return of(*LEVELS), ""
    if declared == "item":
        return of(*LEVELS), "The item level is undefined here: no rule makes one item verdict of such labels."
    return of("micro", "macro"), "The item level is left out: no rule makes one item verdict of such labels."


def _rules(declared: ItemRule) -> Dimension:
    weights = declared.weights
    # A share of 1 asks for every criterion of positive weight and none of negative weight.
    every = Option(ItemRule("all", None, weights), "All met", (ItemRule("threshold", 1.0, weights),))
    asked = {HALF, *([declared.threshold] if declared.threshold not in (None, 1.0) else [])}
    shares = [Option(ItemRule("threshold", share, weights), f"Score ≥ {number(share)}") for share in sorted(asked)]
    return Dimension("rule", (every, *shares))


def _references(ratings: Ratings, judge: str, declared: str, *, every_human: bool) -> tuple[Dimension, list[str]]:
    if len(ratings.humans) < 2:
        return Dimension("reference", (Option(declared, declared),)), []
    few = seldom_humans(ratings, judge, declared)
    humans = [name for name in _humans(ratings) if every_human or name not in few]
    groups: dict[bytes, list[str]] = {}
    known = references_of(ratings.humans, usual_rule(ratings))
    rules, others = OFFERED[usual_rule(ratings)], [name for name in known if left_out(name, ratings.humans)]
    for name in (*rules, *humans, *(others if len(others) <= MOST_LEFT_OUT else [])):
        groups.setdefault(reference_states(ratings, name).tobytes(), []).append(name)
    options = tuple(_reference_option(names, declared, ratings.humans) for names in groups.values())
    remarks = []
    if few and not every_human:
        remarks.append(_seldom_words(few, len(ratings.humans)))
    return Dimension("reference", options), remarks


def seldom_humans(ratings: Ratings, judge: str, declared: str) -> tuple[str, ...]:
    """Return humans who labelled too few of the judge's decisions to be a reference without being asked for.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    declared : str
        The declared reference, which is never among them.
    """
    if len(ratings.humans) < 2:
        return ()
    enough = ENOUGH * _shared(ratings, judge, AUTO)
    return tuple(name for name in _humans(ratings) if _shared(ratings, judge, name) < enough and name != declared)


def _humans(ratings: Ratings) -> list[str]:
    """Return the humans by what they are called as a reference."""
    return [as_reference(name, ratings.humans) for name in ratings.humans]


def _shared(ratings: Ratings, judge: str, reference: str) -> int:
    return coverage_of(patterns_of(ratings, judge, reference).raw.sum(0), ratings.scheme).n_total


def _seldom_words(few: tuple[str, ...], n_humans: int) -> str:
    share = percent(ENOUGH)
    if len(few) == n_humans:
        return f"No human labelled {share} of the judge’s decisions, so none is a reference alone, unless asked for."
    who = f"‘{few[0]}’ labelled" if len(few) == 1 else f"{count(len(few))} of the {count(n_humans)} humans labelled"
    return f"{who} less than {share} of the judge’s decisions: no reference alone, unless asked for."


def _reference_option(names: list[str], declared: str, humans: tuple[str, ...]) -> Option:
    """Return rules and humans that give the same labels as one answer."""
    shown = {AUTO: "As the scale asks", MAJORITY: "Majority", UNANIMOUS: "All agree", MEDIAN: "Low median", MEAN: "Mean"}
    if len(humans) == 2 and names == [MAJORITY, UNANIMOUS]:
        name = "Both agree"
    else:
        name = " = ".join(shown.get(name, f"{name[0].upper()}{name[1:]}" if left_out(name, humans) else name) for name in names)
    key = declared if declared in names else names[0]
    return Option(key, name, tuple(names))
