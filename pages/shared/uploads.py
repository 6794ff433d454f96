"""What the server takes of an upload."""

from __future__ import annotations

import streamlit as st

from metrics.readers.limits import Limits


def limits() -> Limits:
    """Return how large a file may be once it is unpacked, by the size of an upload that this server takes."""
    return Limits.served(int(st.get_option("server.maxUploadSize")) << 20)
