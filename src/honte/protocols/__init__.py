"""Protocols of other programs: GTP, NBoard, Botzone, Saiblo, getPoint, Kaggle, Python.

`NAME.py` drives an external engine, `NAME_engine.py` serves one of ours.
Text in, text out: no process and no clock in here, so tests need neither.
"""
