"""From the text of a `.rules` file to its tree, its comments, and everything that is wrong with its form."""

from __future__ import annotations

import attrs

from egodsl.source.diagnostics import Diagnostic, Diagnostics
from egodsl.source.span import Span
from egodsl.source.text import SourceText
from egodsl.syntax.build_declarations import Builder
from egodsl.syntax.comments import Comment
from egodsl.syntax.driver import Machine
from egodsl.syntax.layout import MOST_ERRORS, Kind, lay_out
from egodsl.syntax.lexicon import lexicon
from egodsl.syntax.nodes import Module
from egodsl.syntax.recovery import Recovery

__all__ = ["Comment", "Parsed", "parse"]


@attrs.frozen
class Parsed:
    """A file as it was read.

    `module` is its tree, or None if not even the head could be read. With any error the tree is `partial`: what could
    not be read is missing from it. `comments` are all comments, in the order of the text.
    """

    source: SourceText
    module: Module | None
    comments: list[Comment]
    diagnostics: list[Diagnostic]

    @property
    def partial(self) -> bool:
        """Whether something is missing from the tree."""
        return any(diagnostic.is_error for diagnostic in self.diagnostics)


def parse(source: SourceText) -> Parsed:
    """Read a rulebook, variant or library. Never raises because of the text."""
    found = Diagnostics()
    words = lexicon()
    layout = lay_out(source, words.expression, found)
    if layout.tokens[0].kind is Kind.END:
        _empty(source, found, has_comments=bool(layout.comments))
        return Parsed(source, None, layout.comments, found.sorted())
    machine = Machine(words, source, layout.tokens, Builder(source, found))
    recovery = Recovery(machine, source, found, layout.reported)
    while (halt := machine.run()) is not None:
        if layout.hopeless or not recovery.mend(halt):
            break
    return Parsed(source, machine.result, layout.comments, _most(found.sorted()))


def _most(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    if len(diagnostics) < MOST_ERRORS:
        return diagnostics
    last = attrs.evolve(diagnostics[MOST_ERRORS - 1], notes=("reading stopped here: too much of this file is wrong",))
    return [*diagnostics[: MOST_ERRORS - 1], last]


def _empty(source: SourceText, found: Diagnostics, *, has_comments: bool) -> None:
    message = "nothing but comments stands in the file" if has_comments else "the file is empty"
    help = "`egodsl new` writes a small complete rulebook to start from"
    found.error("EGO003", Span(source, 0, 0), message, help=help)
