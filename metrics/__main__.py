"""`python -m metrics`."""

from metrics.commands.cli import main

main()
