"""Several judges together, and one judge several times."""
