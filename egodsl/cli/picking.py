"""From what a person types to one of the moves."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from egodsl.source.registry import close_names

_MOST_NAMED = 6


@attrs.frozen
class Picked:
    """Which move is meant: its place in the list, from 0; or None, and why no single one is."""

    index: int | None
    problem: str = ""


def numbered(texts: Sequence[str]) -> bool:
    """Whether the moves can be numbered:

    not where a move is itself written as a number, since `3` would be two things.
    """
    return not any(text.strip().isdecimal() for text in texts)


def pick(typed: str, texts: Sequence[str]) -> Picked:
    """The move that is meant by a number (from 1), by its text, or by the beginning of one text alone.

    Neither capitals nor blanks matter. What is a whole text wins over what only begins one.
    """
    wanted = squeeze(typed)
    squeezed = [squeeze(text) for text in texts]
    whole = [k for k, text in enumerate(squeezed) if text == wanted]
    if len(whole) == 1:
        return Picked(whole[0])
    if not whole and wanted.isdecimal() and numbered(texts):
        number = int(wanted[:9])
        if 1 <= number <= len(texts):
            return Picked(number - 1)
        return Picked(None, f"there is no move number {typed.strip()}: they go from 1 to {len(texts)}")
    begun = whole or [k for k, text in enumerate(squeezed) if text.startswith(wanted)]
    if len(begun) == 1:
        return Picked(begun[0])
    if begun:
        named = ", ".join(f"`{texts[k]}`" for k in begun[:_MOST_NAMED])
        return Picked(None, f"`{typed.strip()}` could be {named}{', ...' if len(begun) > _MOST_NAMED else ''}")
    close = [text for text in texts if squeeze(text) in close_names(wanted, squeezed)]
    hint = f"; did you mean `{close[0]}`?" if close else "; `moves` lists them, `help` says what else can be typed"
    return Picked(None, f"there is no move `{typed.strip()}`{hint}")


def squeeze(text: str) -> str:
    """The text without blanks and capitals."""
    return "".join(text.casefold().split())
