"""Scales beyond yes and no: ordered options, scores, and the numbers that fit each of them."""
