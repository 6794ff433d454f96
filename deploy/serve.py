"""Serve the dashboard: `python deploy/serve.py [any option of streamlit run]`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.cli import main

ROOT = Path(__file__).resolve().parent.parent


def serve(arguments: list[str]) -> None:
    # Streamlit takes a folder named `pages` for its older kind of app until the first session has run, and
    # greets a first visitor who follows a deep link with "Page not found". This app declares its pages itself.
    PagesManager.uses_pages_directory = False
    os.chdir(ROOT)
    main(["run", str(ROOT / "app.py"), *arguments], prog_name="streamlit")


if __name__ == "__main__":
    serve(sys.argv[1:])
