"""Scores against a human's verdicts: ROC curves, cuts, and whether a score means what it says."""
