"""Rates and shares on counts, reference in rows and judge in columns.

Functions of two classes take (..., 2, 2), positive first; the others take (..., K, K). NaN where a denominator is zero.
Counts of another shape, negative or not finite ones raise `ValueError`, as `as_confusion` does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metrics.measures.arrays import FloatArray, as_confusion, cells, safe_ratio


def precision(counts: ArrayLike) -> FloatArray:
    """Return TP / (TP + FP), shape (...); NaN where the judge gives no positive verdict.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
    """
    tp, _, fp, _ = cells(counts)
    return safe_ratio(tp, tp + fp)


def recall(counts: ArrayLike) -> FloatArray:
    """Return true positive rate TP / (TP + FN), shape (...); NaN where the reference has no positive.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
    """
    tp, fn, _, _ = cells(counts)
    return safe_ratio(tp, tp + fn)


def specificity(counts: ArrayLike) -> FloatArray:
    """Return true negative rate TN / (FP + TN), shape (...); NaN where the reference has no negative.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
    """
    _, _, fp, tn = cells(counts)
    return safe_ratio(tn, fp + tn)


def npv(counts: ArrayLike) -> FloatArray:
    """Return negative predictive value TN / (FN + TN), shape (...); NaN where the judge gives no negative verdict.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
    """
    _, fn, _, tn = cells(counts)
    return safe_ratio(tn, fn + tn)


def fpr(counts: ArrayLike) -> FloatArray:
    """Return false positive rate FP / (FP + TN), shape (...); NaN where the reference has no negative.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
    """
    _, _, fp, tn = cells(counts)
    return safe_ratio(fp, fp + tn)


def fnr(counts: ArrayLike) -> FloatArray:
    """Return false negative rate FN / (TP + FN), shape (...); NaN where the reference has no positive.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
    """
    tp, fn, _, _ = cells(counts)
    return safe_ratio(fn, tp + fn)


def f1(counts: ArrayLike) -> FloatArray:
    """Return F1 of the positive class, 2TP / (2TP + FP + FN), shape (...); NaN where neither side has a positive.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
    """
    tp, fn, fp, _ = cells(counts)
    return safe_ratio(2 * tp, 2 * tp + fp + fn)


def f1_negative(counts: ArrayLike) -> FloatArray:
    """Return F1 of the negative class, 2TN / (2TN + FP + FN), shape (...); NaN where neither side has a negative.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
    """
    _, fn, fp, tn = cells(counts)
    return safe_ratio(2 * tn, 2 * tn + fp + fn)


def class_scores(counts: ArrayLike) -> dict[str, FloatArray]:
    """Return precision, recall, F1 and Youden's J of each class against the rest, each of shape (..., K).

    Each is named one-vs-rest wherever it is shown. NaN where its denominator is zero.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    """
    counts = as_confusion(counts)
    hit = np.diagonal(counts, axis1=-2, axis2=-1)
    reference, judge = counts.sum(-1), counts.sum(-2)
    rest = counts.sum((-2, -1))[..., None] - reference
    class_recall = safe_ratio(hit, reference)
    return {
        "precision": safe_ratio(hit, judge),
        "recall": class_recall,
        "f1": safe_ratio(2 * hit, reference + judge),
        "youden_j": class_recall - safe_ratio(judge - hit, rest),
    }


def macro_f1(counts: ArrayLike) -> FloatArray:
    """Return mean F1 over the classes, shape (...).

    With two classes NaN when either F1 is undefined; with more, a class that no side uses is left out of the mean.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    """
    counts = as_confusion(counts)
    return _mean_over_classes(class_scores(counts)["f1"])


def balanced_accuracy(counts: ArrayLike) -> FloatArray:
    """Return mean recall over the classes, shape (...).

    With two classes (TPR + TNR) / 2, NaN when either is undefined; with more, the mean over the classes the reference uses.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    """
    counts = as_confusion(counts)
    return _mean_over_classes(class_scores(counts)["recall"])


def classes_used(counts: ArrayLike) -> FloatArray:
    """Return number of classes the reference uses, shape (...).

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    """
    used: FloatArray = (as_confusion(counts).sum(-1) > 0).sum(-1).astype(np.float64)
    return used


def youden_j(counts: ArrayLike) -> FloatArray:
    """Return Youden's J = TPR + TNR - 1, shape (...), in [-1, 1]; NaN where the reference lacks a class.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)

    References: Youden (1950), doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3.
    """
    return recall(counts) - fpr(counts)


def markedness(counts: ArrayLike) -> FloatArray:
    """Return precision + NPV - 1, how far the judge's verdict tells what the reference says, shape (...), in [-1, 1].

    NaN where the judge gives one label only.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)

    References: Powers (2011), arXiv:2010.16061.
    """
    return precision(counts) + npv(counts) - 1


def macro_j(counts: ArrayLike) -> FloatArray:
    """Return mean of Youden's J of each class against the rest, shape (...), in [-1, 1].

    With two classes Youden's J itself; with more, the mean over the classes the reference uses. NaN where it uses only one.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    """
    counts = as_confusion(counts)
    return _mean_over_classes(class_scores(counts)["youden_j"])


def prevalence(counts: ArrayLike) -> FloatArray:
    """Return share of positives in the reference, shape (...); NaN where there is no decision.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
    """
    tp, fn, fp, tn = cells(counts)
    return safe_ratio(tp + fn, tp + fn + fp + tn)


def predicted_prevalence(counts: ArrayLike) -> FloatArray:
    """Return share of positives the judge gives, shape (...); NaN where there is no decision.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
    """
    tp, fn, fp, tn = cells(counts)
    return safe_ratio(tp + fp, tp + fn + fp + tn)


def drift(counts: ArrayLike) -> FloatArray:
    """Return predicted minus reference prevalence, (FP - FN) / N, shape (...), in [-1, 1]; NaN where there is no decision.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
    """
    tp, fn, fp, tn = cells(counts)
    return safe_ratio(fp - fn, tp + fn + fp + tn)


def bias_index(counts: ArrayLike) -> FloatArray:
    """Return the drift under its older name (Byrt, Bishop & Carlin 1993, doi:10.1016/0895-4356(93)90018-V), shape (...).

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
    """
    return drift(counts)


def prevalence_index(counts: ArrayLike) -> FloatArray:
    """Return (TP - TN) / N, shape (...), in [-1, 1]; NaN where there is no decision.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)

    References: Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V.
    """
    tp, fn, fp, tn = cells(counts)
    return safe_ratio(tp - tn, tp + fn + fp + tn)


def baseline_accuracy(counts: ArrayLike) -> FloatArray:
    """Return accuracy of always giving the reference's commonest label, shape (...); NaN where there is no decision.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    """
    counts = as_confusion(counts)
    return safe_ratio(counts.sum(-1).max(-1), counts.sum((-2, -1)))


def baseline_accuracy_by_criterion(counts: ArrayLike) -> FloatArray:
    """Return accuracy of always giving each criterion's commonest label, from (..., C, K, K), shape (...).

    The fair rival of pooled accuracy: the decision-weighted mean of the criteria's baselines.

    Parameters
    ----------
    counts : array_like, shape (..., C, K, K)
        One table per criterion.
    """
    counts = as_confusion(counts)
    if counts.ndim < 3:
        raise ValueError(f"counts must have shape (..., C, K, K), one table per criterion, got {counts.shape}")
    return safe_ratio(counts.sum(-1).max(-1).sum(-1), counts.sum((-3, -2, -1)))


def _mean_over_classes(scores: FloatArray) -> FloatArray:
    if scores.shape[-1] == 2:
        return safe_ratio(scores.sum(-1), 2)
    defined = ~np.isnan(scores)
    return safe_ratio(np.where(defined, scores, 0.0).sum(-1), defined.sum(-1))
