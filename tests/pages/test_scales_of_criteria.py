from __future__ import annotations

import pytest

from tests.pages.files import used
from tests.pages.seen import numbers_of, text_of
from tests.pages.test_data_page import upload, use
from tests.shared_data import data

DATA, AGREEMENT, RATERS = "pages/data/data.py", "pages/judge/agreement.py", "pages/rubric/raters.py"
MIXED = b"""item,criterion,human,verdict
q1,cites,MET,MET
q2,cites,UNMET,MET
q3,cites,UNMET,UNMET
q4,cites,MET,MET
q1,polite,MET,MET
q2,polite,UNMET,UNMET
q3,polite,MET,MET
q1,Clarity,4,5
q2,Clarity,2,2
q3,Clarity,1,3
q1,Tone,3,3
q2,Tone,5,1
q3,Tone,4,4
"""
LINE = "2 of 4 criteria are yes/no and counted here; Clarity and Tone are ordinal: see Scores."


def plain(app) -> str:
    return text_of(app).replace("\\", "").replace("\u2060", "")


def scale_of(app, criterion: str):
    return next(box for box in app.selectbox if box.label == f"Scale of {criterion}")


def test_a_mixed_rubric_opens_with_one_confirmation_and_pages_count_the_yes_no_part(visit) -> None:
    app = upload(visit(DATA), "mixed.csv", MIXED)
    assert {name: scale_of(app, name).value for name in ("cites", "polite", "Clarity", "Tone")} == {
        "cites": "binary", "polite": "binary", "Clarity": "ordinal", "Tone": "ordinal",
    }  # fmt: skip
    assert "The labels are 4 different numbers: 1, 2, 4, 5." not in plain(app)
    assert "The labels are 5 different numbers: 1, 2, 3, 4, 5." in plain(app)
    assert "Ordinal, labels from low to high: 2 criteria, Clarity and Tone. Scores and κ with quadratic" in plain(app)
    app = use(app)
    assert not app.error
    app.switch_page(AGREEMENT).run()
    assert LINE in plain(app)
    assert numbers_of(app)["Accuracy"] == "86\u00a0%"
    assert "Binary · no abstentions · micro over 2 criteria." in plain(app)
    app.switch_page(RATERS).run()
    assert not app.exception


def test_the_criteria_of_another_scale_can_be_chosen_on_every_page(visit) -> None:
    app = use(upload(visit(DATA), "mixed.csv", MIXED))
    app.switch_page(AGREEMENT).run()
    app.selectbox(key="scale").set_value("ordinal").run()
    assert not app.exception
    assert "2 of 4 criteria are ordinal and counted here; cites and polite are binary." in plain(app)
    assert "Ordinal · no abstentions · micro over 2 criteria." in plain(app)
    assert numbers_of(app)["Accuracy"] == "50\u00a0%"


def test_a_scale_in_a_link_has_no_effect_where_there_is_one_only(visit) -> None:
    app = visit(AGREEMENT, scale="ordinal")
    assert numbers_of(app) == numbers_of(visit(AGREEMENT))


def test_a_data_set_on_one_scale_is_asked_nothing(visit) -> None:
    app = visit(AGREEMENT)
    assert "counted here" not in plain(app)
    assert not [box for box in app.selectbox if box.key == "scale"]
    app.switch_page(DATA).run()
    assert "Binary, two opposite labels, one of them positive: 5 criteria" in plain(app)


def test_a_scale_can_be_changed_before_and_after_opening(visit) -> None:
    app = upload(visit(DATA), "mixed.csv", MIXED)
    scale_of(app, "Tone").set_value("nominal").run()
    app = use(app)
    app.switch_page(AGREEMENT).run()
    assert "Clarity is ordinal: see Scores; Tone is nominal" in plain(app)
    app.switch_page(DATA).run()
    assert scale_of(app, "Tone").value == "nominal"
    scale_of(app, "Tone").set_value("ordinal").run()
    use(app).switch_page(AGREEMENT).run()
    assert LINE in plain(app)


def test_ordinal_labels_say_what_a_page_makes_of_them(visit) -> None:
    rows = b"item,human,verdict\nq1,1,2\nq2,4,3\nq3,2,2\nq4,1,1\n"
    app = use(upload(visit(DATA), "likert.csv", rows))
    weighted, alike = "κ with quadratic weights counts how far apart two labels are", "This page ignores their order"
    for page in ("agreement", "choices", "compare", "labels"):
        app.switch_page(f"pages/judge/{page}.py").run()
        assert weighted in plain(app), page
        assert alike not in plain(app), page
    for page in ("abstention", "kappa_phi"):
        app.switch_page(f"pages/judge/{page}.py").run()
        assert alike in plain(app), page
        assert weighted not in plain(app), page
    app.switch_page("pages/judge/roc.py").run()
    assert "The labels are ordinal" not in plain(app)
    app.switch_page(AGREEMENT).run()
    assert "Ordinal · no abstentions" in plain(app)
    assert numbers_of(app)["κ, quadratic weights"]


@pytest.mark.parametrize("name", ["topicalchat_unieval", "viescore_t2i"])
def test_files_of_scores_open_after_one_confirmation(visit, name: str) -> None:
    path = data(f"{name}.csv")
    app = upload(visit(DATA), path.name, path.read_bytes())
    assert not app.error
    assert "a score, no label" in {box.options[0] for box in app.selectbox if box.label == "Meaning of (number)"}
    app = used(app)
    assert not app.error
    assert numbers_of(app)["Left out"] == "0"
    for page in (AGREEMENT, RATERS, "pages/rubric/ensemble.py"):
        app.switch_page(page).run()
        assert "this page counts labels. The page Scores takes them." in plain(app)
        assert not app.error
        assert not app.exception


def test_numbers_that_are_proposed_as_scores_can_be_labels(visit) -> None:
    path = data("viescore_t2i.csv")
    app = upload(visit(DATA), path.name, path.read_bytes())
    for name in ("PQ", "SC"):
        assert scale_of(app, name).value == "continuous"
        scale_of(app, name).set_value("ordinal").run()
    use(app).switch_page(AGREEMENT).run()
    assert "Ordinal ·" in plain(app)


def test_many_criteria_are_asked_in_one_table(visit) -> None:
    rows = "".join(f"q{i},c{c},{i % 2},{(i + c) % 2}\n" for i in range(4) for c in range(20))
    app = upload(visit(DATA), "many.csv", b"item,criterion,human,verdict\n" + rows.encode())
    assert not [box for box in app.selectbox if box.label.startswith("Scale of")]
    assert "Binary, two opposite labels, one of them positive: 20 criteria" in plain(app)
    assert not use(app).error


def test_the_page_of_scores_has_every_criterion_and_says_which_it_counts(visit) -> None:
    app = use(upload(visit(DATA), "mixed.csv", MIXED))
    app.switch_page("pages/judge/scores.py").run()
    assert not app.exception
    assert "Ordinal 1–5 · no abstentions · pooled over 2 criteria" in plain(app)
    assert "2 of 4 criteria are counted, those with ordered labels; not cites (binary), polite (binary)" in plain(app)
    app.segmented_control(key="scores.on").set_value("item").run()
    assert not app.exception
    app.selectbox(key="scale").set_value("ordinal").run()
    assert "2 of 4 criteria are ordinal and counted here; cites and polite are binary." in plain(app)


PANEL = b"item,rater,role,label\n" + b"".join(
    f"q{n},{who},{role},{(n + k * (n % 3)) % 4 + 1}\n".encode()
    for n in range(12)
    for k, (who, role) in enumerate((("ana", "human"), ("bo", "human"), ("cy", "human"), ("gpt", "judge")))
)


def test_of_people_alone_nothing_is_said_about_the_order_of_labels(visit) -> None:
    rows = PANEL.replace(b",gpt,judge,", b",dee,human,")
    app = use(upload(visit(DATA), "people.csv", rows))
    app.switch_page(AGREEMENT).run()
    assert "No judge is among the raters" in plain(app)
    assert "The labels are ordinal" not in plain(app)


def test_the_reference_that_nobody_chose_is_the_one_of_the_scale(visit) -> None:
    app = use(upload(visit(DATA), "panel.csv", PANEL))
    app.switch_page(AGREEMENT).run()
    assert app.selectbox(key="reference").value == "median"
    assert "Reference: low median of the humans." in plain(app)
    app.selectbox(key="data").set_value("support_answers").run()
    assert app.selectbox(key="reference").value == "majority"


def test_a_reference_that_was_chosen_stays_with_another_file(visit) -> None:
    app = visit(DATA)
    app.switch_page(AGREEMENT).run()
    app.selectbox(key="reference").set_value("unanimous").run()
    app.switch_page(DATA).run()
    app = use(upload(app, "panel.csv", PANEL))
    app.switch_page(AGREEMENT).run()
    assert app.selectbox(key="reference").value == "unanimous"
    assert "agree with what all humans agree on" in plain(app)
