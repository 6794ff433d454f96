"""Seven lessons of a few tables each: what a step shows, and what it says of the numbers it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from metrics.content.lab.pictures import Picture
from metrics.content.lab.tables import WORDS, ConfusionTable, Rates
from metrics.content.lab.terms import Compared
from metrics.data.abstention import Mode

RAO = "Rao and Callison-Burch, Agreement Metrics for LLM-as-Judge Evaluation"
View = Literal["bars", "lines", "split", "space"]
FEINSTEIN = (
    "Feinstein and Cicchetti (1990), doi:10.1016/0895-4356(90)90158-L, and Cicchetti and Feinstein (1990), "
    "doi:10.1016/0895-4356(90)90159-M"
)


@dataclass(frozen=True)
class Step:
    """One table of a lesson.

    Attributes
    ----------
    key : str
        Number of the lesson and a letter: 1a.
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

    def picture(self, labels: Sequence[str] = WORDS) -> Picture:
        """Return the step's table, called A where another stands beside it."""
        return Picture(self.table, self.mode, "" if self.second_table is None else "A", labels)

    def title(self, picture: Picture, before: Picture | None = None) -> str:
        """Return heading, computed from the picture and what it is read against (`against` finds it); plain text."""
        return self._fill_template(self.head, picture, before)

    def sentence(self, picture: Picture, before: Picture | None = None) -> str:
        """Return what the numbers show and why, in one sentence; plain text."""
        return self._fill_template(self.text, picture, before)

    def _fill_template(self, text: str, now: Picture, before: Picture | None) -> str:
        return text.format_map(Compared(now, before or against(self.key, now.words)))


@dataclass(frozen=True)
class Lesson:
    """What a few tables teach together, and where they are from."""

    number: int
    title: str
    steps: tuple[Step, ...]
    source: str = ""


EVEN = ConfusionTable((450, 50, 50, 450))
HALF_MET = ConfusionTable.of_rates(Rates(prevalence=0.5, tpr=0.9, tnr=0.9, n=1000))
BLIND = ConfusionTable((0, 50, 50, 900))
STRICT = ConfusionTable((40, 20, 5, 35))
NO_VERDICT = ConfusionTable.of_counts([[30, 10, 5], [10, 20, 5], [5, 5, 10]])


def _same_judge(prevalence: float) -> ConfusionTable:
    return ConfusionTable.of_rates(Rates(prevalence, 0.9, 0.9, 1000))


SAME_ACCURACY = (
    Step(
        "1a", EVEN, "{seen} agreement (accuracy), and κ (kappa) is {kappa}",
        "A human and a judge each label {n} answers {positive} or {negative}. They agree on {agreed}. How much of that is "
        "chance? κ takes chance away: 1 is perfect, 0 is chance, and here κ is {kappa}.",
        "accuracy",
    ),
    Step(
        "1b", BLIND, "{seen} agreement again, and κ is {kappa}",
        "Another judge also says what the human says {agreed} times in {n}, yet it finds {found} of the {positives} "
        "{positive}. The two agree on {negative} alone: κ is {kappa}, less than chance.",
        "accuracy",
    ),
    Step(
        "1c", ConfusionTable((250, 250, 250, 250)), "Chance alone: two coins agree on {seen}",
        "Two people toss coins instead of reading. They still agree on {seen}: {found} times on {positive} and {spared} "
        "times on {negative}. Beyond chance there is nothing, so κ is {kappa}.",
        anew=True,
        view="split",
    ),
    Step(
        "1d", ConfusionTable((5, 95, 95, 1805)), "Chance alone, when nearly all is {negative}: {seen}",
        "Two people hardly look and say {positive} to {human} at random. They agree on {seen} by chance; the coins agreed on "
        "{was.seen}. κ is {kappa} all the same.",
        view="split",
    ),
    Step(
        "1e", EVEN, "The same {seen}, minus chance: κ {kappa} and {was.kappa}",
        "Chance would give A, the judge of step 1a, {chance}. Of the {left} points left A earns {earned}: κ is {earned} / "
        "{left} = {kappa}. Chance would give B, the judge of step 1b, {was.chance}, more than its {was.seen}: κ is "
        "{was.kappa}.",
        second_table=BLIND,
        view="split",
    ),
    Step(
        "1f", EVEN, "The kappa paradox: {seen} can be worth much or nothing",
        "Where one label is rare, two agree on the other by chance most of the time: {was.chance} in B, {chance} in A. The "
        "same {seen} is far more than chance in A (κ\u00a0{kappa}) and less than chance in B (κ\u00a0{was.kappa}).",
        second_table=BLIND,
        view="split",
    ),
)  # fmt: skip
PARADOXES = (
    Step(
        "2a", HALF_MET, "One judge where {human} are {positive}: κ {kappa}",
        "This judge is right on {recall_share} of what is {positive} and on {specificity_share} of what is {negative}. Where "
        "{human} are {positive}, κ is {kappa}.",
        "balanced_accuracy",
    ),
    Step(
        "2b", _same_judge(0.05), "The prevalence paradox: κ falls from {was.kappa} to {kappa}",
        "The same judge, where {human} are {positive}, still agrees on {seen}. Chance alone would now give {chance} instead "
        "of {was.chance}. The judge earns only {earned} of the {left} points left, and κ falls to {kappa}.",
        view="lines",
    ),
    Step(
        "2c", _same_judge(0.01), "At {human} {positive} κ is {kappa}",
        "At {human} chance alone would give {chance} of the {seen}, and κ is {kappa}. The judge is the same in all three "
        "steps: κ reflects how rare a label is, not only how good the judge is.",
        view="lines",
    ),
    Step(
        "2d", ConfusionTable((40, 9, 6, 45)), "In the literature: {seen} agreement, κ {kappa}",
        "Feinstein and Cicchetti (1990) show two raters who agree on {agreed} of {n}. Both say {positive} about half of the "
        "time ({human} and {judge}), so chance alone would give {chance}: κ is {kappa}.",
        anew=True,
        view="split",
    ),
    Step(
        "2e", ConfusionTable((80, 10, 5, 5)), "{seen} agreement still, κ {kappa}",
        "Their second pair agrees just as often, but both say {positive} nearly always ({human} and {judge}). Chance alone "
        "would give {chance}, and κ falls from {was.kappa} to {kappa}.",
        view="split",
    ),
    Step(
        "2f", ConfusionTable((45, 15, 25, 15)), "Both prefer the same label: {seen} agreement, κ {kappa}",
        "The second paradox starts here: both sides say {positive} more often than not ({human} and {judge}). Chance alone "
        "would give {chance} of the {seen}, and κ is {kappa}.",
        anew=True,
        view="split",
    ),
    Step(
        "2g", ConfusionTable((25, 35, 5, 35)), "The bias paradox: κ rises from {was.kappa} to {kappa}",
        "Now one side says {positive} to {human}, the other to {judge}; they agree on {seen} as before. Such raters agree "
        "less often by chance, {chance} instead of {was.chance}. κ rises although the label rates differ more.",
        view="split",
    ),
)  # fmt: skip
ALWAYS_NEGATIVE = (
    Step(
        "3a", ConfusionTable((0, 10, 0, 90)), "{seen} agreement without reading: κ {kappa}",
        "A judge that says {negative} to everything agrees on {seen} because {negatives} are {negative}. Chance alone gives "
        "such a judge just as much, so κ is {kappa}.",
    ),
    Step(
        "3b", ConfusionTable((0, 10, 0, 90)), "φ is undefined",
        "φ asks whether the judge’s verdicts rise and fall with the human’s. A verdict that never varies cannot, so φ is "
        "undefined, which is not the same as 0.",
        "phi", anew=True,
    ),
    Step(
        "3c", ConfusionTable((1, 9, 0, 90)), "One {positive} found: κ {kappa}, φ {phi}",
        "Finding {found} of the {positives} {positive} lifts agreement only from {was.seen} to {seen}, but κ from "
        "{was.kappa} to {kappa}. φ is now defined: {phi}.",
    ),
    Step(
        "3d", ConfusionTable((90, 0, 10, 0)), "The other way round: F1 {f1}, κ {kappa}",
        "Where {human} are {positive}, a judge that says {positive} to everything has F1 {f1} and κ still {kappa}. F1 counts "
        "{positive} alone: where that is common, always saying it looks good.",
        "f1", anew=True,
    ),
)  # fmt: skip
EQUAL = (
    Step(
        "4a", ConfusionTable((30, 10, 10, 50)), "No label-rate bias: κ = φ = {kappa}",
        "The judge says {positive} exactly as often as the human ({judge}). As many errors go one way as the other, and κ "
        "and φ are the same number.",
        "phi",
    ),
    Step(
        "4b", ConfusionTable((10, 0, 30, 60)), "Label-rate bias: κ {kappa} is below φ {phi}",
        "This judge says {positive} to {judge}, the human to {human}. Such a bias lowers both φ and κ, and κ further: κ "
        "keeps only {ratio} of φ.",
    ),
    Step(
        "4c", ConfusionTable((10, 10, 40, 40)), "Label-rate bias, and still κ = φ = {kappa}",
        "A judge that says {positive} to {recall_share} of what is {positive} and to {fpr_share} of what is {negative} does "
        "not separate the two. κ and φ are both 0, and the bias ({judge} against {human}) cannot lower them.",
        "phi",
    ),
    Step(
        "4d", ConfusionTable((10, 40, 20, 30)), "Below 0: κ {kappa} is above φ {phi}",
        "This judge agrees less than chance would. The label-rate bias ({judge} against {human}) draws κ towards 0 as "
        "always, so here κ is the larger.",
    ),
)  # fmt: skip
STRICT_AND_LENIENT = (
    Step(
        "5a", STRICT, "A strict judge: {missed}, {alarms}",
        "It finds {recall_share} of what is {positive} (TPR). When it says {positive}, it is right {precision_share} of the "
        "time (precision). κ is {kappa}.",
        "balanced_accuracy",
        view="space",
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
        "f1", second_table=STRICT.turned(),
    ),
)  # fmt: skip
WORKED = (
    Step(
        "6a", ConfusionTable((40, 10, 20, 30)), "First example: κ {kappa3}, φ {phi3}",
        "Accuracy is {seen}, F1 {f13}, and chance alone would give {chance}, so κ is {earned} / {left} = {kappa3}. φ is a "
        "little higher, {phi3}, because the judge says {positive} to {judge} and the human to {human}.",
    ),
    Step(
        "6b", ConfusionTable((5, 5, 0, 90)), "Second example: accuracy {seen}, κ {kappa3}",
        "With {human} {positive} instead of {was.human} accuracy rises to {seen}. Chance alone would give {chance}: κ is "
        "{earned} / {left} = {kappa3}, and φ {phi3}.",
    ),
    Step(
        "6c", ConfusionTable((0, 10, 0, 90)), "Third example: accuracy {seen}, κ {kappa}",
        "On the same decisions a judge that never says {positive} still has an accuracy of {seen} against {was.seen}. Its κ "
        "is {kappa} against {was.kappa3}, and φ is undefined.",
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
    Lesson(1, "Same accuracy, different κ", SAME_ACCURACY),
    Lesson(2, "The two paradoxes", PARADOXES, f"{FEINSTEIN}; steps 2f and 2g: Wikipedia, Cohen’s kappa"),
    Lesson(3, "The always-negative judge", ALWAYS_NEGATIVE),
    Lesson(4, "When κ = φ", EQUAL),
    Lesson(5, "Strict and lenient", STRICT_AND_LENIENT),
    Lesson(6, "The worked examples", WORKED, f"{RAO}, section 5"),
    Lesson(7, "No verdict", SILENCE, f"{RAO}, appendix B"),
)
STEPS: dict[str, Step] = {step.key: step for lesson in LESSONS for step in lesson.steps}
_ORDER = tuple(STEPS.values())


def lesson_of(key: str) -> Lesson:
    """Return the lesson of a step; KeyError where there is no such step."""
    return next(lesson for lesson in LESSONS if STEPS[key] in lesson.steps)


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
    return None if earlier is None else Picture(earlier.table, earlier.mode, f"step {earlier.key}", labels)
