"""The tree as text: one layout, minimal parentheses, the author's own kept.

Parsing what is printed gives the same tree again, if the grammar can write it at all. Only `Block.inline` may differ:
the body of a header goes below it if it does not fit beside it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from egodsl.syntax import nodes as n
from egodsl.syntax.printer_declarations import head_lines, item_lines
from egodsl.syntax.printer_docs import flat, lay_out
from egodsl.syntax.printer_expressions import right_side
from egodsl.syntax.printer_statements import Line, statement_lines

if TYPE_CHECKING:
    from collections.abc import Iterable


def print_expression(expr: n.Expr) -> str:
    """An expression on one line. `the ...` stands without parentheses, as on a whole right side."""
    return flat(right_side(expr))


def print_statement(statement: n.Statement) -> str:
    """A statement with its prose and all that is in it, ending in a line end."""
    return _text(statement_lines(statement, 0))


def print_module(module: n.Module) -> str:
    """A whole file. Blank lines stand around what has a block; one-line declarations of one kind stay together."""
    sections = module_sections(module)
    kinds = ["", *(item.kind for item in module.items)]
    pieces = [_text(sections[0])]
    for (before, after), (first, second) in zip(pairwise(sections), pairwise(kinds), strict=True):
        apart = first != second or has_block(before) or has_block(after)
        pieces.append(("\n" if apart else "") + _text(after))
    return "".join(pieces)


def module_sections(module: n.Module) -> list[list[Line]]:
    """The logical lines of the head, then those of each item."""
    return [head_lines(module), *(item_lines(item) for item in module.items)]


def has_block(lines: Iterable[Line]) -> bool:
    """Whether an item needs blank lines around it."""
    return any(line.opens for line in lines)


def line_texts(line: Line) -> list[str]:
    """The lines that one logical line becomes. What a header is continued by stands deeper than its block."""
    return lay_out(line.doc, line.depth, hang=2 if line.opens else 1)


def _text(lines: Iterable[Line]) -> str:
    return "".join(f"{text}\n" for line in lines for text in line_texts(line))
