"""What several tests of figures look at: the texts of a figure, and more judges than one reads at a glance."""

from __future__ import annotations

import numpy as np

CROWD = {
    f"a judge with a name of forty characters {place:02d}": table
    for place, table in enumerate(np.random.default_rng(3).integers(5, 90, (20, 2, 2)))
}


def texts(figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]
