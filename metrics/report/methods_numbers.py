"""What was found, and how its intervals were."""

from __future__ import annotations

from metrics.analyses.grouped_items import ITEMS_IN_GROUPS
from metrics.analyses.provenance import interval_words
from metrics.analyses.records import Block
from metrics.data.aggregation import Level
from metrics.measures.catalogue import BY_KEY
from metrics.measures.cost_matrices import cost_text, preset_of
from metrics.report.material import Material
from metrics.report.methods_data import listed
from metrics.report.parts import SHOWN, association_keys, keys_of
from metrics.results import words


def number_sentences(material: Material) -> list[str]:
    """Return level, numbers with intervals, how these were found and what they leave out, costs and one-sided criteria."""
    block = material.block
    assert block is not None
    keys = shown_keys(material, block)
    return [
        _level(material), _numbers(material, block, keys), _undefined(block, keys), _intervals(material, block, keys),
        _in_groups(material), _once(material), _cost(material), _one_sided(material),
    ]  # fmt: skip


def shown_keys(material: Material, block: Block) -> tuple[tuple[str, str], ...]:
    """Return name and key of every number of the paragraph."""
    there = keys_of(material, block)
    named_keys = [(BY_KEY[key].phrase, key) for key in SHOWN if BY_KEY[key].phrase and key in there]
    first = next(
        (place for place, (_, key) in enumerate(named_keys) if key in ("precision", "f1", "macro_f1", "balanced_accuracy")),
        len(named_keys),
    )
    names = association_keys(material, block)
    together = [(" = ".join(name for name, _ in names), names[0][1])] if names else []
    return (*named_keys[:first], *together, *named_keys[first:])


def _level(material: Material) -> str:
    d, level = material.declaration, material.contents.level
    if level == "item":
        return f"On each side the verdicts on an item become one: {_rule(material)}. {_items_left(material)}"
    if len(d.criteria) == 1:
        return ""
    if level == "macro":
        return "Numbers are computed on each criterion and averaged over the criteria where they are defined (macro)."
    return "Decisions of all criteria are counted together (micro)."


def _items_left(material: Material) -> str:
    """Return what an abstention does to an item, and how many items have a verdict."""
    block = material.block
    assert block is not None
    out, total = int(block.more.get("left_out", 0)), block.more.get("coverage", {}).get("n_total")
    sentences = []
    if total is not None and block.n is not None and block.n < total:
        split = material.headline is not None and material.headline.coverage.n_split
        causes = [] if material.declaration.abstention == "as_unmet" else ["an abstention"]
        causes += ["a split vote"] if split else []
        sentences.append(f"An item is left without a verdict where {' or '.join(causes or ['an open answer'])} could change it.")
    gone = f"{words.several(out, 'items')} {words.are(out)} left out because a side lacks a criterion"
    left = ""
    if total is not None and block.n is not None and block.n < total:
        left = f"of {words.several(total, 'items')} rated on both sides {words.count(block.n)} have a verdict of both"
    if out or left:
        sentences.append(f"{words.capital('; '.join(part for part in (gone if out else '', left) if part))}.")
    return " ".join([*sentences, "Numbers are over items, not decisions."])


def _rule(material: Material) -> str:
    rule = material.declaration.item_rule
    weights = rule.get("weights")
    weighted = isinstance(weights, dict) and bool(weights)
    if rule["rule"] == "threshold":
        share = words.number(float(str(rule["threshold"])))
        of = "its weight is" if weighted else "its criteria is"
        text = f"an item is met if at least {share} of {of} met"
        if isinstance(weights, dict) and min(weights.values(), default=0) < 0:
            text = f"an item is met if the weights of its met criteria sum to at least {share} of all positive weights"
    elif weighted:
        text = "an item is met if every criterion of positive weight is met and none of negative weight"
    else:
        text = "an item is met if every criterion is"
    if weighted and isinstance(weights, dict):
        each = [f"{words.plain(name)} {weight:g}".replace(" -", " −") for name, weight in weights.items()]
        text += f" (weights {listed(each)}; others weigh 1)"
    return text


def _numbers(material: Material, block: Block, keys: tuple[tuple[str, str], ...]) -> str:
    defined = [(name, key) for name, key in keys if not block[key].undefined]
    if not defined:
        return ""
    numbers = []
    for name, key in defined:
        estimate = block[key]
        text = f"{name} {words.estimate(estimate, BY_KEY[key].unit)}"
        if estimate.of is not None and estimate.of[0] < estimate.of[1]:
            text += " ({} of {} criteria)".format(*estimate.of)
        numbers.append(text)
    n = _extent(material, block, material.contents.level)
    return f"On {n} we found {', '.join(numbers)}."


def _extent(material: Material, block: Block, level: Level) -> str:
    if level == "item":
        return words.several(block.n or 0, "items")
    judge = material.headline
    assert judge is not None
    return words.several(judge.micro.n or 0, "decisions")


def _undefined(block: Block, keys: tuple[tuple[str, str], ...]) -> str:
    by_reason: dict[str, list[str]] = {}
    for name, key in keys:
        if block[key].undefined:
            by_reason.setdefault(block[key].undefined, []).append(name)
    parts = [f"{listed(names)} {words.are(len(names))} undefined because {reason}" for reason, names in by_reason.items()]
    return f"{words.capital('; '.join(parts))}." if parts else ""


def _intervals(material: Material, block: Block, keys: tuple[tuple[str, str], ...]) -> str:
    """Return confidence, method, unit, and of draws how many and from which seed.

    Where methods differ, which number has which.
    """
    d = material.declaration
    if d.interval["method"] == "none":
        return "No intervals were computed."
    there = {key: interval for _, key in keys if (interval := block[key].interval) is not None and interval.ends is not None}
    if not there:
        return ""
    confidence = words.percent(d.confidence)
    by_method: dict[str, list[str]] = {}
    for name, key in keys:
        if key in there:
            by_method.setdefault(interval_words(d, there[key]), []).append(name)
    if len(by_method) == 1:
        return f"Brackets are {confidence} intervals ({next(iter(by_method))})."
    text = "; ".join(f"{method} for {listed(names)}" for method, names in by_method.items())
    return f"Brackets are {confidence} intervals: {text}."


def _in_groups(material: Material) -> str:
    """Return that intervals by item are too narrow where errors are alike within groups, without what to do about it."""
    told = next((warning.message for warning in material.warnings() if warning.code == ITEMS_IN_GROUPS), "")
    return told.partition(" Leave whole groups out")[0]


def _once(material: Material) -> str:
    """Return that these numbers count every decision once; empty where the file has no weights."""
    column = material.declaration.weights or material.declaration.weights_unused
    return f"These numbers count every decision once, whatever its weight in ‘{words.plain(column)}’." if column else ""


def _cost(material: Material) -> str:
    settings = material.findings.settings
    if settings is None or settings.cost is None or not material.contents.has("mode"):
        return ""
    labels = "positive, negative, abstention"
    preset = preset_of(settings.cost)
    called = f", the {preset} costs" if preset else ""
    axes = f"rows reference, columns judge: {labels}{called}"
    return f"Weighted κ counts each confusion by the cost matrix {cost_text(settings.cost)} ({axes})."


def _one_sided(material: Material) -> str:
    judge = material.headline
    if judge is None or len(judge.criteria) < 2 or not material.contents.has("criteria"):
        return ""
    of = words.count(len(judge.criteria))
    empty = [name for name, block in judge.criteria.items() if block.degenerate and block.one_sided is None]
    names = [name for name, block in judge.criteria.items() if block.one_sided is not None]
    stay = "the criterion stays" if len(names) == 1 else "the criteria stay"
    sentences = []
    if names:
        sentences.append(
            f"On {words.count(len(names))} of {of} criteria ({listed(names)}) a side gives one label only; {stay} in the counts."
        )
    if empty:
        sentences.append(f"On {words.count(len(empty))} of {of} criteria ({listed(empty)}) no decision is left.")
    return " ".join(sentences)
