"""What a game is made of, for a player: kinds of cards with how many there are of each, places, things to keep track
of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import attrs

from egodsl.analysis import types as t
from egodsl.engine.game import Game
from egodsl.engine.layout import CardType
from egodsl.engine.setup import enum_items
from egodsl.reports.player_rules_model import Block, Listed, Paragraph, Section, Table, Term, Terms
from egodsl.reports.player_rules_prose import Notes, below, capital, plain, readable
from egodsl.syntax import nodes

LONG = 24
"""Letters above which faces stand on lines of their own."""

_LAYOUTS = {"stack": "a pile", "row": "a row", "set": "cards in no order", "one": "a single card"}
_SEEN = {
    "face up": "face up",
    "face down": "face down",
    "owner only": "seen by its owner only",
    "others only": "seen by all but its owner",
}


@attrs.frozen
class _Face:
    """One of the faces of a kind of card: what is written on it, its group, and what else is printed."""

    text: str
    group: str
    columns: tuple[str, ...]


def cards(game: Game, notes: Notes, decls: list[nodes.Declaration]) -> Iterator[Section]:
    """A section for each kind of card: what is said of it, and its faces with their numbers."""
    for kind in game.layout.types:
        decl = kind.decl
        if decl not in decls:
            continue
        named = capital(readable(decl.name.name))
        blocks: list[Block] = list(notes.paragraphs(decl.prose))
        fields: list[nodes.Field | nodes.Mark] = [*decl.fields, *decl.marks]
        for one in fields:
            blocks += notes.paragraphs(one.prose, capital(readable(one.name.name)))
        for made in decls:
            if isinstance(made, nodes.ComponentsDecl) and made.card.name == decl.name.name:
                blocks += notes.paragraphs(made.prose)
        total = len(kind.cards)
        if not total and not blocks:
            continue
        number = f"{total} card" if total == 1 else f"{total} cards"
        blocks += _faces(game, kind)
        yield Section(f"{named}: {number}", f"card {decl.name.name}", tuple(blocks))


def _faces(game: Game, kind: CardType) -> Iterator[Block]:
    columns = _columns(game, kind)
    grouping = _grouping(game, kind)
    counted: Counter[_Face] = Counter()
    for card in kind.cards:
        group = _text(game, kind, grouping, card) if grouping is not None else ""
        text = game.texts.card(card).strip()
        cells = tuple("" if (cell := _cell(game, kind, name, card)) == text else cell for name in columns)
        counted[_Face(text, group, cells)] += 1
    if columns:
        rows = [(face.text, *face.columns, str(count)) for face, count in counted.items()]
        head = ("Card", *(capital(readable(name)) for name in columns), "Number")
        cells_of = tuple(tuple((Paragraph(plain(text)),) if text else () for text in row) for row in rows)
        yield Table(head, cells_of, tuple(range(1, len(head))))
        return
    listed: dict[tuple[str, int], list[str]] = {}
    for face, count in counted.items():
        listed.setdefault((face.group, count), []).append(face.text)
    for (group, count), texts in listed.items():
        caption = f"{capital(group)}, {count} of each" if group else f"{count} of each"
        yield Listed(caption, tuple(texts), any(len(text) > LONG for text in texts))


def _columns(game: Game, kind: CardType) -> list[str]:
    # What is on a card and not in the words by which it is called; and the number behind a name that is all its face.
    decl = kind.decl
    template = decl.written.template if decl.written is not None else None
    found = []
    for field in decl.fields:
        of = game.checked.declared[field.type]
        part = f"{{{field.name.name}}}"
        is_named = template == part and isinstance(of, t.IntType) and of.label is not None
        if is_named or (template is not None and part not in template):
            found.append(field.name.name)
    return found


def _grouping(game: Game, kind: CardType) -> str | None:
    for field in kind.decl.fields:
        if isinstance(game.checked.declared[field.type], t.EnumType):
            return field.name.name
    return None


def _text(game: Game, kind: CardType, name: str, card: int) -> str:
    of = next(game.checked.declared[field.type] for field in kind.decl.fields if field.name.name == name)
    value = (kind.fields.get(name) or kind.texts[name])[card]
    return "" if value is None else game.texts.value(value, of)


def _cell(game: Game, kind: CardType, name: str, card: int) -> str:
    value = (kind.fields.get(name) or kind.texts[name])[card]
    number = isinstance(value, int) and not isinstance(value, bool)
    of = next(game.checked.declared[field.type] for field in kind.decl.fields if field.name.name == name)
    return str(value).replace("-", "−") if number and isinstance(of, t.IntType) else _text(game, kind, name, card)  # noqa: RUF001 - a minus sign


def kinds(game: Game, notes: Notes, decls: list[nodes.Declaration]) -> Iterator[Term]:
    """The named kinds of things, each with its values."""
    for decl in decls:
        if isinstance(decl, nodes.EnumDecl):
            values = [(label or "").strip() or readable(name) for name, label in enum_items(game.checked, decl)]
        elif isinstance(decl, nodes.TypeDecl):
            values = _labels(decl)
        else:
            continue
        title, said = below(capital(readable(decl.name.name)), notes.paragraphs(decl.prose))
        if said or isinstance(decl, nodes.EnumDecl):
            yield Term(title, ", ".join(values), said)


def _labels(decl: nodes.TypeDecl) -> list[str]:
    span = decl.type.span.text.replace("..", " to ")
    names = [(label.label or "").strip() or readable(label.name.name) for label in decl.labels]
    return [span, *(f"{one.value.span.text} is {name}" for one, name in zip(decl.labels, names, strict=True))]


def places(notes: Notes, decls: list[nodes.Declaration]) -> Iterator[Block]:
    """The places where cards lie."""
    terms = []
    for decl in decls:
        if isinstance(decl, nodes.ZoneDecl):
            words = [*_each(decl.indexes), _LAYOUTS[decl.layout], _SEEN[decl.seen]]
            title, said = below(capital(readable(decl.name.name)), notes.paragraphs(decl.prose))
            terms.append(Term(title, ", ".join(words), said))
    if terms:
        yield Terms(tuple(terms))


def tracked(notes: Notes, decls: list[nodes.Declaration]) -> Iterator[Block]:
    """What is kept track of, where something is said of it."""
    terms = []
    for decl in decls:
        title, said = below(capital(readable(decl.name.name)), notes.paragraphs(decl.prose))
        if isinstance(decl, nodes.VarDecl) and decl.prose is not None:
            seen = [_SEEN[decl.seen]] if decl.seen is not None and decl.seen != "face up" else []
            terms.append(Term(title, ", ".join([*_each(decl.indexes), *seen]), said))
    if terms:
        yield Terms(tuple(terms))


def _each(indexes: list[nodes.TypeNode]) -> list[str]:
    return [f"one for each {' and '.join(readable(index.span.text).lower() for index in indexes)}"] if indexes else []
