"""HealthBench: the meta-evaluation, and the answers of a grader."""

from __future__ import annotations

from metrics.readers.formats.record import Format

FORMATS: tuple[Format, ...] = ()
