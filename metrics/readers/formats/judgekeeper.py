"""judgekeeper: records of its runs."""

from __future__ import annotations

from metrics.readers.formats.record import Format

FORMATS: tuple[Format, ...] = ()
