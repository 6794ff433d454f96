"""Modules that are loaded where they are first named, as ``metrics.report.writing`` is after ``import metrics``."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def modules_of(package: str, offered: Callable[[str], Any] | None = None) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package: a name that it offers, else a module of its own.

    Parameters
    ----------
    package : str
        Name of the package.
    offered : callable, optional
        What a name stands for that is no module; raises `AttributeError` for one that stands for nothing.
    """

    def found(name: str) -> Any:
        """Return what the package holds under a name."""
        if not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
            return import_module(f"{package}.{name}")
        if offered is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return offered(name)

    return found
