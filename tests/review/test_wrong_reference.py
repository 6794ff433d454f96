"""Where independent judges say the same against people who agree, the labels of people may be wrong: nobody is told to change."""

from __future__ import annotations

import numpy as np
import pandas as pd

import metrics
from metrics.data.ratings import Ratings
from tests.review.test_suggesting import said

N = 120


def several(*, people_wrong: float = 0.0, first_wrong: float = 0.06, others_wrong: float = 0.06, judges: int = 3) -> Ratings:
    """Three people who share a wrong reading of some items, and judges that err independently."""
    rng = np.random.default_rng(2)
    truth = rng.random(N) < 0.5
    shared = truth ^ (rng.random(N) < people_wrong)
    columns = {f"h{at}": ("human", shared ^ (rng.random(N) < 0.03)) for at in range(3)}
    for at in range(judges):
        columns[f"j{at}"] = "judge", truth ^ (rng.random(N) < (others_wrong if at else first_wrong))
    rows = [
        {"item": f"i{item}", "criterion": "tone", "rater": name, "role": role, "label": "MET" if labels[item] else "UNMET"}
        for name, (role, labels) in columns.items()
        for item in range(N)
    ]
    return metrics.read(pd.DataFrame(rows))


def test_judges_that_say_the_same_against_the_people_are_read_before_any_is_changed() -> None:
    found = said(several(people_wrong=0.25))
    assert found.action == ""
    assert "disagreements most other judges say what this one says. Read these first: the labels of people may" in found.text
    assert "change the judge" not in found.text


def test_a_judge_that_errs_alone_is_changed_whether_or_not_others_err() -> None:
    for ratings in (several(first_wrong=0.3), several(first_wrong=0.3, others_wrong=0.3)):
        assert said(ratings).action == "judge"


def test_one_judge_alone_does_not_speak_against_people() -> None:
    assert said(several(people_wrong=0.25, judges=1)).action == "judge"
