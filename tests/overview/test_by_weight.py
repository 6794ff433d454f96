"""The overview of a file with weights: who leads, by how much, how good it is and which way it errs come from one comparison."""

from __future__ import annotations

import json

import pytest

import metrics
from metrics.analyses.agreement.weighted import by_weight
from metrics.analyses.overview.result import Overview

COMMON, RARE = 1, 12


def of_two(n: int, slips: dict[str, tuple[int, int]], *, one_way: bool = False) -> metrics.Ratings:
    """Judges that slip on every k-th item of the common half, of weight 1, and of the rare half, which is worth 12 times that.

    With `one_way` a slip on the common half says yes of a no alone, and on the rare half no of a yes.
    """
    lines = ["item,human,judge,verdict,weight"]
    for i in range(n):
        half, human = i % 2, (i // 2) % 2
        for judge, every in slips.items():
            slip = (i // 2) // 2 % every[half] == 0 and (not one_way or human == half)
            lines.append(f"q{i},{'no yes'.split()[human]},{judge},{'no yes'.split()[human ^ slip]},{(COMMON, RARE)[half]}")
    return metrics.read("\n".join(lines).encode())


def said(found: Overview, kind: str) -> str:
    statement = found.statement(kind)
    assert statement is not None
    return statement.text.replace("\u00a0", " ")


def test_the_leader_is_the_judge_that_is_best_by_weight_and_its_lead_is_weighted() -> None:
    """A slips on 1 of 20 common items and 1 of 5 rare ones, B the other way round: counted once they are alike, by weight not."""
    ratings = of_two(800, {"A": (20, 5), "B": (3, 20)})
    found = metrics.overview(ratings)
    once = metrics.agreement(ratings).judges
    assert once["A"].micro["kappa"].value > once["B"].micro["kappa"].value
    assert found.leader == "B"
    (comparison,) = metrics.compare_all(ratings, replicates=999).against
    lead = -comparison.weighted.difference
    text = said(found, "leader")
    assert text.startswith("B has the highest Cohen’s κ by ‘weight’ among 2 judges. It is significantly ahead of A by ")
    assert f"by {lead.value:.2f} [{lead.low:.2f}, {lead.high:.2f}]" in text
    assert text.endswith("on the 800 decisions that both answered, every item by ‘weight’.")
    first, second = found.judges
    assert (first.name, second.relation) == ("B", "behind")
    assert second.weighted is not None
    assert second.weighted.difference == comparison.weighted.difference
    written = found.to_dict()["judges"][0]
    assert (written["value"], written["weighted"]["value"]) == (
        once["B"].micro["kappa"].value,
        once["B"].weighted_at("micro")["kappa"].value,
    )
    assert "κ by ‘weight’" in found.summary()


@pytest.mark.parametrize("seed", range(3))
def test_no_interval_without_0_is_called_not_significant(seed: int) -> None:
    """Told apart, counted once; by weight not: the number said beside "no significant difference" is the weighted one."""
    ratings = of_two(200 + 40 * seed, {"A": (20, 5), "B": (3, 6)})
    found = metrics.overview(ratings)
    (comparison,) = metrics.compare_all(ratings, replicates=999).against
    assert comparison.common.settled
    assert not comparison.settled
    assert f"No significant difference shows from {comparison.b.name}: " in said(found, "leader")
    assert comparison.weighted.difference.sign == 0
    ends = [f"{end:.2f}".replace("-", "\u2212") for end in (-comparison.weighted.difference).ends]
    assert f"[{', '.join(ends)}]" in said(found, "leader")
    text = metrics.compare_all(ratings, replicates=999).summary()
    row = next(line for line in text.splitlines() if line.startswith(f"  {comparison.b.name} "))
    assert f"{comparison.weighted.p:.3f}" in row
    assert "p pairs" in text
    assert "0 of 1 judge differs significantly" in text
    assert "in κ by ‘weight’" in text


def test_how_good_a_judge_is_comes_by_weight_with_the_other_number_in_the_same_sentence() -> None:
    ratings = of_two(800, {"A": (20, 5)})
    judge, found = metrics.agreement(ratings).judges["A"], metrics.overview(ratings)
    leads, once = judge.weighted_at("micro")["kappa"], judge.micro["kappa"]
    first = found.verdict[0].text.replace("\u00a0", " ")
    sentence = first.split(". ")[0]
    assert f"κ by ‘weight’ {leads.value:.2f} [{leads.low:.2f}, {leads.high:.2f}]" in sentence
    assert f"and {once.value:.2f} [{once.low:.2f}, {once.high:.2f}] with every decision counted once" in sentence
    numbers = json.loads(found.to_json())["verdict"][0]["numbers"]
    assert (numbers["value"], numbers["weighted"]["value"]) == (once.value, leads.value)
    assert numbers["weighted"]["column"] == "weight"


def test_no_direction_is_told_that_the_weighted_numbers_do_not_show() -> None:
    """Counted once the judge says yes too often; the rare items, which weigh more, have as many slips the other way."""
    ratings = of_two(1200, {"A": (4, 40)}, one_way=True)
    block, weighted = metrics.agreement(ratings).judges["A"].micro, by_weight(metrics.agreement(ratings).judges["A"]).micro
    assert block.directions.label_rates.sign
    assert weighted["drift"].sign == 0
    assert "There is no significant label-rate bias by ‘weight’." in said(metrics.overview(ratings), "errors")
    assert weighted.directions.error_rates is None
    assert (weighted.confusion == block.confusion).all()
    turned = said(metrics.overview(of_two(1200, {"A": (40, 4)}, one_way=True)), "errors")
    assert (
        "Label-rate bias by ‘weight’: the judge says no" in turned
        or "Label-rate bias by ‘weight’: the judge says yes less" in turned
    )


def test_a_file_without_weights_says_nothing_of_them() -> None:
    lines = [f"q{i},{'yes' if i % 2 else 'no'},A,{'yes' if i % 2 and i % 9 else 'no'},3" for i in range(120)]
    found = metrics.overview(metrics.read("\n".join(["item,human,judge,verdict,weight", *lines]).encode()))
    assert "counted once" not in found.summary()
    assert "by ‘weight’" not in found.summary()
    assert all("weighted" not in row for row in found.to_dict()["judges"])


def test_numbers_have_their_correlation_by_weight_in_the_sentence_on_how_good_the_judge_is() -> None:
    lines = [f"q{i},j,{i % 97},{i % 97 + (i * 37 % 41) * (1 if i % 2 else 3)},{9 if i % 2 else 1}" for i in range(120)]
    ratings = metrics.read("\n".join(["item,judge,human,verdict,weight", *lines]).encode(), scale="continuous")
    found = metrics.overview(ratings)
    weighted = metrics.scores(ratings).judges["j"].weighted.estimates["pearson"]
    assert f", and {weighted.value:.2f} [{weighted.low:.2f}, {weighted.high:.2f}] by ‘weight’" in said(found, "agreement")


def test_judges_of_the_same_decisions_are_not_said_to_be_ranked_each_by_its_own() -> None:
    """B is higher with every decision counted once, and A by weight; both answered all."""
    found = metrics.overview(of_two(120, {"A": (4, 6), "B": (9, 5)}))
    assert found.leader == "A"
    assert "No significant difference shows from B" in said(found, "leader")
    assert "each on what it answered" not in said(found, "leader")
