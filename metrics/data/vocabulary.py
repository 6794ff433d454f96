"""Words people use for verdicts, and what they most likely mean. Whole labels only; nothing is mined from sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Kind = Literal["positive", "negative", "abstention", "tie", "invalid", "split", "error", "missing", "class", "number"]

_WITH_COMMA = re.compile(r"[+-]?\d+,(\d{1,2}|\d{4,})")
"""A decimal comma; behind one three digits may be thousands."""
_GRADE = re.compile(r"[a-z][+\-−–]")
_PICTURES = frozenset({"So", "Sk", "Mn", "Cf"})
"""Categories of letters that are pictures, or change one."""


@lru_cache(maxsize=1024)
def normalise(label: str) -> str:
    """Return form in which two spellings of one label are equal.

    Trimmed, NFKC, lower case, one trailing full stop or exclamation mark removed, `_`, `-` and space alike, `1.0` and `1,0` as
    `1`.
    The sign of a grade stays: `A-` is not `A`. A picture beside a word, `🟢 pass`, says no more.
    """
    text = _plain(unicodedata.normalize("NFKC", label).strip()).lower()
    if _WITH_COMMA.fullmatch(text):
        text = text.replace(",", ".")
    if _NUMBER.fullmatch(text):
        return (text.rstrip("0").rstrip(".") if "." in text else text).removeprefix("+")
    if _GRADE.fullmatch(text):
        return text[0] + ("+" if text[-1] == "+" else "-")
    if len(text) > 1 and text[-1] in ".!":
        text = text[:-1]
    return text if text.isalnum() else re.sub(r"[\s_-]+", " ", text).strip() or text


def _plain(text: str) -> str:
    """Return a label without the pictures beside its words."""
    if text.isascii():
        return text
    words = [place for place, letter in enumerate(text) if unicodedata.category(letter) not in _PICTURES and not letter.isspace()]
    rest = text[words[0] : words[-1] + 1] if words else ""
    return rest if any(map(str.isalnum, rest)) else text


@dataclass(frozen=True)
class Family:
    """Two opposite words, with their spellings; the first of each is the one to show."""

    name: str
    positive: tuple[str, ...]
    negative: tuple[str, ...]


@dataclass(frozen=True)
class Meaning:
    """What the vocabulary knows of one label: a kind, and whether a person must confirm it."""

    kind: Kind
    certain: bool
    family: str = ""
    why: str = ""


THUMBS = "thumbs up/down"
FAMILIES = (
    Family("MET/UNMET", ("met",), ("unmet", "not met")),
    Family("pass/fail", ("pass", "passed"), ("fail", "failed")),
    Family("yes/no", ("yes", "y", "sí", "sì"), ("no",)),
    Family("ja/nein", ("ja",), ("nein",)),
    Family("oui/non", ("oui",), ("non",)),
    Family("sim/não", ("sim",), ("não", "nao")),
    Family("да/нет", ("да",), ("нет",)),
    Family("是/否", ("是",), ("否",)),
    Family("はい/いいえ", ("はい",), ("いいえ",)),
    Family("예/아니요", ("예", "네"), ("아니요", "아니오")),
    Family("正确/错误", ("正确", "对"), ("错误", "错")),
    Family("通过/不通过", ("通过", "合格", "满足"), ("不通过", "不合格", "不满足")),
    Family("erfüllt/nicht erfüllt", ("erfüllt",), ("nicht erfüllt",)),
    Family("true/false", ("true",), ("false",)),
    Family("1/0", ("1",), ("0",)),
    Family("correct/incorrect", ("correct",), ("incorrect", "wrong")),
    Family("accept/reject", ("accept", "accepted", "approved", "approve"), ("reject", "rejected")),
    Family("safe/unsafe", ("safe",), ("unsafe",)),
    Family("good/bad", ("good",), ("bad",)),
    Family("faithful/unfaithful", ("faithful", "factual"), ("unfaithful", "hallucinated")),
    Family("relevant/irrelevant", ("relevant",), ("irrelevant",)),
    Family("✅/❌", ("✅", "✔"), ("❌", "✘", "✖")),
    Family("checked/unchecked", ("checked", "ticked"), ("unchecked", "unticked")),
    Family(THUMBS, ("thumbs up", "thumbs_up", "thumbs-up", "👍"), ("thumbs down", "thumbs_down", "thumbs-down", "👎")),
)
_SYNONYMS = {word: side[0] for family in FAMILIES for side in (family.positive, family.negative) for word in side}
#: Families whose words name the outcome; another rater's "yes" may then mean either side.
NAMING_FAMILIES = frozenset({"safe/unsafe", "faithful/unfaithful"})
#: Families without a meaning of their own: what is asked decides which side is the good one.
ANSWERING_FAMILIES = frozenset(
    "yes/no|ja/nein|oui/non|sim/não|да/нет|是/否|はい/いいえ|예/아니요|true/false|1/0|checked/unchecked".split("|")
)

ABSTENTIONS = frozenset(
    "cannot assess|can't assess|can't tell|cant tell|cannot tell|n/a|na|not applicable|idk|i don't know|i dont know|don't know|"
    "unsure|not sure|uncertain|unknown|abstain|abstained|abstention|skip|skipped|ignore|ignored|discarded".split("|")
)
INVALID = frozenset({"invalid", "parse error", "not parsable", "not parseable", "unparsable"})
ERRORS = frozenset({"error", "exception", "timeout"})
MISSING = frozenset({"", "null"})
NOT_A_NUMBER = "nan"
_DENIALS = frozenset({"not ", "non ", "non", "no ", "un", "in", "im", "ir", "dis", "nicht ", "kein ", "keine "})
"""What stands before a word that is denied; of a known word it makes the other side, of which a person is asked all the same."""

_ANSWERS = ("model", "output", "response", "answer", "assistant", "system", "option", "candidate")
FIRST = frozenset({"a", "left", "first", "1", "win", *(f"{what} {one}" for what in _ANSWERS for one in "a1")})
SECOND = frozenset({"b", "right", "second", "2", "lose", "loss", *(f"{what} {other}" for what in _ANSWERS for other in "b2")})
TIES = frozenset({"tie", "tie (bothbad)", "both bad", "both good", "draw", "tied", "tie (inconsistent)"})

#: Words for the steps of a scale, low to high. Words of one step stand in for one another: two of them have no order.
STEPS = tuple(
    tuple(tuple(step.split("|")) for step in scale.split(" < "))
    for scale in (
        "very bad|terrible|awful|horrible < bad|very poor < poor < fair|average|ok|okay|acceptable|mediocre|decent < good < "
        "very good|great < excellent|outstanding|exceptional < perfect",
        "strongly disagree|completely disagree|totally disagree < disagree < somewhat disagree|slightly disagree < "
        "neutral|neither agree nor disagree < somewhat agree|slightly agree < agree < "
        "strongly agree|completely agree|totally agree",
        "none|no issue|no issues < trivial|negligible < minor|mild|slight < moderate < major|serious|severe < "
        "critical|catastrophic|blocker",
        "very low < low < medium|med|mid|middle|moderate < high < very high|critical",
        "never < rarely|seldom|hardly ever < sometimes|occasionally < often|frequently < usually|very often|almost always < "
        "always",
        "很差|非常差 < 差 < 中|一般 < 好|良好 < 很好|优|优秀",
        "not at all < slightly|a little|a bit < somewhat|moderately|partially|partly < very|mostly|quite a bit < "
        "extremely|completely|fully",
    )
)
GRADES = tuple(f"{letter}{sign}" for letter in "fedcba" for sign in ("-", "", "+"))
"""Letters for how good something is, low to high."""
FEWEST_STEPS = 3
"""Words of one scale from which they are steps; fewer may be two sides."""

_FIRST_WORD = re.compile(r"[\W_]*([^\W_]+)(?:[\W_]*|\s*[,;:.!–—(-](.*))", re.DOTALL)
"""No letter fits two of its parts beside each other, so that it is quick on any text."""
WEAKER = re.compile(r"\b(but|part\w*|some\w*|borderline|ok|okay|mixed|mostly|almost|unclear|neutral|see|minor|slight\w*)\b")
"""Words between two opposites."""
_NUMBERED = re.compile(r"([+-]?\d{1,3})(?:\s*[-–—:.)=(]\s*|\s+)[^\W\d].*")
_BEHIND = re.compile(r"[^\W\d][^()\d]{0,40}\(\s*([+-]?\d{1,3})\s*\)")
_LEVEL = re.compile(r"(?:level|grade|score|stufe|note|step|l)\s*([+-]?\d{1,3})", re.IGNORECASE)

#: Numbers that often stand for "not rated"; never taken so without asking.
SENTINELS = frozenset({"-1", "99", "-99", "999"})

INVERTED = re.compile(
    r"\b(hallucinat\w*|toxic\w*|unsafe|errors?|wrong\w*|refus\w*|harm(?!less)\w*|violat\w*|incorrect|unfaithful|offensive|biased|rude|leak\w*|"
    r"ungrounded|unsupported|unrealistic|unhelpful|incomplete|inaccura\w*|irrelevan\w*|inconsisten\w*|contradict\w*|fabricat\w*|"
    r"mislead\w*)\b"
)
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?")
_ERROR = re.compile(r"error\s*[:(\[.…].*", re.DOTALL)

_DOUBTFUL: tuple[tuple[str, Kind, str], ...] = (
    ("n", "negative", "no, no answer, or not applicable"),
    ("c", "positive", "correct, or a tie"),
    ("i", "negative", "incorrect"),
    ("a", "class", "a choice, a grade, or agree"),
    ("f", "negative", "false, fail, or the grade F"),
    ("p", "positive", "pass, or partial"),
    ("t", "positive", "true, or a tick"),
    ("x", "negative", "a cross, or a tick"),
    ("✓", "positive", "a tick"),
    ("✗", "negative", "a cross"),
    ("?", "abstention", "not sure, or not rated"),
    ("+", "positive", "positive, or more of it"),
    ("-", "missing", "not rated, or negative"),
    ("none", "missing", "no problem found, or not rated"),
    ("#n/a", "missing", "not rated, or no verdict"),
    ("refuse", "abstention", "the rater abstained, or the answer refused"),
    ("refused", "abstention", "the rater abstained, or the answer refused"),
    ("refusal", "abstention", "the rater abstained, or the answer refused"),
    ("defer", "abstention", "the rater abstained, or the answer deferred"),
    ("neutral", "class", "a class of its own, or no verdict"),
    ("partial", "class", "a class of its own, or no verdict"),
    ("mixed", "class", "a class of its own, or no verdict"),
    ("maybe", "class", "a class of its own, or no verdict"),
    ("tie", "tie", "a tie, or a class of its own"),
)


def _meanings() -> dict[str, Meaning]:
    """Return what each listed word means; of a word that is listed twice the surer meaning."""
    sure: dict[Kind, frozenset[str]] = {
        "missing": MISSING, "error": ERRORS | {NOT_A_NUMBER}, "invalid": INVALID, "abstention": ABSTENTIONS,
    }  # fmt: skip
    known = {word: Meaning(kind, False, why=why) for word, kind, why in _DOUBTFUL}
    known |= {word: Meaning(kind, True) for kind, words in sure.items() for word in words}
    for family in reversed(FAMILIES):
        known |= dict.fromkeys(family.negative, Meaning("negative", True, family.name))
        known |= dict.fromkeys(family.positive, Meaning("positive", True, family.name))
    return known | {"y": Meaning("positive", True, "yes/no", "yes")}


_MEANINGS = _meanings()


def token(label: str) -> str:
    """Return form of a label in which the vocabulary looks it up."""
    stripped = label.strip().strip("_")
    return normalise(stripped or label).replace("’", "'")


def synonym(label: str) -> str:
    """Return form in which the spellings of one meaning are equal: the first word of its side of its family, else its own."""
    form = normalise(label)
    return _SYNONYMS.get(token(label)) or (form if not form.startswith("non ") else form.replace("non ", "not ", 1))


def is_number(label: str) -> bool:
    return _NUMBER.fullmatch(label.strip().lower()) is not None


def meaning(label: str) -> Meaning | None:
    """Return what one label means by itself, or None for a word nobody listed."""
    word = token(label)
    return Meaning("error", True) if _ERROR.fullmatch(word) else _MEANINGS.get(word)


def denies(label: str, other: str) -> bool:
    """Return whether a label is another one with a word or a syllable before it that denies it: “not met”, “unsupported”."""
    word, denied = token(label), token(other)
    return word.endswith(denied) and word.removesuffix(denied) in _DENIALS


def denied(label: str) -> Meaning | None:
    """Return what a known word means that a label denies; None where it denies none."""
    word = token(label)
    known = (meaning(word.removeprefix(before)) for before in _DENIALS if word.startswith(before))
    return next((one for one in known if one is not None and one.certain and one.family), None)


def means_nothing(label: str) -> bool:
    """Return whether a word says that there is nothing: null, none, nan."""
    known = meaning(label)
    return token(label) == NOT_A_NUMBER or (known is not None and known.kind == "missing")


def number_said(label: str) -> str:
    """Return the number of a step that stands beside its words, as in “4 - good”, “Good (4)” and “Level 4”; empty without one."""
    text = label.strip()
    found = _NUMBERED.fullmatch(text) or _LEVEL.fullmatch(text) or _BEHIND.fullmatch(text)
    return normalise(found[1]) if found else ""


def said_first(label: str) -> Meaning | None:
    """Return what the known word means with which a longer label begins, before a comma, a colon or the like, or without marks.

    None where there is none, or where the rest weakens it: “Yes, mostly” is a step of its own.
    """
    words = _FIRST_WORD.fullmatch(unicodedata.normalize("NFKC", label).strip())
    known = None if words is None or is_number(words[1]) or WEAKER.search((words[2] or "").lower()) else meaning(words[1])
    return known if known is not None and known.certain and known.kind in ("positive", "negative") else None


def steps_of(labels: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return labels that are steps of a scale, and the same low to high where the words tell it: all of one scale, one for each
    step, or each behind a number of its own, such as “1 - poor”.
    """
    labels = list(labels)
    numbers = {int(found[1]): label for label in labels if (found := _NUMBERED.fullmatch(label.strip()))}
    if len(numbers) >= FEWEST_STEPS:
        numbered = tuple(numbers[number] for number in sorted(numbers))
        return numbered, numbered
    words = {token(label): label for label in reversed(labels)}
    grades = tuple(words[grade] for grade in GRADES if grade in words)
    if len(grades) >= FEWEST_STEPS and any(len(token(grade)) > 1 or token(grade) in "def" for grade in grades):
        return grades, grades  # a, b and c alone may be two sides and a tie
    scales = [[[words[word] for word in step if word in words] for step in scale] for scale in STEPS]
    matched_scales = [steps for scale in scales if len(steps := list(filter(None, scale))) >= FEWEST_STEPS]
    named = tuple(label for steps in matched_scales for step in steps for label in step)
    return named, named if len(matched_scales) == 1 and len(matched_scales[0]) == len(named) else ()


def is_inverted(criterion: str) -> bool:
    """Return whether the name asks for something bad, so that "yes" is the bad outcome."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", criterion)
    return INVERTED.search(re.sub(r"[_\-/.]+", " ", spaced).lower()) is not None


def is_preference(labels: Iterable[str]) -> bool:
    """Return whether the labels that are no abstention say which of two things is better."""
    words = set[str]()
    for word in map(token, labels):
        if word == "0" or word not in FIRST | SECOND | TIES | {"c"}:
            return False
        words.add(word)
    named = words & (FIRST | SECOND)
    return bool(named) and named != {"1"}


def are_letters(labels: Iterable[str]) -> bool:
    """Return whether the labels are A, B and C and nothing else: three classes, of which no word says that the third is a tie."""
    return {token(label) for label in labels} == {"a", "b", "c"}


def preference(label: str) -> Kind:
    word = token(label)
    if word in FIRST:
        return "positive"
    return "negative" if word in SECOND else "tie"


def counterpart(label: str) -> str | None:
    """Return the opposite word of a known one, in the same letter case: "MET" -> "UNMET"."""
    word = token(label)
    for family in FAMILIES:
        for mine, other in ((family.positive, family.negative), (family.negative, family.positive)):
            if word in mine:
                return _cased_like(label, other[min(mine.index(word), len(other) - 1)])
    return None


def _cased_like(model: str, text: str) -> str:
    if len(model) > 1 and model.isupper():
        return text.upper().replace(" ", "_")
    return text.capitalize() if model[:1].isupper() else text
