"""The command `selftest`."""

from __future__ import annotations

import json

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def selftest(*, as_json: bool) -> int:
    """Are the published numbers still computed? No FILE; exit 1 when one differs."""
    from metrics.content.selftest.checking import self_test
    from metrics.content.selftest.readings import summary

    report = self_test()
    click.echo(json.dumps(report.to_dict(), ensure_ascii=False, allow_nan=False) if as_json else summary(report))
    return 0 if report.agrees else 1
