"""The engine as a process of python-chess, in one call: `boomslang.popen`."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, cast

from boomslang.core.system.installation import ENTRY_POINT

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterator, Mapping

    import chess.engine

    from boomslang.engine.other_engines.option_refusals import RefusalListener

_TIMEOUT: Final = 10.0  # seconds, the default timeout of python-chess
_COMPILING: Final = "600"  # seconds for the first start on very slow computers
_REMARK: Final = "getting ready, "  # prefix of the engine's progress lines
_LOG: Final = logging.getLogger("boomslang")


def command() -> list[str]:
    """The command line that starts the engine, as a list of words, for use without a shell.

    It works from any folder, regardless of its content. The engine's own modules come first, whatever
    PYTHONPATH contains; its libraries (python-chess, Numba, ...) are found as usual, so a `chess.py` there is
    taken for python-chess. Further arguments may be added: `[*boomslang.command(), "bench"]`.
    """
    return [sys.executable, "-P", ENTRY_POINT]


def popen(**options: chess.engine.ConfigValue) -> chess.engine.SimpleEngine:
    """A running engine, ready to play; in a `with` statement its process ends with the block.

    `options` are the UCI options by name, with underscores for blanks:
    `popen(Threads=2, Move_Overhead=50)`. The first start on a computer compiles the engine, which takes
    half a minute or so; progress goes to the logger `boomslang` as warnings.

    Unknown options and invalid values raise `chess.engine.EngineError`; OSError if no process can be
    started, `chess.engine.EngineTerminatedError` if it ends at once.
    """
    import chess.engine

    from boomslang.engine.other_engines.option_refusals import RefusalListener

    engine = chess.engine.SimpleEngine.popen(
        RefusalListener, command(), timeout=None, env=_environment()
    )
    try:
        protocol = cast("RefusalListener", engine.protocol)
        given_options = _match_names(options, engine.options)
        protocol.refusal = ""
        engine.configure(given_options)
        with _progress_as_warnings():
            engine.ping()
        protocol.check_texts(given_options)
    except BaseException:
        engine.close()
        raise
    engine.timeout = _TIMEOUT
    return engine


async def popen_async(
    **options: chess.engine.ConfigValue,
) -> tuple[asyncio.SubprocessTransport, chess.engine.UciProtocol]:
    """`popen` for asyncio: what `chess.engine.popen_uci` returns; end it with `await engine.quit()`."""
    from boomslang.engine.other_engines.option_refusals import RefusalListener

    transport, engine = await RefusalListener.popen(command(), env=_environment())
    try:
        await engine.initialize()
        given_options = _match_names(options, engine.options)
        engine.refusal = ""
        await engine.configure(given_options)
        with _progress_as_warnings():
            await engine.ping()
        engine.check_texts(given_options)
    except BaseException:
        transport.close()
        await engine.returncode
        raise
    return transport, engine


@contextmanager
def _progress_as_warnings() -> Iterator[None]:
    """Log the engine's remarks about its first start as progress, not as unexpected output."""

    def pass_on(record: logging.LogRecord) -> bool:
        _, found, said = record.getMessage().partition(_REMARK)
        if found:
            _LOG.warning("%s", found + said.rstrip("'"))
        return not found

    python_chess = logging.getLogger("chess.engine")
    python_chess.addFilter(pass_on)
    try:
        yield
    finally:
        python_chess.removeFilter(pass_on)


def _environment() -> dict[str, str]:
    """The environment of this process, with an `isready` that waits until the engine is ready."""
    return {"BOOMSLANG_READY_WITHIN": _COMPILING} | os.environ


def _match_names(
    options: dict[str, chess.engine.ConfigValue], known: Mapping[str, chess.engine.Option]
) -> dict[str, chess.engine.ConfigValue]:
    """The options by the engine's names, where they exist; raises EngineError for an invalid switch."""
    from boomslang.engine.other_engines.option_refusals import read_value

    spelled = {name: name.replace("_", " ") for name in options if name not in known}
    named = {
        spelled[name] if spelled.get(name, "") in known else name: value
        for name, value in options.items()
    }
    return {
        name: read_value(known[name], value) if name in known else value
        for name, value in named.items()
    }
