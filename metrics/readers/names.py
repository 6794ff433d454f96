"""Column names: which are taken without asking, and what others probably mean."""

from __future__ import annotations

import re

#: Criterion of a file that names none.
OVERALL = "overall"
#: Role of a column -> names taken without asking.
EXACT: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("item", ("item", "item_id")),
    ("criterion", ("criterion",)),
    ("judge", ("judge",)),
    ("human", ("human",)),
    ("verdict", ("verdict",)),
    ("label", ("label",)),
    ("rater", ("rater",)),
    ("role", ("role",)),
    ("score", ("score",)),
    ("human_score", ("human_score",)),
    ("timestamp", ("timestamp",)),
    ("prompt", ("prompt",)),
    ("run", ("run",)),
    ("weight", ("weight",)),
    ("confidence", ("confidence",)),
    ("n", ("n",)),
)
ROLES = tuple(role for role, _ in EXACT)

HUMAN = re.compile(
    r"\b(humans?|experts?|annotators?|annotated|gold|labels?|ground truth|truth|physicians?|reference|target|mensch\w*|"
    r"gutachter\w*)\b"
)
JUDGE = re.compile(
    r"\b(judges?|llm|gpt\w*|claude\w*|gemini\w*|llama\w*|mistral\w*|model|pred|preds|predictions?|predicted|grader|auto|eval\w*|verdicts?|ai|ki|modell\w*)\b"
)
ITEM = re.compile(r"\b(id|ids|item|uuid|guid|index|nr|nummer|beleg|kennung)$")
#: A person by an e-mail address.
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.\w+")
CRITERION = re.compile(r"\b(criterion|criteria|metric|aspect|dimension|rubric|kriterium|kriterien|merkmal|aspekt)\b")
SCORE = re.compile(r"\b(score|scores|rating|grade|points|punkte|wertung)\b")
RATER = re.compile(r"\b(rater|annotator|judge|grader|reviewer|user|labell?er|worker|coder|source|bewerter\w*|gutachter\w*)\b")
#: A rater who is a person, whatever the column beside it.
PERSON = re.compile(r"\b(annotator|rater|reviewer|labell?er|coder|physician|bewerter\w*|gutachter\w*)\b")
ROLE = re.compile(r"\b(role|type|kind|annotator kind|source)\b")
LABEL = re.compile(r"\b(label|verdict|rating|value|vote|answer|choice|result|urteil|bewertung)\b")
TIME = re.compile(r"\b(at|date|time|timestamp|duration|seconds|created|updated)$")
COUNT = frozenset({"n", "count", "counts", "freq", "frequency"})
TOTALS = frozenset({"total", "totals", "sum", "all", "margin"})


def fold_name(name: str) -> str:
    """Return the name in a form in which case, space, `_` and `-` do not matter."""
    return re.sub(r"[\s_-]+", "_", name.strip().casefold())


def spaced(name: str) -> str:
    """Return the name as separate words, for the patterns above."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return re.sub(r"[^\w]+|_+", " ", split).strip().casefold()


def known(name: str) -> bool:
    """Return whether the name could be a column of ours; helps to tell delimiters apart."""
    words = spaced(name)
    patterns = (HUMAN, JUDGE, ITEM, CRITERION, RATER, ROLE, LABEL)
    return fold_name(name) in {n for _, names in EXACT for n in names} or any(p.search(words) for p in patterns)


def exact(columns: tuple[str, ...]) -> dict[str, list[str]]:
    """Return role -> columns that carry its name."""
    columns_by_role: dict[str, list[str]] = {}
    for role, names in EXACT:
        hits = [column for column in columns if fold_name(column) in names]
        if hits:
            columns_by_role[role] = hits
    return columns_by_role
