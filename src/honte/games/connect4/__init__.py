"""Gravity Connect Four on any board with blocked cells."""
