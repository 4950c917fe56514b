"""Other UCI engines: processes that start within a time limit and end with this process."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast

import chess.engine

from boomslang.engine.jobs.programs import why_not_startable
from boomslang.engine.system.files import quote_path
from boomslang.engine.system.shutdown import at_end

Result = TypeVar("Result")

TIMEOUT: Final = 60.0  # timeout in seconds for `uciok`, and for an answer beyond its search time


class UciEngineError(chess.engine.EngineError):
    """An engine that cannot be started or set up; the message names it and the reason."""


@dataclass(frozen=True, slots=True)
class UciCommand:
    """The command line of an engine, and the options to set."""

    words: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)


class UciEngineProtocol(chess.engine.UciProtocol):
    """The protocol of a started engine; `on_line` is called with each line that the engine writes.

    The engine's process is also ended with this one, since not every engine quits at the end of its input.
    """

    _forget: Callable[[], None]

    def __init__(self) -> None:
        super().__init__()
        self.on_line: Callable[[str], None] = lambda line: None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called when its process has started."""
        super().connection_made(transport)
        self._forget = at_end(cast("asyncio.SubprocessTransport", transport).kill)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when its process has ended."""
        self._forget()
        super().connection_lost(exc)

    def line_received(self, line: str) -> None:
        """Called for each line of the engine."""
        self.on_line(line)
        super().line_received(line)


def start(
    engine: UciCommand,
    usual: Mapping[str, Any] | None = None,
    *,
    ready_within: float = TIMEOUT,
    env: Mapping[str, str] | None = None,
) -> chess.engine.SimpleEngine:
    """Start an engine and set its options; the caller closes the process.

    `usual` has default values for options that the command does not set, if the engine has them. The first
    `readyok` must come within `ready_within` seconds. Raises UciEngineError.
    """
    for name in ("chess.engine", "asyncio"):  # they log what they raise as well
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if reason := why_not_startable(engine.words[0]):
        raise _not_started(engine, reason)
    try:
        process = chess.engine.SimpleEngine.popen(
            UciEngineProtocol, list(engine.words), timeout=TIMEOUT, env=env
        )
    except TimeoutError:
        raise _not_started(engine, f"no answer to uci in {TIMEOUT:g} seconds") from None
    except chess.engine.EngineTerminatedError:
        raise _not_started(engine, "it has ended without an answer to uci") from None
    except OSError as problem:
        raise _not_started(engine, (problem.strerror or str(problem)).lower()) from None
    except (ValueError, chess.engine.EngineError) as problem:
        raise _not_started(engine, str(problem)) from None
    try:
        process.timeout = ready_within
        _set_options(process, engine, usual or {})
        process.ping()
        process.timeout = TIMEOUT
    except TimeoutError:
        process.close()
        raise _not_started(engine, f"not ready in {ready_within:g} seconds") from None
    except chess.engine.EngineTerminatedError:
        process.close()
        raise _not_started(engine, "it has ended before it was ready") from None
    except BaseException:
        process.close()
        raise
    return process


def protocol_of(process: chess.engine.SimpleEngine) -> UciEngineProtocol:
    """The protocol of an engine started by `start`."""
    return cast("UciEngineProtocol", process.protocol)


def wait_for(process: chess.engine.SimpleEngine, work: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine that talks to the engine by its protocol."""
    return asyncio.run_coroutine_threadsafe(work, process.protocol.loop).result()


def _set_options(
    process: chess.engine.SimpleEngine, engine: UciCommand, usual: Mapping[str, Any]
) -> None:
    given = {name.lower() for name in engine.options}
    process.configure(
        {
            name: value
            for name, value in usual.items()
            if name in process.options and name.lower() not in given
        }
    )
    for name, value in engine.options.items():
        if name not in process.options:
            known = ", ".join(process.options) or "none"
            raise UciEngineError(
                f"{quote_path(engine.words[0])} has no option {quote_path(name)}; its options: {known}"
            )
        try:
            process.configure({name: value})
        except chess.engine.EngineTerminatedError:
            raise
        except chess.engine.EngineError as problem:
            raise UciEngineError(
                f"cannot set {quote_path(name)} of {quote_path(engine.words[0])}: {problem}"
            ) from None


def _not_started(engine: UciCommand, reason: str) -> UciEngineError:
    return UciEngineError(f"cannot start {quote_path(engine.words[0])}: {reason}")
