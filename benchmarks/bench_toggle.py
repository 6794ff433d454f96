"""The server's part of a toggle on the Agreement page: a million decisions against a thousand.

The app runs in this process, without a browser: a file is dropped in and confirmed, then mode and level are toggled. The time
is that of the script run behind a toggle. Beside it stands a choice that makes every number anew, the share of an item's
weight that must be met. Run: python benchmarks/bench_toggle.py
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

from bench_report import table  # noqa: E402
from streamlit.testing.v1 import AppTest  # noqa: E402

import metrics  # noqa: E402
from metrics.data.abstention import MODES  # noqa: E402
from metrics.data.aggregation import LEVELS  # noqa: E402
from metrics.results.words import number  # noqa: E402

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


def moved(app: AppTest, share: float) -> float:
    app.slider(key="threshold").set_value(share)
    start = time.perf_counter()
    app.run()
    return time.perf_counter() - start


def show(what: str, times: dict[str, list[float]], most: str = "") -> None:
    small, large = (statistics.median(times[size]) for size in SIZES)
    print(
        f"{what}: {1e3 * small:.0f} ms with 1,000 rows, {1e3 * large:.0f} ms with 1,000,000; "
        f"{1e3 * (large - small):+.0f} ms{most}, ratio {large / small:.2f}"
    )


def main() -> None:
    apps: dict[str, AppTest] = {}
    toggles: dict[str, list[float]] = {size: [] for size in SIZES}
    moves: dict[str, list[float]] = {size: [] for size in SIZES}
    for size, n_items in SIZES.items():
        data = table(n_items)
        apps[size] = opened(f"{n_items}.csv", data)
        toggled(apps[size], MODES[2], LEVELS[2])
        report = metrics.agreement(metrics.read(data), abstention=MODES[2], interval="none")
        shown = next(metric.value for metric in apps[size].metric if metric.label.startswith("Cohen"))
        assert shown == number(next(iter(report.judges.values())).item.values["kappa"])
    gc.collect()
    gc.freeze()
    for _, (mode, level) in itertools.product(range(ROUNDS), list(walk())):
        for size, app in apps.items():
            toggles[size].append(toggled(app, mode, level))
    for app in apps.values():
        app.selectbox(key="rule").set_value("threshold").run()
    for share in (0.3, 0.4, 0.6, 0.7, 0.8):
        for size, app in apps.items():
            moves[size].append(moved(app, share))
    show("a toggle of mode or level", toggles, f" (at most {1e3 * MOST:.0f})")
    show("another share of the weight, all numbers anew", moves)


if __name__ == "__main__":
    main()
