"""What axe-core finds on a page. Its script comes with a package and is put into pages of tests only."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
STANDARDS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
COLOURS = ("color-contrast", "link-in-text-block")
"""Rules whose answer the theme may change."""
RUN = """async (only) => {
    const options = { resultTypes: ["violations"], runOnly: only, preload: false, iframes: false };
    const { violations } = await axe.run(document, options);
    return violations.flatMap(({ id, impact, help, nodes }) => nodes.map(({ element, target, html }) => ({
        rule: id, impact, help, at: target.join(" "), html: html.slice(0, 200),
    })));
}"""
SOON = 700
MATCHES = """([selector, places]) => places.map(
    (place) => Boolean(place && document.querySelector(place)?.closest(selector)))"""


@dataclass(frozen=True)
class Theirs:
    """A finding in an element that Streamlit draws and no page can mend: its rule, where, and why."""

    rule: str
    within: str
    why: str


ALLOWED = (
    Theirs(
        "presentation-role-conflict",
        "[data-testid=stFileUploaderDropzone]",
        "The place to drop a file has the role presentation and a name; its button and its input are named rightly (minor).",
    ),
    Theirs(
        "list",
        "[data-testid=stSidebarNavItems]",
        "On a narrow screen the menus stand in the sidebar, as a list whose sections are div elements.",
    ),
    Theirs("listitem", "[data-testid=stSidebarNavItems]", "The links of these sections."),
)


@dataclass
class Audit:
    """Findings of many pages, without those allowed; remembers which allowances were needed."""

    findings: list[str] = field(default_factory=list)
    needed: set[Theirs] = field(default_factory=set)

    def look(self, page: Page, name: str, *, colours: bool = False) -> None:
        """Run every rule on what is in view, or those on colours only."""
        if not page.evaluate("Boolean(window.axe)"):
            page.evaluate(AXE)
        found = self._found(page, colours=colours)
        if found:  # what is there no longer a moment later was a page on its way from one look to another
            page.wait_for_timeout(SOON)
            later = {(one["rule"], one["html"]) for one in self._found(page, colours=colours)}
            found = [one for one in found if (one["rule"], one["html"]) in later]
        self.findings += [f"{name}: {one['impact']} {one['rule']} at {one['at']}: {one['html']}" for one in found]

    def _found(self, page: Page, *, colours: bool) -> list[dict[str, Any]]:
        only = {"type": "rule", "values": COLOURS} if colours else {"type": "tag", "values": STANDARDS}
        found: list[dict[str, Any]] = page.evaluate(RUN, only)
        for theirs in ALLOWED:
            own = [one for one in found if one["rule"] == theirs.rule]
            hits = page.evaluate(MATCHES, [theirs.within, [one["at"] for one in own]])
            allowed = [one for one, hit in zip(own, hits, strict=True) if hit]
            if allowed:
                self.needed.add(theirs)
            found = [one for one in found if one not in allowed]
        return found

    def expect_clean(self) -> None:
        assert not self.findings, "\n".join(self.findings)
        idle = [f"{theirs.rule} in {theirs.within}" for theirs in ALLOWED if theirs not in self.needed]
        assert not idle, f"no longer found, so no longer to be allowed: {idle}"
