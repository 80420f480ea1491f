"""From reductions to nodes: expressions, types and words. Each method is named after a rule or an alias of the grammar.

A method takes the values of what the rule kept (nodes, tokens, lists) and the span of the whole, and gives the rule's
value. Parts that may be missing are told apart by their types.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

from egodsl.source.diagnostics import Diagnostics
from egodsl.source.span import Span
from egodsl.source.text import SourceText
from egodsl.syntax import nodes as n
from egodsl.syntax.layout import Token

Values = list[Any]
T = TypeVar("T")

MAX_INTEGER = 2**63 - 1
"""The largest number that can be written: results are held to 64 bits with a sign."""

_ESCAPE = re.compile(r"\\(.)")
_MOST_DIGITS = len(str(MAX_INTEGER))


def all_of(values: Values, kind: type[T]) -> list[T]:
    """Those of the values that are of that kind."""
    return [value for value in values if isinstance(value, kind)]


def one_of(values: Values, kind: type[T]) -> T | None:
    """The first of the values that is of that kind."""
    return next((value for value in values if isinstance(value, kind)), None)


def the_one(values: Values, kind: type[T]) -> T:
    """The first of the values that is of that kind, where the grammar sees to it that there is one."""
    return next(value for value in values if isinstance(value, kind))


class ExpressionBuilder:
    """Builds the nodes of one text. What no grammar can say, such as a number too large, goes to `found`."""

    def __init__(self, source: SourceText, found: Diagnostics) -> None:
        self.source = source
        self.found = found

    # ------------------------------------------------------------ words

    def ident(self, values: Values, span: Span) -> n.Ident:
        return n.Ident(values[0].text, span=span)

    def string(self, values: Values, span: Span) -> n.Text:
        return n.Text(self._unescaped(values[0], span), span=span)

    text = string

    def prose(self, values: Values, span: Span) -> n.Prose:
        return n.Prose([token.text[1:].strip() for token in values], span=span)

    def _unescaped(self, token: Token, span: Span) -> str:
        inner = token.text[1:-1]
        if "\\" not in inner:
            return inner
        for match in _ESCAPE.finditer(inner):
            if match.group(1) not in '"\\':
                start = span.start + 1 + match.start()
                self.found.error(
                    "EGO116",
                    Span(self.source, start, start + 2),
                    f"`{match.group()}` means nothing in a string",
                    help='a backslash is written `\\\\`, a quotation mark `\\"`',
                )
        return _ESCAPE.sub(r"\1", inner)

    def integer(self, values: Values, span: Span) -> n.Integer:
        return n.Integer(self._integer(values[0], span), span=span)

    def _integer(self, token: Token, span: Span) -> int:
        # Python itself refuses to convert thousands of digits, so they are counted first.
        digits = token.text.lstrip("0") or "0"
        if len(digits) > _MOST_DIGITS or int(digits) > MAX_INTEGER:
            shown = token.text if len(token.text) <= 2 * _MOST_DIGITS else f"{token.text[:_MOST_DIGITS]}…"
            self.found.error(
                "EGO117", span, f"the number `{shown}` is too large", help=f"the largest number is {MAX_INTEGER}"
            )
            return 0
        return int(digits)

    # ------------------------------------------------------------ types

    def named_type(self, values: Values, span: Span) -> n.TypeNode:
        return n.NamedType(values[0].name, span=span)

    def range_type(self, values: Values, span: Span) -> n.TypeNode:
        return n.RangeType(values[0], values[1] if len(values) > 1 else None, span=span)

    def optional_type(self, values: Values, span: Span) -> n.TypeNode:
        return n.OptionalType(values[0], span=span)

    def set_type(self, values: Values, span: Span) -> n.TypeNode:
        return n.SetType(values[0], span=span)

    def row_type(self, values: Values, span: Span) -> n.TypeNode:
        return n.RowType(values[0], span=span)

    # ------------------------------------------------------------ places and atoms

    def name(self, values: Values, span: Span) -> n.Expr:
        return n.Name(values[0].name, span=span)

    def place_index(self, values: Values, span: Span) -> n.Expr:
        return n.Index(self._name(values[0]), values[1:], span=span)

    def place_attribute(self, values: Values, span: Span) -> n.Expr:
        return n.Attribute(self._name(values[0]), values[1], span=span)

    def _name(self, ident: n.Ident) -> n.Name:
        return n.Name(ident.name, span=ident.span)

    def none(self, _: Values, span: Span) -> n.Expr:
        return n.NoneValue(span=span)

    def true(self, _: Values, span: Span) -> n.Expr:
        return n.Boolean(value=True, span=span)

    def false(self, _: Values, span: Span) -> n.Expr:
        return n.Boolean(value=False, span=span)

    def group(self, values: Values, span: Span) -> n.Expr:
        return n.Group(values[0], span=span)

    def tuple(self, values: Values, span: Span) -> n.Expr:
        return n.Tuple(values, span=span)

    def braces(self, values: Values, span: Span) -> n.Expr:
        return n.Braces(values, span=span)

    def brackets(self, values: Values, span: Span) -> n.Expr:
        return n.Brackets(values, span=span)

    def set_comprehension(self, values: Values, span: Span) -> n.Expr:
        return n.Comprehension("set", values[0], values[1:], span=span)

    def row_comprehension(self, values: Values, span: Span) -> n.Expr:
        return n.Comprehension("row", values[0], values[1:], span=span)

    def filter(self, values: Values, span: Span) -> n.Expr:
        return n.Filter(values[0], values[1], values[2:], span=span)

    # ------------------------------------------------------------ calls

    def attribute(self, values: Values, span: Span) -> n.Expr:
        return n.Attribute(values[0], values[1], span=span)

    def index(self, values: Values, span: Span) -> n.Expr:
        return n.Index(values[0], values[1:], span=span)

    def apply(self, values: Values, span: Span) -> n.Expr:
        return n.Call(values[0], values[1:], span=span)

    call = apply

    def apply_comprehension(self, values: Values, span: Span) -> n.Expr:
        ident, element, *clauses = values
        inner = Span(self.source, element.span.start, clauses[-1].span.end)
        argument = n.Argument(None, n.Comprehension("argument", element, clauses, span=inner), span=inner)
        return n.Call(ident, [argument], span=span)

    def argument(self, values: Values, span: Span) -> n.Argument:
        return n.Argument(None, values[0], span=span)

    def key_argument(self, values: Values, span: Span) -> n.Argument:
        return n.Argument(None, n.Key(values[0], span=span), span=span)

    def named_argument(self, values: Values, span: Span) -> n.Argument:
        return n.Argument(values[0], values[1], span=span)

    def named_key_argument(self, values: Values, span: Span) -> n.Argument:
        # The point stands just before the field, or with blanks between: the key begins behind the colon.
        ident, field = values
        colon = self.source.text.index(":", ident.span.end)
        start = self.source.text.index(".", colon)
        return n.Argument(ident, n.Key(field, span=Span(self.source, start, span.end)), span=span)

    # ------------------------------------------------------------ operators

    def conditional(self, values: Values, span: Span) -> n.Expr:
        return n.Conditional(values[0], values[1], values[2], span=span)

    def or_(self, values: Values, span: Span) -> n.Expr:
        return n.Or(values, span=span)

    def and_(self, values: Values, span: Span) -> n.Expr:
        return n.And(values, span=span)

    def not_(self, values: Values, span: Span) -> n.Expr:
        return n.Not(values[0], span=span)

    def compare(self, values: Values, span: Span) -> n.Expr:
        return n.Compare(values[1].text, values[0], values[2], span=span)

    def member(self, values: Values, span: Span) -> n.Expr:
        return n.Compare("in", values[0], values[1], span=span)

    def not_member(self, values: Values, span: Span) -> n.Expr:
        return n.Compare("not in", values[0], values[1], span=span)

    def binary(self, values: Values, span: Span) -> n.Expr:
        return n.Binary(values[1].text, values[0], values[2], span=span)

    def range(self, values: Values, span: Span) -> n.Expr:
        return n.Range(values[0], values[1], span=span)

    def negate(self, values: Values, span: Span) -> n.Expr:
        return n.Negate(values[0], span=span)

    # ------------------------------------------------------------ orders and clauses

    def the(self, values: Values, span: Span) -> n.Expr:
        return n.The(values[0], values[1], all_of(values, n.Where), all_of(values, n.SortKey), span=span)

    def most_key(self, values: Values, span: Span) -> n.SortKey:
        return n.SortKey("most", values[0], span=span)

    def least_key(self, values: Values, span: Span) -> n.SortKey:
        return n.SortKey("least", values[0], span=span)

    def random_key(self, _: Values, span: Span) -> n.SortKey:
        return n.SortKey("random", None, span=span)

    def where(self, values: Values, span: Span) -> n.Where:
        return n.Where(values[0], if_able=False, span=span)

    def where_if_able(self, values: Values, span: Span) -> n.Where:
        return n.Where(values[0], if_able=True, span=span)

    def clause(self, values: Values, span: Span) -> n.Clause:
        names, wheres = all_of(values, n.Ident), all_of(values, n.Where)
        return n.Clause(names, values[len(names)], wheres, span=span)

    binder = clause

    def binding(self, values: Values, span: Span) -> n.Binding:
        return n.Binding(values[0], values[1], values[2:], span=span)
