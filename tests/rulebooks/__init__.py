"""Tests of the rulebooks that the project ships."""
