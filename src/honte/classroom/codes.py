"""Codes that people type: of a class, of its teacher, of each student."""

from __future__ import annotations

import hashlib
import secrets

SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Digits and letters without 0, 1, I and O, which look alike."""
GROUP = 4
JOIN, OWN = 8, 12
"""Length of the code that a whole class knows (40 bits), and of a personal one (60 bits)."""


def new(signs: int) -> str:
    """A random code: ``7KQF-3M2P``."""
    drawn = "".join(secrets.choice(SIGNS) for _ in range(signs))
    return "-".join(drawn[at : at + GROUP] for at in range(0, signs, GROUP))


def plain(typed: str) -> str:
    """Normalise a code that a person typed.

    >>> plain(" 7kqf 3m2p ")
    '7KQF-3M2P'
    """
    signs = "".join(sign for sign in typed[:100].upper() if sign.isalnum())
    return "-".join(signs[at : at + GROUP] for at in range(0, len(signs), GROUP))


def hashed(code: str) -> str:
    """The stored form of a code. It is random, so one round of a hash is enough."""
    return hashlib.sha256(plain(code).encode()).hexdigest()
