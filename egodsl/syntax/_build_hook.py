"""Builds the parser's table into the wheel, so that no user's first command has to make it.

Run by hatchling in the build environment, from the root of the source tree; never shipped, never imported by egodsl.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TableHook(BuildHookInterface):  # type: ignore[type-arg]  # the parameter, a plugin configuration, is of no use here
    """Adds `egodsl/syntax/<TABLE_NAME>` to a wheel. An editable install needs none: its grammar may change."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the table of the grammars in this source tree, and have the wheel take it."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        try:
            from egodsl.syntax.table import TABLE_NAME, write_table  # noqa: PLC0415 -- the path is only now set
        finally:
            sys.path.remove(self.root)
        self._directory = tempfile.TemporaryDirectory()
        target = Path(self._directory.name) / TABLE_NAME
        write_table(target)
        build_data["force_include"][str(target)] = f"egodsl/syntax/{TABLE_NAME}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 -- hatchling's
        """Throw the table's temporary directory away."""
        if version != "editable":
            self._directory.cleanup()
