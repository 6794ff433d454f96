"""From a rate that a judge reports to the true one, by what it got right and wrong on golden items."""
