"""Biases that teams ask about: whether the judge is kinder to long answers, or to models of its own family."""
