"""Evaluators: functions of your own that supply a search's priors and values.

An evaluator gets a `Batch` of positions and returns two arrays: priors ``(n, moves)``, which are
not negative and need not sum to 1, and values ``(n,)`` from -1 to 1 for the side to move.

>>> import numpy as np
>>> import honte
>>> def uniform(batch):
...     return batch.legal, np.zeros(len(batch))
>>> game = honte.game("connect4")
>>> uct = honte.search.Uct(game, evaluator=uniform, seed=1)
>>> uct.search(game.start(), honte.Limit(iterations=100)).iterations
100
"""

from __future__ import annotations

import importlib
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from honte.core.contract import State
from honte.core.from_file import callable_in, callable_of, cannot_load
from honte.core.language import Message
from honte.core.messages import quote


class EvaluatorError(ValueError):
    """An evaluator raised an error or returned something other than priors and values."""


class Batch:
    """Positions to evaluate. Its arrays are views of the search's memory: copy what you keep."""

    def __init__(self, native: Any, count: int) -> None:
        self._native = native
        self._count = count

    def __len__(self) -> int:
        return self._count

    @property
    def planes(self) -> NDArray[np.uint8]:
        """Zeros and ones (n, planes, rows, columns) for the side to move, row 0 at the top."""
        planes: NDArray[np.uint8] = self._native.planes()
        return planes

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Whether each move is legal (n, moves)."""
        legal: NDArray[np.bool_] = self._native.legal()
        return legal

    @property
    def positions(self) -> list[State]:
        """The positions as states, created on demand."""
        positions: list[State] = self._native.positions()
        return positions


Evaluator: TypeAlias = Callable[[Batch], Any]


def load_evaluator(text: str) -> tuple[Evaluator, tuple[Path, ...]]:
    """The evaluator of a setting, ``module:function`` or ``file.py:function``, and its file."""
    place, _, name = text.rpartition(":")
    if not place or not name.isidentifier():
        raise ValueError(
            Message(
                "{text} is neither module:function nor file.py:function",
                text=quote(text),
            )
        )
    if place.endswith(".py"):
        return callable_of(place, name), (Path(place).resolve(),)
    try:
        module = importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{place}.".startswith(f"{error.name}."):
            raise cannot_load(place, error) from error
        raise ValueError(
            Message(
                "there is no module {name}; to name a file, write file.py:function",
                name=quote(place),
            )
        ) from None
    except Exception as error:
        raise cannot_load(place, error) from error
    file = vars(module).get("__file__")
    return callable_in(module, place, name), (Path(file),) if file else ()


def name_of(evaluator: Evaluator) -> str:
    """A name for messages.

    >>> name_of(print)
    'print'
    """
    try:
        return str(evaluator.__name__)
    except AttributeError:  # an object, a partial
        return type(evaluator).__name__


class Crossing:
    """The boundary between native searches and an evaluator, crossed once per batch of leaves.

    A caller enters it (``with``) to use the searches; meanwhile neither the evaluator nor another
    thread can enter.
    """

    def __init__(self, native: Any, evaluator: Evaluator) -> None:
        self._native = native
        self._evaluator = evaluator
        self._name = name_of(evaluator)
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise ValueError(
                Message("this search is running; an evaluator or another thread needs its own")
            )

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def step(self) -> None:
        """Collect the leaves of all searches, and evaluate them."""
        count: int = self._native.collect()
        if not count:
            return
        try:
            self._evaluate(count)
        except BaseException:
            self._native.abandon()
            raise

    def _evaluate(self, count: int) -> None:
        try:
            answer = self._evaluator(Batch(self._native, count))
        except Exception as error:
            raise EvaluatorError(
                Message(
                    "the evaluator {name} raised {kind}: {error} ({place})",
                    name=self._name,
                    kind=type(error).__name__,
                    error=error,
                    place=_place(error),
                )
            ) from error
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            raise EvaluatorError(
                Message(
                    "the evaluator {name} returned {kind}, not a pair of priors and values",
                    name=self._name,
                    kind=type(answer).__name__,
                )
            )
        priors = self._array("priors", answer[0], (count, self._native.moves))
        values = self._array("values", answer[1], (count,))
        fault = self._native.settle(priors, values)
        if fault is None:
            return
        kind, row, move, given = fault
        position = self._native.positions()[row].to_text()
        if kind == "prior":
            text = Message(
                "the evaluator {name} gave move {move} of position {row} ({position}) the prior "
                "{given:g}; priors are finite and not negative",
                name=self._name,
                move=move,
                row=row,
                position=quote(position, 200),
                given=given,
            )
        else:
            text = Message(
                "the evaluator {name} gave position {row} ({position}) the value {given:g}; "
                "values are from -1 to 1",
                name=self._name,
                row=row,
                position=quote(position, 200),
                given=given,
            )
        raise EvaluatorError(text)

    def _array(self, what: str, given: Any, shape: tuple[int, ...]) -> NDArray[np.float32]:
        if not isinstance(given, np.ndarray):
            try:
                given = np.asarray(given)
            except Exception as error:
                raise EvaluatorError(
                    Message(
                        "the evaluator {name} returned {what} that are no array: {error}",
                        name=self._name,
                        what=what,
                        error=error,
                    )
                ) from error
        if given.dtype.kind not in "fiub":
            raise EvaluatorError(
                Message(
                    "the evaluator {name} returned {what} of type {dtype}, not of numbers",
                    name=self._name,
                    what=what,
                    dtype=given.dtype,
                )
            )
        if given.shape != shape:
            raise EvaluatorError(
                Message(
                    "the evaluator {name} returned {what} of shape {given}, not {shape}",
                    name=self._name,
                    what=what,
                    given=given.shape,
                    shape=shape,
                )
            )
        with np.errstate(over="ignore"):  # infinity is refused
            return np.ascontiguousarray(given, np.float32)


def _place(error: BaseException) -> str:
    """The deepest line of an error within the file of the evaluator."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    if not frames:  # the evaluator is not written in Python
        return "?"
    own = [frame for frame in frames if frame.filename == frames[0].filename]
    return f"{own[-1].filename}:{own[-1].lineno}"


class EvaluatedSearch:
    """One tree with an evaluator; called like a native search."""

    def __init__(self, native: Any, evaluator: Evaluator) -> None:
        self._native = native
        self._crossing = Crossing(native, evaluator)
        self._planned = -1
        self._stopped = False

    def set_position(self, state: State) -> bool:
        with self._crossing:
            self._planned = -1
            self._stopped = False
            return bool(self._native.set_position(0, state))

    def run(self, iterations: int, seconds: float) -> str:
        """Search for this many more iterations or seconds; return why it ended."""
        native = self._native
        deadline = time.perf_counter() + seconds
        total = native.iterations(0) + iterations
        with self._crossing:
            if total != self._planned:
                native.plan(iterations)
                self._planned = total
            while True:
                if native.is_proven(0):
                    return "proven"
                if native.iterations(0) >= total:
                    return "iterations"
                self._crossing.step()
                if self._stopped:
                    return "stopped"
                if time.perf_counter() >= deadline:
                    return "time"

    def stop(self) -> None:
        """End the search of this position, from any thread."""
        self._stopped = True

    def iterations(self) -> int:
        return int(self._native.iterations(0))

    def ownership(self) -> list[float]:
        return []

    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = self._native.report(0)
        return found

    def look(self, moves: list[int]) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self._native.look(0, moves)
        return found
