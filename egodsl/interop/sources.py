"""From which zones the cards of a move may come, as far as the rulebook says it plainly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.analysis.symbols import Local
from egodsl.engine.bodies import holds_cards
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from egodsl.engine.code import Option, Site
    from egodsl.engine.game import Game


class Sources:
    """Looks up the heads of decisions."""

    def __init__(self, game: Game) -> None:
        self._checked = game.checked
        self._heads = dict(self._all_heads(game))

    def slots(self, game: Game, site: Site, option: Option, argument: int) -> list[int]:
        """The zone slots in which a card lies that the argument of an option may name: all, where it is not plain."""
        everything = list(range(game.layout.outside))
        decl = option.action.decl if option.action is not None else None
        span = option.span or site.span
        bindings = decl.bindings if isinstance(decl, nodes.ActionDecl) else self._heads.get((span.start, span.end))
        if bindings is None or len(bindings) <= argument:
            return everything
        zones = self._zones(bindings[argument].domain)
        if zones is None:
            return everything
        return [slot for slot in everything if game.layout.slots[slot].decl in zones]

    def _all_heads(self, game: Game) -> Iterator[tuple[tuple[int, int], list[nodes.Binding]]]:
        for code in game.codes:
            for node in nodes.walk(code.decl) if code.decl is not None else ():
                if isinstance(node, nodes.Choose | nodes.May):
                    yield (node.span.start, node.span.end), node.bindings
                elif isinstance(node, nodes.ChooseOption):
                    for option in node.options:
                        yield (option.label.span.start, option.label.span.end), option.bindings

    def _zones(self, domain: nodes.Expr) -> set[nodes.Node] | None:
        refs = self._checked.refs
        found: set[nodes.Node] = set()
        walked = list(self._within(domain))
        inside = {refs.get(node) for node in walked if isinstance(node, nodes.Ident)}
        for node in walked:
            ref = refs.get(node)
            if isinstance(ref, nodes.ZoneDecl):
                found.add(ref)
            elif self._names_cards(ref) and ref not in inside:
                return None
        return found or None

    def _names_cards(self, ref: object) -> bool:
        if isinstance(ref, Local):
            return holds_cards(ref.type)
        return isinstance(ref, nodes.VarDecl) and holds_cards(self._checked.declared[ref.type])

    def _within(self, expr: nodes.Node) -> Iterable[nodes.Node]:
        # Defines never lead back to themselves.
        for node in nodes.walk(expr):
            yield node
            ref = self._checked.refs.get(node)
            if isinstance(ref, nodes.DefineDecl):
                yield from self._within(ref)
