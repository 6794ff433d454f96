"""`raters --level` on labels that are numbers: ordered by value, asked for nothing; everything else is asked as before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import metrics
from metrics.commands.cli import main

ROWS = [(f"i{n}", rater, n % 5 + 1 + (n % 7 == 0 and rater == "b")) for n in range(30) for rater in "abc"]
TEXT = "item,rater,role,label\n" + "".join(f"{item},{rater},human,{label}\n" for item, rater, label in ROWS)


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as done:
        main(list(args))
    out, err = capsys.readouterr()
    return int(done.value.code or 0), out, err


@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio"])
def test_a_level_orders_numbers_by_their_values(tmp_path: Path, capsys: pytest.CaptureFixture[str], level: str) -> None:
    path = tmp_path / "scale.csv"
    path.write_text(TEXT)
    code, out, _ = run(capsys, "raters", str(path), "--level", level, "--json")
    assert code == 0
    stated = metrics.raters(metrics.read(path, order=["1", "2", "3", "4", "5", "6"]), level=level).to_dict()  # type: ignore[arg-type]
    assert json.loads(out)["criteria"]["all"]["alpha"] == pytest.approx(stated["criteria"]["all"]["alpha"])
    assert json.loads(out)["criteria"]["all"]["level"] == level


@pytest.mark.parametrize("more", [(), ("--level", "nominal")])
def test_numbers_without_a_level_are_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]) -> None:
    path = tmp_path / "scale.csv"
    path.write_text(TEXT)
    code, out, err = run(capsys, "raters", str(path), *more)
    assert (code, out) == (2, "")
    assert "are numbers. Confirm them as classes" in err


def test_words_need_their_order_at_any_level(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "words.csv"
    path.write_text(TEXT.replace(",1\n", ",poor\n").replace(",2\n", ",fair\n").replace(",3\n", ",fine\n"))
    code, out, err = run(capsys, "raters", str(path), "--level", "ordinal")
    assert (code, out) == (2, "")
    assert "poor" in err
