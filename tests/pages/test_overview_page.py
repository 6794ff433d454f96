"""The first answer: whatever a file holds, the overview says what the package says, and lands on no dead page."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.runtime.caching.cache_resource_api import clear_session_cache
from streamlit.testing.v1 import AppTest

import metrics
from metrics.analyses.overview.compute import overview_of
from metrics.analyses.slices.searching import search
from metrics.measures.catalogue import BY_KEY
from pages.shared.overview import asking, landing
from pages.shared.slices import asking as slices
from tests.pages.conftest import Open
from tests.pages.files import DATA, upload, use
from tests.pages.own_file import rows
from tests.pages.seen import figure, numbers_of, text_of, unescaped, words_in
from tests.shared_data import shared

ROOT = Path(__file__).resolve().parents[2]
OVERVIEW, AGREEMENT = "pages/judge/overview.py", "pages/judge/agreement.py"
DISAGREEMENTS = "pages/disagreements/disagreements.py"
WITHIN = "κ within criteria"
PLAIN = rows((f"q{i}", "right", "MET" if i % 3 else "UNMET", "MET" if i % 4 else "UNMET") for i in range(40))
ORDINAL = b"item,human,verdict\n" + b"".join(f"q{i},{1 + i % 4},{1 + (i + i // 7) % 4}\n".encode() for i in range(40))
NUMBERS = b"item,human,verdict\n" + b"".join(f"q{i},{i / 7:.3f},{(i + 5 * (i % 3)) / 7:.3f}\n".encode() for i in range(40))
PAIRWISE = b"item,human,verdict\n" + b"".join(f"q{i},{'AB'[i % 2]},{'AB'[(i // 3) % 2]}\n".encode() for i in range(40))
PEOPLE = b"item,rater,role,label\n" + b"".join(
    f"q{i},{who},human,{'yes' if (i + k * (i % 5 == 0)) % 2 else 'no'}\n".encode()
    for i in range(30)
    for k, who in enumerate(("ana", "ben"))
)


def drop(app: AppTest, name: str, data: bytes) -> AppTest:
    app.file_uploader(key=landing.UPLOAD).upload(name, data, "text/csv").run()
    assert not app.exception
    return app


def plain(app: AppTest) -> str:
    return unescaped(app)


def says_all(app: AppTest, found: metrics.Overview) -> None:
    """Every statement, item and step of the package stands on the page."""
    shown = plain(app)
    for text in (*(statement.text for statement in found.verdict), *(step.text for step in found.next)):
        assert text in shown, text
    listed = [parse_qs(link.proto.query_string)["item"][0] for link in app.get("page_link") if "item=" in link.proto.query_string]
    assert listed == [row.item for row in found.items]
    assert all(row.why in shown for row in found.items)


def test_the_first_screen_names_the_product_and_takes_a_file(visit: Open) -> None:
    app = visit()
    assert [title.value for title in app.title] == ["Kappascope"]
    assert app.file_uploader(key=landing.UPLOAD)
    assert {f"landing.sample {name}" for name in landing.CARDS} <= {button.key for button in app.button}
    says_all(app, metrics.overview(metrics.read(ROOT / "assets/support_answers.csv")))


def test_a_card_opens_its_sample(visit: Open) -> None:
    app = visit()
    app.button(key="landing.sample rao_always_negative").click().run()
    assert app.session_state["data"] == "rao_always_negative"
    assert "90 % right, κ 0" in plain(app)


def test_what_cards_say_of_their_samples_is_so() -> None:
    first, second = (metrics.agreement(metrics.read(ROOT / f"assets/{name}.csv")) for name in landing.CARDS[1:])
    block = next(iter(first.judges.values())).micro
    assert (block["accuracy"].value, block["kappa"].value) == (0.9, 0.0)
    pooled, within = (next(iter(second.judges.values())).micro[key].value for key in ("kappa", "kappa_within"))
    assert (round(pooled, 2), abs(within) < 0.005) == (0.58, True)


@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
def test_the_verdict_is_that_of_the_package_in_every_mode(visit: Open, mode: str) -> None:
    says_all(visit(OVERVIEW, mode=mode), metrics.overview(metrics.read(ROOT / "assets/support_answers.csv"), abstention=mode))


def test_a_file_that_leaves_nothing_open_is_answered_at_once(visit: Open) -> None:
    app = drop(visit(), "own.csv", PLAIN)
    assert [title.value for title in app.title] == ["Overview"]
    assert "own.csv: h is the human; j is the judge; MET counts as positive; all 80 rows read." in plain(app)
    says_all(app, metrics.overview(metrics.read(PLAIN)))
    assert numbers_of(app)["Cohen’s κ"] == numbers_of(app.switch_page(AGREEMENT).run())["Cohen’s κ"]


def test_a_file_with_a_question_leads_to_it_once(visit: Open) -> None:
    app = drop(visit(), "steps.csv", ORDINAL)
    assert [title.value for title in app.title] == ["Data"]
    assert "steps.csv" in plain(app)
    app.switch_page(OVERVIEW).run()
    assert [title.value for title in app.title] == ["Kappascope"]


def test_a_file_that_cannot_be_read_says_so_and_leaves_the_sample(visit: Open) -> None:
    app = drop(visit(), "empty.csv", b"")
    assert "is empty" in app.error[0].value
    assert app.session_state["data"] == "support_answers"
    assert "cautious" in plain(app)


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (ORDINAL, {"scale": "ordinal"}),
        (NUMBERS, {"scale": "continuous"}),
        (PAIRWISE, {"labels": {"A": "positive", "B": "negative"}}),
        (PEOPLE, {}),
    ],
    ids=["ordinal", "numbers", "pairwise", "people"],
)
def test_every_scale_has_its_answer(visit: Open, data: bytes, options: dict[str, object]) -> None:
    app = visit(DATA)
    app.file_uploader(key="data.upload").upload("own.csv", data, "text/csv").run()
    app.button(key="data.use").click().run()
    assert not app.exception
    found = metrics.overview(metrics.read(data, **options))  # type: ignore[arg-type]
    assert [title.value for title in app.title] == ["Overview"]
    says_all(app, found)
    assert app.metric, "numbers stand below the verdict"
    assert len(app.get("plotly_chart")) >= 1


def test_the_numbers_below_are_those_of_the_leader_until_another_judge_is_chosen(visit: Open) -> None:
    report = metrics.agreement(metrics.read(ROOT / "assets/support_answers.csv"))
    app = visit()
    shown = numbers_of(app)[WITHIN]
    leader, other = (report.judges[name].micro.values for name in ("cautious", "strict"))
    assert shown == f"{leader['kappa_within']:.2f}"
    # One number for one question: the verdict is about this one, and the pooled one is named as such.
    assert f"{WITHIN} {shown} [" in plain(app)
    (beside,) = [metric.proto.delta_description for metric in app.metric if metric.label == WITHIN]
    assert beside == f"pooled over criteria {leader['kappa']:.2f}"
    app.selectbox(key="overview.judge").set_value("strict").run()
    assert numbers_of(app)[WITHIN] == f"{other['kappa_within']:.2f}" != shown
    rows_shown = words_in(figure(app, "overview.leaderboard"))
    assert "strict · below" in rows_shown


def test_the_figure_of_judges_says_of_how_many_it_shows_the_first(visit: Open) -> None:
    said = "".join(f"q{n},j{k:02},{n % 2},{int(n % 2 != ((n + 3 * k) % 7 == 0))}\n" for n in range(28) for k in range(15))
    app = drop(visit(), "own.csv", f"item,judge,human,verdict\n{said}".encode())
    assert "n decisions · unmarked: not told apart from the leader · the first 12 of 15" in plain(app)


def test_only_marks_that_the_figure_of_judges_shows_are_explained(visit: Open) -> None:
    below, unmarked = "below: significantly below the leader", "unmarked: not told apart from the leader"
    told = plain(visit())
    assert below in told
    assert unmarked not in told
    second = b"".join(line.replace(b",j,", b",k,") for line in PLAIN.splitlines(keepends=True) if b",j," in line)
    alike = plain(drop(visit(), "own.csv", PLAIN + second))
    assert below not in alike
    assert unmarked in alike


def test_a_table_of_counts_has_no_items_and_says_so(visit: Open) -> None:
    app = visit(OVERVIEW, data="rao_balanced")
    assert "No item to read" in plain(app)


def test_names_of_a_file_are_shown_as_typed(visit: Open) -> None:
    hostile = PLAIN.replace(b",j,", b",**j** <b>:red[x],").replace(b"q1,", b"[a](http://x.y),")
    app = drop(visit(), "own.csv", hostile)
    assert "**j** <b>:red[x]" in plain(app)
    assert "**j** <b>" not in text_of(app)


def test_the_room_shows_the_verdict_first(visit: Open) -> None:
    app = visit(OVERVIEW, view="room")
    assert app.button(key="room.right")
    assert "cautious has the highest" in plain(app)
    for _ in range(4):
        app.button(key="room.right").click().run()
        assert not app.exception


@pytest.mark.parametrize("name", ["llmrubric_real_binary", "ragas_annotated", "dices350_expert_vs_crowd"])
def test_real_files_are_answered_at_once(visit: Open, name: str) -> None:
    path = shared(f"data/{name}.csv")
    app = drop(visit(), path.name, path.read_bytes())
    assert [title.value for title in app.title] == ["Overview"]
    says_all(app, metrics.overview(metrics.read(path)))


def test_a_link_that_names_a_judge_wins_over_what_the_session_holds(visit: Open) -> None:
    app = visit(AGREEMENT)
    app.selectbox(key="judge").set_value("lenient").run()
    app.query_params["judge"] = "cautious"
    app.switch_page("pages/disagreements/disagreements.py").run()
    assert app.selectbox(key="judge").value == "cautious"
    assert "cautious" in plain(app)


def test_a_selected_cell_leads_to_its_decisions(visit: Open) -> None:
    app = visit()
    assert not any(link.proto.label.startswith("Read th") for link in app.get("page_link"))
    app.session_state["agreement.cell"] = (0, 1)
    app.run()
    (carried,) = [link for link in app.get("page_link") if link.proto.label.startswith("Read these ")]
    report = metrics.agreement(metrics.read(ROOT / "assets/support_answers.csv"))
    n = int(report.judges["cautious"].micro.confusion[0, 1])
    assert carried.proto.label == f"Read these {n} decisions"
    assert parse_qs(carried.proto.query_string)["judge"] == ["cautious"]
    assert parse_qs(carried.proto.query_string)["cell"] == ["reference MET, judge UNMET"]


def test_the_level_says_that_the_verdict_does_not_take_it(visit: Open) -> None:
    app = visit()
    note = "*Average over* leaves the verdict as it is."
    assert note not in plain(app)
    for level, words in (("macro", "means over the criteria"), ("item", "on whole items")):
        app.segmented_control(key="level").set_value(level).run()
        assert f"The numbers below are {words}; {note}" in plain(app)


@pytest.mark.parametrize(
    ("data", "why"),
    [(NUMBERS, "Scores are shown by criterion, pooled"), (ORDINAL, "There is one criterion")],
    ids=["numbers", "one criterion"],
)
def test_a_choice_of_averages_that_changes_nothing_is_greyed_with_its_reason(visit: Open, data: bytes, why: str) -> None:
    app = visit(DATA)
    assert not visit(OVERVIEW).segmented_control(key="level").disabled
    upload(app, "own.csv", data)
    assert app.segmented_control(key="level").disabled
    assert why in app.segmented_control(key="level").help


def linked(app: AppTest) -> list[dict[str, list[str]]]:
    return [parse_qs(link.proto.query_string) for link in app.get("page_link") if "item=" in link.proto.query_string]


def test_the_items_to_read_first_are_linked_in_the_list_that_has_their_order(visit: Open) -> None:
    wrong = {3: ("tone",), 8: ("tone", "depth"), 9: ("depth",), 15: ("tone", "depth", "length")}
    app = drop(visit(), "one.csv", rows(
        (f"q{i}", name, "MET" if i % 2 else "UNMET", "MET" if (i % 2) ^ (name in wrong.get(i, ())) else "UNMET")
        for i in range(20) for name in ("tone", "depth", "length")
    ))  # fmt: skip
    named = linked(app)
    assert [link["item"] for link in named[:2]] == [["q15"], ["q8"]]
    for place, link in enumerate(named):
        app.query_params.clear()
        for name, value in link.items():
            app.query_params[name] = value[0]
        app.switch_page(DISAGREEMENTS).run()
        assert f"**{place + 1} of 4**" in [text.value for text in app.markdown]
        app.switch_page(OVERVIEW).run()


BOTH = {"old": {2, 4, *range(5, 13)}, "new": {2, 3, *range(5, 13)}}


@pytest.mark.parametrize("said", [BOTH, {**BOTH, "third": {2, 3, *range(5, 13)}}], ids=["two", "three"])
def test_items_on_which_most_judges_err_are_linked_in_the_list_of_those(visit: Open, said: dict[str, set[int]]) -> None:
    lines = [
        f"q{i},{name},{'MET' if i % 2 else 'UNMET'},{'MET' if (i % 2) ^ (i in wrong) else 'UNMET'}"
        for i in range(20) for name, wrong in said.items()
    ]  # fmt: skip
    app = drop(visit(), "two.csv", "\n".join(["item,judge,human,verdict", *lines, ""]).encode())
    links = linked(app)
    assert [link["item"] for link in links] == [[f"q{i}"] for i in (2, 5, 6, 7, 8)]
    assert {tuple(link["rows"]) for link in links} == {("Most judges wrong",)}
    app.query_params.clear()
    for name, value in links[1].items():
        app.query_params[name] = value[0]
    app.switch_page(DISAGREEMENTS).run()
    assert f"**2 of {9 if len(said) == 2 else 10}**" in [text.value for text in app.markdown]


def test_the_sidebar_names_no_judge_where_all_are_in_view(visit: Open) -> None:
    app = visit()
    box = next(box for box in app.selectbox if box.label == "Judge")
    assert box.disabled
    assert box.value is None
    assert "takes all judges" in box.help
    app.switch_page("pages/judge/agreement.py").run()
    box = next(box for box in app.selectbox if box.label == "Judge")
    assert (box.disabled, box.value) == (False, "cautious"), "the leader, whose numbers stood on the overview"
    assert app.query_params["judge"] == "cautious", "a reload and a copied link lead to the same numbers"


def test_the_judge_of_the_overview_is_that_of_the_pages_to_come_until_another_is_chosen_there(visit: Open) -> None:
    app = visit()
    app.selectbox(key="overview.judge").set_value("lenient").run()
    app.switch_page("pages/judge/agreement.py").run()
    assert app.selectbox(key="judge").value == "lenient"
    app.selectbox(key="judge").set_value("strict").run()
    app.query_params.clear()  # as a browser does: the first judge is what an address without a judge stands for
    app.switch_page(OVERVIEW).run()
    assert app.selectbox(key="overview.judge").value == "lenient"
    app.query_params.clear()
    app.switch_page("pages/judge/agreement.py").run()
    assert app.selectbox(key="judge").value == "strict"


def scored(*, columns: bool = False) -> bytes:
    head = "item,criterion,human,verdict" + (",system" if columns else "")
    lines = [
        f"q{i},{name},{i / 7:.3f},{(i + 5 * (i % 3)) / 7 + shift:.3f}" + (f",s{i % 2}" if columns else "")
        for i in range(60) for name, shift in (("tone", 0), ("depth", 9))
    ]  # fmt: skip
    return "\n".join([head, *lines, ""]).encode()


def test_numbers_in_two_units_are_read_by_their_ranks(visit: Open) -> None:
    lines = [f"q{i},{i / 60:.3f},{100 + 7 * i % 60}" for i in range(60)]
    app = drop(visit(), "own.csv", "\n".join(["item,human,verdict", *lines, ""]).encode())
    (link,) = [link for link in app.get("page_link") if link.proto.label == "Read them by their ranks"]
    app.switch_page(DISAGREEMENTS).run()
    assert "distances are between ranks" in plain(app)
    assert link.proto.page.endswith("disagreements")


def test_of_numbers_no_group_is_searched_for(visit: Open) -> None:
    app = drop(visit(), "own.csv", scored(columns=True))
    assert [title.value for title in app.title] == ["Overview"]
    assert not app.error


def test_the_first_number_is_that_of_the_verdict(visit: Open) -> None:
    app = drop(visit(), "own.csv", scored())
    (shown,) = [metric for metric in app.metric if metric.label == "Pearson’s r"]
    scores = metrics.scores(metrics.read(scored(), scale="continuous"))
    (judge,) = scores.judges.values()
    assert shown.value == f"{judge.mean.values['pearson']:.2f}" != f"{judge.pooled.values['pearson']:.2f}"
    assert f"{judge.pooled.values['pearson']:.2f}" in shown.proto.delta_description
    assert f"of 2 criteria {shown.value} [" in plain(app)


def test_of_ordered_labels_the_first_card_is_the_mean_that_the_verdict_is_about(visit: Open) -> None:
    apart = (("a", 1), ("b", 3))
    steps = [(f"q{i}", name, low + i % 2, low + (i + (i % 5 == 0)) % 2) for i in range(60) for name, low in apart]
    data = "item,criterion,human,verdict\n" + "".join(f"{','.join(map(str, row))}\n" for row in steps)
    app = drop(visit(), "own.csv", data.encode())
    if app.title[0].value == "Data":
        use(app)
    (judge,) = metrics.agreement(metrics.read(data.encode(), scale="ordinal")).judges.values()
    key = "weighted_kappa_quadratic"
    mean, pooled = judge.macro.values[key], judge.micro.values[key]
    (shown,) = [metric for metric in app.metric if metric.label == BY_KEY[key].name]
    assert shown.value == f"{mean:.2f}" != f"{pooled:.2f}"
    assert shown.proto.delta_description.endswith(f"mean of 2 criteria · pooled over criteria {pooled:.2f}")


def test_a_sample_as_it_comes_is_worked_out_once_for_all_sessions(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []
    monkeypatch.setattr(asking, "overview_of", lambda *given: counted.append("overview") or overview_of(*given))
    monkeypatch.setattr(slices, "search", lambda *given: counted.append("search") or search(*given))

    def in_a_new_session(**query: str) -> list[str]:
        before = len(counted)
        clear_session_cache("test session id")
        assert not visit(OVERVIEW, **query).exception
        return counted[before:]

    assert in_a_new_session() == ["overview", "search"]
    assert in_a_new_session() == []
    for _ in range(2):
        assert in_a_new_session(where="prompt=p1") == ["overview", "search"]
