"""How many labelled items would settle a question, and what clusters of decisions do to an interval."""
