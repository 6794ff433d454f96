"""Items on which a judge may have been tuned, and weights that a number leaves aside: counted, and said."""

from __future__ import annotations

import pytest

import metrics
from metrics.analyses.cautions import TUNING_ITEMS, WEIGHT_UNUSED, tuned_items
from metrics.asker import answering


def rows(splits: list[str], column: str = "split") -> bytes:
    lines = [f"item,human,verdict,{column}"]
    lines += [f"q{i},{'yes' if i % 3 else 'no'},{'yes' if i % 4 else 'no'},{split}" for i, split in enumerate(splits)]
    return "\n".join(lines).encode()


def said(report, code: str) -> list[str]:
    return [warning.message for warning in report.warnings if warning.code == code]


def test_items_for_tuning_are_counted_and_named_with_the_mend() -> None:
    content = rows(["dev"] * 25 + ["test"] * 15)
    report = metrics.agreement(metrics.read(content))
    (text,) = said(report, TUNING_ITEMS)
    assert "25 of 40 items are dev by ‘split’" in text
    assert "where='split=test'" in text
    assert report.judges["judge"].micro.n == 40
    assert report.to_dict()["declaration"]["tuning"] == {"column": "split", "values": ["dev"], "items": 25, "of": 40}
    mended = metrics.agreement(metrics.read(content, where="split=test"))
    assert not said(mended, TUNING_ITEMS)
    assert mended.judges["judge"].micro.n == 15
    assert "tuning" not in mended.to_dict()["declaration"]


@pytest.mark.parametrize(("asker", "mend"), [("command", "--where split=test"), ("page", "Only where split=test")])
def test_the_mend_is_one_that_who_asked_can_take(asker, mend: str) -> None:
    with answering(asker):
        tuned = tuned_items(metrics.read(rows(["train"] * 5 + ["test"] * 5)))
        assert tuned is not None
        assert mend in tuned.words()


@pytest.mark.parametrize("split", ["train", "Dev", "few-shot", " validation ", "TUNE"])
def test_every_word_for_tuning_is_known(split: str) -> None:
    tuned = tuned_items(metrics.read(rows([split] * 4 + ["held_out"] * 6, "Split")))
    assert tuned is not None
    assert (tuned.n, tuned.of, tuned.test, tuned.mend) == (4, 10, ("held_out",), "Split=held_out")


def test_without_an_item_for_a_test_new_ones_are_asked_for() -> None:
    tuned = tuned_items(metrics.read(rows(["dev"] * 10)))
    assert tuned is not None
    assert not tuned.mend
    assert "label new ones" in tuned.words()


@pytest.mark.parametrize(("splits", "column"), [(["test"] * 10, "split"), (["a", "b"] * 5, "split"), (["dev"] * 10, "part")])
def test_nothing_is_said_where_no_item_is_for_tuning(splits: list[str], column: str) -> None:
    assert tuned_items(metrics.read(rows(splits, column))) is None


def test_the_overview_says_both() -> None:
    lines = ["item,human,verdict,split,weight"]
    lines += [
        f"q{i},{'yes' if i % 3 else 'no'},{'yes' if i % 9 else 'no'},{'dev' if i < 9 else ''},{1 + i % 2}" for i in range(90)
    ]
    found = {one.kind: one for one in metrics.overview(metrics.read("\n".join(lines).encode())).verdict}
    assert "weighted by ‘weight’" in found["weighted"].text
    assert found["weighted"].numbers["n_effective"] == pytest.approx(81.0)
    assert found["tuning_items"].numbers["items"] == 9


def test_a_report_that_leaves_weights_aside_says_so_and_does_not_declare_them() -> None:
    """As where the weights are none of items, since those of one item differ."""

    def file(*weights: int) -> metrics.Ratings:
        lines = ["item,judge,human,verdict,weight"]
        lines += [
            f"q{i},{j},{'yes' if i % 3 else 'no'},{'yes' if (i + j) % 4 else 'no'},{weights[i % 2] + j * weights[2]}"
            for i in range(40)
            for j in (0, 1)
        ]
        return metrics.read("\n".join(lines).encode())

    comparison = metrics.compare(file(1, 2, 1), "0", "1", replicates=9)
    declared = comparison.to_dict()["declaration"]
    assert "weights" not in declared
    assert declared["weights_unused"] == "weight"
    assert any("‘weight’ is not used here" in text for text in comparison.cautions)
    agreement = metrics.agreement(file(1, 2, 0))
    assert agreement.to_dict()["declaration"]["weights"] == "weight"
    assert "weights_unused" not in agreement.to_dict()["declaration"]
    assert not said(agreement, WEIGHT_UNUSED)
