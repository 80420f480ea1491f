"""A position of a scenario: a state without a seed, the chance that is scripted, and the draws for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from egodsl.engine.code import AT, CODE, Option
from egodsl.engine.faults import Fault
from egodsl.engine.machine import push, run
from egodsl.engine.rng import below, derive
from egodsl.engine.state import State
from egodsl.engine.table import CHANCE, DECIDE, END, STAGE
from egodsl.engine.together import merge_if_done
from egodsl.engine.values import Value
from egodsl.source.diagnostics import Label
from egodsl.verify.matching import fits
from egodsl.verify.problems import listed, problem

if TYPE_CHECKING:
    from egodsl.engine.code import Code, Draw
    from egodsl.engine.decisions import Raw
    from egodsl.engine.game import Game
    from egodsl.syntax import nodes
    from egodsl.verify.reader import Reader


MOST_DRAWS = 5_000
"""Chance events without a decision in between that count as a loop without an end."""


@attrs.define
class Script:
    """Outcomes that chance is to have next, and how those that are not scripted are drawn.

    `rng`: the state of the generator; `drew`: whether anything was drawn.
    """

    rng: int
    waiting: list[nodes.Expr] = attrs.Factory(list)
    drew: bool = False


class Position:
    """A state that is never left at chance. What runs the rules may raise Fault, and is then of no more use."""

    def __init__(self, state: State, script: Script, reader: Reader | None = None) -> None:
        self.state = state
        self.script = script
        self.reader = reader

    @classmethod
    def beginning(cls, game: Game, seed: int) -> Position:
        """The table before anything has happened: components where they lie, variables at their first values."""
        state = State(game, None)
        for set_initial in game.initial:
            set_initial(state)
        return cls(state, Script(derive(seed, "scenario")))

    def begin(self, code: Code, you: int | None, arguments: tuple[Value, ...]) -> None:
        """Begin a stage and go on to the first decision, or to its end."""
        push(self.state, code.frame(you, arguments))
        run(self.state)
        self._settle()

    def clone(self) -> Position:
        """An independent copy, with the same chance ahead of it."""
        script = Script(self.script.rng, self.script.waiting[:], self.script.drew)
        return Position(self.state.clone(), script, self.reader)

    # ------------------------------------------------------------ deciding

    @property
    def decider(self) -> int | None:
        """The one player who decides; None where nobody or several do."""
        deciding = self.state.to_move
        return deciding[0] if len(deciding) == 1 else None

    def moves(self, player: int) -> list[tuple[Option, Raw]]:
        """The legal moves of a player, each with its kind."""
        acting = self.acting(player)
        if acting.site is None or acting.mover != player:
            return []
        return [(acting.site.options[raw[0]], raw) for raw in acting.moves]

    def acting(self, player: int) -> State:
        """The state in which the player decides: a branch of the position where several decide at once."""
        return self.state.branches.get(player, self.state)

    def forced(self) -> tuple[int, Raw] | None:
        """A player who has one move, and that move; None where everybody who decides has several."""
        for player in self.state.to_move:
            moves = self.moves(player)
            if len(moves) == 1:
                return player, moves[0][1]
        return None

    def play(self, player: int, raw: Raw) -> None:
        """Play a legal move and go on to the next decision."""
        state = self.state
        state.decisions += 1
        acting = self.acting(player)
        acting._go(raw)  # noqa: SLF001 - `apply` tells a fault with a record, which a table laid out by hand has not
        if acting is not state and merge_if_done(state):
            run(state)
        self._settle()

    def ask_again(self) -> bool:
        """Work the decision out anew after the table was changed. False where somebody has chosen in it already."""
        state = self.state
        frame = state.frames[-1]
        if state.branches:
            if any(entry[0] == DECIDE for branch in state.branches.values() for entry in branch.entries()):
                return False
            state.branches = {}
            frame[AT] = frame[CODE].together[frame[AT]]
        else:
            state.site = None
            frame[AT] -= 1
        run(state)
        self._settle()
        return True

    # ------------------------------------------------------------ chance

    def _settle(self) -> None:
        state, script = self.state, self.script
        drawn = 0
        while state.chance_at is not None:
            site, candidates = state.chance_at
            drawn += 1
            if drawn > MOST_DRAWS:
                message = f"chance decided {MOST_DRAWS} times without a decision of a player"
                raise Fault("EGO705", site.span, message, "a loop here may not end")
            if script.waiting:
                candidates = self._scripted(script.waiting.pop(0), site, candidates)
            if not script.drew:
                script.drew = len({state.game.texts.value(one, site.type, state) for one in candidates}) > 1
            k, script.rng = below(script.rng, len(candidates))
            state.chance_at = None
            state.frames[-1][site.slot] = candidates[k]
            state.log = (state.log, (CHANCE, site.index, candidates[k]))
            run(state)

    def _scripted(self, written: nodes.Expr, site: Draw, candidates: list[Value]) -> list[Value]:
        reader, state = self.reader, self.state
        assert reader is not None
        kind = reader.checked.types[written]
        value = reader.value(written, state, None)
        found = [one for one in candidates if fits(state, value, kind, one, site.type)]
        if not found:
            outcomes = listed(dict.fromkeys(reader.text(one, site.type, state) for one in candidates))
            raise problem(
                "EGO816",
                written.span,
                f"chance cannot have `{written.span.text}` here: what it decides is the {site.what}",
                help=f"the outcomes are {outcomes}",
                labels=(Label(site.span, "chance decides here"),),
            )
        return found

    # ------------------------------------------------------------ what happened

    def happened(self, since: object) -> tuple[set[int], set[int]]:
        """The numbers of the stages that began and that ended since the log was `since`."""
        began: set[int] = set()
        ended: set[int] = set()
        log = self.state.log
        while log is not None and log is not since:
            log, entry = log
            if entry[0] == STAGE:
                began.add(entry[1])
            elif entry[0] == END:
                ended.add(entry[1])
        return began, ended
