"""Column names: which are taken without asking, and what others probably mean."""

from __future__ import annotations

import re
from functools import lru_cache

#: Criterion of a file that names none.
OVERALL = "overall"
#: Stands for a column: each row is an item of its own.
EACH_ROW = "#row"
#: Roles of columns, which are the names that are taken without asking.
ROLES = (
    "item", "criterion", "judge", "human", "verdict", "label", "rater", "role", "score", "human_score", "timestamp", "prompt",
    "run", "weight", "confidence", "n",
)  # fmt: skip
#: Another name that is taken so.
ALSO = {"item_id": "item"}

#: What a rater gives, behind a word that says whose it is.
GIVEN = r"label|verdict|rating|score|grade|vote|answer|choice|judge?ment|evaluation|eval|annotation|coding|review|check"
HUMAN = re.compile(
    r"\b(humans?|experts?|annotators?|annotated|gold|golden|labels?|ground ?truth|truth|physicians?|reference|target|"
    r"expected(?= \w)(?! (answer|behaviou?r|class count|count|format|length|output|rank|rating|response|result|value)s?\b)|"
    rf"(my|manual|manually)(?= ({GIVEN})s?\b)|hand(?! (crafted|drawn|made|written|visible|off))|"
    r"mensch\w*|gutachter\w*|human[oa]s?|humaine?s?|expert[oae]s?|eksperci?\w*|ekspert\w*|człowiek\w*|insan|i̇nsan|uzman\w*|"
    r"человек\w*|эксперт\w*|людьми|люди|البشري|بشري|المقيّم)\b|人工(?!智能|知能)|人类|人類|人間|人手|专家|專家|사람|인간|전문가"
)
#: How models are called.
MODELS = (
    rf"llm|gpt\w*|chatgpt\w*|claude\w*|(opus|sonnet|haiku)(?=$| \d| ({GIVEN})s?\b)|grok\w*|gemini\w*|gemma\w*|llama\w*|"
    r"mistral\w*|mixtral\w*|qwen\w*|deepseek\w*|codex|ai|ki|model|modell\w*|panda ?lm|prometheus|granite|vicuna|nemotron|kimi|"
    r"glm|ia|command r|phi \d|yi \d+b?|nova (pro|lite|micro|premier)"
)
JUDGE = re.compile(
    rf"\b(judges?|{MODELS}|pred|preds|predictions?|predicted|grader|autograder|autorater|verifier|critic|scorer|auto|"
    rf"(automated|machine)(?= ({GIVEN})s?\b)|eval\w*|verdicts?|juiz\w*|juez\w*|juges?|modèles?|modelos?|modelle|модел\w*|ии|"
    r"нейросет\w*|yapay zeka|automatische\w*|النموذج|نموذج|الذكاء الاصطناعي)\b|模型|自动|自動|모델|人工智能|人工知能|인공지능|"
    r"\bai(?=[\u3040-\u9fff\uac00-\ud7af])"
)
ITEM = re.compile(
    r"\b(id|ids|item|uuid|guid|[cgqt]id|hash|index|nr|nummer|beleg|kennung)$|^(?!.*(label|pred|gold|choice|gpt|judge|human)).*\bidx$"
)
#: A person by an e-mail address.
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.\w+")
CRITERION = re.compile(r"\b(criterion|criteria|metric|aspect|dimension|trait|rubric|kriterium|kriterien|merkmal|aspekt)\b")
SCORE = re.compile(r"\b(score|scores|rating|grade|points|punkte|wertung)\b")
#: A rater who is a person, whatever the column beside it.
PEOPLE = (
    r"annotator|ann|rater|reviewer|labell?er|coder|physician|worker|respondent|participant|bewerter\w*|gutachter\w*|assessor|"
    r"examiner|juror|panell?ist|prolific p?id|annotat(?:eur|rice)s?|anotador\w*|avaliador\w*|evaluador\w*|beoordelaar|"
    r"évaluat(?:eur|rice)s?|valutat(?:ore|rice)|标注[员人者]|评审[员人]?|评分[员人者]|評価者"
)
PERSON = re.compile(rf"\b({PEOPLE})\b")
RATER = re.compile(rf"\b({PEOPLE}|judge|grader|evaluator|user|source|creator|who|\w+ed by)\b|^by$")
ROLE = re.compile(r"\b(role|type|kind|annotator kind|source)\b")
LABEL = re.compile(
    r"\b(label|annotation|verdict|rating|value|vote|answer|choice|preference|preferred|winner|result|urteil|bewertung)\b"
)
#: Numbers of rows that nobody gave as a label.
COUNTED = re.compile(r"run|trial|seed|turn|round|step|iteration|attempt|epoch")
#: A label of whom the words before it name.
LABELLED = re.compile(rf"\b({GIVEN}|preference|preferred|result|winner)s?$")
TIME = re.compile(r"\b(at|date|time|timestamp|duration|seconds|created|updated)$")
#: Who gave all labels of a file, where one column says it.
GIVEN_BY = re.compile(
    r"\b(labell?ed|annotated|rated|judged|graded|evaluated|scored|reviewed) by$|"
    r"^((annotator|ann|rater|reviewer|labell?er|coder|grader|evaluator|judge)( (name|id))?|(judge|grader|evaluator) model)$"
)
#: What somebody says of another one's label, which is no label of the same question.
AGREES = re.compile(r"\b(agrees?|agreed|agreement|disagrees?|disagreed|overrul\w*|overrid\w*)\b")
#: Whether two labels are alike, where the two stand beside it.
MATCHES = re.compile(r"\b(match|matches|matched|mismatch|correct|same|equal|hit|differs?|different|error)\b")
#: What somebody wrote about an item, and that is no item.
WHY = r"reasons?|reasoning|explanations?|rationales?|critiques?|justifications?|why"
#: Whether a score reaches its threshold, where the score stands beside it.
OUTCOME = re.compile(r"(?:is )?(?:success|successful|pass|passed|passing)")
#: Numbers that stand beside a rater's score and are none.
BESIDE = re.compile(
    r"\b(confidence|certainty|prob\w*|logprobs?|latency|cost|price|tokens?|ms|temperature|version|rank|weight|length|words|se|std)\b"
)
#: What is worked out of labels, over many items.
RESULT = re.compile(r"\b(kappa|rmse|mae|pearson|spearman|kendall|correlation|p value)\b")
#: A judge by a word that no system under test is called by.
JUDGES = re.compile(r"\b(judges?|judge?ments?|grader|autograder|autorater|verifier|critic|scorer|eval\w*|verdicts?)\b")
#: What a program works out without asking anybody.
CODE = re.compile(
    r"(exact match|((token|word|char) )?f1|(sacre)?bleu\d?|bleurt|gleu|chrf|meteor|rouge\w*( l)?|bert ?score|wer|cer|levenshtein|"
    r"edit distance)( \w+)?|em( score)?"
)
#: How likely a judge, a classifier too, holds the positive label to be.
PROBABILITY = re.compile(r"((pred|predicted|model|llm|judge) )?(prob|proba|probability|likelihood)( (yes|true|positive))?")
COUNT = frozenset({"n", "count", "counts", "freq", "frequency"})
TOTALS = frozenset({"total", "totals", "sum", "all", "margin"})


@lru_cache(maxsize=4096)
def fold_name(name: str) -> str:
    """Return the name in a form in which case, space, `_` and `-` do not matter."""
    return re.sub(r"[\s_-]+", "_", name.strip().casefold())


@lru_cache(maxsize=4096)
def spaced(name: str) -> str:
    """Return the name as separate words, for the patterns above."""
    split = name if name.islower() else re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])", " ", name)
    return re.sub(r"[^\w]+|_+", " ", split).strip().casefold()


def role_called(name: str) -> str:
    """Return the role whose name this is; empty for any other name."""
    folded = fold_name(name)
    role = ALSO.get(folded, folded)
    return role if role in ROLES else ""


def known(name: str) -> bool:
    """Return whether the name could be a column of ours; helps to tell delimiters apart."""
    words = spaced(name)
    patterns = (HUMAN, JUDGE, ITEM, CRITERION, RATER, ROLE, LABEL)
    return bool(role_called(name)) or any(p.search(words) for p in patterns)


def exact(columns: tuple[str, ...]) -> dict[str, list[str]]:
    """Return role -> columns that carry its name."""
    columns_by_role = {role: [column for column in columns if role_called(column) == role] for role in ROLES}
    return {role: hits for role, hits in columns_by_role.items() if hits}
