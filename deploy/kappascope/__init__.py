"""The name under which the package is installed: what `import metrics` offers, and the dashboard that `kappascope app` opens."""

from __future__ import annotations

from typing import Any

import metrics

__all__ = list(metrics.__all__)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(metrics, name)


def __dir__() -> list[str]:
    return sorted(__all__)
