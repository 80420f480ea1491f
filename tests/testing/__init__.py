"""Tests of the strategies for people who test rulebooks from Python."""
