"""Expressions as Python source: each is compiled once into a function of the state, so that reading the table costs no walk over the tree.

Generated code sees `S` (the state), `Z` (its zones), `V` (its variables), `F` (the frame) and `you`; everything else is a constant of the game in
the namespace. Sets may be tuples or frozensets (see `values`); where it matters `as_set` and `as_row` settle it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Builtin, Checked, EnumValue, LabelValue, Local
from egodsl.engine import runtime
from egodsl.engine.values import Face
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from egodsl.engine.layout import Family, Layout
    from egodsl.engine.setup import Settings

_PYTHON = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class Scope:
    """What the names of a body mean in generated code: the source of each local, and of `you`."""

    def __init__(self, names: Mapping[Local, str], you: str | None) -> None:
        self.names = dict(names)
        self.you = you
        self.used: set[Local] = set()

    def inner(self) -> Scope:
        """A scope for a comprehension, which may bind more names."""
        scope = Scope(self.names, self.you)
        scope.used = self.used
        return scope

    def source(self, local: Local) -> str:
        """The source of a local; it is noted as used."""
        self.used.add(local)
        return self.names[local]


class Expressions:
    """Compiles the expressions of one configured game."""

    def __init__(self, checked: Checked, layout: Layout, settings: Settings) -> None:
        self.checked = checked
        self.layout = layout
        self.settings = settings
        self.namespace: dict[str, Any] = runtime.namespace(layout)
        self._constants: dict[int, str] = {}
        self._kept: list[object] = []
        self._defines: dict[nodes.DefineDecl, str] = {}
        self._static: dict[nodes.DefineDecl, bool] = {}
        self._count = 0

    # ------------------------------------------------------------ functions and constants

    def fresh(self, stem: str) -> str:
        """A Python name that nothing else has."""
        self._count += 1
        return f"{stem}{self._count}"

    def constant(self, value: object) -> str:
        """The name in the namespace of a constant object."""
        name = self._constants.get(id(value))
        if name is None:
            name = self.fresh("K")
            self._constants[id(value)] = name
            self._kept.append(value)
            self.namespace[name] = value
        return name

    def function(self, args: str, result: str, stem: str = "e") -> Callable[..., Any]:
        """A function of `args` that returns the value of the source `result`."""
        return self.define(args, [f"return {result}"], stem)

    def define(self, args: str, body: list[str], stem: str) -> Callable[..., Any]:
        """A function with the body, one statement a line (inner lines indented by their author)."""
        name = self.fresh(stem)
        text = "\n".join(body)
        lines = [f"def {name}({args}):"]
        lines += [f"    {short}=S.{short}" for short in ("Z", "V", "L") if f"{short}[" in text]
        lines += [f"    {line}" for line in text.splitlines()]
        exec("\n".join(lines), self.namespace)  # noqa: S102 - source made here from a checked tree; names are generated
        made: Callable[..., Any] = self.namespace[name]
        return made

    def place(self, node: nodes.Node) -> str:
        """The constant that names a node in faults."""
        return self.constant(node.span)

    def type_of(self, expr: nodes.Node) -> t.Type:
        return self.checked.types[expr]

    # ------------------------------------------------------------ values

    def source(self, expr: nodes.Expr, scope: Scope) -> str:
        """Python source for the value of the expression."""
        made: str = getattr(self, "_" + type(expr).__name__.lower())(expr, scope)
        return made

    def some(self, expr: nodes.Expr, scope: Scope) -> str:
        """As `source`, where none is a fault."""
        source = self.source(expr, scope)
        if isinstance(self.type_of(expr), t.OptionalType):
            return f"some({source},{self.place(expr)})"
        return source

    def as_set(self, expr: nodes.Expr, scope: Scope) -> str:
        """As a frozenset."""
        return f"frozenset({self.some(expr, scope)})"

    def ordered(self, expr: nodes.Expr, scope: Scope) -> str:
        """Something to loop over, in the fixed order."""
        source = self.some(expr, scope)
        kind = self.type_of(expr)
        if self.is_tuple(expr) or not isinstance(kind, t.SetType):
            return source
        return f"in_order_of_sets({source})" if isinstance(kind.inner, t.SetType) else f"in_order({source})"

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
        return f"(not {self.some(expr.operand, scope)})"

    def _negate(self, expr: nodes.Negate, scope: Scope) -> str:
        return f"(-{self.some(expr.operand, scope)})"

    def _and(self, expr: nodes.And, scope: Scope) -> str:
        return "(" + " and ".join(self.some(e, scope) for e in expr.operands) + ")"

    def _or(self, expr: nodes.Or, scope: Scope) -> str:
        return "(" + " or ".join(self.some(e, scope) for e in expr.operands) + ")"

    def _conditional(self, expr: nodes.Conditional, scope: Scope) -> str:
        then, other = self.source(expr.then, scope), self.source(expr.otherwise, scope)
        return f"({then} if {self.some(expr.condition, scope)} else {other})"

    def _range(self, expr: nodes.Range, scope: Scope) -> str:
        return f"range({self.some(expr.low, scope)},{self.some(expr.high, scope)}+1)"

    def _binary(self, expr: nodes.Binary, scope: Scope) -> str:
        if expr.operator in {"&", "|", "without"}:
            left, right = self.as_set(expr.left, scope), self.as_set(expr.right, scope)
            if expr.operator == "without" and _has_faces(self.type_of(expr.right)) and not _has_faces(self.type_of(expr.left)):
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
            return f"(not {found})" if expr.operator == "not in" else found
        if expr.operator in {"=", "!="}:
            same = self._equal(expr, scope)
            return same if expr.operator == "=" else f"(not {same})"
        left, right = self.some(expr.left, scope), self.some(expr.right, scope)
        return f"({left}{_PYTHON[expr.operator]}{right})"

    def _membership(self, expr: nodes.Compare, scope: Scope) -> str:
        left, right = self.source(expr.left, scope), self.some(expr.right, scope)
        container = self.type_of(expr.right)
        if isinstance(_plain(self.type_of(expr.left)), t.FaceType) and not _has_faces(container):
            return f"face_among(S,{left},{right})"
        if _has_faces(container) and not isinstance(_plain(self.type_of(expr.left)), t.FaceType):
            return f"shows_one_of(S,{left},{right})"
        inner = container.inner if isinstance(container, t.SetType | t.RowType) else None
        if isinstance(inner, t.SetType):
            return f"(frozenset({left}) in {right})"
        return f"({left} in {right})"

    def _equal(self, expr: nodes.Compare, scope: Scope) -> str:
        left, right = expr.left, expr.right
        left_type, right_type = _plain(self.type_of(left)), _plain(self.type_of(right))
        if isinstance(left_type, t.FaceType) or (_has_faces(left_type) and not _has_faces(right_type)):
            left, right, left_type, right_type = right, left, right_type, left_type
        a, b = self.source(left, scope), self.source(right, scope)
        if isinstance(right_type, t.FaceType) and not isinstance(left_type, t.FaceType):
            return f"{b}.shown_by(S,{a})"
        if _has_faces(right_type) and not _has_faces(left_type):
            how = "same_row" if isinstance(left_type, t.RowType) and isinstance(right_type, t.RowType) else "same_cards"
            return f"{how}(S,{a},{b})"
        if isinstance(left_type, t.SetType) and isinstance(right_type, t.SetType | t.RowType):
            return f"(frozenset({a})==frozenset({b}))"
        if isinstance(left_type, t.RowType):
            return f"(tuple({a})==tuple({b}))"
        return f"({a}=={b})"

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
                return str(ord(name) - ord("A"))

    def you(self, scope: Scope) -> str:
        return scope.you if scope.you is not None else "None"

    def card_type(self, decl: nodes.CardDecl) -> Any:
        return next(kind for kind in self.layout.types if kind.decl is decl)

    # ------------------------------------------------------------ places

    def zone_slot(self, expr: nodes.Expr, scope: Scope) -> str:
        """The source of the slot number of a zone expression (a Name, an Index of one, or a condition between two)."""
        if isinstance(expr, nodes.Group):
            return self.zone_slot(expr.inner, scope)
        if isinstance(expr, nodes.Conditional):
            then, other = self.zone_slot(expr.then, scope), self.zone_slot(expr.otherwise, scope)
            return f"({then} if {self.some(expr.condition, scope)} else {other})"
        return self._slot(expr, scope, self.layout.zones)

    def own_slot(self, decl: nodes.VarDecl, scope: Scope) -> str:
        """The source of the slot of a variable written without an index."""
        return self._member(decl, self.layout.vars[decl], [], scope, self.place(decl))

    def var_slot(self, expr: nodes.Expr, scope: Scope) -> str:
        """The source of the slot number of a variable (a Name, an Index of one, or the mark of a card)."""
        if isinstance(expr, nodes.Attribute):
            card = self.some(expr.target, scope)
            return f"({self._mark_base(expr)}+{card})"
        return self._slot(expr, scope, self.layout.vars)

    def _mark_base(self, expr: nodes.Attribute) -> int:
        kind = _plain(self.type_of(expr.target))
        assert isinstance(kind, t.CardType)
        base: int = self.card_type(kind.decl).marks[expr.name.name]
        return base

    def _slot(self, expr: nodes.Expr, scope: Scope, families: dict[nodes.Node, Family]) -> str:
        target, indices = (expr.target, expr.indices) if isinstance(expr, nodes.Index) else (expr, [])
        if isinstance(target, nodes.Group):
            target = target.inner
        decl = self.checked.refs[target]
        assert isinstance(decl, nodes.ZoneDecl | nodes.VarDecl)
        sources = [self.some(e, scope) for e in indices]
        return self._member(decl, families[decl], sources, scope, self.place(expr))

    def _member(
        self, decl: nodes.ZoneDecl | nodes.VarDecl, family: Family, sources: list[str], scope: Scope, place: str
    ) -> str:
        if len(sources) < len(family.domains):
            first = self.checked.declared[decl.indexes[0]]
            you = self.you(scope)
            sources.insert(0, you if isinstance(first, t.PlayerType) else f"TEAM_OF[{you}]")
        parts = [str(family.base)]
        for source, domain, stride, kind in zip(sources, family.domains, family.strides, decl.indexes, strict=True):
            # Only a number can lie outside its domain; the types of everything else keep it inside.
            may_miss = isinstance(self.checked.declared[kind], t.IntType)
            parts.append(_offset(source, domain, stride, place if may_miss else None, self.constant))
        return "+".join(p for p in parts if p != "0") or "0"

    def _zone(self, slot: str, decl: nodes.ZoneDecl) -> str:
        return f"(Z[{slot}] or NO_CARD)[0]" if decl.layout == "one" else f"Z[{slot}]"

    def _variable(self, slot: str, decl: nodes.VarDecl, expr: nodes.Expr) -> str:
        return f"V[{slot}]" if decl.initial is not None else f"written(V[{slot}],{self.place(expr)})"

    def _index(self, expr: nodes.Index, scope: Scope) -> str:
        target = expr.target.inner if isinstance(expr.target, nodes.Group) else expr.target
        ref = self.checked.refs.get(target)
        if isinstance(ref, nodes.ZoneDecl) and ref.indexes:
            return self._zone(self.zone_slot(expr, scope), ref)
        if isinstance(ref, nodes.VarDecl) and ref.indexes:
            return self._variable(self.var_slot(expr, scope), ref, expr)
        return f"item({self.some(expr.target, scope)},{self.some(expr.indices[0], scope)},{self.place(expr)})"

    def _attribute(self, expr: nodes.Attribute, scope: Scope) -> str:
        ref = self.checked.refs.get(expr) or self.checked.refs.get(expr.name)
        if isinstance(ref, EnumValue | LabelValue):
            return self.constant_source(ref)
        kind = _plain(self.type_of(expr.target))
        assert isinstance(kind, t.CardType)
        card_type = self.card_type(kind.decl)
        card = self.some(expr.target, scope)
        if expr.name.name in card_type.marks:
            return f"V[{card_type.marks[expr.name.name]}+{card}]"
        return f"{self.constant(card_type.fields[expr.name.name])}[{card}]"

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
        values = self.arguments(arguments, [p.name.name for p in decl.params], [self.checked.declared[p.type] for p in decl.params], scope)
        name = self.define_name(decl)
        if self.is_static(decl):
            return f"{name}({','.join(values)})"
        you = self.you(scope) if decl in self.checked.needs_you else "None"
        return f"{name}({','.join(['S', you, *values])})"

    def arguments(
        self, arguments: list[nodes.Argument], names: list[str], types: list[t.Type], scope: Scope
    ) -> list[str]:
        """The sources of arguments in the order of the parameters; none is a fault where the parameter takes none."""
        placed: dict[str, nodes.Expr] = {}
        for k, argument in enumerate(arguments):
            placed[argument.name.name if argument.name is not None else names[k]] = argument.value
        return [
            self.source(placed[name], scope) if isinstance(kind, t.OptionalType) else self.some(placed[name], scope)
            for name, kind in zip(names, types, strict=True)
        ]

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
        if decl.value is not None:
            result = self.source(decl.value, scope)
        else:
            result = self._cases(decl.cases, scope)
        args = [*locals_.values()] if static else ["S", "you", *locals_.values()]
        made = self.function(",".join(args), result, "d")
        self.namespace[name] = runtime.kept(made) if static and args else made
        return name

    def params_of(self, params: list[nodes.Param]) -> list[Local]:
        found = [self.checked.refs[p.name] for p in params]
        return [local for local in found if isinstance(local, Local)]

    def _cases(self, cases: list[nodes.Case], scope: Scope) -> str:
        last = cases[-1]
        source = self.source(last.value, scope) if last.condition is None else f"no_case({self.place(last)})"
        for case in reversed(cases if last.condition is not None else cases[:-1]):
            assert case.condition is not None
            source = f"({self.source(case.value, scope)} if {self.some(case.condition, scope)} else {source})"
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
            if isinstance(node, nodes.Call) and isinstance(ref := self.checked.refs.get(node.name), nodes.CardDecl) and ref.marks:
                return False
        return True

    def is_fixed_define(self, decl: nodes.DefineDecl) -> bool:
        return self.is_fixed(decl)

    def _reads_mark(self, node: nodes.Attribute) -> bool:
        kind = _plain(self.checked.types.get(node.target, t.UnknownType()))
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
        if _has_faces(self.type_of(expr)):
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

    def clauses(self, clauses: list[nodes.Clause], scope: Scope) -> str:
        """` for x in ... if ...`; binds the names in `scope`."""
        text = ""
        for clause in clauses:
            domain = self.ordered(clause.domain, scope)
            names = [self.bind(ident, scope) for ident in clause.names]
            target = names[0] if len(names) == 1 else f"({','.join(names)})"
            text += f" for {target} in {self.narrowed(domain, target, clause.wheres, scope)}"
        return text

    def bind(self, ident: nodes.Ident, scope: Scope) -> str:
        """A Python name for what the ident binds; a variable that is chosen is not bound, but written later."""
        local = self.checked.refs[ident]
        name = self.fresh("v")
        if isinstance(local, Local):
            scope.names[local] = name
        return name

    def narrowed(self, domain: str, target: str, wheres: list[nodes.Where], scope: Scope) -> str:
        """The domain with its `where`s: plain ones as conditions, `if able` ones as preferences, in order."""
        text = domain
        conditions = ""
        for where in wheres:
            condition = self.some(where.condition, scope)
            if where.if_able:
                inside = f"[{target} for {target} in {text}{conditions}]" if conditions else text
                text, conditions = f"prefer([*{inside}],lambda {target}:{condition})", ""
            else:
                conditions += f" if {condition}"
        return f"{text}{conditions}"

    def _comprehension(self, expr: nodes.Comprehension, scope: Scope) -> str:
        inner = scope.inner()
        clauses = self.clauses(expr.clauses, inner)
        element = self.source(expr.element, inner)
        if expr.kind == "set":
            if _has_faces(self.type_of(expr)):
                return f"tuple([{element}{clauses}])"
            if isinstance(self.type_of(expr.element), t.SetType):
                element = f"frozenset({element})"
            return f"frozenset([{element}{clauses}])"
        return f"tuple([{element}{clauses}])"

    def _filter(self, expr: nodes.Filter, scope: Scope) -> str:
        inner = scope.inner()
        domain = self.ordered(expr.domain, inner)
        name = self.bind(expr.name, inner)
        return f"frozenset([{name} for {name} in {self.narrowed(domain, name, expr.wheres, inner)}])"

    def candidates(self, name: nodes.Ident, domain: nodes.Expr, wheres: list[nodes.Where], scope: Scope) -> str:
        """The source of a list of the members of the domain that satisfy the wheres, in the fixed order."""
        inner = scope.inner()
        source = self.ordered(domain, inner)
        bound = self.bind(name, inner)
        return f"[{bound} for {bound} in {self.narrowed(source, bound, wheres, inner)}]"

    def keys(self, name: nodes.Ident, keys: list[nodes.SortKey], scope: Scope) -> str:
        """The source of a tuple of (function of a candidate, sign): most first is 1, least first -1; `at random` keys are left out."""
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


def _plain(kind: t.Type) -> t.Type:
    return kind.inner if isinstance(kind, t.OptionalType) else kind


def _has_faces(kind: t.Type) -> bool:
    return isinstance(kind, t.SetType | t.RowType) and isinstance(kind.inner, t.FaceType)


def _offset(source: str, domain: tuple[Any, ...], stride: int, place: str | None, constant: Callable[[object], str]) -> str:
    first = domain[0]
    if source.lstrip("-").isdigit() and int(source) in domain:
        return str(domain.index(int(source)) * stride)
    if domain != tuple(range(first, first + len(domain))):
        at = f"position({constant(domain)},{source},{place})"
    else:
        at = source if first == 0 else f"({source}-{first})"
        if place is not None:
            at = f"within({at},{len(domain)},{place})"
    return at if stride == 1 else f"{at}*{stride}"
