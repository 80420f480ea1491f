"""What a player sees, as text: the whole view, the part that everybody sees, or the part that only some see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.engine.texts import player_name
from egodsl.engine.views import index_texts
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from egodsl.engine.views import View, ZoneView
    from egodsl.interop.position import Position


def observation_text(position: Position, player: int, *, public: bool = True, private: bool = True) -> str:
    """The view of a player in lines, with the tokens of a move that they have begun.

    `public`: what everybody sees, which is the same for all players. `private`: what only some players see, or know.
    """
    view = position.state.view(player)
    lines = []
    if public:
        lines += list(_public_lines(position, view))
    if private:
        lines += list(_private_lines(position, view))
        texts = position.rules.encoding.texts
        lines += [f"begun: {texts[token]}" for token in position.begun(player)]
    return "\n".join(lines)


def _public_lines(position: Position, view: View) -> Iterator[str]:
    yield f"running: {', '.join(view.stages)}"
    if view.active is not None:
        yield f"on turn: {player_name(view.active)}"
    who = "chance" if view.chance else ", ".join(map(player_name, view.deciding))
    yield "over" if view.over else f"deciding: {who}"
    slots = position.rules.game.layout.slots
    for zone, slot in zip(view.zones, slots, strict=False):
        if slot.seen == "face up":
            yield f"{zone.text}: {_faces(zone)}"
        else:
            yield f"{zone.text}: {zone.count} cards"
    public = _variables(position, public=True)
    for variable in view.variables:
        if variable.text in public:
            yield f"{variable.text}: {variable.value}"


def _private_lines(position: Position, view: View) -> Iterator[str]:
    slots = position.rules.game.layout.slots
    for zone, slot in zip(view.zones, slots, strict=False):
        if slot.seen != "face up":
            yield f"{zone.text} shows {_faces(zone)}"
    public = _variables(position, public=True)
    for variable in view.variables:
        if variable.text not in public:
            yield f"{variable.text}: {variable.value}"


def _faces(zone: ZoneView) -> str:
    told = ", ".join("?" if face is None else face for face in zone.places) or "nothing"
    return f"{told} and somewhere {', '.join(zone.known)}" if zone.known else told


def _variables(position: Position, *, public: bool) -> set[str]:
    # The names of those that everybody may read, or of the others.
    game = position.rules.game
    found = set()
    for slot in game.layout.var_slots:
        if isinstance(slot.decl, nodes.VarDecl) and (slot.seen == "face up") == public:
            texts = index_texts(game, slot.decl.indexes, slot.indexes)
            found.add(f"{slot.decl.name.name}[{', '.join(texts)}]" if texts else slot.decl.name.name)
    return found


def is_all_open(position: Position) -> bool:
    """Whether everything lies face up and every variable may be read by all, so that nobody knows more than others."""
    layout = position.rules.game.layout
    return all(slot.seen == "face up" for slot in layout.slots[:-1]) and not _variables(position, public=False)
