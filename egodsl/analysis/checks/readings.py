"""Readings of which two answers are never told apart: then a game cannot show which one was meant.

Proven over every comparison with the reading and every set it is looked for in. Any other use (passed on, put in
order, taken as a whole) counts as telling all answers apart. A reading that nothing asks about is reported as unused
instead.
"""

from __future__ import annotations

from egodsl.analysis.checks.facts import Facts
from egodsl.analysis.checks.folding import Folder, Member
from egodsl.source.diagnostics import Label
from egodsl.syntax import nodes


def run(facts: Facts) -> None:
    """Check every reading for answers that come to the same, and for its defaults."""
    compared = _comparisons(facts)
    for reading in facts.program.readings.values():
        defaults = [answer for answer in reading.answers if answer.default]
        if len(defaults) > 1:
            facts.found.error(
                "EGO591",
                defaults[1].name.span,
                f"`{reading.name.name}` has two defaults",
                help="one answer is taken where nobody says which",
                labels=(Label(defaults[0].name.span, "the first is here"),),
            )
        if facts.mine(reading):
            _same(facts, reading, compared)


def _comparisons(facts: Facts) -> dict[nodes.Node, nodes.Compare]:
    # The name of a reading -> the comparison whose one side it is.
    found: dict[nodes.Node, nodes.Compare] = {}
    for _, compare in facts.each(nodes.Compare):
        for side in (compare.left, compare.right):
            if isinstance(facts.ref(side), nodes.ReadingDecl):
                found[side] = compare
    return found


def _same(facts: Facts, reading: nodes.ReadingDecl, compared: dict[nodes.Node, nodes.Compare]) -> None:
    names = [node for _, node in facts.uses.get(reading, ()) if facts.ref(node) is reading]
    if not names:
        return
    comparisons: list[nodes.Compare] = []
    for name in names:
        compare = compared.get(name)
        if compare is None:
            return
        comparisons.append(compare)
    answers: dict[tuple[bool, ...], nodes.Answer] = {}
    for answer in reading.answers:
        folder = Folder(facts.checked, {reading: Member(answer.name.name)})
        truths = [folder.truth(compare) for compare in comparisons]
        key = tuple(truth for truth in truths if truth is not None)
        if len(key) < len(truths):
            return
        other = answers.setdefault(key, answer)
        if other is not answer:
            facts.found.warning(
                "EGO590",
                answer.name.span,
                f"nothing tells the answers `{other.name.name}` and `{answer.name.name}` apart",
                help="ask about one of them somewhere, or make them one answer",
                labels=(Label(other.name.span, "the other answer"),),
            )
            return
