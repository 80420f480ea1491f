"""Statements one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from egodsl.engine.bodies import Body
    from egodsl.syntax import nodes


def block(body: Body, statements: nodes.Block | None, *, always: bool = False) -> None:
    """The statements in order. Unless play `always` comes through them, what they bind may have no value afterwards."""
    sure = body.slots.keys() - body.unsure
    for statement in statements.statements if statements is not None else ():
        body.linker.statement(body, statement)
    if not always:
        body.unsure |= body.slots.keys() - sure
