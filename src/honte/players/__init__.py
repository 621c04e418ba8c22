"""Players for every game: calibrated levels and the random player."""
