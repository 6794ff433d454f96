"""The server's part of a toggle on the Agreement page: a million decisions against a thousand.

The app runs in this process, without a browser: a file is dropped in and confirmed, then mode and level are toggled. The time
is that of the script run behind a toggle, once for choices seen for the first time (what they need is computed) and once for
choices seen before. Run: python benchmarks/bench_toggle.py
"""

from __future__ import annotations

import gc
import itertools
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from bench_report import N_CRITERIA, table  # noqa: E402
from streamlit.testing.v1 import AppTest  # noqa: E402

import metrics  # noqa: E402
from metrics.abstention import MODES  # noqa: E402
from metrics.aggregation import LEVELS  # noqa: E402
from metrics.words import number  # noqa: E402

ROUNDS, MOST = 4, 0.100
SIZES = {"1,000 rows": 200, "1,000,000 rows": 200_000}


def opened(name: str, data: bytes) -> AppTest:
    """The Agreement page of a session that has just opened the file."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600).run()
    app.switch_page("pages/data/data.py").run()
    app.file_uploader(key="data.upload").upload(name, data, "text/csv").run()
    app.button(key="data.use").click().run()
    app.switch_page("pages/judge/agreement.py").run()
    assert not app.exception
    return app


def toggled(app: AppTest, mode: str, level: str) -> float:
    app.radio(key="mode").set_value(mode)
    app.segmented_control(key="level").set_value(level)
    start = time.perf_counter()
    app.run()
    return time.perf_counter() - start


def walk() -> Iterator[tuple[str, str]]:
    """Every mode with every level, one choice changing at a time."""
    for place, mode in enumerate(MODES):
        yield from ((mode, level) for level in (LEVELS if place % 2 == 0 else LEVELS[::-1]))


def main() -> None:
    first: dict[str, list[float]] = {}
    again: dict[str, list[float]] = {}
    apps = {}
    for size, n_items in SIZES.items():
        data = table(n_items)
        name = f"{n_items}.csv"
        apps[size] = opened(name, data)
        report = metrics.agreement(metrics.read(data), abstention=MODES[2], interval="none")
        toggled(apps[size], MODES[2], LEVELS[2])
        shown = next(metric.value for metric in apps[size].metric if metric.label.startswith("Cohen"))
        assert shown == number(next(iter(report.judges.values())).item.values["kappa"])
    gc.collect()
    gc.freeze()
    for size, app in apps.items():
        reference = app.selectbox(key="rule")
        reference.set_value("threshold")
        app.run()
        first[size] = [toggled(app, mode, level) for mode, level in walk()]
    for _, (mode, level) in itertools.product(range(ROUNDS), list(walk())):
        for size, app in apps.items():
            again.setdefault(size, []).append(toggled(app, mode, level))
    for what, times in (("seen before", again), ("after another item rule", first)):
        small, large = (statistics.median(times[size]) for size in SIZES)
        print(
            f"toggle, {what}: {1e3 * small:.0f} ms with 1,000 rows, {1e3 * large:.0f} ms with {N_CRITERIA * 200_000:,}: "
            f"{1e3 * (large - small):+.0f} ms (at most {1e3 * MOST:.0f}), ratio {large / small:.2f}, slowest {1e3 * max(times[list(SIZES)[1]]):.0f} ms"
        )


if __name__ == "__main__":
    main()
