"""Twenty-four published systems and what a checklist would add to their reports, after Rao & Callison-Burch, Table A1."""
