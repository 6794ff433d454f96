"""Setting up on a pretended machine: a checkout and a PATH that holds nothing else of note."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("basename", "cat", "chmod", "cksum", "cp", "dirname", "env", "grep", "id", "ln", "mkdir",
         "readlink", "rm", "sh", "sleep", "uname")  # fmt: skip
FAKE_PYTHON = """#!/bin/sh
home=$(dirname "$0")
case "$*" in
    *version_info*print*|*print*version_info*) echo 3.12 ;;
    *version_info*) exit {old} ;;
    *ensurepip*) exit {no_venv} ;;
    "-m venv"*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    "-m pip --version") ;;
    "-m pip install"*) echo "$*" >>"{log}"; [ ! -f "{log}.offline" ] ;;
    -V) echo Python 3.12 ;;
esac
"""
FAKE_JAVA = """#!/bin/sh
echo "    java.home = /opt/java-{version}" >&2
echo "    java.specification.version = {version}" >&2
exit {status}
"""
FAKE_PLAYWRIGHT = """#!/bin/sh
case "$*" in
    "deploy/try_browser.py"*) {works_if} ;;
    "-m playwright install"*) echo "$*" >>"{log}" ;;
esac
"""


class Machine:
    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        self.bin = folder / "bin"
        self.log = folder / "pip.log"
        (self.root / "deploy").mkdir(parents=True)
        self.bin.mkdir()
        for script in ("setup.sh", "browser.sh", "java.sh"):
            shutil.copy(ROOT / "deploy" / script, self.root / "deploy")
        (self.root / "requirements.txt").write_text("numpy==1\n", encoding="utf-8")
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self.bin / tool).symlink_to(found)

    def add(self, name: str, text: str = "#!/bin/sh\n") -> None:
        path = self.bin / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def add_python(self, name: str = "python3", *, old: bool = False, no_venv: bool = False) -> None:
        self.add(name, FAKE_PYTHON.format(old=int(old), no_venv=int(no_venv), log=self.log))

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": str(self.bin)}
        return subprocess.run(["sh", *command], cwd=self.root, env=environment, capture_output=True, text=True, check=False)

    def setup(self) -> subprocess.CompletedProcess[str]:
        return self.run("deploy/setup.sh", "requirements.txt")

    def start(self, **how: Any) -> subprocess.Popen[str]:
        """Set up, without waiting for it."""
        command = ["sh", "deploy/setup.sh", "requirements.txt"]
        return subprocess.Popen(command, cwd=self.root, env={"PATH": str(self.bin)}, **how)

    def browser(self) -> subprocess.CompletedProcess[str]:
        return self.run("deploy/browser.sh")

    def java(self) -> subprocess.CompletedProcess[str]:
        """As on a machine whose only folders of Javas are on the PATH."""
        script = self.root / "deploy" / "java.sh"
        text = script.read_text(encoding="utf-8")
        for folder in ("/usr/lib/jvm", "/opt/homebrew", "/usr/local/opt"):
            text = text.replace(folder, str(self.root / "nowhere"))
        script.write_text(text, encoding="utf-8")
        return self.run("deploy/java.sh")

    def add_java(self, version: str, status: int = 0) -> None:
        self.add("java", FAKE_JAVA.format(version=version, status=status))

    def add_playwright(self, works_if: str) -> None:
        """A Python in `.venv` that starts a browser when the shell condition holds; `$2` is the browser's path."""
        path = self.root / ".venv" / "bin" / "python"
        path.parent.mkdir(parents=True)
        path.write_text(FAKE_PLAYWRIGHT.format(works_if=works_if, log=self.log), encoding="utf-8")
        path.chmod(0o755)

    def installs(self) -> int:
        return len(self.log.read_text(encoding="utf-8").splitlines()) if self.log.exists() else 0


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_setup_installs_once(machine: Machine) -> None:
    machine.add_python()
    assert machine.setup().returncode == 0
    assert machine.installs() == 1
    again = machine.setup()
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    assert machine.installs() == 1


def test_setup_follows_a_change_of_the_requirements(machine: Machine) -> None:
    machine.add_python()
    machine.setup()
    (machine.root / "requirements.txt").write_text("numpy==2\n", encoding="utf-8")
    assert machine.setup().returncode == 0
    assert machine.installs() == 2


@pytest.mark.slow("waits")
def test_two_set_ups_take_turns_and_the_second_says_that_it_waits(machine: Machine) -> None:
    machine.add_python()
    lock = machine.root / ".venv.lock"
    with subprocess.Popen(["sleep", "60"]) as first:
        lock.symlink_to(str(first.pid))
        with subprocess.Popen(
            ["sh", "deploy/setup.sh", "requirements.txt"],
            cwd=machine.root,
            env={"PATH": str(machine.bin)},
            stderr=subprocess.PIPE,
            text=True,
        ) as second:
            assert second.stderr is not None
            said = second.stderr.readline()
            assert f"process {first.pid}" in said
            assert "waiting" in said
            assert machine.installs() == 0
            first.kill()
            first.wait()
            second.communicate()
    assert (second.returncode, machine.installs(), lock.is_symlink()) == (0, 1, False)


@pytest.mark.slow("waits")
def test_the_one_that_waited_finds_the_work_done(machine: Machine) -> None:
    machine.add_python()
    both = [machine.start() for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    assert machine.installs() == 1


def test_a_lock_left_by_a_process_that_is_gone_stops_nobody(machine: Machine) -> None:
    machine.add_python()
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    (machine.root / ".venv.lock").symlink_to(str(gone.pid))
    result = machine.setup()
    assert (result.returncode, machine.installs()) == (0, 1)
    assert "waiting" not in result.stderr


def test_setup_starts_afresh_after_an_interrupted_installation(machine: Machine) -> None:
    machine.add_python()
    offline = Path(f"{machine.log}.offline")
    offline.touch()
    failed = machine.setup()
    assert failed.returncode != 0
    assert "make setup" in failed.stderr
    half_there = machine.root / ".venv" / "half-there"
    half_there.touch()
    offline.unlink()
    assert machine.setup().returncode == 0
    assert not half_there.exists()


@pytest.mark.parametrize(
    ("manager", "line"),
    [
        ("apt-get", "apt-get install -y python3 python3-venv"),
        ("dnf", "dnf install -y python3.12"),
        ("brew", "brew install python@3.13"),
        (None, "https://www.python.org/downloads/"),
    ],
)
def test_setup_without_a_fitting_python_says_the_line_to_type(machine: Machine, manager: str | None, line: str) -> None:
    machine.add_python(old=True)
    if manager:
        machine.add(manager)
    if manager is None and sys.platform == "darwin":
        line = "brew install python@3.13"
    refused = machine.setup()
    assert refused.returncode != 0
    assert line in refused.stderr
    assert not (machine.root / ".venv").exists()


def test_setup_without_venv_says_the_line_to_type(machine: Machine) -> None:
    machine.add_python(no_venv=True)
    machine.add("apt-get")
    refused = machine.setup()
    assert refused.returncode != 0
    assert "apt-get install -y python3.12-venv" in refused.stderr


def test_setup_prefers_a_python_that_can_make_environments(machine: Machine) -> None:
    machine.add_python("python3.13", no_venv=True)
    machine.add_python("python3")
    assert machine.setup().returncode == 0


def test_browser_takes_an_installed_chromium(machine: Machine) -> None:
    machine.add("chromium")
    machine.add_playwright('[ -n "$2" ]')
    found = machine.browser()
    assert (found.returncode, found.stdout.strip()) == (0, str(machine.bin / "chromium"))


def test_browser_passes_over_one_that_does_not_start(machine: Machine) -> None:
    machine.add("chromium")
    machine.add("google-chrome")
    machine.add_playwright(f'[ "$2" = "{machine.bin}/google-chrome" ]')
    assert machine.browser().stdout.strip() == str(machine.bin / "google-chrome")


def test_browser_comes_from_the_package_manager(machine: Machine) -> None:
    (machine.bin / "id").unlink()
    machine.add("id", "#!/bin/sh\necho 0\n")
    machine.add("apt-cache", "#!/bin/sh\necho '  Candidate: 156'\n")
    install = f"cp '{machine.bin}/apt-cache' '{machine.bin}/chromium'"
    machine.add("apt-get", f'#!/bin/sh\ncase "$*" in install*) {install} ;; esac\n')
    machine.add_playwright('[ -n "$2" ]')
    found = machine.browser()
    assert (found.returncode, found.stdout.strip()) == (0, str(machine.bin / "chromium"))
    assert machine.installs() == 0


def test_browser_falls_back_to_playwrights_own(machine: Machine) -> None:
    machine.add_playwright(f'[ -z "$2" ] && [ -f "{machine.log}" ]')
    found = machine.browser()
    assert (found.returncode, found.stdout) == (0, "\n")
    assert machine.log.read_text(encoding="utf-8") == "-m playwright install chromium\n"


def test_browser_that_cannot_be_had_says_the_line_to_type(machine: Machine) -> None:
    machine.add_playwright("exit 1")
    refused = machine.browser()
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert ".venv/bin/python -m playwright install --with-deps chromium" in refused.stderr


def test_setup_fills_a_folder_of_its_own_once(machine: Machine) -> None:
    machine.add_python()
    (machine.root / "requirements-engines.txt").write_text("-c requirements.txt\nnumpy\n", encoding="utf-8")
    engines = ("deploy/setup.sh", "requirements-engines.txt", ".venv-engines")
    assert [machine.run(*engines).returncode for _ in range(2)] == [0, 0]
    assert machine.installs() == 1
    assert (machine.root / ".venv-engines" / "bin" / "python").exists()
    assert not (machine.root / ".venv").exists()
    # a pin of the dashboard is one of the engines too
    (machine.root / "requirements.txt").write_text("numpy==2\n", encoding="utf-8")
    machine.run(*engines)
    assert machine.installs() == 2


def test_java_that_is_new_enough_is_taken(machine: Machine) -> None:
    machine.add_java("21")
    found = machine.java()
    assert (found.returncode, found.stdout) == (0, "/opt/java-21\n")


@pytest.mark.parametrize(("version", "status"), [("1.8", 0), ("11", 0), ("21", 1)])
def test_java_that_is_old_or_does_not_start_is_not(machine: Machine, version: str, status: int) -> None:
    machine.add_java(version, status)
    refused = machine.java()
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "brew install openjdk@21" in refused.stderr


def test_java_comes_from_the_package_manager(machine: Machine) -> None:
    (machine.bin / "id").unlink()
    machine.add("id", "#!/bin/sh\necho 0\n")
    machine.add(
        "apt-cache", '#!/bin/sh\ncase "$2" in *-17-*) echo "  Candidate: 17.0.21" ;; *) echo "  Candidate: (none)" ;; esac\n'
    )
    machine.add("new-java", FAKE_JAVA.format(version="17", status=0))
    install = f"cp '{machine.bin}/new-java' '{machine.bin}/java'; echo \"$*\" >'{machine.log}'"
    machine.add("apt-get", f'#!/bin/sh\ncase "$*" in install*) {install} ;; esac\n')
    found = machine.java()
    assert (found.returncode, found.stdout) == (0, "/opt/java-17\n")
    assert "openjdk-17-jre-headless" in machine.log.read_text(encoding="utf-8")
