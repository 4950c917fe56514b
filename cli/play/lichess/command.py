"""`boomslang lichess`: the engine on the analysis board of lichess.org."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boomslang.cli.play.lichess import credentials
from boomslang.cli.play.lichess.credentials import CredentialError, Secret
from boomslang.cli.play.lichess.provider_settings import (
    MAX_LINES,
    MAX_SEARCH,
    ProviderSettings,
    engine_name,
    server_address,
)
from boomslang.cli.terminal.arguments import (
    BAD_USAGE,
    Parser,
    UsageError,
    add_option,
    run_command,
    whole_number,
)
from boomslang.cli.terminal.engine_arguments import add_engine, probed_engine
from boomslang.cli.terminal.output import complain, say
from boomslang.core.system import shutdown
from boomslang.core.system.threads import usable_processors
from boomslang.engine import options
from boomslang.engine.errors import refuse_errors

if TYPE_CHECKING:
    from boomslang.engine.other_engines.engine_connection import EngineCommand

_HASH: Final = 512  # megabytes
_MAX_DEPTH: Final = 246  # as Lichess counts
_USUAL: Final = ProviderSettings()
_DESCRIPTION: Final = f"""\
Offer the engine to the analysis board of lichess.org: choose it there, and it analyses on this computer.
It needs an API token with the scopes engine:read and engine:write, in the environment variable
{credentials.VARIABLE} or in a file that only you can read. Ctrl-C ends it.
"""
_EXAMPLES: Final = f"""\
examples:
  boomslang lichess
  boomslang lichess --name "Boomslang at home" --threads 4 --hash 1024
  boomslang lichess --name Stockfish --engine stockfish
  boomslang lichess --token-file ~/.lichess-token --max-time 600 --idle 60

Create the token at {_USUAL.token_page}
"""
_ON_COMMAND_LINE: Final = (
    "a token does not belong on the command line, where other users can read it; revoke it at "
    f"{_USUAL.server}/account/oauth/token and put a new one into {credentials.VARIABLE} or a private file"
)


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang lichess", _DESCRIPTION, _EXAMPLES)
    add = parser.add_argument
    add_option(parser, "--name NAME", engine_name, "name of the engine on Lichess", _USUAL.name)
    add_option(
        parser,
        "--token-file FILE",
        Path,
        f"file with the token, mode 600 ({credentials.VARIABLE}, else {credentials.TOKEN_FILE} in the "
        "folder of settings)",
    )
    threads, table = options.find("Threads").highest, options.find("Hash").highest
    add(
        "--threads",
        type=whole_number(1, threads),
        metavar="N",
        help="maximum number of search threads (all processors)",
    )
    add(
        "--hash",
        type=whole_number(1, table),
        default=_HASH,
        metavar="MB",
        help=f"maximum transposition table in megabytes ({_HASH})",
    )
    add(
        "--max-time",
        type=whole_number(1, MAX_SEARCH),
        default=_USUAL.seconds,
        metavar="S",
        help=f"maximum seconds per search ({_USUAL.seconds})",
    )
    add(
        "--max-depth",
        type=whole_number(1, _MAX_DEPTH),
        metavar="N",
        help="maximum depth of a search in plies (no limit)",
    )
    add_option(
        parser, "--multipv N", whole_number(1, MAX_LINES), "maximum number of lines", _USUAL.lines
    )
    add(
        "--idle",
        type=whole_number(0, MAX_SEARCH),
        default=_USUAL.idle,
        metavar="S",
        help=f"seconds without work after which the engine process ends, to free its memory ({_USUAL.idle})",
    )
    add_engine(parser, "to offer instead of this one")
    add(
        "--server",
        type=server_address,
        default=_USUAL.server,
        metavar="URL",
        help=f"server of the registration, which gets the token ({_USUAL.server})",
    )
    add_option(
        parser, "--work-server URL", server_address, "server of the work", _USUAL.work_server
    )
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `lichess`; return the exit status."""
    if any(map(credentials.looks_like_token, argv)):
        complain(f"boomslang lichess: {_ON_COMMAND_LINE}")  # and no message repeats the word
        return BAD_USAGE
    return run_command(new_parser(), argv, _provide)


def _provide(arguments: argparse.Namespace) -> int:
    from boomslang.engine.other_engines.engine_process import own_engine

    settings = ProviderSettings(
        name=arguments.name,
        threads=arguments.threads or usable_processors(),
        hash_mb=arguments.hash,
        seconds=arguments.max_time,
        depth=arguments.max_depth,
        lines=arguments.multipv,
        idle=arguments.idle,
        server=arguments.server,
        work_server=arguments.work_server,
    )
    engine = probed_engine(arguments)
    with refuse_errors(CredentialError):
        token = credentials.read_token(arguments.token_file, os.environ, settings.token_page)
        provider = credentials.provider_secret(settings.server, settings.name)
    command = engine.command if engine else own_engine()
    return asyncio.run(_run(settings, token, provider, command))


async def _run(
    settings: ProviderSettings, token: Secret, provider: Secret, command: EngineCommand
) -> int:
    from boomslang.cli.play.lichess.api import LichessApi, LichessRefusedError
    from boomslang.cli.play.lichess.provider import LichessProvider
    from boomslang.cli.play.lichess.work_engine import WorkEngine

    def report(event: str) -> None:
        say(f"{datetime.now():%H:%M:%S} {event}")

    loop = asyncio.get_running_loop()
    leaving = asyncio.Event()
    engine = WorkEngine(command, report)
    with shutdown.replace_interrupts(lambda: loop.call_soon_threadsafe(leaving.set)):
        try:
            async with LichessApi(settings, token, provider) as api:
                serving = asyncio.create_task(LichessProvider(settings, api, engine, report).run())
                told = asyncio.create_task(leaving.wait())
                await asyncio.wait({serving, told}, return_when=asyncio.FIRST_COMPLETED)
                for task in (serving, told):
                    task.cancel()
                await asyncio.wait({serving, told})
                if not serving.cancelled():
                    serving.result()
        except LichessRefusedError as refusal:
            raise UsageError(str(refusal)) from None
        finally:
            await engine.close()
    report("ended")
    return 0
