"""What two files hold beside their verdicts: repeated runs, and panels put together from their judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from metrics.data.ratings import Panel, Ratings, RunChoice, Runs
from metrics.errors import InputError

Codes = Sequence[NDArray[np.int32]]
"""New code of each old one, for each of the two files."""


def runs_of_both(both: Sequence[Ratings], item: Codes, criterion: Codes, rater: Codes, label: Codes) -> Runs | None:
    """Return the runs of both files under the codes of the joined ratings; of the second file those of judges only.

    Humans of one name are one person, whose runs the first file tells.

    Parameters
    ----------
    both : sequence of Ratings
        The two files as they were read.
    item, criterion, rater, label : sequence of two int32 ndarrays
        Of each file, the joined code of each of its own codes.

    Returns
    -------
    Runs or None
        None where neither file has repeated runs.
    """
    names = tuple(dict.fromkeys(name for ratings in both if ratings.runs is not None for name in ratings.runs.names))
    place = {name: code for code, name in enumerate(names)}
    columns: list[tuple[NDArray[np.int32], ...]] = []
    rows = []
    for file, side_ratings in enumerate(both):
        if side_ratings.runs is None:
            continue
        runs = side_ratings.runs
        judge = np.array([rater.role == "judge" for rater in side_ratings.raters])[runs.rater]
        kept = judge | (file == 0)
        to_run = np.array([place[name] for name in runs.names], np.int32)
        parts = (
            item[file][runs.item], criterion[file][runs.criterion], rater[file][runs.rater], label[file][runs.label],
            to_run[runs.run],
        )  # fmt: skip
        columns.append(tuple(part[kept].astype(np.int32) for part in parts))
        shift = both[0].table.num_rows if file and both[0].table is not None else 0
        rows.append(runs.row[kept] + shift)
    if not columns:
        return None
    merged = [np.concatenate(parts) for parts in zip(*columns, strict=True)]
    return Runs(names, merged[0], merged[1], merged[2], merged[3], merged[4], np.concatenate(rows))


def run_choice(both: Sequence[Ratings]) -> RunChoice:
    """Return which run the verdicts of both files are.

    Raises
    ------
    InputError
        Where one file takes the first of several runs, and the other their majority.
    """
    choices = {ratings.source.runs for ratings in both} - {""}
    if len(choices) > 1:
        first, second = (ratings.source.name for ratings in both)
        raise InputError(f"{first} and {second} take repeated runs differently. Take the first of them in both, or the majority.")
    return choices.pop() if choices else ""


def panels_of_both(both: Sequence[Ratings], names: Sequence[Mapping[str, str]]) -> tuple[Panel, ...]:
    """Return the panels of both files under the names their judges have when joined."""
    return tuple(
        replace(panel, name=new_names[panel.name], judges=tuple(new_names[judge] for judge in panel.judges))
        for ratings, new_names in zip(both, names, strict=True)
        for panel in ratings.source.panels
    )
