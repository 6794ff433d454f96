"""What every kind of unit that is left out one at a time can tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from metrics.measures.arrays import FloatArray, Function


class MacroErrors(Protocol):
    """Leave-one-out values of the mean over criteria: `MacroJackknife` of items, `ClusteredMacro` of clusters."""

    def errors(self) -> FloatArray: ...

    def correlations(self, metric: int, criteria: NDArray[np.bool_]) -> FloatArray: ...


class Units(Protocol):
    """What is left out one at a time: items (`Coded`) or clusters of them (`Clustered`); these say what the arrays are."""

    @property
    def k(self) -> int: ...

    @property
    def n_units(self) -> int: ...

    @property
    def weight(self) -> NDArray[Any]: ...

    @property
    def word(self) -> str: ...

    def within_left_out(self, by_criterion: FloatArray) -> FloatArray: ...

    def macro(self, by_criterion: FloatArray, functions: Mapping[str, Function]) -> MacroErrors: ...

    def units_with(self, cells: NDArray[np.bool_], criteria: NDArray[np.bool_] | None = None) -> int: ...

    def sums(self, worth: FloatArray) -> tuple[FloatArray, FloatArray]: ...

    def one_vs_rest(self, place: int) -> Units: ...

    def tables(self) -> tuple[FloatArray, FloatArray]: ...
