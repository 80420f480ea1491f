"""`egodsl check`: is the rulebook sound?"""

from __future__ import annotations

import click

from egodsl.cli.console import Misuse, counted, out, out_json, show
from egodsl.cli.rulebooks import rules_files
from egodsl.source.diagnostics import Diagnostic, Severity, sort_diagnostics
from egodsl.source.render import summary, to_json


@click.command("check")
@click.argument("paths", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Give JSON for a program.")
@click.option("--concise", is_flag=True, help="Give each finding on one line.")
def command(paths: tuple[str, ...], as_json: bool, concise: bool) -> int:
    """Read rulebooks and say what is wrong with them, without playing.

    A directory means the `.rules` files in it, a bare name a rulebook that egodsl ships. Warnings do not make the
    exit code 1, errors do.

    The JSON is an object: `files` (how many were checked), `errors`, `warnings` (how many there are), and
    `diagnostics`, a list of objects with `code`, `name`, `severity`, `message`, `span`, `labels`, `help` and `notes`.
    """
    if as_json and concise:
        raise Misuse("`--json` and `--concise` exclude each other")
    files = rules_files(paths, by_name=True)
    from egodsl.analysis import check_file  # noqa: PLC0415 - misuse is told before anything heavy is loaded

    found: list[Diagnostic] = []
    for path in files:
        found.extend(check_file(path)[1])
    # Two files may share a library; what is wrong in it is told once.
    found = sort_diagnostics(found)
    errors = sum(diagnostic.is_error for diagnostic in found)
    if as_json:
        warnings = sum(diagnostic.severity is Severity.WARNING for diagnostic in found)
        out_json(
            {"files": len(files), "errors": errors, "warnings": warnings, "diagnostics": [to_json(d) for d in found]}
        )
    else:
        show(found, concise=concise)
        if not concise:
            out(f"{summary(found)} in {counted(len(files), 'file')}")
    return 1 if errors else 0
