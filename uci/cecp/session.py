"""The session: obeys one command after the other, and never waits for a move.

Searches run beside it. What a command does to one that is going on is a matter of its manner.
"""

from __future__ import annotations

import enum
import queue
import threading
import time
from collections.abc import Callable
from typing import Final, NamedTuple

import chess

from uci.cecp import features
from uci.cecp.brain import Thought
from uci.cecp.edit import Editor
from uci.cecp.mail import Command, Mail
from uci.cecp.opponent import Opponent
from uci.cecp.play import Play
from uci.cecp.record import looks_like_a_move
from uci.kernels import Kernels
from uci.options import find
from uci.output import Output
from uci.parse import OptionCommand, Refused
from uci.report import harmless, quote
from uci.thinker import Thinker

_STATE_AFTER: Final = 0.1  # seconds; python-chess says `.` and `exit` at once, and wants no answer
_GLANCE: Final = 0.02  # seconds between looks at whether we are leaving


class Manner(enum.Enum):
    """How a command gets on with a search for a move."""

    BESIDE = enum.auto()  # does not touch it
    AFTER = enum.auto()  # waits for the move
    INSTEAD = enum.auto()  # ends it, and every other search too


class Entry(NamedTuple):
    """A word of the protocol."""

    manner: Manner
    obey: Callable[[Command], None]


class Session:
    """Reads the mailbox for ever, on one thread."""

    def __init__(
        self,
        output: Output,
        kernels: Kernels,
        mailbox: queue.SimpleQueue[Mail],
        leaving: threading.Event,
    ) -> None:
        self._output = output
        self._kernels = kernels
        self._mailbox = mailbox
        self._leaving = leaving
        self._thinker = Thinker(output.say, kernels)
        self._play = Play(output, self._thinker, self._post)
        self._opponent = Opponent(output.say)
        self._editor: Editor | None = None
        self._waiting: list[Command] = []  # for the move that we think about
        self._state_due: float | None = None  # when to answer `.`
        self._entries = self._table()

    def run(self, first: Mail) -> None:
        """Open letters, the first one first."""
        mail: Mail | None = first
        while True:
            if isinstance(mail, threading.Event):
                mail.set()
            elif mail:
                self._guard(mail)
            if self._mailbox.empty():
                self._guard(self._play.go_on)
            mail = self._next()

    def _post(self, thought: Thought) -> None:
        """A search has ended; called by its thread."""
        self._mailbox.put(lambda: self._take(thought))

    def _next(self) -> Mail | None:
        """The next letter; None if something is due before."""
        if self._state_due is None:
            return self._mailbox.get()
        try:
            return self._mailbox.get(timeout=max(0.0, self._state_due - time.monotonic()))
        except queue.Empty:
            self._state_due = None
            self._guard(self._play.analysis.tell_state)
            return None

    def _guard(self, work: Command | Callable[[], None]) -> None:
        """Nothing that strangers send may end the session."""
        try:
            if isinstance(work, Command):
                self._receive(work)
            else:
                work()
        except Refused as problem:
            shown = work.shown if isinstance(work, Command) else ""
            self._output.line(f"Error ({problem}): {shown}".rstrip())
        except Exception as problem:
            said = f"{type(problem).__name__} {quote(str(problem))}"
            self._output.say(f"error: that failed: {said}")

    def _take(self, thought: Thought) -> None:
        self._play.take(thought)
        self._obey_waiting()

    # Which command

    def _receive(self, command: Command) -> None:
        if self._editor:
            self._edit_further(self._editor, command)
            return
        entry = self._entries.get(command.word)
        if entry is None:
            if not looks_like_a_move(command.word):
                raise Refused("unknown command")
            self._usermove(command, command.word)
            return
        if not command.whole:
            if command.word == "setboard":
                self._set_up(command)
            raise Refused("line too long")
        if entry.manner is Manner.AFTER and self._play.is_thinking:
            self._waiting.append(command)
            return
        if entry.manner is Manner.INSTEAD:
            self._play.interrupt()
            self._obey_waiting()
        entry.obey(command)

    def _obey_waiting(self) -> None:
        """What had to wait for the move."""
        while self._waiting and not self._play.is_thinking:
            command = self._waiting.pop(0)
            self._guard(command)

    def _table(self) -> dict[str, Entry]:
        play, clock = self._play, self._play.clock
        beside: dict[str, Callable[[Command], None]] = {
            "level": lambda command: clock.level(command.words, play.record.plies),
            "st": lambda command: clock.st(_first(command)),
            "sd": lambda command: clock.sd(_first(command)),
            "nps": lambda command: clock.nps(_first(command)),
            "time": lambda command: clock.time(_first(command)),
            "otim": lambda command: clock.otim(_first(command)),
            "usermove": lambda command: self._usermove(command, _first(command)),
            "?": lambda command: play.move_now(),
            "draw": lambda command: play.consider_draw(),
            "hint": lambda command: play.give_hint(),
            "bk": lambda command: self._output.line(" There is no book.\n"),
            "post": lambda command: self._show_thinking(True),
            "nopost": lambda command: self._show_thinking(False),
            "hard": lambda command: self._allow_pondering(True),
            "easy": lambda command: self._allow_pondering(False),
            ".": self._dot,
            "exit": self._exit,
            "name": lambda command: self._opponent.call(command.rest),
            "rating": lambda command: self._opponent.rate(command.words),
            "computer": lambda command: self._opponent.is_computer(),
            # Our play is the same on a chess server, and needs no dice.
            **dict.fromkeys(("ics", "random"), _nothing),
        }
        after: dict[str, Callable[[Command], None]] = {
            "ping": self._ping,
            "option": self._option,
            "memory": lambda command: self._configure("Hash", _first(command)),
            "cores": lambda command: self._configure("Threads", _first(command)),
            "egtpath": self._tables,
            "exclude": lambda command: play.analysis.exclude(_first(command)),
            "include": lambda command: play.analysis.include(_first(command)),
        }
        instead: dict[str, Callable[[Command], None]] = {
            "new": self._new,
            "variant": self._variant,
            "setboard": self._set_up,
            "edit": self._edit,
            "force": lambda command: play.take_side(None),
            "result": lambda command: play.take_side(None),
            "go": self._go,
            "playother": lambda command: self._take_side(not play.record.board.turn),
            "white": lambda command: self._give_turn(chess.WHITE),
            "black": lambda command: self._give_turn(chess.BLACK),
            "undo": lambda command: self._take_back(1),
            "remove": lambda command: self._take_back(2),
            "analyze": self._analyze,
        }
        return {
            word: Entry(manner, obey)
            for manner, commands in (
                (Manner.BESIDE, beside),
                (Manner.AFTER, after),
                (Manner.INSTEAD, instead),
            )
            for word, obey in commands.items()
        }

    # The board

    def _new(self, command: Command) -> None:
        self._thinker.new_game()
        self._play.new_game()
        self._opponent.forget()

    def _variant(self, command: Command) -> None:
        self._play.record.new(_first(command))
        self._play.position_changed()

    def _set_up(self, command: Command) -> None:
        try:
            self._play.record.set_up(command.rest if command.whole else "")
        except Refused as problem:
            self._output.line("tellusererror Illegal position")
            self._output.say(f"error: {problem}")
        self._play.position_changed()

    def _edit(self, command: Command) -> None:
        record = self._play.record
        self._editor = Editor(record.board if record.is_sound else chess.Board())

    def _edit_further(self, editor: Editor, command: Command) -> None:
        if command.text != ".":
            editor.obey(command.text)
            return
        self._editor = None
        self._play.record.refuse()
        try:
            self._play.record.replace(editor.board())
        except Refused:
            self._output.line("tellusererror Illegal position")
        self._play.position_changed()

    def _give_turn(self, colour: chess.Color) -> None:
        self._play.record.give_turn(colour)
        self._play.position_changed()
        self._take_side(not colour)

    def _take_back(self, plies: int) -> None:
        self._play.record.take_back(plies)
        self._play.analysis.position_changed()

    def _usermove(self, command: Command, word: str) -> None:
        try:
            if self._play.is_thinking:
                raise Refused("it is our turn")
            move = self._play.record.read(word)
        except Refused as problem:
            self._output.line(f"Illegal move: {harmless(word)}")
            self._output.say(f"error: {problem}")
            return
        self._play.opponent_moves(move, command.started)

    # Playing and analysing

    def _take_side(self, colour: chess.Color) -> None:
        self._analyse(False)
        self._play.take_side(colour)

    def _go(self, command: Command) -> None:
        self._take_side(self._play.record.board.turn)
        self._play.think_if_due(command.started)

    def _analyze(self, command: Command) -> None:
        self._play.take_side(None)
        self._analyse(True)

    def _analyse(self, wanted: bool) -> None:
        """Begin or end the mode; no search may be going on."""
        if wanted != self._play.analysis.is_on:
            self._play.analysis.is_on = wanted
            self._thinker.configure(find("UCI_AnalyseMode"), wanted)

    def _exit(self, command: Command) -> None:
        if self._play.analysis.is_on:
            self._state_due = None
            self._play.interrupt()
            self._analyse(False)
            self._play.analysis.position_changed()

    def _dot(self, command: Command) -> None:
        if self._state_due is None and self._play.analysis.is_on:
            self._state_due = time.monotonic() + _STATE_AFTER

    def _show_thinking(self, wanted: bool) -> None:
        self._play.shows_thinking = wanted

    def _allow_pondering(self, wanted: bool) -> None:
        self._play.may_ponder = wanted
        if not wanted:
            self._play.stop_pondering()

    # The engine

    def _ping(self, command: Command) -> None:
        """Nothing is left to be done; a moment for the kernels, if they are not there yet."""
        until = time.monotonic() + self._kernels.patience()
        while not (self._play.brain.current or self._leaving.is_set() or time.monotonic() > until):
            if self._kernels.wait(_GLANCE):
                break
        self._output.line(f"pong {harmless(' '.join(command.words))}".rstrip())

    def _option(self, command: Command) -> None:
        option = features.read_option(command.rest)
        if option.name == features.RESIGN.name:
            self._play.manners.resign_below = int(features.RESIGN.read(option.value))
            return
        self._configure(option.name, option.value)

    def _tables(self, command: Command) -> None:
        """`egtpath TYPE PATH`: the path is the raw rest."""
        kind = _first(command)
        if kind.lower() == "syzygy" and features.has_option(features.TABLES):
            self._configure(features.TABLES, command.rest[len(kind) :].strip())

    def _configure(self, name: str, value: str) -> None:
        """Set an option of the engine between searches."""
        command = OptionCommand(name, value)
        find(name).read(value)  # before a search is ended in vain
        self._play.brain.halt()
        self._thinker.set_option(command)


def _first(command: Command) -> str:
    """The word after the command; raises Refused."""
    if not command.words:
        raise Refused("something is missing")
    return command.words[0]


def _nothing(command: Command) -> None:
    pass
