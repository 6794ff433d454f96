"""LangSmith: feedback, and tables of experiments."""

from __future__ import annotations

from metrics.readers.formats.record import Format

FORMATS: tuple[Format, ...] = ()
