"""Intervals: clustered jackknife, single-table rules, and the default that chooses between them."""
