"""Proving that rules treat all players alike, or all values of an enum.

Values of such a sort are then nothing but names: rename them throughout a position, and everything that can follow is
renamed the same way. What is proved is that of every way from one decision to the next. It is proved by the words of
the rules alone, and conservatively: what is not known to keep the sort apart from its names refuses it.

- No rule that can run names a value, compares by order, goes by a seat, or makes a row, or a loop, of what is in no
  order. (What the settings rule out does not run.)
- A loop over such things is let through where its passes cannot notice each other: it shows something, sets a variable
  that is the one thing's own, or deals from a shuffled pile before anybody has decided in the stage.
- Players go round: only what is clockwise may be told, so only turning the table is a renaming of theirs.

Events, teams and triggers for each of the values refuse it, too, as does every kind of statement or expression that is
not listed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Builtin, EnumValue
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from egodsl.engine.game import Game

Sort = nodes.EnumDecl | None
"""An enum; None stands for the players."""

_FUNCTIONS = frozenset(
    {"count", "empty", "sum", "most", "least", "any", "all", "min", "max", "abs", "top", "bottom", "left", "right"}
    | {"steps", "same_face", "subsets", "groups", "runs", "joined"}
)
_BY_ORDER = frozenset({"sum", "most", "least", "min", "max"})
_DECIDING = (
    nodes.Choose | nodes.ChooseAction | nodes.ChooseOption | nodes.May | nodes.Play | nodes.Perform
    | nodes.LetPerform | nodes.Announce | nodes.As | nodes.Turns
)  # fmt: skip
_PLAIN = (
    nodes.Block, nodes.Binding, nodes.Otherwise, nodes.Option, nodes.Branch, nodes.Where, nodes.Clause, nodes.Argument,
    nodes.SortKey, nodes.Param, nodes.Case, nodes.Ident, nodes.Prose, nodes.Text, nodes.Assign, nodes.Let,
    nodes.LetPerform, nodes.Shuffle, nodes.Reveal, nodes.Look, nodes.Choose, nodes.ChooseAction, nodes.ChooseOption,
    nodes.May, nodes.Pick, nodes.Play, nodes.Perform, nodes.End, nodes.Return, nodes.Stop, nodes.Nothing, nodes.AtOnce,
    nodes.If, nodes.Repeat, nodes.Turns, nodes.Integer, nodes.Boolean, nodes.NoneValue, nodes.Group, nodes.Not,
    nodes.Negate, nodes.Binary, nodes.And, nodes.Or, nodes.Conditional, nodes.Range, nodes.Attribute, nodes.Key,
    nodes.Filter, nodes.Tuple, nodes.Braces, nodes.Brackets, nodes.StageDecl, nodes.ProcedureDecl, nodes.ActionDecl,
    nodes.DefineDecl, nodes.NamedType, nodes.RangeType, nodes.OptionalType, nodes.SetType, nodes.RowType,
)  # fmt: skip
"""Nodes that treat all values alike whatever they are about."""

_OVER_A_DOMAIN = (
    nodes.Clause | nodes.Filter | nodes.Binding | nodes.Pick | nodes.Rank | nodes.The | nodes.For | nodes.As
)
Body = nodes.StageDecl | nodes.ProcedureDecl | nodes.ActionDecl | nodes.DefineDecl


class _Told(Exception):  # noqa: N818 - a value is told from others, which is no error
    """The rules tell the values apart; the message says where."""


def refusal(game: Game, sort: Sort) -> str | None:
    """Why the values of the sort cannot be taken for mere names; None where it is proved that they can."""
    try:
        _Proof(game, sort).run()
    except _Told as told:
        return str(told)
    return None


class _Proof:
    def __init__(self, game: Game, sort: Sort) -> None:
        self.game = game
        self.checked = game.checked
        self.sort = sort
        self._done: set[nodes.Node] = set()
        self._waiting: list[Body] = []
        self._cards = {decl for decl in self.checked.program.cards.values() if self._on_card(decl)}
        self._siblings: dict[nodes.Node, tuple[Sequence[nodes.Statement], int]] = {}
        self._stages: dict[nodes.Node, nodes.StageDecl] = {}
        self._as_a_set: set[nodes.Node] = set()
        """Uses of `players` in which their order is lost, or looked at elsewhere."""

    def run(self) -> None:
        program = self.checked.program
        if program.reactions or program.events:
            raise _Told("there are events")
        if self.game.layout.teams:
            raise _Told("there are teams")
        triggers: list[nodes.ConditionTrigger | nodes.RunsOutTrigger] = [*program.conditions.values()]
        triggers += program.runs_out.values()
        for trigger in triggers:
            for clause in trigger.binders:
                if self._touches(self.checked.types[clause.domain]):
                    raise _Told(f"trigger `{trigger.name.name}` is for each of them")
            self._check_all(nodes.children(trigger))
        roots: list[nodes.Node | None] = [program.ranking, program.payoff]
        for header in roots:
            for child in nodes.children(header) if header is not None else ():
                self._check(child)
        for decl in program.vars.values():
            self._check_all(nodes.children(decl))
        for card in program.cards.values():
            for mark in card.marks:
                self._check_all(nodes.children(mark))
        self._call(program.stages["game"])
        while self._waiting:
            body = self._waiting.pop()
            if isinstance(body, nodes.StageDecl):
                self._stages.update(dict.fromkeys(body.body.statements, body))
            self._check_all(self._kept(body))

    # ------------------------------------------------------------ types

    def _on_card(self, decl: nodes.CardDecl) -> bool:
        types = [field.type for field in decl.fields] + [mark.type for mark in decl.marks]
        return any(self._touches(self.checked.declared[kind]) for kind in types)

    def _touches(self, kind: t.Type | None) -> bool:
        """Whether a value of the type is of the sort, holds such, or is a card that shows one."""
        match kind:
            case t.PlayerType():
                return self.sort is None
            case t.EnumType():
                return self.sort is not None and kind.decl is self.sort
            case t.CardType() | t.FaceType():
                return kind.decl in getattr(self, "_cards", ())
            case t.OptionalType() | t.SetType() | t.RowType():
                return self._touches(kind.inner)
            case t.TupleType():
                return any(map(self._touches, kind.items))
            case _:
                return False

    def _type(self, expr: nodes.Node) -> t.Type | None:
        return self.checked.types.get(expr)

    # ------------------------------------------------------------ what the settings decide

    def _constant(self, expr: nodes.Expr) -> bool | None:
        """Whether a condition holds in this game at all times; None where that depends."""
        refs = self.checked.refs
        match expr:
            case nodes.Boolean():
                return expr.value
            case nodes.Group():
                return self._constant(expr.inner)
            case nodes.Not():
                inner = self._constant(expr.operand)
                return None if inner is None else not inner
            case nodes.And() | nodes.Or():
                stops = isinstance(expr, nodes.Or)
                values = [self._constant(operand) for operand in expr.operands]
                return stops if stops in values else None if None in values else not stops
            case nodes.Name() if isinstance(mode := refs.get(expr), nodes.ModeDecl):
                return mode.name.name in self.game.settings.modes
            case nodes.Name() if isinstance(define := refs.get(expr), nodes.DefineDecl) and define.value is not None:
                return self._constant(define.value)
            case nodes.Compare(operator="=" | "!="):
                left, right = refs.get(expr.left), refs.get(expr.right)
                if isinstance(left, nodes.ReadingDecl) and isinstance(right, EnumValue):
                    same = self.game.settings.readings[left.name.name] == right.index
                    return same if expr.operator == "=" else not same
        return None

    # ------------------------------------------------------------ walking what can run

    def _call(self, body: Body) -> None:
        if body not in self._done:
            self._done.add(body)
            self._waiting.append(body)

    def _check_all(self, found: Iterable[nodes.Node]) -> None:
        for node in found:
            self._check(node)

    def _check(self, node: nodes.Node) -> None:
        kept = self._kept(node)
        ref = self.checked.refs.get(node)
        if isinstance(ref, Body) and not isinstance(ref, nodes.ActionDecl):
            self._call(ref)
        if isinstance(node, nodes.ChooseAction):
            for ident in node.actions:
                action = self.checked.refs[ident]
                assert isinstance(action, nodes.ActionDecl)
                # One whose guard never holds is never taken, but its guard is asked.
                if action.guard is None or self._constant(action.guard) is not False:
                    self._call(action)
        if isinstance(node, nodes.Block):
            for at, statement in enumerate(node.statements):
                self._siblings[statement] = (node.statements, at)
        self._judge(node)
        self._check_all(kept)

    def _kept(self, node: nodes.Node) -> Iterator[nodes.Node]:
        """The children that can run."""
        match node:
            case nodes.Conditional():
                known = self._constant(node.condition)
                yield from [node.condition] if known is None else []
                yield from [node.then] if known is not False else []
                yield from [node.otherwise] if known is not True else []
            case nodes.And() | nodes.Or():
                stops = isinstance(node, nodes.Or)
                for operand in node.operands:
                    known = self._constant(operand)
                    if known is None:
                        yield operand
                    elif known is stops:
                        return
            case nodes.If():
                certain = yield from self._possible(node.branches)
                if not certain and node.otherwise is not None:
                    yield node.otherwise
            case nodes.DefineDecl(value=None):
                yield from self._possible(node.cases)
            case nodes.Branch() | nodes.Case() if node.condition is not None and self._constant(node.condition) is True:
                yield node.body if isinstance(node, nodes.Branch) else node.value
            case _:
                yield from nodes.children(node)

    def _possible(
        self, asked: Sequence[nodes.Branch] | Sequence[nodes.Case]
    ) -> Generator[nodes.Branch | nodes.Case, None, bool]:
        # Those that can be come to; gives whether one of them is certain to be taken.
        for one in asked:
            known = None if one.condition is None else self._constant(one.condition)
            if known is not False:
                yield one
            if known is True:
                return True
        return False

    # ------------------------------------------------------------ what tells values apart

    def _told(self, node: nodes.Node, why: str) -> _Told:
        return _Told(f"`{' '.join(node.span.text.split())[:60]}` {why}")

    def _judge(self, node: nodes.Node) -> None:
        if isinstance(node, _OVER_A_DOMAIN):
            self._as_a_set.add(node.domain)
        match node:
            case nodes.Name():
                self._judge_name(node)
            case nodes.Call():
                self._judge_call(node)
            case nodes.Compare():
                self._judge_compare(node)
            case nodes.As():
                self._judge_as(node)
            case nodes.Move():
                self._judge_move(node)
            case _:
                why = self._by_order(node)
                if why is None and not isinstance(node, _PLAIN):
                    why = "is not known to keep them alike"
                if why:
                    raise self._told(node, why)

    def _by_order(self, node: nodes.Node) -> str | None:
        """What an expression or statement does by the order of the values; empty where it does nothing by it."""
        match node:
            case nodes.Index():
                numbered = isinstance(self.checked.refs.get(node.target), Builtin | nodes.EnumDecl)
                return "names one by its number" if numbered else ""
            case nodes.Comprehension():
                row = node.kind == "row" and any(self._touches(self._type(c.domain)) for c in node.clauses)
                return "makes a row of them" if row else ""
            case nodes.Rank() | nodes.The():
                by = any(key.value is not None and self._touches(self._type(key.value)) for key in node.keys)
                return "orders by them" if by else ""
            case nodes.For():
                ordered = not node.around and self._touches(self._type(node.domain)) and not self._in_no_order(node)
                return "goes through them in their order" if ordered else ""
            case nodes.Swap() | nodes.Roll():
                return "moves cards that show them" if self._cards else ""
        return None

    def _judge_compare(self, node: nodes.Compare) -> None:
        if node.operator in {"in", "not in"}:
            self._as_a_set.add(node.right)
        if node.operator in {"<", "<=", ">", ">="} and self._touches(self._type(node.left)):
            raise self._told(node, "compares by order")

    def _judge_name(self, node: nodes.Name) -> None:
        ref = self.checked.refs.get(node)
        if isinstance(ref, EnumValue) and ref.decl is self.sort:
            raise self._told(node, "is named")
        if not isinstance(ref, Builtin) or self.sort is not None:
            return
        # Outside of any `turns` the active player is the first seat.
        if ref.name not in {"you", "others"} and not (ref.name == "players" and node in self._as_a_set):
            raise self._told(node, "may tell a player by the seat")

    def _judge_call(self, node: nodes.Call) -> None:
        ref = self.checked.refs.get(node.name)
        if not isinstance(ref, Builtin):
            return
        if ref.name not in _FUNCTIONS:
            raise self._told(node, "is not known to keep them alike")
        if ref.name in {"count", "empty"}:
            self._as_a_set.update(argument.value for argument in node.arguments)
        values = [self._type(argument.value) for argument in node.arguments]
        if ref.name in _BY_ORDER and any(map(self._touches, values)):
            raise self._told(node, "goes by their order")
        if ref.name == "runs" and self._cards and any(map(self._is_field, node.arguments)):
            raise self._told(node, "goes by their order")

    def _is_field(self, argument: nodes.Argument) -> bool:
        key = argument.value
        if not isinstance(key, nodes.Key):
            return False
        fields = [field for decl in self._cards for field in decl.fields if field.name.name == key.name.name]
        return any(self._touches(self.checked.declared[field.type]) for field in fields)

    def _judge_as(self, node: nodes.As) -> None:
        if self.sort is not None:
            return
        if node.how == "each":
            # From the player on turn, who is the first seat outside of any `turns`.
            raise self._told(node, "may go by seats")
        if node.how == "together" and any(isinstance(part, nodes.Move) for part in nodes.walk(node.body)):
            raise self._told(node, "moves cards in the order of seats")

    def _judge_move(self, node: nodes.Move) -> None:
        kind = self._type(node.what)
        if node.how != "all" or not isinstance(kind, t.SetType) or not self._touches(kind):
            return
        zone = self._zone(node.destination)
        if zone is not None and zone.layout in {"set", "one"}:
            return
        statements, at = self._siblings.get(node, ((), -1))
        after = statements[at + 1] if 0 <= at < len(statements) - 1 else None
        if not isinstance(after, nodes.Shuffle) or after.zone.span.text != node.destination.span.text:
            raise self._told(node, "puts a set into an order")

    def _zone(self, expr: nodes.Expr) -> nodes.ZoneDecl | None:
        ref = self.checked.refs.get(expr.target if isinstance(expr, nodes.Index) else expr)
        return ref if isinstance(ref, nodes.ZoneDecl) else None

    # ------------------------------------------------------------ loops whose passes cannot notice each other

    def _in_no_order(self, loop: nodes.For) -> bool:
        return all(self._is_apart(loop, statement) for statement in loop.body.statements) and not (
            loop.wheres and not all(isinstance(s, nodes.Reveal | nodes.Nothing) for s in loop.body.statements)
        )

    def _is_apart(self, loop: nodes.For, statement: nodes.Statement) -> bool:
        match statement:
            case nodes.Reveal() | nodes.Nothing():
                return True
            case nodes.Assign(target=nodes.Index() as target):
                decl = self.checked.refs.get(target.target)
                own = len(target.indices) == 1 and self._is_item(loop, target.indices[0])
                return isinstance(decl, nodes.VarDecl) and own and self._is_unnoticed(loop, decl, statement.value)
            case nodes.Move(how="count") if self.sort is None and len(loop.body.statements) == 1:
                return self._deals(loop, statement)
            case _:
                return False

    def _is_item(self, loop: nodes.For, expr: nodes.Expr) -> bool:
        return isinstance(expr, nodes.Name) and self.checked.refs.get(expr) is self.checked.refs[loop.name]

    def _is_unnoticed(self, loop: nodes.For, decl: nodes.VarDecl, value: nodes.Expr) -> bool:
        # Neither by a trigger nor by what any pass writes.
        reads = self.game.linker._reads(value)  # noqa: SLF001 - what the linker watches for triggers
        written = {self.checked.refs.get(s.target.target) for s in loop.body.statements
                   if isinstance(s, nodes.Assign) and isinstance(s.target, nodes.Index)}  # fmt: skip
        return not self.game.var_watches[self.game.layout.vars[decl].base] and not (reads & written)

    def _deals(self, loop: nodes.For, move: nodes.Move) -> bool:
        """Whether so many cards go to each from one pile that has just been shuffled, when triggers do not look yet."""
        source = move.source
        pile = self._zone(source) if source is not None else None
        to = move.destination
        own = isinstance(to, nodes.Index) and len(to.indices) == 1 and self._is_item(loop, to.indices[0])
        if source is None or pile is None or pile.indexes or not own or self.checked.program.runs_out:
            return False
        if self._mentions(move.what, loop) or move.bound is not None:
            return False
        stage = self._stages.get(loop)
        if stage is None or any(trigger.during is None or trigger.during.name != stage.name.name
                                for trigger in self.checked.program.conditions.values()):  # fmt: skip
            return False
        statements, at = self._siblings[loop]
        before = statements[:at]
        inside = [node for statement in before for node in nodes.walk(statement)]
        if any(isinstance(node, _DECIDING) for node in inside):
            return False
        mixed = [
            k for k, s in enumerate(before) if isinstance(s, nodes.Shuffle) and s.zone.span.text == source.span.text
        ]
        since = [node for statement in before[mixed[-1] :] for node in nodes.walk(statement)] if mixed else []
        onto = [n.destination.span.text for n in since if isinstance(n, nodes.Move)]
        return bool(mixed) and source.span.text not in onto and not any(isinstance(n, nodes.Swap) for n in since)

    def _mentions(self, expr: nodes.Expr, loop: nodes.For) -> bool:
        item = self.checked.refs[loop.name]
        return any(self.checked.refs.get(node) is item for node in nodes.walk(expr))


__all__ = ["Sort", "refusal"]
