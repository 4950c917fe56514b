"""Progress bars on standard error, and the loading of the kernels with one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from rich.console import RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import complain
from boomslang.core.system.sanitize import printable

_LOADING: Final = 1.0  # seconds of loading without a bar
_REFRESHES: Final = 1  # per second, of a bar below something


@dataclass(slots=True)
class Advance:
    """Advances a bar by `amount`, or to `done`; may change its total and its title."""

    bar: Progress
    task: TaskID

    def __call__(
        self,
        amount: int = 0,
        *,
        done: int | None = None,
        total: int | None = None,
        title: str | None = None,
    ) -> None:
        """Called after each piece of work."""
        text = None if title is None else printable(title)
        self.bar.update(self.task, advance=amount, completed=done, total=total, description=text)


class _Bar(Progress):
    """A bar below something that changes with it."""

    above: Callable[[], RenderableType] | None = None

    def get_renderables(self) -> Iterable[RenderableType]:
        """Called by rich for what it shows."""
        if self.above:
            yield self.above()
        yield from super().get_renderables()


@contextmanager
def progress(
    title: str,
    total: int | None,
    *,
    done: int = 0,
    counted: bool = False,
    after: float = 0.0,
    above: Callable[[], RenderableType] | None = None,
) -> Iterator[Advance]:
    """A bar on standard error while the block runs, if that is a terminal, from `after` seconds on.

    Above it stands what `above` returns. It starts at `done`; without a `total` it only pulses. If `counted`,
    it shows "n/total" and the remaining time.
    """
    console = Console(stderr=True)
    columns: list[ProgressColumn] = [TextColumn("{task.description}", markup=False), BarColumn()]
    if counted:
        columns.append(MofNCompleteColumn())
    columns.append(TimeElapsedColumn())
    if counted:
        columns.append(TimeRemainingColumn())
    bar = _Bar(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        # A table takes 10 to 20 ms to draw, in which a game may wait for this process.
        refresh_per_second=_REFRESHES if above else 10,
    )
    bar.above = above
    with _show(bar, after):
        yield Advance(bar, bar.add_task(printable(title), total=total, completed=done))


@contextmanager
def _show(bar: Progress, after: float) -> Iterator[None]:
    """Show the bar while the block runs, from `after` seconds on, unless the terminal is gone."""

    def start() -> None:
        with suppress(OSError):
            bar.start()

    timer = threading.Timer(after, start)
    timer.daemon = True
    if after:
        timer.start()
    else:
        start()
    try:
        yield
    finally:
        timer.cancel()
        if after:
            timer.join()  # it may just be starting the bar
        if bar.live.is_started:
            with suppress(OSError):
                bar.stop()


def load_kernels(report: Callable[[int, int], None] | None = None) -> None:
    """Compile or load the imported kernels, with a bar, or calling `report(done, total)`."""
    from boomslang.core.jit.jit import load_kernels as load

    warn_of_network()
    if report:
        load(report)
        return
    with kernel_progress() as show:
        load(show)


@contextmanager
def kernel_progress(title: str = "Loading kernels") -> Iterator[Callable[[int, int], None]]:
    """A bar for `load_kernels`, with this title until the first kernel."""
    with progress(title, None, after=_LOADING) as advance:

        def show(done: int, total: int) -> None:
            work = kernel_work()
            once = " (first start only)" if work == "compiling" else ""
            title = f"{work.capitalize()} kernels{once}: {done} of {total}"
            advance(done=done, total=total, title=title)

        yield show


def kernel_work() -> str:
    """The current work on the kernels: compiling or loading."""
    from boomslang.core.jit import jit

    return "compiling" if jit.is_compiling() else "loading"


def warn_of_network() -> None:
    """Warn on standard error if the built-in network cannot be used."""
    from boomslang.eval.network.file import load_shipped

    try:
        load_shipped()
    except ValueError as problem:
        complain(f"{problem}; using the classical evaluation instead")
