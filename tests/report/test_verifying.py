"""A report that was written is what its file gives, to the last digit; anything else is noticed and named."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import metrics
from metrics import InputError
from metrics.analyses.review.decisions import Decision, Review
from metrics.report.checklist.contents import Contents
from metrics.report.making import report_of
from metrics.report.verifying import verify
from tests.report.conftest import bytes_of, plain_report, ratings_named

Json = dict[str, Any]


def test_every_report_is_what_its_file_gives(name: str) -> None:
    found = verify(plain_report(name).to_json(), bytes_of(name))
    assert found.same
    assert found.n_numbers > 20
    assert found.sentences()[0].startswith("Same numbers to the last digit")
    assert found.report is not None
    assert found.report.to_json() == plain_report(name).to_json()


def test_every_setting_is_kept() -> None:
    ratings = metrics.with_panel(ratings_named("support_answers.csv"), "any", ["strict", "lenient"], name="either")
    report = report_of(
        ratings,
        contents=Contents("either", "macro", ("phi", "mcc"), ("fleiss_kappa",), frozenset({"silence"})),
        answers={"prompt": "v7 = “new”"},
        review=Review("x", "", {"Polite tone": Decision("keep")}),
        abstention="as_category", cost="0,1,0.3;1,0,0.4;0.3,0.4,0", reference="ana", judges=["either", "cautious"],
        interval="bootstrap", unit="decision", replicates=120, rng=9, confidence=0.8, handling={"tie": "exclude"},
    )  # fmt: skip
    found = verify(report.to_json(), bytes_of("support_answers.csv"))
    assert found.same
    assert found.report is not None
    assert found.report.to_json() == report.to_json()


def changed(change: Callable[[Json], None], name: str = "rao_abstention.csv") -> str:
    found = json.loads(plain_report(name).to_json())
    change(found)
    return json.dumps(found)


def _last_digit(found: Json) -> None:
    block = found["agreement"]["judges"]["judge"]["micro"]
    block["kappa"] += 2**-53


def _count(found: Json) -> None:
    found["agreement"]["judges"]["judge"]["micro"]["confusion"][0][0] += 1


def _null(found: Json) -> None:
    found["agreement"]["judges"]["judge"]["micro"]["intervals"]["kappa"] = None


def _gone(found: Json) -> None:
    del found["agreement"]["judges"]["judge"]["micro"]["phi"]


def _more(found: Json) -> None:
    found["agreement"]["judges"]["judge"]["micro"]["kappa_2"] = 0.5


def _whole(found: Json) -> None:
    found["agreement"]["judges"]["judge"]["micro"]["n"] = float(found["agreement"]["judges"]["judge"]["micro"]["n"])


def _words(found: Json) -> None:
    found["methods"] = found["methods"].replace("0.42", "0.62")


@pytest.mark.parametrize(
    ("change", "place"),
    [(_last_digit, "micro.kappa"), (_count, "micro.confusion[0][0]"), (_null, "micro.intervals.kappa"), (_gone, "micro.phi"),
     (_more, "micro.kappa_2"), (_whole, "micro.n"), (_words, "methods")],
)  # fmt: skip
def test_one_changed_number_is_found_and_named(change: Callable[[Json], None], place: str) -> None:
    found = verify(changed(change), bytes_of("rao_abstention.csv"))
    assert not found.same
    assert [one.place.endswith(place) for one in found.differences] == [True]
    assert found.sentences()[0].startswith("Not the same: 1 difference among")
    assert any(place in sentence for sentence in found.sentences())


def test_other_settings_than_the_numbers_are_noticed() -> None:
    def other_mode(found: Json) -> None:
        found["recipe"]["choices"]["abstention"] = "as_unmet"

    found = verify(changed(other_mode), bytes_of("rao_abstention.csv"))
    assert not found.same
    assert len(found.differences) > 10
    assert f"{len(found.differences) - 5} more." in found.sentences()


def test_another_file_with_the_same_numbers_is_another_file() -> None:
    data = bytes_of("rao_balanced.csv")
    found = verify(plain_report("rao_balanced.csv").to_json(), data + b"\n")
    assert not found.same
    assert any("another file" in sentence for sentence in found.sentences())
    assert {one.place.rpartition(".")[2] for one in found.differences} <= {"sha256"}


def test_a_file_that_does_not_even_fit_is_said_to_be_another() -> None:
    found = verify(plain_report("support_answers.csv").to_json(), bytes_of("rao_abstention.csv"))
    assert not found.same
    assert found.report is None
    assert "another file" in found.sentences()[0]
    assert "no judge is called" in found.sentences()[1]


def test_the_name_of_the_file_does_not_matter(tmp_path: Any) -> None:
    (tmp_path / "renamed.csv").write_bytes(bytes_of("rao_balanced.csv"))
    assert verify(plain_report("rao_balanced.csv").to_json(), tmp_path / "renamed.csv").same


def test_another_version_is_said_and_the_numbers_still_count() -> None:
    def older(found: Json) -> None:
        found["metrics_version"] = found["agreement"]["declaration"]["metrics_version"] = "0.0.9"
        found["made_with"] = "Kappascope 0.0.9"
        found["methods"] = found["methods"].replace("Kappascope 0.1.0", "Kappascope 0.0.9")

    found = verify(changed(older), bytes_of("rao_abstention.csv"))
    assert found.same
    assert any("version 0.0.9" in sentence for sentence in found.sentences())


def _without(key: str) -> Callable[[Json], None]:
    def change(found: Json) -> None:
        del found[key]

    return change


def _put(key: str, value: Any) -> Callable[[Json], None]:
    def change(found: Json) -> None:
        found[key] = value

    return change


BROKEN: list[tuple[str, str]] = [
    ("", "is not JSON"), ("{", "is not JSON"), ("[]", "not a report"), ("3", "not a report"), ("{}", "not a report"),
    ('{"kind": "report", "version": NaN}', "is not JSON"), ('{"kind": "rubric review", "version": 1}', "not a report"),
    ("[" * 100_000, "is not JSON"), ('{"kind": "report", "version": 2}', "form 2"),
    (changed(_without("recipe")), "lacks 'recipe'"), (changed(_without("contents")), "lacks 'contents'"),
    (changed(_put("recipe", {})), "no usable recipe"), (changed(_put("contents", {"judge": ""})), "contents"),
    (changed(_put("answers", ["x"])), "answers"), (changed(_put("answers", {"x": "y"})), "Nothing is asked"),
    (changed(_put("review", {"kind": "other"})), "no rubric review"),
    (changed(_put("contents", {"judge": "", "level": "micro", "associations": [3], "inter_judge": [], "without": []})), "lists"),
    (changed(_put("contents", {"judge": "", "level": "mega", "associations": [], "inter_judge": [], "without": []})), "level"),
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(BROKEN)))
def test_what_is_no_report_is_refused_with_a_sentence(place: int) -> None:
    text, match = BROKEN[place]
    with pytest.raises(InputError, match=match):
        verify(text, bytes_of("rao_abstention.csv"))


def test_a_file_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(InputError, match="empty"):
        verify(plain_report("rao_balanced.csv").to_json(), b"")
