#!/bin/sh
# Leaves .venv, or the folder given, with the packages of the given requirements file. Safe to repeat; does nothing when
# nothing changed.
# Two at once, as `make app` and `make test` in two terminals, take turns: the second waits and says so.
# usage: sh deploy/setup.sh requirements.txt [FOLDER]
set -eu
cd "$(dirname "$0")/.."
requirements=$1
venv=${2:-.venv}
python=$venv/bin/python
unfinished=$venv/.unfinished
stamp=$venv/.installed-$(basename "$requirements" .txt)
lock=$venv.lock
again="make setup"
[ "$venv" = .venv ] || again="make test"
[ "$venv" != .venv-docs ] || again="make docs"

fits() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
makes_venv() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }
has() { command -v "$1" >/dev/null 2>&1; }

stop() {
    echo "$1" >&2
    echo "    $2" >&2
    exit 1
}

root() { [ "$(id -u)" = 0 ] || printf 'sudo '; }

newest_in_apt() {
    for name in python3.13 python3.12 python3.11; do
        if apt-cache show "$name" >/dev/null 2>&1; then
            echo "$name"
            return
        fi
    done
    echo python3
}

no_python() {
    problem="Kappascope needs Python 3.11 or newer, and none was found. Type this line, then repeat:"
    if has apt-get; then
        name=$(newest_in_apt)
        stop "$problem" "$(root)apt-get update && $(root)apt-get install -y $name $name-venv"
    elif has dnf; then
        stop "$problem" "$(root)dnf install -y python3.12"
    elif has brew || [ "$(uname)" = Darwin ]; then
        stop "$problem" "brew install python@3.13"
    fi
    stop "Kappascope needs Python 3.11 or newer, and none was found. Get one here, then repeat:" "https://www.python.org/downloads/"
}

no_venv() {
    version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    problem="Python $version is here, but it cannot make virtual environments. Type this line, then repeat:"
    if has apt-get; then
        stop "$problem" "$(root)apt-get update && $(root)apt-get install -y python$version-venv"
    fi
    stop "$problem" "$1 -m pip install -r requirements.txt && $1 -m streamlit run app.py"
}

find_python() {
    without_venv=
    for candidate in ${PYTHON:-} python3.13 python3.12 python3.11 python3 python3.14 python; do
        fits "$candidate" || continue
        if makes_venv "$candidate"; then
            echo "$candidate"
            return
        fi
        : "${without_venv:=$candidate}"
    done
    [ -z "$without_venv" ] || no_venv "$without_venv"
    no_python
}

alive() { kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ]; }

# A link whose target is the process that holds it: made in one step, and known to be left over when that process is gone.
take_turns() {
    told=
    until ln -s $$ "$lock" 2>/dev/null; do
        [ -w . ] || return 0
        owner=$(readlink "$lock") || continue
        if ! alive "$owner"; then
            [ "$(readlink "$lock")" != "$owner" ] || rm -f "$lock"
            continue
        fi
        [ -n "$told" ] || echo "Another command is installing into $venv (process $owner): waiting for it ..." >&2
        told=yes
        sleep 1
    done
    trap 'rm -f "$lock"' EXIT
    trap 'exit 130' HUP INT TERM
}

installed() {
    wanted=$({ "$python" -V; cat requirements.txt "$requirements"; } 2>/dev/null | cksum || true)
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && [ ! -f "$unfinished" ] && fits "$python"
}

installed && exit 0
take_turns
! installed || exit 0

# An environment left by an interrupted run, or by a Python that is gone, is made anew: pip cannot tell what is half there.
if [ -f "$unfinished" ] || ! fits "$python" || ! "$python" -m pip --version >/dev/null 2>&1; then
    base=$(find_python)
    rm -rf "$venv"
    mkdir "$venv"
    : >"$unfinished"
    "$base" -m venv "$venv"
fi
: >"$unfinished"
echo "Installing $requirements into $venv (a minute or so, once) ..." >&2
"$python" -m pip install -q --disable-pip-version-check -r "$requirements" ||
    stop "The installation stopped (see above). When the network answers again, repeat:" "$again"
{ "$python" -V; cat requirements.txt "$requirements"; } | cksum >"$stamp"
rm -f "$unfinished"
