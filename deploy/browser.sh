#!/bin/sh
# Prints the path of a Chromium for the browser tests, installing one if there is none.
# An empty line means Playwright's own.
set -eu
cd "$(dirname "$0")/.."

has() { command -v "$1" >/dev/null 2>&1; }
can_be_root() { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# Started for a moment, because a Chromium from a snap or one without its libraries is there and still of no use.
starts() { .venv/bin/python deploy/try_browser.py "$1" >/dev/null 2>&1; }

installed() {
    for candidate in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Chromium.app/Contents/MacOS/Chromium" \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
        [ -n "$candidate" ] || continue
        found=$(command -v "$candidate" 2>/dev/null) || continue
        if starts "$found"; then
            echo "$found"
            return 0
        fi
    done
    return 1
}

own_of_playwright() { starts "" && echo; }

from_apt() {
    has apt-get && can_be_root || return 1
    as_root apt-get update -qq
    # On Ubuntu the name has no package behind it, only a snap.
    apt-cache policy chromium | grep -q 'Candidate: [0-9]' || return 1
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium
}

from_playwright() {
    if has apt-get && can_be_root; then
        .venv/bin/python -m playwright install --with-deps chromium
    else
        .venv/bin/python -m playwright install chromium
    fi
}

installed && exit 0
own_of_playwright && exit 0
echo "No Chromium found: installing one for the browser tests (once) ..." >&2
from_apt >&2 && installed && exit 0
from_playwright >&2 && own_of_playwright && exit 0
echo "The tests need Chromium, and none could be installed. Type this line, then repeat:" >&2
if has apt-get; then
    echo "    sudo apt-get install -y chromium" >&2
else
    echo "    .venv/bin/python -m playwright install --with-deps chromium" >&2
fi
exit 1
