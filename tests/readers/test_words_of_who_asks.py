"""A refusal names its mend in the words of who asks, and never half of it."""

from __future__ import annotations

import shlex
from collections.abc import Callable

import pytest

import metrics
from metrics.asker import Asker, answering
from metrics.commands.options import pairs_of

MANY = [f"a rather long name of a column, number {n}" for n in range(40)]
FILES: dict[str, bytes] = {
    "guessed": b"id,human_label,judge_label\na,yes,no\nb,no,no\nc,yes,yes\n",
    "labels": b"item,human,verdict\na,blue,green\nb,green,red\nc,red,blue\n",
    "numbers": b"item,human,verdict\na,1,2\nb,2,3\nc,3,3\n",
    "role": b"item,rater,role,label\na,ana,boss,pass\na,gpt,judge,fail\n",
    "ragged": b"item,human,verdict\na,yes,no\nb,no\n",
    "nul": b"item,human,verdict\na,yes,no\x00\n",
    "nothing": b"x,y\n1.5,some text\n2.5,another text\n3.5,more text\n",
    "record": b'{"item": "a", "human": "yes", "verdict": "no"}\n{"item"\n{"item": "b", "human": "no", "verdict": "no"}\n',
}


def refused(data: bytes, asker: Asker) -> metrics.InputError:
    with answering(asker), pytest.raises(metrics.InputError) as caught:
        metrics.read(data)
    return caught.value


@pytest.mark.parametrize("name", FILES)
def test_python_is_told_keywords_and_a_page_neither(name: str) -> None:
    with pytest.raises(metrics.InputError) as plain:
        metrics.read(FILES[name])
    assert str(plain.value) == str(refused(FILES[name], "python"))
    command, python, page = (str(refused(FILES[name], asker)) for asker in ("command", "python", "page"))
    assert "--" in command
    assert "--" not in python
    assert "=" in python
    assert "--" not in page
    assert "=" not in page


def keywords(text: str) -> dict[str, object]:
    """What Python makes of the keywords of a suggestion."""
    taken: dict[str, object] = eval(f"dict({text})", {"dict": dict})
    return taken


@pytest.mark.parametrize("name", ["guessed", "labels"])
def test_the_line_can_be_used_as_it_stands(name: str) -> None:
    suggested = keywords(str(refused(FILES[name], "python")).split("If this is right: ")[1])
    assert metrics.read(FILES[name], **suggested).n_items == 3  # type: ignore[arg-type]
    flag, value = shlex.split(str(refused(FILES[name], "command")).split("If this is right: ")[1])
    assert suggested == {flag.removeprefix("--"): pairs_of([value], flag)}


def wide(names: list[str]) -> bytes:
    rows = [
        ["item", *names],
        *([f"i{n}", *("yes" if (n + place) % 3 else "no" for place in range(len(names)))] for n in range(6)),
    ]
    return "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows).encode()


def long(names: list[str]) -> bytes:
    rows = [["item", "rater", "role", "label"], *([f"i{n}", name, f"is {name}", "yes"] for n in range(2) for name in names)]
    return "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows).encode()


def classes(names: list[str]) -> bytes:
    rows = [["item", "human", "verdict"], *([f"i{place}", name, name] for place, name in enumerate(names))]
    return "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows).encode()


@pytest.mark.parametrize("make", [wide, long, classes])
@pytest.mark.parametrize("asker", ["command", "python"])
def test_a_line_that_does_not_fit_says_how_much_more(make: Callable[[list[str]], bytes], asker: Asker) -> None:
    message = str(refused(make(MANY), asker))
    assert len(message) <= 1000
    assert "more parts" in message
    option = {wide: "--columns ", long: "--roles ", classes: "--labels "}[make] if asker == "command" else "={"
    said = message.rsplit(option, 1)[1].rsplit(" and ", 1)[0]
    if asker == "python":
        shown = keywords(f"x={{{said}")["x"]
    else:
        (text,) = shlex.split(said)
        shown = pairs_of([text], option)
    assert isinstance(shown, dict)
    assert shown
    assert len(shown) + int(message.rsplit(" more parts", 1)[0].rsplit(" and ", 1)[1]) == len(MANY)


def test_a_line_that_fits_is_whole() -> None:
    for asker in ("command", "python"):
        assert "more part" not in str(refused(wide(MANY[:3]), asker))  # type: ignore[arg-type]
