"""Independent implementations that are played in lockstep with the interpreter."""
