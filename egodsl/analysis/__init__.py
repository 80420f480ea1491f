"""Names, types, and every check that needs no play."""

from __future__ import annotations

from egodsl.analysis.analyse import analyse, check_file
from egodsl.analysis.link import link
from egodsl.analysis.symbols import Checked, Program

__all__ = ["Checked", "Program", "analyse", "check_file", "link"]
