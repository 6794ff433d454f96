"""`compare` and `--fail-under` as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import metrics
from metrics.commands.cli import main
from tests.shared_data import data


def call(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def frame(judges: dict[str, int], n: int = 60) -> pd.DataFrame:
    """Judges that are wrong on every so-manieth item."""
    human = ["MET" if i % 2 else "UNMET" for i in range(n)]
    other = {"MET": "UNMET", "UNMET": "MET"}
    return pd.DataFrame(
        [
            {
                "item": i,
                "criterion": "c1",
                "judge": name,
                "human": human[i],
                "verdict": other[human[i]] if i % every == 0 else human[i],
            }
            for name, every in judges.items()
            for i in range(n)
        ]
    )


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    frame({"good": 20, "poor": 3}).to_csv(path, index=False)
    return path


@pytest.fixture
def many(tmp_path: Path) -> Path:
    path = tmp_path / "many.csv"
    frame({"good": 20, "poor": 3, "fair": 7}).to_csv(path, index=False)
    return path


def test_two_judges_of_one_file_need_no_names(capsys, labels) -> None:
    code, out, err = call(capsys, "compare", labels, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["a"]["name"], found["b"]["name"]) == ("good", "poor")
    assert found == json.loads(json.dumps(metrics.compare(metrics.read(labels), "good", "poor", rng=0).to_dict()))


def test_summary_says_who_wins(capsys, labels) -> None:
    code, out, _ = call(capsys, "compare", labels, "--a", "poor")
    assert code == 0
    assert "good beats poor by" in out
    assert "McNemar exact" in out


def test_options_reach_the_comparison(capsys, many) -> None:
    args = ("--a", "poor", "--b", "fair", "--metric", "accuracy", "--level", "item", "--replicates", 50, "--confidence", 0.9)
    found = json.loads(call(capsys, "compare", many, *args, "--seed", 5, "--json")[1])
    same = metrics.compare(
        metrics.read(many), "poor", "fair", "accuracy", level="item", replicates=50, confidence=0.9, rng=5
    )  # fmt: skip
    assert found == json.loads(json.dumps(same.to_dict()))


def test_every_judge_against_one(capsys, many) -> None:
    found = json.loads(call(capsys, "compare", many, "--baseline", "fair", "--json")[1])
    assert [row["b"] for row in found["judges"]] == ["good", "poor"]
    assert not found["baseline_is_best_of_these_data"]
    code, out, _ = call(capsys, "compare", many, "--baseline", "best")
    assert code == 0
    assert "good was chosen as the best on the same data" in out


def test_one_criterion_of_two_files(capsys, tmp_path) -> None:
    for name, every in (("v1", 3), ("v2", 20)):
        both = [frame({"gpt": every}), frame({"gpt": 2}).assign(criterion="c2")]
        pd.concat(both).to_csv(tmp_path / f"{name}.csv", index=False)
    found = json.loads(call(capsys, "compare", tmp_path / "v1.csv", tmp_path / "v2.csv", "--criteria", "c1", "--json")[1])
    alone = metrics.agreement(metrics.read(tmp_path / "v1.csv").on_criteria(["c1"]), interval="none")
    assert (found["n_items"], found["a"]["n_only"]) == (60, 0)
    assert found["a"]["value"] == pytest.approx(alone.judges["gpt"].micro.values["kappa"])


def test_two_files_are_joined(capsys, tmp_path) -> None:
    for name, every, keep in (("v1", 3, 60), ("v2", 20, 50)):
        frame({"gpt": every})[:keep].to_csv(tmp_path / f"{name}.csv", index=False)
    code, out, _ = call(capsys, "compare", tmp_path / "v1.csv", tmp_path / "v2.csv")
    assert code == 0
    assert "v2 beats v1 by" in out
    assert "10 ratings of v1.csv stand on decisions without one in the other file." in out
    found = json.loads(call(capsys, "compare", tmp_path / "v1.csv", tmp_path / "v2.csv", "--json")[1])
    assert found["unmatched_rows"] == {"v1.csv": 10}
    assert (found["n_items"], found["a"]["n_only"]) == (50, 10)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "Name two with --a and --b"),
        (["--a", "good"], "Name two"),
        (["--a", "good", "--b", "good"], "itself"),
        (["--a", "good", "--b", "nobody"], "nobody"),
        (["--a", "good", "--baseline", "best"], "Leave out"),
        (["--judges", "good"], "--baseline"),
        (["--a", "good", "--b", "poor", "--metric", "mood"], "mood"),
        (["--a", "good", "--b", "poor", "--level", "nano"], "nano"),
        (["--a", "good", "--b", "poor", "--seed", "-1"], "seed"),
        (["nofile.csv"], "nofile.csv"),
    ],
)
def test_a_mistake_is_one_message_and_exit_code_two(capsys, many, args, said) -> None:
    code, out, err = call(capsys, "compare", many, *args, "--json")
    assert (code, out) == (2, "")
    assert said in err
    assert len(err) <= 1001


def test_a_floor_that_holds_is_silent(capsys, labels) -> None:
    code, out, err = call(
        capsys, "agreement", labels, "--judges", "good", "--fail-under", "kappa=0.6", "--fail-under", "macro.f1=.5"
    )
    assert (code, err) == (0, "")
    assert "good" in out


def test_a_floor_looks_at_the_lower_end(capsys, labels) -> None:
    report = metrics.agreement(metrics.read(labels)).judges["good"]
    low, value = report.micro["kappa"].ends[0], report.micro.values["kappa"]
    between = (low + value) / 2
    assert call(capsys, "agreement", labels, "--judges", "good", "--fail-under", f"kappa={low}")[0] == 0
    code, out, err = call(capsys, "agreement", labels, "--judges", "good", "--fail-under", f"kappa={between}", "--json")
    assert code == 1
    assert json.loads(out)["judges"]["good"]
    assert err.startswith("good: micro kappa is 0.900, the lower end of its interval")


def test_any_judge_below_any_floor_fails(capsys, labels) -> None:
    code, _, err = call(capsys, "agreement", labels, "--fail-under", "kappa=0.6", "--fail-under", "item.accuracy=0.99")
    assert code == 1
    assert [line.split(" is ")[0] for line in err.splitlines()] == [
        "poor: micro kappa", "good: item accuracy", "poor: item accuracy"
    ]  # fmt: skip


def test_an_undefined_value_fails(capsys, tmp_path) -> None:
    path = tmp_path / "one_label.csv"
    frame({"j": 99})[1::2].to_csv(path, index=False)
    code, _, err = call(capsys, "agreement", path, "--labels", "UNMET=negative", "--fail-under", "kappa=-1")
    assert code == 1
    assert "is undefined (both sides give only MET)" in err
    code, _, err = call(capsys, "agreement", path, "--labels", "UNMET=negative", "--fail-under", "baseline_accuracy=.1")
    assert code == 1
    assert "has no interval" in err


@pytest.mark.parametrize(
    ("floor", "said"),
    [("kappa", "no “=”"), ("kapa=0.6", "kapa"), ("nano.kappa=0.6", "nano"), ("kappa=high", "high"), ("kappa=nan", "nan"),
     ("kappa=inf", "inf"), ("fnr=0.1", "less fnr is better. State the least recall"), ("macro.fpr=0.1", "specificity=0.9"),
     ("macro.kappa_within=0.5", "not computed"), (".kappa=0.5", "unknown level")],
)  # fmt: skip
def test_a_floor_that_cannot_be_read_is_exit_code_two(capsys, labels, floor, said) -> None:
    code, out, err = call(capsys, "agreement", labels, "--fail-under", floor)
    assert (code, out) == (2, "")
    assert said in err


def test_a_floor_without_intervals_is_exit_code_two(capsys, labels) -> None:
    code, out, err = call(capsys, "agreement", labels, "--fail-under", "kappa=0.1", "--interval", "none")
    assert (code, out) == (2, "")
    assert "--interval none" in err


@pytest.mark.slow("compares 65 judges")
def test_real_tables(capsys) -> None:
    file, labels = data("llmbar_natural.csv"), ("--labels", "output_1=positive,output_2=negative")
    found = json.loads(call(capsys, "compare", file, *labels, "--baseline", "best", "--replicates", 500, "--json")[1])
    assert len(found["judges"]) == 64
    assert all(row["p_holm"] >= row["p"] for row in found["judges"])
    pair = ("--a", "gpt-3.5-turbo", "--b", "pandalm-7b", "--replicates", 500, "--json")
    one = json.loads(call(capsys, "compare", data("pandalm_pairwise.csv"), "--labels", "1=positive,2=negative,tie=tie", *pair)[1])
    assert one["interval"][0] < one["difference"] < one["interval"][1]
    assert sum(one["outcomes"].values()) == one["n_shared"]


@pytest.mark.parametrize(("margin", "code"), [("0.3", 0), ("0.01", 1)])
def test_a_margin_that_does_not_hold_ends_with_1(capsys, tmp_path, margin, code) -> None:
    rows = ["item,human,judge,verdict"]
    for i in range(200):
        human = "yes" if i % 2 else "no"
        wrong = "no" if human == "yes" else "yes"
        rows += [f"q{i},{human},a,{wrong if i % 10 == 0 else human}", f"q{i},{human},b,{wrong if i % 9 == 0 else human}"]
    (tmp_path / "two.csv").write_text("\n".join(rows))
    done, out, _ = call(capsys, "compare", tmp_path / "two.csv", "--a", "a", "--b", "b", "--margin", margin)
    assert done == code
    assert "margin" in out


@pytest.mark.parametrize(("margin", "code"), [("0.3", 0), ("0.01", 1)])
@pytest.mark.parametrize(
    "more", [("--baseline", "a"), ("--baseline", "a", "--by", "half"), ("--a", "a", "--b", "b", "--by", "half")]
)
def test_a_margin_is_asked_of_every_judge_and_of_the_whole(capsys, tmp_path, more, margin, code) -> None:
    rows = ["item,half,human,judge,verdict"]
    for i in range(200):
        human, wrong = ("yes", "no") if i % 2 else ("no", "yes")
        for judge, every in (("a", 10), ("b", 9), ("c", 9))[: 2 if "--b" in more else 3]:
            rows.append(f"q{i},{i // 100},{human},{judge},{wrong if i % every == 0 else human}")
    (tmp_path / "three.csv").write_text("\n".join(rows))
    assert call(capsys, "compare", tmp_path / "three.csv", *more)[0] == 0
    done, out, _ = call(capsys, "compare", tmp_path / "three.csv", *more, "--margin", margin, "--json")
    assert done == code
    judges = json.loads(out).get("judges") or [json.loads(out)]
    assert all(one["margin"]["holds"] for one in judges) == (not code)


def test_judges_that_say_the_same_as_the_baseline_are_no_worse(capsys, tmp_path) -> None:
    """As the comparison of two says too: so many items would have shown a change as large as the margin."""
    frame({"a": 10, "b": 10, "c": 10}, 400).to_csv(tmp_path / "same.csv", index=False)
    code, out, _ = call(capsys, "compare", tmp_path / "same.csv", "--baseline", "a", "--margin", "0.05", "--json")
    found = json.loads(out)
    assert code == 0
    assert "b, c are non-inferior to a" in found["reading"]
    assert all(0 < one["margin"]["p"] < one["margin"]["p_holm"] < 0.025 for one in found["judges"])
    alone = ("compare", tmp_path / "same.csv", "--a", "a", "--b", "b", "--margin", "0.05", "--json")
    assert json.loads(call(capsys, *alone)[1])["margin"]["p"] == found["judges"][0]["margin"]["p"]


def test_a_floor_that_is_not_reached_says_how_many_items_would_show_it(capsys, labels) -> None:
    report = metrics.agreement(metrics.read(labels)).judges["good"]
    needed = metrics.plan_floor(report, "kappa", 0.8).needed.n
    code, _, err = call(capsys, "agreement", labels, "--judges", "good", "--fail-under", "kappa=0.8")
    assert (code, needed) == (1, 257)
    assert "About 260 items in all would show that kappa reaches 0.8, with 80\u00a0% power, if kappa stays 0.900;" in err
    assert err.endswith("; there are 60 now.\n")
    for floor in ("kappa=0.95", "accuracy=1"):  # the value is below the floor, and a floor at the end of the range
        err = call(capsys, "agreement", labels, "--judges", "good", "--fail-under", floor)[2]
        assert "would show" not in err
        assert err.count("\n") == 1


def test_a_floor_counts_the_groups_that_intervals_leave_out(capsys, tmp_path) -> None:
    table = frame({"good": 20}, 400)
    table.assign(topic=table["item"] % 40 // 2).to_csv(tmp_path / "groups.csv", index=False)
    err = call(capsys, "agreement", tmp_path / "groups.csv", "--unit", "topic", "--fail-under", "kappa=0.89")[2]
    assert "groups by ‘topic’ in all would show" in err
    assert err.endswith("; there are 20 now.\n")
