"""The contracts: game, state, player, request and report.

Everything else imports this package; it imports nothing else of Honte. It also holds specs, the
registries of games and players, and the game descriptor.
"""
