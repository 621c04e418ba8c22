"""Python bots: functions of a state, and Kaggle agents."""

from __future__ import annotations

import time
from typing import Any

games = 0


def first(state: Any, limit: Any) -> int:
    print("noise that must not spoil the answer")
    return int(state.legal_moves()[0])


def raises(state: Any, limit: Any) -> int:
    raise KeyError("no such opening")


def illegal(state: Any, limit: Any) -> int:
    return 12345


def words(state: Any, limit: Any) -> str:
    return "e4"


def ends(state: Any, limit: Any) -> int:
    raise SystemExit(5)


def sleeps(state: Any, limit: Any) -> int:
    time.sleep(1000)
    return 0


def limited(state: Any, limit: Any) -> int:
    assert limit.seconds == 0.5
    return int(state.legal_moves()[-1])


def agent(observation: Any, configuration: Any) -> int:
    assert observation.mark in (1, 2)
    assert observation["board"] == observation.board
    columns = range(configuration.columns)
    return next(column for column in columns if observation.board[column] == 0)
