"""Who is answered in the tests of readers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from metrics.asker import answering


@pytest.fixture
def as_command() -> Iterator[None]:
    """Refusals name options, as on the command line."""
    with answering("command"):
        yield
