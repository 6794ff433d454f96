"""100,000 ratings in every shape and every tool's export, against `json.loads` or `polars.read_csv` of the same bytes.

The exports are the samples of `tests/readers`, copied with new ids until they hold as many ratings; the plain tables are made up.
Ours reads, proposes and builds ratings, doubts answered as proposed; the peer parses the bytes. One after the other in turn, in
one process, in time of the processor, all threads together; the median of five is compared. Where cells of a CSV hold lists and
records, which the peer leaves as text, a second number has a peer that parses them too: by `json.loads`, or where Python spelled
them by `ast.literal_eval`. Memory is the peak of a process of its own that had read a small file before, the file included.
Run: python benchmarks/bench_formats.py [WORD …]        only names that hold one of the words
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
import statistics
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.bench_report import memory
from metrics.errors import InputError
from metrics.readers import build, confirmed, open_table, propose

N, ROUNDS = 100_000, 5
MOST_TIME, MOST_MEMORY = 3.0, 6.0
SMALL, SMALL_JSON = b"item,human,judge\na,yes,no\nb,no,yes\n", b'[{"item": "a", "human": "yes", "judge": "no"}]'
IDS = {
    "argilla": r"\ba[1-3]\b", "azure_evaluation": r"\bc\d\b", "batches": r"\bq\d\b", "braintrust": r"\be\d\b",
    "deepeval": r"question \d|alpha", "healthbench": r"\bc\d\b",
    "inspect_ai": r'(?<="id": ")[a-d]', "judgekeeper": r"\bq\d\b", "label_studio": r'\b10\d\b|(?<="id": )1(?=, "data)',
    "langfuse": r"\bt\d\b", "langsmith": r"\br\d\b", "mlflow": r"\bt\d\b", "openai_evals": r"\bs\.\d\b", "opik": r"\b[th]\d\b",
    "phoenix": r"\b[se]\d\b", "prodigy": r'(?<=_hash": )-?\d', "promptfoo": r'(?<="question": ")[^"]+', "ragas": r"Where",
    "reviewers": r'\b[st]\d\b|^\d(?=,session)|(?<="item_id": )\d',
}  # fmt: skip
"""By the module of a tool, what tells the items of its samples apart."""
ONE = {
    "label_studio/one.json": r'(?<="completed_by": )2|(?<=ana)(?=@)|judge-a',
    "mlflow/one.json": r"(?<=ana|ben)(?=@)|judge-[a-z]",
}
"""Files that are one item, by what tells their raters apart; they are copied as often as there may be raters."""


def plain() -> dict[str, tuple[bytes, int]]:
    """Return tables in the shapes that everybody writes, and their ratings."""
    rng, n = np.random.default_rng(8), N // 4
    labels = np.array(["yes", "no"])[(rng.random((4, n)) < 0.4).astype(int)]
    said = dict(zip(("ana", "ben", "human_cem", "judge"), labels, strict=True))
    wide = pl.DataFrame({"item": [f"q{i}" for i in range(n)]} | said)
    long = wide.unpivot(index="item", variable_name="rater", value_name="label").with_columns(
        role=pl.when(pl.col("rater") == "judge").then(pl.lit("judge")).otherwise(pl.lit("human"))
    )
    pairs = pl.DataFrame({
        "item": [f"q{i // 5}" for i in range(N // 2)], "criterion": [f"criterion {i % 5}" for i in range(N // 2)],
        "judge": "gpt", "human": labels[:2].ravel(), "verdict": labels[2:].ravel(),
    })  # fmt: skip
    frames = {"wide": wide, "raters": long, "pairs": pairs}
    tables = {f"plain/{name}.csv": frame.write_csv().encode() for name, frame in frames.items()}
    tables |= {f"plain/{name}.json": frame.write_json().encode() for name, frame in frames.items()}
    return {name: (data, N) for name, data in (tables | {"plain/pairs.jsonl": pairs.write_ndjson().encode()}).items()}


def copies(text: str, ids: str, n: int, between: str) -> str:
    """Return a text so many times, each with ids of its own."""
    template = re.sub(ids, lambda match: f"{match[0]}\0", text, flags=re.MULTILINE)
    return between.join(template.replace("\0", f"{k:05d}") for k in range(n))


def of_object(data: bytes, ids: str, n: int) -> bytes:
    """Return an object whose lists of records are so many times as long."""
    lists: list[str] = []

    def cut(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: cut(cell) for key, cell in value.items()}
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lists.append(copies(json.dumps(value)[1:-1], ids, n, ", "))
            return f"@{len(lists) - 1}@"
        return value

    text = json.dumps(cut(json.loads(data)))
    return re.sub(r'"@(\d+)@"', lambda match: f"[{lists[int(match[1])]}]", text).encode()


def grown(name: str, data: bytes, ratings: int) -> bytes:
    """Return a sample, copied until it holds `N` ratings."""
    ids, n = (ONE[name], 900) if name in ONE else (IDS[name.partition("/")[0]], -(-N // ratings))
    text = data.decode().strip()
    if text[0] not in "[{":
        header, _, body = text.partition("\n")
        return f"{header}\n{copies(body, ids, n, chr(10))}\n".encode()
    if name.endswith(".jsonl"):
        return copies(text, ids, n, "\n").encode()
    return f"[{copies(text[1:-1], ids, n, ', ')}]".encode() if text[0] == "[" else of_object(data, ids, n)


def exports() -> dict[str, tuple[bytes, int]]:
    from tests.readers.test_every_format import SAMPLES
    from tests.readers.test_format_inspect_ai import archive

    files = {}
    for name, data in SAMPLES.items():
        if name == "inspect_ai/log.eval":
            log, ratings = files["inspect_ai/log.json"]
            files[name] = archive(json.loads(log)), ratings
            continue
        ratings = open_table(data, name).n_rows
        whole = grown(name, data, ratings)
        files[name] = whole, ratings * (900 if name in ONE else -(-N // ratings))
    return files


def ours(data: bytes) -> None:
    table = open_table(data)
    with contextlib.suppress(InputError):  # a sample of one rater is refused when its ratings are there
        build(table, confirmed(propose(table, repeats="last")))


def peer(data: bytes) -> object:
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return [json.loads(archive.read(name)) for name in archive.namelist()]
    if data[:1] not in (b"[", b"{"):
        return pl.read_csv(data, infer_schema=False)
    try:
        return json.loads(data)
    except ValueError:
        return [json.loads(line) for line in data.splitlines()]


def peer_of_cells(data: bytes) -> list[object]:
    frame = pl.read_csv(data, infer_schema=False)
    return [_parsed(cell) for column in frame for cell in column if cell is not None and cell[:1] in ("[", "{")]


def _parsed(cell: str) -> object:
    try:
        return json.loads(cell)
    except ValueError:
        with contextlib.suppress(ValueError, SyntaxError):
            return ast.literal_eval(cell)
    return None


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def measured(data: bytes, peers: list[Callable[[bytes], object]]) -> tuple[list[float], float, float]:
    """Return seconds of each peer and of ours, and the peak memory, as times the file.

    Parameters
    ----------
    data : bytes
    peers : list of callable
    """
    for work in (*peers, ours):
        work(data)
    rounds = [[seconds(lambda work=work: work(data)) for work in (*peers, ours)] for _ in range(ROUNDS)]
    *theirs, mine = (statistics.median(column) for column in zip(*rounds, strict=True))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data"
        path.write_bytes(data)
        code = f"from benchmarks.bench_formats import ours\nours({SMALL!r}), ours({SMALL_JSON!r})\n"
        idle, used = memory(path, code), memory(path, f"{code}ours(data)")
    return theirs, mine, (used - idle + len(data)) / len(data)


def holds_cells(data: bytes) -> bool:
    """Return whether a CSV has lists or records in its first cells."""
    return data[:1] not in (b"[", b"{", b"P") and re.search(rb'[,\n]"?[\[{]', data[:4096]) is not None


def main(words: list[str]) -> int:
    files = plain() | exports()
    worst = 0.0
    for name, (data, ratings) in files.items():
        if words and not any(word in name for word in words):
            continue
        theirs, mine, space = measured(data, [peer, peer_of_cells] if holds_cells(data) else [peer])
        worst = max(worst, mine / theirs[0] / MOST_TIME, space / MOST_MEMORY)
        cells = f"   {mine / theirs[1]:5.2f} x with its cells parsed" if len(theirs) > 1 else ""
        print(
            f"{name:28} {ratings:7,} ratings {len(data) / 1e6:6.1f} MB   {mine * 1e3:6.0f} ms against {theirs[0] * 1e3:5.0f} "
            f"{mine / theirs[0]:6.2f} x   memory {space:5.1f} x{cells}", flush=True,
        )  # fmt: skip
    print(f"at most {MOST_TIME} x the peer and {MOST_MEMORY} x the file")
    return int(worst > 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
