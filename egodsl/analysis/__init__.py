"""Names, types, and every check that needs no play."""
