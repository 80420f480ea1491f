"""A sample of the digests, and that the comparison finds what it should."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from egodsl.engine.state import State
from tests.digests.__main__ import SEEDS, main
from tests.digests.comparing import compare
from tests.digests.playing import PARTS, RULEBOOKS, Case
from tests.digests.running import cases, run
from tests.digests.storing import (
    FILE,
    Difference,
    Digest,
    Stored,
    read_differences,
    read_file,
    stale,
    write_file,
)

ALIKE = Digest(("a", "b", "c", "d", "e", "f"), "ABCDE")
CASE = Case("pig", 2, "default")


def stored_as(digest: Digest) -> dict[Case, Stored]:
    return {CASE: Stored("text", {0: digest})}


@pytest.fixture(scope="module")
def stored() -> dict[Case, Stored]:
    return read_file(FILE)


@pytest.mark.parametrize("name", RULEBOOKS)
def test_the_first_games_of_the_defaults_are_as_they_were(name: str, stored: dict[Case, Stored]) -> None:
    every = cases([name])
    (first, *_) = every
    assert first.setting == "default"
    made = dict(run([first], 2, 1))
    found = compare({first: stored[first]}, made, read_differences())
    assert found.told == []
    assert found.notes == []
    assert found.games == 2
    assert [case for case in stored if case.rulebook == name] == every
    assert all(sorted(stored[case].seeds) == list(range(SEEDS)) for case in every)


def test_a_game_is_played_alike_each_time() -> None:
    (case, *_) = cases(["hanabi"])
    once, again = (dict(run([case], 3, 1))[case] for _ in range(2))
    assert once == again
    assert len({digest.trail for digest in once.seeds.values()}) == 3


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = dict(run(cases(["hanabi"]), 2, 1))
    write_file(made, tmp_path / "digests.txt")
    assert read_file(tmp_path / "digests.txt") == made
    assert read_file(tmp_path / "none.txt") == {}


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_compared(part: str) -> None:
    k = PARTS.index(part)
    other = attrs.evolve(ALIKE, parts=(*ALIKE.parts[:k], "x", *ALIKE.parts[k + 1 :]))
    found = compare(stored_as(ALIKE), stored_as(other))
    assert found.differing == {"pig/2/default/0": (part,)}
    assert not found.same
    others = [name for name in PARTS if name != part]
    assert compare(stored_as(ALIKE), stored_as(other), parts=others).same


@pytest.mark.parametrize(
    ("trail", "number"), [("ABXDE", 3), ("XXXXX", 1), ("ABCD", 5), ("ABCDEF", 6), ("ABCDE", None), ("", 1)]
)
def test_the_first_decision_that_differs_is_told(trail: str, number: int | None) -> None:
    assert ALIKE.first_difference(attrs.evolve(ALIKE, trail=trail)) == number


def test_what_is_not_there_to_compare_is_told() -> None:
    other = Case("pig", 2, "gone=1")
    assert compare({}, stored_as(ALIKE)).notes == ["pig/2/default: there are no digests of this setting"]
    both = {**stored_as(ALIKE), other: Stored("text", {})}
    assert compare(both, stored_as(ALIKE)).notes == ["pig/2/gone=1: this setting is no longer there"]
    assert compare({CASE: Stored("text")}, stored_as(ALIKE)).notes == [
        "pig/2/default/0: there is no digest of this game"
    ]
    changed = {CASE: Stored("other", {0: ALIKE})}
    assert compare(changed, stored_as(ALIKE)).notes == ["pig: the rulebook's text is not what it was"]


def test_a_listed_difference_is_none_and_a_stale_entry_is_told() -> None:
    other = attrs.evolve(ALIKE, parts=("x", *ALIKE.parts[1:]))
    listed = Difference("pig/*/default/*", ("log",), "meant")
    found = compare(stored_as(ALIKE), stored_as(other), [listed], whole=["pig"])
    assert found.same
    assert (found.listed, found.games) == (1, 1)
    found = compare(stored_as(ALIKE), stored_as(ALIKE), [listed], whole=["pig"])
    assert found.stale == ["pig/*/default/* log: listed as a difference, but there is none"]
    assert not found.same
    # Of games that were not all played nothing can be said.
    assert compare(stored_as(ALIKE), stored_as(ALIKE), [listed]).same
    wider = attrs.evolve(listed, parts=("log", "moves"))
    found = compare(stored_as(ALIKE), stored_as(other), [wider], whole=["pig"])
    assert found.stale == ["pig/*/default/* moves: listed as a difference, but there is none"]
    assert stale([listed], set(), {}) != []


def test_the_list_of_differences_says_which_and_why(tmp_path: Path) -> None:
    path = tmp_path / "differences.txt"
    path.write_text("# words\n\npig/2/*  log, views: dice are counted\n", encoding="utf-8")
    assert read_differences(path) == [Difference("pig/2/*", ("log", "views"), "dice are counted")]
    for wrong in ("pig/2/* log", "pig/2/* log:", "pig/2/* dice: rolled", "pig/2/*: rolled"):
        path.write_text(wrong, encoding="utf-8")
        with pytest.raises(ValueError, match=r"differences\.txt:1"):
            read_differences(path)


def test_equal_states_whose_hashes_differ_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    (case, *_) = cases(["pig"])
    right = dict(run([case], 1, 1))
    monkeypatch.setattr(State, "__hash__", object.__hash__)
    found = compare(right, dict(run([case], 1, 1)))
    assert found.differing == {f"{case.name}/0": ("states",)}


def test_an_engine_that_breaks_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    (case, *_) = cases(["pig"])
    right = dict(run([case], 2, 1))

    def broken(*_: object) -> None:
        message = "not written yet"
        raise NotImplementedError(message)

    monkeypatch.setattr(State, "choose", broken)
    found = compare(right, dict(run([case], 2, 1)))
    assert len(found.differing) == 2
    assert all("result" in parts for parts in found.differing.values())


def test_the_command_tells_a_changed_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "digests.txt"
    empty = tmp_path / "differences.txt"
    empty.touch()
    common = ["--rulebooks", "hanabi", "--seeds", "1", "--file", str(path)]
    assert main(["write", *common]) == 0
    assert main(["compare", *common, "--differences", str(empty)]) == 0
    legal = State.legal_moves
    monkeypatch.setattr(State, "legal_moves", lambda state, player: legal(state, player)[:1])
    capsys.readouterr()
    assert main(["compare", *common, "--differences", str(empty), "--show"]) == 1
    told = capsys.readouterr().out
    assert "hanabi/2/default/0: log, moves" in told
    assert "== moves" in told


def test_a_game_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "pig/2/default/0", "--part", "moves"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "== moves"
    (case, *_) = cases(["pig"])
    assert case == CASE
    assert len(lines) - 1 == len(next(run([case], 1, 1))[1].seeds[0].trail) - 1
    with pytest.raises(SystemExit, match="is no game"):
        main(["show", "pig/2/nothing/0"])
