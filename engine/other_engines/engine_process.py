"""The one driver of other engines: UCI and CECP processes, by the protocols of python-chess.

A process starts when it is needed, in a group of its own, and again after its death. Every wait is bounded,
by the time of the search or by the silence of the engine. It ends with this process.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

import chess
import chess.engine
from chess.engine import AnalysisResult, BestMove, Limit

from boomslang.core.system import launcher
from boomslang.core.system.files import quote_path
from boomslang.core.system.sanitize import printable, shorten
from boomslang.engine.limits import Info, Limits, Listener, Result, ignore
from boomslang.engine.other_engines.agents import AgentConnection
from boomslang.engine.other_engines.engine_connection import (
    CecpConnection,
    Connection,
    EngineCommand,
    EngineNoMoveError,
    EngineProcessError,
    EngineSilentError,
    UciConnection,
    handle_engine_errors,
    limit_of,
    name_failure,
    remark_later,
)
from boomslang.engine.other_engines.engine_lines import InfoReader
from boomslang.engine.other_engines.option_refusals import read_value
from boomslang.engine.other_engines.programs import why_not_startable

Answer = TypeVar("Answer")

START_TIMEOUT: Final = 60.0  # seconds; a busy machine starts a Python slowly
SILENCE_TIMEOUT: Final = 60.0  # seconds without a line in a search that must end
COMPILING_TIMEOUT: Final = 600.0  # seconds for the kernels of Boomslang
_OTHER_PROTOCOL_AFTER: Final = 2.0  # seconds without `uciok`
_LAST_LINES_TIMEOUT: Final = 1.0  # seconds from the end of the process to that of its search
_STOP_TIMEOUT: Final = 10.0  # seconds from `stop` to the move
_QUIT_TIMEOUT: Final = 0.5  # seconds
_KILL_TIMEOUT: Final = 0.2  # seconds; less than a command has to end in
_FAILURES: Final = (chess.engine.EngineError, OSError, TimeoutError)
_SHOWN: Final = chess.engine.INFO_BASIC
_MAX_SHOWN: Final = 40  # characters of an illegal line
_SHORT: Final = 1  # ply of a variation that is read on a clock; more takes time


class EngineProcess:
    """Searches positions one by one. To be used within one event loop; `engine_runner` has one."""

    def __init__(
        self,
        command: EngineCommand,
        usual: Mapping[str, Any] | None = None,
        *,
        report: Callable[[str], None] | None = None,
        attempts: int = 1,
        start_timeout: float = START_TIMEOUT,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """`usual` has default values for options that the command does not set, if the engine has them.

        `report` gets remarks for the user; without it the log gets those about a silent engine. A search
        whose engine fails is done `attempts` times. Boomslang has longer to be ready.
        """
        self.command = command
        self._usual = dict(usual or {})
        self._report = report or ignore
        self._remark = report
        self._attempts = attempts
        self._start_timeout = start_timeout
        self._env = env
        self._protocol: type[Connection] | None = UciConnection if command.is_uci else None
        if command.is_agent:
            self._protocol = AgentConnection
        self._connection: Connection | None = None
        self._beginning: asyncio.Task[AnalysisResult] | None = None  # a search
        # Ends with the last search, which may still be stopping. Nobody may cancel it: its end would be lost.
        self._last: asyncio.Task[BestMove] | None = None
        self._game: object = None  # that of the last search
        self._key = object()  # and for the engine
        self._has_reported_cut = False

    @property
    def pid(self) -> int | None:
        """The process id, while the process runs."""
        transport = self._connection.transport if self._connection else None
        return transport.get_pid() if transport else None

    @property
    def remembers(self) -> bool:
        """True for a running process that may remember games: CECP has no word by which it would forget."""
        return isinstance(self._connection, CecpConnection)

    async def start(self) -> Connection:
        """The running process, with its options set. Raises EngineProcessError."""
        if self._connection:
            if not self._connection.returncode.done():
                return self._connection
            self._report("the engine has died; it is started again")
            await self.kill()
        asyncio.get_running_loop().set_exception_handler(handle_engine_errors)
        program, is_ready = quote_path(self.command.words[0]), False
        try:
            if reason := why_not_startable(self.command.words[0]):
                raise ValueError(reason)
            whole = quote_path(" ".join(self.command.words))
            with remark_later(self._remark, f"waiting for {whole} to be ready"):
                async with asyncio.timeout(self._start_timeout):
                    self._connection = await self._connect()
                if self._connection.id.get("name", "").startswith("Boomslang"):
                    self._start_timeout = COMPILING_TIMEOUT
                async with asyncio.timeout(self._start_timeout):
                    await self._set_options(self._connection)
            is_ready = True
            return self._connection
        except EngineProcessError:
            raise
        except (ValueError, *_FAILURES) as problem:
            why = self._why_not_started(problem)
            remarks = self._connection.remarks if self._connection else ()
            raise EngineProcessError(f"cannot start {program}: {why}", remarks) from None
        finally:
            if not is_ready:
                self._kill_now()

    async def play(
        self,
        board: chess.Board,
        limits: Limits,
        *,
        game: object = None,
        timeout: float | None = None,
    ) -> Result:
        """The engine's move within a game, with its last exact score, and all nodes that it has told.

        The board has a legal move; without one as answer it has resigned. Of the variation there is the first
        move. An engine that takes more than `timeout` seconds is killed. Raises EngineProcessError.
        """

        async def play() -> Result:
            connection = await self.start()
            connection.is_on_clock = True
            reader = InfoReader(board, longest=_SHORT)
            connection.begin_search(reader)
            async with asyncio.timeout(timeout):
                limit = limit_of(limits, game) or Limit()
                # By CECP it would say nothing without `info`.
                answer = await connection.play(board, limit, game=game, info=_SHOWN)
            if not (answer.move or answer.resigned):
                raise EngineNoMoveError
            info = reader.best and replace(reader.best, nodes=reader.nodes)
            return Result(answer.move, None, (info,) if info else ())

        return await self._attempt(play)

    async def search(
        self,
        board: chess.Board,
        limits: Limits,
        listen: Listener,
        *,
        options: Mapping[str, Any] | None = None,
        game: object = None,
        timeout: float | None = None,
        stop: asyncio.Event | None = None,
        on_remark: Callable[[str], object] = ignore,
    ) -> chess.Move | None:
        """Search until a limit, or for ever without one; the best move, if there is one.

        All moves are written as on the board, whatever the engine knows of Chess960. `game` identifies that
        of the position: for another one, or after a search that had to be stopped at its limit, the engine
        clears its state, or by CECP is started anew. Of lines and `options` it gets what it takes. If it
        fails, a new one repeats the search. If the waiting task is cancelled, or `stop` is set, the search
        ends. An engine fails that takes more than `timeout` seconds, or without it is silent for a minute
        longer than the search may take. Raises EngineProcessError.
        """
        limit, lines = limit_of(limits, game), limits.multipv or 1
        root_moves = [board.parse_uci(str(move)) for move in limits.search_moves or ()]

        async def search() -> chess.Move | None:
            reader = InfoReader(board, lines)
            has_overshot = self._connection is not None and self._connection.has_overshot
            if has_overshot or game != self._game:
                self._game, self._key = game, object()
                if self.remembers:
                    await self.kill()
            connection = await self.start()
            connection.has_overshot = connection.is_on_clock = False
            is_cecp = isinstance(connection, CecpConnection)
            begin = partial(
                connection.analysis,
                connection.known_board(board),
                replace(limit, depth=None) if limit and is_cecp else limit,
                multipv=connection.most_lines(lines),
                root_moves=root_moves or None,
                game=self._key,
                options=connection.known(options or {}),
            )
            said: asyncio.Queue[Info | str | None] = asyncio.Queue()

            def hear(heard: Info | str) -> None:
                silence.cancel()
                if isinstance(heard, str):
                    on_remark(heard)
                elif heard.pv:
                    listen(heard)

            late = (limit and limit.time) or 0.0
            with remark_later(self._remark, "waiting for a line of the engine", late) as silence:
                prepare = partial(connection.begin_search, reader, said.put_nowait)
                analysis = await self._begin(connection, begin, prepare)
                move = await _follow(connection, analysis, said, limit, hear, stop, timeout)
            self._report_cut(reader.cut)
            if not move and any(board.legal_moves) and not (stop and stop.is_set()):
                raise EngineNoMoveError
            return move and board.parse_uci(move.uci())

        return await self._attempt(search, stop)

    async def close(self) -> None:
        """Ask the process to quit, and kill it if it does not."""
        connection = self._connection
        with contextlib.suppress(*_FAILURES):
            if connection and not connection.returncode.done():
                async with asyncio.timeout(_QUIT_TIMEOUT):
                    if isinstance(connection, UciConnection):
                        connection.send_line("stop")
                    await connection.quit()
        await self.kill()

    async def kill(self) -> None:
        """Kill the process."""
        if connection := self._kill_now():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_KILL_TIMEOUT):
                    await asyncio.shield(connection.returncode)
            if connection.transport:
                connection.transport.close()

    def _kill_now(self) -> Connection | None:
        """Kill the process without waiting for its end; its connection."""
        connection, self._connection = self._connection, None
        if self._beginning:
            self._beginning.cancel()
        self._beginning = self._last = None
        if connection:
            connection.kill()
        return connection

    def _report_cut(self, moves: str) -> None:
        """Say once that the engine's lines have moves that are not legal."""
        if moves and not self._has_reported_cut:
            self._has_reported_cut = True
            illegal = shorten(moves, _MAX_SHOWN)
            self._report(f"a line of the engine is cut before a move that is not legal: {illegal}")

    async def _begin(
        self,
        connection: Connection,
        begin: Callable[[], Coroutine[Any, Any, AnalysisResult]],
        prepare: Callable[[], None],
    ) -> AnalysisResult:
        if self._last and not (await asyncio.wait({self._last}, timeout=_STOP_TIMEOUT))[0]:
            raise TimeoutError
        async with asyncio.timeout(SILENCE_TIMEOUT):
            if self._beginning:
                await connection.unless_ended(self._beginning)
            prepare()
            # It continues even if cancelled: python-chess accepts no further command after an aborted start.
            self._beginning = beginning = asyncio.create_task(begin())
            beginning.add_done_callback(_forget)
            try:
                analysis = await connection.unless_ended(beginning)
            except asyncio.CancelledError:
                beginning.add_done_callback(_stop)
                raise
            self._beginning = None
        self._last = asyncio.create_task(analysis.wait())
        self._last.add_done_callback(_forget)
        return analysis

    async def _attempt(
        self, work: Callable[[], Awaitable[Answer]], stop: asyncio.Event | None = None
    ) -> Answer:
        """The result of work with the engine; if it fails it is started again, unless `stop` is set."""
        for attempt in range(1, self._attempts + 1):
            try:
                return await work()
            except _FAILURES as problem:
                failure = self._failure(problem)
                await self.kill()
                if attempt == self._attempts or (stop and stop.is_set()):
                    raise failure from None
                self._report(f"{failure}; it is started again")
        raise AssertionError

    def _failure(self, problem: Exception) -> EngineProcessError:
        if isinstance(problem, EngineProcessError):
            return problem
        if self._connection and self._connection.fault:
            return self._connection.fault
        if isinstance(problem, TimeoutError):
            return EngineSilentError("the engine has not answered in time")
        if isinstance(problem, chess.engine.EngineTerminatedError):
            died = "the engine has died"
            return self._connection.failure(died) if self._connection else EngineProcessError(died)
        return name_failure(problem)

    async def _connect(self) -> Connection:
        """A process that speaks one of the protocols. CECP is tried beside a UCI that does not answer."""
        if self._protocol:
            return await self._open(self._protocol)
        tasks = [asyncio.create_task(self._open(UciConnection))]
        chosen: Connection | None = None
        try:
            await asyncio.wait(tasks, timeout=_OTHER_PROTOCOL_AFTER)
            if not (tasks[0].done() and tasks[0].exception() is None):
                tasks.append(asyncio.create_task(self._open(CecpConnection)))
            for task in asyncio.as_completed(tasks):
                with contextlib.suppress(chess.engine.EngineError):
                    chosen = await task
                    self._protocol = type(chosen)
                    return chosen
            return tasks[0].result()  # raises
        finally:
            for each in tasks:
                each.cancel()
            for opened in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(opened, Connection) and opened is not chosen:
                    opened.kill()

    async def _open(self, protocol: type[Connection]) -> Connection:
        # In a separate process group: Ctrl-C in the terminal is for this process.
        _, connection = await protocol.popen(list(self.command.words), setpgrp=True, env=self._env)
        try:
            await connection.initialize()
        except chess.engine.EngineTerminatedError:
            ended = f"it has ended without an answer to {connection.greeting}"
            raise chess.engine.EngineError(str(connection.failure(ended))) from None
        except BaseException as problem:
            connection.kill()
            if isinstance(problem, chess.engine.EngineError):  # no reason to try the other protocol
                raise ValueError(f"it answers nonsense ({shorten(str(problem))})") from None
            raise
        return connection

    def _why_not_started(self, problem: Exception) -> str:
        if isinstance(problem, TimeoutError):
            seconds = f"in {self._start_timeout:g} seconds"
            if self._connection:
                return f"not ready {seconds}"
            return f"no answer to uci or xboard {seconds}; its command may need an option for that, as --uci"
        if isinstance(problem, chess.engine.EngineTerminatedError) and self._connection:
            return str(self._connection.failure("it has ended before it was ready"))
        if isinstance(problem, OSError):
            return (problem.strerror or str(problem)).lower()
        return printable(str(problem))

    async def _set_options(self, connection: Connection) -> None:
        given_names = {connection.option_name(name) for name in self.command.options}
        usual = connection.known(self._usual)
        await connection.configure({own: usual[own] for own in usual if own not in given_names})
        program = quote_path(self.command.words[0])
        if isinstance(connection, UciConnection):
            connection.refusal = ""  # what it has said so far is of its start
        for name, value in self.command.options.items():
            own, named = connection.option_name(name), quote_path(name)
            if not own:
                names = printable(", ".join(connection.options)) or "none"
                raise EngineProcessError(f"{program} has no option {named}; its options: {names}")
            try:
                await connection.configure({own: read_value(connection.options[own], value)})
            except chess.engine.EngineTerminatedError:
                raise
            except chess.engine.EngineError as problem:
                raise EngineProcessError(f"cannot set {named} of {program}: {problem}") from None
        await connection.ping()
        if isinstance(connection, UciConnection):
            connection.check_texts(map(connection.option_name, self.command.options))


def own_engine() -> EngineCommand:
    """Boomslang as a process of its own."""
    return EngineCommand(tuple(launcher.command()), is_uci=True)


async def _follow(
    connection: Connection,
    analysis: AnalysisResult,
    said: asyncio.Queue[Info | str | None],
    limit: Limit | None,
    hear: Callable[[Info | str], None],
    stop: asyncio.Event | None,
    timeout: float | None,
) -> chess.Move | None:
    """The best move of a search that has begun; it is stopped at the end in any case.

    Not all engines know limits of nodes or depth. Such a search is stopped at the first line that reaches the
    limit, or when the engine has nothing more to say; what it says afterwards does not count. A search for
    ever is bounded by silence until its first variation, and again once it is stopped.
    """
    loop = asyncio.get_running_loop()
    stopping = asyncio.create_task((stop or asyncio.Event()).wait())
    ending = asyncio.create_task(analysis.wait())
    ending.add_done_callback(_forget)
    ending.add_done_callback(lambda _: said.put_nowait(None))
    is_cecp = isinstance(connection, CecpConnection)
    nodes, depth = limit and limit.nodes, limit and limit.depth
    best: chess.Move | None = None
    most = math.inf  # nodes of a line that counts
    # By CECP python-chess would stop at the first line of that depth, which may be no good.
    deepest = depth if depth and is_cecp else math.inf
    quiet: asyncio.TimerHandle | None = None
    is_endless = limit is None and timeout is None
    if is_endless or (limit and limit.time and not timeout):
        timeout = SILENCE_TIMEOUT + ((limit and limit.time) or 0.0)
    try:
        async with asyncio.timeout(timeout) as bound:

            def end() -> None:
                connection.has_overshot = limit is not None
                analysis.stop()
                bound.reschedule(loop.time() + _STOP_TIMEOUT)

            def wait(seconds: float) -> None:
                nonlocal quiet
                if quiet:
                    quiet.cancel()
                quiet = loop.call_later(seconds, end)

            def give_up(_: object) -> None:  # python-chess does not end it after each kind of end
                bound.reschedule(loop.time() + _LAST_LINES_TIMEOUT)

            connection.returncode.add_done_callback(give_up)
            stopping.add_done_callback(lambda told: None if told.cancelled() else end())
            seconds = SILENCE_TIMEOUT
            if limit and not timeout:
                wait(seconds)
            while (heard := await said.get()) is not None:
                info = heard if isinstance(heard, Info) and heard.pv else None
                if is_endless and not stopping.done():
                    is_endless = info is None
                    bound.reschedule(loop.time() + SILENCE_TIMEOUT if is_endless else None)
                if info and best and info.depth > deepest:
                    end()
                    continue
                if info and info.nodes > most:
                    continue
                hear(heard)
                if not info:
                    if seconds == SILENCE_TIMEOUT and not (timeout or stopping.done()):
                        wait(seconds)
                    continue
                if info.multipv == 1:
                    best = info.pv[0]
                if nodes and most == math.inf and info.nodes >= nodes:
                    most = info.nodes
                    end()
                elif (nodes or depth) and not stopping.done():
                    seconds = connection.quiet_seconds(info, nodes or 0) or SILENCE_TIMEOUT
                    wait(seconds)
            answer = ending.result().move
            if limit is None and not (best or stopping.done()):
                raise EngineProcessError("the engine has given no line")
            return best if best and (is_cecp or most < math.inf) else answer
    finally:
        connection.returncode.remove_done_callback(give_up)
        stopping.cancel()
        if quiet:
            quiet.cancel()
        analysis.stop()


def _forget(task: asyncio.Task[Any]) -> None:
    """Retrieve the exception of a task without a waiting caller."""
    if not task.cancelled():
        task.exception()


def _stop(beginning: asyncio.Task[AnalysisResult]) -> None:
    if not beginning.cancelled() and beginning.exception() is None:
        beginning.result().stop()
