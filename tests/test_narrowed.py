"""One criterion of a data set as a data set of its own."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics import InputError
from metrics.data.part import of_criterion

LINES = [
    "item,criterion,rater,role,label,run",
    *(
        f"i{item},{criterion},{name},{role},{label},{run}"
        for item in range(12)
        for criterion, step in (("tone", 2), ("cite", 3))
        for name, role, late in (("ana", "human", 0), ("one", "judge", 1), ("two", "judge", 2))
        for run in ((1, 2) if name == "one" else (1,))
        for label in ("MET" if (item + late * (item > 8) + run * (item == 4)) % step else "UNMET",)
    ),
]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    file = tmp_path_factory.mktemp("two") / "both.csv"
    file.write_text("\n".join(LINES))
    return metrics.read(file)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    file = tmp_path_factory.mktemp("one") / "tone.csv"
    file.write_text("\n".join(line for line in LINES if ",cite," not in line))
    return metrics.read(file)


def test_numbers_are_those_of_a_file_with_that_criterion_alone(both, alone) -> None:
    own = of_criterion(both, "tone")
    assert own.criteria == ("tone",)
    assert len(own.label) == len(alone.label) == 36
    for ask in (metrics.shared_errors, metrics.think_alike, metrics.split_decisions):
        found, wanted = vars(ask(own)), vars(ask(alone))
        for key in ("correlation", "ends", "together", "kappa", "reference_ends", "apart"):
            if key in wanted:
                np.testing.assert_equal(found[key], wanted[key])
    assert metrics.agreement(own).judges["one"].micro.values == metrics.agreement(alone).judges["one"].micro.values
    assert metrics.self_agreement(own)[0].agreement.value == metrics.self_agreement(alone)[0].agreement.value
    assert metrics.self_agreement(own)[0].n_decisions == 12
    assert metrics.raters(own, role="judge").pooled.values == pytest.approx(
        metrics.raters(both, role="judge").criteria["tone"].values, nan_ok=True
    )


def test_what_was_tallied_of_the_whole_is_not_taken_over(both) -> None:
    whole = metrics.shared_errors(both)
    parts = [metrics.shared_errors(of_criterion(both, name)) for name in both.criteria]
    assert whole.n_decisions == sum(part.n_decisions for part in parts) == 24
    assert metrics.shared_errors(both).correlation == whole.correlation


def test_an_unknown_criterion_is_refused(both) -> None:
    with pytest.raises(InputError, match="no criterion is called 'length'"):
        of_criterion(both, "length")
