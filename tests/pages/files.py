"""Two files of one judge each, opened as a visitor would."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

DATA = "pages/data/data.py"
FIRST = b"item,criterion,judge,human,verdict,note\n" + b"".join(
    f"q{i},tone,old,{('MET', 'UNMET')[i % 2]},{('MET', 'UNMET')[i % 3 == 0]},note {i}\n".encode() for i in range(12)
)
SECOND = FIRST.replace(b",old,", b",new,").replace(b"q11,", b"q99,")


def upload(app: AppTest, name: str, data: bytes) -> AppTest:
    """A file confirmed on the page Data."""
    app.file_uploader(key="data.upload").upload(name, data, "text/csv").run()
    app.button(key="data.use").click().run()
    assert not app.exception
    return app


def uploaded(app: AppTest, name: str, data: bytes) -> AppTest:
    """As `upload`, and back to the page Data from the overview that opens then."""
    return upload(app, name, data).switch_page(DATA).run()


def second(app: AppTest, name: str, data: bytes) -> AppTest:
    """A file dropped in on Compare judges."""
    app.file_uploader(key="compare.second").upload(name, data, "text/csv").run()
    assert not app.exception
    return app


def several(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Files dropped in together on the page Data, not confirmed."""
    app.file_uploader(key="data.upload").set_value([(name, data, "text/plain") for name, data in files]).run()
    assert not app.exception
    return app


def use(app: AppTest) -> AppTest:
    """What was dropped in, confirmed as it is proposed."""
    app.button(key="data.use").click().run()
    assert not app.exception
    return app


def used(app: AppTest) -> AppTest:
    """As `use`, and back to the page Data from the overview that opens then."""
    return use(app).switch_page(DATA).run()
