"""Bars that say how far a command has come, for those who watch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn


@contextmanager
def progress(
    title: str, total: int | None, *columns: ProgressColumn
) -> Iterator[Callable[..., None]]:
    """A bar on standard error while the block runs, if that is a terminal.

    Yields `advance(amount, total=None, title=None)`; `columns` stand behind the bar.
    """
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *columns,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task(title, total=total)

        def advance(amount: int, total: int | None = None, title: str | None = None) -> None:
            bar.update(task, advance=amount, total=total, description=title)

        yield advance


def load_kernels() -> None:
    """Compile or load the kernels that are imported, with a bar if it takes long."""
    from engine import jit

    with progress("Compiling kernels, once only", None) as advance:
        done = 0

        def show(loaded: int, total: int) -> None:
            nonlocal done
            advance(loaded - done, total)
            done = loaded

        jit.load_kernels(show)
