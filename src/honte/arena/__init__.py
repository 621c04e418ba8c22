"""Matches, tournaments and ladders: schedules, clocks, the store of games, ratings and reports.

No bot can bring down a run, and a run that was stopped resumes where it was.
"""
