"""What the page and the terminal say about ordered labels, in both directions."""

from __future__ import annotations

import io

import numpy as np
import pytest

import metrics
from metrics.analyses.scores.provenance import citation, estimate_text, header, order_words, worth_words
from metrics.analyses.scores.readings import (
    bias_reading,
    chance_reading,
    matrix_reading,
    near_reading,
    rank_reading,
    readings,
)
from metrics.analyses.scores.readings_numbers import concordance_reading
from metrics.data.order import Order

NAMES = ("1", "2", "3")
KINDS = {"1": "class", "2": "class", "3": "class", "NA": "abstention"}
GOOD = np.array([[40, 4, 0], [3, 50, 5], [0, 4, 44]])
BLIND = np.array([[0, 20, 0], [0, 30, 0], [0, 25, 0]])
HIGH = np.array([[2, 40, 1], [0, 2, 45], [0, 0, 40]])


def report_of(build_of_tables, *tables, **options) -> metrics.ScoresReport:
    return metrics.scores(build_of_tables(*tables, kinds=KINDS, labels=NAMES), **options)


def test_nearness_is_read_beside_a_judge_that_never_looks(build_of_tables) -> None:
    good = near_reading(report_of(build_of_tables, GOOD), "j")
    assert good.startswith("j gives the option of h in 89\u00a0% of 150 decisions and one at most one away in 100\u00a0%.")
    assert good.endswith(
        "up to 39\u00a0% and 100\u00a0%: j does better on the first count and is not shown to do better on the second."
    )
    assert near_reading(report_of(build_of_tables, BLIND), "j").endswith("j is not shown to do better on either count.")
    nothing = report_of(build_of_tables, GOOD, np.zeros((3, 3), int))
    gone = "There is no decision on which both j and h give an option."
    assert near_reading(nothing, "j", "c1") == gone
    assert readings(nothing, "j", "c1") == [gone]


def test_agreement_beyond_chance_in_every_direction(build_of_tables) -> None:
    good = chance_reading(report_of(build_of_tables, GOOD), "j")
    assert good.startswith("κ quadratic is 0.91 [0.8")
    assert good.endswith("], beyond chance.")
    assert chance_reading(report_of(build_of_tables, GOOD[:, ::-1]), "j").endswith(", worse than chance.")
    even = chance_reading(report_of(build_of_tables, np.full((3, 3), 9)), "j")
    assert even.endswith(", which chance could do.")
    blind = chance_reading(report_of(build_of_tables, BLIND), "j")
    assert "chance level by construction, because the judge says only 2" in blind
    both = report_of(build_of_tables, np.diag([0, 9, 0]), GOOD)
    assert chance_reading(both, "j", "c0") == "κ quadratic is undefined: both sides give only 2."


def test_a_pooled_number_stands_beside_the_mean(build_of_tables) -> None:
    low, high = np.zeros((3, 3), int), np.zeros((3, 3), int)
    low[:2, :2], high[1:, 1:] = 25, 25
    report = report_of(build_of_tables, low, high)
    assert report.judges["j"].mean.values["weighted_kappa_quadratic"] == 0
    said = chance_reading(report, "j")
    assert said.endswith(": knowing which criterion scores high helps.")
    assert "the mean over 2 criteria is 0.00 [" in said
    quoted = citation(report, "j", "weighted_kappa_quadratic")
    assert ", mean over 2 criteria 0.00 [" in quoted
    assert "pooled over 2 criteria" in quoted
    even = np.full((3, 3), 9)
    assert chance_reading(report_of(build_of_tables, even, even), "j").endswith("]: chance could do either.")
    twice = chance_reading(report_of(build_of_tables, GOOD, GOOD), "j")
    assert twice.endswith("so pooling changes nothing.")
    low[:2, :2], high[1:, 1:] = [[6, 2], [1, 5]], [[5, 3], [2, 7]]
    unsure = chance_reading(report_of(build_of_tables, low, high), "j")
    assert unsure.endswith("the mean over 2 criteria is 0.49 [−0.13, 0.83], whose interval includes the pooled one.")


def test_the_side_of_the_bias(build_of_tables) -> None:
    up = bias_reading(report_of(build_of_tables, HIGH), "j")
    assert up.startswith("j is 0.67 [0.5")
    assert "above h on average, so it is the more generous; typically the two differ by 0.8" in up
    down = bias_reading(report_of(build_of_tables, HIGH.T), "j")
    assert "below h on average, so it is the stricter" in down
    assert down.split("[")[1].split("]")[0] == up.split("[")[1].split("]")[0]
    neither = bias_reading(report_of(build_of_tables, GOOD), "j")
    assert "there is no significant direction" in neither
    assert bias_reading(report_of(build_of_tables, np.diag([4, 4, 4])), "j") == "j and h never differ."
    assert "neither side is the more generous" in bias_reading(
        report_of(build_of_tables, np.full((3, 3), 9), interval="none"), "j"
    )
    one = bias_reading(report_of(build_of_tables, np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0]])), "j")
    assert "do not differ significantly in how often they give 3: −100" in one
    assert "stricter" not in one
    assert "stricter" not in bias_reading(report_of(build_of_tables, HIGH.T, interval="none"), "j")
    empty = report_of(build_of_tables, np.zeros((3, 3), int), GOOD)
    assert bias_reading(empty, "j", "c0") == "Bias is undefined: no decision is left."


def test_a_pooled_bias_is_a_direction_only_where_no_criterion_and_no_mean_speaks_against_it(build_of_tables) -> None:
    mild = np.array([[20, 8, 0], [0, 40, 8], [0, 0, 20]])
    against = report_of(build_of_tables, HIGH, mild.T)
    pooled = bias_reading(against, "j")
    # beyond its interval, and yet the other way on one criterion
    assert against.judges["j"].pooled["bias"].ends[0] > 0
    assert "The bias is above 0 on c0, and below 0 on c1: neither side is the more generous. Typically" in pooled
    assert "so it is the" not in pooled
    assert "so it is the more generous" in bias_reading(against, "j", "c0")
    assert "so it is the stricter" in bias_reading(against, "j", "c1")
    along = bias_reading(report_of(build_of_tables, HIGH, mild), "j")
    assert "so it is the more generous" in along
    # many decisions of one criterion carry the pooled bias; the mean over criteria weighs all alike
    few = np.array([[2, 0, 0], [3, 2, 0], [0, 3, 2]])
    small = report_of(build_of_tables, HIGH, few, few)
    its = small.judges["j"]
    assert its.pooled["bias"].ends[0] > 0
    assert its.mean["bias"].ends[0] < 0 < its.mean["bias"].ends[1]
    assert "so it is the" not in bias_reading(small, "j")


def test_ranks_against_options(build_of_tables) -> None:
    high = rank_reading(report_of(build_of_tables, HIGH), "j")
    assert "ρ is the higher one, the difference is 0.35 [0.28, 0.41]: the judge uses the scale otherwise" in high
    assert "The two do not differ significantly: the difference is 0.00" in rank_reading(report_of(build_of_tables, GOOD), "j")
    even = rank_reading(report_of(build_of_tables, np.full((3, 3), 9)), "j")
    assert even.endswith("neither the order of the items nor the options are met beyond chance.")
    assert "undefined: the judge gives one label only, 2" in rank_reading(report_of(build_of_tables, BLIND), "j")


def test_a_few_items_far_apart_are_no_other_use_of_the_scale() -> None:
    pairs = {"11": 312, "12": 5, "21": 5, "22": 252, "23": 8, "32": 8, "33": 170, "15": 20, "51": 20}
    rows = [(human, judge) for (human, judge), n in pairs.items() for _ in range(n)]
    lines = [f"i{place},{human},{judge}" for place, (human, judge) in enumerate(rows)]
    report = metrics.scores(metrics.read(io.StringIO("\n".join(["item,human,verdict", *lines])), order=list("12345")))
    text = rank_reading(report, "judge")
    assert text.endswith("ρ is the higher one, the difference is 0.26 [0.21, 0.30]: a few items far apart cost the agreement.")


def test_two_coefficients_of_one_sample_are_compared_by_their_difference(build_of_tables) -> None:
    report = report_of(build_of_tables, np.array([[30, 12, 0], [1, 35, 12], [0, 1, 44]]))
    block = report.judges["j"].pooled
    assert block["spearman"].ends[0] < block.values["weighted_kappa_quadratic"] < block["spearman"].ends[1]
    assert "ρ is the higher one" in rank_reading(report, "j")
    value, low, high = report.judges["j"].pooled.to_dict()["spearman_less_kappa"]
    assert 0 < low < value < high
    bare = rank_reading(report_of(build_of_tables, HIGH, interval="none"), "j")
    assert "higher" not in bare
    assert "significantly" not in bare


def test_a_reversed_scale_is_asked_about_and_no_other(build_of_tables) -> None:
    turned = rank_reading(report_of(build_of_tables, GOOD[:, ::-1]), "j")
    assert turned.startswith("Reversed? j ranks low what h ranks high.")
    assert "beyond chance" not in turned
    for table in (GOOD, HIGH, np.full((3, 3), 9), np.full((3, 3), 9) + np.eye(3, dtype=int)[::-1]):
        assert "Reversed" not in rank_reading(report_of(build_of_tables, table), "j")
    few = report_of(build_of_tables, np.array([[0, 0, 1], [0, 1, 0], [1, 0, 1]]))
    assert "Reversed" not in rank_reading(few, "j")


def test_how_far_the_errors_lie(build_of_tables) -> None:
    assert matrix_reading(report_of(build_of_tables, GOOD), "j") == (
        "Of 16 errors none is more than one option off, 56\u00a0% lie above the reference’s option; "
        "no one of them is clearly the commonest."
    )
    assert matrix_reading(report_of(build_of_tables, GOOD * 4), "j").endswith("; the commonest is 3 where h says 2 (20 times).")
    assert "1\u00a0% are more than one option off, 100\u00a0% lie above" in matrix_reading(report_of(build_of_tables, HIGH), "j")
    far = np.diag([4, 4, 4])
    far[0, 2] = 1
    assert matrix_reading(report_of(build_of_tables, far), "j") == "The only error is 3 where h says 1, 2 options off."
    tied = np.diag([4, 4, 4])
    tied[0, 1] = tied[1, 2] = 2
    assert matrix_reading(report_of(build_of_tables, tied), "j").endswith("; no one of them is clearly the commonest.")
    far[0, 1] = 1
    assert matrix_reading(report_of(build_of_tables, far), "j").endswith("; no two are alike.")
    assert matrix_reading(report_of(build_of_tables, np.diag([4, 4, 4])), "j") == "Every decision is on the diagonal."


def test_a_declaration_names_order_values_and_what_became_of_abstentions(build_paired) -> None:
    human = [["1", "3"], ["2", "NA"], ["3", "1"], ["1", "2"]]
    judge = [["1", "NA"], ["2", "2"], ["2", "1"], ["1", "3"]]
    ratings = build_paired(human, judge, kinds=KINDS)
    excluded = header(metrics.scores(ratings), "j")
    assert excluded.bold == "Ordinal 1–3 · abstentions excluded, coverage 75\u00a0% · pooled over 2 criteria."
    assert excluded.rest.startswith("Reference: h. 6 of 8 decisions on 4 items. Intervals 95\u00a0%, ")
    lowest = metrics.scores(ratings, abstention="as_unmet", weights={"c1": -1}, values={"1": 0, "2": 1, "3": 8})
    assert "abstentions counted as 1, the lowest, on 1 criterion of negative weight as 3, the highest" in header(lowest, "j").bold
    assert "counted as 3, the highest, because the weight is negative" in header(lowest, "j", "c1").bold
    assert "no abstentions · on c0" in header(lowest, "j", "c0").bold
    assert "Values: 1 = 0, 2 = 1, 3 = 8." in header(lowest, "j").rest
    assert header(metrics.scores(ratings, interval="none"), "j").rest.endswith("No intervals.")
    quoted = citation(lowest, "j", "rmse", "c0")
    assert quoted.startswith("RMSE = ")
    assert "ordinal 1 < 2 < 3; no abstentions; on c0; n = 4 decisions; reference: h; values: 1 = 0, 2 = 1, 3 = 8" in quoted


def test_an_undefined_number_is_quoted_with_its_reason(build_of_tables) -> None:
    report = report_of(build_of_tables, BLIND)
    assert citation(report, "j", "spearman").startswith("ρ undefined: the judge gives one label only, 2 (j; ordinal 1–3; ")
    assert estimate_text(report.judges["j"].pooled, "spearman") == "–"


@pytest.mark.parametrize(
    ("order", "said", "worth"),
    [
        (Order(("1", "2", "3"), (1, 2, 3), "labels"), "1–3", ""),
        (Order(("1", "2", "5"), (1, 2, 5), "labels"), "1 < 2 < 5", ""),
        (Order(("3", "2", "1"), (3, 2, 1), "labels"), "3 < 2 < 1", ""),
        (Order(("low", "high"), (1, 2), "places"), "low < high", "Values: places 1 to 2. "),
        (Order(("low", "high"), (-5, 2.5), "given"), "low < high", "Values: low = −5, high = 2.5. "),
        (Order(tuple("abcdefgh"), tuple(range(8)), "given"), "a < … < h (8 options)", "Values: a = 0, …, h = 7. "),
    ],
)
def test_an_order_in_words(order, said, worth) -> None:
    assert order_words(order) == said
    assert worth_words(order) == worth


def test_every_sentence_of_every_kind_of_table(build_of_tables) -> None:
    tables = (GOOD, BLIND, HIGH, np.zeros((3, 3), int), np.diag([0, 5, 0]), np.eye(3, dtype=int)[::-1])
    report = report_of(build_of_tables, *tables)
    for criterion in (None, *report.judges["j"].criteria):
        found = readings(report, "j", criterion)
        assert len(found) == (1 if not report.judges["j"].block(criterion).n else 5)
        for text in found:
            assert text.endswith(".")
            assert "nan" not in text
    assert "Note" in report.summary()
    assert "nan" not in report.summary()


def test_better_than_one_option_is_said_only_beyond_the_noise(build_of_tables) -> None:
    """8 right where always 1 is wrong against 4 the other way round: nothing; 16 against 2: better; turned round: worse."""

    def said(table: list[list[int]]) -> str:
        return near_reading(report_of(build_of_tables, np.array(table)), "j").rsplit(": ", 1)[1]

    assert said([[13, 4, 0], [5, 8, 0], [0, 0, 0]]) == "j is not shown to do better."
    assert said([[24, 2, 0], [4, 16, 0], [0, 0, 0]]) == "j does better."
    assert said([[4, 20, 0], [8, 2, 0], [0, 0, 0]]) == "j does worse."
    assert said([[30, 10, 0], [10, 12, 8], [0, 4, 26]]) == (
        "j does better on the first count and is not shown to do better on the second."
    )
    assert said([[0, 0, 40], [0, 40, 0], [40, 0, 0]]) == (
        "j is not shown to do better on the first count and does worse on the second."
    )
    report = report_of(build_of_tables, np.array([[13, 4, 0], [5, 8, 0], [0, 0, 0]]))
    exact = report.judges["j"].pooled.more["against_baseline"]["exact_agreement"]
    assert exact["difference"] == pytest.approx(4 / 30)
    assert exact["p"] == pytest.approx(0.387695, abs=1e-5)  # sign test of 8 against 4


def two(build_of_tables, *tables: list[list[int]]) -> metrics.ScoresReport:
    """Scores of a judge on two labels; the tables list MET first, the order has it last."""
    return metrics.scores(build_of_tables(*(np.array(table) for table in tables)))


def test_of_two_options_is_said_which_is_given_more_often_not_who_is_generous(build_of_tables) -> None:
    """Equal error rates of 1/8 at 83 % MET: fewer MET, but nothing is said of strictness, distances or order."""
    said = " ".join(readings(two(build_of_tables, [[175, 25], [5, 35]]), "j"))
    assert "j gives MET less often than h, by 8.3\u00a0points [" in said
    assert "30 errors: 5 times MET where h says UNMET, 25 times UNMET where h says MET." in said
    for word in ("generous", "strict", "option off", "Spearman", "apart"):
        assert word not in said
    even = " ".join(readings(two(build_of_tables, [[28, 18], [32, 22]]), "j"))
    assert "j and h do not differ significantly in how often they give MET: +14\u00a0points [0, +27\u00a0points]." in even
    turned = " ".join(readings(two(build_of_tables, [[7, 16], [31, 6]]), "j"))
    assert "Reversed? j ranks low what h ranks high." in turned
    ordered = " ".join(readings(report_of(build_of_tables, HIGH), "j"))
    assert "so it is the more generous" in ordered
    assert "Spearman" in ordered


def test_two_options_given_more_often_on_one_criterion_and_less_on_another_have_no_direction(build_of_tables) -> None:
    first, second = [[20, 2], [38, 40]], [[50, 15], [1, 34]]
    report = two(build_of_tables, first, second)
    name, other = report.judges["j"].criteria
    said = bias_reading(report, "j")
    assert said.startswith(f"j gives MET more often than h on {name}, and less often on {other}: over all criteria it is +")
    assert said.endswith(", which is no direction of the judge.")
    assert bias_reading(report, "j", other).startswith("j gives MET less often than h, by 14\u00a0points [")
    for untold in ([[50, 15], [14, 21]], [[20, 2], [12, 40]]):
        assert bias_reading(two(build_of_tables, first, untold), "j").startswith("j gives MET more often than h, by ")


def test_distances_of_two_options_have_the_intervals_of_accuracy_and_bias(build_of_tables) -> None:
    data = build_of_tables(np.array([[54, 1], [0, 45]]))
    agreed = metrics.agreement(data).judges["j"].micro
    block = metrics.scores(data, values={"MET": 3, "UNMET": 1}).judges["j"].pooled
    low, high = agreed["accuracy"].ends
    assert block["mae"].ends == pytest.approx((2 * (1 - high), 2 * (1 - low)))
    assert block["rmse"].ends == pytest.approx((2 * (1 - high) ** 0.5, 2 * (1 - low) ** 0.5))
    assert block["bias"].ends == pytest.approx([2 * end for end in agreed["drift"].ends])
    turned = metrics.scores(data, values={"MET": 1, "UNMET": 3}).judges["j"].pooled
    assert turned["bias"].ends == pytest.approx(sorted(-2 * end for end in agreed["drift"].ends))
    assert report_of(build_of_tables, GOOD).judges["j"].pooled.intervals["mae"].method != "wilson"


def test_one_option_is_each_criterion_s_own(build_of_tables) -> None:
    """A guesser that knows the rate of each criterion beats one label for all, and loses to each criterion's own."""
    guesses = two(build_of_tables, [[63, 13], [4, 0]], [[0, 9], [7, 64]])
    assert "Always giving one option on each criterion would reach up to 92\u00a0%: j does worse." in near_reading(guesses, "j")
    tested = guesses.judges["j"].pooled.more["against_baseline"]["exact_agreement"]
    assert tested["baseline"] == pytest.approx((76 + 71) / 160)
    assert tested["difference"] == pytest.approx((127 - 147) / 160)
    sees = two(build_of_tables, [[36, 4], [4, 36]], [[38, 2], [2, 38]])
    assert near_reading(sees, "j").endswith(
        "Always giving one option on each criterion would reach up to 50\u00a0%: j does better."
    )
    assert "on each criterion" not in near_reading(sees, "j", "c0")


def test_a_side_is_named_only_where_the_printed_interval_leaves_out_0(build_of_tables) -> None:
    from metrics.results.words import side_of_0

    assert [side_of_0(ends) for ends in ((0.004, 0.3), (0.006, 0.3), (-0.3, -0.004), (-0.3, -0.006), None)] == [0, 1, 0, -1, 0]


def test_nothing_costs_agreement_where_there_is_none() -> None:
    rng = np.random.default_rng(4)
    lines = ["item,criterion,judge,human,verdict"]
    lines += [f"i{i},length,j,{x:.2f},{y:.2f}" for i, (x, y) in enumerate(rng.uniform(0, 100, (60, 2)))]
    noise = metrics.read("\n".join(lines).encode(), scale="continuous")
    assert "there is no agreement that a shift or another spread could cost." in concordance_reading(metrics.scores(noise), "j")
    lines[1:] = [f"i{i},length,j,{x:.2f},{x + 0.1 * y:.2f}" for i, (x, y) in enumerate(rng.uniform(0, 100, (60, 2)))]
    near = metrics.read("\n".join(lines).encode(), scale="continuous")
    assert "no agreement that" not in concordance_reading(metrics.scores(near), "j")
