"""The arguments that name other engines: a command, and its options."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from boomslang.cli.terminal.arguments import UsageError, command_words
from boomslang.core.system.sanitize import printable
from boomslang.engine.errors import refuse_errors

if TYPE_CHECKING:
    from boomslang.engine.other_engines.engine_connection import EngineCommand
    from boomslang.engine.other_engines.engine_runner import KnownEngine


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


def add_python(parser: argparse._ActionsContainer) -> None:
    """`--python`; read it with `agent_python`."""
    parser.add_argument(
        "--python", metavar="CMD", help="Python interpreter of the agents (that of this command)"
    )


def agent_python(arguments: argparse.Namespace) -> list[str]:
    """The command of the agents' interpreter, empty if none is given; raises UsageError."""
    return [] if arguments.python is None else command_words(arguments.python, "--python")


def add_engine(parser: argparse._ActionsContainer, purpose: str, *, agents: bool = False) -> None:
    """`--engine` and `--option`, with `agents` also `--python`; read them with `named_engine`."""
    what = "UCI or CECP engine" + (", or folder of an agent," if agents else "")
    parser.add_argument("--engine", metavar="CMD", help=f"command of a {what} {purpose}")
    add_engine_options(parser)
    if agents:
        add_python(parser)


def add_two_engines(parser: argparse._ActionsContainer, purpose: str) -> None:
    """`--engine` and `--option` for up to two engines; read them with `probed_engines`."""
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="CMD",
        help=f"command of a UCI or CECP engine {purpose}; a second one is compared with it",
    )
    add_engine_options(parser, whose="that engine, of the second one as 2:NAME=VALUE")


def named_engine(arguments: argparse.Namespace) -> EngineCommand | None:
    """The engine that is named, if one is; raises UsageError if its command is invalid."""
    from boomslang.engine.other_engines.agents import agent_command
    from boomslang.engine.other_engines.engine_connection import EngineCommand

    if arguments.engine is None:
        for name in ("option", "python"):
            if getattr(arguments, name, None):
                raise UsageError(f"--{name} needs --engine")
        return None
    if "python" in arguments:
        python = agent_python(arguments)
        with refuse_errors(ValueError, about="--engine: "):
            agent = agent_command(arguments.engine, python)
        if agent:
            return EngineCommand(agent, dict(arguments.option), is_agent=True)
        if python:
            raise UsageError("--python needs an agent, which is a folder with the file agent.py")
    return _command(arguments.engine, arguments.option)


def probed_engine(arguments: argparse.Namespace) -> KnownEngine | None:
    """The engine that is named, if one is; it is started once, to see that it works.

    Raises UsageError.
    """
    engine = named_engine(arguments)
    return _probe(engine) if engine else None


def probed_engines(arguments: argparse.Namespace) -> list[KnownEngine]:
    """The engines that are named, at most two, with different names; each is started once.

    Raises UsageError.
    """
    commands, options = arguments.engine, arguments.option
    if len(commands) > 2:
        raise UsageError("--engine may be given twice at most")
    if len(options) > 0 and not commands:
        raise UsageError("--option needs --engine")
    given: list[list[tuple[str, str]]] = [[] for _ in commands]
    for name, value in options:
        number, colon, own = name.partition(":")
        place = int(number) - 1 if colon and number in ("1", "2") else 0
        if place >= len(commands):
            raise UsageError(f"--option: there is no engine {number}")
        given[place].append((own if colon and number in ("1", "2") else name, value))
    engines = [_probe(_command(text, own)) for text, own in zip(commands, given, strict=True)]
    if len(engines) > len({engine.name for engine in engines}):
        engines = [
            engine._replace(name=f"{engine.name}, {which}")
            for engine, which in zip(engines, ("first", "second"), strict=True)
        ]
    return engines


def _command(text: str, options: Iterable[tuple[str, str]]) -> EngineCommand:
    from boomslang.engine.other_engines.engine_connection import EngineCommand

    return EngineCommand(tuple(command_words(text, "--engine")), dict(options))


def _probe(command: EngineCommand) -> KnownEngine:
    from boomslang.engine.other_engines.engine_connection import EngineProcessError
    from boomslang.engine.other_engines.engine_runner import probe_engine

    with refuse_errors(EngineProcessError):
        engine = probe_engine(command)
    return engine._replace(name=printable(engine.name).replace('"', "'"))


@contextmanager
def refuse_failed_engine(name: str | None, *, is_kept: object) -> Iterator[None]:
    """Turns a failure of that engine within the block into a UsageError, which says if results are kept."""
    from boomslang.engine.other_engines.engine_connection import EngineProcessError

    try:
        yield
    except EngineProcessError as problem:
        kept = "; what is done is kept, and the same command continues" if is_kept else ""
        raise UsageError(f"{name}: {problem}{kept}") from None


def add_sprt(parser: argparse._ActionsContainer) -> None:
    """`--sprt`: the Elo differences of both hypotheses; check them with `match_score.check_sprt`."""
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("ELO0", "ELO1"),
        help="end by SPRT between these two Elo differences (no SPRT)",
    )
