"""The session: executes one command after the other, and never waits for a move.

Searches run on another thread. The `Timing` of a command determines its effect on a running search.
"""

from __future__ import annotations

import enum
import queue
import threading
import time
from collections.abc import Callable
from typing import Final, TypeAlias

import chess

from boomslang.core.system.sanitize import harmless, quote
from boomslang.engine.driver.loading import KernelLoader
from boomslang.engine.errors import CommandError
from boomslang.engine.options import find
from boomslang.uci.cecp import features, formatting
from boomslang.uci.cecp.game import looks_like_a_move
from boomslang.uci.cecp.messages import Command, EndOfInput, Message
from boomslang.uci.cecp.play import CecpSearch, Play
from boomslang.uci.formatting import opponent
from boomslang.uci.output import Output
from boomslang.uci.parse import loose_number
from boomslang.uci.protocol_engine import ProtocolEngine

_STATE_AFTER: Final = 0.1  # seconds; python-chess sends `.`, then `exit`, and expects no answer
_POLL_INTERVAL: Final = 0.02  # seconds between checks for the end of the input


Execute: TypeAlias = Callable[[Command], None]


class Timing(enum.Enum):
    """When a command is executed during a search for a move."""

    CONCURRENT = enum.auto()  # at once, without affecting it
    AFTER_MOVE = enum.auto()  # after the move
    INTERRUPTS = enum.auto()  # at once; ends every search


class CecpSession:
    """Handles the messages of a queue, on one thread."""

    def __init__(
        self,
        output: Output,
        kernels: KernelLoader,
        messages: queue.SimpleQueue[Message],
        leaving: threading.Event,
    ) -> None:
        self._output = output
        self._kernels = kernels
        self._queue = messages
        self._leaving = leaving
        self._engine = ProtocolEngine(output.say, kernels)
        self._play = Play(output, self._engine, self._post)
        self._commands = self._table()
        self._opponent: dict[str, str] = {}  # what the GUI has told about it
        self._state_due: float | None = None  # time.monotonic() of the answer to `.`
        self._deferred: list[Command] = []  # until the engine's move is made
        self._ends: list[EndOfInput] = []

    def run(self, first: Message) -> None:
        """Handle all messages, beginning with `first`; never returns."""
        message: Message | None = first
        while True:
            if isinstance(message, EndOfInput):
                self._ends.append(message)
                if message.at_once:
                    self._play.move_now()
            elif message:
                self._guard(message)
            if self._queue.empty():
                self._guard(self._report_end if self._ends else self._play.go_on)
            message = self._next()

    def _post(self, search: CecpSearch) -> None:
        """Queue the end of a search; called by its thread."""
        self._queue.put(lambda: self._take(search))

    def _next(self) -> Message | None:
        """The next message; None if an answer to `.` is due before."""
        due = self._state_due
        if due is None:
            return self._queue.get()
        try:
            return self._queue.get(timeout=max(0.0, due - time.monotonic()))
        except queue.Empty:
            self._state_due = None
            self._guard(self._play.analysis.report_state)
            return None

    def _report_end(self) -> None:
        """Set the events of the end of the input, unless a move or a hint is pending."""
        if not self._play.owes_answer:
            self._play.searches.halt()
            while self._ends:
                self._ends.pop().done.set()

    def _guard(self, work: Command | Callable[[], None]) -> None:
        """Do the work and report its exceptions: no input may end the session."""
        try:
            if isinstance(work, Command):
                self._receive(work)
            else:
                work()
        except CommandError as problem:
            shown_line = harmless(work.text) if isinstance(work, Command) else ""
            self._output.line(f"Error ({problem}): {shown_line}".rstrip())
        except Exception as problem:
            said = f"{type(problem).__name__} {quote(str(problem))}"
            self._output.say(f"error: internal error: {said}")

    def _take(self, search: CecpSearch) -> None:
        try:
            self._play.take(search)
        finally:
            self._run_deferred()

    # Commands

    def _receive(self, command: Command) -> None:
        timing, execute = self._commands.get(command.word, (None, None))
        if execute is None:
            if not looks_like_a_move(command.word):
                raise CommandError("unknown command")
            self._usermove(command, command.word)
            return
        if not command.whole:
            if command.word == "setboard":
                self._set_up(command)
            raise CommandError("line too long")
        if timing is Timing.AFTER_MOVE and self._play.is_thinking:
            self._deferred.append(command)
            return
        if timing is Timing.INTERRUPTS:
            self._play.interrupt()
            self._run_deferred()
        execute(command)

    def _run_deferred(self) -> None:
        """Execute the commands that were deferred until the move."""
        while self._deferred and not self._play.is_thinking:
            command = self._deferred.pop(0)
            self._guard(command)

    # What each command does; it may raise CommandError

    def _table(self) -> dict[str, tuple[Timing, Execute]]:
        """All commands by their first words."""
        play, clock = self._play, self._play.clock
        beside: dict[str, Execute] = {
            "level": lambda command: clock.level(command.words, play.game.plies),
            "st": lambda command: clock.st(_first(command)),
            "sd": lambda command: clock.sd(_first(command)),
            "nps": lambda command: clock.nps(_first(command)),
            "time": lambda command: clock.time(_first(command)),
            "otim": lambda command: clock.otim(_first(command)),
            "usermove": lambda command: self._usermove(command, _first(command)),
            "?": lambda command: play.move_now(),
            "draw": lambda command: play.consider_draw(),
            "hint": lambda command: play.give_hint(),
            "bk": lambda command: self._show_book(),
            "post": lambda command: self._show_thinking(True),
            "nopost": lambda command: self._show_thinking(False),
            "hard": lambda command: self._allow_pondering(True),
            "easy": lambda command: self._allow_pondering(False),
            ".": self._dot,
            "exit": self._exit,
            "random": lambda command: None,  # XBoard sends it before each game
        }
        after: dict[str, Execute] = {
            "ping": self._ping,
            "option": self._option,
            "memory": lambda command: self._configure("Hash", _first(command)),
            "cores": lambda command: self._configure("Threads", _first(command)),
            "egtpath": self._tables,
            "name": lambda command: self._meet(name=command.rest or "none"),
            "rating": self._rate,
            "computer": lambda command: self._meet(kind="computer"),
            "exclude": lambda command: play.analysis.exclude(_first(command)),
            "include": lambda command: play.analysis.include(_first(command)),
        }
        instead: dict[str, Execute] = {
            "new": self._new,
            "variant": self._variant,
            "setboard": self._set_up,
            "force": lambda command: play.take_side(None),
            "result": lambda command: play.take_side(None),
            "go": self._go,
            "playother": lambda command: self._take_side(not play.game.board.turn),
            "white": lambda command: self._give_turn(chess.WHITE),
            "black": lambda command: self._give_turn(chess.BLACK),
            "undo": lambda command: self._take_back(1),
            "remove": lambda command: self._take_back(2),
            "analyze": self._analyze,
        }
        return {
            word: (timing, execute)
            for timing, commands in (
                (Timing.CONCURRENT, beside),
                (Timing.AFTER_MOVE, after),
                (Timing.INTERRUPTS, instead),
            )
            for word, execute in commands.items()
        }

    # The board

    def _new(self, command: Command) -> None:
        self._engine.new_game()
        self._play.new_game()
        self._opponent = {}
        self._engine.set_option("UCI_Opponent")

    def _variant(self, command: Command) -> None:
        self._play.game.new(_first(command))
        self._play.position_changed()

    def _set_up(self, command: Command) -> None:
        """`setboard`; after an overlong line there is no position."""
        try:
            self._play.game.set_up(command.rest if command.whole else "")
        except CommandError as problem:
            self._output.line("tellusererror Illegal position")
            self._output.say(f"error: {problem}")
        self._play.position_changed()

    def _give_turn(self, colour: chess.Color) -> None:
        self._play.game.give_turn(colour)
        self._play.position_changed()
        self._take_side(not colour)

    def _take_back(self, plies: int) -> None:
        self._play.game.take_back(plies)
        self._play.offers.start_afresh()
        self._play.analysis.position_changed()

    def _usermove(self, command: Command, word: str) -> None:
        """A move, with or without `usermove` before it."""
        try:
            if self._play.is_thinking:
                raise CommandError("it is our turn")
            move = self._play.game.read(word)
        except CommandError as problem:
            self._output.line(f"Illegal move: {harmless(word)}")
            self._output.say(f"error: {problem}")
            return
        self._play.play_opponent_move(move, command.started)

    # Playing and analysing

    def _take_side(self, colour: chess.Color) -> None:
        self._analyse(False)
        self._play.take_side(colour)

    def _go(self, command: Command) -> None:
        self._take_side(self._play.game.board.turn)
        self._play.think_if_due(command.started)

    def _analyze(self, command: Command) -> None:
        self._play.take_side(None)
        self._analyse(True)

    def _analyse(self, wanted: bool) -> None:
        """Enter or leave analysis mode; no search may be running."""
        if wanted != self._play.analysis.is_on:
            self._play.analysis.is_on = wanted
            self._engine.set_option("UCI_AnalyseMode", wanted)

    def _exit(self, command: Command) -> None:
        if self._play.analysis.is_on:
            self._state_due = None
            self._play.interrupt()
            self._analyse(False)
            self._play.analysis.position_changed()

    def _dot(self, command: Command) -> None:
        if self._state_due is None and self._play.analysis.is_on:
            self._state_due = time.monotonic() + _STATE_AFTER

    def _show_book(self) -> None:
        """`bk`: each line begins with a blank, the last one is empty."""
        board = self._play.game.board
        moves = self._engine.book.shares(board)
        lines = [f" {formatting.spell(move, board)} {share} %" for move, share in moves]
        self._output.line("\n".join([*(lines or [" no book moves"]), ""]))

    def _show_thinking(self, wanted: bool) -> None:
        self._play.shows_thinking = wanted

    def _allow_pondering(self, wanted: bool) -> None:
        self._play.may_ponder = wanted
        if not wanted:
            self._play.stop_pondering()

    # The engine

    def _ping(self, command: Command) -> None:
        """`ping`: all earlier commands are done. Before a game, wait briefly for the kernels."""
        until = time.monotonic() + self._kernels.remaining_wait()
        play = self._play
        while not (play.is_under_way or play.searches.current or self._leaving.is_set()):
            if self._kernels.wait(_POLL_INTERVAL) or time.monotonic() > until:
                break
        self._output.line(f"pong {harmless(' '.join(command.words))}".rstrip())

    def _option(self, command: Command) -> None:
        option = features.read_option(command.rest)
        if option.name == "Debug Log File":
            self._output.log.open(str(find(option.name).read(option.value)))
            return
        self._configure(option.name, option.value)
        if option.name == features.RESIGN:
            self._play.offers.resign_below = int(self._engine.value_of(features.RESIGN))

    def _tables(self, command: Command) -> None:
        """`egtpath TYPE PATH`: the path is the raw rest of the line.

        XBoard sends one before each game, even if the user has set none, so the same one is not opened again.
        """
        kind = _first(command)
        path = command.rest[len(kind) :].strip()
        if kind.lower() == "syzygy" and path != self._engine.value_of(features.TABLES):
            self._configure(features.TABLES, path)

    def _configure(self, name: str, value: str) -> None:
        """Set an option of the engine between searches."""
        find(name).read(value)  # raises before a search is ended needlessly
        self._play.searches.halt()
        try:
            self._engine.set_option(name, value)
        except CommandError as problem:  # a missing file is no error of the protocol
            self._output.say(f"error: {problem}")

    def _rate(self, command: Command) -> None:
        """`rating OURS THEIRS`; 0 is unknown."""
        ratings = [loose_number(word) for word in command.words]
        if len(ratings) < 2 or ratings[1] is None:
            raise CommandError("two numbers expected")
        self._meet(rating=str(max(0, ratings[1]) or "none"))

    def _meet(self, **told: str) -> None:
        """Tell the engine and the user about the opponent, in the form of UCI_Opponent."""
        about = {"rating": "none", "kind": "human", "name": "none"} | self._opponent | told
        self._opponent = about
        text = f"none {about['rating']} {about['kind']} {about['name']}"
        self._output.say(opponent(text))
        self._configure("UCI_Opponent", text)


def _first(command: Command) -> str:
    """The first argument of a command; raises CommandError."""
    if not command.words:
        raise CommandError("an argument is missing")
    return command.words[0]
