"""Files that are made for one person are found by that person's browser only.

Streamlit names a download after its content and looks, in one of more than 1 MiB, at three samples of it. Two files that differ
elsewhere only would have one name, and whoever asked second would be given what was made for the first.
"""

from __future__ import annotations

import hashlib
import secrets

from streamlit.runtime import memory_media_file_storage as storage

KEY = secrets.token_bytes(32)
"""Of this process: nobody can tell the address of a file from what it holds."""


def keep_apart() -> None:
    """Name every file after all of its bytes, and so that the name cannot be guessed."""
    storage._calculate_file_id = _address


def _address(data: bytes, mimetype: str, filename: str | None = None) -> str:
    named = hashlib.blake2b(key=KEY, digest_size=32)
    for part in (mimetype.encode(), b"" if filename is None else b"named " + filename.encode("utf-8", "surrogatepass")):
        named.update(len(part).to_bytes(8, "big") + part)
    named.update(data)
    return named.hexdigest()
