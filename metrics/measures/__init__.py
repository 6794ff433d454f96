"""Numbers of arrays: coefficients, rates, rank statistics, exact tests, and the catalogue that describes them."""
