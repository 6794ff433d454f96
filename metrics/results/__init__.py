"""One way to hold a number and to write it: estimate, part, report, table, words, JSON and CSV."""
