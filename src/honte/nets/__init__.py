"""Networks that learn a game by self-play, on one accelerator or on CPU cores.

Training on an accelerator (`train`) needs the extra `train` (JAX and mctx); on CPU cores (`run`)
numpy alone. `export` writes files for play, which `honte._native.Network` reads.
"""
