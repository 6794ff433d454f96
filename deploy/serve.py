"""Serve the dashboard to one person: `python deploy/serve.py [any option of streamlit run]`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from starlette.formparsers import MultiPartParser
from streamlit import net_util
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.web.cli import main

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER if (FOLDER / "app.py").exists() else FOLDER.parent
"""Where the dashboard lies: beside this file in an installed package, above it in a checkout."""
FILE = "KAPPASCOPE_FILE"
"""Names the file that every session begins with."""
LONGEST_UPLOAD = 1 << 40
_whole = SafeSessionState.filtered_state.fget


class Looked(Mapping[str, Any]):
    """What a session holds, put together when all of it is asked for, and not for one value."""

    def __init__(self, state: SafeSessionState) -> None:
        self.state = state

    def __getitem__(self, key: str) -> Any:
        with self.state._lock:
            return self.state._state[key]

    def __contains__(self, key: object) -> bool:
        with self.state._lock:
            return key in self.state._state

    def __iter__(self) -> Iterator[str]:
        return iter(_whole(self.state))

    def __len__(self) -> int:
        return len(_whole(self.state))


def prepare() -> None:
    """What must be so before any server of the dashboard starts."""
    # Streamlit takes a folder named `pages` for its older kind of app until the first session has run, and
    # greets a first visitor who follows a deep link with "Page not found". This app declares its pages itself.
    PagesManager.uses_pages_directory = False
    # What is uploaded stays in memory: beyond this size the parser of forms would put it into a file on the disk.
    MultiPartParser.spool_max_size = LONGEST_UPLOAD
    # To judge a caller of another origin, Streamlit would ask a server elsewhere for the address of this one, and everybody
    # here would wait for the answer. Whoever opens the dashboard by that very address is of the same origin and needs no asking.
    net_util.get_external_ip = lambda: None
    # Every chooser of a page asks for one value of its session, and Streamlit would put all of them together each time.
    SafeSessionState.filtered_state = property(Looked)
    os.chdir(ROOT)


def serve(arguments: list[str], file: str = "") -> None:
    """Serve until stopped; with the path of a file, every session begins with it."""
    if file:
        os.environ[FILE] = str(Path(file).resolve())
    prepare()
    main(["run", str(ROOT / "app.py"), *arguments], prog_name="streamlit")


if __name__ == "__main__":
    serve(sys.argv[1:])
