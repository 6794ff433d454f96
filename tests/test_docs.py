"""The documentation: every record has its page, every example runs, every link leads somewhere, nothing comes from elsewhere."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pandas as pd
import pytest
import uvicorn
import yaml
from starlette.applications import Starlette
from starlette.routing import Mount

import metrics
from deploy import serve
from docs import generate, records
from docs.notebooks import run
from metrics.commands.cli import EXITS, commands, main
from metrics.measures.catalogue import BY_KEY
from metrics.readers.formats.registry import FORMATS
from pages.shared import documents

ROOT = Path(__file__).resolve().parent.parent
MKDOCS = ROOT / ".venv-docs" / "bin" / "mkdocs"
ACTION = ROOT / ".github" / "actions" / "kappascope" / "action.yml"
WRITTEN = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "SKILL.md", ROOT / "README.md"]
LARGEST = 5_000_000
LOOKED_AT = (
    "index.html", "tutorials/check_a_judge.html", "formats/langfuse.html", "metrics/phi.html", "intervals.html", "pipeline.html",
    "python/scores.html", "glossary.html",
)  # fmt: skip
"""A page of each kind."""

pytestmark = pytest.mark.slow("writes every page of the documentation")


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return {name: text for name, text in generate.pages().items() if isinstance(text, str)}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it, where its tool is installed."""
    if not MKDOCS.exists():
        pytest.skip("`make docs` installs what builds the site")
    folder = tmp_path_factory.mktemp("docs")
    generate.write(folder / "source", folder / "site")
    words = [str(MKDOCS), "build", "-q", "--strict", "-f", str(folder / "source" / "mkdocs.yml")]
    done = subprocess.run(
        words, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    generate.tidy(folder / "site")
    return folder / "site"


# Every record has its page


@pytest.mark.parametrize("key", records.METRICS)
def test_a_metric_has_its_page(pages: dict[str, str], key: str) -> None:
    record, page = records.METRICS[key], pages[f"metrics/{key}.md"]
    assert record.formula
    assert f"`{record.formula}`".replace("|", "\\|") in page
    for heading in ("**Formula**", "**Range**", "**Undefined**", "**Source**", "## What moves it"):
        assert heading in page
    assert f"({key}.md)" in pages["metrics/index.md"]
    gated = key in BY_KEY and record.has_interval
    assert ("--fail-under" in page) == (gated and key not in ("fpr", "fnr"))
    assert ("--margin" in page) == (gated and record.group != "shape")
    assert not re.search(r"\bnan\b", page)


def test_pages_of_metrics_say_what_the_catalogue_says(pages: dict[str, str]) -> None:
    assert "the reference gives one label only, the negative label" in pages["metrics/phi.md"]
    assert "both sides give only the positive label" in pages["metrics/kappa.md"]
    assert "Exchange reference and judge: [Precision](precision.md)." in pages["metrics/recall.md"]
    assert "the same number with the other sign" in pages["metrics/drift.md"]
    # Youden's J of 90 % and 80 % is .7 at every prevalence, and κ is not.
    assert moved(pages["metrics/youden_j.md"]) == ["0.70", "0.70"]
    assert len(set(moved(pages["metrics/kappa.md"]))) == 2


def moved(page: str) -> list[str]:
    """What a metric is where a label is rare, and where it is common."""
    return [row.split("|")[2].strip() for row in page.splitlines() if " label is on " in row]


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.what)
def test_a_format_has_its_page(pages: dict[str, str], form: Any) -> None:
    page = pages[f"formats/{records.slug(form.tool)}.md"]
    for said in (form.how, form.what[1:], form.why):
        assert records.escaped(said) in page
    assert f"({records.slug(form.tool)}.md)" in pages["formats/index.md"]
    assert "| item | criterion | rater | role |" in page


def test_a_public_name_and_a_command_have_their_place(pages: dict[str, str]) -> None:
    assert set(records.names()) == set(metrics.__all__)
    placed = "\n".join(text for name, text in pages.items() if name.startswith("python/") and name != "python/index.md")
    for name, module in records.names().items():
        assert f"::: {records.target(name, module)}\n" in f"{placed}\n"
        assert f"[{records.escaped(name)}](" in pages["python/index.md"]
    for name in commands.commands:
        assert f"\n## {name}\n" in pages["commands.md"]
    for code, when in EXITS.items():
        assert f"| `{code}` | {records.escaped(when)} |" in pages["pipeline.md"]
        assert f"{code} {when}" in " ".join(records.whole_help().split())


def test_a_word_of_the_field_is_in_the_glossary(pages: dict[str, str]) -> None:
    words = re.findall(r"\*\*([^*]+)\*\*", (ROOT / "ARCHITECTURE.md").read_text("utf-8").split("## Glossary")[1])
    assert len(words) > 10
    assert [word for word in words if f"**{word}**" not in pages["glossary.md"]] == []


def test_every_page_is_in_the_menu_once(pages: dict[str, str]) -> None:
    listed = re.findall(r'"([\w/-]+\.md)"', json.dumps(generate.nav()))
    assert sorted(listed) == sorted(name for name in pages if name.endswith(".md"))
    assert not [name for name, text in pages.items() if "{{" in text and "${{" not in text]


# Every example runs


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the files that examples name lie."""
    labels = pd.read_csv(ROOT / "assets" / "support_answers.csv", dtype=str).replace({"strict": "judge-1", "lenient": "judge-2"})
    labels["topic"] = labels["item"].str[-1].map(lambda digit: "travel" if digit < "5" else "bills")
    rows = [line.split(",") for line in ("q1,yes,no", "q2,yes,yes", "q3,no,no", "q4,no,yes", "q5,yes,yes", "q6,no,no")]
    files = {
        "labels.csv": labels.to_csv(index=False),
        "wide.csv": "item,ana,gpt\n" + "\n".join(map(",".join, rows)),
        "scored.csv": "item,human,verdict\n"
        + "\n".join(f"{i},{('pass', 'fail')[i % 2]},{(4, 2, 5, 1)[i % 4]}" for i in range(40)),
        "criteria.csv": "id,human_tone,human_depth,human_style,gpt_tone,gpt_depth,gpt_style\n"
        + "".join(f"q{k},{k % 5 + 1},{k % 4 + 1},{k % 3 + 1},{k % 5 + 1},{k % 3 + 1},{k % 3 + 1}\n" for k in range(40)),
        "named.csv": "id,gold,model\n"
        + "\n".join(f"{item},good,{'good' if judge == 'yes' else 'bad'}" for item, _, judge in rows),
        "gold.csv": "item,human\n" + "\n".join(f"{item},{human}" for item, human, _ in rows),
        "judge.csv": "item,judge\n" + "\n".join(f"{item},{judge}" for item, _, judge in rows),
        "graded.csv": "item,judge,human,verdict\n" + "\n".join(f"q{n},gpt,{1 + n % 4},{1 + n // 2 % 4}" for n in range(40)),
    }
    files |= more_files()
    word = "no", "yes"
    for name, skip in (("before.csv", 8), ("after.csv", 40)):
        lines = (f"q{k},gpt,{word[k % 2]},{word[(k + (k % skip == 0)) % 2]}" for k in range(160))
        files[name] = "item,judge,human,verdict\n" + "\n".join(lines)
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert said("kappascope agreement labels.csv --json > last.json") == 0
    return tmp_path


def more_files() -> dict[str, str]:
    """Files of several people, runs, scores and scales, forty items each."""
    n = range(40)
    word = "no", "yes"
    return {
        "people.csv": "item,rater,role,label\n"
        + "".join(
            f"q{k},{who},{role},{word[k % 5 != skip and k % 2]}\n"
            for k in n
            for who, role, skip in (("ana", "human", 1), ("ben", "human", 3), ("cem", "human", 9), ("gpt", "judge", 9))
        ),
        "runs.csv": "item,prompt,judge,human,verdict\n"
        + "".join(
            f"q{k},{run},gpt,{word[k % 2]},{word[k % skip and k % 2]}\n" for k in n for run, skip in (("v1", 3), ("v2", 7))
        ),
        "pairs.csv": "item,human,verdict,answer_a,answer_b\n"
        + "".join(f"q{k},{'AB'[k % 2]},{'AAB'[k % 3]},{'word ' * (1 + k % 4)},{'word ' * (1 + k % 3)}\n" for k in n),
        "mixed.csv": "item,criterion,human,verdict\n"
        + "".join(f"q{k},cites,{word[k % 2]},{word[k % 3 and k % 2]}\nq{k},tone,{1 + k % 4},{1 + k % 3}\n" for k in n),
        "twice.csv": "item,human,verdict\n" + "".join(f"q{k},{word[k % 2]},{word[k % 3 == 0]}\n" for k in [*n, 0, 1, 2, 3]),
        "scores.csv": "item,judge,human,verdict,score\n"
        + "".join(
            f"q{k},{judge},{word[k % 2]},{word[k % skip and k % 2]},{(k * step % 40 + 20 * (k % 2)) / 60:.2f}\n"
            for k in n
            for judge, skip, step in (("old", 3, 7), ("new", 7, 3))
        ),
        "half.csv": "item,judge,human,verdict\n" + "".join(f"q{k},gpt,{word[k % 2] * (k < 20)},{word[k % 3 == 0]}\n" for k in n),
        "numbers.csv": "item,human,verdict\n" + "".join(f"q{k},{k % 10 + 0.5},{k % 10 + k % 3 / 2}\n" for k in n),
    }


def said(line: str) -> int:
    """Type a line, with what it prints in a file where it says so, and return its exit code."""
    command, _, target = line.partition(" > ")
    program, *words = shlex.split(command, comments=True)
    assert program == "kappascope"
    with Path(target or os.devnull).open("w", encoding="utf-8") as out, contextlib.redirect_stdout(out):
        try:
            main(words)
        except SystemExit as stop:
            return int(stop.code or 0)
    return 0


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_the_lines_of_a_page_run_as_they_stand(path: Path, folder: Path) -> None:
    text = path.read_text("utf-8")
    text = text.split("## Command line\n")[1] if path.stem == "README" else text
    for line in "".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)).splitlines():
        if not line.startswith("kappascope app "):
            assert said(line) == 0, line
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        run(block, names)


def test_a_layout_is_read_as_it_stands() -> None:
    blocks = re.findall(r"## (A [^\n]+)\n\n((?:\|.*\n)+)", (ROOT / "docs" / "tables.md").read_text("utf-8"))
    assert len(blocks) == 6
    for heading, block in blocks:
        head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines())
        wide = {"item": "item", "human:ana": "ana", "judge:gpt": "gpt"} if "A column for each rater" in heading else None
        of_heading = {"A row for each rater": ("ana", "gpt"), "A row for each item and rater": ("ana", "ben")}.get(heading)
        roles = dict(zip(of_heading, ("human", "judge"), strict=True)) if of_heading else None
        ratings = metrics.read([dict(zip(head, row, strict=True)) for row in rows], columns=wide, roles=roles)
        assert (len(ratings.humans), len(ratings.judges)) == (1, 1), heading


def test_the_skill_says_when_it_is_for_and_names_no_command_that_is_not_there() -> None:
    _, front, body = (ROOT / "SKILL.md").read_text("utf-8").split("---\n", 2)
    known = yaml.safe_load(front)
    assert known["name"] == "kappascope"
    assert 50 < len(known["description"]) < 1024
    for name in re.findall(r"kappascope ([a-z-]+) ", body):
        assert name in commands.commands
    options = {option for command in commands.commands.values() for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z-]+", body)) <= options | {"--help"}


# The gate


@pytest.fixture
def gate(folder: Path) -> dict[str, str]:
    """The environment that the action gives its script; `kappascope` is the program of this checkout."""
    program = folder / "bin" / "kappascope"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m metrics "$@"\n', "utf-8")
    program.chmod(0o755)
    given = {"FILE": "labels.csv", "AGAINST": "", "MARGIN": "", "FAIL_UNDER": "", "REPORT": "report.json"}
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return os.environ | given | {"PATH": path, "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}


def gated(environment: dict[str, str]) -> int:
    script = yaml.safe_load(ACTION.read_text("utf-8"))["runs"]["steps"][-1]["run"]
    # As GitHub runs `shell: bash`.
    words = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]
    return subprocess.run(words, env=environment, check=False, capture_output=True).returncode


def test_the_action_is_pinned_and_hands_every_input_over_as_a_variable() -> None:
    action = yaml.safe_load(ACTION.read_text("utf-8"))
    steps = action["runs"]["steps"]
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"]) for step in steps if "uses" in step)
    assert not [step for step in steps if "${{" in step.get("run", "")]
    assert {name.upper().replace("-", "_") for name in action["inputs"]} == set(steps[-1]["env"])
    folder = (ACTION.parent / "../../..").resolve()
    assert (folder / "requirements.txt").exists()
    assert (folder / "pyproject.toml").exists()


def test_the_action_passes_and_fails_as_the_command_does(gate: dict[str, str], folder: Path) -> None:
    assert gated(gate | {"AGAINST": "last.json", "MARGIN": "kappa=0.05\nmacro.kappa=0.1"}) == 0
    assert (folder / "summary.md").read_text("utf-8").startswith("# Gate passed")
    assert json.loads((folder / "report.json").read_text("utf-8"))["version"] == 1
    assert gated(gate | {"FAIL_UNDER": "kappa=0.99"}) == 1
    assert (folder / "summary.md").read_text("utf-8").startswith("# Gate failed")
    assert gated(gate | {"FILE": "nothing here.csv"}) == 2


def test_the_gate_of_the_example_holds() -> None:
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(ROOT), "examples/test_gate.py"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


# In the dashboard


def test_the_dashboard_names_pages_that_are_there(pages: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    places = [place for entries in documents.CONTENTS.values() for place in entries.values()]
    assert [place for place in places if f"{place}.md" not in pages] == []
    record = records.METRICS["kappa"]
    monkeypatch.delenv(documents.VARIABLE, raising=False)
    assert documents.help_of(record) == record.answers
    assert documents.lacking()
    monkeypatch.setenv(documents.VARIABLE, "docs/")
    assert documents.help_of(record).endswith("(docs/metrics/kappa.html)")
    assert not documents.lacking()


# The built site


class Links(HTMLParser):
    """Addresses of a page, and the names of its places."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value is not None:
                self.found.append((tag, value))
            elif name in ("id", "name") and value:
                self.places.add(value)


def test_every_link_leads_to_a_page_and_a_place_on_it(site: Path) -> None:
    read = {path: Links(path.read_text("utf-8")) for path in site.rglob("*.html")}
    assert len(read) > 100
    broken = []
    for path, page in read.items():
        for tag, address in page.found:
            target, place = urldefrag(address)
            if tag == "a" and address.startswith("https://"):
                continue
            assert "//" not in address, f"{path}: {address} asks another server"
            file = (path.parent / unquote(target)).resolve() if target else path
            if not file.is_file() or (place and file.suffix == ".html" and unquote(place) not in read[file].places):
                broken.append(f"{path.relative_to(site)}: {address}")
    assert broken == []


def test_the_site_is_small_and_has_no_script_in_a_page(site: Path) -> None:
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < LARGEST
    for path in site.rglob("*.html"):
        text = path.read_text("utf-8")
        assert not re.search(r"<script>|<style|\sstyle=|\son\w+=", text), path
    assert (site / "search" / "search_index.json").exists()


def test_a_parameter_has_no_default_but_that_of_the_signature(site: Path) -> None:
    read = "".join(path.read_text("utf-8") for path in (site / "python").glob("*.html"))
    assert read.count("Parameters:</span>") > 20
    assert not re.search(r"default:\s*<code>", read)


@contextlib.contextmanager
def served(site: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    app = Starlette(routes=[Mount("/docs", serve.Documentation(directory=site, html=True))])
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{port}/docs"
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_the_policy_blocks_nothing(site: Path, scheme: Any) -> None:
    from tests.browser.axe import AXE, COLOURS, RUN, STANDARDS
    from tests.browser.conftest import chromium

    rules = {"type": "tag", "values": list(STANDARDS)} if scheme == "light" else {"type": "rule", "values": list(COLOURS)}
    found: list[str] = []
    with served(site) as address, chromium() as browser:
        context = browser.new_context(viewport={"width": 390 if scheme == "light" else 1440, "height": 900}, color_scheme=scheme)
        page = context.new_page()
        page.on("console", lambda message: found.append(message.text) if message.type in ("error", "warning") else None)
        page.on("request", lambda request: None if request.url.startswith((address, "data:")) else found.append(request.url))
        for name in LOOKED_AT:
            page.goto(f"{address}/{name}", wait_until="load")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than its window"
            page.evaluate(AXE)
            found += [f"{name}: {one['rule']} at {one['at']}" for one in page.evaluate(RUN, rules)]
        if scheme == "dark":
            page.wait_for_load_state("networkidle")
            page.get_by_role("textbox", name="Search").press_sequentially("Krippendorff")
            page.locator(".md-search-result__link").first.wait_for()
        context.close()
    assert found == []


def test_the_wheel_holds_the_site_where_the_server_looks_for_it(tmp_path: Path) -> None:
    from deploy import building

    shutil.copytree(ROOT / "deploy", tmp_path / "deploy", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "docs" / "site" / "metrics").mkdir(parents=True)
    (tmp_path / "docs" / "site" / "metrics" / "kappa.html").write_text("κ", "utf-8")
    places = [place for pattern in building.PARTS if pattern.startswith("docs") for place in tmp_path.glob(pattern)]
    assert [place.relative_to(tmp_path).as_posix() for place in places] == ["docs/site/metrics/kappa.html"]
    assert serve.DOCS == serve.ROOT / "docs" / "site"
