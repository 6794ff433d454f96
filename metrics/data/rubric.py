"""What a file itself says of its criteria: weight, scale, options with their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class RubricCriterion:
    """A criterion as the rubric in the file has it.

    Attributes
    ----------
    name : str
    weight : float
        NaN where it is not the same on every item. Below zero where the positive verdict is the bad outcome.
    scale : {"binary", "ordinal", "nominal"}
    options : tuple of (label, value)
        Of an ordinal criterion low to high; without those that are no verdict. Empty for a binary one.
    definition : str
        What is required, in the words of the rubric; empty where it is not the same on every item.
    """

    name: str
    weight: float
    scale: Literal["binary", "ordinal", "nominal"]
    options: tuple[tuple[str, float], ...] = ()
    definition: str = ""
