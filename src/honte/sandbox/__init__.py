"""External programs as players: processes, deadlines, limits and levels of trust.

A bot may crash, hang, flood or cheat: it loses its game, and nothing else happens.
"""
