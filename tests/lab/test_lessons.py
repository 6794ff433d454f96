"""The lessons say nothing that their tables do not show."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import pytest

from metrics.content.lab import bets
from metrics.content.lab.lessons import (
    LESSONS,
    STEPS,
    Step,
    against,
    before,
    first_needs,
    following,
    lesson_of,
    preceding,
    step_name,
)
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


def test_nine_lessons_in_order_by_names_of_their_own() -> None:
    assert [lesson.number for lesson in LESSONS] == list(range(1, 10))
    assert len({lesson.title for lesson in LESSONS}) == len(LESSONS)
    for lesson in LESSONS:
        assert 2 <= len(lesson.steps) <= 5
        assert [step_name(step.key) for step in lesson.steps] == [
            f"step {lesson.number}{letter}" for letter in "abcde"[: len(lesson.steps)]
        ]
    assert list(STEPS) == [step.key for lesson in LESSONS for step in lesson.steps]


def test_a_lesson_with_published_tables_names_where_they_are_from() -> None:
    for key in PUBLISHED | ABSTAINING:
        assert lesson_of(key).source, key
    for lesson in (LESSONS[2], LESSONS[3], LESSONS[6], LESSONS[7]):
        assert re.search("1990|Wikipedia|Rao", lesson.title)


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
    assert before("2b") is STEPS["2a"]
    assert before("2a") is before("2d") is before("2f") is None
    assert (against("2b").name, against("2b").table) == ("step 2a", STEPS["2a"].table)  # type: ignore[union-attr]
    assert (against("kappa").name, against("kappa").table) == ("B", STEPS["kappa"].second_table)  # type: ignore[union-attr]
    assert picture("kappa").name == "A"
    assert picture("2a").name == ""
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


def test_lesson_1_two_judges_that_differ_in_one_thing() -> None:
    for step in LESSONS[0].steps:
        a, b = step.picture(), against(step.key)
        assert b is not None
        assert a.values["accuracy"] == b.values["accuracy"] == 0.9
        assert a.values["prevalence"] == b.values["prevalence"] == 0.1
        assert set(step.shows) <= {"accuracy", "expected_agreement", "kappa"}
    assert against("ship").counts[:, 0].sum() == 0  # type: ignore[union-attr]
    says("ship", "Two judges, 90 % agreement each", "A human marks 100 answers", "each agree with the human on 90")
    says(
        "asleep",
        "The human marks 10 MET",
        "A finds all 10, and calls 10 others MET: false passes",
        "B says only UNMET: right 90 times",
    )
    assert against("asleep").counts[:, 0].sum() == 0  # type: ignore[union-attr]


def test_lesson_1_shows_chance_before_kappa_and_nothing_else() -> None:
    shown = [step.shows for step in LESSONS[0].steps]
    assert [step.drawn for step in LESSONS[0].steps] == ["folded", "told", "guessed", "earned", "told"]
    assert [("expected_agreement" in keys, "kappa" in keys) for keys in shown] == [
        (False, False), (False, False), (True, False), (True, False), (True, True),
    ]  # fmt: skip
    told_of_kappa = [bool(re.search("κ|kappa", " ".join(told(step.key)))) for step in LESSONS[0].steps]
    assert told_of_kappa == ["kappa" in keys for keys in shown]
    a, b = values("chance"), against("chance").values  # type: ignore[union-attr]
    assert (a["expected_agreement"], b["expected_agreement"]) == pytest.approx((0.74, 0.9))
    says("chance", "A says MET to 20 %", "At random, that is right on 74 % on average", "B's 0 % on 90 %")
    says("minus", "At random A would get 74 %: 26 points are left", "A earns 16, a share of 0.62", "B earns 0 of its 10")
    says("kappa", "0.62 for A, 0.00 for B", "1 is never wrong, 0 is chance, below 0 worse than chance")


def test_every_bet_comes_out_as_the_next_step_shows() -> None:
    assert len(bets.BETS) == 7
    for key, bet in bets.BETS.items():
        assert following(key) in lesson_of(key).steps
        assert 0 <= bet.right < len(bet.options)
        assert not re.search(r"[{}*`\[\]]|nan|–", bets.question(key) + bets.why(key))
        assert bets.why(key, ("pass", "fail", "skip")) != bets.why(key) or "MET" not in bets.why(key)

    def option(key: str) -> str:
        return bets.BETS[key].options[bets.BETS[key].right]

    assert values("ship")["kappa"] > against("ship").values["kappa"]
    assert option("ship") == "Judge A"
    assert values("2a")["kappa"] > values("2b")["kappa"]
    assert values("2b")["prevalence"] == pytest.approx(0.05)
    assert option("2a") == "It falls"
    assert "5 %" in bets.question("2a").replace(words.HARD_SPACE, " ")
    assert values("2d")["kappa"] > values("2e")["kappa"]
    assert option("2d") == "Much lower"
    assert values("2g")["kappa"] > values("2f")["kappa"]
    assert option("2f") == "It rises"
    assert values("2g")["predicted_prevalence"] == 0.3
    assert values("2g")["accuracy"] == values("2f")["accuracy"] == 0.6
    rise = values("3c")["kappa"] - values("3b")["kappa"]
    assert option("3b") == f"Rises by {words.number(rise)}"
    assert picture("3c").counts.tolist() == [[1, 9], [0, 90]]
    assert option("5c") == "The strict A"
    assert 0 < values("7b")["kappa"] - values("7c")["kappa"] < 0.05
    assert option("7b") == "It falls a little"


def test_the_score_counts_bets_once() -> None:
    assert bets.score({}) == bets.score({"nowhere": 0}) == ""
    assert bets.score({"ship": 0, "2a": 0}) == "Bets: 1 of 2 right, 7 in all"
    assert bets.score({key: bet.right for key, bet in bets.BETS.items()}) == "Bets: 7 of 7 right"


def test_no_word_of_a_step_has_a_second_one() -> None:
    for key in STEPS:
        assert not re.search(r"\bluck|\breference\b", " ".join(told(key)).lower()), key
        assert "answers" not in told(key)[1] or key in ("ship", "asleep", "7d")


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
        "κ is only a part of φ",
        "70 % of it here",
    )
    # Lesson 4 shows a larger bias with a higher κ, so no step says that a bias lowers it.
    assert abs(values("2g")["drift"]) > abs(values("2f")["drift"])
    assert values("2g")["kappa"] > values("2f")["kappa"]
    assert "lowers" not in STEPS["4b"].sentence(picture("4b"))
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
    says("5d", "A costs 20 + 10 · 5 = 70", "B costs 5 + 10 · 20 = 205", "κ, 0.51 for both")
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
    assert "Rao and Callison-Burch" in lesson_of("6a").source
    assert "Feinstein" in lesson_of("2d").source


def test_lesson_7_no_verdict() -> None:
    assert values("7a") == pytest.approx(values("7b"))
    assert picture("7a").n == 70
    assert picture("7b").table.coverage == 0.7
    says("7a", "all 70 decisions and agree on 71.4 % of them. κ is 0.417")
    says("7b", "κ 0.417 on 70 % of the decisions", "30 further decisions", "describes 70 of 100 decisions only")
    says("7c", "all 100 decisions are in and κ is 0.394 instead of 0.417", "if silence means UNMET")
    says("7d", "κ 0.370", "If CANNOT_ASSESS is a label like the others", "answers three questions")
