"""What does giving no verdict do to the number?"""

from __future__ import annotations

from collections.abc import Callable

from metrics.analyses.leading import leading
from metrics.analyses.provenance import citation
from metrics.data.abstention import Mode
from metrics.data.nonverdicts import modes_of
from metrics.data.scales import scales_of
from pages.shared import as_lines, asking, bootstrap_job, intervals, opening, parts, stage, state
from pages.shared.abstention import cost, modes, price, who
from pages.shared.abstention.answers import ModeReports

ASKS = "What does giving no verdict do to the number?"
TIES = "A tie counts as no verdict on this page. The page Preferences counts ties in three ways."
SHOW = "abstention_show"
VIEWS: dict[str, str] = {"price": "Coverage and bounds", "who": "Who abstains, and on what", "cost": "Cost matrix"}


def answer(dataset: state.Dataset, chosen: state.Choices) -> None:
    request = bootstrap_job.Request(dataset, chosen, intervals.chosen(dataset))
    reports, missing = bootstrap_job.reports(request, modes_of(dataset.ratings))
    _show(ModeReports(request, reports), missing)


def _show(asked: ModeReports, missing: list[Mode]) -> None:
    dataset, chosen = asked.request.dataset, asked.request.chosen
    parts.sample_note_at_desk(dataset)
    parts.declaration(asked.header, citation(asked.reports["exclude"], chosen.judge, chosen.level, leading(dataset.ratings)))
    if scales_of(dataset.ratings).used == ("pairwise",):
        parts.notes([TIES])
    bar = bootstrap_job.status(asked.request, missing) if missing else None
    if state.in_room_view():
        drawings: list[Callable[[], None]] = [lambda: modes.section(asked), *price.drawings(asked), *who.drawings(asked)]
        drawings += cost.drawings(dataset, chosen)
        stage.one_at_a_time(drawings)
    else:
        modes.section(asked)
        _view(asked)
        as_lines.section(dataset, *modes.views(asked))
    bootstrap_job.go_on(asked.request, missing, asked.reports, bar)


def _view(asked: ModeReports) -> None:
    shown = asking.one_of("Show", VIEWS, SHOW)
    if shown == "who":
        who.section(asked)
    elif shown == "cost":
        cost.draw(asked.request.dataset, asked.request.chosen)
    else:
        price.section(asked)


opening.page(ASKS, answer)
