"""Which declarations the scenarios of a rulebook come to: only these can notice what is changed in one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from egodsl.engine.game import Game
from egodsl.source.diagnostics import DiagnosticError
from egodsl.syntax import nodes
from egodsl.verify.scenarios import settings_of
from egodsl.verify.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from egodsl.analysis.symbols import Checked
    from egodsl.engine.code import Frame, Op
    from egodsl.engine.game import Rulebook
    from egodsl.engine.state import State

Key = tuple[str, str]
"""The kind of a declaration (as `remove KIND NAME` says it) and its name."""

_RUN = nodes.StageDecl | nodes.ProcedureDecl | nodes.ActionDecl | nodes.EventTrigger
_TRIGGERS = nodes.ConditionTrigger | nodes.RunsOutTrigger


@attrs.define
class Reach:
    """What the scenarios come to. It holds names only, so that it can be given to another process.

    Attributes:
        failing: titles of the scenarios that fail; they notice nothing.
        entered: for each declaration with a body, and each event, the titles of scenarios in which it runs.
        readers: for each define, the bodies (true) and heads (false) of declarations that read it.
        named: for each define, the titles of scenarios whose lines read it.
        offered: for each action, the declarations whose bodies offer it.
        length: how many declarations each scenario comes to, by title; without those that fail.
    """

    failing: tuple[str, ...]
    entered: dict[Key, set[str]]
    readers: dict[Key, set[tuple[Key, bool]]]
    named: dict[Key, set[str]]
    offered: dict[Key, set[Key]]
    length: dict[str, int]

    def titles(self, decl: nodes.Node, *, in_body: bool) -> list[str]:
        """The scenarios that may notice a change in the declaration, those that come to the fewest others first."""
        every = set(self.length)
        found = every if not isinstance(decl, nodes.Declaration) else self._of(_key(decl), decl, in_body=in_body)
        return sorted(found & every, key=lambda title: (self.length[title], title))

    def _of(self, key: Key, decl: nodes.Declaration | None, *, in_body: bool) -> set[str]:
        kind = key[0]
        if kind == "define":
            found = set(self.named.get(key, ()))
            for reader, body in self.readers.get(key, ()):
                found |= self._of(reader, None, in_body=body)
            return found
        if kind == "action":
            offering = self.offered.get(key, set()) if not in_body else set()
            return self._entered(key).union(*map(self._entered, offering))
        if kind in {"trigger", "ability"} and not in_body:
            event = decl.event.name if isinstance(decl, nodes.EventTrigger) else None
            return self._entered(("event", event)) if event is not None else set(self.length)
        if kind in {"stage", "procedure", "trigger", "ability", "event"}:
            return self._entered(key)
        return set(self.length)

    def _entered(self, key: Key) -> set[str]:
        return self.entered.get(key, set())


def reach_of(rulebook: Rulebook, seeds: Iterable[int]) -> Reach:
    """Try every scenario under the seeds, after the first only where chance matters, and note what it comes to."""
    checked = rulebook.checked
    program = checked.program
    games: dict[str, tuple[Game, dict[Any, Callable[..., Any]], set[Key]]] = {}
    failing: list[str] = []
    entered: dict[Key, set[str]] = {}
    length: dict[str, int] = {}
    for title, scenario in program.scenarios.items():
        try:
            settings = settings_of(checked, scenario)
            key = repr(settings)
            if key not in games:
                seen: set[Key] = set()
                games[key] = Game(rulebook, settings), {}, seen
                _note(games[key][0], seen)
        except DiagnosticError:
            failing.append(title)
            continue
        game, made, seen = games[key]
        seen.clear()
        if not _passes(game, scenario, seeds, made):
            failing.append(title)
            continue
        length[title] = len(seen)
        for one in seen:
            entered.setdefault(one, set()).add(title)
    return Reach(tuple(failing), entered, _readers(checked), _named(checked), _offered(checked), length)


def _passes(
    game: Game, scenario: nodes.ScenarioDecl, seeds: Iterable[int], made: dict[Any, Callable[..., Any]]
) -> bool:
    for seed in seeds:
        trial = Trial(game, scenario, seed, made)
        trial.run()
        if trial.found:
            return False
        if not trial.drew:
            break
    return True


def _note(game: Game, seen: set[Key]) -> None:
    """From now on the game notes in `seen` whose bodies run. It is a game of its own: nobody else plays it."""
    for code in game.codes:
        if isinstance(code.decl, nodes.Declaration):
            code.ops[0] = _noting(code.ops[0], _key(code.decl), seen)


def _noting(op: Op, key: Key, seen: set[Key]) -> Op:
    def noting(state: State, frame: Frame) -> object:
        seen.add(key)
        return op(state, frame)

    return noting


def _key(decl: nodes.Declaration) -> Key:
    return decl.kind, decl.name.name


def _declared(checked: Checked) -> list[nodes.Declaration]:
    program = checked.program
    tables: list[Mapping[str, nodes.Declaration]] = [
        program.types,
        program.cards,
        program.components,
        program.zones,
        program.vars,
        program.parameters,
        program.defines,
        program.stages,
        program.procedures,
        program.actions,
        program.reactions,
        program.conditions,
        program.runs_out,
    ]
    return [decl for table in tables for decl in table.values()]


def _readers(checked: Checked) -> dict[Key, set[tuple[Key, bool]]]:
    found: dict[Key, set[tuple[Key, bool]]] = {}
    program = checked.program
    for decl in _declared(checked):
        body = getattr(decl, "body", None) if isinstance(decl, _RUN | _TRIGGERS) else None
        inside = set(nodes.walk(body)) if body is not None else set()
        for node in nodes.walk(decl):
            for define in _defines(checked, node):
                # The head of a reaction is asked when its event is announced, that of a trigger at any time.
                reader = _key(decl)
                if node not in inside and isinstance(decl, nodes.EventTrigger):
                    reader = ("event", decl.event.name)
                found.setdefault(define, set()).add((reader, node in inside))
    for head in (program.players, program.result, program.payoff, *program.presets.values()):
        for node in nodes.walk(head) if head is not None else ():
            for define in _defines(checked, node):
                found.setdefault(define, set()).add((("head", ""), False))
    return found


def _named(checked: Checked) -> dict[Key, set[str]]:
    found: dict[Key, set[str]] = {}
    for title, scenario in checked.program.scenarios.items():
        for node in nodes.walk(scenario):
            for define in _defines(checked, node):
                found.setdefault(define, set()).add(title)
    return found


def _defines(checked: Checked, node: nodes.Node) -> list[Key]:
    ref = checked.refs.get(node)
    return [_key(ref)] if isinstance(ref, nodes.DefineDecl) else []


def _offered(checked: Checked) -> dict[Key, set[Key]]:
    found: dict[Key, set[Key]] = {}
    for decl in _declared(checked):
        for node in nodes.walk(decl):
            if isinstance(node, nodes.ChooseAction):
                for ident in node.actions:
                    found.setdefault(("action", ident.name), set()).add(_key(decl))
    return found
