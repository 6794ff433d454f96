"""Two judges, or all of them, on the decisions both made: differences, tests, and who won where."""
