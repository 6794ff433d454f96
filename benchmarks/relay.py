"""A relay between the browser and the server, which notes when the words of each pass.

The browser's own clock says when it gets round to reading a word, which is after it has drawn the words before it; here is seen
what the server and the way take.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from time import perf_counter
from urllib.parse import urlsplit

PIECE = 1 << 18
PING_AND_PONG, LONGEST_SIGN = (0x89, 0x8A), 16


@dataclass
class Relay:
    """What went past since the last `forget`: seconds of a clock, for each piece."""

    address: str = ""
    asked: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    size: int = 0
    """Bytes of the answer."""

    def forget(self) -> None:
        self.asked.clear()
        self.answered.clear()
        self.size = 0

    @property
    def took(self) -> float:
        """Milliseconds from the first piece of a question to the last piece of its answer."""
        return 1000 * (self.answered[-1] - self.asked[0])

    async def between(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, target: int) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", target)
        with suppress(asyncio.CancelledError):
            await asyncio.gather(_pass_on(reader, back, self.heard_of_page), _pass_on(there, writer, self.heard_of_server))

    def heard_of_page(self, piece: bytes) -> None:
        self.asked.append(perf_counter())

    def heard_of_server(self, piece: bytes) -> None:
        self.answered.append(perf_counter())
        self.size += len(piece)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, heard: Callable[[bytes], None]) -> None:
    try:
        while piece := await reader.read(PIECE):
            if not _is_a_sign_of_life(piece):
                heard(piece)
            writer.write(piece)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


def _is_a_sign_of_life(piece: bytes) -> bool:
    """A ping or pong of the socket and nothing else, which says nothing of the page."""
    return len(piece) <= LONGEST_SIGN and piece[0] in PING_AND_PONG


async def _end() -> None:
    """Whatever still stands between is let go."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


@contextmanager
def relaying(address: str) -> Iterator[Relay]:
    """Stand between a server on this machine and whoever asks at `Relay.address`."""
    relay, ready, loop = Relay(), threading.Event(), asyncio.new_event_loop()
    target = urlsplit(address).port
    assert target is not None

    async def stand() -> None:
        server = await asyncio.start_server(lambda reader, writer: relay.between(reader, writer, target), "127.0.0.1", 0)
        relay.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        ready.set()

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.create_task(stand())
        loop.run_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait()
    try:
        yield relay
    finally:
        asyncio.run_coroutine_threadsafe(_end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
