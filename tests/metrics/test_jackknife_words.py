"""What the jackknife leaves out is named as it is: items, or decisions where the file has no items."""

from __future__ import annotations

import pytest

import metrics
from metrics.analyses.provenance import jackknife_words
from metrics.commands.cli import main
from tests.conftest import paired


@pytest.mark.parametrize("has_items", [False, True])
def test_a_table_of_counts_leaves_out_decisions(has_items: bool, tmp_path, capsys) -> None:
    path = tmp_path / "file.csv"
    if has_items:
        rows = [f"i{i},{'MET' if i % 2 else 'UNMET'},{'MET' if i % 3 else 'UNMET'}" for i in range(60)]
        path.write_text("\n".join(["item_id,human,verdict", *rows]), encoding="utf-8")
    else:
        path.write_text("human \\ judge,MET,UNMET\nMET,30,12\nUNMET,9,31\n", encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        main(["agreement", str(path), "--interval", "jackknife"])
    assert not stopped.value.code
    told = capsys.readouterr().out
    assert ("item jackknife" in told) == has_items
    assert ("decision jackknife" in told) == (not has_items)


def test_items_are_left_out_where_there_are_any() -> None:
    report = metrics.agreement(paired([["MET"], ["UNMET"], ["MET"]], [["MET"], ["UNMET"], ["UNMET"]]))
    assert jackknife_words(report.declaration) == "item jackknife"
