"""Networks that learn a game from self-play: all on one accelerator, or on CPU cores.

On an accelerator (`train`) it needs the extra `train` (JAX and mctx); on CPU cores (`run`) numpy
alone. Files for play are made by `export`, and `honte._native.Network` reads them.
"""
