"""Positions and reports, drawn: as text, as SVG, as a replay in a notebook.

Knows no game by name: a game's descriptor says what its board looks like.
"""
