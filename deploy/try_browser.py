"""Start a headless Chromium and close it: `python deploy/try_browser.py PATH`, an empty path being Playwright's own."""

from __future__ import annotations

import sys

from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    playwright.chromium.launch(executable_path=sys.argv[1] or None, args=["--no-sandbox"]).close()
