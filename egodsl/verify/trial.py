"""One run of a scenario, under one seed for the chance that it does not script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.analysis.builtins import LETTERS
from egodsl.analysis.symbols import Builtin
from egodsl.engine.covering import aside
from egodsl.engine.faults import Fault
from egodsl.source.diagnostics import Diagnostic, Label
from egodsl.syntax import nodes
from egodsl.verify.expecting import why_not
from egodsl.verify.laying import lay_out, mix_all
from egodsl.verify.matching import fits
from egodsl.verify.position import Position
from egodsl.verify.problems import ProblemError, faulty, listed, problem
from egodsl.verify.reader import Reader
from egodsl.verify.seeing import seen_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from egodsl.engine.code import Option
    from egodsl.engine.decisions import Raw
    from egodsl.engine.game import Game
    from egodsl.engine.values import Value
    from egodsl.source.span import Span

MOST_FORCED = 1000
"""Decisions with one answer that are passed in search of the one that a line is about."""

AT_THE_END = nodes.ExpectStep | nodes.ExpectSeesStep | nodes.ExpectStageStep
"""Where only such lines are left, the stage that is played alone comes to its end before they are judged."""

Written = nodes.PlaysStep | nodes.ChoosesStep | nodes.ExpectPlaysStep | nodes.ExpectChoosesStep


class Trial:
    """Carries out the lines of a scenario.

    `found` holds what failed; `drew` tells whether another seed could differ. `made` is what readers of the game share.
    """

    def __init__(
        self, game: Game, scenario: nodes.ScenarioDecl, seed: int, made: dict[Any, Callable[..., Value]]
    ) -> None:
        self.game = game
        self.scenario = scenario
        self.found: list[Diagnostic] = []
        self._seed = seed
        self._made = made
        self._alone = any(isinstance(step, nodes.PlayStep) for step in scenario.steps)
        self._started = False
        self._position = Position.beginning(game, seed)
        if self._alone:
            mix_all(self._position.state)
        self._reader = Reader(game, 0, seed, made)
        self._since: object = None

    @property
    def drew(self) -> bool:
        """Whether chance that is not scripted decided anything."""
        return self._position.script.drew or any(self._position.state.loose)

    def run(self) -> None:
        """Carry out every line, or as many as can be."""
        span = self.scenario.title_span
        try:
            self._check_letters()
            if not self._alone:
                self._begin()
            steps = self.scenario.steps
            at = 0
            while at < len(steps):
                span = steps[at].span
                at = self._step(steps, at)
            self._check_script()
        except ProblemError as error:
            self.found.append(error.diagnostic)
        except Fault as fault:
            self.found.append(faulty(fault, span).diagnostic)

    def _check_letters(self) -> None:
        count = self.game.players
        for step in self.scenario.steps:
            for node in nodes.walk(step):
                ref = self.game.checked.refs.get(node)
                if isinstance(ref, Builtin) and len(ref.name) == 1 and LETTERS.index(ref.name) >= count:
                    raise problem(
                        "EGO813",
                        node.span,
                        f"no player is called `{ref.name}` here: the {count} players are {listed(LETTERS[:count])}",
                        help="say with `players` how many play",
                    )

    def _begin(self) -> None:
        main = self.game.main
        self._position.begin(main, None, ())
        deciding = self._position.state.to_move
        first = deciding[0] if len(deciding) == 1 else 0
        self._take_up(Reader(self.game, first, self._seed, self._made))

    def _take_up(self, reader: Reader) -> None:
        self._reader = self._position.reader = reader
        self._started = True
        self._since = self._position.state.log

    def _check_script(self) -> None:
        for outcome in self._position.script.waiting:
            raise problem(
                "EGO819",
                outcome.span,
                f"chance never had to decide on `{outcome.span.text}`: fewer chance events happened than are scripted",
                help="script what chance decides between the first decision and the end; the setup comes before that",
            )

    # ------------------------------------------------------------ lines

    def _step(self, steps: Sequence[nodes.Step], at: int) -> int:
        """Carry out the line at `at`, with those that belong to it; gives the number of the next."""
        step = steps[at]
        if self._alone and self._started and all(isinstance(later, AT_THE_END) for later in steps[at:]):
            self._finish()
        match step:
            case nodes.GivenStep():
                return self._given(steps, at)
            case nodes.PlayStep():
                self._play_stage(step)
            case nodes.ChanceStep():
                self._position.script.waiting += step.outcomes
            case nodes.PlaysStep() | nodes.ChoosesStep():
                self._move(step)
            case nodes.ExpectPlaysStep() | nodes.ExpectChoosesStep():
                self._expect_legal(step)
            case nodes.ExpectStep():
                self._expect(step)
            case nodes.ExpectDecidesStep():
                self._expect_decides(step)
            case nodes.ExpectSeesStep():
                self._expect_sees(step)
            case nodes.ExpectStageStep():
                self._expect_stage(step)
            case _:
                # Players and settings were taken up before the game was made.
                pass
        return at + 1

    def _finish(self) -> None:
        """Come to the end of the stage, if every decision on the way there has one answer."""
        ahead = self._position.clone()
        with aside(self.game.covering) as look:
            for _ in range(MOST_FORCED):
                forced = ahead.forced()
                if forced is None:
                    break
                ahead.play(*forced)
            if ahead.state.over:
                self._position = ahead
                look.keep()

    def _given(self, steps: Sequence[nodes.Step], at: int) -> int:
        # A table is laid out as a whole; lines that say how the game is played, or what chance does, may stand between.
        group: list[nodes.GivenStep] = []
        transparent = nodes.GivenStep | nodes.ChanceStep | nodes.PlayersStep | nodes.WithStep
        while at < len(steps) and isinstance(step := steps[at], transparent):
            if isinstance(step, nodes.GivenStep):
                group.append(step)
            elif isinstance(step, nodes.ChanceStep):
                self._position.script.waiting += step.outcomes
            at += 1
        if self._started and not self._position.state.to_move:
            raise self._over(group[0].span)
        lay_out(self._position, self._reader, group)
        if self._started and not self._position.ask_again():
            raise problem(
                "EGO814",
                group[0].span,
                "the table cannot be laid out anew while several players decide at once and one of them has chosen",
                help="lay it out before the first of them chooses",
            )
        self._since = self._position.state.log
        return at

    def _play_stage(self, step: nodes.PlayStep) -> None:
        if self._started:
            raise problem(
                "EGO819",
                step.span,
                f"stage `{step.call.name.name}` cannot begin here: a scenario plays one stage",
                help="write another scenario for it",
            )
        stage = self.game.checked.refs[step.call.name]
        assert isinstance(stage, nodes.StageDecl)
        reader, state = self._reader, self._position.state
        you = reader.first if stage in self.game.checked.needs_you else None
        values = reader.arguments(step.call, stage.params, state, you)
        self._take_up(reader)
        self._position.begin(self.game.linker.code_of(stage), you, values)

    # ------------------------------------------------------------ moves

    def _move(self, step: nodes.PlaysStep | nodes.ChoosesStep) -> None:
        player = self._reader.seat(step.player)
        self._since = self._position.state.log
        reached = self._reach(self._position, player, lambda position: bool(self._fitting(position, player, step)))
        found = self._fitting(self._position, player, step)
        if len(found) == 1:
            self._position.play(player, found[0][1])
            return
        if found:
            words = [self._reader.move_text(self._position.acting(player), *move) for move in found]
            raise problem(
                "EGO812",
                step.span,
                f"several moves of {step.player.name} fit `{_words(step)}`: {listed(words)}",
                help="say more of what is chosen",
            )
        if reached is None:
            raise self._wrong_player(self._position, step.player)
        raise self._illegal(reached, player, step)

    def _reach(self, position: Position, player: int, stops: Callable[[Position], bool]) -> Position | None:
        """Take moves that are the only ones until `stops` says so where the player decides.

        Gives the first position in which the player decided (the last, if it stopped there); None if there was none.
        """
        first: Position | None = None
        for _ in range(MOST_FORCED):
            if player in position.state.to_move:
                if stops(position):
                    return position
                first = position.clone() if first is None else first
            forced = position.forced()
            if forced is None:
                break
            position.play(*forced)
        return first

    def _fitting(self, position: Position, player: int, step: Written) -> list[tuple[Option, Raw]]:
        """The legal moves that the line may mean."""
        if player not in position.state.to_move:
            return []
        return [move for move in position.moves(player) if self._means(position, player, step, *move)]

    def _means(self, position: Position, player: int, step: Written, option: Option, raw: Raw) -> bool:
        if isinstance(step, nodes.PlaysStep | nodes.ExpectPlaysStep):
            if option.action is None or option.label != step.call.name.name:
                return False
            given = [
                (option.names.index(argument.name.name) if argument.name is not None else k, argument.value)
                for k, argument in enumerate(step.call.arguments)
            ]
        else:
            values = step.values
            if isinstance(values[0], nodes.Text):
                if option.action is not None or option.label != values[0].value:
                    return False
                values = values[1:]
            elif option.action is not None:
                return False
            if len(values) > len(option.types):
                return False
            given = list(enumerate(values))
        state = position.acting(player)
        for at, expr in given:
            value = self._reader.value(expr, state, player)
            if not fits(state, value, self.game.checked.types[expr], raw[at + 1], option.types[at]):
                return False
        return True

    # ------------------------------------------------------------ what is wrong with a move

    def _over(self, span: Span) -> ProblemError:
        what = "the stage has ended" if self._alone else "the game has ended"
        help_ = "take the line out, or lay the table out otherwise"
        return problem("EGO818", span, f"{what} before this line", help=help_)

    def _wrong_player(self, position: Position, ident: nodes.Ident) -> ProblemError:
        deciding = position.state.to_move
        if not deciding:
            return self._over(ident.span)
        names = listed(map(self._reader.letter, deciding))
        labels = tuple(
            Label(site.span, f"{self._reader.letter(p)} decides here")
            for p in deciding[:1]
            if (site := position.acting(p).site) is not None
        )
        moves = [self._reader.move_text(position.acting(p), *move) for p in deciding[:1] for move in position.moves(p)]
        return problem(
            "EGO813",
            ident.span,
            f"{ident.name} does not decide here; who decides: {names}",
            labels=labels,
            notes=(f"the moves of {self._reader.letter(deciding[0])} are {listed(moves)}",),
        )

    def _illegal(self, position: Position, player: int, step: nodes.PlaysStep | nodes.ChoosesStep) -> ProblemError:
        acting = position.acting(player)
        words = [self._reader.move_text(acting, *move) for move in position.moves(player)]
        site = acting.site
        return problem(
            "EGO811",
            step.span,
            f"{step.player.name} cannot play `{_words(step)}` here",
            help=f"the moves of {step.player.name} are {listed(words)}",
            labels=(Label(site.span, "what is decided is this"),) if site is not None else (),
        )

    # ------------------------------------------------------------ expectations

    def _fails(self, step: nodes.Step, message: str, *notes: str, help: str | None = None) -> None:
        self.found.append(problem("EGO810", step.span, message, help=help, notes=notes).diagnostic)

    def _expect(self, step: nodes.ExpectStep) -> None:
        state, you = self._position.state, self._position.decider
        if not self._reader.value(step.condition, state, you):
            notes = why_not(self._reader, step.condition, state, you)
            self._fails(step, f"`{step.condition.span.text}` does not hold", *notes)

    def _expect_legal(self, step: nodes.ExpectPlaysStep | nodes.ExpectChoosesStep) -> None:
        player = self._reader.seat(step.player)
        with aside(self.game.covering):
            position = self._reach(self._position.clone(), player, lambda _: True)
        if position is None:
            raise self._wrong_player(self._position, step.player)
        found = self._fitting(position, player, step)
        words = [self._reader.move_text(position.acting(player), *move) for move in position.moves(player)]
        who, what = step.player.name, _words(step)
        if step.negated and found:
            legal = [self._reader.move_text(position.acting(player), *move) for move in found]
            self._fails(step, f"{who} may play `{what}` here", f"{listed(legal)} fits it")
        elif not step.negated and not found:
            self._fails(step, f"{who} may not play `{what}` here", f"the moves of {who} are {listed(words)}")

    def _expect_decides(self, step: nodes.ExpectDecidesStep) -> None:
        player = self._reader.seat(step.player)
        with aside(self.game.covering):
            reached = self._reach(self._position.clone(), player, lambda _: True)
        if reached is None:
            deciding = listed(map(self._reader.letter, self._position.state.to_move))
            self._fails(step, f"{step.player.name} does not decide here", f"who decides: {deciding}")

    def _expect_sees(self, step: nodes.ExpectSeesStep) -> None:
        player = self._reader.seat(step.player)
        state = self._position.acting(player)
        value = self._reader.value(step.what, state, self._position.decider)
        cards = [] if value is None else list(value) if isinstance(value, frozenset | tuple) else [value]
        seen, hidden = seen_of(self._position.state, player, cards)
        who, what = step.player.name, step.what.span.text
        if not cards:
            self._fails(step, f"no card is there for {who} to see in `{what}`")
        elif step.negated and seen:
            self._fails(step, f"{who} sees `{what}`", f"{who} knows {self._cards(seen)}")
        elif not step.negated and hidden:
            self._fails(step, f"{who} does not see `{what}`", f"{who} does not know {self._cards(hidden)}")

    def _cards(self, cards: Sequence[int]) -> str:
        return listed(self.game.texts.card(card, self._position.state) for card in cards)

    def _expect_stage(self, step: nodes.ExpectStageStep) -> None:
        stage = self.game.checked.refs[step.stage]
        assert isinstance(stage, nodes.StageDecl)
        number = self.game.linker.stage_number(stage)
        state, name = self._position.state, step.stage.name
        running = bool(state.running[number])
        just_ended = number in self._position.happened(self._since)[1]
        ever = number in self._position.happened(None)[0]
        if step.ended and not just_ended and (running or not ever):
            self._fails(step, f"stage `{name}` has not ended", "it goes on" if running else "it has not begun")
        elif not step.ended and (just_ended or not running):
            begun = "it has begun anew" if running else "it has ended" if ever else "it has not begun"
            self._fails(step, f"stage `{name}` does not go on", begun)


def _words(step: Written) -> str:
    """The move as it is written in the line."""
    if isinstance(step, nodes.PlaysStep | nodes.ExpectPlaysStep):
        return step.call.span.text
    return step.values[0].span.join(step.values[-1].span).text
