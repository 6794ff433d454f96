"""From the landing page to the verdict: clicks, seconds and words on the way, for each real file that lies beside the checkout.

The real server and a headless Chromium, which share the machine; a reader who takes every proposed answer. Words are those of the
form in between, where one stands there, and of the verdict in view; a reader of 230 words a minute is added to the seconds.
Peer of the seconds: the same file asked by `python -m metrics overview`, which starts, reads and computes, and draws nothing.
Run: PYTHONPATH=. python benchmarks/bench_first_answer.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import ARGUMENTS, WAITING, installed, serving  # noqa: E402
from tests.browser.driver import LISTENING, Dashboard  # noqa: E402
from tests.shared_data import files  # noqa: E402

MOST_CLICKS, MOST_WORDS, MOST_SECONDS = 3, 120, 60
WORDS_A_MINUTE = 230
ANSWERS: dict[str, list[str]] = {
    "topicalchat_unieval": ["--scale", "continuous"],
    "viescore_t2i": ["--scale", "continuous"],
    "llmrubric_real_ordinal": ["--scale", "ordinal"],
    "xstest_refusal": ["--labels", "full_compliance=class,full_refusal=class,partial_refusal=class"],
}
"""What the command line must be told where the page proposes the answer."""


def words_in(page: Page, where: str) -> int:
    return len(" ".join(found.inner_text() for found in page.locator(where).all()).split())


def asked(page: Page, address: str, path: Path) -> tuple[int, int, float]:
    """Clicks, words and seconds from the landing page to the verdict of a file."""
    board = Dashboard(page, address).open("/", "Kappascope")
    start, clicks, words = time.perf_counter(), 1, 0
    page.locator("input[type=file]").first.set_input_files(path)
    verdict, form = page.locator(".st-key-verdict"), page.get_by_role("button", name="Analyse this file")
    page.get_by_role("heading", level=1, name="Kappascope", exact=True).wait_for(state="detached", timeout=120_000)
    form.or_(verdict).first.wait_for(timeout=120_000)
    if form.count():
        board.settle()
        words += words_in(page, ".st-key-wide_understood")
        form.click()
        clicks += 1
    page.get_by_role("heading", level=1, name="Overview", exact=True).wait_for(timeout=120_000)
    verdict.wait_for(timeout=120_000)
    board.settle()
    seconds = time.perf_counter() - start
    words += words_in(page, ".st-key-verdict") + words_in(page, ".st-key-understood")
    board.leave()
    return clicks, words, seconds


def by_command(path: Path) -> float:
    start = time.perf_counter()
    told = ANSWERS.get(path.stem, [])
    subprocess.run([sys.executable, "-m", "metrics", "overview", str(path), *told], cwd=ROOT, capture_output=True, check=False)
    return time.perf_counter() - start


def main() -> None:
    paths = files("data/*.csv")
    print(f"{'file':28}{'clicks':>7}{'words':>7}{'s':>7}{'s read':>8}{'command s':>11}{'ratio':>7}")
    missed = []
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address, sync_playwright() as playwright:
        expect.set_options(timeout=WAITING)
        browser = playwright.chromium.launch(executable_path=installed(), args=ARGUMENTS)
        for path in paths:
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            context.add_init_script(LISTENING)
            clicks, words, seconds = asked(context.new_page(), address, path)
            context.close()
            alone, whole = by_command(path), seconds + words / WORDS_A_MINUTE * 60
            print(f"{path.stem:28}{clicks:7}{words:7}{seconds:7.1f}{whole:8.1f}{alone:11.1f}{seconds / alone:7.1f}", flush=True)
            if clicks > MOST_CLICKS or words > MOST_WORDS or whole > MOST_SECONDS:
                missed.append(path.stem)
        browser.close()
    print(f"within {MOST_CLICKS} clicks, {MOST_WORDS} words and {MOST_SECONDS} s: {len(paths) - len(missed)} of {len(paths)}")
    if missed:
        print(f"beyond: {', '.join(missed)}")


if __name__ == "__main__":
    main()
