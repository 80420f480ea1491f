"""Statements that begin and end bodies: stages, procedures, announcements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.engine.blocks import block
from egodsl.engine.bodies import Body, Label
from egodsl.engine.code import CODE, YOU, Frame
from egodsl.engine.faults import Fault
from egodsl.engine.machine import announce, cancel, end_stage, pop, push
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from egodsl.engine.state import State


def play(body: Body, s: nodes.Play) -> None:
    stage = body.e.checked.refs[s.call.name]
    assert isinstance(stage, nodes.StageDecl)
    _call(body, body.linker.code_of(stage), s.call, stage.params)


def perform(body: Body, s: nodes.Perform) -> None:
    called = body.e.checked.refs[s.call.name]
    if isinstance(called, nodes.ActionDecl):
        names = [b.name for b in called.bindings]
        _perform_action(body, body.linker.code_of(called), s.call, names)
        return
    assert isinstance(called, nodes.ProcedureDecl)
    _call(body, body.linker.code_of(called), s.call, called.params)


def _perform_action(body: Body, code: Any, call: nodes.Call, names: list[nodes.Ident]) -> None:
    placed: dict[str, nodes.Expr] = {}
    for k, argument in enumerate(call.arguments):
        placed[argument.name.name if argument.name is not None else names[k].name] = argument.value
    scope = body.scope()
    source = "(" + "".join(body.e.some(placed[n.name], scope) + "," for n in names) + ")"
    values = body.e.function("S,F", source)

    def op(state: State, frame: Frame) -> None:
        push(state, code.frame(frame[YOU], values(state, frame)))

    body.emit(op, reads=body.used(scope))


def let_perform(body: Body, s: nodes.LetPerform) -> None:
    perform(body, nodes.Perform(s.call, span=s.span))
    slot = body.local(s.name)

    def op(state: State, frame: Frame) -> None:
        frame[slot] = state.returned
        state.returned = None

    body.emit(op, writes=[slot])


def _call(body: Body, code: Any, call: nodes.Call, params: list[nodes.Param]) -> None:
    values, reads = body.values(call, params)

    def op(state: State, frame: Frame) -> None:
        push(state, code.frame(frame[YOU], values(state, frame)))

    body.emit(op, reads=reads)


def announce_(body: Body, s: nodes.Announce) -> None:
    decl = body.e.checked.refs[s.call.name]
    assert isinstance(decl, nodes.EventDecl)
    event = body.linker.event_of(decl)
    if body.linker.covering is not None:
        body.linker.covering.settle(body.linker.covering.point(decl))
    values, reads = body.values(s.call, decl.params)
    end = Label()
    place = s.span

    def op(state: State, frame: Frame) -> None:
        announce(state, event, frame[YOU], values(state, frame), end.at, place)

    body.emit(op, reads=reads, to=[end])
    block(body, s.body)
    body.mark(end)


def cancel_(body: Body, s: nodes.Cancel) -> None:
    decl = body.e.checked.refs[s.event]
    assert isinstance(decl, nodes.EventDecl)
    event = body.linker.event_of(decl)
    place = s.span

    def op(state: State, frame: Frame) -> None:
        del frame
        cancel(state, event, place)

    body.emit(op, falls=False)


def end_(body: Body, s: nodes.End) -> None:
    stage = body.e.checked.refs[s.stage]
    assert isinstance(stage, nodes.StageDecl)
    number = body.linker.stage_number(stage)
    place = s.span

    def op(state: State, frame: Frame) -> None:
        del frame
        end_stage(state, number, place)

    body.emit(op, falls=False)


def return_(body: Body, s: nodes.Return) -> None:
    if s.value is not None:
        function, reads = body.value(s.value, some=False)
    else:
        function, reads = body.e.function("S,F", "None"), frozenset()

    def op(state: State, frame: Frame) -> None:
        state.returned = function(state, frame)
        assert state.frames[-1][CODE] is frame[CODE]
        pop(state)

    body.emit(op, reads=reads, falls=False)


def stop(body: Body, s: nodes.Stop) -> None:
    def op(state: State, frame: Frame) -> None:
        del state, frame
        raise Fault("EGO711", s.span, s.message)

    body.emit(op, falls=False)


def nothing(body: Body, s: nodes.Nothing) -> None:
    del body, s


STATEMENTS: dict[type[nodes.Statement], Any] = {
    nodes.LetPerform: let_perform,
    nodes.Play: play,
    nodes.Perform: perform,
    nodes.Announce: announce_,
    nodes.Cancel: cancel_,
    nodes.End: end_,
    nodes.Return: return_,
    nodes.Stop: stop,
    nodes.Nothing: nothing,
}
