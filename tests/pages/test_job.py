"""Long work: it starts, is stopped half-way and keeps what it has, goes on from there, and hands over when it is interrupted."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from threading import Event, Thread

import pytest
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from metrics import InputError
from pages.shared import job as jobs
from pages.shared.job import EVERY, Job, Progress

STEPS = 5
Counted = tuple[int, ...]


class Clicked(BaseException):
    """As a click elsewhere interrupts a script."""


@pytest.fixture(autouse=True)
def every_move(monkeypatch) -> None:
    monkeypatch.setattr(jobs, "EVERY", 0)


def made(*, going: bool = True) -> Job[Counted]:
    return Job({}, "key", going=going)


def counting(before: Callable[[int], object] = lambda step: None):
    """Work in steps that goes on from what is done; `before` hears of each step."""

    def work(so_far: Counted | None, progress: Progress) -> Counted:
        done = so_far or ()
        for step in range(len(done), STEPS):
            before(step)
            done = (*done, step)
            if progress(len(done) / STEPS, f"{len(done)} steps", done):
                break
        return done

    return work


def clicked_at(share: float) -> Callable[..., None]:
    def bar(done: float, text: str) -> None:
        if done >= share:
            raise Clicked

    return bar


def test_it_goes_through_and_tells_how_far_it_is() -> None:
    job, moves = made(), []
    job.run(counting(), lambda share, text: moves.append((share, text)))
    assert job.ready
    assert job.part == (0, 1, 2, 3, 4)
    assert moves == [(step / STEPS, f"{step} steps") for step in range(1, STEPS + 1)]
    job.run(counting(pytest.fail))
    job.start()
    assert job.ready


def test_without_words_the_bar_shows_the_share() -> None:
    texts = []
    made().run(lambda so_far, progress: progress(0.25) or progress(1.5), lambda share, text: texts.append((share, text)))
    assert texts == [(0.25, "25\u00a0%"), (1.0, "100\u00a0%")]


def test_the_bar_moves_ten_times_a_second_at_most(monkeypatch) -> None:
    clock, moves = itertools.count(5, 2), []
    monkeypatch.setattr(jobs, "EVERY", EVERY)
    monkeypatch.setattr(jobs.time, "monotonic", lambda: next(clock) / 100)
    progress = Progress(made(), lambda share, text: moves.append(share))
    for step in range(100):
        progress((step + 1) / 100)
    assert 10 < len(moves) <= 21


def test_a_new_job_waits_until_it_is_started() -> None:
    job = made(going=False)
    job.run(counting(pytest.fail))
    assert (job.state, job.part) == ("new", None)
    job.stop()
    assert not job.stopped
    job.start()
    job.run(counting())
    assert job.ready


def test_stopped_in_the_middle_it_keeps_what_is_done_and_goes_on_from_there() -> None:
    job, steps = made(), []
    job.run(counting(lambda step: steps.append(step) or (job.stop() if step == 2 else None)))
    assert job.stopped
    assert job.part == (0, 1, 2)
    job.run(counting(pytest.fail))
    assert job.part == (0, 1, 2)
    job.start()
    job.run(counting(steps.append))
    assert job.ready
    assert job.part == tuple(steps) == (0, 1, 2, 3, 4)


def test_a_stop_at_the_end_finds_nothing_to_stop() -> None:
    job = made()
    job.run(counting(lambda step: job.stop() if step == STEPS - 1 else None))
    assert job.ready


def test_in_slices_it_goes_on_where_it_was() -> None:
    job, steps = made(), []
    for n in range(1, STEPS + 1):
        job.run(counting(steps.append), seconds=0)
        assert job.part == tuple(range(n))
        assert job.going == (n < STEPS)
    assert steps == list(range(STEPS))


def test_one_that_is_ready_goes_on_only_where_there_is_more_to_do() -> None:
    job = made()
    job.run(counting())
    job.start()
    assert job.ready
    job.start(more=True)
    job.run(lambda so_far, progress: (*so_far, STEPS))
    assert job.ready
    assert job.part == (0, 1, 2, 3, 4, 5)


def test_a_click_elsewhere_hands_over_what_is_done() -> None:
    job, steps = made(), []
    with pytest.raises(Clicked):
        job.run(counting(steps.append), clicked_at(2 / STEPS))
    assert job.going
    assert job.part == (0, 1)
    job.run(counting(steps.append))
    assert job.part == tuple(steps)


def test_work_that_has_its_part_only_as_it_returns_hands_it_over_too() -> None:
    job = made()

    def work(so_far, progress):
        done = next((step for step in range(1, STEPS) if progress(step / STEPS)), STEPS)
        return (*(so_far or ()), done)

    with pytest.raises(Clicked):
        job.run(work, clicked_at(3 / STEPS))
    assert job.part == (3,)
    job.run(work)
    assert job.part == (3, STEPS)
    assert job.ready


def test_an_interruption_after_the_last_step_leaves_it_done() -> None:
    job = made()
    with pytest.raises(Clicked):
        job.run(counting(), clicked_at(1))
    assert job.ready
    assert job.part == (0, 1, 2, 3, 4)


def test_work_that_goes_on_in_spite_of_a_click_is_cut_off() -> None:
    job, heard = made(), []

    def work(so_far, progress):
        for step in range(1, STEPS):
            progress(step / STEPS, part=(step,))
            heard.append(step)

    with pytest.raises(Clicked):
        job.run(work, clicked_at(0))
    assert heard == [1]
    assert job.going
    assert job.part == (2,)


def test_what_a_stopped_run_has_is_waited_for_and_nothing_is_done_twice() -> None:
    job, steps, here, further = made(), [], Event(), Event()

    def slowly(step: int) -> None:
        steps.append(step)
        if step == 1:
            here.set()
            assert further.wait(5)

    at_work = Thread(target=job.run, args=(counting(slowly),))
    at_work.start()
    assert here.wait(5)
    assert job.part == (0,)
    job.stop()
    handed_over: list[Counted | None] = []
    asking = Thread(target=lambda: handed_over.append(job.part))
    asking.start()
    assert not handed_over
    further.set()
    asking.join(5)
    at_work.join(5)
    assert handed_over == [(0, 1)]
    job.start()
    others = [Thread(target=job.run, args=(counting(steps.append),)) for _ in range(3)]
    for thread in others:
        thread.start()
    for thread in others:
        thread.join(5)
    assert steps == list(range(STEPS))


def test_patience_has_an_end(monkeypatch) -> None:
    monkeypatch.setattr(jobs, "PATIENCE", 0.01)
    job, here, further = made(), Event(), Event()
    at_work = Thread(target=job.run, args=(counting(lambda step: here.set() or further.wait(5)),))
    at_work.start()
    assert here.wait(5)
    job.stop()
    assert job.part is None
    further.set()
    at_work.join(5)
    assert job.part == (0,)


def test_what_cannot_be_used_stops_it_and_any_other_error_is_raised() -> None:
    job = made()
    job.run(counting(refusing))
    assert (job.stopped, job.failure, job.part) == (True, "Step 2 cannot be done.", (0, 1))
    job.start()
    assert not job.failure
    with pytest.raises(ZeroDivisionError):
        job.run(lambda so_far, progress: 1 / 0)
    assert job.part == (0, 1)
    job.run(counting())
    assert job.ready


def refusing(step: int, refused: int = 2) -> None:
    if step == refused:
        raise InputError(f"Step {step} cannot be done.")


def test_a_session_keeps_so_many_jobs_and_none_that_was_never_started(monkeypatch) -> None:
    monkeypatch.setattr(jobs, "MOST_KEPT", 3)
    known: dict[str, Job[Counted]] = {}
    monkeypatch.setattr(jobs.session_cache, "held", lambda name: known)
    for key in "abcde":
        Job.of("name", key).run(counting())
    for key in "xyz":
        assert Job.of("name", key, going=False).part is None
    assert list(known) == ["c", "d", "e"]
    assert Job.of("name", "d") is known["d"]
    asked = Job.of("name", "f", going=False)
    asked.start()
    assert Job.of("name", "f") is asked
    assert len(known) == 3
    Job.of("name", "g", most=1).run(counting())
    assert list(known) == ["g"]


def at_the_end() -> None:
    """A page that does its work in slices at its end."""
    import streamlit as st

    from pages.shared.job import Job, status_line
    from tests.pages.test_job import counting

    job = Job.of("jobs", "key", going=False)
    status_line(f"{job.state}: {job.part}", "Go on" if job.part else "Run", "button", job)
    job.go_on(counting(lambda step: step == 3 and not st.session_state.get("further") and st.stop()), None, 0)


def in_place() -> None:
    """A page that waits for its answer."""
    import streamlit as st

    from metrics import InputError
    from pages.shared.job import Job
    from tests.pages.test_job import counting, refusing

    st.session_state.calls = st.session_state.get("calls", 0)

    def before(step: int) -> None:
        st.session_state.calls += 1
        if "refused" in st.session_state:
            refusing(step, st.session_state.refused)
        elif step == 3 and "cut" not in st.session_state:
            st.session_state.cut = True
            st.stop()

    job = Job.of("jobs", "key")
    try:
        st.markdown(f"{job.wait(counting(before), 'It takes a while.', 'button')} {job.state}")
    except InputError as error:
        st.error(str(error))


def test_a_page_that_is_stopped_shows_what_it_has_and_goes_on() -> None:
    app = AppTest.from_function(at_the_end).run()
    assert app.markdown[0].value == "new: None"
    assert app.button[0].label == "Run"
    app.button[0].click().run()
    assert app.markdown[0].value == "going: (0, 1, 2)"
    assert app.button[0].label == "Stop"
    app.session_state["further"] = True
    app.button[0].click().run()
    assert app.markdown[0].value == "stopped: (0, 1, 2)"
    assert app.button[0].label == "Go on"
    app.button[0].click().run()
    assert app.markdown[0].value == "ready: (0, 1, 2, 3, 4)"
    assert not app.exception


def test_where_it_takes_long_a_bar_and_a_button_appear_and_go(monkeypatch) -> None:
    monkeypatch.setattr(jobs, "SLOW", 0)
    app = AppTest.from_function(in_place).run()
    assert app.markdown[0].value == "It takes a while."
    assert app.get("progress")
    app.button(key="button").click().run()
    assert app.markdown[0].value == "(0, 1, 2) stopped"
    assert not app.button
    assert not app.get("progress")
    calls = app.session_state.calls
    assert app.run().session_state.calls == calls


def test_a_bar_appears_only_where_it_takes_long_and_goes_when_all_is_done(monkeypatch) -> None:
    moves = []
    plain = DeltaGenerator.progress
    monkeypatch.setattr(DeltaGenerator, "progress", lambda *args, **more: moves.append(more["text"]) or plain(*args, **more))
    for slow, count in ((60, 0), (0, STEPS)):
        monkeypatch.setattr(jobs, "SLOW", slow)
        app = AppTest.from_function(in_place)
        app.session_state["cut"] = True
        app.run()
        assert len(moves) == count
        assert app.markdown[0].value == "(0, 1, 2, 3, 4) ready"
        assert not app.button
        assert not app.get("progress")


def test_a_bar_without_words_stands_alone(monkeypatch) -> None:
    def page() -> None:
        import streamlit as st

        from pages.shared.job import Job
        from tests.pages.test_job import counting

        Job.of("jobs", "key").wait(counting(lambda step: step == 3 and st.stop()))

    monkeypatch.setattr(jobs, "SLOW", 0)
    app = AppTest.from_function(page).run()
    assert [bar.proto.text for bar in app.get("progress")] == ["3 steps"]
    assert not app.button
    assert not app.markdown


@pytest.mark.parametrize("refused", [0, 2])
def test_a_failure_is_shown_each_time_and_the_work_not_tried_again(refused: int) -> None:
    app = AppTest.from_function(in_place)
    app.session_state["refused"] = refused
    app.run()
    calls = app.session_state.calls
    for _ in range(2):
        assert app.error[0].value == f"Step {refused} cannot be done."
        assert app.run().session_state.calls == calls


def test_a_failure_stands_beneath_the_button_that_starts_again() -> None:
    def page() -> None:
        from pages.shared.job import Job, status_line
        from tests.pages.test_job import counting, refusing

        job = Job.of("jobs", "key")
        status_line(job.state, "Run", "button", job)
        job.go_on(counting(refusing), None)

    app = AppTest.from_function(page).run()
    assert app.error[0].value == "Step 2 cannot be done\\."
    assert [button.label for button in app.button] == ["Run"]
    assert not app.exception
