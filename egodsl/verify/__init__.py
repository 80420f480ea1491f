"""Scenarios, properties and exploration: what must hold, and whether it does."""
