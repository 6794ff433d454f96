"""Ids of several files: which of them another file has too, byte for byte or more loosely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.readers.table import words

Ints = NDArray[np.int32]
STEPS: tuple[tuple[str, Callable[[pa.StringArray], pa.StringArray]], ...] = (
    ("blanks", pc.utf8_trim_whitespace),
    ("case", pc.utf8_lower),
    ("how accents are written", lambda ids: pc.utf8_normalize(ids, "NFC")),
    ("the .0 of whole numbers", lambda ids: pc.replace_substring_regex(ids, r"^(\s*-?\d+)\.0+(\s*)$", r"\1\2")),
    ("leading zeros", lambda ids: pc.replace_substring_regex(ids, r"^(\s*)0+(\d+\s*)$", r"\1\2")),
)
"""What may fail to tell ids apart, and how it is taken away, in this order; a step that merges two ids of a file is not taken."""


@dataclass(frozen=True, eq=False)
class Matched:
    """Ids of several files as codes of one list.

    Attributes
    ----------
    names : pa.StringArray
        Distinct ids, each in the spelling of the first file that has it.
    codes : tuple of ndarray of int32
        Of each file, place in `names` of each of its ids.
    shared : ndarray of bool, shape (n_names,)
        Ids that two files have or more.
    loosened : tuple of str
        What does not tell them apart.
    """

    names: pa.StringArray
    codes: tuple[Ints, ...]
    shared: NDArray[np.bool_]
    loosened: tuple[str, ...] = ()

    @staticmethod
    def of(ids: Sequence[pa.StringArray]) -> Matched:
        """Return the ids of several files, each of them once in its file, compared byte for byte."""
        coded = pa.concat_arrays(ids).dictionary_encode()
        ends = np.cumsum([len(values) for values in ids])[:-1]
        codes = tuple(np.split(np.asarray(coded.indices, dtype=np.int32), ends))
        return Matched(coded.dictionary, codes, _shared(codes, len(coded.dictionary)))

    def n_matched(self, file: int) -> int:
        """Return how many ids of a file another one has too."""
        return int(np.count_nonzero(self.shared[self.codes[file]]))

    def unmatched(self, file: int, ids: pa.StringArray) -> tuple[str, ...]:
        """Return the others, in the file's own spelling.

        Parameters
        ----------
        file : int
        ids : pa.StringArray
            Ids of the file, as `of` took them.
        """
        return tuple(words(ids.filter(pa.array(~self.shared[self.codes[file]]))))

    @property
    def n(self) -> int:
        """Ids of all files that another one has too."""
        return sum(self.n_matched(file) for file in range(len(self.codes)))

    def loose(self) -> Matched:
        """Return the ids compared whatever the steps take away, as far as no two ids of one file become one.

        Returns
        -------
        Matched
            The same one where nothing more is matched that way.
        """
        if self.n == sum(map(len, self.codes)):
            return self
        steps, whole = list(STEPS), self._by(STEPS)
        if whole is None:
            steps = [step for step in STEPS if self._by((step,)) is not None]
            while steps and (whole := self._by(steps)) is None:
                steps.pop()
        if whole is None or whole.n == self.n:
            return self
        for step in tuple(steps):
            fewer = [other for other in steps if other is not step]
            if fewer and (without := self._by(fewer)) is not None and without.n == whole.n:
                steps, whole = fewer, without
        return whole

    def _by(self, steps: Sequence[tuple[str, Callable[[pa.StringArray], pa.StringArray]]]) -> Matched | None:
        """Return the ids after some steps; None where these merge two ids of a file."""
        names = self.names
        for _, step in steps:
            names = step(names)
        coded = names.dictionary_encode()
        place, n = np.asarray(coded.indices, dtype=np.int32), len(coded.dictionary)
        codes = tuple(place[codes] for codes in self.codes)
        if any(np.count_nonzero(np.bincount(file_codes, minlength=n)) < len(file_codes) for file_codes in codes):
            return None
        first = np.full(n, len(place), np.int32)
        np.minimum.at(first, place, np.arange(len(place), dtype=np.int32))
        return Matched(self.names.take(pa.array(first)), codes, _shared(codes, n), tuple(name for name, _ in steps))


def _shared(codes: Sequence[Ints], n: int) -> NDArray[np.bool_]:
    """Return which of `n` ids two files have or more."""
    files = np.zeros(n, np.int32)
    for file_codes in codes:
        files[file_codes] += 1
    return files > 1
