"""Bars that say how far a command has come, for those who watch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


class Advance(Protocol):
    """Moves a bar by `amount`, or to `done`; may change its total and its title."""

    def __call__(
        self,
        amount: int = 0,
        *,
        done: int | None = None,
        total: int | None = None,
        title: str | None = None,
    ) -> None:
        """Called whenever something was done."""


@contextmanager
def progress(
    title: str, total: int | None, *, done: int = 0, counted: bool = False
) -> Iterator[Advance]:
    """A bar on standard error while the block runs, if that is a terminal.

    Where so much is `done` already; without a `total` it only moves. If `counted`, how many of how
    many are done stands beside it, and the time that is left.
    """
    console = Console(stderr=True)
    columns: list[ProgressColumn] = [TextColumn("{task.description}", markup=False), BarColumn()]
    if counted:
        columns.append(MofNCompleteColumn())
    columns.append(TimeElapsedColumn())
    if counted:
        columns.append(TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(title, total=total, completed=done)

        def advance(
            amount: int = 0,
            *,
            done: int | None = None,
            total: int | None = None,
            title: str | None = None,
        ) -> None:
            bar.update(task, advance=amount, completed=done, total=total, description=title)

        yield advance


def load_kernels(report: Callable[[int, int], None] | None = None) -> None:
    """Compile or load the kernels that are imported, with a bar, or with what `report(done, all)` does."""
    from engine.system.jit import load_kernels as load

    warn_of_network()
    if report:
        load(report)
        return
    with progress("Compiling kernels, once only", None) as advance:
        load(lambda loaded, total: advance(done=loaded, total=total))


def warn_of_network() -> None:
    """Say so on standard error if the network that ships cannot be used."""
    from eval.network.file import shipped

    try:
        shipped()
    except ValueError as problem:
        print(f"{problem}; the classical evaluation judges", file=sys.stderr)
