"""The engine as a process of python-chess, in one call: `boomslang.popen`."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from boomslang.engine.core.system.installation import ENTRY_POINT

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Container, Iterator

    import chess.engine

_TIMEOUT: Final = 10.0  # seconds for what has no limit of its own, the default of python-chess
_COMPILING: Final = "600"  # seconds that a first start may take on the slowest of computers
_REMARK: Final = "getting ready, "  # how the lines begin in which the engine says how far it is
_LOG: Final = logging.getLogger("boomslang")


def command() -> list[str]:
    """The words that start the engine, for programs that start it themselves; no shell is needed.

    They work from any folder, whatever lies in that. The engine's own modules come first, whatever
    PYTHONPATH holds; its libraries (python-chess, Numba, ...) are found as Python finds them, so a
    `chess.py` there is taken for python-chess. Further words are those of the command line:
    `[*boomslang.command(), "bench"]`.
    """
    return [sys.executable, "-P", ENTRY_POINT]


def popen(**options: chess.engine.ConfigValue) -> chess.engine.SimpleEngine:
    """A running engine, ready to play; use it with `with`, and its process ends with the block.

    `options` are the UCI options by name, with underscores for blanks:
    `popen(Threads=2, Move_Overhead=50)`. The first start on a computer compiles the engine, which takes
    half a minute or so; progress goes to the logger `boomslang` as warnings.

    Unknown options and invalid values raise `chess.engine.EngineError`; OSError if no process can be
    started, `chess.engine.EngineTerminatedError` if it ends at once.
    """
    import chess.engine

    engine = chess.engine.SimpleEngine.popen_uci(command(), timeout=None, env=_environment())
    try:
        engine.configure(_named(options, engine.options))
        with _progress_as_warnings():
            engine.ping()
    except BaseException:
        engine.close()
        raise
    engine.timeout = _TIMEOUT
    return engine


async def popen_async(
    **options: chess.engine.ConfigValue,
) -> tuple[asyncio.SubprocessTransport, chess.engine.UciProtocol]:
    """`popen` for asyncio: what `chess.engine.popen_uci` returns; end it with `await engine.quit()`."""
    import chess.engine

    transport, engine = await chess.engine.popen_uci(command(), env=_environment())
    try:
        await engine.configure(_named(options, engine.options))
        with _progress_as_warnings():
            await engine.ping()
    except BaseException:
        transport.close()
        await engine.returncode
        raise
    return transport, engine


@contextmanager
def _progress_as_warnings() -> Iterator[None]:
    """Log what the engine says of its first start as such, and not as unexpected by python-chess."""

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
    """That of this process; the engine may say that it is ready when it is, and not before."""
    return {"BOOMSLANG_READY_WITHIN": _COMPILING} | os.environ


def _named(
    options: dict[str, chess.engine.ConfigValue],
    known: Container[str],
) -> dict[str, chess.engine.ConfigValue]:
    """The options under the names that the engine has for them, if it has any."""
    spelled = {name: name.replace("_", " ") for name in options if name not in known}
    return {
        spelled[name] if spelled.get(name, "") in known else name: value
        for name, value in options.items()
    }
