"""On ordered labels every page takes κ that counts distance first, and no other number bears its name."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import metrics
from metrics.analyses.raters.ceiling import human_ceiling
from metrics.results.words import bounds, number
from tests.pages.own_file import opened
from tests.pages.seen import figure, text_of, unescaped, words_in

RATERS, ENSEMBLE = "pages/rubric/raters.py", "pages/rubric/ensemble.py"
KEY, MEAN = "weighted_kappa_quadratic", "mean_pairwise_weighted_kappa"


def grades(humans: int = 3, judges: int = 2, n: int = 80, criteria: int = 1) -> bytes:
    """Grades 1 to 5 by people and judges, each mostly one off."""
    rng = np.random.default_rng(4)
    lines = ["item,criterion,rater,role,label"]
    for item in range(n):
        for criterion in range(criteria):
            truth = int(rng.integers(1, 6))
            for place in range(humans + judges):
                name, role = (f"h{place}", "human") if place < humans else (f"j{place - humans}", "judge")
                lines.append(f"i{item},c{criterion},{name},{role},{int(np.clip(truth + rng.integers(-1, 2), 1, 5))}")
    return "\n".join(lines).encode()


def words_of(text: bytes) -> bytes:
    """The same with words for labels: classes without an order."""
    head, *rows = text.decode().split("\n")
    names = dict(zip("12345", ("red", "green", "blue", "pink", "grey"), strict=True))
    return "\n".join([head, *(f"{row[:-1]}{names[row[-1]]}" for row in rows)]).encode()


def asked(app, key: str, value: str):
    """The page after a choice."""
    app.segmented_control(key=key).set_value(value).run()
    assert not app.exception
    return app


def seen(app) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


@pytest.mark.parametrize(("page", "role", "drawn"), [(RATERS, "human", "raters.alike"), (ENSEMBLE, "judge", "ensemble.alike")])
def test_the_mean_of_pairs_and_the_map(visit, page, role, drawn) -> None:
    text = grades(3, 3)
    app = opened(visit, page, text)
    block = metrics.raters(metrics.read(text, scale="ordinal"), role=role).pooled
    shown = seen(app)
    assert shown["Mean κ quadratic of pairs"] == number(block.values[MEAN])
    assert "Mean κ of pairs" not in shown
    assert "κ quadratic of every two" in text_of(app)
    assert "mean κ quadratic" in words_in(figure(app, drawn))
    plain = opened(visit, page, words_of(text))
    assert "Mean κ of pairs" in seen(plain)
    assert "quadratic" not in text_of(plain)
    assert "quadratic" not in words_in(figure(plain, drawn))


def test_the_gate_on_kappa_names_its_kappa(visit) -> None:
    app = asked(opened(visit, RATERS, grades()), "raters_on", "kappa")
    assert "mean κ quadratic among the humans" in text_of(app)
    nominal = asked(app, "raters_level", "nominal")
    assert "mean κ among the humans" in text_of(nominal)
    assert "Mean κ of pairs" in seen(nominal)


@pytest.mark.parametrize("show", ["matrices", "growth"])
def test_judges_with_the_reference(visit, show) -> None:
    text = grades(3, 3)
    assert "κ quadratic" in text_of(asked(opened(visit, ENSEMBLE, text), "ensemble_show", show))
    assert "quadratic" not in text_of(asked(opened(visit, ENSEMBLE, words_of(text)), "ensemble_show", show))


def rater_labels_of(text: bytes, judge: str) -> str:
    """Which number the labels are read by, as the package gives it."""
    block = metrics.agreement(metrics.read(text, scale="ordinal"), judges=[judge]).judges[judge].micro
    return f"These labels are ordered: κ quadratic is {number(block.values[KEY])} {bounds(block[KEY].ends)}."


ELSEWHERE = {
    "pages/judge/kappa_phi.py": "the gap to φ is one of such a κ",
    "pages/judge/abstention.py": "an answer without a verdict has no place in an order",
    "pages/learn/prevalence.py": "prevalence is that of one label against another",
}


@pytest.mark.parametrize("page", ELSEWHERE)
def test_a_page_of_another_kappa_says_first_which_number_and_why(visit, page) -> None:
    text = grades(1, 2)
    app = opened(visit, page, text)
    own = next(markdown for markdown in app.markdown if "These labels are ordered" in markdown.value)
    told = unescaped(app)
    assert rater_labels_of(text, app.selectbox(key="judge").value) in told
    assert f"The κ below takes all disagreements alike, as {ELSEWHERE[page]}" in told
    above = [markdown.value for markdown in app.markdown][: list(app.markdown).index(own)]
    assert not any("κ is" in one or "κ of" in one for one in above)
    assert "ordered" not in text_of(opened(visit, page, words_of(text)))


def test_the_human_ceiling_is_in_the_kappa_of_the_scale(visit) -> None:
    text = grades(3, 1)
    ratings = metrics.read(text, scale="ordinal")
    found = human_ceiling(ratings, "j0")
    assert found.metric == KEY
    plain = human_ceiling(ratings, "j0", "kappa")
    assert found.human.value > plain.human.value
    shown = seen(asked(opened(visit, RATERS, text), "raters_show", "ceiling"))
    assert shown["A human, κ quadratic"] == number(found.human.value)
    assert shown["The judge, κ quadratic"] == number(found.value.value)
    nominal = words_of(text)
    assert "A human, κ" in seen(asked(opened(visit, RATERS, nominal), "raters_show", "ceiling"))
    as_classes = metrics.read(nominal, labels=dict.fromkeys(("red", "green", "blue", "pink", "grey"), "class"))
    assert human_ceiling(as_classes, "j0").metric == "kappa"


def test_the_ceiling_is_that_of_one_pair_at_a_time() -> None:
    """A human left out beside the low median of the two others, κ by scikit-learn."""
    ratings = metrics.read(grades(3, 1), scale="ordinal")
    codes = np.zeros((80, 4), int)
    names = {rater.name: place for place, rater in enumerate(ratings.raters)}
    for item, rater, state in zip(ratings.item, ratings.rater, ratings.state, strict=True):
        codes[item, rater] = int(ratings.scheme.classes[state])
    humans = [names[f"h{place}"] for place in range(3)]
    found = human_ceiling(ratings, "j0")
    own = []
    for place in humans:
        rest = codes[:, [other for other in humans if other != place]].min(1)
        own.append([cohen_kappa_score(rest, codes[:, at], weights="quadratic") for at in (names["j0"], place)])
    judge, human = np.mean(own, axis=0)
    assert (found.value.value, found.human.value) == (pytest.approx(judge), pytest.approx(human))


def test_the_usual_reference_is_that_of_the_data_set_and_a_choice_stays(visit) -> None:
    """The sample, open first, has the majority; no choice, so ordered labels take their median."""
    app = opened(visit, "pages/judge/agreement.py", grades(3, 1))
    assert app.selectbox(key="reference").value == "median"
    own = app.selectbox(key="data").value
    app.selectbox(key="reference").set_value("unanimous").run()
    app.selectbox(key="data").set_value("support_answers").run()
    assert app.selectbox(key="reference").value == "unanimous"
    app.selectbox(key="reference").set_value("majority").run()
    app.selectbox(key="data").set_value(own).run()
    assert app.selectbox(key="reference").value == "median"
    nominal = opened(visit, "pages/judge/agreement.py", words_of(grades(3, 1)))
    assert nominal.selectbox(key="reference").value == "majority"
