"""Expressions of a rulebook, as far as scenarios need them, in words for people who do not know the language."""

from __future__ import annotations

import re
from collections.abc import Iterable

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Builtin, Checked, EnumValue, LabelValue
from egodsl.engine.texts import Texts
from egodsl.reports.player_rules_prose import readable
from egodsl.syntax import nodes
from egodsl.syntax.printer import print_expression

_PART = re.compile(r"\{(\w+)\}")
_COMPARED = {
    "=": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
    "in": "is among",
    "not in": "is not among",
}


class Wording:
    """Writes the expressions of one rulebook. What it has no words for it gives as the author wrote it."""

    def __init__(self, checked: Checked, texts: Texts) -> None:
        self._checked = checked
        self._texts = texts

    def value(self, expr: nodes.Expr) -> str:
        """An expression that stands for a thing, a number or a place."""
        match expr:
            case nodes.Name():
                return self._name(expr)
            case nodes.Text():
                return f"“{expr.value}”"
            case nodes.Boolean():
                return "yes" if expr.value else "no"
            case nodes.Braces() | nodes.Brackets() | nodes.Tuple():
                return self.several(expr.items) or "nothing"
            case nodes.Group():
                return f"({self.value(expr.inner)})"
            case nodes.Negate():
                return f"−{self.value(expr.operand)}"  # noqa: RUF001 - a minus sign
            case nodes.Binary(operator="-", left=nodes.Integer(value=0)):
                return f"−{self.value(expr.right)}"  # noqa: RUF001 - a minus sign
            case nodes.Binary(operator="+" | "-"):
                return f"{self.value(expr.left)} {'+' if expr.operator == '+' else '−'} {self.value(expr.right)}"  # noqa: RUF001 - a minus sign
            case nodes.Attribute():
                return f"{self._of(expr.target)} {readable(expr.name.name)}"
            case nodes.Index(target=nodes.Name()):
                return self._indexed(expr)
            case nodes.Call():
                return self._call(expr)
            case _:
                return print_expression(expr)

    def several(self, exprs: Iterable[nodes.Expr]) -> str:
        """Values one after the other."""
        return ", ".join(self.value(expr) for expr in exprs)

    def condition(self, expr: nodes.Expr) -> str:
        """An expression that is true or false, as a clause."""
        match expr:
            case nodes.And():
                *others, last = [self.condition(one) for one in expr.operands]
                return f"{', '.join(others)} and {last}"
            case nodes.Or():
                return " or ".join(self.condition(one) for one in expr.operands)
            case nodes.Group():
                return self.condition(expr.inner)
            case nodes.Not():
                return self._denied(expr.operand)
            case nodes.Compare():
                return self._compared(expr)
            case nodes.Call(name=nodes.Ident(name="empty")):
                return f"{self.several(one.value for one in expr.arguments)} is empty"
            case nodes.Call(name=nodes.Ident(name="all" | "any" as which)) if (inside := _over_all(expr)) is not None:
                return self._for("every" if which == "all" else "some", inside, self.condition(inside.element))
            case nodes.Name() | nodes.Index() | nodes.Call():
                return f"{self.value(expr)}: yes"
            case _:
                return print_expression(expr)

    def place(self, expr: nodes.Expr, held: nodes.Expr) -> str:
        """A place or variable with what it holds."""
        if isinstance(held, nodes.Braces | nodes.Brackets):
            return f"{self.value(expr)}: {self.several(held.items)}" if held.items else f"{self.value(expr)} is empty"
        return f"{self.value(expr)}: {self.value(held)}"

    def arguments(self, call: nodes.Call) -> str:
        """What an action or stage is given, without names that its order tells."""
        decl = self._checked.refs.get(call.name)
        order = [b.name.name for b in decl.bindings] if isinstance(decl, nodes.ActionDecl) else []
        told = [one.name is None or order[k : k + 1] == [one.name.name] for k, one in enumerate(call.arguments)]
        return ", ".join(
            self.value(one.value) if plain or one.name is None else f"{readable(one.name.name)} {self.value(one.value)}"
            for one, plain in zip(call.arguments, told, strict=True)
        )

    def _name(self, expr: nodes.Name) -> str:
        meant = self._checked.refs.get(expr)
        match meant:
            case EnumValue():
                return meant.label.strip() if meant.label is not None and meant.label.strip() else readable(meant.name)
            case LabelValue():
                return (meant.label.label or readable(meant.label.name.name)).strip() or readable(expr.name)
            case nodes.ZoneDecl() | nodes.VarDecl():
                return f"the {readable(expr.name)}"
            case Builtin(name="players"):
                return "the players"
            case _:
                return readable(expr.name)

    def _of(self, expr: nodes.Expr) -> str:
        # A player is called by a letter, which is no plural.
        words = self.value(expr)
        return f"{words}’" if words.endswith("s") and len(words) > 1 else f"{words}’s"  # noqa: RUF001 - an apostrophe

    def _indexed(self, expr: nodes.Index) -> str:
        target = expr.target
        assert isinstance(target, nodes.Name)
        name = readable(target.name)
        if len(expr.indices) == 1 and isinstance(self._checked.types.get(expr.indices[0]), t.PlayerType):
            return f"{self._of(expr.indices[0])} {name}"
        return f"{name} ({self.several(expr.indices)})"

    def _call(self, expr: nodes.Call) -> str:
        decl = self._checked.refs.get(expr.name)
        values = [one.value for one in expr.arguments]
        if isinstance(decl, nodes.CardDecl):
            return self._face(expr, decl)
        if isinstance(self._checked.types.get(expr), t.FaceType):
            kind = self._checked.types[expr]
            assert isinstance(kind, t.FaceType)
            return self._face(expr, kind.decl)
        inside = _over_all(expr)
        if inside is not None and expr.name.name == "sum":
            return f"the sum of {self.value(inside.element)} {self._for('each', inside)}"
        if any(isinstance(value, nodes.Comprehension) for value in values):
            return print_expression(expr)
        match expr.name.name, values:
            case "count", [one]:
                return (
                    f"the number of cards in {self.value(one)}" if self._is_zone(one) else f"count of {self.value(one)}"
                )
            case "top", [one]:
                return f"the top card of {self.value(one)}"
            case name, [one] if isinstance(self._checked.types.get(one), t.PlayerType):
                return f"{self._of(one)} {readable(name)}"
            case name, []:
                return readable(name)
            case name, _:
                return f"{readable(name)} of {self.several(values)}"

    def _for(self, which: str, inside: nodes.Comprehension, said: str | None = None) -> str:
        names = " and ".join(ident.name for ident in inside.clauses[0].names)
        start = f"for {which} {names} of {self.value(inside.clauses[0].domain)}"
        return start if said is None else f"{start}, {said}"

    def _is_zone(self, expr: nodes.Expr) -> bool:
        base = expr.target if isinstance(expr, nodes.Index) else expr
        return isinstance(self._checked.refs.get(base), nodes.ZoneDecl)

    def _face(self, call: nodes.Call, decl: nodes.CardDecl) -> str:
        names = [*(one.name.name for one in decl.fields), *(one.name.name for one in decl.marks)]
        kinds = {field.name.name: self._checked.declared[field.type] for field in decl.fields}
        written = decl.written.template if decl.written is not None else ""
        shown: dict[str, str] = {}
        for k, argument in enumerate(call.arguments):
            name = argument.name.name if argument.name is not None else names[k]
            shown[name] = self._shown(argument.value, kinds.get(name))
        apart = [name for name in shown if name not in kinds and f"{{{name}}}" not in written]
        marks = ", ".join(f"{readable(name)} {shown[name]}" for name in apart)
        if not any(f"{{{name}}}" in written for name in shown):
            face = f"{readable(decl.name.name)} {' '.join(shown.get(name, '') for name in kinds)}"
        else:
            face = _PART.sub(lambda found: shown.get(found.group(1), ""), written)
        face = " ".join(face.split()).strip(" :,")
        return f"{face} ({marks})" if marks else face

    def _shown(self, expr: nodes.Expr, kind: t.Type | None) -> str:
        if isinstance(kind, t.IntType) and isinstance(expr, nodes.Integer):
            return self._texts.number(expr.value, kind.label)
        meant = self._checked.refs.get(expr)
        if isinstance(meant, LabelValue):
            return meant.label.label if meant.label.label is not None else readable(meant.label.name.name)
        return self.value(expr)

    def _denied(self, expr: nodes.Expr) -> str:
        match expr:
            case nodes.Group():
                return self._denied(expr.inner)
            case nodes.Call(name=nodes.Ident(name="empty")):
                return f"{self.several(one.value for one in expr.arguments)} is not empty"
            case nodes.Call(name=nodes.Ident(name="any")) if (inside := _over_all(expr)) is not None:
                return self._for("every", inside, self._denied(inside.element))
            case nodes.Name() | nodes.Index() | nodes.Call():
                return f"{self.value(expr)}: no"
            case _:
                return f"it is not so that {self.condition(expr)}"

    def _compared(self, expr: nodes.Compare) -> str:
        left, right = expr.left, expr.right
        match left:
            case nodes.Call(name=nodes.Ident(name="count"), arguments=[one]) if self._is_zone(one.value):
                number = self.value(right)
                word = "card" if number == "1" else "cards"
                how = _COMPARED[expr.operator].removeprefix("is").strip()
                return f"{self.value(one.value)} holds {f'{how} ' if how else ''}{number} {word}"

            case _ if isinstance(right, nodes.NoneValue) and expr.operator in {"=", "!="}:
                return f"{self.value(left)} {'is not set' if expr.operator == '=' else 'is set'}"
            case nodes.Name() | nodes.Index() | nodes.Call() if expr.operator == "=":
                return self.place(left, right)
        return f"{self.value(left)} {_COMPARED[expr.operator]} {self.value(right)}"


def _over_all(expr: nodes.Call) -> nodes.Comprehension | None:
    """What a call says of everything in one domain, if that is all it is given."""
    match expr.arguments:
        case [nodes.Argument(value=nodes.Comprehension(clauses=[nodes.Clause(wheres=[])]) as inside)]:
            return inside
        case _:
            return None
