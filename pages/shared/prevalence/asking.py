"""What the sweep is asked for: the judge's rates, the deployment prevalence, the golden set, the metrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from metrics import AgreementReport, InputError
from metrics.analyses.comparison.levels import pooled_j_of
from metrics.analyses.prevalence.compute import FEWEST, GRID, MOST, Ribbon, Sweep, range_at, ribbon, sweep
from metrics.analyses.prevalence.power import rates_of
from metrics.analyses.records import Block
from metrics.analyses.verification import verification_of
from metrics.measures.catalogue import BY_KEY, keys_at
from metrics.results.words import shorten
from pages.shared import as_lines, asking, cached, intervals, state
from pages.shared.plain import escape

FROM, TPR, TNR, DEPLOYED, GOLDEN, METRICS, BAND = (
    f"sweep_{name}" for name in ("from", "tpr", "tnr", "at", "golden", "metrics", "band")
)
BY_HAND = {"typed": "By hand"}
SHORT = 24
"""Letters of a judge's name on a button that has to stand beside another on a phone."""
FIRST, AT_FIRST = 90.0, 5.0
"""TPR and TNR as an example, and the deployment prevalence, in percent."""
START = keys_at("sweep")


@dataclass(frozen=True, eq=False)
class SweepView:
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
    def ribbon(self) -> Ribbon | None:
        """The band of κ; None unless it is asked for and κ is drawn."""
        if "kappa" not in self.metrics or not st.session_state.get(BAND):
            return None
        return _ribbon(self.sweep.tpr, self.sweep.fpr, self.golden)

    @property
    def spread(self) -> tuple[float, tuple[float, float]]:
        """Where golden sets of the nearest possible prevalence to the deployment put κ."""
        return range_at(self.sweep.tpr, self.sweep.fpr, self.golden, self.deployed)


@st.cache_data(show_spinner=False, max_entries=32)
def _ribbon(tpr: float, fpr: float, n: int) -> Ribbon:
    return ribbon(tpr, fpr, n)


def choosers(dataset: state.Dataset | None, chosen: state.Choices | None) -> None:
    """Where the rates come from, and the rest of the question; the numbers stand in the address."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="sweep_choices"):
        if chosen is not None and state.two_labels(dataset):
            names = {"judge": f"From {escape(shorten(chosen.judge, SHORT))}"} | BY_HAND
            state.translate({FROM: names})
            asking.one_of("TPR and TNR", names, FROM)
        if typed(dataset, chosen):
            _slider("TPR, %", (0.0, 100.0), FIRST, TPR, "Of the human’s positives, the share the judge finds.", 0.1)
            _slider("TNR, %", (0.0, 100.0), FIRST, TNR, "Of the human’s negatives, the share the judge calls negative.", 0.1)
        st.number_input(
            "Golden set, items", FEWEST, MOST, 200, step=50, key=GOLDEN, width=140,
            help="The size of the set of items that people label.", **asking.BOUND,
        )  # fmt: skip
        st.toggle("Band of κ", key=BAND, help="Where 95 % of golden sets of this size would put κ.", **asking.BOUND)


def take_link() -> None:
    """Take the deployment prevalence of a link when the page is opened."""
    if state.arriving() or DEPLOYED not in st.session_state:
        ends = (100 * float(end) for end in (GRID[0], GRID[-1]))
        linked = asking.linked_number(DEPLOYED, *ends)
        st.session_state[DEPLOYED] = st.session_state.get(DEPLOYED, AT_FIRST) if linked is None else linked


def write_link() -> None:
    """The deployment prevalence into the address."""
    asking.write(DEPLOYED, in_address(st.session_state[DEPLOYED]))


def percents(rate_sweep: Sweep) -> list[float]:
    """Return the prevalences of a sweep in percent."""
    return [round(100 * at, 1) for at in rate_sweep.prevalence.tolist()]


def put(percent: float) -> None:
    """Another deployment prevalence; for callbacks."""
    st.session_state[DEPLOYED] = percent


def in_address(percent: float) -> str | None:
    """Return a deployment prevalence as the address has it; None for the one that the page begins with."""
    return None if percent == AT_FIRST else f"{percent:.12g}"


def metrics_chooser(request: SweepView) -> None:
    """Every metric in its group: those that move with prevalence, those that do not, and those that this judge never has."""
    with st.popover("Metrics", icon=":material/show_chart:"):
        groups = {
            "Moves with prevalence": request.sweep.moving,
            "Stays whatever the prevalence": request.sweep.still,
            "Undefined at every prevalence": request.sweep.undefined,
        }
        for label, keys in ((label, keys) for label, keys in groups.items() if keys):
            # Which metrics move depends on the judge, so a widget belongs to its group and follows what is chosen.
            group = f"{METRICS} {' '.join(keys)}"
            st.session_state[group] = [key for key in keys if key in request.metrics]
            st.pills(
                label,
                keys,
                selection_mode="multi",
                format_func=lambda key: BY_KEY[key].symbol,
                key=group,
                on_change=_regroup,
                args=(group, keys, request.metrics),
            )
    _write_metrics(request.metrics)


def _regroup(group: str, keys: tuple[str, ...], before: tuple[str, ...]) -> None:
    """What is chosen in one group, with what was chosen in the others."""
    st.session_state[METRICS] = [key for key in before if key not in keys] + list(st.session_state[group] or [])


def _write_metrics(metrics: tuple[str, ...]) -> None:
    asking.write(METRICS, None if set(metrics) == set(START) else ",".join(metrics))


def _slider(label: str, ends: tuple[float, float], start: float, key: str, help_text: str, step: float = 0.5) -> None:
    st.slider(label, *ends, start, step, format="%.4g", key=key, help=help_text, width=210, **asking.BOUND)


def typed(dataset: state.Dataset | None, chosen: state.Choices | None) -> bool:
    return chosen is None or not state.two_labels(dataset) or st.session_state.get(FROM) == "typed"


def _refusal(dataset: state.Dataset, chosen: state.Choices) -> str:
    return verification_of(dataset.ratings, chosen.judge, chosen.settings()).refusal()


def unlike_within(dataset: state.Dataset | None, request: SweepView) -> str:
    """Return how J within criteria contradicts the pooled rates of the sweep; empty where it does not, and for typed rates."""
    if dataset is None or not request.from_judge or request.report is None:
        return ""
    judge = request.report.judges[request.report.declaration.judges[0]]
    pooled_j = pooled_j_of(judge, intervals.jackknifed(dataset).confidence) if request.block is judge.micro else None
    return "" if pooled_j is None else pooled_j.why


def untouched() -> bool:
    """Return whether typed rates are still those the page starts from."""
    return all(float(st.session_state.get(key, FIRST)) == FIRST for key in (TPR, TNR))


def sweep_view(dataset: state.Dataset | None, chosen: state.Choices | None) -> SweepView | InputError:
    """Return the sweep as it is asked for, or why there is none."""
    report_and_block = _data(dataset, chosen)
    if isinstance(report_and_block, InputError):
        return report_and_block
    report, block = report_and_block
    here = block.values["prevalence"] if block is not None and block["prevalence"].defined else None
    if typed(dataset, chosen) or block is None:
        tpr, fpr = _percent(TPR, FIRST), (100 - float(st.session_state.get(TNR, FIRST))) / 100
    elif dataset is not None and chosen is not None and (why := _refusal(dataset, chosen)):
        return InputError(f"{why} Or set TPR and TNR by hand.")
    elif block.confusion is None or block.undefined.get("youden_j"):
        why = block.undefined.get("youden_j", "no decision is left")
        return InputError(f"This judge has no TPR and TNR here: {why}. Set them by hand.")
    else:
        tpr, fpr = (float(rate) for rate in rates_of(block.confusion))
    rate_sweep = sweep(tpr, fpr)
    golden = int(st.session_state.get(GOLDEN, 200))
    by_judge = block is not None and not typed(dataset, chosen)
    return SweepView(rate_sweep, _percent(DEPLOYED, AT_FIRST), golden, _metrics(rate_sweep), here, report, block, by_judge)


def views(dataset: state.Dataset | None, chosen: state.Choices | None, request: SweepView) -> list[as_lines.View]:
    """Return the call that sweeps, and of a judge the one before it that gives its rates."""
    if not request.from_judge or dataset is None or chosen is None:
        here = request.deployed if request.here is None else request.here
        rates = {"tpr": request.sweep.tpr, "fpr": request.sweep.fpr}
        return [_at(here, rates)]
    settings = intervals.jackknife_settings(dataset, chosen, chosen.two_class_mode)
    block = as_lines.path("judges", [chosen.judge], "item" if chosen.level == "item" else "micro")
    judge = as_lines.View(as_lines.call("agreement", settings, dataset), f"{block}{as_lines.path(['kappa'])}")
    names = {"tpr": "recall", "fpr": "fpr"}
    rates = {rate: as_lines.Name(f"report{block}{as_lines.path([key], 'value')}") for rate, key in names.items()}
    return [judge, _at(request.deployed, rates)]


def _at(prevalence: float, rates: dict[str, Any]) -> as_lines.View:
    """Return the call that sweeps two rates, and where κ at a prevalence is."""
    where = f".at({prevalence!r}){as_lines.path(['kappa'])}"
    return as_lines.View(as_lines.Call("sweep", rates, (), name="sweep"), where, estimate=False)


def _data(
    dataset: state.Dataset | None, chosen: state.Choices | None
) -> tuple[AgreementReport | None, Block | None] | InputError:
    if dataset is None or chosen is None or not state.two_labels(dataset):
        return None, None
    try:
        report = cached.report(dataset, chosen, chosen.two_class_mode, intervals.jackknifed(dataset))
    except InputError as error:
        return error
    judge = report.judges[chosen.judge]
    return report, judge.item if chosen.level == "item" else judge.micro


def _percent(key: str, start: float) -> float:
    return float(st.session_state.get(key, start)) / 100


def _metrics(rate_sweep: Sweep) -> tuple[str, ...]:
    """Return those chosen, in catalogue order; before anything is chosen those of the link."""
    if METRICS not in st.session_state and METRICS in st.query_params:
        st.session_state[METRICS] = st.query_params[METRICS].split(",")
    chosen = st.session_state.get(METRICS, START)
    return tuple(key for key in rate_sweep.values if key in chosen)
