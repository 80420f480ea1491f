"""The command line `egodsl`: one module for each verb, loaded when it is asked for.

`app` finds the verbs and turns what goes wrong into a message and an exit code: 0 fine, 1 the rulebook falls short, 2
the command was misused, 130 interrupted. `console` writes, `options` holds what verbs that play have in common,
`rulebooks` finds files.
"""

from __future__ import annotations

from egodsl.cli.app import main

__all__ = ["main"]
