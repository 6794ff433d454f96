"""`python -m metrics`."""

from metrics.cli import main

main()
