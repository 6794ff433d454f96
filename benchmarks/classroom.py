"""A class without browsers: a teacher who goes from step to step, and students whose pages ask every two seconds which it is."""

from __future__ import annotations

import asyncio
import math
import re
import time
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from visitor import Broken, Visitor

LAB, STEP = "lab", "lab_step"
CODE = re.compile(r"class=(\w+)")


@dataclass
class Person(Visitor):
    """Somebody in the lab: at which step, and since when."""

    seen: list[tuple[float, str]] = field(default_factory=list)
    code: str = ""

    async def enter(self, query: str = "") -> None:
        self.path, self.query = LAB, query
        await self.come()
        self.page = self.pages[LAB]

    def _note(self, got: ForwardMsg) -> None:
        super()._note(got)
        kind = got.WhichOneof("type")
        if kind == "page_info_changed":
            step = parse_qs(self.query).get(STEP, [""])[0]
            if step and (not self.seen or self.seen[-1][1] != step):
                self.seen.append((time.monotonic(), step))
        elif kind == "delta" and got.delta.new_element.WhichOneof("type") == "code":
            found = CODE.search(got.delta.new_element.code.code_text)
            self.code = found[1] if found else self.code


@dataclass
class Teacher(Person):
    """Opens a class, and turns its pages."""

    async def open_class(self) -> str:
        await self.enter()
        await self.click("class.open")
        if not self.code:
            raise Broken("the class has no link")
        return self.code

    async def on(self) -> tuple[float, str]:
        """Go to the next step; when Next was pressed, and which step it is."""
        pressed, before = time.monotonic(), len(self.seen)
        button = self.widget("lab.next")
        await self.ask(WidgetState(id=button, trigger_value=True), fragment=self.fragments[button])
        while len(self.seen) == before:
            await self._receive()
        return pressed, self.seen[-1][1]


@dataclass
class Student(Person):
    """Follows the link of a class as a browser does: each part of the page that looks by itself is asked for when it is due."""

    due: dict[str, tuple[float, float]] = field(default_factory=dict)

    async def follow(self, code: str, until: float) -> None:
        await self.enter(f"class={code}")
        while time.monotonic() < until:
            await self._look(until)

    def waited(self, pressed: float, step: str) -> float:
        """Return seconds from the teacher's press until this step came; NaN where it did not."""
        return next((when - pressed for when, at in self.seen if at == step and when >= pressed), math.nan)

    async def _look(self, until: float) -> None:
        now = time.monotonic()
        for fragment, (when, every) in list(self.due.items()):
            if when <= now:
                self.due[fragment] = now + every, every
                await self.ask(fragment=fragment, by_itself=True)
        following = min((when for when, _ in self.due.values()), default=until)
        try:
            async with asyncio.timeout(max(0.01, min(following, until) - time.monotonic())):
                await self._receive()
        except TimeoutError:
            return

    def _note(self, got: ForwardMsg) -> None:
        super()._note(got)
        kind = got.WhichOneof("type")
        if kind == "auto_rerun":
            every = float(got.auto_rerun.interval)
            self.due[got.auto_rerun.fragment_id] = time.monotonic() + every, every
        elif kind == "navigation":  # the whole page runs, and says anew what of it looks by itself
            self.due.clear()
