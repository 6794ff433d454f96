"""Strangers on one server: none sees anything of another, nothing is written down, nothing stays when they have gone."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.processes import running

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "benchmarks"))

from visitor import Visitor, answers  # noqa: E402

NAME = "labels.csv"
STARTING, GOING = 120, 60
PAGES = ("", "data", "lab", "report", "review")
TAKEN = ("", "lab", "review")


def labels(word: str, accuracy: int) -> bytes:
    """A file whose items, criterion, judge and comments hold a word of its owner."""
    rows = []
    for i in range(60):
        human = i % 3 > 0
        said = ["MET" if label else "UNMET" for label in (human, human != (i % accuracy == 0))]
        rows.append(",".join([f"{word}item{i}", f"{word}tone", f"{word}judge", *said, f"{word}text"]))
    return "\n".join(["item,criterion,judge,human,verdict,comment", *rows]).encode()


@dataclass
class Stranger(Visitor):
    """A visitor who keeps every byte that the server sends."""

    heard: bytearray = field(default_factory=bytearray)

    async def _receive(self) -> tuple[ForwardMsg, int]:
        assert self.socket is not None
        data = await asyncio.wait_for(self.socket.recv(), GOING)
        assert isinstance(data, bytes)
        self.heard += data
        got = ForwardMsg.FromString(data)
        self._note(got)
        return got, len(data)

    async def type(self, part: str, text: str) -> None:
        """Into the field whose key holds `part`."""
        key = self.key(part)
        self.states[key] = WidgetState(id=self.widget(key), string_value=text)
        await self.run()

    def key(self, part: str) -> str:
        return next(widget.split("-", 2)[2] for widget in self.widgets if part in widget)

    async def walk(self, take: tuple[str, ...] = ()) -> None:
        for path in PAGES:
            self.offered.clear()
            await self.go(path)
            if path in take:
                await self.downloads()

    async def downloads(self) -> list[bytes]:
        """Every file that the page in view offers."""
        self.addresses = [await self.made(button) for button in self.offered]
        return [await asyncio.to_thread(self.fetched, address) for address in self.addresses]

    async def made(self, button: str) -> str:
        """Where the file of a button is; empty when it is not made for this session."""
        asked = {"request_id": button, "session_id": self.session, "deferred_file": {"file_id": button}}
        await self._send(BackMsg(backend_operation_request=asked))
        while True:
            got, _ = await self._receive()
            if got.WhichOneof("type") == "backend_operation_response":
                return str(got.backend_operation_response.deferred_file.url)

    offered: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)

    def fetched(self, path: str) -> bytes:
        with urllib.request.urlopen(self.address + path, timeout=GOING) as reply:
            assert reply.headers["Cache-Control"] == "no-store"
            return bytes(reply.read())

    def _element(self, got: ForwardMsg) -> None:
        super()._element(got)
        element = got.delta.new_element
        if element.WhichOneof("type") == "download_button" and element.download_button.deferred_file_id:
            self.offered.append(element.download_button.deferred_file_id)


@dataclass
class Server:
    address: str
    log: Path
    home: Path

    def counted(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.address}/counted", timeout=GOING) as reply:
            found: dict[str, Any] = json.loads(reply.read())
            return found

    def has(self, path: str) -> bool:
        """Whether a file can be fetched by its address."""
        line = HTTPConnection(self.address.removeprefix("http://"), timeout=GOING)
        line.request("HEAD", path)
        return line.getresponse().status == 200


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("apart")
    home = folder / "home"
    home.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    own = {"PORT": port, "FORGET_AFTER": "1", "HOME": str(home), "TMPDIR": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("STREAMLIT_", "COV_", "KAPPASCOPE_"))
    }
    address, log = f"http://127.0.0.1:{port}", folder / "log"
    command = [sys.executable, str(ROOT / "tests" / "serving" / "counted.py")]
    with log.open("w") as out, running(command, cwd=ROOT, env=environment | own, stdout=out, stderr=out) as process:
        until = time.monotonic() + STARTING
        while not answers(address):
            if process.poll() is not None or time.monotonic() > until:
                pytest.fail(f"the server did not start:\n{log.read_text()}")
            time.sleep(0.2)
        yield Server(address, log, home)


async def opened(address: str, data: bytes) -> Stranger:
    one = Stranger(address)
    await one.come()
    await one.go("data")
    await one.drop("data.upload", NAME, data)
    return one


def test_strangers(server: Server) -> None:
    """Files of one name, of the same bytes with labels confirmed otherwise, a file that is refused; all at the same time."""
    addresses = asyncio.run(strangers(server))
    told = server.log.read_text()
    assert '"event": "read"' in told
    assert '"event": "refused"' in told
    assert "zq" not in told.lower()
    assert not [path for path in server.home.rglob("*") if path.is_file() and b"zq" in path.read_bytes().lower()]
    found = server.counted()
    assert found["written"] == []
    assert not found["shared"]
    until = time.monotonic() + GOING
    while (alive := server.counted()["alive"]) or any(map(server.has, addresses)):
        assert time.monotonic() < until, f"still there: {alive}"
        time.sleep(0.5)


def test_an_answer_that_fails_says_nothing_and_carries_the_headers(server: Server) -> None:
    with pytest.raises(urllib.error.HTTPError) as failed:
        urllib.request.urlopen(f"{server.address}/failing", timeout=GOING)
    with failed.value as reply:
        assert (reply.code, reply.read()) == (500, b"Internal Server Error")
        assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert "zqfailing" not in server.log.read_text()


async def strangers(server: Server) -> list[str]:
    """What every stranger hears and takes away; where the files were that they took."""
    mine, theirs = labels("zqmine", 5), labels("zqtheirs", 4)
    bad = b"item,zqbad,zqbad\n1,zqbad,zqbad\n"
    ann, bob, cat, dan = await asyncio.gather(*(opened(server.address, data) for data in (mine, theirs, mine, bad)))
    assert b"zqbad" in dan.heard
    await cat.click(cat.key("swap"))
    await asyncio.gather(*(one.click("data.use") for one in (ann, bob, cat)))
    await asyncio.gather(*(one.walk() for one in (ann, bob, cat, dan)))
    await asyncio.gather(ann.type("review.note", "zqannnote"), cat.type("review.note", "zqcatnote"))
    await asyncio.gather(*(one.go("report") for one in (ann, cat)))
    await asyncio.gather(ann.type("-tell ", "zqannreport"), cat.type("-tell ", "zqcatreport"))
    await asyncio.gather(bob.walk(TAKEN), *(one.walk() for one in (ann, cat, dan)))
    files = dict(zip("abc", await asyncio.gather(*(taken(one) for one in (ann, bob, cat))), strict=True))
    eve = Stranger(server.address)
    await eve.come()
    await eve.walk()
    assert [await eve.made(button) for button in ann.offered] == [""] * len(ann.offered)
    assert all(map(server.has, ann.addresses))
    owners = {
        "ann": (ann, files["a"], {b"zqmine", b"zqannnote", b"zqannreport"}),
        "bob": (bob, files["b"], {b"zqtheirs"}),
        "cat": (cat, files["c"], {b"zqmine", b"zqcatnote", b"zqcatreport"}),
        "dan": (dan, b"", {b"zqbad"}),
        "eve": (eve, b"", set()),
    }
    words = set().union(*(own for _, _, own in owners.values()))
    for name, (one, taken_away, own) in owners.items():
        seen = bytes(one.heard) + taken_away
        assert {word for word in words if word in seen} == own, name
        assert bool(taken_away) == (name in ("ann", "bob", "cat"))
    await asyncio.gather(*(one.go("") for one in (ann, cat)))
    assert ann.numbers != cat.numbers
    assert min(server.counted()["alive"].get(kind, 0) for kind in ("Dataset", "Ratings", "TextTable", "Draft")) >= 3
    await asyncio.gather(*(one.leave() for one in (ann, bob, cat, dan, eve)))
    return [*ann.addresses, *bob.addresses, *cat.addresses]


async def taken(one: Stranger) -> bytes:
    one.offered.clear()
    await one.go("report")
    return b"".join(await one.downloads())
