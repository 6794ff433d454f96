"""What the page tells a screen reader that it shows to an eye, and what keys reach that a mouse does."""

from __future__ import annotations

from pathlib import Path

from pages.shared.copying import ALOUD

OWN = ALOUD + Path(__file__).with_suffix(".js").read_text("utf-8")
SCRIPT = f"<script>if (!window.numbersAreHeard) {{ window.numbersAreHeard = true; (() => {{ {OWN} }})(); }}</script>"
"""Once on a page: large numbers that change and pages that come are said aloud; keys scroll broad tables and enter popovers."""
