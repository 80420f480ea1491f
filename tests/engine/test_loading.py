"""What cannot be played says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from egodsl.engine.game import RulebookError, load
from tests.helpers import write_rules

if TYPE_CHECKING:
    from pathlib import Path


def test_a_library_is_not_played_by_itself(tmp_path: Path) -> None:
    path = write_rules(tmp_path, 'library numbers "Numbers"\n\ndefine twice(n: 0..9) = 2 * n\n', "numbers")
    with pytest.raises(RulebookError) as raised:
        load(path).game()
    (told,) = raised.value.diagnostics
    assert told.message == "`numbers` is a library, which is not played by itself"
    assert told.help == "load a rulebook that uses it"
