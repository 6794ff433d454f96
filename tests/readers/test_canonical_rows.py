"""The table that nested exports become, the times in it, and the JSON that it is read from part by part."""

from __future__ import annotations

import json
from itertools import chain

import pytest

from metrics.readers import json_records
from metrics.readers.formats.canonical import Rows, iso
from metrics.readers.formats.cells import LONGEST, parsed, status_of


def test_columns_of_an_item_ride_along_with_each_of_its_ratings() -> None:
    rows, first, second = Rows("a.json"), {"question": "x", "Label": "a"}, {"tag": "y"}
    for item, more in (("q1", first), ("q1", first), ("q2", second), ("q3", None)):
        rows.add(item, "ok", "ana", "human", "yes", more=more)
    data = rows.table("", ()).data
    assert data["question"].to_pylist() == ["x", "x", "", ""]
    assert data["file.Label"].to_pylist() == ["a", "a", "", ""]
    assert data["tag"].to_pylist() == ["", "", "y", ""]


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-02-01T09:07:00.123Z", "2026-02-01T09:07:00Z"),
        ("2026-02-01 09:07:00+02:00", "2026-02-01T07:07:00Z"),
        ("0999-01-01", "0999-01-01T00:00:00Z"),
        ("1770000060000", "2026-02-02T02:41:00Z"),
        ("0001-01-01T00:00:00+05:00", ""),
        ("9999-12-31T23:59:59-05:00", ""),
        ("9" * 400, ""),
        ("soon", ""),
    ],
)
def test_a_time_is_utc_to_the_second_or_none(moment: str, expected: str) -> None:
    assert iso(moment) == expected


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ('{"a": null}', {"a": None}),
        ("{'a': None, 'b': [True, 1.5]}", {"a": None, "b": [True, 1.5]}),
        ("{'a': \"it's None\", 'b': 'None'}", {"a": "it's None", "b": "None"}),
        (r"{'a': 'x\ny'}", {"a": "x\ny"}),
        ("{'id': UUID('12345678-1234-5678-1234-567812345678')}", {"id": "12345678-1234-5678-1234-567812345678"}),
        ("{'at': datetime.datetime(2026, 2, 1, 9, tzinfo=datetime.timezone.utc)}", {"at": "2026-02-01T09:00:00Z"}),
        ("{'a': open('/etc/passwd')}", None),
        (r"{'a': '\d'}", None),
        ("{'a': " + "[" * 5000, None),
        ("{'a': '" + "x" * LONGEST + "\\n'}", None),
        ("plain words", None),
        ("", None),
    ],
)
def test_a_record_in_a_cell_is_parsed_and_never_evaluated(cell: str, value: object) -> None:
    assert parsed(cell) == value


def test_an_empty_answer_of_a_judge_is_a_call_that_failed() -> None:
    assert [status_of("", "", True), status_of("", "", False), status_of("", "1", True)] == ["error", "ok", "ok"]
    assert [status_of(label, "", False) for label in ("n/a", "NOT_PARSABLE", "yes", "maybe", "x" * 99)] == [
        "abstain", "error", "ok", "ok", "ok",
    ]  # fmt: skip


def test_an_array_longer_than_a_part_is_read_at_once_again_after_each_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_records, "_PART", 1000)
    closely = []
    record = json_records._record
    monkeypatch.setattr(json_records, "_record", lambda *given: closely.append(1) or record(*given))
    data = json.dumps([{"id": n} for n in range(1000)]).encode()
    rows = chain.from_iterable(json_records.of_array(data, 1, "a.json"))
    assert [row["id"] for row in rows] == list(range(1000))
    assert len(closely) <= len(data) // 1000 + 2


TRICKY = (
    '{"id": 1}\n{"id": 2}\n',
    '{"id": 1}\r\n{"id": 2}',
    '{"id": 1}\r{"id": 2}\r\n\n{"id": 3}',
    '{"id": 1}, {"id": 2}\n{"id": 3}\n',
    '{"id": 1\n"b": 2}\n{"id": 3}\n',
    '{"id": "a\nb"}\n{"id": 3}\n',
    '{"id": 1}], [{"id": 2}\n{"id": "x\ny"}\n',
    '{"id": [\n]}\n{}\n',
    '[{"id": 1}]\n{"id": 2}\n',
    '{"id": 1}\n\ufeff{"id": 2}\n{"id": 3}\n',
    '{"id": 1}\n2\n{"id": 3}\n{"id"',
    '{"id": NaN}\n{"id": 1e9}\n',
)


@pytest.mark.parametrize("text", TRICKY)
def test_lines_parsed_at_once_are_those_parsed_one_by_one(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def lines() -> tuple[object, ...]:
        numbers, skipped = list[int](), list[tuple[int, str]]()
        records = list(chain.from_iterable(json_records.of_lines(text.encode(), "a.jsonl", True, numbers, skipped)))
        return repr(records), numbers, skipped

    together = lines()
    monkeypatch.setattr(json_records, "_PART", 1)
    assert lines() == together


@pytest.mark.parametrize("part", [20, 30, 50, 80])
def test_an_array_parsed_at_once_is_that_parsed_one_by_one(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in (
        '[{"id": 1, "of": [{"id": 2}, {"id": 3}]}, {"id": 4, "of": []}, {"id": 5}, {"of": "}, {\\"id\\""}, {"id": 6}]',
        '[{"id": "}, {"}, {"id": "é"},\n{"id": 3} , {"id": {"id": 4}}, {}, {"id": 5}]',
        json.dumps([{"id": n, "of": {"id": n}} for n in range(9)], indent=1),
    ):
        monkeypatch.setattr(json_records, "_PART", part)
        assert list(chain.from_iterable(json_records.of_array(text.encode(), 1, "a.json"))) == json.loads(text)
