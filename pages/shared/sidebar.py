"""The choices every page shares. Each widget is bound to the address, so that a link restores the view."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.multiverse.compute import has_item_level
from metrics.data.abstention import MODE_NAMES
from metrics.data.aggregation import AVERAGED_OVER
from metrics.data.labels import DEFAULT_NEGATIVE
from metrics.data.nonverdicts import modes_of
from metrics.data.pairs import one_human_each, usual_rule
from metrics.data.references import references_of
from metrics.data.scales import scales_of
from pages.shared import asking, criteria_scope, filters, more, nonverdicts, state, weights
from pages.shared.copying import copy_button
from pages.shared.page_records import OVERVIEW, Page, page_of
from pages.shared.plain import short

MODE_HELP = "What an answer without a verdict counts as. Each choice gives another number; none is the only right one."
LEVEL_HELP = (
    "Micro pools the decisions of all criteria. Macro averages over the criteria, each counting once. "
    "Items: the decisions on an item become one verdict first."
)

ONE_EACH = "The one human of each decision"
"""Instead of the rule for several, where no decision has more than one."""


def draw(name: str) -> None:
    """The sidebar; `name` is the address of the page it stands beside."""
    page = page_of(name)
    state.come_to(name)
    state.restore_link()
    with st.sidebar:
        _dataset(page.why_not("data"))
        _only_where(page.why_not("where"))
        _criteria(page.why_not("criteria"))
        dataset = state.dataset()
        if dataset is not None and dataset.ratings.judges:
            _judge(dataset, page)
            _reference(dataset, page.why_not("reference"))
            _mode(dataset, page.why_not("mode"))
            _level(dataset, page.why_not("level"))
            _item_rule(dataset, page)
        elif dataset is not None and not page.needs_judge:
            _mode(dataset, "")
        copy_button("Copy link", "copy_link")
        _room()
    state.write_link()


def _dataset(no_effect: str) -> None:
    titles = state.titles()
    st.selectbox(
        "Data set",
        list(titles),
        format_func=lambda name: titles.get(name, name),
        key="data",
        placeholder="Choose a data set",
        help=no_effect or None,
        disabled=bool(no_effect),
        persist_state="session",
        on_change=state.forget_unknown,
    )


def _only_where(no_effect: str) -> None:
    dataset = state.whole_dataset()
    if dataset is not None:
        filters.chooser(dataset, no_effect)


def _criteria(no_effect: str) -> None:
    """Where criteria are on several scales, those in view; before anything else, which rests on them."""
    dataset = state.dataset_of_the_file()
    if dataset is not None:
        criteria_scope.chooser(dataset.ratings, no_effect)


USUAL = "reference usual"
"""Under which the session keeps the rule that several humans become one by in the data set in view, unless told otherwise."""


def _judge(dataset: state.Dataset, page: Page) -> None:
    no_effect = page.why_not("judge")
    # A link of another page may name a judge; what the session holds would win over it.
    linked = st.query_params.get("judge")
    if state.arriving() and linked in dataset.ratings.judges:
        st.session_state["judge"] = linked
    if page is OVERVIEW and len(dataset.ratings.judges) > 1:  # the name of one judge would be read as that of all numbers here
        st.selectbox("Judge", (), placeholder="No effect here", help=no_effect, disabled=True, key="judge without effect")
        return
    to_come = st.session_state.pop(state.JUDGE_TO_COME, None)
    if to_come in dataset.ratings.judges and not (state.arriving() and linked in dataset.ratings.judges):
        st.session_state["judge"] = to_come
        if to_come != dataset.ratings.judges[0]:  # or the address would name another judge than the page, on reload too
            st.query_params["judge"] = to_come
    shown = st.selectbox(
        "Judge",
        dataset.ratings.judges,
        key="judge",
        help=no_effect or None,
        disabled=bool(no_effect),
        **asking.BOUND,
    )
    if not no_effect:
        st.session_state[state.JUDGE_IN_VIEW] = shown


def _reference(dataset: state.Dataset, no_effect: str) -> None:
    if len(dataset.ratings.humans) > 1:
        usual_reference = usual_rule(dataset.ratings)
        one_each = one_human_each(dataset.ratings, usual_reference)
        before, now = st.session_state.get(USUAL), (usual_reference, one_each)
        # What was usual for the data set before is no choice: ordered labels take their median, whatever was open first. Where
        # it is only called otherwise now, it is written all the same, or the browser would show its name of before.
        if before is not None and st.session_state.get("reference") == before[0] and before != now:
            st.session_state["reference"] = usual_reference
        st.session_state[USUAL] = now
        st.selectbox(
            "Reference",
            references_of(dataset.ratings.humans, usual_reference),
            format_func=lambda name: ONE_EACH if one_each and name == usual_reference else state.named_reference(name),
            key="reference",
            help=no_effect or "Whose verdict is taken as true. Where the humans’ votes split, the decision is left out.",
            disabled=bool(no_effect),
            **asking.BOUND,
        )


def _mode(dataset: state.Dataset, no_effect: str) -> None:
    scheme = dataset.ratings.scheme
    modes = modes_of(dataset.ratings)
    negative = short(scheme.classes[1]) if scheme.scale == "binary" else DEFAULT_NEGATIVE
    captions = {
        "exclude": "only decisions both gave",
        "as_unmet": f"no verdict counts as {negative}",
        "as_category": "no verdict is an answer of its own",
    }
    pairs = scales_of(dataset.ratings).used == ("pairwise",)
    if pairs:
        together = "invalid" in nonverdicts.present(dataset.ratings) and nonverdicts.picked()["invalid"] == "abstention"
        kept = "ties and invalid answers are one class" if together else "a tie is an answer of its own"
        captions |= {"exclude": "only pairs that both decided", "as_category": kept}
    st.radio(
        "Ties and abstentions" if pairs else "Abstentions",
        modes,
        format_func=lambda mode: MODE_NAMES.get(mode, mode),
        captions=[captions[mode] for mode in modes],
        key="mode",
        help=no_effect or MODE_HELP,
        disabled=bool(no_effect),
        **asking.BOUND,
    )


def _level(dataset: state.Dataset, no_effect: str) -> None:
    levels = [level for level in AVERAGED_OVER if level != "item" or has_item_level(dataset.ratings)]
    if st.session_state.get("level", levels[0]) not in levels:  # chosen for another file
        st.session_state["level"] = levels[0]
    why = no_effect or _one_average(dataset, levels)
    asking.one_of("Average over", AVERAGED_OVER, "level", options=levels, help=why or LEVEL_HELP, disabled=bool(why))


def _one_average(dataset: state.Dataset, levels: list[str]) -> str:
    """Return why there is nothing to choose between: scores stand in every average at once, one criterion is its own mean."""
    if scales_of(dataset.ratings).used == ("continuous",):
        return "Scores are shown by criterion, pooled, and as the mean over criteria."
    if len(dataset.ratings.criteria) == 1 and "item" not in levels:
        return "There is one criterion, so its decisions and its mean are the same."
    return ""


def _item_rule(dataset: state.Dataset, page: Page) -> None:
    no_effect = page.why_not("rule")
    at_item = st.session_state.get("level") == "item" and has_item_level(dataset.ratings)
    why = no_effect or ("" if at_item else "Has an effect when you average over items.")
    st.selectbox(
        "An item is met when",
        ("all", "threshold"),
        format_func=lambda rule: state.RULE_NAMES.get(rule, rule),
        key="rule",
        help=why or "How the verdicts on an item become one.",
        disabled=bool(why),
        **asking.BOUND,
    )
    if st.session_state.get("rule") == "threshold":
        st.slider(
            "Share of the weight that must be met",
            min_value=0.05,
            max_value=1.0,
            value=0.5,
            step=0.05,
            key="threshold",
            help=why or None,
            disabled=bool(why),
            **asking.BOUND,
        )
    with st.expander("More choices: intervals, weights"):
        more.no_verdict(dataset, no_effect)
        more.widgets(dataset, page)
        st.markdown("**Weights of criteria**")
        if why:
            st.markdown(why)
        else:
            weights.editor(dataset)


def _room() -> None:
    st.pills(
        "Room view",
        ("room",),
        format_func=lambda view: state.VIEW_NAMES.get(view, view),
        key="view",
        help="One figure at a time, in large type, for a projector.",
        label_visibility="collapsed",
        **asking.BOUND,
    )
