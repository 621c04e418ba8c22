"""Searches that work for every game: native UCT, textbook UCT and minimax, players around them.

What is special about a game (playouts, priors, solvers) comes from the game's folder.
"""
