"""Progress on standard error, by rich; silent unless it is a terminal."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

from honte.core.language import tr

if TYPE_CHECKING:
    from rich.live import Live
    from rich.progress import Progress as Bar


class _OnTerminal:
    """Transient output on a terminal."""

    def __init__(self, quiet: bool = False) -> None:
        self._shown: Live | Bar | None = None
        self._wanted = sys.stderr.isatty() and not quiet

    def clear(self) -> None:
        if self._shown is not None:
            self._shown.stop()
            self._shown = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.clear()


class Progress(_OnTerminal):
    """A progress bar for work in stages, with the time left if the total is known."""

    def tell(self, stage: str, done: int, total: int | None = None) -> None:
        if not self._wanted:
            return
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        if not isinstance(self._shown, Bar):
            console = Console(file=sys.stderr, highlight=False)
            count = TextColumn("{task.fields[count]}", markup=False)
            left = (BarColumn(), count, TimeRemainingColumn())
            self._shown = Bar(TextColumn("{task.description}"), *left, console=console)
            self._shown.live.transient = True
            self._shown.start()
        bar = self._shown
        if not bar.tasks or bar.tasks[-1].description != tr(stage):
            for task in bar.task_ids:
                bar.remove_task(task)
            bar.add_task(tr(stage), total=total, count="")
        count_shown = f"{done:,}" if total is None else f"{done:,}/{total:,}"
        bar.update(bar.task_ids[-1], completed=done, total=total, count=count_shown)


class Screen(_OnTerminal):
    """A text that is redrawn in place."""

    def show(self, text: str) -> None:
        if not self._wanted:
            return
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        if not isinstance(self._shown, Live):
            console = Console(file=sys.stderr, highlight=False)
            self._shown = Live(console=console, transient=True, auto_refresh=False)
            self._shown.start()
        self._shown.update(Text(text), refresh=True)
