"""What is open in this session: data sets, the one in view, and the choices of the sidebar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from metrics import ItemRule, Ratings
from metrics.data.abstention import MODE_NAMES
from metrics.data.aggregation import AVERAGED_OVER, LEVEL_NAMES
from metrics.data.labels import HANDLED
from metrics.data.nonverdicts import modes_of
from metrics.data.pairs import reference_name, usual_rule
from metrics.data.references import AUTO, MAJORITY, UNANIMOUS, reference_words, references_of
from metrics.measures.catalogue import BY_KEY
from pages.shared import asking, cached, criteria_scope, filters, intervals, nonverdicts, panels, session_cache
from pages.shared.view import Choices, Dataset

MOST_UPLOADS = 8
UNKNOWN = "unknown data set"
UPLOADS = "uploads"
PAGE, ARRIVING = "page", "arriving"
OF_SAMPLE, IN_VIEW, CHOSEN = "sample in view", "data set in view", "choices in view"
JUDGE_IN_VIEW, JUDGE_TO_COME = "judge in view", "judge to come"
"""Under which the session keeps whom the sidebar showed last, and whom it shows on the next page that has one judge in view."""
"""Under which the session keeps what is in view, so that a run of a page works it out once, and a later one not at all."""
REFERENCE_NAMES = {MAJORITY: "Majority of the humans", UNANIMOUS: "Only what all humans agree on"}
RULE_NAMES = {"all": "all criteria are met", "threshold": "enough of the weight is met"}
VIEW_NAMES = {"room": "Room view"}
_RECODE = {"Recode as negative": MODE_NAMES["as_unmet"]}
_BIAS = {"Drift": BY_KEY["drift"].name}
FORMER_WORDS: dict[str, dict[str, str]] = {
    "mode": {**_RECODE, "Third class": MODE_NAMES["as_category"]},
    "level": {LEVEL_NAMES[level]: name for level, name in AVERAGED_OVER.items()},
    **dict.fromkeys(HANDLED, _RECODE),
    **dict.fromkeys(("agreement.metric", "choices.metric", "compare.metric"), _BIAS),
    "choices.vary": {"No verdict": "Abstentions", "Count by": "Average over"},
    "compare.list": {"Won by A": "Only A is right", "Won by B": "Only B is right"},
    "ensemble_show": {"Who thinks alike": "Which judges agree"},
    "roc.held": {"5 parts": "5-fold"},
}
"""Words that choices had in links of earlier versions, by the key of the address: such a link still restores its view."""


def of_scales() -> str:
    """Return one line about the criteria that the page in view takes of the data set."""
    file_dataset = dataset_of_the_file()
    return "" if file_dataset is None else criteria_scope.scale_note(file_dataset.ratings, str(st.session_state.get(PAGE)))


def only_scores() -> bool:
    """Return whether the page in view counts labels, and the data set has none."""
    viewed_dataset = dataset()
    return viewed_dataset is not None and criteria_scope.nothing_to_count(viewed_dataset.ratings, str(st.session_state.get(PAGE)))


def uploads() -> dict[str, Dataset]:
    datasets: dict[str, Dataset] = session_cache.held(UPLOADS)
    return datasets


def titles() -> dict[str, str]:
    """Return id and title of everything that can be opened, uploads first."""
    title_by_id = {dataset.id: dataset.title for dataset in reversed(uploads().values())}
    return title_by_id | {name: f"Sample: {record['title']}" for name, record in cached.samples().items()}


def restore_link() -> None:
    """Take the data set and the plain names of choices from the address, once per session."""
    if "data" not in st.session_state:
        wanted = st.query_params.get("data", default_id())
        known = wanted in titles()
        st.session_state["data"] = wanted if known else None
        st.session_state[UNKNOWN] = "" if known else wanted
        if known:
            panels.restore(wanted)
            filters.restore(wanted)
    _translate_names()


def _translate_names() -> None:
    """A bound widget reads the words it shows; links written by hand or by a program use the names of `metrics`."""
    tables = {
        "mode": MODE_NAMES,
        "level": AVERAGED_OVER,
        "rule": RULE_NAMES,
        "view": VIEW_NAMES,
        **nonverdicts.names_in_links(),
        **criteria_scope.names_in_links(),
    }
    if "unit" in st.query_params or "confidence" in st.query_params or "interval" in st.query_params:
        tables |= intervals.names_in_links(dataset())
    viewed_dataset = dataset() if "reference" in st.query_params else None
    if viewed_dataset is not None:
        shown = {
            name: named_reference(name)
            for name in references_of(viewed_dataset.ratings.humans, usual_rule(viewed_dataset.ratings))
        }
        tables |= {"reference": {name: words for name, words in shown.items() if words != name}}
    former = {key: words for key, words in FORMER_WORDS.items() if key in st.query_params}
    translate(tables | {key: {**words, **tables.get(key, {})} for key, words in former.items()})


def translate(tables: Mapping[str, Mapping[str, str]]) -> None:
    """Words of widgets for the plain names that a link gives to their choices, before they are drawn."""
    given = {key: st.query_params.get_all(key) for key in tables if key in st.query_params}
    words = {key: [tables[key].get(name, name) for name in names] for key, names in given.items()}
    if words != given:
        st.query_params.update({key: names for key, names in words.items() if names != given[key]})
        if arriving():
            st.session_state[PAGE] = None  # or the page that is drawn at last would not know that it has just been opened
        st.rerun()


def write_link() -> None:
    """Put the data set into the address; the other choices are bound to it by their widgets."""
    wanted = st.session_state["data"] or st.session_state.get(UNKNOWN) or default_id()
    asking.write("data", None if wanted == default_id() else wanted)
    panels.write(wanted)
    filters.write(wanted)


def default_id() -> str:
    return next(iter(cached.samples()))


def unknown_id() -> str:
    """Return id of a link's data set that is not open here; empty when there is none."""
    return str(st.session_state.get(UNKNOWN) or "")


def choose(name: str) -> None:
    """Open a data set; for callbacks, before the sidebar is drawn."""
    st.session_state["data"] = name
    forget_unknown()


def forget_unknown() -> None:
    st.session_state[UNKNOWN] = ""


def keep(dataset: Dataset) -> None:
    """Add an upload and open it; the oldest goes when there are too many."""
    session_cache.put(uploads(), dataset.id, dataset, MOST_UPLOADS)
    choose(dataset.id)


def dataset() -> Dataset | None:
    """Return what the page takes of the data set in view, with its panel; None after a link to one that is not open here."""
    file_dataset = dataset_of_the_file()
    if file_dataset is None:
        return None
    names = criteria_scope.taken(file_dataset.ratings, str(st.session_state.get(PAGE)))
    rests_on = file_dataset, names, panels.panel_request(file_dataset.id), nonverdicts.picked()
    return session_cache.memoised_last(IN_VIEW, rests_on, lambda: _on(file_dataset, names))


def _on(file_dataset: Dataset, criteria: tuple[str, ...]) -> Dataset:
    """Return these criteria of a data set with its panel, and with unclear answers as the sidebar has them."""
    whole = len(criteria) == len(file_dataset.ratings.criteria)
    part = file_dataset.ratings if whole else file_dataset.ratings.on_criteria(criteria)
    return replace(file_dataset, ratings=nonverdicts.treated(panels.joined(part, file_dataset.id)))


def two_labels(viewed: Dataset | None) -> bool:
    """Return whether the data have two labels, so that a judge has a TPR and an FPR."""
    return viewed is not None and len(viewed.ratings.scheme.classes) == 2


def dataset_of_the_file() -> Dataset | None:
    """Return the data set in view as its file has it, of the items asked for: no panel, and nothing handled otherwise."""
    whole = whole_dataset()
    return None if whole is None else filters.filtered(whole)


def whole_dataset() -> Dataset | None:
    """Return the data set in view with all items of its file."""
    name = st.session_state.get("data")
    if name in uploads():
        return uploads()[name]
    if name not in cached.samples():
        return None
    return session_cache.memoised_last(OF_SAMPLE, name, lambda: _of_sample(name))


def _of_sample(name: str) -> Dataset:
    return Dataset(name, titles()[name], "sample", cached.sample(name), cached.sample_table(name))


def choices() -> Choices | None:
    """Return the sidebar's choices; None without a data set that has a human and a judge."""
    viewed_dataset = dataset()
    if viewed_dataset is None or not viewed_dataset.ratings.humans or not viewed_dataset.ratings.judges:
        return None
    chosen = tuple(st.session_state.get(name) for name in ("judge", "reference", "mode", "level"))
    rule = item_rule(viewed_dataset)
    return session_cache.memoised_last(
        CHOSEN, (viewed_dataset, chosen, rule), lambda: _choices(viewed_dataset.ratings, *chosen, rule)
    )


def _choices(ratings: Ratings, judge: Any, reference: Any, mode: Any, level: Any, rule: ItemRule) -> Choices:
    """Return the choices, each one that the data set does not offer replaced by the usual one."""
    known = references_of(ratings.humans, usual_rule(ratings))
    return Choices(
        judge=judge if judge in ratings.judges else ratings.judges[0],
        reference=reference_name(ratings, reference if reference in known else AUTO),
        mode=mode if mode in modes_of(ratings) else "exclude",
        level=level or "micro",
        rule=rule,
    )


def named_reference(reference: str) -> str:
    """Return a reference as its selector shows it."""
    name = REFERENCE_NAMES.get(reference, reference_words(reference))
    return name[:1].upper() + name[1:] if name != reference else name


def item_rule(viewed_dataset: Dataset) -> ItemRule:
    rule = st.session_state.get("rule") or "all"
    threshold = float(st.session_state.get("threshold", 0.5)) if rule == "threshold" else None
    weights = {name: weight for name, weight in weights_of(viewed_dataset).items() if weight != 1}
    usable = any(weights.get(name, 1.0) > 0 for name in viewed_dataset.ratings.criteria)
    return ItemRule.of(rule, threshold, weights if usable else None, viewed_dataset.ratings.criteria)


def weights_of(viewed_dataset: Dataset) -> dict[str, float]:
    """Return weights of criteria of this data set: as the user gave them, else as the rubric of the file has them."""
    given: dict[str, float] = st.session_state.setdefault("weights", {}).setdefault(viewed_dataset.id, {})
    return viewed_dataset.ratings.rubric_weights | {
        name: weight for name, weight in given.items() if name in viewed_dataset.ratings.criteria
    }


def set_weights(viewed_dataset: Dataset, weights: dict[str, float]) -> None:
    st.session_state.setdefault("weights", {})[viewed_dataset.id] = weights


def come_to(page: str) -> None:
    """Take down which page is drawn, and whether the one before was another."""
    st.session_state[ARRIVING] = st.session_state.get(PAGE) != page
    st.session_state[PAGE] = page


def arriving() -> bool:
    """Return whether the page has just been opened, and is not drawn anew."""
    return bool(st.session_state.get(ARRIVING))


def in_room_view() -> bool:
    if "view" in st.session_state:
        return bool(st.session_state["view"])
    return "view" in st.query_params and st.query_params["view"].lower().startswith("room")


def enter_room() -> None:
    """Open the room view; for callbacks."""
    st.session_state["view"] = "room"


def leave_room() -> None:
    st.session_state["view"] = None
