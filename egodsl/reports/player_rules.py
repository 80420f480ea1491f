"""The player's rulebook: what a rulebook's prose says, in the order in which one reads it, for the settings chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from egodsl.engine.game import Game
from egodsl.engine.settings import configure, parameter_range
from egodsl.reports import player_rules_model as m
from egodsl.reports import player_rules_pieces as pieces
from egodsl.reports.player_rules_examples import Examples, Teller, arrange
from egodsl.reports.player_rules_placing import (
    ABILITIES,
    ACTIONS,
    COMPONENTS,
    PLAYING,
    REACTIONS,
    TRACK,
    WINNING,
    Places,
    place,
)
from egodsl.reports.player_rules_prose import Notes, below, capital, cited_in, plain, readable
from egodsl.reports.player_rules_words import Wording
from egodsl.syntax import nodes


def player_rules(game: Game) -> m.Document:
    """The rulebook of a configured game, for people who play it.

    Components are counted for the game's number of players; examples that presume other settings say so. Nothing in it
    comes from comments or from the source document: notes hold the index's own words.
    """
    return _Writer(game).document()


class _Writer:
    """Writes the document from its beginning to its end, since notes are numbered on the way."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.program = game.checked.program
        self.notes = Notes(self.program.index)
        self.places: Places = place(game.checked)
        self.examples: Examples = arrange(game, self._cited())
        self.teller = Teller(game, Wording(game.checked, game.texts), self.notes)

    def document(self) -> m.Document:
        head = tuple(self._head())
        sections = [
            self._components(),
            self._playing(),
            self._actions(),
            self._abilities(),
            self._reactions(),
            self._tracked(),
            self._left_out(),
            self._modes(),
            self._parameters(),
            self._questions(),
            self._more(),
        ]
        found = _anchored([one for one in sections if one.blocks or one.sections])
        return m.Document(self.program.title, tuple(_facts(self.game)), head, found, self.notes.all())

    def _cited(self) -> dict[nodes.Declaration, set[str]]:
        chapters = (PLAYING, ACTIONS, ABILITIES, REACTIONS)
        found = {
            decl: cited_in(decl).union(*(cited_in(helper) for helper in self.places.by_item.get(decl, ())))
            for chapter in chapters
            for decl in self.places.items.get(chapter, ())
        }
        return {decl: ids for decl, ids in found.items() if ids}

    # ------------------------------------------------------------ what is said of a declaration

    def _said(self, decl: nodes.Declaration) -> Iterator[m.Paragraph]:
        """The prose of a declaration, of what stands in it, and of its helpers."""
        named = capital(readable(decl.name.name)) if isinstance(decl, nodes.EventDecl) else None
        yield from self.notes.paragraphs(decl.prose, named)
        for node in sorted(_inner(decl), key=lambda node: node.span.start):
            lead = capital(node.label.value) if isinstance(node, nodes.Option) else None
            yield from self.notes.paragraphs(node.prose, lead)
        for helper in self.places.by_item.get(decl, ()):
            yield from self._said(helper)

    def _chapter(self, chapter: int) -> Iterator[m.Paragraph]:
        for helper in self.places.by_chapter.get(chapter, ()):
            yield from self._said(helper)

    def _shown(self, decl: nodes.Declaration) -> Iterator[m.Example]:
        scenario = self.examples.shown.get(decl)
        if scenario is not None:
            yield self.teller.example(scenario)

    def _items(self, chapter: int) -> list[nodes.Declaration]:
        return self.places.items.get(chapter, [])

    # ------------------------------------------------------------ the chapters

    def _head(self) -> Iterator[m.Block]:
        for module in self.program.files:
            yield from self.notes.paragraphs(module.prose)

    def _components(self) -> m.Section:
        decls = self._items(COMPONENTS)
        kinds = tuple(pieces.kinds(self.game, self.notes, decls))
        said: tuple[m.Block, ...] = tuple(self._chapter(COMPONENTS))
        sections = list(pieces.cards(self.game, self.notes, decls))
        places = tuple(pieces.places(self.notes, decls))
        if places:
            sections.append(m.Section("Where cards lie", "places", places))
        blocks = (m.Terms(kinds), *said) if kinds else said
        return m.Section("Components", "components", blocks, tuple(sections))

    def _playing(self) -> m.Section:
        said = tuple(self._chapter(PLAYING))
        sections = []
        for decl in self._items(PLAYING):
            blocks: tuple[m.Block, ...] = (*self._said(decl), *self._shown(decl))
            if blocks:
                name = decl.name.name
                sections.append(m.Section(f"The {readable(name)}", f"stage {name}", blocks))
        winning = tuple(self._chapter(WINNING))
        if winning:
            sections.append(m.Section("Winning", "winning", winning))
        return m.Section("Setting up and playing", "playing", said, tuple(sections))

    def _actions(self) -> m.Section:
        decls = self._items(ACTIONS)
        said = tuple(self._chapter(ACTIONS))
        terms = tuple(self._term(decl) for decl in decls)
        return m.Section("On your turn", "actions", (*said, m.Terms(terms)) if terms else said)

    def _term(self, decl: nodes.Declaration) -> m.Term:
        title, said = below(capital(readable(decl.name.name)), tuple(self._said(decl)))
        return m.Term(title, "", (*said, *self._shown(decl)))

    def _abilities(self) -> m.Section:
        decls = self._items(ABILITIES)
        said = tuple(self._chapter(ABILITIES))
        if not decls:
            return m.Section("Abilities", "abilities", said)
        rows = []
        for decl in decls:
            name = (m.Paragraph(plain(capital(readable(decl.name.name)))),)
            rows.append((name, (m.Paragraph(plain(self._shown_by(decl))),), tuple(self._said(decl))))
        table = m.Table(("Ability", "Shown by", "What it does"), tuple(rows))
        examples = tuple(example for decl in decls for example in self._shown(decl))
        return m.Section("Abilities", "abilities", (*said, table, *examples))

    def _shown_by(self, decl: nodes.Declaration) -> str:
        assert isinstance(decl, nodes.EventTrigger)
        found = []
        for pattern in decl.patterns:
            match = self.game.checked.patterns.get(pattern)
            if match is not None:
                label = match.value.label
                text = label.label if isinstance(label, nodes.TypeLabel) else label
                found.append((text or "").strip() or readable(pattern.name))
        return ", ".join(found)

    def _reactions(self) -> m.Section:
        terms = tuple(term for decl in self._items(REACTIONS) if (term := self._term(decl)).blocks)
        said = tuple(self._chapter(REACTIONS))
        return m.Section("What happens by itself", "reactions", (*said, m.Terms(terms)) if terms else said)

    def _tracked(self) -> m.Section:
        said = tuple(self._chapter(TRACK))
        listed = tuple(pieces.tracked(self.notes, self._items(TRACK)))
        return m.Section("What is kept track of", "track", (*said, *listed))

    def _left_out(self) -> m.Section:
        terms = []
        for removal in self.program.removed.values():
            if removal.prose is not None:
                title, said = below(capital(readable(removal.name.name)), self.notes.paragraphs(removal.prose))
                terms.append(m.Term(title, removal.kind, said))
        return m.Section("What this variant leaves out", "left out", (m.Terms(tuple(terms)),) if terms else ())

    def _modes(self) -> m.Section:
        terms = []
        for name, decl in self.program.modes.items():
            title, said = below(decl.text, self.notes.paragraphs(decl.prose))
            terms.append(m.Term(title, "chosen here" if name in self.game.settings.modes else "not chosen here", said))
        return m.Section("Modes", "modes", (m.Terms(tuple(terms)),) if terms else ())

    def _parameters(self) -> m.Section:
        rows = []
        for name, decl in self.program.parameters.items():
            low, high = parameter_range(self.game.checked, decl)
            title, said = below(decl.text, self.notes.paragraphs(decl.prose))
            value = m.Paragraph(plain(str(self.game.settings.parameters[name])))
            rows.append(((m.Paragraph(title), *said), (value,), (m.Paragraph(plain(_range(low, high))),)))
        table = m.Table(("What", "Here", "Possible"), tuple(rows), (1, 2))
        return m.Section("Numbers that can be agreed on", "parameters", (table,) if rows else ())

    def _questions(self) -> m.Section:
        blocks: list[m.Block] = []
        for name, decl in self.program.readings.items():
            question, said = below(decl.question, self.notes.paragraphs(decl.prose))
            chosen = self.game.settings.readings[name]
            answers = tuple(
                m.Answer(answer.text, k == chosen, self.notes.paragraphs(answer.prose))
                for k, answer in enumerate(decl.answers)
            )
            blocks.append(m.Question(question, said, answers))
        if blocks:
            text = "The text that the rules come from can be read in more than one way. This is how it is read here."
            blocks.insert(0, m.Paragraph(plain(text)))
        return m.Section("Open questions", "questions", tuple(blocks))

    def _more(self) -> m.Section:
        order: list[nodes.Declaration | None] = [
            *(decl for chapter in (PLAYING, ACTIONS, ABILITIES, REACTIONS) for decl in self._items(chapter)),
            *self.program.modes.values(),
            *self.program.readings.values(),
            None,
        ]
        sections = []
        for decl in order:
            scenarios = self.examples.more.get(decl, ())
            if scenarios:
                examples = tuple(self.teller.example(scenario) for scenario in scenarios)
                sections.append(m.Section(_topic(decl), "more", examples))
        return m.Section("More examples", "examples", (), tuple(sections))


def _inner(decl: nodes.Declaration) -> Iterator[nodes.Statement | nodes.Option]:
    for node in nodes.walk(decl):
        if isinstance(node, nodes.Statement | nodes.Option) and node.prose is not None:
            yield node


def _topic(decl: nodes.Declaration | None) -> str:
    match decl:
        case None:
            return "Other examples"
        case nodes.ReadingDecl():
            return decl.question
        case nodes.ModeDecl():
            return decl.text
        case nodes.StageDecl():
            return f"The {readable(decl.name.name)}"
        case _:
            return capital(readable(decl.name.name))


def _anchored(sections: Iterable[m.Section]) -> tuple[m.Section, ...]:
    """The sections with anchors that are unlike each other and made of plain letters, digits and hyphens."""
    taken: set[str] = set()

    def named(section: m.Section) -> m.Section:
        word = re.sub(r"[^a-z0-9]+", "-", section.anchor.lower()).strip("-") or "section"
        anchor = word
        number = 1
        while anchor in taken:
            number += 1
            anchor = f"{word}-{number}"
        taken.add(anchor)
        return attrs.evolve(section, anchor=anchor, sections=tuple(named(one) for one in section.sections))

    return tuple(named(section) for section in sections)


# ---------------------------------------------------------------- the facts


def _facts(game: Game) -> Iterator[tuple[str, str]]:
    program = game.checked.program
    players = game.rulebook.players
    header = program.players
    teams = f", in {header.teams.span.text} teams" if header is not None and header.teams is not None else ""
    yield "Players", f"{_range(players.start, players.stop - 1)}{teams}"
    goal = _goal(program.ranking)
    if goal is not None:
        yield "Goal", goal
    books = [module.title for module in program.files if module is not program.root and module.form != "library"]
    if books:
        yield "Variant of", books[-1]
    if players.stop - players.start > 1:
        yield "Counted for", f"{game.players} players" if game.players > 1 else "1 player"
    modes = [decl.text for name, decl in program.modes.items() if name in game.settings.modes]
    if modes:
        yield "Played with", ", ".join(modes)
    changed = list(_changed(game))
    if changed:
        yield "Chosen here", "; ".join(changed)
    if program.index is not None:
        yield "Source", program.index.title


def _goal(header: nodes.ResultHeader | None) -> str | None:
    """How players are ranked, where names say it."""
    if header is None:
        return None
    if header.together is not None:
        return "everybody wins or loses together"
    names = [_score(key) for key in header.keys]
    if None in names:
        return None
    first, *rest = [name for name in names if name is not None]
    return f"{first}; between equals, {', then '.join(rest)}" if rest else first


def _score(key: nodes.SortKey) -> str | None:
    if key.direction == "random":
        return "chance"
    name = _named(key.value)
    return f"the {key.direction} {name}" if name is not None else None


def _named(expr: nodes.Expr | None) -> str | None:
    match expr:
        case nodes.Name(name=name) | nodes.Index(target=nodes.Name(name=name)):
            return readable(name)
        case nodes.Call(name=nodes.Ident(name=name)):
            return readable(name)
        case _:
            return None


def _changed(game: Game) -> Iterator[str]:
    usual = configure(game.checked, None, (), {}, {})
    program = game.checked.program
    for name, decl in program.readings.items():
        chosen = game.settings.readings[name]
        if chosen != usual.readings[name]:
            yield f"{decl.question} {capital(decl.answers[chosen].text)}"
    for name, parameter in program.parameters.items():
        if game.settings.parameters[name] != usual.parameters[name]:
            yield f"{parameter.text}: {game.settings.parameters[name]}"


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"
