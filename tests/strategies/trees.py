"""Random syntax trees that the grammar can write: every kind of node, in every place where it may stand.

What they say is nonsense; only their form is right. Every tree has the groups (parentheses) that it needs, and some
more. `without_groups` takes them all away, for a printer to find out by itself where they are needed.
"""

from __future__ import annotations

from typing import TypeVar, cast

import attrs
from hypothesis import strategies as st

from egodsl.syntax import nodes as n
from tests.strategies.tree_declarations import Modules
from tests.strategies.tree_expressions import NOWHERE, Draw

__all__ = ["NOWHERE", "expressions", "modules", "statements", "without_groups"]

T = TypeVar("T")


@st.composite
def expressions(draw: Draw) -> n.Expr:
    """Expressions such as stand in a guard."""
    return Modules(draw).expr(3)


@st.composite
def statements(draw: Draw) -> n.Statement:
    """Statements with their prose and all that is in them."""
    return Modules(draw).statement(3)


@st.composite
def modules(draw: Draw) -> n.Module:
    """Files of a few declarations."""
    return Modules(draw).module()


def without_groups(tree: T) -> T:
    """A copy of a tree without its groups."""
    copy: object = tree
    if isinstance(tree, n.Group):
        copy = without_groups(tree.inner)
    elif isinstance(tree, n.Node):
        kind: type = type(tree)
        names = [field.name for field in attrs.fields(kind) if field.name not in {"span", "title_span"}]
        places = {"title_span": tree.title_span} if isinstance(tree, n.ScenarioDecl) else {}
        copy = kind(**{name: without_groups(getattr(tree, name)) for name in names}, span=tree.span, **places)
    elif isinstance(tree, list):
        copy = [without_groups(item) for item in tree]
    return cast("T", copy)
