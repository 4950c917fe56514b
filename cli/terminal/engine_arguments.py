"""The arguments that name other engines: a command, and its options."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from boomslang.cli.terminal.arguments import UsageError, command_words

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
