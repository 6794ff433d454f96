"""What is fuzzed: every reader, and every text that comes from an address, an option or a file of results."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

from metrics import AgreementReport, InputError, agreement
from metrics.analyses.review.decisions import read_review
from metrics.commands.options import numbers, pairs_of, split
from metrics.content.lab.scenes import from_address, read_tops
from metrics.measures.cost_matrices import cost_of
from metrics.readers import build, confirmed, open_table, propose
from metrics.readers.limits import LIMITS
from metrics.report.recipe import Recipe

LONGEST = 1000
"""Characters of a refusal."""
CORPUS = Path(__file__).resolve().parent / "corpus"
GZIP = "gzip"


def _unpacked(name: str) -> dict[str, bytes]:
    with zipfile.ZipFile(CORPUS / "table" / name) as archive:
        return {part: archive.read(part) for part in archive.namelist()}


ARCHIVES = _unpacked("run.zip"), _unpacked("small.xlsx")
PARTS = [GZIP, *(part for archive in ARCHIVES for part in archive)]
KEYS = ("step", "a", "b", "mode", "lit", "words", "unit", "task", "source", "tops", "level", "labels")


def refused(run: Callable[[], object]) -> object:
    """What comes out, or None where the input was refused as it should be; whatever else is raised is a crash."""
    try:
        return run()
    except InputError as error:
        said = str(error)
        assert 0 < len(said) <= LONGEST, len(said)
        return None


def table(data: bytes) -> None:
    """Bytes of a file -> agreement."""
    skip = bool(data) and data[-1] % 2 == 0
    refused(lambda: _agreement(data, skip))


def _agreement(data: bytes, skip: bool) -> None:
    found = open_table(data, "fuzzed", skip_bad_rows=skip)
    assert found.n_rows <= LIMITS.rows
    proposal = propose(found)
    if proposal.missing:
        return
    ratings = build(found, confirmed(proposal))
    assert 0 < ratings.n_items <= max(found.n_rows, int(ratings.weight.sum()))
    if ratings.humans and ratings.judges and len(ratings.item) < 10_000:
        report = agreement(ratings, interval="none")
        assert report.to_json() == AgreementReport.from_json(report.to_json()).to_json()


def packed(data: bytes) -> None:
    """Bytes of one part of an archive that is otherwise sound -> agreement; the first byte says of which part."""
    part, content = PARTS[data[0] % len(PARTS) if data else 0], data[1:]
    if part == GZIP:
        table(gzip.compress(content, 1))
        return
    whole = next(archive for archive in ARCHIVES if part in archive) | {part: content}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in whole.items():
            archive.writestr(name, text)
    table(out.getvalue())


def address(data: bytes) -> None:
    """Text of an address or an option -> what it says."""
    text = data.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode("utf-8")
    parts = text.split("\n")
    from metrics.content.lab import scenes

    keys = getattr(scenes, "KEYS", KEYS)
    refused(lambda: from_address(dict(zip(keys, parts, strict=False))))
    refused(lambda: from_address(dict.fromkeys(keys, text)))
    refused(lambda: read_tops(text))
    refused(lambda: cost_of(text))
    refused(lambda: pairs_of(parts, "--labels"))
    refused(lambda: numbers(pairs_of(parts, "--weights"), "--weights", "c1=2"))
    split(text)


def results(data: bytes) -> None:
    """Files that were written here and come back."""
    text = data.decode("utf-8", "replace")
    refused(lambda: AgreementReport.from_json(text))
    refused(lambda: read_review(data))
    refused(lambda: Recipe.from_dict(_json(text)))


def _json(text: str) -> object:
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


TARGETS: dict[str, Callable[[bytes], None]] = {"table": table, "packed": packed, "address": address, "results": results}
