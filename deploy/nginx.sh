#!/bin/sh
# Installs nginx from the system's packages, for the test of deploy/nginx.conf; nothing else needs it on a desk.
set -eu
has() { command -v "$1" >/dev/null 2>&1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

has nginx || [ -x /usr/sbin/nginx ] && exit 0
if has apt-get; then
    as_root apt-get update -qq
    # Without this it would start at once, on a port of its own.
    as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq nginx-light
elif has dnf; then
    as_root dnf install -y -q nginx
elif has brew; then
    brew install nginx
else
    echo "No nginx, and no way to install one: its test is left out." >&2
    exit 1
fi
