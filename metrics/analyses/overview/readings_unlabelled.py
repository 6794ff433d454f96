"""What the overview says of decisions that one side alone labelled.

People did and a judge did not: calls that failed, cells that are empty. A judge did and people did not: which they chose.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from metrics.analyses.labelling import Labelling
from metrics.analyses.overview.grounds import Grounds, statement_of
from metrics.analyses.overview.result import Statement
from metrics.results import words
from metrics.results.report import or_none

MANY_UNLABELLED = 0.1
"""Share of the decisions that people labelled from which what a judge did not label may be another matter than the rest."""
MOST_UNLABELLED = 0.5
"""Share above which a judge was meant to label a part alone, so that nothing is worked out for the rest."""
MOST_NAMED = 2


@dataclass(frozen=True)
class Unlabelled:
    """One judge beside the labels of people.

    Attributes
    ----------
    n : int
        Decisions without a label of the judge: failed calls, empty cells, rows that are not there.
    n_total : int
        Decisions that people labelled.
    accuracy, as_wrong : float
        Of those that count, and with all that the judge did not label as wrong.
    """

    n: int
    n_total: int
    accuracy: float
    as_wrong: float

    @property
    def share(self) -> float:
        return self.n / self.n_total if self.n_total else 0.0


def unlabelled_of(grounds: Grounds) -> dict[str, Unlabelled]:
    """Return every judge with the decisions that it did not label."""
    out = {}
    for name, judge in grounds.report.judges.items():
        n, counted = judge.coverage.n_errors + judge.coverage.n_human_only, judge.micro.n or 0
        accuracy = judge.micro.values.get("accuracy", float("nan"))
        as_wrong = accuracy * counted / (counted + n) if counted + n else float("nan")
        out[name] = Unlabelled(n, judge.coverage.n_total + n, accuracy, as_wrong)
    return out


def many_unlabelled(grounds: Grounds) -> dict[str, Unlabelled]:
    """Return the judges with many such decisions, failed ones being left out of all numbers; the most first."""
    if grounds.report.declaration.handling.get("error", "exclude") != "exclude":
        return {}
    found = {name: one for name, one in unlabelled_of(grounds).items() if one.share > MANY_UNLABELLED}
    return dict(sorted(found.items(), key=lambda each: -each[1].share))


def leads_by_silence(grounds: Grounds) -> str:
    """Return a judge that would be ahead of the leader if what either did not label were wrong; empty where none would."""
    many, every = many_unlabelled(grounds), unlabelled_of(grounds)
    own = every[grounds.judge.name]
    if grounds.judge.name not in many or own.share > MOST_UNLABELLED:
        return ""
    ahead = {name: one.as_wrong for name, one in every.items() if one.as_wrong > own.as_wrong}
    return max(ahead, key=lambda name: ahead[name], default="")


def labels_chosen(grounds: Grounds) -> dict[str, Labelling]:
    """Return judges by whose verdicts people seem to have chosen what to label: those of one verdict alone, then the leader."""
    found = {name: judge.labelling for name, judge in grounds.report.judges.items() if judge.labelling is not None}
    chosen = {name: one for name, one in found.items() if one.bent or one.only is not None}
    return dict(sorted(chosen.items(), key=lambda each: (each[1].only is None, each[0] != grounds.judge.name)))


def labels_by_verdict(grounds: Grounds) -> Statement | None:
    """Return that whether people labelled a decision depends on what a judge said of it, the judge that is read first."""
    bent = {name: one for name, one in labels_chosen(grounds).items() if one.only is None}
    if not bent:
        return None
    first = next(iter(bent))
    text = bent[first].sentence(words.shorten(first))
    if others := [name for name in bent if name != first]:
        text += f" It depends on the verdict of {words.named(others)} too."
    numbers = {name: {each: asdict(of) for each, of in one.bent.items()} for name, one in bent.items()}
    return statement_of("labels_by_verdict", text, grounds, {"labelled": numbers})


def unlabelled(grounds: Grounds) -> Statement | None:
    """Return which judges have no label on many decisions, and what their accuracy would be with these as wrong."""
    many = many_unlabelled(grounds)
    if not many:
        return None
    listed = words.listed([f"{words.shorten(name)} has no label on {_share(one)}" for name, one in many.items()], MOST_NAMED)
    text = f"{listed} that people labelled; they are in no number."
    name = grounds.judge.name if grounds.judge.name in many else next(iter(many))
    one, other = many[name], leads_by_silence(grounds)
    if one.share <= MOST_UNLABELLED:
        beside = ""
        if other:
            beside = f", below that of {words.shorten(other)} ({words.percent(unlabelled_of(grounds)[other].as_wrong)})"
        text += f" Counted as wrong, accuracy of {words.shorten(name)} would be {words.percent(one.as_wrong)}{beside}."
    numbers = {
        name: {"n": one.n, "n_total": one.n_total, "accuracy_as_wrong": or_none(one.as_wrong)} for name, one in many.items()
    }
    return statement_of("unlabelled", text, grounds, numbers)


def _share(one: Unlabelled) -> str:
    return f"{words.count(one.n)} of {words.several(one.n_total, 'decisions')} ({words.percent(one.share)})"
