"""Running what `console` blocks show: the program itself in this process, in a folder of the test."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import attrs
import pytest
from click.testing import CliRunner, Result

from egodsl.cli.app import verbs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.docs.blocks import Block

_CLOCK = re.compile(r"in [\d.]+ s, [\d,.…]+ decisions per second")
_CODE = re.compile(r"# exit code (\d+)$")
_TYPED = re.compile(r"^[A-Z]> ?(.*)$", re.MULTILINE)


@attrs.frozen
class Command:
    """A line that a reader types, and the output shown below it (None where none is shown)."""

    words: tuple[str, ...]
    shown: str | None
    code: int = 0
    """The exit code, where a comment `# exit code 1` says that it is not 0."""

    @property
    def typed(self) -> str:
        """What the reader types while the command runs: what stands after a prompt such as `A>`."""
        return "".join(f"{line}\n" for line in _TYPED.findall(self.shown or ""))


def commands(block: Block) -> Iterator[Command]:
    """The commands of a block: lines after `$ `, with their output; or, where there are none such, every line."""
    lines = block.text.splitlines()
    if not any(line.startswith("$ ") for line in lines):
        for line in lines:
            said = _CODE.search(line)
            yield from (Command(words, None, int(said.group(1)) if said else 0) for words in _split(line))
        return
    assert lines[0].startswith("$ "), f"{block.id} begins with output"
    for piece in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, shown = piece.partition("\n")
        for words in _split(line):
            yield Command(words, shown)


def _split(line: str) -> Iterator[tuple[str, ...]]:
    for part in line.split("&&"):
        if part.strip():
            yield tuple(shlex.split(part, comments=True))


def run(command: Command) -> None:
    """Run a command as a reader would, in the folder where the test stands, and compare its output with what is shown.

    Installing and testing are what the reader does to get here, so they are held to their form alone.
    """
    words = command.words
    if words[:3] == ("python", "-m", "pip"):
        assert words[3] == "install"
        assert words[4:] in {(".",), (".[test]",), (".[dev]",)}
        return
    if words[:3] == ("python", "-m", "pytest"):
        return
    assert words[0] == "egodsl", f"a reader cannot be asked to run {words[0]}"
    result = _invoke(command)
    if command.shown is None:
        assert result.exit_code == command.code, result.output
        return
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if plain(result.output) != plain(command.shown):
        pytest.fail(f"`{shlex.join(words)}` says\n\n{result.output}\nand the page shows\n\n{command.shown}")


def transcript(command: Command) -> str:
    """The command, and below it what it says now, as a page shows them."""
    said = plain(_invoke(command).output)
    return f"$ {shlex.join(command.words)}\n{said}" + ("\n" if said else "")


def _invoke(command: Command) -> Result:
    typed = command.typed or ("quit\n" if command.words[1] == "play" else "")
    return CliRunner().invoke(verbs, list(command.words[1:]), input=typed, prog_name="egodsl")


def plain(output: str) -> str:
    """Output without what differs from run to run: the clock, and blanks at the ends of lines."""
    lines = [line.rstrip() for line in _CLOCK.sub("in … s", output).strip("\n").splitlines()]
    return "\n".join(lines)
