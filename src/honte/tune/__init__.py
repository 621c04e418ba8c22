"""Tuning: a space, an objective, one file per optimiser, a study that resumes."""
