"""Othello on 8×8, 6×6 and 4×4."""
