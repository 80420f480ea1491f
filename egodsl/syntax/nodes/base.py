"""What every node is, and walking over trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, dataclass_transform

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from egodsl.source.span import Span

_Class = TypeVar("_Class", bound=type)


@dataclass_transform(eq_default=False, field_specifiers=(attrs.field,))
def node(cls: _Class) -> _Class:
    """Make a class of nodes: attrs, but compared by identity, and shown by one `__repr__` for all, which is made
    faster.
    """
    return attrs.define(eq=False, slots=True, repr=False)(cls)


@node
class Node:
    """Anything in the tree."""

    span: Span = attrs.field(kw_only=True, repr=False)

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in _fields_of(type(self)))
        return f"{type(self).__name__}({fields})"


@node
class Ident(Node):
    """A name where it is declared, or used outside an expression."""

    name: str


@node
class Prose(Node):
    """Lines that begin with `>`: the rule in the author's words. `lines` are without the `>` and outer white space."""

    lines: list[str]


# ---------------------------------------------------------------- walking

_child_fields: dict[type, tuple[str, ...]] = {}


def _fields_of(kind: type) -> tuple[str, ...]:
    names = _child_fields.get(kind)
    if names is None:
        names = tuple(a.name for a in attrs.fields(kind) if a.name not in {"span", "title_span"})
        _child_fields[kind] = names
    return names


def children(parent: Node) -> Iterator[Node]:
    """The nodes directly under `parent`, in the order of their fields."""
    for name in _fields_of(type(parent)):
        value = getattr(parent, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, Node):
                    yield item


def walk(root: Node) -> Iterator[Node]:
    """`root` and everything under it, parents before children."""
    stack = [root]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(list(children(current))))


def same_tree(left: object, right: object) -> bool:
    """Whether two trees say the same, wherever their text stood."""
    pairs: list[tuple[object, object]] = [(left, right)]
    while pairs:
        a, b = pairs.pop()
        if isinstance(a, Node):
            if type(a) is not type(b):
                return False
            pairs.extend((getattr(a, name), getattr(b, name)) for name in _fields_of(type(a)))
        elif isinstance(a, list):
            if not isinstance(b, list) or len(a) != len(b):
                return False
            pairs.extend(zip(a, b, strict=True))
        elif a != b:
            return False
    return True
