"""Submitted bots: sources that are compiled, checked and laddered.

Every submitted version is kept, so that versions can be compared.
"""
