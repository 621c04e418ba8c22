"""Other people's programs as players: one process runner, and one file per protocol."""
