"""The dashboard: page configuration, navigation and the sidebar that every page shares."""

import streamlit as st

from pages.shared import exporting, selftest, sidebar, state, style
from pages.shared.watch import runs

runs.begin()
page = st.navigation(
    {
        "Your data": [st.Page("pages/data/data.py", title="Data", url_path="data")],
        "The judge": [
            st.Page("pages/judge/agreement.py", title="Agreement", url_path="agreement", default=True),
            st.Page("pages/judge/kappa_phi.py", title="κ and φ", url_path="kappa-phi"),
            st.Page("pages/judge/abstention.py", title="Abstention", url_path="abstention"),
            st.Page("pages/judge/choices.py", title="Every choice at once", url_path="choices"),
            st.Page("pages/judge/roc.py", title="ROC and Youden", url_path="roc"),
            st.Page("pages/judge/scores.py", title="Scores", url_path="scores"),
            st.Page("pages/judge/preferences.py", title="Preferences", url_path="preferences"),
            st.Page("pages/judge/compare.py", title="Compare judges", url_path="compare"),
            st.Page("pages/judge/labels.py", title="How many labels", url_path="labels"),
        ],
        "The rubric": [
            st.Page("pages/rubric/raters.py", title="Raters and gate", url_path="raters"),
            st.Page("pages/rubric/ensemble.py", title="Ensemble", url_path="ensemble"),
            st.Page("pages/rubric/review.py", title="Rubric review", url_path="review"),
        ],
        "Choose and correct": [
            st.Page("pages/choose/choose.py", title="Choose a judge", url_path="choose"),
            st.Page("pages/choose/rate.py", title="Measured rate", url_path="rate"),
            st.Page("pages/choose/simulation.py", title="Simulation", url_path="simulation"),
        ],
        "Learn": [
            st.Page("pages/learn/lab.py", title="Paradox lab", url_path="lab"),
            st.Page("pages/learn/prevalence.py", title="Prevalence sweep", url_path="prevalence"),
            st.Page("pages/learn/scales.py", title="Scales", url_path="scales"),
            st.Page("pages/learn/audit.py", title="Reporting audit", url_path="audit"),
        ],
        "Report": [st.Page("pages/report/report.py", title="Checklist and report", url_path="report")],
    },
    position="hidden" if state.in_room_view() else "top",
)
st.set_page_config(
    page_title=f"{page.title} · Kappascope",
    layout="wide",
    initial_sidebar_state="collapsed" if state.in_room_view() else "auto",
    menu_items={"about": "Kappascope: how far an LLM judge agrees with people."},
)
style.apply(room=state.in_room_view())
exporting.save_figures()
with runs.run(page.url_path):
    if selftest.asked():
        selftest.page()
    else:
        sidebar.draw(page.url_path)
        page.run()
