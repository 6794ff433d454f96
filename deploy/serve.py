"""Serve the dashboard to one person: `python deploy/serve.py [any option of streamlit run]`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from starlette.formparsers import MultiPartParser
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.cli import main

ROOT = Path(__file__).resolve().parent.parent
LONGEST_UPLOAD = 1 << 40


def prepare() -> None:
    """What must be so before any server of the dashboard starts."""
    # Streamlit takes a folder named `pages` for its older kind of app until the first session has run, and
    # greets a first visitor who follows a deep link with "Page not found". This app declares its pages itself.
    PagesManager.uses_pages_directory = False
    # What is uploaded stays in memory: beyond this size the parser of forms would put it into a file on the disk.
    MultiPartParser.spool_max_size = LONGEST_UPLOAD
    os.chdir(ROOT)


def serve(arguments: list[str]) -> None:
    prepare()
    main(["run", str(ROOT / "app.py"), *arguments], prog_name="streamlit")


if __name__ == "__main__":
    serve(sys.argv[1:])
