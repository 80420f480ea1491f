"""Writes anew what the documents take from the program: `python -m tests.docs.regenerate`."""

from __future__ import annotations

from egodsl.analysis.builtins import BUILTINS
from egodsl.source.errors_page import errors_page
from tests.docs.blocks import DOCS, GENERATED

LANGUAGE = DOCS / "language.md"
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


def main() -> None:
    """Write the files."""
    LANGUAGE.write_text(with_tables(LANGUAGE.read_text(encoding="utf-8")), encoding="utf-8")
    GENERATED.write_text(errors_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
