"""Which of two answers is better: a judge beside the reference, ties and the order of the answers."""
