"""Which judge ranks models best, at what cost: the judges of a file under every metric, and what cannot be told apart."""
