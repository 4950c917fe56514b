"""The arguments that name other engines: a command, and its options."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from boomslang.cli.terminal.arguments import UsageError, add_option
from boomslang.cli.terminal.settings_arguments import add_settings, argument, read_settings
from boomslang.engine.errors import refuse_errors
from boomslang.engine.other_engines.engine_settings import COMMAND, OPTIONS, EngineSettings

if TYPE_CHECKING:
    from boomslang.engine.other_engines.engine_runner import KnownEngine


def add_engine(parser: argparse._ActionsContainer, purpose: str) -> None:
    """`--engine` and `--option`; read them with `probed_engine`."""
    add_settings(parser, EngineSettings, engine=f"command of a UCI or CECP engine {purpose}")


def probed_engine(arguments: argparse.Namespace) -> KnownEngine | None:
    """The engine that is named, if one is; see `probe`."""
    return probe(read_settings(EngineSettings, arguments))


def probe(settings: EngineSettings) -> KnownEngine | None:
    """The engine that is named, if one is, after a start; raises SettingsError or UsageError."""
    from boomslang.engine.other_engines.engine_connection import EngineProcessError

    with refuse_errors(EngineProcessError):
        return settings.probe()


def add_two_engines(parser: argparse._ActionsContainer, purpose: str) -> None:
    """`--engine` and `--option` for up to two engines; read them with `probed_engines`."""
    add_option(
        parser,
        "--engine CMD",
        COMMAND,
        f"command of a UCI or CECP engine {purpose}; a second one is compared with it",
        default=[],
        action="append",
    )
    add_options(parser, "--option", "that engine, of the second one as 2:NAME=VALUE")


def add_options(parser: argparse._ActionsContainer, flag: str, whose: str) -> None:
    """An option of an engine, which may be repeated."""
    parser.add_argument(
        flag,
        type=argument(OPTIONS),
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"option of {whose}; may be repeated",
    )


def probed_engines(arguments: argparse.Namespace) -> list[KnownEngine]:
    """The engines that are named, at most two, with different names; each is started once.

    Raises UsageError.
    """
    commands, options = arguments.engine, arguments.option
    if len(commands) > 2:
        raise UsageError("--engine may be given twice at most")
    if len(options) > 0 and not commands:
        raise UsageError("--option needs --engine")
    given_options: list[list[tuple[str, str]]] = [[] for _ in commands]
    for name, value in options:
        number, colon, own = name.partition(":")
        place = int(number) - 1 if colon and number in ("1", "2") else 0
        if place >= len(commands):
            raise UsageError(f"--option: there is no engine {number}")
        given_options[place].append((own if colon and number in ("1", "2") else name, value))
    engines = [
        engine
        for text, own in zip(commands, given_options, strict=True)
        if (engine := probe(EngineSettings(engine=text, options=dict(own))))
    ]
    if len(engines) > len({engine.name for engine in engines}):
        engines = [
            engine._replace(name=f"{engine.name}, {which}")
            for engine, which in zip(engines, ("first", "second"), strict=True)
        ]
    return engines


@contextmanager
def refuse_failed_engine(name: str | None, *, is_kept: object) -> Iterator[None]:
    """Turns a failure of that engine within the block into a UsageError, which says if results are kept."""
    from boomslang.engine.other_engines.engine_connection import EngineProcessError

    try:
        yield
    except EngineProcessError as problem:
        remark = "; what is done is kept, and the same command continues" if is_kept else ""
        raise UsageError(f"{name}: {problem}{remark}") from None


def add_sprt(parser: argparse._ActionsContainer) -> None:
    """`--sprt`: the Elo differences of both hypotheses; check them with `match_score.check_sprt`."""
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("ELO0", "ELO1"),
        help="end by SPRT between these two Elo differences (no SPRT)",
    )
