"""The session: executes one command after the other, and never waits for a move.

Searches run on another thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import chess

from boomslang.core.system.sanitize import harmless
from boomslang.engine.driver.loading import KernelLoader
from boomslang.engine.errors import CommandError
from boomslang.engine.options import find
from boomslang.uci.cecp import features
from boomslang.uci.cecp.clock import whole_number
from boomslang.uci.cecp.game import looks_like_a_move
from boomslang.uci.cecp.play import CecpSearch, Play
from boomslang.uci.formatting import opponent
from boomslang.uci.loop import SearchThread
from boomslang.uci.output import Output
from boomslang.uci.protocol_engine import ProtocolEngine


@dataclass(frozen=True, slots=True)
class Command:
    """A line: its first word, the whole line, the other words, and its arrival (time.monotonic)."""

    word: str
    text: str
    words: Sequence[str]
    whole: bool
    started: float

    @property
    def rest(self) -> str:
        """The raw rest after the first word."""
        return self.text.partition(self.word)[2].strip()

    @property
    def first(self) -> str:
        """The first argument; raises CommandError."""
        if not self.words:
            raise CommandError("an argument is missing")
        return self.words[0]


Execute: TypeAlias = Callable[[Command], None]

_UNKNOWN: Final = {"rating": "none", "kind": "human", "name": "none"}  # an opponent


class CecpSession:
    """Executes commands; all methods are called on one thread."""

    def __init__(self, output: Output, kernels: KernelLoader, thread: SearchThread) -> None:
        self._output = output
        self._kernels = kernels
        self._thread = thread
        self._engine = ProtocolEngine(output.say, kernels)
        self._play = Play(
            output, self._engine, lambda search: thread.post(lambda: self._take(search))
        )
        self._during = self._commands_during_search()
        self._after = self._commands_after_move()
        self._instead = self._commands_instead_of_search()
        self._opponent = _UNKNOWN
        self._deferred: list[Command] = []  # until the engine's move is made
        self._done: threading.Event | None = None  # to be set at the end

    def end_features(self, until: float) -> None:
        """Wait for the kernels, but no longer than to this moment of time.monotonic(), and say `done=1`."""
        kernels = self._kernels
        kernels.wait(max(0.0, until - time.monotonic()), lambda: kernels.is_waiting_stopped)
        self._output.line("feature done=1")
        self._settle()  # commands before may have left something to do

    def receive(self, line: bytes, words: Sequence[str], whole: bool, started: float) -> None:
        """Execute a line, which came at `started` (time.monotonic)."""
        text = line.decode("utf-8", "replace").strip()
        try:
            self._guard(Command(words[0], text, words[1:], whole, started))
        finally:
            self._settle()

    def end(self, done: threading.Event, at_once: bool) -> None:
        """The input has ended: set `done` when nothing is owed; `at_once`: a pending move is made now."""
        self._done = done
        if at_once:
            self._play.move_now()
        self._settle()

    def _take(self, search: CecpSearch) -> None:
        try:
            self._play.take(search)
        finally:
            self._run_deferred()
            self._settle()

    def _settle(self) -> None:
        """If nothing else is to be done: go on pondering or analysing, or end unless an answer is pending."""
        if not self._thread.is_idle:
            return
        if not self._done:
            self._play.go_on()
        elif not self._play.is_thinking:
            self._play.halt()
            self._done.set()

    def _guard(self, command: Command) -> None:
        try:
            self._execute(command)
        except CommandError as problem:
            self._output.line(f"Error ({problem}): {harmless(command.text)}".rstrip())

    # Commands

    def _execute(self, command: Command) -> None:
        word = command.word
        if not (execute := (self._during | self._after | self._instead).get(word)):
            if not looks_like_a_move(word):
                raise CommandError("unknown command")
            self._usermove(command, word)
            return
        if not command.whole:
            if word == "setboard":
                self._set_up(command)
            raise CommandError("line too long")
        if word in self._after and self._play.is_thinking:
            self._deferred.append(command)
            return
        if word in self._instead:
            self._play.interrupt()
            self._run_deferred()
        execute(command)

    def _run_deferred(self) -> None:
        while self._deferred and not self._play.is_thinking:
            self._guard(self._deferred.pop(0))

    # What each command does; it may raise CommandError

    def _commands_during_search(self) -> dict[str, Execute]:
        """Those that leave it alone."""
        play, clock = self._play, self._play.clock
        return {
            "level": lambda command: clock.level(command.words, play.game.plies),
            "st": lambda command: clock.st(command.first),
            "sd": lambda command: clock.sd(command.first),
            "nps": lambda command: clock.nps(command.first),
            "time": lambda command: clock.time(command.first),
            "otim": lambda command: clock.otim(command.first),
            "usermove": lambda command: self._usermove(command, command.first),
            "?": lambda command: play.move_now(),
            "draw": lambda command: play.consider_draw(),
            "post": lambda command: setattr(play, "shows_thinking", True),
            "nopost": lambda command: setattr(play, "shows_thinking", False),
            "hard": lambda command: play.allow_pondering(True),
            "easy": lambda command: play.allow_pondering(False),
            "exit": self._exit,
            "random": lambda command: None,  # XBoard sends it before each game
            ".": lambda command: None,  # analysis shows its lines anyway
        }

    def _commands_after_move(self) -> dict[str, Execute]:
        """Those that wait for the end of a search for a move."""
        return {
            "ping": self._ping,
            "option": self._option,
            "memory": lambda command: self._configure("Hash", command.first),
            "cores": lambda command: self._configure("Threads", command.first),
            "egtpath": self._tables,
            "name": lambda command: self._meet(name=command.rest or "none"),
            "rating": self._rate,
            "computer": lambda command: self._meet(kind="computer"),
            "exclude": lambda command: self._play.exclude(command.first, True),
            "include": lambda command: self._play.exclude(command.first, False),
        }

    def _commands_instead_of_search(self) -> dict[str, Execute]:
        """Those that end every search."""
        play = self._play
        return {
            "new": self._new,
            "variant": self._variant,
            "setboard": self._set_up,
            "force": lambda command: play.take_side(None),
            "result": lambda command: play.take_side(None),
            "go": self._go,
            "playother": lambda command: self._take_side(not play.game.board.turn),
            "undo": lambda command: self._take_back(1),
            "remove": lambda command: self._take_back(2),
            "analyze": self._analyze,
        }

    # The board

    def _new(self, command: Command) -> None:
        self._engine.new_game()
        self._play.new_game()
        self._opponent = _UNKNOWN
        self._engine.set_option("UCI_Opponent")

    def _variant(self, command: Command) -> None:
        self._play.game.new(command.first)
        self._play.position_changed()

    def _set_up(self, command: Command) -> None:
        """`setboard`; after an overlong line there is no position."""
        try:
            self._play.game.set_up(command.rest if command.whole else "")
        except CommandError as problem:
            self._output.line("tellusererror Illegal position")
            self._output.say(f"error: {problem}")
        self._play.position_changed()

    def _take_back(self, plies: int) -> None:
        self._play.game.take_back(plies)
        self._play.offers.start_afresh()
        self._play.forget_excluded()

    def _usermove(self, command: Command, word: str) -> None:
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
        if wanted != self._play.is_analysing:
            self._play.is_analysing = wanted
            self._engine.set_option("UCI_AnalyseMode", wanted)

    def _exit(self, command: Command) -> None:
        if self._play.is_analysing:
            self._play.interrupt()
            self._analyse(False)
            self._play.forget_excluded()

    # The engine

    def _ping(self, command: Command) -> None:
        """`ping`: all earlier commands are done. Before a game, wait briefly for the kernels."""
        if not (self._play.is_under_way or self._play.search):
            self._kernels.wait_until_ready()
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
        kind = command.first
        path = command.rest[len(kind) :].strip()
        if kind.lower() == "syzygy" and path != self._engine.value_of(features.TABLES):
            self._configure(features.TABLES, path)

    def _configure(self, name: str, value: str) -> None:
        """Set an option of the engine between searches."""
        find(name).read(value)  # raises before a search is ended needlessly
        self._play.halt()
        try:
            self._engine.set_option(name, value)
        except CommandError as problem:  # a missing file is no error of the protocol
            self._output.say(f"error: {problem}")

    def _rate(self, command: Command) -> None:
        if len(command.words) < 2:
            raise CommandError("two numbers expected")
        self._meet(rating=str(max(0, whole_number(command.words[1])) or "none"))

    def _meet(self, **told: str) -> None:
        """Tell the engine and the user about the opponent, in the form of UCI_Opponent."""
        self._opponent = about = self._opponent | told
        text = f"none {about['rating']} {about['kind']} {about['name']}"
        self._output.say(opponent(text))
        self._configure("UCI_Opponent", text)
