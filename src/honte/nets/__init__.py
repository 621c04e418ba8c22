"""Networks that learn a game from self-play: rules, search, replay and learner on one accelerator.

Training needs the extra `train` (JAX and mctx). Files for play are made without it (`export`), and
`honte._native.Network` reads them.
"""
