"""The lessons say nothing that their tables do not show."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import pytest

from metrics.content.lab.lessons import LESSONS, STEPS, Step, against, before, first_needs, following, lesson_of, preceding
from metrics.content.lab.pictures import BARS, Picture
from metrics.content.lab.tables import ConfusionTable
from metrics.results import words

QUOTIENT = re.compile(r"(−?[\d.]+) / ([\d.]+) = (−?\d\.\d{2,3})")
PUBLISHED = {
    "2d": "lit.kappa.fc_balanced", "2e": "lit.kappa.fc_skewed", "2f": "lit.kappa.wiki_a", "2g": "lit.kappa.wiki_b",
    "3a": "rao.worked.3_always_negative", "4c": "rao.eq12.equality_counterexample", "4d": "rao.eq12.negative_case",
    "6a": "rao.worked.1", "6b": "rao.worked.2", "6c": "rao.worked.3_always_negative",
}  # fmt: skip
NAMES = {"accuracy": "accuracy", "cohen_kappa": "kappa", "phi_mcc": "phi", "p_e": "expected_agreement", "pabak": "pabak",
         "gwet_ac1": "gwet_ac1", "f1": "f1", "balanced_accuracy": "balanced_accuracy"}  # fmt: skip
ABSTAINING = {"7b": "rao.appB.exclude", "7c": "rao.appB.recode", "7d": "rao.appB.three_class"}


def picture(key: str) -> Picture:
    return STEPS[key].picture()


def values(key: str):
    return picture(key).values


def told(key: str) -> tuple[str, str]:
    return STEPS[key].title(picture(key), against(key)), STEPS[key].sentence(picture(key), against(key))


def says(key: str, *parts: str) -> None:
    """Each part stands in the title or the sentence, spaces alike."""
    text = " ".join(told(key)).replace(words.HARD_SPACE, " ").replace(words.THIN_SPACE, " ")
    for part in parts:
        assert part in text, text


def test_seven_lessons_in_order() -> None:
    assert [lesson.number for lesson in LESSONS] == list(range(1, 8))
    for lesson in LESSONS:
        assert [step.key for step in lesson.steps] == [f"{lesson.number}{letter}" for letter in "abcdefgh"[: len(lesson.steps)]]
        assert 3 <= len(lesson.steps) <= 7
    assert list(STEPS) == [step.key for lesson in LESSONS for step in lesson.steps]


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_every_step_has_a_title_and_short_sentences(step: Step) -> None:
    title, sentence = told(step.key)
    assert len(title) <= 70
    assert not title.endswith(".")
    assert len(sentence) <= 220
    assert sentence.endswith(".")
    assert all(len(one.split()) <= 25 for one in re.split(r"(?<=[.?]) ", sentence))
    assert not re.search(r"[{}*`\[\]]|nan|–", title + sentence)
    assert step.lit in picture(step.key).bars


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_what_a_step_divides_comes_out(step: Step) -> None:
    for above, below, result in QUOTIENT.findall(" ".join(told(step.key))):
        numbers = [Fraction(text.replace(words.MINUS, "-")) for text in (above, below, result)]
        assert abs(numbers[0] / numbers[1] - numbers[2]) <= Fraction(1, 2 * 10 ** len(result.partition(".")[2]))


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_steps_speak_in_the_users_words(step: Step) -> None:
    own = ("pass{x}", "f*il", "skip")
    shown, other = step.picture(own), against(step.key, own)
    text = step.title(shown, other) + step.sentence(shown, other)
    assert "MET" not in text
    assert "CANNOT_ASSESS" not in text
    plain = "".join(told(step.key)).replace("UNMET", "f*il").replace("MET", "pass{x}").replace("CANNOT_ASSESS", "skip")
    assert text == plain


def test_a_step_finds_itself_what_it_is_read_against() -> None:
    for step in STEPS.values():
        assert step.sentence(picture(step.key)) == told(step.key)[1]
        assert step.title(picture(step.key)) == told(step.key)[0]


def test_the_way_through_the_lessons() -> None:
    keys = list(STEPS)
    assert [preceding(key) and preceding(key).key for key in keys] == [None, *keys[:-1]]  # type: ignore[union-attr]
    assert [following(key) and following(key).key for key in keys] == [*keys[1:], None]  # type: ignore[union-attr]
    assert all(STEPS[key] in lesson_of(key).steps for key in keys)
    with pytest.raises(KeyError):
        lesson_of("8a")


def test_a_step_is_read_against_the_one_before_in_its_tale_or_the_table_beside_it() -> None:
    assert before("1b") is STEPS["1a"]
    assert before("2a") is before("2d") is before("1c") is None
    assert (against("1b").name, against("1b").table) == ("step 1a", STEPS["1a"].table)  # type: ignore[union-attr]
    assert (against("1e").name, against("1e").table) == ("B", STEPS["1b"].table)  # type: ignore[union-attr]
    assert picture("1e").name == "A"
    assert picture("1a").name == ""
    assert against("7d").mode == "as_unmet"  # type: ignore[union-attr]


@pytest.mark.parametrize("key", PUBLISHED)
def test_published_tables(published, key) -> None:
    entry = published[PUBLISHED[key]]
    assert picture(key).counts.ravel().tolist() == list(entry["inputs"].values())
    for name, metric in NAMES.items():
        if name in entry["expected"]:
            wanted = entry["expected"][name]
            assert values(key)[metric] == pytest.approx(math.nan if wanted is None else wanted, abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("key", ABSTAINING)
def test_the_table_with_abstentions(published, key) -> None:
    entry = published[ABSTAINING[key]]
    assert picture(key).table.raw.tolist() == entry["inputs"]["table"]
    assert picture(key).n == entry["expected"]["N_eff"]
    assert values(key)["accuracy"] == pytest.approx(entry["expected"]["accuracy"], abs=1e-12)
    assert values(key)["kappa"] == pytest.approx(entry["expected"]["cohen_kappa"], abs=1e-12)


def test_lesson_1_same_accuracy_different_kappa() -> None:
    assert values("1a")["accuracy"] == values("1b")["accuracy"] == 0.9
    assert values("1a")["kappa"] == pytest.approx(0.8)
    assert values("1b")["kappa"] == pytest.approx(-1 / 19)
    says("1a", "90 % agreement (accuracy)", "κ (kappa) is 0.80", "1 000 answers", "agree on 900", "here κ is 0.80")
    says("1b", "90 % agreement again", "900 times in 1 000", "finds 0 of the 50 MET", "κ is −0.05, less than chance")
    assert picture("1b").counts[0, 0] == 0


def test_lesson_1_explains_chance() -> None:
    for key, chance in (("1c", 0.5), ("1d", 0.905)):
        assert values(key)["accuracy"] == values(key)["expected_agreement"] == pytest.approx(chance)
        assert values(key)["kappa"] == values(key)["phi"] == pytest.approx(0, abs=1e-12)
    assert values("1c")["prevalence"] == values("1c")["predicted_prevalence"] == 0.5
    assert values("1d")["prevalence"] == values("1d")["predicted_prevalence"] == values("1b")["prevalence"] == 0.05
    says("1c", "toss coins", "agree on 50 %: 250 times on MET and 250 times on UNMET", "κ is 0.00")
    says(
        "1d",
        "nearly all is UNMET",
        "say MET to 5 % at random",
        "agree on 90.5 % by chance",
        "the coins agreed on 50 %",
        "κ is 0.00",
    )
    assert values("1b")["expected_agreement"] == pytest.approx(values("1d")["expected_agreement"])
    says("1e", "give A, the judge of step 1a, 50 %", "A earns 40", "κ is 40 / 50 = 0.80")
    says("1e", "give B, the judge of step 1b, 90.5 %, more than its 90 %: κ is −0.05")


def test_lesson_1_ends_with_the_paradox_in_one_sentence() -> None:
    a, b = picture("1f"), against("1f")
    assert (a.table, b.table) == (STEPS["1a"].table, STEPS["1b"].table)  # type: ignore[union-attr]
    assert a.values["accuracy"] == b.values["accuracy"] == 0.9  # type: ignore[union-attr]
    assert a.values["expected_agreement"] == 0.5 < b.values["expected_agreement"]  # type: ignore[union-attr]
    assert min(b.values["prevalence"], 1 - b.values["prevalence"]) < 0.1  # type: ignore[union-attr]
    assert a.values["kappa"] > 0 > b.values["kappa"]  # type: ignore[union-attr]
    says("1f", "90.5 % in B, 50 % in A", "The same 90 % is far more than chance in A (κ 0.80)")
    says("1f", "less than chance in B (κ −0.05)")


def test_no_word_of_a_step_has_a_second_one() -> None:
    for key in STEPS:
        assert not re.search(r"\bluck|\breference\b", " ".join(told(key)).lower()), key
        assert "answers" not in told(key)[1] or key in ("1a", "7d")


def test_the_first_lesson_names_what_it_needs_and_no_other_names_anything() -> None:
    assert {first_needs(step.key) for step in LESSONS[0].steps} == {("accuracy", "kappa")}
    assert {first_needs(key) for key in [*STEPS, ""] if lesson_number(key) != 1} == {()}


def lesson_number(key: str) -> int:
    return lesson_of(key).number if key else 0


def test_lesson_2_the_prevalence_paradox() -> None:
    for key, at, kappa, chance in (("2a", 0.5, 0.8, 0.5), ("2b", 0.05, 0.076 / 0.176, 0.824), ("2c", 0.01, 0.1367, 0.88416)):
        own = values(key)
        assert own["accuracy"] == own["recall"] == own["specificity"] == pytest.approx(0.9)
        assert own["prevalence"] == pytest.approx(at)
        assert own["kappa"] == pytest.approx(kappa, abs=1e-4)
        assert own["expected_agreement"] == pytest.approx(chance)
    says("2a", "right on 90 % of what is MET and on 90 % of what is UNMET")
    says("2b", "κ falls from 0.80 to 0.43", "still agrees on 90 %", "82.4 % instead of 50 %", "7.6 of the 17.6 points left")
    says("2c", "88.4 % of the 90 %", "κ is 0.14", "the same in all three steps")
    assert Fraction("7.6") / Fraction("17.6") == pytest.approx(values("2b")["kappa"])


def test_lesson_2_both_paradoxes_of_the_literature() -> None:
    assert values("2d")["accuracy"] == values("2e")["accuracy"] == 0.85
    assert values("2d")["kappa"] > values("2e")["kappa"]
    says("2d", "agree on 85 of 100", "(49 % and 46 %)", "50.1 %", "κ is 0.70")
    says("2e", "(90 % and 85 %)", "78 %", "from 0.70 to 0.32")
    assert values("2f")["accuracy"] == values("2g")["accuracy"] == 0.6
    assert values("2f")["kappa"] < values("2g")["kappa"]
    assert abs(values("2f")["drift"]) < abs(values("2g")["drift"])
    assert min(values("2f")["prevalence"], values("2f")["predicted_prevalence"]) > 0.5
    assert values("2g")["prevalence"] > 0.5 > values("2g")["predicted_prevalence"]
    says("2f", "(60 % and 70 %)", "54 % of the 60 %", "κ is 0.13")
    says("2g", "rises from 0.13 to 0.26", "MET to 60 %, the other to 30 %", "46 % instead of 54 %", "agree on 60 % as before")


def test_lesson_3_the_always_negative_judge() -> None:
    assert values("3a")["accuracy"] == 0.9 == 1 - values("3a")["prevalence"] == values("3a")["expected_agreement"]
    assert values("3a")["predicted_prevalence"] == values("3a")["kappa"] == 0
    assert math.isnan(values("3b")["phi"])
    assert picture("3b").table == picture("3a").table
    says("3a", "90 % agreement without reading: κ 0.00", "agrees on 90 % because 90 % are UNMET")
    says("3b", "φ is undefined, which is not the same as 0")
    assert values("3c")["phi"] == pytest.approx(90 / math.sqrt(10 * 90 * 1 * 99))
    says("3c", "κ 0.17, φ 0.30", "1 of the 10 MET", "from 90 % to 91 %", "κ from 0.00 to 0.17", "0.30")
    assert values("3d")["predicted_prevalence"] == 1
    assert values("3d")["kappa"] == 0
    says("3d", "F1 0.95, κ 0.00", "Where 90 % are MET")


def test_lesson_4_when_kappa_is_phi() -> None:
    assert values("4a")["kappa"] == pytest.approx(values("4a")["phi"], abs=1e-12)
    assert values("4a")["drift"] == 0
    assert picture("4a").counts[0, 1] == picture("4a").counts[1, 0] > 0
    assert values("4b")["drift"] > 0
    assert 0 < values("4b")["kappa"] < values("4b")["phi"]
    assert values("4b")["kappa"] / values("4b")["phi"] == pytest.approx(0.7, abs=0.005)
    for undrifted in ((10, 0, 0, 60), (10, 0, 0, 90)):
        straight = Picture(ConfusionTable(undrifted)).values
        assert straight["drift"] == 0
        kappa_falls, phi_falls = (straight[key] - values("4b")[key] for key in ("kappa", "phi"))
        assert kappa_falls > phi_falls > 0.5
    assert values("4c")["kappa"] == values("4c")["phi"] == 0
    assert values("4c")["drift"] > 0
    assert values("4c")["recall"] == values("4c")["fpr"] == 0.5
    assert values("4d")["phi"] < values("4d")["kappa"] < 0
    assert values("4d")["accuracy"] < values("4d")["expected_agreement"]
    says("4a", "κ = φ = 0.58", "exactly as often as the human (40 %)")
    says(
        "4b",
        "κ 0.29 is below φ 0.41",
        "MET to 40 %, the human to 10 %",
        "lowers both φ and κ, and κ further",
        "only 70 % of φ",
    )
    says("4c", "still κ = φ = 0.00", "50 % of what is MET and to 50 % of what is UNMET", "(50 % against 20 %)")
    says("4d", "κ −0.20 is above φ −0.22", "(30 % against 50 %)")


def test_lesson_5_strict_and_lenient() -> None:
    strict, lenient = values("5a"), values("5b")
    for key in ("kappa", "phi", "accuracy", "pabak", "gwet_ac1", "f1"):
        assert strict[key] == pytest.approx(lenient[key], abs=1e-12), key
    assert (strict["recall"], strict["precision"]) == (lenient["precision"], lenient["recall"])
    assert picture("5a").rates != picture("5b").rates
    assert [key for key in BARS if abs(strict[key] - lenient[key]) > 1e-12] == ["balanced_accuracy"]
    says("5a", "20 missed passes, 5 false passes", "finds 66.7 % of what is MET", "right 88.9 % of the time", "κ is 0.51")
    says("5b", "5 missed passes, 20 false passes, and κ is 0.51 again", "TPR (now 88.9 %)", "precision (now 66.7 %)")
    says("5b", "κ, φ, PABAK, AC1, F1 and accuracy stay")
    says("5c", "F1 0.76 and 0.76", "Of 25 errors each, A has 20 missed passes and B has 20 false passes")
    assert against("5c").counts.sum() - against("5c").counts.trace() == 25  # type: ignore[union-attr]


def test_lesson_6_the_worked_examples() -> None:
    says(
        "6a",
        "κ 0.400, φ 0.408",
        "Accuracy is 70 %, F1 0.727",
        "50 %",
        "20 / 50 = 0.400",
        "MET to 60 % and the human to 50 %",
    )
    says("6b", "10 % MET instead of 50 %", "95 %", "86 %", "9 / 14 = 0.643", "φ 0.688")
    says("6c", "90 % against 95 %", "κ is 0.00 against 0.643", "φ is undefined")
    assert math.isnan(values("6c")["phi"])
    assert values("6b")["prevalence"] == values("6c")["prevalence"]
    assert "Rao and Callison-Burch" in LESSONS[5].source
    assert "Feinstein" in LESSONS[1].source


def test_lesson_7_no_verdict() -> None:
    assert values("7a") == pytest.approx(values("7b"))
    assert picture("7a").n == 70
    assert picture("7b").table.coverage == 0.7
    says("7a", "all 70 decisions and agree on 71.4 % of them. κ is 0.417")
    says("7b", "κ 0.417 on 70 % of the decisions", "30 further decisions", "describes 70 of 100 decisions only")
    says("7c", "all 100 decisions are in and κ is 0.394 instead of 0.417", "if silence means UNMET")
    says("7d", "κ 0.370", "If CANNOT_ASSESS is a label like the others", "answers three questions")
