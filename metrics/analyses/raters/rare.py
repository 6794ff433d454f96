"""The prevalence paradox among raters: high agreement, low alpha, because nearly all labels are the same one.

The rule: percent agreement and AC1 are high over their whole intervals, and the labels other than the commonest are rare. Slips
then outnumber the labels that alpha rests on, and no rubric mends that: more items with the rare label do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.measures.arrays import FloatArray
from metrics.results.estimate import Estimate
from metrics.results.report import or_none

AGREEMENT_FLOOR, AC1_FLOOR, RARE = 0.9, 0.8, 0.1
"""Lower ends of percent agreement and of AC1 from which agreement is high; share below which a label is rare.

Raters who agree on 0.9 of pairs reach an alpha of 0.8, the bar of a gold set, where two labels are equally common: then only the
rarity of a label can put them below the floor.
"""


@dataclass(frozen=True)
class RareLabel:
    """Labels that are too rare for alpha to speak of the rubric, although the raters agree.

    Attributes
    ----------
    labels : tuple of str
        Every label given but the commonest, the most frequent first.
    share : float
        Their share of the labels on units with two or more.
    agreement, ac1 : Estimate
    balanced : float
        Alpha at the nominal level that the same agreement gives where the labels in use are equally common.
    """

    labels: tuple[str, ...]
    share: float
    agreement: Estimate
    ac1: Estimate
    balanced: float

    def to_dict(self) -> dict[str, object]:
        """Return JSON-ready."""
        return {
            "labels": list(self.labels), "share": self.share, "percent_agreement": self.agreement.value,
            "gwet_ac1": or_none(self.ac1.value), "alpha_at_equal_rates": self.balanced,
        }  # fmt: skip


def rare_label(classes: Sequence[str], counts: FloatArray, agreement: Estimate, ac1: Estimate) -> RareLabel | None:
    """Return the labels that are rare where the raters agree nevertheless; None where that is not so, or there is no interval.

    Parameters
    ----------
    counts : ndarray, shape (K,)
        Labels of each class on units with two or more.
    agreement, ac1 : Estimate
        Percent agreement and Gwet's AC1.
    """
    total = float(counts.sum())
    lowest = [-1.0 if estimate.ends is None else estimate.ends[0] for estimate in (agreement, ac1)]
    if lowest[0] < AGREEMENT_FLOOR or lowest[1] < AC1_FLOOR or not total:
        return None
    common = int(counts.argmax())
    order = [place for place in np.argsort(-counts, kind="stable").tolist() if place != common and counts[place] > 0]
    share = float(sum(counts[place] for place in order)) / total
    if not 0 < share < RARE:
        return None
    in_use = len(order) + 1
    balanced = 1 - (1 - agreement.value) * in_use / (in_use - 1)
    return RareLabel(tuple(classes[place] for place in order), share, agreement, ac1, balanced)
