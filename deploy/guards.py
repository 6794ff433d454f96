"""What stands between visitors and the dashboard: headers of every answer, what is heard of a visitor, how much is uploaded."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import streamlit
from google.protobuf.message import DecodeError
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

INLINE = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
FILES = "/media/"
UPLOADS = "/_stcore/upload_file/"
SIZES = "/_stcore/metrics"
DOCUMENTS, POLICY = "/docs/", "Content-Security-Policy"
HERE = "127.0.0.1", "::1"
PASSED_ON = "x-forwarded-for", "forwarded", "x-real-ip", "via"
FRAMING = 16 * 1024
"""Bytes that a form may add to the file that it carries."""
PATIENCE, SLOWEST = 30.0, 16 * 1024
"""Seconds that an upload may stand still at its start, and bytes a second that it brings afterwards at least."""
HEARD = "rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request"
MOST_ADDRESSES = 1000
"""For uploads, asked for at once: each takes the server's time while everybody else waits."""
NOT_NEEDED = (
    "accelerometer", "autoplay", "bluetooth", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer",
    "microphone", "midi", "payment", "serial", "usb",
)  # fmt: skip


def inline_scripts(*pages: str) -> Iterator[str]:
    """The scripts that stand in these pieces of HTML, as a policy names them: by their digests."""
    for script in (found for page in pages for found in INLINE.findall(page)):
        yield f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def own_page() -> str:
    """The page that Streamlit serves at every address."""
    return (Path(streamlit.__file__).parent / "static" / "index.html").read_text("utf-8")


def headers(scripts: Iterable[str], embedders: Sequence[str] = ()) -> dict[str, str]:
    """Headers of every answer.

    Parameters
    ----------
    scripts : iterable of str
        Digests of the inline scripts that may run.
    embedders : sequence of str
        Origins that may show the dashboard in a frame.
    """
    policy = {
        "default-src": "'none'",
        # Streamlit loads the scripts of components from blobs that it makes itself, and counts with a little WebAssembly.
        "script-src": " ".join(["'self'", "blob:", "'wasm-unsafe-eval'", *scripts]),
        # Every rule of style that Streamlit and plotly write stands in the page.
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self' data: blob:",
        "worker-src": "'self' blob:",
        "manifest-src": "'self'",
        "form-action": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": " ".join(embedders) or "'none'",
    }
    fixed = {
        POLICY: "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Permissions-Policy": ", ".join(f"{name}=()" for name in NOT_NEEDED),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "cross-origin" if embedders else "same-origin",
    }
    return fixed if embedders else fixed | {"X-Frame-Options": "DENY"}


class SecurityHeaders:
    """Puts the headers on every answer, whoever gives it."""

    def __init__(self, app: ASGIApp, fixed: dict[str, str]) -> None:
        self.app, self.fixed = app, fixed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                own = DOCUMENTS in scope["path"] and POLICY in sent  # stricter than that of the dashboard
                sent.update({name: value for name, value in self.fixed.items() if not own or name != POLICY})
                if scope["path"].startswith(FILES):
                    # What was made for a visitor is in the file it is saved as, and in no cache on the way.
                    sent["Cache-Control"] = "no-store"
            await send(message)

        await self.app(scope, receive, dressed)


class OwnSizes:
    """How many sessions there are and how much they hold is told to this machine alone, and to nobody through a proxy on it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and SIZES in scope["path"] and not _from_here(scope):
            await PlainTextResponse("Not found", 404)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _from_here(scope: Scope) -> bool:
    host = (scope.get("client") or ("",))[0]
    return host in HERE and not any(name in Headers(scope=scope) for name in PASSED_ON)


class OnlyPages:
    """Hears from a visitor what the pages of the dashboard say, and passes over what else Streamlit would act on.

    Whoever speaks by websocket without a page could have the caches of all emptied, the files of the server's repository
    listed, and as many addresses for uploads made as fit into a message.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def heard() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive" or _of_a_page(message.get("bytes")):
                    return message

        await self.app(scope, heard if scope["type"] == "websocket" else receive, send)


def _of_a_page(said: bytes | None) -> bool:
    try:
        message = BackMsg.FromString(said or b"")
    except DecodeError:
        return True  # Streamlit ends such a connection
    return message.WhichOneof("type") in HEARD and len(message.file_urls_request.file_names) <= MOST_ADDRESSES


class UploadQuota:
    """Refuses an upload that would leave the server with more of one session, or of all together, than it may hold.

    The page says how much a session may open, in words; this holds against clients that never look at the page.
    """

    def __init__(self, app: ASGIApp, most_bytes: int, most_files: int, most_of_all: int = 0) -> None:
        self.app, self.most_bytes, self.most_files, self.most_of_all = app, most_bytes, most_files, most_of_all
        self.coming: Counter[str] = Counter()
        self.files_coming: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT" or UPLOADS not in scope["path"]:
            await self.app(scope, receive, send)
            return
        session, _, file = scope["path"].partition(UPLOADS)[2].partition("/")
        length = Headers(scope=scope).get("content-length", "")
        if not length.isdigit():
            await PlainTextResponse("An upload must say how long it is.", 411)(scope, receive, send)
            return
        refusal = self.refusal(session, file, int(length))
        if refusal:
            await PlainTextResponse(refusal, 413)(scope, receive, send)
            return
        self.coming[session] += int(length)
        self.files_coming[session] += 1
        try:
            await self.app(scope, in_time(receive), send)
        except ClientDisconnect:
            await PlainTextResponse("The upload stood still.", 408, {"Connection": "close"})(scope, receive, send)
        finally:
            self.coming[session] -= int(length)
            self.files_coming[session] -= 1
            if not self.files_coming[session]:
                del self.coming[session], self.files_coming[session]

    def refusal(self, session: str, file: str, length: int) -> str:
        """Why a file of this session is not taken, in one sentence; empty when it is."""
        before = held(session)
        sizes = {name: size for name, size in before.items() if name != file}
        if len(sizes) + self.files_coming[session] >= self.most_files:
            return f"One session may hold {self.most_files} files at a time. Remove one and try again."
        if sum(sizes.values()) + self.coming[session] + length > self.most_bytes + FRAMING:
            return f"One session may hold {self.most_bytes >> 20} MB of files. Remove one and try again."
        if self.most_of_all and held_of_all() - before.get(file, 0) + self.coming.total() + length > self.most_of_all + FRAMING:
            return "This server holds as many files as it can now. Try again later."
        return ""


def in_time(receive: Receive) -> Receive:
    """What comes, for as long as it comes fast enough: an upload that stands still would keep the place of another."""
    began, size = asyncio.get_running_loop().time(), 0

    async def received() -> Message:
        nonlocal size
        try:
            async with asyncio.timeout_at(began + PATIENCE + size / SLOWEST):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        size += len(message.get("body", b""))
        return message

    return received


def held(session: str) -> dict[str, int]:
    """Sizes of the files that the server holds for the uploader of a session."""
    return {name: len(file.data) for name, file in list(uploads().file_storage.get(session, {}).items())}


def held_of_all() -> int:
    """Bytes of the files that the server holds for all sessions."""
    return sum(sum(held(session).values()) for session in list(uploads().file_storage))


def uploads() -> MemoryUploadedFileManager:
    manager = runtime.get_instance().uploaded_file_mgr
    assert isinstance(manager, MemoryUploadedFileManager)
    return manager
