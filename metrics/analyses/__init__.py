"""What every analysis shares: settings, records, evaluation with intervals, provenance; and a room for each question."""
