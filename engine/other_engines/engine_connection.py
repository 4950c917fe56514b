"""Connections to other engines: what python-chess's protocols lack to serve any program."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar, cast

import chess
import chess.engine
from chess.engine import Limit, Protocol

from boomslang.core.system.sanitize import shorten
from boomslang.core.system.shutdown import at_end
from boomslang.engine.limits import Info, Limits, ignore
from boomslang.engine.other_engines.engine_lines import InfoReader, read_option
from boomslang.engine.other_engines.option_refusals import RefusalListener

_MAX_LINE: Final = 1 << 20  # bytes
_MAX_REMARKS: Final = 50  # lines of standard error
_MAX_KEPT: Final = 1000  # characters of each
_MAX_REMARK: Final = 200  # characters of one that is told in a sentence
_MAX_READING: Final = 0.02  # seconds of work on what came at once, without a rest
_CECP_QUIET: Final = 5.0  # seconds after which an analysis by CECP has nothing more to say
_MATE_QUIET: Final = 1.0  # seconds, after a mate
_MIN_SPEED: Final = 20_000.0  # nodes/s of an engine that still says something in that time
_NUDGE_INTERVAL: Final = 1.0  # seconds
_REMARK_AFTER: Final = 10.0  # seconds until one is told what is waited for
# GNU Chess writes a prompt without an end of line, and its move as in the first days of XBoard.
_PROMPT: Final = re.compile(rb"(?:White|Black) \(\d+\) : ")
_OWN_MOVE: Final = re.compile(rb"My move is ?: ?")

_CECP_NAMES: Final = {"hash": "memory", "threads": "cores"}
_LOG: Final = logging.getLogger(__name__)

Answer = TypeVar("Answer")

# Errors arrive as exceptions.
for _name in (chess.engine.__name__, "asyncio"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


class EngineProcessError(chess.engine.EngineError):
    """The engine cannot be started or set up, or has failed; the message gives the reason.

    `remarks` are the last lines of its standard error.
    """

    def __init__(self, reason: str, remarks: Iterable[str] = ()) -> None:
        super().__init__(reason)
        self.remarks = tuple(remarks)


class EngineSilentError(EngineProcessError):
    """The engine has not answered in time."""


class EngineMoveError(EngineProcessError):
    """The engine has answered with an illegal move."""


class EngineNoMoveError(EngineMoveError):
    """The engine has answered without a move."""

    def __init__(self) -> None:
        super().__init__("the engine has given no move, though there are legal ones")

    def __reduce__(self) -> Any:
        """Made anew in the process that it comes back to."""
        return EngineNoMoveError, ()


@dataclass(frozen=True, slots=True)
class EngineCommand:
    """The command line of an engine, and the options to set; its protocol is found out."""

    words: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    is_uci: bool = False  # known to speak UCI
    is_agent: bool = False  # see `agents`


class Connection(Protocol):
    """Bounds lines, keeps standard error apart, and ends all processes that the engine has started.

    Lines of thinking go to the reader of the search, and none to python-chess.
    """

    greeting: str
    _forget: Callable[[], object]

    def __init__(self) -> None:
        super().__init__()
        self.remarks: deque[str] = deque(maxlen=_MAX_REMARKS)  # standard error
        self.fault: EngineProcessError | None = None  # why it was killed
        self.has_overshot = False  # stopped at a limit: what it remembers depends on the time
        self.is_on_clock = False  # its move is timed, and so is the reading of what it writes
        self._is_gone = False
        self._reader = InfoReader(chess.Board())
        self._tell: Callable[[Info | str], object] = ignore
        self._unfinished = {1: b"", 2: b""}  # lines, by descriptor

    def begin_search(
        self, reader: InfoReader, tell: Callable[[Info | str], object] = ignore
    ) -> None:
        """Let the reader read the lines of a search that begins now; `tell` gets each as it comes."""
        self._reader, self._tell = reader, tell

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called when the process has started."""
        super().connection_made(transport)
        self._forget = at_end(self.kill)

    def process_exited(self) -> None:
        """Called when the process has ended; what it has started may still hold its pipes."""
        super().process_exited()
        self.kill()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when the process has ended."""
        self._is_gone = True  # its number may be given to another process
        self._forget()
        super().connection_lost(exc)
        if self.transport:
            self.transport.close()

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Called for what the process writes."""
        begun = time.thread_time()
        *lines, self._unfinished[fd] = (self._unfinished[fd] + cast("bytes", data)).split(b"\n")
        try:
            for line in lines:
                text = line.decode("utf-8", "replace")
                heard = self._hear(self._reader, text) if fd == 1 else None
                if heard is None:
                    super().pipe_data_received(fd, f"{self._mend(text)}\n".encode())
                else:
                    self._tell(heard)
        except EngineProcessError as fault:
            self.give_up(fault)
        except Exception as problem:  # python-chess does not expect every kind of nonsense
            self.give_up(EngineProcessError(f"it answers nonsense ({shorten(str(problem))})"))
        if len(self._unfinished[fd]) > _MAX_LINE:
            self._unfinished[fd] = b""
            self.give_up(EngineProcessError("the engine has sent a line without an end"))
        self._rest(fd, time.thread_time() - begun)

    def _hear(self, reader: InfoReader, line: str) -> Info | str | None:
        """What a line of thinking says, maybe nothing; None for a line of another kind."""
        raise NotImplementedError

    def _mend(self, line: str) -> str:
        return line

    def _rest(self, fd: int, seconds: float) -> None:
        """Let a flood of lines leave as much time to everything else as its reading has taken.

        What listeners do with the lines comes later and does not count. In a match nothing else waits.
        """
        pipe = self.transport.get_pipe_transport(fd) if self.transport else None
        is_flood = seconds > _MAX_READING and not self.is_on_clock
        if is_flood and isinstance(pipe, asyncio.ReadTransport):
            pipe.pause_reading()
            self.loop.call_later(seconds, pipe.resume_reading)

    def error_line_received(self, line: str) -> None:
        """Called for each line of standard error."""
        self.remarks.append(line[:_MAX_KEPT])

    def nearest(self, name: str, value: Any) -> Any:
        """The value for an option, or the nearest that it takes; None if it takes nothing of the kind."""
        option = self.options[name]
        with contextlib.suppress(chess.engine.EngineError, ValueError):
            if option.type == "spin":
                value = int(value)
                value = value if option.max is None else min(value, option.max)
                value = value if option.min is None else max(value, option.min)
            return option.parse(value)
        return None

    def option_name(self, name: str) -> str:
        """The engine's name of an option, in any case of letters; empty if it has none."""
        names = {own.lower(): own for own in self.options}
        return names.get(name.lower()) or names.get(_CECP_NAMES.get(name.lower(), ""), "")

    def known(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the options that the engine has, by its names, with values that it takes."""
        names = {own: value for name, value in options.items() if (own := self.option_name(name))}
        known = {own: self.nearest(own, value) for own, value in names.items()}
        return {own: value for own, value in known.items() if value is not None}

    def is_set(self, name: str) -> bool:
        """True if the engine has that option, and it is on."""
        return bool(cast("Any", self).config.get(name))

    def most_lines(self, lines: int) -> int | None:
        """As many lines as the engine can show, at most so many; None for one."""
        option = self.options.get("MultiPV")
        most = min(lines, option.max or lines) if option else 1
        return most if most > 1 else None

    def known_board(self, board: chess.Board) -> chess.Board:
        """The same game; for an engine without Chess960 as one of ordinary chess, if its castling is that."""
        root = board.root()
        if (
            "UCI_Chess960" in self.options
            or not board.chess960
            or root.has_chess960_castling_rights()
        ):
            return board
        plain = chess.Board(root.fen())
        for move in board.move_stack:
            plain.push_uci(move.uci())
        return plain

    async def unless_ended(self, work: asyncio.Task[Answer]) -> Answer:
        """The result of a task with the engine, which goes on if this wait is cancelled.

        Raises EngineTerminatedError if the engine ends before: python-chess does not tell that each task.
        """
        either: set[asyncio.Future[Any]] = {work, self.returncode}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise chess.engine.EngineTerminatedError
        return work.result()

    def quiet_seconds(self, info: Info, nodes: int) -> float | None:
        """Seconds without a line after this one, when an engine that was to end has nothing more to say.

        None for the usual silence.
        """
        mate = None if info.bound else info.score.mate
        is_settled = mate is not None and info.depth > 2 * abs(mate)
        return _MATE_QUIET if is_settled else None  # a shorter one would have been found

    def failure(self, what: str) -> EngineProcessError:
        """Why it was killed; else an error that says what has happened, with its last remark."""
        last = (
            f" (its last remark: {shorten(self.remarks[-1], _MAX_REMARK)})" if self.remarks else ""
        )
        return self.fault or EngineProcessError(f"{what}{last}", self.remarks)

    def give_up(self, fault: EngineProcessError) -> None:
        """Kill it for that reason."""
        self.fault = self.fault or fault
        self.kill()

    def kill(self) -> None:
        """Kill the process and those that it has started; on any thread."""
        # Not by the transport: it may reap the process before the loop, which then logs an error.
        pid = self.transport.get_pid() if self.transport else None
        if pid and not self._is_gone:
            with contextlib.suppress(OSError):
                if os.name == "posix":
                    os.killpg(pid, signal.SIGKILL)
                else:
                    os.kill(pid, signal.SIGTERM)


class UciConnection(Connection, RefusalListener):
    """UCI."""

    greeting = "uci"
    _position_line = ""  # to be sent

    def _hear(self, reader: InfoReader, line: str) -> Info | str | None:
        if line.split(maxsplit=1)[:1] != ["info"]:
            return None
        heard = reader.read_uci(line)
        if isinstance(heard, str):
            self.note_refusal(line)
        return heard

    def _mend(self, line: str) -> str:
        return read_option(line) if line.split(maxsplit=1)[:1] == ["option"] else line

    def send_line(self, line: str) -> None:
        """Send a command; a position goes out with the `go` behind it, so that the engine wakes once."""
        if line.startswith("position "):
            self._position_line = f"{line}\n"
        else:
            super().send_line(self._position_line + line)
            self._position_line = ""


class CecpConnection(Connection, chess.engine.XBoardProtocol):
    """CECP, for engines too that take their time to start, or set up positions by `edit` alone."""

    greeting = "xboard"
    _edits = False

    def _hear(self, reader: InfoReader, line: str) -> Info | str | None:
        return reader.read_cecp(line) if self.initialized else None

    def quiet_seconds(self, info: Info, nodes: int) -> float | None:
        """Also for an analysis without a mate, as CECP knows no limits for one."""
        return super().quiet_seconds(info, nodes) or max(_CECP_QUIET, nodes / _MIN_SPEED)

    async def initialize(self) -> None:
        """Greet it; GNU Chess answers only when it is spoken to, and says late that it is done."""
        greeting = asyncio.create_task(super().initialize())
        try:
            while not (await asyncio.wait({greeting}, timeout=_NUDGE_INTERVAL))[0]:
                self.send_line("ping 1" if self.features.get("ping") else "new")
            greeting.result()
        finally:
            greeting.cancel()

    def line_received(self, line: str) -> None:
        """Called for each line."""
        super().line_received(line)
        if line.startswith("pong") and not self.initialized:
            self.loop.call_soon(self.pipe_data_received, 1, b"feature done=1\n")

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Called for what the process writes."""
        content = _OWN_MOVE.sub(b"move ", _PROMPT.sub(b"", cast("bytes", data)))
        if not self.initialized and b"setboard=0" in content:
            self._edits = True
            content = content.replace(b"setboard=0", b"setboard=1")
        super().pipe_data_received(fd, content)

    def send_line(self, line: str) -> None:
        """Send a command."""
        if self._edits and line.startswith("setboard "):
            for each in _edit_commands(chess.Board(line.removeprefix("setboard "))):
                super().send_line(each)
        elif line != ".":  # Fairy-Max crashes on it, and nobody reads the answer
            super().send_line(line)
        if line == "protover 2":  # python-chess waits for two seconds, unless it is asked for more
            self.loop.call_soon(self.pipe_data_received, 1, b"feature done=0\n")


@contextlib.contextmanager
def remark_later(
    remark: Callable[[str], None] | None, what: str, late: float = 0.0
) -> Iterator[asyncio.TimerHandle]:
    """Remark, or log, what the block waits for if it takes long, unless the block cancels the timer.

    It is expected to take `late` seconds.
    """
    loop = asyncio.get_running_loop()
    timer = loop.call_later(late + _REMARK_AFTER, remark or _LOG.warning, what)
    try:
        yield timer
    finally:
        timer.cancel()


def handle_engine_errors(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Handles errors of a loop that python-chess does not raise where they could be caught."""
    problem, connection = context.get("exception"), context.get("protocol")
    if isinstance(problem, chess.engine.EngineError) and isinstance(connection, Connection):
        connection.give_up(name_failure(problem))
    elif not (
        # The engine has ended before its search had begun; that is reported, or was requested.
        isinstance(problem, chess.engine.EngineTerminatedError)
        and context.get("message") == "Future exception was never retrieved"
    ):
        loop.default_exception_handler(context)


def name_failure(problem: Exception) -> EngineProcessError:
    """The error for the user, of one that python-chess has raised."""
    if problem.args and isinstance(problem.args[0], ValueError):
        return EngineMoveError(f"the engine has played no legal move ({shorten(str(problem))})")
    return EngineProcessError(f"the engine has failed: {shorten(str(problem))}")


def limit_of(limits: Limits, game: object) -> Limit | None:
    """The limit for python-chess; None if only `stop` ends the search."""
    names = ("movetime", "white_time", "black_time", "white_increment", "black_increment")
    times = [None if (time := getattr(limits, name)) is None else time / 1000 for name in names]
    limit = Limit(
        times[0],
        depth=limits.depth,
        nodes=limits.nodes,
        mate=limits.mate,
        white_clock=times[1],
        black_clock=times[2],
        white_inc=times[3],
        black_inc=times[4],
        remaining_moves=limits.moves_to_go,
    )
    return None if limits.infinite or limit == Limit() else replace(limit, clock_id=game)


def _edit_commands(board: chess.Board) -> list[str]:
    """Set up a position after `new` and `force` without `setboard`."""
    commands = [*([] if board.turn else ["a2a3"]), "edit", "#"]  # so that it is that side's turn
    for colour in chess.COLORS:
        for square, piece in board.piece_map(mask=board.occupied_co[colour]).items():
            commands.append(f"{piece.symbol().upper()}{chess.square_name(square)}")
        commands.append("c" if colour else ".")
    return commands
