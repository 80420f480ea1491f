"""Digests of what the engine does: every shipped rulebook under every setting, compared before and after a change."""
