"""The head of a rulebook: that it says how a game is won.

That it names the numbers of players and has a `stage game` is proven when files are put together, before any name is
looked at.
"""

from __future__ import annotations

from egodsl.analysis.checks.facts import Facts


def run(facts: Facts) -> None:
    """Report a head with neither `result` nor `payoff`."""
    program = facts.program
    if program.ranking is None:
        facts.found.error(
            "EGO505",
            program.root.name.span,
            f"`{program.name}` does not say who wins",
            help="write a line such as `result most score` in the head, or `result together VALUE` if all win as one",
        )
