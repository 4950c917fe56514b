"""Output for people: everything that a command prints to the terminal goes through this module.

Untrusted text - tags of games, ids of positions, names of files, engines and options, paths - may contain
control characters, escape sequences, bidirectional marks or line separators. So each message is printed as
one line of printable characters: others become question marks, and characters that the encoding lacks become
escape sequences. `cli.terminal.console` prints tables and colours by the same rule.

Files that a command writes are exact. So is data on standard output if a file or a program reads it; on a
terminal it is made safe like messages (`DataOutput`).
"""

from __future__ import annotations

import io
import logging
import shutil
import sys
import threading
import traceback
from types import TracebackType
from typing import Final

from boomslang.core.system.sanitize import printable, printable_lines

_UNSEEN: Final = 80  # columns without a terminal


def set_up_streams() -> None:
    """Prepare the standard streams of this process; called once, before any output."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _print_traceback
    if threading.excepthook is threading.__excepthook__:
        threading.excepthook = lambda bug: _print_traceback(*bug[:3])
    logging.lastResort = _Log(logging.WARNING)


def say(*lines: object) -> None:
    """Print lines on standard output, an empty one without arguments, and flush."""
    print(_harmless(lines), flush=True)


def complain(*lines: object) -> None:
    """Print lines on standard error."""
    print(_harmless(lines), file=sys.stderr, flush=True)


def ask(prompt: str) -> str:
    """Read a line from the user; echo it if it comes from a file or a pipe. Raises EOFError."""
    line = input(printable(prompt))
    if not sys.stdin.isatty():
        say(line)
    return line


class DataOutput:
    """Data on standard output: the same bytes as in a file, in UTF-8.

    On a terminal the lines are made safe like messages.
    """

    def __init__(self) -> None:
        self._is_seen = sys.stdout.isatty()
        if not self._is_seen and isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")

    def write(self, text: str) -> None:
        """Write whole lines."""
        sys.stdout.write(printable_lines(text) if self._is_seen else text)


class _Log(logging.Handler):
    """Prints warnings of libraries that have no handler of their own."""

    def emit(self, record: logging.LogRecord) -> None:
        """Called by logging."""
        complain(*self.format(record).split("\n"))


def page(without_terminal: int) -> int:
    """The width of the terminal of standard output, or the given width if it is none."""
    return columns() if sys.stdout.isatty() else without_terminal


def columns() -> int:
    """The width in columns: COLUMNS, or that of the terminal, or 80."""
    return shutil.get_terminal_size((_UNSEEN, 24)).columns


def _harmless(lines: tuple[object, ...]) -> str:
    return "\n".join(printable(str(line)) for line in lines)


def _print_traceback(
    kind: type[BaseException], problem: BaseException | None, trace: TracebackType | None
) -> None:
    """Prints an uncaught exception as Python does, but safely, as its message may be untrusted."""
    for text in traceback.format_exception(kind, problem, trace):
        complain(*text.rstrip("\n").split("\n"))
