"""Three keys for whoever speaks in the room: N the notes, B a blank screen, Q the code of the step."""

from __future__ import annotations

from pathlib import Path

from metrics.content.lab.lessons import STEPS, lesson_of, step_name
from pages.shared import component
from pages.shared.lab import held
from pages.shared.teaching import following, links

JS = Path(__file__).with_suffix(".js")
HELP = "N notes · B blank · Q code"
ASKS: dict[str, str] = {
    "ship": "Ask before you show: both agree on 90 of 100. Which would you use? Take hands. Do not name κ yet.",
    "asleep": "Ask what a judge reaches that never reads. Let somebody argue for using it.",
    "chance": "Toss two coins with the class for ten items and count how often they agree.",
    "minus": "Subtract luck aloud: agreement less chance, over what chance leaves. Let somebody do it on the board.",
    "kappa": "Return to the first question. What would have to stand in a report for you to believe the 90 %?",
    "2a": "The judge stays; only the mix of items changes. Ask which number will move.",
    "2b": "Let them guess κ before it is on the wall.",
    "3a": "Ask for the accuracy of a judge that always says no, at a prevalence that somebody calls out.",
    "5a": "Which error costs more in your own work? Decide before you compare the two judges.",
    "7a": "Ask what silence should count as; write all answers down before the three numbers come.",
}
"""For some steps a sentence of its own; for all others what holds of every step."""
ALWAYS = "Ask for a guess, show the step, then let somebody say in one sentence what has changed and what has not."


def keys() -> None:
    """Listen for the keys, with what they show of the step in view; the class hears of it."""
    following.tell()
    scene, own = held.scene(), following.taught()
    parameters = scene.address() | ({following.CODE: own[0]} if own is not None else {})
    whole = links.address(parameters)
    code = links.qr_svg(whole) if len(whole) <= links.LONGEST else ""
    data = {"notes": note(scene.step), "code": code, "address": whole}
    component.mount("speaking", JS, key="unseen_speaking", data=data)


def note(key: str) -> str:
    """Return what to say at a step; empty where there is no such step."""
    if key not in STEPS:
        return ""
    return f"{lesson_of(key).title}, {step_name(key)}. {ASKS.get(key, ALWAYS)}"
