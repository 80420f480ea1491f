"""Expressions as Python source: each is compiled once into a function of the state, so that reading the table costs no
walk over the tree.

Generated code sees `S` (the state), `Z` (its zones), `V` (its variables), `F` (the frame) and `you`; everything else
is a constant of the game in
the namespace. Sets may be tuples or frozensets (see `values`); where it matters `as_set` and `as_row` settle it.
"""

from __future__ import annotations

import re

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Builtin, EnumValue, LabelValue, Local
from egodsl.engine import runtime
from egodsl.engine.faultless import sure
from egodsl.engine.folding import compared, conjoined, disjoined, either, literal, negated
from egodsl.engine.places import Places
from egodsl.engine.sources import Scope, has_faces, plain
from egodsl.engine.values import Face
from egodsl.syntax import nodes

LONGEST_INLINED = 250
"""Characters of source beyond which the body of a define is called and not repeated."""


_CHEAP = re.compile(r"\w+|F\[\d+\]")
"""Sources that cost nothing to repeat, and cannot have a fault: names, numbers, slots of the frame."""


class Expressions(Places):
    """Compiles the expressions of one configured game."""

    # ------------------------------------------------------------ values

    def as_set(self, expr: nodes.Expr, scope: Scope) -> str:
        """As a frozenset."""
        return f"frozenset({self.some(expr, scope)})"

    def ordered(self, expr: nodes.Expr, scope: Scope) -> str:
        """Something to loop over, in the fixed order."""
        source = self.some(expr, scope)
        kind = self.type_of(expr)
        if self.is_tuple(expr) or not isinstance(kind, t.SetType):
            return source
        if not isinstance(kind.inner, t.SetType):
            return f"in_order({source})"
        flat = not isinstance(kind.inner.inner, t.SetType | t.RowType | t.TupleType | t.OptionalType)
        return f"in_order_of_flat_sets({source})" if flat else f"in_order_of_sets({source})"

    def is_tuple(self, expr: nodes.Expr) -> bool:
        """Whether the source of a set gives its members in order already."""
        match expr:
            case nodes.Group():
                return self.is_tuple(expr.inner)
            case nodes.Range():
                return True
            case nodes.Index():
                return isinstance(self.checked.refs.get(expr.target), nodes.ZoneDecl)
            case nodes.Name():
                ref = self.checked.refs.get(expr)
                if isinstance(ref, nodes.ZoneDecl | nodes.EnumDecl | nodes.TypeDecl | nodes.CardDecl):
                    return True
                return isinstance(ref, Builtin)
            case _:
                return False

    def _integer(self, expr: nodes.Integer, scope: Scope) -> str:
        return str(expr.value)

    def _text(self, expr: nodes.Text, scope: Scope) -> str:
        return repr(expr.value)

    def _boolean(self, expr: nodes.Boolean, scope: Scope) -> str:
        return str(expr.value)

    def _nonevalue(self, expr: nodes.NoneValue, scope: Scope) -> str:
        return "None"

    def _group(self, expr: nodes.Group, scope: Scope) -> str:
        return f"({self.source(expr.inner, scope)})"

    def _not(self, expr: nodes.Not, scope: Scope) -> str:
        return negated(self.some(expr.operand, scope))

    def _negate(self, expr: nodes.Negate, scope: Scope) -> str:
        return f"(-{self.some(expr.operand, scope)})"

    def _and(self, expr: nodes.And, scope: Scope) -> str:
        return conjoined(self.some(e, scope) for e in expr.operands)

    def _or(self, expr: nodes.Or, scope: Scope) -> str:
        return disjoined(self.some(e, scope) for e in expr.operands)

    def _conditional(self, expr: nodes.Conditional, scope: Scope) -> str:
        then, other = self.source(expr.then, scope), self.source(expr.otherwise, scope)
        return either(self.asked(expr.condition, scope), then, other)

    def _range(self, expr: nodes.Range, scope: Scope) -> str:
        return f"range({self.some(expr.low, scope)},{self.some(expr.high, scope)}+1)"

    def _binary(self, expr: nodes.Binary, scope: Scope) -> str:
        if expr.operator in {"&", "|", "without"}:
            left, right = self.as_set(expr.left, scope), self.as_set(expr.right, scope)
            if (
                expr.operator == "without"
                and has_faces(self.type_of(expr.right))
                and not has_faces(self.type_of(expr.left))
            ):
                return f"without_faces(S,{left},{self.some(expr.right, scope)})"
            return f"({left}{'-' if expr.operator == 'without' else expr.operator}{right})"
        left, right = self.some(expr.left, scope), self.some(expr.right, scope)
        if expr.operator in {"//", "%"}:
            name = "divide" if expr.operator == "//" else "modulo"
            return f"{name}({left},{right},{self.place(expr)})"
        return f"({left}{expr.operator}{right})"

    def _compare(self, expr: nodes.Compare, scope: Scope) -> str:
        if expr.operator in {"in", "not in"}:
            found = self._membership(expr, scope)
            return negated(found) if expr.operator == "not in" else found
        if expr.operator in {"=", "!="}:
            same = self._equal(expr, scope)
            return same if expr.operator == "=" else negated(same)
        left, right = self.some(expr.left, scope), self.some(expr.right, scope)
        return compared(left, expr.operator, right)

    def _membership(self, expr: nodes.Compare, scope: Scope) -> str:
        left, right = self.source(expr.left, scope), self.some(expr.right, scope)
        container = self.type_of(expr.right)
        if isinstance(plain(self.type_of(expr.left)), t.FaceType) and not has_faces(container):
            return f"face_among(S,{left},{right})"
        if has_faces(container) and not isinstance(plain(self.type_of(expr.left)), t.FaceType):
            return f"shows_one_of(S,{left},{right})"
        inner = container.inner if isinstance(container, t.SetType | t.RowType) else None
        if isinstance(inner, t.SetType):
            return f"(frozenset({left}) in {right})"
        return f"({left} in {right})"

    def _equal(self, expr: nodes.Compare, scope: Scope) -> str:
        left, right = expr.left, expr.right
        left_type, right_type = plain(self.type_of(left)), plain(self.type_of(right))
        if isinstance(left_type, t.FaceType) or (has_faces(left_type) and not has_faces(right_type)):
            left, right, left_type, right_type = right, left, right_type, left_type
        a, b = self.source(left, scope), self.source(right, scope)
        if isinstance(right_type, t.FaceType) and not isinstance(left_type, t.FaceType):
            return f"{b}.shown_by(S,{a})"
        if has_faces(right_type) and not has_faces(left_type):
            how = "same_row" if isinstance(left_type, t.RowType) and isinstance(right_type, t.RowType) else "same_cards"
            return f"{how}(S,{a},{b})"
        if isinstance(left_type, t.SetType) and isinstance(right_type, t.SetType | t.RowType):
            return f"(frozenset({a})==frozenset({b}))"
        if isinstance(left_type, t.RowType):
            return f"(tuple({a})==tuple({b}))"
        return compared(a, "==", b)

    # ------------------------------------------------------------ names

    def _name(self, expr: nodes.Name, scope: Scope) -> str:
        ref = self.checked.refs[expr]
        match ref:
            case Local():
                return scope.source(ref)
            case Builtin():
                return self._builtin_name(ref.name, scope)
            case nodes.ZoneDecl():
                return self._zone(self.zone_slot(expr, scope), ref)
            case nodes.VarDecl():
                return self._variable(self.var_slot(expr, scope), ref, expr)
            case nodes.DefineDecl():
                return self._call_define(ref, [], scope)
            case _:
                return self.constant_source(ref)

    def constant_source(self, ref: object) -> str:
        """The source of a name that is one value in the whole game."""
        match ref:
            case EnumValue():
                return str(ref.index)
            case LabelValue():
                return self.source(ref.label.value, Scope({}, None))
            case nodes.ParameterDecl():
                return str(self.settings.parameters[ref.name.name])
            case nodes.ModeDecl():
                return str(ref.name.name in self.settings.modes)
            case nodes.ReadingDecl():
                return str(self.settings.readings[ref.name.name])
            case nodes.EnumDecl():
                return self.constant(self.settings.values_of(ref))
            case nodes.TypeDecl():
                return self.constant(self.settings.values_of(ref))
            case nodes.CardDecl():
                return self.constant(self.card_type(ref).cards)
            case _:
                message = f"{type(ref).__name__} is not a value"
                raise TypeError(message)

    def _builtin_name(self, name: str, scope: Scope) -> str:
        match name:
            case "you":
                return self.you(scope)
            case "active":
                return "active(S)"
            case "next":
                return "next_player(S)"
            case "players":
                return "PLAYERS"
            case "teams":
                return "TEAMS"
            case "others":
                return f"OTHERS[{self.you(scope)}]"
            case _:
                return str((ord(name) - ord("A") + scope.first) % self.layout.players)

    # ------------------------------------------------------------ calls

    def _call(self, expr: nodes.Call, scope: Scope) -> str:
        ref = self.checked.refs[expr.name]
        match ref:
            case nodes.DefineDecl():
                return self._call_define(ref, expr.arguments, scope)
            case nodes.CardDecl():
                return self._face(ref, expr, scope)
            case Builtin():
                return self._call_builtin(ref.name, expr, scope)
            case _:
                message = f"{expr.name.name} cannot be called in an expression"
                raise TypeError(message)

    def _call_define(self, decl: nodes.DefineDecl, arguments: list[nodes.Argument], scope: Scope) -> str:
        if decl.name.name in self.settings.counts:
            return str(self.settings.counts[decl.name.name])
        values = self.arguments(
            arguments, [p.name.name for p in decl.params], [self.checked.declared[p.type] for p in decl.params], scope
        )
        if self.is_static(decl):
            name = self.define_name(decl)
            if not values:
                made = self.namespace[name]
                value = repr(made()) if self.covering is None else self.covering.worked_out(made)
                return value if literal(value)[0] else f"{name}()"
            # A hook that a rulebook leaves as it is often says the same of everything.
            constant = isinstance(decl.value, nodes.Boolean | nodes.Integer)
            folded = self._inlined(decl, values, None, scope) if constant else None
            return folded or f"{name}({','.join(values)})"
        you = self.you(scope) if decl in self.checked.needs_you else None
        return self._inlined(decl, values, you, scope) or (
            f"{self.define_name(decl)}({','.join(['S', str(you), *values])})"
        )

    def _inlined(self, decl: nodes.DefineDecl, values: list[str], you: str | None, scope: Scope) -> str | None:
        # A call costs more than a short body does. What is passed must cost nothing to repeat.
        if decl in self._long or not all(map(_CHEAP.fullmatch, values)):
            return None
        inner = scope.inner()
        inner.names = dict(zip(self.params_of(decl.params), values, strict=True))
        inner.you = you
        source = self._body(decl, inner)
        if self.covering is not None:
            source = self.covering.folded(source)
        if len(source) > LONGEST_INLINED:
            self._long.add(decl)
            return None
        return source if literal(source)[0] else f"({source})"

    def arguments(
        self, arguments: list[nodes.Argument], names: list[str], types: list[t.Type], scope: Scope
    ) -> list[str]:
        """The sources of arguments in the order of the parameters; none is a fault where the parameter takes none."""
        placed: dict[str, nodes.Expr] = {}
        for k, argument in enumerate(arguments):
            placed[argument.name.name if argument.name is not None else names[k]] = argument.value
        return [self.argument(placed[name], kind, scope) for name, kind in zip(names, types, strict=True)]

    def argument(self, expr: nodes.Expr, wanted: t.Type, scope: Scope) -> str:
        """The source of one argument. Where a scenario gives faces for cards, these are cards that show them."""
        source = self.source(expr, scope) if isinstance(wanted, t.OptionalType) else self.some(expr, scope)
        given = plain(self.type_of(expr))
        if isinstance(given, t.FaceType) and isinstance(plain(wanted), t.CardType):
            return f"cards_showing(S,({source},),{self.place(expr)})[0]"
        if has_faces(given) and not has_faces(plain(wanted)):
            kept = "frozenset" if isinstance(given, t.SetType) else "tuple"
            return f"{kept}(cards_showing(S,{source},{self.place(expr)}))"
        return source

    def define_name(self, decl: nodes.DefineDecl) -> str:
        """The namespace name of the compiled define. A static one (of its arguments alone) is kept by them."""
        name = self._defines.get(decl)
        if name is not None:
            return name
        name = self.fresh("d_" + decl.name.name)
        self._defines[decl] = name
        locals_ = {local: f"a{k}" for k, local in enumerate(self.params_of(decl.params))}
        static = self.is_static(decl)
        scope = Scope(locals_, "you")
        result = self._body(decl, scope)
        # A face compares itself with a card of some state; without marks it needs none.
        args = [*locals_.values(), "S=None"] if static else ["S", "you", *locals_.values()]
        made = self.function(",".join(args), result, "d")
        self.namespace[name] = runtime.kept(made) if static and locals_ and self.covering is None else made
        return name

    def _body(self, decl: nodes.DefineDecl, scope: Scope) -> str:
        covering = self.covering
        if covering is None:
            return self._cases(decl.cases, scope) if decl.value is None else self.source(decl.value, scope)
        with covering.within(covering.point(decl)):
            # Where the settings leave one case, it is folded here as in the plain game.
            if decl.value is None:
                return covering.passed(decl, covering.folded(self._cases(decl.cases, scope)))
            return covering.passed(decl, self.source(decl.value, scope))

    def usual_value(self, decl: nodes.DefineDecl) -> int:
        """The number that a static define without parameters stands for where it is not cut down itself."""
        value: int = self.namespace[self.define_name(decl)]()
        return value

    def params_of(self, params: list[nodes.Param]) -> list[Local]:
        found = [self.checked.refs[p.name] for p in params]
        return [local for local in found if isinstance(local, Local)]

    def _cases(self, cases: list[nodes.Case], scope: Scope) -> str:
        def value(case: nodes.Case) -> str:
            source = self.source(case.value, scope)
            return source if self.covering is None else self.covering.passed(case, source)

        last = cases[-1]
        source = value(last) if last.condition is None else f"no_case({self.place(last)})"
        for case in reversed(cases if last.condition is not None else cases[:-1]):
            assert case.condition is not None
            source = either(self.some(case.condition, scope), value(case), source)
        return source

    def is_static(self, decl: nodes.DefineDecl) -> bool:
        """Whether the define reads nothing but scalar arguments and constants, so that its values can be kept."""
        known = self._static.get(decl)
        if known is None:
            scalar = all(not isinstance(self.checked.declared[p.type], t.SetType | t.RowType) for p in decl.params)
            known = scalar and self.is_fixed(decl)
            self._static[decl] = known
        return known

    def is_fixed(self, root: nodes.Node) -> bool:
        """Whether nothing under `root` reads the table, `you` or whose turn it is."""
        for node in nodes.walk(root):
            ref = self.checked.refs.get(node)
            if isinstance(ref, nodes.ZoneDecl | nodes.VarDecl):
                return False
            if isinstance(ref, Builtin) and ref.name in {"you", "active", "next", "others"}:
                return False
            if isinstance(ref, nodes.DefineDecl) and ref is not root and not self.is_fixed_define(ref):
                return False
            if isinstance(node, nodes.Attribute) and self._reads_mark(node):
                return False
            if (
                isinstance(node, nodes.Call)
                and isinstance(ref := self.checked.refs.get(node.name), nodes.CardDecl)
                and ref.marks
            ):
                return False
        return True

    def is_fixed_define(self, decl: nodes.DefineDecl) -> bool:
        return self.is_fixed(decl)

    def _reads_mark(self, node: nodes.Attribute) -> bool:
        kind = plain(self.checked.types.get(node.target, t.UnknownType()))
        return isinstance(kind, t.CardType) and any(m.name.name == node.name.name for m in kind.decl.marks)

    def _face(self, decl: nodes.CardDecl, expr: nodes.Call, scope: Scope) -> str:
        card_type = self.card_type(decl)
        names = [*card_type.fields, *card_type.marks]
        placed: dict[str, str] = {}
        for k, argument in enumerate(expr.arguments):
            placed[argument.name.name if argument.name is not None else names[k]] = self.source(argument.value, scope)
        sources = [placed.get(name, "ANY") for name in names]
        text = f"face(S,{card_type.index},({','.join(sources)},))"
        if all(source.lstrip("-").isdigit() or source in {"ANY", "None", "True", "False"} for source in sources):
            made: Face = eval(text, {**self.namespace, "S": None})  # noqa: S307 - literals only, as tested on the line above
            return self.constant(made)
        return text

    def _call_builtin(self, name: str, expr: nodes.Call, scope: Scope) -> str:
        from egodsl.engine.functions import FUNCTIONS  # noqa: PLC0415 - the table needs this class

        return FUNCTIONS[name](self, expr, scope)

    # ------------------------------------------------------------ collections

    def _braces(self, expr: nodes.Braces, scope: Scope) -> str:
        items = [self.source(e, scope) for e in expr.items]
        if has_faces(self.type_of(expr)):
            return f"({','.join(items)},)" if items else "()"
        kind = self.type_of(expr)
        if isinstance(kind, t.SetType) and isinstance(kind.inner, t.SetType):
            items = [f"frozenset({item})" for item in items]
        return f"frozenset(({','.join(items)},))" if items else "EMPTY"

    def _brackets(self, expr: nodes.Brackets, scope: Scope) -> str:
        return "(" + "".join(self.source(e, scope) + "," for e in expr.items) + ")"

    def _tuple(self, expr: nodes.Tuple, scope: Scope) -> str:
        return self._items(expr.items, scope)

    def _items(self, items: list[nodes.Expr], scope: Scope) -> str:
        return "(" + "".join(self.source(e, scope) + "," for e in items) + ")"

    def clauses(self, clauses: list[nodes.Clause], scope: Scope, *, ordered: bool = True) -> str:
        """` for x in ... if ...`; binds the names in `scope`. Not `ordered` where nobody can tell the order."""
        text = ""
        for clause in clauses:
            domain = self.ordered(clause.domain, scope) if ordered else self.some(clause.domain, scope)
            names = [self.bind(ident, scope) for ident in clause.names]
            target = names[0] if len(names) == 1 else f"({','.join(names)})"
            text += f" for {target} in {self.narrowed(domain, target, clause.wheres, scope)}"
        return text

    def bind(self, ident: nodes.Ident, scope: Scope) -> str:
        """A Python name for what the ident binds; where a variable is chosen, for its candidate (written later)."""
        local = self.checked.candidates.get(ident, self.checked.refs[ident])
        name = self.fresh("v")
        if isinstance(local, Local):
            scope.names[local] = name
        return name

    def narrowed(self, domain: str, target: str, wheres: list[nodes.Where], scope: Scope) -> str:
        """The domain with its `where`s: plain ones as conditions, `if able` ones as preferences, in order."""
        text = domain
        conditions = ""
        for where in wheres:
            condition = self.asked(where.condition, scope)
            if where.if_able:
                inside = f"[{target} for {target} in {text}{conditions}]" if conditions else text
                text, conditions = f"prefer([*{inside}],lambda {target}:{condition})", ""
            else:
                conditions += f" if {condition}"
        return f"{text}{conditions}"

    def is_sure(self, expr: nodes.Expr, scope: Scope) -> bool:
        """Whether the expression certainly has no fault, so that nobody can tell in which order its members come."""
        local = (self.checked.refs.get(node) for node in nodes.walk(expr) if isinstance(node, nodes.Name))
        names = [scope.names.get(ref, "") for ref in local if isinstance(ref, Local)]
        return not any(name.startswith("bound(") for name in names) and sure(self.checked, expr)

    def _comprehension(self, expr: nodes.Comprehension, scope: Scope) -> str:
        inner = scope.inner()
        clauses = self.clauses(expr.clauses, inner, ordered=expr.kind != "set" or not self.is_sure(expr, scope))
        element = self.source(expr.element, inner)
        if expr.kind == "set":
            if has_faces(self.type_of(expr)):
                return f"tuple([{element}{clauses}])"
            if isinstance(self.type_of(expr.element), t.SetType):
                element = f"frozenset({element})"
            return f"frozenset([{element}{clauses}])"
        return f"tuple([{element}{clauses}])"

    def _filter(self, expr: nodes.Filter, scope: Scope) -> str:
        inner = scope.inner()
        domain = self.some(expr.domain, inner) if self.is_sure(expr, scope) else self.ordered(expr.domain, inner)
        name = self.bind(expr.name, inner)
        return f"frozenset([{name} for {name} in {self.narrowed(domain, name, expr.wheres, inner)}])"

    def candidates(self, name: nodes.Ident, domain: nodes.Expr, wheres: list[nodes.Where], scope: Scope) -> str:
        """The source of a list of the members of the domain that satisfy the wheres, in the fixed order."""
        inner = scope.inner()
        source = self.ordered(domain, inner)
        bound = self.bind(name, inner)
        return f"[{bound} for {bound} in {self.narrowed(source, bound, wheres, inner)}]"

    def keys(self, name: nodes.Ident, keys: list[nodes.SortKey], scope: Scope) -> str:
        """The source of a tuple of (function of a candidate, sign): most first is 1, least first -1; `at random` keys
        are left out.
        """
        made = ""
        for key in keys:
            if key.value is None:
                continue
            inner = scope.inner()
            bound = self.bind(name, inner)
            made += f"(lambda {bound}:{self.some(key.value, inner)},{1 if key.direction == 'most' else -1}),"
        return f"({made})"

    def _the(self, expr: nodes.The, scope: Scope) -> str:
        candidates = self.candidates(expr.name, expr.domain, expr.wheres, scope)
        return f"the({candidates},{self.keys(expr.name, expr.keys, scope)},{self.place(expr)})"
