"""Hostile files and links through the page: a sentence, what was open stays, and another session notices nothing."""

from __future__ import annotations

import gzip
import io
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq

from pages.shared import uploads
from tests.pages.seen import numbers_of, text_of
from tests.pages.test_data_page import AGREEMENT, DATA, PAIRS, upload, used


def _bombs() -> dict[str, bytes]:
    packed, columns = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/worksheets/sheet1.xml", b" " * (30 << 20))
    pq.write_table(pa.table([pa.array(["a"])] * 17_000, names=[str(n) for n in range(17_000)]), columns)
    return {
        "../../<b>bomb</b>.csv.gz": gzip.compress(b"item,human,verdict\n" + b"a,MET,MET\n" * 2_000_000),
        "C:\\[x](http://x.example).xlsx": packed.getvalue(),
        "\u202ewide.parquet": columns.getvalue(),
        "deep\n# big.json": b"[" * 1_000_000,
        "=cmd.jsonl": b'{"item": "' + b"x" * (9 << 20) + b'"}\n{}',
    }


def test_bombs(visit, monkeypatch) -> None:
    small = uploads.Limits(unpacked=18 << 20)
    monkeypatch.setattr(uploads, "limits", lambda: small)
    other = used(upload(visit(DATA), "labels.csv", PAIRS))
    app = used(upload(visit(DATA), "labels.csv", PAIRS))
    said = []
    for name, data in _bombs().items():
        upload(app, name, data)
        said.append(app.error[0].value)
        assert "<b>" not in said[-1]
        assert "](http" not in said[-1]
        assert "\u202e" not in said[-1]
        assert "Still showing labels" in said[-1]
    assert len(set(said)) == len(said)
    app.switch_page(AGREEMENT).run()
    assert numbers_of(app)["Cohen’s κ"] == "0.40"
    other.switch_page(AGREEMENT).run()
    assert not other.error
    assert numbers_of(other)["Cohen’s κ"] == "0.40"


def test_links_with_junk(visit) -> None:
    keys = "judge reference mode level rule threshold unit confidence interval view panel panel_of scale unclear cost"
    junk = ("x" * 20_000, "<script>alert(1)</script>", "\u202e\n=1+1", "1e999", "-99999999999999999999", "[1,2]", "nan", "%00")
    for text in junk[:3]:
        app = visit(AGREEMENT, **dict.fromkeys(keys.split(), text))
        assert "<script>" not in text_of(app)
    for text in junk[3:]:
        visit(None, **dict.fromkeys(keys.split(), text))
    visit(AGREEMENT, data="../../etc/passwd")
