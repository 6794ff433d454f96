"""A rubric under review: criterion by criterion, worst first, each with a decision and who carries it out."""
