"""Command-line parsing that all commands share: the parser, argument types, errors."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, NoReturn

import chess

from boomslang.cli.terminal.output import columns, complain, say
from boomslang.cli.terminal.settings_arguments import argument, format_default
from boomslang.core.system import shutdown
from boomslang.core.system.files import FileError, check_writable, exists, quote_path
from boomslang.core.system.sanitize import shorten, suggest
from boomslang.engine.errors import CommandError, JobsError
from boomslang.engine.settings import Kind

BAD_USAGE: Final = 2
_MAX_MESSAGE: Final = 1000  # characters of an error
INTERRUPTED: Final = shutdown.INTERRUPTED


_BOARD: Final = re.compile(r"[1-8pnbrqkPNBRQK]{1,8}(?:/[1-8pnbrqkPNBRQK]{1,8}){7}(?![^\s])")
# Endings that say what is in a file.
_KINDS: Final = frozenset(
    {
        *("pgn", "epd", "json", "jsonl", "html", "htm", "csv", "svg", "png", "pdf", "txt", "md"),
        *("xml", "zip", "gz", "bz2", "xz", "zst"),
    }
)


class UsageError(Exception):
    """Arguments that cannot be used; the message is the line to print."""


class HelpFormatter(argparse.HelpFormatter):
    """Fills paragraphs; examples and lists, which are indented, stand as they are."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, max_help_position=34, width=min(columns(), 100), **options)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        # Every other part consists of lines that are indented or empty or a heading.
        parts = re.split(r"^((?:(?: .*|\w+:)?\n)+)", f"{text.strip()}\n", flags=re.MULTILINE)
        parts[::2] = (
            "".join(f"{line}\n" for line in self._split_lines(part, width)) for part in parts[::2]
        )
        return "".join(parts)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


def add_option(
    parser: argparse._ActionsContainer,
    usage: str,
    kind: Kind | Callable[[str], Any],
    text: str,
    default: Any = None,
    **details: Any,
) -> None:
    """An option with a value, `--games N` or `-o --out FILE`, or an argument by position, `games PGN`.

    The default ends the help, unless it is empty; `details` are for argparse.
    """
    *names, metavar = usage.split()
    details["type"] = argument(kind) if isinstance(kind, Kind) else kind
    help_text = text if default in (None, []) else f"{text} ({format_default(default)})"
    parser.add_argument(*names, metavar=metavar, default=default, help=help_text, **details)


class Parser(argparse.ArgumentParser):
    """Reports errors in one line, without the usage text; help is as wide as the terminal."""

    option = add_option

    def __init__(self, prog: str, description: str = "", epilog: str = "", **others: Any) -> None:
        others["allow_abbrev"] = False
        others["formatter_class"] = HelpFormatter
        if sys.version_info >= (3, 14):
            others["color"] = False
        super().__init__(prog=prog, description=description, epilog=epilog, **others)

    def read(self, argv: Sequence[str]) -> argparse.Namespace:
        """Parses the arguments; raises UsageError. Unknown options are reported before other errors."""
        argv = list(argv)
        known_options = self._options()
        if "--fen" in known_options:
            _check_quotes(argv)
        for word in takewhile("--".__ne__, argv):
            if word.startswith("--") and word.partition("=")[0] not in known_options:
                raise UsageError(self._describe_unknown(word.partition("=")[0], known_options))
        arguments, surplus = self.parse_known_args(argv)
        if surplus:
            raise UsageError(self._describe_unknown(surplus[0], known_options))
        return arguments

    def flag(self, name: str, text: str) -> None:
        """An option without a value, False unless it is given."""
        self.add_argument(name, action="store_true", help=text)

    def error(self, message: str) -> NoReturn:
        """Called by argparse; raises UsageError."""
        message = shorten(message, _MAX_MESSAGE)  # which may quote a whole file
        raise UsageError(message if message.endswith("?") else f"{message}; see {self.prog} --help")

    def _get_value(self, action: argparse.Action, text: str) -> Any:
        """Called by argparse for each value; an empty path would be the current folder."""
        if action.type is Path and not text:
            raise argparse.ArgumentError(action, "a path is wanted, not an empty text")
        return super()._get_value(action, text)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Called by argparse for choices, of subcommands too."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as problem:
            choices = map(str, action.choices or ())
            raise argparse.ArgumentError(
                action, f"{problem.message}{suggest(str(value), choices)}"
            ) from None

    def _print_message(self, message: str, file: object = None) -> None:
        """Called by argparse to print the help."""
        say(*message.rstrip("\n").split("\n"))

    def _options(self) -> set[str]:
        options = set(self._option_string_actions)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for parser in action.choices.values():
                    options |= parser._options()
        return options

    def _describe_unknown(self, word: str, known: set[str]) -> str:
        name = word.partition("=")[0]
        if name in known:  # with another word, as "add" of exercises
            return f"{quote_path(name)} does not belong here; see {self.prog} --help"
        meant = suggest(word, sorted(known)) if word.startswith("-") else ""
        kind = "unknown option" if word.startswith("-") else "unexpected argument"
        return f"{kind} {quote_path(word)}{meant or f'; see {self.prog} --help'}"


def _check_quotes(argv: Sequence[str]) -> None:
    """Raises UsageError for a FEN that does not stand in quotes behind --fen."""
    before = ""
    for place, word in enumerate(argv):
        if word == "--":
            return
        text = word.removeprefix("--fen=")
        match = _BOARD.match(text)
        rest = argv[place + 1 : place + 6]
        is_split = match and match[0] == text and rest[:1] in (["w"], ["b"])
        if match and (is_split or (before != "--fen" and text == word)):
            fields = takewhile(lambda field: not field.startswith("--"), rest if is_split else [])
            fen = " ".join([text, *fields])
            raise UsageError(f'a position goes behind --fen, in quotes: --fen "{fen}"')
        before = word


def run_command(
    parser: Parser,
    argv: Sequence[str],
    work: Callable[[argparse.Namespace], int],
    interrupted: str = "interrupted",
) -> int:
    """Parse the arguments and call `work`; returns the exit status.

    Invalid input ends with one line on standard error. So do Ctrl-C and the other requests to end
    (`core.system.shutdown`); their line is `interrupted`.
    """
    shutdown.say_at_end(f"{parser.prog}: {interrupted}")
    try:
        return work(parser.read(argv))
    except (UsageError, FileError, JobsError, CommandError) as problem:
        complain(f"{parser.prog}: {getattr(problem, 'told', problem)}")
        return BAD_USAGE
    except KeyboardInterrupt:
        shutdown.say_at_end("")
        complain_interrupted(f"{parser.prog}: {interrupted}")
        return INTERRUPTED


def with_arguments(
    new_parser: Callable[[], Parser], interrupted: str = "interrupted"
) -> Callable[[Callable[[argparse.Namespace], int]], Callable[[Sequence[str]], int]]:
    """Makes `main` of a command, which gets its words, of a function of the parsed arguments."""
    return lambda work: lambda argv: run_command(new_parser(), argv, work, interrupted)


def complain_interrupted(line: str) -> None:
    """Say that the command was interrupted; not where `| head` has read enough of it."""
    if not shutdown.is_unread():
        complain(line)


def add_repertoire(parser: argparse._ActionsContainer) -> None:
    """`--repertoire`, which may be repeated, for `engine.analysis.openings.repertoire`."""
    add_option(
        parser,
        "--repertoire FILE",
        Path,
        "PGN with the variations of your repertoire; may be repeated (none)",
        default=[],
        action="append",
    )


def refuse_overwriting(out: Path, sources: Iterable[Path]) -> None:
    """Raises UsageError if the file to write is one of those to read."""
    if exists(out) and any(exists(source) and out.samefile(source) for source in sources):
        raise UsageError(f"{out} is one of the files to read; choose another file to write")


def file_stem(text: str) -> Path:
    """An argument type: the common name of files to write; raises UsageError for that of a folder."""
    if text.replace(os.sep, "/").rpartition("/")[2] in ("", ".", ".."):
        raise UsageError(f"{quote_path(text or '.')} names a folder: add the name of the files")
    return Path(text)


def some_of(names: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    """An argument type: some of the names with commas or blanks between them, in the order of `names`."""

    def read(text: str) -> tuple[str, ...]:
        chosen = text.replace(",", " ").split()
        for name in chosen or [""]:
            if name not in names:
                raise argparse.ArgumentTypeError(f"'{name}' is not one of {', '.join(names)}")
        return tuple(name for name in names if name in chosen)

    return read


def check_outputs(*outs: Path | None, sources: Iterable[Path | str | None] = ()) -> None:
    """Check before the work begins that the files can be written, and are none of those to read.

    None is for a file that nobody asked for. Raises UsageError or FileError.
    """
    outputs = [out for out in outs if out is not None]
    inputs = [Path(source) for source in sources if source is not None]
    for number, out in enumerate(outputs):
        refuse_overwriting(out, inputs)
        if any(out.absolute() == other.absolute() for other in outputs[:number]):
            raise UsageError(
                f"{quote_path(out)} is named twice as a file to write; choose two names"
            )
        check_writable(out)


def kind_of(path: Path) -> str:
    """What the ending of a file says is in it, such as pgn; empty if it says nothing."""
    kind = path.suffix.lower().removeprefix(".")
    return {"htm": "html"}.get(kind, kind) if kind in _KINDS else ""


def check_kind(option: str, path: Path | None, *kinds: str) -> None:
    """Raises UsageError if the ending of a file to write promises something else than one of `kinds`."""
    if path is not None and (kind := kind_of(path)) and kind not in kinds:
        written = " or ".join(map(str.upper, kinds))
        raise UsageError(f"{option} writes {written}, not .{kind}: rename {quote_path(path)}")


def warner(word: str) -> Callable[[object], None]:
    """A function that prints a warning of the command `word`."""
    return lambda problem: complain(f"boomslang {word}: warning: {problem}")


def board_of(fen: str, chess960: bool = False) -> chess.Board:
    """The position of a FEN; Chess960 is recognised by its castling rights. Raises UsageError."""
    from boomslang.engine.notation import positions

    try:
        return positions.board_of(fen, chess960)
    except positions.InvalidPositionError as problem:
        raise UsageError(f"{problem}") from None
    except ValueError as problem:
        raise UsageError(f"bad FEN: {problem}") from None


def remove_folders(argv: Sequence[str]) -> str:
    """The arguments as the header of a network keeps them: file names without their folders."""
    parted = (word.rpartition("=") for word in argv)
    return shlex.join(option + equals + Path(value).name for option, equals, value in parted)


def pip_install(package: str) -> str:
    """The command that installs a package where this Python finds it."""
    return shell_quote([sys.executable, "-m", "pip", "install", package])


def shell_quote(words: Sequence[str]) -> str:
    """A command quoted for a shell of this system."""
    if sys.platform == "win32":
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    return shlex.join(words)
