"""What to label next: items drawn by strata of what judges say of them, with the weight of each."""
