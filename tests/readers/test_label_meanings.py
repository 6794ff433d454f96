"""The vocabulary: what is taken, what is asked."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pytest

from metrics.asker import shell
from metrics.commands.options import pairs_of
from metrics.data.ratings import Ratings
from metrics.data.vocabulary import Kind, counterpart, is_inverted, meaning, normalise, said_first
from metrics.errors import InputError
from metrics.readers import Proposal, build, confirmed, open_table, propose, read

pytestmark = pytest.mark.usefixtures("as_command")


def table(human: Sequence[str], verdict: Sequence[str], criterion: str = "tone") -> bytes:
    rows = [f'i{n},{criterion},"{h}","{v}"' for n, (h, v) in enumerate(zip(human, verdict, strict=True))]
    return "\n".join(["item,criterion,human,verdict", *rows]).encode()


def proposed(human: Sequence[str], verdict: Sequence[str], criterion: str = "tone", **options: dict[str, str]) -> Proposal:
    return propose(open_table(table(human, verdict, criterion)), **options)  # type: ignore[arg-type]


def kinds(proposal: Proposal) -> dict[str, Kind]:
    return {row.label: row.kind for row in proposal.labels}


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("MET", "positive"),
        ("Passed!", "positive"),
        ("yes.", "positive"),
        ("TRUE", "positive"),
        ("1.0", "positive"),
        ("Correct", "positive"),
        ("not_met", "negative"),
        ("UNMET", "negative"),
        ("No", "negative"),
        ("hallucinated", "negative"),
        ("ｎｏ", "negative"),
        ("CANNOT_ASSESS", "abstention"),
        ("can’t tell", "abstention"),
        ("N/A", "abstention"),
        ("NA", "abstention"),
        ("I don't know", "abstention"),
        ("unknown", "abstention"),
        ("Unsure", "abstention"),
        ("skipped", "abstention"),
        ("not applicable", "abstention"),
        ("INVALID", "invalid"),
        ("__invalid__", "invalid"),
        ("parse error", "invalid"),
        ("NOT_PARSABLE", "invalid"),
        ("error", "error"),
        ("Error: rate limit", "error"),
        ("timeout", "error"),
        ("exception", "error"),
        ("NaN", "error"),
        ("null", "missing"),
    ],
)
def test_certain_words(label: str, kind: Kind) -> None:
    known = meaning(label)
    assert known is not None
    assert (known.kind, known.certain) == (kind, True)


@pytest.mark.parametrize(
    "label",
    ["N", "C", "A", "F", "P", "T", "X", "?", "-", "none", "None", "refusal", "defer", "neutral", "partial", "maybe", "tie", "✓"],
)
def test_words_in_doubt_alone(label: str) -> None:
    known = meaning(label)
    assert known is not None
    assert not known.certain
    assert known.why


@pytest.mark.parametrize("label", ["The answer is correct. Verdict: PASS", "errors were found in it", "mostly", "2", "passable"])
def test_sentences_are_not_mined(label: str) -> None:
    assert meaning(label) is None


@pytest.mark.parametrize(
    ("human", "verdict"),
    [
        (["MET", "UNMET"], ["MET", "CANNOT_ASSESS"]),
        (["Pass", "Fail"], ["yes", "no"]),
        (["1", "0"], ["1.0", "0.0"]),
        (["1", "0"], ["true", "false"]),
        (["Pass", "pass."], ["FAIL", "failed"]),
        (["MET", "NA"], ["INVALID", "error: timeout"]),
        (["1", "1"], ["0", "n/a"]),
    ],
)
def test_taken_without_asking(human: list[str], verdict: list[str]) -> None:
    assert not proposed(human, verdict).doubts


def ask(human: list[str], verdict: list[str], criterion: str = "tone") -> str:
    doubts = proposed(human, verdict, criterion).blocking
    assert doubts
    with pytest.raises(InputError) as caught:
        read(table(human, verdict, criterion))
    assert "--labels" in str(caught.value)
    return str(caught.value)


def test_numbers_are_asked() -> None:
    assert "1, 2, 3 are numbers" in ask(["1", "2"], ["3", "2"])
    assert "0, 0.5, 1 are numbers" in ask(["0", "1"], ["0.5", "1"])
    assert kinds(proposed(["1", "2"], ["3", "-1"]))["-1"] == "missing"
    message = ask(["0", "1"], ["4", "5"])
    assert "--labels 0=class,1=class,4=class,5=class" in message


def test_numbers_keep_their_sign() -> None:
    assert [normalise(x) for x in ("-1", "+1", "1.0", "1.", "0.50", "10", "100")] == ["-1", "1", "1", "1", "0.5", "10", "100"]


@pytest.mark.parametrize(
    "labels",
    [
        ("A", "B", "tie"),
        ("1", "2", "tie"),
        ("model_a", "model_b", "Tie (bothbad)"),
        ("left", "right", "tie"),
        ("win", "lose", "tie"),
    ],
)
def test_preferences_are_asked(labels: tuple[str, str, str]) -> None:
    first, second, tie = labels
    proposal = proposed([first, second, tie], [tie, first, second])
    assert kinds(proposal) == {first: "positive", second: "negative", tie: "tie"}
    assert all(row.in_doubt for row in proposal.labels)
    assert "Confirm which side counts as positive" in ask([first, second, tie], [tie, first, second])
    given = {first: "positive", second: "negative", tie: "tie"}
    assert not proposed([first, second], [tie, first], labels=given).doubts


def test_inverted_names_are_asked_for_plain_answers_only() -> None:
    assert "Criterion ‘hallucination’ asks for something bad" in ask(["yes", "no"], ["no", "no"], "hallucination")
    assert "‘1’" in ask(["1", "0"], ["0", "0"], "wrong_policy")
    assert not proposed(["MET", "UNMET"], ["MET", "MET"], "toxicity").doubts
    assert not proposed(["yes", "no"], ["no", "no"], "terrorism-free").doubts
    assert not proposed(["yes", "no"], ["no", "no"], "toxicity", labels={"yes": "negative", "no": "positive"}).doubts


@pytest.mark.parametrize(
    "name", ["hallucination", "Toxicity score", "is_unsafe", "error_found", "wrong_policy", "refusal", "hasErrors"]
)
def test_inverted(name: str) -> None:
    assert is_inverted(name)


@pytest.mark.parametrize("name", ["correctness", "terror", "safety", "tone", "mirror-check", "wronged" * 0 + "clarity"])
def test_not_inverted(name: str) -> None:
    assert not is_inverted(name)


def test_mixed_only_within_a_criterion() -> None:
    rows = "a,tone,yes,yes\nb,tone,no,yes\na,form,pass,yes\nb,form,fail,no\n"
    assert not propose(open_table(("item,criterion,human,verdict\n" + rows).encode())).doubts
    assert "‘human’ mixes pass/fail and yes/no" in ask(["pass", "no"], ["pass", "fail"])


def test_mixed_by_rater_in_long_files() -> None:
    head = "item,rater,role,label\n"
    apart = "a,ana,human,pass\na,gpt,judge,yes\nb,ana,human,fail\nb,gpt,judge,no\n"
    assert not propose(open_table((head + apart).encode())).doubts
    doubts = propose(open_table((head + apart + "c,ana,human,yes\n").encode())).doubts
    assert "‘label’ mixes pass/fail and yes/no" in doubts[0].sentence


def test_safe_beside_yes_is_asked() -> None:
    assert "Confirm which belong together" in ask(["safe", "unsafe"], ["yes", "no"])


def test_nan_is_a_failed_call_of_a_judge_and_nothing_from_a_human() -> None:
    ratings = read(table(["MET", "nan", "MET"], ["nan", "MET", "UNMET"]))
    assert labels_of(ratings) == {"human": ["MET", "MET"], "judge": ["nan", "MET", "UNMET"]}
    assert ratings.scheme.of("error") == ("nan",)
    only = read(table(["MET", "nan"], ["MET", "UNMET"]))
    assert only.scheme.of("missing") == ("nan",)


def labels_of(ratings: Ratings) -> dict[str, list[str]]:
    names = [ratings.labels[code] for code in ratings.label]
    return {
        r.name: [n for n, its in zip(names, ratings.rater, strict=True) if its == place] for place, r in enumerate(ratings.raters)
    }


def test_a_tick_or_nothing_is_asked() -> None:
    assert "holds ‘1’ or nothing" in ask(["1", "", "1"], ["1", "0", "0"])
    given = {"": "missing"}
    assert labels_of(read(table(["1", "", "1"], ["1", "0", "0"]), labels=given))["human"] == ["1", "1"]
    ratings = read(table(["1", "", "1"], ["1", "0", "0"]), labels={"": "negative"})
    assert labels_of(ratings)["human"] == ["1", "", "1"]
    assert ratings.state.tolist() == [0, 1, 0, 0, 1, 1]
    assert not proposed(["MET", "", "MET"], ["MET", "UNMET", "MET"]).doubts


def test_counterpart_of_a_class_that_stands_alone() -> None:
    assert read(table(["MET", "MET"], ["MET", "MET"])).scheme.classes == ("MET", "UNMET")
    assert read(table(["Fail", "Fail"], ["Fail", "Fail"])).scheme.classes == ("Pass", "Fail")
    assert read(table(["1", "1"], ["1", "1"])).scheme.classes == ("1", "0")
    assert read(table(["NA", "NA"], ["NA", "NA"])).scheme.classes == ("MET", "UNMET")
    assert counterpart("not met") == "met"


def test_classes_are_named_as_the_human_says() -> None:
    assert read(table(["no", "yes", "yes"], ["Pass", "Pass", "Fail"])).scheme.classes == ("yes", "no")


def test_a_word_of_a_known_pair_among_steps_is_a_step() -> None:
    words = ["plain", "fancy", "good", "gold"]
    found = proposed(words, words)
    assert [kinds(found)[word] for word in words] == ["class", "class", "positive", "class"]
    assert [doubt.sentence.endswith("UNMET, a class of its own, no verdict or invalid.") for doubt in found.doubts] == [True]
    assert kinds(proposed(["good", "bad"], ["good", "maybe so"]))["maybe so"] == "invalid"
    ordered = confirmed(proposed(words, words, order=words))
    assert ordered.order == tuple(words)


def test_a_grade_keeps_its_sign() -> None:
    assert len({normalise(grade) for grade in ("A", "A+", "A-")}) == 3
    assert normalise("a−") == normalise("A-")
    assert normalise("cannot-assess") == normalise("CANNOT_ASSESS")
    grades = ["A+", "A", "A-", "B+", "B", "B-"]
    assert list(confirmed(proposed(grades, grades, order=grades)).order) == grades


def test_given_labels_override_and_others_keep() -> None:
    ratings = read(table(["good one", "UNMET"], ["MET", "unsure"]), labels={"Good_One": "positive", "UNSURE": "invalid"})
    assert dict(ratings.scheme.kinds) == {"good one": "positive", "MET": "positive", "UNMET": "negative", "unsure": "invalid"}
    flipped = read(table(["yes", "no"], ["no", "no"]), labels={"yes": "negative", "no": "positive"})
    assert flipped.scheme.classes == ("no", "yes")


def test_order_makes_classes() -> None:
    ratings = read(table(["1", "2"], ["3", "NA"]), order=["1", "2", "3", "4"])
    assert ratings.scheme.classes == ("1", "2", "3", "4")
    assert ratings.scheme.of("abstention") == ("NA",)
    words = read(table(["low", "mid"], ["high", "mid"]), order=["low", "mid", "high"])
    assert words.scheme.classes == ("low", "mid", "high")


def test_classes_without_order() -> None:
    given = dict.fromkeys(["10", "9", "2"], "class")
    assert read(table(["10", "9"], ["2", "9"]), labels=given).scheme.classes == ("2", "9", "10")


def test_confirming_what_is_proposed() -> None:
    proposal = proposed(["A", "B"], ["tie", "A"])
    assert not confirmed(proposal).blocking
    line = shell(proposal.labels_answer)
    assert line == "A=positive,B=negative,tie=tie"
    again = proposed(["A", "B"], ["tie", "A"], labels=pairs_of([line], "--labels"))
    assert not again.doubts
    assert again.scheme == confirmed(proposal).scheme


def test_options_can_be_read_back() -> None:
    import shlex

    mapping = {"plain": "positive", "a,b": "negative", "x=y": "class", "it's": "tie", "$HOME": "invalid", "": "missing"}
    mapping |= {'says "no", twice': "error", '"': "none", "Größe": "class"}
    (value,) = shlex.split(shell(mapping))
    assert pairs_of([value], "--labels") == mapping


def test_thousands_of_raters_who_mix_across_criteria() -> None:
    rows = [
        f"i{n},{'tone' if n % 2 else 'form'},r{n % 4000},{'judge' if n % 3 else 'human'},{'yes' if n % 2 else 'pass'}"
        for n in range(40_000)
    ]
    doubled = [row.replace("tone", "form").replace("yes", "pass") if n % 2 else row for n, row in enumerate(rows)]
    for some in (rows, rows + doubled):
        assert not propose(open_table(("item,criterion,rater,role,label\n" + "\n".join(some)).encode())).blocking
    mixed = [*rows, "i0,tone,r1,judge,no", "i1,tone,r1,judge,fail"]
    doubts = propose(open_table(("item,criterion,rater,role,label\n" + "\n".join(mixed)).encode())).blocking
    assert doubts[0].sentence == "‘label’ mixes pass/fail and yes/no. Confirm what each means."


def test_one_class_of_its_own_is_refused_and_one_positive_label_is_not() -> None:
    data = ("item,judge,human,verdict\n" + "\n".join(f"q{i},j,blue,blue" for i in range(5))).encode()
    with pytest.raises(InputError, match="one label only, ‘blue’"):
        read(data, labels={"blue": "class"})
    assert len(read(data, labels={"blue": "positive"}).scheme.classes) == 2


@pytest.mark.parametrize(
    ("human", "judge", "kinds"),
    [
        (("relevant", "irrelevant"), ("relevant", "not relevant"), {"not relevant": "negative"}),
        (("pass", "fail"), ("pass", "non-pass"), {"non-pass": "negative"}),
        (("relevant", "irrelevant"), ("not irrelevant", "irrelevant"), {"not irrelevant": "positive"}),
        (("supported", "not supported"), ("supported", "not supported"), {"supported": "positive", "not supported": "negative"}),
        (("compliant", "noncompliant"), ("compliant", "noncompliant"), {"compliant": "positive", "noncompliant": "negative"}),
        (
            ("appropriate", "inappropriate"),
            ("appropriate", "inappropriate"),
            {"appropriate": "positive", "inappropriate": "negative"},
        ),
        (("yes", "no"), ("yes", "notable"), {"notable": "invalid"}),
        (("alpha", "unbeta"), ("alpha", "unbeta"), {"alpha": "positive", "unbeta": "negative"}),
    ],
)
def test_a_word_that_denies_another_is_proposed_as_its_opposite(
    human: tuple[str, str], judge: tuple[str, str], kinds: dict[str, str]
) -> None:
    rows = ["item,human,verdict", *(f"i{i},{human[i % 2]},{judge[i % 2 if i % 5 else 1]}" for i in range(40))]
    proposed = {row.label: row for row in propose(open_table("\n".join(rows).encode())).labels}
    assert {label: proposed[label].kind for label in kinds} == kinds
    assert all(proposed[label].in_doubt for label in kinds)


@pytest.mark.parametrize(("by_people", "kind"), [(12, "class"), (2, "invalid")])
def test_an_unknown_word_that_people_give_is_a_class_and_one_of_a_judge_a_slip(by_people: int, kind: str) -> None:
    human = ["overstated"] * by_people + ["pass", "fail"] * 20
    frame = pd.DataFrame({"id": range(len(human)), "human": human, "verdict": ["pass", "fail"] * (len(human) // 2)})
    rows = {row.label: row for row in propose(open_table(frame)).labels}
    assert (rows["overstated"].kind, rows["overstated"].in_doubt) == (kind, True)


@pytest.mark.parametrize("pair", ["sim não", "да нет", "是 否", "はい いいえ", "예 아니요", "正确 错误", "通过 不通过", "sí no"])
def test_yes_and_no_of_other_languages(pair: str) -> None:
    yes, no = pair.split()
    frame = pd.DataFrame({"id": range(20), "human": [yes, no] * 10, "verdict": [yes, no, no, no] * 5})
    proposal = propose(open_table(frame))
    assert {row.label: (row.kind, row.in_doubt) for row in proposal.labels} == {yes: ("positive", False), no: ("negative", False)}


def test_steps_in_chinese() -> None:
    frame = pd.DataFrame({"id": range(21), "human": ["差", "中", "好"] * 7, "verdict": ["差", "好", "好"] * 7})
    assert propose(open_table(frame)).order == ("差", "中", "好")


@pytest.mark.parametrize(
    ("human", "judge", "kinds"),
    [
        (("Yes, fully", "No, not at all"), ("Yes, fully", "No, not at all"), {"Yes, fully": "positive"}),
        (("Yes!", "No."), ("**Yes**", "**No**"), {"**Yes**": "positive", "**No**": "negative"}),
        (("yes", "no"), ('"yes"', "'no'"), {'"yes"': "positive", "'no'": "negative"}),
        (("yes", "no"), ("Yes: it is.", "No - it is not."), {"Yes: it is.": "positive", "No - it is not.": "negative"}),
        (("Pass (all)", "Fail (one)"), ("Pass: good", "Fail: bad"), {"Pass (all)": "positive", "Fail: bad": "negative"}),
        (("yes", "no"), ("Yes, mostly", "no"), {"Yes, mostly": "invalid"}),
        (("yes", "no"), ("Notable", "no"), {"Notable": "invalid"}),
        (("+", "-"), ("+", "-"), {"+": "positive", "-": "negative"}),
        (("yes", "-"), ("yes", "no"), {"-": "missing"}),
        (("-1", "1"), ("-1", "1"), {"-1": "class", "1": "class"}),
    ],
)  # fmt: skip
def test_what_a_label_begins_with_is_proposed_and_asked(
    human: tuple[str, str], judge: tuple[str, str], kinds: dict[str, str]
) -> None:
    frame = pd.DataFrame({"item": range(40), "human": human * 20, "verdict": [judge[k % 2 if k % 5 else 1] for k in range(40)]})
    rows = {row.label: row for row in propose(open_table(frame)).labels}
    assert {label: rows[label].kind for label in kinds} == kinds
    assert all(rows[label].in_doubt for label in kinds)


def test_no_problem_is_the_low_end_of_how_grave_one_is() -> None:
    human, judge = ["none", "minor", "major", "critical"] * 5, ["none", "minor", "minor", "critical"] * 5
    assert propose(open_table(table(human, judge))).order == ("none", "minor", "major", "critical")
    assert kinds(proposed(["yes", "none"] * 10, ["yes", "no"] * 10))["none"] == "missing"


@pytest.mark.parametrize(
    ("human", "judge"),
    [
        (("1", "2", "3"), ("one", "two", "three")),
        (("Agree", "Neutral", "Disagree"), ("3", "2", "1")),
        (("POS", "NEU", "NEG"), ("good", "middle", "poor")),
    ],
)
def test_sides_without_one_label_in_common_are_refused(human: tuple[str, ...], judge: tuple[str, ...]) -> None:
    classes: dict[str, str] = dict.fromkeys((*human, *judge), "class")
    rows = table(human * 5, judge * 5)
    with pytest.raises(InputError, match="human and judge share no label: the human says ‘"):
        read(rows, labels=classes)
    assert read(table(human * 3, judge * 3), labels=classes).n_items == 9  # so few may differ by chance
    one_word = table(human * 5, (judge[0],) * 15)
    assert read(one_word, labels=classes).n_items == 15


def test_one_criterion_without_a_label_in_common_is_named() -> None:
    rows = [f"i{k},tone,{'yes' if k % 2 else 'no'},{'yes' if k % 3 else 'no'}" for k in range(20)]
    rows += [f"i{k},style,{'plain' if k % 2 else 'rich'},{'simple' if k % 2 else 'lavish'}" for k in range(20)]
    file = "\n".join(["item,criterion,human,verdict", *rows]).encode()
    with pytest.raises(InputError, match="share no label on ‘style’"):
        read(file, labels=dict.fromkeys(("plain", "rich", "simple", "lavish"), "class"))


@pytest.mark.parametrize("words", [("toxic", "not toxic", "non-toxic"), ("x", "y", "z")])
def test_a_column_called_judge_holds_verdicts_where_a_human_stands_beside_it(words: tuple[str, str, str]) -> None:
    human, judge = [words[0], words[1]] * 10, [words[0], words[2]] * 10
    frame = pd.DataFrame({"id": range(20), "human": human, "judge": judge})
    assert dict(propose(open_table(frame)).columns) == {"human": "human", "verdict": "judge", "item": "id"}


@pytest.mark.parametrize(
    "words", [("success", "timeout"), ("success", "timeout", "error"), ("valid", "skip"), ("keep", "discarded")]
)
def test_words_for_no_verdict_that_both_sides_give_are_classes(words: tuple[str, ...]) -> None:
    human = [words[k % len(words)] for k in range(24)]
    judge = [words[(k + (k % 5 == 0)) % len(words)] for k in range(24)]
    proposal = proposed(human, judge)
    assert kinds(proposal) == dict.fromkeys(words, "class") or set(kinds(proposal).values()) == {"positive", "negative"}
    assert read(table(human, judge), labels=dict.fromkeys(words, "class")).n_items == 24
    alone = proposed(["pass", "fail"] * 12, ["pass", words[-1]] * 12)
    assert kinds(alone)[words[-1]] in ("error", "abstention")


def test_a_rater_with_a_pair_of_words_of_its_own_is_proposed_by_the_word_that_is_denied() -> None:
    assert kinds(proposed(["yes", "no"] * 12, ["ok", "not ok"] * 12)) == {
        "yes": "positive", "no": "negative", "ok": "positive", "not ok": "negative",
    }  # fmt: skip


def test_words_beside_numbers_are_read_by_the_names_of_their_columns_and_refused_by_their_words() -> None:
    steps = ("Disagree", "Neutral", "Agree")
    frame = pd.DataFrame({"id": range(24)})
    for at, criterion in enumerate(("tone", "depth")):
        frame[f"human_{criterion}"] = [steps[(k + at) % 3] for k in range(24)]
        frame[f"judge_{criterion}"] = [1 + (k + at) % 3 for k in range(24)]
    proposal = propose(open_table(frame))
    assert dict(proposal.columns)["human:human::tone"] == "human_tone"
    with pytest.raises(
        InputError, match="share no label on ‘tone’: the human says ‘Agree’, ‘Disagree’, ‘Neutral’, the judge ‘1’"
    ):
        build(open_table(frame), confirmed(proposal))


def test_numbers_of_two_scales_are_read_though_none_is_on_both() -> None:
    human, judge = ("1", "2", "3", "4", "5") * 4, ("0", "25", "50", "75", "100") * 4
    assert read(table(human, judge), scale="ordinal").n_items == 20


@pytest.mark.parametrize(
    "text", ["_" * 20_000 + "a b", "yes" + " " * 20_000 + "x", "-" * 20_000 + "é -x", "yes," + "\n" * 20_000]
)
def test_no_text_makes_its_first_word_slow(text: str) -> None:
    """No letter fits two parts of the pattern beside each other; where one did, time grew with the cube of the length."""
    said_first(text)


@pytest.mark.parametrize(
    ("shown", "plain"), [("🟢 Pass", "pass"), ("🔴 Fail", "fail"), ("✔️ yes", "yes"), ("✅", "✅"), ("👍🏽", "👍🏽")]
)
def test_a_picture_beside_a_word_says_no_more(shown: str, plain: str) -> None:
    assert normalise(shown) == plain


def test_letters_for_how_good_something_is_are_steps_in_their_order() -> None:
    grades = ("A", "B-", "C", "F")
    proposal = proposed([grades[k % 4] for k in range(24)], [grades[k // 2 % 4] for k in range(24)])
    assert proposal.order == ("F", "C", "B-", "A")
    assert set(kinds(proposal).values()) == {"class"}


def test_three_letters_are_classes_until_a_word_says_that_the_third_is_a_tie() -> None:
    """Options of a question have these letters too: that C is a tie was proposed, and asked in Python where no doubt was."""
    letters, other = [("A", "B", "C")[k % 3] for k in range(24)], [("A", "B", "C")[k // 2 % 3] for k in range(24)]
    proposal = proposed(letters, other)
    assert proposal.order == ()
    assert set(kinds(proposal).values()) == {"class"}
    assert "say --scale nominal" in proposal.doubts[0].sentence
    tie = proposed([*letters, "tie"], [*other, "A"])
    assert kinds(tie) == {"A": "positive", "B": "negative", "C": "tie", "tie": "tie"}
    assert set(kinds(proposed(letters, ["model_a", "model_b", "C"] * 8)).values()) == {"positive", "negative", "tie"}


def test_grades_of_more_steps_than_labels_usually_have_are_labels() -> None:
    every = [f"{letter}{sign}" for letter in "ABCDF" for sign in ("+", "", "-")]
    frame = pd.DataFrame({"essay": range(30), "Teacher grade": every * 2, "GPT grade": every[::-1] * 2})
    proposal = propose(open_table(frame))
    assert not proposal.missing
    assert proposal.order[0] == "F-"


def test_a_person_s_preferences_in_other_words_than_a_judge_s() -> None:
    frame = pd.DataFrame({"id": range(24), "human_winner": ["model_a", "model_b", "tie"] * 8, "gpt4": ["A", "B", "C"] * 8})
    assert dict(propose(open_table(frame)).columns)["human"] == "human_winner"


@pytest.mark.parametrize("judge", [["★★★", "★☆☆", "★★☆"], ["3 out of 3", "1 out of 3", "2 Out of 3"], ["3/3", "1/3", "2/3"]])
def test_stars_and_points_out_of_some_are_numbers(judge: list[str]) -> None:
    frame = pd.DataFrame({"id": range(24), "human": [3, 1, 2] * 8, "judge": judge * 8})
    assert open_table(frame).coded("judge").names == ("3", "1", "2")


def test_a_third_label_is_one_label_whatever_its_letters() -> None:
    human, judge = ["Correct", "Incorrect", "Partially Correct"] * 8, ["correct", "incorrect", "partially correct"] * 8
    assert len({kinds(proposed(human, judge))[word] for word in ("Partially Correct", "partially correct")}) == 1


def test_an_unknown_answer_on_a_criterion_of_other_words_is_a_class() -> None:
    places = ["delaware", "texas", "new york"] * 4
    rows = [
        f"c{k},{place},{'england' if k == 4 else place},{k % 2 > 0},{'sometimes' if k == 5 else k % 3 > 0}\n"
        for k, place in enumerate(places)
    ]
    data = "id,human_law,judge_law,human_notice,judge_notice\n" + "".join(rows)
    kinds = {row.label: row.kind for row in propose(open_table(data.encode())).labels}
    assert (kinds["england"], kinds["delaware"], kinds["sometimes"]) == ("class", "class", "invalid")
    long = ["id,criterion,rater,role,label\n"]
    for k, row in enumerate(rows):
        _, *cells = row.strip().split(",")
        named = zip(["law", "law", "notice", "notice"], ["ana", "gpt"] * 2, ["human", "judge"] * 2, cells, strict=True)
        long += [f"c{k},{criterion},{rater},{role},{label}\n" for criterion, rater, role, label in named]
    assert {row.label: row.kind for row in propose(open_table("".join(long).encode())).labels} == kinds


@pytest.mark.parametrize("name", ["ungrounded", "incomplete", "tool_unrealistic", "is_inaccurate", "contradicts the source"])
def test_a_criterion_that_names_a_fault_is_asked_about(name: str) -> None:
    assert is_inverted(name)
    assert not is_inverted(name.replace("un", "").replace("in", "").replace("contradicts", "states"))


GRADED = {"human_accuracy": [2, 1, 2, 2, 1, 2], "judge_accuracy": [2, 2, 2, 1, 1, 2]}
FLUENT = {"human_fluency": [1, 1, 2, 2, 1, 2], "judge_fluency": [1, 2, 2, 1, 2, 2]}
ANSWERS = {"answer_1": list("abcdef"), "answer_2": list("uvwxyz")}
"""The two answers that are compared."""


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        (GRADED | FLUENT, "class"),
        (GRADED, "positive"),
        (GRADED | FLUENT | ANSWERS, "positive"),
        ({f"{name}_preferred": said for name, said in (GRADED | FLUENT).items()}, "positive"),
    ],
)
def test_one_and_two_on_several_criteria_are_points_where_nothing_is_compared(
    columns: dict[str, list[object]], kind: Kind
) -> None:
    frame = pd.DataFrame({"id": [f"q{n}" for n in range(6)]} | columns)
    assert kinds(propose(open_table(frame)))["1"] == kind
