"""What two files hold beside their verdicts: repeated runs, panels put together from their judges, source, and rows left out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from metrics.data.ratings import LeftOut, Panel, Ratings, RunChoice, Runs, Source
from metrics.errors import InputError
from metrics.readers.read_lines import completed

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


def source_of_both(both: Sequence[Ratings], files: tuple[str, str], names: Sequence[dict[str, str]]) -> Source:
    """Return the source of both files as one, with what was said of each under its name."""
    first, second = (ratings.source for ratings in both)
    digest = hashlib.sha256(f"{first.sha256}{second.sha256}".encode()).hexdigest()
    notes = tuple(f"{file}: {note}" for ratings, file in zip(both, files, strict=True) for note in ratings.source.notes)
    return replace(
        first,
        name=f"{files[0]} + {files[1]}",
        sha256=digest,
        rows=first.rows + second.rows,
        columns=tuple(dict.fromkeys((*first.columns, *second.columns))),
        notes=notes,
        panels=panels_of_both(both, names),
        runs=run_choice(both),
        join=None,
        both=tuple((ratings.source.name, completed(ratings)) for ratings in both),
    )


def left_out_of_both(both: Sequence[Ratings], files: tuple[str, str]) -> LeftOut:
    """Return the rows left out of both files, each reason with its file."""
    names = tuple(f"{name} ({file})" for ratings, file in zip(both, files, strict=True) for name in ratings.left_out.names)
    first, second = (ratings.left_out for ratings in both)
    reasons = np.concatenate([first.reasons, second.reasons + np.int16(len(first.names))]).astype(np.int16)
    return LeftOut(names, np.concatenate([first.rows, second.rows]), reasons)
