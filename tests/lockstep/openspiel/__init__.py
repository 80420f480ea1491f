"""Rulebooks of well-known games, played in lockstep with their implementations in OpenSpiel."""
