"""How near do the judge's scores come to the reference's?"""

from __future__ import annotations

from metrics import InputError
from metrics.analyses.scores.provenance import citation, header
from pages.shared import as_lines, opening, parts, stage, state
from pages.shared.plain import escape
from pages.shared.scores import asking, cuts, items, numbers, options, paired

ASKS = "How near do the judge’s scores come to the reference’s?"


def answer(dataset: state.Dataset, chosen: state.Choices) -> None:
    parts.sample_note_at_desk(dataset)
    state.translate(asking.NAMES)
    if not asking.ways(dataset.ratings):
        _no_order(dataset)
        return
    with opening.choosers():
        on = asking.choosers(dataset, chosen)
    try:
        if on == "item":
            if asking.scorable(dataset.ratings):
                items.show(dataset, chosen)
            else:
                _no_order(dataset)
            return
        asked = asking.scores_view(dataset, chosen, on)
    except InputError as error:
        parts.refused(error)
        return
    show(asked)


def show(asked: asking.ScoresView) -> None:
    where = asked.report, asked.chosen.judge
    parts.declaration(header(*where, asked.criterion, asked.key), citation(*where, asked.key, asked.criterion))
    drawings = [*(paired.drawings(asked) if asked.on == "score" else options.drawings(asked)), *cuts.drawings(asked)]
    if state.in_room_view():
        stage.one_at_a_time(drawings)
        return
    parts.headline(numbers.headline(asked))
    parts.notes(warning.message for warning in parts.not_above(asked.report.warnings))
    if asked.on == "score":
        paired.section(asked)
    else:
        options.section(asked)
        cuts.section(asked)
    numbers.tables(asked)
    as_lines.section(asked.dataset, numbers.view(asked))


def _no_order(dataset: state.Dataset) -> None:
    names = ", ".join(escape(name) for name in dataset.ratings.scheme.classes[:6])
    parts.lacking(
        f"Scores need labels from low to high, or score columns of both sides. The labels of {escape(dataset.title)} are "
        f"{names}, and nothing says which is higher. Say on the Data page that they are ordinal, and give their order.",
        "Give the order of the labels",
    )


opening.page(ASKS, answer)
