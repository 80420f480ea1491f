from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from egodsl.cli import app
from egodsl.engine.state import State
from egodsl.verify import explore as exploring
from tests.cli.running import COUNTING, STUCK, run, run_json, write

KEYS = [
    "rulebook", "digest", "players", "modes", "readings", "parameters", "decks", "defines", "until", "limit", "memory",
    "states", "transitions", "ends", "depth", "complete", "stopped", "symmetries", "bytes", "seconds", "properties",
    "not_judged", "violations", "witnesses", "repeat",
]  # fmt: skip

EGONOMY = ["egonomy", "--deck", "arguments=unmarked:3", "--define", "hand_size=1", "--set", "number_of_rounds=1"]


def test_json_has_the_promised_shape(tmp_path: Path) -> None:
    found = run_json("explore", write(tmp_path, COUNTING), "--set", "pace=4", "--deck", "chips=2", "--every")
    assert list(found) == KEYS
    assert (found["rulebook"], found["players"], found["parameters"]) == ("counting", 2, {"pace": 4})
    assert (found["decks"], found["defines"], found["until"]) == ({"chips": "2"}, {}, None)
    # Four decisions of two answers; after each only how often A and B have counted is told: 1, 2, 4, 6, 9.
    assert (found["states"], found["transitions"], found["depth"]) == (1 + 2 + 4 + 6 + 9, 2 * (1 + 2 + 4 + 6), 4)
    assert (found["ends"], found["complete"], found["stopped"]) == (9, True, None)
    assert (found["violations"], found["witnesses"]) == ([], [])
    assert found["properties"] == ["no_fault", "never_stuck"]
    assert found["repeat"].endswith("--set pace=4 --deck chips=2 --every")


def test_a_person_is_told(tmp_path: Path) -> None:
    result = run("explore", write(tmp_path, COUNTING), "--every")
    assert result.exit_code == 0
    assert "22 positions, 26 transitions, depth 4; the game is over in 9" in result.stdout
    assert "complete: these are all that can be reached\n" in result.stdout
    assert "nothing went wrong: `no_fault`, `never_stuck`" in result.stdout


def test_a_game_that_is_cut_down_says_so() -> None:
    result = run("explore", *EGONOMY, "--property", "no_fault", "--property", "never_stuck")
    assert result.exit_code == 0
    assert "cut down: `arguments` to unmarked:3 cards, `hand_size` to 1; totals in the rulebook do not" in result.stdout
    assert "of 12 positions that differ in seats or in names alone, one was looked at" in result.stdout


def test_a_violation_is_told_and_written_down(tmp_path: Path) -> None:
    path, records = write(tmp_path, STUCK), tmp_path / "records"
    result = run("explore", path, "--records", str(records))
    assert result.exit_code == 1
    assert "property `never_stuck` is broken after 4 events, by 1 transition:" in result.stdout
    assert "error[EGO701]" in result.stdout
    assert "    4  B: take" in result.stdout
    (record,) = records.iterdir()
    again = run("replay", str(record), "--rulebook", path)
    assert again.exit_code == 1
    assert "EGO701" in again.output


def test_a_record_of_a_cut_game_is_replayed_as_it_was_cut(tmp_path: Path) -> None:
    # Thirteen cards each are more than there are.
    words = ["egonomy", "--deck", "arguments=unmarked:3", "--records", str(tmp_path), "--property", "no_fault"]
    found = run_json("explore", *words, "--limit", "500", code=1)
    (violation,) = found["violations"]
    assert (violation["property"], violation["code"]) == ("no_fault", "EGO702")
    assert violation["record"]["decks"] == {"arguments": "unmarked:3"}
    (record,) = tmp_path.iterdir()
    again = run("replay", str(record))
    assert "EGO702" in again.output
    events = [line.split("  ", 1)[1] for line in again.stdout.splitlines() if "chance: " in line]
    assert events == [f"chance: {text}" for _, text in violation["record"]["events"]]


def test_what_a_rulebook_claims_is_judged_in_the_game_that_was_asked_for() -> None:
    # With the numbers of seven cards the rules of dealing, and what is claimed of all cards, are right again.
    cut = ["--deck", "arguments=unmarked:3", "--define", "cards=3", "--define", "returned=0"]
    found = run_json("explore", "egonomy", *cut, "--set", "number_of_rounds=1")
    assert found["complete"]
    assert not found["violations"]
    assert {"all_cards", "argued", "never_stuck"} <= set(found["properties"])
    # Three cards cannot lie on one table if each player has one; the whole game may show it.
    assert {"property": "full_table", "instance": None, "verdict": "not found"} in found["witnesses"]


def test_bounds_are_told(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING)
    found = run_json("explore", path, "--limit", "10")
    assert (found["states"], found["complete"], found["stopped"]) == (10, False, "limit")
    assert "not complete: `--limit` is reached" in run("explore", path, "--limit", "10").stdout
    within = run("explore", path, "--until", "game")
    assert "complete: these are all that can be reached until stage `game` ends" in within.stdout


@pytest.mark.parametrize("as_json", [False, True])
def test_an_interrupted_run_says_what_it_had_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, as_json: bool
) -> None:
    usual = exploring.choices
    asked: list[State] = []

    def choices(state: State) -> list[exploring.Choice]:
        asked.append(state)
        if len(asked) == 5:
            signal.raise_signal(signal.SIGINT)
        return usual(state)

    signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(exploring, "choices", choices)
    result = run("explore", write(tmp_path, COUNTING), "--every", *(["--json"] if as_json else []))
    assert result.exit_code == app.INTERRUPTED == 130
    # The first position and three of the next ones have been looked at.
    if as_json:
        found = json.loads(result.stdout)
        assert (found["states"], found["depth"], found["stopped"]) == (9, 3, "interrupted")
    else:
        assert "9 positions, 8 transitions, depth 3" in result.stdout
        assert "not complete: interrupted\nnothing has gone wrong so far" in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--limit 0", "`--limit`: `0` is not a whole number of 1 or more"),
        ("--limit many", "`--limit`: `many` is not a whole number of 1 or more"),
        ("--memory 0", "`--memory`: `0` is not a whole number of 1 or more"),
        ("--property stuck", "`--property`: there is no `stuck` to explore"),
        ("--property no_leak", "`--property`: there is no `no_leak` to explore"),
        ("--until rest", "`--until`: this rulebook has no stage `rest`"),
        ("--deck chips", "`--deck`: `chips` is not of the form NAME=VALUE"),
        ("--deck chips=0", "`0` keeps no card of `chips`"),
        ("--deck chips=4", "components `chips` has 3 cards, not 4"),
        ("--deck chip=2", "this rulebook has no components `chip`"),
        ("--deck chips=1 --deck chips=2", "`--deck`: `chips` is given twice, as `1` and as `2`"),
        ("--define worth=1", "this rulebook has no define `worth`"),
        ("--define worth=x", "`--define`: `worth` takes a whole number, not `x`"),
        ("--players 9", "9 players do not fit"),
        ("--records counting.rules", "is no directory"),
    ],
)
def test_misuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, message: str) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, COUNTING)
    result = run("explore", "counting", *words.split())
    assert result.exit_code == 2
    assert message in result.stderr
    assert not result.stdout
