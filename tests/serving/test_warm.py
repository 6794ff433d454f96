"""A server of one shows its first page to nobody before it says that it is ready."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from deploy import serve


class Told:
    """A runtime that notes what is asked of it, and answers with the end of a run or not at all."""

    def __init__(self, *, answers: bool) -> None:
        self.answers = answers
        self.said: list[str] = []

    def connect_session(self, client: Any, user_info: dict[str, Any]) -> str:
        self.client = client
        return "nobody"

    def handle_backmsg(self, session: str, message: BackMsg) -> None:
        self.said += [session, str(message.WhichOneof("type")), os.environ.get(serve.FILE, "no file")]
        if self.answers:
            self.client.write_forward_msg(ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY))

    def close_session(self, session: str) -> None:
        self.said.append(f"closed {session}")


@pytest.mark.parametrize("answers", [True, False])
def test_the_first_page_is_asked_for_and_the_session_closed(answers: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "LONGEST_WARMING", 30 if answers else 0.01)
    monkeypatch.setenv(serve.FILE, "own.csv")
    runtime = Told(answers=answers)
    asyncio.run(serve.warm(runtime))  # type: ignore[arg-type]
    assert runtime.said == ["nobody", "rerun_script", "no file", "closed nobody"]
    assert os.environ[serve.FILE] == "own.csv"
