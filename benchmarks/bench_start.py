"""A fresh server, from its start to its first page on the screen: beside an empty Streamlit app and `streamlit hello`, in turn.

A process each, as `make app` starts it, and a new window of one headless Chromium, which has shown each page before. Seconds:
until the server says that it is ready, from there until the first visitor sees the page, and until the second one does.
Run: PYTHONPATH=. python benchmarks/bench_start.py [--rounds 5] [--against FOLDER]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import ARGUMENTS, installed, serving  # noqa: E402

MOST_START, MOST_FIRST = 2, 3
"""Times `streamlit hello` from the start to the page, and times the empty app from the question to the page."""
THERE = """figures => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'
    && document.querySelector('[data-testid=stMain] h1') && !document.querySelector('[data-testid=stSkeleton]')
    && document.querySelectorAll('[data-testid=stPlotlyChart] .main-svg:first-child').length >= figures"""
FIGURES = {"own": 3, "against": 3}
"""On the first page."""
PARTS = ("ready", "first", "second", "start to page")


def opened(browser: Browser, address: str, figures: int) -> float:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    start = time.perf_counter()
    page.goto(address)
    page.wait_for_function(THERE, arg=figures, polling=20, timeout=120_000)
    took = time.perf_counter() - start
    page.context.close()
    return took


def started(browser: Browser, folder: Path, figures: int, *script: str) -> dict[str, float]:
    start = time.perf_counter()
    with serving(folder, *script) as address:
        ready = time.perf_counter() - start
        first = opened(browser, address, figures)
        return dict(zip(PARTS, (ready, first, opened(browser, address, figures), ready + first), strict=True))


def main() -> None:
    asked = argparse.ArgumentParser(description="A fresh server, from its start to its first page.")
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--against", type=Path, help="another checkout, whose dashboard is started in turn")
    told = asked.parse_args()
    scripts = {
        "hello": ("-m", "streamlit", "hello"),
        "empty": ("-m", "streamlit", "run", str(ROOT / "benchmarks" / "empty_app.py")),
        "own": (str(ROOT / "deploy" / "serve.py"),),
    }
    if told.against:
        scripts["against"] = (str(told.against.resolve() / "deploy" / "serve.py"),)
    took: dict[str, list[dict[str, float]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed(), args=ARGUMENTS)
        for number in range(told.rounds + 1):
            for name, script in scripts.items():
                one = started(browser, Path(folder), FIGURES.get(name, 0), *script)
                took[name] += [one] if number else []
        browser.close()
    medians = {
        name: {part: statistics.median(one[part] for one in all_of_it) for part in PARTS} for name, all_of_it in took.items()
    }
    print(f"{told.rounds} starts, medians, s\n{'':10}" + "".join(f"{part:>15}" for part in PARTS))
    for name, median in medians.items():
        print(f"{name:10}" + "".join(f"{median[part]:15.2f}" for part in PARTS))
    start = medians["own"]["start to page"] / medians["hello"]["start to page"]
    first = medians["own"]["first"] / medians["empty"]["first"]
    print(f"start to page {start:.1f} × streamlit hello (at most {MOST_START})")
    print(f"first {first:.1f} × the empty app (at most {MOST_FIRST}); load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
