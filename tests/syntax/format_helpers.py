"""What the tests of the formatter share."""

from __future__ import annotations

from egodsl.source.text import SourceText
from egodsl.syntax import nodes as n
from egodsl.syntax.format import format_text
from egodsl.syntax.parse import parse


def module_of(text: str) -> n.Module:
    """The tree of a text without mistakes."""
    parsed = parse(SourceText("test.rules", text))
    assert parsed.diagnostics == [], [str(found) for found in parsed.diagnostics]
    assert parsed.module is not None
    return parsed.module


def formatted(text: str) -> str:
    """What the formatter makes of a text without mistakes."""
    result = format_text(SourceText("test.rules", text))
    assert result.diagnostics == (), [str(found) for found in result.diagnostics]
    assert result.changed == (result.text != text)
    return result.text


def comment_texts(text: str) -> list[str]:
    """The comments of a text, in order, as the parser finds them."""
    return [comment.text for comment in parse(SourceText("test.rules", text)).comments]
