"""`honte check`: what is wrong with a bot, in words, and how to fix it.

It knows no game and no protocol: a game's `CheckSupport` says where bots go wrong, a protocol's
`advice` how a reply should look.
"""

from honte.check.advice import Finding
from honte.check.check import Check

__all__ = ["Check", "Finding"]
