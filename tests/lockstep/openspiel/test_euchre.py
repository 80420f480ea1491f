"""Our euchre and OpenSpiel's agree at every node, whether the dealer is stuck or not."""

from __future__ import annotations

import pytest

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.euchre import Euchre


@pytest.mark.parametrize("stuck", [True, False])
def test_euchre(*, stuck: bool) -> None:
    mapping = Euchre(stuck=stuck)
    run = lockstep(mapping)
    # The dealer is the eighth to speak.
    assert mapping.last_words["name" if stuck else "pass"] > 10
    assert set(mapping.last_words) <= {"name"} if stuck else {"name", "pass"}
    assert min(run.labels[label] for label in ("pass", "order it up", "name", "alone", "with partner")) > 20
