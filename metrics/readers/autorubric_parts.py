"""The files of an autorubric run: which is which, and whether one is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from metrics.asker import worded
from metrics.readers.bundles import Member
from metrics.readers.json_records import parsed
from metrics.readers.messages import brief, listed, refusal, refuse

Kind = Literal["dataset", "items", "manifest", ""]
WHAT = {
    "dataset": "an autorubric dataset: it holds the humans' labels, but no judge's verdicts. "
    "Send it together with the run's items.jsonl and manifest.json",
    "items": "the items.jsonl of an autorubric run: it holds the judge's verdicts, but no human's labels. "
    "Send it together with the dataset's JSON file",
    "manifest": "the manifest.json of an autorubric run: it holds no verdicts. "
    "Send it together with the run's items.jsonl and the dataset's JSON file",
}


def _combine_hint() -> str:
    return worded(" (--with), or all as one zip archive", ", as a list, or all as one zip archive", ", or all as one zip archive")


@dataclass(frozen=True)
class Run:
    """The parsed dataset, the bytes of the run's items, and the manifest where there is one."""

    dataset: dict[str, Any]
    dataset_name: str
    items: Member
    manifest: dict[str, Any]


def kind_of(data: bytes) -> Kind:
    """Return which file of autorubric this is, by what stands in it; empty where it is none.

    Bytes are searched before anything is parsed, so that other files cost next to nothing.
    """
    if b'"dataset_hash"' in data and b'"grader_config"' in data:
        return "manifest" if {"dataset_hash", "grader_config"} <= _object(data).keys() else ""
    if b'"item_idx"' in data[:4096]:
        first = _object(data.lstrip().partition(b"\n")[0])
        return "items" if "item_idx" in first and isinstance(first.get("report"), dict) else ""
    if b'"submission"' in data and b'"items"' in data and b'"rubric"' in data:
        return "dataset" if _is_dataset(_object(data)) else ""
    return ""


def is_part(data: bytes) -> bool:
    """Return whether a file says something only together with others."""
    return bool(kind_of(data))


def _object(data: bytes) -> dict[str, Any]:
    """Return a JSON object; empty where the bytes are none."""
    try:
        contents = parsed(data)
    except ValueError:
        return {}
    return contents if isinstance(contents, dict) else {}


def _is_dataset(contents: dict[str, Any]) -> bool:
    items = contents.get("items")
    return "rubric" in contents and isinstance(items, list) and bool(items) and _has_submission(items[0])


def _has_submission(item: Any) -> bool:
    return isinstance(item, dict) and "submission" in item


def refuse_alone(data: bytes, name: str) -> None:
    """Refuse one file of a run that says nothing without the others."""
    kind = kind_of(data)
    if kind:
        refuse(f"{brief(name)} is {WHAT[kind]}{_combine_hint()}.")


def run_of(members: Sequence[Member], name: str) -> Run | None:
    """Return the run in some files, or None where no file is one of autorubric's.

    Raises
    ------
    InputError
        Where a file is missing, or there are two of a kind.
    """
    members_by_kind: dict[str, list[Member]] = {"dataset": [], "items": [], "manifest": []}
    for member in members:
        kind = kind_of(member.data)
        if kind:
            members_by_kind[kind].append(member)
        elif member.named:
            raise refusal(f"{brief(member.name)} does not belong to a run of autorubric. Open one table of labels at a time.")
    if not any(members_by_kind.values()):
        return None
    _check_runs(members_by_kind["items"], name)
    items = members_by_kind["items"][:1]
    datasets = _one_dataset(members_by_kind["dataset"], name)
    if not items or not datasets:
        have = next(kind for kind in ("dataset", "items", "manifest") if members_by_kind[kind])
        refuse(f"{brief(name)} holds only {WHAT[have]}{_combine_hint()}.")
    manifest = _manifest(members_by_kind["manifest"], items[0])
    return Run(_object(datasets[0].data), datasets[0].name, items[0], manifest)


def _check_runs(items: Sequence[Member], name: str) -> None:
    if len(items) > 1:
        folders = listed(member.name for member in items)
        refuse(f"{brief(name)} holds {len(items)} runs: {folders}. Send the dataset with one of them.")


def _one_dataset(datasets: Sequence[Member], name: str) -> Sequence[Member]:
    """Take copies of one dataset as one."""
    distinct = list({member.data: member for member in datasets}.values())
    if len(distinct) > 1:
        names = listed(member.name for member in distinct)
        refuse(f"{brief(name)} holds {len(distinct)} datasets: {names}. Send the one that the run was made on.")
    return distinct


def _manifest(manifests: Sequence[Member], items: Member) -> dict[str, Any]:
    """Return the manifest beside the items, or the only one."""
    beside = [member for member in manifests if member.folder == items.folder] or list(manifests)
    return _object(beside[0].data) if len(beside) == 1 else {}
