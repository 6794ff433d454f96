"""One of a thing is written as one."""

from __future__ import annotations

import re

import pytest

import metrics
from metrics.analyses.agreement.tables import summary
from metrics.report.making import report_of
from metrics.report.writing import write

ONE_OF_MANY = re.compile(
    r"(?<![\d.,\u202f+−-])\b1[ \u00a0](decisions|items|criteria|judges|raters|humans|labels|verdicts|errors|pairs|rows|points)\b"
)
HEAD = "item,criterion,judge,human,verdict\n"
LONG = "item,criterion,rater,role,label\n"
FILES = {
    "one decision": HEAD + "i0,c0,j,MET,MET\n",
    "two items, one of them answered": HEAD + "i0,c0,j,MET,MET\ni1,c0,j,UNMET,CANNOT_ASSESS\n",
    "one item, two criteria": HEAD + "i0,c0,j,MET,MET\ni0,c1,j,UNMET,MET\n",
    "two judges": HEAD + "i0,c0,j,MET,UNMET\ni0,c0,k,MET,MET\ni1,c0,j,UNMET,UNMET\n",
    "three people": LONG
    + "".join(
        f"i{n},c0,{who},{role},{'MET' if n else 'UNMET'}\n"
        for n in (0, 1)
        for who, role in (("a", "human"), ("b", "human"), ("c", "human"), ("j", "judge"))
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_one_is_one(name: str) -> None:
    ratings = metrics.read(FILES[name].encode())
    text = [summary(metrics.agreement(ratings)), write(report_of(ratings), ".md").decode()]
    text += [metrics.raters(ratings).summary()] if len(ratings.humans) > 1 else []
    text += [metrics.roc(ratings, holding_out="none").summary(), metrics.scores(ratings).summary()]
    for one in text:
        assert not (found := ONE_OF_MANY.search(one)), one[max(0, found.start() - 80) : found.end() + 40]  # type: ignore[union-attr]


def test_what_is_many_stays_many() -> None:
    assert ONE_OF_MANY.search("1 decisions on 1 items")
    assert not ONE_OF_MANY.search("1 decision on 1 item, 11 items, 0.1 points")
    report = metrics.agreement(metrics.read(FILES["one item, two criteria"].encode()))
    assert "2 decisions on 1 item" in summary(report)
