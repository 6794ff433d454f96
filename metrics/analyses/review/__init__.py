"""A rubric under review: criterion by criterion, sorted by κ, each with a decision and who carries it out."""
