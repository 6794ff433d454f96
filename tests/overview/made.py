"""Small made-up data sets, one for each thing that a verdict may have to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

import metrics
from metrics import Ratings
from tests import made_files
from tests.conftest import of_tables, ratings_of

LABELS = ("MET", "UNMET")


def two(*tables: list[list[int]]) -> Ratings:
    return of_tables(*tables, labels=LABELS)


def of_judges(errors: Mapping[str, float], n_items: int = 120, seed: int = 1) -> Ratings:
    """One human and judges that give a random label on this share of items, one criterion."""
    rng, rows = np.random.default_rng(seed), []
    for item in range(n_items):
        human = LABELS[item % 2]
        rows.append((f"i{item}", "c", "h", "human", human))
        for judge, share in errors.items():
            rows.append((f"i{item}", "c", judge, "judge", str(rng.choice(LABELS)) if rng.random() < share else human))
    return ratings_of(rows)


def far_behind() -> Ratings:
    """Three judges, of whom the last is behind the first by a test, or is not, as two decisions it leaves open are counted."""
    wrong = {"best": {0, 1, 2, 30}, "near": {0, 1, 2, 30, 31}, "far": {30, *range(40, 51)}}
    rows = [(f"i{item}", "c", "h", "human", LABELS[item % 2]) for item in range(100)]
    rows += [
        (f"i{item}", "c", judge, "judge", "CA" if judge == "far" and item >= 98 else LABELS[(item + (item in items)) % 2])
        for item in range(100)
        for judge, items in wrong.items()
    ]
    return ratings_of(rows)


def silent_where_wrong(*, alone: bool = False) -> Ratings:
    """A judge of whom a fifth of the calls failed, and nearly all where it would have been wrong; beside it one that answers."""
    rows = [(f"i{item}", "c", "h", "human", LABELS[item % 2]) for item in range(200)]
    rows += [
        (f"i{item}", "c", "mute", "judge", "ERR" if item < 40 else LABELS[(item + (item % 40 == 0)) % 2]) for item in range(200)
    ]
    rows += [] if alone else [(f"i{item}", "c", "open", "judge", LABELS[(item + (item % 11 == 0)) % 2]) for item in range(200)]
    return ratings_of(rows)


def of_people(people: float, judge: float | None, n_items: int = 150, seed: int = 2, n_people: int = 3) -> Ratings:
    """Three humans and a judge, or none, each of whom gives a random label on a share of items."""
    rng, rows = np.random.default_rng(seed), []
    for item in range(n_items):
        truth = LABELS[item % 2]

        def given(share: float, truth: str = truth) -> str:
            return str(rng.choice(LABELS)) if rng.random() < share else truth

        rows += [(f"i{item}", "c", f"h{who}", "human", given(people)) for who in range(n_people)]
        rows += [(f"i{item}", "c", "j", "judge", given(judge))] if judge is not None else []
    return ratings_of(rows)


def judges_only(n_items: int = 60) -> Ratings:
    rng = np.random.default_rng(3)
    return ratings_of([(f"i{i}", "c", f"j{j}", "judge", str(rng.choice(LABELS))) for i in range(n_items) for j in range(3)])


def rare_label(n_items: int = 200) -> Ratings:
    """Two humans who agree on nearly all, one label rare."""
    rows = []
    for item in range(n_items):
        for who in (0, 1):
            rows.append((f"i{item}", "c", f"h{who}", "human", "UNMET" if item < 4 and (item + who) % 2 else "MET"))
    return ratings_of(rows)


def of_runs(n_items: int = 80, n_runs: int = 5, seed: int = 4) -> Ratings:
    """One human, and a judge that was asked several times and answers each time anew."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n_items) < 0.5
    rows = [
        f"i{item},{run},{'MET' if truth[item] else 'UNMET'},{'MET' if truth[item] ^ (rng.random() < 0.12) else 'UNMET'}"
        for run in range(1, n_runs + 1)
        for item in range(n_items)
    ]
    return read("\n".join(["item,run,human,verdict", *rows]))


def of_even_people(shift: float, n_items: int = 120, seed: int = 6) -> Ratings:
    """Two humans, and a judge as good as each of them but for a shift, on a scale of five."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, n_items)
    rows = [
        f"i{item},{rater},{role},{int(np.clip(round(truth[item] + rng.normal(more, 0.6)), 1, 5))}"
        for rater, role, more in (("ana", "human", 0), ("ben", "human", 0), ("gpt", "judge", shift))
        for item in range(n_items)
    ]
    return read("\n".join(["item,rater,role,label", *rows]), order=list("12345"))


def read(text: str, **keywords: object) -> Ratings:
    return metrics.read(text.encode(), **keywords)


PAIRS = {"A": "positive", "B": "negative", "tie": "tie"}
AT_CHANCE = ([[256, 64], [64, 16]], [[1, 19], [19, 361]])
MADE: Mapping[str, Callable[[], Ratings]] = {
    "good": lambda: two([[45, 3], [2, 50]]),
    "perfect": lambda: two([[30, 0], [0, 30]]),
    "bad": lambda: two([[35, 15], [15, 35]]),
    "at chance": lambda: two([[25, 25], [25, 25]]),
    "below chance": lambda: two([[5, 45], [45, 5]]),
    "below baseline": lambda: two([[16, 5], [60, 169]]),
    "constant judge": lambda: two([[0, 10], [0, 90]]),
    "one-sided reference": lambda: two([[40, 10], [0, 0]]),
    "one item": lambda: two([[1, 0], [0, 0]], [[0, 0], [0, 1]]),
    "few items": lambda: two([[3, 1], [1, 3]]),
    "one label a criterion": lambda: two([[19, 1], [0, 0]], [[0, 0], [2, 18]]),
    "nothing decided": lambda: of_tables([[0, 0, 8], [0, 0, 8], [0, 0, 0]]),
    "lenient": lambda: two([[48, 2], [25, 25]]),
    "strict": lambda: two([[25, 25], [2, 48]]),
    "abstaining": lambda: of_tables([[30, 10, 15], [10, 20, 15], [0, 0, 0]]),
    "abstaining a little": lambda: of_tables([[40, 5, 2], [5, 40, 2], [0, 0, 0]]),
    "pooled alone": lambda: two(*AT_CHANCE),
    "lifted by pooling": lambda: two([[80, 4], [4, 12]], [[12, 4], [4, 80]]),
    "same pooled and within": lambda: two([[40, 5], [5, 40]], [[40, 6], [4, 40]]),
    "one weak criterion": lambda: two([[48, 2], [2, 48]], [[30, 20], [22, 28]]),
    "one weaker criterion": lambda: two([[48, 2], [2, 48]], [[38, 12], [13, 37]]),
    "test and interval disagree far behind": far_behind,
    "two judges, one silent where it is wrong": silent_where_wrong,
    "silent where it is wrong": lambda: silent_where_wrong(alone=True),
    "judges tied": lambda: of_judges({"a": 0.2, "b": 0.21}),
    "judges apart": lambda: of_judges({"good": 0.05, "bad": 0.7}),
    "people agree more": lambda: of_people(0.1, 0.7),
    "people agree alike": lambda: of_people(0.2, 0.2),
    "people at chance": lambda: of_people(1.0, 0.3),
    "order": lambda: read(made_files.graded(), order=["1", "2", "3", "4"]),
    "order, three people": lambda: read(made_files.three_raters(), order=["0.0", "0.5", "1.0"]),
    "order, two people, judge alike": lambda: of_even_people(0.0),
    "order, two people, judge higher": lambda: of_even_people(1.0),
    "several runs": of_runs,
    "numbers": lambda: read(made_files.numbers(), scale="continuous"),
    "pairs": lambda: read(made_files.votes(), labels=PAIRS),
    "two judges, readings disagree": lambda: metrics.read(made_files.guesser_and_seer()),
    "two judges, silence decides": lambda: metrics.read(made_files.silent()),
    "people alone, agree": lambda: of_people(0.04, None),
    "people alone, disagree": lambda: of_people(0.7, None),
    "people alone, unsettled": lambda: of_people(0.35, None, n_items=40),
    "people alone, few": lambda: of_people(0.1, None, n_items=5),
    "people alone, rare label": rare_label,
    "judges alone": judges_only,
}
