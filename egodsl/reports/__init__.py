"""What is written for people: rulebooks to read, comparisons, simulations."""
