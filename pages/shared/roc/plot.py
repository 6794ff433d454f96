"""The square, the cut beside it, and what follows from the cut."""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics import readings
from metrics.catalogue import BY_KEY
from metrics.figures import confusion, reliability, roc
from metrics.ranking import saying
from metrics.ranking.curves import Curve, at_cut, drawn_curve
from metrics.ranking.held_out import HeldOut
from metrics.words import bounds, number, percent, shorten, value
from pages.shared import parts, state
from pages.shared.plain import emphasis, escape, short
from pages.shared.roc import asking

WIDE, IN_ROOM = 640, 380
"""Px of the reliability diagram, and of the square before scaling, so that it stands on a projector whole."""


def drawings(asked: asking.Asked) -> list[partial[None]]:
    """Room view: one at a time."""
    found = [partial(_square_alone, asked)]
    if asked.block.curve is not None and asked.block.curve.best is not None:
        found.append(partial(_cut_alone, asked))
    if asked.block.curve is not None and asked.block.curve.calibration is not None:
        found.append(partial(calibration, asked))
    return found


@st.fragment
def section(asked: asking.Asked) -> None:
    """Square and cut side by side; moving the cut draws only these again."""
    with st.container(horizontal=True, gap="medium"):
        with st.container(key="wide_roc_space"):
            place = st.container()
        with st.container(key="wide_roc_cut"):
            threshold = _cut(asked)
        with place:
            _square(asked, threshold)


@st.fragment
def _cut_alone(asked: asking.Asked) -> None:
    _cut(asked)


def _square_alone(asked: asking.Asked) -> None:
    _square(asked, None)


def _square(asked: asking.Asked, threshold: float | None) -> None:
    curve = " · curve: scores of the chosen judge" if asked.block.curve is not None else ""
    with parts.heading("How well the labels are told apart", f"upright: Youden’s J, the height above guessing{curve}"):
        pass
    verdicts, scored = _verdicts(asked), _scored(asked, threshold)
    words = {"positive": saying.positive_of(asked.report), "negative": saying.negative_of(asked.report)}
    broad = IN_ROOM if state.in_room_view() else roc.BROAD
    for width, where in ((broad, "broad"), (roc.NARROW, "narrow")):
        with st.container(key=f"only_{where}_roc"):
            look = {"lines": asking.lines(), "prevalence": asking.prevalence(asked), "width": width, "scale": parts.scale()}
            figure = roc.roc_space(verdicts, scored, theme=parts.theme(), **words, **look)
            parts.figure(figure, f"roc.space_{where}", roc.alt(verdicts, scored, **words))
    parts.reading(escape(saying.reading(asked.report, asked.chosen.judge, asked.criterion)))
    area = saying.area_reading(asked.report, asked.chosen.judge, asked.criterion)
    if area:
        st.markdown(escape(f"{area[:1].upper()}{area[1:]}"))


def _verdicts(asked: asking.Asked) -> list[roc.Verdicts]:
    found = []
    for name, judge in asked.report.judges.items():
        point = judge.block(asked.criterion).verdict
        if point is not None:
            spot = point.value("fpr"), point.value("tpr"), point.value("youden_j")
            found.append(roc.Verdicts(name, *spot, chosen=name == asked.chosen.judge))
    return found


def _scored(asked: asking.Asked, threshold: float | None) -> roc.Scored | None:
    curve = asked.block.curve
    if curve is None or curve.best is None:
        return None
    held = curve.held_out
    fpr, tpr, thresholds = drawn_curve(curve.tally)
    hovers = [
        f"{saying.cut_words(t)}<br>found {percent(y)} · false alarms {percent(x)}"
        for x, y, t in zip(fpr, tpr, thresholds, strict=True)
    ]
    return roc.Scored(
        f"scores of {asked.chosen.judge}",
        fpr,
        tpr,
        hovers,
        curve.area,
        curve.best_spot,
        saying.short_cut(curve.best.threshold),
        curve.best.value("youden_j"),
        held.cut.value("youden_j") if isinstance(held, HeldOut) else float("nan"),
        None if threshold is None else curve.tally.spot(threshold),
        "" if threshold is None else f"cut {saying.score_words(threshold)}",
        [] if threshold is None else [curve.tally.spot(one) for one in asking.trail()],
    )


def _cut(asked: asking.Asked) -> float | None:
    curve = asked.block.curve
    if curve is None:
        _points_only(asked)
        return None
    with parts.heading("What a cut is worth", "row = human · split = score at least the cut"):
        pass
    if curve.best is None:
        st.markdown(f"No cut can be judged: {escape(curve.why_undefined)}.")
        return None
    threshold = asking.cut_chooser(asked)
    if threshold is None:
        return None
    block = at_cut(asking.cut(asked, threshold), asked.report.declaration)
    drawn = confusion.mosaic(
        block.confusion, block.labels, theme=parts.theme(), judge="score", scale=parts.scale(), height=260
    )  # fmt: skip
    parts.figure(drawn, "roc.mosaic", confusion.alt(block.confusion, block.labels))
    parts.reading(escape(saying.cut_reading(asked.report, asking.cut(asked, threshold))))
    _beside(curve)
    with st.expander("Every metric at this cut"):
        keys = [key for key in block.values if key != "expected_agreement"]
        names = [BY_KEY[key].name for key in keys]
        shown = [value(block.values[key], BY_KEY[key].unit) for key in keys]
        ends = [bounds(pair, BY_KEY[key].unit) if (pair := block.ends(key)) else "" for key in keys]
        st.table({"metric": names, "value": shown, "interval": [escape(pair) for pair in ends]}, hide_index=True)
    return threshold


def _points_only(asked: asking.Asked) -> None:
    """What stands beside the square where the judge gives verdicts alone."""
    scored = [name for name, one in asked.report.judges.items() if one.pooled.scored]
    if scored:
        names = ", ".join(short(name) for name in scored[:3])
        more = f" and {len(scored) - 3} more" if len(scored) > 3 else ""
        own = f"{short(asked.chosen.judge)} gives verdicts, not scores, so it is one point."
        st.info(f"{own} A curve is drawn for {names}{more}.", icon=":material/info:")
    else:
        st.info(saying.POINTS_ONLY, icon=":material/info:")
    point = asked.block.verdict
    if point is None or not point.n:
        return
    block = at_cut(point, asked.report.declaration)
    with parts.heading(f"Verdicts of {shorten(asked.chosen.judge)}", "row = human · split = judge"):
        pass
    drawn = confusion.mosaic(block.confusion, block.labels, theme=parts.theme(), scale=parts.scale(), height=260)
    parts.figure(drawn, "roc.mosaic", confusion.alt(block.confusion, block.labels))
    parts.reading(readings.confusion_reading(block, unit="decisions", name=emphasis))


def _beside(curve: Curve) -> None:
    """J of the best cut where it was chosen, beside J on the other items."""
    held = curve.held_out
    if not isinstance(held, HeldOut):
        st.markdown(f"Nothing is held out: {escape(held)}.")
        return
    ends = held.cut.ends("youden_j")
    shown = {
        "best cut": ["chosen on one half of the items", "judged on the other half"],
        "J": [number(held.in_sample_j), f"{number(held.cut.value('youden_j'))} {escape(bounds(ends, '')) if ends else ''}"],
        "decisions": [str(held.n_chosen_on), str(held.cut.n)],
    }
    st.table(shown, hide_index=True)
    cut = escape(saying.short_cut(held.cut.threshold))
    st.markdown(f":small[Cut {cut}, chosen on half of the items at random, seed {held.seed}.]")


def calibration(asked: asking.Asked) -> None:
    """Only where scores may be probabilities."""
    curve = asked.block.curve
    if curve is None or curve.calibration is None:
        return
    found, positive = curve.calibration, saying.positive_of(asked.report)
    with parts.heading(
        "Do the scores mean what they say?",
        "circle: a tenth of the decisions, equal scores together · upright: interval · dotted: a score means what it says",
    ):
        pass
    drawn = reliability.reliability(found.bins, positive=positive, theme=parts.theme(), scale=parts.scale())
    with st.container(width="stretch" if state.in_room_view() else WIDE):
        parts.figure(drawn, "roc.reliability", reliability.alt(found.bins, positive=positive))
    parts.reading(escape(saying.calibration_reading(asked.report, found)))
