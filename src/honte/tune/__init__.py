"""Optimisers that tune any engine by play: a space, an objective, a study that resumes."""
