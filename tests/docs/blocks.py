"""What the documents hold: fenced blocks, headings, links."""

from __future__ import annotations

import re
from pathlib import Path

import attrs

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GENERATED = DOCS / "errors.md"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]

_FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```[ ]*$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\((?P<target>[^)\s]+)\)")


@attrs.frozen
class Block:
    """A fenced block. `words` are those after the fence: the language first, then what the tests do with it."""

    page: Path
    line: int
    words: tuple[str, ...]
    text: str

    @property
    def language(self) -> str:
        return self.words[0] if self.words else ""

    @property
    def use(self) -> str:
        return self.words[1] if len(self.words) > 1 else ""

    @property
    def id(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path, *languages: str) -> list[Block]:
    """The blocks of a page in order; with `languages`, those alone."""
    text = page.read_text(encoding="utf-8")
    found = [
        Block(page, text.count("\n", 0, match.start()) + 1, tuple(match["info"].split()), match["text"])
        for match in _FENCE.finditer(text)
    ]
    return [block for block in found if not languages or block.language in languages]


def prose(page: Path) -> str:
    """The text of a page without its fenced blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The anchors of the headings, as code forges make them."""
    made = set()
    for heading in _HEADING.findall(prose(page)):
        words = re.sub(r"[^\w\- ]", "", heading.lower())
        made.add(words.replace(" ", "-"))
    return made


def links(page: Path) -> list[str]:
    """The targets of the links that lead to files and headings of this repository."""
    found = [match["target"] for match in _LINK.finditer(re.sub(r"`[^`\n]*`", "", prose(page)))]
    return [target for target in found if "://" not in target and not target.startswith("mailto:")]
