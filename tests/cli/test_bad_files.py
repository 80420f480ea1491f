"""What is said about files that fall short, of every kind that a rulebook goes with: one golden file for all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import COUNTING, STUCK, run, write
from tests.golden_files import GOLDEN, assert_golden

SOURCED = """\
> Count what you see. [CO-1]
rulebook sourced "Sourced":
    source {source}
    players 2
    result most points

var points[player]: 0..9 = 0

> Each turn is a point. [CO-{number}]
stage game:
    for p in players: points[p] += 1
"""
INDEX = 'source {name} "A source"\n\nCO-1 rule [a1a1a1a1a1a1]: What is seen is counted.\n{lines}'
POINT = "CO-2 rule [b2b2b2b2b2b2]: A turn is worth a point.\n"

DEALT = """\
rulebook dealt "Dealt":
    players 2..3
    result most count(hand[you])

> Everybody has as many chips, and none is left: ten are for two players, and not for three.
define hand_size = 10 // count(players)

card Chip:
    worth: 1..2

components chips of Chip in bag:
    5 x (worth: n) for n in 1..2
    total count(players) * hand_size

zone bag: stack of Chip, face down
zone hand[player]: set of Chip, owner only

stage game:
    for p in players: move hand_size from bag to hand[p]
"""

RUNS = {
    # At run time each of these comes to a point from which the rules do not lead on.
    "too_many": STUCK.replace("when points < 2", "").replace("rulebook stuck", "rulebook too_many"),
    "no_card": """\
rulebook no_card "No card":
    players 2
    result most count(hand[you])

card Chip:
    worth: 1..2

components chips of Chip in bag:
    3 x (worth: 1)

zone bag: stack of Chip, face down
zone hand[player]: set of Chip, owner only

stage game:
    repeat 2 times:
        as p in players: choose one of take

action take:
    move top(bag) to hand
""",
    "spinning": """\
rulebook spinning "Spinning":
    players 2
    result most points

var points[player]: 0..3 = 0

stage game:
    as players[1]: choose one of take
    repeat:
        for p in players where points[p] = 3: points[p] := 0
    until points[players[1]] = 2

action take:
    points += 1
""",
    "swinging": """\
rulebook swinging "Swinging":
    players 2
    result most points

var points[player]: 0..3 = 0

stage game:
    repeat:
        for p in players: points[p] := 1 - points[p]
    until points[players[1]] = 2
""",
}

COMMANDS = (
    "check mine.rules",
    "check hers.rules",
    "check unknown.rules",
    "check sourced.rules",
    "check without.rules",
    "check twice.rules",
    "check kinds.rules",
    "check dealt.rules",
    "check large.rules",
    "check windows.rules",
    "check unended.rules",
    "cite sourced.rules",
    "cite sourced.rules --document latin.txt",
    "cite sourced.rules --document nothing.txt",
    "cite sourced.rules --document poem.txt",
    "cite sourced.rules --document missing.txt",
    "cite unknown.rules",
    "cite --new latin.txt",
    "cite --new nothing.txt",
    "simulate stuck.rules --games 2 --seed 1 --records faults",
    "replay faults/stuck-EGO701-game0.record",
    "simulate no_card.rules --games 2 --seed 1 --records faults",
    "replay faults/no_card-EGO702-game0.record",
    "simulate too_many.rules --games 2 --seed 1 --records faults",
    "replay faults/too_many-EGO703-game0.record",
    "simulate spinning.rules --games 2 --seed 1 --records faults",
    "replay faults/spinning-EGO705-game0.record",
    "simulate swinging.rules --games 1 --seed 1 --limit 200 --records faults",
    "replay faults/swinging-EGO705-game0.record --limit 200",
    "replay faults/other.record",
    "replay faults/torn.record",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, 'variant mine "Mine" of mine\n')
    write(tmp_path, 'variant hers "Hers" of his\n')
    write(tmp_path, 'variant his "His" of hers\n')
    for name, number, lines in (
        ("sourced", 2, POINT),
        ("unknown", 3, POINT),
        ("twice", 2, POINT + POINT),
        ("kinds", 2, POINT.replace("rule", "rulr")),
    ):
        text = SOURCED.format(source=name, number=number).replace("rulebook sourced", f"rulebook {name}")
        write(tmp_path, text, name)
        (tmp_path / f"{name}.source").write_text(INDEX.format(name=name, lines=lines), encoding="utf-8")
    write(tmp_path, SOURCED.format(source="nowhere", number=1), "without")
    write(tmp_path, DEALT)
    (tmp_path / "large.rules").write_bytes(b"# a line of a very long file\n" * 400_000)
    (tmp_path / "windows.rules").write_bytes(COUNTING.replace("\n", "\r\n").encode())
    write(tmp_path, COUNTING.rstrip("\n"), "unended")
    (tmp_path / "latin.txt").write_bytes("Ein schöner Tag.\n".encode("latin-1"))
    (tmp_path / "nothing.txt").write_bytes(b" \n")
    (tmp_path / "poem.txt").write_text("The sea is wide. The sea is wet.\n", encoding="utf-8")
    write(tmp_path, STUCK)
    for text in RUNS.values():
        write(tmp_path, text)
    return tmp_path


def test_files_that_fall_short_are_told_as_they_were(folder: Path) -> None:
    told = []
    for command in COMMANDS:
        if command.startswith("replay faults/other"):
            record = (folder / "faults" / "stuck-EGO701-game0.record").read_text(encoding="utf-8")
            (folder / "faults" / "other.record").write_text(record.replace('"B", "take"', '"B", "pass"', 1), "utf-8")
            (folder / "faults" / "torn.record").write_text(record[: len(record) // 2], encoding="utf-8")
        result = run(*command.split())
        assert result.exception is None or isinstance(result.exception, SystemExit), command
        # How long a run took is another matter each time.
        output = "".join(line for line in result.output.splitlines(keepends=True) if "decisions per second" not in line)
        told.append(f"$ egodsl {command}\n{output}exit code {result.exit_code}\n")
    assert_golden(GOLDEN / "cli" / "bad_files.txt", "\n".join(told))
