"""Why an expectation does not hold: the values on which it hangs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.analysis import types as t
from egodsl.source.diagnostics import quote
from egodsl.syntax import nodes
from egodsl.verify.problems import ProblemError

if TYPE_CHECKING:
    from typing import Protocol

    from egodsl.analysis.symbols import Checked
    from egodsl.engine.state import State
    from egodsl.engine.values import Value

    class Reader(Protocol):
        """Works out the parts of a condition, and writes values."""

        checked: Checked

        def value(self, expr: nodes.Expr, state: State, you: int | None) -> Value:
            """The value of a part; raises ProblemError."""

        def text(self, value: Value, kind: t.Type, state: State) -> str:
            """A value of the type in words."""


_PLAIN = nodes.Integer | nodes.Boolean | nodes.NoneValue | nodes.Text


def why_not(reader: Reader, condition: nodes.Expr, state: State, you: int | None) -> list[str]:
    """What there is instead: for a comparison the value of both sides; for an `and` the first part that fails."""
    return _told(reader, condition, state, you, wanted=True)


def _told(reader: Reader, expr: nodes.Expr, state: State, you: int | None, *, wanted: bool) -> list[str]:
    match expr:
        case nodes.Group():
            return _told(reader, expr.inner, state, you, wanted=wanted)
        case nodes.Not():
            return _told(reader, expr.operand, state, you, wanted=not wanted)
        case nodes.And() if wanted:
            failing = next(part for part in expr.operands if not reader.value(part, state, you))
            return _named(failing, _told(reader, failing, state, you, wanted=True))
        case nodes.Or() if not wanted:
            holding = next(part for part in expr.operands if reader.value(part, state, you))
            return _named(holding, _told(reader, holding, state, you, wanted=False))
        case nodes.Compare():
            return [note for side in (expr.left, expr.right) for note in _side(reader, side, state, you)]
        case nodes.Call():
            return [note for one in expr.arguments for note in _side(reader, one.value, state, you)]
        case _:
            return []


def _named(part: nodes.Expr, notes: list[str]) -> list[str]:
    return [f"it fails because of {quote(part.span.text)}", *notes]


def _side(reader: Reader, expr: nodes.Expr, state: State, you: int | None) -> list[str]:
    kind = reader.checked.types.get(expr)
    if kind is None or isinstance(expr, _PLAIN | nodes.Key | nodes.Comprehension) or _is_literal(expr):
        return []
    try:
        value = reader.value(expr, state, you)
    except ProblemError:
        # What cannot be worked out was not what the expectation came to.
        return []
    notes = [f"{quote(expr.span.text)} is {reader.text(value, kind, state)}"]
    if isinstance(expr, nodes.Call) and expr.name.name != "old" and isinstance(kind, t.IntType):
        # A number that was counted or summed: what of.
        notes += [note for one in expr.arguments for note in _side(reader, one.value, state, you)]
    return notes


def _is_literal(expr: nodes.Expr) -> bool:
    """Whether the author's words say the value already: faces, letters and lists of them."""
    match expr:
        case nodes.Braces() | nodes.Brackets():
            return all(_is_literal(item) for item in expr.items)
        case nodes.Call():
            return expr.name.name[:1].isupper() and all(_is_literal(one.value) for one in expr.arguments)
        case nodes.Name():
            return len(expr.name) == 1
        case _:
            return isinstance(expr, _PLAIN)
