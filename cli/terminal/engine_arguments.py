"""The arguments that name other engines: a command, and its options."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from boomslang.cli.terminal.arguments import UsageError, command_words, refuse_errors
from boomslang.engine.system.sanitize import printable

if TYPE_CHECKING:
    from boomslang.engine.jobs.engine_connection import EngineCommand


def option_value(text: str) -> tuple[str, str]:
    """Name and value of an engine's option; raises ArgumentTypeError."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name.strip(), value.strip()


def add_engine_options(
    parser: argparse._ActionsContainer, flag: str = "--option", whose: str = "that engine"
) -> None:
    """An option of an engine, which may be repeated."""
    parser.add_argument(
        flag,
        type=option_value,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"option of {whose}; may be repeated",
    )


def add_engine(parser: argparse._ActionsContainer, purpose: str) -> None:
    """`--engine` and `--option`; read them with `named_engine`."""
    parser.add_argument(
        "--engine", metavar="CMD", help=f"command of a UCI or CECP engine {purpose}"
    )
    add_engine_options(parser)


def named_engine(arguments: argparse.Namespace) -> EngineCommand | None:
    """The engine that is named, if one is; raises UsageError if its command is invalid."""
    from boomslang.engine.jobs.engine_connection import EngineCommand

    if arguments.engine is None:
        if arguments.option:
            raise UsageError("--option needs --engine")
        return None
    return EngineCommand(tuple(command_words(arguments.engine, "--engine")), dict(arguments.option))


def engine_and_name(arguments: argparse.Namespace) -> tuple[EngineCommand | None, str | None]:
    """The engine that is named and what it calls itself, if one is; it is started once to see that it works.

    Raises UsageError.
    """
    engine = named_engine(arguments)
    if engine is None:
        return None, None
    from boomslang.engine.jobs.engine_connection import EngineProcessError
    from boomslang.engine.jobs.engine_process import EngineProcess, engine_name

    with refuse_errors(EngineProcessError):
        return engine, printable(engine_name(EngineProcess(engine))).replace('"', "'")


@contextmanager
def refuse_failed_engine(name: str | None, *, is_kept: object) -> Iterator[None]:
    """Turns a failure of that engine within the block into a UsageError, which says if results are kept."""
    from boomslang.engine.jobs.engine_connection import EngineProcessError

    try:
        yield
    except EngineProcessError as problem:
        kept = "; what is done is kept, and the same command continues" if is_kept else ""
        raise UsageError(f"{name}: {problem}{kept}") from None
