"""The static checks after names and types: one module each, which says what it proves and what it leaves to play.

An error is only what certainly fails or says nothing; what depends on play is a warning or left to run time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.analysis.checks import (
    decks,
    ending,
    flow,
    heads,
    hidden,
    legality,
    loops,
    places,
    properties,
    readings,
    ties,
    unused,
)
from egodsl.analysis.checks.facts import Facts

if TYPE_CHECKING:
    from egodsl.analysis.symbols import Checked
    from egodsl.source.diagnostics import Diagnostic

__all__ = ["run"]

_OF_ANY = (decks, readings, legality, ending, ties, places, hidden, flow)
"""Checks that a library can be asked too."""

_OF_RULEBOOKS = (heads, unused, loops, properties)
"""Checks that need the whole rulebook: in a library others use, announce, offer and end."""


def run(checked: Checked) -> list[Diagnostic]:
    """All that the checks have to say of an analysed program, sorted.

    After an error in names or types only what cannot follow from it is checked: the decks, and that there is a result.
    """
    facts = Facts(checked)
    library = checked.kind == "library"
    if any(diagnostic.is_error for diagnostic in checked.diagnostics):
        decks.run(facts)
        if not library:
            heads.run(facts)
        return facts.found.sorted()
    for check in _OF_ANY if library else (*_OF_RULEBOOKS, *_OF_ANY):
        check.run(facts)
    return facts.found.sorted()
