"""Counting what play reaches: exact, and without an effect on play."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from egodsl.engine.covering import Covering, aside
from egodsl.engine.faults import GameFault
from egodsl.engine.game import DEFAULT_LIMIT, Game, Rulebook, load
from egodsl.engine.rng import Random
from egodsl.engine.settings import configure
from egodsl.engine.table import DECIDE, STAGE
from egodsl.syntax import nodes
from tests.helpers import load_text, moves, play, play_as, play_out

if TYPE_CHECKING:
    from pathlib import Path


def covered(
    rulebook: Rulebook, players: int = 2, *, names_only: bool = False, limit: int = DEFAULT_LIMIT, **readings: str
) -> Game:
    settings = configure(rulebook.checked, players, (), readings, {})
    return Game(rulebook, settings, limit, covering=Covering(names_only=names_only))


def plain(rulebook: Rulebook, players: int = 2, limit: int = DEFAULT_LIMIT) -> Game:
    return Game(rulebook, configure(rulebook.checked, players, (), {}, {}), limit)


def counts(game: Game) -> Counter[tuple[str, str]]:
    """How often each text was reached in each way."""
    assert game.covering is not None
    made = Counter[tuple[str, str]]()
    for (node, way), count in game.covering.counts().items():
        text = node.name.name if isinstance(node, nodes.Declaration) else node.span.text.split("\n", 1)[0]
        made[text, way] += count
    return made


CARDS = """
card Card:
    rank: 1..6

components pack of Card in deck:
    2 x (rank: r) for r in 1..6

zone deck: stack of Card, face down
zone pile: stack of Card, face up
zone hand[player]: set of Card, owner only
var points[player]: 0..99 = 0
"""

RICH = (
    CARDS
    + """
event shown(c: Card)
ability six on shown(c) where c.rank = 6: points += 2
trigger refill when deck runs out: move pile to deck
trigger rich for p in players whenever points[p] >= 5: points[p] -= 1

define worth(c: Card):
    2 if c.rank > 3
    1 otherwise

stage game:
    shuffle deck
    for p in players: move 2 from deck to hand[p]
    turns from players[1]:
        choose one of show, take
        if points > 9: end game

action show(c in hand where c.rank > 1) when not empty(hand) and points < 50:
    move c to pile
    points += worth(c)
    announce shown(c)

action take:
    move up to 2 from deck to hand
    may "shuffle": shuffle deck
    choose c in hand
    otherwise: points += 1
"""
)


def test_the_same_seed_gives_the_same_game(tmp_path: Path) -> None:
    rulebook = load_text(tmp_path, RICH)
    for seed in range(10):
        records = []
        for game in (plain(rulebook, 3), covered(rulebook, 3), covered(rulebook, 3, names_only=True)):
            state = play_out(game.start(seed), Random(seed).below)
            records.append((state.record().to_json(), state.result, state.ticks, len(state.entries())))
        assert records[0] == records[1] == records[2]


@pytest.mark.parametrize("name", ["ego", "egocentric_world", "egonomy", "emotrions"])
def test_the_shipped_games_are_played_as_ever(name: str) -> None:
    rulebook = load(f"rulebooks/{name}.rules")
    for players in rulebook.players:
        games = (plain(rulebook, players), covered(rulebook, players))
        states = [play_out(game.start(7), Random(players).below) for game in games]
        records = [(state.record().to_json(), state.result, state.ticks) for state in states]
        assert records[0] == records[1]


def test_the_machine_takes_as_many_steps(tmp_path: Path) -> None:
    rulebook = load_text(
        tmp_path,
        """
        var n: 0..99 = 0
        stage game:
            repeat 9 times:
                if n % 2 = 0: n += 1
                otherwise:
                    at once: n += 3
            as players[1]: choose k in 1..2
            n := k
        """,
    )

    def is_enough(limit: int, *, counting: bool) -> bool:
        try:
            (covered(rulebook, limit=limit) if counting else plain(rulebook, limit=limit)).start(1)
        except GameFault:
            return False
        return True

    needed = next(limit for limit in range(1, 500) if is_enough(limit, counting=False))
    assert needed > 9
    assert is_enough(needed, counting=True)
    assert not is_enough(needed - 1, counting=True)


def test_branches_are_counted_both_ways(tmp_path: Path) -> None:
    rulebook = load_text(
        tmp_path,
        """
        var n: 0..99 = 0
        stage game:
            for k in 1..5:
                if k = 1: n += 10
                otherwise if k > 3: n += 1
                otherwise: n += 2
            repeat: n -= 1
            until n < 14
            n := 7 if n > 50 else 8
        """,
    )
    game = covered(rulebook)
    assert game.start(1).is_over
    found = counts(game)
    # k is 1 once, above 3 twice, and neither twice: 10 + 2 + 4 = 16, which takes three passes down to 13.
    assert found["k = 1", "yes"] == 1
    assert found["k = 1", "no"] == 4
    assert found["k > 3", "yes"] == found["k > 3", "no"] == 2
    assert (found["n += 10", "run"], found["n += 1", "run"], found["n += 2", "run"]) == (1, 2, 2)
    assert found["n -= 1", "run"] == 3
    assert (found["n < 14", "no"], found["n < 14", "yes"]) == (2, 1)
    assert found["for k in 1..5:", "run"] == found["repeat: n -= 1", "run"] == 1
    assert (found["n > 50", "yes"], found["n > 50", "no"]) == (0, 1)


def test_what_is_done_together_is_counted_once_for_each_player(tmp_path: Path) -> None:
    rulebook = load_text(
        tmp_path,
        """
        var bid[player]: 0..9 = 0, owner only
        stage game:
            together as p in players:
                choose k in 1..3
                if k = 3: bid[p] := 9
                otherwise: bid[p] := k
                may "more": bid[p] := 5
            as players[1]: choose m in 1..2
            for p in players: reveal bid[p]
        """,
    )
    game = covered(rulebook, 3)
    state = game.start(1)
    for player, text in ((2, "3"), (0, "3"), (1, "1")):
        play_as(state, player, text)
    play_as(state, 0, "no")
    play_as(state, 2, "more")
    found = counts(game)
    assert found["bid[p] := 9", "run"] == found["k = 3", "yes"] == 2
    assert found["bid[p] := k", "run"] == found["k = 3", "no"] == 1
    assert found["choose m in 1..2", "run"] == 0
    play_as(state, 1, "no")
    # The entries of the branches are done again on the state, which counts nothing twice.
    found = counts(game)
    assert (found['may "more": bid[p] := 5', "yes"], found['may "more": bid[p] := 5', "no"]) == (1, 2)
    assert found["together as p in players:", "run"] == found["choose m in 1..2", "run"] == 1
    assert found["choose k in 1..3", "run"] == 3


def test_an_action_is_chosen_or_performed(tmp_path: Path) -> None:
    rulebook = load_text(
        tmp_path,
        """
        var n: 0..9 = 0
        stage game:
            as players[1]:
                choose one of rest, work
                perform rest
                choose one of work, rest
        action rest: nothing
        action work: n += 1
        """,
    )
    game = covered(rulebook)
    play(game.start(1), "rest", "work")
    assert game.covering is not None
    found = {(node.span.start, way): n for (node, way), n in game.covering.counts().items()}
    program = rulebook.checked.program
    first, second = [node for node in nodes.walk(program.stages["game"]) if isinstance(node, nodes.ChooseAction)]
    assert [found[ident.span.start, "run"] for ident in first.actions] == [1, 0]
    assert [found[ident.span.start, "run"] for ident in second.actions] == [1, 0]
    # Once chosen, once performed.
    assert game.covering.counts()[program.actions["rest"], "run"] == 2


def test_heads_options_and_reactions(tmp_path: Path) -> None:
    rulebook = load_text(
        tmp_path,
        CARDS
        + """
event rung(n: 1..3)
trigger echo on rung(n) where n > 1: points[players[1]] += n
trigger silent on rung(n) where n > 9: nothing
stage game:
    as players[1]:
        choose:
            "ring" with n in 1..3 where n != 2: announce rung(n)
            "wait" when points > 5
        choose:
            "ring" with n in 1..3: announce rung(n)
            "wait" when points > 5
""",
    )
    game = covered(rulebook)
    play(game.start(1), "ring 3")
    found = counts(game)
    assert (found["echo", "run"], found["silent", "run"]) == (1, 0)
    assert (found["n > 1", "yes"], found["n > 1", "no"]) == (1, 0)
    assert (found["n > 9", "yes"], found["n > 9", "no"]) == (0, 1)
    assert (found["n != 2", "yes"], found["n != 2", "no"]) == (2, 1)
    assert (found["points > 5", "yes"], found["points > 5", "no"]) == (0, 2)
    assert found['"ring" with n in 1..3 where n != 2: announce rung(n)', "run"] == 1
    assert found['"ring" with n in 1..3: announce rung(n)', "run"] == 0
    assert found["rung", "run"] == 1


def test_a_guard_holds_when_all_of_it_does(tmp_path: Path) -> None:
    rulebook = load_text(
        tmp_path,
        """
        var n: 0..9 = 4
        stage game:
            as players[1]: choose one of pick_two, rest
        action pick_two(a in 1..3, b in 1..3) when n > 3 and a < b and b = 3: nothing
        action rest: nothing
        """,
    )
    game = covered(rulebook)
    assert len(moves(game.start(1))) == 3
    found = counts(game)
    # Of nine pairs six are not in order, and (1, 2) does not end with 3.
    assert found["n > 3 and a < b and b = 3", "no"] == 7
    assert found["n > 3 and a < b and b = 3", "yes"] == 2


def test_cases_of_defines_also_where_they_are_kept_or_folded(tmp_path: Path) -> None:
    rulebook = load_text(
        tmp_path,
        """
        reading size "How many?":
            few "two" default
            many "nine"
        var n: 0..99 = 0
        define amount:
            2 if size = few
            9 otherwise
        define doubled(k: 1..9):
            18 if k = 9
            2 * k otherwise
        define state_of:
            1 if n > 3
            0 otherwise
        define unused = 5
        stage game:
            n := amount
            n := doubled(2) + doubled(2)
            if size = many: n := doubled(9)
            n += state_of
        """,
    )
    game = covered(rulebook)
    game.start(1)
    found = counts(game)
    assert (found["2 if size = few", "run"], found["9 otherwise", "run"]) == (1, 0)
    assert (found["18 if k = 9", "run"], found["2 * k otherwise", "run"]) == (0, 2)
    assert (found["1 if n > 3", "run"], found["0 otherwise", "run"]) == (1, 0)
    assert (found["size = many", "yes"], found["size = many", "no"]) == (0, 1)
    assert ("unused", "run") not in found
    other = covered(rulebook, size="many")
    other.start(1)
    found = counts(other)
    assert (found["2 if size = few", "run"], found["9 otherwise", "run"]) == (0, 1)
    assert (found["18 if k = 9", "run"], found["2 * k otherwise", "run"]) == (1, 2)
    assert (found["size = many", "yes"], found["size = many", "no"]) == (1, 0)


def test_what_the_settings_decide_is_reached_with_what_it_is_in(tmp_path: Path) -> None:
    rulebook = load_text(
        tmp_path,
        """
        mode long "Long"
        var n: 0..99 = 0
        stage game:
            as players[1]: may "go": perform later
        procedure later: n := 9 if long else 3
        """,
    )
    game = covered(rulebook)
    play(game.start(1), "no")
    assert counts(game)["long", "no"] == 0
    play(game.start(1), "go")
    assert counts(game)["long", "no"] == 1
    assert counts(game)["long", "yes"] == 0


def test_a_statement_that_waits_for_a_refill_is_counted_once(tmp_path: Path) -> None:
    rulebook = load_text(
        tmp_path,
        CARDS
        + """
trigger refill when pile runs out: move 3 from deck to pile
stage game:
    as players[1]: move 1 from pile to hand
    as players[1]: choose c in hand
""",
    )
    for seed in (None, 1):
        game = covered(rulebook)
        state = game.start(seed)
        while state.is_chance:
            state.apply(state.chance()[0])
        found = counts(game)
        assert found["refill", "run"] == 1
        assert found["move 1 from pile to hand", "run"] == 1
        assert found["move 3 from deck to pile", "run"] == 1


def test_names_only_counts_bodies(tmp_path: Path) -> None:
    rulebook = load_text(tmp_path, RICH)
    game = covered(rulebook, names_only=True)
    state = game.start(1)
    state.choose(0)
    assert game.covering is not None
    found = {
        node.name.name: count
        for (node, _), count in game.covering.counts().items()
        if isinstance(node, nodes.Declaration) and node.kind != "event"
    }
    chosen = state.record().events[-1][1].split()[0]
    assert found["game"] == 1
    assert found[chosen] == 1
    assert found["refill"] == found["rich"] == 0
    assert not any(isinstance(node, nodes.Statement) for node, _ in game.covering.counts())


def test_what_is_done_aside_does_not_count(tmp_path: Path) -> None:
    rulebook = load_text(tmp_path, RICH)
    game = covered(rulebook)
    state = game.start(1)
    before = counts(game)
    with aside(game.covering):
        state.clone().choose(0)
    assert counts(game) == before
    with aside(game.covering) as look:
        state.clone().choose(0)
        look.keep()
    assert counts(game) != before
    with aside(None):
        pass


def test_a_state_of_a_counting_game_is_stored_and_resumed(tmp_path: Path) -> None:
    rulebook = load_text(tmp_path, RICH)
    game = covered(rulebook)
    state = game.start(1)
    again = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own bytes
    assert again == state
    assert again.game is game
    with pytest.raises(AssertionError):
        # Its places in the bodies are others than those of a plain game.
        assert plain(rulebook).start(1) == state


def logged(game: Game, seeds: range) -> tuple[Counter[tuple[str, object]], Counter[int]]:
    """What the logs of random games tell: stages begun, actions and options chosen; and decisions by their place."""
    told, decided = Counter[tuple[str, object]](), Counter[int]()
    for seed in seeds:
        for entry in play_out(game.start(seed), Random(seed).below).entries():
            if entry[0] == STAGE:
                told["stage", game.stages[entry[1]].name] += 1
            if entry[0] == DECIDE:
                site = game.sites[entry[2]]
                option = site.options[entry[3][0]]
                decided[site.span.start] += 1
                if option.action is not None:
                    told["action", option.label] += 1
                elif option.span is not None:
                    told["option", option.span.start] += 1
    return told, decided


@pytest.mark.parametrize("name", ["ego", "egocentric_world", "egonomy", "emotrions"])
def test_counts_agree_with_the_log(name: str) -> None:
    rulebook = load(f"rulebooks/{name}.rules")
    game = covered(rulebook, rulebook.players[-1])
    told, decided = logged(game, range(3))
    assert decided
    assert game.covering is not None
    counted, asked, answered = Counter[tuple[str, object]](), Counter[int](), Counter[int]()
    for (node, way), count in game.covering.counts().items():
        match node:
            case nodes.StageDecl():
                counted["stage", node.name.name] += count
            case nodes.Ident():
                counted["action", node.name] += count
            case nodes.Option():
                counted["option", node.label.span.start] += count
            case nodes.May() if way != "run":
                answered[node.span.start] += count
            case nodes.Choose() | nodes.ChooseAction() | nodes.ChooseOption():
                asked[node.span.start] += count
            case _:
                pass
    assert told == +counted
    for start, count in decided.items():
        # Without a move nobody decides, and something else is done; `may` always has one.
        assert answered[start] == count or asked[start] >= count
