"""Which family a model or a judge belongs to, by its name."""

from __future__ import annotations

import re

FAMILIES: dict[str, str] = {
    "GPT": r"gpt|chatgpt|davinci|openai|\bo[1345]\b",
    "Claude": r"claude|anthropic",
    "Gemini": r"gemini|gemma|palm|bard",
    "Llama": r"llama",
    "Mistral": r"mistral|mixtral",
    "Qwen": r"qwen|qwq",
    "DeepSeek": r"deepseek",
    "Command": r"command-?r|cohere",
    "Grok": r"grok",
    "Phi": r"\bphi\b|phi-?\d",
    "Nova": r"\bnova\b",
}
"""Name of a family to what its members are called. A model trained on the answers of another family is no member of it."""


def family_of(name: str) -> str:
    """Return the family of a model by its name; empty where none is known, or several are named."""
    plain = name.lower().replace("_", "-")
    known = [family for family, pattern in FAMILIES.items() if re.search(pattern, plain)]
    return known[0] if len(known) == 1 else ""
