"""`python -m kappascope`."""

from metrics.commands.cli import main

main()
