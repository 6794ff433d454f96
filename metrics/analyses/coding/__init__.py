"""Why judge and reference differ: each disagreement coded by people, counted, and what the codes change."""
