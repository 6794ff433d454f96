#!/bin/sh
# Prints the path of a Chromium for the browser tests, installing one if there is none.
# An empty line means Playwright's own.
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python

installed() {
    for candidate in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Chromium.app/Contents/MacOS/Chromium" \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
        [ -n "$candidate" ] || continue
        found=$(command -v "$candidate" 2>/dev/null) || continue
        # Ubuntu's chromium-browser may be a stub that only names the snap.
        if "$found" --version >/dev/null 2>&1; then
            echo "$found"
            return 0
        fi
    done
    return 1
}

own_of_playwright() {
    "$python" -c '
import os, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    sys.exit(not os.path.exists(playwright.chromium.executable_path))
' 2>/dev/null
}

apt_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    as_root=
    if [ "$(id -u)" != 0 ]; then
        sudo -n true 2>/dev/null || return 1
        as_root="sudo -n"
    fi
    $as_root apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq chromium >&2
}

installed && exit 0
own_of_playwright && { echo; exit 0; }
echo "No Chromium found: installing one for the browser tests (once) ..." >&2
apt_install >/dev/null && installed && exit 0
"$python" -m playwright install chromium >&2 && own_of_playwright && { echo; exit 0; }
echo "The tests need Chromium, and none could be installed. Type this line, then repeat:" >&2
if [ "$(uname)" = Darwin ]; then
    echo "    brew install --cask chromium" >&2
else
    echo "    sudo apt-get install -y chromium" >&2
fi
exit 1
