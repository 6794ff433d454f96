"""What was said by whom: ratings, labels, schemes, pairs of verdicts, identical items merged, and abstentions."""
