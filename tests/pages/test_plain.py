from __future__ import annotations

import pytest

from pages.shared.plain import code, escape, sentence
from tests.pages.seen import text_of

HOSTILE = [
    "<img src=x onerror=alert(1)>", "**b**", "$x$", ":smile:", "[a](http://x)", "`c`", "# h", "- l", "http://x.org", "www.x.org",
    "a@b.org", ":red[x]", ":material/home:", "a -> b", "1 <= 2", "~~s~~", "a_b_c", "![i](x)", "| a |", "&amp;", "\\", "a--b",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_escaped_text_keeps_no_markup(text):
    shown = escape(text)
    bare = shown.replace("\\" + "\\", "")
    for mark in "*_`$[]<>#~|&!":
        assert bare.count(mark) == bare.count("\\" + mark)
    assert shown.replace("\u2060", "").replace("\\", "") == text.replace("\\", "")


@pytest.mark.parametrize("text", [":smile:", ":red[x]", ":material/home:", "http://x.org", "www.x.org", "a@b.org", "a->b"])
def test_what_is_replaced_after_escapes_is_split(text):
    assert "\u2060" in escape(text)


def test_code_holds_backticks():
    assert code("a`b``c") == "``` a`b``c ```"
    assert code("") == ""


def test_a_sentence_shows_the_names_it_quotes_as_typed():
    assert sentence("Column ‘label’ appears twice.") == "Column ‘label’ appears twice\\."
    assert sentence("‘**b**’") == "‘\\*\\*b\\*\\*’"


def test_hostile_names_reach_the_page_escaped(visit):
    rows = ["item,criterion,judge,human,verdict,note"]
    for place, name in enumerate(HOSTILE):
        quoted = name.replace('"', '""')
        for item, (human, verdict) in enumerate((("yes", "yes"), ("no", "no"), ("yes", "no"), ("no", "yes"), ("no", "no"))):
            rows.append(f'"{quoted}{item}","{quoted}","j {quoted if place < 3 else ""}",{human},{verdict},"{quoted}"')
    data = "\n".join(rows).encode()
    app = visit("pages/data/data.py")
    app.file_uploader(key="data.upload").upload("**f** :smile:.csv", data, "text/csv").run()
    app.button(key="data.use").click().run()
    assert not app.exception
    app.switch_page("pages/judge/agreement.py").run()
    assert not app.exception
    app.selectbox(key="agreement.criterion").set_value("**b**").run()
    assert not app.exception
    assert "<img" not in text_of(app).replace("\\<img", "")
    assert "**b**" not in text_of(app)
