"""A class: students hand in bots, and rounds rank them.

A class is a folder. The page serves it (`honte serve --class`), the command line creates it.
"""
