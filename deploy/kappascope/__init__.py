"""The name under which the package is installed: what `import metrics` offers, and the dashboard that `kappascope app` opens."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import metrics

__all__ = list(metrics.__all__)


class Alias(MetaPathFinder, Loader):
    """Gives modules of `metrics` the name of this package too: ``import kappascope.readers`` is ``import metrics.readers``."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return how a module of `metrics` is loaded; of a name that stands for none, nothing."""
        package, _, name = fullname.partition(".")
        known = package == __name__ and name and not name.startswith("_") and find_spec(f"{metrics.__name__}.{name}") is not None
        return ModuleSpec(fullname, self, is_package=False) if known else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the module of `metrics` in the place of the new one, so that what it holds exists once."""
        sys.modules[module.__name__] = import_module(module.__name__.replace(__name__, metrics.__name__, 1))


sys.meta_path.insert(0, Alias())  # before the finder of files, which would load a module of a module of `metrics` once more


def __getattr__(name: str) -> Any:
    if not hasattr(metrics, name):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(metrics, name)


def __dir__() -> list[str]:
    return sorted(__all__)
