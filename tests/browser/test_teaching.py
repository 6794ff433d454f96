"""The teacher's pack: a class that follows, figures for slides, a lesson on paper, the speaker's keys, one's own lesson."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from metrics.content.lab.lesson_file import EXAMPLE, packed
from metrics.content.lab.lessons import LESSONS
from tests.browser.axe import Audit
from tests.browser.driver import Dashboard, Opener

TITLE = "Paradox lab"


def _link(dashboard: Dashboard, having: str) -> str:
    found = dashboard.page.get_by_test_id("stCode").filter(has_text=having)
    expect(found).to_have_count(1)
    return found.inner_text().strip()


def _expect_step(dashboard: Dashboard, step: str) -> None:
    expect(dashboard.page).to_have_url(re.compile(rf"lab_step={step}\b"))


def test_a_class_follows_its_teacher_lets_go_and_is_counted_without_names(visit: Opener) -> None:
    teacher = visit().open("/lab", TITLE)
    teacher.main.get_by_role("button", name="Teach").click()
    teacher.page.get_by_role("button", name="Open a class").click()
    teacher.settle()
    link = _link(teacher, "class=")
    expect(teacher.page.get_by_role("img", name="QR code of this link")).to_be_visible()
    code = link.split("class=")[1]
    student = visit()
    student.page.goto(link)
    student.expect_title(TITLE)
    teacher.page.keyboard.press("Escape")
    teacher.main.get_by_role("button", name="Next", exact=True).click()
    _expect_step(teacher, "asleep")
    _expect_step(student, "asleep")
    student.settle().main.get_by_text("Follow the teacher").click()
    expect(student.main.get_by_text("on your own")).to_be_visible()
    teacher.settle().main.get_by_role("button", name="Next", exact=True).click()
    _expect_step(teacher, "chance")
    student.page.wait_for_timeout(3000)
    _expect_step(student, "asleep")
    student.main.get_by_text("Follow the teacher").click()
    _expect_step(student, "chance")
    own = visit().open(f"/lab?class={code}&lesson={packed(EXAMPLE)}", TITLE)
    own.expect_said("They agree on 95 %")
    own.main.get_by_role("radio", name="No", exact=True).click()
    own.expect_said("Right.")
    own.expect_said("Yes: 0 · No: 1")
    own.settle().main.get_by_role("button", name="Next", exact=True).click()
    own.expect_said("κ is 0.62")
    for dashboard in (teacher, student, own):
        dashboard.expect_nothing_broken()


def test_a_class_that_is_no_more_says_so(visit: Opener) -> None:
    visit().open("/lab?class=nobody23", TITLE).expect_said("This class is over")


def test_a_figure_alone_fits_its_frame_and_has_no_barrier(visit: Opener) -> None:
    dashboard = visit(720, 480)
    audit = Audit()
    for step in ("ship", "kappa", "3a", "5c"):
        dashboard.page.goto(f"{dashboard.address}/lab?lab_step={step}&show=figure")
        chart = dashboard.settle().main.locator(".held")
        expect(chart).to_have_count(1)
        box, said = chart.bounding_box(), dashboard.main.locator(".st-key-show_said").bounding_box()
        assert box is not None
        assert said is not None
        assert said["y"] + said["height"] <= box["y"] + 1
        assert box["y"] + box["height"] <= 480
        assert box["x"] + box["width"] <= 720
        expect(dashboard.sidebar).to_be_hidden()
        expect(dashboard.page.get_by_test_id("stHeader")).to_be_hidden()
        audit.look(dashboard.page, f"figure of {step}")
    assert not audit.findings, audit.findings


def test_every_lesson_on_paper_has_its_tasks_and_what_solves_them_apart(visit: Opener) -> None:
    dashboard = visit(760, 1000)
    for lesson in LESSONS:
        dashboard.page.goto(f"{dashboard.address}/lab?lab_step={lesson.steps[0].key}&show=print")
        expect(dashboard.settle().main.locator(".paper section")).to_have_count(3)
        expect(dashboard.main.get_by_role("heading", level=1)).to_have_text(lesson.title)
        dashboard.page.emulate_media(media="print")
        pages = re.findall(rb"/Type\s*/Page[^s]", dashboard.page.pdf(prefer_css_page_size=True))
        dashboard.page.emulate_media(media="screen")
        assert len(pages) == 3, lesson.title
    expect(dashboard.main.locator(".paper img").first).to_have_attribute("alt", re.compile("Confusion matrix"))
    dashboard.page.goto(f"{dashboard.address}/lab?lab_step=asleep&show=print")
    step = dashboard.settle().main.locator(".paper .steps .step").nth(1)
    expect(step.locator("img")).to_have_count(2)
    expect(step.locator(".small")).to_have_text([re.compile("^A: accuracy"), re.compile("^B: accuracy")])
    expect(dashboard.main.get_by_text(re.compile("^Start: A TP 40, .*; B TP 45, "))).to_be_visible()


def test_keys_of_the_speaker(visit: Opener) -> None:
    dashboard = visit().open("/lab?view=room", "Two judges, 90 % agreement each")
    page = dashboard.page
    expect(page.locator("html")).to_have_attribute("data-speaking", "heard")
    page.keyboard.press("n")
    expect(page.get_by_role("region", name="Speaker’s notes")).to_contain_text("Take hands")
    page.keyboard.press("q")
    expect(page.get_by_role("dialog", name="Code of this step")).to_contain_text("/lab")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Code of this step")).to_have_count(0)
    page.keyboard.press("b")
    expect(page.get_by_role("dialog", name="Blank screen")).to_be_visible()
    page.keyboard.press("b")
    expect(page.get_by_role("dialog", name="Blank screen")).to_have_count(0)
    dashboard.expect_nothing_broken()
