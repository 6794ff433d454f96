"""The 24 systems of Rao & Callison-Burch, Table A1, as facts.

The coding is that of the table; nothing here says more of a paper than the table does. Only the scales are ours: what the table
calls the judged output, on the scales of this package.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from metrics.data.labels import Scale

Category = Literal["BINARY", "PAIRWISE", "GRADED", "MULTI-CLASS", "ENSEMBLE"]
Measure = Literal[
    "pearson",
    "spearman",
    "kendall",
    "correlation",
    "accuracy",
    "agreement",
    "f1",
    "kappa",
    "alpha",
    "win rate",
    "ppi",
    "classifier",
]
Told = Literal["", "said", "otherwise"]

CATEGORIES: tuple[Category, ...] = ("GRADED", "PAIRWISE", "BINARY", "ENSEMBLE", "MULTI-CLASS")
"""The commonest first."""
MEASURES: dict[Measure, str] = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "correlation": "Correlation, not named which",
    "accuracy": "Accuracy",
    "agreement": "Agreement",
    "f1": "F1-style agreement",
    "kappa": "Cohen’s κ",
    "alpha": "Krippendorff’s α",
    "win rate": "Win rate",
    "ppi": "Prediction-powered inference",
    "classifier": "Classifier measures, not named",
}
CORRELATIONS: tuple[Measure, ...] = ("pearson", "spearman", "kendall", "correlation")
NONE_NAMED = "none"
"""In a filter: no measure of agreement is named."""
SEVERAL = "several"
"""In a filter: on more than one scale, or on one that depends on the task."""
ARXIV, ANTHOLOGY = "arXiv:", "ACL:"


@dataclass(frozen=True)
class System:
    """One system as the table codes it.

    Attributes
    ----------
    reference : str
        `arXiv:` or `ACL:` and the identifier.
    scales : tuple of Scale
        Of the judged output; none where it depends on the task.
    output : str
        What is judged, in a few words.
    reports : tuple of Measure
        What the table names; none where it names no measure of agreement.
    nonresponse : str
        What the table says of ties, or of answers without a verdict; empty where it says nothing.
    handling : {"", "said", "otherwise"}
        Whether `nonresponse` says how they are handled, or that they are not reported.
    by_scale : bool
        The measure is picked by the scale.
    no_second_name : bool
        The table found no two names for one correlation.
    note : str
        What else the table says that bears on a practice.
    """

    key: str
    name: str
    authors: str
    year: int
    reference: str
    category: Category
    scales: tuple[Scale, ...]
    output: str
    reports: tuple[Measure, ...] = ()
    nonresponse: str = ""
    handling: Told = ""
    by_scale: bool = False
    no_second_name: bool = False
    note: str = ""

    @property
    def link(self) -> str:
        """Address of the paper."""
        if self.reference.startswith(ARXIV):
            return f"https://arxiv.org/abs/{self.reference.removeprefix(ARXIV)}"
        return f"https://aclanthology.org/{self.reference.removeprefix(ANTHOLOGY)}/"

    @property
    def several(self) -> bool:
        return len(self.scales) != 1


SYSTEMS: tuple[System, ...] = (
    System(
        "g-eval", "G-Eval", "Liu et al.", 2023, "arXiv:2303.16634", "GRADED", ("continuous",),
        "Scores of generated text", ("correlation",),
    ),
    System(
        "llm-eval", "LLM-Eval", "Lin & Chen", 2023, "arXiv:2305.13711", "GRADED", ("continuous",),
        "Several scores of one conversation", ("pearson", "spearman"),
    ),
    System(
        "seeval", "SEEval", "Wu et al.", 2025, "ACL:2025.findings-naacl.411", "GRADED", ("continuous",),
        "One quality score of a text", ("pearson", "spearman", "kendall"),
        note="Which two of the correlations depends on the benchmark.",
    ),
    System(
        "checkeval", "CheckEval", "Lee et al.", 2025, "arXiv:2403.18771", "BINARY", ("binary", "continuous"),
        "Yes/no questions, summed up to a rating", ("correlation",),
        note="The correlations are of the ratings, not of the yes/no answers.",
    ),
    System(
        "mt-bench", "MT-Bench and Chatbot Arena", "Zheng et al.", 2023, "arXiv:2306.05685", "PAIRWISE", ("pairwise", "ordinal"),
        "A, B or tie; also a rating of one answer", ("agreement",),
        "Agreement is given with the ties and without them.", "said",
    ),
    System(
        "alpacaeval", "AlpacaEval and LC-AlpacaEval", "Dubois et al.", 2024, "arXiv:2404.04475", "PAIRWISE", ("pairwise",),
        "Preference for one of two answers", ("win rate",), no_second_name=True,
        note="Win rates, as they are and corrected for length.",
    ),
    System(
        "auto-j", "Auto-J", "Li et al.", 2023, "arXiv:2310.05470", "PAIRWISE", ("pairwise", "ordinal"),
        "A, B or tie; also a rating with a critique", (),
        "A tie is one of the answers, and how it is handled is explicit; not as an abstention.", "said",
    ),
    System(
        "pandalm", "PandaLM", "Wang et al.", 2023, "arXiv:2306.05087", "PAIRWISE", ("pairwise",),
        "Preference for one of two answers", ("f1",), no_second_name=True,
        note="The reference is people or a stronger judge.",
    ),
    System(
        "judgelm", "JudgeLM", "Zhu et al.", 2023, "arXiv:2310.17631", "PAIRWISE", ("pairwise", "nominal"),
        "Preference for one of two answers; also classes", ("agreement", "accuracy"), no_second_name=True,
    ),
    System(
        "llmbar", "LLMBar", "Zeng et al.", 2023, "arXiv:2310.07641", "PAIRWISE", ("pairwise",),
        "Which of two outputs follows the instruction",
    ),
    System(
        "prometheus", "Prometheus", "Kim et al.", 2023, "arXiv:2310.08491", "GRADED", ("ordinal", "pairwise"),
        "Rubric scores; also preferences", ("pearson", "accuracy"),
        note="Pearson goes with the scores, accuracy with the preferences.",
    ),
    System(
        "prometheus-2", "Prometheus 2", "Kim et al.", 2024, "arXiv:2405.01535", "GRADED", ("ordinal", "pairwise"),
        "Direct scores; also preferences", ("correlation", "agreement", "accuracy"),
        note="Correlations go with the scores, agreement and accuracy with the preferences.",
    ),
    System(
        "flask", "FLASK", "Ye et al.", 2024, "arXiv:2307.10928", "GRADED", ("ordinal",),
        "Scores from 1 to 5, skill by skill", ("pearson", "spearman", "kendall"),
    ),
    System(
        "llm-rubric", "LLM-Rubric", "Hashemi et al.", 2024, "ACL:2024.acl-long.745", "GRADED", ("ordinal",),
        "Shares of the answers to rubric questions; satisfaction from 1 to 4",
        note="The rubric’s answers predict overall satisfaction.",
    ),
    System(
        "ares", "ARES", "Saad-Falcon et al.", 2023, "arXiv:2311.09476", "BINARY", ("binary",),
        "Classifiers of context relevance, faithfulness and relevance", ("classifier", "ppi"),
        note="Here the confusion matrix, precision and recall matter.",
    ),
    System(
        "ragas", "RAGAS", "Es et al.", 2023, "arXiv:2309.15217", "BINARY", ("binary",),
        "Faithfulness and relevance of an answer from sources", ("agreement",),
        "The prompts know “insufficient information”; it is not reported as an answer of its own.", "otherwise",
    ),
    System(
        "poll", "PoLL", "Verga et al.", 2024, "arXiv:2404.18796", "ENSEMBLE", (),
        "What a panel of judges says, on several data sets",
        note="The table names no scale.",
    ),
    System(
        "chateval", "ChatEval", "Chan et al.", 2023, "arXiv:2308.07201", "ENSEMBLE", (),
        "What a team of judges says after a discussion",
        note="The scale depends on the task.",
    ),
    System(
        "judge-bench", "JUDGE-BENCH", "Bavaresco et al.", 2025, "arXiv:2406.18403", "MULTI-CLASS", ("nominal", "ordinal"),
        "Classes and grades of many data sets", ("kappa", "spearman", "alpha"), by_scale=True,
        note="κ goes with classes, Spearman with grades, α is among the humans.",
    ),
    System(
        "finesure", "FineSurE", "Song et al.", 2024, "arXiv:2407.00908", "GRADED", ("continuous",),
        "Several dimensions of a summary",
    ),
    System(
        "tigerscore", "TIGERScore", "Jiang et al.", 2023, "arXiv:2310.00752", "GRADED", ("continuous",),
        "A score with its explanation", ("correlation",),
    ),
    System(
        "instructscore", "InstructScore", "Xu et al.", 2023, "arXiv:2305.14282", "GRADED", ("continuous",),
        "A score with a diagnosis", ("correlation",),
    ),
    System(
        "instructeval", "InstructEval", "Chia et al.", 2023, "arXiv:2306.04757", "GRADED", ("ordinal",),
        "Likert grades of writing, beside measures of tasks",
    ),
    System(
        "justrank", "JuStRank", "Gera et al.", 2024, "arXiv:2412.09569", "PAIRWISE", ("pairwise",),
        "Preferences, summed up to a ranking of systems", no_second_name=True,
        note="The judges are studied by the ranking that they give.",
    ),
)  # fmt: skip
"""In the order of the table."""
BY_KEY = {system.key: system for system in SYSTEMS}
