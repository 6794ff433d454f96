"""What pulls a judge at the same human label: the length of the answer, its source, and kinship with the judge."""
