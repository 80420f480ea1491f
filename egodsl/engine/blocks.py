"""Statements one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from egodsl.engine.bodies import Body
    from egodsl.syntax import nodes


def block(body: Body, statements: nodes.Block | None) -> None:
    """The statements in order."""
    for statement in statements.statements if statements is not None else ():
        body.linker.statement(body, statement)
