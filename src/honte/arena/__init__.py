"""The arena: players against players, and what the results mean."""
