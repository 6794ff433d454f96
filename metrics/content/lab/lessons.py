"""Nine lessons of a few tables each: what a step shows, what it says of the numbers it shows, and what a reader may bet first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Literal

from metrics.content.lab.pictures import Picture
from metrics.content.lab.tables import WORDS, ConfusionTable, Rates
from metrics.content.lab.terms import Compared
from metrics.data.abstention import Mode

RAO = "Rao and Callison-Burch, Agreement Metrics for LLM-as-Judge Evaluation"
View = Literal["bars", "lines", "split", "space"]
Drawn = Literal["told", "folded", "guessed", "earned"]
SHOWN = ("accuracy", "expected_agreement", "kappa")
WITH_PHI = (*SHOWN, "phi")
FEINSTEIN = (
    "Feinstein and Cicchetti (1990), doi:10.1016/0895-4356(90)90158-L, and Cicchetti and Feinstein (1990), "
    "doi:10.1016/0895-4356(90)90159-M"
)


@dataclass(frozen=True)
class Bet:
    """A question to answer before the next step shows it.

    Attributes
    ----------
    question : str
    options : tuple of str
    right : int
        Place of the option that the next step shows to be so.
    after : str
        Why, with names of facts of the next step; see `metrics.content.lab.terms.Facts`. A lesson of one's own has none.
    """

    question: str
    options: tuple[str, ...]
    right: int
    after: str = ""


@dataclass(frozen=True)
class Step:
    """One table of a lesson.

    Attributes
    ----------
    key : str
        What stands in an address for it.
    head, text : str
        What it says, with the names of facts in braces; see `metrics.content.lab.terms.Facts`.
    lit : str
        The metric whose cells and formula are shown.
    view : View
        What stands beside the table where there is room for one view only.
    second_table : Table or None
        A second table to stand beside it, A | B.
    anew : bool
        Whether it starts a tale of its own and is not read against the step before.
    shows : tuple of str
        Metrics that stand beside the figure; what a lesson has not come to yet is not among them.
    drawn : Drawn
        What the figure tells: folded, only where the two agree, and not yet who says what; guessed, the same labels given at
        random; earned, the share that is κ before it has that name.
    bet : Bet or None
        What is asked before the next step.
    """

    key: str
    table: ConfusionTable
    head: str
    text: str
    lit: str = "kappa"
    view: View = "bars"
    mode: Mode = "exclude"
    second_table: ConfusionTable | None = None
    anew: bool = False
    shows: tuple[str, ...] = SHOWN
    drawn: Drawn = "told"
    bet: Bet | None = None

    def picture(self, labels: Sequence[str] = WORDS) -> Picture:
        """Return the step's table, called A where another stands beside it."""
        return Picture(self.table, self.mode, "" if self.second_table is None else "A", labels)

    def title(self, picture: Picture, before: Picture | None = None) -> str:
        """Return heading, computed from the picture and what it is read against (`against` finds it); plain text."""
        return self.filled(self.head, picture, before)

    def sentence(self, picture: Picture, before: Picture | None = None) -> str:
        """Return what the numbers show and why, in one sentence; plain text."""
        return self.filled(self.text, picture, before)

    def filled(self, text: str, now: Picture, before: Picture | None = None) -> str:
        """Return a text with the facts of a picture, and of what it is read against, put in."""
        return text.format_map(Compared(now, before or against(self.key, now.words)))


@dataclass(frozen=True)
class Lesson:
    """What a few tables teach together, and where they are from."""

    number: int
    title: str
    steps: tuple[Step, ...]
    source: str = ""


READER, SLEEPER = ConfusionTable((10, 0, 10, 80)), ConfusionTable((0, 10, 0, 90))
"""Two judges of the same answers who agree with the human equally often."""
EVEN = ConfusionTable((450, 50, 50, 450))
HALF_MET = ConfusionTable.of_rates(Rates(prevalence=0.5, tpr=0.9, tnr=0.9, n=1000))
BLIND = ConfusionTable((0, 50, 50, 900))
STRICT = ConfusionTable((40, 20, 5, 35))
NO_VERDICT = ConfusionTable.of_counts([[30, 10, 5], [10, 20, 5], [5, 5, 10]])


def _same_judge(prevalence: float) -> ConfusionTable:
    return ConfusionTable.of_rates(Rates(prevalence, 0.9, 0.9, 1000))


NINETY_TWICE = (
    Step(
        "ship", READER, "Two judges, {seen} agreement each",
        "A human marks {n} answers {positive} (done as asked) or {negative}. Judges A and B each agree with the human on "
        "{agreed}.",
        "accuracy", second_table=SLEEPER, shows=("accuracy",), drawn="folded",
        bet=Bet(
            "Which one would you use?", ("Judge A", "Judge B", "No difference"), 0,
            "B says {negative} to everything.",
        ),
    ),
    Step(
        "asleep", READER, "Judge B need not read",
        "The human marks {positives} {positive}. A finds all {found}, and calls {alarms_n} others {positive}: false passes. B "
        "says only {negative}: right {was.agreed} times.",
        "accuracy", second_table=SLEEPER, shows=("accuracy",),
    ),
    Step(
        "chance", READER, "What does chance give?",
        "A says {positive} to {judge}. At random, that is right on {chance} on average, B's {was.judge} on {was.chance}.",
        "accuracy", "split", second_table=SLEEPER, shows=("accuracy", "expected_agreement"), drawn="guessed",
    ),
    Step(
        "minus", READER, "What is earned?",
        "At random A would get {chance}: {left} points are left. A earns {earned}, a share of {kappa}. B earns "
        "{was.earned} of its {was.left}.",
        "accuracy", "split", second_table=SLEEPER, shows=("accuracy", "expected_agreement"), drawn="earned",
    ),
    Step(
        "kappa", READER, "That share is κ (kappa)",
        "Of the points that chance leaves, κ is the share a judge earns: {kappa} for A, {was.kappa} for B. 1 is never wrong, 0 "
        "is chance, below 0 worse than chance.",
        view="split", second_table=SLEEPER,
    ),
)  # fmt: skip
PREVALENCE = (
    Step(
        "2a", HALF_MET, "One judge where {human} are {positive}: κ {kappa}",
        "This judge is right on {recall_share} of what is {positive} and on {specificity_share} of what is {negative}. Where "
        "{human} are {positive}, κ is {kappa}.",
        "balanced_accuracy",
        bet=Bet(
            "The same judge works where only 5 % are {positive}. What happens to κ?",
            ("It stays", "It falls", "It rises"), 1,
            "Agreement stays at {seen}, chance alone rises to {chance}, and κ falls to {kappa}. Drag the prevalence and see.",
        ),
    ),
    Step(
        "2b", _same_judge(0.05), "The prevalence paradox: κ falls from {was.kappa} to {kappa}",
        "The same judge, where {human} are {positive}, still agrees on {seen}. Chance alone would now give {chance} instead "
        "of {was.chance}. The judge earns only {earned} of the {left} points left, and κ falls to {kappa}.", view="lines",
    ),
    Step(
        "2c", _same_judge(0.01), "At {human} {positive} κ is {kappa}",
        "At {human} chance alone would give {chance} of the {seen}, and κ is {kappa}. The judge is the same in all three "
        "steps: κ reflects how rare a label is, not only how good the judge is.", view="lines",
    ),
)  # fmt: skip
IN_PRINT = (
    Step(
        "2d", ConfusionTable((40, 9, 6, 45)), "In the literature: {seen} agreement, κ {kappa}",
        "Feinstein and Cicchetti (1990) show two raters who agree on {agreed} of {n}. Both say {positive} about half of the "
        "time ({human} and {judge}), so chance alone would give {chance}: κ is {kappa}.", anew=True, view="split",
        bet=Bet(
            "Their second pair of raters also agrees on 85 of 100. Is κ the same?",
            ("The same", "Much lower", "Higher"), 1,
            "Both say {positive} nearly always ({human} and {judge}). Chance alone gives {chance}, and κ is {kappa}.",
        ),
    ),
    Step(
        "2e", ConfusionTable((80, 10, 5, 5)), "{seen} agreement still, κ {kappa}",
        "Their second pair agrees just as often, but both say {positive} nearly always ({human} and {judge}). Chance alone "
        "would give {chance}, and κ falls from {was.kappa} to {kappa}.", view="split",
    ),
)  # fmt: skip
BIAS = (
    Step(
        "2f", ConfusionTable((45, 15, 25, 15)), "Both prefer the same label: {seen} agreement, κ {kappa}",
        "The second paradox starts here: both sides say {positive} more often than not ({human} and {judge}). Chance alone "
        "would give {chance} of the {seen}, and κ is {kappa}.", anew=True, view="split",
        bet=Bet(
            "Another judge says {positive} to 30 %, and agrees with the human on 60 % as before. What happens to κ?",
            ("It falls", "It stays", "It rises"), 2,
            "Label rates that differ agree less often by chance: {chance} instead of {was.chance}. κ rises to {kappa}.",
        ),
    ),
    Step(
        "2g", ConfusionTable((25, 35, 5, 35)), "The bias paradox: κ rises from {was.kappa} to {kappa}",
        "Now one side says {positive} to {human}, the other to {judge}; they agree on {seen} as before. Such raters agree "
        "less often by chance, {chance} instead of {was.chance}. κ rises although the label rates differ more.", view="split",
    ),
)  # fmt: skip
ONE_CELL = (
    Step(
        "3a", ConfusionTable((0, 10, 0, 90)), "{seen} agreement without reading: κ {kappa}",
        "A judge that says {negative} to everything agrees on {seen} because {negatives} are {negative}. Chance alone gives "
        "such a judge just as much, so κ is {kappa}.",
    ),
    Step(
        "3b", ConfusionTable((0, 10, 0, 90)), "φ is undefined",
        "φ asks whether the judge’s verdicts rise and fall with the human’s. A verdict that never varies cannot, so φ is "
        "undefined, which is not the same as 0.",
        "phi", anew=True, shows=WITH_PHI,
        bet=Bet(
            "The judge finds one {positive} after all: one cell flips, and agreement rises by 1 point. And κ?",
            ("Rises by 0.01", "Rises by 0.17", "Stays at 0"), 1,
            "One cell lifts κ from {was.kappa} to {kappa}, and φ from undefined to {phi}. Flip it on the figure.",
        ),
    ),
    Step(
        "3c", ConfusionTable((1, 9, 0, 90)), "One {positive} found: κ {kappa}, φ {phi}",
        "Finding {found} of the {positives} {positive} lifts agreement only from {was.seen} to {seen}, but κ from "
        "{was.kappa} to {kappa}. φ is now defined: {phi}.", shows=WITH_PHI,
    ),
    Step(
        "3d", ConfusionTable((90, 0, 10, 0)), "The other way round: F1 {f1}, κ {kappa}",
        "Where {human} are {positive}, a judge that says {positive} to everything has F1 {f1} and κ still {kappa}. F1 counts "
        "{positive} alone: where that is common, always saying it looks good.",
        "f1", anew=True, shows=(*SHOWN, "f1"),
    ),
)  # fmt: skip
EQUAL = (
    Step(
        "4a", ConfusionTable((30, 10, 10, 50)), "No label-rate bias: κ = φ = {kappa}",
        "The judge says {positive} exactly as often as the human ({judge}). As many errors go one way as the other, and κ "
        "and φ are the same number.",
        "phi", shows=WITH_PHI,
    ),
    Step(
        "4b", ConfusionTable((10, 0, 30, 60)), "Label-rate bias: κ {kappa} is below φ {phi}",
        "This judge says {positive} to {judge}, the human to {human}. Where the two rates differ, κ is only a part of φ: "
        "{ratio} of it here.", shows=WITH_PHI,
    ),
    Step(
        "4c", ConfusionTable((10, 10, 40, 40)), "Label-rate bias, and still κ = φ = {kappa}",
        "A judge that says {positive} to {recall_share} of what is {positive} and to {fpr_share} of what is {negative} does "
        "not separate the two. κ and φ are both 0, and the bias ({judge} against {human}) cannot lower them.",
        "phi", shows=WITH_PHI,
    ),
    Step(
        "4d", ConfusionTable((10, 40, 20, 30)), "Below 0: κ {kappa} is above φ {phi}",
        "This judge agrees less than chance would. The label-rate bias ({judge} against {human}) draws κ towards 0 as "
        "always, so here κ is the larger.", shows=WITH_PHI,
    ),
)  # fmt: skip
STRICT_AND_LENIENT = (
    Step(
        "5a", STRICT, "A strict judge: {missed}, {alarms}",
        "It finds {recall_share} of what is {positive} (TPR). When it says {positive}, it is right {precision_share} of the "
        "time (precision). κ is {kappa}.",
        "balanced_accuracy", view="space",
    ),
    Step(
        "5b", STRICT.turned(), "A lenient judge: {missed}, {alarms}, and κ is {kappa} again",
        "Missed and false passes have changed places, and so have TPR (now {recall_share}) and precision (now "
        "{precision_share}). But {stay} stay: they treat both errors alike, so they cannot distinguish these two judges.",
        view="space",
    ),
    Step(
        "5c", STRICT, "Side by side: opposite errors, F1 {f1} and {was.f1}",
        "Of {wrong} errors each, A has {missed} and B has {was.alarms}. Which is worse depends on what an error costs you: "
        "report both error rates beside κ.",
        "f1", second_table=STRICT.turned(), shows=(*SHOWN, "f1"),
        bet=Bet(
            "A false pass costs you ten times as much as a missed pass. Which would you use?",
            ("The strict A", "The lenient B", "No difference"), 0,
            "In units of one missed pass A costs {cost} and B {was.cost}. κ is {kappa} for both.",
        ),
    ),
    Step(
        "5d", STRICT, "What the errors cost: {cost} and {was.cost}",
        "Let a missed pass cost 1 and a false pass {price}. A costs {missed_n} + {price} · {alarms_n} = {cost}, B costs "
        "{was.missed_n} + {price} · {was.alarms_n} = {was.cost}. κ, {kappa} for both, knows no costs.",
        second_table=STRICT.turned(),
    ),
)  # fmt: skip
WORKED = (
    Step(
        "6a", ConfusionTable((40, 10, 20, 30)), "First example: κ {kappa3}, φ {phi3}",
        "Accuracy is {seen}, F1 {f13}, and chance alone would give {chance}, so κ is {earned} / {left} = {kappa3}. φ is a "
        "little higher, {phi3}, because the judge says {positive} to {judge} and the human to {human}.", shows=WITH_PHI,
    ),
    Step(
        "6b", ConfusionTable((5, 5, 0, 90)), "Second example: accuracy {seen}, κ {kappa3}",
        "Another judge on another mix, {human} {positive} instead of {was.human}: its accuracy is {seen}, higher than the first "
        "one’s {was.seen}. Chance alone would give {chance}: κ is "
        "{earned} / {left} = {kappa3}, and φ {phi3}.", shows=WITH_PHI,
    ),
    Step(
        "6c", ConfusionTable((0, 10, 0, 90)), "Third example: accuracy {seen}, κ {kappa}",
        "On the same decisions a judge that never says {positive} still has an accuracy of {seen} against {was.seen}. Its κ "
        "is {kappa} against {was.kappa3}, and φ is undefined.", shows=WITH_PHI,
    ),
)  # fmt: skip
SILENCE = (
    Step(
        "7a", ConfusionTable((30, 10, 10, 20)), "Everything decided: κ {kappa3}",
        "Judge and human both give a verdict in all {n} decisions and agree on {seen} of them. κ is {kappa3}.",
    ),
    Step(
        "7b", NO_VERDICT, "Excluded: κ {kappa3} on {coverage} of the decisions",
        "{silent} further decisions have no verdict from one side or from both. Excluded, they change no number, but κ now "
        "describes {n} of {all} decisions only.",
        bet=Bet(
            "Count the {silent} without a verdict as {negative}. What happens to κ?",
            ("It rises", "It falls a little", "It stays"), 1,
            "Counted as {negative} all {n} decisions are in, and κ is {kappa3} instead of {was.kappa3}.",
        ),
    ),
    Step(
        "7c", NO_VERDICT, "Counted as {negative}: κ {kappa3}",
        "If no verdict counts as {negative}, all {n} decisions are in and κ is {kappa3} instead of {was.kappa3}. It says how "
        "good the judge is if silence means {negative}.",
        mode="as_unmet",
    ),
    Step(
        "7d", NO_VERDICT, "Kept as a class: κ {kappa3}",
        "If {third} is a label like the others, the two can agree on it and differ over it, and κ is {kappa3}. One table "
        "gives three numbers, because it answers three questions.",
        mode="as_category",
    ),
)  # fmt: skip
LESSONS = (
    Lesson(1, "Ninety percent, twice", NINETY_TWICE),
    Lesson(2, "Prevalence: one judge, three mixes", PREVALENCE),
    Lesson(3, "In print: Feinstein and Cicchetti, 1990", IN_PRINT, FEINSTEIN),
    Lesson(4, "Bias: tables from Wikipedia", BIAS, "Wikipedia, Cohen’s kappa"),
    Lesson(5, "Flip one cell: Rao and Callison-Burch, section 5", ONE_CELL, f"{RAO}, section 5, for the first table"),
    Lesson(6, "Strict and lenient: what an error costs", STRICT_AND_LENIENT),
    Lesson(7, "No verdict: Rao and Callison-Burch, appendix B", SILENCE, f"{RAO}, appendix B"),
    Lesson(8, "Worked examples: Rao and Callison-Burch, section 5", WORKED, f"{RAO}, section 5"),
    Lesson(9, "More: when κ = φ", EQUAL, f"{RAO}, equation 12, for the last two tables"),
)
STEPS: dict[str, Step] = {step.key: step for lesson in LESSONS for step in lesson.steps}
_ORDER = tuple(STEPS.values())


def lesson_of(key: str) -> Lesson:
    """Return the lesson of a step; KeyError where there is no such step."""
    return next(lesson for lesson in LESSONS if STEPS[key] in lesson.steps)


def step_name(key: str) -> str:
    """Return what a step is called where it is named beside another: "step 2a", of lesson 2 the first."""
    lesson = lesson_of(key)
    return f"step {lesson.number}{ascii_lowercase[lesson.steps.index(STEPS[key])]}"


def first_needs(key: str) -> tuple[str, ...]:
    """Return the metrics that the first lesson needs, while it is read; nobody has to know the others yet."""
    first = LESSONS[0]
    return tuple(dict.fromkeys(step.lit for step in first.steps)) if STEPS.get(key) in first.steps else ()


def following(key: str) -> Step | None:
    """Return the next step, on into the next lesson; None after the last."""
    place = _ORDER.index(STEPS[key]) + 1
    return _ORDER[place] if place < len(_ORDER) else None


def preceding(key: str) -> Step | None:
    """Return the step a reader comes from; None before the first."""
    place = _ORDER.index(STEPS[key])
    return _ORDER[place - 1] if place else None


def before(key: str) -> Step | None:
    """Return the step before, where this one is read against it: within the lesson, and not where a tale starts anew."""
    step = preceding(key)
    return None if step is None or STEPS[key].anew or step not in lesson_of(key).steps else step


def against(key: str, labels: Sequence[str] = WORDS) -> Picture | None:
    """Return what a step is read against: the table beside it, else the step before; None where it stands alone."""
    step, earlier = STEPS[key], before(key)
    if step.second_table is not None:
        return Picture(step.second_table, step.mode, "B", labels)
    return None if earlier is None else Picture(earlier.table, earlier.mode, step_name(earlier.key), labels)
