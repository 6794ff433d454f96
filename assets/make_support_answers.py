"""Make `support_answers.csv`: made-up answers of a support bot, judged by two people and three LLM judges.

    python assets/make_support_answers.py

Every unit (item x criterion) has a quality: an effect of the item, shared by its five criteria, plus one of its own.
Quality above the criterion's threshold is MET. A rater sees quality through a bias, a noise of its own and, for the
judges, a noise they share, so that judges err on the same items. Near the threshold a rater abstains with a
probability of its own. A judge's score is its view of the unit on a 0-1 scale. The texts follow the true quality.

Only uniform draws of PCG64 are used, so the file comes out the same, byte for byte, everywhere.
"""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

SEED = 11
N_ITEMS = 226
PREVALENCE = {
    "Answers the question": 0.62,
    "No invented facts": 0.56,
    "Cites a source": 0.33,
    "Right length": 0.47,
    "Polite tone": 0.94,
}
ITEM_SHARE = 0.25
SECOND_PROMPT_SHARE = 0.5
COLUMNS = ("item", "criterion", "rater", "role", "label", "score", "prompt", "order", "question", "answer")
TARGET = Path(__file__).with_name("support_answers.csv")

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Rater:
    """How one rater departs from the true quality; biases are in standard deviations, towards MET."""

    name: str
    role: str
    noise: float
    bias: tuple[float, float, float, float, float]
    unsure: float
    unsure_within: float
    missing: float
    items: int = N_ITEMS


RATERS = (
    Rater("ana", "human", 0.10, (0.0, 0.0, 0.0, 0.0, 0.0), 0.45, 0.16, 0.01),
    Rater("ben", "human", 0.14, (0.05, 0.0, 0.0, -0.05, 0.0), 0.45, 0.14, 0.02, items=120),
    Rater("strict", "judge", 0.42, (-0.45, -0.65, -0.20, -0.60, -0.35), 0.20, 0.15, 0.01),
    Rater("lenient", "judge", 0.50, (0.50, 0.60, 0.55, 0.30, 0.60), 0.15, 0.15, 0.01),
    Rater("cautious", "judge", 0.45, (0.05, 0.05, 0.12, 0.02, -0.20), 0.65, 0.38, 0.01),
)

THINGS = ("lamp", "router", "scale", "kettle", "camera", "speaker", "heater", "charger", "headset", "doorbell")
# Question, answer, page that says so, a claim nobody can back.
TOPICS = (
    ("How do I reset the {}?", "Hold the side button for ten seconds.", "p. 12", "It then runs twice as fast."),
    ("Why does my {} blink red?", "It has lost the network.", "p. 31", "Nine in ten do this in May."),
    ("Can I return an opened {}?", "Yes, within 30 days, with the receipt.", "Returns, 2.1", "We also pay you 5 euros."),
    ("How do I pair a second {}?", "Open Devices and press Add.", "p. 8", "Up to 400 will pair."),
    ("Is the {} safe outdoors?", "No, it must stay dry.", "Safety, 4", "Snow does it good."),
    ("How do I update the {}?", "Settings, then About, then Update.", "p. 17", "The next update adds a radio."),
    ("Who repairs a broken {}?", "Any partner shop on our map.", "Service, 1", "The mayor's office does too."),
    ("How long is the {} covered?", "Two years from the day you bought it.", "Warranty, 1", "Pets extend it by a year."),
    ("How do I clean my {}?", "Unplug it and wipe it with a damp cloth.", "p. 22", "Lemon juice doubles its life."),
    ("Can my {} work without wifi?", "Yes, with the buttons, but not with the app.", "p. 5", "It finds a satellite."),
    ("Where is my {} order?", "The link in your mail shows it.", "Orders, 3", "It left by airship."),
    ("How do I mute the {}?", "Press the bell in the app.", "p. 14", "It mutes the neighbours too."),
    ("Can I share my {} with guests?", "Yes, send them a code under Guests.", "p. 27", "Guests pay a fee by law."),
    ("What power does the {} need?", "The 12 V plug that came with it.", "p. 3", "Any plug on earth fits."),
    ("How do I delete my {} data?", "Settings, then Privacy, then Erase.", "Privacy, 6", "A backup stays on the moon."),
    ("Does the {} work abroad?", "Yes, with a plug adapter.", "p. 4", "Only in odd years."),
    ("Why is my {} so warm?", "Up to 40 degrees is normal.", "Safety, 2", "Warm ones last longest."),
    ("How do I rename my {}?", "Tap its name and type a new one.", "p. 9", "Names are checked by our king."),
    ("Can I cancel my {} plan?", "Yes, at the end of any month.", "Plans, 5", "Nobody ever has."),
    ("How do I mount the {}?", "Two screws, 6 cm apart.", "p. 6", "Glue from 1950 is better."),
    ("Is there a {} for the left hand?", "No, one model fits both.", "p. 2", "The blue one is left-handed."),
    ("How do I lock the {}?", "Slide the switch at the back.", "p. 11", "It unlocks if you sing."),
    ("Why did my {} restart?", "It updates at night.", "p. 18", "It was homesick."),
    ("What does the {} cost to run?", "About 3 euros a year.", "Energy, 1", "It earns you money."),
)
DODGES = ("Many people ask about that.", "A {} is a fine thing to own.", "That depends on your {}.", "It is in the settings.")
PADDING = ("As with all things in life one does well to take time for it.", "There is much more one could say here.")
GREETINGS = ("Thanks for asking!", "Happy to help.", "Good question.", "Hello!", "", "", "")
RUDENESS = ("Read the manual.", "Obviously.", "As I said.", "Not my job.")


def normal(rng: np.random.Generator, *shape: int) -> FloatArray:
    inverse = NormalDist().inv_cdf
    uniform = rng.random(shape)
    return np.array([inverse(max(u, 1e-12)) for u in uniform.ravel()]).reshape(shape)


def choose(rng: np.random.Generator, options: tuple[str, ...]) -> str:
    return options[int(rng.random() * len(options))]


def quality(rng: np.random.Generator) -> FloatArray:
    """Distance of each unit's quality above its criterion's threshold, shape (items, criteria)."""
    item = normal(rng, N_ITEMS, 1)
    own = normal(rng, N_ITEMS, len(PREVALENCE))
    threshold = np.array([NormalDist().inv_cdf(1 - share) for share in PREVALENCE.values()])
    return math.sqrt(ITEM_SHARE) * item + math.sqrt(1 - ITEM_SHARE) * own - threshold


def texts(rng: np.random.Generator, above: FloatArray) -> list[tuple[str, str]]:
    order = np.argsort(rng.random(len(THINGS) * len(TOPICS)), kind="stable")[:N_ITEMS]
    result = []
    for met, number in zip(above > 0, order, strict=True):
        answers, grounded, cites, fitting, polite = met
        thing = THINGS[number % len(THINGS)]
        question, core, page, invented = TOPICS[number // len(THINGS)]
        parts = [
            choose(rng, GREETINGS) if polite else choose(rng, RUDENESS),
            core if answers else choose(rng, DODGES).format(thing),
            "" if grounded else invented,
            f"See {page}." if cites else "",
            "" if fitting else choose(rng, PADDING),
        ]
        result.append((question.format(thing), " ".join(part for part in parts if part)))
    return result


def verdicts(
    rng: np.random.Generator, rater: Rater, above: FloatArray, shared: FloatArray, second: NDArray[np.bool_]
) -> tuple[list[list[str]], FloatArray]:
    """Labels (empty where the rater gave none) and the view behind them."""
    noise = rater.noise * normal(rng, *above.shape)
    if rater.role == "judge":
        noise = noise + rater.noise * shared
        noise = noise * np.where(second, 0.85, 1.15)[:, None]
    view = above + noise + np.array(rater.bias)
    unsure = (np.abs(view) < rater.unsure_within) & (rng.random(above.shape) < rater.unsure)
    skipped = np.argsort(rng.random(N_ITEMS), kind="stable")[rater.items :]
    missing = rng.random(above.shape) < rater.missing
    missing[skipped] = True
    labels = np.where(unsure, "CANNOT_ASSESS", np.where(view > 0, "MET", "UNMET"))
    return np.where(missing, "", labels).tolist(), view


def position(rng: np.random.Generator, labels: list[list[str]]) -> dict[tuple[int, int], int]:
    """When each label was given: items in a random order, the criteria of an item one after the other."""
    items = np.argsort(rng.random(N_ITEMS), kind="stable")
    units = [(int(i), c) for i in items for c in range(len(PREVALENCE)) if labels[i][c]]
    return {unit: number for number, unit in enumerate(units, start=1)}


def rows(seed: int = SEED) -> list[tuple[str, ...]]:
    rng = np.random.Generator(np.random.PCG64(seed))
    above = quality(rng)
    content = texts(rng, above)
    second = rng.random(N_ITEMS) < SECOND_PROMPT_SHARE
    shared = normal(rng, *above.shape)
    judged = {rater: verdicts(rng, rater, above, shared, second) for rater in RATERS}
    turns = {rater: position(rng, judged[rater][0]) for rater in RATERS if rater.role == "human"}
    table = []
    for i in range(N_ITEMS):
        for c, criterion in enumerate(PREVALENCE):
            for rater, (labels, view) in judged.items():
                if not labels[i][c]:
                    continue
                judge = rater.role == "judge"
                score = f"{1 / (1 + math.exp(-2.5 * view[i, c])):.2f}" if judge else ""
                prompt = ("p2" if second[i] else "p1") if judge else ""
                turn = "" if judge else str(turns[rater][i, c])
                table.append((f"s{i + 1:03d}", criterion, rater.name, rater.role, labels[i][c], score, prompt, turn, *content[i]))
    return table


def as_csv(seed: int = SEED) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows(seed))
    return text.getvalue().encode()


if __name__ == "__main__":
    TARGET.write_bytes(as_csv())
