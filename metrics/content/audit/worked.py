"""One system of the table, worked from its labels: its eleven practices, and a κ that pooling makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from metrics.analyses.records import Block, JudgeReport
from metrics.content.audit import llm_rubric
from metrics.content.lab.linked import of_table
from metrics.content.lab.scenes import Scene
from metrics.measures.coefficients import cohen_kappa
from metrics.measures.rates import predicted_prevalence, prevalence
from metrics.report.checklist.compute import Checklist, checklist
from metrics.report.checklist.gathering import findings
from metrics.results.words import count, number, percent

CAVEAT = (
    "Worked from published counts. They hold no items, so every decision stands alone and κ has no interval; an interval in a "
    "line below takes decisions for independent."
)


@dataclass(frozen=True)
class Pooled:
    """κ of all decisions beside that of every question, and why it is not among them.

    Attributes
    ----------
    whole : Block
        All decisions as one table.
    by_question : mapping of question to Block
    odd : str
        The question on which people and judge are farthest apart in how often they say MET.
    without : float
        κ of all decisions but those of that question.
    """

    whole: Block
    by_question: dict[str, Block]
    odd: str
    without: float

    @property
    def lowest(self) -> float:
        return min(block.values["kappa"] for block in self.by_question.values())

    @property
    def highest(self) -> float:
        return max(block.values["kappa"] for block in self.by_question.values())

    def scene(self, question: str | None = None) -> Scene | None:
        """Return the table of all decisions, or of a question, for the lab."""
        block = self.whole if question is None else self.by_question[question]
        return of_table(block.confusion, block.labels)


@cache
def practices() -> Checklist:
    """Return the eleven practices on the grades that the counts hold."""
    return checklist(findings(llm_rubric.graded(), interval="none"))


@cache
def pooled() -> Pooled:
    """Return κ of the questions with two labels, pooled and one by one."""
    judge: JudgeReport = llm_rubric.passed().judges[llm_rubric.JUDGE]
    names, tables = llm_rubric.two_labels()
    odd = int(np.argmax(abs(predicted_prevalence(tables) - prevalence(tables))))
    rest = float(cohen_kappa(np.delete(tables, odd, axis=0).sum(0)))
    return Pooled(judge.micro, {name: judge.criteria[name] for name in names}, names[odd], rest)


def pooled_reading(shown: Pooled) -> str:
    """Return that pooling puts κ outside of the criteria, and what does it."""
    whole, odd = shown.whole, shown.by_question[shown.odd]
    others = [block for name, block in shown.by_question.items() if name != shown.odd]
    between = f"between {number(shown.lowest)} and {number(shown.highest)}"
    return (
        f"κ is {between} on every one of {count(len(shown.by_question))} questions, and "
        f"{number(whole.values['kappa'])} on all their {count(whole.n)} decisions together. "
        f"On {shown.odd} the judge says MET on {percent(odd.values['predicted_prevalence'])} and people on "
        f"{percent(odd.values['prevalence'])}; on the other questions the judge says it on "
        f"{_range(others, 'predicted_prevalence')} and people on {_range(others, 'prevalence')}. "
        f"Pooled, the judge seems to refuse where people pass. Without {shown.odd}, pooled κ is {number(shown.without)}."
    )


def _range(blocks: Sequence[Block], key: str) -> str:
    values = [block.values[key] for block in blocks]
    return f"{percent(min(values))} to {percent(max(values))}"


def practices_reading() -> str:
    """Return what a report that meets the practices says of these labels, in a sentence."""
    return (
        f"On {llm_rubric.NAME}’s labels: {practices().count_words}. Each line below is computed from the counts, and is what a "
        "full report would print."
    )
