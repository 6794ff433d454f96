"""Sums over groups counted by kinds of units are those added unit by unit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.analyses.slices import studentised
from metrics.analyses.slices.studentised import Kinds, group_sums


@given(st.integers(0, 10**6), st.integers(1, 30), st.integers(1, 6), st.integers(1, 5), st.booleans())
@settings(max_examples=80, deadline=None)
def test_sums_by_kind_are_those_of_single_units(seed: int, n: int, n_kinds: int, n_groups: int, one_by_one: bool) -> None:
    rng = np.random.default_rng(seed)
    tables = rng.integers(0, 4, (n_kinds, 2, 2)).astype(np.float64)
    units = Kinds.of(tables, rng.integers(0, n_kinds, n), rng.integers(1, 4, n))
    group = rng.integers(-1, n_groups, n)
    each = units.each()
    expected = group_sums(each.moments() * each.weight[:, None], group, n_groups)
    by_hand = [
        sum((each.moments()[at] * each.weight[at] for at in np.flatnonzero(group == g)), np.zeros(15)) for g in range(n_groups)
    ]
    assert expected.tolist() == np.array(by_hand).tolist()
    with pytest.MonkeyPatch.context() as patch:
        if one_by_one:
            patch.setattr(studentised, "MOST_COUNTED", -(10**9))
        assert units.sums(units.distinct.moments(), group, n_groups).tolist() == expected.tolist()
    assert units.distinct.n == each.n
