"""Scenarios as examples: which rule each belongs to, and the situation, the moves and the outcome in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from egodsl.engine.game import Game
from egodsl.engine.settings import configure
from egodsl.engine.setup import Settings
from egodsl.provenance import find_citations
from egodsl.reports.player_rules_model import Example
from egodsl.reports.player_rules_prose import Notes, below, capital, readable
from egodsl.reports.player_rules_words import Wording
from egodsl.syntax import nodes

Subject = nodes.Declaration
_Value = int | str
"""What is settled: whether a mode is on, the name of an answer, a number."""


@attrs.frozen(eq=False)
class Examples:
    """`shown` is the example told of with a rule; `more` are all others by the rule, or question, that they belong to,
    None for those that belong to none.
    """

    shown: dict[Subject, nodes.ScenarioDecl]
    more: dict[Subject | None, list[nodes.ScenarioDecl]]


def arrange(game: Game, cited: dict[Subject, set[str]]) -> Examples:
    """Give each scenario to the rule whose citations are most like its own: `cited` are those of the rules.

    A scenario of other settings than the game's belongs to the question or mode that it answers otherwise.
    """
    program = game.checked.program
    found = Examples({}, {})
    best: dict[Subject, tuple[float, nodes.ScenarioDecl]] = {}
    subjects: dict[nodes.ScenarioDecl, Subject | None] = {}
    for scenario in program.scenarios.values():
        own = cited_by(scenario)
        changed = _differences(game, scenario)
        settled = [program.readings.get(name) or program.modes.get(name) for name in changed]
        other = next((decl for decl in settled if decl is not None), None)
        scores = [(len(own & ids) / len(own | ids), decl) for decl, ids in cited.items() if own & ids]
        score, subject = max(scores, key=lambda one: one[0], default=(0.0, None))
        subjects[scenario] = other if other is not None else subject
        if not changed and subject is not None and score > best.get(subject, (0.0, None))[0]:
            best[subject] = (score, scenario)
    found.shown.update({subject: scenario for subject, (_, scenario) in best.items()})
    used = set(found.shown.values())
    for scenario, subject in subjects.items():
        if scenario not in used:
            found.more.setdefault(subject, []).append(scenario)
    return found


def cited_by(scenario: nodes.ScenarioDecl) -> set[str]:
    """The ids that the scenario's prose cites."""
    lines = scenario.prose.lines if scenario.prose is not None else []
    return {cited for cited, _, _ in find_citations("\n".join(lines))}


def _differences(game: Game, scenario: nodes.ScenarioDecl) -> dict[str, nodes.Expr | None]:
    # What is settled otherwise than in the game, by name; None where the scenario leaves the rulebook's default.
    usual = configure(game.checked, None, (), {}, {})
    steps = [step for step in scenario.steps if isinstance(step, nodes.WithStep)]
    given = {one.name.name: one.value for step in steps for one in step.settings}
    names = (*usual.readings, *game.checked.program.modes, *usual.parameters)
    return {
        name: given.get(name)
        for name in names
        if _setting(game, game.settings, name) != _given(given.get(name), _setting(game, usual, name))
    }


def _setting(game: Game, settings: Settings, name: str) -> _Value:
    program = game.checked.program
    if name in program.readings:
        return program.readings[name].answers[settings.readings[name]].name.name
    return name in settings.modes if name in program.modes else settings.parameters[name]


def _given(expr: nodes.Expr | None, usual: _Value) -> _Value:
    match expr:
        case None:
            return usual
        case nodes.Boolean() | nodes.Integer():
            return expr.value
        case nodes.Name():
            return expr.name
        case _:
            return expr.span.text


@attrs.frozen(eq=False)
class Teller:
    """Tells the scenarios of one game."""

    game: Game
    wording: Wording
    notes: Notes

    def example(self, scenario: nodes.ScenarioDecl) -> Example:
        """The scenario as an example."""
        title, paragraphs = below(capital(scenario.title), self.notes.paragraphs(scenario.prose))
        lines = [("If", text) for text in self._presumed(scenario)]
        for label, text in self._told(scenario):
            if lines and lines[-1][0] == label and label != "If":
                lines[-1] = (label, f"{lines[-1][1]} {text}")
            else:
                lines.append((label, text))
        return Example(title, paragraphs, tuple(lines))

    def _presumed(self, scenario: nodes.ScenarioDecl) -> Iterator[str]:
        program = self.game.checked.program
        usual = configure(self.game.checked, None, (), {}, {})
        for name, expr in _differences(self.game, scenario).items():
            value = _given(expr, _setting(self.game, usual, name))
            if name in program.readings:
                reading = program.readings[name]
                text = next((answer.text for answer in reading.answers if answer.name.name == value), str(value))
                yield f"{reading.question} {capital(text)}."
            elif name in program.modes:
                yield f"{'with' if value is True else 'without'} “{program.modes[name].text}”."
            else:
                yield f"{program.parameters[name].text}: {value}."

    def _told(self, scenario: nodes.ScenarioDecl) -> Iterable[tuple[str, str]]:
        count = next((step.count for step in scenario.steps if isinstance(step, nodes.PlayersStep)), None)
        if count is not None and count != 1:
            yield "Before", f"{count} players."
        for step in scenario.steps:
            told = self._step(step)
            if told is not None:
                yield told[0], f"{capital(told[1])}."

    def _step(self, step: nodes.Step) -> tuple[str, str] | None:
        w = self.wording
        match step:
            case nodes.GivenStep():
                return "Before", w.place(step.place, step.value)
            case nodes.PlayStep():
                given = w.arguments(step.call)
                name = readable(step.call.name.name)
                return "Play", f"a {name} is played ({given})" if given else f"a {name} is played"
            case nodes.ChanceStep():
                return "Play", f"chance brings {w.several(step.outcomes)}"
            case nodes.PlaysStep():
                return "Play", f"{step.player.name} plays {self._action(step.call)}"
            case nodes.ChoosesStep():
                return "Play", f"{step.player.name} chooses {self._chosen(step.values)}"
            case _:
                expected = self._expected(step)
                return ("Then", expected) if expected is not None else None

    def _expected(self, step: nodes.Step) -> str | None:
        w = self.wording
        match step:
            case nodes.ExpectStep():
                return w.condition(step.condition)
            case nodes.ExpectPlaysStep():
                return f"{_may(step)} play {self._action(step.call)}"
            case nodes.ExpectChoosesStep():
                return f"{_may(step)} choose {self._chosen(step.values)}"
            case nodes.ExpectDecidesStep():
                return f"{step.player.name} is to decide"
            case nodes.ExpectSeesStep():
                sees = "does not see" if step.negated else "sees"
                return f"{step.player.name} {sees} {w.value(step.what)}"
            case nodes.ExpectStageStep():
                return f"the {readable(step.stage.name)} {'has ended' if step.ended else 'goes on'}"
            case _:
                return None

    def _action(self, call: nodes.Call) -> str:
        given = self.wording.arguments(call)
        name = f"“{readable(call.name.name)}”"
        return f"{name} with {given}" if given else name

    def _chosen(self, values: list[nodes.Expr]) -> str:
        first, *rest = [self.wording.value(value) for value in values]
        if rest and isinstance(values[0], nodes.Text):
            return f"{first}: {', '.join(rest)}"
        return ", ".join((first, *rest))


def _may(step: nodes.ExpectPlaysStep | nodes.ExpectChoosesStep) -> str:
    return f"{step.player.name} may{' not' if step.negated else ''}"
