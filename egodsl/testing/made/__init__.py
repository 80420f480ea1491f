"""The writer of small rulebooks: what lies on their tables, their expressions, statements and declarations."""
