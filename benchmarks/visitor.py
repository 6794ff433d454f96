"""A visitor without a browser: speaks to the dashboard by websocket and by its upload address, as Streamlit's own page does.

What the server sends is kept only as far as the next message needs it: where the widgets are, and which messages a browser has.
"""

from __future__ import annotations

import asyncio
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from time import perf_counter
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

STREAM, HEALTH, COOKIE = "/_stcore/stream", "/_stcore/health", "_streamlit_xsrf"
DONE = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_EARLY_FOR_RERUN, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
LARGEST, MOST_KEPT, PATIENCE = 1 << 27, 400, 120.0


class Broken(Exception):
    """The page answered with an error, or with something else than was asked for."""


@dataclass
class Run:
    """What one run of the page sent."""

    seconds: float
    figures: int
    messages: int
    size: int


@dataclass
class Visitor:
    """One session; `address` is that of its server."""

    address: str
    socket: ClientConnection | None = None
    session: str = ""
    token: str = ""
    cookies: dict[str, str] = field(default_factory=dict)
    page: str = ""
    path: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    widgets: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    states: dict[str, WidgetState] = field(default_factory=dict)
    cached: dict[str, bool] = field(default_factory=dict)
    replies: dict[str, ForwardMsg] = field(default_factory=dict)
    query: str = ""
    fragments: dict[str, str] = field(default_factory=dict)

    async def come(self) -> Run:
        """Open the dashboard at its first page."""
        await asyncio.to_thread(self._greet)
        place = urlsplit(self.address)
        self.socket = await connect(
            f"ws://{place.netloc}{STREAM}",
            origin=self.address,  # type: ignore[arg-type]
            subprotocols=["streamlit", self.token],  # type: ignore[list-item]
            additional_headers={"Cookie": self._cookie},
            max_size=LARGEST,
            compression=None,
            ping_timeout=None,
        )
        return await self.run()

    async def leave(self) -> None:
        if self.socket is not None:
            await self.socket.close()

    async def go(self, path: str) -> Run:
        """To another page, by its address."""
        self.page, self.path = self.pages[path], path
        return await self.run()

    async def click(self, key: str) -> Run:
        pressed = WidgetState(id=self.widget(key), trigger_value=True)
        return await self.run(pressed)

    async def choose(self, key: str, shown: str, *, several: bool = False) -> Run:
        """An answer of a radio or a list by the words that it shows; `several` for a row of buttons."""
        state = WidgetState(id=self.widget(key))
        if several:
            state.string_array_value.data.append(shown)
        else:
            state.string_value = shown
        self.states[key] = state
        return await self.run()

    async def drop(self, key: str, name: str, data: bytes) -> Run:
        """A file dropped into an uploader, over the address that the server gives for it."""
        request = uuid.uuid4().hex
        await self._send(BackMsg(file_urls_request={"request_id": request, "file_names": [name], "session_id": self.session}))
        reply = await self._heard(request)
        urls = reply.file_urls_response.file_urls[0]
        status = await asyncio.to_thread(self._put, urls.upload_url, name, data)
        if status != 204:
            raise Broken(f"the upload was answered with {status}")
        state = WidgetState(id=self.widget(key))
        state.file_uploader_state_value.uploaded_file_info.add(name=name, size=len(data), file_id=urls.file_id, file_urls=urls)
        self.states[key] = state
        return await self.run()

    def widget(self, key: str) -> str:
        found = [widget for widget in self.widgets if widget.endswith(f"-{key}")]
        if not found:
            raise Broken(f"no widget {key} on the page")
        return found[-1]

    async def run(self, *pressed: WidgetState) -> Run:
        """Ask for the page with the answers given so far, and wait until it is whole."""
        start = perf_counter()
        await self.ask(*pressed)
        figures = messages = size = 0
        while True:
            got, length = await self._receive()
            messages, size = messages + 1, size + length
            figures += self._is_figure(got)
            if got.WhichOneof("type") == "script_finished" and got.script_finished in DONE:
                if got.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    figures = 0
                    continue
                return Run(perf_counter() - start, figures, messages, size)

    async def ask(self, *pressed: WidgetState, fragment: str = "", by_itself: bool = False) -> None:
        """Ask for the page, or for a fragment of it, `by_itself` as a page does every so often; without waiting."""
        message = BackMsg()
        asked = message.rerun_script
        asked.query_string, asked.fragment_id, asked.is_auto_rerun = self.query, fragment, by_itself
        asked.page_script_hash, asked.page_name = self.page, self.path
        asked.widget_states.widgets.extend([*self.states.values(), *pressed])
        asked.cached_message_hashes.extend(self.cached)
        asked.context_info.timezone, asked.context_info.locale, asked.context_info.color_scheme = "UTC", "en", "light"
        asked.context_info.url = self.address
        await self._send(message)

    async def _receive(self) -> tuple[ForwardMsg, int]:
        assert self.socket is not None
        data = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        assert isinstance(data, bytes)
        got = ForwardMsg.FromString(data)
        self._note(got)
        return got, len(data)

    async def _heard(self, request: str) -> ForwardMsg:
        while request not in self.replies:
            await self._receive()
        return self.replies.pop(request)

    async def _send(self, message: BackMsg) -> None:
        assert self.socket is not None
        await self.socket.send(message.SerializeToString())

    def _note(self, got: ForwardMsg) -> None:
        kind = got.WhichOneof("type")
        if got.metadata.cacheable and kind != "ref_hash":
            self.cached[got.hash] = _has_figure(got)
            while len(self.cached) > MOST_KEPT:
                del self.cached[next(iter(self.cached))]
        if kind == "new_session":
            self.session = got.new_session.initialize.session_id or self.session
            self.page = got.new_session.page_script_hash
            self.widgets.clear()
            self.numbers.clear()
        elif kind == "navigation":
            self.pages = {page.url_pathname: page.page_script_hash for page in got.navigation.app_pages}
        elif kind == "page_info_changed":
            self.query = got.page_info_changed.query_string
        elif kind == "file_urls_response":
            self.replies[got.file_urls_response.response_id] = got
        elif kind == "delta" and got.delta.WhichOneof("type") == "new_element":
            self._element(got)

    def _element(self, got: ForwardMsg) -> None:
        element = got.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise Broken(f"{element.exception.type}: {element.exception.message}")
        if kind == "metric":
            self.numbers[element.metric.label] = element.metric.body
        own = getattr(element, kind) if kind else None
        if own is not None and "id" in own.DESCRIPTOR.fields_by_name:
            self.widgets[own.id] = str(kind)
            self.fragments[own.id] = got.delta.fragment_id

    def _is_figure(self, got: ForwardMsg) -> bool:
        return self.cached.get(got.ref_hash, False) if got.WhichOneof("type") == "ref_hash" else _has_figure(got)

    @property
    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def _greet(self) -> None:
        with self._asked("GET", HEALTH) as reply:
            reply.read()
        self.token = self.cookies.get(COOKIE, "")

    def _put(self, where: str, name: str, data: bytes) -> int:
        mark = uuid.uuid4().hex
        head = f'--{mark}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\nContent-Type: text/csv\r\n\r\n'
        body = head.encode() + data + f"\r\n--{mark}--\r\n".encode()
        sent = {"Content-Type": f"multipart/form-data; boundary={mark}", "X-Xsrftoken": self.token}
        with self._asked("PUT", where, body, sent) as reply:
            reply.read()
            return int(reply.status)

    def _asked(self, method: str, where: str, body: bytes | None = None, sent: dict[str, str] | None = None):  # type: ignore[no-untyped-def]
        line = HTTPConnection(urlsplit(self.address).netloc, timeout=PATIENCE)
        line.request(method, where, body, (sent or {}) | {"Cookie": self._cookie})
        reply = line.getresponse()
        for cookie in reply.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name.strip()] = value.strip()
        return reply


def _has_figure(got: ForwardMsg) -> bool:
    return got.WhichOneof("type") == "delta" and got.delta.new_element.WhichOneof("type") == "plotly_chart"


def answers(address: str) -> bool:
    """Whether a server is there and ready."""
    line = HTTPConnection(urlsplit(address).netloc, timeout=2)
    with suppress(OSError):
        line.request("GET", HEALTH)
        return line.getresponse().status == 200
    return False
