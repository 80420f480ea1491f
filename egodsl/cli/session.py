"""A game in the terminal: who sits where, what they see and type, and going back."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
from rich.console import Console
from rich.text import Text

from egodsl.cli import table
from egodsl.cli.console import counted, note, show, wants_color
from egodsl.cli.picking import pick, squeeze
from egodsl.engine.faults import GameFault
from egodsl.engine.rng import derive
from egodsl.engine.texts import player_name
from egodsl.players import Player, RandomPlayer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from egodsl.engine.game import Game
    from egodsl.engine.moves import Move
    from egodsl.engine.record import Record
    from egodsl.engine.state import State

HELP = (
    "A move: its number, its text, or the beginning of its text; capitals and blanks do not matter.",
    "  moves       list your moves again; `moves WORD`: those that begin with it",
    "  table       draw the table again",
    "  log         all that you have observed in this game",
    "  undo        go back to your decision before this one",
    "  save FILE   write the game down; `egodsl play ... --from FILE` goes on with it",
    "  quit        leave the game",
    "Where a move is called like one of these words, a colon before the word (`:undo`) means the command.",
)
_NOT_A_TERMINAL = 80
_LINES_OF_LOG = 12
"""What happened since a person's last decision must leave room for the table on a screen of 24 lines."""


class Quit(Exception):  # noqa: N818 - it is no error, but how a person leaves
    """The person leaves the game."""


@attrs.define(eq=False)
class Moment:
    """A position in which a person decided, to come back to."""

    player: int
    state: State
    seen: dict[int, int]


class Session:
    """One game, from its first decision to its end or until somebody leaves."""

    def __init__(self, game: Game, state: State | None, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.ask_all = False
        self._chance = derive(seed, "chance")
        self._state = state
        self._fault: GameFault | None = None
        self._humans: tuple[int, ...] = ()
        self._bots: Mapping[int, Player] = {}
        self._history: list[Moment] = []
        self._seen: dict[int, int] = {}
        self._notes: dict[int, list[str]] = {}
        self._at_keyboard: int | None = None
        self._written: set[Path] = set()
        terminal = sys.stdout.isatty()
        self._console = Console(
            highlight=False,
            no_color=not wants_color(sys.stdout),
            width=None if terminal else _NOT_A_TERMINAL,
            soft_wrap=False,
        )
        self._screens = terminal and self._console.is_terminal

    @classmethod
    def broken(cls, game: Game, fault: GameFault, seed: int) -> Session:
        """A session for a game that broke before its first decision."""
        made = cls(game, None, seed)
        made._fault = fault
        return made

    def seat(self, humans: tuple[int, ...], bots: Mapping[int, Player]) -> None:
        """Say who is played by a person, and by what the others are."""
        self._humans = humans
        self._bots = bots
        self._notes = {player: [] for player in humans}

    # ------------------------------------------------------------ the game

    def run(self) -> int:
        """Play. Gives the exit code: 1 after a fault, 0 otherwise."""
        try:
            if self._fault is not None:
                raise self._fault
            self._welcome()
            while not self._now.is_over:
                self._step()
            self._announce_result()
        except GameFault as fault:
            self._tell_fault(fault)
            return 1
        except (Quit, EOFError):
            self._say("")
            self._say("You left the game.")
        self._say(f"seed {self.seed}", style="dim")
        return 0

    @property
    def _now(self) -> State:
        assert self._state is not None
        return self._state

    def _step(self) -> None:
        state = self._now
        if state.is_chance:
            # Only a record without a seed leads here: chance goes on from ours.
            self._chance = state.sample_chance(self._chance)
            return
        deciding = state.to_move
        bot = next((player for player in deciding if player in self._bots), None)
        if bot is not None:
            state.apply(self._decided(bot))
            return
        player = self._at_keyboard if self._at_keyboard in deciding else deciding[0]
        assert player is not None
        moves = state.legal_moves(player)
        if len(moves) == 1 and not self.ask_all:
            self._notes[player].append(f"(you had one move: {moves[0].text})")
            state.apply(moves[0])
            return
        self._hand_over(player)
        self._show_to(player)
        move = self._ask(player, moves)
        if move is not None:
            self._history.append(Moment(player, state.clone(), dict(self._seen)))
            self._seen[player] = len(state.observations(player))
            state.apply(move)

    def _decided(self, bot: int) -> Move:
        """The move of a computer player. That it thinks is shown while it does, on a terminal and nowhere else."""
        player = self._bots[bot]
        if not self._screens or isinstance(player, RandomPlayer):
            return player.choose(self._now, bot)
        with self._console.status(f"{player_name(bot)} thinks"):
            return player.choose(self._now, bot)

    def _undo(self, player: int) -> bool:
        for k in range(len(self._history) - 1, -1, -1):
            moment = self._history[k]
            if moment.player == player:
                del self._history[k:]
                self._state = moment.state
                self._seen = moment.seen
                self._notes = {person: [] for person in self._humans}
                return True
        return False

    # ------------------------------------------------------------ what a person sees

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(Text(text, style=style))

    def _welcome(self) -> None:
        game = self.game
        seats = (f"{player_name(p)} {'a person' if p in self._humans else 'a computer'}" for p in range(game.players))
        self._say(f"{game.rulebook.title}: {', '.join(seats)}. `help` says what can be typed.", style="bold")

    def _hand_over(self, player: int) -> None:
        """Between two people stands an empty screen, so that neither sees the other's cards."""
        before, self._at_keyboard = self._at_keyboard, player
        if len(self._humans) < 2 or before == player:  # noqa: PLR2004 - one alone has nobody to hide from
            return
        self._clear()
        self._read(f"Pass the keyboard to {player_name(player)}, who presses Enter. ")
        self._clear()

    def _clear(self) -> None:
        if self._screens:
            # The lines that have scrolled off go too.
            self._console.file.write("\x1b[H\x1b[2J\x1b[3J")
            self._console.file.flush()
        else:
            self._say("-" * 40)

    def _show_to(self, player: int) -> None:
        observed = self._now.observations(player)
        self._say("")
        table.draw_log(self._console, observed[self._seen.get(player, 0) :], _LINES_OF_LOG)
        for line in self._notes[player]:
            self._say(line, style="dim")
        self._notes[player].clear()
        table.draw_table(self._console, self._now.view(player))

    def _show_moves(self, player: int, moves: list[Move], begins: str = "") -> None:
        rows = self._console.height // 2 if self._screens else None
        table.draw_moves(self._console, player, moves, begins, rows)

    # ------------------------------------------------------------ what a person types

    def _read(self, prompt: str) -> str:
        line = input(prompt)
        if not sys.stdin.isatty():
            # What was not typed does not show by itself.
            self._say(line)
        return line

    def _ask(self, player: int, moves: list[Move]) -> Move | None:
        """The move that the person chooses; None if the person went back instead. Raises Quit and EOFError."""
        texts = [move.text for move in moves]
        self._show_moves(player, moves)
        while True:
            typed = self._read(f"{player_name(player)}> ").strip()
            if not typed:
                continue
            named = squeeze(typed) in map(squeeze, texts)
            word, _, rest = typed.removeprefix(":").partition(" ")
            command = None if named else self._command(word.lower(), rest.strip(), player, moves)
            if command == "undone":
                return None
            if command is None:
                picked = pick(typed, texts)
                if picked.index is not None:
                    return moves[picked.index]
                self._say(picked.problem)

    def _command(self, word: str, rest: str, player: int, moves: list[Move]) -> str | None:
        """Do what is no move: "done", "undone" after going back, None if the word is no command."""
        if rest and word not in {"save", "moves"}:
            return None
        match word:
            case "help" | "?":
                for line in HELP:
                    self._say(line)
            case "moves":
                self._show_moves(player, moves, rest)
            case "table":
                table.draw_table(self._console, self._now.view(player))
            case "log":
                table.draw_log(self._console, self._now.observations(player))
            case "save":
                self._save(rest)
            case "undo":
                if self._undo(player):
                    return "undone"
                self._say("there is no decision of yours to go back to")
            case "quit" | "exit":
                raise Quit
            case _:
                return None
        return "done"

    def _save(self, name: str) -> None:
        if not name:
            self._say("`save` needs the name of a file, as in `save my.record`")
            return
        path = Path(name).expanduser()
        if path.exists() and path.resolve() not in self._written:
            self._say(f"`{path}` is there already, and is left as it is")
            return
        problem = self._write(path, self._now.record())
        if problem:
            self._say(problem)
            return
        rulebook = self.game.checked.program.root.span.source.path
        again = shlex.join(["egodsl", "play", rulebook, "--from", str(path)])
        # A command is not broken into lines: people copy it.
        self._console.print(Text(f"saved; `{again}` goes on with it"), soft_wrap=True)

    def _write(self, path: Path, record: Record) -> str | None:
        try:
            path.write_text(record.to_json(), encoding="utf-8")
        except OSError as error:
            return f"`{path}` cannot be written: {(error.strerror or str(error)).lower()}"
        self._written.add(path.resolve())
        return None

    # ------------------------------------------------------------ ends

    def _announce_result(self) -> None:
        for player in self._humans:
            if len(self._humans) == 1:
                observed = self._now.observations(player)
                table.draw_log(self._console, observed[self._seen.get(player, 0) :], _LINES_OF_LOG)
                table.draw_table(self._console, self._now.view(player))
        table.draw_result(self._console, self._now)

    def _tell_fault(self, fault: GameFault) -> None:
        self._console.file.flush()
        note("the rules cannot go on here; this is for their author:\n")
        show([fault.diagnostic], err=True)
        stem = f"{self.game.rulebook.name}-{fault.diagnostic.code}"
        path = next(
            p for k in range(1, sys.maxsize) if not (p := Path(f"{stem}{f'-{k}' if k > 1 else ''}.record")).exists()
        )
        problem = self._write(path, fault.record)
        events = counted(len(fault.record.events), "event")
        note(problem or f"the game so far ({events}) is in {path}; `egodsl replay {path}` plays it again")
