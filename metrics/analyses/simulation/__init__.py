"""Which metric picks the judge that ranks models best: a simulation."""
