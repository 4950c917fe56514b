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
from boomslang.cli.play.lichess.provider_settings import CREATE_PAGE, SERVER, ProviderSettings
from boomslang.cli.terminal.arguments import BAD_USAGE, Parser, UsageError, run_command
from boomslang.cli.terminal.engine_arguments import add_engine, probed_engine
from boomslang.cli.terminal.output import complain, say
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system import shutdown
from boomslang.engine.errors import refuse_errors

if TYPE_CHECKING:
    from boomslang.engine.other_engines.engine_connection import EngineCommand

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

Create the token at {SERVER}{CREATE_PAGE}
"""
_ON_COMMAND_LINE: Final = (
    "a token does not belong on the command line, where other users can read it; revoke it at "
    f"{SERVER}/account/oauth/token and put a new one into {credentials.VARIABLE} or a private file"
)


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang lichess", _DESCRIPTION, _EXAMPLES)
    add_settings(parser, ProviderSettings)
    parser.option(
        "--token-file FILE",
        Path,
        f"file with the token, mode 600 ({credentials.VARIABLE}, else {credentials.TOKEN_FILE} in the "
        "folder of settings)",
    )
    add_engine(parser, "to offer instead of this one")
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `lichess`; return the exit status."""
    if any(map(credentials.looks_like_token, argv)):
        complain(f"boomslang lichess: {_ON_COMMAND_LINE}")  # and no message repeats the word
        return BAD_USAGE
    return run_command(new_parser(), argv, _provide)


def _provide(arguments: argparse.Namespace) -> int:
    from boomslang.engine.other_engines.engine_process import own_engine

    settings = read_settings(ProviderSettings, arguments)
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

    async def serve() -> None:
        async with LichessApi(settings, token, provider) as api:
            await LichessProvider(settings, api, engine, report).run()

    loop, engine = asyncio.get_running_loop(), WorkEngine(command, report)
    serving = loop.create_task(serve())
    with shutdown.replace_interrupts(lambda: loop.call_soon_threadsafe(serving.cancel)):
        await asyncio.wait({serving})
        await engine.close()
    try:
        serving.result()
    except asyncio.CancelledError:
        report("ended")
    except LichessRefusedError as refusal:
        raise UsageError(str(refusal)) from None
    return 0
