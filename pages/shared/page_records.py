"""Every page as a record: where it stands, and what it takes of the data, of the sidebar and of the intervals.

No other file holds a page's file, title or address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import streamlit as st

Control = Literal["all", "data", "where", "criteria", "judge", "reference", "mode", "level", "rule"]
"""Controls of the sidebar; "all" stands for every one that has no reason of its own."""
Criteria = Literal["two-sided", "every scale", "labels", "one by one", "report", "whole file"]
"""Which criteria of a data set on several scales a page takes, unless the sidebar asks for one scale."""
Intervals = Literal["chosen", "one method", "elsewhere"]

LEARN = "Learn"
"""The one menu: what needs no file."""
WHOLE_FILE = "This page takes all criteria."
BY_CRITERION = "This page pools the decisions, and takes each criterion by itself."
POOLED = "This page pools the decisions of all criteria, or takes those of one that is chosen on it."
SLICED = "This page pools the decisions of each group."
ONE_BY_ONE = "This page takes every criterion by itself."
DECISIONS = "This page counts decisions, of every criterion or of the one chosen there."
EVERY_SCALE = (
    "This page takes the decisions with a verdict of both sides, pooled; on a nominal scale abstentions are kept as a class."
)
VERDICTS = "This page takes the decisions with a verdict of the reference, by criterion or pooled."
PAIRS = "This page takes the decisions that both sides answered; how a tie counts is asked there."
ORDERED = (
    "This page shows every criterion, all of them pooled, and their mean; what an abstention counts as is asked there. A third "
    "class has no place in an order."
)


def _counting(why: str) -> Mapping[Control, str]:
    return {"mode": why, "level": why, "rule": why}


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page of the dashboard.

    Attributes
    ----------
    file : str
        Below `pages`: "judge/agreement".
    title : str
        At its head.
    entry : str
        Of the navigation: the entry that leads to it.
    tab : str
        Its name beside the other pages of its entry, where its title is that of the entry.
    name : str
        Its address, and its name elsewhere.
    needs_judge : bool
        Whether it needs a judge beside a human.
    criteria : Criteria
    two_labels : bool
        Whether it needs two labels, and says so itself where there are more.
    ordered_first : bool
        Whether it shows the number of ordered labels, κ with quadratic weights, first.
    intervals : Intervals
        Whether all choices of intervals count, or confidence and unit alone, or none.
    one_method : str
        Which method it has, where it has one.
    weighted : bool
        Whether it has numbers by the weights of items, where the file has a column of them.
    opens_lab : bool
        Whether tables of it are opened in the lab, which leads back.
    because : mapping of control to str
        Why a control of the sidebar has no effect on it.
    """

    file: str
    title: str
    entry: str
    name: str
    tab: str = ""
    needs_judge: bool = True
    criteria: Criteria = "two-sided"
    two_labels: bool = False
    ordered_first: bool = False
    intervals: Intervals = "elsewhere"
    one_method: str = ""
    weighted: bool = False
    opens_lab: bool = False
    because: Mapping[Control, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """Its script, as links and `st.switch_page` take it."""
        return f"pages/{self.file}.py"

    @property
    def label(self) -> str:
        """Its name beside the other pages of its entry, and on links: its title, unless that is the name of the entry."""
        return self.tab or self.title

    @property
    def siblings(self) -> tuple[Page, ...]:
        """Pages of its entry, itself among them; of *Learn*, whose pages have entries of their own, none."""
        return () if self.entry == LEARN else tuple(page for page in PAGES if page.entry == self.entry)

    @property
    def leads(self) -> bool:
        """Whether its entry leads to it: the page with the title of the entry, else its first."""
        return self is next((page for page in self.siblings if page.title == self.entry), (*self.siblings, self)[0])

    @property
    def counts_labels(self) -> bool:
        """Whether it has nothing to count where a data set has scores alone."""
        return self.criteria in ("two-sided", "labels")

    @property
    def leaves_weights(self) -> bool:
        """Whether its numbers count every item once whatever its weight: those of a data set, on a page that has no others."""
        return not (self.weighted or self.entry == LEARN or self in (DATA, DISAGREEMENTS, REPORT))

    @property
    def says_scale_itself(self) -> bool:
        """Whether the line on scales above the page leaves to it what it makes of an order."""
        return self.two_labels or self.criteria in ("every scale", "labels", "one by one")

    def why_not(self, control: Control) -> str:
        """Return why a control has no effect; empty where it has one."""
        return self.because.get(control, self.because.get("all", ""))


def _of_no_file(why: str) -> Mapping[Control, str]:
    return {"all": f"Has no effect on this page, {why}."}


DATA = Page(
    file="data/data",
    title="Data",
    entry="Data",
    name="data",
    criteria="whole file",
    because={"all": "Has no effect on this page. It counts on the pages about the judge.", "data": ""},
)
OVERVIEW = Page(
    file="judge/overview",
    title="Overview",
    entry="Overview",
    name="overview",
    needs_judge=False,
    criteria="every scale",
    ordered_first=True,
    intervals="one method",
    one_method="The overview has the intervals of the default rules, and the paired jackknife between judges.",
    weighted=True,
    opens_lab=True,
    because={"judge": "The verdict takes all judges. Choose below whose numbers stand there."},
)
AGREEMENT = Page(
    file="judge/agreement",
    title="Agreement",
    entry="Overview",
    name="agreement",
    ordered_first=True,
    intervals="chosen",
    weighted=True,
    opens_lab=True,
)
PREFERENCES = Page(
    file="judge/preferences",
    title="Preferences",
    entry="Overview",
    name="preferences",
    two_labels=True,
    because=_counting(PAIRS),
)
DISAGREEMENTS = Page(
    file="disagreements/disagreements",
    title="Disagreements",
    entry="Disagreements",
    name="disagreements",
    needs_judge=False,
    criteria="labels",
)
RATERS = Page(
    file="rubric/raters",
    title="Do the people agree?",
    entry="Rubric review",
    name="raters",
    needs_judge=False,
    criteria="labels",
    weighted=True,
    because={"level": BY_CRITERION, "rule": BY_CRITERION},
)
REVIEW = Page(
    file="rubric/review",
    title="Rubric review",
    entry="Rubric review",
    tab="Criteria and decisions",
    name="review",
    criteria="one by one",
    intervals="one method",
    one_method="A criterion has one interval here, that of the default rules, and a change the paired jackknife.",
    because={"level": ONE_BY_ONE, "rule": ONE_BY_ONE},
)
COMPARE = Page(
    file="judge/compare",
    title="Compare judges",
    entry="Compare judges",
    tab="Two judges",
    name="compare",
    ordered_first=True,
    intervals="one method",
    one_method="The difference of two judges has one interval here: the paired jackknife.",
    weighted=True,
    opens_lab=True,
    because={"judge": "This page compares two judges. Choose them there, as A and B."},
)
RANKING = Page(
    file="choose/choose",
    title="Ranking",
    entry="Compare judges",
    name="choose",
    ordered_first=True,
    because={"judge": "This page ranks all judges.", "level": DECISIONS},
)
ENSEMBLE = Page(
    file="rubric/ensemble",
    title="Same mistakes?",
    entry="Compare judges",
    name="ensemble",
    needs_judge=False,
    criteria="labels",
    because={"judge": "This page takes all judges together.", "level": POOLED, "rule": POOLED},
)
ROC = Page(
    file="judge/roc",
    title="ROC and thresholds",
    entry="Scores and thresholds",
    name="roc",
    two_labels=True,
    intervals="one method",
    one_method="AUC has one interval here, DeLong’s or the jackknife; J at a threshold has that of the default rules.",
    weighted=True,
    opens_lab=True,
    because=_counting(VERDICTS),
)
SCORES = Page(
    file="judge/scores",
    title="Scores",
    entry="Scores and thresholds",
    name="scores",
    criteria="every scale",
    weighted=True,
    opens_lab=True,
    because=_counting(ORDERED),
)
CHOICES = Page(
    file="judge/choices",
    title="Every choice",
    entry="Robustness",
    name="choices",
    ordered_first=True,
    intervals="chosen",
)
SLICES = Page(
    file="judge/slices",
    title="Slices",
    entry="Robustness",
    name="slices",
    ordered_first=True,
    intervals="one method",
    one_method="A group has one interval here: that of the default rules on its rows alone.",
    weighted=True,
    because={"level": SLICED, "rule": SLICED},
)
ABSTENTION = Page(
    file="judge/abstention",
    title="Abstention",
    entry="Robustness",
    name="abstention",
    intervals="chosen",
    opens_lab=True,
    because={"mode": "This page shows all three at once."},
)
KAPPA_PHI = Page(file="judge/kappa_phi", title="κ and φ", entry="Robustness", name="kappa-phi", opens_lab=True)
SWEEP = Page(
    file="learn/prevalence",
    title="Prevalence",
    entry="Robustness",
    name="prevalence",
    two_labels=True,
)
LABELS = Page(
    file="judge/labels",
    title="How many labels",
    entry="Robustness",
    name="labels",
    ordered_first=True,
    intervals="one method",
    one_method="Planning rests on the default rules, and the difference of two judges on the paired jackknife.",
    weighted=True,
)
RATE = Page(
    file="choose/rate",
    title="Corrected rate",
    entry="Robustness",
    name="rate",
    two_labels=True,
    opens_lab=True,
    because={"level": DECISIONS},
)
REPORT = Page(
    file="report/report",
    title="Report",
    entry="Report",
    name="report",
    needs_judge=False,
    criteria="report",
    intervals="chosen",
    because={"criteria": WHOLE_FILE},
)
LAB = Page(
    file="learn/lab",
    title="Paradox lab",
    entry=LEARN,
    name="lab",
    criteria="whole file",
    because=_of_no_file("whose tables are made by hand"),
)
SCALES = Page(
    file="learn/scales",
    title="Scales",
    entry=LEARN,
    name="scales",
    criteria="whole file",
    because={"criteria": WHOLE_FILE, **_counting(EVERY_SCALE)},
)
SIMULATION = Page(
    file="choose/simulation",
    title="Simulation",
    entry=LEARN,
    name="simulation",
    criteria="whole file",
    because=_of_no_file("which draws made-up judges and models and takes no data"),
)
AUDIT = Page(
    file="learn/audit",
    title="Reporting audit",
    entry=LEARN,
    name="audit",
    criteria="whole file",
    opens_lab=True,
    because=_of_no_file("which is about published systems"),
)
DOCUMENTATION = Page(
    file="learn/documentation",
    title="Documentation",
    entry=LEARN,
    name="documentation",
    criteria="whole file",
    because=_of_no_file("which is there to be read"),
)
PAGES: tuple[Page, ...] = (
    DATA, OVERVIEW, AGREEMENT, PREFERENCES, DISAGREEMENTS, RATERS, REVIEW, COMPARE, RANKING, ENSEMBLE, ROC, SCORES, CHOICES,
    SLICES, ABSTENTION, KAPPA_PHI, SWEEP, LABELS, RATE, REPORT, LAB, SCALES, SIMULATION, AUDIT, DOCUMENTATION,
)  # fmt: skip
"""In the order of the navigation, and of the tabs of each entry."""
FIRST = OVERVIEW
"""The page at the address without a name."""
_BY_NAME = {page.name: page for page in PAGES} | {"": FIRST}


def page_of(name: str) -> Page:
    """Return the page at an address, or by its name; the first one where no page is in view yet."""
    return _BY_NAME.get(name, FIRST)


def entries() -> dict[str, list[Any]]:
    """Return the pages as Streamlit takes them: an entry for each page that leads one, and the menu of what needs no file."""
    known: dict[str, list[Any]] = {"": [], LEARN: []}
    for page in PAGES:
        of_menu = page.entry == LEARN
        shown = st.Page(
            page.path,
            title=page.title if of_menu else page.entry,
            url_path=page.name,
            default=page is FIRST,
            visibility="visible" if page.leads else "hidden",
        )
        known[LEARN if of_menu else ""].append(shown)
    return known
