#!/bin/sh
# Prints the home of a Java that Spark can run on, installing one if there is none.
set -eu
has() { command -v "$1" >/dev/null 2>&1; }
can_be_root() { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# Started for a moment, because on macOS there is always a `java`, and without a Java behind it.
home_of() {
    said=$("$1" -XshowSettings:properties -version 2>&1) || return 1
    home=
    new=
    while IFS= read -r line; do
        case $line in
            *java.home\ =\ *) home=${line#*java.home = } ;;
            *java.specification.version\ =\ *) new=${line#*java.specification.version = } ;;
        esac
    done <<SAID
$said
SAID
    # "1.8" is the version of Java 8.
    case $new in '' | *[!0-9]*) return 1 ;; esac
    [ "$new" -ge 17 ] && [ -n "$home" ] && echo "$home"
}

installed() {
    for candidate in "${JAVA_HOME:-/nowhere}/bin/java" java /usr/lib/jvm/*/bin/java \
        /opt/homebrew/opt/openjdk*/bin/java /usr/local/opt/openjdk*/bin/java; do
        has "$candidate" && home_of "$candidate" && return 0
    done
    return 1
}

in_apt() {
    for version in 21 17 25; do
        if apt-cache policy "openjdk-$version-jre-headless" | grep -q 'Candidate: [0-9]'; then
            echo "openjdk-$version-jre-headless"
            return
        fi
    done
    echo default-jre-headless
}

from_apt() {
    has apt-get && can_be_root || return 1
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$(in_apt)"
}

from_dnf() { has dnf && can_be_root && as_root dnf install -y -q java-21-openjdk-headless; }

from_brew() { has brew && brew install -q openjdk@21; }

installed && exit 0
echo "No Java 17 or newer found: installing one for the tests of Spark (once) ..." >&2
from_apt >&2 && installed && exit 0
from_dnf >&2 && installed && exit 0
from_brew >&2 && installed && exit 0
echo "The tests of Spark need Java 17 or newer, and none could be installed. Type this line, then repeat:" >&2
if has apt-get; then
    echo "    sudo apt-get install -y $(in_apt)" >&2
elif has dnf; then
    echo "    sudo dnf install -y java-21-openjdk-headless" >&2
else
    echo "    brew install openjdk@21" >&2
fi
exit 1
