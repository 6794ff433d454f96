"""What sways a judge where the human label is the same: the length of the answer, its source, and kinship with the judge."""
