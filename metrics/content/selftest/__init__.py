"""Published tables, recomputed on this machine."""
