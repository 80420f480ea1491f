"""egodsl: the rules of a tabletop game, written down once, then run, checked and explained."""

from __future__ import annotations

__version__ = "0.1.0"
