"""Our euchre and OpenSpiel's agree at every node, whether the dealer is stuck or not."""

from __future__ import annotations

import pytest

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.euchre import Euchre


@pytest.mark.parametrize("stuck", [True, False])
def test_euchre(*, stuck: bool) -> None:
    run = lockstep(Euchre(stuck=stuck))
    assert min(run.labels[label] for label in ("pass", "order it up", "name", "alone", "with partner")) > 20
