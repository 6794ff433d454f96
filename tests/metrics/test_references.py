"""Whose verdict is the reference where there are several humans."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.analyses.agreement.compute import Settings
from metrics.analyses.multiverse.compute import space_of
from metrics.analyses.provenance import header
from metrics.analyses.scores.provenance import header as scores_header
from metrics.data.labels import AFTER_CLASSES
from metrics.data.pairs import one_human_each, reference_name, reference_phrase, reference_states
from metrics.data.references import as_reference, human_of, left_out, reference_words, references_of, with_article


def read(*rows: str) -> metrics.Ratings:
    """Rows "item rater label"; the judge says MET everywhere."""
    items = sorted({row.split()[0] for row in rows})
    lines = [",".join((*row.split()[:1], *row.split()[1:], "human")) for row in rows]
    lines += [f"{item},bot,MET,judge" for item in items]
    return metrics.read("\n".join(["item,rater,label,role", *lines]).encode())


THREE = read("1 ana MET", "1 ben MET", "1 cem UNMET", "2 ana MET", "2 ben UNMET", "2 cem UNMET", "3 ana UNMET", "3 cem UNMET")


@pytest.mark.parametrize(
    ("reference", "states"),
    [
        ("majority", "MET UNMET UNMET"),
        ("unanimous", "split split UNMET"),
        ("ana", "MET MET UNMET"),
        ("auto", "MET UNMET UNMET"),
        ("majority without ana", "split UNMET UNMET"),
        ("auto without ana", "split UNMET UNMET"),
        ("majority without ben", "split split UNMET"),
        ("majority without cem", "MET split UNMET"),
    ],
)
def test_every_reference_of_three_humans(reference, states) -> None:
    names = [*THREE.scheme.classes, *AFTER_CLASSES]
    assert " ".join(names[state] for state in reference_states(THREE, reference)) == states


def test_the_majority_of_all_but_one_is_the_majority_without_her_rows() -> None:
    rng = np.random.default_rng(0)
    rows = [f"{i} {name} {rng.choice(['MET', 'UNMET'])}" for i in range(40) for name in "abcde" if rng.random() < 0.8]
    for name in "abcde":
        without = read(*(row for row in rows if row.split()[1] != name))
        kept = metrics.agreement(without, reference="majority", interval="none").judges["bot"].micro
        whole = metrics.agreement(read(*rows), reference=f"majority without {name}", interval="none").judges["bot"].micro
        assert whole.values["kappa"] == pytest.approx(kept.values["kappa"], nan_ok=True)
        assert whole.n == kept.n


def test_two_humans_leave_each_other_and_a_rule_is_refused_by_name() -> None:
    two = read("1 ana MET", "1 ben UNMET")
    assert references_of(two.humans) == ("majority", "unanimous", "ana", "ben")
    with pytest.raises(metrics.InputError, match="majority without ana"):
        metrics.agreement(two, reference="majority without ana")
    with pytest.raises(metrics.InputError, match="majority without ana"):
        metrics.agreement(THREE, reference="majority without dan")


def test_a_human_may_be_called_like_a_rule() -> None:
    humans = ("a", "b", "majority without a")
    assert left_out("majority without a", humans) == "a"
    assert left_out("human majority without a", humans) is None
    assert left_out("majority without b", humans) == "b"
    assert references_of(humans) == (
        "majority", "unanimous", "a", "b", "human majority without a",
        "majority without a", "majority without b", "majority without majority without a",
    )  # fmt: skip


def test_a_human_called_majority_and_the_majority_are_two_references() -> None:
    rows = ("1 majority MET", "1 ben UNMET", "1 cem UNMET", "2 majority UNMET", "2 ben MET", "2 cem MET")
    ratings = read(*rows)
    names = [*ratings.scheme.classes, "abstention"]

    def said(reference: str) -> list[str]:
        return [names[state] for state in reference_states(ratings, reference)]

    assert said("majority") == ["UNMET", "MET"]
    assert said("human majority") == ["MET", "UNMET"]
    assert said("majority without majority") == ["UNMET", "MET"]
    assert metrics.agreement(ratings, reference="human majority", interval="none").to_dict()["declaration"]["reference"] == (
        "human majority"
    )
    space = space_of(ratings, "bot", Settings(judges=("bot",)), "micro")
    options = next(dimension.options for dimension in space.dimensions if dimension.key == "reference")
    same = next(option for option in options if "majority" in option.also)
    assert "human majority" not in same.also
    assert "human majority" in {name for option in options for name in option.also}


def test_every_human_and_every_rule_is_a_reference_of_its_own() -> None:
    humans = ("majority", "human majority", "unanimous", "majority without majority", "ana")
    known = references_of(humans)
    assert len(set(known)) == len(known) == 2 + 5 + 5
    assert [human_of(name, humans) for name in known[2:7]] == list(humans)
    assert [human_of(name, humans) for name in (*known[:2], *known[7:], "nobody")] == [None] * 8
    assert as_reference("human majority", humans) == "human majority"
    assert as_reference("majority", humans) == "human human majority"
    alone = read("1 majority MET", "2 majority UNMET")
    assert reference_name(alone, "majority") == "human majority"
    assert [alone.scheme.classes[state] for state in reference_states(alone, "majority")] == ["MET", "UNMET"]


def test_the_declaration_says_who_was_left_out() -> None:
    report = metrics.agreement(THREE, reference="majority without ana", interval="none")
    assert report.to_dict()["declaration"]["reference"] == "majority without ana"
    assert "majority of the humans without ana" in report.summary()


def test_words() -> None:
    assert reference_words("majority without ana") == "majority of the humans without ana"
    assert with_article("majority") == "the majority of the humans"
    assert with_article("human") == "the human"
    assert with_article("ana") == "ana"


def of_raters(each: int) -> metrics.Ratings:
    """Three humans, of whom each item has so many."""
    rows = [("item", "rater", "role", "label")]
    for n in range(24):
        rows += [(f"i{n}", name, "human", "MET" if (n + k) % 3 else "UNMET") for k, name in enumerate(["ana", "bo", "cy"])
                 if (n + k) % 3 < each]  # fmt: skip
        rows.append((f"i{n}", "j", "judge", "MET" if n % 4 else "UNMET"))
    return metrics.read("\n".join(",".join(row) for row in rows).encode())


@pytest.mark.parametrize("each", [1, 2])
@pytest.mark.parametrize("rule", ["majority", "unanimous"])
def test_humans_of_whom_each_decision_has_one_are_no_majority(each: int, rule: str) -> None:
    ratings = of_raters(each)
    report = metrics.agreement(ratings, reference=rule, interval="none")
    d = report.declaration
    assert one_human_each(ratings, rule) == d.one_human_each == d.to_dict().get("one_human_each", False) == (each == 1)
    assert metrics.AgreementReport.from_json(report.to_json()).declaration.one_human_each == d.one_human_each
    told = {"majority": "majority of the humans", "unanimous": "what all humans agree on"}[rule]
    said = header(report, "j", "micro").text()
    assert ("Reference: one human for each decision. " in said) == (each == 1)
    assert (f"Reference: {told}. " in said) == (each == 2)
    assert (d.the_reference() == "the one human for each decision") == (each == 1)
    ordered = scores_header(metrics.scores(ratings, reference=rule, order=["UNMET", "MET"]), "j").text()
    assert ("one human for each decision" in ordered) == (each == 1)
    assert not one_human_each(ratings, "ana")


def test_a_rule_without_one_of_two_humans_meets_one() -> None:
    ratings = of_raters(2)
    assert not one_human_each(ratings, "majority without ana")
    assert reference_phrase(of_raters(1), "majority without ana") == "one human for each decision without ana"
    assert reference_phrase(ratings, "ana") == "ana"
