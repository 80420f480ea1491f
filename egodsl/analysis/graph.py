"""The graph of calls: what leads back to itself, which declarations need a `you`, and where nobody is one."""

from __future__ import annotations

from egodsl.analysis.scope import Context, Edge, Use
from egodsl.source.diagnostics import Label
from egodsl.syntax import nodes


def check_graph(ctx: Context, roots: list[nodes.Node]) -> None:
    """Report recursion, fill `needs_you`, and report uses of `you` that nobody binds. `roots` run without a `you`."""
    for reaction in ctx.program.reactions.values():
        event = ctx.refs.get(reaction.event)
        if isinstance(event, nodes.EventDecl):
            edge = Edge(reaction, reaction.event.span, bound=False, announced=True)
            ctx.edges.setdefault(event, []).append(edge)
    _recursion(ctx)
    needing = _needing(ctx)
    ctx.checked.needs_you |= set(needing)
    for root in roots:
        _nobody(ctx, root, needing)


def _needing(ctx: Context) -> dict[nodes.Node, Use]:
    # Each node that needs a `you`, with the use that it is needed for, found backwards along unbound calls.
    callers: dict[nodes.Node, list[nodes.Node]] = {}
    for caller, edges in ctx.edges.items():
        for edge in edges:
            if not edge.bound:
                callers.setdefault(edge.target, []).append(caller)
    needing = dict(ctx.uses)
    open_ = list(needing)
    while open_:
        node = open_.pop()
        for caller in callers.get(node, ()):
            if caller not in needing:
                needing[caller] = needing[node]
                open_.append(caller)
    return needing


def _nobody(ctx: Context, root: nodes.Node, needing: dict[nodes.Node, Use]) -> None:
    use = needing.get(root)
    if use is None:
        return
    claim = isinstance(root, nodes.PropertyDecl)
    direct = ctx.uses.get(root)
    if direct is not None:
        ctx.error(
            "EGO310",
            direct.span,
            f"`{direct.words}` is about `you`, and nobody is `you` here",
            help=_FOR_WHOM if claim else "`turns`, `as`, and the `as` of a trigger say who acts; or name the player",
        )
        return
    edge = next(edge for edge in ctx.edges[root] if not edge.bound and edge.target in needing)
    inner = needing[edge.target]
    ctx.error(
        "EGO310",
        edge.span,
        f"`{edge.span.text}` is about `you`, and nobody is `you` here",
        help=_FOR_WHOM if claim else "`turns`, `as`, and the `as` of a trigger say who acts",
        labels=(Label(inner.span, f"`{inner.words}` is yours, or asks you"),),
    )


_FOR_WHOM = "say for whom: `for p in players: …`, and name `p`; behind `after ACTION` you are who acted"


def _recursion(ctx: Context) -> None:
    # A depth-first walk without Python's stack; an edge back into the way that led here closes a circle.
    done: set[nodes.Node] = set()
    for start in sorted(ctx.edges, key=lambda node: (node.span.source.path, node.span.start)):
        way: list[tuple[nodes.Node, list[Edge]]] = []
        on_way: set[nodes.Node] = set()
        if start not in done:
            way.append((start, _calls(ctx, start)))
            on_way.add(start)
        while way:
            node, edges = way[-1]
            if not edges:
                way.pop()
                on_way.discard(node)
                done.add(node)
                continue
            edge = edges.pop(0)
            if edge.target in on_way:
                _circle(ctx, [one for one, _ in way], edge)
            elif edge.target not in done:
                on_way.add(edge.target)
                way.append((edge.target, _calls(ctx, edge.target)))


def _calls(ctx: Context, node: nodes.Node) -> list[Edge]:
    return [edge for edge in ctx.edges.get(node, ()) if not edge.announced]


def _circle(ctx: Context, way: list[nodes.Node], edge: Edge) -> None:
    circle = [*way[way.index(edge.target) :], edge.target]
    names = [f"`{one.name.name}`" for one in circle if isinstance(one, nodes.Declaration)]
    kind = edge.target.kind if isinstance(edge.target, nodes.Declaration) else "declaration"
    how = "itself" if len(names) <= 2 else f"itself: {' to '.join(names)}"  # noqa: PLR2004 - itself and back
    ctx.error(
        "EGO312",
        edge.span,
        f"the {kind} {names[-1]} leads back to {how}",
        help="nothing may run inside itself: use `repeat`, `for`, or a variable that says how far it is",
    )
