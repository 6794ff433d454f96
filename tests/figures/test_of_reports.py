"""What a report shows of itself where it is typed: ten lines, named figures, and one of them as SVG."""

from __future__ import annotations

import dataclasses
import re
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest

import metrics
from metrics.analyses.disagreements.lists import disagreement_lists
from metrics.figures import of_reports
from metrics.figures.svg import svg_of
from metrics.readers.in_memory import ratings_from
from metrics.results.report import Report
from tests.pages.test_margins_and_labels import unlabelled_file
from tests.report.conftest import ratings_named
from tests.roc.test_two_judges import drawn, numbers

MANY = "support_answers.csv"
MAKES = {
    "agreement": lambda: metrics.agreement(ratings_named(MANY)),
    "one judge": lambda: metrics.agreement(ratings_named(MANY), judges=["strict"]),
    "one criterion": lambda: metrics.agreement([1, 0, 1, 1], [1, 0, 0, 1]),
    "as category": lambda: metrics.agreement(ratings_named(MANY), abstention="as_category"),
    "ordered": lambda: metrics.agreement([1, 2, 3, 3, 2], [1, 2, 2, 3, 1]),
    "undefined": lambda: metrics.agreement([1, 1], [1, 1]),
    "without intervals": lambda: metrics.agreement(ratings_named(MANY), interval="none"),
    "overview": lambda: metrics.overview(ratings_named(MANY)),
    "people": lambda: metrics.overview(ratings_named("humans")),
    "comparison": lambda: metrics.compare(ratings_named(MANY), "strict", "lenient"),
    "forest": lambda: metrics.compare_all(ratings_named(MANY)),
    "raters": lambda: metrics.raters(ratings_named(MANY)),
    "scores": lambda: metrics.scores(ratings_from([1, 2, 3, 3, 2], [1, 2, 2, 3, 1])),
    "import": lambda: metrics.import_report(ratings_named(MANY)),
    "item scores": lambda: metrics.item_scores(ratings_named(MANY)),
    "roc": lambda: metrics.roc(ratings_named(MANY)),
    "slices": lambda: metrics.slices(ratings_named(MANY), "length(answer)"),
    "search": lambda: metrics.slices(ratings_named(MANY), find=True),
    "biases": lambda: metrics.biases(ratings_named(MANY)),
    "simulation": lambda: metrics.select_judge(scenarios=50),
    "two scores": lambda: metrics.compare_scores(numbers(*drawn(1, 60)), "A", "B", "pearson"),
    "disagreements": lambda: disagreement_lists(ratings_named(MANY)),
    "labels": lambda: metrics.label_next(metrics.read(unlabelled_file()), 40),
}
FIRST = {
    "agreement": "judges", "one judge": "criteria", "one criterion": "confusion", "as category": "judges", "ordered": "confusion",
    "undefined": "confusion", "without intervals": "judges", "overview": "judges",
    "comparison": "difference", "forest": "forest", "raters": "criteria", "scores": "criteria",
    "slices": "groups", "roc": "roc",
}  # fmt: skip
"""The headline figure of each; the others have tables alone."""


@cache
def made(name: str) -> Report:
    return MAKES[name]()


def test_every_class_of_reports_is_here() -> None:
    assert {type(made(name)) for name in MAKES} == {
        kind for kind in Report.__subclasses__() if kind.__module__.startswith("metrics.")
    }


@pytest.mark.parametrize("name", MAKES)
def test_typed_alone_it_has_ten_lines_at_most(name: str) -> None:
    lines = repr(made(name)).split("\n")
    assert 3 <= len(lines) <= 10
    assert max(map(len, lines)) <= 120
    assert lines[0] == type(made(name)).__name__
    assert lines[-1].strip() == "Everything: print(report.summary())"
    assert all(line.strip() for line in lines)


@pytest.mark.parametrize("judge", ["strict", "lenient", "cautious"])
def test_the_line_of_a_judge_has_its_numbers_with_their_intervals(judge: str) -> None:
    (line,) = [line for line in repr(made("agreement")).split("\n") if line.strip().startswith(judge)]
    block = made("agreement").judges[judge].micro
    assert f"κ {block['kappa'].value:.2f} [{block['kappa'].ends[0]:.2f}, {block['kappa'].ends[1]:.2f}]" in line
    assert "n = " in line
    assert "accuracy" in line


@pytest.mark.parametrize("name", MAKES)
def test_named_figures_are_drawn_in_both_themes(name: str) -> None:
    report = made(name)
    assert (report.figures() or ("",))[0] == FIRST.get(name, "")
    for figure in report.figures():
        for theme in ("light", "dark"):
            drawn = report.plot(figure, theme=theme)
            assert isinstance(drawn, go.Figure)
            assert drawn.to_plotly_json()["data"]
    if report.figures():
        assert report.plot().to_json() == report.plot(report.figures()[0]).to_json()


@pytest.mark.parametrize("name", [name for name in MAKES if name not in FIRST])
def test_without_figures_it_says_so(name: str) -> None:
    with pytest.raises(metrics.InputError, match="has no figure"):
        made(name).plot()
    assert "<svg" not in made(name)._repr_html_()


def test_other_names_are_refused_with_those_there_are() -> None:
    for said, words in (("x", "judges, criteria and confusion"), ("difference", "no figure 'difference'")):
        with pytest.raises(metrics.InputError, match=words):
            made("agreement").plot(said)
    with pytest.raises(metrics.InputError, match="strict, lenient and cautious"):
        made("agreement").plot(judge="nobody")
    with pytest.raises(metrics.InputError, match="light, dark"):
        made("agreement").plot(theme="blue")


def test_the_figures_of_a_judge_are_those_of_a_report_on_it() -> None:
    report = made("agreement")
    assert report.figures(judge="strict") == made("one judge").figures() == ("criteria", "confusion")
    for name in report.figures(judge="strict"):
        assert report.plot(name, judge="strict").to_json() == made("one judge").plot(name).to_json()


def test_a_figure_of_two_axes_is_drawn_by_plotly_alone() -> None:
    assert of_reports.headline_of(made("roc")) == ("", "")
    assert "<svg" not in made("roc")._repr_html_()


@pytest.mark.parametrize("name", [name for name in FIRST if name != "roc"])
def test_the_headline_figure_is_a_drawing_without_a_script(name: str) -> None:
    title, svg = of_reports.headline_of(made(name))
    root = ElementTree.fromstring(svg)
    assert title
    assert title in made(name)._repr_html_()
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"]
    assert "nan" not in re.sub(r"[^a-z0-9.=\" ]", "", svg).replace('"', " ").split()
    width, height = (float(root.attrib[side]) for side in ("width", "height"))
    for element in root.iter():
        for key, most in (("x", width), ("y", height), ("x1", width), ("y1", height)):
            assert -20 <= float(element.attrib.get(key, 0)) <= most


def test_dots_stand_where_the_values_are() -> None:
    report = made("agreement")
    root = ElementTree.fromstring(of_reports.headline_of(report)[1])
    dots = [float(element.attrib["cx"]) for element in root.iter() if element.tag.endswith("circle")]
    values = [judge.micro["kappa"].value for judge in report.judges.values()]
    assert len(dots) == len(values)
    steps = [(b - a) / (w - v) for (a, b), (v, w) in zip(pairwise(dots), pairwise(values), strict=True)]
    assert steps[0] == pytest.approx(steps[1], rel=0.02)
    assert steps[0] > 0


def test_the_areas_of_a_mosaic_are_its_counts() -> None:
    root = ElementTree.fromstring(of_reports.headline_of(made("one criterion"))[1])
    boxes = [element for element in root.iter() if element.tag.endswith("rect") and element.attrib.get("stroke")]
    areas = sorted(float(box.attrib["width"]) * float(box.attrib["height"]) for box in boxes)
    shares = [area / sum(areas) for area in areas if area > 1]
    assert shares == pytest.approx([0.25, 0.25, 0.5], abs=0.02)
    texts = "".join(element.text or "" for element in root.iter() if element.tag.endswith("tspan"))
    assert "both say 1" in texts


def test_names_of_a_file_are_texts() -> None:
    name = "<script>alert(1)</script> & \"'"
    rows = "\n".join(f'{n},"{name.replace(chr(34), chr(34) * 2)}{k}",{n % 2},{n % 3 > 0}' for n in range(9) for k in range(2))
    report = metrics.agreement(
        metrics.read(f"item,judge,human,verdict\n{rows}".replace("True", "1").replace("False", "0").encode())
    )
    _, svg = of_reports.headline_of(report)
    assert "<script" not in svg
    assert ElementTree.fromstring(svg) is not None


def test_a_drawing_stands_on_a_ground_of_its_own() -> None:
    named = of_reports.figures_of(made("agreement"))["judges"]
    first = ElementTree.fromstring(svg_of(named.draw(theme="light"), named.alt))[0]
    assert first.attrib["fill"] == "#FFFFFF"
    assert dataclasses.is_dataclass(named)


def test_ratings_and_a_judge_typed_alone_are_a_few_lines() -> None:
    shown = repr(metrics.read(f"assets/{MANY}")).split("\n")
    assert len(shown) == 3
    assert shown[0].startswith("Ratings of support_answers.csv: 5\u202f066 ratings of 226 items on 5 criteria")
    assert "ana (human)" in shown[1]
    assert "5\u202f066 of 5\u202f066 rows used, 0 left out" in shown[2]
    assert repr(made("agreement").judges["strict"]).startswith(
        "JudgeReport of strict: κ 0.67 [0.62, 0.71] on 1\u202f058 decisions"
    )
