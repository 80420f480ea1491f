"""Hypothesis profiles, and a maker of games from the text of a rulebook."""

from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests.helpers import load_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from egodsl.engine.game import Game

# Rulebooks here are material of tests, many of them wrong; egodsl's own plugin, where it is installed, leaves them out.
collect_ignore_glob = ["*.rules"]

# The ordinary run is the same every time; searching anew is for the `search` profile and longer runs.
settings.register_profile("default", max_examples=60, deadline=None, derandomize=True)
settings.register_profile("search", max_examples=300, deadline=None)
settings.register_profile(
    "ci", max_examples=200, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "default"))


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Game]:
    """`make(text, players=..., ...)` is a game of the rulebook in the text; each has a folder of its own."""
    numbers = itertools.count()

    def made(text: str, **wanted: Any) -> Game:  # noqa: ANN401 - the settings of any kind
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        return load_text(folder, text).game(**wanted)

    return made
