"""Statements as logical lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from egodsl.syntax import nodes as n
from egodsl.syntax.printer_docs import LINE, Doc, Nest, filled, fits_on_a_line
from egodsl.syntax.printer_expressions import (
    Level,
    clause_doc,
    expression,
    right_side,
    sort_keys,
    wheres,
)
from egodsl.syntax.printer_strings import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence


@attrs.frozen
class Line:
    """A logical line: what stands between two line ends that count, at a depth of blocks.

    `opens` says that a block follows. A line of prose is never broken.
    """

    depth: int
    doc: Doc
    opens: bool = False
    prose: bool = False


def prose_lines(prose: n.Prose | None, depth: int) -> list[Line]:
    """A line for each line of prose."""
    if prose is None:
        return []
    return [Line(depth, f"> {line}".rstrip(), prose=True) for line in prose.lines]


def statement_lines(statement: n.Statement, depth: int) -> list[Line]:
    """The statement with its prose, and everything in it."""
    return [*prose_lines(statement.prose, depth), *_statement(statement, depth, [])]


def body_lines(head: list[Doc], body: n.Block, depth: int) -> list[Line]:
    """A header, given up to its colon, with its body: on the header's line if the author wrote it so and it fits."""
    if body.inline:
        inline = _inline(head, body, depth)
        if inline is not None:
            return inline
    lines = [Line(depth, head, opens=True)]
    for statement in body.statements:
        lines += statement_lines(statement, depth + 1)
    return lines


def _inline(head: list[Doc], body: n.Block, depth: int) -> list[Line] | None:
    if len(body.statements) != 1:
        return None
    [statement] = body.statements
    if statement.prose is not None or not _may_be_inline(statement):
        return None
    lines = _statement(statement, depth, [*head, " "])
    return lines if fits_on_a_line(lines[0].doc, depth) else None


def _may_be_inline(statement: n.Statement) -> bool:
    match statement:
        case n.If() | n.ChooseOption() | n.Repeat() | n.Turns():
            return False
        case n.Choose() | n.ChooseAction() | n.May():
            return statement.otherwise is None
        case _:
            return True


# `lead` is what stands before a statement on its line: the headers that it is the inline body of.


def _statement(statement: n.Statement, depth: int, lead: list[Doc]) -> list[Line]:
    match statement:
        case n.If() | n.ChooseOption() | n.Repeat() | n.Turns():
            return _compound(statement, depth)
        case n.May():
            lines = body_lines([*lead, *_may(statement), ":"], statement.body, depth)
            return lines + _otherwise(statement.otherwise, depth)
        case n.Choose() | n.ChooseAction():
            return [Line(depth, [*lead, *_choose(statement)]), *_otherwise(statement.otherwise, depth)]
        case n.For() | n.As() | n.AtOnce():
            return body_lines([*lead, *_prefix(statement), ":"], statement.body, depth)
        case n.Announce(call=call, body=body) if body is not None:
            return body_lines([*lead, "announce ", call_doc(call), ":"], body, depth)
        case _:
            return [Line(depth, [*lead, *_plain(statement)])]


def _otherwise(otherwise: n.Otherwise | None, depth: int) -> list[Line]:
    if otherwise is None:
        return []
    return body_lines(["otherwise", *guard(otherwise.guard), ":"], otherwise.body, depth)


def _compound(statement: n.Statement, depth: int) -> list[Line]:
    match statement:
        case n.If(branches=branches, otherwise=otherwise):
            lines: list[Line] = []
            for branch in branches:
                word = "otherwise if " if lines else "if "
                lines += body_lines([word, expression(branch.condition), ":"], branch.body, depth)
            return lines if otherwise is None else lines + body_lines(["otherwise:"], otherwise, depth)
        case n.ChooseOption(options=options, otherwise=after):
            lines = [Line(depth, "choose:", opens=True)]
            for option in options:
                lines += _option(option, depth + 1)
            return lines + _otherwise(after, depth)
        case n.Repeat(times=times, body=body, until=until):
            head: list[Doc] = ["repeat:"] if times is None else ["repeat ", expression(times), " times:"]
            lines = body_lines(head, body, depth)
            return lines if until is None else [*lines, Line(depth, ["until ", expression(until)])]
        case n.Turns(first=first, wheres=conditions, body=body):
            return body_lines(["turns from ", expression(first), *wheres(conditions), ":"], body, depth)
        case _:
            msg = f"no way to print a {type(statement).__name__}"
            raise TypeError(msg)


def _option(option: n.Option, depth: int) -> list[Line]:
    head: list[Doc] = [quoted(option.label.value), *_with(option.bindings), *guard(option.guard)]
    lines = prose_lines(option.prose, depth)
    if option.body is None:
        return [*lines, Line(depth, head)]
    return lines + body_lines([*head, ":"], option.body, depth)


def _may(statement: n.May) -> list[Doc]:
    label = [] if statement.label is None else [f" {quoted(statement.label.value)}"]
    return ["may", *label, *_with(statement.bindings)]


def _with(bindings: Sequence[n.Binding]) -> list[Doc]:
    return [" with ", *binding_docs(bindings)] if bindings else []


def _choose(statement: n.Choose | n.ChooseAction) -> list[Doc]:
    match statement:
        case n.Choose(bindings=bindings):
            return ["choose ", *binding_docs(bindings)]
        case n.ChooseAction(actions=actions):
            return ["choose one of ", filled([action.name for action in actions])]


def _prefix(statement: n.For | n.As | n.AtOnce) -> list[Doc]:
    match statement:
        case n.For(name=name, domain=domain, wheres=conditions, around=around):
            word = "from" if around else "in"
            return [f"for {name.name} {word} ", expression(domain), *wheres(conditions)]
        case n.As(how="around", name=n.Ident(name=name), domain=domain, wheres=conditions):
            return [f"as {name} from ", expression(domain), *wheres(conditions)]
        case n.As(how=how, name=n.Ident(name=name), domain=domain, wheres=conditions):
            word = "together as" if how == "together" else "as"
            return [f"{word} {name} in ", expression(domain, Level.SETOP), *wheres(conditions)]
        case n.As(domain=domain):
            return ["as ", expression(domain, Level.SUM)]
        case n.AtOnce():
            return ["at once"]


def _plain(statement: n.Statement) -> list[Doc]:
    match statement:
        case n.Assign(target=target, operator=operator, value=value):
            return [expression(target), f" {operator} ", right_side(value)]
        case n.Let(name=name, value=value):
            return [f"let {name.name} =", LINE, right_side(value)]
        case n.LetPerform(name=name, call=call):
            return [f"let {name.name} =", LINE, "perform ", call_doc(call)]
        case n.Move() | n.Swap() | n.Roll() | n.Shuffle() | n.Reveal() | n.Look():
            return _handling(statement)
        case n.Pick(name=name, domain=domain, wheres=conditions):
            return [f"pick {name.name} at random from ", expression(domain), *wheres(conditions)]
        case n.Rank(name=name, domain=domain, wheres=conditions, keys=keys, bound=bound):
            head: list[Doc] = [f"rank {name.name} in ", expression(domain, Level.SETOP), *wheres(conditions)]
            return [*head, LINE, "by ", Nest(sort_keys(keys)), f" as {bound.name}"]
        case n.Play(call=call):
            return ["play ", call_doc(call)]
        case n.Perform(call=call):
            return ["perform ", call_doc(call)]
        case n.Announce(call=call):
            return ["announce ", call_doc(call)]
        case _:
            return [_leaving(statement)]


def _leaving(statement: n.Statement) -> Doc:
    match statement:
        case n.Cancel(event=event):
            return f"cancel {event.name}"
        case n.End(stage=stage):
            return f"end {stage.name}"
        case n.Return(value=None):
            return "return"
        case n.Return(value=value) if value is not None:
            return ["return ", right_side(value)]
        case n.Stop(message=message):
            return f"stop with {quoted(message)}"
        case n.Nothing():
            return "nothing"
        case _:
            msg = f"no way to print a {type(statement).__name__}"
            raise TypeError(msg)


def _handling(statement: n.Statement) -> list[Doc]:
    match statement:
        case n.Move():
            return [*_move(statement), *_as_name(statement.bound)]
        case n.Swap(left=left, right=right):
            return ["swap ", expression(left), " with ", expression(right)]
        case n.Roll(what=what):
            return ["roll ", expression(what)]
        case n.Shuffle(zone=zone):
            return ["shuffle ", expression(zone)]
        case n.Reveal(what=what, viewers=viewers, bound=bound, clauses=clauses):
            seen: list[Doc] = [] if viewers is None else [" to ", expression(viewers)]
            facts = [part for clause in clauses for part in (" ", clause_doc(clause, inside=False))]
            return ["reveal ", expression(what), *seen, *_as_name(bound), *facts]
        case n.Look(what=what, bound=bound):
            return ["look at ", expression(what), *_as_name(bound)]
        case _:
            msg = f"no way to print a {type(statement).__name__}"
            raise TypeError(msg)


def _move(statement: n.Move) -> list[Doc]:
    word = "move up to " if statement.how == "up to" else "move "
    chance = " at random" if statement.how == "at random" else ""
    source: list[Doc] = [] if statement.source is None else [" from ", expression(statement.source)]
    return [word, expression(statement.what), chance, *source, " to ", expression(statement.destination)]


def _as_name(bound: n.Ident | None) -> list[Doc]:
    return [] if bound is None else [f" as {bound.name}"]


# ---------------------------------------------------------------- parts of statements and declarations


def call_doc(call: n.Call) -> Doc:
    """A call where a call is all that may stand: without arguments it has no parentheses."""
    return expression(call) if call.arguments else call.name.name


def guard(condition: n.Expr | None) -> list[Doc]:
    """` when condition`, with a break before it, or nothing."""
    return [] if condition is None else [LINE, "when ", Nest(expression(condition))]


def binding_docs(bindings: Sequence[n.Binding], *, inside: bool = False) -> list[Doc]:
    """`name in domain where ...`, broken after commas and before `where`."""
    docs: list[Doc] = []
    for binding in bindings:
        if docs:
            docs += [",", LINE]
        domain = expression(binding.domain, inside=inside)
        docs += [f"{binding.name.name} in ", domain, *wheres(binding.wheres, inside=inside)]
    return docs
