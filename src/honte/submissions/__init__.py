"""Bots as their authors hand them in: sources that are compiled, checked and laddered.

Every version that was handed in is kept, so that one can be compared with another.
"""
