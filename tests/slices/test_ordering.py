"""Where one label prevails in a group, the order of groups by κ need not be that by accuracy; it is then said."""

from __future__ import annotations

import pandas as pd

import metrics
from metrics.analyses.slices import readings, tables
from metrics.analyses.slices.ordering import order_reading
from metrics.results.tables import in_full

UNEVEN = {"rare": (6, 9, 6, 79), "even": (35, 15, 10, 40), "good": (48, 2, 2, 48)}
"""Right yes, missed, false yes, right no: 85 % right where no prevails, 75 % where labels are even."""


def sliced(counts: dict[str, tuple[int, ...]]) -> metrics.SliceReport:
    cells = (("yes", "yes"), ("yes", "no"), ("no", "yes"), ("no", "no"))
    rows = [
        {"item": f"{group}{at}{place}", "human": human, "verdict": verdict, "model": group}
        for group, own in counts.items()
        for place, ((human, verdict), n) in enumerate(zip(cells, own, strict=True))
        for at in range(n)
    ]
    return metrics.slices(metrics.read(pd.DataFrame(rows)), "model")


def test_a_group_that_is_low_by_kappa_alone_is_said_with_its_share_and_accuracy() -> None:
    report = sliced(UNEVEN)
    judge = report.judges["judge"]
    assert [each.value for each in judge.slices] == ["rare", "even", "good"]
    said = order_reading(judge)
    assert said == (
        "The order by κ is not that by accuracy: ‘rare’ lies below ‘even’ by κ, and above it by accuracy (85\u00a0%). In ‘rare’ "
        "the reference is no on 85\u00a0% of decisions; in ‘even’ the commonest label has 50\u00a0%. At the same accuracy κ is "
        "lower where one label prevails."
    )
    assert readings.sentences(report, judge)[0] == said


def test_nothing_is_said_where_both_orders_are_one_or_shares_are_alike() -> None:
    assert not order_reading(sliced(UNEVEN | {"rare": (1, 14, 15, 70)}).judges["judge"])
    assert not order_reading(sliced({"a": (40, 10, 10, 40), "b": (45, 5, 5, 45)}).judges["judge"])


def test_table_and_csv_hold_the_share_of_the_commonest_label() -> None:
    report = sliced(UNEVEN)
    judge = report.judges["judge"]
    assert [judge[name]["baseline_accuracy"].value for name in UNEVEN] == [0.85, 0.5, 0.5]
    assert judge["rare"].commonest == "no"
    columns = [column.name for column in tables.slice_table(report, judge).columns]
    assert "Baseline" in columns
    assert "Baseline" in " ".join(map(str, in_full(tables.slice_table(report, judge))))
