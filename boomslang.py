"""Boomslang for programs in Python: an engine of python-chess in one call.

    import boomslang, chess, chess.engine

    with boomslang.popen(Hash=64) as engine:
        print(engine.play(chess.Board(), chess.engine.Limit(time=0.1)).move)

The engine is a process of its own, started with the Python that runs this. Nothing of it is imported
here, so neither do its modules meet those of a program that has a module `engine` too, nor does a
search hold up the program. `python -m boomslang` is the command line.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Container, Iterator

    import chess.engine

__all__ = ["__version__", "command", "popen", "popen_async"]

__version__: Final = "0.1.0"

_FOLDER: Final = Path(__file__).resolve().parent
_TIMEOUT: Final = 10.0  # seconds for what has no limit of its own, the default of python-chess
_COMPILING: Final = "600"  # seconds that a first start may take on the slowest of computers
_REMARK: Final = "getting ready, "  # how the lines begin in which the engine says how far it is
_LOG: Final = logging.getLogger("boomslang")


def command() -> list[str]:
    """The words that start the engine, for whatever wants to start it itself; no shell is needed.

    They work from any folder, whatever lies in that. The engine's own modules come first, whatever
    PYTHONPATH holds; its libraries (python-chess, Numba, ...) are found as Python finds them, so a
    `chess.py` there is taken for python-chess. Further words are those of the command line:
    `[*boomslang.command(), "bench"]`.
    """
    return [sys.executable, "-P", str(_FOLDER / "cli" / "__main__.py")]


def popen(**options: chess.engine.ConfigValue) -> chess.engine.SimpleEngine:
    """A running engine, ready to play; use it with `with`, and its process ends with the block.

    `options` are those of UCI by their names; where a name has blanks an underscore stands for each:
    `popen(Threads=2, Move_Overhead=50)`. At the first start on a computer this waits for half a minute
    or so until the engine is compiled; how far it is goes to the logger `boomslang`, as a warning.

    Raises `chess.engine.EngineError` for an option or a value that there is not, OSError if no process
    can be started, `chess.engine.EngineTerminatedError` if it ends at once.
    """
    import chess.engine

    engine = chess.engine.SimpleEngine.popen_uci(command(), timeout=None, env=_environment())
    try:
        engine.configure(_named(options, engine.options))
        with _telling():
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
        with _telling():
            await engine.ping()
    except BaseException:
        transport.close()
        await engine.returncode
        raise
    return transport, engine


@contextmanager
def _telling() -> Iterator[None]:
    """What the engine says of its first start is told as such, and not as unexpected by python-chess."""

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


def _main() -> None:
    """The command line; ends the process. Our own packages come first, whatever PYTHONPATH holds."""
    import runpy

    if not sys.flags.safe_path:
        del sys.path[
            0
        ]  # the folder of the script or the current one, whose modules are none of ours
    sys.path.insert(0, str(_FOLDER))
    runpy.run_module("cli", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _main()
