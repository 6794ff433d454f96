"""Where the labels of the systems lie, under which licence, and how to load them.

What could not be established says so. Nothing here is requested by the package: an address is text until somebody follows it.
"""

from __future__ import annotations

from dataclasses import dataclass

OPEN = "not established"
AGREEMENT, RATERS, SCORES = ("python -m metrics " + name for name in ("agreement", "raters", "scores"))
PREFERENCES = '--labels "A=positive,B=negative,tie=tie"'


@dataclass(frozen=True)
class Source:
    """Public data of one system.

    Attributes
    ----------
    place : str
        `owner/name` of the repository, or of the data set with `datasets/` before it; empty where none was found.
    licence : str
        As stated there, or `OPEN`.
    checked : str
        What was read to know it.
    holds : str
        What is there.
    layout : str
        How it becomes a file that can be opened: as it is, or a row per what.
    command : str
        The line that then loads it; empty where there is nothing to load.
    """

    place: str = ""
    licence: str = OPEN
    checked: str = ""
    holds: str = ""
    layout: str = ""
    command: str = ""

    @property
    def link(self) -> str:
        """Address of the place; empty where none was found."""
        if not self.place:
            return ""
        host = "huggingface.co" if self.place.startswith(("datasets/", "spaces/")) else "github.com"
        return f"https://{host}/{self.place}"

    @property
    def loads(self) -> bool:
        return bool(self.command)


_NO_LICENCE = "No licence file was found among its files"
_PAIR = (
    "item = the question and the two systems in a fixed order, human and verdict = A, B or tie, turned where the two stand the "
    "other way"
)

SOURCES: dict[str, Source] = {
    "g-eval": Source(
        "nlpyang/geval", "MIT", "LICENSE file and scripts of the repository",
        "Prompts, scripts, and by its README the answers of the judge on SummEval. The script that correlates them leaves out "
        "texts on which a side gives one score only, and does not count them.",
        "Convert: one row per summary and dimension; criterion = dimension, human = its score, verdict = mean of the answers.",
        f"{SCORES} geval.csv --scale continuous",
    ),
    "llm-eval": Source(),
    "seeval": Source(),
    "checkeval": Source(
        "yukyunglee/CheckEval", "MIT", "LICENSE file and README of the repository",
        "In data/topical_chat: mean human scores on six criteria beside those of an evaluator that the file does not name. "
        "The yes/no answers themselves are not among the files that were read. No licence is known for the human scores.",
        "Convert: one row per response and criterion; human = mean human score, verdict = the evaluator’s.",
        f"{SCORES} checkeval.csv --scale continuous",
    ),
    "mt-bench": Source(
        "datasets/lmsys/mt_bench_human_judgments", "CC-BY-4.0", "card of the data set",
        "3 355 votes of people and 2 400 verdicts of GPT-4: question_id, model_a, model_b, winner, judge, turn.",
        f"Convert: one row per pair of answers and turn; {_PAIR}, criterion = turn, human = the most frequent vote.",
        f"{AGREEMENT} mt-bench.csv {PREFERENCES}",
    ),
    "alpacaeval": Source(
        "datasets/tatsu-lab/alpaca_eval", "CC-BY-NC-4.0", "list of files of the data set",
        "Human annotations in alpaca_farm_human_annotations.json and …_crossannotations.json. Their fields were not read.",
        f"Convert: one row per pair of outputs; {_PAIR}.",
        f"{AGREEMENT} alpacaeval.csv {PREFERENCES}",
    ),
    "auto-j": Source(
        "GAIR-NLP/auto-j", OPEN, f"README of the repository. {_NO_LICENCE}",
        "By its README 1 392 pairs with one human label each (0 first, 1 second, 2 tie) in data/test/testdata_pairwise.jsonl; "
        "the verdicts of a judge are to be made.",
        "Convert: one row per pair; item = number of the line, human = A, B or tie for 0, 1 or 2; add your judge’s verdict.",
        f"{AGREEMENT} auto-j.csv {PREFERENCES}",
    ),
    "pandalm": Source(
        "WeOpenML/PandaLM", "Apache-2.0", "LICENSE file and data files of the repository",
        "999 pairs with the labels of three annotators in data/testset-v1.json, and the verdicts of two judges beside it.",
        "The humans load as they are. With a judge: one row per pair and judge; item = idx, human = majority, verdict = its.",
        f'{RATERS} testset-v1.json --columns "human:annotator1=annotator1,human:annotator2=annotator2,'
        'human:annotator3=annotator3,item=idx" --labels "1=positive,2=negative,0=tie" --scale pairwise',
    ),
    "judgelm": Source(
        "datasets/BAAI/JudgeLM-100K", "CC-BY-NC-4.0", "list of files of the data set, README of baaivision/JudgeLM",
        "5 000 pairs for validation with the judgments of GPT-4: the reference there is a model, not a person.",
        f"Convert: one row per pair; {_PAIR}; and say that the reference is GPT-4.",
        f"{AGREEMENT} judgelm.csv {PREFERENCES}",
    ),
    "llmbar": Source(
        "princeton-nlp/LLMBar", "MIT", "table of licences of JUDGE-BENCH, list of files of the repository",
        "Pairs with a gold label against many judges, each asked in both orders: "
        "Dataset/LLMBar/Natural/evaluators/MODEL/STRATEGY/result.json.",
        "Convert: one row per pair and judge; human = label, verdict = winner in the given order, as output_1 or output_2; "
        "an answer that cannot be read is INVALID.",
        f'{AGREEMENT} llmbar.csv --labels "output_1=positive,output_2=negative,INVALID=invalid"',
    ),
    "prometheus": Source(
        "datasets/prometheus-eval/Preference-Collection", "CC-BY-4.0", "card of the data set",
        "The card names the papers of both Prometheus. Scores and preferences to train on; whether a person gave any of them was "
        "not established.",
    ),
    "prometheus-2": Source(
        "datasets/prometheus-eval/Preference-Collection", "CC-BY-4.0", "card of the data set",
        "Scores and preferences to train on (orig_score_A, orig_score_B, orig_preference); whether a person gave any of them was "
        "not established.",
    ),
    "flask": Source(
        "kaistAI/FLASK", OPEN, f"README of the repository. {_NO_LICENCE}",
        "Questions and outputs of models; by its README the scores of GPT-4 in gpt_review/outputs. Human scores were not found.",
    ),
    "llm-rubric": Source(
        "microsoft/LLM-Rubric", "MIT", "as recorded with the files of commit 70d56fc; the licence file was not read again",
        "In data/real_data: nine questions on 223 dialogues, one person for each, and the judge’s share of every answer. "
        "A human 0 reads as not applicable.",
        "Convert: one row per dialogue and question; human = 1 to 4, or NA for 0; verdict = the most probable answer.",
        f"{SCORES} llm-rubric.csv --order 1,2,3,4 --labels NA=abstention",
    ),
    "ares": Source(
        "stanford-futuredata/ARES", OPEN, f"README and data files of the repository. {_NO_LICENCE}",
        "In an earlier state datasets_v2/LLM_Judge_Test_Set_Human_Annotations.tsv: three human labels 0 or 1 for each answer. "
        "Verdicts of a judge are to be made.",
        "Convert: one row per answer and label; criterion = name of the label, human = 0 or 1; add your judge’s verdict.",
        f'{AGREEMENT} ares.csv --labels "1=positive,0=negative"',
    ),
    "ragas": Source(
        "explodinggradients/ragas", "Apache-2.0",
        "as recorded with the files of commit 3e28e9d; the licence file was not read again",
        "Three sample files in docs/_static: 58 verdicts that a reviewer accepted, rejected or corrected. Such labels lean on "
        "the judge.",
        "Convert: one row per verdict; human = verdict where accepted, else its opposite or the correction; MET and UNMET.",
        f"{AGREEMENT} ragas.csv",
    ),
    "poll": Source(),
    "chateval": Source(
        "thunlp/ChatEval", OPEN,
        "README of an earlier state of the repository; it names Apache-2.0 for the framework that ChatEval builds on",
        "The program of the discussion. Whether labels of people are among its files was not established.",
    ),
    "judge-bench": Source(
        "dmg-illc/JUDGE-BENCH", "by data set; none for the whole", "table of licences in data/README.md of the repository",
        "Human annotations of many data sets, one JSON file each, with every annotator’s label; DICES among them (CC-BY-4.0).",
        "Convert: one row per item and annotator; criterion = annotation. For DICES the labels are Yes, No and Unsure.",
        f'{RATERS} dices.csv --labels "Yes=positive,No=negative,Unsure=abstention"',
    ),
    "finesure": Source(
        "DISL-Lab/FineSurE-ACL24", OPEN, f"README of the repository. {_NO_LICENCE}",
        "Samples of ten summaries from FRANK and REALSumm, and results of the judge on them.",
    ),
    "tigerscore": Source(
        "TIGER-AI-Lab/TIGERScore", "MIT", "LICENSE file of the repository; its README leaves the licence open",
        "Prepared test sets of several tasks in data/evaluation. Their fields were not read.",
    ),
    "instructscore": Source(
        "xu1998hz/InstructScore_SEScore3", OPEN, f"README of the repository. {_NO_LICENCE}",
        "Outputs of the judge on WMT22, WebNLG and other sets in reproduce. Human scores were not established.",
    ),
    "instructeval": Source(
        "declare-lab/instruct-eval", "MIT", "LICENSE file of the repository",
        "Leaderboards with a row per model in docs. Labels by item were not found.",
    ),
    "justrank": Source(
        "spaces/ibm/JuStRank", OPEN, "list of files of the published board",
        "A table with one row per judge. Labels by item were not found.",
    ),
}  # fmt: skip
"""By the key of the system."""
