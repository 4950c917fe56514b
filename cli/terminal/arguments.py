"""What the command words share: how their arguments are read, and refused."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, NoReturn

import chess

from boomslang.cli.terminal.help_text import HelpFormatter
from boomslang.cli.terminal.output import complain, say
from boomslang.engine.core.system import ending
from boomslang.engine.core.system.files import FileError, check_writable, shown
from boomslang.engine.jobs.errors import JobsError
from boomslang.engine.jobs.programs import why_not_startable

BAD_USAGE: Final = 2
INTERRUPTED: Final = ending.INTERRUPTED


class UsageError(Exception):
    """Bad input; the message is the line to print."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage text; help is as wide as the terminal."""

    def __init__(self, prog: str, description: str = "", epilog: str = "", **others: Any) -> None:
        others["allow_abbrev"] = False
        others["formatter_class"] = HelpFormatter
        if sys.version_info >= (3, 14):
            others["color"] = False
        super().__init__(prog=prog, description=description, epilog=epilog, **others)

    def read(self, argv: Sequence[str]) -> argparse.Namespace:
        """What the arguments say; raises UsageError. An unknown option is told before all else."""
        known = self._options()
        for word in takewhile("--".__ne__, argv):
            if word.startswith("--") and word.partition("=")[0] not in known:
                raise UsageError(self._unknown(word.partition("=")[0], known))
        arguments, surplus = self.parse_known_args(list(argv))
        if surplus:
            raise UsageError(self._unknown(surplus[0], known))
        return arguments

    def error(self, message: str) -> NoReturn:
        """Called by argparse; raises UsageError."""
        raise UsageError(f"{message}; {self.prog} --help tells more")

    def _print_message(self, message: str, file: object = None) -> None:
        """Called by argparse to print the help."""
        say(*message.rstrip("\n").split("\n"))

    def _options(self) -> set[str]:
        """Its options, and those of its words."""
        found = set(self._option_string_actions)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for parser in action.choices.values():
                    found |= parser._options()
        return found

    def _unknown(self, word: str, known: set[str]) -> str:
        near = get_close_matches(word, sorted(known), 1) if word.startswith("-") else []
        kind = "unknown option" if word.startswith("-") else "unexpected argument"
        meant = f"; is {near[0]} meant?" if near else f"; {self.prog} --help tells more"
        return f"{kind} {shown(word)}{meant}"


def run_command(
    parser: Parser,
    argv: Sequence[str],
    work: Callable[[argparse.Namespace], int],
    interrupted: str = "interrupted",
) -> int:
    """Read the arguments and do the work; returns the exit status.

    Bad input and Ctrl-C end with one line, in the second case with the word `interrupted`; so does
    whatever else asks us to end (`engine.core.system.ending`).
    """
    ending.say_at_end(f"{parser.prog}: {interrupted}")
    try:
        return work(parser.read(argv))
    except (UsageError, FileError, JobsError) as problem:
        complain(f"{parser.prog}: {problem}")
        return BAD_USAGE
    except KeyboardInterrupt:
        ending.say_at_end("")
        complain(f"{parser.prog}: {interrupted}")
        return INTERRUPTED


@contextmanager
def refusing(*kinds: type[Exception], about: str = "") -> Iterator[None]:
    """Exceptions of these kinds are bad input here: they become UsageErrors with `about` in front."""
    try:
        yield
    except (UsageError, FileError):
        raise
    except kinds as problem:
        raise UsageError(f"{about}{in_words(problem)}") from None


def in_words(problem: BaseException) -> str:
    """What an exception says, in a line for people: no numbers of the system, and never nothing."""
    if isinstance(problem, OSError) and problem.strerror:
        about = f"{shown(os.fsdecode(problem.filename))}: " if problem.filename else ""
        return f"{about}{problem.strerror.lower()}"
    return str(problem) or type(problem).__name__


def add_jobs(parser: argparse._ActionsContainer, all_processors: bool = False) -> None:
    """Where the work is done, for `engine.jobs.run`: `--jobs` and `--cluster`.

    `--jobs` is 1 if nothing is said, or with `all_processors` None: one a processor.
    """
    parser.add_argument(
        "--jobs",
        type=whole_number(1, 1024),
        default=None if all_processors else 1,
        metavar="N",
        help=f"processes that work at the same time ({'one a processor' if all_processors else 1})",
    )
    parser.add_argument(
        "--cluster",
        type=cluster_address,
        metavar="ADDRESS",
        help="work on the computers of this Dask scheduler instead",
    )


def cluster_address(text: str) -> str:
    """An argument type: where a Dask scheduler is, such as tcp://192.168.1.10:8786."""
    if not re.fullmatch(r"(\w+://)?([\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not an address like tcp://HOST:8786")
    return text


def whole_number(lowest: int, highest: int) -> Callable[[str], int]:
    """An argument type: a whole number from `lowest` to `highest`."""

    def parse(text: str) -> int:
        try:
            value = int(text.replace("_", ""))
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number") from None
        if not lowest <= value <= highest:
            raise argparse.ArgumentTypeError(f"{value} is not between {lowest} and {highest}")
        return value

    return parse


@contextmanager
def drawing(option: str, path: Path) -> Iterator[None]:
    """What goes wrong with the picture of an option is a UsageError, a missing matplotlib too."""
    try:
        yield
    except (OSError, ValueError) as problem:
        raise UsageError(f"cannot draw {shown(path)}: {in_words(problem)}") from None
    except ImportError:
        raise UsageError(
            f"{option} needs matplotlib; install it: "
            f"{shlex.join([sys.executable, '-m', 'pip', 'install', 'matplotlib'])}"
        ) from None


def check_drawing(option: str, path: Path) -> None:
    """Find out before the work begins whether a picture can be drawn; raises UsageError, FileError."""
    check_writable(path)
    with drawing(option, path):
        from matplotlib.backend_bases import FigureCanvasBase

        known = FigureCanvasBase.get_supported_filetypes()
        kind = path.suffix.removeprefix(".").lower()
        if kind and kind not in known:
            raise ValueError(f"a picture is no .{kind}, but one of {', '.join(sorted(known))}")


def number(text: str) -> float:
    """An argument type: any number."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None


def share(text: str) -> float:
    """An argument type: a part of something, 0 to 1."""
    value = number(text)
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def command_words(text: str, option: str) -> list[str]:
    """The command of an engine that an option was given, split as a shell would. Raises UsageError."""
    with refusing(ValueError, about=f"{option}: "):
        words = shlex.split(text)
    if not words:
        raise UsageError(f"{option} needs the command of an engine")
    if reason := why_not_startable(words[0]):
        raise UsageError(f"{option}: cannot start {shown(words[0])}: {reason}")
    return words


def refuse_overwriting(out: Path, sources: Iterable[Path]) -> None:
    """Raises UsageError if the file to write is one of those to read."""
    if any(out.exists() and source.exists() and out.samefile(source) for source in sources):
        raise UsageError(f"{out} would be written over itself")


def warner(word: str) -> Callable[[object], None]:
    """What says a line about a problem that does not end the command `word`."""
    return lambda problem: complain(f"boomslang {word}: warning: {problem}")


def board_of(fen: str, chess960: bool = False) -> chess.Board:
    """The position that a FEN names; one of Chess960 is recognised. Raises UsageError."""
    from boomslang.engine.notation import positions

    try:
        return positions.board_of(fen, chess960)
    except positions.InvalidPositionError as problem:
        raise UsageError(f"{problem}") from None
    except ValueError as problem:
        raise UsageError(f"bad FEN: {problem}") from None


def without_folders(argv: Sequence[str]) -> str:
    """The arguments for the header of a network: nobody else has these folders, so without them."""
    parted = (word.rpartition("=") for word in argv)
    return shlex.join(option + equals + Path(value).name for option, equals, value in parted)
