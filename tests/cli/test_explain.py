from __future__ import annotations

import pytest

from egodsl.source.registry import CODES, explain
from tests.cli.running import run


@pytest.mark.parametrize("name", ["EGO301", "ego301", "301", "unknown-name"])
def test_a_code_is_found_by_number_and_by_name(name: str) -> None:
    result = run("explain", name)
    assert result.exit_code == 0
    assert result.output == explain("EGO301")


def test_without_a_code_all_are_listed() -> None:
    lines = run("explain").output.splitlines()
    assert [line.split()[0] for line in lines] == list(CODES)


def test_an_unknown_code_is_misuse() -> None:
    result = run("explain", "unknown-nam")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: no code is called `unknown-nam`; did you mean `unknown-name`")
