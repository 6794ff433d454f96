"""Coverage-guided fuzzing: `make fuzz`, or `python tests/fuzz/fuzz.py MINUTES FOLDER`.

The corpus beside this file is what the suite replays. What is found anew goes to FOLDER/TARGET; files in FOLDER/seeds/TARGET are
further seeds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SHARES = {"table": 0.55, "packed": 0.25, "address": 0.1, "results": 0.1}
"""Share of the time that each target gets."""
OPTIONS = ("-max_len=20000", "-timeout=120", "-rss_limit_mb=6000")


def one(target: str, seconds: float, arguments: list[str]) -> None:
    """Fuzz one target in this process for so many seconds of CPU; it ends with the process."""
    import atheris

    sys.path[:0] = [str(ROOT), str(HERE)]
    with atheris.instrument_imports(include=["metrics", "openpyxl"]):
        import targets
    atheris.Setup([sys.argv[0], *arguments], _timed(targets.TARGETS[target], target, seconds))
    atheris.Fuzz()


def _timed(run: Callable[[bytes], None], target: str, seconds: float) -> Callable[[bytes], None]:
    start, runs = time.process_time(), 0

    def timed(data: bytes) -> None:
        nonlocal runs
        run(data)
        runs += 1
        spent = time.process_time() - start
        if spent > seconds:
            print(f"{target}: clean, {runs} inputs in {spent / 60:.1f} CPU minutes", flush=True)
            os._exit(0)

    return timed


def every(minutes: float, work: Path) -> int:
    """All targets in turn; how many of them crashed."""
    crashed = 0
    for target, share in SHARES.items():
        (work / target).mkdir(parents=True, exist_ok=True)
        folders = [work / target, HERE / "corpus" / target, work / "seeds" / target]
        seeds = [str(folder) for folder in folders if folder.is_dir()]
        command = [sys.executable, __file__, target, str(60 * minutes * share), *seeds, *OPTIONS]
        done = subprocess.run([*command, f"-artifact_prefix={work}/{target}-"], check=False)
        if done.returncode:
            crashed += 1
            print(f"{target}: crashed; the input is in {work}", flush=True)
    return crashed


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] in SHARES:
        one(sys.argv[1], float(sys.argv[2]), sys.argv[3:])
    else:
        wanted = float(sys.argv[1]) if len(sys.argv) > 1 else 30
        sys.exit(every(wanted, Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="fuzz-"))))
