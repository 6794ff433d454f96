"""The square, the cut beside it, and what follows from the cut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from metrics.analyses.agreement import readings
from metrics.analyses.records import Block
from metrics.analyses.roc import provenance
from metrics.analyses.roc import readings as roc_readings
from metrics.analyses.roc.held_out import HeldOut
from metrics.analyses.roc.result import MOST_DRAWN, MOST_NARROW, MOST_THIN, Curve, at_cut, drawn_curve
from metrics.analyses.roc.tallies import stop_of, stop_places
from metrics.content.lab.linked import of_table
from metrics.content.lab.pictures import source_lines
from metrics.content.lab.scenes import treated
from metrics.data.scales import scales_of
from metrics.figures import confusion, reliability, roc
from metrics.figures.roc import NAMED
from metrics.figures.roc_parts import BROAD, NARROW
from metrics.figures.stops import Stops
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import bounds, count, percent, shorten, value
from pages.shared import parts, screen, sheets, state, to_lab
from pages.shared.mark import held_mark
from pages.shared.plain import emphasis, escape, short
from pages.shared.roc import asking

WIDE, IN_ROOM = 640, 270
"""Px of the reliability diagram, and of the square before scaling, so that it stands on a projector whole."""

HEADING = "Discrimination (ROC)"


@dataclass(frozen=True, eq=False)
class Still:
    """What a cut does not move: the points of all judges, the curves of those not chosen, and the chosen one's own.

    Attributes
    ----------
    scored : Scored or None
        The chosen judge's curve without a cut; None where it gives no scores.
    stops, cuts
        Where the mark on it stops, and the thresholds there.
    """

    verdicts: list[roc.Verdicts]
    others: list[roc.Other]
    scored: roc.Scored | None
    stops: Stops | None
    cuts: list[float]


def drawings(asked: asking.RocView) -> list[Callable[[], None]]:
    """Return room view: one at a time."""
    figures: list[Callable[[], None]] = [partial(_square_alone, asked, everyone(asked))]
    if asked.block.curve is not None and asked.block.curve.best is not None:
        figures.append(partial(_cut_alone, asked, asked.block.curve))
    if asked.block.curve is not None and asked.block.curve.calibration is not None:
        figures.append(partial(calibration, asked))
    return figures


def everyone(asked: asking.RocView) -> Still:
    scored = _scored(asked, MOST_NARROW if screen.narrow() else MOST_DRAWN)
    return Still(_verdicts(asked), _others(asked), scored, *_stops(asked.block.curve))


def _stops(curve: Curve | None) -> tuple[Stops | None, list[float]]:
    if curve is None or curve.best is None:
        return None, []
    tally, places = curve.tally, stop_places(curve.tally)
    spots = list(zip(tally.fpr[places].tolist(), tally.tpr[places].tolist(), strict=True))
    stops = roc.stops(spots, roc_readings.stop_words(tally, places), theme=parts.theme())
    return stops, [tally.written(threshold) for threshold in tally.thresholds[places].tolist()]


@st.fragment
def section(asked: asking.RocView, still: Still) -> None:
    """Square and threshold side by side: the mark on the curve chooses the threshold, and draws only these again."""
    if st.session_state.get("judge") not in (None, asked.chosen.judge):
        st.rerun()  # a click in the square chose another judge, whose page this is not
    curve = asked.block.curve
    threshold = asking.threshold(asked)
    with st.container(horizontal=True, gap="medium"):
        with st.container(key="wide_roc_space"):
            square = st.container()
            _square_readings(asked)
        with st.container(key="wide_roc_cut"):
            if curve is None:
                _points_only(asked)
            elif threshold is None:
                _no_cut(asked, curve)
            else:
                _cut(asked, curve, threshold)
    # The square last: what is sent while the browser draws it waits until it has drawn.
    with square:
        parts.headed(HEADING, " · ".join(_what_is_drawn(asked, trailing=bool(threshold is not None and asking.trail()))))
        _square(asked, still, threshold)


def _square_alone(asked: asking.RocView, still: Still) -> None:
    """The square in the room: what is said of it stands beside it."""
    threshold = asking.threshold(asked)
    parts.headed(HEADING, " · ".join(_what_is_drawn(asked, trailing=False)))
    with st.container(horizontal=True, gap="medium", key="room_beside"):
        with st.container(key="room_square"):
            _square(asked, still, threshold)
        with st.container(key="room_words"):
            _square_readings(asked)


def _square(asked: asking.RocView, still: Still, threshold: float | None) -> None:
    words = {"positive": provenance.positive_of(asked.report), "negative": provenance.negative_of(asked.report)}
    narrow = screen.narrow()
    width = NARROW if narrow else IN_ROOM if state.in_room_view() else BROAD
    drawn = still.verdicts, _at(asked, still.scored, threshold), still.others
    look = {"lines": asking.lines(), "prevalence": asking.prevalence(asked), "width": width}
    key = f"roc.space_{'narrow' if narrow else 'broad'}"
    names = [one.name for one in (*still.verdicts, *still.others)]
    # The judge of a clicked point or curve is the one in full from now on.
    choose = partial(parts.take_click, key, asked.place, names, "judge") if len(asked.report.judges) > 1 else None
    parts.drawing(key, roc.roc_space, roc.alt, *drawn, look=look, on_select=choose, **words)
    curve = asked.block.curve
    if curve is not None and still.stops is not None and threshold is not None:
        _held(asked, curve, still.stops, still.cuts, threshold, key)


def _held(asked: asking.RocView, curve: Curve, stops: Stops, cuts: list[float], threshold: float, chart: str) -> None:
    """The threshold under the hand: it stops at the scores of the file."""
    held_mark(
        chart, stops, stop_of(curve.tally, stop_places(curve.tally), threshold), lambda stop: asking.put(cuts[stop]),
        label="Threshold on the curve: to the right more is called positive", colour=stops.lines[0][0],
        place=(asked.place, len(cuts)), address={asking.CUT: [asking.in_address(curve, cut) for cut in cuts]},
    )  # fmt: skip


def _square_readings(asked: asking.RocView) -> None:
    parts.reading(escape(roc_readings.reading(asked.report, asked.chosen.judge, asked.criterion)))
    area = roc_readings.area_reading(asked.report, asked.chosen.judge, asked.criterion)
    if area:
        st.markdown(escape(f"{area[:1].upper()}{area[1:]}"))


def _what_is_drawn(asked: asking.RocView, *, trailing: bool) -> list[str]:
    """Return the line under the heading: what is a point, a curve, and a number of them."""
    clauses = ["vertical line: Youden’s J (distance above chance)"]
    curve = asked.block.curve
    mine = curve is not None and curve.best is not None
    judges = len(asked.report.judges)
    if mine:
        clauses.append("curve: scores of the chosen judge, on which the ring is dragged to a threshold")
    if judges > 1:
        who = "the other judges" if judges <= NAMED + 1 else f"{count(judges - 1)} other judges, named under the pointer"
        clauses.append(f"grey: {who}; a click chooses")
    if mine and trailing:
        clauses.append("small rings: thresholds before")
    if mine and asked.criterion is None and len(asked.judge.criteria) > 1:
        clauses.append("AUC: pooled, then the mean over criteria")
    return clauses


def _verdicts(asked: asking.RocView) -> list[roc.Verdicts]:
    points = []
    for name, judge in asked.report.judges.items():
        point = judge.block(asked.criterion).verdict
        if point is not None:
            spot = point["fpr"].value, point["tpr"].value, point["youden_j"].value
            points.append(roc.Verdicts(name, *spot, chosen=name == asked.chosen.judge))
    return points


def _others(asked: asking.RocView) -> list[roc.Other]:
    """Return the curves of all other judges that have one here."""
    others = []
    for name, judge in asked.report.judges.items():
        curve = judge.block(asked.criterion).curve
        if name != asked.chosen.judge and curve is not None and curve.best is not None:
            fpr, tpr, _ = drawn_curve(curve.tally, MOST_THIN)
            others.append(roc.Other(name, fpr, tpr, provenance.area_words(asked.report, name, asked.criterion)))
    return others


def _scored(asked: asking.RocView, most: int) -> roc.Scored | None:
    curve = asked.block.curve
    if curve is None or curve.best is None:
        return None
    fpr, tpr, thresholds = drawn_curve(curve.tally, most)
    hovers = [
        f"{provenance.cut_words(t, curve.tally)}<br>true positives {percent(y)} · false positives {percent(x)}"
        for x, y, t in zip(fpr, tpr, thresholds, strict=True)
    ]
    return roc.Scored(
        f"scores of {asked.chosen.judge}",
        fpr,
        tpr,
        hovers,
        provenance.area_words(asked.report, asked.chosen.judge, asked.criterion),
        curve.best_spot,
        provenance.short_cut(curve.best.threshold, curve.tally),
        curve.best["youden_j"].value,
    )


def _at(asked: asking.RocView, scored: roc.Scored | None, threshold: float | None) -> roc.Scored | None:
    """Return the same curve with the cut looked at, and those before."""
    curve = asked.block.curve
    if scored is None or curve is None or threshold is None:
        return scored
    trail = [curve.tally.spot(cut) for cut in asking.trail()]
    words = f"threshold {provenance.short_cut(threshold, curve.tally)}"
    return replace(scored, cut=curve.tally.spot(threshold), cut_words=words, trail=trail)


def _no_cut(asked: asking.RocView, curve: Curve) -> None:
    _cut_heading(asked)
    st.markdown(f"There is no threshold to test: {escape(curve.area.undefined)}.")


def _cut_heading(asked: asking.RocView) -> None:
    least = "least" if asked.report.direction == "higher" else "most"
    parts.lone_heading("Errors at the chosen threshold", f"row = human · split = score at {least} the threshold")


def _cut(asked: asking.RocView, curve: Curve, threshold: float) -> None:
    """The errors at the threshold, J of the best one on other items, and every metric."""
    _cut_heading(asked)
    asking.best_button(asked, curve)
    block = _errors(asked, curve, threshold)
    _show_held_out(curve)
    with st.expander("Every metric at this threshold"):
        _values(block, chosen_here=curve.best is not None and curve.tally.same(threshold, curve.best.threshold))


def _cut_alone(asked: asking.RocView, curve: Curve) -> None:
    """The errors in the room."""
    threshold = asking.threshold(asked)
    if threshold is not None:
        _cut_heading(asked)
        _errors(asked, curve, threshold)


def _errors(asked: asking.RocView, curve: Curve, threshold: float) -> Block:
    cut = asking.cut(asked, threshold)
    block = at_cut(cut, asked.report.declaration)
    _mosaic(asked, block, judge="score")
    parts.reading(escape(roc_readings.cut_reading(asked.report, cut, curve.tally)))
    _in_lab(asked, block, provenance.cut_words(threshold, curve.tally))
    return block


def _values(block: Block, *, chosen_here: bool) -> None:
    keys = [key for key in block.values if key != "expected_agreement"]
    names = [BY_KEY[key].name for key in keys]
    shown = [value(block.values[key], BY_KEY[key].unit) for key in keys]
    ends = [bounds(block[key].ends, BY_KEY[key].unit, without="") for key in keys]
    if chosen_here:
        st.markdown(roc_readings.CHOSEN_HERE)
    table = {"metric": names, "value": shown, "interval": [escape(pair) for pair in ends]}
    sheets.show(
        table, "Every metric at this threshold (CSV)", "at_the_cut.csv", "roc.cut_csv", alt="Every metric at this threshold"
    )


def _points_only(asked: asking.RocView) -> None:
    """What stands beside the square where the judge gives verdicts alone."""
    scored = [name for name, curve in asked.report.judges.items() if curve.pooled.scored]
    if scored:
        names = ", ".join(short(name) for name in scored[:3])
        more = f" and {len(scored) - 3} more" if len(scored) > 3 else ""
        sentence = f"{short(asked.chosen.judge)} gives verdicts, not scores, so it is one point."
        st.info(f"{sentence} A curve is drawn for {names}{more}.", icon=":material/info:")
    else:
        st.info(roc_readings.POINTS_ONLY, icon=":material/info:")
    point = asked.block.verdict
    if point is None or not point.n:
        return
    block = at_cut(point, asked.report.declaration)
    parts.lone_heading(f"Verdicts of {shorten(asked.chosen.judge)}", "row = human · split = judge")
    _mosaic(asked, block)
    parts.reading(readings.confusion_reading(block, unit="decisions", name=emphasis))
    _in_lab(asked, block)


def _mosaic(asked: asking.RocView, block: Block, **look: str) -> None:
    """The errors, called by the label given where there are two answers to choose from: then none is missed."""
    named = scales_of(asked.dataset.ratings).named_errors
    alone = {"height": 260, "named": named, **look}
    parts.drawing("roc.mosaic", confusion.mosaic, confusion.alt, block.confusion, block.labels, look=alone)


def _in_lab(asked: asking.RocView, block: Block, cut: str = "") -> None:
    scene, more = of_table(block.confusion, block.labels, total=asked.block.n_total), (cut, "") if cut else None
    if scene is not None:
        ratings, chosen = asked.dataset.ratings, asked.chosen
        to_lab.open_in_lab(
            scene, source_lines(ratings, chosen.judge, chosen.reference, treated(scene), criterion=asked.criterion, more=more)
        )


def _show_held_out(curve: Curve) -> None:
    """J of the best cut where it was chosen, beside J on the other items."""
    held = curve.held_out
    if not isinstance(held, HeldOut):
        st.markdown(f"There is no held-out J: {escape(held)}.")
        return
    columns = zip(*roc_readings.held_out_rows(held), strict=True)
    heads = ("best threshold", "J", "decisions")
    table = {head: [escape(cell) for cell in cells] for head, cells in zip(heads, columns, strict=True)}
    sheets.show(table, "Held out (CSV)", "held_out.csv", "roc.held_csv", alt="J of the best threshold, where chosen and held out")
    st.markdown(f":small[{escape(roc_readings.held_out_note(held, curve.tally))}]")


def calibration(asked: asking.RocView) -> None:
    """Only where scores may be probabilities."""
    curve = asked.block.curve
    if curve is None or curve.calibration is None:
        return
    curve_calibration, label = curve.calibration, roc_readings.promised_label(asked.report, curve.calibration)
    parts.lone_heading(
        "Calibration",
        "circle: a tenth of the decisions, equal scores together · vertical line: interval · dotted: perfect calibration",
    )
    with st.container(width="stretch" if state.in_room_view() else WIDE):
        parts.drawing("roc.reliability", reliability.reliability, reliability.alt, curve_calibration.bins, label=label)
    parts.reading(escape(roc_readings.calibration_reading(asked.report, curve_calibration)))
