"""Views (being written)."""

from __future__ import annotations

from typing import Any

View = Any
Observation = Any


def view(state: Any, player: int) -> Any:
    return None


def observations(state: Any, player: int) -> Any:
    return []


def redeal(state: Any, player: int, rng: int) -> Any:
    return state
