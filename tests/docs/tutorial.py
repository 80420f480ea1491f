"""Following a page step by step: its commands are run, its changes made to the files it speaks of."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.docs.shell import commands, run

if TYPE_CHECKING:
    from tests.docs.blocks import Block


def follow(block: Block) -> None:
    """Do what a block of the tutorial shows, in the folder where the test stands."""
    match block.words:
        case ("console", *_):
            for command in commands(block):
                assert command.shown is not None
                run(command)
        case ("diff", name):
            path = Path(name)
            path.write_text(changed(path.read_text(encoding="utf-8"), block), encoding="utf-8")
        case ("rules", "append", name):
            with Path(name).open("a", encoding="utf-8") as file:
                file.write(block.text)
        case ("rules", "file", name):
            with Path(name).open("x", encoding="utf-8") as file:
                file.write(block.text)
        case _:
            raise AssertionError(f"{block.id}: nobody can follow {block.words}")


def changed(text: str, block: Block) -> str:
    """The text with the change that a `diff` block shows: its old lines must stand there once."""
    lines = block.text.splitlines(keepends=True)
    assert all(line[0] in " +-" for line in lines), block.id
    old = "".join(line[1:] for line in lines if line[0] != "+")
    new = "".join(line[1:] for line in lines if line[0] != "-")
    places = [match.start() for match in re.finditer(rf"^(?={re.escape(old)})", text, re.MULTILINE)]
    assert len(places) == 1, f"{block.id}: the lines stand there {len(places)} times"
    return text[: places[0]] + new + text[places[0] + len(old) :]
