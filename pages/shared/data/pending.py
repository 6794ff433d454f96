"""A file that was dropped in but is not in use yet, and what its owner says about it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from metrics import InputError
from metrics.data.join import Match
from metrics.data.read_options import DEFAULT, ReadOptions
from metrics.data.scales import with_scales_stated
from metrics.readers import Proposal, TextTable, build, combine_files, confirmed, is_part, propose
from metrics.readers.joining import check_match, joined, with_more
from metrics.readers.repeats import check_repeats
from metrics.report.recipe import reading_of
from pages.shared import filters, state
from pages.shared.data import same_shape
from pages.shared.data.reading import PLAIN, Files, How
from pages.shared.keeping import device
from pages.shared.watch import runs

DRAFTS, PENDING, ERROR, SEEN, BAD_ROWS, FAILED = (
    f"data.{name}" for name in ("drafts", "pending", "error", "seen", "bad_rows", "failed")
)
CONTRADICTS = "contradicts"
"""Mark in a draft's memo: rows contradict each other, so which of them counts is asked."""
ASKS, OPENED = "landing.asks", "data.opened"
SHOWN_WITHIN = 10.0
"""Seconds after which whoever comes to *Data* came by themselves, though the overview was never shown whole."""
"""Whether a file that was dropped in asks something, so that the page *Data* is shown; whether one has just come into use, so
that its overview is. The page that is led to takes them down: a switch may be lost to what the browser asks for meanwhile."""
NAMED = "data.named"
"""Id of the file that the server was started with; empty where it could not be read."""
MOST_DRAFTS = 4
WORKED_OUT = "key", "value", "start", "offered"
"""Parts of a draft's memo that hold the whole file and are made again when they are asked for."""
ROLE = "role:"
"""Before the name of a rater whose role is stated among the columns."""


@dataclass(frozen=True, eq=False)
class Draft:
    """A parsed file, or several as one, with the column roles and label meanings stated so far; the files until it is in use.

    Attributes
    ----------
    given : ReadOptions
        What was stated before anybody saw the form.
    like : str
        A file of the same shape.
    as_before : bool
        Whether anything that was answered of that file is taken over.
    unlike : str
        Why something is not; empty where all is.
    """

    table: TextTable
    files: Files
    how: How = PLAIN
    given: ReadOptions = DEFAULT
    like: str = ""
    as_before: bool = False
    unlike: str = ""
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def id(self) -> str:
        return self.table.sha256[:8]

    def proposal(
        self,
        columns: Mapping[str, str],
        labels: Mapping[str, str],
        order: tuple[str, ...],
        scales: Mapping[str, str] | None = None,
    ) -> Proposal | InputError:
        """Return what the package makes of these statements; computed once for the same ones."""
        order = order or (() if labels else self.given.order)
        columns, labels = self.columns_with(columns), dict(self.given.labels) | dict(labels)
        scales = dict(self.given.scale) | dict(scales or {})
        stated = [tuple(sorted(statement.items())) for statement in (columns, labels, scales)]
        repeats = check_repeats(st.session_state.get(repeats_key(self)) or self.given.repeats or "refuse")
        merged = bool(st.session_state.get(merging_key(self), self.given.merge_spellings))
        how_ids_match = match(self)
        key = (*stated, order, repeats, merged, how_ids_match)
        if self.memo.get("key") != key:
            try:
                self.memo["value"] = propose(
                    self.table, columns or None, labels or None, order or None, scales or None, repeats, merged, how_ids_match
                )
            except InputError as error:
                self.memo["value"] = error
            self.memo["key"] = key
        proposal: Proposal | InputError = self.memo["value"]
        return proposal

    def columns_with(self, columns: Mapping[str, str]) -> dict[str, str]:
        """Return the columns with those given; of one file all are stated once one of them is."""
        stated = not self.table.parts and any(not key.startswith(ROLE) for key in columns)
        return {key: name for key, name in self.given.columns if not stated or key.startswith(ROLE)} | dict(columns)

    def start(self) -> Proposal | InputError:
        """Return what the package makes of the file, and of what was given."""
        choices = st.session_state.get(repeats_key(self)), st.session_state.get(merging_key(self)), match(self)
        if self.memo.get("start", (None,))[0] != choices:
            self.memo["start"] = choices, self.proposal({}, {}, ())
        proposal: Proposal | InputError = self.memo["start"][1]
        return proposal


def key(draft: Draft, what: str, name: str = "") -> str:
    """Where the session keeps an answer about this file."""
    sheets = "".join(f" {sheet}" for chosen in draft.how.sheets for sheet in chosen)
    return f"data.{what} {draft.id} {draft.table.n_rows}{sheets}{_given_mark(draft)} {name}"


def _given_mark(draft: Draft) -> str:
    """Return what tells answers to a form apart from those to one of the same file that began with others."""
    return f" {mark_of(repr(draft.given).encode())[:8]}" if draft.like else ""


def repeats_key(draft: Draft) -> str:
    """Where the session keeps which of contradicting rows counts."""
    return f"data.repeats {draft.id}{_given_mark(draft)}"


def merging_key(draft: Draft) -> str:
    """Where the session keeps whether names that are alike are one."""
    return f"data.merge {draft.id}{_given_mark(draft)}"


def match_key(draft: Draft) -> str:
    """Where the session keeps how the ids of several files are compared."""
    return f"data.match {draft.id}"


def match(draft: Draft) -> Match:
    """Return how the ids of several files are compared: as somebody said, else as is proposed."""
    return check_match(str(st.session_state.get(match_key(draft), proposed_match(draft)) or ""))


def proposed_match(draft: Draft) -> Match:
    """Return how ids are compared where nobody says it; empty where nothing else than byte for byte is proposed."""
    if not draft.table.parts:
        return ""
    try:
        return joined(draft.table, draft.columns_with({}), "").proposed_match
    except InputError:
        return ""


def missing(draft: Draft) -> tuple[str, ...]:
    """Return roles for which no column of the files was found."""
    start = draft.start()
    return start.missing if isinstance(start, Proposal) else ()


def current() -> Draft | None:
    """Return the draft in view: the one that waits for confirmation, else that of the data set in view."""
    drafts: dict[str, Draft] = st.session_state.setdefault(DRAFTS, {})
    dataset = state.dataset()
    return drafts.get(st.session_state.get(PENDING) or (dataset.id if dataset else ""))


def waiting() -> bool:
    return bool(st.session_state.get(PENDING))


def error() -> str:
    return str(st.session_state.get(ERROR) or "")


def forget_error() -> None:
    """The problem has been answered; for callbacks."""
    st.session_state[ERROR] = ""


def read(files: Files, how: How = PLAIN) -> None:
    """Parse a file, or several as one, and let it wait for confirmation; on an error everything stays as it was.

    What was answered of a file of the same shape is taken over.
    """
    forget()
    try:
        with st.spinner("Reading the file" if len(files) == 1 else f"Joining {len(files)} files", show_time=True):
            table, way = same_shape.opened(files, how)
            draft = _as_another(Draft(table, files, way), read_so=way != how)
    except InputError as problem:
        st.session_state[ERROR] = str(problem)
        st.session_state[FAILED] = files, how
        st.session_state[BAD_ROWS] = problem.about == "rows"
        return
    st.session_state[FAILED] = None
    _keep(draft)


def _as_another(draft: Draft, *, read_so: bool) -> Draft:
    """Return the draft with what was answered of another file of its shape, where nothing is known of its own."""
    kept = device.heard(draft.id)
    before = None if kept is not None and kept.content.get("reading") else same_shape.proposed(draft.table)
    if before is None:
        return draft
    like, reuse = before
    given = reuse.how if reuse.used else DEFAULT
    return replace(draft, given=given, like=like, as_before=reuse.used or read_so, unlike=reuse.why)


def forget_answers() -> None:
    """Read the file that waits as if nobody had answered anything; for callbacks."""
    draft = current()
    if draft is not None:
        same_shape.forget(draft.table)
        read(draft.files)


def add(files: Files) -> None:
    """Parse further files and join them with the data set in view, which stays open as it is until the join is used."""
    dataset = state.dataset()
    if dataset is None or dataset.table is None:
        return
    forget()
    st.session_state[FAILED] = None
    how = dataset.ratings.source.how
    try:
        with st.spinner(f"Joining {', '.join(name for name, _ in files)}", show_time=True):
            others = [runs.opened([file]) for file in files]
            table, columns = with_more(dataset.table, how, others)
    except InputError as problem:
        st.session_state[ERROR] = str(problem)
        return
    given = replace(how, columns=tuple(columns.items()), repeats="", merge_spellings="")
    _keep(Draft(table, (), given=given), beside=dataset.id)


def refused() -> tuple[Files, How] | None:
    """Return the files that were refused last, and how they were read; None once anything else was opened."""
    failed: tuple[Files, How] | None = st.session_state.get(FAILED)
    return failed if error() else None


def reading() -> tuple[Files, How] | None:
    """Return the files that can still be read in another way, and how they were read: refused ones, or those of the draft."""
    failed, draft = refused(), current()
    return failed or (None if draft is None or not draft.files else (draft.files, draft.how))


def read_again() -> None:
    """The file that was refused, without the rows that cannot be read."""
    failed = refused()
    if failed is not None:
        files, how = failed
        read(files, replace(how, skip_bad_rows=True))


def receive(mark: str, chosen: Callable[[], Files], act: Callable[[Files], None] = read, *, seen: str = SEEN) -> None:
    """Parse an upload once, however often the page runs; `seen` keeps which one it was."""
    if st.session_state.get(seen) != mark:
        st.session_state[seen] = mark
        act(chosen())


def contents(uploads: Sequence[Any]) -> Files:
    """Return names and bytes of uploads as they are opened: a run of autorubric is one file, from its parts."""
    files = tuple((upload.name, upload.getvalue()) for upload in uploads)
    if len(files) == 1 or not is_part(files[-1][1]):
        return files
    return ((" + ".join(name for name, _ in files), combine_files(files)),)


def forget() -> None:
    """Wait for nothing: of the drafts those of files in use stay, without what is made again when it is asked for."""
    st.session_state[PENDING] = ""
    st.session_state[ERROR] = ""
    drafts: dict[str, Draft] = st.session_state.setdefault(DRAFTS, {})
    used = state.uploads()
    for name, draft in list(drafts.items()):
        if name not in used:
            del drafts[name]
        elif draft.files:
            drafts[name] = _lean(draft, replace(draft.table, memo={}))


def offer(draft: Draft, proposal: Proposal) -> None:
    """What `use` takes. Streamlit keeps what is given to a button until the session ends, so it is given a name only."""
    draft.memo["offered"] = proposal


def use(name: str) -> None:
    """Open the data set as it was confirmed."""
    draft = st.session_state.setdefault(DRAFTS, {}).get(name)
    if draft is None:
        return
    proposal: Proposal = draft.memo["offered"]
    try:
        ratings = with_scales_stated(build(draft.table, confirmed(proposal)))
    except InputError as problem:
        st.session_state[ERROR] = str(problem)
        draft.memo[CONTRADICTS] = problem.about == "repeats"
        return
    st.session_state[ERROR] = ""
    same_shape.keep(draft.table, proposal, draft.how)
    lean = replace(draft.table, memo={})
    dataset = state.Dataset(draft.id, draft.table.name, "upload", ratings, lean)
    state.keep(dataset)
    filters.hold_out(dataset)
    st.session_state[DRAFTS][draft.id] = _lean(draft, lean)
    st.session_state[PENDING] = ""


def use_and_show(name: str) -> None:
    """Open the data set as it was confirmed; the overview of a file that waited for it is shown then."""
    waited = waiting()
    use(name)
    st.session_state[OPENED] = time.monotonic() if waited and not waiting() else None


def just_opened() -> bool:
    """Whether a file was opened whose overview has not been shown whole.

    A request that the browser sent before it heard of the other page asks for this one again, and cuts that one short.
    """
    opened = st.session_state.get(OPENED)
    return opened is not None and time.monotonic() - opened < SHOWN_WITHIN


def _lean(draft: Draft, table: TextTable) -> Draft:
    stated = {name: value for name, value in draft.memo.items() if name not in WORKED_OUT}
    return replace(draft, table=table, files=(), memo=stated)


def _keep(draft: Draft, beside: str = "") -> None:
    device.came(draft.id, beside)
    before = device.heard(draft.id)
    if before is not None and draft.given == DEFAULT:
        draft = _as_before(draft, before.content.get("reading"))
    drafts: dict[str, Draft] = st.session_state.setdefault(DRAFTS, {})
    drafts.pop(draft.id, None)
    drafts[draft.id] = draft
    while len(drafts) > MOST_DRAFTS:
        drafts.pop(next(iter(drafts)))
    st.session_state[PENDING] = draft.id


def _as_before(draft: Draft, content: object) -> Draft:
    """Return the draft with what was said of its file before this session, as the browser kept it."""
    try:
        how = reading_of(content)
        match = check_match(how.match)
    except (InputError, KeyError, TypeError, AttributeError):
        return draft
    said = {repeats_key(draft): how.repeats, merging_key(draft): bool(how.merge_spellings), match_key(draft): match}
    for key, value in said.items():
        if value:
            st.session_state[key] = value
    return replace(draft, given=how)


def sheets(name: str) -> list[list[str]]:
    """Return the sheets of each file of a data set that were chosen; nothing where none was."""
    draft = st.session_state.setdefault(DRAFTS, {}).get(name)
    return [] if draft is None else [list(chosen) for chosen in draft.how.sheets]


def drop(name: str) -> None:
    """Forget the draft of a data set."""
    st.session_state.setdefault(DRAFTS, {}).pop(name, None)


def mark_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
