"""What a rulebook has: for how many it is, what can be chosen before the game, what it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from egodsl.engine.settings import configure, parameter_range
from egodsl.provenance import find_citations
from egodsl.syntax import nodes
from egodsl.syntax.printer import print_expression

if TYPE_CHECKING:
    from egodsl.engine.game import Rulebook


@attrs.frozen
class Mode:
    """A mode; `on` says whether it is on unless the players say otherwise."""

    name: str
    title: str
    on: bool


@attrs.frozen
class Answer:
    """One answer to an open question of the text."""

    name: str
    text: str
    default: bool


@attrs.frozen
class Reading:
    """An open question of the text, with its possible answers."""

    name: str
    question: str
    answers: tuple[Answer, ...]


@attrs.frozen
class Parameter:
    """A number that the players agree on, from `low` to `high`."""

    name: str
    title: str
    low: int
    high: int
    default: int


@attrs.frozen
class Components:
    """The cards of one kind: how many there are with the fewest players and with the most."""

    card: str
    fewest: int
    most: int


@attrs.frozen
class Source:
    """The document behind the rules: how many sentences its index has, and how many of them the rules cite."""

    name: str
    title: str
    sentences: int
    cited: int


@attrs.frozen
class Overview:
    """All of it. `result` holds the keys and `payoff` the number as the rulebook writes them; `players` is (fewest,
    most).
    """

    name: str
    title: str
    base: str | None
    digest: str
    players: tuple[int, int]
    teams: str | None
    result: tuple[str, ...]
    payoff: str | None
    modes: tuple[Mode, ...]
    readings: tuple[Reading, ...]
    parameters: tuple[Parameter, ...]
    components: tuple[Components, ...]
    actions: tuple[str, ...]
    abilities: tuple[str, ...]
    triggers: tuple[str, ...]
    stages: tuple[str, ...]
    scenarios: int
    citations: int
    """Sentence ids in prose, each place counted."""
    source: Source | None

    def to_json(self) -> dict[str, Any]:
        """As what `json.dumps` takes; the keys are those of the classes."""
        return attrs.asdict(self)


def overview(rulebook: Rulebook) -> Overview:
    """What a checked rulebook has."""
    checked = rulebook.checked
    program = checked.program
    settings = configure(checked, None, (), {}, {})
    cited = _citations(program.files)
    header = program.players
    acting = program.reactions.values()
    index = program.index
    return Overview(
        name=program.name,
        title=program.title,
        base=program.root.base.name if program.root.base is not None else None,
        digest=rulebook.digest,
        players=(rulebook.players.start, rulebook.players.stop - 1),
        teams=print_expression(header.teams) if header is not None and header.teams is not None else None,
        result=_result(program.result),
        payoff=print_expression(program.payoff.value) if program.payoff is not None else None,
        modes=tuple(Mode(name, decl.text, name in settings.modes) for name, decl in program.modes.items()),
        readings=tuple(_reading(decl, settings.readings[name]) for name, decl in program.readings.items()),
        parameters=tuple(
            Parameter(name, decl.text, *parameter_range(checked, decl), settings.parameters[name])
            for name, decl in program.parameters.items()
        ),
        components=_components(rulebook),
        actions=tuple(program.actions),
        abilities=tuple(decl.name.name for decl in acting if isinstance(decl, nodes.AbilityDecl)),
        triggers=(
            *(decl.name.name for decl in acting if not isinstance(decl, nodes.AbilityDecl)),
            *program.conditions,
            *program.runs_out,
        ),
        stages=tuple(program.stages),
        scenarios=len(program.scenarios),
        citations=len(cited),
        source=None
        if index is None
        else Source(index.name, index.title, len(index.entries), len({name for name in cited if name in index})),
    )


def _result(header: nodes.ResultHeader | None) -> tuple[str, ...]:
    if header is None:
        return ()
    if header.together is not None:
        return (f"together {print_expression(header.together)}",)
    return tuple(
        key.direction if key.value is None else f"{key.direction} {print_expression(key.value)}" for key in header.keys
    )


def _reading(decl: nodes.ReadingDecl, default: int) -> Reading:
    answers = tuple(Answer(answer.name.name, answer.text, k == default) for k, answer in enumerate(decl.answers))
    return Reading(decl.name.name, decl.question, answers)


def _components(rulebook: Rulebook) -> tuple[Components, ...]:
    few, many = (
        {kind.decl.name.name: len(kind.cards) for kind in rulebook.game(players=players).layout.types}
        for players in (rulebook.players.start, rulebook.players.stop - 1)
    )
    return tuple(Components(name, few[name], many[name]) for name in few if max(few[name], many[name]))


def _citations(files: list[nodes.Module]) -> list[str]:
    return [
        cited
        for module in files
        for node in nodes.walk(module)
        if isinstance(node, nodes.Prose)
        for cited, _, _ in find_citations("\n".join(node.lines))
    ]
