"""The rows of a file that carry no rating, with what stands in them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa

from metrics.data.ratings import Ratings, written_out
from metrics.readers.table import TextTable


def left_out_rows(ratings: Ratings, table: TextTable | None = None) -> pd.DataFrame:
    """Return record number, reason and text of every row left out; of a tally, reasons and how many rows."""
    left = ratings.left_out
    names = np.array([*left.names, ""], dtype=object)
    if left.times is not None:
        counts = left.counts()
        return pd.DataFrame({"reason": list(counts), "rows": list(counts.values())})
    frame = pd.DataFrame({"row": left.rows, "reason": names[left.reasons]})
    if table is None or not table.n_rows:
        return frame
    numbers = table.numbers if table.numbers is not None else np.arange(table.n_rows) + table.first_row
    places = np.minimum(np.searchsorted(numbers, left.rows), len(numbers) - 1)
    readable = numbers[places] == left.rows
    texts = written_out(table.data.take(pa.array(places[readable]))).to_pandas()
    texts.index = pd.Index(np.flatnonzero(readable))
    return frame.join(texts.rename(columns={name: f"{name} (file)" for name in frame.columns}))
