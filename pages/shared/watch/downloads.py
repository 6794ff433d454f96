"""Files that are made for one person are found by that person's browser only.

Streamlit names a download after its content and looks, in one of more than 1 MiB, at three samples of it. Two files that differ
elsewhere only would have one name, and whoever asked second would be given what was made for the first. It makes a file for
everybody who knows what its button is called, and forgets it, before its browser has come for it, once others draw their pages.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from pathlib import PurePosixPath

from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest
from streamlit.proto.ForwardMsg_pb2 import BackendOperationResponse
from streamlit.runtime import memory_media_file_storage as storage
from streamlit.runtime.backend_operation_handler import DeferredFileHandler
from streamlit.runtime.media_file_manager import MediaFileManager

KEY = secrets.token_bytes(32)
"""Of this process: nobody can tell the address of a file from what it holds."""
REFUSED = "This file was offered to somebody else."
MOST_AT_ONCE = 4
BUSY = f"{MOST_AT_ONCE} files are being made for this session. Ask again when they are there."
_under_way: Counter[str] = Counter()
_made = DeferredFileHandler.handle


def keep_apart() -> None:
    """Name every file after all of its bytes, and so that the name cannot be guessed; make it for its own session only."""
    storage._calculate_file_id = _address
    DeferredFileHandler.handle = _made_for_its_own  # type: ignore[method-assign]


def _address(data: bytes, mimetype: str, filename: str | None = None) -> str:
    named = hashlib.blake2b(key=KEY, digest_size=32)
    for part in (mimetype.encode(), b"" if filename is None else b"named " + filename.encode("utf-8", "surrogatepass")):
        named.update(len(part).to_bytes(8, "big") + part)
    named.update(data)
    return named.hexdigest()


async def _made_for_its_own(
    self: DeferredFileHandler, request: BackendOperationRequest, session_id: str
) -> BackendOperationResponse:
    manager, button = self._get_media_file_mgr(), request.deferred_file.file_id
    offered = manager._deferred_callables.get(button)
    if offered is not None and offered["session_id"] != session_id:
        return BackendOperationResponse(request_id=request.request_id, error_msg=REFUSED)
    if _under_way[session_id] >= MOST_AT_ONCE:  # or files of others would wait for as many as one visitor asks for
        return BackendOperationResponse(request_id=request.request_id, error_msg=BUSY)
    _under_way[session_id] += 1
    try:
        answer = await _made(self, request, session_id)
        if answer.deferred_file.url and not _hold(manager, session_id, button, answer.deferred_file.url):
            # Others drew their pages before it could be kept. Its name is known now, so it is kept while it is made again.
            answer = await _made(self, request, session_id)
    finally:
        _under_way[session_id] -= 1
        if not _under_way[session_id]:
            del _under_way[session_id]
    return answer


def _hold(manager: MediaFileManager, session: str, button: str, url: str) -> bool:
    """Keep a file until its session draws its page again, or ends; false where it is gone already."""
    name = PurePosixPath(url).stem
    with manager._lock:
        if runtime.exists() and runtime.get_instance().is_active_session(session):
            manager._files_by_session_and_coord[session][f"made for {button}"] = name
        return name in manager._file_metadata
