"""Serve the dashboard to one person: `python deploy/serve.py [any option of streamlit run]`."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from starlette.formparsers import MultiPartParser
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from streamlit import config, net_util
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.web.cli import main
from streamlit.web.server.starlette import starlette_app

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER if (FOLDER / "app.py").exists() else FOLDER.parent
"""Where the dashboard lies: beside this file in an installed package, above it in a checkout."""
FILE = "KAPPASCOPE_FILE"
"""Names the file that every session begins with."""
DOCS, ADDRESS = ROOT / "docs" / "site", "KAPPASCOPE_DOCS"
"""The documentation where it is built, and what names its address to the pages, seen from theirs."""
DOCS_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Of its pages, which are files and ask nothing of any other server."""
LONGEST_UPLOAD = 1 << 40
LONGEST_WARMING = 30
"""Seconds, after which a server says that it is ready, warm or not."""
_routes, _start = starlette_app.create_streamlit_routes, Runtime.start
_whole = SafeSessionState.filtered_state.fget


class Looked(Mapping[str, Any]):
    """What a session holds, put together when all of it is asked for, and not for one value."""

    def __init__(self, state: SafeSessionState) -> None:
        self.state = state

    def __getitem__(self, key: str) -> Any:
        with self.state._lock:
            return self.state._state[key]

    def __contains__(self, key: object) -> bool:
        with self.state._lock:
            return key in self.state._state

    def __iter__(self) -> Iterator[str]:
        return iter(_whole(self.state))

    def __len__(self) -> int:
        return len(_whole(self.state))


class Documentation(StaticFiles):
    """The built site, under a policy of its own."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Content-Security-Policy"] = DOCS_POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        return response


class Nobody:
    """A visitor who waits for one page and looks at nothing."""

    client_context = None

    def __init__(self) -> None:
        self.served = asyncio.Event()

    def write_forward_msg(self, message: ForwardMsg) -> None:
        if message.WhichOneof("type") == "script_finished":
            self.served.set()


async def warm(runtime: Runtime) -> None:
    """Show the first page to nobody, so that what it needs is there for whoever comes; a named file is left to them."""
    nobody, file = Nobody(), os.environ.pop(FILE, "")
    session = runtime.connect_session(nobody, {})
    try:
        runtime.handle_backmsg(session, BackMsg(rerun_script=ClientState()))
        await asyncio.wait_for(nobody.served.wait(), LONGEST_WARMING)
    except TimeoutError:
        pass
    finally:
        runtime.close_session(session)
        os.environ.update({FILE: file} if file else {})


async def started(runtime: Runtime) -> None:
    """Start, and be warm before anybody is answered."""
    await _start(runtime)
    await warm(runtime)


def routes(runtime: Runtime) -> list[BaseRoute]:
    """What the server answers: the documentation, and what Streamlit does."""
    base = str(config.get_option("server.baseUrlPath")).strip("/")
    return [Mount(f"/{base}/docs" if base else "/docs", Documentation(directory=DOCS, html=True)), *_routes(runtime)]


def prepare() -> None:
    """What must be so before any server of the dashboard starts."""
    # Streamlit takes a folder named `pages` for its older kind of app until the first session has run, and
    # greets a first visitor who follows a deep link with "Page not found". This app declares its pages itself.
    PagesManager.uses_pages_directory = False
    # What is uploaded stays in memory: beyond this size the parser of forms would put it into a file on the disk.
    MultiPartParser.spool_max_size = LONGEST_UPLOAD
    # To judge a caller of another origin, Streamlit would ask a server elsewhere for the address of this one, and everybody
    # here would wait for the answer. Whoever opens the dashboard by that very address is of the same origin and needs no asking.
    net_util.get_external_ip = lambda: None
    # Every chooser of a page asks for one value of its session, and Streamlit would put all of them together each time.
    SafeSessionState.filtered_state = property(Looked)
    os.environ.pop(ADDRESS, None)
    if (DOCS / "index.html").exists():
        os.environ[ADDRESS] = "docs/"
        starlette_app.create_streamlit_routes = routes
    os.chdir(ROOT)


def serve(arguments: list[str], file: str = "") -> None:
    """Serve until stopped; with the path of a file, every session begins with it."""
    if file:
        os.environ[FILE] = str(Path(file).resolve())
    prepare()
    Runtime.start = started  # type: ignore[method-assign, assignment]
    main(["run", str(ROOT / "app.py"), *arguments], prog_name="streamlit")


if __name__ == "__main__":
    serve(sys.argv[1:])
