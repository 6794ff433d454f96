"""Tables with columns for each reviewer: Datadog, Open Chat Studio, Arize AX."""

from __future__ import annotations

from metrics.readers.formats.record import Format

FORMATS: tuple[Format, ...] = ()
