"""Agreement from merged items is agreement from the rows, to the last digit."""

from pathlib import Path

import pytest

import metrics
from tests.tallies import tally_of, text_of

DATA = Path(__file__).parents[3] / "shared" / "data"
SAMPLES = [Path(__file__).parents[2] / "assets" / f"{name}.csv" for name in ("rao_two_criteria", "support_answers")]
FILES = [*SAMPLES, *(DATA / f"{name}.csv" for name in ("dices350_expert_vs_crowd", "llmrubric_real_binary", "ragas_annotated"))]


@pytest.mark.parametrize("path", [path for path in FILES if path.exists()], ids=lambda path: path.stem)
@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
def test_agreement_is_that_of_the_rows(path: Path, mode: str) -> None:
    whole, tally = metrics.read(path), tally_of(path)
    assert tally.n_kinds <= tally.n_items == whole.n_items
    told = [metrics.agreement(ratings, abstention=mode).to_dict() for ratings in (whole, tally)]
    assert told[1]["declaration"]["tally"] == {"kinds": tally.n_kinds, "items": whole.n_items}
    assert text_of(told[0]) == text_of(told[1])
