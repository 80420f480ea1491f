"""`egodsl test --mutate`: what it says on a terminal and to a program, and when it is interrupted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.verify.mutation import Mutation
from tests.cli.running import run, run_json, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pytest

    from egodsl.verify.mutants import Mutant
    from egodsl.verify.mutation import Verdict

COINS = """\
rulebook coins "Coins":
    players 2
    result most purse

var purse[player]: 0.. = 0

stage game:
    as p in players: choose one of take, leave

action take: purse += 5
action leave: nothing

scenario "five for taking":
    A plays take
    expect purse[A] = 5
"""

ACTION = {
    "statement: `purse += 5` is left out",
    "assignment: `purse += 5` becomes `purse -= 5`",
    "number: `5` becomes `6`",
    "number: `5` becomes `4`",
}
"""All of these are noticed: 5 is what is expected."""


def test_it_tells_what_nothing_notices(tmp_path: Path) -> None:
    result = run("test", write(tmp_path, COINS), "--mutate")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    place = tmp_path / "coins.rules"
    assert f"{place}:3:12: not noticed: order: `most purse` becomes `least purse` (result)" in lines
    assert not any(change in result.stdout for change in ACTION)
    assert lines[-1].startswith("coins: ")
    assert " noticed (" in lines[-1]


def test_json(tmp_path: Path) -> None:
    made = run_json("test", write(tmp_path, COINS), "--mutate")
    (book,) = made["rulebooks"]
    assert (book["rulebook"], book["failing"], made["interrupted"]) == ("coins", [], False)
    assert book["tried"] == book["mutants"]
    assert book["by_scenarios"] + book["by_properties"] == book["noticed"]
    assert book["noticed"] + len(book["survivors"]) == book["counted"] <= book["mutants"]
    (order,) = (one for one in book["survivors"] if one["kind"] == "order")
    assert (order["was"], order["is"], order["declaration"]) == ("most purse", "least purse", "result")
    assert (order["span"]["line"], order["span"]["column"]) == (3, 12)
    assert ACTION.isdisjoint(one["change"] for one in book["survivors"])


def test_a_scenario_that_fails_is_told(tmp_path: Path) -> None:
    result = run("test", write(tmp_path, COINS.replace("[A] = 5", "[A] = 7")), "--mutate")
    assert result.exit_code == 1
    assert '"five for taking" of coins fails as it is, so it notices nothing' in result.stdout


def test_a_rulebook_that_cannot_be_used(tmp_path: Path) -> None:
    result = run("test", write(tmp_path, COINS.replace("purse += 5", "purse += red")), "--mutate")
    assert result.exit_code == 1
    assert "EGO301" in result.stdout or "EGO302" in result.stdout
    assert "1 file could not be tried" in result.stdout


def test_an_interrupted_run_says_what_it_had_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Mutation.verdicts

    def interrupted(self: Mutation, chosen: Sequence[Mutant], processes: int | None = None) -> Iterator[Verdict]:
        for number, verdict in enumerate(whole(self, chosen, processes)):
            if number == len(chosen) - 1:
                raise KeyboardInterrupt
            yield verdict

    monkeypatch.setattr(Mutation, "verdicts", interrupted)
    result = run("test", write(tmp_path, COINS), "--mutate")
    assert result.exit_code == 130
    assert result.stdout.splitlines()[-2].endswith(", 1 not tried")
    assert result.stdout.splitlines()[-1] == "interrupted: this is what had been found"
    made = run_json("test", str(tmp_path / "coins.rules"), "--mutate", code=130)
    assert made["interrupted"] is True
    assert made["rulebooks"][0]["tried"] == made["rulebooks"][0]["mutants"] - 1
