"""What a file says of its items beside ratings: which of its columns hold the question, the answer and what they rest on."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.data.memo import memoised
from metrics.data.ratings import Ratings
from metrics.data.reasons import folded

NAMES = ("question", "prompt", "input", "answer", "response", "output", "context", "document")
"""Columns of texts, in the order in which they are read."""
LONG = 40
"""Letters that half of the cells of a column of texts have at least; labels, ids and names of models have fewer."""
MOST_SHOWN = 8
"""Columns beside labels until somebody chooses: a broader table is read by nobody, and texts are shown all the same."""
LOOKED_AT = 10_000
"""Rows that show how long the texts of a column are."""
MOST_VERSIONS = 12
"""Versions of a judge's prompt that may each be used on some of the items; more of them are the items' own prompts."""


def free_columns(ratings: Ratings) -> list[str]:
    """Return the columns of the file that carry no role and hold no reasons, in the order of the file."""
    if ratings.table is None:
        return []
    reasons = () if ratings.reason_columns is None else ratings.reason_columns.names
    of_file = set(dict(ratings.source.columns_of_file).values())
    made = {ratings.source.together} - of_file if of_file else ()  # says what the file's own column says under another name
    taken = {*(column for _, column in ratings.columns), *reasons, *made}
    return [name for name in ratings.table.column_names if name not in taken]


def has_own_prompts(ratings: Ratings) -> bool:
    """Return whether the column `prompt` holds the prompt of each item, and not versions of a judge's: one each, and many."""
    return memoised(ratings, ("own prompts",), lambda: _has_own_prompts(ratings))


def _has_own_prompts(ratings: Ratings) -> bool:
    column = dict(ratings.columns).get("prompt")
    if ratings.table is None or not ratings.has_items or column is None:
        return False
    coded = pc.utf8_trim_whitespace(ratings.table[column].cast(pa.string())).combine_chunks().dictionary_encode()
    empty = pc.index(coded.dictionary, "").as_py()
    codes = np.asarray(coded.indices.fill_null(empty), np.int64)[ratings.row]
    said = codes != empty
    if not said.any():
        return False
    n = len(coded.dictionary)
    pairs = np.unique(ratings.item[said].astype(np.int64) * n + codes[said])
    n_items, n_prompts = len(np.unique(pairs // n)), len(np.unique(codes[said]))
    return len(pairs) == n_items and (n_prompts > MOST_VERSIONS or 1 < n_items <= 2 * n_prompts)


def text_columns(ratings: Ratings) -> list[str]:
    """Return the columns whose cells can stand beside labels: those without a role, and the prompt where it is the items' own."""
    free = free_columns(ratings)
    if ratings.table is None or not has_own_prompts(ratings):
        return free
    prompt = dict(ratings.columns)["prompt"]
    return [name for name in ratings.table.column_names if name in free or name == prompt]


def item_texts(ratings: Ratings) -> tuple[str, ...]:
    """Return the columns that seem to hold texts of the items: those named so, in the order of `NAMES`, then long ones."""
    return memoised(ratings, ("item texts",), lambda: _item_texts(ratings))


def shown_first(ratings: Ratings) -> tuple[list[str], list[str]]:
    """Return the columns that can stand beside labels, texts of the items first, and those that do until somebody chooses."""
    texts = item_texts(ratings)
    columns = [*texts, *(name for name in text_columns(ratings) if name not in texts)]
    return columns, columns[: max(len(texts), MOST_SHOWN)]


def _item_texts(ratings: Ratings) -> tuple[str, ...]:
    free = text_columns(ratings)
    ranks = {name: next((place for place, word in enumerate(NAMES) if word in folded(name).split()), None) for name in free}
    named = sorted((rank, free.index(name), name) for name, rank in ranks.items() if rank is not None)
    names = [name for _, _, name in named]
    return (*names, *(name for name in free if name not in names and _is_long(ratings, name)))


def repeats_a_text(ratings: Ratings, name: str) -> bool:
    """Return whether the commonest cell of a column is a text: what stands for none, as "n/a", makes no items alike."""
    assert ratings.table is not None
    counted = pc.value_counts(ratings.table[name].cast(pa.string()).drop_null())
    return bool(len(counted)) and len(counted.field("values")[int(np.argmax(counted.field("counts")))].as_py()) >= LONG


def _is_long(ratings: Ratings, name: str) -> bool:
    assert ratings.table is not None
    lengths = pc.utf8_length(ratings.table[name].slice(0, LOOKED_AT).cast(pa.string()))
    return bool(len(lengths)) and (pc.approximate_median(lengths).as_py() or 0) >= LONG
