"""Practices 6 to 8: what no verdict counts as, how often none was given, and what leaving it out does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metrics.analyses.abstention.bounds import Bounds
from metrics.analyses.abstention.readings import relation_sentence
from metrics.analyses.agreement.coverage import easier_items_sentence, split_votes_sentence
from metrics.analyses.provenance import mode_words
from metrics.data.abstention import Coverage
from metrics.data.nonverdicts import handling_words
from metrics.data.vocabulary import Kind
from metrics.report.checklist.case import NOBODY, Case, estimate_text
from metrics.report.checklist.contents import QUESTION_BY_KEY
from metrics.report.checklist.practice import Lack, Practice, judged, put_back, without_object
from metrics.results import words

KINDS: dict[Kind, str] = {"abstention": "abstentions", "tie": "ties", "invalid": "invalid answers", "error": "failed calls"}
ASKED: dict[str, Kind] = {"abstentions": "abstention", "ties": "tie"}
"""Question to the kind that makes it one."""
TOLD = 3
"""Judges that are told one by one."""
NO_FAILURE = (
    "No failed call is in the file. That is a rate of 0 only if failed calls were kept; if they were removed before, "
    "their rate is unknown"
)


AT_RANDOM = (
    "The answered decisions represent all only where verdicts are missing completely at random. Where that depends on something "
    "known of the item, they have to be reweighted"
)


def mode(case: Case) -> Practice:
    """Return the practice: met where it is stated how abstentions and ties were asked for, and what they count as."""
    if not case.compared:
        return without_object(6, NOBODY)
    if case.numbers_missing is not None:
        return _of_numbers(case)
    counts: dict[Kind, tuple[str, int]] = {kind: _most(case.coverages, kind) for kind in KINDS}
    split = _split(case.coverages)
    if not split and not any(n for _, n in counts.values()):
        where = "wherever both rated" if _lone(case) else "everywhere"
        return without_object(
            6, f"Both sides gave a verdict {where}: no abstention, tie, invalid answer, failed call, split vote{_lone(case)}"
        )
    asks = [key for key, kind in ASKED.items() if counts[kind][1] and case.declaration.labels.get(kind)]
    lacks = [None if case.contents.has("mode") else put_back("mode"), *(_ask(case, key) for key in asks)]
    sentences = [_treated(case, kind, *count) for kind, count in counts.items() if count[1]]
    return judged(6, [*sentences, *split, *_answered(case, asks)], lacks, asks)


def _lone(case: Case) -> str:
    """Return how many decisions only one side rated, or a call failed on, of the judge with most of them; empty without any."""
    lone = {name: one.n_human_only + one.n_judge_only + one.n_errors for name, one in case.coverages.items()}
    name = max(lone, key=lambda each: lone[each], default="")
    if not lone.get(name):
        return ""
    whose = f" beside {words.plain(name)}" if len(lone) > 1 else ""
    return f"; {words.several(lone[name], 'decisions')} with a label of one side only{whose} are in no number"


def _of_numbers(case: Case) -> Practice:
    """Return the practice of scores, whose decisions may lack a number."""
    missing = case.numbers_missing
    if missing is None or missing.n_covered == missing.n_total:
        return without_object(6, "Every decision has a number on both sides")
    gone = words.several(missing.n_total - missing.n_covered, "decisions")
    return judged(
        6, [f"{gone} without a number on one side: left out"], [None if case.contents.has("mode") else put_back("mode")]
    )


def _most(coverages: Mapping[str, Coverage], kind: Kind) -> tuple[str, int]:
    """Return whose answers of a kind, with those of the reference, are the most, in words; empty for one judge.

    And how many.
    """
    answers_by_judge = {name: coverage.answers(kind) for name, coverage in coverages.items()}
    n = max(answers_by_judge.values(), default=0)
    first, *others = [name for name, n_answers in answers_by_judge.items() if n_answers == n] or [""]
    if len(answers_by_judge) < 2:
        return "", n
    if len(others) + 1 == len(answers_by_judge):
        return f" of each judge{_and_reference(coverages[first], kind)}", n
    tied = f", as with {words.several(len(others), 'judges')} more, and" if others else ","
    return f" of {words.plain(first)}{_and_reference(coverages[first], kind)}{tied} more than with any other judge", n


def _and_reference(coverage: Coverage, kind: Kind) -> str:
    """Return the reference where it has answers of a kind; empty where they are all of judges."""
    rate = {"tie": coverage.tie_rate["human"], "invalid": coverage.invalid_rate["human"], "error": 0.0}
    return " and the reference" if rate.get(kind, coverage.human_abstention_rate) > 0 else ""


def _treated(case: Case, kind: Kind, most: str, n: int) -> str:
    d = case.declaration
    negative = d.labels["negative"][0] if d.labels.get("negative") else "negative"
    usual = mode_words(d.abstention, words.plain(negative)).removeprefix("abstentions ")
    handling = d.handling.get(kind, "exclude" if kind == "error" else "abstention")
    how = (
        usual
        if handling == "abstention"
        else handling_words(kind, handling, words.plain(negative)).removeprefix(f"{KINDS[kind]} ")
    )
    if kind == "error" and handling == "exclude":
        how = "missing, in no number"
    return f"{words.several(n, KINDS[kind])}{most}: {how}"


def _split(coverages: Mapping[str, Coverage]) -> list[str]:
    """Return split votes of the people who make the reference, beside the judge who met most of them."""
    worst = max(coverages.values(), key=lambda coverage: coverage.n_split, default=None)
    return [split_votes_sentence(worst).rstrip(".")] if worst is not None and worst.n_split else []


def _ask(case: Case, key: str) -> Lack | None:
    if key in case.answers:
        return None
    return Lack(f"Say {words.uncapital(QUESTION_BY_KEY[key].label)}", "report", f"--tell {key}=…")


def _answered(case: Case, keys: list[str]) -> list[str]:
    return [f"{QUESTION_BY_KEY[key].label}: {words.plain(case.answers.get(key, 'not stated'))}" for key in keys]


def rates(case: Case) -> Practice:
    """Return the practice: met where the rates of both sides stand in the report."""
    if not case.compared:
        return without_object(7, NOBODY)
    lack = None if case.contents.has("coverage") else put_back("coverage")
    missing = case.numbers_missing
    if missing is not None:
        both, total = words.count(missing.n_covered), words.several(missing.n_total, "decisions")
        sides = f"{words.count(missing.n_no_reference)} lack the reference’s, {words.count(missing.n_no_judge)} the judge’s"
        return judged(7, [f"{both} of {total} have a number on both sides ({words.percent(missing.coverage)}); {sides}"], [lack])
    worst = sorted(case.coverages, key=lambda name: -_nonresponse_rate(case.coverages[name]))
    sentences = [_rates(name, case.coverages[name]) for name in worst[:TOLD]]
    more = [_others([_nonresponse_rate(case.coverages[name]) for name in worst])] if len(worst) > TOLD else []
    return judged(7, [*sentences, *more, *_split(case.coverages), *_failed(case)], [lack])


def _others(rates: Sequence[float]) -> str:
    """Return what the judges beyond those told one by one do; rates from high to low."""
    less = "less often" if rates[TOLD] < rates[TOLD - 1] else "as often" if rates[-1] == rates[TOLD - 1] else "no more often"
    return f"The other {words.count(len(rates) - TOLD)} judges give no verdict {less}"


def _nonresponse_rate(coverage: Coverage) -> float:
    return (coverage.judge_abstention_rate + coverage.error_rate) if coverage.n_total else -1.0


def _rates(judge: str, coverage: Coverage) -> str:
    if not coverage.n_total:
        return f"{words.plain(judge)}: no decision that both sides rated"
    sides = (
        (words.plain(judge), coverage.judge_abstention_rate, coverage.tie_rate["judge"], coverage.invalid_rate["judge"]),
        ("the reference", coverage.human_abstention_rate, coverage.tie_rate["human"], coverage.invalid_rate["human"]),
    )
    text = "; ".join(f"{who} gives no verdict on {words.percent1(silent)}{_of_which(*rest)}" for who, silent, *rest in sides)
    both = f"both on {words.percent1(coverage.both_abstention_rate)}"
    return f"Of {words.several(coverage.n_total, 'decisions')} {text}; {both}"


def _of_which(tie: float, invalid: float) -> str:
    return f" (ties {words.percent1(tie)}, invalid {words.percent1(invalid)})" if tie or invalid else ""


def _failed(case: Case) -> list[str]:
    failed = {name: coverage for name, coverage in case.coverages.items() if coverage.n_errors}
    if not failed:
        return [NO_FAILURE]
    shown = [
        f"{words.plain(name)} {words.count(coverage.n_errors)} ({words.percent1(coverage.error_rate)})"
        for name, coverage in failed.items()
    ]
    more = f" and {words.count(len(shown) - TOLD)} more judges" if len(shown) > TOLD else ""
    return [f"Failed calls: {', '.join(shown[:TOLD])}{more}"]


def left_out(case: Case) -> Practice:
    """Return the practice: met where coverage stands beside the numbers, and what abstentions depend on was looked at.

    Where they depend on the label, bounds stand beside it too.
    """
    if not case.compared:
        return without_object(8, NOBODY)
    if case.numbers_missing is not None:
        return _numbers_left_out(case)
    if case.declaration.abstention != "exclude":
        return _still_left_out(case)
    gaps = {name: coverage for name, coverage in case.coverages.items() if coverage.n_covered < coverage.n_total}
    if not gaps:
        whole = "100\u00a0% of what both sides rated" if _lone(case) else "100\u00a0%: nothing was left out"
        return without_object(8, f"Coverage is {whole}{_lone(case)}")
    judge = case.judge if case.judge in gaps else min(gaps, key=lambda name: gaps[name].coverage)
    judge_coverage = gaps[judge]
    looked = case.findings.relations.get(judge)
    lacks = [
        *(put_back(part) for part in ("coverage", "silence") if not case.contents.has(part)),
        None if looked else Lack("Find out what abstentions depend on", "abstention"),
        _unbounded(case, judge),
    ]
    is_headline = case.block is not None and judge == case.judge and case.contents.level != "item"
    kappa = f"{estimate_text(case.block, case.first)} at coverage" if is_headline and case.block is not None else "Coverage"
    start = (
        f"{kappa} {words.percent(judge_coverage.coverage)}: {words.count(judge_coverage.n_covered)} "
        f"of {words.several(judge_coverage.n_total, 'decisions')}"
    )
    labels = case.declaration.labels
    what = "ties" if labels.get("tie") and not (labels.get("abstention") or labels.get("invalid")) else "abstentions"
    nonresponse = [relation_sentence(relation, (), judge, reference="the reference", what=what) for relation in looked or ()]
    easier = easier_items_sentence(judge_coverage).rstrip(".")
    return judged(8, [f"{start} of {words.plain(judge)}", *nonresponse, _bounds(case, judge), AT_RANDOM, easier], lacks)


def _still_left_out(case: Case) -> Practice:
    """Return the practice where abstentions count: split votes, and the kinds that a handling leaves out."""
    mode = mode_words(case.declaration.abstention, _negative(case))
    handling = case.declaration.handling
    dropped: list[Kind] = ["split", *(kind for kind in ("tie", "invalid") if handling.get(kind) == "exclude")]
    open_ones = {name: sum(coverage.answers(kind) for kind in dropped) for name, coverage in case.coverages.items()}
    judge = case.judge if open_ones.get(case.judge) else max(open_ones, key=lambda name: open_ones[name], default="")
    if not open_ones.get(judge):
        return without_object(8, f"Nothing is excluded: {mode}")
    judge_coverage = case.coverages[judge]
    counted = case.agreement.judges[judge].micro.n if case.agreement else None
    failed = judge_coverage.n_errors if handling.get("error", "exclude") != "exclude" else 0
    gone = judge_coverage.n_split if counted is None else judge_coverage.n_total + failed - counted
    what = words.listed(["split votes" if kind == "split" else KINDS[kind] for kind in dropped if judge_coverage.answers(kind)])
    how = mode.removeprefix("abstentions ").removeprefix("as ")
    sentence = (
        f"{words.out_of(gone, judge_coverage.n_total + failed, 'decisions')} {words.are(gone)} left out, {what}; "
        f"abstentions are {how}"
    )
    lack = None if case.contents.has("coverage") else put_back("coverage")
    return judged(8, [sentence, easier_items_sentence(judge_coverage).rstrip(".")], [lack])


def _negative(case: Case) -> str:
    labels = case.declaration.labels.get("negative") or ["negative"]
    return words.plain(labels[0])


def _numbers_left_out(case: Case) -> Practice:
    """Return the practice of scores: what a missing number depends on is for people to say."""
    missing = case.numbers_missing
    if missing is None or missing.n_covered == missing.n_total:
        return without_object(8, "Every decision has a number on both sides")
    lacks = [None if case.contents.has("coverage") else put_back("coverage"), _ask(case, "abstentions")]
    covered = f"Coverage {words.percent(missing.coverage)} of {words.several(missing.n_total, 'decisions')}"
    return judged(8, [covered, *_answered(case, ["abstentions"])], lacks, ("abstentions",))


def _bounds(case: Case, judge: str) -> str:
    bounds = case.findings.bounds.get(judge)
    if bounds is None:
        return ""
    key = _bounded(bounds)
    if not key:
        reason = next(iter(bounds.by_metric.values())).reason if bounds.by_metric else ""
        return f"Bounds: none ({reason})" if reason else ""
    name, in_unit = ("accuracy", words.TENTHS) if key == "accuracy" else ("κ", "")
    # A failed call or a missing row was not left open: bounds do not reach it.
    unit = "item verdicts" if case.contents.level == "item" else "decisions"
    filled = f"{words.count(bounds.n_open)} {unit[:-1] if bounds.n_open == 1 else unit} left open"
    return f"Whatever the {filled} would have been, {name} is in {words.bounds(bounds.by_metric[key].ends, in_unit)}"


def _bounded(bounds: Bounds) -> str:
    """Return the first of κ and accuracy that has bounds."""
    return next((key for key in ("kappa", "accuracy") if key in bounds.by_metric and bounds.by_metric[key].ends), "")


def _unbounded(case: Case, judge: str) -> Lack | None:
    """Return the lack where abstentions depend on the label, and no bounds say how far that could move the number."""
    looked, bounds = case.findings.relations.get(judge, ()), case.findings.bounds.get(judge)
    if not any(relation.related for relation in looked) or (bounds is not None and _bounded(bounds)):
        return None
    return Lack("Abstentions depend on the label: keep them as a class", "abstention", "--abstention as_category")
