"""Writes anew what the documents take from the program: `python -m tests.docs.regenerate`."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from egodsl.analysis.builtins import BUILTINS
from egodsl.source.errors_page import errors_page
from tests.docs.blocks import DOCS, GENERATED, blocks
from tests.docs.shell import commands, transcript
from tests.docs.tutorial import follow

LANGUAGE = DOCS / "language.md"
TUTORIAL = DOCS / "tutorial.md"
BEGIN, END = "<!-- made from egodsl/analysis/builtins.py -->\n", "<!-- until here -->\n"


def builtins_table(kind: str) -> str:
    """The built-in names or functions as a table."""
    rows = [
        f"| `{entry.signature.replace('|', chr(92) + '|')}` | {entry.doc} |"
        for entry in BUILTINS.values()
        if entry.kind == kind
    ]
    return "\n".join([f"| {kind} | meaning |", "|---|---|", *rows, ""])


def with_tables(text: str) -> str:
    """The text of the language reference with its tables made anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    tables = f"\n{builtins_table('name')}\n{builtins_table('function')}\n"
    return f"{before}{BEGIN}{tables}{END}{after}"


def with_output(page: Path) -> str:
    """The text of the tutorial with what its commands say now. Read the difference before you keep it."""
    text = page.read_text(encoding="utf-8")
    with TemporaryDirectory() as folder, chdir(folder):
        for block in blocks(page):
            if block.language != "console":
                follow(block)
                continue
            shown = "".join(transcript(command) for command in commands(block))
            text = text.replace(f"```console\n{block.text}```", f"```console\n{shown}```", 1)
    return text


def main() -> None:
    """Write the files."""
    TUTORIAL.write_text(with_output(TUTORIAL), encoding="utf-8")
    LANGUAGE.write_text(with_tables(LANGUAGE.read_text(encoding="utf-8")), encoding="utf-8")
    GENERATED.write_text(errors_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
