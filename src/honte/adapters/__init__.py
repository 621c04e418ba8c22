"""Our games behind the APIs of other libraries: PettingZoo, Gymnasium and OpenSpiel.

    from honte.adapters import gymnasium, openspiel, pettingzoo

Each needs its library, an extra of this package: ``pip install 'honte[rl]'`` for the first two,
``pip install 'honte[openspiel]'`` for the last.
"""
