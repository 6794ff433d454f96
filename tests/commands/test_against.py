"""The gate against an earlier report: its exit codes, the difference it goes by, and the summary."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.analyses.comparison.margin import unseen_change
from metrics.commands.cli import main
from metrics.measures.catalogue import BY_KEY, CATALOGUE

N = 200


def labels(slip: float, *, seed: int, judge: str = "gpt", n: int = N, of_human: int = 0, first: int = 0) -> str:
    """The same human labels for the same items; the judge slips at a rate."""
    human, rng = np.random.default_rng(of_human), np.random.default_rng(seed)
    rows = ["item,judge,human,verdict"]
    for i, met in enumerate(human.random(n) < 0.5):
        said = met ^ (rng.random() < slip)
        rows.append(f"q{first + i},{judge},{'yes' if met else 'no'},{'yes' if said else 'no'}")
    return "\n".join(rows)


@dataclass(frozen=True)
class Done:
    exit_code: int
    stdout: str
    stderr: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def started(*arguments: str) -> Done:
        with pytest.raises(SystemExit) as stop:
            main(["agreement", *arguments])
        return Done(int(stop.value.code or 0), *capsys.readouterr())

    return started


def reported(run, path: Path, text: str, *options: str) -> Path:
    """A file of labels and its report beside it."""
    path.write_text(text)
    done = run(str(path), "--json", *options)
    assert done.exit_code == 0, done.stderr
    target = path.with_suffix(".json")
    target.write_text(done.stdout)
    return target


def test_the_same_file_is_no_worse_than_itself(run, tmp_path: Path) -> None:
    report = reported(run, tmp_path / "old.csv", labels(0.1, seed=1))
    done = run(str(tmp_path / "old.csv"), "--against", str(report))
    assert done.exit_code == 0
    assert "is no worse by more than a margin of 0" in done.stderr


@pytest.mark.parametrize("kept", [True, False])
def test_a_worse_judge_ends_with_1_whether_or_not_its_labels_are_found(run, tmp_path: Path, kept: bool) -> None:
    report = reported(run, tmp_path / "old.csv", labels(0.05, seed=1))
    new = tmp_path / "new.csv"
    new.write_text(labels(0.35, seed=2))
    if not kept:
        (tmp_path / "old.csv").unlink()
    done = run(str(new), "--against", str(report))
    assert done.exit_code == 1
    assert "is worse by more than a margin of 0" in done.stderr
    assert ("paired on the decisions of both" in done.stderr) is kept
    assert ("of two independent intervals" in done.stderr) is not kept
    assert ("Keep the earlier labels beside the report" in done.stderr) is not kept


def test_a_margin_that_the_interval_stays_within_holds(run, tmp_path: Path) -> None:
    report = reported(run, tmp_path / "old.csv", labels(0.10, seed=1, n=2000))
    new = tmp_path / "new.csv"
    new.write_text(labels(0.11, seed=2, n=2000))
    assert run(str(new), "--against", str(report), "--margin", "kappa=0.15").exit_code == 0
    assert run(str(new), "--against", str(report), "--margin", "kappa=0.001").exit_code == 1
    done = run(str(new), "--against", str(report), "--margin", "kappa=0.15", "--margin", "fnr=0.1")
    assert done.exit_code == 0
    assert "micro fnr is no worse" in done.stderr


def test_less_is_better_where_a_metric_counts_errors(run, tmp_path: Path) -> None:
    report = reported(run, tmp_path / "old.csv", labels(0.05, seed=1, n=1000))
    new = tmp_path / "new.csv"
    new.write_text(labels(0.3, seed=2, n=1000))
    done = run(str(new), "--against", str(report), "--margin", "fpr=0.05")
    assert done.exit_code == 1
    assert "micro fpr is worse" in done.stderr
    back = reported(run, tmp_path / "bad.csv", labels(0.3, seed=2, n=1000))
    assert run(str(tmp_path / "old.csv"), "--against", str(back), "--margin", "fpr=0.0").exit_code == 0


def test_the_paired_difference_is_that_of_compare(run, tmp_path: Path) -> None:
    report = reported(run, tmp_path / "old.csv", labels(0.1, seed=1))
    new = tmp_path / "new.csv"
    new.write_text(labels(0.2, seed=2))
    from metrics.analyses.comparison.joining import join
    from metrics.commands.against import earlier, held_against

    old, now = metrics.read(tmp_path / "old.csv"), metrics.read(new)
    joined = join(old, now)
    expected = metrics.compare(joined.ratings, *joined.pair("gpt", "gpt"), "kappa", level="micro", replicates=1).difference
    (held,) = held_against(metrics.agreement(now), now, earlier(report, now, metrics.read), [])
    assert held.difference == expected
    assert held.paired


def test_an_unpaired_difference_is_wider_than_both_intervals_by_their_squares(run, tmp_path: Path) -> None:
    from metrics.commands.against import earlier, held_against

    report = reported(run, tmp_path / "old.csv", labels(0.1, seed=1))
    (tmp_path / "old.csv").unlink()
    new = tmp_path / "new.csv"
    new.write_text(labels(0.2, seed=2))
    now = metrics.read(new)
    (held,) = held_against(metrics.agreement(now), now, earlier(report, now, metrics.read), [])
    low, high = held.difference.ends
    assert held.difference.value == held.after.value - held.before.value
    below = math.sqrt((held.after.value - held.after.ends[0]) ** 2 + (held.before.ends[1] - held.before.value) ** 2)
    above = math.sqrt((held.after.ends[1] - held.after.value) ** 2 + (held.before.value - held.before.ends[0]) ** 2)
    assert (low, high) == pytest.approx((held.difference.value - below, held.difference.value + above))


def test_a_file_of_that_name_with_other_labels_is_not_paired_with(run, tmp_path: Path) -> None:
    report = reported(run, tmp_path / "old.csv", labels(0.05, seed=1))
    (tmp_path / "old.csv").write_text(labels(0.05, seed=9))
    new = tmp_path / "new.csv"
    new.write_text(labels(0.05, seed=2))
    assert "of two independent intervals" in run(str(new), "--against", str(report)).stderr


def test_one_judge_on_each_side_is_held_against_the_other_name(run, tmp_path: Path) -> None:
    report = reported(run, tmp_path / "old.csv", labels(0.3, seed=1, judge="gpt-4"))
    new = tmp_path / "new.csv"
    new.write_text(labels(0.02, seed=2, judge="gpt-5"))
    done = run(str(new), "--against", str(report), "--summary", str(tmp_path / "out.md"))
    assert done.exit_code == 0
    assert (
        "gpt\\-5 (before: gpt\\-4)" in (tmp_path / "out.md").read_text()
        or "gpt-5 (before: gpt-4)" in (tmp_path / "out.md").read_text()
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--margin", "kappa=0.1"], "--margin goes with --against"),
        (["--against", "{report}", "--margin", "kappa"], "--margin: 'kappa' has no"),
        (["--against", "{report}", "--margin", "kappa=-1"], "is below 0"),
        (["--against", "{report}", "--margin", "drift=0.1"], "drift has no better side"),
        (["--against", "{report}", "--margin", "nothing=0.1"], "--margin: unknown metric 'nothing'"),
        (["--against", "{report}", "--abstention", "as_unmet"], "was made with abstention exclude"),
        (["--against", "{folder}/none.json"], "cannot be read"),
        (["--against", "{folder}/old.csv"], "is no report of agreement. Write one with agreement FILE --json > last.json."),
        (["--against", "{report}", "--summary", "{folder}/no/where.md"], "cannot be written"),
    ],
)
def test_what_cannot_be_held_against_ends_with_2(run, tmp_path: Path, options: list[str], says: str) -> None:
    report = reported(run, tmp_path / "old.csv", labels(0.1, seed=1))
    told = [option.format(report=report, folder=tmp_path) for option in options]
    done = run(str(tmp_path / "old.csv"), *told)
    assert done.exit_code == 2
    assert says in done.stderr.replace("\n", " ")


def test_the_paired_difference_rests_on_the_choices_of_the_report(run, tmp_path: Path) -> None:
    """The two people differ, so that a difference beside one of them is not that beside their majority."""

    def by_two(slip: float, seed: int) -> str:
        rng, truth = np.random.default_rng(seed), np.random.default_rng(0).random(N) < 0.5
        rows = ["item,rater,role,label"]
        for i, met in enumerate(truth):
            people = {"ana": met, "ben": met ^ (i % 4 == 0)}
            for name, role, label in (
                *((n, "human", x) for n, x in people.items()),
                ("gpt", "judge", met ^ (rng.random() < slip)),
            ):
                rows.append(f"q{i},{name},{role},{'yes' if label else 'no'}")
        return "\n".join(rows)

    report = reported(run, tmp_path / "old.csv", by_two(0.1, 1), "--reference", "ben")
    new = tmp_path / "new.csv"
    new.write_text(by_two(0.3, 2))
    from metrics.analyses.comparison.joining import join
    from metrics.commands.against import earlier, held_against

    now = metrics.read(new)
    joined = join(metrics.read(tmp_path / "old.csv"), now)
    names = joined.pair("gpt", "gpt")
    expected = metrics.compare(joined.ratings, *names, "kappa", level="micro", replicates=1, reference="ben").difference
    beside_both = metrics.compare(joined.ratings, *names, "kappa", level="micro", replicates=1).difference
    before = earlier(report, now, metrics.read)
    (held,) = held_against(metrics.agreement(now, reference="ben"), now, before, [], reference="ben")
    assert held.difference == expected != beside_both


def test_other_items_are_not_held_against(run, tmp_path: Path) -> None:
    text = labels(0.1, seed=1).replace("verdict", "verdict,part", 1).splitlines()
    rows = [text[0], *(f"{row},{'a' if i % 2 else 'b'}" for i, row in enumerate(text[1:]))]
    report = reported(run, tmp_path / "old.csv", "\n".join(rows), "--where", "part=a")
    done = run(str(tmp_path / "old.csv"), "--against", str(report))
    assert done.exit_code == 2
    assert "was made with where" in done.stderr
    assert run(str(tmp_path / "old.csv"), "--where", "part=a", "--against", str(report)).exit_code == 0


def test_other_judges_are_named(run, tmp_path: Path) -> None:
    both = "\n".join([labels(0.1, seed=1, judge="one"), *labels(0.1, seed=2, judge="two").splitlines()[1:]])
    report = reported(run, tmp_path / "old.csv", both)
    new = tmp_path / "new.csv"
    new.write_text(labels(0.1, seed=3, judge="three"))
    done = run(str(new), "--against", str(report))
    assert done.exit_code == 2
    assert "one and two" in done.stderr


def test_an_undefined_difference_does_not_pass(run, tmp_path: Path) -> None:
    report = reported(run, tmp_path / "old.csv", labels(0.1, seed=1))
    text = json.loads(report.read_text())
    text["judges"]["gpt"]["micro"]["kappa"] = None
    text["declaration"]["sha256"] = "0" * 64
    report.write_text(json.dumps(text))
    done = run(str(tmp_path / "old.csv"), "--against", str(report))
    assert done.exit_code == 1
    assert "no difference to go by" in done.stderr


def test_the_summary_says_what_was_decided_and_renders_nothing_of_the_file(run, tmp_path: Path) -> None:
    hostile = "gpt|<b>*x*"
    report = reported(run, tmp_path / "old.csv", labels(0.02, seed=1, judge=hostile))
    new = tmp_path / "new.csv"
    new.write_text(labels(0.4, seed=2, judge=hostile))
    out = tmp_path / "out.md"
    done = run(str(new), "--against", str(report), "--fail-under", "kappa=0.9", "--summary", str(out))
    assert done.exit_code == 1
    text = out.read_text()
    assert text.startswith("# Gate failed")
    row = next(line for line in text.splitlines() if "| micro kappa |" in line)
    assert row.endswith("| fails |")
    assert "<b>" not in text.replace("\\<b>", "")
    assert "not reached" in text
    good = run(str(new), "--summary", str(out), "--fail-under", "accuracy=0.1")
    assert good.exit_code == 0
    assert out.read_text().startswith("# Gate passed")


def test_every_metric_with_a_better_side_can_have_a_margin() -> None:
    from metrics.commands.against import margins_of

    sided = [record.key for record in CATALOGUE if record.group != "shape"]
    assert {"kappa", "accuracy", "fpr", "fnr"} <= set(sided)
    assert [margin.metric for margin in margins_of([f"{key}=0.1" for key in sided])] == sided


def test_a_worse_judge_that_is_silent_where_it_was_wrong_is_not_passed(run, tmp_path: Path) -> None:
    """Every wrong verdict is left open: on what both answer it is better, with abstentions as a no it is worse."""
    report = reported(run, tmp_path / "old.csv", labels(0.1, seed=1))
    head, *lines = (line.split(",") for line in labels(0.35, seed=2).splitlines())
    silent = [",".join((*line[:3], line[3] if line[2] == line[3] else "CANNOT_ASSESS")) for line in lines]
    new, out = tmp_path / "new.csv", tmp_path / "out.md"
    new.write_text("\n".join([",".join(head), *silent]))
    done = run(str(new), "--against", str(report), "--margin", "kappa=0.05", "--summary", str(out))
    assert done.exit_code == 1
    share = sum(line[2] == line[3] for line in lines) / N
    assert f"Coverage is {round(100 * share)}\u00a0%, before it was 100\u00a0%." in done.stderr
    assert "with abstentions as no it may be" in done.stderr
    assert out.read_text().startswith("# Gate failed")
    both_sides = metrics.compare(*_joined(tmp_path / "old.csv", new), margin=0.05)
    assert both_sides.held is not None
    assert both_sides.held.verdict == "undecided"
    assert "with abstentions as no it may be" in both_sides.reading
    assert "would tell" not in both_sides.reading


def test_a_judge_whose_verdicts_are_the_same_in_another_file_is_no_worse(run, tmp_path: Path) -> None:
    before = labels(0.3, seed=1)
    report = reported(run, tmp_path / "old.csv", before)
    new = tmp_path / "new.csv"
    new.write_text("\n".join(f"{line},{'version' if not place else 2}" for place, line in enumerate(before.splitlines())))
    done = run(str(new), "--against", str(report))
    assert done.exit_code == 0
    assert " now, with the same verdicts on the same decisions, so that nothing separates them." in done.stderr
    assert "[0.000, 0.000]" not in done.stderr


def _joined(old: Path, new: Path):
    from metrics.analyses.comparison.joining import join

    joined = join(metrics.read(old), metrics.read(new))
    return joined.ratings, *joined.pair("gpt", "gpt")


def test_other_labels_of_people_leave_no_difference_to_go_by(run, tmp_path: Path) -> None:
    before = labels(0.3, seed=1)
    report = reported(run, tmp_path / "old.csv", before)
    new = tmp_path / "new.csv"
    new.write_text("\n".join(line.replace("no,yes", "yes,yes") for line in before.splitlines()))
    done = run(str(new), "--against", str(report), "--margin", "kappa=0.05")
    assert done.exit_code == 1
    assert "gpt: micro kappa has no difference to go by (human says ‘no’ in row" in done.stderr
    assert "more differ). Both files must carry the same human labels" in done.stderr


def test_on_fewer_items_both_values_are_those_that_the_difference_is_of(run, tmp_path: Path) -> None:
    from metrics.commands.against import earlier, held_against

    report = reported(run, tmp_path / "old.csv", labels(0.1, seed=1))
    new = tmp_path / "new.csv"
    new.write_text(labels(0.2, seed=2, n=N // 2))
    now = metrics.read(new)
    (held,) = held_against(metrics.agreement(now), now, earlier(report, now, metrics.read), [])
    assert held.paired is not None
    assert held.paired.values[1] - held.paired.values[0] == pytest.approx(held.difference.value, abs=1e-12)
    assert held.paired.values[1] == held.after.value
    assert held.paired.values[0] != held.before.value
    assert f"{held.paired.values[0]:.3f} before and" in held.sentence


def sharing(n: int) -> str:
    """The judge of `labels(0.1, seed=1)` again, with the same verdicts on n of its items."""
    return "\n".join(labels(0.1, seed=1).splitlines()[: n + 1])


@pytest.mark.parametrize(
    ("n", "margin", "exit_code"), [(N, "0", 0), (6, "0", 1), (6, "0.05", 1), (40, "0.05", 1), (120, "0.05", 0)]
)
def test_the_same_verdicts_on_few_items_do_not_pass_a_gate(run, tmp_path: Path, n: int, margin: str, exit_code: int) -> None:
    """Of 120 unchanged items at most 3 % may have changed unseen, of 40 up to 9 %."""
    report = reported(run, tmp_path / "old.csv", labels(0.1, seed=1))
    (tmp_path / "new.csv").write_text(f"{sharing(n)}\n" if n < N else labels(0.1, seed=1) + "\n")
    done = run(str(tmp_path / "new.csv"), "--against", str(report), "--margin", f"accuracy={margin}")
    assert done.exit_code == exit_code, done.stdout + done.stderr


def test_a_change_that_no_shared_item_shows_has_the_rule_of_three() -> None:
    table = [[60, 0], [0, 40]]
    low, high = unseen_change(table, "accuracy", 100, 0.95)
    assert low == pytest.approx(-(1 - 0.025 ** (1 / 100)))
    assert high == 0
    for metric in ("kappa", "phi", "recall", "f1"):
        worst = min(
            BY_KEY[metric].function(np.array([[60 - a, a], [b, 40 - b]], float))
            for a, b in ((3.62, 0), (0, 3.62))
        )  # fmt: skip
        assert unseen_change(table, metric, 100, 0.95)[0] == pytest.approx(worst - 1, abs=1e-3)


def test_a_gate_keeps_its_word_where_the_judge_became_worse_by_the_margin() -> None:
    """20 shared items of which each changes to an error with the margin: the share that passes unseen is at most 2.5 %."""
    for n in (20, 60, 200):
        low, _ = unseen_change([[n, 0], [0, n]], "accuracy", n, 0.95)
        assert (1 + low) ** n == pytest.approx(0.025)


@pytest.mark.parametrize("step", [-0.02, -0.001, 0.002, 0.004, 0.02])
def test_the_gate_and_compare_decide_on_a_margin_by_one_interval(run, tmp_path: Path, step: float) -> None:
    """Between the two ends, Student's and that of a margin, both would have to say the same."""
    report = reported(run, tmp_path / "old.csv", labels(0.1, seed=1))
    new = tmp_path / "new.csv"
    new.write_text(labels(0.1, seed=5))
    plain = metrics.compare(*_joined(tmp_path / "old.csv", new), replicates=1).difference
    margin = round(step - plain.ends[0], 4)
    done = run(str(new), "--against", str(report), "--margin", f"kappa={margin}")
    held = metrics.compare(*_joined(tmp_path / "old.csv", new), margin=margin, replicates=1).held
    assert held is not None
    assert held.end < plain.ends[0]
    assert done.exit_code == (0 if held.holds else 1)
    low, high = (f"{end:+.3f}".replace("-", "\u2212") for end in held.interval)
    assert f"[{low}, {high}] for a margin" in done.stderr
    assert f"by more than a margin of {margin}:" in done.stderr


def test_criteria_that_are_gone_are_asked_for(run, tmp_path: Path) -> None:
    def of(name: str) -> str:
        head, *rows = labels(0.1, seed=1).splitlines()
        return "\n".join([f"criterion,{head}", *(f"{name},{row}" for row in rows), *(f"other,{row}" for row in rows)])

    report = reported(run, tmp_path / "old.csv", of("tone"))
    (tmp_path / "new.csv").write_text(of("voice"))
    done = run(str(tmp_path / "new.csv"), "--against", str(report))
    assert done.exit_code == 2
    assert "has criteria that are not here: tone. Make that report again" in done.stderr


@pytest.mark.parametrize("floor", ["drift=0.1", "prevalence=0.4", "kappa=2"])
def test_a_floor_that_says_nothing_is_refused(run, tmp_path: Path, floor: str) -> None:
    (tmp_path / "new.csv").write_text(labels(0.1, seed=1))
    assert run(str(tmp_path / "new.csv"), "--fail-under", floor).exit_code == 2


def test_another_confidence_and_an_undefined_number_do_not_pass(run, tmp_path: Path) -> None:
    report = reported(run, tmp_path / "old.csv", labels(0.1, seed=1))
    done = run(str(tmp_path / "old.csv"), "--against", str(report), "--confidence", "0.5")
    assert done.exit_code == 2
    assert "was made with confidence 0.95, this report with 0.5." in done.stderr
    one = "\n".join(["item,judge,human,verdict", *(f"q{i},gpt,yes,yes" for i in range(30))])
    constant = reported(run, tmp_path / "one.csv", one)
    done = run(str(tmp_path / "one.csv"), "--against", str(constant), "--margin", "kappa=0.1")
    assert done.exit_code == 1
    assert "has no difference to go by (kappa is undefined)." in done.stderr
    assert run(str(tmp_path / "one.csv"), "--against", str(constant), "--margin", "accuracy=0.1").exit_code == 0


def test_few_items_that_did_not_change_are_said_to_be_few(run, tmp_path: Path) -> None:
    report = reported(run, tmp_path / "old.csv", labels(0.1, seed=1))
    (tmp_path / "new.csv").write_text(f"{sharing(40)}\n")
    done = run(str(tmp_path / "new.csv"), "--against", str(report), "--margin", "accuracy=0.05")
    assert "of which none changed: so few do not show more" in done.stderr


def two_judges(second: str) -> str:
    rows = ["item,judge,human,verdict"]
    for i in range(80):
        rows += [f"q{i},A,{'yes no'.split()[i % 2]},{'yes no'.split()[(i + (i % 9 == 0)) % 2]}"]
        rows += [f"q{i},{second},{'yes no'.split()[i % 2]},{'yes no'.split()[(i + (i % 5 == 0)) % 2]}"]
    return "\n".join(rows)


def test_a_judge_that_only_one_report_has_is_named(run, tmp_path: Path) -> None:
    report, out = reported(run, tmp_path / "old.csv", two_judges("B")), tmp_path / "out.md"
    (tmp_path / "new.csv").write_text(two_judges("B-v2"))
    done = run(str(tmp_path / "new.csv"), "--against", str(report), "--margin", "kappa=0.2", "--summary", str(out))
    for said in ("B of old.json is not judged here, so it is held", "B-v2 is not in old.json, so it is held"):
        assert said in done.stderr
        assert said in out.read_text()
    asked = run(str(tmp_path / "new.csv"), "--against", str(report), "--margin", "kappa=0.2", "--judges", "A")
    assert "held against nothing" not in asked.stderr


def test_labels_turned_round_are_no_later_report_of_the_same_question(run, tmp_path: Path) -> None:
    report = reported(run, tmp_path / "old.csv", two_judges("B"))
    done = run(str(tmp_path / "old.csv"), "--against", str(report), "--labels", "yes=negative,no=positive")
    assert done.exit_code == 2
    assert "was made with another meaning of yes and no. State the same labels for both." in done.stderr


def test_a_summary_that_cannot_be_written_ends_before_anything_is_printed(run, tmp_path: Path) -> None:
    report = reported(run, tmp_path / "old.csv", two_judges("B"))
    done = run(str(tmp_path / "old.csv"), "--against", str(report), "--summary", str(tmp_path / "no" / "out.md"))
    assert (done.exit_code, done.stdout) == (2, "")


def shy(tmp_path: Path, share: float) -> Path:
    """A judge that abstains on a share of the items on which it would be wrong, and is right on nearly all others."""
    rng, rows = np.random.default_rng(4), ["item,judge,human,verdict"]
    for i in range(300):
        met = rng.random() < 0.5
        said = "MET" if met ^ (i % 30 == 7) else "UNMET"
        rows.append(f"{i},shy,{'MET' if met else 'UNMET'},{'CANNOT_ASSESS' if i < 300 * share else said}")
    file = tmp_path / "shy.csv"
    file.write_text("\n".join(rows))
    return file


def test_a_floor_reached_on_what_a_judge_answers_warns_of_what_it_leaves_open(run, tmp_path: Path) -> None:
    file = shy(tmp_path, 0.2)
    done = run(str(file), "--fail-under", "kappa=0.85")
    assert done.exit_code == 0
    assert done.stderr.startswith(
        "Warning: shy: micro kappa reaches 0.85 on the 80\u00a0% of decisions that both answer. With what is left open as errors "
    )
    assert run(str(file), "--fail-under", "kappa=0.5").stderr == ""
    assert run(str(file), "--fail-under", "kappa=0.85", "--abstention", "as_unmet").exit_code == 1
    assert run(str(shy(tmp_path, 0.0)), "--fail-under", "kappa=0.85").stderr == ""


def weighed(common: int, rare: int, n: int = 600) -> str:
    """The judge slips on every k-th item of the common half, of weight 1, and on every other k-th of the rare half, of 12."""
    rows = ["item,judge,human,verdict,weight"]
    for i in range(n):
        half, human = i % 2, (i // 2) % 2
        slip = i // 4 % (common, rare)[half] == 0
        rows.append(f"q{i},gpt,{'no yes'.split()[human]},{'no yes'.split()[human ^ slip]},{(1, 12)[half]}")
    return "\n".join(rows)


@pytest.mark.parametrize(("before", "now", "exit_code"), [((3, 20), (20, 5), 1), ((20, 5), (3, 20), 0)])
def test_a_gate_reads_the_numbers_by_weight_as_compare_does(run, tmp_path: Path, before, now, exit_code: int) -> None:
    """Counted once the two judges are the other way round."""
    report = reported(run, tmp_path / "old.csv", weighed(*before))
    new, out = tmp_path / "new.csv", tmp_path / "out.md"
    new.write_text(weighed(*now))
    done = run(str(new), "--against", str(report), "--margin", "kappa=0.05", "--summary", str(out))
    assert done.exit_code == exit_code
    made = metrics.compare(*_joined(tmp_path / "old.csv", new), margin=0.05)
    assert made.held is not None
    assert made.held.holds == (not exit_code)
    assert made.difference.sign == -made.weighted.difference.sign
    assert "micro kappa by ‘weight’" in done.stderr
    assert f"{made.weighted.a.value:.3f} before, {made.weighted.b.value:.3f} now" in done.stderr
    assert "| micro kappa by ‘weight’ |" in out.read_text()
    (tmp_path / "old.csv").unlink()
    alone = run(str(new), "--against", str(report), "--margin", "kappa=0.05")
    assert alone.exit_code == exit_code
    assert f"{made.weighted.a.value:.3f} before, {made.weighted.b.value:.3f} now" in alone.stderr
    assert "of two independent intervals" in alone.stderr


@pytest.mark.parametrize(("slips", "exit_code"), [((20, 5), 1), ((5, 20), 0)])
def test_a_floor_reads_the_number_by_weight_and_says_where_the_other_decides_otherwise(
    run, tmp_path: Path, slips, exit_code: int
) -> None:
    path, out = tmp_path / "new.csv", tmp_path / "out.md"
    path.write_text(weighed(*slips))
    judge = metrics.agreement(metrics.read(path)).judges["gpt"]
    lows = [judge.micro["kappa"].low, judge.weighted_at("micro")["kappa"].low]
    assert (lows[1] < lows[0]) == bool(exit_code)
    floor = round(sum(lows) / 2, 3)
    done = run(str(path), "--fail-under", f"kappa={floor}", "--summary", str(out))
    assert done.exit_code == exit_code
    does, other = ("does not reach", "would") if exit_code else ("reaches", "would not")
    said = f"gpt: micro kappa by ‘weight’ {does} {floor:g}; with every decision counted once it {other}."
    assert said in done.stderr
    assert said in out.read_text()
    assert ("the lower end of its interval" in done.stderr) == bool(exit_code)
    assert "counted once" not in run(str(path), "--fail-under", "kappa=0.1").stderr


def test_the_same_weighted_verdicts_in_another_file_are_no_worse(run, tmp_path: Path) -> None:
    report = reported(run, tmp_path / "old.csv", weighed(20, 5))
    (tmp_path / "new.csv").write_text(f"{weighed(20, 5)}\n")
    assert run(str(tmp_path / "new.csv"), "--against", str(report)).exit_code == 0
    done = run(str(tmp_path / "new.csv"), "--against", str(report), "--margin", "accuracy=0.05")
    assert done.exit_code == 0
    assert run(str(tmp_path / "new.csv"), "--against", str(report), "--margin", "accuracy=0.001").exit_code == 1
