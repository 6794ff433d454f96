from __future__ import annotations

import pytest

from tests.pages.files import several, use, used
from tests.pages.seen import numbers_of, text_of
from tests.shared_data import data, shared

DATA = "pages/data/data.py"
AGREEMENT = "pages/judge/agreement.py"
PAIRS = b"item,criterion,judge,human,verdict,note\nq1,tone,gpt,MET,MET,a\nq2,tone,gpt,UNMET,MET,b\nq3,tone,gpt,UNMET,UNMET,c\n"


def upload(app, name: str, data: bytes):
    app.file_uploader(key="data.upload").upload(name, data, "text/csv").run()
    assert not app.exception
    return app


def test_a_sample_is_described(visit):
    app = visit(DATA)
    assert "226 items" in text_of(app)
    assert numbers_of(app)["Rows read"] == numbers_of(app)["Used"]


def test_a_plain_file_opens_with_one_click(visit):
    app = used(upload(visit(DATA), "labels.csv", PAIRS))
    assert numbers_of(app) == {"Rows read": "3", "Used": "3", "Left out": "0", "Repeated": "0", "Unmatched": "0"}
    assert app.selectbox(key="data").value == app.session_state["data"]
    assert app.selectbox(key="data").options[0] == "labels.csv"
    app.switch_page(AGREEMENT).run()
    assert numbers_of(app)["Accuracy"] == "67\u00a0%"
    assert "Sample data" not in text_of(app)


def test_columns_without_a_role_are_named_before_the_file_is_used(visit):
    app = upload(visit(DATA), "labels.csv", PAIRS)
    assert "Without a role: note. Filters, groups and lists can use this column." in text_of(app)
    more = b"item,run,human,verdict,note,team\n" + b"".join(b"q%d,1,MET,MET,a%d,x\n" % (i, i) for i in range(3))
    app = upload(visit(DATA), "more.csv", more)
    assert "Without a role: note and team. Filters, groups and lists can use these columns." in text_of(app)
    app = upload(visit(DATA), "bare.csv", b"item,human,verdict\nq1,MET,MET\nq2,UNMET,MET\n")
    assert "Without a role" not in text_of(app)


def test_an_upload_survives_page_switches(visit):
    app = use(upload(visit(DATA), "labels.csv", PAIRS))
    app.switch_page(AGREEMENT).run()
    app.switch_page(DATA).run()
    app.switch_page(AGREEMENT).run()
    assert numbers_of(app)["Cohen’s κ"] == "0.40"


def test_until_confirmed_the_old_data_set_stays(visit):
    app = upload(visit(DATA), "labels.csv", PAIRS)
    assert "every page still shows" in text_of(app)
    assert app.session_state["data"] == "support_answers"


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("empty.csv", b"", "is empty"),
        ("header.csv", b"item,human,verdict\n", "no rows"),
        ("junk.csv", b"PK\x03\x04" + bytes(range(256)) * 4, "not a table"),
        ("nul.csv", b"item,human,verdict\nq1,MET,\x00MET\n", "NUL"),
        ("twice.csv", b"item,human,human\nq1,MET,MET\n", "twice"),
    ],
)
def test_a_bad_file_leaves_the_open_one(visit, name, data, says):
    app = used(upload(visit(DATA), "labels.csv", PAIRS))
    upload(app, name, data)
    assert says in app.error[0].value.replace("\\", "").replace("\u2060", "")
    assert "Still showing labels" in app.error[0].value
    app.switch_page(AGREEMENT).run()
    assert numbers_of(app)["Cohen’s κ"] == "0.40"


def test_labels_in_doubt_are_asked(visit):
    rows = b"item,human,verdict\nq1,blue,blue\nq2,green,blue\nq3,green,green\nq4,red,red\n"
    app = upload(visit(DATA), "colours.csv", rows)
    assert "no meaning yet" in text_of(app)
    meaning = {box.label: box for box in app.selectbox if box.label.startswith("Meaning of")}
    assert set(meaning) == {"Meaning of blue", "Meaning of green", "Meaning of red"}
    meaning["Meaning of blue"].set_value("positive").run()
    meaning = {box.label: box for box in app.selectbox if box.label.startswith("Meaning of")}
    meaning["Meaning of green"].set_value("negative").run()
    meaning = {box.label: box for box in app.selectbox if box.label.startswith("Meaning of")}
    meaning["Meaning of red"].set_value("abstention").run()
    use(app).switch_page(AGREEMENT).run()
    assert numbers_of(app)["Accuracy"] == "67\u00a0%"
    assert "coverage 75" in text_of(app)


def test_labels_in_doubt_can_be_taken_as_proposed(visit):
    app = upload(visit(DATA), "colours.csv", b"item,human,verdict\nq1,blue,blue\nq2,green,blue\nq3,green,green\nq4,red,red\n")
    use(app).switch_page(AGREEMENT).run()
    assert numbers_of(app)["Accuracy"] == "75\u00a0%"


def test_columns_can_be_named_by_hand(visit):
    app = upload(visit(DATA), "odd.csv", b"ticket,first,second\nq1,MET,MET\nq2,UNMET,MET\nq3,UNMET,UNMET\n")
    boxes = {box.label: box for box in app.selectbox}
    boxes["Each row is"].set_value("pairs").run()
    for label, column in (("Item", "ticket"), ("The human's verdict", "first"), ("The judge's verdict", "second")):
        {box.label: box for box in app.selectbox}[label].set_value(column).run()
    use(app).switch_page(AGREEMENT).run()
    assert numbers_of(app)["Accuracy"] == "67\u00a0%"


@pytest.mark.parametrize("shape", ["pairs", "raters", "wide", "counts"])
def test_columns_that_no_name_gives_away_are_asked_for(visit, shape):
    app = upload(visit(DATA), "odd.csv", b"case,who,is,says\n" + b"".join(b"%d,ana,mensch,yes\n" % n for n in range(9)))
    assert "No column holds" in text_of(app)
    {box.label: box for box in app.selectbox}["Each row is"].set_value(shape).run()
    assert not app.exception


def test_positive_and_negative_can_be_swapped(visit):
    app = upload(visit(DATA), "labels.csv", PAIRS)
    assert "Positive verdict:** MET" in text_of(app)
    next(button for button in app.button if button.label.startswith("Swap")).click().run()
    assert "Positive verdict:** UNMET" in text_of(app)
    use(app).switch_page(AGREEMENT).run()
    assert "of 2 decisions the reference calls *UNMET*, the judge calls 1 *MET*" in text_of(app)


def test_rows_left_out_have_reasons(visit):
    rows = PAIRS + b"q3,tone,gpt,UNMET,UNMET,later\nq4,tone,gpt,,,\n,tone,gpt,MET,MET,\n"
    app = used(upload(visit(DATA), "gaps.csv", rows))
    shown = numbers_of(app)
    assert int(shown["Used"]) + int(shown["Left out"]) == int(shown["Rows read"]) == 6
    assert "no item id" in text_of(app)


def test_left_out_rows_keep_their_text():
    import metrics
    from metrics.readers import open_table
    from metrics.readers.excluded_rows import left_out_rows

    data = PAIRS + b",tone,gpt,MET,MET,no id here\n"
    frame = left_out_rows(metrics.read(data), open_table(data, "gaps.csv"))
    assert frame["row"].tolist() == [5]
    assert frame["note"].tolist() == ["no id here"]


def test_one_sided_file_says_so(visit):
    rows = b"item,rater,role,label\nq1,ana,human,MET\nq2,ana,human,UNMET\n"
    app = use(upload(visit(DATA), "raters.csv", rows))
    assert "comes from ‘ana’" in app.error[0].value
    app = use(upload(visit(DATA), "raters.csv", rows + b"q1,ben,human,MET\n"))
    app.switch_page(AGREEMENT).run()
    assert "No judge is among the raters" in text_of(app)


def test_who_is_who_is_asked(visit):
    rows = b"item,rater,label\nq1,x,MET\nq1,y,MET\nq2,x,UNMET\nq2,y,MET\n"
    app = upload(visit(DATA), "raters.csv", rows)
    assert "No column of the file says it" in text_of(app)
    app = used(app)
    assert "No column of the file says it" not in text_of(app)
    assert "**Who is human and who is a judge**" in text_of(app)
    assert [box.label for box in app.selectbox if box.label == "All others are"]


def test_no_shared_item_is_an_error_not_a_crash(visit):
    rows = b"item,rater,role,label\nq1,ana,human,MET\nq2,gpt,judge,UNMET\nq3,ana,human,UNMET\nq4,gpt,judge,MET\n"
    app = upload(visit(DATA), "apart.csv", rows)
    use(app)
    assert any("share none" in one.value for one in app.error)
    assert app.session_state["data"] == "support_answers"
    app.switch_page(AGREEMENT).run()
    assert not app.exception


def test_a_typed_table_opens(visit):
    app = visit(DATA)
    app.button(key="data.use_typed").click().run()
    assert not app.exception


def test_a_sample_can_be_opened_here(visit):
    app = visit(DATA)
    app.button(key="data.sample rao_balanced").click().run()
    assert app.session_state["data"] == "rao_balanced"
    app.switch_page(AGREEMENT).run()
    assert numbers_of(app)["Cohen’s κ"] == "0.40"


@pytest.mark.parametrize(
    "name",
    [
        "llmrubric_real_binary",
        "xstest_refusal",
        "llmbar_natural",
        "ragas_annotated",
        "mtbench_gpt4_pairwise",
        "dices350_expert_vs_crowd",
    ],
)
def test_real_files_open(visit, name):
    path = data(f"{name}.csv")
    app = use(upload(visit(DATA), path.name, path.read_bytes()))
    assert app.session_state["data"] != "support_answers"
    app.switch_page(AGREEMENT).run()
    assert not app.exception
    assert numbers_of(app)["Cohen’s κ"] != "–"


def test_bad_rows_can_be_left_out_beside_the_refusal(visit):
    rows = b"item,human,verdict\na,MET,MET\nb,UNMET,MET,extra\nc,UNMET,UNMET\n"
    app = upload(visit(DATA), "ragged.csv", rows)
    assert "--skip" not in app.error[0].value
    app = app.button(key="data.skip").click().run()
    assert not app.error
    app = used(app)
    assert [metric.value for metric in app.metric if metric.label in ("Rows read", "Used", "Left out")] == ["3", "2", "1"]


RUNS = b"""item,judge,run,human,verdict
q1,gpt,1,MET,MET
q1,gpt,2,MET,UNMET
q2,gpt,1,UNMET,UNMET
q2,gpt,2,UNMET,UNMET
q3,gpt,1,UNMET,MET
"""


def test_repeated_runs_are_kept_and_said(visit):
    app = used(upload(visit(DATA), "runs.csv", RUNS))
    assert numbers_of(app)["Used"] == "5"
    assert numbers_of(app)["Repeated"] == "0"
    assert "4 ratings of 2 decisions" in text_of(app)
    app.switch_page(AGREEMENT).run()
    assert numbers_of(app)["Accuracy"] == "67\u00a0%"
    assert "First of repeated runs" in text_of(app)


def test_the_last_of_several_files_is_opened(visit):
    app = several(visit(DATA), ("old.csv", PAIRS))
    app.file_uploader(key="data.upload").upload("new.csv", PAIRS.replace(b"q3", b"q4"), "text/csv").run()
    assert not app.exception
    app = use(app)
    assert app.selectbox(key="data").options[0] == "new.csv"


def test_the_files_of_an_autorubric_run_are_opened_together(visit):
    run = shared("formats/examples/autorubric")
    paths = [run / "dataset.json", run / "experiment_single" / "manifest.json", run / "experiment_single" / "items.jsonl"]
    files = [(path.name, path.read_bytes()) for path in paths]
    app = several(visit(DATA), *files[:1])
    assert "Send it together with the run's items.jsonl" in app.error[0].value.replace("\\", "").replace("\u2060", "")
    app = used(several(app, ("old.csv", PAIRS), *files))
    assert not app.error
    assert app.selectbox(key="data").options[0].startswith("dataset.json + ")
    assert numbers_of(app)["Rows read"] == "46"
    assert numbers_of(app)["Left out"] == "1"
    assert "the item failed as a whole" in text_of(app)


def test_a_run_of_autorubric_comes_as_one_archive(visit):
    from metrics.readers import combine_files

    run = shared("formats/examples/autorubric")
    files = [run / "dataset.json", *sorted((run / "experiment_ensemble_messy").iterdir())]
    app = used(upload(visit(DATA), "run.zip", combine_files([(file.name, file.read_bytes()) for file in files])))
    assert not app.error
    assert numbers_of(app)["Rows read"] == "42"


def test_rows_that_contradict_are_asked(visit):
    app = used(upload(visit(DATA), "twice.csv", PAIRS + b"q1,tone,gpt,MET,UNMET,d\n"))
    problem = app.error[0].value.replace("\\", "").replace("\u2060", "")
    assert "Rows 2 and 5 of twice.csv give the same rating twice" in problem
    assert "Choose which row counts" in problem
    assert "--" not in problem
    (asked,) = [group for group in app.get("button_group") if group.label == "Rows that contradict each other"]
    asked.set_value("last").run()
    assert not app.error
    app = used(app)
    assert numbers_of(app)["Used"] == "3"
    assert numbers_of(app)["Repeated"] == "1"
    assert "the last row counts" in text_of(app)


def test_rows_that_agree_are_not_asked(visit):
    app = used(upload(visit(DATA), "twice.csv", PAIRS + b"q1,tone,gpt,MET,met,d\n"))
    assert not app.error
    assert numbers_of(app)["Repeated"] == "1"
    assert not [group for group in app.get("button_group") if group.label == "Rows that contradict each other"]


def test_a_number_without_a_label_is_called_a_score(visit):
    rows = "item,rater,role,label,score\n" + "".join(
        f"q{n},{who},{role},{'' if n == 3 else label},{n / 9}\n"
        for n, label in enumerate(["pass", "fail"] * 3)
        for who, role in (("ana", "human"), ("gpt", "judge"))
    )
    app = upload(visit(DATA), "scored.csv", rows.encode())
    (alone,) = [box for box in app.selectbox if box.label == "Meaning of (score without a label)"]
    (fail,) = [box for box in app.selectbox if box.label == "Meaning of fail"]
    place = fail.options.index("no rating at all")
    assert alone.options[place] == "a score, no label"
    assert alone.value == "missing"


def test_german_names_of_raters_are_preset_as_what_they_say(visit):
    rows = b"item,rater,label\nq1,Mensch,MET\nq1,Modell 2,MET\nq2,Mensch,UNMET\nq2,Modell 2,MET\nq2,Lena,MET\n"
    ratings = use_ratings(upload(visit(DATA), "namen.csv", rows))
    assert (ratings.humans, ratings.judges) == (("Mensch", "Lena"), ("Modell 2",))


def test_two_people_are_no_human_and_judge(visit):
    rows = b"item,ana,ben\nq1,yes,no\nq2,no,no\nq3,yes,yes\n"
    app = upload(visit(DATA), "people.csv", rows)
    assert "are both people" in text_of(app)
    (asked,) = [group for group in app.get("button_group") if group.label == "Who gave the labels?"]
    assert asked.options[0] == "Both are people"
    assert "No column says" not in text_of(app)
    both = use(app)
    its = both.session_state["uploads"]
    (ratings,) = [dataset.ratings for dataset in its.values()]
    assert (ratings.humans, ratings.judges) == (("ana", "ben"), ())
    assert ":material/help:" not in text_of(both)


def test_one_of_two_columns_can_be_the_judges(visit):
    app = upload(visit(DATA), "people.csv", b"item,ana,ben\nq1,yes,no\nq2,no,no\nq3,yes,yes\n")
    (asked,) = [group for group in app.get("button_group") if group.label == "Who gave the labels?"]
    asked.set_value("ben").run()
    app = use(app)
    (ratings,) = [dataset.ratings for dataset in app.session_state["uploads"].values()]
    assert (ratings.humans, ratings.judges) == (("ana",), ("ben",))


def test_a_file_without_a_judge_opens_with_whether_the_people_agree(visit):
    rows = b"item,rater,role,label\nq1,ana,human,yes\nq1,ben,human,no\nq2,ana,human,yes\nq2,ben,human,yes\n"
    app = use(upload(visit(DATA), "people.csv", rows))
    assert "Do the people agree well enough" in text_of(app)
    app.switch_page(AGREEMENT).run()
    assert "No judge is among the raters" in app.info[0].value
    assert "See how far the raters agree" in [link.proto.label for link in app.get("page_link")]


def test_a_file_with_a_judge_opens_with_how_good_the_judge_is(visit):
    app = use(upload(visit(DATA), "labels.csv", PAIRS))
    assert "How good is the judge" in text_of(app)
    app.switch_page(DATA).run()
    assert [link.proto.label for link in app.get("page_link")] == ["See how good the judge is"]


def test_one_of_several_files_can_be_chosen(visit):
    app = several(visit(DATA), ("old.csv", PAIRS), ("new.csv", PAIRS.replace(b"q3", b"q4")))
    (which,) = [box for box in app.selectbox if box.label == "Open 2 files"]
    assert which.options == ["joined on the item’s id", "only new.csv", "only old.csv"]
    which.select("only old.csv").run()
    assert not app.exception
    app = use(app)
    assert app.selectbox(key="data").options[0] == "old.csv"


def workbook(*sheets: tuple[str, bytes]) -> bytes:
    import io

    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, text in sheets:
        page = book.create_sheet(title)
        for line in text.decode().splitlines():
            page.append(line.split(","))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_a_sheet_of_several_is_said_and_can_be_chosen(visit):
    book = workbook(("humans", PAIRS), ("second", PAIRS + b"q9,tone,gpt,MET,MET,d\n"))
    app = upload(visit(DATA), "two.xlsx", book)
    assert "Sheet humans of 2" in text_of(app)
    humans, second = sheets_of(app)
    assert (humans.label, humans.value, second.label, second.value) == ("humans", True, "second", False)
    humans.uncheck().run()
    assert "Choose a sheet." in text_of(app)
    second.check().run()
    assert not app.exception
    assert "Sheet second of 2" in text_of(app)
    assert numbers_of(used(app))["Rows read"] == "4"


def test_a_workbook_of_one_sheet_asks_for_none(visit):
    app = upload(visit(DATA), "one.xlsx", workbook(("humans", PAIRS)))
    assert not sheets_of(app)


def sheets_of(app) -> list:
    """The sheets that can be chosen."""
    return [box for box in app.checkbox if str(box.key).startswith("data.sheet ")]


GERMAN = "Beleg-Nr;Kriterium;Mensch;Modell;Punktzahl\n" + "".join(
    f"B{n};{name};{'ja' if n % 3 else 'nein'};{'ja' if n % 4 else 'nein'};0,5\n" for n in range(20) for name in ("Ton", "Inhalt")
)


def test_german_headers_are_understood(visit):
    app = upload(visit(DATA), "deutsch.csv", GERMAN.encode("cp1252"))
    shown = {box.label: box.value for box in app.selectbox}
    assert (shown["Item"], shown["Criterion"]) == ("Beleg-Nr", "Kriterium")
    ratings = use_ratings(app)
    assert (ratings.n_items, ratings.criteria) == (20, ("Ton", "Inhalt"))


def unlisted(every: int = 1000) -> str:
    """The same under names that no list holds; without each so-manieth row, so that no id has a row for each criterion."""
    lines = GERMAN.replace("Beleg-Nr", "Vorgang").replace("Kriterium", "Was").splitlines(keepends=True)
    return "".join(line for place, line in enumerate(lines) if not place or place % every)


def test_item_and_criterion_are_found_by_what_the_columns_hold(visit):
    app = upload(visit(DATA), "deutsch.csv", unlisted().encode())
    shown = {box.label: box.value for box in app.selectbox}
    assert (shown["Item"], shown["Criterion"]) == ("Vorgang", "Was")
    assert "Is this right? " in text_of(app).replace("\\", "")
    assert "the item is ‘Vorgang’, the criterion is ‘Was’." in text_of(app).replace("\\", "")
    ratings = use_ratings(app)
    assert (ratings.n_items, ratings.criteria) == (20, ("Ton", "Inhalt"))


def use_ratings(app):
    used(app)
    return next(reversed(app.session_state["uploads"].values())).ratings


def test_a_file_without_a_known_item_waits_for_an_answer(visit):
    app = upload(visit(DATA), "deutsch.csv", unlisted(every=4).encode())
    assert app.button(key="data.use").disabled
    assert "No column holds the item" in text_of(app)
    (item,) = [box for box in app.selectbox if box.label == "Item"]
    item.set_value("Vorgang").run()
    assert not app.exception
    assert "No column holds the item" not in text_of(app)
    assert not app.button(key="data.use").disabled


def test_each_row_can_be_an_item(visit):
    app = upload(visit(DATA), "deutsch.csv", unlisted(every=4).encode())
    (item,) = [box for box in app.selectbox if box.label == "Item"]
    item.set_value("#row").run()
    assert use_ratings(app).n_items == 30


def test_an_answered_label_is_asked_no_more(visit):
    app = upload(visit(DATA), "colours.csv", b"item,human,verdict\nq1,blue,blue\nq2,green,blue\nq3,green,green\nq4,red,red\n")
    assert "no meaning yet" in text_of(app)
    (meaning,) = [box for box in app.selectbox if box.label == "Meaning of blue"]
    meaning.set_value("positive").run()
    assert "no meaning yet" not in text_of(app)


def test_what_a_file_in_use_was_taken_for_is_asked_no_more(visit):
    rows = b"item,human,verdict\nq1,Yes,Y\nq2,No,No\nq3,Partially,no\nq4,Yes,yes\nq5,No,No\nq6,Yes,Y\n"
    app = upload(visit(DATA), "partly.csv", rows)
    assert "‘Partially’ in row 4 has no meaning yet" in text_of(app)
    assert ":material/help: **Partially**" in text_of(app)
    assert ":small[once, first in row 4]" in text_of(app)
    app = used(app)
    assert "no meaning yet" not in text_of(app)
    assert ":material/help:" not in text_of(app)
    (meaning,) = [box for box in app.selectbox if box.label == "Meaning of Partially"]
    assert meaning.value == "invalid"


def test_raters_called_human_and_gpt_are_preset_so(visit):
    rows = b"item,rater,label\nq1,human,yes\nq1,gpt,no\nq2,human,yes\nq2,gpt,yes\nq2,Ana,yes\nq1,Ana,yes\n"
    ratings = use_ratings(upload(visit(DATA), "raters.csv", rows))
    assert set(ratings.humans) == {"human", "Ana"}
    assert ratings.judges == ("gpt",)


def test_names_that_are_alike_can_be_merged(visit):
    rows = b"item,criterion,judge,human,verdict\nq1,Tone,gpt,yes,yes\nq2,tone,gpt,no,yes\nq3,Tone,gpt,no,no\n"
    app = upload(visit(DATA), "alike.csv", rows)
    (merge,) = [box for box in app.checkbox if box.label.startswith("Merge names")]
    assert "Tone" in merge.label
    merge.check().run()
    assert use_ratings(app).criteria == ("Tone",)


def test_names_that_differ_are_not_offered_for_merging(visit):
    app = upload(visit(DATA), "labels.csv", PAIRS)
    assert not [box for box in app.checkbox if box.label.startswith("Merge names")]


def test_a_warning_about_names_speaks_of_the_page(visit):
    rows = b"item,criterion,judge,human,verdict\n" + b"".join(
        b"q%d,%s,gpt,%s,yes\n" % (n, (b"Tone", b"tone")[n % 2], (b"yes", b"no")[n % 3 % 2]) for n in range(12)
    )
    app = use(upload(visit(DATA), "alike.csv", rows))
    app.switch_page(AGREEMENT).run()
    shown = text_of(app) + "".join(warning.value for warning in app.warning)
    assert "read the file again" in shown
    assert "merge_spellings" not in shown.replace("\\", "")


def scored(n: int, who: str, role: str, criterion: str) -> str:
    """A row of a file whose criterion `depth` has scores and no labels; one call of the judge gives neither."""
    verdict = "" if (n, who) == (4, "gpt") else "yes" if n % 3 else "no"
    return f"q{n},{criterion},{who},{role}," + (f",{n % 4 + 1}" if criterion == "depth" else f"{verdict},")


WHO = (("ana", "human"), ("gpt", "judge"))
SCORED = "\n".join(
    [
        "item,criterion,rater,role,label,score",
        *(scored(n, *own, name) for n in range(8) for name in ("tone", "depth") for own in WHO),
    ]
)


def test_scores_without_labels_and_failed_calls_open(visit):
    app = upload(visit(DATA), "scored.csv", SCORED.encode())
    assert app.selectbox(key=next(box.key for box in app.selectbox if box.label == "Meaning of (empty cell)")).value == "error"
    assert next(box for box in app.selectbox if box.label == "Scale of depth").value == "ordinal"
    used(app)
    assert (numbers_of(app)["Rows read"], numbers_of(app)["Used"]) == ("32", "32")
    assert "‘label’ is empty on depth" in text_of(app)
    app.switch_page(AGREEMENT).run()
    assert not app.exception
    assert "1 judge call failed" in text_of(app)


def test_without_scores_and_failed_calls_nothing_is_said_of_them(visit):
    app = upload(visit(DATA), "labels.csv", PAIRS)
    assert not [box for box in app.selectbox if "(empty cell)" in box.label or "score without" in box.label]


def test_a_file_of_a_tool_is_named_with_its_other_export(visit):
    app = upload(visit(DATA), "export.json", b'[{"id": 1, "data": {"text": "a"}, "annotations": [{"id": 3}]}]')
    assert "is Label Studio’s export as JSON" in " ".join(error.value for error in app.error)


def test_a_source_of_a_tool_that_is_neither_is_asked_about(visit):
    head = "traceId,source,name,dataType,value,stringValue,authorUserName,comment,observationId,sessionId"
    rows = [
        f"t{n},{source},ok,BOOLEAN,{n % 2},{'True' if n % 2 else 'False'},{author},,,"
        for n in range(6)
        for source, author in (("ANNOTATION", "Ana"), ("API", ""))
    ]
    app = upload(visit(DATA), "scores.csv", "\n".join([head, *rows]).encode())
    (roles,) = [frame.value for frame in app.dataframe if "is" in frame.value.columns]
    assert roles["rater"].tolist() == ["api"], "a program’s scores may be a judge’s or a user’s"
    app.selectbox(key=next(box.key for box in app.selectbox if box.label == "All others are")).select("judge").run()
    ratings = use_ratings(app)
    assert (ratings.humans, ratings.judges) == (("Ana",), ("api",))


def test_what_is_not_read_is_said_before_the_file_is_analysed(visit) -> None:
    rows = "".join(f"q{n},{'yes' if n % 2 else 'no'},{'yes' if n % 3 else 'no'},{1 + n % 2},{1 + n % 3}\n" for n in range(24))
    app = upload(visit(DATA), "two.csv", f"id,human_label,gpt_label,human_score,gpt_score\n{rows}".encode())
    assert "Labels of another question are not read" in text_of(app)


def test_settings_of_a_judge_name_it_together(visit) -> None:
    rows = [(k, model, prompt) for k in range(12) for model in ("gpt", "claude") for prompt in ("v1", "v2")]
    said = [("yes" if k % 3 else "no", "yes" if (k + len(model)) % 4 else "no") for k, model, _ in rows]
    lines = [f"{k},{human},{model},{prompt},{judge}" for (k, model, prompt), (human, judge) in zip(rows, said, strict=True)]
    app = upload(visit(DATA), "settings.csv", "\n".join(["id,human,model,prompt_version,verdict", *lines]).encode())
    assert next(box for box in app.selectbox if box.label == "Name of the judge").value == "model and prompt_version"
    assert use_ratings(app).judges == ("gpt · v1", "gpt · v2", "claude · v1", "claude · v2")


def test_a_sheet_of_one_side_asks_for_the_other(visit):
    rows = "id,faithful,correct\n" + "".join(f"q{k},{'yes' if k % 3 else 'no'},{'yes' if k % 2 else 'no'}\n" for k in range(12))
    app = upload(visit(DATA), "sheet.csv", rows.encode())
    shown = text_of(app)
    assert "the criteria of the human are ‘faithful’ and ‘correct’" in shown
    assert "These are the labels of one human. Drop in those of a judge beside them" in shown
    labels = {group.label for group in app.get("button_group")} | {box.label for box in app.selectbox}
    assert not labels & {"Who gave the labels?", "All others are"}


def test_rows_of_one_id_on_which_people_differ_are_proposed_as_items(visit):
    rows = "prompt_id,human_label,judge_label\n" + "".join(
        f"p{k % 4},{'yes' if k % 3 else 'no'},{'yes' if k % 2 else 'no'}\n" for k in range(12)
    )
    app = upload(visit(DATA), "prompts.csv", rows.encode())
    assert "labels differ\\, and no column tells these rows apart" in text_of(app)
    (ratings,) = [dataset.ratings for dataset in use(app).session_state["uploads"].values()]
    assert (ratings.n_items, ratings.humans) == (12, ("human",))
