"""The whole analysis of a linked program."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING

from egodsl.analysis import (
    declared,
    graph,
    infer_declarations,
    infer_functions,
    infer_names,
    infer_operators,
    infer_properties,
    infer_scenarios,
    infer_sets,
    names,
)
from egodsl.analysis.link import link
from egodsl.analysis.scope import Context
from egodsl.source.diagnostics import sort_diagnostics
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from pathlib import Path

    from egodsl.analysis.symbols import Checked, Program
    from egodsl.source.diagnostics import Diagnostic
    from egodsl.source.text import SourceText

RULES = (infer_names, infer_operators, infer_sets, infer_functions)
"""The modules whose import registers the rules of inference."""


def analyse(program: Program) -> Checked:
    """What names and types mean in a linked program, and what is wrong with them, sorted, in `diagnostics`."""
    ctx = Context(program)
    names.collect(ctx)
    declared.players(ctx)
    declared.signatures(ctx)
    infer_declarations.values(ctx)
    infer_declarations.bodies(ctx)
    infer_scenarios.scenarios(ctx)
    infer_properties.properties(ctx)
    infer_declarations.constants(ctx)
    graph.check_graph(ctx, _roots(program))
    ctx.report_missing()
    ctx.checked.diagnostics = ctx.found.sorted()
    return ctx.checked


def _roots(program: Program) -> list[nodes.Node]:
    # What runs while nobody acts. A library's stages are played by others.
    roots: list[nodes.Node] = [
        *program.types.values(),
        *program.parameters.values(),
        *program.cards.values(),
        *program.components.values(),
        *program.zones.values(),
        *program.vars.values(),
        *program.conditions.values(),
        *program.runs_out.values(),
        *program.scenarios.values(),
        *program.properties.values(),
        *program.presets.values(),
    ]
    heads: list[nodes.Node | None] = [program.players, program.result, program.payoff, program.stages.get("game")]
    return [*roots, *(head for head in heads if head is not None)]


def check_file(path: Path | SourceText) -> tuple[Checked | None, list[Diagnostic]]:
    """Link and analyse a file, and run every static check.

    Gives None where linking failed, and all diagnostics, sorted. `path` is the path of a file or a text read already.
    Raises OSError as the system reports it if there is no such file.
    """
    program, found = link(path)
    if program is None:
        return None, found
    checked = analyse(program)
    checked.diagnostics = sort_diagnostics([*found, *checked.diagnostics])
    spec = importlib.util.find_spec("egodsl.analysis.checks")
    if spec is not None and spec.origin is not None:
        more = importlib.import_module("egodsl.analysis.checks").run(checked)
        checked.diagnostics = sort_diagnostics([*checked.diagnostics, *more])
    return checked, checked.diagnostics
