"""Players: an engine, a level, a person, a Python function."""
