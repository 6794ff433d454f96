"""What the numbers on abstention say, in sentences that follow from them.

`name` wraps words that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from metrics.analyses.abstention.bounds import NO_DECISION, Bounds
from metrics.analyses.abstention.nonresponse import Group
from metrics.analyses.abstention.relation import JointAbstention, Relation
from metrics.analyses.abstention.shares import NO_SHARE, Share
from metrics.analyses.agreement.coverage import split_votes_sentence
from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.records import Block
from metrics.data.abstention import Coverage
from metrics.measures.catalogue import BY_KEY
from metrics.results import words

SAMPLING = "Bounds describe these data alone; sampling error comes on top."
ABSTENTIONS = "abstentions"
POINT = 0.0005
"""Shares nearer than this are written alike."""


def nobody(coverage: Coverage, blocks: Sequence[Block], judge: str) -> str:
    """Return what to say where neither the judge nor the human left a decision open; else empty. Split votes are in no mode.

    Parameters
    ----------
    coverage : Coverage
    blocks : sequence of Block
        Of every mode; they hold the same numbers there.
    judge : str
        Its name as it is shown.
    """
    if not coverage.n_total or coverage.n_covered + coverage.n_split < coverage.n_total:
        return ""
    many = {2: "Both", 3: "All three"}.get(len(blocks), "All")
    kappa = blocks[0].values.get("kappa", math.nan)
    if math.isnan(kappa):
        sentence = f"{many} modes read the same table; κ is undefined: {blocks[0].undefined.get('kappa', '')}."
    else:
        sentence = f"{many} modes give the same number, {words.number(kappa)}."
    split = f" {split_votes_sentence(coverage)}" if coverage.n_split else ""
    return f"Neither {judge} nor the human abstained. {sentence}{split}"


def coverage_reading(joint: JointAbstention, what: str = ABSTENTIONS) -> str:
    """Return why joint, judge and human coverage differ; `what` are the answers without a verdict, as in `relation_sentence`."""
    if not joint.n:
        return "no decision has a row of both sides."
    judge, human = joint.both + joint.judge_only + joint.split_judge_only, joint.both + joint.human_only
    split = f" {_split(joint)}" if joint.split else ""
    if not judge and not human:
        which = f"{'this' if joint.n == 1 else 'these'} {words.several(joint.n, 'decisions')}"
        return f"neither the judge nor the human {_abstained(what)} on {which}.{split}"
    if not human or not judge:
        who, n = ("judge", judge) if judge else ("human", human)
        share = f"{words.count(n)} of {words.several(joint.n, 'decisions')}"
        ending = "." if split else f"; joint coverage is the {who}’s own."
        return f"only the {who} {_abstains(what)}, on {share}{ending}{split} {_same(joint)}".rstrip()
    return (
        f"the judge leaves {words.several(judge, 'decisions')} open, the human {words.count(human)}, and on "
        f"{words.count(joint.both)} both do.{split} So joint coverage is "
        f"{words.percent(joint.joint)}; {_product(joint)} {_same(joint)}"
    )


def _split(joint: JointAbstention) -> str:
    """Return on how many decisions the people's votes split, which is neither a verdict nor an abstention."""
    share = f"{words.count(joint.split)} of {words.several(joint.n, 'decisions')}"
    return f"On {share} the people’s votes split: no verdict of theirs, and no abstention."


def _product(joint: JointAbstention) -> str:
    product = f"{words.percent(joint.judge)} × {words.percent(joint.human)} = {words.percent(joint.product)}"
    both = f"with {_about(joint.expected_both)} open on both"
    return f"the product {product} would hold if they left decisions open independently, {both}."


def _about(n: float) -> str:
    return f"about {words.count(n)}" if n >= 0.5 else "hardly any"


def _same(joint: JointAbstention) -> str:
    if not joint.kappa.defined:
        return ""
    if joint.kappa.why:
        return f"Abstention κ is {joint.kappa.why}."
    value = f"abstention κ {words.estimate(joint.kappa)}"
    if joint.kappa.ends is None:
        return f"Whether they leave the same decisions open cannot be estimated ({value})."
    if joint.kappa.sign:
        often = "more" if joint.kappa.sign > 0 else "less"
        return f"They leave the same decisions open {often} often than chance ({value})."
    return f"The interval of the {value} holds 0, so it is not shown that they leave the same decisions open."


def relation_sentence(
    relation: Relation,
    groups: Sequence[Group],
    judge: str,
    *,
    name: Name = plain_name,
    reference: str = "the human",
    what: str = ABSTENTIONS,
) -> str:
    """Return whether abstentions of a side are associated with the other side's label.

    Parameters
    ----------
    relation : Relation
    groups : sequence of Group
        Rates by the other side's label; the labels of the highest and the lowest are named. Empty to name none.
    judge : str
    name : callable
        Wraps words that come from the user's file.
    reference : str
        What the other side than the judge is called.
    what : str
        What the answers without a verdict are, in the plural: ties are no abstentions.
    """
    who = name(judge) if relation.side == "judge" else reference
    other = f"{reference if relation.side == 'judge' else name(judge)}’s"
    open_question = f"Whether {what} of {who} depend on {other} label cannot be estimated"
    if not relation.v.defined:
        return f"{open_question}: {relation.v.why}."
    v = f"Cramér’s V{words.HARD_SPACE}={words.HARD_SPACE}{words.estimate(relation.v)}"
    if relation.related is None:
        return f"{open_question} from {words.several(relation.n, 'decisions')} ({v})."
    if not relation.related:
        return f"No association of {who}’s {what} with {other} label is found ({v}); a small one cannot be excluded."
    extremes, labels = "", [group for group in groups if group.is_label]
    if labels:
        most, least = (_rate(group, relation.side, name) for group in _extremes(labels, relation.side))
        extremes = f": most often at {most}, least often at {least}"
    return (
        f"{words.capital(what)} of {who} are associated with {other} label ({v}){extremes}. The answered decisions are then not "
        "representative of all."
    )


def _share(group: Group, side: str) -> Share:
    share = group.judge if side == "judge" else group.human
    return NO_SHARE if share is None else share


def _extremes(groups: Sequence[Group], side: str) -> tuple[Group, Group]:
    known = [group for group in groups if _share(group, side).total]
    return max(known, key=lambda group: _share(group, side).value), min(known, key=lambda group: _share(group, side).value)


def _rate(group: Group, side: str, name: Name) -> str:
    return f"{name(group.name)} ({words.percent(_share(group, side).value)})"


def groups_reading(groups: Sequence[Group], what: str, *, name: Name = plain_name, of: str = ABSTENTIONS) -> str:
    """Return where most decisions are left open, and by whom.

    Parameters
    ----------
    groups : sequence of Group
    what : {"criterion", "prompt", "judge"}
        What each group is.
    name : callable
        Wraps words that come from the user's file.
    of : str
        What the answers without a verdict are, as in `relation_sentence`.
    """
    parts = [part for side in ("judge", "human") if (part := _side_reading(groups, side, what, name, of))]
    if not parts:
        return (
            f"no judge {_abstained(of)}."
            if what == "judge"
            else f"neither the judge nor the human {_abstained(of)} on any {what}."
        )
    return "; ".join(parts) + "."


def _abstains(what: str) -> str:
    """Return that somebody gives answers without a verdict: ties are no abstentions."""
    return "abstains" if what == ABSTENTIONS else f"gives {what}"


def _abstained(what: str) -> str:
    return "abstained" if what == ABSTENTIONS else f"gave {what}"


def _side_reading(groups: Sequence[Group], side: str, what: str, name: Name, of: str) -> str:
    shares = [_share(group, side) for group in groups]
    if not any(share.count for share in shares):
        return ""
    who = "it" if what == "judge" else f"the {side}"
    most, least = _extremes(groups, side)
    high, low = _share(most, side), _share(least, side)
    if len(groups) == 1:
        return f"{who} leaves {words.percent(high.value)} open"
    most_open = words.estimate(high, "%")
    if high.value - low.value < POINT:
        return f"{who} leaves {words.percent(high.value)} open on every {what}"
    top, bottom = (_group_and_ties(groups, side, group, name) for group in (most, least))
    if not high.ends or not low.ends or high.ends[0] <= low.ends[1]:
        rate = "the rate" if what == "judge" else f"the {side}’s rate"
        overlap = "; their intervals overlap" if high.ends and low.ends else ""
        return f"{rate} goes from {words.percent(low.value)} ({bottom}) to {most_open} ({top}){overlap}"
    if what == "judge":
        return f"{top} {_abstains(of)} most ({most_open}), {bottom} least ({words.percent(low.value)})"
    return f"{who} leaves most open on {top} ({most_open}), least on {bottom} ({words.percent(low.value)})"


def _group_and_ties(groups: Sequence[Group], side: str, named_group: Group, name: Name) -> str:
    """Return a group, and how many more have its share."""
    more = sum(_share(group, side).value == _share(named_group, side).value for group in groups) - 1
    return f"{name(named_group.name)} and {words.count(more)} more" if more else name(named_group.name)


def bounds_reading(bounds: Bounds, key: str, block: Block, unit: str = "decisions") -> str:
    """Return how far a metric could move had everything been decided.

    Parameters
    ----------
    bounds : Bounds
    key : str
        Metric of the catalogue.
    block : Block
        Numbers where both sides answer.
    unit : {"decisions", "items"}
        What the bounds count.
    """
    record, bound = BY_KEY[key], bounds.by_metric.get(key)
    if not bounds.n_total:
        reason = "" if bound is None else bound.reason
        return f"there is nothing to bound: {reason or NO_DECISION}."
    if not bounds.n_open:
        return f"nothing was left open, so nothing could move: {record.symbol} is {_value_or_why(block, key)}."
    if bound is None:
        return f"{record.symbol} has bounds for two classes only."
    opened = f"the {words.count(bounds.n_open)} open {unit if bounds.n_open != 1 else unit.removesuffix('s')}"
    opened += f" ({words.count(bounds.n_split)} of them split votes)" if bounds.n_split else ""
    if bound.ends is None:
        return f"no bounds of {record.symbol}: {bound.reason}."
    low, high = words.value(bound.low, record.unit), words.value(bound.high, record.unit)
    reach = f"would read {low} whichever way" if low == high else f"could be anywhere from {low} to {high}"
    text = f"had {opened} been decided, {record.symbol} {reach}."
    return f"{text} {_inside(bound.low, bound.high, block.values.get(key, math.nan), record.unit)}{SAMPLING}"


def _value_or_why(block: Block, key: str) -> str:
    value = block.values.get(key, math.nan)
    if not math.isnan(value):
        return words.value(value, BY_KEY[key].unit)
    reason = block.undefined.get(key, "")
    return f"undefined: {reason}" if reason else "undefined"


def _inside(low: float, high: float, value: float, unit: str) -> str:
    if math.isnan(value):
        return "Where both answer it is undefined. "
    shown = words.value(value, unit)
    if low <= value <= high:
        return ""
    return f"Even so, {shown} where both answer is outside: the answered decisions are not representative of all. "


def item_reading(more: Mapping[str, Any], rule: str, labels: Sequence[str], *, criteria: int, name: Name = plain_name) -> str:
    """Return which items survive abstention, and the value on items without any.

    Exclude is biased only where several criteria make one verdict and some item is left open.

    Parameters
    ----------
    more : mapping
        What the item block carries beside its metrics: `coverage` and `complete`.
    rule : str
        Item rule.
    labels : sequence of str
        Classes; the first two are positive and negative.
    criteria : int
        How many there are.
    name : callable
        Wraps words that come from the user's file.
    """
    coverage, complete = more["coverage"], more["complete"]
    by = {label: coverage["by_reference"].get(label) for label in labels[:2]}
    known = {label: share for label, share in by.items() if share is not None}
    shares = " and ".join(f"{words.percent(share)} of the items the human calls {name(label)}" for label, share in known.items())
    text = f"the judge decides {shares}." if known else "the human decides no item."
    if criteria > 1 and coverage["coverage"] is not None and coverage["coverage"] < 1:
        text += _bias(rule, known)
    return f"{text}{_hanging(coverage['n_split'])} {_complete(complete)}"


def _hanging(n_split: int) -> str:
    """Return how many items have no verdict for a split vote alone; empty where none."""
    if not n_split:
        return ""
    hang = "hangs on a split vote" if n_split == 1 else "hang on split votes"
    return f" {words.several(n_split, 'items')} {hang} of the people: {'it is' if n_split == 1 else 'they are'} left out."


def _bias(rule: str, known: Mapping[str, float]) -> str:
    why = (
        "an all-met item is decided only when every criterion is, a failed one by a single criterion"
        if rule == "all"
        else "an item is decided only when its open criteria cannot change the verdict"
    )
    alike = len(known) > 1 and max(known.values()) - min(known.values()) < POINT
    text = f" Exclude is biased at item level even where abstention is completely at random: {why}."
    return f"{text} Here both survive alike." if alike else text


def _complete(complete: Mapping[str, Any]) -> str:
    split = complete["n_split"] > 0
    if not complete["n"]:
        return "No item is free of abstentions and split votes." if split else "No item is free of abstentions."
    kappa = "undefined" if complete["kappa"] is None else words.number(complete["kappa"])
    free_of = "abstention or split vote" if split else "abstention"
    return f"On the {words.several(complete['n'], 'items')} without any {free_of} κ is {kappa}."
