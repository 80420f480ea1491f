"""Strings in double quotes."""

from __future__ import annotations


def quoted(value: str) -> str:
    """`value` as it is written in a rulebook, with a backslash before each backslash and quotation mark."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
