"""Rulebooks as guests in other people's frameworks: `openspiel` and `pettingzoo`, each an extra of its own."""
