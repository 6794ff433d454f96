"""Numbers of the sweep: headline, the table of all metrics, the download."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics.analyses.prevalence.compute import never_move
from metrics.analyses.prevalence.readings import share
from metrics.analyses.provenance import citation, citation_line, declaration_parts
from metrics.data.aggregation import Level
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import bounds, count, number, percent, percent1, plain, value
from pages.shared import documents, parts, sheets
from pages.shared.plain import escape
from pages.shared.prevalence.asking import SweepView


def headline(request: SweepView) -> list[parts.Headline]:
    there, stays = request.sweep.at(request.deployed), "does not move"
    at = share(request.deployed)
    kappa = replace(parts.Headline(f"κ at {at}", number(there["kappa"]), *_spread(request)), citation=_kappa_citation(request))
    accuracy = parts.Headline(
        f"Accuracy at {at}", percent(there["accuracy"]), f"baseline {percent(there['baseline_accuracy'])}",
        documents.help_of(BY_KEY["accuracy"]),
        citation=citation_line(
            "accuracy", percent(there["accuracy"]), _worked_out(request, request.deployed),
            beside=f"baseline {percent(there['baseline_accuracy'])}",
        ),
    )  # fmt: skip
    ends = request.block["youden_j"].ends if request.from_judge and request.block is not None else None
    lines = [bounds(ends), stays] if ends else [stays, ""]
    text = _measured_citation(request, "youden_j") or citation_line(
        "J", number(there["youden_j"]), (stays, *_worked_out(request, request.deployed)[1:])
    )
    j = parts.Headline(
        "Youden’s J", number(there["youden_j"]), lines[0], documents.help_of(BY_KEY["youden_j"]), "", lines[1], text
    )
    return [*_here(request), kappa, accuracy, j]


def _here(request: SweepView) -> list[parts.Headline]:
    if request.here is None or request.block is None:
        return []
    if request.from_judge:
        return [
            parts.number_of(
                request.block, "kappa", label=f"κ at your {share(request.here)}", copied=partial(_measured_citation, request)
            )
        ]
    value_by_metric = request.sweep.at(request.here)
    label, text = (
        f"κ at your {share(request.here)}",
        citation_line("κ", number(value_by_metric["kappa"]), _worked_out(request, request.here)),
    )
    return [
        parts.Headline(label, number(value_by_metric["kappa"]), "typed rates", documents.help_of(BY_KEY["kappa"]), citation=text)
    ]


def _measured_citation(request: SweepView, key: str) -> str:
    """Return a number of the judge as the data have it; empty where the rates are typed."""
    if request.report is None or not request.from_judge:
        return ""
    level: Level = "item" if request.block is request.report.judges[request.report.declaration.judges[0]].item else "micro"
    return citation(request.report, request.report.declaration.judges[0], level, key)


def _worked_out(request: SweepView, at: float) -> tuple[str, ...]:
    """Return what a number at a prevalence is made of."""
    rates = f"TPR {percent1(request.sweep.tpr)} and FPR {percent1(request.sweep.fpr)}"
    made = f"worked out at a prevalence of {share(at)}", rates
    if request.report is None or not request.from_judge:
        return (*made, "rates typed by hand")
    judge = request.report.declaration.judges[0]
    return (*made, f"rates of {plain(judge)}", *declaration_parts(request.report, judge, "micro"))


def _kappa_citation(request: SweepView) -> str:
    at, ends = request.spread
    value, context = number(request.sweep.at(request.deployed)["kappa"]), _worked_out(request, request.deployed)
    if not ends[0] < ends[1]:
        return citation_line("κ", value, context)
    band = f"{_reach(ends)} in 95 % of golden sets of {count(request.golden)} items, {share(at)} positive"
    return citation_line("κ", value, (*context[:2], band, *context[2:]))


def _spread(request: SweepView) -> tuple[str, str, str, str]:
    """Return second line, help, no reason and third line: where golden sets of the chosen size would put κ."""
    at, ends = request.spread
    size = count(request.golden)
    help_text = (
        f"{BY_KEY['kappa'].answers} Beside it: where 95 % of golden sets of {size} items, {share(at)} positive, would put κ if "
        "TPR and TNR were exactly these. It is no confidence interval."
    )
    if not ends[0] < ends[1]:
        return "no spread", help_text, "", f"in golden sets of {size}"
    return _reach(ends), help_text, "", f"in 95 % of golden sets of {size}"


def _reach(ends: tuple[float, float]) -> str:
    """Return a range of sampling, written so that nobody takes it for a confidence interval."""
    return f"{number(ends[0])} to {number(ends[1])}"


def table(request: SweepView) -> None:
    """Every metric at the two prevalences."""
    never, there = never_move(), request.sweep.at(request.deployed)
    here = request.sweep.at(request.here) if request.here is not None else None
    keys = list(there)
    columns = {"metric": [escape(BY_KEY[key].name) for key in keys]}
    if here is not None:
        columns[f"at your {share(request.here)}"] = [_value_text(key, here) for key in keys]
    columns[f"at {share(request.deployed)}"] = [_value_text(key, there) for key in keys]
    said = {
        **dict.fromkeys(request.sweep.moving, "moves"),
        **dict.fromkeys(request.sweep.still, "stays for this judge"),
        **dict.fromkeys(never, "stays for every judge"),
        **dict.fromkeys(request.sweep.undefined, "is undefined for this judge"),
    }
    columns["with prevalence it"] = [said[key] for key in keys]
    with st.expander("Every metric of the catalogue at both prevalences"):
        alt = "Metrics at two prevalences"
        sheets.show(columns, "Both prevalences (CSV)", "two_prevalences.csv", "sweep.table_csv", alt=alt)
    sheets.download("The sweep (CSV)", lambda: _frame(request), "prevalence_sweep.csv", "sweep.csv")


def _value_text(key: str, values: Mapping[str, float]) -> str:
    return escape(value(values[key], BY_KEY[key].unit))


def _frame(request: SweepView) -> dict[str, list[object]]:
    points = [float(x) for x in request.sweep.prevalence]
    extra_columns: dict[str, object] = {"tpr": request.sweep.tpr, "fpr": request.sweep.fpr}
    if request.report is not None and request.from_judge:
        d = request.report.declaration
        extra_columns |= {
            "judge": d.judges[0],
            "reference": d.reference,
            "abstention": d.abstention,
            **d.file_columns(),
        }
    frame: dict[str, list[object]] = {"prevalence": list(points)}
    frame |= {key: [float(y) for y in values] for key, values in request.sweep.values.items() if key != "prevalence"}
    return frame | {name: [what] * len(points) for name, what in extra_columns.items()}
