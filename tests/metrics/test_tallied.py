"""Agreement from merged items is agreement from the rows, to the last digit."""

from pathlib import Path

import pytest

import metrics
from tests.shared_data import data
from tests.tallies import tally_of, text_of

ASSETS = Path(__file__).parents[2] / "assets"
SAMPLES = ("rao_two_criteria", "support_answers")
REAL = ("dices350_expert_vs_crowd", "llmrubric_real_binary", "ragas_annotated")


@pytest.mark.slow("all on rows and on their tally")
@pytest.mark.parametrize("name", SAMPLES + REAL)
@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
def test_agreement_is_that_of_the_rows(name: str, mode: str) -> None:
    path = ASSETS / f"{name}.csv" if name in SAMPLES else data(f"{name}.csv")
    whole, tally = metrics.read(path), tally_of(path)
    assert tally.n_unique <= tally.n_items == whole.n_items
    told = [metrics.agreement(ratings, abstention=mode).to_dict() for ratings in (whole, tally)]
    assert told[1]["declaration"]["tally"] == {"kinds": tally.n_unique, "items": whole.n_items}
    assert text_of(told[0]) == text_of(told[1])
