"""What the sweep is asked for: the judge's rates, the deployment prevalence, the golden set, the metrics."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from metrics import AgreementReport, InputError
from metrics.catalogue import BY_KEY
from metrics.results import Block
from metrics.sweeping.power import rates_of
from metrics.sweeping.sweeps import FEWEST, MOST, Ribbon, Sweep, range_at, ribbon, sweep
from pages.shared import cached, intervals, state
from pages.shared.plain import short

FROM, TPR, TNR, DEPLOYED, GOLDEN, METRICS = (f"sweep_{name}" for name in ("from", "tpr", "tnr", "at", "golden", "metrics"))
START = ("kappa", "phi", "gwet_ac1", "pabak", "youden_j", "accuracy", "balanced_accuracy")


@dataclass(frozen=True, eq=False)
class Asked:
    """The judge as two rates, and where it stands.

    Attributes
    ----------
    report, block
        None where the rates are typed and there is no data.
    here : float or None
        The data's own prevalence.
    """

    sweep: Sweep
    deployed: float
    golden: int
    metrics: tuple[str, ...]
    here: float | None
    report: AgreementReport | None
    block: Block | None
    from_judge: bool

    @property
    def ribbon(self) -> Ribbon:
        return _ribbon(self.sweep.tpr, self.sweep.fpr, self.golden)

    @property
    def spread(self) -> tuple[float, tuple[float, float]]:
        """Where golden sets of the nearest possible prevalence to the deployment put κ."""
        return range_at(self.sweep.tpr, self.sweep.fpr, self.golden, self.deployed)


@st.cache_data(show_spinner=False, max_entries=32)
def _ribbon(tpr: float, fpr: float, n: int) -> Ribbon:
    return ribbon(tpr, fpr, n)


def choosers(its: state.Dataset | None, chosen: state.Choices | None) -> None:
    """Where the rates come from, and the rest of the question; the numbers stand in the address."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="sweep_choices"):
        if chosen is not None and usable(its):
            names = {"judge": f"From {short(chosen.judge)}", "typed": "By hand"}
            state.translate({FROM: names})
            st.segmented_control(
                "TPR and TNR", list(names), default="judge", required=True, format_func=lambda name: names.get(name, name),
                key=FROM, persist_state="session",
            )  # fmt: skip
        if typed(its, chosen):
            _slider("TPR, %", 0, 100, 90, TPR, "Of the human’s positives, the share the judge finds.")
            _slider("TNR, %", 0, 100, 90, TNR, "Of the human’s negatives, the share the judge calls negative.")
        _slider("Deployment prevalence, %", 1, 99, 5, DEPLOYED, "How common the positive label will be where the judge is used.")
        st.number_input(
            "Golden set, items", FEWEST, MOST, 200, step=50, key=GOLDEN, bind="query-params", persist_state="session", width=140,
            help="The band shows where 95 % of golden sets of this size would put κ.",
        )  # fmt: skip


def metrics_chooser(one: Asked) -> None:
    """All metrics in two groups: those that move with prevalence and those that do not."""
    with st.popover("Metrics", icon=":material/show_chart:"):
        for label, keys, key in (("Moves", one.sweep.moving, f"{METRICS}_moves"), ("Stays", one.sweep.still, f"{METRICS}_stays")):
            st.pills(
                f"{label} with prevalence" if label == "Moves" else "Stays whatever the prevalence",
                [key for key in keys if BY_KEY[key].group != "shape"],
                selection_mode="multi",
                default=[key for key in keys if key in START],
                format_func=lambda key: BY_KEY[key].symbol,
                key=_group_key(key, keys),
                persist_state="session",
            )


def _slider(label: str, low: int, high: int, start: int, key: str, help_text: str) -> None:
    st.slider(label, low, high, start, key=key, help=help_text, bind="query-params", persist_state="session", width=210)


def usable(its: state.Dataset | None) -> bool:
    """Whether the data have two labels, so that the judge has a TPR."""
    return its is not None and len(its.ratings.scheme.classes) == 2


def typed(its: state.Dataset | None, chosen: state.Choices | None) -> bool:
    return chosen is None or not usable(its) or st.session_state.get(FROM) == "typed"


def asked(its: state.Dataset | None, chosen: state.Choices | None) -> Asked | InputError:
    """The sweep as it is asked for, or why there is none."""
    found = _data(its, chosen)
    if isinstance(found, InputError):
        return found
    report, block = found
    here = block.values["prevalence"] if block is not None and block.n else None
    if typed(its, chosen) or block is None:
        tpr, fpr = _percent(TPR, 90), 1 - _percent(TNR, 90)
    elif block.confusion is None or block.undefined.get("youden_j"):
        return InputError(f"This judge has no TPR and TNR here: {block.undefined.get('youden_j', 'no decision is left')}.")
    else:
        tpr, fpr = (float(rate) for rate in rates_of(block.confusion))
    one = sweep(tpr, fpr)
    golden = int(st.session_state.get(GOLDEN, 200))
    by_judge = block is not None and not typed(its, chosen)
    return Asked(one, _percent(DEPLOYED, 5), golden, _metrics(one), here, report, block, by_judge)


def _data(its: state.Dataset | None, chosen: state.Choices | None) -> tuple[AgreementReport | None, Block | None] | InputError:
    if its is None or chosen is None or not usable(its):
        return None, None
    try:
        report = cached.report(its, chosen, chosen.two_class_mode, intervals.jackknifed(its))
    except InputError as error:
        return error
    judge = report.judges[chosen.judge]
    return report, judge.item if chosen.level == "item" else judge.micro


def _percent(key: str, start: int) -> float:
    return int(st.session_state.get(key, start)) / 100


def _metrics(one: Sweep) -> tuple[str, ...]:
    keys: list[str] = []
    for group, name in ((one.moving, "moves"), (one.still, "stays")):
        held = st.session_state.get(_group_key(f"{METRICS}_{name}", group))
        keys += [key for key in group if key in START] if held is None else [key for key in group if key in held]
    return tuple(keys)


def _group_key(name: str, keys: tuple[str, ...]) -> str:
    """Which metrics move depends on the judge, so each group keeps its own choice."""
    return f"{name} {' '.join(keys)}"
