from __future__ import annotations

from pathlib import Path

import attrs

from egodsl.engine.game import Game, load
from egodsl.engine.record import Record
from egodsl.reports.retelling import Retelling
from tests.cli.running import STUCK, write
from tests.cli.test_play import SECRETS


def test_chance_has_what_was_written_down(tmp_path: Path) -> None:
    game = load(write(tmp_path, SECRETS)).game()
    state = game.start(seed=5)
    while not state.is_over:
        state.choose(0)
    record = state.record()
    retelling = Retelling(game, record)
    assert [(who, text) for _, who, text in retelling] == list(record.events)
    assert (retelling.difference, retelling.fault) == (None, None)
    assert retelling.state == state
    # The seed plays no part: the same chance events under another one tell the same game.
    other = Retelling(game, attrs.evolve(record, seed=6))
    assert list(other)
    assert other.state == state


def test_a_game_that_broke_breaks_again(tmp_path: Path) -> None:
    game = load(write(tmp_path, STUCK)).game()
    retelling = Retelling(game, attrs.evolve(_record(game), events=(("A", "take"), ("B", "take")) * 2))
    assert len(list(retelling)) == 4
    assert retelling.difference is None
    assert retelling.fault is not None
    assert retelling.fault.code.number == "EGO701"


def test_events_after_the_end_do_not_fit(tmp_path: Path) -> None:
    game = load(write(tmp_path, STUCK)).game()
    retelling = Retelling(game, attrs.evolve(_record(game), events=(("A", "take"), ("B", "take")) * 3))
    assert len(list(retelling)) == 4
    assert retelling.difference is not None
    assert retelling.difference.startswith("event 5 of the record (`A`: `take`) does not fit: the rules cannot go on")


def test_who_decides_is_named(tmp_path: Path) -> None:
    game = load(write(tmp_path, STUCK)).game()
    for event, why in (
        (("B", "take"), "B does not decide here; A decides"),
        (("chance", "5"), "no chance event is due"),
        (("A", "leave"), "A cannot play it here; the moves are `take`"),
    ):
        retelling = Retelling(game, attrs.evolve(_record(game), events=(event,)))
        assert list(retelling) == []
        assert retelling.difference == f"event 1 of the record (`{event[0]}`: `{event[1]}`) does not fit: {why}"


def _record(game: Game) -> Record:
    return game.start(seed=1).record()
