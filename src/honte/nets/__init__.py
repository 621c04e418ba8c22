"""Networks that learn a game from self-play: rules, search, replay and learner on one accelerator.

Needs the extra `train` (JAX and mctx); nothing here is imported for play.
"""
