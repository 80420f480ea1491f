"""Runs one of OpenSpiel's own test programs on registered rulebooks, in a process of its own.

    python -m tests.interop.suites MODULE NAME...

The programs take all registered games as they are imported, so the rulebooks must be registered before; and they end
the process.
"""

from __future__ import annotations

import runpy
import sys

from egodsl.interop import openspiel

API = "open_spiel.integration_tests.api_test"


def main(module: str, names: list[str]) -> None:
    """Register the rulebooks and become the test program."""
    registered = [openspiel.register(name) for name in names]
    flags = [f"--test_only_games=^({'|'.join(registered)})$"] if module == API else []
    sys.argv = [module, *flags]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
