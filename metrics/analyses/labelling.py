"""Whether people's labels depend on what a judge said: the numbers on it are then those of the labelled decisions alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from metrics.measures.exact_tests import fisher
from metrics.results import words
from metrics.results.words import percent

UNLIKELY = 0.01
"""p at which labels are taken to follow the judge's verdict."""
ONLY_POSITIVES = (
    "Only answers the judge called positive carry human labels, so what it missed was never seen and TPR cannot be known. "
    "Label a random sample of the others too."
)
ONLY_NEGATIVES = (
    "Only answers the judge called negative carry human labels, so its false positives were never seen and FPR cannot be known. "
    "Label a random sample of the others too."
)


@dataclass(frozen=True)
class Verification:
    """Which answers carry a human label, by the judge's verdict."""

    positive_labelled: int
    positive: int
    negative_labelled: int
    negative: int

    @classmethod
    def of(cls, counts: ArrayLike, judge_positive: int, n: int) -> Verification:
        """Return a golden set and the answers beside it that only the judge has judged.

        Parameters
        ----------
        counts : array_like, shape (2, 2)
            Of the golden set, reference in rows.
        judge_positive, n : int
            Of the answers beside it: those the judge called positive, and all.
        """
        positive, negative = (round(float(those)) for those in np.asarray(counts, np.float64).sum(0))
        return cls(positive, positive + judge_positive, negative, negative + n - judge_positive)

    @property
    def shares(self) -> tuple[float, float]:
        """Shares labelled of the answers of either verdict, of which there are some."""
        return self.positive_labelled / self.positive, self.negative_labelled / self.negative

    @property
    def only(self) -> int | None:
        """The verdict, 0 or 1, that all labelled answers have though there are answers of the other; None without one."""
        if not self.negative_labelled and self.positive_labelled and self.negative:
            return 0
        return 1 if not self.positive_labelled and self.negative_labelled and self.positive else None

    @property
    def p(self) -> float:
        """Two-sided p that answers of both verdicts are labelled as often, by Fisher's exact test."""
        labelled = np.array([self.positive_labelled, self.negative_labelled])
        return fisher(np.stack([labelled, np.array([self.positive, self.negative]) - labelled], axis=1))

    def refusal(self) -> str:
        """Return labels on answers of one verdict only, although there are others."""
        return "" if self.only is None else (ONLY_POSITIVES, ONLY_NEGATIVES)[self.only]

    def not_random(self) -> str:
        """Return why the labelled answers cannot be a random part of all; empty where nothing speaks against it."""
        if self.refusal():
            return f"The labelled answers are not a random part of these. {self.refusal()}"
        return f"The labelled answers do not look like a random part of these. {self.warning()}" if self.warning() else ""

    def warning(self) -> str:
        """Return labels clearly commoner on answers of one verdict, which bends TPR and FPR."""
        if self.refusal() or self.p > UNLIKELY:
            return ""
        more, less = ("positive", "negative") if self.shares[0] > self.shares[1] else ("negative", "positive")
        return (
            f"Human labels are more common on answers the judge called {more} ({percent(max(self.shares))}) than on those it "
            f"called {less} ({percent(min(self.shares))}); that biases TPR and FPR."
        )

    def shares_words(self, who: str, labels: tuple[str, str]) -> str:
        """Return the shares labelled: "100 % of the 123 decisions that it calls yes and 15 % of the 177 that it calls no".

        Parameters
        ----------
        who : str
            The judge.
        labels : (str, str)
        """
        (more, less), n = map(percent, self.shares), words.several(self.positive, "decisions")
        first, second = (called(each, labels, place) for place, each in enumerate((who, "it")))
        return f"{more} of the {n} that {first} and {less} of the {words.count(self.negative)} that {second}"


def called(who: str, labels: tuple[str, str], place: int) -> str:
    """Return which decisions have one of two verdicts: "gpt calls yes"; "gpt does not call a" where the other one has no name.

    Parameters
    ----------
    who : str
    labels : (str, str)
        As of a `Labelling`.
    place : int
        0 or 1.
    """
    label = words.marked(words.shorten(labels[place] or labels[0]))
    return f"{who} {'calls' if labels[place] else 'does not call'} {label}"


@dataclass(frozen=True)
class Labelling:
    """Which decisions of one judge people labelled, by its verdict.

    Criteria, and values of a column `split`, of which people labelled nothing do not count: nobody chose there by a verdict.

    Attributes
    ----------
    labels : (str, str)
        Positive and negative; of more than two labels the one by which people seem to have chosen, and nothing.
    pooled : Verification
    criteria : mapping of str to Verification
        Those with a label of people.
    n_tests : int
        Criteria of all judges that are looked at together, each by every verdict of more than two.
    """

    labels: tuple[str, str]
    pooled: Verification
    criteria: Mapping[str, Verification]
    n_tests: int

    @cached_property
    def bent(self) -> dict[str, Verification]:
        """Criteria on which labels clearly follow the verdict, by p corrected for the number of tests (Bonferroni).

        Tested criterion by criterion: whole items are labelled, and the decisions on one item are alike.
        """
        return {name: one for name, one in self.criteria.items() if one.p * self.n_tests <= UNLIKELY}

    @property
    def chosen_by_verdict(self) -> bool:
        """Whether labels follow the verdict on some criterion, or are of one verdict alone."""
        return bool(self.bent) or self.only is not None

    def follows(self, criterion: str | None = None) -> bool:
        """Return whether labels follow the verdict, on a criterion or on any."""
        return bool(self.bent) if criterion is None else criterion in self.bent

    @property
    def only(self) -> int | None:
        """The verdict, 0 or 1, of all decisions that people labelled, though the judge gives the other too; None without one."""
        return self._alone(self.pooled)

    def _alone(self, one: Verification) -> int | None:
        """Return the one verdict of all labelled decisions; all but one of many are none."""
        return None if one.only == 1 and not self.labels[1] else one.only

    def verdict_alone(self, criterion: str | None = None) -> int | None:
        """Return the verdict of all labelled decisions of a criterion, by more than chance, or of all together; None else."""
        one = self.pooled if criterion is None or self.only is not None else self.bent.get(criterion)
        return None if one is None else self._alone(one)

    def why_unknown(self, criterion: str | None = None) -> str:
        """Return why the numbers of a criterion, or of all together, are not known, as a clause; empty where they are."""
        if (only := self.verdict_alone(criterion)) is None:
            return ""
        return f"people labelled only decisions that the judge calls {words.marked(words.shorten(self.labels[only]))}"

    def sentence(self, who: str = "it") -> str:
        """Return how labels follow the verdict, and what the numbers then are; empty where nothing shows it.

        Parameters
        ----------
        who : str
            The judge.
        """
        if self.only is not None:
            return f"{self.one_verdict(who)}, so κ, error rates and bias are not known. {self.mend(who)}"
        bent = self.bent
        if not bent:
            return ""
        name, one = next(iter(bent.items()))
        whole = "so κ, error rates and bias are those of the labelled decisions, not of the file."
        if len(self.criteria) == 1:
            return f"People labelled {one.shares_words(who, self.labels)}, {whole}"
        where = f"On {words.named(list(bent))}, which decisions people labelled depends on the verdict"
        first = "" if len(bent) == 1 else f" on {words.shorten(name)}"
        return f"{where}:{first} they labelled {one.shares_words(who, self.labels)}, {whole}"

    def one_verdict(self, who: str) -> str:
        """Return that people labelled decisions of one verdict only, which `only` names."""
        place = self.only or 0
        given, other = called(who, self.labels, place), called("it", self.labels, 1 - place)
        n, rest = self._counts(place)
        return f"People labelled only decisions that {given} ({words.count(n)}), and none of the {words.count(rest)} that {other}"

    def mend(self, who: str) -> str:
        """Return which decisions to label."""
        less, on = 1 - (self.only or 0), ""
        if self.only is None:
            name, one = next(iter(self.bent.items()))
            less, on = int(one.shares[1] < one.shares[0]), "" if len(self.criteria) == 1 else f" on {words.shorten(name)}"
        return f"Label a random sample of the decisions that {called(who, self.labels, less)}{on}."

    def _counts(self, place: int) -> tuple[int, int]:
        """Return labelled decisions of one verdict, and all of the other."""
        one = self.pooled
        return (one.positive_labelled, one.negative) if place == 0 else (one.negative_labelled, one.positive)
