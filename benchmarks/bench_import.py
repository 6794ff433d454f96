"""Starting: `import metrics`, `kappascope --help` and the first name that computes, against `import pandas` in the same run.

A process each, in turn, the interpreter's own start taken off; medians. Ratios, for the times are of the machine of the day.
Run: python benchmarks/bench_import.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 9
NOTHING, PEER = "pass", "import pandas"
SIDES = {
    "import metrics": ("import metrics", 2.0),
    "kappascope --help": ("from metrics.commands.cli import main; main(['--help'])", 1.0),
    "the first agreement of two lists": ("import metrics; metrics.agreement([1, 0, 1], [1, 0, 0])", 4.0),
}
"""What is started, and how many times the peer it may take."""


def seconds(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    codes = [NOTHING, PEER, *(code for code, _ in SIDES.values())]
    for code in codes:
        seconds(code)
    times: dict[str, list[float]] = {code: [] for code in codes}
    for _ in range(ROUNDS):
        for code in codes:
            times[code].append(seconds(code))
    start = statistics.median(times[NOTHING])
    peer = statistics.median(times[PEER]) - start
    print(f"python starts in {start:.2f} s; import pandas takes {peer:.2f} s")
    for name, (code, most) in SIDES.items():
        ratio = (statistics.median(times[code]) - start) / peer
        print(f"{name}: {ratio:.2f} × import pandas (at most {most:g})")
        assert ratio <= most, name


if __name__ == "__main__":
    main()
