"""Contracts: what a game, a state, a player, a request and a report are.

Everything else imports this package; it imports nothing else of Honte. It also holds specs, the
registries of games and players, and the game descriptor.
"""
