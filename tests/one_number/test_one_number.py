"""One number has one interval, whichever command, page or file gives it, wherever it rests on the same decisions."""

from __future__ import annotations

from dataclasses import replace

import pytest

import metrics
from metrics.report.making import report_of
from tests.one_number.gathered import Asked, Gathering, differences, gathered, of_agreement, of_compare
from tests.one_number.made import BINARY, CONTINUOUS, NOMINAL, ORDERED, TWO, drawn, file_of

FILES = BINARY | ORDERED | NOMINAL
PLAIN = Asked()
OTHERWISE = {
    "pages of two items": (
        Asked(unit="page"),
        ("one criterion an item", "one label on one criterion", "no miss", "three classes"),
    ),
    "pages, grades": (Asked(unit="page"), ("grades, one criterion",)),
    "recoded": (Asked("as_unmet"), ("three criteria, some silent", "one criterion an item", "no miss")),
    "a class of its own": (Asked("as_category"), ("three criteria, some silent", "three classes, some silent", "constant judge")),
    "80 %": (Asked(confidence=0.8), ("three criteria", "grades, nearly perfect", "one criterion, some silent")),
}
METHODS = ("jackknife", "dirichlet", "wilson", "bootstrap", "bca")


@pytest.mark.parametrize("name", FILES)
def test_every_command_gives_one_interval(name: str) -> None:
    found = gathered(FILES[name](), PLAIN)
    assert not differences(found)
    sources = {one.source for one in found}
    assert sources >= {"agreement", "compare", "choose", "report", "review", "before/after", "ensemble", "raters"}


@pytest.mark.parametrize(("asked", "name"), [(asked, name) for asked, names in OTHERWISE.values() for name in names])
def test_so_they_do_under_other_choices(asked: Asked, name: str) -> None:
    assert not differences(gathered(FILES[name](), asked))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["three criteria", "rare, one criterion", "constant on one criterion", "three classes"])
def test_a_method_asked_for_by_name_is_the_same_everywhere(method: str, name: str) -> None:
    assert not differences(gathered(FILES[name](), Asked(interval=method)))


@pytest.mark.parametrize("name", CONTINUOUS)
def test_numbers_of_a_continuous_scale_stand_in_the_report_as_in_scores(name: str) -> None:
    ratings = CONTINUOUS[name]()
    told, own = report_of(ratings).to_dict(), metrics.scores(ratings).to_dict()
    assert [report["judges"] for report in told["scores"]] == [own["judges"]]


def test_the_report_writes_what_agreement_prints() -> None:
    ratings = BINARY["three criteria"]()
    told = report_of(ratings).to_dict()["agreement"]
    assert told["judges"] == metrics.agreement(ratings).to_dict()["judges"]


def test_other_decisions_are_another_number_and_say_so() -> None:
    """Judges that leave different decisions open are compared on fewer, and the comparison says on how many."""
    ratings = file_of(drawn(3, 60, 1, 2, 0.3), TWO, silent=0.15)
    its = Gathering(ratings, PLAIN)
    compared = [one for one in of_compare(its) if one.metric == "kappa"]
    whole = [one for one in of_agreement(its) if one.metric == "kappa" and one.level == "all"]
    assert not {one.what for one in compared} & {one.what for one in whole}
    found = metrics.compare(ratings, "a", "b", replicates=2)
    assert found.silence is not None
    for side, judge in zip((found.a, found.b), whole[:2] if whole[0].judge == "a" else whole[1::-1], strict=True):
        assert side.block.n is not None
        assert side.block.n < judge.rests_on[0]
    block = its.agreement.judges["b"].micro
    assert found.silence.whole.b == pytest.approx(block.values["kappa"])
    assert found.silence.whole.n[1] == block.n


def test_a_difference_would_be_found() -> None:
    its = Gathering(BINARY["one criterion"](), PLAIN)
    found = list(of_agreement(its))
    assert not differences(found)
    one = next(one for one in found if one.metric == "kappa" and one.ends is not None)
    assert one.ends is not None
    assert differences([*found, replace(one, ends=(one.ends[0] - 1e-6, one.ends[1]))])
    assert differences([*found, replace(one, value=one.value + 1e-6)])
    assert differences([*found, replace(one, ends=None)])
    assert not differences([*found, replace(one, rests_on=(7,), value=0.0)])
