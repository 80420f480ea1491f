"""Plays a checked rulebook: values, states, decisions, chance, views, records."""
