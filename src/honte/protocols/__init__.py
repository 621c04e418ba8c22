"""The languages that other programs speak: GTP, NBoard, Botzone, Saiblo, getPoint, Kaggle, Python.

For each protocol, `NAME.py` asks their program for a move and `NAME_engine.py` answers for ours.
Text in, text out: no process and no clock in here, so a test needs neither.
"""
