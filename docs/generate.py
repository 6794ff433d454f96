"""Write what the site is built from, `build/docs`: the pages of `docs`, the notebooks, and a page for every record.

`make docs` runs it, and mkdocs on what it writes. A metric, a format, a command and a public name have a page because they have
a record; no page repeats what a record says.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from docs import notebooks, records
from metrics.commands.cli import EXITS
from metrics.intervals import default
from metrics.report.as_markdown import escaped

BUILD, SITE = ROOT / "build" / "docs", ROOT / "docs" / "site"
NOTEBOOKS = ("check_a_judge", "teach_the_paradox", "review_a_rubric", "compare_two_prompts")
PLACE = re.compile(r"\{\{ (\w+)(?: ([^}]+))? \}\}")
COUNTS = ("FEW_ITEMS", "FEW_DISAGREEMENTS", "FEW_IN_MARGIN", "FEW_UNITS", "FEW_IN_ERROR", "MOST_CLASSES")
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
NEEDLESS = ("**/*.map", "assets/javascripts/lunr", "sitemap.xml*", "404.html")
"""What mkdocs adds, and nobody who reads the site here asks for."""


def measured(heading: str) -> str:
    """The first words and the first table of a section of the benchmarks: what was measured, and what came out."""
    text = (ROOT / "benchmarks" / "README.md").read_text("utf-8")
    section = text.split(f"## `{heading}")[1].split("\n## ")[0].partition("\n")[2].strip()
    blocks = section.split("\n\n")
    end = next(place for place, block in enumerate(blocks) if block.startswith("|"))
    return "\n\n".join(blocks[: end + 1]).replace("| | ", "| case | ", 1)


def terms() -> str:
    """The words of the field, as the page on how Kappascope is built has them, and the metrics."""
    section = (ROOT / "ARCHITECTURE.md").read_text("utf-8").split("## Glossary\n")[1]
    entries = re.split(r";\s+(?=\*\*)", " ".join(section.split()).rstrip("."))
    split = sorted((re.match(r"((?:\*\*[^*]+\*\*(?:, )?)+) (.+)", entry).groups() for entry in entries), key=str)
    rows = [(name, text.replace("|", "\\|")) for name, text in split]
    known = sorted(records.METRICS.values(), key=lambda one: one.name.casefold())
    numbers = [(f"[{escaped(one.name)}](metrics/{one.key}.md)", escaped(one.answers)) for one in known]
    return "\n\n".join([records.table(("word", "meaning"), rows), "## Numbers", records.table(("number", "meaning"), numbers)])


def exits() -> str:
    return records.table(("exit code", "when"), [(f"`{code}`", escaped(when)) for code, when in EXITS.items()])


FILLS: dict[str, Callable[..., str]] = {
    "measured": measured,
    "terms": terms,
    "exits": exits,
    "help": lambda: notebooks.fenced(records.whole_help()),
    "action": lambda: notebooks.fenced((ROOT / ".github/actions/kappascope/action.yml").read_text("utf-8"), "yaml"),
    "gate_test": lambda: notebooks.fenced((ROOT / "examples/test_gate.py").read_text("utf-8"), "python"),
} | {name: (lambda name=name: str(getattr(default, name))) for name in COUNTS}
"""What stands in the place of `{{ name }}` on a page of `docs`; a word behind the name goes to what makes it."""


def filled(text: str) -> str:
    return PLACE.sub(lambda match: FILLS[match[1]](*([match[2]] if match[2] else [])), text)


def pages() -> dict[str, str | bytes]:
    """Every file of the site's source, by its path."""
    made: dict[str, str | bytes] = {path.name: filled(path.read_text("utf-8")) for path in sorted((ROOT / "docs").glob("*.md"))}
    made["extra.css"] = (ROOT / "docs" / "extra.css").read_text("utf-8")
    made["screenshot.png"] = (ROOT / "assets" / "screenshot.png").read_bytes()
    for name in NOTEBOOKS:
        page = notebooks.page(ROOT / "examples" / f"{name}.ipynb")
        made |= {f"tutorials/{file}": picture for file, picture in page.pictures.items()}
        made[f"tutorials/{name}.md"] = "\n\n".join(page.parts)
    made["agents.md"] = (ROOT / "SKILL.md").read_text("utf-8").split("---\n", 2)[2]
    made["commands.md"] = records.command_page()
    made["metrics/index.md"] = records.metric_index()
    made |= {f"metrics/{key}.md": records.metric_page(record) for key, record in records.METRICS.items()}
    made["formats/index.md"] = records.format_index()
    made |= {f"formats/{records.slug(tool)}.md": records.format_page(tool, forms) for tool, forms in records.tools().items()}
    made["python/index.md"] = records.python_index()
    made |= {f"python/{room}.md": records.python_page(room, there) for room, there in records.rooms().items()}
    return made


def nav() -> list[Any]:
    """The menu."""
    grouped = {
        title: [f"metrics/{key}.md" for key, record in records.METRICS.items() if records.group_of(record) == group]
        for group, title in records.GROUPS.items()
    }
    exports = [f"formats/{records.slug(tool)}.md" for tool in records.tools()]
    return [
        {"Where to begin": "index.md"},
        {"Tutorials": [f"tutorials/{name}.md" for name in NOTEBOOKS]},
        {"Files": ["tables.md", {"Exports of tools": ["formats/index.md", *exports]}, "large.md"]},
        {"Numbers": ["metrics/index.md", "intervals.md", *({title: listed} for title, listed in grouped.items())]},
        {"Commands": ["lines.md", "pipeline.md", "commands.md", "agents.md"]},
        {"Python": ["python/index.md", *(f"python/{room}.md" for room in records.rooms())]},
        {"Reference": ["glossary.md", "errata.md"]},
    ]


def write(build: Path = BUILD, site: Path = SITE) -> None:
    """Write the pages and the configuration of mkdocs, in JSON, which is YAML."""
    shutil.rmtree(build, ignore_errors=True)
    for name, content in pages().items():
        path = build / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    config = {"INHERIT": str(ROOT / "docs" / "mkdocs.yml"), "docs_dir": "pages", "site_dir": str(site), "nav": nav()}
    config["hooks"] = [str(ROOT / "docs" / "hooks.py")]
    config["plugins"] = {"mkdocstrings": {"handlers": {"python": {"paths": [str(ROOT)]}}}}
    (build / "mkdocs.yml").write_text(json.dumps(config, indent=1), "utf-8")


def tidy(site: Path = SITE) -> None:
    """Take out of the built site what nobody asks for, and put every script into a file, so that a policy can forbid others."""
    for pattern in NEEDLESS:
        for path in site.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for page in site.rglob("*.html"):
        up = "../" * (len(page.relative_to(site).parts) - 1)
        page.write_text(INLINE.sub(partial(_apart, site, up), page.read_text("utf-8")), "utf-8")


def _apart(site: Path, up: str, inline: re.Match[str]) -> str:
    name = f"assets/javascripts/{hashlib.sha256(inline[1].encode()).hexdigest()[:12]}.js"
    (site / name).write_text(inline[1], "utf-8")
    return f'<script src="{up}{name}"></script>'


if __name__ == "__main__":
    tidy() if sys.argv[1:] == ["tidy"] else write()
