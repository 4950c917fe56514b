"""The one door to the terminal: whatever a command says to people leaves by it.

Words of strangers - tags of games, ids of positions, names of files and of engines, options, paths - may
hold what a terminal obeys: control characters, escape sequences, marks that turn the direction of writing,
separators that forge a line. So whatever is said here is one line, of printable characters; what else is in
it becomes a question mark, and what the output's encoding does not have is written as its number. Colours
and tables come from `cli.terminal.console`, by the same rule.

Files that a command writes are data, and exact. So is data on standard output, as long as a program or a
file takes it; a terminal gets it made harmless (`data`).
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

from boomslang.engine.core.system.files import printable

_UNSEEN: Final = 80  # columns where nobody's terminal says how many


def set_up_streams() -> None:
    """Prepare the standard streams of this process; once, before anything is said."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _tell_of_bug
    if threading.excepthook is threading.__excepthook__:
        threading.excepthook = lambda bug: _tell_of_bug(*bug[:3])
    logging.lastResort = _Log(logging.WARNING)


def say(*lines: object) -> None:
    """Lines for people on standard output, an empty one without arguments; seen at once."""
    print(_harmless(lines), flush=True)


def complain(*lines: object) -> None:
    """Lines for people on standard error."""
    print(_harmless(lines), file=sys.stderr, flush=True)


def ask(prompt: str) -> str:
    """A line that a person types; one that comes from a file or a pipe is shown. Raises EOFError."""
    line = input(printable(prompt))
    if not sys.stdin.isatty():
        say(line)
    return line


class DataOutput:
    """Lines for programs on standard output: the bytes that a file would have, in UTF-8.

    Where a terminal shows them they are for people, and made harmless.
    """

    def __init__(self) -> None:
        self._is_seen = sys.stdout.isatty()
        if not self._is_seen and isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")

    def write(self, text: str) -> None:
        """Write whole lines."""
        sys.stdout.write(harmless_lines(text) if self._is_seen else text)


class _Log(logging.Handler):
    """What libraries warn of, where nobody has said what to do about it."""

    def emit(self, record: logging.LogRecord) -> None:
        """Called by logging."""
        complain(*self.format(record).split("\n"))


def harmless_lines(text: str) -> str:
    """Several lines of which it is known that nobody has forged one: the rest of it made harmless."""
    return "\n".join(map(printable, text.split("\n")))


def page(without_terminal: int) -> int:
    """Columns of the terminal that shows standard output, or those to use where there is none."""
    return columns() if sys.stdout.isatty() else without_terminal


def columns() -> int:
    """Columns that people see: COLUMNS, or those of the terminal, or the usual ones."""
    return shutil.get_terminal_size((_UNSEEN, 24)).columns


def _harmless(lines: tuple[object, ...]) -> str:
    return "\n".join(printable(str(line)) for line in lines)


def _tell_of_bug(
    kind: type[BaseException], problem: BaseException | None, trace: TracebackType | None
) -> None:
    """What Python does at an exception that nobody has caught; its message may be a stranger's."""
    for text in traceback.format_exception(kind, problem, trace):
        complain(*text.rstrip("\n").split("\n"))
