"""Which numbers fit a scale, and how those of another package differ."""
