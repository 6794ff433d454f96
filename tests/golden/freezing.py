"""All that is frozen, file by file; run as a script it writes the golden files anew."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.golden.analyses import of_analyses  # noqa: E402
from tests.golden.runs import COMMANDS, WITHOUT_FILE, Frozen, computed_once, of_command, of_report  # noqa: E402
from tests.golden.sources import FILES  # noqa: E402

NO_FILE = "without a file"
SOURCES = (*FILES, NO_FILE)


def freeze(source: str, folder: Path) -> dict[str, Frozen]:
    """Compute everything of a source, by command; made-up files are written to the folder."""
    if source == NO_FILE:
        return {command: of_command(command, "", folder) for command in WITHOUT_FILE}
    with computed_once():
        of_file = {command: of_command(command, source, folder) for command in COMMANDS}
        of_file["report"] = of_report(source, folder)
    return of_file | {"analyses": of_analyses(source, folder)}


def files_of(source: str, folder: Path) -> dict[Path, str]:
    """Name each golden file of a source, and give its text."""
    place, texts = source.replace(" ", "_"), {}
    for command, frozen in freeze(source, folder).items():
        texts[HERE / "numbers" / place / f"{command}.txt"] = "\n".join(frozen.numbers) + "\n"
        texts[HERE / "texts" / place / f"{command}.txt"] = "\n".join(frozen.texts) + "\n"
    return texts


def main() -> None:
    texts: dict[Path, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for source in SOURCES:
            texts |= files_of(source, Path(folder))
    for kind in ("numbers", "texts"):
        shutil.rmtree(HERE / kind, ignore_errors=True)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
