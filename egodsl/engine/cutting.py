"""Games cut down so that all of their positions can be looked at: fewer cards, and smaller numbers in their rules.

Of a components declaration N cards are kept, or N of those that show a value: `12`, or `mind:4,virtue:3`. Which ones is
fixed. The first card of every row comes before the second of any. In a row that goes `for` several names the first
name changes fastest, so that `for t in Topic for r in 1..9` gives each topic its 1 before any has a 2, and the second
copies come after the first of all. What is kept lies in the order of the declaration. `total` is not asked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.analysis.tables import is_text
from egodsl.engine.values import Value
from egodsl.source.diagnostics import Diagnostic, Diagnostics
from egodsl.source.registry import CODES, did_you_mean
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from egodsl.analysis.symbols import Checked
    from egodsl.engine.layout import CardType
    from egodsl.engine.settings import SettingsError
    from egodsl.engine.setup import Builder
    from egodsl.source.span import Span

Row = tuple[int, tuple[Value, ...], dict[str, Value], int]
"""The number of the row, what its names stand for, the fields, and how many copies."""

_PART = re.compile(r"(?:([^\s:,]+):)?([0-9]{1,6})")


def selection(text: str) -> list[tuple[str | None, int]] | None:
    """How many of what: (value shown, or None for any card, and the number); None where the text says neither."""
    parts = [_PART.fullmatch(part.strip()) for part in text.split(",")]
    found = [(part[1], int(part[2])) for part in parts if part is not None]
    if len(found) != len(parts) or (len(found) > 1 and any(name is None for name, _ in found)):
        return None
    return found


def check_names(
    checked: Checked, decks: Mapping[str, str], counts: Mapping[str, int], problems: Diagnostics, place: Span
) -> None:
    """Report decks and defines that the rulebook does not have, and selections that say nothing."""
    program = checked.program
    for name, text in decks.items():
        parts = selection(text)
        if name not in program.components:
            known = list(program.components)
            problems.error("EGO911", place, f"this rulebook has no components `{name}`", help=_hint(name, known))
        elif parts is None or any(number == 0 for _, number in parts):
            says = "does not say how many cards" if parts is None else "keeps no card"
            problems.error(
                "EGO912",
                program.components[name].name.span,
                f"`{text}` {says} of `{name}`",
                help="give a number of 1 or more, as in `12`, or one for each value, as in `red:4,blue:3`",
            )
    for name in counts:
        decl = program.defines.get(name)
        numbers = [n for n, d in program.defines.items() if _is_number(checked, d)]
        if decl is None:
            problems.error("EGO911", place, f"this rulebook has no define `{name}`", help=_hint(name, numbers))
        elif name not in numbers:
            message = f"define `{name}` is not a number that is settled before play"
            problems.error("EGO911", decl.name.span, message, help=_hint(name, numbers))


def _hint(name: str, known: Sequence[str]) -> str:
    return did_you_mean(name, known) or (f"there are: {', '.join(known)}" if known else "it has none")


def _is_number(checked: Checked, decl: nodes.DefineDecl) -> bool:
    if decl.params:
        return False
    values = [decl.value] if decl.value is not None else [case.value for case in decl.cases]
    return all(isinstance(checked.types.get(value), t.IntType) for value in values)


def check_counts(builder: Builder) -> None:
    """Raise SettingsError for a define that the table decides, or a number that is no cut: 0 to what it would be."""
    counts = dict(builder.settings.counts)
    for name, wanted in counts.items():
        decl = builder.program.defines[name]
        if not builder.expressions.is_static(decl):
            raise _refused("EGO911", decl.name.span, f"define `{name}` is not a number that is settled before play")
        usual = builder.expressions.usual_value(decl)
        if not 0 <= wanted <= usual:
            message = f"define `{name}` is {usual}, which can be cut down to no less than 0, not to {wanted}"
            raise _refused("EGO912", decl.name.span, message)


def kept_of(
    builder: Builder, decl: nodes.ComponentsDecl, kind: CardType, rows: Sequence[Row]
) -> Iterator[tuple[dict[str, Value], int]]:
    """Fields and copies of the rows that are kept, in their order. Raises SettingsError where there are not so many."""
    text = builder.settings.decks.get(decl.name.name)
    if text is None:
        yield from ((values, copies) for _, _, values, copies in rows)
        return
    order = _spread(rows)
    kept = [0] * len(rows)
    for name, wanted in selection(text) or ():
        fitting = [k for k in order if name is None or _shows(builder, kind, rows[k][2], name)]
        if wanted > len(fitting):
            what = "" if name is None else f" that show `{name}`"
            message = f"components `{decl.name.name}` has {len(fitting)} cards{what}, not {wanted}"
            raise _refused("EGO912", decl.name.span, message)
        for k in fitting[:wanted]:
            kept[k] += 1
            order.remove(k)
    yield from ((row[2], count) for row, count in zip(rows, kept, strict=True))


def _spread(rows: Sequence[Row]) -> list[int]:
    # The index of the row of each card, in the order in which cards are kept (see the head of the module).
    by_number: dict[int, list[tuple[Any, ...]]] = {}
    ranks: dict[tuple[int, int], dict[Value, int]] = {}
    for k, (number, bound, _, copies) in enumerate(rows):
        places = []
        for at, value in enumerate(bound):
            known = ranks.setdefault((number, at), {})
            places.append(known.setdefault(value, len(known)))
        cards = by_number.setdefault(number, [])
        cards.extend((copy, *reversed(places), k) for copy in range(copies))
    queues = [[key[-1] for key in sorted(cards)] for cards in by_number.values()]
    longest = max(map(len, queues), default=0)
    return [queue[at] for at in range(longest) for queue in queues if at < len(queue)]


def _shows(builder: Builder, kind: CardType, values: Mapping[str, Value], name: str) -> bool:
    printed = {field.name.name: field.type for field in kind.decl.fields if not is_text(field.type)}
    return any(name in _names(builder, printed[field], value) for field, value in values.items() if field in printed)


def _names(builder: Builder, node: nodes.TypeNode, value: Value) -> list[str]:
    # How a rulebook may write a value of the type.
    kind = builder.checked.declared[node]
    kind = kind.inner if isinstance(kind, t.OptionalType) else kind
    if value is None:
        return ["none"]
    match kind:
        case t.BoolType():
            return ["true" if value else "false"]
        case t.EnumType(decl=nodes.ReadingDecl() as decl):
            return [decl.answers[value].name.name]
        case t.EnumType(decl=nodes.EnumDecl() as decl):
            return [builder.enum_names(decl)[value]]
        case t.IntType():
            labels = kind.label.labels if kind.label is not None else []
            values = ((label.name.name, builder.constant(label.value)) for label in labels)
            return [str(value), *(label for label, number in values if number == value)]
        case _:
            return []


def _refused(code: str, span: Span, message: str) -> SettingsError:
    from egodsl.engine.settings import SettingsError  # noqa: PLC0415 - settings know what makes a layout of them

    return SettingsError([Diagnostic(CODES[code], message, span)])
