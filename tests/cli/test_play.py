"""Games at the keyboard, with what is typed given as input."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import time
from pathlib import Path

import pytest

from egodsl.engine.game import load
from egodsl.engine.record import Record
from egodsl.engine.state import State
from tests.cli.running import COUNTING, MAIN, ROOT, STUCK, TOGETHER, run, start, write

SECRETS = """\
rulebook secrets "Secrets":
    players 2
    result most score

card Note:
    name: 10..59
    written "note-{name}"

components notes of Note in pile:
    1 x (name: n) for n in 10..59
    total 50

zone pile: stack of Note, face down
zone hand[player]: set of Note, owner only
zone shown: stack of Note, face up

var score[player]: 0..99 = 0

stage game:
    shuffle pile
    for p in players: move 3 from pile to hand[p]
    repeat 3 times:
        as p in players: choose one of show

action show(c in hand):
    move c to shown
    score += 1
"""
"""Fifty different notes; each player holds three and shows one after the other."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines_of(*typed: str) -> str:
    return "".join(f"{line}\n" for line in typed)


def test_a_game_by_numbers_and_by_texts(folder: Path) -> None:
    write(folder, COUNTING)
    both = ("--human", "A", "--human", "B")
    # Between two people somebody presses Enter; A counts twice and B once, two points each.
    given = lines_of("", "1", "", "wait", "", "COUNTUP", "", "cou")
    result = run("play", "counting", *both, given=given)
    assert result.exit_code == 0
    assert result.output.count("Pass the keyboard to B") == 2
    tail = result.output.splitlines()[-4:]
    assert tail[:3] == ["The game is over.", "1. A with 4", "2. B with 2"]
    assert tail[3].startswith("seed ")


def test_settings_reach_the_game(folder: Path) -> None:
    write(folder, COUNTING)
    both = ("--human", "A", "--human", "b")
    given = lines_of(*["", "1", "", "2"] * 5)
    result = run("play", "counting", *both, "--mode", "long", "--reading", "begin=one", "--set", "pace=3", given=given)
    assert "1. A with 16\n2. B with 1\n" in result.output


def test_what_does_not_fit_is_asked_again(folder: Path) -> None:
    write(folder, COUNTING)
    given = lines_of("3", "dance", "help", "", "1", "quit")
    output = run("play", "counting", "--seed", "4", given=given).output
    assert "there is no move number 3: they go from 1 to 2\n" in output
    assert "there is no move `dance`; `moves` lists them" in output
    assert "go back to your decision before this one" in output
    assert output.endswith("You left the game.\nseed 4\n")


def test_undo_goes_back_to_the_own_decision_before(folder: Path) -> None:
    write(folder, COUNTING)
    given = lines_of("undo", "1", "undo", "2", "1")
    output = run("play", "counting", "--seed", "4", given=given).output
    assert "there is no decision of yours to go back to\n" in output
    # Of `1`, `2`, `1` the first was taken back: A has counted once.
    assert " A with 2\n" in output or " A with 2 (tied)\n" in output


def test_a_saved_game_goes_on(folder: Path) -> None:
    path = write(folder, COUNTING)
    both = ("--human", "A", "--human", "B")
    output = run(
        "play", path, *both, "--set", "pace=5", given=lines_of("", "1", "", "2", "", "save half.record", "quit")
    ).output
    assert f"saved; `egodsl play {path} --from half.record` goes on with it" in output
    record = Record.from_json((folder / "half.record").read_text(encoding="utf-8"))
    assert record.events == (("A", "count up"), ("B", "wait"))
    assert record.parameters == {"pace": 5}
    output = run("play", path, *both, "--from", "half.record", given=lines_of("", "1", "", "2")).output
    assert "1. A with 10\n2. B with 0\n" in output


def test_save_does_not_overwrite_what_it_did_not_write(folder: Path) -> None:
    write(folder, COUNTING)
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    given = lines_of("save", "save notes.txt", "save a.record", "1", "save a.record", "save no/where", "quit")
    output = run("play", "counting", given=given).output
    assert "`save` needs the name of a file" in output
    assert "`notes.txt` is there already, and is left as it is" in output
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert output.count("goes on with it") == 2
    assert "`no/where` cannot be written: no such file or directory" in output


def test_the_end_of_input_leaves_the_game(folder: Path) -> None:
    write(folder, COUNTING)
    result = run("play", "counting", "--seed", "4", given="1\n")
    assert result.exit_code == 0
    assert result.output.endswith("You left the game.\nseed 4\n")


def test_a_fault_is_for_the_author_and_its_record_is_kept(folder: Path) -> None:
    write(folder, STUCK)
    for expected in ("stuck-EGO701.record", "stuck-EGO701-2.record"):
        result = run("play", "stuck", given="")
        assert result.exit_code == 1
        assert "error[EGO701]: a player must decide here and has no move" in result.stderr
        assert f"`egodsl replay {expected}`" in result.stderr
        assert Record.from_json((folder / expected).read_text(encoding="utf-8")).events[-1] == ("B", "take")


def test_a_single_move_is_made_with_a_note_unless_all_is_asked(folder: Path) -> None:
    write(folder, STUCK.replace("repeat 9 times", "repeat 1 times").replace("take when points < 2", "take"))
    assert "seed" in run("play", "stuck", given="").output
    asked = run("play", "stuck", "--ask-all", given="take\n").output
    assert "A> take" in asked


def test_choices_at_once_are_made_in_turn_and_hidden(folder: Path) -> None:
    write(folder, TOGETHER)
    result = run("play", "guess", "--human", "A", "--human", "B", given=lines_of("", "2", "", "1"))
    before_b = result.output.split("Pass the keyboard to B")[1].split("The game is over")[0]
    assert "guess     B not set\n" in before_b
    assert "A: 2" not in before_b
    assert "A 2" not in before_b
    assert "1. A with 1\n2. B with 0\n" in result.output


def test_nobody_sees_what_they_may_not(folder: Path) -> None:
    """Whatever is drawn for A alone names no note that is in B's hand or in the pile."""
    path = write(folder, SECRETS)
    output = run("play", path, "--seed", "11", given=lines_of("1", "quit")).output
    state = load(path).game().start(seed=11)
    texts = state.game.texts
    own = {texts.card(card) for card in _hand(state, 0)}
    named = {word.strip(",") for word in output.split() if word.startswith("note-")}
    shown_by_b = {line.split()[0] for line in output.splitlines() if line.endswith(" from hand[B] to shown")}
    assert own <= named
    assert named == own | shown_by_b
    assert len(shown_by_b) == 1


def test_two_people_do_not_see_each_others_cards(folder: Path) -> None:
    path = write(folder, SECRETS)
    both = ("--human", "A", "--human", "B")
    output = run("play", path, *both, "--seed", "11", "--ask-all", given=lines_of(*["", "1"] * 6)).output
    state = load(path).game().start(seed=11)
    hands = [{state.game.texts.card(card) for card in _hand(state, player)} for player in (0, 1)]
    screens = output.split("Pass the keyboard to ")[1:]
    assert [screen[0] for screen in screens] == list("ABABAB")
    shown: set[str] = set()
    for screen, own, other in zip(screens, hands * 3, hands[::-1] * 3, strict=True):
        before_the_move = screen.split("> 1")[0]
        named = set(re.findall(r"note-\d\d", before_the_move))
        assert named & other <= shown
        assert own - shown <= named
        (played,) = re.findall(r"1\) show (note-\d\d)", screen)
        shown.add(played)
    assert len(shown) == 6


def test_a_record_without_a_seed_goes_on_with_chance_of_its_own(folder: Path) -> None:
    path = write(folder, SECRETS)
    state = load(path).game().start()
    for _ in range(4):
        state.apply(state.chance()[0])
    assert state.is_chance
    (folder / "open.record").write_text(state.record().to_json(), encoding="utf-8")
    given = lines_of("1", "save done.record", "1")
    result = run("play", path, "--from", "open.record", "--seed", "3", given=given)
    assert result.exit_code == 0
    assert "1. A with 3 (tied)\n1. B with 3 (tied)\n" in result.output
    record = Record.from_json((folder / "done.record").read_text(encoding="utf-8"))
    assert record.seed is None
    assert [who for who, _ in record.events].count("chance") == 6
    assert record.events[:4] == state.record().events


def _hand(state: State, player: int) -> tuple[int, ...]:
    return next(state.Z[k] for k, slot in enumerate(state.game.layout.slots) if slot.owners == (player,))


def test_in_a_pipe_there_is_no_colour_and_no_screen_control(folder: Path) -> None:
    write(folder, COUNTING)
    done = start("play", "counting", "--human", "A", "--human", "B", given=b"\n1\n\n1\n", cwd=folder)
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout
    assert b"\x1b" not in done.stderr


# ---------------------------------------------------------------- on a terminal


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        import pty  # noqa: PLC0415 - Windows has none, and nothing else here needs it

        self.read = b""
        self.process, self.handle = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            # Tests that run in the background are started with interrupts ignored, and children inherit that.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
            os.execvpe(sys.executable, [sys.executable, "-c", MAIN, *words], env)  # noqa: S606 - our own program

    def wait_for(self, text: str) -> None:
        assert self.sees(text, within=30), self.read.decode(errors="replace")

    def sees(self, text: str, within: float) -> bool:
        end = time.monotonic() + within
        while text.encode() not in self.read:
            if time.monotonic() > end:
                return False
            if select.select([self.handle], [], [], 0.2)[0]:
                try:
                    self.read += os.read(self.handle, 65536)
                except OSError:
                    return text.encode() in self.read
        return True

    def type(self, line: str) -> None:
        self.read = b""
        os.write(self.handle, f"{line}\n".encode())

    def end(self) -> int:
        _, status = os.waitpid(self.process, 0)
        os.close(self.handle)
        return os.waitstatus_to_exitcode(status)


def test_on_a_terminal_the_screen_is_cleared_between_people(folder: Path) -> None:
    write(folder, COUNTING)
    terminal = Terminal(folder, "play", "counting", "--human", "A", "--human", "B")
    terminal.wait_for("Pass the keyboard to A")
    assert b"\x1b[2J" in terminal.read
    terminal.type("")
    terminal.wait_for("A> ")
    terminal.type("count up")
    terminal.wait_for("Pass the keyboard to B")
    # After the screen is cleared, only the request stands on it.
    assert b"points" not in terminal.read.split(b"\x1b[2J")[-1]
    terminal.type("")
    terminal.wait_for("B> ")
    terminal.type("quit")
    terminal.wait_for("seed ")
    assert terminal.end() == 0


def test_an_interrupt_ends_it_with_a_word(folder: Path) -> None:
    write(folder, COUNTING)
    terminal = Terminal(folder, "play", "counting")
    terminal.wait_for("A> ")
    # A signal that comes just before the program waits for a line is only noticed with the next.
    for _ in range(10):
        os.kill(terminal.process, signal.SIGINT)
        if terminal.sees("interrupted", within=3):
            break
    assert b"interrupted" in terminal.read
    assert b"Traceback" not in terminal.read
    assert terminal.end() == 130


def test_against_players_that_search(folder: Path) -> None:
    write(folder, COUNTING)
    # B counts up both times as long as that can be of use: A does nothing, so B leads from its first turn on.
    output = run("play", "counting", "--bots", "search", "--think", "150", given=lines_of("wait", "wait")).output
    assert "1. B with " in output
    assert "thinks" not in output
    both = ("--players", "3", "--bot", "C=search", "--think", "0")
    assert run("play", "counting", *both, given=lines_of("1", "1")).output.count("A>") == 2


def test_that_a_player_thinks_is_shown_on_a_terminal(folder: Path) -> None:
    write(folder, COUNTING)
    terminal = Terminal(folder, "play", "counting", "--bots", "search", "--think", "400")
    terminal.wait_for("A>")
    terminal.type("1")
    terminal.wait_for("B thinks")
    terminal.wait_for("A>")
    terminal.type("quit")
    terminal.wait_for("You left the game.")
    assert terminal.end() == 0
