"""The dashboard as it is served to many, which also tells a test what is alive in it and which files it opened to write."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "deploy")]
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND
WRITTEN: list[str] = []


def noted(event: str, args: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(args[0], str) and isinstance(args[2], int) and args[2] & WRITING:
        WRITTEN.append(args[0])
    elif event in ("os.mkdir", "os.rename", "os.link", "os.symlink", "tempfile.mkstemp", "tempfile.mkdtemp"):
        WRITTEN.append(f"{event} {args[0]}")


def counted(request: Any) -> Any:
    """Tables and ratings that came from an upload, what was written since the last time, and whether any state is everybody's."""
    from starlette.responses import JSONResponse
    from streamlit.runtime.state import session_state_proxy

    from metrics import Ratings
    from metrics.readers import TextTable
    from pages.shared.data.pending import Draft
    from pages.shared.state import Dataset

    gc.collect()
    alive = [own for own in gc.get_objects() if isinstance(own, Ratings | TextTable | Draft | Dataset)]
    samples = {path.name for path in (ROOT / "assets").iterdir()}
    kinds = [type(own).__name__ for own in alive if name_of(own) not in samples]
    written, WRITTEN[:] = list(WRITTEN), []
    everybodys = session_state_proxy._mock_session_state is not None
    return JSONResponse({"alive": {kind: kinds.count(kind) for kind in set(kinds)}, "written": written, "shared": everybodys})


def failing(request: Any) -> Any:
    raise RuntimeError("zqfailing")


def name_of(own: Any) -> str:
    """The file that an object was read from."""
    own = getattr(own, "ratings", own)
    read = getattr(own, "source", None) or getattr(own, "table", own)
    return str(read.name)


def main() -> None:
    import production
    from starlette.routing import Route

    wanted = production.Wanted.of(os.environ)
    app = production.application(wanted)
    app._user_routes = [*app._user_routes, Route("/counted", counted), Route("/failing", failing)]
    sys.addaudithook(noted)
    app.run(config=wanted.options)


if __name__ == "__main__":
    main()
