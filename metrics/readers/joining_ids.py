"""Ids of several files: which of them another file has too, byte for byte or more loosely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.data.join import ENOUGH
from metrics.readers.table import words

Ints = NDArray[np.int32]
Step = tuple[str, Callable[[pa.StringArray], pa.StringArray]]
STEPS: tuple[Step, ...] = (
    ("blanks", pc.utf8_trim_whitespace),
    ("case", pc.utf8_lower),
    ("how accents are written", lambda ids: pc.utf8_normalize(ids, "NFC")),
    ("the .0 of whole numbers", lambda ids: pc.replace_substring_regex(ids, r"^(\s*-?\d+)\.0+(\s*)$", r"\1\2")),
    ("leading zeros", lambda ids: pc.replace_substring_regex(ids, r"^(\s*)0+(\d+\s*)$", r"\1\2")),
)
"""What may fail to tell ids apart, and how it is taken away, in this order; a step that merges two ids of a file is not taken."""
SHORTEST_CUT = 6
"""Letters of an id from which it may be the beginning of a longer one: tools show as many of a long one, or more."""
FEWEST_COUNTED = 3
"""Items from which numbers without a gap are a count."""
_COUNT = r"^(0|[1-9][0-9]{0,9})$"
_ADDRESS = r"^\s*(?i:https?://)(?i:www\.)?(\S+?)/*\s*$"
_ENDINGS = r"\.(?i:png|jpe?g|gif|webp|tiff?|wav|mp3|flac|mp4|pdf|docx?|html?|txt|md|json|xml|csv|tsv|py)(\s*)$"


def _numbers_alone(ids: pa.StringArray) -> pa.StringArray:
    """Return the number in each id, where all have one and the same word beside it, or none; else the ids as they are."""
    forms = pc.unique(pc.replace_substring_regex(pc.utf8_lower(ids), r"\d+", "0"))
    named = set(pc.replace_substring_regex(forms, r"[\d\W_]+", "").to_pylist()) - {""}
    if len(named) > 1 or not pc.all(pc.equal(pc.count_substring(forms, "0"), 1)).as_py():
        return ids
    return pc.replace_substring_regex(ids, r"^\D*?0*(\d+)\D*$", r"\1")


def _without_ends(ids: pa.StringArray) -> pa.StringArray:
    """Return each id as long as the shortest, where that is long enough to be one that was cut off."""
    shortest = pc.min(pc.utf8_length(ids)).as_py() or 0
    return pc.utf8_slice_codeunits(ids, 0, shortest) if shortest >= SHORTEST_CUT else ids


NUMBERS: Step = ("what stands around their number", _numbers_alone)
FURTHER: tuple[Step, ...] = (
    ("how an address is written", lambda ids: pc.replace_substring_regex(ids, _ADDRESS, r"\1")),
    ("folders", lambda ids: pc.replace_substring_regex(ids, r"^.*[/\\]([^/\\]+)$", r"\1")),
    ("the ending of a file", lambda ids: pc.replace_substring_regex(ids, _ENDINGS, r"\1")),
    NUMBERS,
    ("what is cut off their end", _without_ends),
)
"""The same, tried only where `STEPS` leave most ids of the smallest file alone."""


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
    def smallest(self) -> int:
        """Place of the file with the fewest ids, of two alike that of which fewer are matched."""
        return min(range(len(self.codes)), key=lambda place: (len(self.codes[place]), self.n_matched(place)))

    @property
    def is_enough(self) -> bool:
        """Whether nearly all ids of the smallest file are in another one: columns that match so are those of the items."""
        return self.n_matched(self.smallest) >= ENOUGH * len(self.codes[self.smallest])

    @property
    def is_spelling(self) -> bool:
        """Whether no more than how an id is written is taken away: what is left of `H001` and `1` may number two things."""
        return {*self.loosened} <= {name for name, _ in STEPS}

    @property
    def n(self) -> int:
        """Ids of all files that another one has too."""
        return sum(self.n_matched(file) for file in range(len(self.codes)))

    def loose(self, *, by_number: bool = True) -> Matched:
        """Return the ids compared whatever the steps take away, as far as no two ids of one file become one.

        Parameters
        ----------
        by_number : bool
            Whether the number in an id may be all that counts.

        Returns
        -------
        Matched
            The same one where nothing more is matched that way.
        """
        if self.n == sum(map(len, self.codes)):
            return self
        loose = self._loosened(STEPS)
        further = [step for step in FURTHER if by_number or step is not NUMBERS]
        looser = loose if loose.is_enough else self._loosened((*STEPS, *further))
        return looser if looser.n > loose.n else loose

    def _loosened(self, all_steps: Sequence[Step]) -> Matched:
        """Return the ids compared whatever these steps take away, or as few of them as find as many."""
        steps, whole = list(all_steps), self._by(all_steps)
        if whole is None:
            steps = [step for step in all_steps if self._by((step,)) is not None]
            while steps and (whole := self._by(steps)) is None:
                steps.pop()
        if whole is None or whole.n == self.n:
            return self
        for step in tuple(reversed(steps)):
            fewer = [other for other in steps if other is not step]
            if fewer and (without := self._by(fewer)) is not None and without.n == whole.n:
                steps, whole = fewer, without
        return whole

    def _by(self, steps: Sequence[Step]) -> Matched | None:
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


def first_number(ids: pa.StringArray) -> int | None:
    """Return the first of ids that are all whole numbers from there on, in any order; None for any others, and for few."""
    heads = ids[:FEWEST_COUNTED], ids
    if len(ids) < FEWEST_COUNTED or not all(pc.all(pc.match_substring_regex(of, _COUNT)).as_py() for of in heads):
        return None
    ends = pc.min_max(pc.cast(ids, pa.int64())).as_py()
    return int(ends["min"]) if ends["max"] - ends["min"] + 1 == len(ids) else None
