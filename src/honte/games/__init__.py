"""The games: their contract, their rules' Python face, notation and drawing."""
