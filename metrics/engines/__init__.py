"""Counting where the data are: rows to a tally, by group-bys in the engine that holds them."""

from metrics.engines.count import count_frame
from metrics.engines.sources import ENGINES, count
from metrics.engines.tally import ItemTally

__all__ = ["ENGINES", "ItemTally", "count", "count_frame"]
