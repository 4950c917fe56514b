"""`boomslang warmup` compiles the kernels ahead of time, `boomslang where` tells the paths."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

ProgressCallback = Callable[[int, int], None]  # kernels done, kernels in all

_CHECKOUT = Path(__file__).resolve().parent.parent
_LAUNCHERS = Path(".venv/launchers")  # in the checkout: the names that the Makefile has given


def main(argv: list[str]) -> int:
    """Run `warmup` or `where`, the first word of `argv`; return the exit code."""
    if argv[:1] == ["where"]:
        return where()
    return warmup()


def warmup() -> int:
    """Load or compile every kernel with a progress bar; 1 if they cannot be kept."""
    console = Console(soft_wrap=True, highlight=False)
    started = time.monotonic()
    if console.is_terminal:
        with Progress(
            TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=console
        ) as bar:
            task = bar.add_task("Importing Numba", total=None)

            def show(done: int, total: int) -> None:
                text = f"Kernels, compiled once only: {done} of {total}"
                bar.update(task, description=text, completed=done, total=total)

            _load(show)
    else:
        _load(_PlainLines())
    seconds = time.monotonic() - started

    from engine.system import jit

    kept = jit.kernel_cache()
    console.print(f"Kernels are ready after {seconds:.1f} s.", markup=False)
    if kept.remark:
        console.print(kept.remark, markup=False)
    if kept.folder is not None:
        console.print(f"They are kept in {kept.folder.parent}", markup=False)
    return 0 if kept.folder is not None or jit.DISABLED else 1


def where() -> int:
    """Print the full path to paste into a GUI, and the folder that keeps the kernels."""
    from engine.system import jit

    kept = jit.kernel_cache()
    print(f"engine: {launcher()}")
    print(f"kernels: {kept.folder.parent if kept.folder else kept.remark}")
    return 0


def launcher() -> Path:
    """The command that a GUI should start: the checkout's newest launcher, or the installed script."""
    script = "boomslang.exe" if sys.platform == "win32" else "boomslang"
    kept = _CHECKOUT / _LAUNCHERS
    made = kept.read_text("utf-8").splitlines() if kept.is_file() else []
    names = [*reversed(made), "boomslang"]
    for path in (*(_CHECKOUT / name for name in names), Path(sys.executable).with_name(script)):
        if path.is_file():
            return path
    found = shutil.which("boomslang")
    return Path(found or sys.argv[0]).absolute()


def import_kernels() -> None:
    """Import all that has kernels: those of play, and others that are wanted now and then."""
    import engine.mcts
    import engine.player  # noqa: F401
    import eval.classical.trace  # noqa: F401
    import perft.count  # noqa: F401


def _load(progress: ProgressCallback) -> None:
    from engine.system.jit import load_kernels

    import_kernels()
    load_kernels(progress)


class _PlainLines:
    """Progress for a log file: a line at most every two seconds."""

    def __init__(self) -> None:
        self._next = time.monotonic() + 2.0

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + 2.0
            print(f"compiling kernels: {done} of {total}", flush=True)
