"""The formatter: one layout for a whole file, with every comment and every line of prose kept.

The tokens of the printed lines are the tokens of the file, one for one; this is how comments and blank lines find their
places again. The result is parsed before it is given away, and must say what the file said.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import attrs

from egodsl.source.diagnostics import Diagnostic, Diagnostics
from egodsl.source.text import SourceText
from egodsl.syntax import nodes as n
from egodsl.syntax.format_tokens import SourceToken, source_tokens, token_texts
from egodsl.syntax.parse import Comment, Parsed, parse
from egodsl.syntax.printer import has_block, line_texts, module_sections
from egodsl.syntax.printer_docs import INDENT, Remark, place_remarks
from egodsl.syntax.printer_statements import Line

if TYPE_CHECKING:
    from collections.abc import Sequence


@attrs.frozen
class Formatted:
    """What became of a file. With errors in `diagnostics`, `text` is the file's own text and `changed` is false."""

    text: str
    changed: bool
    diagnostics: tuple[Diagnostic, ...]


def format_text(source: SourceText) -> Formatted:
    """The text in the one layout.

    A file with errors in its syntax is left as it is, and its diagnostics are given. So is one whose expressions are
    nested too deeply (EGO113), and one whose layout would not say the same, which is a mistake of the formatter's own
    (EGO950).
    """
    parsed = parse(source)
    if parsed.module is None or any(diagnostic.is_error for diagnostic in parsed.diagnostics):
        return Formatted(source.text, changed=False, diagnostics=tuple(parsed.diagnostics))
    name = parsed.module.name
    try:
        text = _laid_out(source, parsed.module, parsed.comments)
    except RecursionError:
        return _left_alone(
            parsed, "EGO113", f"an expression in `{name.name}` is nested too deeply to be laid out", _DEEP
        )
    if text is None or not _says_the_same(parsed, parse(SourceText(source.path, text))):
        message = f"`{name.name}` would not say the same after formatting, so it was left as it is"
        return _left_alone(parsed, "EGO950", message, _REPORT)
    return Formatted(text, changed=text != source.text, diagnostics=tuple(parsed.diagnostics))


_DEEP = "give a part of it a name, by `let` or as a `define`"
_REPORT = "this is a mistake in the formatter, not in the rules; please report it with this file"


def _left_alone(parsed: Parsed, code: str, message: str, advice: str) -> Formatted:
    found = Diagnostics(parsed.diagnostics)
    found.error(code, None if parsed.module is None else parsed.module.name.span, message, help=advice)
    return Formatted(parsed.source.text, changed=False, diagnostics=tuple(found.sorted()))


# ---------------------------------------------------------------- proof


def _says_the_same(before: Parsed, after: Parsed) -> bool:
    if before.module is None or after.module is None or any(found.is_error for found in after.diagnostics):
        return False
    comments = [[comment.text for comment in parsed.comments] for parsed in (before, after)]
    return comments[0] == comments[1] and same_but_for_layout(before.module, after.module)


def same_but_for_layout(left: n.Node, right: n.Node) -> bool:
    """Whether two trees say the same, wherever their text stood and whichever bodies stand beside their headers."""
    return list(_content(left)) == list(_content(right))


def _content(root: n.Node) -> Iterator[tuple[Any, ...]]:
    # Each node by its kind, how many nodes hang on each of its fields, and everything else that it holds.
    for node in n.walk(root):
        kind: type = type(node)
        names = [field.name for field in attrs.fields(kind) if field.name not in {"span", "title_span", "inline"}]
        yield (kind, *(_held(getattr(node, name)) for name in names))


def _held(value: object) -> object:
    if isinstance(value, n.Node):
        return n.Node
    if isinstance(value, list):
        return [_held(item) for item in value]
    return value


# ---------------------------------------------------------------- places


@attrs.define
class _Placed:
    """A logical line with its place in the file: tokens `first` to before `last`."""

    line: Line
    section: int
    first: int
    last: int
    above: list[Comment] = attrs.field(factory=list)
    inside: list[Comment] = attrs.field(factory=list)
    trailing: Comment | None = None


@attrs.define
class _Entry:
    """Lines of the result: a logical line or a comment, and which lines of the file it comes from."""

    depth: int
    texts: list[str]
    first_line: int
    last_line: int
    section: int
    is_comment: bool
    opens: bool = False
    blank_before: bool = False


def _laid_out(source: SourceText, module: n.Module, comments: Sequence[Comment]) -> str | None:
    # None if the printed lines do not consist of the tokens of the file.
    tokens = source_tokens(source.text)
    sections = module_sections(module)
    placed: list[_Placed] = []
    printed: list[str] = []
    for number, section in enumerate(sections):
        for line in section:
            first = len(printed)
            printed += token_texts(line)
            placed.append(_Placed(line, number, first, len(printed)))
    if printed != [token.text for token in tokens]:
        return None
    rest = _attach(placed, tokens, comments)
    entries = _entries(source, placed, tokens, rest)
    _keep_blank_lines(source, entries)
    _set_items_apart(entries, [has_block(section) for section in sections])
    lines: list[str] = []
    for entry in entries:
        lines += ["", *entry.texts] if entry.blank_before else entry.texts
    return "".join(f"{line}\n" for line in lines)


def _attach(placed: list[_Placed], tokens: list[SourceToken], comments: Sequence[Comment]) -> list[Comment]:
    # Gives each comment to the line it belongs to; gives back those after the last line.
    starts = [token.start for token in tokens]
    ends = [line.last for line in placed]
    rest: list[Comment] = []
    for comment in comments:
        index = bisect_left(starts, comment.span.start)
        # The line with the next token, for a comment on its own line; otherwise that with the token before.
        at = bisect_left(ends, index + 1 if comment.own_line else index)
        if at == len(placed):
            rest.append(comment)
        elif comment.own_line and index == placed[at].first:
            placed[at].above.append(comment)
        elif not comment.own_line and index == placed[at].last:
            placed[at].trailing = comment
        else:
            placed[at].inside.append(comment)
    return rest


def _entries(source: SourceText, placed: list[_Placed], tokens: list[SourceToken], rest: list[Comment]) -> list[_Entry]:
    starts = [token.start for token in tokens]
    entries: list[_Entry] = []
    columns: dict[int, int] = {}
    before = 0
    for item in placed:
        depth = item.line.depth
        first_line, column = source.position(tokens[item.first].start)
        entries += [
            _comment_entry(comment, _depth(comment, columns, depth, before), item.section) for comment in item.above
        ]
        remarks = [
            Remark(bisect_left(starts, comment.span.start) - item.first, _written(comment), comment.own_line)
            for comment in item.inside
        ]
        doc, homeless = place_remarks(item.line.doc, remarks)
        entries += [
            _Entry(depth, [" " * (INDENT * depth) + remark.text], first_line, first_line, item.section, is_comment=True)
            for remark in homeless
        ]
        texts = line_texts(attrs.evolve(item.line, doc=doc))
        if item.trailing is not None:
            texts[-1] += f"  {_written(item.trailing)}"
        last_line = source.line_of(tokens[item.last - 1].end)
        entries.append(
            _Entry(depth, texts, first_line, last_line, item.section, is_comment=False, opens=item.line.opens)
        )
        columns = {level: place for level, place in columns.items() if level < depth} | {depth: column}
        before = depth
    entries += [_comment_entry(comment, _depth(comment, columns, 0, before), len(placed)) for comment in rest]
    return entries


def _written(comment: Comment) -> str:
    return f"#{comment.text}"


def _comment_entry(comment: Comment, depth: int, section: int) -> _Entry:
    line = comment.span.line
    return _Entry(depth, [" " * (INDENT * depth) + _written(comment)], line, line, section, is_comment=True)


def _depth(comment: Comment, columns: dict[int, int], after: int, before: int) -> int:
    # Between a deep line and a shallow one, a comment stands in the deepest block that is not indented more than it.
    column = comment.span.column
    for depth in range(before, after, -1):
        if columns.get(depth, column + 1) <= column:
            return depth
    return after


# ---------------------------------------------------------------- blank lines


def _keep_blank_lines(source: SourceText, entries: list[_Entry]) -> None:
    # One for any number that the author left; none below a header, since its block belongs to it.
    for before, entry in pairwise(entries):
        between = source.lines[before.last_line : entry.first_line - 1]
        entry.blank_before = not before.opens and any(not line.strip() for line in between)


def _set_items_apart(entries: list[_Entry], blocks: list[bool]) -> None:
    # A blank line around each item with a block and below the head: above the comments that lead up to the item.
    starts: dict[int, int] = {}
    for i, entry in enumerate(entries):
        if not entry.is_comment:
            starts.setdefault(entry.section, i)
    for section in range(1, len(blocks)):
        if section > 1 and not blocks[section - 1] and not blocks[section]:
            continue
        first = own = starts[section]
        while entries[first - 1].is_comment and entries[first - 1].depth == 0:
            first -= 1
        if not any(entry.blank_before for entry in entries[first : own + 1]):
            entries[first].blank_before = True
