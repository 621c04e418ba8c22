"""Learning: weights of evaluations from games, with the error on games held out."""
