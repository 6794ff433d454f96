"""Serve the dashboard to many: `make serve`, or `python deploy/production.py`.

Set by variables of the environment, all of them optional:

ADDRESS, PORT    where it listens, 127.0.0.1 and 8501
PROCESSES        how many servers, on as many ports from PORT on; put a proxy before them (deploy/nginx.conf)
UPLOAD_MB        largest file, 100
SESSION_MB       tables of one session together, in memory, 200; beside them its files as they were sent, up to twice that
SERVER_MB        all files of all sessions of one server together, as they were sent, 1000; 0 for no bound
FORGET_AFTER     seconds until a session whose browser is gone is forgotten, 30
HOSTS            names by which visitors may call it, with spaces between; all when empty
EMBED            origins that may show it in a frame, with spaces between; none when empty
KAPPASCOPE_LOGS  json, one object a line for every session, file and error; text for warnings and errors alone; nothing of a file
KAPPASCOPE_TIMINGS  1 for a line with the time of every run, which every page then says too
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from guards import OnlyPages, OwnSizes, SecurityHeaders, UploadQuota, headers, inline_scripts, own_page
from serve import ROOT, prepare
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from streamlit.web.server.starlette import starlette_server
from tidying import tidy

HEALTH = "/healthz"
MOST_FILES = 24
"""Of one session at a time, as they were sent: more than the dashboard ever asks for at once."""
MOST_HEARD = 4
"""MB of one message of a page to the server; Streamlit would gather 200 before it looks."""
ALLOTTED = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "2", "OPENBLAS_NUM_THREADS": "1"}
"""Read when a process starts: threads share places in memory, so that what they leave can be given back, and share the cores."""
IMPORTED_LATE = ("openpyxl", "plotly.graph_objs._figure", "plotly.offline", "pyarrow.pandas_compat", "typst")
"""By the pages, once they need them."""


@dataclass(frozen=True)
class Wanted:
    """How it is served."""

    address: str = "127.0.0.1"
    port: int = 8501
    processes: int = 1
    upload_mb: int = 100
    session_mb: int = 200
    server_mb: int = 1000
    forget_after: int = 30
    hosts: tuple[str, ...] = ()
    embed: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Wanted:
        read: dict[str, Any] = {}
        for name, usual in vars(cls()).items():
            text = given.get(name.upper(), "").strip()
            if text:
                read[name] = tuple(text.split()) if isinstance(usual, tuple) else type(usual)(text)
        return cls(**read)

    @property
    def options(self) -> dict[str, Any]:
        """Options of Streamlit on top of `.streamlit/config.toml`."""
        return {
            "server.address": self.address,
            "server.port": self.port,
            "server.headless": True,
            "server.fileWatcherType": "none",
            "server.runOnSave": False,
            "server.maxUploadSize": self.upload_mb,
            "server.maxCacheDataSize": "256mb",
            "server.maxWidgetStateSize": MOST_HEARD,
            "server.disconnectedSessionTTL": self.forget_after,
            "server.allowedHosts": list(self.hosts),
            # A frame on another site is sent cookies only when they are marked for it.
            "server.xsrfCookieSameSite": "none" if self.embed else "lax",
            "client.showErrorDetails": "none",
            "global.developmentMode": False,
            # What programs send there passes by the quota.
            "server.enableAgentApi": False,
            # To greet whoever starts it, Streamlit would ask a server elsewhere for the address of this one.
            "logger.hideWelcomeMessage": True,
        }


def application(wanted: Wanted) -> Any:
    """The dashboard as an ASGI application."""
    import streamlit as st

    sys.path.insert(0, str(ROOT))
    prepare()
    bound()
    os.environ.setdefault("KAPPASCOPE_LOGS", "json")
    os.environ["KAPPASCOPE_SESSION_MB"] = str(wanted.session_mb)
    scripts = inline_scripts(own_page(), *importlib.import_module("pages.shared.style").SCRIPTS)
    fixed = headers(scripts, wanted.embed)
    return st.App(
        ROOT / "app.py",
        routes=[Route(HEALTH, healthy)],
        middleware=[
            Middleware(SecurityHeaders, fixed=fixed),
            Middleware(OwnSizes),
            Middleware(OnlyPages),
            Middleware(
                UploadQuota, most_bytes=2 * wanted.session_mb << 20, most_files=MOST_FILES, most_of_all=wanted.server_mb << 20
            ),
        ],
        lifespan=settled,
        # Errors are answered outside of everything that is added here.
        exception_handlers={Exception: failed(fixed)},
    )


def bound() -> None:
    """How much of one visitor is taken before anything of Streamlit looks at it."""
    # What is sent has an option of its own, and this takes the same one.
    starlette_server.get_max_message_size_bytes = lambda: MOST_HEARD * 1_000_000
    # Whoever holds a thousand connections and says nothing would leave no place for others.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def failed(fixed: Mapping[str, str]) -> Callable[[Request, Exception], Response]:
    """The answer to an error that nothing expected."""
    return lambda _, __: PlainTextResponse("Internal Server Error", 500, fixed)


@asynccontextmanager
async def settled(app: Any) -> AsyncIterator[None]:
    """Nobody is served before everything is imported; then what was imported is never looked through for garbage again."""
    importlib.import_module("pages.shared.watch.runs").begin()
    import_everything()
    gc.collect()
    gc.freeze()
    # Full collections walk through what all visitors hold while nobody is answered; `tidy` collects when one has gone.
    gc.set_threshold(50_000, 20, 50)
    # An answer that is begun is ended before the next one: taking turns every 5 ms makes all of them late.
    sys.setswitchinterval(0.03)
    tidying = asyncio.create_task(tidy())
    try:
        yield
    finally:
        tidying.cancel()


def import_everything() -> None:
    """What is imported among the files of visitors takes longer for one of them, and keeps memory that those leave."""
    for folder in ("pages/shared", "metrics/report", "metrics/figures"):
        for file in sorted((ROOT / folder).rglob("[a-z]*.py")):
            importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
    for name in IMPORTED_LATE:
        importlib.import_module(name)


def healthy(request: Request) -> Response:
    from streamlit import runtime

    from metrics.version import __version__

    ready = runtime.exists() and runtime.get_instance().state.name not in ("INITIAL", "STOPPING", "STOPPED")
    return JSONResponse({"status": "ok" if ready else "stopping", "version": __version__}, 200 if ready else 503)


def several(wanted: Wanted) -> None:
    """Several servers side by side; one that ends is started again."""
    ports = range(wanted.port, wanted.port + wanted.processes)
    running = {port: started(port) for port in ports}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        while True:
            time.sleep(1)
            for port, process in running.items():
                if process.poll() is not None:
                    print(f"The server on port {port} ended ({process.returncode}) and is started again.", file=sys.stderr)
                    running[port] = started(port)
    except KeyboardInterrupt:
        pass
    finally:
        for process in running.values():
            process.terminate()
        for process in running.values():
            process.wait()


def started(port: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, __file__], env=os.environ | {"PORT": str(port), "PROCESSES": "1"})


def main() -> None:
    # A dump of a server that died would put the files of its visitors on the disk.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    lacking = {name: value for name, value in ALLOTTED.items() if name not in os.environ}
    if lacking:
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | lacking)
    wanted = Wanted.of(os.environ)
    if wanted.processes > 1:
        several(wanted)
    else:
        print(f"Kappascope on http://{wanted.address}:{wanted.port}", flush=True)
        application(wanted).run(config=wanted.options)


if __name__ == "__main__":
    main()
