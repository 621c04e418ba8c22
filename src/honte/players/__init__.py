"""Players for every game: calibrated levels and the random player."""

import sys
from types import ModuleType

from honte.core.players import names


class _Players(ModuleType):
    """The module, which lists the names of all players when it is called."""

    def __call__(self) -> list[str]:
        return names()


sys.modules[__name__].__class__ = _Players
