"""What is installed beside the package itself: a part that needs more says what to type."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from metrics.errors import InputError

EXTRAS = dict.fromkeys(("streamlit", "starlette", "segno"), "app")
EXTRAS |= dict.fromkeys(("plotly", "jinja2", "markupsafe", "typst", "xlsxwriter"), "report")
EXTRAS |= dict.fromkeys(("duckdb", "narwhals"), "engines")
"""Library to the extra of the package that brings it."""


def load(module: str) -> ModuleType:
    """Return a module, or refuse with the line that installs what it lacks.

    Raises
    ------
    InputError
        Where a library of an extra is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise missing(error) from error


def missing(error: ImportError) -> Exception:
    """Return the refusal for a library of an extra; the error itself for any other."""
    library = str(error.name or "").partition(".")[0]
    if library not in EXTRAS:
        return error
    return InputError(f"This needs {library}, which is not installed. Type: {line(EXTRAS[library])}")


def line(extra: str) -> str:
    """Return what to type for an extra."""
    return f"pip install 'kappascope[{extra}]'"
